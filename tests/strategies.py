"""Hypothesis strategies: rules of the shedding game over all options that combine."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from stressim.decks import MAX_COPIES, MAX_RANKS, Deck
from stressim.options import Choice
from stressim.shedding.choices import (
    BothEmpty,
    DealMode,
    GiverWithOneCard,
    MergeEqualRanks,
    MultiCardPlay,
    PilePlay,
    RefillPolicy,
    RestartSource,
    RoundEnd,
    RowPiles,
    RowVisibility,
    SidePileReuse,
    SlapTarget,
    StressOn,
    StressSignal,
)
from stressim.shedding.limits import MAX_SLOTS
from stressim.shedding.rules import SheddingRules

_DRAWN_TOGETHER = {
    "n_players", "centre_piles", "deck", "deck_ranks", "deck_copies", "deal_mode", "n_decks", "n_jokers", "row_slots",
    "handicap_cards", "one_card_at_a_time", "multi_card_play", "merge_equal_ranks", "pile_play", "stress_signal",
    "slap_target", "restart_source", "side_pile_cards", "row_visibility",
    "row_piles", "move_to_empty", "round_end",
    "match_format", "match_stop", "scoring",  # no deal depends on these
}  # fmt: skip
_MILLISECONDS = st.sampled_from([0.0, 1.0, 8.0, 30.0, 120.0, 500.0])
_COPIES_IN_DECK = {Deck.DOPPELKOPF48: 8}
_RANKS_IN_DECK = {Deck.FRENCH52: 13, Deck.JASS36: 9, Deck.SKAT32: 8, Deck.DOPPELKOPF48: 6}


@st.composite
def _cards(draw: st.DrawFn, side_piles: bool, piles: bool) -> dict[str, Any]:
    """Deck, jokers and slots that come out even."""
    chosen: dict[str, Any] = {"deck": draw(st.sampled_from(Deck)), "deal_mode": draw(st.sampled_from(DealMode))}
    copies, ranks = _COPIES_IN_DECK.get(chosen["deck"], 4), _RANKS_IN_DECK.get(chosen["deck"], 0)
    n_decks = 1
    if chosen["deck"] == Deck.CUSTOM:
        ranks = draw(st.integers(2, MAX_RANKS))
        copies = draw(st.integers(1, 4))
        chosen |= {"deck_ranks": draw(_names(ranks)), "deck_copies": copies}
    if chosen["deal_mode"] == DealMode.OWN_DECK_EACH:
        n_decks = 2
    elif chosen["deal_mode"] == DealMode.SPLIT_COMBINED:
        n_decks = chosen["n_decks"] = draw(st.integers(1, min(3, MAX_COPIES // copies)))
    # Cards must come out even: with an odd deck an odd number of jokers, otherwise an even one; own decks even.
    odd = copies * ranks * n_decks % 2
    jokers = draw(st.sampled_from([0, 0, 2, 4]))
    chosen["n_jokers"] = jokers + odd
    each = (copies * ranks * n_decks + chosen["n_jokers"]) // 2
    while each < 2 + side_piles:
        chosen["n_jokers"] += 2
        each += 1
    if side_piles:
        chosen["side_pile_cards"] = draw(st.integers(0, max(0, min(each - 3, 12))))
        each -= chosen["side_pile_cards"] + 1
    most_slots = max(n for n in range(1, MAX_SLOTS + 1) if (n * (n + 1) // 2 if piles else n) < each)
    chosen["row_slots"] = n = draw(st.integers(1, most_slots))
    if piles:
        chosen["long"] = each > 3 * n * (n + 1) // 2
    most = each - (n * (n + 1) // 2 if piles else n) - 1
    chosen["handicap_cards"] = draw(st.sampled_from([0, 0, 0, min(most, 3), max(-most, -5)]))
    return chosen


@st.composite
def _row_piles(draw: st.DrawFn) -> dict[str, Any]:
    """Rows of piles, and what goes with them."""
    return {
        "row_piles": RowPiles.GROWING,
        "move_to_empty": draw(st.booleans()),
        "round_end": draw(st.sampled_from(RoundEnd)),
        "stress_on": StressOn.NONE,
        "stress_stop": False,
        "merge_equal_ranks": draw(st.sampled_from([MergeEqualRanks.OFF, MergeEqualRanks.ALWAYS])),
        "pile_play": PilePlay.SINGLE,
        "multi_card_play": MultiCardPlay.OFF,
        "refill_policy": RefillPolicy.NONE,
        "restart_source": RestartSource.STOCK,
        "giver_with_one_card": draw(st.sampled_from([GiverWithOneCard.FLIP_ALONE, GiverWithOneCard.GIVE_ANYWAY])),
    }


@st.composite
def _names(draw: st.DrawFn, ranks: int) -> str:
    """Names of a number of ranks, with an ace among them or without."""
    first = draw(st.sampled_from(["A", "r1"]))
    return " ".join([first, *(f"r{rank}" for rank in range(2, ranks + 1))])


@st.composite
def _hands(draw: st.DrawFn) -> dict[str, Any]:
    """Options that ask for more than one card at a time, and where shouts and hands go."""
    chosen: dict[str, Any] = {
        "merge_equal_ranks": draw(st.sampled_from(MergeEqualRanks)),
        "pile_play": draw(st.sampled_from(PilePlay)),
        "multi_card_play": draw(st.sampled_from(MultiCardPlay)),
        "stress_signal": draw(st.sampled_from(StressSignal)),
    }
    several = chosen["multi_card_play"] != MultiCardPlay.OFF
    merged = chosen["merge_equal_ranks"] != MergeEqualRanks.OFF and chosen["pile_play"] != PilePlay.SINGLE
    if draw(st.integers(0, 3)) == 0:
        chosen |= {"restart_source": RestartSource.SIDE_PILES, "stress_on": StressOn.NONE, "stress_stop": False}
        chosen["side_pile_reuse"] = draw(st.sampled_from(SidePileReuse))
        never = chosen["side_pile_reuse"] == SidePileReuse.NEVER
        both_empty = [rule for rule in BothEmpty if not (never and rule == BothEmpty.TAKE_RIGHT_PILE_SHUFFLE)]
        chosen["restart_both_empty"] = draw(st.sampled_from(both_empty))
    else:
        chosen["restart_source"] = draw(st.sampled_from([RestartSource.STOCK, RestartSource.OWN_ROW]))
    chosen["row_visibility"] = draw(st.sampled_from(RowVisibility))
    if chosen["row_visibility"] == RowVisibility.HIDDEN:
        chosen["stress_stop"] = False
    chosen["one_card_at_a_time"] = not (several or merged) and draw(st.booleans())
    if chosen["stress_signal"] == StressSignal.SHOUT:
        chosen["slap_target"] = SlapTarget.NONE
    else:
        chosen["slap_target"] = draw(st.sampled_from([target for target in SlapTarget if target != SlapTarget.NONE]))
    return chosen


def _values(name: str) -> st.SearchStrategy[Any]:
    """Every value of an option that stands for itself."""
    kind = SheddingRules.model_fields[name].annotation
    if isinstance(kind, type) and issubclass(kind, Choice):
        return st.sampled_from(list(kind))
    if kind is bool:
        return st.booleans()
    assert kind is float, f"{name} needs a strategy of its own"
    return _MILLISECONDS


_NEED_A_PAIR = {"restart_target", "giver_with_one_card"}


@st.composite
def _table(draw: st.DrawFn) -> dict[str, Any]:
    """Three or four players, or more than two piles, and cards that come out even."""
    players = draw(st.sampled_from([2, 3, 3, 4, 4]))
    chosen: dict[str, Any] = {
        "n_players": players,
        "centre_piles": draw(st.sampled_from([0, 0, 2, 3, 4, 5, 6] if players > 2 else [3, 4, 5, 6])),
        "deck": draw(st.sampled_from([Deck.FRENCH52, Deck.JASS36, Deck.SKAT32, Deck.CUSTOM, Deck.CUSTOM])),
        "deal_mode": draw(st.sampled_from(DealMode)),
    }
    copies, ranks = 4, _RANKS_IN_DECK.get(chosen["deck"], 0)
    shared = DealMode.SPLIT_COMBINED, *([DealMode.SPLIT_ONE_DECK] if players == 2 else [])
    own = chosen["deal_mode"] not in shared
    if chosen["deck"] == Deck.CUSTOM:
        ranks, copies = draw(st.integers(4, MAX_RANKS)), draw(st.integers(1, 4))
        chosen |= {"deck_ranks": draw(_names(ranks)), "deck_copies": copies}
    n_decks = players if own else 1
    if chosen["deal_mode"] == DealMode.SPLIT_COMBINED:
        n_decks = chosen["n_decks"] = draw(st.integers(1, 4))
    cards = copies * ranks * n_decks
    chosen["n_jokers"] = draw(st.sampled_from([0, 0, players, 4 * players // 2 * 2])) if own else -cards % players
    chosen["n_jokers"] = min(chosen["n_jokers"], MAX_COPIES // players * players)
    piles = chosen["centre_piles"] or players
    needed = -(-piles // players)
    while (cards + chosen["n_jokers"]) // players < 1 + needed:
        chosen["n_jokers"] += players
    each = (cards + chosen["n_jokers"]) // players
    chosen["row_slots"] = draw(st.integers(1, min(MAX_SLOTS, each - needed)))
    spare = each - needed - chosen["row_slots"]
    chosen["handicap_cards"] = draw(st.sampled_from([0, 0, 0, min(spare, 3), -min(spare // (players - 1), 3)]))
    return chosen


@st.composite
def rules_of_many(draw: st.DrawFn) -> SheddingRules:
    """Rules for tables where not two play with two piles."""
    options = draw(_table())
    hands = {name: value for name, value in draw(_hands()).items() if not name.startswith("side_pile")}
    if hands["restart_source"] == RestartSource.SIDE_PILES:
        hands = {name: value for name, value in hands.items() if name not in ("restart_source", "stress_on")}
    names = sorted(set(SheddingRules.model_fields) - _DRAWN_TOGETHER - _NEED_A_PAIR)
    changed = draw(st.sets(st.sampled_from(names), max_size=14))
    options |= hands | {name: draw(_values(name)) for name in sorted(changed) if name not in hands}
    return SheddingRules(**options)


@st.composite
def shedding_rules(draw: st.DrawFn, **fixed: Any) -> SheddingRules:
    """Rules of the shedding game: small and large decks, every option, only what combines.

    Parameters
    ----------
    draw
        Given by hypothesis.
    fixed
        Options that are not drawn.
    """
    piles = draw(st.integers(0, 4)) == 0
    hands = draw(_hands()) | (draw(_row_piles()) if piles else {})
    options = draw(_cards(hands["restart_source"] == RestartSource.SIDE_PILES, piles)) | hands
    if piles and options.pop("long"):
        options["round_end"] = RoundEnd.NONE  # with few cards in the row there would be thousands of rounds
    # Most options keep their default in an example, so that rare combinations do not hide each other.
    changed = draw(st.sets(st.sampled_from(sorted(set(SheddingRules.model_fields) - _DRAWN_TOGETHER)), max_size=14))
    options |= {name: draw(_values(name)) for name in sorted(changed) if name not in hands}
    return SheddingRules(**(options | fixed))

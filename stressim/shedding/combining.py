"""Which rules of the shedding game go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressim.decks import check_copies, check_deck
from stressim.matchrules import match_format
from stressim.options import Choice
from stressim.shedding.choices import (
    BothEmpty,
    GiverWithOneCard,
    MergeEqualRanks,
    MultiCardPlay,
    PilePlay,
    RefillPolicy,
    RestartSource,
    RestartTarget,
    RoundEnd,
    RowPiles,
    RowVisibility,
    SidePileReuse,
    SlapTarget,
    StressOn,
    StressSignal,
)
from stressim.shedding.limits import MAX_SLOTS

if TYPE_CHECKING:
    from stressim.shedding.rules import SheddingRules


def check_combination(rules: SheddingRules) -> None:
    """Refuse rules that cannot be played together.

    Raises
    ------
    ValueError
        With what does not go together, and what would.
    """
    check_deck(rules.deck, rules.deck_ranks)
    check_copies(rules.n_copies_total, "deck, deck_copies, n_decks and deal_mode")
    match_format(rules.match_format)
    if rules.own_decks and rules.n_jokers % rules.n_players:
        raise ValueError(
            f"n_jokers={rules.n_jokers} with a deck for each player must be a multiple of {rules.n_players}: "
            "each player gets as many"
        )
    if rules.n_cards % rules.n_players:
        raise ValueError(
            f"{rules.n_cards} cards do not come out even for n_players={rules.n_players}; "
            "change deck_copies, deck_ranks or n_jokers by one"
        )
    if rules.n_piles == 1:
        raise ValueError("centre_piles=1 is too few: at least two lie there; 0 is one for each player")
    if rules.n_players > 2 or rules.n_piles > 2:
        _check_large_table(rules)
    if rules.cards_each < 1:
        raise ValueError(
            f"side_pile_cards={rules.side_pile_cards} is too many for {rules.cards_dealt} cards a player: a row of "
            f"{rules.row_slots} and one card to draw are needed beside them and one for the centre, so at most "
            f"{max(0, rules.cards_dealt - rules.row_slots - 2)}"
        )
    if rules.cards_each < rules.row_cards + 1:
        most = max((n for n in range(MAX_SLOTS + 1) if rules.cards_of_row(n) < rules.cards_each), default=0)
        most = most if rules.row_piles == RowPiles.GROWING else rules.cards_each - 1
        raise ValueError(
            f"row_slots={rules.row_slots} is too many for {rules.cards_each} cards a player: "
            f"a row and one card to flip are needed, so at most {most}"
        )
    _check_handicap(rules)
    _check_row_piles(rules)
    if rules.multi_card_play != MultiCardPlay.OFF and rules.one_card_at_a_time:
        raise ValueError(f"multi_card_play={rules.multi_card_play.word} needs one_card_at_a_time=false")
    if (
        rules.merge_equal_ranks != MergeEqualRanks.OFF
        and rules.pile_play != PilePlay.SINGLE
        and rules.one_card_at_a_time
    ):
        raise ValueError(
            f"pile_play={rules.pile_play.word} with merge_equal_ranks={rules.merge_equal_ranks.word} "
            "needs one_card_at_a_time=false"
        )
    if rules.stress_stop and rules.row_visibility == RowVisibility.HIDDEN:
        raise ValueError("stress_stop=true needs row_visibility=open: nobody points at a card that he cannot see")
    if rules.restart_source == RestartSource.SIDE_PILES:
        _check_side_piles(rules)
    if (rules.stress_signal == StressSignal.SHOUT) != (rules.slap_target == SlapTarget.NONE):
        raise ValueError(
            f"stress_signal={rules.stress_signal.word} and slap_target={rules.slap_target.word} do not go together: "
            "a shout alone has slap_target=none, and only a shout has"
        )


def _check_large_table(rules: SheddingRules) -> None:
    """Refuse what only a table of two players and two piles knows."""
    table = f"n_players={rules.n_players} with {rules.n_piles} piles"
    needed: dict[str, Choice] = {
        "row_piles": RowPiles.SINGLE,
        "restart_target": RestartTarget.OWN_PILE,
        "giver_with_one_card": GiverWithOneCard.FLIP_ALONE,
    }
    for name, value in needed.items():
        if getattr(rules, name) != value:
            raise ValueError(f"{table} needs {name}={value.word}, not {getattr(rules, name).word}")
    if rules.restart_source == RestartSource.SIDE_PILES:
        raise ValueError(f"{table} does not go with restart_source=side_piles: only two have them")
    cards = _cards_to_flip(rules)
    if rules.cards_each < rules.row_cards + cards:
        raise ValueError(
            f"centre_piles={rules.centre_piles} is too many for {rules.cards_each} cards a player: beside a row of "
            f"{rules.row_cards} up to {cards} are needed for the first flip"
        )


def _cards_to_flip(rules: SheddingRules) -> int:
    """Most cards that a player needs for the first flip."""
    return rules.n_piles // rules.n_players + (rules.n_piles % rules.n_players > 0)


def _check_handicap(rules: SheddingRules) -> None:
    """Refuse a handicap after which a player could not lay out his row and flip."""
    cards = _cards_to_flip(rules)
    takers = rules.n_players - 1 if rules.handicap_cards < 0 else 1
    spare = rules.cards_each - rules.row_cards - cards
    if abs(rules.handicap_cards) * takers > spare:
        flip = "one card" if cards == 1 else f"{cards} cards"
        each = f" for each of {takers} players" if takers > 1 else ""
        raise ValueError(
            f"handicap_cards={rules.handicap_cards} is too many: a row of {rules.row_cards} and {flip} to flip "
            f"must be left of {rules.cards_each}, so at most {spare // takers}{each}"
        )


def _check_row_piles(rules: SheddingRules) -> None:
    """Refuse what goes with rows of single cards only, or with rows of piles only."""
    if rules.row_piles == RowPiles.SINGLE:
        for name, default in (("move_to_empty", False), ("round_end", RoundEnd.NONE)):
            if getattr(rules, name) != default:
                raise ValueError(f"{name} goes with row_piles=growing only")
        return
    needed: dict[str, Choice] = {
        "stress_on": StressOn.NONE,
        "pile_play": PilePlay.SINGLE,
        "multi_card_play": MultiCardPlay.OFF,
        "refill_policy": RefillPolicy.NONE,
        "restart_source": RestartSource.STOCK,
    }
    for name, value in needed.items():
        if getattr(rules, name) != value:
            raise ValueError(f"row_piles=growing needs {name}={value.word}, not {getattr(rules, name).word}")
    if rules.merge_equal_ranks == MergeEqualRanks.AT_DEAL:
        raise ValueError(
            "row_piles=growing does not go with merge_equal_ranks=at_deal: its tops are put together while it is "
            "played, so always or off"
        )
    if rules.giver_with_one_card == GiverWithOneCard.FROM_ROW:
        raise ValueError("row_piles=growing does not go with giver_with_one_card=from_row")


def _check_side_piles(rules: SheddingRules) -> None:
    """Refuse what does not go with side piles."""
    if rules.stress_on != StressOn.NONE:
        raise ValueError(
            f"restart_source=side_piles needs stress_on=none, not {rules.stress_on.word}: whoever lost a stress "
            "would take cards that the side piles are made of"
        )
    if rules.side_pile_reuse == SidePileReuse.NEVER and rules.restart_both_empty == BothEmpty.TAKE_RIGHT_PILE_SHUFFLE:
        raise ValueError(
            "restart_both_empty=take_right_pile_shuffle does not go with restart_source=side_piles: "
            "what is taken up is never flipped"
        )

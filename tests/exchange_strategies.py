"""Hypothesis strategies: rules of the exchange game over all options that combine, small decks and large ones."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from stressim.decks import MAX_COPIES, Deck, copies_in_deck, ranks_of
from stressim.exchange.choices import FalseCallPenalty
from stressim.exchange.habits import ExchangeHabits
from stressim.exchange.limits import MAX_BUNCHES_EACH, MAX_CENTRE, MAX_GRAB
from stressim.exchange.rules import ExchangeRules
from stressim.options import Choice, Options

_DRAWN_TOGETHER = {
    "n_players", "deck", "deck_ranks", "deck_copies", "n_decks", "n_jokers", "cards_removed", "centre_cards",
    "bunch_size", "swap_max_cards", "grab_equal_only", "team_size", "handicap_bunches", "handicap_player",
    "match_format", "match_stop",  # no deal depends on these
}  # fmt: skip
_MILLISECONDS = st.sampled_from([0.0, 1.0, 8.0, 30.0, 300.0])
_SECONDS = st.sampled_from([0.5, 2.0, 5.0, 20.0])


@st.composite
def _cards(draw: st.DrawFn, most_players: int) -> dict[str, Any]:
    """Cards that come out even: a deck and bunches first, then what is left lies in the centre or is removed."""
    deck = draw(st.sampled_from([Deck.CUSTOM, Deck.CUSTOM, *Deck]))
    chosen: dict[str, Any] = {"deck": deck}
    if deck == Deck.CUSTOM:
        n_ranks = draw(st.integers(3, 13))
        chosen |= {"deck_ranks": str(n_ranks), "deck_copies": draw(st.integers(2, 6))}
    copies = copies_in_deck(deck, chosen.get("deck_copies", 4))
    n_ranks = len(ranks_of(deck, chosen.get("deck_ranks", "")))
    chosen["n_decks"] = draw(st.integers(1, min(3, MAX_COPIES // copies)))
    copies *= chosen["n_decks"]
    size = chosen["bunch_size"] = draw(st.integers(2, min(4, copies)))
    chosen["n_jokers"] = draw(st.sampled_from([0, 0, 0, size]))
    cards = copies * n_ranks + chosen["n_jokers"]
    sides = draw(st.integers(1, min(most_players, (cards - 1) // size)))
    # A player needs as many complete bunches as he has, and at least one card lies open.
    complete = n_ranks * (copies // size) + chosen["n_jokers"] // size
    each = draw(st.integers(1, min(MAX_BUNCHES_EACH, complete, (cards - 1) // (size * sides))))
    left = cards - each * size * sides
    team = chosen["team_size"] = draw(st.integers(1, min(3, each, most_players // sides)))
    chosen["n_players"] = team * sides
    chosen["handicap_bunches"] = draw(st.integers(0, each - team)) if draw(st.booleans()) else 0
    chosen["handicap_player"] = draw(st.integers(1, team * sides))
    centre = chosen["centre_cards"] = draw(st.integers(1, min(left, MAX_CENTRE)))
    chosen["cards_removed"] = min(left - centre, copies * n_ranks)
    return chosen


def _values(model: type[Options], name: str) -> st.SearchStrategy[Any]:
    """Every value of an option that stands for itself."""
    kind, default = model.model_fields[name].annotation, model.model_fields[name].get_default()
    if isinstance(kind, type) and issubclass(kind, Choice):
        return st.sampled_from(list(kind))
    if kind is bool:
        return st.booleans()
    if name.endswith("_s"):
        return _SECONDS
    if name.endswith("_ms"):
        return _MILLISECONDS
    assert name in ExchangeHabits.model_fields, f"{name} needs a strategy of its own"
    if name.endswith("_weight"):
        return st.sampled_from([default, 0.0, 0.5, 1.0])
    return st.integers(2, 5) if kind is int else st.sampled_from([default, 0.1, 0.5, 1.0])


@st.composite
def exchange_rules(draw: st.DrawFn, most_players: int = 6, **fixed: Any) -> ExchangeRules:
    """Rules of the exchange game, every option, only what combines.

    Parameters
    ----------
    draw
        Given by hypothesis.
    most_players
        At most so many play.
    fixed
        Options that are not drawn.
    """
    options = draw(_cards(most_players).filter(_somebody_could_win))
    grab = min(MAX_GRAB, options["bunch_size"], options["centre_cards"])
    options["swap_max_cards"] = draw(st.sampled_from([1, grab]))
    options["grab_equal_only"] = options["swap_max_cards"] > 1 and draw(st.booleans())
    # Most options keep their default in an example, so that rare combinations do not hide each other.
    alone = sorted(set(ExchangeRules.model_fields) - _DRAWN_TOGETHER)
    changed = draw(st.sets(st.sampled_from(alone), max_size=7))
    options |= {name: draw(_values(ExchangeRules, name)) for name in sorted(changed)}
    if options["team_size"] > 1 and options.get("false_call_penalty") == FalseCallPenalty.FORFEIT:
        del options["false_call_penalty"]
    return ExchangeRules(**(options | fixed))


def _somebody_could_win(options: dict[str, Any]) -> bool:
    try:
        ExchangeRules(**options)
    except ValueError as error:
        if "nobody could win" not in str(error):
            raise
        return False
    return True


@st.composite
def exchange_habits(draw: st.DrawFn) -> ExchangeHabits:
    """Habits of an exchange player, every one of them."""
    changed = draw(st.sets(st.sampled_from(sorted(ExchangeHabits.model_fields)), max_size=8))
    return ExchangeHabits(**{name: draw(_values(ExchangeHabits, name)) for name in sorted(changed)})

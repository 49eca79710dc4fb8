"""Decks of a few cards solved whole, for any family: every deal and every choice under uniform timing."""

from __future__ import annotations

from collections.abc import Sequence

from stressim.exact.chains import ENDLESS, MOST_POSITIONS, Solved, solve
from stressim.exact.quantities import Quantity, TooCostlyError
from stressim.players.player import Player
from stressim.rulesfile import LoadedRules

MOST_CARDS = 12
"""Decks with more cards have far too many positions."""

GROUP = "the whole deal, without a clock"

_ACCURACY = 1e-9  # of a sparse linear solve, well above what is left over


def solved(rules: LoadedRules, players: Sequence[Player], *, most: int = MOST_POSITIONS) -> Solved:
    """Solve a game whole.

    Parameters
    ----------
    rules, players
        What is played.
    most
        Positions that are looked at.

    Raises
    ------
    TooCostlyError
        If the deck has more than :data:`MOST_CARDS` cards, or the game more positions than ``most``.
    """
    n_cards = rules.options.n_cards
    if n_cards > MOST_CARDS:
        raise TooCostlyError(f"the deck has {n_cards} cards; games of up to {MOST_CARDS} are solved whole")
    return solve(rules.family.small_deck.SmallDeck(rules.options, players), most=most)


def quantities(rules: LoadedRules, players: Sequence[Player], *, most: int = 20_000) -> tuple[Quantity, ...]:
    """Return ends and counts of a deal under uniform timing; one entry with the reason where that is too costly."""
    meanings = {column.name: column.meaning for column in rules.family.columns}
    meanings[ENDLESS] = "no end can be reached any more"
    try:
        game = solved(rules, players, most=most)
    except TooCostlyError as error:
        meaning = "Ends, plays, stalls and the like of a deal in which every possible play is as likely."
        return (Quantity(name="whole_deal", group=GROUP, meaning=meaning, unit="", value=None, reason=str(error)),)
    flags = {column.name for column in rules.family.columns if column.unit == "flag"}
    shares = {name: value for name, value in game.counts.items() if name in flags}  # a seat's wins, by what is alike
    found = [
        _quantity(name, f"{_sentence(meanings[name])}.", "of deals", value)
        for name, value in (*game.outcomes.items(), *game.flags.items(), *shares.items())
    ]
    found += [
        _quantity(name, f"{_sentence(meanings[name])}: expected number in a deal.", "per deal", value)
        for name, value in game.counts.items()
        if name not in flags
    ]
    return tuple(found)


def _quantity(name: str, meaning: str, unit: str, value: float) -> Quantity:
    return Quantity(
        name=f"whole_{name}", group=GROUP, meaning=meaning, unit=unit, value=value, accuracy=_ACCURACY, column=name
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]

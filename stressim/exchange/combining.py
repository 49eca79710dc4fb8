"""Which rules of the exchange game go together."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from stressim.decks import check_copies, check_deck
from stressim.exchange.choices import FalseCallPenalty
from stressim.exchange.limits import MAX_BUNCHES_EACH, MAX_PLAYERS
from stressim.matchrules import match_format

if TYPE_CHECKING:
    from stressim.exchange.rules import ExchangeRules


def check_combination(rules: ExchangeRules) -> None:
    """Refuse rules that cannot be played together.

    Raises
    ------
    ValueError
        With what does not go together, and what would.
    """
    check_deck(rules.deck, rules.deck_ranks)
    check_copies(rules.n_copies_total, "deck, deck_copies and n_decks")
    match_format(rules.match_format)
    for name, limit in (("bunch_size", rules.bunch_size), ("centre_cards", rules.centre_cards)):
        if rules.swap_max_cards > limit:
            raise ValueError(f"swap_max_cards={rules.swap_max_cards} is more than {name}={limit} allows")
    if rules.n_players % rules.team_size:
        raise ValueError(f"n_players={rules.n_players} does not make whole teams of team_size={rules.team_size}")
    if rules.team_size > 1 and rules.false_call_penalty == FalseCallPenalty.FORFEIT:
        raise ValueError(
            "false_call_penalty=forfeit needs team_size=1: nobody says what becomes of a partner's swap under way"
        )
    if rules.grab_equal_only and rules.swap_max_cards == 1:
        raise ValueError("grab_equal_only=true needs swap_max_cards=2 or more")
    if max(rules.n_copies_total, rules.n_jokers) < rules.bunch_size:
        raise ValueError(
            f"bunch_size={rules.bunch_size} needs as many cards of a rank, but there are only {rules.n_copies_total} "
            "(deck, deck_copies and n_decks together)"
        )
    _check_even(rules)
    if rules.bunches_each > MAX_BUNCHES_EACH:
        raise ValueError(
            f"a player has {rules.bunches_each} bunches of bunch_size={rules.bunch_size}, at most {MAX_BUNCHES_EACH} "
            "are possible; change n_players or bunch_size"
        )
    _check_bunches(rules)


def _check_bunches(rules: ExchangeRules) -> None:
    """Refuse bunches of which too many are given, too few can be completed, or not enough are there to hold."""
    if rules.handicap_bunches and rules.handicap_player > rules.n_players:
        raise ValueError(f"handicap_player={rules.handicap_player} does not play: n_players={rules.n_players}")
    most_given = rules.bunches_each - rules.team_size
    if most_given < 0:
        raise ValueError(
            f"team_size={rules.team_size} is more than a team has bunches, {rules.bunches_each}: "
            "somebody would have none to hold"
        )
    if rules.handicap_bunches > most_given:
        raise ValueError(
            f"handicap_bunches={rules.handicap_bunches} leaves nothing to play: of "
            f"{_counted(rules.bunches_each, 'bunch', 'bunches')} at most {most_given} can be given"
        )
    complete = sum(number // rules.bunch_size for number in Counter(card % 16 for card in rules.cards).values())
    if complete < rules.bunches_each:
        raise ValueError(
            f"nobody could win: a player has {_counted(rules.bunches_each, 'bunch', 'bunches')} of "
            f"bunch_size={rules.bunch_size}, but the cards make only {complete} complete ones; change deck_copies, "
            "bunch_size or n_players"
        )


def _check_even(rules: ExchangeRules) -> None:
    """Refuse cards that do not make as many bunches for every player (S0:76), and name the nearest that do."""
    dealt = rules.n_cards - rules.centre_cards
    team, whom = rules.team_size, "player" if rules.team_size == 1 else "team"
    each = rules.bunch_size * rules.n_sides
    if dealt >= each and dealt % each == 0:
        return
    players = [
        team * n
        for n in range(1, MAX_PLAYERS // team + 1)
        if dealt >= rules.bunch_size * n and dealt % (rules.bunch_size * n) == 0
    ]
    removed = [
        n
        for n in range(rules.n_cards_full - rules.centre_cards - each + 1)
        if (rules.n_cards_full - rules.centre_cards - n) % each == 0
    ]
    ways = [f"n_players={n}" for n in _nearest(rules.n_players, players)]
    ways += [f"cards_removed={n}" for n in _nearest(rules.cards_removed, removed)]
    raise ValueError(
        f"n_players={rules.n_players} does not come out even: beside {rules.centre_cards} open cards {max(0, dealt)} "
        f"are left, which do not make as many bunches of {rules.bunch_size} for each {whom}; "
        f"{' or '.join(ways) + ' would' if ways else 'more cards are needed'}"
    )


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _nearest(given: int, possible: list[int]) -> list[int]:
    """The next number below and the next one above that are possible."""
    return [*[n for n in possible if n < given][-1:], *[n for n in possible if n > given][:1]]

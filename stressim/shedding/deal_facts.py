"""What the deal alone decides in the shedding game: the first flip, the first rows, the structure of stress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, partial

from stressim.exact.quantities import Collector, Quantity
from stressim.shedding.choices import Ace, JokerMode, StackTarget, StartFlipEqual
from stressim.shedding.events import JOKER_RANK, Kind
from stressim.shedding.first_of_many import FirstOfMany
from stressim.shedding.first_position import SHORT_STOCK, ZERO, FirstPosition, Flips
from stressim.shedding.referee.table import Event, Table, adjacent, rank_of
from stressim.shedding.rules import SheddingRules

_REFLIP = "with start_flip_equal=reflip the rows depend on how many equal pairs are covered first"
_TOPS_MERGED = "with row_piles=growing and merge_equal_ranks=always cards come up before it is judged"
_NAMED = "with joker_mode=named a joker has the rank that its player names, which no rule decides"


@lru_cache(maxsize=64)
def quantities(rules: SheddingRules) -> tuple[Quantity, ...]:
    """Return what is known of the first position under these rules, and of the structure of stress.

    Examples
    --------
    >>> found = {quantity.name: quantity for quantity in quantities(SheddingRules())}
    >>> found["first_flip_equal"].fraction, found["stalled_at_start"].fraction
    ('1/17', '1082272/24403575')
    """
    start = FirstPosition(rules)
    found = Collector("first flip")
    if rules.n_players != 2 or rules.n_piles != 2:
        _of_many(found, FirstOfMany(rules))
        with found.under("first rows"):
            _row_laid_out(found, start)
        return tuple(found.found)
    _first_flip(found, start)
    with found.under("first rows"):
        _first_rows(found, start)
        _row_laid_out(found, start)
    with found.under("structure"):
        _structure(found, start)
    return tuple(found.found)


def _first_flip(found: Collector, start: FirstPosition) -> None:
    rules = start.rules
    named = rules.n_jokers > 0 and rules.joker_mode == JokerMode.NAMED
    equal = ("first_flip_equal", "The first flip makes the tops equal: stress at once.", "of deals")
    adjacent_ = ("first_flip_adjacent", "One of the first two cards fits on the other.", "of deals")
    reason = _NAMED if named else start.short
    if reason:
        found.leave_out(*equal, reason)
        found.leave_out(*adjacent_, reason)
        return
    found.add(*equal, lambda: start.sum_over_flips(lambda flips: Fraction(flips.equal)), column="stress_at_first_flip")
    found.add(*adjacent_, lambda: start.sum_over_flips(lambda flips: Fraction(flips.adjacent)))


def _of_many(found: Collector, start: FirstOfMany) -> None:
    """Add what is counted where not two play with two piles."""
    equal = ("first_flip_equal", "The first flip makes tops equal that count: stress at once.", "of deals")
    if start.left_out:
        found.leave_out(*equal, start.left_out)
    else:
        found.add(
            *equal, lambda: start.sum_over(lambda tops: Fraction(start.equal(tops))), column="stress_at_first_flip"
        )
    nobody = ("nobody_can_play", "Nobody can play on the first flip.", "of deals")
    stalled = ("stalled_at_start", "Nobody can play on the first flip and there is no stress.", "of deals")
    with found.under("first rows"):
        if start.rows_left_out:
            found.leave_out(*nobody, start.rows_left_out)
            found.leave_out(*stalled, start.rows_left_out)
            return
        found.add(*nobody, lambda: start.sum_over(start.nobody))
        found.add(
            *stalled,
            lambda: start.sum_over(lambda tops: ZERO if start.equal(tops) else start.nobody(tops)),
            column="stalled_at_start",
        )


def _first_rows(found: Collector, start: FirstPosition) -> None:
    asked: tuple[tuple[str, str, str, Callable[[Flips], Fraction], str], ...] = (
        ("nobody_can_play", "Nobody can play on the first flip.", "of deals", start.nobody, ""),
        (
            "stalled_at_start",
            "Nobody can play on the first flip and the tops differ.",
            "of deals",
            lambda flips: ZERO if flips.equal else start.nobody(flips),
            "stalled_at_start",
        ),
        (
            "one_player_cannot_play",
            "One player, named beforehand, cannot play on the first flip.",
            "of deals",
            lambda flips: start.row(flips)[0],
            "",
        ),
        (
            "playable_slots",
            "Slots of both rows whose top fits on the first flip.",
            "slots",
            lambda flips: sum((2 * n * chance for n, chance in enumerate(start.row(flips))), ZERO),
            "",
        ),
        (
            "stress_one_play_away",
            "The first tops differ but are neighbours, and a row shows a card that makes them equal.",
            "of deals",
            start.one_play_away,
            "",
        ),
    )
    reason = start.short
    if start.rules.n_jokers and start.rules.joker_mode == JokerMode.NAMED:
        reason = reason or _NAMED
    if start.rules.start_flip_equal == StartFlipEqual.REFLIP:
        reason = reason or _REFLIP
    for name, meaning, unit, share, column in asked:
        if reason or (column and start.tops_merged):
            found.leave_out(name, meaning, unit, reason or _TOPS_MERGED)
        else:
            found.add(name, meaning, unit, partial(start.sum_over_flips, share), column=column)


def _row_laid_out(found: Collector, start: FirstPosition) -> None:
    found.add(
        "row_all_different",
        "The first cards of a player, as many as his row has slots, all differ.",
        "of players",
        start.all_different,
    )
    if not start.merging:
        return
    found.add(
        "row_merged",
        "A player puts equal ranks together at least once while his row is laid out.",
        "of players",
        lambda: 1 - start.all_different(),
    )
    used = ("row_cards", "Cards that a player lays out until his row is full.", "cards")
    merges = ("row_merges", "Times that a player puts a card on an equal one while his row is laid out.", "merges")
    if start.row_may_stay_short:
        found.leave_out(*used, SHORT_STOCK)
        found.leave_out(*merges, SHORT_STOCK)
        return
    found.add(*used, start.cards_used)
    found.add(*merges, lambda: start.cards_used() - start.rules.row_slots)


def _structure(found: Collector, start: FirstPosition) -> None:
    rules = start.rules
    if rules.n_jokers or rules.equal_rank_playable or rules.stack_target == StackTarget.EITHER:
        return
    # Ranks in a line, or in a ring of an even number, have a colour that each single card laid changes.
    even = rules.ace != Ace.WRAP or rules.n_ranks % 2 == 0
    known = "whether a stress takes an even or an odd number of plays"
    meaning = (
        f"Yes: the ranks turned up say {known}. Each play moves a top by one rank: even if the two lie an even number "
        "of ranks apart, odd if not. Equal cards laid at once count as one."
        if even
        else f"No: the ranks turned up do not say {known}. In a ring of {rules.n_ranks} ranks two that lie an even "
        "number apart one way lie an odd number apart the other way."
    )
    found.add("parity", meaning, "1: yes, 0: no", int(even))


def observed(rules: SheddingRules, cards: Sequence[Sequence[int]], events: Sequence[Sequence[int]]) -> dict[str, int]:
    """Return what :func:`quantities` speaks of, as it is in one deal, from its log.

    Parameters
    ----------
    rules
        The rules of the game.
    cards, events
        The deal and its log, as the events module has them.

    Returns
    -------
    dict
        Values by the quantity's name. Those of one player are those of the first.
    """
    table, n_drawn, n_merged = _until_first_flip(rules, cards, events)
    tops = [pile[-1] for pile in table.piles]
    shown = [[slot[-1] for slot in row if slot] for row in table.rows]
    playable = [sum(any(table.fits(card, pile) for pile in (0, 1)) for card in row) for row in shown]
    equal = table.tops_equal()
    neighbours = not equal and adjacent(rules, rank_of(tops[0]), rank_of(tops[1]))
    matching = {rank_of(card) for row in shown for card in row} & {*map(rank_of, tops), JOKER_RANK}
    first = [rank_of(card) for card in cards[0][: rules.row_slots]]
    different = all(rank == JOKER_RANK or first.count(rank) == 1 for rank in first)
    return {
        "first_flip_equal": int(equal),
        "first_flip_adjacent": int(table.fits(tops[0], 1)),
        "nobody_can_play": int(not any(playable)),
        "one_player_cannot_play": int(not playable[0]),
        "playable_slots": sum(playable),
        "stress_one_play_away": int(neighbours and bool(matching)),
        "row_all_different": int(different),
        "row_merged": int(n_merged > 0),
        "row_cards": n_drawn,
        "row_merges": n_merged,
    }


def _until_first_flip(
    rules: SheddingRules, cards: Sequence[Sequence[int]], events: Sequence[Sequence[int]]
) -> tuple[Table, int, int]:
    """Lay out a log until both first cards lie; with the first player's draws and merges."""
    table = Table.dealt(rules, cards)
    n_drawn = n_merged = 0
    for row, (time, kind, *others) in enumerate(events):
        event = Event(row, int(time), Kind(kind), *map(int, others))
        table.apply(event)
        n_drawn += event.kind == Kind.DRAW and event.player == 0
        n_merged += event.kind == Kind.MERGE and event.player == 0
        if all(table.piles):
            break
    table.jokers_take_ranks([0, 1])
    return table, n_drawn, n_merged

"""The ways in which a deal of the exchange game does not simply go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from stressim.exchange.choices import DeadlockRule
from stressim.exchange.events import Kind
from stressim.exchange.referee.table import Event, Table, best_ranks, counted_ranks, height
from stressim.exchange.rules import ExchangeRules
from stressim.ways import Way

Bunch = tuple[int, list[int]]  # its owner, its cards


def _locks(rules: ExchangeRules, cards: Sequence[int], events: Sequence[Sequence[int]]) -> Iterator[tuple[int, Table]]:
    """Give the time and the table whenever the centre has no card that a bunch collects, and no swap is under way."""
    table = Table.dealt(rules, cards)
    in_centre = len(table.centre)
    if _is_locked(table):
        yield 0, table
    moved = False
    for index, (time, code, *rest) in enumerate(events):
        event = Event(index, int(time), Kind(code), *map(int, rest))
        table.apply(event)
        moved = moved or event.kind in (Kind.PUT_DOWN, Kind.TAKE, Kind.DEAL, Kind.COMPLETE)
        under_way = len(table.centre) != in_centre or any(
            len(bunch) != rules.bunch_size for player in table.bunches for bunch in player
        )
        if moved and not under_way:
            moved = False
            if _is_locked(table):
                yield event.time, table


def _is_locked(table: Table) -> bool:
    there = set(counted_ranks(table.centre))
    waiting = _unfinished(table)
    return bool(waiting) and not any(best_ranks(cards) & there for _, cards in waiting)


def _unfinished(table: Table) -> list[Bunch]:
    return [(player, table.bunches[player][bunch]) for player in table.players for bunch in table.unfinished(player)]


def _collected(cards: list[int]) -> set[int]:
    """Ranks of which a bunch has two or more, as many as of any."""
    return best_ranks(cards) if height(cards) > 1 else set()


def two_want_one_rank(table: Table) -> bool:
    """Whether two unfinished bunches collect the same rank, so that neither is helped by what the other holds."""
    seen: set[int] = set()
    for _, cards in _unfinished(table):
        ranks = _collected(cards)
        if ranks & seen:
            return True
        seen |= ranks
    return False


def somebody_hoards(table: Table) -> bool:
    """Whether a player holds a card that his bunch does not collect and another player's bunch does."""
    waiting = _unfinished(table)
    return any(
        (set(counted_ranks(held)) - best_ranks(held)) & _collected(wanting)
        for owner, held in waiting
        for other, wanting in waiting
        if owner != other
    )


def _in_a_lock(
    is_so: Callable[[Table], bool],
) -> Callable[[ExchangeRules, Sequence[int], Sequence[Sequence[int]]], int | None]:
    def seen(rules: ExchangeRules, cards: Sequence[int], events: Sequence[Sequence[int]]) -> int | None:
        return next((time for time, table in _locks(rules, cards, events) if is_so(table)), None)

    return seen


def _has(*deadlock_rules: DeadlockRule) -> Callable[[ExchangeRules], bool]:
    return lambda rules: rules.deadlock_rule in deadlock_rules


WAYS: tuple[Way, ...] = (
    Way(
        name="stuck_as_dealt",
        title="Stuck before the first swap",
        meaning="Everybody holds a bunch, and no card in the centre helps any of them, before a card has been swapped.",
        columns=lambda deals: deals["stalled_at_start"] > 0,
    ),
    Way(
        name="hands_stuck",
        title="Nobody in hand is helped",
        meaning="No bunch that is held has a card in the centre that improves it. Another bunch may: somebody must put "
        "his down.",
        columns=lambda deals: deals["stalled"] > 0,
    ),
    Way(
        name="full_lock",
        title="Full lock",
        meaning="No card in the centre improves any unfinished bunch, in hand or on the table. Somebody must give way.",
        columns=lambda deals: deals["locked"] > 0,
    ),
    Way(
        name="two_want_one_rank",
        title="Two bunches want one rank",
        meaning="In a full lock, two bunches collect the same rank, and what one has the other lacks.",
        log=_in_a_lock(two_want_one_rank),
    ),
    Way(
        name="hoarding",
        title="Hoarding",
        meaning="In a full lock, a player sits on a card that he does not collect and that another one waits for.",
        log=_in_a_lock(somebody_hoards),
        possible=lambda rules: rules.n_players > 1,
    ),
    Way(
        name="deadline",
        title="The time for a swap runs out",
        meaning="A bunch has been held too long without a swap and goes back on the table.",
        columns=lambda deals: deals["deadlines"] > 0,
        possible=_has(DeadlockRule.SWAP_DEADLINE),
    ),
    Way(
        name="dealt_again",
        title="The cards are dealt again",
        meaning="Nobody has swapped a card for a while, or two players were done at once.",
        columns=lambda deals: deals["redeals"] > 0,
    ),
    Way(
        name="drawn",
        title="A draw",
        meaning="The rules find no winner: equal numbers of complete bunches, or players who are done at once.",
        columns=lambda deals: deals["drawn"] > 0,
    ),
    Way(
        name="deadlocked",
        title="The deal is dead",
        meaning="Nobody will ever give way, and no rule helps: in a full lock, or with bunches that nobody leaves.",
        columns=lambda deals: deals["deadlocked"] > 0,
    ),
    Way(
        name="livelocked",
        title="The same cards for ever",
        meaning="Somebody gives way again and again, but nobody has a use for any card that goes round.",
        columns=lambda deals: deals["livelocked"] > 0,
    ),
    Way(
        name="cap",
        title="Stopped at the limit",
        meaning="The deal is longer than anybody would sit through: it is stopped at the limit of moves, and counted.",
        columns=lambda deals: deals["unfinished"] > 0,
    ),
)

"""The ways in which a deal of the shedding game does not simply go on."""

from __future__ import annotations

from collections.abc import Sequence

from stressim.shedding.choices import BothEmpty, RestartSource, RestartTrigger, StressOn
from stressim.shedding.events import Kind, Reason
from stressim.shedding.referee.table import Event, Table
from stressim.shedding.rules import SheddingRules
from stressim.ways import Way

Cards = Sequence[Sequence[int]]
Events = Sequence[Sequence[int]]

_LAID = (Kind.PLAY, Kind.PLAY_ALSO)
_FLIPS = (Kind.FLIP, Kind.FLIP_FROM_ROW, Kind.FLIP_SIDE)
_SAME_LANDING = (*_FLIPS, Kind.GIVE, Kind.NAME, Kind.PLAY_ALSO)
_BECAUSE_STUCK = (Reason.LOCKED, Reason.BOTH_EMPTY, Reason.RENEWED)


def flip_after_flip(rules: SheddingRules, cards: Cards, events: Events) -> int | None:
    """Return when a flip that should have helped is followed by another; None if none is.

    No card is laid and nobody slaps in between.
    """
    flipped = False
    for time, kind, *rest in events:
        if kind in (*_LAID, Kind.SLAP):
            flipped = False
        elif kind == Kind.RESTART:
            stuck = rest[-1] in _BECAUSE_STUCK
            if stuck and flipped:
                return int(time)
            flipped = stuck
    return None


def slap_missed_by_all(rules: SheddingRules, cards: Cards, events: Events) -> int | None:
    """Return when cards are flipped although the tops are equal: nobody has slapped, and nobody could play."""
    if not _has_stress(rules):
        return None
    table = Table.dealt(rules, cards)
    landed: set[int] = set()
    for index, (time, code, *rest) in enumerate(events):
        event = Event(index, int(time), Kind(code), *map(int, rest))
        if landed and event.kind not in _SAME_LANDING:
            table.jokers_take_ranks(sorted(landed))
            landed.clear()
        if event.kind == Kind.RESTART and event.number == Reason.LOCKED and table.tops_equal():
            return event.time
        table.apply(event)
        if event.kind in (*_LAID, *_FLIPS):
            landed.add(event.pile)
    return None


def _has_stress(rules: SheddingRules) -> bool:
    return rules.stress_on == StressOn.TOPS_EQUAL


def _stocks_are_flipped(rules: SheddingRules) -> bool:
    return rules.restart_source == RestartSource.STOCK


WAYS: tuple[Way, ...] = (
    Way(
        name="stuck_as_dealt",
        title="Stuck as dealt",
        meaning="The first two cards lie, and nobody has one that fits: the deal begins with a restart.",
        columns=lambda deals: deals["stalled_at_start"] > 0,
    ),
    Way(
        name="lock",
        title="Nobody can play",
        meaning="Nobody has a card to lay, a place to fill or cards to merge. All see it, count down, and flip.",
        columns=lambda deals: deals["stalled"] > 0,
    ),
    Way(
        name="flip_after_flip",
        title="Flip after flip",
        meaning="The new cards help nobody either, so that the next ones are flipped at once.",
        log=flip_after_flip,
    ),
    Way(
        name="one_stock_out",
        title="One stock is out",
        meaning="Cards must be flipped, and one player has none in his stock. Texts differ on what he does.",
        columns=lambda deals: deals["one_stock_empty"] > 0,
        possible=_stocks_are_flipped,
    ),
    Way(
        name="both_stocks_out",
        title="Both stocks are out",
        meaning="Nobody can play, and there is no card left to flip. Some texts have no rule for it.",
        columns=lambda deals: deals["both_stocks_empty"] > 0,
    ),
    Way(
        name="slap_winner_without_stock",
        title="Slap winner without a stock",
        meaning="The loser has taken the piles, new cards are due, and the winner has none to flip.",
        columns=lambda deals: deals["slap_winner_without_stock"] > 0,
        possible=_has_stress,
    ),
    Way(
        name="endless_both_empty",
        title="Both stocks are out, for ever",
        meaning="Each takes up the pile on his right, and the same cards come back: no card of them will ever fit, so "
        "the deal is drawn.",
        columns=lambda deals: (deals["drawn"] > 0) & (deals["both_stocks_empty"] > 0),
        possible=lambda rules: rules.restart_both_empty == BothEmpty.TAKE_RIGHT_PILE_SHUFFLE,
    ),
    Way(
        name="slap_missed_by_all",
        title="Everybody misses the slap",
        meaning="The tops are equal, nobody slaps, and nobody has a card to lay: stress goes by, and the game stalls.",
        log=slap_missed_by_all,
        possible=_has_stress,
    ),
    Way(
        name="restart_wanted",
        title="A restart by choice",
        meaning="A player who could lay a card wants new ones in the middle instead.",
        columns=lambda deals: deals["restarts"] > 0,
        possible=lambda rules: rules.restart_trigger == RestartTrigger.LOCKED_OR_DECLINED,
    ),
    Way(
        name="side_piles_out",
        title="The side piles are out",
        meaning="No card is left to flip, so the centre piles become the side piles.",
        columns=lambda deals: deals["side_piles_renewed"] > 0,
        possible=lambda rules: rules.restart_source == RestartSource.SIDE_PILES,
    ),
    Way(
        name="drawn_by_rule",
        title="A rule makes it a draw",
        meaning="Both stocks are out and the rules call it a draw, or as many cards are left on either side.",
        columns=lambda deals: (deals["drawn"] > 0) & (deals["both_stocks_empty"] > 0),
        possible=lambda rules: rules.restart_both_empty in (BothEmpty.DRAW, BothEmpty.FEWEST_CARDS_WINS),
    ),
    Way(
        name="deadlocked",
        title="The deal is dead",
        meaning="Nobody can move again, and no rule helps: the text is silent.",
        columns=lambda deals: deals["deadlocked"] > 0,
    ),
    Way(
        name="livelocked",
        title="The same positions for ever",
        meaning="Cards go round and round, and nothing is left that chance could change.",
        columns=lambda deals: deals["livelocked"] > 0,
    ),
    Way(
        name="cap",
        title="Stopped at the limit",
        meaning="The deal is longer than anybody would sit through: it is stopped at the limit of plays, and counted.",
        columns=lambda deals: deals["unfinished"] > 0,
    ),
)

"""Which checks are made: of everything, or quickly, or of some rules only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from stressim.errors import InputError, did_you_mean, one_of
from stressim.presets import preset_names
from stressim.verify import deals, small, stopping, streams, times
from stressim.verify.checks import Check
from stressim.verify.deals import Table

GROUPS = (
    times.TABLES,
    times.DRAWS,
    streams.GROUP,
    deals.SHUFFLES,
    deals.FACTS,
    deals.REFEREE,
    deals.SEATS,
    deals.RACES,
    small.GROUP,
    stopping.GROUP,
)
"""Groups of checks, in the order in which they are made; facts come from deals that are played for other groups too."""

MORE_RULES = (
    "swedish-low merge_equal_ranks=at_deal",
    "jass merge_equal_ranks=at_deal ace=low",
    "skat row_slots=4 ace=high",
    "swedish n_jokers=4",
    "swedish deal_mode=split_combined n_decks=2 row_slots=3 ace=low",
    "swedish deck=custom deck_ranks=5 deck_copies=6 row_slots=2",
    "swedish row_slots=5 equal_rank_playable=true",
    "james-bond n_players=3",
    "james-bond n_players=4",
    "james-bond n_players=6",
    "james-bond n_players=12",
    "james-bond n_decks=2 n_players=5",
    "james-bond deck=custom deck_ranks=3",
)
"""Rules beside the presets whose deals are held against exact values."""


@dataclass(frozen=True, kw_only=True)
class Size:
    """How many deals, draws and words checks rest on.

    Parameters
    ----------
    words
        Random words for each check of the streams.
    draws
        Times drawn from each table.
    shuffles
        Deals whose cards are looked at.
    deals, human_deals
        Deals of each rules, without a clock and with one.
    seats
        Deals of the rules in :data:`FULL_SEATS`, whatever the timing.
    logs
        Deals of each rules and timing that are judged.
    small
        Deals of each small deck that is solved whole.
    races, race_logs
        Deals for the ties of each rules, and deals whose first hands are looked at.
    stops
        Runs that end when an interval is narrow enough.
    brief
        Whether races and rules beside the presets are left to those in :data:`BRIEF_RULES`.
    """

    words: int
    draws: int
    shuffles: int
    deals: int
    human_deals: int
    seats: int
    logs: int
    small: int
    races: int
    race_logs: int
    stops: int
    brief: bool = False


FULL = Size(
    words=4_000_000,
    draws=1_000_000,
    shuffles=50_000,
    deals=1_000_000,
    human_deals=200_000,
    seats=10_000_000,
    logs=400,
    small=10_000_000,
    races=300_000,
    race_logs=3_000,
    stops=2_000,
)
QUICK = Size(
    words=200_000,
    draws=40_000,
    shuffles=2_000,
    deals=10_000,
    human_deals=2_000,
    seats=20_000,
    logs=8,
    small=20_000,
    races=5_000,
    race_logs=200,
    stops=40,
    brief=True,
)

BRIEF_RULES = ("swedish", "norwegian", "jass", "swedish-low merge_equal_ranks=at_deal", "james-bond n_players=3")
"""Rules whose races are checked quickly, and of those beside the presets whose deals are."""

FULL_SEATS = ("swedish", "james-bond")
"""Rules whose seats are held against each other with the most deals."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """A part of the plan.

    Parameters
    ----------
    title
        What is done, for who watches.
    groups
        Groups of the checks that it makes.
    make
        Makes them.
    plain
        Whether it is made by plain Python for the most part, which threads do not help.
    """

    title: str
    groups: frozenset[str]
    make: Callable[[], Iterator[Check]]
    plain: bool = False

    def checks(self, wanted: Sequence[str]) -> Iterator[Check]:
        """Make the checks of these groups; of all if none is named."""
        return (check for check in self.make() if not wanted or check.group in wanted)


def plan(
    size: Size, *, rules: Sequence[str] = (), only: Sequence[str] = (), seed: int = 1, jobs: int | None = None
) -> list[Step]:
    """Return the steps of a verification.

    Parameters
    ----------
    size
        How many deals.
    rules
        Rules that are checked, each with changed options behind its name; all presets and some more if none is named.
        With rules named, what no rules decide (streams, tables) is left out.
    only
        Groups of checks that are made; all if none is named.
    seed
        Of all deals and draws.
    jobs
        Threads.

    Raises
    ------
    InputError
        If there is no such group, or rules cannot be loaded.
    """
    for group in only:
        if group not in GROUPS:
            raise InputError(f"--only {group!r} must be {one_of(GROUPS)}{did_you_mean(group, GROUPS)}")
    for given in rules:
        _ = Table(given).loaded
    steps = [] if rules else list(_without_rules(size, seed, jobs))
    more = tuple(each for each in MORE_RULES if each in BRIEF_RULES or not size.brief)
    for each in rules or (*preset_names(), *more):
        races = bool(rules) or each in BRIEF_RULES or not size.brief
        steps += _with_rules(each, size, seed, jobs, races=races)
    games = tuple(map(Table, rules)) if rules else small.BRIEF_GAMES if size.brief else small.GAMES
    steps += [
        _step(small.GROUP, f"small deck {game}", small.small_checks, game, size.small, seed, jobs) for game in games
    ]
    return [step for step in steps if not only or step.groups & set(only)]


def _without_rules(size: Size, seed: int, jobs: int | None) -> Iterator[Step]:
    yield _step(times.TABLES, "tables of times", times.table_checks)
    yield _step(times.DRAWS, "draws of times", times.draw_checks, size.draws, seed)
    yield _step(streams.GROUP, "random streams", streams.stream_checks, size.words, seed)
    yield _step(stopping.GROUP, "runs that end by themselves", stopping.stopping_checks, size.stops, seed, jobs)


def _with_rules(rules: str, size: Size, seed: int, jobs: int | None, *, races: bool) -> Iterator[Step]:
    yield Step(
        title=f"shuffles of {rules}",
        groups=frozenset((deals.SHUFFLES,)),
        make=partial(deals.shuffle_checks, Table(rules), size.shuffles, seed),
        plain=True,
    )
    for timing in ("uniform", "human"):
        table = Table(rules, timing)
        n = size.seats if rules in FULL_SEATS else size.deals if timing == "uniform" else size.human_deals
        yield Step(
            title=f"deals of {table}",
            groups=frozenset((deals.FACTS, deals.SEATS)),
            make=partial(_played, table, n, seed, jobs),
        )
        yield Step(
            title=f"logs of {table}",
            groups=frozenset((deals.FACTS, deals.REFEREE)),
            make=partial(deals.log_checks, table, size.logs, seed),
            plain=True,
        )
    if races:
        yield _step(deals.RACES, f"races in {rules}", deals.race_checks, rules, size.races, size.race_logs, seed, jobs)


def _step(group: str, title: str, make: Callable[..., Iterator[Check]], *arguments: object) -> Step:
    return Step(title=title, groups=frozenset((group,)), make=partial(make, *arguments))


def _played(table: Table, n: int, seed: int, jobs: int | None) -> Iterator[Check]:
    result = table.play(n, seed, jobs)
    yield from deals.deal_checks(table, result)
    yield from deals.seat_checks(table, result)

"""The combinations of an explorer: which there are, which do not go together and why, and what decides each."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from stressim.errors import InputError, said_at
from stressim.estimates import is_known
from stressim.explorer.study import Choosing, ExplorerStudy, Game, Value
from stressim.metrics import Mean
from stressim.output.phrases import is_share
from stressim.simulate import behaviour_of
from stressim.workbench.compare import known_metrics
from stressim.workbench.variants import Given, Variant, is_player_change, make_variant

if TYPE_CHECKING:
    from stressim.family import Family
    from stressim.metrics import Metric

MOST_COMBINATIONS = 20_000
NEEDED = ("stalled", "stalls", "stall_share", "length_s", "win_skew")
"""Metrics of which the page's sentences are made, beside how deals end; a study's ``numbers`` need not name them."""

_LAYOUT = 2  # of the numbers kept of a combination; a change makes tables that are there start anew


@dataclass(frozen=True, kw_only=True)
class Combination:
    """A game with one value of each choice.

    Parameters
    ----------
    game
        Its number.
    values
        Number of the value of each choice.
    given
        What is played.
    reason
        Why it cannot be played; empty if it can.
    key
        Stands for all that decides its numbers; empty if it cannot be played.
    """

    game: int
    values: tuple[int, ...]
    given: Given = field(repr=False)
    reason: str = ""
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class Grid:
    """All combinations of a study.

    Parameters
    ----------
    study
        What was read.
    bases
        For each game, the values of all choices that leave it as it is.
    combinations
        Game by game, the slider changing fastest.
    metrics
        Those of the study's numbers, in its order, and then those that sentences need.
    """

    study: ExplorerStudy
    bases: tuple[tuple[int, ...], ...]
    combinations: tuple[Combination, ...]
    metrics: tuple[Metric, ...]

    @cached_property
    def playable(self) -> tuple[Combination, ...]:
        """The combinations that go together."""
        return tuple(one for one in self.combinations if not one.reason)

    def place_of(self, combination: Combination) -> str:
        """Return the study and a combination of it, as sentences name them."""
        chosen = [
            f"{choice.name}={choice.values[value].name}"
            for choice, value in zip(self.study.choices, combination.values, strict=True)
        ]
        game = self.study.games[combination.game].label
        return f"{_shown(self.study)}, game {game}, combination {' '.join(chosen)}"

    @property
    def family(self) -> Family:
        """The family of all games."""
        return self.base(0).family

    def base(self, game: int) -> Variant:
        """Return a game as it is."""
        return make_variant(_given(self.study.games[game]))


def make_grid(study: ExplorerStudy) -> Grid:
    """Make all combinations; playing starts from here.

    Raises
    ------
    InputError
        If a game or a value cannot be used, a game has a setting of its own that no value stands for, or games are of
        different families.
    """
    shown = _shown(study)
    size = len(study.games)
    for choice in study.choices:
        size *= len(choice.values)
    if size > MOST_COMBINATIONS:
        raise InputError(f"{shown}: {size:,} combinations are too many, at most {MOST_COMBINATIONS:,} are possible")
    originals = []
    for game in study.games:
        with said_at(f"{shown}, game {game.label}"):
            originals.append(make_variant(_given(game)))
    if len({original.family.name for original in originals}) > 1:
        raise InputError(f"{shown}: all games must be of one family")
    metrics = _metrics(study, originals, shown)
    bases = tuple(
        tuple(_base_value(game, original, choice, shown) for choice in study.choices)
        for game, original in zip(study.games, originals, strict=True)
    )
    _every_value_is_known(study, originals, shown)
    combinations = tuple(
        combination
        for game, original in enumerate(originals)
        for combination in _combinations(study, game, original, bases[game], metrics)
    )
    return Grid(study=study, bases=bases, combinations=combinations, metrics=metrics)


def decimals_of_metric(metric: Metric) -> int:
    """Return how many decimals a metric has on the page and in its table; of a share they are those of per cents."""
    if is_share(metric) or (isinstance(metric, Mean) and metric.quantiles):
        return 1
    return 2


def changes_of(choices: Sequence[Choosing], values: Sequence[int], base: Sequence[int]) -> list[str]:
    """Return the changes that values make to a game, those of its own values left out."""
    chosen = [choice.values[value] for choice, value, own in zip(choices, values, base, strict=True) if value != own]
    return [change for value in chosen for change in value.changes]


def arguments_of(value: Value) -> dict[str, list[str]]:
    """Return what gives a value to a command: its changes of rules and of players."""
    return {
        "sets": [change for change in value.changes if not is_player_change(change)],
        "players": [change for change in value.changes if is_player_change(change)],
    }


def _shown(study: ExplorerStudy) -> str:
    return f"explorer study {str(study.path)!r}"


def _given(game: Game) -> Given:
    return Given(rules=game.rules, sets=game.sets, players=game.players, folder=game.folder)


def _metrics(study: ExplorerStudy, originals: Sequence[Variant], shown: str) -> tuple[Metric, ...]:
    with said_at(shown):
        named = known_metrics(originals, study.numbers, "numbers")
    by_name = {metric.name: metric for metric in originals[0].family.metrics}
    needed = [by_name[name] for name in NEEDED if name in by_name]
    if len(needed) < len(NEEDED):
        raise InputError(f"{shown}: a page needs the metrics {', '.join(NEEDED)}")
    return tuple(dict.fromkeys([*named, *needed]))


def _base_value(game: Game, original: Variant, choice: Choosing, shown: str) -> int:
    """Return which value leaves a game as it is."""
    for number, value in enumerate(choice.values):
        try:
            changed = make_variant(_given(game).changed(value.changes))
        except InputError:
            continue
        if _played(changed) == _played(original):
            return number
    raise InputError(
        f"{shown}, choice {choice.name}: no value leaves {game.label!r} as it is; add the one that this game has"
    )


def _every_value_is_known(study: ExplorerStudy, originals: Sequence[Variant], shown: str) -> None:
    """Refuse a value that no game takes: a slip of the pen, and no combination that does not go together."""
    for choice in study.choices:
        for value in choice.values:
            refusals = []
            for game in study.games:
                try:
                    make_variant(_given(game).changed(value.changes))
                except InputError as error:
                    refusals.append(str(error))
            if len(refusals) == len(originals):
                with said_at(f"{shown}, choice {choice.name}, value {value.name}"):
                    raise InputError(refusals[0])


def _combinations(
    study: ExplorerStudy, game: int, original: Variant, base: tuple[int, ...], metrics: Sequence[Metric]
) -> Iterator[Combination]:
    of_base = _digest(_played(original))
    kept = ",".join(f"{metric.name}:{decimals_of_metric(metric)}" for metric in metrics)
    about = f"{_LAYOUT} {study.deals} {study.seed} {original.family.name} {behaviour_of(original.family)} {kept}"
    start = _given(study.games[game])
    for values in itertools.product(*(range(len(choice.values)) for choice in study.choices)):
        given = start.changed(changes_of(study.choices, values, base))
        try:
            variant = make_variant(given)
        except InputError as error:
            yield Combination(game=game, values=values, given=given, reason=_reason(error, given))
            continue
        if missing := [
            metric.name for metric in metrics if not is_known(metric, clock=True, n_players=_seats(variant))
        ]:
            yield Combination(game=game, values=values, given=given, reason=f"{missing[0]} needs more players")
            continue
        # The lowered record of thousands of combinations would fill memory; it is made again to be played.
        key = _digest(about.encode() + of_base.encode() + _played(variant))
        yield Combination(game=game, values=values, given=given, key=key)


def _reason(error: InputError, given: Given) -> str:
    """Return what is wrong without the list of changes that the error begins with: the page shows them."""
    text = str(error)
    return text.partition(": ")[2] if text.startswith(f"{given.rules} with ") else text


def _seats(variant: Variant) -> int:
    return len(variant.players)


def _played(variant: Variant) -> bytes:
    """Return all that a kernel reads: two variants with the same play the same deals in the same way."""
    lowered = variant.lowered
    return b"".join([lowered.rules.tobytes(), lowered.players.tobytes(), lowered.tables.tobytes()])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]

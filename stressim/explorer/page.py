"""The explorer's page: one HTML file with the numbers of all combinations in it, and nothing beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from stressim._version import __version__
from stressim.explorer.grid import arguments_of, decimals_of_metric
from stressim.explorer.packing import ALPHABET, ESCAPE, pack
from stressim.explorer.playing import WIDTHS
from stressim.outcomes import Outcome
from stressim.output.phrases import is_share
from stressim.pictures import variables
from stressim.presets import is_preset
from stressim.simulate import behaviour_of

if TYPE_CHECKING:
    from stressim.explorer.grid import Grid
    from stressim.explorer.playing import Number, Played
    from stressim.explorer.study import Game
    from stressim.explorer.table import Explored

STALLS_STEP = 5
"""Thousandths to which shares of deals by their stalls are rounded on the page: less than chance moves them."""

NO_LIMITS, NOTHING = -1, -2
"""What stands for a distance to a limit where there is no limit, and where there is no number at all."""


def explorer_page(explored: Explored, table: str) -> str:
    """Return the page.

    Parameters
    ----------
    explored
        All that has been played; nothing may be missing.
    table
        Where the table lies, as seen from the page.
    """
    from markupsafe import Markup

    grid = explored.grid
    page: str = (
        environment()
        .get_template("explorer.html.j2")
        .render(
            study=grid.study,
            intro=[" ".join(part.split()) for part in re.split(r"\n\s*\n", grid.study.intro)],
            numbers=[metric.name for metric in grid.metrics],
            table=table,
            light=Markup(variables("light")),
            dark=Markup(variables("dark")),
            n_combinations=len(grid.playable),
            version=__version__,
            behaviour=behaviour_of(grid.family),
            family=grid.family.name,
            data=Markup(_json(page_data(explored))),
        )
    )
    return page


def environment() -> Any:
    """Return what fills in this package's templates: escaping, and strict about names."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    folder = files("stressim.explorer").joinpath("templates")
    return Environment(
        loader=FunctionLoader(lambda name: folder.joinpath(name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _json(data: dict[str, Any]) -> str:
    # A script ends at "</", wherever it stands.
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("</", "<\\/")


def page_data(explored: Explored) -> dict[str, Any]:
    """Return what the page's script reads."""
    grid = explored.grid
    study = grid.study
    reasons: dict[str, int] = {}
    broken = [reasons.setdefault(one.reason, len(reasons) + 1) if one.reason else 0 for one in grid.combinations]
    return {
        "deals": study.deals,
        "alphabet": ALPHABET,
        "escape": ESCAPE,
        "step": STALLS_STEP,
        "widths": WIDTHS,
        "endings": _endings(grid),
        "games": [
            {
                "label": game.label,
                "command": grid.base(number).given.invocation(study.deals, study.seed).line("simulate"),
                "base": grid.bases[number],
                "own": _own(game),
                "file": not is_preset(game.rules),
            }
            for number, game in enumerate(study.games)
        ],
        "choices": [
            {
                "name": choice.name,
                "ask": choice.ask,
                "slider": choice.slider,
                "values": [{"name": value.name, "say": value.say, **arguments_of(value)} for value in choice.values],
            }
            for choice in study.choices
        ],
        "numbers": [
            {
                "name": metric.name,
                "unit": metric.unit,
                "meaning": metric.meaning,
                "share": is_share(metric),
                "decimals": decimals_of_metric(metric),
            }
            for metric in grid.metrics
        ],
        "reasons": list(reasons),
        "broken": pack(broken, _lags(grid)),
        "columns": [pack(column, _lags(grid)) for column in columns_of(explored)],
    }


def _own(game: Game) -> str:
    """Return the word for where a game's rules stand as they are: a preset's text, a file of the user's, the study."""
    if game.sets or game.players:
        return "study"
    return "text" if is_preset(game.rules) else "file"


def _endings(grid: Grid) -> list[dict[str, Any]]:
    """Return the ways in which a deal ends without a winner, what the family says of each, and its number's place."""
    places = [metric.name for metric in grid.metrics]
    meanings = {metric.name: metric.meaning for metric in grid.family.metrics}
    said = [(outcome.word, meanings[outcome.word].removesuffix(".")) for outcome in Outcome if outcome != Outcome.WON]
    return [
        {
            "name": name,
            "why": meaning[0].lower() + meaning[1:],
            "number": places.index(name) if name in places else None,
        }
        for name, meaning in said
    ]


def _lags(grid: Grid) -> list[int]:
    """How far back a combination lies that differs in one choice alone."""
    lags = [1]
    for choice in reversed(grid.study.choices):
        lags.append(lags[-1] * len(choice.values))
    return lags


def _bases_of_rows(explored: Explored) -> list[Played]:
    """Return for each row what its game comes to as it is."""
    grid = explored.grid
    bases = {one.game: explored.played[one.key] for one in grid.playable if one.values == grid.bases[one.game]}
    return [bases[one.game] for one in grid.playable]


def columns_of(explored: Explored) -> list[list[int]]:
    """Return the columns of the page, in the order in which its script reads them.

    Numbers that go together are kept as their distances, which are small.
    """
    grid = explored.grid
    places = [
        *(ending["number"] for ending in _endings(grid)),
        [metric.name for metric in grid.metrics].index("stalled"),
    ]
    rows = [
        _row(played, base, places, grid.study.deals)
        for played, base in zip(explored.rows, _bases_of_rows(explored), strict=True)
    ]
    return [list(column) for column in zip(*rows, strict=True)]


def _row(played: Played, base: Played, places: Sequence[int | None], deals: int) -> list[int]:
    counts = (*played.endings[1:], played.stalled)
    return [
        played.n_players,
        int(played.alike),
        played.median - played.dots[9],
        played.most - played.dots[18],
        *_limits(*played.first),
        *(part for pair in zip(played.numbers, base.numbers, strict=True) for part in _number(*pair)),
        *_distances(played.dots),
        *(count - _expected(played, place, deals) for count, place in zip(counts, places, strict=True)),
        WIDTHS.index(played.stalls_width),
        *_distances([(2 * share + STALLS_STEP) // (2 * STALLS_STEP) for share in played.stalls]),
    ]


def _expected(played: Played, place: int | None, deals: int) -> int:
    """Return about how many deals there are of a share that is, in thousandths, one of the numbers; 0 if it is none."""
    share = 0 if place is None else played.numbers[place].value or 0
    return (share * deals + 500) // 1000


def _number(number: Number, base: Number) -> Iterator[int]:
    yield from _limits(number.value, number.low, number.high)
    expected = (number.value or 0) - (base.value or 0)
    change, low, high = _limits(number.change, number.change_low, number.change_high)
    yield from (change - expected if number.change is not None else 0, low, high)


def _limits(value: int | None, low: int | None, high: int | None) -> tuple[int, int, int]:
    """Return a number, how far its lower limit lies below it, and how much farther the upper one lies above it."""
    if value is None:
        return 0, NOTHING, 0
    if low is None or high is None:
        return value, NO_LIMITS, 0
    return value, value - low, (high - value) - (value - low)


def _distances(numbers: Sequence[int]) -> list[int]:
    return [number - before for number, before in zip(numbers, (0, *numbers[:-1]), strict=True)]

"""A sweep as people and programs read it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from stressim.optiontext import idle_text
from stressim.output.machine import USUAL_CONFIDENCE
from stressim.output.phrases import confidence_text, escaped, is_share, joined, number_and_interval
from stressim.output.text import WIDTH, Line, command_lines
from stressim.simulate import behaviour_of
from stressim.workbench.remarks import idle_options, is_same_game, wait_texts
from stressim.workbench.telling import paragraph, sentence, wrapped_facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stressim.metrics import Metric
    from stressim.workbench.sweep import Record, Sweep

SHOWN = ("stalls", "length_s", "moves", "won")
MOST_SHOWN = 3
"""Metrics in the table of the text; all are in CSV and JSON."""


def render(sweep: Sweep, *, elapsed: float | None = None) -> list[Line]:
    """Say a sweep in lines of at most 78 columns (a command alone on its line may be longer)."""
    axes = " × ".join(f"{len(axis.values)} values of {axis.name}" for axis in sweep.axes)
    facts = [
        f"{sweep.base.label}: {axes}",
        f"{sweep.base.timing.word} timing",
        f"{sweep.deals:,} deals each of the same cards",
        f"seed {sweep.seed}",
        *([] if elapsed is None else [f"{elapsed:.1f} s"]),
    ]
    lines = [*wrapped_facts(facts), Line("")]
    shown = shown_metrics(sweep)
    if sweep.points:
        for metric in shown:
            lines += sentence(metric.name, _range_text(sweep, metric))
        lines += [Line(""), *_table(sweep, shown), Line("")]
    if sweep.n_resumed:
        lines.append(Line(f"  {sweep.n_resumed} of {len(sweep.points)} points were there already."))
    for text in _remarks(sweep):
        lines += paragraph(text)
    again = command_lines("Again:", f"{sweep_command(sweep)} --deals {sweep.deals} --seed {sweep.seed}")
    return [*lines, *again]


def _remarks(sweep: Sweep) -> Iterator[str]:
    """Say which points are the rules and players as they are, what does nothing, and how long rules wait."""
    same = [_place(sweep, n) for n, point in enumerate(sweep.points) if is_same_game(point.variant, sweep.base)]
    if same:
        yield f"{joined(same)} {'is' if len(same) == 1 else 'are'} {sweep.base.label} as it is."
    idle: dict[str, str] = {}
    for point in sweep.points:
        idle |= idle_options(point.variant, sweep.base)
    if idle:
        yield f"{idle_text(idle)}."
    # Times that are varied stand in the table; that one of them is a guess does not.
    for text in wait_texts([point.variant for point in sweep.points]):
        varied = next((axis.name for axis in sweep.axes if f"({axis.name}" in text), "")
        if not varied:
            yield text
        elif f"({varied}, a guess)" in text:
            yield f"Of the values of {varied}, that of the rules themselves is a guess."


def shown_metrics(sweep: Sweep) -> list[Metric]:
    """Return the metrics of the text's table."""
    if sweep.on:
        return list(sweep.metrics)[:MOST_SHOWN]
    names = [metric.name for metric in sweep.metrics]
    wanted = [name for name in SHOWN if name != "moves" or "length_s" not in names]
    return [metric for metric in sweep.metrics if metric.name in wanted][:MOST_SHOWN]


def _range_text(sweep: Sweep, metric: Metric) -> str:
    found = [(sweep.estimate(place, metric.name), place) for place in range(len(sweep.points))]
    known = [(record, place) for record, place in found if record is not None]
    if not known:
        return "no deal to rest on."
    low = min(known, key=lambda one: float(one[0]["estimate [unit]"]))
    high = max(known, key=lambda one: float(one[0]["estimate [unit]"]))
    unit = "" if is_share(metric) else f" {metric.unit}"
    if low[0]["estimate [unit]"] == high[0]["estimate [unit]"]:
        return f"{_number(sweep, metric, low[0])[0]}{unit} at each of them."
    said = [f"{_number(sweep, metric, one[0])[0]}{unit} at {_place(sweep, one[1])}" for one in (low, high)]
    return f"from {said[0]} to {said[1]}."


def _place(sweep: Sweep, point: int) -> str:
    return " ".join(f"{axis.name}={value}" for axis, value in zip(sweep.axes, sweep.points[point].values, strict=True))


def _number(sweep: Sweep, metric: Metric, record: Record) -> tuple[str, str]:
    interval = confidence_text(sweep.confidence)
    low, high = record[f"low [unit, {interval}]"], record[f"high [unit, {interval}]"]
    return number_and_interval(metric, record["estimate [unit]"], low, high)


def _table(sweep: Sweep, shown: Sequence[Metric]) -> Iterator[Line]:
    widths = [max([len(axis.name), *map(len, axis.values)]) + 2 for axis in sweep.axes]
    # Values of the axes come first; a metric for which there is no room is left to CSV and JSON.
    room = max(1, (WIDTH - 2 - sum(widths)) // 24)
    shown, left_out = shown[:room], shown[room:]
    head = "".join(f"{axis.name:{width}}" for axis, width in zip(sweep.axes, widths, strict=True))
    yield Line(f"  {head}" + "".join(f"{metric.name:>8}{'':16}" for metric in shown).rstrip(), "heading")
    for place, point in enumerate(sweep.points):
        text = "".join(f"{value:{width}}" for value, width in zip(point.values, widths, strict=True))
        for metric in shown:
            record = sweep.estimate(place, metric.name)
            number, interval = ("", "") if record is None else _number(sweep, metric, record)
            text += f"{number:>8}{f' ({interval})' if interval else '':16}"
        yield Line(f"  {text}".rstrip(), "row")
    if left_out:
        yield Line(f"  No room here for {joined([metric.name for metric in left_out])}: --format csv has every number.")


def sweep_command(sweep: Sweep) -> str:
    """Return the command that gives the sweep, without deals and seed."""
    words = [sweep.base.given.invocation(1, 1).line("sweep", counts=False)]
    for axis in sweep.axes:
        words += ["--vary", shlex.quote(f"{axis.name}={','.join(axis.values)}")]
    for name in sweep.on:
        words += ["--on", name]
    if sweep.confidence != USUAL_CONFIDENCE:
        words += ["--confidence", f"{sweep.confidence:g}"]
    return " ".join(words)


def sweep_dict(sweep: Sweep) -> dict[str, Any]:
    """Return the JSON object of a sweep."""
    base = sweep.base
    unusual = {} if sweep.confidence == USUAL_CONFIDENCE else {"confidence": sweep.confidence}
    interval = confidence_text(sweep.confidence)
    return {
        "rules": base.rules.options.model_dump(mode="json"),
        "rules_hash": base.rules.rules_hash,
        "timing": base.timing.word,
        "seed": sweep.seed,
        "deals": sweep.deals,
        "behaviour": behaviour_of(base.family),
        **unusual,
        "vary": {axis.name: list(axis.values) for axis in sweep.axes},
        "points": [
            {
                "values": dict(zip((axis.name for axis in sweep.axes), point.values, strict=True)),
                "key": point.key,
                "metrics": {
                    record["metric"]: {
                        "estimate": record["estimate [unit]"],
                        "low": record[f"low [unit, {interval}]"],
                        "high": record[f"high [unit, {interval}]"],
                        "unit": record["unit"],
                    }
                    for record in records
                    if record["quantile"] == ""
                },
            }
            for point, records in zip(sweep.points, sweep.records, strict=True)
        ],
    }


def to_markdown(sweep: Sweep) -> str:
    """Return a table in markdown, with numbers as people read them."""
    names = [axis.name for axis in sweep.axes]
    shown = list(sweep.metrics) if sweep.on else shown_metrics(sweep)
    facts = f"{sweep.base.timing.word} timing, {sweep.deals:,} deals each of the same cards, seed {sweep.seed}"
    lines = [
        f"**{escaped(sweep.base.label)}**: {facts}; with {confidence_text(sweep.confidence)}s",
        "",
        "| " + " | ".join([*map(escaped, names), *(metric.name for metric in shown)]) + " |",
        "| " + " | ".join([*(":--" for _ in names), *("--:" for _ in shown)]) + " |",
    ]
    for place, point in enumerate(sweep.points):
        cells = [escaped(value) for value in point.values]
        for metric in shown:
            record = sweep.estimate(place, metric.name)
            cells.append("" if record is None else "{} ({})".format(*_number(sweep, metric, record)))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"

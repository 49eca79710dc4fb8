"""A result for programs: JSON, CSV, markdown and a table in memory. The same bytes for any number of jobs."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from stressim.output.phrases import confidence_text, escaped, number_and_interval, quantile_and_interval
from stressim.output.sentences import against

if TYPE_CHECKING:
    import pandas as pd

    from stressim.estimates import Estimate
    from stressim.simulate import Result

USUAL_CONFIDENCE = 0.95


def as_dict(result: Result) -> dict[str, Any]:
    """Return the JSON object: everything that gives the result again, and the metrics.

    Limits are null where there are too few deals for them. A quantile that lies among deals that were stopped, or
    among lengths that are too long to be told apart, is null and so is its upper limit: it is more than its lower one.
    ``confidence`` is there when it is not 0.95.
    """
    unusual = {} if result.confidence == USUAL_CONFIDENCE else {"confidence": result.confidence}
    metrics = {name: _metric(estimate) for name, estimate in result.estimates.items()}
    return {**result.manifest, **unusual, "metrics": metrics}


def _metric(estimate: Estimate) -> dict[str, Any]:
    found: dict[str, Any] = {"estimate": estimate.estimate, "low": estimate.low, "high": estimate.high}
    if estimate.quantiles:
        found["sd"] = estimate.sd
        found["quantiles"] = {str(q): part.estimate for q, part in estimate.quantiles.items()}
        found["quantile_intervals"] = {str(q): [part.low, part.high] for q, part in estimate.quantiles.items()}
    return found | {"unit": estimate.metric.unit}


def to_json(result: Result) -> str:
    """Return the JSON object as text."""
    return json.dumps(as_dict(result), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def records(result: Result) -> list[dict[str, Any]]:
    """Return one record for each metric and, after it, one for each of its quantiles.

    Keys name the units: numbers are in the unit of the record, and a share is a number from 0 to 1.
    """
    interval = confidence_text(result.confidence)
    found = []
    for estimate in result.estimates.values():
        metric = estimate.metric
        rows: list[tuple[str, float | None, float | None, float | None, float | None]]
        rows = [("", estimate.estimate, estimate.low, estimate.high, estimate.sd)]
        rows += [(str(q), part.estimate, part.low, part.high, None) for q, part in estimate.quantiles.items()]
        found += [
            {
                "metric": metric.name,
                "quantile": quantile,
                "estimate [unit]": number,
                f"low [unit, {interval}]": low,
                f"high [unit, {interval}]": high,
                "sd [unit]": sd,
                "unit": metric.unit,
                "n [deals]": estimate.n,
            }
            for quantile, number, low, high, sd in rows
        ]
    return found


def frame(result: Result) -> pd.DataFrame:
    """Return the records as a pandas table."""
    import pandas as pd  # takes 0.4 s, and text and JSON do without

    return pd.DataFrame.from_records(records(result))


def to_csv(result: Result) -> str:
    """Return the records as CSV with Unix line ends; what is unknown is empty."""
    rows = records(result)
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def to_markdown(result: Result) -> str:
    """Return a heading and a table in markdown, with numbers as people read them."""
    players = against(result.players)
    facts = f"{players}, {result.timing.word} timing, {result.deals:,} deals, seed {result.seed}"
    lines = [
        f"**{escaped(result.rules.heading)}**: {escaped(facts)}",
        "",
        f"| number | estimate | {confidence_text(result.confidence)} | unit |",
        "| :-- | --: | :-- | :-- |",
    ]
    for estimate in result.estimates.values():
        metric = estimate.metric
        rows = [("", *number_and_interval(metric, estimate.estimate, estimate.low, estimate.high))]
        rows += [(f" {q} quantile", *quantile_and_interval(metric, part)) for q, part in estimate.quantiles.items()]
        lines += [f"| {metric.name}{name} | {shown} | {interval} | {metric.unit} |" for name, shown, interval in rows]
    return "\n".join(lines) + "\n"

"""A comparison for programs: JSON, CSV, markdown. The same bytes for any number of jobs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stressim.output.machine import USUAL_CONFIDENCE, as_dict
from stressim.output.phrases import confidence_text, escaped, of_100
from stressim.workbench.phrases import change_and_interval, number_text, relative_text
from stressim.workbench.quantiles import quantile_differences
from stressim.workbench.variants import common_text

if TYPE_CHECKING:
    from stressim.workbench.compare import Comparison, Flips
    from stressim.workbench.differences import Difference
    from stressim.workbench.quantiles import QuantileDifference


def comparison_dict(comparison: Comparison) -> dict[str, Any]:
    """Return the JSON object of a comparison: what gives it again, both results, and every difference."""
    unusual = {} if comparison.confidence == USUAL_CONFIDENCE else {"confidence": comparison.confidence}
    about = comparison.manifest
    for variant, result in zip(about["variants"], comparison.results, strict=True):
        variant["metrics"] = as_dict(result)["metrics"]
    return {
        **about,
        **unusual,
        "reference": comparison.reference.label,
        "any_time": comparison.look.any_time,
        "comparisons": comparison.n_tests,
        "other_reflexes": flips_dict(comparison.baseline),
        "against_reference": [
            {
                "variant": variant.label,
                "outcome_flips": flips_dict(flips),
                "differences": {one.metric.name: difference_dict(one) for one in found},
                "quantiles": quantiles_dict(quantiles),
            }
            for variant, flips, found, quantiles in zip(
                comparison.variants[1:],
                comparison.flips,
                comparison.differences,
                quantile_differences(comparison),
                strict=True,
            )
        ],
    }


def flips_dict(flips: Flips) -> dict[str, Any]:
    """Return how many deals end otherwise, in plain values."""
    low, high = flips.interval
    return {"share": flips.share, "low": low, "high": high, "deals": flips.n_deals}


def quantiles_dict(found: Sequence[QuantileDifference]) -> dict[str, dict[str, Any]]:
    """Return differences of quantiles in plain values: by metric, by the share of deals at or below.

    A quantile that is only known to be more than a number is null, and so is its difference.
    """
    told: dict[str, dict[str, Any]] = {}
    for one in found:
        told.setdefault(one.metric.name, {})[str(one.share)] = {
            "reference": one.reference.estimate,
            "value": one.value.estimate,
            "difference": one.difference,
            "low": one.low,
            "high": one.high,
            "relative": one.relative,
            "unit": one.metric.unit,
        }
    return told


def difference_dict(one: Difference) -> dict[str, Any]:
    """Return a difference in plain values."""
    return {
        "reference": one.reference,
        "value": one.value,
        "difference": one.difference,
        "low": one.low,
        "high": one.high,
        "relative": one.relative,
        "relative_low": one.relative_low,
        "relative_high": one.relative_high,
        "unit": one.metric.unit,
        "p": one.p,
        "corrected_p": one.corrected_p,
        "test": one.test,
        "verdict": one.verdict,
        "correlation": one.correlation,
        "deals_to_tell": one.deals_to_tell,
    }


def to_json(value: Mapping[str, Any]) -> str:
    """Return a JSON object as text."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def records(comparison: Comparison) -> list[dict[str, Any]]:
    """Return one record for each variant and metric; keys name the units, a share is a number from 0 to 1."""
    interval = confidence_text(comparison.confidence)
    return [
        {
            "variant": variant.label,
            "reference": comparison.reference.label,
            "metric": one.metric.name,
            "reference [unit]": one.reference,
            "variant [unit]": one.value,
            "difference [unit]": one.difference,
            f"low [unit, {interval}]": one.low,
            f"high [unit, {interval}]": one.high,
            "relative [of reference]": one.relative,
            f"relative low [of reference, {interval}]": one.relative_low,
            f"relative high [of reference, {interval}]": one.relative_high,
            "unit": one.metric.unit,
            "verdict": one.verdict,
            "p": one.p,
            "corrected p": one.corrected_p,
            "test": one.test,
            "correlation": one.correlation,
            "deals to tell [deals]": one.deals_to_tell,
            "n [deals]": comparison.deals,
        }
        for variant, found in zip(comparison.variants[1:], comparison.differences, strict=True)
        for one in found
    ]


def to_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return records as CSV with Unix line ends; what is unknown is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def to_markdown(comparison: Comparison) -> str:
    """Return a heading and a table in markdown for each variant, with numbers as people read them."""
    lines = []
    facts = f"{comparison.deals:,} deals each of the same cards, seed {comparison.seed}"
    if common := common_text(comparison.variants):
        facts = f"{escaped(common)}, {facts}"
    for variant, flips, found in zip(comparison.variants[1:], comparison.flips, comparison.differences, strict=True):
        names = [escaped(comparison.reference.label), escaped(variant.label)]
        ends = f"{of_100(flips.share)} deals end otherwise"
        by_chance = f"with other reflexes alone: {of_100(comparison.baseline.share)}"
        interval = confidence_text(comparison.confidence)
        lines += [
            f"**{names[1]}** against **{names[0]}**: {variant.timing.word} timing, {facts}; {ends} ({by_chance})",
            "",
            f"| number | {names[0]} | {names[1]} | difference | {interval} | relative | verdict |",
            "| :-- | --: | --: | --: | :-- | --: | :-- |",
        ]
        for one in found:
            change, interval = change_and_interval(one)
            lines.append(
                f"| {one.metric.name} | {number_text(one, one.reference)} | {number_text(one, one.value)} | {change} | "
                f"{interval} | {relative_text(one)} | {one.verdict} |"
            )
        lines.append("")
    return "\n".join(lines)

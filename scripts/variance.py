"""Say what pairing deals achieves, and how much of a deal its cards decide: ``python scripts/variance.py``.

For each comparison of the committed studies: the variance of a difference from independent deals over that from the
same deals, that is how many times as many deals would be needed without pairing. Then, for preset swedish, the share
of a deal's variance that its cards explain (the correlation of two deals with the same cards and other reflexes): no
stratification of the cards dealt can save more than that share.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from stressim.lowering import Lowered
from stressim.report.study import Question, read_study
from stressim.workbench.variants import Variant, read_variants

STUDIES = Path(__file__).parents[1] / "reports"
COLUMNS = ("won", "deadlocked", "win_1", "stalls", "stresses", "moves", "length_us")


@click.command()
@click.option("--deals", default=20_000, show_default=True, help="Deals of each variant.")
def main(deals: int) -> None:
    """Print both tables."""
    click.echo(f"{deals:,} deals of seed 1; variance independent / paired\n")
    click.echo(f"{'study, question: variant':58}" + "".join(f"{name:>11}" for name in COLUMNS))
    for path in sorted(STUDIES.glob("*.toml")):
        for question in read_study(path).questions:
            if question.kind == "compare":
                _of_question(path.stem, question, deals)
    (swedish,) = read_variants(["swedish"])
    one, other = (_rows(swedish, what, deals) for what in (swedish.lowered, swedish.with_other_reflexes))
    click.echo(f"\n{'swedish: share of the variance that the cards explain':58}" + _line(one, other, _correlation))


def _of_question(study: str, question: Question, deals: int) -> None:
    base, *others = read_variants(
        question.texts("variants"), sets=question.sets, players=question.players, timing=question.timing
    )
    reference = _rows(base, base.lowered, deals)
    for variant in others:
        label = f"{study}, {question.name}: {variant.label}"
        click.echo(f"{label[:57]:58}" + _line(reference, _rows(variant, variant.lowered, deals), _gain))


def _rows(variant: Variant, lowered: Lowered, deals: int) -> dict[str, npt.NDArray[np.int64]]:
    rows = np.zeros((deals, len(variant.family.columns)), dtype=np.int64)
    variant.family.play_deals(lowered, 1, 0, rows)
    return {column.name: rows[:, i] for i, column in enumerate(variant.family.columns)}


def _line(one: dict[str, npt.NDArray[np.int64]], other: dict[str, npt.NDArray[np.int64]], of: Any) -> str:
    told = (of(one[name], other[name]) if name in one and name in other else None for name in COLUMNS)
    return "".join(f"{'' if value is None else f'{value:.2f}':>11}" for value in told)


def _gain(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> float | None:
    paired = float((one - other).var())
    return (float(one.var()) + float(other.var())) / paired if paired else None


def _correlation(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> float | None:
    return float(np.corrcoef(one, other)[0, 1]) if one.var() and other.var() else None


if __name__ == "__main__":
    main()

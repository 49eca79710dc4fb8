"""How much of who wins lies in the cards: the same cards, played twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stressim.intervals import six_digits, wilson, z_value
from stressim.output.phrases import percent, share_text
from stressim.report.forest import Bar, forest_figure
from stressim.workbench.together import check_run, count_deals, play_rows
from stressim.workbench.variants import Variant

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from stressim.report.study import Question

from stressim.report.answer import (
    CONFIDENCE,
    Answer,
    Table,
    compare_command,
    facts_of,
    figure_of,
    named_one,
    simulate_command,
    variants_of,
)


@dataclass(frozen=True)
class _Again:
    """How often the same cards, played again with other reflexes, have the same winner."""

    n_deals: int
    both_won: int
    same: int

    def __add__(self, other: _Again) -> _Again:
        return _Again(self.n_deals + other.n_deals, self.both_won + other.both_won, self.same + other.same)


def answer_luck(question: Question, seed: int, jobs: int | None) -> Answer:
    """Play the same cards twice and see how often the winner is the same."""
    variants = variants_of(question)
    found = {variant.label: _played_again(variant, question.deals, seed, jobs) for variant in variants}
    records, rows = [], []
    for label, again in found.items():
        low, high = wilson(again.same, again.both_won, z_value(CONFIDENCE))
        share = again.same / again.both_won if again.both_won else 0.0
        records.append(
            {
                "variant": label,
                "same winner [of deals won twice]": six_digits(share),
                "low [95 % interval]": None if low is None else six_digits(low),
                "high [95 % interval]": None if high is None else six_digits(high),
                "won twice [deals]": again.both_won,
                "n [deals]": again.n_deals,
            }
        )
        rows.append((label, _again_text(again), f"{again.both_won:,}"))
    return Answer(
        question=question,
        records=records,
        table=Table(
            caption=f"{question.ask} The same cards are played twice, the second time with other reflexes.",
            heads=("players", "same winner, % of deals won twice", "deals won twice"),
            rows=tuple(rows),
        ),
        draw=figure_of(question, lambda: _luck_figure(question, found, seed)),
        commands=(compare_command(question, seed),)
        if len(variants) > 1
        else (simulate_command(variants[0], question, seed),),
        facts=facts_of(question, seed),
        calls={"same": lambda label: _again_text(named_one(found, label, question))},
    )


def _played_again(variant: Variant, deals: int, seed: int, jobs: int | None) -> _Again:
    family, seats = variant.family, len(variant.players)
    names = [column.name for column in family.columns]
    wins = [names.index(f"win_{seat}") for seat in range(1, seats + 1)]
    lowered = variant.lowered, variant.with_other_reflexes

    def count(first: int, last: int) -> _Again:
        one, two = (play_rows(family, how, seed, first, last)[:, wins] for how in lowered)
        both = (one.any(axis=1)) & (two.any(axis=1))
        same = both & (one == two).all(axis=1)
        return _Again(last - first, int(both.sum()), int(same.sum()))

    return count_deals(count, deals, check_run(deals, seed, jobs))[0]


def _again_text(again: _Again) -> str:
    low, high = wilson(again.same, again.both_won, z_value(CONFIDENCE))
    if low is None or high is None:
        return "–"
    share = again.same / again.both_won
    return f"{percent(share, 1)} ({share_text(low, 1)} to {share_text(high, 1)})"


def _luck_figure(question: Question, found: Mapping[str, _Again], seed: int) -> Figure:
    bars = []
    for label, again in found.items():
        low, high = wilson(again.same, again.both_won, z_value(CONFIDENCE))
        if low is not None and high is not None:
            value = 100 * again.same / again.both_won - 50
            bars.append(Bar(label, value, 100 * low - 50, 100 * high - 50, f"{value + 50:.1f} %", True))
    note = "Nought is what chance alone gives two equal players. Dots are estimates, lines their 95 % intervals."
    axis = "same winner again, percentage points above one half"
    return forest_figure(question.ask, facts_of(question, seed), axis, bars, note)

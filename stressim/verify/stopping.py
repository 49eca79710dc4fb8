"""Whether intervals hold what they promise where a run ends when they are narrow enough."""

from __future__ import annotations

from collections.abc import Iterator

from stressim.simulate import simulate
from stressim.targets import parse
from stressim.verify.checks import About, Check
from stressim.verify.deals import Table

GROUP = "stopping"

TARGETS = (("swedish", "stress_at_first_flip", "8%"), ("skat", "stalled_at_start", "0.004"))
"""Rules, a number that is known exactly, and how well a run shall know it."""

_MOST = 10**7
_CONFIDENCE = 0.95


def stopping_checks(n: int, seed: int, jobs: int | None) -> Iterator[Check]:
    """Run ``n`` times until a number is known well enough, and count the intervals that hold its exact value."""
    for rules, name, width in TARGETS:
        table = Table(rules)
        loaded = table.loaded
        target = parse(f"{name}=±{width}", loaded.family, clock=False)
        quantities = loaded.family.deal_facts.quantities(loaded.options)
        exact = next(float(each.value) for each in quantities if each.column == name and each.value is not None)
        held = 0
        for run in range(n):
            result = simulate(
                loaded,
                table.seated(loaded),
                table.timing,
                deals=_MOST,
                seed=table.own_seed(seed) + (run << 20),
                jobs=jobs,
                until=target,
                confidence=_CONFIDENCE,
            )
            found = result.estimates[name]
            held += found.low is not None and found.high is not None and found.low <= exact <= found.high
        yield About(GROUP, str(table)).share(f"intervals of {target.text} that hold it", _CONFIDENCE, held, n)

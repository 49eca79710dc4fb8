"""The picture of a verification: distances of all checks against those of a normal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from stressim import pictures
from stressim.pictures import BLUE, GREY, PALE, VERMILLION, new_figure
from stressim.verify.report import Verification, failing

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

SIZE = 5.6  # inches, both ways
_MOST = 6.0  # standard errors shown; what lies beyond stands at the edge


def save(verification: Verification, path: Path) -> None:
    """Draw the distances into a file.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    pictures.save(lambda: figure(verification), path, title=title(verification))


def render(verification: Verification, kind: str) -> bytes:
    """Draw the distances and return the file's content; ``kind`` is ``svg``, ``png`` or ``pdf``."""
    return pictures.render(lambda: figure(verification), kind, title=title(verification))


def title(verification: Verification) -> str:
    """Title of the picture."""
    return f"{len(verification.z_values):,} checks against exact values"


def figure(verification: Verification) -> Figure:
    """Draw each distance over the one that a normal has at its rank, in a band where 95 of 100 lie at each rank."""
    drawn = new_figure(SIZE, SIZE)
    axes = drawn.add_axes((0.13, 0.115, 0.83, 0.745))
    found = np.clip(np.sort(verification.z_values), -_MOST, _MOST)
    n = len(found)
    ranks = np.arange(1, n + 1)
    expected = stats.norm.ppf((ranks - 0.5) / n)
    low, high = (stats.norm.ppf(stats.beta.ppf(q, ranks, n + 1 - ranks)) for q in (0.025, 0.975))
    axes.fill_between(expected, low, high, color=PALE, linewidth=0)
    limit = float(max(4.0, np.abs(found).max(initial=0.0) * 1.05))
    axes.plot([-limit, limit], [-limit, limit], color=GREY, linewidth=0.8)
    failed = {verdict.check.z for verdict in verification.failed}
    wrong = np.array([z in failed for z in np.sort(verification.z_values)], dtype=bool)
    for chosen, color, marker in ((~wrong, BLUE, "o"), (wrong, VERMILLION, "X")):
        axes.plot(expected[chosen], found[chosen], linestyle="none", marker=marker, markersize=3.2, color=color,
                  markeredgewidth=0)  # fmt: skip
    axes.set(xlim=(-limit, limit), ylim=(-limit, limit))
    ticks = list(range(-int(limit), int(limit) + 1, 1 if limit < 5 else 2))
    axes.set_xticks(ticks, [f"{tick:+d}" if tick else "0" for tick in ticks])
    axes.set_yticks(ticks, [f"{tick:+d}" if tick else "0" for tick in ticks])
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel("expected of a normal, standard errors")
    axes.set_ylabel("found, standard errors")
    n_failed = len(verification.failed)
    said = "every check holds" if not n_failed else f"{failing(n_failed)} (crosses)"
    drawn.text(0.03, 0.945, title(verification), size=13, weight="bold", va="baseline")
    drawn.text(0.03, 0.905, f"{said} · seed {verification.seed} · {verification.size} · band: 95 of 100 at each rank",
               size=9, va="baseline")  # fmt: skip
    return drawn

"""The entry points for more than two players or piles: the same kernels, compiled for the large record when needed."""

from __future__ import annotations

from stressim.shedding.kernel import run

run_uniform = run.run_uniform.kept_by(__name__)
run_human = run.run_human.kept_by(__name__)
run_deal = run.run_deal.kept_by(__name__)

"""The entry points for two players with two piles under the usual rules: the same kernels, with these as constants."""

from __future__ import annotations

from stressim.shedding.kernel import run

run_uniform = run.run_uniform.kept_by(__name__)
run_human = run.run_human.kept_by(__name__)
run_deal = run.run_deal.kept_by(__name__)

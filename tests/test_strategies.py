"""The strategies themselves: every drawn set of rules is one that the model accepts, and every option is reached."""

from __future__ import annotations

from hypothesis import HealthCheck, find, given, settings
from strategies import shedding_rules

from stressim.shedding.choices import MergeEqualRanks, PlayOnEqualTops, SlapTarget
from stressim.shedding.rules import SheddingRules


@settings(max_examples=60, deadline=None)
@given(shedding_rules())
def test_shedding_rules__are_valid_and_playable(rules: SheddingRules) -> None:
    assert SheddingRules(**rules.model_dump()) == rules
    assert rules.cards_each > rules.row_slots


def test_shedding_rules__reach_rare_combinations() -> None:
    quiet = settings(max_examples=2000, deadline=None, suppress_health_check=list(HealthCheck))
    find(shedding_rules(), lambda rules: rules.n_jokers > 0 and rules.slap_target == SlapTarget.NONE, settings=quiet)
    find(shedding_rules(), lambda rules: rules.play_on_equal_tops == PlayOnEqualTops.FROZEN, settings=quiet)
    find(
        shedding_rules(),
        lambda rules: rules.merge_mandatory and rules.merge_equal_ranks == MergeEqualRanks.ALWAYS,
        settings=quiet,
    )

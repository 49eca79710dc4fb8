from __future__ import annotations

import pytest
from click.testing import CliRunner

from stressim.commands.metrics import command
from stressim.errors import InputError
from stressim.family import FAMILIES, family_named

ALL_FAMILIES = [family_named(name) for name in FAMILIES]
ALL_METRICS = [metric for family in ALL_FAMILIES for metric in family.metrics]


def test_list__names_every_metric_once_within_78_columns():
    said = CliRunner().invoke(command, ["list"]).output.splitlines()
    assert max(map(len, said)) <= 78
    for metric in ALL_METRICS:
        times = sum(metric.name in [one.name for one in family.metrics] for family in ALL_FAMILIES)
        assert sum(line.startswith(f"    {metric.name} ") for line in said) == times, metric.name


@pytest.mark.parametrize("metric", ALL_METRICS, ids=lambda metric: metric.name)
def test_show__says_meaning_unit_computation_and_interval(metric):
    said = CliRunner().invoke(command, ["show", metric.name]).output
    flat = " ".join(said.split())
    assert metric.meaning in flat
    assert f"unit {metric.unit}" in flat
    assert "computed" in flat
    assert "interval" in flat
    assert ("Needs a clock" in flat) == metric.clock
    assert not metric.needs_players or f"Absent with fewer than {metric.needs_players}." in flat


def test_show__takes_hyphens_and_says_the_kind_of_interval():
    assert "Wilson" in CliRunner().invoke(command, ["show", "win-skew"]).output
    assert "delta method" in CliRunner().invoke(command, ["show", "stall_share"]).output
    assert "order statistics" in CliRunner().invoke(command, ["show", "moves"]).output


def test_show__takes_several_names_each_once_in_their_order():
    shown = CliRunner().invoke(command, ["show", "locked", "rounds", "locked"]).output
    alone = [CliRunner().invoke(command, ["show", name]).output for name in ("locked", "rounds")]
    assert shown == "\n".join(alone)


def test_show__of_several_names_a_wrong_one_is_refused_before_anything_is_shown():
    refused = CliRunner().invoke(command, ["show", "locked", "lenght_s"])
    assert "did you mean 'length_s'" in str(refused.exception)
    assert refused.output == ""


def test_show__unknown_name_is_refused_with_a_hint():
    refused = CliRunner().invoke(command, ["show", "lenght_s"]).exception
    assert isinstance(refused, InputError)
    assert "did you mean 'length_s'" in str(refused)


def test_list__with_a_name_points_to_show():
    refused = CliRunner().invoke(command, ["list", "stalls"]).exception
    assert str(refused) == "metrics list takes no names: stressim metrics show stalls explains stalls"


def test_show__says_ratios_in_plain_words_and_once_for_both_families():
    said = " ".join(CliRunner().invoke(command, ["show", "dead_time"]).output.split())
    assert "family shedding and exchange" in said
    assert (
        "computed Mean of: part of the time to the win after the winner last lacks the lead; over the deals with: one "
        "player wins."
    ) in said
    assert said.count("computed") == 1
    share = " ".join(CliRunner().invoke(command, ["show", "stall_share"]).output.split())
    assert "computed shedding: All deals taken together: time spent in stalls; divided by: time from the first" in share
    assert share.count("Normal, of a ratio of sums") == 1


def test_show__nothing_is_divided_by_a_million():
    for metric in ALL_METRICS:
        assert "1,000,000" not in CliRunner().invoke(command, ["show", metric.name]).output
    assert ", in seconds" in CliRunner().invoke(command, ["show", "first_stall_s"]).output


@pytest.mark.parametrize("family", ALL_FAMILIES, ids=FAMILIES)
def test_redeals__name_every_rule_that_has_the_cards_dealt_again(family):
    choices = {name: field.annotation for name, field in family.rules.model_fields.items()}
    rules = [name for name, kind in choices.items() if hasattr(kind, "words") and "redeal" in kind.words()]
    (meaning,) = (metric.meaning for metric in family.metrics if metric.name == "redeals")
    assert [name for name in choices if f"({name}=redeal)" in meaning] == rules
    assert ("no rule" in meaning) == (not rules)

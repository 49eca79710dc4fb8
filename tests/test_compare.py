from __future__ import annotations

import numpy as np
import pytest
from made_up_deals import NAMES, SHEDDING, made_up_rows, play_made_up_deals
from scipy import stats

from stressim.errors import InputError
from stressim.estimates import is_known
from stressim.workbench import compare as workbench
from stressim.workbench.compare import compare_variants
from stressim.workbench.differences import Look, differences
from stressim.workbench.limits import metric_named, read_change, read_size
from stressim.workbench.pairs import PairedSums
from stressim.workbench.variants import Given, make_variant, read_variants

METRICS = tuple(metric for metric in SHEDDING.metrics if is_known(metric, clock=True, n_players=2))


def find(name):
    return metric_named(name, SHEDDING, clock=True, n_players=2, option="")


def found_in(rows, look=None):
    sums = PairedSums.of_rows(SHEDDING, METRICS, rows, [2] * len(rows))
    return {one.metric.name: one for one in differences(METRICS, sums, [2] * len(rows), look or Look())[0]}


def mixed_rows(n, seed, *, shared=0.5, more=0.0):
    """Rows of two variants that share a part of their chance; the second has ``more`` of what it counts."""
    rng = np.random.default_rng(seed)
    rows = [made_up_rows(n, seed=10 * seed + side) for side in (1, 2)]
    for one in rows:
        one[:, NAMES.index("comeback")] = one[:, NAMES.index("won")] & (rng.random(n) < 0.3)
    same = rng.random(n) < shared
    rows[1][same] = rows[0][same]
    rows[1][:, NAMES.index("stalls")] += rng.random(n) < more
    return rows


# --- sums and differences


def test_paired_sums__do_not_depend_on_shards():
    rows = mixed_rows(3000, 3)
    whole = PairedSums.of_rows(SHEDDING, METRICS, rows, [2, 2])
    parts = [PairedSums.of_rows(SHEDDING, METRICS, [one[a:b] for one in rows], [2, 2]) for a, b in ((0, 7), (7, 3000))]
    assert parts[0] + parts[1] == whole


def test_difference__of_a_mean_is_that_of_the_paired_t_test():
    rows = mixed_rows(4000, 5, more=0.1)
    x, y = (one[:, NAMES.index("stalls")].astype(float) for one in rows)
    one = found_in(rows)["stalls"]
    expected = stats.ttest_rel(y, x)
    assert one.difference == pytest.approx((y - x).mean(), rel=1e-5)
    assert one.p == pytest.approx(expected.pvalue, rel=0.02)
    assert one.correlation == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-5)
    assert one.high - one.difference == pytest.approx(1.96 * (y - x).std(ddof=1) / np.sqrt(4000), rel=1e-3)


def test_difference__of_ratios_agrees_with_resampling_the_deals():
    rows = mixed_rows(2000, 6)
    rng = np.random.default_rng(1)
    x, y = NAMES.index("stalled_us"), NAMES.index("length_us")
    drawn = []
    for _ in range(800):
        pick = rng.integers(0, 2000, 2000)
        one, two = (side[pick] for side in rows)
        drawn.append(two[:, x].sum() / two[:, y].sum() - one[:, x].sum() / one[:, y].sum())
    found = found_in(rows)["stall_share"]
    assert (found.high - found.low) / 2 / 1.96 == pytest.approx(np.std(drawn), rel=0.08)


def test_difference__equal_rows_differ_by_exactly_nothing():
    rows = [made_up_rows(500)] * 2
    for one in found_in(rows).values():
        assert (one.difference, one.low, one.high, one.p) == (0, 0, 0, None)
        assert one.same_in_all
        assert one.verdict == "no difference found"


@pytest.mark.parametrize("metric", ["won", "stalls", "comebacks", "dead_time", "win_skew", "stall_share", "length_s"])
def test_interval__covers_the_truth_as_often_as_it_says(metric):
    runs, covered = 400, 0
    for run in range(runs):
        one = found_in(mixed_rows(400, run))[metric]
        covered += one.low <= 0 <= one.high
    # 0.95 ± 3.3 standard errors
    assert 0.914 * runs <= covered <= 0.984 * runs


def test_verdicts__equal_rules_are_rarely_called_different_in_anything():
    runs = 150
    false = sum(
        any(one.verdict != "no difference found" for one in found_in(mixed_rows(500, 1000 + run)).values())
        for run in range(runs)
    )
    assert false <= 0.05 * runs + 3 * (0.05 * 0.95 * runs) ** 0.5


def test_verdicts__more_fewer_and_too_small():
    rows = mixed_rows(4000, 5, shared=1.0, more=0.3)
    assert found_in(rows)["stalls"].verdict == "more"
    assert found_in(rows[::-1])["stalls"].verdict == "fewer"
    assert found_in(rows, Look(0.95, False, {"stalls": 0.4}))["stalls"].verdict == "too small to matter"
    assert found_in(rows, Look(0.95, False, {"stalls": 0.301}))["stalls"].verdict == "more"


def test_deals_to_tell__tell_eight_times_in_ten():
    rows = mixed_rows(20_000, 8, shared=0.0, more=0.3)
    needed = found_in(rows)["stalls"].deals_to_tell
    x, y = (one[:, NAMES.index("stalls")].astype(float) for one in rows)
    rng = np.random.default_rng(4)
    told = 0
    for _ in range(400):
        gaps = (y - x)[rng.integers(0, 20_000, needed)]
        told += abs(gaps.mean()) > 1.96 * gaps.std(ddof=1) / np.sqrt(needed)
    assert 0.72 * 400 <= told <= 0.88 * 400


def test_differences__a_metric_without_a_deal_to_rest_on_is_left_out():
    rows = mixed_rows(200, 3)
    rows[1][:, [NAMES.index("won"), NAMES.index("win_1"), NAMES.index("win_2")]] = 0
    assert "comebacks" not in found_in(rows)
    assert "win_skew" not in found_in(rows)
    assert found_in(rows)["won"].value == 0


# --- whole comparisons


def test_compare__equal_rules_under_two_names_differ_in_no_deal():
    variants = read_variants(["swedish", "swedish ace=wrap", "ace=low"])
    found = compare_variants(variants, deals=600)
    assert all(one.same_in_all for one in found.differences[0])
    assert found.flips[0].flips == 0
    assert found.difference("stalls", 2).verdict == "more"
    assert found.baseline.n_deals == 600
    assert 0.4 < found.baseline.share < 0.8
    same = next(one for one in found.differences[1] if one.metric.name == "stress_at_first_flip")
    assert same.same_in_all


def test_compare__both_values_are_those_of_simulate():
    from stressim.simulate import simulate

    variants = read_variants(["james-bond", "swap_max_cards=2"])
    found = compare_variants(variants, deals=400, on=["stalls"])
    for variant, result in zip(variants, found.results, strict=True):
        assert result.estimates == simulate(variant.rules, variant.players, deals=400).estimates
    assert found.difference("stalls").value == found.results[1].estimates["stalls"].estimate


def test_compare__threads_do_not_change_a_byte():
    from stressim.workbench import tables

    variants = read_variants(["swedish", "2.speed=1.05"], timing="uniform")
    said = {
        tables.to_json(tables.comparison_dict(compare_variants(variants, deals=20_000, jobs=jobs))) for jobs in (1, 3)
    }
    assert len(said) == 1


def test_compare__players_of_different_numbers_share_their_metrics():
    variants = read_variants(["james-bond", "n_players=3"])
    found = compare_variants(variants, deals=300)
    assert {len(variant.players) for variant in variants} == {2, 3}
    assert "win_2" in {one.metric.name for one in found.differences[0]}
    assert "win_3" not in {one.metric.name for one in found.differences[0]}
    assert found.difference("win_skew").value == found.results[1].estimates["win_skew"].estimate


def test_compare__frame_has_a_row_for_each_metric():
    frame = compare_variants(read_variants(["swedish", "ace=low"]), deals=300, on=["stalls", "won"]).frame
    assert list(frame["metric"]) == ["stalls", "won"]
    assert frame["verdict"].iloc[0] == "more"


@pytest.fixture
def made_up_kernel(monkeypatch):
    """Deals of which the second variant's stalls are larger by chance alone, or by ``shift`` in a hundred."""
    shift = {"more": 0.0}

    def play(lowered, seed, first, rows):
        play_made_up_deals(lowered, seed, first, rows)
        if lowered.rules["ace"][0]:
            rows[:] = made_up_rows(len(rows), seed + 1000, first)
            extra = np.random.default_rng([seed, first]).random(len(rows)) < shift["more"]
            rows[:, NAMES.index("stalls")] += extra

    monkeypatch.setitem(SHEDDING.__dict__, "play_deals", play)
    return shift


def test_until_decided__stops_once_it_is_told(made_up_kernel):
    made_up_kernel["more"] = 0.9
    variants = read_variants(["swedish", "ace=low"])
    found = compare_variants(variants, deals=200_000, until_decided=True)
    assert workbench.FIRST_LOOK <= found.deals < 30_000
    assert found.difference("stalls").verdict == "more"
    assert {compare_variants(variants, deals=200_000, until_decided=True, jobs=jobs).deals for jobs in (1, 3)} == {
        found.deals
    }


def test_until_decided__goes_on_to_the_end_without_a_difference_and_stops_when_it_is_too_small(made_up_kernel):
    variants = read_variants(["swedish", "ace=low"])
    assert compare_variants(variants, deals=20_000, on=["won"], until_decided=True).deals == 20_000
    found = compare_variants(
        variants, deals=200_000, on=["stalls"], matter=[read_size("stalls=10%", find, "")], until_decided=True
    )
    assert found.difference("stalls").verdict == "too small to matter"
    assert found.deals < 100_000


def test_until_decided__equal_rules_are_rarely_decided(made_up_kernel):
    variants = read_variants(["swedish", "ace=low"])
    decided = sum(
        compare_variants(variants, deals=16_000, seed=seed, on=["won", "stalls"], until_decided=True).deals < 16_000
        for seed in range(40)
    )
    assert decided <= 2


# --- what is written


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["swedish", "swedish"], "given twice"),
        (["swedish", "james-bond"], "different games"),
        (["ace=low", "swedish"], "changes nothing yet"),
        (["swedish", "norwegian low"], "is no change"),
        (["swedish", " "], "is empty"),
        (["swedish", "swedisch"], "did you mean 'swedish'"),
        (["swedish", "ace:low"], "a change is written ace=low"),
        (["swedish", "ace=lo"], "wrap, low or high"),
        (["swedish", "3=senior"], "1 to 2"),
    ],
)
def test_read_variants__refuses(texts, said):
    with pytest.raises(InputError, match=said):
        read_variants(texts)


def test_read_variants__changes_come_after_what_all_share():
    one, two = read_variants(["swedish row_slots=3", "row_slots=5 2=senior"], sets=["ace=low"], players=["all=casual"])
    assert (one.rules.options.row_slots, two.rules.options.row_slots) == (3, 5)
    assert [variant.rules.options.ace.word for variant in (one, two)] == ["low", "low"]
    assert [player.name for player in two.players] == ["casual", "senior"]


def test_read_variants__a_file_with_a_space_in_its_name_is_rules(tmp_path):
    path = tmp_path / "our rules.toml"
    path.write_text('extends = "swedish"\nace = "low"\n')
    assert read_variants(["swedish", str(path)])[1].rules.options.ace.word == "low"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stalls", "cannot be read"),
        ("stals>2%", "did you mean 'stalls'"),
        ("stalls.median>2%", "no part of a difference"),
        ("stalls>2pp", "no percentage points"),
        ("stalls>1.2.3", "is no number"),
    ],
)
def test_read_change__refuses(text, said):
    with pytest.raises(InputError, match=said):
        read_change(text, find, "--fail-if")


def test_read_size__units():
    assert read_size("stalls=2%", find, "").absolute(5) == pytest.approx(0.1)
    assert read_size("stalled=±2pp", find, "").absolute(0.5) == pytest.approx(0.02)
    assert read_size("length_s=5", find, "").absolute(80) == 5


def test_make_variant__refuses_an_unknown_timing():
    with pytest.raises(InputError, match="did you mean 'human'"):
        make_variant(Given(rules="swedish", timing="humans"))

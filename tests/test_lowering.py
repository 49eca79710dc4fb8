"""What becomes of rules and players on their way to a kernel."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stressim.errors import InputError
from stressim.exchange.habits import ExchangeHabits
from stressim.exchange.rules import ExchangeRules
from stressim.family import FAMILIES, family_named
from stressim.lowering import TimingMode, lower, lowered_name
from stressim.options import Choice, Options, option
from stressim.players import Player, Timing, resolve_players
from stressim.players.distributions import Distribution, Fixed
from stressim.players.player_files import preset_files
from stressim.players.time_options import declared
from stressim.players.timing import timing_fields
from stressim.presets import preset_names
from stressim.rulesfile import load_rules
from stressim.shedding.habits import SheddingHabits
from stressim.shedding.rules import SheddingRules

# Names that the kernel reads.
RELIED_ON = """
    notice_base reach_grasp carry_to_land late_card_return abort_return illegal_card_return refill_from_hand
    refill_from_table merge_own_cards give_card stuck_agreement countdown flip stress_notice slap_move
    false_call_recovery pickup_shuffled pickup_under call hazard
    person_common_cognitive person_own_cognitive person_common_motor person_own_motor
    scan_per_card_us scan_absent_factor_x65536 choice_cost_us abort_window_us busy_penalty_us anticipation_gain_us
    p_miss_stress p_false_slap p_illegal_play seat_us false_slap_hazard false_slap_hazard_adjacent
    illegal_play_hazard persons_differ card_choice refill merge merged_play pile_choice slap_pile decline
"""


FAMILY_MODELS = [(family_named(name).rules, family_named(name).habits) for name in FAMILIES]


def lowered_players(*texts, n_players=2):
    return lower(SheddingRules(), resolve_players(texts, n_players, SheddingHabits))


def same(first, second):
    return (
        np.array_equal(first.rules, second.rules)
        and np.array_equal(first.players, second.players)
        and np.array_equal(first.tables, second.tables)
    )


def another_value(field, value):
    """A value of the field's kind that is not ``value``."""
    if isinstance(value, Choice):
        return next(member for member in type(value) if member != value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return 0.75 if declared(field)["unit"] == "probability" or value < 1 else value + 1
    return Fixed(value.mean + 1)


def options_of(model):
    return [name for name, field in model.model_fields.items() if field.annotation is not str]


def test_lower__arrays_have_their_shapes_and_kinds():
    lowered = lowered_players()
    assert lowered.rules.shape == (1,)
    assert lowered.players.shape == (2,)
    for record in (lowered.rules, lowered.players):
        assert {record.dtype[name] for name in record.dtype.names} == {np.dtype(np.int64)}
    assert lowered.tables.dtype == np.int32
    assert lowered.tables.shape[::2] == (2, 257)


def test_lower__dtype_is_the_same_for_all_rules_and_players():
    for rules_model, habits_model in FAMILY_MODELS:
        plain = lower(rules_model(), resolve_players([], 2, habits_model))
        presets = [load_rules(name) for name in preset_names()]
        for preset in presets:
            if preset.family.rules is rules_model:
                lowered = lower(preset.options, resolve_players([], preset.options.n_players, habits_model))
                assert lowered.rules.dtype == plain.rules.dtype
        for name in preset_files(habits_model):
            texts = (f"2={name}", "1.seat_distance_cm=7", "all.person_sd=true")
            lowered = lower(rules_model(), resolve_players(texts, 2, habits_model))
            assert lowered.players.dtype == plain.players.dtype
            assert lowered.tables.shape == plain.tables.shape


@pytest.mark.parametrize(
    ("models", "name"), [(models, name) for models in FAMILY_MODELS for name in options_of(models[0])]
)
def test_lower__every_rule_that_is_not_cosmetic_reaches_the_kernel(models, name):
    rules, habits_model = models[0](), models[1]
    field = models[0].model_fields[name]
    players = resolve_players([], 2, habits_model)
    changed = rules.model_copy(update={name: another_value(field, getattr(rules, name))})
    about = declared(field)
    assert same(lower(rules, players), lower(changed, players)) == (about["cosmetic"] or about.get("match", False))


@pytest.mark.parametrize(
    ("models", "name"), [(models, name) for models in FAMILY_MODELS for name in options_of(models[1])]
)
def test_lower__every_habit_reaches_the_kernel(models, name):
    rules, habits = models[0](), models[1]()
    changed = habits.model_copy(update={name: another_value(models[1].model_fields[name], getattr(habits, name))})
    assert not same(lower(rules, [Player(habits=habits)]), lower(rules, [Player(habits=changed)]))


@pytest.mark.parametrize("name", options_of(Timing))
def test_lower__every_time_reaches_the_kernel_of_its_family(name):
    timing = Timing()
    changed = timing.model_copy(update={name: another_value(Timing.model_fields[name], getattr(timing, name))})
    for rules_model, habits_model in FAMILY_MODELS:
        before, after = (Player(habits=habits_model(), timing=each) for each in (timing, changed))
        reached = not same(lower(rules_model(), [before]), lower(rules_model(), [after]))
        assert reached == (declared(Timing.model_fields[name])["family"] in ("", habits_model.family))


def test_lower__names_that_the_kernel_reads_are_there():
    assert set(RELIED_ON.split()) - set(lowered_players().players.dtype.names) == set()


def test_lower__ms_become_us_and_the_name_says_so():
    lowered = lower(SheddingRules(tie_window_ms=12.5), resolve_players([], 2, SheddingHabits))
    assert lowered.rules["tie_window_us"][0] == 12_500
    assert "tie_window_ms" not in lowered.rules.dtype.names
    assert lowered_name("seat_ms_per_cm", Timing.model_fields["seat_ms_per_cm"]) == "seat_per_cm_us"


def test_lower__seconds_become_us_and_the_name_says_so():
    lowered = lower(ExchangeRules(swap_deadline_s=2.5), resolve_players([], 2, ExchangeHabits))
    assert lowered.rules["swap_deadline_us"][0] == 2_500_000
    assert "swap_deadline_s" not in lowered.rules.dtype.names


def test_lower__probabilities_become_thresholds_of_32_bits():
    lowered = lowered_players("1.decline=0", "2.decline=1", "1.p_miss_stress=0.25")
    assert lowered.players["decline"].tolist() == [0, 2**32]
    assert lowered.players["p_miss_stress"][0] == 2**30


def test_lower__choices_and_factors_become_integers():
    lowered = lowered_players("2.card_choice=hunt_stress", "2.scan_absent_factor=1.5")
    assert lowered.players["card_choice"].tolist() == [0, 4]
    assert lowered.players["scan_absent_factor_x65536"].tolist() == [131072, 98304]


def test_lower__a_distribution_is_the_row_of_its_table_for_all_players():
    lowered = lowered_players("2.countdown=900")
    first, second = lowered.players["countdown"]
    assert first == second
    assert lowered.tables[:, first, 0].tolist() == [1_800_000, 900_000]
    names = [name for name in timing_fields("shedding") if isinstance(getattr(Timing(), name), Distribution)]
    rows = [int(lowered.players[name][0]) for name in names]
    assert len(set(rows)) == len(names)


def test_lower__speed_divides_tables_and_windows_but_no_probability():
    lowered = lowered_players("2.speed=2", "all.seat_distance_cm=10")
    one, two = lowered.players
    assert (one["abort_window_us"], two["abort_window_us"]) == (150_000, 75_000)
    assert (one["seat_us"], two["seat_us"]) == (70_000, 35_000)
    assert one["p_miss_stress"] == two["p_miss_stress"]
    row = one["reach_grasp"]
    assert np.abs(lowered.tables[0, row] - 2 * lowered.tables[1, row].astype(np.int64)).max() <= 1


def test_lower__hazards_are_minus_log_of_the_rest():
    player = lowered_players("1.p_false_slap=0.1", "1.p_illegal_play=1").players[0]
    assert player["false_slap_hazard"] == round(-math.log(0.9) * 2**24)
    assert player["false_slap_hazard_adjacent"] == round(-math.log(0.5) * 2**24)
    assert player["illegal_play_hazard"] == pytest.approx(-math.log(1e-6) * 2**24)


def test_lower__a_certain_false_slap_is_not_likelier_beside_neighbours():
    player = lowered_players("1.p_false_slap=0.5").players[0]
    assert player["false_slap_hazard_adjacent"] == pytest.approx(-math.log(1e-6) * 2**24)


def test_lower__hazard_table_is_exponential_with_mean_one():
    lowered = lowered_players()
    knots = lowered.tables[0, lowered.players["hazard"][0]] / 2**24
    assert np.mean((knots[1:] + knots[:-1]) / 2) == pytest.approx(1, rel=1e-4)
    assert knots[128] == pytest.approx(math.log(2), rel=1e-3)


def test_lower__persons_have_mean_one_their_sd_and_their_correlation():
    lowered = lowered_players("all.person_sd=true")
    player = lowered.players[0]
    assert player["persons_differ"] == 1
    # Sixteen points in each interval, all combinations of the independent draws.
    at = (np.arange(16) + 0.5) / 16

    def factor(name):
        knots = lowered.tables[0, player[name]] / 65536
        return (knots[:-1, None] + (knots[1:] - knots[:-1])[:, None] * at).ravel()

    for kind, sd in (("cognitive", 0.15), ("motor", 0.12)):
        product = np.outer(factor(f"person_common_{kind}"), factor(f"person_own_{kind}"))
        assert product.mean() == pytest.approx(1, abs=2e-4)
        assert product.std() == pytest.approx(sd, rel=5e-3)
    logs = {name: np.log(factor(f"person_{name}")) for name in ("common_cognitive", "common_motor")}
    own = {name: np.log(factor(f"person_{name}")).var() for name in ("own_cognitive", "own_motor")}
    covariance = np.cov(logs["common_cognitive"], logs["common_motor"], ddof=0)
    total = math.sqrt((covariance[0, 0] + own["own_cognitive"]) * (covariance[1, 1] + own["own_motor"]))
    assert covariance[0, 1] / total == pytest.approx(0.5, abs=5e-3)


def test_lower__timing_mode_is_read_from_text():
    players = resolve_players([], 2, SheddingHabits)
    assert not lower(SheddingRules(), players).uniform
    assert lower(SheddingRules(), players, "uniform").uniform
    assert lower(SheddingRules(), players, TimingMode.UNIFORM).uniform
    with pytest.raises(ValueError, match="did you mean 'uniform'"):
        lower(SheddingRules(), players, "unifrom")


def test_lower__too_long_times_name_the_player():
    with pytest.raises(InputError, match=r"player 2 \(casual\): exponential"):
        lowered_players("2=casual", "2.flip=exponential(900000)")


def test_lower__two_fields_of_one_name_are_refused():
    class Odd(Options):
        wait_ms: float = option(1.0, "a wait", source="guess", unit="ms")
        wait: float = option(1.0, "another", source="guess", unit="ms")

    with pytest.raises(TypeError, match="wait_us"):
        lower(Odd(), [Player(habits=SheddingHabits())])


def test_lower__same_input_gives_the_same_arrays():
    assert same(lowered_players("1=senior"), lowered_players("1=senior"))

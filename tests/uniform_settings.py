"""The rules under which kernel and model are compared without a clock: a preset, then changed options."""

from __future__ import annotations

import csv
import random
from pathlib import Path

from playing import PRESETS, Value
from uniform_model import UniformDeal

from stressim.rulesfile import load_rules
from stressim.shedding.rules import SheddingRules

_TAKE = "restart_both_empty=take_right_pile_shuffle"

CHANGED = (
    # the cards
    "swedish deal_mode=split_combined",
    f"swedish deal_mode=split_combined n_decks=3 {_TAKE}",
    "swedish deal_mode=own_deck_each",
    "swedish deck=custom deck_ranks=3 deck_copies=6",
    f"swedish deck=custom deck_ranks=5 deck_copies=6 ace=high {_TAKE}",
    f"swedish deck=custom deck_ranks=0-9 deck_copies=4 ace=low {_TAKE}",
    f"swedish deck=custom deck_ranks=2 deck_copies=12 stress_on=none row_slots=2 {_TAKE}",
    f"jass ace=high {_TAKE}",
    f"swedish n_jokers=2 {_TAKE}",
    "swedish n_jokers=4 joker_mode=anything",
    "swedish n_jokers=4 joker_mode=named",
    "german-jokers stress_on=none",
    f"german-jokers n_jokers=6 joker_mode=named {_TAKE}",
    "swedish handicap_cards=6",
    f"german handicap_cards=-9 {_TAKE}",
    # the row
    "swedish row_slots=1",
    "swedish row_slots=8 restart_both_empty=draw",
    "swedish merge_equal_ranks=at_deal",
    "swedish merge_equal_ranks=always pile_play=whole",
    f"swedish merge_equal_ranks=always pile_play=single {_TAKE}",
    "swedish merge_equal_ranks=always pile_play=either",
    "swedish-merge pile_play=whole",
    f"doppelkopf merge_equal_ranks=always one_card_at_a_time=false pile_play=whole {_TAKE}",
    "swedish multi_card_play=same_rank",
    "swedish multi_card_play=same_rank stack_target=either",
    "swedish multi_card_play=same_rank merge_equal_ranks=always pile_play=either",
    "swedish refill_policy=none",
    "swedish equal_rank_playable=true",
    f"swedish multi_card_play=run {_TAKE}",
    f"swedish-merge multi_card_play=run pile_play=whole equal_rank_playable=true {_TAKE}",
    # flips
    "swedish start_flip_equal=reflip",
    "swedish restart_target=any_pile",
    "spit move_to_empty=false",
    "spit merge_equal_ranks=always",
    "spit merge_equal_ranks=always move_to_empty=false round_end=none deck_copies=6 deck=custom deck_ranks=8",
    "spit merge_equal_ranks=always n_jokers=2 row_slots=4",
    "spit round_end=none row_slots=4",
    "spit row_slots=3 equal_rank_playable=true handicap_cards=5",
    "spit deal_mode=own_deck_each deck=skat32 ace=low restart_target=any_pile",
    "spit n_jokers=2 restart_empty_stock=opponent_gives",
    "spit n_jokers=4 joker_mode=named row_slots=6",
    "speed side_pile_reuse=turned_over",
    "speed side_pile_cards=1 restart_target=any_pile ace=low",
    "speed side_pile_reuse=never restart_both_empty=fewest_cards_wins",
    "speed side_pile_cards=9 side_pile_reuse=never start_flip_equal=reflip",
    "speed equal_rank_playable=true handicap_cards=2",
    "speed n_jokers=2 joker_mode=named",
    "speed n_jokers=4 row_slots=3",
    "speed multi_card_play=run one_card_at_a_time=false",
    "speed deal_mode=own_deck_each deck=skat32 side_pile_reuse=turned_over",
    "swedish restart_source=own_row",
    "swedish-low restart_source=own_row restart_target=any_pile merge_equal_ranks=always pile_play=whole",
    "german restart_source=own_row stress_on=none refill_policy=none",
    "swedish restart_empty_stock=opponent_gives",
    "swedish restart_empty_stock=take_from_opponent taken_card=random giver_with_one_card=give_anyway",
    "swedish restart_empty_stock=opponent_gives giver_with_one_card=from_row",
    f"swedish {_TAKE}",
    f"swedish flip_before_refill=false {_TAKE}",
    "swedish-low restart_both_empty=fewest_cards_wins",
    "skat flip_before_refill=false restart_both_empty=draw",
    # stress
    f"swedish stress_on=none {_TAKE}",
    "swedish stress_pickup=left",
    f"swedish stress_pickup=right {_TAKE}",
    "swedish stress_pickup=one one_pile=smaller",
    "swedish stress_pickup=left other_pile_after_stress=set_aside",
    "swedish pickup_placement=shuffle_into_stock",
    "swedish under_order=other_first",
    "swedish under_order=random",
    "swedish post_stress_empty_stock=opponent_gives",
    "swedish post_stress_empty_stock=take_from_opponent restart_empty_stock=opponent_gives",
    "swedish post_stress_empty_stock=one_pile_only",
    "swedish-merge post_stress_empty_stock=one_pile_only",
    "swedish pile_view=absolute stress_pickup=left",
    # the end
    "swedish win_check_before_stress=false",
    f"jass win_check_before_stress=false {_TAKE}",
)

SETTINGS = (*PRESETS, *CHANGED)

REFERENCE = Path(__file__).with_name("reference") / "uniform_model.csv"


FINGERPRINT = "moves of the first 20 deals"
"""Name of the reference's lines that tell whether the model still plays as it did."""


def first_moves(setting: str) -> int:
    """Return the sum of the plays in the model's first 20 deals of a setting."""
    return sum(count["moves"] for count in model_deals(setting, 20))


def model_deals(setting: str, n: int) -> list[dict[str, int]]:
    """Play the model's first deals of a setting and return their columns."""
    name, *sets = setting.split()
    rules = load_rules(name, sets=sets).options
    assert isinstance(rules, SheddingRules)
    rng = random.Random(setting)
    return [UniformDeal(rules, rng).play() for _ in range(n)]


def read_reference() -> dict[str, dict[str, Value]]:
    """Return the model's estimates by setting and metric; ``scripts/uniform_reference.py`` writes them."""
    found: dict[str, dict[str, Value]] = {}
    with REFERENCE.open(newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            value = Value(float(line["estimate"]), float(line["standard_error"]))
            found.setdefault(line["setting"], {})[line["metric"]] = value
    return found

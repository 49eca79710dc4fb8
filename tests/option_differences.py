"""For every value of every option, habit and time: where it makes a difference.

An entry is ``value: place``. A place is ``swedish`` with a timing (human if none is named) and other options: those of
the rules are plain, those of players begin with ``1.``, ``2.`` or ``all.``. The value is changed there, and nothing
else; after ``!`` stands an option of the place that cannot be there without the change.
"""

from __future__ import annotations

from stressim.players.timing import Timing

Places = dict[str, str]

_JOKERS = "n_jokers=4"
_MERGING = "merge_equal_ranks=always"
_GIVES = "restart_empty_stock=opponent_gives"
_DECLINING = "restart_trigger=locked_or_declined all.decline=0.3"
_TIES = "tie_window_ms=200 tie_window_same_pile_ms=200"
_FALSE = "all.p_false_slap=0.05"
_ONE = "stress_pickup=one"
_PILES = "row_piles=growing stress_on=none refill_policy=none"
_SIDE = "restart_source=side_piles stress_on=none row_slots=5"

RULES: dict[str, Places] = {
    "n_players": {"3": "uniform", "4": "uniform"},
    "centre_piles": {"3": "uniform", "4": "uniform n_players=3"},
    "deck": {
        "jass36": "uniform", "skat32": "uniform", "doppelkopf48": "uniform",
        "custom": "uniform deck_ranks=5 !deck_ranks",
    },
    "deck_ranks": {"6": "uniform deck=custom deck_ranks=5", "2-9": "uniform deck=custom deck_ranks=7-A ace=high"},
    "deck_copies": {"5": "uniform deck=custom deck_ranks=8"},
    "deal_mode": {"own_deck_each": "uniform", "split_combined": "uniform"},
    "n_decks": {"3": "uniform deal_mode=split_combined"},
    "n_jokers": {"2": "uniform"},
    "joker_mode": {"named": f"uniform {_JOKERS}", "anything": f"{_JOKERS} stress_pickup=left"},
    "handicap_cards": {"3": "uniform", "-3": "uniform"},
    "ace": {"low": "uniform", "high": "uniform"},
    "row_slots": {"3": "uniform", "8": "uniform"},
    "merge_equal_ranks": {"at_deal": "uniform", "always": "uniform"},
    "merge_mandatory": {"true": f"{_MERGING} all.merge=when_needed"},
    "pile_play": {"whole": f"uniform {_MERGING}", "either": f"uniform {_MERGING}"},
    "row_piles": {"growing": "uniform stress_on=none refill_policy=none"},
    "move_to_empty": {"true": f"uniform {_PILES}"},
    "round_end": {"slap_smaller_pile": f"uniform {_PILES}"},
    "row_visibility": {"hidden": "all.card_choice=block_opponent"},
    "multi_card_play": {"same_rank": "uniform", "run": "uniform"},
    "stack_target": {"either": "uniform multi_card_play=same_rank"},
    "refill_policy": {
        "optional_any_time": "all.refill=when_needed", "after_each_play": "all.refill=when_needed", "none": "uniform",
    },
    "stock_location": {"hand": "human"},
    "equal_rank_playable": {"true": "uniform"},
    "late_card": {"take_back": _JOKERS, "penalty": "human"},
    "illegal_card": {"penalty": "human"},
    "one_hand_only": {"true": "all.second_hand=true"},
    "one_card_at_a_time": {"true": "all.grasp_ahead=true"},
    "start_flip_equal": {"reflip": "uniform"},
    "restart_trigger": {"locked_or_declined": "all.decline=0.3"},
    "restart_consent": {"unilateral": _DECLINING},
    "restart_source": {"own_row": "uniform", "side_piles": "uniform stress_on=none"},
    "side_pile_cards": {"3": f"uniform {_SIDE}", "10": f"uniform {_SIDE}"},
    "side_pile_reuse": {"turned_over": f"uniform {_SIDE}", "never": f"uniform {_SIDE}"},
    "restart_target": {"any_pile": "uniform"},
    "restart_empty_stock": {"opponent_gives": "human", "take_from_opponent": "human"},
    "taken_card": {"random": f"uniform {_GIVES}"},
    "giver_with_one_card": {"give_anyway": f"uniform {_GIVES}", "from_row": f"uniform {_GIVES}"},
    "restart_both_empty": {
        "take_right_pile_shuffle": "uniform", "draw": "uniform", "fewest_cards_wins": "uniform",
    },
    "flip_before_refill": {"false": "uniform"},
    "stress_on": {"none": "uniform"},
    "stress_signal": {"slap": "signal_decides=shout", "shout": "slap_target=none !slap_target"},
    "signal_decides": {"shout": "human"},
    "slap_target": {
        "right_pile": "1.slap_pile=left", "both_piles": "human", "both_hands": "human",
        "none": "stress_signal=shout !stress_signal",
    },
    "stress_pairs": {"neighbours": "uniform n_players=4", "all": "uniform n_players=3"},
    "stress_share": {"all_but_first": "uniform n_players=3"},
    "stress_pickup": {
        "left": "uniform", "right": "uniform", "one": "uniform all.pile_choice=smaller", "all": "uniform n_players=3",
    },
    "one_pile": {"right": f"uniform {_ONE} all.pile_choice=left", "smaller": f"uniform {_ONE}"},
    "pickup_placement": {"shuffle_into_stock": "uniform"},
    "under_order": {"other_first": "uniform", "random": "uniform"},
    "other_pile_after_stress": {"set_aside": "uniform stress_pickup=left"},
    "post_stress_empty_stock": {
        "flip_alone": _GIVES, "opponent_gives": "human", "take_from_opponent": "human", "one_pile_only": "human",
    },
    "stress_tie": {"replay_flip": _TIES, "no_penalty": _TIES, "random": _TIES},
    "tie_window_ms": {"0": "human", "60": "human"},
    "tie_window_same_pile_ms": {"60": "1.slap_pile=left"},
    "play_on_equal_tops": {"frozen": "human", "slap_in_motion_counts": "human"},
    "slap_grace_ms": {"300": "human"},
    "card_in_air_at_slap": {"lands": "human"},
    "false_call_penalty": {"take_both": _FALSE, "take_one": _FALSE, "one_card": _FALSE},
    "stress_stop": {"true": "human"},
    "pile_view": {"absolute": "uniform stress_pickup=left"},
    "win_check_before_stress": {"false": "uniform"},
    "win_call": {"required": "human"},
}  # fmt: skip

HABITS: dict[str, Places] = {
    "card_choice": {
        "random": "human", "keep_follow_up": "human", "block_opponent": "human", "hunt_stress": "human",
        "shun_stress": "human",
    },
    "refill": {"when_needed": "refill_policy=optional_any_time"},
    "merge": {"when_needed": _MERGING},
    "merged_play": {"single": f"{_MERGING} pile_play=either", "random": f"{_MERGING} pile_play=either"},
    "equal_together": {"false": "multi_card_play=same_rank"},
    "equal_spread": {"true": "multi_card_play=same_rank stack_target=either"},
    "pile_choice": {
        "left": f"uniform {_ONE}", "smaller": f"uniform {_ONE}", "random": f"uniform {_ONE}",
    },
    "slap_pile": {"left": "human", "smaller": "human", "random": "human"},
    "decline": {"0.3": "restart_trigger=locked_or_declined restart_consent=unilateral"},
    "foresee_stress": {"0": "human"},
    "announce_stop": {"1": "stress_stop=true"},
    "second_hand": {"true": "human"},
    "grasp_ahead": {"true": "human"},
}  # fmt: skip

_DIFFER = "all.person_sd=true"

TIMES: dict[str, Places] = {
    "notice_base": {"fixed(500)": ""},
    "scan_per_card": {"90": ""},
    "scan_absent_factor": {"1": ""},
    "choice_cost": {"300": ""},
    "stuck_agreement": {"fixed(900)": ""},
    "reach_grasp": {"fixed(500)": ""},
    "carry_to_land": {"fixed(500)": ""},
    "late_card_return": {"fixed(900)": ""},
    "abort_window": {"50": ""},
    "abort_return": {"fixed(900)": ""},
    "illegal_card_return": {"fixed(1500)": ""},
    "refill_from_hand": {"fixed(900)": "stock_location=hand"},
    "refill_from_table": {"fixed(900)": ""},
    "merge_own_cards": {"fixed(900)": _MERGING},
    "give_card": {"fixed(2000)": _GIVES},
    "countdown": {"fixed(3600)": ""},
    "flip": {"fixed(100)": ""},
    "pickup_shuffled": {"fixed(900)": "pickup_placement=shuffle_into_stock"},
    "pickup_under": {"fixed(900)": ""},
    "stress_notice": {"fixed(500)": ""},
    "busy_penalty": {"0": ""},
    "anticipation_gain": {"0": ""},
    "slap_move": {"fixed(500)": ""},
    "seat_ms_per_cm": {"20": "all.seat_distance_cm=10"},
    "p_miss_stress": {"0.3": ""},
    "p_false_slap": {"0.05": ""},
    "false_slap_adjacent_factor": {"50": ""},
    "false_call_recovery": {"fixed(5000)": _FALSE},
    "p_illegal_play": {"0.1": ""},
    "call": {"fixed(2000)": "win_call=required"},
    "person_cognitive_sd": {"0.5": _DIFFER},
    "person_motor_sd": {"0.5": _DIFFER},
    "person_correlation": {"0": _DIFFER},
}

NOT_FOR_THIS_GAME: set[str] = {
    name
    for name, field in Timing.model_fields.items()
    if isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("family") not in (None, "", "shedding")
}
"""Times that other games need and this one does not."""

HANDLES: dict[str, Places] = {
    "speed": {"1.5": ""},
    "age": {"70": "", "10": ""},
    "seat_distance_cm": {"20": ""},
    "person_sd": {"true": ""},
}

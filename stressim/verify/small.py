"""Small decks solved whole, against the kernels without a clock."""

from __future__ import annotations

from collections.abc import Iterator

from stressim.exact.chains import ENDLESS
from stressim.exact.quantities import TooCostlyError
from stressim.small_decks import solved
from stressim.verify.checks import About, Check
from stressim.verify.deals import Table

GROUP = "small"

_EIGHT = "swedish deck=custom deck_ranks=4 deck_copies=2"
_SIX = "swedish deck=custom deck_ranks=3 deck_copies=2"
_THREE_PILES = f"{_SIX} row_slots=1 centre_piles=3"
_SHARED = "deal_mode=split_combined n_decks=1 row_slots=1 ace=low"
_JOKERS = "swedish deck=custom deck_ranks=4 deck_copies=1 n_jokers=2 row_slots=1"
_SPEED = "speed deck=custom deck_ranks=4 deck_copies=2"
_SPIT = "spit deck=custom deck_ranks=4 deck_copies=2"
_FEW = "james-bond deck=custom"
_PAIRS = f"{_FEW} deck_ranks=5 deck_copies=2 bunch_size=2 centre_cards=2"
_GREEDY = ("all.churn_weight=0",)
_THREE = f"{_FEW} deck_ranks=4 deck_copies=2 bunch_size=2 centre_cards=2 n_players=3"
_TEAMS = f"{_PAIRS} n_players=4 team_size=2"

BRIEF_GAMES = (
    Table(f"{_EIGHT} row_slots=2"),
    Table(f"{_EIGHT} row_slots=3 ace=low multi_card_play=same_rank stack_target=either"),
    Table(f"{_EIGHT} row_slots=2 stress_pickup=one one_pile=smaller post_stress_empty_stock=opponent_gives "
          "restart_both_empty=draw"),
    Table(f"{_FEW} deck_ranks=3"),
    Table(f"{_PAIRS} deadlock_rule=redeal", players=_GREEDY),
    Table(f"{_PAIRS} handicap_bunches=1 handicap_player=2 deadlock_rule=redeal", players=_GREEDY),
    Table(_TEAMS, players=_GREEDY),
    Table(f"{_THREE} ranking=all_but_one", players=_GREEDY),
)  # fmt: skip
"""Games that are solved in a second or two."""

GAMES = (
    *BRIEF_GAMES,
    # the cards
    Table("swedish deck=custom deck_ranks=4 deck_copies=1 deal_mode=own_deck_each row_slots=2 ace=low"),
    Table("swedish deck=custom deck_ranks=4 deck_copies=1 deal_mode=split_combined n_decks=2 row_slots=1 ace=low"),
    Table("swedish deck=custom deck_ranks=3 deck_copies=2 n_jokers=2 row_slots=1 ace=low"),
    Table(f"{_JOKERS} joker_mode=named ace=low"),
    Table(f"{_JOKERS} joker_mode=anything stress_pickup=left ace=high"),
    Table(f"{_JOKERS} stress_on=none stress_pickup=left ace=low"),
    # the row
    Table(f"{_EIGHT} row_slots=2 merge_equal_ranks=always pile_play=whole ace=low"),
    Table(f"{_EIGHT} row_slots=2 merge_equal_ranks=at_deal pile_play=either ace=low restart_both_empty=draw"),
    Table(f"{_EIGHT} row_slots=2 refill_policy=none start_flip_equal=reflip restart_target=any_pile ace=low"),
    Table(f"{_EIGHT} row_slots=2 equal_rank_playable=true ace=low"),
    Table(f"{_EIGHT} row_slots=3 multi_card_play=same_rank merge_equal_ranks=always pile_play=either ace=low"),
    # flips and locks
    Table(f"{_EIGHT} row_slots=1 restart_both_empty=take_right_pile_shuffle ace=high"),
    Table(f"{_EIGHT} row_slots=1 restart_both_empty=take_right_pile_shuffle stress_on=none ace=low"),
    Table(f"{_EIGHT} row_slots=1 restart_both_empty=take_right_pile_shuffle restart_target=any_pile "
          "under_order=random ace=low"),
    Table(f"{_EIGHT} row_slots=2 restart_both_empty=fewest_cards_wins restart_empty_stock=take_from_opponent "
          "giver_with_one_card=from_row ace=low"),
    Table(f"{_EIGHT} row_slots=2 restart_both_empty=draw restart_empty_stock=opponent_gives "
          "post_stress_empty_stock=one_pile_only under_order=other_first ace=high"),
    Table(f"{_EIGHT} row_slots=1 restart_empty_stock=opponent_gives giver_with_one_card=give_anyway "
          "taken_card=random pickup_placement=shuffle_into_stock ace=low"),
    # stress
    Table(f"{_EIGHT} row_slots=1 stress_pickup=left other_pile_after_stress=set_aside "
          "flip_before_refill=false ace=low"),
    Table(f"{_EIGHT} row_slots=2 stress_pickup=left flip_before_refill=false ace=low"),
    Table(f"{_EIGHT} row_slots=1 stress_pickup=right pile_view=absolute win_check_before_stress=false ace=low"),
    Table(f"{_EIGHT} row_slots=2 stress_pickup=one one_pile=right post_stress_empty_stock=take_from_opponent "
          "taken_card=random ace=low"),
    Table(f"{_EIGHT} row_slots=2 stress_pickup=one post_stress_empty_stock=flip_alone ace=low",
          players=("1.pile_choice=smaller", "2.pile_choice=random")),
    # the handicap, rows, runs and side piles
    Table(f"{_EIGHT} row_slots=2 handicap_cards=1 ace=low"),
    Table("swedish deck=custom deck_ranks=4 deck_copies=1 deal_mode=own_deck_each row_slots=1 handicap_cards=-2 "
          "ace=low"),
    Table(f"{_EIGHT} row_slots=2 multi_card_play=run ace=low"),
    Table(f"{_EIGHT} row_slots=2 multi_card_play=run merge_equal_ranks=always pile_play=whole restart_source=own_row"),
    Table(f"{_EIGHT} row_slots=2 restart_source=own_row restart_target=any_pile ace=low"),
    Table(f"{_SPEED} row_slots=1 side_pile_cards=1 ace=low"),
    Table(f"{_SPEED} row_slots=1 side_pile_cards=1 side_pile_reuse=turned_over ace=low"),
    Table(f"{_SPEED} row_slots=2 side_pile_cards=0 side_pile_reuse=never restart_both_empty=fewest_cards_wins ace=low"),
    # rows of piles, and rounds
    Table(f"{_SPIT} row_slots=2"),
    Table(f"{_SPIT} row_slots=2 move_to_empty=false"),
    Table(f"{_SPIT} row_slots=2 merge_equal_ranks=always"),
    Table(f"{_SPIT} row_slots=2 round_end=none restart_both_empty=take_right_pile_shuffle"),
    # more than two piles
    Table(f"{_THREE_PILES} under_order=other_first ace=low"),
    Table(f"{_THREE_PILES} stress_pickup=one one_pile=smaller pile_view=absolute ace=low"),
    Table(f"{_THREE_PILES} stress_pickup=one one_pile=right under_order=random restart_both_empty=draw ace=low"),
    Table(f"{_THREE_PILES} stress_pickup=one post_stress_empty_stock=one_pile_only ace=low",
          players=("1.pile_choice=left", "2.pile_choice=random")),
    Table(f"{_THREE_PILES} stress_pickup=left flip_before_refill=false win_check_before_stress=false ace=low"),
    Table("swedish deck=custom deck_ranks=4 deck_copies=1 row_slots=1 n_jokers=2 centre_piles=3 stress_pickup=left "
          "other_pile_after_stress=set_aside ace=low"),
    Table("swedish deck=custom deck_ranks=6 deck_copies=1 row_slots=1 centre_piles=3 "
          "restart_empty_stock=opponent_gives restart_both_empty=fewest_cards_wins ace=low"),
    Table(f"{_EIGHT} row_slots=1 centre_piles=4 stress_pairs=neighbours ace=low"),
    # three and four players
    Table("swedish deck=custom deck_ranks=3 deck_copies=1 n_players=3 row_slots=2 stress_pickup=left "
          "other_pile_after_stress=set_aside ace=low"),
    Table(f"{_SIX} n_players=3 {_SHARED} centre_piles=2 stress_share=all_but_first "
          "pickup_placement=shuffle_into_stock post_stress_empty_stock=opponent_gives taken_card=random"),
    Table(f"{_EIGHT} n_players=4 {_SHARED} stress_pairs=neighbours stress_share=all_but_first stress_pickup=all"),
    Table("swedish deck=custom deck_ranks=3 deck_copies=3 n_players=3 deal_mode=split_combined n_decks=1 row_slots=2 "
          "ace=low stress_pairs=all stress_pickup=right other_pile_after_stress=set_aside"),
    Table("swedish deck=custom deck_ranks=3 deck_copies=1 n_jokers=3 n_players=3 deal_mode=split_combined n_decks=1 "
          "row_slots=1 ace=low joker_mode=anything stress_pickup=right other_pile_after_stress=set_aside"),
    Table(f"swedish deck=custom deck_ranks=6 deck_copies=1 n_players=3 {_SHARED} centre_piles=2 "
          "restart_both_empty=take_right_pile_shuffle"),
    Table(f"swedish deck=custom deck_ranks=3 deck_copies=3 n_players=3 {_SHARED} handicap_cards=1 stress_pickup=left"),
    Table(f"swedish deck=custom deck_ranks=6 deck_copies=1 n_players=3 {_SHARED} centre_piles=2 "
          "restart_source=own_row"),
    # the exchange game
    Table(f"{_FEW} deck_ranks=3", players=_GREEDY),
    Table(f"{_FEW} deck_ranks=3", players=("1.churn_weight=0",)),
    Table(f"{_FEW} deck_ranks=3 n_players=1"),
    Table(f"{_PAIRS} deadlock_rule=most_complete_wins win_tie=first_complete", players=_GREEDY),
    Table(f"{_PAIRS} take_back_own=forbidden", players=_GREEDY),
    Table(f"{_THREE} take_back_own=forbidden"),
    Table(f"{_FEW} deck_ranks=4 deck_copies=3 bunch_size=3 centre_cards=3 n_players=3 win_tie=shared", players=_GREEDY),
    Table(f"{_FEW} deck_ranks=3 deck_copies=3 n_jokers=2 bunch_size=3 centre_cards=2 n_players=3"),
    Table(f"{_FEW} deck_ranks=4 deck_copies=3 cards_removed=1 bunch_size=3 centre_cards=2 n_players=3 "
          "win_tie=first_complete"),
    Table(f"{_TEAMS} take_back_own=forbidden", players=("1.churn_weight=0", "3.churn_weight=0")),
    Table(f"{_TEAMS} ranking=all"),
    Table(f"{_THREE} ranking=all take_back_own=forbidden deadlock_rule=redeal", players=_GREEDY),
    Table(f"{_FEW} deck_ranks=4 deck_copies=3 bunch_size=2 centre_cards=4 handicap_bunches=1 win_tie=shared",
          players=_GREEDY),
    Table(f"{_FEW} deck_ranks=3 deck_copies=2 n_decks=2 bunch_size=4 centre_cards=4 win_tie=shared"),
)  # fmt: skip
"""Games that between them use every value of every option that changes play without a clock."""


def small_checks(game: Table, deals: int, seed: int, jobs: int | None) -> Iterator[Check]:
    """Compare all that a solved game says with deals of the kernel; nothing where it is too large to be solved."""
    loaded = game.loaded
    try:
        exact = solved(loaded, game.seated(loaded))
    except TooCostlyError:
        return
    tally = game.play(deals, seed, jobs).tally
    about = About(GROUP, f"{game.rules}{''.join(f' {player}' for player in game.players)}")
    columns = {column.name: column for column in loaded.family.columns}
    for outcome in ("won", "drawn", "deadlocked"):
        yield about.share(outcome, exact.outcomes.get(outcome, 0.0), tally.sum_of(outcome), deals)
    # What has no end is found out at once, or after very many moves.
    endless = exact.outcomes.get("livelocked", 0.0) + exact.outcomes.get(ENDLESS, 0.0)
    yield about.share("endless", endless, tally.sum_of("livelocked") + tally.sum_of("unfinished"), deals)
    for name, value in exact.flags.items():
        if name in columns:
            yield about.share(name, value, tally.sum_of(name), deals)
    for name, value in exact.counts.items():
        if name in columns and columns[name].unit == "flag":
            yield about.share(name, value, tally.sum_of(name), deals)
        elif name in columns:
            yield about.mean(name, value, tally.sum_of(name), tally.squares_of(name), deals)

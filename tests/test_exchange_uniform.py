"""The exchange game without a clock against what is known exactly of its model."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from exchange_checks import NEVER_STALL
from exchange_playing import COLUMN, FAMILY, GREEDY, chi_square, column, lowered_of, off, rows_of

from stressim.exact.chains import ENDLESS
from stressim.exchange.events import Kind
from stressim.exchange.referee import judge
from stressim.exchange.referee.table import Event, Table, counted_ranks
from stressim.exchange.rules import ExchangeRules
from stressim.rulesfile import load_rules
from stressim.small_decks import solved
from stressim.verify.deals import Table as SolvedTable

DEALS = 100_000


@pytest.mark.parametrize("n_players", NEVER_STALL)
def test_greedy__share_of_deals_that_lock_for_ever(n_players: int) -> None:
    rows = rows_of(f"james-bond n_players={n_players}", DEALS, players=GREEDY, seed=2)

    assert abs(off(column(rows, "stalled"), 1 - NEVER_STALL[n_players])) < 4
    assert (column(rows, "deadlocked") == column(rows, "stalled")).all()
    assert (column(rows, "stalls") == column(rows, "locks")).all()


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_winner__takes_as_many_cards_as_his_bunches_lack(n_players: int) -> None:
    greedy = rows_of(f"james-bond n_players={n_players}", 20_000, players=GREEDY)
    others = rows_of(f"james-bond n_players={n_players}", 20_000)

    assert (column(greedy, "winner_swapped_cards") == column(greedy, "winner_work")).all()
    assert (column(others, "winner_swapped_cards") >= column(others, "winner_work")).all()
    assert (column(others, "winner_swapped_cards") > column(others, "winner_work")).any()


@pytest.mark.parametrize("n_players", [3, 4, 6])
def test_winner__every_set_of_ranks_is_as_likely(n_players: int) -> None:
    rows = rows_of(f"james-bond n_players={n_players}", 40_000, seed=6)
    sets, counts = np.unique(column(rows, "winner_ranks"), return_counts=True)

    assert len(sets) == comb(13, 12 // n_players)
    assert chi_square(counts) < 4


@pytest.mark.parametrize("rule", ["redeal", "first_complete", "shared"])
def test_A23_done_at_the_deal__is_a_tie(rule: str) -> None:
    """Two ranks of two: one bunch each of two, and nothing in the centre that could tell the players apart."""
    cards = "deck=custom deck_ranks=3 deck_copies=2 bunch_size=2 centre_cards=2"
    rows = rows_of(f"james-bond {cards} win_tie={rule}", 20_000)
    both = (1 / 5) * (1 / 3)  # the first bunch is a pair, and then the second

    if rule == "redeal":
        assert abs(off(column(rows, "redeals") > 0, both)) < 4
        assert column(rows, "drawn").sum() == 0
    else:
        assert abs(off(column(rows, "drawn"), both)) < 4
    assert abs(off(column(rows, "win_1")[column(rows, "won") == 1], 0.5)) < 4


def test_A20_redeal__gives_every_deal_a_winner() -> None:
    rows = rows_of("james-bond deadlock_rule=redeal", 2_000, players=GREEDY)

    assert column(rows, "won").all()
    assert abs(off(column(rows, "redeals") == 0, NEVER_STALL[2])) < 4


def test_A20_most_complete_wins__or_draws() -> None:
    rows = rows_of("james-bond deadlock_rule=most_complete_wins", 5_000, players=GREEDY)

    assert (column(rows, "won") + column(rows, "drawn")).all()
    assert column(rows, "drawn").any()


def test_mixed_players__one_who_gives_way_can_go_round_for_ever() -> None:
    """Cards that the other holds on to may leave too few for the one who gives way; nothing then changes that."""
    rows = rows_of("james-bond", 5_000, players=["1=greedy"])

    assert not column(rows, "unfinished").any()
    assert column(rows, "won").any()
    assert column(rows, "livelocked").any()


_SIX_COPIES = "james-bond deck=custom deck_copies=6 bunch_size=3"


def _lacks_for_ever(table: Table, player: int) -> bool:
    """Whether for some rank a player's bunches with more than half of it lack more cards than lie loose."""
    bunches = [bunch for own in table.bunches for bunch in own if len(counted_ranks(bunch)) > 1]
    for rank in range(table.rules.n_ranks):
        loose = counted_ranks(table.centre)[rank]
        loose += sum(n for n in (counted_ranks(bunch)[rank] for bunch in bunches) if 2 * n <= table.rules.bunch_size)
        held = [counted_ranks(table.bunches[player][bunch])[rank] for bunch in table.unfinished(player)]
        if sum(table.rules.bunch_size - n for n in held if 2 * n > table.rules.bunch_size) > loose:
            return True
    return False


@pytest.mark.parametrize("changes", ["deck_ranks=5 centre_cards=6", "deck_ranks=2 centre_cards=3 n_players=3"])
def test_sensible__go_round_for_ever_with_a_rank_shared_out_among_too_many_bunches(changes: str) -> None:
    """Three bunches with two of the six cards of a rank lack the third for ever: pairs are never laid."""
    setting = f"{_SIX_COPIES} {changes}"
    rows = rows_of(setting, 600)

    assert (column(rows, "won") + column(rows, "livelocked")).all()
    assert 0.05 < column(rows, "livelocked").mean() < 0.95
    assert column(rows, "moves").max() < 5_000
    rules = load_rules("james-bond", sets=setting.split()[1:]).options
    assert isinstance(rules, ExchangeRules)
    for deal in range(60):
        log = FAMILY.log_deal(lowered_of(setting), 1, deal)
        table = Table.dealt(rules, log.cards)
        for row, (time, kind, *others) in enumerate(log.events.tolist()):
            table.apply(Event(row, time, Kind(kind), *others))
        endless = all(_lacks_for_ever(table, player) for player in table.players)
        assert endless == log.row[COLUMN["livelocked"]]
        assert judge(rules, log.cards, log.events, uniform=True).livelocked == endless


def test_sensible__go_round_for_ever_as_often_as_the_solved_game_says() -> None:
    game = SolvedTable("james-bond deck=custom deck_ranks=2 deck_copies=6 bunch_size=3 centre_cards=3 n_players=3")
    exact = solved(game.loaded, game.seated(game.loaded))
    rows = rows_of(f"{_SIX_COPIES} deck_ranks=2 centre_cards=3 n_players=3", 20_000, seed=3)

    assert 0.01 < exact.outcomes[ENDLESS] < 0.99
    assert abs(off(column(rows, "livelocked"), exact.outcomes[ENDLESS])) < 4


def test_A14_forbidden__changes_the_deals() -> None:
    allowed, forbidden = (rows_of(f"james-bond take_back_own={rule}", 2_000) for rule in ("allowed_later", "forbidden"))

    assert abs(column(allowed, "moves").mean() - column(forbidden, "moves").mean()) > 1

"""House rules of the exchange game: teams, places, bunches given, up to four cards a grab, and one who plays alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from exchange_checks import given_ranks, places, seats
from exchange_logs import Log, accepted, refused
from exchange_playing import COLUMN, FAMILY, GREEDY, TIMINGS, chi_square, column, lowered_of, off, rows_of
from made_up_exchange import made_up_result
from pydantic import ValidationError

from stressim.exchange.deal_facts import Deal, quantities
from stressim.exchange.events import Field, Kind, Outcome, Reason
from stressim.exchange.replay_words import closing, moments
from stressim.exchange.rules import ExchangeRules
from stressim.exchange.words import sentences
from stressim.players.resolve import resolve_players
from stressim.rulesfile import load_rules
from stressim.simulate import Result, simulate

SMALL = {"deck": "custom", "deck_ranks": "5", "deck_copies": 3, "bunch_size": 3, "centre_cards": 3}
THREE = {"deck": "custom", "deck_ranks": "4", "deck_copies": 2, "bunch_size": 2, "centre_cards": 2, "n_players": 3}


def message_of(**options: Any) -> str:
    with pytest.raises(ValidationError) as error:
        ExchangeRules(**options)
    return str(error.value.errors()[0]["ctx"]["error"])


def played(rules: str, deals: int, *sets: str) -> Result:
    """Play deals without a clock and count them."""
    loaded = load_rules(rules, sets)
    players = resolve_players((), loaded.options.n_players, loaded.family.habits)  # type: ignore[attr-defined]
    return simulate(loaded, players, "uniform", deals=deals, jobs=1)


# rules


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_players": 3, "team_size": 2}, "n_players=3 does not make whole teams of team_size=2"),
        ({"n_players": 4, "team_size": 2, "false_call_penalty": "forfeit"}, "forfeit needs team_size=1"),
        (
            {"n_players": 10, "team_size": 5, "deck": "jass36", "cards_removed": 8},
            "team_size=5 is more than a team has",
        ),
        ({"handicap_bunches": 6}, "of 6 bunches at most 5 can be given"),
        ({"n_players": 4, "team_size": 2, "handicap_bunches": 5}, "of 6 bunches at most 4 can be given"),
        ({"handicap_bunches": 1, "handicap_player": 3}, "handicap_player=3 does not play: n_players=2"),
        (
            {"n_players": 10, "team_size": 2},
            "do not make as many bunches of 4 for each team; n_players=8 or n_players=12",
        ),
    ],
)
def test_house_rules__that_do_not_combine(options: dict[str, Any], message: str) -> None:
    assert message in message_of(**options)


def test_team_size__bunches_are_the_teams() -> None:
    rules = ExchangeRules(n_players=4, team_size=2)

    assert (rules.n_sides, rules.bunches_each, rules.n_bunches) == (2, 6, 12)
    assert [rules.side_of(player) for player in range(4)] == [0, 1, 0, 1]


def test_solo__has_28_cards() -> None:
    rules = load_rules("james-bond-solo").options
    assert isinstance(rules, ExchangeRules)

    assert (rules.n_cards, rules.bunches_each, rules.centre_cards) == (28, 6, 4)
    assert {card % 16 for card in rules.cards} == set(range(7))


# the referee


def _pairs(**options: Any) -> Log:
    """Two pairs with two bunches each; player 1 holds the first of his pair's."""
    log = Log({**SMALL, "n_players": 4, "team_size": 2, **options}, "A A 2 / 3 4 5", "2 2 3 / 4 5 5", centre="A 3 4")
    return log.wait(1).pick_up(0, 0)


def test_A9_team_size__no_bunch_is_in_two_hands() -> None:
    refused(_pairs().pick_up(2, 0), "A9 bunch in hand")
    accepted(_pairs().pick_up(2, 1))
    accepted(_pairs().put_back(0).pick_up(2, 0))


def test_A9_team_size__a_hand_is_a_players_own() -> None:
    refused(_pairs().put_back(2, 0), "A9 bunch in hand")


def _pair_alone(**options: Any) -> Log:
    """A pair with two bunches; player 1 has laid open one of them, and player 2 holds the other, which lacks a card."""
    rules = {"deck": "custom", "deck_ranks": "4", "deck_copies": 2, "bunch_size": 2, "centre_cards": 4, "n_players": 2}
    log = Log({**rules, "team_size": 2, **options}, "A 2 / 3 4", centre="A 2 4 3").wait(1).pick_up(0, 0).pick_up(1, 1)
    return log.wait(1).swap(0, "2", "A").complete(0).wait(1)


def test_A22_team_size__the_whole_team_wins() -> None:
    refused(_pair_alone().call(0), "A22 win")
    verdict = accepted(_pair_alone().swap(1, "4", "3").complete(1).wait(0.3).call(1).won(1))

    assert (verdict.win_1, verdict.win_2, verdict.losers, verdict.winner_swapped_cards) == (1, 1, 0, 2)


def test_stall_team_size__who_has_no_bunch_left_keeps_nobody_waiting() -> None:
    """What is held cannot be improved; a stall begins with the row that leaves player 1 without a bunch."""
    cards = {"deck": "custom", "deck_ranks": "6", "deck_copies": 3, "bunch_size": 2, "centre_cards": 6}
    log = Log({**cards, "n_players": 4, "team_size": 2}, "A A / 3 4 / 2 2", "3 4 / 3 4 / 6 2", centre="A 5 5 5 6 6")
    log.wait(1).pick_up(0, 0).pick_up(2, 1).pick_up(1, 0).pick_up(3, 1).wait(1)
    log.complete(0).wait(1).pick_up(0, 2).wait(1).complete(0).wait(1)
    verdict = accepted(log)

    assert (verdict.stalls, verdict.locks) == (1, 0)
    assert verdict.stall_spans[0][0] == log.events[-2][0]


def _first_done(**options: Any) -> Log:
    """Three players with a bunch each; player 1 is done and has called, nothing else has happened."""
    log = Log({**THREE, "ranking": "all", **options}, "A 2", "2 3", "3 4", centre="A 4").wait(1)
    return log.pick_up(0).pick_up(1).pick_up(2).wait(1).swap(0, "2", "A").complete(0).wait(0.3).call(0)


def _second_done(**options: Any) -> Log:
    return _first_done(**options).wait(1).swap(1, "3", "2").complete(1).wait(0.3).call(1)


def test_A24_ranking__places_go_by_the_order_of_the_calls() -> None:
    log = _second_done().wait(1).swap(2, "4", "3").complete(2).wait(0.3).call(2).won(0)
    verdict = accepted(log)

    assert (verdict.ranked, verdict.place_1, verdict.place_2, verdict.place_3, verdict.last_3) == (1, 1, 2, 3, 1)
    assert verdict.winner_us < verdict.length_us
    assert (verdict.win_1, verdict.losers, verdict.loser_bunches) == (1, 2, 0)


def test_A24_ranking__the_last_one_left_is_the_last() -> None:
    verdict = accepted(_second_done(ranking="all_but_one").won(0))

    assert (verdict.ranked, verdict.place_3, verdict.last_3) == (1, 3, 1)
    refused(_second_done(ranking="all_but_one").wait(1).put_back(2), "A24 ranking")


def test_A24_ranking__who_has_a_place_does_nothing_more() -> None:
    refused(_first_done().wait(1).call(0), "A24 ranking")
    refused(_first_done().wait(1).pick_up(0), "A24 ranking")


def test_A24_ranking__the_first_has_won() -> None:
    refused(_second_done(ranking="all_but_one").won(1), "A24 ranking")
    refused(_first_done().end(Outcome.DRAWN), "A24 ranking")


def test_A24_ranking__goes_on_as_long_as_somebody_can_improve() -> None:
    refused(_first_done().won(0), "A20 deadlock")


def test_A24_ranking__no_new_deal_once_a_player_has_won() -> None:
    log = _first_done(deadlock_rule="redeal", deadlock_wait_s=5).wait(4.7).redeal(Reason.DEADLOCK)
    refused(log, "A24 ranking", event=7)


def test_A24_without_ranking__play_stops_at_the_first_call() -> None:
    refused(_first_done(ranking="none").wait(1).put_back(1), "A22 win")


def test_A5_handicap_bunches__are_complete_and_lie_open() -> None:
    options = {**SMALL, "handicap_bunches": 1, "handicap_player": 2}
    given = Log(options, "A A 2 / 3 4 4", "2 2 3 / 5 5 5", centre="A 3 4").wait(1)

    assert given.table.laid_open == [[False, False], [False, True]]
    refused(given.pick_up(1, 1), "A19 complete bunch")
    other = Log(options, "A A 2 / 3 4 5", "2 2 3 / 5 5 4", centre="A 3 4").wait(1).pick_up(0)
    refused(other, "A5 handicap_bunches", event=-1)


def test_A12_swap_max_cards__four_in_one_grab() -> None:
    def grabbed(most: int) -> Log:
        log = Log({"swap_max_cards": most}, "A 2 3 4", centre="5 5 5 5").wait(1).pick_up(0).wait(1)
        return log.swap(0, "A 2 3 4", "5 5 5 5").complete(0)

    assert accepted(grabbed(4)).swaps == 1
    refused(grabbed(3), "A12 swap_max_cards", event=1)


# words


def test_replay_words__say_places_and_partners() -> None:
    log = _second_done().wait(1).swap(2, "4", "3").complete(2).wait(0.3).call(2).won(0)
    told = [moment.sentence for moment in moments(log.rules, log.cards, log.events)]

    assert 'Player 1 calls "Stress" and has place 1.' in told
    assert 'Player 3 calls "Stress" and has place 3.' in told
    assert closing(log.rules, accepted(log).as_dict())[-1] == "Places: 1 player 1, 2 player 2, 3 player 3."


def test_replay_words__a_bunch_stands_with_the_partner_who_holds_it() -> None:
    log = _pairs().pick_up(2, 1).put_back(0)
    table = [moment.table for moment in moments(log.rules, log.cards, log.events)]

    assert table[0] == ("[A A 2] / 3 4 5", "2 2 3 / 4 5 5", "", "")
    assert table[1] == ("[A A 2]", "2 2 3 / 4 5 5", "[3 4 5]", "")
    assert table[2][0] == "A A 2"


def test_sentences__say_what_teams_win_and_how_places_fall() -> None:
    teams, ranked = played("james-bond-teams", 400), played("james-bond-ranked", 400)
    said, places_said = dict(sentences(teams)), dict(sentences(ranked))["Places"]

    assert said["Fairness"].startswith("Players 1 and 3 win ")
    assert "players 2 and 4 win " in said["Fairness"]
    skew = teams.estimates["win_skew"]
    assert skew.low is not None
    assert skew.high is not None
    assert skew.low < skew.estimate < skew.high
    assert places_said.startswith("Places 1 to 3 in 100 ranked deals: player 1 ")
    assert "Places" not in dict(sentences(made_up_result()))


# deals


def test_team_size__partners_both_play() -> None:
    log = FAMILY.log_deal(lowered_of("james-bond-teams", (), "human"), 1, 0)
    by_player = np.bincount(log.events[log.events[:, Field.KIND] == Kind.TAKE, Field.PLAYER], minlength=4)

    assert by_player.min() > 3
    assert log.row[COLUMN["win_1"]] == log.row[COLUMN["win_3"]]


def test_team_size__two_hands_are_quicker_than_one() -> None:
    pairs = rows_of("james-bond-teams", 400, timing="human")
    single = rows_of("james-bond", 400, timing="human")

    assert column(pairs, "length_us").mean() < 0.8 * column(single, "length_us").mean()


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize(
    "rules",
    ["james-bond-teams", "james-bond n_players=6 team_size=3 swap_max_cards=2", "james-bond n_players=6 team_size=2"],
)
def test_team_size__teams_win_alike(rules: str, timing: str) -> None:
    assert seats(rules, timing, {"uniform": 20_000, "human": 6_000}[timing]).holds


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("rules", ["james-bond-ranked", "james-bond n_players=4 ranking=all"])
def test_ranking__places_fall_alike(rules: str, timing: str) -> None:
    found = list(places(rules, timing, {"uniform": 20_000, "human": 6_000}[timing]))

    assert [check for check in found if not check.holds] == []
    assert len(found) == int(lowered_of(rules).rules["n_sides"][0])


@pytest.mark.parametrize("timing", TIMINGS)
def test_ranking__leaves_the_win_as_it_is(timing: str) -> None:
    """Play goes on after the win: who wins, and what is counted of him, does not hang on that."""
    same = ["won", "win_1", "win_2", "win_3", "comeback", "dead_ppm", "winner_swapped_cards", "winner_work"]
    before = rows_of("james-bond n_players=3 win_tie=first_complete call_tie_window_ms=0", 500, timing=timing)
    after = rows_of("james-bond n_players=3 win_tie=first_complete ranking=all", 500, timing=timing)

    assert all((column(before, name) == column(after, name)).all() for name in [*same, "loser_bunches", "winner_ranks"])
    assert (column(before, "length_us") <= column(after, "length_us")).all()
    assert (column(after, "ranked") == 1).all()
    if timing == "human":
        assert (column(after, "winner_us") == column(before, "length_us")).all()


@pytest.mark.parametrize("timing", TIMINGS)
def test_ranking__ends_with_the_first_where_the_others_are_stuck(timing: str) -> None:
    rows = rows_of("james-bond n_players=3 ranking=all", 300, players=["2=greedy", "3=greedy"], timing=timing)
    stuck = column(rows, "ranked") == 0

    assert stuck.any()
    assert (column(rows, "won")[~stuck] == 1).all()
    assert all((column(rows, f"place_{seat}")[stuck] == 0).all() for seat in (1, 2, 3))


def test_ranking__exact_end_everybody_done_leaves_four_of_a_kind() -> None:
    """If everyone finishes, the centre is four of a kind too."""
    lowered = lowered_of("james-bond n_players=3 ranking=all", (), "uniform")
    for deal in range(20):
        log = FAMILY.log_deal(lowered, 2, deal)
        centre = set(log.cards[48:].tolist())
        for event in log.events:
            if event[Field.KIND] == Kind.PUT_DOWN:
                centre.add(int(event[Field.CARD]))
            elif event[Field.KIND] == Kind.TAKE:
                centre.remove(int(event[Field.CARD]))
        assert len({card % 16 for card in centre}) == 1


def test_handicap__ranks_are_drawn_alike() -> None:
    assert given_ranks(20_000).holds


@pytest.mark.parametrize(
    "rules", ["james-bond handicap_bunches=2", "james-bond n_decks=2 n_players=5 handicap_bunches=1"]
)
def test_handicap__the_rest_is_dealt_by_chance(rules: str) -> None:
    """Facts of the deal with bunches given, against fractions."""
    name, *sets = rules.split()
    options = load_rules(name, sets=sets).options
    assert isinstance(options, ExchangeRules)
    rows = rows_of(rules, 20_000, seed=5)
    known = {quantity.column: float(quantity.value) for quantity in quantities(options) if quantity.column}

    assert set(known) >= {"paired_bunches", "pairless_1", "dealt_complete", "centre_helps_1", "centre_shares_1"}
    assert {name: value for name, value in known.items() if abs(off(column(rows, name), value)) >= 4} == {}


def test_handicap__two_of_one_rank_are_left_out_of_what_is_exact() -> None:
    (left_out,) = quantities(ExchangeRules(n_decks=2, n_players=5, handicap_bunches=2))

    assert left_out.value is None
    assert "handicap" in left_out.reason
    assert Deal(ExchangeRules(handicap_bunches=3)).n_cards == 40


@pytest.mark.parametrize("timing", TIMINGS)
def test_handicap__helps_whom_it_is_given(timing: str) -> None:
    one = rows_of("james-bond handicap_bunches=3", 1_000, timing=timing)
    two = rows_of("james-bond handicap_bunches=3 handicap_player=2", 1_000, timing=timing)

    assert column(one, "win_1").mean() > 0.6
    assert column(two, "win_2").mean() > 0.6


def test_handicap__is_dealt_again_with_the_cards() -> None:
    log = FAMILY.log_deal(lowered_of("james-bond handicap_bunches=1 deadlock_rule=redeal", GREEDY, "uniform"), 1, 4)
    dealt = log.events[log.events[:, Field.KIND] == Kind.DEAL]

    assert len(dealt) >= 52
    given = dealt[(dealt[:, Field.PLAYER] == 0) & (dealt[:, Field.BUNCH] == 5)]
    ranks = (given[:, Field.CARD] % 16).reshape(-1, 4)
    assert (ranks == ranks[:, :1]).all()


def test_swap_max_cards__four_are_used() -> None:
    """Grabs of one to three cards for one rank, with a second pair up to four; never more than the rules allow."""
    lowered = lowered_of("james-bond n_decks=2 centre_cards=8 n_players=2 swap_max_cards=4", (), "human")
    sizes = set()
    for deal in range(60):
        log = FAMILY.log_deal(lowered, 3, deal)
        laid = log.events[log.events[:, Field.KIND] == Kind.PUT_DOWN]
        sizes |= set((laid[:, Field.NUMBER] + 1).tolist())

    assert {1, 2, 3} <= sizes
    assert max(sizes) <= 4


@pytest.mark.parametrize("timing", TIMINGS)
def test_solo__is_won_or_locked(timing: str) -> None:
    sensible = rows_of("james-bond-solo", 300, timing=timing)
    greedy = rows_of("james-bond-solo", 300, players=GREEDY, timing=timing)

    assert (column(sensible, "won") == 1).all()
    assert (column(greedy, "won") + column(greedy, "deadlocked") == 1).all()
    assert column(greedy, "deadlocked").any()
    assert column(greedy, "won").any()
    assert column(sensible, "contested_lost").sum() == 0


def test_solo__every_set_of_ranks_is_as_likely() -> None:
    rows = rows_of("james-bond-solo", 7_000, seed=6)
    sets, counts = np.unique(column(rows, "winner_ranks"), return_counts=True)

    assert len(sets) == 7
    assert chi_square(counts) < 4


def test_matches__of_teams_are_won_by_partners() -> None:
    result = played("james-bond-teams", 300, "match_format=best_of(3)")
    wins = [result.estimates[f"match_win_{seat}"].estimate for seat in range(1, 5)]

    assert wins[0] == wins[2]
    assert wins[1] == wins[3]
    assert wins[0] + wins[1] == pytest.approx(1)


def test_deal__in_which_cards_are_only_yielded_and_taken_back_is_over() -> None:
    """Nobody switches, and the bunches in hand cannot be completed, though others could: no lock, and no winner."""
    players = ["all.switch_weight=0", "all.yield_weight=1", "all.churn_weight=0"]
    rows = rows_of("james-bond n_players=6", 400, players=players, timing="human")

    assert column(rows, "livelocked").mean() > 0.4
    assert column(rows, "unfinished").mean() < 0.01

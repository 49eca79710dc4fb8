"""What is said of results of the exchange game: first whether deals lock, and what mends it."""

from __future__ import annotations

import importlib
import json

import pytest
from made_up_exchange import EXCHANGE, made_up_result

from stressim.asserts import parse
from stressim.errors import InputError
from stressim.exchange.words import sentences
from stressim.output import machine
from stressim.output.invocation import Invocation
from stressim.output.sparkline import sparkline
from stressim.output.text import WIDTH, render
from stressim.players.resolve import resolve_players
from stressim.rulesfile import load_rules
from stressim.simulate import simulate


def said(label: str, **changes) -> str:
    """The sentence with this label and those without one after it."""
    found = sentences(made_up_result(**changes))
    labels = [each for each, _ in found]
    first = labels.index(label)
    last = next((place for place in range(first + 1, len(labels)) if labels[place]), len(labels))
    return " ".join(text for _, text in found[first:last])


def test_words__players_who_only_improve_lock_for_ever_and_the_text_has_no_rule():
    text = said("Locks", players=("all=greedy",), dead=0.937)
    assert text.startswith("Among players who only improve, 93.7 % of deals lock for ever: ")
    assert "The text has no rule for it." in text
    assert text.endswith(
        "What mends it: players who give way (--player all=sensible), or --set deadlock_rule=redeal, after 10 s "
        "(deadlock_wait_s, a guess) without a swap."
    )
    # Without a clock nothing waits.
    text = said("Locks", players=("all=greedy",), dead=0.937, timing="uniform")
    assert text.endswith("(--player all=sensible), or --set deadlock_rule=redeal.")


def test_words__players_who_give_way_go_on():
    text = said("Locks", dead=0)
    assert text.startswith("94 of 100 deals lock, 2.8 times a deal: players who only improve would sit there for ever.")
    assert "With sensible players all deals go on, and half of all deals end within 2 min 19 s." in text
    assert "The text has no rule for it. Players who give way mend it." in text


def test_words__deals_without_end_do_not_go_on():
    text = said("Locks", players=("1=greedy",), dead=0.21, endings="livelocked")
    assert "With greedy and sensible players 21 of 100 deals come to no end, cards going round." in text
    assert "all deals go on" not in text


def test_words__deals_that_stay_locked_and_deals_without_end_are_both_said():
    both = {"dead": 0.2, "endless": 0.05}
    text = said("Locks", players=("1=greedy",), **both)
    assert (
        "With greedy and sensible players 20 of 100 deals stay locked, 5 of 100 deals come to no end, cards going "
        "round." in text
    )
    assert said("Locks", players=("all=greedy",), **both).startswith(
        "Among players who only improve, 20.0 % of deals lock for ever: no card in the centre improves anybody's "
        "bunch, and nobody gives way. 5 of 100 deals come to no end, cards going round. "
    )
    assert said("Ending", **both) == (
        "75 of 100 deals have a winner; in 20 of 100 nobody would ever swap a card again; in 5 of 100 the same "
        "positions would come back for ever."
    )


def test_words__deals_without_end_need_all_to_give_way():
    mended = "Players who all give way mend it (--player all=sensible)."
    assert said("Locks", players=("1=greedy",), dead=0, endless=0.2).endswith(f"The text has no rule for it. {mended}")
    # Where all do and deals go round nevertheless, nobody knows what would help.
    text = said("Locks", dead=0, endless=0.2)
    assert "With sensible players 20 of 100 deals come to no end" in text
    assert text.endswith("The text has no rule for it.")


def test_words__deals_without_end_are_said_where_none_locks():
    assert said("Locks", locked=0, dead=0, endless=0.002) == (
        "No deal locks: a card in the centre always improves somebody's bunch. 1 in 500 deals comes to no end, cards "
        "going round."
    )


def test_words__few_deals_that_lock_for_ever_are_not_none_of_them():
    text = said("Locks", players=("all=greedy",), n=20_000, locked=0.5, dead=0.0004)
    assert text.startswith("Among players who only improve, 0.040 % of deals lock for ever: ")


def test_words__some_deals_stay_locked():
    text = said("Locks", players=("1=greedy",), dead=0.2, timing="uniform")
    assert "With greedy and sensible players 20 of 100 deals stay locked." in text
    assert "What mends it: players who give way" in text


def test_words__a_rule_for_deadlocks_is_said():
    text = said("Locks", players=("all=greedy",), dead=0, sets=("deadlock_rule=redeal",))
    assert text == (
        "Among players who only improve, 94 of 100 deals lock, 2.8 times a deal: when nobody has swapped a card for "
        "10 s (deadlock_wait_s, a guess), the cards are dealt again."
    )
    # A time that is given is no guess, and without a clock there is none.
    given = ("deadlock_rule=redeal", "deadlock_wait_s=60")
    assert "for 60 s (deadlock_wait_s), the cards" in said("Locks", players=("all=greedy",), dead=0, sets=given)
    assert "for a while, the cards" in said("Locks", dead=0, sets=given, timing="uniform")


_FOR_EVER = "players who only improve would sit there for ever. With sensible players"
_DEALT_AGAIN = "for 10 s (deadlock_wait_s, a guess), the cards are dealt again."
_WINS = "for 10 s (deadlock_wait_s, a guess), most complete bunches win; equal numbers are a draw."
_GOES_BACK = "a bunch in hand with which no card is swapped in 5 s (swap_deadline_s) goes back on the table."
_LOCKED = "no card in the centre improves anybody's bunch, and nobody gives way."
_GO_ON = "all deals go on, and half of all deals end within 2 min 19 s."
_NONE_STAYS = "no deal stays locked, and half of all deals end within 2 min 19 s."
_DRAWN = {"dead": 0.7, "endings": "drawn"}
_STOPPED = {"dead": 0.2, "endings": "unfinished"}


@pytest.mark.parametrize(
    ("rule", "habit", "ends", "there", "not_there"),
    [
        ("none", "greedy", {"dead": 0.9}, [_LOCKED, "lock for ever"], ["go on", "sit there"]),
        ("none", "sensible", {"dead": 0}, [_FOR_EVER, _GO_ON], ["stays locked"]),
        ("none", "sensible", {"dead": 0.2}, [_FOR_EVER, "20 of 100 deals stay locked."], ["go on"]),
        (
            "none",
            "sensible",
            _STOPPED,
            ["all deals go on, and in 20 of 100 play is stopped at the limit of moves."],
            ["half"],
        ),
        ("swap_deadline", "greedy", {"dead": 0.9}, [_LOCKED, "lock for ever"], ["go on", "sit there"]),
        ("swap_deadline", "sensible", {"dead": 0}, [_GOES_BACK, _GO_ON], ["for ever"]),
        ("redeal", "greedy", {"dead": 0}, [_DEALT_AGAIN, "who only improve, 94 of 100 deals lock"], ["for ever"]),
        ("redeal", "sensible", {"dead": 0}, [_DEALT_AGAIN, _GO_ON], ["for ever"]),
        (
            "redeal",
            "sensible",
            _STOPPED,
            [_DEALT_AGAIN, "all deals go on, and in 20 of 100 play is stopped "],
            ["half"],
        ),
        ("most_complete_wins", "greedy", _DRAWN, [_WINS], ["for ever", "go on"]),
        ("most_complete_wins", "sensible", _DRAWN, [_WINS, _NONE_STAYS], ["for ever", "go on"]),
        ("most_complete_wins", "sensible", {"dead": 0}, [_WINS, _NONE_STAYS], ["for ever", "go on"]),
    ],
)
def test_words__locks_are_true_of_every_rule_and_habit(rule, habit, ends, there, not_there):
    found = sentences(made_up_result(players=(f"all={habit}",), sets=(f"deadlock_rule={rule}",), **ends))
    text = dict(reversed(found))["Locks"]  # without what mends them
    assert [part for part in there if part not in text] == []
    assert [part for part in not_there if part in text] == []


def test_words__a_wait_that_ends_ordinary_stalls_is_said():
    """So short a one that hardly anything is left to those who would have gone on."""
    rules = load_rules("james-bond", ("deadlock_rule=redeal", "deadlock_wait_s=5"))
    result = simulate(rules, resolve_players((), 2, EXCHANGE.habits), deals=40)
    locks, redeals = (result.estimates[name].estimate for name in ("locks", "redeals"))
    text = dict(reversed(sentences(result)))["Locks"]
    assert redeals > 2 * locks
    assert f"That is {redeals:,.0f} times a deal, at least {int(100 * (1 - locks / redeals))} of 100 times " in text
    # Where the cards are dealt again no more often than deals lock, nothing is to be said.
    assert "without a lock" not in said("Locks", dead=0, sets=("deadlock_rule=redeal",))


def test_text__a_guessed_wait_in_force_names_the_command_with_a_longer_one():
    def told(*sets, timing="human"):
        result = made_up_result(dead=0, sets=sets, timing=timing)
        asked = Invocation(rules="james-bond", sets=sets, timing=timing, deals=2000, seed=1)
        return "\n".join(line.text for line in render(result, asked))

    text = told("deadlock_rule=redeal")
    assert "Rests on a guessed wait of 10 s; with a longer one:" in text
    assert "stressim simulate james-bond --set deadlock_rule=redeal --set deadlock_wait_s=60\n" in text
    assert "guessed wait" not in told("deadlock_rule=redeal", "deadlock_wait_s=20")
    assert "guessed wait" not in told("deadlock_rule=swap_deadline")  # its text says how long
    assert "guessed wait" not in told()
    assert "guessed wait" not in told("deadlock_rule=redeal", timing="uniform")


@pytest.mark.parametrize(("habit", "improve_only"), [("let_go", True), ("churn", False)])
def test_words__a_deadline_makes_those_give_way_who_swap_to_keep_their_bunch(habit, improve_only):
    players = ("all=greedy", f"all.at_deadline={habit}")
    text = said("Locks", players=players, sets=("deadlock_rule=swap_deadline",))
    assert text.startswith("Among players who only improve") == improve_only
    assert "A deadline only sends bunches back: it mends no lock unless somebody swaps to keep his bunch." in text


def test_words__no_lock_needs_no_mending():
    assert said("Locks", locked=0, dead=0) == "No deal locks: a card in the centre always improves somebody's bunch."


def test_words__bunches_that_nobody_leaves_need_no_lock():
    stay = ("all.switch_weight=0",)
    nobody_comes = "but nobody comes to it who never leaves the bunch in his hand (switch_weight=0)."
    assert said("Locks", players=stay, locked=0, dead=1).endswith(nobody_comes)
    assert f"{nobody_comes} 90 of 100 deals" in said("Locks", players=stay, locked=0, dead=0.9, endings="livelocked")
    text = said("Locks", players=("all=greedy",), locked=0.05, dead=0.4)
    assert text.startswith("Among players who only improve, 40.0 % of deals are stuck for ever: no card in the centre ")
    assert "improves a bunch in hand, which some never leave (switch_weight=0), and nobody gives way." in text


def test_words__habits_in_force_are_named():
    assert said("Habits") == "All are sensible (tries another bunch or swaps a card)."
    assert said("Habits", n_players=4, players=("1=greedy", "all.speed=1.1")) == (
        "Player 1 is greedy (takes only what improves a bunch; never gives way); "
        "players 2 to 4 are sensible (tries another bunch or swaps a card)."
    )
    assert said("Habits", timing="uniform").endswith("swaps a card). Uniform timing asks only who gives way.")
    assert said("Habits", players=("2.churn_weight=7",)).endswith("player 2 is of habits given one by one.")


def test_words__fairness_of_more_than_two():
    assert said("Fairness", n_players=4, dead=0) == (
        "No seat advantage found: player 1 wins 25.0 of 100 won deals (23.2 to 26.9); an equal share is 25."
    )
    text = said("Fairness", n_players=3, shares=(0.2, 0.5, 0.3), players=("2=expert",), dead=0)
    assert text.startswith("Player 2 (expert) wins most, 50.0 of 100 deals (")
    assert "; player 1 (adult) least, 20.0 of 100 deals (" in text


def test_words__fairness_of_an_unequal_seat_is_no_news_of_players():
    text = said("Fairness", n_players=3, shares=(0.5, 0.25, 0.25), dead=0)
    assert text.startswith("Player 1 wins 50.0 of 100 won deals (")
    assert "although the players are equal" in text
    given = said("Fairness", sets=("handicap_bunches=2", "handicap_player=2"), dead=0)
    assert given.startswith("With the handicap (handicap_bunches=2, handicap_player=2) player 1 wins ")


def test_words__alone_there_is_no_fairness():
    assert "Fairness" not in dict(sentences(made_up_result(n_players=1)))


@pytest.mark.parametrize("timing", ["human", "uniform"])
@pytest.mark.parametrize("n_players", [1, 2, 4, 12])
def test_text__fits_78_columns_and_names_no_empty_seat(n_players, timing):
    result = made_up_result(n_players=n_players, timing=timing)
    asked = Invocation(rules="james-bond", n_players=n_players, timing=timing, deals=2000, seed=1)
    lines = render(result, asked)
    assert max(len(line.text) for line in lines if line.kind != "command") <= WIDTH
    text = "\n".join(line.text for line in lines)
    assert f"win_{n_players} " in text
    assert f"win_{n_players + 1}" not in text
    assert ("win_skew" in text) == (n_players > 1)


def test_text__without_a_clock_lengths_are_moves():
    assert sparkline(made_up_result(timing="uniform"))[0].startswith("moves  ")


def test_json__has_the_numbers_of_those_who_play_and_their_habits(monkeypatch):
    monkeypatch.setattr(importlib.import_module("stressim.simulate"), "behaviour_of", lambda family: 1)
    found = json.loads(machine.to_json(made_up_result(n_players=3, dead=0)))
    assert [name for name in found["metrics"] if name.startswith("win_")] == ["win_1", "win_2", "win_3", "win_skew"]
    assert found["metrics"]["loser_bunches"]["estimate"] == 2
    assert {player["habits"] for player in found["players"]} == {"sensible"}
    assert "patience" in found["players"][0]["guesses"]
    assert "countdown" not in found["players"][0]["guesses"]


def test_estimates__skew_of_four_compares_with_the_mean_of_the_others():
    result = made_up_result(n_players=4, shares=(0.4, 0.1, 0.2, 0.3), dead=0)
    skew = result.estimates["win_skew"]
    assert skew.estimate == pytest.approx(0.4 - 0.6 / 3)
    assert skew.low < skew.estimate < skew.high
    assert result.estimates["win_4"].estimate == pytest.approx(0.3)


def test_assert__a_seat_at_which_nobody_plays_is_refused():
    assert parse("win_4>0.2", EXCHANGE, clock=True, n_players=4).metric.name == "win_4"
    with pytest.raises(InputError, match="win_5 needs 5 players, not 4"):
        parse("win_5>0.2", EXCHANGE, clock=True, n_players=4)

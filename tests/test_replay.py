"""A replay tells every event within 78 columns, as text and as data."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner
from shedding_logs import Log

from stressim.commands.replay import command
from stressim.errors import InputError
from stressim.family import family_named
from stressim.replay import WIDTH, replay_json, replay_text, to_json
from stressim.shedding.events import Reason
from stressim.shedding.referee import Foul
from stressim.workbench.variants import Given, make_variant


def _log(**options: object) -> Log:
    """Two plays, a stress, a shuffle, and new cards."""
    rules = {"ace": "low", "pickup_placement": "shuffle_into_stock", **options}
    log = Log(rules, "5 8 Q 3 9 7 J", "8 2 J 10 9 4 A").start().wait(0.5).slap(0).wait(0.25).slap(1)
    log.take(1, 1, 0).shuffled(1).wait(2).restart(Reason.STRESS, 0, 1)
    return log.end()


def _text(log: Log, **options: bool) -> str:
    return replay_text(family_named("shedding"), log.rules, log.cards, log.events, **options)


def test_replay_text__tells_the_events_with_tops_and_rows() -> None:
    lines = _text(_log()).splitlines()
    slap = next(line for line in lines if "slaps" in line)
    assert slap.split() == ["0:00.500", "Player", "1", "shouts", "stress", "and", "slaps", "pile", "1.", "9♠", "9♥"]
    assert "             1: 5 8 Q 3 +21   2: 8 2 J 10 +21" in lines
    assert "0:00.750 Player 2 shuffles his stock of 23." in " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= WIDTH


def test_replay_text__says_a_shuffle_once() -> None:
    assert _text(_log()).count("shuffles") == 1


def test_replay_text__plain_ascii() -> None:
    text = _text(_log(), ascii_only=True)
    assert text.isascii()
    assert "9s     9h" in text


def test_replay_text__long_rows_fit() -> None:
    rules = {"deck": "custom", "deck_ranks": "100-114", "row_slots": 8}
    log = Log(rules, "100 101 102 103 104 105 106 107").start().end()
    assert max(len(line) for line in _text(log).splitlines()) <= WIDTH


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("start_flip", "place_together", "each lays a card"),
        ("start_signal", "count_1_2_3", "on three"),
        ("stress_loser", "slower_or_forgot", "or forgot to call"),
    ],
)
def test_replay_text__cosmetic_options_change_words_only(option: str, value: str, words: str) -> None:
    plain, changed = _log(), _log(**{option: value})
    assert words in _text(changed)
    assert words not in _text(plain)
    assert plain.events == changed.events
    assert plain.judge() == changed.judge()


def test_replay_json__has_events_and_verdict() -> None:
    log = _log()
    deal = replay_json(family_named("shedding"), log.rules, log.cards, log.events)
    slap = next(event for event in deal["events"] if event["event"] == "slap")
    assert len(deal["events"]) == len(log.events)
    assert slap == {
        "time_s": 0.5,
        "event": "slap",
        "player": 1,
        "pile": 1,
        "text": "Player 1 shouts stress and slaps pile 1.",
        "tops": ("9♠", "9♥"),
        "players": ("5 8 Q 3 +21", "8 2 J 10 +21"),
    }
    assert deal["verdict"] == log.judge().as_dict()
    assert json.loads(to_json({"seed": 1, **deal}))["seed"] == 1


@pytest.mark.parametrize("timing", ["human", "uniform"])
@pytest.mark.parametrize(("rules", "deal"), [("swedish", 16), ("james-bond", 6)])
def test_replay_text__says_where_stalls_and_locks_begin_and_end(rules: str, deal: int, timing: str) -> None:
    variant = make_variant(Given(rules=rules, timing=timing))
    log = variant.family.log_deal(variant.lowered, 1, deal)
    given = (variant.family, variant.rules.options, log.cards, log.events)
    text = replay_text(*given, uniform=timing == "uniform")
    told = replay_json(*given, uniform=timing == "uniform")
    begun = [tuple(line.split()[1:3]) for line in text.splitlines() if " begins: " in line]
    over = re.findall(r"(Stall|Lock) (\d+) (?:ends|lasts)(?: after| to the end,)? ?([\d.]*)", text)
    kinds = {"Stall": "stalls", "Lock": "locks"} if rules == "james-bond" else {"Stall": "stalls"}
    assert told["verdict"]["stalls"] > 0
    for kind, name in kinds.items():
        numbers = [str(n + 1) for n in range(told["verdict"][name])]
        assert [number for what, number in begun if what == kind] == numbers
        assert sorted((int(number) for what, number, _ in over if what == kind)) == [int(n) for n in numbers]
        if timing == "human":
            lasted = [round(one["to_s"] - one["from_s"], 1) for one in told[name]]
            said = {int(number): float(length) for what, number, length in over if what == kind}
            assert [said[n + 1] for n in range(len(lasted))] == pytest.approx(lasted, abs=0.051)
    assert max(map(len, text.splitlines())) <= WIDTH


def test_replay_text__a_stall_begins_after_the_event_that_causes_it_and_ends_after_the_one_that_helps() -> None:
    lines = [line.split("  ")[1:2] for line in _stalled().splitlines() if line.startswith(" 0:")]
    said = [words[0].strip() for words in lines if words]
    begins = said.index("Stall 1 begins: nobody can play.")
    ends = said.index("Stall 1 ends after 3.0 s.")
    assert said[begins - 1].startswith("Player 2 brings")
    assert said[begins + 1].startswith("Nobody can play: new cards")
    assert said[ends - 1].startswith("Player 2 brings")


def _stalled() -> str:
    log = Log({"ace": "low"}, "2 4 6 8 K 7", "2 4 6 8 10 3").start().wait(3).restart(Reason.LOCKED, 0, 1)
    return _text(log.end())


def test_replay_text__refuses_what_the_referee_refuses() -> None:
    log = _log()
    log.events[13][2] = 0
    with pytest.raises(Foul, match="B36"):
        _text(log)


@pytest.mark.parametrize("timing", ["human", "uniform"])
def test_command__shows_a_deal(timing: str) -> None:
    result = CliRunner().invoke(command, ["swedish", "--deal", "3", "--timing", timing], standalone_mode=False)
    assert result.exception is None
    assert f"swedish · deal 3 of seed 1 · adult against adult · {timing} timing" in result.output
    assert result.return_value == 0


def test_command__names_changed_rules_and_players() -> None:
    given = ["swedish", "--set", "ace=low", "--player", "2=senior", "--timing", "uniform"]
    result = CliRunner().invoke(command, given, standalone_mode=False)
    said = " ".join(result.output.split())
    assert said.startswith("swedish with ace=low · deal 0 of seed 1 · adult against senior · uniform timing 0 Player")


def test_command__json_is_one_object() -> None:
    result = CliRunner().invoke(command, ["swedish", "--format", "json"], standalone_mode=False)
    assert json.loads(result.output)["rules"] == "swedish"


def test_command__a_foul_is_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise Foul(7, "B18 rank_step", "5♠ does not fit on 9♥")

    monkeypatch.setattr("stressim.shedding.referee.judge", refuse)
    result = CliRunner().invoke(command, ["swedish"], standalone_mode=False)
    assert result.return_value == 1
    assert "event 7: 5♠ does not fit on 9♥ (B18 rank_step)" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--format", "xml"], "--format 'xml' is not known"),
        (["--timing", "fast"], "--timing 'fast' must be"),
        (["--deal", "-1"], "--deal -1 must be"),
    ],
)
def test_command__bad_input(arguments: list[str], sentence: str) -> None:
    result = CliRunner().invoke(command, ["swedish", *arguments], standalone_mode=False)
    assert isinstance(result.exception, InputError)
    assert sentence in str(result.exception)


def test_replay_text__a_stall_at_the_end_lasts_to_it_and_stands_before_it() -> None:
    log = Log({"ace": "low"}, "2 4 6 8 K 7", "2 4 6 8 10 3").start().wait(3).end()
    said = [" ".join(line.split()) for line in _text(log).splitlines()]
    begins = next(at for at, line in enumerate(said) if "Stall 1 begins: nobody can play." in line)
    lasts = next(at for at, line in enumerate(said) if line.startswith("0:03.000 Stall 1 lasts to the end, 3.0 s."))
    assert begins < lasts
    assert said[lasts + 1].startswith("0:03.000 The deal is stopped here")


def test_command__the_heading_fits_and_shows_what_a_player_differs_in() -> None:
    given = ["james-bond", "--players", "3", "--player", "2.speed=1.1", "--timing", "uniform"]
    head = CliRunner().invoke(command, given, standalone_mode=False).output.partition("\n\n")[0]
    assert max(map(len, head.splitlines())) <= WIDTH
    assert "james-bond with n_players=3" in head
    assert "adult against adult speed=1.1 against adult" in " ".join(head.split())

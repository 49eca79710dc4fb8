"""Every event of an exchange deal in a sentence, with the table after it."""

from __future__ import annotations

from typing import Any

import pytest
from exchange_logs import Log

from stressim.exchange.events import Kind, Outcome, Reason
from stressim.exchange.replay_words import closing, moments, opening
from stressim.telling import Moment

SMALL = {"deck": "custom", "deck_ranks": "5", "deck_copies": 3, "bunch_size": 3, "centre_cards": 3}


def _log(**options: Any) -> Log:
    return Log({**SMALL, **options}, "A A 2 / 3 4 5", "2 2 3 / 4 5 5", centre="A 3 4").wait(1).pick_up(0).pick_up(1)


def _told(log: Log, *, ascii_only: bool = False) -> list[Moment]:
    return list(moments(log.rules, log.cards, log.events, ascii_only=ascii_only))


def _said(log: Log) -> str:
    """The sentence of the last event."""
    return _told(log)[-1].sentence


def test_moments__say_a_swap() -> None:
    told = _told(_log().wait(1).swap(0, "2", "A", seconds=0.5).complete(0))
    assert [moment.sentence for moment in told[2:]] == [
        "Player 1 lays 2♠ of bunch 1 in the centre.",
        "Player 1 takes A♦ for bunch 1.",
        "Player 1 lays open bunch 1: A♠ A♥ A♦.",
    ]
    assert [moment.time for moment in told[2:]] == [2_000_000, 2_500_000, 2_500_000]


def test_moments__show_centre_and_bunches() -> None:
    first, *_, last = _told(_log().wait(1).swap(0, "2", "A").complete(0))
    assert (first.tops, first.table) == (("A 3 4",), ("[A A 2] / 3 4 5", "2 2 3 / 4 5 5"))
    assert (last.tops, last.table) == (("3 4 2",), ("A open / 3 4 5", "[2 2 3] / 4 5 5"))


@pytest.mark.parametrize(
    ("options", "who"),
    [({}, "each player has 2 bunches of 3"), ({"n_players": 1, "deck_ranks": "3"}, "player 1 has 2 bunches of 3")],
)
def test_opening__tells_the_deal_and_the_signal(options: dict[str, Any], who: str) -> None:
    log = Log({**SMALL, **options}, "A A 2 / 3 3 2", centre="A 3 2" if options else "A 3 4")
    dealt, signal = opening(log.rules, log.cards)
    assert dealt.sentence == f"3 cards lie open in the centre, and {who}, face down."
    assert signal.sentence == "Ready, steady, go: the deal begins."
    assert (dealt.time, signal.time, dealt.table[0]) == (0, 0, "A A 2 / 2 3 3")


def test_moments__have_fields_for_machines() -> None:
    told = _told(_log().put_down(0, "2").end())
    assert (told[2].event, told[2].fields) == ("put_down", {"player": 1, "bunch": 1, "card": "2♠", "more": 0})
    assert told[-1].fields == {"outcome": "unfinished"}


def test_moments__plain_ascii() -> None:
    log = _log(call_word="laennen_nopein").put_down(0, "2").call(0)
    told = _told(log, ascii_only=True)
    assert told[2].sentence == "Player 1 lays 2s of bunch 1 in the centre."
    assert told[3].sentence == 'Player 1 calls "Lannen nopein".'


@pytest.mark.parametrize(
    ("centre", "shown"),
    [
        ("A A A A 2 2 2 2 3 3 3 3 4 4 4 4 5 5 5 5", "Ax4 2x4 3x4 4x4 5x4"),
        ("A 2 3 4 5 6 7 8 9 10 J Q K A 2 3 4 5 6 7", "20 open cards"),
    ],
)
def test_moments__a_full_centre_is_counted(centre: str, shown: str) -> None:
    assert _told(Log({"centre_cards": 20}, centre=centre).pick_up(0))[0].tops == (shown,)


@pytest.mark.parametrize(
    ("log", "sentence"),
    [
        (_log(), "Player 2 picks up bunch 1: 2♥ 2♦ 3♥."),
        (_log().put_back(0), "Player 1 puts bunch 1 back, face down."),
        (_log().deadline(0), "Player 1 has swapped no card in 5 s and puts bunch 1 back."),
        (_log().put_down(1, "3").take(1, "A").miss(0, "A"), "Player 1 comes too late for A♦."),
        (_log().miss(0, "A"), "Player 1 touches A♦ at once with another and lets go."),
        (_log().call(0), 'Player 1 calls "Stress".'),
        (_log(call_word="atlantis").call(0), 'Player 1 calls "Atlantis".'),
        (_log().false_call(0), 'Player 1 calls "Stress" with a card lacking and takes it back.'),
        (_log(false_call_penalty="none").false_call(0), 'Player 1 calls "Stress" with a card lacking.'),
        (_log(false_call_penalty="forfeit").false_call(0), 'Player 1 calls "Stress" with a card lacking and is out.'),
        (_log(announce_bunch=True).complete(0), "Player 1 says it and lays open bunch 1: A♠ A♥ 2♠."),
        (_log().add(Kind.REDEAL, number=Reason.WIN_TIE), "Players were done at once: the cards are dealt again."),
        (_log().won(1), "Player 2 has won."),
        (_log().end(Outcome.DRAWN), "The deal is drawn."),
        (
            _log().end(Outcome.DEADLOCKED),
            "No card of the centre helps a bunch in hand, and nobody leaves his or gives way: deadlocked.",
        ),
        (
            Log({}, centre="K K K K").end(Outcome.DEADLOCKED),
            "No card of the centre helps anybody, and nobody gives way: deadlocked.",
        ),
    ],
    ids=lambda value: "" if isinstance(value, Log) else value,
)
def test_moments__say_every_kind_of_event(log: Log, sentence: str) -> None:
    assert _said(log) == sentence


def test_moments__who_is_out_is_shown() -> None:
    assert _told(_log(false_call_penalty="forfeit").false_call(0))[-1].table[0] == "[A A 2] / 3 4 5 (out)"


def test_moments__a_new_deal_is_said_once() -> None:
    told = _told(_log().redeal(Reason.DEADLOCK))
    said = [moment.sentence for moment in told if moment.sentence]
    assert said[-1] == "Nobody has swapped a card for a while: the cards are dealt again."
    assert len(told) - len(said) == len(_log().cards)


def test_closing__counts_what_happened() -> None:
    log = _log().wait(1).swap(0, "2", "A").complete(0).end()
    assert closing(log.rules, log.judge().as_dict()) == [
        "1 move: 1 swap, 0 churns, 0 yields; 0 bunches put back.",
        "0 stalls, 0 locks; 0 cards lost to quicker hands.",
    ]


def test_closing__names_what_is_rare() -> None:
    verdict = {**_log().end().judge().as_dict(), "deadlines": 2, "redeals": 1, "won": 1, "loser_bunches": 1}
    assert closing(_log().rules, verdict)[2:] == [
        "2 missed deadlines, 1 new deal.",
        "The others have laid open 1 bunch.",
    ]

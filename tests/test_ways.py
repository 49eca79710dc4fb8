"""The ways in which deals get stuck: columns and logs must say the same as the referee."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from stressim.exchange import ways as exchange
from stressim.exchange.referee.table import Table
from stressim.exchange.rules import ExchangeRules
from stressim.family import FAMILIES, family_named
from stressim.shedding.events import Kind, Reason
from stressim.shedding.ways import flip_after_flip
from stressim.ways import Way
from stressim.workbench.variants import Given, make_variant

SETTINGS = [
    Given(rules="norwegian"),
    Given(rules="german-jokers"),
    Given(rules="swedish", players=("all.p_miss_stress=0.9",)),
    Given(rules="speed"),
    Given(rules="spit"),
    Given(rules="james-bond", n_players=3),
    Given(rules="james-bond-deadline"),
    Given(rules="james-bond", players=("all=greedy",), timing="uniform"),
]
IMPLIES = {
    "slap_missed_by_all": ("stress_missed", "stalled"),
    "flip_after_flip": ("stalled",),
    "two_want_one_rank": ("locked",),
    "hoarding": ("locked",),
}
N = 40


def judged(given):
    """Rules, columns by name, logs and verdicts of some deals."""
    variant = make_variant(given)
    family, rules = variant.family, variant.rules.options
    logs = list(family.log_deals(variant.lowered, 1, 0, N))
    uniform = given.timing == "uniform"
    verdicts = [family.referee.judge(rules, log.cards, log.events, uniform=uniform) for log in logs]
    columns = {column.name: np.array([log.row[k] for log in logs]) for k, column in enumerate(family.columns)}
    return variant, columns, logs, verdicts


@pytest.mark.parametrize("given", SETTINGS, ids=lambda given: " ".join([given.rules, *given.sets, *given.players]))
def test_ways__only_happen_where_rules_allow_them_and_logs_agree_with_the_referee(given):
    variant, columns, logs, verdicts = judged(given)
    rules = variant.rules.options
    for way in variant.family.ways:
        seen = [
            way.log(rules, log.cards.tolist(), log.events.tolist()) is not None if way.log else bool(flag)
            for log, flag in zip(logs, way.columns(columns) if way.columns else [None] * N, strict=True)
        ]
        assert way.possible(rules) or not any(seen), way.name
        for happens, verdict in zip(seen, verdicts, strict=True):
            if not happens:
                continue
            for name in IMPLIES.get(way.name, ()):
                assert getattr(verdict, name), way.name


@pytest.mark.parametrize("rules", ["norwegian", "swedish", "german"])
def test_flip_after_flip__is_a_stall_that_begins_where_one_ends(rules):
    variant, _, logs, verdicts = judged(Given(rules=rules))
    seen = [flip_after_flip(variant.rules.options, log.cards, log.events.tolist()) for log in logs]
    follow = [
        next((two[1] for one, two in zip(v.stall_spans, v.stall_spans[1:], strict=False) if one[1] == two[0]), None)
        for v in verdicts
    ]

    # A refill between two flips parts the stalls, and a stall in which the deal ends has no flip after it.
    agree = sum(a == b for a, b in zip(seen, follow, strict=True))
    assert agree >= 0.95 * N
    assert 0.1 * N < sum(time is not None for time in seen) < N


def test_slap_missed_by_all__happens_to_players_who_miss_nearly_all():
    variant, _, logs, _ = judged(Given(rules="swedish", players=("all.p_miss_stress=0.9",)))
    way = next(way for way in variant.family.ways if way.name == "slap_missed_by_all")
    rules = variant.rules.options
    times = [way.log(rules, log.cards.tolist(), log.events.tolist()) for log in logs]
    seen = [(log.events.tolist(), time) for log, time in zip(logs, times, strict=True) if time is not None]

    assert len(seen) > 0.1 * N
    for events, time in seen:
        assert any(event[:2] == [time, Kind.RESTART] and event[-1] == Reason.LOCKED for event in events)


def bunches(*texts, centre):
    """A table of two players with one bunch each; a digit is a rank."""
    rules = ExchangeRules(deck="custom", deck_ranks="3", deck_copies=4, bunch_size=4, centre_cards=4)
    used: Counter[int] = Counter()

    def cards(text):
        found = []
        for rank in map(int, text):
            found.append(rank + 16 * used[rank])
            used[rank] += 1
        return found

    return Table.dealt(rules, [card for text in (*texts, centre) for card in cards(text)])


@pytest.mark.parametrize(
    ("one", "two", "centre", "hoards"),
    [
        ("0011", "0122", "2201", True),  # the second sits on a 0 and a 1, which the first collects
        ("0001", "1122", "2220", True),  # the first sits on a 1
        ("0000", "1122", "1122", False),  # the first is complete
        ("0011", "2222", "0011", False),  # the second is complete
    ],
)
def test_exchange_ways__hoarding_in_positions_told_by_hand(one, two, centre, hoards):
    assert exchange.somebody_hoards(bunches(one, two, centre=centre)) is hoards


def test_exchange_ways__two_bunches_with_the_same_pair_want_one_rank():
    assert exchange.two_want_one_rank(bunches("0012", "0012", centre="1122"))
    assert not exchange.two_want_one_rank(bunches("0011", "0122", centre="2201"))
    assert not exchange.two_want_one_rank(bunches("0000", "1122", centre="1122"))


@pytest.mark.parametrize("name", FAMILIES)
def test_ways__have_names_and_words_of_their_own(name):
    ways = family_named(name).ways

    for part in ("name", "title", "meaning"):
        assert len({getattr(way, part) for way in ways}) == len(ways)


def test_way__is_seen_in_one_place():
    with pytest.raises(ValueError, match="in one of them"):
        Way(name="x", title="X", meaning="It is so.")

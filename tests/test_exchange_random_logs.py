"""Logs of players who do anything that is lawful, for any rules: the referee accepts them, and refuses what is not."""

from __future__ import annotations

import pytest
from exchange_logs import Log, accepted, with_given_bunches
from exchange_strategies import exchange_rules
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stressim.exchange.choices import SwapOrder, TakeBackOwn
from stressim.exchange.events import Kind
from stressim.exchange.referee import Foul, judge
from stressim.exchange.referee.table import Event, height
from stressim.exchange.replay_words import closing, moments
from stressim.exchange.rules import ExchangeRules

SETTINGS = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
_STEP = 0.01  # seconds between actions; so short that no deadline and no wait is over


class _Players:
    """Players who do one lawful thing after the other, each drawn by hypothesis."""

    def __init__(self, rules: ExchangeRules, data: st.DataObject, log: Log) -> None:
        self.rules = rules
        self.data = data
        self.log = log
        self.own: list[set[int]] = [set() for _ in range(rules.n_players)]

    def choose(self, things: list[int]) -> int:
        return self.data.draw(st.sampled_from(things))

    def act(self) -> None:
        """One player picks up a bunch, puts it back, lays it open or swaps a card."""
        log, table = self.log.wait(_STEP), self.log.table
        player = self.choose([player for player in table.players if self.can_act(player)])
        bunch = table.in_hand[player]
        if bunch is None:
            log.pick_up(player, self.choose(self.free_for(player)))
        elif table.is_complete(player, bunch):
            log.complete(player)
        elif self.data.draw(st.integers(0, 9)) == 0:
            log.put_back(player)
        else:
            self.swap(player, bunch)

    def free_for(self, player: int) -> list[int]:
        """Bunches that the player may pick up: not laid open, and in no partner's hand."""
        table = self.log.table
        closed = {bunch for bunch, is_open in enumerate(table.laid_open[player]) if not is_open}
        return sorted(closed - table.held_by_partner(player))

    def can_act(self, player: int) -> bool:
        return self.log.table.in_hand[player] is not None or bool(self.free_for(player))

    def swap(self, player: int, bunch: int) -> None:
        log, cards, centre = self.log, self.log.table.bunches[player][bunch], list(self.log.table.centre)
        given = self.choose(cards)
        if self.rules.take_back_own == TakeBackOwn.FORBIDDEN:
            takeable = [card for card in centre if card not in self.own[player]] or centre
        else:
            takeable = centre
        taken = self.choose(takeable)
        self.own[player].add(given)
        first = self.rules.swap_order == SwapOrder.TAKE_FIRST
        rows = [(Kind.PUT_DOWN, given, 0), (Kind.TAKE, taken, int(first))]
        for kind, card, number in rows[::-1] if first else rows:
            log.add(kind, player, bunch, card, number)


@SETTINGS
@given(exchange_rules(), st.data())
def test_referee__accepts_what_is_lawful(rules: ExchangeRules, data: st.DataObject) -> None:
    log = _played(rules, data)
    verdict = accepted(log)
    kinds = [event[1] for event in log.events]
    assert verdict.moves == verdict.swaps + verdict.churns + verdict.yields == kinds.count(Kind.TAKE)
    assert verdict.switches == kinds.count(Kind.PUT_BACK)
    assert (verdict.stalls > 0, verdict.locks > 0) == (bool(verdict.stalled), bool(verdict.locked))
    assert verdict.locks == 0 or verdict.stalls > 0
    assert verdict.stalled_us <= verdict.length_us
    # One card is swapped at a time here, so a swap changes the height by one at most.
    assert verdict.swaps - verdict.yields == sum(_rises(log))


def _played(rules: ExchangeRules, data: st.DataObject) -> Log:
    log = Log(rules.model_dump())
    log.cards = with_given_bunches(rules, data.draw(st.permutations(log.cards)))
    log.table = type(log.table).dealt(rules, log.cards)
    players = _Players(rules, data, log)
    for _ in range(data.draw(st.integers(1, 25))):
        if not all(map(log.table.remaining, range(rules.n_players))):
            break
        players.act()
    return log


def _rises(log: Log) -> list[int]:
    """How much higher each bunch is at the end than it was dealt."""
    dealt = type(log.table).dealt(log.rules, log.cards)
    pairs = [
        (dealt.bunches[player][bunch], log.table.bunches[player][bunch])
        for player in range(log.rules.n_sides)
        for bunch in range(log.rules.bunches_each)
    ]
    return [height(now) - height(then) for then, now in pairs]


@SETTINGS
@given(exchange_rules(), st.data())
def test_referee__refuses_another_card(rules: ExchangeRules, data: st.DataObject) -> None:
    """A card that is put down or taken, replaced by any that does not lie there."""
    log = _played(rules, data)
    swaps = [row for row, event in enumerate(log.events) if event[1] in (Kind.PUT_DOWN, Kind.TAKE)]
    if not swaps:
        return
    accepted(log)
    row = data.draw(st.sampled_from(swaps))
    table = type(log.table).dealt(rules, log.cards)
    for index, event in enumerate(log.events[:row]):
        table.apply(Event(index, event[0], Kind(event[1]), *event[2:]))
    _, kind, player, bunch, _, _ = log.events[row]
    place = table.centre if kind == Kind.TAKE else table.bunches[player][bunch]
    events = [list(event) for event in log.events]
    events[row][4] = data.draw(st.sampled_from([card for card in log.cards if card not in place]))
    with pytest.raises(Foul) as caught:
        judge(rules, log.cards, events)
    assert (caught.value.index, caught.value.rule) == (
        row,
        "A16 contested_card" if kind == Kind.TAKE else "A11 swap_order",
    )


@SETTINGS
@given(exchange_rules(), st.data())
def test_replay_words__tell_every_event(rules: ExchangeRules, data: st.DataObject) -> None:
    log = _played(rules, data)
    verdict = accepted(log)
    told = list(moments(rules, log.cards, log.events, ascii_only=True))
    assert [moment.time for moment in told] == [event[0] for event in log.events]
    assert all(moment.sentence.endswith(".") and moment.sentence.isascii() for moment in told)
    assert all(len(moment.table) == rules.n_players for moment in told)
    assert len(closing(rules, verdict.as_dict())) == 2

"""Slaps, real and false, and who takes what (B32 to B36, B41, B42), with or without a clock."""

from __future__ import annotations

from stressim.shedding.choices import (
    BothEmpty,
    CardInAir,
    FalseCallPenalty,
    OtherPile,
    PlayOnEqualTops,
    StressOn,
    StressTie,
)
from stressim.shedding.events import Kind, Reason
from stressim.shedding.referee.deal import Deal, Window
from stressim.shedding.referee.lawful_pickups import false_call_pickups, slap_piles, stress_pickups, tie_window_us
from stressim.shedding.referee.pickups import after_pickup, each_takes_right, read_shuffles, takes
from stressim.shedding.referee.plays import abort, late, lay, penalty
from stressim.shedding.referee.stress_of_many import (
    any_ranking,
    false_call_costs,
    rankings,
    ruled_tie,
    slap_piles_of_many,
    stress_is_lost_by,
    undecided,
)
from stressim.shedding.referee.table import Event
from stressim.shedding.rules import SheddingRules

# How long after the end of a stress a hand may still have been on its way (play_on_equal_tops=slap_in_motion_counts).
# A log does not show when a hand began to move, so within this time a slap may count or not.
HAND_IN_MOTION_US = 3_000_000


def slap(deal: Deal, first: Event) -> None:
    """A slap: real if the tops are equal or were so a moment ago, otherwise a false call."""
    window = window_of(deal, first) if deal.rules.stress_on == StressOn.TOPS_EQUAL else None
    hand_is_right(deal, first, window)
    if window is None:
        false_call(deal, first)
        return
    stress_counts(deal, window)
    deal.settling = True
    if not deal.table.is_pair:
        slaps_of_many(deal, first, window)
        deal.settling = False
        return
    second = second_slap(deal, first)
    if second is not None and is_tie(deal.rules, first, second):
        tie(deal, first)
    elif second is not None and second.time == first.time:
        stress_is_lost(deal, None)  # no window, no difference: either may have been slower
    else:
        stress_is_lost(deal, 1 - first.player)
    deal.settling = False


def slaps_of_many(deal: Deal, first: Event, window: Window) -> None:
    """All others slap too; then it is clear who has lost, or it is a tie (B35, B41, U42)."""
    slaps = [first]
    for _ in deal.table.players[1:]:
        slaps.append(deal.log.expect(Kind.SLAP, "B35 stress_loser", "every player slaps"))
        hand_is_right(deal, slaps[-1], window)
    event = slaps[-1]
    deal.require(len({slap.player for slap in slaps}) == len(slaps), event, "B35 stress_loser", "each slaps once")
    tied = undecided(deal, slaps)
    no_penalty = len(tied) > 1 and deal.rules.stress_tie == StressTie.NO_PENALTY
    if not no_penalty or deal.rules.card_in_air_at_slap == CardInAir.LANDS:
        cards_land(deal)
    if len(tied) > 1:
        ruled_tie(deal, window, slaps, tied)
    else:
        stress_is_lost_by(deal, window.piles, rankings(deal, slaps, tied))


def cards_land(deal: Deal) -> None:
    """Read the cards that land or go back while the hands come down (U24)."""
    landed: set[int] = set()
    while True:
        event = deal.log.peek()
        if event.kind == Kind.PLAY and not deal.somebody_has_won():
            lands = deal.rules.card_in_air_at_slap == CardInAir.LANDS and event.player not in landed
            deal.require(lands, event, "U24 card_in_air_at_slap", "a card in the air goes back when the slap falls")
            lay(deal, deal.log.take())
            landed.add(event.player)
            deal.window = None
        elif not card_goes_back(deal, event):
            return


def is_tie(rules: SheddingRules, first: Event, second: Event) -> bool:
    """Whether two slaps are undecided (B41, U20)."""
    return second.time - first.time < tie_window_us(rules, first, second)


def hand_is_right(deal: Deal, event: Event, window: Window | None = None) -> None:
    """Refuse a slap in a game without slaps or on a wrong place (B32, B34); ``window`` is the stress, if it is one."""
    stress = deal.rules.stress_on == StressOn.TOPS_EQUAL and not deal.uniform
    deal.require(stress, event, "B32 stress_on", "nobody slaps in this game")
    lawful = slap_piles(deal.rules, event.player, deal.view)
    if not deal.table.is_pair:
        lawful = slap_piles_of_many(deal, event.player, window)
    deal.require(event.pile in lawful, event, "B34 slap_target", "the hand belongs elsewhere")


def window_of(deal: Deal, slap: Event) -> Window | None:
    """Return the stress that a slap answers (U16), None for a false call."""
    if deal.window is not None:
        return deal.window
    window = deal.last_window
    if window is None or window.closed_at is None:
        return None
    since = slap.time - window.closed_at
    if since <= round(deal.rules.slap_grace_ms * 1000) and not window.closed_by_flip:
        return window
    in_motion = deal.rules.play_on_equal_tops == PlayOnEqualTops.SLAP_IN_MOTION_COUNTS
    grace = round(deal.rules.slap_grace_ms * 1000) + (HAND_IN_MOTION_US if in_motion else 0)
    if since <= grace and not deal.table.is_pair and all_others_slap(deal, slap):
        return window
    return window if since <= grace and stress_follows(deal, slap) else None


def all_others_slap(deal: Deal, slap: Event) -> bool:
    """Whether every other player slaps right after, as more than two do in a real stress only."""
    others = deal.log.rows[slap.row + 1 : slap.row + len(deal.table.players)]
    players = {row[2] for row in others if row[1] == Kind.SLAP} - {slap.player}
    return len(players) == len(deal.table.players) - 1 > 1


def stress_follows(deal: Deal, slap: Event) -> bool:
    """Whether the log goes on as after a real stress."""
    settling = {
        Kind.SLAP,
        Kind.TAKE,
        Kind.STOCK,
        Kind.SET_ASIDE,
        Kind.ABORT,
        Kind.LATE,
        Kind.PENALTY,
        Kind.DRAW,
        Kind.MERGE,
    }
    for row in deal.log.rows[slap.row + 1 :]:
        if row[1] not in settling:
            return row[1] == Kind.RESTART and row[6] == Reason.STRESS
    return False


def stress_counts(deal: Deal, window: Window) -> None:
    """Count a stress that is settled now."""
    if window is deal.last_window:
        deal.score.numbers["stress_missed"] -= 1
    deal.score.numbers["stresses"] += 1
    deal.score.numbers["stress_from_flip"] += window.from_flip
    deal.window = deal.last_window = None


def second_slap(deal: Deal, first: Event) -> Event | None:
    """Read what happens until the table has come to rest: cards in the air, the other player's slap."""
    rules = deal.rules
    second: Event | None = None
    landed: set[int] = set()
    while True:
        event = deal.log.peek()
        if event.kind == Kind.SLAP and second is None and event.player != first.player:
            second = deal.log.take()
            hand_is_right(deal, second)
            if rules.stress_tie == StressTie.NO_PENALTY and is_tie(rules, first, second):
                return second  # play goes on
        elif event.kind == Kind.PLAY and second is None and not deal.somebody_has_won():
            lands = rules.card_in_air_at_slap == CardInAir.LANDS and event.player not in landed
            deal.require(lands, event, "U24 card_in_air_at_slap", "a card in the air goes back when the slap falls")
            lay(deal, deal.log.take())
            landed.add(event.player)
            deal.window = None
        elif not card_goes_back(deal, event):
            return second


def card_goes_back(deal: Deal, event: Event) -> bool:
    """Read a card that comes back from the air; say whether it was one."""
    if event.kind == Kind.ABORT:
        abort(deal, deal.log.take())
    elif event.kind == Kind.LATE:
        late(deal, deal.log.take(), in_air=True)
    else:
        return False
    return True


def tie(deal: Deal, first: Event) -> None:
    """Rule an undecided slap (B41)."""
    deal.score.numbers["stress_ties"] += 1
    ruling = deal.rules.stress_tie
    if ruling == StressTie.NO_PENALTY:
        deal.score.stress_is_off(first)
        return
    if ruling == StressTie.RANDOM:
        stress_is_lost(deal, None)
        return
    if deal.somebody_has_won() and deal.rules.win_check_before_stress:
        return
    if ruling == StressTie.EACH_TAKES_RIGHT:
        deal.score.numbers["picked_up"] += each_takes_right(deal, "B41 stress_tie")
    if ruling == StressTie.REPLAY_FLIP and not any(deal.table.stocks):
        event = deal.log.peek()
        if event.kind != Kind.RESTART or event.number != Reason.STRESS:
            return
    after_pickup(deal, Reason.STRESS, None)


def stress_is_lost(deal: Deal, loser: int | None) -> None:
    """The loser (None: either player) takes what the rules say, then new cards are flipped."""
    if deal.somebody_has_won() and deal.rules.win_check_before_stress:
        return
    event = deal.log.peek()
    rule = "B36 stress_pickup"
    if loser is None:
        loser = max(event.player, 0)
    before = deal.table.position()
    deal.score.numbers["picked_up"] += takes(deal, loser, stress_pickups(deal.table, loser, deal.view), rule)
    left = [pile for pile in deal.table.centre if deal.table.piles[pile]]
    if deal.rules.other_pile_after_stress == OtherPile.SET_ASIDE:
        for _ in left:
            event = deal.log.expect(Kind.SET_ASIDE, "U8 other_pile_after_stress", "the other pile leaves the game")
            deal.require(bool(deal.table.piles[event.pile]), event, "U8 other_pile_after_stress", "there is no pile")
            deal.apply(event)
    read_shuffles(deal)
    after_pickup(deal, Reason.STRESS, 1 - loser)
    deal.see_what_comes_back(before, loser)


def false_call(deal: Deal, slap: Event) -> None:
    """A slap that does not count, and what it costs (B42)."""
    deal.score.numbers["false_calls"] += 1
    if deal.rules.false_call_penalty == FalseCallPenalty.NONE:
        return
    if deal.rules.false_call_penalty == FalseCallPenalty.ONE_CARD:
        penalty(deal, slap, "B42 false_call_penalty", due=True)
        return
    while card_goes_back(deal, deal.log.peek()):
        pass
    if not deal.table.is_pair:
        false_call_costs(deal, slap)
        return
    takes(deal, slap.player, false_call_pickups(deal.table, slap.player, deal.view), "B42 false_call_penalty")
    read_shuffles(deal)
    after_pickup(deal, Reason.FALSE_CALL, None)


def taken(deal: Deal, event: Event) -> None:
    """A pile is taken without a slap: a stress of the uniform model, or both stocks are empty."""
    deal.log.put_back(event)
    if deal.uniform and deal.window is not None:
        window = deal.window
        stress_counts(deal, window)
        if deal.table.is_pair:
            stress_is_lost(deal, None)
        else:
            stress_is_lost_by(deal, window.piles, any_ranking(deal))
        return
    lock = deal.locked_without_card()
    deal.require(lock, event, "B36 stress_pickup", "nobody has to take a pile")
    rule = deal.rules.restart_both_empty == BothEmpty.TAKE_RIGHT_PILE_SHUFFLE
    deal.require(rule, event, "B31 restart_both_empty", "piles are not taken when both stocks are empty")
    goes_on = not deal.table.piles_change_nothing()
    deal.require(goes_on, event, "U4 restart_both_empty", "the same cards would come back: the deal is drawn")
    deal.count_lock()
    each_takes_right(deal, "B31 restart_both_empty", shuffled=True)
    after_pickup(deal, Reason.BOTH_EMPTY, None)

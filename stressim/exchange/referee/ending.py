"""When a deal is over, and with what result (A20, A22 to A24, A26)."""

from __future__ import annotations

from stressim.exchange.choices import DeadlockRule, WinTie
from stressim.exchange.events import Kind, Outcome
from stressim.exchange.referee.deal import Deal
from stressim.exchange.referee.improving import is_locked, nobody_comes_to_a_better_card
from stressim.exchange.referee.places import all_are_ranked, place_the_last
from stressim.exchange.referee.redeals import rule_applies
from stressim.exchange.referee.table import Event
from stressim.exchange.referee.verdict import Verdict


def the_end_is_respected(deal: Deal, event: Event) -> None:
    """Once a player has called, or all others have lost the deal, nothing but the end may follow (A22, A26)."""
    lawful = (Kind.END, Kind.REDEAL)
    if all_are_ranked(deal):
        ended = event.kind == Kind.END and event.time == deal.log.time
        deal.require(ended, event, "A24 ranking", "all places have been taken: the deal is over at once")
    elif deal.uniform:
        if event.kind != Kind.COMPLETE and not any(deal.swaps):
            waiting = deal.table.to_lay_open()
            deal.require(not waiting, event, "A18 complete bunch", "complete bunches are laid open at once")
            ended = not deal.done() or event.kind in lawful
            deal.require(ended, event, "A22 win", "a player has laid open all his bunches: the deal is over")
    elif deal.calls:
        deal.require(event.kind in (*lawful, Kind.CALL), event, "A22 win", "play stops at the first call")
    elif _is_forfeited(deal):
        ended = event.kind == Kind.END and event.time == deal.log.time
        deal.require(ended, event, "A26 false_call_penalty", "one player is left: the deal is over at once")


def _is_forfeited(deal: Deal) -> bool:
    """Whether false calls have left at most one player."""
    return bool(deal.table.out) and len(deal.table.sides) < 2


def end(deal: Deal, event: Event) -> Verdict:
    """Judge the end of a deal."""
    deal.log.nothing_after(event.row, "A22 end")
    try:
        outcome = Outcome(event.number)
    except ValueError:
        deal.log.refuse(event, "form of the log", f"{event.number} is no outcome")
    has_winner = event.player != -1
    deal.require(
        has_winner == (outcome == Outcome.WON), event, "A22 win", "a won deal has a winner, any other has none"
    )
    done = deal.done() if deal.uniform else deal.calls
    if deal.table.placed:
        _ends_with_places(deal, event)
    elif _is_forfeited(deal):
        _ends_as(deal, event, "A26 false_call_penalty", deal.table.players)
    elif len(done) == 1:
        _ends_as(deal, event, "A22 win", done)
    elif done:
        _ends_in_a_tie(deal, event, done)
    elif outcome == Outcome.LIVELOCKED:
        back = deal.positions[-1] in deal.positions[:-1]
        deal.require(back, event, "A20 livelock", "this position has not been there before")
    elif outcome == Outcome.DEADLOCKED:
        _is_deadlocked(deal, event)
        deal.score.begin_stall(event.time)
    else:
        _most_complete_bunches(deal, event)
    if deal.calls:
        deal.require(event.time == deal.last_call_at, event, "A22 win", "the deal ends with the last call")
    if outcome == Outcome.WON:
        place_the_last(deal)
    return deal.score.verdict(event.time, outcome, event.player)


def _ends_with_places(deal: Deal, event: Event) -> None:
    """A player has won; the deal ends when all are ranked, or nobody is left who can do anything (A24)."""
    _ends_as(deal, event, "A24 ranking", deal.table.placed[:1])
    if all_are_ranked(deal) or _is_forfeited(deal) or deal.positions[-1] in deal.positions[:-1]:
        return
    if deal.rules.deadlock_rule in (DeadlockRule.REDEAL, DeadlockRule.MOST_COMPLETE_WINS):
        rule_applies(deal, event)
    else:
        _is_deadlocked(deal, event)


def _ends_as(deal: Deal, event: Event, rule: str, winners: list[int]) -> None:
    """Refuse another result than a win of the one winner, or a draw if there is none or several."""
    if len(winners) == 1:
        won = event.number == Outcome.WON and event.player == winners[0]
        deal.require(won, event, rule, f"player {winners[0] + 1} has won")
    else:
        deal.require(event.number == Outcome.DRAWN, event, rule, "the deal is drawn")


def _ends_in_a_tie(deal: Deal, event: Event, done: list[int]) -> None:
    """Several players have called nearly at once (A23)."""
    again = deal.rules.win_tie == WinTie.REDEAL
    deal.require(not again, event, "A23 win_tie", "players were done at once: the cards are dealt again")
    first: list[int] = []
    if deal.rules.win_tie == WinTie.FIRST_COMPLETE and not deal.uniform:
        earliest = min(deal.done_at[player] for player in done)
        first = [player for player in done if deal.done_at[player] == earliest]
    _ends_as(deal, event, "A23 win_tie", first)


def _is_deadlocked(deal: Deal, event: Event) -> None:
    """Nobody can improve, no rule helps; that nobody gives way or changes bunches is a matter of habits (A20, A-U1)."""
    helps = deal.rules.deadlock_rule in (DeadlockRule.REDEAL, DeadlockRule.MOST_COMPLETE_WINS)
    deal.require(not helps, event, "A20 deadlock_rule", "the agreed way out of a deadlock is to be taken")
    deal.require(not any(deal.swaps), event, "A20 deadlock", "a swap is under way")
    stuck = is_locked(deal) or nobody_comes_to_a_better_card(deal)
    deal.require(stuck, event, "A20 deadlock", "somebody can improve a bunch")
    for player in deal.table.players:
        goes_on = bool(deal.table.unfinished(player))
        deal.require(goes_on, event, "A22 win", f"all bunches of player {player + 1} are complete: he has still to win")


def _most_complete_bunches(deal: Deal, event: Event) -> None:
    """The player with most bunches laid open wins, equal numbers are a draw (A20)."""
    agreed = deal.rules.deadlock_rule == DeadlockRule.MOST_COMPLETE_WINS
    deal.require(agreed, event, "A22 win", "nobody has called that all his bunches are complete")
    rule_applies(deal, event)
    most = max(deal.table.n_laid_open(player) for player in deal.table.sides)
    best = [player for player in deal.table.sides if deal.table.n_laid_open(player) == most]
    _ends_as(deal, event, "A20 deadlock_rule", best)

"""When a deal is over, and with what result (B31, B44 to B46, U1, U4)."""

from __future__ import annotations

from stressim.shedding.choices import BothEmpty, RestartSource, RoundEnd, SidePileReuse, WinCall
from stressim.shedding.events import Kind, Outcome
from stressim.shedding.referee.deal import Deal
from stressim.shedding.referee.stress import window_of
from stressim.shedding.referee.table import Event
from stressim.shedding.referee.verdict import Verdict


def the_end_is_respected(deal: Deal, event: Event) -> None:
    """Once a player has no cards (and called, if he must) nothing but the end may follow (B44 to B46)."""
    if event.kind == Kind.END:
        return
    if deal.called is not None:
        deal.log.refuse(event, "B46 win_call", f"player {deal.called + 1} has called that he has won")
    empty = [player for player in deal.table.players if deal.emptied[player] is not None]
    if not empty or deal.rules.win_call == WinCall.REQUIRED:
        return
    # A hand that was on its way when his last card covered a stress may still count (U16).
    still_counts = event.kind == Kind.SLAP and not deal.rules.win_check_before_stress and bool(window_of(deal, event))
    if deal.window is None and not still_counts:
        deal.log.refuse(event, "B44 end", f"player {empty[0] + 1} has no cards left: the deal is over")
    if deal.rules.win_check_before_stress:
        deal.log.refuse(event, "B45 win_check_before_stress", f"player {empty[0] + 1} has no cards left and has won")


def end(deal: Deal, event: Event) -> Verdict:
    """Judge the end of a deal."""
    deal.log.nothing_after(event.row, "B44 end")
    try:
        outcome = Outcome(event.number)
    except ValueError:
        deal.log.refuse(event, "form of the log", f"{event.number} is no outcome")
    if (event.player != -1) != (outcome == Outcome.WON):
        deal.log.refuse(event, "B44 end", "a won deal has a winner, any other has none")
    if not ends_by_empty_hands(deal, event, outcome):
        ends_without_stock(deal, event, outcome)
    equal = outcome == Outcome.WON and deal.emptied[event.player] is not None and deal.emptied_equal[event.player]
    return deal.score.verdict(event.time, outcome, event.player, last_card_equal=equal)


def ends_by_empty_hands(deal: Deal, event: Event, outcome: Outcome) -> bool:
    """Whether the deal is over because somebody has no cards; refuse another result than that."""
    empty = [player for player in deal.table.players if deal.emptied[player] is not None]
    if not empty:
        return False
    if deal.uniform and deal.window is not None and deal.rules.win_call == WinCall.NONE:
        stress_first = not deal.rules.win_check_before_stress
        deal.require(not stress_first, event, "B45 win_check_before_stress", "the stress comes before the win")
    first = min(deal.emptied[player] or 0 for player in empty)
    together = [deal.emptied[player] for player in empty].count(first) > 1
    if together and deal.called is None:
        drawn = outcome == Outcome.DRAWN
        deal.require(drawn, event, "B44 end", "several players ran out of cards at once: the deal is drawn")
        return True
    if deal.rules.win_call == WinCall.REQUIRED and not deal.uniform:
        deal.require(deal.called is not None, event, "B46 win_call", "the winner must call")
    winner = deal.called
    if winner is None:
        winner = min(empty, key=lambda player: deal.emptied[player] or 0)
    won = outcome == Outcome.WON and event.player == winner
    deal.require(won, event, "B44 end", f"player {winner + 1} has no cards left and has won")
    return True


def ends_without_stock(deal: Deal, event: Event, outcome: Outcome) -> None:
    """Nobody can move and no stock is left: the deal must end as the rules say (B31, U1, U4)."""
    if outcome == Outcome.LIVELOCKED:
        endless = deal.uniform and deal.losers_who_changed_nothing == set(deal.table.players)
        deal.require(endless, event, "B44 end", "it is not shown that this position comes back whoever loses")
        return
    if deal.uniform and deal.window is not None:
        deal.log.refuse(event, "B32 stress_on", "the tops are equal: one player has lost the stress")
    over = deal.locked_without_card() and deal.rules.round_end == RoundEnd.NONE
    deal.require(over, event, "B44 end", "the deal is not over")
    if deal.rules.restart_source == RestartSource.SIDE_PILES and deal.rules.side_pile_reuse != SidePileReuse.NEVER:
        endless = deal.table.nothing_ever_fits()
        deal.require(endless, event, "B31 side_pile_reuse", "the centre piles become the side piles and play goes on")
        drawn = outcome == Outcome.DRAWN
        deal.require(drawn, event, "U4 side_pile_reuse", "the deal is drawn when nothing will ever fit")
        deal.score.count_stall()
        return
    deal.count_lock()
    left = [deal.table.remaining(player) for player in deal.table.players]
    wanted, winner = Outcome.DEADLOCKED, -1
    if deal.rules.restart_both_empty == BothEmpty.DRAW:
        wanted = Outcome.DRAWN
    elif deal.rules.restart_both_empty == BothEmpty.FEWEST_CARDS_WINS:
        alone = left.count(min(left)) == 1
        wanted = Outcome.WON if alone else Outcome.DRAWN
        winner = left.index(min(left)) if alone else -1
    elif deal.rules.restart_both_empty == BothEmpty.TAKE_RIGHT_PILE_SHUFFLE:
        endless = deal.table.piles_change_nothing()
        deal.require(endless, event, "B31 restart_both_empty", "each takes the pile on his right and play goes on")
        wanted = Outcome.DRAWN
    right = outcome == wanted and event.player == winner
    deal.require(right, event, "B31 restart_both_empty", f"the deal ends {wanted.word} when all stocks are empty")

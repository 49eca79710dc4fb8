"""What a result of the exchange game means, in sentences."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from stressim.exchange import way_out
from stressim.exchange.choices import DeadlockRule, Ranking, WinTie
from stressim.exchange.habits import AtDeadline, ExchangeHabits
from stressim.exchange.rules import ExchangeRules
from stressim.intervals import wilson, z_value
from stressim.output.phrases import clock_time, joined, percent, share_text, short
from stressim.output.sentences import deals_that, endings, fairness, in_deals, length, length_at, stalls
from stressim.players.player_files import habits_preset, read_chain

if TYPE_CHECKING:
    from stressim.players.player import Player
    from stressim.simulate import Result


_MORE_THAN_LOCKS = 1.1  # times the locks: redeals by a tie of calls are rarer than that


def wait_text(rules: ExchangeRules) -> str:
    """Say how long a rule in force waits, and whether that is a guess; empty without such a rule."""
    return way_out.wait_text(rules)


def guessed_wait(rules: ExchangeRules) -> str:
    """Return the option with the time that a rule in force waits, if that is a guess; otherwise an empty text."""
    return way_out.wait_of(rules) if way_out.is_guessed(rules) else ""


def sentences(result: Result) -> list[tuple[str, str]]:
    """Say what matters most about a result; first whether deals lock, and what mends it.

    Returns
    -------
    list of (str, str)
        A label and a text for each sentence; a label is empty where the one before it still holds.
    """
    rules = result.rules.options
    assert isinstance(rules, ExchangeRules)
    said = [("Locks", _locks(result, rules))]
    if mends := _mends(result, rules):
        said.append(("", mends))
    said += [
        ("Habits", _habits(result)),
        ("Stalls", stalls(result, "some bunch in hand can always be improved")),
        ("Length", length(result)),
    ]
    if rules.n_sides > 1:
        said.append(("Fairness", fairness(result) if rules.team_size == 1 else _teams(result, rules)))
    if rules.ranking != Ranking.NONE:
        said.append(("Places", _places(result, rules)))
    said.append(("Ending", _ending(result, rules)))
    return said


def _locks(result: Result, rules: ExchangeRules) -> str:
    found = result.estimates
    locked, dead, endless = (found[name].estimate for name in ("locked", "deadlocked", "livelocked"))
    rule = way_out.meaning(rules, clock=result.has_clock)
    going_round = f"{deals_that(endless, 'come')} to no end, cards going round" if endless else ""
    also = f" {going_round}." if endless else ""
    if not locked:
        text = "No deal locks: a card in the centre always improves somebody's bunch"
        if (dead or endless) and any(player.habits.switch_weight == 0 for player in result.players):  # type: ignore[attr-defined]
            text += ", but nobody comes to it who never leaves the bunch in his hand (switch_weight=0)"
        return f"{text}.{also}"
    if not any(_gives_way(player, rules) for player in result.players):
        if dead:
            share = "all" if dead == 1 else f"{percent(dead, 1)} of"
            whose = "anybody's bunch"
            if dead > locked:
                whose = "a bunch in hand, which some never leave (switch_weight=0)"
            text = f"Among players who only improve, {share} deals {'lock' if dead <= locked else 'are stuck'} for ever"
            return f"{text}: no card in the centre improves {whose}, and nobody gives way.{also}"
        return (
            f"Among players who only improve, {_lower(deals_that(locked, 'lock'))}, "
            f"{short(found['locks'].estimate)} times a deal: {rule}.{_early(result, rules)}{also}"
        )
    if rules.deadlock_rule == DeadlockRule.NONE:
        rule = "players who only improve would sit there for ever"
    text = (
        f"{deals_that(locked, 'lock')}, {short(found['locks'].estimate)} times a deal: {rule}."
        f"{_early(result, rules)} With {_named(result.players)} players "
    )
    stay = [_lower(deals_that(dead, "stay")) + " locked"] if dead else []
    if stay or endless:
        return f"{text}{', '.join([*stay, _lower(going_round)] if endless else stay)}."
    # The rule ends deals that have locked, and those that might have gone on.
    go_on = "no deal stays locked" if rules.deadlock_rule == DeadlockRule.MOST_COMPLETE_WINS else "all deals go on"
    if stopped := found["unfinished"].estimate:
        return f"{text}{go_on}, and {in_deals(stopped)} play is stopped at the limit of moves."
    return f"{text}{go_on}, and half of all deals end within {length_at(result, 0.5)}."


def _early(result: Result, rules: ExchangeRules) -> str:
    """Say how many of the times that the cards are dealt again are no locks, where that is known."""
    if rules.deadlock_rule != DeadlockRule.REDEAL or not result.has_clock:
        return ""
    locks, redeals = (result.estimates[name].estimate for name in ("locks", "redeals"))
    if redeals <= _MORE_THAN_LOCKS * locks:
        return ""
    without = int(100 * (1 - locks / redeals))  # rounded down: it is said to be the least
    return (
        f" That is {short(redeals)} times a deal, at least {without} of 100 times without a lock: the wait is over "
        "before somebody has gone on."
    )


def _mends(result: Result, rules: ExchangeRules) -> str:
    """Say that the text has no rule for a lock, and what helps; nothing where no deal locks."""
    if not result.estimates["locked"].estimate:
        return ""
    if rules.deadlock_rule == DeadlockRule.NONE:
        text = "The text has no rule for it."
    elif rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE:
        text = "A deadline only sends bunches back: it mends no lock unless somebody swaps to keep his bunch."
    else:
        return ""
    if result.estimates["deadlocked"].estimate:
        redeal = rules.model_copy(update={"deadlock_rule": DeadlockRule.REDEAL})
        after = f", after {way_out.seconds(redeal)} without a swap" if result.has_clock else ""
        return (
            f"{text} What mends it: players who give way (--player all=sensible), or --set deadlock_rule=redeal{after}."
        )
    if not result.estimates["livelocked"].estimate:
        return f"{text} Players who give way mend it."
    if not all(_gives_way(player, rules) for player in result.players):
        return f"{text} Players who all give way mend it (--player all=sensible)."
    return text


def _habits(result: Result) -> str:
    """Name the habits in force, seat by seat where they differ."""
    players = result.players
    parts = []
    for like, group in groupby(enumerate(players, 1), key=lambda seat: _habits_of(seat[1])):
        seats = [seat for seat, _ in group]
        who = "All" if len(seats) == len(players) > 1 else f"Player {seats[0]}"
        if 1 < len(seats) < len(players):
            who = f"Players {seats[0]} to {seats[-1]}"
        parts.append(f"{who} {'are' if len(seats) > 1 else 'is'} {like}")
    text = "; ".join([parts[0], *(_lower(part) for part in parts[1:])]) + "."
    return text if result.has_clock else f"{text} Uniform timing asks only who gives way."


def _habits_of(player: Player) -> str:
    name = habits_preset(player.habits)
    if not name:
        return "of habits given one by one"
    # Titles say more after their colon, for those who list presets.
    return f"{name} ({read_chain(name, type(player.habits))[0].title.partition(':')[0]})"


def _named(players: tuple[Player, ...]) -> str:
    return joined(list(dict.fromkeys(habits_preset(player.habits) or "these" for player in players)))


def _gives_way(player: Player, rules: ExchangeRules) -> bool:
    habits = player.habits
    assert isinstance(habits, ExchangeHabits)
    has_deadline = rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE
    return habits.gives_way or (has_deadline and habits.at_deadline == AtDeadline.CHURN)


def _teams(result: Result, rules: ExchangeRules) -> str:
    """Say how often each team wins."""
    wins = [result.tally.sum_of(f"win_{side}") for side in range(1, rules.n_sides + 1)]
    won = sum(wins)
    if not won:
        return "No deal has a winner."
    parts = []
    for side, count in enumerate(wins, 1):
        who = joined([str(seat) for seat in range(side, rules.n_players + 1, rules.n_sides)])
        low, high = (share_text(limit or 0, 1) for limit in wilson(count, won, z_value(result.confidence)))
        parts.append(f"players {who} win {share_text(count / won, 1)} of 100 won deals ({low} to {high})")
    return f"{'; '.join(parts)}.".replace("players", "Players", 1)


def _places(result: Result, rules: ExchangeRules) -> str:
    """Say how often each seat has which place, and how long it takes until all have one."""
    ranked, tally = result.tally.sum_of("ranked"), result.tally
    if not ranked:
        return "No deal goes on until all have a place."
    parts = []
    for side in range(1, rules.n_sides + 1):
        counts = tally.counts_of(f"place_{side}")
        had = [int(counts[place]) if place < len(counts) else 0 for place in range(1, rules.n_sides + 1)]
        parts.append(f"player {side} {' / '.join(share_text(n / ranked, 1) for n in had)}")
    text = f"Places {'1 to ' if rules.n_sides > 1 else ''}{rules.n_sides} in 100 ranked deals: {'; '.join(parts)}."
    if "winner_s" in result.estimates:
        text += f" The first is done after {clock_time(result.estimates['winner_s'].estimate)} on average."
    return text


def _ending(result: Result, rules: ExchangeRules) -> str:
    found = result.estimates
    drawn = "players are done at once, which makes it a draw"
    if rules.deadlock_rule == DeadlockRule.MOST_COMPLETE_WINS:
        at_once = ", or players are done at once" if rules.win_tie == WinTie.SHARED else ""
        drawn = f"the most complete bunches are equal{at_once}"
    return endings(
        result,
        [
            (found["deadlocked"].estimate, "nobody would ever swap a card again"),
            (found["drawn"].estimate, drawn),
            (found["livelocked"].estimate, "the same positions would come back for ever"),
            (found["unfinished"].estimate, "play was stopped at the limit of moves"),
        ],
    )


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]

"""What every game has, whatever its family: how deals end, how long they are, how they stall, who leads.

A family says these in its own words and adds what it alone counts; see its ``columns.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

from stressim.metrics import Column, Mean, Metric, Rate, Ratio, Skew


@dataclass(frozen=True, kw_only=True)
class Words:
    """How a family says what every game has; all but the units are sentences without a stop, as they stand inside one.

    Parameters
    ----------
    most_players
        At one table.
    start
        What a deal begins with: ``"first flip"``.
    move, moves
        What a player does, one and many: ``"play"``.
    what_counts
        What is one of them and what is not.
    deadlocked
        What is so for ever in a deal that deadlocks.
    stalls, until
        What is so in a stall, and when it ends.
    stalled_at_start
        When a deal begins with one.
    things
        What the leader has strictly fewest of, and a comeback is measured in: ``"cards"``.
    fewest
        The same, said in full where it is not all of them.
    dealt_again
        Which rules have the cards dealt again.
    """

    most_players: int
    start: str
    move: str
    moves: str
    what_counts: str
    deadlocked: str
    stalls: str
    until: str
    stalled_at_start: str
    things: str
    fewest: str
    dealt_again: str


def columns(words: Words, of_stalls: tuple[Column, ...]) -> tuple[Column, ...]:
    """Return the columns that a family's rows begin with; ``of_stalls`` are its own beside those of stalls."""
    return (
        Column(name="won", unit="flag", meaning="one player wins"),
        Column(name="drawn", unit="flag", meaning="a rule makes the deal a draw"),
        Column(name="deadlocked", unit="flag", meaning=f"{words.deadlocked} and no rule helps"),
        Column(name="livelocked", unit="flag", meaning="the same positions come back for ever"),
        Column(name="unfinished", unit="flag", meaning=f"stopped at the limit of {words.moves} or events"),
        *(
            Column(name=f"win_{seat}", unit="flag", meaning=f"player {seat} wins")
            for seat in range(1, words.most_players + 1)
        ),
        Column(
            name="length_us",
            unit="us",
            meaning=f"time from the {words.start} to the end",
            wide=True,
            bin_width=10_000,
        ),
        Column(name="moves", unit=words.moves, meaning=words.what_counts),
        Column(name="stalls", unit="stalls", meaning=f"times that {words.stalls}"),
        Column(name="stalled", unit="flag", meaning="at least one stall"),
        Column(name="stalled_at_start", unit="flag", meaning=words.stalled_at_start),
        Column(name="stalled_us", unit="us", meaning="time spent in stalls", wide=True),
        Column(name="first_stall_us", unit="us", meaning="when the first stall begins; 0 without one", wide=True),
        *of_stalls,
        Column(name="redeals", unit="redeals", meaning="times that the cards are dealt again"),
        Column(name="lead_changes", unit="changes", meaning="times that the lead passes to another player"),
        Column(
            name="comeback",
            unit="flag",
            meaning=f"the winner was once behind by half the opening {words.things} or more",
        ),
        Column(
            name="dead_ppm",
            unit="ppm",
            meaning="part of the time to the win after the winner last lacks the lead; 0 if not won",
            wide=True,
        ),
        Column(name="looks", unit="looks", meaning=f"looks that end in a {words.move}"),
        Column(
            name="choices", unit="looks", meaning=f"looks that end in a {words.move} while two or more are possible"
        ),
    )


def metrics(words: Words, of_stalls: tuple[Metric, ...]) -> tuple[Metric, ...]:
    """Return the numbers that a family's reports begin with; ``of_stalls`` are its own beside those of stalls."""
    return (*_outcomes(words), *_winning(words), *_lengths(words), *_stalls(words), *of_stalls, *_flow(words))


def _outcomes(words: Words) -> tuple[Metric, ...]:
    said = {
        "won": "One player wins.",
        "drawn": "A rule makes the deal a draw.",
        "deadlocked": _sentence(f"{words.deadlocked} and no rule helps"),
        "livelocked": "The same positions come back for ever.",
        "unfinished": f"The deal is stopped at the limit of {words.moves} or events.",
    }
    return tuple(
        Rate(name=name, unit="of deals", meaning=meaning, group="outcomes", of=name) for name, meaning in said.items()
    )


def _winning(words: Words) -> tuple[Metric, ...]:
    seats = range(1, words.most_players + 1)
    return (
        *(
            Rate(
                name=f"win_{seat}",
                unit="of deals",
                meaning=f"Player {seat} wins.",
                group="winning",
                of=f"win_{seat}",
                needs_players=seat,
            )
            for seat in seats
        ),
        Skew(
            name="win_skew",
            unit="of won deals",
            meaning="Player 1's share of won deals minus the mean of the others'.",
            group="winning",
            of="win_1",
            others=tuple(f"win_{seat}" for seat in seats[1:]),
            needs_players=2,
        ),
    )


def _lengths(words: Words) -> tuple[Metric, ...]:
    return (
        Mean(
            name="length_s",
            unit="s",
            meaning=f"Time from the {words.start} to the end.",
            group="length",
            of="length_us",
            divisor=1_000_000,
            quantiles=True,
            clock=True,
        ),
        Mean(
            name="moves",
            unit=f"{words.moves} per deal",
            meaning=_sentence(words.what_counts),
            group="length",
            of="moves",
            quantiles=True,
        ),
    )


def _stalls(words: Words) -> tuple[Metric, ...]:
    return (
        Mean(
            name="stalls",
            unit="per deal",
            meaning=f"Times that {words.stalls}, {words.until}.",
            group="stalls",
            of="stalls",
        ),
        Rate(name="stalled", unit="of deals", meaning="At least one stall.", group="stalls", of="stalled"),
        Rate(
            name="stalled_at_start",
            unit="of deals",
            meaning=_sentence(words.stalled_at_start),
            group="stalls",
            of="stalled_at_start",
        ),
        Ratio(
            name="stall_share",
            unit="of the time",
            meaning="Stalled time over all time.",
            group="stalls",
            of="stalled_us",
            per="length_us",
            clock=True,
        ),
        Ratio(
            name="first_stall_s",
            unit="s",
            meaning="When the first stall begins, mean over stalled deals.",
            group="stalls",
            of="first_stall_us",
            per="stalled",
            divisor=1_000_000,
            clock=True,
        ),
    )


def _flow(words: Words) -> tuple[Metric, ...]:
    return (
        Mean(
            name="redeals",
            unit="per deal",
            meaning=f"Times that the cards are dealt again: {words.dealt_again}.",
            group="stalls",
            of="redeals",
        ),
        Mean(
            name="lead_changes",
            unit="per deal",
            meaning=f"Times that the lead (strictly fewest {words.fewest}) passes to another player.",
            group="flow",
            of="lead_changes",
        ),
        Rate(
            name="comebacks",
            unit="of won deals",
            meaning=f"The winner was once behind by half the opening {words.things} or more.",
            group="flow",
            of="comeback",
            among="won",
        ),
        Ratio(
            name="dead_time",
            unit="of the length",
            meaning="What is left of the deal once the winner leads for good, mean over won deals.",
            group="flow",
            of="dead_ppm",
            per="won",
            divisor=1_000_000,
        ),
        Ratio(
            name="decisions",
            unit="of looks",
            meaning=f"Of the looks that end in a {words.move}, those with two or more different choices.",
            group="flow",
            of="choices",
            per="looks",
        ),
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."

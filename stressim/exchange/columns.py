"""What an exchange kernel writes for each deal, and the numbers that a run reports from it.

Swaps, stalls and locks are those of :mod:`stressim.exchange.events`. Columns without a metric hold facts that the deal
alone decides, or that theorems tie together; ``scripts/verify.py`` and the tests read them.
"""

from __future__ import annotations

from stressim.exchange.limits import MAX_PLAYERS
from stressim.matchrules import match_metrics
from stressim.metrics import Column, Mean, Metric, Rate, Ratio
from stressim.skeleton import Words, columns, metrics

_SEATS = range(1, MAX_PLAYERS + 1)
_WORDS = Words(
    most_players=MAX_PLAYERS,
    start="start signal",
    move="swap",
    moves="moves",
    what_counts="swaps, churns and yields; a grab of several cards is one",
    deadlocked="nobody will ever move again",
    stalls="no bunch in hand has an improving card in the centre",
    until="until one has again",
    stalled_at_start="a stall before the first card is swapped",
    things="bunches",
    fewest="unfinished bunches",
    dealt_again="after a wait without a swap (deadlock_rule=redeal), or if players were done at once (win_tie=redeal)",
)

COLUMNS: tuple[Column, ...] = (
    *columns(
        _WORDS,
        of_stalls=(
            Column(name="locks", unit="locks", meaning="times that no unfinished bunch of anybody could be improved"),
            Column(name="locked", unit="flag", meaning="at least one lock"),
        ),
    ),
    Column(name="swaps", unit="swaps", meaning="swaps that improved a bunch"),
    Column(name="churns", unit="swaps", meaning="swaps of a card that was not needed"),
    Column(name="yields", unit="swaps", meaning="swaps that gave up a hoped-for card"),
    Column(name="switches", unit="bunches", meaning="bunches put back unfinished by a player's own will"),
    Column(name="contested_lost", unit="cards", meaning="cards that a hand came for and did not get"),
    Column(name="deadlines", unit="bunches", meaning="bunches put back because the time for a swap ran out"),
    Column(name="false_calls", unit="calls", meaning="calls before the last bunch was complete"),
    Column(
        name="loser_bunches", unit="bunches", meaning="all losers' complete bunches when somebody won; 0 if not won"
    ),
    Column(name="losers", unit="players", meaning="players, or teams, that have not won; 0 if nobody has"),
    # facts of the first deal
    Column(name="dealt_complete", unit="flag", meaning="a bunch was dealt complete"),
    Column(name="paired_bunches", unit="bunches", meaning="bunches of all players dealt with two or more of a rank"),
    Column(name="pairless_1", unit="flag", meaning="no bunch of player 1 was dealt with a pair"),
    Column(name="centre_helps_1", unit="flag", meaning="the centre was dealt a best rank of player 1's first bunch"),
    Column(name="centre_shares_1", unit="flag", meaning="the centre was dealt a rank of player 1's first bunch"),
    # facts of the winner since the cards were last dealt; 0 if not won
    Column(name="winner_swapped_cards", unit="cards", meaning="cards that the winner took from the centre"),
    Column(name="winner_work", unit="cards", meaning="cards that the winner's bunches lacked of complete when dealt"),
    Column(name="winner_ranks", unit="mask", meaning="ranks of the winner's bunches, rank r as bit r"),
    # where play goes on after the first has won (ranking)
    Column(name="ranking", unit="flag", meaning="play went on after a player had won"),
    Column(name="ranked", unit="flag", meaning="everybody has a place"),
    Column(name="winner_us", unit="us", meaning="when the winner was done; 0 unless everybody has a place", wide=True),
    *(
        Column(name=f"place_{seat}", unit="place", meaning=f"player {seat}'s place; 0 unless everybody has one")
        for seat in _SEATS
    ),
    *(Column(name=f"last_{seat}", unit="flag", meaning=f"player {seat} has the last place") for seat in _SEATS),
)

COLUMN_INDEX: dict[str, int] = {column.name: index for index, column in enumerate(COLUMNS)}

METRICS: tuple[Metric, ...] = (
    *metrics(
        _WORDS,
        of_stalls=(
            Mean(
                name="locks",
                unit="per deal",
                meaning="Times that no unfinished bunch of anybody has an improving card in the centre.",
                group="stalls",
                of="locks",
            ),
            Rate(name="locked", unit="of deals", meaning="At least one lock.", group="stalls", of="locked"),
        ),
    ),
    Mean(name="swaps", unit="per deal", meaning="Swaps that improve a bunch.", group="swapping", of="swaps"),
    Mean(
        name="churns",
        unit="per deal",
        meaning="Swaps of a card that is not needed against another.",
        group="swapping",
        of="churns",
    ),
    Mean(
        name="yields",
        unit="per deal",
        meaning="Swaps that give up a hoped-for card.",
        group="swapping",
        of="yields",
    ),
    Mean(
        name="switches",
        unit="per deal",
        meaning="Bunches put back unfinished to try another.",
        group="swapping",
        of="switches",
    ),
    Mean(
        name="contested_lost",
        unit="per deal",
        meaning="Cards that a hand comes for and does not get.",
        group="swapping",
        of="contested_lost",
    ),
    Mean(
        name="deadlines",
        unit="per deal",
        meaning="Bunches put back because the time for a swap has run out.",
        group="swapping",
        of="deadlines",
    ),
    Mean(
        name="false_calls",
        unit="per deal",
        meaning="Calls before the last bunch is complete.",
        group="swapping",
        of="false_calls",
    ),
    Ratio(
        name="loser_bunches",
        unit="bunches",
        meaning="Complete bunches of a losing player, or team, when somebody wins.",
        group="winning",
        of="loser_bunches",
        per="losers",
    ),
    Rate(
        name="dealt_complete",
        unit="of deals",
        meaning="A bunch is dealt complete.",
        group="swapping",
        of="dealt_complete",
    ),
    Rate(
        name="ranked",
        unit="of won deals",
        meaning="Play goes on after the win until everybody has a place.",
        group="ranking",
        of="ranked",
        among="ranking",
    ),
    Ratio(
        name="winner_s",
        unit="s",
        meaning="Time from the start signal to the winner's call, ranked deals.",
        group="ranking",
        of="winner_us",
        per="ranked",
        divisor=1_000_000,
        clock=True,
    ),
    *(
        Ratio(
            name=f"place_{seat}",
            unit="place",
            meaning=f"Place of player {seat}, mean over ranked deals.",
            group="ranking",
            of=f"place_{seat}",
            per="ranked",
            needs_players=seat,
        )
        for seat in _SEATS
    ),
    *(
        Rate(
            name=f"last_{seat}",
            unit="of ranked deals",
            meaning=f"Player {seat} has the last place.",
            group="ranking",
            of=f"last_{seat}",
            among="ranked",
            needs_players=seat,
        )
        for seat in _SEATS
    ),
    *match_metrics(len(_SEATS)),
)

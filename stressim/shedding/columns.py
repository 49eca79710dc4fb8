"""What a shedding kernel writes for each deal, and the numbers that a run reports from it."""

from __future__ import annotations

from stressim.matchrules import match_metrics
from stressim.metrics import Column, Mean, Metric, Rate, Ratio
from stressim.shedding.limits import MAX_PLAYERS
from stressim.skeleton import Words, columns, metrics

_WORDS = Words(
    most_players=MAX_PLAYERS,
    start="first flip",
    move="play",
    moves="plays",
    what_counts="plays; several cards laid in one go are one",
    deadlocked="nobody can move again",
    stalls="nobody can play, refill or merge",
    until="until the restart flip lands",
    stalled_at_start="nobody can play on the first flip and the tops differ",
    things="cards",
    fewest="cards",
    dealt_again="no rule of this game does so",
)

COLUMNS: tuple[Column, ...] = (
    *columns(
        _WORDS,
        of_stalls=(
            Column(
                name="restarts", unit="restarts", meaning="restarts that a player wanted although somebody could play"
            ),
        ),
    ),
    Column(name="stresses", unit="stresses", meaning="stresses that somebody slapped"),
    Column(name="stress_at_first_flip", unit="flag", meaning="the first flip made the tops equal"),
    Column(name="stress_from_flip", unit="stresses", meaning="slapped stresses that a flip had made"),
    Column(name="stress_ties", unit="stresses", meaning="slapped stresses too close to call"),
    Column(name="stress_missed", unit="stresses", meaning="equal tops that were covered before a slap"),
    Column(name="false_calls", unit="calls", meaning="slaps that did not count"),
    Column(name="late_cards", unit="cards", meaning="cards that landed on a changed pile and went back"),
    Column(name="aborted_cards", unit="cards", meaning="cards taken back on their way"),
    Column(name="illegal_cards", unit="cards", meaning="cards laid that did not fit and went back"),
    Column(name="picked_up", unit="cards", meaning="cards taken up because of stress"),
    Column(name="loser_cards", unit="cards", meaning="cards that all losers have left; 0 if not won"),
    Column(name="losers", unit="players", meaning="players who have not won; 0 if nobody has"),
    Column(name="one_stock_empty", unit="flag", meaning="a flip at a lock or after a stress found some stocks empty"),
    Column(name="both_stocks_empty", unit="flag", meaning="a lock found all stocks empty, or no card to flip"),
    Column(
        name="slap_winner_without_stock",
        unit="stresses",
        meaning="stresses after which somebody who took nothing lacked a stock card while another had one",
    ),
    Column(name="last_card_equal", unit="flag", meaning="won by a card that made the tops equal"),
    Column(name="side_piles_renewed", unit="times", meaning="times that the centre piles became the side piles"),
    Column(name="rounds", unit="rounds", meaning="rounds that ended before the deal did"),
)

COLUMN_INDEX: dict[str, int] = {column.name: index for index, column in enumerate(COLUMNS)}

METRICS: tuple[Metric, ...] = (
    *metrics(
        _WORDS,
        of_stalls=(
            Mean(
                name="restarts",
                unit="per deal",
                meaning="Restarts that a player wants although somebody can play.",
                group="stalls",
                of="restarts",
            ),
        ),
    ),
    Mean(name="stresses", unit="per deal", meaning="Stresses that somebody slaps.", group="stress", of="stresses"),
    Rate(
        name="stress_at_first_flip",
        unit="of deals",
        meaning="The first flip makes the tops equal.",
        group="stress",
        of="stress_at_first_flip",
    ),
    Mean(
        name="stress_from_flip",
        unit="per deal",
        meaning="Slapped stresses that a flip has made.",
        group="stress",
        of="stress_from_flip",
    ),
    Mean(
        name="stress_ties",
        unit="per deal",
        meaning="Slapped stresses that are too close to call.",
        group="stress",
        of="stress_ties",
    ),
    Mean(
        name="stress_missed",
        unit="per deal",
        meaning="Equal tops that are covered before anybody slaps.",
        group="stress",
        of="stress_missed",
    ),
    Mean(name="false_calls", unit="per deal", meaning="Slaps that do not count.", group="stress", of="false_calls"),
    Mean(
        name="late_cards",
        unit="per deal",
        meaning="Cards that land on a changed pile and go back.",
        group="stress",
        of="late_cards",
    ),
    Mean(
        name="aborted_cards",
        unit="per deal",
        meaning="Cards taken back on their way because the pile has changed.",
        group="stress",
        of="aborted_cards",
    ),
    Mean(
        name="illegal_cards",
        unit="per deal",
        meaning="Cards laid that do not fit and go back.",
        group="stress",
        of="illegal_cards",
    ),
    Ratio(
        name="cards_picked_up",
        unit="cards per stress",
        meaning="Cards that a stress costs.",
        group="stress",
        of="picked_up",
        per="stresses",
    ),
    Ratio(
        name="loser_cards",
        unit="cards",
        meaning="Cards the loser has left, per losing player of a won deal.",
        group="winning",
        of="loser_cards",
        per="losers",
    ),
    Rate(
        name="one_stock_empty",
        unit="of deals",
        meaning="A flip at a lock or after a stress finds some stocks empty, but not all.",
        group="stalls",
        of="one_stock_empty",
    ),
    Rate(
        name="both_stocks_empty",
        unit="of deals",
        meaning="A lock finds all stocks empty, or whatever else cards are flipped from.",
        group="stalls",
        of="both_stocks_empty",
    ),
    Mean(
        name="rounds",
        unit="per deal",
        meaning="Rounds that end, with new rows laid out, before the deal does.",
        group="flow",
        of="rounds",
    ),
    Mean(
        name="side_piles_renewed",
        unit="per deal",
        meaning="Times that the centre piles become the side piles.",
        group="stalls",
        of="side_piles_renewed",
    ),
    Mean(
        name="slap_winner_without_stock",
        unit="per deal",
        meaning="Stresses after which somebody who took nothing lacks a stock card while another has one.",
        group="stress",
        of="slap_winner_without_stock",
    ),
    Rate(
        name="last_card_equal",
        unit="of won deals",
        meaning="The last card makes the tops equal.",
        group="stress",
        of="last_card_equal",
        among="won",
    ),
    *match_metrics(MAX_PLAYERS),
)

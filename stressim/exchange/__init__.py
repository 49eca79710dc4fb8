"""The exchange game: swap cards with the open centre until all your bunches are four of a kind."""

from stressim.exchange.columns import COLUMNS, METRICS
from stressim.exchange.habits import ExchangeHabits
from stressim.exchange.rules import ExchangeRules
from stressim.family import Family

FAMILY = Family(
    name="exchange",
    title="swap cards with the centre until every bunch is four of a kind",
    rules=ExchangeRules,
    habits=ExchangeHabits,
    columns=COLUMNS,
    metrics=METRICS,
)

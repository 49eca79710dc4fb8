"""The shedding game: two centre piles, one rank up or down, slap when both tops are equal."""

from stressim.family import Family
from stressim.shedding.columns import COLUMNS, METRICS
from stressim.shedding.habits import SheddingHabits
from stressim.shedding.rules import SheddingRules

FAMILY = Family(
    name="shedding",
    title="lay cards one rank up or down, slap when the tops are equal",
    rules=SheddingRules,
    habits=SheddingHabits,
    columns=COLUMNS,
    metrics=METRICS,
)

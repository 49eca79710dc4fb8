"""The first position against exact probabilities, for any deck: counted here, and equal to the published fractions."""

from fractions import Fraction

import numpy as np
import pytest
from checks import failing, start
from exact_start import exact_row, exact_start
from playing import column, rows_of

from stressim.rulesfile import load_rules
from stressim.shedding.rules import SheddingRules

DEALS = 25_000

D52 = "swedish"
TWO_DECKS = "german"
JASS = "jass"
SKAT_3 = "skat"
SKAT_4 = "skat row_slots=4"
DOPPELKOPF = "doppelkopf"
FIVE_OPEN = "swedish row_slots=5"
SPEED = "speed"
SPIT = "spit"
MERGING = {
    D52: "swedish merge_equal_ranks=at_deal",
    JASS: "jass merge_equal_ranks=at_deal",
    SKAT_3: "skat merge_equal_ranks=always",
}


def options_of(rules: str, ace: str = "wrap") -> SheddingRules:
    name, *sets = rules.split()
    options = load_rules(name, sets=[*sets, f"ace={ace}"]).options
    assert isinstance(options, SheddingRules)
    return options


def same(found: Fraction, published: str) -> bool:
    """Whether a number is the fraction given, or rounds to the decimal given."""
    if "/" in published:
        return found == Fraction(published)
    rounding = Fraction(51, 100) / Fraction(10) ** len(published.partition(".")[2])
    return abs(found - Fraction(published)) <= rounding


EQUAL = {
    D52: "1/17", TWO_DECKS: "1/13", JASS: "3/35", SKAT_3: "3/31", SKAT_4: "3/31", DOPPELKOPF: "7/47", FIVE_OPEN: "1/17",
    SPEED: "1/17",
    SPIT: "1/17",
    "swedish n_jokers=2": "61/477", "swedish n_jokers=4": "73/385", "jass n_jokers=2": "127/703",
    "skat n_jokers=2": "113/561", "german n_jokers=2": "313/2809", "german n_jokers=4": "35/243",
    "jass deal_mode=own_deck_each n_jokers=2": "217/1369",
}  # fmt: skip

# rules and ace: tops adjacent, nobody can play, one given player cannot, playable cards of both rows, a true lock
PUBLISHED = {
    (D52, "wrap"): ("8/51", "22730431/396823350", "1440791/5872650", "992/425", "1082272/24403575"),
    (D52, "low"): ("32/221", "3081862291/39550060550", ".280532", "7168/3315", "1237564868/19775030275"),
    (TWO_DECKS, "wrap"): (
        "2/13", "800453291/11275696250", "24253/95550", "1520/663", "10600652213/202962532500",
    ),
    (TWO_DECKS, "low"): ("24/169", "20584550048/219876076875", ".289106", "1408/663", ".071717"),
    (JASS, "wrap"): ("8/35", "2984291/211822380", "19109/162316", "1952/595", "20912/3115035"),
    (JASS, "low"): ("64/315", "2620747/90781020", ".161712", "2.940056", ".016992"),
    (SKAT_3, "wrap"): ("8/31", "67493/2629575", "4999/31465", "424/155", "2732/202275"),
    (SKAT_3, "low"): ("7/31", "283919/5663700", ".215247", "75/31", ".031628"),
    (SKAT_4, "wrap"): ("8/31", "32186/4032015", ".085924", "1696/465", "836/310155"),
    (SKAT_4, "low"): ("7/31", ".020447", ".130812", "100/31", ".010024"),
    (DOPPELKOPF, "wrap"): ("16/47", "15438913/4087947435", ".045113", "4928/1081", ".000436"),
    (DOPPELKOPF, "low"): ("40/141", ".016096", ".092612", "3.877891", ".004564"),
    (FIVE_OPEN, "wrap"): ("8/51", "15428657/560306082", ".171092", "248/85", ".019110"),
    (FIVE_OPEN, "low"): ("32/221", ".041422", ".203566", "2.702866", ".030701"),
}  # fmt: skip
# Five cards in hand, or five tops of piles, are as good as five open ones; what lies aside or below is not seen.
PUBLISHED |= {(rules, ace): PUBLISHED[FIVE_OPEN, ace] for rules in (SPEED, SPIT) for ace in ("wrap", "low")}

# with merging: nobody can play, one given player cannot, a true lock
PUBLISHED_MERGING = {
    (D52, "wrap"): ("94108746552849568938059/2354305371819380622893250", ".204220", ".029318"),
    (D52, "low"): (".057413", ".238959", ".044367"),
    (JASS, "wrap"): (".006177", ".070872", ".002013"),
    (JASS, "low"): (".015511", ".108853", ".007450"),
    (SKAT_3, "wrap"): (".015160", ".115843", ".006455"),
    (SKAT_3, "low"): (".033883", ".169241", ".019187"),
}


@pytest.mark.parametrize("rules", EQUAL)
def test_exact_start__equal_tops_as_published(rules: str) -> None:
    assert exact_start(options_of(rules)).equal == Fraction(EQUAL[rules])


@pytest.mark.parametrize(("rules", "ace"), PUBLISHED)
def test_exact_start__as_published(rules: str, ace: str) -> None:
    found = exact_start(options_of(rules, ace))
    numbers = found.adjacent, found.stuck, found.one_stuck, found.playable, found.stalled
    assert [same(*pair) for pair in zip(numbers, PUBLISHED[rules, ace], strict=True)] == [True] * 5


@pytest.mark.parametrize("rules", [D52, JASS, SKAT_3, DOPPELKOPF, FIVE_OPEN])
def test_exact_start__ace_high_mirrors_ace_low(rules: str) -> None:
    assert exact_start(options_of(rules, "high")) == exact_start(options_of(rules, "low"))


@pytest.mark.parametrize(("rules", "ace"), PUBLISHED_MERGING)
def test_exact_start__merging_as_published(rules: str, ace: str) -> None:
    found = exact_start(options_of(MERGING[rules], ace))
    numbers = found.stuck, found.one_stuck, found.stalled
    assert [same(*pair) for pair in zip(numbers, PUBLISHED_MERGING[rules, ace], strict=True)] == [True] * 3
    assert found.equal == exact_start(options_of(rules, ace)).equal


@pytest.mark.parametrize(
    ("ranks", "slots", "different", "cards"),
    [(13, 4, "2816/4165", "26567/6027"), (9, 4, "512/935", "37027/7975"), (8, 3, "112/155", "2421/725")],
)
def test_exact_row__as_published(ranks: int, slots: int, different: str, cards: str) -> None:
    found = exact_row(ranks, 4, slots)
    assert (found.all_different, found.cards) == (Fraction(different), Fraction(cards))


NOT_PUBLISHED = (
    "swedish deck=custom deck_ranks=5 deck_copies=4 row_slots=2 ace=wrap",
    "swedish deck=custom deck_ranks=0-9 deck_copies=4 row_slots=3 ace=low",
    "swedish deck=custom deck_ranks=0-9 deck_copies=4 row_slots=3 ace=wrap",
    "swedish deck=custom deck_ranks=7-A deck_copies=3 row_slots=6 ace=high",
    "swedish deck=custom deck_ranks=15 deck_copies=2 row_slots=4 ace=low",
    "swedish deck=custom deck_ranks=3 deck_copies=8 row_slots=1 ace=low",
    "swedish deck=custom deck_ranks=9-A deck_copies=6 row_slots=3 merge_equal_ranks=always ace=low",
    "swedish deck=custom deck_ranks=10 deck_copies=4 row_slots=4 merge_equal_ranks=at_deal ace=high",
    "german row_slots=3 ace=low merge_equal_ranks=at_deal",
    "german deck=skat32 row_slots=2 ace=high",
    "swedish deal_mode=split_combined n_decks=2 ace=low",
    "swedish deal_mode=split_combined n_decks=3 row_slots=2 merge_equal_ranks=at_deal",
    "swedish n_jokers=2 ace=low",
    "jass n_jokers=4 merge_equal_ranks=at_deal ace=low",
    "german-jokers row_slots=2 ace=low",
    "swedish equal_rank_playable=true ace=low row_slots=2",
    "doppelkopf equal_rank_playable=true row_slots=1",
    "spit-bicycle ace=high row_slots=3",
    "spit deck=skat32 deal_mode=own_deck_each ace=low row_slots=4",
    "speed ace=high row_slots=3 side_pile_cards=0",
    "speed deal_mode=own_deck_each equal_rank_playable=true",
)

START = (
    *(f"{rules} ace={ace}" for rules, ace in PUBLISHED),
    *(f"{MERGING[rules]} ace={ace}" for rules, ace in PUBLISHED_MERGING),
    *(f"{rules} ace=high" for rules in (D52, JASS)),
    *(rules for rules in EQUAL if "n_jokers" in rules),
    *NOT_PUBLISHED,
)
"""Rules whose first position is held against its exact probabilities."""


@pytest.mark.parametrize("rules", START)
def test_start__exact(rules: str) -> None:
    assert not failing(start(rules, DEALS))


@pytest.mark.parametrize("rules", [*MERGING.values(), *NOT_PUBLISHED])
def test_start__same_with_and_without_a_clock(rules: str) -> None:
    name, *sets = rules.split()
    with_clock, without = (rows_of(name, 3000, sets=sets, timing=timing) for timing in ("human", "uniform"))
    for metric in ("stress_at_first_flip", "stalled_at_start"):
        assert np.array_equal(column(with_clock, metric), column(without, metric))

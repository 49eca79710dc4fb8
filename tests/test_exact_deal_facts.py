"""What the deal alone decides, counted: against published fractions, against brute force, and as reasons."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from fractions import Fraction

import pytest
from exact_start import exact_row, exact_start
from test_shedding_exact_start import NOT_PUBLISHED

from stressim.exact.quantities import Quantity
from stressim.rulesfile import load_rules
from stressim.shedding.referee.table import adjacent
from stressim.shedding.rules import SheddingRules


def known(rules: str) -> dict[str, Quantity]:
    name, *sets = rules.split()
    loaded = load_rules(name, sets=sets)
    return {quantity.name: quantity for quantity in loaded.family.deal_facts.quantities(loaded.options)}


def shedding(rules: str) -> SheddingRules:
    name, *sets = rules.split()
    options = load_rules(name, sets=sets).options
    assert isinstance(options, SheddingRules)
    return options


def agrees(quantity: Quantity, published: str) -> bool:
    """Whether a number is the fraction given, or rounds to the decimal given."""
    assert quantity.value is not None
    if "/" in published:
        return quantity.value == Fraction(published)
    half_a_digit = Fraction(51, 100) / Fraction(10) ** len(published.partition(".")[2])
    return abs(Fraction(quantity.value) - Fraction(published)) <= half_a_digit


def different_orders(cards: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All orders of cards that differ by rank; each is as likely."""
    if not cards:
        yield ()
    for card in sorted(set(cards)):
        place = cards.index(card)
        for rest in different_orders(cards[:place] + cards[place + 1 :]):
            yield (card, *rest)


ONE_PLAY_AWAY = {
    "swedish": "3041404/28943775",
    "swedish ace=low": ".096997",
    "german": "898401551/8284185000",
    "german ace=low": ".100106",
    "jass": ".189443",
    "jass ace=low": ".168394",
    "skat": "524776/2629575",
    "skat ace=high": ".174621",
}

MERGED = {
    # rules: first cards all differ, cards used, merges, nobody can play, one player cannot, playable slots
    "norwegian": (
        "2816/4165", "26567/6027", "2459/6027", "94108746552849568938059/2354305371819380622893250", ".204220",
        "2.329378",
    ),
    "norwegian ace=low": ("2816/4165", "4.407997", ".407997", ".057413", ".238959", "2.157883"),
    "jass merge_equal_ranks=at_deal": ("512/935", "37027/7975", "5127/7975", ".006177", ".070872", "3.265369"),
    "jass merge_equal_ranks=at_deal ace=low": ("512/935", "4.642884", ".642884", ".015511", ".108853", "2.926191"),
    "skat merge_equal_ranks=at_deal": ("112/155", "2421/725", "246/725", ".015160", ".115843", "2.725120"),
    "skat merge_equal_ranks=at_deal ace=low": ("112/155", "3.339310", ".339310", ".033883", ".169241", "2.410050"),
}  # fmt: skip


@pytest.mark.parametrize("rules", ONE_PLAY_AWAY)
def test_stress_one_play_away__as_published(rules: str) -> None:
    assert agrees(known(rules)["stress_one_play_away"], ONE_PLAY_AWAY[rules])


@pytest.mark.parametrize("rules", MERGED)
def test_merging__as_published(rules: str) -> None:
    found = known(rules)
    names = (
        "row_all_different",
        "row_cards",
        "row_merges",
        "nobody_can_play",
        "one_player_cannot_play",
        "playable_slots",
    )

    assert [agrees(found[name], value) for name, value in zip(names, MERGED[rules], strict=True)] == [True] * 6
    assert found["row_merged"].value == 1 - Fraction(MERGED[rules][0])


def test_row_all_different__five_tops_of_spit() -> None:
    assert known("swedish row_slots=5")["row_all_different"].fraction == "2112/4165"


@pytest.mark.parametrize("rules", [*NOT_PUBLISHED, "norwegian", "skat ace=low", "doppelkopf row_slots=6"])
def test_first_position__two_ways_of_counting_agree(rules: str) -> None:
    found, options = known(rules), shedding(rules)
    other = exact_start(options)

    assert found["first_flip_equal"].value == other.equal
    assert found["nobody_can_play"].value == other.stuck
    assert found["stalled_at_start"].value == other.stalled
    assert found["one_player_cannot_play"].value == other.one_stuck
    if "merge" not in rules and rules != "norwegian":
        assert found["playable_slots"].value == other.playable
    elif not options.n_jokers:
        n_copies = options.n_copies if options.deal_mode.word == "own_deck_each" else options.n_copies_total
        assert found["row_cards"].value == exact_row(options.n_ranks, n_copies, options.row_slots).cards


def test_first_flip_equal__does_not_hang_on_rows() -> None:
    ways = ("", "row_slots=2", "merge_equal_ranks=always", "merge_equal_ranks=at_deal row_slots=3", "ace=low")
    assert {known(f"swedish {way}")["first_flip_equal"].fraction for way in ways} == {"1/17"}


TINY = (
    "swedish deck=custom deck_ranks=4 deck_copies=2 row_slots=1",
    "swedish deck=custom deck_ranks=4 deck_copies=2 row_slots=2 ace=low",
    "swedish deck=custom deck_ranks=4 deck_copies=2 row_slots=2 merge_equal_ranks=at_deal",
    "swedish deck=custom deck_ranks=3 deck_copies=2 n_jokers=2 row_slots=2 ace=low",
    "swedish deck=custom deck_ranks=3 deck_copies=2 n_jokers=2 row_slots=2 merge_equal_ranks=always",
)


@pytest.mark.parametrize("rules", TINY)
def test_first_position__every_deal_of_a_tiny_deck(rules: str) -> None:
    """Lay out every order of the cards by hand."""
    options, found = shedding(rules), known(rules)
    cards = [rank for rank in range(options.n_ranks) for _ in range(options.n_copies_total)]
    cards += [15] * options.n_jokers
    orders = list(different_orders(tuple(cards)))
    totals = dict.fromkeys(found, 0)
    for order in orders:
        for name, value in facts_of_deal(options, order).items():
            if name in totals:
                totals[name] += value

    for name, quantity in found.items():
        if quantity.value is not None and name != "parity":
            assert quantity.value == Fraction(totals[name], len(orders)), name


@pytest.mark.parametrize(
    ("rules", "value", "begins"),
    [
        ("swedish", 0, "No: .* In a ring of 13 ranks"),
        ("swedish ace=low", 1, "Yes: .* even if the two lie an even number of ranks apart"),
        ("skat", 1, "Yes: "),  # a ring of eight
    ],
)
def test_parity__says_what_its_number_means(rules: str, value: int, begins: str) -> None:
    found = known(rules)["parity"]

    assert found.value == value
    assert re.match(begins, found.meaning)


def facts_of_deal(rules: SheddingRules, order: tuple[int, ...]) -> dict[str, int]:
    rows, flips, used = [], [], []
    merging = rules.merge_equal_ranks.word != "off"
    for first in (0, rules.cards_each):
        stock = list(order[first : first + rules.cards_each])
        row: list[int] = []
        while len(row) < rules.row_slots:
            card = stock.pop(0)
            if not (merging and card in row and card != 15):
                row.append(card)
        used.append(rules.cards_each - len(stock))
        rows.append(row)
        flips.append(stock[0])

    def fits(card: int, top: int) -> bool:
        return 15 in (card, top) or adjacent(rules, card, top)

    playable = [sum(any(fits(card, top) for top in flips) for card in row) for row in rows]
    equal = flips[0] == flips[1] or 15 in flips
    shown = {card for row in rows for card in row}
    first_cards = order[: rules.row_slots]
    different = all(a != b or a == 15 for a, b in itertools.combinations(first_cards, 2))
    return {
        "first_flip_equal": equal,
        "first_flip_adjacent": fits(*flips),
        "nobody_can_play": not sum(playable),
        "stalled_at_start": not sum(playable) and not equal,
        "one_player_cannot_play": not playable[0],
        "playable_slots": sum(playable),
        "stress_one_play_away": not equal and fits(*flips) and bool(shown & {*flips, 15}),
        "row_all_different": different,
        "row_merged": not different,
        "row_cards": used[0],
        "row_merges": used[0] - rules.row_slots,
    }


def test_left_out__with_the_reason() -> None:
    reflip = known("swedish start_flip_equal=reflip")
    named = known("swedish n_jokers=2 joker_mode=named")
    short = known("swedish deck=custom deck_ranks=3 deck_copies=4 row_slots=3 merge_equal_ranks=always")

    assert reflip["first_flip_equal"].fraction == "1/17"
    assert reflip["stalled_at_start"].value is None
    assert "reflip" in reflip["stalled_at_start"].reason
    assert named["first_flip_equal"].value is None
    assert "names" in named["first_flip_equal"].reason
    assert short["row_cards"].value is None
    assert short["row_all_different"].value is not None


def test_left_out__what_is_too_costly() -> None:
    rules = "swedish deck=custom deck_ranks=15 deck_copies=16 row_slots=8 merge_equal_ranks=always"
    found = known(rules)

    assert found["nobody_can_play"].value is None
    assert "positions would have to be counted" in found["nobody_can_play"].reason
    assert found["first_flip_equal"].fraction == "15/239"


# --- the exchange game ----------------------------------------------------------------------------------------------

EXCHANGE = {
    "bunch_4": "13/270725",
    "bunch_3_1": "192/20825",
    "bunch_2_2": "216/20825",
    "bunch_2_1_1": "6336/20825",
    "bunch_1_1_1_1": "2816/4165",
    "bunch_paired": "1349/4165",
    "bunch_three": "193/20825",
    "bunch_work": "55536/20825",
    "centre_helps_2_1_1": "91/564",
    "centre_helps_3_1": "1/12",
    "centre_helps_2_2": "58829/194580",
    "centre_helps_1_1_1_1": "3015/4324",
    "centre_helps_1": "59028974/112559125",
    "centre_shares_1": "215676506/337677375",
    "pairless": ".010553",
    "dealt_complete": ".000576035",
    "dealt_complete_or_centre": ".000624019",
}

BY_PLAYERS = {
    # players: bunches with a pair of one player, pairless, work, a complete bunch, sets of the winner's ranks
    2: ("1.943337", "199265881749092499456/2018818875153994038125", "16.000768", ".000288071", "1716"),
    3: ("1.295558", ".211702", "10.667179", ".000192059", "715"),
    4: (".971669", "86423204864/277818432325", "8.000384", ".000144049", "286"),
    6: (".647779", "10312896/22511825", "5.333589", ".000096035", "78"),
    12: (".323890", ".676110", "2.666795", ".000048019", "13"),
}


def test_exchange__as_published() -> None:
    found = known("james-bond")

    assert [name for name, value in EXCHANGE.items() if not agrees(found[name], value)] == []


@pytest.mark.parametrize("n_players", BY_PLAYERS)
def test_exchange__as_published_for_players(n_players: int) -> None:
    found = known(f"james-bond n_players={n_players}")
    paired = Fraction(found["paired_bunches"].value or 0) / n_players
    published, *others = BY_PLAYERS[n_players]
    names = ("pairless_1", "player_work", "dealt_complete_1", "winner_rank_sets")

    assert abs(paired - Fraction(published)) < Fraction(1, 10**6)
    assert [name for name, value in zip(names, others, strict=True) if not agrees(found[name], value)] == []


SMALL = (
    "james-bond deck=custom deck_ranks=3 deck_copies=3 bunch_size=2 centre_cards=1 n_players=2",
    "james-bond deck=custom deck_ranks=2 deck_copies=4 bunch_size=3 centre_cards=2 n_players=1",
    "james-bond deck=custom deck_ranks=3 deck_copies=2 bunch_size=2 centre_cards=3 n_jokers=1 n_players=1",
    "james-bond deck=custom deck_ranks=4 deck_copies=2 bunch_size=2 centre_cards=1 cards_removed=1 n_players=3",
)


@pytest.mark.parametrize("rules", SMALL)
def test_exchange__every_deal_of_a_small_deck(rules: str) -> None:
    name, *sets = rules.split()
    options = load_rules(name, sets=sets).options
    found = known(rules)
    orders = list(different_orders(tuple(card % 16 for card in options.cards)))  # type: ignore[attr-defined]
    totals = dict.fromkeys(found, 0)
    for order in orders:
        for fact, value in facts_of_bunches(options, order).items():
            if fact in totals:
                totals[fact] += value

    for fact, quantity in found.items():
        if fact != "winner_rank_sets" and quantity.unit != "of such bunches":
            assert quantity.value == Fraction(totals[fact], len(orders)), fact


def facts_of_bunches(rules: object, order: tuple[int, ...]) -> dict[str, int]:
    size, each, every = rules.bunch_size, rules.bunches_each, rules.n_bunches  # type: ignore[attr-defined]
    bunches = [order[first : first + size] for first in range(0, size * every, size)]
    centre = order[size * every :]
    patterns = [sorted((bunch.count(rank) for rank in set(bunch)), reverse=True) for bunch in bunches]
    best = {rank for rank in bunches[0] if bunches[0].count(rank) == patterns[0][0]}
    complete = [pattern[0] == size for pattern in patterns]
    facts: dict[str, int] = {
        "bunch_paired": patterns[0][0] > 1,
        "bunch_work": size - patterns[0][0],
        "paired_bunches": sum(pattern[0] > 1 for pattern in patterns),
        "pairless_1": all(pattern[0] == 1 for pattern in patterns[:each]),
        "pairless": all(pattern[0] == 1 for pattern in patterns),
        "dealt_complete_1": any(complete[:each]),
        "dealt_complete": any(complete),
        "dealt_complete_or_centre": any(complete) or len(set(centre)) == 1,
        "player_work": sum(size - pattern[0] for pattern in patterns[:each]),
        "centre_helps_1": bool(best & set(centre)),
        "centre_shares_1": bool(set(bunches[0]) & set(centre)),
    }
    facts[f"bunch_{'_'.join(map(str, patterns[0]))}"] = 1
    return facts

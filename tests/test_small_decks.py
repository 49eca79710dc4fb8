"""Small decks solved whole: chains by hand, moves that the referee accepts, kernels that agree."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from stressim.exact.chains import ENDLESS, Chance, Step, branches, solve
from stressim.exact.quantities import TooCostlyError
from stressim.family import family_named
from stressim.options import Choice
from stressim.players.time_options import declared
from stressim.rulesfile import load_rules
from stressim.shedding.events import Kind, Outcome
from stressim.shedding.hidden_cards import Bag
from stressim.shedding.referee import judge as judge_shedding
from stressim.shedding.rules import SheddingRules
from stressim.shedding.small_deck import SmallDeck
from stressim.shedding.uniform_many import ManyDealer
from stressim.shedding.uniform_moves import Dealer
from stressim.shedding.uniform_pair import PairDealer
from stressim.shedding.uniform_rounds import RoundsDealer
from stressim.small_decks import quantities, solved
from stressim.verify.checks import judge
from stressim.verify.deals import Table, log_checks
from stressim.verify.report import line_of
from stressim.verify.small import BRIEF_GAMES, GAMES, small_checks

# --- chains ---------------------------------------------------------------------------------------------------------


class Ruin:
    """A gambler with 1 of 4 coins plays for one at a time; each game that he loses is counted."""

    def __init__(self, p: Sequence[int], *, stuck: bool = False) -> None:
        self.p, self.stuck = p, stuck

    def begin(self, chance: Chance) -> Step[int]:
        return Step(state=1)

    def play_on(self, state: int, chance: Chance) -> Step[int]:
        if self.stuck and state == 2:
            return Step(state=2)
        won = chance.pick(self.p) == 0
        after = state + (1 if won else -1)
        counts, flags = {"games": 1, "lost": int(not won)}, frozenset({"rich"} if after == 3 else ())
        if after in (0, 4):
            return Step(state=None, outcome="ruined" if after == 0 else "won", counts=counts, flags=flags)
        return Step(state=after, counts=counts, flags=flags)


def test_solve__gamblers_ruin() -> None:
    fair, biased = solve(Ruin([1, 1])), solve(Ruin([2, 1]))

    assert fair.outcomes == pytest.approx({"won": 1 / 4, "ruined": 3 / 4})
    assert fair.counts["games"] == pytest.approx(3)
    assert fair.flags["rich"] == pytest.approx(1 / 3)
    assert biased.outcomes["won"] == pytest.approx((1 - 0.5) / (1 - 0.5**4))
    assert fair.n_positions == 3


def test_solve__what_never_ends_is_told_apart() -> None:
    found = solve(Ruin([1, 1], stuck=True))

    assert found.outcomes == pytest.approx({"ruined": 1 / 2, ENDLESS: 1 / 2})
    assert found.counts == {}


def test_solve__too_many_positions() -> None:
    with pytest.raises(TooCostlyError, match="more than 2 positions"):
        solve(Ruin([1, 1]), most=2)


def test_branches__every_way_once() -> None:
    def walk(chance: Chance) -> tuple[int, ...]:
        first = chance.pick([1, 2, 1])
        return (first,) if first == 1 else (first, chance.pick([1, 0, 3]))

    found = {way: chance for chance, way in branches(walk)}
    assert found == pytest.approx({(0, 0): 1 / 16, (0, 2): 3 / 16, (1,): 1 / 2, (2, 0): 1 / 16, (2, 2): 3 / 16})


# --- the shedding moves, judged -------------------------------------------------------------------------------------


class Dice:
    """Chance by random numbers."""

    def __init__(self, seed: object) -> None:
        self.rng = random.Random(str(seed))

    def pick(self, weights: Sequence[int]) -> int:
        return self.rng.choices(range(len(weights)), weights)[0]


class Open(Dealer):
    """A dealer who knows every card, so that the referee can read the log."""

    def deal(self) -> None:
        super().deal()
        rules, rng = self.rules, self.chance.rng  # type: ignore[attr-defined]
        n_packs = len(self.pools)
        dealt: list[list[int]] = []
        for pack in range(n_packs):
            copies = range(pack * rules.n_copies_total // n_packs, (pack + 1) * rules.n_copies_total // n_packs)
            jokers = range(pack * rules.n_jokers // n_packs, (pack + 1) * rules.n_jokers // n_packs)
            cards = [rank + 16 * copy for rank in range(rules.n_ranks) for copy in copies]
            cards += [15 + 16 * joker for joker in jokers]
            rng.shuffle(cards)
            dealt.append(cards)
        if n_packs == 1:
            dealt = [
                dealt[0][first : first + rules.cards_dealt] for first in range(0, rules.n_cards, rules.cards_dealt)
            ]
        self.cards = dealt
        self.bags = [[Bag(0, [card]) for card in cards[: rules.cards_each]] for cards in dealt]
        self.side_bags = [[Bag(0, [card]) for card in cards[rules.cards_each :]] for cards in dealt]
        self.table.stocks = [list(cards[: rules.cards_each]) for cards in dealt]
        self.table.sides = [list(cards[rules.cards_each :]) for cards in dealt]

    def top_unlooked_at(self, player: int) -> int:
        return self.reveal(player)

    def shuffle(self, player: int) -> None:
        self._shuffle(self.bags[player], Kind.STOCK, player=player)

    def shuffle_side_pile(self, pile: int) -> None:
        self._shuffle(self.side_bags[pile], Kind.SIDE, pile=pile)

    def _shuffle(self, bags: list[Bag], kind: Kind, **place: int) -> None:
        self.chance.rng.shuffle(bags)  # type: ignore[attr-defined]
        for depth, bag in enumerate(bags):
            self.log(kind, card=bag.known[0], number=depth, **place)


class OpenPairDealer(Open, PairDealer):
    """The same for two players with two piles."""


class OpenManyDealer(Open, ManyDealer):
    """The same for larger tables."""


class OpenRoundsDealer(Open, RoundsDealer):
    """The same for rows of piles."""

    def draw_face_down(self, player: int, slot: int) -> None:
        self.log(Kind.DRAW, player=player, slot=slot, card=self.reveal(player))

    def look_at(self, player: int, slot: int) -> int:
        return self.table.rows[player][slot][-1]

    def gathered(self, player: int) -> list[Bag]:
        return [Bag(0, [card]) for slot in self.table.rows[player] for card in slot]


OPEN = {PairDealer: OpenPairDealer, ManyDealer: OpenManyDealer, RoundsDealer: OpenRoundsDealer}


SHEDDING_GAMES = [game for game in GAMES if game.loaded.family.name == "shedding"]


COUNTED = (
    "moves",
    "stalls",
    "stresses",
    "stress_from_flip",
    "picked_up",
    "slap_winner_without_stock",
    "side_piles_renewed",
    "rounds",
)


@pytest.mark.parametrize("game", SHEDDING_GAMES, ids=str)
def test_moves__are_lawful_and_counted_as_the_referee_counts(game: Table) -> None:
    """Deals played at random by the procedure that is solved: the referee accepts each and finds the same numbers."""
    rules = game.loaded.options
    assert isinstance(rules, SheddingRules)
    deck = SmallDeck(rules, game.seated(game.loaded))
    outcomes: Counter[str] = Counter()
    for seed in range(60):
        dealer = OPEN[deck.dealer_class](rules, Dice((game.rules, seed)), deck.pile_choices)
        deck.lay_out(dealer)
        ending = None
        while ending is None:
            ending = deck.advance(dealer)
        outcome, winner = ending
        dealer.log(Kind.END, player=winner, number=int(outcome))
        verdict = judge_shedding(rules, dealer.cards, [event[1:] for event in dealer.events], uniform=True).as_dict()
        for name in COUNTED:
            assert verdict[name] == dealer.counts[name], (seed, name)
        for name in ("stalled", "one_stock_empty", "both_stocks_empty", "stress_at_first_flip"):
            assert verdict[name] == (name in dealer.flags), (seed, name)
        assert verdict[outcome.word] == 1
        assert verdict["loser_cards"] == deck.end(dealer, outcome, winner).counts.get("loser_cards", 0), seed
        outcomes[outcome.word] += 1

    assert outcomes["won"] > 0


def test_dealer__hidden_cards_have_the_law_of_a_shuffled_deck() -> None:
    """Whatever order cards are seen in, each is any of those not seen yet."""
    rules = load_rules("swedish", sets=["deck=custom", "deck_ranks=3", "deck_copies=2", "row_slots=1"]).options
    assert isinstance(rules, SheddingRules)

    def seen(chance: Chance) -> tuple[int, ...]:
        dealer = PairDealer(rules, chance, [])
        dealer.deal()
        first = dealer.reveal(1)
        dealer.bags[1] += [Bag(0, [first])]
        dealer.bags[1] = [Bag(sum(bag.unseen for bag in dealer.bags[1]), [first])]  # shuffled in again
        return (dealer.reveal(1), dealer.reveal(0), dealer.reveal(1), dealer.reveal(0, depth=1))

    chances: Counter[tuple[int, ...]] = Counter()
    for chance, cards in branches(seen):
        chances[cards] += chance  # type: ignore[assignment]
    orders = Counter(tuple(card % 3 for card in order) for order in _ordered(range(6), 4))
    total = sum(orders.values())
    assert chances == pytest.approx({cards: n / total for cards, n in orders.items()})


def _ordered(cards: Sequence[int], n: int) -> list[tuple[int, ...]]:
    if not n:
        return [()]
    return [(card, *rest) for card in cards for rest in _ordered([other for other in cards if other != card], n - 1)]


# --- the exchange moves ---------------------------------------------------------------------------------------------


def test_exchange__two_bunches_of_pairs_by_hand() -> None:
    """Three ranks of two, one bunch of two each, two open cards: all positions can be counted by hand.

    Greedy players: somebody is done at the deal in 2/5 - 1/15 of all deals, both in 1/15. Otherwise both bunches and
    the centre are mixed or, in 1/5 less 1/15 of the deals, the centre is a pair, and nobody can improve.
    """
    rules = "james-bond deck=custom deck_ranks=3 deck_copies=2 bunch_size=2 centre_cards=2 win_tie=shared"
    game = Table(rules, players=("all.churn_weight=0",))
    found = solved(game.loaded, game.seated(game.loaded))
    one_pair_in_centre_only = 1 / 5 - 1 / 15

    assert found.outcomes["drawn"] == pytest.approx(1 / 15)
    assert found.outcomes["deadlocked"] == pytest.approx(one_pair_in_centre_only)
    assert found.outcomes["won"] == pytest.approx(1 - 1 / 15 - one_pair_in_centre_only)
    # A bunch of two different ranks is complete with one swap.
    assert found.counts["swaps"] == pytest.approx(1 - one_pair_in_centre_only - 2 / 5 + 1 / 15)
    assert found.flags["dealt_complete"] == pytest.approx(2 / 5 - 1 / 15)


# --- kernels --------------------------------------------------------------------------------------------------------


LARGE_TABLE = next(game for game in GAMES if "stress_share=all_but_first" in game.rules)


@pytest.mark.parametrize("game", [*BRIEF_GAMES, LARGE_TABLE], ids=str)
def test_small_checks__kernels_agree(game: Table) -> None:
    checks = list(small_checks(game, 40_000, 3, 1))

    assert [line_of(verdict) for verdict in judge(checks) if not verdict.passed] == []
    assert {check.name for check in checks} >= {"won", "win_1", "win_2", "deadlocked", "endless", "moves"}


def test_slap_winner_without_stock__does_not_count_where_nobody_has_a_card() -> None:
    """A loser who fills his row with all that he has taken has no card to flip either (U2, U15)."""
    game = Table(
        "swedish deck=custom deck_ranks=4 deck_copies=2 row_slots=2 stress_pickup=left flip_before_refill=false ace=low"
    )
    told = {check.name: check for check in log_checks(game, 400, 1)}

    assert (told["deals that break a rule"].estimate, told["deals counted otherwise"].estimate) == (0, 0)
    checks = {check.name: check for check in small_checks(game, 100_000, 1, 1)}
    assert abs(checks["slap_winner_without_stock"].z or 0.0) < 4


def test_small_checks__another_rule_is_seen() -> None:
    """The kernel plays with piles under the stock in the other order; the solved game does not."""
    table = Table("swedish deck=custom deck_ranks=4 deck_copies=2 row_slots=1 ace=low")

    class Other(Table):
        def play(self, deals: int, seed: int, jobs: int | None):  # type: ignore[no-untyped-def]
            return Table(f"{self.rules} under_order=other_first").play(deals, seed, jobs)

    right, wrong = ([check.z for check in small_checks(each, 400_000, 1, None)] for each in (table, Other(table.rules)))
    assert max(abs(z) for z in right if z is not None) < 4
    assert max(abs(z) for z in wrong if z is not None) > 5


# Options that change nothing in the model without a clock, and why.
WITHOUT_EFFECT = {
    "shedding": {
        "deck", "deck_ranks", "deck_copies", "n_decks", "n_jokers", "row_slots",  # the games' own
        "merge_mandatory",  # equal ranks are put together at once
        "stock_location", "late_card", "illegal_card", "one_hand_only", "one_card_at_a_time",  # hands
        "restart_trigger", "restart_consent",  # nobody declines
        "stress_signal", "signal_decides", "slap_target", "stress_tie", "tie_window_ms", "tie_window_same_pile_ms",
        "row_visibility",  # what a player sees of the other's row
        "play_on_equal_tops", "slap_grace_ms", "card_in_air_at_slap", "false_call_penalty", "stress_stop",  # slaps
        "win_call",  # no time between card and call
    },
    "exchange": {
        "deck", "deck_ranks", "deck_copies", "n_decks", "n_jokers", "cards_removed", "centre_cards", "bunch_size",
        "swap_order", "swap_max_cards", "grab_equal_only", "after_snatch", "contested_card", "touch_tie",
        "tie_window_ms", "swap_deadline_s", "deadline_reset", "deadlock_wait_s", "call_tie_window_ms",
        "false_call_penalty",  # swaps of one card, one after the other
    },
}  # fmt: skip

# Values that do in the model what another value does.
LIKE_ANOTHER = {
    ("deadlock_rule", "swap_deadline"),  # never applies without a clock
    ("take_back_own", "allowed"),  # the card taken is chosen before one is laid
    ("refill_policy", "optional_any_time"),  # rows are filled up at once
    ("refill_policy", "after_each_play"),
}


@pytest.mark.parametrize("name", ["shedding", "exchange"])
def test_games__use_every_value_that_changes_play(name: str) -> None:
    family = family_named(name)
    options = [game.loaded.options for game in GAMES if game.loaded.family is family]
    missing: list[tuple[str, object]] = []
    for option, field in family.rules.model_fields.items():
        about = declared(field)
        if option in WITHOUT_EFFECT[name] or about.get("cosmetic") or about.get("match"):
            continue
        used = {getattr(each, option) for each in options}
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, Choice):
            missing += [(option, m.word) for m in kind if m not in used and (option, m.word) not in LIKE_ANOTHER]
        elif kind is bool:
            missing += [(option, value) for value in (True, False) if value not in used]
        elif len(used) < 2 and option != "n_players":
            missing.append((option, used))

    assert missing == []
    assert len(options) >= 10


# Options that larger tables know in a way of their own, and the values that they cannot have there.
OF_LARGE_TABLES = {
    "stress_pairs", "stress_share", "stress_pickup", "one_pile", "under_order", "other_pile_after_stress",
    "post_stress_empty_stock", "restart_empty_stock", "taken_card", "pile_view", "pickup_placement",
    "restart_both_empty", "restart_source", "flip_before_refill", "win_check_before_stress",
}  # fmt: skip
LIKE_ANOTHER_THERE = {
    ("post_stress_empty_stock", "flip_alone"),  # as_restart with restart_empty_stock=flip_alone
    ("post_stress_empty_stock", "take_from_opponent"),  # the nearest gives
    ("restart_empty_stock", "take_from_opponent"),
    ("restart_source", "side_piles"),  # two have them
}


def test_games__use_the_rules_of_larger_tables() -> None:
    large = [o for o in (game.loaded.options for game in SHEDDING_GAMES) if o.n_players > 2 or o.n_piles > 2]  # type: ignore[attr-defined]
    missing = []
    for option in sorted(OF_LARGE_TABLES):
        used = {getattr(each, option) for each in large}
        kind = SheddingRules.model_fields[option].annotation
        values = (True, False) if kind is bool else tuple(kind)  # type: ignore[arg-type]
        missing += [(option, getattr(value, "word", value)) for value in values if value not in used]

    assert set(missing) == LIKE_ANOTHER_THERE
    # Own decks, fewer piles than players, as many, and more.
    assert {(o.n_players > o.n_piles) - (o.n_players < o.n_piles) for o in large} == {-1, 0, 1}
    assert {o.n_players for o in large} == {2, 3, 4}
    assert {o.own_decks for o in large} == {True, False}


def test_without_effect__names_options() -> None:
    for name, options in WITHOUT_EFFECT.items():
        assert options <= set(family_named(name).rules.model_fields)


# --- what stressim exact says ---------------------------------------------------------------------------------------


def test_quantities__of_a_small_deck_and_the_reason_of_a_large_one() -> None:
    small = load_rules("swedish", sets=["deck=custom", "deck_ranks=4", "deck_copies=2", "row_slots=2"])
    large = load_rules("swedish")
    seated = Table("swedish").seated(large)
    found = {each.name: each for each in quantities(small, seated)}

    assert found["whole_won"].value == 1
    assert (found["whole_win_2"].value, found["whole_win_2"].unit) == (0.5, "of deals")
    assert found["whole_moves"].decimal.startswith("5.5223")
    assert [each.reason for each in quantities(large, seated)] == [
        "the deck has 52 cards; games of up to 12 are solved whole"
    ]
    assert "positions" in quantities(small, seated, most=10)[0].reason


def test_solved__wins_of_unequal_seats() -> None:
    """Who is given two cards more wins less often, who is given a bunch more often; partners win together."""
    pairs = "james-bond deck=custom deck_ranks=5 deck_copies=2 bunch_size=2 centre_cards=2"
    cards = Table(
        "swedish deck=custom deck_ranks=4 deck_copies=1 deal_mode=own_deck_each row_slots=1 handicap_cards=-2"
    )
    bunch = Table(f"{pairs} handicap_bunches=1")
    teams = Table(f"{pairs} n_players=4 team_size=2", players=("1.churn_weight=0", "3.churn_weight=0"))
    of_cards, of_bunch, of_teams = (solved(each.loaded, each.seated(each.loaded)) for each in (cards, bunch, teams))

    assert of_cards.counts["win_1"] > of_cards.counts["win_2"]
    assert of_bunch.counts["win_1"] > of_bunch.counts["win_2"]
    assert of_teams.counts["win_1"] == of_teams.counts["win_3"] < of_teams.counts["win_2"] == of_teams.counts["win_4"]
    for game in (of_cards, of_bunch):
        assert game.counts["win_1"] + game.counts["win_2"] == pytest.approx(game.outcomes["won"])
    assert of_teams.counts["win_1"] + of_teams.counts["win_2"] == pytest.approx(of_teams.outcomes["won"])


def test_solved__places_of_three() -> None:
    """Three players, one bunch of two each, four ranks of two: all give way, so everybody has a place at last.

    Whoever is dealt a pair is done at once; where several are, the cards are dealt again.
    """
    rules = "james-bond deck=custom deck_ranks=4 deck_copies=2 bunch_size=2 centre_cards=2 n_players=3 ranking=all"
    game = Table(rules)
    found = solved(game.loaded, game.seated(game.loaded))

    assert found.outcomes == {"won": 1.0}
    assert found.flags["ranked"] == found.flags["ranking"] == 1
    assert sum(found.counts[f"place_{seat}"] for seat in (1, 2, 3)) == pytest.approx(6)
    assert sum(found.counts[f"last_{seat}"] for seat in (1, 2, 3)) == pytest.approx(1)
    # Pairs of a player: 1/7; of two given ones 1/35, of all three 1/105: more than one in 3/35 - 2/105 of the deals.
    tied = 3 / 35 - 2 / 105
    assert found.counts["redeals"] == pytest.approx(tied / (1 - tied))


def test_solved__mirror_images_are_one_position() -> None:
    rules = load_rules("swedish", sets=["deck=custom", "deck_ranks=4", "deck_copies=2", "row_slots=2"]).options
    assert isinstance(rules, SheddingRules)
    deck = SmallDeck(rules, Table("swedish").seated(load_rules("swedish")))
    apart = SmallDeck(rules, Table("swedish").seated(load_rules("swedish")))
    apart.rank_maps, apart.turns = apart.rank_maps[:1], apart.turns[:1]
    together, alone = solve(deck), solve(apart)

    assert alone.n_positions > 4 * together.n_positions
    assert np.allclose(list(alone.counts.values()), list(together.counts.values()))


def test_outcomes__are_those_of_the_log() -> None:
    assert {outcome.word for outcome in Outcome} >= {"won", "drawn", "deadlocked", "livelocked"}

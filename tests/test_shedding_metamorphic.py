"""Changes that must change nothing, or only what they are about: times, ranks, suits; and what holds in every log."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from card_tracker import replayed
from checks import Check, failing
from playing import FAMILY, PRESETS, TIMINGS, Value, column, lowered_of, mean, metrics_of, rows_of
from uniform_settings import CHANGED

from stressim.rulesfile import load_rules
from stressim.shedding.choices import Ace, DealMode
from stressim.shedding.events import Kind
from stressim.shedding.play import DealLog
from stressim.shedding.rules import SheddingRules

DEALS = 12_000
PLAYERS = ["1=hunter", "all.person_sd=true", "all.decline=0.1", "2.p_false_slap=0.01", "1.seat_distance_cm=5"]


def options_of(setting: str) -> SheddingRules:
    name, *sets = setting.split()
    options = load_rules(name, sets=sets).options
    assert isinstance(options, SheddingRules)
    return options


def logs_of(setting: str, timing: str, n: int) -> Iterator[DealLog]:
    name, *sets = setting.split()
    lowered = lowered_of(name, sets, PLAYERS, timing)
    return (FAMILY.log_deal(lowered, 11, deal) for deal in range(n))


# --- time -----------------------------------------------------------------------------------------------------------

IN_SECONDS = ("length_s", "first_stall_s")


@pytest.mark.parametrize(
    ("setting", "slower"),
    [
        ("swedish slap_grace_ms=200", 2.0),
        ("german play_on_equal_tops=slap_in_motion_counts", 0.5),
        ("norwegian card_in_air_at_slap=lands", 4.0),
        ("jass", 2.0),
    ],
)
def test_time__slower_clock_changes_only_seconds(setting: str, slower: float) -> None:
    """Players and windows alike: every number that is not in seconds stays, the others grow by the same factor."""
    options = options_of(setting)
    windows = [
        f"{name}={getattr(options, name) * slower}"
        for name in ("tie_window_ms", "tie_window_same_pile_ms", "slap_grace_ms")
    ]
    name, *sets = setting.split()
    usual = metrics_of(rows_of(name, DEALS, sets=sets, players=PLAYERS, timing="human"), clock=True)
    players = [*PLAYERS, f"all.speed={1 / slower}"]
    slow = metrics_of(rows_of(name, DEALS, sets=[*sets, *windows], players=players, timing="human", seed=2), clock=True)
    for metric in IN_SECONDS:
        slow[metric] = Value(slow[metric].estimate / slower, slow[metric].error / slower)
    assert not failing([Check(metric, value, usual[metric]) for metric, value in slow.items()])


def test_time__windows_matter() -> None:
    """Without this the test above would hold for windows that nobody reads."""
    usual = rows_of("swedish", DEALS, timing="human")
    wide = rows_of("swedish", DEALS, sets=["tie_window_ms=60", "tie_window_same_pile_ms=60"], timing="human")
    assert column(wide, "stress_ties").mean() > 1.5 * column(usual, "stress_ties").mean()


@pytest.mark.parametrize("setting", ["swedish tie_window_ms=0 tie_window_same_pile_ms=0", "german-beat"])
def test_time__no_tie_without_a_window(setting: str) -> None:
    name, *sets = setting.split()
    rows = rows_of(name, DEALS, sets=sets, timing="human")
    assert column(rows, "stresses").sum() > DEALS
    assert not column(rows, "stress_ties").any()


# --- ranks and suits ------------------------------------------------------------------------------------------------

SYMMETRIC = ("swedish", "german", "norwegian", "skat")


def played_by(setting: str, timing: str, deals: int, *, shift: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Count, for each deal, the cards of each rank and of each suit that are laid or flipped.

    Suits are counted less the mean of all that are alike. With own decks these are the suits of one player, for the
    players differ.
    """
    options = options_of(setting)
    ranks = np.zeros((deals, options.n_ranks))
    suits = np.zeros((deals, options.n_copies_total))
    for deal, log in enumerate(logs_of(setting, timing, deals)):
        laid = np.isin(log.events[:, 1], [Kind.PLAY, Kind.PLAY_ALSO, Kind.FLIP, Kind.FLIP_FROM_ROW])
        cards = log.events[laid, 5]
        ranks[deal] = np.bincount(cards % 16, minlength=options.n_ranks)
        suits[deal] = np.bincount(cards // 16, minlength=options.n_copies_total)
    packs = 2 if options.deal_mode == DealMode.OWN_DECK_EACH else 1
    by_pack = suits.reshape(deals, packs, -1)
    return np.roll(ranks, shift, axis=1), (by_pack - by_pack.mean(axis=2, keepdims=True)).reshape(deals, -1)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("preset", SYMMETRIC)
def test_ranks__in_a_ring_all_are_alike(preset: str, timing: str) -> None:
    """Turning or mirroring the ring changes nothing, so no rank is laid more often; nor is a suit."""
    ranks, suits = played_by(f"{preset} ace=wrap", timing, 500)
    counts = [*(ranks - ranks.mean(axis=1, keepdims=True)).T, *suits.T]
    assert not failing([Check(str(i), mean(values), Value(0, 0)) for i, values in enumerate(counts)])


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize(("ace", "shift"), [("low", 0), ("high", -1)])
def test_ranks__on_a_line_its_mirror_image_is_alike(ace: str, shift: int, timing: str) -> None:
    ranks, suits = played_by(f"swedish ace={ace}", timing, 500, shift=shift)
    counts = [*(ranks - ranks[:, ::-1]).T[:6], *suits.T]
    assert not failing([Check(str(i), mean(values), Value(0, 0)) for i, values in enumerate(counts)])
    middle = ranks[:, 6] - (ranks[:, 0] + ranks[:, 12]) / 2
    assert abs(mean(middle).z(Value(0, 0))) > 4, "the ends of a line are not like its middle"


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("preset", ["swedish", "jass", "german-stack"])
def test_ranks__ace_high_is_ace_low_mirrored(preset: str, timing: str) -> None:
    low = rows_of(preset, DEALS, sets=["ace=low"], timing=timing)
    high = rows_of(preset, DEALS, sets=["ace=high"], timing=timing, seed=2)
    clock = timing == "human"
    expected = metrics_of(low, clock=clock)
    assert not failing([Check(name, value, expected[name]) for name, value in metrics_of(high, clock=clock).items()])


@pytest.mark.parametrize("timing", TIMINGS)
def test_ranks__without_an_ace_low_and_high_are_the_same(timing: str) -> None:
    deck = ["deck=custom", "deck_ranks=2-9", "deck_copies=4"]
    rows = [rows_of("swedish", 500, sets=[*deck, f"ace={ace}"], timing=timing) for ace in ("low", "high", "wrap")]
    assert np.array_equal(rows[0], rows[1])
    assert not np.array_equal(rows[0], rows[2])


# --- without stress -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("timing", TIMINGS)
def test_stress__own_decks_without_it_are_spit_in_four_places(timing: str) -> None:
    spit = rows_of("spit-bicycle", 500, timing=timing)
    without = rows_of("german", 500, sets=["stress_on=none", "refill_policy=immediate"], timing=timing)
    assert np.array_equal(spit, without)
    rows = rows_of("spit-bicycle", 4000, timing=timing)
    for name in ("stresses", "stress_from_flip", "stress_ties", "stress_missed", "picked_up"):
        assert not column(rows, name).any()


# --- logs -----------------------------------------------------------------------------------------------------------

# What gives a player cards, beside the piles that he takes.
GAINS = (Kind.TAKE, Kind.GIVE, Kind.PENALTY, Kind.STOCK, Kind.HANDICAP)

COUNTED = {
    Kind.PLAY: "moves", Kind.LATE: "late_cards", Kind.ILLEGAL: "illegal_cards", Kind.ABORT: "aborted_cards",
}  # fmt: skip

LOGGED = (
    *PRESETS,
    *CHANGED[::3],
    "swedish card_in_air_at_slap=lands late_card=penalty illegal_card=penalty false_call_penalty=take_one",
    "german-punish restart_consent=unilateral",
    "norwegian merge_mandatory=true stress_tie=replay_flip slap_grace_ms=300",
    "jass play_on_equal_tops=frozen",
)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("setting", LOGGED)
def test_log__cards_are_conserved(setting: str, timing: str) -> None:
    """At every event every card lies in one place, and nobody's cards grow but by what gives cards."""
    options = options_of(setting)
    for log in logs_of(setting, timing, 6):
        pack = sorted(log.cards.ravel().tolist())
        assert len(set(pack)) == len(pack)
        before = [options.cards_each, options.cards_each]
        time = 0
        for event, table in replayed(log, options):
            assert sorted(table.everything()) == pack
            owned = [table.owned(0), table.owned(1)]
            if event[1] not in GAINS:
                assert all(now <= then for now, then in zip(owned, before, strict=True)), Kind(event[1]).meaning
            assert event[0] >= time, "times never fall"
            before, time = owned, event[0]
        assert event[1] == Kind.END
        counts = np.bincount(log.events[:, 1], minlength=len(Kind))
        assert {name: counts[kind] for kind, name in COUNTED.items()} == {
            name: column(log.row[None], name)[0] for name in COUNTED.values()
        }
        if column(log.row[None], "won")[0]:
            assert column(log.row[None], "loser_cards")[0] == owned[1 - event[2]]
            assert column(log.row[None], f"win_{event[2] + 1}")[0] == 1


EVEN = (
    "swedish-low", "swedish ace=high", "german ace=low", "norwegian ace=low", "jass ace=high", "skat", "skat ace=low",
    "doppelkopf", "doppelkopf multi_card_play=same_rank one_card_at_a_time=false", "german-stack ace=low",
)  # fmt: skip
"""Rules whose ranks stand on a line or in a ring of even length."""


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("setting", EVEN)
def test_log__parity_of_the_tops_alternates(setting: str, timing: str) -> None:
    """Each play moves one top by one step, so equal tops come after an even number of plays or after an odd one."""
    options = options_of(setting)
    assert options.ace != Ace.WRAP or options.n_ranks % 2 == 0
    # Places on the line: a high ace stands behind the king.
    place = [rank if options.ace != Ace.HIGH or rank else options.n_ranks for rank in range(options.n_ranks)]
    n_equal = 0
    for log in logs_of(setting, timing, 25):
        odd_at_flip, plays = 0, 0
        for event, table in replayed(log):
            tops = table.tops()
            if tops is None:
                continue
            odd = (place[tops[0]] + place[tops[1]]) % 2
            if event[1] in (Kind.FLIP, Kind.FLIP_FROM_ROW):
                odd_at_flip, plays = odd, 0
            elif event[1] == Kind.PLAY:
                plays += 1
                assert odd == (odd_at_flip + plays) % 2
                if tops[0] == tops[1]:
                    n_equal += 1
                    assert plays % 2 == odd_at_flip
    assert n_equal > 0


@pytest.mark.parametrize("timing", TIMINGS)
def test_log__parity_does_not_alternate_in_an_odd_ring(timing: str) -> None:
    """Or the test above would show nothing."""
    broken = 0
    for log in logs_of("swedish", timing, 25):
        odd: int | None = None
        for event, table in replayed(log):
            tops = table.tops()
            if tops is not None:
                broken += event[1] == Kind.PLAY and sum(tops) % 2 == odd
                odd = sum(tops) % 2
    assert broken > 0

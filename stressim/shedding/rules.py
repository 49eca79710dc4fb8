"""Every rule of the shedding game that differs from table to table.

Sources: S1 Norwegian Wikibooks variant, S2 Swedish article, S3 short Swedish page, S4 German article with its Swiss
and skat variants; the number behind the colon is the line of the text. ``U`` numbers name the cases that the texts
leave open; the default is the reading that most tables would call natural.

Rules with one value everywhere are no options: every player plays on every pile; exactly one rank up or down; suits
mean nothing; everybody plays at once; the first card to land has the pile; rows stay as they are when somebody takes
the piles; a player's own pile is the one on his right; a merged pile that loses its top card stays one slot; a start
position in which nobody can play restarts like any other; of two players the one who alone slaps is the faster one;
rows and tops are open; a player who wrongly calls and takes the piles brings new cards from all.

Three and four at a table (B51, U42; S2:70 says only that each needs a deck, and that the number of piles and those that
count must be agreed): players sit in a ring, each with the next one on his left, and the piles lie in a ring in the
same order, each player's own on his right. Everybody covers the piles that are his own; no place stays empty while
somebody has a card for it, the next on the left first. Whoever lacks a stock card gets one, where the rules give him
one, from the nearest on his left who has two; a card as a penalty comes from the nearest on the left who has one.
All players slap in a stress; who has overlooked it follows the first hand that he sees; the last one has lost. A card
ends a stress if it covers one of its piles; left, right and one of the piles are meant among those of the stress. Who
first has no cards left has won. All piles are taken to be equally far from all players, as between two: a guess, which
a player's ``seat_distance_cm`` corrects for a player and not for a pile.
"""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import model_validator

from stressim.matchrules import MatchStop, Scoring, match_option, match_stop_option
from stressim.options import option
from stressim.shedding.choices import (
    BothEmpty,
    CardInAir,
    EmptyStock,
    FalseCallPenalty,
    GiverWithOneCard,
    IllegalCard,
    LateCard,
    MergeEqualRanks,
    MultiCardPlay,
    OnePile,
    OtherPile,
    PickupPlacement,
    PilePlay,
    PileView,
    PlayOnEqualTops,
    PostStressEmptyStock,
    RefillPolicy,
    RestartConsent,
    RestartSource,
    RestartTarget,
    RestartTrigger,
    RoundEnd,
    RowPiles,
    RowVisibility,
    SidePileReuse,
    SignalDecides,
    SlapTarget,
    StackTarget,
    StartFlip,
    StartFlipEqual,
    StartSignal,
    StockLocation,
    StressLoser,
    StressOn,
    StressPairs,
    StressPickup,
    StressShare,
    StressSignal,
    StressTie,
    TakenCard,
    UnderOrder,
    WinCall,
)
from stressim.shedding.combining import check_combination
from stressim.shedding.limits import MAX_SLOTS
from stressim.shedding.table_rules import TableRules

STRESS = "stress_on=tops_equal"
"""What the options of stress need."""


class SheddingRules(TableRules):
    """Rules of the shedding game.

    Examples
    --------
    >>> rules = SheddingRules(ace="low", row_slots=3)
    >>> rules.ace.word, rules.row_slots, rules.n_cards
    ('low', 3, 52)
    """

    family: ClassVar[str] = "shedding"

    # the row
    row_slots: int = option(
        4, "face-up places in a player's row", source="S2:18, S4:66", unit="slots", ge=1, le=MAX_SLOTS
    )
    row_piles: RowPiles = option("single", "what lies in the places of a row", source="S2:18, S2:74")
    move_to_empty: bool = option(
        False, "whether a face-up card that lies on others may be moved to an empty place", source="S3:31", remedy=True
    )
    row_visibility: RowVisibility = option("open", "who sees a player's row", source="S2:18, S2:74", clock=True)
    merge_equal_ranks: MergeEqualRanks = option(
        "off", "when equal ranks are put together", source="S1:7, S1:19, S3:11, S2:60", remedy=True
    )
    merge_mandatory: bool = option(
        False,
        "whether equal ranks must be put together where they may",
        source="S1:7, U13",
        needs="merge_equal_ranks!=off",
        clock=True,
    )
    pile_play: PilePlay = option("single", "how a merged pile is played", source="S1:15, U11")
    multi_card_play: MultiCardPlay = option(
        "off", "whether cards of several slots go in one move", source="S4:82, S2:30, house rule", remedy=True
    )
    stack_target: StackTarget = option(
        "one_pile", "where several equal cards may go", source="S4:82, U46", needs="multi_card_play!=off"
    )
    refill_policy: RefillPolicy = option("immediate", "when the row is filled up", source="S2:29, S1:19, S4:27, U51")
    stock_location: StockLocation = option("table", "where the stock is kept", source="S2:17, S3:11, S4:17", clock=True)

    # laying cards
    equal_rank_playable: bool = option(False, "whether a card fits on its own rank", source="S2:28", remedy=True)
    late_card: LateCard = option(
        "stays_if_legal", "what happens to a card that comes too late", source="S4:21, U25", clock=True
    )
    illegal_card: IllegalCard = option(
        "take_back", "what happens to a card that does not fit", source="U26", clock=True
    )
    one_hand_only: bool = option(
        False,
        "whether the same hand must do everything; otherwise habit second_hand may use the other one",
        source="S4:17, S2:30",
        clock=True,
    )
    one_card_at_a_time: bool = option(
        False,
        "whether a card must lie before the next is taken; otherwise habit grasp_ahead may",
        source="S4:21, S4:57, S2:30",
        clock=True,
    )

    # flips
    start_flip: StartFlip = option("turn_from_stock", "how the first cards come", source="S2:19, S1:11", cosmetic=True)
    start_signal: StartSignal = option(
        "agreed_sign", "the signal for a flip", source="S1:11, S2:19, S3:17, S4:17", cosmetic=True
    )
    start_flip_equal: StartFlipEqual = option("stress", "what equal first cards mean", source="U21", remedy=True)
    restart_trigger: RestartTrigger = option(
        "locked", "what leads to a restart", source="S2:44, S4:35", remedy=True, clock=True
    )
    restart_consent: RestartConsent = option(
        "mutual",
        "who must agree to a restart",
        source="S4:35, U29",
        needs="restart_trigger=locked_or_declined",
        clock=True,
    )
    restart_source: RestartSource = option(
        "stock", "where restart cards come from", source="S2:44, house rule", remedy=True
    )
    side_pile_cards: int = option(
        5,
        "cards of each of two side piles at first; used with restart_source=side_piles",
        source="Speed",
        unit="cards",
        ge=0,
        le=100,
        needs="restart_source=side_piles",
    )
    side_pile_reuse: SidePileReuse = option(
        "shuffled",
        "what happens when the side piles are used up",
        source="Speed",
        remedy=True,
        needs="restart_source=side_piles",
    )
    restart_target: RestartTarget = option(
        "own_pile", "where restart cards go", source="S2:44, S3:25, S4:35", remedy=True
    )
    restart_empty_stock: EmptyStock = option(
        "flip_alone", "one player has no stock card at a restart", source="S2:44, S1:35, S4:35", remedy=True
    )
    taken_card: TakenCard = option("top", "which card changes hands then", source="S4:35, U30")
    giver_with_one_card: GiverWithOneCard = option(
        "flip_alone", "the giver has but one card", source="S1:35, U3", remedy=True
    )
    restart_both_empty: BothEmpty = option(
        "undefined", "nobody can play and both stocks are empty", source="S1:39, U1", remedy=True
    )
    flip_before_refill: bool = option(
        True,
        "whether rows are filled up after the flip that follows a pickup or before it",
        source="S1:39, U15",
        remedy=True,
    )

    # stress
    stress_on: StressOn = option("tops_equal", "what calls for a slap", source="S2:38")
    stress_pairs: StressPairs = option(
        "any_two", "which of more than two piles call for a slap", source="S2:70, U42, guess", needs=STRESS
    )
    stress_signal: StressSignal = option(
        "shout_and_slap", "how stress is called", source="S1:23, S2:38, S4:31, S4:74", clock=True
    )
    signal_decides: SignalDecides = option(
        "slap", "what counts when shout and slap are asked for", source="U19", clock=True
    )
    slap_target: SlapTarget = option("any_pile", "where the hand goes", source="S2:38, S1:23, S3:26, S4:74", clock=True)
    stress_loser: StressLoser = option("slower", "who has lost a stress", source="S2:38, S4:31", cosmetic=True)
    stress_pickup: StressPickup = option(
        "both", "what the loser takes", source="S2:38, S3:26", remedy=True, needs=STRESS
    )
    stress_share: StressShare = option(
        "slowest",
        "who takes it where more than two play",
        source="S2:38, U42, guess",
        needs="stress_on=tops_equal n_players!=2",
    )
    one_pile: OnePile = option("own_choice", "which pile it is when one is taken", source="S2:38, U45", needs=STRESS)
    pickup_placement: PickupPlacement = option(
        "under_stock", "where taken piles go", source="S2:38, S1:27, S4:31", remedy=True
    )
    under_order: UnderOrder = option("own_first", "which pile goes under the stock first", source="U44")
    other_pile_after_stress: OtherPile = option(
        "stays", "what becomes of a pile that is not taken", source="S3:26, U8", remedy=True, needs=STRESS
    )
    post_stress_empty_stock: PostStressEmptyStock = option(
        "as_restart", "the winner of a slap has no stock card", source="S1:27, U2", remedy=True, needs=STRESS
    )
    stress_tie: StressTie = option(
        "each_takes_right", "what an undecided slap means", source="S1:31, U20", needs=STRESS, clock=True
    )
    tie_window_ms: float = option(
        30.0,
        "slaps closer than this are undecided where hands fall on different piles",
        source="timing: 20-60 ms",
        unit="ms",
        ge=0,
        le=10_000,
        clock=True,
    )
    tie_window_same_pile_ms: float = option(
        8.0,
        "the same where both hands fall on one pile and the lower one shows",
        source="guess",
        unit="ms",
        ge=0,
        le=10_000,
        clock=True,
    )
    play_on_equal_tops: PlayOnEqualTops = option(
        "cancels", "whether cards may be laid before the slap", source="U16", remedy=True, needs=STRESS, clock=True
    )
    slap_grace_ms: float = option(
        0.0,
        "a slap this soon after the card that ended a stress still counts",
        source="U16",
        unit="ms",
        ge=0,
        le=10_000,
        needs=STRESS,
        clock=True,
    )
    card_in_air_at_slap: CardInAir = option(
        "goes_back", "a card on its way when the slap falls", source="U24", needs=STRESS, clock=True
    )
    false_call_penalty: FalseCallPenalty = option(
        "none", "what a false call costs", source="S4:78, U27", needs=STRESS, clock=True
    )
    stress_stop: bool = option(
        False,
        "whether a player may point at the card that would make stress and so bar the call",
        source="S4:53, U31",
        needs=STRESS,
        clock=True,
    )
    pile_view: PileView = option("per_player", "whose right and left are meant", source="S1:23, S3:26, U6")

    # the end
    round_end: RoundEnd = option("none", "what happens when a row is empty or nobody can go on", source="Spit")
    win_check_before_stress: bool = option(
        True, "whether a player without cards has won even if his last card makes stress", source="S1:27, U23"
    )
    win_call: WinCall = option("none", "whether the winner must call", source="S4:61, U38", clock=True)

    # matches
    match_format: str = match_option(source="S2:48, S4:49")
    match_stop: MatchStop = match_stop_option()
    scoring: Scoring = option(
        "none", "what a won deal counts in a match", source="S4:39", match=True, needs="match_format!=single"
    )

    @model_validator(mode="after")
    def _combines(self) -> Self:
        check_combination(self)
        return self

    @property
    def lowered_extra(self) -> dict[str, int]:
        """Facts about the deck that a kernel needs beside the options themselves."""
        return {
            "n_ranks": self.n_ranks,
            "n_copies_total": self.n_copies_total,
            "n_cards": self.n_cards,
            "cards_each": self.cards_each,
            "cards_dealt": self.cards_dealt,
            "n_piles": self.n_piles,
            "own_decks": int(self.own_decks),
            "row_work": int(self.row_piles == RowPiles.GROWING or self.merge_equal_ranks == MergeEqualRanks.ALWAYS),
            "has_ace": int(self.ranks[0] == "A"),
        }

    @property
    def row_cards(self) -> int:
        """Cards that a complete row holds."""
        return self.cards_of_row(self.row_slots)

    def cards_of_row(self, slots: int) -> int:
        """Cards that a complete row of so many slots holds."""
        return slots * (slots + 1) // 2 if self.row_piles == RowPiles.GROWING else slots

    @property
    def cards_each(self) -> int:
        """Cards that each player begins with."""
        if self.restart_source == RestartSource.SIDE_PILES:
            return self.cards_dealt - self.side_pile_cards - 1
        return self.cards_dealt

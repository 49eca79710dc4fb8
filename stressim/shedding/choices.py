"""Closed choices among the rules of the shedding game; ``S`` and ``U`` numbers as in :mod:`stressim.shedding.rules`.

Members are compared with in the kernels; their numbers stay as they are.
"""

from __future__ import annotations

from stressim.options import Choice


class DealMode(Choice):
    """Who gets which cards (B2, U33, U35, U36, U49)."""

    SPLIT_ONE_DECK = 0, "one deck, shuffled, half for each player; more than two bring a deck each"
    OWN_DECK_EACH = 1, "each player has a complete deck of his own"
    SPLIT_COMBINED = 2, "n_decks decks shuffled together, as many cards for each player"


class JokerMode(Choice):
    """What a joker is while it lies on top (B4, U32)."""

    WILD = 0, "fits anywhere and takes the rank of the other pile, so it is stress; any card may follow it"
    NAMED = 1, "fits anywhere; the player names a rank when he lays it, and that rank counts"
    ANYTHING = 2, "fits anywhere, equals every other top as long as it lies on top, and any card may follow it"


class Ace(Choice):
    """Where the ace stands (B21, U34, U48). Without an ace in the deck: whether the end ranks meet."""

    WRAP = 0, "the ranks form a ring: in a 52-card deck the ace fits on king and two"
    LOW = 1, "the ace is the lowest rank and the king a dead end"
    HIGH = 2, "the ace is the highest rank"


class MergeEqualRanks(Choice):
    """When equal ranks in a player's own row may be put together (B8, U12); where it has piles, equal tops (Spit)."""

    OFF = 0, "never"
    AT_DEAL = 1, "while the row is laid out"
    ALWAYS = 2, "at the deal and whenever the row is refilled"


class PilePlay(Choice):
    """How a merged pile of the row is played (B10, U11)."""

    SINGLE = 0, "one card at a time"
    WHOLE = 1, "all its cards at once"
    EITHER = 2, "one card or all of them"


class MultiCardPlay(Choice):
    """Whether equal cards of different slots may be laid in one go (B11)."""

    OFF = 0, "no"
    SAME_RANK = 1, "yes, all cards of one rank"
    RUN = 2, "yes, any of them of which each fits on the one before, as far as they go"


class RowPiles(Choice):
    """What lies in the places of a row at first."""

    SINGLE = 0, "one card in each place"
    GROWING = 1, "one card in the first place, two in the second and so on, the top one face up and the others under it"


class RoundEnd(Choice):
    """What happens when a player has no cards in his row, or when nobody can play and both stocks are empty."""

    NONE = 0, "nothing: a deal is one round"
    SLAP_SMALLER_PILE = 1, "who is first to slap the smaller pile takes it, the other one takes the other pile"


class RowVisibility(Choice):
    """Who sees a player's row."""

    OPEN = 0, "face up before him"
    HIDDEN = 1, "in his hand, where only he sees it"


class StackTarget(Choice):
    """Where equal cards laid in one go may land (U46)."""

    ONE_PILE = 0, "all on one pile"
    EITHER = 1, "on one pile, or on both where they fit both"


class RefillPolicy(Choice):
    """When the row is filled up from the stock (B12, U10, U51)."""

    OPTIONAL_ANY_TIME = 0, "when the player likes"
    IMMEDIATE = 1, "at once, but one more card may be laid first"
    AFTER_EACH_PLAY = 2, "at once, before any other card"
    NONE = 3, "never; stock cards leave by restarts only"


class StockLocation(Choice):
    """Where a player keeps his stock (B13); a refill from the table takes longer."""

    TABLE = 0, "face down on the table"
    HAND = 1, "in one hand"


class StartFlip(Choice):
    """How the first two cards come to the middle (B14)."""

    TURN_FROM_STOCK = 0, "each turns the top card of his stock"
    PLACE_TOGETHER = 1, "each lays a card at the same time"


class StartSignal(Choice):
    """The signal for a flip (B15)."""

    AGREED_SIGN = 0, "a sign that both know"
    COUNT_1_2_3 = 1, "counting one, two, three"
    COUNT_3_2_1 = 2, "counting down from three"
    COMMAND = 3, "a command"


class StartFlipEqual(Choice):
    """What equal tops at the first flip mean (U21)."""

    STRESS = 0, "they are stress like any others"
    REFLIP = 1, "each covers his card with another one before play begins"


class LateCard(Choice):
    """What happens to a card that comes after the pile has changed (B24, U25)."""

    STAYS_IF_LEGAL = 0, "it stays where it happens to fit the new top, otherwise it goes back"
    TAKE_BACK = 1, "it goes back"
    PENALTY = 2, "it goes back and the player gets one card of the opponent's stock"


class IllegalCard(Choice):
    """What happens to a card that never fitted (U26)."""

    TAKE_BACK = 0, "it goes back; the player has lost time"
    PENALTY = 1, "it goes back and the player gets one card of the opponent's stock"


class RestartSource(Choice):
    """Where the cards of a restart come from."""

    STOCK = 0, "the top card of his stock"
    OWN_ROW = 1, "a card of his row, any of them, or of his stock where he has no row"
    SIDE_PILES = 2, "the top card of the side pile on his right"


class SidePileReuse(Choice):
    """What happens when both side piles are used up."""

    SHUFFLED = 0, "each centre pile is shuffled and becomes the side pile next to it"
    TURNED_OVER = 1, "each centre pile is turned over, unshuffled, and becomes the side pile next to it"
    NEVER = 2, "nothing: there is no card to flip any more (option restart_both_empty)"


class RestartTarget(Choice):
    """Where a player lays his card at a restart (B28, U29)."""

    OWN_PILE = 0, "on the pile that he started"
    ANY_PILE = 1, "on either pile, each on another one"


class RestartTrigger(Choice):
    """What leads to a restart (B29)."""

    LOCKED = 0, "nobody can play"
    LOCKED_OR_DECLINED = 1, "nobody can play, or somebody does not want to"


class RestartConsent(Choice):
    """Who must agree when somebody declines a possible card (U29)."""

    MUTUAL = 0, "every player who could play must decline too"
    UNILATERAL = 1, "one player's wish is enough"


class EmptyStock(Choice):
    """What happens at a restart when one player has no stock card (B30, U30, U47)."""

    FLIP_ALONE = 0, "the player who has cards flips alone"
    OPPONENT_GIVES = 1, "the opponent hands over one card"
    TAKE_FROM_OPPONENT = 2, "he takes a hidden card from the opponent's stock"


class TakenCard(Choice):
    """Which card of the opponent's stock changes hands (U30)."""

    TOP = 0, "the top one"
    RANDOM = 1, "any one, drawn blind"


class GiverWithOneCard(Choice):
    """What happens when the player who should hand over a card has but one (U3)."""

    FLIP_ALONE = 0, "he keeps it and flips alone"
    GIVE_ANYWAY = 1, "he hands it over and the other player flips alone"
    FROM_ROW = 2, "he hands it over and lays a card of his row himself"


class BothEmpty(Choice):
    """What happens when nobody can play and both stocks are empty (B31, U1)."""

    UNDEFINED = 0, "the text has no rule; the deal ends deadlocked"
    TAKE_RIGHT_PILE_SHUFFLE = 1, "each shuffles the pile on his right into his stock and flips, then refills"
    DRAW = 2, "the deal is drawn"
    FEWEST_CARDS_WINS = 3, "the player with fewer cards wins; equal numbers are a draw"


class StressOn(Choice):
    """What calls for a slap (B32)."""

    TOPS_EQUAL = 0, "the tops of the two piles have the same rank"
    NONE = 1, "nothing: the game is played without stress"


class StressPairs(Choice):
    """Which piles call for a slap where there are more than two (B51, U42)."""

    ANY_TWO = 0, "any two piles with equal tops"
    NEIGHBOURS = 1, "two piles with equal tops that lie side by side in the ring round the centre"
    ALL = 2, "all piles, when all their tops are equal"


class StressShare(Choice):
    """Who takes what a stress costs where more than two play (U42)."""

    SLOWEST = 0, "the slowest takes it all"
    ALL_BUT_FIRST = 1, "all but the fastest share it, pile by pile, the slowest first"


class StressSignal(Choice):
    """How stress is called (B33)."""

    SLAP = 0, "by a slap"
    SHOUT = 1, "by a shout"
    SHOUT_AND_SLAP = 2, "by a shout and a slap"


class SignalDecides(Choice):
    """Which of shout and slap settles who was faster when both are asked for (U19)."""

    SLAP = 0, "the slap"
    SHOUT = 1, "the shout"


class SlapTarget(Choice):
    """Where the hand goes (B34, U45)."""

    RIGHT_PILE = 0, "on the pile on one's right"
    ANY_PILE = 1, "on either pile (habit slap_pile)"
    BOTH_PILES = 2, "flat over both piles; the hand below was first, so there is no tie"
    NONE = 3, "nowhere: a shout is enough"
    BOTH_HANDS = 4, "with both hands, one on each pile; the slap counts when the later one lies"


class StressLoser(Choice):
    """Who has lost a stress (B35). The same player either way: who does not react is the slower one (U18)."""

    SLOWER = 0, "who is slower"
    SLOWER_OR_FORGOT = 1, "who is slower or forgets to call"


class StressPickup(Choice):
    """Which piles the loser of a stress takes (B36); left and right as he sees them."""

    BOTH = 0, "both"
    LEFT = 1, "the one on his left"
    RIGHT = 2, "the one on his right"
    ONE = 3, "one of them (option one_pile)"
    ALL = 4, "all piles of the centre, the others too where there are more than two"


class OnePile(Choice):
    """Which pile it is when one of the two is to be taken (U45)."""

    OWN_CHOICE = 0, "whichever the player likes (habit pile_choice)"
    RIGHT = 1, "the one on his right"
    SMALLER = 2, "the one with fewer cards; of equal ones the one on his right"


class PickupPlacement(Choice):
    """Where a player puts piles that he takes (B37, U9)."""

    UNDER_STOCK = 0, "turned over and put under his stock"
    SHUFFLE_INTO_STOCK = 1, "shuffled together with his stock"


class UnderOrder(Choice):
    """Which of two piles goes under the stock first (U44); the later one lies lower."""

    OWN_FIRST = 0, "the player's own pile"
    OTHER_FIRST = 1, "the other pile"
    RANDOM = 2, "either"


class OtherPile(Choice):
    """What becomes of the pile that the loser of a stress does not take (U8)."""

    STAYS = 0, "it stays and gets a new card on top"
    SET_ASIDE = 1, "it leaves the game"


class PostStressEmptyStock(Choice):
    """What happens when the winner of a slap has no stock card for the new flip (B40, U2)."""

    AS_RESTART = 0, "as restart_empty_stock says"
    FLIP_ALONE = 1, "the other player fills every empty centre place"
    OPPONENT_GIVES = 2, "the other player hands over one card"
    TAKE_FROM_OPPONENT = 3, "the winner takes a hidden card from the other player's stock"
    ONE_PILE_ONLY = 4, "only the other player flips; a centre place may stay empty"


class StressTie(Choice):
    """What an undecided slap means (B41, U20)."""

    EACH_TAKES_RIGHT = 0, "each takes the pile on his right"
    REPLAY_FLIP = 1, "nobody takes cards; each flips a new one"
    NO_PENALTY = 2, "nothing happens and play goes on"
    RANDOM = 3, "a coin names the loser"


class PlayOnEqualTops(Choice):
    """Whether cards may be laid between the stress and the first slap (U16)."""

    CANCELS = 0, "yes, and the next card ends the stress; a slap that comes later is a false one"
    FROZEN = 1, "no, such cards go back"
    SLAP_IN_MOTION_COUNTS = 2, "yes, but a hand that was already on its way still counts"


class CardInAir(Choice):
    """What happens to a card on its way to a pile when the slap falls (U24)."""

    GOES_BACK = 0, "it goes back to the row"
    LANDS = 1, "it is laid if it fits"


class FalseCallPenalty(Choice):
    """What a wrong call of stress costs (B42, U27)."""

    NONE = 0, "the time it takes"
    TAKE_BOTH = 1, "both piles"
    TAKE_ONE = 2, "one pile (option one_pile)"
    ONE_CARD = 3, "one card of the opponent's stock, and play goes on"


class WinCall(Choice):
    """Whether the last card must be followed by a call (B46, U38)."""

    NONE = 0, "no: the last card wins"
    REQUIRED = 1, "yes: stress may still be called until then"


class PileView(Choice):
    """Whose right and left the texts mean (U6)."""

    PER_PLAYER = 0, "each player's own"
    ABSOLUTE = 1, "those of one player, drawn anew each deal"

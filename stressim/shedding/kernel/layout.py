"""Where the state of one deal lies.

Everything a deal needs is one record that is made once per shard: beside rules, players and tables it holds flat
arrays, among them ``state`` (int64), ``cards`` (uint8), ``lanes`` and ``streams`` (uint64). The masks of fitting ranks
come first in ``state``, then the table's scalars, then for each seat a block for its pile and one for its player. Many
small arrays, each passed by itself, were four times slower.

There are two sizes of the record. The kernels are compiled for each when it is first needed, and where they ask how
many players or piles there are the small one answers with a constant: the code for two players and two piles has
neither counters nor branches for more.
"""

from __future__ import annotations

import numpy as np

from stressim.shedding.columns import COLUMN_INDEX
from stressim.shedding.limits import MAX_PILES, MAX_PLAYERS

PAIR = 2  # players and piles of the small record
MANY_PLAYERS = MAX_PLAYERS  # and of the large one
MANY_SEATS = max(MAX_PLAYERS, MAX_PILES)
PLACES = 15  # masks a player's number; changes none
LANES = 2  # words of a player's row: four slots each, a bit for the rank among sixteen
STACK = 256  # places of a stock or a pile: every card has a number below 256
N_SLOTS = 8
SLOT_DEPTH = 24  # at most all cards of one rank, and under them those that a pile had under its top
PLAYER_CARDS = STACK + N_SLOTS * SLOT_DEPTH
SEAT_CARDS = STACK + PLAYER_CARDS + STACK  # a centre pile, a stock and a row, a side pile

FACE_DOWN = np.int64(63)  # in place of a slot's rank: a bit that no mask of ranks has

FAR = np.int64(2**62)  # a time that never comes

# masks of the ranks that fit on each rank; the same for all deals
FITS = 0
N_MASKS = 16

SPREAD = 16  # the same, for each of four slots
FILLED = 32  # how many slots of a row are filled up: all, or none where rows are not
CLOCK = 33  # is there a clock; without one the players draw nothing
LOGGING = 34  # is a log kept; the same for all deals of a shard
CLEARED_FROM = 35

# the table
NOW = 35  # time, or plays under uniform timing
N_LOGGED = 36
FLIPS = 37  # flips so far; keys the players' streams
LEADER = 38  # last player who led, -1 before the first; of two see below
STALL_SINCE = 39  # begin of the present stall, -1 outside one
TABLE_TIME = 40  # when the table acts next: a flip lands or a lock is recognised
TABLE_ACT = 41  # what it does then, see human.py
WINDOW = 42  # is there a stress to be slapped: closed, open, or ended but hands are on their way
WINDOW_FROM_FLIP = 43
GRACE_UNTIL = 44
VIEWER = 45  # whose right and left count (pile_view=absolute), -1 otherwise
OUTCOME = 46  # -1 while the deal goes on
WINNER = 47
EVENTS = 48
REASON = 49  # why the next flip comes
LOG_TIME = 50  # latest time in the log
SLAP_WINNER = 51  # who won the stress that the next flip follows, -1 if nobody
COMES_BACK = 52  # under uniform timing: the players, as bits, whose lost stress led to the very same stress
FIRST_OUT = 53  # 1 + the player who had no cards left first while a stress was still to be seen through, 0 if nobody
STRESS_PILES = 54  # the piles, as bits, that are the present or latest stress; where there are more than two
LEAD = 55  # of two players who leads: 1 the first, -1 the second, 0 neither,
LAST_LEAD = 56  # who led last, in the same way,
LEAD_FROM = 57  # and since when it is so
CARDS_AHEAD = 58  # how many cards fewer the first has, where plays follow one another without a clock
PILES = 59

# a pile
PILE_SIZE = 0
PILE_RANK = 1  # rank that counts for stress: -1 empty, JOKER_RANK for a joker equal to everything
PILE_FITS = 2  # mask of the ranks that may be laid on it
PILE_VERSION = 3  # grows with every card, so that a hand can tell that the pile has changed
PILE_FLIPPER = 4  # who flipped the last card that was flipped on it
PILE_SIDE = 5  # cards of the side pile next to it
PILE_FIELDS = 6
PLAYERS = PILES + PILE_FIELDS

# a player
STOCK_HEAD = 0
STOCK_SIZE = 1
ROW_CARDS = 2
RIGHT = 3  # the pile on the player's right hand, and
N_OWN = 4  # how many from there on are his own; where not two play with two piles
LEAD_SINCE = 5
MOST_BEHIND = 6
LAST_EQUAL = 7  # the player's last card made the tops equal
PLAYS = 8  # own plays since the last flip; keys the stream
SHORT_PLAYS = 9  # own plays since the row has been short with stock left
SLOT_SIZE = 10  # N_SLOTS numbers of cards
SLOT_RANK = 18  # N_SLOTS ranks
# … and under the clock
ACT = 26  # what the player is doing
ACT_TIME = 27  # when that is done
COMMIT = 28  # when the look ends and the hand starts
CARRY = 29  # when the hand has the card
SLOT = 30
PILE = 31
VERSION = 32  # of the pile, when the player last saw it
FREE = 33  # until when the hands are busy with something unplanned
STUCK = 34  # when the player, seeing nothing to do, is ready for a restart
SEARCH_END = 35
DECLINED = 36
NOTICE = 37  # when the player will have noticed stress
SLAP = 38  # when his hand lands
IS_ILLEGAL = 39
HAS_CHOICE = 40
AHEAD = 41  # the next card is already in the hand
CREDIT = 42  # time that the other hand has saved
FALSE_LEFT = 43  # exposure left until the next false slap
ILLEGAL_LEFT = 44
COGNITIVE = 45  # person factors, 16-bit fixed point
MOTOR = 46
RANK = 47  # of the planned card
SLAPPED = 48  # the pile that his hand fell on
NTH = 49  # at the n-th player: who slapped as the n-th
LOOK = 50  # 1 + from when on he looks anew, once all that the present event changes has changed; 0: he does not
SECOND = 51  # 1 + a second pile that the present play has changed, which he sees after a look at the first
SHOWN_UNDER = 52  # face-up cards under the tops of slots of piles, four bits a slot
PLAYER_FIELDS = 58  # with a pile's a power of two: places are then found by shifts

SEAT_BLOCK = PILE_FIELDS + PLAYER_FIELDS  # from a pile's or a player's block to the next one's


def state_size(n_seats: int) -> int:
    """Length of ``state``."""
    return PILES + n_seats * SEAT_BLOCK


def cards_size(n_seats: int) -> int:
    """Length of ``cards``: one stack to shuffle in, then for each seat its pile, stock, row and side pile."""
    return STACK + n_seats * SEAT_CARDS


def stock_place(player: int) -> int:
    """Place of a player's stock in ``cards``."""
    return 2 * STACK + player * SEAT_CARDS


def side_place(pile: int) -> int:
    """Place of the lowest card of the side pile next to a pile in ``cards``."""
    return 2 * STACK + PLAYER_CARDS + pile * SEAT_CARDS


# Columns of a deal's row
WON = COLUMN_INDEX["won"]
WIN_1 = COLUMN_INDEX["win_1"]
LENGTH_US = COLUMN_INDEX["length_us"]
MOVES = COLUMN_INDEX["moves"]
STALLS = COLUMN_INDEX["stalls"]
STALLED = COLUMN_INDEX["stalled"]
STALLED_AT_START = COLUMN_INDEX["stalled_at_start"]
STALLED_US = COLUMN_INDEX["stalled_us"]
FIRST_STALL_US = COLUMN_INDEX["first_stall_us"]
RESTARTS = COLUMN_INDEX["restarts"]
LEAD_CHANGES = COLUMN_INDEX["lead_changes"]
COMEBACK = COLUMN_INDEX["comeback"]
DEAD_PPM = COLUMN_INDEX["dead_ppm"]
LOOKS = COLUMN_INDEX["looks"]
CHOICES = COLUMN_INDEX["choices"]
STRESSES = COLUMN_INDEX["stresses"]
STRESS_AT_FIRST_FLIP = COLUMN_INDEX["stress_at_first_flip"]
STRESS_FROM_FLIP = COLUMN_INDEX["stress_from_flip"]
STRESS_TIES = COLUMN_INDEX["stress_ties"]
STRESS_MISSED = COLUMN_INDEX["stress_missed"]
FALSE_CALLS = COLUMN_INDEX["false_calls"]
LATE_CARDS = COLUMN_INDEX["late_cards"]
ABORTED_CARDS = COLUMN_INDEX["aborted_cards"]
ILLEGAL_CARDS = COLUMN_INDEX["illegal_cards"]
PICKED_UP = COLUMN_INDEX["picked_up"]
LOSER_CARDS = COLUMN_INDEX["loser_cards"]
LOSERS = COLUMN_INDEX["losers"]
ONE_STOCK_EMPTY = COLUMN_INDEX["one_stock_empty"]
BOTH_STOCKS_EMPTY = COLUMN_INDEX["both_stocks_empty"]
SLAP_WINNER_WITHOUT_STOCK = COLUMN_INDEX["slap_winner_without_stock"]
LAST_CARD_EQUAL = COLUMN_INDEX["last_card_equal"]
ROUNDS = COLUMN_INDEX["rounds"]
SIDE_PILES_RENEWED = COLUMN_INDEX["side_piles_renewed"]

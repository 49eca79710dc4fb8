"""Where the state of one deal lies.

One record holds all that a deal needs: ``state`` (int64) has the table's scalars, then one block per player and one
per bunch; ``counts`` (uint64) has for each bunch how many of its cards have each rank, four bits a rank; ``cards``
(uint8) the deck, the centre, the bunches and where each card lies; ``laid`` (uint64) which cards a player has laid in
the centre since the deal, one bit a card; ``positions`` (uint64) which positions have been there, where somebody stays
with his bunch and nobody can win. Bunches are numbered through: those of player 0 first. A mask of ranks has
rank ``r`` as bit ``4 r``, so that it comes from ``counts`` by shifts alone.
"""

from __future__ import annotations

import numpy as np

from stressim.exchange.columns import COLUMN_INDEX
from stressim.exchange.limits import MAX_BUNCHES, MAX_PLAYERS

PLACES = 15  # masks a player's number, so that the compiler knows that it is not negative

FAR = np.int64(2**62)  # a time that never comes

LOGGING = 0  # 0 where no log is kept, else 1 and the number of the first event that is; the same for all of a shard
CLEARED_FROM = 1

# the table
NOW = 1  # time, or moves under uniform timing
N_LOGGED = 2
LEADER = 3  # last player who led, -1 before the first
STALL_SINCE = 4  # begin of the present stall, -1 outside one
LOCKED_NOW = 5
OUTCOME = 6  # -1 while the deal goes on
WINNER = 7
EVENTS = 8
TABLE_TIME = 9  # when the agreed wait without a swap is over
ATTEMPT = 10  # how often the cards have been dealt again; keys the streams
N_CENTRE = 11
CENTRE_MASK = 12  # ranks in the centre
N_UNDER_WAY = 13  # swaps under way
N_UNFINISHED = 14  # of all players who are not out
N_IN = 15  # players, or teams, that are not out
SWAPPED = 16  # has any card been swapped in this deal
SETTLING_UNTIL = 17  # until when some hands lie on one card and it is open whose it is
HOPELESS = 18  # can nobody win any more, whatever chance brings
SEEN_POSITION = 19  # a position, as a hash, that would show by coming back that play goes round
POSITIONS = 20  # positions since it was taken
POSITIONS_LIMIT = 21  # after how many another is taken
DEAL = 22  # the deal's number
GOES_ROUND = 23  # has a position come back of which nothing leads out
STAYING = 24  # players who never lay an unfinished bunch back, as bits; under the clock
HANDS_WATCHED = 28  # swaps at a table where somebody stays, while it is open whether anybody can win
LOCK_MOVES = 29  # swaps since the present lock began
WATCHED = 30  # may play go round for ever: not all give way, or the cards may not do for all bunches (1), or a rank
# may be shared out among more bunches than it completes (2), or somebody never leaves his bunch, no more than that (3)
NEXT_BACK = 27  # no bunch is laid back before that
LOOKING = 26  # players who look anew at the end of the event, as bits
ALWAYS_MOVES = 25  # is there one who always swaps again, or a rule that always helps
CENTRE_COUNT = 32  # cards of each rank in the centre
FIRST_DONE = 48  # who was the first to be done, -1 before; where play goes on after that
FIRST_DONE_AT = 49
N_PLACED = 50  # players, or teams, that have a place
PLAYERS = 56

# a player
ACT = 0  # what the player is doing
COMMIT = 1  # when the look ends and the hand starts
FREE = 2  # until when eyes and hands are busy
HAND = 3  # the bunch in hand, -1 without one
N_TARGETS = 4
PATIENCE = 5  # when his patience is at an end, 0 while nothing tries it
TABLE_BEST = 6  # best ranks of his unfinished bunches on the table
LEFT = 7  # bunches not laid open
UNFINISHED = 8  # of those, bunches that are not complete
UNDER_WAY = 9  # is a swap under way
TO_TAKE = 10  # cards still to take in it
TO_LAY = 11  # and to put down
START_HEIGHT = 12  # of the bunch, before the swap
MISSED = 13  # has a hand come too late in it
GRAB_RANK = 14  # rank of the first card taken in it, -1 before
WISH = 15  # what he will do when his patience is at an end
TARGET = 16  # the cards he wants
N_GIVE = 20
GIVE = 21  # the cards he will lay
N_LAID = 25
LAID = 26  # the cards laid in this swap
TOUCH = 30  # when his hand touches the cards wanted
ARRIVE = 31  # when they would be his: at the touch or in the hand
BACK = 32  # time from the touch to the hand
HAS_CHOICE = 33
LAST_TAKEN = 34  # mask of the rank that he took last
TAKEN = 35  # ranks that he has taken and not laid since
KNOWN_BEST = 36  # best ranks of his own bunches on the table, as he remembers
KNOWN_UNTIL = 37  # until when that holds
PLAN = 38  # why he swaps, see hands.py
AIM = 39  # the rank that the bunch in hand is settled on, -1 without one
LEAD_SINCE = 40
MOST_BEHIND = 41
WORK = 42  # cards that his bunches lacked when dealt
TAKES = 43  # cards taken since
GROUP = 44  # hands on one card that belong together, 0 for none
OPENED = 45  # how many those are
SWAPS_DONE = 46  # own swaps since the cards were dealt; keys the stream
COGNITIVE = 47  # person factors, 16-bit fixed point
MOTOR = 48
OUT = 49  # has he forfeited the deal, or is he done while others play on
NEXT = 50  # the bunch that his hand goes to
LAST_BIT = 51  # the bunch that he held last, as a bit of his bunches; 0 before the first
COMPLETED_AT = 52  # when he laid open a bunch last
NEEDS_ANY = 53  # does he wait for any card at all
WON_TARGETS = 54  # which of the cards wanted are his, as bits
GIVES_WAY = 55  # does he swap cards that he does not need (1), even hoped-for ones (2)
SETTLED_AT = 56  # when it will be clear whose the cards are
CLOSED = 58  # his bunches that are not laid open, as bits
SEEN = 59  # those that he has held, as bits
HAND_BEST = 57  # ranks that would improve the bunch in hand, or the plain swap under way; see judge.py
TABLE_REST = 61  # TABLE_BEST once he has picked up the next bunch
LOOK_FROM = 60  # from when on he looks anew
TIME = 62  # when his action is done
DEADLINE = 63  # when his time for a swap runs out
BACK_ON_TABLE = 64  # when he lays his bunch back
PLACE = 68  # his place, 0 before he is done; where all are ranked
IDLE = 69  # does he look on, for all bunches of his team are in other hands
MATES = 70  # the players of his team, he too, as bits
FIRST = 71  # the first of his bunches
BARRED = 72  # mask of the rank of the card laid in a plain swap under way, which may be barred
PLAYER_BLOCK = 73

BUNCHES = PLAYERS + MAX_PLAYERS * PLAYER_BLOCK

# a bunch
BEST = 0  # mask of its best ranks; 0 when complete
HEIGHT = 1
N_HELD = 2  # number of its cards
OPEN = 3  # is it laid open
REMEMBERED = 4  # until when he remembers it, on the table
KEEPS = 5  # mask of the rank of which it lays no card any more, 0 for none; where somebody stays with his bunch
BUNCH_BLOCK = 8

STATE_SIZE = BUNCHES + (MAX_BUNCHES + 1) * BUNCH_BLOCK

# cards
DECK = 0
CENTRE = 256
CENTRE_PLACES = 128  # centre_cards, and as many more as hands may have laid before they take
BUNCH_CARDS = CENTRE + CENTRE_PLACES
BUNCH_DEPTH = 16  # a bunch, and the cards of a grab
LIES_AT = BUNCH_CARDS + (MAX_BUNCHES + 1) * BUNCH_DEPTH  # a card's place in the centre, or, from IN_BUNCH on, its bunch
IN_BUNCH = 128
CARDS_SIZE = LIES_AT + 256

LAID_WORDS = 4  # words of a player's bits in ``laid``
N_COUNTS = MAX_BUNCHES + 1
N_POSITIONS = 4096  # places for positions that have been there, as hashes; a power of two
N_STREAMS = 32  # the present stream and the key of the table and of each player, and the seed

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
LOCKS = COLUMN_INDEX["locks"]
LOCKED = COLUMN_INDEX["locked"]
REDEALS = COLUMN_INDEX["redeals"]
LEAD_CHANGES = COLUMN_INDEX["lead_changes"]
COMEBACK = COLUMN_INDEX["comeback"]
DEAD_PPM = COLUMN_INDEX["dead_ppm"]
LOOKS = COLUMN_INDEX["looks"]
CHOICES = COLUMN_INDEX["choices"]
SWAPS = COLUMN_INDEX["swaps"]
CHURNS = COLUMN_INDEX["churns"]
YIELDS = COLUMN_INDEX["yields"]
SWITCHES = COLUMN_INDEX["switches"]
CONTESTED_LOST = COLUMN_INDEX["contested_lost"]
DEADLINES_RUN_OUT = COLUMN_INDEX["deadlines"]
FALSE_CALLS = COLUMN_INDEX["false_calls"]
LOSER_BUNCHES = COLUMN_INDEX["loser_bunches"]
LOSERS = COLUMN_INDEX["losers"]
DEALT_COMPLETE = COLUMN_INDEX["dealt_complete"]
PAIRED_BUNCHES = COLUMN_INDEX["paired_bunches"]
PAIRLESS_1 = COLUMN_INDEX["pairless_1"]
CENTRE_HELPS_1 = COLUMN_INDEX["centre_helps_1"]
CENTRE_SHARES_1 = COLUMN_INDEX["centre_shares_1"]
WINNER_SWAPPED_CARDS = COLUMN_INDEX["winner_swapped_cards"]
WINNER_WORK = COLUMN_INDEX["winner_work"]
WINNER_RANKS = COLUMN_INDEX["winner_ranks"]
RANKING = COLUMN_INDEX["ranking"]
RANKED = COLUMN_INDEX["ranked"]
WINNER_US = COLUMN_INDEX["winner_us"]
PLACE_1 = COLUMN_INDEX["place_1"]
LAST_1 = COLUMN_INDEX["last_1"]

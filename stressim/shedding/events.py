"""The event log of a shedding deal: what kernel, referee and replay agree on, and nothing else.

A log is an int64 array with one row per event and the columns of :class:`Field`. A field that an event does not use is
-1. Times never fall. Beside the log stand the dealt cards, an array of shape ``(n_players, cards_dealt)``: for each
player his stock, top card first, and then, if there are side piles, the one on his right. Rows are laid out from the
stocks by ``DRAW`` and ``MERGE`` events.

Cards are numbered as :mod:`stressim.decks` says.

A stock is a pile of which the top is drawn first; a centre pile one on whose top cards are laid. Pile ``i`` is the
one that player ``i`` started, on his right hand; on his left lies the other one. A player's slots count from 0.

More than two players sit round the table, each with the next one on his left, and the piles lie in a ring in the same
order: on a player's left lies the pile after his own. With ``k`` times as many piles as players the first ``k`` are
player 0's, beginning on his right, and so on. Where they do not come out even, ``SEAT`` events name each player's right
pile; his are then those from there to the next player's, but at least one, and several players may share it.
"""

from __future__ import annotations

from enum import IntEnum

from stressim.decks import JOKER_RANK as JOKER_RANK
from stressim.options import Choice
from stressim.outcomes import Outcome as Outcome


class Field(IntEnum):
    """Columns of a log."""

    TIME = 0
    KIND = 1
    PLAYER = 2
    PILE = 3
    SLOT = 4
    CARD = 5
    NUMBER = 6


N_FIELDS = len(Field)


class Kind(Choice):
    """What happened.

    Time is in microseconds from the landing of the first flip; under uniform timing it is the number of plays so far.
    """

    DRAW = 0, "player lays the top card of his stock into the empty slot"
    MERGE = (
        1,
        (
            "player puts the cards of the slot, of a pile those that lie face up, on those of slot number, which have "
            "the same rank"
        ),
    )
    FLIP = 2, "player lays the top card of his stock on the pile"
    FLIP_FROM_ROW = (
        3,
        "player lays the top card of the slot on the pile instead of a stock card (giver_with_one_card=from_row)",
    )
    GIVE = (
        4,
        (
            "player hands over the card at depth number (0 is the top) of his stock; it becomes the top of the other "
            "stock, of more than two that of the player whose number stands as the pile"
        ),
    )
    RESTART = 5, "flips follow at the same time, for the reason number, see Reason"
    PLAY = 6, "player lays number cards of the slot on the pile; card is the one then on top"
    PLAY_ALSO = 7, "as PLAY, in the same move as the PLAY before it (multi_card_play)"
    NAME = 8, "player names rank number for the joker just laid on the pile (joker_mode=named); after a flip also"
    LATE = 9, "player's top card of the slot reaches the pile after it has changed and goes back"
    ILLEGAL = 10, "player lays the top card of the slot on the pile although it does not fit; it goes back"
    ABORT = 11, "player sees the pile change while his card is on its way and takes it back"
    PENALTY = (
        12,
        (
            "player gets the top card of the other stock under his own, as a penalty; of more than two that of the "
            "player whose number stands as the pile"
        ),
    )
    DECLINE = 13, "player wants a restart although he could play"
    SLAP = 14, "player's slap (or shout, where that decides) on the pile (-1: over both, or a shout)"
    ANNOUNCE = 15, "player points at the other player's card, which would make the tops equal (stress_stop)"
    TAKE = 16, "player takes the pile with its number cards, under or into his stock as the rules say"
    STOCK = 17, "after a shuffle: card lies at depth number of player's stock (0 is the top); one row for each card"
    SET_ASIDE = 18, "the pile leaves the game (other_pile_after_stress=set_aside)"
    VIEW = 19, "right and left are as this player sees them (pile_view=absolute)"
    CALL = 20, "player calls that he has won (win_call=required)"
    END = 21, "the deal is over: player is the winner or -1, number the Outcome"
    HANDICAP = (
        22,
        (
            "before the rows are laid out, player gets the top card of the other stock under his own; of more than two "
            "that of the player whose number stands as the pile"
        ),
    )
    FLIP_SIDE = 23, "player lays the top card of the side pile on his right on the pile (restart_source=side_piles)"
    RENEW = (
        24,
        "the pile with its number cards becomes the side pile next to it: its lowest card is on top",
    )
    SIDE = 25, "after a shuffle: card lies at depth number of the side pile next to the pile; one row for each card"
    TURN = 26, "player turns up the card on top of the slot (row_piles=growing)"
    MOVE = (
        27,
        "player moves the top card of the slot, with equal ones put under it, to the empty slot number (move_to_empty)",
    )
    GATHER = 28, "player takes the number cards of his row into his stock, because a round is over"
    SEAT = 29, "the pile is the one on player's right, where piles and players do not come out even"


class Reason(Choice):
    """Why cards are flipped."""

    START = 0, "the deal begins"
    REFLIP = 1, "the first cards were equal and are covered (start_flip_equal=reflip)"
    LOCKED = 2, "nobody could play"
    DECLINED = 3, "a player who could play did not want to"
    STRESS = 4, "a stress has been settled"
    FALSE_CALL = 5, "a false call has been punished"
    BOTH_EMPTY = 6, "each has taken the pile on his right because both stocks were empty"
    RENEWED = 7, "the centre piles have become the side piles because those were used up"
    ROUND = 8, "a round is over and both have laid out what they hold"

"""The event log of an exchange deal: what kernel, referee and replay agree on, and nothing else.

A log is an int64 array with one row per event and the columns of :class:`Field`. Beside it stand the dealt cards, an
array of shape ``(n_cards,)``: first the bunches, all of player 0's, then all of player 1's and so on, a bunch's cards
in a row; then the cards in the centre. Partners (``team_size``) share the bunches of the first of them, so there is a
part for each side; bunches that are given as a handicap are the last ones of their side, and lie open. A field that an
event does not use is -1. Times never fall; rows of one time
happen in their order, and the deal is judged after each of them. Cards are numbered as :mod:`stressim.decks` says.
Players and bunches count from 0, a player's bunches from 0 for each player.

**Swaps.** A swap of ``k`` cards (at most ``swap_max_cards``) is ``k`` PUT_DOWN rows and ``k`` TAKE rows of one player
with the bunch that he holds; between the first and the last of them it is *under way*, and he does nothing else but
miss cards. The PUT_DOWN rows have one time and their NUMBER counts ``k - 1 … 0``, so the first tells ``k``. A TAKE
row's NUMBER is how many cards the player still has to take or to put down after it.

* ``put_down_first``: PUT_DOWN … PUT_DOWN, then TAKE … TAKE, which count ``k - 1 … 0`` too. A card lies in the
  centre, free for all, from its PUT_DOWN on.
  The TAKE rows of a grab may have different times when a wanted card was gone. Under way the player holds
  ``bunch_size - k`` cards and more, the centre that much more than ``centre_cards``.
* ``take_first``: TAKE … TAKE at one time, counting ``2k - 1 … k``, then PUT_DOWN … PUT_DOWN. ``k`` is how many he
  took; cards of the grab that had gone are MISS rows and are not swapped.
* ``simultaneous``: all rows of the swap have one time, PUT_DOWN rows first; both kinds count ``k - 1 … 0``. The swap
  has as many cards as were there.
  If none was there, there are MISS rows only.

``grab_equal_only``: all TAKE rows of a swap have one rank, except that after a MISS any card will do.

**Barred cards.** In a swap nobody takes a card that he has put down in the same swap (unless ``take_back_own`` is
``allowed``); with ``forbidden`` he takes none that he has put down since the cards were last dealt, unless every
other card in the centre is barred for him too, and none of this swap even then.

**Reaching.** TAKE has the time at which the card is the player's: he touches it (``first_touch``), or has brought it
into his hand (``first_in_hand``, ``random``). MISS is the moment at which a hand that came for the card comes too late
or loses it: at the touch if the card has gone by then, otherwise when it becomes another player's. Several hands at
one card within ``tie_window_ms`` of the first (touches, or with ``first_in_hand`` arrivals in the hand) are a tie: it
is settled, with all else that those hands take, at the time of the last of them, with one TAKE
(``touch_tie=random``) and a MISS for each of the others, or with a MISS for all (``redo``). TAKE comes before the MISS
rows of the same time. With ``random`` the coin is tossed when the first has the card in his hand, among all who had
touched it.

**Bunches.** PICK_UP takes an unfinished bunch from the table (``switch`` is PUT_BACK, then PICK_UP of any bunch).
COMPLETE lays open the bunch in hand, which must be complete and no swap under way; then the hand is free. A bunch that
is complete is neither swapped with nor put back. Nobody picks up a bunch that a partner holds.
DEADLINE is a PUT_BACK that the rule asks for
(``deadlock_rule=swap_deadline``): it comes exactly ``swap_deadline_s`` after the player's clock was last started, if he
holds an unfinished bunch then and has no swap under way; if a swap is under way the swap goes through and starts the
clock anew. The clock starts at a player's first PICK_UP of the deal, at his first PICK_UP after a DEADLINE, at the last
row of a swap and at COMPLETE; with ``deadline_reset=swap_or_switch`` at every PICK_UP. When it runs out while he holds
no bunch, it stands still until his next PICK_UP starts it.

**The end.** A player who has laid open all his bunches calls (CALL), and play stops there: after the first CALL come
only CALL rows of players who had laid open everything before it and call less than ``call_tie_window_ms`` later. One
CALL wins; of several ``win_tie`` says what follows. END (or REDEAL) has the time of the last CALL. With
``first_complete`` the player whose last COMPLETE came first wins; of two at one time none does.
FALSE_CALL is a call by a player with just one unfinished bunch, which is in his hand and one card short of complete,
while no swap of his is under way. With ``false_call_penalty=forfeit`` he is out from then on: he does nothing more and
his bunches stay with him; when one player is left, END follows at once and that one has won; where he was alone, the
deal is drawn.
With ``redeal`` or ``most_complete_wins`` the wait is over exactly ``deadlock_wait_s`` after the last row of the last
swap, the last COMPLETE, or the deal, whichever came last; if a swap is under way then, it goes through and the wait
begins anew. ``most_complete_wins``: the player with more bunches laid open than any other (who is not out) wins, else
the deal is drawn.
END is the last row. REDEAL is followed by one DEAL row for each card, all of the same time, in dealing order, and then
by the new deal, in which everybody takes part with empty hands, and clocks and waits begin anew; time and counts go on.

**Places.** With ``ranking`` play goes on after a CALL, and every CALL takes the next place for the player and his
partners, who do nothing more; ``win_tie`` matters to nobody then but players who are dealt everything complete without
a clock. The deal ends at the CALL that leaves one side (``all_but_one``) or none (``all``), or one side because others
have lost the deal by a false call. Once somebody has won, END names him, whatever stops the others: where they are
DEADLOCKED or LIVELOCKED, and at the end of a wait (``redeal``, ``most_complete_wins``), the deal is over and WON. If
one side is left at the end of a won deal, it has the next place. Without a clock a place is taken as soon as the last
bunch is laid open. What is counted of the winner and the losers is what it was at the first place.

**Uniform timing** has no clock, and every unfinished bunch can be used at any time. There are no PICK_UP, PUT_BACK,
DEADLINE, MISS, CALL and FALSE_CALL rows. Nothing is judged after the row that lays open a player's last bunch: that
player has won. A swap has one card and all its rows, a COMPLETE that it leads to among them,
bear the number of moves with this one (from 1); what the deal brings bears the moves before. Bunches that are dealt
complete are laid open first, player by player. A player who has laid open everything has won; several at once are
near-simultaneous calls, and ``first_complete`` makes them a draw. ``redeal`` and ``most_complete_wins`` apply when
nobody can improve and nobody gives way, without a wait; ``swap_deadline`` never. Somebody picks up a bunch in every
deal with a clock, so a log without a PICK_UP row is one of uniform timing.

What is counted
---------------
A bunch's *height* is the highest number of its cards that have one rank; its *best ranks* are those it has as often.
An *unfinished* bunch is one that is not laid open and whose cards are not all of one rank, of a player who is not out;
a bunch with a swap under way is unfinished, whatever cards it has at the moment.

A *position* is what lies where by rank: each bunch's ranks with their numbers, the centre's ranks with theirs, which
bunches are laid open, and with ``take_back_own=forbidden`` which ranks are barred for whom; not who holds what.

A player can *improve* a bunch when a card in the centre, not barred for him, has one of its best ranks (and the bunch
is unfinished). While a swap of his is under way he can improve the bunch in hand when he can still end the swap with
that bunch higher than it was before it.

A swap is judged at its last row by the height of the bunch before the swap and after it. It is

* an *improving* swap (``swaps``) when the height has risen,
* a *churn* when it is the same (a card not needed against another),
* a *yield* when it has fallen (a hoped-for card was given up).

``moves`` is their sum; a grab of several cards is one move. ``switches`` counts PUT_BACK rows, ``deadlines`` DEADLINE
rows, ``contested_lost`` MISS rows, ``redeals`` REDEAL rows.

A *lock* begins at the deal, or at the row after which no player can improve any unfinished bunch of his, in hand or on
the table, while there is at least one; it ends at the row after which somebody can. A lock is not judged between a
REDEAL and the last DEAL of it, nor within the rows of a swap of uniform timing.

A *stall* begins when a lock begins, or at the row after which every player with unfinished bunches holds one (or has
partners who hold all that are not laid open), nobody holds a complete one, and nobody can improve the bunch in his
hand (S0:45), while there is at least one unfinished bunch. It ends at the row after which somebody can
improve the bunch in his hand, and at REDEAL and END. So it is counted once until somebody can improve again; putting
bunches back does not end it. A stall is *at the start* when it begins before any PUT_DOWN or TAKE row of the deal.
Under uniform timing all unfinished bunches are in hand, so stalls and locks are the same.

The deal is DEADLOCKED when there is a lock, no swap is under way, and no player will ever swap another card by his
habits and no rule applies: that ends it at once. While somebody has only complete bunches left to lay open, it is not.
It is LIVELOCKED when players move for ever: a position since the last (re)deal has come back, and nobody wins whatever
chance brings from there on, because the cards that go round make too few complete bunches, or because nobody ever wants
one of them. It is UNFINISHED at the limit.

``winner_ranks`` has the ranks of all the winner's bunches; those of a player who has won by a rule for deadlocks, or as
the last one left, need not be complete.

What is said of a player's bunches holds for those of a team; a partner's hand is his alone. For want of a proof that
holds for partners of different habits, a deal of teams under the clock is LIVELOCKED for too few cards only.

A player's *remaining* is his bunches that are not laid open. ``moves``, leads and comebacks count through a redeal.
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
    BUNCH = 3
    CARD = 4
    NUMBER = 5


N_FIELDS = len(Field)


class Kind(Choice):
    """What happened. Time is in microseconds from the start signal; under uniform timing the moves so far."""

    PICK_UP = 0, "player has picked up the bunch; he sees its cards from then on"
    PUT_BACK = 1, "player puts the bunch in hand face down on the table"
    PUT_DOWN = 2, "player lays the card of the bunch in hand into the centre; number more are laid in this grab"
    TAKE = 3, "player has the card of the centre for the bunch in hand; number more are to be taken or laid"
    MISS = 4, "player's hand comes for the card of the centre, and it is not his"
    COMPLETE = 5, "player lays open the bunch, which is complete"
    DEADLINE = 6, "player puts the bunch in hand back because his time for a swap has run out"
    CALL = 7, "player calls that all his bunches are complete; with ranking he has the next place"
    FALSE_CALL = 8, "player calls although his last bunch lacks a card"
    REDEAL = 9, "the cards are dealt again, for the reason number, see Reason; DEAL rows follow"
    DEAL = 10, "card is dealt to the bunch of player, or to the centre (player and bunch are -1)"
    END = 11, "the deal is over: player is the winner or -1, number the Outcome"


class Reason(Choice):
    """Why cards are dealt again."""

    WIN_TIE = 0, "players were done at once (win_tie=redeal)"
    DEADLOCK = 1, "nobody had swapped a card for a while (deadlock_rule=redeal)"

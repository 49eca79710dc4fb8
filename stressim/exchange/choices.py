"""The closed choices of the exchange game's rules: what each value means, for people and for the kernels."""

from __future__ import annotations

from stressim.options import Choice


class SwapOrder(Choice):
    """Which comes first, giving a card or taking one (A11)."""

    PUT_DOWN_FIRST = 0, "lay a card in the centre first, then take one"
    TAKE_FIRST = 1, "take a card first, then lay one in the centre"
    SIMULTANEOUS = 2, "lay one and take one at the same moment; if the card wanted has gone, keep your own"


class TakeBackOwn(Choice):
    """When a player may take a card that he laid in the centre himself (A14, A-U3)."""

    FORBIDDEN = 0, "never again in this deal"
    ALLOWED_LATER = 1, "in a later swap, but not in the same one"
    ALLOWED = 2, "at any time, in the same swap too"


class AfterSnatch(Choice):
    """What a player must do whose wanted card has gone after he has laid his own (A-U2)."""

    MAY_WAIT = 0, "there is time to wait for a better card"
    TAKE_ANOTHER = 1, "it must be at once"


class ContestedCard(Choice):
    """Whose a card is when several players reach for it (A16)."""

    FIRST_TOUCH = 0, "the first to touch it has it"
    FIRST_IN_HAND = 1, "the first to bring it into his hand has it"
    RANDOM = 2, "a coin names one of those who touched it before anybody brought it into his hand"


class TouchTie(Choice):
    """What happens when nobody can say who was first at a card (A-U4)."""

    RANDOM = 0, "chance gives it to one of them"
    REDO = 1, "all let go, and the card stays"


class DeadlockRule(Choice):
    """The agreed way out when nobody gives way (A20, A-U1). Switching, churning and yielding are habits."""

    NONE = 0, "the text has no rule; the deal ends deadlocked when nobody gives way"
    SWAP_DEADLINE = 1, "a bunch in hand with which no card is swapped in time goes back on the table"
    REDEAL = 2, "when nobody has swapped a card for a while, the cards are dealt again"
    MOST_COMPLETE_WINS = (
        3,
        "when nobody has swapped a card for a while, most complete bunches win; equal numbers are a draw",
    )


class DeadlineReset(Choice):
    """What starts a player's time anew under a deadline (A21, A-U6)."""

    SWAP = 0, "a swap or a complete bunch; putting a bunch back by oneself does not help"
    SWAP_OR_SWITCH = 1, "a swap, a complete bunch, or picking up another bunch"


class WinTie(Choice):
    """What near-simultaneous calls mean (A23)."""

    REDEAL = 0, "the cards are dealt again"
    FIRST_COMPLETE = 1, "who laid open his last bunch first has won; the same moment is a draw"
    SHARED = 2, "the win is shared, so the deal is drawn"


class FalseCallPenalty(Choice):
    """What it costs to call before the last bunch is complete (A26, A-U9)."""

    NONE = 0, "nothing but the breath"
    TIME_LOSS = 1, "time: the call is withdrawn while the others play on"
    FORFEIT = 2, "the deal: he is out, and the last one left has won"


class Ranking(Choice):
    """Whether play goes on after the first has won (A24)."""

    NONE = 0, "no: the others are not ranked"
    ALL_BUT_ONE = 1, "until one is left, who is the last; places go by the order of the calls"
    ALL = 2, "until everybody is done; places go by the order of the calls"


class CallWord(Choice):
    """The word that the winner calls (A28); it is the name of the game."""

    STRESS = 0, "Stress"
    JAMES_BOND = 1, "James Bond"
    ATLANTIS = 2, "Atlantis"
    CHANHASSEN = 3, "Chanhassen"
    LAENNEN_NOPEIN = 4, "Lännen nopein"

"""How a deal of any family ends."""

from __future__ import annotations

from stressim.options import Choice


class Outcome(Choice):
    """How a deal ends."""

    WON = 0, "one player has won"
    DRAWN = 1, "a rule made it a draw"
    DEADLOCKED = 2, "nobody can move and no rule helps"
    LIVELOCKED = 3, "the same positions would come back for ever"
    UNFINISHED = 4, "stopped at the limit of plays or events"

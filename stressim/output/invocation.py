"""The command that gives a result again."""

from __future__ import annotations

import shlex
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Invocation:
    """What was given to a command that plays deals.

    Examples
    --------
    >>> given = Invocation(rules="swedish", sets=("ace=low",), timing="uniform", deals=1000, seed=1)
    >>> given.line("simulate")
    'stressim simulate swedish --set ace=low --timing uniform --deals 1000 --seed 1'
    >>> given.line("simulate", timing="human", counts=False)
    'stressim simulate swedish --set ace=low'
    """

    rules: str
    sets: tuple[str, ...] = ()
    n_players: int | None = None
    players: tuple[str, ...] = ()
    timing: str = "human"
    deals: int
    seed: int
    confidence: float = 0.95

    def line(self, command: str, *, timing: str | None = None, counts: bool = True) -> str:
        """Return the command line.

        Parameters
        ----------
        command
            The subcommand.
        timing
            Another timing mode.
        counts
            Whether deals, seed and confidence are named.
        """
        words = ["stressim", command, self.rules]
        for change in self.sets:
            words += ["--set", change]
        if self.n_players is not None:
            words += ["--players", str(self.n_players)]
        for player in self.players:
            words += ["--player", player]
        if (timing or self.timing) != "human":
            words += ["--timing", timing or self.timing]
        if counts:
            words += ["--deals", str(self.deals), "--seed", str(self.seed)]
            if self.confidence != 0.95:
                words += ["--confidence", f"{self.confidence:g}"]
        return shlex.join(words)

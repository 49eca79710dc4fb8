"""The race of two hands at a stress, integrated: who is first, and how often nobody can say.

Both players have noticed, neither is busy with something else and neither foresaw it; those are further times that the
rules do not decide. Which pile a hand falls on is a rule or a habit, so a tie window is given for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from stressim.exact.quantities import Quantity
from stressim.exact.races import GridLaw, Race, as_drawn, grid_step, on_grid, person_time, race_on_grid
from stressim.players.distributions import Distribution
from stressim.players.player import Player
from stressim.shedding.choices import PileView, SlapTarget, StressOn
from stressim.shedding.events import Field, Kind
from stressim.shedding.referee.lawful_pickups import shout_decides
from stressim.shedding.rules import SheddingRules

GROUP = "slap race"


def quantities(rules: SheddingRules, players: Sequence[Player]) -> tuple[Quantity, ...]:
    """Return the chances of the race between the first two players.

    Parameters
    ----------
    rules
        The rules of the game.
    players
        The players, at least two.
    """
    if rules.stress_on == StressOn.NONE:
        return ()
    step = max(grid_step(_parts(rules, player)) for player in players[:2])
    first, second = (signal_law(rules, player, step) for player in players[:2])
    open_race = race_on_grid(first, second)
    if len(players) > 2:
        before = "Player 1's hand is before player 2's when both have noticed."
        lost = Quantity(
            name="slap_lost_1",
            group=GROUP,
            meaning="Player 1 is the slowest of all.",
            unit="of stresses",
            value=None,
            reason="races are integrated for two hands only",
        )
        return (_quantity("slap_before_2", before, "of slaps", open_race.first, open_race), lost)
    met = (1.0 - players[0].times.p_miss_stress), (1.0 - players[1].times.p_miss_stress)
    both, either = met[0] * met[1], 1.0 - (1.0 - met[0]) * (1.0 - met[1])
    first_hand = "Player 1 is first when both have noticed, by however little: as if no slap were too close to call."
    found = [
        _quantity("slap_first_1", first_hand, "of slaps", open_race.first, open_race),
        _quantity("stress_noticed", "Somebody notices equal tops.", "of stresses", either, None),
    ]
    if either:
        share = (met[0] * (1.0 - met[1]) + both * open_race.first) / either
        meaning = "Player 1 is first or alone when somebody has noticed."
        found.append(_quantity("slap_won_1", meaning, "of slaps", share, open_race))
    for name, meaning, window in tie_windows(rules):
        law = race_on_grid(first, second, window)
        said = f"{meaning} (less than {window:g} ms apart), whoever was first: {rules.stress_tie.meaning}."
        found.append(_quantity(name, said if window else f"{meaning}.", "of slaps", law.tie, law))
    return tuple(found)


def tie_windows(rules: SheddingRules) -> list[tuple[str, str, float]]:
    """Return the ties that these rules know: name, meaning and window in ms."""
    if shout_decides(rules):
        return [("slap_tie", "The two shouts are too close to call", rules.tie_window_ms)]
    if rules.slap_target == SlapTarget.BOTH_PILES:
        return [("slap_tie", "The two slaps are never too close to call: the lower hand shows", 0.0)]
    different = ("slap_tie_two_piles", "Two slaps on different piles are too close to call", rules.tie_window_ms)
    same = ("slap_tie_one_pile", "Two slaps on one pile are too close to call", rules.tie_window_same_pile_ms)
    if rules.slap_target == SlapTarget.ANY_PILE:
        return [different, same]
    return [same] if rules.pile_view == PileView.ABSOLUTE else [different]


def signal_law(
    rules: SheddingRules, player: Player, step: float, to_grid: Callable[[Distribution, float], GridLaw] | None = None
) -> GridLaw:
    """Law of the time from equal tops to the player's slap, or to his shout where that decides."""
    tables = player.lowered_tables
    factors = [
        (tables[f"person_common_{part}"][0], tables[f"person_own_{part}"][0]) if player.person_sd else None
        for part in ("cognitive", "motor")
    ]
    seat = 0.0 if shout_decides(rules) else player.seat_distance_cm * player.times.seat_ms_per_cm
    return person_time(list(zip(_parts(rules, player), factors, strict=True)), seat, step, to_grid)


def _parts(rules: SheddingRules, player: Player) -> list[Distribution]:
    times = player.times
    return [times.stress_notice, times.call if shout_decides(rules) else times.slap_move]


def _quantity(name: str, meaning: str, unit: str, value: float, law: object) -> Quantity:
    accuracy = getattr(law, "accuracy", 0.0)
    return Quantity(name=name, group=GROUP, meaning=meaning, unit=unit, value=value, accuracy=accuracy)


@dataclass(frozen=True)
class Undisturbed:
    """Rules and players under which every stress is a race of two free hands, as :func:`quantities` integrates it.

    Parameters
    ----------
    options
        The rules of the game.
    rules
        Options to be changed: nobody may cover equal tops.
    players
        Changes of the players: both notice, nobody is busy, foresees or calls without reason.
    tie_columns
        Columns of races that were undecided, and of all.
    """

    options: SheddingRules
    rules: tuple[str, ...] = ("play_on_equal_tops=frozen",)
    players: tuple[str, ...] = (
        "all.busy_penalty=0",
        "all.anticipation_gain=0",
        "all.p_miss_stress=0",
        "all.p_false_slap=0",
    )
    tie_columns: tuple[str, str] = ("stress_ties", "stresses")

    def tie(self, players: Sequence[Player], *, from_tables: bool) -> float:
        """Integrate how often the hands are undecided; each slaps the pile on his right where he may choose."""
        return self._race(players, tie_windows(self.options)[0][2], from_tables=from_tables).tie

    def first(self, players: Sequence[Player], *, from_tables: bool) -> float:
        """Integrate how often the first player's hand comes first."""
        return self._race(players, 0.0, from_tables=from_tables).first

    def _race(self, players: Sequence[Player], window_ms: float, *, from_tables: bool) -> Race:
        step = max(grid_step(_parts(self.options, player)) for player in players)
        to_grid = as_drawn if from_tables else on_grid
        first, second = (signal_law(self.options, player, step, to_grid) for player in players)
        return race_on_grid(first, second, window_ms)

    def first_hands(self, events: np.ndarray) -> list[int]:
        """Whose hand came first at each stress of a log: the first slap after each restart."""
        kinds = events[:, Field.KIND]
        slaps = np.flatnonzero(kinds == Kind.SLAP)
        n_restarts = np.cumsum(kinds == Kind.RESTART)[slaps]
        is_first = (n_restarts > 0) & (np.diff(n_restarts, prepend=0) > 0)
        return [int(player) for player in events[slaps[is_first], Field.PLAYER]]


def undisturbed(rules: SheddingRules) -> Undisturbed | None:
    """Return under which conditions deals can be held against the integrals; None without stress."""
    return Undisturbed(rules) if rules.stress_on != StressOn.NONE else None

"""The race of two hands for one card of the centre, integrated: who touches it first.

Two players have laid their cards at the same moment and want the same card.
"""

from __future__ import annotations

from collections.abc import Sequence

from stressim.exact.quantities import Quantity
from stressim.exact.races import GridLaw, grid_step, person_time, race_on_grid
from stressim.exchange.choices import ContestedCard
from stressim.exchange.rules import ExchangeRules
from stressim.players.player import Player

GROUP = "race for a card"


def quantities(rules: ExchangeRules, players: Sequence[Player]) -> tuple[Quantity, ...]:
    """Return the chances of the race between the first two players; none where one plays alone."""
    if len(players) < 2:
        return ()
    step = max(grid_step([player.times.take_card_touch]) for player in players[:2])
    first, second = (touch_law(player, step) for player in players[:2])
    sooner = race_on_grid(first, second)
    closer = race_on_grid(first, second, rules.tie_window_ms)
    then = f": {rules.touch_tie.meaning}" if rules.contested_card == ContestedCard.FIRST_TOUCH else ""
    return (
        Quantity(
            name="touch_first_1",
            group=GROUP,
            meaning="Player 1 is the first to touch a card for which both reach at once, by however little: "
            "as if no touch were too close to call.",
            unit="of races",
            value=sooner.first,
            accuracy=sooner.accuracy,
        ),
        Quantity(
            name="touch_tie",
            group=GROUP,
            meaning=f"Too close to call (less than {rules.tie_window_ms:g} ms apart), whoever was first{then}.",
            unit="of races",
            value=closer.tie,
            accuracy=closer.accuracy,
        ),
    )


def touch_law(player: Player, step: float) -> GridLaw:
    """Law of the time from the landing of a player's own card to the touch of the one he wants."""
    tables = player.lowered_tables
    factors = (tables["person_common_motor"][0], tables["person_own_motor"][0]) if player.person_sd else None
    seat = player.seat_distance_cm * player.times.seat_ms_per_cm
    return person_time([(player.times.take_card_touch, factors)], seat, step)


def undisturbed(rules: ExchangeRules) -> None:
    """Return None: what else players do leaves no race of two free hands whose outcomes are counted."""

"""What follows a flip where there is no clock: rows are filled up or settled, and who has no cards has won."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import kernel
from stressim.shedding.choices import (
    MergeEqualRanks,
    RefillPolicy,
    RestartSource,
    RowPiles,
    StressOn,
)
from stressim.shedding.kernel.ends import (
    end_if_out,
    judge_lead,
    somebody_is_out,
)
from stressim.shedding.kernel.flips import flip
from stressim.shedding.kernel.layout import (
    OUTCOME,
)
from stressim.shedding.kernel.piles import tops_equal
from stressim.shedding.kernel.places import (
    ZERO,
    n_players,
)
from stressim.shedding.kernel.row_piles import settle_row_and_merge
from stressim.shedding.kernel.rows import can_refill, fill_row


@kernel(inline=True)
def end_if_won(game):
    """End the deal if a player without cards has won, which a stress may prevent (B45)."""
    rules = game.rules
    if not somebody_is_out(game):
        return
    if rules.win_check_before_stress == 1 or rules.stress_on == StressOn.NONE or not tops_equal(game):
        end_if_out(game)


@kernel()
def refill_all(game):
    """Fill up all rows, if the rules know that; of rows of piles put equal tops together."""
    rules = game.rules
    if rules.row_piles == RowPiles.GROWING and rules.merge_equal_ranks == MergeEqualRanks.ALWAYS:
        for player in range(n_players(game)):
            settle_row_and_merge(game, np.int64(player), ZERO)
    if rules.refill_policy != RefillPolicy.NONE:
        merging = rules.merge_equal_ranks == MergeEqualRanks.ALWAYS
        for player in range(n_players(game)):
            if merging or can_refill(game, np.int64(player)):  # mostly nothing is to be done
                fill_row(game, np.int64(player), merging)


@kernel(inline=True)
def flip_and_refill(game, reason):
    """Flip, see who has no cards, and fill up all rows."""
    flip(game, reason)
    judge_lead(game)
    if game.rules.restart_source == RestartSource.OWN_ROW:
        end_if_won(game)
    if game.state[OUTCOME] < 0:
        refill_all(game)

from __future__ import annotations

import numpy as np
import pytest

from stressim.lowering import lower
from stressim.players.resolve import resolve_players
from stressim.rulesfile import load_rules


@pytest.mark.parametrize("timing", ["human", "uniform"])
@pytest.mark.parametrize("rules", ["swedish", "james-bond"])
def test_reflexes__deal_the_same_cards_and_play_them_otherwise(rules, timing):
    loaded = load_rules(rules)
    family = loaded.family
    players = resolve_players([], 2, family.habits)
    lowered = [lower(loaded.options, players, timing, reflexes=reflexes) for reflexes in (0, 1, 2)]
    logs = [[family.log_deal(one, 5, deal) for deal in range(40)] for one in lowered]
    rows = [[deal.row for deal in log] for log in logs]

    assert all(
        np.array_equal(deal.cards, first.cards) for log in logs for deal, first in zip(log, logs[0], strict=True)
    )
    same = [[np.array_equal(x, y) for x, y in zip(rows[a], rows[b], strict=True)] for a, b in ((0, 1), (0, 2), (1, 2))]
    assert max(map(sum, same)) < 20

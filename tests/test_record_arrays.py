"""Arrays of a record are read and written by kernels as numpy reads and writes them."""

from __future__ import annotations

import numpy as np

from stressim.compiled.jit import JIT, EntryPoint, kernel

PLAYER = np.dtype([("reach", np.int64), ("id", np.int64)])
GAME = np.dtype(
    [
        ("state", np.int64, (7,)),
        ("cards", np.uint8, (5,)),
        ("words", np.uint64, (3,)),
        ("tables", np.int32, (2, 3)),
        ("players", PLAYER, (2,)),
    ],
    align=True,
)


@kernel()
def one_further(state, index):
    """Read an array that was handed on."""
    return state[index + 1]


@kernel(inline=True)
def how_many(state):
    """Ask how long it is."""
    return state.shape[0] + len(state)


@EntryPoint
def use_all(games, found):
    """Read and write each kind of array, at places that are known and at others."""
    game = games[0]
    state = game.state
    last = 0
    for i in range(np.int64(game.cards[0])):
        state[i] += i * 10
        last = i
    found[0] = one_further(state, last)
    found[1] = how_many(state)
    game.cards[last] = 250 + last
    found[2] = np.int64(game.cards[last])
    game.words[np.uint64(1)] = np.uint64(1 << 63)
    found[3] = np.int64(game.words[1] >> np.uint64(60))
    found[4] = game.tables[1, 2]
    found[5] = game.players[1].reach + game.players[last & 1].id
    state[6] = game.cards[1] + np.int64(game.cards[0])


def test_arrays_of_a_record__are_read_and_written_as_by_numpy() -> None:
    games = np.zeros(1, dtype=GAME)
    games["state"][0] = np.arange(100, 107)
    games["cards"][0] = (4, 9, 0, 0, 0)
    games["tables"][0] = [[1, 2, 3], [4, 5, -6]]
    games["players"][0] = [(11, 1), (22, 2)]
    found = np.zeros(6, dtype=np.int64)
    use_all(games if JIT else games.view(np.recarray), found)

    assert games["state"][0].tolist() == [100, 111, 122, 133, 104, 105, 13]
    assert games["cards"][0].tolist() == [4, 9, 0, 253, 0]
    assert games["words"][0].tolist() == [0, 1 << 63, 0]
    assert found.tolist() == [104, 14, 253, 8, -6, 24]

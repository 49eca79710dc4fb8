"""Compiled code is kept as files that are whole, and called without numba."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from stressim.compiled import native, probes
from stressim.compiled.deals import PROBES
from stressim.compiled.native import JIT, Code, call_kernel, types_of

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def drawn(n: int = 5) -> list[int]:
    words = np.zeros(n, np.uint64)
    call_kernel(PROBES, "successive_words", np.array([7], np.uint64), words)
    return words.tolist()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A place for code that is empty, and a process that has loaded none."""
    monkeypatch.setattr(native, "folder_for", lambda *_: tmp_path)
    monkeypatch.setattr(native, "_LOADED", {})
    return tmp_path


def test_code__is_kept_once_and_found_again(folder, monkeypatch) -> None:
    assert not native.is_compiled(PROBES, "successive_words")
    expected = drawn()
    (path,) = folder.iterdir()
    assert native.is_compiled(PROBES, "successive_words")
    assert not native.is_compiled(PROBES, "first_words")

    monkeypatch.setattr(native, "_LOADED", {})
    monkeypatch.setattr(probes.successive_words.dispatcher, "compile", None)  # which nobody asks
    assert drawn() == expected
    assert list(folder.iterdir()) == [path]


@pytest.mark.parametrize(
    "harm",
    [
        lambda content: content[:-100],
        lambda content: content[:40],
        lambda content: b"",
        lambda content: content.replace(b'"symbol"', b'"symbols"'),
        lambda content: content[:-50] + bytes(50),
        lambda content: b"no code\n" + content,
    ],
)
def test_code__that_is_not_whole_is_compiled_again(folder, monkeypatch, harm) -> None:
    expected = drawn()
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(harm(whole))
    monkeypatch.setattr(native, "_LOADED", {})

    assert drawn() == expected
    assert path.read_bytes()[: len(whole) // 2] == whole[: len(whole) // 2]


def test_code__a_full_disk_leaves_nothing_half_written(folder, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(native.Path, "replace", full)
    expected = drawn()

    assert list(folder.iterdir()) == []
    assert drawn() == expected


def test_code__of_another_processor_is_not_used(folder, monkeypatch) -> None:
    drawn()
    monkeypatch.setattr(native, "_LOADED", {})
    monkeypatch.setattr(native, "_processor", lambda: "another")
    arguments = np.array([7], np.uint64), np.zeros(5, np.uint64)

    assert native.found(PROBES, "successive_words", arguments) is None


def test_code__without_such_a_function_is_refused(folder) -> None:
    drawn()
    (path,) = folder.iterdir()
    object_code = path.read_bytes().partition(b"\n")[2]
    with pytest.raises(ValueError, match="there is no other in this code"):
        Code(object_code, "other", (np.int64(1),))


def test_call__from_several_threads_at_once() -> None:
    expected = drawn(2000)
    found: list[list[int]] = []
    threads = [threading.Thread(target=lambda: found.append(drawn(2000))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [expected] * 4


def test_types__tell_arrays_and_numbers_apart() -> None:
    record = np.zeros(1, dtype=[("rules", [("ace", np.int64)])])
    other = np.zeros(1, dtype=[("rules", [("king", np.int64)])])
    flat, square = np.zeros(4, np.int64), np.zeros((2, 2), np.int64)
    arguments = [record, other, flat, square, flat.view(np.uint64), np.int64(1), np.uint64(1)]

    assert len({types_of((argument,)) for argument in arguments}) == len(arguments)
    assert types_of((flat, np.int64(1))) == types_of((np.ones(9, np.int64), np.int64(5)))


@pytest.mark.parametrize("argument", [1, 1.5, "text", None, np.int32(1), np.zeros((4, 4), np.int64).T[1:]])
def test_types__what_no_kernel_takes_is_refused(argument) -> None:
    with pytest.raises(TypeError, match="a kernel"):
        types_of((argument,))


def test_types__an_array_that_is_read_only_is_refused() -> None:
    words = np.zeros(4, np.uint64)
    words.flags.writeable = False
    with pytest.raises(TypeError, match="in one piece"):
        types_of((words,))

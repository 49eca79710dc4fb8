"""Kernels that another process compiles while this one compiles or plays something else."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Callable
from multiprocessing.process import BaseProcess

from stressim.processes import deaf_to_interrupts

_UNDER_WAY: dict[tuple[str, str], BaseProcess] = {}


def compile_beside(module: str, function: str, play: Callable[..., object], *arguments: object) -> None:
    """Let a process of its own compile an entry point and keep its code on disk.

    It ends with this process, if not before. Should it fail, the code is compiled where it is needed.

    Parameters
    ----------
    module, function
        Where the entry point stands, and its name.
    play, arguments
        What calls it once, in the other process; both must be such as can be pickled.
    """
    if (module, function) in _UNDER_WAY:
        return
    process = multiprocessing.get_context("spawn").Process(target=_silently, args=(play, *arguments), daemon=True)
    with deaf_to_interrupts():  # which the process inherits: only this one answers Ctrl-C
        process.start()
    _UNDER_WAY[module, function] = process


def wait_for(module: str, function: str) -> None:
    """Wait until no other process compiles an entry point any more."""
    process = _UNDER_WAY.get((module, function))
    if process is not None:
        process.join()


def _silently(play: Callable[..., object], *arguments: object) -> None:
    # What goes wrong here goes wrong where the kernel is needed, too, and is said there.
    with contextlib.suppress(Exception):
        play(*arguments)

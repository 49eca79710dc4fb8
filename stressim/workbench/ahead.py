"""Kernels that are needed soon: other processes compile them beside what this one compiles and plays first."""

from __future__ import annotations

import os
from collections.abc import Iterable

import numpy as np

from stressim.compiled.beside import compile_beside
from stressim.compiled.native import is_compiled, keeps_code
from stressim.workbench.variants import Given, Variant, make_variant


def compile_ahead(first: Variant, later: Iterable[Variant] = ()) -> bool:
    """Begin to compile what is not compiled yet, but for what is played first: that is compiled when it is played.

    Parameters
    ----------
    first
        What is played first.
    later
        What is played after it.

    Returns
    -------
    bool
        Whether anything is not compiled yet.
    """
    function = f"run_{first.timing.word}"
    needed = {variant.family.kernels_of(variant.rules.options): variant for variant in (*later, first)}
    missing = {module: variant for module, variant in needed.items() if not is_compiled(module, function)}
    if (os.cpu_count() or 1) > 1:
        for module, variant in missing.items():
            if variant is not first and keeps_code(module):
                compile_beside(module, function, _play_one, variant.given)
    return bool(missing)


def _play_one(given: Given) -> None:
    variant = make_variant(given)
    rows = np.zeros((1, len(variant.family.columns)), dtype=np.int64)
    variant.family.play_deals(variant.lowered, 1, 0, rows)

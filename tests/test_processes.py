"""Ctrl-C goes to the process that began the others, at whatever moment it comes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time

import pytest

from stressim.processes import deaf_to_interrupts

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be held back here")


def hear_nothing(told: multiprocessing.connection.Connection) -> None:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
    told.send("deaf")


def test_deaf_to_interrupts__one_that_comes_meanwhile_is_not_lost() -> None:
    # Where other threads run, one of them may take it at once; alone, it waits for the end.
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        with deaf_to_interrupts():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
        time.sleep(1)
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)


def test_deaf_to_interrupts__a_process_started_within_hears_none() -> None:
    hears, tells = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(target=hear_nothing, args=(tells,))
    with deaf_to_interrupts():
        process.start()
    process.join()

    assert process.exitcode == 0
    assert hears.recv() == "deaf"

"""Processes beside this one."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started within not answer Ctrl-C: they inherit that."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread may say who answers
        yield
        return
    answering = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, answering)

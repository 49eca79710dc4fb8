"""Processes beside this one."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker


@contextlib.contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started within never hear Ctrl-C, which they inherit; this one does."""
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # which begins with the first process, and lets interrupts through again
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    elif threading.current_thread() is threading.main_thread():  # only the main thread may say who answers
        answering = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, answering)
    else:
        yield

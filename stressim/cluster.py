"""Playing on a Dask cluster: an executor whose workers are other processes, here or on other machines.

The scheduler gives a lost worker's shards to another one. A shard's result depends on its deals alone, so it does not
matter who plays it, or how often.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass

from stressim.errors import InputError

SHARD = 1 << 17
"""Deals in a shard for a cluster: about a second of work, so that the way there and back costs little."""

TIMEOUT = 20.0
"""Seconds to wait for the scheduler, and for its first worker."""

RETRIES = 3
"""How often a shard is played again after an error that is not its own."""


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """A cluster that answers.

    Parameters
    ----------
    executor
        Sends calls to its workers.
    n_threads
        Threads of all workers when it was connected.
    """

    executor: Executor
    n_threads: int


@contextlib.contextmanager
def connected(address: str, timeout: float = TIMEOUT) -> Iterator[Cluster]:
    """Connect to a Dask scheduler.

    Parameters
    ----------
    address
        Such as ``tcp://10.0.0.5:8786`` or ``localhost:8786``.
    timeout
        Seconds to wait for the scheduler, and for a worker.

    Raises
    ------
    InputError
        If ``dask.distributed`` is missing, nobody answers, or the scheduler has no worker.
    """
    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            "--scheduler needs dask.distributed, which stressim's extra 'dask' brings: in a clone, "
            "pip install -c constraints.txt -e '.[dask]'"
        ) from None
    try:
        client = Client(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"--scheduler {address}: no scheduler answers there ({reason})") from None
    try:
        try:
            client.wait_for_workers(1, timeout=timeout)
        except TimeoutError:
            raise InputError(f"--scheduler {address}: the scheduler has no workers") from None
        n_threads = sum(client.nthreads().values())
        yield Cluster(executor=client.get_executor(pure=False, retries=RETRIES), n_threads=n_threads)
    finally:
        with contextlib.suppress(OSError, TimeoutError):
            client.close(timeout=timeout)

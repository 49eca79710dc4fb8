"""A real scheduler and real workers, each a process of its own: the bytes are those of one machine."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playing import lowered_of

from stressim import cluster
from stressim._version import __version__
from stressim.errors import InputError
from stressim.family import family_named
from stressim.players import resolve_players
from stressim.rulesfile import load_rules
from stressim.simulate import Played, behaviour_of, play_shard, simulate

RULES = load_rules("swedish")
ADULTS = resolve_players((), 2, RULES.family.habits)


class Processes:
    """A scheduler and its workers on this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        scheduler = self._start("scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard")
        self.scheduler = scheduler
        self.address = self._wait_for(scheduler, r"Scheduler at:\s*(tcp://\S+)")
        self.workers: list[subprocess.Popen[str]] = []

    def add_worker(self) -> subprocess.Popen[str]:
        worker = self._start(
            "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1",
            "--local-directory", str(self.folder),
        )  # fmt: skip
        self.workers.append(worker)
        self._wait_for(worker, r"Registered to:")
        return worker

    def stop(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()

    def _start(self, role: str, *arguments: str) -> subprocess.Popen[str]:
        program = f"from distributed.cli.dask_{role} import main; main()"
        return subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self.folder,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )

    @staticmethod
    def _wait_for(process: subprocess.Popen[str], pattern: str) -> str:
        assert process.stdout is not None
        told = ""
        for line in process.stdout:
            told += line
            found = re.search(pattern, line)
            if found:
                return found[1] if found.groups() else ""
        raise AssertionError(f"the process ended:\n{told}")


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    started = Processes(tmp_path_factory.mktemp("cluster"))
    try:
        started.add_worker()
        started.add_worker()
        yield started
    finally:
        started.stop()


def test_cluster__gives_the_bytes_of_one_machine(processes: Processes) -> None:
    command = [sys.executable, "-m", "stressim", "simulate", "swedish", "--deals", "300000", "--format", "json"]
    here = subprocess.run(command, capture_output=True, check=True)
    there = subprocess.run([*command, "--scheduler", processes.address], capture_output=True, check=False)
    assert there.stderr == b""
    assert there.returncode == 0
    assert there.stdout == here.stdout


def test_cluster__plays_a_lost_workers_shards_again(processes: Processes) -> None:
    lost = processes.add_worker()
    counted: list[int] = []

    def kill_one(tally: object) -> None:
        counted.append(tally.deals)  # type: ignore[attr-defined]
        if len(counted) == 3:
            lost.send_signal(signal.SIGKILL)

    with cluster.connected(processes.address) as found:
        assert found.n_threads == 3
        result = simulate(
            RULES, ADULTS, deals=400_000, executor=found.executor, shard=10_000, jobs=3, progress=kill_one
        )
    assert lost.wait() != 0
    assert counted == list(range(10_000, 400_001, 10_000))
    assert result.tally == simulate(RULES, ADULTS, deals=400_000).tally


def test_cluster__that_is_not_there_is_one_sentence() -> None:
    says = r"--scheduler 127\.0\.0\.1:9: no scheduler answers there"
    with pytest.raises(InputError, match=says), cluster.connected("127.0.0.1:9", timeout=0.5):
        pass


def test_cluster__without_workers_is_one_sentence(tmp_path: Path) -> None:
    alone = Processes(tmp_path)
    try:
        says = "the scheduler has no workers"
        with pytest.raises(InputError, match=says), cluster.connected(alone.address, timeout=1.0):
            pass
    finally:
        alone.stop()


@pytest.mark.parametrize(("version", "behaviour"), [("0.0.0", None), (__version__, 99)])
def test_worker__with_another_version_is_refused(version: str, behaviour: int | None) -> None:
    own = behaviour_of(family_named("shedding"))
    played = Played(
        family="shedding",
        lowered=lowered_of("swedish"),
        seed=1,
        version=version,
        behaviour=own if behaviour is None else behaviour,
    )
    with pytest.raises(InputError, match=f"a worker has stressim {re.escape(__version__)} with behaviour {own}"):
        play_shard(played, 0, 10)


def test_executor__of_processes_that_die_ends_with_what_is_counted() -> None:
    """An executor that cannot play a shard again: the deals counted until then are not lost."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from stressim.simulate import WorkersLost

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:

        def kill(tally: object) -> None:
            for process in list(pool._processes.values()):
                process.kill()

        with pytest.raises(WorkersLost, match="BrokenProcessPool") as lost:
            simulate(RULES, ADULTS, deals=200_000, executor=pool, shard=1_000, jobs=1, progress=kill)
    kept = lost.value.result
    assert 1_000 <= kept.deals < 200_000
    assert kept.tally == simulate(RULES, ADULTS, deals=kept.deals).tally

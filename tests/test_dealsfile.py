"""One row for each deal in a Parquet file."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from playing import FAMILY, rows_of

from stressim import dealsfile
from stressim.cli import cli
from stressim.errors import InputError
from stressim.simulate import SHARD, Shard
from stressim.tally import Tally


def simulated(*arguments: str) -> object:
    return CliRunner().invoke(
        cli, ["simulate", "swedish", "--timing", "uniform", "--format", "json", *arguments], standalone_mode=False
    )


def test_deals_file__holds_every_deal(tmp_path: Path) -> None:
    path = tmp_path / "deals.parquet"
    deals = SHARD + 1000
    found = simulated("--deals", str(deals), "--deals-out", str(path), "--jobs", "2")
    assert found.return_value == 0  # type: ignore[attr-defined]
    frame = pd.read_parquet(path)
    assert list(frame.columns) == ["deal", *(column.name for column in FAMILY.columns)]
    assert frame["deal"].tolist() == list(range(deals))
    assert (frame.drop(columns="deal").to_numpy() == rows_of("swedish", deals)).all()
    printed = json.loads(found.stdout)  # type: ignore[attr-defined]
    assert printed["metrics"]["stalls"]["estimate"] == pytest.approx(frame["stalls"].mean(), rel=1e-5)
    assert [path.name for path in tmp_path.iterdir()] == ["deals.parquet"]


def test_deals_file__says_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "deals.parquet"
    simulated("--deals", "500", "--deals-out", str(path), "--seed", "7")
    schema = pq.read_schema(path)
    assert json.loads(schema.metadata[b"stressim"])["seed"] == 7
    for column in FAMILY.columns:
        assert schema.field(column.name).metadata == {
            b"unit": column.unit.encode(),
            b"meaning": column.meaning.encode(),
        }


def test_deals_file__has_a_row_group_for_each_shard(tmp_path: Path) -> None:
    path = tmp_path / "deals.parquet"
    with dealsfile.opened(path, FAMILY, {}) as file:
        for first in (0, 300, 300, 600):
            rows = rows_of("swedish", 300, first=first)
            file.write(Shard(first=first, tally=Tally.of_rows(FAMILY, rows), rows=rows))
    found = pq.ParquetFile(path)
    assert [found.metadata.row_group(i).num_rows for i in range(found.num_row_groups)] == [300, 300, 300]
    assert pd.read_parquet(path)["deal"].tolist() == list(range(900))


def test_deals_file__of_an_interrupted_run_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "deals.parquet"
    rows = rows_of("swedish", 300)

    def write_and_stop() -> None:
        with dealsfile.opened(path, FAMILY, {}) as file:
            file.write(Shard(first=0, tally=Tally.of_rows(FAMILY, rows), rows=rows))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_and_stop()
    assert len(pd.read_parquet(path)) == 300


def test_deals_file__of_a_failed_run_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "deals.parquet"
    path.write_text("before")
    with pytest.raises(RuntimeError), dealsfile.opened(path, FAMILY, {}):
        raise RuntimeError
    assert path.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["deals.parquet"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--deals-out", "{}/deals.csv"], "suffix must be .parquet, not '.csv': write .*/deals.parquet$"),
        (["--deals-out", "{}/deals"], "suffix must be .parquet, not no suffix: write .*/deals.parquet$"),
        (["--deals-out", "{}"], "this is a folder: name a file in it, such as .*/deals.parquet$"),
        (["--deals-out", "{}/x.parquet"], "this is a folder: name a file in it, such as .*/x.parquet/deals.parquet$"),
        (["--deals-out", "{}/missing/deals.parquet"], "there is no folder"),
        (["--deals-out", "{}/d.parquet", "--scheduler", "localhost:1"], "does not go with --scheduler"),
        (["--deals-out", "/dev/full/d.parquet"], "'/dev/full' is a file, not a folder"),
        (["--deals-out", "/dev/full"], "suffix must be .parquet"),
    ],
)
def test_deals_file__that_cannot_be_is_refused(tmp_path: Path, arguments: list[str], says: str) -> None:
    (tmp_path / "x.parquet").mkdir()
    with pytest.raises(InputError, match=says):
        raise simulated(*(argument.format(tmp_path) for argument in arguments)).exception  # type: ignore[attr-defined]


def test_deals_file__that_is_there_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "deals.PARQUET"
    path.write_text("before")
    simulated("--deals", "300", "--deals-out", str(path))
    assert len(pd.read_parquet(path)) == 300


def test_deals_file__needs_all_deals(tmp_path: Path) -> None:
    simulated("--deals", "500", "--out", str(tmp_path / "a.run"))
    more = ["--deals", "600", "--out", str(tmp_path / "a.run"), "--deals-out", str(tmp_path / "d.parquet")]
    with pytest.raises(InputError, match="500 of them have been played"):
        raise simulated(*more).exception  # type: ignore[attr-defined]

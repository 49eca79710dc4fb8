"""Make a study's files, or check that the committed ones still follow.

A study ``reports/NAME.toml`` makes ``results/NAME/QUESTION.csv`` with ``manifest.json``, and beside the study
``NAME.md``, ``NAME.html`` and ``figures/NAME-QUESTION.svg``.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stressim._version import __version__
from stressim.errors import InputError, said_at
from stressim.family import FAMILIES, family_named
from stressim.files import write_whole
from stressim.pictures import render
from stressim.report.answer import check_question, key_of
from stressim.report.answers import answer
from stressim.report.page import html_page, markdown_page, part_of
from stressim.report.study import Study
from stressim.simulate import behaviour_of
from stressim.workbench.tables import to_csv

MANIFEST = "manifest.json"
_HASH = re.compile(r"data (\w{16})")
_ESTIMATES = ("estimate [unit]", "difference [unit]", "same winner [of deals won twice]")


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where a study's files go.

    Parameters
    ----------
    root
        Folder from which files are named.
    results
        Folder of the tables.
    pages
        Folder of the pages; pictures lie in ``figures`` below it.
    """

    root: Path
    results: Path
    pages: Path

    @classmethod
    def of(cls, study: Study) -> Places:
        """Beside a study its pages, and ``results`` beside the folder ``reports``, or beside a study elsewhere."""
        pages = study.path.parent
        root = pages
        if pages.resolve().name == "reports":
            root = pages.parent if pages.name == "reports" else pages.resolve().parent
        return cls(root=root, results=root / "results" / study.name, pages=pages)


@dataclass(frozen=True, kw_only=True)
class Moved:
    """Something that no longer follows: where, what is committed, what comes out now, and how far it moved."""

    place: str
    committed: str
    now: str
    errors: float | None = None

    def __str__(self) -> str:
        far = "" if self.errors is None else f"  ({self.errors:+.1f} standard errors)"
        return f"{self.place}\n  committed  {self.committed}\n  now        {self.now}{far}"


def build(
    study: Study,
    places: Places,
    *,
    jobs: int | None = None,
    robust: bool = False,
    progress: Callable[[str], None] | None = None,
) -> dict[Path, bytes]:
    """Answer all questions and return the study's files, by path, without writing them.

    Raises
    ------
    InputError
        If something in the study cannot be used.
    """
    made: dict[Path, bytes] = {}
    parts = []
    keys = _keys(study)
    for question in study.questions:
        if progress is not None:
            progress(question.name)
        with said_at(question.place):
            found = answer(question, seed=study.seed, jobs=jobs, robust=robust)
        table = to_csv(found.records).encode()
        made[places.results / f"{question.name}.csv"] = table
        svg = b""
        if found.draw is not None:
            name = f"{study.name}-{question.name}"
            about = f"The numbers are those of {places.results.name}/{question.name}.csv, data {_digest(table)}."
            with said_at(question.place):
                svg = render(found.draw, "svg", title=question.ask, description=about, name=name)
            made[places.pages / "figures" / f"{name}.svg"] = svg
        with said_at(question.place):
            parts.append(part_of(found, svg.decode()))
    made[places.pages / f"{study.name}.md"] = markdown_page(study, parts, "figures").encode()
    made[places.pages / f"{study.name}.html"] = html_page(study, parts).encode()
    made[places.results / MANIFEST] = _manifest(study, keys, made, places)
    return made


def _keys(study: Study) -> dict[str, str]:
    """Return by question what decides its numbers; refuse what cannot be used in any of them."""
    for question in study.questions:
        check_question(question)
    return {question.name: key_of(question, study.seed) for question in study.questions}


def _manifest(study: Study, keys: Mapping[str, str], made: Mapping[Path, bytes], places: Places) -> bytes:
    content = {
        "study": study.name,
        "seed": study.seed,
        "deals": {question.name: question.deals for question in study.questions},
        "version": __version__,
        "behaviours": {name: behaviour_of(family_named(name)) for name in FAMILIES},
        "matplotlib": matplotlib_minor(),
        "keys": dict(keys),
        "files": {_relative(path, places): _digest(content) for path, content in sorted(made.items())},
    }
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


def matplotlib_minor() -> str:
    """Return matplotlib's minor version, on which the bytes of pictures depend."""
    import matplotlib as mpl

    return ".".join(mpl.__version__.split(".")[:2])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _relative(path: Path, places: Places) -> str:
    resolved, root = path.resolve(), places.root.resolve()
    return resolved.relative_to(root).as_posix()


def write(made: Mapping[Path, bytes]) -> list[Path]:
    """Write files that differ from what is there; return their paths.

    Raises
    ------
    InputError
        If one cannot be written.
    """
    written = []
    for path, content in made.items():
        if path.is_file() and path.read_bytes() == content:
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{path.parent} could not be made: {error.strerror or error}") from None
        write_whole(path, content)
        written.append(path)
    return written


def read_manifest(places: Places) -> dict[str, Any]:
    """Return the committed manifest.

    Raises
    ------
    InputError
        If there is none, or it cannot be read.
    """
    path = places.results / MANIFEST
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise InputError(f"{path} is not there, so there is nothing to compare with: make the study first") from None
    except ValueError as error:
        raise InputError(f"{path} is no manifest: {error}") from None
    if not isinstance(content, dict) or not {"keys", "files", "matplotlib"} <= set(content):
        raise InputError(f"{path} is no manifest: keys, files or matplotlib is missing")
    return content


def check(made: Mapping[Path, bytes], places: Places) -> tuple[list[Moved], int]:
    """Compare what a study makes with what is committed.

    Under another minor version of matplotlib pictures are compared by the data that they were drawn from, and HTML
    pages, which hold them, by all that is not a picture.

    Returns
    -------
    list of Moved, int
        What has moved, and how many files were compared.
    """
    same_minor = read_manifest(places)["matplotlib"] == matplotlib_minor()
    moved: list[Moved] = []
    compared = 0
    for path, now in made.items():
        if path.name == MANIFEST and not same_minor:
            continue
        place = _relative(path, places)
        compared += 1
        if not path.is_file():
            moved.append(Moved(place=place, committed="(not there)", now=f"{len(now):,} bytes"))
            continue
        committed = path.read_bytes()
        if not same_minor and path.suffix in (".svg", ".html"):
            committed, now = _data(committed, path.suffix), _data(now, path.suffix)
        if committed != now:
            moved += (
                _moved_table(place, committed, now) if path.suffix == ".csv" else _moved_lines(place, committed, now)
            )
    return moved, compared


def check_fast(study: Study, places: Places) -> tuple[list[Moved], int]:
    """Compare what decides a study's numbers with what decided the committed ones, without playing.

    Files must be those that the manifest speaks of, and each question's key the one of rules, players, deals, seed and
    behaviour as they are now.
    """
    manifest = read_manifest(places)
    moved: list[Moved] = []
    keys = _keys(study)
    for name in {**keys, **manifest["keys"]}:
        old, new = manifest["keys"].get(name, "(not there)"), keys.get(name, "(not there)")
        if old != new:
            moved.append(Moved(place=f"question {name}", committed=f"key {old}", now=f"key {new}"))
    for place, digest in manifest["files"].items():
        path = places.root / place
        found = _digest(path.read_bytes()) if path.is_file() else "(not there)"
        if found != digest:
            moved.append(Moved(place=place, committed=f"hash {digest}", now=f"hash {found}"))
    return moved, len(keys) + len(manifest["files"])


def _data(content: bytes, suffix: str) -> bytes:
    text = content.decode("utf-8", "replace")
    if suffix == ".svg":
        found = _HASH.search(text)
        return found[1].encode() if found else b""
    return re.sub(r"<svg.*?</svg>", "", text, flags=re.S).encode()


def _moved_lines(place: str, committed: bytes, now: bytes) -> list[Moved]:
    old, new = (content.decode("utf-8", "replace").splitlines() for content in (committed, now))
    for row in range(max(len(old), len(new))):
        one = old[row] if row < len(old) else "(nothing)"
        other = new[row] if row < len(new) else "(nothing)"
        if one != other:
            return [Moved(place=f"{place}:{row + 1}", committed=one[:100], now=other[:100])]
    return [Moved(place=place, committed=f"{len(committed):,} bytes", now=f"{len(now):,} bytes")]


def _moved_table(place: str, committed: bytes, now: bytes) -> list[Moved]:
    """Name the numbers that moved, with how far in standard errors."""
    old, new = (list(csv.DictReader(io.StringIO(content.decode("utf-8", "replace")))) for content in (committed, now))
    if len(old) != len(new) or (old and new and old[0].keys() != new[0].keys()):
        return [Moved(place=place, committed=f"{len(old)} rows", now=f"{len(new)} rows, or other columns")]
    moved = []
    for row, (one, other) in enumerate(zip(old, new, strict=True), start=2):
        if one == other:
            continue
        column = next((name for name in _ESTIMATES if name in one and one[name] != other[name]), None)
        column = column or next(name for name in one if one[name] != other[name])
        label = " ".join(value for name, value in one.items() if "[" not in name and value)[:60]
        moved.append(
            Moved(
                place=f"{place}:{row}  {label}  {column}",
                committed=one[column],
                now=other[column],
                errors=_errors(one, other, column),
            )
        )
    return moved


def _errors(one: Mapping[str, str], other: Mapping[str, str], column: str) -> float | None:
    low = next((value for name, value in one.items() if name.startswith("low")), "")
    high = next((value for name, value in one.items() if name.startswith("high")), "")
    try:
        error = (float(high) - float(low)) / (2 * 1.959964)
        return (float(other[column]) - float(one[column])) / error if error else None
    except ValueError:
        return None

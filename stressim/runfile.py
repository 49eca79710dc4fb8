"""Run files: what was played and the tally, kept on disk so that a run can be resumed and topped up.

A file is one JSON object with a checksum over the rest of it. It is never written in place: the new content goes to a
file beside it, reaches the disk, and takes the name; whoever reads sees the old file or the new one. As a deal depends
on the seed and its number alone, the tally of the first deals is all that a later run needs to go on.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from stressim.errors import InputError
from stressim.family import Family
from stressim.files import replacing
from stressim.matches import BOOK, Begun, Matches
from stressim.matchrules import MatchRules
from stressim.tally import MAX_VALUES, Counted, Tally

FORMAT = "stressim run 1"
MAX_BYTES = 1 << 28  # ten times the largest tally; more is no run file
_SUM = "sha256"
_PARTS = ("manifest", "tally", "matches")
_CARDINAL = 1 << 128  # no sum of squares over 10^12 deals comes near


class RunFile:
    """One run file, held by one process from :func:`opened` until it is closed.

    Parameters
    ----------
    path
        Where it is.
    family
        Whose deals are counted.
    tally
        What the file holds: the deals from 0 on, none if there is no file yet.
    matches
        Their matches, if they make matches.
    """

    def __init__(self, path: Path, family: Family, tally: Tally, matches: Matches | None = None) -> None:
        self.path = path
        self.family = family
        self.tally = tally
        self.matches = matches

    def save(self, manifest: Mapping[str, Any], tally: Tally, matches: Matches | None = None) -> None:
        """Replace the file's content.

        Raises
        ------
        InputError
            If it cannot be written; the old content is still there.
        """
        try:
            with replacing(self.path) as part:
                part.write_text(to_text(manifest, tally, matches), encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"--out {self.path}: the run could not be kept: {error.strerror or error}") from None
        self.tally = tally


@contextlib.contextmanager
def opened(
    path: Path, family: Family, manifest: Mapping[str, Any], rules: MatchRules | None = None
) -> Iterator[RunFile]:
    """Read a run file if there is one, and keep other runs from writing it meanwhile.

    Parameters
    ----------
    path
        The file; its folder must exist.
    family
        Whose deals are counted.
    manifest
        What is to be played; all but the number of deals and the package's version must be what the file says.
    rules
        How the deals make matches, if they do.

    Raises
    ------
    InputError
        If the file cannot be used, is of another run, or is being written by another process.
    """
    if path.is_dir():
        raise InputError(f"--out {path}: this is a folder")
    if not path.absolute().parent.is_dir():
        raise InputError(f"--out {path}: there is no folder '{path.parent}'")
    with _held(path):
        tally, matches = Tally.empty(family), None
        if path.exists():
            kept, tally, matches = read(path, family, rules)
            _refuse_another_run(path, kept, manifest)
        yield RunFile(path, family, tally, matches)


def read(
    path: Path, family: Family | None = None, rules: MatchRules | None = None
) -> tuple[dict[str, Any], Tally, Matches | None]:
    """Read a run file.

    Parameters
    ----------
    path
        The file.
    family
        The family that it must be of; any if None.
    rules
        How its deals make matches, if they do.

    Returns
    -------
    dict, Tally, Matches
        The manifest, what was counted, and the matches that the deals make under ``rules``.

    Raises
    ------
    InputError
        If it cannot be read, is not whole, has been edited, or is of another family than ``family``.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"--out {path} is no run file: it is too large")
        text = path.read_bytes()
    except OSError as error:
        raise InputError(f"--out {path} cannot be read: {error.strerror or error}") from None
    whole = f"--out {path} is no whole run file"
    try:
        content = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        raise InputError(f"{whole}: it is not JSON, or cut off") from None
    if not isinstance(content, dict) or set(content) != {"format", _SUM, *_PARTS}:
        raise InputError(f"{whole}: it has other entries")
    if content["format"] != FORMAT:
        raise InputError(f"--out {path}: its format is {str(content['format'])[:40]!r}; this version reads {FORMAT!r}")
    if content[_SUM] != _checksum(*(content[part] for part in _PARTS)):
        raise InputError(f"{whole}: its checksum does not fit its content")
    manifest = content["manifest"]
    if not isinstance(manifest, dict) or not isinstance(manifest.get("family"), str):
        raise InputError(f"{whole}: it does not say what was played")
    if family is not None and manifest["family"] != family.name:
        raise InputError(f"--out {path} is of the {manifest['family'][:40]} family, not of {family.name}")
    if family is None:
        from stressim.family import family_named

        family = family_named(manifest["family"])
    try:
        tally = from_plain(family, content["tally"])
        # Of another match format it is another run, which is said when the manifests are compared.
        matches = None if rules is None or content["matches"] is None else _matches(rules, content["matches"])
        return manifest, tally, matches
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InputError(f"{whole}: its counts are not those of this version") from None


def to_text(manifest: Mapping[str, Any], tally: Tally, matches: Matches | None = None) -> str:
    """Return the content of a run file."""
    plain = None if matches is None else {**asdict(matches.begun), "tally": to_plain(matches.tally)}
    parts = dict(zip(_PARTS, (manifest, to_plain(tally), plain), strict=True))
    content = {"format": FORMAT, _SUM: _checksum(*parts.values()), **parts}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"


def to_plain(tally: Tally) -> dict[str, Any]:
    """Return a tally as numbers, lists and texts."""
    return {
        "n_deals": tally.n_deals,
        "counts": {name: counts.tolist() for name, counts in tally.counts.items()},
        "sums": dict(tally.sums),
        "squares": dict(tally.squares),
        "products": [[x, y, number] for (x, y), number in tally.products.items()],
    }


def from_plain(family: Counted, plain: Mapping[str, Any]) -> Tally:
    """Return the tally that :func:`to_plain` wrote.

    Raises
    ------
    ValueError, TypeError, KeyError, AttributeError
        If these are not the counts of this family.
    """
    empty = Tally.empty(family)
    n_deals = _cardinal(plain["n_deals"])
    tally = Tally(
        family=family.name,
        n_deals=n_deals,
        counts={name: _counts(plain["counts"][name], n_deals) for name in empty.counts},
        sums={name: _cardinal(plain["sums"][name]) for name in empty.sums},
        squares={name: _cardinal(plain["squares"][name]) for name in empty.squares},
        products={(x, y): _cardinal(number) for x, y, number in plain["products"]},
    )
    n_entries = sum(len(plain[part]) for part in ("counts", "sums", "squares"))
    if set(tally.products) != set(empty.products) or n_entries != sum(
        map(len, (empty.counts, empty.sums, empty.squares))
    ):
        raise ValueError("these are other columns")
    return tally


def _cardinal(number: Any) -> int:
    if type(number) is not int or not 0 <= number < _CARDINAL:
        raise ValueError("this is no count")
    return number


def _counts(numbers: Any, n_deals: int) -> np.ndarray:
    if not isinstance(numbers, list) or len(numbers) > MAX_VALUES:
        raise ValueError("these are no counts")
    if sum(map(_cardinal, numbers)) != n_deals or (numbers and not numbers[-1]):
        raise ValueError("these counts are not of all deals")
    return np.array(numbers, np.int64)


def _matches(rules: MatchRules, plain: Mapping[str, Any]) -> Matches:
    score = tuple(map(_cardinal, plain["score"]))
    if len(score) not in (0, rules.n_players):
        raise ValueError("this is no score")
    begun = Begun(score=score, **{name: _cardinal(plain[name]) for name in ("n_won", "n_deals", "length")})
    return Matches(rules=rules, tally=from_plain(BOOK, plain["tally"]), begun=begun)


def _checksum(*parts: Any) -> str:
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _refuse_another_run(path: Path, kept: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    different = list(_differences(kept, asked))
    if different:
        shown = "; ".join(different[:4]) + ("; …" if len(different) > 4 else "")
        raise InputError(f"--out {path} is of another run: {shown}")


def _differences(kept: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[str]:
    for name in asked:
        if name in ("deals", "version", "rules_hash"):
            continue
        there, here = kept.get(name), asked[name]
        if there == here:
            continue
        if isinstance(there, dict) and isinstance(here, dict):
            for key in dict.fromkeys([*here, *there]):
                if there.get(key) != here.get(key):
                    yield f"{key} is {_short(there.get(key))} there and {_short(here.get(key))} here"
        elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
            for number, (one, other) in enumerate(zip(there, here, strict=True), 1):
                if one != other:
                    yield f"player {number} is another one"
        else:
            yield f"{name} is {_short(there)} there and {_short(here)} here"


def _short(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


@contextlib.contextmanager
def _held(path: Path) -> Iterator[None]:
    """Keep another process from writing the same file; a lock goes with its process, however that ends."""
    from filelock import FileLock, Timeout

    name = path.absolute().parent / f".{path.name}.lock"
    lock = FileLock(name)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(f"--out {path}: another run is writing this file") from None
    except OSError:
        # Where no lock can be made no file can be written either; that is said when the run is to be kept.
        yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            name.unlink(missing_ok=True)
        lock.release()

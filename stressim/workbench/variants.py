"""Variants: rules and players that are set against each other, and how they are written.

A variant is written as one text: the name of rules, then what is changed, set apart by spaces: ``swedish ace=low
2=senior``. A text that begins with a change means the first variant's rules: ``ace=low`` after ``swedish``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stressim.errors import InputError
from stressim.lowering import Lowered, TimingMode, lower
from stressim.optiontext import check_once, clean, set_name
from stressim.output.invocation import Invocation
from stressim.players.resolve import resolve_players
from stressim.rulesfile import LoadedRules, load_rules

if TYPE_CHECKING:
    from stressim.family import Family
    from stressim.players.player import Player

_SEAT = re.compile(r"(?:all|\d+)(?:\..+)?", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Given:
    """What a variant is made of, as it was given.

    Parameters
    ----------
    rules
        A preset's name or a file's path.
    sets, players
        Changes of rules and of players.
    n_players
        Number of players, if given.
    timing
        Timing mode.
    folder
        Where relative paths begin: where a command is given, or the folder of the study that names them.
    """

    rules: str
    sets: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    n_players: int | None = None
    timing: str = "human"
    folder: Path = Path()

    def changed(self, changes: Sequence[str]) -> Given:
        """Return this with changes after it, each of a rule (``ace=low``) or a player (``2=senior``).

        A change of a rule takes the place of an earlier one of the same option.
        """
        sets = {set_name(change): change for change in self.sets}
        for change in changes:
            if not is_player_change(change):
                sets.pop(set_name(change), None)
                sets[set_name(change)] = change
        players = (change for change in changes if is_player_change(change))
        return replace(self, sets=tuple(sets.values()), players=(*self.players, *players))

    def invocation(self, deals: int, seed: int, confidence: float = 0.95) -> Invocation:
        """Return what gives it to a command."""
        return Invocation(
            rules=self.rules,
            sets=self.sets,
            n_players=self.n_players,
            players=self.players,
            timing=self.timing,
            deals=deals,
            seed=seed,
            confidence=confidence,
        )


@dataclass(frozen=True, kw_only=True)
class Variant:
    """Rules, players and timing under a name.

    Parameters
    ----------
    label
        What it is called in answers.
    given
        How it was given.
    rules, players, timing
        What is played.
    """

    label: str
    given: Given
    rules: LoadedRules = field(repr=False)
    players: tuple[Player, ...] = field(repr=False)
    timing: TimingMode

    @property
    def family(self) -> Family:
        """The family of games."""
        return self.rules.family

    @cached_property
    def lowered(self) -> Lowered:
        """What a kernel reads."""
        return lower(self.rules.options, self.players, self.timing)

    @property
    def with_other_reflexes(self) -> Lowered:
        """The same, played from the same cards by other chance."""
        return lower(self.rules.options, self.players, self.timing, reflexes=1)


def is_player_change(text: str) -> bool:
    """Whether a change is one of players: ``2=senior``, ``all.speed=1.1``.

    Examples
    --------
    >>> is_player_change("2=senior"), is_player_change("all.speed=1.1"), is_player_change("ace=low")
    (True, True, False)
    """
    return _SEAT.fullmatch(text.partition("=")[0].strip()) is not None


def make_variant(given: Given, label: str = "") -> Variant:
    """Load rules and players.

    Parameters
    ----------
    given
        What it is made of.
    label
        What it is called; if empty, its rules with what is changed.

    Raises
    ------
    InputError
        If something given cannot be used.

    Examples
    --------
    >>> make_variant(Given(rules="swedish").changed(["ace=low", "2=senior"])).label
    'swedish ace=low 2=senior'
    >>> make_variant(Given(rules="james-bond", n_players=3)).label
    'james-bond n_players=3'
    """
    try:
        timing = TimingMode.parse(given.timing)
    except ValueError as error:
        raise InputError(f"--timing {given.timing!r} {error}") from None
    rules = load_rules(given.rules, given.sets, given.n_players, folder=given.folder)
    options: Any = rules.options
    players = resolve_players(given.players, options.n_players, rules.family.habits, folder=given.folder)
    return Variant(
        label=label or _label(given, rules),
        given=given,
        rules=rules,
        players=players,
        timing=timing,
    )


def _label(given: Given, rules: LoadedRules) -> str:
    """The rules with what is changed, as a variant is written: ``swedish n_players=3 ace=low 2=senior``."""
    return " ".join([given.rules, *_changes(given, rules)])


def _changes(given: Given, rules: LoadedRules) -> list[str]:
    """What is changed, as it was given; the number of players only if it is not what the rules name anyway."""
    seats = [f"n_players={given.n_players}"] if given.n_players is not None and "n_players" in rules.changed else []
    return [*seats, *given.sets, *given.players]


def read_variants(
    texts: Sequence[str],
    *,
    sets: Sequence[str] = (),
    n_players: int | None = None,
    players: Sequence[str] = (),
    timing: str = "human",
    folder: Path = Path(),
) -> tuple[Variant, ...]:
    """Read variants as they are written; the first is the reference.

    Parameters
    ----------
    texts
        One for each.
    sets, n_players, players, timing
        Common to all, applied before a variant's own changes.
    folder
        Where relative paths begin.

    Raises
    ------
    InputError
        If one cannot be read, two have one name, or they are of different families.

    Examples
    --------
    >>> [variant.label for variant in read_variants(["swedish", "ace=low", "norwegian"], players=["2=senior"])]
    ['swedish', 'ace=low', 'norwegian']
    """
    found: list[Variant] = []
    for text in texts:
        words = [text] if (folder / text).is_file() else text.split()
        if not words:
            raise InputError("a variant is empty: write rules, such as swedish, or a change, such as ace=low")
        check_once([word for word in words if "=" in word and not is_player_change(word)], f"{clean(text)!r}")
        if "=" in words[0] and not (folder / words[0]).is_file():
            if not found:
                raise InputError(f"{clean(text)!r} changes nothing yet: name rules first, such as swedish")
            rules, changes = found[0].given.rules, words
            changes = [word for word in texts[0].split()[1:] if not (folder / texts[0]).is_file()] + changes
        else:
            rules, changes = words[0], words[1:]
            _refuse_misspelt_change(rules, found, folder)
        for change in changes:
            if "=" not in change:
                raise InputError(
                    f"{clean(text)!r}: {clean(change)!r} is no change: after the rules come changes such as ace=low or "
                    "2=senior"
                )
        base = Given(
            rules=rules,
            sets=tuple(sets),
            n_players=n_players,
            players=tuple(players),
            timing=timing,
            folder=folder,
        )
        found.append(make_variant(base.changed(changes), label=" ".join(words)))
    check_variants(found)
    return tuple(found)


def common_changes(variants: Sequence[Variant]) -> tuple[str, ...]:
    """Return what is changed for all variants and stands in none of their labels.

    Examples
    --------
    >>> common_changes(read_variants(["swedish", "ace=low"], sets=["row_slots=3"], n_players=3, players=["2=senior"]))
    ('n_players=3', 'row_slots=3', '2=senior')
    >>> common_changes(read_variants(["swedish row_slots=3", "ace=low"]))
    ()
    """
    made = [_changes(variant.given, variant.rules) for variant in variants]
    labels = {word for variant in variants for word in variant.label.split()}
    return tuple(change for change in made[0] if change not in labels and all(change in of for of in made))


def common_text(variants: Sequence[Variant]) -> str:
    """Say what is changed for all variants and stands in none of their labels; empty if nothing is.

    Examples
    --------
    >>> common_text(read_variants(["swedish", "ace=low"], sets=["row_slots=3"], players=["2=senior"]))
    'both with row_slots=3, 2=senior'
    """
    common = common_changes(variants)
    return f"{'all' if len(variants) > 2 else 'both'} with {', '.join(common)}" if common else ""


def own_label(variant: Variant, variants: Sequence[Variant]) -> str:
    """Return a variant's label, with what is changed by neither it nor all, such as one that another overrules.

    Examples
    --------
    >>> low, high = read_variants(["swedish", "ace=high"], sets=["ace=low", "row_slots=3"])
    >>> own_label(low, (low, high)), own_label(high, (low, high))
    ('swedish with ace=low', 'ace=high')
    """
    said = {*variant.label.split(), *common_changes(variants), *variants[0].label.split()}
    own = [change for change in _changes(variant.given, variant.rules) if change not in said]
    return f"{variant.label} with {', '.join(own)}" if own else variant.label


def _refuse_misspelt_change(word: str, found: Sequence[Variant], folder: Path) -> None:
    """Refuse a word that begins like a change of the first rules and goes on without ``=``: ``ace:low``."""
    name, *rest = re.split(r"[^\w.]+", word, maxsplit=1)
    if found and rest and name in type(found[0].rules.options).model_fields and not (folder / word).is_file():
        value = rest[0] or "..."
        raise InputError(
            f"{clean(word)!r} is neither rules nor a change; a change is written {clean(name)}={clean(value)}"
        )


def check_variants(variants: Sequence[Variant]) -> None:
    """Refuse variants that cannot be told apart or compared.

    Raises
    ------
    InputError
        If two have one name, or they are of different families or timing modes.
    """
    labels = [variant.label for variant in variants]
    for label in labels:
        if labels.count(label) > 1:
            raise InputError(f"{clean(label)!r} is given twice: there is nothing to compare")
    for other in variants[1:]:
        if other.family.name != variants[0].family.name:
            raise InputError(
                f"{clean(variants[0].label)} and {clean(other.label)} are different games ({variants[0].family.name} "
                f"and {other.family.name}), so their deals cannot be compared"
            )
        if other.timing != variants[0].timing:
            raise InputError("all variants must have one timing: with and without a clock other deals are played")

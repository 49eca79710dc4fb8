"""From ``--player`` texts to players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from stressim.errors import InputError
from stressim.options import Options
from stressim.optiontext import clean, quoted, word
from stressim.players.player import HANDLES, Player
from stressim.players.player_files import Part, Sheet, habits_preset, part_of, read_chain, read_player_value
from stressim.players.timing import Timing

DEFAULT_PRESET = "adult"
PARTS: tuple[Part, ...] = ("times", "habits")


@dataclass
class _Draft:
    """A player while texts are applied."""

    names: dict[Part, list[str]] = field(default_factory=lambda: {"times": [DEFAULT_PRESET], "habits": []})
    values: dict[Part, dict[str, Any]] = field(default_factory=lambda: {"times": {}, "habits": {}})
    own: dict[Part, set[str]] = field(default_factory=lambda: {"times": set(), "habits": set()})

    def replace(self, sheets: Sequence[Sheet], habits_model: type[Options]) -> None:
        """Let ``sheets`` replace the parts that they speak of; the later of two goes over the earlier."""
        for part in PARTS:
            speaking = [sheet for sheet in sheets if part in sheet.parts]
            if not speaking:
                continue
            self.names[part] = [sheet.name for sheet in speaking]
            self.values[part] = {}
            self.own[part] = set()
            for sheet in speaking:
                mine = {name for name in sheet.values if part_of(name, habits_model)[0] == part}
                self.values[part] |= {name: sheet.values[name] for name in mine}
                self.own[part] = (self.own[part] - mine) | (mine & sheet.own)

    def player(self, habits_model: type[Options]) -> Player:
        names = tuple(dict.fromkeys(self.names["times"] + self.names["habits"]))
        values = self.values["times"] | self.values["habits"]
        own = self.own["times"] | self.own["habits"]
        # The order of the models, whatever the order of the texts.
        order = [*HANDLES, *Timing.model_fields, *habits_model.model_fields]
        handles = {name: value for name, value in self.values["times"].items() if name in HANDLES}
        times = {name: value for name, value in self.values["times"].items() if name not in HANDLES}
        try:
            return Player(
                name="+".join(names),
                timing=Timing(**times),
                habits=habits_model(**self.values["habits"]),
                presets=names,
                changed={name: word(values[name]) for name in order if name in own},
                **handles,
            )
        except ValidationError as error:  # each value is good, but they do not go together
            first = error.errors()[0]
            raise InputError(f"player {'+'.join(names)}: {first.get('ctx', {}).get('error', first['msg'])}") from None


def resolve_players(
    texts: Sequence[str], n_players: int, habits_model: type[Options], *, folder: Path = Path()
) -> tuple[Player, ...]:
    """Return the players that ``--player`` texts describe; without any they are adults with default habits.

    Parameters
    ----------
    texts
        Applied in order: ``2=senior``, ``1=expert+hunter``, ``all=casual``, ``2=me.toml`` replace times, habits or
        both; ``1.speed=1.1``, ``all.person_sd=true``, ``1.card_choice=hunt_stress`` change one value.
    n_players
        Number of players.
    habits_model
        Habits of the family.
    folder
        Where a relative path begins.

    Raises
    ------
    InputError
        If a text cannot be used; the sentence says which and why.

    Examples
    --------
    >>> from stressim.shedding.habits import SheddingHabits
    >>> first, second = resolve_players(["all=casual", "1=hunter", "1.p-miss-stress=0"], 2, SheddingHabits)
    >>> first.name, first.speed, first.changed, second.name
    ('casual+hunter', 0.85, {'p_miss_stress': '0'}, 'casual')
    """
    drafts = [_Draft() for _ in range(n_players)]
    for text in texts:
        try:
            _apply(text, drafts, habits_model, folder)
        except InputError as error:
            raise InputError(f"--player {clean(text)}: {error}") from None
    return tuple(draft.player(habits_model) for draft in drafts)


def resolve_player(texts: Sequence[str], habits_model: type[Options]) -> Player:
    """Return one player, from texts without a number: ``expert+hunter``, ``speed=1.1``.

    Raises
    ------
    InputError
        If a text cannot be used.

    Examples
    --------
    >>> from stressim.shedding.habits import SheddingHabits
    >>> resolve_player(["senior", "speed=1.1"], SheddingHabits).speed
    1.1
    """
    draft = _Draft()
    for text in texts:
        _apply(f"1.{text}" if "=" in text else f"1={text}", [draft], habits_model, Path())
    return draft.player(habits_model)


def _apply(text: str, drafts: list[_Draft], habits_model: type[Options], folder: Path) -> None:
    left, equals, given = text.partition("=")
    seat, dot, name = left.strip().partition(".")
    if not equals or not seat or (dot and not name):
        raise InputError("must be PLAYER=PRESET or PLAYER.NAME=VALUE, such as 2=senior or 1.speed=1.1")
    chosen = _chosen(seat, drafts)
    if not dot:
        sheets = read_chain(given.strip(), habits_model, folder=folder)
        for draft in chosen:
            draft.replace(sheets, habits_model)
        return
    name = name.replace("-", "_")
    part, _ = part_of(name, habits_model)
    value = read_player_value(name, given.strip(), habits_model, typed=True)
    for draft in chosen:
        draft.values[part][name] = value
        draft.own[part].add(name)


def _chosen(seat: str, drafts: list[_Draft]) -> list[_Draft]:
    if seat.lower() == "all":
        return drafts
    if seat.isdecimal() and len(seat) < 4 and 1 <= int(seat) <= len(drafts):
        return [drafts[int(seat) - 1]]
    raise InputError(f"{quoted(seat)} is no player: write a number from 1 to {len(drafts)}, or all")


def describe_player(player: Player) -> dict[str, Any]:
    """Return what a result says about a player, ready for JSON.

    Returns
    -------
    dict
        ``name``, ``presets``, ``habits`` (the preset that says the same; empty if none does), the handles, ``changed``
        (values that the user gave) and ``guesses`` (values in force that are nobody's but this package's guess).

    Examples
    --------
    >>> from stressim.shedding.habits import SheddingHabits
    >>> said = describe_player(resolve_players(["1.countdown=900"], 1, SheddingHabits)[0])
    >>> said["name"], said["changed"], said["guesses"]["flip"], "countdown" in said["guesses"]
    ('adult', {'countdown': 'fixed(900)'}, 'normal(350,60)', False)
    """
    return {
        "name": player.name,
        "presets": list(player.presets),
        "habits": habits_preset(player.habits),
        **{name: getattr(player, name) for name in HANDLES},
        "changed": dict(player.changed),
        "guesses": player.guesses,
    }

"""What a family of games is, and the list of families.

A family is a folder of the package with the same files as every other one; nothing outside it asks which family it
has. A new family is a new folder and one line in :data:`FAMILIES`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stressim.errors import InputError, did_you_mean, one_of
from stressim.metrics import Column, Metric
from stressim.options import GameRules, Options

if TYPE_CHECKING:
    import numpy as np

    from stressim.lowering import Lowered
    from stressim.ways import Way

FAMILIES = ("shedding", "exchange")
"""Names of the families; each is a subpackage with an attribute ``FAMILY``."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """One family of games: its models, numbers and the modules that play, judge and describe it.

    Parameters
    ----------
    name
        Name in rules files and the name of the subpackage.
    title
        A few words for people.
    rules, habits
        Models of the rules and of a player's habits.
    columns, metrics
        What the kernel writes for each deal, and the numbers estimated from it.
    """

    name: str
    title: str
    rules: type[GameRules]
    habits: type[Options]
    columns: tuple[Column, ...]
    metrics: tuple[Metric, ...]

    def _module(self, part: str) -> Any:
        # Kernels, referee and words are imported when first needed: numba alone takes a third of a second.
        return importlib.import_module(f"stressim.{self.name}.{part}")

    @cached_property
    def play_deals(self) -> Callable[[Lowered, int, int, np.ndarray], None]:
        """Function ``(lowered, seed, first, rows)`` that plays deals ``first … first + len(rows) - 1`` into ``rows``.

        ``rows`` is an int64 array, shape ``(deals, columns)``.
        """
        play: Callable[[Lowered, int, int, np.ndarray], None] = self._module("play").play_deals
        return play

    @cached_property
    def log_deal(self) -> Callable[[Lowered, int, int], Any]:
        """Function ``(lowered, seed, deal)`` that returns the dealt cards, the event log and the row of one deal."""
        log: Callable[[Lowered, int, int], Any] = self._module("play").log_deal
        return log

    @cached_property
    def log_deals(self) -> Callable[[Lowered, int, int, int], Iterator[Any]]:
        """Function ``(lowered, seed, first, n)`` that gives what :attr:`log_deal` returns for each of ``n`` deals."""
        logs: Callable[[Lowered, int, int, int], Iterator[Any]] = self._module("play").log_deals
        return logs

    @cached_property
    def dealt_cards(self) -> Callable[[Lowered, int, int, int], np.ndarray]:
        """Function ``(lowered, seed, first, n)`` that returns the cards of ``n`` deals, one row for each."""
        cards: Callable[[Lowered, int, int, int], np.ndarray] = self._module("play").dealt_cards
        return cards

    def kernels_of(self, rules: GameRules) -> str:
        """Name of the module with the compiled entry points that play these rules; a family may have several."""
        named: Callable[[GameRules], str] | None = getattr(self._module("play"), "kernels_of", None)
        return named(rules) if named else f"stressim.{self.name}.kernel.run"

    @property
    def behaviour(self) -> int:
        """Version of the behaviour: the results of a seed change only with it."""
        return int(self._module("play").BEHAVIOUR)

    @cached_property
    def referee(self) -> Any:
        """The module that judges logs by the rules alone."""
        return self._module("referee")

    @cached_property
    def deal_facts(self) -> Any:
        """The module that counts what the deal alone decides: ``quantities(rules)``, and ``observed(rules, log)``."""
        return self._module("deal_facts")

    @cached_property
    def races(self) -> Any:
        """The module that integrates races between hands: ``quantities(rules, players)``."""
        return self._module("races")

    @cached_property
    def small_deck(self) -> Any:
        """The module whose class ``SmallDeck(rules, players)`` is a game that can be solved whole."""
        return self._module("small_deck")

    @cached_property
    def words(self) -> Any:
        """The module that says results in words."""
        return self._module("words")

    @cached_property
    def rulesheet(self) -> Any:
        """The module that says rules in words."""
        return self._module("rulesheet")

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """The ways in which a deal does not simply go on."""
        found: tuple[Way, ...] = self._module("ways").WAYS
        return found

    @cached_property
    def replay_words(self) -> Any:
        """The module that says a deal's events in words."""
        return self._module("replay_words")


def family_named(name: str) -> Family:
    """Return the family with this name.

    Raises
    ------
    InputError
        If there is none.
    """
    if name not in FAMILIES:
        raise InputError(f"family = {name!r} is not known: it must be {one_of(FAMILIES)}{did_you_mean(name, FAMILIES)}")
    family: Family = importlib.import_module(f"stressim.{name}").FAMILY
    return family

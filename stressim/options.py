"""How an option of a rules or player model is declared.

Every option is one attribute of a frozen pydantic model. It says what it means, its unit and where it comes from, and
whether it is cosmetic (changes the words of a replay only). Closed choices are :class:`Choice` enums with a sentence
for each member; the compiled kernels compare with the same members.
"""

from __future__ import annotations

import enum
import functools
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from stressim.errors import did_you_mean, one_of


class Choice(enum.IntEnum):
    """A closed choice: members have a number for the kernel and a sentence for people.

    Examples
    --------
    >>> class Ace(Choice):
    ...     WRAP = 0, "the ace joins king and two"
    ...     LOW = 1, "the ace stands below the two only"
    >>> Ace.parse("wrap"), Ace.LOW.word, Ace.LOW.meaning
    (<Ace.WRAP: 0>, 'low', 'the ace stands below the two only')
    """

    meaning: str

    def __new__(cls, value: int, meaning: str = "") -> Self:
        """Make a member that carries its meaning."""
        member = int.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member

    @functools.cached_property
    def word(self) -> str:
        """The member's name as users write it: lower case."""
        return self.name.lower()

    @classmethod
    def words(cls) -> list[str]:
        """All members' names as users write them, in order."""
        return [member.word for member in cls]

    @classmethod
    def parse(cls, given: object) -> Self:
        """Return the member that a user named.

        Raises
        ------
        ValueError
            If ``given`` is no member; the text says what is allowed.
        """
        if isinstance(given, cls):
            return given
        if isinstance(given, str):
            word = given.strip().lower().replace("-", "_").replace(" ", "_")
            member = cls.__members__.get(word.upper())
            if member is not None and member.word == word:
                return member
        hint = did_you_mean(given, cls.words()) if isinstance(given, str) else ""
        raise ValueError(f"must be {one_of(cls.words())}{hint}")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls.parse,
            serialization=core_schema.plain_serializer_function_ser_schema(lambda member: member.word),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"oneOf": [{"const": member.word, "description": member.meaning} for member in cls]}


def option(
    default: Any,
    meaning: str,
    *,
    source: str,
    unit: str = "",
    cosmetic: bool = False,
    match: bool = False,
    remedy: bool = False,
    tried: tuple[int, ...] | None = None,
    needs: str = "",
    clock: bool = False,
    **limits: Any,
) -> Any:
    """Declare an option: its default, what it means, its unit and where it comes from.

    Parameters
    ----------
    default
        The value when a file says nothing.
    meaning
        One sentence for ``rules show`` and the JSON schema.
    source
        Lines of the rule texts (``S2:38``), or another origin such as ``house rule elsewhere`` or ``guess``.
    unit
        Unit of a number: ``ms``, ``cm``, ``cards`` …
    cosmetic
        True when the option changes the words of a replay only.
    match
        True when it says how deals make a match: no deal depends on it.
    remedy
        True when a table may agree on another value so that deals stall or lock less, and play the same game.
    tried
        The numbers that it is changed to where every single change is tried: none for who sits at the table, a few
        where the rest plays too long. Small or neighbouring ones unless given.
    needs
        Conditions on other options, set apart by spaces, without which it does nothing: ``deck=custom``,
        ``n_jokers!=0``, ``deadlock_rule=redeal|most_complete_wins``.
    clock
        True when it is about times, or about who comes first: under uniform timing it does nothing.
    limits
        Passed to :func:`pydantic.Field`: ``ge``, ``le`` …
    """
    about: dict[str, Any] = {"source": source, "unit": unit, "cosmetic": cosmetic}
    if match:
        about["match"] = True
    if remedy:
        about["remedy"] = True
    if tried is not None:
        about["tried"] = list(tried)
    if needs:
        about["needs"] = needs
    if clock:
        about["clock"] = True
    return Field(
        default,
        description=meaning,
        json_schema_extra=about,
        **limits,
    )


class Options(BaseModel):
    """Base of every rules, habits and timing model: frozen, keyword-only, unknown names refused."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    def lacking(self, name: str, *, clock: bool = True) -> str:
        """Return the condition without which an option does nothing, if it is not met; empty where it is.

        Parameters
        ----------
        name
            The option.
        clock
            Whether deals are played with a clock.

        Examples
        --------
        >>> from stressim.shedding.rules import SheddingRules
        >>> SheddingRules().lacking("deck_copies"), SheddingRules().lacking("deck")
        ('deck=custom', '')
        >>> SheddingRules().lacking("late_card"), SheddingRules().lacking("late_card", clock=False)
        ('', 'timing=human')
        """
        extra = type(self).model_fields[name].json_schema_extra
        about = extra if isinstance(extra, dict) else {}
        if about.get("clock") and not clock:
            return "timing=human"
        return next((one for one in str(about.get("needs", "")).split() if not self._holds(one)), "")

    def _holds(self, condition: str) -> bool:
        name, _, words = condition.partition("=")
        value = getattr(self, name.removesuffix("!"))
        word = value.word if isinstance(value, Choice) else str(value)
        return (word in words.split("|")) != name.endswith("!")


class GameRules(Options):
    """Base of every family's rules model: what the package asks of rules without knowing the game."""

    family: ClassVar[str]

    if TYPE_CHECKING:  # each family declares them where it lists its options
        n_players: int = 2
        match_format: str = "single"

    @property
    @abstractmethod
    def n_cards(self) -> int:
        """Cards in the game."""

    @property
    def n_sides(self) -> int:
        """Players, or teams of them, that play against each other."""
        return self.n_players

    @property
    def handicap(self) -> str:
        """What makes equal players unequal, as a sentence names it; empty if nothing does."""
        return ""

"""More public functions: one deal event by event, ways to get stuck, and tournaments."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stressim.errors import InputError
from stressim.explorer.atlas import Atlas, make_atlas
from stressim.players.resolve import resolve_players
from stressim.replay import replay_json, replay_text
from stressim.rulesfile import LoadedRules, load_rules
from stressim.simulate import MAX_SEED
from stressim.tournament import MAX_ENTRANTS, Outcome, TournamentFormat, n_entrants, play, playing, standings
from stressim.workbench.arguments import Changes, changes_of, given_of, named_as_arguments
from stressim.workbench.variants import Variant, make_variant

if TYPE_CHECKING:
    import pandas as pd

    from stressim.players.player import Player

MAX_DEAL = 2**63 - 1


@dataclass(frozen=True, kw_only=True, repr=False)
class Replay:
    """One deal; printed, it is told event by event.

    Parameters
    ----------
    variant
        What was played.
    seed, deal
        Which deal.
    cards, log
        The deal and its events, as the referee reads them.
    """

    variant: Variant
    seed: int
    deal: int
    cards: Any = field(compare=False)
    log: Any = field(compare=False)

    @property
    def title(self) -> str:
        """What the deal is called."""
        return f"{self.variant.rules.heading}, deal {self.deal} of seed {self.seed}"

    @cached_property
    def data(self) -> dict[str, Any]:
        """Its ``events`` with the table after each, its ``stalls`` (and ``locks``), and the referee's ``verdict``."""
        return replay_json(*self._told, uniform=self._uniform)

    @property
    def frame(self) -> pd.DataFrame:
        """The events as a pandas table."""
        import pandas as pd

        return pd.DataFrame.from_records(self.data["events"])

    def save(self, path: str | Path) -> None:
        """Draw the deal, a lane for each player, into an .svg, .png or .pdf.

        Raises
        ------
        InputError
            If it cannot be written.
        """
        from stressim import pictures
        from stressim.report.timeline import timeline_figure, timeline_of

        names = [player.label for player in self.variant.players]
        drawn = timeline_of(*self._told, players=names, title=self.title, uniform=self._uniform)
        pictures.save(
            lambda: timeline_figure(drawn),
            Path(path),
            title=self.title,
            description=f"{drawn.facts}. {drawn.ending}",
        )

    def __str__(self) -> str:
        """Tell it in lines, as ``stressim replay`` does."""
        return replay_text(*self._told, uniform=self._uniform)

    def __repr__(self) -> str:
        """Say which deal it is."""
        return f"<{self.title}: {len(self.log)} events, {self.variant.timing.word} timing>"

    @property
    def _told(self) -> tuple[Any, ...]:
        return self.variant.family, self.variant.rules.options, self.cards, self.log

    @property
    def _uniform(self) -> bool:
        return self.variant.timing.word == "uniform"


@named_as_arguments
def replay(
    rules: str | Path,
    deal: int = 0,
    *,
    sets: Changes = (),
    players: Changes = (),
    n_players: int | None = None,
    timing: str = "human",
    seed: int = 1,
) -> Replay:
    """Play one deal and keep its events.

    Parameters
    ----------
    rules, sets, players, n_players, timing
        What is played, as for ``simulate``.
    deal, seed
        Which deal: the one that ``simulate`` plays under this number.

    Raises
    ------
    InputError
        If something given cannot be used, or the deal is too long to be shown.

    Examples
    --------
    >>> import stressim
    >>> found = stressim.replay("swedish", 16)
    >>> len(found.data["stalls"]), found.data["verdict"]["stalls"]
    (4, 4)
    """
    for name, value in (("seed", seed), ("deal", deal)):
        if not 0 <= value <= MAX_DEAL:
            raise InputError(f"{name} = {value} is not possible: it must be a whole number from 0 to {MAX_DEAL}")
    variant = make_variant(given_of(rules, sets, players, n_players, timing))
    try:
        log = variant.family.log_deal(variant.lowered, seed, deal)
    except OverflowError as error:
        raise InputError(f"this deal is too long to be shown: {error}") from None
    return Replay(variant=variant, seed=seed, deal=deal, cards=log.cards.tolist(), log=log.events.tolist())


@dataclass(frozen=True, kw_only=True, repr=False)
class Ways(Atlas):
    """What :func:`atlas` returns: every way in which deals get stuck, how often, and a deal of each."""

    def __repr__(self) -> str:
        """Say what was played: all ways would fill pages of a notebook."""
        n_seen = sum(one.count > 0 for one in self.found)
        return (
            f"<{self.variant.rules.heading}: {n_seen} of {len(self.found)} ways to get stuck seen in {self.deals:,} "
            f"deals, seed {self.seed}>"
        )

    @property
    def frame(self) -> pd.DataFrame:
        """One row for each way, with its share, interval and example, as a pandas table."""
        import pandas as pd

        return pd.DataFrame.from_records(self.records)


@named_as_arguments
def atlas(
    rules: str | Path,
    *,
    sets: Changes = (),
    players: Changes = (),
    n_players: int | None = None,
    timing: str = "human",
    deals: int = 100_000,
    logged: int = 5_000,
    seed: int = 1,
    jobs: int | None = None,
    confidence: float = 0.95,
) -> Ways:
    """Count every way in which deals get stuck.

    Parameters
    ----------
    rules, sets, players, n_players, timing
        What is played, as for ``simulate``.
    deals, seed, jobs, confidence
        As for ``simulate``.
    logged
        How many deals are followed event by event, for what the columns of a deal do not tell.

    Raises
    ------
    InputError
        If something given cannot be used.

    Examples
    --------
    >>> import stressim
    >>> found = stressim.atlas("swedish", deals=500, logged=20)
    >>> [one.share > 0.9 for one in found.found if one.way.name == "lock"]
    [True]
    """
    variant = make_variant(given_of(rules, sets, players, n_players, timing))
    made = make_atlas(variant, deals=deals, logged=logged, seed=seed, jobs=jobs, confidence=confidence)
    return Ways(**{one.name: getattr(made, one.name) for one in fields(Atlas)})


@dataclass(frozen=True, kw_only=True, repr=False)
class Tournament:
    """What :func:`tournament` returns.

    Parameters
    ----------
    rules, players
        What was played, and who entered.
    form, timing, seed
        How.
    outcome
        What came of it.
    """

    rules: LoadedRules
    players: tuple[Player, ...]
    form: TournamentFormat
    timing: str
    seed: int
    outcome: Outcome

    @property
    def records(self) -> list[dict[str, Any]]:
        """One record for each player."""
        return standings(self.players, self.outcome)

    @property
    def frame(self) -> pd.DataFrame:
        """The records as a pandas table."""
        import pandas as pd

        return pd.DataFrame.from_records(self.records)

    def __repr__(self) -> str:
        """Say what was played, and who won most."""
        best = max(self.records, key=lambda record: record["wins"])
        return (
            f"<{self.rules.heading}: {self.outcome.tournaments:,} times {self.form.word} of {len(self.players)}, "
            f"won most by {best['player']} {best['name']}, seed {self.seed}>"
        )


@named_as_arguments
def tournament(
    rules: str | Path,
    players: Changes = (),
    *,
    form: str = "knockout",
    tournaments: int = 10_000,
    draw: bool = False,
    n_players: int | None = None,
    sets: Changes = (),
    timing: str = "human",
    seed: int = 1,
    confidence: float = 0.95,
) -> Tournament:
    """Let many players meet, two at a time.

    Parameters
    ----------
    rules, sets, timing, seed, confidence
        As for ``simulate``.
    players
        Who enters: ``{"1": "expert", "4.speed": 1.1}`` or ``["1=expert"]``.
    form
        ``knockout``, ``winner_stays`` or ``round_robin``.
    tournaments
        How many are played; of winner stays, how many games.
    draw
        Whether lots are drawn for the places of a knock-out.
    n_players
        How many enter; as many as are named and the form needs if it is not given.

    Raises
    ------
    InputError
        If something given cannot be used.

    Examples
    --------
    >>> import stressim
    >>> found = stressim.tournament("swedish", {"1": "expert"}, tournaments=20)
    >>> list(found.frame["player"])
    [1, 2, 3, 4]
    """
    try:
        how = TournamentFormat.parse(form)
    except ValueError as error:
        raise InputError(f"form {form!r} {error}") from None
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"seed = {seed} is not possible: it must be a whole number from 0 to {MAX_SEED}")
    if draw and how != TournamentFormat.KNOCKOUT:
        raise InputError("draw is for the places of a knock-out")
    given = given_of(rules, sets, players, None, timing)
    loaded = load_rules(given.rules, given.sets)
    texts = changes_of(players)
    n = n_entrants(texts, how) if n_players is None else n_players
    if not 2 <= n <= MAX_ENTRANTS:
        raise InputError(f"n_players = {n} is not possible: it must be a whole number from 2 to {MAX_ENTRANTS}")
    entered = resolve_players(texts, n, loaded.family.habits)
    meet = playing(loaded, entered, timing, seed)
    outcome = play(how, meet, n, tournaments, draw_seed=seed if draw else None, confidence=confidence)
    return Tournament(rules=loaded, players=entered, form=how, timing=timing, seed=seed, outcome=outcome)

"""Players: how long they take, and what they do where the rules leave a choice."""

from stressim.players.player import Player
from stressim.players.resolve import describe_player, resolve_players
from stressim.players.timing import Timing

__all__ = ["Player", "Timing", "describe_player", "resolve_players"]

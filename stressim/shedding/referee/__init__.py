"""The rules once more, for people to read: a judge of event logs.

The referee knows the rules, the dealt cards and what happened. It knows neither habits nor how long anything takes;
where a rule asks who was slower it reads the log's times, and what a shuffle brought it reads from the log. It shares
nothing with the kernels but the names of rules and events, so that two descriptions of the game check each other.

Rules are named by their letter and number, ``B`` for rules that the texts state and ``U`` for cases they leave open,
with the option that settles them.
"""

from __future__ import annotations

from stressim.refereeing import Foul
from stressim.shedding.referee.judging import check_deal, judge
from stressim.shedding.referee.verdict import Verdict

__all__ = ["Foul", "Verdict", "check_deal", "judge"]

"""The rules once more, for people to read: a judge of event logs.

The referee knows the rules, the dealt cards and what happened. It knows neither habits nor how long anything takes;
where a rule names time it reads the log's times, and what a new deal brought it reads from the log. It shares nothing
with the kernels but the names of rules and events, so that two descriptions of the game check each other.

Rules are named by their letter and number, ``A`` for rules that the text states and ``A-U`` for cases it leaves open,
with the option that settles them.
"""

from __future__ import annotations

from stressim.exchange.referee.judging import judge
from stressim.exchange.referee.redeals import check_deal
from stressim.exchange.referee.verdict import Verdict
from stressim.refereeing import Foul

__all__ = ["Foul", "Verdict", "check_deal", "judge"]

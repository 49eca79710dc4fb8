"""The agreed way out of a lock, in words: how long it waits, and whether that is a guess."""

from __future__ import annotations

from stressim.exchange.choices import DeadlockRule
from stressim.exchange.rules import ExchangeRules
from stressim.optiontext import word
from stressim.players.time_options import declared

_WAIT_OF = {
    DeadlockRule.SWAP_DEADLINE: "swap_deadline_s",
    DeadlockRule.REDEAL: "deadlock_wait_s",
    DeadlockRule.MOST_COMPLETE_WINS: "deadlock_wait_s",
}


def wait_of(rules: ExchangeRules) -> str:
    """Name the option with the time that the rule for deadlocks waits; empty without such a rule.

    Examples
    --------
    >>> wait_of(ExchangeRules(deadlock_rule="redeal")), wait_of(ExchangeRules())
    ('deadlock_wait_s', '')
    """
    return _WAIT_OF.get(rules.deadlock_rule, "")


def is_guessed(rules: ExchangeRules) -> bool:
    """Whether the rule for deadlocks waits for a time that is nobody's but the program's guess."""
    name = wait_of(rules)
    if not name:
        return False
    option = type(rules).model_fields[name]
    return "guess" in declared(option)["source"] and getattr(rules, name) == option.default


def seconds(rules: ExchangeRules) -> str:
    """Write the time that the rule for deadlocks waits.

    Examples
    --------
    >>> seconds(ExchangeRules(deadlock_rule="redeal"))
    '10 s (deadlock_wait_s, a guess)'
    >>> seconds(ExchangeRules(deadlock_rule="redeal", deadlock_wait_s=60))
    '60 s (deadlock_wait_s)'
    """
    name = wait_of(rules)
    return f"{word(getattr(rules, name))} s ({name}{', a guess' if is_guessed(rules) else ''})"


def meaning(rules: ExchangeRules, *, clock: bool) -> str:
    """Say what the rule for deadlocks does, and after which time where there is a clock.

    Examples
    --------
    >>> meaning(ExchangeRules(deadlock_rule="redeal"), clock=True)
    'when nobody has swapped a card for 10 s (deadlock_wait_s, a guess), the cards are dealt again'
    >>> meaning(ExchangeRules(deadlock_rule="swap_deadline"), clock=True)
    'a bunch in hand with which no card is swapped in 5 s (swap_deadline_s) goes back on the table'
    """
    said = rules.deadlock_rule.meaning
    if not clock or not wait_of(rules):
        return said
    if rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE:
        return said.replace("in time", f"in {seconds(rules)}")
    return said.replace("for a while", f"for {seconds(rules)}")


def wait_text(rules: ExchangeRules) -> str:
    """Say how long the rule for deadlocks waits, in a sentence of its own; empty without such a rule.

    Examples
    --------
    >>> wait_text(ExchangeRules(deadlock_rule="most_complete_wins"))
    'deadlock_rule=most_complete_wins applies after 10 s (deadlock_wait_s, a guess) without a swap.'
    """
    if not wait_of(rules):
        return ""
    verb = "applies" if rules.deadlock_rule != DeadlockRule.SWAP_DEADLINE else "sends a bunch back"
    return f"deadlock_rule={rules.deadlock_rule.word} {verb} after {seconds(rules)} without a swap."

"""What the rule sheet of the exchange game says. Most of it is the meanings of the options' values."""

from __future__ import annotations

from collections.abc import Iterator

from stressim.decks import Deck
from stressim.exchange.choices import CallWord, DeadlockRule, Ranking, SwapOrder, TakeBackOwn
from stressim.exchange.rules import ExchangeRules
from stressim.matchrules import match_sentences
from stressim.optiontext import word


def sections(rules: ExchangeRules) -> Iterator[tuple[str, list[str]]]:
    """Headings and paragraphs of the rule sheet.

    Examples
    --------
    >>> [heading for heading, _ in sections(ExchangeRules())]
    ['The cards', 'The start', 'Swapping', 'Complete bunches', 'When nothing fits', 'The end']
    """
    yield "The cards", list(_cards(rules))
    yield "The start", list(_start(rules))
    yield "Swapping", list(_swapping(rules))
    yield "Complete bunches", list(_complete(rules))
    yield "When nothing fits", list(_deadlock(rules))
    yield "The end", list(_end(rules))


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _counted(number: int, thing: str, things: str) -> str:
    return f"{number} {thing if number == 1 else things}"


def _cards(rules: ExchangeRules) -> Iterator[str]:
    if rules.deck == Deck.CUSTOM:
        yield f"The ranks {', '.join(rules.ranks)}; {rules.deck_copies} cards of each in a deck."
    else:
        yield _sentence(f"the deck: {rules.deck.meaning}")
    if rules.n_decks > 1:
        yield f"{rules.n_decks} decks are shuffled together."
    if rules.n_jokers:
        yield f"{_counted(rules.n_jokers, 'joker is', 'jokers are')} added: one more rank like any other."
    if rules.cards_removed:
        left_out = _counted(rules.cards_removed, "card is", "cards are")
        yield f"{left_out} left out: all of the last rank first, then of the one before it."
    yield "Ranks have no order and suits mean nothing: all that counts is which cards are alike."


def _start(rules: ExchangeRules) -> Iterator[str]:
    open_cards = _counted(rules.centre_cards, "card", "cards")
    players = "1 player gets" if rules.n_players == 1 else f"Each of {rules.n_players} players gets"
    if rules.team_size > 1:
        players = f"Each of {rules.n_sides} teams gets" if rules.n_sides > 1 else "The one team gets"
        yield (
            f"{rules.n_players} play in teams of {rules.team_size}; one of each team sits after the other. Partners "
            "share their bunches, each holds one at a time, and no bunch is in two hands."
        )
    if rules.handicap_bunches:
        whose = f"player {rules.handicap_player}" + ("'s team" if rules.team_size > 1 else "")
        yield (
            f"As a handicap {whose} is given {_counted(rules.handicap_bunches, 'bunch', 'bunches')} complete: draw a "
            "rank for each before the rest is dealt, and lay it open. It counts among the bunches below."
        )
    yield (
        f"Lay {open_cards} face up in a row: the centre. {players} the rest as "
        f"{_counted(rules.bunches_each, 'bunch', 'bunches')} of {rules.bunch_size} cards, face down."
    )
    yield "Nobody looks at his bunches before the signal: ready, steady, go. Then everybody plays at once."


def _swapping(rules: ExchangeRules) -> Iterator[str]:
    yield (
        f"Pick up one of your bunches and collect {rules.bunch_size} of a rank. Only one bunch is in your hand at a "
        "time: put it back face down before you pick up another."
    )
    yield f"To swap, {rules.swap_order.meaning}. A card laid in the centre is free for everybody at once."
    if rules.swap_max_cards == 1:
        yield "One card is swapped at a time."
    else:
        alike = ", if they have one rank" if rules.grab_equal_only else ", whatever they are"
        yield f"Up to {rules.swap_max_cards} cards may be swapped in one grab, as many up as down{alike}."
    yield f"When may you take back a card that you laid there yourself? {_sentence(rules.take_back_own.meaning)}"
    yield (
        f"When several reach for one card, {rules.contested_card.meaning}. If nobody can tell, "
        f"{rules.touch_tie.meaning}."
    )
    if rules.swap_order == SwapOrder.PUT_DOWN_FIRST:
        back = " or your own card" if rules.take_back_own == TakeBackOwn.ALLOWED else ""
        yield f"When the card you wanted has gone, you take another{back}; {rules.after_snatch.meaning}."


def _complete(rules: ExchangeRules) -> Iterator[str]:
    yield (
        f"A bunch of {rules.bunch_size} of a rank is complete. Lay it open at once, apart from the others; it is never "
        "touched again."
    )
    if rules.announce_bunch:
        yield f'Say "stikk" when you do, and "stikk, {rules.call_word.meaning}" with the last one.'


def _deadlock(rules: ExchangeRules) -> Iterator[str]:
    yield "If no card in the centre is of use, try another bunch, or give up a card and take one of the others."
    seconds = word(rules.deadlock_wait_s)
    if rules.deadlock_rule == DeadlockRule.NONE:
        yield "If nobody gives way, there is no rule and nobody can go on: agree on one before you play."
    elif rules.deadlock_rule == DeadlockRule.SWAP_DEADLINE:
        yield (
            f"Swap a card within {word(rules.swap_deadline_s)} seconds, or your bunch goes back on the table. What "
            f"starts your time anew: {rules.deadline_reset.meaning}."
        )
    else:
        yield _sentence(rules.deadlock_rule.meaning.replace("for a while", f"for {seconds} seconds"))


def _end(rules: ExchangeRules) -> Iterator[str]:
    over = f"He has won, and play goes on {rules.ranking.meaning}"
    if rules.ranking == Ranking.NONE:
        over = "Play stops, and he has won; the others are not ranked"
    foreign = "" if rules.call_word == CallWord.STRESS else ", the name of the game"
    yield (f'Who has laid open all his bunches calls "{rules.call_word.meaning.replace("ä", "ae")}"{foreign}. {over}.')
    if rules.team_size > 1:
        yield "What one of a team does counts for all of it: whoever lays open its last bunch calls for it."
    if rules.n_sides > 1 and rules.ranking == Ranking.NONE:
        yield f"If two call nearly at once, {rules.win_tie.meaning}."
    yield f"A call before the last bunch is complete costs {rules.false_call_penalty.meaning}."
    yield from match_sentences(rules)

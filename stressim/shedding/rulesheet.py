"""What the rule sheet of the shedding game says. Most of it is the meanings of the options' values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stressim.decks import Deck
from stressim.matchrules import match_sentences
from stressim.options import Choice
from stressim.shedding.choices import (
    Ace,
    BothEmpty,
    DealMode,
    EmptyStock,
    FalseCallPenalty,
    MergeEqualRanks,
    MultiCardPlay,
    PickupPlacement,
    PostStressEmptyStock,
    RestartSource,
    RestartTrigger,
    RoundEnd,
    RowPiles,
    RowVisibility,
    SidePileReuse,
    SlapTarget,
    StartFlipEqual,
    StressOn,
    StressPairs,
    StressPickup,
    StressShare,
    StressSignal,
    UnderOrder,
)
from stressim.shedding.rules import SheddingRules

_HANDED_OVER = {"OPPONENT_GIVES", "TAKE_FROM_OPPONENT"}


def sections(rules: SheddingRules) -> Iterator[tuple[str, list[str]]]:
    """Headings and paragraphs of the rule sheet.

    Examples
    --------
    >>> [heading for heading, _ in sections(SheddingRules())]
    ['The cards', 'The start', 'Playing', 'When nobody can play', 'Stress', 'The end']
    """
    yield "The cards", list(_cards(rules))
    yield "The start", list(_start(rules))
    yield "Playing", list(_playing(rules))
    yield "When nobody can play", list(_restart(rules))
    yield "Stress", list(_stress(rules))
    yield "The end", list(_end(rules))


def _said(choice: Choice) -> str:
    """A value's meaning without its pointers to other options and habits, which mean nothing at a table."""
    return re.sub(r" \((?:option|habit) \w+\)", "", choice.meaning)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _cards(rules: SheddingRules) -> Iterator[str]:
    if rules.deck == Deck.CUSTOM:
        yield f"The ranks {', '.join(rules.ranks)}; {rules.deck_copies} cards of each in a deck."
    else:
        yield _sentence(f"the deck: {_said(rules.deck)}")
    shared = _said(DealMode.OWN_DECK_EACH if rules.own_decks else rules.deal_mode).partition(";")[0]
    if rules.deal_mode == DealMode.SPLIT_COMBINED:
        shared = shared.replace("n_decks", str(rules.n_decks))
    if rules.n_players == 2:
        yield f"{rules.n_players} players sit opposite each other. {_sentence(shared)}"
    else:
        yield f"{rules.n_players} players sit round the table. {_sentence(shared)}"
    if rules.n_jokers:
        jokers = "1 joker is" if rules.n_jokers == 1 else f"{rules.n_jokers} jokers are"
        each = ", as many for each player" if rules.deal_mode == DealMode.OWN_DECK_EACH else ""
        yield f"{jokers} added{each}. A joker {_said(rules.joker_mode)}."
    yield f"Each player begins with {rules.cards_each} cards."
    if rules.restart_source == RestartSource.SIDE_PILES:
        side = rules.side_pile_cards
        many = {0: "no side pile", 1: "a side pile of one card"}.get(side, f"a side pile of {side} cards")
        yield (
            f"The others of each share lie in the middle, unseen: one card on either side, and {many} beside it, each "
            "player's on his right. They belong to nobody."
        )
    if rules.handicap_cards:
        others = "player 2" if rules.n_players == 2 else "each of the others"
        one, other = ("player 1", others) if rules.handicap_cards > 0 else (others, "player 1")
        n = abs(rules.handicap_cards)
        yield f"Before that {one} gets {n} of the cards of {other}{'' if n > 1 else ', one only'}."


def _start(rules: SheddingRules) -> Iterator[str]:
    cards = "card" if rules.row_slots == 1 else str(rules.row_slots)
    if rules.row_piles == RowPiles.GROWING:
        yield (
            f"Lay out a row of {rules.row_slots} piles from the top of your cards: {_said(rules.row_piles)}. "
            f"The other cards are your stock; keep it {_said(rules.stock_location)}."
        )
    row = f"Lay the top {cards} of your cards face up before you"
    if rules.row_visibility == RowVisibility.HIDDEN:
        row = f"Take the top {cards} of your cards in one hand, where only you see what you have"
    if rules.row_piles == RowPiles.SINGLE:
        yield f"{row}: that is your row. The others are your stock; keep it {_said(rules.stock_location)}."
    elif rules.row_visibility == RowVisibility.HIDDEN:
        yield "Nobody looks at the other's row."
    if rules.merge_equal_ranks != MergeEqualRanks.OFF and rules.row_piles == RowPiles.SINGLE:
        verb = "must" if rules.merge_mandatory else "may"
        yield (
            f"Equal ranks in your row {verb} be put together {_said(rules.merge_equal_ranks)}; "
            "the place that falls free gets the next card."
        )
    first = _said(rules.start_flip)
    if rules.restart_source == RestartSource.SIDE_PILES:
        first = "each turns the single card on his right"
    if _is_pair(rules):
        yield (
            f"The signal is {_said(rules.start_signal)}. Then {first}: two piles in the middle. "
            f"The one that you began is on your right; right and left are {_said(rules.pile_view)}."
        )
    else:
        yield from _ring_of_piles(rules, first)
    if rules.stress_on != StressOn.NONE or rules.start_flip_equal != StartFlipEqual.STRESS:
        yield f"If the first two cards have the same rank, {_said(rules.start_flip_equal)}."


def _is_pair(rules: SheddingRules) -> bool:
    """Whether two play with two piles, of which the texts speak."""
    return rules.n_players == rules.n_piles == 2


def _ring_of_piles(rules: SheddingRules, first: str) -> Iterator[str]:
    """Say where the piles lie and whose they are when there are more than two players or piles."""
    piles, players = rules.n_piles, rules.n_players
    yield f"The signal is {_said(rules.start_signal)}. Then {first}: {piles} piles in a ring in the middle."
    if piles == players:
        whose = "The one that you began is on your right, your left neighbour's on your left"
    elif piles % players == 0:
        whose = f"You begin {piles // players} of them, from your right on, and cover all of these at a restart"
    elif piles > players:
        whose = "You begin and cover those from your right to your left neighbour's; who gets one more, the lot decides"
    else:
        whose = "You lay your card on the one nearest to your right, where others may lay theirs too"
    yield f"{whose}. Right and left are {_said(rules.pile_view)}."


def _playing(rules: SheddingRules) -> Iterator[str]:
    equal = "a card fits on its own rank too" if rules.equal_rank_playable else "no card fits on its own rank"
    yield (
        f"Everybody plays at once. Lay a card of your row on {'either' if _is_pair(rules) else 'any'} pile if it is "
        "exactly one rank higher or lower "
        f"than the card on top. Suits mean nothing; {equal}."
    )
    yield _ends_of_ranks(rules)
    if rules.merge_equal_ranks != MergeEqualRanks.OFF:
        yield f"Equal cards that you have put together are played {_said(rules.pile_play)}."
    if rules.multi_card_play != MultiCardPlay.OFF:
        go = _said(rules.stack_target)
        yield {
            MultiCardPlay.SAME_RANK: f"Equal cards of your row may be laid in one go, {go}.",
            MultiCardPlay.RUN: "Cards of your row may be laid in one go where each fits on the one before.",
        }[rules.multi_card_play]
    if rules.one_hand_only:
        yield "The same hand must do everything."
    if rules.one_card_at_a_time:
        yield "A card must lie before you take the next one."
    if rules.row_piles == RowPiles.GROWING:
        yield "When the top of a pile is gone, turn up the card under it."
        if rules.merge_equal_ranks != MergeEqualRanks.OFF:
            verb = "must" if rules.merge_mandatory else "may"
            yield f"Equal tops of your piles {verb} be put on each other; from then on they move together."
        if rules.move_to_empty:
            yield "Where a place of your row is empty you may move the top card of another pile there."
    else:
        yield f"The row is filled up from the stock {_said(rules.refill_policy)}."
    yield (
        f"The first card to land has the pile. When a card comes too late, {_said(rules.late_card)}. "
        f"When a card does not fit, {_said(rules.illegal_card)}."
    )


def _ends_of_ranks(rules: SheddingRules) -> str:
    """Say where the ace stands, or whether the end ranks of a deck without aces meet."""
    low, second, high = rules.ranks[0], rules.ranks[1], rules.ranks[-1]
    if rules.ace == Ace.WRAP:
        return f"The ranks form a ring: {low} fits on {high} and {second}."
    if low == "A" and rules.ace == Ace.HIGH:
        return f"The ace is the highest rank, above {high}; {second} is the lowest one."
    return f"{low} is the lowest rank and {high} the highest; they do not meet."


def _restart(rules: SheddingRules) -> Iterator[str]:
    yield (
        f"When {_said(rules.restart_trigger)}, give the signal again, and each lays {_said(rules.restart_source)}, "
        f"{_said(rules.restart_target)}."
    )
    if rules.restart_trigger == RestartTrigger.LOCKED_OR_DECLINED:
        yield f"If somebody does not want to play, {_said(rules.restart_consent)}."
    handed_over = set()
    if rules.restart_source == RestartSource.STOCK:
        if _is_pair(rules):
            yield f"If one player has no stock card, {_said(rules.restart_empty_stock)}."
        else:
            yield from _somebody_without_stock(rules)
        handed_over.add(rules.restart_empty_stock.name)
    if rules.stress_on != StressOn.NONE:
        handed_over.add(_after_stress(rules).name)
    if handed_over & _HANDED_OVER:
        yield (
            f"The card that changes hands is {_said(rules.taken_card)}. If the giver has but one card, "
            f"{_said(rules.giver_with_one_card)}."
        )
    if rules.restart_source == RestartSource.OWN_ROW:
        return
    if rules.restart_source == RestartSource.SIDE_PILES:
        yield f"Where one side pile is used up, the other goes on alone. If both are, {_said(rules.side_pile_reuse)}."
        if rules.side_pile_reuse != SidePileReuse.NEVER:
            return
        if rules.restart_both_empty == BothEmpty.UNDEFINED:
            yield "There is no rule for that and nobody can go on: agree on one before you play."
        else:
            yield f"Then {_said(rules.restart_both_empty)}."
        return
    if rules.round_end != RoundEnd.NONE:
        yield "If both stocks are empty, the round is over."
        return
    if rules.restart_both_empty == BothEmpty.UNDEFINED:
        yield f"If {_all_stocks(rules)} are empty, there is no rule and nobody can go on: agree on one before you play."
    else:
        yield f"If {_all_stocks(rules)} are empty, {_said(rules.restart_both_empty)}."


def _all_stocks(rules: SheddingRules) -> str:
    return "both stocks" if rules.n_players == 2 else "all stocks"


def _somebody_without_stock(rules: SheddingRules) -> Iterator[str]:
    """Say what happens when some of more than two have no stock card, or do not fill all places."""
    if rules.restart_empty_stock == EmptyStock.FLIP_ALONE:
        yield "Who has no stock card lays none; those who have one flip."
    else:
        verb = "gets" if rules.restart_empty_stock == EmptyStock.OPPONENT_GIVES else "takes"
        yield f"Who has no stock card {verb} one from the nearest on his left who has two or more."
    yield "If a place in the middle is empty and its owner has no card for it, the next one on his left fills it."


def _after_stress(rules: SheddingRules) -> EmptyStock | PostStressEmptyStock:
    if rules.post_stress_empty_stock == PostStressEmptyStock.AS_RESTART:
        # At a restart "flips alone" leaves no place empty; after a stress it means that one player fills them all.
        return PostStressEmptyStock[rules.restart_empty_stock.name]
    return rules.post_stress_empty_stock


def _stress(rules: SheddingRules) -> Iterator[str]:
    if rules.stress_on == StressOn.NONE:
        yield "Equal tops mean nothing: the game is played without stress."
        return
    hands = "The slap is made" if rules.slap_target == SlapTarget.BOTH_HANDS else "The hand goes"
    target = "" if rules.slap_target == SlapTarget.NONE else f" {hands} {_said(rules.slap_target)}."
    decides = ""
    if rules.stress_signal == StressSignal.SHOUT_AND_SLAP:
        decides = f" Who was faster is settled by {_said(rules.signal_decides)}."
    pair = _is_pair(rules)
    when = _said(rules.stress_on) if pair else f"the same rank lies on top of {_STRESS_PAIRS[rules.stress_pairs]}"
    target = target if pair else target.replace("both piles", "the piles").replace("either pile", "one of them")
    yield f"When {when}, call stress {_said(rules.stress_signal)}.{target}{decides}"
    if rules.stress_stop:
        yield (
            f"You may point at {'the other' if rules.n_players == 2 else 'another'} player's card that would make "
            "stress and say so. "
            "If he lays it all the same, nobody may call; a wrong warning costs nothing."
        )
    yield _loser(rules)
    yield (
        "Rows stay as they are. Then, at the signal, new cards are flipped as at the start, "
        f"{'before' if rules.flip_before_refill else 'after'} rows are filled up. "
        + (f"If the faster player has no stock card, {_said(_after_stress(rules))}." if pair else _short_of_many(rules))
    )
    if rules.slap_target != SlapTarget.BOTH_PILES:
        tie = _said(rules.stress_tie)
        if rules.n_players > 2:
            who = "slowest" if rules.stress_share == StressShare.SLOWEST else "fastest"
            tie = tie.replace("each takes", "each of these takes")
            yield f"If nobody can tell which of several was the {who}, {tie}."
        else:
            yield f"If nobody can tell who was faster, {tie}."
    grace = f" (but {rules.slap_grace_ms:g} ms are forgiven)" if rules.slap_grace_ms else ""
    yield f"May cards be laid before the first call? {_sentence(_said(rules.play_on_equal_tops) + grace)}"
    yield f"If a card is on its way when the call comes, {_said(rules.card_in_air_at_slap)}."
    one = f": {_said(rules.one_pile)}" if rules.false_call_penalty == FalseCallPenalty.TAKE_ONE else ""
    yield f"A wrong call costs {_said(rules.false_call_penalty)}{one}."


_STRESS_PAIRS = {
    StressPairs.ANY_TWO: "any two piles",
    StressPairs.NEIGHBOURS: "two piles that lie side by side",
    StressPairs.ALL: "all piles",
}


def _short_of_many(rules: SheddingRules) -> str:
    """Say what happens after a stress where a player of many has no stock card."""
    rule = _after_stress(rules)
    if rule.name in _HANDED_OVER:
        return "Who has no stock card then gets one from the nearest on his left who has two or more."
    if rule == PostStressEmptyStock.ONE_PILE_ONLY:
        return "Who has no stock card then lays none; a place may stay empty."
    return "Who has no stock card then lays none; the next on the left with a card fills a place that stays empty."


def _loser_of_many(rules: SheddingRules) -> str:
    """Say who takes what where not two play with two piles."""
    piles = {
        StressPickup.BOTH: "the piles with the equal tops",
        StressPickup.LEFT: "of these the one furthest on his left",
        StressPickup.RIGHT: "of these the one furthest on his right",
        StressPickup.ONE: f"one of these: {_said(rules.one_pile)}",
        StressPickup.ALL: "all piles",
    }[rules.stress_pickup]
    text = f"All slap; the slowest has lost and takes {piles}. "
    if rules.n_players > 2 and rules.stress_share == StressShare.ALL_BUT_FIRST:
        text = (
            f"All slap, and all but the fastest have lost. The slowest takes {piles}; "
            "where there are several, the others share them, pile by pile, the next slowest first. "
        )
    text += f"What a player takes is {_said(rules.pickup_placement)}."
    if rules.stress_pickup not in (StressPickup.BOTH, StressPickup.ALL):
        text += f" As to the others of these, {_said(rules.other_pile_after_stress)}."
    elif rules.pickup_placement == PickupPlacement.UNDER_STOCK:
        order = {
            UnderOrder.OWN_FIRST: "the one furthest on his right",
            UnderOrder.OTHER_FIRST: "the one furthest on his left",
            UnderOrder.RANDOM: "any",
        }[rules.under_order]
        text += f" Of several {order} goes under first; later ones lie lower."
    return text


def _loser(rules: SheddingRules) -> str:
    if not _is_pair(rules):
        return _loser_of_many(rules)
    both = rules.stress_pickup in (StressPickup.BOTH, StressPickup.ALL)
    piles = "both piles" if both else _said(rules.stress_pickup)
    if rules.stress_pickup == StressPickup.ONE:
        piles = f"one pile: {_said(rules.one_pile)}"
    text = f"A stress is lost by the player {_said(rules.stress_loser)}. He takes {piles}. "
    text += f"What he takes is {_said(rules.pickup_placement)}."
    if rules.stress_pickup not in (StressPickup.BOTH, StressPickup.ALL):
        text += f" As to the other pile, {_said(rules.other_pile_after_stress)}."
    elif rules.pickup_placement == PickupPlacement.UNDER_STOCK:
        text += f" First goes {_said(rules.under_order)}; the later pile lies lower."
    return text


def _end(rules: SheddingRules) -> Iterator[str]:
    if rules.round_end == RoundEnd.SLAP_SMALLER_PILE:
        yield (
            "A round is over when a row is empty, or when nobody can play and both stocks are empty. Then both slap: "
            f"{_said(rules.round_end)}. Each adds what he has left in row and stock, shuffles, and lays out a new row "
            "as far as his cards go; new cards are flipped."
        )
        yield (
            "If one player has no stock then, there is only the other one's pile: who first empties his row takes "
            "nothing, and the other takes the pile."
        )
    last = (
        "even if his last card makes the tops equal"
        if rules.win_check_before_stress
        else "but if his last card makes the tops equal, that stress is settled first"
    )
    without_stress = rules.stress_on == StressOn.NONE
    yield f"A player with no cards left, in row and stock, has won{'' if without_stress else f', {last}'}."
    yield f"Must he call it? {_sentence(_said(rules.win_call))}"
    yield from match_sentences(rules)

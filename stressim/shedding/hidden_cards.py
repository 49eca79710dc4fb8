"""Cards that nobody sees, as bags: what is known of them, and what is not.

A stock is a row of bags from its top: the cards of a bag lie in any order, each as likely. A bag holds a number of
cards that nobody has seen and some that are known by rank; a card that was turned over and put under a stock is a bag
of its own, and a shuffled stock is one bag. Unseen cards of all places are one pool, since any of them may be any card
of the pool; with a deck for each player there are two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from stressim.exact.chains import Chance

UNSEEN = -1  # a card on the table that nobody has looked at


@dataclass
class Bag:
    """Cards that lie in any order.

    Parameters
    ----------
    unseen
        How many of them are any cards of the pool.
    known
        Ranks of the others.
    """

    unseen: int
    known: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return self.unseen + len(self.known)


def shuffled(bags: Iterable[Bag]) -> list[Bag]:
    """Return one bag with the cards of all, or none where there are no cards."""
    bags = list(bags)
    together = Bag(sum(bag.unseen for bag in bags), [card for bag in bags for card in bag.known])
    return [together] if len(together) else []


def draw(bags: list[Bag], pool: Counter[int], chance: Chance, depth: int = 0) -> int:
    """Take out the card that lies at this depth, and return its rank.

    Parameters
    ----------
    bags
        Where it lies, from the top.
    pool
        Unseen cards of each rank, of which unseen cards of these bags are any.
    chance
        Decides which card it is.
    depth
        Cards above it.
    """
    place = 0
    while depth >= len(bags[place]):
        depth -= len(bags[place])
        place += 1
    bag = bags[place]
    known = Counter(bag.known)
    ranks = sorted(known) + sorted(rank for rank, number in pool.items() if number)
    n_pool = sum(pool.values())
    weights = [known[rank] * max(n_pool, 1) for rank in sorted(known)]
    weights += [bag.unseen * pool[rank] for rank in ranks[len(weights) :]]
    chosen = chance.pick(weights)
    rank = ranks[chosen]
    if chosen < len(known):
        bag.known.remove(rank)
    else:
        bag.unseen -= 1
        pool[rank] -= 1
    if not len(bag):
        bags.pop(place)
    return rank

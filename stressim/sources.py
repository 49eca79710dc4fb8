"""The rule texts that options and presets cite, and how they cite them."""

from __future__ import annotations

TEXTS = {
    "S0": "a Norwegian text on the swapping game, James Bond",
    "S1": "the game of the Norwegian Wikibooks, with house rules",
    "S2": "a long Swedish article, with house rules",
    "S3": "a short Swedish page of rules",
    "S4": "a German article, with Swiss and skat variants",
    "pagat": "the collection of card games that S2 names for Spit and Speed",
    "others": "rules of other tables",
}
"""What each name of a text in a source stands for."""

CITED = "S2:38 is line 38 of S2; U21 or A-U4 is a case that the texts leave open or settle in different ways"
"""How to read a source."""

"""What is known without simulation: deals counted, races integrated, matches added up, small decks solved whole.

What concerns one family's rules lies in its folder (``deal_facts.py``, ``small_deck.py``); here is what any game can
use. Probabilities of cards are fractions, those of times are integrals with their accuracy.
"""

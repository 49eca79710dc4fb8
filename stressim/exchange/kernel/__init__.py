"""The compiled exchange game.

Reading order: ``layout`` (where the state lies), ``moves`` (cards and what follows from moving them), ``uniform`` and
``human`` (the two timing modes; ``hands`` is what one player does), ``run`` (entry points).
"""

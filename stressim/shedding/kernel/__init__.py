"""The compiled kernels of the shedding game; only this folder is compiled.

``layout`` says where a deal's state lies. ``places``, ``piles``, ``lanes``, ``rows``, ``pickups``, ``flips`` and
``ends`` hold what both timing modes share. ``uniform`` plays without a clock, with ``uniform_plays`` and
``uniform_singles`` for single plays, ``uniform_stress`` and ``uniform_flips``; ``human``, with ``hands`` for what one
player does, ``stress`` for slaps, and ``table`` and ``restart`` for what all do together, plays with one.
"""

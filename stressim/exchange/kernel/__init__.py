"""The compiled kernels of the exchange game; only this folder is compiled.

``layout`` says where a deal's state lies. ``places``, ``bunches``, ``bars``, ``counting``, ``swaps`` and ``ends`` hold
what both timing modes share. ``uniform`` plays without a clock; ``human`` plays with one, with ``acts``, ``seeing``,
``plans`` and ``hands`` for what one player does, ``reaching`` and ``contest`` for hands at the centre, and ``judge``
for stalls, locks and deadlocks.
"""

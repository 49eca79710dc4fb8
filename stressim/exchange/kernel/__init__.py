"""The compiled kernels of the exchange game; only this folder is compiled.

``layout`` says where a deal's state lies. ``places``, ``bunches``, ``bars``, ``counting``, ``swaps`` and ``ends`` hold
what both timing modes share, and so do ``teams``, ``finish`` (places in a ranking) and ``handicap`` for games that have
them. ``uniform`` plays without a clock; ``human`` plays with one, with ``acts``, ``seeing``, ``plans``, ``hands``,
``picking_up`` and ``changing`` for what one player does, ``reaching`` and ``contest`` for hands at the centre,
``calls`` for the beginning and the end, and ``judge`` for stalls, locks and deadlocks.
"""

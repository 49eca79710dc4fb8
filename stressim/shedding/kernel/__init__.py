"""The compiled kernels of the shedding game.

``layout`` says where a deal's state lies, ``moves`` holds what both timing modes share (cards, flips, pickups, the
lead), ``uniform`` plays without a clock, ``human`` with hands and eyes. Only this folder is compiled.
"""

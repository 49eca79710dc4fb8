"""Pages to look at instead of typing: rules to toggle in a browser, and an atlas of the ways in which deals get stuck.

An explorer's study file names games and choices (:mod:`~stressim.explorer.study`), which make a grid of combinations
(:mod:`~stressim.explorer.grid`). Each is played beforehand on the same deals (:mod:`~stressim.explorer.playing`) into
a table that can be taken up again (:mod:`~stressim.explorer.table`); the page carries the table as whole numbers,
packed column by column (:mod:`~stressim.explorer.packing`, :mod:`~stressim.explorer.page`). The atlas
(:mod:`~stressim.explorer.atlas`) counts what a family declares in its module ``ways``.
"""

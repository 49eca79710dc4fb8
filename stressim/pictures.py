"""Pictures whose bytes come again, for paper and screens, in light and dark.

Drawn without pyplot and without automatic layout, from fixed defaults and the bundled font. An SVG is cleaned of what
matplotlib adds (prolog, metadata, names of groups), its numbers are rounded to two decimals, and the stand-in colours
become CSS variables, so that the picture follows the reader's light or dark theme, alone or inside a page. The bytes
are the same with one minor version of matplotlib; the data that they show are the same everywhere.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from stressim.errors import InputError, one_of
from stressim.files import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png", ".pdf")

COLOURS = {
    # name: stand-in (also for PNG and PDF), light, dark. Series colours are Okabe and Ito's, darker on white and
    # lighter on dark.
    "paper": ("#fefefe", "#ffffff", "#16181d"),
    "ink": ("#222223", "#222222", "#e6e6e6"),
    "grey": ("#666667", "#666666", "#a8a8a8"),
    "pale": ("#e4e4e5", "#e4e4e4", "#353941"),
    "blue": ("#0072b2", "#0072b2", "#56b4e9"),
    "vermillion": ("#d55e00", "#bf5400", "#ff8c42"),
    "green": ("#009e73", "#007a59", "#2fc79b"),
    "purple": ("#cc79a7", "#a8437a", "#e39bc4"),
    "orange": ("#e69f00", "#9a6a00", "#f0b840"),
    "sky": ("#56b4ea", "#2579ab", "#8fd0f7"),
}
"""Colours by name: what is drawn with, and what a reader sees in the light and in the dark theme."""

PAPER, INK, GREY, PALE, BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY = (stand_in for stand_in, _, _ in COLOURS.values())
SERIES = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)
MARKERS = ("o", "s", "^", "D", "v", "P")
"""Markers that go with the series' colours, so that no series is told by colour alone."""

_TAG = re.compile(r"<[^>]+>")
_NUMBER = re.compile(r"-?\d+\.\d+")


def variables(theme: str) -> str:
    """Return the CSS variables of a theme, ``light`` or ``dark``.

    Examples
    --------
    >>> variables("dark")[:30]
    '--paper:#16181d;--ink:#e6e6e6;'
    """
    return "".join(f"--{name}:{light if theme == 'light' else dark};" for name, (_, light, dark) in COLOURS.items())


def check_path(path: Path) -> None:
    """Refuse a path where no picture could be written, before anything is computed for it.

    Raises
    ------
    InputError
        If the suffix is unknown, or the folder is missing or not writable.
    """
    if path.suffix.lower() not in SUFFIXES:
        given = f"{path.suffix!r}" if path.suffix else "no suffix"
        raise InputError(f"--plot {path}: a picture's suffix must be {one_of(SUFFIXES)}, not {given}")
    if not path.parent.is_dir():
        raise InputError(f"--plot {path}: there is no folder {str(path.parent)!r}")
    if path.exists() and not path.is_file():
        raise InputError(f"--plot {path}: it is no ordinary file")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise InputError(f"--plot {path}: the folder {str(path.parent)!r} is not writable")


def save(draw: Callable[[], Figure], path: Path, *, title: str, description: str = "") -> None:
    """Draw into a file; it is there whole or not at all. See :func:`render`.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    check_path(path)
    content = render(draw, path.suffix.lower().removeprefix("."), title=title, description=description, name=path.stem)
    write_whole(path, content)


def render(draw: Callable[[], Figure], kind: str, *, title: str, description: str = "", name: str = "") -> bytes:
    """Draw and return a file's content.

    Parameters
    ----------
    draw
        Makes the figure, in the fixed style.
    kind
        ``svg``, ``png`` or ``pdf``.
    title, description
        What a screen reader says.
    name
        Of the figure; names inside the SVG are made from it, so that two figures of one page do not collide.
    """
    with fixed_style(name or title):
        drawn = draw()
        content = io.BytesIO()
        if kind == "svg":
            drawn.savefig(content, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
            return cleaned(content.getvalue().decode(), title=title, description=description).encode()
        if kind == "pdf":
            drawn.savefig(content, format="pdf", metadata=dict.fromkeys(("CreationDate", "Creator", "Producer")))
        else:
            drawn.savefig(content, format="png", dpi=160, metadata={"Software": None})
        return content.getvalue()


@contextlib.contextmanager
def fixed_style(salt: str) -> Iterator[None]:
    """Draw from matplotlib's defaults with this package's changes and stand-in colours, whatever the user's style is.

    Parameters
    ----------
    salt
        Names inside an SVG are made from it.
    """
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(
            {
                "svg.hashsalt": salt,
                "svg.fonttype": "none",
                "path.simplify": False,
                "font.family": ["DejaVu Sans"],
                "text.parse_math": False,
                "font.size": 9,
                "figure.facecolor": PAPER,
                "axes.facecolor": "none",
                "text.color": INK,
                "axes.labelcolor": INK,
                "xtick.color": INK,
                "ytick.color": INK,
                "axes.edgecolor": GREY,
                "axes.unicode_minus": False,
            }
        )
        yield


def new_figure(width: float, height: float) -> Figure:
    """Return a figure of so many inches, without automatic layout."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="none")  # type: ignore[arg-type]  # documented, not in its stubs


def cleaned(svg: str, *, title: str, description: str = "") -> str:
    """Return an SVG without what changes or says nothing, with a title and the reader's colours."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r"\s*<style[^>]*>.*?</style>", "", svg, flags=re.S)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    svg = re.sub(r"\s*<!--.*?-->", "", svg, flags=re.S)
    # In tags only: what a picture says keeps its digits.
    svg = _TAG.sub(lambda tag: _NUMBER.sub(_two_decimals, tag[0]), svg)
    svg = svg.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif").replace('\n"', '"')
    for name, (stand_in, _, _) in COLOURS.items():
        svg = svg.replace(stand_in, f"var(--{name})")
    # matplotlib's default strokes of text and markers; without a word they would be black on black.
    style = (
        f"<style>svg{{{variables('light')}stroke-linejoin:round;stroke-linecap:butt}}"
        f"@media(prefers-color-scheme:dark){{svg{{{variables('dark')}}}}}</style>"
    )
    head, end, rest = svg.partition(">")
    width = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', head)
    if width is not None:
        # Points would be a third too small on a screen; a page may still make it narrower.
        head = re.sub(r'(?<= )(width|height)="[^"]*"', "", head)
        head = f'{head.rstrip()} width="{float(width[1]) * 4 / 3:.0f}"'
    about = f"<title>{_escaped(title)}</title>" + (f"<desc>{_escaped(description)}</desc>" if description else "")
    return f'{head} role="img"{end}\n{about}\n{style}{rest}'


def _two_decimals(match: re.Match[str]) -> str:
    text = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

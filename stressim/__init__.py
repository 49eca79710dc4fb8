"""Monte Carlo rules analysis for the card games called Stress."""

from stressim._version import __version__

__all__ = ["__version__"]

"""What can be done with a match: stored as a log of events, projected, exported and imported."""

from scorepad.matches.service import Pad

__all__ = ["Pad"]

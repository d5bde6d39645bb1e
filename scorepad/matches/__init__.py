"""What can be done with a match, and who may do it: plain values in and out."""

from scorepad.matches.pad import Pad

__all__ = ["Pad"]

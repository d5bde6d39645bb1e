"""What can be done with a match, and who may do it: plain values in and out."""

from scorepad.pad.pad import Pad

__all__ = ["Pad"]

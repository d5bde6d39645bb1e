"""The command line."""

from scorepad.cli.program import main

__all__ = ["main"]

"""The command line."""

from scorepad.cli.base import main

__all__ = ["main"]

"""The command line."""

from scorepad.cli.main import main

__all__ = ["main"]

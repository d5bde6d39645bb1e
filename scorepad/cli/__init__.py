"""The commands."""

from scorepad.cli.growing import growing

with growing():
    from scorepad.cli.main import main

__all__ = ["main"]

"""The data file: rows to values and back. The only room that knows SQL."""

from scorepad.storage.storage import Storage

__all__ = ["Storage"]

"""The data file: converts rows to values and back. The only package that uses SQL."""

from scorepad.storage.storage import Storage

__all__ = ["Storage"]

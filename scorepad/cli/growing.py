"""Starting quickly: no looking for garbage while modules are read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def growing() -> Iterator[None]:
    """While a program reads its modules it only grows: the search for garbage waits, and later passes over them."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()

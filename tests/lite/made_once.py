"""Folders that all processes of a test run share."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """The folder for what all processes of this run share."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        return folder.parent
    return folder


def make_once(folder: Path, make: Callable[[Path], object]) -> Path:
    """Make a folder by a function, unless it has been made, and return it.

    A process waits while another one makes it.
    """
    complete = folder.with_name(f"{folder.name}-complete")
    with folder.with_name(f"{folder.name}-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not complete.exists():
            make(folder)
            complete.touch()
    return folder

"""An application on a data file of its own, and devices that visit it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from scorepad.app import Config, create_app
from scorepad.pad import Pad
from scorepad.web.frame import Setup
from tests.web.client import Client


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    # Not closed: a browser test may leave a request on its way, and SQLite does not survive having its connection
    # closed by another thread. Each connection closes when its thread, or the application, is gone.
    return create_app(Config(tmp_path / "scorepad.db", b"k" * 32, testing=True))


@pytest.fixture
def pad(app: Flask) -> Pad:
    return setup_of(app).pad


@pytest.fixture
def visit(app: Flask) -> Callable[..., Client]:
    """Another device."""
    return lambda language="it": Client(app, language)


@pytest.fixture
def client(visit: Callable[..., Client]) -> Client:
    return visit()


def setup_of(app: Flask) -> Setup:
    made = app.extensions["scorepad"]
    assert isinstance(made, Setup)
    return made

"""An application on a data file of its own, and devices that visit it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page
from werkzeug.serving import make_server
from werkzeug.test import run_wsgi_app

from scorepad.app import Config
from scorepad.matches import Pad
from scorepad.matches.access import MatchId
from scorepad.web.base import AppState
from scorepad.web.cookies import DEVICE_COOKIE, LANGUAGE_COOKIE
from tests.apps import shared_app
from tests.cookies import device_cookie
from tests.web.client import Client, Visit
from tests.web.player import Begin, Player
from tests.web.playing import DEVICE, HAND_430_TO_60, begin_on_pad, start

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    # Not closed: a browser test may leave a request on its way, and SQLite does not survive having
    # its connection closed by another thread. Each connection closes when its thread, or the
    # application, is gone.
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, testing=True))


@pytest.fixture
def pad(app: Flask) -> Pad:
    return setup_of(app).pad


@pytest.fixture
def visit(app: Flask) -> Visit:
    """Another device."""
    return lambda language="it": Client(app, language)


@pytest.fixture
def client(visit: Visit) -> Client:
    return visit()


@pytest.fixture
def guest(visit: Visit) -> Client:
    """Another device that is in no match yet."""
    return visit()


@pytest.fixture
def begin(client: Client, pad: Pad) -> Begin:
    """Whoever holds a new match of a variant, with what is typed at its start."""
    return lambda *variant, **typed: Player(client, pad, start(client, *variant, **typed))


@pytest.fixture
def player(begin: Begin) -> Player:
    """Whoever holds a match without a hand."""
    return begin()


@pytest.fixture
def leading(player: Player) -> Player:
    """Whoever holds a match at 430 to 60."""
    player.play(HAND_430_TO_60)
    return player


@pytest.fixture
def url(client: Client) -> str:
    """A match that the client started."""
    return start(client)


def setup_of(app: Flask) -> AppState:
    made = app.extensions["scorepad"]
    assert isinstance(made, AppState)
    return made


# ---------------------------------------------------------------- in a browser


@contextmanager
def serving(application: WSGIApplication) -> Iterator[str]:
    """Run a server for an application; its address."""

    def read_whole(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Read and close the response: werkzeug's server leaves its file open if the client has
        gone.
        """
        body, status, headers = run_wsgi_app(application, environ, buffered=True)
        start_response(status, headers.to_wsgi_list())
        return body

    server = make_server("127.0.0.1", 0, read_whole, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Where the application answers."""
    with serving(app) as address:
        yield address


@pytest.fixture
def new_match(pad: Pad) -> Callable[..., MatchId]:
    """A match of this device."""

    def start(
        variant: str = "classica",
        preset: str | None = None,
        names: tuple[str, ...] = ("Noi", "Loro"),
        players: tuple[tuple[str, ...], ...] = (),
    ) -> MatchId:
        return begin_on_pad(pad, DEVICE, variant, names, preset=preset, players=players).match

    return start


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """A page of this device, phone size unless said otherwise. What the script complains of fails
    the test.
    """
    contexts, complaints = [], []

    def show(path: str, width: int = 390, height: int = 844, **more: str | bool) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=True,
            is_mobile=width < 1000,
            **{"locale": "it-IT", **more},
        )
        chosen = str(more.get("locale", "it"))[:2]
        context.add_cookies(
            [
                {"name": DEVICE_COOKIE, "value": device_cookie(DEVICE), "url": address},
                {"name": LANGUAGE_COOKIE, "value": chosen, "url": address},
            ]
        )
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address + path)
        contexts.append(context)
        return page

    yield show
    for context in contexts:
        context.close()
    assert complaints == []

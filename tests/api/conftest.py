"""An application on a data file of its own, and a program that asks it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from pydantic import TypeAdapter
from werkzeug.test import TestResponse

from scorepad.api import PAD
from scorepad.app import Config
from scorepad.matches import Pad
from tests.apps import shared_app


def assert_conforms(answer: type, told: object) -> None:
    """An answer has the form that the document promises."""
    TypeAdapter(answer).validate_python(told)


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    # A program that tries everything asks oftener than a table does.
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, limited=False, testing=True))


@pytest.fixture
def pad(app: Flask) -> Pad:
    pad = app.extensions[PAD]
    assert isinstance(pad, Pad)
    return pad


@dataclass
class Program:
    """Whoever asks, with a key or without."""

    app: Flask
    key: str = ""
    language: str = "en"

    def ask(self, method: str, path: str, body: Any = None, status: int = 200, **more: Any) -> Any:
        """The answer in JSON, checked: its status and headers are those expected."""
        answer = self.send(method, path, body, **more)
        assert answer.status_code == status, answer.text
        assert answer.content_type == "application/json"
        assert answer.headers["Content-Language"] == self.language
        assert "Accept-Language" in answer.headers["Vary"]
        assert "Set-Cookie" not in answer.headers
        return answer.json

    def send(self, method: str, path: str, body: Any = None, **more: Any) -> TestResponse:
        """The answer to a request, whatever it is."""
        headers = {"Accept-Language": self.language, **more.pop("headers", {})}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        if body is not None:
            more["json"] = body
        return self.app.test_client().open(f"/api/v1{path}", method=method, headers=headers, **more)


@pytest.fixture
def program(app: Flask) -> Program:
    """Somebody without a key."""
    return Program(app)


@dataclass
class BegunMatch:
    """A match that was begun over HTTP: who may write, and who may only look."""

    id: str
    writer: Program
    looker: Program

    @property
    def path(self) -> str:
        return f"/matches/{self.id}"

    def count(self, number: int, sides: Any, status: int = 201, **more: Any) -> Any:
        """Count a hand as the writer."""
        return self.write("POST", "/hands", {"number": number, "sides": sides, **more}, status)

    def write(self, method: str, path: str, body: Any, status: int = 200) -> Any:
        """Ask as the writer for something within the match."""
        return self.writer.ask(method, f"{self.path}{path}", body, status)

    def read(self) -> Any:
        """The match as the writer sees it."""
        return self.writer.ask("GET", self.path)


@pytest.fixture
def begin(program: Program) -> Callable[..., BegunMatch]:
    """Begins a match of We and They over HTTP."""

    def start(**told: Any) -> BegunMatch:
        answer = program.ask("POST", "/matches", {"names": ["We", "They"], **told}, 201)
        writer = Program(program.app, answer["keys"]["write"])
        looker = Program(program.app, answer["keys"]["view"])
        return BegunMatch(answer["match"]["id"], writer, looker)

    return start


@pytest.fixture
def begun_match(begin: Callable[..., BegunMatch]) -> BegunMatch:
    return begin()

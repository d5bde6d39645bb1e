"""The program as it is asked from outside, in this process: commands, JSON over HTTP, pages."""

import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urljoin
from xml.etree.ElementTree import Element

import cssselect2
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorepad.app import Config, create_app
from scorepad.cli import main
from tests.answers.masks import Masks
from tests.answers.page_text import read_page, text_lines
from tests.answers.papers import papers_as_html
from tests.conftest import MEMORY
from tests.data import read_data
from tests.fixed import Clock, fixed_chance, fixed_clock, nobodys_home
from tests.web.client import Page

LANGUAGES = ("it", "en")
KEY = b"k" * 32
WRONG = read_data("answers/wrong.toml")
Answer = Any
"""What JSON can hold. A text is a list of its lines."""
Answers = Iterator[tuple[str, Answer]]
"""Answers by name."""


@dataclass
class Program:
    """The program on a data file of its own."""

    folder: Path
    app: Flask
    clock: Clock
    masks: Masks
    papers: list[str]
    only: tuple[str, ...]
    """Patterns of the names of answers that are asked for; none: all."""

    @property
    def data(self) -> Path:
        return self.folder / "scorepad.db"

    def is_wanted(self, name: str) -> bool:
        """Whether an answer is asked for."""
        return matches_any(name, self.only)

    # ------------------------------------------------------------ the command line

    def run(
        self, *arguments: str | Path, language: str = "it", given: bytes = b""
    ) -> dict[str, Answer]:
        """A command with what it wrote and its exit status."""
        written, errors = io.BytesIO(), io.BytesIO()
        status: Any = None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8"))
            patch.setattr(sys, "stdout", io.TextIOWrapper(written, "utf-8"))
            patch.setattr(sys, "stderr", io.TextIOWrapper(errors, "utf-8"))
            try:
                main([*map(str, arguments), "--lang", language])
            except SystemExit as end:
                status = end.code
            sys.stdout.flush()
            sys.stderr.flush()
            return {
                "status": status,
                "out": written.getvalue().decode().splitlines(),
                "errors": errors.getvalue().decode().splitlines(),
            }

    def run_on_data(self, *arguments: str | Path, language: str = "it") -> dict[str, Answer]:
        """A command on the data file."""
        return self.run(*arguments, "--data", self.data, language=language)

    # ------------------------------------------------------------ HTTP

    def ask(
        self, method: str, path: str, language: str = "it", key: str = "", **more: Any
    ) -> dict[str, Answer]:
        """An answer of the JSON interface: its status, its type and what it holds."""
        headers = {"Accept-Language": language, **more.pop("headers", {})}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        response = self.app.test_client().open(
            f"/api/v1{path}", method=method, headers=headers, **more
        )
        told = {"status": response.status_code, "type": response.content_type}
        told["body"] = response.json if response.is_json else response.text.splitlines()
        for name in ("Location", "WWW-Authenticate", "Content-Language"):
            if name in response.headers:
                told[name] = response.headers[name]
        if response.allow:
            told["Allow"] = sorted(response.allow)
        return told


def matches_any(name: str, patterns: Sequence[str]) -> bool:
    """Whether a name matches one of these patterns; every name does if there are none."""
    if not patterns:
        return True
    return any(fnmatchcase(name, pattern) for pattern in patterns)


class Visitor:
    """A browser without script."""

    def __init__(self, app: Flask, cookies: Iterable[tuple[str, str, str]] = ()) -> None:
        self.client = FlaskClient(app, app.response_class, use_cookies=True)
        self.language = "it"
        for name, value, path in cookies:
            self.client.set_cookie(name, value, path=path)

    def get(self, path: str) -> dict[str, Answer]:
        """A page as text."""
        return page_answer(self.fetch(path))

    def fetch(self, path: str) -> TestResponse:
        self.client.set_cookie("scorepad_language", self.language)
        headers = {"Accept-Language": self.language}
        return self.client.get(path, headers=headers, follow_redirects=True, buffered=True)

    def press(
        self, path: str, selector: str, typed: Mapping[str, str], to: str = ""
    ) -> dict[str, Answer]:
        """What comes of typing into a page and pressing a button; `to`: where the form leads
        instead.
        """
        response = self.fetch(path)
        elements = read_page(response.text)
        button = _find(elements, selector)
        form = _form_of(elements, button)
        page = Page(response, path)
        number = list(elements.iter("form")).index(form)
        fields = page.values(page.all("form")[number]) | dict(typed)
        if button.get("name"):
            fields[button.attrib["name"]] = button.get("value", "")
        address = to or urljoin(response.request.path, form.get("action", ""))
        return self.post(address, fields)

    def post(self, path: str, fields: Mapping[str, str]) -> dict[str, Answer]:
        headers = {"Accept-Language": self.language}
        response = self.client.post(
            path, data=fields, headers=headers, follow_redirects=True, buffered=True
        )
        return page_answer(response)


def page_answer(response: TestResponse) -> dict[str, Answer]:
    """A response of the pages: its status, where it was found and what it says."""
    answer: dict[str, Answer] = {"status": response.status_code, "type": response.content_type}
    if response.history:
        answer["at"] = response.request.path
    if response.mimetype == "text/html":
        answer["says"] = text_lines(response.text)
    elif response.is_json:
        answer["body"] = response.json
    elif response.mimetype.startswith("text/"):
        answer["says"] = response.text.splitlines()
    return answer


def _find(page: Element, selector: str) -> Element:
    wrapped = cssselect2.ElementWrapper.from_html_root(page)
    found = wrapped.query(selector)
    assert found is not None, f"nothing on the page is {selector}"
    element = found.etree_element
    assert isinstance(element, Element)
    return element


def _form_of(page: Element, button: Element) -> Element:
    for form in page.iter("form"):
        if any(each is button for each in form.iter("button")):
            return form
        if form.get("id") and form.get("id") == button.get("form"):
            return form
    raise AssertionError("a button without a form")


@contextmanager
def started(only: Iterable[str] = ()) -> Iterator[Program]:
    """The program with fixed time and chance, on a new data file."""
    with ExitStack() as stack:
        place = MEMORY if MEMORY.is_dir() else None
        folder = stack.enter_context(TemporaryDirectory(prefix="scorepad-", dir=place))
        stack.enter_context(nobodys_home())
        clock = stack.enter_context(fixed_clock())
        stack.enter_context(fixed_chance())
        papers = stack.enter_context(papers_as_html())
        data = Path(folder) / "scorepad.db"
        app = create_app(Config(data, KEY, listens="0.0.0.0", limited=False, testing=True))
        yield Program(Path(folder), app, clock, Masks(folder), papers, tuple(only))

"""The bridge from the worker's JavaScript to the application: requests, cookies and files.

The worker calls `Bridge.answer` for each request, and then stores what `take_changes` returns in
the browser's storage before it passes the answer on. If that fails it puts the stored files back,
and calls `answer_unsaved`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import request
from typing_extensions import Buffer
from werkzeug.test import EnvironBuilder, run_wsgi_app

from scorepad.app.factory import Config, create_app, signing_key
from scorepad.lite.inside.compiled_templates import use_compiled_templates
from scorepad.lite.inside.cookie_jar import CookieJar
from scorepad.rules.variants import offer_own_variants
from scorepad.storage.connection import Unwritable

FOLDER = Path("/data")
"""The folder of the data file, in the memory of the worker."""
DATA_FILE = "matches.db"
HOUSE_RULES = "house-rules"
"""The folder of the users' own rules, beside the data file."""
COOKIES_FILE = "cookies.json"
"""The name under which the cookies are kept among the files."""
_NOT_STORED = (".new", "-journal")
"""Endings of files that exist only while something is written."""
_NOT_SENT = {"accept-encoding", "cookie"}
"""Request headers that the application does not get: the jar has the cookies, and an answer that
stays in the browser need not be compressed.
"""
_CHANGE_COUNTER = slice(24, 28)
"""Where an SQLite file counts its committed changes."""

Header = tuple[str, str]


class Answer(NamedTuple):
    """The response to a request."""

    status: int
    headers: list[Header]
    body: bytes


class _FileState(NamedTuple):
    """By what a changed file is recognised."""

    modified: int
    size: int
    change_counter: bytes


class Bridge:
    """The application, the cookies of its browser, and the files in its folder.

    `site` is the URL of the application without a slash at its end, such as
    `https://example.org/canasta/app`; `files` are the stored files by name, which are put into
    `folder`.
    """

    def __init__(self, site: str, files: Mapping[str, Buffer], folder: Path = FOLDER) -> None:
        (folder / HOUSE_RULES).mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._data_file = folder / DATA_FILE
        self._jar = CookieJar()
        self._stored: dict[str, _FileState] = {}
        self._stored_cookies = ""
        self.put_back(files)
        self._script_name = urlsplit(site).path
        self._write_error: Unwritable | None = None
        config = Config(
            self._data_file,
            signing_key(self._data_file),
            allowed_hosts=(urlsplit(site).hostname or "",),
            limited=False,
            alone=True,
        )
        self._app = create_app(config)
        use_compiled_templates(self._app)
        self._app.before_request(self._refuse_if_not_saved)

    # ------------------------------------------------------------ requests

    def answer(
        self, method: str, url: str, headers: Iterable[Header], body: bytes | None
    ) -> Answer:
        """Answer a request; the URL is one below the site."""
        parts = urlsplit(url)
        path = parts.path.removeprefix(self._script_name) or "/"
        sent_headers = [(name, value) for name, value in headers if name.lower() not in _NOT_SENT]
        cookies = self._jar.header_for(parts.path)
        if cookies:
            sent_headers.append(("Cookie", cookies))
        builder = EnvironBuilder(
            path=path,
            base_url=f"{parts.scheme}://{parts.netloc}{self._script_name}/",
            query_string=parts.query,
            method=method,
            headers=sent_headers,
            input_stream=BytesIO(body or b""),
            content_length=len(body or b""),
        )
        chunks, status, answer_headers = run_wsgi_app(
            self._app.wsgi_app, builder.get_environ(), buffered=True
        )
        for cookie in answer_headers.getlist("Set-Cookie"):
            self._jar.store(cookie)
        answer_headers.remove("Set-Cookie")
        return Answer(int(status.split()[0]), list(answer_headers), b"".join(chunks))

    def answer_unsaved(
        self, method: str, url: str, headers: Iterable[Header], body: bytes | None, detail: str
    ) -> Answer:
        """Answer a request whose changes could not be stored: with the page that says so.

        The page has what was typed, to send it again. `detail` is the browser's message.
        """
        self._write_error = Unwritable(self._data_file, detail, "full")
        try:
            return self.answer(method, url, headers, body)
        finally:
            self._write_error = None

    def _refuse_if_not_saved(self) -> None:
        if self._write_error is not None and request.endpoint != "static":
            raise self._write_error

    # ------------------------------------------------------------ files

    def put_back(self, files: Mapping[str, Buffer]) -> None:
        """Make the folder and the cookies what is stored; used at the start too.

        A file is replaced, not overwritten: the application notices that and opens it anew.
        """
        for path in _list_files(self._folder):
            path.unlink()
        for name, content in files.items():
            if name != COOKIES_FILE:
                path = self._folder / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(content)
        offer_own_variants(self._folder / HOUSE_RULES)
        self._stored_cookies = bytes(files.get(COOKIES_FILE, b"[]")).decode()
        self._jar = CookieJar(self._stored_cookies)
        self._stored = _look_at_files(self._folder)

    def take_changes(self) -> dict[str, bytes | None]:
        """Return the files that have changed since they were stored, by name; None: it is deleted.

        They count as stored from now on.
        """
        states = _look_at_files(self._folder)
        changes: dict[str, bytes | None] = {}
        for name, state in states.items():
            if self._stored.get(name) != state:
                changes[name] = (self._folder / name).read_bytes()
        for name in self._stored:
            if name not in states:
                changes[name] = None
        cookies = self._jar.to_json()
        if cookies != self._stored_cookies:
            changes[COOKIES_FILE] = cookies.encode()
        self._stored = states
        self._stored_cookies = cookies
        return changes


def _list_files(folder: Path) -> list[Path]:
    """List all files in a folder and in the folders inside it."""
    return [path for path in folder.rglob("*") if path.is_file()]


def _look_at_files(folder: Path) -> dict[str, _FileState]:
    """Look at all files in the folder that are stored; their names have the folders inside it."""
    states = {}
    for path in _list_files(folder):
        if path.name.endswith(_NOT_STORED):
            continue
        with path.open("rb") as stream:
            header = stream.read(_CHANGE_COUNTER.stop)
        status = path.stat()
        name = path.relative_to(folder).as_posix()
        states[name] = _FileState(status.st_mtime_ns, status.st_size, header[_CHANGE_COUNTER])
    return states

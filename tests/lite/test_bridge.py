"""The bridge of a pad alone: requests, cookies, and the files that are stored.

A pad alone runs in the browser, without a server. A worker in JavaScript passes each request of a
page to the bridge, which asks the application, and says which files the browser has to store.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

from scorepad.lite.inside import bridge as bridge_module
from scorepad.lite.inside.bridge import (
    COOKIES_FILE,
    DATA_FILE,
    HOUSE_RULES,
    Answer,
    Bridge,
)
from scorepad.rules.variants import offer_own_variants

SITE = "https://somebody.example/canasta/app"
HEADERS = [("Accept-Language", "it"), ("Origin", "https://somebody.example")]
FORM = [*HEADERS, ("Content-Type", "application/x-www-form-urlencoded")]

OWN_RULES = """\
id = "di-casa"
extends = "classica"

[words.it]
name = "Canasta di casa"
special = "Tredici carte."

[words.en]
name = "House canasta"
special = "Thirteen cards."

[settings.dealt]
value = 13
standing = "house"
"""


class Worker:
    """Does with a bridge what the worker in JavaScript does; `stored` is the browser's storage."""

    def __init__(self, folder: Path, stored: Mapping[str, bytes]) -> None:
        self.stored = dict(stored)
        self.bridge = Bridge(SITE, self.stored, folder)

    def get(self, path: str) -> Answer:
        return self._ask("GET", path, HEADERS, None)

    def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        return self._ask("POST", path, FORM, urlencode(fields).encode())

    def post_without_room(self, path: str, fields: Mapping[str, str]) -> Answer:
        """Send a form whose changes the browser has no room to store, and return the answer."""
        # The application answers as if all was well, and there are changed files to be stored.
        body = urlencode(fields).encode()
        self.bridge.answer("POST", SITE + path, FORM, body)
        assert self.bridge.take_changes()

        # The browser cannot store them. The application gets the files back as they were before, and
        # answers the form anew: now with a page which says that nothing was saved.
        self.bridge.put_back(self.stored)
        return self.bridge.answer_unsaved("POST", SITE + path, FORM, body, "no room")

    def begin_match(self) -> str:
        """Begin a match, and return its path."""
        answer = self.post("/partite/nuova", self.fill_form("/partite/nuova"))
        assert answer.status == 303
        return location(answer).removeprefix("/canasta/app")

    def fill_form(self, path: str, **typed: str) -> dict[str, str]:
        """Return the fields of a page's form: the hidden ones by their names, and what is typed."""
        page = self.get(path).body.decode()
        fields = {}
        # Such as: <input type="hidden" name="csrf_token" value="…">
        for field in re.findall(r"<input [^>]*hidden[^>]*>", page):
            name = re.search(r'name="([^"]*)"', field)
            value = re.search(r'value="([^"]*)"', field)
            if name and value:
                fields[name[1]] = unescape(value[1])
        return fields | typed

    def _ask(
        self, method: str, path: str, headers: list[tuple[str, str]], body: bytes | None
    ) -> Answer:
        """Ask the bridge, and store the files that have changed; None stands for a deleted one."""
        answer = self.bridge.answer(method, SITE + path, headers, body)
        for name, content in self.bridge.take_changes().items():
            if content is None:
                del self.stored[name]
            else:
                self.stored[name] = content
        return answer


def location(answer: Answer) -> str:
    return dict(answer.headers)["Location"]


@pytest.fixture(autouse=True)
def _outside_a_browser(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the bridge work in this process, without what is special in a browser."""
    # In a browser the bridge makes the application use templates that were compiled when the site
    # was built. Here there are none, so nothing is done, and the application uses its templates.
    monkeypatch.setattr(bridge_module, "use_compiled_templates", lambda _app: None)
    yield

    # The bridge offered the house rules of the test's folder to the whole process.
    no_folder = None
    offer_own_variants(no_folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the data file. In a browser it is one in memory."""
    return tmp_path / "data"


@pytest.fixture
def worker(folder: Path) -> Worker:
    """A worker in a browser that has stored nothing."""
    return Worker(folder, {})


def test_pages_and_their_links_are_below_the_path_of_the_site(worker: Worker) -> None:
    # The pad of this site is below https://somebody.example/canasta/app.
    home = worker.get("/")
    assert home.status == 200

    links = re.findall(r'href="(/[^"]*)"', home.body.decode())
    assert links
    assert [link for link in links if not link.startswith("/canasta/app/")] == []


def test_answer_to_a_form_leads_below_the_path_too(worker: Worker) -> None:
    # The form of a new match is answered by a redirection to /canasta/app/partite/k3v.
    match = worker.begin_match()

    assert re.fullmatch(r"/partite/[a-z0-9]+", match)
    assert worker.get(match).status == 200


def test_cookies_go_to_the_jar_and_not_to_the_browser(worker: Worker) -> None:
    # Beginning a match sets a cookie, and a later page may set it anew.
    worker.begin_match()
    answer = worker.get("/")

    # A worker cannot set cookies of the browser: the bridge keeps them in a file, the jar.
    assert "Set-Cookie" not in dict(answer.headers)
    assert COOKIES_FILE in worker.stored


def test_another_worker_goes_on_with_what_is_stored(worker: Worker, tmp_path: Path) -> None:
    match = worker.begin_match()

    # The browser starts a new worker with the files that it has stored.
    other = Worker(tmp_path / "other", worker.stored)

    assert other.get(match).status == 200
    assert other.bridge.take_changes() == {}


def test_a_page_that_changes_nothing_leaves_nothing_to_store(worker: Worker) -> None:
    # The first visit of the match may change something. The second changes nothing.
    match = worker.begin_match()
    worker.get(match)
    worker.bridge.answer("GET", SITE + match, HEADERS, None)

    assert worker.bridge.take_changes() == {}


def test_only_the_data_file_changes_when_something_is_saved(worker: Worker) -> None:
    match = worker.begin_match()

    # The sides get new names.
    fields = worker.fill_form(f"{match}/nomi", **{"name-0": "Gatti", "name-1": "Volpi"})
    worker.bridge.answer("POST", f"{SITE}{match}/nomi", FORM, urlencode(fields).encode())

    assert list(worker.bridge.take_changes()) == [DATA_FILE]


def test_temporary_files_are_not_stored(worker: Worker, folder: Path) -> None:
    worker.begin_match()

    # Such files exist only while SQLite, or the program itself, writes something.
    (folder / f"{DATA_FILE}-journal").write_bytes(b"half")
    (folder / "anything.new").write_bytes(b"half")

    assert worker.bridge.take_changes() == {}


def test_deleted_file_is_deleted_from_the_storage(worker: Worker, folder: Path) -> None:
    (folder / "copy").write_bytes(b"a copy")
    assert worker.bridge.take_changes()["copy"] == b"a copy"

    # None tells the worker to delete it.
    (folder / "copy").unlink()
    assert worker.bridge.take_changes() == {"copy": None}


def test_house_rules_are_stored_and_used_by_the_next_worker(
    worker: Worker, folder: Path, tmp_path: Path
) -> None:
    # Users may describe rules of their own, "Canasta di casa", in a file beside the data file.
    file = f"{HOUSE_RULES}/di-casa.toml"
    (folder / file).write_text(OWN_RULES, encoding="utf-8")

    # After any request, what has changed is stored.
    worker.get("/")
    assert worker.stored[file] == OWN_RULES.encode()

    # A new worker shows them on the page "Our rules".
    other = Worker(tmp_path / "other", worker.stored)
    page = other.get("/nostre-regole/").body.decode()
    assert "Canasta di casa" in page


@pytest.fixture
def unsaved(worker: Worker) -> tuple[str, Answer]:
    """Begin a match, and rename its sides to Gatti and Volpi while the browser has no room.

    Returns the path of the match, and the answer to the renaming.
    """
    match = worker.begin_match()
    fields = worker.fill_form(f"{match}/nomi", **{"name-0": "Gatti", "name-1": "Volpi"})
    return match, worker.post_without_room(f"{match}/nomi", fields)


def test_answer_tells_that_nothing_was_stored_and_what_was_typed(
    unsaved: tuple[str, Answer],
) -> None:
    _, answer = unsaved
    assert answer.status == 507  # Insufficient Storage
    assert "Gatti" in answer.body.decode()


def test_names_that_were_not_stored_are_not_shown(
    worker: Worker, unsaved: tuple[str, Answer]
) -> None:
    # Somebody has called a side "Gatti", but the browser had no room to store that.
    match, _answer = unsaved

    # Neither the page of the match nor the home page has the new name.
    for path in (match, "/"):
        page = worker.get(path)
        assert page.status == 200
        assert "Gatti" not in page.body.decode()


def test_names_can_be_saved_once_there_is_room(worker: Worker, unsaved: tuple[str, Answer]) -> None:
    match, _ = unsaved

    # The browser has room again. The sides are renamed to Cani and Orsi.
    fields = worker.fill_form(f"{match}/nomi", **{"name-0": "Cani", "name-1": "Orsi"})
    assert worker.post(f"{match}/nomi", fields).status == 303

    page = worker.get(match).body.decode()
    assert "Cani contro Orsi" in page
    assert "Gatti" not in page

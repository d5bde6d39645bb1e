"""Headers made from what people type, through the real server: the test client encodes none."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote_from_bytes, unquote

import pytest
from werkzeug.http import parse_options_header
from werkzeug.wrappers import Response

from scorepad.web.file_responses import name_file
from tests.attack.pad_served import Answer, Browser, begin, served
from tests.web.hostile import texts

pytestmark = pytest.mark.long
NAMES = (
    "Łukasz",
    "Nonna’s",
    "Στέλλα",
    "Иван",
    "陈",
    "Anna 🎉",
    "Lučić",
    "Ștefan",
    "€",
    "–",
    "José",
    "Noi",
)
"""Those of the two ends of Latin-1, and of neither."""
LONE = ("\ud800", "a\udc00b", "\udc80", "\ud83d")
"""Half letters, which JSON can write and no form can send."""
FILES = ("file/partita.json", "file/righe.csv", "risultato.png", "foglio.pdf")
KNOWN = re.compile(r"[A-Za-z-]+\Z")
PLAIN = re.compile(r"[\t\x20-\x7e]*\Z")


def whole(answer: Answer) -> str:
    """The file name of a download; every header is one line of ASCII."""
    for name, value in answer.headers:
        assert KNOWN.match(name), name
        assert PLAIN.match(value), (name, value)
    assert not answer.header("X-Evil")
    assert sum(name.lower() == "content-disposition" for name, _ in answer.headers) == 1
    kind, names = parse_options_header(answer.header("Content-Disposition"))
    assert kind in ("attachment", "inline")
    name = names["filename"]
    assert name.isprintable()
    assert not set(name) & set('/\\:*?"<>|')
    assert len(name.encode()) <= 170
    return name


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("headers")) as (port, _):
        yield port


@pytest.mark.parametrize("name", NAMES)
def test_a_match_with_this_name_is_saved_in_every_way(port: int, name: str) -> None:
    url, keys = begin(port, name, "Loro")
    browser = Browser(port)
    assert browser.follow(f"/e/{keys['write']}").status == 200
    for file in FILES:
        answer = browser.get(f"{url}/{file}")
        assert answer.status == 200, (name, file)
        called = whole(answer)
        if file != "foglio.pdf":
            assert unicodedata.normalize("NFC", name) in called


def test_500_hostile_names_break_no_header(port: int) -> None:
    found: Counter[str] = Counter()
    hostile = [
        each.octets.decode(errors="surrogatepass") if _is_half(each.octets) else each.text
        for each in texts()
    ]
    for number, name in enumerate([*hostile, *LONE]):
        url, keys = begin(port, name, f"Loro {number}")
        if not url:
            found["refused as a name"] += 1
            continue
        browser = Browser(port)
        assert browser.follow(f"/e/{keys['write']}").status == 200, ascii(name)
        for file in FILES[: 3 if number % 25 == 0 else 2]:
            answer = browser.get(f"{url}/{file}")
            found[f"{file}: {answer.status}"] += 1
            if answer.status == 200 and PLAIN.match(answer.header("Content-Disposition")):
                whole(answer)
            elif answer.status == 200:
                found[f"{file}: a name that is no ASCII"] += 1
    print(dict(found))
    assert not [kind for kind in found if kind.endswith("ASCII")], found
    assert not [kind for kind in found if kind.endswith(("500", "400", "502"))], found
    assert found["file/partita.json: 200"] > 200


def test_names_that_no_match_may_have_break_no_header_either() -> None:
    for name in (
        *(each.text for each in texts()),
        *NAMES,
        *LONE,
        "x" * 10_000,
        "",
        "..",
        "\r\nX-Evil: 1",
    ):
        response = Response()
        name_file(response, name, "csv")
        whole(Answer(200, list(response.headers), b""))


def _is_half(octets: bytes) -> bool:
    try:
        octets.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return False
    return bool(octets)


@pytest.mark.parametrize("path", [
    "/api?x={}", "//partite//{}", "/partite/{}", "/e/{}", "/casa/{}", "/regole/{}", "/regole/cerca?testo={}",
    "/?cerca={}", "/in-corso?cerca={}", "/giocatori/{}", "/arbitro?{}={}", "/arbitro/pozzo?top={}&held={}&do=next",
    "/regole/classica?{}={}", "/static/{}", "/api/v1/matches/{}", "/partite/{}/stato", "/salute/{}",
])  # fmt: skip
def test_no_address_breaks_a_header(port: int, path: str) -> None:
    browser, statuses = Browser(port), Counter[int]()
    for each in texts()[::5]:
        answer = browser.get(path.replace("{}", quote_from_bytes(each.sent, safe="")[:2000]))
        statuses[answer.status] += 1
        for name, value in answer.headers:
            assert KNOWN.match(name), name
            assert PLAIN.match(value), (path, name, value)
        assert not answer.header("X-Evil")
        assert (
            "evil.example"
            not in unquote(answer.header("Location")).partition("?")[0].partition("/")[0]
        )
    assert not [status for status in statuses if status >= 500], statuses


def test_no_form_that_leads_on_breaks_a_header(port: int) -> None:
    """The language leads back to an address that the form names."""
    browser = Browser(port)
    token, statuses = browser.token("/"), Counter[int]()
    for each in texts()[::3]:
        for path, fields in (
            ("/lingua", {"language": "en", "back": f"/{each.text}"}), ("/lingua", {"language": each.text, "back": "/"}),
            ("/partite/nuova", {"name-0": each.text}),
        ):  # fmt: skip
            sent = {"csrf_token": token, "request_id": "a" * 20, **fields}
            answer = browser.form(
                path, {name: text.encode(errors="replace").decode() for name, text in sent.items()}
            )
            statuses[answer.status] += 1
            for name, value in answer.headers:
                assert PLAIN.match(value), (path, name, value)
            assert not answer.header("X-Evil")
    print(dict(statuses))
    assert not [status for status in statuses if status >= 500], statuses

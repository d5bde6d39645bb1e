"""Headers made from what people type, through the real server: the test client encodes none."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote_from_bytes, unquote, urlencode

import pytest
from werkzeug.http import parse_options_header

from tests.attack.load import Answer, Served, cookies_of, serving
from tests.web.hostile import Hostile, texts

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


def headers_are_whole(answer: Answer) -> None:
    """Every header is one line of ASCII, and none was smuggled in."""
    assert answer.status < 500
    for name, value in answer.headers.items():
        assert KNOWN.match(name), name
        assert PLAIN.match(value), (name, value)
    assert "X-Evil" not in answer.headers


def file_name(answer: Answer) -> str:
    """The name of a download, which any system can save."""
    headers_are_whole(answer)
    (disposition,) = answer.headers.get_all("Content-Disposition", [])
    kind, names = parse_options_header(disposition)
    assert kind in ("attachment", "inline")
    name = names["filename"]
    assert name.isprintable()
    assert not set(name) & set('/\\:*?"<>|')
    assert len(name.encode()) <= 170
    return name


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("headers")) as server:
        yield server


def begin(served: Served, *names: str) -> tuple[str, dict[str, str]]:
    """The address of a match with these names and the headers of a browser in it; empty where they
    are refused.
    """
    told = served.call("POST", "/matches", {"variant": "classica", "names": names})
    if told.status != 201:
        return "", {}
    url = f"/partite/{told.json['match']['id']}"
    answer = served.get(f"/e/{told.json['keys']['write']}")
    return url, {"Cookie": "; ".join(cookies_of(answer))}


@pytest.mark.parametrize("name", NAMES)
def test_a_match_with_this_name_is_saved_in_every_way(served: Served, name: str) -> None:
    url, browser = begin(served, name, "Loro")
    for file in FILES:
        answer = served.get(f"{url}/{file}", browser)
        assert answer.status == 200, (name, file)
        called = file_name(answer)
        assert file == "foglio.pdf" or unicodedata.normalize("NFC", name) in called


def text_in(each: Hostile) -> str:
    """A hostile text as JSON can write it, half letters included."""
    try:
        each.octets.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return each.text
    return each.octets.decode(errors="surrogatepass") or each.text


def test_500_hostile_names_break_no_header(served: Served) -> None:
    found: Counter[str] = Counter()
    for number, name in enumerate([*map(text_in, texts()), *LONE]):
        url, browser = begin(served, name, f"Loro {number}")
        if not url:
            found["refused as a name"] += 1
            continue
        for file in FILES[: 3 if number % 25 == 0 else 2]:
            answer = served.get(f"{url}/{file}", browser)
            assert answer.status == 200, ascii(name)
            file_name(answer)
            found[file] += 1
    print(dict(found))
    assert found["file/partita.json"] > 200


@pytest.mark.parametrize("path", [
    "/api?x={}", "//partite//{}", "/partite/{}", "/e/{}", "/casa/{}", "/regole/{}", "/regole/cerca?testo={}",
    "/?cerca={}", "/in-corso?cerca={}", "/giocatori/{}", "/arbitro?{}={}", "/arbitro/pozzo?top={}&held={}&do=next",
    "/regole/classica?{}={}", "/static/{}", "/api/v1/matches/{}", "/partite/{}/stato", "/salute/{}",
])  # fmt: skip
def test_no_address_breaks_a_header(served: Served, path: str) -> None:
    for each in texts()[::5]:
        answer = served.get(path.replace("{}", quote_from_bytes(each.sent, safe="")[:2000]))
        headers_are_whole(answer)
        host = unquote(answer.headers["Location"] or "").partition("?")[0].partition("/")[0]
        assert "evil.example" not in host


def test_no_form_that_leads_on_breaks_a_header(served: Served) -> None:
    """The language leads back to an address that the form names."""
    page = served.get("/")
    token = re.search(rb'name="csrf_token"[^>]* value="([^"]+)"', page.body)
    assert token
    kind = "application/x-www-form-urlencoded"
    browser = {"Cookie": "; ".join(cookies_of(page)), "Content-Type": kind}
    for each in texts()[::3]:
        for path, fields in (
            ("/lingua", {"language": "en", "back": f"/{each.text}"}),
            ("/lingua", {"language": each.text, "back": "/"}),
            ("/partite/nuova", {"name-0": each.text}),
        ):
            sent = {"csrf_token": token[1].decode(), "request_id": "a" * 20, **fields}
            body = urlencode(sent, errors="replace").encode()
            headers_are_whole(served.ask("POST", path, browser, body))

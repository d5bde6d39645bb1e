"""Headers made from what people type, through the real server: the test client encodes none."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote_from_bytes, unquote

import pytest
from werkzeug.http import parse_options_header
from werkzeug.wrappers import Response

from scorepad.web.file_responses import name_file
from tests.attack.served import BEGUN, Browser, Match, Served, serving
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


def assert_headers_are_whole(headers: list[tuple[str, str]]) -> None:
    """Every header is one line of ASCII, and none was smuggled in."""
    for name, value in headers:
        assert KNOWN.match(name), name
        assert PLAIN.match(value), (name, value)
        assert name != "X-Evil"


def name_of_file(headers: list[tuple[str, str]]) -> str:
    """The name under which a download is saved, which any system can save it under."""
    assert_headers_are_whole(headers)
    (disposition,) = [value for name, value in headers if name == "Content-Disposition"]
    kind, options = parse_options_header(disposition)
    assert kind in ("attachment", "inline")
    name = options["filename"]
    assert name.isprintable()
    assert not set(name) & set('/\\:*?"<>|')
    assert len(name.encode()) <= 170
    return name


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("headers") / "x.db") as started:
        yield started


@pytest.mark.parametrize("name", NAMES)
def test_a_match_with_this_name_is_saved_in_every_way(served: Served, name: str) -> None:
    match = Match.begin(served, name, "Loro")
    browser = Browser(served.port)
    assert browser.follow(f"/e/{match.key}").status == 200

    for file in FILES:
        answer = browser.get(f"{match.page}/{file}")
        assert answer.status == 200, file
        saved_as = name_of_file(answer.headers)
        if file != "foglio.pdf":  # named by its players
            assert unicodedata.normalize("NFC", name) in saved_as


def test_500_hostile_names_break_no_header(served: Served) -> None:
    outcomes: Counter[str] = Counter()
    for number, name in enumerate([*map(name_sent, texts()), *LONE]):
        body = {**BEGUN, "names": [name, f"Loro {number}"]}
        begun = served.ask("POST", "/api/v1/matches", body)
        if begun.status != 201:
            outcomes["refused as a name"] += 1
            continue
        match = Match(served, begun.json["match"]["id"], begun.json["keys"]["write"])
        browser = Browser(served.port)
        assert browser.follow(f"/e/{match.key}").status == 200, ascii(name)
        files = FILES[:3] if number % 25 == 0 else FILES[:2]
        for file in files:
            answer = browser.get(f"{match.page}/{file}")
            outcomes[f"{file}: {answer.status}"] += 1
            assert answer.status not in (400, 500, 502), ascii(name)
            if answer.status == 200:
                name_of_file(answer.headers)
    print(dict(outcomes))
    assert outcomes["file/partita.json: 200"] > 200


def name_sent(hostile: Hostile) -> str:
    """A hostile text as a name, also where it has half letters and is no UTF-8."""
    if not hostile.octets:
        return hostile.text
    try:
        return hostile.octets.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return hostile.text


def test_names_that_no_match_may_have_break_no_header_either() -> None:
    odd = ("x" * 10_000, "", "..", "\r\nX-Evil: 1")
    for name in (*(each.text for each in texts()), *NAMES, *LONE, *odd):
        response = Response()
        name_file(response, name, "csv")
        name_of_file(list(response.headers))


@pytest.mark.parametrize("path", [
    "/api?x={}", "//partite//{}", "/partite/{}", "/e/{}", "/casa/{}", "/regole/{}", "/regole/cerca?testo={}",
    "/?cerca={}", "/in-corso?cerca={}", "/giocatori/{}", "/arbitro?{}={}", "/arbitro/pozzo?top={}&held={}&do=next",
    "/regole/classica?{}={}", "/static/{}", "/api/v1/matches/{}", "/partite/{}/stato", "/salute/{}",
])  # fmt: skip
def test_no_address_breaks_a_header(served: Served, path: str) -> None:
    browser = Browser(served.port)
    for each in texts()[::5]:
        hostile = quote_from_bytes(each.sent, safe="")[:2000]
        answer = browser.get(path.replace("{}", hostile))
        assert answer.status < 500
        assert_headers_are_whole(answer.headers)
        host = unquote(answer.header("Location")).partition("?")[0].partition("/")[0]
        assert "evil.example" not in host


def test_no_form_that_leads_on_breaks_a_header(served: Served) -> None:
    """The language leads back to an address that the form names."""
    browser = Browser(served.port)
    hidden = {"csrf_token": browser.token(), "request_id": "a" * 20}
    for each in texts()[::3]:
        hostile = each.text.encode(errors="replace").decode()
        for path, fields in (
            ("/lingua", {"language": "en", "back": f"/{hostile}"}),
            ("/lingua", {"language": hostile, "back": "/"}),
            ("/partite/nuova", {"name-0": hostile}),
        ):
            answer = browser.submit(path, hidden | fields)
            assert answer.status < 500
            assert_headers_are_whole(answer.headers)

"""No text that people type breaks the headers of an answer.

The names of matches become names of downloads, for example. The tests ask the real server, since
Flask's test client does not encode headers.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from http import HTTPStatus
from urllib.parse import quote_from_bytes, urlsplit

import pytest
from werkzeug.http import parse_options_header
from werkzeug.wrappers import Response

from scorepad.web.file_responses import name_file
from tests.attack.served import BEGUN, Browser, Match, Served, serving
from tests.web.hostile import Hostile, texts

pytestmark = pytest.mark.long
NAMES_OF_MANY_ALPHABETS = (
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
"""A header can have letters of Latin-1 only. Some of these names have others."""
HALF_LETTERS = ("\ud800", "a\udc00b", "\udc80", "\ud83d")
"""Halves of surrogate pairs, which JSON can write and no form can send."""


def assert_headers_are_whole(headers: list[tuple[str, str]]) -> None:
    """Check that every header is one line of ASCII, and that none was smuggled in by a line end."""
    for name, value in headers:
        assert re.match(r"[A-Za-z-]+\Z", name), name
        assert re.match(r"[\t\x20-\x7e]*\Z", value), (name, value)
        assert name != "X-Evil"


def assert_download_has_good_name(headers: list[tuple[str, str]]) -> str:
    """Check that any system can save a download under its name, and return this name."""
    assert_headers_are_whole(headers)
    (disposition,) = [value for name, value in headers if name == "Content-Disposition"]
    kind, options = parse_options_header(disposition)
    assert kind in ("attachment", "inline")

    name = options["filename"]
    assert name.isprintable()
    refused_by_file_systems = set('/\\:*?"<>|')
    assert refused_by_file_systems.isdisjoint(name)
    assert len(name.encode()) <= 170
    return name


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a server for all tests of this file."""
    with serving(tmp_path_factory.mktemp("headers") / "x.db") as started:
        yield started


@pytest.mark.parametrize("name", NAMES_OF_MANY_ALPHABETS)
def test_match_with_name_can_be_downloaded_in_every_format(served: Served, name: str) -> None:
    match = Match.begin(served, name, "Loro")
    browser = Browser(served.port)
    assert browser.follow(f"/e/{match.key}").status == HTTPStatus.OK

    # The match, its hands as rows, the picture of its result, and its sheet.
    for file in ("file/partita.json", "file/righe.csv", "risultato.png", "foglio.pdf"):
        answer = browser.get(f"{match.page}/{file}")
        assert answer.status == HTTPStatus.OK, file
        saved_as = assert_download_has_good_name(answer.headers)
        # The sheet is named by the players, the others by the sides.
        if file != "foglio.pdf":
            assert unicodedata.normalize("NFC", name) in saved_as


def test_hostile_names_break_no_header(served: Served) -> None:
    # A program begins a match with each of 500 names that were made to do harm.
    outcomes: Counter[str] = Counter()
    names = [as_name(hostile) for hostile in texts()]
    for number, name in enumerate([*names, *HALF_LETTERS]):
        body = {**BEGUN, "names": [name, f"Loro {number}"]}
        begun = served.ask("POST", "/api/v1/matches", body)
        if begun.status != HTTPStatus.CREATED:
            outcomes["refused as a name"] += 1
            continue

        # Files of the match are downloaded. Making a picture takes long, so only a few are.
        match = Match(served, begun.json["match"]["id"], begun.json["keys"]["write"])
        downloads = ["file/partita.json", "file/righe.csv"]
        if number % 25 == 0:
            downloads.append("risultato.png")
        outcomes.update(download_all(match, downloads))

    # Most names are taken, and the files of these matches were downloaded.
    print(dict(outcomes))
    assert outcomes["file/partita.json: 200"] > 200


def download_all(match: Match, downloads: list[str]) -> list[str]:
    """Download these files of a match, check their headers, and return each file with its status."""
    outcomes = []
    browser = Browser(match.served.port)
    assert browser.follow(f"/e/{match.key}").status == HTTPStatus.OK, match
    for download in downloads:
        answer = browser.get(f"{match.page}/{download}")
        outcomes.append(f"{download}: {answer.status}")
        assert answer.status not in (
            HTTPStatus.BAD_REQUEST,
            HTTPStatus.INTERNAL_SERVER_ERROR,
            HTTPStatus.BAD_GATEWAY,
        ), match
        if answer.status == HTTPStatus.OK:
            assert_download_has_good_name(answer.headers)
    return outcomes


def as_name(hostile: Hostile) -> str:
    """Return a hostile text as a name that JSON can hold."""
    # Most texts are text. The others are octets that are no UTF-8, described in `text`.
    if not hostile.octets:
        return hostile.text

    # Some of these are halves of a surrogate pair, which JSON can hold: "a\ud800b". Of others, such
    # as b"\xff", JSON holds the description: "%FF".
    try:
        return hostile.octets.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return hostile.text


def test_names_that_no_match_may_have_break_no_header() -> None:
    # 500 hostile texts, such as "<script>" or letters that turn the direction of writing, and names in
    # other alphabets.
    names = [hostile.text for hostile in texts()]
    names += NAMES_OF_MANY_ALPHABETS
    # Halves of surrogate pairs, such as "\ud800", which are no letters.
    names += HALF_LETTERS
    # The last of these tries to add a header of its own.
    names += ["x" * 10_000, "", "..", "\r\nX-Evil: 1"]

    # The function that names a file is safe, even if such a name were ever let in: the headers are
    # whole, and the download has a name that any system can save.
    for name in names:
        response = Response()
        name_file(response, name, "csv")
        assert_download_has_good_name(list(response.headers))


# Pages of matches, rules, players and the referee, searches in them ("cerca"), and paths of the API.
@pytest.mark.parametrize("path", [
    "/api?x={}", "//partite//{}", "/partite/{}", "/e/{}", "/casa/{}", "/regole/{}", "/regole/cerca?testo={}",
    "/?cerca={}", "/in-corso?cerca={}", "/giocatori/{}", "/arbitro?{}={}", "/arbitro/pozzo?top={}&held={}&do=next",
    "/regole/classica?{}={}", "/static/{}", "/api/v1/matches/{}", "/partite/{}/stato", "/salute/{}",
])  # fmt: skip
def test_hostile_addresses_break_no_header(served: Served, path: str) -> None:
    browser = Browser(served.port)

    # There are 500 hostile texts. A fifth of them is enough. Each takes the place of every {} in the
    # address, quoted: a line end is %0A there.
    every_fifth_text = texts()[::5]
    for hostile in every_fifth_text:
        quoted = quote_from_bytes(hostile.sent, safe="")[:2000]
        answer = browser.get(path.replace("{}", quoted))
        assert answer.status < HTTPStatus.INTERNAL_SERVER_ERROR
        assert_headers_are_whole(answer.headers)

        # If the answer redirects, it leads to this server, and not to a host in the text, such as
        # "evil.example".
        target = urlsplit(answer.header("Location"))
        assert target.hostname in (None, "localhost")


def test_hostile_fields_of_redirecting_forms_break_no_header(served: Served) -> None:
    browser = Browser(served.port)
    hidden_fields = {"csrf_token": browser.token(), "request_id": "a" * 20}
    every_third_text = texts()[::3]
    for hostile in every_third_text:
        text = hostile.text.encode(errors="replace").decode()
        # The form that changes the language redirects to the address in its field "back".
        for path, fields in (
            ("/lingua", {"language": "en", "back": f"/{text}"}),
            ("/lingua", {"language": text, "back": "/"}),
            ("/partite/nuova", {"name-0": text}),
        ):
            answer = browser.submit(path, hidden_fields | fields)
            assert answer.status < HTTPStatus.INTERNAL_SERVER_ERROR
            assert_headers_are_whole(answer.headers)

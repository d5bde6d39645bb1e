"""Names and notes that nobody should do harm with: shown as text everywhere, or refused with the
typing kept.

A quick sample in the usual run, each kind once; all five hundred, the sheet of each as well, under
`soak`.
"""

from __future__ import annotations

import csv
import io
import json
import re
import time
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote_from_bytes

import pytest
from flask import Flask
from PIL import Image
from pypdf import PdfReader

from scorepad.matches.events import Labels
from scorepad.matches.names import (
    make_comparable,
    tidy,
    tidy_and_check_labels,
    tidy_text,
)
from scorepad.rules.variants import settle
from tests.web.client import Client, Page, check
from tests.web.hostile import LONGEST_NOTE, Hostile, texts
from tests.web.playing import match_of

ALL = texts()
FIRST = ("", "/registro", "/tabellone")
"""The pages of a match that are looked at in the usual run."""
REST = (
    "/andamento", "/condividi", "/nomi", "/telefoni", "/fine", "/giocatore", "/cancella", "/annulla", "/smazzata",
    "/smazzate/1/correggi", "/smazzate/1/annotazione", "/arbitro", "/file",
)  # fmt: skip
AROUND = ("/", "/in-corso", "/giocatori")
ALLOWED = set(re.findall(r"[a-z0-9]+", """
    a article b bdi body br button caption circle datalist dd defs desc details div dl dt em fieldset figcaption
    figure footer form g h1 h2 h3 h4 head header html img input label legend li line link main meta nav noscript ol
    optgroup option output p path pattern polyline progress rect script section select small span strong style
    summary svg table tbody td text textarea tfoot th thead time title tr tspan ul use
"""))  # fmt: skip
COUNTED = {
    "a.cards": "150", "a.left": "0", "b.cards": "100", "b.left": "40", "out": "nobody", "do": "save",
    "b.house.0.points": "25", "a.adjustments.0.points": "20",
}  # fmt: skip
FORMULA = tuple("=+-@\t\r＝＋－＠﹢﹣﹦﹫")


def sample() -> list[Hostile]:
    """The first of each kind, and those that are longest to look at."""
    return list({each.kind: each for each in reversed(ALL) if " and " not in each.kind}.values())


@pytest.mark.quick(5)
@pytest.mark.parametrize("hostile", sample(), ids=lambda hostile: hostile.kind)
def test_a_text_is_shown_as_text_or_refused_with_the_typing_kept(
    app: Flask, hostile: Hostile
) -> None:
    evening(app, hostile)


def test_which_of_them_may_be_names() -> None:
    """As the pad says it; what nobody sees is no name, and two that look the same are one."""
    settings = settle("classica").settings
    for hostile in ALL:
        _, problems = tidy_and_check_labels(Labels((hostile.text, "Loro")), settings)
        assert (not problems) == hostile.is_name, f"{hostile.kind} {hostile.text[:40]!a}"
    for same in ("Noi\ufe0f", "N\u034foi", "\u3164Noi", "N\u00adoi", "ｎｏｉ", "NOI"):
        _, problems = tidy_and_check_labels(Labels(("Noi", same)), settings)
        assert [problem.code for problem in problems] == ["name-repeated"], ascii(same)


@pytest.mark.soak
def test_every_one_of_them(app: Flask) -> None:
    app.config["SCOREPAD_LIMITED"] = False
    names = notes = 0
    for hostile in ALL:
        named, noted = evening(app, hostile, on_paper=True)
        names, notes = names + named, notes + noted
    print(f"{len(ALL)} hostile texts: {names} shown as names and {notes} as notes, the others refused; no markup, no "
          f"formula, no error")  # fmt: skip


def evening(app: Flask, hostile: Hostile, *, on_paper: bool = False) -> tuple[bool, bool]:
    """A match under this name with this note; whether each was taken."""
    client = Client(app)
    url = begun_under(client, hostile)
    is_named = url is not None
    assert is_named == hostile.is_name, f"as a name: {hostile.kind} {hostile.text[:40]!a}"
    url = url or begun_under(client, Hostile("plain", "Pina", is_name=True))
    assert url is not None
    agreed(client, url, Hostile("plain", "vino", is_name=True))
    is_noted = written_beside(client, url, hostile)
    if is_noted:
        agreed(client, url, hostile)
    looks(client, url, hostile if is_named else None)
    saved(client, url)
    if on_paper:
        looks_further(client, url)
        printed(client, url)
    return is_named, is_noted


def begun_under(client: Client, hostile: Hostile) -> str | None:
    """The match that was begun with a side, a player and a place of this name; None where the name
    was refused.
    """
    page = client.get("/partite/nuova")
    sent = page.values(page.form("Comincia: "))
    answer = post(client, "/partite/nuova", sent, hostile, ("name-0", "player-1-0", "place"))
    if answer.status_code == 303:
        return str(answer.headers["Location"])
    refused = shown(client, answer, "/partite/nuova", 422)
    assert refused.errors
    for field in ("name-0", "place"):
        assert lines(refused.one("input", id=field).get("value")) == lines(hostile.text)
    return None


def post(
    client: Client, url: str, sent: dict[str, str], hostile: Hostile, fields: Iterable[str]
) -> Any:
    """Send a form with this text in these fields, octet by octet."""
    octets = {name: value.encode() for name, value in sent.items()} | dict.fromkeys(
        fields, hostile.sent
    )
    body = "&".join(f"{name}={quote_from_bytes(value)}" for name, value in octets.items())
    return client.raw.post(url, data=body, content_type="application/x-www-form-urlencoded")


def shown(client: Client, answer: Any, url: str, status: int) -> Page:
    assert answer.status_code == status, (url, answer.status_code)
    page = Page(answer, url)
    check(page, client.language)
    is_only_ours(page)
    return page


def is_only_ours(page: Page) -> None:
    """No element but those that our templates have, none that acts by itself, nothing of elsewhere."""
    for element in page.all():
        assert element.tag in ALLOWED, element.tag
        assert not [name for name in element.attributes if name.startswith("on")], (
            element.attributes
        )
        if element.tag in ("use", "image"):
            assert element.get("href").startswith("#")
        if element.tag == "meta":
            assert not element.has("http-equiv")


def lines(text: str) -> str:
    """A text as a page gives it back: a field of one line holds no line ends, and NUL is the one
    that HTML has not.
    """
    return "".join(text.replace("\0", "\ufffd").split())


def written_beside(client: Client, url: str, hostile: Hostile) -> bool:
    """A note on the hand: whether it was taken."""
    page = client.get(f"{url}/smazzate/1/annotazione")
    sent = page.values(page.form("Salva l'annotazione"))
    answer = post(client, f"{url}/smazzate/1/annotazione", sent, hostile, ("text",))
    tidied = " ".join(hostile.text.split())
    if answer.status_code == 303:
        return True
    refused = shown(client, answer, f"{url}/smazzate/1/annotazione", 422)
    assert refused.errors
    field = refused.one(id="text")
    assert lines(field.get("value") or field.text) == lines(hostile.text)
    assert len(tidied) > LONGEST_NOTE, f"as a note: {hostile.kind} {hostile.text[:40]!a}"
    return False


REASONS = ("b.house.0.reason", "a.adjustments.0.reason", "remark")


def agreed(client: Client, url: str, hostile: Hostile) -> None:
    """A hand with a penalty of the house and a correction agreed at the table, for this reason."""
    page = client.get(f"{url}/smazzata")
    sent = page.values(page.form("Salva la smazzata")) | COUNTED
    answer = post(client, f"{url}/smazzata", sent, hostile, REASONS)
    assert answer.status_code == 303
    after = client.get(answer.headers["Location"])
    is_only_ours(after)
    assert after.url == url or after.errors, f"{hostile.kind} {hostile.text[:40]!a}"


def looks(client: Client, url: str, name: Hostile | None) -> None:
    """The pages that show the name."""
    for path in FIRST:
        page = client.get(f"{url}{path}")
        is_only_ours(page)
        if name is not None:
            composed = unicodedata.normalize("NFC", name.text).strip()
            assert lines(composed) in lines(page.text), path


def looks_further(client: Client, url: str) -> None:
    """Every other page that may show it, in both languages."""
    links = client.get("/giocatori").links().values()
    players = [address for address in links if "/giocatori/" in address]
    other = Client(client.app, "en")
    other.raw.set_cookie("scorepad_device", client.cookie("scorepad_device"))
    for address in (*(f"{url}{path}" for path in REST), *AROUND, *players[:3]):
        is_only_ours(client.get(address))
        is_only_ours(other.get(address))


def saved(client: Client, url: str) -> None:
    """Its rows hold no formula, its file is JSON and is taken back, its picture is one."""
    rows = client.raw.get(f"{url}/file/righe.csv")
    assert "\n" not in rows.headers["Content-Disposition"]
    text = io.StringIO(rows.data.decode("utf-8-sig"), newline="")
    found = list(csv.reader(text, delimiter=";", strict=True))
    assert len({len(row) for row in found}) == 1
    for cell in (cell for row in found for cell in row):
        plain = unicodedata.normalize("NFKC", cell).lstrip(' "')
        is_figure = cell.removeprefix("-").isascii() and cell.removeprefix("-").isdecimal()
        assert is_figure or not plain.startswith(FORMULA), cell
        assert cell.isprintable()
    told = json.loads(client.raw.get(f"{url}/file/partita.json").data)
    assert told["matches"][0]["id"] == match_of(url)
    picture = client.raw.get(f"{url}/risultato.png")
    assert picture.headers["Content-Type"] == "image/png"
    with Image.open(io.BytesIO(picture.data)) as drawn:
        drawn.verify()


def printed(client: Client, url: str) -> None:
    """Its sheet: nothing that acts, and nothing inside but what we put there."""
    data = client.raw.get(f"{url}/foglio.pdf").data
    for word in ("JavaScript", "JS ", "Launch", "URI", "EmbeddedFile", "SubmitForm", "GoToR"):
        assert f"/{word}".encode() not in data
    sheet = PdfReader(io.BytesIO(data))
    assert not sheet.attachments
    assert not any("/Annots" in page for page in sheet.pages)


def test_on_the_sheet_too(app: Flask) -> None:
    evening(app, next(each for each in ALL if each.kind == "markup"), on_paper=True)


@pytest.mark.parametrize("read", [tidy, make_comparable, tidy_text], ids=lambda read: read.__name__)
def test_marks_without_end_are_put_in_order_piece_by_piece(read: Callable[[str], str]) -> None:
    """Unicode's order of combining marks is made by comparing each with those before it: half a
    minute here.
    """
    begun = time.process_time()
    assert len(read("a" + "\u0301\u0316" * 128_000)) > 128_000
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "name", ["Zoe\u0308", "a\u0316\u0301", "\ufb01", "e\u0301" * 60, "\u1100\u1161\u11a8"]
)
def test_what_anybody_is_called_is_composed_as_ever(name: str) -> None:
    assert tidy(name) == unicodedata.normalize("NFC", name)

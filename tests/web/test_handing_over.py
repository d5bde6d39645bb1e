"""A match handed over by a pad that is alone to another one: as a link with a QR code, or as a file."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from scorepad.app import Config
from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.link_format import LARGEST, NotForLink, pack_match, unpack_match
from scorepad.rules.variants import freeze, get_variant, package_ids, settle
from scorepad.schemas import Unusable
from tests.apps import shared_app
from tests.exported import export_file, told_by
from tests.web.client import Client, Page
from tests.web.conftest import setup_of
from tests.web.player import Player
from tests.web.playing import hand, match_of, side

SITE = "https://somebody.example/canasta/"
FEW_POINTS = hand(side(60, 50), side(55, 50))
"""Many of them make no match."""
SEE = "Guarda la partita"
TAKE = "Prendi questa partita"


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, testing=True, alone=True))


@pytest.fixture
def home(tmp_path: Path) -> Client:
    """A phone at the pad of somebody's home."""
    return Client(shared_app(Config(tmp_path / "home.db", b"k" * 32, testing=True)))


def link_on(page: Page) -> str:
    return page.one("p", class_="address").text


def refusal(link: str) -> str:
    """Why a link is not unpacked, in words."""
    with pytest.raises(Unusable) as refused:
        unpack_match(link)
    return refused.value.message(words("it"))


def packed(content: bytes) -> str:
    letters = base64.b32encode(zlib.compress(content)).decode().rstrip("=")
    return f"classica.{letters}"


# ---------------------------------------------------------------- on the pages


def test_the_page_of_other_phones_has_a_link_to_the_site_with_a_code_and_the_file(
    leading: Player,
) -> None:
    answer = leading.client.raw.get(
        f"/partite/{match_of(leading.match)}/telefoni",
        base_url=f"{SITE}app",
        headers={"Accept-Language": "it"},
    )
    page = Page(answer, "")
    assert link_on(page).startswith(f"{SITE}#ricevi=classica.")
    assert page.one("div", role="img").all("svg")
    assert f"/canasta/app{leading.match}/file/partita.json" in page.links().values()


def test_another_pad_shows_whose_match_is_in_the_link_and_takes_all_of_it(
    leading: Player, home: Client
) -> None:
    link = link_on(leading.page("telefoni"))
    shown = home.submit(home.get("/file"), SEE, link=link)
    assert "Noi 430" in shown.text
    assert "Loro 60" in shown.text
    assert "1 smazzata" in shown.text

    taken = home.submit(shown, TAKE)

    assert taken.url == leading.match
    assert taken.notices == ["Partita caricata."]
    pad: Pad = setup_of(home.app).pad
    match = match_of(leading.match)
    there, here = told_by(export_file(pad, match)), told_by(export_file(leading.pad, match))
    assert there["rulesets"] == here["rulesets"]
    assert there["matches"][0]["entries"] == here["matches"][0]["entries"]


def test_a_pad_that_has_the_match_already_says_so(leading: Player) -> None:
    client = leading.client
    shown = client.submit(client.get("/file"), SEE, link=link_on(leading.page("telefoni")))
    taken = client.submit(shown, TAKE)
    assert taken.notices == ["Questa partita era già qui, e resta com'è."]


def test_a_match_that_is_too_long_for_a_code_is_handed_over_as_its_file(player: Player) -> None:
    player.play(*[FEW_POINTS] * 40)
    page = player.page("telefoni")
    assert "Questa partita non sta in un link" in page.text
    assert not page.all("div", role="img")
    assert f"{player.match}/file/partita.json" in page.links().values()


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("", "Incolla prima il link della partita."),
        ("https://somebody.example/", "Questo link non si può leggere"),
        (
            packed(b'{"format":"scorepad-matches","version":1,"rulesets":{},"matches":[]}'),
            "Questo link",
        ),
        (packed(b" " * (LARGEST + 1)), "Questo link diventa più grande"),
    ],
)
def test_a_link_that_brings_no_match_is_refused_in_words(
    home: Client, link: str, sentence: str
) -> None:
    page = home.submit(home.get("/file"), SEE, 422, link=link)
    assert page.errors[0].startswith(sentence)
    assert page.one("textarea", id="link").text == link


def test_what_a_link_says_is_verified_like_a_file(leading: Player, home: Client) -> None:
    document = json.loads(export_file(leading.pad))
    document["matches"][0]["entries"][0]["payload"]["names"] = ["Noi", "Altri"]
    changed = pack_match(json.dumps(document).encode(), "classica")
    page = home.submit(home.get("/file"), SEE, 422, link=changed)
    assert "qualcuno l'ha cambiata a mano" in page.errors[0]


# ---------------------------------------------------------------- the format


def test_a_link_may_be_broken_by_spaces_and_lines_and_written_in_small_letters(
    leading: Player,
) -> None:
    file = export_file(leading.pad)
    text = pack_match(file, "classica")
    broken = f" {SITE}#ricevi={text[:40]}\n{text[40:90]} {text[90:].lower()}\n"
    assert json.loads(unpack_match(broken)) == json.loads(file)


@pytest.mark.parametrize("name", package_ids())
def test_the_rules_of_every_game_under_every_preset_come_back_as_they_were(name: str) -> None:
    for preset in (None, *get_variant(name).presets):
        frozen = freeze(settle(name, preset))
        document = {"rulesets": {frozen["digest"]: frozen}, "matches": []}
        text = pack_match(json.dumps(document).encode(), name)
        assert json.loads(unpack_match(text)) == document
        assert len(text) < 2000, "only what differs from the rules of the game"


def test_rules_that_no_other_pad_has_are_for_no_link() -> None:
    with pytest.raises(NotForLink):
        pack_match(b"{}", "nostre-regole")


@pytest.mark.parametrize(
    "damaged",
    [
        lambda text: text[:-20],
        lambda text: text.replace("classica.", "nostre."),
        lambda text: text.replace("classica.", "classica.0"),
        lambda text: text[:60] + text[70:],
        lambda _: packed(b"[]"),
        lambda _: packed(b'{"rulesets":{"a":[]},"matches":[]}'),
        lambda _: packed(b"[" * 100_000),
    ],
)
def test_a_link_that_is_not_whole_is_refused(
    leading: Player, damaged: Callable[[str], str]
) -> None:
    text = pack_match(export_file(leading.pad), "classica")
    assert refusal(damaged(text)).startswith("Questo link non si può leggere")


def test_a_link_from_a_pad_with_other_rules_of_the_game_is_refused(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = pack_match(export_file(leading.pad), "classica")
    monkeypatch.setattr(
        "scorepad.matches.link_format.freeze", lambda rules: {**freeze(rules), "penalties": {}}
    )
    assert "un'altra versione di scorepad" in refusal(text)


@pytest.mark.parametrize(
    "content",
    [b" " * 10**8, json.dumps({"rulesets": {str(number): {} for number in range(21)}}).encode()],
)
def test_a_short_link_does_not_become_large(content: bytes) -> None:
    link = packed(content)
    assert len(link) < 200_000
    assert refusal(link).startswith("Questo link diventa più grande")

"""A match handed over by a pad that is alone to another one: as a link with a QR code, or as a file."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorepad.app import Config
from scorepad.i18n import words
from scorepad.matches import link_format
from scorepad.matches.link_format import LARGEST, NotForLink, pack_match, unpack_match
from scorepad.rules.definitions import Ruleset
from scorepad.rules.variants import freeze, get_variant, package_ids, settle
from scorepad.schemas import Unusable
from tests.apps import shared_app
from tests.exported import export_file, told_by
from tests.web.client import Client, Page
from tests.web.conftest import setup_of
from tests.web.player import Player
from tests.web.playing import hand, side

SITE_URL = "https://somebody.example/canasta/"
SHOW_MATCH = "Guarda la partita"  # "Look at the match"
TAKE_MATCH = "Prendi questa partita"  # "Take this match"


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """Make the app of the pad that hands a match over. It runs in a browser, without a server."""
    return shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, testing=True, alone=True))


@pytest.fixture
def receiving_pad(tmp_path: Path) -> Client:
    """Return a browser at another score pad, with a server and a data file of its own."""
    return Client(shared_app(Config(tmp_path / "home.db", b"k" * 32, testing=True)))


def link_of_match(page: Page) -> str:
    """Return the link that holds a match, from the page of the phones."""
    return page.one("p", class_="address").text


def error_of_link(link: str) -> str:
    """Unpack a link that is refused, and return the message in Italian."""
    with pytest.raises(Unusable) as refused:
        unpack_match(link)
    return refused.value.message(words("it"))


def link_of_content(content: bytes) -> str:
    """Return a link that holds other content than a match, packed as a match is: compressed, and
    written in the letters and digits of base32 after the name of a game.
    """
    letters = base64.b32encode(zlib.compress(content)).decode().rstrip("=")
    return f"classica.{letters}"


# ---------------------------------------------------------------- on the pages


def test_phones_page_has_link_with_qr_code_and_file(leading: Player) -> None:
    # A website at /canasta/ has the app in its folder /canasta/app. The page of a match from which
    # it is sent to other phones ("telefoni") is opened there.
    answer = leading.client.raw.get(
        f"{leading.match}/telefoni",
        base_url="https://somebody.example/canasta/app",
        headers={"Accept-Language": "it"},
    )
    page = Page(answer, "")

    # The page shows a link to the website. It holds the match itself, after the word "receive" and
    # the name of its game.
    link = link_of_match(page)
    assert link.startswith("https://somebody.example/canasta/#ricevi=classica.")

    # A QR code of the link is drawn.
    qr_code = page.one("div", role="img")
    assert qr_code.all("svg")

    # The match can also be downloaded as a file, from the app.
    assert f"/canasta/app{leading.match}/file/partita.json" in page.links().values()


def test_match_is_shown_and_taken_over_from_link(leading: Player, receiving_pad: Client) -> None:
    # The receiving pad first shows which match is in the link: 430 to 60 after one hand
    # ("smazzata").
    link = link_of_match(leading.page("telefoni"))
    preview = receiving_pad.submit("/file", SHOW_MATCH, link=link)
    assert "Noi 430" in preview.text
    assert "Loro 60" in preview.text
    assert "1 smazzata" in preview.text

    # Then it takes the match over ("Match loaded."), under the same address.
    match_page = receiving_pad.submit(preview, TAKE_MATCH)
    assert match_page.url == leading.match
    assert match_page.notices == ["Partita caricata."]

    # The copy has the same rules and the same events.
    original = told_by(export_file(leading.pad, leading.match_id))
    copy = told_by(export_file(setup_of(receiving_pad.app).pad, leading.match_id))
    assert copy["rulesets"] == original["rulesets"]
    assert copy["matches"][0]["entries"] == original["matches"][0]["entries"]


def test_match_that_exists_already_is_not_taken_over(leading: Player) -> None:
    # Somebody opens the link on the phone that made it.
    link = link_of_match(leading.page("telefoni"))
    preview = leading.client.submit("/file", SHOW_MATCH, link=link)
    match_page = leading.client.submit(preview, TAKE_MATCH)

    # "This match was here already, and stays as it is."
    assert match_page.notices == ["Questa partita era già qui, e resta com'è."]


def test_match_too_long_for_link_is_offered_as_file(player: Player) -> None:
    # Each hand gives so few points, 10 to 5, that nobody reaches the target of the match.
    hand_10_to_5 = hand(side(cards=60, left=50), side(cards=55, left=50))
    player.play(*[hand_10_to_5] * 40)

    # "This match does not fit into a link": there is no QR code either, only the file.
    page = player.page("telefoni")
    assert "Questa partita non sta in un link" in page.text
    assert not page.all("div", role="img")
    assert f"{player.match}/file/partita.json" in page.links().values()


@pytest.mark.parametrize(
    ("link", "error"),
    [
        # "Paste the link of the match first."
        ("", "Incolla prima il link della partita."),
        # "This link cannot be read"
        ("https://somebody.example/", "Questo link non si può leggere"),
        # A link in the right format, but without a match.
        (
            link_of_content(
                b'{"format":"scorepad-matches","version":1,"rulesets":{},"matches":[]}'
            ),
            "Questo link",
        ),
        # "This link becomes larger" than allowed when it is unpacked.
        (link_of_content(b" " * (LARGEST + 1)), "Questo link diventa più grande"),
    ],
)
def test_link_without_match_is_refused(receiving_pad: Client, link: str, error: str) -> None:
    page = receiving_pad.submit("/file", SHOW_MATCH, status=422, link=link)

    # The field keeps what was pasted.
    assert page.errors[0].startswith(error)
    assert page.one("textarea", id="link").text == link


def test_link_with_altered_match_is_refused(leading: Player, receiving_pad: Client) -> None:
    # Somebody changes the name of a side, in the event with which the match begins. A match is
    # sealed with a checksum of its events, which does not fit any more.
    document = json.loads(export_file(leading.pad))
    start_event = document["matches"][0]["entries"][0]
    start_event["payload"]["names"] = ["Noi", "Altri"]
    altered_link = pack_match(json.dumps(document).encode(), "classica")

    page = receiving_pad.submit("/file", SHOW_MATCH, status=422, link=altered_link)

    # "somebody changed it by hand"
    assert "qualcuno l'ha cambiata a mano" in page.errors[0]


# ---------------------------------------------------------------- the format


def test_link_may_contain_spaces_line_breaks_and_lowercase(leading: Player) -> None:
    file = export_file(leading.pad)
    code = pack_match(file, "classica")

    # Messengers break long links into lines, and people add spaces or type in lower case.
    link = f" {SITE_URL}#ricevi={code[:40]}\n{code[40:90]} {code[90:].lower()}\n"

    assert json.loads(unpack_match(link)) == json.loads(file)


@pytest.mark.parametrize("name", package_ids())
def test_link_restores_rules_of_every_variant_and_preset(name: str) -> None:
    # A preset is a set of options under the name of its source, such as a website of rules.
    for preset in (None, *get_variant(name).presets):
        # `freeze` returns the rules as they are stored with a match: 30 kB of JSON.
        frozen = freeze(settle(name, preset))
        document = {"rulesets": {frozen["digest"]: frozen}, "matches": []}
        code = pack_match(json.dumps(document).encode(), name)
        assert json.loads(unpack_match(code)) == document
        # The link holds only what differs from the rules of the variant, which every pad has.
        assert len(code) < 2000


def test_match_by_house_rules_has_no_link() -> None:
    # Another pad does not have the rules that somebody made on this one.
    with pytest.raises(NotForLink):
        pack_match(b"{}", "nostre-regole")


@pytest.mark.parametrize(
    "damage",
    [
        lambda code: code[:-20],
        lambda code: code[:60] + code[70:],
        lambda code: code.replace("classica.", "nostre."),
        # Base32 has no digit 0.
        lambda code: code.replace("classica.", "classica.0"),
    ],
    ids=["truncated", "a part missing", "unknown variant", "a digit more"],
)
def test_damaged_link_is_refused(leading: Player, damage: Callable[[str], str]) -> None:
    code = pack_match(export_file(leading.pad), "classica")
    damaged_code = damage(code)

    # "This link cannot be read"
    assert error_of_link(damaged_code).startswith("Questo link non si può leggere")


@pytest.mark.parametrize(
    "content",
    [b"[]", b'{"rulesets":{"a":[]},"matches":[]}', b"[" * 100_000],
    ids=["no object", "wrong rules", "no JSON"],
)
def test_link_with_other_content_is_refused(content: bytes) -> None:
    link = link_of_content(content)

    # "This link cannot be read"
    assert error_of_link(link).startswith("Questo link non si può leggere")


def test_link_from_version_with_other_rules_is_refused(
    leading: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = pack_match(export_file(leading.pad), "classica")

    # The receiving pad has another version of the same rules, in which there are no penalties.
    def freeze_without_penalties(rules: Ruleset) -> dict[str, Any]:
        return {**freeze(rules), "penalties": {}}

    monkeypatch.setattr(link_format, "freeze", freeze_without_penalties)

    # "another version of scorepad"
    assert "un'altra versione di scorepad" in error_of_link(code)


@pytest.mark.parametrize(
    "content",
    [
        b" " * 10**8,
        # In a link a set of rules is empty where it is like that of a variant. At most 20 are
        # allowed.
        json.dumps({"rulesets": {str(number): {} for number in range(21)}}).encode(),
    ],
    ids=["100 MB", "21 rulesets"],
)
def test_link_that_unpacks_to_too_much_is_refused(content: bytes) -> None:
    # Content is compressed in a link. One of less than 200 kB may hold 100 MB of spaces, or a match
    # with 21 sets of rules, of which each becomes 30 kB when it is unpacked.
    link = link_of_content(content)
    assert len(link) < 200_000

    # "This link becomes larger" than is allowed.
    assert error_of_link(link).startswith("Questo link diventa più grande")

"""Variants of the user's own on the pages: offered, played, and gone on with where their file is
gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorepad.i18n import words
from scorepad.i18n.settings_in_words import variant_name
from scorepad.matches import Pad
from scorepad.matches.file_reader import read_export
from scorepad.rules.variants import get_variant, offer_own_variants
from tests.web.client import Client
from tests.web.player import Begin
from tests.web.playing import play, side, start

OWN = Path(__file__).parents[1] / "rules" / "own"
PAGES = (
    "", "/smazzata", "/smazzate/1/correggi", "/regole", "/penalita", "/nomi", "/registro", "/tabellone", "/condividi",
    "/foglio.pdf", "/foglio.pdf?dettaglio=on", "/arbitro", "/arbitro/pozzo", "/arbitro/chiusura", "/arbitro/apertura",
    "/fine", "/telefoni", "/file", "/file/righe.csv",
)  # fmt: skip
LAID = {
    "tredici": {"natural-canasta": 1}, "rosse-nere": {"mixed-canasta": 1}, "a-tempo": {"natural-canasta": 1},
    "quattromila": {"mixed-canasta": 1}, "quattro-canaste": {"all-sevens": 1},
}  # fmt: skip
"""A canasta of each variant, that of one's own among them."""
RAW = re.compile(rb"\b(bonus|family|item|option|penalty|read|variant)\.[a-z]")
"""A key in place of the words of a variant."""


@pytest.fixture(autouse=True)
def offered() -> Iterator[None]:
    offer_own_variants(OWN)
    yield
    offer_own_variants(None)


def hand(variant: str) -> dict[str, object]:
    """A hand in which our side lays a canasta of the variant's own and opens with 245."""
    ours = {"totals": {"canastas": LAID[variant], "cards": 245}, "left": 0}
    bonuses = {"bonuses": ["exact-cut"]} if variant in ("tredici", "rosse-nere") else {}
    return {"sides": {"a": ours | bonuses, "b": side(0, 20)}, "out": None}


@pytest.mark.quick(2)
@pytest.mark.parametrize("is_gone", [False, True])
@pytest.mark.parametrize("variant", LAID)
def test_every_page_of_a_match_by_own_rules_opens(
    begin: Begin, variant: str, is_gone: bool
) -> None:
    player = begin(variant)
    name = variant_name(get_variant(variant), words("it"))
    page = player.play(hand(variant))
    assert name in page.text
    if is_gone:
        offer_own_variants(None)
    for path in PAGES:
        response = player.client.raw.get(f"{player.match}{path}", follow_redirects=True)
        assert response.status_code == 200, path
        assert not RAW.search(response.data), path
    assert name in player.page().text


def test_a_bonus_and_a_canasta_of_ones_own_are_called_by_their_names(
    client: Client, pad: Pad
) -> None:
    url = start(client, "tredici")
    assert "Taglio giusto" in client.get(f"{url}/smazzata").text
    assert "Taglio giusto" in play(pad, client, url, hand("tredici")).text
    assert (
        "Canasta di sette"
        in play(pad, client, start(client, "quattro-canaste"), hand("quattro-canaste")).text
    )


def test_a_match_by_own_rules_goes_on_on_another_pad_without_the_file(begin: Begin) -> None:
    player = begin("quattro-canaste")
    player.play(hand("quattro-canaste"))
    saved = player.client.raw.get(f"{player.match}/file/partita.json").data
    offer_own_variants(None)
    (read,) = read_export(saved)
    assert [side.total for side in read.state.sides] == [1745, -20]
    assert read.state.rules.words["it"]["variant.quattro-canaste.name"] == "Quattro canaste"


def test_a_list_of_matches_names_each_game_as_its_own_rules_do_without_the_file(
    client: Client, pad: Pad, tmp_path: Path
) -> None:
    for name in ("Ai duemila", "Ai tremila"):
        (tmp_path / "nostra.toml").write_text(
            f'id = "nostra"\nextends = "classica"\nwords.it.name = "{name}"\n', "utf-8"
        )
        offer_own_variants(tmp_path)
        play(pad, client, start(client, "nostra"), {"sides": {"a": side(0, 20), "b": side(0, 20)}})
    offer_own_variants(None)
    said = [each.text for each in client.get("/").all(class_="match-said")]
    assert ["Ai tremila" in said[0], "Ai duemila" in said[1]] == [True, True], said


def test_two_games_of_ones_own_are_compared_each_in_its_words(
    client: Client, tmp_path: Path
) -> None:
    for name, bonus in (("una", "Taglio giusto"), ("altra", "Taglio al volo")):
        (tmp_path / f"{name}.toml").write_text(
            f'id = "{name}"\nextends = "classica"\n'
            f'[bonuses.cut]\npoints = 100\nstanding = "house"\nwords.it = "{bonus}"\n',
            "utf-8",
        )
    offer_own_variants(tmp_path)
    text = client.get("/regole/confronta?uno=una&altro=altra").text
    assert "Taglio giusto" in text
    assert "Taglio al volo" in text


@pytest.mark.quick(1)
@pytest.mark.parametrize("variant", LAID)
def test_the_rulebook_and_the_papers_of_own_rules_open(client: Client, variant: str) -> None:
    for path in (
        "/regole", f"/regole/{variant}", f"/regole/{variant}/segnapunti.pdf", f"/regole/{variant}/scheda.pdf",
        f"/regole/confronta?una=classica&altra={variant}", "/regole/cerca?testo=pozzo",
        f"/regole/cerca?testo=pozzo&gioco={variant}", "/partite/nuova", f"/arbitro?variante={variant}",
    ):  # fmt: skip
        response = client.raw.get(path, follow_redirects=True)
        assert response.status_code == 200, path
        assert not RAW.search(response.data), path
    assert variant_name(get_variant(variant), words("it")) in client.get("/regole").text

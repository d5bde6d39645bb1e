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
from scorepad.matches.file_reader import read_export
from scorepad.rules.variants import get_variant, offer_own_variants
from tests.web.client import Client
from tests.web.player import Begin
from tests.web.playing import hand, side

OWN = Path(__file__).parents[1] / "rules" / "own"
PAGES = (
    "", "/smazzata", "/smazzate/1/correggi", "/regole", "/penalita", "/nomi", "/registro", "/tabellone", "/condividi",
    "/foglio.pdf", "/foglio.pdf?dettaglio=on", "/arbitro", "/arbitro/pozzo", "/arbitro/chiusura", "/arbitro/apertura",
    "/fine", "/telefoni", "/file", "/file/righe.csv",
)  # fmt: skip
CANASTA_OF_OWN = {
    "tredici": "natural-canasta",
    "rosse-nere": "mixed-canasta",
    "a-tempo": "natural-canasta",
    "quattromila": "mixed-canasta",
    "quattro-canaste": "all-sevens",
}
"""A canasta of each variant of tests/rules/own."""
KEY_IN_PLACE_OF_WORDS = re.compile(rb"\b(bonus|family|item|option|penalty|read|variant)\.[a-z]")


@pytest.fixture(autouse=True)
def offered() -> Iterator[None]:
    offer_own_variants(OWN)
    yield
    offer_own_variants(None)


def check_opens_with_words(client: Client, path: str) -> None:
    """A page or file opens, and has words for everything."""
    answer = client.raw.get(path, follow_redirects=True)
    assert answer.status_code == 200, path
    assert not KEY_IN_PLACE_OF_WORDS.search(answer.data), path


def hand_of(variant: str) -> dict[str, object]:
    """A hand in which our side lays a canasta of the variant's own and opens with 245."""
    ours = {"totals": {"canastas": {CANASTA_OF_OWN[variant]: 1}, "cards": 245}, "left": 0}
    if variant in ("tredici", "rosse-nere"):
        ours["bonuses"] = ["exact-cut"]
    return hand(ours, side(0, 20))


@pytest.mark.quick(2)
@pytest.mark.parametrize("is_gone", [False, True])
@pytest.mark.parametrize("variant", CANASTA_OF_OWN)
def test_every_page_of_a_match_by_own_rules_opens(
    begin: Begin, variant: str, is_gone: bool
) -> None:
    """Also once the file of the rules is there no more."""
    player = begin(variant)
    player.play(hand_of(variant))
    name = variant_name(get_variant(variant), words("it"))

    if is_gone:
        offer_own_variants(None)

    for path in PAGES:
        check_opens_with_words(player.client, f"{player.match}{path}")
    assert name in player.page().text


@pytest.mark.parametrize(
    ("variant", "form_has", "page_has"),
    [
        ("tredici", "Taglio giusto", "Taglio giusto"),
        ("quattro-canaste", "", "Canasta di sette"),
    ],
)
def test_a_bonus_and_a_canasta_of_ones_own_are_called_by_their_names(
    begin: Begin, variant: str, form_has: str, page_has: str
) -> None:
    player = begin(variant)
    assert form_has in player.open().text
    assert page_has in player.play(hand_of(variant)).text


def test_a_match_by_own_rules_goes_on_on_another_pad_without_the_file(begin: Begin) -> None:
    player = begin("quattro-canaste")
    player.play(hand_of("quattro-canaste"))
    exported = player.answer("file/partita.json").data

    offer_own_variants(None)
    (match,) = read_export(exported)

    # 1,500 for the canasta of sevens and 245; 20 left in hand
    assert [side.total for side in match.state.sides] == [1745, -20]
    assert match.state.rules.words["it"]["variant.quattro-canaste.name"] == "Quattro canaste"


def test_a_list_of_matches_names_each_game_as_its_own_rules_do_without_the_file(
    client: Client, begin: Begin, tmp_path: Path
) -> None:
    for name in ("Ai duemila", "Ai tremila"):
        rules = f'id = "nostra"\nextends = "classica"\nwords.it.name = "{name}"\n'
        (tmp_path / "nostra.toml").write_text(rules, "utf-8")
        offer_own_variants(tmp_path)
        begin("nostra")
    offer_own_variants(None)

    second, first = client.get("/").texts(class_="match-said")  # the last one first

    assert "Ai duemila" in first
    assert "Ai tremila" in second


def test_two_games_of_ones_own_are_compared_each_in_its_words(
    client: Client, tmp_path: Path
) -> None:
    rules = 'id = "{}"\nextends = "classica"\n[bonuses.cut]\npoints = 100\nstanding = "house"\nwords.it = "{}"\n'
    (tmp_path / "una.toml").write_text(rules.format("una", "Taglio giusto"), "utf-8")
    (tmp_path / "altra.toml").write_text(rules.format("altra", "Taglio al volo"), "utf-8")
    offer_own_variants(tmp_path)

    text = client.get("/regole/confronta?uno=una&altro=altra").text

    assert "Taglio giusto" in text
    assert "Taglio al volo" in text


CITING = """
id = "casa"
extends = "classica"

[sources.club]
title = "Il nostro circolo"
sections = ["<b>Pescate</b>"]

[penalties.draw-out-of-turn]
points = 150
cite = ["club:<b>Pescate</b>"]
"""


def test_a_heading_of_a_source_of_ones_own_is_text_and_no_markup(
    begin: Begin, tmp_path: Path
) -> None:
    (tmp_path / "casa.toml").write_text(CITING, "utf-8")
    offer_own_variants(tmp_path)

    page = begin("casa").page("penalita")

    assert "«<b>Pescate</b>»" in page.text


@pytest.mark.quick(1)
@pytest.mark.parametrize("variant", CANASTA_OF_OWN)
def test_the_rulebook_and_the_papers_of_own_rules_open(client: Client, variant: str) -> None:
    for path in (
        f"/regole/{variant}",
        f"/regole/{variant}/segnapunti.pdf",
        f"/regole/{variant}/scheda.pdf",
        f"/regole/confronta?uno=classica&altro={variant}",
        f"/regole/cerca?testo=pozzo&gioco={variant}",
        "/partite/nuova",
        f"/arbitro?variante={variant}",
    ):
        check_opens_with_words(client, path)
    assert variant_name(get_variant(variant), words("it")) in client.get("/regole").text

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
from tests.web.playing import side

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


def opens_with_words_for_everything(client: Client, path: str) -> None:
    answer = client.raw.get(path, follow_redirects=True)
    assert answer.status_code == 200, path
    assert not RAW.search(answer.data), path


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
    player.play(hand(variant))
    name = variant_name(get_variant(variant), words("it"))

    if is_gone:
        offer_own_variants(None)

    for path in PAGES:
        opens_with_words_for_everything(player.client, f"{player.match}{path}")
    assert name in player.page().text


def test_a_bonus_and_a_canasta_of_ones_own_are_called_by_their_names(begin: Begin) -> None:
    with_a_bonus = begin("tredici")
    with_a_canasta = begin("quattro-canaste")
    assert "Taglio giusto" in with_a_bonus.open().text
    assert "Taglio giusto" in with_a_bonus.play(hand("tredici")).text
    assert "Canasta di sette" in with_a_canasta.play(hand("quattro-canaste")).text


def test_a_match_by_own_rules_goes_on_on_another_pad_without_the_file(begin: Begin) -> None:
    player = begin("quattro-canaste")
    player.play(hand("quattro-canaste"))
    saved = player.client.raw.get(f"{player.match}/file/partita.json").data
    offer_own_variants(None)
    (read,) = read_export(saved)
    assert [side.total for side in read.state.sides] == [1745, -20]
    assert read.state.rules.words["it"]["variant.quattro-canaste.name"] == "Quattro canaste"


def test_a_list_of_matches_names_each_game_as_its_own_rules_do_without_the_file(
    client: Client, begin: Begin, tmp_path: Path
) -> None:
    for name in ("Ai duemila", "Ai tremila"):
        text = f'id = "nostra"\nextends = "classica"\nwords.it.name = "{name}"\n'
        (tmp_path / "nostra.toml").write_text(text, "utf-8")
        offer_own_variants(tmp_path)
        begin("nostra")
    offer_own_variants(None)

    last, first = client.get("/").all(class_="match-said")

    assert "Ai tremila" in last.text
    assert "Ai duemila" in first.text


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
@pytest.mark.parametrize("variant", LAID)
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
        opens_with_words_for_everything(client, path)
    assert variant_name(get_variant(variant), words("it")) in client.get("/regole").text

"""Rules cards: a variant's figures on one page."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader

from scorepad.i18n import words
from scorepad.pad.paper_card import card_of, rules_card
from scorepad.rules.variants import as_played, variant_ids
from tests.sheets.reading import fonts_of, text_of


@pytest.mark.parametrize("name", variant_ids())
def test_every_variant_fits_on_one_page(name: str) -> None:
    sheet = PdfReader(BytesIO(rules_card(name, words("it"))))
    (page,) = sheet.pages
    assert [round(float(side)) for side in page.mediabox] == [0, 0, 595, 842]
    text = text_of(sheet)
    card = card_of(as_played(name), words("it"))
    assert card.variant in text
    assert "Fonti: Wikipedia" in text, "the foot is on the page"
    told = [fact for chapter in card.chapters for fact in chapter.facts]
    lacking = [fact.name for fact in told if " ".join(fact.name.split()) not in text]
    assert lacking == []


def test_with_every_option_it_is_still_one_page() -> None:
    chosen = {"dirty-escalera": True, "red-threes-may-be-kept": True, "black-three-canasta": True}
    sheet = PdfReader(BytesIO(rules_card("bolivia", words("en"), None, chosen)))
    assert len(sheet.pages) == 1
    assert all(fonts_of(sheet).values())
    assert sheet.trailer["/Root"]["/Lang"] == "en"


def test_it_tells_the_figures_of_the_game_and_of_the_table() -> None:
    card = card_of(as_played("classica", "getty"), words("it"), "getty")
    told = {fact.name: fact.value for chapter in card.chapters for fact in chapter.facts}
    assert told["Mazzi"] == "2"
    assert told["Carte distribuite"] == "11"
    assert told["Traguardo"] == "5.000"
    assert told["Premio per la canasta nascosta"] == "100"
    assert told["Calata nel turno del compagno"] == "−200"
    assert card.chosen == ("Regole tradotte dall'inglese",)


def test_the_same_card_gives_the_same_bytes() -> None:
    assert rules_card("samba", words("it")) == rules_card("samba", words("it"))

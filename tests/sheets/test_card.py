"""Rules cards: a variant's figures on one page."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader

from scorepad.i18n import words
from scorepad.rules.variants import as_played, variant_ids
from scorepad.sheets.rules_card import card_of, rules_card
from tests.sheets.reading import fonts_of, text_of


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", variant_ids())
def test_every_variant_fits_on_one_page(name: str) -> None:
    sheet = PdfReader(BytesIO(rules_card(name, words("it"))))
    (page,) = sheet.pages
    assert [round(float(side)) for side in page.mediabox] == [0, 0, 595, 842]
    text = text_of(sheet)
    card = card_of(as_played(name), words("it"))
    assert card.variant in text
    assert f"Fonti: {card.sources[0]}" in text, "the foot is on the page"
    told = [fact for chapter in card.chapters for fact in chapter.facts]
    lacking = [fact.name for fact in told if " ".join(fact.name.split()) not in text]
    assert lacking == []


@pytest.mark.long
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


def test_where_several_numbers_may_play_the_cards_dealt_stand_for_each() -> None:
    told = {
        fact.name: fact.value for chapter in card_of(as_played("mini"), words("it")).chapters for fact in chapter.facts
    }
    assert told["Carte distribuite"] == (
        "in 2 se ne danno 12 a testa, in 3 se ne danno 10 a testa e in 4 se ne danno 9 a testa"
    )
    assert told["Altre carte rimaste in mano"].endswith("i 3 non costano niente")


def test_a_game_without_partners_has_no_penalties_of_partners() -> None:
    names = {fact.name for chapter in card_of(as_played("due"), words("it")).chapters for fact in chapter.facts}
    assert "Calata nel turno degli avversari" in names
    assert not {"Calata nel turno del compagno", "Chiusura chiesta e concessa, ma non riuscita"} & names


def test_the_foot_lists_the_sources_of_what_is_printed_and_those_of_the_classic_game_apart() -> None:
    card = card_of(as_played("hand-and-foot"), words("it"))
    assert card.sources == ("pagat.com «Hand and Foot»",)
    assert "pagat.com «Canasta»" in card.classic, "what ends the stock is not told by the page of the game"
    assert card_of(as_played("moderna"), words("it")).sources == (
        "pagat.com «Modern American Canasta»",
        "canastaleague.org «Modern American Canasta»",
    )
    assert card_of(as_played("mini"), words("it")).sources == ("Wikipedia (it), «Canasta»",)
    assert card_of(as_played("classica"), words("it")).classic == ()


def notes_of(name: str) -> dict[str, str]:
    chapters = card_of(as_played(name), words("it")).chapters
    return {of: " ".join(said) for chapter in chapters for of, said in chapter.notes.items()}


def test_it_tells_what_is_said_of_this_game_alone_right_after_the_figure_that_it_is_of() -> None:
    mini = notes_of("mini")
    assert "nel turno dopo pesca una carta sola" in mini["Scartare una carta che si può attaccare"]
    tagliagola = notes_of("tagliagola")
    assert "ognuno segna i suoi" in tagliagola["Onori"]
    assert "tutto il punteggio della coppia" in tagliagola[""]
    assert notes_of("classica") == {}


def test_mini_calls_its_canastas_by_one_name() -> None:
    told = {
        fact.name: fact.value for chapter in card_of(as_played("mini"), words("it")).chapters for fact in chapter.facts
    }
    assert told["Premi delle canaste"] == (
        "canaste pure 2, canaste spure 1, canaste di jolly e pinelle 5 (valgono come spure), "
        "canaste di pinelle 10 (valgono come pure)"
    )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("classica", None),
        ("hand-and-foot", "−500, invece di contarlo come 3 rosso rimasto in mano: lo sbaglio è lo stesso"),
        ("moderna", "−500, invece di contarlo come 3 rosso rimasto in mano: lo sbaglio è lo stesso"),
    ],
)
def test_a_red_three_not_exposed_is_one_offence_at_one_price(name: str, told: str | None) -> None:
    chapters = card_of(as_played(name), words("it")).chapters
    assert {fact.name: fact.value for fact in chapters[-1].facts}.get("3 rosso non esposto") == told


@pytest.mark.long
def test_the_same_card_gives_the_same_bytes() -> None:
    assert rules_card("samba", words("it")) == rules_card("samba", words("it"))

"""Blank pads: the card to fill in by pen, with the figures of its variant."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from scorepad.i18n import words
from scorepad.rules.definitions import ChoiceValue
from scorepad.rules.variants import offer_own_variants, variant_ids
from scorepad.sheets.blank_pad import FEWEST_PAD_ROWS, BlankPad, Copies, make_blank_pad
from scorepad.sheets.game_facts import NamedValue
from tests.sheets.reading import embedded_by_font, font_sizes, list_tags, read_text, text_by_page

A4 = {Copies.TWO: [0, 0, 842, 595], Copies.FOUR: [0, 0, 595, 842]}
ON_A_SHEET = (Copies.TWO, Copies.FOUR)


def blank(
    name: str, language: str = "it", preset: str | None = None, **options: ChoiceValue
) -> BlankPad:
    chosen = {key.replace("_", "-"): value for key, value in options.items()}
    return BlankPad(name, words(language), preset, chosen, Copies.TWO)


def read(
    name: str,
    copies: Copies = Copies.TWO,
    language: str = "it",
    **chosen: Mapping[str, ChoiceValue],
) -> PdfReader:
    return PdfReader(BytesIO(make_blank_pad(name, words(language), copies, **chosen)))


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("name", "copies"),
    [
        # In the usual run each variant has one of them, in turn.
        pytest.param(name, copies, marks=() if (place + turn) % 2 else pytest.mark.full)
        for place, name in enumerate(variant_ids())
        for turn, copies in enumerate(ON_A_SHEET)
    ],
)
def test_every_variant_fits_as_often_as_asked_on_one_sheet(name: str, copies: Copies) -> None:
    sheet, pad = read(name, copies), BlankPad(name, words("it"), None, None, copies)
    (paper,) = sheet.pages
    assert [round(float(side)) for side in paper.mediabox] == A4[copies]
    text = read_text(sheet)
    assert text.count(pad.name) == copies
    # Nothing runs over the edge of a card: what stands last on it is there as often.
    last = (pad.long_bonuses or pad.short_bonuses)[-1]
    assert text.count(last.name) == copies
    assert text.split().count(last.value.split()[-1]) >= copies
    assert text.split().count("4") >= copies, f"at least {FEWEST_PAD_ROWS} hands to write down"


FIGURES = tomllib.loads(Path(__file__).with_name("figures.toml").read_text("utf-8"))


@pytest.mark.parametrize("game", FIGURES["openings"])
def test_the_minimums_of_the_opening_are_told(game: str) -> None:
    name, _, steps = game.partition(" ")
    options = {"opening_steps": steps} if steps else {}
    told = {step.name: step.value for step in blank(name, **options).openings}
    assert told == FIGURES["openings"][game]


@pytest.mark.parametrize("game", FIGURES["pad"])
def test_the_figures_of_the_game_are_told(game: str) -> None:
    found = {bonus.name: bonus.value for bonus in blank(game).bonuses}
    for figure, told in FIGURES["pad"][game].items():
        assert found[figure].endswith(told)


def test_the_card_has_its_columns_and_its_goal_and_speaks_english() -> None:
    assert blank("classica").columns == ("Noi", "Loro")
    assert blank("classica").goal == NamedValue("Traguardo", "5.000")
    assert blank("hand-and-foot").hands == 4
    assert blank("tre").columns == ("", "", ""), "names are written over them"
    assert blank("due").columns == ("", "")
    english = blank("canastone", "en")
    assert english.columns == ("We", "They")
    assert english.openings[-1] == NamedValue("from 12,000", "200")


@pytest.mark.parametrize("name", ["moderna", "canastone"])
def test_two_to_a_sheet_have_lines_for_ten_hands(name: str) -> None:
    text = read_text(read(name))
    assert text.split().count("10") >= 2 * Copies.TWO, "the tenth row, and cards worth ten"


@pytest.mark.long
def test_of_five_it_has_a_place_for_who_sits_out() -> None:
    assert read_text(read("cinque")).count("Riposa") == Copies.TWO
    assert "Riposa" not in read_text(read("classica"))


def test_cards_stand_in_a_strip_by_what_they_are_worth() -> None:
    assert blank("classica").cards == [
        NamedValue("jolly", "50"),
        NamedValue("pinella, asso", "20"),
        NamedValue("re, donna, fante, 10, 9, 8", "10"),
        NamedValue("7, 6, 5, 4, tre nero", "5"),
    ]
    assert blank("mini").cards == [], "there only canastas count"


def test_each_side_has_lines_for_the_names_of_its_players() -> None:
    assert blank("classica").players == [2, 2]
    assert blank("sei").players == [3, 3]
    assert read_text(read("tre")).count("Nome") == 3 * Copies.TWO
    assert "Nome" not in read_text(read("classica"))


@pytest.mark.long
def test_four_to_a_sheet_have_lines_for_seven_hands_of_the_canastone_in_letters_of_eight_points() -> (
    None
):
    made = make_blank_pad("canastone", words("it"), Copies.FOUR)
    (page,) = text_by_page(made)
    assert page.split().count("7") >= Copies.FOUR
    assert min(font_sizes(made)) >= 7, "points: the heads of the columns; the figures have eight"


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "name", ["moderna", "classica", "cinque", "tre", "canastone", "hand-and-foot"]
)
def test_in_large_print_there_is_one_to_a_sheet_with_its_figures_overleaf(name: str) -> None:
    pad = blank(name)
    front, *overleaf = text_by_page(make_blank_pad(name, words("it"), Copies.LARGE))
    assert front.count(pad.name) == 1
    assert len(overleaf) <= 2
    assert pad.bonuses[0].name not in front
    assert pad.bonuses[0].name in " ".join(overleaf)
    assert str(pad.hands or 15) in front.split(), "hands to write down"


def test_what_the_table_plays_otherwise_is_printed_and_decides_the_figures() -> None:
    pad = blank("classica", preset="getty", wild_limit="fewer-than-naturals", target=3000)
    assert pad.goal == NamedValue("Traguardo", "3.000")
    assert NamedValue("Premio per la canasta nascosta", "100") in pad.bonuses
    assert pad.chosen == (
        "Regole tradotte dall'inglese",
        "Matte in una combinazione: al massimo tre, e sempre meno delle carte naturali",
    )
    assert blank("classica", target=5000).chosen == (), "that is how it is played anyway"


def test_the_pdf_is_tagged_has_its_fonts_and_is_the_same_each_time() -> None:
    made = make_blank_pad("samba", words("en"), Copies.FOUR)
    assert made == make_blank_pad("samba", words("en"), Copies.FOUR)
    sheet = PdfReader(BytesIO(made))
    assert sheet.trailer["/Root"]["/Lang"] == "en"
    assert sheet.metadata is not None
    assert str(sheet.metadata.title) == "Blank score pad: Samba"
    assert [tag["/S"] for tag in list_tags(sheet)].count("/H1") == 4
    assert all(embedded_by_font(sheet).values())


@pytest.fixture
def own_variants() -> Iterator[None]:
    offer_own_variants(Path(__file__).parents[1] / "rules" / "own")
    yield
    offer_own_variants(None)


def test_a_variant_of_ones_own_has_its_bonuses_and_its_minutes_on_the_pad(
    own_variants: None,
) -> None:
    assert blank("tredici").bonuses[-1] == NamedValue("Taglio giusto", "100")
    timed = NamedValue("Smazzate di una partita", "3, al massimo 50 minuti")
    assert blank("a-tempo").goal == timed

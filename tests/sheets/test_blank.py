"""Blank pads: the card to fill in by pen, with the figures of its variant."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from scorepad.i18n import words
from scorepad.rules.definitions import ChoiceValue
from scorepad.rules.variants import offer_own_variants, variant_ids
from scorepad.sheets.blank_pad import FEWEST_PAD_ROWS, BlankPad, Copies, make_blank_pad
from scorepad.sheets.game_facts import NamedValue
from tests.data import read_data
from tests.sheets.reading import embedded_by_font, font_sizes, list_tags, read_text, text_by_page

A4 = {Copies.TWO: [0, 0, 842, 595], Copies.FOUR: [0, 0, 595, 842]}
ON_A_SHEET = (Copies.TWO, Copies.FOUR)


def make_pad(
    name: str, language: str = "it", preset: str | None = None, **options: ChoiceValue
) -> BlankPad:
    """What stands on a blank pad of these rules."""
    chosen = {key.replace("_", "-"): value for key, value in options.items()}
    return BlankPad(name, words(language), preset, chosen, Copies.TWO)


def print_pad(name: str, copies: Copies = Copies.TWO) -> PdfReader:
    """The Italian pad as a PDF, read back."""
    return PdfReader(BytesIO(make_blank_pad(name, words("it"), copies)))


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
    pad = BlankPad(name, words("it"), None, None, copies)

    sheet = print_pad(name, copies)

    (page,) = sheet.pages
    assert [round(float(side)) for side in page.mediabox] == A4[copies]
    text = read_text(sheet)
    assert text.count(pad.name) == copies
    # Nothing runs over the edge of a card: what stands last on it is there as often.
    last_bonus = (pad.long_bonuses or pad.short_bonuses)[-1]
    assert text.count(last_bonus.name) == copies
    assert text.split().count(last_bonus.value.split()[-1]) >= copies
    # Each card has four rows at least.
    assert FEWEST_PAD_ROWS == 4
    assert text.split().count("4") >= copies


FIGURES = read_data("sheets/figures.toml")


@pytest.mark.parametrize("game", FIGURES["openings"])
def test_the_minimums_of_the_opening_are_printed(game: str) -> None:
    name, _, steps = game.partition(" ")
    options = {"opening_steps": steps} if steps else {}
    minimums = {step.name: step.value for step in make_pad(name, **options).openings}
    assert minimums == FIGURES["openings"][game]


@pytest.mark.parametrize("game", FIGURES["pad"])
def test_the_figures_of_the_game_are_printed(game: str) -> None:
    bonuses = {bonus.name: bonus.value for bonus in make_pad(game).bonuses}
    for name, value in FIGURES["pad"][game].items():
        assert bonuses[name].endswith(value)


@pytest.mark.parametrize(
    ("name", "columns"),
    [("classica", ("Noi", "Loro")), ("tre", ("", "", "")), ("due", ("", ""))],
)
def test_a_column_is_headed_noi_or_loro_or_left_for_a_players_name(
    name: str, columns: tuple[str, ...]
) -> None:
    assert make_pad(name).columns == columns


def test_the_pad_names_the_target_or_the_number_of_hands() -> None:
    assert make_pad("classica").goal == NamedValue("Traguardo", "5.000")
    assert make_pad("hand-and-foot").hands == 4


def test_the_pad_speaks_english() -> None:
    pad = make_pad("canastone", "en")
    assert pad.columns == ("We", "They")
    assert pad.openings[-1] == NamedValue("from 12,000", "200")


@pytest.mark.parametrize("name", ["moderna", "canastone"])
def test_two_to_a_sheet_have_lines_for_ten_hands(name: str) -> None:
    text = read_text(print_pad(name))
    # On each of two pads: the number of the tenth row, and cards worth ten.
    assert text.split().count("10") >= 4


@pytest.mark.long
def test_of_five_it_has_a_place_for_who_sits_out() -> None:
    assert read_text(print_pad("cinque")).count("Riposa") == 2
    assert "Riposa" not in read_text(print_pad("classica"))


def test_cards_stand_in_a_strip_by_what_they_are_worth() -> None:
    assert make_pad("classica").cards == [
        NamedValue("jolly", "50"),
        NamedValue("pinella, asso", "20"),
        NamedValue("re, donna, fante, 10, 9, 8", "10"),
        NamedValue("7, 6, 5, 4, tre nero", "5"),
    ]
    assert make_pad("mini").cards == [], "there only canastas count"


def test_each_side_has_lines_for_the_names_of_its_players() -> None:
    assert make_pad("classica").players == [2, 2]
    assert make_pad("sei").players == [3, 3]


def test_single_players_write_their_names_over_the_columns() -> None:
    assert read_text(print_pad("tre")).count("Nome") == 3 * 2
    assert "Nome" not in read_text(print_pad("classica"))


@pytest.mark.long
def test_four_to_a_sheet_have_lines_for_seven_hands_of_the_canastone_in_letters_of_eight_points() -> (
    None
):
    pdf = make_blank_pad("canastone", words("it"), Copies.FOUR)
    (page,) = text_by_page(pdf)
    assert page.split().count("7") >= 4
    assert min(font_sizes(pdf)) >= 7, "points: the heads of the columns; the figures have eight"


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "name", ["moderna", "classica", "cinque", "tre", "canastone", "hand-and-foot"]
)
def test_in_large_print_there_is_one_to_a_sheet_with_its_figures_overleaf(name: str) -> None:
    pad = make_pad(name)

    front, *overleaf = text_by_page(make_blank_pad(name, words("it"), Copies.LARGE))

    assert front.count(pad.name) == 1
    assert len(overleaf) <= 2
    assert pad.bonuses[0].name not in front
    assert pad.bonuses[0].name in " ".join(overleaf)
    rows = pad.hands or 15
    assert str(rows) in front.split()


def test_what_the_table_plays_otherwise_is_printed_and_decides_the_figures() -> None:
    pad = make_pad("classica", preset="getty", wild_limit="fewer-than-naturals", target=3000)
    assert pad.goal == NamedValue("Traguardo", "3.000")
    assert NamedValue("Premio per la canasta nascosta", "100") in pad.bonuses
    assert pad.chosen == (
        "Regole tradotte dall'inglese",
        "Matte in una combinazione: al massimo tre, e sempre meno delle carte naturali",
    )


def test_an_option_that_is_how_the_game_is_played_anyway_is_not_printed() -> None:
    assert make_pad("classica", target=5000).chosen == ()


def test_the_pdf_is_tagged_and_has_its_fonts() -> None:
    sheet = PdfReader(BytesIO(make_blank_pad("samba", words("en"), Copies.FOUR)))
    assert sheet.trailer["/Root"]["/Lang"] == "en"
    assert str(sheet.metadata.title) == "Blank score pad: Samba"
    tags = [tag["/S"] for tag in list_tags(sheet)]
    assert tags.count("/H1") == 4
    assert all(embedded_by_font(sheet).values())


def test_the_pdf_is_the_same_each_time() -> None:
    first = make_blank_pad("samba", words("en"), Copies.FOUR)
    assert make_blank_pad("samba", words("en"), Copies.FOUR) == first


def test_a_variant_of_ones_own_has_its_bonuses_on_the_pad(own_variants: None) -> None:
    assert make_pad("tredici").bonuses[-1] == NamedValue("Taglio giusto", "100")


def test_a_variant_of_ones_own_has_its_minutes_on_the_pad(own_variants: None) -> None:
    goal = make_pad("a-tempo").goal
    assert goal == NamedValue("Smazzate di una partita", "3, al massimo 50 minuti")


@pytest.fixture
def own_variants() -> Iterator[None]:
    offer_own_variants(Path(__file__).parents[1] / "rules" / "own")
    yield
    offer_own_variants(None)

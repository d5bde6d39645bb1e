"""Blank pads: the card to fill in by pen, with the figures of its variant."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from scorepad.i18n import words
from scorepad.rules.definitions import ChoiceValue
from scorepad.rules.variants import offer_own_variants, variant_ids
from scorepad.sheets.blank_pad import FEWEST_PAD_ROWS, BlankPad, Copies, make_blank_pad
from scorepad.sheets.game_facts import NamedValue
from tests.data import read_data
from tests.sheets.reading import embedded_by_font, font_sizes, list_tags, read_text, text_by_page

A4_IN_POINTS = {Copies.TWO: [0, 0, 842, 595], Copies.FOUR: [0, 0, 595, 842]}


def make_pad(
    name: str,
    language: str = "it",
    preset: str | None = None,
    options: dict[str, ChoiceValue] | None = None,
) -> BlankPad:
    """What stands on a blank pad of these rules."""
    return BlankPad(name, words(language), preset, options, Copies.TWO)


def print_pad(name: str, copies: Copies = Copies.TWO) -> PdfReader:
    """The Italian pad as a PDF, read back."""
    return PdfReader(BytesIO(make_blank_pad(name, words("it"), copies)))


def list_pads_to_try() -> list[Any]:
    """Every variant twice and four times on a sheet; in the usual run one of them, in turn."""
    pads = []
    usual, other = Copies.TWO, Copies.FOUR
    for name in variant_ids():
        usual, other = other, usual
        pads.append(pytest.param(name, usual))
        pads.append(pytest.param(name, other, marks=pytest.mark.full))
    return pads


@pytest.mark.quick(2)
@pytest.mark.parametrize(("name", "copies"), list_pads_to_try())
def test_blank_pads_of_every_variant_fit_on_one_sheet(name: str, copies: Copies) -> None:
    pad = BlankPad(name, words("it"), preset=None, options=None, copies=copies)

    sheet = print_pad(name, copies)

    (page,) = sheet.pages
    assert [round(float(side)) for side in page.mediabox] == A4_IN_POINTS[copies]
    text = read_text(sheet)
    assert text.count(pad.name) == copies
    # Nothing runs over the edge of a pad: what stands last on it is there as often.
    last_bonus = [*pad.short_bonuses, *pad.long_bonuses][-1]
    assert text.count(last_bonus.name) == copies
    points_of_last_bonus = last_bonus.value.split()[-1]
    assert text.split().count(points_of_last_bonus) >= copies
    # Each pad has four rows at least, which are numbered.
    assert FEWEST_PAD_ROWS == 4
    assert text.split().count("4") >= copies


FIGURES = read_data("sheets/figures.toml")


@pytest.mark.parametrize("game", FIGURES["openings"])
def test_opening_minimums_are_printed(game: str) -> None:
    """The game is a variant, or a variant and its option of the opening steps."""
    name, _, steps = game.partition(" ")
    options: dict[str, ChoiceValue] = {}
    if steps:
        options["opening-steps"] = steps

    pad = make_pad(name, options=options)

    minimums = {step.name: step.value for step in pad.openings}
    assert minimums == FIGURES["openings"][game]


@pytest.mark.parametrize("game", FIGURES["pad"])
def test_bonuses_of_the_game_are_printed(game: str) -> None:
    bonuses = {bonus.name: bonus.value for bonus in make_pad(game).bonuses}
    for name, value in FIGURES["pad"][game].items():
        assert bonuses[name].endswith(value)


@pytest.mark.parametrize(
    ("name", "columns"),
    [("classica", ("Noi", "Loro")), ("tre", ("", "", "")), ("due", ("", ""))],
)
def test_columns_are_headed_by_side_or_left_for_a_name(name: str, columns: tuple[str, ...]) -> None:
    assert make_pad(name).columns == columns


def test_target_or_number_of_hands_is_printed() -> None:
    assert make_pad("classica").goal == NamedValue("Traguardo", "5.000")
    assert make_pad("hand-and-foot").hands == 4


def test_blank_pad_in_english() -> None:
    pad = make_pad("canastone", "en")
    assert pad.columns == ("We", "They")
    assert pad.openings[-1] == NamedValue("from 12,000", "200")


@pytest.mark.parametrize("name", ["moderna", "canastone"])
def test_each_of_two_pads_on_a_sheet_has_ten_rows(name: str) -> None:
    text = read_text(print_pad(name))
    # On each of two pads: the number of the tenth row, and cards worth ten.
    assert text.split().count("10") >= 2 + 2


@pytest.mark.long
def test_pad_for_five_has_a_column_for_who_sits_out() -> None:
    sits_out = "Riposa"
    assert read_text(print_pad("cinque")).count(sits_out) == 2  # on each of two pads
    assert sits_out not in read_text(print_pad("classica"))


def test_cards_are_listed_by_their_points() -> None:
    assert make_pad("classica").cards == [
        NamedValue("jolly", "50"),
        NamedValue("pinella, asso", "20"),
        NamedValue("re, donna, fante, 10, 9, 8", "10"),
        NamedValue("7, 6, 5, 4, tre nero", "5"),
    ]


def test_pad_of_a_game_without_points_of_cards_lists_no_cards() -> None:
    assert make_pad("mini").cards == []


def test_each_side_has_one_line_for_each_player() -> None:
    assert make_pad("classica").players == [2, 2]
    assert make_pad("sei").players == [3, 3]


def test_columns_of_single_players_have_a_line_for_the_name() -> None:
    name_label = "Nome"
    assert read_text(print_pad("tre")).count(name_label) == 6  # of three players, on two pads
    assert name_label not in read_text(print_pad("classica"))


@pytest.mark.long
def test_each_of_four_pads_on_a_sheet_has_seven_rows_in_legible_letters() -> None:
    pdf = make_blank_pad("canastone", words("it"), Copies.FOUR)

    (page,) = text_by_page(pdf)
    assert page.split().count("7") >= 4
    smallest_print_in_points = 7  # the heads of the columns; the figures have eight
    assert min(font_sizes(pdf)) >= smallest_print_in_points


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "name", ["moderna", "classica", "cinque", "tre", "canastone", "hand-and-foot"]
)
def test_large_print_has_one_pad_with_its_figures_overleaf(name: str) -> None:
    pad = make_pad(name)

    front, *overleaf = text_by_page(make_blank_pad(name, words("it"), Copies.LARGE))

    assert front.count(pad.name) == 1
    assert len(overleaf) <= 2
    assert pad.bonuses[0].name not in front
    assert pad.bonuses[0].name in " ".join(overleaf)
    last_row = str(pad.hands or 15)
    assert last_row in front.split()


def test_chosen_preset_and_options_are_printed_and_decide_the_figures() -> None:
    options: dict[str, ChoiceValue] = {"wild-limit": "fewer-than-naturals", "target": 3000}

    pad = make_pad("classica", preset="getty", options=options)

    assert pad.goal == NamedValue("Traguardo", "3.000")
    assert NamedValue("Premio per la canasta nascosta", "100") in pad.bonuses
    assert pad.chosen == (
        "Regole tradotte dall'inglese",
        "Matte in una combinazione: al massimo tre, e sempre meno delle carte naturali",
    )


def test_option_equal_to_the_usual_rule_is_not_printed() -> None:
    assert make_pad("classica", options={"target": 5000}).chosen == ()


def test_blank_pad_is_tagged_and_has_its_fonts() -> None:
    sheet = PdfReader(BytesIO(make_blank_pad("samba", words("en"), Copies.FOUR)))
    assert sheet.trailer["/Root"]["/Lang"] == "en"
    assert str(sheet.metadata.title) == "Blank score pad: Samba"
    tags = [tag["/S"] for tag in list_tags(sheet)]
    assert tags.count("/H1") == 4, "one for each pad on the sheet"
    assert all(embedded_by_font(sheet).values())


def test_blank_pad_has_the_same_bytes_each_time() -> None:
    first = make_blank_pad("samba", words("en"), Copies.FOUR)
    assert make_blank_pad("samba", words("en"), Copies.FOUR) == first


def test_own_variant_has_its_bonuses_on_the_pad(own_variants: None) -> None:
    assert make_pad("tredici").bonuses[-1] == NamedValue("Taglio giusto", "100")


def test_own_variant_has_its_time_limit_on_the_pad(own_variants: None) -> None:
    goal = make_pad("a-tempo").goal
    assert goal == NamedValue("Smazzate di una partita", "3, al massimo 50 minuti")


@pytest.fixture
def own_variants() -> Iterator[None]:
    offer_own_variants(Path(__file__).parents[1] / "rules" / "own")
    yield
    offer_own_variants(None)

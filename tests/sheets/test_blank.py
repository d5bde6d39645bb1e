"""Blank pads: the card to fill in with a pen while playing, with the figures of a variant."""

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


def make_pad(
    name: str,
    language: str = "it",
    preset: str | None = None,
    options: dict[str, ChoiceValue] | None = None,
) -> BlankPad:
    """Return what stands on a blank pad for a variant, with a preset or options if given."""
    return BlankPad(name, words(language), preset, options, Copies.TWO)


def print_pad(name: str, copies: Copies = Copies.TWO) -> PdfReader:
    """Make the Italian pad of a variant as PDF, and read it back."""
    return PdfReader(BytesIO(make_blank_pad(name, words("it"), copies)))


def list_pads_to_try() -> list[Any]:
    """Return every variant with two pads on a sheet and with four: `(name, copies)`."""
    pads = []
    for index, name in enumerate(variant_ids()):
        # The usual run tries four pads of the first variant, two of the second, and so on.
        is_even = index % 2 == 0
        usual = Copies.FOUR if is_even else Copies.TWO
        pads.append(pytest.param(name, usual))

        # What it leaves out is tried by `pytest -m full`.
        other = Copies.TWO if is_even else Copies.FOUR
        pads.append(pytest.param(name, other, marks=pytest.mark.full))
    return pads


@pytest.mark.quick(2)
@pytest.mark.parametrize(("name", "copies"), list_pads_to_try())
def test_blank_pads_of_every_variant_fit_on_one_sheet(name: str, copies: Copies) -> None:
    # The sheet has two pads (Copies.TWO, which is the number 2) or four, all the same.
    pad = BlankPad(name, words("it"), preset=None, options=None, copies=copies)

    sheet = print_pad(name, copies)
    text = read_text(sheet)
    words_on_sheet = text.split()

    # It is a page of A4, in points. With two pads it lies on its side, with four it is upright.
    (page,) = sheet.pages
    size_of_page = [round(float(side)) for side in page.mediabox]
    a4 = {Copies.TWO: [0, 0, 842, 595], Copies.FOUR: [0, 0, 595, 842]}
    assert size_of_page == a4[copies]

    # Each pad is whole: the name of the variant stands first on it, a bonus last. ("100 ciascuno,
    # tutti e 4 insieme 800" is the value of a bonus. Its last word is there too.)
    assert text.count(pad.name) == copies
    last_bonus = [*pad.short_bonuses, *pad.long_bonuses][-1]
    assert text.count(last_bonus.name) == copies
    last_word = last_bonus.value.split()[-1]
    assert words_on_sheet.count(last_word) >= copies

    # Each pad has at least four rows to write in, which are numbered.
    assert FEWEST_PAD_ROWS == 4
    assert words_on_sheet.count("4") >= copies


FIGURES = read_data("sheets/figures.toml")


@pytest.mark.parametrize("game", FIGURES["openings"])
def test_opening_minimums_are_printed(game: str) -> None:
    # The first cards of a side must be worth a minimum of points. In the file figures.toml
    # "classica fifty" has {"con qualsiasi punteggio": "50"}: 50 "at any score".
    expected = FIGURES["openings"][game]

    # "classica" is the variant. "fifty", if it is there, is the value of an option.
    variant, _, value = game.partition(" ")
    options: dict[str, ChoiceValue] | None = {"opening-steps": value} if value else None

    pad = make_pad(variant, options=options)

    minimums_by_score = {step.name: step.value for step in pad.openings}
    assert minimums_by_score == expected


@pytest.mark.parametrize("game", FIGURES["pad"])
def test_bonuses_of_the_game_are_printed(game: str) -> None:
    # Such as "Premio di chiusura in mano" (the bonus for going out concealed) of "classica": "200".
    bonuses = {bonus.name: bonus.value for bonus in make_pad(game).bonuses}
    for name, value in FIGURES["pad"][game].items():
        assert bonuses[name].endswith(value)


@pytest.mark.parametrize(
    ("name", "columns"),
    [("classica", ("Noi", "Loro")), ("tre", ("", "", "")), ("due", ("", ""))],
    ids=["two pairs", "three players", "two players"],
)
def test_columns_are_headed_by_side_or_left_for_a_name(name: str, columns: tuple[str, ...]) -> None:
    # Two pairs are "Noi" ("we") and "Loro" ("they"). Whoever plays alone writes a name.
    assert make_pad(name).columns == columns


def test_target_or_number_of_hands_is_printed() -> None:
    # The classic game ends at 5000 points ("Traguardo", target), hand and foot after four hands.
    assert make_pad("classica").goal == NamedValue("Traguardo", "5.000")
    assert make_pad("hand-and-foot").hands == 4


def test_blank_pad_in_english() -> None:
    pad = make_pad("canastone", "en")
    assert pad.columns == ("We", "They")
    # With 12,000 points or more a side's first cards must be worth 200.
    assert pad.openings[-1] == NamedValue("from 12,000", "200")


@pytest.mark.parametrize("name", ["moderna", "canastone"])
def test_each_of_two_pads_on_a_sheet_has_ten_rows(name: str) -> None:
    text = read_text(print_pad(name))
    # Each of the two pads has the number 10 twice: for its tenth row, and for cards worth ten.
    assert text.split().count("10") >= 2 + 2


@pytest.mark.long
def test_pad_for_five_has_a_column_for_who_sits_out() -> None:
    # When five play, one of a side of three sits out in each hand. "Riposa" is "sits out".
    assert read_text(print_pad("cinque")).count("Riposa") == 2  # on each of two pads
    assert "Riposa" not in read_text(print_pad("classica"))


def test_cards_are_listed_by_their_points() -> None:
    # Joker; two and ace; king, queen, jack, 10, 9 and 8; 7, 6, 5, 4 and black three.
    assert make_pad("classica").cards == [
        NamedValue("jolly", "50"),
        NamedValue("pinella, asso", "20"),
        NamedValue("re, donna, fante, 10, 9, 8", "10"),
        NamedValue("7, 6, 5, 4, tre nero", "5"),
    ]


def test_pad_of_a_game_without_points_of_cards_lists_no_cards() -> None:
    # In mini canasta cards have no points of their own.
    assert make_pad("mini").cards == []


def test_each_side_has_one_line_for_each_player() -> None:
    assert make_pad("classica").players == [2, 2]
    assert make_pad("sei").players == [3, 3]  # six players


def test_columns_of_single_players_have_a_line_for_the_name() -> None:
    # "Nome" is "name". In "tre" three players each play alone.
    assert read_text(print_pad("tre")).count("Nome") == 6  # three players, on two pads
    assert "Nome" not in read_text(print_pad("classica"))


@pytest.mark.long
def test_each_of_four_pads_on_a_sheet_has_seven_legible_rows() -> None:
    pdf = make_blank_pad("canastone", words("it"), Copies.FOUR)

    # The seventh row of each pad has its number.
    (page,) = text_by_page(pdf)
    assert page.split().count("7") >= 4
    # The heads of the columns are the smallest print, of 7 points.
    assert min(font_sizes(pdf)) >= 7


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "name", ["moderna", "classica", "cinque", "tre", "canastone", "hand-and-foot"]
)
def test_large_print_has_one_pad_with_its_figures_overleaf(name: str) -> None:
    pad = make_pad(name)

    # In large print the pad fills a page, where one writes. Its figures are on one or two pages
    # more.
    front, *overleaf = text_by_page(make_blank_pad(name, words("it"), Copies.LARGE))
    assert front.count(pad.name) == 1
    assert len(overleaf) <= 2

    # A figure is for example what a canasta is worth, "Canaste naturali".
    figure = pad.bonuses[0].name
    assert figure not in front
    assert figure in " ".join(overleaf)

    # The front has numbered rows for all hands of a match, or 15 if their number is not fixed.
    last_row = str(pad.hands or 15)
    assert last_row in front.split()


def test_chosen_preset_and_options_are_printed_and_decide_the_figures() -> None:
    # The preset "getty" has the rules of one source. With these options a meld must have fewer wild
    # cards than natural ones, and the match ends at 3000 points.
    options: dict[str, ChoiceValue] = {"wild-limit": "fewer-than-naturals", "target": 3000}

    pad = make_pad("classica", preset="getty", options=options)

    # The target is that of the option. The bonus for a concealed canasta is one of the preset.
    assert pad.goal == NamedValue("Traguardo", "3.000")
    assert NamedValue("Premio per la canasta nascosta", "100") in pad.bonuses

    # "Rules translated from English", and "wild cards in a meld: three at most, and always fewer
    # than natural cards".
    assert pad.chosen == (
        "Regole tradotte dall'inglese",
        "Matte in una combinazione: al massimo tre, e sempre meno delle carte naturali",
    )


def test_option_equal_to_the_usual_rule_is_not_printed() -> None:
    # The classic game ends at 5000 points anyway.
    assert make_pad("classica", options={"target": 5000}).chosen == ()


def test_blank_pad_is_tagged_and_has_its_fonts() -> None:
    sheet = PdfReader(BytesIO(make_blank_pad("samba", words("en"), Copies.FOUR)))

    # A screen reader finds language, title and headings.
    assert sheet.trailer["/Root"]["/Lang"] == "en"
    assert str(sheet.metadata.title) == "Blank score pad: Samba"
    tags = [tag["/S"] for tag in list_tags(sheet)]
    assert tags.count("/H1") == 4, "one for each pad on the sheet"
    assert all(embedded_by_font(sheet).values())


def test_blank_pad_has_the_same_bytes_each_time() -> None:
    first = make_blank_pad("samba", words("en"), Copies.FOUR)
    assert make_blank_pad("samba", words("en"), Copies.FOUR) == first


def test_own_variant_has_its_bonuses_on_the_pad(own_variants: None) -> None:
    # A club plays "tredici" and gives 100 points for an exact cut ("taglio giusto").
    assert make_pad("tredici").bonuses[-1] == NamedValue("Taglio giusto", "100")


def test_own_variant_has_its_time_limit_on_the_pad(own_variants: None) -> None:
    # In English: "Hands of a match: 3, at most 50 minutes".
    goal = make_pad("a-tempo").goal
    assert goal == NamedValue("Smazzate di una partita", "3, al massimo 50 minuti")


@pytest.fixture
def own_variants() -> Iterator[None]:
    """Offer the variants of tests/rules/own beside those of the package."""
    offer_own_variants(Path(__file__).parents[1] / "rules" / "own")
    yield
    offer_own_variants(None)

"""The result as a picture: the same bytes for the same match, nothing hidden in it, nothing outside
its place.
"""

import struct
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from scorepad.i18n import Language, words
from scorepad.sheets.chart_data import Chart, Course
from scorepad.sheets.pdf import make_pdf
from scorepad.sheets.picture import SIZE, Picture, PictureSide, convert_pdf_to_png, render_picture

CHART = Chart(
    Language.ITALIAN, (Course("Noi", (0, 850, 2680, 5120)), Course("Loro", (0, -280, 1575, 4235))), 5000
)  # fmt: skip
PICTURE = Picture(
    game="Canasta classica",
    when="21 novembre 2026 · Bar Sport",
    sides=(
        PictureSide("Noi", "Anna e Bruno", "5.120", won=True),
        PictureSide("Loro", "Carla e Dario", "4.235"),
    ),
    sentence="Partita vinta da Noi",
    how="Traguardo 5.000 raggiunto in 3 smazzate.",
    chart=CHART,
)
LONG = ("W" * 60, "Associazionericreativaamicideltavoloverdedisantangeloinvado")
PAPER = (0xF6, 0xF1, 0xE4)


def picture_png(picture: Picture) -> bytes:
    return convert_pdf_to_png(make_pdf(render_picture(picture, words("it"))))


def draw(picture: Picture) -> Image.Image:
    image = Image.open(BytesIO(picture_png(picture)))
    image.load()
    return image


def list_chunks(png: bytes) -> list[bytes]:
    """The types of the chunks of a PNG file."""
    types = []
    position = 8
    while position < len(png):
        (length,) = struct.unpack(">I", png[position : position + 4])
        types.append(png[position + 4 : position + 8])
        position += 12 + length
    return types


def test_it_is_a_square_png_with_nothing_in_it_but_what_is_seen() -> None:
    png = picture_png(PICTURE)
    image = draw(PICTURE)

    assert image.format == "PNG"
    assert image.size == (1080, 1080)
    assert image.mode == "RGB"
    assert image.info == {}
    assert set(list_chunks(png)) == {b"IHDR", b"IDAT", b"IEND"}
    assert len(png) < 150_000


def test_the_same_match_gives_the_same_bytes_and_another_one_others() -> None:
    first = picture_png(PICTURE)
    the_same = picture_png(replace(PICTURE))
    of_another_day = picture_png(replace(PICTURE, when="22 novembre 2026 · Bar Sport"))
    assert the_same == first
    assert of_another_day != first


def list_colours(image: Image.Image) -> list[Any]:
    return [colour for _, colour in image.getcolors(1 << 20)]


def test_who_won_is_seen_and_not_by_colour_alone() -> None:
    sides = tuple(side._replace(won=False) for side in PICTURE.sides)
    without_winner = replace(PICTURE, sides=sides)
    place_of_the_word = (230, 490, 390, 545)

    colours_with_winner = set(list_colours(draw(PICTURE).crop(place_of_the_word)))
    colours_without = set(list_colours(draw(without_winner).crop(place_of_the_word)))

    assert len(colours_with_winner) > 1
    assert colours_without != colours_with_winner


@pytest.mark.parametrize("sides", [2, 3])
def test_the_longest_names_and_figures_stay_on_the_card_and_off_the_lines_between_columns(
    sides: int,
) -> None:
    widest, longest = LONG
    names = [widest, longest, "Giocatrice con un nome lungo assai"][:sides]
    picture = replace(
        PICTURE,
        when=f"21 novembre 2026 · {widest}",
        sides=tuple(PictureSide(name, f"{longest} e {widest}", "−1.234.567") for name in names),
        sentence=f"Partita vinta da {widest}",
        how=f"{longest} ha abbandonato dopo 12 smazzate. {longest}",
        chart=Chart(Language.ITALIAN, tuple(Course(name, (0, -1234567)) for name in names), 5000),
        lacking=True,
    )

    image = draw(picture)

    edges = {
        "top": (0, 0, SIZE, 38),
        "left": (0, 0, 38, SIZE),
        "right": (SIZE - 38, 0, SIZE, SIZE),
        "bottom": (0, SIZE - 38, SIZE, SIZE),
    }
    for name, edge in edges.items():
        assert list_colours(image.crop(edge)) == [PAPER], name
    for column in range(1, sides):
        line = 80 + round(920 / sides * column)
        for x in (line - 8, line + 8):
            strip = image.crop((x, 190, x + 1, 336))
            assert len(list_colours(strip)) == 1, "no letter so near the line"


def chart_of_hands(hands: int) -> Chart:
    """A chart of so many hands of 90 and −7 points."""
    noi = Course("Noi", tuple(90 * number for number in range(hands + 1)))
    loro = Course("Loro", tuple(-7 * number for number in range(hands + 1)))
    return Chart(Language.ITALIAN, (noi, loro), 5000)


@pytest.mark.parametrize("hands", [1, 12, 60])
def test_after_any_number_of_hands_there_is_a_picture(hands: int) -> None:
    image = draw(replace(PICTURE, chart=chart_of_hands(hands)))
    assert image.size == (1080, 1080)


def test_before_the_first_hand_there_is_a_picture_without_a_chart() -> None:
    image = draw(replace(PICTURE, chart=None))
    assert image.size == (1080, 1080)

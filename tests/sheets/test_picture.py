"""The picture of a result: the same bytes for the same match, no metadata, nothing out of its place."""

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

# "Match won by We. Target of 5,000 reached in 3 hands."
PICTURE = Picture(
    game="Canasta classica",
    when="21 novembre 2026 · Bar Sport",
    sides=(
        PictureSide("Noi", "Anna e Bruno", "5.120", won=True),
        PictureSide("Loro", "Carla e Dario", "4.235"),
    ),
    sentence="Partita vinta da Noi",
    how="Traguardo 5.000 raggiunto in 3 smazzate.",
    chart=Chart(
        Language.ITALIAN,
        (Course("Noi", (0, 850, 2680, 5120)), Course("Loro", (0, -280, 1575, 4235))),
        target=5000,
    ),
)


def make_png(picture: Picture) -> bytes:
    return convert_pdf_to_png(make_pdf(render_picture(picture, words("it"))))


def draw_image(picture: Picture) -> Image.Image:
    image = Image.open(BytesIO(make_png(picture)))
    image.load()
    return image


def list_chunks(png: bytes) -> list[bytes]:
    """List the types of the chunks of which a PNG file consists."""
    types = []
    position = 8  # behind the signature
    while position < len(png):
        length, chunk_type = struct.unpack_from(">I4s", png, position)
        types.append(chunk_type)
        # The length and the type take 4 bytes each, then there are the data, and 4 bytes of checksum.
        position += 4 + 4 + length + 4
    return types


def test_picture_is_square_png_without_metadata() -> None:
    png = make_png(PICTURE)
    image = draw_image(PICTURE)

    assert image.format == "PNG"
    assert image.size == (1080, 1080)
    assert image.mode == "RGB"

    # The file has a head, the pixels and an end, but no texts or times, and is small enough to share.
    assert image.info == {}
    assert set(list_chunks(png)) == {b"IHDR", b"IDAT", b"IEND"}
    assert len(png) < 150_000


def test_same_match_gives_the_same_picture() -> None:
    # The file has no time of its making: made twice, it is the same.
    first = make_png(PICTURE)
    the_same = make_png(replace(PICTURE))
    of_another_day = make_png(replace(PICTURE, when="22 novembre 2026 · Bar Sport"))

    assert the_same == first
    assert of_another_day != first


def list_colours(image: Image.Image) -> list[Any]:
    """List the different colours of the pixels."""
    most_colours = SIZE * SIZE
    return [colour for _, colour in image.getcolors(most_colours)]


def test_winner_is_marked_with_a_word() -> None:
    # In one picture Noi, the first side, have won. In the other nobody has.
    noi, loro = PICTURE.sides
    without_winner = replace(PICTURE, sides=(noi._replace(won=False), loro))

    # The word stands below the total of its side: left, top, right and bottom of its place in
    # pixels.
    place_of_word = (230, 490, 390, 545)
    colours_with_word = list_colours(draw_image(PICTURE).crop(place_of_word))
    colours_without = list_colours(draw_image(without_winner).crop(place_of_word))

    # It is written on a green ground. Nothing else here is green.
    green = (23, 85, 58)
    assert green in colours_with_word
    assert green not in colours_without


@pytest.mark.parametrize("sides", [2, 3])
def test_longest_names_stay_inside_the_card_and_their_columns(sides: int) -> None:
    image = draw_image(picture_with_longest_names(sides))

    assert_margins_are_empty(image)

    # The columns of the sides are 920 pixels wide together, and begin 80 pixels from the left.
    width_of_column = 920 / sides
    for column in range(1, sides):
        left_end_of_column = 80 + round(width_of_column * column)
        assert_no_letter_is_near(image, left_end_of_column)


def assert_margins_are_empty(image: Image.Image) -> None:
    """Assert that outside the card, 40 pixels from each edge, there is only the background."""
    # The picture is 1080 pixels wide and high. The two pixels beside the card are left out.
    margins = {
        "top": (0, 0, 1080, 38),
        "left": (0, 0, 38, 1080),
        "right": (1080 - 38, 0, 1080, 1080),
        "bottom": (0, 1080 - 38, 1080, 1080),
    }
    for name, margin in margins.items():
        assert list_colours(image.crop(margin)) == [(0xF6, 0xF1, 0xE4)], name


def assert_no_letter_is_near(image: Image.Image, line_between_columns: int) -> None:
    """Assert that 8 pixels before and behind this line, as far down as the names go, there is
    nothing but one colour.
    """
    for x in (line_between_columns - 8, line_between_columns + 8):
        strip = image.crop((x, 190, x + 1, 336))  # one pixel wide
        assert len(list_colours(strip)) == 1


def picture_with_longest_names(number_of_sides: int) -> Picture:
    """Return a picture in which names, totals and sentences are as long as they may be."""
    widest_name = "W" * 60
    longest_word = "Associazionericreativaamicideltavoloverdedisantangeloinvado"
    names = [widest_name, longest_word, "Giocatrice con un nome lungo assai"][:number_of_sides]

    # Each side has a name, two players with long names, and a total of −1,234,567 points. The
    # chart has its total before the first hand and after it.
    players = f"{longest_word} e {widest_name}"
    sides = [PictureSide(name, players, total="−1.234.567") for name in names]
    courses = [Course(name, totals=(0, -1234567)) for name in names]

    return replace(
        PICTURE,
        when=f"21 novembre 2026 · {widest_name}",
        sides=tuple(sides),
        sentence=f"Partita vinta da {widest_name}",  # "Match won by …"
        # "… has given up after 12 hands."
        how=f"{longest_word} ha abbandonato dopo 12 smazzate. {longest_word}",
        chart=Chart(Language.ITALIAN, tuple(courses), target=5000),
        lacking=True,  # adds a sentence on letters that no font has
    )


def chart_of_hands(hands: int) -> Chart:
    """Return the chart of a match in which every hand is worth 90 and −7 points."""
    totals_of_noi = tuple(90 * number for number in range(hands + 1))
    totals_of_loro = tuple(-7 * number for number in range(hands + 1))
    courses = (Course("Noi", totals_of_noi), Course("Loro", totals_of_loro))
    return Chart(Language.ITALIAN, courses, target=5000)


@pytest.mark.parametrize("hands", [1, 12, 60])
def test_picture_can_show_any_number_of_hands(hands: int) -> None:
    image = draw_image(replace(PICTURE, chart=chart_of_hands(hands)))
    assert image.size == (1080, 1080)


def test_picture_before_the_first_hand_has_no_chart() -> None:
    image = draw_image(replace(PICTURE, chart=None))
    assert image.size == (1080, 1080)

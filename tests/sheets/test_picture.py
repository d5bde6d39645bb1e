"""The result as a picture: the same bytes for the same match, nothing hidden in it, nothing outside
its place.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
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


def seen(picture: Picture) -> Image.Image:
    image = Image.open(BytesIO(picture_png(picture)))
    image.load()
    return image


def chunks(png: bytes) -> Iterator[bytes]:
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8]
        at += 12 + length


def test_it_is_a_square_png_with_nothing_in_it_but_what_is_seen() -> None:
    image = seen(PICTURE)
    assert (image.format, image.size, image.mode) == ("PNG", (1080, 1080), "RGB")
    assert image.info == {}
    assert set(chunks(picture_png(PICTURE))) == {b"IHDR", b"IDAT", b"IEND"}
    assert len(picture_png(PICTURE)) < 150_000


def test_the_same_match_gives_the_same_bytes_and_another_one_others() -> None:
    first = picture_png(PICTURE)
    assert picture_png(replace(PICTURE)) == first
    assert picture_png(replace(PICTURE, when="22 novembre 2026 · Bar Sport")) != first


def test_who_won_is_seen_and_not_by_colour_alone() -> None:
    nobody = replace(PICTURE, sides=tuple(side._replace(won=False) for side in PICTURE.sides))
    pill = (230, 490, 390, 545)
    assert len(set(colours(seen(PICTURE).crop(pill)))) > 1
    assert set(colours(seen(nobody).crop(pill))) != set(colours(seen(PICTURE).crop(pill)))


def colours(image: Image.Image) -> list[Any]:
    return [colour for _, colour in image.getcolors(1 << 20)]


@pytest.mark.parametrize("sides", [2, 3])
def test_the_longest_names_and_figures_stay_on_the_card_and_off_the_lines_between_columns(
    sides: int,
) -> None:
    names = (*LONG, "Giocatrice con un nome lungo assai")[:sides]
    picture = replace(
        PICTURE,
        when=f"21 novembre 2026 · {LONG[0]}",
        sides=tuple(PictureSide(name, f"{LONG[1]} e {LONG[0]}", "−1.234.567") for name in names),
        sentence=f"Partita vinta da {LONG[0]}",
        how=f"{LONG[1]} ha abbandonato dopo 12 smazzate. {LONG[1]}",
        chart=Chart(Language.ITALIAN, tuple(Course(name, (0, -1234567)) for name in names), 5000),
        lacking=True,
    )
    image = seen(picture)
    top, left = (0, 0, SIZE, 38), (0, 0, 38, SIZE)
    right, bottom = (SIZE - 38, 0, SIZE, SIZE), (0, SIZE - 38, SIZE, SIZE)
    for edge in (top, left, right, bottom):
        assert colours(image.crop(edge)) == [PAPER]
    for number in range(1, sides):
        line = 80 + round(920 / sides * number)
        for beside in (line - 8, line + 8):
            strip = image.crop((beside, 190, beside + 1, 336))
            assert len(colours(strip)) == 1, "no letter so near the line"


@pytest.mark.parametrize("hands", [0, 1, 12, 60])
def test_after_any_number_of_hands_there_is_a_picture(hands: int) -> None:
    courses = tuple(
        Course(name, tuple(step * n for n in range(hands + 1)))
        for name, step in (("Noi", 90), ("Loro", -7))
    )
    chart = Chart(Language.ITALIAN, courses, 5000) if hands else None
    assert seen(replace(PICTURE, chart=chart)).size == (1080, 1080)

"""The picture in README and docs: the page of a match on a phone, and its sheet, as they look
today.

Set SCOREPAD_PICTURE=anew to make the picture anew.
"""

import io
import os
import subprocess
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from scorepad.matches import Pad
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.storage import Storage
from tests.browser.conftest import Phone
from tests.browser.room import begin, device_of
from tests.matches.conftest import hand, side_counted

MAKE_ANEW = os.environ.get("SCOREPAD_PICTURE") == "anew"
"""Read here because no test sees the variables that set up the program."""
NEW = NewMatch("classica", None, {}, Labels(("Us", "Them"), (("Ada", "Bruno"), ("Carla", "Dino"))))
HANDS = (
    hand({"melds": ["7xQ", "3xK 2"]}, side_counted(cards=130, left=85), out="a"),
    hand(side_counted(cards=95, left=60), side_counted(cards=245, mixed_canasta=2), out="b"),
    hand(side_counted(cards=180, natural_canasta=1), side_counted(cards=90, left=5), out="a"),
)
PHONE = {"width": 390, "height": 844}
HEIGHT, MARGIN = 1266, 24
"""Pixels: the phone at one and a half pixels a point, and the white between and around the two."""
SMALL, VISIBLE, MOST = 8, 24, 0.005
"""Pictures are compared at an eighth of their size; a pixel has changed if it differs by more than
24 of 256 greys. Another date changes 0.1 % of them, all text one pixel further right 0.2 %, a
missing chart 1.6 %, a line more 6 %.
"""


def printed(sheet: bytes) -> Image.Image:
    """The first page of a PDF."""
    command = [
        "pdftoppm",
        "-png",
        "-singlefile",
        "-scale-to-y",
        str(HEIGHT),
        "-scale-to-x",
        "-1",
        "-",
    ]
    return Image.open(
        io.BytesIO(subprocess.run(command, input=sheet, capture_output=True, check=True).stdout)
    )


def side_by_side(pictures: list[Image.Image]) -> Image.Image:
    width = sum(picture.width + MARGIN for picture in pictures) + MARGIN
    whole = Image.new("RGB", (width, HEIGHT + 2 * MARGIN), "#8a8a8a")
    left = MARGIN
    for picture in pictures:
        whole.paste(picture.convert("RGB"), (left, MARGIN))
        left += picture.width + MARGIN
    return whole


def changed(one: Image.Image, other: Image.Image) -> float:
    """How much of a picture is not as in another of the same size, from 0 to 1."""
    assert one.size == other.size
    small = [
        each.convert("L").resize((each.width // SMALL, each.height // SMALL))
        for each in (one, other)
    ]
    differences = ImageChops.difference(*small).histogram()
    return sum(differences[VISIBLE:]) / sum(differences)


@pytest.fixture
def picture(phone: Phone, address: str, data: Path) -> Image.Image:
    """The picture as it would be made now."""
    page = phone(
        locale="en-GB",
        viewport=PHONE,
        device_scale_factor=HEIGHT / PHONE["height"],
        color_scheme="light",
    )
    page.context.add_cookies([{"name": "scorepad_language", "value": "en", "url": address}])
    with Storage(data) as storage:
        table = begin(Pad(storage), device_of(page), NEW)
        table.play(*HANDS)
    page.goto(f"{address}/partite/{table.match}")
    page.wait_for_load_state("networkidle")
    shown = Image.open(io.BytesIO(page.screenshot()))
    sheet = page.request.get(f"{address}/partite/{table.match}/foglio.pdf")
    assert sheet.ok
    return side_by_side([shown, printed(sheet.body())])


@pytest.mark.long
def test_the_picture_shows_the_pad_as_it_is(picture: Image.Image, checkout: Path) -> None:
    path = checkout / "docs" / "images" / "pad-and-sheet.png"
    if MAKE_ANEW:
        picture.quantize(64).save(path, optimize=True)
    with Image.open(path) as picture_in_docs:
        assert picture_in_docs.size == picture.size
        assert changed(picture_in_docs.convert("RGB"), picture) < MOST, (
            "make the picture anew: docs/contributing.md"
        )
        # A block of text that is not there would be seen.
        without = picture.copy()
        without.paste("white", (MARGIN, HEIGHT // 4, picture.width // 2, HEIGHT // 2))
        assert changed(without, picture) > MOST

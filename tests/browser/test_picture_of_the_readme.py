"""The picture in README and docs shows a match on a phone beside its sheet, as they look today.

Set SCOREPAD_PICTURE=anew to make the picture anew.
"""

import io
import os
import subprocess
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Page

from scorepad.matches import Pad
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.storage import Storage
from tests.browser.conftest import Phone
from tests.browser.room import begin, device_of
from tests.matches.conftest import hand, side_counted

MAKE_ANEW = os.environ.get("SCOREPAD_PICTURE") == "anew"
"""Read here because no test sees the variables that set up the program."""
PICTURE_IN_DOCS = "docs/images/pad-and-sheet.png"
HEIGHT = 1266
"""Pixels of the phone and of the sheet: one and a half for each of the phone's."""
MARGIN = 24
"""Pixels between and around the two."""
MOST_CHANGED = 0.005
"""The part of the pixels that may have changed. Another date changes 0.1 % of them, all text one
pixel further right 0.2 %, a missing chart 1.6 %, a line more 6 %.
"""


def first_page_of(sheet: bytes) -> Image.Image:
    """Return the first page of a PDF as a picture of the height `HEIGHT`."""
    size = ["-scale-to-y", str(HEIGHT), "-scale-to-x", "-1"]
    command = ["pdftoppm", "-png", "-singlefile", *size, "-"]
    converted = subprocess.run(command, input=sheet, capture_output=True, check=True)
    return Image.open(io.BytesIO(converted.stdout))


def side_by_side(pictures: list[Image.Image]) -> Image.Image:
    """Return one picture that shows these from left to right, on grey."""
    width = sum(picture.width + MARGIN for picture in pictures) + MARGIN
    whole = Image.new("RGB", (width, HEIGHT + 2 * MARGIN), "#8a8a8a")
    left = MARGIN
    for picture in pictures:
        whole.paste(picture.convert("RGB"), (left, MARGIN))
        left += picture.width + MARGIN
    return whole


def changed_part(one: Image.Image, other: Image.Image) -> float:
    """Return in which part of the pixels, from 0 to 1, two pictures of the same size differ."""
    assert one.size == other.size
    difference = ImageChops.difference(reduced(one), reduced(other))
    pixels_by_difference = difference.histogram()
    # A pixel has changed visibly if it differs by 24 of 256 greys.
    changed_pixels = sum(pixels_by_difference[24:])
    return changed_pixels / sum(pixels_by_difference)


def reduced(picture: Image.Image) -> Image.Image:
    """Return a picture in grey, at an eighth of its size, so that details do not matter."""
    size = (picture.width // 8, picture.height // 8)
    return picture.convert("L").resize(size)


@pytest.fixture
def picture(phone: Phone, address: str, data: Path) -> Image.Image:
    """Make the picture as it looks now: the page of a match on a phone, and the sheet beside it."""
    page = open_english_phone(phone, address)
    match = play_three_hands(page, data)
    match_url = f"{address}/partite/{match}"

    page.goto(match_url)
    page.wait_for_load_state("networkidle")
    screenshot = Image.open(io.BytesIO(page.screenshot()))

    sheet = page.request.get(f"{match_url}/foglio.pdf")
    assert sheet.ok
    return side_by_side([screenshot, first_page_of(sheet.body())])


def open_english_phone(phone: Phone, address: str) -> Page:
    """Open the pad on a phone whose screenshots are 585 x 1266 pixels, and choose English."""
    page = phone(
        locale="en-GB",
        viewport={"width": 390, "height": 844},
        device_scale_factor=1.5,
        color_scheme="light",
    )
    page.context.add_cookies([{"name": "scorepad_language", "value": "en", "url": address}])
    return page


def play_three_hands(page: Page, data: Path) -> str:
    """Play three hands of a match that belongs to the phone with this page. Return the match's id."""
    players = (("Ada", "Bruno"), ("Carla", "Dino"))
    new_match = NewMatch("classica", None, {}, labels=Labels(("Us", "Them"), players))
    hands = (
        # Side a lays seven queens, and three kings with a two.
        hand({"melds": ["7xQ", "3xK 2"]}, side_counted(cards=130, left=85), out="a"),
        hand(side_counted(cards=95, left=60), side_counted(cards=245, mixed_canasta=2), out="b"),
        hand(side_counted(cards=180, natural_canasta=1), side_counted(cards=90, left=5), out="a"),
    )
    with Storage(data) as storage:
        table = begin(Pad(storage), device_of(page), new_match)
        table.play(*hands)
    return table.match


@pytest.mark.long
def test_picture_in_docs_is_up_to_date(picture: Image.Image, checkout: Path) -> None:
    # With SCOREPAD_PICTURE=anew the picture in the docs is replaced first.
    path = checkout / PICTURE_IN_DOCS
    if MAKE_ANEW:
        picture.quantize(64).save(path, optimize=True)

    with Image.open(path) as picture_in_docs:
        assert picture_in_docs.size == picture.size
        changed = changed_part(picture_in_docs.convert("RGB"), picture)
    assert changed < MOST_CHANGED, "make the picture anew: docs/contributing.md"


def test_missing_text_would_be_noticed(checkout: Path) -> None:
    # The picture in the docs shows a page on a phone at the left, and a sheet of paper at the right.
    with Image.open(checkout / PICTURE_IN_DOCS) as picture_in_docs:
        picture = picture_in_docs.convert("RGB")

    # The second quarter of the phone, which is 585 x 1266 pixels in a margin of 24, becomes white.
    left, top, right, bottom = 24, 340, 609, 657
    without_text = picture.copy()
    without_text.paste("white", (left, top, right, bottom))

    # That is more than 0.5 % of the pixels, which may have changed in a picture that is up to date.
    assert changed_part(without_text, picture) > MOST_CHANGED

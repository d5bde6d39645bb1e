"""Pictures of pages before and after a change are compared pixel by pixel."""

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.browser.gallery import PAGES, opened
from tests.gallery.comparing import GAP, compare_pictures
from tests.gallery.pictures import Look, take_picture


def test_an_unchanged_page_has_the_same_picture(browser: Browser, tmp_path: Path) -> None:
    (shown,) = (each for each in PAGES if each.name == "rulebook, words")
    look = Look("it", "light", 390)
    with opened(tmp_path) as gallery:
        for name in ("old.png", "new.png"):
            take_picture(browser, gallery, shown, look, tmp_path / name)

    difference = compare_pictures(
        tmp_path / "old.png", tmp_path / "new.png", "words.png", tmp_path / "differing"
    )

    # A picture that shows the difference is put into the folder only if there is one.
    assert difference is None
    assert not (tmp_path / "differing").exists()


@pytest.fixture
def white(tmp_path: Path) -> Path:
    """Make a white picture of 100 x 60 pixels."""
    file = tmp_path / "white.png"
    Image.new("RGB", (100, 60), "white").save(file)
    return file


def test_differing_pixels_are_counted_boxed_and_shown(white: Path, tmp_path: Path) -> None:
    # In the other picture 4 x 5 pixels are black: from 10, 20 to 14, 25.
    changed = Image.new("RGB", (100, 60), "white")
    changed.paste("black", (10, 20, 14, 25))
    changed.save(tmp_path / "changed.png")

    difference = compare_pictures(
        white, tmp_path / "changed.png", "page.png", tmp_path / "differing"
    )

    assert str(difference) == "page.png: 20 pixels differ, within 4 x 5 at 10, 20"
    # A new picture has three beside each other: the old, the new, and the difference in red.
    with Image.open(tmp_path / "differing" / "page.png") as sheet:
        assert sheet.size == (3 * 100 + 2 * GAP, 60)


@pytest.mark.parametrize(("rows", "differs"), [(5, False), (30, True)])
def test_faint_differences_count_where_there_are_many(
    white: Path,
    tmp_path: Path,
    rows: int,
    differs: bool,
) -> None:
    # The upper rows of the other picture are nearly white. On 5 × 100 pixels that may come from the
    # browser, which smooths edges differently now and then. On 30 × 100 the page has changed.
    changed = tmp_path / "changed.png"
    picture = Image.new("RGB", (100, 60), "white")
    nearly_white = (250, 255, 255)
    picture.paste(nearly_white, (0, 0, 100, rows))
    picture.save(changed)

    difference = compare_pictures(white, changed, "page.png", tmp_path / "differing")

    assert (difference is not None) == differs


def test_a_longer_page_differs_below(white: Path, tmp_path: Path) -> None:
    Image.new("RGB", (100, 70), "white").save(tmp_path / "longer.png")

    difference = compare_pictures(
        white, tmp_path / "longer.png", "page.png", tmp_path / "differing"
    )

    # The box of what differs is the part that was added below the 60 pixels of the other page.
    assert difference.box == (0, 60, 100, 70)
    assert str(difference).endswith("the page was 100 x 60 and is 100 x 70")

"""A picture of every page of `tests/browser/gallery.py`, the same in every run.

The clock and chance are fixed (`tests/fixed.py`), the clock of the browser too; the pad answers at
a fixed port, because codes and links show it; motion is off and the caret is hidden. Nothing else
is masked here (but see `comparing.py`).
"""

import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from tests import fonts
from tests.browser.gallery import PAGES, Gallery, Shown, opened
from tests.conftest import MEMORY, chromium
from tests.fixed import MOMENT, fixed_chance, fixed_clock, nobodys_home

PORT = 8799
PHONE, DESKTOP = 390, 1280
HEIGHTS = {PHONE: 844, DESKTOP: 800}
LANGUAGES = ("it", "en")
THEMES = ("light", "dark")
USUAL = (("it", "light", PHONE), ("en", "dark", DESKTOP))
"""Language, theme and width: every value once, in a quarter of the time of all together."""

STEADY = (
    "--disable-lcd-text",
    "--disable-partial-raster",
    "--font-render-hinting=none",
    "--num-raster-threads=1",
    "--run-all-compositor-stages-before-draw",
)
"""Without these a few pixels of rounded corners differ by the order in which tiles are drawn."""


@dataclass(frozen=True)
class Look:
    """How pages are looked at."""

    language: str
    theme: str
    width: int

    def __str__(self) -> str:
        return f"{self.language}-{self.theme}-{self.width}"


def looks(languages: list[str], themes: list[str], widths: list[int]) -> list[Look]:
    """The looks that are asked for; the usual ones if nothing is chosen."""
    if not (languages or themes or widths):
        return [Look(*look) for look in USUAL]
    chosen = product(languages or LANGUAGES, themes or THEMES, widths or HEIGHTS)
    return [Look(*look) for look in chosen]


def file_name(number: int, shown: Shown) -> str:
    """The name of the picture of a page, in the order of the gallery."""
    words = re.sub("[^a-z0-9]+", "-", shown.name.lower()).strip("-")
    return f"{number:03} {words}.png"


def take_pictures(folder: Path, wanted: list[Look], only: str = "*") -> Iterator[Path]:
    """Take the pictures of the pages whose names match a pattern, into a folder for each look."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with ExitStack() as stack:
        stack.enter_context(nobodys_home())
        stack.enter_context(fixed_clock())
        playwright = stack.enter_context(sync_playwright())
        browser = stack.enter_context(chromium(playwright, fonts.PHONE, STEADY))
        for look in wanted:
            yield from _pictures_of_look(browser, folder / str(look), look, only)


def _pictures_of_look(browser: Browser, folder: Path, look: Look, only: str) -> Iterator[Path]:
    """The pictures of a look, of matches begun for it: a page may change what another shows."""
    folder.mkdir(parents=True, exist_ok=True)
    place = MEMORY if MEMORY.is_dir() else None
    with TemporaryDirectory(dir=place) as data, fixed_chance(), opened(Path(data), PORT) as gallery:
        for number, shown in enumerate(PAGES):
            if fnmatchcase(shown.name, only):
                file = folder / file_name(number, shown)
                take_picture(browser, gallery, shown, look, file)
                yield file
        for page in gallery.phones.values():
            page.context.close()


def take_picture(browser: Browser, gallery: Gallery, shown: Shown, look: Look, file: Path) -> None:
    """Take the picture of a page."""
    size = (look.width, HEIGHTS[look.width])
    is_phone = look.width == PHONE
    with gallery.phone(browser, shown.who, look.language, size, mobile=is_phone) as page:
        page.clock.set_fixed_time(MOMENT)
        page.emulate_media(color_scheme=look.theme, reduced_motion="reduce")  # type: ignore[arg-type]
        gallery.show(page, shown)
        _wait_for_calm(page)
        page.screenshot(path=file, full_page=True, animations="disabled", caret="hide")


def _wait_for_calm(page: Page) -> None:
    """Wait for fonts and scripts, and look from the top."""
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready.then(() => scrollTo(0, 0))")

"""What differs between two pictures, by pixels.

On a busy machine Chromium now and then smooths the edges of large figures and dotted lines
otherwise: up to some 400 pixels of a page differ by up to 10 of 255. So few and so faint
differences are left out; faint ones on more pixels, such as another shade of a background, are
told.
"""

from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops

FAINT = 16
"""How far a colour may differ (of 255) where few pixels do."""
FEW = 1000
WHITE = (255, 255, 255)
RED = (220, 0, 0)
GAP = 20
"""Pixels between pictures that stand side by side."""


@dataclass(frozen=True)
class Difference:
    """How a page differs: how many pixels do, and the smallest box that holds them all."""

    name: str
    pixels: int
    box: tuple[int, int, int, int]
    old_size: tuple[int, int]
    new_size: tuple[int, int]

    def __str__(self) -> str:
        left, top, right, bottom = self.box
        size = f"{right - left} x {bottom - top}"
        told = f"{self.name}: {self.pixels} pixels differ, within {size} at {left}, {top}"
        if self.old_size != self.new_size:
            old, new = (" x ".join(map(str, size)) for size in (self.old_size, self.new_size))
            told += f"; the page was {old} and is {new}"
        return told


def compare_pictures(old: Path, new: Path, name: str, folder: Path) -> Difference | None:
    """How two pictures differ; if they do, both and the difference are put into a folder."""
    with Image.open(old) as before, Image.open(new) as after:
        before_image = before.convert("RGB")
        after_image = after.convert("RGB")
    width = max(before_image.width, after_image.width)
    height = max(before_image.height, after_image.height)
    old_canvas = _on_canvas(before_image, width, height)
    new_canvas = _on_canvas(after_image, width, height)
    mask = _differing_pixels(old_canvas, new_canvas, least=1)
    clearly = _differing_pixels(old_canvas, new_canvas, least=FAINT + 1)
    box = mask.getbbox()
    pixels = mask.histogram()[255]
    if box is None or (pixels <= FEW and clearly.getbbox() is None):
        return None
    _save_side_by_side(old_canvas, new_canvas, mask, folder / name)
    return Difference(name, pixels, box, before_image.size, after_image.size)


def _on_canvas(image: Image.Image, width: int, height: int) -> Image.Image:
    """A picture made larger below and to the right; what is added has a colour of no page."""
    canvas = Image.new("RGB", (width, height), (255, 0, 255))
    canvas.paste(image, (0, 0))
    return canvas


def _differing_pixels(old: Image.Image, new: Image.Image, least: int) -> Image.Image:
    """White where a pixel differs by at least so much, black elsewhere."""
    red, green, blue = ImageChops.difference(old, new).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return most.point(lambda value: 255 if value >= least else 0)


def _save_side_by_side(old: Image.Image, new: Image.Image, mask: Image.Image, file: Path) -> None:
    """Old, new, and the new one pale with what differs in red."""
    pale = Image.blend(new, Image.new("RGB", new.size, WHITE), 0.75)
    pale.paste(RED, mask=mask)
    sheet = Image.new("RGB", (3 * old.width + 2 * GAP, old.height), (128, 128, 128))
    for place, picture in enumerate((old, new, pale)):
        sheet.paste(picture, (place * (old.width + GAP), 0))
    file.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(file)

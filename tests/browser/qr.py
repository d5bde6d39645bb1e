"""Reads a QR code off a picture, as a camera does: what is drawn must say what it should, to
whoever only sees it.

After ISO/IEC 18004, for codes of versions 2 to 5 with levels L and M that hold text in bytes,
undamaged.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from PIL import Image

Modules = list[list[bool]]
"""Rows of a code without its rim: dark or not."""

_LEVELS = {0b01: "L", 0b00: "M"}
_DATA = {
    (2, "L"): (34, 1), (2, "M"): (28, 1), (3, "L"): (55, 1), (3, "M"): (44, 1),
    (4, "L"): (80, 1), (4, "M"): (64, 2), (5, "L"): (108, 1), (5, "M"): (86, 2),
}  # fmt: skip
"""By version and level: codewords of data, and the blocks that they are dealt out to in turn."""
_MASKS = (
    lambda row, col: (row + col) % 2,
    lambda row, _: row % 2,
    lambda _, col: col % 3,
    lambda row, col: (row + col) % 3,
    lambda row, col: (row // 2 + col // 3) % 2,
    lambda row, col: row * col % 2 + row * col % 3,
    lambda row, col: (row * col % 2 + row * col % 3) % 2,
    lambda row, col: ((row + col) % 2 + row * col % 3) % 2,
)
"""Each is 0 where a module is turned over."""


def read(picture: bytes) -> str:
    """What the code in a picture says; the picture holds nothing else."""
    return _text(_modules(picture))


def _modules(picture: bytes) -> Modules:
    whole = Image.open(io.BytesIO(picture)).convert("L")
    # A picture of something that ends between two pixels has a line of what stands around it.
    grey = whole.crop((1, 1, whole.width - 1, whole.height - 1))
    left, top, right, bottom = grey.point(lambda light: 255 if light < 128 else 0).getbbox()
    run = next(x for x in range(left, right) if grey.getpixel((x, top + 1)) >= 128) - left
    count = round((right - left) / (run / 7))  # the corner is seven modules wide
    assert count % 4 == 1, count
    assert abs((right - left) - (bottom - top)) <= 2, "square"
    step = (right - left) / count
    rim = min(left, top, grey.width - right, grey.height - bottom)
    assert rim >= 4 * step - 3, "four modules of white around it"
    places = [(number + 0.5) * step for number in range(count)]
    return [[grey.getpixel((int(left + x), int(top + y))) < 128 for x in places] for y in places]


def _text(code: Modules) -> str:
    size = len(code)
    version = (size - 17) // 4
    around = [(8, c) for c in (0, 1, 2, 3, 4, 5, 7, 8)] + [(r, 8) for r in (7, 5, 4, 3, 2, 1, 0)]
    said = int("".join("01"[code[r][c]] for r, c in around), 2) ^ 0b101010000010010
    level, mask = _LEVELS[said >> 13], _MASKS[said >> 10 & 7]
    bits = "".join("01"[code[r][c] != (mask(r, c) == 0)] for r, c in _path(size))
    words = [int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8)]
    count, blocks = _DATA[version, level]
    data = [word for block in range(blocks) for word in words[block:count:blocks]]
    whole = "".join(f"{word:08b}" for word in data)
    assert whole[:4] == "0100", "bytes"
    length = int(whole[4:12], 2)
    return bytes(int(whole[at : at + 8], 2) for at in range(12, 12 + 8 * length, 8)).decode()


def _path(size: int) -> Iterator[tuple[int, int]]:
    """Where the bits stand: in columns of two from the right, up and down in turn."""
    up = True
    for right in (*range(size - 1, 6, -2), 5, 3, 1):
        for row in reversed(range(size)) if up else range(size):
            yield from ((row, col) for col in (right, right - 1) if not _is_frame(row, col, size))
        up = not up


def _is_frame(row: int, col: int, size: int) -> bool:
    """Whether a module belongs to the corners, the timing lines, the format or the small square."""
    corner = (row < 9 and (col < 9 or col >= size - 8)) or (row >= size - 8 and col < 9)
    return corner or 6 in (row, col) or max(abs(row - size + 7), abs(col - size + 7)) <= 2

"""Looks at a QR code as a camera does: what is drawn must be the code of what it should say."""

import io

import segno
from PIL import Image


def shows(picture: bytes, text: str) -> bool:
    """Whether the code in a picture, which holds nothing else, says this."""
    code = segno.make(text, error="l", micro=False)
    return _modules(picture) == [[bool(module) for module in row] for row in code.matrix]


def _modules(picture: bytes) -> list[list[bool]]:
    """Rows of a code without its rim: dark or not."""
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

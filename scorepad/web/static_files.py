"""Static files as they are sent: scripts without their comments, the styles and fonts of sheets.

The comments of a script are for people who read its source, and would be a third of what a phone
has to load with a page.
"""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from flask import Response, send_file, send_from_directory
from werkzeug.exceptions import NotFound
from werkzeug.security import safe_join

from scorepad.assets import fonts_dir


def send_script(folder: str, filename: str) -> Response:
    """Answer with a script of a folder, without its comments. Raises NotFound if there is none."""
    name = safe_join(folder, filename)
    # Unlike Path.is_file, this is false for a name that is too long.
    if name is None or not os.path.isfile(name):  # noqa: PTH113
        raise NotFound
    path = Path(name)
    script = remove_comments(path.read_text(encoding="utf-8"))
    content = script.encode()
    return send_file(
        BytesIO(content),
        mimetype="text/javascript",
        etag=hashlib.sha256(content).hexdigest(),
        last_modified=path.stat().st_mtime,
    )


def send_sheet_style(folder: str, filename: str) -> Response:
    """Answer with a style sheet of the sheets, for a page to print. Raises NotFound.

    On paper the fonts have URLs that only WeasyPrint can open: `scorepad:font/….woff2`. A browser
    gets `../fonts/….woff2`, see `send_font`.
    """
    name = safe_join(folder, filename)
    if name is None or not os.path.isfile(name):  # noqa: PTH113 - as above
        raise NotFound
    path = Path(name)
    style = path.read_text(encoding="utf-8").replace("scorepad:font/", "../fonts/")
    content = style.encode()
    return send_file(
        BytesIO(content),
        mimetype="text/css",
        etag=hashlib.sha256(content).hexdigest(),
        last_modified=path.stat().st_mtime,
    )


def send_font(filename: str) -> Response:
    """Answer with a font of the sheets. Raises NotFound if there is none."""
    return send_from_directory(fonts_dir(), filename, mimetype="font/woff2")


@lru_cache(maxsize=64)
def remove_comments(script: str) -> str:
    r"""Leave the lines of a script empty that hold nothing but a comment.

    All other lines keep their numbers, so that a browser names the line of the source in its
    messages. A comment in a line of code stays. The scripts have no comment of several lines that
    begins or ends in a line of code, and no text of several lines.

    - "// Why.\nlet suit;  // none\n" → "\nlet suit;  // none\n"
    - "/**\n * @param {string} card\n */\nfunction f(card) {}\n" → "\n\n\nfunction f(card) {}\n"
    """
    lines = []
    is_in_block = False
    for line in script.splitlines():
        text = line.strip()
        if not is_in_block:
            is_in_block = _begins_block(text)
        if is_in_block:
            lines.append("")
            is_in_block = not text.endswith("*/")
        elif text.startswith("//"):
            lines.append("")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def _begins_block(text: str) -> bool:
    """Tell whether a comment begins with this line, and no code follows it in the same line.

    - "/** @type {number} */" → True
    - "/** @type {number} */ (field.value)" → False
    """
    if not text.startswith("/*"):
        return False
    _, end, code = text.partition("*/")
    return end == "" or code == ""

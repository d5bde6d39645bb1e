"""Digests beside and inside the rows: what tells a turned bit, and what stands for a name that must not be read."""

from __future__ import annotations

import hashlib

AT_HOME = "@home:"
"""What stands before the name of a browser with the home privilege."""


def seal(*parts: str | int | None) -> str:
    """A short digest of what a row says, kept beside it: a bit that turned on the disk shows when the row is read."""
    text = "\x1f".join(map(str, parts))
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def known_as(device: str) -> str:
    """A device as the file knows it: whoever reads a copy of the file cannot pass for the device.

    Its name is 192 bits of chance, so that a plain digest cannot be guessed back. Names that begin with `@` are the
    program's own, given to no browser, and no secret; `@home:` stands before the name of a browser with the home
    privilege, which is known as it is without it.
    """
    name = device.removeprefix(AT_HOME)
    return name if name.startswith("@") else hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()

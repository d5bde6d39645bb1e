"""The codes of a match as they are drawn: an address as a square that a camera reads."""

from __future__ import annotations

import segno
from flask import request, url_for
from markupsafe import Markup

from scorepad.web.frame import setup
from scorepad.web.hosts import home_address, is_loopback, name_in

QUIET = 4
"""Modules of white around a code, without which cameras do not find it."""


def listens_to_phones() -> bool:
    """Whether the pad answers other devices at all."""
    return not is_loopback(name_in(request.host)) or not is_loopback(setup().listens)


def origin() -> str | None:
    """What stands before the path for other devices: as this one came here, if they can come so too.

    From the server's own machine it is the address of the home network; None where there is no way.
    """
    if not is_loopback(name_in(request.host)):
        return request.host_url.rstrip("/")
    address = home_address() if listens_to_phones() else None
    return None if address is None else f"http://{address}:{request.environ['SERVER_PORT']}"


def key_address(before: str, key: str) -> str:
    """The address that opens a match by a key."""
    return f"{before}{url_for('phones.enter', key=key)}"


def drawn(address: str) -> Markup:
    """An address as a QR code: black on white in either theme, as large as its place."""
    code = segno.make(address, error="l", micro=False)
    picture = code.svg_inline(border=QUIET, omitsize=True, svgclass=None, lineclass=None, light="#fff")
    return Markup(picture)  # noqa: S704 - the library's own figure, without any of our text in it

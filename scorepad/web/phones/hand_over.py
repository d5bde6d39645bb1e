"""The page on which a pad that is alone hands a match over to another pad: as a link, or as a file."""

from __future__ import annotations

from io import BytesIO
from typing import NamedTuple
from urllib.parse import urljoin

from flask import request
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorepad.matches.access import MatchId
from scorepad.matches.link_format import PARAMETER, SEPARATOR, NotForLink, pack_match
from scorepad.matches.projection import MatchState
from scorepad.web.base import device_id, get_pad, load_match, render_page, t
from scorepad.web.phones.qr_code import DataOverflow, draw_qr_code


class LinkToTake(NamedTuple):
    """A link that holds a match: whoever opens it can take the match over."""

    address: str
    qr_code: Markup


def show_hand_over_page(match: MatchId) -> Response:
    """Show how another pad takes a match: by a link with its QR code, if it fits, and by its file."""
    state = load_match(match)
    return render_page(
        "phones/hand_over.html",
        title=t("phones.title"),
        match=state,
        link=_make_link(state),
    )


def _make_link(state: MatchState) -> LinkToTake | None:
    """Make the link that holds a match; None if that is too long for a QR code.

    It leads to the page around the application, which is one level above it:
    `https://example.org/canasta/` for the application at `https://example.org/canasta/app/`.
    """
    file = BytesIO()
    get_pad().exports.write_export(file, state.id, device_id())
    site = urljoin(request.url_root, "..")
    try:
        text = pack_match(file.getvalue(), state.rules.variant)
        address = f"{site}#{PARAMETER}={text}"
        beginning, separator, letters = address.rpartition(SEPARATOR)
        qr_code = draw_qr_code(beginning + separator, letters)
    except (NotForLink, DataOverflow):
        return None
    return LinkToTake(address, qr_code)

"""The home page as an answer: asked for, and shown again with what was wrong."""

from __future__ import annotations

from flask import Response

from scorepad.web.frame import FieldError, device_id, page_words, render, the_pad
from scorepad.web.home.pages import MOST_FINISHED, MOST_IN_PROGRESS, home_page


def show(wanted: str = "", errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    """The home page, with the finished matches of the name that is wanted."""
    device, pad = device_id(), the_pad()
    tag, summaries = pad.tag_of_all(device), pad.summaries(device, MOST_IN_PROGRESS, MOST_FINISHED)
    found = pad.records.search(device, wanted) if wanted else summaries.finished
    return render(home_page(tag, summaries, wanted, found, page_words(), errors), status)

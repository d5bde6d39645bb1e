"""The home link: opened once in a browser, it gives that browser every match of the file, under any name of the pad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Flask, redirect, url_for
from werkzeug.wrappers import Response

from scorepad.matches.access import digest_of, new_key
from scorepad.web.device import is_at_home, keep_home
from scorepad.web.errors import trouble
from scorepad.web.frame import EXTENSION, Page, notice, page_words, render, setup, the_pad


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPage(Page):
    """What the link gives, and a button: a browser that only fetches the address does not use the link up."""

    template: ClassVar[str] = "home/link.html"


def start_link(app: Flask) -> str:
    """Make a home link that can be used as long as the application runs; returns its path."""
    token = new_key()
    app.extensions[EXTENSION].start_links.add(digest_of(token))
    return f"/casa/{token}"


def show(token: str) -> Response:
    """The page of a link that can be used; a browser that has the privilege goes to the first page."""
    if is_at_home():
        return redirect(url_for("home.page"), code=303)
    token = token.lower()
    if digest_of(token) not in setup().start_links and not the_pad().devices.is_home_link(token):
        return trouble("home-link", 404)
    return render(LinkPage(title=page_words().text("home.link")))


def use(token: str) -> Response:
    """Use a link up and set the cookie."""
    answer = redirect(url_for("home.page"), code=303)
    if is_at_home():
        return answer
    token, links = token.lower(), setup().start_links
    try:
        links.remove(digest_of(token))
    except KeyError:
        if not the_pad().devices.use_home_link(token):
            return trouble("home-link", 404)
    notice(page_words().text("home.link.done"))
    keep_home(answer)
    return answer

"""Home, the practice match, and the choice of a language."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorepad.i18n import Language
from scorepad.web.device import set_cookie
from scorepad.web.forms import checks_itself
from scorepad.web.frame import LANGUAGE_COOKIE, device_id, page_words, render, the_pad
from scorepad.web.home import link, practising
from scorepad.web.home.pages import MOST_ON_PAGE, in_progress_page
from scorepad.web.home.showing import show
from scorepad.web.live.watching import tag_answer

blueprint = Blueprint("home", __name__)
LONGEST_SEARCH = 80


@blueprint.get("/")
def page() -> Response:
    """The matches of this device."""
    return show(_wanted())


@blueprint.get("/stato")
def state() -> AnyResponse:
    """How far the matches of this device have come, made without reading their logs."""
    return tag_answer(the_pad().tag_of_all(device_id()), page_words())


@blueprint.get("/in-corso")
def in_progress() -> Response:
    """All matches in progress of this device, to be found by name."""
    wanted, device, pad = _wanted(), device_id(), the_pad()
    tag, summaries = pad.tag_of_all(device), pad.summaries(device, MOST_ON_PAGE, 0)
    found = pad.records.search(device, wanted, finished=False) if wanted else summaries.in_progress
    count = len(found) if wanted else summaries.all_in_progress
    return render(in_progress_page(tag, summaries, wanted, found, count, page_words()))


@blueprint.post("/prova")
@checks_itself
def practise() -> AnyResponse:
    """Start a match to see how it goes, in place of the one before."""
    return practising.start()


@blueprint.get("/casa/<key>")
def show_link(key: str) -> AnyResponse:
    """The page of a home link, with the button that uses it."""
    return link.show(key)


@blueprint.post("/casa/<key>")
def use_link(key: str) -> AnyResponse:
    """Give the browser the home privilege."""
    return link.use(key)


@blueprint.post("/lingua")
def choose_language() -> AnyResponse:
    """Keep the language chosen on this device, and go back to where it was chosen."""
    answer = redirect(_path_here(request.form.get("back", "")), code=303)
    chosen = request.form.get("language", "")
    if chosen in tuple(Language):
        set_cookie(answer, LANGUAGE_COOKIE, chosen)
    return answer


def _wanted() -> str:
    """The name that is looked for; empty where none is."""
    return request.args.get("cerca", "").strip()[:LONGEST_SEARCH]


def _path_here(path: str) -> str:
    """A path of ours; home for anything that could lead elsewhere."""
    plain = path.isprintable() and path.isascii() and "\\" not in path
    return path if plain and path.startswith("/") and not path.startswith("//") else url_for("home.page")

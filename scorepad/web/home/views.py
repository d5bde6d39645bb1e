"""Home, the practice match, and the choice of a language."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorepad.i18n import Language
from scorepad.web.device import KEPT_FOR
from scorepad.web.forms import guard
from scorepad.web.frame import LANGUAGE_COOKIE, FieldError, device_id, page_words, render, the_pad
from scorepad.web.home.pages import home_page

blueprint = Blueprint("home", __name__)
LONGEST_SEARCH = 80


@blueprint.get("/")
def page() -> Response:
    """The matches of this device."""
    return show(request.args.get("cerca", "").strip()[:LONGEST_SEARCH])


@blueprint.post("/prova")
@guard.exempt  # type: ignore[untyped-decorator] # flask-wtf ships no types
def practise() -> AnyResponse:
    """Start a match to see how it goes, in place of the one before."""
    from scorepad.web.home import practising

    return practising.start()


@blueprint.post("/lingua")
def choose_language() -> AnyResponse:
    """Keep the language chosen on this device, and go back to where it was chosen."""
    answer = redirect(_path_here(request.form.get("back", "")), code=303)
    chosen = request.form.get("language", "")
    if chosen in tuple(Language):
        answer.set_cookie(
            LANGUAGE_COOKIE, chosen, max_age=KEPT_FOR, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return answer


def show(wanted: str = "", errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    """The home page, with the finished matches of the name that is wanted."""
    device = device_id()
    summaries = the_pad().summaries(device)
    found = the_pad().records.search(device, wanted) if wanted else summaries.finished
    return render(home_page(summaries, wanted, found, page_words(), errors), status)


def _path_here(path: str) -> str:
    """A path of ours; home for anything that could lead elsewhere."""
    plain = path.isprintable() and path.isascii() and "\\" not in path
    return path if plain and path.startswith("/") and not path.startswith("//") else url_for("home.page")

"""The home page, the list of matches in progress, the choice of a language, and the home link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, Flask, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n import Language, words
from scorepad.matches.access import digest_of, new_key
from scorepad.matches.events import EndHow
from scorepad.matches.service import Summaries
from scorepad.storage.rows import SummaryRecord
from scorepad.web.base import (
    EXTENSION,
    LANGUAGE_COOKIE,
    FieldError,
    app_state,
    device_id,
    get_pad,
    notice,
    page_words,
    plural,
    render_page,
    t,
)
from scorepad.web.errors import trouble
from scorepad.web.forms import CONFLICT, PadForm, checks_itself, form_errors
from scorepad.web.home import practice
from scorepad.web.polling import tag_response, watch_all
from scorepad.web.presenters import moment
from scorepad.web.security import is_at_home, set_cookie, set_home_cookie

blueprint = Blueprint("home", __name__)
MOST_IN_PROGRESS = 20
"""Matches in progress on the home page, the last changed first."""
MOST_FINISHED = 30
"""Finished matches on the home page."""
MOST_ON_PAGE = 100
"""Matches in progress on their own page."""
LONGEST_SEARCH = 80


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a list: its summary, the named players of each side, and a line about it."""

    match: SummaryRecord
    players: tuple[str, ...]
    result: str


@blueprint.get("/app-<language>.webmanifest")
def manifest(language: str) -> Response:
    """The web app manifest in a language; browsers fetch it without cookies, so the language is in its URL."""
    if language not in list(Language):
        abort(404)
    content = render_template("home/manifest.json", words=words(Language(language)))
    return current_app.response_class(content, mimetype="application/manifest+json")


@blueprint.get("/")
def page() -> Response:
    """The matches of the device, and a search among the finished ones."""
    return _show_home(_wanted())


@blueprint.get("/stato")
def state() -> Response:
    """The current tag of all matches of the device, made without reading their logs."""
    return tag_response(get_pad().tag_of_all(device_id()))


@blueprint.get("/in-corso")
def in_progress() -> Response:
    """All matches in progress, and a search among them."""
    wanted, device, pad = _wanted(), device_id(), get_pad()
    tag, summaries = pad.tag_of_all(device), pad.summaries(device, MOST_ON_PAGE, 0)
    found = pad.records.search(device, wanted, finished=False) if wanted else summaries.in_progress
    return render_page(
        "home/in_progress.html",
        title=t("web.home.in-progress"),
        watch=watch_all(tag, url_for("home.in_progress", cerca=wanted or None), _first(summaries)),
        garbled=summaries.garbled,
        matches=_listed(found[:MOST_ON_PAGE]),
        wanted=wanted,
        found=len(found),
        count=len(found) if wanted else summaries.all_in_progress,
        most=MOST_ON_PAGE,
    )


@blueprint.post("/prova")
@checks_itself
def practise() -> Response:
    """Start a practice match in place of the one before."""
    form = PadForm()
    if not form.validate():
        return _show_home(errors=form_errors(form), status=400)
    response = practice.start(form.request_name)
    if response is None:
        return _show_home(errors=(FieldError(None, t("serve.sent-before")),), status=CONFLICT)
    return response


@blueprint.post("/lingua")
def choose_language() -> Response:
    """Store the language chosen on the device, and return to the page where it was chosen."""
    response = redirect(_own_path(request.form.get("back", "")), code=303)
    chosen = request.form.get("language", "")
    if chosen in tuple(Language):
        set_cookie(response, LANGUAGE_COOKIE, chosen)
    return response


# ---------------------------------------------------------------- the home link


def start_link(app: Flask) -> str:
    """Make a home link that is valid until it is used, or the application stops; returns its path."""
    token = new_key()
    app.extensions[EXTENSION].start_links.add(digest_of(token))
    return f"/casa/{token}"


@blueprint.get("/casa/<key>")
def show_link(key: str) -> Response:
    """The button that uses a home link: fetching the link alone must not use it up."""
    if is_at_home():
        return redirect(url_for("home.page"), code=303)
    token = key.lower()
    if digest_of(token) not in app_state().start_links and not get_pad().devices.is_home_link(token):
        return trouble("home-link", 404)
    return render_page("home/link.html", title=t("home.link"))


@blueprint.post("/casa/<key>")
def use_link(key: str) -> Response:
    """Give the browser the home privilege, which opens every match of the file; the link is used up."""
    response = redirect(url_for("home.page"), code=303)
    if is_at_home():
        return response
    token, links = key.lower(), app_state().start_links
    try:
        links.remove(digest_of(token))
    except KeyError:
        if not get_pad().devices.use_home_link(token):
            return trouble("home-link", 404)
    notice(t("home.link.done"))
    set_home_cookie(response)
    return response


# ---------------------------------------------------------------- presentation


def _show_home(wanted: str = "", errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    device, pad = device_id(), get_pad()
    tag, summaries = pad.tag_of_all(device), pad.summaries(device, MOST_IN_PROGRESS, MOST_FINISHED)
    found = pad.records.search(device, wanted) if wanted else summaries.finished
    return render_page(
        "home/page.html",
        title=t("web.home.title"),
        status=status,
        errors=errors,
        watch=watch_all(tag, url_for("home.page", cerca=wanted or None), _first(summaries)),
        summaries=summaries,
        in_progress=_listed(summaries.in_progress),
        has_more=summaries.all_in_progress > MOST_IN_PROGRESS,
        has_matches=bool(summaries.all_in_progress or summaries.all_finished),
        finished=_listed(found[:MOST_FINISHED]),
        wanted=wanted,
        found=len(found),
        form=PadForm(formdata=None),
    )


def _first(summaries: Summaries) -> SummaryRecord | None:
    return summaries.in_progress[0] if summaries.in_progress else None


def _listed(matches: Sequence[SummaryRecord]) -> list[ListedMatch]:
    return [ListedMatch(match, tuple(_players(match)), _result(match)) for match in matches]


def _players(match: SummaryRecord) -> list[str]:
    """The players of each side of several, as far as they are named."""
    seated = match.players or ((),) * len(match.names)
    named = [[player for player in side if player] if len(side) > 1 else [] for side in seated]
    return [page_words().listing(players) if players else "" for players in named]


def _result(match: SummaryRecord) -> str:
    """Variant, number of hands and last change of a match, and how it ended if not by its rules."""
    figures = {
        "variant": t(f"variant.{match.variant}.name"),
        "hands": plural("web.hands", match.hands),
        "when": moment(match.changed, page_words()),
    }
    is_level = match.finished and match.winner is None
    if not match.ending:
        return t("web.home.said-level" if is_level else "web.home.said", **figures)
    how = t(f"history.ended.{match.ending}")
    if is_level and match.ending != EndHow.BROKEN_OFF:
        how = t("history.ended.level", how=how)
    return t("history.ended", how=how, **figures)


def _wanted() -> str:
    """The name searched for; empty without a search."""
    return request.args.get("cerca", "").strip()[:LONGEST_SEARCH]


def _own_path(path: str) -> str:
    """A path of this site; the home page for anything that could lead elsewhere."""
    is_plain = path.isprintable() and path.isascii() and "\\" not in path
    return path if is_plain and path.startswith("/") and not path.startswith("//") else url_for("home.page")

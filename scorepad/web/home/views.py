"""The home page, the list of matches in progress, the practice match, the choice of a language, and
the admin link.

The practice match has two counted hands, for trying everything. It is excluded from lists and
statistics.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from flask import Blueprint, Flask, abort, current_app, redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n import Language, words
from scorepad.matches import Summaries
from scorepad.matches.access import Access, MatchId, MatchNotFound, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.keys import digest_of, new_key
from scorepad.matches.projection import NewMatch
from scorepad.matches.service import utc_now
from scorepad.matches.transaction import RequestRefused, Saved
from scorepad.rules.variants import settle
from scorepad.web import base
from scorepad.web.app_services import EXTENSION
from scorepad.web.base import (
    Watch,
    app_state,
    device_id,
    get_pad,
    language,
    page_words,
    render_page,
    t,
)
from scorepad.web.cookies import LANGUAGE_COOKIE, has_admin_cookie, set_admin_cookie, set_cookie
from scorepad.web.error_pages import error_page
from scorepad.web.forms import PadForm, checks_itself
from scorepad.web.hand_reading import read_draft
from scorepad.web.presenters import game_names
from scorepad.web.request_limits import limit_matches
from scorepad.web.watching import tag_response, watch_all

blueprint = Blueprint("home", __name__)
MOST_IN_PROGRESS = 20
"""Matches in progress on the home page, the last changed first."""
MOST_FINISHED = 30
"""Finished matches on the home page."""
MOST_ON_PAGE = 100
"""Matches in progress on their own page."""
LONGEST_SEARCH = 80


@blueprint.get("/app-<language>.webmanifest")
def manifest(language: str) -> Response:
    """The web app manifest in a language; browsers fetch it without cookies, so the language is in
    its URL.
    """
    if language not in list(Language):
        abort(404)
    content = base.template("home/manifest.json").render(words=words(Language(language)))
    return current_app.response_class(content, mimetype="application/manifest+json")


@blueprint.get("/")
def page() -> Response:
    """The matches of the device, and a search among the finished ones."""
    return _show_home()


@blueprint.get("/stato", endpoint="state")
def home_state() -> Response:
    """The current tag of all matches of the device, made without reading their logs."""
    return tag_response(get_pad().tag_of_all(device_id()))


@blueprint.get("/in-corso")
def in_progress() -> Response:
    """All matches in progress, and a search among them."""
    wanted = _wanted()
    device = device_id()
    pad = get_pad()
    tag = pad.tag_of_all(device)
    summaries = pad.summaries(device, MOST_ON_PAGE, 0)
    found = pad.records.search(device, wanted, finished=False) if wanted else summaries.in_progress
    return render_page(
        "home/in_progress.html",
        title=t("web.home.in-progress"),
        watch=_watch("home.in_progress", wanted, tag, summaries),
        matches=found[:MOST_ON_PAGE],
        game_names=game_names(found[:MOST_ON_PAGE], page_words()),
        wanted=wanted,
        found=len(found),
        count=len(found) if wanted else summaries.all_in_progress,
        most=MOST_ON_PAGE,
    )


def _show_home(form: PadForm | None = None) -> Response:
    wanted = _wanted()
    device = device_id()
    pad = get_pad()
    tag = pad.tag_of_all(device)
    summaries = pad.summaries(device, MOST_IN_PROGRESS, MOST_FINISHED)
    found = pad.records.search(device, wanted) if wanted else summaries.finished
    return render_page(
        "home/page.html",
        title=t("web.home.title"),
        watch=_watch("home.page", wanted, tag, summaries),
        summaries=summaries,
        finished=found[:MOST_FINISHED],
        game_names=game_names([*summaries.in_progress, *found[:MOST_FINISHED]], page_words()),
        wanted=wanted,
        found=len(found),
        form=form or PadForm(formdata=None),
    )


def _watch(endpoint: str, wanted: str, tag: str, summaries: Summaries) -> Watch:
    return watch_all(
        tag, url_for(endpoint, cerca=wanted or None), next(iter(summaries.in_progress), None)
    )


def _wanted() -> str:
    """The searched name; empty without a search."""
    return request.args.get("cerca", "").strip()[:LONGEST_SEARCH]


# ---------------------------------------------------------------- the language


@blueprint.post("/lingua")
def choose_language() -> Response:
    """Store the language chosen on the device, and return to the page where it was chosen."""
    response = redirect(_own_path(request.form.get("back", "")), code=303)
    chosen = request.form.get("language", "")
    if chosen in tuple(Language):
        set_cookie(response, LANGUAGE_COOKIE, chosen)
    return response


def _own_path(path: str) -> str:
    """A path of this site; the home page for anything that could lead elsewhere."""
    is_plain = path.isprintable() and path.isascii() and "\\" not in path
    return (
        path
        if is_plain and path.startswith("/") and not path.startswith("//")
        else url_for("home.page")
    )


# ---------------------------------------------------------------- the practice match

_TYPED: tuple[dict[str, str], ...] = (
    {
        "out": "a", "a.canastas.natural-canasta": "1", "a.canastas.mixed-canasta": "1", "a.cards": "235",
        "a.red_threes": "1", "a.left": "30", "b.canastas.mixed-canasta": "1", "b.cards": "180", "b.red_threes": "2",
        "b.left": "45",
    },
    {
        "out": "b", "a.cards": "95", "a.left": "60", "b.canastas.natural-canasta": "1", "b.cards": "205",
        "b.red_threes": "1", "b.left": "20", "b.penalties.draw-out-of-turn": "1",
    },
)  # fmt: skip
"""Two hands of classica as typed: 1,205 and 635 points, then 35 and 785."""
AT_ONCE = timedelta(seconds=10)
"""Within this time a new request does not replace the match: a page may still be loading it."""


@blueprint.post("/prova")
@checks_itself
def practise() -> Response:
    """Replace the practice match with a new one, and redirect to it."""
    form = PadForm()
    device = device_id()
    pad = get_pad()
    if not form.validate():
        form.status = 400
        return _show_home(form)
    before = [
        match for match in pad.summaries(device, 0, 0).practice if _is_owned(MatchId(match.id))
    ]
    # The clock may have been set back since.
    if (
        before
        and timedelta() <= utc_now() - before[0].started < AT_ONCE
        and before[0].hands <= len(_TYPED)
    ):
        return base.to_new_match(Saved(MatchId(before[0].id), again=True))
    limit_matches()
    new = NewMatch(
        variant="classica",
        preset=None,
        options={},
        labels=_practice_labels(),
        practice=True,
    )
    try:
        result = pad.actions.start(form.request_name, device, new)
    except RequestRefused:
        form.reject(t("serve.sent-before"))
        return _show_home(form)
    assert isinstance(result, Saved), result
    # On a repeated request the hands exist already.
    for number, typed in enumerate(_TYPED, 1):
        coming = pad.open(result.match, device)
        name = RequestId(f"{form.request_name}+{number}")
        hand = read_draft(typed, settle(new.variant, None), language()).hand
        shown = ShownDraft(coming.id, coming.version)
        pad.count(name, result.match, device, shown, SentHand(hand=hand, draft=typed))
    for match in () if result.again else before:
        with suppress(MatchNotFound):  # another request may have deleted it
            pad.actions.delete(MatchId(match.id), device)
    return base.to_new_match(result)


def _practice_labels() -> Labels:
    """The names of the sides and players of a practice match, in the language of the page."""
    names = []
    players = []
    for side in ("noi", "loro"):
        names.append(t(f"web.side.{side}"))
        one = t(f"history.practice.{side}.one")
        other = t(f"history.practice.{side}.other")
        players.append((one, other))
    return Labels(tuple(names), tuple(players))


def _is_owned(match: MatchId) -> bool:
    """Whether this device started the match."""
    try:
        mine = get_pad().devices.mine(match, device_id())
    except MatchNotFound:
        return False
    return mine is not None and mine.access == Access.OWN


# ---------------------------------------------------------------- the admin link


def start_link(app: Flask) -> str:
    """Create an admin link, valid until it is used or the application stops; return its path."""
    token = new_key()
    app.extensions[EXTENSION].start_links.add(digest_of(token))
    return f"/casa/{token}"


@blueprint.get("/casa/<key>")
def show_link(key: str) -> Response:
    """The button that uses an admin link: fetching the link must not consume it."""
    if has_admin_cookie():
        return redirect(url_for("home.page"), code=303)
    token = key.lower()
    if digest_of(token) not in app_state().start_links and not get_pad().devices.is_admin_link(
        token
    ):
        return error_page("admin-link", 404)
    return render_page("home/admin_link.html", title=t("admin.link"))


@blueprint.post("/casa/<key>")
def use_link(key: str) -> Response:
    """Give the browser access to all matches of the file; consumes the link."""
    response = redirect(url_for("home.page"), code=303)
    if has_admin_cookie():
        return response
    token = key.lower()
    links = app_state().start_links
    try:
        links.remove(digest_of(token))
    except KeyError:
        if not get_pad().devices.use_admin_link(token):
            return error_page("admin-link", 404)
    base.notice(t("admin.link.done"))
    set_admin_cookie(response)
    return response

"""The home page, the list of matches in progress, the practice match, the choice of a language, and
the admin link.

The practice match has two counted hands, for trying everything. It is excluded from lists and
statistics.
"""

from __future__ import annotations

from collections.abc import Iterable
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
from scorepad.storage.rows import SummaryRecord
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
from scorepad.web.home.summary_texts import summary_texts
from scorepad.web.request_limits import limit_matches
from scorepad.web.typed_hand import read_draft
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
    tag = _tag_of_lists()
    summaries = get_pad().summaries(device_id(), MOST_ON_PAGE, 0)
    searched_name = _searched_name()
    if searched_name:
        found = get_pad().records.search(device_id(), searched_name, finished=False)
        count = len(found)
    else:
        found = summaries.in_progress
        count = summaries.all_in_progress  # there may be more than were read
    matches_on_page = found[:MOST_ON_PAGE]
    return render_page(
        "home/in_progress.html",
        title=t("web.home.in-progress"),
        watch=_watch_list("home.in_progress", tag, summaries),
        matches=matches_on_page,
        summary_texts=summary_texts(matches_on_page, page_words()),
        wanted=searched_name,
        found=len(found),
        count=count,
        most=MOST_ON_PAGE,
    )


def _show_home(form: PadForm | None = None) -> Response:
    """The home page; `form` is the refused one of the practice match, whose errors it shows."""
    tag = _tag_of_lists()
    summaries = get_pad().summaries(device_id(), MOST_IN_PROGRESS, MOST_FINISHED)
    searched_name = _searched_name()
    found = summaries.finished
    if searched_name:
        found = get_pad().records.search(device_id(), searched_name)
    finished_on_page = found[:MOST_FINISHED]
    matches_on_page = [*summaries.in_progress, *finished_on_page]
    return render_page(
        "home/page.html",
        title=t("web.home.title"),
        watch=_watch_list("home.page", tag, summaries),
        summaries=summaries,
        finished=finished_on_page,
        summary_texts=summary_texts(matches_on_page, page_words()),
        wanted=searched_name,
        found=len(found),
        form=form or PadForm(formdata=None),
    )


def _tag_of_lists() -> str:
    """A text that changes when a match of this device changes, so that an open page with a list of
    matches is fetched again.

    A page must take it before it reads the matches: a change in between then gives another tag.
    """
    return get_pad().tag_of_all(device_id())


def _watch_list(endpoint: str, tag: str, summaries: Summaries) -> Watch:
    """What an open page with a list of matches needs to be fetched again when a match changes.

    `endpoint` is that of the page. `tag` is the one of `_tag_of_lists`, taken before the matches
    were read. The same search is made again, and the totals of the match that changed last are
    read out to users of screen readers.
    """
    url = url_for(endpoint, cerca=_searched_name() or None)
    last_changed = None
    if summaries.in_progress:
        last_changed = summaries.in_progress[0]  # they are sorted by that
    return watch_all(tag, url, last_changed)


def _searched_name() -> str:
    """The name typed into the search field; empty without a search."""
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
    """A path of this site; the home page for anything that could lead elsewhere.

    Browsers read `//example.org` as the address of another site, and a backslash as a slash.
    """
    is_plain = path.isprintable() and path.isascii() and "\\" not in path
    is_path = path.startswith("/") and not path.startswith("//")
    if is_plain and is_path:
        return path
    return url_for("home.page")


# ---------------------------------------------------------------- the practice match

_TYPED_HANDS: tuple[dict[str, str], ...] = (
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


@blueprint.post("/prova", endpoint="practise")
@checks_itself
def begin_practice() -> Response:
    """Replace the practice match of this device with a new one, and redirect to it."""
    form = PadForm()
    if not form.validate():
        form.status = 400
        return _show_home(form)
    earlier_matches = _own_practice_matches()
    if earlier_matches and _is_just_begun(earlier_matches[0]):  # the button was pressed twice
        return base.to_new_match(Saved(MatchId(earlier_matches[0].id), again=True))

    limit_matches()
    try:
        begun = _begin_match(form.request_name)
    except RequestRefused:
        form.reject(t("serve.sent-before"))
        return _show_home(form)
    _count_practice_hands(begun.match, form.request_name)
    is_form_sent_again = begun.again  # then an earlier match is the one that the form has begun
    if not is_form_sent_again:
        _delete_matches(earlier_matches)
    return base.to_new_match(begun)


def _begin_match(request_name: RequestId) -> Saved:
    """Begin a practice match without hands; if the same request began one before, it is that match.

    Raises RequestRefused if the request id was used for something else.
    """
    result = get_pad().actions.start(request_name, device_id(), _new_practice_match())
    assert isinstance(result, Saved), result  # only typed names can be refused
    return result


def _delete_matches(matches: Iterable[SummaryRecord]) -> None:
    """Delete these matches, unless another request has deleted them meanwhile."""
    for match in matches:
        with suppress(MatchNotFound):
            get_pad().actions.delete(MatchId(match.id), device_id())


def _own_practice_matches() -> list[SummaryRecord]:
    """The practice matches that this device started, the last changed first."""
    practice = get_pad().summaries(device_id(), 0, 0).practice
    return [match for match in practice if _is_owned(MatchId(match.id))]


def _is_just_begun(match: SummaryRecord) -> bool:
    """Whether a practice match was begun some seconds ago, and nothing was added to it."""
    age = utc_now() - match.started
    is_young = timedelta(0) <= age < AT_ONCE  # under 0 if the clock was set back since
    return is_young and match.hands <= len(_TYPED_HANDS)


def _new_practice_match() -> NewMatch:
    """A match of classica between "us" and "them", each with two players."""
    return NewMatch(
        variant="classica",
        preset=None,
        options={},
        labels=_practice_labels(),
        practice=True,
    )


def _count_practice_hands(match: MatchId, request_name: RequestId) -> None:
    """Count the two hands of the practice match that was just begun.

    Each hand is saved under a request id of its own, made from that of the form: `ID+1` and `ID+2`.
    If the form is sent twice, these ids are known, and no hand is counted again.
    """
    pad = get_pad()
    rules = settle("classica", None)
    for number, typed in enumerate(_TYPED_HANDS, 1):
        hand = read_draft(typed, rules, language()).hand
        # Saving needs the version of the empty form of the next hand, as a page would have shown it.
        empty_form = pad.open(match, device_id())
        pad.count(
            RequestId(f"{request_name}+{number}"),
            match,
            device_id(),
            ShownDraft(empty_form.id, empty_form.version),
            SentHand(hand=hand, draft=typed),
        )


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
        device = get_pad().devices.mine(match, device_id())
    except MatchNotFound:
        return False
    return device is not None and device.access == Access.OWN


# ---------------------------------------------------------------- the admin link


def start_link(app: Flask) -> str:
    """Create an admin link, valid until it is used or the application stops; return its path."""
    token = new_key()
    app.extensions[EXTENSION].start_links.add(digest_of(token))
    return f"/casa/{token}"


@blueprint.get("/casa/<key>")
def show_link(key: str) -> Response:
    """The page of an admin link, with the button that uses it.

    The link can be used once, and programs fetch links to show what is behind them.
    """
    if has_admin_cookie():
        return redirect(url_for("home.page"), code=303)
    token = key.lower()
    is_start_link = digest_of(token) in app_state().start_links
    if is_start_link or get_pad().devices.is_admin_link(token):
        return render_page("home/admin_link.html", title=t("admin.link"))
    return error_page("admin-link", 404)


@blueprint.post("/casa/<key>")
def use_link(key: str) -> Response:
    """Give the browser access to all matches of the file; the link cannot be used again."""
    response = redirect(url_for("home.page"), code=303)
    if has_admin_cookie():
        return response
    token = key.lower()
    if not (_use_start_link(token) or get_pad().devices.use_admin_link(token)):
        return error_page("admin-link", 404)
    base.notice(t("admin.link.done"))
    set_admin_cookie(response)
    return response


def _use_start_link(token: str) -> bool:
    """Whether this is the token of a link printed at the start, which is used up now."""
    try:
        app_state().start_links.remove(digest_of(token))
    except KeyError:
        return False
    return True

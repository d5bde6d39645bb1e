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
    app_state,
    device_id,
    get_pad,
    language,
    page_words,
    render_page,
    t,
)
from scorepad.web.cookies import LANGUAGE_COOKIE, may_see_all, set_admin_cookie, set_cookie
from scorepad.web.error_pages import error_page
from scorepad.web.forms import PadForm, checks_itself
from scorepad.web.home.summary_texts import write_summaries
from scorepad.web.request_limits import count_started_matches
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


@blueprint.get("/app-<language>.webmanifest", endpoint="manifest")
def send_manifest(language: str) -> Response:
    """Send the web app manifest, by which a phone installs the pad as an app.

    Browsers fetch it without cookies, so the language is in its address.
    """
    if language not in list(Language):
        abort(404)
    content = base.template("home/manifest.json").render(words=words(Language(language)))
    return current_app.response_class(content, mimetype="application/manifest+json")


@blueprint.get("/", endpoint="page")
def show_home_page() -> Response:
    """Show the home page: the matches of the device, and a search among the finished ones."""
    return _show_home()


@blueprint.get("/stato", endpoint="state")
def send_tag_of_home() -> Response:
    """Send the tag of the home page: a short text that changes when a match of the device changes.

    By it an open page notices that it is out of date. It is made without reading the logs of the
    matches.
    """
    return tag_response(get_pad().tag_of_all(device_id()))


@blueprint.get("/in-corso", endpoint="in_progress")
def show_matches_in_progress() -> Response:
    """Show the page with all matches in progress, or with those in which a searched name occurs.

    It shows the first 100, and says how many there are in all.
    """
    # Taken first: if a match changes while the page is made, the page is fetched again.
    tag = get_pad().tag_of_all(device_id())
    summaries = get_pad().summaries(device_id(), MOST_ON_PAGE, 0)
    searched_name = _get_searched_name()
    if searched_name:
        matches = get_pad().records.search(device_id(), searched_name, finished=False)
        number_in_all = len(matches)
    else:
        matches = summaries.in_progress  # not more than the page shows
        number_in_all = summaries.all_in_progress
    matches_on_page = matches[:MOST_ON_PAGE]
    page_url = url_for("home.in_progress", cerca=searched_name or None)
    return render_page(
        "home/in_progress.html",
        title=t("web.home.in-progress"),
        watch=watch_all(tag, page_url, _find_last_changed(summaries)),
        matches=matches_on_page,
        summary_texts=write_summaries(matches_on_page, page_words()),
        wanted=searched_name,
        found=len(matches),
        count=number_in_all,
        most=MOST_ON_PAGE,
    )


def _show_home(form: PadForm | None = None) -> Response:
    """Show the home page: matches in progress, and finished ones or those found by a searched name.

    `form` is the form of the practice match if it was refused: its errors are shown.
    """
    # Taken first: if a match changes while the page is made, the page is fetched again.
    tag = get_pad().tag_of_all(device_id())
    summaries = get_pad().summaries(device_id(), MOST_IN_PROGRESS, MOST_FINISHED)
    searched_name = _get_searched_name()
    finished_matches = summaries.finished
    if searched_name:
        finished_matches = get_pad().records.search(device_id(), searched_name)
    finished_on_page = finished_matches[:MOST_FINISHED]
    matches_on_page = [*summaries.in_progress, *finished_on_page]
    page_url = url_for("home.page", cerca=searched_name or None)
    return render_page(
        "home/page.html",
        title=t("web.home.title"),
        watch=watch_all(tag, page_url, _find_last_changed(summaries)),
        summaries=summaries,
        finished=finished_on_page,
        summary_texts=write_summaries(matches_on_page, page_words()),
        wanted=searched_name,
        found=len(finished_matches),  # the page says so if they are not all shown
        form=form or PadForm(formdata=None),
    )


def _find_last_changed(summaries: Summaries) -> SummaryRecord | None:
    """Find the match in progress that was changed last; None if there is none.

    An open page reads its totals out to users of screen readers.
    """
    if not summaries.in_progress:
        return None
    return summaries.in_progress[0]  # the last changed comes first


def _get_searched_name() -> str:
    """Return the name typed into the search field; empty without a search."""
    return request.args.get("cerca", "").strip()[:LONGEST_SEARCH]


# ---------------------------------------------------------------- the language


@blueprint.post("/lingua")
def choose_language() -> Response:
    """Store the language chosen on the device, and go back to the page where it was chosen."""
    response = redirect(_make_safe_path(request.form.get("back", "")), code=303)
    chosen = request.form.get("language", "")
    if chosen in tuple(Language):
        set_cookie(response, LANGUAGE_COOKIE, chosen)
    return response


def _make_safe_path(path: str) -> str:
    """Return a path if it leads to a page of this site, else the path of the home page.

    - `/partite/nuova` → `/partite/nuova`
    - `https://example.org`, or `//example.org`, which browsers read as another site → `/`
    - a path with a backslash, which browsers read as a slash → `/`
    """
    is_plain = path.isprintable() and path.isascii() and "\\" not in path
    is_path = path.startswith("/") and not path.startswith("//")
    if is_plain and is_path:
        return path
    return url_for("home.page")


# ---------------------------------------------------------------- the practice match

_PRACTICE_GAME = "classica"
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
    """Begin a new practice match on this device, delete the earlier ones, and go to the new match.

    A practice match is for trying everything; it is not listed or counted with the others.
    """
    form = PadForm()
    if not form.validate():
        form.status = 400
        return _show_home(form)
    earlier_matches = _list_own_practice_matches()
    if earlier_matches and _is_just_begun(earlier_matches[0]):  # the button was pressed twice
        match = MatchId(earlier_matches[0].id)
        return base.to_new_match(Saved(match, again=True))

    count_started_matches()
    return _replace_practice_matches(form, earlier_matches)


def _replace_practice_matches(form: PadForm, earlier_matches: list[SummaryRecord]) -> Response:
    """Begin a practice match, delete the earlier ones of this device, and go to the new one.

    `form` is the form of the button that begins it.
    """
    try:
        begun = _begin_practice_match(form.request_name)
    except RequestRefused:
        # It says: "Something else was sent from this page before, and stays as it is …"
        form.reject(t("serve.sent-before"))
        return _show_home(form)
    _save_practice_hands(begun.match, form.request_name)
    was_begun_before = begun.again  # by the same form: then it is one of the earlier ones itself
    if not was_begun_before:
        _delete_matches(earlier_matches)
    return base.to_new_match(begun)


def _begin_practice_match(request_name: RequestId) -> Saved:
    """Begin a practice match without hands, or return the one that the same request began before.

    Raises RequestRefused if the id of the request was used for something else.
    """
    result = get_pad().actions.start(request_name, device_id(), _describe_practice_match())
    assert isinstance(result, Saved), result  # only typed names can be refused
    return result


def _delete_matches(matches: Iterable[SummaryRecord]) -> None:
    """Delete these matches; one that another request has deleted meanwhile is skipped."""
    for match in matches:
        with suppress(MatchNotFound):
            get_pad().actions.delete(MatchId(match.id), device_id())


def _list_own_practice_matches() -> list[SummaryRecord]:
    """List the practice matches that this device started, the last changed first."""
    practice = get_pad().summaries(device_id(), 0, 0).practice
    return [match for match in practice if _is_owned(MatchId(match.id))]


def _is_just_begun(match: SummaryRecord) -> bool:
    """Tell whether a practice match was begun some seconds ago, and nothing was added to it."""
    age = utc_now() - match.started
    is_young = timedelta(0) <= age < AT_ONCE  # under 0 if the clock was set back since
    return is_young and match.hands <= len(_TYPED_HANDS)


def _describe_practice_match() -> NewMatch:
    """Describe the practice match to begin: the game `classica`, with two players on each side."""
    return NewMatch(
        variant=_PRACTICE_GAME,
        preset=None,
        options={},
        labels=_name_practice_players(),
        practice=True,
    )


def _save_practice_hands(match: MatchId, request_name: RequestId) -> None:
    """Save the two hands (rounds) with which a practice match begins.

    If the form of the match is sent twice, nothing is saved the second time.
    """
    pad = get_pad()
    rules = settle(_PRACTICE_GAME, None)
    for number, typed in enumerate(_TYPED_HANDS, 1):
        hand = read_draft(typed, rules, language()).hand
        # A hand is saved from the form into which it was typed: here from an empty one.
        empty_form = pad.open(match, device_id())
        shown_form = ShownDraft(empty_form.id, empty_form.version)
        # By this id the pad knows the hand again if it is sent twice.
        request_of_hand = RequestId(f"{request_name}+{number}")
        sent_hand = SentHand(hand=hand, draft=typed)
        pad.count(request_of_hand, match, device_id(), shown_form, sent_hand)


def _name_practice_players() -> Labels:
    """Name the sides and players of a practice match in the language of the page.

    "We" are "Grandma Rose" and "George", "They" are "Aunt Carol" and "Bill".
    """
    names = []
    players = []
    for side in ("noi", "loro"):
        names.append(t(f"web.side.{side}"))
        one = t(f"history.practice.{side}.one")
        other = t(f"history.practice.{side}.other")
        players.append((one, other))
    return Labels(tuple(names), tuple(players))


def _is_owned(match: MatchId) -> bool:
    """Tell whether this device owns the match: whether it started it, or took it over."""
    try:
        device = get_pad().devices.find_own_record(match, device_id())
    except MatchNotFound:
        return False
    return device is not None and device.access == Access.OWN


# ---------------------------------------------------------------- the admin link


def make_start_link(app: Flask) -> str:
    """Make an admin link, which gives one browser access to all matches. Returns its path.

    It is valid until it is used or the application stops.
    """
    token = new_key()
    app.extensions[EXTENSION].start_links.add(digest_of(token))
    return f"/casa/{token}"


@blueprint.get("/casa/<key>")
def show_link(key: str) -> Response:
    """Show the page of an admin link, with the button that uses it.

    The link can be used only once. Opening it does not use it up, because programs also fetch links
    to show a preview of what is behind them.
    """
    if may_see_all():
        return redirect(url_for("home.page"), code=303)
    token = key.lower()
    is_start_link = digest_of(token) in app_state().start_links
    if is_start_link or get_pad().devices.is_admin_link(token):
        return render_page("home/admin_link.html", title=t("admin.link"))
    return error_page("admin-link", 404)


@blueprint.post("/casa/<key>")
def use_link(key: str) -> Response:
    """Give this browser access to all matches, by an admin link that can be used only once."""
    response = redirect(url_for("home.page"), code=303)
    if may_see_all():
        return response
    token = key.lower()
    # There are two kinds: links printed when the server starts, and stored ones.
    is_link_valid = _use_up_start_link(token)
    if not is_link_valid:
        is_link_valid = get_pad().devices.use_admin_link(token)
    if not is_link_valid:
        return error_page("admin-link", 404)
    base.notice(t("admin.link.done"))  # "This browser now sees and keeps every match."
    set_admin_cookie(response)
    return response


def _use_up_start_link(token: str) -> bool:
    """Use up an admin link that was printed when the server started.

    False if it is not such a link, or was used before.
    """
    digest = digest_of(token)
    try:
        # Not checked before: of two requests at once only one can remove it.
        app_state().start_links.remove(digest)
    except KeyError:
        return False
    return True

"""The phones of a match: joining, their holders, opening the pad to the network, the board, and
sharing.
"""

from __future__ import annotations

import re
import time
from typing import TypeVar

import segno
from flask import Blueprint, abort, current_app, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField
from wtforms.validators import AnyOf, Regexp

from scorepad.i18n import Words, os_error_text
from scorepad.matches.access import Access, MatchId
from scorepad.matches.devices import MOST_VIEWERS, Outcome
from scorepad.matches.events import AccessAction
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import RequestRefused
from scorepad.sheets.chart import line_sample
from scorepad.sheets.match_sheet import make_match_sheet
from scorepad.sheets.outcome import alt_of, ended_of, ending_to_come, text_of
from scorepad.sheets.picture import picture_of, picture_png
from scorepad.sheets.printed_names import named_by_players
from scorepad.storage.rows import PROGRAM, is_program
from scorepad.web import (
    base,
    cookies,
    device_cookies,
    file_responses,
    host_names,
    network_addresses,
    presenters,
    request_limits,
    watching,
)
from scorepad.web.base import device_id, get_pad, load_match, notice, page_words, render_page, t
from scorepad.web.forms import CONFLICT, PadForm, at_most, checks_itself, lazy
from scorepad.web.open_hand import noted_sentence
from scorepad.web.presenters import player_name, versus
from scorepad.web.rate_limits import Action
from scorepad.web.short_codes import SHORT_LASTS
from scorepad.web.watching import tag_response, watch

blueprint = Blueprint("phones", __name__)
live = Blueprint("live", __name__, url_prefix="/partite/<match>")
share = Blueprint("share", __name__, url_prefix="/partite/<match>")
Form = TypeVar("Form", bound=PadForm)
PHONES = "/partite/<match>/telefoni"
LISTENS = "SCOREPAD_LISTENS"
"""Configuration key: the host that the server listens on."""
SERVER = "scorepad.server"
"""Key of the running server among Flask's extensions; no entry if another WSGI server runs the
application.
"""
MOST_ROWS = 8
"""Read-only phones that are listed; others are collapsed."""
_HALVES = {
    ".": 1,
    ",": 1,
    "\N{MINUS SIGN}": 3,
}  # width of a character of a figure, in halves of a digit
_ROW = 24  # characters in a row of text on the smallest phone
NO_SIDE = "none"
LONGEST_NAME = 40


class CodeForm(PadForm):
    """A code, and whether to renew or withdraw it."""

    access = HiddenField(validators=[AnyOf((Access.WRITE, Access.VIEW))])
    do = StringField(validators=[AnyOf((AccessAction.RENEW, AccessAction.WITHDRAW))])


class PhoneForm(PadForm):
    """A phone, and whether to hand the match over to it or remove it."""

    mark = HiddenField(validators=[Regexp(rf"({PROGRAM})?[0-9a-f]{{64}}\Z")])
    do = StringField(validators=[AnyOf((AccessAction.HAND_ON, AccessAction.REMOVE))])


class LeaveForm(PadForm):
    """A match that this phone leaves. Not in the URL, where only phones that may write could send
    it.
    """

    match = HiddenField()


class SeatForm(PadForm):
    """Who holds this phone, and its side: a player (`0.1`), or a typed name and a side (`0`)."""

    name = StringField(
        lazy("phones.name"),
        description=lazy("phones.name.hint"),
        validators=[at_most(LONGEST_NAME)],
    )
    side = StringField(validators=[Regexp(rf"{NO_SIDE}|[0-2](\.[0-9])?\Z")])
    joining = HiddenField()


class NetworkForm(PadForm):
    """Whether the pad answers the home network."""

    do = StringField(validators=[AnyOf(("open", "close"))])


# ---------------------------------------------------------------- joining


@blueprint.get("/e/<key>")
def enter(key: str) -> Response:
    """Give the device access to a match by its key, and redirect to the match, or to the page
    `who`.

    HEAD and prefetch requests are ignored. A known device first gets a renewed cookie, and enters
    with it.
    """
    purpose = " ".join(
        request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")
    )
    if request.environ["REQUEST_METHOD"] == "HEAD" or re.search(
        "prefetch|prerender|preview", purpose.lower()
    ):
        return Response(status=204)
    devices = get_pad().devices
    device = device_id()
    if devices.gives_access(key, device):
        if not device_cookies.is_renewed_for(key):
            response = redirect(url_for("phones.enter", key=key), code=303)
            device_cookies.renew_device(response, key)
            return response
        request_limits.count_action(Action.ENTER)
    entered = devices.enter(key, device)
    mine = devices.mine(entered.match, device)
    is_asked = (
        mine is not None and mine.access == Access.WRITE and mine.side is None and not mine.name
    )
    response = redirect(
        url_for("phones.who" if is_asked else "matches.page", match=entered.match), code=303
    )
    cookies.set_key_cookies(response, entered.match, entered.keys)
    return response


@blueprint.route("/entra", methods=["GET", "POST"])
def join() -> Response:
    """Ask for a short code, and redirect to its match."""
    if request.method == "GET":
        return render_page("phones/join.html", title=t("phones.join"), has_form=True)
    key = base.app_state().short_codes.key_of(request.form.get("code", ""))
    if key is not None:
        return redirect(url_for("phones.enter", key=key), code=303)
    errors = (base.FieldError("code", t("phones.join.wrong")),)
    return render_page(
        "phones/join.html", title=t("phones.join"), has_form=True, errors=errors, status=404
    )


def _short_code(key: str) -> str:
    return base.app_state().short_codes.code_of(key, request_limits.address_to_limit())


@blueprint.get(f"{PHONES}/chi")
def who(match: MatchId) -> Response:
    """Ask who holds this phone, and for which side it counts."""
    get_pad().devices.let_write(match, device_id())
    return _show_who(match, SeatForm(formdata=None))


def _show_who(match: MatchId, form: SeatForm, status: int = 200) -> Response:
    form.joining.data = "1"
    state = load_match(match)
    return render_page(
        "phones/who.html",
        title=t("phones.who"),
        status=status,
        has_form=True,
        match=state,
        form=form,
    )


# ---------------------------------------------------------------- the page and its buttons


@blueprint.get(PHONES)
def page(match: MatchId) -> Response:
    """The codes and the phones of a match."""
    return _show_phones(match)


@blueprint.get(f"{PHONES}/stato", endpoint="state")
def phones_state(match: MatchId) -> Response:
    """The current tag of a match and its phones."""
    return tag_response(_tag(match))


def _tag(match: MatchId) -> str:
    """The tag of the page: it changes with the phones, the network, and when a new short code is
    due.
    """
    period = int(time.monotonic() / (SHORT_LASTS / 2))
    return f"{get_pad().tag_of_devices(match, device_id())}.{len(_network())}.{period}"


@blueprint.post(f"{PHONES}/codice")
@checks_itself
def code(match: MatchId) -> Response:
    """Renew or withdraw a code."""
    form = _submitted(CodeForm(), match)
    response = _back(match)
    access = Access(form.access.data)
    devices = get_pad().devices
    if form.do.data == AccessAction.WITHDRAW:
        if devices.withdraw(match, device_id(), access, form.request_name) is Outcome.DONE:
            notice(t(f"phones.withdrawn.{access}"))
        return response
    keys = devices.renew(match, device_id(), access, cookies.cookie_keys(), form.request_name)
    if keys.write or keys.view:  # else the same request renewed it before
        has_renewed_both = access is Access.WRITE and bool(keys.view)
        notice(t("phones.renewed.both" if has_renewed_both else f"phones.renewed.{access}"))
        cookies.set_key_cookies(response, match, keys)
    return response


@blueprint.post(f"{PHONES}/telefono")
@checks_itself
def phone(match: MatchId) -> Response:
    """Hand the match over to a phone, or remove the phone."""
    form = _submitted(PhoneForm(), match)
    devices = get_pad().devices
    if form.do.data == AccessAction.REMOVE:
        change = devices.remove
        done = "phones.removed"
    else:
        change = devices.hand_on
        done = "phones.handed-on"
    outcome = change(match, device_id(), form.mark.data or "", form.request_name)
    if outcome is Outcome.DONE:
        notice(t(done))
    elif outcome is not Outcome.AGAIN:
        notice(t("phones.gone"))
    return _back(match)


@blueprint.post("/esci")
@checks_itself
def leave() -> Response:
    """Remove this phone from a match."""
    form = LeaveForm()
    match = MatchId(form.match.data or abort(400))
    _submitted(form, match)
    get_pad().devices.leave(match, device_id())
    notice(t("phones.left"))
    return redirect(url_for("home.page"), code=303)


@blueprint.post(f"{PHONES}/parte")
@checks_itself
def seat(match: MatchId) -> Response:
    """Store who holds this phone, and the side that it counts for."""
    form = _submitted(SeatForm(), match)
    sides = load_match(match).sides
    holder = form.name.data or ""
    side = None
    message = t("phones.stands")
    if form.side.data != NO_SIDE:
        side, *player_index = map(int, form.side.data.split("."))
        try:
            if player_index:
                holder = sides[side].players[player_index[0]]
            message = t("phones.sits", side=sides[side].name)
        except IndexError:
            return _show_phones(match, t("web.error-page.400.text"), 400)
    get_pad().devices.sit(match, device_id(), side, holder)
    notice(message)
    return base.to_match(match) if form.joining.data else _back(match)


@blueprint.post(f"{PHONES}/rete")
@checks_itself
def network(match: MatchId) -> Response:
    """Listen on the addresses of the home network, or stop. Requires access to all matches."""
    form = _submitted(NetworkForm(), match)
    server = current_app.extensions.get(SERVER)
    if not cookies.has_admin_cookie() or server is None:
        abort(403)
    try:
        (server.close_network if form.do.data == "close" else server.open_network)()
    except OSError as error:
        return _show_phones(
            match, t("phones.network.failed", detail=os_error_text(error, page_words())), 503
        )
    notice(t("phones.network.closed" if form.do.data == "close" else "phones.network.opened"))
    return _back(match)


def _submitted(form: Form, match: MatchId) -> Form:
    """The submitted form, if valid; else the response is the page with a message."""
    if not form.validate():
        if isinstance(form, SeatForm) and form.name.errors:
            abort(_show_who(match, form, 400))
        is_stale = form.csrf_token.errors or form.request_id.errors
        abort(
            _show_phones(
                match, t("web.error.expired" if is_stale else "web.error-page.400.text"), 400
            )
        )
    return form


@blueprint.errorhandler(RequestRefused)
def _sent_before(_: RequestRefused) -> Response:
    return _show_phones((request.view_args or {})["match"], t("phones.sent-before"), CONFLICT)


def _back(match: MatchId) -> Response:
    return redirect(url_for("phones.page", match=match), code=303)


# ---------------------------------------------------------------- presentation


def _show_phones(match: MatchId, error: str = "", status: int = 200) -> Response:
    device = device_id()
    carried = cookies.cookie_keys()
    devices = get_pad().devices
    tag = _tag(match)
    state = load_match(match)
    held = devices.holds(match, device, carried)
    phones = devices.phones(match, device)
    mine = devices.mine(match, device)
    folded = [phone for phone in phones if phone.access == Access.VIEW and phone != mine]
    folded = folded if len(folded) > MOST_ROWS else []
    kinds = (Access.WRITE, Access.VIEW) if state.access.can_write else (Access.VIEW,)
    response = render_page(
        "phones/page.html",
        title=t("phones.title"),
        status=status,
        errors=(base.FieldError(None, error),) if error else (),
        watch=watch(
            state, url_for("phones.page", match=match), url_for("phones.state", match=match), tag
        ),
        match=state,
        form=SeatForm(formdata=None, name=mine.name if mine else ""),
        listens=listens_to_phones(),
        network=_network(),
        may_open=cookies.has_admin_cookie()
        and SERVER in current_app.extensions
        and network_addresses.is_loopback(current_app.config[LISTENS]),
        origin=reachable_origin(),
        most_lookers=MOST_VIEWERS,
        keys={
            access: held.keys.write if access is Access.WRITE else held.keys.view
            for access in kinds
        },
        made=held.made,
        qr_code=_qr_code,
        short_code=_short_code,
        phones=[phone for phone in phones if phone not in folded],
        lookers=folded,
        mine=mine,
        is_program=is_program,
        new_request_id=base.new_request_id,
    )
    response.headers["Cache-Control"] = "private, no-store"
    if held.keys != carried:
        cookies.set_key_cookies(response, match, held.keys)
    return response


def _qr_code(address: str) -> Markup:
    """The QR code of a URL: black on white in both themes, as large as its container."""
    code = segno.make(address, error="l", micro=False)
    # The white border of 4 modules lets cameras find the code.
    picture = code.svg_inline(border=4, omitsize=True, svgclass=None, lineclass=None, light="#fff")
    return Markup(picture)  # noqa: S704 - none of our text in it


def _network() -> tuple[str, ...]:
    """The addresses of the home network that the server listens on since it was opened."""
    server = current_app.extensions.get(SERVER)
    return () if server is None else tuple(server.network)


def listens_to_phones() -> bool:
    """Whether the server answers other devices."""
    return (
        not network_addresses.is_loopback(host_names.host_name(request.host))
        or not network_addresses.is_loopback(current_app.config[LISTENS])
        or bool(_network())
    )


def reachable_origin() -> str | None:
    """The scheme and host under which other devices reach the server; None if they cannot.

    The host of this request, or on the server's own machine its address in the home network.
    """
    if not network_addresses.is_loopback(host_names.host_name(request.host)):
        return request.host_url.rstrip("/")
    address = network_addresses.home_address() if listens_to_phones() else None
    return None if address is None else f"http://{address}:{request.environ['SERVER_PORT']}"


# ---------------------------------------------------------------- the board


@live.get("/stato", endpoint="state")
def version(match: MatchId) -> Response:
    """The current tag of a match, and for pages that edit its open hand, the version of that and
    the noted penalties.
    """
    state = load_match(match)
    response = tag_response(watching.state_tag(state))
    version = state.open_hand.version if state.open_hand else 0
    response.headers["Scorepad-Typed"] = f"{version}:{watching.noted_entries(state)}"
    return response


@live.get("/tabellone")
def board(match: MatchId) -> Response:
    """The match in large figures, for a tablet or a television."""
    # Both sides read it.
    state = named_by_players(presenters.reachable(load_match(match)))
    words = page_words(state.rules)
    highest, second, *_ = sorted((side.total for side in state.sides), reverse=True)
    widest = max(
        sum(_HALVES.get(each, 2) for each in words.figure(side.total)) for side in state.sides
    )
    return render_page(
        "phones/board.html",
        title=t("live.board.title", names=versus(state.names, words)),
        watch=watch(state),
        match=state,
        order=presenters.own_side_first(state),
        width=max(4, min(24, widest)),  # the widths in the style sheet
        ended=ended_of(state, words) if state.status.finished else None,
        dealer=player_name(state.next_turn.dealer, state=state, words=words),
        lead=highest - second,
        noted=noted_sentence(state, words),
        ending=ending_to_come(state, words),
    )


# ---------------------------------------------------------------- what is shared of a match


@share.get("/andamento", endpoint="chart")
def show_chart(match: MatchId) -> Response:
    """The totals as a chart and a table."""
    state = load_match(match)
    words = page_words(state.rules)
    return render_page(
        "phones/chart.html",
        title=t("share.chart.title"),
        watch=watch(state),
        match=state,
        chart=presenters.chart_of(state, words),
        samples=[Markup(line_sample(side)) for side in range(len(state.sides))],  # noqa: S704 - our own
    )


@share.get("/condividi", endpoint="page")
def result(match: MatchId) -> Response:
    """The result to send, as picture and text."""
    state = load_match(match)
    words = page_words(state.rules)
    text = text_of(state, words)
    return render_page(
        "phones/share.html",
        title=t("share.page.result" if state.status.finished else "share.page.score"),
        watch=watch(state),
        match=state,
        alt=alt_of(state, words),
        text=text,
        rows=sum(1 + len(line) // _ROW for line in text.split("\n")),
    )


@share.get("/risultato.png", endpoint="picture")
def result_picture(match: MatchId) -> Response:
    state = load_match(match)
    words = page_words(state.rules)
    response = file_responses.paper_response(
        lambda: picture_png(state, words),
        file_name(state, words),
        "image/png",
        "png",
        key=picture_of(state, words),
    )
    response.add_etag()
    return response.make_conditional(request)


@share.get("/foglio.pdf")
def sheet(match: MatchId) -> Response:
    """The match sheet; `?dettaglio` adds the lines of every hand, `?grande` prints it in 18 points."""
    state = load_match(match)
    words = page_words(state.rules)
    details = "dettaglio" in request.args
    large = "grande" in request.args
    return file_responses.paper_response(
        lambda: make_match_sheet(state, words, details=details, large=large), f"scorepad-{state.id}"
    )


def file_name(state: MatchState, words: Words) -> str:
    """The file name of the picture, without its extension."""
    day = words.day(state.started.astimezone())
    return words.t("share.picture.file", names=versus(state.names, words), day=day)

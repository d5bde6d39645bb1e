"""The phones of a match: joining, their holders, opening the pad to the network, the board, and
sharing.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from flask import Blueprint, abort, current_app, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField
from wtforms.validators import AnyOf, Regexp

from scorepad.i18n import Words, describe_os_error
from scorepad.matches.access import Access, MatchId, RequestId
from scorepad.matches.devices import MOST_VIEWERS, Entered, KeysToShow, Outcome
from scorepad.matches.events import AccessAction, HandState
from scorepad.matches.keys import NO_KEYS
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import RequestRefused
from scorepad.sheets.chart import draw_line_sample
from scorepad.sheets.match_sheet import make_match_sheet, render_match_sheet
from scorepad.sheets.outcome import (
    describe_agreed_last_hand,
    describe_end,
    describe_picture,
    write_text_to_share,
)
from scorepad.sheets.pdf import can_make_pdf
from scorepad.sheets.picture import make_picture, make_picture_png
from scorepad.sheets.picture_svg import draw_picture_as_svg
from scorepad.sheets.printed_names import name_sides_by_players
from scorepad.storage.rows import PROGRAM, DeviceRecord
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
from scorepad.web.alone import is_alone
from scorepad.web.base import device_id, get_pad, load_match, notice, page_words, render_page, t
from scorepad.web.forms import CONFLICT, PadForm, at_most, checks_itself, lazy
from scorepad.web.open_hand import noted_sentence
from scorepad.web.phones.hand_over import show_hand_over_page
from scorepad.web.phones.holder_question import NO_SIDE, ask_for_holder
from scorepad.web.phones.phones_page import CodeToEnter, PhonesPage, ShownAccess
from scorepad.web.phones.qr_code import draw_qr_code
from scorepad.web.presenters import is_long, player_name, versus
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
_HALVES = {".": 1, ",": 1, "\N{MINUS SIGN}": 3}
"""The width of the characters of a figure that are no digits, in halves of a digit."""
_SMALLEST_WIDTH = 4
_LARGEST_WIDTH = 24
"""The widths of totals, in halves of a digit, for which the style sheet has sizes of the font."""
_LONGEST_SHORT_NAME = 6
"""Characters of a name that is written in large letters on the board."""
_TWO_SIDES = 2
_LETTERS_IN_ROW = 24
"""Characters in a row of text on the smallest phone."""
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


class ChosenSeat(NamedTuple):
    """Who holds a phone, and the side that it counts for, by its position and its name.

    The position is None, and the name empty, for a phone that counts for no side.
    """

    holder: str
    side: int | None
    side_name: str = ""


class SeatForm(PadForm):
    """Who holds this phone, and the side that it counts for.

    `side` is a player as `SIDE.PLAYER`, `0.1` for the second player of the first side; or a side
    `0` for somebody else, whose `name` is typed; or `none`.
    """

    name = StringField(
        lazy("phones.name"),
        description=lazy("phones.name.hint"),
        validators=[at_most(LONGEST_NAME)],
    )
    side = StringField(validators=[Regexp(rf"{NO_SIDE}|[0-2](\.[0-9])?\Z")])
    joining = HiddenField()
    """Not empty if the phone has just entered the match, and goes on to its page."""

    def read_seat(self, state: MatchState) -> ChosenSeat | None:
        """Read who holds this phone and for which side it counts, from the submitted form.

        - `none` → no side, and the typed name
        - `0` → the first side, and the typed name of somebody who is no player of it
        - `0.1` → the first side, and its second player as the holder
        - a side or player that the match does not have → None
        """
        typed_name = self.name.data or ""
        chosen = self.side.data
        if chosen == NO_SIDE:
            return ChosenSeat(holder=typed_name, side=None)

        side_text, _, player_text = chosen.partition(".")
        position = int(side_text)
        if position >= len(state.sides):
            return None
        side = state.sides[position]
        if not player_text:  # somebody else than the players holds the phone
            return ChosenSeat(holder=typed_name, side=position, side_name=side.name)

        index = int(player_text)
        if index >= len(side.players):
            return None
        return ChosenSeat(holder=side.players[index], side=position, side_name=side.name)


class NetworkForm(PadForm):
    """Whether the pad answers the home network."""

    do = StringField(validators=[AnyOf(("open", "close"))])


@blueprint.before_request
def refuse_if_alone() -> None:
    """Answer 404 for everything about other phones, if there can be none: the pad is alone.

    What is left is the page of phones, which then hands the match over to another pad.
    """
    if is_alone() and request.endpoint != "phones.page":
        abort(404)


# ---------------------------------------------------------------- joining


@blueprint.get("/e/<key>", endpoint="enter")
def enter_match(key: str) -> Response:
    """Let a phone into a match by a key, which gives it access, and redirect to the match.

    This is the link behind the QR code that another phone shows. Raises NoSuchKey for a wrong key.
    """
    if not _is_opened_by_user():
        return Response(status=204)
    devices = get_pad().devices
    gets_more_access = devices.would_gain_access(key, device_id())
    if gets_more_access:
        # Somebody else may know the cookie by which the browser is known, and would get the same
        # access. So the browser gets a new cookie first, and opens the link once more with it.
        if not device_cookies.is_cookie_private(key):
            return _renew_cookie_first(key)
        request_limits.count_action(Action.ENTER)
    entered = devices.enter(key, device_id())
    return _redirect_to_entered(entered)


def _renew_cookie_first(key: str) -> Response:
    """Give the browser a new cookie, and send it to the link with this key again."""
    response = redirect(url_for("phones.enter", key=key), code=303)
    device_cookies.set_renewed_cookie(response, key)
    return response


def _redirect_to_entered(entered: Entered) -> Response:
    """Redirect to the match that this phone has entered, with the keys of the match as cookies.

    If the phone may write and it is not known who holds it, the next page asks that first.
    """
    next_page = "matches.page"
    own_phone = get_pad().devices.find_own_record(entered.match, device_id())
    if _has_unknown_holder(own_phone):
        next_page = "phones.who"
    response = redirect(url_for(next_page, match=entered.match), code=303)
    cookies.set_key_cookies(response, entered.match, entered.keys)
    return response


def _is_opened_by_user() -> bool:
    """Tell whether a user opens the link.

    Browsers and chats also fetch links beforehand, to be faster or to show a preview.

    - a request with the header `Sec-Purpose: prefetch`, or a HEAD request → False
    - any other request → True
    """
    if request.environ["REQUEST_METHOD"] == "HEAD":
        return False
    for header in ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"):
        purpose = request.headers.get(header, "").lower()
        if re.search("prefetch|prerender|preview", purpose):
            return False
    return True


def _has_unknown_holder(phone: DeviceRecord | None) -> bool:
    """Tell whether a phone may write in the match, but nobody has said who holds it."""
    if phone is None or phone.access != Access.WRITE:
        return False
    return phone.side is None and not phone.name


@blueprint.route("/entra", methods=["GET", "POST"], endpoint="join")
def join_page() -> Response:
    """Show the page that asks for a short code, or redirect to the match that the typed code opens.

    A short code such as `acd-efh` stands for a key. It is for phones that cannot scan a QR code.
    """
    if request.method == "GET":
        return render_page("phones/join.html", title=t("phones.join"), has_form=True)
    typed_code = request.form.get("code", "")
    key = base.app_state().short_codes.find_key(typed_code)
    if key is not None:
        return redirect(url_for("phones.enter", key=key), code=303)
    # It says: "This code is not valid, or not any more …"
    errors = (base.FieldError("code", t("phones.join.wrong")),)
    return render_page(
        "phones/join.html", title=t("phones.join"), has_form=True, errors=errors, status=404
    )


def _find_or_make_short_code(key: str) -> str:
    """Return a short code of six characters that stands for this key, to be shown on the page."""
    codes = base.app_state().short_codes
    return codes.find_or_make_code(key, request_limits.address_to_limit())


@blueprint.get(f"{PHONES}/chi", endpoint="who")
def ask_holder(match: MatchId) -> Response:
    """Show the page that asks who holds this phone, and for which side it counts.

    Only a phone that may write is asked that.
    """
    get_pad().devices.require_write_access(match, device_id())  # raises NotAllowed for others
    return _show_holder_question(match, SeatForm(formdata=None))


def _show_holder_question(match: MatchId, form: SeatForm, status: int = 200) -> Response:
    """Show the page that asks who holds this phone, after the phone has entered a match.

    When the question is answered, the phone goes on to the page of the match. `form` is the form of
    the page.
    """
    state = load_match(match)
    return render_page(
        "phones/who.html",
        title=t("phones.who"),
        status=status,
        has_form=True,
        match=state,
        form=form,
        holder_question=ask_for_holder(
            state, page_words(), holder=form.name.data or "", side=None, has_just_entered=True
        ),
    )


# ---------------------------------------------------------------- the page and its buttons


@blueprint.get(PHONES, endpoint="page")
def show_phones_page(match: MatchId) -> Response:
    """Show the page with the codes of a match and with the phones that have entered it by them.

    On a pad that is alone, show how another pad takes the match.
    """
    if is_alone():
        return show_hand_over_page(match)
    return _show_phones(match)


@blueprint.get(f"{PHONES}/stato", endpoint="state")
def send_tag_of_phones(match: MatchId) -> Response:
    """Send the tag of the page of phones: a short text that changes with what the page shows.

    By it an open page notices that it is out of date, and fetches itself again.
    """
    return tag_response(_make_page_tag(match))


def _make_page_tag(match: MatchId) -> str:
    """Make a text that changes when the page of phones would show something else: `3.5f2c.1.47`.

    It is made of what the page shows: the match and its phones, how many addresses the pad has in
    the home network, and the present short code.
    """
    devices_tag = get_pad().tag_of_devices(match, device_id())
    number_of_addresses = len(_list_network_addresses())
    # A short code is shown for the first half of the time for which it can be typed.
    seconds_shown = SHORT_LASTS / 2
    number_of_code = int(time.monotonic() / seconds_shown)
    return f"{devices_tag}.{number_of_addresses}.{number_of_code}"


@blueprint.post(f"{PHONES}/codice", endpoint="code")
@checks_itself
def change_code(match: MatchId) -> Response:
    """Replace a code, by which other phones enter the match, or withdraw it."""
    form = _require_valid(CodeForm(), match)
    access = Access(form.access.data)
    if form.do.data == AccessAction.WITHDRAW:
        return _withdraw_code(match, access, form.request_name)
    return _renew_code(match, access, form.request_name)


def _withdraw_code(match: MatchId, access: Access, request_name: RequestId) -> Response:
    """Withdraw a code: its key becomes invalid, so that no more phones can enter by it."""
    outcome = get_pad().devices.withdraw_key(match, device_id(), access, request_name)
    if outcome is Outcome.DONE:
        notice(t(f"phones.withdrawn.{access}"))
    return _redirect_to_phones(match)


def _renew_code(match: MatchId, access: Access, request_name: RequestId) -> Response:
    """Replace the key behind a code by a new one, and redirect to the page that shows the new code.

    There are two codes, one to write in the match and one to view it. If the one to write is
    replaced, the one to view is replaced too, unless it was withdrawn.
    """
    response = _redirect_to_phones(match)
    keys_before = cookies.cookie_keys()
    new_keys = get_pad().devices.renew_key(match, device_id(), access, keys_before, request_name)
    was_sent_before = new_keys == NO_KEYS
    if was_sent_before:  # the answer to the first request has set the cookies already
        return response

    cookies.set_key_cookies(response, match, new_keys)
    are_both_replaced = access is Access.WRITE and new_keys.view != ""
    if are_both_replaced:
        # It says: "Done: here are the new codes for keeping score and for watching."
        notice(t("phones.renewed.both"))
    else:
        notice(t(f"phones.renewed.{access}"))
    return response


@blueprint.post(f"{PHONES}/telefono", endpoint="phone")
@checks_itself
def change_phone(match: MatchId) -> Response:
    """Make another phone the owner of the match, or remove a phone from the match."""
    form = _require_valid(PhoneForm(), match)
    devices = get_pad().devices
    phone = form.mark.data or ""  # the text by which the page names it
    if form.do.data == AccessAction.REMOVE:
        outcome = devices.remove_device(match, device_id(), phone, form.request_name)
        message = t("phones.removed")  # "Done: that phone is out."
    else:
        outcome = devices.make_owner(match, device_id(), phone, form.request_name)
        message = t("phones.handed-on")  # "Done: that phone keeps the match now."

    if outcome is Outcome.DONE:
        notice(message)
    elif outcome is Outcome.GONE:  # the phone has left the match meanwhile
        # It says: "That phone is no longer in this match, and nothing has changed."
        notice(t("phones.gone"))
    return _redirect_to_phones(match)


@blueprint.post("/esci", endpoint="leave")
@checks_itself
def leave_match() -> Response:
    """Remove this phone from a match, and redirect to the home page.

    The match stays on the other phones.
    """
    form = LeaveForm()
    if not form.match.data:
        abort(400)
    match = MatchId(form.match.data)
    _require_valid(form, match)
    get_pad().devices.leave(match, device_id())
    notice(t("phones.left"))  # "Done: the match is no longer on this phone."
    return redirect(url_for("home.page"), code=303)


@blueprint.post(f"{PHONES}/parte", endpoint="seat")
@checks_itself
def store_seat(match: MatchId) -> Response:
    """Store who holds this phone, and for which side of the match it counts.

    Redirects to the match if the phone has just entered it, else back to the page of phones.
    """
    form = _require_valid(SeatForm(), match)
    chosen = form.read_seat(load_match(match))
    if chosen is None:
        # It says: "Something about the address or the page is wrong. Go back and try again."
        return _show_phones(match, t("web.error-page.400.text"), HTTPStatus.BAD_REQUEST)
    get_pad().devices.set_side_and_holder(match, device_id(), chosen.side, chosen.holder)
    if chosen.side is None:
        notice(t("phones.stands"))  # "Done: this phone counts for everybody."
    else:
        notice(t("phones.sits", side=chosen.side_name))  # "Done. This phone counts for: {side}."

    has_just_entered = bool(form.joining.data)
    if has_just_entered:
        return base.to_match(match)
    return _redirect_to_phones(match)


@blueprint.post(f"{PHONES}/rete", endpoint="network")
@checks_itself
def switch_network(match: MatchId) -> Response:
    """Let the server listen on the home network so that phones can reach it, or stop that.

    Only a browser with access to all matches may do it.
    """
    form = _require_valid(NetworkForm(), match)
    server = current_app.extensions.get(SERVER)  # None if another WSGI server runs the app
    if server is None or not cookies.has_admin_cookie():
        abort(403)
    is_to_close = form.do.data == "close"
    try:
        if is_to_close:
            server.close_network()
        else:
            server.open_network()
    except OSError as error:
        detail = describe_os_error(error, page_words())
        # It says: "The pad could not be opened to the network: {detail}."
        return _show_phones(match, t("phones.network.failed", detail=detail), 503)

    if is_to_close:
        # It says: "Done: the pad answers only this computer again."
        notice(t("phones.network.closed"))
    else:
        # It says: "Done: the other phones of the network can join with the codes below."
        notice(t("phones.network.opened"))
    return _redirect_to_phones(match)


def _require_valid(form: Form, match: MatchId) -> Form:
    """Return the submitted form if it is valid.

    Else the request ends here with a page that says what is wrong.
    """
    if not form.validate():
        abort(_show_invalid_form(form, match))
    return form


def _show_invalid_form(form: PadForm, match: MatchId) -> Response:
    """Show the page of a form that is not valid, with what is wrong.

    The only text that a person types in these forms is a name. So anything else that is wrong comes
    from a page that has expired, or not from our pages at all.
    """
    if isinstance(form, SeatForm) and form.name.errors:
        return _show_holder_question(match, form, HTTPStatus.BAD_REQUEST)
    has_expired = form.csrf_token.errors or form.request_id.errors
    if has_expired:
        # It says: "The page had been open for a long time and has expired …"
        return _show_phones(match, t("web.error.expired"), HTTPStatus.BAD_REQUEST)
    # It says: "Something about the address or the page is wrong. Go back and try again."
    return _show_phones(match, t("web.error-page.400.text"), HTTPStatus.BAD_REQUEST)


@blueprint.errorhandler(RequestRefused)
def _show_form_sent_before(_: RequestRefused) -> Response:
    """Show the page of phones, because this form was sent before with other content.

    All forms to which this can happen have the match in their address.
    """
    arguments_of_url = request.view_args or {}
    match = arguments_of_url["match"]
    return _show_phones(match, t("phones.sent-before"), CONFLICT)


def _redirect_to_phones(match: MatchId) -> Response:
    """Redirect to the page of phones."""
    return redirect(url_for("phones.page", match=match), code=303)


# ---------------------------------------------------------------- presentation


def _show_phones(match: MatchId, error: str = "", status: int = HTTPStatus.OK) -> Response:
    """Show the page with the codes and the phones of a match; `error` is a message above them.

    A code is shown for each key of the match that this phone knows. If its cookies have other keys
    than those that are valid now, they are replaced.
    """
    # Made first: if something changes while the page is being made, the page is fetched again.
    page_tag = _make_page_tag(match)
    state = load_match(match)
    known = get_pad().devices.find_keys_to_show(match, device_id(), cookies.cookie_keys())
    page = PhonesPage(state, page_words())
    origin = find_reachable_origin()
    may_switch_network = _may_open_network()
    is_network_open = bool(_list_network_addresses())
    response = render_page(
        "phones/page.html",
        title=t("phones.title"),
        status=status,
        errors=(base.FieldError(None, error),) if error else (),
        watch=_watch_phones(state, page_tag),
        match=state,
        page=page,
        new_request_id=base.new_request_id,  # a function: each form has an id of its own
        kinds_of_access=_list_kinds_of_access(state, page, known, origin),
        # How phones reach the server
        origin=origin,
        listens=is_reachable_by_phones(),
        can_open_network=may_switch_network and not is_network_open,
        can_close_network=may_switch_network and is_network_open,
        **_collect_values_of_phones(state, page),
    )
    response.headers["Cache-Control"] = "private, no-store"  # the page shows keys
    if known.keys != cookies.cookie_keys():
        cookies.set_key_cookies(response, match, known.keys)
    return response


def _watch_phones(state: MatchState, page_tag: str) -> base.Watch:
    """Make what the page of phones needs to notice by its tag that it is out of date.

    If the tag that the page asks for is another one than `page_tag`, the page fetches itself again.
    """
    watch_of_match = watch(state, url_for("phones.page", match=state.id))
    tag_url = url_for("phones.state", match=state.id)
    return watch_of_match._replace(tag_url=tag_url, tag=page_tag)


def _list_keys_to_show(state: MatchState, known: KeysToShow) -> dict[Access, str]:
    """List the keys of a match that this phone may show to others, by the access that they give.

    A phone that may only view the match does not show the key to write. A key that the phone does
    not know is empty.
    """
    keys = {}
    if state.access.can_write:
        keys[Access.WRITE] = known.keys.write
    keys[Access.VIEW] = known.keys.view
    return keys


def _list_kinds_of_access(
    state: MatchState, page: PhonesPage, known: KeysToShow, origin: str | None
) -> list[ShownAccess]:
    """List the kinds of access that this phone can give to others, each with its code.

    A code is shown if this phone knows the key, and if other phones reach the server: `origin` is
    the beginning of the addresses by which they do, None if they do not.
    """
    keys = _list_keys_to_show(state, known)
    kinds = []
    for access, key in keys.items():
        code = _make_code_to_enter(origin, key) if origin and key else None
        kinds.append(
            page.show_access(
                access,
                code,
                knows_key=bool(key),
                existing=known.existing,
                is_folded=access is Access.VIEW and len(keys) > 1,
                most_viewers=MOST_VIEWERS,
            )
        )
    return kinds


def _make_code_to_enter(origin: str, key: str) -> CodeToEnter:
    """Make the address, the QR code and the short code by which a phone enters with this key."""
    address = f"{origin}{url_for('phones.enter', key=key)}"
    short_code = _find_or_make_short_code(key)
    half = len(short_code) // 2
    return CodeToEnter(
        address=address,
        qr_code=draw_qr_code(address),
        short_code=f"{short_code[:half]} {short_code[half:]}",
    )


def _collect_values_of_phones(state: MatchState, page: PhonesPage) -> dict[str, Any]:
    """Collect what the page of phones shows of the phones: this one, and all that have access.

    If many phones can only view the match, they are in a list of their own, which is folded up.
    """
    devices = get_pad().devices
    phones = devices.list_devices(state.id, device_id())
    own_phone = devices.find_own_record(state.id, device_id())
    holder = own_phone.name if own_phone else ""
    side = own_phone.side if own_phone else None
    folded_phones = _find_phones_to_fold(phones, own_phone)
    listed_phones = [phone for phone in phones if phone not in folded_phones]
    return {
        "form": SeatForm(formdata=None, name=holder),
        "holder_question": ask_for_holder(
            state, page_words(), holder=holder, side=side, has_just_entered=False
        ),
        "phones": [page.show_phone(phone, own_phone) for phone in listed_phones],
        "folded_phones": [page.show_phone(phone, own_phone) for phone in folded_phones],
    }


def _find_phones_to_fold(
    phones: Sequence[DeviceRecord], own_phone: DeviceRecord | None
) -> list[DeviceRecord]:
    """Find the other phones that can only view the match, if there are more than 8 of them.

    Then the page does not list them with the others. With fewer, the result is empty.
    """
    viewers = []
    for phone in phones:
        if phone.access == Access.VIEW and phone != own_phone:
            viewers.append(phone)
    if len(viewers) <= MOST_ROWS:
        return []
    return viewers


def _may_open_network() -> bool:
    """Tell whether this browser may let the server listen on the home network as well.

    The browser must have access to all matches. The server must be ours, not another WSGI server,
    and it must have been started for this machine only: if somebody told it where to listen, that
    stays.
    """
    is_our_server = SERVER in current_app.extensions
    if not is_our_server or not cookies.has_admin_cookie():
        return False
    host_of_server = current_app.config[LISTENS]
    return network_addresses.is_loopback(host_of_server)


def _list_network_addresses() -> tuple[str, ...]:
    """List the addresses of the home network on which the server listens.

    Empty unless it was opened to the home network.
    """
    server = current_app.extensions.get(SERVER)
    if server is None:  # another WSGI server runs the application
        return ()
    return tuple(server.network)


def is_reachable_by_phones() -> bool:
    """Tell whether the server can be reached from other devices than the one on which it runs.

    - this request came to another address than that of the machine itself → True: it came from
      another device, or through a proxy that passes on requests from others
    - the server was started on an address of the network → True
    - the server was opened to the home network since → True
    - anything else → False
    """
    requested_host = host_names.host_name(request.host)
    if not network_addresses.is_loopback(requested_host):
        return True
    host_of_server = current_app.config[LISTENS]
    if not network_addresses.is_loopback(host_of_server):
        return True
    is_open_to_network = bool(_list_network_addresses())
    return is_open_to_network


def find_reachable_origin() -> str | None:
    """Find the scheme and host by which other devices reach the server: `http://192.168.1.5:8000`.

    It is the host of this request, or on the server's own machine its address in the home network.
    None if other devices cannot reach the server.
    """
    requested_host = host_names.host_name(request.host)
    if not network_addresses.is_loopback(requested_host):
        return request.host_url.rstrip("/")

    if not is_reachable_by_phones():
        return None
    address = network_addresses.home_address()
    if address is None:  # the machine is in no network
        return None
    port = request.environ["SERVER_PORT"]
    return f"http://{address}:{port}"


# ---------------------------------------------------------------- the board


@live.get("/stato", endpoint="state")
def send_tag_of_match(match: MatchId) -> Response:
    """Send the tag of a match: a short text that changes when something is added to the match.

    By it an open page notices that it is out of date. A page on which the hand (round) being played
    is typed reads a header as well: `Scorepad-Typed: 4:17 21` says that version 4 of its typed
    texts is stored, and that its penalties are the log entries 17 and 21.
    """
    state = load_match(match)
    response = tag_response(watching.state_tag(state))
    version_of_typed_texts = 0
    if state.open_hand:
        version_of_typed_texts = state.open_hand.version
    entries_of_penalties = watching.noted_entries(state)
    response.headers["Scorepad-Typed"] = f"{version_of_typed_texts}:{entries_of_penalties}"
    return response


@live.get("/tabellone", endpoint="board")
def show_board(match: MatchId) -> Response:
    """Show the score of a match in large letters, for a tablet or a television at the table."""
    state = presenters.without_unreachable_rematch(load_match(match))
    state = name_sides_by_players(state)  # all sides read it, so none is called "us"
    words = page_words(state.rules)
    # Hands (rounds) that one side counted and the other has not confirmed, or counted otherwise.
    contested = [hand for hand in state.hands if hand.contest]
    waiting = [hand for hand in state.hands if hand.waits and not hand.contest]
    return render_page(
        "phones/board.html",
        title=t("live.board.title", names=versus(state.names, words)),
        watch=watch(state),
        match=state,
        order=presenters.own_side_first(state),
        width=_measure_widest_total(state, words),
        dealer=player_name(state.next_turn.dealer, state=state, words=words),
        leads=_say_who_leads(state, words),
        contested=_write_hands_to_check("live.board.contested", contested, state, words),
        waiting=_write_hands_to_check("live.board.waits", waiting, state, words),
        noted=noted_sentence(state, words),  # the penalties of the hand being played
        ending=describe_agreed_last_hand(state, words),  # the end that was agreed for later
        ended=describe_end(state, words) if state.status.finished else None,
    )


@live.app_template_filter()
def choose_class_by_length(name: str) -> str:
    """Choose the CSS class of a name on the board by its length.

    - `short` for up to 6 characters, such as "Ada"
    - `long` for a name that needs small letters
    - `usual` for all others
    """
    if len(name) <= _LONGEST_SHORT_NAME:
        return "short"
    if is_long(name):
        return "long"
    return "usual"


def _write_hands_to_check(
    key: str, hands: Sequence[HandState], state: MatchState, words: Words
) -> str:
    """Write the sentence with this message key about hands (rounds) that the players have to check.

    "Hands to be confirmed: 2 and 3". Empty if there are no such hands.
    """
    if not hands:
        return ""
    numbers = [words.figure(state.number_for_players(hand.number)) for hand in hands]
    return words.t(key, numbers=words.listing(numbers))


def _say_who_leads(state: MatchState, words: Words) -> str:
    """Say which side leads.

    - "We ahead by 300", or with three sides "Ada ahead of Bea by 300"
    - "Tied: We and They"
    - nothing as long as no side has points
    """
    if all(side.total == 0 for side in state.sides):
        return ""
    ranked = sorted(state.sides, key=attrgetter("total"), reverse=True)
    first = ranked[0]
    second = ranked[1]
    lead = first.total - second.total
    if lead == 0:
        level = [side.name for side in state.sides if side.total == first.total]
        return words.t("live.board.level", sides=words.listing(level))  # "Tied: {sides}"

    key = "live.board.leads"  # "{side} ahead by {points}"
    if len(ranked) > _TWO_SIDES:  # then the sentence names the second side too
        key = "live.board.leads-over"  # "{side} ahead of {other} by {points}"
    return words.t(key, side=first.name, points=lead, other=second.name)


def _measure_widest_total(state: MatchState, words: Words) -> int:
    """Measure the widest total of a match in halves of a digit, to choose the size of its font.

    The totals `1.205` and `635` → 9, the width of the first one. The style sheet has a size for
    each width from 4 to 24; narrower and wider totals are given these.
    """
    widths = [_measure_number(words.figure(side.total)) for side in state.sides]
    widest = max(widths)
    if widest < _SMALLEST_WIDTH:
        return _SMALLEST_WIDTH
    return min(widest, _LARGEST_WIDTH)


def _measure_number(figure: str) -> int:
    """Measure the width of a number as it is shown, in halves of a digit.

    `1.205` → 9: four digits, and a dot that is half as wide.
    """
    width_of_digit = 2
    width = 0
    for character in figure:
        width += _HALVES.get(character, width_of_digit)
    return width


# ---------------------------------------------------------------- what is shared of a match


@share.get("/andamento", endpoint="chart")
def show_chart(match: MatchId) -> Response:
    """Show the totals of a match, hand by hand, as a chart and a table."""
    state = load_match(match)
    words = page_words(state.rules)
    samples = [draw_line_sample(side) for side in range(len(state.sides))]
    return render_page(
        "phones/chart.html",
        title=t("share.chart.title"),
        watch=watch(state),
        match=state,
        chart=presenters.chart_of(state, words),
        samples=[Markup(sample) for sample in samples],  # noqa: S704 - our own
    )


@share.get("/condividi", endpoint="page")
def show_result(match: MatchId) -> Response:
    """Show the page from which the result of a match is sent as picture and text.

    As long as the match goes on, it is the score so far.
    """
    state = load_match(match)
    words = page_words(state.rules)
    title = t("share.page.score")
    if state.status.finished:
        title = t("share.page.result")
    text = write_text_to_share(state, words)
    return render_page(
        "phones/share.html",
        title=title,
        watch=watch(state),
        match=state,
        picture_url=_choose_picture_url(state),
        picture_file=f"{write_picture_file_name(state, words)}.png",
        alt=describe_picture(state, words),
        text=text,
        rows=_count_rows_of_text(text),
    )


def _choose_picture_url(state: MatchState) -> str:
    """Choose the picture of the result that the page shows: a PNG file, made from a PDF, or SVG.

    Where no PDF can be made, a script draws the SVG as PNG. The number of the last log entry is in
    the URL: a page that stays open shows another picture anew.
    """
    is_drawn_by_browser = is_alone() or not can_make_pdf()
    endpoint = "share.drawing" if is_drawn_by_browser else "share.picture"
    return url_for(endpoint, match=state.id, v=state.sequence)


def _count_rows_of_text(text: str) -> int:
    """Count the rows that a text takes on the smallest phone, with 24 characters in a row.

    A line of 30 characters takes two rows.
    """
    rows = 0
    for line in text.split("\n"):
        rows += 1 + len(line) // _LETTERS_IN_ROW
    return rows


@share.get("/risultato.png", endpoint="picture")
def send_result_picture(match: MatchId) -> Response:
    """Send the picture of the result. It is drawn again only if something in it has changed."""
    state = load_match(match)
    words = page_words(state.rules)
    response = file_responses.picture_response(
        make=partial(make_picture_png, state, words),
        name=write_picture_file_name(state, words),
        key=make_picture(state, words),  # what is drawn in it
    )
    response.add_etag()
    return response.make_conditional(request)  # empty if the browser has this picture already


@share.get("/risultato.svg", endpoint="drawing")
def send_result_drawing(match: MatchId) -> Response:
    """Send the picture of the result as SVG, which a browser can draw as PNG."""
    state = load_match(match)
    words = page_words(state.rules)
    content = draw_picture_as_svg(make_picture(state, words), words)
    response = file_responses.file_response(
        content.encode(),
        mimetype="image/svg+xml",
        name=write_picture_file_name(state, words),
        ending="svg",
        inline=True,
    )
    response.add_etag()
    return response.make_conditional(request)


@share.get("/foglio.pdf", endpoint="sheet")
def send_match_sheet(match: MatchId) -> Response:
    """Send the sheet of a match as PDF, or as a page to print.

    `?dettaglio` in the address adds the lines of every hand (round), `?grande` prints it in 18
    points.
    """
    state = load_match(match)
    words = page_words(state.rules)
    has_details = "dettaglio" in request.args
    is_large = "grande" in request.args
    return file_responses.sheet_response(
        make_pdf=partial(make_match_sheet, state, words, details=has_details, large=is_large),
        render_sheet=partial(render_match_sheet, state, words, details=has_details, large=is_large),
        name=f"scorepad-{state.id}",
        back_url=url_for("matches.page", match=state.id),
    )


def write_picture_file_name(state: MatchState, words: Words) -> str:
    """Write the file name of the picture, without its extension."""
    day = words.day(state.started.astimezone())
    # It says: "Canasta, {names}, {day}"
    return words.t("share.picture.file", names=versus(state.names, words), day=day)

"""The phones of a match: joining by a key or a short code, who holds a phone, and opening the pad to the network."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

import segno
from flask import Blueprint, abort, current_app, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField
from wtforms.validators import AnyOf, Regexp

from scorepad.i18n import os_error_text
from scorepad.matches.access import (
    MOST_LOOKERS,
    NO_KEYS,
    Access,
    AccessAction,
    DeviceMark,
    Held,
    Keys,
    MatchId,
    Outcome,
    RequestRefused,
)
from scorepad.web.base import (
    FieldError,
    app_state,
    device_id,
    get_pad,
    load_match,
    new_request_id,
    notice,
    page_words,
    render_page,
    t,
    to_match,
)
from scorepad.web.forms import CONFLICT, PadForm, at_most, checks_itself, lazy
from scorepad.web.polling import tag_response, watch_phones
from scorepad.web.security import (
    ONLY_HEAD,
    cookie_keys,
    home_address,
    host_name,
    is_at_home,
    is_known,
    is_loopback,
    pending_nonce,
    renew_device,
    set_key_cookies,
)

blueprint = Blueprint("phones", __name__)
PHONES = "/partite/<match>/telefoni"
SERVER = "scorepad.server"
"""Key of the running server among Flask's extensions; no entry where another WSGI server runs the application."""
QUIET_ZONE = 4
"""White modules around a QR code, which cameras need to find it."""
MOST_ROWS = 8
"""Phones that may only look and are listed; more are folded away."""
NO_SIDE = "none"
LONGEST_NAME = 40
SHORT_LETTERS = "ACDEFHJKLMNPQRTUVWXY34679"
"""Letters and figures of short codes: none that looks like another."""
SHORT_LENGTH = 6
SHORT_LASTS = 600
"""Seconds for which a short code is valid. A page shows one that is valid for half of that at least."""
_PREFETCH_HEADERS = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")
_PREFETCH = ("prefetch", "prerender", "preview")


class CodeForm(PadForm):
    """A code, and whether it is renewed or withdrawn."""

    access = HiddenField(validators=[AnyOf((Access.WRITE, Access.VIEW))])
    do = StringField(validators=[AnyOf((AccessAction.RENEW, AccessAction.WITHDRAW))])


class PhoneForm(PadForm):
    """A phone, and whether the match is handed on to it or it is removed."""

    mark = HiddenField(validators=[Regexp(r"[0-9a-f]{64}\Z")])
    do = StringField(validators=[AnyOf((AccessAction.HAND_ON, AccessAction.REMOVE))])


class SeatForm(PadForm):
    """Who holds this phone, and the side that it counts for: a player (`0.1`), or a typed name and a side (`0`)."""

    name = StringField(lazy("phones.name"), description=lazy("phones.name.hint"), validators=[at_most(LONGEST_NAME)])
    side = StringField(validators=[Regexp(rf"{NO_SIDE}|[0-2](\.[0-9])?\Z")])
    joining = HiddenField()


class NetworkForm(PadForm):
    """Whether the pad answers the home network."""

    do = StringField(validators=[AnyOf(("open", "close"))])


@dataclass(frozen=True, slots=True)
class Code:
    """What lets others in: a URL, as text and QR code, and a short code; all empty if it cannot be shown."""

    access: Access
    is_made: bool
    has_key: bool
    address: str
    picture: Markup
    short: str


# ---------------------------------------------------------------- joining


@blueprint.get("/e/<key>")
def enter(key: str) -> Response:
    """Let the device into a match by its key, and redirect to the match, or to the question who holds the device.

    HEAD and prefetch requests do not enter. A known device gets a renewed cookie first, and enters when it is back.
    """
    purpose = " ".join(request.headers.get(name, "") for name in _PREFETCH_HEADERS).lower()
    if request.environ.get(ONLY_HEAD) or any(word in purpose for word in _PREFETCH):
        return Response(status=204)
    devices, device = get_pad().devices, device_id()
    nonce = pending_nonce(key)
    if is_known() and not nonce and devices.gives_access(key, device):
        response = redirect(url_for("phones.enter", key=key), code=303)
        renew_device(response, key)
        return response
    entered = devices.enter(key, device, nonce)
    mine = next((phone for phone in devices.phones(entered.match, device) if phone.is_mine), None)
    is_asked = mine is not None and mine.access is Access.WRITE and mine.side is None and not mine.name
    response = redirect(url_for("phones.who" if is_asked else "matches.page", match=entered.match), code=303)
    set_key_cookies(response, entered.match, entered.keys)
    return response


@blueprint.route("/entra", methods=["GET", "POST"])
def join() -> Response:
    """Ask for a short code, and lead to the match that it stands for."""
    if request.method == "GET":
        return render_page("phones/join.html", title=t("phones.join"), has_form=True)
    key = _key_of(request.form.get("code", ""))
    if not key:
        errors = (FieldError("code", t("phones.join.wrong")),)
        return render_page("phones/join.html", title=t("phones.join"), has_form=True, errors=errors, status=404)
    return redirect(url_for("phones.enter", key=key), code=303)


def _short_code(key: str) -> str:
    """The short code of a key; a new one if the last expires soon."""
    codes, now = app_state().short_codes, time.monotonic()
    for code, (of, until) in codes.items():
        if of == key and until - now > SHORT_LASTS / 2:
            return str(code)
    made = "".join(secrets.choice(SHORT_LETTERS) for _ in range(SHORT_LENGTH))
    codes.put(made, (key, now + SHORT_LASTS))
    return made


def _key_of(typed: str) -> str:
    """The key that a short code stands for; empty for none. Takes as long for every code."""
    found, now = "", time.monotonic()
    wanted = "".join(typed.upper().replace("-", " ").split()).encode()
    for code, (key, until) in app_state().short_codes.items():
        if hmac.compare_digest(str(code).encode(), wanted) and now < until:
            found = key
    return found


@blueprint.get(f"{PHONES}/chi")
def who(match: str) -> Response:
    """Ask who holds this phone, and for which side it counts."""
    get_pad().devices.let_write(MatchId(match), device_id())
    return _show_who(load_match(match).id, SeatForm(formdata=None))


def _show_who(match: MatchId, form: SeatForm, status: int = 200) -> Response:
    form.joining.data, errors = "1", tuple(FieldError(form.name.id, text) for text in form.name.errors)
    state = load_match(match)
    return render_page(
        "phones/who.html", title=t("phones.who"), status=status, errors=errors, has_form=True, match=state, form=form
    )


# ---------------------------------------------------------------- the page and its buttons


@blueprint.get(PHONES)
def page(match: str) -> Response:
    """The codes and the phones of a match."""
    return _show(MatchId(match))


@blueprint.get(f"{PHONES}/stato")
def state(match: str) -> Response:
    """The current tag of a match and its phones."""
    return tag_response(_tag(MatchId(match)))


def _tag(match: MatchId) -> str:
    """The tag of the page: it changes with the phones, the network, and in time for a new short code."""
    period = int(time.monotonic() / (SHORT_LASTS / 2))
    return f"{get_pad().tag_of_devices(match, device_id())}.{len(_network())}.{period}"


@blueprint.post(f"{PHONES}/codice")
@checks_itself
def code(match: str) -> Response:
    """Renew or withdraw a code."""
    form, devices, name = CodeForm(), get_pad().devices, MatchId(match)

    def act() -> Response:
        access, response = Access(form.access.data), _back(match)
        if form.do.data == AccessAction.WITHDRAW:
            if devices.withdraw(name, device_id(), access, form.request_name) is Outcome.DONE:
                notice(t(f"phones.withdrawn.{access}"))
            return response
        keys = devices.renew(name, device_id(), access, cookie_keys(), form.request_name)
        if keys != NO_KEYS:  # else the same request renewed it before
            notice(t(f"phones.renewed.{access}"))
            set_key_cookies(response, name, keys)
        return response

    return _submit(name, form, act)


@blueprint.post(f"{PHONES}/telefono")
@checks_itself
def phone(match: str) -> Response:
    """Hand the match on to a phone, or remove the phone."""
    form, devices, name = PhoneForm(), get_pad().devices, MatchId(match)

    def act() -> Response:
        is_removal = form.do.data == AccessAction.REMOVE
        change, done = (devices.remove, "removed") if is_removal else (devices.hand_on, "handed-on")
        outcome = change(name, device_id(), DeviceMark(form.mark.data), form.request_name)
        if outcome is not Outcome.AGAIN:
            notice(t(f"phones.{done if outcome is Outcome.DONE else 'gone'}"))
        return _back(match)

    return _submit(name, form, act)


@blueprint.post(f"{PHONES}/parte")
@checks_itself
def seat(match: str) -> Response:
    """Store who holds this phone, and the side that it counts for."""
    form, name = SeatForm(), MatchId(match)

    def act() -> Response:
        sides, side, holder = load_match(match).sides, None, form.name.data or ""
        if form.side.data != NO_SIDE:
            side, *places = map(int, form.side.data.split("."))
            try:
                holder = sides[side].players[places[0]] if places else holder
                told = t("phones.sits", side=sides[side].name)
            except IndexError:
                return _refuse(name)
        else:
            told = t("phones.stands")
        get_pad().devices.sit(name, device_id(), side, holder)
        notice(told)
        return to_match(match) if form.joining.data else _back(match)

    return _submit(name, form, act)


@blueprint.post(f"{PHONES}/rete")
@checks_itself
def network(match: str) -> Response:
    """Listen on the addresses of the home network, or no longer. Only with the home privilege."""
    form, server = NetworkForm(), current_app.extensions.get(SERVER)

    def act() -> Response:
        if not is_at_home() or server is None:
            abort(403)
        if form.do.data == "close":
            server.close_network()
            notice(t("phones.network.closed"))
            return _back(match)
        try:
            server.open_network()
        except OSError as error:
            text = t("phones.network.failed", detail=os_error_text(error, page_words()))
            return _show(MatchId(match), (FieldError(None, text),), 503)
        notice(t("phones.network.opened"))
        return _back(match)

    return _submit(MatchId(match), form, act)


def _submit(match: MatchId, form: PadForm, act: Callable[[], Response]) -> Response:
    """Validate a form of the page and act on it."""
    if not form.validate():
        if isinstance(form, SeatForm) and form.name.errors:
            return _show_who(match, form, 400)
        is_stale = form.csrf_token.errors or form.request_id.errors
        return _refuse(match, "web.error.expired" if is_stale else "web.trouble.400.told")
    try:
        return act()
    except RequestRefused:
        return _refuse(match, "phones.sent-before", CONFLICT)


def _refuse(match: MatchId, key: str = "web.trouble.400.told", status: int = 400) -> Response:
    return _show(match, (FieldError(None, t(key)),), status)


def _back(match: str) -> Response:
    return redirect(url_for("phones.page", match=match), code=303)


# ---------------------------------------------------------------- presentation


def _show(match: MatchId, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    device, carried, devices = device_id(), cookie_keys(), get_pad().devices
    tag = _tag(match)
    state, held = load_match(match), devices.holds(match, device, carried)
    phones = devices.phones(match, device)
    mine = next((phone for phone in phones if phone.is_mine), None)
    folded = [phone for phone in phones if phone.access is Access.VIEW and not phone.is_mine]
    folded = folded if len(folded) > MOST_ROWS else []
    kinds = (Access.WRITE, Access.VIEW) if state.access.can_write else (Access.VIEW,)
    response = render_page(
        "phones/page.html",
        title=t("phones.title"),
        status=status,
        errors=errors,
        watch=watch_phones(state, tag),
        match=state,
        form=SeatForm(formdata=None, name=mine.name if mine else ""),
        is_owner=state.access is Access.OWN,
        listens=listens_to_phones(),
        network=_network(),
        may_open=is_at_home() and SERVER in current_app.extensions and is_loopback(app_state().listens),
        is_reachable=origin() is not None,
        most_lookers=MOST_LOOKERS,
        codes=[_code(access, held) for access in kinds],
        phones=[phone for phone in phones if phone not in folded],
        lookers=folded,
        seated=mine and mine.side,
        new_request_id=new_request_id,
    )
    response.headers["Cache-Control"] = "private, no-store"
    if held.keys != carried:
        set_key_cookies(response, match, held.keys)
    return response


def _code(access: Access, held: Held) -> Code:
    """What this device may show of a key."""
    key, before = _of(held.keys, access), origin()
    if not before or not key:
        return Code(access, access in held.made, bool(key), "", Markup(), "")
    address = f"{before}{url_for('phones.enter', key=key)}"
    code = segno.make(address, error="l", micro=False)
    # Black on white in either theme, as large as its container.
    picture = code.svg_inline(border=QUIET_ZONE, omitsize=True, svgclass=None, lineclass=None, light="#fff")
    return Code(access, True, True, address, Markup(picture), _short_code(key))  # noqa: S704 - none of our text in it


def _of(keys: Keys, access: Access) -> str:
    return keys.write if access is Access.WRITE else keys.view


def _network() -> tuple[str, ...]:
    """The addresses of the home network that the server listens on since it was opened to it."""
    server = current_app.extensions.get(SERVER)
    return () if server is None else tuple(server.network)


def listens_to_phones() -> bool:
    """Whether the server answers other devices."""
    return not is_loopback(host_name(request.host)) or not is_loopback(app_state().listens) or bool(_network())


def origin() -> str | None:
    """The scheme and host under which other devices reach the server; None if they cannot.

    The host of this request, or on the server's own machine its address in the home network.
    """
    if not is_loopback(host_name(request.host)):
        return request.host_url.rstrip("/")
    address = home_address() if listens_to_phones() else None
    return None if address is None else f"http://{address}:{request.environ['SERVER_PORT']}"

"""The phones of a match: the codes that let others in, the devices that joined, and entering by a key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import segno
from flask import Blueprint, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField
from wtforms.validators import AnyOf, Regexp

from scorepad.matches.access import Access, DeviceMark, MatchId, RequestRefused
from scorepad.matches.devices import MOST_LOOKERS, NO_KEYS, Held, Outcome, Phone
from scorepad.matches.events import AccessAction
from scorepad.matches.projection import MatchState
from scorepad.web.base import (
    FieldError,
    app_state,
    device_id,
    get_pad,
    load_match,
    new_request_id,
    notice,
    render_page,
    t,
)
from scorepad.web.forms import CONFLICT, PadForm, checks_itself
from scorepad.web.polling import tag_response, watch_phones
from scorepad.web.security import (
    ONLY_HEAD,
    cookie_keys,
    home_address,
    host_name,
    is_known,
    is_loopback,
    pending_nonce,
    renew_device,
    set_key_cookies,
)

blueprint = Blueprint("phones", __name__)
PHONES = "/partite/<match>/telefoni"
QUIET_ZONE = 4
"""White modules around a QR code, which cameras need to find it."""
MOST_ROWS = 8
"""Phones that may only look and are listed; more are folded away."""
NO_SIDE = "none"
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
    """The side that this phone counts for, by its position."""

    side = StringField(validators=[AnyOf((NO_SIDE, "0", "1", "2"))])


@dataclass(frozen=True, slots=True)
class Code:
    """A code that lets others in: its URL as text and QR code, or what is `missing`."""

    access: Access
    address: str
    picture: Markup
    missing: str
    is_made: bool
    is_open: bool
    request: str
    """Request id of its form."""


# ---------------------------------------------------------------- entering by a key


@blueprint.get("/e/<key>")
def enter(key: str) -> Response:
    """Let the device into a match by its key, and redirect to the match's clean URL.

    HEAD and prefetch requests do not enter. A known device gets a renewed cookie first, and enters when it is back.
    """
    if request.environ.get(ONLY_HEAD) or _is_prefetch():
        return Response(status=204)
    devices, device = get_pad().devices, device_id()
    nonce = pending_nonce(key)
    if is_known() and not nonce and devices.gives_access(key, device):
        response = redirect(url_for("phones.enter", key=key), code=303)
        renew_device(response, key)
        return response
    entered = devices.enter(key, device, nonce)
    response = redirect(url_for("matches.page", match=entered.match), code=303)
    set_key_cookies(response, entered.match, entered.keys)
    return response


def _is_prefetch() -> bool:
    purpose = " ".join(request.headers.get(name, "") for name in _PREFETCH_HEADERS).lower()
    return any(word in purpose for word in _PREFETCH)


# ---------------------------------------------------------------- the page and its buttons


@blueprint.get(PHONES)
def page(match: str) -> Response:
    """The codes and the phones of a match."""
    return _show(MatchId(match))


@blueprint.get(f"{PHONES}/stato")
def state(match: str) -> Response:
    """The current tag of a match and its phones."""
    return tag_response(get_pad().tag_of_devices(MatchId(match), device_id()))


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
    """Choose the side that this phone counts for."""
    form, name = SeatForm(), MatchId(match)

    def act() -> Response:
        sides, position = load_match(match).sides, None if form.side.data == NO_SIDE else int(form.side.data)
        if position is not None and position >= len(sides):
            return _show(name, (FieldError(None, t("web.trouble.400.told")),), 400)
        get_pad().devices.sit(name, device_id(), position)
        notice(t("phones.stands") if position is None else t("phones.sits", side=sides[position].name))
        return _back(match)

    return _submit(name, form, act)


def _submit(match: MatchId, form: PadForm, act: Callable[[], Response]) -> Response:
    """Validate a form of the page and act on it."""
    if not form.validate():
        is_stale = form.csrf_token.errors or form.request_id.errors
        return _show(match, (FieldError(None, t("web.error.expired" if is_stale else "web.trouble.400.told")),), 400)
    try:
        return act()
    except RequestRefused:
        return _show(match, (FieldError(None, t("phones.sent-before")),), CONFLICT)


def _back(match: str) -> Response:
    return redirect(url_for("phones.page", match=match), code=303)


# ---------------------------------------------------------------- presentation


def _show(match: MatchId, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    device, carried, devices = device_id(), cookie_keys(), get_pad().devices
    tag = get_pad().tag_of_devices(match, device)
    state, held = load_match(match), devices.holds(match, device, carried)
    phones = devices.phones(match, device)
    folded = [phone for phone in phones if phone.access is Access.VIEW and not phone.is_mine]
    if len(folded) <= MOST_ROWS:
        folded = []
    response = render_page(
        "phones/page.html",
        title=t("phones.title"),
        status=status,
        errors=errors,
        watch=watch_phones(state, tag),
        match=state,
        form=PadForm(formdata=None),
        is_owner=state.access is Access.OWN,
        listens=listens_to_phones(),
        is_reachable=origin() is not None,
        most_lookers=MOST_LOOKERS,
        codes=_codes(state, held),
        phones=[phone for phone in phones if phone not in folded],
        lookers=folded,
        seated=next((phone.side for phone in phones if phone.is_mine), None),
        new_request_id=new_request_id,
        may_change=lambda phone: _may_change(state, phone),
    )
    response.headers["Cache-Control"] = "private, no-store"
    if held.keys != carried:
        set_key_cookies(response, match, held.keys)
    return response


def _may_change(state: MatchState, phone: Phone) -> bool:
    return state.access is Access.OWN and phone.access is not Access.OWN


def _codes(state: MatchState, held: Held) -> list[Code]:
    """The codes that this device may show."""
    kinds = [(Access.WRITE, held.keys.write)] if state.access.can_write else []
    return [_code(access, key, state, held) for access, key in [*kinds, (Access.VIEW, held.keys.view)]]


def _code(access: Access, key: str, state: MatchState, held: Held) -> Code:
    before, is_made = origin(), access in held.made
    address = f"{before}{url_for('phones.enter', key=key)}" if before and key else ""
    whose = "own" if state.access is Access.OWN else "others"
    return Code(
        access=access,
        address=address,
        picture=_qr_code(address) if address else Markup(),
        missing="" if key else t(f"phones.{'unknown' if is_made else 'none'}.{whose}"),
        is_made=is_made,
        is_open=access is Access.WRITE or not state.access.can_write,
        request=new_request_id(),
    )


def _qr_code(address: str) -> Markup:
    """A QR code, black on white in either theme, as large as its container."""
    code = segno.make(address, error="l", micro=False)
    picture = code.svg_inline(border=QUIET_ZONE, omitsize=True, svgclass=None, lineclass=None, light="#fff")
    return Markup(picture)  # noqa: S704 - the library's own figure, without any of our text in it


def listens_to_phones() -> bool:
    """Whether the server answers other devices."""
    return not is_loopback(host_name(request.host)) or not is_loopback(app_state().listens)


def origin() -> str | None:
    """The scheme and host under which other devices reach the server; None if they cannot.

    The host of this request, or on the server's own machine its address in the home network.
    """
    if not is_loopback(host_name(request.host)):
        return request.host_url.rstrip("/")
    address = home_address() if listens_to_phones() else None
    return None if address is None else f"http://{address}:{request.environ['SERVER_PORT']}"

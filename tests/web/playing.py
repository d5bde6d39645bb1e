"""Matches to look at: started through the pages, played through the pad."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, MatchId, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.keys import Keys
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.rules.hand import Hand
from scorepad.rules.variants import default_variant, get_variant, settle
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web.app_services import EXTENSION
from scorepad.web.cookies import ADMIN_COOKIE, DEVICE_COOKIE, VIEW_COOKIE, WRITE_COOKIE
from scorepad.web.presenters import default_names
from tests.cookies import device_cookie, device_in
from tests.hands_read import hand_of
from tests.web.client import Client, Page

DEVICE = DeviceId("d" * 32)
"""The one that the browser tests ask from."""


def start(client: Client, variant: str | None = None, **typed: str) -> str:
    """A new match by this device, through the pages if something is typed; its address."""
    if typed or client.raw.get_cookie(ADMIN_COOKIE):
        page = client.get("/partite/nuova", query_string={"variante": variant} if variant else {})
        return client.submit(page, "Comincia: ", **typed).url
    if client.raw.get_cookie(DEVICE_COOKIE) is None:
        key = client.app.secret_key
        assert isinstance(key, bytes)
        client.raw.set_cookie(DEVICE_COOKIE, device_cookie(secrets.token_urlsafe(24), key))
    variant = variant or default_variant()
    names = default_names(settle(variant).settings.sides, words(client.language))
    preset = next(iter(get_variant(variant).presets), None)
    pad: Pad = client.app.extensions[EXTENSION].pad
    saved = begin_on_pad(pad, device(client), variant, names, preset=preset)
    assert saved.keys
    for cookie, key in ((WRITE_COOKIE, saved.keys.write), (VIEW_COOKIE, saved.keys.view)):
        client.raw.set_cookie(cookie, key, path=f"/partite/{saved.match}")
    return f"/partite/{saved.match}"


def begin_on_pad(
    pad: Pad,
    who: DeviceId,
    variant: str,
    names: tuple[str, ...],
    *,
    preset: str | None = None,
    players: tuple[tuple[str, ...], ...] = (),
) -> Saved:
    """A match of this device, started without a page."""
    seats = players or tuple(("",) * count for count in settle(variant, preset).settings.sides)
    new = NewMatch(variant, preset, {}, Labels(names, seats))
    saved = pad.actions.start(new_request(), who, new)
    assert isinstance(saved, Saved)
    return saved


def side(cards: int = 0, left: int = 0, **more: Any) -> dict[str, Any]:
    """A side in the JSON of a hand: the points of the cards it laid, of those left in its hands,
    and how many canastas (`natural`, `mixed`) it has.
    """
    canastas = {f"{kind}-canasta": more.pop(kind) for kind in ("natural", "mixed") if kind in more}
    return {"totals": {"canastas": canastas, "cards": cards}, "left": left, **more}


def hand(a: Mapping[str, Any], b: Mapping[str, Any], out: str | None = None) -> dict[str, Any]:
    """A hand of two sides in JSON; `out`: the side that went out, `"a"` or `"b"`."""
    return {"sides": {"a": a, "b": b}, "out": {"side": out} if out else None}


def device(client: Client) -> DeviceId:
    return device_in(client.cookie(DEVICE_COOKIE))


def match_of(url: str) -> MatchId:
    return MatchId(url.rstrip("/").split("/")[2])


def new_request() -> RequestId:
    return RequestId(secrets.token_hex(16))


def keys_of(client: Client, url: str) -> Keys:
    """The keys that a browser carries to the pages of this match."""
    found = [client.raw.get_cookie(name, path=url) for name in (WRITE_COOKIE, VIEW_COOKIE)]
    return Keys(*("" if cookie is None else cookie.value for cookie in found))


def hand_typed(given: Mapping[str, Any], sides: int = 2) -> Hand:
    """A hand of a match with so many sides, in the JSON of the pad."""
    return hand_of(given, SIDE_KEYS[:sides])


def count(pad: Pad, match: MatchId, who: DeviceId, played: Mapping[str, Any]) -> None:
    """Count a hand as this device, without a page."""
    open_hand = pad.open(match, who)
    shown = ShownDraft(open_hand.id, open_hand.version)
    number_of_sides = len(pad.state(match, who).sides)
    sent = SentHand(hand=hand_typed(played, number_of_sides), draft={})
    saved = pad.count(new_request(), match, who, shown, sent)
    assert isinstance(saved, Saved), saved


def play(pad: Pad, client: Client, url: str, *hands: Mapping[str, Any]) -> Page:
    """Count these hands, and look at the match."""
    for each in hands:
        count(pad, match_of(url), device(client), each)
    return client.get(url)


HAND_430_TO_60 = hand(side(150, 20, mixed=1), side(100, 40))
"""A mixed canasta 300, cards laid 150, cards left in hand −20; and 100 − 40."""
HAND_1700_TO_60 = hand(side(400, 0, natural=1, mixed=2, red_threes=1), side(100, 40), out="a")
"""500 + 600 + 400 + 100 for the red three + 100 for going out; and 100 − 40."""
HAND_MINUS_220_TO_80 = hand(side(0, 220), side(100, 20))
"""Nothing laid and 220 left in hand; and 100 − 20."""
HAND_2900_TO_MINUS_250 = hand(side(400, 0, natural=2, mixed=2, red_threes=4), side(0, 250), out="a")
"""1000 + 600 + 400 + 800 for four red threes + 100 for going out; and 250 left in hand."""

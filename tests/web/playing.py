"""Matches to look at: started through the pages, played through the pad."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, MatchId, RequestId
from scorepad.matches.results import Saved
from scorepad.web.security import DEVICE_COOKIE
from tests.cookies import device_in
from tests.web.client import Client, Page

DEVICE = DeviceId("d" * 32)
"""The one that the browser tests ask from."""


def start(client: Client, variant: str | None = None, **typed: str) -> str:
    """A new match by this device; its address."""
    page = client.get("/partite/nuova")
    if variant:
        page = client.post("/partite/nuova", page.values(page.form("Comincia")) | {"switch": variant})
    return client.submit(page, "Comincia: ", **typed).url


def side(cards: int = 0, left: int = 0, **more: Any) -> dict[str, Any]:
    """A side counted at the table."""
    canastas = {f"{kind}-canasta": more.pop(kind) for kind in ("natural", "mixed") if kind in more}
    return {"totals": {"canastas": canastas, "cards": cards}, "left": left, **more}


def hand(a: Mapping[str, Any], b: Mapping[str, Any], out: str | None = None) -> dict[str, Any]:
    return {"sides": {"a": a, "b": b}, "out": {"side": out} if out else None}


def device(client: Client) -> DeviceId:
    return device_in(client.cookie(DEVICE_COOKIE))


def match_of(url: str) -> MatchId:
    return MatchId(url.rstrip("/").split("/")[2])


def play(pad: Pad, client: Client, url: str, *hands: Mapping[str, Any]) -> Page:
    """Count these hands, and look at the match."""
    match, who = match_of(url), device(client)
    for each in hands:
        coming = pad.open(match, who)
        told = pad.count(RequestId(secrets.token_hex(16)), match, who, coming.id, coming.version, each, {})
        assert isinstance(told, Saved), told
    return client.get(url)


def correct(pad: Pad, client: Client, url: str, number: int, played: Mapping[str, Any], note: str = "") -> Page:
    match, who = match_of(url), device(client)
    seen = pad.state(match, who).hands[number - 1].versions[-1].entry
    told = pad.correct(RequestId(secrets.token_hex(16)), match, who, number, seen, played, note)
    assert isinstance(told, Saved), told
    return client.get(url)


ALL_GOOD = hand(side(150, 20, mixed=1), side(100, 40))
"""430 and 60."""

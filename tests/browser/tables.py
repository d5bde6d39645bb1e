"""Tables of people in the middle of everything: the matches whose pages are looked at."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Flask

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.actions import Asking, NewPenalty
from scorepad.matches.events import EndHow, Ending
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.transaction import Saved
from scorepad.web.cookies import VIEW_COOKIE, WRITE_COOKIE
from scorepad.web.home.views import make_start_link
from tests.hands_read import hand_of
from tests.matches.whole_matches import whole
from tests.web.client import Client
from tests.web.counting import counting, type_and
from tests.web.playing import ALL_GOOD, correct, device, hand, match_of, play, side, start

PLAYERS = {"player_0_0": "Ada", "player_0_1": "Bruno", "player_1_0": "Carla", "player_1_1": "Dino"}
LONG = {
    "name_0": "Circolo ricreativo di Santarcangelo di Romagna",
    "name_1": "Quelli del giovedì sera al bar della stazione",
    "player_0_0": "Maria Antonietta Bartolomei Degli Innocenti",
    "player_0_1": "Gianfrancesco",
    "player_1_0": "Pierfrancesco Sant'Ambrogio",
    "player_1_1": "Zia Concetta",
    "place": "Veranda di casa Bartolomei, Santarcangelo di Romagna",
}
RICH = hand(
    side(400, 15, natural=1, mixed=2, red_threes=1, penalties=["draw-out-of-turn"]),
    side(100, 140),
    out="a",
)
POOR = hand(side(60, 120), side(55, 100))
NO_CANASTA = hand(side(150, 0), side(100, 40), out="a")
"""Going out without a canasta, which the rules refuse."""
THREE = {
    "sides": {"a": side(100, 0), "b": side(0, 50), "c": side(200, 0, mixed=1)},
    "out": {"side": "c"},
}
WHY = "Ce ne siamo accorti dopo, e andava bene a tutti"
CARDS = {
    "a.melds": "5xQ 2\n4xK 2x2 JK", "a.left.0": "4 9", "a.red_threes": "1", "b.melds": "4x8 2", "out": "nobody",
}  # fmt: skip


def request() -> RequestId:
    return RequestId(secrets.token_hex(16))


@dataclass
class Tables:
    """Who is there, each with a phone, and the addresses of the matches that were begun."""

    app: Flask
    pad: Pad
    phones: dict[str, Client] = field(default_factory=dict)
    urls: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    """Of each phone: name, value and path."""

    @property
    def owner(self) -> Client:
        return self.phones["owner"]

    def begin(self, name: str, variant: str | None = None, **typed: str) -> str:
        """A match of the owner's."""
        self.urls[name] = url = start(self.owner, variant, **typed)
        return url

    def let_in(self, name: str, who: str) -> None:
        """Somebody comes into a match by its code: the viewer to look, anybody else to write."""
        kind = VIEW_COOKIE if who == "viewer" else WRITE_COOKIE
        key = self.owner.raw.get_cookie(kind, path=self.urls[name])
        assert key is not None
        assert self.phones[who].raw.get(f"/e/{key.value}", follow_redirects=True).status_code == 200

    def said(self, name: str, played: Mapping[str, Any], said: Mapping[str, str]) -> None:
        """A hand counted with something to say."""
        match, who = match_of(self.urls[name]), device(self.owner)
        coming = self.pad.open(match, who)
        told = self.pad.count(
            request(),
            match,
            who,
            ShownDraft(coming.id, coming.version),
            SentHand(hand=hand_of(played), draft={}, **said),
        )
        assert isinstance(told, Saved)

    def type(self, name: str, **typed: str) -> None:
        """Some of the coming hand, typed and kept."""
        url = counting(self.urls[name])
        fields = {re.sub("^([abc])_", r"\1.", key): text for key, text in typed.items()}
        type_and("check", self.owner, self.owner.get(url), fields)


def lay(app: Flask, pad: Pad) -> Tables:
    """All tables, with everybody at them."""
    tables = Tables(app, pad)
    for who in ("owner", "writer", "viewer", "stranger"):
        tables.phones[who] = client = Client(app)
        client.get("/")
    for make in (_beginnings, _played, _checked, _ended, _counting, _ruled):
        make(tables)
    for who, client in tables.phones.items():
        tables.cookies[who] = _carried(client, tables.urls.values())
    tables.urls["home_link"] = make_start_link(app)
    return tables


def _carried(client: Client, urls: Iterable[str]) -> list[tuple[str, str, str]]:
    found = [("scorepad_device", client.cookie("scorepad_device"), "/")]
    for url in urls:
        cookies = (
            (name, client.raw.get_cookie(name, path=url)) for name in (WRITE_COOKIE, VIEW_COOKIE)
        )
        found += [
            (name, cookie.value, url)
            for name, cookie in cookies
            if cookie is not None and cookie.path == url
        ]
    return found


def _beginnings(tables: Tables) -> None:
    tables.begin("fresh", **PLAYERS, place="Rimini")
    tables.begin("paper", carried_0="1480", carried_1="65", carried_1_below="on")
    client = tables.owner
    tables.urls["practice"] = client.submit(client.get("/"), "rov").url


def _played(tables: Tables) -> None:
    pad, client = tables.pad, tables.owner
    url = tables.begin("played", **PLAYERS, place="Rimini, da Carla")
    play(pad, client, url, POOR, POOR, RICH)
    tables.said("played", NO_CANASTA, {"remark": "Carla aveva il treno", "agreed": WHY})
    # After it the opening of the second hand is in doubt.
    correct(
        pad,
        client,
        url,
        1,
        hand(side(400, 0, natural=3), side(60, 0), out="a"),
        "Mancavano tre canaste",
    )
    match = match_of(url)
    pad.actions.replace(request(), match, device(client), (1, 0), "Carla", "Emma")
    coming, noted = pad.open(match, device(client)).id, NewPenalty(1, "draw-out-of-turn")
    pad.actions.add_penalty(request(), match, device(client), coming, noted)
    for who in ("writer", "viewer"):
        tables.let_in("played", who)
    play(pad, client, tables.begin("long", **LONG), RICH, ALL_GOOD, RICH)
    play(
        pad,
        client,
        tables.begin("three", "tre", name_0="Ada", name_1="Bruno", name_2="Carla"),
        THREE,
        THREE,
    )


def _checked(tables: Tables) -> None:
    for name in ("awaiting", "contested", "confirmed"):
        url = tables.begin(name, **PLAYERS)
        tables.let_in(name, "writer")
        tables.let_in(name, "viewer")
        tables.pad.checking.switch(request(), match_of(url), device(tables.owner), on=True)
        play(tables.pad, tables.owner, url, RICH)
    pad, other = tables.pad, device(tables.phones["writer"])
    seen = {name: pad.state(match_of(tables.urls[name]), other).hands[0].versions[-1].sequence
            for name in ("contested", "confirmed")}  # fmt: skip
    pad.checking.contest(
        request(),
        match_of(tables.urls["contested"]),
        other,
        1,
        seen["contested"],
        SentHand(hand=hand_of(POOR), reason="Non ci torna"),
    )
    pad.checking.confirm(request(), match_of(tables.urls["confirmed"]), other, 1, seen["confirmed"])


def _ended(tables: Tables) -> None:
    url = tables.begin("over", **PLAYERS)
    play(tables.pad, tables.owner, url, *whole("classica").hands)
    for name, ending in (
        ("given_up", Ending(EndHow.GIVEN_UP, side=1)),
        ("last", Ending(EndHow.LAST_HAND, 3)),
    ):
        match = match_of(play_one(tables, name))
        told = tables.pad.actions.end(request(), match, device(tables.owner), 1, ending)
        assert isinstance(told, Saved)


def play_one(tables: Tables, name: str) -> str:
    url = tables.begin(name, **PLAYERS)
    play(tables.pad, tables.owner, url, RICH)
    return url


def _counting(tables: Tables) -> None:
    for name in ("wrong", "agreeing", "cards", "values", "sum", "stale", "overtaken"):
        tables.begin(name, **PLAYERS)
    tables.let_in("stale", "writer")
    tables.type("cards", **CARDS)
    tables.type("values", a_cards="3x50+7x20", b_cards="120+85", a_left="15")
    tables.type("sum", a_sum="430", b_sum="-60")
    tables.type("stale", a_cards="150", a_left="20", remark="Bella mano")
    play(tables.pad, tables.owner, tables.urls["overtaken"], RICH)


def _ruled(tables: Tables) -> None:
    """Rulings kept: one before a hand was counted, one with a penalty in the hand that is being
    played.
    """
    url, pad, who = tables.begin("ruled", **LONG), tables.pad, device(tables.owner)
    keep(tables, url, {"kind": "opening", "score": 0, "melds": ["3xQ"], "concealed_out": False}, 0)
    play(pad, tables.owner, url, RICH)
    foul = {"kind": "penalty", "code": "draw-out-of-turn"}
    keep(tables, url, foul, 1, with_penalty=True)
    assert len(pad.state(match_of(url), who).rulings) == 2


def keep(
    tables: Tables, url: str, question: Mapping[str, Any], side: int, *, with_penalty: bool = False
) -> None:
    pad, match, who = tables.pad, match_of(url), device(tables.owner)
    asking = Asking(question, pad.state(match, who).rules.digest, pad.open(match, who).id, side)
    result = pad.actions.keep_ruling(request(), match, who, asking, with_penalty=with_penalty)
    assert isinstance(result, Saved)

"""Tables of people in the middle of everything: the matches whose pages are looked at."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from flask import Flask

from scorepad.matches import Pad
from scorepad.matches.actions import Asking
from scorepad.matches.events import EndHow
from scorepad.matches.transaction import Saved
from scorepad.web.cookies import VIEW_COOKIE, WRITE_COOKIE
from scorepad.web.home.views import make_start_link
from tests.hands_read import hand_of
from tests.matches.conftest import Table
from tests.matches.whole_matches import whole
from tests.web.client import Client
from tests.web.playing import HAND_430_TO_60, device, hand, match_of, side, start
from tests.web.scorer import Scorer

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


@dataclass
class Tables:
    """Who is there, each with a phone, and the addresses of the matches that were begun."""

    app: Flask
    pad: Pad
    phones: dict[str, Client] = field(default_factory=dict)
    urls: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    """Of each phone: name, value and path."""
    numbers: Iterator[int] = field(default_factory=count)
    """Those of requests."""

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

    def at(self, name: str, who: str = "owner") -> Table:
        """Somebody at a match, who plays it through the pad."""
        playing = Table(self.pad, match_of(self.urls[name]), device(self.phones[who]))
        playing.numbers = self.numbers
        return playing

    def type(self, name: str, **typed: str) -> None:
        """Some of the coming hand, typed and kept."""
        fields = {re.sub("^([abc])_", r"\1.", key): text for key, text in typed.items()}
        Scorer(self.owner, self.pad, self.urls[name]).check(fields)


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
    tables.begin("played", **PLAYERS, place="Rimini, da Carla")
    table = tables.at("played")
    table.play(*map(hand_of, (POOR, POOR, RICH)))
    table.play(hand_of(NO_CANASTA), remark="Carla aveva il treno", agreed=WHY)
    # After it the opening of the second hand is in doubt.
    right = hand_of(hand(side(400, 0, natural=3), side(60, 0), out="a"))
    table.correct(1, right, "Mancavano tre canaste")
    table.swap((1, 0), "Carla", "Emma")
    table.note(1)
    for who in ("writer", "viewer"):
        tables.let_in("played", who)
    tables.begin("long", **LONG)
    tables.at("long").play(*map(hand_of, (RICH, HAND_430_TO_60, RICH)))
    tables.begin("three", "tre", name_0="Ada", name_1="Bruno", name_2="Carla")
    tables.at("three").play(*[hand_of(THREE, ("a", "b", "c"))] * 2)


def _checked(tables: Tables) -> None:
    for name in ("awaiting", "contested", "confirmed"):
        tables.begin(name, **PLAYERS)
        tables.let_in(name, "writer")
        tables.let_in(name, "viewer")
        table = tables.at(name)
        table.check()
        table.play(hand_of(RICH))
    tables.at("contested", "writer").contest(hand_of(POOR), reason="Non ci torna")
    tables.at("confirmed", "writer").confirm()


def _ended(tables: Tables) -> None:
    tables.begin("over", **PLAYERS)
    tables.at("over").play(*whole("classica").hands_of_pad)
    tables.begin("given_up", **PLAYERS)
    tables.begin("last", **PLAYERS)
    for name in ("given_up", "last"):
        tables.at(name).play(hand_of(RICH))
    tables.at("given_up").end(EndHow.GIVEN_UP, side=1)
    tables.at("last").end(EndHow.LAST_HAND, hands=3)


def _counting(tables: Tables) -> None:
    for name in ("wrong", "agreeing", "cards", "values", "sum", "stale", "overtaken"):
        tables.begin(name, **PLAYERS)
    tables.let_in("stale", "writer")
    tables.type("cards", **CARDS)
    tables.type("values", a_cards="3x50+7x20", b_cards="120+85", a_left="15")
    tables.type("sum", a_sum="430", b_sum="-60")
    tables.type("stale", a_cards="150", a_left="20", remark="Bella mano")
    tables.at("overtaken").play(hand_of(RICH))


def _ruled(tables: Tables) -> None:
    """Rulings kept: one before a hand was counted, one with a penalty in the hand that is being
    played.
    """
    tables.begin("ruled", **LONG)
    table = tables.at("ruled")
    keep(table, {"kind": "opening", "score": 0, "melds": ["3xQ"], "concealed_out": False}, 0)
    table.play(hand_of(RICH))
    keep(table, {"kind": "penalty", "code": "draw-out-of-turn"}, 1, with_penalty=True)


def keep(
    table: Table, question: Mapping[str, Any], side: int, *, with_penalty: bool = False
) -> None:
    coming = table.pad.open(table.match, table.device)
    asking = Asking(question, table.state.rules.digest, coming.id, side)
    result = table.pad.actions.keep_ruling(
        table.request(), table.match, table.device, asking, with_penalty=with_penalty
    )
    assert isinstance(result, Saved)

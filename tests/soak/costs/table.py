"""The matches, house rules and devices that the search attacks, made over HTTP as people make them."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scorepad.app import key_path
from tests.cookies import KEY, admin_cookie
from tests.soak.costs.browser import Browser
from tests.soak.costs.measuring import MeasuredServer, Request, send

HOUSE = """\
id = "casa"
extends = "classica"
takes-options = ["wild-limit", "target"]

[words.it]
name = "Canasta di casa"
special = "Canaste pure 700."

[words.en]
name = "Canasta at home"

[settings.dealt]
value = 13
standing = "house"

[settings.canastas]
value = [
  { item = "natural-canasta", points = 700, shape = "group", wilds = [0, 0], family = "natural" },
  { item = "mixed-canasta", points = 500, shape = "group", wilds = [1, 3], family = "mixed" },
]
standing = "house"

[bonuses.exact-cut]
points = 100
standing = "house"
words.it = "Taglio giusto"
words.en = "Exact cut"
"""
"""House rules that are there from the start."""
NAMES = ["Noi", "Loro"]
PLAYERS = [["Anna", "Bruno"], ["Carla", "Dino"]]
TOTALS = {"totals": {"canastas": {"natural-canasta": 1}, "cards": 215}, "red_threes": 1, "left": 85}
CARDS = {
    "melds": ["7xQ", "4xK 2x2 JK", {"cards": "7x8", "concealed": True}],
    "red_threes": 2,
    "left": "4 9",
    "penalties": ["draw-out-of-turn", {"code": "house", "points": 25, "reason": "ritardo"}],
    "adjustments": [{"points": -20, "reason": "accordo"}],
}
HANDS: tuple[dict[str, Any], ...] = (
    {
        "sides": {"Noi": CARDS, "Loro": TOTALS},
        "out": {"side": "Noi", "discard": "6"},
        "remark": "bella",
    },
    {"sides": {"Noi": TOTALS, "Loro": {"sum": 120}}, "out": None},
    {"sides": {"Noi": {"sum": 300}, "Loro": {"melds": ["3xA", "4x9"], "left": 85}}},
)
LONG_HANDS = 60
GAMES = ("mini", "moderna", "tagliagola", "hand-and-foot", "canastone", "samba", "casa")
"""Games whose hand has other fields."""
GAMES_OF_THREE = ("tagliagola",)


@dataclass(frozen=True)
class Match:
    """A match of the prepared file: its id and its key to write."""

    id: str
    key: str


@dataclass
class Table:
    """The prepared folder with its matches, by what they are for."""

    folder: Path
    matches: dict[str, Match]
    home_key: str = "unused"
    """The key of a link that gives every match to the browser that uses it first."""
    owner_cookies: dict[str, str] = field(default_factory=dict)
    other_cookies: dict[str, str] = field(default_factory=dict)

    def owner(self, server: MeasuredServer) -> Browser:
        """The browser of the owner of every match, at home."""
        return Browser(server, {"scorepad_admin": admin_cookie(), **self.owner_cookies})

    def other(self, server: MeasuredServer) -> Browser:
        """The phone of the other side."""
        return Browser(server, dict(self.other_cookies))


def prepare(folder: Path) -> Table:
    """A data file and house rules for all searches, in a folder that is copied for each start of a
    server.
    """
    empty = folder / "empty"
    (empty / "variants").mkdir(parents=True)
    (empty / "variants" / "casa.toml").write_text(HOUSE, "utf-8")
    key = key_path(empty / "scorepad.db")
    key.write_bytes(KEY)
    key.chmod(0o600)
    empty.chmod(0o700)
    server = MeasuredServer(empty, folder / "preparing")
    server.start()
    try:
        table = Table(folder / "prepared", {})
        _fill(table, server)
    finally:
        server.stop(signal.SIGTERM)
    assert not server.complaint()
    table.home_key = _make_home_key(server.home / "scorepad.db")
    server.home.rename(table.folder)
    for name in ("said", "log"):
        (table.folder / name).unlink()
    return table


def _make_home_key(data: Path) -> str:
    command = [sys.executable, "-m", "scorepad", "link", "--admin", "--data", str(data)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"/casa/(\w+)", told)
    assert found, told
    return found[1]


def _fill(table: Table, server: MeasuredServer) -> None:
    owner = table.owner(server)
    other = table.other(server)
    for name in ("new", "playing", "checked", "ended", "undone", "long"):
        begin(
            table,
            server,
            owner,
            name,
            {"names": NAMES, "players": PLAYERS, "options": {"target": 500_000}},
        )
    for game in GAMES:
        body: dict[str, Any] = {"variant": game, "names": NAMES}
        if game in GAMES_OF_THREE:
            body["names"] = ["Anna", "Bruno", "Carla"]
        begin(table, server, owner, game, body)
    for name in ("playing", "ended", "undone"):
        for hand in HANDS:
            count_hand(server, table.matches[name], hand)
    for _ in range(LONG_HANDS):
        count_hand(server, table.matches["long"], {**HANDS[0], "remark": '"' * 300})
    _fill_checked(table, server, owner, other)
    _fill_changed(table, server, owner)
    table.owner_cookies = owner.cookies
    table.other_cookies = other.cookies


def begin(
    table: Table, server: MeasuredServer, owner: Browser, name: str, body: dict[str, Any]
) -> None:
    """Begin a match that the owner enters first, and so owns."""
    told = json.loads(ask(server, "POST", "/api/v1/matches", body, expect=201))
    match = Match(told["match"]["id"], told["keys"]["write"])
    owner.enter(match.key)
    table.matches[name] = match


def count_hand(server: MeasuredServer, match: Match, hand: dict[str, Any]) -> None:
    """Count a hand as a program does."""
    state = json.loads(ask(server, "GET", f"/api/v1/matches/{match.id}", key=match.key))
    coming = {"number": state["coming"]["number"], "version": state["coming"]["version"]}
    told = ask(
        server,
        "POST",
        f"/api/v1/matches/{match.id}/hands",
        {**hand, **coming},
        key=match.key,
        expect=201,
    )
    assert json.loads(told)["saved"], told


def ask(
    server: MeasuredServer,
    method: str,
    path: str,
    body: object = None,
    *,
    key: str = "",
    expect: int = 200,
) -> bytes:
    """Ask as a program does."""
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    content = None if body is None else json.dumps(body).encode()
    answer = send(server.port, Request(method, path, headers, content), timeout=30)
    assert answer.status == expect, (path, answer.status, answer.body[:2000])
    return answer.body


def _fill_checked(table: Table, server: MeasuredServer, owner: Browser, other: Browser) -> None:
    """A match in which the other side's phone checks each hand, and one hand is waiting for that."""
    match = table.matches["checked"]
    other.enter(match.key)
    other.submit(f"/partite/{match.id}/telefoni", NAMES[1])
    owner.submit(f"/partite/{match.id}/controllo", "D'ora in poi l'altra parte controlla")
    fields = {
        "a.cards": "150",
        "a.left": "0",
        "b.cards": "100",
        "b.left": "40",
        "out": "nobody",
        "do": "save",
    }
    owner.submit(f"/partite/{match.id}/smazzata", "Salva la smazzata", **fields)


def _fill_changed(table: Table, server: MeasuredServer, owner: Browser) -> None:
    """One match is over, one hand undone, one ruling and one unfinished hand kept."""
    ended, undone, playing = (
        f"/partite/{table.matches[name].id}" for name in ("ended", "undone", "playing")
    )
    owner.submit(f"{ended}/fine", "Finisce così", how="time")
    owner.submit(undone, "Annulla la smazzata 3")
    owner.submit(f"{playing}/arbitro/calata?cards=3xK&passo=risposta", "Salva la decisione")
    page = owner.page(f"{playing}/smazzata")
    assert page is not None
    form = next(each for each in page.all("form") if each.all("button", name="do"))
    typed = page.values(form) | {
        "a.way": "cards",
        "a.melds": "3xK\n4xQ 2\n7xA",
        "b.house.0.points": "25",
        "b.house.0.reason": "ritardo",
        "b.adjustments.0.points": "20",
        "b.adjustments.0.reason": "accordo",
    }
    answer = owner.post(f"{playing}/smazzata/controllo", typed)
    assert answer.status == 200, answer.body[:2000]

"""Hostile requests of programs: each leaf and container of valid JSON made hostile."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from werkzeug.routing import Rule

from tests.data import read_data
from tests.soak.costs.measuring import MeasuredServer, Request, send
from tests.soak.costs.page_series import FIELD_SIZES, LARGEST_SIZES, Series
from tests.soak.costs.pages import filled
from tests.soak.costs.shapes import BODIES, IN_JSON, Made, json_list
from tests.soak.costs.table import EXAMPLES, Match, Table

ROOT = Path(__file__).parents[2]
MARK = "@@hostile@@"
Place = tuple[str | int, ...]


@dataclass
class ApiMatch:
    """A match that a program writes, with what its requests need to know of it."""

    server: MeasuredServer
    match: Match
    state: dict[str, Any] = field(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the program that holds the key."""
        return {"Authorization": f"Bearer {self.match.key}", "Content-Type": "application/json"}

    def refresh(self) -> None:
        """Read the match, from a server started anew if it is gone."""
        request = Request("GET", f"/api/v1/matches/{self.match.id}", self.headers)
        answer = send(self.server.port, request, timeout=30)
        if answer.status != 200:
            self.server.start()
            answer = send(self.server.port, request, timeout=30)
        self.state = json.loads(answer.body)


def json_series(rule: Rule, method: str, table: Table, server: MeasuredServer) -> Iterator[Series]:
    """All hostile requests to a route of the JSON interface, but for those to hostile addresses."""
    program = ApiMatch(server, table.matches["played"])
    program.refresh()
    path = filled(rule, match=program.match.id)
    if method == "GET":
        yield Series("as it is", (0,), lambda _: Request("GET", path, program.headers))
        return
    if rule.endpoint == "api.rulings":
        yield from _large_rulings(path, program)
    follow = ()
    if "match" in path:
        follow = (Request("GET", f"/api/v1/matches/{program.match.id}", program.headers),)
    for shape, made in BODIES.items():
        sizes = (*FIELD_SIZES, *LARGEST_SIZES) if shape == "letters" else FIELD_SIZES
        build = _sending(method, path, program, dict, (), made)
        yield Series(f"body {shape}", sizes, build, program)
    known = set[Place]()
    for name, body in _bodies(rule.endpoint, program):
        whole = _sending(method, path, program, body, (), _constant(json.dumps(body())))
        yield Series(f"{name}as it is", (0,), whole, program, follow)
        for what, place, made in hostile_places(body(), known):
            build = _sending(method, path, program, body, place, made)
            yield Series(f"{name}{what}", FIELD_SIZES, build, program, follow)


def _bodies(endpoint: str, program: ApiMatch) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Valid bodies of an endpoint, each made anew for the state of the match."""
    if endpoint == "api.score":
        for name, body in _worked_hands().items():
            yield name, _constant(body)
    elif endpoint == "api.rulings":
        for name, body in _worked_rulings().items():
            yield name, _constant(body)
    elif endpoint == "api.begin":
        yield "", _constant(EXAMPLES["begun"])
    elif endpoint == "api.undo":
        yield "", lambda: {"sequence": program.state["sequence"], "note": "x"}
    else:
        sides = copy.deepcopy(EXAMPLES["hands"][0])
        sides["sides"]["Noi"]["opening"] = {"melds": ["3xQ"]}
        yield "", lambda: {**sides, **_hand_keys(endpoint, program.state)}


def _hand_keys(endpoint: str, state: dict[str, Any]) -> dict[str, Any]:
    if endpoint == "api.count":
        return {"number": state["coming"]["number"], "version": state["coming"]["version"]}
    return {"entry": state["hands"][0]["entry"], "note": "x"}


def _constant(body: Any) -> Callable[..., Any]:
    return lambda *_: body


# ------------------------------------------------------------------------------------- worked cases


def _worked_hands() -> dict[str, Any]:
    """Hands of the worked cases that have, together, every key; and one with every key of a side."""
    found = dict[str, Any]()
    known = set[Place]()
    for path in sorted((ROOT / "cases").glob("*/*.json")):
        for number, case in enumerate(read_data(path)):
            hand = case.get("hand")
            kinds = (
                {kind_of(place) for place in places_in(hand)} if isinstance(hand, dict) else set()
            )
            if kinds - known:
                known |= kinds
                found[f"{path.parent.name} {path.stem} {number}: "] = hand
    every = {
        "variant": "classica",
        "sides": {"noi": EXAMPLES["totals"] | EXAMPLES["added"], "loro": {"melds": ["3xK"]}},
    }
    return found | {"every key: ": every}


def _worked_rulings() -> dict[str, Any]:
    """For each kind of question, rulings of the worked cases that have, together, every key."""
    found = dict[str, Any]()
    for path in sorted((ROOT / "rulings" / "cases").glob("*.json")):
        known = set[Place]()
        for number, case in enumerate(read_data(path)):
            kinds = {kind_of(place) for place in places_in(case["ask"])}
            if kinds - known:
                known |= kinds
                found[f"{path.stem} {number}: "] = case["ask"]
    return found


# ------------------------------------------------------------------------------------------- places


def places_in(value: Any, before: Place = ()) -> Iterator[Place]:
    """The whole value, and every leaf and container in it."""
    yield before
    if isinstance(value, dict):
        for key, each in value.items():
            yield from places_in(each, (*before, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from places_in(each, (*before, number))


def kind_of(place: Place, body: Any = None) -> Place:
    """Elements of one list, and sides, are read in one way; questions of each kind in their own."""
    kind: Place = (body["kind"],) if isinstance(body, dict) and "kind" in body else ()
    for number, each in enumerate(place):
        is_side = number > 0 and place[number - 1] in ("sides", "before")
        kind += ("N" if isinstance(each, int) or is_side else each,)
    return kind


def at(value: Any, place: Place) -> Any:
    """What stands at a place."""
    for each in place:
        value = value[each]
    return value


def put(value: Any, place: Place, new: Any) -> Any:
    """A copy with something else at a place."""
    changed = copy.deepcopy(value)
    at(changed, place[:-1])[place[-1]] = new
    return changed


def with_hostile(body: Any, place: Place, text: str) -> str:
    """The JSON of a body with a piece of JSON, valid or not, at a place."""
    if not place:
        return text
    return json.dumps(put(body, place, MARK)).replace(json.dumps(MARK), text)


def hostile_places(body: Any, known: set[Place]) -> Iterator[tuple[str, Place, Made]]:
    """Each place with each shape; lists and objects also with many elements like the ones that they
    have.
    """
    for place in places_in(body):
        if not place or kind_of(place, body) in known:
            continue
        known.add(kind_of(place, body))
        name = "/".join(map(str, place))
        for shape, made in IN_JSON.items():
            yield f"{name} {shape}", place, made
        yield from _more_of_the_same(name, place, at(body, place))


def _more_of_the_same(name: str, place: Place, value: Any) -> Iterator[tuple[str, Place, Made]]:
    if isinstance(value, list):
        for number, each in enumerate(value[:3]):
            yield f"{name} more like {number}", place, json_list(json.dumps(each))
    if isinstance(value, dict) and value:
        first = json.dumps(next(iter(value.values())))
        yield f"{name} more keys", place, _more_keys(value, first)


def _more_keys(value: dict[str, Any], first: str) -> Made:
    """An object with its own keys and many others with a value like its first."""

    def make(size: int) -> str:
        begin = json.dumps(value)[:-1]
        parts = []
        length = len(begin)
        while length < size:
            parts.append(f', "k{len(parts)}": {first}')
            length += len(parts[-1])
        return begin + "".join(parts) + "}"

    return make


# ----------------------------------------------------------------------------------------- requests


def _sending(
    method: str, path: str, program: ApiMatch, body: Callable[[], Any], place: Place, made: Made
) -> Callable[[int], Request]:
    """A body with a hostile piece of JSON at a place; at none, the piece alone."""

    def build(size: int) -> Request:
        text = with_hostile(body(), place, made(size))
        return Request(method, path, program.headers, text.encode("utf-8", "surrogatepass"))

    return build


MELDED = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")
DECK = [f"{rank}{suit}" for rank in (*MELDED, "2") for suit in "hdsc"] + ["JK"] * 2


def _large_rulings(path: str, program: ApiMatch) -> Iterator[Series]:
    """Questions that every limit lets through, and that have the most to search: whole hands for the
    best play, with many melds on the table.
    """
    for variant in sorted({file.parent.name for file in (ROOT / "cases").glob("*/*.json")}):
        chance = random.Random(variant)  # noqa: S311 - the same each time
        for count in (11, 20, 30, 60):
            cards = chance.sample(DECK * 2, count)
            wild = ["2"] * 4 + ["JK"] * 4 + cards[: count - 8]
            table = [f"3x{rank}" for rank in chance.sample(MELDED, 8)]
            asked: dict[str, dict[str, Any]] = {
                "opening": {"score": 0},
                "out": {"table": table},
                "pile": {
                    "score": 0,
                    "top": cards[0],
                    "frozen": True,
                    "opened": True,
                    "table": table,
                },
            }
            for kind, keys in asked.items():
                for hand in (cards, wild):
                    question = {"kind": kind, "variant": variant, "hand": " ".join(hand), **keys}
                    text = _constant(json.dumps(question))
                    build = _sending("POST", path, program, dict, (), text)
                    yield Series(f"legal: {variant} {kind} {hand[0]} {count}", (0,), build)

"""Export files with one long match, as no table plays it: whatever can stand in a log, over and
over.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scorepad.matches.file_format import encode

Json = dict[str, Any]
Deed = tuple[str, Json]
"""An entry: its kind and what it says."""
MATCH = "long"


def long_file(source: bytes, shape: str, entries: int) -> bytes:
    """A file with a match of about so many entries; `source` is an export of a match with one hand
    at least.
    """
    told = json.loads(source)
    match = told["matches"][0]
    start, hand, *_ = match["entries"]
    log = [{**start, "request": "r0"}]
    for kind, payload in _SHAPES[shape](hand["payload"], start["payload"], entries):
        log.append({**hand, "kind": kind, "request": f"r{len(log)}", "payload": payload})
    long = {
        **match,
        "id": MATCH,
        "entries": log,
        "devices": dict([*match["devices"].items()][:1]),
        "open_hand": None,
    }
    return encode(told["rulesets"], [{key: value for key, value in long.items() if key != "seal"}])


def _counted(hand: Json, number: int) -> Deed:
    return "hand", {**hand, "number": number, "draft": {}}


def _hands(hand: Json, _: Json, entries: int) -> Iterator[Deed]:
    """Every hand the same, by scores that are not those of the match: each is looked at again."""
    for number in range(1, entries + 1):
        yield _counted(hand, number)


def _undone(hand: Json, _: Json, entries: int) -> Iterator[Deed]:
    """All hands taken back, the last one first."""
    half = entries // 2
    yield from (_counted(hand, number) for number in range(1, half + 1))
    for number in range(half, 0, -1):
        yield "undo", {"entry": number + 1, "kind": "hand", "number": number}


def _renamed(hand: Json, start: Json, entries: int) -> Iterator[Deed]:
    """Many hands, and other names taken back each time."""
    third = entries // 3
    yield from (_counted(hand, number) for number in range(1, third + 1))
    for turn in range(third):
        yield "rename", _names(start)
        yield "undo", {"entry": third + 2 * turn + 2, "kind": "rename", "number": None}


def _remarked(hand: Json, _: Json, entries: int) -> Iterator[Deed]:
    """Many notes on one hand, all taken back."""
    half = entries // 2
    yield _counted(hand, 1)
    yield from [("remark", {"number": 1, "text": "x"})] * half
    for turn in range(half, 0, -1):
        yield "undo", {"entry": turn + 2, "kind": "remark", "number": 1}


def _corrected(hand: Json, _: Json, entries: int) -> Iterator[Deed]:
    """One hand counted again and again."""
    yield _counted(hand, 1)
    for _ in range(1, entries):
        yield "correction", {**_counted(hand, 1)[1], "reason": "x"}


def _contested(hand: Json, _: Json, entries: int) -> Iterator[Deed]:
    """One hand counted by the other side as well, and that taken, again and again."""
    yield _counted(hand, 1)
    for turn in range(entries // 2):
        yield "contest", _counted(hand, 1)[1]
        yield "choice", {"number": 1, "entry": 2 * turn + 3}


def _replaced(hand: Json, start: Json, entries: int) -> Iterator[Deed]:
    """Many hands, and as many players one after the other in a seat."""
    half = entries // 2
    yield from (_counted(hand, number) for number in range(1, half + 1))
    yield from [("replace", replaced(start, half + 1))] * half


def replaced(start: Json, number: int) -> Json:
    """Somebody takes the first player's place from this hand on."""
    return {**_names(start), "seat": [0, 0], "was": "a", "name": "b", "number": number}


def _opened(_: Json, __: Json, entries: int) -> Iterator[Deed]:
    """New keys over and over."""
    yield from [("access", {"what": "renew", "access": "write", "phone": None})] * entries


def _names(start: Json) -> Json:
    return {name: start[name] for name in ("names", "players", "place")}


_SHAPES: Mapping[str, Callable[[Json, Json, int], Iterator[Deed]]] = {
    "hands": _hands,
    "hands taken back": _undone,
    "names taken back": _renamed,
    "notes taken back": _remarked,
    "corrections": _corrected,
    "contests": _contested,
    "players replaced": _replaced,
    "new keys": _opened,
}
SHAPES = tuple(_SHAPES)
"""What the long match is full of."""

"""Exports of an earlier version of the program, with every kind of entry, are imported."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, MatchId
from scorepad.matches.events import EVENTS
from scorepad.matches.projection import MatchState
from scorepad.referee import give_ruling
from scorepad.schemas.ruling_json import read_question_of_match
from scorepad.storage import Storage
from tests.exported import export_file, told_by
from tests.matches.conftest import Table, hand

EXPORTS = Path(__file__).parents[1] / "exports"
EXPECTED: dict[str, Any] = json.loads((EXPORTS / "expected.json").read_text("utf-8"))
"""What that version showed of each match."""


def exported(name: str) -> bytes:
    return gzip.decompress((EXPORTS / f"{name}.json.gz").read_bytes())


@pytest.fixture
def other_pad(tmp_path: Path) -> Iterator[Pad]:
    with Storage(tmp_path / "other.db") as storage:
        yield Pad(storage)


def imported(pad: Pad, name: str) -> MatchId:
    (match,) = pad.imports.import_file(exported(name), ADMIN).taken
    return match


@pytest.mark.parametrize("name", EXPECTED)
def test_an_earlier_export_has_the_same_hands_and_totals(pad: Pad, name: str) -> None:
    state = pad.state(imported(pad, name), ADMIN)
    expected = EXPECTED[name]
    assert state.rules.variant == expected["variant"]
    assert state.sequence == expected["sequence"]
    assert [side.total for side in state.sides] == expected["totals"]
    hands = [[side.hand for side in hand.sides] for hand in state.hands]
    assert hands == expected["hands"]
    assert state.status.finished is expected["finished"]


def test_the_earlier_exports_have_every_kind_of_entry() -> None:
    kinds = set()
    for name in EXPECTED:
        (match,) = json.loads(exported(name))["matches"]
        kinds |= {entry["kind"] for entry in match["entries"]}
    assert kinds == set(EVENTS)


@pytest.mark.parametrize("file", sorted(EXPORTS.glob("*.json.gz")), ids=lambda file: file.name)
def test_every_earlier_file_is_exported_with_the_same_hands_and_then_as_it_was(
    pad: Pad, other_pad: Pad, file: Path
) -> None:
    earlier = gzip.decompress(file.read_bytes())
    pad.imports.import_file(earlier, ADMIN)
    again = export_file(pad)
    assert hands_of(again) == hands_of(earlier)
    other_pad.imports.import_file(again, ADMIN)
    assert export_file(other_pad) == again


def hands_of(file: bytes) -> list[Any]:
    """The hands of the matches of a file, by match, in the order of their entries."""
    return [
        (match["id"], [entry["payload"].get("hand") for entry in match["entries"]])
        for match in sorted(told_by(file)["matches"], key=itemgetter("id"))
    ]


def test_a_hand_counted_now_has_the_sources_of_the_earlier_rules(pad: Pad) -> None:
    (frozen,) = json.loads(exported("samba-with-rulings"))["rulesets"].values()
    assert "first_dealer" in frozen["settings"], "a setting that became a statement"
    table = Table(pad, imported(pad, "samba-with-rulings"), ADMIN)
    us, them = table.totals
    table.play(hand({"sum": 400}, {"sum": -50}))
    assert table.totals == [us + 400, them - 50]
    rules = table.state.rules
    assert rules.find_citations("table-agreement").standing == "house"
    asked = read_question_of_match({"kind": "meld", "cards": "3h 2xQ"}, rules)
    reasons = {reason.code: reason.sources for reason in give_ruling(rules, asked.question).reasons}
    assert reasons["meld-red-three"] == ("W:Svolgimento del gioco",)


# ------------------------------------------------------ penalties in the typed fields of the hand

DRAW = (1, "draw-out-of-turn", None)
"""A penalty of the second side, whose points are those of the rules."""
FIELD = "b.penalties.draw-out-of-turn"


def penalties(state: MatchState) -> list[tuple[int, str, int | None]]:
    return [(each.side, each.code, each.points) for each in state.noted_penalties]


@pytest.fixture
def taken(pad: Pad) -> Callable[[str], Table]:
    """Go on with a match of `noted-penalties`, which the pad imported."""
    pad.imports.import_file(exported("noted-penalties"), ADMIN)
    return lambda match: Table(pad, MatchId(match), ADMIN)


def test_penalties_of_the_hand_being_played_stand_in_the_log_alone(
    taken: Callable[[str], Table],
) -> None:
    table = taken("hhyk28n8me")
    house = (0, "house", 50)
    assert penalties(table.state) == [DRAW, DRAW, house, (0, "draw-out-of-turn", None)]
    assert table.state.open_hand.draft == {"a.cards": "150"}
    table.undo()
    assert penalties(table.state) == [DRAW, DRAW, house]


def test_a_penalty_that_was_typed_over_counts_as_it_is_typed(
    taken: Callable[[str], Table],
) -> None:
    state = taken("jfpn2p9967").state
    assert penalties(state) == []
    assert state.open_hand.draft == {FIELD: "3"}


def test_penalties_of_a_counted_hand_count_as_before(taken: Callable[[str], Table]) -> None:
    table = taken("6etg2n8zah")
    assert table.totals == [430, -140]
    assert [kept.event.number for kept in table.state.rulings] == [1, 2]
    table.undo()  # the ruling
    table.undo()  # the hand
    assert penalties(table.state) == [DRAW, DRAW]
    assert FIELD not in table.state.open_hand.draft


def test_a_hand_that_was_undone_has_its_penalty_once(taken: Callable[[str], Table]) -> None:
    table = taken("a9axxertkf")
    assert penalties(table.state) == [DRAW]
    assert table.state.open_hand.draft["a.cards"] == "150"
    assert FIELD not in table.state.open_hand.draft
    table.redo()
    assert table.totals == [430, -40]


def test_an_open_hand_with_noted_penalties_counts_each_once(pad: Pad) -> None:
    table = Table(pad, imported(pad, "open-hand"), ADMIN)
    assert penalties(table.state) == [DRAW, DRAW, (0, "house", 25)]
    us, them = table.totals
    table.play(hand({}, {}))
    assert table.totals == [us - 25, them - 200]

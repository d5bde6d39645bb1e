"""A hand that was stored before hands had limits of length, or without one of its sides, is still
read: in its match, and from an exported file.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN
from scorepad.rules.hand import HeldInPoints, SideEntry
from scorepad.rules.variants import settle
from scorepad.schemas import Unusable
from scorepad.storage import Storage
from tests.exported import export_file
from tests.hands_read import hand_of, hand_request, stored_hand
from tests.matches.conftest import Clock, Table, counted, hand, usual

SIDES = ("a", "b")
LONG: dict[str, dict[str, Any]] = {
    "adjustments": {"adjustments": [{"points": 5, "reason": "x"}] * 61},
    "a reason": {"adjustments": [{"points": 5, "reason": "x" * 1_500}]},
    "penalties": {"penalties": ["draw-out-of-turn"] * 101},
    "melds": {"melds": ["3xK"] * 101},
    "cards": {"left": "K " * 1_500},
}


@pytest.mark.parametrize("side", LONG.values(), ids=LONG.keys())
def test_a_stored_hand_has_no_limit_of_length_and_a_new_one_has(side: dict[str, Any]) -> None:
    given = {"sides": {"a": side, "b": {}}}
    assert len(stored_hand(given).sides) == 2
    with pytest.raises(Unusable) as refused:
        hand_request(given, settle("classica"), SIDES, (0, 0))
    assert "is too long" in refused.value.message(words("en"))


def test_a_stored_hand_is_read_as_a_new_one_is() -> None:
    side = {
        "melds": ["7xQ", {"cards": "4xK 2", "concealed": True}],
        "left": ["4", "9 9"],
        "penalties": ["x"],
    }
    given = {"sides": {"a": side, "b": {"left": 85}}, "out": {"side": "a", "discard": "6"}}
    asked = hand_request(given, settle("classica"), SIDES, (0, 0))
    assert stored_hand(given) == hand_of(given) == asked.hand


def test_a_stored_hand_with_an_unknown_key_is_refused() -> None:
    with pytest.raises(ValueError, match="unexpected_keyword_argument"):
        stored_hand({"sides": {"a": {"x": 1}}})


def test_a_hand_in_the_log_without_one_of_its_sides_has_that_side_empty(
    table: Table, storage: Storage, clock: Clock
) -> None:
    table.play(hand({}, counted(100, 40)))
    with storage.writing() as rows:
        rows._db.execute("drop trigger entries_never_change")
        rows._db.execute(
            "update entries set payload = json_remove(payload, '$.hand.sides.a') where kind = 'hand'"
        )
    with storage.reading() as rows:
        assert list(rows.entries(table.match)[-1].payload["hand"]["sides"]) == ["b"]
    table.pad = Pad(storage, clock)  # one that remembers nothing
    ours, theirs = table.state.hands[0].counted.hand.sides
    assert (ours, theirs.left) == (SideEntry(), HeldInPoints(40))
    assert table.totals == [0, 60]
    table.play(usual())
    assert table.totals == [430, 120]
    with Storage(storage.path.with_name("other.db")) as elsewhere:
        other = Pad(elsewhere)
        other.imports.import_file(export_file(table.pad, table.match), ADMIN)
        assert other.state(table.match, ADMIN).hands[0].counted.hand.sides == (ours, theirs)

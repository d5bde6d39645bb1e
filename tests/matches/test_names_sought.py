"""A search finds what it found when it read every log: what was undone or put right is gone, who
left is there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, RequestId
from scorepad.matches.events import EndHow, Ending, Labels
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from tests.matches.conftest import PHONE, TWO_AGAINST_TWO, Table, usual

Start = Callable[..., Table]


@pytest.fixture
def over(pad: Pad, start: Start) -> Table:
    """A match of Ada and Ugo against Eva and Ivo at Circolo: Ugo left for Lea, Zoe was a mistake;
    it is over.
    """
    table = start(replace(TWO_AGAINST_TWO, labels=replace(TWO_AGAINST_TWO.labels, place="Circolo")))
    table.play(usual())
    assert isinstance(
        pad.actions.replace(RequestId("a"), table.match, PHONE, (0, 1), "Ugo", "Lea"), Saved
    )
    table.play(usual())
    pad.actions.rename(
        RequestId("b"),
        table.match,
        PHONE,
        Labels(("Noi", "Loro"), (("Ada", "Lea"), ("Zoe", "Ivo")), "Bar Roma"),
    )
    table.undo()
    pad.actions.end(RequestId("c"), table.match, PHONE, 2, Ending(EndHow.TIME))
    return table


@pytest.mark.parametrize("device", [PHONE, ADMIN])
@pytest.mark.parametrize(("wanted", "is_found"), [
    ("lea", True), ("ugo", True), ("circolo ugo eva", True), ("zoe", False), ("roma", False), ("zoe circolo", False),
])  # fmt: skip
def test_who_left_is_found_and_what_was_undone_is_not(
    over: Table, pad: Pad, device: Any, wanted: str, is_found: bool
) -> None:
    assert [match.id for match in pad.records.search(device, wanted)] == [over.match] * is_found


def test_players_are_those_who_played_and_never_those_of_a_mistake(
    over: Table, pad: Pad, start: Start
) -> None:
    start()
    told = [(each.name, each.matches) for each in pad.records.list_named_players(PHONE)]
    assert told == [("Ada", 2), ("Eva", 2), ("Ivo", 2), ("Ugo", 2), ("Lea", 1)]
    assert pad.records.find_player(PHONE, "Zoe") is None
    assert pad.summaries(PHONE).finished[0].venue == "Circolo"


@pytest.mark.parametrize(
    "payload", ["'{}'", "'[1]'", """'{"before": 5}'""", "cast(x'22ff22' as text)"]
)
def test_where_the_log_is_garbled_the_names_in_the_list_are_found_all_the_same(
    over: Table, pad: Pad, storage: Storage, payload: str
) -> None:
    with storage.writing() as rows:
        rows._db.execute("drop trigger entries_never_change")
        rows._db.execute(f"update entries set payload = {payload} where kind = 'start'")  # noqa: S608
    assert [match.id for match in pad.records.search(PHONE, "lea")] == [over.match]
    assert [match.id for match in pad.records.search(PHONE, "circolo")] == [over.match]
    told = pad.records.list_named_players(PHONE)
    assert [each.name for each in told] == ["Ada", "Eva", "Ivo", "Lea", "Ugo"]
    unread = pad.records.find_player(PHONE, "Ada")
    assert unread is not None
    assert unread.matches == ()

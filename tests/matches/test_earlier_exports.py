"""Exports of an earlier version of the program, with every kind of entry, are imported."""

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
from scorepad.referee import give_ruling
from scorepad.schemas.ruling_json import read_question_of_match
from scorepad.storage import Storage
from tests.data import read_data
from tests.exported import export_file, told_by
from tests.matches.conftest import Table, hand

EXPORTS = Path(__file__).parents[1] / "exports"
EXPECTED: dict[str, Any] = read_data(EXPORTS / "expected.json")
"""What that version showed of each match."""


@pytest.fixture
def other_pad(tmp_path: Path) -> Iterator[Pad]:
    with Storage(tmp_path / "other.db") as storage:
        yield Pad(storage)


def read_export(name: str) -> bytes:
    return gzip.decompress((EXPORTS / f"{name}.json.gz").read_bytes())


def import_match(pad: Pad, name: str) -> MatchId:
    """The id of the one match of an export, which is imported."""
    (match,) = pad.imports.import_file(read_export(name), ADMIN).taken
    return match


@pytest.mark.parametrize("name", EXPECTED)
def test_an_earlier_export_has_the_same_hands_and_totals(pad: Pad, name: str) -> None:
    state = pad.state(import_match(pad, name), ADMIN)

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
        (match,) = json.loads(read_export(name))["matches"]
        kinds |= {entry["kind"] for entry in match["entries"]}
    assert kinds == set(EVENTS)


@pytest.mark.parametrize("file", sorted(EXPORTS.glob("*.json.gz")), ids=lambda file: file.name)
def test_every_earlier_file_is_exported_with_the_same_hands_and_then_as_it_was(
    pad: Pad, other_pad: Pad, file: Path
) -> None:
    earlier = gzip.decompress(file.read_bytes())

    pad.imports.import_file(earlier, ADMIN)
    exported_now = export_file(pad)
    assert list_hands(exported_now) == list_hands(earlier)

    other_pad.imports.import_file(exported_now, ADMIN)
    assert export_file(other_pad) == exported_now


FIELD = "b.penalties.draw-out-of-turn"


def list_hands(file: bytes) -> list[Any]:
    """The hands of the matches of a file, by match, in the order of their entries."""
    hands = []
    for match in sorted(told_by(file)["matches"], key=itemgetter("id")):
        hands_of_match = [entry["payload"].get("hand") for entry in match["entries"]]
        hands.append((match["id"], hands_of_match))
    return hands


def test_an_earlier_match_goes_on(pad: Pad) -> None:
    table = Table(pad, import_match(pad, "samba-with-rulings"), ADMIN)
    noi, loro = table.totals

    table.play(hand({"sum": 400}, {"sum": -50}))

    assert table.totals == [noi + 400, loro - 50]


def test_a_match_with_a_setting_that_became_a_statement_cites_its_sources(pad: Pad) -> None:
    (frozen,) = json.loads(read_export("samba-with-rulings"))["rulesets"].values()
    assert "first_dealer" in frozen["settings"]

    rules = pad.state(import_match(pad, "samba-with-rulings"), ADMIN).rules

    assert rules.find_citations("table-agreement").standing == "house"
    request = read_question_of_match({"kind": "meld", "cards": "3h 2xQ"}, rules)
    reasons = give_ruling(rules, request.question).reasons
    sources_by_code = {reason.code: reason.sources for reason in reasons}
    assert sources_by_code["meld-red-three"] == ("W:Svolgimento del gioco",)


DRAW_BY_LORO = (1, "draw-out-of-turn", None)
"""A penalty of the second side, whose points are those of the rules."""


def list_penalties(table: Table) -> list[tuple[int, str, int | None]]:
    """The penalties noted in the hand being played: side, code, and points if the table set them."""
    return [(each.side, each.code, each.points) for each in table.state.noted_penalties]


@pytest.fixture
def go_on(pad: Pad) -> Callable[[str], Table]:
    """Go on with a match of the export `noted-penalties`, given by its id."""
    pad.imports.import_file(read_export("noted-penalties"), ADMIN)
    return lambda match: Table(pad, MatchId(match), ADMIN)


def test_penalties_of_the_hand_being_played_stand_in_the_log_alone(
    go_on: Callable[[str], Table],
) -> None:
    table = go_on("hhyk28n8me")
    house_penalty = (0, "house", 50)
    draw_by_noi = (0, "draw-out-of-turn", None)
    assert list_penalties(table) == [DRAW_BY_LORO, DRAW_BY_LORO, house_penalty, draw_by_noi]
    assert table.state.open_hand.draft == {"a.cards": "150"}

    table.undo()
    assert list_penalties(table) == [DRAW_BY_LORO, DRAW_BY_LORO, house_penalty]


def test_a_penalty_that_was_typed_over_counts_as_it_is_typed(
    go_on: Callable[[str], Table],
) -> None:
    table = go_on("jfpn2p9967")
    assert list_penalties(table) == []
    assert table.state.open_hand.draft == {FIELD: "3"}


def test_penalties_of_a_counted_hand_count_as_before(go_on: Callable[[str], Table]) -> None:
    table = go_on("6etg2n8zah")
    assert table.totals == [430, -140]
    assert [ruling.event.number for ruling in table.state.rulings] == [1, 2]

    table.undo()  # the ruling
    table.undo()  # the hand
    assert list_penalties(table) == [DRAW_BY_LORO, DRAW_BY_LORO]
    assert FIELD not in table.state.open_hand.draft


def test_a_hand_that_was_undone_has_its_penalty_once(go_on: Callable[[str], Table]) -> None:
    table = go_on("a9axxertkf")
    assert list_penalties(table) == [DRAW_BY_LORO]
    assert table.state.open_hand.draft["a.cards"] == "150"
    assert FIELD not in table.state.open_hand.draft

    table.redo()
    assert table.totals == [430, -40]


def test_an_open_hand_with_noted_penalties_counts_each_once(pad: Pad) -> None:
    table = Table(pad, import_match(pad, "open-hand"), ADMIN)
    assert list_penalties(table) == [DRAW_BY_LORO, DRAW_BY_LORO, (0, "house", 25)]
    noi, loro = table.totals

    table.play(hand({}, {}))

    assert table.totals == [noi - 25, loro - 200]

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
EXPECTED_BY_EXPORT: dict[str, Any] = read_data(EXPORTS / "expected.json")
"""What that version showed of the match in each export."""


@pytest.fixture
def other_pad(tmp_path: Path) -> Iterator[Pad]:
    """A second pad with a data file of its own."""
    with Storage(tmp_path / "other.db") as storage:
        yield Pad(storage)


def read_export(name: str) -> bytes:
    return gzip.decompress((EXPORTS / f"{name}.json.gz").read_bytes())


def import_match(pad: Pad, name: str) -> Table:
    """The one match of an export, which is imported and can be played on."""
    (match,) = pad.imports.import_file(read_export(name), ADMIN).taken
    return Table(pad, match, ADMIN)


@pytest.mark.parametrize(("name", "expected"), EXPECTED_BY_EXPORT.items())
def test_imported_match_has_the_same_hands_and_totals(
    pad: Pad, name: str, expected: dict[str, Any]
) -> None:
    state = import_match(pad, name).state

    assert state.rules.variant == expected["variant"]
    assert state.sequence == expected["sequence"]
    assert [side.total for side in state.sides] == expected["totals"]
    points_of_hands = [[side.hand for side in hand.sides] for hand in state.hands]
    assert points_of_hands == expected["hands"]
    assert state.status.finished is expected["finished"]


def test_earlier_exports_have_every_kind_of_entry() -> None:
    kinds = set()
    for name in EXPECTED_BY_EXPORT:
        (match,) = json.loads(read_export(name))["matches"]
        kinds |= {entry["kind"] for entry in match["entries"]}
    assert kinds == set(EVENTS)


def list_hands(file: bytes) -> list[Any]:
    """The hands of the matches of a file, by match, in the order of their entries."""
    hands = []
    for match in sorted(told_by(file)["matches"], key=itemgetter("id")):
        hands_of_match = [entry["payload"].get("hand") for entry in match["entries"]]
        hands.append((match["id"], hands_of_match))
    return hands


@pytest.mark.parametrize("file", sorted(EXPORTS.glob("*.json.gz")), ids=lambda file: file.name)
def test_imported_file_is_exported_with_the_same_hands(
    pad: Pad, other_pad: Pad, file: Path
) -> None:
    earlier = gzip.decompress(file.read_bytes())

    pad.imports.import_file(earlier, ADMIN)
    exported = export_file(pad)
    assert list_hands(exported) == list_hands(earlier)

    other_pad.imports.import_file(exported, ADMIN)
    assert export_file(other_pad) == exported, "a file of this version is exported as it was"


def test_imported_match_can_be_played_on(pad: Pad) -> None:
    table = import_match(pad, "samba-with-rulings")
    noi, loro = table.totals

    table.play(hand({"sum": 400}, {"sum": -50}))

    assert table.totals == [noi + 400, loro - 50]


def test_imported_rules_with_a_former_setting_still_cite_sources(pad: Pad) -> None:
    # Who deals first was a setting, and is now a statement of the rulebook.
    (frozen,) = json.loads(read_export("samba-with-rulings"))["rulesets"].values()
    assert "first_dealer" in frozen["settings"]

    rules = import_match(pad, "samba-with-rulings").state.rules

    assert rules.find_citations("table-agreement").standing == "house"
    request = read_question_of_match({"kind": "meld", "cards": "3h 2xQ"}, rules)
    reasons = give_ruling(rules, request.question).reasons
    sources_by_code = {reason.code: reason.sources for reason in reasons}
    assert sources_by_code["meld-red-three"] == ("W:Svolgimento del gioco",)


# Earlier versions wrote noted penalties into the draft of the open hand: they became entries of the
# log. Each costs 100 points.
DRAW_OF_SECOND_SIDE = (1, "draw-out-of-turn", None)
"""A draw out of turn by the second side: −100 by the rules."""
FIELD_OF_PENALTY = "b.penalties.draw-out-of-turn"
"""The field of the same penalty in the form of a hand."""


def list_penalties(table: Table) -> list[tuple[int, str, int | None]]:
    """The penalties noted in the hand being played: side, code, and points if the table set them."""
    return [(each.side, each.code, each.points) for each in table.state.noted_penalties]


# The matches of the export `noted-penalties`, by what was done in them.
WITH_FOUR_PENALTIES = MatchId("hhyk28n8me")
WITH_PENALTY_TYPED_OVER = MatchId("jfpn2p9967")
WITH_COUNTED_HAND = MatchId("6etg2n8zah")
WITH_UNDONE_HAND = MatchId("a9axxertkf")


@pytest.fixture
def find_match(pad: Pad) -> Callable[[MatchId], Table]:
    """Find one of these matches in the export `noted-penalties`, which is imported."""
    pad.imports.import_file(read_export("noted-penalties"), ADMIN)
    return lambda match: Table(pad, match, ADMIN)


def test_noted_penalties_of_open_hand_are_in_the_log_and_not_in_the_draft(
    find_match: Callable[[MatchId], Table],
) -> None:
    table = find_match(WITH_FOUR_PENALTIES)
    house_penalty = (0, "house", 50)
    draw_of_first_side = (0, "draw-out-of-turn", None)
    assert list_penalties(table) == [
        DRAW_OF_SECOND_SIDE,
        DRAW_OF_SECOND_SIDE,
        house_penalty,
        draw_of_first_side,
    ]
    assert table.state.open_hand.draft == {"a.cards": "150"}


def test_last_noted_penalty_of_an_earlier_version_can_be_undone(
    find_match: Callable[[MatchId], Table],
) -> None:
    table = find_match(WITH_FOUR_PENALTIES)
    first_three = list_penalties(table)[:3]
    table.undo()
    assert list_penalties(table) == first_three


def test_penalty_that_was_typed_over_stays_in_the_draft(
    find_match: Callable[[MatchId], Table],
) -> None:
    """The penalty was noted, and then somebody typed 3 into its field of the form of the hand."""
    table = find_match(WITH_PENALTY_TYPED_OVER)
    assert list_penalties(table) == []
    assert table.state.open_hand.draft == {FIELD_OF_PENALTY: "3"}


def test_penalties_of_counted_hand_are_noted_again_when_it_is_undone(
    find_match: Callable[[MatchId], Table],
) -> None:
    """A hand of 430 and 60 was counted with two penalties of the second side, and a ruling kept."""
    table = find_match(WITH_COUNTED_HAND)
    assert table.totals == [430, -140]  # 60 - 2 x 100
    assert [ruling.event.number for ruling in table.state.rulings] == [1, 2]

    table.undo()  # the ruling
    table.undo()  # the hand
    assert list_penalties(table) == [DRAW_OF_SECOND_SIDE, DRAW_OF_SECOND_SIDE]
    assert FIELD_OF_PENALTY not in table.state.open_hand.draft


def test_penalty_of_undone_hand_counts_once_when_it_is_redone(
    find_match: Callable[[MatchId], Table],
) -> None:
    """A hand of 430 and 60 with one penalty was counted and undone. Its form is there again, and
    the penalty beside it, not in its field.
    """
    table = find_match(WITH_UNDONE_HAND)
    assert list_penalties(table) == [DRAW_OF_SECOND_SIDE]
    assert table.state.open_hand.draft["a.cards"] == "150"
    assert FIELD_OF_PENALTY not in table.state.open_hand.draft

    table.redo()
    assert table.totals == [430, -40]  # 60 - 100


def test_noted_penalties_of_open_hand_count_once_each(pad: Pad) -> None:
    table = import_match(pad, "open-hand")
    house_penalty = (0, "house", 25)
    assert list_penalties(table) == [DRAW_OF_SECOND_SIDE, DRAW_OF_SECOND_SIDE, house_penalty]
    first_total, second_total = table.totals

    nobody_scores = hand({}, {})
    table.play(nobody_scores)

    assert table.totals == [first_total - 25, second_total - 2 * 100]

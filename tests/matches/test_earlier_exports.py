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
    """Return an export file as the earlier version wrote it: it is kept compressed."""
    return gzip.decompress((EXPORTS / f"{name}.json.gz").read_bytes())


def import_match(pad: Pad, name: str) -> Table:
    """Import an export with one match; return the match, ready to be played on."""
    (match,) = pad.imports.import_file(read_export(name), ADMIN).taken
    return Table(pad, match, ADMIN)


@pytest.mark.parametrize(("name", "expected"), EXPECTED_BY_EXPORT.items())
def test_imported_match_has_the_same_hands_and_totals(
    pad: Pad, name: str, expected: dict[str, Any]
) -> None:
    # What the earlier version showed of the export "samba", for example: a finished match of seven
    # hands, in which the sides have 6065 and 13535 points.
    state = import_match(pad, name).state

    assert state.rules.variant == expected["variant"]
    # The sequence is the number of the last entry of the log.
    assert state.sequence == expected["sequence"]
    assert [side.total for side in state.sides] == expected["totals"]
    points_of_hands = [[side.hand for side in hand.sides] for hand in state.hands]
    assert points_of_hands == expected["hands"]
    assert state.status.finished is expected["finished"]


def test_earlier_exports_have_every_kind_of_entry() -> None:
    # The log of a match has entries such as "start", "hand", "correction" and "undo".
    kinds = set()
    for name in EXPECTED_BY_EXPORT:
        (match,) = json.loads(read_export(name))["matches"]
        kinds |= {entry["kind"] for entry in match["entries"]}

    assert kinds == set(EVENTS)


def list_hands(file: bytes) -> list[Any]:
    """Return the id of each match of a file, and the hands of its entries (None for others)."""
    hands = []
    matches = told_by(file)["matches"]
    for match in sorted(matches, key=itemgetter("id")):
        hands_of_match = [entry["payload"].get("hand") for entry in match["entries"]]
        hands.append((match["id"], hands_of_match))
    return hands


@pytest.mark.parametrize("file", sorted(EXPORTS.glob("*.json.gz")), ids=lambda file: file.name)
def test_imported_file_is_exported_with_the_same_hands(
    pad: Pad, other_pad: Pad, file: Path
) -> None:
    earlier = gzip.decompress(file.read_bytes())

    # A file of the earlier version is imported. Exported, it has the same hands, perhaps written
    # otherwise.
    pad.imports.import_file(earlier, ADMIN)
    exported = export_file(pad)
    assert list_hands(exported) == list_hands(earlier)

    # A file of this version comes out of another pad byte by byte as it was.
    other_pad.imports.import_file(exported, ADMIN)
    assert export_file(other_pad) == exported


def test_imported_match_can_be_played_on(pad: Pad) -> None:
    # A match of samba, a variant of canasta, that an earlier version exported.
    table = import_match(pad, "samba-with-rulings")
    noi, loro = table.totals

    # The two sides enter only what the hand comes to.
    table.play(hand({"sum": 400}, {"sum": -50}))

    assert table.totals == [noi + 400, loro - 50]


def test_imported_rules_with_a_former_setting_still_cite_sources(pad: Pad) -> None:
    # A match keeps the rules with which it began. In these, who deals first was still a setting; in
    # this version it is a statement of the rulebook.
    (frozen,) = json.loads(read_export("samba-with-rulings"))["rulesets"].values()
    assert "first_dealer" in frozen["settings"]

    rules = import_match(pad, "samba-with-rulings").state.rules

    # What the players agreed on is cited as a house rule.
    assert rules.find_citations("table-agreement").standing == "house"

    # A player asks whether a red three ("3h", of hearts) and two queens are a meld. The answer, that
    # a red three is never melded, cites its source.
    request = read_question_of_match({"kind": "meld", "cards": "3h 2xQ"}, rules)
    reasons = give_ruling(rules, request.question).reasons
    sources_by_code = {reason.code: reason.sources for reason in reasons}
    assert sources_by_code["meld-red-three"] == ("W:Svolgimento del gioco",)


# Players note a penalty while a hand is being played. Earlier versions wrote it into the draft, that
# is the form of this hand, as if somebody had typed it. Now a noted penalty is an entry of the log.
DRAW_OF_SECOND_SIDE = (1, "draw-out-of-turn", None)
"""A draw out of turn by the second side: −100 by the rules."""


def list_penalties(table: Table) -> list[tuple[int, str, int | None]]:
    """Return the penalties noted in the hand being played: side, code, and points if agreed on."""
    return [(each.side, each.code, each.points) for each in table.state.noted_penalties]


# The matches of the export `noted-penalties`, by what was done in them.
WITH_FOUR_PENALTIES = MatchId("hhyk28n8me")
WITH_PENALTY_TYPED_OVER = MatchId("jfpn2p9967")
WITH_COUNTED_HAND = MatchId("6etg2n8zah")
WITH_UNDONE_HAND = MatchId("a9axxertkf")


@pytest.fixture
def find_match(pad: Pad) -> Callable[[MatchId], Table]:
    """Import the export `noted-penalties`; return a function that finds one of its matches."""
    pad.imports.import_file(read_export("noted-penalties"), ADMIN)
    return lambda match: Table(pad, match, ADMIN)


def test_noted_penalties_of_open_hand_are_in_the_log_and_not_in_the_draft(
    find_match: Callable[[MatchId], Table],
) -> None:
    table = find_match(WITH_FOUR_PENALTIES)

    # The second side drew out of turn twice, the first side once. The first side also has a penalty
    # of 50 points that the players agreed on themselves.
    house_penalty = (0, "house", 50)
    draw_of_first_side = (0, "draw-out-of-turn", None)
    assert list_penalties(table) == [
        DRAW_OF_SECOND_SIDE,
        DRAW_OF_SECOND_SIDE,
        house_penalty,
        draw_of_first_side,
    ]

    # In the form of the hand is only what somebody typed: 150 points of cards for the first side.
    assert table.state.open_hand.draft == {"a.cards": "150"}


def test_last_noted_penalty_of_an_earlier_version_can_be_undone(
    find_match: Callable[[MatchId], Table],
) -> None:
    # An earlier version noted four penalties, and exported the match. It is imported here.
    table = find_match(WITH_FOUR_PENALTIES)
    first_three = list_penalties(table)[:3]

    table.undo()

    assert list_penalties(table) == first_three


def test_penalty_that_was_typed_over_stays_in_the_draft(
    find_match: Callable[[MatchId], Table],
) -> None:
    # The second side drew out of turn, which was noted in an earlier version. That wrote 1 into the
    # field of this penalty in the form of the hand. Then somebody typed 3 there.
    table = find_match(WITH_PENALTY_TYPED_OVER)

    # What was typed counts.
    assert list_penalties(table) == []
    assert table.state.open_hand.draft == {"b.penalties.draw-out-of-turn": "3"}


def test_penalties_of_counted_hand_are_noted_again_when_it_is_undone(
    find_match: Callable[[MatchId], Table],
) -> None:
    # A hand of 430 and 60 was counted, with two draws out of turn by the second side: 60 - 2 x 100.
    table = find_match(WITH_COUNTED_HAND)
    assert table.totals == [430, -140]

    # One ruling of the referee was kept in the first hand, and one in the second.
    assert [ruling.event.number for ruling in table.state.rulings] == [1, 2]

    # The last ruling is undone, and then the hand: it is being played again.
    table.undo()
    table.undo()

    # The penalties are noted, and not in their field of the form.
    assert list_penalties(table) == [DRAW_OF_SECOND_SIDE, DRAW_OF_SECOND_SIDE]
    assert "b.penalties.draw-out-of-turn" not in table.state.open_hand.draft


def test_penalty_of_undone_hand_counts_once_when_it_is_redone(
    find_match: Callable[[MatchId], Table],
) -> None:
    # A hand of 430 and 60 with one penalty was counted and undone. Its form is filled in again, and
    # the penalty is noted beside it, not in its field.
    table = find_match(WITH_UNDONE_HAND)
    assert list_penalties(table) == [DRAW_OF_SECOND_SIDE]
    assert table.state.open_hand.draft["a.cards"] == "150"
    assert "b.penalties.draw-out-of-turn" not in table.state.open_hand.draft

    # The hand is counted as before: 60 - 100 points for the second side.
    table.redo()
    assert table.totals == [430, -40]


def test_noted_penalties_of_open_hand_count_once_each(pad: Pad) -> None:
    # The second side drew out of turn twice. The first side has a penalty of 25 points that the
    # players agreed on themselves.
    table = import_match(pad, "open-hand")
    house_penalty = (0, "house", 25)
    assert list_penalties(table) == [DRAW_OF_SECOND_SIDE, DRAW_OF_SECOND_SIDE, house_penalty]
    first_total, second_total = table.totals

    # The hand ends without points for anybody. Only the penalties count, 100 for a draw.
    nobody_scores = hand({}, {})
    table.play(nobody_scores)

    assert table.totals == [first_total - 25, second_total - 2 * 100]

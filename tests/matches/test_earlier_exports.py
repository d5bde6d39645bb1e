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
from scorepad.rules.definitions import Ruleset
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
    # An earlier version exported some matches. This version imports them, and exports them anew.
    file_of_earlier_version = gzip.decompress(file.read_bytes())
    pad.imports.import_file(file_of_earlier_version, ADMIN)
    file_of_this_version = export_file(pad)

    # The new file may be written otherwise, but has the same hands.
    assert list_hands(file_of_this_version) == list_hands(file_of_earlier_version)

    # A second pad of this version imports the new file, and exports it byte by byte as it was.
    other_pad.imports.import_file(file_of_this_version, ADMIN)
    assert export_file(other_pad) == file_of_this_version


def test_imported_match_can_be_played_on(pad: Pad) -> None:
    # A match of samba, a variant of canasta, that an earlier version exported.
    table = import_match(pad, "samba-with-rulings")
    noi, loro = table.totals

    # The two sides enter only what the hand comes to.
    table.play(hand({"sum": 400}, {"sum": -50}))

    assert table.totals == [noi + 400, loro - 50]


@pytest.fixture
def rules_with_first_dealer(pad: Pad) -> Ruleset:
    """Import a match whose rules have a setting that this version lacks; return its rules.

    A match keeps the rules with which it began. In these, who deals first is still a setting.
    """
    export = json.loads(read_export("samba-with-rulings"))
    for rules in export["rulesets"].values():
        assert "first_dealer" in rules["settings"]
    return import_match(pad, "samba-with-rulings").state.rules


def test_rules_of_earlier_version_cite_agreement_as_house_rule(
    rules_with_first_dealer: Ruleset,
) -> None:
    # The statement that players may agree on rules is cited as a house rule.
    assert rules_with_first_dealer.find_citations("table-agreement").standing == "house"


def test_ruling_by_rules_of_earlier_version_cites_its_source(
    rules_with_first_dealer: Ruleset,
) -> None:
    # A player asks whether a three of hearts, which is red, and two queens are a meld.
    asked = {"kind": "meld", "cards": "3h 2xQ"}
    question = read_question_of_match(asked, rules_with_first_dealer).question

    ruling = give_ruling(rules_with_first_dealer, question)

    # They are not, because a red three is never melded. That is in Wikipedia (W).
    (red_three,) = [reason for reason in ruling.reasons if reason.code == "meld-red-three"]
    assert red_three.sources == ("W:Svolgimento del gioco",)


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
    # An earlier version noted four penalties while a hand was being played, and wrote them into the
    # draft, which is what has been typed into the form of this hand. Its export is imported.
    table = find_match(WITH_FOUR_PENALTIES)

    # Now they are noted in the log, each with its side (0 or 1) and its code. The points of a draw
    # out of turn are in the rules. The players made up the code "house" themselves, for 50 points.
    assert list_penalties(table) == [
        (1, "draw-out-of-turn", None),
        (1, "draw-out-of-turn", None),
        (0, "house", 50),
        (0, "draw-out-of-turn", None),
    ]

    # In the draft is only what somebody typed: 150 points of cards for the first side.
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
    # In an earlier version somebody noted that the second side (b) drew out of turn. That version
    # wrote 1, the number of these penalties, into the form of the hand. Then somebody typed 3 there.
    table = find_match(WITH_PENALTY_TYPED_OVER)

    # The 3 stays in the form, as typed.
    assert table.state.open_hand.draft == {"b.penalties.draw-out-of-turn": "3"}

    # The penalty is not noted beside the form as well, where it would count a fourth time.
    assert list_penalties(table) == []


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
    # In an earlier version a draw out of turn by the second side was noted, which costs 100 points.
    # The hand was counted as 430 and 60 - 100 points, and undone. The match is imported here.
    table = find_match(WITH_UNDONE_HAND)

    # The hand is being played again. Its form (`draft`) is filled in as it was: the first side has
    # cards of 150 points.
    form = table.state.open_hand.draft
    assert form["a.cards"] == "150"

    # The penalty is in the list of those noted, and not also in its field of the form.
    assert list_penalties(table) == [DRAW_OF_SECOND_SIDE]
    assert "b.penalties.draw-out-of-turn" not in form

    # The undo is undone: the hand is counted as before, with one penalty.
    table.redo()
    assert table.totals == [430, 60 - 100]


def test_noted_penalties_of_open_hand_count_once_each(pad: Pad) -> None:
    # A match of an earlier version is imported while its second hand is being played. Three
    # penalties are noted: two draws out of turn; and one of 25 points for the first side (number 0)
    # that the players made up themselves ("house").
    table = import_match(pad, "open-hand")
    house_penalty = (0, "house", 25)
    assert list_penalties(table) == [DRAW_OF_SECOND_SIDE, DRAW_OF_SECOND_SIDE, house_penalty]
    first_total, second_total = table.totals

    # The hand is counted. Neither side has laid a card or is left with one.
    table.play(hand({}, {}))

    # Only the penalties count. A draw out of turn costs 100 points.
    assert table.totals == [first_total - 25, second_total - 2 * 100]

"""Looking back: what happened in a match, who played what, and matches found by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId
from scorepad.matches.events import (
    EndHow,
    Labels,
)
from scorepad.matches.hands import ShownCounts
from scorepad.matches.history import AuditEntry, Player, Result
from scorepad.matches.projection import NewMatch
from scorepad.storage import Storage
from tests.matches.conftest import (
    FIVE_HANDS,
    PHONE,
    TABLET,
    TWO_AGAINST_TWO,
    Table,
    counted,
    hand,
    usual,
)

Start = Callable[..., Table]


def done(table: Table) -> tuple[AuditEntry, ...]:
    """What happened in a match, entry by entry."""
    return table.pad.records.audit(table.match, PHONE)


def player(pad: Pad, name: str, device: DeviceId = PHONE) -> Player:
    return pad.records.find_player(device, name)


# ---------------------------------------------------------------------------------------- the audit


def test_a_correction_is_told_against_the_count_that_stood_then(table: Table) -> None:
    table.play(usual())
    table.correct(1, hand(counted(250), counted(100, 40)))
    table.undo()
    table.correct(1, hand(counted(350), counted(100, 40)))
    table.correct(1, hand(counted(300), counted(100, 40)))
    _, _, undone, _, second, third = done(table)
    assert undone.undone == 4
    assert [side.points for side in second.before.sides] == [430, 60]
    assert [side.points for side in third.before.sides] == [350, 60]


def test_the_sides_are_named_as_they_were_called_when_it_was_done(table: Table) -> None:
    table.play(usual())
    labels = replace(TWO_AGAINST_TWO.labels, names=("Rossi", "Loro"))
    table.do(table.pad.actions.rename, labels)
    table.play(usual())
    table.undo()
    table.undo()
    table.play(usual())
    names = [entry.names[0] for entry in done(table)]
    assert names == ["Noi", "Noi", "Noi", "Rossi", "Rossi", "Rossi", "Noi"]
    assert done(table)[2].before.names == ("Noi", "Loro")


def test_a_choice_between_two_counts_is_told_with_both_until_it_is_undone(table: Table) -> None:
    other = table.let_in(TABLET)
    table.check()
    table.play(usual())
    first = done(table)[-1]
    other.contest(hand(counted(250, 20), counted(100, 40)))
    second = done(table)[-1]
    table.choose(ShownCounts(first.sequence, second.sequence), second.sequence)
    choice = done(table)[-1]
    assert choice.before == first.event
    assert choice.chosen == second.event
    table.undo("ci siamo sbagliati")
    table.correct(1, usual())
    assert done(table)[-1].before == first.event


def test_the_side_of_a_device_is_that_which_it_said_then(table: Table, pad: Pad) -> None:
    pad.devices.set_side_and_holder(table.match, PHONE, 0)
    table.play(usual())
    assert [each.by.side for each in done(table)] == [0, 0]
    pad.devices.set_side_and_holder(table.match, PHONE, 1)
    table.play(usual())
    assert [each.by.side for each in done(table)] == [None, 0, 1], (
        "of the start nobody knows any more"
    )


# ------------------------------------------------------------------------------------------ players


def test_averages_follow_a_correction_and_an_undo(table: Table, pad: Pad) -> None:
    table.play(*FIVE_HANDS)
    table.correct(3, hand(counted(170, 35), counted(130, 10, mixed_canasta=1)))
    assert player(pad, "Ada").units[0].by_hand == 444.0
    table.undo()
    assert player(pad, "Ada").units[0].by_hand == 424.0
    table.undo()
    assert player(pad, "Ada").units[0].by_hand == 508.75
    assert player(pad, "Ada").units[0].hands == 4


def test_who_was_replaced_has_the_hands_until_then_and_who_replaced_the_match(
    table: Table, pad: Pad
) -> None:
    table.swap((0, 1), "Ugo", "Leo")
    table.swap((0, 1), "Leo", "Lea")
    table.play(*FIVE_HANDS[:2])
    table.swap((0, 1), "Lea", "Gino")
    table.play(*FIVE_HANDS[2:])
    table.end(EndHow.TIME)
    assert pad.records.find_player(PHONE, "Leo") is None, "gone before the first hand"

    lea = player(pad, "Lea")
    assert lea.matches[0].result is Result.LEFT
    assert lea.units[0].hands == 2
    assert lea.units[0].by_hand == 640.0
    assert lea.units[0].by_match is None

    gino = player(pad, "Gino")
    assert gino.matches[0].result is Result.WON
    assert gino.units[0].hands == 3
    assert gino.units[0].by_hand == 280.0
    assert gino.units[0].by_match == 2120.0


def test_names_are_compared_as_they_are_read_aloud_and_written_as_they_were_last(
    start: Start, pad: Pad
) -> None:
    for name in ("NICOLÒ", "Nicolò"):
        labels = replace(TWO_AGAINST_TWO.labels, players=((name, ""), ("", "")))
        start(replace(TWO_AGAINST_TWO, labels=labels))
    found = player(pad, "nicolo\N{COMBINING GRAVE ACCENT}")
    assert found.name == "Nicolò"
    assert len(found.matches) == 2
    assert pad.records.find_player(PHONE, "Nicolo") is None, "another name"


def test_a_hand_sat_out_is_not_a_hand_played(pad: Pad, start: Start) -> None:
    players = (("Ada", "Ugo"), ("Eva", "Ivo", "Lia"))
    table = start(NewMatch("cinque", None, {}, Labels(("Noi", "Loro"), players)))
    table.play(usual(), usual(), usual())
    assert [hand.number for hand in player(pad, "Lia").matches[0].hands] == [2, 3]
    assert [hand.number for hand in player(pad, "Eva").matches[0].hands] == [1, 2]
    assert [hand.number for hand in player(pad, "Ada").matches[0].hands] == [1, 2, 3]


FROM_PAPER = replace(TWO_AGAINST_TWO, carried=(1000, 1000), played=3)


@pytest.mark.parametrize(
    ("how", "side", "cards", "result"),
    [
        (EndHow.GIVEN_UP, 0, 60, Result.LOST),
        (EndHow.GIVEN_UP, 1, 60, Result.WON),
        (EndHow.TIME, None, 60, Result.WON),
        (EndHow.TIME, None, 100, Result.DRAWN),
    ],
)
def test_a_match_that_was_decided_counts_with_the_points_from_paper(
    pad: Pad, start: Start, how: EndHow, side: int | None, cards: int, result: Result
) -> None:
    table = start(FROM_PAPER)
    table.play(hand(counted(100), counted(cards)))
    table.end(how, side=side)
    ada = player(pad, "Ada")
    assert ada.matches[0].result is result
    assert ada.units[0].by_match == 1100.0
    assert ada.units[0].by_hand == 100.0


def test_a_match_that_goes_on_or_was_broken_off_is_neither_won_nor_lost(
    pad: Pad, start: Start
) -> None:
    table = start(FROM_PAPER)
    table.play(hand(counted(100), counted(60)))
    assert player(pad, "Ada").matches[0].result is Result.GOING_ON
    table.end(EndHow.BROKEN_OFF)
    ada = player(pad, "Ada")
    assert ada.matches[0].result is Result.BROKEN_OFF
    assert ada.units[0].by_match is None
    assert ada.units[0].by_hand == 100.0


def test_players_of_a_practice_match_are_nobodys_players(pad: Pad, start: Start) -> None:
    practice = start(replace(TWO_AGAINST_TWO, practice=True))
    practice.play(usual())
    practice.end(EndHow.TIME)
    assert [match.id for match in pad.summaries(PHONE).practice] == [practice.match]
    assert pad.summaries(PHONE).finished == ()
    assert pad.records.search(PHONE, "ada") == ()
    assert pad.records.list_named_players(PHONE) == ()


def test_players_are_those_of_the_matches_that_a_device_may_see(pad: Pad, start: Start) -> None:
    start()
    assert len(player(pad, "Ada").matches) == 1
    assert len(player(pad, "Ada", ADMIN).matches) == 1
    assert pad.records.find_player(TABLET, "Ada") is None
    assert pad.records.list_named_players(TABLET) == ()


# ------------------------------------------------------------------------------------------ by name


@pytest.mark.parametrize("wanted", ["d'angelo", "MULLER", "nicolo", "caffe", "muller roma", "ang"])
def test_finished_matches_are_found_by_name_and_place_whatever_the_accents(
    pad: Pad, start: Start, wanted: str
) -> None:
    labels = Labels(("D’Angelo", "Müller"), (("Nicolò", ""), ("", "")), "Caffè Roma")
    for new in (replace(TWO_AGAINST_TWO, labels=labels), TWO_AGAINST_TWO):
        start(new).end(EndHow.TIME)
    (found,) = pad.records.search(PHONE, wanted)
    assert found.names == ("D’Angelo", "Müller")
    assert pad.records.search(TABLET, wanted) == ()


@pytest.fixture
def over(pad: Pad, start: Start) -> Table:
    """A match of Ada and Ugo against Eva and Ivo at Circolo: Ugo left for Lea, Zoe was a mistake;
    it is over.
    """
    table = start(replace(TWO_AGAINST_TWO, labels=replace(TWO_AGAINST_TWO.labels, place="Circolo")))
    table.play(usual())
    table.swap((0, 1), "Ugo", "Lea")
    table.play(usual())
    mistaken = Labels(("Noi", "Loro"), (("Ada", "Lea"), ("Zoe", "Ivo")), "Bar Roma")
    table.do(pad.actions.rename, mistaken)
    table.undo()
    table.end(EndHow.TIME)
    return table


@pytest.mark.parametrize("device", [PHONE, ADMIN])
def test_who_left_is_found_and_what_was_undone_is_not(
    over: Table, pad: Pad, device: DeviceId
) -> None:
    for found in ("lea", "ugo", "circolo ugo eva"):
        assert [match.id for match in pad.records.search(device, found)] == [over.match]
    for mistaken in ("zoe", "roma", "zoe circolo"):
        assert pad.records.search(device, mistaken) == ()


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
def test_where_a_log_is_garbled_its_names_in_the_list_and_all_other_matches_are_found(
    table: Table, over: Table, pad: Pad, storage: Storage, payload: str
) -> None:
    """The garbled one was changed last: it is the first to be read."""
    with storage.writing() as rows:
        rows._db.execute("drop trigger entries_never_change")
        garble = f"update entries set payload = {payload}"  # noqa: S608 - ours
        rows._db.execute(f"{garble} where kind = 'start' and match_id = ?", [over.match])
    assert [match.id for match in pad.records.search(PHONE, "lea")] == [over.match]
    assert [match.id for match in pad.records.search(PHONE, "circolo")] == [over.match]
    named = {each.name for each in pad.records.list_named_players(PHONE)}
    assert named == {"Ada", "Eva", "Ivo", "Lea", "Ugo"}
    (readable,) = player(pad, "Ada").matches
    assert readable.summary.id == table.match
    assert player(pad, "Lea").matches == ()

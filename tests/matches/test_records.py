"""Looking back: what happened in a match, who played what, and matches found by name."""

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
    hand,
    hand_of_430_and_60,
    side_counted,
)

Start = Callable[..., Table]


def read_log(table: Table) -> tuple[AuditEntry, ...]:
    """What happened in a match, entry by entry; the first is the start."""
    return table.pad.records.audit(table.match, PHONE)


def find_player(pad: Pad, name: str, device: DeviceId = PHONE) -> Player:
    return pad.records.find_player(device, name)


def test_a_correction_is_reported_against_the_count_that_stood_then(table: Table) -> None:
    table.play(hand_of_430_and_60())
    table.correct(1, hand(side_counted(cards=250), side_counted(cards=100, left=40)))
    table.undo()
    table.correct(1, hand(side_counted(cards=350), side_counted(cards=100, left=40)))
    table.correct(1, hand(side_counted(cards=300), side_counted(cards=100, left=40)))

    log = read_log(table)

    undone_correction, _undo, second_correction, third_correction = log[2:]
    assert undone_correction.undone == 4
    assert [side.points for side in second_correction.before.sides] == [430, 60]
    assert [side.points for side in third_correction.before.sides] == [350, 60]


def test_an_entry_names_the_sides_as_they_were_called_then(table: Table) -> None:
    table.play(hand_of_430_and_60())
    labels = replace(TWO_AGAINST_TWO.labels, names=("Rossi", "Loro"))
    table.do(table.pad.actions.rename, labels)
    table.play(hand_of_430_and_60())
    table.undo()  # the hand
    table.undo()  # the new name
    table.play(hand_of_430_and_60())

    log = read_log(table)

    first_names = [entry.names[0] for entry in log]
    assert first_names == ["Noi", "Noi", "Noi", "Rossi", "Rossi", "Rossi", "Noi"]
    assert log[2].before.names == ("Noi", "Loro")


def test_a_choice_between_two_counts_is_reported_with_both_until_it_is_undone(table: Table) -> None:
    other = table.let_in(TABLET)
    table.check()
    table.play(hand_of_430_and_60())
    first_count = read_log(table)[-1]
    other.contest(hand(side_counted(cards=250, left=20), side_counted(cards=100, left=40)))
    second_count = read_log(table)[-1]

    counts = ShownCounts(first_count.sequence, second_count.sequence)
    table.choose(counts, second_count.sequence)

    choice = read_log(table)[-1]
    assert choice.before == first_count.event
    assert choice.chosen == second_count.event

    table.undo("ci siamo sbagliati")
    table.correct(1, hand_of_430_and_60())
    correction = read_log(table)[-1]
    assert correction.before == first_count.event


def test_an_entry_has_the_side_that_its_device_was_of_then(table: Table, pad: Pad) -> None:
    pad.devices.set_side_and_holder(table.match, PHONE, 0)
    table.play(hand_of_430_and_60())
    assert [entry.by.side for entry in read_log(table)] == [0, 0]

    pad.devices.set_side_and_holder(table.match, PHONE, 1)
    table.play(hand_of_430_and_60())
    # The start was entered before the device had a side: it has one no longer.
    assert [entry.by.side for entry in read_log(table)] == [None, 0, 1]


def test_averages_follow_a_correction_and_an_undo(table: Table, pad: Pad) -> None:
    # The hands are worth 450, 830, 35, 720 and 85 points for Ada's side.
    table.play(*FIVE_HANDS)
    # The third hand now counts 170 − 35 = 135.
    corrected = hand(
        side_counted(cards=170, left=35), side_counted(cards=130, left=10, mixed_canasta=1)
    )
    table.correct(3, corrected)
    assert find_player(pad, "Ada").units[0].by_hand == 444.0

    table.undo()  # the correction
    assert find_player(pad, "Ada").units[0].by_hand == 424.0

    table.undo()  # the fifth hand
    four_hands = find_player(pad, "Ada").units[0]
    assert four_hands.by_hand == 508.75
    assert four_hands.hands == 4


def test_who_was_replaced_has_the_hands_until_then_and_who_replaced_the_match(
    table: Table, pad: Pad
) -> None:
    # The hands are worth 450, 830, 35, 720 and 85 points for the side of Lea and Gino.
    table.swap((0, 1), "Ugo", "Leo")
    table.swap((0, 1), "Leo", "Lea")
    table.play(*FIVE_HANDS[:2])
    table.swap((0, 1), "Lea", "Gino")
    table.play(*FIVE_HANDS[2:])
    table.end(EndHow.TIME)

    assert find_player(pad, "Leo") is None, "gone before the first hand"

    lea = find_player(pad, "Lea")
    assert lea.matches[0].result is Result.LEFT
    assert lea.units[0].hands == 2
    assert lea.units[0].by_hand == 640.0
    assert lea.units[0].by_match is None

    gino = find_player(pad, "Gino")
    assert gino.matches[0].result is Result.WON
    assert gino.units[0].hands == 3
    assert gino.units[0].by_hand == 280.0
    assert gino.units[0].by_match == 2120.0


def test_a_player_is_found_by_the_name_as_it_is_read_aloud(start: Start, pad: Pad) -> None:
    for name in ("NICOLÒ", "Nicolò"):
        labels = replace(TWO_AGAINST_TWO.labels, players=((name, ""), ("", "")))
        start(replace(TWO_AGAINST_TWO, labels=labels))

    nicolo = find_player(pad, "nicolo\N{COMBINING GRAVE ACCENT}")

    assert nicolo.name == "Nicolò", "as it was written last"
    assert len(nicolo.matches) == 2
    assert pad.records.find_player(PHONE, "Nicolo") is None, "another name"


@pytest.mark.parametrize(
    ("name", "hands_played"), [("Lia", [2, 3]), ("Eva", [1, 2]), ("Ada", [1, 2, 3])]
)
def test_a_hand_sat_out_is_not_a_hand_played(
    pad: Pad, start: Start, name: str, hands_played: list[int]
) -> None:
    # With five players, one of the side of three sits out each hand.
    players = (("Ada", "Ugo"), ("Eva", "Ivo", "Lia"))
    table = start(NewMatch("cinque", None, {}, Labels(("Noi", "Loro"), players)))
    table.play(hand_of_430_and_60(), hand_of_430_and_60(), hand_of_430_and_60())

    match = find_player(pad, name).matches[0]

    assert [hand.number for hand in match.hands] == hands_played


FROM_PAPER = replace(TWO_AGAINST_TWO, carried=(1000, 1000), played=3)


@pytest.mark.parametrize(
    ("how", "side_given_up", "cards_of_others", "result"),
    [
        (EndHow.GIVEN_UP, 0, 60, Result.LOST),
        (EndHow.GIVEN_UP, 1, 60, Result.WON),
        (EndHow.TIME, None, 60, Result.WON),
        (EndHow.TIME, None, 100, Result.DRAWN),
    ],
)
def test_a_match_that_was_decided_counts_with_the_points_from_paper(
    pad: Pad,
    start: Start,
    how: EndHow,
    side_given_up: int | None,
    cards_of_others: int,
    result: Result,
) -> None:
    table = start(FROM_PAPER)  # 1000 points a side
    table.play(hand(side_counted(cards=100), side_counted(cards=cards_of_others)))

    table.end(how, side=side_given_up)

    ada = find_player(pad, "Ada")
    assert ada.matches[0].result is result
    assert ada.units[0].by_match == 1100.0
    assert ada.units[0].by_hand == 100.0


def test_a_match_that_goes_on_or_was_broken_off_is_neither_won_nor_lost(
    pad: Pad, start: Start
) -> None:
    table = start(FROM_PAPER)
    table.play(hand(side_counted(cards=100), side_counted(cards=60)))
    assert find_player(pad, "Ada").matches[0].result is Result.GOING_ON

    table.end(EndHow.BROKEN_OFF)

    ada = find_player(pad, "Ada")
    assert ada.matches[0].result is Result.BROKEN_OFF
    assert ada.units[0].by_match is None
    assert ada.units[0].by_hand == 100.0


def test_a_practice_match_is_listed_apart_and_its_players_nowhere(pad: Pad, start: Start) -> None:
    practice = start(replace(TWO_AGAINST_TWO, practice=True))
    practice.play(hand_of_430_and_60())
    practice.end(EndHow.TIME)

    summaries = pad.summaries(PHONE)
    assert [match.id for match in summaries.practice] == [practice.match]
    assert summaries.finished == ()
    assert pad.records.search(PHONE, "ada") == ()
    assert pad.records.list_named_players(PHONE) == ()


def test_a_device_finds_only_players_of_the_matches_that_it_may_see(pad: Pad, start: Start) -> None:
    start(device=PHONE)
    assert len(find_player(pad, "Ada", PHONE).matches) == 1
    assert len(find_player(pad, "Ada", ADMIN).matches) == 1
    assert pad.records.find_player(TABLET, "Ada") is None
    assert pad.records.list_named_players(TABLET) == ()


@pytest.mark.parametrize(
    "search_text", ["d'angelo", "MULLER", "nicolo", "caffe", "muller roma", "ang"]
)
def test_finished_matches_are_found_by_name_and_place_whatever_the_accents(
    pad: Pad, start: Start, search_text: str
) -> None:
    labels = Labels(("D’Angelo", "Müller"), (("Nicolò", ""), ("", "")), "Caffè Roma")
    start(replace(TWO_AGAINST_TWO, labels=labels)).end(EndHow.TIME)
    start(TWO_AGAINST_TWO).end(EndHow.TIME)

    (found,) = pad.records.search(PHONE, search_text)

    assert found.names == ("D’Angelo", "Müller")
    assert pad.records.search(TABLET, search_text) == ()


@pytest.fixture
def finished(pad: Pad, start: Start) -> Table:
    """A finished match of Ada and Ugo against Eva and Ivo at Circolo. Lea took Ugo's place; Zoe and
    Bar Roma were entered by mistake, and undone.
    """
    table = start(replace(TWO_AGAINST_TWO, labels=replace(TWO_AGAINST_TWO.labels, place="Circolo")))
    table.play(hand_of_430_and_60())
    table.swap((0, 1), "Ugo", "Lea")
    table.play(hand_of_430_and_60())
    mistaken = Labels(("Noi", "Loro"), (("Ada", "Lea"), ("Zoe", "Ivo")), "Bar Roma")
    table.do(pad.actions.rename, mistaken)
    table.undo()
    table.end(EndHow.TIME)
    return table


@pytest.mark.parametrize("device", [PHONE, ADMIN])
@pytest.mark.parametrize("search_text", ["lea", "ugo", "circolo ugo eva"])
def test_a_match_is_found_by_those_who_play_or_played(
    finished: Table, pad: Pad, search_text: str, device: DeviceId
) -> None:
    found = pad.records.search(device, search_text)
    assert [match.id for match in found] == [finished.match]


@pytest.mark.parametrize("device", [PHONE, ADMIN])
@pytest.mark.parametrize("search_text", ["zoe", "roma", "zoe circolo"])
def test_a_match_is_not_found_by_names_that_were_undone(
    finished: Table, pad: Pad, search_text: str, device: DeviceId
) -> None:
    assert pad.records.search(device, search_text) == ()


def test_players_are_those_who_played_and_never_those_of_a_mistake(
    finished: Table, pad: Pad, start: Start
) -> None:
    start()  # a second match, without Lea

    players = pad.records.list_named_players(PHONE)

    assert [(player.name, player.matches) for player in players] == [
        ("Ada", 2),
        ("Eva", 2),
        ("Ivo", 2),
        ("Ugo", 2),
        ("Lea", 1),
    ]
    assert pad.records.find_player(PHONE, "Zoe") is None
    assert pad.summaries(PHONE).finished[0].venue == "Circolo"


@pytest.mark.parametrize(
    "payload", ["'{}'", "'[1]'", """'{"before": 5}'""", "cast(x'22ff22' as text)"]
)
def test_a_match_with_a_garbled_log_is_found_by_its_names_and_the_others_whole(
    table: Table, finished: Table, pad: Pad, storage: Storage, payload: str
) -> None:
    """The garbled one was changed last: it is the first to be read."""
    with storage.writing() as rows:
        rows._db.execute("drop trigger entries_never_change")
        garble = f"update entries set payload = {payload}"  # noqa: S608 - ours
        rows._db.execute(f"{garble} where kind = 'start' and match_id = ?", [finished.match])

    assert [match.id for match in pad.records.search(PHONE, "lea")] == [finished.match]
    assert [match.id for match in pad.records.search(PHONE, "circolo")] == [finished.match]
    names = {player.name for player in pad.records.list_named_players(PHONE)}
    assert names == {"Ada", "Eva", "Ivo", "Lea", "Ugo"}
    # The matches of a player are read from their logs.
    (readable,) = find_player(pad, "Ada").matches
    assert readable.summary.id == table.match
    assert find_player(pad, "Lea").matches == ()


def test_a_player_who_took_over_a_seat_sits_there_from_the_hand_on_that_was_next(
    table: Table,
) -> None:
    table.play(hand_of_430_and_60())
    table.swap((0, 1), "Ugo", "Lea")
    table.play(hand_of_430_and_60())
    assert table.state.find_player_in_seat((0, 1), 1) == "Ugo"
    assert table.state.find_player_in_seat((0, 1), 2) == "Lea"

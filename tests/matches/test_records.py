"""Looking back: what happened in a match, who played what, and matches found by name."""

from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId, MatchId
from scorepad.matches.events import (
    EndHow,
    Labels,
)
from scorepad.matches.hands import ShownCounts
from scorepad.matches.history import AuditEntry, Player, Result
from scorepad.storage import Storage
from tests.matches.conftest import (
    FIVE_HANDS,
    PHONE,
    TABLET,
    TWO_AGAINST_TWO,
    Start,
    Table,
    hand,
    hand_of_430_and_60,
    labels,
    side_counted,
)


def read_log(table: Table) -> tuple[AuditEntry, ...]:
    """Return what happened in a match, entry by entry; the first is the start."""
    return table.pad.records.audit(table.match, PHONE)


def find_player(pad: Pad, name: str, device: DeviceId = PHONE) -> Player:
    """Find a player with all matches that a device may see; None if there is none of this name."""
    return pad.records.find_player(device, name)


def test_correction_in_log_has_the_points_in_force_before(table: Table) -> None:
    # Hand 1 is counted as 430 and 60 points: entry 2 of the log, after the start.
    second_side = side_counted(cards=100, left=40)  # 100 - 40 = 60, in every count
    table.play(hand_of_430_and_60())

    # It is corrected to 250 points for the first side (entry 3), which is undone (entry 4).
    table.correct(1, hand(side_counted(cards=250), second_side))
    table.undo()

    # It is corrected to 350 (entry 5), and once more to 300 (entry 6).
    table.correct(1, hand(side_counted(cards=350), second_side))
    table.correct(1, hand(side_counted(cards=300), second_side))

    _start, _count, to_250, undo, to_350, to_300 = read_log(table)

    # The correction to 250 names the entry that undid it.
    assert to_250.undone == undo.sequence

    # So the one to 350 corrects the first count, and that to 300 corrects 350.
    assert [side.points for side in to_350.before.sides] == [430, 60]
    assert [side.points for side in to_300.before.sides] == [350, 60]


def test_entry_in_log_has_the_names_of_sides_at_that_time(table: Table) -> None:
    # The sides are Noi and Loro. After the first hand Noi is renamed to Rossi.
    table.play(hand_of_430_and_60())
    table.do(table.pad.actions.rename, labels(names=("Rossi", "Loro")))

    # A second hand is played. It is undone, and then the renaming is undone too.
    table.play(hand_of_430_and_60())
    table.undo()
    table.undo()

    # A hand is played by Noi again.
    table.play(hand_of_430_and_60())

    # Each entry has the names in force when it was made.
    log = read_log(table)
    noi = ("Noi", "Loro")
    rossi = ("Rossi", "Loro")
    assert [entry.names for entry in log] == [
        noi,  # start
        noi,  # first hand
        noi,  # renaming
        rossi,  # second hand
        rossi,  # undo of the second hand
        rossi,  # undo of the renaming
        noi,  # another hand
    ]

    # The entry of the renaming also has the names that it changed.
    renaming = log[2]
    assert renaming.before.names == ("Noi", "Loro")


@pytest.fixture
def match_with_two_counts(table: Table) -> Table:
    """Start a match whose first hand the sides count differently; the second count is chosen."""
    # The other side has a tablet. From now on it checks every hand that the phone counts.
    tablet = table.let_in(TABLET)
    table.check()

    # The phone counts 430 and 60. The tablet contests that: it counts 250 - 20 and 100 - 40.
    table.play(hand_of_430_and_60())
    tablet.contest(hand(side_counted(cards=250, left=20), side_counted(cards=100, left=40)))

    # Both counts are shown on the phone, whose side gives in: it chooses the second.
    first_count, second_count = read_log(table)[-2:]
    counts_shown = ShownCounts(first_count.sequence, second_count.sequence)
    table.choose(counts_shown, second_count.sequence)
    return table


def test_choice_between_two_counts_has_both_in_log(match_with_two_counts: Table) -> None:
    # Each side counted the first hand, differently. Then the second count was chosen.
    *_, first_count, second_count, choice = read_log(match_with_two_counts)

    # Before the choice, the first count was in force.
    assert choice.before == first_count.event
    assert choice.chosen == second_count.event


def test_first_count_is_in_force_again_once_the_choice_is_undone(
    match_with_two_counts: Table,
) -> None:
    # The choice of the second count is undone. Then the hand is corrected.
    match_with_two_counts.undo("we were wrong")
    match_with_two_counts.correct(1, hand_of_430_and_60())

    # Before the correction, the first count was in force, not the second one.
    *_, first_count, _second_count, _choice, _undo, correction = read_log(match_with_two_counts)
    assert correction.before == first_count.event


def test_entry_in_log_has_the_side_of_its_device_at_that_time(table: Table, pad: Pad) -> None:
    # The phone that started the match counts for the first side from now on. The start itself, the
    # first entry, is shown with this side too.
    pad.devices.set_side_and_holder(table.match, PHONE, 0)
    table.play(hand_of_430_and_60())
    assert [entry.by.side for entry in read_log(table)] == [0, 0]

    # Now it counts for the second side. The hands keep their sides, which were stored with them. With
    # the start none was stored: for a phone that changed sides, it is no longer known.
    pad.devices.set_side_and_holder(table.match, PHONE, 1)
    table.play(hand_of_430_and_60())
    assert [entry.by.side for entry in read_log(table)] == [None, 0, 1]


def test_average_of_player_follows_correction_and_undo(table: Table, pad: Pad) -> None:
    # Ada's side wins five hands of 450, 830, 35, 720 and 85 points. That is 424 on average.
    table.play(*FIVE_HANDS)

    # The third hand is corrected from 35 to 170 - 35 points for her side: 100 more, 20 a hand.
    ada_and_ugo = side_counted(cards=170, left=35)
    eva_and_ivo = side_counted(cards=130, left=10, mixed_canasta=1)
    table.correct(3, hand(ada_and_ugo, eva_and_ivo))
    assert find_player(pad, "Ada").units[0].by_hand == 444.0

    # The correction is undone.
    table.undo()
    assert find_player(pad, "Ada").units[0].by_hand == 424.0

    # The fifth hand is undone too. 450, 830, 35 and 720 points are left.
    table.undo()
    four_hands = find_player(pad, "Ada").units[0]
    assert four_hands.hands == 4
    assert four_hands.by_hand == 508.75


UGOS_SEAT = (0, 1)
"""The second player of the first side."""


@pytest.fixture
def ended_with_gino(table: Table) -> Table:
    """Play a match that the first side wins with 2120 points, and in which players are replaced."""
    # Leo takes Ugo's seat, and leaves it to Lea before the first hand.
    table.swap(UGOS_SEAT, "Ugo", "Leo")
    table.swap(UGOS_SEAT, "Leo", "Lea")

    # Lea plays two hands of 450 and 830 points for her side.
    table.play(*FIVE_HANDS[:2])

    # Gino takes her seat, and plays three of 35, 720 and 85. Then they stop for lack of time.
    table.swap(UGOS_SEAT, "Lea", "Gino")
    table.play(*FIVE_HANDS[2:])
    table.end(EndHow.TIME)
    return table


def test_player_replaced_before_the_first_hand_has_no_record(
    ended_with_gino: Table, pad: Pad
) -> None:
    # Leo sat down in place of Ugo, and left before a hand was played.
    assert find_player(pad, "Leo") is None


def test_replaced_player_has_the_hands_until_then(ended_with_gino: Table, pad: Pad) -> None:
    # Lea played the first two hands, of 450 and 830 points for her side. Then Gino took her seat,
    # and his side won the match.
    lea = find_player(pad, "Lea")

    # For Lea the match is neither won nor lost: she left it.
    (match,) = lea.matches
    assert match.result is Result.LEFT

    # (450 + 830) / 2 is her average for a hand. She has none for a whole match.
    (averages,) = lea.units
    assert averages.hands == 2
    assert averages.by_hand == 640.0
    assert averages.by_match is None


def test_player_who_replaced_another_has_the_later_hands_and_the_match(
    ended_with_gino: Table, pad: Pad
) -> None:
    # Gino took Lea's seat after two hands, and played the last three.
    gino = find_player(pad, "Gino")

    # His side won the match.
    (match,) = gino.matches
    assert match.result is Result.WON

    # His average for a hand is (35 + 720 + 85) / 3. For a match it is the whole final score, with the
    # hands that Lea played.
    (in_points,) = gino.units
    assert in_points.hands == 3
    assert in_points.by_hand == 280.0
    assert in_points.by_match == 2120.0


def test_player_is_found_whatever_case_and_form_of_accents(start: Start, pad: Pad) -> None:
    # In two matches the name is written differently.
    for name in ("NICOLÒ", "Nicolò"):
        start(labels=labels(players=((name, ""), ("", ""))))

    # Unicode can write ò as one character, as above, or as an o and an accent.
    nicolo = find_player(pad, "nicolo\N{COMBINING GRAVE ACCENT}")

    assert nicolo.name == "Nicolò", "as it was written last"
    assert len(nicolo.matches) == 2


def test_player_is_not_found_without_accent(start: Start, pad: Pad) -> None:
    start(labels=labels(players=(("Nicolò", ""), ("", ""))))
    assert find_player(pad, "Nicolo") is None


@pytest.mark.parametrize(
    ("name", "hands_played"), [("Lia", [2, 3]), ("Eva", [1, 2]), ("Ada", [1, 2, 3])]
)
def test_player_has_no_record_of_hands_sat_out(
    pad: Pad, start: Start, name: str, hands_played: list[int]
) -> None:
    # Five people play two against three. In each hand one of the three sits out: first Lia, then Ivo,
    # then Eva.
    players = (("Ada", "Ugo"), ("Eva", "Ivo", "Lia"))
    table = start(variant="cinque", labels=labels(players=players))
    table.play(hand_of_430_and_60(), hand_of_430_and_60(), hand_of_430_and_60())

    match = find_player(pad, name).matches[0]

    assert [hand.number for hand in match.hands] == hands_played


@pytest.fixture
def from_paper(start: Start) -> Table:
    """Start a match that was begun on paper: each side has 1000 points after three hands."""
    return start(carried=(1000, 1000), played=3)


@pytest.mark.parametrize(
    ("points_of_others", "ending", "result_of_ada"),
    [
        # Ada's side, number 0, gives up; or the others do.
        (60, {"how": EndHow.GIVEN_UP, "side": 0}, Result.LOST),
        (60, {"how": EndHow.GIVEN_UP, "side": 1}, Result.WON),
        # There is no more time.
        (60, {"how": EndHow.TIME}, Result.WON),
        (100, {"how": EndHow.TIME}, Result.DRAWN),
    ],
)
def test_ended_match_counts_with_its_points_from_paper(
    pad: Pad,
    from_paper: Table,
    points_of_others: int,
    ending: dict[str, Any],
    result_of_ada: Result,
) -> None:
    # The match was begun on paper: each side has 1000 points from there. Then Ada's wins 100 with a
    # hand, and the others win 60 or 100. The match ends.
    from_paper.play(hand(side_counted(cards=100), side_counted(cards=points_of_others)))
    from_paper.end(**ending)

    ada = find_player(pad, "Ada")
    (match,) = ada.matches
    assert match.result is result_of_ada

    # The points from paper count in her average for a match, but not in that for a hand: nobody
    # knows from what hands they are.
    (averages,) = ada.units
    assert averages.by_match == 1000 + 100
    assert averages.by_hand == 100


def test_match_broken_off_is_neither_won_nor_lost(pad: Pad, from_paper: Table) -> None:
    # Ada's side wins 100 points with a hand, the others 60. The match goes on.
    from_paper.play(hand(side_counted(cards=100), side_counted(cards=60)))
    assert find_player(pad, "Ada").matches[0].result is Result.GOING_ON

    from_paper.end(EndHow.BROKEN_OFF)

    # The match has no part in Ada's average for a match. The hand has one in that for a hand.
    ada = find_player(pad, "Ada")
    assert ada.matches[0].result is Result.BROKEN_OFF
    assert ada.units[0].by_match is None
    assert ada.units[0].by_hand == 100.0


def test_practice_match_is_listed_apart_and_has_no_records(pad: Pad, start: Start) -> None:
    # Four players try out the pad. Ada is one of them.
    practice = start(practice=True)
    practice.play(hand_of_430_and_60())
    practice.end(EndHow.TIME)

    summaries = pad.summaries(PHONE)
    assert [match.id for match in summaries.practice] == [practice.match]
    assert summaries.finished == ()

    # Nobody finds the match or its players.
    assert pad.records.search(PHONE, "ada") == ()
    assert pad.records.list_named_players(PHONE) == ()


def test_device_finds_only_players_of_matches_that_it_may_see(pad: Pad, start: Start) -> None:
    # Ada plays in a match that the phone started. The administrator sees all matches.
    start(device=PHONE)
    assert len(find_player(pad, "Ada", PHONE).matches) == 1
    assert len(find_player(pad, "Ada", ADMIN).matches) == 1

    # The tablet has not entered it.
    assert find_player(pad, "Ada", TABLET) is None
    assert pad.records.list_named_players(TABLET) == ()


@pytest.mark.parametrize(
    "search_text", ["d'angelo", "MULLER", "nicolo", "caffe", "muller roma", "ang"]
)
def test_finished_match_is_found_by_names_and_place_without_accents(
    pad: Pad, start: Start, search_text: str
) -> None:
    with_accents = Labels(("D’Angelo", "Müller"), (("Nicolò", ""), ("", "")), place="Caffè Roma")
    start(labels=with_accents).end(EndHow.TIME)
    start(TWO_AGAINST_TWO).end(EndHow.TIME)

    # Of the two matches the phone finds the first. The tablet may see neither.
    (found,) = pad.records.search(PHONE, search_text)

    assert found.names == ("D’Angelo", "Müller")
    assert pad.records.search(TABLET, search_text) == ()


@pytest.fixture
def finished(pad: Pad, start: Start) -> Table:
    """Play and end a match at Circolo in which players were Ada, Ugo, Lea, Eva and Ivo."""
    table = start(labels=labels(place="Circolo"))

    # Lea takes Ugo's seat after the first hand.
    table.play(hand_of_430_and_60())
    table.swap(UGOS_SEAT, "Ugo", "Lea")
    table.play(hand_of_430_and_60())

    # Zoe and Bar Roma are entered by mistake, in place of Eva and Circolo, and undone.
    mistake = labels(players=(("Ada", "Lea"), ("Zoe", "Ivo")), place="Bar Roma")
    table.do(pad.actions.rename, mistake)
    table.undo()

    table.end(EndHow.TIME)
    return table


@pytest.mark.parametrize("device", [PHONE, ADMIN])
@pytest.mark.parametrize("search_text", ["lea", "ugo", "circolo ugo eva"])
def test_finished_match_is_found_by_all_who_played(
    finished: Table, pad: Pad, search_text: str, device: DeviceId
) -> None:
    # Lea took Ugo's seat after the first hand: the match is found by both.
    found = pad.records.search(device, search_text)
    assert [match.id for match in found] == [finished.match]


@pytest.mark.parametrize("device", [PHONE, ADMIN])
@pytest.mark.parametrize("search_text", ["zoe", "roma", "zoe circolo"])
def test_finished_match_is_not_found_by_names_that_were_undone(
    finished: Table, pad: Pad, search_text: str, device: DeviceId
) -> None:
    # The match was played at Circolo. Zoe and Bar Roma were entered by mistake, and undone.
    assert pad.records.search(device, search_text) == ()


def test_players_listed_are_all_who_played(finished: Table, pad: Pad, start: Start) -> None:
    # In the finished match Lea took the seat of Ugo after the first hand, so that five people played
    # it. All of them but Lea play a second match.
    start()

    players = pad.records.list_named_players(PHONE)

    assert [(player.name, player.matches) for player in players] == [
        ("Ada", 2),
        ("Eva", 2),
        ("Ivo", 2),
        ("Ugo", 2),
        ("Lea", 1),
    ]


def test_undone_names_and_places_have_no_records(finished: Table, pad: Pad) -> None:
    # Eva played this match, at a place called Circolo. During the match Zoe and Bar Roma were
    # entered in their place by mistake, and that was undone.
    assert find_player(pad, "Zoe") is None

    (finished_match,) = pad.summaries(PHONE).finished
    assert finished_match.venue == "Circolo"


GARBLED_PAYLOADS = ["'{}'", "'[1]'", """'{"before": 5}'""", "cast(x'22ff22' as text)"]
"""SQL for what may stand in a garbled file in place of the first entry of a match."""


def garble_log(storage: Storage, match: MatchId, payload: str) -> None:
    """Overwrite the first entry of a match, so that the match cannot be read any more."""
    with storage.writing() as rows:
        # A trigger forbids to change entries.
        rows._db.execute("drop trigger entries_never_change")
        update = f"update entries set payload = {payload}"  # noqa: S608 - ours
        rows._db.execute(f"{update} where kind = 'start' and match_id = ?", [match])


@pytest.mark.parametrize("payload", GARBLED_PAYLOADS)
def test_match_with_garbled_log_is_found_by_its_names(
    finished: Table, pad: Pad, storage: Storage, payload: str
) -> None:
    # The start of the match, an entry of its log, is overwritten: the log cannot be read any more.
    garble_log(storage, finished.match, payload)

    # Names and places are also stored beside the log, so that matches can be searched.
    assert [match.id for match in pad.records.search(PHONE, "lea")] == [finished.match]
    assert [match.id for match in pad.records.search(PHONE, "circolo")] == [finished.match]
    names = {player.name for player in pad.records.list_named_players(PHONE)}
    assert names == {"Ada", "Eva", "Ivo", "Lea", "Ugo"}


@pytest.mark.parametrize("payload", GARBLED_PAYLOADS)
def test_player_has_readable_matches_beside_one_with_garbled_log(
    table: Table, finished: Table, pad: Pad, storage: Storage, payload: str
) -> None:
    # Ada plays in two matches, `table` and `finished`; Lea only in `finished`, which was changed
    # last, and is read first. Its log is garbled: the match cannot be read any more.
    garble_log(storage, finished.match, payload)

    # Ada still has the other match.
    (readable,) = find_player(pad, "Ada").matches
    assert readable.summary.id == table.match

    # Lea is found by her name, but has no match that can be read.
    assert find_player(pad, "Lea").matches == ()


def test_player_in_seat_changes_with_the_hand_after_a_replacement(table: Table) -> None:
    # Lea takes Ugo's seat after the first hand.
    table.play(hand_of_430_and_60())
    table.swap(UGOS_SEAT, "Ugo", "Lea")
    table.play(hand_of_430_and_60())

    assert table.state.find_player_in_seat(UGOS_SEAT, 1) == "Ugo"
    assert table.state.find_player_in_seat(UGOS_SEAT, 2) == "Lea"

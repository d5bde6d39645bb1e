"""Looking back: what happened in a match, who played what, and matches found by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId, as_admin
from scorepad.matches.events import (
    Correction,
    EndHow,
    Labels,
)
from scorepad.matches.hands import ShownCounts
from scorepad.matches.history import AuditEntry, HandPoints, Player, Result
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


def done(table: Table, device: DeviceId = PHONE) -> tuple[AuditEntry, ...]:
    return table.pad.records.audit(table.match, device)


def player(pad: Pad, name: str, device: DeviceId = PHONE) -> Player:
    found = pad.records.find_player(device, name)
    assert found is not None
    return found


# ---------------------------------------------------------------------------------------- the audit


def test_an_entry_is_told_against_what_stood_then_whatever_was_undone_before(table: Table) -> None:
    table.play(usual())
    counts = [hand(counted(cards), counted(100, 40)) for cards in (250, 350, 300)]
    table.correct(1, counts[0])
    table.undo()
    table.correct(1, counts[1])
    table.correct(1, counts[2])
    corrections = [each for each in done(table) if isinstance(each.event, Correction)]
    before = [[side.points for side in each.before.sides] for each in corrections]
    assert before == [[430, 60], [430, 60], [350, 60]]
    assert [each.undone for each in corrections] == [4, None, None]


def test_the_sides_are_named_as_they_were_called_when_it_was_done(table: Table) -> None:
    table.play(usual())
    labels = Labels(("Rossi", "Loro"), (("Ada", "Ugo"), ("Eva", "Ivo")), "Bar")
    table.pad.actions.rename(table.request(), table.match, PHONE, labels)
    table.play(usual())
    table.undo()
    table.undo()
    table.play(usual())
    names = [each.names[0] for each in done(table)]
    assert names == ["Noi", "Noi", "Noi", "Rossi", "Rossi", "Rossi", "Noi"]
    assert done(table)[2].before.names == ("Noi", "Loro")


def test_the_count_that_was_chosen_is_told_with_the_other_until_the_choice_is_undone(
    table: Table,
) -> None:
    other = table.let_in(TABLET)
    table.check()
    table.play(usual())
    first = table.entry()
    other.contest(hand(counted(250, 20), counted(100, 40)))
    second = done(table)[-1].sequence
    shown = ShownCounts(first, second)
    other.choose(shown, first)
    assert done(table)[-1].chosen == done(table)[-1].before
    table.undo("ci siamo sbagliati")
    table.choose(shown, second)
    chosen = done(table)[-1]
    counts = {each.sequence: each.event for each in done(table)}
    assert (chosen.chosen, chosen.before) == (counts[second], counts[first])
    table.undo("ci siamo sbagliati")
    table.correct(1, usual())
    assert done(table)[-1].before == counts[first], "the choice was undone"


def test_devices_go_by_their_number_even_when_they_are_out(table: Table, pad: Pad) -> None:
    table.let_in(TABLET).play(usual())
    tablet = pad.devices.list_devices(table.match, PHONE)[1].device
    pad.devices.remove_device(table.match, PHONE, tablet)
    Table(pad, table.match, ADMIN).play(usual())
    Table(pad, table.match, as_admin(DeviceId("desk"))).play(usual())
    mine, theirs, _, command_line, desk = [each.by for each in done(table)]
    assert (mine.number, mine.is_mine) == (1, True)
    assert (theirs.number, theirs.is_mine) == (2, False)
    assert command_line.is_command_line
    assert (desk.number, desk.is_command_line, desk.is_mine) == (None, False, False)
    assert done(table, as_admin(DeviceId("desk")))[-1].by.is_mine


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


def test_a_player_has_won_and_lost_with_averages_best_hand_and_highest_total(
    table: Table, pad: Pad
) -> None:
    table.play(*FIVE_HANDS)
    table.end(EndHow.TIME)
    ada, eva = player(pad, "Ada"), player(pad, "Eva")
    assert [match.result for match in (*ada.matches, *eva.matches)] == [Result.WON, Result.LOST]
    figures = ada.units[0]
    assert (figures.hands, figures.by_hand, figures.by_match) == (5, 424.0, 2120.0)
    assert figures.best == HandPoints(table.match, 2, 830, 1280)
    assert figures.highest == HandPoints(table.match, 5, 85, 2120)
    assert (eva.units[0].by_hand, eva.units[0].by_match) == (177.0, 885.0)
    assert eva.units[0].best == HandPoints(table.match, 3, 420, 490)
    assert eva.units[0].highest == HandPoints(table.match, 5, 405, 885)


def test_figures_follow_a_correction_and_an_undo(table: Table, pad: Pad) -> None:
    table.play(*FIVE_HANDS)
    assert player(pad, "Ada").units[0].by_hand == 424.0
    table.correct(3, hand(counted(70, 35), counted(130, 10, mixed_canasta=1)))
    table.correct(3, hand(counted(170, 35), counted(130, 10, mixed_canasta=1)))
    assert player(pad, "Ada").units[0].by_hand == 444.0
    table.undo()
    table.undo()
    table.undo()
    assert (player(pad, "Ada").units[0].hands, player(pad, "Ada").units[0].by_hand) == (4, 508.75)


def test_who_was_replaced_has_the_hands_until_then_and_who_replaced_the_match(
    table: Table, pad: Pad
) -> None:
    table.swap((0, 1), "Ugo", "Leo")
    table.swap((0, 1), "Leo", "Lea")
    table.play(*FIVE_HANDS[:2])
    table.swap((0, 1), "Lea", "Gino")
    table.play(*FIVE_HANDS[2:])
    table.end(EndHow.GIVEN_UP, side=1)
    assert pad.records.find_player(PHONE, "Leo") is None, "gone before the first hand"
    lea, gino = player(pad, "Lea"), player(pad, "Gino")
    assert (lea.units[0].hands, lea.units[0].by_hand, lea.units[0].by_match) == (2, 640.0, None)
    assert (gino.units[0].hands, gino.units[0].by_hand) == (3, 280.0)
    assert gino.units[0].by_match == 2120.0
    assert (lea.matches[0].result, gino.matches[0].result) == (Result.LEFT, Result.WON)


def test_names_are_compared_as_they_are_read_aloud_and_written_as_they_were_last(
    start: Start, pad: Pad
) -> None:
    for name in ("NICOLÒ", "Nicolò"):
        labels = replace(TWO_AGAINST_TWO.labels, players=((name, "Ugo"), ("", "")))
        start(replace(TWO_AGAINST_TWO, labels=labels))
    found = player(pad, "nicolo\N{COMBINING GRAVE ACCENT}")
    assert (found.name, len(found.matches)) == ("Nicolò", 2)
    told = [(each.name, each.matches) for each in pad.records.list_named_players(PHONE)]
    assert told == [("Nicolò", 2), ("Ugo", 2)]
    assert pad.records.find_player(PHONE, "Nicolo") is None, "another name"


def test_a_hand_sat_out_is_not_a_hand_played(pad: Pad, start: Start) -> None:
    new = NewMatch(
        "cinque", None, {}, Labels(("Noi", "Loro"), (("Ada", "Ugo"), ("Eva", "Ivo", "Lia")))
    )
    table = start(new)
    table.play(usual(), usual(), usual())
    resting = [turn.turn.resting for turn in table.state.hands]
    assert resting == [((1, 2),), ((1, 1),), ((1, 0),)]
    assert [hand.number for hand in player(pad, "Lia").matches[0].hands] == [2, 3]
    assert [hand.number for hand in player(pad, "Eva").matches[0].hands] == [1, 2]
    assert len(player(pad, "Ada").matches[0].hands) == 3


@pytest.mark.parametrize(
    ("how", "side", "cards", "results"),
    [
        (EndHow.BROKEN_OFF, None, 60, (Result.BROKEN_OFF, Result.BROKEN_OFF)),
        (EndHow.GIVEN_UP, 0, 60, (Result.LOST, Result.WON)),
        (EndHow.TIME, None, 60, (Result.WON, Result.LOST)),
        (EndHow.TIME, None, 100, (Result.DRAWN, Result.DRAWN)),
        (None, None, 60, (Result.GOING_ON, Result.GOING_ON)),
    ],
)
def test_a_match_is_won_and_lost_only_where_it_was_decided(
    pad: Pad,
    start: Start,
    how: EndHow | None,
    side: int | None,
    cards: int,
    results: tuple[Result, Result],
) -> None:
    """What was on paper counts for the total of a match, and not for the hands."""
    table = start(replace(TWO_AGAINST_TWO, carried=(1000, 1000), played=3))
    table.play(hand(counted(100), counted(cards)))
    if how:
        table.end(how, side=side)
    ada, eva = player(pad, "Ada"), player(pad, "Eva")
    assert (ada.matches[0].result, eva.matches[0].result) == results
    is_decided = results[0] not in (Result.BROKEN_OFF, Result.GOING_ON)
    assert ada.units[0].by_match == (1100.0 if is_decided else None)
    assert (ada.units[0].hands, ada.units[0].by_hand) == (1, 100.0)


def test_players_are_those_of_the_devices_own_matches_and_never_of_a_practice_match(
    pad: Pad, start: Start
) -> None:
    practice = start(replace(TWO_AGAINST_TWO, practice=True))
    practice.play(usual())
    practice.end(EndHow.TIME)
    listed = pad.summaries(PHONE)
    assert [match.id for match in listed.practice] == [practice.match]
    assert (listed.in_progress, listed.finished) == ((), ())
    assert len(pad.summaries(as_admin(PHONE)).practice) == 1
    assert not any(pad.summaries(ADMIN))
    assert pad.records.search(PHONE, "ada") == pad.records.list_named_players(PHONE) == ()
    start()
    assert {each.name for each in pad.records.list_named_players(PHONE)} == {
        "Ada",
        "Ugo",
        "Eva",
        "Ivo",
    }
    assert len(player(pad, "Ada").matches) == 1
    assert pad.records.list_named_players(TABLET) == ()
    assert pad.records.find_player(TABLET, "Ada") is None
    assert len(player(pad, "Ada", ADMIN).matches) == 1


# ------------------------------------------------------------------------------------------ by name


def test_finished_matches_are_found_by_side_player_and_place_whatever_the_accents(
    pad: Pad, start: Start
) -> None:
    new = replace(
        TWO_AGAINST_TWO,
        labels=replace(
            TWO_AGAINST_TWO.labels,
            names=("D’Angelo", "Müller"),
            players=(("Nicolò", ""), ("", "")),
            place="Caffè Roma",
        ),
    )
    table = start(new)
    table.play(usual())
    table.swap((0, 0), "Nicolò", "Lea")
    table.end(EndHow.TIME)
    other = start()
    other.play(usual())
    other.end(EndHow.TIME)
    for wanted in ("d'angelo", "MULLER", "nicolo", "lea", "caffe", "muller roma", "ang"):
        assert [match.id for match in pad.records.search(PHONE, wanted)] == [table.match], wanted
    assert [match.id for match in pad.records.search(PHONE, "a")] == [other.match, table.match]
    assert pad.records.search(PHONE, "ada roma") == ()
    assert pad.records.search(TABLET, "lea") == ()


@pytest.fixture
def over(pad: Pad, start: Start) -> Table:
    """A match of Ada and Ugo against Eva and Ivo at Circolo: Ugo left for Lea, Zoe was a mistake;
    it is over.
    """
    table = start(replace(TWO_AGAINST_TWO, labels=replace(TWO_AGAINST_TWO.labels, place="Circolo")))
    table.play(usual())
    table.swap((0, 1), "Ugo", "Lea")
    table.play(usual())
    pad.actions.rename(
        table.request(),
        table.match,
        PHONE,
        Labels(("Noi", "Loro"), (("Ada", "Lea"), ("Zoe", "Ivo")), "Bar Roma"),
    )
    table.undo()
    table.end(EndHow.TIME)
    return table


@pytest.mark.parametrize("device", [PHONE, ADMIN])
@pytest.mark.parametrize(("wanted", "is_found"), [
    ("lea", True), ("ugo", True), ("circolo ugo eva", True), ("zoe", False), ("roma", False), ("zoe circolo", False),
])  # fmt: skip
def test_who_left_is_found_and_what_was_undone_is_not(
    over: Table, pad: Pad, device: DeviceId, wanted: str, is_found: bool
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
def test_where_a_log_is_garbled_its_names_in_the_list_and_all_other_matches_are_found(
    table: Table, over: Table, pad: Pad, storage: Storage, payload: str
) -> None:
    """The garbled one was changed last: it is the first to be read."""
    with storage.writing() as rows:
        rows._db.execute("drop trigger entries_never_change")
        rows._db.execute(
            f"update entries set payload = {payload} where kind = 'start' and match_id = ?",  # noqa: S608
            [over.match],
        )
    assert [match.id for match in pad.records.search(PHONE, "lea")] == [over.match]
    assert [match.id for match in pad.records.search(PHONE, "circolo")] == [over.match]
    told = pad.records.list_named_players(PHONE)
    assert {each.name for each in told} == {"Ada", "Eva", "Ivo", "Lea", "Ugo"}
    assert [match.summary.id for match in player(pad, "Ada").matches] == [table.match]
    assert player(pad, "Lea").matches == ()

"""Looking back: what happened in a match, who played what, and matches found by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access, DeviceId, MatchNotFound, RequestId, as_admin
from scorepad.matches.actions import NewPenalty
from scorepad.matches.events import (
    Checking,
    ChosenCount,
    Confirm,
    Contest,
    Correction,
    EndHow,
    Ending,
    Event,
    Labels,
    NewHand,
    NotedPenalty,
    Remark,
    Rename,
    Replacement,
    RulesChange,
    Undo,
)
from scorepad.matches.events import (
    Start as Started,
)
from scorepad.matches.hands import SentHand, ShownCounts, ShownDraft
from scorepad.matches.history import AuditEntry, HandPoints, Player, Result
from scorepad.matches.keys import Keys
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from tests.matches.conftest import PHONE, TABLET, TWO_AGAINST_TWO, Table
from tests.matches.whole_matches import whole

requests = (RequestId(f"r-{number}") for number in range(10_000))
Start = Callable[..., Table]


def done(table: Table, device: DeviceId = PHONE) -> tuple[AuditEntry, ...]:
    return table.pad.records.audit(table.match, device)


def events(table: Table) -> list[Event]:
    return [each.event for each in done(table)]


def saved(answer: object) -> Saved:
    assert isinstance(answer, Saved), answer
    return answer


def end(table: Table, how: EndHow, side: int | None = None) -> None:
    seen = len(table.state.hands)
    saved(
        table.pad.actions.end(
            next(requests), table.match, table.device, seen, Ending(how, None, side)
        )
    )


def swap(table: Table, seat: tuple[int, int], was: str, name: str) -> None:
    saved(table.pad.actions.replace(next(requests), table.match, table.device, seat, was, name))


def player(pad: Pad, name: str, device: DeviceId = PHONE) -> Player:
    found = pad.records.player(device, name)
    assert found is not None
    return found


def let_in(table: Table, pad: Pad, device: DeviceId) -> None:
    """Another device, by a key made for it."""
    pad.devices.enter(
        pad.devices.renew(table.match, PHONE, Access.WRITE, Keys("", "")).write, device
    )


# ---------------------------------------------------------------------------------------- the audit


def test_every_entry_is_told_in_its_order_with_what_it_changed(table: Table, build: Any) -> None:
    table.play(build.usual())
    table.correct(
        1,
        build.hand(build.counted(250, 20, mixed_canasta=1), build.counted(100, 40)),
        "un asso in più",
    )
    table.undo()
    started, counted, corrected, undone = done(table)
    assert [each.sequence for each in done(table)] == [1, 2, 3, 4]
    assert isinstance(started.event, Started)
    assert started.event.labels.players == (("Ada", "Ugo"), ("Eva", "Ivo"))
    assert isinstance(counted.event, NewHand)
    assert counted.before is None
    assert [side.points for side in counted.event.sides] == [430, 60]
    assert isinstance(corrected.event, Correction)
    assert corrected.before == counted.event
    assert [side.points for side in corrected.event.sides] == [530, 60]
    assert corrected.event.reason == "un asso in più"
    assert undone.event == Undo(3, "correction", 1, "")
    assert [each.undone for each in done(table)] == [None, None, 4, None]
    assert (counted.event.number, corrected.event.number) == (1, 1)


def test_a_correction_is_told_against_what_stood_then_whatever_was_undone_before(
    table: Table, build: Any
) -> None:
    table.play(build.usual())
    table.correct(1, build.hand(build.counted(250, 20, mixed_canasta=1), build.counted(100, 40)))
    table.undo()
    table.correct(1, build.hand(build.counted(350, 20, mixed_canasta=1), build.counted(100, 40)))
    last = done(table)[-1]
    assert isinstance(last.event, Correction)
    assert [side.points for side in last.before.sides] == [430, 60]
    table.correct(1, build.hand(build.counted(300, 20, mixed_canasta=1), build.counted(100, 40)))
    last = done(table)[-1]
    assert isinstance(last.event, Correction)
    assert [side.points for side in last.before.sides] == [630, 60]


def test_the_sides_are_named_as_they_were_called_when_it_was_done(table: Table, build: Any) -> None:
    table.play(build.usual())
    names = ("Rossi", "Loro")
    table.pad.actions.rename(
        table.request(), table.match, PHONE, Labels(names, (("Ada", "Ugo"), ("Eva", "Ivo")), "Bar")
    )
    table.play(build.usual())
    table.undo()
    table.undo()
    assert [each.names[0] for each in done(table)] == [
        "Noi",
        "Noi",
        "Noi",
        "Rossi",
        "Rossi",
        "Rossi",
    ]
    renamed = done(table)[2]
    assert isinstance(renamed.event, Rename)
    assert (renamed.before.names, renamed.event.names) == (("Noi", "Loro"), names)
    assert (renamed.before.place, renamed.event.place) == ("", "Bar")
    table.play(build.usual())
    assert done(table)[-1].names[0] == "Noi", "the rename was undone"


def test_whoever_contests_and_whoever_chooses_are_told_with_both_countings(
    table: Table, pad: Pad, build: Any
) -> None:
    let_in(table, pad, TABLET)
    saved(pad.checking.switch(next(requests), table.match, PHONE, on=True))
    table.play(build.usual())
    first = table.state.hands[0].versions[-1].sequence
    other = build.hand(build.counted(250, 20, mixed_canasta=1), build.counted(100, 40))
    saved(
        pad.checking.contest(
            next(requests),
            table.match,
            TABLET,
            1,
            first,
            SentHand(hand=other, reason="mancava un asso"),
        )
    )
    second = done(table)[-1].sequence
    saved(
        pad.checking.choose(
            next(requests), table.match, PHONE, 1, ShownCounts(first, second), second
        )
    )
    switched, counted, contested, chosen = done(table)[2:]
    assert switched.event == Checking(on=True)
    assert isinstance(counted.event, NewHand)
    assert isinstance(contested.event, Contest)
    assert contested.before == counted.event
    assert contested.event.reason == "mancava un asso"
    assert isinstance(chosen.event, ChosenCount)
    assert (chosen.chosen, chosen.before) == (contested.event, counted.event)
    saved(pad.undo(next(requests), table.match, PHONE, table.state.sequence, "ci siamo sbagliati"))
    assert events(table)[-1] == Undo(done(table)[-2].sequence, "choice", 1, "ci siamo sbagliati")
    saved(table.correct(1, build.usual()))
    again = done(table)[-1]
    assert isinstance(again.event, Correction)
    assert again.before == counted.event, "the choice was undone"


def test_the_first_count_chosen_is_told_as_such_and_so_is_a_confirmation(
    table: Table, pad: Pad, build: Any
) -> None:
    let_in(table, pad, TABLET)
    saved(pad.checking.switch(next(requests), table.match, PHONE, on=True))
    table.play(build.usual())
    first = table.state.hands[0].versions[-1].sequence
    other = build.hand(build.counted(250, 20, mixed_canasta=1), build.counted(100, 40))
    saved(pad.checking.contest(next(requests), table.match, TABLET, 1, first, SentHand(hand=other)))
    saved(
        pad.checking.choose(
            next(requests), table.match, TABLET, 1, ShownCounts(first, first + 1), first
        )
    )
    table.play(build.usual())
    second = table.state.hands[1].versions[-1].sequence
    saved(pad.checking.confirm(next(requests), table.match, TABLET, 2, second))
    *_, chosen, _, confirmed = done(table)
    assert isinstance(chosen.event, ChosenCount)
    assert chosen.chosen == chosen.before
    assert confirmed.event == Confirm(2, second)


def test_a_penalty_tells_whose_it_is_what_for_and_the_points_of_the_rules(
    table: Table, pad: Pad
) -> None:
    coming = pad.open(table.match, PHONE).id
    pad.actions.add_penalty(
        next(requests), table.match, PHONE, coming, NewPenalty(1, "draw-out-of-turn")
    )
    own = NewPenalty(0, "house", 25, "Ha parlato")
    pad.actions.add_penalty(next(requests), table.match, PHONE, coming, own)
    first, second = done(table)[1:]
    assert first.event == NotedPenalty(1, 1, "draw-out-of-turn", None, "")
    assert second.event == NotedPenalty(1, 0, "house", 25, "Ha parlato")
    assert (first.event.cost(first.rules), second.event.cost(second.rules)) == (100, 25)


def test_notes_ends_rules_and_players_are_told_with_what_was_before(
    table: Table, pad: Pad, build: Any
) -> None:
    saved(pad.actions.change_rules(next(requests), table.match, PHONE, None, {"target": 3000}))
    table.play(build.usual())
    saved(pad.actions.remark(next(requests), table.match, PHONE, 1, "", "bella"))
    saved(pad.actions.remark(next(requests), table.match, PHONE, 1, "bella", ""))
    swap(table, (0, 1), "Ugo", "Gino")
    end(table, EndHow.TIME)
    rules, _, noted, removed, taken, ended = done(table)[1:]
    assert isinstance(rules.event, RulesChange)
    assert (rules.before.options["target"], rules.rules.options["target"]) == (5000, 3000)
    assert (noted.event, noted.before) == (Remark(1, "bella"), "")
    assert (removed.event, removed.before) == (Remark(1, ""), "bella")
    assert isinstance(taken.event, Replacement)
    assert (taken.event.was, taken.event.name, taken.event.number) == ("Ugo", "Gino", 2)
    assert ended.event == Ending(EndHow.TIME)


def test_devices_go_by_their_number_even_when_they_are_out(
    table: Table, pad: Pad, build: Any
) -> None:
    let_in(table, pad, TABLET)
    Table(pad, table.match, TABLET).play(build.usual())
    tablet = pad.devices.phones(table.match, PHONE)[1].device
    pad.devices.remove(table.match, PHONE, tablet)
    Table(pad, table.match, ADMIN).play(build.usual())
    Table(pad, table.match, as_admin(DeviceId("desk"))).play(build.usual())
    mine, _, theirs, _, command_line, desk = [each.by for each in done(table)]
    assert (mine.number, mine.is_mine) == (1, True)
    assert (theirs.number, theirs.is_mine) == (2, False)
    assert command_line.is_command_line
    assert (desk.number, desk.is_command_line, desk.is_mine) == (None, False, False)
    assert done(table, as_admin(DeviceId("desk")))[-1].by.is_mine


def test_the_side_of_a_device_is_that_which_it_said_then(
    table: Table, pad: Pad, build: Any
) -> None:
    pad.devices.sit(table.match, PHONE, 0)
    table.play(build.usual())
    assert [each.by.side for each in done(table)] == [0, 0]
    pad.devices.sit(table.match, PHONE, 1)
    table.play(build.usual())
    assert [each.by.side for each in done(table)] == [None, 0, 1], (
        "of the start nobody knows any more"
    )


def test_a_device_that_may_not_see_the_match_is_told_nothing(table: Table, pad: Pad) -> None:
    with pytest.raises(MatchNotFound):
        pad.records.audit(table.match, TABLET)


# ------------------------------------------------------------------------------------------ players


def test_a_player_has_won_and_lost_with_averages_best_hand_and_highest_total(
    table: Table, pad: Pad, five_hands: Any
) -> None:
    table.play(*five_hands)
    end(table, EndHow.TIME)
    ada, eva = player(pad, "Ada"), player(pad, "Eva")
    assert [match.result for match in (*ada.matches, *eva.matches)] == [Result.WON, Result.LOST]
    figures = ada.units[0]
    assert (figures.hands, figures.by_hand, figures.by_match) == (5, 424.0, 2120.0)
    assert figures.best == HandPoints(table.match, 2, 830, 1280)
    assert figures.highest == HandPoints(table.match, 5, 85, 2120)
    assert (eva.units[0].by_hand, eva.units[0].by_match) == (177.0, 885.0)
    assert eva.units[0].best == HandPoints(table.match, 3, 420, 490)
    assert eva.units[0].highest == HandPoints(table.match, 5, 405, 885)


def test_figures_follow_a_correction_and_an_undo(
    table: Table, pad: Pad, five_hands: Any, build: Any
) -> None:
    table.play(*five_hands)
    assert player(pad, "Ada").units[0].by_hand == 424.0
    table.correct(3, build.hand(build.counted(70, 35), build.counted(130, 10, mixed_canasta=1)))
    table.correct(3, build.hand(build.counted(170, 35), build.counted(130, 10, mixed_canasta=1)))
    assert player(pad, "Ada").units[0].by_hand == 444.0
    table.undo()
    table.undo()
    table.undo()
    assert (player(pad, "Ada").units[0].hands, player(pad, "Ada").units[0].by_hand) == (4, 508.75)


def test_who_was_replaced_has_the_hands_until_then_and_who_replaced_the_match(
    table: Table, pad: Pad, five_hands: Any
) -> None:
    table.play(*five_hands[:2])
    swap(table, (0, 1), "Ugo", "Gino")
    table.play(*five_hands[2:])
    end(table, EndHow.GIVEN_UP, side=1)
    ugo, gino = player(pad, "Ugo"), player(pad, "Gino")
    assert (ugo.units[0].hands, ugo.units[0].by_hand, ugo.units[0].by_match) == (2, 640.0, None)
    assert [match.result for match in ugo.matches] == [Result.LEFT]
    assert (gino.units[0].hands, gino.units[0].by_hand, gino.units[0].by_match) == (
        3,
        280.0,
        2120.0,
    )
    assert [match.result for match in gino.matches] == [Result.WON]


def test_who_leaves_before_the_first_hand_has_not_played(
    table: Table, pad: Pad, build: Any
) -> None:
    swap(table, (0, 1), "Ugo", "Gino")
    swap(table, (0, 1), "Gino", "Lea")
    table.play(build.usual())
    assert pad.records.player(PHONE, "Ugo") is None
    assert pad.records.player(PHONE, "Gino") is None
    assert player(pad, "Lea").units[0].hands == 1


def test_a_name_put_right_is_the_same_player_from_the_first_hand(
    table: Table, pad: Pad, build: Any
) -> None:
    table.play(build.usual())
    pad.actions.rename(
        table.request(),
        table.match,
        PHONE,
        Labels(("Noi", "Loro"), (("Adele", "Ugo"), ("Eva", "Ivo")), ""),
    )
    assert pad.records.player(PHONE, "Ada") is None
    assert player(pad, "Adele").units[0].hands == 1


def test_names_are_compared_as_they_are_read_aloud_and_written_as_they_were_last(
    start: Start, pad: Pad
) -> None:
    start(
        replace(
            TWO_AGAINST_TWO,
            labels=replace(TWO_AGAINST_TWO.labels, players=(("NICOLÒ", "Ugo"), ("", ""))),
        )
    )
    start(
        replace(
            TWO_AGAINST_TWO,
            labels=replace(TWO_AGAINST_TWO.labels, players=(("Nicolò", "Ugo"), ("", ""))),
        )
    )
    found = player(pad, "nicolo\N{COMBINING GRAVE ACCENT}")
    assert (found.name, len(found.matches)) == ("Nicolò", 2)
    assert [(each.name, each.matches) for each in pad.records.players(PHONE)] == [
        ("Nicolò", 2),
        ("Ugo", 2),
    ]
    assert pad.records.player(PHONE, "Nicolo") is None, "another name"


def test_one_who_sits_alone_goes_by_the_name_of_the_side_and_in_cutthroat_scores_alone(
    pad: Pad, start: Start
) -> None:
    match = whole("tagliagola")
    table = start(match.new)
    table.play(*match.hands_of_pad)
    finals = dict(zip(match.new.labels.names, match.totals[-1], strict=True))
    for name, final in finals.items():
        figures = player(pad, name).units[0]
        assert (figures.by_match, figures.by_hand) == (float(final), final / len(match.hands))
        assert figures.results[Result.WON] == (name == match.winner)


def test_a_hand_sat_out_is_not_a_hand_played(pad: Pad, start: Start, build: Any) -> None:
    new = NewMatch(
        "cinque", None, {}, Labels(("Noi", "Loro"), (("Ada", "Ugo"), ("Eva", "Ivo", "Lia")))
    )
    table = start(new)
    table.play(build.usual(), build.usual(), build.usual())
    resting = [turn.turn.resting for turn in table.state.hands]
    assert resting == [((1, 2),), ((1, 1),), ((1, 0),)]
    assert [hand.number for hand in player(pad, "Lia").matches[0].hands] == [2, 3]
    assert [hand.number for hand in player(pad, "Eva").matches[0].hands] == [1, 2]
    assert len(player(pad, "Ada").matches[0].hands) == 3


def test_units_are_not_mixed_with_points(pad: Pad, start: Start, build: Any) -> None:
    mini = whole("mini")
    labels = replace(mini.new.labels, names=("Ada", *mini.new.labels.names[1:]))
    table = start(replace(mini.new, labels=labels))
    table.play(*mini.hands_of_pad)
    start().play(build.usual())
    ada = player(pad, "Ada")
    final = mini.totals[-1][0]
    assert {(each.unit, each.by_hand) for each in ada.units} == {
        ("points", 430.0),
        ("units", final / len(mini.hands)),
    }
    assert {each.variant for each in ada.variants} == {"classica", "mini"}


@pytest.mark.parametrize(
    ("how", "side", "results"),
    [
        (EndHow.BROKEN_OFF, None, (Result.BROKEN_OFF, Result.BROKEN_OFF)),
        (EndHow.GIVEN_UP, 0, (Result.LOST, Result.WON)),
        (EndHow.TIME, None, (Result.WON, Result.LOST)),
        (None, None, (Result.GOING_ON, Result.GOING_ON)),
    ],
)
def test_a_match_is_won_and_lost_only_where_it_was_decided(
    table: Table,
    pad: Pad,
    build: Any,
    how: EndHow | None,
    side: int | None,
    results: tuple[Result, Result],
) -> None:
    table.play(build.usual())
    if how:
        end(table, how, side)
    ada, eva = player(pad, "Ada"), player(pad, "Eva")
    assert (ada.matches[0].result, eva.matches[0].result) == results
    assert (ada.units[0].by_match is None) == (results[0] in (Result.BROKEN_OFF, Result.GOING_ON))
    assert ada.units[0].by_hand == 430.0


def test_the_highest_equal_at_an_agreed_end_are_level(table: Table, pad: Pad, build: Any) -> None:
    table.play(build.hand(build.counted(100, 40), build.counted(100, 40)))
    end(table, EndHow.TIME)
    assert player(pad, "Ada").matches[0].result is Result.DRAWN


def test_points_from_paper_count_for_the_total_and_not_for_the_hands(
    pad: Pad, start: Start, build: Any
) -> None:
    table = start(replace(TWO_AGAINST_TWO, carried=(1000, 2000), played=3))
    table.play(build.usual())
    end(table, EndHow.TIME)
    figures = player(pad, "Ada").units[0]
    assert (figures.hands, figures.by_hand, figures.by_match) == (1, 430.0, 1430.0)
    assert figures.results[Result.LOST] == 1


def test_of_two_hands_that_are_equal_the_first_one_has_the_honour(
    pad: Pad, start: Start, build: Any
) -> None:
    first = start()
    first.play(build.usual(), build.usual())
    start().play(build.usual())
    best = player(pad, "Ada").units[0].best
    assert best is not None
    assert (best.match, best.number) == (first.match, 1)


def test_players_are_those_of_the_devices_own_matches_and_never_of_a_practice_match(
    pad: Pad, start: Start, build: Any
) -> None:
    practice = start(replace(TWO_AGAINST_TWO, practice=True))
    practice.play(build.usual())
    assert pad.records.players(PHONE) == ()
    start()
    assert {each.name for each in pad.records.players(PHONE)} == {"Ada", "Ugo", "Eva", "Ivo"}
    assert len(player(pad, "Ada").matches) == 1
    assert pad.records.players(TABLET) == ()
    assert pad.records.player(TABLET, "Ada") is None
    assert len(player(pad, "Ada", ADMIN).matches) == 1


def test_a_match_that_cannot_be_read_keeps_none_of_the_others_back(
    pad: Pad, start: Start, storage: Storage
) -> None:
    start()
    broken = start(
        replace(
            TWO_AGAINST_TWO, labels=replace(TWO_AGAINST_TWO.labels, players=(("Zoe", ""), ("", "")))
        )
    )
    with storage.writing() as rows:
        rows._db.execute("drop trigger entries_never_change")
        rows._db.execute("update entries set payload = '{}' where match_id = ?", [broken.match])
    told = pad.records.players(PHONE)
    assert {each.name for each in told} == {"Ada", "Ugo", "Eva", "Ivo", "Zoe"}
    assert len(player(pad, "Ada").matches) == 1
    assert player(pad, "Zoe").matches == ()


# ------------------------------------------------------------------------------------------ by name


def test_finished_matches_are_found_by_side_player_and_place_whatever_the_accents(
    pad: Pad, start: Start, build: Any
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
    table.play(build.usual())
    swap(table, (0, 0), "Nicolò", "Lea")
    end(table, EndHow.TIME)
    other = start()
    other.play(build.usual())
    end(other, EndHow.TIME)
    for wanted in ("d'angelo", "MULLER", "nicolo", "lea", "caffe", "muller roma", "ang"):
        assert [match.id for match in pad.records.search(PHONE, wanted)] == [table.match], wanted
    assert [match.id for match in pad.records.search(PHONE, "a")] == [other.match, table.match]
    assert pad.records.search(PHONE, "ada roma") == ()
    assert pad.records.search(TABLET, "lea") == ()


def test_a_match_in_progress_is_not_searched(pad: Pad, start: Start) -> None:
    start()
    assert pad.records.search(PHONE, "ada") == ()


# ----------------------------------------------------------------------------------------- practice


def test_a_practice_match_stands_apart_and_only_for_whoever_came_into_it(
    pad: Pad, start: Start, build: Any
) -> None:
    table = start(replace(TWO_AGAINST_TWO, practice=True))
    table.play(build.usual())
    listed = pad.summaries(PHONE)
    assert [match.id for match in listed.practice] == [table.match]
    assert (listed.in_progress, listed.finished) == ((), ())
    end(table, EndHow.TIME)
    assert [match.id for match in pad.summaries(PHONE).practice] == [table.match]
    assert pad.records.search(PHONE, "ada") == ()
    assert not any(pad.summaries(TABLET))
    assert not any(pad.summaries(ADMIN))
    assert not any(pad.summaries(as_admin(TABLET)))
    assert len(pad.summaries(as_admin(PHONE)).practice) == 1


def test_a_note_on_a_hand_counted_with_one_is_told_with_the_hand(
    table: Table, pad: Pad, build: Any
) -> None:
    coming = pad.open(table.match, PHONE)
    said = {"remark": "bella mano"}
    saved(
        pad.count(
            next(requests),
            table.match,
            PHONE,
            ShownDraft(coming.id, coming.version),
            SentHand(hand=build.usual(), **said),
        )
    )
    saved(pad.actions.remark(next(requests), table.match, PHONE, 1, "bella mano", "bellissima"))
    counted, noted = done(table)[1:]
    assert isinstance(counted.event, NewHand)
    assert (counted.event.remark, counted.event.agreed) == (said["remark"], "")
    assert (noted.event, noted.before) == (Remark(1, "bellissima"), "bella mano")

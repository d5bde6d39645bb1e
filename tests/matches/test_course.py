"""What else happens to a match: penalties noted, ends agreed, players replaced, other rules, a
rematch, no match.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access, DeviceId, MatchNotFound, NotAllowed, NotOwner, RequestId
from scorepad.matches.actions import HandsCounted, NewPenalty
from scorepad.matches.events import EndHow, Ending, Labels
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.names import NamesRefused
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import MatchOver, Saved, Stale
from scorepad.schemas import Unusable
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.hands_read import hand_of
from tests.matches.conftest import PHONE, TABLET, TWO_AGAINST_TWO, Table, counted, hand, usual

LOOKER = DeviceId("looker")


def begin(pad: Pad, new: NewMatch = TWO_AGAINST_TWO) -> Table:
    started = pad.actions.start(RequestId("start"), PHONE, new)
    assert isinstance(started, Saved), started
    assert started.keys is not None
    pad.devices.enter(started.keys.write, TABLET)
    pad.devices.enter(started.keys.view, LOOKER)
    return Table(pad, started.match)


def end(table: Table, how: EndHow, name: str = "end", **more: Any) -> Saved | Stale:
    seen = len(table.state.hands)
    return table.pad.actions.end(RequestId(name), table.match, PHONE, seen, Ending(how, **more))


def undo(table: Table, name: str = "undo") -> Any:
    return table.pad.undo(RequestId(name), table.match, PHONE, table.state.sequence)


# --------------------------------------------------------------------------------------------- ends


@pytest.mark.parametrize(
    ("ending", "winner"),
    [
        (Ending(EndHow.TIME), 0),  # 430 against 60
        (Ending(EndHow.GIVEN_UP, side=0), 1),
        (Ending(EndHow.GIVEN_UP, side=1), 0),
        (Ending(EndHow.BROKEN_OFF), None),
    ],
)
def test_a_match_ends_as_the_table_agrees(pad: Pad, ending: Ending, winner: int | None) -> None:
    table = begin(pad)
    table.play(usual())
    assert isinstance(pad.actions.end(RequestId("end"), table.match, PHONE, 1, ending), Saved)
    state = table.state
    assert (state.status.finished, state.status.winner, state.ended_early) == (True, winner, True)
    with pytest.raises(MatchOver):
        pad.open(table.match, PHONE)
    assert [found.ending for found in pad.summaries(PHONE).finished] == [ending.how]
    undo(table)
    assert not table.state.status.finished
    assert pad.summaries(PHONE).finished == ()


def test_three_alone_of_whom_one_gives_up_leave_the_best_of_the_others(pad: Pad) -> None:
    table = begin(
        pad, NewMatch("tre", None, {}, Labels(("Ada", "Bea", "Carlo"), (("",), ("",), ("",))))
    )
    played = {"sides": {"a": counted(200), "b": counted(100), "c": counted(150)}, "out": None}
    table.play(hand_of(played, SIDE_KEYS))
    end(table, EndHow.GIVEN_UP, side=0)
    assert table.state.status.winner == 2


def test_a_last_hand_agreed_ends_the_match_when_it_is_counted(pad: Pad) -> None:
    table = begin(pad)
    table.play(usual())
    end(table, EndHow.LAST_HAND, hands=2)
    assert not table.state.status.finished
    table.play(usual())
    state = table.state
    assert (state.status.finished, state.status.winner, state.ended_early) == (True, 0, True)


def test_an_end_by_the_rules_comes_before_the_agreed_one(pad: Pad) -> None:
    table = begin(pad, replace(TWO_AGAINST_TWO, carried=(4600, 0)))
    end(table, EndHow.HANDS, hands=1)
    table.play(usual())  # 5,030: the target
    assert table.state.status.finished
    assert not table.state.ended_early


def test_a_correction_after_an_agreed_end_changes_who_won(pad: Pad) -> None:
    table = begin(pad)
    table.play(usual())
    end(table, EndHow.TIME)
    other = hand(counted(100, 40), counted(150, 20, mixed_canasta=1))
    pad.correct(
        RequestId("c"),
        table.match,
        PHONE,
        1,
        table.state.hands[0].versions[-1].sequence,
        SentHand(hand=other),
    )
    assert table.state.status.winner == 1


def test_an_end_agreed_is_taken_back_even_after_another_hand(pad: Pad) -> None:
    table = begin(pad)
    end(table, EndHow.HANDS, hands=2)
    table.play(usual())
    end(table, EndHow.BY_RULES, name="back")
    table.play(usual())
    assert not table.state.status.finished
    assert table.state.ending is None


def test_an_end_is_stale_where_a_hand_was_counted_meanwhile(pad: Pad) -> None:
    table = begin(pad)
    table.play(usual())
    assert isinstance(
        pad.actions.end(RequestId("end"), table.match, PHONE, 0, Ending(EndHow.TIME)), Stale
    )
    assert not table.state.status.finished


# --------------------------------------------------------------------------------------- from paper


def test_a_match_from_paper_goes_on_from_its_totals_below_zero_too(pad: Pad) -> None:
    table = begin(pad, replace(TWO_AGAINST_TWO, carried=(1480, -65)))
    assert [side.minimum for side in table.state.sides] == [50, 15]
    table.play(usual())
    assert table.totals == [1910, -5]
    assert table.state.scores[0][0] == 1480


@pytest.mark.parametrize(
    ("carried", "played", "codes"),
    [
        ((1482, 0), 0, ["carried-not-multiple"]),
        ((5000, 0), 0, ["carried-over"]),
        ((10_000_000, 0), 0, ["carried-too-large", "carried-over"]),
        ((100,), 0, ["carried-number"]),
    ],
)
def test_totals_that_no_paper_can_hold_are_refused(
    pad: Pad, carried: tuple[int, ...], played: int, codes: list[str]
) -> None:
    answer = pad.actions.start(
        RequestId("s"), PHONE, replace(TWO_AGAINST_TWO, carried=carried, played=played)
    )
    assert isinstance(answer, NamesRefused)
    assert [problem.code for problem in answer.problems] == codes


def test_of_four_deals_the_third_needs_its_own_minimum_after_two_on_paper(pad: Pad) -> None:
    new = NewMatch(
        "hand-and-foot",
        None,
        {},
        Labels(("Noi", "Loro"), (("", ""), ("", ""))),
        carried=(1000, 500),
        played=2,
    )
    table = begin(pad, new)
    # 50, 90, 120, 150: HF
    assert [side.minimum for side in table.state.sides] == [120, 120]
    assert table.state.coming == 3
    assert isinstance(
        pad.actions.start(RequestId("x"), PHONE, replace(new, played=4)), NamesRefused
    )


# ----------------------------------------------------------------------------------- players, rules


def test_somebody_takes_a_players_place_from_the_coming_hand_on(pad: Pad) -> None:
    table = begin(pad)
    table.play(usual())
    answer = pad.actions.replace(RequestId("r"), table.match, TABLET, (1, 0), "Eva", "Carla")
    assert isinstance(answer, Saved)
    assert table.state.sides[1].players == ("Carla", "Ivo")
    (taken,) = table.state.replacements
    assert (taken.seat, taken.was, taken.name, taken.number) == ((1, 0), "Eva", "Carla", 2)
    undo(table)
    assert table.state.sides[1].players == ("Eva", "Ivo")
    assert table.state.replacements == []


def test_a_replacement_of_somebody_who_sits_there_no_more_is_stale(pad: Pad) -> None:
    table = begin(pad)
    assert isinstance(
        pad.actions.replace(RequestId("r"), table.match, TABLET, (1, 0), "Zoe", "Carla"), Stale
    )


def test_who_plays_alone_is_replaced_under_the_sides_name(pad: Pad) -> None:
    table = begin(pad, NewMatch("due", None, {}, Labels(("Ada", "Bea"), (("",), ("",)))))
    pad.actions.replace(RequestId("r"), table.match, PHONE, (0, 0), "Ada", "Carla")
    assert table.state.sides[0].name == "Carla"
    refused = pad.actions.replace(RequestId("s"), table.match, PHONE, (0, 0), "Carla", " ")
    assert isinstance(refused, NamesRefused)


def test_options_and_target_change_before_the_first_hand_and_are_frozen_after(pad: Pad) -> None:
    table = begin(pad)
    answer = pad.actions.change_rules(RequestId("r"), table.match, PHONE, None, {"target": 3000})
    assert isinstance(answer, Saved)
    assert table.state.status.target == 3000
    undo(table)
    assert table.state.status.target == 5000
    pad.actions.change_rules(RequestId("again"), table.match, PHONE, None, {"target": 3000})
    table.play(usual())
    with pytest.raises(HandsCounted):
        pad.actions.change_rules(RequestId("late"), table.match, PHONE, None, {"target": 7000})


# -------------------------------------------------------------------------------------- in the hand


def test_a_penalty_noted_waits_for_the_count_and_is_taken_back(pad: Pad) -> None:
    table = begin(pad)
    coming = pad.open(table.match, PHONE)
    noted = NewPenalty(0, "draw-out-of-turn")
    for _ in range(2):  # sent twice, it is one
        pad.actions.add_penalty(RequestId("p"), table.match, TABLET, coming.id, noted)
    assert [(each.side, each.code) for each in table.state.noted_penalties] == [
        (0, "draw-out-of-turn")
    ]
    assert table.state.undoable is not None
    assert table.state.undoable.event.kind == "penalty"
    undo(table)
    assert table.state.noted_penalties == ()


def test_noting_a_penalty_and_undoing_it_leave_what_is_typed(pad: Pad) -> None:
    table = begin(pad)
    typed = {"a.cards": "150", "a.penalties.draw-out-of-turn": "1"}
    table.keep(typed)
    coming, noted = pad.open(table.match, PHONE), NewPenalty(0, "draw-out-of-turn")
    pad.actions.add_penalty(RequestId("p"), table.match, TABLET, coming.id, noted)
    assert pad.open(table.match, PHONE) == coming
    undo(table)
    assert pad.open(table.match, PHONE) == coming
    assert coming.draft == typed


def test_a_penalty_is_taken_back_whatever_was_done_since_until_the_hand_is_counted(
    pad: Pad,
) -> None:
    table = begin(pad)
    coming = pad.open(table.match, PHONE)
    for number, side in enumerate((0, 1)):
        noted = NewPenalty(side, "draw-out-of-turn")
        request = RequestId(f"p{number}")
        pad.actions.add_penalty(request, table.match, TABLET, coming.id, noted)
    first, second = (each.entry for each in table.state.noted_penalties)
    take_back = pad.actions.take_back_penalty
    assert isinstance(take_back(RequestId("b"), table.match, PHONE, first), Saved)
    assert [each.entry for each in table.state.noted_penalties] == [second]
    assert isinstance(take_back(RequestId("c"), table.match, PHONE, first), Stale)
    table.play(usual())
    assert table.totals == [430, -40]
    assert isinstance(take_back(RequestId("d"), table.match, PHONE, second), Stale)


def test_a_hand_is_not_counted_with_penalties_that_its_page_did_not_show(pad: Pad) -> None:
    table = begin(pad)
    coming, noted = pad.open(table.match, PHONE), NewPenalty(0, "draw-out-of-turn")
    pad.actions.add_penalty(RequestId("p"), table.match, TABLET, coming.id, noted)
    sent = SentHand(hand=usual(), draft={})
    before, after = ShownDraft(coming.id, 0, ()), ShownDraft(coming.id, 0, (2,))
    assert isinstance(pad.count(RequestId("old"), table.match, PHONE, before, sent), Stale)
    assert isinstance(pad.count(RequestId("new"), table.match, PHONE, after, sent), Saved)
    assert table.totals == [330, 60]


def test_a_penalty_noted_for_a_side_that_is_counted_by_a_sum_is_not_lost(pad: Pad) -> None:
    table = begin(pad)
    coming, noted = pad.open(table.match, PHONE), NewPenalty(0, "draw-out-of-turn")
    pad.actions.add_penalty(RequestId("p"), table.match, TABLET, coming.id, noted)
    summed = hand({"sum": 430}, {"sum": 60})
    with pytest.raises(Unusable) as refused:
        pad.count(
            RequestId("sum"), table.match, PHONE, ShownDraft(coming.id, 0), SentHand(hand=summed)
        )
    assert (refused.value.reason, refused.value.key) == ("unusable.sum-noted", "sides/a/sum")
    assert table.state.hands == []


def test_a_penalty_for_a_hand_that_is_over_is_stale(pad: Pad) -> None:
    table = begin(pad)
    coming = pad.open(table.match, PHONE)
    table.play(usual())
    noted = NewPenalty(0, "draw-out-of-turn")
    assert isinstance(
        pad.actions.add_penalty(RequestId("p"), table.match, PHONE, coming.id, noted), Stale
    )


def test_a_note_on_a_hand_changes_nothing_else(pad: Pad) -> None:
    table = begin(pad)
    table.play(usual())
    pad.actions.remark(RequestId("n"), table.match, TABLET, 1, "", "Ada ha chiuso al primo giro")
    assert table.state.hands[0].remark == "Ada ha chiuso al primo giro"
    assert table.totals == [430, 60]
    assert isinstance(pad.actions.remark(RequestId("o"), table.match, PHONE, 1, "", "altro"), Stale)
    undo(table)
    assert table.state.hands[0].remark == ""


# ------------------------------------------------------------------------------------- again, never


def test_a_rematch_has_the_names_the_rules_the_devices_and_the_next_dealer(pad: Pad) -> None:
    table = begin(
        pad,
        replace(
            TWO_AGAINST_TWO,
            options={"target": 500},
            carried=(100, 0),
            labels=replace(TWO_AGAINST_TWO.labels, place="Bar Sport"),
        ),
    )
    table.play(usual())
    assert table.state.status.finished
    begun = pad.actions.rematch(RequestId("r"), table.match, TABLET)
    assert isinstance(begun, Saved)
    assert begun.keys is not None
    fresh = pad.state(begun.match, TABLET)
    assert [side.name for side in fresh.sides] == ["Noi", "Loro"]
    assert [side.total for side in fresh.sides] == [0, 0]
    assert (fresh.status.target, fresh.labels.place, fresh.begins.dealer) == (
        500,
        "Bar Sport",
        (1, 0),
    )
    accesses = [pad.access(begun.match, device) for device in (TABLET, PHONE, LOOKER)]
    assert accesses == [Access.OWN, Access.WRITE, Access.VIEW]
    again = pad.actions.rematch(RequestId("s"), table.match, PHONE)
    assert isinstance(again, Saved)
    assert again.match == begun.match
    assert table.state.rematch == begun.match


def test_a_deleted_match_leaves_not_even_its_name_with_its_rematch(pad: Pad, storage: Any) -> None:
    table = begin(pad, replace(TWO_AGAINST_TWO, options={"target": 500}, carried=(100, 0)))
    table.play(usual())
    begun = pad.actions.rematch(RequestId("r"), table.match, PHONE)
    assert isinstance(begun, Saved)
    pad.actions.delete(table.match, PHONE)
    assert str(table.match).encode() not in storage.path.read_bytes()
    assert pad.state(begun.match, PHONE).rematch is None


def test_the_rematch_of_a_deleted_rematch_can_begin_again(pad: Pad) -> None:
    table = begin(pad, replace(TWO_AGAINST_TWO, options={"target": 500}, carried=(100, 0)))
    table.play(usual())
    first = pad.actions.rematch(RequestId("r"), table.match, PHONE)
    assert isinstance(first, Saved)
    pad.actions.delete(first.match, PHONE)
    assert table.state.rematch is None
    second = pad.actions.rematch(RequestId("s"), table.match, PHONE)
    assert isinstance(second, Saved)
    assert second.match != first.match


def test_a_rematch_goes_on_checking_where_hands_were_checked(pad: Pad) -> None:
    table = begin(pad, replace(TWO_AGAINST_TWO, options={"target": 500}, carried=(100, 0)))
    pad.checking.switch(RequestId("on"), table.match, PHONE, on=True)
    table.play(usual())
    begun = pad.actions.rematch(RequestId("r"), table.match, PHONE)
    assert isinstance(begun, Saved)
    fresh = Table(pad, begun.match)
    assert fresh.state.checking
    fresh.play(usual())
    assert fresh.state.hands[0].waits


def test_who_was_put_out_of_a_rematch_does_not_come_in_by_the_match_before(pad: Pad) -> None:
    table = begin(pad, replace(TWO_AGAINST_TWO, options={"target": 500}, carried=(100, 0)))
    table.play(usual())
    begun = pad.actions.rematch(RequestId("r"), table.match, PHONE)
    assert isinstance(begun, Saved)
    pad.devices.withdraw(begun.match, PHONE, Access.WRITE)
    assert isinstance(pad.actions.rematch(RequestId("s"), table.match, TABLET), Stale)
    assert pad.access(begun.match, TABLET) is Access.NONE


def test_there_is_no_rematch_of_a_match_that_goes_on(pad: Pad) -> None:
    table = begin(pad)
    assert isinstance(pad.actions.rematch(RequestId("r"), table.match, PHONE), Stale)


def test_only_its_owner_deletes_a_match_and_nothing_of_it_stays_in_the_file(
    pad: Pad, storage: Any
) -> None:
    table = begin(
        pad,
        replace(
            TWO_AGAINST_TWO,
            labels=replace(
                TWO_AGAINST_TWO.labels, names=("Pappagalli", "Tartarughe"), place="Circolo Nettuno"
            ),
        ),
    )
    table.play(usual())
    pad.actions.remark(RequestId("n"), table.match, TABLET, 1, "", "parola segreta")
    pad.actions.rename(
        RequestId("q"),
        table.match,
        PHONE,
        Labels(("Gabbiani", "Tartarughe"), (("Ada", ""), ("", "")), "Circolo"),
    )
    with pytest.raises(NotOwner):
        pad.actions.delete(table.match, TABLET)
    with pytest.raises(NotAllowed):
        pad.actions.delete(table.match, LOOKER)
    told = (
        "Pappagalli",
        "Tartarughe",
        "Gabbiani",
        "Circolo Nettuno",
        "parola segreta",
        str(table.match),
    )
    octets = storage.path.read_bytes()
    assert all(text.encode() in octets for text in told)
    pad.actions.delete(table.match, PHONE)
    with pytest.raises(MatchNotFound):
        pad.state(table.match, PHONE)
    octets = storage.path.read_bytes()
    assert not [text for text in told if text.encode() in octets]
    assert pad.summaries(PHONE).in_progress == ()


def test_a_practice_match_stands_in_no_list(pad: Pad) -> None:
    table = begin(pad, replace(TWO_AGAINST_TWO, practice=True))
    assert table.state.practice
    assert pad.summaries(PHONE).in_progress == ()

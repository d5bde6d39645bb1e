"""The pad does what a model of it does that knows nothing of how it works: a quick look, and what
it brought to light.

The long one is `tests/soak/test_model.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from scorepad.matches.access import DeviceId
from scorepad.matches.events import EVENTS
from tests.examples import examples
from tests.model import actions_after, actions_beside
from tests.model.machine import PadAndModel
from tests.model.play import Play
from tests.model.walk import walk


@pytest.fixture
def play(tmp_path: Path) -> Play:
    begun = Play(tmp_path)
    begun.start("classica")
    return begun


@pytest.mark.long
def test_the_pad_and_the_model_agree_in_runs_of_thirty_steps() -> None:
    run_state_machine_as_test(
        PadAndModel, settings=settings(max_examples=examples(100), stateful_step_count=30)
    )


def test_the_pad_and_the_model_agree_on_a_short_walk(tmp_path: Path) -> None:
    answers = walk(tmp_path, 700, seed=6)
    # A walk that gets nowhere proves nothing: everything is done at least once.
    done = {kind for kind, answer in answers if answer.startswith("saved") or answer == "done"}
    assert done == {*EVENTS, "delete"} - {"rematch"}  # a rematch answers as a start


# --------------------------------------------------------------------------------- brought to light


def test_a_ruling_taken_back_after_its_hand_was_counted_leaves_the_next_hand_as_it_is_typed(
    play: Play,
) -> None:
    """The same foul in two hands running: taking back the first ruling took the penalty out of the
    second hand.
    """
    actions_beside.rule_and_count(play, 1, then=False)
    first, second = play.match.standing("ruling")
    assert (first.number, second.number) == (1, 2)
    actions_beside.take_back(play, "owner", 0, stale=False)
    assert play.match.noted == (1,)
    play.check()


def test_a_rematch_that_was_deleted_does_not_come_back_when_its_form_is_sent_again(
    play: Play,
) -> None:
    """The match before had noted the name of the form: it ended in an error of the file instead of
    an answer.
    """
    actions_after.rematch_anew(play, 2)
    assert [table.name for table in play.tables] == [play.table.name]
    assert play.answers["start", "stale"] == 2
    actions_after.rematch(play, "noi", stay=False)  # who asks anew gets another
    assert len(play.tables) == 2
    play.check()


def test_who_was_sent_out_of_a_rematch_does_not_come_to_it_by_the_old_match(play: Play) -> None:
    actions_after.rematch_without(play, "loro")
    assert play.answers["delete", "not owner"] == 1
    assert play.answers["start", "stale"] == 1
    play.check()


def test_a_rematch_is_played_by_the_rules_of_the_match_before(play: Play) -> None:
    actions_after.play_short_and_rematch(play, 3000)
    assert play.pad.state(play.table.name, DeviceId("owner")).status.target == 3000
    play.check()


def test_of_two_who_take_the_same_place_the_first_has_it(play: Play) -> None:
    actions_after.two_sit_in(play, 0)
    assert play.pad.state(play.table.name, DeviceId("owner")).sides[0].players == ("Dario", "")
    play.check()


@pytest.mark.parametrize("then", actions_after.THEN)
def test_a_contested_hand_stays_contested_until_one_of_the_two_countings_is_chosen(
    play: Play, then: str
) -> None:
    for other in (None, False, True):
        actions_after.quarrel(play, then, other, twice=False)
        play.check()


@pytest.mark.parametrize("again", ["correct", "contest"])
def test_a_hand_that_both_agree_to_is_counted_again_only_with_a_note(
    play: Play, again: str
) -> None:
    for note in ("", "contata male"):
        actions_after.change_what_is_agreed(play, again, note, 2)
        play.check()


@pytest.mark.parametrize("then", ["correct", "contest", "confirm", "remark"])
def test_whoever_had_not_seen_a_correction_changes_nothing(play: Play, then: str) -> None:
    actions_after.two_at_once(play, then)
    play.check()
    assert len(play.match.countings(1)) == 2  # the hand and the one correction


def test_whoever_had_not_seen_the_last_hand_does_not_end_the_match(play: Play) -> None:
    actions_after.end_unseen(play, "time")
    assert not play.match.is_over
    play.check()


def test_the_first_hand_is_corrected_by_the_totals_of_its_time(play: Play) -> None:
    actions_after.put_the_first_right(play, "noi", "turned")
    actions_after.put_the_first_right(
        play, "noi", "small"
    )  # 55 points open at nothing, not at 2,150
    assert play.match.countings(1)[-1].told["hand"].points == (40, 45)
    play.check()


def test_a_hand_of_a_match_begun_on_paper_is_corrected_by_its_number_there(play: Play) -> None:
    play.start("hand-and-foot")  # its second hand: 90 open it
    actions_after.put_the_first_right(play, "noi", "small")
    assert play.answers["correction", "refused"] == 1
    play.check()


def test_what_two_type_at_once_is_kept_where_it_is_the_same(play: Play) -> None:
    actions_after.type_at_once(play, {"a.cards": "150"}, {"a.cards": "60"}, then=False)
    assert play.pad.open(play.table.name, DeviceId("noi")).draft == {"a.cards": "150"}
    actions_after.type_at_once(play, {"a.cards": "60"}, None, then=True)
    assert play.match.hands == 1


def test_what_was_typed_of_a_hand_that_is_refused_stays_typed(play: Play) -> None:
    actions_after.type_and_be_refused(play, {"a.cards": "150"}, "wrong")
    assert play.pad.open(play.table.name, DeviceId("noi")).draft == {"a.cards": "150"}
    play.check()


@pytest.mark.parametrize("what", ["renew", "withdraw"])
@pytest.mark.parametrize("may", ["write", "view"])
def test_whoever_came_by_a_key_is_out_with_it(play: Play, may: str, what: str) -> None:
    actions_after.lock_out(play, may, what)
    assert play.match.may["noi" if may == "write" else "looker"] == "none"
    play.check()


def test_a_match_handed_on_twice_by_one_form_is_handed_on_once(play: Play) -> None:
    actions_after.go_and_come_back(play, "noi")
    assert play.match.may["noi"] == "own"
    play.check()


def test_undone_twice_what_was_typed_of_the_first_hand_comes_back(play: Play) -> None:
    first, second = {"a.cards": "150"}, {"a.cards": "60"}
    actions_after.count_two_and_undo_both(play, first, second, None)
    assert play.pad.open(play.table.name, DeviceId("noi")).draft == first
    actions_after.count_two_and_undo_both(play, first, second, {"b.cards": "70"})
    assert play.pad.open(play.table.name, DeviceId("noi")).draft == {"b.cards": "70"}


@pytest.mark.parametrize("back", [False, True], ids=["undone", "taken back"])
@pytest.mark.parametrize("by", ["penalty", "ruling"])
def test_a_penalty_leaves_what_is_typed_beside_it(play: Play, by: str, *, back: bool) -> None:
    actions_after.note_and_type(play, 1, by, {"a.cards": "150"}, back=back, then=False)
    typed = {"a.cards": "30" if back else "150"}
    assert play.pad.open(play.table.name, DeviceId("noi")).draft == typed
    assert play.match.noted == ()
    play.check()

"""The pad does what a model of it does that knows nothing of how it works: a quick look, and what it brought to light.

The long one is `tests/soak/test_model.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from scorepad.pad.who import DeviceId
from tests.model import actions, actions_beside
from tests.model.actions import fouled
from tests.model.hands import GAMES, Game
from tests.model.machine import PadAndModel
from tests.model.play import Differs, Play
from tests.model.walk import walk


@pytest.fixture
def play(tmp_path: Path) -> Play:
    begun = Play(tmp_path)
    begun.start("classica")
    return begun


def test_the_pad_and_the_model_agree_in_runs_of_thirty_steps() -> None:
    run_state_machine_as_test(PadAndModel, settings=settings(max_examples=25, stateful_step_count=30))


def test_the_pad_and_the_model_agree_on_a_short_walk(tmp_path: Path) -> None:
    answers = walk(tmp_path, 500, seed=6)
    # A walk that gets nowhere proves nothing: everything is done at least once.
    done = {kind for kind, answer in answers if answer.startswith("saved") or answer == "done"}
    assert done == {
        "hand", "correction", "confirm", "contest", "choice", "checking", "undo", "penalty", "ruling", "end",
        "remark", "rename", "rules", "door",
    }  # fmt: skip


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_points_of_the_hands_are_those_of_their_arithmetic(game: Game) -> None:
    """The figures are worked out by hand; here they are only added up otherwise."""
    for hand in game.hands.values():
        for position, side in enumerate(hand.sides):
            if side.cards is None or hand.wrong:
                continue
            threes = {0: 0, 1: 100, 2: 200, 4: 800}[side.threes] * (1 if side.cards else -1)
            out = (200 if hand.concealed else 100) if hand.out == position else 0
            canastas = 500 * side.natural + 300 * side.mixed
            assert side.points == canastas + side.cards + threes + out - side.left - 100 * side.fouls


# ---------------------------------------------------------------------------------------------------- it can fail


def forgotten_undo(play: Play) -> None:
    actions.count_plainly(play, "noi", "usual")
    play.match.gone.add(play.match.deeds[-1].at)


@pytest.mark.parametrize("spoil", [forgotten_undo, lambda play: play.match.may.pop("noi")], ids=["undo", "access"])
def test_a_model_that_is_wrong_differs(play: Play, spoil: Callable[[Play], object]) -> None:
    play.check()
    spoil(play)
    with pytest.raises(Differs):
        play.check()


def test_a_pad_that_counts_twice_what_was_sent_twice_differs(play: Play) -> None:
    actions.count_plainly(play, "noi", "usual")
    play.model.sent.clear()  # as if it were new
    with pytest.raises(Differs):
        actions.again(play, 0)


# ---------------------------------------------------------------------------------------------------- brought to light


def test_a_ruling_taken_back_after_its_hand_was_counted_leaves_the_next_hand_as_it_is_typed(play: Play) -> None:
    """The same foul in two hands running: taking back the first ruling took the penalty out of the second hand."""
    actions_beside.rule_and_count(play, 1, then=False)
    first, second = play.match.standing("ruling")
    assert (first.number, second.number) == (1, 2)
    actions_beside.take_back(play, "owner", 0, stale=False)
    typed = play.pad.open(play.table.name, DeviceId("noi"))
    assert typed.draft == fouled(1)
    play.check()

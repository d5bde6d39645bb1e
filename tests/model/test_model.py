"""The pad does what a model of it does that knows nothing of how it works: a quick look.

The long one is `tests/soak/test_model.py`.
"""

from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from scorepad.matches.events import EVENTS
from tests.examples import examples
from tests.model import actions_after
from tests.model.actions import ACTIONS
from tests.model.machine import PadAndModel
from tests.model.play import Play
from tests.model.walk import walk


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


IN_A_ROW = [name for name, (act, _) in ACTIONS.items() if act.__module__ == actions_after.__name__]
"""Several things one after the other, as at a table: each of them once brought a mistake to light."""


@pytest.mark.parametrize("name", IN_A_ROW)
def test_the_pad_and_the_model_agree_on_what_people_do_in_a_row(tmp_path: Path, name: str) -> None:
    act, choices = ACTIONS[name]
    for turn in range(max(map(len, choices.values()))):
        folder = tmp_path / str(turn)
        folder.mkdir()
        play = Play(folder)
        play.start("classica")
        act(play, **{key: values[turn % len(values)] for key, values in choices.items()})
        play.check()
        play.close()

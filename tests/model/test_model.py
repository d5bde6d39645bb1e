"""The pad does what a model of it does that knows nothing of how it works: a quick look.

The long one is `tests/soak/test_model.py`.
"""

from pathlib import Path
from typing import Any

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
def test_pad_agrees_with_model_after_random_actions() -> None:
    """A run begins a match and takes 30 random steps; after each, both must show the same."""
    run_state_machine_as_test(
        PadAndModel, settings=settings(max_examples=examples(100), stateful_step_count=30)
    )


def test_pad_agrees_with_model_on_a_walk_in_which_everything_is_done(tmp_path: Path) -> None:
    """`walk` does 700 things at random and compares the pad with its model after each."""
    answers = walk(tmp_path, steps=700, seed=6)

    kinds_done = set()
    for kind, answer in answers:
        if answer.startswith("saved") or answer == "done":
            kinds_done.add(kind)
    every_kind = {*EVENTS, "delete"}
    assert kinds_done == every_kind - {"rematch"}  # a rematch is answered as a start


SEQUENCES_OF_ACTIONS = [
    name for name, (act, _) in ACTIONS.items() if act.__module__ == actions_after.__name__
]
"""Several things one after the other, as at a table: each of them once brought a mistake to light."""


def choose_arguments(choices: dict[str, tuple[Any, ...]], turn: int) -> dict[str, Any]:
    """For each argument one of its values; in later turns the next, and in the end the first again."""
    return {name: values[turn % len(values)] for name, values in choices.items()}


@pytest.mark.parametrize("name", SEQUENCES_OF_ACTIONS)
def test_pad_agrees_with_model_after_sequence_of_actions(tmp_path: Path, name: str) -> None:
    """The actions are done once with each value of their arguments, in a new match each time."""
    act, choices = ACTIONS[name]
    turns = max(len(values) for values in choices.values())
    for turn in range(turns):
        folder = tmp_path / str(turn)
        folder.mkdir()
        play = Play(folder)
        play.start("classica")

        act(play, **choose_arguments(choices, turn))

        play.check()  # raises Differs
        play.close()

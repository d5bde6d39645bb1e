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
    # A run begins a match and does 30 random actions, on the pad and on a much simpler model of it.
    # It fails at the first one after which they show different things.
    run_state_machine_as_test(
        PadAndModel, settings=settings(max_examples=examples(100), stateful_step_count=30)
    )


def test_pad_agrees_with_model_on_a_walk_in_which_everything_is_done(tmp_path: Path) -> None:
    # This does 700 random actions, and fails at the first after which pad and model differ.
    answers = walk(tmp_path, steps=700, seed=6)

    # Each action has an answer, such as ("hand", "saved") or ("undo", "stale"). These were done.
    kinds_done = set()
    for kind, answer in answers:
        if answer.startswith("saved") or answer == "done":
            kinds_done.add(kind)

    # Every kind of entry that the log of a match can have is among them. Only a rematch has
    # the answer of a start. To delete a match leaves no entry.
    kinds_of_entries = set(EVENTS)
    assert kinds_done == (kinds_of_entries - {"rematch"}) | {"delete"}


SEQUENCES_OF_ACTIONS = [
    name for name, (act, _) in ACTIONS.items() if act.__module__ == actions_after.__name__
]
"""Several actions one after the other, as at a table. Each once brought a mistake to light."""


def choose_arguments(choices: dict[str, tuple[Any, ...]], turn: int) -> dict[str, Any]:
    """Choose a value for each argument: in each turn its next one, after the last the first again.

    With `{"side": ("a", "b"), "points": (5, 10, 15)}`, turn 2 gives `{"side": "a", "points": 15}`.
    """
    return {name: values[turn % len(values)] for name, values in choices.items()}


@pytest.mark.parametrize("name", SEQUENCES_OF_ACTIONS)
def test_pad_agrees_with_model_after_sequence_of_actions(tmp_path: Path, name: str) -> None:
    # A sequence is a function that does several things in a match: it ends one, for example, and
    # begins a rematch. It has several values to choose from for each of its arguments:
    # {"how": ("given-up", "last-hand"), "stay": (True, False)}.
    act, choices = ACTIONS[name]

    # Each turn takes the next value for each argument, until every value has been used.
    turns = max(len(values) for values in choices.values())
    for turn in range(turns):
        arguments = choose_arguments(choices, turn)

        # Begin a match on the pad, with a data file in a new folder, and on the model of it.
        folder = tmp_path / str(turn)
        folder.mkdir()
        play = Play(folder)
        play.start("classica")

        # Do the same on both. An error is raised if they show different things.
        act(play, **arguments)
        play.check()
        play.close()

"""The pad beside its model at length: 2,000 runs of up to 100 steps, and one plain walk of 10,000.

pytest -m soak tests/soak/test_model.py -n 2 --dist worksteal -rP
"""

from pathlib import Path

import pytest
from hypothesis import seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.model.machine import PadAndModel
from tests.model.walk import walk

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("part", range(4))
def test_pad_agrees_with_model_in_500_random_runs(part: int) -> None:
    steps_of_runs: list[int] = []

    # A run begins a match and does up to 100 random actions. It fails at the first one that has
    # another effect on the pad than on its model, a much simpler program.
    class CountedRuns(PadAndModel):
        def teardown(self) -> None:
            """Note at the end of a run how many actions it had."""
            super().teardown()
            steps_of_runs.append(self.steps)

    # Each part has a seed of its own, and so other runs than the other parts.
    runs_of_this_part = seed(part)(CountedRuns)
    search = settings(max_examples=500, stateful_step_count=100, derandomize=False)
    run_state_machine_as_test(runs_of_this_part, settings=search)

    print(f"model, part {part + 1}: {len(steps_of_runs)} runs, {sum(steps_of_runs)} steps")
    assert len(steps_of_runs) >= 500


def test_pad_agrees_with_model_on_a_walk_of_ten_thousand_steps(tmp_path: Path) -> None:
    # This does 10,000 random actions, and fails as soon as the pad and its model differ.
    answers = walk(tmp_path, steps=10_000, seed=20_261)
    print(f"model, one walk: 10,000 steps, {answers.total()} answers")

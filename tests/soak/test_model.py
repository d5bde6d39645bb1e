"""The pad beside its model at length: 2,000 runs of up to 100 steps, and one plain walk of 10,000.

pytest -m soak tests/soak/test_model.py -n 2 --dist worksteal -rP
"""

import time
from pathlib import Path

import pytest
from hypothesis import seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.model.machine import PadAndModel
from tests.model.walk import walk

PARTS, RUNS, STEPS, WALK = 4, 500, 100, 10_000
pytestmark = pytest.mark.soak


@pytest.mark.parametrize("part", range(PARTS))
def test_the_pad_and_the_model_agree_in_two_thousand_runs(part: int) -> None:
    ended: list[int] = []

    class Counted(PadAndModel):
        def teardown(self) -> None:
            super().teardown()
            ended.append(self.steps)

    begun = time.monotonic()
    searched = settings(max_examples=RUNS, stateful_step_count=STEPS, derandomize=False)
    run_state_machine_as_test(seed(part)(Counted), settings=searched)
    took = time.monotonic() - begun
    print(
        f"model, part {part + 1} of {PARTS}: {len(ended)} runs, {sum(ended)} steps, no difference, {took / 60:.1f} min"
    )
    assert len(ended) >= RUNS


def test_the_pad_and_the_model_agree_on_a_walk_of_ten_thousand_steps(tmp_path: Path) -> None:
    begun = time.monotonic()
    answers = walk(tmp_path, WALK, seed=20_261)
    took = time.monotonic() - begun
    print(
        f"model, one walk: {WALK} steps, {sum(answers.values())} answers, no difference, {took / 60:.1f} min"
    )

"""A plain walk: anything that people do, one after the other, by chance from a seed."""

import random
from collections import Counter
from pathlib import Path

from tests.model import actions_after, actions_beside  # noqa: F401 - for what people do in them
from tests.model.actions import ACTIONS
from tests.model.hands import GAMES
from tests.model.play import Differs, Play

LONGEST = 120
"""Deeds after which another match begins: what is looked for in a log grows with it."""

PATIENCE = 0.1
"""How likely it is at each step that a match that is over is left for another."""


def walk(folder: Path, steps: int, seed: int) -> Counter[tuple[str, str]]:
    """So many steps, each looked at from every side; how often each thing was answered so. Raises
    Differs.
    """
    drawn, play = random.Random(seed), Play(folder)  # noqa: S311 - a walk that can be repeated
    play.start("classica")
    for step in range(steps):
        name = "all_in" if step % 9 == 0 else drawn.choice(sorted(ACTIONS))
        act, choices = ACTIONS[name]
        arguments = {key: drawn.choice(values) for key, values in choices.items()}
        try:
            if len(play.match.deeds) >= LONGEST or (
                play.match.is_over and drawn.random() < PATIENCE
            ):
                play.start(drawn.choice(sorted(GAMES)))
            act(play, **arguments)
            play.check()
        except Differs as error:
            raise Differs(f"seed {seed}, step {step}, {name} {arguments}: {error}") from error
    play.finish()
    return play.answers

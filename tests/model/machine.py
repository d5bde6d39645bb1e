"""What people do as the rules of a state machine: Hypothesis looks for the shortest way to a
difference.
"""

import os
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.model import actions_after, actions_beside  # noqa: F401 - for what people do in them
from tests.model.actions import ACTIONS, Action
from tests.model.hands import GAMES
from tests.model.play import Play


class PadAndModel(RuleBasedStateMachine):
    """One run: a match is begun, things happen, and after each the pad and the model show the same."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(dir=os.environ.get("PYTEST_DEBUG_TEMPROOT"))
        self.play = Play(Path(self.folder.name))
        self.differs = False
        self.steps = 0

    @initialize(game=st.sampled_from(sorted(GAMES)), hands=st.sampled_from([0, 1, 4]))
    def begin_first(self, game: str, hands: int) -> None:
        self.play.start(game)
        for _ in range(hands):
            ACTIONS["count_plainly"][0](self.play, "noi", "usual")
        self.play.check()

    def done(self, act: Action, arguments: dict[str, Any]) -> None:
        """Something done to both."""
        self.steps += 1
        try:
            act(self.play, **arguments)
            self.play.check()
        except BaseException:
            self.differs = True
            raise

    def teardown(self) -> None:
        try:
            if self.play.tables and not self.differs:
                self.play.finish()
        finally:
            self.play.close()
            self.folder.cleanup()


def _rule_of(name: str, act: Action, choices: dict[str, tuple[Any, ...]]) -> Any:
    def step(self: PadAndModel, **arguments: Any) -> None:
        self.done(act, arguments)

    step.__name__ = name
    return rule(**{key: st.sampled_from(values) for key, values in choices.items()})(step)


for _name, (_act, _choices) in ACTIONS.items():
    setattr(PadAndModel, _name, _rule_of(_name, _act, _choices))

"""How commands end."""

from __future__ import annotations

DONE = 0
REFUSED = 1
UNUSABLE = 2


class Stop(Exception):
    """A command that ends here, with a sentence for standard error and a status."""

    def __init__(self, sentence: str, status: int = UNUSABLE) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


class Heard(Exception):
    """Whoever read our answers has heard enough, as `| head` does: the end of a command, and no mistake."""

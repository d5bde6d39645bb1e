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


class Unheard(Exception):
    """An answer that standard output does not take. `trouble` is what the machine says of it."""

    def __init__(self, trouble: OSError) -> None:
        super().__init__(str(trouble))
        self.trouble = trouble

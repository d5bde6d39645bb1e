"""What no verb of the pad can answer with a value: asked for what is not there, or may not be asked."""

from __future__ import annotations

from scorepad.errors import NewerError, ScorepadError


class _OfMatch(ScorepadError):
    """Something about the match `id`, which is not told: this comes to the log."""

    def __init__(self, match: str) -> None:
        super().__init__()
        self.id = match


class MatchNotFound(_OfMatch):
    """There is no such match, or none for this device: nobody learns which. `id` is what was asked for."""


class NotAllowed(_OfMatch):
    """The device may look at the match `id` and no more."""


class NotOwner(NotAllowed):
    """The device may write in the match `id`, but only whose match it is may decide who else comes in."""


class NoSuchKey(ScorepadError):
    """A key that opens nothing: never made, or withdrawn. It is not told: this may come to the log."""


class MatchOver(_OfMatch):
    """The match `id` is finished: no further hand is played. Corrections and undo are still taken."""


class OwnHand(ScorepadError):
    """Whoever counted a hand does not check it. Attributes: the match's `id`, the hand's `number`."""

    def __init__(self, match: str, number: int) -> None:
        super().__init__(number)
        self.id = match
        self.number = number


class HandsCounted(_OfMatch):
    """The rules of the match `id` stand since its first hand was counted."""


class RequestRefused(ScorepadError):
    """A request id that names no submission of a form: malformed, or used before for something else."""

    def __init__(self, request: str) -> None:
        super().__init__(request)
        self.request = request


class SentOtherwise(RequestRefused):
    """A request id that comes again with other content: what came first stands, and this is none of it."""


class UnknownEntry(NewerError):
    """An entry of a kind that this program does not know. Attributes: `match`, `sequence`, `kind`."""

    def __init__(self, match: str, sequence: int, kind: str) -> None:
        super().__init__(f"entry {sequence}: {kind}")  # without the match: this comes to the log
        self.match = match
        self.sequence = sequence
        self.kind = kind

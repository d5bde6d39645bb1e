"""The errors of the service: what was asked for is not there, or is not allowed."""

from __future__ import annotations

from scorepad.errors import ScorepadError


class _OfMatch(ScorepadError):
    """About the match `id`, which stays out of the message: that goes to the log."""

    def __init__(self, match: str) -> None:
        super().__init__()
        self.id = match


class MatchNotFound(_OfMatch):
    """There is no such match, or none for this device, without saying which. `id` is what was asked for."""


class NotAllowed(_OfMatch):
    """The device may only view the match `id`."""


class NotOwner(NotAllowed):
    """The device may write in the match `id`, but only its owner decides about access."""


class NoSuchKey(ScorepadError):
    """A key that opens nothing: never made, or withdrawn. It stays out of the message: that may go to the log."""


class MatchOver(_OfMatch):
    """The match `id` is finished: no further hand is played. Corrections and undo are still possible."""


class OwnHand(ScorepadError):
    """The side that counted a hand does not check it. Attributes: the match's `id`, the hand's `number`."""

    def __init__(self, match: str, number: int) -> None:
        super().__init__(number)
        self.id = match
        self.number = number


class HandsCounted(_OfMatch):
    """The rules of the match `id` are fixed since its first hand was counted."""


class RequestRefused(ScorepadError):
    """A request id that is malformed, or was used for something else."""

    def __init__(self, request: str) -> None:
        super().__init__(request)
        self.request = request


class SentOtherwise(RequestRefused):
    """A request id that comes again with other content: the first submission stands."""

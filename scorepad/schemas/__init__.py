"""The JSON contract: requests and responses. Shared by the command line, HTTP and the pad."""

from scorepad.schemas.answer_types import build_score_answer, write_pointer, write_score_answer
from scorepad.schemas.fields import Unusable
from scorepad.schemas.hand_requests import HandRequest, read_hand_request

__all__ = [
    "HandRequest",
    "Unusable",
    "build_score_answer",
    "read_hand_request",
    "write_pointer",
    "write_score_answer",
]

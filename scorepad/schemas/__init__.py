"""The JSON contract: requests and responses. Shared by the command line, HTTP and the pad."""

from scorepad.schemas.answer_types import pointer, score_answer, score_answer_json
from scorepad.schemas.fields import Unusable
from scorepad.schemas.hand_requests import HandRequest, read_hand_request

__all__ = [
    "HandRequest",
    "Unusable",
    "pointer",
    "read_hand_request",
    "score_answer",
    "score_answer_json",
]

"""The JSON contract: requests and responses. Shared by the command line, HTTP and the pad."""

from scorepad.schemas.answers import answer, pointer
from scorepad.schemas.fields import Unusable
from scorepad.schemas.hands import Asked, read_asked, read_hand

__all__ = ["Asked", "Unusable", "answer", "pointer", "read_asked", "read_hand"]

"""The referee: rulings on questions of the table, by the checks and score lines that judge a hand.

There is one class for each kind of question. `give_ruling` returns the ruling on a question, `answer_to`
also the options under which the ruling would be another one.

>>> from scorepad.referee import PileQuestion, give_ruling
>>> from scorepad.rules import read_cards, settle
>>> question = PileQuestion(top=read_cards("8"), frozen=True, laid=(read_cards("2x8 2"),))
>>> ruling = give_ruling(settle("classica"), question)
>>> ruling.verdict.value, ruling.reasons[0].code
('forbidden', 'pile-naturals')

One error is raised: `TooManyWays`, for a question with a hand of cards that can be laid in more ways
than are examined.
"""

from scorepad.errors import TooManyWays
from scorepad.referee.answering import answer_to, give_ruling
from scorepad.referee.discard import DiscardEffect, discard_effect
from scorepad.referee.field_types import Permission
from scorepad.referee.penalties import Costs, Irregularity, irregularities, irregularity
from scorepad.referee.questions import (
    AnyQuestion,
    DiscardQuestion,
    EndOfStockQuestion,
    MeldQuestion,
    OpeningQuestion,
    OutQuestion,
    PenaltyQuestion,
    PileQuestion,
    RedThreesQuestion,
    UpcardQuestion,
)
from scorepad.referee.ruling import (
    Alternative,
    Answer,
    LaidCards,
    Play,
    Reason,
    Ruling,
    Verdict,
)
from scorepad.referee.whole_hand import table_after

__all__ = [
    "Alternative", "Answer", "AnyQuestion", "Costs", "DiscardEffect", "DiscardQuestion", "EndOfStockQuestion",
    "Irregularity", "LaidCards", "MeldQuestion", "OpeningQuestion", "OutQuestion", "PenaltyQuestion", "Permission",
    "PileQuestion", "Play", "Reason", "RedThreesQuestion", "Ruling", "TooManyWays", "UpcardQuestion", "Verdict",
    "answer_to", "discard_effect", "give_ruling", "irregularities", "irregularity", "table_after",
]  # fmt: skip

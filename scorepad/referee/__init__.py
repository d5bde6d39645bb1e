"""The referee: rulings on questions of the table, based on the checks and score lines that judge a
hand.

>>> from scorepad.referee import PileQuestion, rule
>>> from scorepad.rules import read_cards, settle
>>> question = PileQuestion(top=read_cards("8"), frozen=True, laid=(read_cards("2x8 2"),))
>>> ruling = rule(settle("classica"), question)
>>> ruling.verdict.value, ruling.reasons[0].code
('forbidden', 'pile-naturals')
"""

from scorepad.referee.best_answers import table_after
from scorepad.referee.case import answer_to, rule
from scorepad.referee.irregularities import Costs, Irregularity, irregularities, irregularity
from scorepad.referee.questions import (
    Alternative,
    Answer,
    AnyQuestion,
    DiscardQuestion,
    EndOfStockQuestion,
    LaidCards,
    MeldQuestion,
    OpeningQuestion,
    OutQuestion,
    PenaltyQuestion,
    Permission,
    PileQuestion,
    Play,
    Reason,
    RedThreesQuestion,
    Ruling,
    UpcardQuestion,
    Verdict,
)
from scorepad.referee.stock import discard_effect

__all__ = [
    "Alternative", "Answer", "AnyQuestion", "Costs",
    "DiscardQuestion", "EndOfStockQuestion", "Irregularity", "LaidCards", "MeldQuestion", "OpeningQuestion",
    "OutQuestion", "PenaltyQuestion", "Permission", "PileQuestion", "Play", "Reason", "RedThreesQuestion", "Ruling",
    "UpcardQuestion", "Verdict", "answer_to", "discard_effect", "irregularities", "irregularity", "rule", "table_after",
]  # fmt: skip

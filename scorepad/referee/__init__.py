"""The referee: questions of the table, answered by the checks and score lines that judge a hand.

>>> from scorepad.referee import PileQuestion, rule
>>> from scorepad.rules import read_cards, settle
>>> question = PileQuestion(top=read_cards("8"), frozen=True, laid=(read_cards("2x8 2"),))
>>> ruling = rule(settle("classica"), question)
>>> ruling.verdict.value, ruling.reasons[0].code
('forbidden', 'pile-naturals')
"""

from scorepad.referee.alternatives import Alternative, Answer, answer_to, rule
from scorepad.referee.answers import LaidCards, Play, Reason, Ruling, Verdict
from scorepad.referee.questions import (
    AnyQuestion,
    BestOpeningQuestion,
    BestOutQuestion,
    BestPileQuestion,
    DiscardQuestion,
    EndOfStockQuestion,
    MeldQuestion,
    OpeningQuestion,
    OutQuestion,
    PenaltyQuestion,
    Permission,
    PileQuestion,
    RedThreesQuestion,
    UpcardQuestion,
)

__all__ = [
    "Alternative", "Answer", "AnyQuestion", "BestOpeningQuestion", "BestOutQuestion", "BestPileQuestion",
    "DiscardQuestion", "EndOfStockQuestion", "LaidCards", "MeldQuestion", "OpeningQuestion", "OutQuestion",
    "PenaltyQuestion", "Permission", "PileQuestion", "Play", "Reason", "RedThreesQuestion", "Ruling", "UpcardQuestion",
    "Verdict", "answer_to", "rule",
]  # fmt: skip

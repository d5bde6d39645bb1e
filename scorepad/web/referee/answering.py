"""Asks the rules a question of the JSON contract, as the command line does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorepad.i18n import Words
from scorepad.referee.alternatives import Answer, answer_to
from scorepad.referee.answers import Ruling
from scorepad.rules.variants import Ruleset
from scorepad.schemas.rulings import Question, read_question_of_match, ruling_answer


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its answer, and where that would be another."""

    question: Question
    answer: Answer

    @property
    def ruling(self) -> Ruling:
        """What the rules of the table say."""
        return self.answer.ruling

    def told(self, words: Words) -> dict[str, Any]:
        """The answer as in the JSON contract."""
        return ruling_answer(self.question, self.answer, words)


def answer(raw: Mapping[str, Any], rules: Ruleset) -> Answered:
    """The answer to a question under these rules. Raises contract.Unusable."""
    question = read_question_of_match(raw, rules)
    return Answered(question, answer_to(rules, question.asked))

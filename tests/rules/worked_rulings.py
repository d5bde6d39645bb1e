"""Questions to the referee as JSON: those worked by hand in `tests/rulings/cases`, and their answers."""

import json
from pathlib import Path
from typing import Any

from scorepad.i18n import words
from scorepad.referee.answering import answer_to
from scorepad.schemas.ruling_json import build_ruling_answer, read_question
from tests.data import read_data

RULINGS = Path(__file__).parents[1] / "rulings"


def list_worked_rulings() -> list[tuple[str, dict[str, Any]]]:
    """The worked rulings, each with the kind of its question."""
    found = []
    for file in sorted(RULINGS.joinpath("cases").glob("*.json")):
        found += [(file.stem, case) for case in read_data(file)]
    return found


def answer_question(ask: dict[str, Any], language: str = "it") -> dict[str, Any]:
    """The JSON that answers a question given as JSON."""
    question = read_question(json.dumps(ask))
    answer = answer_to(question.rules, question.question)
    return build_ruling_answer(question, answer, words(language))

"""The links on the first page of the referee: to questions, and to what the rules say about
irregularities (mistakes in play that are penalised).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorepad.referee.penalties import irregularities
from scorepad.web.base import t
from scorepad.web.referee.cases import DISTINGUISHING_QUESTION, MISTAKE, Case
from scorepad.web.referee.explanations import mistake_name
from scorepad.web.referee.question_pages import (
    BY_NAME,
    GROUPS,
    IN_TIME,
    MISTAKES_BY_ANSWER,
    PENALTY,
    QuestionPages,
    grouped_codes,
)
from scorepad.web.referee.question_search import FoundQuestions


class ReplyLink(NamedTuple):
    """A link to a question, or to what the rules say about an irregularity."""

    name: str
    url: str


def _link_to_question(question: QuestionPages, case: Case) -> ReplyLink:
    """Link to the page that asks for the first fact of a question."""
    return ReplyLink(question.title(case.words), case.url_of(question.name))


def _link_to_irregularity(code: str, case: Case) -> ReplyLink:
    """Link to what the rules say about an irregularity (a mistake in play)."""
    url = case.url_of(PENALTY.name, **{MISTAKE: code})
    return ReplyLink(mistake_name(code, case.words), url)


def _link_to_distinguishing_question(question: str, case: Case) -> ReplyLink:
    """Link to the page of a question that tells similar mistakes in play apart.

    The question `wrong-dealer` asks whether anybody has played yet, for example.
    """
    title = t(f"referee.turning.{question}")
    # It is on the page of penalties, as a parameter: `penalita?sbaglio=wrong-dealer`.
    return ReplyLink(title, case.url_of(PENALTY.name, **{DISTINGUISHING_QUESTION: question}))


def link_to_found_questions(found: FoundQuestions, case: Case) -> list[ReplyLink]:
    """Make the links to the questions and mistakes in play that a search found, in its order.

    Those that do not exist under the rules of the case are left out.
    """
    codes_of_mistakes = _list_codes_of_mistakes(case)
    distinguishing_questions = map_codes_to_distinguishing_questions(case).values()
    links: list[ReplyLink] = []
    for name in found.names:
        # The question that tells mistakes apart may have the name of one of them: it comes first.
        if name in distinguishing_questions:
            links.append(_link_to_distinguishing_question(name, case))
        elif name in codes_of_mistakes:
            links.append(_link_to_irregularity(name, case))
        elif name in BY_NAME:
            links.append(_link_to_question(BY_NAME[name], case))
    return links


def link_to_mistakes_in_groups(case: Case) -> dict[str, list[ReplyLink]]:
    """Make the links to the mistakes in play under the rules of a case, by the group of the page.

    `{"pile": [...], "melds": [...], …, "other": [...]}`: those in no group are under `other`.
    """
    links_by_group: dict[str, list[ReplyLink]] = {}
    for group, codes in GROUPS.items():
        links_by_group[group] = _link_to_mistakes(codes, case)
    links_by_group["other"] = _link_to_mistakes(_list_codes_without_group(case), case)
    return links_by_group


def _link_to_mistakes(codes: Sequence[str], case: Case) -> list[ReplyLink]:
    """Make the links to those of these mistakes in play that the rules of a case know.

    Similar ones share one link, to the question that tells them apart.
    """
    known_codes = _list_codes_of_mistakes(case)
    question_by_code = map_codes_to_distinguishing_questions(case)
    links: list[ReplyLink] = []
    for code in codes:
        if code not in known_codes:
            continue
        if code in question_by_code:
            link = _link_to_distinguishing_question(question_by_code[code], case)
        else:
            link = _link_to_irregularity(code, case)
        if link not in links:
            links.append(link)
    return links


def _list_codes_of_mistakes(case: Case) -> list[str]:
    """List the codes of the mistakes in play that are penalised under the rules of a case."""
    return [mistake.code for mistake in irregularities(case.rules)]


def _list_codes_without_group(case: Case) -> list[str]:
    """List the codes of the mistakes in play that are in no group of the page."""
    codes_in_groups = grouped_codes()
    return [code for code in _list_codes_of_mistakes(case) if code not in codes_in_groups]


def map_codes_to_distinguishing_questions(case: Case) -> dict[str, str]:
    """Map each mistake in play that resembles others to the question that tells them apart.

    The question `meld-out-of-turn` asks who laid cards out of turn, an opponent or the partner:
    `{"meld-out-of-turn-opponents": "meld-out-of-turn", "meld-out-of-turn-partner":
    "meld-out-of-turn", …}`. A question is left out if the rules lack the mistake of an answer.
    """
    possible_codes = _list_codes_of_possible_answers(case)
    question_by_code: dict[str, str] = {}
    for question, code_by_answer in MISTAKES_BY_ANSWER.items():
        codes = code_by_answer.values()
        if not all(code in possible_codes for code in codes):
            continue
        for code in codes:
            question_by_code[code] = question
    return question_by_code


def _list_codes_of_possible_answers(case: Case) -> list[str]:
    """List the codes to which an answer may lead: those of all mistakes, and `IN_TIME`.

    `IN_TIME` stands for a red three (a bonus card to be shown) that was noticed in time, which is
    no mistake yet. It is left out if red threes need not be shown.
    """
    codes = _list_codes_of_mistakes(case)
    if case.settings.red_threes_kept == "exposed":
        codes.append(IN_TIME)
    return codes

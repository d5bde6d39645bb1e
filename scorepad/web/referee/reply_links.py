"""The links on the first page of the referee: to questions, and to what the rules say about
irregularities (mistakes in play that are penalised).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorepad.referee.penalties import irregularities
from scorepad.web.base import t
from scorepad.web.referee.cases import DISTINGUISHING, MISTAKE, Case
from scorepad.web.referee.explanations import mistake_name
from scorepad.web.referee.question_pages import (
    GROUPS,
    IN_TIME,
    MISTAKES_BY_ANSWER,
    PENALTY,
    QUESTIONS,
    QuestionPages,
    grouped_codes,
)
from scorepad.web.referee.question_search import FoundQuestions


class ReplyLink(NamedTuple):
    """A link to a question, or to what the rules say about an irregularity."""

    name: str
    url: str


def _link_to_question(question: QuestionPages, case: Case) -> ReplyLink:
    """The link to the page that asks for the first fact of a question."""
    return ReplyLink(question.title(case.words), case.url_of(question.name))


def _link_to_irregularity(code: str, case: Case) -> ReplyLink:
    """The link to what the rules say about an irregularity (a mistake in play)."""
    url = case.url_of(PENALTY.name, **{MISTAKE: code})
    return ReplyLink(mistake_name(code, case.words), url)


def _link_to_distinguishing_question(name: str, case: Case) -> ReplyLink:
    """The link to a question that tells similar irregularities apart, such as `wrong-dealer`."""
    url = case.url_of(PENALTY.name, **{DISTINGUISHING: name})
    return ReplyLink(t(f"referee.turning.{name}"), url)


def found_links(found: FoundQuestions, case: Case) -> list[ReplyLink]:
    """The links to the questions and irregularities that a search found, in its order.

    Those that do not exist under the rules of the case are left out.
    """
    links: dict[str, ReplyLink] = {}
    for question in QUESTIONS:
        links[question.name] = _link_to_question(question, case)
    for code in _codes_of_irregularities(case):
        links[code] = _link_to_irregularity(code, case)
    # Some of the questions that tell irregularities apart have the code of one of them as their
    # name. They come before what the rules say about that one.
    for name in distinguishing_questions(case).values():
        links[name] = _link_to_distinguishing_question(name, case)
    return [links[name] for name in found.names if name in links]


def links_in_groups(case: Case) -> dict[str, list[ReplyLink]]:
    """The links to the irregularities under the rules of a case, by the group of the page.

    Those that are in no group are under `other`.
    """
    links_by_group: dict[str, list[ReplyLink]] = {}
    for group, codes in GROUPS.items():
        links_by_group[group] = _links_to_irregularities(codes, case)
    links_by_group["other"] = _links_to_irregularities(_codes_without_group(case), case)
    return links_by_group


def _links_to_irregularities(codes: Sequence[str], case: Case) -> list[ReplyLink]:
    """The links to those of these irregularities that exist under the rules of a case.

    Similar ones have one link in common, to the question that tells them apart.
    """
    known_codes = _codes_of_irregularities(case)
    question_by_code = distinguishing_questions(case)
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


def _codes_of_irregularities(case: Case) -> list[str]:
    """The codes of the irregularities (mistakes in play) that the rules of a case know."""
    return [mistake.code for mistake in irregularities(case.rules)]


def _codes_without_group(case: Case) -> list[str]:
    """The codes of those irregularities of the rules that are in no group of the page."""
    codes_in_groups = grouped_codes()
    return [code for code in _codes_of_irregularities(case) if code not in codes_in_groups]


def distinguishing_questions(case: Case) -> dict[str, str]:
    """For each irregularity that resembles others, the question that tells them apart, by its code.

    The question `meld-out-of-turn` asks who laid cards out of turn: it is there for the codes
    `meld-out-of-turn-opponents` and `meld-out-of-turn-partner`. A question is asked only if the
    rules have the irregularities of all its answers.
    """
    possible_codes = _codes_of_possible_answers(case)
    question_by_code: dict[str, str] = {}
    for question, code_by_answer in MISTAKES_BY_ANSWER.items():
        codes = code_by_answer.values()
        if not all(code in possible_codes for code in codes):
            continue
        for code in codes:
            question_by_code[code] = question
    return question_by_code


def _codes_of_possible_answers(case: Case) -> list[str]:
    """The codes to which an answer may lead: those of all irregularities of the rules, and `IN_TIME`.

    `IN_TIME` stands for a red three (a bonus card to be exposed) that was noticed in time, which is
    no irregularity yet. It is left out if red threes need not be exposed.
    """
    codes = _codes_of_irregularities(case)
    if case.settings.red_threes_kept == "exposed":
        codes.append(IN_TIME)
    return codes

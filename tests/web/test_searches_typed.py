"""Searches on the page of the referee as people type them: the question and the rule that answer
stand first.
"""

from __future__ import annotations

import pytest

from tests.web.client import Element, Visit
from tests.web.tables import read_tables

SEARCHES = read_tables("searches_typed")["searches"]


def questions(section: Element) -> list[str]:
    """The names of the questions and irregularities found, as their URLs have them."""
    links = [link["href"] for tiles in section.all("ul", class_="tiles") for link in tiles.all("a")]
    return [link.removeprefix("/arbitro/").rpartition("=")[2] for link in links]


def rules(section: Element) -> list[str]:
    """The places in the rulebook."""
    found = section.all("ul", class_="rules-found")
    links = [link["href"] for each in found for link in each.all("a")]
    return [link.partition("#")[2] or link for link in links]


@pytest.mark.parametrize(("language", "asked", "first", "question", "rule"), SEARCHES)
def test_a_search_finds_its_question_and_its_rule_first(
    visit: Visit, language: str, asked: str, first: str, question: str, rule: str
) -> None:
    page = visit(language).get("/arbitro", query_string={"testo": asked})
    section = page.one("section", class_="found-here")
    if question:
        assert questions(section)[0] in question.split()
    if rule:
        assert set(rules(section)[:2]) & set(rule.split())
    if first:
        leading = section.all("a")[0]["href"]
        best = {"question": questions, "rule": rules}[first](section)[0]
        assert leading.endswith(best)

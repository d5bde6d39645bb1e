"""Searches on the page of the referee as people type them: the question and the rule that answer
stand first.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.client import Client, Element
from tests.web.searches_typed import QUESTION, RULE, TYPED, Typed


def questions(section: Element) -> list[str]:
    """The names of the questions and irregularities found, as their URLs have them."""
    links = [link["href"] for tiles in section.all("ul", class_="tiles") for link in tiles.all("a")]
    return [link.removeprefix("/arbitro/").rpartition("=")[2] for link in links]


def rules(section: Element) -> list[str]:
    """The places in the rulebook."""
    found = section.all("ul", class_="rules-found")
    links = [link["href"] for each in found for link in each.all("a")]
    return [link.partition("#")[2] or link for link in links]


@pytest.mark.parametrize("typed", TYPED, ids=[each.asked for each in TYPED])
def test_a_search_finds_its_question_and_its_rule_first(
    visit: Callable[..., Client], typed: Typed
) -> None:
    page = visit(typed.language).get("/arbitro", query_string={"testo": typed.asked})
    section = page.one("section", class_="found-here")
    if typed.question:
        assert questions(section)[0] in typed.question
    if typed.rules:
        assert set(rules(section)[:2]) & set(typed.rules)
    first = {QUESTION: questions(section), RULE: rules(section)}
    if typed.first:
        leading = section.all("a")[0]["href"]
        assert any(leading.endswith(each) for each in first[typed.first][:1])

"""The search of the rulebook: without accents, in any number, in Italian and English, mistyped, by
other names.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.i18n import Language
from scorepad.web.rulebook.search import search_rulebook
from tests.web.client import Client, Element, Page, Visit
from tests.web.rulebook_questions import FIGURES, QUESTIONS
from tests.web.tables import read_tables

CASES = read_tables("rulebook_search")


def search(client: Client, question: str, **more: str) -> Page:
    return client.get("/regole/cerca", query_string={"testo": question, **more})


def best_answer(client: Client, question: str, **more: str) -> str:
    """Where the first answer leads."""
    return search(client, question, **more).one("ol", class_="found").all("a")[0]["href"]


@pytest.mark.parametrize(("question", "place"), CASES["places"])
def test_a_question_finds_its_place(client: Client, question: str, place: str) -> None:
    """For example "cilena", another name of bolivia, at `/regole/bolivia`."""
    assert best_answer(client, question) == place


def test_a_rule_of_few_tables_is_found_where_the_page_has_it_unfolded(client: Client) -> None:
    place = best_answer(client, "canaste di chi perde", gioco="classica")
    assert place == "/regole/classica?aperto=si#scelta-losers-canastas"
    assert "scelta-losers-canastas" in client.get("/regole/classica?aperto=si").ids()


@pytest.mark.parametrize("game", ["moderna", "hand-and-foot"])
def test_americans_find_going_out_by_their_own_word(game: str) -> None:
    found = search_rulebook("meld out", game, Language.ENGLISH)
    assert found.entries[0].anchor == "regola-canastas-needed"


@pytest.mark.parametrize(("question", "game", "language", "places"), QUESTIONS)
def test_a_question_as_people_ask_it_has_its_answer_among_the_first_three(
    question: str, game: str, language: str, places: list[str]
) -> None:
    """Any of `places` answers it: an anchor in the rulebook, or the page of a whole game."""
    found = []
    for entry in search_rulebook(question, game, Language(language)).entries[:3]:
        found.append(entry.anchor or f"/regole/{entry.texts[0].games[0]}")
    assert any(place in places for place in found), found


@pytest.mark.parametrize(("question", "language", "answer"), FIGURES)
def test_the_answer_itself_is_read_among_the_first_three(
    visit: Visit, question: str, language: str, answer: str
) -> None:
    """For example that a discarded black three freezes the pile."""
    first_three = answers(visit(language), question)[:3]
    assert answer in " ".join(found.text for found in first_three)


def answers(client: Client, question: str, **more: str) -> list[Element]:
    """The answers on the page of a search, the best first."""
    return search(client, question, **more).one("ol", class_="found").all("li")


@pytest.mark.parametrize(("question", "minimum"), CASES["minimums"])
def test_a_score_beside_the_opening_is_told_its_minimum(
    client: Client, question: str, minimum: str
) -> None:
    """For example "apertura 3.200": an opening takes 120 from there."""
    assert minimum in answers(client, question)[0].text


def test_a_comparison_and_nothing_else_is_the_only_answer(client: Client) -> None:
    assert len(answers(client, "differenza tra canasta e samba")) == 1


def test_two_games_and_a_rule_find_the_rule_in_both_after_the_comparison(client: Client) -> None:
    comparison, rule, *_ = answers(client, "apertura samba canastone")
    assert "Samba" in comparison.one("h2").text
    assert rule.one("h2").one("a")["href"].endswith("#regola-opening-steps")


@pytest.mark.parametrize("case", CASES["page_says"].values(), ids=CASES["page_says"])
def test_the_page_of_a_search_says(visit: Visit, case: dict[str, Any]) -> None:
    """The texts of a case that its page shows (`says`) and does not show (`never`)."""
    client = visit(case.get("language", "it"))
    page = search(client, case["asked"], gioco=case.get("game", ""))
    for text in case.get("says", ()):
        assert text in page.text
    for text in case.get("never", ()):
        assert text not in page.text


def test_an_english_page_quotes_in_english(visit: Visit) -> None:
    reasons = visit("en").get("/regole/classica").texts("p", class_="why")
    assert any(reason.startswith("“") for reason in reasons)
    assert not any(reason.startswith("«") for reason in reasons)


@pytest.mark.parametrize(("question", "heading", "text"), CASES["lines_and_words"])
def test_lines_of_the_score_words_and_mistakes_are_found_with_their_figure_or_rule(
    client: Client, question: str, heading: str, text: str
) -> None:
    """For example "chiusura", a line of the score, with what who goes out gets."""
    found = answers(client, question, gioco="classica")
    with_heading = [answer.text for answer in found if heading in answer.text]
    assert text in with_heading[0]


def test_the_english_page_finds_italian_words(visit: Visit) -> None:
    first_answer = answers(visit("en"), "tallone")[0]
    assert first_answer.texts("a")[0] in ("End of the stock", "stock")


def test_a_question_that_names_a_game_is_about_that_game(client: Client) -> None:
    page = search(client, "apertura samba")
    links = page.one("ol", class_="found").hrefs("a")
    assert links[0] == "/regole/samba#regola-opening-steps"
    assert "/regole/samba" in links
    for link in links:
        assert link.startswith(("/regole/samba", "/regole/parole"))


def test_a_question_asked_on_a_games_page_leads_to_all_games(client: Client) -> None:
    page = search(client, "punteggio di apertura", gioco="canastone")
    assert page.links()["Cerca in tutti i giochi"] == "/regole/cerca?testo=punteggio+di+apertura"


def test_what_several_games_have_in_common_is_told_once(client: Client) -> None:
    rules = answers(client, "congelamento del pozzo")[0].texts("p")
    assert len(rules) == 3, "always, never, by a wild card"
    assert rules[0].endswith("e in altri 6 giochi")
    assert any("Canasta uruguaiana Canasta cubana" in rule for rule in rules[1:])


@pytest.mark.parametrize(
    "question",
    ["", "   ", "zzzzzz", "???", "x" * 5000, "<b>pozzo</b>", "%s %(a)s", "\x00", "il la e"],
)
def test_whatever_is_asked_gets_a_page(client: Client, question: str) -> None:
    page = search(client, question)
    assert page.heading == "Ricerca nelle regole"
    if question.strip():
        assert page.one(class_="found-said").text


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_game_is_found_by_its_name(visit: Visit, language: str) -> None:
    client = visit(language)
    for game in client.get("/regole").all("a", class_="game"):
        name = game.one("strong").text
        assert best_answer(client, name) == game["href"]


def test_an_answer_tells_how_other_tables_have_it_and_says_it_once(client: Client) -> None:
    answer = answers(client, "3 nero come prima carta")[0].text
    other_rule = "Resta in cima e congela il pozzo. (Enciclopedia)"
    assert f"Altrimenti, a scelta del tavolo: {other_rule}" in answer
    assert answer.count(other_rule) == 1


def test_the_first_answers_do_not_say_the_same_twice(client: Client) -> None:
    first_three = answers(client, "onori", gioco="tagliagola")[:3]
    sentences = [answer.texts(class_="found-first")[0] for answer in first_three]
    assert sentences[0] == "I 3 rossi esposti valgono 100 ciascuno, tutti e 4 insieme 800."
    assert len(set(sentences)) == 3

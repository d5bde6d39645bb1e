"""The search of the rulebook: without accents, in any number, in Italian and English, mistyped, by
other names.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorepad.i18n import Language
from scorepad.web.rulebook.search import search_rulebook
from tests.web.client import Client, Element, Page
from tests.web.rulebook_questions import FIGURES, QUESTIONS
from tests.web.tables import read_tables

CASES = read_tables("rulebook_search")


def find(client: Client, asked: str, **more: str) -> Page:
    return client.get("/regole/cerca", query_string={"testo": asked, **more})


def first(client: Client, asked: str, **more: str) -> str:
    """Where the best answer leads."""
    return find(client, asked, **more).one("ol", class_="found").all("a")[0]["href"]


@pytest.mark.parametrize(("asked", "place"), CASES["places"])
def test_a_question_finds_its_place(client: Client, asked: str, place: str) -> None:
    assert first(client, asked) == place


@pytest.mark.parametrize(("asked", "game", "language", "places"), QUESTIONS)
def test_a_question_as_people_ask_it_has_its_answer_among_the_first_three(
    asked: str, game: str, language: str, places: list[str]
) -> None:
    best = [entry.anchor or f"/regole/{entry.texts[0].games[0]}"
            for entry in search_rulebook(asked, game, Language(language)).entries[:3]]  # fmt: skip
    assert set(best) & set(places), best


@pytest.mark.parametrize(("asked", "language", "told"), FIGURES)
def test_the_answer_itself_is_read_among_the_first_three(
    visit: Callable[..., Client], asked: str, language: str, told: str
) -> None:
    assert told in " ".join(found.text for found in hits(visit(language), asked)[:3])


def hits(client: Client, asked: str, **more: str) -> list[Element]:
    return find(client, asked, **more).one("ol", class_="found").all("li")


@pytest.mark.parametrize(("asked", "told"), CASES["minimums"])
def test_a_score_beside_the_opening_is_told_its_minimum(
    client: Client, asked: str, told: str
) -> None:
    assert told in hits(client, asked)[0].text


def test_a_comparison_and_nothing_else_is_the_only_answer(client: Client) -> None:
    assert len(hits(client, "differenza tra canasta e samba")) == 1


def test_two_games_and_a_rule_find_the_rule_in_both_after_the_comparison(client: Client) -> None:
    comparison, rule, *_ = hits(client, "apertura samba canastone")
    assert "Canasta samba" in comparison.one("h2").text or "Samba" in comparison.one("h2").text
    assert rule.one("h2").one("a")["href"].endswith("#regola-opening-steps")


@pytest.mark.parametrize("asked", ["il morto", "briscola", "zzzzzz"])
def test_what_is_no_word_of_canasta_is_said_to_be_none(client: Client, asked: str) -> None:
    page = find(client, asked)
    said = page.one(class_="found-said").text
    assert said.startswith(f"Per «{asked}» non c'è niente: nessuna regola ne parla. Prova con una")
    assert not page.all("ol", class_="found")
    assert "Forse cercavi" not in page.text


def test_a_word_that_no_rule_knows_beside_one_that_they_know_is_told(client: Client) -> None:
    page = find(client, "il pozzo e la briscola")
    assert "Nelle regole non c'è la parola «briscola»." in page.text
    assert page.one("ol", class_="found")


def test_an_english_page_quotes_in_english(visit: Callable[..., Client]) -> None:
    assert (
        "No rule uses the word “briscola”." in find(visit("en"), "the pile and the briscola").text
    )
    told = [each.text for each in visit("en").get("/regole/classica").all("p", class_="why")]
    assert any(text.startswith("“") for text in told)
    assert not any(text.startswith("«") for text in told)


@pytest.mark.parametrize(
    ("language", "asked", "hint"),
    [
        ("it", "quanto vale la samba", "Forse cercavi"),
        ("it", "canasta de wild", "Forse cercavi"),
        ("en", "what happens when stock runs out", "Perhaps you meant"),
        ("it", "pari", "Forse cercavi"),
    ],
)
def test_nothing_is_suggested_where_the_words_are_known_or_no_suggestion_helps(
    visit: Callable[..., Client], language: str, asked: str, hint: str
) -> None:
    assert hint not in find(visit(language), asked).text


@pytest.mark.parametrize(
    ("language", "wrong", "right"), [("it", "apertra", "apertura"), ("en", "opeing", "opening")]
)
def test_a_suggestion_is_in_the_language_of_the_page(
    visit: Callable[..., Client], language: str, wrong: str, right: str
) -> None:
    told = next(
        each.text
        for each in find(visit(language), wrong).all("p", class_="small")
        if ":" in each.text
    )
    meant = told.partition(":")[2].strip(" .").split(", ")
    assert right in meant
    assert not set(meant) & (
        {"aperto", "aprire", "apertura"} if language == "en" else {"open", "opening"}
    )


@pytest.mark.parametrize(("asked", "heading", "told"), CASES["lines_and_words"])
def test_lines_of_the_score_words_and_mistakes_are_found_with_their_figure_or_rule(
    client: Client, asked: str, heading: str, told: str
) -> None:
    found = [each for each in hits(client, asked, gioco="classica") if heading in each.text]
    assert told in found[0].text


def test_the_english_page_finds_italian_words(visit: Callable[..., Client]) -> None:
    page = find(visit("en"), "tallone")
    assert page.one("ol", class_="found").all("a")[0].text in ("End of the stock", "stock")


@pytest.mark.parametrize(
    ("wrong", "right"), [("canastra", "canasta"), ("pozo", "pozzo"), ("smazata", "smazzata")]
)
def test_a_word_mistyped_is_taken_for_the_nearest_and_that_is_said(
    client: Client, wrong: str, right: str
) -> None:
    page = find(client, wrong)
    assert "Forse cercavi" in page.text
    assert right in page.one("main").text


def test_a_question_that_names_a_game_is_about_that_game(client: Client) -> None:
    page = find(client, "apertura samba")
    links = [link["href"] for link in page.one("ol", class_="found").all("a")]
    assert links[0] == "/regole/samba#regola-opening-steps"
    assert "/regole/samba" in links
    assert all(link.startswith(("/regole/samba", "/regole/parole")) for link in links)
    assert "da 7.000: 150" in page.text
    assert "da 7.000: 160" not in page.text, "that is the canastone"


def test_a_question_asked_on_a_games_page_is_about_that_game(client: Client) -> None:
    page = find(client, "punteggio di apertura", gioco="canastone")
    assert "da 7.000: 160" in page.text
    assert "da 7.000: 150" not in page.text
    assert page.links()["Cerca in tutti i giochi"] == "/regole/cerca?testo=punteggio+di+apertura"


def test_what_several_games_have_in_common_is_told_once(client: Client) -> None:
    told = [text.text for text in hits(client, "congelamento del pozzo")[0].all("p")]
    assert len(told) == 3, "always, never, by a wild card"
    assert told[0].endswith("e in altri 6 giochi")
    assert any("Canasta uruguaiana Canasta cubana" in each for each in told[1:])


@pytest.mark.parametrize(
    "asked", ["", "   ", "zzzzzz", "???", "x" * 5000, "<b>pozzo</b>", "%s %(a)s", "\x00", "il la e"]
)
def test_whatever_is_asked_gets_a_page(client: Client, asked: str) -> None:
    page = find(client, asked)
    assert page.one("h1").text == "Ricerca nelle regole"
    if asked.strip():
        assert page.one(class_="found-said").text


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_game_is_found_by_its_name(visit: Callable[..., Client], language: str) -> None:
    client = visit(language)
    for game in client.get("/regole").all("a", class_="game"):
        assert first(client, game.one("strong").text) == game["href"]


def test_an_answer_tells_how_other_tables_have_it_and_says_it_once(client: Client) -> None:
    told = hits(client, "3 nero come prima carta")[0].text
    assert (
        "Altrimenti, a scelta del tavolo: Resta in cima e congela il pozzo. (Enciclopedia)" in told
    )
    assert told.count("Resta in cima e congela il pozzo. (Enciclopedia)") == 1


def test_the_first_answers_do_not_say_the_same_twice(client: Client) -> None:
    told = [
        found.all(class_="found-first")[0].text
        for found in hits(client, "onori", gioco="tagliagola")[:3]
    ]
    assert told[0] == "I 3 rossi esposti valgono 100 ciascuno, tutti e 4 insieme 800."
    assert len(set(told)) == 3

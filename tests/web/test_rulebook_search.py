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


def find(client: Client, asked: str, **more: str) -> Page:
    return client.get("/regole/cerca", query_string={"testo": asked, **more})


def first(client: Client, asked: str, **more: str) -> str:
    """Where the best answer leads."""
    return find(client, asked, **more).one("ol", class_="found").all("a")[0]["href"]


@pytest.mark.parametrize(("asked", "place"), CASES["places"])
def test_a_question_finds_its_place(client: Client, asked: str, place: str) -> None:
    assert first(client, asked) == place


def test_a_rule_of_few_tables_is_found_where_the_page_has_it_unfolded(client: Client) -> None:
    place = first(client, "canaste di chi perde", gioco="classica")
    assert place == "/regole/classica?aperto=si#scelta-losers-canastas"
    page = client.get(place.partition("#")[0])
    assert page.all(id="scelta-losers-canastas")


@pytest.mark.parametrize("game", ["moderna", "hand-and-foot"])
def test_americans_find_going_out_by_their_own_word(game: str) -> None:
    best, *_ = search_rulebook("meld out", game, Language.ENGLISH).entries
    assert best.anchor == "regola-canastas-needed"


@pytest.mark.parametrize(("asked", "game", "language", "places"), QUESTIONS)
def test_a_question_as_people_ask_it_has_its_answer_among_the_first_three(
    asked: str, game: str, language: str, places: list[str]
) -> None:
    best = []
    for entry in search_rulebook(asked, game, Language(language)).entries[:3]:
        best.append(entry.anchor or f"/regole/{entry.texts[0].games[0]}")
    assert set(best) & set(places), best


@pytest.mark.parametrize(("asked", "language", "told"), FIGURES)
def test_the_answer_itself_is_read_among_the_first_three(
    visit: Visit, asked: str, language: str, told: str
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
    assert "Samba" in comparison.one("h2").text
    assert rule.one("h2").one("a")["href"].endswith("#regola-opening-steps")


@pytest.mark.parametrize("row", CASES["told"].values(), ids=CASES["told"])
def test_the_page_of_a_search_tells(visit: Visit, row: dict[str, Any]) -> None:
    page = find(visit(row.get("language", "it")), row["asked"], gioco=row.get("game", ""))
    for told in row.get("says", ()):
        assert told in page.text
    for untold in row.get("never", ()):
        assert untold not in page.text


def test_an_english_page_quotes_in_english(visit: Visit) -> None:
    told = visit("en").get("/regole/classica").texts("p", class_="why")
    assert any(text.startswith("“") for text in told)
    assert not any(text.startswith("«") for text in told)


@pytest.mark.parametrize(("asked", "heading", "told"), CASES["lines_and_words"])
def test_lines_of_the_score_words_and_mistakes_are_found_with_their_figure_or_rule(
    client: Client, asked: str, heading: str, told: str
) -> None:
    found = [each for each in hits(client, asked, gioco="classica") if heading in each.text]
    assert told in found[0].text


def test_the_english_page_finds_italian_words(visit: Visit) -> None:
    page = find(visit("en"), "tallone")
    assert page.one("ol", class_="found").all("a")[0].text in ("End of the stock", "stock")


def test_a_question_that_names_a_game_is_about_that_game(client: Client) -> None:
    page = find(client, "apertura samba")
    links = [link["href"] for link in page.one("ol", class_="found").all("a")]
    assert links[0] == "/regole/samba#regola-opening-steps"
    assert "/regole/samba" in links
    assert all(link.startswith(("/regole/samba", "/regole/parole")) for link in links)


def test_a_question_asked_on_a_games_page_leads_to_all_games(client: Client) -> None:
    page = find(client, "punteggio di apertura", gioco="canastone")
    assert page.links()["Cerca in tutti i giochi"] == "/regole/cerca?testo=punteggio+di+apertura"


def test_what_several_games_have_in_common_is_told_once(client: Client) -> None:
    told = hits(client, "congelamento del pozzo")[0].texts("p")
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
def test_every_game_is_found_by_its_name(visit: Visit, language: str) -> None:
    client = visit(language)
    for game in client.get("/regole").all("a", class_="game"):
        assert first(client, game.one("strong").text) == game["href"]


def test_an_answer_tells_how_other_tables_have_it_and_says_it_once(client: Client) -> None:
    told = hits(client, "3 nero come prima carta")[0].text
    other = "Resta in cima e congela il pozzo. (Enciclopedia)"
    assert f"Altrimenti, a scelta del tavolo: {other}" in told
    assert told.count(other) == 1


def test_the_first_answers_do_not_say_the_same_twice(client: Client) -> None:
    found = hits(client, "onori", gioco="tagliagola")[:3]
    told = [answer.all(class_="found-first")[0].text for answer in found]
    assert told[0] == "I 3 rossi esposti valgono 100 ciascuno, tutti e 4 insieme 800."
    assert len(set(told)) == 3

"""The search of the rulebook: it finds words without their accents, in singular or plural, in
Italian and English, mistyped, and by other names.

Answers are places in the rulebook: `/regole/classica#regola-freezing` is the rule of classica on
how the pile is frozen, `/regole/parole#…` a word of the glossary.
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
    """Open the page with the answers to a question. With `gioco` it is asked about one game."""
    return client.get("/regole/cerca", query_string={"testo": question, **more})


def best_answer(client: Client, question: str, **more: str) -> str:
    """Search for a question, and return where the first answer leads."""
    first_answer = answers(client, question, **more)[0]
    return first_answer.all("a")[0]["href"]


@pytest.mark.parametrize(("question", "place"), CASES["places"])
def test_best_answer_of_a_search(client: Client, question: str, place: str) -> None:
    # One search is for "cilena", another name of the game bolivia, whose page is `/regole/bolivia`.
    assert best_answer(client, question) == place


def test_rare_rule_is_found_on_the_unfolded_page(client: Client) -> None:
    # "Canastas of the loser" is a rule that few tables play by. It is folded away, and so the
    # answer leads to the page with everything unfolded ("aperto=si").
    place = best_answer(client, "canaste di chi perde", gioco="classica")
    assert place == "/regole/classica?aperto=si#scelta-losers-canastas"

    unfolded_page = client.get("/regole/classica?aperto=si")
    assert "scelta-losers-canastas" in unfolded_page.ids()


@pytest.mark.parametrize("game", ["moderna", "hand-and-foot"])
def test_american_word_for_going_out_is_found(game: str) -> None:
    # These two games come from America, where "to meld out" means to go out.
    found = search_rulebook("meld out", game, Language.ENGLISH)

    # The best answer is how many canastas that takes.
    assert found.entries[0].anchor == "regola-canastas-needed"


@pytest.mark.parametrize(("question", "game", "language", "places"), QUESTIONS)
def test_answer_is_among_the_first_three(
    question: str, game: str, language: str, places: list[str]
) -> None:
    # One question is "quanto si prende a chiudere" (what does one get for going out), asked about
    # classica. It is answered at `regola-out-bonus`. What is found has an anchor in the rulebook,
    # or is the page of a whole game.
    found = []
    for entry in search_rulebook(question, game, Language(language)).entries[:3]:
        found.append(entry.anchor or f"/regole/{entry.texts[0].games[0]}")

    # Any of these places answers the question.
    assert set(found) & set(places), found


@pytest.mark.parametrize(("question", "language", "answer"), FIGURES)
def test_text_of_answer_is_shown_among_the_first_three(
    visit: Visit, question: str, language: str, answer: str
) -> None:
    # One question is "3 nero congela il pozzo" (a black 3 freezes the pile). The answer says that
    # by the rules of the Enciclopedia it does.
    first_three = answers(visit(language), question)[:3]
    texts = " ".join(found.text for found in first_three)
    assert answer in texts


def answers(client: Client, question: str, **more: str) -> list[Element]:
    """Search for a question, and return the answers on the page, the best first."""
    return search(client, question, **more).one("ol", class_="found").all("li")


@pytest.mark.parametrize(("question", "minimum"), CASES["minimums"])
def test_search_for_opening_with_a_score_shows_the_minimum(
    client: Client, question: str, minimum: str
) -> None:
    # A side opens with its first melds, which need more points the higher its score is. One
    # question is "apertura 3.200" ("opening 3,200"), which is answered with "A 3.200 punti si apre
    # con 120." ("At 3,200 points one opens with 120.")
    best_answer = answers(client, question)[0]

    assert minimum in best_answer.text


def test_search_for_a_comparison_finds_only_the_comparison(client: Client) -> None:
    found = answers(client, "differenza tra canasta e samba")  # "difference between …"
    assert len(found) == 1


def test_search_for_a_rule_of_two_games_finds_comparison_and_rule(client: Client) -> None:
    found = answers(client, "apertura samba canastone")  # "opening", and two games

    comparison = found[0].one("h2")
    rule = found[1].one("h2")
    assert "Samba" in comparison.text
    assert rule.one("a")["href"].endswith("#regola-opening-steps")


@pytest.mark.parametrize("case", CASES["page_says"].values(), ids=CASES["page_says"])
def test_page_of_search_shows_texts(visit: Visit, case: dict[str, Any]) -> None:
    # One case is "pozo", which is mistyped. The page suggests "pozzo" (pile): "Perhaps you meant".
    client = visit(case.get("language", "it"))

    page = search(client, case["asked"], gioco=case.get("game", ""))

    for text in case.get("says", ()):
        assert text in page.text
    for text in case.get("never", ()):
        assert text not in page.text


def test_english_page_has_english_quotation_marks(visit: Visit) -> None:
    # Beside a rule the page quotes its source.
    reasons = visit("en").get("/regole/classica").texts("p", class_="why")

    first_characters = {reason[0] for reason in reasons}
    assert "“" in first_characters
    assert "«" not in first_characters


@pytest.mark.parametrize(("question", "heading", "text"), CASES["lines_and_words"])
def test_answer_shows_the_figure_or_the_rule(
    client: Client, question: str, heading: str, text: str
) -> None:
    # One question is "chiusura" (going out). The answer "Line of the score" says "Who goes out has
    # 100 points".
    found = answers(client, question, gioco="classica")
    answer = next(answer.text for answer in found if heading in answer.text)
    assert text in answer


def test_italian_word_is_found_on_english_page(visit: Visit) -> None:
    first_answer = answers(visit("en"), "tallone")[0]  # "stock"
    assert first_answer.texts("a")[0] in ("End of the stock", "stock")


def test_search_that_names_a_game_is_limited_to_it(client: Client) -> None:
    page = search(client, "apertura samba")  # "opening samba"

    links = page.one("ol", class_="found").hrefs("a")
    assert links[0] == "/regole/samba#regola-opening-steps"
    assert "/regole/samba" in links
    for link in links:
        assert link.startswith(("/regole/samba", "/regole/parole")), "samba, or the glossary"


def test_search_on_page_of_a_game_links_to_all_games(client: Client) -> None:
    page = search(client, "punteggio di apertura", gioco="canastone")  # "opening minimum"
    link = page.links()["Cerca in tutti i giochi"]  # "Search in all games"
    assert link == "/regole/cerca?testo=punteggio+di+apertura"


def test_rule_common_to_several_games_is_shown_once(client: Client) -> None:
    # "Freezing of the pile" has one answer with three rules: by a wild card, always, or never.
    rules = answers(client, "congelamento del pozzo")[0].texts("p")
    assert len(rules) == 3

    # Each rule ends with the games where it is so.
    assert rules[0].endswith("e in altri 6 giochi")  # "and in 6 other games"
    assert "Canasta uruguaiana Canasta cubana" in rules[1] + rules[2]


@pytest.mark.parametrize(
    "question",
    ["", "   ", "zzzzzz", "???", "x" * 5000, "<b>pozzo</b>", "%s %(a)s", "\x00", "il la e"],
)
def test_any_search_text_gets_a_page(client: Client, question: str) -> None:
    page = search(client, question)
    assert page.heading == "Ricerca nelle regole"  # "Search in the rules"

    # If something was asked, the page says how much was found.
    if question.strip():
        assert page.one(class_="found-said").text


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_game_is_found_by_its_name(visit: Visit, language: str) -> None:
    client = visit(language)
    for game in client.get("/regole").all("a", class_="game"):
        name = game.one("strong").text
        assert best_answer(client, name) == game["href"]


def test_answer_shows_alternatives_once(client: Client) -> None:
    answer = answers(client, "3 nero come prima carta")[0].text  # "black 3 as the first card"

    # "Otherwise", as the table chooses, "it stays on top and freezes the pile".
    alternative = "Resta in cima e congela il pozzo. (Enciclopedia)"
    assert f"Altrimenti, a scelta del tavolo: {alternative}" in answer
    assert answer.count(alternative) == 1


def test_first_answers_differ(client: Client) -> None:
    first_three = answers(client, "onori", gioco="tagliagola")[:3]  # "red threes"

    # "Red threes that are laid down are worth 100 each, all 4 together 800."
    sentences = [answer.texts(class_="found-first")[0] for answer in first_three]
    assert sentences[0] == "I 3 rossi esposti valgono 100 ciascuno, tutti e 4 insieme 800."
    assert len(set(sentences)) == 3

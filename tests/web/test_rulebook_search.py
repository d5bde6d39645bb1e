"""The search of the rulebook: without accents, in any number, in Italian and English, mistyped, by other names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorepad.rules.variants import get_variant, variant_ids
from scorepad.web.rulebook.matching import plain_words, stems, wanted_words
from tests.web.client import Client, Page


def find(client: Client, asked: str, **more: str) -> Page:
    return client.get("/regole/cerca", query_string={"testo": asked, **more})


def first(client: Client, asked: str, **more: str) -> str:
    """Where the best answer leads."""
    return find(client, asked, **more).one("ol", class_="found").all("a")[0]["href"]


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        # games, by their other names too
        ("canasta boliviana", "/regole/bolivia"),
        ("cilena", "/regole/bolivia"),
        ("Cutthroat", "/regole/tagliagola"),
        ("canasta italiana", "/regole/canastone"),
        ("canasta a tre mazzi", "/regole/samba"),
        ("in tre", "/regole/tre"),
        ("Hand & Foot", "/regole/hand-and-foot"),
        ("canasta internazionale", "/regole/classica"),
        # rules, in any number, without accents, as a question
        ("onori", "/regole/classica#regola-red-three-values"),
        ("pozzi congelati", "/regole/classica#regola-freezing"),
        ("Quanto vale il 3 rosso?", "/regole/classica#regola-red-three-values"),
        ("quanto valgono i tre rossi", "/regole/classica#regola-red-three-values"),
        ("può prendere il pozzo?", "/regole/classica#regola-pile"),
        ("basta per aprire?", "/regole/classica#regola-opening-steps"),
        ("scartare tre neri nel primo giro", "/regole/classica#regola-first-round-black-threes"),
        ("finito il tallone", "/regole/classica#regola-end-of-stock"),
        # in English, on an Italian page
        ("end of the stock", "/regole/classica#regola-end-of-stock"),
        ("card points", "/regole/classica#regola-card-points"),
        # chapters, penalties, alerts and their codes, words
        ("penalita", "/regole/classica#capitolo-penalties"),
        ("pescata fuori turno", "/regole/classica#penalita-draw-out-of-turn"),
        ("troppe matte", "/regole/classica#avviso-meld-too-many-wilds"),
        ("meld-too-many-wilds", "/regole/classica#avviso-meld-too-many-wilds"),
        ("smazzata", "/regole/parole#parola-hand"),
        ("mazziere", "/regole/parole#parola-dealer"),
    ],
)
def test_a_question_finds_its_place(client: Client, asked: str, place: str) -> None:
    assert first(client, asked) == place


def test_the_english_page_finds_italian_words(visit: Callable[..., Client]) -> None:
    page = find(visit("en"), "tallone")
    assert page.one("ol", class_="found").all("a")[0].text in ("End of the stock", "stock")


@pytest.mark.parametrize(("wrong", "right"), [("canastra", "canasta"), ("pozo", "pozzo"), ("smazata", "smazzata")])
def test_a_word_mistyped_is_taken_for_the_nearest_and_that_is_said(client: Client, wrong: str, right: str) -> None:
    page = find(client, wrong)
    assert "Forse cercavi" in page.text
    assert right in page.one("main").text


def test_a_question_that_names_a_game_is_about_that_game(client: Client) -> None:
    page = find(client, "apertura samba")
    links = [link["href"] for link in page.one("ol", class_="found").all("a")]
    assert links[0] == "/regole/samba"
    assert all(link.startswith(("/regole/samba", "/regole/parole")) for link in links)
    assert "150 da 7.000" in page.text
    assert "160 da 7.000" not in page.text, "that is the canastone"


def test_a_question_asked_on_a_games_page_is_about_that_game(client: Client) -> None:
    page = find(client, "punteggio di apertura", gioco="canastone")
    assert "160 da 7.000" in page.text
    assert "150 da 7.000" not in page.text
    assert page.links()["Cerca in tutti i giochi"] == "/regole/cerca?testo=punteggio+di+apertura"


def test_what_several_games_have_in_common_is_told_once(client: Client) -> None:
    page = find(client, "congelamento del pozzo")
    told = [text.text for text in page.one("ol", class_="found").all("li")[0].all("p")]
    assert len(told) == 3, "always, never, by a wild card"
    assert told[0].endswith("e in altri 8 giochi")
    assert "Canasta uruguaiana Canasta cubana" in told[2] or "Canasta uruguaiana Canasta cubana" in told[1]


@pytest.mark.parametrize(
    "asked", ["", "   ", "zzzzzz", "???", "x" * 5000, "<b>pozzo</b>", "%s %(a)s", "\x00", "il la e"]
)
def test_whatever_is_asked_gets_a_page(client: Client, asked: str) -> None:
    page = find(client, asked)
    assert page.one("h1").text == "Ricerca nelle regole"
    if asked.strip():
        assert page.one(class_="found-said").text


def test_nothing_found_is_said_with_what_to_try(client: Client) -> None:
    assert "Per «zzzzzz» non c'è niente." in find(client, "zzzzzz").text


@pytest.mark.parametrize("name", variant_ids())
def test_every_game_is_found_by_its_names(visit: Callable[..., Client], name: str) -> None:
    for language in ("it", "en"):
        client = visit(language)
        called = next(game.one("strong").text for game in client.get("/regole").all("a", class_="game")
                      if game["href"] == f"/regole/{name}")  # fmt: skip
        assert first(client, called) == f"/regole/{get_variant(name).id}"


def test_words_are_known_without_accents_and_figures_without_their_points() -> None:
    assert plain_words("Penalità: 1.500 punti") == ("penalita", "1500", "punti")
    assert stems("canaste") & stems("canasta")
    assert stems("tre") & stems("3")
    assert stems("threes") & stems("3")
    assert not stems("pozzo") & stems("pozza-nera")


def test_words_that_say_nothing_are_left_out_of_a_question_unless_there_are_no_others() -> None:
    assert wanted_words("quanto vale il pozzo") == ("pozzo",)
    assert wanted_words("il la") == ("il", "la")

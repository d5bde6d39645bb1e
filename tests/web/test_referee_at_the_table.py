"""Disputes as people put them who had never seen the referee's pages: cards as they are spoken of,
who is asked about, and answers that fit.

The addresses hold the facts of a dispute: `pozzo?top=K&laid=2xK` asks whether the pile, with a king
on top, may be taken by laying two kings from the hand.
"""

from __future__ import annotations

import pytest

from scorepad.rules.cards import read_cards
from scorepad.rules.variants import settle
from scorepad.web.card_lines import add_top_card
from tests.web.client import Client, Page
from tests.web.player import Begin, Player
from tests.web.playing import HAND_430_TO_60
from tests.web.referee_asked import facts_of_case, question_asked, verdict_word
from tests.web.tables import read_tables

CASES = read_tables("referee")


def labels_of_question(page: Page) -> list[str]:
    """Return all that a page asks: the labels of its fields, and the question itself."""
    return page.texts("legend", "label") + page.texts("h2", class_="asked")


# ---------------------------------------------------------------- what was done already


@pytest.mark.parametrize(("address", "verdict", "faults", "no_remedy"), CASES["done_already"])
def test_answer_shows_remedies_of_what_was_done_already(
    client: Client, address: str, verdict: str, faults: list[str], no_remedy: bool
) -> None:
    # One case is a meld of three sevens and a two in moderna. The answer is "No", and the sources
    # do not say what to do once the cards were laid.
    page = client.get(f"/arbitro/{address}&passo=risposta")

    # `faults` are headings of mistakes that may have been made already, each with its remedy.
    assert verdict_word(page) == verdict
    assert page.texts("h2", class_="fault-name") == faults
    # "the sources do not say what is done"
    says_no_remedy = "le fonti non dicono che cosa si fa" in page.text
    assert says_no_remedy is no_remedy


# ---------------------------------------------------------------- only what belongs to the case


@pytest.mark.parametrize("variant", ["due", "tre"])
@pytest.mark.parametrize(
    "question",
    [
        "chiusura?",
        "chiusura?passo=tutti",
        "pozzo?top=K&passo=table",
        "tre-rossi?passo=tutti",
        "calata?cards=3xK&passo=tutti",
        "pozzo?top=K&passo=risposta",
    ],
)
def test_no_partner_is_mentioned_where_all_play_alone(
    client: Client, variant: str, question: str
) -> None:
    # In the variants for two and three players ("due", "tre") everybody is a side. The first
    # question is about going out. "passo=tutti" shows all its facts on one page.
    page = client.get(f"/arbitro/{question}&variante={variant}")
    assert "coppia" not in page.text.lower()  # "pair"
    assert "compagno" not in page.text  # "partner"


@pytest.mark.parametrize(("address", "question"), CASES["who_plays"])
def test_question_names_those_who_play(client: Client, address: str, question: str) -> None:
    # One case is tagliagola, where a player may be alone or in a pair. There the page asks "Has the
    # player opened, alone or in a pair?"
    page = client.get(f"/arbitro/{address}")
    assert question in labels_of_question(page)


# ---------------------------------------------------------------- where it goes on


@pytest.mark.parametrize("address", ["/arbitro", "/arbitro/pozzo?top=K&laid=2+re&passo=risposta"])
def test_red_three_in_the_pile_links_to_its_rule(client: Client, address: str) -> None:
    # The link "Read the rule, there was a red 3 in the pile" is followed into the rulebook.
    url = client.get(address).links()["Leggi la regola: Nel pozzo c'era un 3 rosso"]
    rulebook, anchor = url.split("#")
    rule = client.get(rulebook).one(id=anchor).text

    assert "trovato nel pozzo" in rule  # "found in the pile"


def test_moderna_has_no_rule_of_a_red_three_in_the_pile(client: Client) -> None:
    page = client.get("/arbitro?variante=moderna")
    assert "Nel pozzo c'era un 3 rosso" not in page.text  # "There was a red 3 in the pile"


def test_page_of_rules_lists_games_first(client: Client) -> None:
    text = client.get("/arbitro/regole").text

    # "Another game" comes before the button "Use these rules".
    assert text.index("Un altro gioco") < text.index("Usa queste regole")
    # The game samba comes before the "Rules followed" of classica.
    assert text.index("Samba") < text.index("Regole seguite")


def test_referee_links_to_the_form_of_a_house_penalty(player: Player) -> None:
    # A table may agree on penalties of its own. In a match the referee links to their form.
    note_penalty = "Segna una penalità della casa"  # "Note a house penalty"
    referee = player.page("arbitro/penalita?caso=house")
    form = player.client.get(referee.links()[note_penalty])

    # The second side gets 50 points for "cards seen". The button is "Note the penalty".
    player.submit(form, "Segna la penalità", side="1", points="50", reason="carte viste")
    assert player.noted == [(1, "house")]
    assert player.state.noted_penalties[0].points == 50

    # Outside a match there is nothing to note it for.
    outside_a_match = player.client.get("/arbitro/penalita?caso=house")
    assert note_penalty not in outside_a_match.text


def test_saved_ruling_can_be_removed_after_its_hand(player: Player) -> None:
    # The referee is asked whether three kings, and then three queens, may be laid. Both rulings are
    # saved, and the hand is played.
    player.submit("arbitro/calata?cards=3xK&passo=risposta", "Salva la decisione")
    player.submit("arbitro/calata?cards=3xQ&passo=risposta", "Salva la decisione")
    match_page = player.play(HAND_430_TO_60)
    first, second = player.state.rulings

    # A link "Read" leads to the rulings of the hand. Each has a form that removes it.
    rulings = player.client.get(match_page.links()["Leggi"])
    form = rulings.one("section", id=f"decisione-{first.sequence}").one("form")

    # The first one is removed: "Ruling removed from hand 1."
    removed = player.client.post(form["action"], rulings.values(form))
    assert removed.notices == ["Decisione tolta dalla smazzata 1."]
    assert player.state.rulings == [second]

    # The page of the match has a link "Read" less, and its log says "Ruling undone".
    assert player.page().text.count("Leggi") == match_page.text.count("Leggi") - 1
    assert "Decisione dell'arbitro annullata" in player.page("registro").text


@pytest.mark.parametrize(
    ("variant", "question", "text"),
    [
        # The log says "Cards turned up, 1 two, 1 queen".
        ("classica", "prima-carta?cards=2+Q", "Carte scoperte: 1 pinella, 1 donna"),
        # It says "May it be discarded? It depends".
        ("mini", "scarto?card=8", "Può scartarla? Dipende"),
    ],
    ids=["cards turned up in their order", "a doubtful discard"],
)
def test_log_shows_a_saved_ruling(begin: Begin, variant: str, question: str, text: str) -> None:
    player = begin(variant)
    player.submit(f"arbitro/{question}&passo=risposta", "Salva la decisione")  # "Save the ruling"
    assert text in player.page("registro").text


# ---------------------------------------------------------------- the pile


@pytest.mark.parametrize(("address", "verdict", "fact", "text"), CASES["cards_of_the_case"])
def test_case_shows_the_cards_in_words(
    client: Client, address: str, verdict: str, fact: str, text: str
) -> None:
    # One address is "pozzo?top=8&laid=8+JK": may one take the pile (`pozzo`) with an eight on top,
    # if one lays an eight and a joker from the hand?
    page = client.get(f"/arbitro/{address}&passo=risposta")

    # The verdict is "Sì" (yes).
    assert verdict_word(page) == verdict

    # Beside the verdict stand the facts, each with its name. "Dalla mano" (from the hand) is "1 otto
    # e 1 jolly" (one eight and one joker).
    assert facts_of_case(page)[fact] == [text]

    # Beside a "Sì" no fact is called wrong ("non va").
    if verdict == "Sì":
        assert "non va" not in page.text


def test_laying_nothing_from_the_hand_is_an_answer(client: Client) -> None:
    # Somebody wants to take the pile (`pozzo`), with a king on top. What is laid together with it?
    url = "/arbitro/pozzo?top=K&frozen=no"
    question = client.get(url)

    # A button says "Nothing, the top card goes to a meld of one's own". It sends its value as `do`.
    text = "Niente: la carta in cima va su una propria combinazione"
    nothing = next(button for button in question.all("button") if button.text == text)
    page = client.get(f"{url}&do={nothing['value']}")

    # The next question is "Has the pair opened already?"
    assert question_asked(page) == "La coppia ha già aperto?"


@pytest.mark.parametrize(("variant", "top", "table", "laid", "expected"), CASES["top_card"])
def test_top_card_is_added_to_the_meld_it_fits(
    variant: str, top: str, table: list[str], laid: list[str], expected: list[str]
) -> None:
    # Somebody takes the pile with a king on top, and lays `2xK`, two kings, from the hand. Together
    # they are `3xK`. If three kings lie on the table already, the top card goes there instead.
    melds = add_top_card(laid, top, table, settle(variant))

    assert [read_cards(meld) for meld in melds] == [read_cards(meld) for meld in expected]


# ---------------------------------------------------------------- typed cards


@pytest.mark.parametrize(("address", "typed", "cards_in_words"), CASES["typed_and_read"])
def test_typed_cards_are_kept_and_read_out(
    client: Client, address: str, typed: str, cards_in_words: str
) -> None:
    # One case is `4C 5C 6C`. Beside the field stands "C is clubs, and hearts are written h".
    page = client.get(f"/arbitro/{address}cards={typed}&passo=cards")

    assert page.value_of("cards") == typed
    assert cards_in_words in page.one("div", id="cards-echo").text


@pytest.mark.parametrize("typed", ["-200", "−200", "– 200"])
def test_typed_score_with_minus_sign_is_negative(client: Client, typed: str) -> None:
    # How many points are needed to open? The score is typed and "Go on" pressed.
    page = client.submit("/arbitro/apertura?way=minimum", "Avanti", score=typed)

    # Below zero 15 are. The case says "Points made so far in the match", "200 below zero".
    assert verdict_word(page) == "15 punti"
    assert facts_of_case(page)["Punti già fatti nella partita"] == ["200 sotto zero"]


# ---------------------------------------------------------------- only what belongs to the case


@pytest.mark.parametrize(("address", "question"), CASES["asked_for"])
def test_only_deciding_facts_are_asked_for(client: Client, address: str, question: str) -> None:
    # One case asks about red threes in cubana. Their value depends on "How many canastas does the
    # pair have?"
    page = client.get(f"/arbitro/{address}")

    # Where the answer is given at once, the page asks for nothing, and `question` is empty.
    assert "".join(page.texts("h2", class_="asked")) == question


@pytest.mark.parametrize("address", ["/arbitro", "/arbitro/penalita"])
def test_last_mistake_of_the_list_is_any_other_mistake(client: Client, address: str) -> None:
    # The page of all mistakes has a heading for each, and the first page has lists of links.
    page = client.get(address)
    lists = page.all("h2", class_="fault-name") or page.all("ul", class_="links")

    # "Another mistake, or a house penalty"
    last_link = lists[-1].all("a")[-1]
    assert last_link.text == "Altro sbaglio, o una penalità della casa"

    # "The sources do not say it": they say nothing of mistakes that are not in this list.
    other_mistake = client.get(last_link["href"])
    assert verdict_word(other_mistake) == "Le fonti non lo dicono"
    sources_are_silent = "Di sbagli che non sono in questo elenco le fonti non dicono niente."
    assert sources_are_silent in other_mistake.text

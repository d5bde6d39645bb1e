"""Disputes as people put them who had never seen the pages: cards as they are spoken of, what is asked
of whom, answers that fit, and what is told beside a yes.
"""

from __future__ import annotations

import pytest

from scorepad.rules.cards import read_cards
from scorepad.rules.variants import settle
from scorepad.web.card_lines import add_top_card
from tests.web.client import Client, Page
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60, start
from tests.web.referee_asked import facts_of_case, verdict_word
from tests.web.tables import read_tables

CASES = read_tables("referee")
UNTOLD = "le fonti non dicono che cosa si fa"


def question_asked(page: Page) -> list[str]:
    """What a step asks."""
    headings = page.all("h2", class_="asked")
    return [each.text for each in page.all("legend") + page.all("label") + headings]


# ---------------------------------------------------------------- what was done already


@pytest.mark.parametrize(("address", "said", "faults", "is_untold"), CASES["done_already"])
def test_what_was_done_already_is_told_with_its_remedy_if_a_source_has_one(
    client: Client, address: str, said: str, faults: list[str], is_untold: bool
) -> None:
    page = client.get(f"/arbitro/{address}&passo=risposta")
    assert verdict_word(page) == said
    assert page.texts("h2", class_="fault-name") == faults
    assert (UNTOLD in page.text) is is_untold


# ---------------------------------------------------------------- only what belongs to the case


@pytest.mark.parametrize("variant", ["due", "tre"])
def test_who_plays_alone_is_asked_of_no_partner(client: Client, variant: str) -> None:
    for address in (
        "chiusura?",
        "chiusura?passo=tutti",
        "pozzo?top=K&passo=table",
        "tre-rossi?passo=tutti",
        "calata?cards=3xK&passo=tutti",
        "pozzo?top=K&passo=risposta",
    ):
        page = client.get(f"/arbitro/{address}&variante={variant}")
        assert "coppia" not in page.text.lower(), address
        assert "compagno" not in page.text, address


@pytest.mark.parametrize(("address", "question"), CASES["who_plays"])
def test_a_question_names_those_who_play(client: Client, address: str, question: str) -> None:
    assert question in question_asked(client.get(f"/arbitro/{address}"))


# ---------------------------------------------------------------- where it goes on


@pytest.mark.parametrize("address", ["/arbitro", "/arbitro/pozzo?top=K&laid=2+re&passo=risposta"])
def test_a_red_three_in_the_pile_is_led_to_its_rule(client: Client, address: str) -> None:
    url = client.get(address).links()["Leggi la regola: Nel pozzo c'era un 3 rosso"]
    page, _, anchor = url.partition("#")
    assert "trovato nel pozzo" in client.get(page).one(id=anchor).text
    assert "Nel pozzo c'era un 3 rosso" not in client.get("/arbitro?variante=moderna").text


def test_the_games_stand_before_the_rules_of_one(client: Client) -> None:
    text = client.get("/arbitro/regole").text
    assert text.index("Un altro gioco") < text.index("Usa queste regole")
    assert text.index("Samba") < text.index("Regole seguite")


def test_a_house_penalty_is_noted_where_the_referee_leads(player: Player) -> None:
    leads = "Segna una penalità della casa"
    page = player.client.get(player.page("arbitro/penalita?caso=house").links()[leads])
    player.client.submit(page, "Segna la penalità", side="1", points="50", reason="carte viste")
    assert player.noted == [(1, "house")]
    assert player.state.noted_penalties[0].points == 50
    assert leads not in player.client.get("/arbitro/penalita?caso=house").text


def test_any_kept_ruling_can_be_taken_back_after_its_hand_was_counted(player: Player) -> None:
    for cards in ("3xK", "3xQ"):
        page = player.page(f"arbitro/calata?cards={cards}&passo=risposta")
        player.client.submit(page, "Salva la decisione")
    link = player.play(HAND_430_TO_60).links()["Leggi"]
    first, second = player.state.rulings
    with_both = player.page().text
    page = player.client.get(link.partition("#")[0])
    form = page.one("section", id=f"decisione-{first.sequence}").one("form")
    gone = player.client.post(form["action"], page.values(form))
    assert gone.notices == ["Decisione tolta dalla smazzata 1."]
    assert player.state.rulings == [second]
    assert player.page().text.count("Leggi") == with_both.count("Leggi") - 1
    assert "Decisione dell'arbitro annullata" in player.page("registro").text


@pytest.mark.parametrize(
    ("variant", "question", "told"),
    [
        ("classica", "prima-carta?cards=2+Q", "Carte scoperte: 1 pinella, 1 donna"),
        ("mini", "scarto?card=8", "Può scartarla? Dipende"),
    ],
    ids=["cards turned up in their order", "a doubtful discard"],
)
def test_the_log_tells_of_a_kept_ruling(
    client: Client, variant: str, question: str, told: str
) -> None:
    url = start(client, variant)
    page = client.get(f"{url}/arbitro/{question}&passo=risposta")
    client.submit(page, "Salva la decisione")
    assert told in client.get(f"{url}/registro").text


# ---------------------------------------------------------------- the pile


@pytest.mark.parametrize(("address", "said", "row", "told"), CASES["cards_of_the_case"])
def test_the_case_shows_the_cards_of_the_hand_and_the_meld_as_it_lies(
    client: Client, address: str, said: str, row: str, told: str
) -> None:
    page = client.get(f"/arbitro/{address}&passo=risposta")
    assert verdict_word(page) == said
    assert facts_of_case(page)[row] == [told]
    assert said != "Sì" or "non va" not in page.text


def test_nothing_from_the_hand_is_an_answer_of_its_own(client: Client) -> None:
    asks = client.get("/arbitro/pozzo?top=K&frozen=no")
    (nothing,) = [each for each in asks.all("button") if each.text.startswith("Niente")]
    page = client.get(f"/arbitro/pozzo?top=K&frozen=no&do={nothing['value']}")
    assert page.one("h2", class_="asked").text == "La coppia ha già aperto?"


@pytest.mark.parametrize(("variant", "top", "table", "laid", "asked"), CASES["top_card"])
def test_the_top_card_goes_to_the_meld_it_belongs_with(
    variant: str, top: str, table: list[str], laid: list[str], asked: list[str]
) -> None:
    made = add_top_card(laid, top, table, settle(variant))
    assert list(map(read_cards, made)) == list(map(read_cards, asked))


# ---------------------------------------------------------------- typed cards


@pytest.mark.parametrize(("address", "typed", "read"), CASES["typed_and_read"])
def test_what_is_typed_stays_and_beside_it_stands_how_it_is_read(
    client: Client, address: str, typed: str, read: str
) -> None:
    page = client.get(f"/arbitro/{address}cards={typed}&passo=cards")
    assert page.one("input", id="cards")["value"] == typed
    assert read in page.one("div", id="cards-echo").text


@pytest.mark.parametrize("typed", ["-200", "−200", "– 200"])
def test_a_score_with_a_minus_sign_is_below_zero(client: Client, typed: str) -> None:
    page = client.submit(client.get("/arbitro/apertura?way=minimum"), "Avanti", score=typed)
    assert verdict_word(page) == "15 punti"
    assert facts_of_case(page)["Punti già fatti nella partita"] == ["200 sotto zero"]


# ---------------------------------------------------------------- only what belongs to the case


@pytest.mark.parametrize(("address", "asked"), CASES["asked_for"])
def test_only_what_decides_is_asked_for(client: Client, address: str, asked: str) -> None:
    page = client.get(f"/arbitro/{address}")
    assert page.texts("h2", class_="asked") == ([asked] if asked else [])


@pytest.mark.parametrize("page_of", ["/arbitro", "/arbitro/penalita"])
def test_any_other_mistake_is_the_last_of_the_list_and_says_that_the_sources_are_silent(
    client: Client, page_of: str
) -> None:
    page = client.get(page_of)
    last = (page.all("h2", class_="fault-name") or page.all("ul", class_="links"))[-1].all("a")[-1]
    assert last.text == "Altro sbaglio, o una penalità della casa"
    page = client.get(last["href"])
    assert verdict_word(page) == "Le fonti non lo dicono"
    assert "Di sbagli che non sono in questo elenco le fonti non dicono niente." in page.text

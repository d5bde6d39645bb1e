"""What a player who did not know the pages asked of them: cards as they are spoken of, and answers
that fit.
"""

from __future__ import annotations

import pytest

from scorepad.rules.cards import read_cards
from scorepad.rules.variants import settle
from scorepad.web.card_lines import add_top_card
from tests.web.client import Client, Page
from tests.web.playing import start
from tests.web.referee_asked import facts, word

# ---------------------------------------------------------------- the pile


@pytest.mark.parametrize(
    ("address", "said", "row", "told"),
    [
        # An eight and a joker of the hand take a pile that is not frozen (W «Presa del pozzo»).
        ("top=8&laid=8+JK", "Sì", "Con la carta in cima",
         "2 otto e 1 jolly (combinazione · 70 punti)"),
        ("top=8&laid=8+JK", "Sì", "Dalla mano", "1 otto e 1 jolly"),
        # Three on the table, two of the hand, the one on top.
        ("top=K&frozen=yes&table=3xK&laid=2xK", "Sì", "Con la carta in cima",
         "6 re (combinazione · 60 punti)"),
        ("top=K&laid=3x8", "No", "Senza la carta in cima", "3 otto (combinazione · 30 punti)"),
        # In mini three red threes of the hand take the pile with a fourth on top, and are discarded
        # with it (W).
        ("variante=mini&top=3r&laid=3+3+rossi", "Sì", "Con la carta in cima", "4 tre rossi"),
        ("top=K&table=3xK&laid=", "Sì", "Dalla mano", "Niente"),
        ("top=K&laid=", "No", "Dalla mano", "Niente"),
        ("top=K&opened=no&laid=", "No", "Dalla mano", "Niente"),
    ],
)  # fmt: skip
def test_the_case_shows_the_cards_of_the_hand_and_the_meld_as_it_lies(
    client: Client, address: str, said: str, row: str, told: str
) -> None:
    page = client.get(f"/arbitro/pozzo?{address}&passo=risposta")
    assert word(page) == said
    assert facts(page)[row] == [told]
    assert said != "Sì" or "non va" not in page.text


def test_nothing_from_the_hand_is_an_answer_of_its_own(client: Client) -> None:
    asks = client.get("/arbitro/pozzo?top=K&frozen=no")
    (nothing,) = [each for each in asks.all("button") if each.text.startswith("Niente")]
    answers = {"top": "K", "frozen": "no", "do": nothing["value"]}
    page = client.get("/arbitro/pozzo", query_string=answers)
    assert page.one("h2", class_="asked").text == "La coppia ha già aperto?"


@pytest.mark.parametrize(
    ("variant", "top", "table", "laid", "asked"),
    [
        ("classica", "K", [], ["2xK"], ["3xK"]),
        ("classica", "K", [], ["3x8", "2xK"], ["3x8", "3xK"]),
        ("classica", "K", [], ["2xK", "K 2"], ["3xK", "K 2"]),
        ("classica", "K", ["3xK"], ["2xK"], ["2xK"]),
        ("classica", "K", [], ["3x8"], ["3x8"]),
        ("classica", "K", [], ["2 JK"], ["K 2 JK"]),
        ("classica", "K", [], [], []),
        ("samba", "6h", [], ["4h 5h"], ["4h 5h 6h"]),
        ("samba", "6h", [], ["3x9", "5h 7h"], ["3x9", "5h 6h 7h"]),
        ("samba", "6h", [], ["4h 5h", "2x6s"], ["4h 5h", "6h 2x6s"]),
        ("samba", "6s", [], ["4h 5h"], ["4h 5h"]),
        ("mini", "2", [], ["4x2"], ["5x2"]),
    ],
)
def test_the_top_card_goes_to_the_meld_it_belongs_with(
    variant: str, top: str, table: list[str], laid: list[str], asked: list[str]
) -> None:
    made = add_top_card(laid, top, table, settle(variant))
    assert list(map(read_cards, made)) == list(map(read_cards, asked))


# ---------------------------------------------------------------- typed cards


@pytest.mark.parametrize(
    ("address", "typed", "read"),
    [
        ("calata?", "3 re 1 jolly", "3 re e 1 jolly (combinazione · 80 punti)"),
        ("calata?variante=samba&", "4C 5C 6C", "La c è fiori; cuori si scrive h."),
        ("calata?", "2 2 jolly", "2 2 jolly si può leggere in due modi."),
    ],
)
def test_what_is_typed_stays_and_beside_it_stands_how_it_is_read(
    client: Client, address: str, typed: str, read: str
) -> None:
    page = client.get(f"/arbitro/{address}cards={typed}&passo=cards")
    assert page.one("input", id="cards")["value"] == typed
    assert read in page.one("div", id="cards-echo").text


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("matta", "matta: jolly o pinella? Scrivi quale dei due."),
        ("D", "D: la lettera può voler dire più di una cosa."),
        ("donne", "donne: quante carte?"),
        ("due otto", "due otto si può leggere in due modi."),
        ("pippo", "Queste non sono carte: pippo."),
        ("2 2 jolly", "2 2 jolly si può leggere in due modi."),
        ("cavallo", "cavallo: qui il cavallo non c'è, ci sono donna e fante."),
        # Two packs hold four jokers.
        ("9 jolly", "Hai scritto 9 jolly, e nel mazzo ce ne sono 4."),
    ],
)
def test_what_is_doubtful_is_asked_beside_its_field(client: Client, typed: str, told: str) -> None:
    page = client.submit(client.get("/arbitro/calata"), "Avanti", 422, cards=typed)
    assert told in page.errors[0]
    assert page.one("input", id="cards")["value"] == typed


@pytest.mark.parametrize("typed", ["-200", "−200", "– 200"])
def test_a_score_with_a_minus_sign_is_below_zero(client: Client, typed: str) -> None:
    page = client.submit(client.get("/arbitro/apertura?way=minimum"), "Avanti", score=typed)
    assert word(page) == "15 punti"
    assert facts(page)["Punti già fatti nella partita"] == ["200 sotto zero"]


def test_an_example_fits_the_game(client: Client) -> None:
    assert "7 donne / 3 re" in client.get("/arbitro/chiusura?passo=tavolo").text
    # Five cards are the longest meld of mini (W).
    assert "5 donne / 3 re" in client.get("/arbitro/chiusura?variante=mini&passo=tavolo").text


# ---------------------------------------------------------------- what differs elsewhere


def others(page: Page) -> list[str]:
    return [row.text for row in page.one(class_="others").all("li")]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        # By E the joker stays on top and freezes the pile; here the nine lies on top of three cards.
        ("prima-carta?cards=JK+3r+9", "Pozzo congelato (in cima: 1 jolly, carte nel pozzo: 1)"),
        # G and E differ from W in what becomes of red threes without an opening.
        ("tre-rossi?count=4&opened=no", "agli avversari: 800"),
    ],
)
def test_the_same_word_elsewhere_says_what_differs(client: Client, address: str, told: str) -> None:
    page = client.get(f"/arbitro/{address}&passo=risposta")
    assert any(told in row for row in others(page))


def test_a_hand_that_ends_with_a_red_three_says_that_nobody_discards(client: Client) -> None:
    page = client.get("/arbitro/tallone?last_card=red-three&passo=risposta")
    assert "Chi l'ha pescato non scarta, e la smazzata finisce." in page.one(class_="why-so").text


def test_it_is_not_said_that_the_answer_is_the_same_where_other_rules_ask_for_more(
    client: Client,
) -> None:
    page = client.get("/arbitro/tallone?last_card=other")
    assert "Qui sono tutti d'accordo" not in page.text
    asks_more = (
        "Con altre regole la risposta dipende anche da altro, che qui non si chiede (Carta in cima"
    )
    assert asks_more in page.text


# ---------------------------------------------------------------- only what belongs to the case


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("scarto?variante=mini&card=K&last=no", "Quali combinazioni ha già sul tavolo la coppia?"),
        (
            "calata?variante=canastone&cards=3xK+2&laid_as=new",
            "Quali altre combinazioni ha già sul tavolo la coppia?",
        ),
        ("tallone?end-of-stock=giochi", "Qual era l'ultima carta del tallone?"),
        ("tre-rossi?variante=cubana&count=2", "Quante canaste ha la coppia?"),
        (
            "chiusura?table=7 quattro&permission=granted&ends=none&concealed=yes",
            "Quanti punti ha già fatto nella partita?",
        ),
        # In cubana a special card may be the last one discarded, and black threes are barred in the
        # first round (W).
        ("scarto?variante=cubana&card=K", ""),
        ("scarto?variante=cubana&card=3b&last=no", "È il primo giro?"),
        ("scarto?card=K&last=no", ""),
        ("scarto?card=2", "È la sua ultima carta?"),
        ("scarto?card=3r", ""),
        # Canastone discards no wild card beside an incomplete meld of wild cards (W).
        (
            "scarto?variante=canastone&card=2&last=no",
            "Quali combinazioni ha già sul tavolo la coppia?",
        ),
        ("calata?cards=3xK+2&laid_as=new", ""),
        # Where a game has no minimum, or the going out is not concealed, the score is not asked for.
        ("chiusura?preset=giochi&table=7x4&permission=granted&ends=none&concealed=yes", ""),
        ("chiusura?table=7x4&permission=granted&ends=none&concealed=no", ""),
        ("tallone?end-of-stock=giochi&last_card=red-three", ""),
        ("tre-rossi?count=2&opened=yes", ""),
    ],
)
def test_only_what_decides_is_asked_for(client: Client, address: str, asked: str) -> None:
    page = client.get(f"/arbitro/{address}")
    assert [each.text for each in page.all("h2", class_="asked")] == ([asked] if asked else [])


@pytest.mark.parametrize("page_of", ["/arbitro", "/arbitro/penalita"])
def test_any_other_mistake_is_the_last_of_the_list_and_says_that_the_sources_are_silent(
    client: Client, page_of: str
) -> None:
    page = client.get(page_of)
    last = (page.all("h2", class_="fault-name") or page.all("ul", class_="links"))[-1].all("a")[-1]
    assert last.text == "Altro sbaglio, o una penalità della casa"
    page = client.get(last["href"])
    assert word(page) == "Le fonti non lo dicono"
    assert "Di sbagli che non sono in questo elenco le fonti non dicono niente." in page.text


# ---------------------------------------------------------------- going out concealed


def test_a_concealed_going_out_asks_for_the_score_and_checks_the_minimum(client: Client) -> None:
    told = "table=7 quattro&permission=granted&ends=none&concealed=yes"
    page = client.submit(client.get(f"/arbitro/chiusura?{told}"), "Avanti", score="")
    # Seven fours are 35 points, and fifty open from 0 on (W).
    assert word(page) == "No"
    assert "servono 50 punti, ne hai calati 35: ne mancano 15." in page.text
    assert facts(page)["Punti già fatti nella partita"] == ["0"]
    assert facts(page)["Combinazioni sul tavolo"] == ["7 quattro (canasta naturale · 35 punti)"]
    page = client.get(f"/arbitro/chiusura?{told}&score=-10&passo=risposta")
    assert word(page) == "Sì"
    assert "per aprire servono 15 punti, e quelli calati bastano" in page.text


def test_in_a_match_the_score_of_a_concealed_going_out_is_known(client: Client) -> None:
    out = f"{start(client)}/arbitro/chiusura?who=0&concealed=yes"
    page = client.get(f"{out}&table=7x4&ends=none&passo=risposta")
    assert word(page) == "No"
    assert facts(page)["Punteggio di apertura"] == ["50 punti"]
    assert not client.get(out).all("input", id="score")


def test_a_red_three_that_costs_points_is_not_told_to_have_no_remedy(client: Client) -> None:
    ruling = client.get("/arbitro/penalita?caso=red-three-not-exposed")
    assert "500" in ruling.text
    assert "Le fonti non dicono come rimediare" not in ruling.text
    every = client.get("/arbitro/penalita").text
    assert "3 rosso non esposto Penalità: −500 a chi ha sbagliato." in every

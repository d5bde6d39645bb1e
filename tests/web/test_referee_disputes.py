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


def test_the_top_card_joins_the_cards_of_the_hand_by_itself(client: Client) -> None:
    # An eight and a joker of the hand take a pile that is not frozen (W «Presa del pozzo»).
    page = client.get("/arbitro/pozzo?top=8&laid=8+JK&passo=risposta")
    assert word(page) == "Sì"
    assert facts(page)["Dalla mano"] == ["1 otto e 1 jolly"]
    assert facts(page)["Con la carta in cima"] == ["2 otto e 1 jolly (combinazione · 70 punti)"]


def test_the_case_shows_the_meld_as_it_lies_and_never_as_wrong_beside_a_yes(client: Client) -> None:
    page = client.get("/arbitro/pozzo?top=K&frozen=yes&table=3xK&laid=2xK&passo=risposta")
    assert word(page) == "Sì"
    # Three on the table, two of the hand, the one on top.
    assert facts(page)["Con la carta in cima"] == ["6 re (combinazione · 60 punti)"]
    assert "non va" not in page.text


@pytest.mark.parametrize(
    ("address", "said"), [("top=K&table=3xK", "Sì"), ("top=K", "No"), ("top=K&opened=no", "No")]
)
def test_nothing_from_the_hand_is_an_answer_of_its_own(
    client: Client, address: str, said: str
) -> None:
    page = client.get(f"/arbitro/pozzo?{address}&laid=&passo=risposta")
    assert word(page) == said
    assert facts(page)["Dalla mano"] == ["Niente"]
    asks = client.get("/arbitro/pozzo?top=K&frozen=no")
    (nothing,) = [each for each in asks.all("button") if each.text.startswith("Niente")]
    page = client.get(
        "/arbitro/pozzo", query_string={"top": "K", "frozen": "no", "do": nothing["value"]}
    )
    assert page.one("h2", class_="asked").text == "La coppia ha già aperto?"


def test_only_the_cards_of_the_hand_are_asked_for(client: Client) -> None:
    page = client.get("/arbitro/pozzo?top=K&passo=laid")
    assert "Che cosa cala dalla mano insieme alla carta in cima?" in page.text
    page = client.get("/arbitro/pozzo?top=K&laid=2+re&passo=laid")
    assert "Con la carta in cima: 3 re (combinazione · 30 punti)" in page.text


def test_cards_that_the_top_card_does_not_go_with_are_told_as_such(client: Client) -> None:
    page = client.get("/arbitro/pozzo?top=K&laid=3x8&passo=risposta")
    assert word(page) == "No"
    assert facts(page)["Senza la carta in cima"] == ["3 otto (combinazione · 30 punti)"]
    # In mini three red threes of the hand take the pile with a fourth on top, and are discarded
    # with it (W).
    page = client.get("/arbitro/pozzo?variante=mini&top=3r&laid=3+3+rossi&passo=risposta")
    assert word(page) == "Sì"
    assert facts(page)["Con la carta in cima"] == ["4 tre rossi"]


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
    ("address", "said"),
    [
        ("calata?cards=3+re+1+jolly", "Sì"),
        ("calata?cards=KKK", "Sì"),
        ("calata?cards=re,+re,+re", "Sì"),
        ("calata?cards=2+re", "No"),
        ("calata?variante=samba&cards=4♥+5♥+6♥", "Sì"),
        ("calata?variante=samba&cards=4+5+6+di+cuori", "Sì"),
        ("apertura?melds=3+assi", "Sì"),
        ("apertura?melds=3+donne,+3+otto", "Sì"),
        ("scarto?card=3+rosso", "No"),
        ("scarto?card=pinella", "Sì: congela il pozzo"),
        ("prima-carta?cards=jolly,+re", "Pozzo congelato"),
        ("pozzo?top=re&laid=due+re", "Sì"),
    ],
)
def test_cards_are_typed_as_people_write_them(client: Client, address: str, said: str) -> None:
    assert word(client.get(f"/arbitro/{address}&passo=risposta")) == said


def test_what_was_typed_stays_as_it_was_typed(client: Client) -> None:
    page = client.get("/arbitro/calata?cards=3+re+1+jolly&passo=cards")
    assert page.one("input", id="cards")["value"] == "3 re 1 jolly"
    assert "3 re e 1 jolly (combinazione · 80 punti)" in page.text


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("matta", "matta: jolly o pinella? Scrivi quale dei due."),
        ("D", "D: la lettera può voler dire più di una cosa."),
        ("donne", "donne: quante carte?"),
        ("due otto", "due otto si può leggere in due modi."),
        ("pippo", "Queste non sono carte: pippo."),
    ],
)
def test_what_is_doubtful_is_asked_beside_its_field(client: Client, typed: str, told: str) -> None:
    page = client.submit(client.get("/arbitro/calata"), "Avanti", 422, cards=typed)
    assert told in page.errors[0]
    assert page.one("input", id="cards")["value"] == typed


def test_a_letter_is_told_for_what_it_was_taken(client: Client) -> None:
    page = client.get("/arbitro/calata?variante=samba&cards=4C+5C+6C&passo=cards")
    assert "La c è fiori; cuori si scrive h." in page.one("div", id="cards-echo").text


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


def test_the_same_word_elsewhere_says_what_differs(client: Client) -> None:
    page = client.get("/arbitro/prima-carta?cards=JK+3r+9&passo=risposta")
    # By E the joker stays on top and freezes the pile; here the nine lies on top of three cards.
    told = next(row for row in others(page) if row.startswith("Enciclopedia"))
    assert "Pozzo congelato (in cima: 1 jolly, carte nel pozzo: 1)" in told


def test_a_hand_that_ends_with_a_red_three_says_that_nobody_discards(client: Client) -> None:
    page = client.get("/arbitro/tallone?last_card=red-three&passo=risposta")
    assert "Chi l'ha pescato non scarta, e la smazzata finisce." in page.one(class_="why-so").text


def test_the_points_of_the_opponents_are_named(client: Client) -> None:
    page = client.get("/arbitro/tre-rossi?count=4&opened=no&passo=risposta")
    # G and E differ from W in what becomes of red threes without an opening: «vanno agli
    # avversari».
    told = [row for row in others(page) if "vanno agli avversari" in row]
    assert told
    assert all("agli avversari: 800" in row for row in told)


def test_it_is_not_said_that_the_answer_is_the_same_where_other_rules_ask_for_more(
    client: Client,
) -> None:
    page = client.get("/arbitro/tallone?last_card=other")
    assert "Qui sono tutti d'accordo" not in page.text
    assert (
        "Con altre regole la risposta dipende anche da altro, che qui non si chiede (Carta in cima"
        in page.text
    )
    assert "Qui sono tutti d'accordo" in client.get("/arbitro/calata?cards=3xK&passo=risposta").text


def test_a_red_three_drawn_last_ends_the_hand_and_nothing_more_is_asked(client: Client) -> None:
    page = client.get("/arbitro/tallone?end-of-stock=giochi")
    assert page.one("h2", class_="asked").text == "Qual era l'ultima carta del tallone?"
    page = client.get("/arbitro/tallone?end-of-stock=giochi&last_card=red-three")
    assert word(page) == "La smazzata finisce"


# ---------------------------------------------------------------- only what belongs to the case


def test_canastas_are_asked_where_they_decide_what_red_threes_are_worth(client: Client) -> None:
    assert word(client.get("/arbitro/tre-rossi?count=2&opened=yes")) == "+200"
    page = client.get("/arbitro/tre-rossi?variante=cubana&count=2")
    assert page.one("h2", class_="asked").text == "Quante canaste ha la coppia?"


@pytest.mark.parametrize(
    ("address", "faults"),
    [
        ("scarto?card=3r", []),
        ("calata?cards=2xK", []),
        ("apertura?melds=3xQ", ["Apertura sotto il minimo"]),
        ("apertura?melds=3xA+Q", []),
        ("chiusura?table=6xQ", []),
        ("chiusura?table=6xQ&permission=granted", ["Chiusura chiesta e concessa, ma non riuscita"]),
        ("chiusura?table=7xQ&permission=refused", ["Chiusura dopo il no del compagno"]),
    ],
)
def test_what_may_have_happened_already_belongs_to_the_case(
    client: Client, address: str, faults: list[str]
) -> None:
    page = client.get(f"/arbitro/{address}&passo=risposta")
    assert word(page) == "No"
    assert [name.text for name in page.all("h2", class_="fault-name")] == faults


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("scarto?variante=mini&card=K", "Dipende"),
        ("scarto?variante=mini&card=K&table=3xK", "No"),
        ("scarto?variante=mini&card=K&table=5xK", "Dipende"),
        ("scarto?variante=mini&card=K&table=3xQ", "Sì"),
        ("calata?variante=mini&cards=3xK", "Dipende"),
        ("calata?variante=mini&cards=3xK&table=4xK", "No"),
        ("calata?variante=canastone&cards=3xK+2&laid_as=new", "Dipende"),
        ("calata?variante=canastone&cards=3xK+2&table=3xJK", "No"),
        ("calata?variante=canastone&cards=3xK+2&table=4xQ", "Sì"),
        ("apertura?opening-steps=fifty&score=1500&way=minimum", "50 punti"),
        ("apertura?preset=enciclopedia&score=5&score-below=on&way=minimum", "50 punti"),
        ("penalita?caso=partner-talk", "Le fonti non danno punti"),
    ],
)
def test_the_melds_on_the_table_decide_where_the_rules_say_so(
    client: Client, address: str, said: str
) -> None:
    assert word(client.get(f"/arbitro/{address}&passo=risposta")) == said


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("scarto?variante=mini&card=K&last=no", "Quali combinazioni ha già sul tavolo la coppia?"),
        (
            "calata?variante=canastone&cards=3xK+2&laid_as=new",
            "Quali altre combinazioni ha già sul tavolo la coppia?",
        ),
    ],
)
def test_they_are_asked_for_where_they_decide(client: Client, question: str, asked: str) -> None:
    assert asked in client.get(f"/arbitro/{question}").text
    elsewhere = question.partition("?")[0]
    assert (
        asked not in client.get(f"/arbitro/{elsewhere}?card=K&cards=3xK+2&laid_as=new&last=no").text
    )


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


def test_in_a_match_the_pile_is_asked_for_the_cards_of_the_hand_too(client: Client) -> None:
    url = start(client)
    page = client.get(f"{url}/arbitro/pozzo?who=0&top=8&laid=8+JK&passo=risposta")
    assert word(page) == "Sì"
    page = client.submit(page, "Salva la decisione")
    page = client.get(f"{url}/arbitro/decisioni")
    # It is kept as the contract says it, with the top card in its meld.
    assert "2 otto e 1 jolly" in page.text


# ---------------------------------------------------------------- going out concealed


def test_a_concealed_going_out_asks_for_the_score_and_checks_the_minimum(client: Client) -> None:
    page = client.get(
        "/arbitro/chiusura?table=7 quattro&permission=granted&ends=none&concealed=yes"
    )
    assert page.one("h2", class_="asked").text == "Quanti punti ha già fatto nella partita?"
    page = client.submit(page, "Avanti", score="")
    # Seven fours are 35 points, and fifty open from 0 on (W).
    assert word(page) == "No"
    assert "servono 50 punti, ne hai calati 35: ne mancano 15." in page.text
    assert facts(page)["Punti già fatti nella partita"] == ["0"]
    assert facts(page)["Combinazioni sul tavolo"] == ["7 quattro (canasta naturale · 35 punti)"]


def test_below_zero_the_same_cards_go_out(client: Client) -> None:
    page = client.get(
        "/arbitro/chiusura?concealed=yes&score=-10&table=7x4&ends=none&passo=risposta"
    )
    assert word(page) == "Sì"
    assert "per aprire servono 15 punti, e quelli calati bastano" in page.text


def test_where_no_minimum_is_asked_neither_is_the_score(client: Client) -> None:
    told = "table=7x4&permission=granted&ends=none"
    assert word(client.get(f"/arbitro/chiusura?preset=giochi&{told}&concealed=yes")) == "Sì"
    assert word(client.get(f"/arbitro/chiusura?{told}&concealed=no")) == "Sì"


def test_in_a_match_the_score_of_a_concealed_going_out_is_known(client: Client) -> None:
    url = start(client)
    page = client.get(
        f"{url}/arbitro/chiusura?who=0&concealed=yes&table=7x4&ends=none&passo=risposta"
    )
    assert word(page) == "No"
    assert facts(page)["Punteggio di apertura"] == ["50 punti"]
    assert not client.get(f"{url}/arbitro/chiusura?who=0&concealed=yes").all("input", id="score")


def test_a_red_three_that_costs_points_is_not_told_to_have_no_remedy(client: Client) -> None:
    ruling = client.get("/arbitro/penalita?caso=red-three-not-exposed")
    assert "500" in ruling.text
    assert "Le fonti non dicono come rimediare" not in ruling.text
    every = client.get("/arbitro/penalita").text
    assert "3 rosso non esposto Penalità: −500 a chi ha sbagliato." in every

"""Disputes as somebody put them who had never seen the pages: what is asked of whom, and what is
told beside a yes.
"""

from __future__ import annotations

import pytest

from scorepad.i18n import words
from scorepad.matches import Pad
from tests.web.client import Client, Page
from tests.web.player import Player
from tests.web.playing import ALL_GOOD, start
from tests.web.referee_asked import word
from tests.web.tables import read_tables

CASES = read_tables("referee")
UNTOLD = "le fonti non dicono che cosa si fa"


def asked(page: Page) -> list[str]:
    """What a step asks."""
    return [
        each.text
        for each in (*page.all("legend"), *page.all("label"), *page.all("h2", class_="asked"))
    ]


# ---------------------------------------------------------------- what was done already


@pytest.mark.parametrize(("address", "said", "faults", "is_untold"), CASES["done_already"])
def test_what_was_done_already_is_told_with_its_remedy_if_a_source_has_one(
    client: Client, address: str, said: str, faults: list[str], is_untold: bool
) -> None:
    page = client.get(f"/arbitro/{address}&passo=risposta")
    assert word(page) == said
    assert [name.text for name in page.all("h2", class_="fault-name")] == faults
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
    assert question in asked(client.get(f"/arbitro/{address}"))


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
    (noted,) = player.state.noted_penalties
    assert (noted.code, noted.side, noted.points, noted.reason) == ("house", 1, 50, "carte viste")
    assert leads not in player.client.get("/arbitro/penalita?caso=house").text


def test_any_kept_ruling_can_be_taken_back_after_its_hand_was_counted(player: Player) -> None:
    for cards in ("3xK", "3xQ"):
        page = player.page(f"arbitro/calata?cards={cards}&passo=risposta")
        player.client.submit(page, "Salva la decisione")
    link = player.play(ALL_GOOD).links()["Leggi"]
    first, second = player.state.rulings
    page = player.client.get(link.partition("#")[0])
    form = page.one("section", id=f"decisione-{first.sequence}").one("form")
    gone = player.client.post(form["action"], page.values(form))
    assert gone.notices == ["Decisione tolta dalla smazzata 1."]
    assert player.state.rulings == [second]
    assert "Decisione dell'arbitro annullata" in player.page("registro").text


def test_cards_turned_up_are_told_in_their_order_and_a_doubtful_discard_as_one(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    client.submit(
        client.get(f"{url}/arbitro/prima-carta?cards=2+Q&passo=risposta"), "Salva la decisione"
    )
    assert "Carte scoperte: 1 pinella, 1 donna" in client.get(f"{url}/registro").text
    url = start(client, "mini")
    client.submit(client.get(f"{url}/arbitro/scarto?card=8&passo=risposta"), "Salva la decisione")
    assert "Può scartarla? Dipende" in client.get(f"{url}/registro").text


def test_the_notes_on_a_source_name_it(client: Client) -> None:
    page = client.get("/arbitro/apertura?score=20&score-below=on&melds=3xQ&passo=risposta")
    texts = [each.text for each in page.one(class_="why-so").all("p")]
    notes = [text.partition(".")[0] for text in texts if text.startswith("Nota")]
    assert notes
    names = [words("it").t(f"web.source.{key}") for key in "WGHE"]
    for note in notes:
        assert any(name in note for name in names), note

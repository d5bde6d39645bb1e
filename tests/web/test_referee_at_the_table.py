"""Disputes as somebody put them who had never seen the pages: what is asked of whom, and what is
told beside a yes.
"""

from __future__ import annotations

import pytest

from scorepad.i18n import words
from scorepad.matches import Pad
from tests.web.client import Client, Page
from tests.web.playing import ALL_GOOD, play, start
from tests.web.referee_asked import facts, word
from tests.web.test_course import state_of

TAKEN_BACK = "Carte calate e riprese in mano"
UNTOLD = "le fonti non dicono che cosa si fa"


def asked(page: Page) -> list[str]:
    """What a step asks."""
    return [
        each.text
        for each in (*page.all("legend"), *page.all("label"), *page.all("h2", class_="asked"))
    ]


# ---------------------------------------------------------------- what was done already


@pytest.mark.parametrize(
    "address",
    ["calata?variante=samba&cards=5+6+7+di+cuori+e+un+jolly", "calata?variante=moderna&cards=7+7+7+2",
     "calata?cards=3b+3b+3b+JK+JK", "calata?variante=canastone&cards=3b+3b+3b", "apertura?melds=3xA+Q"],
)  # fmt: skip
def test_of_cards_that_may_not_lie_there_the_sources_do_not_say_that_they_stay(
    client: Client, address: str
) -> None:
    page = client.get(f"/arbitro/{address}&passo=risposta")
    assert word(page) == "No"
    assert TAKEN_BACK not in page.text
    assert "resta calato" not in page.text
    assert UNTOLD in page.text


def test_an_opening_below_the_minimum_has_its_own_remedy_and_no_other(client: Client) -> None:
    page = client.get("/arbitro/apertura?melds=3xQ&passo=risposta")
    assert [name.text for name in page.all("h2", class_="fault-name")] == [
        "Apertura sotto il minimo"
    ]
    assert UNTOLD not in page.text


@pytest.mark.parametrize("address", ["calata?cards=3xK", "apertura?melds=3xA"])
def test_of_cards_that_may_lie_there_they_stay(client: Client, address: str) -> None:
    page = client.get(f"/arbitro/{address}&passo=risposta")
    assert word(page) == "Sì"
    # H: a meld cannot be taken back.
    assert [name.text for name in page.all("h2", class_="fault-name")] == [TAKEN_BACK]
    assert UNTOLD not in page.text


# ---------------------------------------------------------------- cards


@pytest.mark.parametrize(
    ("address", "told"),
    [
        # Two packs hold four jokers, three packs six.
        ("calata?cards=9+jolly", "Hai scritto 9 jolly, e nel mazzo ce ne sono 4."),
        ("calata?variante=samba&cards=7+jolly", "Hai scritto 7 jolly, e nel mazzo ce ne sono 6."),
        ("calata?cards=2+2+jolly", "2 2 jolly si può leggere in due modi."),
        ("calata?cards=cavallo", "cavallo: qui il cavallo non c'è, ci sono donna e fante."),
    ],
)
def test_a_count_that_cannot_be_is_asked_again_and_not_ruled(
    client: Client, address: str, told: str
) -> None:
    page = client.get(f"/arbitro/{address}&passo=risposta", 422)
    assert told in page.errors[0]


def test_what_could_be_two_things_is_told_while_it_is_typed(client: Client) -> None:
    page = client.get("/arbitro/calata?cards=2+2+jolly&passo=cards")
    assert "2 2 jolly si può leggere in due modi." in page.one("div", id="cards-echo").text


# ---------------------------------------------------------------- only what belongs to the case


def test_in_mini_a_discard_that_hangs_on_what_lies_there_is_no_plain_yes(client: Client) -> None:
    page = client.get("/arbitro/scarto?variante=mini&card=8&passo=risposta")
    assert word(page) == "Dipende"
    assert page.one(class_="ruling")["class"] == "ruling depends"
    assert (
        "non si scarta un otto se è dello stesso valore di una canasta appena completata"
        in page.text
    )
    page = client.get("/arbitro/scarto?variante=mini&card=3b&passo=risposta")
    assert word(page) != "Dipende"


@pytest.mark.parametrize(
    ("address", "question"),
    [
        # In cubana a special card may be the last one discarded, and black threes are barred in the
        # first round (W).
        ("variante=cubana&card=K", None),
        ("variante=cubana&card=3b&last=no", "È il primo giro?"),
        ("card=K", None),
        ("card=2", "È la sua ultima carta?"),
        ("card=3r", None),
        # Canastone discards no wild card beside an incomplete meld of wild cards (W).
        ("variante=canastone&card=2&last=no", "Quali combinazioni ha già sul tavolo la coppia?"),
        ("variante=mini&card=8&last=no", "Quali combinazioni ha già sul tavolo la coppia?"),
    ],
)
def test_a_discard_asks_nothing_that_changes_nothing(
    client: Client, address: str, question: str | None
) -> None:
    page = client.get(f"/arbitro/scarto?{address}")
    assert [each.text for each in page.all("h2", class_="asked")] == (
        [question] if question else []
    )


@pytest.mark.parametrize("variant", ["due", "tre"])
def test_who_plays_alone_is_asked_of_no_partner(client: Client, variant: str) -> None:
    for address in ("chiusura?", "chiusura?passo=tutti", "pozzo?top=K&passo=opened", "pozzo?top=K&passo=table",
                    "tre-rossi?passo=tutti", "calata?cards=3xK&passo=tutti", "pozzo?top=K&passo=risposta"):  # fmt: skip
        page = client.get(f"/arbitro/{address}&variante={variant}")
        assert "coppia" not in page.text.lower(), address
        assert "compagno" not in page.text, address
    assert "Il giocatore ha già aperto?" in asked(
        client.get(f"/arbitro/pozzo?variante={variant}&top=K&passo=opened")
    )


def test_where_pairs_change_with_the_hand_both_are_meant(client: Client) -> None:
    page = client.get("/arbitro/tre-rossi?variante=tagliagola&passo=opened")
    assert "Il giocatore ha aperto, da solo o in coppia?" in asked(page)
    page = client.get("/arbitro/chiusura?variante=tagliagola&passo=permission")
    assert "Ha chiesto il permesso al compagno?" in asked(page)


def test_red_threes_left_blank_are_none_and_the_case_says_so(client: Client) -> None:
    page = client.get("/arbitro/chiusura?variante=messicana&table=7xQ+/+7xK&passo=risposta")
    assert facts(page)["3 rossi esposti"] == ["0"]


# ---------------------------------------------------------------- where it goes on


@pytest.mark.parametrize("address", ["/arbitro", "/arbitro/pozzo?top=K&laid=2+re&passo=risposta"])
def test_a_red_three_in_the_pile_is_led_to_its_rule(client: Client, address: str) -> None:
    url = client.get(address).links()["Leggi la regola: Nel pozzo c'era un 3 rosso"]
    page, _, anchor = url.partition("#")
    assert "trovato nel pozzo" in client.get(page).one(id=anchor).text


def test_a_game_that_says_nothing_of_it_leads_nowhere(client: Client) -> None:
    assert "Nel pozzo c'era un 3 rosso" not in client.get("/arbitro?variante=moderna").text


def test_the_games_stand_before_the_rules_of_one(client: Client) -> None:
    text = client.get("/arbitro/regole").text
    assert text.index("Un altro gioco") < text.index("Usa queste regole")
    assert text.index("Samba") < text.index("Regole seguite")


def test_a_house_penalty_is_noted_where_the_referee_leads(client: Client, pad: Pad) -> None:
    url = start(client)
    page = client.get(f"{url}/arbitro/penalita?caso=house")
    page = client.get(page.links()["Segna una penalità della casa"])
    assert [each["value"] for each in page.all("input", name="code") if each.has("checked")] == [
        "house"
    ]
    client.submit(page, "Segna la penalità", side="1", points="50", reason="carte viste")
    (noted,) = state_of(pad, client, url).noted_penalties
    assert (noted.side, noted.points, noted.reason) == (1, 50, "carte viste")
    assert "Segna una penalità della casa" not in client.get("/arbitro/penalita?caso=house").text


def test_a_kept_ruling_is_told_with_its_side_its_case_and_its_source(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    page = client.get(f"{url}/arbitro/apertura?who=0&melds=3xQ&passo=risposta")
    client.submit(page, "Salva la decisione")
    entry = state_of(pad, client, url).rulings[0].sequence
    told = client.get(f"{url}/registro").text
    assert "Il caso: Noi; " in told
    assert "Calate per aprire: 3 donne" in told
    assert "ne mancano 20. (Wikipedia: «L'apertura»" in told
    # On the pad it is a line.
    told = client.get(url).text
    assert "Arbitro: Basta per aprire? No" in told
    assert "Il caso" not in told
    page = play(pad, client, url, ALL_GOOD)
    # Its hand has been counted: from its row it is found, and taken back.
    link = client.get(url).links()["Leggi"]
    assert link == f"{url}/arbitro/decisioni#decisione-{entry}"
    client.submit(client.get(link.partition("#")[0]), "Togli")
    assert state_of(pad, client, url).rulings == []


def test_any_kept_ruling_can_be_taken_back(client: Client, pad: Pad) -> None:
    url = start(client)
    for cards in ("3xK", "3xQ"):
        page = client.get(f"{url}/arbitro/calata?cards={cards}&passo=risposta")
        client.submit(page, "Salva la decisione")
    first, second = state_of(pad, client, url).rulings
    form = (
        client.get(f"{url}/arbitro/decisioni")
        .one("section", id=f"decisione-{first.sequence}")
        .one("form")
    )
    data = {field["name"]: field["value"] for field in form.all("input")}
    client.raw.post(form["action"], data=data)
    assert state_of(pad, client, url).rulings == [second]


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
    notes = [
        each.text for each in page.one(class_="why-so").all("p") if each.text.startswith("Nota")
    ]
    assert notes
    names = [words("it").t(f"web.source.{key}") for key in "WGHE"]
    assert all(any(name in note.partition(".")[0] for name in names) for note in notes)

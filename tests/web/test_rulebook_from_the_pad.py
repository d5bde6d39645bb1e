"""From the pad to the rulebook: every line of a counted hand and every problem leads to its place
there.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorepad.matches import Pad
from tests.web.client import Client, Page
from tests.web.counting import begin, check, counting, type_and
from tests.web.playing import correct, hand, play, side, start
from tests.web.referee_asked import address
from tests.web.test_referee_agrees import understood

PLAYED = hand(
    side(400, 35, natural=1, mixed=2, red_threes=2, penalties=["draw-out-of-turn"]),
    side(
        150,
        90,
        mixed=1,
        red_threes_held=1,
        penalties=[{"code": "house", "points": 25, "reason": "Carta vista"}],
    ),
    out="a",
)


def lands(client: Client, url: str) -> str:
    """What stands in the rulebook where a link leads."""
    page, _, anchor = url.partition("#")
    path, _, asked = page.partition("?")
    return client.get(path, query_string=asked).one(id=anchor).text


def why(page: Page) -> dict[str, str]:
    """The lines of the last hand, each with the address that its name leads to."""
    rows = page.all("dl", class_="sources")
    return {link.text: link["href"] for row in rows for link in row.all("a")}


def test_every_line_of_a_hand_leads_to_its_place(client: Client, pad: Pad) -> None:
    page = play(pad, client, start(client), PLAYED)
    links = why(page)
    assert links == {
        "Canaste naturali": "/regole/classica#voce-natural-canasta",
        "Canaste miste": "/regole/classica#voce-mixed-canasta",
        "Carte calate": "/regole/classica#voce-cards",
        "Onori (3 rossi)": "/regole/classica#voce-red-threes",
        "Chiusura": "/regole/classica#voce-out",
        "Carte in mano": "/regole/classica#voce-cards-left",
        "3 rossi in mano": "/regole/classica#voce-red-threes-held",
        "Pescata fuori turno": "/regole/classica#penalita-draw-out-of-turn",
        "Penalità della casa": "/regole/classica#penalita-house",
    }
    for name, url in links.items():
        assert lands(client, url).startswith(name), name
    assert "100 punti in meno" in lands(client, links["Pescata fuori turno"])
    assert "Chi chiude ha 100 punti." in lands(client, links["Chiusura"])


def test_the_places_are_those_of_the_rules_that_the_table_plays(client: Client, pad: Pad) -> None:
    url = start(client, preset="getty", option_held_red_three="once", option_target="7500")
    page = play(pad, client, url, PLAYED)
    place = why(page)["3 rossi in mano"]
    assert (
        place
        == "/regole/classica?preset=getty&held-red-three=once&target=7500#voce-red-threes-held"
    )
    assert "una volta sola" in lands(client, place)
    read = client.get(url).links()["Il gioco e tutte le sue regole"]
    assert (
        "Vince chi arriva per primo a 7.500."
        in client.get(read.split("?")[0], query_string=read.split("?")[1]).text
    )


def test_every_line_leads_there_while_it_is_counted(client: Client, pad: Pad) -> None:
    """In another page: nothing that was typed is left behind."""
    page = client.get(counting(begin(pad, client)))
    counted = {
        "a.canastas.mixed-canasta": "1",
        "a.cards": "155",
        "a.left": "0",
        "a.red_threes": "1",
        "b.cards": "0",
        "b.left": "35",
        "out": "a",
    }
    told = check(client, page, counted)
    assert told is not None
    lines = {link.text: link for row in told.one(id="live").all("dl") for link in row.all("a")}
    assert {text: link["href"] for text, link in lines.items()} == {
        "Canaste miste": "/regole/classica#voce-mixed-canasta",
        "Carte calate": "/regole/classica#voce-cards",
        "Onori (3 rossi)": "/regole/classica#voce-red-threes",
        "Chiusura": "/regole/classica#voce-out",
        "Carte in mano": "/regole/classica#voce-cards-left",
    }
    assert "si apre in un'altra pagina" in told.one(id="live").text
    for link in lines.values():
        assert link["target"] == "_blank"
        assert lands(client, link["href"])


def test_a_problem_in_the_count_leads_to_its_rule(client: Client, pad: Pad) -> None:
    page = client.get(counting(begin(pad, client)))
    told = type_and(
        "save",
        client,
        page,
        {"a.cards": "153", "a.left": "0", "b.cards": "60", "b.left": "35", "out": "a"},
    )
    links = [
        link
        for note in told.all(class_="message")
        for link in note.all("a")
        if "#avviso-" in link["href"]
    ]
    assert {link["href"] for link in links} >= {
        "/regole/classica#avviso-totals-impossible", "/regole/classica#avviso-out-canastas-missing",
    }  # fmt: skip
    for link in links:
        assert link["target"] == "_blank", "nothing that was typed is left behind"
        assert link.text == "Leggi la regola (si apre in un'altra pagina)"
        assert lands(client, link["href"])
    assert "almeno una canasta" in lands(client, "/regole/classica#avviso-out-canastas-missing")


def test_a_hand_in_doubt_leads_to_the_rule(client: Client, pad: Pad) -> None:
    url = start(client)
    first = hand(side(400, 0, natural=2), side(100, 0))
    play(pad, client, url, first, hand(side(60, 0), side(60, 0)))
    page = correct(pad, client, url, 1, hand(side(400, 0, natural=3), side(100, 0)), "Ricontata")
    row = page.one("li", id="smazzata-2")
    place = [link for link in row.all("a") if link["href"].endswith("#avviso-opening-impossible")]
    assert [link.text for link in place] == [
        "Leggi la regola: Con queste carte non si può avere aperto"
    ]
    assert "da 1.500: 90" in lands(client, place[0]["href"])


@pytest.mark.parametrize("variant", ["mini", "moderna", "bolivia", "tagliagola", "hand-and-foot"])
def test_a_match_of_any_game_leads_to_its_page(client: Client, pad: Pad, variant: str) -> None:
    read = client.get(begin(pad, client, variant)).links()["Il gioco e tutte le sue regole"]
    assert read == f"/regole/{variant}"


CASES = Path(__file__).parents[1] / "rulings" / "cases"


@pytest.mark.quick(3)
@pytest.mark.parametrize("file", sorted(CASES.glob("*.json")), ids=lambda file: file.stem)
def test_the_reasons_of_the_referee_lead_to_their_places(client: Client, file: Path) -> None:
    """Of every sixth worked ruling; an answer that leads nowhere has no source, or says what is no
    rule of a game.
    """
    led, books = 0, dict[str, set[str]]()
    for case in json.loads(file.read_text("utf-8"))[::6]:
        raw = {"preset": None, "options": {}, **case["ask"]}
        if understood(raw) is None:
            continue  # the pages would ask for something more
        page = client.get(address(raw))
        links = [link for link in page.all("a") if link.text.startswith("Leggi la regola: ")]
        for link in links:
            book, _, anchor = link["href"].partition("#")
            if book not in books:
                path, _, asked = book.partition("?")
                books[book] = {
                    each["id"]
                    for each in client.get(path, query_string=asked).all()
                    if each.has("id")
                }
            assert anchor in books[book], link["href"]
        led += bool(links)
    assert led >= 3


def test_a_ruling_leads_to_the_rule_as_the_table_plays_it(client: Client) -> None:
    ask = {
        "kind": "penalty",
        "variant": "classica",
        "preset": "getty",
        "options": {},
        "code": "draw-out-of-turn",
    }
    links = client.get(address(ask)).links()
    assert (
        links["Leggi la regola: Pescata fuori turno"]
        == "/regole/classica?preset=getty#penalita-draw-out-of-turn"
    )
    ask = {"kind": "upcard", "variant": "classica", "preset": None, "options": {}, "cards": "K"}
    (place,) = [
        url
        for text, url in client.get(address(ask)).links().items()
        if text.startswith("Leggi la regola: ")
    ]
    assert place == "/regole/classica#regola-upcard"
    assert "Prima carta scoperta" in lands(client, place)

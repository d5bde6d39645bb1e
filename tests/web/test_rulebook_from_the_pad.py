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
from tests.web.player import Begin, Player
from tests.web.playing import hand, play, side, start
from tests.web.referee_asked import address
from tests.web.test_referee_agrees import shown, understood

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


CLASSICA = "/regole/classica#"
LINES = {
    "Canaste miste": f"{CLASSICA}voce-mixed-canasta",
    "Carte calate": f"{CLASSICA}voce-cards",
    "Onori (3 rossi)": f"{CLASSICA}voce-red-threes",
    "Chiusura": f"{CLASSICA}voce-out",
    "Carte in mano": f"{CLASSICA}voce-cards-left",
}


def test_every_line_of_a_hand_leads_to_its_place(client: Client, pad: Pad) -> None:
    page = play(pad, client, start(client), PLAYED)
    links = why(page)
    assert links == LINES | {
        "Canaste naturali": f"{CLASSICA}voce-natural-canasta",
        "3 rossi in mano": f"{CLASSICA}voce-red-threes-held",
        "Pescata fuori turno": f"{CLASSICA}penalita-draw-out-of-turn",
        "Penalità della casa": f"{CLASSICA}penalita-house",
    }
    for name, url in links.items():
        assert lands(client, url).startswith(name), name
    assert "Chi chiude ha 100 punti." in lands(client, links["Chiusura"])


def test_the_places_are_those_of_the_rules_that_the_table_plays(begin: Begin) -> None:
    player = begin(preset="getty", option_held_red_three="once", option_target="7500")
    page = player.play(PLAYED)
    played = "/regole/classica?preset=getty&held-red-three=once&target=7500"
    place = why(page)["3 rossi in mano"]
    assert place == f"{played}#voce-red-threes-held"
    assert "una volta sola" in lands(player.client, place)
    assert player.page().links()["Il gioco e tutte le sue regole"] == played
    ruling = player.page("arbitro/penalita?caso=draw-out-of-turn").links()
    assert ruling["Leggi la regola: Pescata fuori turno"] == f"{played}#penalita-draw-out-of-turn"


def test_every_line_leads_there_while_it_is_counted(client: Client, pad: Pad) -> None:
    """In another page: nothing that was typed is left behind."""
    page = client.get(counting(begin(pad, client)))
    counted = {
        "a.canastas.mixed-canasta": "1", "a.cards": "155", "a.left": "0", "a.red_threes": "1",
        "b.cards": "0", "b.left": "35", "out": "a",
    }  # fmt: skip
    told = check(client, page, counted)
    assert told is not None
    links = [link for row in told.one(id="live").all("dl") for link in row.all("a")]
    assert {link.text: link["href"] for link in links} == LINES
    assert "si apre in un'altra pagina" in told.one(id="live").text
    for link in links:
        assert link["target"] == "_blank"
        assert lands(client, link["href"])


def test_a_problem_in_the_count_leads_to_its_rule(client: Client, pad: Pad) -> None:
    page = client.get(counting(begin(pad, client)))
    counted = {"a.cards": "153", "a.left": "0", "b.cards": "60", "b.left": "35", "out": "a"}
    told = type_and("save", client, page, counted)
    links = [link for note in told.all(class_="message") for link in note.all("a")]
    rules = {link["href"]: link for link in links if "#avviso-" in link["href"]}
    for alert in ("totals-impossible", "out-canastas-missing"):
        link = rules[f"{CLASSICA}avviso-{alert}"]
        assert link["target"] == "_blank", "nothing that was typed is left behind"
        assert link.text == "Leggi la regola (si apre in un'altra pagina)"
        assert lands(client, link["href"])


def test_a_hand_in_doubt_leads_to_the_rule(player: Player) -> None:
    first = hand(side(400, 0, natural=2), side(100, 0))
    player.play(first, hand(side(60, 0), side(60, 0)))
    page = player.correct_to(1, hand(side(400, 0, natural=3), side(100, 0)), "Ricontata")
    row = page.one("li", id="smazzata-2")
    place = [link for link in row.all("a") if link["href"].endswith("#avviso-opening-impossible")]
    assert [link.text for link in place] == [
        "Leggi la regola: Con queste carte non si può avere aperto"
    ]
    assert "da 1.500: 90" in lands(player.client, place[0]["href"])


CASES = Path(__file__).parents[1] / "rulings" / "cases"


@pytest.mark.quick(3)
@pytest.mark.parametrize("file", sorted(CASES.glob("*.json")), ids=lambda file: file.stem)
def test_the_referee_answers_as_the_contract_does_and_its_reasons_lead_to_their_places(
    client: Client, file: Path
) -> None:
    """Of every sixth worked ruling; an answer that leads nowhere has no source, or says what is no
    rule of a game.
    """
    led, books = 0, dict[str, set[str]]()
    for case in json.loads(file.read_text("utf-8"))[::6]:
        raw = {"preset": None, "options": {}, **case["ask"]}
        if understood(raw) is None:
            continue  # the pages would ask for something more
        page = client.get(address(raw))
        shown(page, raw)
        links = [link for link in page.all("a") if link.text.startswith("Leggi la regola: ")]
        for link in links:
            book, _, anchor = link["href"].partition("#")
            if book not in books:
                path, _, asked = book.partition("?")
                read = client.get(path, query_string=asked)
                books[book] = {each["id"] for each in read.all() if each.has("id")}
            assert anchor in books[book], link["href"]
        led += bool(links)
    assert led >= 3

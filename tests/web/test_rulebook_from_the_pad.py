"""From the pad to the rulebook: every line of a counted hand and every problem leads to its place
there.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorepad.matches import Pad
from tests.web.client import Client, Page
from tests.web.player import Begin, Player
from tests.web.playing import hand, play, side, start
from tests.web.referee_answers import CASES, check_answer_on_page, question_as_understood
from tests.web.referee_asked import address

HOUSE_PENALTY = {"code": "house", "points": 25, "reason": "Carta vista"}
PLAYED = hand(
    side(400, 35, natural=1, mixed=2, red_threes=2, penalties=["draw-out-of-turn"]),
    side(150, 90, mixed=1, red_threes_held=1, penalties=[HOUSE_PENALTY]),
    out="a",
)
"""A hand in which each line of a score occurs that there is in classica."""


def text_at(client: Client, url: str) -> str:
    """What stands in the rulebook where a link leads: at the element named after the `#`."""
    page, _, anchor = url.partition("#")
    return client.get(page).one(id=anchor).text


def links_of_score_lines(page: Page) -> dict[str, str]:
    """The lines of the last hand, each with the address that its name leads to."""
    addresses = {}
    for lines in page.all("dl", class_="sources"):
        for link in lines.all("a"):
            addresses[link.text] = link["href"]
    return addresses


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
    links = links_of_score_lines(page)
    assert links == LINES | {
        "Canaste naturali": f"{CLASSICA}voce-natural-canasta",
        "3 rossi in mano": f"{CLASSICA}voce-red-threes-held",
        "Pescata fuori turno": f"{CLASSICA}penalita-draw-out-of-turn",
        "Penalità della casa": f"{CLASSICA}penalita-house",
    }
    for name, url in links.items():
        assert text_at(client, url).startswith(name), name
    assert "Chi chiude ha 100 punti." in text_at(client, links["Chiusura"])


def test_the_places_are_those_of_the_rules_that_the_table_plays(begin: Begin) -> None:
    player = begin(preset="getty", option_held_red_three="once", option_target="7500")
    page = player.play(PLAYED)
    rulebook = "/regole/classica?preset=getty&held-red-three=once&target=7500"

    red_threes = links_of_score_lines(page)["3 rossi in mano"]
    ruling = player.page("arbitro/penalita?caso=draw-out-of-turn")

    assert page.links()["Il gioco e tutte le sue regole"] == rulebook
    assert red_threes == f"{rulebook}#voce-red-threes-held"
    assert "una volta sola" in text_at(player.client, red_threes)
    penalty = ruling.links()["Leggi la regola: Pescata fuori turno"]
    assert penalty == f"{rulebook}#penalita-draw-out-of-turn"


def test_every_line_leads_there_in_another_page_while_it_is_counted(player: Player) -> None:
    counted = {
        "a.canastas.mixed-canasta": "1",
        "a.cards": "155",
        "a.left": "0",
        "a.red_threes": "1",
        "b.cards": "0",
        "b.left": "35",
        "out": "a",
    }
    live_count = player.while_typing(counted).one(id="live")
    links = []
    for lines in live_count.all("dl"):
        links += lines.all("a")

    assert {link.text: link["href"] for link in links} == LINES
    assert "si apre in un'altra pagina" in live_count.text
    for link in links:
        assert link["target"] == "_blank", "nothing that was typed is left behind"


@pytest.mark.parametrize("problem", ["totals-impossible", "out-canastas-missing"])
def test_a_problem_in_the_count_leads_to_its_rule(player: Player, problem: str) -> None:
    """153 points are no multiple of 5, and Noi went out without a canasta."""
    counted = {"a.cards": "153", "a.left": "0", "b.cards": "60", "b.left": "35", "out": "a"}
    page = player.save(counted)
    link = page.all("a", href=f"{CLASSICA}avviso-{problem}")[0]
    assert link["target"] == "_blank", "nothing that was typed is left behind"
    assert link.text == "Leggi la regola (si apre in un'altra pagina)"
    assert text_at(player.client, link["href"])


def test_a_hand_in_doubt_leads_to_the_rule(player: Player) -> None:
    """With the corrected first hand Noi had 1.900 points, from where an opening takes 90, not 60."""
    player.play(hand(side(400, 0, natural=2), side(100, 0)), hand(side(60, 0), side(60, 0)))
    page = player.correct_to(1, hand(side(400, 0, natural=3), side(100, 0)), "Ricontata")
    url = f"{CLASSICA}avviso-opening-impossible"
    link = page.one("li", id="smazzata-2").one("a", href=url)
    assert link.text == "Leggi la regola: Con queste carte non si può avere aperto"
    assert "da 1.500: 90" in text_at(player.client, url)


@pytest.mark.quick(3)
@pytest.mark.parametrize("file", sorted(CASES.glob("*.json")), ids=lambda file: file.stem)
def test_the_referee_answers_as_the_contract_does_and_its_reasons_lead_to_their_places(
    client: Client, file: Path
) -> None:
    """Of every sixth worked ruling; an answer that leads nowhere has no source, or says what is no
    rule of a game.
    """
    places_of_rulebook: dict[str, set[str]] = {}
    answers_with_links = 0
    for case in json.loads(file.read_text("utf-8"))[::6]:
        question = {"preset": None, "options": {}, **case["ask"]}
        if question_as_understood(question) is None:
            continue  # the pages would ask for something more
        page = client.get(address(question))
        check_answer_on_page(page, question)

        links = [link for link in page.all("a") if link.text.startswith("Leggi la regola: ")]
        for link in links:
            rulebook, _, anchor = link["href"].partition("#")
            if rulebook not in places_of_rulebook:
                places_of_rulebook[rulebook] = client.get(rulebook).ids()
            assert anchor in places_of_rulebook[rulebook], link["href"]
        if links:
            answers_with_links += 1
    assert answers_with_links >= 3

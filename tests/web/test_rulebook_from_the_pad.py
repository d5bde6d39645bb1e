"""From the pad to the rulebook: every line of a counted hand, every problem of a hand and every
ruling of the referee links to its rule there.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from scorepad.matches import Pad
from tests.web.client import Client, Page
from tests.web.player import Begin, Player
from tests.web.playing import hand, play, side, start
from tests.web.referee_answers import CASES, check_answer_on_page, question_as_understood
from tests.web.referee_asked import address

HOUSE_PENALTY = {"code": "house", "points": 25, "reason": "Carta vista"}  # "Card seen"
HAND_WITH_EVERY_LINE = hand(
    side(400, 35, natural=1, mixed=2, red_threes=2, penalties=["draw-out-of-turn"]),
    side(150, 90, mixed=1, red_threes_held=1, penalties=[HOUSE_PENALTY]),
    out="a",
)
"""A hand in which each line of a score occurs that there is in classica."""


def text_at(client: Client, url: str) -> str:
    """Return what stands in the rulebook where a link leads: at the element named after the `#`."""
    page, anchor = url.split("#")
    return client.get(page).one(id=anchor).text


def links_of_score_lines(page: Page) -> dict[str, str]:
    """Return the lines of the last hand by name, each with the address of its link."""
    addresses = {}
    for lines in page.all("dl", class_="sources"):
        for link in lines.all("a"):
            addresses[link.text] = link["href"]
    return addresses


RULEBOOK = "/regole/classica#"
LINKS_OF_COMMON_LINES = {  # mixed canastas, cards laid, red threes, going out, cards in hand
    "Canaste miste": f"{RULEBOOK}voce-mixed-canasta",
    "Carte calate": f"{RULEBOOK}voce-cards",
    "Onori (3 rossi)": f"{RULEBOOK}voce-red-threes",
    "Chiusura": f"{RULEBOOK}voce-out",
    "Carte in mano": f"{RULEBOOK}voce-cards-left",
}


def test_score_lines_link_to_the_rulebook(client: Client, pad: Pad) -> None:
    page = play(pad, client, start(client), HAND_WITH_EVERY_LINE)

    links = links_of_score_lines(page)

    # Natural canastas, red threes left in hand, a draw out of turn and a house penalty.
    other_links = {
        "Canaste naturali": f"{RULEBOOK}voce-natural-canasta",
        "3 rossi in mano": f"{RULEBOOK}voce-red-threes-held",
        "Pescata fuori turno": f"{RULEBOOK}penalita-draw-out-of-turn",
        "Penalità della casa": f"{RULEBOOK}penalita-house",
    }
    assert links == LINKS_OF_COMMON_LINES | other_links

    # Each link leads to an entry that begins with the name of the line.
    for name, url in links.items():
        assert text_at(client, url).startswith(name), name
    # "Who goes out has 100 points."
    assert "Chi chiude ha 100 punti." in text_at(client, links["Chiusura"])


def test_links_lead_to_the_rules_of_the_match(begin: Begin) -> None:
    # A match has rules of its own: red threes left in hand, however many, cost their penalty once.
    # In its hand one side holds a red three.
    player = begin(preset="getty", option_held_red_three="once", option_target="7500")
    page = player.play(HAND_WITH_EVERY_LINE)

    # The link "The game and all its rules" opens the rulebook with the rules of this match.
    rulebook = "/regole/classica?preset=getty&held-red-three=once&target=7500"
    assert page.links()["Il gioco e tutte le sue regole"] == rulebook

    # So does the link of a line of the score, "red threes in hand", at the place of this line.
    red_threes = links_of_score_lines(page)["3 rossi in mano"]
    assert red_threes == f"{rulebook}#voce-red-threes-held"
    assert "una volta sola" in text_at(player.client, red_threes)  # "once only"

    # So does a ruling of the referee on a card drawn out of turn, at the place of this penalty.
    ruling = player.page("arbitro/penalita?caso=draw-out-of-turn")
    penalty = ruling.links()["Leggi la regola: Pescata fuori turno"]  # "Read the rule: …"
    assert penalty == f"{rulebook}#penalita-draw-out-of-turn"


def test_score_lines_while_typing_link_to_a_new_tab(player: Player) -> None:
    # A hand is typed, and not saved yet: the first side laid 155 points with a mixed canasta and a
    # red three, and went out. The other side has 35 points left in hand.
    typed = {
        "a.canastas.mixed-canasta": "1",
        "a.cards": "155",
        "a.left": "0",
        "a.red_threes": "1",
        "b.cards": "0",
        "b.left": "35",
        "out": "a",
    }
    live_count = player.while_typing(typed).one(id="live")
    links = []
    for lines in live_count.all("dl"):
        links += lines.all("a")

    # Each line of the score has its link.
    urls = {link.text: link["href"] for link in links}
    assert urls == LINKS_OF_COMMON_LINES

    # A link that opened in the same page would lose what was typed.
    assert "si apre in un'altra pagina" in live_count.text  # "opens in another page"
    for link in links:
        assert link["target"] == "_blank"


@pytest.mark.parametrize("problem", ["totals-impossible", "out-canastas-missing"])
def test_problem_of_a_hand_links_to_its_rule(player: Player, problem: str) -> None:
    # Noi ("We", side a) cannot have laid 153 points, as the points of all cards are multiples of 5.
    # And they went out without a canasta, which going out needs.
    typed = {"a.cards": "153", "a.left": "0", "b.cards": "60", "b.left": "35", "out": "a"}
    page = player.save(typed)

    # "Read the rule (opens in another page)": a link that opened here would lose what was typed.
    link = page.all("a", href=f"{RULEBOOK}avviso-{problem}")[0]
    assert link.text == "Leggi la regola (si apre in un'altra pagina)"
    assert link["target"] == "_blank"
    assert text_at(player.client, link["href"])


def test_doubt_about_a_hand_links_to_its_rule(player: Player) -> None:
    # Noi ("We") have 2 × 500 for clean canastas + 400 of cards = 1,400 points after the first hand.
    # In the second one they lay 60, and 50 are needed to open.
    first = hand(side(cards=400, natural=2), side(cards=100))
    player.play(first, hand(side(cards=60), side(cards=60)))

    # The first hand is counted again. There was one more canasta: with 1,900 points 90 are needed.
    corrected = hand(side(cards=400, natural=3), side(cards=100))
    page = player.correct_to(1, corrected, "Ricontata")

    # Beside the second hand stands "Read the rule, with these cards nobody can have opened". The
    # rule says "from 1,500 on, 90".
    url = f"{RULEBOOK}avviso-opening-impossible"
    link = page.one("li", id="smazzata-2").one("a", href=url)
    assert link.text == "Leggi la regola: Con queste carte non si può avere aperto"
    assert "da 1.500: 90" in text_at(player.client, url)


@pytest.mark.quick(3)
@pytest.mark.parametrize("file", sorted(CASES.glob("*.json")), ids=lambda file: file.stem)
def test_referee_gives_worked_rulings_with_links_to_the_rulebook(
    client: Client, file: Path
) -> None:
    # A file holds worked rulings: questions to the referee, with their verdicts. Every sixth is
    # asked on the pages, which have to answer as the program does without them.
    places: defaultdict[str, set[str]] = defaultdict(set)
    answers_with_links = 0
    for case in json.loads(file.read_text("utf-8"))[::6]:
        question = {"preset": None, "options": {}, **case["ask"]}
        if question_as_understood(question) is None:
            continue  # the pages would ask for something more

        page = client.get(address(question))
        check_answer_on_page(page, question)

        # An answer has links "Read the rule: …" into the rulebook, unless it has no source, or is
        # about something that is no rule of a game.
        rule_links = [link for link in page.all("a") if link.text.startswith("Leggi la regola: ")]
        for link in rule_links:
            rulebook_page, anchor = link["href"].split("#")
            places[rulebook_page].add(anchor)
        if rule_links:
            answers_with_links += 1
    assert answers_with_links >= 3

    # Every link leads to a place that is there.
    for rulebook_page, anchors in places.items():
        missing = anchors - client.get(rulebook_page).ids()
        assert missing == set(), rulebook_page

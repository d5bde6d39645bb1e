"""The match page of the variants: exactly what each of them needs, in the words of its players."""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.rules.variants import variant_ids
from tests.matches.whole_matches import whole
from tests.web.client import Client, Page
from tests.web.player import Begin, Player
from tests.web.playing import hand, side
from tests.web.tables import read_tables


def begin_golden_match(client: Client, pad: Pad, variant: str) -> tuple[Player, tuple[Any, ...]]:
    """A match that begins as the golden match of this variant, and the hands of that one."""
    golden = whole(variant)
    options = {"variante": variant, **golden.new.options}
    page = client.get("/partite/nuova", query_string=options)
    names = {}
    for number, name in enumerate(golden.new.labels.names):
        names[f"name_{number}"] = name.capitalize()
    match = client.submit(page, "Comincia: ", **names).url
    return Player(client, pad, match), golden.hands


def score_heads(page: Page) -> list[str]:
    return page.texts("section", class_="head")


def text_of_hand(page: Page, number: int) -> str:
    """What the page says of a hand."""
    return page.one("li", id=f"smazzata-{number}").text


def score_lines(page: Page, number: int) -> dict[str, list[str]]:
    """The rows of the score of a hand: what counts, and the cell of each side."""
    table = page.one("li", id=f"smazzata-{number}").all("table")[0]
    lines = {}
    for row in table.all("tr")[1:]:
        lines[row.texts("th")[0]] = row.texts("td")
    return lines


CASES = read_tables("other_variants")
WITH_TWO_DECKS = {
    "cinque",
    "classica",
    "cubana",
    "due",
    "moderna",
    "sei",
    "sette",
    "tagliagola",
    "tre",
    "uruguaiana",
}


@pytest.mark.parametrize("variant", sorted({*CASES["needs"], *CASES["dealt"]}))
def test_match_page_shows_what_going_out_needs_and_the_deal(begin: Begin, variant: str) -> None:
    facts = facts_of_match(begin(variant).page())
    if variant in CASES["needs"]:
        assert facts["Per chiudere"] == CASES["needs"][variant]
    dealt = CASES["dealt"].get(variant, {})
    assert dealt.items() <= facts.items()


@pytest.mark.parametrize("variant", variant_ids())
def test_match_page_shows_number_of_decks_unless_there_are_two(begin: Begin, variant: str) -> None:
    facts = facts_of_match(begin(variant).page())
    assert ("Mazzi" in facts) is (variant not in WITH_TWO_DECKS)


def facts_of_match(page: Page) -> dict[str, str]:
    """What the match page says of the coming hand, such as what going out needs, by its name."""
    facts = {}
    for row in page.one("dl", class_="facts").all("div"):
        facts[row.one("dt").text] = " ".join(row.texts("dd"))
    return facts


@pytest.mark.parametrize("code", CASES["codes_for_two"])
def test_each_code_for_two_shows_its_own_rules(begin: Begin, code: str) -> None:
    page = begin("due", **{"option-code": code}).page()
    for words in CASES["codes_for_two"][code]:
        assert words in page.text
    each_discards_one_card_first = "ognuno scarta una carta nel pozzo"
    assert (each_discards_one_card_first in page.text) is (code == "usa-3")


@pytest.mark.parametrize("variant", CASES["openings"])
def test_opening_minimums_are_those_of_the_variant(begin: Begin, variant: str) -> None:
    case = CASES["openings"][variant]
    page = begin(variant).play(hand(case["entered"], side(left=25)))
    assert score_heads(page) == case["heads"]


def test_hand_and_foot_has_four_hands_each_with_its_minimum(client: Client, pad: Pad) -> None:
    player, hands = begin_golden_match(client, pad, "hand-and-foot")
    # "Opens with 50, 1st hand of 4"
    assert score_heads(player.page())[0] == "Noi 0 Apre con 50 , 1ª smazzata di 4"

    page = player.play(hands[0])
    assert score_heads(page)[0] == "Noi 4.055 Apre con 90 , 2ª smazzata di 4"
    assert "Smazzata 2 di 4" in page.texts("h2")
    assert score_lines(page, 1)["Libri puliti"] == ["(2) +1.000", "(1) +500"]  # natural canastas

    page = player.play(*hands[1:])
    assert page.one(class_="ended").text == (
        # We have won after 4 hands, by the highest total.
        "Abbiamo vinto noi: 11.425 a 9.480 Giocate 4 smazzate: vince il totale più alto."
    )
    assert "Nuova smazzata" not in page.links()
    assert "Noi vittoria 11.425 Loro 9.480" in client.get("/").text


def test_hand_and_foot_ends_level(client: Client, begin: Begin) -> None:
    points_600 = side(cards=300, mixed=1)
    page = begin("hand-and-foot").play(*[hand(points_600, points_600)] * 4)
    # "Level, nobody wins. After 4 hands the highest totals are equal."
    assert page.one(class_="ended").text == (
        "Partita pari: non vince nessuno Dopo 4 smazzate i totali più alti sono uguali."
    )
    assert score_heads(page) == ["Noi 2.400", "Loro 2.400"]
    assert "· finita pari · 4 smazzate ·" in client.get("/").one("a", class_="match").text


def test_tagliagola_shows_who_played_alone(client: Client, pad: Pad) -> None:
    """Of three, who takes the pile first plays alone against the two others."""
    player, hands = begin_golden_match(client, pad, "tagliagola")
    nobody_took_pile = {"single": None, "sides": {"a": {"melds": ["4xA"], "left": ""}}, "out": None}

    page = player.play(hands[0], hands[1], nobody_took_pile)

    assert page.one("ol", class_="hands").texts(class_="mark-alone") == [
        ", Anna contro Bruno e Carla",
        ", Bruno contro Anna e Carla",
    ]
    # Anna took the first pile; then nobody did, and Bruno went out; then everybody was alone.
    assert "pozzo l'ha preso Anna, contro la coppia Bruno e Carla." in text_of_hand(page, 1)
    assert (
        "Nessuno ha preso il pozzo: contro la coppia Anna e Carla ha giocato chi ha chiuso, Bruno."
    ) in text_of_hand(page, 2)
    assert "Nessuno ha preso il pozzo: ognuno per sé." in text_of_hand(page, 3)
    # The cards that the pair laid together are listed under both players.
    assert score_lines(page, 1)["Carte calate"] == ["(14) +170", "(7) +100", "(7) +100"]


def test_mini_has_small_scores_and_no_opening(client: Client, pad: Pad) -> None:
    player, hands = begin_golden_match(client, pad, "mini")
    page = player.play(hands[0])
    assert score_heads(page)[0] == "Anna 5 ne mancano 25"  # 25 to go
    names_of_lines = list(score_lines(page, 1))
    # Natural and mixed canastas, cards in hand, the sum.
    assert names_of_lines == ["Canaste pure", "Canaste sporche", "Carte in mano", "Smazzata"]
    assert "Si apriva" not in page.text, "no opening minimum"


def test_special_hand_is_named(begin: Begin) -> None:
    page = begin("moderna").play(hand({"special": "straight"}, side(left=40), out="a"))
    assert score_lines(page, 1)["Mano speciale"] == ["(1) +3.000", "–"]
    assert "Noi, mano speciale: scala" in text_of_hand(page, 1)


def test_deduced_score_line_is_marked_and_explained(begin: Begin) -> None:
    """A line is deduced where the sources leave room."""
    page = begin("moderna").play(hand(side(cards=200, left=10), side(cards=200)))
    assert "Carte calate dedotto" in score_lines(page, 1)  # "Cards laid, deduced"

    explanations = {}
    for fold in page.one("li", id="smazzata-1").all("details", class_="fold"):
        explanations[fold.one("summary").text] = fold
    explanation = explanations["Dedotto: Carte calate e Carte in mano"]
    assert not explanation.has("open")
    assert "Su questo punto le fonti" in explanation.text  # "On this point the sources …"

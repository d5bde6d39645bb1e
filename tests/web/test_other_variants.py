"""The match page of the variants of canasta: what each of them needs, in the words of its players.

The golden match of a variant is a whole match that was counted by hand, in `tests/golden`.
"""

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


def begin_worked_match(client: Client, pad: Pad, variant: str) -> tuple[Player, tuple[Any, ...]]:
    """Start a match with the rules and names of the worked match of this variant.

    For each variant a file has a whole match. Return the phone that started it, and the hands of
    the file, which are not played yet.
    """
    worked = whole(variant)
    options = {"variante": variant, **worked.new.options}
    page = client.get("/partite/nuova", query_string=options)

    # Many files name the sides "noi" and "loro". The pages have "Noi" ("We") and "Loro" ("They").
    names = {}
    for number, name in enumerate(worked.new.labels.names):
        names[f"name_{number}"] = name.capitalize()
    match = client.submit(page, "Comincia: ", **names).url  # the button "Begin: …"
    return Player(client, pad, match), worked.hands


def score_heads(page: Page) -> list[str]:
    """Return the head of each side: its name, its score and what it needs to open."""
    return page.texts("section", class_="head")


def text_of_hand(page: Page, number: int) -> str:
    """Return what the page says of the hand of this number."""
    return page.one("li", id=f"smazzata-{number}").text


def score_lines(page: Page, number: int) -> dict[str, list[str]]:
    """Return the rows of the score of a hand: what is counted, and the cell of each side."""
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

    # "To go out": for classica "at least 1 canasta".
    if variant in CASES["needs"]:
        assert facts["Per chiudere"] == CASES["needs"][variant]

    # Such as the decks ("Mazzi") and cards ("Carte") of samba: "15 each, of which 2 are drawn".
    dealt = CASES["dealt"].get(variant, {})
    assert dealt.items() <= facts.items()


@pytest.mark.parametrize("variant", variant_ids())
def test_match_page_shows_number_of_decks_unless_there_are_two(begin: Begin, variant: str) -> None:
    facts = facts_of_match(begin(variant).page())
    shows_decks = "Mazzi" in facts
    assert shows_decks is (variant not in WITH_TWO_DECKS)


def facts_of_match(page: Page) -> dict[str, str]:
    """Return what the page says of the coming hand, by its name: what is dealt, for example."""
    facts = {}
    for row in page.one("dl", class_="facts").all("div"):
        facts[row.one("dt").text] = " ".join(row.texts("dd"))
    return facts


@pytest.mark.parametrize("code", CASES["codes_for_two"])
def test_each_code_for_two_shows_its_own_rules(begin: Begin, code: str) -> None:
    # Canasta for two ("due") is played by one of four codes, the rules of different books.
    page = begin("due", **{"option-code": code}).page()

    for words in CASES["codes_for_two"][code]:
        assert words in page.text  # such as "15 each" and "at least 2 canastas"
    # "Everybody discards a card first"
    has_exchange = "ognuno scarta una carta nel pozzo" in page.text
    assert has_exchange is (code == "usa-3")


@pytest.mark.parametrize("variant", CASES["openings"])
def test_opening_minimums_are_those_of_the_variant(begin: Begin, variant: str) -> None:
    # One variant is samba. The first side, Noi ("We"), gets five canastas that are sequences, 1,500
    # each, and 800 points of cards. The second side has nothing but 25 points left in hand.
    case = CASES["openings"][variant]
    page = begin(variant).play(hand(case["entered"], side(left=25)))

    # The page tells the score of each side and how many points its first melds need: "Noi 8,300.
    # Opens with 150, from 7,000 points on. 1,700 to go."
    assert score_heads(page) == case["heads"]


def test_hand_and_foot_has_four_hands_each_with_its_minimum(client: Client, pad: Pad) -> None:
    # In hand and foot the opening minimum depends on the hand: "Opens with 50, 1st hand of 4".
    player, hands = begin_worked_match(client, pad, "hand-and-foot")
    assert score_heads(player.page())[0] == "Noi 0 Apre con 50 , 1ª smazzata di 4"

    # One hand is played. The next one needs 90.
    page = player.play(hands[0])
    assert score_heads(page)[0] == "Noi 4.055 Apre con 90 , 2ª smazzata di 4"
    assert "Smazzata 2 di 4" in page.texts("h2")
    # Natural canastas are called "clean books" here: two of one side, and one of the other.
    assert score_lines(page, 1)["Libri puliti"] == ["(2) +1.000", "(1) +500"]

    # The other three are played. "We have won. 4 hands played: the highest total wins."
    page = player.play(*hands[1:])
    result = "Abbiamo vinto noi: 11.425 a 9.480 Giocate 4 smazzate: vince il totale più alto."
    assert page.one(class_="ended").text == result
    assert "Nuova smazzata" not in page.links()  # "New hand"
    assert "Noi vittoria 11.425 Loro 9.480" in client.get("/").text


def test_hand_and_foot_ends_level(client: Client, begin: Begin) -> None:
    # Each side has the same in each of the four hands: 300 for a mixed canasta + 300 of cards.
    points_600 = side(cards=300, mixed=1)
    page = begin("hand-and-foot").play(*[hand(points_600, points_600)] * 4)

    # "Level, nobody wins. After 4 hands the highest totals are equal."
    result = "Partita pari: non vince nessuno Dopo 4 smazzate i totali più alti sono uguali."
    assert page.one(class_="ended").text == result
    assert score_heads(page) == ["Noi 2.400", "Loro 2.400"]

    # "Ended level, 4 hands"
    assert "· finita pari · 4 smazzate ·" in client.get("/").one("a", class_="match").text


def test_tagliagola_shows_who_played_alone(client: Client, pad: Pad) -> None:
    # Of three players, the one who takes the discard pile first plays alone against the others.
    # Anna takes it in the first hand. In the others nobody does, and then whoever goes out has
    # played alone. That is Bruno in the second one, and nobody in the third one.
    player, hands = begin_worked_match(client, pad, "tagliagola")
    nobody_out = {"single": None, "sides": {"a": {"melds": ["4xA"], "left": ""}}, "out": None}
    page = player.play(hands[0], hands[1], nobody_out)

    # "Anna against Bruno and Carla", "Bruno against Anna and Carla".
    assert page.one("ol", class_="hands").texts(class_="mark-alone") == [
        ", Anna contro Bruno e Carla",
        ", Bruno contro Anna e Carla",
    ]

    # Each hand says so. "Anna took the pile, against the pair Bruno and Carla."
    first, second, third = (text_of_hand(page, number) for number in (1, 2, 3))
    assert "pozzo l'ha preso Anna, contro la coppia Bruno e Carla." in first
    # Nobody took the pile, and the one who went out, Bruno, played against Anna and Carla.
    against_pair = "contro la coppia Anna e Carla ha giocato chi ha chiuso, Bruno."
    assert f"Nessuno ha preso il pozzo: {against_pair}" in second
    # Nobody took the pile, "everybody for themselves".
    assert "Nessuno ha preso il pozzo: ognuno per sé." in third

    # "Cards laid": in the first hand Anna laid 14 of 170 points. The pair laid four kings and three
    # aces, 7 cards of 100 points together, which are listed under both of them.
    assert score_lines(page, 1)["Carte calate"] == ["(14) +170", "(7) +100", "(7) +100"]


def test_mini_has_small_scores_and_no_opening(client: Client, pad: Pad) -> None:
    # A match of mini goes to 30. After one hand Anna has 5, "25 to go".
    player, hands = begin_worked_match(client, pad, "mini")
    page = player.play(hands[0])
    assert score_heads(page)[0] == "Anna 5 ne mancano 25"

    # Counted are natural and mixed canastas and the cards in hand. The last line is the sum.
    names_of_lines = list(score_lines(page, 1))
    assert names_of_lines == ["Canaste pure", "Canaste sporche", "Carte in mano", "Smazzata"]

    # In other variants the page says of a hand with how many points a side opened.
    assert "Si apriva" not in page.text


def test_special_hand_is_named(begin: Begin) -> None:
    # In the variant moderna a player may go out with a special hand, such as a straight: one card
    # of each rank and a joker. It counts 3,000 points.
    page = begin("moderna").play(hand({"special": "straight"}, side(left=40), out="a"))

    assert score_lines(page, 1)["Mano speciale"] == ["(1) +3.000", "–"]
    assert "Noi, mano speciale: scala" in text_of_hand(page, 1)  # "special hand: straight"


def test_deduced_score_line_is_marked_and_explained(begin: Begin) -> None:
    # Where the sources give a variant no rule of its own, that of classica holds, and the line of
    # the score is marked as deduced. In moderna this is so for the points of the cards.
    page = begin("moderna").play(hand(side(cards=200, left=10), side(cards=200)))
    assert "Carte calate dedotto" in score_lines(page, 1)  # "Cards laid, deduced"

    # Below the score are explanations, which can be unfolded. One is for "cards laid and cards in
    # hand".
    folds = page.one("li", id="smazzata-1").all("details", class_="fold")
    by_summary = {fold.one("summary").text: fold for fold in folds}
    explanation = by_summary["Dedotto: Carte calate e Carte in mano"]
    assert not explanation.has("open")
    # "On this point the sources give this game no rule of its own."
    assert "Su questo punto le fonti" in explanation.text

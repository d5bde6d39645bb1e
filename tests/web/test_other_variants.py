"""The match page of the variants: exactly what each of them needs, in the words of its players."""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.matches import Pad
from tests.matches.whole_matches import whole
from tests.web.client import Client, Page
from tests.web.player import Begin, Player
from tests.web.playing import hand, side
from tests.web.tables import read_tables


def begin_whole_match(client: Client, pad: Pad, variant: str) -> tuple[Player, tuple[Any, ...]]:
    """A match as the golden match of this variant begins, through the page; and the hands of that."""
    golden = whole(variant)
    page = client.get("/partite/nuova", query_string={"variante": variant, **golden.new.options})
    names = {f"name_{side}": name.capitalize() for side, name in enumerate(golden.new.labels.names)}
    return Player(client, pad, client.submit(page, "Comincia: ", **names).url), golden.hands


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
WITH_TWO_DECKS = {"classica", "due", "tagliagola", "moderna"}


@pytest.mark.parametrize("variant", sorted({*CASES["needs"], *CASES["dealt"]}))
def test_what_going_out_needs_and_the_cards_to_deal_stand_before_every_hand(
    begin: Begin, variant: str
) -> None:
    """The number of decks is told where it is not two."""
    facts = {}
    for row in begin(variant).page().one("dl", class_="facts").all("div"):
        facts[row.one("dt").text] = " ".join(row.texts("dd"))

    if variant in CASES["needs"]:
        assert facts["Per chiudere"] == CASES["needs"][variant]
    assert CASES["dealt"].get(variant, {}).items() <= facts.items()
    assert ("Mazzi" in facts) is (variant not in WITH_TWO_DECKS)


@pytest.mark.parametrize("code", CASES["codes_for_two"])
def test_each_code_for_two_tells_its_own_cards_and_canastas(begin: Begin, code: str) -> None:
    page = begin("due", **{"option-code": code}).page()
    for words in CASES["codes_for_two"][code]:
        assert words in page.text
    first_discards = "ognuno scarta una carta nel pozzo"
    assert (first_discards in page.text) is (code == "usa-3")


@pytest.mark.parametrize("variant", CASES["openings"])
def test_the_opening_steps_are_those_of_the_variant(begin: Begin, variant: str) -> None:
    case = CASES["openings"][variant]
    page = begin(variant).play(hand(case["entered"], side(0, left=25)))
    assert score_heads(page) == case["heads"]


def test_hand_and_foot_opens_by_the_hand_and_goes_as_many_as_there_are(
    client: Client, pad: Pad
) -> None:
    player, hands = begin_whole_match(client, pad, "hand-and-foot")
    assert score_heads(player.page())[0] == "Noi 0 Apre con 50 , 1ª smazzata di 4"

    page = player.play(hands[0])
    assert score_heads(page)[0] == "Noi 4.055 Apre con 90 , 2ª smazzata di 4"
    assert "Smazzata 2 di 4" in page.texts("h2")
    assert score_lines(page, 1)["Libri puliti"] == ["(2) +1.000", "(1) +500"]

    page = player.play(*hands[1:])
    assert page.one(class_="ended").text == (
        "Abbiamo vinto noi: 11.425 a 9.480 Giocate 4 smazzate: vince il totale più alto."
    )
    assert "Nuova smazzata" not in page.links()
    assert "Noi vittoria 11.425 Loro 9.480" in client.get("/").text


def test_level_after_the_last_hand_nobody_has_won(client: Client, begin: Begin) -> None:
    points_600 = side(300, mixed=1)
    page = begin("hand-and-foot").play(*[hand(points_600, points_600)] * 4)
    assert page.one(class_="ended").text == (
        "Partita pari: non vince nessuno Dopo 4 smazzate i totali più alti sono uguali."
    )
    assert score_heads(page) == ["Noi 2.400", "Loro 2.400"]
    assert "· finita pari · 4 smazzate ·" in client.get("/").one("a", class_="match").text


def test_tagliagola_tells_who_played_alone_and_who_was_the_pair(client: Client, pad: Pad) -> None:
    """Of three, who takes the pile first plays alone against the two others."""
    player, hands = begin_whole_match(client, pad, "tagliagola")
    nobody_took_it = {"single": None, "sides": {"a": {"melds": ["4xA"], "left": ""}}, "out": None}

    page = player.play(*hands[:2], nobody_took_it)

    assert page.one("ol", class_="hands").texts(class_="mark-alone") == [
        ", Anna contro Bruno e Carla",
        ", Bruno contro Anna e Carla",
    ]
    anna_took_it = "Il primo pozzo l'ha preso Anna, contro la coppia Bruno e Carla."
    assert anna_took_it in text_of_hand(page, 1)
    bruno_went_out = (
        "Nessuno ha preso il pozzo: contro la coppia Anna e Carla ha giocato chi ha chiuso, Bruno."
    )
    assert bruno_went_out in text_of_hand(page, 2)
    assert "Nessuno ha preso il pozzo: ognuno per sé." in text_of_hand(page, 3)
    # What the pair laid stands under both.
    assert score_lines(page, 1)["Carte calate"] == ["(14) +170", "(7) +100", "(7) +100"]


def test_mini_counts_in_units_without_an_opening(client: Client, pad: Pad) -> None:
    player, hands = begin_whole_match(client, pad, "mini")
    page = player.play(hands[0])
    assert score_heads(page)[0] == "Anna 5 ne mancano 25"
    lines = list(score_lines(page, 1))
    assert lines == ["Canaste pure", "Canaste sporche", "Carte in mano", "Smazzata"]
    assert "Si apriva" not in page.text


def test_a_special_hand_is_named(begin: Begin) -> None:
    page = begin("moderna").play(hand({"special": "straight"}, side(0, left=40), "a"))
    assert score_lines(page, 1)["Mano speciale"] == ["(1) +3.000", "–"]
    assert "Noi, mano speciale: scala" in text_of_hand(page, 1)


def test_a_line_that_is_a_reading_says_so_and_its_argument_is_a_tap_away(begin: Begin) -> None:
    """A reading is what was deduced where the sources leave room."""
    page = begin("moderna").play(hand(side(200, left=10), side(200)))
    assert "Carte calate dedotto" in score_lines(page, 1)
    folds = {}
    for fold in page.one("li", id="smazzata-1").all("details", class_="fold"):
        folds[fold.one("summary").text] = fold
    argument = folds["Dedotto: Carte calate e Carte in mano"]
    assert not argument.has("open")
    assert "Su questo punto le fonti" in argument.text

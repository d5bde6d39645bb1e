"""The match page of the variants: exactly what each of them needs, in the words of its players."""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.rules.variants import variant_ids
from tests.matches.whole_matches import GOLDEN, whole
from tests.web.client import Client, Element, Page
from tests.web.playing import hand, play, side, start
from tests.web.tables import read_tables

WHOLE = [name for name in variant_ids() if (GOLDEN / f"{name}-whole-match.json").exists()]


def begin(client: Client, variant: str) -> tuple[str, tuple[dict[str, Any], ...]]:
    """A match as the whole match of this variant begins, through the page; and its hands."""
    played = whole(variant)
    names = {f"name_{side}": name.capitalize() for side, name in enumerate(played.new.labels.names)}
    page = client.get(f"/partite/nuova?variante={variant}")
    for option, value in played.new.options.items():
        chosen = page.values(page.form("Comincia: ")) | {"sit": f"{option}={value}"}
        page = client.post("/partite/nuova", chosen)
    return client.submit(page, "Comincia: ", **names).url, played.hands


def score_heads(page: Page) -> list[str]:
    return page.texts("section", class_="head")


def hand_item(page: Page, number: int) -> Element:
    """What the page tells of a hand."""
    return page.one("li", id=f"smazzata-{number}")


def score_lines(page: Page, number: int) -> dict[str, list[str]]:
    """The rows of the score of a hand: what counts, and the cell of each side."""
    found = {}
    for row in hand_item(page, number).all("table")[0].all("tr")[1:]:
        found[row.all("th")[0].text] = row.texts("td")
    return found


@pytest.mark.quick(3)
@pytest.mark.parametrize("variant", WHOLE)
def test_a_whole_match_of_every_variant_is_shown(client: Client, pad: Pad, variant: str) -> None:
    match, hands = begin(client, variant)
    play(pad, client, match, *hands)
    for language in ("it", "en"):
        client.raw.set_cookie("scorepad_language", language)
        client.language = language
        page = client.get(match)
        assert len(page.one("ol", class_="hands").all("summary", class_="row")) == len(hands)
        assert page.one(class_="ended").text
        assert client.get("/").all("a", class_="match")


CASES = read_tables("other_variants")
WITH_TWO_DECKS = {"classica", "due", "tagliagola", "moderna"}


@pytest.mark.parametrize("variant", sorted({*CASES["needs"], *CASES["dealt"]}))
def test_what_going_out_needs_and_the_cards_to_deal_stand_before_every_hand(
    client: Client, variant: str
) -> None:
    facts = {}
    for row in client.get(start(client, variant)).one("dl", class_="facts").all("div"):
        facts[row.one("dt").text] = " ".join(each.text for each in row.all("dd"))
    needs = facts["Per chiudere"]
    assert needs == CASES["needs"].get(variant, needs)
    assert CASES["dealt"].get(variant, {}).items() <= facts.items()
    assert ("Mazzi" in facts) is (variant not in WITH_TWO_DECKS)


@pytest.mark.parametrize("code", CASES["codes_for_two"])
def test_each_code_for_two_tells_its_own_cards_and_canastas(client: Client, code: str) -> None:
    shown = client.get(start(client, "due", **{"option-code": code})).text
    for words in CASES["codes_for_two"][code]:
        assert words in shown
    assert ("ognuno scarta una carta nel pozzo" in shown) is (code == "usa-3")


@pytest.mark.parametrize("variant", CASES["openings"])
def test_the_opening_steps_are_those_of_the_variant(client: Client, pad: Pad, variant: str) -> None:
    case = CASES["openings"][variant]
    page = play(pad, client, start(client, variant), hand(case["entered"], side(0, left=25)))
    assert score_heads(page) == case["heads"]


def test_hand_and_foot_opens_by_the_hand_and_goes_as_many_as_there_are(
    client: Client, pad: Pad
) -> None:
    match, hands = begin(client, "hand-and-foot")
    assert score_heads(client.get(match))[0] == "Noi 0 Apre con 50 , 1ª smazzata di 4"
    page = play(pad, client, match, hands[0])
    assert score_heads(page)[0] == "Noi 4.055 Apre con 90 , 2ª smazzata di 4"
    assert "Smazzata 2 di 4" in page.texts("h2")
    assert score_lines(page, 1)["Libri puliti"] == ["(2) +1.000", "(1) +500"]
    page = play(pad, client, match, *hands[1:])
    assert page.one(class_="ended").text == (
        "Abbiamo vinto noi: 11.425 a 9.480 Giocate 4 smazzate: vince il totale più alto."
    )
    assert "Nuova smazzata" not in page.links()
    assert "Noi vittoria 11.425 Loro 9.480" in client.get("/").text


def test_level_after_the_last_hand_nobody_has_won(client: Client, pad: Pad) -> None:
    level = side(300, mixed=1)
    hands = [hand(level, level)] * 4
    page = play(pad, client, start(client, "hand-and-foot"), *hands)
    assert page.one(class_="ended").text == (
        "Partita pari: non vince nessuno Dopo 4 smazzate i totali più alti sono uguali."
    )
    assert score_heads(page) == ["Noi 2.400", "Loro 2.400"]
    assert "· finita pari · 4 smazzate ·" in client.get("/").one("a", class_="match").text


def test_tagliagola_tells_who_played_alone_and_who_was_the_pair(client: Client, pad: Pad) -> None:
    match, hands = begin(client, "tagliagola")
    nobody = {"single": None, "sides": {"a": {"melds": ["4xA"], "left": ""}}, "out": None}
    page = play(pad, client, match, *hands[:2], nobody)
    first, second = page.one("ol", class_="hands").all(class_="mark-alone")
    assert first.text == ", Anna contro Bruno e Carla"
    assert second.text == ", Bruno contro Anna e Carla"
    took = "Il primo pozzo l'ha preso Anna, contro la coppia Bruno e Carla."
    assert took in hand_item(page, 1).text
    took = (
        "Nessuno ha preso il pozzo: contro la coppia Anna e Carla ha giocato chi ha chiuso, Bruno."
    )
    assert took in hand_item(page, 2).text
    assert "Nessuno ha preso il pozzo: ognuno per sé." in hand_item(page, 3).text
    # What the pair laid stands under both.
    assert score_lines(page, 1)["Carte calate"] == ["(14) +170", "(7) +100", "(7) +100"]


def test_mini_counts_in_units_without_an_opening(client: Client, pad: Pad) -> None:
    match, hands = begin(client, "mini")
    page = play(pad, client, match, hands[0])
    assert score_heads(page)[0] == "Anna 5 ne mancano 25"
    assert list(score_lines(page, 1)) == [
        "Canaste pure",
        "Canaste sporche",
        "Carte in mano",
        "Smazzata",
    ]
    assert "Si apriva" not in page.text


def test_a_special_hand_is_named(client: Client, pad: Pad) -> None:
    shown = hand({"special": "straight"}, side(0, left=40), "a")
    page = play(pad, client, start(client, "moderna"), shown)
    assert score_lines(page, 1)["Mano speciale"] == ["(1) +3.000", "–"]
    assert "Noi, mano speciale: scala" in hand_item(page, 1).text


def test_a_line_that_is_a_reading_says_so_and_its_argument_is_a_tap_away(
    client: Client, pad: Pad
) -> None:
    page = play(pad, client, start(client, "moderna"), hand(side(200, left=10), side(200)))
    assert "Carte calate dedotto" in score_lines(page, 1)
    folds = {}
    for fold in hand_item(page, 1).all("details", class_="fold"):
        folds[fold.one("summary").text] = fold
    argument = folds["Dedotto: Carte calate e Carte in mano"]
    assert not argument.has("open")
    assert "Su questo punto le fonti" in argument.text

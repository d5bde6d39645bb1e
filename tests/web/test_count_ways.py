"""Counting by the value of the cards, by the sum that the table agreed, and points agreed beside any way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scorepad.i18n import Language
from scorepad.pad import Pad
from scorepad.rules.variants import settle
from scorepad.web.count.needs import Needs
from scorepad.web.count.occasions import draft_of_hand
from scorepad.web.count.prefill import draft_from
from scorepad.web.count.reading import read_draft
from tests.web.client import Client, Page
from tests.web.counting import SAVE, begin, beside, check, counting, form_of, send, type_and
from tests.web.playing import device, match_of

IT = Language.ITALIAN
CLASSICA = settle("classica")
NOBODY = {"b.cards": "0", "b.left": "0", "out": "nobody"}
BY_VALUES = {
    "a-value-50": "3", "a-value-20": "7", "a-value-10": "2", "a-value-5": "1", "a.left": "15",
    **NOBODY,
}  # fmt: skip
"""3 jokers, 7 aces or twos, 2 from king to eight, a seven or less: 150 + 140 + 20 + 5 = 315."""


@pytest.fixture
def match(client: Client, pad: Pad) -> str:
    return begin(pad, client)


def hands(pad: Pad, client: Client, match: str) -> tuple[Any, ...]:
    return pad.state(match_of(match), device(client)).hands


def correcting(client: Client, match: str) -> Page:
    return client.get(f"{match}/smazzate/1/correggi")


# ---------------------------------------------------------------- by value


def test_the_values_are_those_of_the_cards_and_as_many_as_the_decks_hold() -> None:
    values = Needs(CLASSICA).values
    assert [points for points, _ in values] == [50, 20, 10, 5]
    # 4 jokers; 8 aces and 8 twos; kings to eights, six ranks; sevens to fours and black threes.
    assert [Needs(CLASSICA).worth(points) for points, _ in values] == [4, 16, 48, 36]
    # Where black threes are never melded they are not among the fives; 3 decks.
    assert Needs(settle("canastone")).worth(5) == 4 * 4 * settle("canastone").settings.decks


def test_a_side_counted_by_value_shows_its_sum_as_it_grows_and_is_counted_by_it(
    client: Client, pad: Pad, match: str
) -> None:
    page = client.get(counting(match))
    told = check(client, page, BY_VALUES)
    assert told is not None
    assert told.one(id="a-values-told").text == "3 × 50 + 7 × 20 + 2 × 10 + 1 × 5 = 315 punti"
    type_and("save", client, client.get(counting(match)), BY_VALUES)
    (counted,) = hands(pad, client, match)
    assert counted.versions[-1].hand["sides"]["a"] == {"totals": {"canastas": {}, "cards": 315}, "left": 15}
    assert [side.hand for side in counted.sides] == [300, 0]


def test_canastas_go_with_the_values_as_with_totals(client: Client, pad: Pad, match: str) -> None:
    typed = {**BY_VALUES, "a.canastas.natural-canasta": "1", "a-value-10": "10", "a-value-50": "0"}
    type_and("save", client, client.get(counting(match)), typed)
    (counted,) = hands(pad, client, match)
    # 500 + 140 + 100 + 5 - 15
    assert counted.sides[0].hand == 730


def test_a_stepper_counts_cards_up_to_what_the_decks_hold(client: Client, match: str) -> None:
    page = send(client, client.get(counting(match)), "up:a-value-50", a__value__50="3", a__way="values")
    assert form_of(page)["a-value-50"] == "4"
    page = send(client, page, "up:a-value-50")
    assert form_of(page)["a-value-50"] == "4"
    assert page.one("button", value="up:a-value-50")["data-most"] == "4"


def test_more_cards_of_a_value_than_the_decks_hold_are_refused(client: Client, pad: Pad, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), {**BY_VALUES, "a-value-50": "5"})
    assert beside(page, "a-value-50") == ["Errore: Noi: Carte così nei mazzi ce ne sono 4: contale di nuovo."]
    both = {**BY_VALUES, "b-value-50": "2", "b.left": "0"}
    page = type_and("save", client, page, {**both, "a-value-50": "3"})
    assert page.errors == [
        "Loro: Tutti insieme avete più carte così delle 4 che ci sono nei mazzi: contatele di nuovo."
    ]
    assert form_of(page)["b-value-50"] == "2"
    assert hands(pad, client, match) == ()
    type_and("save", client, page, {**both, "a-value-50": "2"})
    assert [side.hand for side in hands(pad, client, match)[0].sides] == [250, 100]


def test_by_value_nothing_typed_is_asked_for_and_a_nought_is_nothing_laid(client: Client, pad: Pad, match: str) -> None:
    blank = {"a.left": "15", **NOBODY}
    page = type_and("save", client, client.get(counting(match)), blank)
    assert page.errors == ["Noi: Scrivi quante carte di ogni valore ha calato, 0 se nessuna."]
    assert page.one(class_="errors").one("a")["href"] == "#a-value-50"
    type_and("save", client, page, {"a-value-5": "0"})
    assert [side.hand for side in hands(pad, client, match)[0].sides] == [-15, 0]


def test_what_no_cards_can_give_is_told_at_the_values(client: Client, match: str) -> None:
    typed = {"a-value-5": "2", "a.left": "0", **NOBODY}  # 10 points: no meld is so cheap
    page = type_and("save", client, client.get(counting(match)), typed)
    assert {link["href"] for link in page.one(class_="errors").all("a")} == {"#a-value-50"}
    assert any("10 punti" in note for note in beside(page, "a-value-50"))


def test_two_pages_that_count_a_value_otherwise_show_both(client: Client, match: str) -> None:
    first, second = (client.get(counting(match)) for _ in range(2))
    type_and("check", client, first, BY_VALUES)
    page = type_and("check", client, second, {**BY_VALUES, "a-value-20": "6"}, 409)
    assert "Noi: Carte da 20 7 6" in page.one("tbody").text


def test_where_only_cards_will_do_nothing_is_counted_by_value() -> None:
    assert Needs(settle("mini")).ways == ("cards", "nothing", "sum")
    assert Needs(settle("mini")).values == ()


# ---------------------------------------------------------------- the sum

AGREED = {"a.sum": "1.250", "b.sum": "-35"}


def test_a_hand_of_two_sums_needs_nothing_else_and_is_marked_as_not_checked(
    client: Client, pad: Pad, match: str
) -> None:
    page = type_and("check", client, client.get(counting(match)), AGREED)
    assert beside(page, "b.sum") == [
        "Attenzione: Il punteggio di Loro è la somma concordata al tavolo: non è stato controllato. deciso al tavolo"
        " Leggi la regola (si apre in un'altra pagina)"
    ]
    type_and("save", client, page, {})
    (counted,) = hands(pad, client, match)
    assert [side.hand for side in counted.sides] == [1250, -35]
    assert counted.versions[-1].hand == {"sides": {"a": {"sum": 1250}, "b": {"sum": -35}}}
    assert [warning.code for warning in counted.warnings] == ["not-checked", "not-checked"]
    assert [line.item for side in counted.sides for line in side.lines] == ["sum", "sum"]


def test_beside_a_sum_only_agreed_adjustments_count_and_the_rest_stays_typed(
    client: Client, pad: Pad, match: str
) -> None:
    typed = {
        **AGREED, "b.cards": "60", "b.left": "0", "out": "b", "b.canastas.natural-canasta": "0",
        "a.red_threes": "2", "a.left": "90", "a.adjustments.0.points": "20",
        "a.adjustments.0.reason": "caffè",
    }  # fmt: skip
    page = type_and("save", client, client.get(counting(match)), typed)
    # That Loro went out without a canasta is all there is to say.
    assert len(page.errors) == 1
    assert form_of(page)["a.red_threes"] == "2"
    type_and("save", client, page, {"out": "nobody"})
    (counted,) = hands(pad, client, match)
    assert [side.hand for side in counted.sides] == [1270, 60]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"a.penalties.draw-out-of-turn": "1"}, "a.penalties.draw-out-of-turn"),
        ({"a.house.0.points": "50", "a.house.0.reason": ""}, "a.house.0.points"),
    ],
)
def test_a_penalty_noted_beside_a_sum_is_not_lost_without_a_word(
    client: Client, pad: Pad, match: str, typed: dict[str, str], field: str
) -> None:
    page = type_and("save", client, client.get(counting(match)), {**AGREED, **typed})
    told = "Noi: La somma è già tutto compreso: togli la penalità segnata qui, o conta questa parte in un altro modo."
    assert page.errors == [told]
    assert beside(page, field) == [f"Errore: {told}"]
    assert form_of(page)[field] == typed[field]
    assert hands(pad, client, match) == ()
    type_and("save", client, page, {field: "0" if "draw" in field else ""})
    assert len(hands(pad, client, match)) == 1


def test_a_missing_sum_is_asked_for(client: Client, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), {**AGREED, "a.sum": ""})
    assert page.errors == ["Noi: Scrivi la somma su cui siete d'accordo, anche 0."]
    assert beside(type_and("save", client, page, {"a.sum": "-20"}), "a.sum")[0].startswith(
        "Errore: Noi: Qui il meno non serve"
    )


def test_of_a_side_counted_otherwise_it_is_asked_who_went_out(client: Client, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), {**AGREED, })
    assert "#out" in [link["href"] for link in page.one(class_="errors").all("a")]


@pytest.mark.parametrize("variant", ["mini", "moderna", "tre", "hand-and-foot", "bolivia"])
def test_in_every_variant_the_table_may_agree_a_sum(client: Client, pad: Pad, variant: str) -> None:
    url = begin(pad, client, variant)
    sides = len(settle(variant).settings.sides)
    typed = {f"{key}-{field}": text for key in "abc"[:sides] for field, text in (("way", "sum"), ("sum", "17"))}
    type_and("save", client, client.get(counting(url)), typed)
    assert [side.hand for side in hands(pad, client, url)[0].sides] == [17] * sides


def test_each_of_a_temporary_pair_has_a_sum_of_its_own(client: Client, pad: Pad) -> None:
    url = begin(pad, client, "tagliagola")
    page = type_and("check", client, client.get(counting(url)), {"single": "c", "a.sum": "200"})
    assert page.all("input", id="b-way-sum")
    typed = {"b.sum": "300", "c.cards": "60", "c.left": "0", "out": "nobody"}
    type_and("save", client, page, typed)
    assert [side.hand for side in hands(pad, client, url)[0].sides] == [200, 300, 60]
    url = begin(pad, client, "tagliagola")
    sums = {f"{key}-{field}": text for key in "abc" for field, text in (("way", "sum"), ("sum", "50"))}
    type_and("save", client, client.get(counting(url)), sums)
    assert [side.hand for side in hands(pad, client, url)[0].sides] == [50] * 3


def test_a_sum_comes_back_as_typed_for_a_correction(client: Client, pad: Pad, match: str) -> None:
    type_and("save", client, client.get(counting(match)), AGREED)
    form = form_of(correcting(client, match), "Salva la correzione")
    assert {name: form.get(name) for name in AGREED} == {**AGREED, "a.sum": "1250"}
    assert "a-sum-below" not in form
    assert "out" not in form
    type_and("save", client, correcting(client, match), {"b.sum": "30"})
    assert [side.hand for side in hands(pad, client, match)[0].sides] == [1250, -30]


# ---------------------------------------------------------------- points agreed

ADJUSTED = {
    "a.cards": "60", "a.left": "0", **NOBODY, "a.adjustments.0.points": "50", "a.adjustments.0.reason": "regalo",
    "a.adjustments.1.points": "15", "a-adjust-1-less": "on", "a.adjustments.1.reason": "ritardo",
}  # fmt: skip


def test_points_of_either_sign_are_agreed_with_a_reason(client: Client, pad: Pad, match: str) -> None:
    type_and("save", client, client.get(counting(match)), ADJUSTED)
    (counted,) = hands(pad, client, match)
    assert [(line.item, line.points, line.reason) for line in counted.sides[0].lines][-2:] == [
        ("adjustment", 50, "regalo"), ("adjustment", -15, "ritardo"),
    ]  # fmt: skip
    assert counted.sides[0].hand == 95
    draft = draft_of_hand(counted, CLASSICA)
    assert {name: draft.get(name) for name in ADJUSTED if "adjust" in name} == {
        name: text for name, text in ADJUSTED.items() if "adjust" in name
    }


def test_further_rows_are_a_button_away(client: Client, match: str) -> None:
    page = send(client, client.get(counting(match)), "adjust-new:a", a__adjustments__0__points="50")
    assert page.one("input", id="a-adjustments-1-points")
    page = send(client, page, "adjust-new:a", a__adjustments__1__less="on")
    assert page.one("input", id="a-adjustments-2-reason")
    assert page.one("input", id="a-adjust-1-less").has("checked")


def test_points_agreed_need_points_and_a_reason_and_are_multiples_of_five(client: Client, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), {**ADJUSTED, "a.adjustments.0.reason": ""})
    assert beside(page, "a.adjustments.0.reason") == ["Errore: Noi: Scrivi il motivo di questa correzione concordata."]
    page = type_and("save", client, page, {"a.adjustments.0.reason": "regalo", "a.adjustments.1.points": ""})
    assert beside(page, "a.adjustments.1.points")[0].startswith("Errore: Noi: Scrivi i punti di questa correzione")
    page = type_and("save", client, page, {"a.adjustments.1.points": "7"})
    assert "multipli di 5" in beside(page, "a.adjustments.1.points")[0]


def test_points_agreed_go_with_a_special_hand_too(client: Client, pad: Pad) -> None:
    url = begin(pad, client, "moderna")
    typed = {
        "a.special": "pairs", "a.adjustments.0.points": "5", "a.adjustments.0.reason": "x", "b.cards": "0",
        "b.left": "0",
    }  # fmt: skip
    type_and("save", client, client.get(counting(url)), typed)
    worth = dict(settle("moderna").settings.special_hands)["pairs"]
    assert hands(pad, client, url)[0].sides[0].hand == worth + 5


def test_a_draft_of_every_new_field_reads_as_the_contract_has_it() -> None:
    count = read_draft({**AGREED, **{n: t for n, t in ADJUSTED.items() if "adjust" in n}}, CLASSICA, IT)
    assert count.troubles == []
    assert count.hand == {
        "sides": {
            "a": {
                "adjustments": [{"points": 50, "reason": "regalo"}, {"points": -15, "reason": "ritardo"}],
                "sum": 1250,
            },
            "b": {"sum": -35},
        }
    }
    assert read_draft(draft_from(count.hand, CLASSICA), CLASSICA, IT).hand == count.hand


def test_the_page_says_all_of_it_in_english_too(visit: Callable[..., Client], pad: Pad) -> None:
    client = visit("en")
    page = client.get(counting(begin(pad, client)))
    words = page.form("Save the hand").text
    for said in ("By value", "The sum", "Cards worth 50", "Below zero", "Agreed adjustment 1: points", "Taken off"):
        assert said in words
    assert SAVE not in words

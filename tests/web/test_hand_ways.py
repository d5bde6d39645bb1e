"""Counting by the value of the cards, by the sum that the table agreed, and points agreed beside
any way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scorepad.i18n import Language
from scorepad.matches import Pad
from scorepad.rules.hand import encode_hand
from scorepad.rules.variants import settle
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web.filled_draft import fill_draft
from scorepad.web.typed_hand import read_draft
from tests.web.client import Client, Page
from tests.web.counting import SAVE, begin, beside, check, counting, form_of, send, type_and
from tests.web.playing import device, match_of

IT = Language.ITALIAN
CLASSICA = settle("classica")
NOBODY = {"b.cards": "0", "b.left": "0", "out": "nobody"}
BY_VALUES = {"a.cards": "3x50 + 7x20 + 2x10 + 1x5", "a.left": "15", **NOBODY}
"""3 jokers, 7 aces or twos, 2 from king to eight, a seven or less: 150 + 140 + 20 + 5 = 315."""


@pytest.fixture
def match(client: Client, pad: Pad) -> str:
    return begin(pad, client)


def hands(pad: Pad, client: Client, match: str) -> tuple[Any, ...]:
    return pad.state(match_of(match), device(client)).hands


def correcting(client: Client, match: str) -> Page:
    return client.get(f"{match}/smazzate/1/correggi")


# ---------------------------------------------------------------- by value, as a sum in the cell


def test_cards_are_counted_by_value_in_the_cell(client: Client, pad: Pad, match: str) -> None:
    page = client.get(counting(match))
    told = check(client, page, BY_VALUES)
    assert told is not None
    assert told.one(id="a-cards-echo").text == "= 315"
    type_and("save", client, client.get(counting(match)), BY_VALUES)
    (counted,) = hands(pad, client, match)
    assert encode_hand(counted.counted.hand, SIDE_KEYS)["sides"]["a"] == {
        "totals": {"cards": 315},
        "left": 15,
    }
    assert [side.hand for side in counted.sides] == [300, 0]


def test_a_sum_of_values_comes_back_for_a_correction_as_long_as_it_comes_to_the_points(
    client: Client, pad: Pad, match: str
) -> None:
    type_and("save", client, client.get(counting(match)), BY_VALUES)
    page = correcting(client, match)
    assert form_of(page, "Salva la correzione")["a.cards"] == BY_VALUES["a.cards"]
    type_and("save", client, page, {"a.cards": "315+10"})
    assert form_of(correcting(client, match), "Salva la correzione")["a.cards"] == "315+10"
    assert hands(pad, client, match)[0].sides[0].hand == 310


def test_what_is_no_sum_is_told_beside_the_cell_and_stays(client: Client, match: str) -> None:
    page = type_and(
        "save", client, client.get(counting(match)), {**BY_VALUES, "a.cards": "3x50+tre"}
    )
    assert beside(page, "a.cards") == [
        "Errore: Noi: Qui serve un numero intero, scritto per esempio 1500 o 1.500."
    ]
    assert form_of(page)["a.cards"] == "3x50+tre"


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
    assert encode_hand(counted.counted.hand, SIDE_KEYS) == {
        "sides": {"a": {"sum": 1250}, "b": {"sum": -35}}
    }
    assert [warning.code for warning in counted.warnings] == ["not-checked", "not-checked"]
    assert [line.item for side in counted.sides for line in side.lines] == ["sum", "sum"]


def test_beside_a_sum_only_agreed_adjustments_count_and_the_rest_stays_typed(
    client: Client, pad: Pad, match: str
) -> None:
    typed = {
        "a.sum": "1.250", "b.cards": "60", "b.left": "0", "out": "b", "a.red_threes": "2", "a.left": "90",
        "a.adjustments.0.points": "20", "a.adjustments.0.reason": "caffè",
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
    told = "Noi: La somma è già tutto compreso: togli la penalità segnata qui, o la somma."
    assert page.errors == [told]
    assert beside(page, field) == [f"Errore: {told}"]
    assert form_of(page)[field] == typed[field]
    assert not hands(pad, client, match)
    type_and("save", client, page, {field: "0" if "draw" in field else ""})
    assert len(hands(pad, client, match)) == 1


def test_of_a_side_counted_otherwise_it_is_asked_who_went_out(client: Client, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), {"a.sum": "1.250", "b.cards": "0"})
    assert "#out" in [link["href"] for link in page.one(class_="errors").all("a")]


@pytest.mark.parametrize("variant", ["mini", "moderna", "tre", "hand-and-foot", "bolivia"])
def test_in_every_variant_the_table_may_agree_a_sum(client: Client, pad: Pad, variant: str) -> None:
    url = begin(pad, client, variant)
    sides = len(settle(variant).settings.sides)
    typed = {f"{key}.sum": "17" for key in "abc"[:sides]}
    type_and("save", client, client.get(counting(url)), typed)
    assert [side.hand for side in hands(pad, client, url)[0].sides] == [17] * sides


def test_each_of_a_temporary_pair_has_a_sum_of_its_own(client: Client, pad: Pad) -> None:
    url = begin(pad, client, "tagliagola")
    page = type_and("check", client, client.get(counting(url)), {"single": "c", "a.sum": "200"})
    typed = {"b.sum": "300", "c.cards": "60", "c.left": "0", "out": "nobody"}
    type_and("save", client, page, typed)
    assert [side.hand for side in hands(pad, client, url)[0].sides] == [200, 300, 60]
    url = begin(pad, client, "tagliagola")
    sums = {f"{key}.sum": "50" for key in "abc"}
    type_and("save", client, client.get(counting(url)), sums)
    assert [side.hand for side in hands(pad, client, url)[0].sides] == [50] * 3


def test_a_sum_comes_back_as_typed_for_a_correction(client: Client, pad: Pad, match: str) -> None:
    type_and("save", client, client.get(counting(match)), AGREED)
    form = form_of(correcting(client, match), "Salva la correzione")
    assert {name: form.get(name) for name in AGREED} == AGREED, "as it was typed"
    assert "out" not in form
    type_and("save", client, correcting(client, match), {"b.sum": "-30"})
    assert [side.hand for side in hands(pad, client, match)[0].sides] == [1250, -30]


# ---------------------------------------------------------------- points agreed

ADJUSTED = {
    "a.cards": "60", "a.left": "0", **NOBODY, "a.adjustments.0.points": "50", "a.adjustments.0.reason": "regalo",
    "a.adjustments.1.points": "-15", "a.adjustments.1.reason": "ritardo",
}  # fmt: skip


def test_points_of_either_sign_are_agreed_with_a_reason(
    client: Client, pad: Pad, match: str
) -> None:
    type_and("save", client, client.get(counting(match)), ADJUSTED)
    (counted,) = hands(pad, client, match)
    assert [(line.item, line.points, line.reason) for line in counted.sides[0].lines][-2:] == [
        ("adjustment", 50, "regalo"), ("adjustment", -15, "ritardo"),
    ]  # fmt: skip
    assert counted.sides[0].hand == 95
    draft = fill_draft(counted.counted.hand, CLASSICA, counted.counted.draft)
    assert {name: draft.get(name) for name in ADJUSTED if "adjustments" in name} == {
        name: text for name, text in ADJUSTED.items() if "adjustments" in name
    }


def test_a_further_row_stands_behind_those_that_are_filled(client: Client, match: str) -> None:
    page = client.get(counting(match))
    assert not page.all("input", id="a-adjustments-1-points")
    page = send(client, page, "check", a__adjustments__0__points="50")
    assert page.one("input", id="a-adjustments-1-points")
    page = send(client, page, "check", a__adjustments__1__reason="ritardo")
    assert page.one("input", id="a-adjustments-2-reason")


def test_points_agreed_need_points_and_a_reason_and_are_multiples_of_five(
    client: Client, match: str
) -> None:
    page = type_and(
        "save", client, client.get(counting(match)), {**ADJUSTED, "a.adjustments.0.reason": ""}
    )
    assert beside(page, "a.adjustments.0.reason") == [
        "Errore: Noi: Qual è il motivo di questa correzione concordata?"
    ]
    page = type_and(
        "save", client, page, {"a.adjustments.0.reason": "regalo", "a.adjustments.1.points": ""}
    )
    assert beside(page, "a.adjustments.1.points")[0].startswith(
        "Errore: Noi: Di quanti punti è questa correzione"
    )
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
    count = read_draft(
        {**AGREED, **{n: t for n, t in ADJUSTED.items() if "adjustments" in n}}, CLASSICA, IT
    )
    assert count.problems == ()
    assert encode_hand(count.hand, SIDE_KEYS) == {
        "sides": {
            "a": {
                "adjustments": [
                    {"points": 50, "reason": "regalo"},
                    {"points": -15, "reason": "ritardo"},
                ],
                "sum": 1250,
            },
            "b": {"sum": -35},
        }
    }
    assert read_draft(fill_draft(count.hand, CLASSICA), CLASSICA, IT).hand == count.hand


def test_the_page_says_all_of_it_in_english_too(visit: Callable[..., Client], pad: Pad) -> None:
    client = visit("en")
    page = client.get(counting(begin(pad, client)))
    words = page.form("Save the hand").text
    for said in ("By the cards", "More:", "Agreed adjustment 1: points", "With a minus in front"):
        assert said in words
    assert SAVE not in words

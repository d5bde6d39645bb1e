"""A hand against the rules, saved because the table agreed, and notes on a hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorepad.matches import Pad
from scorepad.matches.events import HandState
from tests.web.client import Client, Page
from tests.web.counting import CORRECT, begin, beside, check, counting, form_of, type_and
from tests.web.playing import device, match_of

NO_CANASTA = {"a.cards": "100", "a.left": "0", "b.cards": "60", "b.left": "35", "out": "a"}
WHY = "Ha chiuso senza canasta, ce ne siamo accorti dopo"
OFFER = "Al tavolo siamo d'accordo: si salva lo stesso"
NEVER = "Qui non basta essere d'accordo"


@pytest.fixture
def match(client: Client, pad: Pad) -> str:
    return begin(pad, client)


def hands(pad: Pad, client: Client, match: str) -> tuple[HandState, ...]:
    return pad.state(match_of(match), device(client)).hands


def offered(page: Page) -> bool:
    return not page.one("fieldset", id="agreement").has("hidden")


def test_a_rule_problem_may_be_agreed_to_where_it_was_refused(
    client: Client, pad: Pad, match: str
) -> None:
    page = client.get(counting(match))
    assert not offered(page)
    page = type_and("save", client, page, NO_CANASTA)
    assert page.title.startswith("Errore: ")
    assert offered(page)
    assert OFFER in page.one("fieldset", id="agreement").text
    assert not hands(pad, client, match)
    type_and("save", client, page, {"agreed": WHY})
    (counted,) = hands(pad, client, match)
    # 100 + 100 for going out, 60 - 35
    assert [side.hand for side in counted.sides] == [200, 25]
    assert counted.versions[-1].event.agreed == WHY
    assert [finding.code for finding in counted.versions[-1].event.broken] == [
        "out-canastas-missing"
    ]


def test_without_a_reason_it_stays_refused(client: Client, pad: Pad, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), NO_CANASTA)
    page = type_and("save", client, page, {"agreed": "  "})
    assert page.title.startswith("Errore: ")
    assert offered(page)
    assert not hands(pad, client, match)


def test_while_typing_it_is_not_offered_until_the_hand_was_refused(
    client: Client, match: str
) -> None:
    page = client.get(counting(match))
    told = check(client, page, NO_CANASTA)
    assert told is not None
    assert not offered(told)
    page = type_and("save", client, client.get(counting(match)), NO_CANASTA)
    told = check(client, page, {})
    assert told is not None
    assert offered(told)
    told = check(client, page, {"a.canastas.natural-canasta": "1", "a.cards": "100"})
    assert told is not None
    assert not offered(told)


def test_with_the_reason_the_count_is_shown_and_the_problem_told_as_agreed(
    client: Client, match: str
) -> None:
    page = type_and("save", client, client.get(counting(match)), NO_CANASTA)
    told = check(client, page, {"agreed": WHY})
    assert told is not None
    said = beside(told, "out")[0]
    assert said.startswith(
        "D'accordo al tavolo: Noi: la chiusura non è possibile, serve almeno una canasta (qui: 0)."
    )
    assert "Completa il conto" not in said
    assert told.one(id="count-status").text == (
        "Noi: +200 in questa smazzata, 200 in tutto. Loro: +25 in questa smazzata, 25 in tutto."
    )


def test_the_reason_is_kept_as_any_other_field(client: Client, pad: Pad, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), NO_CANASTA)
    type_and("check", client, page, {"agreed": WHY})
    again = client.get(counting(match))
    assert offered(again)
    assert form_of(again)["agreed"] == WHY


@pytest.mark.parametrize(
    "more",
    [
        {"b.left": "12"},
        {"a.red_threes": "3", "b.red_threes": "2"},
        {"a.cards": "9995"},
        {"a.melds": "9xK"},
        {"a.melds": "3xK ?"},
        {"a.adjustments.0.points": "7", "a.adjustments.0.reason": "x"},
    ],
)
def test_figures_and_decks_are_never_agreed_to(
    client: Client, pad: Pad, match: str, more: dict[str, str]
) -> None:
    page = type_and("save", client, client.get(counting(match)), {**NO_CANASTA, **more})
    assert not offered(page)
    assert page.one(id="agreement-never").text.startswith(NEVER)
    page = type_and("save", client, page, {"agreed": WHY})
    assert page.title.startswith("Errore: ")
    assert not offered(page)
    assert form_of(page)["agreed"] == WHY
    assert not hands(pad, client, match)


def test_what_is_missing_is_first_completed(client: Client, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), {**NO_CANASTA, "b.left": ""})
    assert not offered(page)
    assert page.one(id="agreement-never").text == ""
    assert offered(type_and("save", client, page, {"b.left": "35"}))


def test_an_agreement_that_nothing_calls_for_is_not_kept_with_the_hand(
    client: Client, pad: Pad, match: str
) -> None:
    type_and(
        "save", client, client.get(counting(match)), {**NO_CANASTA, "out": "nobody", "agreed": WHY}
    )
    (counted,) = hands(pad, client, match)
    assert counted.versions[-1].event.agreed == ""


def test_a_reason_that_is_too_long_is_told_beside_it(client: Client, pad: Pad, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), NO_CANASTA)
    page = type_and("save", client, page, {"agreed": "x" * 301})
    assert beside(page, "agreed") == [
        "Errore: Questo testo è troppo lungo: al massimo 300 caratteri. Accorcialo."
    ]
    assert offered(page)
    assert form_of(page)["agreed"] == "x" * 301
    type_and("save", client, page, {"agreed": "x" * 300})
    assert hands(pad, client, match)[0].versions[-1].event.agreed == "x" * 300


def test_an_agreed_hand_is_corrected_with_its_agreement(
    client: Client, pad: Pad, match: str
) -> None:
    page = type_and("save", client, client.get(counting(match)), NO_CANASTA)
    type_and("save", client, page, {"agreed": WHY, "remark": "al buio"})
    page = client.get(f"{match}/smazzate/1/correggi")
    form = form_of(page, CORRECT)
    assert (form["agreed"], form["remark"]) == (WHY, "al buio")
    assert offered(page)
    type_and("save", client, page, {"b.left": "30"})
    (counted,) = hands(pad, client, match)
    assert [side.hand for side in counted.sides] == [200, 30]
    assert counted.versions[-1].event.agreed == WHY
    assert counted.remark == "al buio"


def test_a_correction_against_the_rules_may_be_agreed_to(
    client: Client, pad: Pad, match: str
) -> None:
    type_and("save", client, client.get(counting(match)), {**NO_CANASTA, "out": "nobody"})
    page = type_and("save", client, client.get(f"{match}/smazzate/1/correggi"), {"out": "a"}, 422)
    assert offered(page)
    type_and("save", client, page, {"agreed": WHY})
    assert hands(pad, client, match)[0].versions[-1].event.agreed == WHY


# ---------------------------------------------------------------- notes


def test_a_note_goes_with_the_hand_and_is_kept_while_it_is_typed(
    client: Client, pad: Pad, match: str
) -> None:
    page = type_and("check", client, client.get(counting(match)), {"remark": "È piovuto"})
    assert form_of(page)["remark"] == "È piovuto"
    assert page.one("details", id="rest").has("open")
    type_and("save", client, page, {**NO_CANASTA, "out": "nobody"})
    assert hands(pad, client, match)[0].remark == "È piovuto"


def test_a_note_that_is_too_long_is_told_and_stays(client: Client, pad: Pad, match: str) -> None:
    typed = {**NO_CANASTA, "out": "nobody", "remark": "x" * 301}
    page = type_and("save", client, client.get(counting(match)), typed)
    assert page.errors == ["Questo testo è troppo lungo: al massimo 300 caratteri. Accorcialo."]
    assert page.one(class_="errors").one("a")["href"] == "#remark"
    assert form_of(page)["remark"] == "x" * 301
    assert not hands(pad, client, match)


def test_two_notes_on_one_hand_are_shown_side_by_side(client: Client, match: str) -> None:
    first, second = (client.get(counting(match)) for _ in range(2))
    type_and("check", client, first, {"remark": "uno"})
    page = type_and("check", client, second, {"remark": "due"}, 409)
    assert "Annotazione sulla smazzata uno due" in page.one("tbody").text


def test_in_english_too(visit: Callable[..., Client], pad: Pad) -> None:
    client = visit("en")
    match = begin(pad, client)
    page = client.get(counting(match))
    form = page.form("Save the hand")
    page = client.post(form["action"], {**page.values(form), **NO_CANASTA, "do": "save"})
    assert "We agree at the table: save it anyway" in page.one("fieldset", id="agreement").text

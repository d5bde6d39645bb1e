"""A hand counted by the other side too, and what was confirmed and is counted again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorepad.matches import Pad
from tests.web.client import Client
from tests.web.counting import beside
from tests.web.playing import ALL_GOOD, play, start
from tests.web.scorer import Scorer, differences, error_links, hand_form, let_in, shown_values

MINE = {"a.cards": "150", "a.left": "0", "b.cards": "100", "b.left": "40", "out": "nobody"}
"""150, and 100 - 40."""


@pytest.fixture
def one(client: Client, pad: Pad) -> Scorer:
    """A phone that counted a hand, 430 and 60, in a match in which the other side checks."""
    match = start(client)
    client.submit(client.get(f"{match}/controllo"), "D'ora in poi l'altra parte controlla")
    play(pad, client, match, ALL_GOOD)
    return Scorer(client, pad, match)


@pytest.fixture
def other(one: Scorer, visit: Callable[..., Client]) -> Scorer:
    """A phone of the other side."""
    return Scorer(let_in(one.client, one.match, visit()), one.pad, one.match)


def test_the_other_side_counts_from_nothing_and_both_counts_stand(other: Scorer) -> None:
    page = other.contest()
    assert page.one("h1").text == "La conto anch'io: smazzata 1"
    shown = shown_values(page)
    assert [shown.get(name, "") for name in MINE] == [""] * len(MINE)
    assert "Contala da capo" in hand_form(page).text
    other.save(MINE, page)
    assert other.points == [[430, 60]]
    contest = other.hands[0].contest
    assert contest is not None
    assert [sum(line.points for line in lines) for lines in contest.event.lines] == [150, 60]


def test_what_is_typed_is_checked_and_stays_a_contest(other: Scorer) -> None:
    page = other.contest()
    told = other.while_typing(MINE, page)
    assert told.one("button", value="save").text == "Salva il mio conto"
    assert "Noi: +150 in questa smazzata, 150 in tutto." in told.one(id="count-status").text
    assert shown_values(other.check({"a.cards": "150"}, page))["a.cards"] == "150"
    assert other.hands[0].contest is None


def test_a_contest_that_cannot_be_is_refused_with_all_that_was_typed(other: Scorer) -> None:
    typed = {"a.cards": "152", "a.left": "0", "reason": "manca un asso"}
    page = other.save(typed, other.contest(), 422)
    assert page.title.startswith("Errore: La conto anch'io: smazzata 1")
    assert typed.items() <= shown_values(page).items()
    assert other.hands[0].contest is None


def test_a_contest_may_begin_with_the_first_count(other: Scorer) -> None:
    refused = other.save({}, other.contest(), 422)
    link = refused.links()["Parti dal primo conto"]
    assert other.while_typing({}, refused).one(id="first").one("a")["href"] == link
    page = other.client.get(link)
    shown = shown_values(page)
    assert [shown[name] for name in MINE] == ["150", "20", "100", "40", "nobody"]
    # Nothing that was typed goes by a tap: once something is there, it is offered no more.
    assert "Parti dal primo conto" not in page.links()


def test_a_contest_against_the_rules_may_be_agreed_to(other: Scorer) -> None:
    page = other.save({**MINE, "out": "a"}, other.contest(), 422)
    other.save({"agreed": "chiusura buona"}, page)
    contest = other.hands[0].contest
    assert contest is not None
    assert contest.event.agreed == "chiusura buona"


def test_a_hand_that_was_corrected_meanwhile_is_shown_beside_the_contest(
    one: Scorer, other: Scorer
) -> None:
    page = other.contest()
    one.save({"a.cards": "145"}, one.correct())
    both = other.save(MINE, page, 409)
    assert ["Noi: Carte calate", "145", "150"] in differences(both)
    again = other.client.submit(both, "quello che ho scritto io")
    assert again.one("h1").text == "La conto anch'io: smazzata 1"
    assert shown_values(again)["a.cards"] == "150"


def test_whoever_counted_a_hand_does_not_contest_it(one: Scorer) -> None:
    page = one.contest()
    assert page.url == one.match
    assert page.notices == ["Questa smazzata l'avete contata voi: la controlla l'altra parte."]


def test_a_table_that_does_not_check_never_meets_it(client: Client, pad: Pad) -> None:
    match = start(client)
    play(pad, client, match, ALL_GOOD)
    for number in (1, 2):
        client.get(f"{match}/smazzate/{number}/contesta", 404)


def test_a_confirmed_hand_changes_only_with_a_reason(one: Scorer, other: Scorer) -> None:
    page = other.client.get(f"{other.match}/smazzate/1/controlla")
    other.client.submit(page, "È giusta: confermo")
    page = one.correct()
    assert "Perché cambia?" in [label.text for label in page.all("label")]
    page = one.save({"a.cards": "145"}, page, 422)
    assert page.errors == ["Questa smazzata è già confermata: scrivi perché cambia."]
    assert error_links(page) == ["#reason"]
    assert page.errors[0] in beside(page, "reason")[0]
    assert shown_values(page)["a.cards"] == "145"
    assert one.points == [[430, 60]]
    one.save({"reason": "un quattro in meno"}, page)
    assert one.points == [[425, 60]]

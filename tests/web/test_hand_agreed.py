"""A hand against the rules, saved because the table agreed, and notes on a hand."""

from __future__ import annotations

import pytest

from tests.web.client import Page
from tests.web.counting import notes_beside
from tests.web.player import Player
from tests.web.scorer import error_links, shown_values
from tests.web.tables import read_tables

NO_CANASTA = {"a.cards": "100", "a.left": "0", "b.cards": "60", "b.left": "35", "out": "a"}
"""Noi went out without a canasta: 100 and 100 for it, 60 - 35."""
ALLOWED = {**NO_CANASTA, "out": "nobody"}
WHY = "Ha chiuso senza canasta, ce ne siamo accorti dopo"


def offered(page: Page) -> bool:
    return not page.one("fieldset", id="agreement").has("hidden")


def test_a_hand_that_was_refused_is_saved_once_the_table_writes_why_it_agrees(
    player: Player,
) -> None:
    assert not offered(player.while_typing(NO_CANASTA))

    refused = player.save(NO_CANASTA)
    assert offered(refused)
    assert "si salva lo stesso" in refused.one("fieldset", id="agreement").text

    without_reason = player.save({"agreed": "  "}, refused)
    assert without_reason.errors
    assert offered(without_reason)

    player.save({"agreed": WHY}, without_reason)
    assert player.points == [[200, 25]]
    saved = player.hands[0].versions[-1].event
    assert saved.agreed == WHY
    assert [finding.code for finding in saved.broken] == ["out-canastas-missing"]


def test_the_offer_goes_once_nothing_calls_for_it(player: Player) -> None:
    refused = player.save(NO_CANASTA)
    assert offered(player.while_typing({}, refused))
    assert not offered(player.while_typing({"a.canastas.natural-canasta": "1"}, refused))

    player.save({**ALLOWED, "agreed": WHY})
    assert player.hands[0].versions[-1].event.agreed == ""


def test_with_the_reason_the_count_is_shown_and_the_problem_told_as_agreed(
    player: Player,
) -> None:
    refused = player.save(NO_CANASTA)

    page = player.while_typing({"agreed": WHY}, refused)

    (note,) = notes_beside(page, "out")
    assert note.startswith("D'accordo al tavolo: Noi: la chiusura non è possibile")
    assert "Completa il conto" not in note
    assert "Noi: +200 in questa smazzata" in page.one(id="count-status").text
    again = player.open()
    assert offered(again)
    assert shown_values(again)["agreed"] == WHY


@pytest.mark.parametrize("more", read_tables("hand_page")["never_agreed"])
def test_figures_and_decks_are_never_agreed_to(player: Player, more: dict[str, str]) -> None:
    page = player.save({**NO_CANASTA, **more})
    assert page.one(id="agreement-never").text.startswith("Qui non basta essere d'accordo")
    page = player.save({"agreed": WHY}, page)
    assert page.errors
    assert not offered(page)
    assert shown_values(page)["agreed"] == WHY


def test_what_is_missing_is_first_completed(player: Player) -> None:
    page = player.save({**NO_CANASTA, "b.left": ""})
    assert not offered(page)
    assert page.one(id="agreement-never").text == ""
    assert offered(player.save({"b.left": "35"}, page))


@pytest.mark.parametrize("field", ["agreed", "remark"])
def test_a_text_that_is_too_long_is_told_beside_it_and_stays(player: Player, field: str) -> None:
    page = player.save({**NO_CANASTA, "agreed": WHY, field: "x" * 301})
    assert "al massimo 300 caratteri" in notes_beside(page, field)[0]
    assert error_links(page)[-1] == f"#{field}"
    assert shown_values(page)[field] == "x" * 301
    player.save({field: "x" * 300}, page)
    assert len(player.hands) == 1


def test_an_agreed_hand_is_corrected_with_its_agreement_and_its_note(player: Player) -> None:
    player.save({**NO_CANASTA, "agreed": WHY, "remark": "al buio"})

    page = player.correct()
    assert shown_values(page)["agreed"] == WHY
    assert shown_values(page)["remark"] == "al buio"
    assert offered(page)

    player.save({"b.left": "30"}, page)
    assert player.points == [[200, 30]]
    assert player.hands[0].versions[-1].event.agreed == WHY


def test_a_correction_against_the_rules_may_be_agreed_to(player: Player) -> None:
    player.save(ALLOWED)
    page = player.save({"out": "a"}, player.correct(), status=422)
    assert offered(page)
    player.save({"agreed": WHY}, page)
    assert player.hands[0].versions[-1].event.agreed == WHY


def test_a_note_goes_with_the_hand_and_is_kept_while_it_is_typed(player: Player) -> None:
    page = player.check({"remark": "È piovuto"})
    assert shown_values(page)["remark"] == "È piovuto"
    assert page.one("details", id="rest").has("open")
    player.save(ALLOWED, page)
    assert player.hands[0].remark == "È piovuto"

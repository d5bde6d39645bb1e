"""A hand against the rules, saved because the table agreed, and notes on a hand."""

from __future__ import annotations

import pytest

from tests.web.client import Page
from tests.web.counting import notes_beside
from tests.web.player import Player
from tests.web.scorer import error_links, shown_values
from tests.web.tables import read_tables

OUT_WITHOUT_CANASTA = {"a.cards": "100", "a.left": "0", "b.cards": "60", "b.left": "35", "out": "a"}
"""Noi went out without a canasta, which the rules refuse: 100 and 100 for it, 60 − 35."""
NOBODY_OUT = {**OUT_WITHOUT_CANASTA, "out": "nobody"}
WHY = "Ha chiuso senza canasta, ce ne siamo accorti dopo"


def agreement_is_offered(page: Page) -> bool:
    """Whether the table may write why it agrees to a hand against the rules."""
    return not page.one("fieldset", id="agreement").has("hidden")


def test_a_hand_that_was_refused_is_saved_once_the_table_writes_why_it_agrees(
    player: Player,
) -> None:
    assert not agreement_is_offered(player.while_typing(OUT_WITHOUT_CANASTA))

    refused = player.save(OUT_WITHOUT_CANASTA)
    assert agreement_is_offered(refused)
    assert "si salva lo stesso" in refused.one("fieldset", id="agreement").text

    without_reason = player.save({"agreed": "  "}, refused)
    assert without_reason.errors
    assert agreement_is_offered(without_reason)

    player.save({"agreed": WHY}, without_reason)
    assert player.points == [[200, 25]]
    saved = player.hands[0].versions[-1].event
    assert saved.agreed == WHY
    assert [finding.code for finding in saved.broken] == ["out-canastas-missing"]


def test_the_offer_goes_once_nothing_calls_for_it(player: Player) -> None:
    refused = player.save(OUT_WITHOUT_CANASTA)
    with_canasta = {"a.canastas.natural-canasta": "1"}
    assert agreement_is_offered(player.while_typing({}, refused))
    assert not agreement_is_offered(player.while_typing(with_canasta, refused))

    player.save({**NOBODY_OUT, "agreed": WHY})
    assert player.hands[0].versions[-1].event.agreed == ""


def test_with_the_reason_the_count_is_shown_and_the_problem_told_as_agreed(
    player: Player,
) -> None:
    refused = player.save(OUT_WITHOUT_CANASTA)

    page = player.while_typing({"agreed": WHY}, refused)

    (note,) = notes_beside(page, "out")
    assert note.startswith("D'accordo al tavolo: Noi: la chiusura non è possibile")
    assert "Completa il conto" not in note
    assert "Noi: +200 in questa smazzata" in page.one(id="count-status").text
    again = player.open()
    assert agreement_is_offered(again)
    assert shown_values(again)["agreed"] == WHY


@pytest.mark.parametrize("more", read_tables("hand_page")["never_agreed"])
def test_figures_and_decks_are_never_agreed_to(player: Player, more: dict[str, str]) -> None:
    page = player.save({**OUT_WITHOUT_CANASTA, **more})
    assert page.one(id="agreement-never").text.startswith("Qui non basta essere d'accordo")

    page = player.save({"agreed": WHY}, page)
    assert page.errors
    assert not agreement_is_offered(page)
    assert shown_values(page)["agreed"] == WHY


def test_what_is_missing_is_first_completed(player: Player) -> None:
    incomplete = player.save({**OUT_WITHOUT_CANASTA, "b.left": ""})
    complete = player.save({"b.left": "35"}, incomplete)

    assert not agreement_is_offered(incomplete)
    assert incomplete.one(id="agreement-never").text == ""
    assert agreement_is_offered(complete)


@pytest.mark.parametrize("field", ["agreed", "remark"])
def test_a_text_that_is_too_long_is_told_beside_it_and_stays(player: Player, field: str) -> None:
    too_long = "x" * 301
    page = player.save({**OUT_WITHOUT_CANASTA, "agreed": WHY, field: too_long})
    assert "al massimo 300 caratteri" in notes_beside(page, field)[0]
    assert error_links(page)[-1] == f"#{field}"
    assert shown_values(page)[field] == too_long

    player.save({field: "x" * 300}, page)
    assert len(player.hands) == 1


def test_an_agreed_hand_is_corrected_with_its_agreement_and_its_note(player: Player) -> None:
    player.save({**OUT_WITHOUT_CANASTA, "agreed": WHY, "remark": "al buio"})

    page = player.correct()
    assert shown_values(page)["agreed"] == WHY
    assert shown_values(page)["remark"] == "al buio"
    assert agreement_is_offered(page)

    player.save({"b.left": "30"}, page)
    assert player.points == [[200, 30]]
    assert player.hands[0].versions[-1].event.agreed == WHY


def test_a_correction_against_the_rules_may_be_agreed_to(player: Player) -> None:
    player.save(NOBODY_OUT)

    page = player.save({"out": "a"}, player.correct(), status=422)
    assert agreement_is_offered(page)

    player.save({"agreed": WHY}, page)
    assert player.hands[0].versions[-1].event.agreed == WHY


def test_a_note_goes_with_the_hand_and_is_kept_while_it_is_typed(player: Player) -> None:
    page = player.check({"remark": "È piovuto"})
    assert shown_values(page)["remark"] == "È piovuto"
    assert page.is_unfolded("rest")
    player.save(NOBODY_OUT, page)
    assert player.hands[0].remark == "È piovuto"

"""A hand against the rules, saved because the table agreed, and notes on a hand."""

from __future__ import annotations

import pytest

from tests.web.client import Page
from tests.web.counting import notes_beside
from tests.web.player import Player
from tests.web.scorer import error_links, shown_values
from tests.web.tables import read_tables

FORM_OUT_WITHOUT_CANASTA = {
    "a.cards": "100",
    "a.left": "0",
    "b.cards": "60",
    "b.left": "35",
    "out": "a",
}
"""Noi went out without a canasta, which the rules refuse: 100 and 100 for it, 60 − 35."""
FORM_NOBODY_OUT = {**FORM_OUT_WITHOUT_CANASTA, "out": "nobody"}
REASON = "Ha chiuso senza canasta, ce ne siamo accorti dopo"


def agreement_is_offered(page: Page) -> bool:
    """Whether the table may write why it agrees to a hand against the rules."""
    return not page.one("fieldset", id="agreement").has("hidden")


def test_refused_hand_is_saved_with_reason_of_agreement(player: Player) -> None:
    assert not agreement_is_offered(player.while_typing(FORM_OUT_WITHOUT_CANASTA))

    refused = player.save(FORM_OUT_WITHOUT_CANASTA)
    assert agreement_is_offered(refused)
    # "… it is saved all the same"
    assert "si salva lo stesso" in refused.one("fieldset", id="agreement").text

    refused_again = player.save({"agreed": "  "}, refused)
    assert refused_again.errors
    assert agreement_is_offered(refused_again)

    player.save({"agreed": REASON}, refused_again)
    assert player.points == [[200, 25]]
    saved_hand = player.hands[0].versions[-1].event
    assert saved_hand.agreed == REASON
    assert [finding.code for finding in saved_hand.broken] == ["out-canastas-missing"]


def test_agreement_is_no_longer_offered_when_hand_keeps_the_rules(player: Player) -> None:
    refused = player.save(FORM_OUT_WITHOUT_CANASTA)
    unchanged = player.while_typing({}, refused)
    with_canasta = player.while_typing({"a.canastas.natural-canasta": "1"}, refused)
    assert agreement_is_offered(unchanged)
    assert not agreement_is_offered(with_canasta)

    # A reason that is still typed is not saved where there is nothing to agree to.
    player.save({**FORM_NOBODY_OUT, "agreed": REASON})
    assert player.hands[0].versions[-1].event.agreed == ""


def test_typed_reason_shows_score_and_marks_problem_as_agreed(player: Player) -> None:
    refused = player.save(FORM_OUT_WITHOUT_CANASTA)

    page = player.while_typing({"agreed": REASON}, refused)

    note = notes_beside(page, "out")[0]
    # "Agreed at the table: Noi cannot go out", and no more how to correct it
    assert note.startswith("D'accordo al tavolo: Noi: la chiusura non è possibile")
    assert "Completa il conto" not in note
    assert "Noi: +200 in questa smazzata" in page.one(id="count-status").text

    reloaded = player.open()
    assert agreement_is_offered(reloaded)
    assert shown_values(reloaded)["agreed"] == REASON


@pytest.mark.parametrize("impossible", read_tables("hand_page")["never_agreed"])
def test_agreement_is_never_offered_for_impossible_figures_or_cards(
    player: Player, impossible: dict[str, str]
) -> None:
    """For example nine kings in two decks: see `never_agreed` in `hand_page.toml`."""
    refused = player.save({**FORM_OUT_WITHOUT_CANASTA, **impossible})
    # "Here it is not enough to agree"
    assert refused.one(id="agreement-never").text.startswith("Qui non basta essere d'accordo")

    refused_again = player.save({"agreed": REASON}, refused)
    assert refused_again.errors
    assert not agreement_is_offered(refused_again)
    assert shown_values(refused_again)["agreed"] == REASON


def test_agreement_is_not_offered_for_incomplete_hand(player: Player) -> None:
    incomplete = player.save({**FORM_OUT_WITHOUT_CANASTA, "b.left": ""})
    assert not agreement_is_offered(incomplete)
    assert incomplete.one(id="agreement-never").text == ""

    complete = player.save({"b.left": "35"}, incomplete)
    assert agreement_is_offered(complete)


@pytest.mark.parametrize("field", ["agreed", "remark"])
def test_too_long_text_shows_error_beside_field_and_is_kept(player: Player, field: str) -> None:
    too_long = "x" * 301

    refused = player.save({**FORM_OUT_WITHOUT_CANASTA, "agreed": REASON, field: too_long})
    assert "al massimo 300 caratteri" in notes_beside(refused, field)[0]
    assert error_links(refused)[-1] == f"#{field}"
    assert shown_values(refused)[field] == too_long

    player.save({field: "x" * 300}, refused)
    assert len(player.hands) == 1


def test_correction_keeps_agreement_and_note(player: Player) -> None:
    player.save({**FORM_OUT_WITHOUT_CANASTA, "agreed": REASON, "remark": "al buio"})

    correction = player.correct()
    assert shown_values(correction)["agreed"] == REASON
    assert shown_values(correction)["remark"] == "al buio"
    assert agreement_is_offered(correction)

    player.save({"b.left": "30"}, correction)
    assert player.points == [[200, 30]]
    assert player.hands[0].versions[-1].event.agreed == REASON


def test_agreement_is_offered_for_correction_against_the_rules(player: Player) -> None:
    player.save(FORM_NOBODY_OUT)

    refused = player.save({"out": "a"}, player.correct(), status=422)
    assert agreement_is_offered(refused)

    player.save({"agreed": REASON}, refused)
    assert player.hands[0].versions[-1].event.agreed == REASON


def test_typed_note_is_kept_and_saved_with_hand(player: Player) -> None:
    page = player.check({"remark": "È piovuto"})
    assert shown_values(page)["remark"] == "È piovuto"
    assert page.is_unfolded("rest")  # the part with the note

    player.save(FORM_NOBODY_OUT, page)
    assert player.hands[0].remark == "È piovuto"

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
"""Noi ("we", side a) went out without a canasta, which the rules refuse. Noi have 100 for cards and
100 for going out, Loro ("they", side b) 60 − 35.
"""
FORM_NOBODY_OUT = {**FORM_OUT_WITHOUT_CANASTA, "out": "nobody"}
"""The same cards, but nobody went out, so that no rule is broken."""
REASON = "Ha chiuso senza canasta, ce ne siamo accorti dopo"
"""They went out without a canasta, and we noticed it too late."""


def agreement_is_offered(page: Page) -> bool:
    """Tell whether the form has the field in which players write why they agree to a wrong hand."""
    return not page.one("fieldset", id="agreement").has("hidden")


def test_refused_hand_is_saved_with_reason_of_agreement(player: Player) -> None:
    # While the hand is typed, nothing is offered: the mistake may still be corrected.
    assert not agreement_is_offered(player.while_typing(FORM_OUT_WITHOUT_CANASTA))

    # To go out a side needs a canasta, so the hand is refused. If the players agree to it and write
    # why, "it is saved all the same".
    refused = player.save(FORM_OUT_WITHOUT_CANASTA)
    assert agreement_is_offered(refused)
    assert "si salva lo stesso" in refused.one("fieldset", id="agreement").text

    # Blanks are no reason.
    refused_again = player.save({"agreed": "  "}, refused)
    assert refused_again.errors
    assert agreement_is_offered(refused_again)

    # With a reason the hand is saved, and the broken rule with it.
    player.save({"agreed": REASON}, refused_again)
    assert player.points == [[200, 25]]
    saved_hand = player.hands[0].versions[-1].event
    assert saved_hand.agreed == REASON
    assert [finding.code for finding in saved_hand.broken] == ["out-canastas-missing"]


def test_agreement_is_no_longer_offered_when_hand_keeps_the_rules(player: Player) -> None:
    # Noi went out without a canasta, which is refused. The players may agree to it.
    refused = player.save(FORM_OUT_WITHOUT_CANASTA)
    unchanged = player.while_typing({}, refused)
    assert agreement_is_offered(unchanged)

    # They notice that there was a canasta.
    with_canasta = player.while_typing({"a.canastas.natural-canasta": "1"}, refused)
    assert not agreement_is_offered(with_canasta)

    # A hand that breaks no rule is saved without the reason that is still typed.
    player.save({**FORM_NOBODY_OUT, "agreed": REASON})
    assert player.hands[0].versions[-1].event.agreed == ""


def test_typed_reason_shows_score_and_marks_problem_as_agreed(player: Player) -> None:
    # Noi went out without a canasta, which is refused. The players write why they agree to it.
    refused = player.save(FORM_OUT_WITHOUT_CANASTA)
    page = player.while_typing({"agreed": REASON}, refused)

    # The note beside the question who went out is marked: "Agreed at the table: Noi cannot go out".
    # It does not say any more how to correct the hand.
    note = notes_beside(page, "out")[0]
    assert note.startswith("D'accordo al tavolo: Noi: la chiusura non è possibile")
    assert "Completa il conto" not in note

    # The score of a wrong hand is hidden. This one is shown: 100 + 100 for going out.
    assert "Noi: +200 in questa smazzata" in page.one(id="count-status").text

    # Whoever opens the form now sees the same.
    reloaded = player.open()
    assert agreement_is_offered(reloaded)
    assert shown_values(reloaded)["agreed"] == REASON


@pytest.mark.parametrize("impossible", read_tables("hand_page")["never_agreed"])
def test_agreement_is_never_offered_for_impossible_figures_or_cards(
    player: Player, impossible: dict[str, str]
) -> None:
    # An example from `hand_page.toml`: nine kings, of which two decks have eight. Players can agree
    # to what is against the rules of the game, but not to this. "Here it is not enough to agree."
    refused = player.save({**FORM_OUT_WITHOUT_CANASTA, **impossible})
    assert refused.one(id="agreement-never").text.startswith("Qui non basta essere d'accordo")

    # A reason that is sent all the same does not help, but is kept.
    refused_again = player.save({"agreed": REASON}, refused)
    assert refused_again.errors
    assert not agreement_is_offered(refused_again)
    assert shown_values(refused_again)["agreed"] == REASON


def test_agreement_is_not_offered_for_incomplete_hand(player: Player) -> None:
    # A figure is missing, so nobody can say yet what the players would agree to.
    incomplete = player.save({**FORM_OUT_WITHOUT_CANASTA, "b.left": ""})
    assert not agreement_is_offered(incomplete)
    assert incomplete.one(id="agreement-never").text == ""

    # With it the hand is only against the rules: Noi went out without a canasta.
    complete = player.save({"b.left": "35"}, incomplete)
    assert agreement_is_offered(complete)


@pytest.mark.parametrize("field", ["agreed", "remark"])
def test_too_long_text_shows_error_beside_field_and_is_kept(player: Player, field: str) -> None:
    # The reason of an agreement, or the note on a hand, has one character too many.
    too_long = "x" * 301
    refused = player.save({**FORM_OUT_WITHOUT_CANASTA, "agreed": REASON, field: too_long})
    assert "al massimo 300 caratteri" in notes_beside(refused, field)[0]  # "at most 300 characters"
    assert error_links(refused)[-1] == f"#{field}"
    assert shown_values(refused)[field] == too_long

    player.save({field: "x" * 300}, refused)
    assert len(player.hands) == 1


def test_correction_keeps_agreement_and_note(player: Player) -> None:
    # A hand against the rules was saved by agreement, with a note ("in the dark").
    player.save({**FORM_OUT_WITHOUT_CANASTA, "agreed": REASON, "remark": "al buio"})

    # The form to correct it shows both.
    correction = player.correct()
    assert shown_values(correction)["agreed"] == REASON
    assert shown_values(correction)["remark"] == "al buio"
    assert agreement_is_offered(correction)

    # The correction of another figure leaves the reason as it is.
    player.save({"b.left": "30"}, correction)
    assert player.points == [[200, 30]]  # Loro: 60 − 30
    assert player.hands[0].versions[-1].event.agreed == REASON


def test_agreement_is_offered_for_correction_against_the_rules(player: Player) -> None:
    player.save(FORM_NOBODY_OUT)

    # The correction says that Noi went out, for which they have no canasta.
    refused = player.save({"out": "a"}, player.correct(), status=422)
    assert agreement_is_offered(refused)

    player.save({"agreed": REASON}, refused)
    assert player.hands[0].versions[-1].event.agreed == REASON


def test_typed_note_is_kept_and_saved_with_hand(player: Player) -> None:
    page = player.check({"remark": "È piovuto"})  # "It rained"
    assert shown_values(page)["remark"] == "È piovuto"
    # The part of the page with the note, which is usually folded, is open.
    assert page.is_unfolded("rest")

    player.save(FORM_NOBODY_OUT, page)
    assert player.hands[0].remark == "È piovuto"

"""Everything that the JSON of a hand can say can be entered, is shown again for a correction, and
stays the same.
"""

from __future__ import annotations

import pytest

from scorepad.i18n import Language
from scorepad.matches import Pad
from scorepad.matches.hands import Draft
from scorepad.rules.hand import EXTRAS, Hand, SideEntry
from scorepad.web.filled_draft import fill_draft
from scorepad.web.typed_hand import TypedHand, read_draft
from tests.web.client import Client, Page
from tests.web.scorer import Scorer, hand_form
from tests.web.worked_hands import BY_VARIANT, INVALID, VALID, Case, begin, of_each_kind


def comparable_values(hand: Hand) -> list[object]:
    """List the values by which two hands are compared. 0 and nothing entered are the same."""
    values: list[object] = [hand.single]
    out = hand.out
    if out is not None:
        values += [out.side, out.concealed, out.discard, out.player]
    for side in hand.sides:
        values += comparable_values_of_side(side)
    return values


def comparable_values_of_side(side: SideEntry) -> list[object]:
    """List the values by which two sides are compared. Totals without anything and hands without
    cards are left out, and the penalties are in the order of the form.
    """
    totals = side.totals
    if totals is not None and not totals.cards and not totals.canastas:
        totals = None
    held = [cards for cards in side.held if cards.cards.size or cards.unknown]
    penalties = sorted(side.penalties, key=lambda penalty: (penalty.code == "house", penalty.code))
    return [
        side.melds,
        totals,
        side.sum,
        side.adjustments,
        held,
        side.left.points,
        side.left.is_by_player,
        side.red_threes,
        side.red_threes_held,
        penalties,
        side.opening,
        [getattr(side, name) for name in EXTRAS],
        side.special,
    ]


def read_form_values(form_values: Draft, case: Case) -> TypedHand:
    """Read the hand of a case from a form with these values."""
    return read_draft(form_values, case.rules, Language.ITALIAN)


def test_worked_hands_cover_all_variants() -> None:
    # The hands come from `tests/cases`. The other tests of this file mean nothing without them.
    assert len(BY_VARIANT) == 16
    assert len(VALID) > 1000
    assert len(INVALID) > 500


@pytest.mark.parametrize("variant", BY_VARIANT)
def test_worked_hand_is_read_from_its_form_values(variant: str) -> None:
    for case in VALID:
        if case.asked["variant"] != variant:
            continue

        # The form as people fill it in, and as the pad does for a correction: both are read as the
        # same hand.
        typed = case.values
        filled_in = fill_draft(case.decoded, case.rules)
        for form_values in (typed, filled_in):
            result = read_form_values(form_values, case)
            assert result.problems == (), case.name
            assert comparable_values(result.hand) == comparable_values(case.decoded), case.name


def test_worked_hand_against_the_rules_is_read_from_its_form_values() -> None:
    # Players may agree to such a hand, and correct it later.
    for case in INVALID:
        form_values = fill_draft(case.decoded, case.rules)
        result = read_form_values(form_values, case)

        # In some cases a value itself cannot be read, which is reported instead.
        has_unreadable_value = any(problem.given for problem in result.problems)
        if not has_unreadable_value:
            assert comparable_values(result.hand) == comparable_values(case.decoded), case.name


def check_hand_after_save_and_correction(pad: Pad, client: Client, case: Case) -> None:
    """Save a hand on its page, correct it without a change, and check that it stays the same."""
    match = begin(pad, client, case)
    if match is None:  # no match begins with the totals of this case
        return
    scorer = Scorer(client, pad, match)
    page = scorer.open()
    check_fields_are_on_page(page, case)

    # The hand is typed and saved.
    saved = scorer.save(case.values, page)
    assert saved.url == match, (case.name, saved.errors)

    # Its correction is opened, which shows the hand, and saved for a reason ("as before").
    corrected = scorer.save({"reason": "come prima"}, scorer.correct())
    assert corrected.url == match, (case.name, corrected.errors)

    first_version, correction = scorer.hands[0].versions
    assert comparable_values(first_version.event.hand) == comparable_values(case.decoded), case.name
    assert comparable_values(correction.event.hand) == comparable_values(case.decoded), case.name


def check_fields_are_on_page(page: Page, case: Case) -> None:
    """Check that the form of the page has a field for each value of a case."""
    controls = hand_form(page).all("input", "select", "textarea")
    fields = {control.get("name") for control in controls}
    for name in case.values:
        # These are shown once something is in them.
        if ".house." in name or ".adjustments." in name or name.endswith("left.all"):
            continue
        # This is only shown if something depends on it.
        if name == "concealed":
            continue
        assert name in fields, case.name


@pytest.mark.quick(len(BY_VARIANT))
@pytest.mark.parametrize("variant", BY_VARIANT)
@pytest.mark.parametrize("hands", [slice(2), slice(2, None)], ids=["two", "of each kind"])
def test_saved_and_corrected_hand_equals_worked_hand(
    pad: Pad, client: Client, variant: str, hands: slice
) -> None:
    # One hand for each combination of fields that are filled in. Two of them are in the quick half
    # of the tests.
    for case in of_each_kind(variant)[hands]:
        check_hand_after_save_and_correction(pad, client, case)


@pytest.mark.full
@pytest.mark.parametrize("variant", BY_VARIANT)
def test_every_saved_and_corrected_hand_equals_worked_hand(
    pad: Pad, client: Client, variant: str
) -> None:
    # All of them, which takes long.
    for case in VALID:
        if case.asked["variant"] == variant:
            check_hand_after_save_and_correction(pad, client, case)

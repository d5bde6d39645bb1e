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
    """List the values by which two sides are compared."""
    # Totals of nothing are the same as no totals, and so are a player's cards left if there are
    # none.
    totals = side.totals
    if totals is not None and not totals.cards and not totals.canastas:
        totals = None
    held = [cards for cards in side.held if cards.cards.size or cards.unknown]

    # Only the order of the penalties may differ. The form lists those of the rules first, and then
    # those that the table itself decided, whose code is "house".
    penalties = sorted(side.penalties, key=lambda penalty: (penalty.code == "house", penalty.code))

    # Numbers that only some variants ask for, such as `aces_held`.
    extra_numbers = [getattr(side, name) for name in EXTRAS]
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
        extra_numbers,
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
    # A case from `tests/cases` has a hand of some variant, with the rules it was played by.
    for case in VALID:
        if case.asked["variant"] != variant:
            continue
        hand = case.decoded

        # The form of this hand as people fill it in, {"a.cards": "335", …}, and as the pad does
        # when the hand is corrected.
        typed_by_people = case.values
        filled_in_by_pad = fill_draft(hand, case.rules)

        # Both are read as this hand again.
        for form_values in (typed_by_people, filled_in_by_pad):
            result = read_form_values(form_values, case)
            assert result.problems == (), case.name
            assert comparable_values(result.hand) == comparable_values(hand), case.name


def test_worked_hand_against_the_rules_is_read_from_its_form_values() -> None:
    # Players may agree to save a hand against the rules, and correct it later. The pad then fills in
    # the form with its values, which must be read as the same hand.
    for case in INVALID:
        hand = case.decoded
        form_values = fill_draft(hand, case.rules)
        result = read_form_values(form_values, case)

        # Some of these hands have a value that no form can hold. The pad reports it as a problem
        # that quotes it (`given`), and the hand that is read lacks it.
        has_unreadable_value = any(problem.given for problem in result.problems)
        if not has_unreadable_value:
            assert comparable_values(result.hand) == comparable_values(hand), case.name


def check_hand_after_save_and_correction(pad: Pad, client: Client, case: Case) -> None:
    """Save a hand on its page, correct it without a change, and check that it stays the same."""
    # A case has a hand, and the totals before it. No match begins with those of a few cases: they
    # are no multiples of 5, or the match would be over.
    match = begin(pad, client, case)
    if match is None:
        return
    scorer = Scorer(client, pad, match)
    form = scorer.open()
    check_fields_are_on_page(form, case)

    # The hand is typed and saved, which leads to the page of the match.
    saved = scorer.save(case.values, form)
    assert saved.url == match, (case.name, saved.errors)

    # The form of its correction has the values of the hand. It is saved as it is, for a reason ("as
    # before").
    form_of_correction = scorer.correct()
    corrected = scorer.save({"reason": "come prima"}, form_of_correction)
    assert corrected.url == match, (case.name, corrected.errors)

    # Both versions of the saved hand are the hand of the case.
    expected = comparable_values(case.decoded)
    first_version, second_version = scorer.hands[0].versions
    assert comparable_values(first_version.event.hand) == expected, case.name
    assert comparable_values(second_version.event.hand) == expected, case.name


def check_fields_are_on_page(page: Page, case: Case) -> None:
    """Check that the form of the page has a field for each value of a case."""
    controls = hand_form(page).all("input", "select", "textarea")
    fields = {control.get("name") for control in controls}
    for name in case.values:
        # A form in which nothing is typed yet may lack some fields: further penalties of the table
        # ("a.house.1.points") and points agreed, cards left that are not told by player, and the
        # box for going out concealed (all cards at once), unless the rules need to know it.
        is_on_every_form = not (
            ".house." in name
            or ".adjustments." in name
            or name.endswith("left.all")
            or name == "concealed"
        )
        if is_on_every_form:
            assert name in fields, case.name


@pytest.mark.quick(len(BY_VARIANT))
@pytest.mark.parametrize("variant", BY_VARIANT)
@pytest.mark.parametrize("hands", [slice(2), slice(2, None)], ids=["first two", "the others"])
def test_saved_and_corrected_hand_equals_worked_hand(
    pad: Pad, client: Client, variant: str, hands: slice
) -> None:
    # The hands come from `tests/cases`, one for each combination of fields that are filled in. They
    # are tested in two parts, because the quick run of the tests has only the first two.
    hands_of_each_kind = of_each_kind(variant)

    # Each hand is saved on its page, and saved again by a correction that changes nothing. It must
    # stay the same.
    for case in hands_of_each_kind[hands]:
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

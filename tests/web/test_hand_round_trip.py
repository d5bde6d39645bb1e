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


def comparable(hand: Hand) -> list[object]:
    """What matters of a hand: a nought and nothing are the same, but for who noted it."""
    values: list[object] = [hand.single]
    out = hand.out
    if out is not None:
        values += [out.side, out.concealed, out.discard, out.player]
    for side in hand.sides:
        values += comparable_side(side)
    return values


def comparable_side(side: SideEntry) -> list[object]:
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


def read(draft: Draft, case: Case) -> TypedHand:
    """The hand that a form with these fields says."""
    return read_draft(draft, case.rules, Language.ITALIAN)


def test_there_are_hands_of_all_variants() -> None:
    assert len(BY_VARIANT) == 16
    assert len(VALID) > 1000
    assert len(INVALID) > 500


@pytest.mark.parametrize("variant", BY_VARIANT)
def test_a_worked_hand_is_typed_as_its_json_says_it_and_shown_as_the_same(variant: str) -> None:
    for case in VALID:
        if case.asked["variant"] != variant:
            continue
        typed_by_hand = case.values
        shown_for_correction = fill_draft(case.decoded, case.rules)
        for draft in (typed_by_hand, shown_for_correction):
            typed = read(draft, case)
            assert typed.problems == (), case.name
            assert comparable(typed.hand) == comparable(case.decoded), case.name


def test_a_worked_hand_that_the_rules_refuse_can_be_entered_all_the_same() -> None:
    """The table may agree to it."""
    for case in INVALID:
        typed = read(fill_draft(case.decoded, case.rules), case)
        is_doubtful = any(problem.given for problem in typed.problems)
        assert is_doubtful or comparable(typed.hand) == comparable(case.decoded), case.name


def enter_and_correct(pad: Pad, client: Client, case: Case) -> None:
    """Enter a hand on its page, and save it again as it is shown for a correction."""
    match = begin(pad, client, case)
    if match is None:
        return
    scorer = Scorer(client, pad, match)
    page = scorer.open()
    check_fields_are_offered(page, case)

    saved = scorer.save(case.values, page)
    assert saved.url == match, (case.name, saved.errors)
    corrected = scorer.save({"reason": "come prima"}, scorer.correct())
    assert corrected.url == match, (case.name, corrected.errors)

    first, again = scorer.hands[0].versions
    assert comparable(first.event.hand) == comparable(case.decoded), case.name
    assert comparable(again.event.hand) == comparable(case.decoded), case.name


def check_fields_are_offered(page: Page, case: Case) -> None:
    controls = hand_form(page).all("input", "select", "textarea")
    fields = {control.get("name") for control in controls}
    for name in case.values:
        is_shown_later = ".house." in name or ".adjustments." in name or name.endswith("left.all")
        # "concealed" is not shown where nothing depends on it.
        assert name in fields or is_shown_later or name == "concealed", case.name


@pytest.mark.quick(len(BY_VARIANT))
@pytest.mark.parametrize("variant", BY_VARIANT)
@pytest.mark.parametrize("hands", [slice(2), slice(2, None)], ids=["two", "of each kind"])
def test_a_hand_stays_the_same_through_the_page(
    pad: Pad, client: Client, variant: str, hands: slice
) -> None:
    for case in of_each_kind(variant)[hands]:
        enter_and_correct(pad, client, case)


@pytest.mark.full
@pytest.mark.parametrize("variant", BY_VARIANT)
def test_every_hand_stays_the_same_through_the_page(pad: Pad, client: Client, variant: str) -> None:
    for case in VALID:
        if case.asked["variant"] == variant:
            enter_and_correct(pad, client, case)

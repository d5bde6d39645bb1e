"""Everything that the JSON of a hand can say can be entered, is shown again for a correction, and
stays the same.
"""

from __future__ import annotations

import pytest

from scorepad.i18n import Language
from scorepad.matches import Pad
from scorepad.rules.hand import EXTRAS, Hand
from scorepad.web.filled_draft import fill_draft
from scorepad.web.typed_hand import read_draft
from tests.web.client import Client
from tests.web.counting import CORRECT, SAVE
from tests.web.playing import device, match_of
from tests.web.worked_hands import BY_VARIANT, INVALID, VALID, Case, begin, of_each_kind

IT = Language.ITALIAN


def plain(hand: Hand) -> list[object]:
    """What matters of a hand: a nought and nothing are the same, but for who noted it."""
    out = hand.out and (
        hand.out.side,
        hand.out.concealed,
        hand.out.discard,
        hand.out.player,
    )
    sides = [
        (
            side.melds, side.totals if side.totals and (side.totals.cards or side.totals.canastas) else None, side.sum,
            side.adjustments, tuple(each for each in side.held if each.cards.size or each.unknown),
            side.left.points, side.left.is_by_player, side.red_threes,
            side.red_threes_held, sorted(side.penalties, key=lambda each: (each.code == "house", each.code)),
            side.opening,
            [getattr(side, name) for name in EXTRAS], side.special,
        )
        for side in hand.sides
    ]  # fmt: skip
    return [out, hand.single, *sides]


def test_there_are_hands_of_all_variants() -> None:
    assert len({case.asked["variant"] for case in VALID}) == 16
    assert len(VALID) > 1000
    assert len(INVALID) > 500


def test_a_worked_hand_is_shown_and_read_as_the_same() -> None:
    wrong = []
    for case in VALID:
        parsed = read_draft(fill_draft(case.decoded, case.rules), case.rules, IT)
        if parsed.problems or plain(parsed.hand) != plain(case.decoded):
            wrong.append((case.name, parsed.problems, parsed.hand, case.hand))
    assert wrong == []


def test_a_worked_hand_that_the_rules_refuse_can_be_entered_all_the_same() -> None:
    """The table may agree to it."""
    wrong = []
    for case in INVALID:
        parsed = read_draft(fill_draft(case.decoded, case.rules), case.rules, IT)
        doubtful = any(problem.given for problem in parsed.problems)
        if not doubtful and plain(parsed.hand) != plain(case.decoded):
            wrong.append((case.name, parsed.problems, parsed.hand, case.hand))
    assert wrong == []


def test_a_hand_is_typed_into_the_form_as_its_json_says_it() -> None:
    wrong = []
    for case in VALID:
        parsed = read_draft(case.values, case.rules, IT)
        if parsed.problems or plain(parsed.hand) != plain(case.decoded):
            wrong.append((case.name, parsed.problems, parsed.hand, case.hand))
    assert wrong == []


def through_the_page(pad: Pad, client: Client, case: Case) -> None:
    """Entered on its page, shown for a correction, and saved again as it was shown."""
    url = begin(pad, client, case)
    if url is None:
        return
    page = client.get(f"{url}/smazzata")
    form, values = page.form(SAVE), case.values
    fields = {
        control["name"]
        for control in form.all("input", "select", "textarea")
        if control.get("name")
    }
    further = {
        name
        for name in values
        if ".house." in name or ".adjustments." in name or name.endswith("left.all")
    }
    further |= {"concealed"}  # not shown where nothing depends on it
    assert values.keys() - further <= fields, case.name
    saved = client.post(form["action"], {**page.values(form), **values, "do": "save"})
    assert saved.url == url, (case.name, saved.errors)
    page = client.get(f"{url}/smazzate/1/correggi")
    form = page.form(CORRECT)
    saved = client.post(form["action"], {**page.values(form), "reason": "come prima", "do": "save"})
    assert saved.url == url, (case.name, saved.errors)
    (hand,) = pad.state(match_of(url), device(client)).hands
    first, again = (plain(version.event.hand) for version in hand.versions)
    assert first == again == plain(case.decoded), case.name


@pytest.mark.parametrize("variant", BY_VARIANT)
def test_a_hand_stays_the_same_through_the_page(pad: Pad, client: Client, variant: str) -> None:
    for case in of_each_kind(variant)[:2]:
        through_the_page(pad, client, case)


@pytest.mark.long
@pytest.mark.parametrize("variant", BY_VARIANT)
def test_a_hand_of_each_kind_stays_the_same_through_the_page(
    pad: Pad, client: Client, variant: str
) -> None:
    for case in of_each_kind(variant)[2:]:
        through_the_page(pad, client, case)


@pytest.mark.full
@pytest.mark.parametrize("variant", BY_VARIANT)
def test_every_hand_stays_the_same_through_the_page(pad: Pad, client: Client, variant: str) -> None:
    for case in VALID:
        if case.asked["variant"] == variant:
            through_the_page(pad, client, case)

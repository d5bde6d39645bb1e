"""Everything that the JSON of a hand can say can be entered, is shown again for a correction, and stays the same."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import Language
from scorepad.matches import Pad
from scorepad.matches.access import SIDE_KEYS, RequestId
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.rules.table import Hand
from scorepad.rules.variants import Ruleset
from scorepad.schemas import Unusable, read_asked, read_hand
from scorepad.web.hand_drafts import draft_from, read
from tests.web.client import Client
from tests.web.counting import CORRECT, SAVE
from tests.web.entered import form_values
from tests.web.playing import device, match_of

CASES = Path(__file__).parents[1] / "cases"
IT = Language.ITALIAN


class Case:
    """A worked hand as a match keeps it, with its rules and the scores before."""

    def __init__(self, asked: dict[str, Any], rules: Ruleset, name: str) -> None:
        before = asked.get("before", {"noi": 0, "loro": 0})
        keys = dict(zip(before, SIDE_KEYS, strict=False))
        out = asked.get("out")
        self.name, self.asked, self.rules, self.before = name, asked, rules, tuple(before.values())
        self.hand: dict[str, Any] = {
            "sides": {keys[side]: asked["sides"].get(side, {}) for side in before},
            "out": {**out, "side": keys[out["side"]]} if out else None,
        }
        if "single" in asked:
            self.hand["single"] = keys[asked["single"]] if asked["single"] else None

    @property
    def values(self) -> dict[str, str]:
        """The values of the form for it."""
        return form_values(self.hand, self.rules.variant, alone=max(self.rules.settings.sides) == 1)

    def entered(self, hand: Mapping[str, Any]) -> Hand:
        """A hand as the rules read it."""
        return read_hand(hand, self.rules, SIDE_KEYS[: len(self.before)], self.before)


def cases(*, valid: bool) -> Iterator[Case]:
    for file in sorted(CASES.glob("*/*.json")):
        for number, case in enumerate(json.loads(file.read_text("utf-8"))):
            asked, codes = case["hand"], [problem[1] for problem in case["expect"].get("problems", ())]
            if case["expect"].get("valid", False) is not valid or "error" in case["expect"]:
                continue
            if {"side-unknown", "penalty-unknown", "points-not-multiple", "card-unknown"} & set(codes):
                continue  # chosen on the page, or read as people write it
            if asked["variant"] == "mini":  # its openings have no minimum, and are not asked for
                for side in asked["sides"].values():
                    side.pop("opening", None)
            try:
                rules = read_asked(json.dumps(asked)).rules
            except Unusable:
                continue
            yield Case(asked, rules, f"{file.parent.name}-{file.stem}-{number}")


def plain(hand: Hand) -> list[object]:
    """What matters of a hand: a nought and nothing are the same, but for who noted it."""
    out = hand.out and (hand.out.side, hand.out.concealed, hand.out.discard, hand.out.discard_noted, hand.out.player)
    sides = [
        (
            side.melds, side.totals if side.totals and (side.totals.cards or side.totals.canastas) else None, side.sum,
            side.adjustments, tuple(each for each in side.left if each.cards.size or each.unknown)
            if isinstance(side.left, tuple) else side.left or (), side.left_apart, side.red_threes,
            side.red_threes_held, sorted(side.penalties, key=lambda each: (each.code == "house", each.code)),
            side.opening,
            {name: count for name, count in side.extras.items() if count}, side.special,
        )
        for side in hand.sides
    ]  # fmt: skip
    return [out, hand.single, *sides]


VALID = list(cases(valid=True))
INVALID = list(cases(valid=False))


def test_there_are_hands_of_all_variants() -> None:
    assert len({case.asked["variant"] for case in VALID}) == 16
    assert len(VALID) > 1000
    assert len(INVALID) > 500


def test_a_worked_hand_is_shown_and_read_as_the_same() -> None:
    wrong = []
    for case in VALID:
        parsed = read(draft_from(case.hand, case.rules), case.rules, IT)
        if parsed.problems or plain(case.entered(parsed.hand)) != plain(case.entered(case.hand)):
            wrong.append((case.name, parsed.problems, parsed.hand, case.hand))
    assert wrong == []


def test_a_worked_hand_that_the_rules_refuse_can_be_entered_all_the_same() -> None:
    """The table may agree to it."""
    wrong = []
    for case in INVALID:
        parsed = read(draft_from(case.hand, case.rules), case.rules, IT)
        doubtful = any(problem.given for problem in parsed.problems)
        if not doubtful and plain(case.entered(parsed.hand)) != plain(case.entered(case.hand)):
            wrong.append((case.name, parsed.problems, parsed.hand, case.hand))
    assert wrong == []


def test_a_hand_is_typed_into_the_form_as_its_json_says_it() -> None:
    wrong = []
    for case in VALID:
        parsed = read(case.values, case.rules, IT)
        if parsed.problems or plain(case.entered(parsed.hand)) != plain(case.entered(case.hand)):
            wrong.append((case.name, parsed.problems, parsed.hand, case.hand))
    assert wrong == []


def through_the_page(pad: Pad, client: Client, case: Case) -> None:
    """Entered on its page, shown for a correction, and saved again as it was shown."""
    client.get("/regole")
    sides = case.rules.settings.sides
    names = ("Noi", "Loro", "Altri")[: len(sides)]
    seats, played = tuple(("",) * count for count in sides), case.asked.get("deal", 1) - 1
    new = NewMatch(
        case.rules.variant, case.rules.preset, case.rules.options, names, seats, carried=case.before, played=played
    )
    told = pad.actions.start(RequestId(secrets.token_hex(16)), device(client), new)
    if not isinstance(told, Saved):
        return  # no match begins with such scores
    url = f"/partite/{told.match}"
    page = client.get(f"{url}/smazzata")
    form, values = page.form(SAVE), case.values
    fields = {control["name"] for control in form.all("input", "select", "textarea") if control.get("name")}
    further = {name for name in values if ".house." in name or ".adjustments." in name or name.endswith("left.all")}
    further |= {"concealed"}  # not shown where nothing depends on it
    assert values.keys() - further <= fields, case.name
    saved = client.post(form["action"], {**page.values(form), **values, "do": "save"})
    assert saved.url == url, (case.name, saved.errors)
    page = client.get(f"{url}/smazzate/1/correggi")
    form = page.form(CORRECT)
    saved = client.post(form["action"], {**page.values(form), "note": "come prima", "do": "save"})
    assert saved.url == url, (case.name, saved.errors)
    (hand,) = pad.state(match_of(url), device(client)).hands
    first, again = (plain(case.entered(version.event.hand)) for version in hand.versions)
    assert first == again == plain(case.entered(case.hand)), case.name


BY_VARIANT = sorted({case.asked["variant"] for case in VALID})


def of_each_kind(variant: str) -> list[Case]:
    """A hand of the variant for each set of keys that the hands give."""
    kinds: dict[object, Case] = {}
    for case in VALID:
        sides = case.hand["sides"].values()
        given = {name for side in sides for name in side} | {type(side.get("left")).__name__ for side in sides}
        if case.asked["variant"] == variant and case.rules.settings.match_deals != 0:
            kinds.setdefault(frozenset(given), case)
    return list(kinds.values())


@pytest.mark.parametrize("variant", BY_VARIANT)
def test_a_hand_stays_the_same_through_the_page(pad: Pad, client: Client, variant: str) -> None:
    for case in of_each_kind(variant)[:2]:
        through_the_page(pad, client, case)


@pytest.mark.long
@pytest.mark.parametrize("variant", BY_VARIANT)
def test_a_hand_of_each_kind_stays_the_same_through_the_page(pad: Pad, client: Client, variant: str) -> None:
    for case in of_each_kind(variant)[2:]:
        through_the_page(pad, client, case)


@pytest.mark.full
@pytest.mark.parametrize("variant", BY_VARIANT)
def test_every_hand_stays_the_same_through_the_page(pad: Pad, client: Client, variant: str) -> None:
    for case in VALID:
        if case.asked["variant"] == variant:
            through_the_page(pad, client, case)

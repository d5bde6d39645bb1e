"""The worked hands of the cases as matches keep them and people enter them."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand
from scorepad.schemas import Unusable, read_hand_request
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.hands_read import hand_of
from tests.web.client import Client
from tests.web.entered import form_values
from tests.web.playing import device

CASES = Path(__file__).parents[1] / "cases"
OTHERWISE_ON_THE_PAGE = {"side-unknown", "penalty-unknown", "points-not-multiple", "card-unknown"}
"""What is wrong with hands that the page cannot say: names are chosen, cards read as people write
them.
"""


class Case:
    """A worked hand as a match keeps it, with its rules and the scores before.

    `broken` is the first rule that it breaks, empty if it breaks none.
    """

    def __init__(self, asked: dict[str, Any], rules: Ruleset, name: str, broken: str) -> None:
        before = asked.get("before", {"noi": 0, "loro": 0})
        keys = dict(zip(before, SIDE_KEYS, strict=False))
        self.asked = asked
        self.rules = rules
        self.name = name
        self.broken = broken
        self.before = tuple(before.values())
        self.hand: dict[str, Any] = {
            "sides": {keys[side]: asked["sides"].get(side, {}) for side in before},
            "out": None,
        }
        if asked.get("out"):
            self.hand["out"] = {**asked["out"], "side": keys[asked["out"]["side"]]}
        if "single" in asked:
            self.hand["single"] = keys.get(asked["single"])

    @property
    def values(self) -> dict[str, str]:
        """The values of the form for it."""
        is_alone = max(self.rules.settings.sides) == 1
        return form_values(self.hand, self.rules.variant, alone=is_alone)

    @property
    def decoded(self) -> Hand:
        """The hand as the rules take it."""
        return hand_of(self.hand, SIDE_KEYS[: len(self.before)])


def cases(*, valid: bool) -> Iterator[Case]:
    for file in sorted(CASES.glob("*/*.json")):
        for number, case in enumerate(json.loads(file.read_text("utf-8"))):
            asked, expected = case["hand"], case["expect"]
            codes = [problem[1] for problem in expected.get("problems", ())]
            if expected.get("valid", False) is not valid or "error" in expected:
                continue
            if OTHERWISE_ON_THE_PAGE.intersection(codes):
                continue
            if asked["variant"] == "mini":  # its openings have no minimum, and are not asked for
                for side in asked["sides"].values():
                    side.pop("opening", None)
            try:
                rules = read_hand_request(json.dumps(asked)).rules
            except Unusable:
                continue
            name = f"{file.parent.name}-{file.stem}-{number}"
            yield Case(asked, rules, name, broken=next(iter(codes), ""))


def begin(pad: Pad, client: Client, case: Case) -> str | None:
    """A match in which the hand is the coming one; its address. None where no match begins with
    such scores.
    """
    client.get("/regole")
    sides = case.rules.settings.sides
    seats = tuple(("",) * count for count in sides)
    new = NewMatch(
        variant=case.rules.variant,
        preset=case.rules.preset,
        options=case.rules.options,
        labels=Labels(names=("Noi", "Loro", "Altri")[: len(sides)], players=seats),
        carried=case.before,
        played=case.asked.get("deal", 1) - 1,
    )
    started = pad.actions.start(RequestId(secrets.token_hex(16)), device(client), new)
    if not isinstance(started, Saved):
        return None
    return f"/partite/{started.match}"


VALID = list(cases(valid=True))
INVALID = list(cases(valid=False))
BY_VARIANT = sorted({case.asked["variant"] for case in VALID})


def of_each_kind(variant: str) -> list[Case]:
    """A hand of the variant for each set of keys that the hands give."""
    kinds: dict[object, Case] = {}
    for case in VALID:
        if case.asked["variant"] != variant or case.rules.settings.match_deals == 0:
            continue
        given = set()
        for side in case.hand["sides"].values():
            given |= {*side, type(side.get("left")).__name__}
        kinds.setdefault(frozenset(given), case)
    return list(kinds.values())

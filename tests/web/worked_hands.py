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

    @property
    def decoded(self) -> Hand:
        """The hand as the rules take it."""
        return hand_of(self.hand, SIDE_KEYS[: len(self.before)])


def cases(*, valid: bool) -> Iterator[Case]:
    for file in sorted(CASES.glob("*/*.json")):
        for number, case in enumerate(json.loads(file.read_text("utf-8"))):
            asked, codes = (
                case["hand"],
                [problem[1] for problem in case["expect"].get("problems", ())],
            )
            if case["expect"].get("valid", False) is not valid or "error" in case["expect"]:
                continue
            if {"side-unknown", "penalty-unknown", "points-not-multiple", "card-unknown"} & set(
                codes
            ):
                continue  # chosen on the page, or read as people write it
            if asked["variant"] == "mini":  # its openings have no minimum, and are not asked for
                for side in asked["sides"].values():
                    side.pop("opening", None)
            try:
                rules = read_hand_request(json.dumps(asked)).rules
            except Unusable:
                continue
            yield Case(asked, rules, f"{file.parent.name}-{file.stem}-{number}")


def begin(pad: Pad, client: Client, case: Case) -> str | None:
    """A match in which the hand is the coming one; its address. None where no match begins with
    such scores.
    """
    client.get("/regole")
    sides = case.rules.settings.sides
    names = ("Noi", "Loro", "Altri")[: len(sides)]
    seats, played = tuple(("",) * count for count in sides), case.asked.get("deal", 1) - 1
    new = NewMatch(
        case.rules.variant,
        case.rules.preset,
        case.rules.options,
        Labels(names, seats),
        carried=case.before,
        played=played,
    )
    told = pad.actions.start(RequestId(secrets.token_hex(16)), device(client), new)
    return f"/partite/{told.match}" if isinstance(told, Saved) else None


VALID = list(cases(valid=True))
INVALID = list(cases(valid=False))
BY_VARIANT = sorted({case.asked["variant"] for case in VALID})


def of_each_kind(variant: str) -> list[Case]:
    """A hand of the variant for each set of keys that the hands give."""
    kinds: dict[object, Case] = {}
    for case in VALID:
        sides = case.hand["sides"].values()
        given = {name for side in sides for name in side} | {
            type(side.get("left")).__name__ for side in sides
        }
        if case.asked["variant"] == variant and case.rules.settings.match_deals != 0:
            kinds.setdefault(frozenset(given), case)
    return list(kinds.values())

"""Matches as tables play them, by chance: every verb of the pad, in any order that it takes."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from scorepad.errors import ScorepadError
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access, DeviceId, MatchId, RequestId
from scorepad.matches.actions import Asking, NewPenalty
from scorepad.matches.events import EndHow, Ending, Labels
from scorepad.matches.hands import SentHand, ShownCounts, ShownDraft
from scorepad.matches.keys import NO_KEYS as NO
from scorepad.matches.names import NamesRefused
from scorepad.matches.projection import MatchState, NewMatch
from scorepad.matches.transaction import Saved
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand
from scorepad.rules.judging import seating
from scorepad.rules.variants import get_variant, settle, variant_ids
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.hands_read import hand_of
from tests.matches.whole_matches import GOLDEN, whole

NAMES = ("Noi", "Loro", "Zoë", "Nonna Pina", "=1+1", "李四", "O'Neill", "Ada 🂡", "Àèìòù", "x" * 60)
PHONES = tuple(DeviceId(f"phone-{number}") for number in range(4))
PLAYED = {file.name.removesuffix("-whole-match.json") for file in GOLDEN.glob("*-whole-match.json")}
TYPED = {"a-way": "values", "a-value-50": "3"}
"""What a form of a hand counted again held."""

QUESTIONS: tuple[dict[str, Any], ...] = (
    {"kind": "penalty", "code": "draw-out-of-turn"},
    {"kind": "meld", "cards": "3xQ 4x2 Z"},
    {"kind": "pile", "top": "8", "frozen": True, "with": ["2x8 2"], "table": ["3xK"]},
    {"kind": "opening", "score": 1500, "melds": ["3xA", "4x5"]},
    {"kind": "upcard", "cards": "2 3r Q"},
)


class Clock:
    """Some evening, and some time later at every look."""

    def __init__(self, chance: Random) -> None:
        self.chance, self.now = chance, datetime(2026, 3, 7, 20, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(microseconds=self.chance.randrange(1, 400_000_000))
        return self.now


@dataclass
class Walk:
    """A match, and what may be done with it next."""

    pad: Pad
    chance: Random
    match: MatchId
    numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def state(self) -> MatchState:
        return self.pad.state(self.match, ADMIN)

    def request(self) -> RequestId:
        return RequestId(f"{self.match}-{next(self.numbers)}")

    def device(self) -> DeviceId:
        return self.chance.choice(PHONES)

    def text(self) -> str:
        return self.chance.choice(("", "ricontata", "«perché sì»\n=cmd", "🂡 " * 5, "x" * 300))

    def step(self) -> None:
        verbs = [
            self.count, self.count, self.count, self.correct, self.undo, self.keep, self.rename, self.replace,
            self.redo, self.penalty, self.remark, self.end, self.rules, self.rematch, self.switch, self.confirm,
            self.contest, self.choose, self.sit, self.door, self.enter, self.ruling,
        ]  # fmt: skip
        with suppress(ScorepadError, ValueError, IndexError):  # not now, or not by this phone
            self.chance.choice(verbs)()

    def hand(self) -> Hand:
        """A hand of the variant: one worked by hand where there is one, or sums that the table
        agreed.
        """
        state = self.state
        keys, variant = SIDE_KEYS[: len(state.sides)], state.rules.variant
        if variant in PLAYED and self.chance.random() < 0.7:
            hands = whole(variant).hands_of_pad
            hand = self.chance.choice(hands)
            if len(hand.sides) == len(keys):
                return hand
        step = 1 if state.rules.settings.unit == "units" else 5
        agreed = {
            "sides": {key: {"sum": step * self.chance.randrange(-60, 400)} for key in keys},
            "out": None,
        }
        if "single" in state.rules.entry_fields:
            agreed["single"] = self.chance.choice((None, *keys))
        return hand_of(agreed, keys)

    def said(self) -> Mapping[str, str]:
        return {"remark": self.text(), "agreed": self.text()}

    def count(self) -> None:
        device = self.device()
        coming = self.pad.open(self.match, device)
        draft = {"line-a": self.text(), "line-b": "7xQ"} if self.chance.random() < 0.5 else None
        self.pad.count(
            self.request(),
            self.match,
            device,
            ShownDraft(coming.id, coming.version),
            SentHand(hand=self.hand(), draft=draft, **self.said()),
        )

    def keep(self) -> None:
        device = self.device()
        coming = self.pad.open(self.match, device)
        self.pad.store_draft(
            self.match,
            device,
            ShownDraft(coming.id, coming.version),
            {"line-a": self.text(), "n": str(next(self.numbers))},
        )

    def correct(self) -> None:
        hand = self.chance.choice(self.state.hands)
        self.pad.correct(
            self.request(),
            self.match,
            self.device(),
            hand.number,
            hand.versions[-1].sequence,
            SentHand(hand=self.hand(), draft=TYPED, **self.said(), reason=self.text()),
        )

    def undo(self) -> None:
        self.pad.undo(self.request(), self.match, self.device(), self.state.sequence, "uno sbaglio")

    def redo(self) -> None:
        self.pad.redo(self.request(), self.match, self.device(), self.state.sequence)

    def rename(self) -> None:
        state = self.state
        names = self.chance.sample(NAMES, len(state.sides))
        players = [[self.chance.choice(("", *NAMES)) for _ in side.players] for side in state.sides]
        self.pad.actions.rename(
            self.request(),
            self.match,
            self.device(),
            Labels(names, players, self.chance.choice(("", *NAMES))),
        )

    def replace(self) -> None:
        state = self.state
        side = self.chance.randrange(len(state.sides))
        index = self.chance.randrange(len(state.sides[side].players))
        was = (
            state.sides[side].name
            if len(state.sides[side].players) == 1
            else state.sides[side].players[index]
        )
        self.pad.actions.replace(
            self.request(),
            self.match,
            self.device(),
            (side, index),
            was,
            self.chance.choice(NAMES) + "!",
        )

    def penalty(self) -> None:
        device = self.device()
        coming = self.pad.open(self.match, device)
        noted = NewPenalty(self.chance.randrange(len(self.state.sides)), "house", 50, "parla")
        self.pad.actions.add_penalty(self.request(), self.match, device, coming.id, noted)

    def ruling(self) -> None:
        device, state = self.device(), self.state
        question = self.chance.choice(QUESTIONS)
        asking = Asking(
            question,
            state.rules.digest,
            self.pad.open(self.match, device).id,
            self.chance.choice((None, 0)),
        )
        is_penalty = question["kind"] == "penalty"
        self.pad.actions.keep_ruling(
            self.request(), self.match, device, asking, with_penalty=is_penalty
        )
        if self.chance.random() < 0.2:
            kept = state.sequence + 1
            self.pad.actions.take_back_ruling(self.request(), self.match, device, kept)

    def remark(self) -> None:
        hand = self.chance.choice(self.state.hands)
        self.pad.actions.remark(
            self.request(), self.match, self.device(), hand.number, hand.remark, self.text()
        )

    def end(self) -> None:
        if self.chance.random() < 0.7:
            return
        state, how = self.state, self.chance.choice(list(EndHow))
        hands = len(state.hands) + 2 if how in (EndHow.HANDS, EndHow.LAST_HAND) else None
        side = self.chance.randrange(len(state.sides)) if how is EndHow.GIVEN_UP else None
        self.pad.actions.end(
            self.request(), self.match, self.device(), len(state.hands), Ending(how, hands, side)
        )

    def rules(self) -> None:
        rules = chosen_rules(self.chance, self.state.rules.variant)
        self.pad.actions.change_rules(
            self.request(), self.match, self.device(), rules.preset, rules.options
        )

    def rematch(self) -> None:
        self.pad.actions.rematch(self.request(), self.match, self.device())

    def switch(self) -> None:
        self.pad.checking.switch(
            self.request(), self.match, self.device(), on=self.chance.random() < 0.7
        )

    def confirm(self) -> None:
        hand = self.chance.choice(self.state.hands)
        self.pad.checking.confirm(
            self.request(), self.match, self.device(), hand.number, hand.versions[-1].sequence
        )

    def contest(self) -> None:
        hand = self.chance.choice(self.state.hands)
        self.pad.checking.contest(
            self.request(),
            self.match,
            self.device(),
            hand.number,
            hand.versions[-1].sequence,
            SentHand(hand=self.hand(), draft=TYPED, reason="no"),
        )

    def choose(self) -> None:
        hand = self.chance.choice([hand for hand in self.state.hands if hand.contest])
        assert hand.contest
        shown = ShownCounts(hand.versions[-1].sequence, hand.contest.sequence)
        self.pad.checking.choose(
            self.request(), self.match, self.device(), hand.number, shown, self.chance.choice(shown)
        )

    def sit(self) -> None:
        self.pad.devices.sit(self.match, self.device(), self.chance.choice((None, 0, 1)))

    def door(self) -> None:
        devices, request = self.pad.devices, self.request()
        access, phone = (
            self.chance.choice((Access.WRITE, Access.VIEW)),
            self.chance.choice(devices.phones(self.match, ADMIN)),
        )
        match self.chance.randrange(4):
            case 0:
                devices.withdraw(self.match, ADMIN, access, request)
            case 1:
                devices.hand_on(self.match, ADMIN, phone.device, request)
            case 2:
                devices.remove(self.match, ADMIN, phone.device, request)
            case 3:
                keys = devices.start_over(self.match, ADMIN, request)
                for device in PHONES[:2]:
                    devices.enter(keys.write, device)

    def enter(self) -> None:
        keys = self.pad.devices.renew(
            self.match,
            ADMIN,
            Access.WRITE,
            self.pad.devices.keys_to_show(self.match, ADMIN, NO).keys,
        )
        for device in PHONES:
            self.pad.devices.enter(keys.write, device)


def chosen_rules(chance: Random, variant: str) -> Ruleset:
    """Rules of a variant, with options by chance as far as they go together."""
    found = get_variant(variant)
    preset = chance.choice((None, *found.presets))
    options = {
        option.id: chance.choice(option.values).value
        for option in found.options.values()
        if option.values and chance.random() < 0.3
    }
    try:
        return settle(variant, preset, options)
    except ScorepadError:
        return settle(variant)


def walk(pad: Pad, chance: Random, steps: int) -> MatchId:
    """A match begun and carried on for so many steps."""
    rules = chosen_rules(chance, chance.choice(variant_ids()))
    sides = rules.settings.sides
    units = 5 if rules.settings.unit == "points" else 1
    names = tuple(chance.sample(NAMES, len(sides)))
    players = tuple(tuple(chance.choice(("", *NAMES)) for _ in range(size)) for size in sides)
    dealer = chance.choice(seating(rules.settings))
    place = chance.choice(("", "Circolo di Zürich"))
    carried: tuple[int, ...] = ()
    if chance.random() < 0.2:
        carried = tuple(units * chance.randrange(-3, 4) for _ in sides)
    new = NewMatch(
        rules.variant,
        rules.preset,
        rules.options,
        Labels(names, players, place),
        dealer=dealer,
        carried=carried,
        practice=chance.random() < 0.1,
    )
    saved: Saved | NamesRefused = pad.actions.start(RequestId(secrets.token_hex(8)), PHONES[0], new)
    assert isinstance(saved, Saved), saved
    assert saved.keys is not None
    for device in PHONES[1:3]:
        pad.devices.enter(saved.keys.write, device)
    pad.devices.enter(saved.keys.view, PHONES[3])
    walked = Walk(pad, chance, saved.match)
    for _ in range(steps):
        walked.step()
    return saved.match

"""What stands beside a hand's figures: what the table agreed, what somebody noted, how far the other side checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import url_for
from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.findings import fact
from scorepad.pad.ruling_words import told_ruling
from scorepad.pad.values import HandState, HandVersion, MatchState
from scorepad.pad.who import SIDE_KEYS
from scorepad.web.citing import with_source
from scorepad.web.labels import moment


@dataclass(frozen=True, slots=True)
class Mark:
    """A word on a hand's row; `is_urgent`: somebody has to do something."""

    text: str
    is_urgent: bool


@dataclass(frozen=True, slots=True)
class Awaited:
    """A hand that the other side has yet to check, or two countings of which one has yet to be chosen."""

    text: str
    action: str
    """What the link to it says; empty where this device has nothing to do."""
    url: str


def marks(hand: HandState, words: Words) -> Iterator[Mark]:
    """How far a hand is checked, and whether the table agreed to it against the rules."""
    if hand.versions[-1].agreed:
        yield Mark(words.text("checking.mark.agreed"), is_urgent=False)
    if hand.checked.contest:
        yield Mark(words.text("checking.mark.contested"), is_urgent=True)
    elif hand.checked.confirmed:
        yield Mark(words.text("checking.mark.confirmed"), is_urgent=False)
    elif hand.checked.waits:
        yield Mark(words.text("checking.mark.waits"), is_urgent=True)


def agreements(version: HandVersion, names: tuple[str, ...], words: Words) -> Iterator[str]:
    """Why the table counted a hand that the rules refuse, and what they refuse in it."""
    if version.agreed:
        yield words.text("checking.agreed", reason=version.agreed)
        for finding in version.broken:
            yield fact(finding, names, words)


def said(state: MatchState, hand: HandState, words: Words) -> Iterator[str]:
    """Notes on a hand: what somebody wrote, who took whose place from it on, who confirmed it when."""
    if hand.remark:
        yield words.text("checking.remark", text=hand.remark)
    for taken in state.replacements:
        if taken.number == hand.number:
            key = "checking.replaced" if taken.was else "checking.seated"
            yield words.text(key, name=taken.name, was=taken.was)
    if hand.checked.confirmed:
        yield words.text("checking.confirmed-at", when=moment(hand.checked.confirmed, words))
    yield from rulings_told(state, hand.number, words)


def rulings_told(state: MatchState, number: int, words: Words) -> Iterator[str]:
    """The rulings of the referee kept with a hand of the pad, each in a line."""
    for kept in state.rulings:
        if kept.number == number:
            told = told_ruling(kept, state.rules.variant, words)
            facts = told.facts("" if kept.side is None else state.sides[kept.side].name)
            case = words.text("referee.kept.case", facts=facts) if facts else ""
            why = with_source(told.reasons[0].text, told.reasons[0].sources, words) if told.reasons else ""
            line = words.text("referee.kept.in-hand", ruling=told.head, case=case, why=why)
            url = url_for("referee.kept", match=state.id, _anchor=f"decisione-{kept.entry}")
            yield Markup('{} <a class="to-book" href="{}">{}</a>').format(line, url, words.text("referee.kept.look"))


def who_went_out(state: MatchState, hand: HandState, out: Mapping[str, Any], words: Words) -> str:
    """The side that went out; the player of it too, where that was said of one with a name."""
    position = SIDE_KEYS.index(out["side"])
    side, hand_of = state.sides[position], out.get("player")
    playing = [place for place in range(len(side.players)) if (position, place) not in hand.turn.resting]
    if len(side.players) == 1 or hand_of is None or hand_of >= len(playing):
        return side.name
    name = state.sat((position, playing[hand_of]), hand.number)
    return words.text("web.seat.named", player=name, side=side.name) if name else side.name


def awaited(state: MatchState, can_check: tuple[bool, ...], words: Words) -> Iterator[Awaited]:
    """The hands that wait for a side's word, the oldest first."""
    for hand in state.hands:
        if hand.checked.contest or hand.checked.waits:
            others = hand.number <= len(can_check) and can_check[hand.number - 1]
            yield _awaited(state, hand, words, can_check=others)


def _awaited(state: MatchState, hand: HandState, words: Words, *, can_check: bool) -> Awaited:
    number, url = state.called(hand.number), url_for("checking.hand", match=state.id, number=hand.number)
    if hand.checked.contest:
        action = words.text("checking.choose") if state.access.can_write else ""
        return Awaited(words.text("checking.is-contested", number=number), action, url)
    key = "checking.is-yours" if can_check else "checking.is-theirs"
    return Awaited(words.text(key, number=number), words.text("checking.look") if can_check else "", url)

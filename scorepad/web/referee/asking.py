"""A question on its way: what was said so far, the step it has come to, and the addresses around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import url_for

from scorepad.rules.cards import Kind, Suit
from scorepad.web.cards import LONGEST_TEXT, NO_SUIT, grow, shrink
from scorepad.web.referee.questions import Input, Question, Slot, Step
from scorepad.web.referee.situation import BETWEEN, Situation

STEP, DO = "passo", "do"
"""What the address calls the step, and what a button does."""
ANSWER = "risposta"
"""The step after the last."""
SUITED = (Input.CARD, Input.CARDS, Input.TURNED, Input.MELDS)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question in a situation."""

    question: Question
    situation: Situation

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that are asked."""
        return self.question.asked(self.situation)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All that is asked, in its order."""
        return tuple(slot for step in self.steps for slot in step.asked(self.situation))

    def step(self, name: str) -> Step | None:
        """The step of this name, the first where there is none such; None for a question without steps."""
        steps = self.steps
        return next((step for step in steps if step.name == name), steps[0] if steps else None)

    def after(self, step: Step) -> str:
        """The name of the step that comes next."""
        names = [each.name for each in self.steps]
        place = names.index(step.name) + 1
        return names[place] if place < len(names) else ANSWER

    def is_last(self, step: Step) -> bool:
        """Whether the answer comes next, whatever is chosen on this step."""
        ways = [self.with_said(slot.name, value) for slot in step.asked(self.situation) for value in slot.values]
        return all(way.after(step) == ANSWER for way in (self, *ways))

    def before(self, step: Step) -> str:
        """The name of the step before; empty for the first."""
        names = [each.name for each in self.steps]
        place = names.index(step.name)
        return names[place - 1] if place else ""

    def with_said(self, name: str, text: str) -> Asking:
        """The same with something said."""
        return replace(self, situation=replace(self.situation, typed={**self.situation.typed, name: text}))

    # ------------------------------------------------------------------------------------------------ addresses

    def said(self) -> Iterator[tuple[str, str]]:
        """What was said and does not go without saying, by name."""
        for name in names_of(self.question, self.situation):
            if name in self.situation.typed:
                text = self.situation.typed[name].strip()
                if text != self.situation.usual(name):
                    yield name, text

    def url(self, step: str, anchor: str | None = None) -> str:
        """The address of a step with all that was said."""
        told: dict[str, Any] = {**dict(self.said()), STEP: step}
        if self.situation.match is not None:
            return url_for("referee.ask_in_match", match=self.situation.match.id, question=self.question.name,
                           **told, _anchor=anchor)  # fmt: skip
        told = {**self.situation.choices, **told}
        return url_for("referee.ask", question=self.question.name, **told, _anchor=anchor)

    @property
    def form_url(self) -> str:
        """Where the form of a step leads."""
        if self.situation.match is not None:
            return url_for("referee.ask_in_match", match=self.situation.match.id, question=self.question.name)
        return url_for("referee.ask", question=self.question.name)

    def carried(self, step: Step) -> tuple[tuple[str, str], ...]:
        """What the form of a step carries along unseen: the rules, and what other steps asked."""
        here = {name for slot in step.asked(self.situation) for name in names_in(slot, self.situation)}
        rest = [(name, text) for name, text in self.said() if name not in here]
        return (*self.situation.choices.items(), *rest, (STEP, step.name))

    # ------------------------------------------------------------------------------------------------ tapping

    def tapped(self, button: str) -> tuple[Asking, str] | None:
        """The question after a card was tapped, and the place on the page; None for a button that taps none."""
        verb, _, rest = button.partition(":")
        name, _, token = rest.partition(":")
        slot = next((slot for slot in self.slots if slot.name == name and slot.input in SUITED), None)
        if slot is None or verb not in ("card", "uncard", "next"):
            return None
        text = self.situation.said(name)
        if verb == "uncard":
            return self.with_said(name, shrink(text)), name
        if verb == "next":
            return self.with_said(name, f"{text.rstrip(' /')}{BETWEEN}" if text.strip(" /") else text), name
        if token.upper() not in {kind.upper() for kind in Kind}:
            return None
        suit = self.situation.typed.get(f"{name}-suit", "")
        card = token + (suit if suit in tuple(Suit) and _has_suit(token) else "")
        grown = card if slot.input is Input.CARD else grow(text, card)
        return self.with_said(name, grown), name


def _has_suit(token: str) -> bool:
    return token not in (Kind.JOKER, Kind.TWO, Kind.BLACK_THREE, Kind.RED_THREE)


def names_of(question: Question, situation: Situation) -> Iterator[str]:
    """All names that an address of the question may have."""
    for step in question.steps:
        for slot in step.slots:
            yield from names_in(slot, situation)


def names_in(slot: Slot, situation: Situation) -> Iterator[str]:
    """The names of what is typed for one slot."""
    if slot.input is Input.COUNTS:
        yield from (f"{slot.name}-{kind.item}" for kind in situation.rules.settings.canastas)
        return
    yield slot.name
    if slot.input is Input.SCORE:
        yield f"{slot.name}-below"
    elif slot.input in SUITED:
        yield f"{slot.name}-suit"


def typed_in(args: Mapping[str, str], question: Question, situation: Situation) -> dict[str, str]:
    """What an address says of a question, as far as anybody could have typed it."""
    known = set(names_of(question, situation))
    typed = {name: text[: LONGEST_TEXT + 1] for name, text in args.items() if name in known}
    if not situation.takes_hand(question.kind) and typed.get("way") == "hand":
        del typed["way"]
    return {name: text for name, text in typed.items() if not (name.endswith("-suit") and text == NO_SUIT)}


def firsts(question: Question) -> dict[str, str]:
    """What goes without saying of each choice."""
    return {slot.name: slot.values[0] for step in question.steps for slot in step.slots if slot.values}

"""A question on its way: its answers so far, what is wrong with them, its URLs, and the question in the JSON schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import url_for

from scorepad.i18n import Words
from scorepad.rules.cards import KINDS, Cards, Kind, Suit, in_decks, read_cards
from scorepad.rules.match import LARGEST
from scorepad.rules.settings import OpeningBy
from scorepad.web.base import FieldError
from scorepad.web.cards import LONGEST_ECHO, LONGEST_TEXT, NO_SUIT, grow, shrink
from scorepad.web.figures import Misread, read_figure
from scorepad.web.referee.cards import cards_of, melds_of, read_line, with_top
from scorepad.web.referee.questions import NO, YES, Input, Question, Situation, Slot, Step, opens_going_out

STEP, DO = "passo", "do"
"""URL parameters: the step, and the button that was pressed."""
ANSWER = "risposta"
"""The step after the last."""
BETWEEN = " / "
"""Separates two melds of a line."""
MOST_COUNTED = 99
_PAGE_ONLY = ("way", "place", "uses_top", "ends", "who", "laid")
"""Inputs that are not in the schema."""
_MINUS = "-\u2212\u2010\u2011\u2012\u2013\u2014\u2015"
_NO_SUIT = (Kind.JOKER, Kind.TWO, Kind.BLACK_THREE, Kind.RED_THREE)


@dataclass(frozen=True, slots=True)
class Case:
    """A question in a situation."""

    question: Question
    situation: Situation

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that are asked."""
        return self.question.asked(self.situation)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All inputs that are asked, in their order."""
        return tuple(slot for step in self.steps for slot in step.asked(self.situation))

    def step(self, name: str) -> Step | None:
        """The step of this name, else the first; None for a question without steps."""
        steps = self.steps
        return next((step for step in steps if step.name == name), steps[0] if steps else None)

    def after(self, step: Step) -> str:
        """The name of the next step."""
        names = [each.name for each in self.steps]
        place = names.index(step.name) + 1
        return names[place] if place < len(names) else ANSWER

    def before(self, step: Step) -> str:
        """The name of the step before; empty for the first."""
        names = [each.name for each in self.steps]
        place = names.index(step.name)
        return names[place - 1] if place else ""

    def is_last(self, step: Step) -> bool:
        """Whether the answer follows, whatever is chosen on this step."""
        chosen = [self.with_text(slot.name, value) for slot in step.asked(self.situation) for value in slot.values]
        return all(case.after(step) == ANSWER for case in (self, *chosen))

    def with_text(self, name: str, text: str) -> Case:
        """The same with another answer to an input."""
        return replace(self, situation=replace(self.situation, typed={**self.situation.typed, name: text}))

    # URLs

    def answers(self) -> Iterator[tuple[str, str]]:
        """The answers that differ from their defaults, by name."""
        for name in _names_of(self.question, self.situation):
            if name in self.situation.typed:
                text = self.situation.typed[name].strip()
                if text != self.situation.default(name):
                    yield name, text

    def url(self, step: str, anchor: str | None = None) -> str:
        """The URL of a step with all answers."""
        return self._url({**dict(self.answers()), STEP: step}, anchor)

    @property
    def form_url(self) -> str:
        """The URL of the form of a step."""
        return self._url(None)

    def _url(self, args: Mapping[str, Any] | None, anchor: str | None = None) -> str:
        """A URL of the question; without `args` that of its form, which sends the rules as hidden fields."""
        question, match = self.question.name, self.situation.match
        if match is not None:
            return url_for("referee.ask_in_match", match=match.id, question=question, **(args or {}), _anchor=anchor)
        values = {} if args is None else {**self.situation.choices, **args}
        return url_for("referee.ask", question=question, **values, _anchor=anchor)

    def hidden(self, step: Step) -> tuple[tuple[str, str], ...]:
        """The hidden fields of the form of a step: the rules, and the answers of other steps."""
        here = {name for slot in step.asked(self.situation) for name in _names_in(slot, self.situation)}
        rest = [(name, text) for name, text in self.answers() if name not in here]
        return (*self.situation.choices.items(), *rest, (STEP, step.name))

    # tapping cards without a script

    def tapped(self, button: str) -> tuple[Case, str] | None:
        """The case after a card was tapped, and the input on the page; None for another button."""
        verb, _, rest = button.partition(":")
        name, _, token = rest.partition(":")
        slot = next((slot for slot in self.slots if slot.name == name and slot.input.takes_cards), None)
        if slot is None or verb not in ("card", "uncard", "next"):
            return None
        text = self.situation.answer(name)
        if verb == "uncard":
            return self.with_text(name, shrink(text)), name
        if verb == "next":
            return self.with_text(name, f"{text.rstrip(' /')}{BETWEEN}" if text.strip(" /") else text), name
        if token.upper() not in {kind.upper() for kind in Kind}:
            return None
        suit = self.situation.typed.get(f"{name}-suit", "")
        card = token + (suit if suit in tuple(Suit) and token not in _NO_SUIT else "")
        return self.with_text(name, card if slot.input is Input.CARD else grow(text, card)), name


def read_args(args: Mapping[str, str], question: Question, situation: Situation) -> dict[str, str]:
    """The answers to a question in the parameters of a URL."""
    known = set(_names_of(question, situation))
    typed = {name: text[: LONGEST_TEXT + 1] for name, text in args.items() if name in known}
    if not situation.takes_hand(question.kind) and typed.get("way") == "hand":
        del typed["way"]
    return {name: text for name, text in typed.items() if not (name.endswith("-suit") and text == NO_SUIT)}


def defaults(question: Question) -> dict[str, str]:
    """The default of each choice."""
    return {slot.name: slot.values[0] for step in question.steps for slot in step.slots if slot.values}


def _names_of(question: Question, situation: Situation) -> Iterator[str]:
    """All parameters that a URL of the question may have."""
    for step in question.steps:
        for slot in step.slots:
            yield from _names_in(slot, situation)


def _names_in(slot: Slot, situation: Situation) -> Iterator[str]:
    """The parameters of one input."""
    if slot.input is Input.COUNTS:
        yield from (f"{slot.name}-{kind.item}" for kind in situation.settings.canastas)
        return
    yield slot.name
    if slot.input is Input.SCORE:
        yield f"{slot.name}-below"
    elif slot.input.takes_cards:
        yield f"{slot.name}-suit"


# ---------------------------------------------------------------- the question in the schema


def question_of(case: Case) -> dict[str, Any]:
    """The question in the JSON schema, without the rules; `errors_of` checks the answers before."""
    situation = case.situation
    raw: dict[str, Any] = {"kind": case.question.kind}
    for slot in case.slots:
        if slot.name not in _PAGE_ONLY:
            raw |= _value(slot, situation)
    if case.question.kind in ("meld", "discard") and not raw.get("table"):
        # An empty input says nothing about the table: the answer then tells what it depends on.
        raw.pop("table", None)
    if situation.answer("ends") == "none" and case.question.kind == "out":
        raw["discard"] = None
    if any(slot.name == "laid" for slot in case.slots):
        laid = melds_of(situation.answer("laid"), situation.settings)
        raw["with"] = with_top(laid, raw["top"], raw.get("table", []), situation.rules)
    return raw | _from_match(case)


def _from_match(case: Case) -> dict[str, Any]:
    """The score and the number of the hand, which the match knows, if the opening minimum is asked about."""
    situation = case.situation
    asks_minimum = {
        "opening": True,
        "pile": situation.answer("opened") == NO,
        "out": opens_going_out(situation),
    }.get(case.question.kind, False)
    if situation.match is None or not asks_minimum:
        return {}
    raw: dict[str, Any] = {"score": situation.score} if situation.settings.opening_by is OpeningBy.SCORE else {}
    return raw | ({"deal": situation.match.coming} if "deal" in situation.rules.entry_fields else {})


def _value(slot: Slot, situation: Situation) -> dict[str, Any]:
    """What one input adds to the question."""
    text = situation.answer(slot.name)
    match slot.input:
        case Input.MELDS:
            return {slot.name: melds_of(text, situation.settings)}
        case Input.SCORE | Input.FIGURE:
            return _number(slot, situation)
        case Input.COUNTS:
            items = [kind.item for kind in situation.settings.canastas]
            counts = {item: _figure(situation.answer(f"{slot.name}-{item}"), situation) for item in items}
            return {slot.name: {item: count for item, count in counts.items() if count}}
        case Input.CHOICE if slot.name == "last_card":
            return {slot.name: "3r"} if text == "red-three" else {}
        case Input.CHOICE:
            return {slot.name: text == YES if YES in slot.values else text}
        case _:
            return {slot.name: cards_of(text)} if text else {}


def _number(slot: Slot, situation: Situation) -> dict[str, Any]:
    text = situation.answer(slot.name)
    if not text and not slot.needed and slot.input is Input.FIGURE:
        return {}
    is_below = situation.answer(f"{slot.name}-below") or is_below_zero(text)
    points = _figure(without_minus(text), situation) or 0
    return {slot.name: -points if is_below else points}


def _figure(text: str, situation: Situation) -> int | None:
    figure = read_figure(text, situation.words.language)
    return figure if isinstance(figure, int) else None


def is_below_zero(text: str) -> bool:
    """Whether a figure was typed with a minus sign."""
    return text.strip()[:1] in tuple(_MINUS)


def without_minus(text: str) -> str:
    """A figure without its sign."""
    return text.strip().removeprefix(text.strip()[:1]) if is_below_zero(text) else text


# ---------------------------------------------------------------- errors


def errors_of(step: Step, situation: Situation) -> tuple[FieldError, ...]:
    """What is wrong with the answers of a step."""
    return tuple(error for slot in step.asked(situation) for error in _CHECKS[slot.input](slot, situation))


def ambiguity(text: str, words: Words) -> str:
    """The question about cards that were typed and have two meanings; empty if there are none."""
    for why, given in read_line(text).doubts:
        return words.text(f"typed.doubt.{why}", given=given[:LONGEST_ECHO])
    return ""


def _error(name: str, key: str, situation: Situation, **figures: int | str) -> FieldError:
    return FieldError(name, situation.words.text(f"referee.error.{key}", **figures))


def _check_cards(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    text = situation.answer(slot.name)
    if len(text) > LONGEST_TEXT:
        yield _error(slot.name, "long", situation, limit=LONGEST_TEXT)
        return
    ambiguous = ambiguity(text, situation.words)
    if ambiguous:
        yield FieldError(slot.name, ambiguous)
        return
    typed = read_line(text)
    reading = read_cards(typed.text)
    unknown = typed.unknown or reading.unknown
    if unknown:
        yield _error(slot.name, "cards", situation, given=" ".join(unknown)[:LONGEST_ECHO])
        return
    yield from _check_number_of_cards(slot, reading.cards, situation)


def _check_number_of_cards(slot: Slot, cards: Cards, situation: Situation) -> Iterator[FieldError]:
    in_play = in_decks(situation.settings.decks)
    size, most = cards.size, sum(in_play)
    too_many = [index for index, count in enumerate(cards.counts) if count > in_play[index]]
    if slot.needed and not size:
        yield _error(slot.name, f"missing.{slot.input}", situation)
    elif slot.input is Input.CARD and size > 1:
        yield _error(slot.name, "one", situation)
    elif size > most:
        yield _error(slot.name, "many", situation, most=most)
    elif too_many:
        index = too_many[0]
        card = situation.words.plural(f"card.{KINDS[index]}", in_play[index])
        yield _error(slot.name, "deck", situation, given=cards.counts[index], card=card, most=in_play[index])


def _check_figure(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    text = situation.answer(slot.name)
    if not text:
        if slot.needed:
            yield _error(slot.name, "missing.figure", situation)
        return
    most = (situation.settings.match_deals if slot.name == "deal" else None) or MOST_COUNTED
    figure, least = read_figure(text, situation.words.language), 1 if slot.name == "deal" else 0
    if not isinstance(figure, int) or not least <= figure <= most:
        yield _error(slot.name, "figure", situation, least=least, most=most)


def _check_score(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    figure = read_figure(without_minus(situation.answer(slot.name)), situation.words.language)
    if isinstance(figure, Misread):
        yield _error(slot.name, "figure", situation, least=0, most=LARGEST)


def _check_counts(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    for kind in situation.settings.canastas:
        name = f"{slot.name}-{kind.item}"
        figure = read_figure(situation.answer(name), situation.words.language)
        if figure is not None and (not isinstance(figure, int) or figure > MOST_COUNTED):
            yield _error(name, "figure", situation, least=0, most=MOST_COUNTED)


def _check_choice(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    if situation.answer(slot.name) not in slot.values:
        yield _error(slot.name, "choice", situation)


def _check_side(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    if situation.side is None:
        yield _error(slot.name, "side", situation)


_CHECKS: dict[Input, Callable[[Slot, Situation], Iterator[FieldError]]] = {
    Input.CARD: _check_cards,
    Input.CARDS: _check_cards,
    Input.TURNED: _check_cards,
    Input.MELDS: _check_cards,
    Input.FIGURE: _check_figure,
    Input.SCORE: _check_score,
    Input.COUNTS: _check_counts,
    Input.CHOICE: _check_choice,
    Input.SIDE: _check_side,
}

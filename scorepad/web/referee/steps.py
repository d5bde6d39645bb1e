"""The inputs of a step as its page shows them: labels, choices, card keys, and how typed cards were read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorepad.i18n.settings import item_word
from scorepad.matches.rulings import question_key
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind, Suit
from scorepad.rules.settings import BlackThrees, Partnership, Sequences
from scorepad.web.base import FieldError, t
from scorepad.web.cards import NO_SIGN, NO_SUIT, SIGNS, CardButton, Choice, SuitKey, card_buttons
from scorepad.web.referee.cards import notes_on
from scorepad.web.referee.case import Case, ambiguity, errors_of
from scorepad.web.referee.presenters import cards_lines, choice_key
from scorepad.web.referee.questions import Input, Situation, Slot, Step

_NEVER_MELDED = (Kind.BLACK_THREE, Kind.RED_THREE)


@dataclass(frozen=True, slots=True)
class StepField:
    """An input on the page; `id` is also its name. `told`: the cards as they were read; `is_below`: a ticked minus."""

    id: str
    input: Input
    label: str
    hint: str
    value: str
    errors: tuple[str, ...]
    choices: tuple[Choice, ...] = ()
    told: tuple[str, ...] = ()
    buttons: tuple[CardButton, ...] = ()
    suits: tuple[SuitKey, ...] = ()
    is_below: bool = False
    counts: tuple[StepField, ...] = ()


def step_fields(case: Case, step: Step, errors: tuple[FieldError, ...]) -> list[StepField]:
    """The inputs of a step."""
    return [_field(slot, case, errors) for slot in step.asked(case.situation)]


def _field(slot: Slot, case: Case, errors: tuple[FieldError, ...]) -> StepField:
    situation, words, takes_cards = case.situation, case.situation.words, slot.input.takes_cards
    key = question_key(case.question.kind, slot.name, words)
    return StepField(
        id=slot.name,
        input=slot.input,
        label=t(_label_key(key, situation)),
        hint=_hint(slot, key, situation),
        value=situation.answer(slot.name),
        errors=_errors(slot.name, errors),
        choices=tuple(_choices(slot, case)),
        told=tuple(_told(slot, situation)) if takes_cards and not errors else (),
        buttons=_card_buttons(slot, situation) if takes_cards else (),
        suits=tuple(_suits(slot, situation)) if takes_cards else (),
        is_below=bool(situation.answer(f"{slot.name}-below")),
        counts=tuple(_counts(slot, situation, errors)) if slot.input is Input.COUNTS else (),
    )


def _errors(name: str, errors: tuple[FieldError, ...]) -> tuple[str, ...]:
    return tuple(error.text for error in errors if error.field == name)


def _label_key(key: str, situation: Situation) -> str:
    """The message key of a question, which may depend on whether players have a partner."""
    settings = situation.settings
    takes_turns = settings.partnership is Partnership.SINGLE_TAKER
    manner = "either" if takes_turns else "alone" if max(settings.sides) == 1 else "pair"
    keys = (f"{key}.ask.{manner}", f"{key}.ask", key)
    return next(each for each in keys if situation.words.has(each) or each == key)


def _hint(slot: Slot, key: str, situation: Situation) -> str:
    if situation.words.has(f"{key}.hint"):
        return t(f"{key}.hint", full=situation.settings.canasta_length)
    if slot.input is Input.MELDS:
        return t("referee.hint.melds")
    if slot.input in (Input.TURNED, Input.CARDS):
        has_suits = situation.settings.sequences is not Sequences.NONE
        return t("referee.hint.suits" if has_suits else "referee.hint.cards")
    return ""


def _told(slot: Slot, situation: Situation) -> Iterator[str]:
    """How the typed cards were read, or the two readings of an ambiguous one; nothing while they cannot be read."""
    text = situation.answer(slot.name)
    ambiguous = ambiguity(text, situation.words)
    if ambiguous:
        yield ambiguous
    elif not errors_of(Step("", (slot,)), situation):
        yield from cards_lines(slot, situation)
        yield from notes_on(text, situation.words)


def _choices(slot: Slot, case: Case) -> Iterator[Choice]:
    situation, words = case.situation, case.situation.words
    chosen = situation.answer(slot.name)
    if slot.input is Input.SIDE and situation.match is not None:
        for position, side in enumerate(situation.match.sides):
            place = slot.name if position == 0 else f"{slot.name}-{position}"
            yield Choice(place, slot.name, str(position), side.name, chosen == str(position))
    takes_hand = situation.takes_hand(case.question.kind)
    values = [value for value in slot.values if value != "hand" or slot.name != "way" or takes_hand]
    for number, value in enumerate(values):
        place = f"{slot.name}-{value}" if number else slot.name
        label = t(choice_key(slot, value, case.question.kind, words))
        yield Choice(place, slot.name, value, label, chosen == value)


def _card_buttons(slot: Slot, situation: Situation) -> tuple[CardButton, ...]:
    """A key for every card; for melds without those that are never melded."""
    kinds: tuple[Kind, ...] = (*(KINDS[index] for index in NATURAL_INDICES), Kind.TWO, Kind.JOKER)
    if slot.input in (Input.CARD, Input.TURNED) or slot.name == "hand":
        kinds += _NEVER_MELDED
    elif situation.settings.black_threes is not BlackThrees.NEVER:
        kinds += (Kind.BLACK_THREE,)
    return card_buttons(kinds, situation.words)


def _suits(slot: Slot, situation: Situation) -> Iterator[SuitKey]:
    if situation.settings.sequences is Sequences.NONE or slot.input is Input.TURNED:
        return
    name = f"{slot.name}-suit"
    chosen = situation.typed.get(name, "")
    none = Choice(f"{name}-none", name, NO_SUIT, t("count.suit.none"), chosen not in tuple(Suit))
    yield SuitKey(none, NO_SIGN)
    for suit, sign in SIGNS.items():
        yield SuitKey(Choice(f"{name}-{suit}", name, suit.value, t(f"suit.{suit}"), chosen == suit), sign)


def _counts(slot: Slot, situation: Situation, errors: tuple[FieldError, ...]) -> Iterator[StepField]:
    for kind in situation.settings.canastas:
        name = f"{slot.name}-{kind.item}"
        label = item_word(situation.rules.variant, kind.item, situation.words)
        yield StepField(name, Input.FIGURE, label, "", situation.answer(name), _errors(name, errors))

"""A step of a question as a page: its fields, what was said in them, what was understood."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.i18n import Words
from scorepad.i18n.settings import item_word
from scorepad.pad.ruling_words import asked_key
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind, Suit
from scorepad.rules.terms import BlackThrees, Partnership, Sequences
from scorepad.rules.variants import Ruleset
from scorepad.web.cards import NO_SIGN, NO_SUIT, SIGNS, TICKED, CardButton, Choice, SuitKey, card_buttons
from scorepad.web.frame import FieldError
from scorepad.web.referee.asking import SUITED, Asking
from scorepad.web.referee.cards_said import notes_on
from scorepad.web.referee.facts import choice_key, told
from scorepad.web.referee.pages import Field, Playing, StepPage
from scorepad.web.referee.questions import Input, Slot, Step
from scorepad.web.referee.reading import doubt_in, errors_of
from scorepad.web.referee.situation import Situation

_NEVER_MELDED = (Kind.BLACK_THREE, Kind.RED_THREE)


def step_page(
    asking: Asking, step: Step, playing: Playing, start: str, errors: tuple[FieldError, ...] = ()
) -> StepPage:
    """The page of a step; `start` is where the questions are."""
    words, before = asking.situation.words, asking.before(step)
    steps = asking.steps
    return StepPage(
        title=words.text(f"referee.ask.{asking.question.kind}"),
        errors=errors,
        playing=playing,
        back=asking.url(before) if before else start,
        back_text=words.text("referee.back" if before else "referee.questions"),
        action=asking.form_url,
        carried=asking.carried(step),
        fields=tuple(_field(slot, asking, errors) for slot in step.asked(asking.situation)),
        where=words.text("referee.where", number=steps.index(step) + 1, count=len(steps)) if len(steps) > 1 else "",
        button=words.text("referee.answer" if asking.is_last(step) else "referee.next"),
    )


def _field(slot: Slot, asking: Asking, errors: tuple[FieldError, ...]) -> Field:
    situation, words = asking.situation, asking.situation.words
    key = asked_key(asking.question.kind, slot.name, words)
    wrong = tuple(error.text for error in errors if error.field == slot.name)
    takes_cards = slot.input in SUITED
    return Field(
        id=slot.name,
        input=slot.input.value,
        label=words.text(_ask_key(key, situation)),
        hint=_hint(slot, key, asking),
        value=situation.said(slot.name),
        errors=wrong,
        choices=tuple(_choices(slot, asking)),
        told=tuple(_told(slot, asking)) if takes_cards and not errors else (),
        buttons=_buttons(slot, situation.rules, words) if takes_cards else (),
        suits=tuple(_suits(slot, asking)) if takes_cards else (),
        meld_key=words.text("referee.meld-next") if slot.input is Input.MELDS else "",
        below=_below(slot, asking) if slot.input is Input.SCORE else None,
        counts=tuple(_counts(slot, asking, errors)) if slot.input is Input.COUNTS else (),
    )


def _ask_key(key: str, situation: Situation) -> str:
    """The message key of a question, which may have words of its own where nobody plays in a fixed pair."""
    settings = situation.rules.settings
    by_turns = settings.partnership is Partnership.SINGLE_TAKER
    manner = "either" if by_turns else "alone" if max(settings.sides) == 1 else "pair"
    keys = (f"{key}.ask.{manner}", f"{key}.ask", key)
    return next(each for each in keys if situation.words.has(each) or each == key)


def _told(slot: Slot, asking: Asking) -> Iterator[str]:
    """What was understood, or could be understood in two ways; nothing while what stands there is no cards."""
    situation = asking.situation
    doubt = doubt_in(situation.said(slot.name), situation.words)
    if doubt:
        yield doubt
    elif not errors_of(Step("", (slot,)), situation):
        yield from told(slot, situation)
        yield from notes_on(situation.said(slot.name), situation.words)


def _hint(slot: Slot, key: str, asking: Asking) -> str:
    words, situation = asking.situation.words, asking.situation
    if words.has(f"{key}.hint"):
        return words.text(f"{key}.hint", full=situation.rules.settings.canasta_length)
    if slot.input is Input.MELDS:
        return words.text("referee.hint.melds")
    if slot.input is Input.TURNED or slot.input is Input.CARDS:
        suits = situation.rules.settings.sequences is not Sequences.NONE
        return words.text("referee.hint.suits" if suits else "referee.hint.cards")
    return ""


def _choices(slot: Slot, asking: Asking) -> Iterator[Choice]:
    situation, words = asking.situation, asking.situation.words
    if slot.input is Input.SIDE and situation.match is not None:
        said = situation.said(slot.name)
        for position, side in enumerate(situation.match.sides):
            name = slot.name if position == 0 else f"{slot.name}-{position}"
            yield Choice(name, slot.name, str(position), side.name, said == str(position))
    for place, value in enumerate(_values(slot, asking)):
        name = f"{slot.name}-{value}" if place else slot.name
        label = words.text(choice_key(slot, value, asking.question.kind, words))
        yield Choice(name, slot.name, value, label, situation.said(slot.name) == value)


def _values(slot: Slot, asking: Asking) -> tuple[str, ...]:
    """What may be chosen; a whole hand only where the contract takes one."""
    takes_hand = asking.situation.takes_hand(asking.question.kind)
    return tuple(value for value in slot.values if value != "hand" or slot.name != "way" or takes_hand)


def _buttons(slot: Slot, rules: Ruleset, words: Words) -> tuple[CardButton, ...]:
    """The keys: every card, but for melds those that are never melded."""
    kinds: tuple[Kind, ...] = (*(KINDS[index] for index in NATURAL_INDICES), Kind.TWO, Kind.JOKER)
    if slot.input in (Input.CARD, Input.TURNED) or slot.name == "hand":
        kinds += _NEVER_MELDED
    elif rules.settings.black_threes is not BlackThrees.NEVER:
        kinds += (Kind.BLACK_THREE,)
    return card_buttons(kinds, words)


def _suits(slot: Slot, asking: Asking) -> Iterator[SuitKey]:
    situation, words = asking.situation, asking.situation.words
    if situation.rules.settings.sequences is Sequences.NONE or slot.input is Input.TURNED:
        return
    name = f"{slot.name}-suit"
    chosen = situation.typed.get(name, "")
    yield SuitKey(
        Choice(f"{name}-none", name, NO_SUIT, words.text("count.suit.none"), chosen not in tuple(Suit)), NO_SIGN
    )
    for suit, sign in SIGNS.items():
        yield SuitKey(Choice(f"{name}-{suit}", name, suit.value, words.text(f"suit.{suit}"), chosen == suit), sign)


def _below(slot: Slot, asking: Asking) -> Choice:
    name = f"{slot.name}-below"
    label = asking.situation.words.text("referee.score.below")
    return Choice(name, name, TICKED, label, bool(asking.situation.said(name)))


def _counts(slot: Slot, asking: Asking, errors: tuple[FieldError, ...]) -> Iterator[Field]:
    situation = asking.situation
    for kind in situation.rules.settings.canastas:
        name = f"{slot.name}-{kind.item}"
        label = item_word(situation.rules.variant, kind.item, situation.words)
        wrong = tuple(error.text for error in errors if error.field == name)
        yield Field(name, Input.FIGURE.value, label, "", situation.said(name), wrong)

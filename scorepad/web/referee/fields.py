"""The forms of the referee: a fact as its page shows it, and the form that keeps a ruling with the match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlencode

from wtforms import HiddenField

from scorepad.i18n.settings import item_word
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import question_key
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind, Suit, in_decks
from scorepad.rules.settings import BlackThrees, Sequences
from scorepad.web import forms
from scorepad.web.base import FieldError, device_id, get_pad, page_words, t
from scorepad.web.cards import NO_SIGN, NO_SUIT, SIGNS, Choice, SuitKey, card_buttons
from scorepad.web.forms import ChoiceField, PadForm
from scorepad.web.referee.answers import cards_lines, choice_key, label_of
from scorepad.web.referee.cards import notes_on
from scorepad.web.referee.case import ANSWER, STEP, Case, ambiguity, errors_of, names_of
from scorepad.web.referee.questions import Fact, Input


def field_of(fact: Fact, case: Case, errors: tuple[FieldError, ...]) -> dict[str, Any]:
    """What the page of a fact shows."""
    situation, takes_cards = case.situation, fact.input.takes_cards
    return {
        "id": fact.name,
        "input": fact.input.value,
        "is_needed": fact.needed,
        "is_counted": False,
        "is_answered": case.is_answered(fact),
        "label": label_of(fact, case),
        "hint": _hint(fact, case),
        "value": situation.answer(fact.name),
        "errors": [error.text for error in errors if error.field == fact.name],
        "is_below": bool(situation.answer(f"{fact.name}-below")),
        "choices": list(_choices(fact, case)),
        "told": list(_told(fact, case)) if takes_cards and not errors else [],
        "buttons": card_buttons(_kinds(fact, case), situation.words) if takes_cards else (),
        "suits": list(_suits(fact, case)) if takes_cards else [],
        "counts": list(_counts(fact, case, errors)) if fact.input is Input.COUNTS else [],
    }


def _hint(fact: Fact, case: Case) -> str:
    situation = case.situation
    key = f"{question_key(case.question.kind, fact.name, situation.words)}.hint"
    if situation.words.has(key):
        return t(key, full=situation.settings.canasta_length)
    if fact.input is Input.MELDS:
        return t("referee.hint.melds")
    if fact.input in (Input.TURNED, Input.CARDS):
        has_suits = situation.settings.sequences is not Sequences.NONE
        return t("referee.hint.suits" if has_suits else "referee.hint.cards")
    return ""


def _told(fact: Fact, case: Case) -> Iterator[str]:
    """How the typed cards were read, or the two readings of an ambiguous one; nothing while they cannot be read."""
    text = case.situation.answer(fact.name)
    ambiguous = ambiguity(text, case.situation.words)
    if ambiguous:
        yield ambiguous
    elif text and not errors_of(fact, case.situation):
        yield from cards_lines(fact, case)
        yield from notes_on(text, case.situation.words)


def _choices(fact: Fact, case: Case) -> Iterator[Choice]:
    """The answers that can be tapped: of a figure the usual ones, of a score the steps of the opening."""
    situation, chosen = case.situation, case.situation.answer(fact.name)
    offered: list[tuple[str, str]] = []
    if fact.input is Input.SIDE and situation.match is not None:
        offered = [(str(position), side.name) for position, side in enumerate(situation.match.sides)]
    elif fact.input is Input.CHOICE:
        offered = [(value, t(choice_key(fact, value, case.question.kind, situation.words))) for value in fact.values]
        chosen = fact.of(situation)
    elif fact.input is Input.SCORE:
        offered = list(_ranges(situation.settings.opening_steps))
    elif fact.input is Input.FIGURE and fact.name == "deal":
        offered = [(str(number + 1), str(number + 1)) for number in range(situation.settings.match_deals or 0)]
    elif fact.input is Input.FIGURE:
        most = in_decks(situation.settings.decks)[KINDS.index(Kind.RED_THREE)]
        offered = [(str(number), str(number)) for number in range(most + 1)]
    for number, (value, label) in enumerate(offered):
        yield Choice(f"{fact.name}-{value}" if number else fact.name, fact.name, value, label, chosen == value)


def _ranges(steps: tuple[tuple[int, int], ...]) -> Iterator[tuple[str, str]]:
    """The scores between the steps of the opening, each by a score that lies in it."""
    yield "-5", t("rulebook.opening.below")
    for place, (least, _) in enumerate(steps):
        if place + 1 < len(steps):
            yield str(least), t("rulebook.opening.from-to", least=least, most=steps[place + 1][0] - 1)
        else:
            yield str(least), t("rulebook.opening.from", least=least)


def _kinds(fact: Fact, case: Case) -> tuple[Kind, ...]:
    """A key for every card; for melds without those that are never melded."""
    kinds: tuple[Kind, ...] = (*(KINDS[index] for index in NATURAL_INDICES), Kind.TWO, Kind.JOKER)
    if fact.input in (Input.CARD, Input.TURNED) or fact.name == "hand":
        return (*kinds, Kind.BLACK_THREE, Kind.RED_THREE)
    return kinds if case.situation.settings.black_threes is BlackThrees.NEVER else (*kinds, Kind.BLACK_THREE)


def _suits(fact: Fact, case: Case) -> Iterator[SuitKey]:
    if case.situation.settings.sequences is Sequences.NONE or fact.input is Input.TURNED:
        return
    name = f"{fact.name}-suit"
    chosen = case.situation.typed.get(name, "")
    yield SuitKey(Choice(f"{name}-none", name, NO_SUIT, t("count.suit.none"), chosen not in tuple(Suit)), NO_SIGN)
    for suit, sign in SIGNS.items():
        yield SuitKey(Choice(f"{name}-{suit}", name, suit.value, t(f"suit.{suit}"), chosen == suit), sign)


def _counts(fact: Fact, case: Case, errors: tuple[FieldError, ...]) -> Iterator[dict[str, Any]]:
    situation = case.situation
    for name, kind in zip(names_of(fact, situation), situation.settings.canastas, strict=True):
        label = item_word(situation.rules.variant, kind.item, situation.words)
        messages = [error.text for error in errors if error.field == name]
        yield {
            "id": name,
            "label": label,
            "hint": "",
            "value": situation.answer(name),
            "errors": messages,
            "told": [],
            "is_counted": True,
        }


# ---------------------------------------------------------------- keeping a ruling

NOBODY = "nobody"
"""The choice of no side: the ruling is kept without its penalty."""


class KeepForm(PadForm):
    """A ruling to keep: the question as URL parameters, the open hand, the rules' digest, whose the penalty is."""

    asked = HiddenField()
    hand = HiddenField()
    rules = HiddenField()
    whose = ChoiceField(message=None)

    @property
    def args(self) -> dict[str, str]:
        """The question as URL parameters."""
        return dict(parse_qsl(self.asked.data or "", keep_blank_values=True))

    @property
    def is_forced(self) -> bool:
        """Whether the ruling was asked for with facts left open."""
        return self.args.get(STEP) == ANSWER

    @property
    def side(self) -> int | None:
        """The side that the penalty is taken from; None for none."""
        return int(self.whose.data) if (self.whose.data or "").isdigit() else None

    def offer(self, state: MatchState, points: int) -> None:
        """Ask whose the penalty of so many points is; without points ask nothing."""
        if not points:
            self.whose.choices = ()
            return
        self.whose.label.text = t("referee.keep.whose", points=page_words().signed(-points))
        sides = tuple(forms.Choice(str(position), side.name) for position, side in enumerate(state.sides))
        self.whose.choices = (*sides, forms.Choice(NOBODY, t("referee.keep.nobody")))


def keep_form(case: Case, state: MatchState, form: KeepForm | None, points: int, *, is_forced: bool) -> KeepForm:
    """The form beside a ruling: a new one, or the one that was submitted."""
    if form is None:
        form = KeepForm(formdata=None)
        asked = case.known_answers()
        form.asked.data = urlencode(asked | {STEP: ANSWER} if is_forced else asked)
        form.hand.data = get_pad().open(state.id, device_id()).id
        form.rules.data = state.rules.digest
    form.offer(state, points)
    return form

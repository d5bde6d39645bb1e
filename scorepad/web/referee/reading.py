"""From what was typed to a question of the JSON contract; what cannot be used is told beside its field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from scorepad.i18n import Words
from scorepad.rules.cards import KINDS, Cards, read_cards
from scorepad.rules.decks import in_decks
from scorepad.rules.match import LARGEST
from scorepad.rules.terms import OpeningBy
from scorepad.web.cards import LONGEST_ECHO, LONGEST_TEXT
from scorepad.web.figures import Misread, read_figure
from scorepad.web.frame import FieldError
from scorepad.web.referee.asking import Asking
from scorepad.web.referee.cards_said import cards_of, melds_of, read_line
from scorepad.web.referee.conditions import opens_going_out
from scorepad.web.referee.pile_cards import with_top
from scorepad.web.referee.questions import Input, Slot, Step
from scorepad.web.referee.situation import NO, YES, Situation, is_below_zero, without_minus

MOST_COUNTED = 99
"""More of anything than a hand has."""
_OWN = ("way", "place", "uses_top", "ends", "who", "laid")
"""What only the page asks for."""


def question_of(asking: Asking) -> dict[str, Any]:
    """The question as in the JSON contract, without the rules. What is wrong was told by `errors_of` before."""
    situation = asking.situation
    raw: dict[str, Any] = {"kind": asking.question.kind}
    for slot in asking.slots:
        if slot.name not in _OWN:
            raw |= _put(slot, situation)
    if asking.question.kind in ("meld", "discard") and not raw.get("table"):
        # Nothing typed is nothing said of the table: the answer then tells what it hangs on.
        raw.pop("table", None)
    if situation.said("ends") == "none" and asking.question.kind == "out":
        raw["discard"] = None
    if any(slot.name == "laid" for slot in asking.slots):
        laid = melds_of(situation.said("laid"), situation.rules.settings)
        raw["with"] = with_top(laid, raw["top"], raw.get("table", []), situation.rules)
    return raw | _of_the_match(asking)


def _of_the_match(asking: Asking) -> dict[str, Any]:
    """The score and the number of the hand, which the match knows."""
    situation, kind = asking.situation, asking.question.kind
    asks_minimum = {
        "opening": True, "pile": situation.said("opened") == NO, "out": opens_going_out(situation),
    }.get(kind, False)  # fmt: skip
    if situation.match is None or not asks_minimum:
        return {}
    settings = situation.rules.settings
    told: dict[str, Any] = {"score": situation.score} if settings.opening_by is OpeningBy.SCORE else {}
    return told | ({"deal": situation.match.coming} if "deal" in situation.rules.entry_fields else {})


def _put(slot: Slot, situation: Situation) -> dict[str, Any]:
    """What one slot adds to the question."""
    text = situation.said(slot.name)
    match slot.input:
        case Input.MELDS:
            return {slot.name: melds_of(text, situation.rules.settings)}
        case Input.SCORE | Input.FIGURE:
            return _number(slot, situation)
        case Input.COUNTS:
            counts = {kind.item: _figure(situation.said(f"{slot.name}-{kind.item}"), situation)
                      for kind in situation.rules.settings.canastas}  # fmt: skip
            return {slot.name: {item: count for item, count in counts.items() if count}}
        case Input.CHOICE:
            return _chosen(slot, text)
        case _:
            return {slot.name: cards_of(text)} if text else {}


def _chosen(slot: Slot, text: str) -> dict[str, Any]:
    if slot.name == "last_card":
        return {slot.name: "3r"} if text == "red-three" else {}
    return {slot.name: text == YES if YES in slot.values else text}


def _number(slot: Slot, situation: Situation) -> dict[str, Any]:
    text = situation.said(slot.name)
    if not text and not slot.needed and slot.input is Input.FIGURE:
        return {}
    below = situation.said(f"{slot.name}-below") or is_below_zero(text)
    points = _figure(without_minus(text), situation) or 0
    return {slot.name: -points if below else points}


def _figure(text: str, situation: Situation) -> int | None:
    figure = read_figure(text, situation.words.language)
    return figure if isinstance(figure, int) else None


# ---------------------------------------------------------------------------------------------------- what is wrong


def errors_of(step: Step, situation: Situation) -> tuple[FieldError, ...]:
    """What is wrong with what a step asks."""
    return tuple(error for slot in step.asked(situation) for error in _CHECKED[slot.input](slot, situation))


def _error(name: str, key: str, situation: Situation, **figures: int | str) -> FieldError:
    return FieldError(name, situation.words.text(f"referee.error.{key}", **figures))


def _check_cards(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    text = situation.said(slot.name)
    if len(text) > LONGEST_TEXT:
        yield _error(slot.name, "long", situation, limit=LONGEST_TEXT)
        return
    doubt = doubt_in(text, situation.words)
    if doubt:
        yield FieldError(slot.name, doubt)
        return
    typed = read_line(text)
    reading = read_cards(typed.text)
    unknown = typed.unknown or reading.unknown
    if unknown:
        yield _error(slot.name, "cards", situation, given=" ".join(unknown)[:LONGEST_ECHO])
        return
    yield from _check_counts_of(slot, reading.cards, situation)


def _check_counts_of(slot: Slot, cards: Cards, situation: Situation) -> Iterator[FieldError]:
    """How many cards there are."""
    there = in_decks(situation.rules.settings.decks)
    size, most = cards.size, sum(there)
    too_many = [index for index, count in enumerate(cards.counts) if count > there[index]]
    if slot.needed and not size:
        yield _error(slot.name, f"missing.{slot.input}", situation)
    elif slot.input is Input.CARD and size > 1:
        yield _error(slot.name, "one", situation)
    elif size > most:
        yield _error(slot.name, "many", situation, most=most)
    elif too_many:
        index = too_many[0]
        card = situation.words.plural(f"card.{KINDS[index]}", there[index])
        yield _error(slot.name, "deck", situation, given=cards.counts[index], card=card, most=there[index])


def doubt_in(text: str, words: Words) -> str:
    """What could be more than one thing in what was typed, as it is asked again; empty where nothing could."""
    for why, given in read_line(text).doubts:
        return words.text(f"typed.doubt.{why}", given=given[:LONGEST_ECHO])
    return ""


def _check_figure(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    text = situation.said(slot.name)
    if not text:
        if slot.needed:
            yield _error(slot.name, "missing.figure", situation)
        return
    most = (situation.rules.settings.match_deals if slot.name == "deal" else None) or MOST_COUNTED
    figure, least = read_figure(text, situation.words.language), 1 if slot.name == "deal" else 0
    if not isinstance(figure, int) or not least <= figure <= most:
        yield _error(slot.name, "figure", situation, least=least, most=most)


def _check_score(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    figure = read_figure(without_minus(situation.said(slot.name)), situation.words.language)
    if isinstance(figure, Misread):
        yield _error(slot.name, "figure", situation, least=0, most=LARGEST)


def _check_counts(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    for kind in situation.rules.settings.canastas:
        name = f"{slot.name}-{kind.item}"
        figure = read_figure(situation.said(name), situation.words.language)
        if figure is not None and (not isinstance(figure, int) or figure > MOST_COUNTED):
            yield _error(name, "figure", situation, least=0, most=MOST_COUNTED)


def _check_choice(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    if situation.said(slot.name) not in slot.values:
        yield _error(slot.name, "choice", situation)


def _check_side(slot: Slot, situation: Situation) -> Iterator[FieldError]:
    if situation.side is None:
        yield _error(slot.name, "side", situation)


_CHECKED: dict[Input, Callable[[Slot, Situation], Iterator[FieldError]]] = {
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

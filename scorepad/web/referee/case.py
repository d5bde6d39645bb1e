"""A question on its way: its answers so far, what is wrong with them, its URLs, and the question in the JSON schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorepad.i18n import Words
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind, Suit, in_decks, read_cards
from scorepad.rules.match import LARGEST
from scorepad.schemas.rulings import keys_of
from scorepad.web.base import FieldError
from scorepad.web.cards import LONGEST_ECHO, LONGEST_TEXT, grow
from scorepad.web.forms import read_figure
from scorepad.web.referee.cards import BETWEEN, cards_of, laid_on, melds_of, read_line, taken_off, with_top
from scorepad.web.referee.questions import YES, Fact, Input, Question, Situation

STEP, DO = "passo", "do"
"""URL parameters: the fact whose page is shown, and the key that was pressed."""
ANSWER, ALL = "risposta", "tutti"
"""In place of a fact: the answer with what is known, and the page of all facts."""
MOST_COUNTED = 99
_PAGE_ONLY = ("way", "place", "uses_top", "ends", "who", "laid")
"""Facts that are not in the schema."""
_MINUS = "-\u2212\u2010\u2011\u2012\u2013\u2014\u2015"


@dataclass(frozen=True, slots=True)
class Case:
    """A question in a situation."""

    question: Question
    situation: Situation

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of the case as far as it is known, in their order."""
        return self.question.asked(self.situation)

    def fact(self, name: str) -> Fact | None:
        """The fact of this name, if it is one of the case."""
        return next((fact for fact in self.facts if fact.name == name), None)

    def is_answered(self, fact: Fact) -> bool:
        """Whether it was answered, or is known."""
        names = set(names_of(fact, self.situation))
        return not names.isdisjoint(self.situation.typed) or bool(names.intersection(self.situation.known))

    def with_answers(self, answers: Mapping[str, str]) -> Case:
        """The same with other answers."""
        return replace(self, situation=replace(self.situation, typed={**self.situation.typed, **answers}))

    def known_answers(self) -> dict[str, str]:
        """All answers by name: those of the URL, and what the match knows."""
        known = {name: text for fact in self.facts for name in names_of(fact, self.situation)
                 if (text := self.situation.known.get(name))}  # fmt: skip
        return known | {name: text for name, text in self.situation.typed.items() if not name.endswith("-suit")}

    # URLs

    def url(self, step: str | None = None, anchor: str | None = None) -> str:
        """The URL of the case, or of the page of one of its facts."""
        typed = self.situation.typed.items()
        args = {name: text.strip() for name, text in typed if not name.endswith("-suit") or step == name[:-5]}
        return self.situation.url(self.question.name, args | {STEP: step} if step else args, anchor)

    @property
    def form_url(self) -> str:
        """The URL of a form, which sends the answers and the rules as hidden fields."""
        return self.situation.url(self.question.name, {}).partition("?")[0]

    def hidden(self, *shown: Fact) -> tuple[tuple[str, str], ...]:
        """The hidden fields of a form that shows these facts: the rules, and the answers to the others."""
        here = {name for fact in shown for name in names_of(fact, self.situation)}
        rest = [(name, text.strip()) for name, text in self.situation.typed.items() if name not in here]
        return (*self.situation.choices.items(), *rest)

    # keys without a script

    def pressed(self, button: str) -> tuple[Case, str | None, str] | None:
        """What a key makes of the case, the fact whose page it stays on, and its input; None for another button."""
        verb, _, rest = button.partition(":")
        name, _, token = rest.partition(":")
        fact = self.fact(name.partition("-")[0] if verb == "set" else name)
        if fact is None or verb not in ("set", "card", "uncard", "next"):
            return None
        if verb == "set":
            return self.with_answers({name: token[:LONGEST_TEXT]}), None, name
        text, settings = self.situation.answer(name), self.situation.settings
        if not fact.input.takes_cards or (verb == "card" and token.upper() not in {kind.upper() for kind in Kind}):
            return None
        if verb == "uncard":
            text = taken_off(text)
        elif verb == "next":
            text = f"{text.rstrip(' /')}{BETWEEN}" if text.strip(" /") else text
        else:
            card = _with_suit(token, self.situation.typed.get(f"{name}-suit", ""))
            text = {Input.CARD: card, Input.MELDS: laid_on(text, card, settings)}.get(fact.input) or grow(text, card)
        return self.with_answers({name: text}), None if (fact.input, verb) == (Input.CARD, "card") else name, name


def _with_suit(token: str, suit: str) -> str:
    """A card of the suit that was chosen beside the keys, where it may have one."""
    has_suit = token.upper() in {KINDS[index].upper() for index in NATURAL_INDICES}
    return f"{token}{suit}" if has_suit and suit in tuple(Suit) else token


def read_args(args: Mapping[str, str], question: Question, situation: Situation) -> dict[str, str]:
    """The answers to a question in the parameters of a URL."""
    known = {name for fact in question.facts for name in names_of(fact, situation)}
    known |= {f"{fact.name}-suit" for fact in question.facts if fact.input.takes_cards}
    typed = {name: text[: LONGEST_TEXT + 1] for name, text in args.items() if name in known}
    if typed.get("way") == "hand" and "hand" not in keys_of(question.kind):
        del typed["way"]
    return typed


def names_of(fact: Fact, situation: Situation) -> Iterator[str]:
    """The URL parameters of a fact."""
    if fact.input is Input.COUNTS:
        yield from (f"{fact.name}-{kind.item}" for kind in situation.settings.canastas)
        return
    yield fact.name
    if fact.input is Input.SCORE:
        yield f"{fact.name}-below"


# ---------------------------------------------------------------- the question in the schema


def question_of(case: Case) -> dict[str, Any]:
    """The question in the JSON schema, without the rules, as far as it was answered; `errors_of` checks the answers."""
    situation = case.situation
    raw: dict[str, Any] = {"kind": case.question.kind}
    for fact in case.facts:
        if fact.name not in _PAGE_ONLY and (fact.needed or case.is_answered(fact)):
            raw |= _value(fact, situation)
    raw |= _of_match(case)
    if case.question.kind in ("meld", "discard") and not raw.get("table"):
        # An empty input says nothing about the table: the answer then tells what it depends on.
        raw.pop("table", None)
    if case.question.kind == "out":
        raw = {"kind": "out", "table": [], **raw}
        raw |= {"discard": None} if situation.answer("ends") == "none" else {}
    if case.question.kind == "pile" and case.fact("laid"):
        laid = melds_of(situation.answer("laid"), situation.settings)
        raw["with"] = with_top(laid, raw["top"], raw.get("table", []), situation.rules)
    return raw


def _of_match(case: Case) -> dict[str, Any]:
    """The score and the number of the hand, which the match knows, if the opening minimum is asked about."""
    situation = case.situation
    if situation.match is None or "score" not in keys_of(case.question.kind):
        return {}
    here = replace(situation, match=None)
    names = {fact.name for fact in case.question.asked(here)} & {"score", "deal"}
    return {name: int(situation.known[name]) for name in sorted(names, reverse=True) if name in situation.known}


def _value(fact: Fact, situation: Situation) -> dict[str, Any]:
    """What one fact adds to the question."""
    text = fact.of(situation)
    match fact.input:
        case Input.MELDS:
            return {fact.name: melds_of(text, situation.settings)}
        case Input.SCORE | Input.FIGURE:
            is_blank = not text and not fact.needed and fact.input is Input.FIGURE
            return {} if is_blank else {fact.name: signed(fact, situation)}
        case Input.COUNTS:
            items = [kind.item for kind in situation.settings.canastas]
            counts = {item: _figure(situation.answer(f"{fact.name}-{item}"), situation) for item in items}
            return {fact.name: {item: count for item, count in counts.items() if count}}
        case Input.CHOICE if fact.name == "last_card":
            return {fact.name: "3r"} if text == "red-three" else {}
        case Input.CHOICE:
            return {fact.name: text == YES if YES in fact.values else text}
        case _:
            return {fact.name: cards_of(text)} if text else {}


def signed(fact: Fact, situation: Situation) -> int:
    """The figure of a fact, 0 where it is no figure."""
    text = situation.answer(fact.name)
    points = _figure(text.lstrip(_MINUS), situation) or 0
    return -points if situation.answer(f"{fact.name}-below") or text[:1] in tuple(_MINUS) else points


def _figure(text: str, situation: Situation) -> int | None:
    figure = read_figure(text, situation.words.language)
    return figure if isinstance(figure, int) else None


# ---------------------------------------------------------------- errors


def errors_of(fact: Fact, situation: Situation) -> tuple[FieldError, ...]:
    """What is wrong with the answer to a fact."""
    if fact.input is Input.COUNTS:
        names = list(names_of(fact, situation))
        found = [(name, _outside(situation.answer(name), 0, MOST_COUNTED, situation)) for name in names]
    else:
        found = [(fact.name, _problem(fact, situation))]
    return tuple(FieldError(name, text) for name, text in found if text)


def ambiguity(text: str, words: Words) -> str:
    """The question about cards that were typed and have two meanings; empty if there are none."""
    for why, given in read_line(text).doubts:
        return words.text(f"typed.doubt.{why}", given=given[:LONGEST_ECHO])
    return ""


def _problem(fact: Fact, situation: Situation) -> str:
    """What is wrong with the answer to a fact of one field; empty where it is right."""
    text, words = situation.answer(fact.name), situation.words
    match fact.input:
        case Input.CHOICE:
            return "" if fact.of(situation) in fact.values else words.text("referee.error.choice")
        case Input.SIDE:
            is_wrong = fact.name in situation.typed and situation.side is None
            return words.text("referee.error.side") if is_wrong else ""
        case Input.SCORE | Input.FIGURE:
            least, most = 0, LARGEST if fact.input is Input.SCORE else MOST_COUNTED
            if fact.name == "deal":
                least, most = 1, situation.settings.match_deals or MOST_COUNTED
            is_missing = fact.needed and not text
            return words.text("referee.error.missing.figure") if is_missing else _outside(text, least, most, situation)
    return next(_wrong_cards(fact, text, situation), "")


def _outside(text: str, least: int, most: int, situation: Situation) -> str:
    """That a text is no figure between these two; empty where it is one, or nothing."""
    figure = read_figure(text.lstrip(_MINUS) if most == LARGEST else text, situation.words.language)
    if figure is None or (isinstance(figure, int) and least <= figure <= most):
        return ""
    return situation.words.text("referee.error.figure", least=least, most=most)


def _wrong_cards(fact: Fact, text: str, situation: Situation) -> Iterator[str]:
    """What is wrong with typed cards, the first thing first: what cannot be read, and what the decks do not hold."""
    words, in_play, typed = situation.words, in_decks(situation.settings.decks), read_line(text[:LONGEST_TEXT])
    reading = read_cards(typed.text)
    unknown, cards = typed.unknown or reading.unknown, reading.cards
    if len(text) > LONGEST_TEXT:
        yield words.text("referee.error.long", limit=LONGEST_TEXT)
    if typed.doubts:
        yield ambiguity(text, words)
    if unknown:
        yield words.text("referee.error.cards", given=" ".join(unknown)[:LONGEST_ECHO])
    if fact.needed and not cards.size:
        yield words.text(f"referee.error.missing.{fact.input}")
    if fact.input is Input.CARD and cards.size > 1:
        yield words.text("referee.error.one")
    if cards.size > sum(in_play):
        yield words.text("referee.error.many", most=sum(in_play))
    for index, count in enumerate(cards.counts):
        if count > in_play[index]:
            card = words.plural(f"card.{KINDS[index]}", in_play[index])
            yield words.text("referee.error.deck", given=count, card=card, most=in_play[index])

"""Rulings stored with a match: question and answer in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.findings import explain_reason, list_cards_in_words
from scorepad.i18n.settings_in_words import name_score_item
from scorepad.i18n.verdicts import describe_verdict
from scorepad.matches.events import RulingKept
from scorepad.referee import field_types as types
from scorepad.referee.field_types import FieldType
from scorepad.referee.questions import fields_of
from scorepad.rules.cards import read_cards

_MELD_FIELDS = ("melds", "table", "with")
"""The fields of a question that hold melds, the sets of cards laid on the table."""
_NO_FACTS = ("kind", "code")
"""The fields of a question that say what is asked; all others are facts of the case."""
REASONS_THAT_LEAVE_OPEN = frozenset({
    "discard-fitting", "discard-hangs-on-melds", "discard-hangs-on-wilds", "discard-hangs-on-pile",
    "discard-hangs-on-dead", "pile-hangs-on-dead", "meld-hangs-on-dead", "opening-hangs-on-dead", "meld-hangs-on-turn",
    "meld-hangs-on-rank", "meld-hangs-on-wilds", "discard-hangs-on-foot", "out-hangs-on-foot", "out-partner-foot",
})  # fmt: skip
"""The codes of reasons which say that the answer depends on facts that are not known."""


class ReasonText(NamedTuple):
    """A reason for the answer: a sentence, and its sources."""

    text: str
    sources: tuple[str, ...]


class RulingText(NamedTuple):
    """A ruling in words. `case` has the known facts, label and content; `word` the answer in one
    word.
    """

    question: str
    case: tuple[tuple[str, str], ...]
    word: str
    reasons: tuple[ReasonText, ...]

    @property
    def head(self) -> str:
        """Question and answer in one line: `May the player go out? Yes`.

        The name of a mistake, which is no question, gets a colon: `Drew out of turn: −100`.
        """
        if self.question.endswith("?"):
            return f"{self.question} {self.word}"
        return f"{self.question}: {self.word}"

    def facts(self, side: str) -> str:
        """Join the known facts of the case into one line: `Noi; Top card of the pile: 1 eight`.

        `side` is the name of the side that the question is about, empty for none.
        """
        facts = [f"{label}: {text}" for label, text in self.case]
        if side:
            facts.insert(0, side)
        return "; ".join(facts)


def ruling_text(kept: RulingKept, variant: str, words: Words) -> RulingText:
    """Put an answer of the referee into words: the question, the facts, the answer and its reasons.

    The players have asked it during a match, and kept it with the match. `variant` is the game that
    they play.
    """
    question = kept.question
    ruling = kept.answer.ruling
    reason_codes = [reason.code for reason in ruling.reasons]
    word = answer_word(question["kind"], ruling.verdict.value, ruling.details, reason_codes, words)
    return RulingText(
        question=_describe_question(question, words),
        case=tuple(_describe_facts(question, variant, words)),
        word=word,
        reasons=tuple(_describe_reasons(kept, variant, words)),
    )


def _describe_reasons(kept: RulingKept, variant: str, words: Words) -> Iterator[ReasonText]:
    """Put the reasons for an answer of the referee into words, each with its sources.

    A meld is a group of cards laid on the table. With one in the question, "the meld" is enough; of
    several the reasons name each by its number.
    """
    has_several_melds = _count_melds_of_question(kept.question) > 1
    for reason in kept.answer.ruling.reasons:
        text = explain_reason(reason, words, game=variant, numbered=has_several_melds)
        yield ReasonText(text, reason.sources)


def _count_melds_of_question(question: Mapping[str, Any]) -> int:
    """Count the melds (groups of cards) in a question to the referee, given as JSON.

    `{"melds": ["8 8 8"], "table": ["9 9 9", "7 7 7"]}` → 3.
    """
    number = 0
    for field in _MELD_FIELDS:
        number += len(question.get(field, ()))
    return number


def answer_word(
    kind: str, verdict: str, details: Mapping[str, Any], codes: Collection[str], words: Words
) -> str:
    """Put the answer to a question to the referee into a word or two: `Yes`, `It depends`.

    `kind` is what is asked, `verdict` and `details` are the answer, and `codes` are those of its
    reasons.
    """
    is_left_open = any(code in REASONS_THAT_LEAVE_OPEN for code in codes)
    if is_left_open:  # the answer depends on facts that are not known
        return words.t("referee.word.depends")  # "It depends"
    return describe_verdict(kind, verdict, details, words)


def question_key(kind: str, name: str, words: Words) -> str:
    """Return the message key of the label of a field in a question to the referee.

    Most kinds of questions share the label: `referee.table`. A kind may have one of its own, if
    there is such a message: `referee.out.table` for questions about going out.
    """
    own_key = f"referee.{kind}.{name}"
    if words.has(own_key):
        return own_key
    return f"referee.{name}"


def _describe_question(question: Mapping[str, Any], words: Words) -> str:
    """Put what is asked into words; of a question about a penalty, the name of the mistake.

    `question` is its JSON: `{"kind": "penalty", "code": "draw-out-of-turn"}`.
    """
    kind = question["kind"]
    if kind != "penalty":
        return words.t(f"referee.ask.{kind}")

    code = str(question["code"])
    message_key = f"penalty.{code}"
    if words.has(message_key):
        return words.t(message_key)
    return code  # a penalty of house rules that the rules do not have any more


def _describe_facts(
    question: Mapping[str, Any], variant: str, words: Words
) -> Iterator[tuple[str, str]]:
    """Put the known facts of a question into words, each with its label.

    `{"kind": "pile", "top": "8"}` → `("Top card of the pile", "1 eight")`. They are in the order in
    which they were given.
    """
    kind = question["kind"]
    fields_of_kind = fields_of(kind)
    for name, value in question.items():
        if name in _NO_FACTS:  # such as the kind
            continue
        text = _describe_fact(fields_of_kind[name].type, value, variant, words)
        if text:
            label = words.t(question_key(kind, name, words))
            yield label, text


def _describe_fact(field_type: FieldType, value: Any, variant: str, words: Words) -> str:
    """Put the value of a field of a question into words, by the type of the field.

    `value` is what the field has in JSON: `True`, `120`, `"3K 2*"` for cards, a list of such texts
    for melds (groups of cards), `{"natural-canasta": 2}` for canastas (melds of seven or more).
    """
    if value is None:
        return words.t("referee.ends.none")  # "No discard: everything is laid"
    if field_type is types.FLAG:
        choice = "yes" if value else "no"
        return words.t(f"referee.choice.{choice}")
    if field_type is types.PERMISSION:
        return words.t(f"referee.permission.{value}")  # "Yes, and it was granted"
    if field_type in (types.SCORE, types.COUNT, types.DEAL):
        return words.figure(value)
    if field_type is types.CANASTAS:
        return _describe_counted_canastas(value, variant, words)
    if field_type is types.MELDS:
        return "; ".join(_describe_cards(meld, words) for meld in value)
    if field_type is types.UPCARDS:  # each by itself, in the order in which they were turned up
        return ", ".join(_describe_cards(card, words) for card in value.split())
    return _describe_cards(value, words)  # all other types of fields have cards


def _describe_counted_canastas(counts: Mapping[str, int], variant: str, words: Words) -> str:
    """Say in words how many canastas (melds of seven cards or more) of each kind there are.

    `{"natural-canasta": 2}` → `Natural canastas: 2`.
    """
    texts = []
    for kind, count in counts.items():
        name = name_score_item(variant, kind, words)
        texts.append(words.t("referee.text.count", what=name, count=count))
    return ", ".join(texts)


def _describe_cards(text: str, words: Words) -> str:
    """Name typed cards in words: `3xK` → `3 kings`. A text with unknown cards stays as typed."""
    reading = read_cards(text)
    if reading.unknown:
        return text
    return list_cards_in_words(reading.cards.counts, words)

"""Rulings stored with a match: question and answer in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words, reason_words
from scorepad.i18n.settings_in_words import item_word
from scorepad.i18n.verdicts import verdict_word
from scorepad.matches.events import RulingKept
from scorepad.referee import field_types as types
from scorepad.referee.field_types import FieldType
from scorepad.referee.questions import fields_of
from scorepad.rules.cards import read_cards

_MELD_FIELDS = ("melds", "table", "with")
"""The fields of a question that hold melds, the sets of cards laid on the table."""
_NO_FACTS = ("kind", "code")
"""The fields of a question that say what is asked; all others are facts of the case."""
DEPENDS = frozenset({
    "discard-fitting", "discard-hangs-on-melds", "discard-hangs-on-wilds", "meld-hangs-on-turn", "meld-hangs-on-rank",
    "meld-hangs-on-wilds",
})  # fmt: skip
"""The codes of reasons that make a yes depend on unknown facts."""


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
        """Question and answer in one line."""
        if self.question.endswith("?"):
            return f"{self.question} {self.word}"
        return f"{self.question}: {self.word}"

    def facts(self, side: str) -> str:
        """The known facts in one line; `side` is the side concerned, empty for none."""
        facts = [f"{label}: {text}" for label, text in self.case]
        if side:
            facts.insert(0, side)
        return "; ".join(facts)


def ruling_text(kept: RulingKept, variant: str, words: Words) -> RulingText:
    """A stored ruling in words, in a match of this variant."""
    question = kept.question
    ruling = kept.answer.ruling
    # With one meld "the meld" is enough; of several the reasons name each by its number.
    has_several_melds = _number_of_melds(question) > 1
    reasons: list[ReasonText] = []
    for reason in ruling.reasons:
        text = reason_words(reason, words, game=variant, numbered=has_several_melds)
        reasons.append(ReasonText(text, reason.sources))
    reason_codes = [reason.code for reason in ruling.reasons]
    word = answer_word(question["kind"], ruling.verdict.value, ruling.details, reason_codes, words)
    return RulingText(
        question=_question(question, words),
        case=tuple(_facts(question, variant, words)),
        word=word,
        reasons=tuple(reasons),
    )


def _number_of_melds(question: Mapping[str, Any]) -> int:
    """How many melds a question is about."""
    number = 0
    for field in _MELD_FIELDS:
        number += len(question.get(field, ()))
    return number


def answer_word(
    kind: str, verdict: str, details: Mapping[str, Any], codes: Collection[str], words: Words
) -> str:
    """The answer to a question of this kind in a word or two: `Sì`, `90 punti`.

    `verdict` and `details` are the answer, `codes` the codes of its reasons. The word is "depends"
    if one of these says that the answer hangs on facts that are not known.
    """
    hangs_on_unknown_facts = any(code in DEPENDS for code in codes)
    if hangs_on_unknown_facts:
        return words.t("referee.word.depends")
    return verdict_word(kind, verdict, details, words)


def question_key(kind: str, name: str, words: Words) -> str:
    """The message key of a field of a question; a kind of question may have its own."""
    own_key = f"referee.{kind}.{name}"
    if words.has(own_key):
        return own_key
    return f"referee.{name}"


def _question(question: Mapping[str, Any], words: Words) -> str:
    """The question in words; for a question about a penalty, the name of the irregularity."""
    kind = question["kind"]
    if kind != "penalty":
        return words.t(f"referee.ask.{kind}")
    code = str(question["code"])
    key = f"penalty.{code}"
    if not words.has(key):
        return code
    return words.t(key)


def _facts(question: Mapping[str, Any], variant: str, words: Words) -> Iterator[tuple[str, str]]:
    """The known facts of a question, each with its label, in the order in which they were given:
    `("Table", "3 kings")`.
    """
    kind = question["kind"]
    fields_of_kind = fields_of(kind)
    for name, value in question.items():
        if name in _NO_FACTS:
            continue
        text = _field_in_words(fields_of_kind[name].type, value, variant, words)
        if text:
            label = words.t(question_key(kind, name, words))
            yield label, text


def _field_in_words(field_type: FieldType, value: Any, variant: str, words: Words) -> str:
    """The content of a field of the question in words, by the type of the field.

    A value is what the field has in the JSON of a question: `True`, `120`, `"3K 2*"` for cards, a
    list of such texts for melds, `{"natural-canasta": 2}` for canastas. None for a discard
    if there was none.
    """
    if value is None:
        return words.t("referee.ends.none")
    if field_type is types.FLAG:
        return words.t("referee.choice.yes" if value else "referee.choice.no")
    if field_type is types.PERMISSION:
        return words.t(f"referee.permission.{value}")
    if field_type in (types.SCORE, types.COUNT, types.DEAL):
        return words.figure(value)
    if field_type is types.CANASTAS:
        return _canastas_in_words(value, variant, words)
    if field_type is types.MELDS:
        return "; ".join(_typed_cards_in_words(meld, words) for meld in value)
    if field_type is types.UPCARDS:  # in the order in which they were turned up
        return ", ".join(_typed_cards_in_words(card, words) for card in value.split())
    return _typed_cards_in_words(value, words)  # all other types of fields have cards


def _canastas_in_words(counts: Mapping[str, int], variant: str, words: Words) -> str:
    """How many canastas (sets of seven cards or more) of each kind there are, in words:
    `{"natural-canasta": 2}` → `Canasta pulita: 2`.
    """
    texts = []
    for kind, count in counts.items():
        name = item_word(variant, kind, words)
        texts.append(words.t("referee.text.count", what=name, count=count))
    return ", ".join(texts)


def _typed_cards_in_words(text: str, words: Words) -> str:
    """Cards in words; unknown ones as typed."""
    reading = read_cards(text)
    if reading.unknown:
        return text
    return cards_in_words(reading.cards.counts, words)

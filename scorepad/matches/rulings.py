"""Rulings stored with a match: question and answer in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words, reason_words
from scorepad.i18n.settings import item_word
from scorepad.i18n.verdicts import verdict_word
from scorepad.matches.events import RulingKept
from scorepad.rules.cards import read_cards

_MELDS = ("melds", "table", "with")
_HEAD = ("kind", "code")
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
        return f"{self.question}{'' if self.question.endswith('?') else ':'} {self.word}"

    def facts(self, side: str) -> str:
        """The known facts in one line; `side` is the side concerned, empty for none."""
        return "; ".join(
            (*filter(None, [side]), *(f"{label}: {text}" for label, text in self.case))
        )


def ruling_text(kept: RulingKept, variant: str, words: Words) -> RulingText:
    """A stored ruling in words."""
    numbered = sum(len(kept.question.get(key, ())) for key in _MELDS) > 1
    ruling, kind = kept.answer.ruling, kept.question["kind"]
    codes = [reason.code for reason in ruling.reasons]
    return RulingText(
        question=_question(kept.question, words),
        case=tuple(_case(kept.question, variant, words)),
        word=answer_word(kind, ruling.verdict.value, ruling.details, codes, words),
        reasons=tuple(
            ReasonText(reason_words(reason, words, game=variant, numbered=numbered), reason.sources)
            for reason in ruling.reasons
        ),
    )


def answer_word(
    kind: str, verdict: str, details: Mapping[str, Any], codes: Collection[str], words: Words
) -> str:
    """The one-word form of an answer with reasons of these codes."""
    if not DEPENDS.isdisjoint(codes):
        return words.text("referee.word.depends")
    return verdict_word(kind, verdict, details, words)


def question_key(kind: str, name: str, words: Words) -> str:
    """The message key of a field of a question; a kind of question may have its own."""
    own = f"referee.{kind}.{name}"
    return own if words.has(own) else f"referee.{name}"


def _question(question: Mapping[str, Any], words: Words) -> str:
    """The question in words; for an irregularity, its name."""
    if question["kind"] != "penalty":
        return words.text(f"referee.ask.{question['kind']}")
    key = f"penalty.{question['code']}"
    return words.text(key) if words.has(key) else str(question["code"])


def _case(question: Mapping[str, Any], variant: str, words: Words) -> Iterator[tuple[str, str]]:
    for key, value in question.items():
        if key == "cards" and question["kind"] == "upcard":  # in the order they were turned up
            text = ", ".join(_cards(token, words) for token in value.split())
        else:
            text = "" if key in _HEAD else _content(key, value, variant, words)
        if text:
            yield words.text(question_key(question["kind"], key, words)), text


def _content(key: str, value: Any, variant: str, words: Words) -> str:
    """The content of a field of the question in words; empty if not given."""
    match value:
        case bool() | None:
            return words.text(
                "referee.ends.none"
                if value is None
                else f"referee.choice.{'yes' if value else 'no'}"
            )
        case int():
            return words.figure(value)
        case list():
            return "; ".join(_cards(each, words) for each in value)
        case dict():
            return ", ".join(words.text("referee.text.count", what=item_word(variant, item, words), count=count)
                             for item, count in value.items())  # fmt: skip
        case str() if key == "permission":
            return words.text(f"referee.permission.{value}")
        case _:
            return _cards(value, words)


def _cards(text: str, words: Words) -> str:
    """Cards in words; unknown ones as typed."""
    reading = read_cards(text)
    return text if reading.unknown else cards_in_words(reading.cards.counts, words)

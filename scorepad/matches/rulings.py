"""Rulings kept with a match, and what they say in words: the question and the answer as they were then."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words, verdict_word
from scorepad.i18n.settings import item_word
from scorepad.matches.events import RulingKept
from scorepad.rules.cards import read_cards
from scorepad.rules.loader import same
from scorepad.rules.variants import Choices, Ruleset
from scorepad.schemas.fields import KeptAnswer, StoredAlternative, StoredReason, figure_from, figure_json

if TYPE_CHECKING:
    from scorepad.referee.alternatives import Alternative, Answer
    from scorepad.referee.answers import Reason

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KeptPenalty:
    """A penalty that went with a ruling: its code, and the points taken from the side."""

    code: str
    points: int


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """The same question answered under another codification, or with these options changed."""

    preset: str | None
    changed: Choices
    verdict: str
    details: Json
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptRuling:
    """A ruling kept with a hand. `number` is that of the hand on the pad, `side` the position of the side concerned.

    `question` is as in the JSON contract, with its kind and without the rules, which are those of the match; `answer`
    as `answer_json` made it.
    """

    entry: int
    """Sequence of the entry in the match's log."""
    at: datetime
    number: int
    side: int | None
    question: Json
    answer: KeptAnswer
    penalty: KeptPenalty | None = None

    @classmethod
    def of(cls, entry: int, at: datetime, ruling: RulingKept) -> Self:
        """The ruling of an event."""
        penalty = KeptPenalty(ruling.code, ruling.points or 0) if ruling.code else None
        return cls(entry, at, ruling.number, ruling.side, ruling.question, ruling.answer, penalty)

    @property
    def kind(self) -> str:
        """The kind of question."""
        return str(self.question["kind"])

    @property
    def verdict(self) -> str:
        """The one word of the contract."""
        return str(self.answer["verdict"])

    def others(self, rules: Ruleset) -> tuple[OtherAnswer, ...]:
        """Where it was answered otherwise; `rules` are those of the match."""
        return tuple(_other_from(told, rules) for told in self.answer["elsewhere"])

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """What the answer rested on."""
        # Only where rulings are told: who starts the pad need not wait for the referee.
        from scorepad.referee.answers import Reason

        return tuple(
            Reason(
                told["code"],
                {name: figure_from(figure) for name, figure in told["figures"].items()},
                tuple(told["sources"]),
            )
            for told in self.answer["reasons"]
        )


def answer_json(answer: Answer) -> KeptAnswer:
    """An answer as it is kept: the figures of its sentences, without the words."""
    reasons: list[StoredReason] = [
        {
            "code": reason.code,
            "figures": {name: figure_json(figure) for name, figure in reason.figures.items()},
            "sources": list(reason.sources),
        }
        for reason in answer.ruling.reasons
    ]
    return {
        "verdict": answer.ruling.verdict.value,
        "reasons": reasons,
        "details": dict(answer.ruling.details),
        "elsewhere": list(map(_elsewhere_json, answer.others)),
    }


def _elsewhere_json(other: Alternative) -> StoredAlternative:
    return {
        "preset": other.preset,
        "options": dict(other.options),
        "verdict": other.ruling.verdict.value,
        "details": dict(other.ruling.details),
        "sources": list(other.sources),
    }


def other_answer(other: Alternative) -> OtherAnswer:
    """What the referee found elsewhere, as it is told."""
    return OtherAnswer(other.preset, other.changed, other.ruling.verdict.value, other.ruling.details, other.sources)


def _other_from(told: StoredAlternative, rules: Ruleset) -> OtherAnswer:
    """The same out of a kept answer, which names all options of the rules there."""
    changed = {
        name: value
        for name, value in told["options"].items()
        if name not in rules.options or not same(value, rules.options[name])
    }
    return OtherAnswer(told["preset"], changed, told["verdict"], told["details"], tuple(told["sources"]))


_MELDS = ("melds", "table", "with")
_HEAD = ("kind", "code")
DEPENDS = frozenset({
    "discard-fitting", "discard-hangs-on-wilds", "meld-hangs-on-turn", "meld-hangs-on-rank", "meld-hangs-on-wilds",
})  # fmt: skip
"""The codes of the reasons by which a yes depends on what nobody said."""


@dataclass(frozen=True, slots=True)
class ToldReason:
    """Why the answer was what it was: a sentence, and where that is said."""

    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToldRuling:
    """A ruling in words. `case` is what was known, label and content; `word` the answer in one word."""

    asked: str
    case: tuple[tuple[str, str], ...]
    word: str
    reasons: tuple[ToldReason, ...]

    @property
    def head(self) -> str:
        """Question and answer in one line."""
        return f"{self.asked}{'' if self.asked.endswith('?') else ':'} {self.word}"

    def facts(self, side: str) -> str:
        """What was known in one line; `side` is whom it was about, empty for nobody."""
        return "; ".join((*filter(None, [side]), *(f"{label}: {text}" for label, text in self.case)))


def told_ruling(kept: KeptRuling, game: str, words: Words) -> ToldRuling:
    """A kept ruling in words; `game` is the variant."""
    # Only where rulings are told: most matches have none, and their pages need not wait for the referee.
    from scorepad.i18n.findings import reason_words

    numbered = sum(len(kept.question.get(key, ())) for key in _MELDS) > 1
    return ToldRuling(
        asked=asked_words(kept, words),
        case=tuple(_case(kept, game, words)),
        word=answer_word(kept.kind, kept.verdict, kept.answer["details"], _codes(kept), words),
        reasons=tuple(
            ToldReason(reason_words(reason, words, game=game, numbered=numbered), reason.sources)
            for reason in kept.reasons
        ),
    )


def answer_word(kind: str, verdict: str, details: Mapping[str, Any], codes: Collection[str], words: Words) -> str:
    """The one word of an answer with reasons of these codes."""
    if not DEPENDS.isdisjoint(codes):
        return words.text("referee.word.depends")
    return verdict_word(kind, verdict, details, words)


def _codes(kept: KeptRuling) -> tuple[str, ...]:
    return tuple(reason.code for reason in kept.reasons)


def asked_words(kept: KeptRuling, words: Words) -> str:
    """What was asked: of an irregularity its name."""
    if kept.kind == "penalty":
        key = f"penalty.{kept.question['code']}"
        return words.text(key) if words.has(key) else str(kept.question["code"])
    return words.text(f"referee.ask.{kept.kind}")


def _case(kept: KeptRuling, game: str, words: Words) -> Iterator[tuple[str, str]]:
    for key, value in kept.question.items():
        in_order = kept.kind == "upcard" and key == "cards"
        text = "" if key in _HEAD else _turned(value, words) if in_order else _content(key, value, game, words)
        if text:
            yield words.text(asked_key(kept.kind, key, words)), text


def asked_key(kind: str, name: str, words: Words) -> str:
    """The message key of what a question asks for, which one kind may call in words of its own."""
    own = f"referee.{kind}.{name}"
    return own if words.has(own) else f"referee.{name}"


def _content(key: str, value: Any, game: str, words: Words) -> str:
    """What the question says of something; empty where it says nothing."""
    match value:
        case bool() | None:
            said = {True: "choice.yes", False: "choice.no", None: "ends.none"}[value]
            return words.text(f"referee.{said}")
        case int():
            return words.figure(value)
        case list():
            return "; ".join(_cards(each, words) for each in value)
        case dict():
            return ", ".join(words.text("referee.told.count", what=item_word(game, item, words), count=count)
                             for item, count in value.items())  # fmt: skip
        case str() if key == "permission":
            return words.text(f"referee.permission.{value}")
        case _:
            return _cards(value, words)


def _turned(text: str, words: Words) -> str:
    """Cards one after the other, in the order in which they were turned up."""
    return ", ".join(_cards(token, words) for token in text.split())


def _cards(text: str, words: Words) -> str:
    """Cards in words; what is none of them as it was typed."""
    reading = read_cards(text)
    return text if reading.unknown else cards_in_words(reading.cards.counts, words)

"""A ruling kept with a match: the question and the answer as they were then, whatever the data say later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from scorepad.matches.findings import figure_from, figure_json
from scorepad.rules.loader import same
from scorepad.rules.variants import Choices, Ruleset

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
    """A ruling of a hand. `number` is that of the hand on the pad, `side` the position of the side that it is about.

    `question` is as in the JSON contract, with its kind and without the rules, which are those of the match; `answer`
    as `answer_json` made it.
    """

    entry: int
    """Sequence of the entry in the match's log."""
    at: datetime
    number: int
    side: int | None
    question: Json
    answer: Json
    penalty: KeptPenalty | None = None

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


def answer_json(answer: Answer) -> dict[str, Any]:
    """An answer as it is kept: the figures of its sentences, without the words."""
    reasons = [
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


def _elsewhere_json(other: Alternative) -> dict[str, Any]:
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


def _other_from(told: Json, rules: Ruleset) -> OtherAnswer:
    """The same out of a kept answer, which names all options of the rules there."""
    changed = {
        name: value
        for name, value in told["options"].items()
        if name not in rules.options or not same(value, rules.options[name])
    }
    return OtherAnswer(told["preset"], changed, told["verdict"], told["details"], tuple(told["sources"]))


def kept_from(entry: int, at: datetime, payload: Json) -> KeptRuling:
    """The ruling in the payload of its entry."""
    code = payload.get("code")
    return KeptRuling(
        entry=entry,
        at=at,
        number=payload["number"],
        side=payload["side"],
        question=payload["question"],
        answer=payload["answer"],
        penalty=KeptPenalty(code, payload["points"]) if code else None,
    )

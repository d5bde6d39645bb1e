"""The questions of the referee's pages: the facts that each asks for, in their order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.referee.in_force import has_partner
from scorepad.referee.questions import (
    AnyQuestion,
    DiscardQuestion,
    EndOfStockQuestion,
    MeldQuestion,
    OpeningQuestion,
    OutQuestion,
    PenaltyQuestion,
    PileQuestion,
    RedThreesQuestion,
    UpcardQuestion,
)
from scorepad.referee.ruling import Verdict
from scorepad.web.referee.facts import NO, YES, Answers, Fact, InputKind, fact_of, page_choice


class Mistake(NamedTuple):
    """A possible irregularity, by its code.

    It is listed with the verdict `after`, if one of the reasons `of` was given (any if empty), and
    with the answers `when`.
    """

    code: str
    of: tuple[str, ...] = ()
    when: Answers = MappingProxyType({})
    after: Verdict = Verdict.FORBIDDEN


class QuestionPages(NamedTuple):
    """A question on the pages: its name in the URL, its class, its facts, and the mistakes that go
    with its answers.

    `given`: answers implied by the question. `tells_silence`: if the answer is no and no mistake is
    known, the page says that the sources do not decide it.
    """

    name: str
    asks: type[AnyQuestion]
    facts: tuple[Fact, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    given: Answers = MappingProxyType({})
    tells_silence: bool = False

    @property
    def kind(self) -> str:
        """The kind of question in JSON."""
        return self.asks.kind

    def title(self, words: Words) -> str:
        """The question in words."""
        return words.t(words.first(f"referee.ask.{self.name}", f"referee.ask.{self.kind}"))


_WITH_MELDS = {"way": "melds"}
_WITH_HAND = {"way": "hand"}
_WHO = Fact("who", InputKind.SIDE, exists=lambda _, in_match: in_match)
_TAKEN_BACK = Mistake("meld-taken-back", after=Verdict.ALLOWED)


def _held(question: type[AnyQuestion]) -> Fact:
    """All the cards that the player holds."""
    return fact_of(question, "hand", needed=True, only=_WITH_HAND)


def _minimum(question: type[AnyQuestion], **only: str) -> tuple[Fact, Fact]:
    """Facts that set an opening minimum, known in a match."""
    score = fact_of(
        question,
        "score",
        only=only,
        exists=lambda rules, in_match: not in_match and rules.settings.opening_by == "score",
    )
    deal = fact_of(
        question,
        "deal",
        only=only,
        exists=lambda rules, in_match: not in_match and "deal" in rules.entry_fields,
    )
    return score, deal


PILE = QuestionPages(
    "pozzo",
    PileQuestion,
    (
        fact_of(PileQuestion, "top"),
        fact_of(PileQuestion, "frozen"),
        page_choice("way", "melds", "hand", aside=True),
        fact_of(PileQuestion, "laid", only=_WITH_MELDS),
        _held(PileQuestion),
        fact_of(PileQuestion, "opened"),
        _WHO,
        *_minimum(PileQuestion, opened=NO),
        fact_of(PileQuestion, "table", only={"opened": YES}),
    ),
    (Mistake("pile-taken-without-meld"), Mistake("pile-taken-top-card-unused")),
)
OPENING = QuestionPages(
    "apertura",
    OpeningQuestion,
    (
        page_choice("way", "melds", "minimum", "hand", aside=True),
        page_choice("uses_top", NO, YES, aside=True),
        fact_of(OpeningQuestion, "top_card", needed=True, only={"uses_top": YES}),
        fact_of(OpeningQuestion, "melds", needed=True, only=_WITH_MELDS),
        _held(OpeningQuestion),
        _WHO,
        *_minimum(OpeningQuestion),
        fact_of(OpeningQuestion, "concealed_out"),
    ),
    (Mistake("opening-under-minimum", ("opening-below-minimum",)), _TAKEN_BACK),
    tells_silence=True,
)
OPENING_WITH_TOP = OPENING._replace(name="apertura-pozzo", given={"uses_top": YES})
MELD = QuestionPages(
    "calata",
    MeldQuestion,
    (
        fact_of(MeldQuestion, "cards"),
        fact_of(MeldQuestion, "going_out"),
        page_choice("place", "new", "on"),
        fact_of(MeldQuestion, "on", needed=True, only={"place": "on"}),
        _WHO,
        fact_of(MeldQuestion, "table"),
    ),
    (_TAKEN_BACK,),
    tells_silence=True,
)
_PERMISSION = fact_of(
    OutQuestion, "permission", exists=lambda rules, _: has_partner(rules.settings)
)
_BEFORE_ASKING = (
    page_choice("way", "melds", "hand", aside=True),
    _WHO,
    fact_of(OutQuestion, "table", needed=False),
    _held(OutQuestion),
)
_AFTER_ASKING = (
    page_choice("ends", "unsaid", "card", "none"),
    fact_of(OutQuestion, "discard", needed=True, only={"ends": "card"}),
    fact_of(
        OutQuestion, "red_threes", exists=lambda rules, _: rules.settings.out_red_threes != "any"
    ),
    fact_of(OutQuestion, "concealed"),
    *_minimum(OutQuestion, concealed=YES, **_WITH_HAND),
)
OUT = QuestionPages(
    "chiusura",
    OutQuestion,
    (*_BEFORE_ASKING, _PERMISSION, *_AFTER_ASKING),
    (
        Mistake("permission-then-no-out", when={"permission": "granted"}),
        Mistake("out-after-no", ("permission-refused",)),
    ),
)
PERMISSION = OUT._replace(name="permesso", facts=(_PERMISSION, *_BEFORE_ASKING, *_AFTER_ASKING))
UPCARD = QuestionPages("prima-carta", UpcardQuestion, (fact_of(UpcardQuestion, "cards"),))
DISCARD = QuestionPages(
    "scarto",
    DiscardQuestion,
    (
        fact_of(DiscardQuestion, "card"),
        fact_of(DiscardQuestion, "last"),
        fact_of(DiscardQuestion, "first_round"),
        _WHO,
        fact_of(DiscardQuestion, "table"),
        fact_of(DiscardQuestion, "wild_meld_incomplete"),
    ),
)
RED_THREES = QuestionPages(
    "tre-rossi",
    RedThreesQuestion,
    (
        _WHO,
        fact_of(RedThreesQuestion, "count"),
        fact_of(RedThreesQuestion, "opened"),
        fact_of(RedThreesQuestion, "canastas"),
    ),
)
END_OF_STOCK = QuestionPages(
    "tallone",
    EndOfStockQuestion,
    (
        # Only a red three drawn last makes a difference.
        fact_of(
            EndOfStockQuestion,
            "last_card",
            input=InputKind.CHOICE,
            values=("other", "red-three"),
        ),
        fact_of(EndOfStockQuestion, "top"),
        _WHO,
        fact_of(EndOfStockQuestion, "table"),
        fact_of(EndOfStockQuestion, "pile_has_wild"),
        fact_of(EndOfStockQuestion, "pile_has_red_three"),
    ),
)
PENALTY = QuestionPages("penalita", PenaltyQuestion)

QUESTIONS = (
    PILE, OPENING, OPENING_WITH_TOP, MELD, OUT, PERMISSION, DISCARD, END_OF_STOCK, RED_THREES, UPCARD, PENALTY,
)  # fmt: skip
"""In the order of the page."""
BY_NAME = {question.name: question for question in QUESTIONS}

GROUPS: Mapping[str, tuple[str, ...]] = {
    "pile": ("pile-taken-without-meld", "pile-taken-top-card-unused", "draw-out-of-turn", "draw-taken-back"),
    "melds": ("opening-under-minimum", "meld-out-of-turn-opponents", "meld-out-of-turn-partner", "meld-taken-back",
              "red-three-not-exposed"),
    "cards": ("exposed-card", "two-cards-discarded", "wrong-dealer", "wrong-dealer-late"),
    "out": ("permission-then-no-out", "out-after-no", "partner-talk"),
}  # fmt: skip
"""The irregularities by group; those of a single game are in the last, which the table decides."""
TURNING: Mapping[str, Answers] = {
    "wrong-dealer": {NO: "wrong-dealer", YES: "wrong-dealer-late"},
    "meld-out-of-turn": {
        "opponents": "meld-out-of-turn-opponents",
        "partner": "meld-out-of-turn-partner",
    },
    "red-three-not-exposed": {YES: "red-three-not-exposed", NO: "red-three-in-time"},
}
"""Mistakes that one question distinguishes: the codes of the irregularities, by its answers."""
IN_TIME = "red-three-in-time"
"""A red three noticed during the hand: not yet an irregularity."""

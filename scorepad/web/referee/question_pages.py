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
from scorepad.rules.cards import Kind
from scorepad.rules.definitions import Ruleset
from scorepad.web.referee.facts import NO, YES, Answers, Fact, InputKind, fact_of, page_choice


class Mistake(NamedTuple):
    """An irregularity, by its code, that may follow a ruling.

    The page of a ruling lists it if the ruling has this verdict and one of these reasons (any if
    empty), and the case these answers.
    """

    code: str
    reasons: tuple[str, ...] = ()
    answers: Answers = MappingProxyType({})
    verdict: Verdict = Verdict.FORBIDDEN


class QuestionPages(NamedTuple):
    """A question on the pages: its name in the URL, its class, its facts, and the mistakes that may
    follow its rulings.

    `implied` are answers that follow from the question. `tells_silence`: if the answer is no and no
    mistake is known, the page says that the sources do not decide it.
    """

    name: str
    asks: type[AnyQuestion]
    facts: tuple[Fact, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    implied: Answers = MappingProxyType({})
    tells_silence: bool = False

    @property
    def kind(self) -> str:
        """The kind of question in JSON."""
        return self.asks.kind

    def title(self, words: Words) -> str:
        """The question in words."""
        return words.t(words.first_known(f"referee.ask.{self.name}", f"referee.ask.{self.kind}"))


_WITH_MELDS = {"way": "melds"}
_WITH_HAND = {"way": "hand"}


def _in_match(_rules: Ruleset, in_match: bool) -> bool:
    return in_match


def _with_score_outside_match(rules: Ruleset, in_match: bool) -> bool:
    return rules.settings.opening_by == "score" and not in_match


def _with_deal_outside_match(rules: Ruleset, in_match: bool) -> bool:
    return "deal" in rules.entry_fields and not in_match


def _with_partner(rules: Ruleset, _in_match: bool) -> bool:
    return has_partner(rules.settings)


def _with_condition_on_red_threes(rules: Ruleset, _in_match: bool) -> bool:
    return rules.settings.out_red_threes != "any"


_WHO = Fact("who", InputKind.SIDE, exists=_in_match)
_TAKEN_BACK = Mistake("meld-taken-back", verdict=Verdict.ALLOWED)


def _held(question: type[AnyQuestion]) -> Fact:
    """All the cards that the player holds."""
    return fact_of(question, "hand", needed=True, only=_WITH_HAND)


def _minimum(question: type[AnyQuestion], **only: str) -> tuple[Fact, Fact]:
    """The facts that set an opening minimum; a match knows them."""
    score = fact_of(question, "score", only=only, exists=_with_score_outside_match)
    deal = fact_of(question, "deal", only=only, exists=_with_deal_outside_match)
    return score, deal


PILE = QuestionPages(
    "pozzo",
    PileQuestion,
    (
        fact_of(PileQuestion, "top"),
        fact_of(PileQuestion, "frozen"),
        page_choice("way", "melds", "hand", aside=True),
        # They become a field together with the top card: `Case.as_json`.
        fact_of(PileQuestion, "laid", only=_WITH_MELDS, field=None),
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
OPENING_WITH_TOP = OPENING._replace(name="apertura-pozzo", implied={"uses_top": YES})
MELD = QuestionPages(
    "calata",
    MeldQuestion,
    (
        fact_of(MeldQuestion, "cards"),
        fact_of(MeldQuestion, "going_out"),
        page_choice("laid_as", "new", "on"),
        fact_of(MeldQuestion, "on", needed=True, only={"laid_as": "on"}),
        _WHO,
        fact_of(MeldQuestion, "table"),
    ),
    (_TAKEN_BACK,),
    tells_silence=True,
)
_PERMISSION = fact_of(OutQuestion, "permission", exists=_with_partner)
_BEFORE_ASKING = (
    page_choice("way", "melds", "hand", aside=True),
    _WHO,
    fact_of(OutQuestion, "table", needed=False),
    _held(OutQuestion),
)
_AFTER_ASKING = (
    page_choice("ends", "unsaid", "card", "none"),
    fact_of(OutQuestion, "discard", needed=True, only={"ends": "card"}),
    fact_of(OutQuestion, "red_threes", exists=_with_condition_on_red_threes),
    fact_of(OutQuestion, "concealed"),
    *_minimum(OutQuestion, concealed=YES, **_WITH_HAND),
)
OUT = QuestionPages(
    "chiusura",
    OutQuestion,
    (*_BEFORE_ASKING, _PERMISSION, *_AFTER_ASKING),
    (
        Mistake("permission-then-no-out", answers={"permission": "granted"}),
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
            json_choices={"red-three": Kind.RED_THREE.value},
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
MISTAKES_BY_ANSWER: Mapping[str, Answers] = {
    "wrong-dealer": {NO: "wrong-dealer", YES: "wrong-dealer-late"},
    "meld-out-of-turn": {
        "opponents": "meld-out-of-turn-opponents",
        "partner": "meld-out-of-turn-partner",
    },
    "red-three-not-exposed": {YES: "red-three-not-exposed", NO: "red-three-in-time"},
}
"""Questions that tell similar irregularities apart: the code of one for each answer."""
IN_TIME = "red-three-in-time"
"""A red three noticed during the hand: not yet an irregularity."""

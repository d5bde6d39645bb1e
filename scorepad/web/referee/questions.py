"""The questions of the referee: the facts that each asks for, one at a time, and in which order.

A fact has its name of the JSON schema. A few belong to the pages alone: `way`, `place`, `uses_top` and `ends` lead to
other facts, `who` is a side of a match, and `laid` are the cards of the hand without the pile's top card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from flask import url_for

from scorepad.i18n import Words
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.projection import MatchState, SideState
from scorepad.referee.answers import Verdict
from scorepad.referee.case import has_partner
from scorepad.rules.settings import OpeningBy, Settings
from scorepad.rules.variants import Ruleset
from scorepad.schemas.rulings import keys_of
from scorepad.web.hand_fields import referee_facts

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Situation:
    """What questions are asked under: the rules, the match if there is one, and what was answered so far.

    `typed` are the answers in the URL by name, `given` those that the question brings; `choices` the URL parameters of
    the rules, outside a match, and `chosen` what was chosen of them in words.
    """

    rules: Ruleset
    typed: Mapping[str, str]
    words: Words
    match: MatchState | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)
    chosen: str = ""

    @property
    def can_keep(self) -> bool:
        """Whether this device may keep a ruling with the match."""
        state = self.match
        return state is not None and state.access.can_write and not state.standing.finished

    @property
    def start_url(self) -> str:
        """The page with the questions."""
        if self.match is not None:
            return url_for("referee.start_in_match", match=self.match.id)
        return url_for("referee.start", **self.choices)

    def url(self, question: str, args: Mapping[str, Any], anchor: str | None = None) -> str:
        """The page of a question with these answers."""
        if self.match is not None:
            return url_for("referee.ask_in_match", match=self.match.id, question=question, **args, _anchor=anchor)
        return url_for("referee.ask", question=question, **{**self.choices, **args}, _anchor=anchor)

    @property
    def settings(self) -> Settings:
        """The settings of the rules."""
        return self.rules.settings

    def answer(self, name: str) -> str:
        """What was answered, or is known; empty where neither."""
        text = self.typed.get(name)
        return (self.known.get(name) or self.given.get(name, "") if text is None else text).strip()

    @property
    def side(self) -> int | None:
        """The position of the side that the question is about; None outside a match, or if it was not answered."""
        who = self.typed.get("who", "")
        is_side = self.match is not None and who in map(str, range(len(self.match.sides)))
        return int(who) if is_side else None

    @property
    def side_state(self) -> SideState | None:
        """That side as it stands."""
        return None if self.match is None or self.side is None else self.match.sides[self.side]

    @property
    def known(self) -> Mapping[str, str]:
        """What the match knows: the number of the hand, and of the side its score and what its open hand says."""
        if self.match is None:
            return {}
        known = {"deal": str(self.match.coming)}
        if self.side is not None:
            known |= {"score": str(self.match.sides[self.side].total), **self.of_open_hand(self.side)}
        return known

    def of_open_hand(self, side: int) -> Mapping[str, str]:
        """What the open hand of the match says of a side."""
        if self.match is None or self.match.open_hand is None:
            return {}
        return referee_facts(self.match.open_hand.draft, SIDE_KEYS[side], self.rules)


When = Callable[[Situation], bool]


class Input(StrEnum):
    """How a fact is answered."""

    CARD = "card"
    CARDS = "cards"
    """Cards of a meld, or of a hand."""
    TURNED = "turned"
    """Cards in the order in which they were turned."""
    MELDS = "melds"
    FIGURE = "figure"
    SCORE = "score"
    COUNTS = "counts"
    """How many canastas of each kind."""
    CHOICE = "choice"
    SIDE = "side"

    @property
    def takes_cards(self) -> bool:
        """Whether cards are tapped or typed."""
        return self in (Input.CARD, Input.CARDS, Input.TURNED, Input.MELDS)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact, by its name in the URL.

    The first of `values` holds where nobody says. `needed`: there is no answer without it. `only`: answers to other
    facts, one of which makes it a fact of the case. `aside`: set by a link or on the page of all facts, never asked by
    itself. `when`: whether there is such a fact at all. `blank`: the figure that an empty input stands for.
    """

    name: str
    input: Input
    values: tuple[str, ...] = ()
    needed: bool = False
    only: Mapping[str, str] = field(default_factory=dict)
    aside: bool = False
    when: When = lambda _: True
    blank: str = ""

    def of(self, situation: Situation) -> str:
        """The answer, or what holds without one."""
        return situation.answer(self.name) or (self.values[0] if self.values else "")


@dataclass(frozen=True, slots=True)
class Mistake:
    """What may have gone wrong already, by its code among the irregularities.

    It is listed with the verdict `after`, if one of the reasons `of` was given (any if empty), and with the answers
    `when`.
    """

    code: str
    of: tuple[str, ...] = ()
    when: Mapping[str, str] = field(default_factory=dict)
    after: Verdict = Verdict.FORBIDDEN


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its name in the URL, its kind in the schema, its facts, and the mistakes that go with its answers.

    `given` are answers that the question itself brings. `tells_silence`: if the answer is no and no mistake is known,
    the page says that the sources do not decide it.
    """

    name: str
    kind: str
    facts: tuple[Fact, ...]
    mistakes: tuple[Mistake, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    tells_silence: bool = False

    def title(self, words: Words) -> str:
        """The question in words."""
        own = f"referee.ask.{self.name}"
        return words.text(own if words.has(own) else f"referee.ask.{self.kind}")

    def asked(self, situation: Situation) -> tuple[Fact, ...]:
        """The facts of the case as far as it is known, in their order."""
        by_name = {fact.name: fact for fact in self.facts}

        def is_asked(fact: Fact) -> bool:
            leads = (by_name[name].of(situation) == value for name, value in fact.only.items())
            return fact.when(situation) and (not fact.only or any(leads))

        return tuple(fact for fact in self.facts if is_asked(fact))


def _of_match(situation: Situation) -> bool:
    return situation.match is not None


def _by_score(situation: Situation) -> bool:
    return situation.match is None and situation.settings.opening_by is OpeningBy.SCORE


def _by_hand_number(situation: Situation) -> bool:
    return situation.match is None and "deal" in situation.rules.entry_fields


def _way(kind: str, *values: str) -> Fact:
    return Fact("way", Input.CHOICE, values, aside=True, when=lambda _: len(values) > 2 or "hand" in keys_of(kind))  # noqa: PLR2004


_NO_YES, _YES_NO = (NO, YES), (YES, NO)
_MELDS, _HAND = {"way": "melds"}, {"way": "hand"}
_WHO = Fact("who", Input.SIDE, when=_of_match)
_TABLE = Fact("table", Input.MELDS)
_HELD = Fact("hand", Input.CARDS, needed=True, only=_HAND)
_TAKEN_BACK = Mistake("meld-taken-back", after=Verdict.ALLOWED)


def _minimum(**only: str) -> tuple[Fact, Fact]:
    """What an opening minimum goes by."""
    score = Fact("score", Input.SCORE, only=only, when=_by_score, blank="0")
    return score, Fact("deal", Input.FIGURE, only=only, when=_by_hand_number, blank="1")


PILE = Question(
    "pozzo",
    "pile",
    (
        Fact("top", Input.CARD, needed=True),
        Fact("frozen", Input.CHOICE, _NO_YES),
        _way("pile", "melds", "hand"),
        Fact("laid", Input.MELDS, only=_MELDS),
        _HELD,
        Fact("opened", Input.CHOICE, _YES_NO),
        _WHO,
        *_minimum(opened=NO),
        Fact("table", Input.MELDS, only={"opened": YES}),
    ),
    (Mistake("pile-taken-without-meld"), Mistake("pile-taken-top-card-unused")),
)
_OPENING = (
    _way("opening", "melds", "minimum", "hand"),
    Fact("uses_top", Input.CHOICE, _NO_YES, aside=True),
    Fact("top_card", Input.CARD, needed=True, only={"uses_top": YES}),
    Fact("melds", Input.MELDS, needed=True, only=_MELDS),
    _HELD,
    _WHO,
    *_minimum(),
    Fact("concealed_out", Input.CHOICE, _NO_YES),
)
_UNDER = (Mistake("opening-under-minimum", ("opening-below-minimum",)), _TAKEN_BACK)
OPENING = Question("apertura", "opening", _OPENING, _UNDER, tells_silence=True)
OPENING_WITH_TOP = Question("apertura-pozzo", "opening", _OPENING, _UNDER, {"uses_top": YES}, tells_silence=True)
MELD = Question(
    "calata",
    "meld",
    (
        Fact("cards", Input.CARDS, needed=True),
        Fact("going_out", Input.CHOICE, _NO_YES),
        Fact("place", Input.CHOICE, ("new", "on")),
        Fact("on", Input.CARDS, needed=True, only={"place": "on"}),
        _WHO,
        _TABLE,
    ),
    (_TAKEN_BACK,),
    tells_silence=True,
)
_PERMISSION = Fact(
    "permission", Input.CHOICE, ("not-asked", "granted", "refused"), when=lambda asked: has_partner(asked.settings)
)
_OUT = (
    _way("out", "melds", "hand"),
    _WHO,
    _TABLE,
    _HELD,
    Fact("ends", Input.CHOICE, ("unsaid", "card", "none")),
    Fact("discard", Input.CARD, needed=True, only={"ends": "card"}),
    Fact("red_threes", Input.FIGURE, blank="0", when=lambda asked: asked.settings.out_red_threes != "any"),
    Fact("concealed", Input.CHOICE, _NO_YES),
    *_minimum(concealed=YES, **_HAND),
)
_AFTER_ASKING = (
    Mistake("permission-then-no-out", when={"permission": "granted"}),
    Mistake("out-after-no", ("permission-refused",)),
)
OUT = Question("chiusura", "out", (*_OUT[:4], _PERMISSION, *_OUT[4:]), _AFTER_ASKING)
PERMISSION = Question("permesso", "out", (_PERMISSION, *_OUT), _AFTER_ASKING)
UPCARD = Question("prima-carta", "upcard", (Fact("cards", Input.TURNED, needed=True),))
DISCARD = Question(
    "scarto",
    "discard",
    (
        Fact("card", Input.CARD, needed=True),
        Fact("last", Input.CHOICE, _NO_YES),
        Fact("first_round", Input.CHOICE, _NO_YES),
        _WHO,
        Fact("table", Input.MELDS),
        Fact("wild_meld_incomplete", Input.CHOICE, _NO_YES),
    ),
)
RED_THREES = Question(
    "tre-rossi",
    "red-threes",
    (
        _WHO,
        Fact("count", Input.FIGURE, needed=True),
        Fact("opened", Input.CHOICE, _YES_NO),
        Fact("canastas", Input.COUNTS),
    ),
)
END_OF_STOCK = Question(
    "tallone",
    "end-of-stock",
    (
        Fact("last_card", Input.CHOICE, ("other", "red-three")),
        Fact("top", Input.CARD),
        _WHO,
        Fact("table", Input.MELDS),
        Fact("pile_has_wild", Input.CHOICE, _NO_YES),
        Fact("pile_has_red_three", Input.CHOICE, _NO_YES),
    ),
)
PENALTY = Question("penalita", "penalty", ())

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
"""The irregularities by what went wrong; those of a game's own stand with the last, which the table decides."""
TURNING: Mapping[str, Mapping[str, str]] = {
    "wrong-dealer": {NO: "wrong-dealer", YES: "wrong-dealer-late"},
    "meld-out-of-turn": {"opponents": "meld-out-of-turn-opponents", "partner": "meld-out-of-turn-partner"},
    "red-three-not-exposed": {YES: "red-three-not-exposed", NO: "red-three-in-time"},
}
"""Mistakes that one question tells apart: by the answers to it, the codes of the irregularities."""
IN_TIME = "red-three-in-time"
"""A red three noticed while the hand goes on: no irregularity yet."""

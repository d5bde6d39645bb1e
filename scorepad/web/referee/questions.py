"""The questions of the table: which steps each is asked in, and what each step asks for.

What a step asks is named as in the JSON contract, so that an address says what the contract says. A few slots only
lead on (`way`, `place`, `uses_top`, `ends`): they are the page's own; `laid` are the cards of the hand, without the top
card that `with` holds too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from scorepad.rules.terms import ConcealedOut, Condition, OpeningBy
from scorepad.web.referee.situation import NO, YES, Situation


class Input(StrEnum):
    """How something is asked for."""

    CARD = "card"
    CARDS = "cards"
    """Any cards: those of a meld, or of a hand."""
    TURNED = "turned"
    """Cards one after the other, in their order."""
    MELDS = "melds"
    FIGURE = "figure"
    SCORE = "score"
    COUNTS = "counts"
    """How many canastas of each kind."""
    CHOICE = "choice"
    SIDE = "side"


Asks = Callable[[Situation], bool]


def _always(_: Situation) -> bool:
    return True


def _is(name: str, value: str) -> Asks:
    return lambda situation: situation.said(name) == value


def _all(*conditions: Asks) -> Asks:
    return lambda situation: all(condition(situation) for condition in conditions)


def _alone(situation: Situation) -> bool:
    return situation.match is None


def _by_score(situation: Situation) -> bool:
    return situation.rules.settings.opening_by is OpeningBy.SCORE


def _by_deal(situation: Situation) -> bool:
    return "deal" in situation.rules.entry_fields


def _may_freeze(situation: Situation) -> bool:
    return situation.rules.settings.freezing == "discarded-wild"


def _wants_red_threes(situation: Situation) -> bool:
    return situation.rules.settings.out_red_threes != "any"


def _melds_wilds(situation: Situation) -> bool:
    return situation.rules.settings.wild_melds == "allowed"


def _by_canastas(situation: Situation) -> bool:
    return situation.rules.settings.red_threes_condition is not Condition.OPENED


def _takes_the_pile_at_the_end(situation: Situation) -> bool:
    # A red three drawn last ends the hand whatever else there is.
    return situation.rules.settings.end_of_stock == "giochi" and situation.said("last_card") != "red-three"


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that is asked for, by its name in the address.

    The first of `values` goes without saying. `needed`: without it there is no question. `when`: whether it is asked.
    """

    name: str
    input: Input
    values: tuple[str, ...] = ()
    needed: bool = False
    when: Asks = _always


@dataclass(frozen=True, slots=True)
class Step:
    """What is asked on one screen."""

    name: str
    slots: tuple[Slot, ...]

    def asked(self, situation: Situation) -> tuple[Slot, ...]:
        """What of it is asked in this situation."""
        return tuple(slot for slot in self.slots if slot.when(situation))


@dataclass(frozen=True, slots=True)
class Slip:
    """What may have gone wrong already where the answer is no, by its code in the catalogue.

    `of` are the codes of the reasons that it goes with (none: any), `when` whether it goes with what was said.
    """

    code: str
    of: tuple[str, ...] = ()
    when: Asks = _always


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its name in the address, its kind in the contract, its steps, what may have gone wrong already."""

    name: str
    kind: str
    steps: tuple[Step, ...]
    slips: tuple[Slip, ...] = ()

    def asked(self, situation: Situation) -> tuple[Step, ...]:
        """The steps that ask for anything in this situation."""
        return tuple(step for step in self.steps if step.asked(situation))


_NO_YES, _YES_NO = (NO, YES), (YES, NO)
_WHO = Slot("who", Input.SIDE, needed=True, when=lambda situation: situation.match is not None)
_DEAL = Slot("deal", Input.FIGURE, when=_all(_alone, _by_deal))
_OF_HAND = _is("way", "hand")
_OF_MELDS = _is("way", "melds")


def opens_going_out(situation: Situation) -> bool:
    """Whether it may be asked of a going out if what is laid opens."""
    is_concealed = situation.said("concealed") == YES
    asks = is_concealed and situation.rules.settings.concealed_out is ConcealedOut.OPENING_TURN
    return asks or _OF_HAND(situation)


PILE = Question(
    "pozzo",
    "pile",
    (
        Step("cima", (_WHO, Slot("top", Input.CARD, needed=True))),
        Step(
            "pozzo",
            (
                Slot("opened", Input.CHOICE, _YES_NO),
                Slot("frozen", Input.CHOICE, _NO_YES, when=_may_freeze),
                Slot("way", Input.CHOICE, ("melds", "hand"), when=lambda situation: situation.takes_hand("pile")),
            ),
        ),
        Step(
            "punti",
            (
                Slot("score", Input.SCORE, when=_all(_alone, _by_score, _is("opened", NO))),
                Slot("deal", Input.FIGURE, when=_all(_alone, _by_deal, _is("opened", NO))),
            ),
        ),
        Step("tavolo", (Slot("table", Input.MELDS, when=_is("opened", YES)),)),
        Step(
            "mano", (Slot("laid", Input.MELDS, when=_OF_MELDS), Slot("hand", Input.CARDS, needed=True, when=_OF_HAND))
        ),
    ),
    (Slip("pile-taken-without-meld"), Slip("pile-taken-top-card-unused")),
)
OPENING = Question(
    "apertura",
    "opening",
    (
        Step(
            "punti",
            (
                _WHO,
                Slot("score", Input.SCORE, when=_all(_alone, _by_score)),
                _DEAL,
                Slot("way", Input.CHOICE, ("melds", "minimum", "hand")),
                Slot("uses_top", Input.CHOICE, _NO_YES, when=lambda situation: situation.said("way") != "minimum"),
                Slot("concealed_out", Input.CHOICE, _NO_YES),
            ),
        ),
        Step("cima", (Slot("top_card", Input.CARD, needed=True, when=_is("uses_top", YES)),)),
        Step(
            "carte",
            (
                Slot("melds", Input.MELDS, needed=True, when=_OF_MELDS),
                Slot("hand", Input.CARDS, needed=True, when=_OF_HAND),
            ),
        ),
    ),
    (Slip("opening-under-minimum", ("opening-below-minimum",)), Slip("meld-taken-back")),
)
OUT = Question(
    "chiusura",
    "out",
    (
        Step(
            "come",
            (
                _WHO,
                Slot("way", Input.CHOICE, ("melds", "hand"), when=lambda situation: situation.takes_hand("out")),
                Slot("concealed", Input.CHOICE, _NO_YES),
                Slot("permission", Input.CHOICE, ("not-asked", "granted", "refused")),
                Slot("red_threes", Input.FIGURE, when=_wants_red_threes),
            ),
        ),
        Step(
            "punti",
            (
                Slot("score", Input.SCORE, when=_all(_alone, _by_score, opens_going_out)),
                Slot("deal", Input.FIGURE, when=_all(_alone, _by_deal, opens_going_out)),
            ),
        ),
        Step("tavolo", (Slot("table", Input.MELDS),)),
        Step("mano", (Slot("hand", Input.CARDS, needed=True, when=_OF_HAND),)),
        Step("scarto", (Slot("ends", Input.CHOICE, ("unsaid", "card", "none")),)),
        Step("ultima", (Slot("discard", Input.CARD, needed=True, when=_is("ends", "card")),)),
    ),
    (Slip("permission-then-no-out", when=_is("permission", "granted")), Slip("out-after-no", ("permission-refused",))),
)
MELD = Question(
    "calata",
    "meld",
    (
        Step("carte", (Slot("cards", Input.CARDS, needed=True),)),
        Step(
            "dove",
            (
                Slot("place", Input.CHOICE, ("new", "on")),
                Slot("going_out", Input.CHOICE, _NO_YES),
            ),
        ),
        Step("tavolo", (Slot("on", Input.CARDS, needed=True, when=_is("place", "on")),)),
    ),
    (Slip("meld-taken-back"),),
)
UPCARD = Question("prima-carta", "upcard", (Step("carte", (Slot("cards", Input.TURNED, needed=True),)),))
DISCARD = Question(
    "scarto",
    "discard",
    (
        Step("carta", (Slot("card", Input.CARD, needed=True),)),
        Step(
            "quando",
            (
                Slot("first_round", Input.CHOICE, _NO_YES),
                Slot("last", Input.CHOICE, _NO_YES),
                Slot("wild_meld_incomplete", Input.CHOICE, _NO_YES, when=_melds_wilds),
            ),
        ),
    ),
)
RED_THREES = Question(
    "tre-rossi",
    "red-threes",
    (
        Step("quanti", (_WHO, Slot("count", Input.FIGURE, needed=True), Slot("opened", Input.CHOICE, _YES_NO))),
        Step("canaste", (Slot("canastas", Input.COUNTS, when=_by_canastas),)),
    ),
)
PENALTY = Question("penalita", "penalty", ())
END_OF_STOCK = Question(
    "tallone",
    "end-of-stock",
    (
        Step("ultima", (_WHO, Slot("last_card", Input.CHOICE, ("other", "red-three")))),
        Step(
            "cima",
            (
                Slot("top", Input.CARD, when=_takes_the_pile_at_the_end),
                Slot("pile_has_wild", Input.CHOICE, _NO_YES, when=_takes_the_pile_at_the_end),
                Slot("pile_has_red_three", Input.CHOICE, _NO_YES, when=_takes_the_pile_at_the_end),
            ),
        ),
        Step("tavolo", (Slot("table", Input.MELDS, when=_takes_the_pile_at_the_end),)),
    ),
)

QUESTIONS = (PILE, OPENING, MELD, OUT, UPCARD, DISCARD, RED_THREES, PENALTY, END_OF_STOCK)
"""In the order of the page: what is asked most at a table first."""
BY_NAME = {question.name: question for question in QUESTIONS}
BY_KIND = {question.kind: question for question in QUESTIONS}

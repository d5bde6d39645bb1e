"""The questions of the table: which steps each is asked in, and what each step asks for.

What a step asks is named as in the JSON contract, so that an address says what the contract says. A few slots only
lead on (`way`, `place`, `uses_top`, `ends`): they are the page's own; `laid` are the cards of the hand, without the top
card that `with` holds too.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scorepad.referee.answers import Verdict
from scorepad.web.referee.conditions import (
    Asks,
    all_of,
    alone,
    always,
    bars_black_threes,
    by_canastas,
    by_deal,
    by_score,
    fitting_melds_decide,
    is_said,
    may_freeze,
    opens_going_out,
    other_melds_decide,
    takes_the_pile_at_the_end,
    wants_red_threes,
    wild_melds_bar,
    with_partner,
)
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


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that is asked for, by its name in the address.

    The first of `values` goes without saying. `needed`: without it there is no question. `when`: whether it is asked.
    `blank`: the figure that an empty field stands for.
    """

    name: str
    input: Input
    values: tuple[str, ...] = ()
    needed: bool = False
    when: Asks = always
    blank: str = ""


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
    """What may have gone wrong already, by its code in the catalogue.

    It goes with the answer `after`; `of` are the codes of the reasons that it goes with (none: any), `when` whether it
    goes with what was said.
    """

    code: str
    of: tuple[str, ...] = ()
    when: Asks = always
    after: Verdict = Verdict.FORBIDDEN


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its name in the address, its kind in the contract, its steps, what may have gone wrong already.

    `tells_silence`: where the answer is no and nothing known goes with it, that the sources do not say what then.
    """

    name: str
    kind: str
    steps: tuple[Step, ...]
    slips: tuple[Slip, ...] = ()
    tells_silence: bool = False

    def asked(self, situation: Situation) -> tuple[Step, ...]:
        """The steps that ask for anything in this situation."""
        return tuple(step for step in self.steps if step.asked(situation))


_NO_YES, _YES_NO = (NO, YES), (YES, NO)
_WHO = Slot("who", Input.SIDE, needed=True, when=lambda situation: situation.match is not None)
_DEAL = Slot("deal", Input.FIGURE, when=all_of(alone, by_deal), blank="1")
_TAKEN_BACK = Slip("meld-taken-back", after=Verdict.ALLOWED)
_OF_HAND = is_said("way", "hand")
_OF_MELDS = is_said("way", "melds")


PILE = Question(
    "pozzo",
    "pile",
    (
        Step("cima", (_WHO, Slot("top", Input.CARD, needed=True))),
        Step(
            "pozzo",
            (
                Slot("opened", Input.CHOICE, _YES_NO),
                Slot("frozen", Input.CHOICE, _NO_YES, when=may_freeze),
                Slot("way", Input.CHOICE, ("melds", "hand"), when=lambda situation: situation.takes_hand("pile")),
            ),
        ),
        Step(
            "punti",
            (
                Slot("score", Input.SCORE, when=all_of(alone, by_score, is_said("opened", NO)), blank="0"),
                Slot("deal", Input.FIGURE, when=all_of(alone, by_deal, is_said("opened", NO)), blank="1"),
            ),
        ),
        Step("tavolo", (Slot("table", Input.MELDS, when=is_said("opened", YES)),)),
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
                Slot("score", Input.SCORE, when=all_of(alone, by_score), blank="0"),
                _DEAL,
                Slot("way", Input.CHOICE, ("melds", "minimum", "hand")),
                Slot("uses_top", Input.CHOICE, _NO_YES, when=lambda situation: situation.said("way") != "minimum"),
                Slot("concealed_out", Input.CHOICE, _NO_YES),
            ),
        ),
        Step("cima", (Slot("top_card", Input.CARD, needed=True, when=is_said("uses_top", YES)),)),
        Step(
            "carte",
            (
                Slot("melds", Input.MELDS, needed=True, when=_OF_MELDS),
                Slot("hand", Input.CARDS, needed=True, when=_OF_HAND),
            ),
        ),
    ),
    (Slip("opening-under-minimum", ("opening-below-minimum",)), _TAKEN_BACK),
    tells_silence=True,
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
                Slot("permission", Input.CHOICE, ("not-asked", "granted", "refused"), when=with_partner),
                Slot("red_threes", Input.FIGURE, when=wants_red_threes, blank="0"),
            ),
        ),
        Step(
            "punti",
            (
                Slot("score", Input.SCORE, when=all_of(alone, by_score, opens_going_out), blank="0"),
                Slot("deal", Input.FIGURE, when=all_of(alone, by_deal, opens_going_out), blank="1"),
            ),
        ),
        Step("tavolo", (Slot("table", Input.MELDS),)),
        Step("mano", (Slot("hand", Input.CARDS, needed=True, when=_OF_HAND),)),
        Step("scarto", (Slot("ends", Input.CHOICE, ("unsaid", "card", "none")),)),
        Step("ultima", (Slot("discard", Input.CARD, needed=True, when=is_said("ends", "card")),)),
    ),
    (
        Slip("permission-then-no-out", when=is_said("permission", "granted")),
        Slip("out-after-no", ("permission-refused",)),
    ),
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
        Step(
            "tavolo",
            (
                Slot("on", Input.CARDS, needed=True, when=is_said("place", "on")),
                Slot("table", Input.MELDS, when=other_melds_decide),
            ),
        ),
    ),
    (_TAKEN_BACK,),
    tells_silence=True,
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
                Slot("first_round", Input.CHOICE, _NO_YES, when=bars_black_threes),
                Slot("last", Input.CHOICE, _NO_YES),
                Slot("wild_meld_incomplete", Input.CHOICE, _NO_YES, when=wild_melds_bar),
            ),
        ),
        Step("tavolo", (Slot("table", Input.MELDS, when=fitting_melds_decide),)),
    ),
)
RED_THREES = Question(
    "tre-rossi",
    "red-threes",
    (
        Step("quanti", (_WHO, Slot("count", Input.FIGURE, needed=True), Slot("opened", Input.CHOICE, _YES_NO))),
        Step("canaste", (Slot("canastas", Input.COUNTS, when=by_canastas),)),
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
                Slot("top", Input.CARD, when=takes_the_pile_at_the_end),
                Slot("pile_has_wild", Input.CHOICE, _NO_YES, when=takes_the_pile_at_the_end),
                Slot("pile_has_red_three", Input.CHOICE, _NO_YES, when=takes_the_pile_at_the_end),
            ),
        ),
        Step("tavolo", (Slot("table", Input.MELDS, when=takes_the_pile_at_the_end),)),
    ),
)

QUESTIONS = (PILE, OPENING, MELD, OUT, UPCARD, DISCARD, RED_THREES, PENALTY, END_OF_STOCK)
"""In the order of the page: what is asked most at a table first."""
BY_NAME = {question.name: question for question in QUESTIONS}
BY_KIND = {question.kind: question for question in QUESTIONS}

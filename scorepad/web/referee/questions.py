"""The questions of the referee's pages: a table of what each asks, in which steps, and under which conditions.

What a step asks is named as in the JSON schema of the question. A few inputs belong to the page alone: `way`, `place`,
`uses_top` and `ends` decide what is asked next, and `laid` are the cards of the hand without the pile's top card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scorepad.i18n import Words
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.projection import MatchState, SideState
from scorepad.referee.answers import Verdict
from scorepad.referee.case import has_partner
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.settings import ConcealedOut, Condition, OpeningBy, Settings, Shape
from scorepad.rules.variants import Ruleset
from scorepad.schemas.rulings import keys_of
from scorepad.web.hand_fields import referee_facts
from scorepad.web.referee.cards import cards_of

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Situation:
    """The rules that a question is asked under, and what was answered so far.

    `typed` are the answers in the URL, by name; `first` the defaults of the choices; `choices` the URL parameters of
    the rules, outside a match.
    """

    rules: Ruleset
    typed: Mapping[str, str]
    words: Words
    match: MatchState | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    first: Mapping[str, str] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        """The settings of the rules."""
        return self.rules.settings

    def answer(self, name: str) -> str:
        """The answer to an input, or its default."""
        return self.typed.get(name, self.default(name)).strip()

    def default(self, name: str) -> str:
        """What the open hand of the match knows, else the first of the choices."""
        return self.known.get(name, self.first.get(name, ""))

    def takes_hand(self, kind: str) -> bool:
        """Whether a question of this kind may be asked with a whole hand of cards."""
        return "hand" in keys_of(kind)

    @property
    def side(self) -> int | None:
        """The position of the side that the question is about; None outside a match, or if it was not answered."""
        if self.match is None:
            return None
        position = self.typed.get("who", "")
        return int(position) if position in {str(place) for place, _ in enumerate(self.match.sides)} else None

    @property
    def side_state(self) -> SideState | None:
        """That side as it stands."""
        return None if self.match is None or self.side is None else self.match.sides[self.side]

    @property
    def score(self) -> int:
        """The match total of that side; points."""
        return self.side_state.total if self.side_state else 0

    @property
    def known(self) -> Mapping[str, str]:
        """What the open hand says of that side."""
        if self.match is None or self.side is None or self.match.open_hand is None:
            return {}
        return referee_facts(self.match.open_hand.draft, SIDE_KEYS[self.side], self.rules)


When = Callable[[Situation], bool]


class Input(StrEnum):
    """How an input is answered."""

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
class Slot:
    """An input of a step, by its name in the URL.

    The first of `values` is the default. `needed`: the question cannot be asked without it. `blank`: the figure that an
    empty input stands for. `when`: whether it is asked.
    """

    name: str
    input: Input
    values: tuple[str, ...] = ()
    needed: bool = False
    when: When = lambda _: True
    blank: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """The inputs of one page."""

    name: str
    slots: tuple[Slot, ...]

    def asked(self, situation: Situation) -> tuple[Slot, ...]:
        """The inputs that are asked in this situation."""
        return tuple(slot for slot in self.slots if slot.when(situation))


@dataclass(frozen=True, slots=True)
class Mistake:
    """What may have gone wrong already, by its code among the irregularities.

    It is listed with the verdict `after`, if one of the reasons `of` was given (any if empty), and if `when` holds.
    """

    code: str
    of: tuple[str, ...] = ()
    when: When = lambda _: True
    after: Verdict = Verdict.FORBIDDEN


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its name in the URL, its kind in the schema, its steps, and the mistakes that go with its answers.

    `tells_silence`: if the answer is no and no mistake is known, the page says that the sources do not decide it.
    """

    name: str
    kind: str
    steps: tuple[Step, ...]
    mistakes: tuple[Mistake, ...] = ()
    tells_silence: bool = False

    def asked(self, situation: Situation) -> tuple[Step, ...]:
        """The steps that ask anything in this situation."""
        return tuple(step for step in self.steps if step.asked(situation))


# ---------------------------------------------------------------- conditions


def _is(name: str, value: str) -> When:
    return lambda situation: situation.answer(name) == value


def _all(*conditions: When) -> When:
    return lambda situation: all(condition(situation) for condition in conditions)


def _outside_match(situation: Situation) -> bool:
    return situation.match is None


def _by_score(situation: Situation) -> bool:
    return situation.settings.opening_by is OpeningBy.SCORE


def _by_hand_number(situation: Situation) -> bool:
    return "deal" in situation.rules.entry_fields


def _bars_black_threes(situation: Situation) -> bool:
    """Whether it matters to this discard that it is the first round."""
    is_barred = situation.settings.first_round_black_threes == "forbidden"
    return is_barred and read_cards(cards_of(situation.answer("card"))).cards.of(Kind.BLACK_THREE) > 0


def _wild_melds_bar(situation: Situation) -> bool:
    """Whether an incomplete meld of wild cards bars a discard."""
    bars_out = any(each.bars_out and each.shape is Shape.WILDS for each in situation.settings.incomplete)
    return bars_out or situation.settings.wilds_blocked != "nothing"


def _other_melds_decide(situation: Situation) -> bool:
    """Whether the side's other melds decide if cards may be laid."""
    settings = situation.settings
    return settings.repeated_rank == "not-incomplete" or settings.wilds_blocked != "nothing"


def _takes_the_pile_at_the_end(situation: Situation) -> bool:
    # A red three drawn last ends the hand in any case.
    return situation.settings.end_of_stock == "giochi" and situation.answer("last_card") != "red-three"


def opens_going_out(situation: Situation) -> bool:
    """Whether going out may depend on the opening minimum."""
    is_concealed = situation.answer("concealed") == YES
    is_opening = is_concealed and situation.settings.concealed_out is ConcealedOut.OPENING_TURN
    return is_opening or situation.answer("way") == "hand"


# ---------------------------------------------------------------- the table

_NO_YES, _YES_NO = (NO, YES), (YES, NO)
_HAND, _MELDS = _is("way", "hand"), _is("way", "melds")
_WHO = Slot("who", Input.SIDE, needed=True, when=lambda situation: situation.match is not None)
_DEAL = Slot("deal", Input.FIGURE, when=_all(_outside_match, _by_hand_number), blank="1")
_TAKEN_BACK = Mistake("meld-taken-back", after=Verdict.ALLOWED)


PILE = Question(
    "pozzo",
    "pile",
    (
        Step("cima", (_WHO, Slot("top", Input.CARD, needed=True))),
        Step(
            "pozzo",
            (
                Slot("opened", Input.CHOICE, _YES_NO),
                Slot("frozen", Input.CHOICE, _NO_YES, when=lambda asked: asked.settings.freezing == "discarded-wild"),
                Slot("way", Input.CHOICE, ("melds", "hand"), when=lambda asked: asked.takes_hand("pile")),
            ),
        ),
        Step(
            "punti",
            (
                Slot("score", Input.SCORE, when=_all(_outside_match, _by_score, _is("opened", NO)), blank="0"),
                Slot("deal", Input.FIGURE, when=_all(_outside_match, _by_hand_number, _is("opened", NO)), blank="1"),
            ),
        ),
        Step("tavolo", (Slot("table", Input.MELDS, when=_is("opened", YES)),)),
        Step("mano", (Slot("laid", Input.MELDS, when=_MELDS), Slot("hand", Input.CARDS, needed=True, when=_HAND))),
    ),
    (Mistake("pile-taken-without-meld"), Mistake("pile-taken-top-card-unused")),
)
OPENING = Question(
    "apertura",
    "opening",
    (
        Step(
            "punti",
            (
                _WHO,
                Slot("score", Input.SCORE, when=_all(_outside_match, _by_score), blank="0"),
                _DEAL,
                Slot("way", Input.CHOICE, ("melds", "minimum", "hand")),
                Slot("uses_top", Input.CHOICE, _NO_YES, when=lambda asked: asked.answer("way") != "minimum"),
                Slot("concealed_out", Input.CHOICE, _NO_YES),
            ),
        ),
        Step("cima", (Slot("top_card", Input.CARD, needed=True, when=_is("uses_top", YES)),)),
        Step(
            "carte",
            (
                Slot("melds", Input.MELDS, needed=True, when=_MELDS),
                Slot("hand", Input.CARDS, needed=True, when=_HAND),
            ),
        ),
    ),
    (Mistake("opening-under-minimum", ("opening-below-minimum",)), _TAKEN_BACK),
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
                Slot("way", Input.CHOICE, ("melds", "hand"), when=lambda asked: asked.takes_hand("out")),
                Slot("concealed", Input.CHOICE, _NO_YES),
                Slot(
                    "permission",
                    Input.CHOICE,
                    ("not-asked", "granted", "refused"),
                    when=lambda asked: has_partner(asked.settings),
                ),
                Slot("red_threes", Input.FIGURE, when=lambda asked: asked.settings.out_red_threes != "any", blank="0"),
            ),
        ),
        Step(
            "punti",
            (
                Slot("score", Input.SCORE, when=_all(_outside_match, _by_score, opens_going_out), blank="0"),
                Slot("deal", Input.FIGURE, when=_all(_outside_match, _by_hand_number, opens_going_out), blank="1"),
            ),
        ),
        Step("tavolo", (Slot("table", Input.MELDS),)),
        Step("mano", (Slot("hand", Input.CARDS, needed=True, when=_HAND),)),
        Step("scarto", (Slot("ends", Input.CHOICE, ("unsaid", "card", "none")),)),
        Step("ultima", (Slot("discard", Input.CARD, needed=True, when=_is("ends", "card")),)),
    ),
    (
        Mistake("permission-then-no-out", when=_is("permission", "granted")),
        Mistake("out-after-no", ("permission-refused",)),
    ),
)
MELD = Question(
    "calata",
    "meld",
    (
        Step("carte", (Slot("cards", Input.CARDS, needed=True),)),
        Step("dove", (Slot("place", Input.CHOICE, ("new", "on")), Slot("going_out", Input.CHOICE, _NO_YES))),
        Step(
            "tavolo",
            (
                Slot("on", Input.CARDS, needed=True, when=_is("place", "on")),
                Slot("table", Input.MELDS, when=_other_melds_decide),
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
                Slot("first_round", Input.CHOICE, _NO_YES, when=_bars_black_threes),
                Slot("last", Input.CHOICE, _NO_YES),
                Slot("wild_meld_incomplete", Input.CHOICE, _NO_YES, when=_wild_melds_bar),
            ),
        ),
        Step(
            "tavolo",
            (Slot("table", Input.MELDS, when=lambda asked: asked.settings.discard_fitting == "forbidden"),),
        ),
    ),
)
RED_THREES = Question(
    "tre-rossi",
    "red-threes",
    (
        Step("quanti", (_WHO, Slot("count", Input.FIGURE, needed=True), Slot("opened", Input.CHOICE, _YES_NO))),
        Step(
            "canaste",
            (
                Slot(
                    "canastas",
                    Input.COUNTS,
                    when=lambda asked: asked.settings.red_threes_condition is not Condition.OPENED,
                ),
            ),
        ),
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
"""In the order of the page."""
BY_NAME = {question.name: question for question in QUESTIONS}
BY_KIND = {question.kind: question for question in QUESTIONS}

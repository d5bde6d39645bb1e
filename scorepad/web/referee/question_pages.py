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
from scorepad.web.referee.facts import (
    BLACK_THREE_LAST,
    NO,
    YES,
    Answers,
    Fact,
    FactName,
    InputKind,
    Way,
    make_fact,
    make_page_choice,
)

ENDS_WITHOUT_DISCARD = "none"
"""The answer to the fact `ends` of a player whose last turn ends without a discard."""


class Mistake(NamedTuple):
    """An irregularity (a mistake in play that is penalised), by its code, that may follow a ruling.

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

    `implied` are answers that follow from the question itself. `tells_silence`: if the answer is no
    and no mistake is known, the page says that the sources do not decide it.
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
        """Return the question in words."""
        return words.t(words.find_known_key(f"referee.ask.{self.name}", f"referee.ask.{self.kind}"))


_WITH_MELDS: Answers = {FactName.WAY: Way.MELDS}
_WITH_HAND: Answers = {FactName.WAY: Way.HAND}


# Each of these says whether a fact matters under some rules, in a match or outside one.


def _is_in_match(_rules: Ruleset, in_match: bool) -> bool:
    return in_match


def _must_tell_score(rules: Ruleset, in_match: bool) -> bool:
    return rules.settings.opening_by == "score" and not in_match


def _must_tell_number_of_hand(rules: Ruleset, in_match: bool) -> bool:
    return "deal" in rules.entry_fields and not in_match


def _has_partner(rules: Ruleset, _in_match: bool) -> bool:
    return has_partner(rules.settings)


def _has_condition_on_red_threes(rules: Ruleset, _in_match: bool) -> bool:
    return rules.settings.out_red_threes != "any"


def _may_be_frozen(rules: Ruleset, _in_match: bool) -> bool:
    return rules.settings.freezing == "discarded-wild"


def _has_dead_ranks(rules: Ruleset, _in_match: bool) -> bool:
    return rules.settings.dead_ranks != "none"


def _may_bar_from_empty_pile(rules: Ruleset, _in_match: bool) -> bool:
    return bool(rules.settings.empty_pile_bars)


def _may_keep_wilds_in_hand(rules: Ruleset, _in_match: bool) -> bool:
    return rules.settings.wild_discard != "any"


def _has_foot(rules: Ruleset, _in_match: bool) -> bool:
    return rules.settings.hands_each > 1


def _needs_partner_in_foot(rules: Ruleset, _in_match: bool) -> bool:
    return rules.settings.out_partner_foot == "needed"


_WHO = Fact(FactName.WHO, InputKind.SIDE, matters_under=_is_in_match)
_TAKEN_BACK = Mistake("meld-taken-back", verdict=Verdict.ALLOWED)


def _whole_hand(question: type[AnyQuestion]) -> Fact:
    """Make the fact "all the cards that the player holds", for a player who gives a whole hand."""
    return make_fact(question, FactName.HAND, needed=True, asked_after=_WITH_HAND)


def _make_facts_for_minimum(question: type[AnyQuestion], asked_after: Answers) -> tuple[Fact, Fact]:
    """Make the facts on which the points depend that the first cards of a side must reach.

    It is the score of the side in most games, and the number of the hand (the round) in others. In
    a match the pages ask for neither, as the match knows both. `asked_after` are answers to other
    facts: one of them must be given before.
    """
    score = make_fact(
        question, FactName.SCORE, asked_after=asked_after, matters_under=_must_tell_score
    )
    number_of_hand = make_fact(
        question, FactName.DEAL, asked_after=asked_after, matters_under=_must_tell_number_of_hand
    )
    return score, number_of_hand


PILE = QuestionPages(
    "pozzo",
    PileQuestion,
    (
        make_fact(PileQuestion, FactName.TOP),
        make_fact(PileQuestion, "frozen", matters_under=_may_be_frozen),
        make_page_choice(FactName.WAY, Way.MELDS, Way.HAND, never_asked_alone=True),
        # They become a field together with the top card: `Case.as_json`.
        make_fact(PileQuestion, FactName.LAID, asked_after=_WITH_MELDS)._replace(field=None),
        _whole_hand(PileQuestion),
        make_fact(PileQuestion, FactName.OPENED),
        _WHO,
        *_make_facts_for_minimum(PileQuestion, asked_after={FactName.OPENED: NO}),
        make_fact(PileQuestion, FactName.TABLE, asked_after={FactName.OPENED: YES}),
        make_fact(PileQuestion, FactName.OPPONENTS, matters_under=_has_dead_ranks),
    ),
    (Mistake("pile-taken-without-meld"), Mistake("pile-taken-top-card-unused")),
)
OPENING = QuestionPages(
    "apertura",
    OpeningQuestion,
    (
        make_page_choice(FactName.WAY, Way.MELDS, Way.MINIMUM, Way.HAND, never_asked_alone=True),
        make_page_choice(FactName.USES_TOP, NO, YES, never_asked_alone=True),
        make_fact(OpeningQuestion, "top_card", needed=True, asked_after={FactName.USES_TOP: YES}),
        make_fact(OpeningQuestion, "melds", needed=True, asked_after=_WITH_MELDS),
        _whole_hand(OpeningQuestion),
        _WHO,
        *_make_facts_for_minimum(OpeningQuestion, asked_after={}),
        make_fact(OpeningQuestion, "concealed_out"),
        make_fact(OpeningQuestion, FactName.OPPONENTS, matters_under=_has_dead_ranks),
    ),
    (Mistake("opening-under-minimum", ("opening-below-minimum",)), _TAKEN_BACK),
    tells_silence=True,
)
OPENING_WITH_TOP = OPENING._replace(name="apertura-pozzo", implied={FactName.USES_TOP: YES})
MELD = QuestionPages(
    "calata",
    MeldQuestion,
    (
        make_fact(MeldQuestion, "cards"),
        make_fact(MeldQuestion, "going_out"),
        make_page_choice(FactName.LAID_AS, "new", "on"),
        make_fact(MeldQuestion, FactName.ON, needed=True, asked_after={FactName.LAID_AS: "on"}),
        _WHO,
        make_fact(MeldQuestion, FactName.TABLE),
        make_fact(MeldQuestion, FactName.OPPONENTS, matters_under=_has_dead_ranks),
    ),
    (_TAKEN_BACK,),
    tells_silence=True,
)
_PERMISSION = make_fact(OutQuestion, "permission", matters_under=_has_partner)
_BEFORE_ASKING = (
    make_page_choice(FactName.WAY, Way.MELDS, Way.HAND, never_asked_alone=True),
    _WHO,
    make_fact(OutQuestion, FactName.TABLE, needed=False),
    _whole_hand(OutQuestion),
)
_AFTER_ASKING = (
    # Whoever asks is most often in the foot, with the partner: so "yes" comes first.
    make_fact(OutQuestion, "foot", matters_under=_has_foot)._replace(values=(YES, NO)),
    make_fact(OutQuestion, "partner_foot", matters_under=_needs_partner_in_foot)._replace(
        values=(YES, NO)
    ),
    make_page_choice(FactName.ENDS, "unsaid", "card", ENDS_WITHOUT_DISCARD),
    make_fact(OutQuestion, "discard", needed=True, asked_after={FactName.ENDS: "card"}),
    make_fact(OutQuestion, "red_threes", matters_under=_has_condition_on_red_threes),
    make_fact(OutQuestion, FactName.CONCEALED),
    *_make_facts_for_minimum(OutQuestion, asked_after={FactName.CONCEALED: YES, **_WITH_HAND}),
    make_fact(
        OutQuestion, FactName.OPPONENTS, asked_after=_WITH_HAND, matters_under=_has_dead_ranks
    ),
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
UPCARD = QuestionPages("prima-carta", UpcardQuestion, (make_fact(UpcardQuestion, "cards"),))
DISCARD = QuestionPages(
    "scarto",
    DiscardQuestion,
    (
        make_fact(DiscardQuestion, "card"),
        make_fact(DiscardQuestion, "last"),
        make_fact(DiscardQuestion, "foot", asked_after={"last": YES}, matters_under=_has_foot),
        make_fact(DiscardQuestion, "first_round"),
        make_fact(DiscardQuestion, "only_wilds", matters_under=_may_keep_wilds_in_hand),
        make_fact(DiscardQuestion, "pile_empty", matters_under=_may_bar_from_empty_pile),
        _WHO,
        make_fact(DiscardQuestion, FactName.TABLE),
        make_fact(DiscardQuestion, FactName.OPPONENTS, matters_under=_has_dead_ranks),
        make_fact(DiscardQuestion, "wild_meld_incomplete"),
    ),
)
RED_THREES = QuestionPages(
    "tre-rossi",
    RedThreesQuestion,
    (
        _WHO,
        make_fact(RedThreesQuestion, "count"),
        make_fact(RedThreesQuestion, FactName.OPENED),
        make_fact(RedThreesQuestion, "canastas"),
    ),
)
END_OF_STOCK = QuestionPages(
    "tallone",
    EndOfStockQuestion,
    (
        # Only a three drawn last makes a difference, a black one where it is exposed like the red.
        make_fact(EndOfStockQuestion, "last_card")._replace(
            input=InputKind.CHOICE,
            values=("other", "red-three", BLACK_THREE_LAST),
            json_choices={
                "red-three": Kind.RED_THREE.value,
                BLACK_THREE_LAST: Kind.BLACK_THREE.value,
            },
        ),
        make_fact(EndOfStockQuestion, FactName.TOP),
        _WHO,
        make_fact(EndOfStockQuestion, FactName.TABLE),
        make_fact(EndOfStockQuestion, "pile_has_wild"),
        make_fact(EndOfStockQuestion, "pile_has_red_three"),
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
    "melds": ("opening-under-minimum", "mismeld", "meld-out-of-turn-opponents", "meld-out-of-turn-partner",
              "meld-taken-back", "red-three-not-exposed"),
    "cards": ("exposed-card", "two-cards-discarded", "wrong-dealer", "wrong-dealer-late"),
    "out": ("permission-then-no-out", "out-after-no", "partner-talk"),
}  # fmt: skip
"""The irregularities by group; those of a single game are in the last, which the table decides."""


def grouped_codes() -> list[str]:
    """List the codes of all mistakes in play that the page shows in groups, in its order."""
    codes: list[str] = []
    for codes_of_group in GROUPS.values():
        codes += codes_of_group
    return codes


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

"""What the page of a ruling shows: the answer in words, its reasons, and what may follow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from flask import url_for

from scorepad.i18n import Words
from scorepad.i18n.findings import list_cards_in_words
from scorepad.matches.events import LogEntry, RulingKept
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import REASONS_THAT_LEAVE_OPEN, answer_word, ruling_text
from scorepad.referee.penalties import Costs, Irregularity, irregularity
from scorepad.referee.ruling import Alternative, Answer, LaidCards, Ruling, Verdict
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE
from scorepad.schemas.ruling_json import (
    answer_request,
    build_ruling_answer,
    read_question_of_match,
)
from scorepad.web.base import page_words
from scorepad.web.citations import citations_in_words
from scorepad.web.presenters import moment
from scorepad.web.referee import explanations
from scorepad.web.referee.cases import Case
from scorepad.web.referee.decision import Decision
from scorepad.web.referee.question_pages import Mistake
from scorepad.web.rulebook_links import RulebookLink

_BACKGROUND = (
    "pile-always-frozen",
    "pile-never-frozen",
    "opening-minimum",
    "opening-minimum-below-zero",
    "opening-minimum-of-hand",
)
"""Reasons that only give the background of the decisive one."""


class ShownOtherAnswer(NamedTuple):
    """The answer under other rules, in words, with its sources."""

    rules: str
    answer: str
    details: str
    source: str


class ShownKeptRuling(NamedTuple):
    """A ruling that was saved with a match, in words."""

    sequence: int
    """The number of its entry in the log of the match."""
    heading: str
    """The hand with which it was saved: "Hand 3"."""
    answer: str
    reasons: list[tuple[str, str]]
    """Each with its source, which may be empty."""
    facts: list[tuple[str, str]]
    """Each by its name."""
    other_answers: list[ShownOtherAnswer]
    penalty: str
    """What the side lost; empty for nothing."""
    kept_at: str


class ShownMistake(NamedTuple):
    """A mistake in play that may follow a ruling: what is done about it, and what it costs."""

    name: str
    url: str
    remedy: str
    cost: str
    source: str


@dataclass(frozen=True)
class RulingPage:
    """What the page of a ruling shows: the answer, in words, and its reasons.

    `reasons` are those that hold for all open facts; `word` is the answer in a word or two.
    """

    case: Case
    answer: Answer
    word: str
    reasons: list[explanations.ShownReason]

    # ---------------------------------------------------------------- the answer

    @property
    def depends(self) -> bool:
        """Tell whether the answer depends on facts that are not known."""
        return any(reason.code in REASONS_THAT_LEAVE_OPEN for reason in self.answer.ruling.reasons)

    @cached_property
    def leading_reason(self) -> explanations.ShownReason | None:
        """The first decisive reason, shown before all others; None if there are no reasons."""
        return _find_leading_reason(self.reasons)

    @property
    def other_reasons(self) -> list[explanations.ShownReason]:
        """All reasons but the leading one."""
        return [reason for reason in self.reasons if reason is not self.leading_reason]

    @property
    def verdict(self) -> str:
        return self.answer.ruling.verdict.value

    @property
    def remedy(self) -> str:
        """What has to be done after the mistake that the question is about; empty for none."""
        if self.case.mistake is None:
            return ""
        return describe_remedy(self.case.mistake, self.case.words)

    @property
    def is_without_remedy(self) -> bool:
        """Whether the mistake in question has neither a remedy nor a cost in points."""
        mistake = self.case.mistake
        if mistake is None or self.remedy:
            return False
        return mistake.costs is not Costs.POINTS

    @property
    def next_step(self) -> str:
        """What the player does now; empty for a mistake, and if the answer depends on more."""
        if self.case.mistake is not None or self.depends:
            return ""
        words = self.case.words
        for name in self._list_names_of_next_step():
            key = f"referee.now.{name}"
            if words.has(key):
                return words.t(key)
        return ""

    def _list_names_of_next_step(self) -> list[str]:
        """List the names that the text of the next step may have, the most specific first."""
        names = []
        if self.leading_reason is not None:
            names.append(self.leading_reason.code)
        kind = self.case.question.kind
        effect = self.answer.ruling.details.get("effect") or ""
        names += [f"{kind}.{self.verdict}.{effect}", f"{kind}.{self.verdict}", self.verdict]
        return names

    def list_steps_of_play(self) -> list[str]:
        """List the steps of the play that the referee found: what to lay, and what to discard."""
        play = self.answer.ruling.play
        if play is None:
            return []
        steps = [self._describe_laid_cards(laid) for laid in play.laid]
        if play.discard is None:  # the question is not about going out
            return steps
        words = self.case.words
        card = list_cards_in_words(play.discard.counts, words)
        if card:
            steps.append(words.t("referee.way.discard", card=card))
        else:
            steps.append(words.t("referee.way.no-discard"))
        return steps

    def _describe_laid_cards(self, laid: LaidCards) -> str:
        """Say which cards are laid, as a new meld or on a meld of the table with its number."""
        words = self.case.words
        cards = list_cards_in_words(laid.cards.counts, words)
        if laid.on is None:
            return words.t("referee.way.new", cards=cards)
        return words.t("referee.way.on", cards=cards, number=laid.on + 1)

    @property
    def url_to_note_penalty(self) -> str:
        """The form in which the players note a penalty of their own; empty for other questions."""
        case = self.case
        if case.mistake is None or case.mistake.code != HOUSE:
            return ""
        if case.match is None or not case.can_keep:
            return ""
        return url_for("actions.penalty", match=case.match.id, caso=HOUSE)

    # ---------------------------------------------------------------- under other rules

    @cached_property
    def other_answers(self) -> list[ShownOtherAnswer]:
        """The answers under other rules that differ from this one."""
        return show_other_answers(
            self.case.question.kind, self.answer.ruling, self.answer.others, self.case.rules
        )

    @property
    def heading_of_other_answers(self) -> str:
        words = self.case.words
        if not self.other_answers:
            return words.t("referee.elsewhere")
        return words.t("referee.elsewhere.count", count=len(self.other_answers))

    @cached_property
    def dependencies(self) -> list[str]:
        """What the answer would depend on under other rules."""
        return explanations.say_what_matters_under_other_rules(self.case)

    # ---------------------------------------------------------------- the facts

    @cached_property
    def facts(self) -> list[explanations.FactInWords]:
        """The facts of the question, and those that the match told the referee."""
        return explanations.list_facts_in_words(self.case) + self._list_facts_of_match()

    def _list_facts_of_match(self) -> list[explanations.FactInWords]:
        """List the score, the number of the hand and the opening minimum, if they were needed."""
        match = self.case.match
        if match is None:
            return []
        words = self.case.words
        question = self.case.as_json()
        facts = []
        for name in ("score", "deal"):
            if name in question:
                fact_name = words.t(f"referee.{name}")
                facts.append(explanations.FactInWords(fact_name, [words.figure(question[name])]))
        if "score" in question and self.case.side is not None:
            minimum = match.sides[self.case.side].minimum
            if minimum is not None:
                points = words.t("referee.points", points=minimum)
                facts.append(explanations.FactInWords(words.t("referee.minimum"), [points]))
        return facts

    # ---------------------------------------------------------------- mistakes

    @cached_property
    def mistakes(self) -> list[ShownMistake]:
        """The penalised mistakes that may follow the ruling."""
        mistakes = _list_mistakes_after_ruling(self.case, self.answer.ruling)
        return [show_mistake(mistake, self.case) for mistake in mistakes]

    @property
    def is_silent_on_mistakes(self) -> bool:
        """Whether the page says that no source tells what happens if somebody does it anyway."""
        is_forbidden = self.answer.ruling.verdict is Verdict.FORBIDDEN
        return self.case.question.tells_silence and is_forbidden and not self.mistakes

    @property
    def link_to_red_three(self) -> RulebookLink | None:
        """The rule on a red three in the pile, below the permission to take the pile."""
        may_take_pile = self.answer.ruling.verdict is Verdict.ALLOWED
        if self.case.question.name != "pozzo" or not may_take_pile:
            return None
        return explanations.link_to_red_three_in_pile(self.case.rules)


def make_ruling_page(case: Case, decision: Decision) -> RulingPage:
    """Ask the referee, and put the answer and its reasons into words for the page.

    `decision` tells which reasons the page shows. Raises Unusable if the answers allow no ruling.
    """
    question = read_question_of_match(case.as_json(), case.rules)
    answer = answer_request(question)
    ruling = answer.ruling

    # The page says the same sentences as the JSON answer of the API.
    answer_json = build_ruling_answer(question, answer, case.words)
    sentences = [reason["message"] for reason in answer_json["reasons"]]
    yes_or_no_or_figure = answer_word(
        kind=case.question.kind,
        verdict=ruling.verdict.value,
        details=answer_json["details"],  # `{"minimum": 90}` of the answer "90 points"
        codes=[reason.code for reason in ruling.reasons],  # some of them say "It depends"
        words=case.words,
    )
    return RulingPage(
        case=case,
        answer=answer,
        word=yes_or_no_or_figure,
        reasons=_list_reasons_that_hold(ruling, sentences, decision, case.rules),
    )


def _list_reasons_that_hold(
    ruling: Ruling, sentences: list[str], decision: Decision, rules: Ruleset
) -> list[explanations.ShownReason]:
    """List the reasons of a ruling for its page, without those that may turn out wrong.

    A reason is left out if it depends on something that the player has not said. `sentences` are
    the reasons in words, in the order of the ruling.
    """
    all_reasons = explanations.prepare_reasons(sentences, ruling.reasons, rules)
    return [shown for shown in all_reasons if decision.shows(shown.reason)]


def _find_leading_reason(
    reasons: list[explanations.ShownReason],
) -> explanations.ShownReason | None:
    """Find the reason that the page shows first: the first one that decides the answer.

    Some reasons only give the background, or tell of a known mistake in a rule book. If there are
    only such ones, the first of them leads. None if there are no reasons at all.
    """
    for reason in reasons:
        is_background = reason.code in _BACKGROUND
        is_about_mistake_in_book = reason.code.startswith("fault-")
        if not is_background and not is_about_mistake_in_book:
            return reason
    return reasons[0] if reasons else None


def _list_mistakes_after_ruling(case: Case, ruling: Ruling) -> list[Irregularity]:
    """List the penalised mistakes that the page of a ruling links to.

    After "No, you may not take the pile" the page links to what happens if somebody took it.
    Mistakes that these rules do not know are left out.
    """
    listed = []
    for mistake in case.question.mistakes:
        if not _may_follow_ruling(mistake, case, ruling):
            continue
        mistake_in_these_rules = irregularity(case.rules, mistake.code)
        if mistake_in_these_rules is not None:
            listed.append(mistake_in_these_rules)
    return listed


def _may_follow_ruling(mistake: Mistake, case: Case, ruling: Ruling) -> bool:
    """Tell whether a mistake in play may follow a ruling, so that the page links to it.

    A mistake belongs to one verdict, such as "forbidden". It may also belong to certain reasons of
    the ruling, of which one must be given, and to certain answers of the player.
    """
    if mistake.verdict is not ruling.verdict:
        return False

    codes_of_ruling = {reason.code for reason in ruling.reasons}
    if mistake.reasons and codes_of_ruling.isdisjoint(mistake.reasons):
        return False

    return all(case.answer(name) == answer for name, answer in mistake.answers.items())


def show_other_answers(
    kind: str, ruling: Ruling, alternatives: Iterable[Alternative], rules: Ruleset
) -> list[ShownOtherAnswer]:
    """Put the answers under other rules into words, with the details that differ.

    `kind` is the kind of question, and `ruling` the answer under the rules of the table, `rules`.
    """
    shown = []
    for other in explanations.prepare_other_answers(kind, ruling, alternatives):
        alternative = other.alternative
        name = explanations.name_other_rules(rules, alternative.preset, alternative.changed)
        details = explanations.say_details(other.details, rules) if other.details else ""
        source = citations_in_words(alternative.sources, page_words())
        shown.append(ShownOtherAnswer(name, other.word, details, source))
    return shown


def show_mistake(mistake: Irregularity, case: Case) -> ShownMistake:
    """Put a mistake in play into words, with a link to the question about it."""
    words = case.words
    remedy = describe_remedy(mistake, words)
    if mistake.costs is Costs.POINTS:
        cost = words.t("referee.penalty.points", points=words.signed(-mistake.points))
    else:
        cost = words.t(f"referee.penalty.{mistake.costs}")
        remedy = remedy or words.t("referee.remedy.none")
    return ShownMistake(
        name=explanations.mistake_name(mistake.code, words),
        url=case.url_of("penalita", caso=mistake.code),
        remedy=remedy,
        cost=cost,
        source=citations_in_words(mistake.sources, words),
    )


def describe_remedy(mistake: Irregularity, words: Words) -> str:
    """Say what has to be done after a mistake in play; empty if nothing is said of it."""
    if mistake.remedy:
        return words.t(f"remedy.{mistake.remedy}")
    key = f"referee.remedy.{mistake.code}"
    if words.has(key):
        return words.t(key)
    return ""


# ---------------------------------------------------------------- rulings saved with a match


def list_kept_rulings(state: MatchState, words: Words) -> list[ShownKeptRuling]:
    """List the rulings that were saved with a match, in words, the last one first."""
    return [_show_kept_ruling(entry, state, words) for entry in reversed(state.rulings)]


def _show_kept_ruling(
    entry: LogEntry[RulingKept], state: MatchState, words: Words
) -> ShownKeptRuling:
    """Put a saved ruling into words; `entry` is the one of the log that saved it."""
    kept = entry.event
    text = ruling_text(kept, state.rules.variant, words)
    facts = list(text.case)
    penalty = ""
    if kept.side is not None:
        side = state.sides[kept.side].name
        facts.insert(0, (words.t("referee.who"), side))
        if kept.points is not None:
            points = words.signed(-kept.points)
            penalty = words.t("referee.kept.penalty", side=side, points=points)
    reasons = []
    for reason in text.reasons:
        reasons.append((reason.text, citations_in_words(reason.sources, words)))
    return ShownKeptRuling(
        sequence=entry.sequence,
        heading=words.t("web.hand.title", number=state.number_for_players(kept.number)),
        answer=text.head,
        reasons=reasons,
        facts=facts,
        other_answers=show_other_answers(
            kept.question["kind"], kept.answer.ruling, kept.answer.others, state.rules
        ),
        penalty=penalty,
        kept_at=words.t("referee.kept.at", when=moment(entry.at, words)),
    )

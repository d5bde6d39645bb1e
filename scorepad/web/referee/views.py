"""The pages of the referee: search and questions, one fact at a time, the ruling, and the rulings
kept with a match.

A question is a GET form: all answers are in the URL, so that it can be shared and survives a
reload.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField

from scorepad.heavy import heavy_work
from scorepad.matches.actions import Asking, NewPenalty
from scorepad.matches.events import RulingKept
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import DEPENDS, answer_word
from scorepad.matches.transaction import RequestRefused, Saved, Stale
from scorepad.referee.in_force import has_partner
from scorepad.referee.penalties import (
    Costs,
    Irregularity,
    irregularities,
    irregularity,
)
from scorepad.referee.ruling import Answer, Ruling
from scorepad.rules.definitions import Ruleset
from scorepad.rules.variants import default_variant, get_variant, variant_ids
from scorepad.schemas import Unusable
from scorepad.schemas.ruling_json import (
    TOO_MANY_WAYS,
    answer_request,
    read_question_of_match,
    ruling_answer,
)
from scorepad.web import base
from scorepad.web.base import (
    Watch,
    device_id,
    get_pad,
    load_match,
    notice,
    page_words,
    render_page,
    t,
)
from scorepad.web.forms import INVALID, Choice, ChoiceField, PadForm, Sent, checks_itself
from scorepad.web.referee import cases, explanations, inputs
from scorepad.web.referee.cases import DISTINGUISHING, MISTAKE, STEP, Case
from scorepad.web.referee.decision import Decision, decide, decide_side
from scorepad.web.referee.explanations import mistake_name
from scorepad.web.referee.fact_input import FactInput
from scorepad.web.referee.facts import Answers, Fact
from scorepad.web.referee.question_pages import (
    BY_NAME,
    IN_TIME,
    MISTAKES_BY_ANSWER,
    PENALTY,
    PERMISSION,
    QUESTIONS,
    Mistake,
    QuestionPages,
)
from scorepad.web.referee.question_search import LONGEST_QUESTION, search_questions
from scorepad.web.referee.reply_links import distinguishing_questions, found_links, links_in_groups
from scorepad.web.rule_choices import ChosenRules, read_choices
from scorepad.web.rule_words import choices_words
from scorepad.web.rulebook_links import choice_args
from scorepad.web.watching import END, NAMES, RULES, watch, watch_form

blueprint = Blueprint("referee", __name__)

VARIANT = "variante"
"""URL parameter: the variant, outside a match."""
SOUGHT = "testo"
"""URL parameter: the text typed into the search."""
_TARGET = "target"
"""The option with the score that ends a match. It does not affect rulings, so nobody chooses it here."""
_WATCHED = END | NAMES | RULES
_BACKGROUND = (
    "pile-always-frozen",
    "pile-never-frozen",
    "opening-minimum",
    "opening-minimum-below-zero",
    "opening-minimum-of-hand",
)
"""Reasons that only give the background of the decisive one."""


def case_without_question(match: str | None) -> Case:
    """A case to which a question can be added: in a match, or outside one under the chosen rules.

    The rules are those of the match, or those that the URL chooses. Raises MatchNotFound.
    """
    if match is None:
        return _case_of_chosen_rules(_chosen_rules())
    return _case_of_match(load_match(match))


def _case_of_chosen_rules(chosen: ChosenRules) -> Case:
    """A case outside a match under these rules, without a question yet.

    It carries the URL parameters that choose the rules, so that all links of its pages have them.
    """
    url_parameters: dict[str, Any] = {}
    if chosen.variant.id != default_variant():
        url_parameters[VARIANT] = chosen.variant.id
    url_parameters |= choice_args(chosen.preset, chosen.options)
    words = page_words(chosen.variant)
    return Case(
        rules=chosen.rules, rules_parameters=url_parameters, rules_chosen=chosen.in_words(words)
    )


def _case_of_match(state: MatchState) -> Case:
    """A case in a match, under its rules, without a question yet.

    It also says in words which options the table chose, but for the score that ends the match.
    """
    rules = state.rules
    ids_of_chosen_options = state.house
    values_of_options = {}
    for option_id in ids_of_chosen_options:
        if option_id != _TARGET:
            values_of_options[option_id] = rules.options[option_id]
    rules_in_words = choices_words(rules.preset, values_of_options, page_words(rules))
    return Case(rules=rules, match=state, rules_chosen=rules_in_words)


def _chosen_rules() -> ChosenRules:
    """The rules chosen in the URL; 404 for an unknown variant."""
    variant = request.args.get(VARIANT, default_variant())
    if variant not in variant_ids():
        abort(404)
    args = {name: text for name, text in request.args.items() if name != _TARGET}
    return read_choices(get_variant(variant), args)


def case_of(question: str, match: str | None, args: Answers) -> Case:
    """The case of a question with the answers in these URL parameters; 404 if there is none.

    `question` is the name of the question in the URL, such as `pozzo`. The rules may lack the
    irregularity (a mistake in play that is penalised) that it is about.
    """
    if question not in BY_NAME:
        abort(404)
    case = case_without_question(match).with_question(BY_NAME[question], args)
    if case.question is PENALTY and case.mistake is None:
        abort(404)
    return case


def _page(
    template: str, case: Case, title: str, errors: base.Errors = (), **values: Any
) -> Response:
    """A page of the referee: a template of `templates/referee` with these values.

    The templates call functions of the modules `explanations` and `inputs`. In a match the page
    tells what other devices did since.
    """
    return render_page(
        f"referee/{template}.html",
        title=title,
        errors=errors,
        watch=_watch_of(case, is_rejected=bool(errors)),
        words=case.words,
        case=case,
        explanations=explanations,
        inputs=inputs,
        **values,
    )


def _watch_of(case: Case, *, is_rejected: bool) -> Watch | None:
    """What a page polls to tell what happened in the match since; None outside a match.

    A page that answers a form, or refuses an answer, cannot be fetched again: it polls the page of
    the questions, for the notice only.
    """
    if case.match is None:
        return None
    cannot_be_fetched_again = is_rejected or request.method == "POST"
    polled_url = case.start_url if cannot_be_fetched_again else ""
    return watch_form(case.match, _WATCHED, polled_url)


# ---------------------------------------------------------------- the questions


@blueprint.get("/arbitro")
@blueprint.get("/partite/<match>/arbitro", endpoint="start_in_match")
def start(match: str | None = None) -> Response:
    """The first page of the referee: a search, the questions, and the irregularities in groups.

    In a match it uses the rules of the match, else those that the URL chooses.
    """
    case = case_without_question(match)
    sought = _text_sought()
    found = search_questions(sought)
    return _page(
        "start",
        case,
        t("referee.title"),
        errors=_errors_of_chosen_rules(case),
        sought=sought,
        found=found_links(found, case),
        is_answered_by_rules=found.is_answered_by_rules,
        questions=[question for question in QUESTIONS if _is_listed(question, case)],
        groups=links_in_groups(case),
        red_three=explanations.red_three_in_the_pile(case.rules),
        rules_url=_choose_rules_url(case),
    )


def _text_sought() -> str:
    """The text typed into the search, as far as it is read; empty for none."""
    text = request.args.get(SOUGHT, "")
    return " ".join(text.split())[:LONGEST_QUESTION]


def _errors_of_chosen_rules(case: Case) -> base.Errors:
    """The errors of the rules that the URL chooses; none in a match, which has its own rules."""
    if case.match is not None:
        return ()
    return _chosen_rules().errors


def _choose_rules_url(case: Case) -> str:
    """The page on which other rules can be chosen; empty in a match, which has its own rules."""
    if case.match is not None:
        return ""
    return url_for("referee.rules", **case.rules_parameters)


def _is_listed(question: QuestionPages, case: Case) -> bool:
    """Whether the first page lists a question.

    Only players with a partner can ask the partner for permission to go out.
    """
    return question is not PERMISSION or has_partner(case.settings)


@blueprint.get("/arbitro/regole", endpoint="rules")
def choose_rules() -> Response:
    """Choose the rules that questions are asked under."""
    chosen = _chosen_rules()
    case = case_without_question(None)
    variants = [get_variant(variant) for variant in variant_ids()]
    values = {"chosen": chosen, "variants": variants, "not_chosen": _TARGET}
    status = INVALID if chosen.errors else 200
    return _page("rules", case, t("referee.rules.title"), chosen.errors, status=status, **values)


# ---------------------------------------------------------------- one fact at a time


@blueprint.get("/arbitro/<question>")
@blueprint.get("/partite/<match>/arbitro/<question>", endpoint="ask_in_match")
def ask(question: str, match: str | None = None) -> Response:
    """The page of a question: it asks for the next fact, or shows the ruling.

    A fact is something that the referee has to know, such as the top card of the pile. The question
    about a penalty first asks which mistake happened.
    """
    is_about_penalty = question == PENALTY.name
    mistake_code = request.args.get(MISTAKE)
    if is_about_penalty and mistake_code is None:
        return _show_mistakes_to_choose(case_without_question(match))
    if is_about_penalty and mistake_code is not None and mistake_code.strip() == IN_TIME:
        return _show_in_time(case_without_question(match))

    case = case_of(question, match, request.args)
    button = request.args.get(cases.DO, "")  # without a script, a button that adds a card
    url_after_button = case.url_after_button(button)
    if url_after_button is not None:
        return redirect(url_after_button, code=303)
    return _show_step(case, request.args.get(STEP, ""))


def _show_step(case: Case, step: str) -> Response:
    """The page of a question that a URL names: that of one fact, of all facts, or of the answer.

    `step` is the name of a fact, `cases.ALL` or `cases.ANSWER`. Any other text leads to the page
    that asks for the next fact.
    """
    fact = case.find_fact(step)
    if fact is not None:
        return _show_facts(case, (fact,))
    if step == cases.ALL and case.facts:
        return _show_facts(case, case.facts)
    return show_answer(case, answer_now=step == cases.ANSWER)


def _show_mistakes_to_choose(case: Case) -> Response:
    """The page on which the player says which irregularity (mistake in play) happened.

    It lists all of them. If the URL names a question that tells similar ones apart, it asks that.
    """
    name = request.args.get(DISTINGUISHING, "")
    if name:
        return _show_distinguishing_question(case, name)
    title = PENALTY.title(page_words())
    return _page("mistakes", case, title, mistakes=irregularities(case.rules))


def _show_distinguishing_question(case: Case, name: str) -> Response:
    """The page of a question that tells similar irregularities apart: `wrong-dealer`.

    404 if it is not asked under the rules of the case.
    """
    if name not in distinguishing_questions(case).values():
        abort(404)
    return _page(
        "turning",
        case,
        t(f"referee.turning.{name}"),
        question_name=name,
        code_by_answer=MISTAKES_BY_ANSWER[name],
    )


def _show_in_time(case: Case) -> Response:
    """The answer about a red three (a bonus card) that was noticed in time, during the hand.

    It is no irregularity yet. 404 under rules that do not tell it from one noticed too late.
    """
    mistake = irregularity(case.rules, "red-three-not-exposed")
    is_told_apart = IN_TIME in distinguishing_questions(case)
    if mistake is None or not is_told_apart:
        abort(404)
    title = t("referee.turning.red-three-not-exposed")
    return _page("in_time", case, title, mistake=mistake)


class NextPage(NamedTuple):
    """The page after some answers: it asks for the fact of the decision, or shows the ruling.

    `errors` are those of the answer that the player gave to that fact.
    """

    decision: Decision
    errors: base.Errors = ()

    @property
    def fact(self) -> Fact | None:
        """The fact to ask for; None if the ruling is shown."""
        return self.decision.fact


def next_page(case: Case, *, answer_now: bool) -> NextPage:
    """Choose the page after the answers of a case: the next fact to ask for, or the ruling.

    A fact is something that the referee has to know, such as the top card of the pile. A wrong
    answer is asked for again before anything else. `answer_now`: the player wants the ruling with
    what is known, so that only facts are asked for without which there is no ruling.
    """
    wrong_fact = _first_wrong_fact(case, answer_now=answer_now)
    if wrong_fact is not None:
        return NextPage(Decision(wrong_fact), case.errors_of(wrong_fact))
    if answer_now:
        return _page_without_more_facts(case)
    return NextPage(decide(case))


def _page_without_more_facts(case: Case) -> NextPage:
    """The ruling with what is known; but if that depends on the side, the page that asks for it.

    That page says that the side is missing.
    """
    decision = decide_side(case)
    side_fact = decision.fact
    if side_fact is None:
        return NextPage(decision)
    side_missing = base.FieldError(side_fact.name, t("referee.error.side"))
    return NextPage(decision, errors=(side_missing,))


def _first_wrong_fact(case: Case, *, answer_now: bool) -> Fact | None:
    """The first fact of a case whose answer has errors; None if there is none.

    A fact without an answer counts as wrong only if the ruling is wanted now and needs it.
    """
    for fact in case.facts:
        must_be_right = case.is_answered(fact) or (answer_now and fact.needed)
        if must_be_right and case.errors_of(fact):
            return fact
    return None


def show_answer(
    case: Case, rejected_form: KeepForm | None = None, *, answer_now: bool = False
) -> Response:
    """The page of the ruling, if it is decided; else the page of the next fact.

    `rejected_form`: a form to keep the ruling that had errors; they are shown. `answer_now`: the
    player wants the ruling with what is known. Raises Overloaded.
    """
    if case.is_about_whole_hand:
        # Finding the best way to play a whole hand takes longer than other questions.
        with heavy_work():
            return _answer_or_fact(case, rejected_form, answer_now=answer_now)
    return _answer_or_fact(case, rejected_form, answer_now=answer_now)


def _answer_or_fact(case: Case, rejected_form: KeepForm | None, *, answer_now: bool) -> Response:
    """The page of the ruling, if it is decided; else the page of the next fact.

    `rejected_form`: a form to keep the ruling that had errors, which both pages show.
    """
    page = next_page(case, answer_now=answer_now)
    if page.fact is not None:
        return _show_next_fact(case, page.fact, page.errors, rejected_form)
    try:
        return _show_ruling(case, page.decision, rejected_form, answer_now=answer_now)
    except Unusable as error:
        return _show_why_there_is_no_ruling(case, error)


def _show_why_there_is_no_ruling(case: Case, error: Unusable) -> Response:
    """The page with all facts of a case, saying that there is no ruling on these answers together.

    There may be more kings than the decks have, for example, or too many ways to play the cards.
    """
    if error.reason == TOO_MANY_WAYS:
        message = t("referee.error.too-many-ways")
    else:
        message = t("referee.error.unusable")
    error_of_whole_page = base.FieldError(None, message)
    return _show_facts(case, case.facts, (error_of_whole_page,))


def _show_next_fact(
    case: Case, fact: Fact, errors: base.Errors, rejected_form: KeepForm | None
) -> Response:
    """The page that asks for a fact.

    It also shows the errors of a form to keep the ruling, if that was rejected: the form itself is
    not on this page, because the ruling is open again.
    """
    if rejected_form is None:
        return _show_facts(case, (fact,), errors)
    all_errors = (*errors, *rejected_form.summary)
    return _show_facts(case, (fact,), all_errors, rejected_form.status)


def _show_facts(
    case: Case, facts: tuple[Fact, ...], errors: base.Errors = (), status: int = 200
) -> Response:
    """The page that asks for one fact, or for all facts of a case.

    `status` is the HTTP status; with errors it becomes one of an error, unless it is one already. A
    page with a single fact also has a link back to the fact that was answered before it.
    """
    if errors:
        status = max(status, INVALID)
    is_alone = len(facts) == 1
    fact_before = ""
    if is_alone:
        fact_before = _answered_before(facts[0], case)
    return _page(
        "fact",
        case,
        title=case.question.title(page_words()),
        errors=errors,
        status=status,
        before=fact_before,
        facts_asked=[FactInput(fact, case, errors, is_alone) for fact in facts],
        is_alone=is_alone,
        hidden_parameters=_parameters_kept(case, facts),
    )


def _parameters_kept(case: Case, facts_asked: Iterable[Fact]) -> dict[str, Any]:
    """The URL parameters that the form sends along: those of the rules, and the answers to all facts
    but those that the page asks for.
    """
    parameters_asked_for: set[str] = set()
    for fact in facts_asked:
        parameters_asked_for.update(case.parameters_of(fact))
    other_answers = {
        name: value for name, value in case.typed.items() if name not in parameters_asked_for
    }
    return {**case.rules_parameters, **other_answers}


def _answered_before(fact: Fact, case: Case) -> str:
    """The name of the last fact that the player answered before this one; empty for none."""
    name_before = ""
    for other in case.facts:
        if other.name == fact.name:
            break
        if not other.never_asked_alone and other.name in case.typed:
            name_before = other.name
    return name_before


# ---------------------------------------------------------------- the ruling


def _show_ruling(
    case: Case, decision: Decision, form: KeepForm | None, *, answer_now: bool
) -> Response:
    """The page of the ruling, with its reasons, and the form to keep it with the match.

    `form` is a form to keep the ruling that had errors; without one a new form is made. Raises
    Unusable.
    """
    ruling_page = _ruling_page(case, decision)
    if form is None:
        form = _new_keep_form(case, answer_now=answer_now)
    errors = form.summary if form else ()
    title = _title_of_ruling(case)
    return _page("answer", case, title, errors, ruling_page=ruling_page, form=form)


def _title_of_ruling(case: Case) -> str:
    """The title of the page of a ruling: the question, or the irregularity that it is about."""
    if case.mistake is not None:
        return mistake_name(case.mistake.code, case.words)
    return case.question.title(case.words)


@dataclass(frozen=True)
class RulingPage:
    """What the page of a ruling shows: the answer, in words, and its reasons.

    `reasons` are those that hold for all open facts; `word` is the answer in a word or two.
    """

    case: Case
    answer: Answer
    word: str
    reasons: list[explanations.ShownReason]

    @property
    def depends(self) -> bool:
        """Whether the answer depends on facts that are not known."""
        return any(reason.code in DEPENDS for reason in self.answer.ruling.reasons)

    @cached_property
    def leading_reason(self) -> explanations.ShownReason | None:
        """The first decisive reason, shown before all others; None if there are no reasons."""
        return _leading(self.reasons)

    @property
    def other_reasons(self) -> list[explanations.ShownReason]:
        """All reasons but the leading one."""
        return [reason for reason in self.reasons if reason is not self.leading_reason]

    @cached_property
    def mistakes(self) -> list[Irregularity]:
        """The irregularities (mistakes in play) that may follow the ruling."""
        return _mistakes_with(self.case, self.answer.ruling)


def _ruling_page(case: Case, decision: Decision) -> RulingPage:
    """Ask the referee, and prepare the answer for its page. Raises Unusable.

    `decision` tells which reasons hold whatever the facts are that the player has not told.
    """
    question = read_question_of_match(case.as_json(), case.rules)
    answer = answer_request(question)
    answer_json = ruling_answer(question, answer, case.words)
    sentences = [reason["message"] for reason in answer_json["reasons"]]
    return RulingPage(
        case=case,
        answer=answer,
        word=_ruling_in_a_word(answer.ruling, answer_json["details"], case),
        reasons=_reasons_that_hold(answer.ruling, sentences, decision, case.rules),
    )


def _ruling_in_a_word(ruling: Ruling, details: dict[str, Any], case: Case) -> str:
    """The answer to the question of a case in a word or two: "yes", "90 points".

    `details` are the details of the ruling as the JSON answer has them: `{"minimum": 90}`.
    """
    codes_of_reasons = [reason.code for reason in ruling.reasons]
    return answer_word(
        case.question.kind, ruling.verdict.value, details, codes_of_reasons, case.words
    )


def _reasons_that_hold(
    ruling: Ruling, sentences: list[str], decision: Decision, rules: Ruleset
) -> list[explanations.ShownReason]:
    """The reasons of a ruling for its page, without those that depend on facts still unknown.

    `sentences` has the reasons in words, in the order of the ruling.
    """
    all_reasons = explanations.reasons_shown(sentences, ruling.reasons, rules)
    return [shown for shown in all_reasons if decision.holds(shown.reason)]


def _leading(reasons: list[explanations.ShownReason]) -> explanations.ShownReason | None:
    """The first decisive reason; if there is none, the first of all.

    Reasons that only give the background, and known mistakes of sources, are not decisive.
    """
    for reason in reasons:
        if reason.code not in _BACKGROUND and not reason.code.startswith("fault-"):
            return reason
    return reasons[0] if reasons else None


def _new_keep_form(case: Case, *, answer_now: bool) -> KeepForm | None:
    """The form with which the ruling on a case is kept; None if this device cannot keep it.

    The form carries the answers to the question, with which it is asked again when the form is sent.
    """
    if case.match is None or not case.can_keep:
        return None
    answers = _answers_told_by_match(case)
    answers.update(case.typed)
    if answer_now:  # the question is asked in the same way again when the form is sent
        answers[STEP] = cases.ANSWER
    form = KeepForm(asked=urlencode(answers))
    form.set_case(case)
    form.refer_to_open_hand(case.match)
    return form


def _answers_told_by_match(case: Case) -> dict[str, str]:
    """What the match told about the facts of a case, by URL parameter: `{"table": "3xK"}`.

    It is kept with the answers of the player, because it may change before the form is sent.
    """
    answers: dict[str, str] = {}
    for fact in case.facts:
        for name in case.parameters_of(fact):
            known_from_match = case.known.get(name)
            if known_from_match:
                answers[name] = known_from_match
    return answers


def _mistakes_with(case: Case, ruling: Ruling) -> list[Irregularity]:
    """The irregularities of these rules that may follow this ruling."""
    listed = []
    for mistake in case.question.mistakes:
        if not _may_follow(mistake, case, ruling):
            continue
        known = irregularity(case.rules, mistake.code)
        if known is not None:
            listed.append(known)
    return listed


def _may_follow(mistake: Mistake, case: Case, ruling: Ruling) -> bool:
    """Whether a mistake may follow a ruling of this verdict, with these reasons and answers."""
    if mistake.verdict is not ruling.verdict:
        return False
    codes = {reason.code for reason in ruling.reasons}
    if mistake.reasons and codes.isdisjoint(mistake.reasons):
        return False
    return all(case.answer(name) == answer for name, answer in mistake.answers.items())


# ---------------------------------------------------------------- keeping it

NOBODY = "nobody"
"""The choice of no side: the ruling is kept without its penalty."""


class KeepForm(PadForm):
    """A form that keeps a ruling with a match.

    `asked` is the question as URL parameters, `hand` the id of the hand being played, `rules` the
    digest of the rules, and `whose` the side that gets the penalty.
    """

    asked = HiddenField()
    hand = HiddenField()
    rules = HiddenField()
    whose = ChoiceField(message="referee.keep.whose.missing")

    @property
    def answers(self) -> dict[str, str]:
        """The answers to the question, by the names of its URL parameters."""
        return dict(parse_qsl(self.asked.data or "", keep_blank_values=True))

    @property
    def wants_answer_now(self) -> bool:
        """Whether the player wanted the ruling with what was known, without further facts."""
        return self.answers.get(STEP) == cases.ANSWER

    @property
    def asks_for_side(self) -> bool:
        """Whether the form asks which side gets a penalty."""
        return "whose" in self

    def set_case(self, case: Case) -> None:
        """Set the case whose ruling the form keeps, which decides whether it asks for a side.

        If the case is about a mistake that costs points, the form offers the sides of the match.
        Otherwise the field `whose` is removed.
        """
        self.case = case
        mistake = case.mistake
        if case.match is None or mistake is None or mistake.costs is not Costs.POINTS:
            del self.whose
            return
        points_lost = page_words().signed(-mistake.points)
        self.whose.label.text = t("referee.keep.whose", points=points_lost)
        self.whose.choices = _choices_of_penalised_side(case.match)

    def refer_to_open_hand(self, state: MatchState) -> None:
        """Note in the form which hand is being played, and by which rules.

        The ruling is kept only if both are the same when the form is sent.
        """
        open_hand = get_pad().open(state.id, device_id())
        self.hand.data = open_hand.id
        self.rules.data = state.rules.digest

    @property
    def penalty(self) -> NewPenalty | None:
        """The penalty of the chosen side.

        None if the case costs no points, or if no side of the match was chosen.
        """
        mistake = self.case.mistake
        if mistake is None or not self.asks_for_side:
            return None
        offered = [choice.value for choice in self.whose.choices]
        chosen = self.whose.data
        if chosen == NOBODY or chosen not in offered:
            return None
        position_of_side = int(chosen)  # the choices are "0", "1" …
        return NewPenalty(position_of_side, mistake.code)

    def question_to_store(self, decision: Decision) -> Asking:
        """The question whose ruling is kept, with the hand, the rules and the side it is about.

        The side is the one that gets the penalty, if one was chosen, else that of the question. Of
        the reasons only those of the decision are stored. Raises Unusable.
        """
        side = self.case.side
        if self.penalty is not None:
            side = self.penalty.side
        return Asking(
            question=self.case.as_json(),
            rules=self.rules.data or "",
            hand_id=self.hand.data or "",
            side=side,
            reasons=decision.codes,
        )


def _choices_of_penalised_side(state: MatchState) -> tuple[Choice, ...]:
    """The sides of a match to choose from, by their positions "0", "1" …; the last choice is none."""
    choices = []
    for position, side in enumerate(state.sides):
        choices.append(Choice(str(position), side.name))
    choices.append(Choice(NOBODY, t("referee.keep.nobody")))
    return tuple(choices)


@blueprint.post("/partite/<match>/arbitro/<question>/tieni")
@checks_itself
def keep(match: str, question: str) -> Response:
    """Keep a ruling with the match, and its penalty if the player chose a side for that.

    The form carries the answers to the question, which is asked again. If the form has errors, or if
    the match has changed since, nothing is kept and the page is shown again.
    """
    form = KeepForm()
    form.status = INVALID  # of a page that shows the form again
    state = load_match(match)
    case = case_of(question, match, form.answers)
    form.set_case(case)
    page = next_page(case, answer_now=form.wants_answer_now)
    if page.fact is not None:  # the answers no longer decide the ruling
        return _show_form_again(form, case)

    try:
        result = _keep_ruling(form, state, page.decision)
    except Unusable:
        return _show_form_again(form, case)
    if isinstance(result, Saved):
        return _done_keeping(result, form, state)
    if isinstance(result, Stale):
        case_now = case_of(question, match, form.answers)  # with what the match knows now
        return _show_stale_ruling(form, case_now, result.state)
    return _show_form_again(form, case)


def _show_form_again(form: KeepForm, case: Case) -> Response:
    """The page of a ruling with a form to keep it that was not accepted, and what is wrong with it.

    If the ruling is no longer decided, it is the page that asks for the next fact.
    """
    return show_answer(case, form, answer_now=form.wants_answer_now)


def _show_stale_ruling(form: KeepForm, case: Case, state: MatchState) -> Response:
    """The answer if the match changed after the device loaded the page of a ruling.

    The ruling as it is now is shown, with a form for the hand that is now being played; if the match
    is over, a page that says so. `case` and `state` are the question and the match as they are now.
    """
    if state.status.finished:
        return base.match_is_over(state.id)
    form.refer_to_open_hand(state)
    form.reject(t("referee.keep.stale", number=state.coming))
    return _show_form_again(form, case)


def _keep_ruling(form: KeepForm, state: MatchState, decision: Decision) -> Saved | Stale | None:
    """Store the ruling of a form with its match, and the penalty if a side was chosen for it.

    Returns Stale if the match changed after the device loaded its page, and None if the form has
    errors. Raises Unusable for answers on which there is no ruling.
    """
    store_ruling = partial(
        _store_ruling,
        asking=form.question_to_store(decision),
        with_penalty=form.penalty is not None,
    )
    return form.submit(state.id, store_ruling)


def _store_ruling(sent: Sent, *, asking: Asking, with_penalty: bool) -> Saved | Stale:
    """Store the ruling on a question with its match; `sent` says by which valid form."""
    request_id, match, device = sent
    return get_pad().actions.keep_ruling(
        request_id, match, device, asking, with_penalty=with_penalty
    )


def _done_keeping(result: Saved, form: KeepForm, state: MatchState) -> Response:
    """The answer after a ruling was kept: the page of the match, with a notice that names the penalty
    if there is one.
    """
    mistake = form.case.mistake
    if form.penalty is None or mistake is None:
        return base.done(result, "referee.keep.done", number=state.coming)
    return base.done(
        result,
        "referee.keep.done.penalty",
        side=state.sides[form.penalty.side].name,
        points=page_words().signed(-mistake.points),
    )


# ---------------------------------------------------------------- the kept rulings


@blueprint.get("/partite/<match>/arbitro/decisioni")
def kept(match: str) -> Response:
    """All rulings kept with a match, the last one first."""
    return _show_kept_rulings(load_match(match), PadForm(formdata=None))


def _show_kept_rulings(state: MatchState, form: PadForm) -> Response:
    """The page of the rulings kept with a match; `form` is that of its buttons to withdraw one."""
    return render_page(
        "referee/kept.html",
        title=t("referee.kept.title"),
        watch=watch(state, url_for("referee.kept", match=state.id)),
        words=page_words(state.rules),
        match=state,
        form=form,
        explanations=explanations,
    )


@blueprint.post("/partite/<match>/arbitro/decisioni/<int:entry>/togli")
@checks_itself
def take_back(match: str, entry: int) -> Response:
    """Withdraw a ruling that was kept with a match; `entry` is its number in the log of the match.

    The page of the kept rulings then shows those that are left, also if another device was faster.
    """
    form = PadForm()
    state = load_match(match)
    if not form.validate():
        return _show_kept_rulings(state, form)
    _withdraw_ruling(form, state, entry)
    return redirect(url_for("referee.kept", match=match), code=303)


def _withdraw_ruling(form: PadForm, state: MatchState, entry: int) -> None:
    """Withdraw a kept ruling as a valid form asks, and give the next page a notice about it.

    Each form has a request id, so that it takes effect once. There is no notice if the ruling had
    been withdrawn before, on another device.
    """
    try:
        result = get_pad().actions.take_back_ruling(form.request_name, state.id, device_id(), entry)
    except RequestRefused:  # the request id was used for something else
        notice(t("serve.sent-before"))
        return
    if isinstance(result, Saved):
        _notice_withdrawal(state, entry)


def _notice_withdrawal(state: MatchState, entry: int) -> None:
    """Say on the next page that a ruling was withdrawn; `state` is the match before.

    A penalty in a hand that has been counted stays: the notice says that too.
    """
    ruling = _find_kept_ruling(state, entry)
    if ruling is None:  # the form was sent again, and the ruling had been withdrawn before
        return
    is_hand_counted = ruling.number <= len(state.hands)
    if ruling.points is not None and is_hand_counted:
        key = "referee.taken-back.counted"
    else:
        key = "referee.taken-back"
    notice(t(key, number=state.called(ruling.number)))


def _find_kept_ruling(state: MatchState, entry: int) -> RulingKept | None:
    """The ruling that an entry of the log of a match keeps; None if it keeps none."""
    for kept_ruling in state.rulings:
        if kept_ruling.sequence == entry:
            return kept_ruling.event
    return None

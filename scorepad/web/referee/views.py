"""The pages of the referee: the questions, the steps of one, and the answer; alone or in a match.

A question is a GET form: all answers stand in the URL, so that it can be sent to somebody and survives a reload.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.matches.actions import penalty_points
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import DEPENDS, answer_word
from scorepad.referee.alternatives import Answer, answer_to
from scorepad.referee.answers import Ruling, Verdict
from scorepad.referee.irregularities import Irregularity, irregularities
from scorepad.rules.entries import HOUSE
from scorepad.rules.variants import Ruleset, default_variant, get_variant, variant_ids
from scorepad.schemas import Unusable
from scorepad.schemas.rulings import Question as SchemaQuestion
from scorepad.schemas.rulings import read_question_of_match, ruling_answer
from scorepad.web.base import FieldError, load_match, page_words, render_page, t
from scorepad.web.forms import INVALID, form_errors
from scorepad.web.polling import END, NAMES, RULES, SEEN, Watch, watch_form
from scorepad.web.presenters import choice_args, option_words, places
from scorepad.web.referee.case import ANSWER, DO, STEP, Case, defaults, errors_of, question_of, read_args
from scorepad.web.referee.keep_form import KeepForm, keep_form
from scorepad.web.referee.presenters import (
    Other,
    Why,
    best_play,
    dependencies,
    facts_of,
    mistake_name,
    others_shown,
    penalty_words,
    reasons_shown,
    red_three_in_the_pile,
    remedy_words,
)
from scorepad.web.referee.questions import BY_NAME, PENALTY, PILE, QUESTIONS, Question, Situation, Step
from scorepad.web.referee.steps import step_fields
from scorepad.web.rule_choices import ChosenRules, pickers, read_choices

blueprint = Blueprint("referee", __name__)

MISTAKE = "caso"
"""URL parameter: the code of an irregularity."""
VARIANT = "variante"
_NOT_CHOSEN = "target"
"""The target decides nothing at the table."""
_WATCHED = END | NAMES | RULES
_REMEDY = "penalty-remedy"
_COST = ("penalty-of", "penalty-without-points", "penalty-agreed")
"""Reasons of a ruling about an irregularity that stand under headings of their own."""


@dataclass(frozen=True, slots=True)
class Context:
    """What questions are asked under: the rules, the match if there is one, else the URL parameters of the rules."""

    rules: Ruleset
    chosen: str
    """What was chosen of the rules, in words."""
    match: MatchState | None
    args: dict[str, Any]

    @property
    def start_url(self) -> str:
        """The page with the questions."""
        if self.match is not None:
            return url_for("referee.start_in_match", match=self.match.id)
        return url_for("referee.start", **self.args)

    def url(self, question: Question, **more: Any) -> str:
        """The first step of a question."""
        if self.match is not None:
            return url_for("referee.ask_in_match", match=self.match.id, question=question.name, **more)
        return url_for("referee.ask", question=question.name, **self.args, **more)

    def mistake_url(self, code: str) -> str:
        """The ruling on an irregularity."""
        return self.url(PENALTY, **{MISTAKE: code})


def context_of(match: str | None) -> Context:
    """The context of a request. Raises MatchNotFound."""
    words = page_words()
    if match is None:
        chosen = _chosen_rules()
        args = {VARIANT: chosen.variant.id} if chosen.variant.id != default_variant() else {}
        return Context(chosen.rules, chosen.in_words(words), None, args | choice_args(chosen.preset, chosen.options))
    state = load_match(match)
    parts = [t(f"preset.{state.rules.preset}")] if state.rules.preset else []
    parts += [option_words(name, state.rules.options[name], words) for name in state.house if name != _NOT_CHOSEN]
    return Context(state.rules, "; ".join(parts), state, {})


def _chosen_rules() -> ChosenRules:
    """The rules that the URL chooses; 404 for an unknown variant."""
    variant = request.args.get(VARIANT, default_variant())
    if variant not in variant_ids():
        abort(404)
    args = {name: text for name, text in request.args.items() if name != _NOT_CHOSEN}
    return read_choices(get_variant(variant), args, page_words())


def case_of(question: Question, context: Context, args: dict[str, str] | None = None) -> Case:
    """A question with the answers of the URL, or of these parameters."""
    situation = Situation(context.rules, {}, page_words(), context.match, context.args, defaults(question))
    typed = read_args(request.args if args is None else args, question, situation)
    return Case(question, replace(situation, typed=typed))


def mistake_case(code: str, context: Context) -> Case:
    """The question about an irregularity."""
    return Case(PENALTY, Situation(context.rules, {MISTAKE: code}, page_words(), context.match, context.args))


# ---------------------------------------------------------------- the questions


@blueprint.get("/arbitro")
@blueprint.get("/partite/<match>/arbitro", endpoint="start_in_match")
def start(match: str | None = None) -> Response:
    """The questions."""
    context, words = context_of(match), page_words()
    errors = _chosen_rules().errors if match is None else ()
    return render_page(
        "referee/start.html",
        title=t("referee.title"),
        errors=errors,
        watch=_watch(context, errors),
        context=context,
        questions=QUESTIONS,
        mistakes=[
            (context.mistake_url(each.code), mistake_name(each, words)) for each in irregularities(context.rules)
        ],
        red_three=red_three_in_the_pile(context.rules, words),
        rules_url="" if match else url_for("referee.rules", **context.args),
    )


@blueprint.get("/arbitro/regole")
def rules() -> Response:
    """Choose the rules that questions are asked under."""
    chosen = _chosen_rules()
    return render_page(
        "referee/rules.html",
        title=t("referee.rules.title"),
        status=INVALID if chosen.errors else 200,
        errors=chosen.errors,
        start_url=context_of(None).start_url,
        variant=chosen.rules.variant,
        pickers=[picker for picker in pickers(chosen, page_words()) if picker.name != _NOT_CHOSEN],
        variants=[name for name in variant_ids() if name != chosen.rules.variant],
    )


@blueprint.get("/arbitro/<question>")
@blueprint.get("/partite/<match>/arbitro/<question>", endpoint="ask_in_match")
def ask(question: str, match: str | None = None) -> Response:
    """A step of a question, or its answer."""
    context = context_of(match)
    if question not in BY_NAME:
        abort(404)
    if BY_NAME[question] is PENALTY:
        return show_mistake(context, request.args[MISTAKE].strip()) if MISTAKE in request.args else _mistakes(context)
    case, name, button = case_of(BY_NAME[question], context), request.args.get(STEP, ""), request.args.get(DO, "")
    tapped = case.tapped(button)
    if tapped is not None:
        now, place = tapped
        return redirect(now.url(name, place), code=303)
    if name == ANSWER:
        return show_answer(case, context)
    step = case.step(name)
    assert step is not None
    if button != "next":
        return _show_step(case, step, context)
    errors = errors_of(step, case.situation)
    return _show_step(case, step, context, errors) if errors else redirect(case.url(case.after(step)), code=303)


def _show_step(case: Case, step: Step, context: Context, errors: tuple[FieldError, ...] = ()) -> Response:
    before = case.before(step)
    return render_page(
        "referee/step.html",
        title=t(f"referee.ask.{case.question.kind}"),
        status=INVALID if errors else 200,
        errors=errors,
        watch=_watch(context, errors),
        context=context,
        back_url=case.url(before) if before else context.start_url,
        is_first=not before,
        action=case.form_url,
        hidden_fields=case.hidden(step),
        fields=step_fields(case, step, errors),
        number=case.steps.index(step) + 1,
        count=len(case.steps),
        is_last=case.is_last(step),
    )


def _mistakes(context: Context) -> Response:
    """All irregularities that the sources know."""
    return render_page(
        "referee/mistakes.html",
        title=t(f"referee.ask.{PENALTY.kind}"),
        watch=_watch(context),
        context=context,
        mistakes=_mistake_rows(irregularities(context.rules), context),
    )


def _watch(context: Context, errors: tuple[FieldError, ...] = ()) -> Watch | None:
    """Let a page in a match show what happened to it since."""
    if context.match is None:
        return None
    # A page that cannot be fetched again as it is polls the page of the questions for the notice alone.
    if errors or request.method == "POST":
        return watch_form(context.match, "referee.start_in_match", _WATCHED)
    values = {name: value for name, value in (request.view_args or {}).items() if name != "match"}
    watch = watch_form(context.match, str(request.endpoint), _WATCHED, **values)
    args = urlencode([(name, value) for name, value in request.args.items() if name != SEEN])
    return replace(watch, page=f"{watch.page}&{args}" if args else watch.page)


# ---------------------------------------------------------------- the answer


def answer_question(raw: dict[str, Any], rules: Ruleset) -> tuple[SchemaQuestion, Answer]:
    """A question in the JSON schema and its answer. Raises Unusable."""
    question = read_question_of_match(raw, rules)
    return question, answer_to(rules, question.asked)


def show_answer(case: Case, context: Context, form: KeepForm | None = None, status: int = 200) -> Response:
    """The answer; if an answer to a step is missing or wrong, the first such step."""
    for step in case.steps:
        errors = errors_of(step, case.situation)
        if errors:
            return _show_step(case, step, context, errors)
    try:
        return _show_ruling(case, question_of(case), context, form, status)
    except Unusable:
        return _show_step(case, case.steps[-1], context, (FieldError(None, t("referee.error.unusable")),))


def show_mistake(context: Context, code: str, form: KeepForm | None = None, status: int = 200) -> Response:
    """The ruling on an irregularity; 404 if the variant does not know it."""
    if code not in {each.code for each in irregularities(context.rules)}:
        abort(404)
    raw = {"kind": PENALTY.kind, "code": code}
    return _show_ruling(mistake_case(code, context), raw, context, form, status)


def _show_ruling(case: Case, raw: dict[str, Any], context: Context, form: KeepForm | None, status: int) -> Response:
    words, rules, kind = page_words(), context.rules, case.question.kind
    question, answer = answer_question(raw, rules)
    told, ruling = ruling_answer(question, answer, words), answer.ruling
    texts = [reason["message"] for reason in told["reasons"]]
    codes = [reason.code for reason in ruling.reasons]
    reasons = list(zip(codes, reasons_shown(texts, ruling.reasons, rules, words), strict=True))
    mistake = _mistake_of(question, rules)
    apart = () if mistake is None else (_REMEDY, *_COST)
    keep = _keep_form(case, context, form, penalty_points(ruling))
    errors = form_errors(keep) if keep else ()
    mistakes = _mistakes_with(case, ruling)
    return render_page(
        "referee/answer.html",
        title=t(f"referee.ask.{kind}") if mistake is None else mistake_name(mistake, words),
        status=status,
        errors=errors,
        watch=_watch(context, errors),
        context=context,
        case=case,
        kind=kind,
        verdict=ruling.verdict.value,
        look="depends" if not DEPENDS.isdisjoint(codes) else ruling.verdict.value,
        word=answer_word(kind, ruling.verdict.value, told["details"], codes, words),
        why=[*_assumed(case), *(why for code, why in reasons if code not in apart)],
        play=list(best_play(ruling.play, words)),
        facts=list(facts_of(case)),
        mistake="" if mistake is None else mistake_name(mistake, words),
        remedy=[why for code, why in reasons if code == _REMEDY]
        or [Why("" if mistake is None else remedy_words(mistake, words))],
        penalty=[why for code, why in reasons if code in _COST],
        house_url=_house_penalty_url(context, mistake),
        mistakes=_mistake_rows(mistakes, context),
        is_silent=case.question.tells_silence and ruling.verdict is Verdict.FORBIDDEN and not mistakes,
        red_three=red_three_in_the_pile(rules, words) if case.question is PILE else None,
        others=_others(rules, kind, answer),
        dependencies=list(dependencies(case)),
        form=keep,
        change_url=case.url(case.steps[-1].name) if case.steps else "",
    )


def _others(rules: Ruleset, kind: str, answer: Answer) -> list[Other]:
    """The other rules that answer differently."""
    return list(others_shown(rules, kind, answer.ruling, answer.others, page_words()))


def _mistake_of(question: SchemaQuestion, rules: Ruleset) -> Irregularity | None:
    """The irregularity that a question is about; None for another question."""
    code = getattr(question.asked, "code", None)
    return next((each for each in irregularities(rules) if each.code == code), None)


def _assumed(case: Case) -> list[Why]:
    """What an empty input of cards for the pile was taken to mean."""
    is_empty = any(slot.name == "laid" for slot in case.slots) and not case.situation.answer("laid")
    return [Why(t("referee.laid.nothing"))] if is_empty else []


def _mistakes_with(case: Case, ruling: Ruling) -> list[Irregularity]:
    """The irregularities that go with this verdict and these reasons."""
    reasons, known = {reason.code for reason in ruling.reasons}, irregularities(case.situation.rules)
    codes = [
        mistake.code
        for mistake in case.question.mistakes
        if mistake.after is ruling.verdict
        and mistake.when(case.situation)
        and (not mistake.of or reasons.intersection(mistake.of))
    ]
    return [each for code in codes for each in known if each.code == code]


def _mistake_rows(mistakes: Iterable[Irregularity], context: Context) -> list[dict[str, str]]:
    """Irregularities with their remedies, penalties and sources."""
    words = page_words()
    return [
        {
            "url": context.mistake_url(each.code),
            "name": mistake_name(each, words),
            "remedy": remedy_words(each, words),
            "penalty": penalty_words(each, words),
            "source": places(each.places, words),
        }
        for each in mistakes
    ]


def _house_penalty_url(context: Context, mistake: Irregularity | None) -> str:
    """Where a house penalty is noted; empty for other irregularities, and for a device that cannot note one."""
    state = context.match
    if mistake is None or mistake.code != HOUSE or state is None or not _can_keep(state):
        return ""
    return url_for("actions.penalty", match=state.id, caso=HOUSE)


def _keep_form(case: Case, context: Context, form: KeepForm | None, points: int) -> KeepForm | None:
    """The form that keeps the ruling with the match; None outside a match, and for a device that cannot write."""
    state = context.match
    if state is None or not _can_keep(state):
        return None
    return keep_form(case, state, form, points)


def _can_keep(state: MatchState) -> bool:
    return state.access.can_write and not state.standing.finished

"""The pages of the referee: search and questions, one fact at a time, and the ruling; alone or in a match.

A question is a GET form: all answers stand in the URL, so that it can be sent to somebody and survives a reload.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField

from scorepad.i18n import LANGUAGES
from scorepad.i18n import words as words_in
from scorepad.matches.actions import penalty_points
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import DEPENDS, answer_word
from scorepad.referee.case import answer_to, has_partner
from scorepad.referee.irregularities import Irregularity, irregularities
from scorepad.referee.questions import Ruling, Verdict
from scorepad.rules.variants import default_variant, get_variant, variant_ids
from scorepad.schemas import Unusable
from scorepad.schemas.rulings import read_question_of_match, ruling_answer
from scorepad.web.base import FieldError, device_id, get_pad, load_match, page_words, render_page, t
from scorepad.web.forms import INVALID, Choice, ChoiceField, PadForm, form_errors
from scorepad.web.presenters import END, NAMES, RULES, SEEN, Watch, choice_args, option_words, places, watch_form
from scorepad.web.referee import answers
from scorepad.web.referee.decision import Decision, decide
from scorepad.web.referee.questions import (
    ALL,
    ANSWER,
    BY_NAME,
    DO,
    GROUPS,
    IN_TIME,
    PENALTY,
    PERMISSION,
    PILE,
    QUESTIONS,
    STEP,
    TURNING,
    Case,
    Fact,
    Question,
    Situation,
    errors_of,
    question_of,
    read_args,
)
from scorepad.web.rule_choices import ChosenRules, pickers, read_choices
from scorepad.web.text_search import TextIndex, document, exact, plain_words, stems, wanted_words, with_synonyms

blueprint = Blueprint("referee", __name__)

MISTAKE, TURN = "caso", "sbaglio"
"""URL parameters: the code of an irregularity, and of a mistake that a question tells apart."""
VARIANT, SOUGHT = "variante", "testo"
LONGEST_QUESTION = 100
"""Characters that the search reads."""
_MOST_FOUND = 4
_NOT_CHOSEN = "target"
"""The target decides nothing at the table."""
_WATCHED = END | NAMES | RULES
_CONTEXT = ("pile-always-frozen", "pile-never-frozen", "opening-minimum", "opening-minimum-below-zero",
            "opening-minimum-of-hand")  # fmt: skip
"""Reasons that only say where the decisive one comes from."""


def context_of(match: str | None) -> Situation:
    """What the questions of a request are asked under. Raises MatchNotFound."""
    words = page_words()
    if match is None:
        chosen = _chosen_rules()
        args = {VARIANT: chosen.variant.id} if chosen.variant.id != default_variant() else {}
        args |= choice_args(chosen.preset, chosen.options)
        return Situation(chosen.rules, {}, words, choices=args, chosen=chosen.in_words(words))
    state = load_match(match)
    parts = [t(f"preset.{state.rules.preset}")] if state.rules.preset else []
    parts += [option_words(name, state.rules.options[name], words) for name in state.house if name != _NOT_CHOSEN]
    return Situation(state.rules, {}, words, state, chosen="; ".join(parts))


def _chosen_rules() -> ChosenRules:
    """The rules that the URL chooses; 404 for an unknown variant."""
    variant = request.args.get(VARIANT, default_variant())
    if variant not in variant_ids():
        abort(404)
    args = {name: text for name, text in request.args.items() if name != _NOT_CHOSEN}
    return read_choices(get_variant(variant), args, page_words())


def case_of(question: Question, context: Situation, args: dict[str, str] | None = None) -> Case:
    """A question with the answers of the URL, or of these parameters."""
    situation = replace(context, given=question.given)
    typed = read_args(request.args if args is None else args, question, situation)
    return Case(question, replace(situation, typed=typed))


def _watch(context: Situation, errors: tuple[FieldError, ...] = ()) -> Watch | None:
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


# ---------------------------------------------------------------- the questions


@blueprint.get("/arbitro")
@blueprint.get("/partite/<match>/arbitro", endpoint="start_in_match")
def start(match: str | None = None) -> Response:
    """The search, the questions, and the irregularities in groups."""
    context, words = context_of(match), page_words()
    errors = _chosen_rules().errors if match is None else ()
    sought = " ".join(request.args.get(SOUGHT, "").split())[:LONGEST_QUESTION]
    known = {each.code for each in irregularities(context.rules)}
    return render_page(
        "referee/start.html",
        title=t("referee.title"),
        errors=errors,
        watch=_watch(context, errors),
        context=context,
        sought=sought,
        found=[_link(name, context) for name in _found(sought) if name in BY_NAME or name in known],
        questions=[each for each in QUESTIONS if each is not PERMISSION or has_partner(context.rules.settings)],
        groups=list(_groups(context, known)),
        red_three=answers.red_three_in_the_pile(context.rules, words),
        rules_url="" if match else url_for("referee.rules", **context.choices),
    )


def _groups(context: Situation, known: set[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The groups of irregularities: the group, and (name, URL) of each; those that one question tells apart once."""
    grouped, turns = {code for codes in GROUPS.values() for code in codes}, _turns(context)
    rest = tuple(each.code for each in irregularities(context.rules) if each.code not in grouped)
    for group, codes in (*GROUPS.items(), ("other", rest)):
        shown = dict.fromkeys(turns.get(code, code) for code in codes if code in known)
        if shown:
            yield group, [_link(code, context) for code in shown]


def _turns(context: Situation) -> dict[str, str]:
    """The irregularities that a question tells apart, with the name of the question: those with all its answers."""
    known = {each.code for each in irregularities(context.rules)}
    known |= {IN_TIME} if context.rules.settings.red_threes_kept == "exposed" else set()
    told_apart = {turn: set(codes.values()) for turn, codes in TURNING.items()}
    return {code: turn for turn, codes in told_apart.items() if codes <= known for code in codes}


def _link(name: str, context: Situation) -> tuple[str, str]:
    """The name and the URL of a question, of an irregularity, or of what tells irregularities apart."""
    if name in BY_NAME:
        return BY_NAME[name].title(page_words()), context.url(name, {})
    if name in _turns(context).values():
        return t(f"referee.turning.{name}"), context.url(PENALTY.name, {TURN: name})
    return _link_to(name, context)


def _link_to(code: str, context: Situation) -> tuple[str, str]:
    """The name and the URL of an irregularity."""
    return answers.mistake_name(code, page_words()), context.url(PENALTY.name, {MISTAKE: code})


def _found(sought: str) -> list[str]:
    """The questions and irregularities that a search is about, best first."""
    names, index = _index()
    asked = " ".join(with_synonyms(plain_words(sought)))
    if not asked:
        return []
    similar = [(word, *index.near(word, page_words().language)) for word in wanted_words(asked)]
    forms = [{form: 1.0 for each in some for form in (*stems(each), exact(each))} for some in similar]
    return [names[place] for place in index.best(forms, frozenset(plain_words(sought)))][:_MOST_FOUND]


@cache
def _index() -> tuple[list[str], TextIndex]:
    """The questions and irregularities with what people say for them, in all languages."""
    mistakes = [code for codes in GROUPS.values() for code in codes]
    keys = {question.name: f"referee.asked.{question.name}" for question in QUESTIONS if question is not PENALTY}
    keys |= {code: f"rulebook.asked.penalty.{code}" for code in mistakes}
    texts: dict[str, list[str]] = {}
    spoken = [words_in(language) for language in LANGUAGES]
    for name, key in keys.items():
        title = [BY_NAME[name].title(each) if name in BY_NAME else answers.mistake_name(name, each) for each in spoken]
        synonyms = [phrase for each in spoken if each.has(key) for phrase in each.text(key).split(",")]
        texts[name] = [*title, *synonyms]
    vocabulary = {each.language: {word for names in texts.values() for name in names for word in plain_words(name)}
                  for each in spoken}  # fmt: skip
    documents = [document([(text, 5.0) for text in each], each, 1.0) for each in texts.values()]
    return list(texts), TextIndex(documents, vocabulary)


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


# ---------------------------------------------------------------- one fact at a time


@blueprint.get("/arbitro/<question>")
@blueprint.get("/partite/<match>/arbitro/<question>", endpoint="ask_in_match")
def ask(question: str, match: str | None = None) -> Response:
    """The next fact of a question, or the ruling."""
    context = context_of(match)
    if question not in BY_NAME:
        abort(404)
    if BY_NAME[question] is PENALTY:
        return _ask_mistake(context)
    case, step = case_of(BY_NAME[question], context), request.args.get(STEP, "")
    pressed = case.pressed(request.args.get(DO, ""))
    if pressed is not None:
        now, stays, name = pressed
        return redirect(now.url(stays, name if stays else None), code=303)
    if step == ALL:
        return _show_facts(case, context, case.facts, ())
    fact = case.fact(step)
    return _show_facts(case, context, (fact,), ()) if fact else show_answer(case, context, is_forced=step == ANSWER)


def next_page(case: Case, *, is_forced: bool) -> tuple[Fact | None, tuple[FieldError, ...], Decision]:
    """The fact to ask for, with what is wrong with its answer; or the decision. `is_forced`: ask for what must be."""
    for fact in case.facts:
        errors = errors_of(fact, case.situation) if case.is_answered(fact) or (is_forced and fact.needed) else ()
        if errors:
            return fact, errors, Decision(fact)
    decision = decide(case, only_side=is_forced)
    errors = (FieldError("who", t("referee.error.side")),) if is_forced and decision.fact else ()
    return decision.fact, errors, decision


def show_answer(
    case: Case, context: Situation, form: KeepForm | None = None, status: int = 200, *, is_forced: bool = False
) -> Response:
    """The ruling, if it is decided; else the next fact."""
    fact, errors, decision = next_page(case, is_forced=is_forced)
    if fact is not None:
        return _show_facts(case, context, (fact,), (*errors, *(form_errors(form) if form else ())), status)
    try:
        return _show_ruling(case, question_of(case), context, decision if not is_forced else None, form, status)
    except Unusable:
        return _show_facts(case, context, case.facts, (FieldError(None, t("referee.error.unusable")),))


def _show_facts(
    case: Case, context: Situation, facts: tuple[Fact, ...], errors: tuple[FieldError, ...], status: int = 200
) -> Response:
    """The page of a fact, or of all."""
    fact = facts[0] if len(facts) == 1 else None
    before = [each.name for each in case.facts if not each.aside and each.name in case.situation.typed]
    if fact is not None and fact.name in before:
        before = before[: before.index(fact.name)]
    return render_page(
        "referee/fact.html",
        title=case.question.title(page_words()),
        status=INVALID if errors and status < INVALID else status,
        errors=errors,
        watch=_watch(context, errors),
        context=context,
        back_url=case.url(before[-1]) if before and fact else context.start_url,
        is_first=not (before and fact),
        case=case,
        fields=[answers.field_of(each, case, errors) for each in facts],
        is_alone=fact is not None,
        ways=list(_other_ways(fact, case)) if fact else [],
        hidden_fields=[*case.hidden(*facts), *([] if fact else [(STEP, ANSWER)])],
        answer_url=case.url(ANSWER),
        all_url=case.url(ALL),
    )


def _other_ways(fact: Fact, case: Case) -> Iterator[tuple[str, str]]:
    """What may be given instead of these cards: a whole hand, or nothing but the score."""
    way, kind = case.fact("way"), case.question.kind
    if way is not None and ("way" in fact.only or (kind, fact.name) == ("out", "table")):
        for value in way.values:
            if value != way.of(case.situation):
                yield t(answers.choice_key(way, value, kind, page_words())), case.with_answers({"way": value}).url()


# ---------------------------------------------------------------- irregularities


def mistake_case(code: str, context: Situation) -> Case:
    """The question about an irregularity."""
    return Case(PENALTY, replace(context, typed={MISTAKE: code}))


def _ask_mistake(context: Situation) -> Response:
    """The ruling on an irregularity, the question that tells which it is, or all of them."""
    words, turn = page_words(), request.args.get(TURN, "")
    if MISTAKE in request.args:
        return show_mistake(context, request.args[MISTAKE].strip())
    if turn:
        if turn not in _turns(context).values():
            abort(404)
        return render_page(
            "referee/turning.html",
            title=t(f"referee.turning.{turn}"),
            watch=_watch(context),
            context=context,
            turn=turn,
            choices=TURNING[turn],
        )
    return render_page(
        "referee/mistakes.html",
        title=PENALTY.title(words),
        watch=_watch(context),
        context=context,
        mistakes=_told_of(irregularities(context.rules), context),
    )


def show_mistake(context: Situation, code: str, form: KeepForm | None = None, status: int = 200) -> Response:
    """The ruling on an irregularity; 404 if the variant does not know it."""
    known = {each.code: each for each in irregularities(context.rules)}
    if code in _turns(context) and code not in known:
        return render_page(
            "referee/in_time.html",
            title=t("referee.turning.red-three-not-exposed"),
            watch=_watch(context),
            context=context,
            source=places(known["red-three-not-exposed"].places, page_words()),
        )
    if code not in known:
        abort(404)
    return _show_ruling(mistake_case(code, context), {"kind": PENALTY.kind, "code": code}, context, None, form, status)


def _told_of(mistakes: Collection[Irregularity], context: Situation) -> list[tuple[Irregularity, str, str, str]]:
    """Irregularities, each with its name, URL and sources."""
    return [(each, *_link_to(each.code, context), places(each.places, page_words())) for each in mistakes]


# ---------------------------------------------------------------- the ruling

NOBODY = "nobody"
"""The choice of no side: the ruling is kept without its penalty."""


class KeepForm(PadForm):
    """A ruling to keep: the question as URL parameters, the open hand, the rules' digest, whose the penalty is."""

    asked = HiddenField()
    hand = HiddenField()
    rules = HiddenField()
    whose = ChoiceField(message=None)

    @property
    def args(self) -> dict[str, str]:
        """The question as URL parameters."""
        return dict(parse_qsl(self.asked.data or "", keep_blank_values=True))

    @property
    def is_forced(self) -> bool:
        """Whether the ruling was asked for with facts left open."""
        return self.args.get(STEP) == ANSWER

    def is_chosen(self, state: MatchState) -> bool:
        """Whether it was answered whose the penalty is."""
        return self.whose.data in {NOBODY, *map(str, range(len(state.sides)))}

    @property
    def side(self) -> int | None:
        """The side that the penalty is taken from; None for none."""
        return int(self.whose.data) if (self.whose.data or "").isdigit() else None


def _keep_form(case: Case, state: MatchState, form: KeepForm | None, points: int, *, is_forced: bool) -> KeepForm:
    """The form beside a ruling: a new one, or the one that was submitted."""
    if form is None:
        form = KeepForm(formdata=None)
        asked = case.known_answers()
        form.asked.data = urlencode(asked | {STEP: ANSWER} if is_forced else asked)
        form.hand.data = get_pad().open(state.id, device_id()).id
        form.rules.data = state.rules.digest
    form.whose.choices = ()
    if points:
        form.whose.label.text = t("referee.keep.whose", points=page_words().signed(-points))
        sides = [Choice(str(position), side.name) for position, side in enumerate(state.sides)]
        form.whose.choices = (*sides, Choice(NOBODY, t("referee.keep.nobody")))
    return form


def _show_ruling(
    case: Case, raw: dict[str, Any], context: Situation, decision: Decision | None, form: KeepForm | None, status: int
) -> Response:
    words, rules, kind = page_words(), context.rules, case.question.kind
    question = read_question_of_match(raw, rules)
    answer = answer_to(rules, question.asked)
    shown_answer, ruling = ruling_answer(question, answer, words), answer.ruling
    codes = [reason.code for reason in ruling.reasons]
    shown = answers.reasons_shown([each["message"] for each in shown_answer["reasons"]], ruling.reasons, rules, words)
    why = [each for each, reason in zip(shown, ruling.reasons, strict=True) if not decision or decision.holds(reason)]
    mistake = next((each for each in irregularities(rules) if each.code == raw.get("code")), None)
    keep = None
    if context.match is not None and context.can_keep:
        is_forced = decision is None and case.question is not PENALTY
        keep = _keep_form(case, context.match, form, penalty_points(ruling), is_forced=is_forced)
    errors = form_errors(keep) if keep else ()
    mistakes = _mistakes_with(case, ruling)
    others = answers.others_shown(rules, kind, ruling, answer.others, words)
    decisive = (each for each in why if each.code not in _CONTEXT and not each.code.startswith("fault-"))
    lead = next(decisive, why[0] if why else None)
    depends, is_allowed = not DEPENDS.isdisjoint(codes), ruling.verdict is Verdict.ALLOWED
    return render_page(
        "referee/answer.html",
        title=case.question.title(words) if mistake is None else answers.mistake_name(mistake.code, words),
        status=status,
        errors=errors,
        watch=_watch(context, errors),
        context=context,
        case=case,
        verdict=ruling.verdict.value,
        look="depends" if depends else ruling.verdict.value,
        word=answer_word(kind, ruling.verdict.value, shown_answer["details"], codes, words),
        lead=lead,
        why=[each for each in why if each is not lead],
        now=_now(kind, ruling, lead) if mistake is None and not depends else "",
        play=list(answers.best_play(ruling.play, words)),
        facts=list(answers.facts_of(case)),
        mistake=mistake,
        mistakes=_told_of(mistakes, context),
        is_silent=case.question.tells_silence and ruling.verdict is Verdict.FORBIDDEN and not mistakes,
        red_three=answers.red_three_in_the_pile(rules, words) if case.question is PILE and is_allowed else None,
        others=list(others),
        dependencies=list(answers.dependencies(case)),
        form=keep,
        change_url=case.url(ALL) if case.question is not PENALTY else "",
    )


def _now(kind: str, ruling: Ruling, lead: answers.Why | None) -> str:
    """What to do now; empty where the ruling itself says it."""
    words, keys = page_words(), [f"referee.now.{lead.code}"] if lead else []
    effect = ruling.details.get("effect")
    keys += [f"referee.now.{kind}.{ruling.verdict}.{effect}", f"referee.now.{kind}.{ruling.verdict}"]
    return next((words.text(key) for key in (*keys, f"referee.now.{ruling.verdict}") if words.has(key)), "")


def _mistakes_with(case: Case, ruling: Ruling) -> list[Irregularity]:
    """The irregularities that go with this verdict and these reasons."""
    reasons, known = {reason.code for reason in ruling.reasons}, irregularities(case.situation.rules)
    codes = [
        mistake.code
        for mistake in case.question.mistakes
        if mistake.after is ruling.verdict
        and all(case.situation.answer(name) == value for name, value in mistake.when.items())
        and (not mistake.of or reasons.intersection(mistake.of))
    ]
    return [each for code in codes for each in known if each.code == code]

"""The pages of the referee: search and questions, one fact at a time, the ruling, and the rulings
kept with a match.

A question is a GET form: all answers are in the URL, so that it can be shared and survives a
reload.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField, ValidationError

from scorepad.i18n import LANGUAGES
from scorepad.i18n import words as words_in
from scorepad.matches.access import RequestRefused
from scorepad.matches.actions import Asking, NewPenalty
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import DEPENDS, answer_word
from scorepad.matches.transaction import Saved, Stale, heavy_work
from scorepad.referee.in_force import has_partner
from scorepad.referee.irregularities import (
    Costs,
    Irregularity,
    irregularities,
    irregularity,
)
from scorepad.referee.ruling import Ruling
from scorepad.rules.variants import default_variant, get_variant, variant_ids
from scorepad.schemas import Unusable
from scorepad.schemas.rulings import (
    TOO_MANY_WAYS,
    answer_question,
    read_question_of_match,
    ruling_answer,
)
from scorepad.web import base
from scorepad.web.base import (
    device_id,
    get_pad,
    language,
    load_match,
    notice,
    page_words,
    render_page,
    t,
)
from scorepad.web.forms import INVALID, Choice, ChoiceField, PadForm, Sent, checks_itself
from scorepad.web.hand_fields import add_penalty, unread
from scorepad.web.presenters import END, NAMES, RULES, choice_args, choices_words, watch, watch_form
from scorepad.web.referee import cases, explanations
from scorepad.web.referee.cases import (
    IN_TIME,
    MISTAKE,
    PENALTY,
    QUESTIONS,
    STEP,
    TURN,
    TURNING,
    Answers,
    Case,
    Fact,
)
from scorepad.web.referee.decision import Decision, decide
from scorepad.web.referee.explanations import mistake_name
from scorepad.web.rule_choices import ChosenRules, read_choices
from scorepad.web.text_search import (
    TextIndex,
    action_of,
    asked_words,
    asks_rule,
    document,
    plain_words,
    wanted_words,
    with_synonyms,
)

blueprint = Blueprint("referee", __name__)

VARIANT, SOUGHT = "variante", "testo"
LONGEST_QUESTION = 100
"""Characters that the search reads."""
_MOST_FOUND = 4
_LEAST_SHARE = 0.5  # the share of a search that a question must match to be found
_LEADING_LIKENESS = 0.7  # how like a search a question must be to stand before the rules
_NOT_CHOSEN = "target"  # the target does not affect rulings
_WATCHED = END | NAMES | RULES
_BACKGROUND = ("pile-always-frozen", "pile-never-frozen", "opening-minimum", "opening-minimum-below-zero",
               "opening-minimum-of-hand")  # fmt: skip
"""Reasons that only give the background of the decisive one."""


def case_without_question(match: str | None) -> Case:
    """The rules of a request, and its match if there is one. Raises MatchNotFound."""
    if match is None:
        chosen = _chosen_rules()
        args = {VARIANT: chosen.variant.id} if chosen.variant.id != default_variant() else {}
        args |= choice_args(chosen.preset, chosen.options)
        return Case(chosen.rules, choices=args, chosen=chosen.in_words(page_words()))
    state = load_match(match)
    house = {name: state.rules.options[name] for name in state.house if name != _NOT_CHOSEN}
    return Case(state.rules, state, chosen=choices_words(state.rules.preset, house, page_words()))


def _chosen_rules() -> ChosenRules:
    """The rules chosen in the URL; 404 for an unknown variant."""
    variant = request.args.get(VARIANT, default_variant())
    if variant not in variant_ids():
        abort(404)
    args = {name: text for name, text in request.args.items() if name != _NOT_CHOSEN}
    return read_choices(get_variant(variant), args)


def case_of(question: str, match: str | None, args: Answers) -> Case:
    """A question with the answers of these URL parameters; 404 if the rules do not have it."""
    case = (
        case_without_question(match).of(cases.BY_NAME[question], args)
        if question in cases.BY_NAME
        else abort(404)
    )
    if case.question is PENALTY and case.mistake is None:
        abort(404)
    return case


def _page(
    template: str, case: Case, title: str, errors: base.Errors = (), **values: Any
) -> Response:
    """A page that, in a match, shows what happened since."""
    watched = None
    if case.match is not None:
        # A page that cannot be refetched polls the page of the questions for the notice only.
        watched = watch_form(
            case.match, _WATCHED, case.start_url if errors or request.method == "POST" else ""
        )
    values |= {"case": case, "explanations": explanations}
    return render_page(
        f"referee/{template}.html", title=title, errors=errors, watch=watched, **values
    )


# ---------------------------------------------------------------- the questions


@blueprint.get("/arbitro")
@blueprint.get("/partite/<match>/arbitro", endpoint="start_in_match")
def start(match: str | None = None) -> Response:
    """The search, the questions, and the irregularities in groups."""
    case = case_without_question(match)
    errors = _chosen_rules().errors if match is None else ()
    sought = " ".join(request.args.get(SOUGHT, "").split())[:LONGEST_QUESTION]
    links, turns, (found, is_rule) = _links(case), _turns(case), _found(sought)
    grouped = {code for codes in cases.GROUPS.values() for code in codes}
    groups = {
        **cases.GROUPS,
        "other": [each.code for each in irregularities(case.rules) if each.code not in grouped],
    }
    return _page(
        "start",
        case,
        t("referee.title"),
        errors,
        sought=sought,
        found=[links[name] for name in found if name in links],
        is_rule=is_rule,
        questions=[
            each for each in QUESTIONS if each is not cases.PERMISSION or has_partner(case.settings)
        ],
        groups={
            group: list(
                dict.fromkeys(links[turns.get(code, code)] for code in codes if code in links)
            )
            for group, codes in groups.items()
        },
        red_three=explanations.red_three_in_the_pile(case.rules),
        rules_url="" if match else url_for("referee.rules", **case.choices),
    )


def _turns(case: Case) -> dict[str, str]:
    """The irregularities that a question distinguishes, with its name: those with all its answers."""
    known = {each.code for each in irregularities(case.rules)}
    known |= {IN_TIME} if case.settings.red_threes_kept == "exposed" else set()
    return {
        code: turn
        for turn, codes in TURNING.items()
        if known.issuperset(codes.values())
        for code in codes.values()
    }


def _links(case: Case) -> dict[str, tuple[str, str]]:
    """The names and URLs of questions, irregularities, and questions that distinguish
    irregularities.
    """
    words, url = page_words(), case.url_of
    links = {question.name: (question.title(words), url(question.name)) for question in QUESTIONS}
    for each in irregularities(case.rules):
        links[each.code] = mistake_name(each.code, words), url(PENALTY.name, **{MISTAKE: each.code})
    for turn in _turns(case).values():
        links[turn] = t(f"referee.turning.{turn}"), url(PENALTY.name, **{TURN: turn})
    return links


def _found(sought: str) -> tuple[list[str], bool]:
    """The questions and irregularities that match a search, best first, and whether the rules
    answer it better.

    They do if it asks for a figure, a person or a moment, or if no question is like it.
    """
    names, index = _index()
    plain = asked_words(sought)
    meant = with_synonyms(plain)
    similar = index.similar(wanted_words(" ".join(meant)), page_words().language)
    matches = index.best(similar, frozenset(plain), action=action_of(meant))
    found = {names[place]: match for place, match in matches.items() if match.share >= _LEAST_SHARE}
    is_question = any(match.likeness >= _LEADING_LIKENESS for match in found.values())
    return list(found)[:_MOST_FOUND], asks_rule(plain) or not is_question


@cache
def _index() -> tuple[list[str], TextIndex]:
    """The questions and irregularities with players' words for them, in all languages."""
    texts: dict[str, list[str]] = {}
    for words in map(words_in, LANGUAGES):
        titles = {
            question.name: question.title(words)
            for question in QUESTIONS
            if question is not PENALTY
        }
        titles |= {
            code: mistake_name(code, words) for codes in cases.GROUPS.values() for code in codes
        }
        for name, title in titles.items():
            key = (
                f"referee.asked.{name}"
                if name in cases.BY_NAME
                else f"rulebook.asked.penalty.{name}"
            )
            texts.setdefault(name, []).extend([title, *words.text(key).split(",")])
    vocabulary = {word for each in texts.values() for text in each for word in plain_words(text)}
    documents = [document([(text, 5.0) for text in each], each, 1.0) for each in texts.values()]
    return list(texts), TextIndex(documents, dict.fromkeys(LANGUAGES, vocabulary))


@blueprint.get("/arbitro/regole")
def rules() -> Response:
    """Choose the rules that questions are asked under."""
    chosen, case = _chosen_rules(), case_without_question(None)
    values = {"chosen": chosen, "variants": variant_ids(), "not_chosen": _NOT_CHOSEN}
    status = INVALID if chosen.errors else 200
    return _page("rules", case, t("referee.rules.title"), chosen.errors, status=status, **values)


# ---------------------------------------------------------------- one fact at a time


@blueprint.get("/arbitro/<question>")
@blueprint.get("/partite/<match>/arbitro/<question>", endpoint="ask_in_match")
def ask(question: str, match: str | None = None) -> Response:
    """The next fact of a question, or the ruling."""
    if question == PENALTY.name and MISTAKE not in request.args:
        return _mistakes(case_without_question(match), request.args.get(TURN, ""))
    if question == PENALTY.name and request.args[MISTAKE].strip() == IN_TIME:
        return _in_time(case_without_question(match))
    case, step = case_of(question, match, request.args), request.args.get(STEP, "")
    pressed = case.pressed(request.args.get(cases.DO, ""))
    if pressed is not None:
        return redirect(pressed, code=303)
    fact = case.fact(step)
    if fact is not None or (step == cases.ALL and case.facts):
        return _show_facts(case, (fact,) if fact else case.facts)
    return show_answer(case, is_forced=step == cases.ANSWER)


def _mistakes(case: Case, turn: str) -> Response:
    """All irregularities, or the question that distinguishes some of them."""
    if not turn:
        return _page(
            "mistakes", case, PENALTY.title(page_words()), mistakes=irregularities(case.rules)
        )
    if turn not in _turns(case).values():
        abort(404)
    return _page("turning", case, t(f"referee.turning.{turn}"), turn=turn, choices=TURNING[turn])


def _in_time(case: Case) -> Response:
    """The answer about a red three noticed during the hand."""
    mistake = irregularity(case.rules, "red-three-not-exposed")
    if mistake is None or IN_TIME not in _turns(case):
        abort(404)
    return _page("in_time", case, t("referee.turning.red-three-not-exposed"), mistake=mistake)


def next_page(case: Case, *, is_forced: bool) -> tuple[Fact | None, base.Errors, Decision]:
    """The fact to ask for, with the errors of its answer; or the decision. `is_forced`: ask for
    needed facts.
    """
    for fact in case.facts:
        errors = case.errors(fact) if case.is_answered(fact) or (is_forced and fact.needed) else ()
        if errors:
            return fact, errors, Decision(fact)
    decision = decide(case, only_side=is_forced)
    errors = (
        (base.FieldError("who", t("referee.error.side")),) if is_forced and decision.fact else ()
    )
    return decision.fact, errors, decision


def show_answer(case: Case, form: KeepForm | None = None, *, is_forced: bool = False) -> Response:
    """The ruling, if it is decided; else the next fact. Raises Overloaded."""
    # Finding the best way to play a whole hand takes longer than other questions.
    with heavy_work() if case.answer("way") == "hand" else nullcontext():
        return _answer_or_fact(case, form, is_forced=is_forced)


def _answer_or_fact(case: Case, form: KeepForm | None, *, is_forced: bool) -> Response:
    fact, errors, decision = next_page(case, is_forced=is_forced)
    if fact is not None:
        return _show_facts(
            case, (fact,), (*errors, *(form.summary if form else ())), form.status if form else 200
        )
    try:
        return _show_ruling(case, decision, form, is_forced=is_forced)
    except Unusable as error:
        key = (
            "referee.error.too-many-ways"
            if error.reason == TOO_MANY_WAYS
            else "referee.error.unusable"
        )
        return _show_facts(case, case.facts, (base.FieldError(None, t(key)),))


def _show_facts(
    case: Case, facts: tuple[Fact, ...], errors: base.Errors = (), status: int = 200
) -> Response:
    """The page of a fact, or of all."""
    fact = facts[0] if len(facts) == 1 else None
    before = [each.name for each in case.facts if not each.aside and each.name in case.typed]
    if fact is not None and fact.name in before:
        before = before[: before.index(fact.name)]
    return _page(
        "fact",
        case,
        case.question.title(page_words()),
        errors,
        status=INVALID if errors and status < INVALID else status,
        before=before[-1] if before and fact else "",
        facts=facts,
        is_alone=fact is not None,
        shown={name for each in facts for name in case.names(each)},
    )


# ---------------------------------------------------------------- the ruling


def _show_ruling(
    case: Case, decision: Decision, form: KeepForm | None, *, is_forced: bool
) -> Response:
    words, rules, mistake = page_words(), case.rules, case.mistake
    question = read_question_of_match(case.as_json(), rules)
    answer = answer_question(question)
    told, ruling = ruling_answer(question, answer, words), answer.ruling
    shown = explanations.reasons_shown(
        [each["message"] for each in told["reasons"]], ruling.reasons, rules
    )
    why = [
        each
        for each, reason in zip(shown, ruling.reasons, strict=True)
        if is_forced or decision.holds(reason)
    ]
    decisive = [
        each for each in why if each.code not in _BACKGROUND and not each.code.startswith("fault-")
    ]
    lead = next(iter(decisive or why), None)
    if form is None and case.match is not None and case.can_keep:
        known = {
            name: case.known[name]
            for fact in case.facts
            for name in case.names(fact)
            if case.known.get(name)
        }
        form = KeepForm(
            asked=urlencode(known | dict(case.typed) | ({STEP: cases.ANSWER} if is_forced else {}))
        )
        form.set_case(case)
        form.set_hand(case.match)
    codes = [reason.code for reason in ruling.reasons]
    return _page(
        "answer",
        case,
        mistake_name(mistake.code, words) if mistake else case.question.title(words),
        form.summary if form else (),
        answer=answer,
        word=answer_word(case.question.kind, ruling.verdict.value, told["details"], codes, words),
        depends=not DEPENDS.isdisjoint(codes),
        lead=lead,
        why=[each for each in why if each is not lead],
        mistake=mistake,
        mistakes=_mistakes_with(case, ruling),
        form=form,
    )


def _mistakes_with(case: Case, ruling: Ruling) -> list[Irregularity]:
    """The irregularities listed with this verdict and these reasons."""
    reasons = {reason.code for reason in ruling.reasons}
    found = (
        irregularity(case.rules, mistake.code)
        for mistake in case.question.mistakes
        if mistake.after is ruling.verdict
        and all(case.answer(name) == value for name, value in mistake.when.items())
        and (not mistake.of or reasons.intersection(mistake.of))
    )
    return [each for each in found if each is not None]


# ---------------------------------------------------------------- keeping it

NOBODY = "nobody"
"""The choice of no side: the ruling is kept without its penalty."""


class KeepForm(PadForm):
    """A ruling to keep: the question as URL parameters, the open hand, the rules' digest, the
    penalised side.
    """

    asked = HiddenField()
    hand = HiddenField()
    rules = HiddenField()
    whose = ChoiceField(message="referee.keep.whose.missing")

    def set_case(self, case: Case) -> None:
        """Offer the sides of the match if the case costs points."""
        self.case, mistake = case, case.mistake
        if mistake is None or mistake.costs is not Costs.POINTS or case.match is None:
            del self.whose
            return
        self.whose.label.text = t("referee.keep.whose", points=page_words().signed(-mistake.points))
        sides = [Choice(str(position), side.name) for position, side in enumerate(case.match.sides)]
        self.whose.choices = (*sides, Choice(NOBODY, t("referee.keep.nobody")))

    def set_hand(self, state: MatchState) -> None:
        """Keep the ruling with the current hand, under the current rules."""
        self.hand.data, self.rules.data = (
            get_pad().open(state.id, device_id()).id,
            state.rules.digest,
        )

    @property
    def penalty(self) -> NewPenalty | None:
        """The penalty of the chosen side; None for none."""
        mistake = self.case.mistake
        if mistake is None or "whose" not in self or self.whose.data in (NOBODY, None):
            return None
        sides = [choice.value for choice in self.whose.choices]
        return NewPenalty(int(self.whose.data), mistake.code) if self.whose.data in sides else None

    def validate_whose(self, _: ChoiceField) -> None:
        """Refuse a penalty if its field in the open hand is not a number."""
        hand, penalty = self.case.match.open_hand if self.case.match else None, self.penalty
        text = (
            unread(hand.draft, penalty.side, penalty.code, language()) if hand and penalty else ""
        )
        if text:
            raise ValidationError(t("match.penalty.unread", text=text))


@blueprint.post("/partite/<match>/arbitro/<question>/tieni")
@checks_itself
def keep(match: str, question: str) -> Response:
    """Keep a ruling with the match, with its penalty if there is one."""
    form, state = KeepForm(), load_match(match)
    args = dict(parse_qsl(form.asked.data or "", keep_blank_values=True))
    is_forced = args.get(STEP) == cases.ANSWER
    case = case_of(question, match, args)
    form.set_case(case)
    penalty, (fact, _, decision) = form.penalty, next_page(case, is_forced=is_forced)

    def act(sent: Sent) -> Saved | Stale:
        codes = (
            None
            if is_forced or not decision.reasons
            else frozenset(code for code, _ in decision.reasons)
        )
        side, write = (
            (penalty.side, add_penalty(penalty, language())) if penalty else (case.side, None)
        )
        asking = Asking(case.as_json(), form.rules.data or "", form.hand.data or "", side, codes)
        return get_pad().actions.keep_ruling(*sent, asking, write)

    form.status = INVALID
    with suppress(Unusable):
        result = None if fact else form.submit(state.id, act)
        if isinstance(result, Saved) and penalty is not None and case.mistake is not None:
            points = page_words().signed(-case.mistake.points)
            return base.done(
                result,
                "referee.keep.done.penalty",
                side=state.sides[penalty.side].name,
                points=points,
            )
        if isinstance(result, Saved):
            return base.done(result, "referee.keep.done", number=state.coming)
        if isinstance(result, Stale):
            if result.state.status.finished:
                return base.match_is_over(state.id)
            form.set_hand(result.state)
            form.reject(t("referee.keep.stale", number=result.state.coming))
            case = case_of(question, match, args)
    return show_answer(case, form, is_forced=is_forced)


# ---------------------------------------------------------------- the kept rulings


@blueprint.get("/partite/<match>/arbitro/decisioni")
def kept(match: str, refused: PadForm | None = None) -> Response:
    """All rulings kept with a match, the last one first; `refused`: a rejected form of the page."""
    state = load_match(match)
    return render_page(
        "referee/kept.html",
        title=t("referee.kept.title"),
        watch=watch(state, url_for("referee.kept", match=match)),
        match=state,
        form=refused or PadForm(formdata=None),
        explanations=explanations,
    )


@blueprint.post("/partite/<match>/arbitro/decisioni/<int:entry>/togli")
@checks_itself
def take_back(match: str, entry: int) -> Response:
    """Withdraw a kept ruling."""
    form, state = PadForm(), load_match(match)
    found = next((each.event for each in state.rulings if each.sequence == entry), None)
    if not form.validate():
        return kept(match, form)
    try:
        result = get_pad().actions.take_back_ruling(form.request_name, state.id, device_id(), entry)
    except RequestRefused:
        notice(t("serve.sent-before"))
    else:
        if isinstance(result, Saved) and found is not None:
            is_counted = found.points is not None and found.number <= len(state.hands)
            key = "referee.taken-back.counted" if is_counted else "referee.taken-back"
            notice(t(key, number=state.called(found.number)))
    return redirect(url_for("referee.kept", match=match), code=303)

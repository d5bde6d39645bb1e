"""The pages of the referee: search and questions, one fact at a time, the ruling, and the rulings
kept with a match.

A question is a GET form: all answers are in the URL, so that it can be shared and survives a
reload.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField

from scorepad.heavy import heavy_work
from scorepad.i18n import LANGUAGES
from scorepad.i18n import words as words_in
from scorepad.matches.actions import Asking, NewPenalty
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
from scorepad.referee.ruling import Ruling
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
from scorepad.web.referee.cases import MISTAKE, STEP, TURN, Case
from scorepad.web.referee.decision import Decision, decide
from scorepad.web.referee.explanations import mistake_name
from scorepad.web.referee.facts import Answers, Fact
from scorepad.web.referee.question_pages import (
    BY_NAME,
    GROUPS,
    IN_TIME,
    MISTAKES_BY_ANSWER,
    PENALTY,
    PERMISSION,
    QUESTIONS,
    Mistake,
    QuestionPages,
)
from scorepad.web.rule_choices import ChosenRules, read_choices
from scorepad.web.rule_words import choices_words
from scorepad.web.rulebook_links import choice_args
from scorepad.web.text_search import (
    TextIndex,
    WeightedText,
    action_word,
    asks_for_rule,
    content_words,
    make_document,
    plain_words,
    question_words,
    with_synonyms,
)
from scorepad.web.watching import END, NAMES, RULES, watch, watch_form

blueprint = Blueprint("referee", __name__)

VARIANT = "variante"
SOUGHT = "testo"
LONGEST_QUESTION = 100
"""Characters that the search reads."""
_MOST_FOUND = 4
_LEAST_SHARE = 0.5
"""The share of a search that a question must match to be found."""
_LEADING_LIKENESS = 0.7
"""How like a search a question must be to stand before the rules."""
_TITLE_WEIGHT = 5.0
_NOT_CHOSEN = "target"
"""An option that readers do not choose here: the target does not affect rulings."""
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
    """The rules of a request, and its match if there is one. Raises MatchNotFound."""
    if match is not None:
        return _case_of_match(load_match(match))
    chosen = _chosen_rules()
    choices: dict[str, Any] = {}
    if chosen.variant.id != default_variant():
        choices[VARIANT] = chosen.variant.id
    choices |= choice_args(chosen.preset, chosen.options)
    words = page_words(chosen.variant)
    return Case(chosen.rules, choices=choices, chosen=chosen.in_words(words))


def _case_of_match(state: MatchState) -> Case:
    """The rules of a match, with no question yet, and the choices of the table in words."""
    chosen_options = {
        name: state.rules.options[name] for name in state.house if name != _NOT_CHOSEN
    }
    words = page_words(state.rules)
    chosen = choices_words(state.rules.preset, chosen_options, words)
    return Case(state.rules, state, chosen=chosen)


def _chosen_rules() -> ChosenRules:
    """The rules chosen in the URL; 404 for an unknown variant."""
    variant = request.args.get(VARIANT, default_variant())
    if variant not in variant_ids():
        abort(404)
    args = {name: text for name, text in request.args.items() if name != _NOT_CHOSEN}
    return read_choices(get_variant(variant), args)


def case_of(question: str, match: str | None, args: Answers) -> Case:
    """A question with the answers of these URL parameters; 404 if the rules do not have it."""
    if question not in BY_NAME:
        abort(404)
    case = case_without_question(match).with_question(BY_NAME[question], args)
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
        polled_url = case.start_url if errors or request.method == "POST" else ""
        watched = watch_form(case.match, _WATCHED, polled_url)
    values |= {"case": case, "explanations": explanations, "inputs": inputs}
    return render_page(
        f"referee/{template}.html",
        title=title,
        errors=errors,
        watch=watched,
        words=case.words,
        **values,
    )


# ---------------------------------------------------------------- the questions


class ReplyLink(NamedTuple):
    name: str
    url: str


@blueprint.get("/arbitro")
@blueprint.get("/partite/<match>/arbitro", endpoint="start_in_match")
def start(match: str | None = None) -> Response:
    """The first page of the referee: a search, the questions, and the irregularities in groups.

    In a match it uses the rules of the match, else those that the URL chooses.
    """
    case = case_without_question(match)
    errors = () if match else _chosen_rules().errors
    choose_rules_url = "" if match else url_for("referee.rules", **case.choices)
    links = _links(case)

    sought = " ".join(request.args.get(SOUGHT, "").split())[:LONGEST_QUESTION]
    found = _search_questions(sought)
    # Some questions that the search knows do not exist under these rules.
    found_links = [links[name] for name in found.names if name in links]
    return _page(
        "start",
        case,
        t("referee.title"),
        errors,
        sought=sought,
        found=found_links,
        is_rule=found.is_answered_by_rules,
        questions=[question for question in QUESTIONS if _is_asked(question, case)],
        groups=_links_in_groups(case, links),
        red_three=explanations.red_three_in_the_pile(case.rules),
        rules_url=choose_rules_url,
    )


def _is_asked(question: QuestionPages, case: Case) -> bool:
    """Whether a question is listed: one asks a partner for permission."""
    return question is not PERMISSION or has_partner(case.settings)


def _links_in_groups(case: Case, links: dict[str, ReplyLink]) -> dict[str, list[ReplyLink]]:
    """The links to irregularities by group; those that a question tells apart have its link.

    `links` has the links to questions and irregularities by their names and codes.
    """
    questions = _distinguishing_questions(case)
    codes_by_group = {**GROUPS, "other": _codes_without_group(case)}
    links_by_group: dict[str, list[ReplyLink]] = {}
    for group, codes in codes_by_group.items():
        links_by_group[group] = []
        for code in codes:
            if code not in links:
                continue
            link = links[questions.get(code, code)]
            if link not in links_by_group[group]:  # one question may stand for several codes
                links_by_group[group].append(link)
    return links_by_group


def _codes_without_group(case: Case) -> tuple[str, ...]:
    """The codes of those irregularities of the rules that are in no group of the page."""
    grouped_codes = _grouped_codes()
    mistakes = irregularities(case.rules)
    return tuple(mistake.code for mistake in mistakes if mistake.code not in grouped_codes)


def _grouped_codes() -> list[str]:
    """The codes of the irregularities that are in a group of the page, in its order."""
    codes: list[str] = []
    for codes_of_group in GROUPS.values():
        codes += codes_of_group
    return codes


def _distinguishing_questions(case: Case) -> dict[str, str]:
    """The questions that tell irregularities apart, by the codes of these.

    Such a question is asked only if the rules have the irregularities of all its answers.
    """
    known_codes = {mistake.code for mistake in irregularities(case.rules)}
    if case.settings.red_threes_kept == "exposed":
        known_codes.add(IN_TIME)
    questions: dict[str, str] = {}
    for question, codes in MISTAKES_BY_ANSWER.items():
        if known_codes.issuperset(codes.values()):
            for code in codes.values():
                questions[code] = question
    return questions


def _links(case: Case) -> dict[str, ReplyLink]:
    """The links to all questions and irregularities by their names and codes."""
    words = case.words
    links: dict[str, ReplyLink] = {}
    for question in QUESTIONS:
        links[question.name] = ReplyLink(question.title(words), case.url_of(question.name))
    for mistake in irregularities(case.rules):
        url = case.url_of(PENALTY.name, **{MISTAKE: mistake.code})
        links[mistake.code] = ReplyLink(mistake_name(mistake.code, words), url)
    for name in _distinguishing_questions(case).values():
        url = case.url_of(PENALTY.name, **{TURN: name})
        links[name] = ReplyLink(t(f"referee.turning.{name}"), url)
    return links


class FoundQuestions(NamedTuple):
    """The questions and irregularities that match a search, best first.

    The rules answer it better if it asks for a figure, a person or a moment, or if no question is
    like it.
    """

    names: list[str]
    is_answered_by_rules: bool


def _search_questions(sought: str) -> FoundQuestions:
    """The questions and irregularities that are like the text that a player typed."""
    index = _question_index()
    plain = question_words(sought)
    meant = with_synonyms(plain)
    similar = index.texts.similar_words(content_words(" ".join(meant)), page_words().language)
    matches = index.texts.best_matches(similar, frozenset(plain), action=action_word(meant))
    names = []
    has_similar_question = False
    for match in matches:
        if match.share < _LEAST_SHARE:
            continue
        names.append(index.names[match.position])
        if match.likeness >= _LEADING_LIKENESS:
            has_similar_question = True
    return FoundQuestions(
        names=names[:_MOST_FOUND],
        is_answered_by_rules=asks_for_rule(plain) or not has_similar_question,
    )


class QuestionIndex(NamedTuple):
    """The index of the questions and irregularities, and their names in the same order."""

    names: list[str]
    texts: TextIndex


@cache
def _question_index() -> QuestionIndex:
    """The index of what players ask, in all languages."""
    texts_by_name = _texts_asked()
    documents = []
    vocabulary: set[str] = set()
    for texts in texts_by_name.values():
        weighted_texts = [WeightedText(text, _TITLE_WEIGHT) for text in texts]
        documents.append(make_document(weighted_texts, texts, factor=1.0))
        for text in texts:
            vocabulary.update(plain_words(text))
    index = TextIndex(documents, dict.fromkeys(LANGUAGES, vocabulary))
    return QuestionIndex(list(texts_by_name), index)


def _texts_asked() -> dict[str, list[str]]:
    """The texts by which the search finds each question (by its name) and irregularity (by its code):
    its title and what players say for it, in all languages.
    """
    texts_by_name: defaultdict[str, list[str]] = defaultdict(list)
    for language in LANGUAGES:
        words = words_in(language)
        for question in QUESTIONS:
            if question is PENALTY:
                continue
            texts_by_name[question.name].append(question.title(words))
            texts_by_name[question.name] += words.t(f"referee.asked.{question.name}").split(",")
        for code in _grouped_codes():
            texts_by_name[code].append(mistake_name(code, words))
            texts_by_name[code] += words.t(f"rulebook.asked.penalty.{code}").split(",")
    return texts_by_name


@blueprint.get("/arbitro/regole", endpoint="rules")
def choose_rules() -> Response:
    """Choose the rules that questions are asked under."""
    chosen = _chosen_rules()
    case = case_without_question(None)
    variants = [get_variant(variant) for variant in variant_ids()]
    values = {"chosen": chosen, "variants": variants, "not_chosen": _NOT_CHOSEN}
    status = INVALID if chosen.errors else 200
    return _page("rules", case, t("referee.rules.title"), chosen.errors, status=status, **values)


# ---------------------------------------------------------------- one fact at a time


@blueprint.get("/arbitro/<question>")
@blueprint.get("/partite/<match>/arbitro/<question>", endpoint="ask_in_match")
def ask(question: str, match: str | None = None) -> Response:
    """The next fact of a question, or the ruling."""
    mistake = request.args.get(MISTAKE)
    if question == PENALTY.name and mistake is None:
        return _mistakes(case_without_question(match), request.args.get(TURN, ""))
    if question == PENALTY.name and mistake is not None and mistake.strip() == IN_TIME:
        return _in_time(case_without_question(match))

    case = case_of(question, match, request.args)
    url_after_button = case.url_after_button(request.args.get(cases.DO, ""))
    if url_after_button is not None:
        return redirect(url_after_button, code=303)
    step = request.args.get(STEP, "")
    fact = case.find_fact(step)
    if fact is not None:
        return _show_facts(case, (fact,))
    if step == cases.ALL and case.facts:
        return _show_facts(case, case.facts)
    return show_answer(case, answer_now=step == cases.ANSWER)


def _mistakes(case: Case, turn: str) -> Response:
    """All irregularities, or the question that tells some of them apart."""
    if not turn:
        title = PENALTY.title(page_words())
        return _page("mistakes", case, title, mistakes=irregularities(case.rules))
    if turn not in _distinguishing_questions(case).values():
        abort(404)
    title = t(f"referee.turning.{turn}")
    return _page("turning", case, title, turn=turn, choices=MISTAKES_BY_ANSWER[turn])


def _in_time(case: Case) -> Response:
    """The answer about a red three (a bonus card) that was noticed in time, during the hand.

    404 if the rules know no such irregularity, or if in time and too late are the same in them, so
    that the page of irregularities does not ask which of both it was.
    """
    mistake = irregularity(case.rules, "red-three-not-exposed")
    is_asked_about = IN_TIME in _distinguishing_questions(case)
    if mistake is None or not is_asked_about:
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

    A fact is one thing that the referee has to know, such as the top card of the pile. A wrong
    answer is asked for again before anything else. `answer_now`: the player wants the ruling with
    what is known, so that only facts are asked for without which there is no ruling.
    """
    wrong_fact = _first_wrong_fact(case, answer_now=answer_now)
    if wrong_fact is not None:
        return NextPage(Decision(wrong_fact), case.errors_of(wrong_fact))

    decision = decide(case, only_side=answer_now)
    if answer_now and decision.fact is not None:
        side_missing = base.FieldError("who", t("referee.error.side"))
        return NextPage(decision, (side_missing,))
    return NextPage(decision)


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
    if case.answer("way") != "hand":
        return _answer_or_fact(case, rejected_form, answer_now=answer_now)
    # Finding the best way to play a whole hand takes longer than other questions.
    with heavy_work():
        return _answer_or_fact(case, rejected_form, answer_now=answer_now)


def _answer_or_fact(case: Case, rejected_form: KeepForm | None, *, answer_now: bool) -> Response:
    """The page of the ruling, if it is decided; else the page of the next fact.

    If the answers together cannot be ruled on, the page with all facts says so.
    """
    page = next_page(case, answer_now=answer_now)
    if page.fact is not None:
        return _show_next_fact(case, page.fact, page.errors, rejected_form)
    try:
        return _show_ruling(case, page.decision, rejected_form, answer_now=answer_now)
    except Unusable as error:
        key = "referee.error.unusable"
        if error.reason == TOO_MANY_WAYS:
            key = "referee.error.too-many-ways"
        error_of_all_facts = base.FieldError(None, t(key))
        return _show_facts(case, case.facts, (error_of_all_facts,))


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
    is_alone = len(facts) == 1
    shown: set[str] = set()
    for fact in facts:
        shown.update(case.parameters_of(fact))
    if errors and status < INVALID:
        status = INVALID
    return _page(
        "fact",
        case,
        case.question.title(page_words()),
        errors,
        status=status,
        before=_answered_before(facts[0], case) if is_alone else "",
        facts=facts,
        is_alone=is_alone,
        shown=shown,
    )


def _answered_before(fact: Fact, case: Case) -> str:
    """The last fact that was answered before this one; empty for none."""
    before = ""
    for other in case.facts:
        if other.name == fact.name:
            break
        if not other.aside and other.name in case.typed:
            before = other.name
    return before


# ---------------------------------------------------------------- the ruling


def _show_ruling(
    case: Case, decision: Decision, form: KeepForm | None, *, answer_now: bool
) -> Response:
    """The page of the ruling, with its reasons, and the form to keep it with the match.

    Reasons that depend on open facts are left out, unless the player wanted the ruling with what is
    known (`answer_now`). `form` is a form to keep it that had errors. Raises Unusable.
    """
    words = case.words
    question = read_question_of_match(case.as_json(), case.rules)
    answer = answer_request(question)
    ruling = answer.ruling
    answer_json = ruling_answer(question, answer, words)
    codes = [reason.code for reason in ruling.reasons]
    verdict = ruling.verdict.value
    word = answer_word(case.question.kind, verdict, answer_json["details"], codes, words)

    messages = [reason["message"] for reason in answer_json["reasons"]]
    all_reasons = explanations.reasons_shown(messages, ruling.reasons, case.rules)
    reasons: list[explanations.ShownReason] = []
    for shown, reason in zip(all_reasons, ruling.reasons, strict=True):
        if answer_now or decision.holds(reason):
            reasons.append(shown)
    lead = _leading(reasons)

    mistake = case.mistake
    title = mistake_name(mistake.code, words) if mistake else case.question.title(words)
    if form is None and case.can_keep and case.match is not None:
        form = _keep_form(case, case.match, answer_now=answer_now)
    return _page(
        "answer",
        case,
        title,
        form.summary if form else (),
        answer=answer,
        word=word,
        depends=not DEPENDS.isdisjoint(codes),
        lead=lead,
        why=[reason for reason in reasons if reason is not lead],
        mistake=mistake,
        mistakes=_mistakes_with(case, ruling),
        form=form,
    )


def _leading(reasons: list[explanations.ShownReason]) -> explanations.ShownReason | None:
    """The first decisive reason; if there is none, the first of all."""
    for reason in reasons:
        if reason.code not in _BACKGROUND and not reason.code.startswith("fault-"):
            return reason
    return reasons[0] if reasons else None


def _keep_form(case: Case, match: MatchState, *, answer_now: bool) -> KeepForm:
    """The form with which a ruling is kept: it carries the answers to the question.

    These are the typed answers and what the match told, which may change before the form is sent.
    """
    answers: dict[str, str] = {}
    for fact in case.facts:
        for name in case.parameters_of(fact):
            known_from_match = case.known.get(name)
            if known_from_match:
                answers[name] = known_from_match
    answers.update(case.typed)
    if answer_now:  # the question is asked in the same way again when the form is sent
        answers[STEP] = cases.ANSWER
    form = KeepForm(asked=urlencode(answers))
    form.set_case(case)
    form.set_hand(match)
    return form


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
    """A ruling to keep: the question as URL parameters, the id of the open hand, the digest of the
    rules, the penalised side.
    """

    asked = HiddenField()
    hand = HiddenField()
    rules = HiddenField()
    whose = ChoiceField(message="referee.keep.whose.missing")

    def set_case(self, case: Case) -> None:
        """Offer the sides of the match if the case costs points."""
        self.case = case
        mistake = case.mistake
        if mistake is None or mistake.costs is not Costs.POINTS or case.match is None:
            del self.whose
            return
        self.whose.label.text = t("referee.keep.whose", points=page_words().signed(-mistake.points))
        sides = [Choice(str(position), side.name) for position, side in enumerate(case.match.sides)]
        self.whose.choices = (*sides, Choice(NOBODY, t("referee.keep.nobody")))

    def set_hand(self, state: MatchState) -> None:
        """Keep the ruling with the current hand, under the current rules."""
        self.hand.data = get_pad().open(state.id, device_id()).id
        self.rules.data = state.rules.digest

    @property
    def penalty(self) -> NewPenalty | None:
        """The penalty of the chosen side; None for none."""
        mistake = self.case.mistake
        if mistake is None or "whose" not in self:
            return None
        choices = [choice.value for choice in self.whose.choices]
        if self.whose.data == NOBODY or self.whose.data not in choices:
            return None
        return NewPenalty(int(self.whose.data), mistake.code)


@blueprint.post("/partite/<match>/arbitro/<question>/tieni")
@checks_itself
def keep(match: str, question: str) -> Response:
    """Keep a ruling with the match, and its penalty if the player chose a side for that.

    The form carries the answers to the question, which is asked again: a new ruling, or the fact to
    ask for, is shown if the match has changed since, or if the form has errors.
    """
    form = KeepForm()
    state = load_match(match)
    answers = dict(parse_qsl(form.asked.data or "", keep_blank_values=True))
    answer_now = answers.get(STEP) == cases.ANSWER
    case = case_of(question, match, answers)
    form.set_case(case)
    form.status = INVALID  # unless another status is set below
    page = next_page(case, answer_now=answer_now)
    if page.fact is not None:  # the answers no longer decide the ruling
        return show_answer(case, form, answer_now=answer_now)

    try:
        codes = _decisive_codes(page.decision, answer_now=answer_now)
        result = _keep_ruling(form, state, codes)
    except Unusable:
        return show_answer(case, form, answer_now=answer_now)  # says why
    if isinstance(result, Saved):
        return _done_keeping(result, form, state)
    if isinstance(result, Stale):
        if result.state.status.finished:
            return base.match_is_over(state.id)
        form.set_hand(result.state)
        form.reject(t("referee.keep.stale", number=result.state.coming))
        case = case_of(question, match, answers)  # with what the match knows now
    return show_answer(case, form, answer_now=answer_now)


def _decisive_codes(decision: Decision, *, answer_now: bool) -> frozenset[str] | None:
    """The codes of the reasons that hold whatever the open facts are; None for all reasons."""
    if answer_now or not decision.reasons:
        return None
    return frozenset(code for code, _ in decision.reasons)


def _keep_ruling(
    form: KeepForm, state: MatchState, codes: frozenset[str] | None
) -> Saved | Stale | None:
    """Store the ruling of a form with its match, and the penalty if a side was chosen for it.

    `codes` are those of the reasons to store, None for all. Returns None if the form has errors, and
    Stale if the match changed after the device loaded its page. Raises Unusable.
    """
    penalty = form.penalty
    asking = Asking(
        question=form.case.as_json(),
        rules=form.rules.data or "",
        hand_id=form.hand.data or "",
        side=penalty.side if penalty else form.case.side,
        reasons=codes,
    )

    def store_ruling(sent: Sent) -> Saved | Stale:
        """Store the ruling once the form is found valid."""
        request_id, match, device = sent
        has_penalty = penalty is not None
        return get_pad().actions.keep_ruling(
            request_id, match, device, asking, with_penalty=has_penalty
        )

    return form.submit(state.id, store_ruling)


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
def kept(match: str, refused: PadForm | None = None) -> Response:
    """All rulings kept with a match, the last one first; `refused`: a rejected form of the page."""
    state = load_match(match)
    return render_page(
        "referee/kept.html",
        title=t("referee.kept.title"),
        watch=watch(state, url_for("referee.kept", match=match)),
        words=page_words(state.rules),
        match=state,
        form=refused or PadForm(formdata=None),
        explanations=explanations,
    )


@blueprint.post("/partite/<match>/arbitro/decisioni/<int:entry>/togli")
@checks_itself
def take_back(match: str, entry: int) -> Response:
    """Withdraw a ruling that was kept with a match; `entry` is its number in the log of the match."""
    form = PadForm()
    state = load_match(match)
    if not form.validate():
        return kept(match, form)
    try:
        result = get_pad().actions.take_back_ruling(form.request_name, state.id, device_id(), entry)
    except RequestRefused:  # the request id of the form was used for something else
        notice(t("serve.sent-before"))
    else:
        if isinstance(result, Saved):
            _notice_withdrawal(state, entry)
    return redirect(url_for("referee.kept", match=match), code=303)


def _notice_withdrawal(state: MatchState, entry: int) -> None:
    """Say on the next page that a ruling was withdrawn; `state` is the match before.

    A penalty in a hand that has been counted stays: the notice says that too.
    """
    for kept_ruling in state.rulings:
        if kept_ruling.sequence != entry:
            continue
        ruling = kept_ruling.event
        is_hand_counted = ruling.number <= len(state.hands)
        if ruling.points is not None and is_hand_counted:
            key = "referee.taken-back.counted"
        else:
            key = "referee.taken-back"
        notice(t(key, number=state.called(ruling.number)))
        return

"""The pages of the referee: search and questions, one fact at a time, the ruling, and the rulings
kept with a match.

A question is a GET form: all answers are in the URL, so that it can be shared and survives a
reload.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField

from scorepad.heavy import one_heavy_job_at_a_time
from scorepad.matches.actions import Asking, NewPenalty
from scorepad.matches.events import RulingKept
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import RequestRefused, Saved, Stale
from scorepad.referee.in_force import has_partner
from scorepad.referee.penalties import (
    Costs,
    irregularities,
    irregularity,
)
from scorepad.rules.settings import Settings
from scorepad.rules.variants import default_variant, get_variant, variant_ids
from scorepad.schemas import Unusable
from scorepad.schemas.ruling_json import (
    TOO_MANY_WAYS,
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
from scorepad.web.referee.cases import DISTINGUISHING_QUESTION, MISTAKE, STEP, Case
from scorepad.web.referee.decision import Decision, decide, find_side_to_ask_for
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
    QuestionPages,
)
from scorepad.web.referee.question_search import LONGEST_QUESTION, search_questions
from scorepad.web.referee.reply_links import (
    link_to_found_questions,
    link_to_mistakes_in_groups,
    map_codes_to_distinguishing_questions,
)
from scorepad.web.referee.ruling_page import list_kept_rulings, make_ruling_page, show_mistake
from scorepad.web.rule_choices import ChosenRules, read_choices
from scorepad.web.rule_pickers import list_rule_pickers
from scorepad.web.rule_words import choices_words
from scorepad.web.rulebook_links import choice_args
from scorepad.web.watching import END, NAMES, RULES, watch, watch_form, watch_form_by_other_page

blueprint = Blueprint("referee", __name__)

VARIANT = "variante"
"""URL parameter: the variant, outside a match."""
SOUGHT = "testo"
"""URL parameter: the text typed into the search."""
_TARGET = "target"
"""The option with the score that ends a match. It does not affect rulings, so nobody chooses it here."""
_WATCHED = END | NAMES | RULES


def start_case(match: str | None) -> Case:
    """Make a case (a question to the referee with its rules) that has no question yet.

    With the id of a match it uses the rules of that match; without one, the rules that the URL
    chooses. `with_question` then adds the question. Raises MatchNotFound.
    """
    if match is None:
        return _start_case_under_chosen_rules(_read_chosen_rules())
    return _start_case_in_match(load_match(match))


def _start_case_under_chosen_rules(chosen: ChosenRules) -> Case:
    """Make a case outside a match, under rules that the player chose, without a question yet.

    A case is a question with its rules. It carries the URL parameters that choose the rules, such
    as `{"variante": "samba"}`, so that every link on its pages keeps them.
    """
    url_parameters: dict[str, Any] = {}
    if chosen.variant.id != default_variant():
        url_parameters[VARIANT] = chosen.variant.id
    url_parameters |= choice_args(chosen.preset, chosen.options)

    words = page_words(chosen.variant)
    return Case(
        rules=chosen.rules, rules_parameters=url_parameters, rules_chosen=chosen.in_words(words)
    )


def _start_case_in_match(state: MatchState) -> Case:
    """Make a case in a match, under the rules of the match, without a question yet.

    A case is a question with its rules, and with the options that the players chose for the match,
    in words.
    """
    rules = state.rules
    options_to_name = {}
    for option_id in state.house:  # the options that the players chose themselves
        ends_match = option_id == _TARGET  # the score that ends it decides no question
        if not ends_match:
            options_to_name[option_id] = rules.options[option_id]

    options_in_words = choices_words(rules.preset, options_to_name, page_words(rules))
    return Case(rules=rules, match=state, rules_chosen=options_in_words)


def _read_chosen_rules() -> ChosenRules:
    """Read from the URL which rules the player chose; answer 404 for an unknown variant.

    `?variante=samba` chooses a variant of the game. Other parameters choose its options, except
    the one with the score that ends a match: it is ignored here.
    """
    variant = request.args.get(VARIANT, default_variant())
    if variant not in variant_ids():
        abort(404)
    choices = {name: text for name, text in request.args.items() if name != _TARGET}
    return read_choices(get_variant(variant), choices)


def case_of(question: str, match: str | None, args: Answers) -> Case:
    """Make the case of a question to the referee, with the answers that these URL parameters give.

    `question` is the name of the question in the URL, such as `pozzo`. The answer is 404 for an
    unknown question, and for a mistake in play that these rules do not know.
    """
    if question not in BY_NAME:
        abort(404)
    case = start_case(match).with_question(BY_NAME[question], args)
    if case.question is PENALTY and case.mistake is None:
        abort(404)
    return case


def _page(
    template: str, case: Case, title: str, errors: base.Errors = (), **values: Any
) -> Response:
    """Render a page of the referee from a template in `templates/referee`.

    `values` are passed to the template. It also gets the modules `explanations` and `inputs`,
    whose functions it calls. In a match, the page tells what other devices have done since.
    """
    return render_page(
        f"referee/{template}.html",
        title=title,
        errors=errors,
        watch=_choose_what_page_polls(case, is_rejected=bool(errors)),
        words=case.words,
        case=case,
        explanations=explanations,
        inputs=inputs,
        **values,
    )


def _choose_what_page_polls(case: Case, *, is_rejected: bool) -> Watch | None:
    """Choose the URL that an open page polls to notice changes of the match; None outside a match.

    Usually the page polls itself, and is loaded again when the match has changed. A page that would
    lose what was typed polls the list of questions instead, and only shows a notice.
    """
    if case.match is None:
        return None

    # Loading the answer to a POST, or to rejected input, again would lose what was typed.
    cannot_be_loaded_again = is_rejected or request.method == "POST"
    if cannot_be_loaded_again:
        return watch_form_by_other_page(case.match, _WATCHED, case.start_url)
    return watch_form(case.match, _WATCHED)


# ---------------------------------------------------------------- the questions


@blueprint.get("/arbitro")
@blueprint.get("/partite/<match>/arbitro", endpoint="start_in_match")
def start(match: str | None = None) -> Response:
    """Show the first page of the referee: a search field, the questions, and the known mistakes.

    `match` is the id of a match, whose rules the page then uses; None for the rules that the URL
    chooses.
    """
    case = start_case(match)
    sought = _read_search_text()
    found = search_questions(sought)
    return _page(
        "start",
        case,
        t("referee.title"),
        errors=_list_errors_of_chosen_rules(case),
        sought=sought,
        found=link_to_found_questions(found, case),
        is_answered_by_rules=found.is_answered_by_rules,
        questions=_list_questions(case.settings),
        groups=link_to_mistakes_in_groups(case),
        red_three=explanations.link_to_red_three_in_pile(case.rules),
        rules_url=_find_url_to_choose_rules(case),
    )


def _read_search_text() -> str:
    """Read the text typed into the search: one space between words, cut if it is very long.

    The result is empty if nothing was typed.
    """
    text = request.args.get(SOUGHT, "")
    return " ".join(text.split())[:LONGEST_QUESTION]


def _list_errors_of_chosen_rules(case: Case) -> base.Errors:
    """List what is wrong with the rules that the URL chooses.

    The list is empty in a match: a match has its own rules, and the URL chooses none.
    """
    if case.match is not None:
        return ()
    return _read_chosen_rules().errors


def _find_url_to_choose_rules(case: Case) -> str:
    """Return the URL of the page on which the player can choose other rules.

    It is empty in a match, because a match has its own rules.
    """
    if case.match is not None:
        return ""
    return url_for("referee.rules", **case.rules_parameters)


def _list_questions(settings: Settings) -> list[QuestionPages]:
    """List the questions for the first page of the referee.

    A player without a partner cannot ask the partner for permission to end the round: that question
    is then left out.
    """
    if has_partner(settings):
        return list(QUESTIONS)
    return [question for question in QUESTIONS if question is not PERMISSION]


@blueprint.get("/arbitro/regole", endpoint="rules")
def choose_rules() -> Response:
    """Show the page on which the player chooses the rules for questions outside a match."""
    chosen = _read_chosen_rules()
    case = start_case(None)
    variants = [get_variant(variant) for variant in variant_ids()]
    pickers = list_rule_pickers(chosen, case.words, without=_TARGET)
    values = {"pickers": pickers, "variants": variants}
    status = INVALID if chosen.errors else 200
    return _page("rules", case, t("referee.rules.title"), chosen.errors, status=status, **values)


# ---------------------------------------------------------------- one fact at a time


@blueprint.get("/arbitro/<question>")
@blueprint.get("/partite/<match>/arbitro/<question>", endpoint="ask_in_match")
def ask(question: str, match: str | None = None) -> Response:
    """Show the page of a question: it asks for the next fact, or shows the referee's answer.

    A fact is something that the referee has to know, such as the top card of the discard pile.
    `question` is the name of the question in the URL, such as `pozzo`, and `match` the id of a
    match; None for a question outside a match.
    """
    if question == PENALTY.name:
        return _ask_about_mistake(match)
    return _show_page_of_case(case_of(question, match, request.args))


def _ask_about_mistake(match: str | None) -> Response:
    """Show the page about a mistake in play: which one it is, or what it costs.

    A mistake may also be noticed so early that it costs nothing: then a page says so. `match` is
    the id of a match; None outside a match.
    """
    mistake_code = request.args.get(MISTAKE)
    if mistake_code is None:
        return _show_mistakes_to_choose(start_case(match))
    if mistake_code.strip() == IN_TIME:
        return _show_answer_about_mistake_noticed_in_time(start_case(match))
    return _show_page_of_case(case_of(PENALTY.name, match, request.args))


def _show_page_of_case(case: Case) -> Response:
    """Show the page of a case (a question with answers) to which its URL leads."""
    # Without JavaScript, a button that adds a card to an answer sends the form.
    button = request.args.get(cases.DO, "")
    url_after_button = case.url_after_button(button)
    if url_after_button is not None:
        return redirect(url_after_button, code=303)
    return _show_step(case, request.args.get(STEP, ""))


def _show_step(case: Case, step: str) -> Response:
    """Show the page of a question that the URL asks for by its parameter `passo`.

    - the name of a fact, such as `top` → the page that asks for this fact
    - `cases.ALL` → the page that asks for all facts
    - `cases.ANSWER` → the ruling with what is known
    - any other text → the page that asks for the next fact, or the ruling
    """
    fact = case.find_fact(step)
    if fact is not None:
        return _show_facts(case, (fact,))
    if step == cases.ALL and case.facts:
        return _show_facts(case, case.facts)
    return show_answer(case, answer_now=step == cases.ANSWER)


def _show_mistakes_to_choose(case: Case) -> Response:
    """Show the page on which the player says which mistake was made.

    It lists all mistakes that these rules penalise. Some are similar, such as two ways to deal
    wrongly: if the URL names the question that tells these apart, its page is shown instead.
    """
    name = request.args.get(DISTINGUISHING_QUESTION, "")
    if name:
        return _show_distinguishing_question(case, name)
    title = PENALTY.title(page_words())
    mistakes = [show_mistake(mistake, case) for mistake in irregularities(case.rules)]
    return _page("mistakes", case, title, mistakes=mistakes)


def _show_distinguishing_question(case: Case, name: str) -> Response:
    """Show the page of a question that tells similar mistakes in play apart.

    `name` is the name of the question, such as `wrong-dealer`: "Has anybody played yet?". The
    answer is 404 if these rules do not ask it.
    """
    if name not in map_codes_to_distinguishing_questions(case).values():
        abort(404)
    return _page(
        "turning",
        case,
        t(f"referee.turning.{name}"),
        question_name=name,
        code_by_answer=MISTAKES_BY_ANSWER[name],
    )


def _show_answer_about_mistake_noticed_in_time(case: Case) -> Response:
    """Show the answer about a red three (a bonus card) not shown, noticed while the hand goes on.

    It costs no penalty yet: the player shows the card now. The answer is 404 under rules that do
    not tell this case from a red three that is noticed after the hand.
    """
    mistake = irregularity(case.rules, "red-three-not-exposed")
    is_told_apart = IN_TIME in map_codes_to_distinguishing_questions(case)
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
    """Choose the page that follows the answers so far: the next fact to ask for, or the ruling.

    A fact is something that the referee has to know, such as the top card of the discard pile. An
    answer with an error is asked for again before anything else. With `answer_now` the player
    wants the ruling with what is known; then only what a ruling cannot do without is asked for.
    """
    wrong_fact = _find_first_wrong_fact(case, answer_now=answer_now)
    if wrong_fact is not None:
        return NextPage(Decision(wrong_fact), case.errors_of(wrong_fact))
    if answer_now:
        return _choose_page_without_more_facts(case)
    return NextPage(decide(case))


def _choose_page_without_more_facts(case: Case) -> NextPage:
    """Choose the page for a player who wants the ruling now: the ruling, with what is known.

    There is one exception. If the answer depends on which side of the match is meant, the page
    asks for the side, and says that it is missing.
    """
    side_fact = find_side_to_ask_for(case)
    if side_fact is None:
        return NextPage(Decision(None))

    side_missing = base.FieldError(side_fact.name, t("referee.error.side"))
    return NextPage(Decision(side_fact), errors=(side_missing,))


def _find_first_wrong_fact(case: Case, *, answer_now: bool) -> Fact | None:
    """Find the first fact (something the referee has to know) whose answer has errors, if any.

    A fact without an answer is not wrong: the pages will ask for it. With `answer_now` nothing
    more is asked, so a needed fact without an answer is wrong too.
    """
    for fact in case.facts:
        is_checked = case.is_answered(fact)
        if answer_now and fact.needed:
            is_checked = True
        if is_checked and case.errors_of(fact):
            return fact
    return None


def show_answer(
    case: Case, rejected_form: KeepForm | None = None, *, answer_now: bool = False
) -> Response:
    """Show the ruling if the answers given so far decide it, otherwise ask for the next fact.

    `rejected_form` is a form to save the ruling that had errors: the page shows them. With
    `answer_now` the player wants the ruling with what is known. Raises Overloaded.
    """
    if case.is_about_whole_hand:
        # Finding the best way to play a whole hand takes longer than other questions.
        with one_heavy_job_at_a_time():
            return _show_ruling_or_next_fact(case, rejected_form, answer_now=answer_now)
    return _show_ruling_or_next_fact(case, rejected_form, answer_now=answer_now)


def _show_ruling_or_next_fact(
    case: Case, rejected_form: KeepForm | None, *, answer_now: bool
) -> Response:
    """Show the ruling if the answers decide it, otherwise the page that asks for the next fact.

    Both pages show the errors of `rejected_form`, a form to save the ruling that was not
    accepted. If there is no ruling on these answers, the page with all of them says why.
    """
    page = next_page(case, answer_now=answer_now)
    if page.fact is not None:
        return _show_next_fact(case, page.fact, page.errors, rejected_form)
    try:
        return _show_ruling(case, page.decision, rejected_form, answer_now=answer_now)
    except Unusable as error:
        return _show_why_there_is_no_ruling(case, error)


def _show_why_there_is_no_ruling(case: Case, error: Unusable) -> Response:
    """Show all answers of a case again, with a message that there is no ruling on them.

    For example, more kings were entered than the decks have, or the cards can be played in too
    many ways to try them all.
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
    """Show the page that asks for a fact, with the errors in the answer given before, if any.

    If the player tried to save a ruling and the answers no longer decide it, the errors of
    `rejected_form` are shown here too. The form itself is not, since there is nothing to save.
    """
    if rejected_form is None:
        return _show_facts(case, (fact,), errors)
    all_errors = (*errors, *rejected_form.summary)
    return _show_facts(case, (fact,), all_errors, rejected_form.status)


def _show_facts(
    case: Case, facts: tuple[Fact, ...], errors: base.Errors = (), status: int = 200
) -> Response:
    """Show the page with input fields for one fact, or for all facts of a case.

    A fact is something that the referee has to know. A page with a single fact also links back to
    the fact that was answered before it. `status` is the HTTP status of a page without errors; one
    with errors has the status 422.
    """
    if errors:
        status = INVALID

    asks_for_one = len(facts) == 1
    fact_before = ""
    if asks_for_one:
        fact_before = _find_fact_answered_before(facts[0], case)
    return _page(
        "fact",
        case,
        title=case.question.title(page_words()),
        errors=errors,
        status=status,
        before=fact_before,
        facts_asked=[FactInput(fact, case, errors, asks_for_one) for fact in facts],
        asks_for_one=asks_for_one,
        hidden_parameters=_list_parameters_to_send_along(case, facts),
    )


def _list_parameters_to_send_along(case: Case, facts_asked: Iterable[Fact]) -> dict[str, Any]:
    """List the URL parameters that the form on a page sends along in hidden fields.

    They are those that choose the rules, and the answers to all facts but those that the page asks
    for: `{"variante": "samba", "top": "K"}`.
    """
    parameters_asked_for: set[str] = set()
    for fact in facts_asked:
        parameters_asked_for.update(case.parameters_of(fact))

    other_answers = {
        name: value for name, value in case.typed.items() if name not in parameters_asked_for
    }
    return {**case.rules_parameters, **other_answers}


def _find_fact_answered_before(fact: Fact, case: Case) -> str:
    """Find the fact that the player answered last before this one, for the link back to it.

    Returns its name, such as `top`; empty if the player answered none before.
    """
    name_before = ""
    for other in case.facts:  # in the order in which the pages ask
        if other.name == fact.name:
            break
        has_page_of_its_own = not other.never_asked_alone
        if has_page_of_its_own and other.name in case.typed:
            name_before = other.name
    return name_before


# ---------------------------------------------------------------- the ruling


def _show_ruling(
    case: Case, decision: Decision, form: KeepForm | None, *, answer_now: bool
) -> Response:
    """Show the page of a ruling with its reasons, and the form that saves it with the match.

    `form` is such a form that was sent and had errors; without one, a new form is made if this
    device may save rulings. Raises Unusable if the answers allow no ruling.
    """
    ruling_page = make_ruling_page(case, decision)
    if form is None:
        form = _make_keep_form(case, answer_now=answer_now)
    errors = form.summary if form else ()
    title = _choose_title_of_ruling(case)
    return _page("answer", case, title, errors, page=ruling_page, form=form)


def _choose_title_of_ruling(case: Case) -> str:
    """Return the title of the page of a ruling: the mistake it is about, or else the question."""
    if case.mistake is not None:
        return mistake_name(case.mistake.code, case.words)
    return case.question.title(case.words)


def _make_keep_form(case: Case, *, answer_now: bool) -> KeepForm | None:
    """Make the form that saves the ruling on a case (a question with its answers) with the match.

    The form carries all these answers, because the referee is asked again when it is sent. None
    outside a match, or if this device may not save the ruling.
    """
    if case.match is None or not case.can_keep:
        return None

    # What the player typed comes second: it counts more than what the match told.
    answers = {**_list_answers_told_by_match(case), **case.typed}
    if answer_now:
        answers[STEP] = cases.ANSWER  # the referee is asked in the same way again
    form = KeepForm(asked=urlencode(answers))
    form.set_case(case)
    form.refer_to_open_hand(case.match)
    return form


def _list_answers_told_by_match(case: Case) -> dict[str, str]:
    """List what the match tells about the facts of a case, by URL parameter: `{"table": "3xK"}`.

    The form that saves a ruling carries these answers too, because the match may have changed by
    the time the form is sent.
    """
    answers: dict[str, str] = {}
    for fact in case.facts:
        for name in case.parameters_of(fact):
            known_from_match = case.known.get(name)
            if known_from_match:
                answers[name] = known_from_match
    return answers


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
        """Tell whether the player wanted the ruling with what was known, without further facts."""
        return self.answers.get(STEP) == cases.ANSWER

    @property
    def asks_for_side(self) -> bool:
        """Tell whether the form asks which side gets a penalty."""
        return "whose" in self

    def set_case(self, case: Case) -> None:
        """Tell the form which case it saves, and offer the sides if somebody gets a penalty.

        Only a mistake that costs points asks for a side: "Who gets the penalty (−100)?". Otherwise
        the field `whose` is removed, so that nothing is asked or validated there.
        """
        self.case = case
        mistake = case.mistake
        costs_points = mistake is not None and mistake.costs is Costs.POINTS
        if case.match is None or mistake is None or not costs_points:
            del self.whose  # WTForms removes the field from the form
            return

        points_lost = page_words().signed(-mistake.points)
        self.whose.label.text = t("referee.keep.whose", points=points_lost)
        self.whose.choices = _offer_sides_for_penalty(case.match)

    def refer_to_open_hand(self, state: MatchState) -> None:
        """Note in the form which hand (round) is being played, and the digest of the rules.

        The ruling is saved only if both are still the same when the form is sent.
        """
        open_hand = get_pad().open(state.id, device_id())
        self.hand.data = open_hand.id
        self.rules.data = state.rules.digest

    @property
    def penalty(self) -> NewPenalty | None:
        """Make the penalty to be stored with the ruling, for the side that was chosen.

        None if the mistake costs no points, if "nobody" was chosen, or a side that was not offered.
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
        """Make the question that is stored with the match, so that its ruling can be found again.

        It names the hand, the rules and the side: the one that gets the penalty, if one was chosen,
        else the one that the question is about. Only the reasons that the decision relies on are
        stored. Raises Unusable.
        """
        side = self.case.side
        if self.penalty is not None:
            side = self.penalty.side
        return Asking(
            question=self.case.as_json(),
            rules=self.rules.data or "",
            hand_id=self.hand.data or "",
            side=side,
            reasons=decision.codes_of_shown_reasons,
        )


def _offer_sides_for_penalty(state: MatchState) -> tuple[Choice, ...]:
    """List the sides of a match to choose from, by their positions "0", "1" and so on.

    The last choice is "Nobody: save the ruling only".
    """
    choices = []
    for position, side in enumerate(state.sides):
        choices.append(Choice(str(position), side.name))
    choices.append(Choice(NOBODY, t("referee.keep.nobody")))
    return tuple(choices)


@blueprint.post("/partite/<match>/arbitro/<question>/tieni")
@checks_itself
def keep(match: str, question: str) -> Response:
    """Save a ruling with the match, and its penalty if the player chose a side for it.

    The form carries the answers to the question, and the referee is asked again. If the form has
    errors, or if the match has changed meanwhile, nothing is saved and the page is shown again.
    """
    form = KeepForm()
    state = load_match(match)
    case = case_of(question, match, form.answers)
    form.set_case(case)

    page = next_page(case, answer_now=form.wants_answer_now)
    if page.fact is not None:  # the answers no longer decide the ruling
        form.status = INVALID
        return _show_form_again(form, case)
    try:
        question_to_store = form.question_to_store(page.decision)
        result = _store_ruling(form, state, question_to_store)
    except Unusable:  # there is no ruling on these answers
        form.status = INVALID
        return _show_form_again(form, case)

    if isinstance(result, Saved):
        return _redirect_after_keeping(result, form, state)
    if isinstance(result, Stale):  # the match has changed
        case_now = case_of(question, match, form.answers)  # with what the match knows now
        return _show_stale_ruling(form, case_now, result.state)
    return _show_form_again(form, case)  # with its errors


def _show_form_again(form: KeepForm, case: Case) -> Response:
    """Show the ruling again with a form to save it that was not accepted, and what is wrong.

    If the answers no longer decide a ruling, the page asks for the next fact instead.
    """
    return show_answer(case, form, answer_now=form.wants_answer_now)


def _show_stale_ruling(form: KeepForm, case: Case, state: MatchState) -> Response:
    """Answer a form to save a ruling when the match has changed since its page was loaded.

    The page shows the ruling as it is now, and the form refers to the hand that is now played. If
    the match is over, a page says so. `case` and `state` are as they are now.
    """
    if state.status.finished:
        return base.match_is_over(state.id)
    form.refer_to_open_hand(state)
    # "Meanwhile the hand was counted or the rules were changed. Look at the answer and, if it
    # still holds, save it with hand 3."
    form.reject(t("referee.keep.stale", number=state.next_hand_number))
    return _show_form_again(form, case)


def _store_ruling(form: KeepForm, state: MatchState, asking: Asking) -> Saved | Stale | None:
    """Store a ruling with its match, and the penalty if the form has a side for it.

    `asking` is the question. Returns Stale if the match has changed since the page was loaded, and
    None if the form has errors. Raises Unusable if the question allows no ruling.
    """
    has_penalty = form.penalty is not None

    def store(sent: Sent) -> Saved | Stale:
        return get_pad().actions.keep_ruling(
            sent.request, sent.match, sent.device, asking, with_penalty=has_penalty
        )

    return form.submit(state.id, store)  # calls `store` if the form has no errors


def _redirect_after_keeping(result: Saved, form: KeepForm, state: MatchState) -> Response:
    """Redirect to the match after a ruling was saved, with a notice that says so."""
    mistake = form.case.mistake
    if form.penalty is None or mistake is None:
        # "Ruling saved with hand 3."
        return base.done(result, "referee.keep.done", number=state.next_hand_number)
    # In this case "Ruling saved, with the penalty: We, −100." is shown.
    return base.done(
        result,
        "referee.keep.done.penalty",
        side=state.sides[form.penalty.side].name,
        points=page_words().signed(-mistake.points),
    )


# ---------------------------------------------------------------- the kept rulings


@blueprint.get("/partite/<match>/arbitro/decisioni")
def kept(match: str) -> Response:
    """Show all rulings that were saved with a match, the last one first."""
    return _show_kept_rulings(load_match(match), PadForm(formdata=None))


def _show_kept_rulings(state: MatchState, form: PadForm) -> Response:
    """Show the page of the rulings saved with a match.

    `form` is sent by the buttons beside the rulings, each of which withdraws one.
    """
    words = page_words(state.rules)
    return render_page(
        "referee/kept.html",
        title=t("referee.kept.title"),
        watch=watch(state, url_for("referee.kept", match=state.id)),
        words=words,
        match=state,
        rulings=list_kept_rulings(state, words),
        form=form,
    )


@blueprint.post("/partite/<match>/arbitro/decisioni/<int:entry>/togli")
@checks_itself
def take_back(match: str, entry: int) -> Response:
    """Withdraw a ruling that was saved with a match, and show those that are left.

    `entry` is its number in the log of the match. If another device has withdrawn it already, the
    rulings that are left are shown all the same.
    """
    form = PadForm()
    state = load_match(match)
    if not form.validate():
        return _show_kept_rulings(state, form)
    _withdraw_ruling(form, state, entry)
    return redirect(url_for("referee.kept", match=match), code=303)


def _withdraw_ruling(form: PadForm, state: MatchState, entry: int) -> None:
    """Withdraw a saved ruling, and give the next page a notice about it.

    Each form has a request id, so that a form sent twice takes effect once. There is no notice if
    another device had withdrawn the ruling before.
    """
    try:
        result = get_pad().actions.take_back_ruling(form.request_name, state.id, device_id(), entry)
    except RequestRefused:  # the request id was used for something else
        notice(t("serve.sent-before"))
        return
    if isinstance(result, Saved):
        _notice_withdrawal(state, entry)


def _notice_withdrawal(state_before: MatchState, entry: int) -> None:
    """Let the next page say that a ruling was withdrawn; its `entry` is in the log of the match.

    If the ruling had a penalty, and its hand (the round) is counted, the notice says that the
    penalty stays.
    """
    ruling = _find_kept_ruling(state_before, entry)
    if ruling is None:  # the form was sent twice: the first one has withdrawn it
        return

    has_penalty = ruling.points is not None
    is_hand_counted = ruling.number <= len(state_before.hands)
    key = "referee.taken-back"
    if has_penalty and is_hand_counted:
        key = "referee.taken-back.counted"
    # Players also count the hands that they played on paper before.
    number_for_players = state_before.number_for_players(ruling.number)
    notice(t(key, number=number_for_players))


def _find_kept_ruling(state: MatchState, entry: int) -> RulingKept | None:
    """Find the ruling that an entry of the log of a match has saved; None if it saved none."""
    for kept_ruling in state.rulings:
        if kept_ruling.sequence == entry:
            return kept_ruling.event
    return None

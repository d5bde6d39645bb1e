"""The rules and the target of a match: to be changed before its first hand, to be read after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import request
from werkzeug.wrappers import Response

from scorepad.matches.errors import HandsCounted, RequestRefused
from scorepad.matches.projection import MatchState
from scorepad.matches.results import NewMatchRefused, Saved, Stale
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.web.course.calls import OVERTAKEN, WRONG, CoursePage, for_writing, match_url, to_match
from scorepad.web.course.rules_form import ChangeForm, change_form
from scorepad.web.forms import form_errors
from scorepad.web.frame import FieldError, device_id, notice, page_words, render, the_pad
from scorepad.web.live.moving import RULES, watch_form
from scorepad.web.matches.making import rules_told
from scorepad.web.matches.page import Fact
from scorepad.web.matches.rules_page import RuleFields, rules_shown


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage(CoursePage):
    """The fields of the rules."""

    template: ClassVar[str] = "course/rules.html"
    has_form: ClassVar[bool] = True
    form: ChangeForm
    game: str
    rules: RuleFields
    now: tuple[Fact, ...]
    """The rules that stand, where somebody else changed them meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenPage(CoursePage):
    """The rules as they stand, and why they stay so."""

    template: ClassVar[str] = "course/frozen.html"
    why: str
    facts: tuple[Fact, ...]


def answer(match: str) -> Response:
    """The page of the rules, or what becomes of other ones."""
    state = for_writing(match)
    if state.rules.variant not in variant_ids():
        return _frozen(state, 200 if request.method == "GET" else OVERTAKEN)
    made = change_form(get_variant(state.rules.variant), state)
    if request.method == "GET":
        return _frozen(state) if state.hands else _show(state, _filled(made, state))
    form = made()
    if not form.validate():
        return _frozen(state, WRONG, form_errors(form)) if state.hands else _show(state, form, WRONG)
    try:
        return _answered(state, form, _change(state, form))
    except HandsCounted:
        told = FieldError(None, page_words().text("course.rules.late"))
        return _frozen(the_pad().state(state.id, device_id()), OVERTAKEN, (told,))
    except RequestRefused:
        form.was_sent(page_words().text("serve.sent-before"))
        return _show(state, form, OVERTAKEN)


def _change(state: MatchState, form: ChangeForm) -> Saved | NewMatchRefused | Stale:
    return the_pad().actions.change_rules(
        form.request_name, state.id, device_id(), form.preset.data or None, form.wanted, form.seen.data or ""
    )


def _answered(state: MatchState, form: ChangeForm, told: Saved | NewMatchRefused | Stale) -> Response:
    match told:
        case Saved():
            if not told.again:
                notice(page_words().text("course.rules.done"))
            return to_match(state.id)
        case NewMatchRefused():
            form.refuse(told.problems)
            return _show(state, form, WRONG)
    if told.state.hands:
        return _frozen(told.state, OVERTAKEN)
    form.was_sent(page_words().text("course.rules.stale"))
    form.seen.data = told.state.rules.digest
    return _show(told.state, form, OVERTAKEN, tuple(rules_told(told.state, page_words())))


def _filled(made: type[ChangeForm], state: MatchState) -> ChangeForm:
    form = made(formdata=None)
    form.fill(state.rules, page_words())
    return form


def _show(state: MatchState, form: ChangeForm, status: int = 200, now: tuple[Fact, ...] = ()) -> Response:
    words = page_words()
    page = RulesPage(
        title=words.text("course.rules.title"),
        errors=form_errors(form),
        watch=watch_form(state, "course.rules", RULES, words),
        back=match_url(state),
        form=form,
        game=words.text(f"variant.{state.rules.variant}.name"),
        rules=rules_shown(form, words, are_open=form.has_house),
        now=now,
    )
    return render(page, status)


def _frozen(state: MatchState, status: int = 200, errors: tuple[FieldError, ...] = ()) -> Response:
    words = page_words()
    why = words.text("course.rules.frozen" if state.hands else "course.rules.gone")
    page = FrozenPage(
        title=words.text("course.rules.title"),
        errors=errors,
        watch=watch_form(state, "course.rules", RULES, words),
        back=match_url(state),
        why=why,
        facts=tuple(rules_told(state, words)),
    )
    return render(page, status)

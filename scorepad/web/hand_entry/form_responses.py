"""The responses with the form of a hand: its page, and the form alone for the script of the page."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Response

from scorepad.matches.hands import Draft
from scorepad.rules.definitions import Ruleset
from scorepad.web import base
from scorepad.web.base import Errors, device_id, get_pad, language, page_words, render_page
from scorepad.web.draft_comparison import DraftReader
from scorepad.web.hand_entry.forms import HandForm
from scorepad.web.hand_entry.hand_page import HandPage, MatchHand
from scorepad.web.hand_entry.report import Judge, Report, build_report
from scorepad.web.typed_hand import read_draft
from scorepad.web.watching import watch


def render_hand_page(form: HandForm, hand: MatchHand, draft: Draft) -> Response:
    """The page of a hand with these texts (`draft`) in the fields of its form, and with the errors of
    the form if it has any. Sets the hidden fields of the form.
    """
    errors = form.summary
    if errors:
        form.renew()  # what is sent from this page is another submission
    page = _build_page(form, hand, draft, is_final=False)
    return _render_page(form, page, errors)


def render_refused_hand(form: HandForm, hand: MatchHand, draft: Draft) -> Response:
    """The page of a hand that could not be saved: its form with these texts (`draft`), and all errors
    that prevent saving it. Sets the hidden fields of the form.
    """
    form.renew()  # what is sent from this page is another submission
    form.mark_refused()
    page = _build_page(form, hand, draft, is_final=True)
    errors_of_fields = page.report.errors
    errors_of_form = form.summary  # such as a reason that is too long
    return _render_page(form, page, (*errors_of_fields, *errors_of_form))


def render_form_alone(form: HandForm, hand: MatchHand, draft: Draft) -> str:
    """The HTML of the form of a hand, with these texts (`draft`) in its fields, without the page
    around it. Sets the hidden fields of the form.
    """
    page = _build_page(form, hand, draft, is_final=False)
    form.show_hand(hand)
    values = values_of_form(form, page) | base.template_words(page.words)
    return base.template("hand_entry/form.html").render(values)


def _render_page(form: HandForm, page: HandPage, errors: Errors) -> Response:
    """Render the page of a hand with these errors above its form. Sets the hidden fields of the form
    to the hand shown.
    """
    form.show_hand(page.hand)
    return render_page(
        "hand_entry/page.html",
        title=page.title,
        errors=errors,
        watch=watch(page.hand.state, page.hand.url),  # lets the page notice changes by other phones
        has_form=True,
        **values_of_form(form, page),
    )


def values_of_form(form: HandForm, page: HandPage) -> dict[str, Any]:
    """The variables for the template of the form of a hand.

    `kept` is the time when the texts of the form were last stored. It is None if they never were: for
    a past hand, for one of which nothing is typed yet, and if the form has errors.
    """
    kept = None
    stored = page.hand.open_hand
    if stored and stored.version > 0 and not form.summary:
        kept = stored.kept_at
    return {"form": form, "page": page, "kept": kept, "words": page.words}


def _build_page(form: HandForm, hand: MatchHand, draft: Draft, *, is_final: bool) -> HandPage:
    """Read the texts typed into the form (`draft`), apply the rules to them, and return what the page
    of the hand shows: its fields, messages and scores.

    `is_final`: the hand was to be saved, so missing input is an error.
    """
    rules = hand.state.rules
    typed = read_draft(draft, rules, language())
    words = page_words(rules)
    report = build_report(
        typed,
        names=tuple(side.name for side in hand.sides),
        words=words,
        judge=_judge_for(form, hand, by_agreement=typed.by_agreement),
        is_final=is_final,
    )
    return HandPage(hand, typed, report, words)


def _judge_for(form: HandForm, hand: MatchHand, *, by_agreement: bool) -> Judge:
    """The function that says which rules a typed hand breaks, and what the sides score in it. It knows
    the match, and the place of the hand among the hands of the match.

    `by_agreement`: the players want to score the hand although it breaks rules.
    """
    number_of_past_hand = hand.number if hand.past else None
    return partial(
        get_pad().judge_typed,
        form.match,
        device_id(),
        number=number_of_past_hand,
        by_agreement=by_agreement,
    )


def page_without_report(hand: MatchHand, draft: Draft) -> HandPage:
    """What a page shows of the texts typed into the form (`draft`) if the rules are not applied to
    them: the fields, without messages and scores.
    """
    rules = hand.state.rules
    typed = read_draft(draft, rules, language())
    return HandPage(hand, typed, Report(), page_words(rules))


def reader_of_drafts(rules: Ruleset) -> DraftReader:
    """Reads what is typed in forms by these rules, in the language of the page."""
    return DraftReader(rules, language())

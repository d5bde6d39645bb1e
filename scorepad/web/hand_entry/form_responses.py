"""The responses with the form of a hand: its page, and the form alone for the script of the page."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Response

from scorepad.matches.hands import Draft
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand
from scorepad.rules.judging import Judgement
from scorepad.web import base
from scorepad.web.base import Errors, device_id, get_pad, language, page_words, render_page
from scorepad.web.draft_comparison import DraftReader
from scorepad.web.hand_entry.bar_texts import BarTexts
from scorepad.web.hand_entry.forms import HandForm
from scorepad.web.hand_entry.hand_page import HandPage, MatchHand
from scorepad.web.hand_entry.report import Agreement, Judge, Report, build_report
from scorepad.web.hand_entry.score_panel import ScorePanel
from scorepad.web.hand_fields import AGREED
from scorepad.web.typed_hand import read_draft
from scorepad.web.watching import watch


def render_hand_page(form: HandForm, hand: MatchHand, draft: Draft) -> Response:
    """Render the page of a hand (a round of the game), with these texts (`draft`) in its form.

    If the form has errors, they are shown above it. The hidden fields of the form are set too.
    """
    errors = form.summary
    if errors:
        form.renew()  # what is sent from this page is another submission
    page = _build_page(form, hand, draft, is_final=False)
    return _render_page_with_errors(form, page, errors)


def render_refused_hand(form: HandForm, hand: MatchHand, draft: Draft) -> Response:
    """Render the page of a hand (round) that could not be saved, with all errors that prevent it.

    The form has these texts (`draft`) in its fields. Its hidden fields are set too.
    """
    # What is missing is an error now, because the hand was to be saved.
    page = _build_page(form, hand, draft, is_final=True)
    errors_of_form = form.summary  # such as a reason that is too long
    form.mark_refused()
    form.renew()  # what is sent from this page is another submission
    return _render_page_with_errors(form, page, (*page.report.errors, *errors_of_form))


def render_form_alone(form: HandForm, hand: MatchHand, draft: Draft) -> str:
    """Render the form of a hand (round) without the page around it.

    The script of an open page puts it in place of the form there. The form has these texts
    (`draft`) in its fields. Its hidden fields are set too.
    """
    form.fill_hidden_fields(hand)
    page = _build_page(form, hand, draft, is_final=False)
    variables = {**collect_form_variables(form, page), **base.template_words(page.words)}
    return base.template("hand_entry/form.html").render(variables)


def _render_page_with_errors(form: HandForm, page: HandPage, errors: Errors) -> Response:
    """Render the page of a hand (round) with these errors above its form.

    The hidden fields of the form are set too: they say which hand the page shows, and in which
    state.
    """
    form.fill_hidden_fields(page.hand)
    return render_page(
        "hand_entry/page.html",
        title=page.title,
        errors=errors,
        watch=watch(page.hand.state, page.hand.url),  # lets the page notice changes by other phones
        has_form=True,
        **collect_form_variables(form, page),
    )


def collect_form_variables(form: HandForm, page: HandPage) -> dict[str, Any]:
    """Collect the variables that the template of the form of a hand (round) needs."""
    return {
        "form": form,
        "page": page,
        "words": page.words,
        "bar": BarTexts(page, _find_time_of_storing(form, page)),
        "score_panel": ScorePanel(page),
        "agreement": _find_agreement_to_show(form, page),
        "offers_first_count": bool(form.refused.data) or not page.parsed.draft,
    }


def _find_time_of_storing(form: HandForm, page: HandPage) -> datetime | None:
    """Find when the typed texts were last stored, which the page shows.

    It is None if they never were (a past hand, or one in which nothing is typed yet) or if the form
    has errors.
    """
    stored = page.hand.open_hand
    if stored is None or stored.version == 0 or form.summary:
        return None
    return stored.kept_at


def _find_agreement_to_show(form: HandForm, page: HandPage) -> Agreement:
    """Find what the page says on whether the table can agree to count a hand that breaks rules.

    It says nothing before the hand (round) was refused, unless the table has agreed already.
    """
    was_refused = bool(form.refused.data) or page.parsed.typed_in(AGREED) != ""
    if not was_refused:
        return Agreement.NOT_OFFERED
    return page.report.agreement


def _build_page(form: HandForm, hand: MatchHand, draft: Draft, *, is_final: bool) -> HandPage:
    """Read the typed texts (`draft`) and apply the rules of the game to them.

    The result is what the page of the hand (round) shows: its fields, messages and scores.
    `is_final` is True when the hand was to be saved: then missing input is an error.
    """
    rules = hand.state.rules
    typed = read_draft(draft, rules, language())
    words = page_words(rules)
    report = build_report(
        typed,
        names=tuple(side.name for side in hand.sides),
        words=words,
        judge=_make_judge(form, hand, by_agreement=typed.by_agreement),
        is_final=is_final,
    )
    return HandPage(hand, typed, report, words)


def _make_judge(form: HandForm, hand: MatchHand, *, by_agreement: bool) -> Judge:
    """Make the function that finds which rules a typed hand (round) breaks, and scores it.

    The function knows the match, and the place of the hand in it: the scores before the hand
    decide, for example, how many points a side needs to begin. `by_agreement` is True if the
    players want to count the hand although it breaks rules.
    """
    pad = get_pad()
    device = device_id()
    number_of_past_hand = hand.number if hand.past else None  # None for the hand being played

    def judge(typed_hand: Hand) -> Judgement:
        """Find the rules that a typed hand breaks, and score it, at its place in the match."""
        return pad.judge_typed(
            form.match,
            device,
            typed_hand,
            number=number_of_past_hand,
            by_agreement=by_agreement,
        )

    return judge


def build_page_without_report(hand: MatchHand, draft: Draft) -> HandPage:
    """Return what a page shows of the typed texts (`draft`) if the rules are not applied to them.

    That is the fields, without messages and scores.
    """
    rules = hand.state.rules
    typed = read_draft(draft, rules, language())
    return HandPage(hand, typed, Report(), page_words(rules))


def make_draft_reader(rules: Ruleset) -> DraftReader:
    """Make a reader of typed texts, for these rules and for the language of the page."""
    return DraftReader(rules, language())

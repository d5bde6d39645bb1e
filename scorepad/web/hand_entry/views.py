"""Entering a hand, checking it while it is typed, correcting a past one, and contesting it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

from flask import Blueprint, Response, abort, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse
from wtforms import HiddenField, StringField

from scorepad.i18n.settings_in_words import group_values_in_words
from scorepad.matches.access import MatchId
from scorepad.matches.hands import Draft, OwnHand, open_hand
from scorepad.matches.names import short_name
from scorepad.matches.transaction import MatchOver, ReasonWanted, RequestRefused, Saved, Stale
from scorepad.rules.hand import Hand
from scorepad.rules.judging import Judgement
from scorepad.schemas import Unusable
from scorepad.storage.rows import OpenHand
from scorepad.web import base, hand_fields
from scorepad.web.base import (
    device_id,
    get_pad,
    language,
    load_match,
    notice,
    page_words,
    render_page,
    t,
    to_match,
)
from scorepad.web.draft_merging import count_the_same, field_differences, merge_drafts
from scorepad.web.field_types import HIDDEN, meld_lines
from scorepad.web.forms import CONFLICT, INVALID, LONGEST_REMARK, PadForm, add_error, checks_itself
from scorepad.web.hand_entry.card import Card, MatchHand, match_hand
from scorepad.web.hand_entry.problems import Report, report
from scorepad.web.hand_fields import (
    draft_of,
    key,
)
from scorepad.web.hand_filling import with_penalties
from scorepad.web.hand_reading import TypedHand, read_draft
from scorepad.web.rule_words import out_needs
from scorepad.web.security import LOOKS_AGAIN
from scorepad.web.watching import noted_entries, watch

blueprint = Blueprint("hand_entry", __name__)
blueprint.add_app_template_filter(short_name)
blueprint.add_app_template_filter(group_values_in_words)
blueprint.add_app_template_filter(hand_fields.needs_concealed)
blueprint.add_app_template_global(out_needs)
BOTH = ["GET", "POST"]
SAVE = "save"
YES = "1"
ERRORS = "errori"
"""URL parameter of the hand: show the errors of the stored fields."""
FIRST = "dal-primo"
"""URL parameter of a contest: start from the first count."""
_OPENING = re.compile(r"opening\.([abc])\.([0-9]{1,2})")
"""The button that adds a meld, by its index, to the opening, or removes it."""
_ENTRIES = re.compile(r"[0-9]{1,9}")
_TAKE_BACK = re.compile(r"noted\.([0-9]{1,9})")
"""The button that takes a noted penalty back, by its entry of the log."""


class HandForm(PadForm):
    """A request about the hand of a match: its fields, which hand it is, and the version seen."""

    hand = HiddenField()
    version = HiddenField()
    noted = HiddenField()
    number = HiddenField()
    seen = HiddenField()
    contest = HiddenField()
    refused = HiddenField()
    note = StringField()
    do = StringField()

    def __init__(self, match: str) -> None:
        super().__init__()
        self.match = MatchId(match)

    @cached_property
    def draft(self) -> Draft:
        """The fields as sent, with the changes of the pressed button."""
        draft = draft_of(request.form)
        pressed = _OPENING.fullmatch(self.do.data or "")
        if pressed is None:
            return draft
        side, meld_index = pressed.groups()
        melds = meld_lines(draft.get(key(side, "melds"), ""))
        if int(meld_index) >= len(melds):
            return draft
        cards = melds[int(meld_index)].rstrip(HIDDEN).strip()
        opening = list(meld_lines(draft.get(key(side, "opening"), "")))
        if cards in opening:
            opening = [line for line in opening if line != cards]
        else:
            opening.append(cards)
        return draft_of({**draft, key(side, "opening"): "\n".join(opening)})

    def number_of(self, name: str) -> int:
        """A number sent by the page; -1, which matches nothing, if invalid."""
        text = self[name].data or ""
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1

    @property
    def shown_penalties(self) -> list[int]:
        """The entries of the noted penalties that the page showed."""
        return [int(text) for text in _ENTRIES.findall(self.noted.data or "")]

    def open_hand(self) -> MatchHand:
        """The open hand. Raises MatchOver."""
        state = load_match(self.match)
        return match_hand(state, open_hand(state))

    def past_hand(self, number: int, *, contests: bool = False) -> MatchHand:
        """A past hand; 404 if there is none."""
        state = load_match(self.match)
        if not 1 <= number <= len(state.hands):
            abort(404)
        return match_hand(state, past=state.hands[number - 1], contests=contests)

    def is_undone(self, number: int) -> bool:
        """Whether the past hand shown on the page no longer exists."""
        return number > len(load_match(self.match).hands) and self.number_of("seen") > 0

    def store(
        self, act: Callable[[Draft, int], Any], *, only_same: bool = False
    ) -> tuple[Any, Draft]:
        """Call `act` with the draft and the version seen; on a conflict again with the merged
        fields, if they merge.

        Returns the response and the draft. `only_same`: merge only with fields that count the same.
        """
        draft = self.draft
        answer = act(draft, self.number_of("version"))
        stored = answer.current if isinstance(answer, Stale) else None
        if stored is None or stored.id != self.hand.data:
            return answer, draft
        rules = answer.state.rules
        merged = merge_drafts(answer.base, draft, stored.draft, rules, language())
        if merged is None:
            return answer, draft
        if only_same and not count_the_same(merged, draft, rules, language()):
            return answer, draft
        return act(merged, stored.version), merged

    def keep(self) -> tuple[OpenHand | Stale, Draft]:
        """Store the fields of the open hand, merged with those of another page if possible. Raises
        MatchOver.
        """
        return self.store(
            lambda draft, version: get_pad().keep(
                self.match, device_id(), self.hand.data, version, draft
            )
        )


# -------------------------------------------------------------------------------------------- views


@blueprint.route("/partite/<match>/smazzata", methods=BOTH)
@checks_itself
def page(match: str) -> AnyResponse:
    """The open hand as stored; submitted fields are stored, and counted on request."""
    form = HandForm(match)
    try:
        if request.method == "POST":
            return _submit_hand(form)
        return _show_open_hand(form)
    except MatchOver:
        if request.method == "GET" or not form.draft:
            return to_match(match)
        return _too_late(form)


def _show_open_hand(form: HandForm) -> Response:
    hand = form.open_hand()
    was_refused = ERRORS in request.args
    form.refused.data = YES if was_refused else ""
    is_final = was_refused and LOOKS_AGAIN not in request.headers
    return _show_hand_form(form, hand, hand.draft, final=is_final)


@blueprint.post("/partite/<match>/smazzata/controllo", endpoint="check")
@checks_itself
def check_typed(match: str) -> AnyResponse:
    """Store the typed fields, and return the current form: sums, and errors beside the fields."""
    form = HandForm(match)
    number = form.number_of("number")
    draft = form.draft
    if not form.validate():
        abort(400)
    try:
        if form.is_undone(number):
            return Response(status=CONFLICT)
        if form.number_of("seen") > 0:
            hand = form.past_hand(number, contests=bool(form.contest.data))
        else:
            stored, draft = form.keep()
            if isinstance(stored, Stale):
                return Response(status=CONFLICT)
            hand = match_hand(load_match(form.match), stored)
    except MatchOver:
        return Response(status=CONFLICT)
    shown_penalties = form.noted.data
    card = _hand_card(form, hand, draft)
    values = _form_values(form, card) | base.template_words(card.words)
    answer = Response(base.template("hand_entry/form.html").render(values))
    if draft != form.draft or shown_penalties != form.noted.data:
        answer.headers["Scorepad-Joined"] = YES  # it has what this page did not show before
    return answer


@blueprint.route(
    "/partite/<match>/smazzate/<int:number>/correggi", methods=BOTH, endpoint="correct"
)
@checks_itself
def correct_hand(match: str, number: int) -> AnyResponse:
    """A past hand as last counted, to be corrected."""
    form = HandForm(match)
    if request.method == "POST" and form.is_undone(number):
        return _too_late(form)
    hand = form.past_hand(number)
    return (
        _submit_hand(form, hand)
        if request.method == "POST"
        else _show_hand_form(form, hand, hand.draft)
    )


@blueprint.route("/partite/<match>/smazzate/<int:number>/contesta", methods=BOTH)
@checks_itself
def contest(match: str, number: int) -> AnyResponse:
    """A past hand counted by the other side, blank or from the first count; only in matches with
    checking.
    """
    form = HandForm(match)
    if request.method == "POST" and form.is_undone(number):
        return _too_late(form)
    hand = form.past_hand(number, contests=True)
    if not hand.state.checking:
        if request.method == "GET" or not form.draft:
            abort(404)
        form.reject(t("hand.contest.off"), 400)
        return _show_hand_form(form, hand, form.draft)
    try:
        if request.method == "POST":
            return _submit_hand(form, hand)
        if get_pad().checking.can_check(form.match, device_id())[number - 1]:
            # A contest starts with a blank count.
            return _show_hand_form(form, hand, hand.draft if FIRST in request.args else {})
    except OwnHand:
        pass
    notice(t("hand.contest.own"))
    return to_match(match)


# --------------------------------------------------------------------------------- submitted forms


def _submit_hand(form: HandForm, past: MatchHand | None = None) -> AnyResponse:
    """Act on the submitted form: store the open hand, and count it on request; correct or contest a
    past one.

    Raises MatchOver and OwnHand.
    """
    if not form.validate():
        form.status = 400
        return _show_hand_form(form, past or form.open_hand(), form.draft)
    answer = None
    if form.do.data == SAVE:
        try:
            answer = _save(form, past)
        except RequestRefused:
            form.reject(t("serve.sent-before"), 400)
            return _show_hand_form(form, past or form.open_hand(), form.draft)
    if isinstance(answer, Saved):
        return to_match(form.match)
    if isinstance(answer, ReasonWanted):
        add_error(form.note, t("hand.error.note-wanted"))
    if past is None:
        return _store(form, answer)
    if isinstance(answer, Stale):
        return _conflict(form, answer)
    is_final = form.do.data == SAVE
    form.status = INVALID if is_final else 200
    return _show_hand_form(form, past, form.draft, final=is_final)


def _save(form: HandForm, past: MatchHand | None) -> Any:
    """Count the open hand, or correct or contest a past one; None if its fields have problems.

    Raises RequestRefused, MatchOver and OwnHand.
    """
    reason = form.note.data or ""
    if len(reason) > LONGEST_REMARK:
        add_error(form.note, t("hand.error.long", limit=LONGEST_REMARK))
        return None
    parsed = read_draft(form.draft, g.rules, language())
    if parsed.problems:
        return None
    try:
        return _record(form, past, parsed, reason)
    except Unusable:
        return None  # shown beside its field


def _store(form: HandForm, answer: Any) -> AnyResponse:
    """Store the fields of the open hand, which was not counted, and show it again. `answer`: why it
    was not counted, if that was asked.

    Raises MatchOver.
    """
    stored, draft = form.keep()
    if isinstance(stored, Stale):
        return _conflict(form, stored)
    pressed = form.do.data or ""
    taken_back = _TAKE_BACK.fullmatch(pressed)
    if taken_back:
        return _take_back(form, int(taken_back[1]))
    more: dict[str, Any] = {}
    if isinstance(answer, Stale) or (pressed == SAVE and draft != form.draft):
        # Fields of another page were merged, or a penalty was noted: show them first.
        notice(t("hand.joined"))
    elif pressed == SAVE:
        more = {ERRORS: 1}
    else:
        opening = _OPENING.fullmatch(pressed)
        more = {"_anchor": hand_fields.html_id(key(opening[1], "opening")) if opening else "live"}
    return redirect(url_for("hand_entry.page", match=form.match, **more), code=303)


def _take_back(form: HandForm, entry: int) -> AnyResponse:
    """Take a noted penalty back; if somebody did meanwhile, the page shows it without."""
    result = get_pad().actions.take_back_penalty(form.request_name, form.match, device_id(), entry)
    if isinstance(result, Saved):
        kind = load_match(form.match).log[entry - 1].event.kind
        notice(t(f"actions.is-undone.{kind}"))
    return redirect(url_for("hand_entry.page", match=form.match), code=303)


def _record(form: HandForm, past: MatchHand | None, parsed: TypedHand, reason: str) -> Any:
    """Count the open hand, or correct or contest a past one. Raises RequestRefused, Unusable,
    MatchOver and OwnHand.
    """
    pad = get_pad()
    sent = (form.request_name, form.match, device_id())
    if past:
        act = pad.checking.contest if past.contests else pad.correct
        seen = form.number_of("seen")
        return act(*sent, past.number, seen, parsed.hand, reason, parsed.texts, form.draft)

    def count(draft: Draft, version: int) -> Any:
        hand_id = form.hand.data
        shown = form.shown_penalties
        return pad.count(
            *sent, hand_id, version, parsed.hand, draft, parsed.texts, seen_noted=shown
        )

    # Do not save unseen fields.
    answer, _ = form.store(count, only_same=True)
    return answer


# -------------------------------------------------------------------------------------------- pages


def _hand_card(form: HandForm, hand: MatchHand, draft: Draft, *, final: bool = False) -> Card:
    """The card of a draft with its messages. `final`: sent to be saved, so missing input is an
    error.
    """
    rules = hand.state.rules
    words = page_words(rules)
    parsed = read_draft(draft, rules, language())
    number = hand.number if hand.past else None

    def judge_hand(asked: Hand) -> Judgement:
        return get_pad().preview(form.match, device_id(), asked, number, parsed.texts)

    names = tuple(side.name for side in hand.sides)
    return Card(hand, parsed, report(parsed, names, judge_hand, words, final=final), words)


def _form_values(form: HandForm, card: Card) -> dict[str, Any]:
    """The values of the form's template; stores in the form which hand this is and the version
    seen.
    """
    hand = card.hand
    stored = hand.open_hand
    form.hand.data = stored.id if stored else ""
    form.version.data = stored.version if stored else 0
    form.number.data = hand.number
    form.seen.data = hand.past.versions[-1].sequence if hand.past else 0
    form.contest.data = YES if hand.contests else ""
    form.noted.data = "" if hand.past else noted_entries(hand.state)
    kept = stored.kept_at if stored and stored.version else None
    return {"form": form, "card": card, "kept": kept, "words": card.words}


def _show_hand_form(
    form: HandForm, hand: MatchHand, draft: Draft, *, final: bool = False
) -> Response:
    """The page of a hand. A form with errors was not stored. `final`: show everything that prevents
    saving.
    """
    errors = form.summary
    if errors or final:
        form.renew()
    if final:
        form.refused.data = YES
    card = _hand_card(form, hand, draft, final=final)
    values = _form_values(form, card)
    if errors:
        values["kept"] = None
    if final:
        errors = (*card.report.errors, *errors)
    watched = watch(hand.state, hand.url)
    return render_page(
        "hand_entry/page.html",
        title=card.title,
        errors=errors,
        watch=watched,
        has_form=True,
        **values,
    )


# ---------------------------------------------------------------------------------------- conflicts


def _conflict(form: HandForm, stale: Stale) -> AnyResponse:
    """Both values side by side, or a redirect to the match if an identical hand was saved
    meanwhile.
    """
    state = stale.state
    rules = state.rules
    number = form.number_of("number")
    if not 1 <= number <= len(state.hands):
        hand = form.open_hand()
        if number > hand.number:
            return _conflict_page(form, hand, "back")
        merged = merge_drafts(stale.base, form.draft, hand.draft, rules, language(), mine_wins=True)
        return _conflict_page(form, hand, "typed", merged)
    past = state.hands[number - 1]
    hand = match_hand(state, past=past, contests=bool(form.contest.data))
    shown = [penalty for penalty in state.penalties if penalty.entry in form.shown_penalties]
    draft = with_penalties(form.draft, shown, language())
    if count_the_same(draft, hand.draft, rules, language()):
        notice(t("hand.stale.same", number=state.called(number)))
        return to_match(form.match)
    kind = "counted" if len(past.versions) == 1 else "corrected"
    return _conflict_page(form, hand, kind, draft)


def _too_late(form: HandForm) -> Response:
    """The hand was undone, or the match is over: show what was typed, and the possible actions."""
    state = load_match(form.match)
    if not state.status.finished:
        return _conflict_page(form, form.open_hand(), "undone")
    coming = OpenHand(state.id, form.hand.data or "", 0, {}, "", state.changed)
    return _conflict_page(form, match_hand(state, coming), "over")


def _conflict_page(
    form: HandForm, hand: MatchHand, kind: str, draft: Draft | None = None
) -> Response:
    """Stored and typed fields side by side. `kind`: what happened to the hand; `draft`: if not the
    form's.
    """
    state = hand.state
    rules = state.rules
    saved = hand.past.versions[-1] if hand.past else hand.open_hand
    number = form.number_of("number") if kind in ("over", "undone") else hand.number
    if draft is None:
        draft = form.draft
    card = Card(hand, read_draft(draft, rules, language()), Report(), page_words(rules))
    # The stored fields of an earlier hand do not apply to a later one: show only what was typed.
    differences = field_differences(hand.draft, draft, rules, language(), only_mine=kind == "back")
    form.renew()
    form.refused.data = ""
    return render_page(
        "hand_entry/conflict.html",
        title=t(f"hand.stale.{kind}", number=state.called(number)),
        status=CONFLICT,
        has_form=True,
        kind=kind,
        draft=draft,
        differences=differences,
        holder=get_pad().devices.holder(form.match, saved.device if saved else ""),
        **_form_values(form, card),
    )

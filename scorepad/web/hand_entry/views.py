"""Entering a hand, checking it while it is typed, correcting a past one, and contesting it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse
from wtforms import HiddenField, StringField

from scorepad.i18n.settings import together
from scorepad.matches.access import MatchId, MatchOver, OwnHand, RequestRefused
from scorepad.matches.hands import open_hand
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import NoteWanted, Refused, Saved, Stale
from scorepad.rules.judge import Judgement
from scorepad.schemas import Unusable
from scorepad.storage.rows import OpenHand
from scorepad.web.base import (
    FieldError,
    device_id,
    get_pad,
    language,
    notice,
    page_words,
    render_page,
    t,
    template,
    to_match,
)
from scorepad.web.forms import CONFLICT, INVALID, LONGEST_NOTE, PadForm, checks_itself, form_errors
from scorepad.web.hand_entry.card import Card, MatchHand, match_hand, short_name
from scorepad.web.hand_entry.conflicts import count_the_same, differences, merged
from scorepad.web.hand_entry.drafts import HIDDEN, read
from scorepad.web.hand_entry.problems import Report, report
from scorepad.web.hand_fields import draft_of, html_id, key, lines_of
from scorepad.web.presenters import watch
from scorepad.web.security import LOOKS_AGAIN

blueprint = Blueprint("hand_entry", __name__)
blueprint.add_app_template_filter(short_name)
blueprint.add_app_template_filter(together)
BOTH = ["GET", "POST"]
SAVE = "save"
YES = "1"
ERRORS = "errori"
"""What the address of the hand carries to show what is wrong with it as it was kept."""
FIRST = "dal-primo"
"""What the address of a contest carries to begin with the first count."""
JOINED = "Scorepad-Joined"
"""The header of a response with fields that only another page had sent."""
_OPENING = re.compile(r"opening\.([abc])\.([0-9]{1,2})")
"""The button that takes a meld, by its place, for one of the opening, or takes it out again."""


class HandForm(PadForm):
    """A request about the hand of a match: the fields of the hand, which hand it is, and what was seen of it."""

    hand = HiddenField()
    version = HiddenField()
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
    def draft(self) -> Mapping[str, str]:
        """The fields as sent, with what the button that was pressed changes of them."""
        draft, pressed = draft_of(request.form), _OPENING.fullmatch(self.do.data or "")
        if pressed:
            name, place = key(pressed[1], "opening"), int(pressed[2])
            opening = list(lines_of(draft.get(name, "")))
            for meld in lines_of(draft.get(key(pressed[1], "melds"), ""))[place : place + 1]:
                cards = meld.rstrip(HIDDEN).strip()
                opening = [line for line in opening if line != cards] if cards in opening else [*opening, cards]
            draft = draft_of({**draft, name: "\n".join(opening)})
        return draft

    def whole(self, name: str) -> int:
        """A figure that the page carried; -1, which nothing has, for anything else."""
        text = self[name].data or ""
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1

    def state(self, *, to_write: bool = False) -> MatchState:
        """The match as it stands. `to_write`: raises NotAllowed for a device that may not write in it."""
        return get_pad().state(self.match, device_id(), to_write=to_write)

    def open_hand(self) -> MatchHand:
        """The open hand. Raises MatchOver and NotAllowed."""
        state = self.state(to_write=True)
        return match_hand(state, open_hand(state))

    def past_hand(self, number: int, *, contests: bool = False) -> MatchHand:
        """A past hand; 404 where there is none. Raises NotAllowed."""
        state = self.state(to_write=True)
        if not 1 <= number <= len(state.hands):
            abort(404)
        return match_hand(state, past=state.hands[number - 1], contests=contests)

    def is_undone(self, number: int) -> bool:
        """Whether the past hand that the page showed is no longer there. Raises NotAllowed."""
        return number > len(self.state(to_write=True).hands) and self.whole("seen") > 0

    def store(
        self, act: Callable[[Mapping[str, str], int], Any], *, only_same: bool = False
    ) -> tuple[Any, Mapping[str, str]]:
        """Call `act` with the draft and the version seen; once more with the fields of another page, if they merge.

        Returns the answer and the draft. `only_same`: merge only with fields that count the same.
        """
        draft = self.draft
        answer = act(draft, self.whole("version"))
        there = answer.current if isinstance(answer, Stale) else None
        if there is not None and there.id == self.hand.data:
            rules = answer.state.rules
            both = merged(answer.seen, draft, there.draft, rules, language())
            if both is not None and not (only_same and not count_the_same(both, draft, rules, language())):
                return act(both, there.version), both
        return answer, draft

    def keep(self) -> tuple[OpenHand | Stale, Mapping[str, str]]:
        """Keep the fields of the open hand, merged with those of another page where they merge. Raises MatchOver."""
        return self.store(
            lambda draft, version: get_pad().keep(self.match, device_id(), self.hand.data, version, draft)
        )


# ------------------------------------------------------------------------------------------------ views


@blueprint.route("/partite/<match>/smazzata", methods=BOTH)
@checks_itself
def page(match: str) -> AnyResponse:
    """The open hand, as it was left; what is sent is kept, and counted if asked to."""
    form = HandForm(match)
    try:
        if request.method == "POST":
            return _submit(form)
        hand, refused = form.open_hand(), ERRORS in request.args
        form.refused.data = YES if refused else ""
        return _show(form, hand, hand.draft, final=refused and LOOKS_AGAIN not in request.headers)
    except MatchOver:
        return to_match(match) if request.method == "GET" or not form.draft else _too_late(form)


@blueprint.post("/partite/<match>/smazzata/controllo")
@checks_itself
def check(match: str) -> AnyResponse:
    """Keep what is typed, and answer with the form as it stands: sums, and what is wrong beside the fields."""
    form = HandForm(match)
    number, draft, stored = form.whole("number"), form.draft, None
    if not form.validate():
        form.state(to_write=True)  # who may not write any more gets that answer
        abort(400)
    try:
        if form.is_undone(number):
            return Response(status=CONFLICT)
        if form.whole("seen") > 0:
            hand = form.past_hand(number, contests=bool(form.contest.data))
        else:
            stored, draft = form.keep()
            if isinstance(stored, Stale):
                return Response(status=CONFLICT)
            hand = match_hand(form.state(), stored)
    except MatchOver:
        return Response(status=CONFLICT)
    joined = draft != form.draft
    values = _values(form, _card(form, hand, draft))
    answer = Response(template("hand_entry/form.html").render(words=page_words(), **values))
    if joined:
        answer.headers[JOINED] = YES
    return answer


@blueprint.route("/partite/<match>/smazzate/<int:number>/correggi", methods=BOTH)
@checks_itself
def correct(match: str, number: int) -> AnyResponse:
    """A past hand as it was counted last, to be corrected."""
    form = HandForm(match)
    if request.method == "POST" and form.is_undone(number):
        return _too_late(form)
    return _past(form, form.past_hand(number))


@blueprint.route("/partite/<match>/smazzate/<int:number>/contesta", methods=BOTH)
@checks_itself
def contest(match: str, number: int) -> AnyResponse:
    """A past hand counted by the other side, from nothing or from the first count; only where one checks the other."""
    form = HandForm(match)
    if request.method == "POST" and form.is_undone(number):
        return _too_late(form)
    hand = form.past_hand(number, contests=True)
    if not hand.state.checking:
        if request.method == "GET" or not form.draft:
            abort(404)
        form.reject(t("count.contest.off"))
        return _show(form, hand, form.draft, 400)
    try:
        if request.method == "POST" or get_pad().checking.can_check(form.match, device_id())[number - 1]:
            return _past(form, hand)
    except OwnHand:
        pass
    notice(t("count.contest.own"))
    return to_match(match)


# ------------------------------------------------------------------------------------------------ what is sent


def _submit(form: HandForm) -> AnyResponse:
    """What was sent of the open hand: kept, and counted if the save button was pressed. Raises MatchOver."""
    if not form.validate():
        return _show(form, form.open_hand(), form.draft, 400)
    parsed = read(form.draft, form.state().rules, language())
    saves, answer = form.do.data == SAVE, None

    def count(draft: Mapping[str, str], version: int) -> Saved | Refused | Stale:
        sent = form.request_name, form.match, device_id(), form.hand.data, version
        return get_pad().count(*sent, parsed.hand, draft, parsed.notes)

    if saves and not parsed.problems:
        try:
            # Nobody saves what they have not seen.
            answer, _ = form.store(count, only_same=True)
        except RequestRefused:
            form.reject(t("serve.sent-before"))
            return _show(form, form.open_hand(), form.draft, 400)
        except Unusable:
            pass  # told beside its field
        if isinstance(answer, Saved):
            return to_match(form.match)
    kept, draft = form.keep()
    if isinstance(kept, Stale):
        return _conflict(form, kept, form.whole("number"))
    more: dict[str, Any] = {}
    if isinstance(answer, Stale) or (saves and draft != form.draft):
        # Fields of another page stand beside these now: they are to be seen first.
        notice(t("count.joined"))
    elif saves:
        more = {ERRORS: 1}
    else:
        pressed = _OPENING.fullmatch(form.do.data or "")
        more = {"_anchor": html_id(key(pressed[1], "opening")) if pressed else "live"}
    return redirect(url_for("hand_entry.page", match=form.match, **more), code=303)


def _past(form: HandForm, hand: MatchHand) -> AnyResponse:
    """The page of a past hand, or the response to what was sent of it. Raises OwnHand."""
    if request.method == "GET":
        # Who contests a hand counts for themselves, from nothing.
        from_nothing = hand.contests and FIRST not in request.args
        return _show(form, hand, {} if from_nothing else hand.draft)
    if not form.validate():
        return _show(form, hand, form.draft, 400)
    if form.do.data != SAVE:
        return _show(form, hand, form.draft)
    parsed, note, answer = read(form.draft, hand.state.rules, language()), form.note.data or "", None
    if not parsed.problems and len(note) <= LONGEST_NOTE:
        act = get_pad().checking.contest if hand.contests else get_pad().correct
        sent = form.request_name, form.match, device_id(), hand.number, form.whole("seen")
        try:
            answer = act(*sent, parsed.hand, note, parsed.notes, form.draft)
        except RequestRefused:
            form.reject(t("serve.sent-before"))
            return _show(form, hand, form.draft, 400)
        except Unusable:
            pass  # told beside its field
    if isinstance(answer, Saved | Stale):
        return to_match(form.match) if isinstance(answer, Saved) else _conflict(form, answer, hand.number)
    return _show(form, hand, form.draft, INVALID, final=True, note_wanted=isinstance(answer, NoteWanted))


# ------------------------------------------------------------------------------------------------ pages


def _card(form: HandForm, hand: MatchHand, draft: Mapping[str, str], *, final: bool = False) -> Card:
    """The card of a draft with its messages. `final`: it was sent to be saved: what is missing is an error."""
    parsed, number = read(draft, hand.state.rules, language()), hand.number if hand.past else None

    def ask(asked: Mapping[str, Any]) -> Judgement:
        return get_pad().preview(form.match, device_id(), asked, number, parsed.notes)

    return Card(hand, parsed, report(parsed, hand.names, ask, page_words(), final=final), page_words())


def _values(form: HandForm, card: Card) -> dict[str, Any]:
    """The values of the form's template; puts into the form which hand this is and what was seen of it."""
    hand, stored = card.hand, card.hand.open_hand
    form.hand.data, form.version.data = (stored.id, stored.version) if stored else ("", 0)
    form.number.data, form.seen.data = hand.number, hand.past.versions[-1].sequence if hand.past else 0
    form.contest.data = YES if hand.contests else ""
    kept = stored.kept_at if stored and stored.version else None
    return {"form": form, "card": card, "kept": kept, "note_errors": ()}


def _show(
    form: HandForm,
    hand: MatchHand,
    draft: Mapping[str, str],
    status: int = 200,
    *,
    final: bool = False,
    note_wanted: bool = False,
) -> Response:
    """The page of a hand. Of a form with errors nothing was kept.

    `final`: with everything that keeps the hand from being saved; `note_wanted`: it lacks a reason.
    """
    errors, notes = form_errors(form), list[str]()
    if errors or final:
        form.renew()
    if final:
        form.refused.data = YES
        if len(form.note.data or "") > LONGEST_NOTE:
            notes.append(t("count.error.long", limit=LONGEST_NOTE))
        elif note_wanted:
            notes.append(t("count.error.note-wanted"))
    card = _card(form, hand, draft, final=final)
    values = _values(form, card) | {"note_errors": notes}
    if errors:
        values["kept"] = None
    if final:
        errors = (*card.report.errors, *(FieldError("note", text) for text in notes))
    watched = watch(hand.state, hand.url)
    return render_page(
        "hand_entry/page.html", title=card.title, status=status, errors=errors, watch=watched, has_form=True, **values
    )


# ------------------------------------------------------------------------------------------------ conflicts


def _conflict(form: HandForm, stale: Stale, number: int) -> AnyResponse:
    """Both values side by side, or on to the match where a hand that was saved meanwhile is the very same.

    `number` is the hand that the page showed.
    """
    state = stale.state
    if not 1 <= number <= len(state.hands):
        hand = form.open_hand()
        undone = number > hand.number
        return _conflict_page(form, hand, "back" if undone else "typed", hand.number if undone else number)
    hand = match_hand(state, past=state.hands[number - 1], contests=bool(form.contest.data))
    if count_the_same(form.draft, hand.draft, state.rules, language()):
        notice(t("count.stale.same", number=state.called(number)))
        return to_match(form.match)
    return _conflict_page(form, hand, "counted" if len(state.hands[number - 1].versions) == 1 else "corrected", number)


def _too_late(form: HandForm) -> Response:
    """The hand was undone, or the match is over: what was typed, and what can be done with it."""
    state = form.state()
    is_over = state.standing.finished
    coming = OpenHand(state.id, form.hand.data or "", 0, {}, "", state.changed)
    hand = match_hand(state, coming if is_over else get_pad().open(form.match, device_id()))
    return _conflict_page(form, hand, "over" if is_over else "undone", form.whole("number"))


def _conflict_page(form: HandForm, hand: MatchHand, kind: str, number: int) -> Response:
    """What stands beside what was typed. `kind`: what happened to the hand meanwhile."""
    is_gone, state = kind in ("over", "undone", "back"), hand.state
    device = hand.past.versions[-1].device if hand.past else hand.open_hand.device if hand.open_hand else ""
    card = Card(hand, read(form.draft, state.rules, language()), Report(), page_words())
    values = _values(form, card)
    form.renew()
    form.refused.data = ""
    return render_page(
        "hand_entry/conflict.html",
        title=t(f"count.stale.{kind}", number=state.called(number if is_gone else hand.number)),
        status=CONFLICT,
        has_form=True,
        kind=kind,
        is_gone=is_gone,
        is_saved=kind in ("counted", "corrected"),
        # What stands of an earlier hand is no answer to what was typed of a later one: only that is shown.
        differences=differences(hand.draft, form.draft, state.rules, language(), only_mine=kind == "back"),
        holder=get_pad().devices.holder(form.match, device),
        **values,
    )

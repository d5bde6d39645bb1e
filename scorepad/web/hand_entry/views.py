"""Entering a hand, checking it while it is typed, correcting a past one, and contesting it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flask import Blueprint, Response, abort, redirect, request, url_for
from flask_wtf.csrf import generate_csrf
from werkzeug.wrappers import Response as AnyResponse
from wtforms import HiddenField

from scorepad.i18n import Words
from scorepad.matches.access import DeviceId, MatchId, MatchOver, NotAllowed, OwnHand, RequestRefused
from scorepad.matches.hands import open_hand
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import NoteWanted, Refused, Saved, Stale
from scorepad.schemas import Unusable
from scorepad.storage.rows import OpenHand
from scorepad.web.base import FieldError, device_id, get_pad, notice, page_words, render_page, template, to_match
from scorepad.web.forms import CONFLICT, INVALID, LONGEST_NOTE, PadForm, checks_itself, form_errors
from scorepad.web.hand_entry.card import Card, MatchHand, open_match_hand, past_match_hand, short_name
from scorepad.web.hand_entry.conflicts import count_the_same, differences, merged
from scorepad.web.hand_entry.drafts import HIDDEN, Parsed, read
from scorepad.web.hand_entry.problems import Report, report
from scorepad.web.hand_fields import draft_of, html_id, key, lines_of
from scorepad.web.presenters import watch
from scorepad.web.security import LOOKS_AGAIN

blueprint = Blueprint("hand_entry", __name__)
blueprint.add_app_template_filter(short_name)
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
    """What the form carries beside the fields of the hand: which hand it is, and what was seen of it."""

    hand = HiddenField()
    version = HiddenField()
    seen = HiddenField()
    number = HiddenField()
    note = HiddenField()
    contest = HiddenField()
    refused = HiddenField()
    do = HiddenField()

    def whole(self, name: str) -> int:
        """A figure that the page carried; -1, which nothing has, for anything else."""
        text = self[name].data or ""
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1


@dataclass
class Entry:
    """A request about the hand of a match."""

    match: MatchId
    form: HandForm = field(default_factory=HandForm)
    device: DeviceId = field(default_factory=device_id)
    words: Words = field(default_factory=page_words)

    @cached_property
    def draft(self) -> dict[str, str]:
        """The fields as sent, with what the button that was pressed changes of them."""
        draft, pressed = draft_of(request.form), _OPENING.fullmatch(self.form.do.data or "")
        if pressed:
            name, place = key(pressed[1], "opening"), int(pressed[2])
            opening = list(lines_of(draft.get(name, "")))
            for meld in lines_of(draft.get(key(pressed[1], "melds"), ""))[place : place + 1]:
                cards = meld.rstrip(HIDDEN).strip()
                opening = [line for line in opening if line != cards] if cards in opening else [*opening, cards]
            draft = draft_of({**draft, name: "\n".join(opening)})
        return draft

    @property
    def note(self) -> str:
        """Why a past hand is corrected, or contested."""
        return self.form.note.data or ""

    def state(self) -> MatchState:
        """The match as it stands."""
        return get_pad().state(self.match, self.device)

    def writable(self) -> MatchState:
        """The match as it stands. Raises NotAllowed for a device that may not write in it."""
        state = self.state()
        if not state.access.can_write:
            raise NotAllowed(self.match)
        return state

    def open_hand(self) -> MatchHand:
        """The open hand. Raises MatchOver."""
        state = get_pad().state(self.match, self.device, to_write=True)
        return open_match_hand(state, open_hand(state))

    def past_hand(self, number: int, *, contests: bool = False) -> MatchHand:
        """A past hand; 404 where there is none. Raises NotAllowed."""
        state = self.writable()
        if not 1 <= number <= len(state.hands):
            abort(404)
        return past_match_hand(state, state.hands[number - 1], contests=contests)

    def is_undone(self, number: int) -> bool:
        """Whether the past hand that the page showed is no longer there. Raises NotAllowed."""
        return number > len(self.writable().hands) and self.form.whole("seen") > 0

    def read(self, draft: Mapping[str, str], state: MatchState) -> Parsed:
        """What a draft says under the rules of the match."""
        return read(draft, state.rules, self.words.language)

    def card(self, hand: MatchHand, draft: Mapping[str, str], *, final: bool = False) -> Card:
        """The card of a draft with its messages. `final`: it was sent to be saved: what is missing is an error."""
        parsed, number = self.read(draft, hand.state), hand.number if hand.past else None
        messages = report(
            parsed,
            hand.names,
            lambda asked: get_pad().preview(self.match, self.device, asked, number, parsed.notes),
            self.words,
            final=final,
        )
        return Card(hand, parsed, messages, self.words)


# ------------------------------------------------------------------------------------------------ views


@blueprint.route("/partite/<match>/smazzata", methods=BOTH)
@checks_itself
def page(match: str) -> AnyResponse:
    """The open hand, as it was left; what is sent is kept, and counted if asked to."""
    entry = Entry(MatchId(match))
    try:
        if request.method == "POST":
            return _submit(entry)
        hand, refused = entry.open_hand(), ERRORS in request.args
        if refused and LOOKS_AGAIN not in request.headers:
            return _refused(entry, hand, hand.draft)
        entry.form.refused.data = YES if refused else ""
        return _render(entry, entry.card(hand, hand.draft))
    except MatchOver:
        return to_match(match) if request.method == "GET" or not entry.draft else _too_late(entry)


@blueprint.post("/partite/<match>/smazzata/controllo")
@checks_itself
def check(match: str) -> AnyResponse:
    """Keep what is typed, and answer with the form as it stands: sums, and what is wrong beside the fields."""
    entry = Entry(MatchId(match))
    form, draft = entry.form, entry.draft
    if not form.validate():
        entry.writable()  # who may not write any more gets that answer
        abort(400)
    number = form.whole("number")
    if entry.is_undone(number):
        return Response(status=CONFLICT)
    if form.whole("seen") > 0:
        hand = entry.past_hand(number, contests=bool(form.contest.data))
    else:
        try:
            kept = _keep(entry)
        except MatchOver:
            return Response(status=CONFLICT)
        if isinstance(kept, Stale):
            return Response(status=CONFLICT)
        stored, draft = kept
        hand = open_match_hand(entry.state(), stored)
    values = _values(entry, entry.card(hand, draft))
    answer = Response(template("hand_entry/form.html").render(words=entry.words, **values))
    if draft != entry.draft:
        answer.headers[JOINED] = YES
    return answer


@blueprint.route("/partite/<match>/smazzate/<int:number>/correggi", methods=BOTH)
@checks_itself
def correct(match: str, number: int) -> AnyResponse:
    """A past hand as it was counted last, to be corrected."""
    entry = Entry(MatchId(match))
    if request.method == "POST" and entry.is_undone(number):
        return _too_late(entry)
    return _past(entry, entry.past_hand(number))


@blueprint.route("/partite/<match>/smazzate/<int:number>/contesta", methods=BOTH)
@checks_itself
def contest(match: str, number: int) -> AnyResponse:
    """A past hand counted by the other side, from nothing or from the first count; only where one checks the other."""
    entry = Entry(MatchId(match))
    if request.method == "POST" and entry.is_undone(number):
        return _too_late(entry)
    hand = entry.past_hand(number, contests=True)
    if not hand.state.checking:
        if request.method == "GET" or not entry.draft:
            abort(404)
        entry.form.reject(entry.words.text("count.contest.off"))
        return _expired(entry, hand)
    try:
        if request.method == "POST" or get_pad().checking.can_check(entry.match, entry.device)[number - 1]:
            return _past(entry, hand)
    except OwnHand:
        pass
    notice(entry.words.text("count.contest.own"))
    return to_match(match)


# ------------------------------------------------------------------------------------------------ the open hand


def _submit(entry: Entry) -> AnyResponse:
    """What was sent of the open hand: kept, and counted if the save button was pressed."""
    if not entry.form.validate():
        return _expired(entry, entry.open_hand())
    parsed = entry.read(entry.draft, entry.state())
    saves, answer = entry.form.do.data == SAVE, None
    if saves and not parsed.problems:
        try:
            answer = _count(entry, parsed)
        except RequestRefused:
            entry.form.reject(entry.words.text("serve.sent-before"))
            return _expired(entry, entry.open_hand())
        if isinstance(answer, Saved):
            return to_match(entry.match)
    kept = _keep(entry)
    if isinstance(kept, Stale):
        return _conflict(entry, kept, entry.form.whole("number"))
    more: dict[str, Any] = {}
    if isinstance(answer, Stale) or (saves and kept[1] != entry.draft):
        # Fields of another page stand beside these now: they are to be seen first.
        notice(entry.words.text("count.joined"))
    elif saves:
        more = {ERRORS: 1}
    else:
        pressed = _OPENING.fullmatch(entry.form.do.data or "")
        more = {"_anchor": html_id(key(pressed[1], "opening")) if pressed else "live"}
    return redirect(url_for("hand_entry.page", match=entry.match, **more), code=303)


def _keep(entry: Entry) -> tuple[OpenHand, dict[str, str]] | Stale:
    """Keep the fields of the open hand, merged with those of another page where that is possible. Raises MatchOver."""
    hand, draft, version = entry.form.hand.data, entry.draft, entry.form.whole("version")
    answer = get_pad().keep(entry.match, entry.device, hand, version, draft)
    if isinstance(answer, Stale) and (both := _merge(entry, answer)) is not None:
        draft, version = both
        answer = get_pad().keep(entry.match, entry.device, hand, version, draft)
    return answer if isinstance(answer, Stale) else (answer, draft)


def _count(entry: Entry, parsed: Parsed) -> Saved | Refused | Stale | None:
    """The answer to a hand; None for one that cannot be used as it is. Raises MatchOver."""
    hand, form = entry.form.hand.data, entry.form

    def count(draft: Mapping[str, str], version: int) -> Saved | Refused | Stale:
        name = form.request_name
        return get_pad().count(name, entry.match, entry.device, hand, version, parsed.hand, draft, parsed.notes)

    try:
        answer = count(entry.draft, form.whole("version"))
        if isinstance(answer, Stale) and (both := _merge(entry, answer)) is not None:
            same = count_the_same(both[0], entry.draft, answer.state.rules, entry.words.language)
            # Nobody saves what they have not seen.
            return count(*both) if same else answer
    except Unusable:
        return None
    return answer


def _merge(entry: Entry, stale: Stale) -> tuple[dict[str, str], int] | None:
    """The fields of both pages, and the version to keep them on; None where they contradict, or it is another hand."""
    there = stale.current
    if there is None or there.id != entry.form.hand.data:
        return None
    both = merged(stale.seen, entry.draft, there.draft, stale.state.rules, entry.words.language)
    return None if both is None else (both, there.version)


# ------------------------------------------------------------------------------------------------ a past hand


def _past(entry: Entry, hand: MatchHand) -> AnyResponse:
    """The page of a past hand, or the response to what was sent of it. Raises OwnHand."""
    form = entry.form
    if request.method == "GET":
        # Who contests a hand counts for themselves, from nothing.
        from_nothing = hand.contests and FIRST not in request.args
        return _render(entry, entry.card(hand, {} if from_nothing else hand.draft))
    if not form.validate():
        return _expired(entry, hand)
    if form.do.data != SAVE:
        return _render(entry, entry.card(hand, entry.draft))
    parsed, answer = entry.read(entry.draft, hand.state), None
    if not parsed.problems and len(entry.note) <= LONGEST_NOTE:
        act = get_pad().checking.contest if hand.contests else get_pad().correct
        sent = form.request_name, entry.match, entry.device, hand.number, form.whole("seen")
        try:
            answer = act(*sent, parsed.hand, entry.note, parsed.notes, entry.draft)
        except RequestRefused:
            form.reject(entry.words.text("serve.sent-before"))
            return _expired(entry, hand)
        except Unusable:
            pass  # told beside its field
    if isinstance(answer, Saved | Stale):
        return to_match(entry.match) if isinstance(answer, Saved) else _conflict(entry, answer, hand.number)
    return _refused(entry, hand, entry.draft, INVALID, note_wanted=isinstance(answer, NoteWanted))


# ------------------------------------------------------------------------------------------------ pages


def _render(entry: Entry, card: Card, status: int = 200, **more: Any) -> Response:
    """The page of a hand. `more`: errors above the form and beside the note."""
    values = {**_values(entry, card), **more}
    watched = watch(card.hand.state, values["action"])
    return render_page(
        "hand_entry/page.html", title=card.title, status=status, watch=watched, has_form=True, **values
    )  # fmt: skip


def _values(entry: Entry, card: Card) -> dict[str, Any]:
    """The values of the form's template."""
    open_hand = card.hand.open_hand
    return {
        **_place(entry, card.hand),
        "card": card,
        "offers_first": card.hand.contests and (bool(entry.form.refused.data) or not card.draft),
        "kept": open_hand.kept_at.astimezone() if open_hand and open_hand.version else None,
        "note": entry.note,
        "note_errors": (),
    }


def _place(entry: Entry, hand: MatchHand) -> dict[str, Any]:
    """Where the form leads, and its hidden fields: token, request id, which hand this is and what was seen of it."""
    form, open_hand, match = entry.form, hand.open_hand, hand.state.id
    more: dict[str, Any] = {}
    view = "page"
    if hand.past:
        more, view = {"number": hand.number}, "contest" if hand.contests else "correct"
    hidden = {
        "csrf_token": generate_csrf(),
        "request_id": form.request_id.data,
        "hand": open_hand.id if open_hand else "",
        "version": str(open_hand.version if open_hand else 0),
        "number": str(hand.number),
        "seen": str(hand.seen_entry),
        "contest": YES if hand.contests else "",
        "refused": YES if form.refused.data else "",
    }
    return {
        "action": url_for(f"hand_entry.{view}", match=match, **more),
        "check": url_for("hand_entry.check", match=match),
        "back": url_for("matches.page", match=match),
        "hidden_fields": hidden,
    }


def _refused(
    entry: Entry, hand: MatchHand, draft: Mapping[str, str], status: int = 200, *, note_wanted: bool = False
) -> Response:
    """The page with everything that keeps the hand from being saved; `note_wanted`: it lacks a reason."""
    entry.form.renew()
    entry.form.refused.data = YES
    notes: tuple[str, ...] = ()
    if len(entry.note) > LONGEST_NOTE:
        notes = (entry.words.text("count.error.long", limit=LONGEST_NOTE),)
    elif note_wanted:
        notes = (entry.words.text("count.error.note-wanted"),)
    card = entry.card(hand, draft, final=True)
    errors = (*card.report.errors, *(FieldError("note", text) for text in notes))
    return _render(entry, card, status, errors=errors, note_errors=notes)


def _expired(entry: Entry, hand: MatchHand) -> Response:
    """The page again, with a valid token and all that was typed; nothing of that was kept."""
    entry.form.renew()
    errors = tuple(FieldError(None, error.text) for error in form_errors(entry.form))
    return _render(entry, entry.card(hand, entry.draft), 400, errors=errors, kept=None)


# ------------------------------------------------------------------------------------------------ conflicts


def _conflict(entry: Entry, stale: Stale, number: int) -> AnyResponse:
    """Both values side by side, or on to the match where a hand that was saved meanwhile is the very same.

    `number` is the hand that the page showed.
    """
    entry.form.renew()
    state = stale.state
    if not 1 <= number <= len(state.hands):
        hand = entry.open_hand()
        undone = number > hand.number
        return _conflict_page(entry, hand, "back" if undone else "typed", hand.number if undone else number)
    hand = past_match_hand(state, state.hands[number - 1], contests=bool(entry.form.contest.data))
    if count_the_same(entry.draft, hand.draft, hand.rules, entry.words.language):
        notice(entry.words.text("count.stale.same", number=hand.shown_number))
        return to_match(entry.match)
    return _conflict_page(entry, hand, "counted" if len(state.hands[number - 1].versions) == 1 else "corrected", number)


def _too_late(entry: Entry) -> Response:
    """The hand was undone, or the match is over: what was typed, and what can be done with it."""
    state, is_over = entry.state(), entry.state().standing.finished
    coming = OpenHand(state.id, entry.form.hand.data or "", 0, {}, "", state.changed)
    hand = open_match_hand(state, coming if is_over else get_pad().open(entry.match, entry.device))
    entry.form.renew()
    return _conflict_page(entry, hand, "over" if is_over else "undone", entry.form.whole("number"))


def _conflict_page(entry: Entry, hand: MatchHand, kind: str, number: int) -> Response:
    """What stands beside what was typed. `kind`: what happened to the hand meanwhile."""
    place, is_gone = _place(entry, hand), kind in ("over", "undone", "back")
    device = hand.past.versions[-1].device if hand.past else hand.open_hand.device if hand.open_hand else ""
    place["hidden_fields"]["refused"] = ""
    return render_page(
        "hand_entry/conflict.html",
        title=entry.words.text(
            f"count.stale.{kind}", number=hand.state.called(number) if is_gone else hand.shown_number
        ),
        status=CONFLICT,
        has_form=True,
        kind=kind,
        is_gone=is_gone,
        is_saved=kind in ("counted", "corrected"),
        card=Card(hand, entry.read(entry.draft, hand.state), Report(), entry.words),
        # What stands of an earlier hand is no answer to what was typed of a later one: only that is shown.
        differences=differences(hand, hand.draft, entry.draft, entry.words.language, only_mine=kind == "back"),
        holder=get_pad().devices.holder(entry.match, device),
        note=entry.note,
        draft=entry.draft,
        **place,
    )

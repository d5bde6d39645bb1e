"""One request about a count: what it asks for, what the rules say of it, and the page that answers it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from flask import Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorepad.i18n import Words
from scorepad.matches.access import DeviceId, MatchId
from scorepad.matches.errors import NotAllowed
from scorepad.matches.projection import MatchState, OpenHand
from scorepad.matches.results import Stale
from scorepad.web.base import FieldError, device_id, notice, page_words, render, the_pad
from scorepad.web.count import names
from scorepad.web.count.counting import what_counts
from scorepad.web.count.fields import Note, Tone
from scorepad.web.count.forms import CountForm
from scorepad.web.count.looking import Looked, look
from scorepad.web.count.needs import Needs
from scorepad.web.count.occasions import Occasion, open_occasion, past_occasion
from scorepad.web.count.pages import Sent, count_page
from scorepad.web.count.reading import read_draft
from scorepad.web.count.said import Count
from scorepad.web.count.stale import Overtaken, stale_page
from scorepad.web.count.steps import Done, take_step
from scorepad.web.count.telling import Telling, tell
from scorepad.web.count.values import CountPage
from scorepad.web.forms import form_errors

WRONG = 422
"""The status of a page that shows a form again because of what is in it."""
OVERTAKEN = 409
SAVE = "save"
ERRORS = "errori"
"""What the address of the hand carries to show what is wrong with it as it was kept."""
NOTE = "note"
"""The field of the note of a correction."""


@dataclass(frozen=True, slots=True)
class Call:
    """Who asks about which match, with which form."""

    match: MatchId
    device: DeviceId
    form: CountForm
    words: Words

    @property
    def draft(self) -> dict[str, str]:
        """The fields as sent."""
        return names.draft_of(request.form)

    @property
    def wants_save(self) -> bool:
        """Whether the button pressed is the one that saves."""
        return bool(self.form.do.data == SAVE)

    def step(self) -> Done | None:
        """What the button pressed does to the draft; None for one that only checks."""
        return take_step(self.form.do.data or "", names.fields_sent(request.form), self.words.language, self._most)

    def _most(self, field: str) -> int | None:
        """How far a field is counted up."""
        return Needs(self.state().rules).most(field)

    def state(self) -> MatchState:
        """The match as it stands."""
        return the_pad().state(self.match, self.device)

    def writable(self) -> MatchState:
        """The match as it stands, for one who may write in it. Raises NotAllowed."""
        state = self.state()
        if not state.access.can_write:
            raise NotAllowed(self.match)
        return state

    def open_occasion(self) -> Occasion:
        """The open hand. Raises MatchOver."""
        open_hand = the_pad().open(self.match, self.device)
        return open_occasion(self.state(), open_hand)

    def occasion_of(self, open_hand: OpenHand) -> Occasion:
        """The open hand as it was just kept."""
        return open_occasion(self.state(), open_hand)

    def past_occasion(self, number: int, *, contests: bool = False) -> Occasion:
        """A past hand; no such hand is a page that does not exist. Raises NotAllowed."""
        state = self.writable()
        if not 1 <= number <= len(state.hands):
            abort(404)
        return past_occasion(state, state.hands[number - 1], contests=contests)

    def is_gone(self, number: int) -> bool:
        """Whether a hand that could be counted again has been undone since. Raises NotAllowed."""
        return number > len(self.writable().hands) and self.form.seen_entry > 0

    def read(self, draft: Mapping[str, str], state: MatchState) -> Count:
        """What a draft says."""
        return read_draft(draft, state.rules, self.words.language)

    def look(self, count: Count, occasion: Occasion) -> Looked:
        """What the rules say of as much as can be read."""
        number = occasion.number if occasion.past else None
        return look(
            lambda hand: the_pad().preview(self.match, self.device, hand, number, count.said),
            count.hand,
            occasion.rules.settings,
        )


def new_call(match: str) -> Call:
    """The request being answered."""
    return Call(MatchId(match), device_id(), CountForm(), page_words())


def to_match(call: Call) -> AnyResponse:
    """On to the match."""
    return redirect(url_for("matches.page", match=call.match), code=303)


def to_errors(call: Call) -> AnyResponse:
    """On to the hand as it was kept, with everything that keeps it from being saved: loaded again, it sends nothing."""
    return redirect(url_for("count.page", match=call.match, errori=1), code=303)


def live_page(call: Call, occasion: Occasion, draft: Mapping[str, str]) -> CountPage:
    """The page while the hand is being typed: what is missing is no error yet."""
    return count_page(occasion, draft, _tell(call, occasion, draft, final=False), _sent(call), call.words)


def refused_page(call: Call, occasion: Occasion, draft: Mapping[str, str], *, note_wanted: bool = False) -> CountPage:
    """The page with everything that keeps the hand from being saved; `note_wanted`: it lacks a reason."""
    call.form.renew()
    telling = _tell(call, occasion, draft, final=True)
    notes = tuple(_note_notes(call, wanted=note_wanted))
    errors = (*telling.of_tone(Tone.ERROR), *(FieldError(NOTE, note.text) for note in notes))
    sent = replace(_sent(call, errors, notes), refused=True)
    return count_page(occasion, draft, telling, sent, call.words)


def too_late(call: Call, draft: Mapping[str, str]) -> Response:
    """The hand is not there any more, undone, or the match is over: what was typed, and what can be done with it."""
    state, number = call.state(), call.form.hand_number
    coming = OpenHand(call.form.hand.data or "", 0, len(state.hands) + 1, {}, state.changed)
    is_over = state.standing.finished
    occasion = open_occasion(state, coming if is_over else the_pad().open(call.match, call.device))
    call.form.renew()
    gone = Overtaken(occasion, was_counted=False, gone="over" if is_over else "undone", number=number)
    return render(stale_page(gone, draft, _sent(call), call.words), OVERTAKEN)


def expired(call: Call, occasion: Occasion, draft: Mapping[str, str]) -> Response:
    """The page again, with a token that holds, and all that was typed; nothing of that was kept."""
    call.form.renew()
    errors = tuple(FieldError(None, error.text) for error in form_errors(call.form))
    telling = _tell(call, occasion, draft, final=False)
    page = count_page(occasion, draft, telling, _sent(call, errors), call.words)
    return render(replace(page, kept=""), 400)


def sent_before(call: Call, occasion: Occasion, draft: Mapping[str, str]) -> Response:
    """The page again with all that was typed: its name had served for something else."""
    call.form.reject(call.words.text("serve.sent-before"))
    return expired(call, occasion, draft)


def _tell(call: Call, occasion: Occasion, draft: Mapping[str, str], *, final: bool) -> Telling:
    count = call.read(draft, occasion.state)
    return tell(occasion, count, call.look(count, occasion), draft, call.words, final=final)


def _note_notes(call: Call, *, wanted: bool) -> Iterator[Note]:
    """What is wrong with the note of a correction."""
    if len(call.form.reason) > names.LONGEST_NOTE:
        yield Note(call.words.text("count.error.long", limit=names.LONGEST_NOTE), "", Tone.ERROR)
    elif wanted:
        yield Note(call.words.text("count.error.note-wanted"), "", Tone.ERROR)


def overtaken(call: Call, stale: Stale, number: int, draft: Mapping[str, str]) -> AnyResponse:
    """Both values side by side, or on to the match where a hand that was saved meanwhile is the very same.

    `number` is the hand that the page showed.
    """
    call.form.renew()
    state = stale.state
    if not 1 <= number <= len(state.hands):
        occasion = call.open_occasion()
        gone = "back" if number > occasion.number else ""
        there = Overtaken(occasion, was_counted=False, gone=gone, number=occasion.number)
        return render(stale_page(there, draft, _sent(call), call.words), OVERTAKEN)
    occasion = past_occasion(state, state.hands[number - 1], contests=call.form.is_contest)
    if _is_the_same(call, occasion, draft):
        notice(call.words.text("count.stale.same", number=occasion.told_number))
        return to_match(call)
    there = Overtaken(occasion, was_counted=len(state.hands[number - 1].versions) == 1)
    return render(stale_page(there, draft, _sent(call), call.words), OVERTAKEN)


def _is_the_same(call: Call, occasion: Occasion, draft: Mapping[str, str]) -> bool:
    rules, language = occasion.rules, call.words.language
    return what_counts(draft, rules, language) == what_counts(occasion.draft, rules, language)


def _sent(call: Call, errors: tuple[FieldError, ...] = (), note_notes: tuple[Note, ...] = ()) -> Sent:
    return Sent(call.form.request_id.data, call.form.reason, errors, note_notes, call.form.was_refused)

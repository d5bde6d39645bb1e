"""One request about a count: what it asks for, what the rules say of it, and the page that answers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorepad.contract import Unusable
from scorepad.i18n import Words
from scorepad.pad.errors import NotAllowed
from scorepad.pad.values import DeviceId, MatchId, MatchState, OpenHand, Stale
from scorepad.rules.judge import Judgement
from scorepad.web.count import names
from scorepad.web.count.forms import CountForm
from scorepad.web.count.occasions import Occasion, open_occasion, past_occasion
from scorepad.web.count.pages import Sent, count_page
from scorepad.web.count.reading import Count, read_draft
from scorepad.web.count.stale import Overtaken, stale_page
from scorepad.web.count.steps import Done, take_step
from scorepad.web.count.telling import Looked, tell
from scorepad.web.count.values import CountPage, Tone
from scorepad.web.forms import form_errors
from scorepad.web.frame import FieldError, device_id, page_words, render, the_pad

WRONG = 422
"""The status of a page that shows a form again because of what is in it."""
OVERTAKEN = 409
SAVE = "save"


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
        return take_step(self.form.do.data or "", self.draft, self.words.language)

    def state(self) -> MatchState:
        """The match as it stands."""
        return the_pad().state(self.match, self.device)

    def open_occasion(self) -> Occasion:
        """The open hand. Raises MatchOver."""
        open_hand = the_pad().open(self.match, self.device)
        return open_occasion(self.state(), open_hand)

    def occasion_of(self, open_hand: OpenHand) -> Occasion:
        """The open hand as it was just kept."""
        return open_occasion(self.state(), open_hand)

    def past_occasion(self, number: int) -> Occasion:
        """A past hand; no such hand is a page that does not exist. Raises NotAllowed."""
        state = self.state()
        if not state.access.can_write:
            raise NotAllowed(self.match)
        if not 1 <= number <= len(state.hands):
            abort(404)
        return past_occasion(state, state.hands[number - 1])

    def read(self, draft: Mapping[str, str], state: MatchState) -> Count:
        """What a draft says."""
        return read_draft(draft, state.rules, self.words.language)

    def look(self, count: Count, number: int | None = None) -> Looked:
        """What the rules say of as much as can be read."""
        try:
            return Looked(the_pad().preview(self.match, self.device, count.hand, number))
        except Unusable as trouble:
            return Looked(None, trouble)


def new_call(match: str) -> Call:
    """The request being answered."""
    return Call(MatchId(match), device_id(), CountForm(), page_words())


def to_match(call: Call) -> AnyResponse:
    """On to the match."""
    return redirect(url_for("matches.page", match=call.match), code=303)


def live_page(call: Call, occasion: Occasion, draft: Mapping[str, str]) -> CountPage:
    """The page while the hand is being typed: what is missing is no error yet."""
    count = call.read(draft, occasion.state)
    looked = call.look(count, occasion.number if occasion.past else None)
    telling = tell(occasion, count, looked, draft, call.words, final=False)
    return count_page(occasion, draft, telling, _sent(call), call.words)


def refused(call: Call, occasion: Occasion, draft: Mapping[str, str], judgement: Judgement | None = None) -> Response:
    """The page with everything that keeps the hand from being saved."""
    call.form.renew()
    count = call.read(draft, occasion.state)
    looked = Looked(judgement) if judgement else call.look(count, occasion.number if occasion.past else None)
    telling = tell(occasion, count, looked, draft, call.words, final=True)
    sent = _sent(call, telling.of_tone(Tone.ERROR))
    return render(count_page(occasion, draft, telling, sent, call.words), WRONG)


def expired(call: Call, occasion: Occasion, draft: Mapping[str, str]) -> Response:
    """The page again, with a token that holds, and all that was typed."""
    call.form.renew()
    count = call.read(draft, occasion.state)
    looked = call.look(count, occasion.number if occasion.past else None)
    telling = tell(occasion, count, looked, draft, call.words, final=False)
    errors = tuple(FieldError(None, error.text) for error in form_errors(call.form))
    return render(count_page(occasion, draft, telling, _sent(call, errors), call.words), 400)


def overtaken(call: Call, stale: Stale, number: int, draft: Mapping[str, str]) -> Response:
    """Both values side by side. `number` is the hand that the page showed."""
    call.form.renew()
    state = stale.state
    if 1 <= number <= len(state.hands):
        occasion = past_occasion(state, state.hands[number - 1])
        there = Overtaken(occasion, was_counted=len(occasion.past.versions) == 1 if occasion.past else False)
    else:
        there = Overtaken(call.open_occasion(), was_counted=False)
    return render(stale_page(there, draft, _sent(call), call.words), OVERTAKEN)


def _sent(call: Call, errors: tuple[FieldError, ...] = ()) -> Sent:
    return Sent(call.form.request_id.data, call.form.reason, errors)

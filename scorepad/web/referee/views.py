"""The pages of the referee: the questions, the steps of one, the answer; alone or in a match."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import urlencode

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.matches.access import MatchId
from scorepad.matches.projection import MatchState
from scorepad.referee.irregularities import irregularities
from scorepad.rules.variants import Ruleset
from scorepad.schemas import Unusable
from scorepad.web.course.calls import WRONG
from scorepad.web.frame import FieldError, Page, device_id, page_words, render, the_pad
from scorepad.web.live.moving import END, NAMES, RULES, SEEN, watch_form
from scorepad.web.referee.answering import answer
from scorepad.web.referee.answers_shown import answer_page, fault_name, faults_told
from scorepad.web.referee.asking import ANSWER, DO, STEP, Asking, firsts, typed_in
from scorepad.web.referee.choosing import picked, playing, playing_match, rules_page
from scorepad.web.referee.keeping_form import KeepForm, keeping_of
from scorepad.web.referee.pages import AnswerPage, FaultsPage, Playing, StartPage, Tile
from scorepad.web.referee.placing import red_three_in_the_pile
from scorepad.web.referee.questions import BY_NAME, PENALTY, QUESTIONS, Question, Step
from scorepad.web.referee.reading import errors_of, question_of
from scorepad.web.referee.situation import Situation
from scorepad.web.referee.steps_shown import step_page

CASE = "caso"
"""What the address calls the code of what went wrong."""
_MATTERS = END | NAMES | RULES
"""What happens to a match that a question in it was filled in with."""
_Page = TypeVar("_Page", bound=Page)


@dataclass(frozen=True, slots=True)
class Room:
    """Where questions are asked: the rules, the match where there is one, and the addresses that keep to them."""

    rules: Ruleset
    playing: Playing
    match: MatchState | None
    address: dict[str, Any]

    @property
    def start(self) -> str:
        """Where the questions are."""
        if self.match is not None:
            return url_for("referee.start_in_match", match=self.match.id)
        return url_for("referee.start", **self.address)

    def url(self, question: Question) -> str:
        """Where a question begins."""
        return self.url_with(question)

    def url_with(self, question: Question, **more: Any) -> str:
        """The address of a question with more in it."""
        if self.match is not None:
            return url_for("referee.ask_in_match", match=self.match.id, question=question.name, **more)
        return url_for("referee.ask", question=question.name, **self.address, **more)

    @property
    def fault_urls(self) -> dict[str, str]:
        """Where the answer to everything that goes wrong stands."""
        return {each.code: self.url_with(PENALTY, **{CASE: each.code}) for each in irregularities(self.rules)}


def room_of(match: str | None, words: Words) -> Room:
    """Where a request asks. Raises MatchNotFound."""
    if match is not None:
        state = the_pad().state(MatchId(match), device_id())
        return Room(state.rules, playing_match(state, words), state, {})
    picks = picked(request.args, words)
    return Room(picks.rules, playing(picks, words), None, picks.address)


def following(page: _Page, room: Room, words: Words) -> _Page:
    """The page, saying what happened since to the match that it was filled in from, where it belongs to one."""
    if room.match is None:
        return page
    # Where it can not be fetched again as it is, the questions are: only what happened is taken from there.
    if page.errors or request.method == "POST":
        return replace(page, watch=watch_form(room.match, "referee.start_in_match", _MATTERS, words))
    given = {name: value for name, value in (request.view_args or {}).items() if name != "match"}
    found = watch_form(room.match, str(request.endpoint), _MATTERS, words, **given)
    asked = urlencode([(name, value) for name, value in request.args.items() if name != SEEN])
    return replace(page, watch=replace(found, page=f"{found.page}&{asked}" if asked else found.page))


def start(match: str | None = None) -> Response:
    """The questions."""
    words = page_words()
    room = room_of(match, words)
    state = room.match
    kept = url_for("referee.kept", match=state.id) if state is not None and state.rulings else ""
    faults = irregularities(room.rules)
    page = StartPage(
        title=words.text("referee.title"),
        errors=() if state is not None else picked(request.args, words).chosen.errors,
        back=url_for("matches.page", match=state.id) if state is not None else "",
        playing=room.playing,
        tiles=tuple(Tile(words.text(f"referee.ask.{each.kind}"), room.url(each)) for each in QUESTIONS),
        faults=tuple(Tile(fault_name(each, words), room.fault_urls[each.code]) for each in faults),
        unasked=red_three_in_the_pile(room.rules, words),
        kept=kept,
    )
    return render(following(page, room, words))


def rules() -> Response:
    """The game and its options."""
    words = page_words()
    page = rules_page(picked(request.args, words), words)
    return render(page, WRONG if page.errors else 200)


def ask(question: str, match: str | None = None) -> Response:
    """A step of a question, or its answer."""
    words = page_words()
    room = room_of(match, words)
    if question not in BY_NAME:
        abort(404)
    asked = BY_NAME[question]
    if asked is PENALTY:
        return _fault(room, words) if CASE in request.args else render(_faults_page(room, words))
    return _step(asking_of(asked, room, words), room)


def asking_of(question: Question, room: Room, words: Words, args: dict[str, str] | None = None) -> Asking:
    """A question as an address asks it."""
    situation = Situation(room.rules, {}, words, room.match, room.address, firsts(question))
    typed = typed_in(request.args if args is None else args, question, situation)
    return Asking(question, Situation(room.rules, typed, words, room.match, room.address, firsts(question)))


def _step(asking: Asking, room: Room) -> Response:
    """What the address asks for: to tap a card, to go on, to be answered, or to be shown a step."""
    name, button = request.args.get(STEP, ""), request.args.get(DO, "")
    tapped = asking.tapped(button)
    if tapped is not None:
        now, place = tapped
        return redirect(now.url(name, place), code=303)
    if name == ANSWER:
        return answer_to(asking, room)
    step = asking.step(name)
    assert step is not None
    if button != "next":
        return _show(asking, step, room)
    errors = errors_of(step, asking.situation)
    return _show(asking, step, room, errors) if errors else redirect(asking.url(asking.after(step)), code=303)


def _show(asking: Asking, step: Step, room: Room, errors: tuple[FieldError, ...] = ()) -> Response:
    page = step_page(asking, step, room.playing, room.start, errors)
    return render(following(page, room, asking.situation.words), WRONG if errors else 200)


def answer_to(asking: Asking, room: Room, form: KeepForm | None = None, status: int = 200) -> Response:
    """The answer; where the question is not whole, the first step that lacks something, and what."""
    for step in asking.steps:
        errors = errors_of(step, asking.situation)
        if errors:
            return _show(asking, step, room, errors)
    try:
        page = _page(asking, question_of(asking), room, form)
        return render(following(page, room, asking.situation.words), status)
    except Unusable:
        step = asking.steps[-1]
        return _show(asking, step, room, (FieldError(None, asking.situation.words.text("referee.error.unusable")),))


def _page(asking: Asking, raw: dict[str, object], room: Room, form: KeepForm | None) -> AnswerPage:
    answered = answer(raw, room.rules)
    keeping = keeping_of(asking, answered, form) if room.match is not None else None
    return answer_page(asking, answered, room.playing, room.start, room.fault_urls, keeping)


def _fault(room: Room, words: Words) -> Response:
    """What follows from something that went wrong."""
    return fault_answer(room, request.args[CASE].strip(), words)


def fault_answer(room: Room, code: str, words: Words, form: KeepForm | None = None, status: int = 200) -> Response:
    """The answer about what went wrong; of what the game does not know, that there is no such page."""
    if code not in room.fault_urls:
        abort(404)
    asking = Asking(PENALTY, Situation(room.rules, {CASE: code}, words, room.match, room.address))
    return render(following(_page(asking, {"kind": PENALTY.kind, "code": code}, room, form), room, words), status)


def _faults_page(room: Room, words: Words) -> FaultsPage:
    page = FaultsPage(
        title=words.text(f"referee.ask.{PENALTY.kind}"),
        playing=room.playing,
        start=room.start,
        faults=tuple(faults_told(irregularities(room.rules), room.fault_urls, words)),
        none="" if irregularities(room.rules) else words.text("referee.faults.none"),
    )
    return following(page, room, words)

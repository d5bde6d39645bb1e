"""Rulings kept with a match: one more, one less, and all of them on a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import abort, redirect, url_for
from werkzeug.wrappers import Response
from wtforms import ValidationError

from scorepad.contract import Unusable
from scorepad.i18n import Words
from scorepad.pad.answers import Saved
from scorepad.pad.course import Noted
from scorepad.pad.errors import MatchOver, RequestRefused
from scorepad.pad.kept_rulings import KeptRuling
from scorepad.pad.refereeing import Asking as Kept
from scorepad.pad.refereeing import penalty_points
from scorepad.pad.ruling_words import told_ruling
from scorepad.pad.values import MatchState
from scorepad.pad.who import MatchId
from scorepad.web.citing import places
from scorepad.web.course.calls import OVERTAKEN, WRONG, is_over, to_match
from scorepad.web.course.penalties import unread, with_penalty
from scorepad.web.forms import form_errors
from scorepad.web.frame import device_id, language, notice, page_words, render, the_pad
from scorepad.web.labels import moment
from scorepad.web.live.watching import watch
from scorepad.web.referee.answering import answer
from scorepad.web.referee.asking import Asking
from scorepad.web.referee.facts import Fact
from scorepad.web.referee.keeping_form import KeepForm, TakeBackForm
from scorepad.web.referee.others_shown import Here
from scorepad.web.referee.pages import KeptPage, KeptRow, Why
from scorepad.web.referee.questions import BY_NAME, PENALTY
from scorepad.web.referee.reading import errors_of, question_of
from scorepad.web.referee.situation import Situation
from scorepad.web.referee.views import CASE, Room, answer_to, asking_of, fault_answer, room_of


def keep(match: str, question: str) -> Response:
    """Keep a ruling: what becomes of the form beside an answer."""
    words, form = page_words(), KeepForm()
    room = room_of(match, words)
    if question not in BY_NAME:
        abort(404)
    asking = _asking(question, room, form, words)
    if not form.validate() or any(errors_of(step, asking.situation) for step in asking.steps):
        return _again(asking, room, form, WRONG)
    status = WRONG
    try:
        return _kept(asking, room, form)
    except MatchOver:
        return is_over(match)
    except ValidationError as trouble:
        form.tell(form.whose, str(trouble))
    except RequestRefused:
        form.was_sent(words.text("serve.sent-before"))
        status = OVERTAKEN
    except Unusable:
        pass  # the answer itself says so
    return _again(asking, room, form, status)


def _asking(question: str, room: Room, form: KeepForm, words: Words) -> Asking:
    args = form.args()
    if BY_NAME[question] is PENALTY:
        return Asking(PENALTY, Situation(room.rules, {CASE: args.get(CASE, "")}, words, room.match))
    return asking_of(BY_NAME[question], room, words, args)


def _again(asking: Asking, room: Room, form: KeepForm, status: int) -> Response:
    """The answer once more, with what is wrong with the form below it."""
    if asking.question is PENALTY:
        return fault_answer(room, asking.situation.typed[CASE], asking.situation.words, form, status)
    return answer_to(asking, room, form, status)


def _kept(asking: Asking, room: Room, form: KeepForm) -> Response:
    """Keep it, with its penalty where one is taken. Raises ValidationError, Unusable, MatchOver, RequestRefused."""
    state, words = room.match, asking.situation.words
    assert state is not None
    raw = _raw(asking)
    points = penalty_points(answer(raw, room.rules).ruling)
    side = asking.situation.side
    if points:
        form.check_whose(len(state.sides))
        side = form.side
    write = _writer(state, side, str(raw["code"])) if points and side is not None else None
    kept = Kept(raw, form.rules.data or "", form.hand.data or "", side)
    told = the_pad().referee.keep(form.request_name, state.id, device_id(), kept, write)
    if isinstance(told, Saved):
        if not told.again:
            notice(_done(state, side, points, words))
        return to_match(state.id)
    if told.state.standing.finished:
        return is_over(state.id)
    form.was_sent(words.text("referee.keep.stale", number=told.state.coming))
    form.hand.data, form.rules.data = the_pad().open(state.id, device_id()).id, told.state.rules.digest
    now = room_of(state.id, words)
    return _again(_asking(asking.question.name, now, form, words), now, form, OVERTAKEN)


def _raw(asking: Asking) -> dict[str, object]:
    if asking.question is PENALTY:
        return {"kind": PENALTY.kind, "code": asking.situation.typed[CASE]}
    return question_of(asking)


def _writer(state: MatchState, side: int, code: str) -> Callable[[Mapping[str, str]], Mapping[str, str]]:
    """Puts the penalty among the fields of the open hand. Raises ValidationError where what stands there is none."""
    tongue, words = language(), page_words()
    text = unread(state.open_hand.draft if state.open_hand else {}, side, code, tongue)
    if text:
        raise ValidationError(words.text("course.penalty.unread", text=text))
    noted = Noted(side, code)
    return lambda draft: with_penalty(draft, noted, tongue)


def _done(state: MatchState, side: int | None, points: int, words: Words) -> str:
    if points and side is not None:
        return words.text("referee.keep.done.penalty", side=state.sides[side].name, points=words.signed(-points))
    return words.text("referee.keep.done", number=state.coming)


# ---------------------------------------------------------------------------------------------------- those kept


def show(match: str, refused: TakeBackForm | None = None) -> Response:
    """All rulings kept with a match; above them what is wrong with a form that was refused."""
    state, words = the_pad().state(MatchId(match), device_id()), page_words()
    page = KeptPage(
        title=words.text("referee.kept.title"),
        errors=form_errors(refused) if refused else (),
        back=url_for("matches.page", match=match),
        start=url_for("referee.start_in_match", match=match),
        form=TakeBackForm(formdata=None),
        rows=tuple(_row(each, state, words) for each in reversed(state.rulings)),
        watch=watch(state, url_for("referee.kept", match=match), words),
    )
    return render(page, WRONG if refused else 200)


def _row(kept: KeptRuling, state: MatchState, words: Words) -> KeptRow:
    told = told_ruling(kept, state.rules.variant, words)
    side = () if kept.side is None else (Fact(words.text("referee.who"), (state.sides[kept.side].name,)),)
    return KeptRow(
        anchor=f"decisione-{kept.entry}",
        title=words.text("web.hand.title", number=state.called(kept.number)),
        ruling=told.head,
        why=tuple(Why(reason.text, places(reason.sources, words), "") for reason in told.reasons),
        facts=(*side, *(Fact(label, (text,)) for label, text in told.case)),
        penalty=penalty_told(kept, state, words),
        others=tuple(
            Here(state.rules, kept.kind, kept.verdict, kept.answer["details"]).others(kept.others(state.rules), words)
        ),
        when=moment(kept.at, words),
        take_back=url_for("referee.take_back", match=state.id, entry=kept.entry) if state.access.can_write else "",
    )


def _here(kept: KeptRuling, state: MatchState) -> Here:
    return Here(state.rules, kept.kind, kept.verdict, kept.answer["details"])


def penalty_told(kept: KeptRuling, state: MatchState, words: Words) -> str:
    """The penalty that went with it: whose, and how many points; empty where none did."""
    if kept.penalty is None or kept.side is None:
        return ""
    points = words.signed(-kept.penalty.points)
    return words.text("referee.kept.penalty", side=state.sides[kept.side].name, points=points)


def take_back(match: str, entry: int) -> Response:
    """Take a kept ruling back."""
    form, words = TakeBackForm(), page_words()
    state = the_pad().state(MatchId(match), device_id())
    kept = next((each for each in state.rulings if each.entry == entry), None)
    if not form.validate():
        return show(match, form)
    try:
        told = the_pad().referee.take_back(form.request_name, state.id, device_id(), entry)
    except RequestRefused:
        notice(words.text("serve.sent-before"))
        return _to_kept(match)
    if isinstance(told, Saved) and kept is not None:
        is_counted = kept.penalty is not None and kept.number <= len(state.hands)
        key = "referee.taken-back.counted" if is_counted else "referee.taken-back"
        notice(words.text(key, number=state.called(kept.number)))
    return _to_kept(match)


def _to_kept(match: str) -> Response:
    return redirect(url_for("referee.kept", match=match), code=303)

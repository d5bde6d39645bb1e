"""What can be done to a match besides counting: undo, names, penalties, remarks, rules, ends, rematch, deletion."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.matches.access import Access, HandsCounted, MatchId, MatchNotFound, NotOwner, RequestRefused
from scorepad.matches.events import EVENTS, Event, LogEntry, NewHand
from scorepad.matches.names import NamesRefused, tidy
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import NoteWanted, Saved, Stale
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.sheets.result import ending_to_come
from scorepad.web import presenters
from scorepad.web.base import (
    FieldError,
    app_state,
    device_id,
    get_pad,
    language,
    load_match,
    match_is_over,
    notice,
    page_words,
    refused,
    render_page,
    t,
    to_match,
    trouble,
)
from scorepad.web.forms import (
    CONFLICT,
    INVALID,
    PadForm,
    checks_itself,
    form_errors,
    has_inputs,
    one_line,
    respond,
)
from scorepad.web.hand_fields import add_penalty, noted_penalties
from scorepad.web.matches.forms import (
    DeleteForm,
    EndForm,
    PenaltyForm,
    RemarkForm,
    UndoForm,
    replace_form,
    totals_words,
)
from scorepad.web.matches.page import deed_text, match_facts, rules_facts, show_match
from scorepad.web.matches.setup_forms import ChangeRulesForm, NamesForm, change_rules_form, names_form
from scorepad.web.presenters import hand_anchor, is_refetch, side_names, versus, watch, watch_form
from scorepad.web.security import limit_matches, set_key_cookies

blueprint = Blueprint("actions", __name__, url_prefix="/partite/<match>")
BOTH = ["GET", "POST"]
LENGTHS: dict[str, Literal[3, 5]] = {"3": 3, "5": 5}
"""The matches of a series, as its buttons send them."""


def show_form(template: str, state: MatchState, form: PadForm, status: int = 200, **values: Any) -> Response:
    """The page of an action, with its form."""
    return render_page(
        template, status=status, match=state, form=form, errors=form_errors(form), has_form=has_inputs(form), **values
    )


# ---------------------------------------------------------------- undo


@blueprint.route("/annulla", methods=BOTH)
@checks_itself
def undo(match: str) -> Response:
    """Undo the last entry of the log; a page asks for a note where the other side had confirmed it."""
    state, form = load_match(match), UndoForm()
    if request.method == "GET":
        return _ask_for_note(state)
    if not form.validate():
        return _undo_again(state, form_errors(form), INVALID if form.note.errors else 400)
    try:
        result = get_pad().undo(form.request_name, state.id, device_id(), form.seen.data, form.note.data or "")
    except RequestRefused:
        return _undo_overtaken(state)
    if isinstance(result, NoteWanted):
        return _ask_for_note(state, (FieldError("note", t("checking.note-wanted")),), INVALID)
    if isinstance(result, Stale):
        return _undo_overtaken(result.state)
    if state.undoable is not None and not result.again:
        if isinstance(state.undoable.event, NewHand):
            number = state.called(state.undoable.event.hand_number or 0)
            notice(t(f"actions.undone.hand{'-typed' if result.keeps_typed else ''}", number=number))
        else:
            notice(t("actions.undone", deed=deed_text(state, state.undoable)))
    return to_match(match)


def _undo_overtaken(state: MatchState) -> Response:
    key = "actions.undo.stale-asked" if _has_note_page(state) else "actions.undo.stale"
    return _undo_again(state, (FieldError(None, t(key)),), CONFLICT)


def _undo_again(state: MatchState, errors: tuple[FieldError, ...], status: int) -> Response:
    """The page from which it was sent: the one with the note, or the match."""
    return _ask_for_note(state, errors, status) if _has_note_page(state) else show_match(state, errors, status)


def _has_note_page(state: MatchState) -> bool:
    """Whether the form was sent from the page with the note, and there is still something to undo."""
    return "note" in request.form and state.undoable is not None and state.access.can_write


def _ask_for_note(state: MatchState, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    last: LogEntry[Event] | None = state.undoable if state.access.can_write else None
    if last is None and not is_refetch():
        return to_match(state.id)
    form = UndoForm(formdata=None, seen=state.sequence, note=request.form.get("note", ""))
    form.note.errors = tuple(error.text for error in errors if error.field == "note")
    return render_page(
        "matches/undo.html",
        title=t("actions.undo", deed=deed_text(state, last)) if last else t("actions.undo.nothing"),
        status=status,
        errors=errors,
        watch=watch_form(state, "actions.undo", EVENTS),
        has_form=True,
        match=state,
        form=form,
        was_confirmed=last is not None and last.event.guarded,
    )


@blueprint.post("/rifai")
@checks_itself
def redo(match: str) -> Response:
    """Do again what was undone last."""
    state, form = load_match(match), UndoForm()

    def saved(result: Saved) -> Response:
        if state.redoable is not None and not result.again:
            notice(t("actions.redone", deed=deed_text(state, state.redoable)))
        return to_match(match)

    return respond(
        form,
        lambda: get_pad().redo(form.request_name, state.id, device_id(), form.seen.data),
        show=lambda status: show_match(state, form_errors(form), status),
        saved=saved,
        stale=lambda now: show_match(now, (FieldError(None, t("actions.redo.stale")),), CONFLICT),
        invalid=400,
    )


# ---------------------------------------------------------------- names


@blueprint.route("/nomi", methods=BOTH)
@checks_itself
def names(match: str) -> Response:
    """Change the names of sides and players, and the place."""
    state = load_match(match)
    form = names_form(state.rules.settings.sides)
    if request.method == "GET":
        form.fill_from(state)
        return _show_names(state, form)
    if not form.validate():
        return _show_names(state, form, INVALID)
    typed = (form.names, form.players, form.place.data, form.seen_sequence)
    try:
        result = get_pad().actions.rename(form.request_name, state.id, device_id(), *typed)
    except RequestRefused:
        form.reject(t("serve.sent-before"))
        return _show_names(state, form, CONFLICT)
    match result:
        case Saved():
            return to_match(state.id)
        case NamesRefused():
            assert result.labels is not None, "a rename has names"
            form.fill(result.labels)
            form.seen.data = str(result.sequence)
            form.renew()
            form.refuse(result.problems)
            return _show_names(state, form, CONFLICT if result.is_overtaken else INVALID)
        case Stale():
            form.reject(t("serve.named-before", names=versus(side_names(result.state), page_words())))
            form.seen.data = str(result.state.sequence)
            return _show_names(state, form, CONFLICT)


def _show_names(state: MatchState, form: NamesForm, status: int = 200) -> Response:
    watched = watch_form(state, "actions.names", presenters.NAMES)
    return show_form("matches/names.html", state, form, status, title=t("web.names.title"), watch=watched)


# ---------------------------------------------------------------- penalties


@blueprint.route("/penalita", methods=BOTH)
@checks_itself
def penalty(match: str) -> Response:
    """Note a penalty in the hand that is being played."""
    state = load_match(match)
    if request.method == "GET" and state.standing.finished and not is_refetch():
        return match_is_over(match)
    form = PenaltyForm(state)
    if request.method == "GET" or not state.rules.penalties:
        # The referee links here with a penalty that it cannot note itself.
        case = request.args.get("caso", "")
        hand = "" if state.standing.finished else _open_hand(state)
        form = PenaltyForm(state, formdata=None, hand=hand, code=case if case in state.rules.penalties else None)
        return _show_penalty(form, state, 200 if request.method == "GET" else INVALID)

    def saved(result: Saved) -> Response:
        if not result.again:
            noted = form.noted
            points = state.rules.penalties[noted.code].points if noted.points is None else noted.points
            signed = page_words().signed(-(points or 0))
            notice(t("course.penalty.done", side=state.sides[noted.side].name, points=signed))
        return to_match(match)

    def stale(now: MatchState) -> Response:
        if now.standing.finished:
            return match_is_over(match)
        coming = _open_hand(now)
        is_same = coming == form.hand.data
        form.reject(t("serve.sent-before") if is_same else t("course.penalty.stale", number=now.coming))
        form.hand.data = coming
        return _show_penalty(form, now, CONFLICT)

    def act() -> Saved | Stale:
        hand, noted = form.hand.data or "", form.noted
        write = add_penalty(noted, language())
        return get_pad().actions.note_penalty(form.request_name, state.id, device_id(), hand, noted, write)

    return respond(form, act, show=partial(_show_penalty, form, state), saved=saved, stale=stale)


def _open_hand(state: MatchState) -> str:
    return get_pad().open(state.id, device_id()).id


def _show_penalty(form: PenaltyForm, state: MatchState, status: int = 200) -> Response:
    return show_form(
        "matches/penalty.html",
        state,
        form,
        status,
        title=t("course.penalty.title"),
        watch=watch_form(state, "actions.penalty", presenters.PENALTIES),
        noted=tuple(noted_penalties(state, page_words())),
    )


# ---------------------------------------------------------------- remarks


@blueprint.route("/smazzate/<int:number>/annotazione", methods=BOTH)
@checks_itself
def remark(match: str, number: int) -> Response:
    """Write, change or remove the remark on a counted hand."""
    state = load_match(match)
    stands = _remark(state, number)
    if request.method == "GET":
        if not 1 <= number <= len(state.hands) and not is_refetch():
            abort(404)
        return _show_remark(RemarkForm(seen=stands, text=stands), state, number)
    form = RemarkForm()
    # A browser may send other line breaks than those of the remark.
    seen = stands if one_line(form.seen.data or "") == one_line(stands) else form.seen.data or ""

    def act() -> Saved | Stale:
        text = one_line(form.text.data or "")
        return get_pad().actions.remark(form.request_name, state.id, device_id(), number, seen, text)

    def stale(now: MatchState) -> Response:
        if number > len(now.hands):
            notice(t("course.remark.gone", number=now.called(number)))
            return to_match(match)
        current = _remark(now, number)
        form.reject(t("course.remark.stale", text=current) if current else t("course.remark.stale-empty"))
        form.seen.data = current
        return _show_remark(form, now, number, CONFLICT)

    return respond(
        form,
        act,
        show=partial(_show_remark, form, state, number),
        saved=lambda _: to_match(match, hand_anchor(number)),
        stale=stale,
    )


def _remark(state: MatchState, number: int) -> str:
    return state.hands[number - 1].remark if 1 <= number <= len(state.hands) else ""


def _show_remark(form: RemarkForm, state: MatchState, number: int, status: int = 200) -> Response:
    title = t("course.remark.title", number=state.called(number))
    watched = watch_form(state, "actions.remark", presenters.REMARKS, number=number)
    return show_form("matches/remark.html", state, form, status, title=title, watch=watched)


# ---------------------------------------------------------------- replacing a player


@blueprint.route("/giocatore", methods=BOTH)
@checks_itself
def replace(match: str) -> Response:
    """Replace a player from the coming hand on."""
    state = load_match(match)
    if state.standing.finished and not is_refetch():
        return match_is_over(match)
    form = replace_form(state)

    def show(status: int, now: MatchState = state) -> Response:
        watched = watch_form(now, "actions.replace", presenters.NAMES)
        return show_form("matches/replace.html", now, form, status, title=t("course.replace.title"), watch=watched)

    if request.method == "GET":
        form.fill(state)
        return show(200)

    def saved(result: Saved) -> Response:
        if not result.again:
            number, name = state.coming, tidy(form.name.data or "")
            if form.was:
                notice(t("course.replace.done", number=number, name=name, was=form.was))
            else:
                notice(t("course.replace.seated", number=number, name=name))
        return to_match(match)

    def stale(now: MatchState) -> Response:
        form.reject(t("course.replace.stale"))
        form.fill(now)
        return show(CONFLICT, now)

    def act() -> Any:
        name = form.name.data or ""
        return get_pad().actions.replace(form.request_name, state.id, device_id(), form.chosen, form.was, name)

    return respond(form, act, show=show, saved=saved, stale=stale)


# ---------------------------------------------------------------- rules


@blueprint.route("/regole", methods=BOTH)
@checks_itself
def rules(match: str) -> Response:
    """Change the rules and the target before the first hand; show them after it."""
    state = load_match(match)
    if state.rules.variant not in variant_ids() or (request.method == "GET" and not state.access.can_write):
        return _show_frozen(state, 200 if request.method == "GET" else CONFLICT)
    form = change_rules_form(get_variant(state.rules.variant), state)
    if request.method == "GET":
        if state.hands:
            return _show_frozen(state)
        form.fill(state.rules)
        return _show_rules(form, state)

    def act() -> Any:
        wanted = (form.preset.data or None, form.wanted, form.seen.data or "")
        return get_pad().actions.change_rules(form.request_name, state.id, device_id(), *wanted)

    def show(status: int) -> Response:
        if state.hands and status == INVALID:
            return _show_frozen(state, status, form_errors(form))
        return _show_rules(form, state, status)

    def saved(result: Saved) -> Response:
        if not result.again:
            notice(t("course.rules.done"))
        return to_match(match)

    def stale(now: MatchState) -> Response:
        if now.hands:
            return _show_frozen(now, CONFLICT)
        form.reject(t("course.rules.stale"))
        form.seen.data = now.rules.digest
        return _show_rules(form, now, CONFLICT, is_stale=True)

    try:
        return respond(form, act, show=show, saved=saved, stale=stale)
    except HandsCounted:
        return _show_frozen(load_match(match), CONFLICT, (FieldError(None, t("course.rules.late")),))


def _show_rules(form: ChangeRulesForm, state: MatchState, status: int = 200, *, is_stale: bool = False) -> Response:
    return show_form(
        "matches/rules.html",
        state,
        form,
        status,
        title=t("course.rules.title"),
        watch=watch_form(state, "actions.rules", presenters.RULES),
        now=tuple(rules_facts(state, page_words())) if is_stale else (),
    )


def _show_frozen(state: MatchState, status: int = 200, errors: tuple[FieldError, ...] = ()) -> Response:
    return render_page(
        "matches/frozen.html",
        title=t("course.rules.title"),
        status=status,
        errors=errors,
        watch=watch_form(state, "actions.rules", presenters.RULES),
        match=state,
        is_gone=state.rules.variant not in variant_ids(),
        facts=tuple(rules_facts(state, page_words())),
    )


# ---------------------------------------------------------------- ends, rematch, deletion


@blueprint.route("/fine", methods=BOTH)
@checks_itself
def end(match: str) -> Response:
    """End the match otherwise than by its rules."""
    state = load_match(match)
    if request.method == "GET":
        if state.standing.finished and not is_refetch():
            return match_is_over(match)
        return _show_end(EndForm(state, seen=len(state.hands)), state)
    form = EndForm(state)

    def act() -> Saved | Stale:
        return get_pad().actions.end(form.request_name, state.id, device_id(), form.seen.data, form.ending)

    def stale(now: MatchState) -> Response:
        if now.standing.finished:
            return match_is_over(match)
        is_as_seen = form.seen.data == len(now.hands)
        form.reject(t("serve.sent-before" if is_as_seen else "course.end.stale"))
        form.seen.data = len(now.hands)
        form.show(now)
        return _show_end(form, now, CONFLICT)

    return respond(form, act, show=partial(_show_end, form, state), saved=lambda _: to_match(match), stale=stale)


def _show_end(form: EndForm, state: MatchState, status: int = 200) -> Response:
    return show_form(
        "matches/end.html",
        state,
        form,
        status,
        title=t("course.end.title"),
        watch=watch_form(state, "actions.end", presenters.END),
        agreed=ending_to_come(state, page_words()),
        has_draft=state.open_hand is not None and any(text.strip() for text in state.open_hand.draft.values()),
    )


@blueprint.post("/rivincita")
@checks_itself
def rematch(match: str) -> Response:
    """Start the rematch with the next dealer, or go to the one that was started."""
    form = PadForm()
    if not form.validate():
        return trouble("expired", 400)
    best_of = LENGTHS.get(request.form.get("best_of", ""))
    limit_matches()
    try:
        result = get_pad().actions.rematch(form.request_name, MatchId(match), device_id(), best_of or 0)
    except RequestRefused:
        return trouble("sent-before", 400)
    if isinstance(result, Stale):
        notice(t("course.rematch.stale"))
        return to_match(match)
    response = to_match(result.match)
    if result.keys is not None:
        set_key_cookies(response, result.match, result.keys)
    return response


@blueprint.route("/cancella", methods=BOTH)
@checks_itself
def delete(match: str) -> Response:
    """Delete the match for good; only the device that owns it may."""
    state = load_match(match)
    if state.access is not Access.OWN:
        return _show_not_owner(state, 200 if request.method == "GET" else 403)
    form = DeleteForm()
    if request.method == "GET" or not form.validate():
        return _show_delete(state, form, 200 if request.method == "GET" else INVALID)
    # Stored before the deletion: the same form may be submitted again meanwhile.
    text = t("course.delete.done", names=versus(side_names(state), page_words()))
    app_state().deleted.put(_deletion(match, form), text)
    try:
        get_pad().actions.delete(state.id, device_id())
    except NotOwner:
        return _show_not_owner(state, 403)
    return _deleted(text)


@blueprint.errorhandler(MatchNotFound)
def no_match(_: MatchNotFound) -> Response:
    """404; to a deletion that is submitted again, the first response."""
    if request.method != "POST" or request.endpoint != "actions.delete":
        return refused("no-match", 404)
    text = app_state().deleted.get(_deletion((request.view_args or {})["match"], DeleteForm()))
    return trouble("gone", 404) if text is None else _deleted(text)


def _deletion(match: str, form: DeleteForm) -> tuple[str, ...]:
    return match, device_id(), form.request_name


def _deleted(text: str) -> Response:
    notice(text)
    return redirect(url_for("home.page"), code=303)


def _show_delete(state: MatchState, form: DeleteForm, status: int) -> Response:
    return show_form(
        "matches/delete.html",
        state,
        form,
        status,
        title=t("course.delete.title"),
        watch=watch(state, url_for("actions.delete", match=state.id)),
        names=versus(side_names(state), page_words()),
        totals=totals_words(state.sides),
        facts=match_facts(state, page_words().plural("web.hands", len(state.hands))),
    )


def _show_not_owner(state: MatchState, status: int) -> Response:
    phones = get_pad().devices.phones(state.id, device_id())
    return render_page(
        "matches/not_owner.html",
        title=t("course.delete.title"),
        status=status,
        watch=watch(state, url_for("actions.delete", match=state.id)),
        match=state,
        owner=next((phone.number for phone in phones if phone.access is Access.OWN), None),
    )

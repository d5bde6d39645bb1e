"""The page of a match with undo and redo, and the pages on which one side checks what another counted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from flask import Blueprint, abort, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import StringField

from scorepad.i18n import Words
from scorepad.i18n.findings import fact, message
from scorepad.i18n.settings import value_word
from scorepad.matches.access import SIDE_KEYS, OwnHand
from scorepad.matches.events import EVENTS, Event, LogEntry, NewHand
from scorepad.matches.projection import HandState, MatchState
from scorepad.matches.rulings import ruling_text
from scorepad.matches.transaction import LruCache, Saved, Stale
from scorepad.rules.score import Line
from scorepad.rules.table import HOUSE
from scorepad.rules.variants import own_variants
from scorepad.sheets.result import CountTable, ended_of, seat_out, single_and_pair, special_hands, table_of
from scorepad.web import base, forms, presenters
from scorepad.web.base import FieldError, app_state, device_id, get_pad, load_match, notice, render_page, t, to_match
from scorepad.web.forms import CONFLICT, HiddenNumber, PadForm, Sent, at_most, checks_itself, form_errors, lazy, respond
from scorepad.web.hand_fields import noted_sentence
from scorepad.web.presenters import broken_rules, chart_of, own_side_first, player, rules_url, side_names, versus, watch

blueprint = Blueprint("matches", __name__, url_prefix="/partite/<match>")
BOTH = ["GET", "POST"]
_of_rules: LruCache[Mapping[str, Any]] = LruCache()
"""Template values of the rules, by their digest."""


@blueprint.app_template_filter()
def longest_word(name: str) -> int:
    """The letters of the longest word of a name, from 7 to 14: how large it is shown follows them."""
    return min(max(7, *map(len, name.split()), 0), 14)


class UndoForm(PadForm):
    """Undo the last entry; with a note if the other side had confirmed it."""

    seen = HiddenNumber()
    note = StringField(
        lazy("checking.note"), [at_most(forms.LONGEST_NOTE, "hand.error.long")], description=lazy("checking.note.hint")
    )


class CheckForm(PadForm):
    """The log entries shown on the page: of the valid count, and of the other one (0 for none)."""

    seen = HiddenNumber()
    other = HiddenNumber()


@blueprint.get("")
def page(match: str) -> Response:
    """The page of a match."""
    return show_match(load_match(match))


def show_match(state: MatchState, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    """The page of a match, with a form to undo the last entry that it shows."""
    state, words, pad = presenters.reachable(state), base.page_words(), get_pad()
    is_over, order = state.status.finished, own_side_first(state)
    totals, values = [side.total for side in state.sides], match_values(state, words)
    is_checked = state.checking or any(hand.contest for hand in state.hands)
    return render_page(
        "matches/page.html",
        title=versus(values["names"], words),
        status=status,
        errors=errors,
        watch=watch(state, url_for("matches.page", match=state.id)),
        **values,
        **rules_values(state, words),
        request_id=base.new_request_id(),
        order=order,
        behind=[max(totals) - total for total in totals],
        ended=ended_of(state, words) if is_over else None,
        series=pad.records.series(state) if is_over or state.begins.game > 1 else None,
        can_check=pad.checking.can_check(state.id, device_id()) if is_checked else (),
        noted=noted_sentence(state, words) if state.open_hand else "",
        is_typed=_is_typed(state),
        hands=hand_rows(state, words, order),
        undo=entry_text(state, state.undoable),
        redo=entry_text(state, state.redoable),
        chart=chart_of(state, words) if is_over else Markup(),
    )


def show_form(
    form: PadForm, kinds: Iterable[str], state: MatchState, status: int = 200, title: str = "", **values: Any
) -> Response:
    """The page of an action with its form; it reports entries of these kinds since it was first shown.

    The template and the usual title are named after the endpoint.
    """
    endpoint, place = str(request.endpoint), {**(request.view_args or {})}
    del place["match"]
    name = endpoint.partition(".")[2]
    return render_page(
        f"matches/{name}.html",
        title=title or t(f"match.{name}.title"),
        status=status,
        errors=form_errors(form),
        watch=presenters.watch_form(state, endpoint, kinds, **place),
        match=state,
        form=form,
        **{"has_form": True, **values},
    )


def done(result: Saved, key: str, **figures: int | str) -> Response:
    """Redirect to the match, with a notice unless it was given before."""
    if not result.again:
        notice(t(key, **figures))
    return to_match(result.match)


def match_values(state: MatchState, words: Words) -> dict[str, Any]:
    """The values that all parts about a match and its hands need: `matches/parts.html` has the macros."""
    names = side_names(state)
    return {
        "match": state,
        "names": names,
        "keys": SIDE_KEYS,
        "ruling": lambda kept: ruling_text(kept.event, state.rules.variant, words).head,
        "fact": partial(fact, names=names, words=words),
        "out_by": partial(_who_went_out, state, words=words),
        "pair": partial(single_and_pair, names=names, words=words),
        "sat": partial(player, state=state, words=words),
    }


def rules_values(state: MatchState, words: Words) -> Mapping[str, Any]:
    """The template values of the rules of a match, cached."""
    rules, key = state.rules, (state.rules.digest, state.house, words.language, own_variants().number)
    return _of_rules.get(key) or _of_rules.put(
        key,
        {
            "chosen": [
                (name, words.text(f"option.{name}"), value_word(name, value, words))
                for name, value in rules.options.items()
            ],
            "needs": presenters.out_needs(rules, words),
            "thirteen": presenters.thirteen_word(rules.settings, words),
            "book": rules_url(rules),
        },
    )


def entry_text(state: MatchState, entry: LogEntry[Event] | None) -> str:
    """The effect of a log entry, for undo and redo; empty for none."""
    return t(f"actions.entry.{entry.event.kind}", number=state.called(entry.event.hand_number or 0)) if entry else ""


def entry_done(state: MatchState, entry: LogEntry[Event] | None, how: str) -> tuple[str, int]:
    """The key and the number of the hand of what tells that a log entry is `undone` or `redone`."""
    kind, number = (entry.event.kind, entry.event.hand_number or 0) if entry else ("hand", 0)
    return f"actions.is-{how}.{kind}", state.called(number)


def _is_typed(state: MatchState) -> bool:
    """Whether the coming hand has typed fields other than penalties."""
    draft = state.open_hand.draft if state.open_hand else {}
    return any(text.strip() and not {"penalties", HOUSE}.intersection(name.split(".")) for name, text in draft.items())


# ---------------------------------------------------------------- the counted hands


def hand_rows(state: MatchState, words: Words, order: tuple[int, ...]) -> Markup:
    """The rows of the hands, cached until the log of the match changes; `order`: of the columns."""
    key = (state.id, state.sequence, words.language, state.access.can_write, order)
    shown = app_state().shown
    return shown.get(key) or shown.put(key, Markup().join(_row(state, hand, words, order) for hand in state.hands))


def _row(state: MatchState, hand: HandState, words: Words, order: tuple[int, ...]) -> Markup:
    """The row of a hand, cached by the values shown."""
    rows = app_state().rows
    key = (state.id, words.language, state.access.can_write, order, *_row_key(state, hand))
    known = rows.get(key)
    if known is not None:
        return known
    names = side_names(state)
    shown = base.template("matches/hand.html").render(
        **match_values(state, words),
        hand=hand,
        order=order,
        anchor=presenters.hand_anchor(hand.number),
        is_last=_is_newest(state, hand),
        special=special_hands(hand.counted.hand, names),
        book=rules_url(state.rules),
        broken=tuple(broken_rules(state.rules, (*hand.doubts, *hand.counted.broken, *hand.warnings), words)),
        table_of=partial(table_of, names=names, variant=state.rules.variant, words=words, by_reason=True),
        message=partial(message, names=names, words=words),
        places=partial(presenters.places_html, words=words),
        line_anchor=presenters.line_anchor,
    )
    return rows.put(key, Markup(shown))  # noqa: S704 - the template escapes what people wrote


def _is_newest(state: MatchState, hand: HandState) -> bool:
    """Whether the hand stands unfolded as the last one of a match that goes on."""
    return hand.number == len(state.hands) and not state.status.finished


def _row_key(state: MatchState, hand: HandState) -> Iterator[Hashable]:
    """The values shown in the row."""
    yield hand.number
    yield hand.versions[-1].sequence
    yield _is_newest(state, hand)
    yield tuple((side.name, side.players) for side in state.sides)
    yield tuple(side.total for side in hand.sides)
    yield (hand.confirmed, hand.contest and hand.contest.sequence, hand.waits)
    yield hand.remark
    yield tuple(kept.sequence for kept in state.rulings if kept.event.number == hand.number)
    yield tuple(state.replacements)
    yield tuple((finding.code, finding.where) for finding in (*hand.warnings, *hand.doubts))


def _who_went_out(state: MatchState, hand: HandState, words: Words, short: bool = False) -> str:
    """The side that went out, with its player if the hand says which and the player has a name; `short`: or only it."""
    seat = seat_out(state, hand)
    if seat and short:
        return state.sat(seat, hand.number)
    if seat:
        return player(seat, hand.number, state=state, words=words)
    return state.sides[SIDE_KEYS.index(hand.counted.hand["out"]["side"])].name


# ---------------------------------------------------------------- undo


@blueprint.route("/annulla", methods=BOTH)
@checks_itself
def undo(match: str) -> Response:
    """Undo the last entry of the log; a note is required if the other side had confirmed it."""
    state, form = load_match(match), UndoForm()
    has_page = request.method == "GET" or "note" in request.form

    def show(now: MatchState, status: int = 200) -> Response:
        last = now.undoable
        if not has_page or (last is None and request.method == "POST"):
            return show_match(now, form_errors(form), status)
        if last is None and not presenters.is_refetch():
            return to_match(match)
        form.renew()
        form.seen.data = now.sequence
        title = t("actions.undo", entry=entry_text(now, last)) if last else t("actions.undo.nothing")
        was_confirmed = last is not None and last.event.guarded
        return show_form(form, EVENTS, now, status, title, was_confirmed=was_confirmed)

    if request.method == "GET":
        return show(state)

    def saved(result: Saved) -> Response:
        if state.undoable and isinstance(state.undoable.event, NewHand):
            key = f"actions.undone.hand{'-typed' if result.keeps_typed else ''}"
            return done(result, key, number=state.called(state.undoable.event.number))
        key, number = entry_done(state, state.undoable, "undone")
        return done(result, key, number=number)

    def stale(now: MatchState) -> str:
        return t("actions.undo.stale-asked" if has_page and now.undoable else "actions.undo.stale")

    def act(sent: Sent) -> Any:
        return get_pad().undo(*sent, form.seen.data, form.note.data or "")

    return respond(form, state, act, show=show, saved=saved, stale=stale)


@blueprint.post("/rifai")
@checks_itself
def redo(match: str) -> Response:
    """Redo the entry undone last."""
    state, form = load_match(match), UndoForm()
    key, number = entry_done(state, state.redoable, "redone")
    return respond(
        form,
        state,
        lambda sent: get_pad().redo(*sent, form.seen.data),
        show=lambda now, status: show_match(now, form_errors(form), status),
        saved=lambda result: done(result, key, number=number),
        stale=lambda _: t("actions.redo.stale"),
    )


# ---------------------------------------------------------------- checking


@blueprint.route("/smazzate/<int:number>/controlla", methods=BOTH)
@checks_itself
def check_hand(match: str, number: int) -> Response:
    """Confirm a hand, or choose one of its two counts."""
    state, form, checking = load_match(match), CheckForm(), get_pad().checking
    if not 1 <= number <= len(state.hands):
        abort(404)

    def show(now: MatchState, status: int = 200) -> Response:
        return _show_hand(now, now.hands[number - 1], form_errors(form), status)

    if request.method == "GET":
        return show(state)

    def act(sent: Sent) -> Saved | Stale:
        shown = form.seen.data, form.other.data
        if not form.other.data:
            return checking.confirm(*sent, number, form.seen.data)
        chosen = request.form.get("choose", 0, type=int)
        if chosen not in shown:
            abort(400)
        return checking.choose(*sent, number, shown, chosen)

    def stale(now: MatchState) -> str | Response:
        text = t("checking.stale")
        return text if number <= len(now.hands) else to_match(match, message=text)

    def saved(result: Saved) -> Response:
        return done(result, "checking.done", number=state.called(number))

    try:
        return respond(form, state, act, show=show, saved=saved, stale=stale)
    except OwnHand:
        form.reject(t("checking.why-not.own"))
        return show(state, CONFLICT)


def _show_hand(state: MatchState, hand: HandState, errors: tuple[FieldError, ...], status: int) -> Response:
    words, checking = base.page_words(), get_pad().checking
    contest, number, names = hand.contest, hand.number, side_names(state)
    versions = (hand.versions[-1], contest) if contest else (hand.versions[-1],)
    tables = [table_of(each.event, names, state.rules.variant, words, by_reason=True) for each in versions]
    return render_page(
        "matches/check.html",
        title=t("checking.title.choose" if contest else "checking.title", number=state.called(number)),
        status=status,
        errors=errors,
        watch=watch(state, url_for("matches.check_hand", match=state.id, number=number)),
        **match_values(state, words),
        hand=hand,
        order=own_side_first(state),
        form=CheckForm(formdata=None, seen=hand.versions[-1].sequence, other=contest.sequence if contest else 0),
        versions=list(zip(versions, tables, strict=True)),
        may_choose=checking.may_choose(state.id, device_id(), number),
        differences=_differences(tables),
        may_check=checking.can_check(state.id, device_id())[number - 1 : number] == (True,),
    )


def _differences(tables: Sequence[CountTable]) -> list[tuple[str, int, Line | None, Line | None]]:
    """The lines with different points in two counts: label, position of the side, and both lines."""
    if len(tables) == 1:
        return []
    one, other = (
        {(row.label, side): line for row in table.rows for side, line in enumerate(row.lines)} for table in tables
    )
    pairs = [(*key, one.get(key), other.get(key)) for key in {**one, **other}]
    return [pair for pair in pairs if (pair[2] and pair[2].points) != (pair[3] and pair[3].points)]


@blueprint.route("/controllo", methods=BOTH)
@checks_itself
def switch(match: str) -> Response:
    """Turn checking on or off."""
    state, form = load_match(match), PadForm()

    def show(now: MatchState, status: int = 200) -> Response:
        return render_page(
            "matches/switch.html",
            title=t("checking.switch.title"),
            status=status,
            errors=form_errors(form),
            watch=watch(now, url_for("matches.switch", match=state.id)),
            match=now,
            form=PadForm(formdata=None),
        )

    if request.method == "GET":
        return show(state)
    turned = request.form.get("on")
    if turned not in ("0", "1"):
        abort(400)
    is_on = turned == "1"
    return respond(
        form,
        state,
        lambda sent: get_pad().checking.switch(*sent, on=is_on),
        show=show,
        saved=lambda result: done(result, "checking.switch.is-on" if is_on else "checking.switch.is-off"),
        stale=lambda _: t("checking.stale"),
    )

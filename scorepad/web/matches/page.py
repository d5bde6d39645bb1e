"""The page of a match with undo and redo, and the pages on which one side checks what another
counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from flask import Blueprint, abort, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import StringField

from scorepad.caches import LruCache
from scorepad.i18n import Words
from scorepad.i18n.findings import fact, message
from scorepad.i18n.settings_in_words import value_word
from scorepad.matches.events import EVENTS, Event, HandState, LogEntry, NewHand
from scorepad.matches.hands import OwnHand
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import ruling_text
from scorepad.matches.transaction import Saved, Stale
from scorepad.rules.score_lines import Line
from scorepad.rules.variants import own_variants
from scorepad.sheets.outcome import ended_of
from scorepad.sheets.printed_names import seat_out, side_out
from scorepad.sheets.score_table import (
    ScoreTable,
    build_score_table,
    single_and_pair,
    special_hands,
)
from scorepad.web import base, citations, forms, presenters, rule_words, rulebook_links, watching
from scorepad.web.base import (
    app_state,
    device_id,
    done,
    get_pad,
    load_match,
    render_page,
    t,
    to_match,
)
from scorepad.web.forms import HiddenNumber, PadForm, Sent, at_most, checks_itself, lazy
from scorepad.web.open_hand import noted_sentence
from scorepad.web.presenters import chart_of, own_side_first, player_name, versus
from scorepad.web.rulebook_links import rules_url
from scorepad.web.watching import watch

blueprint = Blueprint("matches", __name__, url_prefix="/partite/<match>")
for function in (
    fact,
    message,
    presenters.hand_anchor,
    rulebook_links.line_anchor,
    citations.citations_in_words,
    citations.citations_html,
    rules_url,
    ruling_text,
    single_and_pair,
    special_hands,
):
    blueprint.add_app_template_global(function)
blueprint.add_app_template_global(player_name)
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
        lazy("checking.note"),
        [at_most(forms.LONGEST_REMARK, "hand.error.long")],
        description=lazy("checking.note.hint"),
    )


class CheckForm(PadForm):
    """The log entries shown on the page: of the valid count, and of the other one (0 for none)."""

    seen = HiddenNumber()
    other = HiddenNumber()


@blueprint.get("")
def page(match: str) -> Response:
    return show_match(load_match(match))


def show_match(state: MatchState, refused: PadForm | None = None) -> Response:
    """The page of a match, with a form to undo the last entry that it shows; `refused`: one that
    was rejected.
    """
    state, words, pad = presenters.reachable(state), base.page_words(state.rules), get_pad()
    is_over = state.status.finished
    order = own_side_first(state)
    totals = [side.total for side in state.sides]
    is_checked = state.checking or any(hand.contest for hand in state.hands)
    return render_page(
        "matches/page.html",
        title=versus(state.names, words),
        form=refused,
        watch=watch(state, url_for("matches.page", match=state.id)),
        words=words,
        match=state,
        **rules_values(state, words),
        request_id=base.new_request_id(),
        order=order,
        behind=[max(totals) - total for total in totals],
        ended=ended_of(state, words) if is_over else None,
        series=pad.records.series(state) if is_over or state.begins.game > 1 else None,
        can_check=pad.checking.can_check(state.id, device_id()) if is_checked else (),
        noted=noted_sentence(state, words),
        is_typed=has_typed_hand(state),
        hands=hand_rows(state, words, order),
        undo=entry_text(state, state.undoable),
        redo=entry_text(state, state.redoable),
        chart=chart_of(state, words) if is_over else Markup(),
    )


def show_form(
    form: PadForm,
    template: str,
    state: MatchState,
    *,
    title: str,
    kinds: Iterable[str],
    **values: Any,
) -> Response:
    """The page of an action with its form; it reports log entries of these kinds since it was first
    shown.
    """
    return render_page(
        template,
        title=title,
        watch=watching.watch_form(state, kinds),
        words=base.page_words(state.rules),
        match=state,
        form=form,
        **{"has_form": True, **values},
    )


def rules_values(state: MatchState, words: Words) -> Mapping[str, Any]:
    """The template values of the rules of a match, cached."""
    rules = state.rules
    key = (state.rules.digest, state.house, words.language, own_variants().number)
    return _of_rules.get(key) or _of_rules.put(
        key,
        {
            "chosen": [
                (name, words.t(f"option.{name}"), value_word(name, value, words))
                for name, value in rules.options.items()
            ],
            "needs": rule_words.out_needs(rules, words),
            "thirteen": rule_words.thirteen_word(rules.settings, words),
            "book": rules_url(rules),
        },
    )


def entry_text(state: MatchState, entry: LogEntry[Event] | None) -> str:
    """The effect of a log entry, for undo and redo; empty for none."""
    if entry is None:
        return ""
    number = state.called(entry.event.hand_number or 0)
    return t(f"actions.entry.{entry.event.kind}", number=number)


def entry_done(state: MatchState, entry: LogEntry[Event] | None, how: str) -> tuple[str, int]:
    """The key and the number of the hand of what tells that a log entry is `undone` or `redone`."""
    kind, number = (entry.event.kind, entry.event.hand_number or 0) if entry else ("hand", 0)
    return f"actions.is-{how}.{kind}", state.called(number)


def has_typed_hand(state: MatchState) -> bool:
    """Whether something is typed of the coming hand."""
    draft = state.open_hand.draft if state.open_hand else {}
    return any(text.strip() for text in draft.values())


# ---------------------------------------------------------------- the counted hands


def hand_rows(state: MatchState, words: Words, order: tuple[int, ...]) -> Markup:
    """The rows of the hands, cached until the log of the match changes; `order`: of the columns."""
    key = (state.id, state.sequence, state.names, words.language, state.access.can_write, order)
    shown = app_state().shown
    return shown.get(key) or shown.put(
        key, Markup().join(_hand_row(state, hand, words, order) for hand in state.hands)
    )


def _hand_row(state: MatchState, hand: HandState, words: Words, order: tuple[int, ...]) -> Markup:
    """The row of a hand, cached by the values shown."""
    rows = app_state().rows
    key = (state.id, words.language, state.access.can_write, order, *_row_key(state, hand))
    known = rows.get(key)
    if known is not None:
        return known
    shown = base.template("matches/hand.html").render(
        **base.template_words(words),
        match=state,
        hand=hand,
        order=order,
        is_last=_is_newest(state, hand),
        table_of=partial(
            build_score_table,
            names=state.names,
            variant=state.rules.variant,
            words=words,
            by_reason=True,
        ),
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


@blueprint.app_template_global()
def who_went_out(state: MatchState, hand: HandState, words: Words, *, short: bool = False) -> str:
    """The side that went out, with its player if the hand says which and the player has a name.

    `short`: the player without the side.
    """
    seat = seat_out(state, hand)
    if seat and short:
        return state.sat(seat, hand.number)
    if seat:
        return player_name(seat, hand.number, state=state, words=words)
    return side_out(hand, state.names)


# ---------------------------------------------------------------- undo


@blueprint.route("/annulla", methods=BOTH, endpoint="undo")
@checks_itself
def undo_last(match: str) -> Response:
    """Undo the last entry of the log; a note is required if the other side had confirmed it."""
    state = load_match(match)
    form = UndoForm()
    is_sent = request.method == "POST"
    has_page = request.method == "GET" or "note" in request.form
    if is_sent:
        last = state.undoable
        match form.submit(
            state.id, lambda sent: get_pad().undo(*sent, form.seen.data, form.note.data or "")
        ):
            case Saved() as result if last and isinstance(last.event, NewHand):
                key = f"actions.undone.hand{'-typed' if result.keeps_typed else ''}"
                return done(result, key, number=state.called(last.event.number))
            case Saved() as result:
                key, number = entry_done(state, last, "undone")
                return done(result, key, number=number)
            case Stale(state=state):
                form.reject(
                    t(
                        "actions.undo.stale-asked"
                        if has_page and state.undoable
                        else "actions.undo.stale"
                    )
                )
    last = state.undoable
    if not has_page or (last is None and is_sent):
        return show_match(state, form)
    if last is None and not watching.is_refetch():
        return to_match(match)
    form.renew()
    form.seen.data = state.sequence
    title = t("actions.undo", entry=entry_text(state, last)) if last else t("actions.undo.nothing")
    return show_form(
        form,
        "matches/undo.html",
        state,
        title=title,
        kinds=EVENTS,
        was_confirmed=last is not None and last.event.guarded,
    )


@blueprint.post("/rifai")
@checks_itself
def redo(match: str) -> Response:
    state = load_match(match)
    form = UndoForm()
    match form.submit(state.id, lambda sent: get_pad().redo(*sent, form.seen.data)):
        case Saved() as result:
            key, number = entry_done(state, state.redoable, "redone")
            return done(result, key, number=number)
        case Stale(state=state):
            form.reject(t("actions.redo.stale"))
    return show_match(state, form)


# ---------------------------------------------------------------- checking


@blueprint.route("/smazzate/<int:number>/controlla", methods=BOTH)
@checks_itself
def check_hand(match: str, number: int) -> Response:
    """Confirm a hand, or choose one of its two counts."""
    state = load_match(match)
    form = CheckForm()
    checking = get_pad().checking
    if not 1 <= number <= len(state.hands):
        abort(404)

    def act(sent: Sent) -> Saved | Stale:
        shown = form.seen.data, form.other.data
        if not form.other.data:
            return checking.confirm(*sent, number, form.seen.data)
        chosen = request.form.get("choose", 0, type=int)
        if chosen not in shown:
            abort(400)
        return checking.choose(*sent, number, shown, chosen)

    if request.method == "POST":
        try:
            result = form.submit(state.id, act)
        except OwnHand:
            form.reject(t("checking.why-not.own"))
        else:
            if isinstance(result, Saved):
                return done(result, "checking.done", number=state.called(number))
            if isinstance(result, Stale):
                state = result.state
                if number > len(state.hands):
                    return to_match(state.id, message=t("checking.stale"))
                form.reject(t("checking.stale"))
    return _show_hand(state, state.hands[number - 1], form)


def _show_hand(state: MatchState, hand: HandState, sent: CheckForm) -> Response:
    words = base.page_words(state.rules)
    checking = get_pad().checking
    contest = hand.contest
    number = hand.number
    names = state.names
    versions = (hand.versions[-1], contest) if contest else (hand.versions[-1],)
    tables = [
        build_score_table(each.event, names, state.rules.variant, words, by_reason=True)
        for each in versions
    ]
    return render_page(
        "matches/check.html",
        title=t(
            "checking.title.choose" if contest else "checking.title", number=state.called(number)
        ),
        status=sent.status,
        errors=sent.summary,
        watch=watch(state),
        words=words,
        match=state,
        hand=hand,
        order=own_side_first(state),
        form=CheckForm(
            formdata=None, seen=hand.versions[-1].sequence, other=contest.sequence if contest else 0
        ),
        versions=list(zip(versions, tables, strict=True)),
        may_choose=checking.may_choose(state.id, device_id(), number),
        differences=_differing_lines(tables),
        may_check=checking.can_check(state.id, device_id())[number - 1 : number] == (True,),
    )


def _differing_lines(
    tables: Sequence[ScoreTable],
) -> list[tuple[str, int, Line | None, Line | None]]:
    """The lines with different points in two counts: label, position of the side, and both lines."""
    if len(tables) == 1:
        return []
    first = _lines_by_label(tables[0])
    second = _lines_by_label(tables[1])
    differences = []
    for label, side in {**first, **second}:
        line = first.get((label, side))
        other = second.get((label, side))
        if _points_of_line(line) != _points_of_line(other):
            differences.append((label, side, line, other))
    return differences


def _lines_by_label(table: ScoreTable) -> dict[tuple[str, int], Line | None]:
    lines = {}
    for row in table.rows:
        for side, line in enumerate(row.lines):
            lines[row.label, side] = line
    return lines


def _points_of_line(line: Line | None) -> int | None:
    return line.points if line else None


@blueprint.route("/controllo", methods=BOTH)
@checks_itself
def switch(match: str) -> Response:
    """Turn checking on or off."""
    state = load_match(match)
    form = PadForm()
    turned = request.form.get("on")
    if request.method == "POST":
        if turned not in ("0", "1"):
            abort(400)
        is_on = turned == "1"
        match form.submit(state.id, lambda sent: get_pad().checking.switch(*sent, on=is_on)):
            case Saved() as result:
                return done(result, "checking.switch.is-on" if is_on else "checking.switch.is-off")
            case Stale(state=state):
                form.reject(t("checking.stale"))
        form.renew()
    return render_page(
        "matches/switch.html",
        title=t("checking.switch.title"),
        watch=watch(state),
        match=state,
        form=form,
    )

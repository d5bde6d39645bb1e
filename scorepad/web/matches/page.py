"""The page of a match with undo and redo, and the pages on which one side checks what another
counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

from flask import Blueprint, abort, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import StringField

from scorepad.caches import LruCache
from scorepad.i18n import Words
from scorepad.i18n.findings import finding_text, finding_without_remedy
from scorepad.i18n.settings_in_words import value_word
from scorepad.matches.events import EVENTS, Counted, Event, HandState, LogEntry, NewHand
from scorepad.matches.hands import OwnHand, ShownCounts
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import ruling_text
from scorepad.matches.transaction import ReasonWanted, Saved, Stale
from scorepad.rules.definitions import Ruleset
from scorepad.rules.score_lines import Line
from scorepad.rules.variants import own_variants
from scorepad.sheets.outcome import ended_of
from scorepad.sheets.score_table import (
    ScoreTable,
    build_score_table,
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
from scorepad.web.matches.hand_texts import HandTexts
from scorepad.web.matches.match_links import list_match_links
from scorepad.web.matches.match_texts import MatchTexts
from scorepad.web.open_hand import noted_sentence
from scorepad.web.presenters import chart_of, own_side_first, player_name, versus
from scorepad.web.rulebook_links import rules_url
from scorepad.web.watching import watch

blueprint = Blueprint("matches", __name__, url_prefix="/partite/<match>")
for function in (
    finding_text,
    finding_without_remedy,
    presenters.hand_anchor,
    rulebook_links.line_anchor,
    citations.citations_in_words,
    citations.citations_html,
    rules_url,
    ruling_text,
    special_hands,
):
    blueprint.add_app_template_global(function)
blueprint.add_app_template_global(player_name)
BOTH = ["GET", "POST"]
_cached_rules_values: LruCache[Mapping[str, Any]] = LruCache()


class UndoForm(PadForm):
    """Undo the last entry; with a reason if the other side had confirmed it."""

    seen = HiddenNumber()
    reason = StringField(
        lazy("checking.reason"),
        [at_most(forms.LONGEST_REMARK, "hand.error.long")],
        description=lazy("checking.reason.hint"),
    )

    def undo_entry(self, sent: Sent) -> Saved | Stale | ReasonWanted:
        """Undo the last entry of the log; `sent` says of which match, and by which request of which
        device. Stale if it is not the last entry any more that the page showed.
        """
        return get_pad().undo(*sent, self.seen.data, self.reason.data or "")

    def redo_entry(self, sent: Sent) -> Saved | Stale:
        """Do again what was undone last; `sent` says in which match, and by which request of which
        device. Stale if the match changed since the page was shown.
        """
        return get_pad().redo(*sent, self.seen.data)


class CheckForm(PadForm):
    """The log entries shown on the page: of the valid count, and of the other one (0 for none)."""

    seen = HiddenNumber()
    other = HiddenNumber()

    def store_check(self, number: int, sent: Sent) -> Saved | Stale:
        """Confirm the hand of this number as it was counted. If the page showed two counts of it,
        choose the one whose button was pressed.

        `sent` says in which match, and by which request of which device. Stale if the hand was
        counted otherwise since the page was shown.
        """
        checking = get_pad().checking
        shows_two_counts = self.other.data != 0
        if not shows_two_counts:
            return checking.confirm(*sent, number, self.seen.data)
        shown_counts = ShownCounts(self.seen.data, self.other.data)
        chosen_count = request.form.get("choose", 0, type=int)  # its entry in the log
        if chosen_count not in shown_counts:
            abort(400)
        return checking.choose(*sent, number, shown_counts, chosen_count)


@blueprint.get("")
def page(match: str) -> Response:
    return show_match(load_match(match))


def show_match(state: MatchState, refused: PadForm | None = None) -> Response:
    """The page of a match: totals, hands, and the buttons for what can be done.

    `refused` is a form of the page that was rejected, whose errors it shows.
    """
    state = presenters.without_unreachable_rematch(state)
    words = base.page_words(state.rules)
    order = own_side_first(state)
    match_texts = MatchTexts(state, words)
    return render_page(
        "matches/page.html",
        title=versus(state.names, words),
        form=refused,
        watch=watch(state, url_for("matches.page", match=state.id)),
        words=words,
        match=state,
        order=order,
        doubtful_hands=[hand for hand in state.hands if hand.doubts],
        hands=hand_rows(state, words, order),
        texts=HandTexts(state, words),
        match_texts=match_texts,
        match_links=list_match_links(state),
        awaited_checks=match_texts.awaited_checks(_checkable_hands(state)),
        noted=noted_sentence(state, words),
        **rules_values(state, words),
        **_values_of_end(state, words),
        **_values_of_buttons(state),
    )


def _values_of_end(state: MatchState, words: Words) -> dict[str, Any]:
    """What the page of a match shows of its end: who won (`ended`) and the `chart` of the totals, and
    of the `series` of matches to which it belongs.

    As long as the match goes on there is only the series, if it is not the first match of it.
    """
    series = None
    if state.status.finished or state.begins.game > 1:  # that is the number of the match in it
        series = get_pad().records.series(state)
    if not state.status.finished:
        return {"ended": None, "chart": Markup(), "series": series}
    return {"ended": ended_of(state, words), "chart": chart_of(state, words), "series": series}


def _values_of_buttons(state: MatchState) -> dict[str, Any]:
    """What the buttons of the page of a match need: what `undo` and `redo` would change, in words,
    whether the hand being played is typed in part, and the request id of their forms.
    """
    return {
        "undo": entry_text(state, state.undoable),
        "redo": entry_text(state, state.redoable),
        "is_typed": has_typed_hand(state),
        "request_id": base.new_request_id(),
    }


def _checkable_hands(state: MatchState) -> Sequence[bool]:
    """For each hand, whether this device may check it; empty if there is nothing to check."""
    if state.checking or any(hand.contest for hand in state.hands):
        return get_pad().checking.can_check(state.id, device_id())
    return ()


def show_form(
    form: PadForm,
    template: str,
    state: MatchState,
    *,
    title: str,
    kinds: Iterable[str],
    **values: Any,
) -> Response:
    """The page of an action on a match, with its form.

    While it is open, it reports log entries of these `kinds`. `values` are further values of the
    template.
    """
    values.setdefault("has_form", True)
    return render_page(
        template,
        title=title,
        watch=watching.watch_form(state, kinds),
        words=base.page_words(state.rules),
        match=state,
        form=form,
        **values,
    )


def rules_values(state: MatchState, words: Words) -> Mapping[str, Any]:
    """What templates show of the rules of a match, as `_make_rules_values` makes it; cached, since
    the rules seldom change.
    """
    rules = state.rules
    # The number changes when the user's own variants are loaded anew.
    key = (rules.digest, state.house, words.language, own_variants().number)
    return _cached_rules_values.get_or_make(key, lambda: _make_rules_values(rules, words))


def _make_rules_values(rules: Ruleset, words: Words) -> dict[str, Any]:
    """What templates show of these rules.

    `chosen` are the options, each with its value in words; `needs` what a side needs to go out,
    that is, to play its last card; `thirteen` the rule for hands of thirteen cards; `book` the URL
    of the rulebook.
    """
    chosen = []
    for name, value in rules.options.items():
        chosen.append((name, words.t(f"option.{name}"), value_word(name, value, words)))
    return {
        "chosen": chosen,
        "needs": rule_words.out_needs(rules, words),
        "thirteen": rule_words.thirteen_word(rules.settings, words),
        "book": rules_url(rules),
    }


def entry_text(state: MatchState, entry: LogEntry[Event] | None) -> str:
    """What undoing or redoing a log entry would change, in words; empty without an entry."""
    if entry is None:
        return ""
    event = entry.event
    number = state.called(event.hand_number or 0)
    return t(f"actions.entry.{event.kind}", number=number)


class HistoryStep(StrEnum):
    """What was done with an entry of the log; the values are parts of message keys."""

    UNDONE = "undone"
    REDONE = "redone"


def _entry_done(
    result: Saved, state: MatchState, entry: LogEntry[Event] | None, step: HistoryStep
) -> Response:
    """Redirect to the match, with the notice that this entry of the log was undone or redone.

    `state` is the match before. Without an entry (then the form was sent twice, or the entry is
    newer than `state`) the notice is that for a hand.
    """
    kind = NewHand.kind
    number = 0
    if entry is not None:
        kind = entry.event.kind
        number = entry.event.hand_number or 0  # 0 for an entry that is not about one hand
    return done(result, f"actions.is-{step}.{kind}", number=state.called(number))


def has_typed_hand(state: MatchState) -> bool:
    """Whether somebody has typed something of the hand being played."""
    if state.open_hand is None:
        return False
    return any(text.strip() for text in state.open_hand.draft.values())


# ---------------------------------------------------------------- the counted hands


def hand_rows(state: MatchState, words: Words, order: tuple[int, ...]) -> Markup:
    """The HTML rows of all hands, cached until the log of the match changes.

    `order` has the positions of the sides in the order of the columns.
    """
    key = (state.id, state.sequence, state.names, words.language, state.access.can_write, order)
    cache = app_state().shown
    cached = cache.get(key)
    if cached is not None:
        return cached
    rows = [_hand_row(state, hand, words, order) for hand in state.hands]
    return cache.put(key, Markup().join(rows))


def _hand_row(state: MatchState, hand: HandState, words: Words, order: tuple[int, ...]) -> Markup:
    """The HTML row of one hand, cached by the values that it shows.

    So the rows of earlier hands are not rendered again when a hand is added.
    """
    cache = app_state().rows
    key = (state.id, words.language, state.access.can_write, order, *_values_of_row(state, hand))
    cached = cache.get(key)
    if cached is not None:
        return cached

    def table_of(counted: Counted) -> ScoreTable:
        return _score_table(counted, state, words)

    row = base.template("matches/hand.html").render(
        **base.template_words(words),
        match=state,
        hand=hand,
        order=order,
        is_last=_is_newest(state, hand),
        table_of=table_of,
        texts=HandTexts(state, words),
    )
    return cache.put(key, Markup(row))  # noqa: S704 - the template escapes what people wrote


def _score_table(counted: Counted, state: MatchState, words: Words) -> ScoreTable:
    """The lines of a counted hand as a table of the two or three sides."""
    variant = state.rules.variant
    return build_score_table(counted, state.names, variant, words, by_reason=True)


def _is_newest(state: MatchState, hand: HandState) -> bool:
    """Whether this is the last hand of a match that goes on; its row is shown unfolded."""
    return hand.number == len(state.hands) and not state.status.finished


def _values_of_row(state: MatchState, hand: HandState) -> tuple[Hashable, ...]:
    """All values on which the row of a hand depends."""
    findings = [*hand.warnings, *hand.doubts]
    rulings = [ruling for ruling in state.rulings if ruling.event.number == hand.number]
    return (
        hand.number,
        hand.versions[-1].sequence,
        _is_newest(state, hand),
        tuple((side.name, side.players) for side in state.sides),
        tuple(side.total for side in hand.sides),
        hand.confirmed,
        hand.contest.sequence if hand.contest else None,
        hand.waits,
        hand.remark,
        tuple(ruling.sequence for ruling in rulings),
        tuple(state.replacements),
        tuple((finding.code, finding.where) for finding in findings),
    )


# ---------------------------------------------------------------- undo


@blueprint.route("/annulla", methods=BOTH, endpoint="undo")
@checks_itself
def undo_last(match: str) -> Response:
    """Undo the last entry of the log; a reason is required if the other side had confirmed it."""
    state = load_match(match)
    form = UndoForm()
    if request.method == "POST":
        return _undo(state, form)
    if state.undoable is None and not watching.is_refetch():
        return to_match(match)
    return _show_undo(state, form)


def _undo(state: MatchState, form: UndoForm) -> Response:
    """Undo the last entry, as a submitted form says; or show the page again that the form is from."""
    result = form.submit(state.id, form.undo_entry)
    if isinstance(result, Saved):
        return _undone(result, state)
    if isinstance(result, Stale):
        return _show_refused_undo(result.state, form, is_stale=True)
    return _show_refused_undo(state, form, is_stale=False)


def _show_refused_undo(state: MatchState, form: UndoForm, *, is_stale: bool) -> Response:
    """Show the page again from which an entry was to be undone, with the reason why nothing was.

    It is the page that asks before undoing, or the page of the match, which has a button for it.
    `is_stale`: the match changed since that page was loaded.
    """
    has_something_to_undo = state.undoable is not None
    if _is_sent_from_asking_page() and has_something_to_undo:
        if is_stale:
            form.reject(t("actions.undo.stale-asked"))
        return _show_undo(state, form)

    if is_stale:
        form.reject(t("actions.undo.stale"))
    return show_match(state, form)


def _is_sent_from_asking_page() -> bool:
    """Whether the form was sent from the page that asks before undoing; only that page has a field
    for a reason.
    """
    return "reason" in request.form


def _undone(result: Saved, state: MatchState) -> Response:
    """Redirect to the match after undoing; `state` is the match before, with the entry undone.

    The message for a hand also says whether its figures are in the form again.
    """
    last = state.undoable
    if last is None or not isinstance(last.event, NewHand):
        return _entry_done(result, state, last, HistoryStep.UNDONE)
    key = "actions.undone.hand-typed" if result.keeps_typed else "actions.undone.hand"
    return done(result, key, number=state.called(last.event.number))


def _show_undo(state: MatchState, form: UndoForm) -> Response:
    """The page that asks before the last entry is undone."""
    last = state.undoable
    title = t("actions.undo.nothing")
    if last is not None:
        title = t("actions.undo", entry=entry_text(state, last))
    form.renew()
    form.seen.data = state.sequence
    return show_form(
        form,
        "matches/undo.html",
        state,
        title=title,
        kinds=EVENTS,
        was_confirmed=last is not None and last.event.guarded,
    )


@blueprint.post("/rifai", endpoint="redo")
@checks_itself
def redo_last(match: str) -> Response:
    """Do again what was undone last, and redirect to the match; or show why that is not possible."""
    state = load_match(match)
    form = UndoForm()
    result = form.submit(state.id, form.redo_entry)
    if isinstance(result, Saved):
        return _entry_done(result, state, state.redoable, HistoryStep.REDONE)
    if isinstance(result, Stale):
        form.reject(t("actions.redo.stale"))
        return show_match(result.state, form)
    return show_match(state, form)


# ---------------------------------------------------------------- checking


@blueprint.route("/smazzate/<int:number>/controlla", methods=BOTH)
@checks_itself
def check_hand(match: str, number: int) -> Response:
    """Confirm a hand that the other side counted, or choose one of its two counts."""
    state = load_match(match)
    form = CheckForm()
    if not 1 <= number <= len(state.hands):
        abort(404)
    if request.method == "POST":
        return _store_check(state, number, form)
    return _show_hand(state, number, form)


def _store_check(state: MatchState, number: int, form: CheckForm) -> Response:
    """Store that a hand was checked, and redirect to the match; or show the hand again."""
    try:
        result = form.submit(state.id, partial(form.store_check, number))
    except OwnHand:  # who counted a hand cannot check it
        form.reject(t("checking.why-not.own"))
        return _show_hand(state, number, form)
    if isinstance(result, Saved):
        return done(result, "checking.done", number=state.called(number))
    if isinstance(result, Stale):
        return _show_stale_check(result.state, number, form)
    return _show_hand(state, number, form)


def _show_stale_check(state: MatchState, number: int, form: CheckForm) -> Response:
    """The page of the hand again, because its counts changed since it was loaded; `state` is the
    match now. If the hand was undone, the page of the match.
    """
    message = t("checking.stale")
    if number > len(state.hands):
        return to_match(state.id, message=message)
    form.reject(message)
    return _show_hand(state, number, form)


def _show_hand(state: MatchState, number: int, submitted: CheckForm) -> Response:
    """The page of a hand to check, with both counts if each side has counted it otherwise.

    It shows the errors of the `submitted` form. The form of the page is a new one, for the counts
    that it shows now.
    """
    words = base.page_words(state.rules)
    hand = state.hands[number - 1]
    counts = _counts_on_page(state, hand, words)
    return render_page(
        "matches/check.html",
        title=_check_title(state, hand),
        status=submitted.status,
        errors=submitted.summary,
        watch=watch(state),
        words=words,
        match=state,
        hand=hand,
        order=own_side_first(state),
        texts=HandTexts(state, words),
        form=_check_form(hand),
        counts=counts,
        differences=_differing_lines([count.table for count in counts]),
        may_check=_may_check_hand(state, number),
        may_choose=get_pad().checking.may_choose(state.id, device_id(), number),
    )


class CountOnPage(NamedTuple):
    """A count of a hand on the page to check it: its entry in the log, and its lines as a table."""

    entry: LogEntry[Counted]
    table: ScoreTable


def _counts_on_page(state: MatchState, hand: HandState, words: Words) -> list[CountOnPage]:
    """The count of a hand that is in force, then the other side's count, if there is one."""
    entries = [hand.versions[-1]]
    if hand.contest is not None:
        entries.append(hand.contest)
    return [CountOnPage(entry, _score_table(entry.event, state, words)) for entry in entries]


def _check_title(state: MatchState, hand: HandState) -> str:
    """The title of the page of a hand to check: to confirm it, or to choose one of two counts."""
    number = state.called(hand.number)
    if hand.contest is None:
        return t("checking.title", number=number)
    return t("checking.title.choose", number=number)


def _check_form(hand: HandState) -> CheckForm:
    """A new form to check a hand.

    Its hidden fields hold the entries in the log of the counts that the page shows: the one in
    force and the other side's, 0 if there is none. So it is noticed if the hand was counted
    otherwise before the form is sent.
    """
    shown_count = hand.versions[-1]  # the last version is in force
    entry_of_other_count = 0
    if hand.contest is not None:
        entry_of_other_count = hand.contest.sequence
    return CheckForm(formdata=None, seen=shown_count.sequence, other=entry_of_other_count)


def _may_check_hand(state: MatchState, number: int) -> bool:
    """Whether this device may check the hand of this number; not if it counted the hand itself."""
    checkable_hands = get_pad().checking.can_check(state.id, device_id())
    if number > len(checkable_hands):  # the hand was undone meanwhile
        return False
    return checkable_hands[number - 1]


class DifferingLine(NamedTuple):
    """A side's line with different points in two counts; None where a count does not have it."""

    label: str
    side: int
    first: Line | None
    second: Line | None


def _differing_lines(tables: Sequence[ScoreTable]) -> list[DifferingLine]:
    """The lines with different points in the two counts of a hand; none for a single count."""
    if len(tables) == 1:
        return []
    first = _lines_by_label(tables[0])
    second = _lines_by_label(tables[1])
    differences = []
    for label, side in {**first, **second}:
        first_line = first.get((label, side))
        second_line = second.get((label, side))
        if _points_of_line(first_line) != _points_of_line(second_line):
            differences.append(DifferingLine(label, side, first_line, second_line))
    return differences


def _lines_by_label(table: ScoreTable) -> dict[tuple[str, int], Line | None]:
    """The lines of a table by their label and the position of their side."""
    lines = {}
    for row in table.rows:
        for side, line in enumerate(row.lines):
            lines[row.label, side] = line
    return lines


def _points_of_line(line: Line | None) -> int | None:
    return line.points if line else None


@blueprint.route("/controllo", methods=BOTH, endpoint="switch")
@checks_itself
def switch_checking(match: str) -> Response:
    """The page that turns on or off that each side checks the hands that the other counted."""
    state = load_match(match)
    form = PadForm()
    if request.method == "POST":
        return _store_switch(state, form)
    return _show_switch(state, form)


def _store_switch(state: MatchState, form: PadForm) -> Response:
    """Turn checking on or off as the pressed button says, and redirect to the match; or show the page
    again.
    """
    switched_to = request.form.get("on")
    if switched_to not in ("0", "1"):
        abort(400)
    is_on = switched_to == "1"

    result = form.submit(state.id, partial(_turn_checking, is_on))
    if isinstance(result, Saved):
        return done(result, "checking.switch.is-on" if is_on else "checking.switch.is-off")
    if isinstance(result, Stale):
        state = result.state
        form.reject(t("checking.stale"))
    form.renew()
    return _show_switch(state, form)


def _turn_checking(is_on: bool, sent: Sent) -> Saved | Stale:
    """Turn on or off that each side checks what the other counted; `sent` says in which match, and by
    which request of which device.
    """
    return get_pad().checking.switch(*sent, on=is_on)


def _show_switch(state: MatchState, form: PadForm) -> Response:
    """The page that asks whether each side is to check what the other counts."""
    return render_page(
        "matches/switch.html",
        title=t("checking.switch.title"),
        watch=watch(state),
        match=state,
        form=form,
    )

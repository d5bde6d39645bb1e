"""The page of a match with undo and redo, and the pages on which one side checks what another
counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
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
    finding_text,
    finding_without_remedy,
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
_cached_rules_values: LruCache[Mapping[str, Any]] = LruCache()


@blueprint.app_template_filter()
def longest_word(name: str) -> int:
    """The number of letters of the longest word of a name, but at least 7 and at most 14.

    The style sheet has a font size for each of these numbers.
    """
    longest = 7
    for word in name.split():
        longest = max(longest, len(word))
    return min(longest, 14)


class UndoForm(PadForm):
    """Undo the last entry; with a reason if the other side had confirmed it."""

    seen = HiddenNumber()
    reason = StringField(
        lazy("checking.reason"),
        [at_most(forms.LONGEST_REMARK, "hand.error.long")],
        description=lazy("checking.reason.hint"),
    )


class CheckForm(PadForm):
    """The log entries shown on the page: of the valid count, and of the other one (0 for none)."""

    seen = HiddenNumber()
    other = HiddenNumber()


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
    totals = [side.total for side in state.sides]
    is_over = state.status.finished
    ended = ended_of(state, words) if is_over else None
    chart = chart_of(state, words) if is_over else Markup()
    is_in_series = is_over or state.begins.game > 1
    series = get_pad().records.series(state) if is_in_series else None
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
        ended=ended,
        series=series,
        can_check=_checkable_hands(state),
        noted=noted_sentence(state, words),
        is_typed=has_typed_hand(state),
        hands=hand_rows(state, words, order),
        undo=entry_text(state, state.undoable),
        redo=entry_text(state, state.redoable),
        chart=chart,
    )


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


def _entry_done(
    result: Saved, state: MatchState, entry: LogEntry[Event] | None, how: str
) -> Response:
    """Redirect to the match, with the notice that a log entry was undone or redone.

    `how` is `undone` or `redone`.
    """
    kind = "hand"
    number = 0
    if entry is not None:
        kind = entry.event.kind
        number = entry.event.hand_number or 0
    return done(result, f"actions.is-{how}.{kind}", number=state.called(number))


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


@blueprint.app_template_global()
def who_went_out(state: MatchState, hand: HandState, words: Words, *, short: bool = False) -> str:
    """Who played the last card and so ended the hand, in words.

    It is the player with the side, or with `short` the player alone; the side alone if the hand
    does not say which player, or the player has no name.
    """
    seat = seat_out(state, hand)
    if seat and short:
        return state.player_in_seat(seat, hand.number)
    if seat:
        return player_name(seat, hand.number, state=state, words=words)
    return side_out(hand, state.names)


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

    def undo(sent: Sent) -> Saved | Stale | ReasonWanted:
        return get_pad().undo(*sent, form.seen.data, form.reason.data or "")

    result = form.submit(state.id, undo)
    if isinstance(result, Saved):
        return _undone(result, state)
    if isinstance(result, Stale):
        return _show_refused_undo(result.state, form, is_stale=True)
    return _show_refused_undo(state, form, is_stale=False)


def _show_refused_undo(state: MatchState, form: UndoForm, *, is_stale: bool) -> Response:
    """The page that an undo was sent from, with the reason why nothing was undone.

    It is the page that asks before undoing, or the page of the match, which has a button for it.
    `is_stale`: the match changed since that page was loaded.
    """
    is_from_asking_page = "reason" in request.form  # the button sends no reason
    asks_again = is_from_asking_page and state.undoable is not None
    if is_stale:
        form.reject(t("actions.undo.stale-asked") if asks_again else t("actions.undo.stale"))
    if asks_again:
        return _show_undo(state, form)
    return show_match(state, form)


def _undone(result: Saved, state: MatchState) -> Response:
    """Redirect to the match after undoing; `state` is the match before, with the entry undone.

    The message for a hand also says whether its figures are in the form again.
    """
    last = state.undoable
    if last is None or not isinstance(last.event, NewHand):
        return _entry_done(result, state, last, "undone")
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
    """Do again what was undone last."""
    state = load_match(match)
    form = UndoForm()

    def act(sent: Sent) -> Saved | Stale:
        return get_pad().redo(*sent, form.seen.data)

    result = form.submit(state.id, act)
    if isinstance(result, Saved):
        return _entry_done(result, state, state.redoable, "redone")
    if isinstance(result, Stale):
        state = result.state
        form.reject(t("actions.redo.stale"))
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

    def check(sent: Sent) -> Saved | Stale:
        return _confirm_or_choose(sent, number, form)

    try:
        result = form.submit(state.id, check)
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


def _confirm_or_choose(sent: Sent, number: int, form: CheckForm) -> Saved | Stale:
    """Confirm a hand; if the page showed two counts of it, choose the one whose button was pressed."""
    checking = get_pad().checking
    if not form.other.data:
        return checking.confirm(*sent, number, form.seen.data)
    counts = ShownCounts(form.seen.data, form.other.data)
    chosen = request.form.get("choose", 0, type=int)
    if chosen not in counts:
        abort(400)
    return checking.choose(*sent, number, counts, chosen)


def _show_hand(state: MatchState, number: int, sent: CheckForm) -> Response:
    """The page of a hand to check, with both counts if each side has counted it otherwise.

    `sent` has the errors to show.
    """
    words = base.page_words(state.rules)
    checking = get_pad().checking
    hand = state.hands[number - 1]
    counts = _counts_of_hand(hand)
    tables = [_score_table(count.event, state, words) for count in counts]
    return render_page(
        "matches/check.html",
        title=_check_title(state, hand),
        status=sent.status,
        errors=sent.summary,
        watch=watch(state),
        words=words,
        match=state,
        hand=hand,
        order=own_side_first(state),
        form=_check_form(hand),
        versions=list(zip(counts, tables, strict=True)),
        may_choose=checking.may_choose(state.id, device_id(), number),
        differences=_differing_lines(tables),
        may_check=_may_check_hand(state, number),
    )


def _counts_of_hand(hand: HandState) -> list[LogEntry[Counted]]:
    """The count of a hand that is in force, then the other side's count, if there is one."""
    counts = [hand.versions[-1]]
    if hand.contest is not None:
        counts.append(hand.contest)
    return counts


def _check_title(state: MatchState, hand: HandState) -> str:
    """The title of the page of a hand to check: to confirm it, or to choose one of two counts."""
    number = state.called(hand.number)
    if hand.contest is None:
        return t("checking.title", number=number)
    return t("checking.title.choose", number=number)


def _check_form(hand: HandState) -> CheckForm:
    """A new form to check a hand, with the log entries of the counts that the page shows."""
    other_entry = hand.contest.sequence if hand.contest is not None else 0
    return CheckForm(formdata=None, seen=hand.versions[-1].sequence, other=other_entry)


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
    """Turn on or off that each side checks the hands that the other counted."""
    state = load_match(match)
    form = PadForm()
    if request.method != "POST":
        return _show_switch(state, form)
    switched_to = request.form.get("on")
    if switched_to not in ("0", "1"):
        abort(400)
    is_on = switched_to == "1"

    def act(sent: Sent) -> Saved | Stale:
        return get_pad().checking.switch(*sent, on=is_on)

    result = form.submit(state.id, act)
    if isinstance(result, Saved):
        return done(result, "checking.switch.is-on" if is_on else "checking.switch.is-off")
    if isinstance(result, Stale):
        state = result.state
        form.reject(t("checking.stale"))
    form.renew()
    return _show_switch(state, form)


def _show_switch(state: MatchState, form: PadForm) -> Response:
    """The page that asks whether each side is to check what the other counts."""
    return render_page(
        "matches/switch.html",
        title=t("checking.switch.title"),
        watch=watch(state),
        match=state,
        form=form,
    )

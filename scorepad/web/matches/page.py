"""The page of a match with undo and redo, and the pages on which one side checks what another
counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from flask import Blueprint, abort, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import StringField

from scorepad.i18n import Words
from scorepad.matches.events import EVENTS, Event, HandState, LogEntry, NewHand
from scorepad.matches.hands import OwnHand, ShownCounts
from scorepad.matches.history import Series
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import ReasonWanted, Saved, Stale
from scorepad.rules.variants import own_variants
from scorepad.sheets.outcome import describe_agreed_last_hand
from scorepad.web import base, citations, forms, presenters, watching
from scorepad.web.alone import is_alone
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
from scorepad.web.matches.check_page import CheckPage
from scorepad.web.matches.hand_row import HandRow
from scorepad.web.matches.hand_texts import HandTexts
from scorepad.web.matches.match_links import list_match_links
from scorepad.web.matches.match_texts import MatchTexts
from scorepad.web.matches.next_hand import describe_next_hand
from scorepad.web.matches.rule_facts import collect_rule_facts
from scorepad.web.matches.series_texts import write_series
from scorepad.web.presenters import chart_of, own_side_first, versus
from scorepad.web.watching import watch

blueprint = Blueprint("matches", __name__, url_prefix="/partite/<match>")
for function in (presenters.hand_anchor, citations.citations_in_words):
    blueprint.add_app_template_global(function)
BOTH = ["GET", "POST"]


class StepButton(NamedTuple):
    """The button that undoes the last change of a match, or redoes it; `url` is where it leads."""

    text: str
    url: str
    is_possible: bool
    asks_before: bool
    """Whether it leads to a page that asks before the change is undone."""


class UndoForm(PadForm):
    """Undo the last entry; with a reason if the other side had confirmed it."""

    seen = HiddenNumber()
    reason = StringField(
        lazy("checking.reason"),
        [at_most(forms.LONGEST_REMARK, "hand.error.long")],
        description=lazy("checking.reason.hint"),
    )

    @property
    def is_asked_before(self) -> bool:
        """Tell whether the form comes from the page that asks before undoing.

        Only that page has a field for a reason.
        """
        was_reason_sent = bool(self.reason.raw_data)  # an empty text too
        return was_reason_sent

    def undo_entry(self, sent: Sent) -> Saved | Stale | ReasonWanted:
        """Undo the last entry in the log of the match.

        The result is Stale, and nothing is undone, if the page showed another entry as the last
        one. `sent` names the match, the request and the device.
        """
        return get_pad().undo(*sent, self.seen.data, self.reason.data or "")

    def redo_entry(self, sent: Sent) -> Saved | Stale:
        """Do again what was undone last.

        The result is Stale, and nothing is done, if the match changed since the page was shown.
        `sent` names the match, the request and the device.
        """
        return get_pad().redo(*sent, self.seen.data)


class CheckForm(PadForm):
    """The log entries shown on the page: of the valid count, and of the other one (0 for none)."""

    seen = HiddenNumber()
    other = HiddenNumber()

    def confirm_hand(self, number: int, sent: Sent) -> Saved | Stale:
        """Confirm a hand (a round of the game) as the other side counted it.

        `number` is 1 for the first hand of the match. The result is Stale, and nothing is stored,
        if the hand was counted otherwise since the page was shown. `sent` is the request.
        """
        return get_pad().checking.confirm(*sent, number, self.seen.data)

    def choose_count(self, number: int, sent: Sent) -> Saved | Stale:
        """Choose one of two different counts of a hand (a round): the one whose button was pressed.

        Counts are named by their entries in the log of the match. `number` is 1 for the first hand.
        The result is Stale, and nothing is stored, if the hand was counted otherwise since the page
        was shown. `sent` is the request.
        """
        shown_counts = ShownCounts(self.seen.data, self.other.data)
        chosen_count = request.form.get("choose", 0, type=int)
        if chosen_count not in shown_counts:
            abort(400)
        return get_pad().checking.choose(*sent, number, shown_counts, chosen_count)

    def store_check(self, number: int, sent: Sent) -> Saved | Stale:
        """Store how one side checked a hand (a round of the game) that the other side counted.

        `number` is 1 for the first hand of the match. The result is Stale, and nothing is stored,
        if the hand was counted otherwise since the page was shown. `sent` is the request.
        """
        was_one_count_shown = self.other.data == 0
        if was_one_count_shown:
            return self.confirm_hand(number, sent)
        return self.choose_count(number, sent)


@blueprint.get("", endpoint="page")
def show_match_page(match: str) -> Response:
    """Show the page of a match."""
    return show_match(load_match(match))


def show_match(state: MatchState, refused: PadForm | None = None) -> Response:
    """Show the page of a match: its totals, its hands (rounds), and buttons for what can be done.

    `refused` is a form of this page that was not accepted: its errors are shown.
    """
    state = presenters.without_unreachable_rematch(state)
    words = base.page_words(state.rules)
    order = own_side_first(state)
    match_texts = MatchTexts(state, words)
    url = url_for("matches.page", match=state.id)
    is_finished = state.status.finished
    series = _find_series_to_show(state)
    rule_facts = collect_rule_facts(state, words)
    return render_page(
        "matches/page.html",
        title=versus(state.names, words),
        form=refused,
        watch=watch(state, url),
        words=words,
        match=state,
        url_of_match=url,
        request_id=base.new_request_id(),
        order=order,
        # the card with the totals and the hands
        match_line=match_texts.line,
        end=match_texts.end,
        agreed_end=describe_agreed_last_hand(state, words),
        is_level=match_texts.are_leaders_level(),
        doubtful_hands=match_texts.list_doubtful_hands(),
        heads=match_texts.list_heads(order),
        awaited_checks=match_texts.list_awaited_checks(_may_check_each_hand(state)),
        next_hand=describe_next_hand(state, words, rule_facts["facts_of_every_hand"]),
        hands=render_hand_rows(state, words, order),
        chart=chart_of(state, words) if is_finished else Markup(),
        # what follows
        series_texts=write_series(state, series, words),
        lengths_of_next_series=_list_lengths_to_offer(state, series),
        links=render_links(state, words, url),
        special_rules=rule_facts["special_rules"],
        undo=_make_undo_button(state),
        redo=_make_redo_button(state),
        is_hand_typed=has_typed_hand(state),
    )


def _list_lengths_to_offer(state: MatchState, series: Series | None) -> Sequence[int]:
    """List the lengths of a series of matches that the players may agree on with a rematch.

    Empty as long as the match goes on, and once it has a rematch.
    """
    if series is None or state.rematch:
        return ()
    can_begin_rematch = state.status.finished and state.access.can_write
    return series.lengths if can_begin_rematch else ()


def _make_undo_button(state: MatchState) -> StepButton:
    """Make the button that undoes the last change of a match."""
    entry = state.undoable
    if entry is None:
        text = t("actions.undo.nothing")  # "Nothing to undo"
    else:
        text = t("actions.undo", entry=describe_entry(state, entry))  # "Undo {entry}"
    return StepButton(
        text=text,
        url=url_for("matches.undo", match=state.id),
        is_possible=entry is not None,
        asks_before=entry is not None and entry.event.guarded,
    )


def _make_redo_button(state: MatchState) -> StepButton | None:
    """Make the button that redoes what was undone last; None if nothing can be redone."""
    entry = state.redoable
    if entry is None:
        return None
    text = t("actions.redo", entry=describe_entry(state, entry))  # "Redo {entry}"
    url = url_for("matches.redo", match=state.id)
    return StepButton(text, url, is_possible=True, asks_before=False)


def _find_series_to_show(state: MatchState) -> Series | None:
    """Find the matches to which this one belongs, such as the best of three, for its page.

    None as long as the first of them goes on.
    """
    is_first_match = state.begins.game == 1
    if is_first_match and not state.status.finished:
        return None
    return get_pad().records.find_series(state)


def _may_check_each_hand(state: MatchState) -> Sequence[bool]:
    """Tell for each hand (round) of the match whether this device may check it: `[False, True]`.

    Empty if there is nothing to check: the sides do not check each other's hands, and no hand has
    two different counts.
    """
    has_contested_hand = any(hand.contest for hand in state.hands)
    if not state.checking and not has_contested_hand:
        return ()
    return get_pad().checking.can_check(state.id, device_id())


def show_action_form(
    form: PadForm,
    template: str,
    state: MatchState,
    *,
    title: str,
    kinds: Iterable[str],
    **values: Any,
) -> Response:
    """Show the page with the form of an action on a match, such as adding a penalty.

    While it is open, the page reports new log entries of these `kinds`. `values` are further
    variables of the template.
    """
    values.setdefault("has_form", True)  # unless the caller says otherwise
    return render_page(
        template,
        title=title,
        watch=watching.watch_form(state, kinds),
        words=base.page_words(state.rules),
        match=state,
        form=form,
        **values,
    )


def describe_entry(state: MatchState, entry: LogEntry[Event] | None) -> str:
    """Say what undoing or redoing a log entry would change: "hand 3", "the penalty".

    Empty if there is no entry.
    """
    if entry is None:
        return ""
    event = entry.event
    number = state.number_for_players(event.hand_number or 0)
    return t(f"actions.entry.{event.kind}", number=number)


class HistoryStep(StrEnum):
    """What was done with an entry of the log; the values are parts of message keys."""

    UNDONE = "undone"
    REDONE = "redone"


def _report_undone_or_redone(
    result: Saved, state: MatchState, entry: LogEntry[Event] | None, step: HistoryStep
) -> Response:
    """Redirect to the match with the notice "Penalty undone." or the like.

    `state` is the match as it was before, and `entry` is the one that it had to undo or redo.
    """
    if entry is None:
        # The form was sent twice, so that there is no second notice. Or another phone has added the
        # entry after the match was read: most often that is a hand.
        return done(result, f"actions.is-{step}.{NewHand.kind}", number=state.number_for_players(0))
    event = entry.event
    number = state.number_for_players(event.hand_number or 0)  # not every entry is about a hand
    return done(result, f"actions.is-{step}.{event.kind}", number=number)


def has_typed_hand(state: MatchState) -> bool:
    """Tell whether somebody has typed something in the form of the hand (round) being played."""
    if state.open_hand is None:
        return False
    return any(text.strip() for text in state.open_hand.draft.values())


def render_links(state: MatchState, words: Words, url: str) -> Markup:
    """Render the links to the other pages of a match, and its rules, as HTML.

    `url` is the one of the page of the match. The HTML is cached until the log of the match or the
    user's own variants change.
    """
    version_of_rules = own_variants().number  # another one when they are loaded anew
    key = (url, state.sequence, state.names, words.language, state.access, version_of_rules)
    cache = app_state().shown
    cached = cache.get(key)
    if cached is not None:
        return cached
    links = base.template("matches/links.html").render(
        **base.template_words(words),
        match=state,
        url_of_match=url,
        match_links=list_match_links(state, is_alone=is_alone()),
        match_line=MatchTexts(state, words).line,
        rule_facts=collect_rule_facts(state, words),
    )
    return cache.put(key, Markup(links))  # noqa: S704 - the template escapes what people wrote


# ---------------------------------------------------------------- the counted hands


def render_hand_rows(state: MatchState, words: Words, order: tuple[int, ...]) -> Markup:
    """Render the rows of the table of hands (rounds) as HTML.

    They are cached until the log of the match changes. `order` has the sides in the order of their
    columns: (1, 0) if the second side comes first.
    """
    key = (state.id, state.sequence, state.names, words.language, state.access.can_write, order)
    cache = app_state().shown
    cached = cache.get(key)
    if cached is not None:
        return cached
    rows = [_render_hand_row(state, hand, words, order) for hand in state.hands]
    return cache.put(key, Markup().join(rows))


def _render_hand_row(
    state: MatchState, hand: HandState, words: Words, order: tuple[int, ...]
) -> Markup:
    """Render the row of one hand (round) as HTML, if it is not in the cache as it would be now.

    So the rows of the earlier hands are not rendered again when a hand is added to the match.
    `order` has the sides in the order of their columns.
    """
    cache = app_state().rows
    key = _make_cache_key_of_row(state, hand, words, order)
    row = cache.get(key)
    if row is None:
        row = cache.put(key, _render_hand_row_anew(state, hand, words, order))
    return row


def _render_hand_row_anew(
    state: MatchState, hand: HandState, words: Words, order: tuple[int, ...]
) -> Markup:
    """Render the row of one hand (round) as HTML; `order` has the sides in that of their columns."""
    is_last = _is_last_hand_of_open_match(state, hand)
    row = base.template("matches/hand.html").render(
        **base.template_words(words),
        row=HandRow(state, hand, words, order, is_last=is_last),
    )
    return Markup(row)  # noqa: S704 - the template escapes what people wrote


def _is_last_hand_of_open_match(state: MatchState, hand: HandState) -> bool:
    """Tell whether this is the last hand (round) of a match that still goes on.

    The page shows its row unfolded.
    """
    return hand.number == len(state.hands) and not state.status.finished


def _make_cache_key_of_row(
    state: MatchState, hand: HandState, words: Words, order: tuple[int, ...]
) -> tuple[Hashable, ...]:
    """Collect all values on which the row of a hand (round) depends, as the key of its cache.

    If one of them changes, the row is not found in the cache, and is rendered again.
    """
    findings = [*hand.warnings, *hand.doubts]
    rulings = [ruling for ruling in state.rulings if ruling.event.number == hand.number]
    entry_of_other_count = hand.contest.sequence if hand.contest else None
    return (
        state.id,
        words.language,
        state.access.can_write,
        order,
        hand.number,
        hand.count_in_force.sequence,
        _is_last_hand_of_open_match(state, hand),
        tuple((side.name, side.players) for side in state.sides),
        tuple(side.total for side in hand.sides),
        hand.confirmed,
        entry_of_other_count,
        hand.waits,
        hand.remark,
        tuple(ruling.sequence for ruling in rulings),
        tuple(state.replacements),
        tuple((finding.code, finding.where) for finding in findings),
    )


# ---------------------------------------------------------------- undo


@blueprint.route("/annulla", methods=BOTH, endpoint="undo")
@checks_itself
def undo_page(match: str) -> Response:
    """Show the page that asks before the last entry of the log is undone, or undo the entry.

    A reason must be typed to undo what the other side has confirmed.
    """
    state = load_match(match)
    form = UndoForm()
    if request.method == "POST":
        return _undo(state, form)
    # A page that is open already is shown again even if somebody has undone the entry meanwhile.
    if state.undoable is None and not watching.is_refetch():
        return to_match(match)
    return _show_undo(state, form)


def _undo(state: MatchState, form: UndoForm) -> Response:
    """Undo the last entry as a submitted form says, or show the page again that sent the form."""
    result = form.submit(state.id, form.undo_entry)
    if isinstance(result, Saved):
        return _report_undone(result, state)
    if isinstance(result, Stale):
        return _show_stale_undo(result.state, form)
    return _show_sender_of_undo(state, form)  # the form has errors


def _show_stale_undo(state: MatchState, form: UndoForm) -> Response:
    """Show the page again that sent a form to undo, because the match has changed meanwhile."""
    if form.is_asked_before and state.undoable is not None:
        # It says: "The match has changed meanwhile, and nothing has been undone …"
        form.reject(t("actions.undo.stale-asked"))
    else:
        # It says: "The match has changed meanwhile …"
        form.reject(t("actions.undo.stale"))
    return _show_sender_of_undo(state, form)


def _show_sender_of_undo(state: MatchState, form: UndoForm) -> Response:
    """Show the page that sent a form to undo, with the errors of the form.

    It is the page that asks before undoing, or the page of the match, which has a button for it.
    """
    if form.is_asked_before and state.undoable is not None:
        return _show_undo(state, form)
    return show_match(state, form)


def _report_undone(result: Saved, state: MatchState) -> Response:
    """Redirect to the match with the notice what was undone; `state` is the match before that."""
    undone = state.undoable
    if undone is not None and isinstance(undone.event, NewHand):
        return _report_undone_hand(result, state.number_for_players(undone.event.number))
    return _report_undone_or_redone(result, state, undone, HistoryStep.UNDONE)


def _report_undone_hand(result: Saved, number: int) -> Response:
    """Redirect to the match with the notice that the hand (round) of this number was undone.

    It says whether the numbers of the hand are back in the form of the hand being played. They are
    not if somebody was typing there already.
    """
    if result.keeps_typed:
        # It says: "Hand {number} undone. The hand in progress keeps what somebody was typing …"
        return done(result, "actions.undone.hand-typed", number=number)
    # It says: "Hand {number} undone. What was typed is back in the hand in progress."
    return done(result, "actions.undone.hand", number=number)


def _show_undo(state: MatchState, form: UndoForm) -> Response:
    """Show the page that asks before the last entry is undone."""
    last = state.undoable
    title = t("actions.undo.nothing")  # "Nothing to undo"
    if last is not None:
        title = t("actions.undo", entry=describe_entry(state, last))  # "Undo {entry}"
    form.renew()
    form.seen.data = state.sequence
    return show_action_form(
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
    """Do again what was undone last and go to the match, or show why that is not possible."""
    state = load_match(match)
    form = UndoForm()
    result = form.submit(state.id, form.redo_entry)
    if isinstance(result, Saved):
        return _report_undone_or_redone(result, state, state.redoable, HistoryStep.REDONE)
    if isinstance(result, Stale):
        # It says: "The match has changed meanwhile …"
        form.reject(t("actions.redo.stale"))
        return show_match(result.state, form)
    return show_match(state, form)  # the form has errors


# ---------------------------------------------------------------- checking


@blueprint.route("/smazzate/<int:number>/controlla", methods=BOTH)
@checks_itself
def check_hand(match: str, number: int) -> Response:
    """Show the page on which a side checks a hand that the other side counted, or store the check.

    The side confirms the hand (round). If there are two different counts of it, one is chosen.
    """
    state = load_match(match)
    form = CheckForm()
    if not 1 <= number <= len(state.hands):
        abort(404)
    if request.method == "POST":
        return _store_check(state, number, form)
    return _show_hand_to_check(state, number, form)


def _store_check(state: MatchState, number: int, form: CheckForm) -> Response:
    """Store that a hand (round) was checked and go to the match, or show it with the errors."""
    try:
        result = form.submit(state.id, lambda sent: form.store_check(number, sent))
    except OwnHand:  # who counted a hand cannot check it
        # It says: "You counted this hand yourselves, or can only watch from here …"
        form.reject(t("checking.why-not.own"))
        return _show_hand_to_check(state, number, form)
    if isinstance(result, Saved):
        # It says: "Hand {number} confirmed."
        return done(result, "checking.done", number=state.number_for_players(number))
    if isinstance(result, Stale):
        return _show_stale_check(result.state, number, form)
    return _show_hand_to_check(state, number, form)  # the form has errors


def _show_stale_check(state: MatchState, number: int, form: CheckForm) -> Response:
    """Show the hand (round) again, because its counts changed since the page was loaded.

    `state` is the match as it is now. If the hand was undone, the answer is a redirect to the
    match.
    """
    # It says: "Meanwhile the hand has changed: below is how it stands now. Nothing was confirmed."
    message = t("checking.stale")
    if number > len(state.hands):
        return to_match(state.id, message=message)
    form.reject(message)
    return _show_hand_to_check(state, number, form)


def _show_hand_to_check(state: MatchState, number: int, submitted: CheckForm) -> Response:
    """Show the page on which a hand (round) is checked.

    It shows the count of the hand, or both counts if the sides differ. The errors shown are those
    of the `submitted` form. The page gets a new form, for the counts that it shows now.
    """
    words = base.page_words(state.rules)
    hand = state.hands[number - 1]
    page = CheckPage(
        state,
        hand,
        words,
        may_check=_may_check_hand(state, number),
        may_choose=get_pad().checking.may_choose(state.id, device_id(), number),
    )
    return render_page(
        "matches/check.html",
        title=_write_title_of_check(state, hand),
        status=submitted.status,
        errors=submitted.summary,
        watch=watch(state),
        words=words,
        match=state,
        form=_make_check_form(hand),
        order=own_side_first(state),
        description=HandTexts(state, words).describe_hand(hand),
        page=page,
    )


def _write_title_of_check(state: MatchState, hand: HandState) -> str:
    """Return the title of the page on which a hand (round) is checked.

    "Check hand 3", or "Hand 3: which count is right?" if there are two counts.
    """
    number = state.number_for_players(hand.number)
    if hand.contest is None:
        return t("checking.title", number=number)  # "Check hand {number}"
    return t("checking.title.choose", number=number)  # "Hand {number}: which count is right?"


def _make_check_form(hand: HandState) -> CheckForm:
    """Make a new form with which a hand (round) is checked.

    Its hidden fields name the counts that the page shows, by their log entries: the count in force,
    and the other side's, 0 if there is none. If one of them is changed before the form is sent, the
    server notices it.
    """
    entry_of_other_count = 0
    if hand.contest is not None:
        entry_of_other_count = hand.contest.sequence
    return CheckForm(formdata=None, seen=hand.count_in_force.sequence, other=entry_of_other_count)


def _may_check_hand(state: MatchState, number: int) -> bool:
    """Tell whether this device may check the hand (round) of this number.

    It may not if its own side counted the hand.
    """
    checkable_hands = get_pad().checking.can_check(state.id, device_id())
    if number > len(checkable_hands):  # the hand was undone meanwhile
        return False
    return checkable_hands[number - 1]


@blueprint.route("/controllo", methods=BOTH, endpoint="switch")
@checks_itself
def switch_checking_page(match: str) -> Response:
    """Show the page that asks whether each side checks what the other counts, or store it."""
    state = load_match(match)
    form = PadForm()
    if request.method == "POST":
        return _store_switch(state, form)
    return _show_switch(state, form)


def _store_switch(state: MatchState, form: PadForm) -> Response:
    """Turn checking on or off as the pressed button says and go to the match.

    If that fails, the page is shown again with the reason.
    """
    switched_to = request.form.get("on")
    if switched_to not in ("0", "1"):
        abort(400)
    is_on = switched_to == "1"

    result = form.submit(state.id, lambda sent: get_pad().checking.switch(*sent, on=is_on))
    if isinstance(result, Saved):
        # It says: "New hands now wait for the other side to check them."
        return done(result, "checking.switch.is-on" if is_on else "checking.switch.is-off")
    if isinstance(result, Stale):
        state = result.state
        # It says: "Meanwhile the hand has changed …"
        form.reject(t("checking.stale"))
    form.renew()
    return _show_switch(state, form)


def _show_switch(state: MatchState, form: PadForm) -> Response:
    """Show the page that asks whether each side is to check what the other counts."""
    return render_page(
        "matches/switch.html",
        title=t("checking.switch.title"),
        watch=watch(state),
        match=state,
        form=form,
    )

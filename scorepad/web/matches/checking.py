"""One side counts and the other checks: confirming a hand, choosing one of two countings, and the switch for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flask import Blueprint, abort, request, url_for
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.matches.access import OwnHand
from scorepad.matches.events import Counted, LogEntry
from scorepad.matches.projection import HandState, MatchState
from scorepad.matches.transaction import Saved, Stale
from scorepad.sheets.result import Table
from scorepad.web.base import FieldError, device_id, get_pad, load_match, notice, page_words, render_page, t, to_match
from scorepad.web.forms import CONFLICT, PadForm, checks_itself, form_errors, respond
from scorepad.web.matches.forms import CheckForm
from scorepad.web.matches.page import about, agreements, page_table
from scorepad.web.presenters import moment, side_names, watch

blueprint = Blueprint("checking", __name__, url_prefix="/partite/<match>")


@blueprint.route("/smazzate/<int:number>/controlla", methods=["GET", "POST"])
@checks_itself
def hand(match: str, number: int) -> Response:
    """Confirm a hand, or choose one of two countings of it."""
    state = load_match(match)
    if not 1 <= number <= len(state.hands):
        abort(404)
    if request.method == "GET":
        return _show_hand(state, number)
    form, checking = CheckForm(), get_pad().checking

    def act() -> Saved | Stale:
        seen, other = form.shown
        if other == 0:
            return checking.confirm(form.request_name, state.id, device_id(), number, seen)
        chosen = request.form.get("choose", "")
        if chosen not in map(str, form.shown):
            abort(400)
        return checking.choose(form.request_name, state.id, device_id(), number, form.shown, int(chosen))

    def saved(result: Saved) -> Response:
        if not result.again:
            notice(t("checking.done", number=state.called(number)))
        return to_match(match)

    def stale(now: MatchState) -> Response:
        if number > len(now.hands):
            notice(t("checking.stale"))
            return to_match(match)
        return _show_hand(now, number, _page_error("checking.stale"), CONFLICT)

    def show(status: int) -> Response:
        return _show_hand(state, number, form_errors(form), status)

    try:
        return respond(form, act, show=show, saved=saved, stale=stale, invalid=400)
    except OwnHand:
        return _show_hand(state, number, _page_error("checking.why-not.own"), CONFLICT)


@blueprint.route("/controllo", methods=["GET", "POST"])
@checks_itself
def switch(match: str) -> Response:
    """Turn checking on or off."""
    state, form = load_match(match), PadForm()
    if request.method == "GET":
        return _show_switch(state)
    turned = request.form.get("on")
    if turned not in ("0", "1"):
        abort(400)

    def act() -> Saved | Stale:
        return get_pad().checking.switch(form.request_name, state.id, device_id(), on=turned == "1")

    def saved(result: Saved) -> Response:
        if not result.again:
            notice(t("checking.switch.is-on" if turned == "1" else "checking.switch.is-off"))
        return to_match(match)

    def stale(now: MatchState) -> Response:
        return _show_switch(now, _page_error("checking.stale"), CONFLICT)

    def show(status: int) -> Response:
        return _show_switch(state, form_errors(form), status)

    return respond(form, act, show=show, saved=saved, stale=stale, invalid=400)


def _page_error(key: str) -> tuple[FieldError, ...]:
    return (FieldError(None, t(key)),)


def _show_switch(state: MatchState, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    return render_page(
        "matches/switch.html",
        title=t("checking.switch.title"),
        status=status,
        errors=errors,
        watch=watch(state, url_for("checking.switch", match=state.id)),
        match=state,
        form=PadForm(formdata=None),
    )


def _show_hand(state: MatchState, number: int, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    words, hand, contest = page_words(), state.hands[number - 1], state.hands[number - 1].contest
    may = get_pad().checking.can_check(state.id, device_id())
    can_check = number <= len(may) and may[number - 1] and hand.confirmed is None
    versions = (hand.versions[-1], contest) if contest else (hand.versions[-1],)
    tables = [page_table(version.event, side_names(state), state.rules.variant, words) for version in versions]
    return render_page(
        "matches/check.html",
        title=t("checking.title.choose" if contest else "checking.title", number=state.called(number)),
        status=status,
        errors=errors,
        watch=watch(state, url_for("checking.hand", match=state.id, number=number)),
        match=state,
        hand=hand,
        form=CheckForm(formdata=None, seen=hand.versions[-1].sequence, other=contest.sequence if contest else 0),
        versions=list(
            zip(versions, tables, get_pad().checking.may_choose(state.id, device_id(), number), strict=False)
        ),
        titles=[_title(state, each, place, words, of_two=bool(contest)) for place, each in enumerate(versions)],
        owners=[_owner(state, version, place) for place, version in enumerate(versions)],
        agreements=[tuple(agreements(version.event, side_names(state), words)) for version in versions],
        differences=tuple(_differences(tables, words)),
        about=tuple(about(state, hand, words)),
        can_check=can_check and not contest,
        why_not="" if contest and state.access.can_write else _why_not(hand, words, can_check=can_check),
    )


def _title(state: MatchState, version: LogEntry[Counted], place: int, words: Words, *, of_two: bool) -> str:
    """Who counted, and when."""
    when = moment(version.at, words)
    if version.event.by is not None:
        return t("checking.counted-by", side=state.sides[version.event.by].name, when=when)
    return t(f"checking.counted.{place}" if of_two else "checking.counted", when=when)


def _owner(state: MatchState, version: LogEntry[Counted], place: int) -> str:
    """Who counted, as the head of a column."""
    if version.event.by is not None:
        return t("checking.whose", side=state.sides[version.event.by].name)
    return t(f"checking.whose.{place}")


def _why_not(hand: HandState, words: Words, *, can_check: bool) -> str:
    """Why this device cannot check the hand; empty if it can."""
    if hand.confirmed:
        return t("checking.why-not.confirmed", when=moment(hand.confirmed, words))
    return "" if can_check else t("checking.why-not.own")


def _differences(tables: Sequence[Table], words: Words) -> Iterator[tuple[str, str, str]]:
    """The lines of a side whose points differ between two countings: label and both cells. The totals come last."""
    if len(tables) < 2:  # noqa: PLR2004 - two to be compared
        return
    one, other = (dict(_cells(table, words)) for table in tables)
    for name, side in sorted({**one, **other}, key=lambda key: key[0] == t("web.hand.total")):
        cells = [found.get((name, side)) for found in (one, other)]
        if len({cell[1] if cell else "" for cell in cells}) > 1:
            first, second = (" ".join(cell).strip() if cell else t("checking.nothing") for cell in cells)
            yield t("count.of-side", side=side, label=name), first, second


def _cells(table: Table, words: Words) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """The count and points of each line and side of a table, and of the totals."""
    for row in table.rows:
        for side, line in zip(table.names, row.lines, strict=True):
            if line:
                has_count = line.count is not None and row.item != "out"
                count = t("web.times", count=line.count or 0) if has_count else ""
                yield (row.label, side), (count, words.signed(line.points))
    for side, points in zip(table.names, table.totals, strict=True):
        yield (t("web.hand.total"), side), ("", words.signed(points))

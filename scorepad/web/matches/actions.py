"""Actions on a match besides counting: penalties, remarks, names, rules, ends, rematch, deletion."""

from __future__ import annotations

from typing import Any, Literal

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import BooleanField, Field, HiddenField, StringField, TextAreaField, ValidationError
from wtforms.validators import DataRequired

from scorepad.matches.access import Access, HandsCounted, MatchId, MatchNotFound, NotOwner, RequestRefused
from scorepad.matches.actions import NewPenalty
from scorepad.matches.events import EndHow, Ending
from scorepad.matches.names import NamesRefused, tidy
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import Saved, Stale
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.judge import Seat, seating
from scorepad.rules.table import HOUSE
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.web import presenters
from scorepad.web.base import (
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
    to_new_match,
    trouble,
)
from scorepad.web.forms import (
    CONFLICT,
    INVALID,
    LONGEST_NOTE,
    NUMERIC,
    Choice,
    ChoiceField,
    HiddenNumber,
    Misread,
    PadForm,
    add_error,
    at_most,
    checks_itself,
    form_errors,
    lazy,
    one_line,
    problem_text,
    read_figure,
    respond,
)
from scorepad.web.hand_fields import add_penalty, noted_penalties, unread
from scorepad.web.matches.page import BOTH, done, match_values, rules_values
from scorepad.web.matches.setup import SetupForm, house_options, label_fields, rule_fields
from scorepad.web.presenters import hand_anchor, is_refetch, places_shown, player, side_names, versus, watch, watch_form
from scorepad.web.rule_choices import seat_options
from scorepad.web.security import limit_matches

blueprint = Blueprint("actions", __name__, url_prefix="/partite/<match>")
MOST_HANDS = 999
"""Largest number of a hand after which an end may be agreed."""
LENGTHS: dict[str, Literal[0, 3, 5]] = {"3": 3, "5": 5}
"""The length of a series, by button value."""


def show_form(
    name: str, form: PadForm, state: MatchState, title: str, kinds: frozenset[str], status: int = 200, **values: Any
) -> Response:
    """The page of an action with its form; it reports entries of these kinds since it was first shown.

    `name`: name of the template and of the endpoint.
    """
    place = {key: value for key, value in (request.view_args or {}).items() if key != "match"}
    return render_page(
        f"matches/{name}.html",
        title=title,
        status=status,
        errors=form_errors(form),
        watch=watch_form(state, f"actions.{name}", kinds, **place),
        match=state,
        form=form,
        **{"has_form": True, **values},
    )


# ---------------------------------------------------------------- penalties


class PenaltyForm(PadForm):
    """A penalty in the open hand `hand`: side, code, and for a house penalty its points and reason."""

    hand = HiddenField()
    side = ChoiceField(lazy("match.penalty.side"), message="match.penalty.whose")
    code = ChoiceField(lazy("match.penalty.which"), message="match.penalty.choose")
    points = StringField(
        lazy("match.penalty.points"),
        description=lazy("match.penalty.points.hint", step=SMALLEST_POINTS),
        render_kw=NUMERIC,
    )
    reason = StringField(lazy("match.penalty.reason"), [at_most(LONGEST_NOTE)])

    def __init__(self, state: MatchState) -> None:
        super().__init__()
        self.draft = state.open_hand.draft if state.open_hand else {}
        self.side.choices = tuple(Choice(str(place), side.name) for place, side in enumerate(state.sides))
        self.code.choices = tuple(map(Choice, state.rules.penalties))

    @property
    def new_penalty(self) -> NewPenalty:
        """The penalty of a valid form."""
        side, code = int(self.side.data), self.code.data
        if code != HOUSE:
            return NewPenalty(side, code)
        points = read_figure(self.points.data, language())
        assert isinstance(points, int)
        return NewPenalty(side, code, points, self.reason.data.strip())

    def validate(self, extra_validators: Any = None) -> bool:
        """Last, refuse a penalty whose field in the open hand is unreadable: nothing can be added to it."""
        if not super().validate(extra_validators):
            return False
        text = "" if self.code.data == HOUSE else unread(self.draft, int(self.side.data), self.code.data, language())
        if text:
            add_error(self.code, t("match.penalty.unread", text=text))
        return not text

    def validate_points(self, field: Field) -> None:
        """Refuse invalid points, and points or a reason for a penalty that defines them."""
        if self.code.data != HOUSE:
            if self.code.data and ((field.data or "").strip() or (self.reason.data or "").strip()):
                raise ValidationError(t("match.penalty.other"))
            return
        points = read_figure(field.data or "", language())
        if points is None:
            raise ValidationError(t("match.penalty.points-missing"))
        if points is Misread.MINUS:
            raise ValidationError(t("match.penalty.points-minus"))
        if not isinstance(points, int) or points <= 0 or points % SMALLEST_POINTS:
            raise ValidationError(t("match.penalty.points-wrong", step=SMALLEST_POINTS))

    def validate_reason(self, field: Field) -> None:
        """Refuse a house penalty without a reason."""
        if self.code.data == HOUSE and not (field.data or "").strip():
            raise ValidationError(t("match.penalty.reason-missing"))


@blueprint.route("/penalita", methods=BOTH)
@checks_itself
def penalty(match: str) -> Response:
    """Add a penalty to the open hand."""
    state, words = load_match(match), page_words()
    if request.method == "GET" and state.status.finished and not is_refetch():
        return match_is_over(match)
    form = PenaltyForm(state)

    def show(status: int = 200, now: MatchState = state) -> Response:
        noted, title = list(noted_penalties(now, words)), t("match.penalty.title")
        return show_form(
            "penalty", form, now, title, presenters.PENALTIES, status, noted=noted,
            places=lambda cited: places_shown(map(str, cited.citations), words),
        )  # fmt: skip

    if request.method == "GET":
        # The referee links here with a penalty that it cannot add itself.
        case = request.args.get("caso", "")
        form.hand.data, form.code.data = state.coming_id, case if case in state.rules.penalties else None
        return show()
    if not state.rules.penalties:
        return show(INVALID)

    def saved(result: Saved) -> Response:
        new_penalty = form.new_penalty
        points = state.rules.penalties[new_penalty.code].points if new_penalty.points is None else new_penalty.points
        side = state.sides[new_penalty.side].name
        return done(result, "match.penalty.done", side=side, points=words.signed(-(points or 0)))

    def stale(now: MatchState) -> Response:
        if now.status.finished:
            return match_is_over(match)
        is_same = now.coming_id == form.hand.data
        form.reject(t("serve.sent-before") if is_same else t("match.penalty.stale", number=now.coming))
        form.hand.data = now.coming_id
        return show(CONFLICT, now)

    def act() -> Saved | Stale:
        hand, new_penalty = form.hand.data or "", form.new_penalty
        write = add_penalty(new_penalty, language())
        return get_pad().actions.add_penalty(form.request_name, state.id, device_id(), hand, new_penalty, write)

    return respond(form, act, show=show, saved=saved, stale=stale)


# ---------------------------------------------------------------- remarks


class RemarkForm(PadForm):
    """The remark on a counted hand, and the one shown on the page."""

    seen = HiddenField()
    text = TextAreaField(
        lazy("match.remark.text"),
        [at_most(LONGEST_NOTE, length=lambda text: len(one_line(text)))],
        description=lazy("match.remark.hint", limit=LONGEST_NOTE),
    )


@blueprint.route("/smazzate/<int:number>/annotazione", methods=BOTH)
@checks_itself
def remark(match: str, number: int) -> Response:
    """Write, change or remove the remark on a counted hand."""
    state, form = load_match(match), RemarkForm()
    stands = _remark(state, number)

    def show(status: int = 200, now: MatchState = state) -> Response:
        title = t("match.remark.title", number=now.called(number))
        return show_form("remark", form, now, title, presenters.REMARKS, status)

    if request.method == "GET":
        if not 1 <= number <= len(state.hands) and not is_refetch():
            abort(404)
        form.seen.data = form.text.data = stands
        return show()

    def act() -> Saved | Stale:
        # A browser may change the line breaks of the remark.
        seen = stands if one_line(form.seen.data or "") == one_line(stands) else form.seen.data or ""
        text = one_line(form.text.data or "")
        return get_pad().actions.remark(form.request_name, state.id, device_id(), number, seen, text)

    def stale(now: MatchState) -> Response:
        if number > len(now.hands):
            notice(t("match.remark.gone", number=now.called(number)))
            return to_match(match)
        form.seen.data = current = _remark(now, number)
        form.reject(t("match.remark.stale", text=current) if current else t("match.remark.stale-empty"))
        return show(CONFLICT, now)

    return respond(form, act, show=show, saved=lambda _: to_match(match, hand_anchor(number)), stale=stale)


def _remark(state: MatchState, number: int) -> str:
    return state.hands[number - 1].remark if 1 <= number <= len(state.hands) else ""


# ---------------------------------------------------------------- replacing a player


class ReplaceForm(PadForm):
    """A seat, its player when the page was shown, and the new player. Made by `replace_form`."""

    seat = ChoiceField(lazy("match.replace.seat"), message="match.replace.choose")
    name = StringField(lazy("match.replace.name"))

    @property
    def chosen(self) -> Seat:
        """The seat of a valid form."""
        side, index = self.seat.data.split("-")
        return int(side), int(index)

    @property
    def was(self) -> str:
        """Who sat there."""
        return self[f"was-{self.seat.data}"].data or ""

    def fill(self, state: MatchState) -> None:
        """Store who sits there now."""
        for side, index in seating(state.rules.settings):
            self[f"was-{side}-{index}"].data = state.labels.seated((side, index))

    def refuse(self, refused: NamesRefused) -> None:
        """Show the error of the name."""
        for text in dict.fromkeys(map(problem_text, refused.problems)):
            add_error(self.name, text)

    def validate_name(self, field: Field) -> None:
        """Refuse a blank name, and the name of the seated player."""
        name = tidy(field.data or "")
        if not name:
            raise ValidationError(t("match.replace.missing"))
        if f"was-{self.seat.data}" in self and name == self.was:
            raise ValidationError(t("match.replace.same"))


def replace_form(state: MatchState) -> ReplaceForm:
    """The form for the seats of a match."""
    seats = seating(state.rules.settings)
    fields = {f"was-{side}-{index}": HiddenField() for side, index in seats}
    form: ReplaceForm = type("ReplaceForm", (ReplaceForm,), fields)()
    words = page_words()
    form.seat.choices = tuple(Choice(f"{seat[0]}-{seat[1]}", player(seat, state=state, words=words)) for seat in seats)
    return form


@blueprint.route("/giocatore", methods=BOTH)
@checks_itself
def replace(match: str) -> Response:
    """Replace a player from the next hand on."""
    state = load_match(match)
    if state.status.finished and not is_refetch():
        return match_is_over(match)
    form = replace_form(state)

    def show(status: int = 200, now: MatchState = state) -> Response:
        return show_form("replace", form, now, t("match.replace.title"), presenters.NAMES, status)

    if request.method == "GET":
        form.fill(state)
        return show()

    def saved(result: Saved) -> Response:
        key = "match.replace.done" if form.was else "match.replace.seated"
        return done(result, key, number=state.coming, name=tidy(form.name.data), was=form.was)

    def stale(now: MatchState) -> Response:
        form.reject(t("match.replace.stale"))
        form.fill(now)
        return show(CONFLICT, now)

    def act() -> Any:
        sent = (form.request_name, state.id, device_id())
        return get_pad().actions.replace(*sent, form.chosen, form.was, form.name.data)

    return respond(form, act, show=show, saved=saved, stale=stale)


# ---------------------------------------------------------------- names and rules


@blueprint.route("/nomi", methods=BOTH)
@checks_itself
def names(match: str) -> Response:
    """Change the names of sides and players, and the place."""
    state = load_match(match)
    sizes = state.rules.settings.sides
    form: SetupForm = type("NamesForm", (SetupForm,), label_fields(sizes, [""] * len(sizes)))()

    def show(status: int = 200, now: MatchState = state) -> Response:
        return show_form("names", form, now, t("web.names.title"), presenters.NAMES, status)

    if request.method == "GET":
        form.fill_names(state.labels, state.sequence)
        return show()

    def stale(now: MatchState) -> Response:
        form.reject(t("serve.named-before", names=versus(side_names(now), page_words())))
        form.seen.data = str(now.sequence)
        return show(CONFLICT, now)

    def act() -> Any:
        typed = (form.names, form.players, form.place.data, request.form.get("seen", 0, type=int))
        return get_pad().actions.rename(form.request_name, state.id, device_id(), *typed)

    return respond(form, act, show=show, saved=lambda _: to_match(match), stale=stale)


@blueprint.route("/regole", methods=BOTH)
@checks_itself
def rules(match: str) -> Response:
    """Change the rules and the target before the first hand; show them after it."""
    state = load_match(match)
    is_gone, form = state.rules.variant not in variant_ids(), PadForm()
    if not is_gone:
        variant = get_variant(state.rules.variant)
        seated = {option.id: state.rules.options[option.id] for option in seat_options(variant)}
        fields = rule_fields(variant, seated, house_options(variant))
        form = type("RulesForm", (SetupForm,), fields)()
        form.offer_rules()

    def show(status: int = 200, now: MatchState = state, *, is_stale: bool = False) -> Response:
        is_open = not is_gone and not now.hands
        return show_form(
            "rules", form, now, t("match.rules.title"), presenters.RULES, status,
            has_form=is_open, is_open=is_open, is_gone=is_gone, is_stale=is_stale, **rules_values(now, page_words()),
        )  # fmt: skip

    if request.method == "GET":
        if not is_gone:
            form.fill_rules(state.rules)
        return show()
    if is_gone:
        return show(CONFLICT)

    def stale(now: MatchState) -> Response:
        form.reject(t("match.rules.stale"))
        form.seen.data = now.rules.digest
        return show(CONFLICT, now, is_stale=True)

    def act() -> Any:
        wanted = (form.preset.data or None, {**form.options, **form.seated}, form.seen.data or "")
        return get_pad().actions.change_rules(form.request_name, state.id, device_id(), *wanted)

    try:
        return respond(form, act, show=show, saved=lambda result: done(result, "match.rules.done"), stale=stale)
    except HandsCounted:
        form.reject(t("match.rules.late"))
        return show(CONFLICT, load_match(match))


# ---------------------------------------------------------------- the end


class EndForm(PadForm):
    """An agreed end, and the number of hands counted when the page was shown."""

    seen = HiddenNumber()
    how = ChoiceField(lazy("match.end.how"), message="match.end.choose")
    number = StringField(lazy("match.end.number"), render_kw=NUMERIC)

    def __init__(self, state: MatchState, **values: Any) -> None:
        super().__init__(**values)
        self.show(state)

    def show(self, state: MatchState) -> None:
        """Offer the ends that are possible now; `matches/end.html` words them."""
        self.state = state
        given_up = [f"{EndHow.GIVEN_UP}:{place}" for place in range(len(state.sides))]
        ways = [EndHow.LAST_HAND, EndHow.HANDS, EndHow.TIME, *given_up, EndHow.BROKEN_OFF]
        self.how.choices = tuple(map(Choice, [EndHow.BY_RULES, *ways] if state.ending else ways))
        self.number.description = t("match.end.number.hint", hands=state.coming - 1)

    @property
    def ending(self) -> Ending:
        """The end of a valid form."""
        how, _, side = self.how.data.partition(":")
        hands = None
        if how == EndHow.LAST_HAND:
            hands = self.seen.data + 1
        elif how == EndHow.HANDS:
            hands = int(read_figure(self.number.data, language()) or 0) - self.state.played
        return Ending(EndHow(how), hands, int(side) if side else None)

    def validate_seen(self, field: Field) -> None:
        """Refuse values that our pages never send; the form is shown again for the current match."""
        if field.data is None or field.data > MOST_HANDS:
            field.data = len(self.state.hands)
            raise ValidationError(t("web.error.expired"))

    def validate_number(self, field: Field) -> None:
        """Refuse a hand already played, or never to be played; checked only if that end is chosen."""
        if self.how.data != EndHow.HANDS:
            return
        number, deals = read_figure(field.data or "", language()), self.state.rules.settings.match_deals
        following = self.state.played + self.seen.data + 1
        if number is None:
            raise ValidationError(t("match.end.number-missing"))
        if isinstance(number, Misread) or number == 0:
            raise ValidationError(t("match.end.number-wrong", number=following + 1))
        if number < following:
            raise ValidationError(t("match.end.number-small", asked=number, number=following))
        if deals is not None and number >= deals:
            raise ValidationError(t("match.end.number-large", hands=deals))
        if number > MOST_HANDS:
            raise ValidationError(t("match.end.number-huge", most=MOST_HANDS))


@blueprint.route("/fine", methods=BOTH)
@checks_itself
def end(match: str) -> Response:
    """End the match other than by its rules."""
    state = load_match(match)
    if request.method == "GET" and state.status.finished and not is_refetch():
        return match_is_over(match)
    form = EndForm(state, seen=len(state.hands))

    def show(status: int = 200, now: MatchState = state) -> Response:
        draft = now.open_hand.draft if now.open_hand else {}
        is_typed = any(text.strip() for text in draft.values())
        return show_form("end", form, now, t("match.end.title"), presenters.END, status, is_typed=is_typed)

    if request.method == "GET":
        return show()

    def stale(now: MatchState) -> Response:
        if now.status.finished:
            return match_is_over(match)
        form.reject(t("serve.sent-before" if form.seen.data == len(now.hands) else "match.end.stale"))
        form.seen.data = len(now.hands)
        form.show(now)
        return show(CONFLICT, now)

    def act() -> Saved | Stale:
        return get_pad().actions.end(form.request_name, state.id, device_id(), form.seen.data, form.ending)

    return respond(form, act, show=show, saved=lambda _: to_match(match), stale=stale)


# ---------------------------------------------------------------- rematch and deletion


@blueprint.post("/rivincita")
@checks_itself
def rematch(match: str) -> Response:
    """Start the rematch with the next dealer, or go to the one that was started."""
    form = PadForm()
    if not form.validate():
        return trouble("expired", 400)
    limit_matches()
    try:
        best_of = LENGTHS.get(request.form.get("best_of", ""), 0)
        result = get_pad().actions.rematch(form.request_name, MatchId(match), device_id(), best_of)
    except RequestRefused:
        return trouble("sent-before", 400)
    if isinstance(result, Stale):
        notice(t("match.rematch.stale"))
        return to_match(match)
    return to_new_match(result)


class DeleteForm(PadForm):
    """The confirmation required to delete a match."""

    sure = BooleanField(lazy("match.delete.sure"), [DataRequired(lazy("match.delete.not-sure"))])


@blueprint.route("/cancella", methods=BOTH)
@checks_itself
def delete(match: str) -> Response:
    """Delete the match permanently; only the device that owns it may."""
    state, form, is_sent = load_match(match), DeleteForm(), request.method == "POST"
    if state.access is not Access.OWN:
        return _show_delete(state, None, 403 if is_sent else 200)
    if not is_sent or not form.validate():
        return _show_delete(state, form, INVALID if is_sent else 200)
    # Stored before the deletion: the same form may be submitted again.
    text = t("match.delete.done", names=versus(side_names(state), page_words()))
    app_state().deleted.put(_deletion(match, form), text)
    try:
        get_pad().actions.delete(state.id, device_id())
    except NotOwner:
        return _show_delete(state, None, 403)
    return _deleted(text)


@blueprint.errorhandler(MatchNotFound)
def no_match(_: MatchNotFound) -> Response:
    """404; for a repeated deletion, the first response."""
    if request.method != "POST" or request.endpoint != "actions.delete":
        return refused("no-match", 404)
    text = app_state().deleted.get(_deletion((request.view_args or {})["match"], DeleteForm()))
    return trouble("gone", 404) if text is None else _deleted(text)


def _deletion(match: str, form: DeleteForm) -> tuple[str, ...]:
    return match, device_id(), form.request_name


def _deleted(text: str) -> Response:
    notice(text)
    return redirect(url_for("home.page"), code=303)


def _show_delete(state: MatchState, form: DeleteForm | None, status: int) -> Response:
    """The page to delete a match; without a form for a device that does not own it."""
    phones = () if form else get_pad().devices.phones(state.id, device_id())
    return render_page(
        "matches/delete.html",
        title=t("match.delete.title"),
        status=status,
        errors=form_errors(form) if form else (),
        watch=watch(state, url_for("actions.delete", match=state.id)),
        has_form=form is not None,
        **match_values(state, page_words()),
        form=form,
        owner=next((phone.number for phone in phones if phone.access == Access.OWN), None),
    )

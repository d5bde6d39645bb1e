"""Actions on a match besides counting: penalties, remarks, names, rules, ends, rematch, deletion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from flask import Blueprint, abort, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response
from wtforms import BooleanField, Field, HiddenField, StringField, TextAreaField, ValidationError
from wtforms.validators import DataRequired

from scorepad.i18n import Words
from scorepad.matches.access import Access, MatchId, MatchNotFound
from scorepad.matches.actions import HandsCounted, NewPenalty
from scorepad.matches.events import EndHow, Ending
from scorepad.matches.names import NamesRefused, tidy
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import Saved, Stale
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.hand import HOUSE
from scorepad.rules.judging import seating
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.storage.rows import DeviceRecord
from scorepad.web import base, citations, error_pages, forms, watching
from scorepad.web.base import (
    device_id,
    done,
    get_pad,
    language,
    load_match,
    match_is_over,
    page_words,
    t,
    to_match,
)
from scorepad.web.forms import (
    CONFLICT,
    INVALID,
    Choice,
    ChoiceField,
    PadForm,
    Sent,
    checks_itself,
    lazy,
    one_line,
)
from scorepad.web.matches.page import BOTH, has_typed_hand, rules_values, show_form
from scorepad.web.matches.setup import (
    SetupForm,
    label_fields,
    make_setup_form,
    rule_fields,
    rule_options,
)
from scorepad.web.open_hand import noted_penalties
from scorepad.web.presenters import hand_anchor, player_name, versus
from scorepad.web.request_limits import limit_matches
from scorepad.web.rule_choices import seat_options
from scorepad.web.watching import is_refetch, watch

blueprint = Blueprint("actions", __name__, url_prefix="/partite/<match>")
MOST_HANDS = 999
"""Largest number of a hand after which an end may be agreed."""
LENGTHS: dict[str, Literal[0, 3, 5]] = {"3": 3, "5": 5}
"""The length of a series, by button value."""


def _is_closed(state: MatchState) -> bool:
    """Whether a page is opened that a finished match no longer has.

    A form that is sent gets its answer also after the end, and so does a page that was open before
    and is fetched again to be updated.
    """
    if not state.status.finished:
        return False
    return request.method == "GET" and not is_refetch()


# ---------------------------------------------------------------- penalties


class PenaltyForm(PadForm):
    """A penalty in the open hand `hand`: side, code, and for a house penalty its points and reason."""

    hand = HiddenField()
    side = ChoiceField(lazy("match.penalty.side"), message="match.penalty.whose")
    code = ChoiceField(lazy("match.penalty.which"), message="match.penalty.choose")
    points = StringField(
        lazy("match.penalty.points"),
        description=lazy("match.penalty.points.hint", step=SMALLEST_POINTS),
        render_kw=forms.NUMERIC,
    )
    reason = StringField(lazy("match.penalty.reason"), [forms.at_most(forms.LONGEST_REMARK)])

    def __init__(self, state: MatchState) -> None:
        super().__init__()
        sides = [Choice(str(position), side.name) for position, side in enumerate(state.sides)]
        self.side.choices = tuple(sides)
        self.code.choices = tuple(map(Choice, state.rules.penalties))

    @property
    def new_penalty(self) -> NewPenalty:
        points = forms.figure_of(self.points.data)
        reason = (self.reason.data or "").strip()
        return NewPenalty(int(self.side.data), self.code.data, points, reason)

    def validate_points(self, field: Field) -> None:
        """Refuse invalid points, and points or a reason for a penalty that defines them."""
        if not self.code.data:
            return
        points = forms.read_figure(field.data or "", language())
        if self.code.data != HOUSE:
            has_reason = bool((self.reason.data or "").strip())
            if points is not None or has_reason:
                raise ValidationError(t("match.penalty.other"))
            return
        if points is None:
            raise ValidationError(t("match.penalty.points-missing", step=SMALLEST_POINTS))
        if points is forms.Misread.MINUS:
            raise ValidationError(t("match.penalty.points-minus", step=SMALLEST_POINTS))
        if not isinstance(points, int) or points <= 0 or points % SMALLEST_POINTS:
            raise ValidationError(t("match.penalty.points-wrong", step=SMALLEST_POINTS))

    def validate_reason(self, field: Field) -> None:
        """Refuse a house penalty without a reason."""
        if self.code.data == HOUSE and not (field.data or "").strip():
            raise ValidationError(t("match.penalty.reason-missing"))


@blueprint.route("/penalita", methods=BOTH, endpoint="penalty")
@checks_itself
def penalty_page(match: str) -> Response:
    """Add a penalty to the hand being played."""
    state = load_match(match)
    if _is_closed(state):
        return match_is_over(match)
    form = PenaltyForm(state)
    if request.method == "POST":
        return _add_penalty(state, form)
    form.hand.data = state.coming_id
    # The referee links here with the code of a penalty that it cannot add itself.
    linked_code = request.args.get("caso", "")
    if linked_code in state.rules.penalties:
        form.code.data = linked_code
    return _show_penalty(state, form)


def _add_penalty(state: MatchState, form: PenaltyForm) -> Response:
    """Add the penalty of a submitted form, and redirect to the match; or show the form again."""
    if not state.rules.penalties:  # the page has no form then
        form.status = INVALID
        return _show_penalty(state, form)

    def add(sent: Sent) -> Saved | Stale:
        return get_pad().actions.add_penalty(*sent, form.hand.data or "", form.new_penalty)

    result = form.submit(state.id, add)
    if isinstance(result, Saved):
        return _penalty_added(result, state, form.new_penalty)
    if isinstance(result, Stale):
        return _show_stale_penalty(result.state, form)
    return _show_penalty(state, form)


def _show_stale_penalty(state: MatchState, form: PenaltyForm) -> Response:
    """The form again, because the hand that it was for is over; `state` is the match now.

    If that hand is still being played, the same form was sent before with another penalty.
    """
    if state.status.finished:
        return match_is_over(state.id)
    if form.hand.data == state.coming_id:
        form.reject(t("serve.sent-before"))
    else:
        form.hand.data = state.coming_id
        form.reject(t("match.penalty.stale", number=state.coming))
    return _show_penalty(state, form)


def _penalty_added(result: Saved, state: MatchState, penalty: NewPenalty) -> Response:
    """The match page after a penalty was noted, with a notice of whom it costs how much."""
    points = penalty.points
    if points is None:
        points = state.rules.penalties[penalty.code].points or 0
    return done(
        result,
        "match.penalty.done",
        side=state.sides[penalty.side].name,
        points=page_words(state.rules).signed(-points),
    )


def _show_penalty(state: MatchState, form: PenaltyForm) -> Response:
    """The page with the form of a penalty, and the penalties that were noted already."""
    words = page_words(state.rules)
    sources = _penalty_sources(state, words)
    return show_form(
        form,
        "matches/penalty.html",
        state,
        title=t("match.penalty.title"),
        kinds=watching.PENALTIES,
        noted=noted_penalties(state, words),
        sources=sources.by_penalty,
        shared_source=sources.shared,
    )


class PenaltySources(NamedTuple):
    """The most frequent source of the penalties if several share it, and the others by penalty."""

    shared: Markup
    by_penalty: dict[str, Markup]


def _penalty_sources(state: MatchState, words: Words) -> PenaltySources:
    """The sources of the penalties of a match, as HTML, by the code of the penalty."""
    by_penalty = {}
    for code, penalty in state.rules.penalties.items():
        if penalty.points is not None and penalty.cited.citations:
            citations_of_penalty = map(str, penalty.cited.citations)
            by_penalty[code] = citations.citations_html(citations_of_penalty, words)
    if not by_penalty:
        return PenaltySources(Markup(), {})
    [(most_frequent, times)] = Counter(by_penalty.values()).most_common(1)
    if times == 1:
        return PenaltySources(Markup(), by_penalty)
    others = {code: source for code, source in by_penalty.items() if source != most_frequent}
    return PenaltySources(most_frequent, others)


# ---------------------------------------------------------------- remarks


def _length_in_one_line(text: str) -> int:
    return len(one_line(text))


class RemarkForm(PadForm):
    """The remark on a counted hand, and the one shown on the page."""

    shown_text = HiddenField()
    text = TextAreaField(
        lazy("match.remark.text"),
        [forms.at_most(forms.LONGEST_REMARK, length=_length_in_one_line)],
        description=lazy("match.remark.hint", limit=forms.LONGEST_REMARK),
    )


@blueprint.route("/smazzate/<int:number>/annotazione", methods=BOTH)
@checks_itself
def remark(match: str, number: int) -> Response:
    """Write, change or remove the remark on a counted hand."""
    state = load_match(match)
    form = RemarkForm()
    if request.method == "POST":
        return _store_remark(state, number, form)
    has_hand = 1 <= number <= len(state.hands)
    if not has_hand and not is_refetch():  # an open form says that its hand was undone
        abort(404)
    remark_now = _remark_on(state, number)
    form.shown_text.data = remark_now
    form.text.data = remark_now
    return _show_remark(state, number, form)


def _store_remark(state: MatchState, number: int, form: RemarkForm) -> Response:
    """Store the remark of a submitted form, and redirect to the match; or show the form again."""
    remark_now = _remark_on(state, number)
    remark_shown = form.shown_text.data or ""
    if one_line(remark_shown) == one_line(remark_now):
        # They are the same, although a browser may change the line breaks of what it sends back.
        remark_shown = remark_now
    new_remark = one_line(form.text.data or "")

    def store(sent: Sent) -> Saved | Stale:
        return get_pad().actions.remark(*sent, number, remark_shown, new_remark)

    result = form.submit(state.id, store)
    if isinstance(result, Saved):
        return to_match(state.id, hand_anchor(number))
    if isinstance(result, Stale):
        return _show_stale_remark(result.state, number, form)
    return _show_remark(state, number, form)


def _show_stale_remark(state: MatchState, number: int, form: RemarkForm) -> Response:
    """The form again, because the hand got another remark since the page was loaded; `state` is the
    match now. If the hand was undone, the page of the match says so.
    """
    if number > len(state.hands):
        message = t("match.remark.gone", number=state.called(number))
        return to_match(state.id, message=message)
    remark_now = _remark_on(state, number)
    form.shown_text.data = remark_now
    if remark_now:
        form.reject(t("match.remark.stale", text=remark_now))
    else:
        form.reject(t("match.remark.stale-empty"))
    return _show_remark(state, number, form)


def _show_remark(state: MatchState, number: int, form: RemarkForm) -> Response:
    return show_form(
        form,
        "matches/remark.html",
        state,
        title=t("match.remark.title", number=state.called(number)),
        kinds=watching.REMARKS,
    )


def _remark_on(state: MatchState, number: int) -> str:
    """The remark on a hand; empty if it has none, or was never played."""
    if not 1 <= number <= len(state.hands):
        return ""
    return state.hands[number - 1].remark


# ---------------------------------------------------------------- replacing a player


class ReplaceForm(PadForm):
    """A seat, the new player, and the players of all seats when the page was shown."""

    seated = HiddenField()
    """Those players in the order of the seats, separated by tabs."""
    seat = ChoiceField(lazy("match.replace.seat"), message="match.replace.choose")
    name = StringField(lazy("match.replace.name"))

    def __init__(self, state: MatchState) -> None:
        super().__init__()
        self.seats = {}
        choices = []
        words = page_words()
        for seat in seating(state.rules.settings):
            side, index = seat
            value = f"{side}-{index}"
            self.seats[value] = seat
            choices.append(Choice(value, player_name(seat, state=state, words=words)))
        self.seat.choices = tuple(choices)

    @property
    def was(self) -> str:
        """Who sat on the chosen seat when the page was shown."""
        players = (self.seated.data or "").split("\t")
        players_by_seat: dict[str, str] = dict(zip(self.seats, players, strict=False))
        return players_by_seat.get(self.seat.data or "", "")

    def fill(self, state: MatchState) -> None:
        """Store who sits there now."""
        self.seated.data = "\t".join(map(state.labels.seated, self.seats.values()))

    def refuse(self, refused: NamesRefused) -> None:
        """Show the error of the name."""
        for text in dict.fromkeys(map(forms.problem_text, refused.problems)):
            forms.add_error(self.name, text)

    def validate_name(self, field: Field) -> None:
        """Refuse a blank name, and the name of the seated player."""
        name = tidy(field.data or "")
        if not name:
            raise ValidationError(t("match.replace.missing"))
        if name == self.was:
            raise ValidationError(t("match.replace.same"))


@blueprint.route("/giocatore", methods=BOTH)
@checks_itself
def replace(match: str) -> Response:
    """Replace a player from the next hand on."""
    state = load_match(match)
    if _is_closed(state):
        return match_is_over(match)
    form = ReplaceForm(state)
    if request.method == "GET":
        form.fill(state)
        return _show_replace(state, form)

    def act(sent: Sent) -> Saved | Stale | NamesRefused:
        seat = form.seats[form.seat.data]
        return get_pad().actions.replace(*sent, seat, form.was, form.name.data)

    result = form.submit(state.id, act)
    if isinstance(result, Saved):
        key = "match.replace.done" if form.was else "match.replace.seated"
        return done(result, key, number=state.coming, name=tidy(form.name.data), was=form.was)
    if isinstance(result, Stale):
        state = result.state
        form.fill(state)
        form.reject(t("match.replace.stale"))
    return _show_replace(state, form)


def _show_replace(state: MatchState, form: ReplaceForm) -> Response:
    return show_form(
        form,
        "matches/replace.html",
        state,
        title=t("match.replace.title"),
        kinds=watching.NAMES,
    )


# ---------------------------------------------------------------- names and rules


@blueprint.route("/nomi", methods=BOTH, endpoint="names")
@checks_itself
def names_page(match: str) -> Response:
    """Change the names of sides and players, and the place."""
    state = load_match(match)
    form = make_setup_form(label_fields(state.rules.settings.sides))
    if request.method == "POST":
        return _rename(state, form)
    form.fill_labels(state.labels, state.sequence)
    return _show_names(state, form)


def _rename(state: MatchState, form: SetupForm) -> Response:
    """Store the names of a submitted form, and redirect to the match; or show the form again.

    `form.submit` shows the problems of names that are refused at their fields.
    """
    last_entry_shown = request.form.get("seen", 0, type=int)

    def rename(sent: Sent) -> Saved | Stale | NamesRefused:
        return get_pad().actions.rename(*sent, form.labels, last_entry_shown)

    result = form.submit(state.id, rename)
    if isinstance(result, Saved):
        return to_match(state.id)
    if isinstance(result, Stale):  # the same form was sent before with other names
        state = result.state
        form.seen.data = str(state.sequence)
        form.reject(t("serve.named-before", names=versus(state.names, page_words())))
    return _show_names(state, form)


def _show_names(state: MatchState, form: SetupForm) -> Response:
    return show_form(
        form,
        "matches/names.html",
        state,
        title=t("match.names.title"),
        kinds=watching.NAMES,
    )


@blueprint.route("/regole", methods=BOTH, endpoint="rules")
@checks_itself
def rules_page(match: str) -> Response:
    """Change the rules and the target before the first hand; show them after it."""
    state = load_match(match)
    if state.rules.variant not in variant_ids():
        return _show_rules_of_removed_variant(state)
    form = _rules_form(state)
    if request.method == "GET":
        form.fill_rules(state.rules)
        return _show_rules(state, form, has_form=not state.hands)

    def act(sent: Sent) -> Saved | Stale | NamesRefused:
        options = {**form.options, **form.seated}
        preset = form.preset.data or None
        return get_pad().actions.change_rules(*sent, preset, options, form.shown_rules.data or "")

    try:
        result = form.submit(state.id, act)
    except HandsCounted:
        form.reject(t("match.rules.late"))
        state = load_match(match)
    else:
        if isinstance(result, Saved):
            return done(result, "match.rules.done")
        if isinstance(result, Stale):
            state = result.state
            form.shown_rules.data = state.rules.digest
            form.reject(t("match.rules.stale"))
    return _show_rules(state, form, has_form=not state.hands)


def _rules_form(state: MatchState) -> SetupForm:
    """A form with the rules of the variant of a match; who sits at the table is not to be changed."""
    variant = get_variant(state.rules.variant)
    seated = {option.id: state.rules.options[option.id] for option in seat_options(variant)}
    form = make_setup_form(rule_fields(variant, seated, rule_options(variant)))
    form.offer_rules()
    return form


def _show_rules_of_removed_variant(state: MatchState) -> Response:
    """The rules of a match by house rules that were removed; they cannot be changed."""
    form = PadForm()
    form.status = 200 if request.method == "GET" else CONFLICT
    return _show_rules(state, form, has_form=False)


def _show_rules(state: MatchState, form: PadForm, *, has_form: bool) -> Response:
    return show_form(
        form,
        "matches/rules.html",
        state,
        title=t("match.rules.title"),
        kinds=watching.RULES,
        has_form=has_form,
        is_stale=form.status == CONFLICT,
        **rules_values(state, page_words(state.rules)),
    )


# ---------------------------------------------------------------- the end


class EndForm(PadForm):
    """An agreed end, and the number of hands counted when the page was shown."""

    shown_hands = forms.HiddenNumber()
    how = ChoiceField(lazy("match.end.how"), message="match.end.choose")
    number = StringField(lazy("match.end.number"), render_kw=forms.NUMERIC)

    def __init__(self, state: MatchState, **values: Any) -> None:
        super().__init__(**values)
        self.offer(state)

    def offer(self, state: MatchState) -> None:
        """Offer the ends that are possible now; `matches/end.html` words them."""
        self.state = state
        given_up = [f"{EndHow.GIVEN_UP}:{position}" for position in range(len(state.sides))]
        ends = [EndHow.LAST_HAND, EndHow.HANDS, EndHow.TIME, *given_up, EndHow.BROKEN_OFF]
        if state.ending:
            ends = [EndHow.BY_RULES, *ends]
        self.how.choices = tuple(map(Choice, ends))
        self.number.description = t("match.end.number.hint", hands=state.coming - 1)

    @property
    def ending(self) -> Ending:
        """The end that was chosen. The choice `given-up:1` is that the second side gives up."""
        chosen: str = self.how.data
        if chosen == EndHow.LAST_HAND:
            hands_before = self.shown_hands.data
            return Ending(EndHow.LAST_HAND, hands=hands_before + 1)
        if chosen == EndHow.HANDS:
            # The number is typed as the table counts, with the hands played on paper before.
            number_in_match = forms.figure_of(self.number.data) or 0
            return Ending(EndHow.HANDS, hands=number_in_match - self.state.played)
        if chosen.startswith(f"{EndHow.GIVEN_UP}:"):
            _, side = chosen.split(":")
            return Ending(EndHow.GIVEN_UP, side=int(side))
        return Ending(EndHow(chosen))

    def validate_shown_hands(self, field: Field) -> None:
        """Refuse values that our pages never send; the form is shown again for the current match."""
        if field.data is None or field.data > MOST_HANDS:
            field.data = len(self.state.hands)
            raise ValidationError(t("web.error.expired"))

    def validate_number(self, field: Field) -> None:
        """Refuse a hand already played, or never to be played; checked only if that end is chosen."""
        if self.how.data != EndHow.HANDS:
            return
        number = forms.read_figure(field.data or "", language())
        deals = self.state.rules.settings.match_deals
        following = self.state.played + self.shown_hands.data + 1
        if number is None:
            raise ValidationError(t("match.end.number-missing"))
        if isinstance(number, forms.Misread) or number == 0:
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
    if _is_closed(state):
        return match_is_over(match)
    form = EndForm(state, shown_hands=len(state.hands))
    if request.method == "POST":
        return _end_match(state, form)
    return _show_end(state, form)


def _end_match(state: MatchState, form: EndForm) -> Response:
    """Store the end of a submitted form, and redirect to the match; or show the form again."""

    def store(sent: Sent) -> Saved | Stale:
        return get_pad().actions.end(*sent, form.shown_hands.data, form.ending)

    result = form.submit(state.id, store)
    if isinstance(result, Saved):
        return to_match(state.id)
    if isinstance(result, Stale):
        return _show_stale_end(result.state, form)
    return _show_end(state, form)


def _show_stale_end(state: MatchState, form: EndForm) -> Response:
    """The form again, because hands were counted or undone since the page was loaded; `state` is
    the match now.

    If there are as many hands as the page showed, the same form was sent before with another end.
    """
    if state.status.finished:
        return match_is_over(state.id)
    if form.shown_hands.data == len(state.hands):
        message = t("serve.sent-before")
    else:
        message = t("match.end.stale")
    form.shown_hands.data = len(state.hands)
    form.offer(state)
    form.reject(message)
    return _show_end(state, form)


def _show_end(state: MatchState, form: EndForm) -> Response:
    return show_form(
        form,
        "matches/end.html",
        state,
        title=t("match.end.title"),
        kinds=watching.END,
        is_begun=has_typed_hand(state) or bool(state.noted_penalties),
    )


# ---------------------------------------------------------------- rematch and deletion


@blueprint.post("/rivincita")
@checks_itself
def rematch(match: str) -> Response:
    """Start the rematch with the next dealer, or go to the one that was started."""
    form = PadForm()
    if not form.validate():
        return error_pages.error_page("expired", 400)
    limit_matches()
    best_of = LENGTHS.get(request.form.get("best_of", ""), 0)
    result = get_pad().actions.rematch(form.request_name, MatchId(match), device_id(), best_of)
    if isinstance(result, Stale):
        base.notice(t("match.rematch.stale"))
        return to_match(match)
    return base.to_new_match(result)


class DeleteForm(PadForm):
    """The confirmation required to delete a match."""

    sure = BooleanField(lazy("match.delete.sure"), [DataRequired(lazy("match.delete.not-sure"))])


@blueprint.route("/cancella", methods=BOTH)
@checks_itself
def delete(match: str) -> Response:
    """Delete the match permanently; only the device that owns it may."""
    state = load_match(match)
    form = DeleteForm()
    if state.access is not Access.OWN:
        status = 403 if request.method == "POST" else 200
        phones = get_pad().devices.phones(state.id, device_id())
        return _show_delete(state, form, phones, status)
    if request.method != "POST" or not form.validate():
        return _show_delete(state, form)

    text = t("match.delete.done", names=versus(state.names, page_words()))
    # Stored before the deletion: the same form may be submitted again.
    base.app_state().deleted.put((match, device_id(), form.request_name), text)
    get_pad().actions.delete(state.id, device_id())
    return _deleted(text)


def _show_delete(
    state: MatchState, form: DeleteForm, phones: Sequence[DeviceRecord] = (), status: int = 200
) -> Response:
    """The page to delete a match; for a device that may not, with the `phones` of the match."""
    return base.render_page(
        "matches/delete.html",
        title=t("match.delete.title"),
        status=status,
        watch=watch(state),
        words=page_words(state.rules),
        has_form=state.access is Access.OWN,
        match=state,
        form=form,
        phones=phones,
    )


@blueprint.errorhandler(MatchNotFound)
def deleted_match(error: MatchNotFound) -> Response:
    """The page for a match that does not exist, or that this device may not see.

    A form that deletes a match may be sent twice, and finds no match the second time. Then the
    response is the same as the first time: the message of that is kept by the id of the request.
    """
    deletes_match = request.method == "POST" and request.endpoint == "actions.delete"
    if not deletes_match:
        return error_pages.no_match(error)
    sent_again = DeleteForm()
    message = base.app_state().deleted.get((error.id, device_id(), sent_again.request_name))
    if message is None:
        return error_pages.error_page("gone", 404)
    return _deleted(message)


def _deleted(text: str) -> Response:
    base.notice(text)
    return redirect(url_for("home.page"), code=303)

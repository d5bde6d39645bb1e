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
from scorepad.web.matches.setup import SetupForm, label_fields, rule_fields, rule_options
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
    if request.method == "GET":
        # The referee links here with a penalty that it cannot add itself.
        code = request.args.get("caso", "")
        form.hand.data = state.coming_id
        form.code.data = code if code in state.rules.penalties else None
        return _show_penalty(state, form)
    if not state.rules.penalties:
        form.status = INVALID
        return _show_penalty(state, form)

    def act(sent: Sent) -> Saved | Stale:
        return get_pad().actions.add_penalty(*sent, form.hand.data or "", form.new_penalty)

    result = form.submit(state.id, act)
    if isinstance(result, Saved):
        return _penalty_added(result, state, form.new_penalty)
    if isinstance(result, Stale):
        state = result.state
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
    current = _remark_on(state, number)
    if request.method == "GET":
        if not 1 <= number <= len(state.hands) and not is_refetch():
            abort(404)
        form.shown_text.data = current
        form.text.data = current
        return _show_remark(state, number, form)

    shown_text = form.shown_text.data or ""
    if one_line(shown_text) == one_line(current):
        shown_text = current  # a browser may change the line breaks
    text = one_line(form.text.data or "")

    def act(sent: Sent) -> Saved | Stale:
        return get_pad().actions.remark(*sent, number, shown_text, text)

    result = form.submit(state.id, act)
    if isinstance(result, Saved):
        return to_match(state.id, hand_anchor(number))
    if isinstance(result, Stale):
        state = result.state
        if number > len(state.hands):
            message = t("match.remark.gone", number=state.called(number))
            return to_match(state.id, message=message)
        current = _remark_on(state, number)
        form.shown_text.data = current
        key = "match.remark.stale" if current else "match.remark.stale-empty"
        form.reject(t(key, text=current))
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
    form: SetupForm = type("NamesForm", (SetupForm,), label_fields(state.rules.settings.sides))()
    if request.method == "GET":
        form.fill_labels(state.labels, state.sequence)
        return _show_names(state, form)
    seen_entry = request.form.get("seen", 0, type=int)

    def act(sent: Sent) -> Saved | Stale | NamesRefused:
        return get_pad().actions.rename(*sent, form.labels, seen_entry)

    result = form.submit(state.id, act)
    if isinstance(result, Saved):
        return to_match(state.id)
    if isinstance(result, Stale):
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
    fields = rule_fields(variant, seated, rule_options(variant))
    form: SetupForm = type("RulesForm", (SetupForm,), fields)()
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
        """The end that was chosen; a side that gives up follows its choice: `given-up:1`."""
        how, _, side = self.how.data.partition(":")
        hands = None
        if how == EndHow.LAST_HAND:
            hands = self.shown_hands.data + 1
        elif how == EndHow.HANDS:
            number_in_match = forms.figure_of(self.number.data) or 0
            hands = number_in_match - self.state.played
        return Ending(
            how=EndHow(how),
            hands=hands,
            side=int(side) if side else None,
        )

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
    if request.method != "POST":
        return _show_end(state, form)

    def act(sent: Sent) -> Saved | Stale:
        return get_pad().actions.end(*sent, form.shown_hands.data, form.ending)

    result = form.submit(state.id, act)
    if isinstance(result, Saved):
        return to_match(state.id)
    if isinstance(result, Stale):
        state = result.state
        if state.status.finished:
            return match_is_over(state.id)
        hands = len(state.hands)
        key = "serve.sent-before" if form.shown_hands.data == hands else "match.end.stale"
        form.shown_hands.data = hands
        form.offer(state)
        form.reject(t(key))
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
    """404; for a repeated deletion, the first response."""
    if request.method != "POST" or request.endpoint != "actions.delete":
        return error_pages.no_match(error)
    text = base.app_state().deleted.get((error.id, device_id(), DeleteForm().request_name))
    if text is None:
        return error_pages.error_page("gone", 404)
    return _deleted(text)


def _deleted(text: str) -> Response:
    base.notice(text)
    return redirect(url_for("home.page"), code=303)

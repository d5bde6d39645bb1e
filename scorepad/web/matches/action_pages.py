"""Actions on a match besides counting: penalties, remarks, names, rules, ends, rematch, deletion."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any, Literal

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
from scorepad.web.rule_choices import seat_options
from scorepad.web.security import limit_matches
from scorepad.web.watching import is_refetch, watch

blueprint = Blueprint("actions", __name__, url_prefix="/partite/<match>")
MOST_HANDS = 999
"""Largest number of a hand after which an end may be agreed."""
LENGTHS: dict[str, Literal[0, 3, 5]] = {"3": 3, "5": 5}
"""The length of a series, by button value."""


def _is_closed(state: MatchState) -> bool:
    """Whether a page is asked for that a finished match no longer has."""
    return request.method == "GET" and state.status.finished and not is_refetch()


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
        self.side.choices = tuple(
            Choice(str(position), side.name) for position, side in enumerate(state.sides)
        )
        self.code.choices = tuple(map(Choice, state.rules.penalties))

    @property
    def new_penalty(self) -> NewPenalty:
        reason = (self.reason.data or "").strip()
        return NewPenalty(
            int(self.side.data), self.code.data, forms.figure_of(self.points.data), reason
        )

    def validate_points(self, field: Field) -> None:
        """Refuse invalid points, and points or a reason for a penalty that defines them."""
        points = forms.read_figure(field.data or "", language())
        if self.code.data != HOUSE:
            if self.code.data and (points is not None or (self.reason.data or "").strip()):
                raise ValidationError(t("match.penalty.other"))
        elif not isinstance(points, int) or points <= 0 or points % SMALLEST_POINTS:
            why = (
                "missing"
                if points is None
                else "minus"
                if points is forms.Misread.MINUS
                else "wrong"
            )
            raise ValidationError(t(f"match.penalty.points-{why}", step=SMALLEST_POINTS))

    def validate_reason(self, field: Field) -> None:
        """Refuse a house penalty without a reason."""
        if self.code.data == HOUSE and not (field.data or "").strip():
            raise ValidationError(t("match.penalty.reason-missing"))


@blueprint.route("/penalita", methods=BOTH, endpoint="penalty")
@checks_itself
def penalty_page(match: str) -> Response:
    state = load_match(match)
    words = page_words(state.rules)
    if _is_closed(state):
        return match_is_over(match)
    form = PenaltyForm(state)
    if request.method == "GET":
        # The referee links here with a penalty that it cannot add itself.
        case = request.args.get("caso", "")
        form.hand.data = state.coming_id
        form.code.data = case if case in state.rules.penalties else None
    elif not state.rules.penalties:
        form.status = INVALID
    else:
        match form.submit(state.id, partial(_add_penalty, form)):
            case Saved() as result:
                new = form.new_penalty
                points = (
                    state.rules.penalties[new.code].points if new.points is None else new.points
                )
                side = state.sides[new.side].name
                return done(
                    result, "match.penalty.done", side=side, points=words.signed(-(points or 0))
                )
            case Stale(state=state):
                if state.status.finished:
                    return match_is_over(state.id)
                seen = form.hand.data
                form.hand.data = state.coming_id
                key = "serve.sent-before" if seen == state.coming_id else "match.penalty.stale"
                form.reject(t(key, number=state.coming))
    sources, shared_source = _penalty_sources(state, words)
    return show_form(
        form,
        "matches/penalty.html",
        state,
        title=t("match.penalty.title"),
        kinds=watching.PENALTIES,
        noted=noted_penalties(state, words),
        sources=sources,
        shared_source=shared_source,
    )


def _penalty_sources(state: MatchState, words: Words) -> tuple[dict[str, Markup], Markup]:
    """The sources of each penalty that has its own, and those that several share, which are
    shown once.
    """
    found = {}
    for code, penalty in state.rules.penalties.items():
        if penalty.points is not None and penalty.cited.citations:
            found[code] = citations.citations_html(map(str, penalty.cited.citations), words)
    for shared, times in Counter(found.values()).most_common(1):
        if times > 1:
            return {code: source for code, source in found.items() if source != shared}, shared
    return found, Markup()


def _add_penalty(form: PenaltyForm, sent: Sent) -> Saved | Stale:
    return get_pad().actions.add_penalty(*sent, form.hand.data or "", form.new_penalty)


# ---------------------------------------------------------------- remarks


class RemarkForm(PadForm):
    """The remark on a counted hand, and the one shown on the page."""

    seen = HiddenField()
    text = TextAreaField(
        lazy("match.remark.text"),
        [forms.at_most(forms.LONGEST_REMARK, length=lambda text: len(one_line(text)))],
        description=lazy("match.remark.hint", limit=forms.LONGEST_REMARK),
    )


@blueprint.route("/smazzate/<int:number>/annotazione", methods=BOTH)
@checks_itself
def remark(match: str, number: int) -> Response:
    """Write, change or remove the remark on a counted hand."""
    state = load_match(match)
    form = RemarkForm()
    shown = _remark(state, number)
    if request.method == "GET":
        if not 1 <= number <= len(state.hands) and not is_refetch():
            abort(404)
        form.seen.data = form.text.data = shown
    else:
        # A browser may change the line breaks of the remark.
        seen = form.seen.data or ""
        text = one_line(form.text.data or "")
        seen = shown if one_line(seen) == one_line(shown) else seen
        match form.submit(
            state.id, lambda sent: get_pad().actions.remark(*sent, number, seen, text)
        ):
            case Saved():
                return to_match(state.id, hand_anchor(number))
            case Stale(state=state):
                if number > len(state.hands):
                    return to_match(
                        state.id, message=t("match.remark.gone", number=state.called(number))
                    )
                form.seen.data = current = _remark(state, number)
                form.reject(
                    t("match.remark.stale" if current else "match.remark.stale-empty", text=current)
                )
    return show_form(
        form,
        "matches/remark.html",
        state,
        title=t("match.remark.title", number=state.called(number)),
        kinds=watching.REMARKS,
    )


def _remark(state: MatchState, number: int) -> str:
    return state.hands[number - 1].remark if 1 <= number <= len(state.hands) else ""


# ---------------------------------------------------------------- replacing a player


class ReplaceForm(PadForm):
    """A seat, the new player, and the players of all seats when the page was shown."""

    seated = HiddenField()
    """Those players in the order of the seats, separated by tabs."""
    seat = ChoiceField(lazy("match.replace.seat"), message="match.replace.choose")
    name = StringField(lazy("match.replace.name"))

    def __init__(self, state: MatchState) -> None:
        super().__init__()
        self.seats = {
            f"{side}-{index}": (side, index) for side, index in seating(state.rules.settings)
        }
        seats = self.seats.items()
        words = page_words()
        self.seat.choices = tuple(
            Choice(value, player_name(seat, state=state, words=words)) for value, seat in seats
        )

    @property
    def was(self) -> str:
        """Who sat on the chosen seat."""
        seated: dict[str, str] = dict(
            zip(self.seats, (self.seated.data or "").split("\t"), strict=False)
        )
        return seated.get(self.seat.data or "", "")

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
    else:
        replace = get_pad().actions.replace
        match form.submit(
            state.id,
            lambda sent: replace(*sent, form.seats[form.seat.data], form.was, form.name.data),
        ):
            case Saved() as result:
                key = "match.replace.done" if form.was else "match.replace.seated"
                return done(
                    result, key, number=state.coming, name=tidy(form.name.data), was=form.was
                )
            case Stale(state=state):
                form.fill(state)
                form.reject(t("match.replace.stale"))
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
        form.fill_names(state.labels, state.sequence)
    else:
        seen = request.form.get("seen", 0, type=int)
        rename = get_pad().actions.rename
        match form.submit(
            state.id, lambda sent: rename(*sent, form.names, form.players, form.place.data, seen)
        ):
            case Saved():
                return to_match(state.id)
            case Stale(state=state):
                form.seen.data = str(state.sequence)
                form.reject(t("serve.named-before", names=versus(state.names, page_words())))
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
    is_gone = state.rules.variant not in variant_ids()
    form = PadForm()
    if not is_gone:
        variant = get_variant(state.rules.variant)
        seated = {option.id: state.rules.options[option.id] for option in seat_options(variant)}
        fields = rule_fields(variant, seated, rule_options(variant))
        form = type("RulesForm", (SetupForm,), fields)()
        form.offer_rules()
    if request.method == "GET" and not is_gone:
        form.fill_rules(state.rules)
    elif is_gone:
        form.status = 200 if request.method == "GET" else CONFLICT
    else:
        try:
            result = form.submit(state.id, partial(_change_rules, form))
        except HandsCounted:
            form.reject(t("match.rules.late"))
            state = load_match(match)
        else:
            if isinstance(result, Saved):
                return done(result, "match.rules.done")
            if isinstance(result, Stale):
                state = result.state
                form.seen.data = result.state.rules.digest
                form.reject(t("match.rules.stale"))
    return show_form(
        form,
        "matches/rules.html",
        state,
        title=t("match.rules.title"),
        kinds=watching.RULES,
        has_form=not is_gone and not state.hands,
        is_stale=form.status == CONFLICT,
        **rules_values(state, page_words(state.rules)),
    )


def _change_rules(form: SetupForm, sent: Sent) -> Any:
    options = {**form.options, **form.seated}
    return get_pad().actions.change_rules(
        *sent, form.preset.data or None, options, form.seen.data or ""
    )


# ---------------------------------------------------------------- the end


class EndForm(PadForm):
    """An agreed end, and the number of hands counted when the page was shown."""

    seen = forms.HiddenNumber()
    how = ChoiceField(lazy("match.end.how"), message="match.end.choose")
    number = StringField(lazy("match.end.number"), render_kw=forms.NUMERIC)

    def __init__(self, state: MatchState, **values: Any) -> None:
        super().__init__(**values)
        self.offer(state)

    def offer(self, state: MatchState) -> None:
        """Offer the ends that are possible now; `matches/end.html` words them."""
        self.state = state
        given_up = [f"{EndHow.GIVEN_UP}:{position}" for position in range(len(state.sides))]
        ways = [EndHow.LAST_HAND, EndHow.HANDS, EndHow.TIME, *given_up, EndHow.BROKEN_OFF]
        self.how.choices = tuple(map(Choice, [EndHow.BY_RULES, *ways] if state.ending else ways))
        self.number.description = t("match.end.number.hint", hands=state.coming - 1)

    @property
    def ending(self) -> Ending:
        how, _, side = self.how.data.partition(":")
        hands = None
        if how == EndHow.LAST_HAND:
            hands = self.seen.data + 1
        elif how == EndHow.HANDS:
            hands = (forms.figure_of(self.number.data) or 0) - self.state.played
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
        number = forms.read_figure(field.data or "", language())
        deals = self.state.rules.settings.match_deals
        following = self.state.played + self.seen.data + 1
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
    form = EndForm(state, seen=len(state.hands))
    if request.method == "POST":
        match form.submit(
            state.id, lambda sent: get_pad().actions.end(*sent, form.seen.data, form.ending)
        ):
            case Saved():
                return to_match(state.id)
            case Stale(state=state):
                if state.status.finished:
                    return match_is_over(state.id)
                seen = form.seen.data
                form.seen.data = len(state.hands)
                form.offer(state)
                form.reject(
                    t("serve.sent-before" if seen == len(state.hands) else "match.end.stale")
                )
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
    is_sent = request.method == "POST"
    is_owner = state.access is Access.OWN
    if not is_sent or not is_owner or not form.validate():
        phones = () if is_owner else get_pad().devices.phones(state.id, device_id())
        return base.render_page(
            "matches/delete.html",
            title=t("match.delete.title"),
            status=403 if is_sent and not is_owner else 200,
            watch=watch(state),
            words=page_words(state.rules),
            has_form=is_owner,
            match=state,
            form=form,
            phones=phones,
        )
    text = t("match.delete.done", names=versus(state.names, page_words()))
    # Stored before the deletion: the same form may be submitted again.
    base.app_state().deleted.put((match, device_id(), form.request_name), text)
    get_pad().actions.delete(state.id, device_id())
    return _deleted(text)


@blueprint.errorhandler(MatchNotFound)
def deleted_match(error: MatchNotFound) -> Response:
    """404; for a repeated deletion, the first response."""
    if request.method != "POST" or request.endpoint != "actions.delete":
        return error_pages.no_match(error)
    text = base.app_state().deleted.get((error.id, device_id(), DeleteForm().request_name))
    return error_pages.error_page("gone", 404) if text is None else _deleted(text)


def _deleted(text: str) -> Response:
    base.notice(text)
    return redirect(url_for("home.page"), code=303)

"""Actions on a match besides counting: penalties, remarks, names, rules, ends, rematch, deletion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
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
from scorepad.rules.judging import Seat, seat_players
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.sheets.outcome import describe_agreed_last_hand
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
from scorepad.web.matches.ending_texts import EndingTexts
from scorepad.web.matches.match_texts import MatchTexts
from scorepad.web.matches.page import BOTH, has_typed_hand, show_action_form
from scorepad.web.matches.rule_facts import collect_rule_facts
from scorepad.web.matches.setup_form import (
    SetupForm,
    make_names_form,
    make_rules_form,
)
from scorepad.web.open_hand import noted_penalties
from scorepad.web.presenters import hand_anchor, player_name, versus
from scorepad.web.request_limits import count_started_matches
from scorepad.web.rule_choices import seat_options
from scorepad.web.watching import is_refetch, watch

blueprint = Blueprint("actions", __name__, url_prefix="/partite/<match>")
MOST_HANDS = 999
"""Largest number of a hand after which an end may be agreed."""
LENGTHS: dict[str, Literal[0, 3, 5]] = {"3": 3, "5": 5}
"""The length of a series, by button value."""


def _is_page_closed(state: MatchState) -> bool:
    """Tell whether somebody opens a page that a match no longer has when it is over.

    - a GET request for such a page of a finished match → True
    - a form that is sent, which must get an answer → False
    - a page that was open before the end, and fetches itself again to show what changed → False
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
        """Offer the sides and the penalties of a match as choices."""
        super().__init__()
        sides = [Choice(str(position), side.name) for position, side in enumerate(state.sides)]
        penalties = [Choice(code) for code in state.rules.penalties]
        self.side.choices = tuple(sides)
        self.code.choices = tuple(penalties)

    @property
    def new_penalty(self) -> NewPenalty:
        """Return the typed penalty: against which side and of which kind.

        A house penalty, one that the players made up, also has its points and its reason.
        """
        return NewPenalty(
            side=int(self.side.data),  # its position, such as "0"
            code=self.code.data,
            points=forms.figure_of(self.points.data),
            reason=(self.reason.data or "").strip(),
        )

    def store_penalty(self, sent: Sent) -> Saved | Stale:
        """Add the typed penalty to the hand (round of the game) that is being played.

        `sent` names the match, the request and the device. The result is Stale, and nothing is
        stored, if the hand for which the page was opened is over.
        """
        hand_id = self.hand.data or ""
        return get_pad().actions.add_penalty(*sent, hand_id, self.new_penalty)

    def validate_points(self, field: Field) -> None:
        """Check the typed points against the chosen penalty.

        - a penalty of the rules has its points already → none may be typed
        - a house penalty (one that the players made up) → its points must be typed
        """
        if not self.code.data:  # no penalty is chosen, which is an error of that field
            return
        points = forms.read_figure(field.data or "", language())
        if self.code.data == HOUSE:
            _check_house_points(points)
            return
        has_points = points is not None
        has_reason = bool((self.reason.data or "").strip())
        if has_points or has_reason:  # somebody meant the house penalty
            # It says: "Points and reason are only for a house penalty …"
            raise ValidationError(t("match.penalty.other"))

    def validate_reason(self, field: Field) -> None:
        """Refuse a house penalty (one that the players made up) without a reason."""
        if self.code.data == HOUSE and not (field.data or "").strip():
            # It says: "Enter the reason for the house penalty."
            raise ValidationError(t("match.penalty.reason-missing"))


def _check_house_points(points: int | forms.Misread | None) -> None:
    """Refuse typed points that a house penalty (one that the players made up) cannot have.

    They must be a positive multiple of 5, the smallest points of the game. `points` is None if
    nothing is typed, and a Misread if the text is no number.
    """
    if points is None:
        # It says: "Enter how many points the house penalty takes off."
        raise ValidationError(t("match.penalty.points-missing", step=SMALLEST_POINTS))
    if points is forms.Misread.MINUS:
        # It says: "Enter the points without a minus sign: they are taken off by themselves."
        raise ValidationError(t("match.penalty.points-minus", step=SMALLEST_POINTS))
    if isinstance(points, forms.Misread) or points <= 0 or points % SMALLEST_POINTS != 0:
        # It says: "The points of the penalty are a multiple of {step} in figures, more than zero."
        raise ValidationError(t("match.penalty.points-wrong", step=SMALLEST_POINTS))


@blueprint.route("/penalita", methods=BOTH, endpoint="penalty")
@checks_itself
def penalty_page(match: str) -> Response:
    """Show the page on which a penalty is added to the hand (round) being played, or add it."""
    state = load_match(match)
    if _is_page_closed(state):
        return match_is_over(match)
    form = PenaltyForm(state)
    if request.method == "POST":
        return _add_penalty(state, form)
    form.hand.data = state.current_hand_id
    # The referee links here with the code of a penalty that it cannot add itself.
    linked_code = request.args.get("caso", "")
    if linked_code in state.rules.penalties:
        form.code.data = linked_code
    return _show_penalty(state, form)


def _add_penalty(state: MatchState, form: PenaltyForm) -> Response:
    """Add the penalty of a submitted form and go to the match, or show the form with its errors."""
    if not state.rules.penalties:  # the page has no form then
        form.status = INVALID
        return _show_penalty(state, form)

    result = form.submit(state.id, form.store_penalty)
    if isinstance(result, Saved):
        return _report_added_penalty(result, state, form.new_penalty)
    if isinstance(result, Stale):
        return _show_stale_penalty(result.state, form)
    return _show_penalty(state, form)  # the form has errors


def _show_stale_penalty(state: MatchState, form: PenaltyForm) -> Response:
    """Show the form of a penalty again, because the penalty was not stored.

    Either the hand (round) for which it was meant is over, and the players decide whether it is for
    the next one. Or that hand goes on: then this form was sent before with another penalty. `state`
    is the match now.
    """
    if state.status.finished:
        return match_is_over(state.id)
    if form.hand.data == state.current_hand_id:
        # It says: "Something else was sent from this page before, and stays as it is …"
        form.reject(t("serve.sent-before"))
    else:
        form.hand.data = state.current_hand_id
        # It says: "Meanwhile the hand changed, and the penalty was not noted …"
        form.reject(t("match.penalty.stale", number=state.next_hand_number))
    return _show_penalty(state, form)


def _report_added_penalty(result: Saved, state: MatchState, penalty: NewPenalty) -> Response:
    """Redirect to the match with the notice of a new penalty.

    "Penalty noted: We, −100. It counts with the hand."
    """
    points = penalty.points  # typed for a house penalty, one that the players made up
    if points is None:
        penalty_of_rules = state.rules.penalties[penalty.code]
        points = penalty_of_rules.points or 0
    return done(
        result,
        "match.penalty.done",
        side=state.sides[penalty.side].name,
        points=page_words(state.rules).signed(-points),
    )


def _show_penalty(state: MatchState, form: PenaltyForm) -> Response:
    """Show the page with the form of a penalty, and with the penalties of this round so far."""
    words = page_words(state.rules)
    sources = _collect_penalty_sources(state, words)
    return show_action_form(
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
    """Where the penalties of a match are written, as HTML: the source that most of them share, empty
    if none do, and by code of the penalty those of the others.
    """

    shared: Markup
    by_penalty: dict[str, Markup]


def _collect_penalty_sources(state: MatchState, words: Words) -> PenaltySources:
    """Collect in which rule books the penalties of a match are written, to show it on the page.

    The source that most of the penalties share is set apart, so that it is shown only once:
    three penalties from page 9 of a book and one from page 12 → page 9 is `shared`, and
    `by_penalty` has only the one from page 12.
    """
    sources: dict[str, Markup] = {}
    for code, penalty in state.rules.penalties.items():
        is_house_penalty = penalty.points is None  # made up by the players, so in no book
        citations_of_penalty = [str(citation) for citation in penalty.cited.citations]
        if citations_of_penalty and not is_house_penalty:
            sources[code] = citations.citations_html(citations_of_penalty, words)

    shared_source = _find_most_shared_source(sources.values())
    other_sources = {code: source for code, source in sources.items() if source != shared_source}
    return PenaltySources(shared_source, other_sources)


def _find_most_shared_source(sources: Iterable[Markup]) -> Markup:
    """Find the source that occurs most often; empty if each occurs only once.

    Of two sources that occur equally often the first is taken.
    """
    sources_by_frequency = Counter(sources).most_common()
    if not sources_by_frequency:
        return Markup()
    source, times = sources_by_frequency[0]
    if times == 1:
        return Markup()
    return source


# ---------------------------------------------------------------- remarks


def _count_characters_in_one_line(text: str) -> int:
    """Count the characters of a text after its lines are joined, as it will be stored."""
    return len(one_line(text))


class RemarkForm(PadForm):
    """The remark on a counted hand, and the one shown on the page."""

    shown_text = HiddenField()
    text = TextAreaField(
        lazy("match.remark.text"),
        [forms.at_most(forms.LONGEST_REMARK, length=_count_characters_in_one_line)],
        description=lazy("match.remark.hint", limit=forms.LONGEST_REMARK),
    )

    def store_remark(self, number: int, remark_now: str, sent: Sent) -> Saved | Stale:
        """Store the typed remark on the hand (round of the game) of this number.

        `remark_now` is the remark that the hand has now. The result is Stale, and nothing is
        stored, if the page showed another one. `sent` names the match, the request and the device.
        """
        remark_shown = self.shown_text.data or ""
        if one_line(remark_shown) == one_line(remark_now):
            # They are the same, although a browser may change the line breaks of what it sends back.
            remark_shown = remark_now
        new_remark = one_line(self.text.data or "")
        return get_pad().actions.remark(*sent, number, remark_shown, new_remark)


@blueprint.route("/smazzate/<int:number>/annotazione", methods=BOTH, endpoint="remark")
@checks_itself
def edit_remark(match: str, number: int) -> Response:
    """Show the page on which the remark on a counted hand (round) is written, or store the remark.

    `number` is 1 for the first hand of the match.
    """
    state = load_match(match)
    form = RemarkForm()
    if request.method == "POST":
        return _store_remark(state, number, form)
    has_hand = 1 <= number <= len(state.hands)
    # A page that is open already is answered even if its hand was undone: the form says so.
    if not has_hand and not is_refetch():
        abort(404)
    remark_now = _find_remark(state, number)
    form.shown_text.data = remark_now
    form.text.data = remark_now
    return _show_remark(state, number, form)


def _store_remark(state: MatchState, number: int, form: RemarkForm) -> Response:
    """Store the remark of a submitted form and go to the match, or show the form again."""
    remark_now = _find_remark(state, number)
    result = form.submit(state.id, lambda sent: form.store_remark(number, remark_now, sent))
    if isinstance(result, Saved):
        return to_match(state.id, hand_anchor(number))
    if isinstance(result, Stale):
        return _show_stale_remark(result.state, number, form)
    return _show_remark(state, number, form)  # the form has errors


def _show_stale_remark(state: MatchState, number: int, form: RemarkForm) -> Response:
    """Show the form of a remark again, because the remark was changed since the page was loaded.

    The typed text stays in the form. If the hand (round) was undone meanwhile, the answer is a
    redirect to the match. `state` is the match as it is now.
    """
    was_undone = number > len(state.hands)
    if was_undone:
        # It says: "Meanwhile hand {number} was undone: the note was not saved."
        message = t("match.remark.gone", number=state.number_for_players(number))
        return to_match(state.id, message=message)
    remark_now = _find_remark(state, number)
    form.shown_text.data = remark_now  # if the form is sent again, it replaces this remark
    if remark_now:
        # It says: "Meanwhile somebody wrote …"
        form.reject(t("match.remark.stale", text=remark_now))
    else:
        # It says: "Meanwhile the note was taken away. If you save, the one below stands."
        form.reject(t("match.remark.stale-empty"))
    return _show_remark(state, number, form)


def _show_remark(state: MatchState, number: int, form: RemarkForm) -> Response:
    """Show the page with the form of the remark on a hand (round)."""
    return show_action_form(
        form,
        "matches/remark.html",
        state,
        title=t("match.remark.title", number=state.number_for_players(number)),
        kinds=watching.REMARKS,
    )


def _find_remark(state: MatchState, number: int) -> str:
    """Find the remark on the hand (round) of this number.

    Empty if the hand has no remark, or if there is no such hand.
    """
    if not 1 <= number <= len(state.hands):
        return ""
    return state.hands[number - 1].remark


# ---------------------------------------------------------------- replacing a player


def _write_seat(seat: Seat) -> str:
    """Write a seat as the form of a replaced player sends it: the second one of side 0 → `0-1`."""
    side, index = seat
    return f"{side}-{index}"


class ReplaceForm(PadForm):
    """A seat, the new player, and the players of all seats when the page was shown."""

    seated = HiddenField()
    """Those players in the order of the seats, separated by tabs."""
    seat = ChoiceField(lazy("match.replace.seat"), message="match.replace.choose")
    name = StringField(lazy("match.replace.name"))

    def __init__(self, state: MatchState) -> None:
        """Offer the seats of a match as choices, each with the player who sits there."""
        super().__init__()
        self.all_seats = seat_players(state.rules.settings)
        words = page_words()
        choices = []
        for seat in self.all_seats:
            player = player_name(seat, state=state, words=words)
            choices.append(Choice(_write_seat(seat), player))
        self.seat.choices = tuple(choices)

    @property
    def chosen_seat(self) -> Seat | None:
        """Return the seat that was chosen; None if none was."""
        for seat in self.all_seats:
            if _write_seat(seat) == self.seat.data:
                return seat
        return None

    @property
    def replaced_player(self) -> str:
        """Return who sat on the chosen seat when the page was shown.

        The page sends the names of that time in a hidden field. Empty for a player without a name.
        """
        names: list[str] = (self.seated.data or "").split("\t")
        for seat, name in zip(self.all_seats, names, strict=False):  # a stranger may send fewer
            if seat == self.chosen_seat:
                return name
        return ""

    def remember_players(self, state: MatchState) -> None:
        """Write into the hidden field of the form who sits on each seat now."""
        names = [state.labels.name_in_seat(seat) for seat in self.all_seats]
        self.seated.data = "\t".join(names)

    def store_replacement(self, sent: Sent) -> Saved | Stale | NamesRefused:
        """Put the new player on the chosen seat.

        The result is Stale, and nothing is stored, if another player sits there than when the page
        was shown. `sent` names the match, the request and the device.
        """
        seat = self.chosen_seat
        assert seat is not None, "the form is valid"
        return get_pad().actions.replace(*sent, seat, self.replaced_player, self.name.data)

    def show_refused_names(self, refused: NamesRefused) -> None:
        """Show at the field of the name why it was refused, each reason once."""
        for problem in refused.problems:
            message = forms.problem_text(problem)
            if message not in self.name.errors:
                forms.add_error(self.name, message)

    def validate_name(self, field: Field) -> None:
        """Refuse a blank name, and the name of the player who sits on the chosen seat already."""
        name = tidy(field.data or "")
        if not name:
            # It says: "Enter the name of whoever comes in."
            raise ValidationError(t("match.replace.missing"))
        if name == self.replaced_player:
            # It says: "That is the name of who sits there now. Enter that of whoever comes in."
            raise ValidationError(t("match.replace.same"))


@blueprint.route("/giocatore", methods=BOTH, endpoint="replace")
@checks_itself
def replace_page(match: str) -> Response:
    """Show the page on which a player is replaced by another, or replace the player.

    The new player plays from the next hand (round) on.
    """
    state = load_match(match)
    if _is_page_closed(state):
        return match_is_over(match)
    form = ReplaceForm(state)
    if request.method == "POST":
        return _store_replacement(state, form)
    form.remember_players(state)
    return _show_replace(state, form)


def _store_replacement(state: MatchState, form: ReplaceForm) -> Response:
    """Replace a player as a submitted form says and go to the match, or show the form again."""
    result = form.submit(state.id, form.store_replacement)
    if isinstance(result, Saved):
        return _report_replaced_player(result, state, form)
    if isinstance(result, Stale):  # somebody else sits there now
        form.remember_players(result.state)
        # It says: "Meanwhile something changed at that seat …"
        form.reject(t("match.replace.stale"))
        return _show_replace(result.state, form)
    return _show_replace(state, form)  # the form has errors


def _report_replaced_player(result: Saved, state: MatchState, form: ReplaceForm) -> Response:
    """Redirect to the match, with a notice who plays from the next hand (round) on.

    "From hand 4 Bea plays in place of Ada."
    """
    message_key = "match.replace.seated"  # "From hand 4 Bea plays."
    if form.replaced_player:
        message_key = "match.replace.done"
    return done(
        result,
        message_key,
        number=state.next_hand_number,
        name=tidy(form.name.data),
        was=form.replaced_player,
    )


def _show_replace(state: MatchState, form: ReplaceForm) -> Response:
    """Show the page with the form that replaces a player."""
    return show_action_form(
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
    """Show the page on which the names of sides and players are changed, or store the new names."""
    state = load_match(match)
    form = make_names_form(state.rules.settings.sides)
    if request.method == "POST":
        return _submit_names(state, form)
    form.fill_labels(state.labels, state.sequence)
    return _show_names(state, form)


def _submit_names(state: MatchState, form: SetupForm) -> Response:
    """Store the names of a submitted form, and redirect to the match, or show the form again.

    Names that are refused are marked at their fields by `form.submit`.
    """
    result = form.submit(state.id, lambda sent: _store_names(form, sent))
    if isinstance(result, Saved):
        return to_match(state.id)
    if isinstance(result, Stale):  # this form was sent before with other names
        state = result.state
        form.seen.data = str(state.sequence)
        # It says: "Other names were sent from this page before …"
        form.reject(t("serve.named-before", names=versus(state.names, page_words())))
    return _show_names(state, form)


def _store_names(form: SetupForm, sent: Sent) -> Saved | Stale | NamesRefused:
    """Store the names and free texts of a form.

    Names that another device changed since the page was shown are kept: the last log entry that the
    page showed tells them apart. `sent` names the match, the request and the device.
    """
    last_entry_shown = request.form.get("seen", 0, type=int)
    return get_pad().actions.rename(*sent, form.labels, last_entry_shown)


def _show_names(state: MatchState, form: SetupForm) -> Response:
    """Show the page with the form of the names and the place."""
    return show_action_form(
        form,
        "matches/names.html",
        state,
        title=t("match.names.title"),
        kinds=watching.NAMES,
    )


@blueprint.route("/regole", methods=BOTH, endpoint="rules")
@checks_itself
def rules_page(match: str) -> Response:
    """Show the page of the rules of a match, or change the rules.

    They can be changed until the first hand (round) is counted.
    """
    state = load_match(match)
    if state.rules.variant not in variant_ids():
        return _show_rules_of_removed_variant(state)
    form = _make_rules_form_of_match(state)
    if request.method == "POST":
        return _submit_rules(state, form)
    form.fill_rules(state.rules)
    return _show_rules(state, form)


def _submit_rules(state: MatchState, form: SetupForm) -> Response:
    """Store the rules of a submitted form, and redirect to the match, or show the page again."""
    try:
        result = form.submit(state.id, lambda sent: _store_rules(form, sent))
    except HandsCounted:  # the first hand was counted meanwhile
        # It says: "Meanwhile the first hand was saved …"
        form.reject(t("match.rules.late"))
        return _show_rules(load_match(state.id), form)
    if isinstance(result, Saved):
        return done(result, "match.rules.done")  # "Rules saved."
    if isinstance(result, Stale):  # another device changed the rules meanwhile
        return _show_stale_rules(result.state, form)
    return _show_rules(state, form)  # the form has errors


def _show_stale_rules(state: MatchState, form: SetupForm) -> Response:
    """Show the rules of a match again, because they changed while somebody was changing them.

    If the form is sent once more, it replaces the rules of now.
    """
    form.shown_rules.data = state.rules.digest
    # It says: "Meanwhile somebody changed the rules …"
    form.reject(t("match.rules.stale"))
    return _show_rules(state, form)


def _store_rules(form: SetupForm, sent: Sent) -> Saved | Stale | NamesRefused:
    """Store the rules that were chosen in a form.

    They are a preset (a ready-made set of options) and the values of single options. Raises
    HandsCounted if the first hand was counted meanwhile. `sent` names the match, the request and
    the device.
    """
    preset = form.preset.data or None
    options = {**form.options, **form.options_of_seats}  # the number of players stays as it is
    digest_of_shown_rules = form.shown_rules.data or ""
    return get_pad().actions.change_rules(*sent, preset, options, digest_of_shown_rules)


def _make_rules_form_of_match(state: MatchState) -> SetupForm:
    """Make the form in which the rules of a match are changed: a field for each option of its game.

    How many players sit at the table is an option too, but it cannot change during a match: it has
    no field.
    """
    variant = get_variant(state.rules.variant)
    fixed_options = {}
    for option in seat_options(variant):
        fixed_options[option.id] = state.rules.options[option.id]
    return make_rules_form(variant, fixed_options)


def _show_rules_of_removed_variant(state: MatchState) -> Response:
    """Show the rules of a match whose game was removed from the program: they cannot be changed.

    Games made by users (house rules) can be removed; a match keeps its rules all the same.
    """
    form = PadForm()
    form.status = 200 if request.method == "GET" else CONFLICT
    return _show_rules(state, form)


def _show_rules(state: MatchState, form: PadForm) -> Response:
    """Show the page of the rules of a match, with the form to change them if that is possible.

    They can be changed until the first hand (round) is counted, unless their game was removed from
    the program.
    """
    can_change = not state.hands and state.rules.variant in variant_ids()
    return show_action_form(
        form,
        "matches/rules.html",
        state,
        title=t("match.rules.title"),
        kinds=watching.RULES,
        has_form=can_change,
        is_stale=form.status == CONFLICT,
        rule_facts=collect_rule_facts(state, page_words(state.rules)),
    )


# ---------------------------------------------------------------- the end


_GAVE_UP = f"{EndHow.GIVEN_UP}:"
"""The beginning of a choice in the form of an end; the position of the side that gives up follows."""


class EndForm(PadForm):
    """An agreed end, and the number of hands counted when the page was shown."""

    shown_hands = forms.HiddenNumber()
    how = ChoiceField(lazy("match.end.how"), message="match.end.choose")
    number = StringField(lazy("match.end.number"), render_kw=forms.NUMERIC)

    def __init__(self, state: MatchState, **values: Any) -> None:
        super().__init__(**values)
        self.offer_possible_ends(state)

    def offer_possible_ends(self, state: MatchState) -> None:
        """Offer the ways to end the match that are possible in its present state.

        While it goes on: `last-hand`, `hands`, `time`, `given-up:0`, `given-up:1`, `broken-off`.
        """
        self.state = state
        texts = EndingTexts(state, page_words(state.rules))
        choices = []
        if state.ending:  # an end that was agreed before can be cancelled
            choices.append(texts.offer(EndHow.BY_RULES))
        choices.append(texts.offer(EndHow.LAST_HAND))
        choices.append(texts.offer(EndHow.HANDS))
        choices.append(texts.offer(EndHow.TIME))
        for position in range(len(state.sides)):
            choices.append(texts.offer_giving_up(f"{_GAVE_UP}{position}", position))
        choices.append(texts.offer(EndHow.BROKEN_OFF))
        self.how.choices = tuple(choices)

        hands_so_far = state.number_for_players(len(state.hands))
        self.number.description = t("match.end.number.hint", hands=hands_so_far)

    @property
    def ending(self) -> Ending:
        """Return the chosen end of the match.

        - `last-hand` after two hands → the match ends after hand 3
        - `hands` and the typed number 6 → it ends after hand 6
        - `given-up:1` → the second side gives up
        - `time` or `broken-off` → it ends now
        - `by-rules` → an end agreed before is cancelled
        """
        chosen: str = self.how.data
        if chosen == EndHow.LAST_HAND:
            last_hand = self.shown_hands.data + 1
            return Ending(EndHow.LAST_HAND, hands=last_hand)
        if chosen == EndHow.HANDS:
            typed_number = forms.figure_of(self.number.data) or 0
            # Players also count the hands that they played on paper before this match.
            last_hand = typed_number - self.state.played
            return Ending(EndHow.HANDS, hands=last_hand)
        if chosen.startswith(_GAVE_UP):
            position = int(chosen.removeprefix(_GAVE_UP))
            return Ending(EndHow.GIVEN_UP, side=position)
        return Ending(EndHow(chosen))

    def store_end(self, sent: Sent) -> Saved | Stale:
        """End the match as it was chosen.

        The result is Stale, and nothing is stored, if hands were counted or undone since the page
        was shown. `sent` names the match, the request and the device.
        """
        return get_pad().actions.end(*sent, self.shown_hands.data, self.ending)

    def validate_shown_hands(self, field: Field) -> None:
        """Refuse a number of hands that our pages never send.

        The form is then shown again with the number of hands that the match has now.
        """
        if field.data is None or field.data > MOST_HANDS:
            field.data = len(self.state.hands)
            # It says: "The page had been open for a long time and has expired …"
            raise ValidationError(t("web.error.expired"))

    def validate_number(self, field: Field) -> None:
        """Check the number of the hand (round) after which the match is to end.

        It matters only if this way to end the match was chosen.
        """
        if self.how.data != EndHow.HANDS:
            return
        # Players count the hands that they played on paper before this match too.
        next_hand = self.state.number_for_players(self.shown_hands.data + 1)
        number = forms.read_figure(field.data or "", language())
        if number is None:
            # It says: "Enter up to which hand you play."
            raise ValidationError(t("match.end.number-missing"))
        if isinstance(number, forms.Misread) or number == 0:
            example = next_hand + 1
            # It says: "The number of the hand is written in figures, for example {number}."
            raise ValidationError(t("match.end.number-wrong", number=example))
        self._refuse_hand_out_of_range(number, next_hand)

    def _refuse_hand_out_of_range(self, number: int, next_hand: int) -> None:
        """Refuse an end after the hand (round) of this number if that is too early or too late.

        In a match of 11 hands in which 4 were played, the number can be 5 to 10: with hand 11 it
        ends anyway. `next_hand` is 5 then.
        """
        if number < next_hand:
            # It says: "Hand {asked} has been played already. The smallest number is {number}."
            raise ValidationError(t("match.end.number-small", asked=number, number=next_hand))
        hands_by_rules = self.state.rules.settings.match_deals  # None if the rules do not say
        if hands_by_rules is not None and number >= hands_by_rules:
            # It says: "It ends with hand {hands} anyway: write a smaller number."
            raise ValidationError(t("match.end.number-large", hands=hands_by_rules))
        if number > MOST_HANDS:
            # It says: "Nobody plays more than {most} hands: write a smaller number."
            raise ValidationError(t("match.end.number-huge", most=MOST_HANDS))


@blueprint.route("/fine", methods=BOTH, endpoint="end")
@checks_itself
def end_page(match: str) -> Response:
    """Show the page on which players end the match earlier than by its rules, or end the match."""
    state = load_match(match)
    if _is_page_closed(state):
        return match_is_over(match)
    form = EndForm(state, shown_hands=len(state.hands))
    if request.method == "POST":
        return _end_match(state, form)
    return _show_end(state, form)


def _end_match(state: MatchState, form: EndForm) -> Response:
    """End the match as a submitted form says, and redirect to the match, or show the form again."""
    result = form.submit(state.id, form.store_end)
    if isinstance(result, Saved):
        return to_match(state.id)
    if isinstance(result, Stale):
        return _show_stale_end(result.state, form)
    return _show_end(state, form)  # the form has errors


def _show_stale_end(state: MatchState, form: EndForm) -> Response:
    """Show the form of the end again, because nothing was stored.

    Either hands were counted or undone since the page was loaded. Or there are as many as the page
    showed: then this form was sent before with another end. `state` is the match as it is now.
    """
    if state.status.finished:
        return match_is_over(state.id)
    if form.shown_hands.data == len(state.hands):
        # It says: "Something else was sent from this page before, and stays as it is …"
        message = t("serve.sent-before")
    else:
        # It says: "Meanwhile a hand was saved or undone, and the match did not end …"
        message = t("match.end.stale")
    form.shown_hands.data = len(state.hands)
    form.offer_possible_ends(state)
    form.reject(message)
    return _show_end(state, form)


def _show_end(state: MatchState, form: EndForm) -> Response:
    """Show the page with the form that ends the match."""
    return show_action_form(
        form,
        "matches/end.html",
        state,
        title=t("match.end.title"),
        kinds=watching.END,
        agreed_end=describe_agreed_last_hand(state, page_words(state.rules)),
        is_begun=has_typed_hand(state) or bool(state.noted_penalties),
    )


# ---------------------------------------------------------------- rematch and deletion


@blueprint.post("/rivincita", endpoint="rematch")
@checks_itself
def start_rematch(match: str) -> Response:
    """Start the rematch of a finished match, and go to it; or go to the one that was started."""
    form = PadForm()
    if not form.validate():
        return error_pages.error_page("expired", 400)
    count_started_matches()
    pressed_button = request.form.get("best_of", "")
    best_of = LENGTHS.get(pressed_button, 0)  # 0: the rematch is a single match, not a series
    result = get_pad().actions.rematch(form.request_name, MatchId(match), device_id(), best_of)
    if isinstance(result, Stale):
        # It says: "The match still goes on: a rematch begins when it is over."
        base.notice(t("match.rematch.stale"))
        return to_match(match)
    return base.to_new_match(result)


class DeleteForm(PadForm):
    """The confirmation required to delete a match."""

    sure = BooleanField(lazy("match.delete.sure"), [DataRequired(lazy("match.delete.not-sure"))])


@blueprint.route("/cancella", methods=BOTH, endpoint="delete")
@checks_itself
def delete_page(match: str) -> Response:
    """Show the page on which a match is deleted for good, or delete it.

    Only the device that owns the match may delete it. Others see on the page which one that is.
    """
    state = load_match(match)
    form = DeleteForm()
    if state.access is not Access.OWN:
        status = 403 if request.method == "POST" else 200
        phones = get_pad().devices.list_devices(state.id, device_id())
        return _show_delete(state, form, phones, status)
    if request.method != "POST" or not form.validate():
        return _show_delete(state, form)
    return _delete_match(state, form)


def _delete_match(state: MatchState, form: DeleteForm) -> Response:
    """Delete a match, and redirect to the home page with the notice that it was deleted."""
    # It says: "Match deleted: {names}."
    text = t("match.delete.done", names=versus(state.names, page_words()))
    # The notice is kept beforehand: if this form is sent twice, the second request finds no match,
    # and gets the same answer by it.
    notices_of_deletions = base.app_state().deleted
    notices_of_deletions.put(_make_key_of_deletion(state.id, form), text)
    get_pad().actions.delete(state.id, device_id())
    return _report_deletion(text)


def _show_delete(
    state: MatchState, form: DeleteForm, phones: Sequence[DeviceRecord] = (), status: int = 200
) -> Response:
    """Show the page on which a match is deleted.

    A device that may not delete it sees its `phones`, among which is the one that may.
    """
    words = page_words(state.rules)
    return base.render_page(
        "matches/delete.html",
        title=t("match.delete.title"),
        status=status,
        watch=watch(state),
        words=words,
        has_form=state.access is Access.OWN,
        match=state,
        form=form,
        match_line=MatchTexts(state, words).line,
        number_of_owner=_find_number_of_owner(phones),
        ending_texts=EndingTexts(state, words),
    )


def _find_number_of_owner(phones: Sequence[DeviceRecord]) -> int | None:
    """Find the number of the phone that may delete the match; None if there is none any more."""
    for phone in phones:
        if phone.access == Access.OWN:
            return phone.number
    return None


@blueprint.errorhandler(MatchNotFound)
def answer_unknown_match(error: MatchNotFound) -> Response:
    """Answer a request about a match that does not exist, or that this device may not see."""
    deletes_match = request.method == "POST" and request.endpoint == "actions.delete"
    if deletes_match:  # it was perhaps sent twice, and the first request has deleted the match
        return _answer_repeated_deletion(error.id, DeleteForm())
    return error_pages.no_match(error)


def _answer_repeated_deletion(match: str, form: DeleteForm) -> Response:
    """Answer a form that deletes a match which does not exist any more.

    If this very form has deleted the match before, it gets the same answer once more. Any other
    gets an error page.
    """
    notices_of_deletions = base.app_state().deleted
    notice = notices_of_deletions.get(_make_key_of_deletion(match, form))
    if notice is None:
        return error_pages.error_page("gone", 404)
    return _report_deletion(notice)


def _make_key_of_deletion(match: str, form: DeleteForm) -> tuple[str, str, str]:
    """Return the key under which the answer to a deletion is kept, in case its form is sent again.

    It consists of the match, the device and the id of the request: `("k3f9…", "5c01…", "r7Qx…")`.
    """
    return (match, device_id(), form.request_name)


def _report_deletion(text: str) -> Response:
    """Redirect to the home page with a notice that says which match was deleted."""
    base.notice(text)
    return redirect(url_for("home.page"), code=303)

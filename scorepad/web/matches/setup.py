"""The page that starts a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from flask import Blueprint, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.matches.transaction import RequestRefused, Saved, SentOtherwise
from scorepad.rules import variants
from scorepad.rules.definitions import Variant
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.schemas.variant_json import Difference, differing_rules
from scorepad.web import forms
from scorepad.web.base import device_id, get_pad, page_words, render_page, t, to_new_match
from scorepad.web.citations import citations_in_words
from scorepad.web.forms import figure_of
from scorepad.web.matches.new_match_form import EarlierSide, NewMatchForm, new_match_form
from scorepad.web.matches.page import BOTH
from scorepad.web.presenters import is_default_name
from scorepad.web.request_limits import limit_matches
from scorepad.web.rule_choices import chosen_seats, seat_options
from scorepad.web.rules_of_devices import rules_of_other_guests

blueprint = Blueprint("setup", __name__, url_prefix="/partite")


class FormButton(StrEnum):
    """The buttons that change the form of a new match and show it again, by the names under which
    they are sent. A form without any of them is sent to start the match.
    """

    SWITCH = "switch"
    """Play another variant; the value is its id."""
    SIT = "sit"
    """Play with another number of players: the value `players=3` sets the option `players`."""
    PLAYER = "player"
    """Seat a known player; the value is the name."""
    PAIR = "pair"
    """Seat the players of a known side; the value is that of `EarlierSide.button_value`."""
    DRAW = "draw"
    """Draw the seats and the first dealer."""
    SHOW = "show"
    """Show what follows from the typed values; only browsers without scripts need it."""


MOST_MATCHES = 30
"""The last matches whose players are offered."""
MOST_PLAYERS = 12
MOST_PAIRS = 4


@blueprint.route("/nuova", methods=BOTH, endpoint="new")
@forms.checks_itself
def new_match_page() -> Response:
    """The page on which a match is set up and started.

    The form is sent by the button that starts the match, or by one that only changes the form,
    which is then shown again with all that was typed.
    """
    if request.method == "GET":
        variant = _variant_or_default(request.args.get("variante", ""))
        return _show_new_match(_linked_form(variant, request.args))

    shown_variant = _variant_or_default(request.form.get("variant", ""))
    variant = shown_variant
    if FormButton.SWITCH in request.form:
        variant = _variant_or_default(request.form[FormButton.SWITCH])
    form = _submitted_form(variant)
    changes_form = any(button in request.form for button in FormButton)
    if not changes_form:
        return _start_match(form)

    form.reset_for_variant(shown_variant)
    _apply_seat_buttons(form)
    return _show_new_match(form)


def _submitted_form(variant: Variant) -> NewMatchForm:
    """The form of a new match of a variant, with the submitted texts in its fields.

    If a button with the value `players=3` was pressed, the field of the option `players` has the
    value `3`.
    """
    submitted = MultiDict(request.form)
    option_of_button, _, value = request.form.get(FormButton.SIT, "").partition("=")
    ids_of_seat_options = [option.id for option in seat_options(variant)]
    if option_of_button in ids_of_seat_options:
        submitted[f"option-{option_of_button}"] = value
    seated = chosen_seats(variant, submitted)
    return new_match_form(variant, seated, submitted)


def _apply_seat_buttons(form: NewMatchForm) -> None:
    """Put players on the seats of the form if the button that was pressed asks for it: one that seats
    a known player or a known side, or that draws the seats.
    """
    if FormButton.PLAYER in request.form:
        form.seat_player(request.form[FormButton.PLAYER])
    if FormButton.PAIR in request.form:
        known_side = EarlierSide.from_button(request.form[FormButton.PAIR])
        form.seat_known_side(known_side)
    if FormButton.DRAW in request.form:
        form.draw_seats()


def _start_match(form: NewMatchForm) -> Response:
    """Start the match of a submitted form, and redirect to it; or show the form with its errors."""
    if not form.validate():
        return _show_new_match(form)
    limit_matches()
    try:
        result = get_pad().actions.start(form.request_name, device_id(), form.new_match())
    except SentOtherwise:
        form.reject(t("serve.started-before"))
    except RequestRefused:
        form.reject(t("serve.sent-before"))
    else:
        if isinstance(result, Saved):
            return to_new_match(result)
        form.refuse(result)
    return _show_new_match(form)


def _variant_or_default(variant_id: str) -> Variant:
    """The variant with this id; for an unknown id, the one that is offered first."""
    if variant_id not in variant_ids():
        variant_id = variants.default_variant()
    return get_variant(variant_id)


def _linked_form(variant: Variant, linked: Mapping[str, str]) -> NewMatchForm:
    """The form of a new match, opened by a link that says with which rules.

    `linked` are the parameters of its URL: `{"preset": "wikipedia", "target": "3000"}`. Choices
    that the variant does not have are left out.
    """
    chosen = {}
    if "preset" in linked:
        chosen["preset"] = linked["preset"]
    for option in variant.options.values():
        text = linked.get(option.id, "").strip()
        is_amount = option.step is not None
        if is_amount and not figure_of(text):  # 0, or not a number
            text = ""
        chosen[f"option-{option.id}"] = text
    seated = chosen_seats(variant, chosen)
    form = new_match_form(variant, seated, chosen=chosen)
    form.reset_unknown_choices()
    return form


def _show_new_match(form: NewMatchForm) -> Response:
    """The page of a new match, with this form.

    It lists the variants to choose from. House rules that other guests of the program made are in a
    list of their own, which is folded.
    """
    form.variant.data = form.plays.id
    form.offer_choices()  # they follow what is typed now
    words = page_words(form.plays)
    earlier_sides = _earlier_sides()
    rules_of_others = rules_of_other_guests() - {form.plays.id}
    listed_variants = [variant for variant in variant_ids() if variant not in rules_of_others]
    return render_page(
        "matches/new.html",
        title=t("web.new.title"),
        has_form=True,
        words=words,
        form=form,
        players=_names_of_players(earlier_sides)[:MOST_PLAYERS],
        known_sides=_sides_for_free_seats(earlier_sides, form)[:MOST_PAIRS],
        variants=[get_variant(variant) for variant in listed_variants],
        variants_of_guests=[get_variant(variant) for variant in sorted(rules_of_others)],
        differences=_differences_from_classic(form.plays, words),
    )


# ---------------------------------------------------------------- players of earlier matches


def _earlier_sides() -> list[EarlierSide]:
    """The sides of the last matches of this device, those of matches in progress first."""
    summaries = get_pad().summaries(device_id(), MOST_MATCHES, MOST_MATCHES)
    sides = []
    for match in (*summaries.in_progress, *summaries.finished):
        for position, side_name in enumerate(match.names):
            name = "" if is_default_name(side_name) else side_name
            # Without the names of players a side counts as one player.
            players = match.players[position] if match.players else ("",)
            sides.append(EarlierSide(name, players))
    return sides


def _names_of_players(sides: Iterable[EarlierSide]) -> list[str]:
    """The names of all players of these sides, each once."""
    names: list[str] = []
    for side in sides:
        for name in side.named_players:
            if name not in names:
                names.append(name)
    return names


def _sides_for_free_seats(sides: Iterable[EarlierSide], form: NewMatchForm) -> list[EarlierSide]:
    """Those of these sides whose players can be seated together in the form, each side once."""
    fitting: list[EarlierSide] = []
    for side in sides:
        if _fits_free_seats(side, form) and side not in fitting:
            fitting.append(side)
    return fitting


def _fits_free_seats(side: EarlierSide, form: NewMatchForm) -> bool:
    """Whether the players of an earlier side can be seated together in the form of a new match.

    They can if they are several, all have names, none of them sits at the table already, and the
    table has sides of as many players.
    """
    size = len(side.players)
    if size == 1 or size not in form.side_sizes:
        return False
    if not all(side.players):
        return False
    seated = form.seated_players
    return not any(player in seated for player in side.players)


# ---------------------------------------------------------------- how a variant differs


class ShownDifference(NamedTuple):
    """A rule that differs from the classic game, and its source; empty if that is the usual one."""

    difference: Difference
    other_source: str


class DifferencesFromClassic(NamedTuple):
    """The rules of a variant that differ from the classic game, and the source that most of them
    have in common.
    """

    usual_source: str
    differences: list[ShownDifference]


def _differences_from_classic(variant: Variant, words: Words) -> DifferencesFromClassic | None:
    """The rules of a variant that differ from the classic game and matter in it; None if there are
    none.

    The page shows the most frequent source once, and beside a rule only another source.
    """
    differences = [rule for rule in differing_rules(variant, words) if rule.matters]
    if not differences:
        return None
    sources = [_source_of(difference, words) for difference in differences]
    usual_source = _most_frequent(sources)
    shown = []
    for difference, source in zip(differences, sources, strict=True):
        other_source = "" if source == usual_source else source
        shown.append(ShownDifference(difference, other_source))
    return DifferencesFromClassic(usual_source, shown)


def _source_of(difference: Difference, words: Words) -> str:
    """The source in which a differing rule is written, in words."""
    citations = [str(citation) for citation in difference.cited.citations]
    return citations_in_words(citations, words)


def _most_frequent(texts: Iterable[str]) -> str:
    """The text that occurs most often among these."""
    counted = Counter(texts).most_common()
    text, _times = counted[0]
    return text

"""The page that starts a match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from flask import Blueprint, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorepad.matches.transaction import RequestRefused, Saved, SentOtherwise
from scorepad.rules import variants
from scorepad.rules.definitions import Variant
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.web import forms
from scorepad.web.base import device_id, get_pad, page_words, render_page, t, to_new_match
from scorepad.web.forms import figure_of
from scorepad.web.matches.new_match_form import (
    EarlierSide,
    FormButton,
    NewMatchForm,
    make_new_match_form_class,
)
from scorepad.web.matches.new_match_page import NewMatchPage
from scorepad.web.matches.page import BOTH
from scorepad.web.presenters import is_default_name
from scorepad.web.request_limits import count_started_matches
from scorepad.web.rule_choices import chosen_seats, seat_options
from scorepad.web.rules_of_devices import rules_of_other_guests

blueprint = Blueprint("setup", __name__, url_prefix="/partite")


MOST_MATCHES = 30
"""The last matches whose players are offered."""
MOST_PLAYERS = 12
MOST_PAIRS = 4


@blueprint.route("/nuova", methods=BOTH, endpoint="new")
@forms.checks_itself
def new_match_page() -> Response:
    """Show the page on which a match is set up, or start the match.

    Most buttons of the form only change it, for example the game that is to be played. Then the
    page is shown again with all that was typed. Only the button that starts the match has no name.
    """
    if request.method == "GET":
        game = _find_variant_or_default(request.args.get("variante", ""))
        return _show_new_match(_fill_form_from_link(game, request.args))
    if any(button in request.form for button in FormButton):
        return _show_new_match(_change_submitted_form())
    game = _find_variant_or_default(request.form.get("variant", ""))
    return _start_match(_fill_submitted_form(game))


def _change_submitted_form() -> NewMatchForm:
    """Change the submitted form as the pressed button says.

    The button chooses another game or number of players, or puts players on seats.
    """
    game_before = _find_variant_or_default(request.form.get("variant", ""))
    game = game_before
    if FormButton.SWITCH in request.form:
        game = _find_variant_or_default(request.form[FormButton.SWITCH])
    form = _fill_submitted_form(game)
    form.reset_for_variant(game_before)

    if FormButton.PLAYER in request.form:
        form.seat_or_remove_player(request.form[FormButton.PLAYER])
    if FormButton.PAIR in request.form:
        known_side = EarlierSide.from_button(request.form[FormButton.PAIR])
        form.seat_known_side(known_side)
    if FormButton.DRAW in request.form:
        form.draw_seats()
    return form


def _fill_submitted_form(variant: Variant) -> NewMatchForm:
    """Make the form of a new match of a game (variant), filled with the submitted texts.

    The button with the value `players=3` chooses a value too: the field `option-players` gets `3`.
    """
    submitted = MultiDict(request.form)
    button_value = request.form.get(FormButton.SIT, "")
    option_of_button, _, value = button_value.partition("=")
    ids_of_seat_options = [option.id for option in seat_options(variant)]
    if option_of_button in ids_of_seat_options:  # not one that only the game before had
        submitted[f"option-{option_of_button}"] = value
    form_class = make_new_match_form_class(variant, chosen_seats(variant, submitted))
    form = form_class(formdata=submitted)
    form.offer_choices()
    return form


def _start_match(form: NewMatchForm) -> Response:
    """Start the match of a submitted form and redirect to it, or show the form with its errors."""
    if not form.validate():
        return _show_new_match(form)
    count_started_matches()
    try:
        result = get_pad().actions.start(form.request_name, device_id(), form.new_match())
    except SentOtherwise:
        # It says: "A match was started from this page already, with other names or other rules …"
        form.reject(t("serve.started-before"))
        return _show_new_match(form)
    except RequestRefused:
        # It says: "Something else was sent from this page before, and stays as it is …"
        form.reject(t("serve.sent-before"))
        return _show_new_match(form)

    if isinstance(result, Saved):
        return to_new_match(result)
    form.show_refused_names(result)  # the typed names
    return _show_new_match(form)


def _find_variant_or_default(variant_id: str) -> Variant:
    """Return the game (variant) with this id; for an unknown id, the game that is offered first."""
    if variant_id not in variant_ids():
        variant_id = variants.default_variant()
    return get_variant(variant_id)


def _fill_form_from_link(variant: Variant, parameters: Mapping[str, str]) -> NewMatchForm:
    """Make the form of a new match, filled with the rules that a link asks for.

    `parameters` are those of its address: `{"preset": "wikipedia", "target": "3000"}` chooses a
    preset (a ready-made set of options) and the value of an option. What the game does not offer is
    left out.
    """
    chosen = {}  # the texts of the fields, by their names
    if "preset" in parameters:
        chosen["preset"] = parameters["preset"]
    for option in variant.options.values():
        text = parameters.get(option.id, "").strip()
        is_amount = option.step is not None
        if is_amount and not figure_of(text):  # no number, or 0
            text = ""
        chosen[f"option-{option.id}"] = text
    form_class = make_new_match_form_class(variant, chosen_seats(variant, chosen))
    form = form_class(formdata=None, data=chosen)
    form.offer_choices()
    form.reset_unknown_choices()
    return form


def _show_new_match(form: NewMatchForm) -> Response:
    """Show the page of a new match, with this form.

    The page also lists the games (variants) to choose from. Games that other guests of the program
    have made are in a second list, which is folded up.
    """
    game = form.game
    form.variant.data = game.id  # when the form is sent, it says for which game it was filled in
    form.offer_choices()  # they follow what is typed now
    words = page_words(game)
    earlier_sides = _list_earlier_sides()
    fitting_sides = _find_sides_for_free_seats(earlier_sides, form)[:MOST_PAIRS]
    page = NewMatchPage(form, fitting_sides, words)
    games_of_guests = rules_of_other_guests() - {game.id}
    other_games = [variant for variant in variant_ids() if variant not in games_of_guests]
    return render_page(
        "matches/new.html",
        title=t("web.new.title"),
        has_form=True,
        words=words,
        form=form,
        page=page,
        known_players=page.list_players(_list_player_names(earlier_sides)[:MOST_PLAYERS]),
        games=page.list_games(get_variant(variant) for variant in other_games),
        games_of_guests=page.list_games(
            get_variant(variant) for variant in sorted(games_of_guests)
        ),
    )


# ---------------------------------------------------------------- players of earlier matches


def _list_earlier_sides() -> list[EarlierSide]:
    """List the sides of the last matches on this device, those of matches in progress first."""
    summaries = get_pad().summaries(device_id(), MOST_MATCHES, MOST_MATCHES)
    sides = []
    for match in (*summaries.in_progress, *summaries.finished):
        for position, side_name in enumerate(match.names):
            name = side_name
            if is_default_name(side_name):  # such as "We"
                name = ""
            players: tuple[str, ...] = ("",)  # without names of players a side counts as one player
            if match.players:
                players = match.players[position]
            sides.append(EarlierSide(name, players))
    return sides


def _list_player_names(sides: Iterable[EarlierSide]) -> list[str]:
    """List the names of all players of these sides, each once."""
    names: list[str] = []
    for side in sides:
        for name in side.named_players:
            if name not in names:
                names.append(name)
    return names


def _find_sides_for_free_seats(
    sides: Iterable[EarlierSide], form: NewMatchForm
) -> list[EarlierSide]:
    """Find the sides of earlier matches whose players can be seated together, each once."""
    fitting: list[EarlierSide] = []
    for side in sides:
        if _fits_free_seats(side, form) and side not in fitting:
            fitting.append(side)
    return fitting


def _fits_free_seats(side: EarlierSide, form: NewMatchForm) -> bool:
    """Tell whether the players of an earlier side can be seated together in this form.

    They can if the side has several players who all have names, if none of them sits at the table
    already, and if the table has a side of as many players.
    """
    size = len(side.players)
    if size == 1 or size not in form.side_sizes:
        return False
    have_all_names = all(side.players)
    if not have_all_names:
        return False
    return set(side.players).isdisjoint(form.seated_players)

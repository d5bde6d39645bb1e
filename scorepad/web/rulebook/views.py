"""The pages of the rulebook, the comparison of two games, and the papers of a game."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, request, url_for

from scorepad.i18n import LANGUAGES, words
from scorepad.i18n.rule_sentences import rule_name, rule_text, sentence
from scorepad.i18n.settings_in_words import value_word, variant_name, variant_special
from scorepad.referee.penalties import irregularities
from scorepad.rules.variants import default_of, get_variant, variant_ids
from scorepad.schemas.variant_json import CLASSIC
from scorepad.sheets.blank_pad import Copies, make_blank_pad
from scorepad.sheets.rules_card import make_rules_card
from scorepad.web import citations, rule_words, rulebook_links
from scorepad.web.base import FieldError, page_words, render_page, t
from scorepad.web.citations import cited_words
from scorepad.web.file_responses import paper_response
from scorepad.web.rule_choices import (
    LONGEST_QUOTE,
    ChosenRules,
    effective_options,
    read_choices,
    seat_options,
)
from scorepad.web.rulebook import comparison, content
from scorepad.web.rulebook.search import rulebook_answers, show_search
from scorepad.web.rulebook_links import anchor, game_url

blueprint = Blueprint("rulebook", __name__)
# Older addresses of the games.
blueprint.add_url_rule("/giochi", "games", redirect_to="/regole")
blueprint.add_url_rule("/giochi/<game>", "game", redirect_to="/regole/<game>")
blueprint.add_url_rule("/regole/cerca", "search", show_search)
for function in (
    anchor,
    cited_words,
    citations.source_name,
    citations.source_title,
    default_of,
    effective_options,
    game_url,
    irregularities,
    rule_name,
    rule_text,
    rule_words.coded,
    rule_words.length_words,
    rule_words.options_words,
    rule_words.players_words,
    rulebook_answers,
    seat_options,
    sentence,
    value_word,
    variant_name,
    variant_special,
):
    blueprint.add_app_template_global(function)

COMPARED_GAMES = ("uno", "altro")
"""The URL parameters that name the two games of a comparison: `classica`, or with a preset
`classica/getty`. The preset may also be in a parameter of its own, `uno-testo`.
"""
_OPEN = "aperto"
"""URL parameter: the page of a game with everything unfolded."""
_COPIES = "per-foglio"
"""URL parameter: the number of blank pads on a sheet."""
_LARGE = "grande"
"""URL parameter: a paper in large print."""


@blueprint.get("/regole")
def first() -> Response:
    """The first page, with all games."""
    return render_page(
        "rulebook/first.html",
        title=t("rulebook.title"),
        games=list(map(get_variant, variant_ids())),
    )


@blueprint.get("/regole/parole", endpoint="glossary")
def show_glossary() -> Response:
    """The words of canasta, in alphabetical order of the language of the page."""
    names = sorted(content.glossary(), key=lambda name: t(f"rulebook.word.{name}"))
    other_languages = [each for each in LANGUAGES if each is not page_words().language]
    return render_page(
        "rulebook/words.html",
        title=t("rulebook.words"),
        content=content,
        names=names,
        other=words(other_languages[0]),
        book=game_url(CLASSIC),
    )


@blueprint.get("/regole/<game>")
def page(game: str) -> Response:
    """A game in full, under the choices in the URL."""
    chosen = _rules_of_url(game)
    args = rulebook_links.choice_args(chosen.preset, chosen.options)
    is_open = _OPEN in request.args
    if is_open:
        toggle_url = chosen.url()
    else:
        open_args = {**args, _OPEN: "si"}
        toggle_url = url_for("rulebook.page", game=game, **open_args)
    return render_page(
        "rulebook/game.html",
        title=variant_name(chosen.variant, page_words()),
        errors=chosen.errors,
        words=page_words(chosen.variant),
        content=content,
        chosen=chosen,
        args=args,
        is_open=is_open,
        compare_url=_compare_url(chosen),
        open_url=toggle_url,
    )


def _compare_url(chosen: ChosenRules) -> str:
    """The page that compares a game with the classic one, or that one with a game to be chosen."""
    game = chosen.variant.id
    if chosen.preset:
        return url_for("rulebook.compare", uno=f"{game}/{chosen.preset}", altro=CLASSIC)
    if game != CLASSIC:
        return url_for("rulebook.compare", uno=game, altro=CLASSIC)
    return url_for("rulebook.compare", uno=CLASSIC)


@blueprint.get("/regole/<game>/segnapunti.pdf")
def blank(game: str) -> Response:
    """Blank pads of a game, to be filled in by pen; `?grande` prints one in 18 points, with its
    figures overleaf.
    """
    chosen = _rules_of_url(game)
    words = page_words()
    copies = Copies.TWO
    if _LARGE in request.args:
        copies = Copies.LARGE
    elif request.args.get(_COPIES) == str(Copies.FOUR.value):
        copies = Copies.FOUR

    def make_pdf() -> bytes:
        return make_blank_pad(game, words, copies, chosen.preset, chosen.options)

    return _cached_pdf("segnapunti", chosen, make_pdf, copies)


@blueprint.get("/regole/<game>/scheda.pdf", endpoint="card")
def rules_card_pdf(game: str) -> Response:
    """The rules of a game on a page; `?grande` prints them in 18 points."""
    chosen = _rules_of_url(game)
    words = page_words()
    is_large = _LARGE in request.args

    def make_pdf() -> bytes:
        return make_rules_card(game, words, chosen.preset, chosen.options, large=is_large)

    return _cached_pdf("regole", chosen, make_pdf, is_large)


def _cached_pdf(
    name: str, chosen: ChosenRules, make_pdf: Callable[[], bytes], form: int
) -> Response:
    """The response with a paper of a game, made once for each choice of rules and language.

    `name` begins the name of the file. `form` tells papers apart that are printed in several forms.
    """
    variant = chosen.variant.id
    options = frozenset(chosen.options.items())
    key = (name, page_words().language, form, variant, chosen.preset, options)
    return paper_response(make_pdf, f"{name}-{variant}", key=key)


def _rules_of_url(game: str) -> ChosenRules:
    """The choices in the URL; 404 if there is no such game."""
    if game not in variant_ids():
        abort(404)
    return read_choices(get_variant(game), request.args)


@blueprint.get("/regole/confronta")
def compare() -> Response:
    """The comparison of the two games in the URL; only the form until two are chosen."""
    words = page_words()
    games, errors = _compared_games_of_url()
    title = t("rulebook.compare.title")
    compared = []
    chapters = []
    if len(games) == len(COMPARED_GAMES):
        first_game, second_game = games.values()
        first_name = comparison.compared_name(first_game, words)
        second_name = comparison.compared_name(second_game, words)
        compared = [(first_name, first_game.url()), (second_name, second_game.url())]
        title = t("rulebook.compare.of", one=first_name, other=second_name)
        chapters = list(comparison.differing_chapters(first_game, second_game, words))
    return render_page(
        "rulebook/compare.html",
        title=title,
        errors=tuple(errors),
        fields=COMPARED_GAMES,
        chosen=games,
        games=list(map(get_variant, variant_ids())),
        preset_choices=comparison.preset_choices,
        preset_of=comparison.preset_of,
        preset_name=comparison.preset_name,
        compared=compared,
        chapters=chapters,
    )


def _compared_games_of_url() -> tuple[dict[str, ChosenRules], list[FieldError]]:
    """The games to be compared, by the field that names them, and an error for each unknown one."""
    games: dict[str, ChosenRules] = {}
    errors = []
    for field in COMPARED_GAMES:
        game_text = request.args.get(field, "").strip()
        preset_text = request.args.get(f"{field}-testo", "").strip()
        game = comparison.find_game(game_text, preset_text)
        if game:
            games[field] = game
        elif game_text:
            message = t("rulebook.compare.unknown", name=game_text[:LONGEST_QUOTE])
            errors.append(FieldError(field, message))
    return games, errors

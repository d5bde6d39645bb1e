"""The pages of the rulebook, the comparison of two games, and the papers of a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from flask import Blueprint, Response, abort, request, url_for

from scorepad.i18n import LANGUAGES, Words
from scorepad.i18n import words as words_in
from scorepad.i18n.rule_sentences import name_rule, write_rule, write_sentence
from scorepad.i18n.settings_in_words import (
    describe_option_value,
    describe_variant_briefly,
    variant_name,
)
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
    name_rule,
    write_rule,
    rule_words.coded,
    rule_words.say_length_of_match,
    rule_words.say_options_of_preset,
    rule_words.say_number_of_players,
    rulebook_answers,
    seat_options,
    write_sentence,
    describe_option_value,
    variant_name,
    describe_variant_briefly,
):
    blueprint.add_app_template_global(function)

COMPARED_GAMES = ("uno", "altro")
"""The URL parameters that name the two games of a comparison: `classica`, or with a preset
`classica/getty`. The preset may also be in a parameter of its own, `uno-testo`.
"""
_UNFOLDED = "aperto"
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
        games=[get_variant(variant) for variant in variant_ids()],
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
        other=words_in(other_languages[0]),
        book=game_url(CLASSIC),
    )


@blueprint.get("/regole/<game>")
def page(game: str) -> Response:
    """A game in full, under the preset and the options that the URL chooses.

    The template calls functions of the module `content` for the chapters of the page.
    """
    chosen = _rules_of_url(game)
    is_unfolded = _UNFOLDED in request.args
    return render_page(
        "rulebook/game.html",
        title=variant_name(chosen.variant, page_words()),
        errors=chosen.errors,
        words=page_words(chosen.variant),
        content=content,
        chosen=chosen,
        args=rulebook_links.choice_args(chosen.preset, chosen.options),
        is_open=is_unfolded,
        compare_url=_compare_url(chosen),
        toggle_url=chosen.url() if is_unfolded else _unfolded_url(chosen),
    )


def _unfolded_url(chosen: ChosenRules) -> str:
    """The page of a game under the same choices, with everything unfolded."""
    args = rulebook_links.choice_args(chosen.preset, chosen.options)
    args[_UNFOLDED] = "si"
    return url_for("rulebook.page", game=chosen.variant.id, **args)


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
    copies = _copies_of_url()
    make_pdf = partial(make_blank_pad, game, page_words(), copies, chosen.preset, chosen.options)
    return _cached_pdf("segnapunti", chosen, make_pdf, copies)


def _copies_of_url() -> Copies:
    """How many blank pads the URL asks for on a sheet: one in large print, four, or else two."""
    if _LARGE in request.args:
        return Copies.LARGE
    number = request.args.get(_COPIES, "")
    if number == str(Copies.FOUR.value):
        return Copies.FOUR
    return Copies.TWO


@blueprint.get("/regole/<game>/scheda.pdf", endpoint="card")
def rules_card_pdf(game: str) -> Response:
    """The rules of a game on a page; `?grande` prints them in 18 points."""
    chosen = _rules_of_url(game)
    is_large = _LARGE in request.args
    make_pdf = partial(
        make_rules_card, game, page_words(), chosen.preset, chosen.options, large=is_large
    )
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
    compared = _compare_games(list(games.values()), words)
    return render_page(
        "rulebook/compare.html",
        title=compared.title,
        errors=tuple(errors),
        fields=[_game_field(name, games.get(name), words) for name in COMPARED_GAMES],
        variants=[get_variant(variant) for variant in variant_ids()],
        compared=compared.games,
        chapters=compared.chapters,
    )


class GameComparison(NamedTuple):
    """The comparison of two games: its title, the games, and the chapters in which they differ."""

    title: str
    games: list[ComparedGame]
    chapters: list[comparison.ChapterDifferences]


def _compare_games(games: list[ChosenRules], words: Words) -> GameComparison:
    """Compare two games; the comparison is empty if fewer are chosen."""
    if len(games) < len(COMPARED_GAMES):
        return GameComparison(title=t("rulebook.compare.title"), games=[], chapters=[])
    first, second = games
    first_game = _name_and_page(first, words)
    second_game = _name_and_page(second, words)
    return GameComparison(
        title=t("rulebook.compare.of", one=first_game.name, other=second_game.name),
        games=[first_game, second_game],
        chapters=list(comparison.differing_chapters(first, second, words)),
    )


class ComparedGame(NamedTuple):
    """One of the two games of a comparison: its name, with that of its preset, and its page."""

    name: str
    url: str


def _name_and_page(game: ChosenRules, words: Words) -> ComparedGame:
    return ComparedGame(name=comparison.compared_name(game, words), url=game.url())


class GameField(NamedTuple):
    """The inputs in which one of the two games is chosen.

    `variant` and `preset` are the ids of the chosen ones, empty for none; `presets` are the names
    of the presets of the chosen game, by id.
    """

    name: str
    variant: str
    preset: str
    presets: dict[str, str]


def _game_field(name: str, game: ChosenRules | None, words: Words) -> GameField:
    """The inputs with this URL parameter, filled in with a game if one is chosen."""
    if game is None:
        return GameField(name, variant="", preset="", presets={})
    names_of_presets = {}
    for preset in comparison.preset_choices(game.variant):
        names_of_presets[preset] = comparison.preset_name(preset, game.variant, words)
    return GameField(
        name,
        variant=game.variant.id,
        preset=comparison.preset_of(game),
        presets=names_of_presets,
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

"""The pages of the rulebook, the comparison of two games, and the papers of a game."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import NamedTuple

from flask import Blueprint, Response, abort, request, url_for

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import (
    describe_variant_briefly,
    variant_name,
)
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.schemas.variant_json import CLASSIC
from scorepad.sheets.blank_pad import Copies, make_blank_pad, render_blank_pad
from scorepad.sheets.rules_card import make_rules_card, render_rules_card
from scorepad.web import rule_words
from scorepad.web.base import FieldError, page_words, render_page, t
from scorepad.web.file_responses import sheet_response
from scorepad.web.rule_choices import (
    LONGEST_QUOTE,
    ChosenRules,
    read_choices,
)
from scorepad.web.rulebook import comparison
from scorepad.web.rulebook.game_page import GamePage
from scorepad.web.rulebook.glossary import list_glossary
from scorepad.web.rulebook.search import search_first_results, show_search
from scorepad.web.rulebook_links import UNFOLDED, anchor, game_url

blueprint = Blueprint("rulebook", __name__)
# Older addresses of the games. What they redirect to is joined to the path of the application.
blueprint.add_url_rule("/giochi", "games", redirect_to="regole")
blueprint.add_url_rule("/giochi/<game>", "game", redirect_to="regole/<game>")
blueprint.add_url_rule("/regole/cerca", "search", show_search)
for function in (
    anchor,
    game_url,
    rule_words.say_length_of_match,
    rule_words.say_number_of_players,
    search_first_results,
    variant_name,
    describe_variant_briefly,
):
    blueprint.add_app_template_global(function)

COMPARED_GAMES = ("uno", "altro")
"""The URL parameters that name the two games of a comparison: `classica`, or with a preset
`classica/getty`. The preset may also be in a parameter of its own, `uno-testo`.
"""
_COPIES = "per-foglio"
"""URL parameter: the number of blank pads on a sheet."""
_LARGE = "grande"
"""URL parameter: a paper in large print."""


@blueprint.get("/regole")
def first() -> Response:
    """Show the first page of the rulebook, with all games."""
    return render_page(
        "rulebook/first.html",
        title=t("rulebook.title"),
        games=[get_variant(variant) for variant in variant_ids()],
    )


@blueprint.get("/regole/parole", endpoint="glossary")
def show_glossary() -> Response:
    """Show the words of canasta, each with its name in the other language too."""
    words = page_words()
    return render_page(
        "rulebook/words.html", title=t("rulebook.words"), glossary=list_glossary(words)
    )


@blueprint.get("/regole/<game>", endpoint="page")
def show_game(game: str) -> Response:
    """Show all rules of a game, under the preset and the options that the URL chooses.

    `/regole/classica?preset=getty&target=3000`. With the parameter `aperto` ("open") the page is
    unfolded: it shows at once what can otherwise be opened by a tap.
    """
    chosen = _read_rules_of_url(game)
    words = page_words(chosen.variant)
    is_unfolded = UNFOLDED in request.args
    toggle_url = chosen.url() if is_unfolded else _make_unfolded_url(chosen)
    return render_page(
        "rulebook/game.html",
        title=variant_name(chosen.variant, page_words()),
        errors=chosen.errors,
        words=words,
        page=GamePage(chosen, words, is_unfolded=is_unfolded),
        is_unfolded=is_unfolded,
        compare_url=_make_compare_url(chosen),
        toggle_url=toggle_url,
    )


def _make_unfolded_url(chosen: ChosenRules) -> str:
    """Make the URL of the page of a game under these choices, with everything unfolded."""
    return game_url(chosen.variant.id, chosen.preset, chosen.options, unfolded=True)


def _make_compare_url(chosen: ChosenRules) -> str:
    """Make the URL to which the page of a game links for a comparison.

    - a preset (a named set of options) → it is compared with the classic game
    - another game → it is compared with the classic game
    - the classic game itself → the reader chooses the other game
    """
    game = chosen.variant.id
    if chosen.preset:
        return url_for("rulebook.compare", uno=f"{game}/{chosen.preset}", altro=CLASSIC)
    if game != CLASSIC:
        return url_for("rulebook.compare", uno=game, altro=CLASSIC)
    return url_for("rulebook.compare", uno=CLASSIC)


@blueprint.get("/regole/<game>/segnapunti.pdf")
def blank(game: str) -> Response:
    """Return a PDF, or a page to print, with blank score pads of a game, to be filled in by pen.

    `?per-foglio=4` prints four on a sheet in place of two. `?grande` prints a single one in large
    print, with the numbers of the game on the back.
    """
    chosen = _read_rules_of_url(game)
    copies = _read_copies_of_url()
    rules = (game, page_words(), copies, chosen.preset, chosen.options)
    return sheet_response(
        make_pdf=partial(make_blank_pad, *rules),
        render_sheet=partial(render_blank_pad, *rules),
        name=f"segnapunti-{chosen.variant.id}",
        back_url=chosen.url(),
        key=_make_sheet_key("segnapunti", chosen, format_key=copies),
    )


def _read_copies_of_url() -> Copies:
    """Read from the URL how many blank score pads are printed on a sheet.

    - `?grande` → one, in large print
    - `?per-foglio=4` → four
    - otherwise → two
    """
    if _LARGE in request.args:
        return Copies.LARGE
    number = request.args.get(_COPIES, "")
    if number == str(Copies.FOUR.value):
        return Copies.FOUR
    return Copies.TWO


@blueprint.get("/regole/<game>/scheda.pdf", endpoint="card")
def rules_card_pdf(game: str) -> Response:
    """Return a PDF, or a page to print, with the rules of a game on one page.

    `?grande` prints them in large print.
    """
    chosen = _read_rules_of_url(game)
    is_large = _LARGE in request.args
    rules = (game, page_words(), chosen.preset, chosen.options)
    return sheet_response(
        make_pdf=partial(make_rules_card, *rules, large=is_large),
        render_sheet=partial(render_rules_card, *rules, large=is_large),
        name=f"regole-{chosen.variant.id}",
        back_url=chosen.url(),
        key=_make_sheet_key("regole", chosen, format_key=is_large),
    )


def _make_sheet_key(name: str, chosen: ChosenRules, *, format_key: int) -> Hashable:
    """Make the key under which a PDF about a game is cached.

    It is made of its name, the language, the chosen rules, and `format_key`, which tells several
    formats of one sheet apart.
    """
    options = frozenset(chosen.options.items())
    return (
        name,
        page_words().language,
        format_key,
        chosen.variant.id,
        chosen.preset,
        options,
    )


def _read_rules_of_url(game: str) -> ChosenRules:
    """Read which rules of a game the URL chooses; 404 if there is no such game."""
    if game not in variant_ids():
        abort(404)
    return read_choices(get_variant(game), request.args)


@blueprint.get("/regole/confronta")
def compare() -> Response:
    """Show the comparison of the two games in the URL; only a form as long as two are not chosen.

    `/regole/confronta?uno=samba&altro=classica` (`uno` is "one", `altro` is "the other").
    """
    words = page_words()
    game_by_field, errors = _read_games_of_url()
    compared = _compare_games(list(game_by_field.values()), words)
    fields = []
    for name in COMPARED_GAMES:
        fields.append(_make_game_field(name, game_by_field.get(name), words))
    return render_page(
        "rulebook/compare.html",
        title=compared.title,
        errors=tuple(errors),
        fields=fields,
        variants=[get_variant(variant) for variant in variant_ids()],
        comparison=compared,
    )


class GameComparison(NamedTuple):
    """The comparison of two games: its title, the games, and the chapters in which they differ."""

    title: str
    games: list[ComparedGame]
    chapters: list[comparison.ChapterDifferences]

    @property
    def number_of_differences(self) -> int:
        """Count the rules about which the two games say something different."""
        return sum(len(chapter.differing_rows) for chapter in self.chapters)


def _compare_games(games: list[ChosenRules], words: Words) -> GameComparison:
    """Compare two games; the comparison is empty as long as fewer than two are chosen."""
    if len(games) < len(COMPARED_GAMES):
        return GameComparison(title=words.t("rulebook.compare.title"), games=[], chapters=[])
    first, second = games
    first_game = _make_heading_of_compared_game(first, words)
    second_game = _make_heading_of_compared_game(second, words)
    return GameComparison(
        title=words.t("rulebook.compare.of", one=first_game.name, other=second_game.name),
        games=[first_game, second_game],
        chapters=list(comparison.differing_chapters(first, second, words)),
    )


class ComparedGame(NamedTuple):
    """One of the two games of a comparison: its name, with that of its preset, and its page."""

    name: str
    url: str


def _make_heading_of_compared_game(game: ChosenRules, words: Words) -> ComparedGame:
    """Make the heading of a game's column in a comparison: its name, with a link to its page."""
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


def _make_game_field(name: str, game: ChosenRules | None, words: Words) -> GameField:
    """Make the inputs in which one of the two games is chosen, filled in if one is chosen already.

    `name` is the URL parameter of the game: `uno` or `altro`.
    """
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


def _read_games_of_url() -> tuple[dict[str, ChosenRules], list[FieldError]]:
    """Read which two games the URL names: those found, by parameter, and errors for the others.

    `?uno=samba&altro=foo` → samba as `uno`, and an error at the field `altro`. A parameter that is
    blank or missing is no error: the game is still to be chosen.
    """
    games: dict[str, ChosenRules] = {}
    errors = []
    for field in COMPARED_GAMES:
        game_text = request.args.get(field, "").strip()
        preset_text = request.args.get(f"{field}-testo", "").strip()
        game = comparison.find_game(game_text, preset_text)
        if game:
            games[field] = game
        elif game_text:
            # It says: "“{name}” is not one of the games: choose one from the list."
            message = t("rulebook.compare.unknown", name=game_text[:LONGEST_QUOTE])
            errors.append(FieldError(field, message))
    return games, errors

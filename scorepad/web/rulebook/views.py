"""The pages of the rulebook and the papers of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Blueprint, Response, abort, request, url_for

from scorepad.i18n import LANGUAGES, Words, words
from scorepad.i18n.settings import rule_name, rule_told
from scorepad.referee.irregularities import irregularities
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.schemas.variants import CLASSIC
from scorepad.sheets.game_papers import Copies, blank_pad, rules_card
from scorepad.web.base import page_words, render_page, t
from scorepad.web.downloads import cached_paper, paper_response
from scorepad.web.presenters import (
    anchor,
    choice_args,
    cited_words,
    coded,
    game_url,
    length_words,
    options_words,
    players_words,
    source_name,
    source_title,
)
from scorepad.web.rule_choices import SITS, ChosenRules, effective_options, option_values, pickers, read_choices
from scorepad.web.rulebook import comparison, content
from scorepad.web.rulebook.search import rulebook_answers, show_search

blueprint = Blueprint("rulebook", __name__)
# Older addresses of the games.
blueprint.add_url_rule("/giochi", "games", redirect_to="/regole")
blueprint.add_url_rule("/giochi/<game>", "game", redirect_to="/regole/<game>")
for function in (
    anchor, irregularities, cited_words, comparison.codifications, comparison.codification_name,
    comparison.codification_of, content.alternative_text, content.chapters, content.checks,
    content.cited_sources, content.changed_rules, content.figure_table, content.optional_score_lines,
    content.other_names, content.penalty_notes, content.penalty_text, content.quoted_sources, content.score_lines,
    content.statement_text, effective_options, game_url, length_words, option_values, options_words, pickers,
    players_words, rule_name,
    rule_told, rulebook_answers, source_name, source_title,
):  # fmt: skip
    blueprint.add_app_template_global(function)

_OPEN, _COPIES, _LARGE = "aperto", "per-foglio", "grande"
"""The parameters of a page with nothing folded, of the number of blank pads on a sheet, and of large print."""


@blueprint.get("/regole")
def first() -> Response:
    """The first page, with all games."""
    return render_page("rulebook/first.html", title=t("rulebook.title"), games=list(map(get_variant, variant_ids())))


@blueprint.get("/regole/cerca")
def search() -> Response:
    """The search."""
    return show_search(request.args.get("testo", ""), request.args.get("gioco", ""))


@blueprint.get("/regole/confronta")
def compare() -> Response:
    """Two games side by side."""
    return comparison.show_comparison()


@blueprint.get("/regole/parole")
def glossary() -> Response:
    """The words of canasta, in alphabetical order."""
    speech = page_words()
    names = sorted(content.GLOSSARY, key=lambda name: speech.text(f"rulebook.word.{name}"))
    return render_page(
        "rulebook/words.html",
        title=t("rulebook.words"),
        names=[(name, content.GLOSSARY[name][0]) for name in names],
        other=next(words(language) for language in LANGUAGES if language is not speech.language),
        book=game_url(CLASSIC),
    )


@blueprint.get("/regole/<game>")
def page(game: str) -> Response:
    """A game in full, under the choices in the address."""
    chosen, speech, is_open = _chosen(game), page_words(), _OPEN in request.args
    args = choice_args(chosen.preset, chosen.options)
    one = f"{game}/{chosen.preset}" if chosen.preset else game
    return render_page(
        "rulebook/game.html",
        title=t(f"variant.{game}.name"),
        errors=chosen.errors,
        chosen=chosen,
        is_open=is_open,
        starts=tuple(_starts(chosen, speech)),
        papers=tuple(_papers(chosen)),
        compare_url=url_for("rulebook.compare", uno=one, altro=None if one == CLASSIC else CLASSIC),
        open_url=chosen.url() if is_open else url_for("rulebook.page", game=game, **args | {_OPEN: "si"}),
    )


def _starts(chosen: ChosenRules, speech: Words) -> Iterator[tuple[str, str]]:
    """The buttons that start a match: one, or one for each number of players where an option decides it."""
    variant, args = chosen.variant, choice_args(chosen.preset, chosen.options)
    seated = [(option, value) for option in variant.options.values() for value in option.values if SITS in value.sets]
    for option, value in seated:
        players = speech.text("players", count=sum(value.sets[SITS]))
        url = url_for("setup.new", variante=variant.id, **args | {option.id: coded(value.value)})
        yield speech.text("web.game.play-in", players=players), url
    if not seated:
        yield speech.text("web.game.play"), url_for("setup.new", variante=variant.id, **args)


def _papers(chosen: ChosenRules) -> Iterator[tuple[str, str]]:
    """The papers of a game: the message key of the link, and the address."""
    args = {"game": chosen.variant.id, **choice_args(chosen.preset, chosen.options)}
    yield "paper.link.card", url_for("rulebook.card", **args)
    for copies in (Copies.TWO, Copies.FOUR):
        yield f"paper.link.blank.{copies}", url_for("rulebook.blank", **args | {_COPIES: str(copies.value)})
    yield "paper.link.card.large", url_for("rulebook.card", **args | {_LARGE: "si"})
    yield "paper.link.blank.large", url_for("rulebook.blank", **args | {_LARGE: "si"})


@blueprint.get("/regole/<game>/segnapunti.pdf")
def blank(game: str) -> Response:
    """Blank pads of a game, to be filled in by pen; `?grande` prints one in 18 points, with its figures overleaf."""
    chosen, speech = _chosen(game), page_words()
    copies = Copies.FOUR if request.args.get(_COPIES) == str(Copies.FOUR.value) else Copies.TWO
    copies = Copies.LARGE if _LARGE in request.args else copies
    return _pdf("segnapunti", chosen, lambda: blank_pad(game, speech, copies, chosen.preset, chosen.options), copies)


@blueprint.get("/regole/<game>/scheda.pdf")
def card(game: str) -> Response:
    """The rules of a game on a page; `?grande` prints them in 18 points."""
    chosen, speech, large = _chosen(game), page_words(), _LARGE in request.args
    return _pdf("regole", chosen, lambda: rules_card(game, speech, chosen.preset, chosen.options, large=large), large)


def _pdf(name: str, chosen: ChosenRules, make: Callable[[], bytes], copies: int = 1) -> Response:
    """A paper of a game, kept for the next request with the same choices and language."""
    options = frozenset(chosen.options.items())
    key = (name, page_words().language, copies, chosen.variant.id, chosen.preset, options)
    return paper_response(lambda: cached_paper(key, make), f"{name}-{chosen.variant.id}")


def _chosen(game: str) -> ChosenRules:
    """The choices in the address; not found where there is no such game."""
    if game not in variant_ids():
        abort(404)
    return read_choices(get_variant(game), request.args, page_words())

"""The pages of the rulebook, the comparison of two games, and the papers of a game.

Two games, or two codifications of one, are compared rule by rule: only what differs. A codification is a preset, or a
value of the option `code`, of which each value is a version of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from flask import Blueprint, Response, abort, request, url_for

from scorepad.i18n import LANGUAGES, Words, words
from scorepad.i18n.settings import CHAPTERS, PENALTIES, each_by_players, rule_name, rule_told, setting_words
from scorepad.referee.case import faults_of
from scorepad.referee.irregularities import irregularities
from scorepad.rules.definitions import Statement
from scorepad.rules.variants import Variant, get_variant, variant_ids
from scorepad.schemas.variants import CLASSIC, applies
from scorepad.sheets.game_papers import Copies, blank_pad, rules_card
from scorepad.web.base import FieldError, cached_paper, page_words, paper_response, render_page, t
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
from scorepad.web.rule_choices import (
    LONGEST_QUOTE,
    SITS,
    ChosenRules,
    effective_options,
    in_book,
    option_values,
    pickers,
    read_choices,
)
from scorepad.web.rulebook import content
from scorepad.web.rulebook.search import rulebook_answers, show_search

blueprint = Blueprint("rulebook", __name__)
# Older addresses of the games.
blueprint.add_url_rule("/giochi", "games", redirect_to="/regole")
blueprint.add_url_rule("/giochi/<game>", "game", redirect_to="/regole/<game>")
for function in (
    anchor, irregularities, cited_words,     content.alternative_text, content.chapters, content.checks,
    content.cited_sources, content.changed_rules, content.figure_table, content.optional_score_lines,
    content.other_names, content.penalty_notes, content.penalty_text, content.quoted_sources, content.score_lines,
    content.statement_text, effective_options, game_url, length_words, option_values, options_words, pickers,
    players_words, rule_name,
    rule_told, rulebook_answers, source_name, source_title,
):  # fmt: skip
    blueprint.add_app_template_global(function)

FIELDS = ("uno", "altro")
"""The parameters of the two, `classica` or `classica/getty`; the codification also by itself, as `uno-testo`."""
_VERSIONS = "code"
_LEFT_OUT = ("fault-without-fifteen", "fault-only-fifty")
"""Mistakes of sources that are figures which they leave out."""
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


# ---------------------------------------------------------------- two games compared


class Cell(NamedTuple):
    """A rule in one of the two, in short; its place in the rulebook; why it is so, and what else its sources say."""

    text: str
    url: str = ""
    why: str = ""
    more: Sequence[tuple[str, str]] = ()


class Row(NamedTuple):
    """A rule of which at least the sources say something else in each of the two."""

    name: str
    cells: tuple[Cell, Cell]

    @property
    def differs(self) -> bool:
        """Whether the rule itself is another one."""
        return self.cells[0].text != self.cells[1].text


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two: its choices, the statements beside its rules, and those that its own source makes instead."""

    chosen: ChosenRules
    source: str | None
    statements: tuple[Statement, ...]
    own: tuple[Statement, ...]


@blueprint.get("/regole/confronta")
def compare() -> Response:
    """The comparison of the two in the address; until two are chosen only the form for them."""
    words, errors, games = page_words(), [], []
    for field in FIELDS:
        code = request.args.get(field, "").strip()
        game = _game_of(code, request.args.get(f"{field}-testo", "").strip())
        if game:
            games.append((field, game))
        elif code:
            errors.append(FieldError(field, words.text("rulebook.compare.unknown", name=code[:LONGEST_QUOTE])))
    names = [_name(game, words) for _, game in games]
    both = len(games) == len(FIELDS)
    sides = [_side(game) for _, game in games]
    return render_page(
        "rulebook/compare.html",
        title=words.text("rulebook.compare.of", one=names[0], other=names[1]) if both else t("rulebook.compare.title"),
        errors=tuple(errors),
        fields=FIELDS,
        chosen=dict(games),
        games=variant_ids(),
        compared=list(zip(names, (game.url() for _, game in games), strict=True)) if both else [],
        chapters=list(_chapters(sides, words)) if both else [],
    )


def _game_of(code: str, text: str) -> ChosenRules | None:
    """The rules of a code; a codification of its own that is of another game is left out."""
    game, _, codification = code.partition("/")
    if game not in variant_ids():
        return None
    variant = get_variant(game)
    codification = codification or (text if text in codifications(variant) else "")
    if not codification or codification in variant.presets:
        return ChosenRules(variant, codification or None)
    return ChosenRules(variant, None, {_VERSIONS: codification}) if codification in codifications(variant) else None


@blueprint.app_template_global()
def codifications(variant: Variant) -> tuple[str, ...]:
    """The presets of a game, and its versions other than the usual one."""
    option = variant.options.get(_VERSIONS)
    versions = (str(each.value) for each in option.values if each.value != option.default) if option else ()
    return (*variant.presets, *versions)


@blueprint.app_template_global()
def codification_of(chosen: ChosenRules) -> str:
    """The codification that is chosen; empty for the usual game."""
    return chosen.preset or str(chosen.options.get(_VERSIONS, ""))


@blueprint.app_template_global()
def codification_name(code: str, variant: Variant, words: Words) -> str:
    """What a codification of a game is called."""
    return words.text(f"preset.{code}" if code in variant.presets else f"rulebook.version.{code}")


def _name(chosen: ChosenRules, words: Words) -> str:
    name, code = words.text(f"variant.{chosen.variant.id}.name"), codification_of(chosen)
    preset = codification_name(code, chosen.variant, words) if code else ""
    return words.text("rulebook.codified", game=name, preset=preset) if code else name


def _side(chosen: ChosenRules) -> _Side:
    source = chosen.variant.presets[chosen.preset].source if chosen.preset else None
    cited_there = (each for each in chosen.statements if each.differs)
    own = tuple(each for each in cited_there if any(place.source == source for place in each.cited.citations))
    replaced = {each.instead for each in own}
    common = (each for each in chosen.statements if not each.differs and each.id not in replaced)
    return _Side(chosen, source, tuple(common), own)


def _chapters(sides: Sequence[_Side], words: Words) -> Iterator[tuple[str, list[Row]]]:
    """The chapters with differences: their ids and the rows; two rules of one name, of one game each, in one row."""
    for name, keys in CHAPTERS.items():
        rows: dict[str, Row] = {}
        for row in (_head_row(name, sides, words), *_rule_rows(keys, sides, words)):
            before = rows.get(row.name)
            cells = zip(before.cells, row.cells, strict=True) if before else ()
            merged = tuple(one if one.url else other for one, other in cells)
            rows[row.name] = Row(row.name, (merged[0], merged[1])) if merged else row
        told = [row for row in rows.values() if row.differs or any(cell.more for cell in row.cells)]
        if name == PENALTIES:
            told += [row for row in _penalty_rows(sides, words) if row.differs]
        if told:
            yield name, told


def _only(sides: Sequence[_Side], position: int, after: str | None, section: str = "") -> list[Statement]:
    """The statements after a rule, or at the head of a chapter, that only one of the two has."""
    there = {each.id for each in sides[1 - position].statements}
    found = (each for each in sides[position].statements if each.after == after and each.id not in there)
    return [each for each in found if after or each.section == section]


def _head_row(section: str, sides: Sequence[_Side], words: Words) -> Row:
    """The statements at the head of a chapter that only one of the two has."""
    first, second = (
        Cell("", side.chosen.url(anchor("section", section)), more=content.sourced_statements(statements, words))
        for side, statements in ((side, _only(sides, at, None, section)) for at, side in enumerate(sides))
    )
    return Row(words.text(f"rulebook.section.{section}"), (first, second))


def _rule_rows(keys: Sequence[str], sides: Sequence[_Side], words: Words) -> Iterator[Row]:
    """The rules of a chapter; where they are the same in both the cells are equal."""
    for key in keys:
        if any(in_book(key, side.chosen.played, words) for side in sides):
            yield _rule_row(key, sides, words)


def _rule_row(key: str, sides: Sequence[_Side], words: Words) -> Row:
    values = _values(key, sides, words)
    own = [[each for each in side.own if each.after == key] for side in sides]
    left_out = [_left_out(key, side, words) for side in sides]
    cells = []
    for at, (side, other) in enumerate(zip(sides, reversed(sides), strict=True)):
        there = [each for each in own[1 - at] if each.id not in {same.id for same in side.own}]
        here = [each for each in own[at] if each.id not in {same.id for same in other.own}]
        # A statement that the other's source makes instead of one of these, or of the rule itself, stands against it.
        only = _only(sides, at, key)
        against = [each for each in only if each.id in {mine.instead for mine in there}]
        against_rule = any(each.instead is None for each in there) and not any(each.instead is None for each in here)
        is_told = values[0] != values[1] or against_rule or any(left_out)
        texts = [(values[at], _why(key, side, words) if values[at] else "")] if is_told else []
        texts += [*content.sourced_statements([*against, *here], words), *((each, "") for each in left_out[at])]
        place = side.chosen.url(anchor("rule", key)) if in_book(key, side.chosen.played, words) else ""
        more = content.sourced_statements([each for each in only if each not in against], words)
        why = " ".join(dict.fromkeys(why for _, why in texts if why))
        told = " ".join(text if text.endswith(".") or len(texts) == 1 else f"{text}." for text, _ in texts)
        cells.append(Cell(told, place, why, more))
    return Row(rule_name(key, words), (cells[0], cells[1]))


def _values(key: str, sides: Sequence[_Side], words: Words) -> list[str]:
    """A rule in both: in short, as a sentence where only that shows the difference."""
    played = [side.chosen.played for side in sides]
    nothing = words.text("rulebook.compare.not-here")
    told = [rule_told(key, each, words) if applies(key, each) else nothing for each in played]
    short = [
        "; ".join(each_by_players(key, each, words)) or setting_words(key, each, words)
        if applies(key, each)
        else nothing
        for each in played
    ]
    return told if told[0] == told[1] or short[0] == short[1] else short


def _why(key: str, side: _Side, words: Words) -> str:
    return cited_words(side.chosen.played.settings[key].cited, words) if applies(key, side.chosen.played) else ""


def _left_out(key: str, side: _Side, words: Words) -> list[str]:
    """What the source of a codification leaves out of a rule."""
    slips = (slip for slip in faults_of(side.chosen.rules, key) if slip.code in _LEFT_OUT)
    own = (slip for slip in slips if any(place.partition(":")[0] == side.source for place in slip.sources))
    return [words.text(f"ruling.{slip.code}") for slip in own]


def _penalty_rows(sides: Sequence[_Side], words: Words) -> Iterator[Row]:
    """The penalties in both, in the order of the first."""
    known = [{each.code: each for each in irregularities(side.chosen.rules)} for side in sides]
    for code in dict.fromkeys((*known[0], *known[1])):
        first, second = (
            Cell(
                content.penalty_text(here[code], words), side.chosen.url(anchor("penalty", code)),
                cited_words(here[code].cited, words),
            )
            if code in here
            else Cell(words.text("rulebook.compare.not-here"))
            for here, side in zip(known, sides, strict=True)
        )  # fmt: skip
        yield Row(words.text(f"penalty.{code}"), (first, second))

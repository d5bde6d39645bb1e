"""The pages of the rulebook, the comparison of two games, and the papers of a game.

Two games, or two presets of one, are compared rule by rule, by their differences. The values of
the option `code`, each a version of the game, count as presets too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from flask import Blueprint, Response, abort, request, url_for

from scorepad.i18n import LANGUAGES, Words, words
from scorepad.i18n.rule_sentences import (
    CHAPTERS,
    PENALTIES,
    each_by_players,
    rule_name,
    rule_text,
    sentence,
)
from scorepad.i18n.settings_in_words import setting_words, value_word, variant_name, variant_special
from scorepad.referee.penalties import irregularities
from scorepad.referee.reasons import faults_of
from scorepad.rules.definitions import Statement, Variant
from scorepad.rules.variants import default_of, get_variant, variant_ids
from scorepad.schemas.variant_json import CLASSIC, applies
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
    in_book,
    read_choices,
    seat_options,
)
from scorepad.web.rulebook import content
from scorepad.web.rulebook.search import rulebook_answers, show_search
from scorepad.web.rulebook_links import anchor, game_url

blueprint = Blueprint("rulebook", __name__)
# Older addresses of the games.
blueprint.add_url_rule("/giochi", "games", redirect_to="/regole")
blueprint.add_url_rule("/giochi/<game>", "game", redirect_to="/regole/<game>")
blueprint.add_url_rule("/regole/cerca", "search", show_search)
for function in (
    anchor, cited_words, rule_words.coded, default_of, effective_options, game_url, irregularities,
    rule_words.length_words, rule_words.options_words, rule_words.players_words, rule_name, rule_text, rulebook_answers,
    seat_options, sentence, citations.source_name, citations.source_title, value_word, variant_name, variant_special,
):  # fmt: skip
    blueprint.add_app_template_global(function)

FIELDS = ("uno", "altro")
"""The parameters of the two, `classica` or `classica/getty`; the preset also separately, as
`uno-testo`.
"""
_VERSIONS = "code"
_LEFT_OUT = (
    "fault-without-fifteen",
    "fault-only-fifty",
)  # mistakes of sources: figures that they leave out
_OPEN, _COPIES, _LARGE = "aperto", "per-foglio", "grande"
"""The parameters of an expanded page, of the number of blank pads on a sheet, and of large print.
"""


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
    """The words of canasta, in alphabetical order."""
    speech = page_words()
    return render_page(
        "rulebook/words.html",
        title=t("rulebook.words"),
        content=content,
        names=sorted(content.glossary(), key=lambda name: speech.t(f"rulebook.word.{name}")),
        other=next(words(language) for language in LANGUAGES if language is not speech.language),
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
        toggle_url = url_for("rulebook.page", game=game, **args | {_OPEN: "si"})
    compared = f"{game}/{chosen.preset}" if chosen.preset else game
    other = None if compared == CLASSIC else CLASSIC
    return render_page(
        "rulebook/game.html",
        title=variant_name(chosen.variant, page_words()),
        errors=chosen.errors,
        words=page_words(chosen.variant),
        content=content,
        chosen=chosen,
        args=args,
        is_open=is_open,
        compare_url=url_for("rulebook.compare", uno=compared, altro=other),
        open_url=toggle_url,
    )


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

    def make() -> bytes:
        return make_blank_pad(game, words, copies, chosen.preset, chosen.options)

    return _cached_pdf("segnapunti", chosen, make, copies)


@blueprint.get("/regole/<game>/scheda.pdf", endpoint="card")
def rules_card_pdf(game: str) -> Response:
    """The rules of a game on a page; `?grande` prints them in 18 points."""
    chosen = _rules_of_url(game)
    words = page_words()
    large = _LARGE in request.args

    def make() -> bytes:
        return make_rules_card(game, words, chosen.preset, chosen.options, large=large)

    return _cached_pdf("regole", chosen, make, large)


def _cached_pdf(
    name: str, chosen: ChosenRules, make: Callable[[], bytes], copies: int = 1
) -> Response:
    """A paper of a game, cached by choices and language."""
    options = frozenset(chosen.options.items())
    key = (name, page_words().language, copies, chosen.variant.id, chosen.preset, options)
    return paper_response(make, f"{name}-{chosen.variant.id}", key=key)


def _rules_of_url(game: str) -> ChosenRules:
    """The choices in the URL; 404 if there is no such game."""
    if game not in variant_ids():
        abort(404)
    return read_choices(get_variant(game), request.args)


# ---------------------------------------------------------------- two games compared


class Cell(NamedTuple):
    """A rule in one of the two, in short; its URL in the rulebook; its reason, and further
    statements.
    """

    text: str
    url: str = ""
    why: str = ""
    more: Sequence[tuple[str, str]] = ()


class DifferenceRow(NamedTuple):
    """A rule that differs between the two, or whose sources do."""

    name: str
    cells: list[Cell]

    @property
    def differs(self) -> bool:
        """Whether the rule itself differs."""
        return self.cells[0].text != self.cells[1].text


class _Side(NamedTuple):
    """One of the two: its choices and words, the statements beside its rules, and those that its
    own source makes instead.
    """

    chosen: ChosenRules
    words: Words
    source: str | None
    statements: list[Statement]
    own: list[Statement]

    def own_after(self, key: str, other: _Side) -> list[Statement]:
        """The statements of its source instead of a rule, without those of the other."""
        theirs = {each.id for each in other.own}
        return [each for each in self.own if each.after == key and each.id not in theirs]

    def alone(self, other: _Side, after: str | None, section: str = "") -> list[Statement]:
        """The statements after a rule, or at the head of a chapter, that the other lacks."""
        there = {each.id for each in other.statements}
        found = (each for each in self.statements if each.after == after and each.id not in there)
        return [each for each in found if after or each.section == section]


def preset_choices(variant: Variant) -> dict[str, ChosenRules]:
    """The presets of a game by their ids, and its versions other than the usual one."""
    choices = {preset: ChosenRules(variant, preset) for preset in variant.presets}
    versions = variant.options.get(_VERSIONS)
    if versions is None:
        return choices
    for version in versions.values:
        if version.value != versions.default:
            name = str(version.value)
            choices[name] = ChosenRules(variant, None, {_VERSIONS: name})
    return choices


def preset_of(chosen: ChosenRules) -> str:
    """The chosen preset or version; empty for the usual game."""
    return chosen.preset or str(chosen.options.get(_VERSIONS, ""))


def preset_name(preset: str, variant: Variant, words: Words) -> str:
    if preset in variant.presets:
        return words.t(f"preset.{preset}")
    return words.t(f"rulebook.version.{preset}")


@blueprint.get("/regole/confronta")
def compare() -> Response:
    """The comparison of the two in the URL; only the form until two are chosen."""
    words = page_words()
    errors = []
    games: dict[str, ChosenRules] = {}
    for field in FIELDS:
        game_text = request.args.get(field, "").strip()
        preset_text = request.args.get(f"{field}-testo", "").strip()
        game = _compared_game(game_text, preset_text)
        if game:
            games[field] = game
        elif game_text:
            message = t("rulebook.compare.unknown", name=game_text[:LONGEST_QUOTE])
            errors.append(FieldError(field, message))
    title = t("rulebook.compare.title")
    compared = []
    chapters = []
    if len(games) == len(FIELDS):
        compared = [(_compared_name(game, words), game.url()) for game in games.values()]
        title = t("rulebook.compare.of", one=compared[0][0], other=compared[1][0])
        chapters = list(_chapters([_side(game) for game in games.values()], words))
    return render_page(
        "rulebook/compare.html",
        title=title,
        errors=tuple(errors),
        fields=FIELDS,
        chosen=games,
        games=list(map(get_variant, variant_ids())),
        preset_choices=preset_choices,
        preset_of=preset_of,
        preset_name=preset_name,
        compared=compared,
        chapters=chapters,
    )


def _compared_name(game: ChosenRules, words: Words) -> str:
    name = variant_name(game.variant, words)
    preset = preset_of(game)
    if not preset:
        return name
    return t("rulebook.codified", game=name, preset=preset_name(preset, game.variant, words))


def _compared_game(game_text: str, preset_text: str) -> ChosenRules | None:
    """The rules of a parameter; a preset of another game is ignored."""
    game, _, preset = game_text.partition("/")
    if game not in variant_ids():
        return None
    variant = get_variant(game)
    choices = preset_choices(variant) | {"": ChosenRules(variant)}
    if not preset and preset_text in choices:
        preset = preset_text
    return choices.get(preset)


def _side(chosen: ChosenRules) -> _Side:
    source = chosen.variant.presets[chosen.preset].source if chosen.preset else None
    own = []
    for statement in chosen.statements:
        sources = [citation.source for citation in statement.cited.citations]
        if statement.differs and source in sources:
            own.append(statement)
    replaced = {statement.instead for statement in own}
    common = []
    for statement in chosen.statements:
        if not statement.differs and statement.id not in replaced:
            common.append(statement)
    return _Side(chosen, page_words(chosen.variant), source, common, own)


def _chapters(sides: list[_Side], words: Words) -> Iterator[tuple[str, list[DifferenceRow]]]:
    """The chapters with differences: ids and rows."""
    for section, keys in CHAPTERS.items():
        rows = _rows_of_rules(section, keys, sides, words)
        if section == "count":
            rows += _rows_of_codes("bonus", sides, words)
        elif section == PENALTIES:
            rows += _rows_of_codes("penalty", sides, words)
        shown = [row for row in rows if row.differs or any(cell.more for cell in row.cells)]
        if shown:
            yield section, shown


def _rows_of_rules(
    section: str, keys: Sequence[str], sides: list[_Side], words: Words
) -> list[DifferenceRow]:
    """The head of a chapter and its rules; two rules with one name, one per game, share a row."""
    pairs = (sides, sides[::-1])
    heads = []
    for side, other in pairs:
        # The statements at the head of the chapter that the other lacks.
        more = content.sourced_statements(side.alone(other, None, section), side.words)
        heads.append(Cell("", side.chosen.url(anchor("section", section)), more=more))
    rows = {"": DifferenceRow(t(f"rulebook.section.{section}"), heads)}
    for key in keys:
        if not any(in_book(key, side.chosen.current_variant, words) for side in sides):
            continue
        name = rule_name(key, words)
        cells = [_compared_cell(key, side, other) for side, other in pairs]
        if name in rows:
            earlier = rows[name].cells
            cells = [earlier[index] if earlier[index].url else cells[index] for index in (0, 1)]
        rows[name] = DifferenceRow(name, cells)
    return list(rows.values())


def _rows_of_codes(kind: str, sides: list[_Side], words: Words) -> list[DifferenceRow]:
    """The bonuses or the penalties of both, by name."""
    cells_by_side = [_coded(kind, side) for side in sides]
    missing = Cell(words.t("rulebook.compare.not-here"))
    rows: dict[str, DifferenceRow] = {}
    for cells in cells_by_side:
        for name in cells:
            both = [of_side.get(name, missing) for of_side in cells_by_side]
            rows[name] = DifferenceRow(name, both)
    return list(rows.values())


def _compared_cell(key: str, side: _Side, other: _Side) -> Cell:
    """A rule in one of the two; the cells are equal if the rule is the same in both."""
    words = side.words
    own_statements = side.own_after(key, other)
    other_statements = other.own_after(key, side)
    alone = side.alone(other, key)
    # A statement that the other's source makes instead of one of these, or of the rule itself, is
    # shown opposite.
    replaced_there = {statement.instead for statement in other_statements}
    opposite = [statement for statement in alone if statement.id in replaced_there]
    is_rule_opposite = None in replaced_there and not any(
        statement.instead is None for statement in own_statements
    )
    omissions = _left_out(key, side)
    texts = []
    value, other_value, why = _differing_values(key, side, other)
    if value != other_value or is_rule_opposite or omissions or _left_out(key, other):
        texts.append((value, why))
    texts += content.sourced_statements([*opposite, *own_statements], words)
    texts += [(text, "") for text in omissions]
    reasons = [why for _, why in texts if why]
    url = ""
    if in_book(key, side.chosen.current_variant, words):
        url = side.chosen.url(anchor("rule", key))
    further = [statement for statement in alone if statement not in opposite]
    return Cell(
        text=_joined_sentences([text for text, _ in texts]),
        url=url,
        why=" ".join(dict.fromkeys(reasons)),
        more=content.sourced_statements(further, words),
    )


def _differing_values(key: str, side: _Side, other: _Side) -> tuple[str, str, str]:
    """A rule in one of the two and in the other, in short if that differs and as sentences if only
    these do; and its reason.
    """
    sentence, short, why = _rule_in_words(key, side)
    other_sentence, other_short, _ = _rule_in_words(key, other)
    if sentence == other_sentence or short == other_short:
        return sentence, other_sentence, why
    return short, other_short, why


def _joined_sentences(texts: list[str]) -> str:
    if len(texts) == 1:
        return texts[0]
    return " ".join(text if text.endswith(".") else f"{text}." for text in texts)


def _rule_in_words(key: str, side: _Side) -> tuple[str, str, str]:
    """A rule as a sentence and in short, and its reason."""
    variant = side.chosen.current_variant
    words = side.words
    if not applies(key, variant):
        not_here = words.t("rulebook.compare.not-here")
        return not_here, not_here, ""
    short = "; ".join(each_by_players(key, variant, words)) or setting_words(key, variant, words)
    why = cited_words(variant.settings[key].cited, words)
    return rule_text(key, variant, words), short, why


def _left_out(key: str, side: _Side) -> list[str]:
    """Parts of a rule omitted by the source of a preset."""
    texts = []
    for fault in faults_of(side.chosen.rules, key):
        sources = [citation.partition(":")[0] for citation in fault.sources]
        if fault.code in _LEFT_OUT and side.source in sources:
            texts.append(side.words.t(f"ruling.{fault.code}"))
    return texts


def _coded(kind: str, side: _Side) -> dict[str, Cell]:
    """The penalties or bonuses of one of the two by name, each as its own rules call it."""
    words = side.words
    entries = []
    if kind == "bonus":
        for code, bonus in side.chosen.variant.bonuses.items():
            entries.append((code, words.t("rulebook.bonus", points=bonus.points), bonus.cited))
    else:
        for penalty in irregularities(side.chosen.rules):
            entries.append((penalty.code, content.penalty_text(penalty, words), penalty.cited))
    cells = {}
    for code, text, cited in entries:
        name = words.t(f"{kind}.{code}")
        cells[name] = Cell(text, side.chosen.url(anchor(kind, code)), cited_words(cited, words))
    return cells

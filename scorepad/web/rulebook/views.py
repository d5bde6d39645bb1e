"""The pages of the rulebook, the comparison of two games, and the papers of a game.

Two games, or two codifications of one, are compared rule by rule, by their differences. A
codification is a preset, or a value of the option `code`, of which each value is a version of the
game.
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
from scorepad.i18n.settings import setting_words, value_word, variant_name, variant_special
from scorepad.referee.penalties import irregularities
from scorepad.referee.reasons import faults_of
from scorepad.rules.definitions import Statement, Variant
from scorepad.rules.variants import default_of, get_variant, variant_ids
from scorepad.schemas.variant_json import CLASSIC, applies
from scorepad.sheets.blank_pad import Copies, blank_pad
from scorepad.sheets.rules_card import rules_card
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
"""The parameters of the two, `classica` or `classica/getty`; the codification also separately, as
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


@blueprint.get("/regole/parole")
def glossary() -> Response:
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
    chosen, is_open = _chosen(game), _OPEN in request.args
    args = rulebook_links.choice_args(chosen.preset, chosen.options)
    one = f"{game}/{chosen.preset}" if chosen.preset else game
    return render_page(
        "rulebook/game.html",
        title=variant_name(chosen.variant, page_words()),
        errors=chosen.errors,
        words=page_words(chosen.variant),
        content=content,
        chosen=chosen,
        args=args,
        is_open=is_open,
        compare_url=url_for("rulebook.compare", uno=one, altro=None if one == CLASSIC else CLASSIC),
        open_url=chosen.url()
        if is_open
        else url_for("rulebook.page", game=game, **args | {_OPEN: "si"}),
    )


@blueprint.get("/regole/<game>/segnapunti.pdf")
def blank(game: str) -> Response:
    """Blank pads of a game, to be filled in by pen; `?grande` prints one in 18 points, with its
    figures overleaf.
    """
    chosen, speech = _chosen(game), page_words()
    copies = Copies.FOUR if request.args.get(_COPIES) == str(Copies.FOUR.value) else Copies.TWO
    copies = Copies.LARGE if _LARGE in request.args else copies
    return _pdf(
        "segnapunti",
        chosen,
        lambda: blank_pad(game, speech, copies, chosen.preset, chosen.options),
        copies,
    )


@blueprint.get("/regole/<game>/scheda.pdf")
def card(game: str) -> Response:
    """The rules of a game on a page; `?grande` prints them in 18 points."""
    chosen, speech, large = _chosen(game), page_words(), _LARGE in request.args
    return _pdf(
        "regole",
        chosen,
        lambda: rules_card(game, speech, chosen.preset, chosen.options, large=large),
        large,
    )


def _pdf(name: str, chosen: ChosenRules, make: Callable[[], bytes], copies: int = 1) -> Response:
    """A paper of a game, cached by choices and language."""
    options = frozenset(chosen.options.items())
    key = (name, page_words().language, copies, chosen.variant.id, chosen.preset, options)
    return paper_response(make, f"{name}-{chosen.variant.id}", key=key)


def _chosen(game: str) -> ChosenRules:
    """The choices in the URL; 404 if there is no such game."""
    if game not in variant_ids():
        abort(404)
    return read_choices(get_variant(game), request.args)


# ---------------------------------------------------------------- two games compared


class Cell(NamedTuple):
    """A rule in one of the two, in short; its place in the rulebook; its reason, and further
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


def codifications(variant: Variant) -> dict[str, ChosenRules]:
    """The presets of a game by their ids, and its versions other than the usual one."""
    option = variant.options.get(_VERSIONS)
    versions = (
        [str(each.value) for each in option.values if each.value != option.default]
        if option
        else []
    )
    presets = {preset: ChosenRules(variant, preset) for preset in variant.presets}
    return presets | {
        version: ChosenRules(variant, None, {_VERSIONS: version}) for version in versions
    }


def codification_of(chosen: ChosenRules) -> str:
    """The chosen codification; empty for the usual game."""
    return chosen.preset or str(chosen.options.get(_VERSIONS, ""))


def codification_name(code: str, variant: Variant, words: Words) -> str:
    """The name of a codification."""
    return words.t(f"preset.{code}" if code in variant.presets else f"rulebook.version.{code}")


@blueprint.get("/regole/confronta")
def compare() -> Response:
    """The comparison of the two in the URL; only the form until two are chosen."""
    words, errors, games, names = page_words(), [], dict[str, ChosenRules](), []
    for field in FIELDS:
        code, text = (request.args.get(name, "").strip() for name in (field, f"{field}-testo"))
        if game := _game_of(code, text):
            name, codification = variant_name(game.variant, words), codification_of(game)
            preset = codification_name(codification, game.variant, words) if codification else ""
            names.append(t("rulebook.codified", game=name, preset=preset) if preset else name)
            games[field] = game
        elif code:
            errors.append(
                FieldError(field, t("rulebook.compare.unknown", name=code[:LONGEST_QUOTE]))
            )
    both = len(games) == len(FIELDS)
    return render_page(
        "rulebook/compare.html",
        title=t("rulebook.compare.of", one=names[0], other=names[1])
        if both
        else t("rulebook.compare.title"),
        errors=tuple(errors),
        fields=FIELDS,
        chosen=games,
        games=list(map(get_variant, variant_ids())),
        codifications=codifications,
        codification_of=codification_of,
        codification_name=codification_name,
        compared=[(name, game.url()) for name, game in zip(names, games.values(), strict=True)]
        if both
        else [],
        chapters=list(_chapters([_side(game) for game in games.values()], words)) if both else [],
    )


def _game_of(code: str, text: str) -> ChosenRules | None:
    """The rules of a code; a codification of another game is ignored."""
    game, _, codification = code.partition("/")
    if game not in variant_ids():
        return None
    known = codifications(get_variant(game)) | {"": ChosenRules(get_variant(game))}
    return known.get(codification or (text if text in known else ""))


def _side(chosen: ChosenRules) -> _Side:
    source = chosen.variant.presets[chosen.preset].source if chosen.preset else None
    cited_there = (each for each in chosen.statements if each.differs)
    own = [
        each
        for each in cited_there
        if any(place.source == source for place in each.cited.citations)
    ]
    replaced = {each.instead for each in own}
    common = [each for each in chosen.statements if not each.differs and each.id not in replaced]
    return _Side(chosen, page_words(chosen.variant), source, common, own)


def _chapters(sides: list[_Side], words: Words) -> Iterator[tuple[str, list[DifferenceRow]]]:
    """The chapters with differences: ids and rows; two rules with one name, one per game, share a
    row.
    """
    pairs = (sides, sides[::-1])
    for section, keys in CHAPTERS.items():
        heads = []
        for side, other in pairs:
            # The statements at the head of the chapter that the other lacks.
            more = content.sourced_statements(side.alone(other, None, section), side.words)
            heads.append(Cell("", side.chosen.url(anchor("section", section)), more=more))
        rows = {"": DifferenceRow(t(f"rulebook.section.{section}"), heads)}
        for key in (
            key for key in keys if any(in_book(key, side.chosen.played, words) for side in sides)
        ):
            name, cells = (
                rule_name(key, words),
                [_cell(key, side, other) for side, other in pairs],
            )
            if name in rows:
                cells = [
                    one if one.url else other
                    for one, other in zip(rows[name].cells, cells, strict=True)
                ]
            rows[name] = DifferenceRow(name, cells)
        if kind := {"count": "bonus", PENALTIES: "penalty"}.get(section):
            both, nothing = (
                [_coded(kind, side) for side in sides],
                Cell(words.t("rulebook.compare.not-here")),
            )
            for name in dict.fromkeys(name for cells in both for name in cells):
                rows[f"{kind}.{name}"] = DifferenceRow(
                    name, [cells.get(name, nothing) for cells in both]
                )
        told = [row for row in rows.values() if row.differs or any(cell.more for cell in row.cells)]
        if told:
            yield section, told


def _cell(key: str, side: _Side, other: _Side) -> Cell:
    """A rule in one of the two; the cells are equal if the rule is the same in both."""
    words = side.words
    mine, theirs = _told(key, side), _told(key, other)
    is_sentence = mine[0] == theirs[0] or mine[1] == theirs[1]  # only the sentence differs
    value, value_there = (mine[0], theirs[0]) if is_sentence else (mine[1], theirs[1])
    here, there, alone = (
        side.own_after(key, other),
        other.own_after(key, side),
        side.alone(other, key),
    )
    # A statement that the other's source makes instead of one of these, or of the rule itself, is
    # shown opposite.
    against = [each for each in alone if each.id in {mine.instead for mine in there}]
    against_rule = any(each.instead is None for each in there) and not any(
        each.instead is None for each in here
    )
    left_out = [_left_out(key, each) for each in (side, other)]
    texts = (
        []
        if value == value_there and not against_rule and not any(left_out)
        else [(value, mine[2])]
    )
    texts += [
        *content.sourced_statements([*against, *here], words),
        *((each, "") for each in left_out[0]),
    ]
    told = " ".join(
        text if text.endswith(".") or len(texts) == 1 else f"{text}." for text, _ in texts
    )
    return Cell(
        text=told,
        url=side.chosen.url(anchor("rule", key)) if in_book(key, side.chosen.played, words) else "",
        why=" ".join(dict.fromkeys(why for _, why in texts if why)),
        more=content.sourced_statements([each for each in alone if each not in against], words),
    )


def _told(key: str, side: _Side) -> tuple[str, str, str]:
    """A rule as a sentence and in short, and its reason."""
    played, words = side.chosen.played, side.words
    if not applies(key, played):
        return words.t("rulebook.compare.not-here"), words.t("rulebook.compare.not-here"), ""
    short = "; ".join(each_by_players(key, played, words)) or setting_words(key, played, words)
    return rule_text(key, played, words), short, cited_words(played.settings[key].cited, words)


def _left_out(key: str, side: _Side) -> list[str]:
    """Parts of a rule omitted by the source of a codification."""
    slips = (slip for slip in faults_of(side.chosen.rules, key) if slip.code in _LEFT_OUT)
    own = (
        slip
        for slip in slips
        if any(place.partition(":")[0] == side.source for place in slip.sources)
    )
    return [side.words.t(f"ruling.{slip.code}") for slip in own]


def _coded(kind: str, side: _Side) -> dict[str, Cell]:
    """The penalties or bonuses of one of the two by name, each as its own rules call it."""
    variant, words = side.chosen.variant, side.words
    if kind == "bonus":
        told = [
            (code, words.t("rulebook.bonus", points=bonus.points), bonus.cited)
            for code, bonus in variant.bonuses.items()
        ]
    else:
        penalties = irregularities(side.chosen.rules)
        told = [(each.code, content.penalty_text(each, words), each.cited) for each in penalties]
    cells = {}
    for code, text, cited in told:
        name = words.t(f"{kind}.{code}")
        cells[name] = Cell(text, side.chosen.url(anchor(kind, code)), cited_words(cited, words))
    return cells

"""Two games compared rule by rule, or two presets of one game: only the rules that differ.

The values of the option `code`, each a version of the game, count as presets too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import CHAPTERS, PENALTIES, each_by_players, rule_name, rule_text
from scorepad.i18n.settings_in_words import setting_words, variant_name
from scorepad.referee.penalties import irregularities
from scorepad.referee.reasons import faults_of
from scorepad.rules.definitions import Statement, Variant
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.schemas.variant_json import applies
from scorepad.web.base import page_words
from scorepad.web.citations import cited_words
from scorepad.web.rule_choices import ChosenRules, in_book
from scorepad.web.rulebook.content import SourcedText, penalty_text, sourced_statements
from scorepad.web.rulebook_links import anchor

_VERSION_OPTION = "code"
_OMISSIONS = ("fault-without-fifteen", "fault-only-fifty")
"""Known mistakes of sources that leave out a part of a rule."""


# ---------------------------------------------------------------- the games to choose from


def preset_choices(variant: Variant) -> dict[str, ChosenRules]:
    """The presets of a game by their ids, and its versions other than the default one."""
    choices = {preset: ChosenRules(variant, preset) for preset in variant.presets}
    versions = variant.options.get(_VERSION_OPTION)
    if versions is None:
        return choices
    for version in versions.values:
        if version.value != versions.default:
            name = str(version.value)
            choices[name] = ChosenRules(variant, None, {_VERSION_OPTION: name})
    return choices


def preset_of(chosen: ChosenRules) -> str:
    """The chosen preset or version; empty for the game without choices."""
    return chosen.preset or str(chosen.options.get(_VERSION_OPTION, ""))


def preset_name(preset: str, variant: Variant, words: Words) -> str:
    if preset in variant.presets:
        return words.t(f"preset.{preset}")
    return words.t(f"rulebook.version.{preset}")


def compared_name(chosen: ChosenRules, words: Words) -> str:
    """The name of a game, with its preset or version."""
    name = variant_name(chosen.variant, words)
    preset = preset_of(chosen)
    if not preset:
        return name
    return words.t(
        "rulebook.codified", game=name, preset=preset_name(preset, chosen.variant, words)
    )


def find_game(game_text: str, preset_text: str) -> ChosenRules | None:
    """The rules named by `classica` or `classica/getty`, or with the preset in a text of its own.

    None if there are none; a `preset_text` of another game is ignored.
    """
    game, _, preset = game_text.partition("/")
    if game not in variant_ids():
        return None
    variant = get_variant(game)
    choices = preset_choices(variant)
    if not preset and preset_text in choices:
        preset = preset_text
    if not preset:
        return ChosenRules(variant)
    return choices.get(preset)


# ---------------------------------------------------------------- their differences


class ComparedCell(NamedTuple):
    """A rule in one of the two games: its text, its URL in the rulebook, the sources in words, and
    further statements that only this game has.
    """

    text: str
    url: str = ""
    why: str = ""
    more: Sequence[SourcedText] = ()


class DifferenceRow(NamedTuple):
    """A rule with a cell for each of the two games."""

    name: str
    cells: list[ComparedCell]

    @property
    def differs(self) -> bool:
        """Whether the rule itself differs; else one game has statements that the other lacks."""
        return self.cells[0].text != self.cells[1].text

    @property
    def is_shown(self) -> bool:
        return self.differs or any(cell.more for cell in self.cells)


class ChapterDifferences(NamedTuple):
    """The differences in one chapter of the rulebook."""

    section: str
    rows: list[DifferenceRow]


class _Game(NamedTuple):
    """One of the two games, with what the sources state beside its rules.

    `preset_statements` are made by the source of the chosen preset in place of a rule or of another
    statement; `statements` are all others in force.
    """

    chosen: ChosenRules
    words: Words
    preset_source: str | None
    preset_statements: list[Statement]
    statements: list[Statement]

    def unshared_preset_statements(self, rule: str, other: _Game) -> list[Statement]:
        """What the source of the preset says in place of a rule, unless the other's says it too."""
        unshared = _statements_without(self.preset_statements, other.preset_statements)
        return [statement for statement in unshared if statement.after == rule]

    def unshared_statements(self, rule: str | None, other: _Game) -> list[Statement]:
        """The statements after a rule that the other game lacks; None: at the head of a chapter."""
        unshared = _statements_without(self.statements, other.statements)
        return [statement for statement in unshared if statement.after == rule]


def _statements_without(statements: list[Statement], others: list[Statement]) -> list[Statement]:
    other_ids = {statement.id for statement in others}
    return [statement for statement in statements if statement.id not in other_ids]


def differing_chapters(
    first: ChosenRules, second: ChosenRules, words: Words
) -> Iterator[ChapterDifferences]:
    """The chapters in which two games differ."""
    games = [_game(first), _game(second)]
    for section, keys in CHAPTERS.items():
        rows = _rows_of_rules(section, keys, games, words)
        if section == "count":
            rows += _rows_by_name(_bonus_cells(games[0]), _bonus_cells(games[1]), words)
        elif section == PENALTIES:
            rows += _rows_by_name(_penalty_cells(games[0]), _penalty_cells(games[1]), words)
        shown = [row for row in rows if row.is_shown]
        if shown:
            yield ChapterDifferences(section, shown)


def _game(chosen: ChosenRules) -> _Game:
    preset_source = None
    if chosen.preset:
        preset_source = chosen.variant.presets[chosen.preset].source
    preset_statements = []
    for statement in chosen.statements:
        sources = [citation.source for citation in statement.cited.citations]
        if statement.differs and preset_source in sources:
            preset_statements.append(statement)

    replaced = {statement.instead for statement in preset_statements}
    statements = []
    for statement in chosen.statements:
        if not statement.differs and statement.id not in replaced:
            statements.append(statement)
    return _Game(chosen, page_words(chosen.variant), preset_source, preset_statements, statements)


def _rows_of_rules(
    section: str, keys: Sequence[str], games: list[_Game], words: Words
) -> list[DifferenceRow]:
    """The head of a chapter and its rules."""
    first, second = games
    head_cells = [_head_cell(section, first, second), _head_cell(section, second, first)]
    rows = {"": DifferenceRow(words.t(f"rulebook.section.{section}"), head_cells)}
    for key in keys:
        if not any(in_book(key, game.chosen.current_variant, words) for game in games):
            continue
        name = rule_name(key, words)
        cells = [_rule_cell(key, first, second), _rule_cell(key, second, first)]
        if name in rows:  # two settings with one name, each used in one of the games
            cells = _cells_with_rule(rows[name].cells, cells)
        rows[name] = DifferenceRow(name, cells)
    return list(rows.values())


def _head_cell(section: str, game: _Game, other: _Game) -> ComparedCell:
    """The statements at the head of a chapter that the other game lacks."""
    statements = []
    for statement in game.unshared_statements(None, other):
        if statement.section == section:
            statements.append(statement)
    url = game.chosen.url(anchor("section", section))
    return ComparedCell("", url, more=sourced_statements(statements, game.words))


def _cells_with_rule(earlier: list[ComparedCell], later: list[ComparedCell]) -> list[ComparedCell]:
    """For each game the earlier cell if its rule is in the rulebook, else the later one."""
    cells = []
    for earlier_cell, later_cell in zip(earlier, later, strict=True):
        cells.append(earlier_cell if earlier_cell.url else later_cell)
    return cells


def _rule_cell(key: str, game: _Game, other: _Game) -> ComparedCell:
    """A rule in one of the games; its text is that of the other's cell if both play it alike."""
    words = game.words
    statements = _statements_on_rule(key, game, other)
    omissions = _omissions(key, game)
    has_omissions = bool(omissions or _omissions(key, other))
    rule = _compared_rule(key, game)
    other_rule = _compared_rule(key, other)
    is_different = rule.sentence != other_rule.sentence

    texts = []
    if is_different or statements.is_rule_replaced_by_other or has_omissions:
        text = rule.sentence
        if is_different and rule.short != other_rule.short:
            text = rule.short
        texts.append(SourcedText(text, rule.source))
    texts += sourced_statements(statements.compared, words)
    for omission in omissions:
        texts.append(SourcedText(omission, ""))

    url = ""
    if in_book(key, game.chosen.current_variant, words):
        url = game.chosen.url(anchor("rule", key))
    sources = [text.source for text in texts if text.source]
    return ComparedCell(
        text=_joined_sentences([text.text for text in texts]),
        url=url,
        why=" ".join(dict.fromkeys(sources)),
        more=sourced_statements(statements.further, words),
    )


class _StatementsOnRule(NamedTuple):
    """What the sources of one game state about a rule, and those of the other do not.

    `compared` are the statements that belong beside what the other game has in their place,
    `further` all others.
    """

    compared: list[Statement]
    further: list[Statement]
    is_rule_replaced_by_other: bool


def _statements_on_rule(key: str, game: _Game, other: _Game) -> _StatementsOnRule:
    preset_statements = game.unshared_preset_statements(key, other)
    # Ids of statements; None stands for the rule itself.
    replaced_by_other = {each.instead for each in other.unshared_preset_statements(key, game)}
    replaced_here = {each.instead for each in preset_statements}
    compared = []
    further = []
    for statement in game.unshared_statements(key, other):
        if statement.id in replaced_by_other:
            compared.append(statement)
        else:
            further.append(statement)
    compared += preset_statements
    is_rule_replaced_by_other = None in replaced_by_other and None not in replaced_here
    return _StatementsOnRule(compared, further, is_rule_replaced_by_other)


class _RuleInWords(NamedTuple):
    sentence: str
    short: str
    source: str


def _compared_rule(key: str, game: _Game) -> _RuleInWords:
    variant = game.chosen.current_variant
    words = game.words
    if not applies(key, variant):
        not_here = words.t("rulebook.compare.not-here")
        return _RuleInWords(not_here, not_here, "")
    by_players = "; ".join(each_by_players(key, variant, words))
    return _RuleInWords(
        sentence=rule_text(key, variant, words),
        short=by_players or setting_words(key, variant, words),
        source=cited_words(variant.settings[key].cited, words),
    )


def _joined_sentences(texts: list[str]) -> str:
    if len(texts) == 1:
        return texts[0]
    return " ".join(text if text.endswith(".") else f"{text}." for text in texts)


def _omissions(key: str, game: _Game) -> list[str]:
    """The parts of a rule that the source of the preset leaves out, in words."""
    texts = []
    for fault in faults_of(game.chosen.rules, key):
        sources = [citation.partition(":")[0] for citation in fault.sources]
        if fault.code in _OMISSIONS and game.preset_source in sources:
            texts.append(game.words.t(f"ruling.{fault.code}"))
    return texts


def _bonus_cells(game: _Game) -> dict[str, ComparedCell]:
    """The bonuses of one of the games, by name."""
    words = game.words
    cells = {}
    for code, bonus in game.chosen.variant.bonuses.items():
        text = words.t("rulebook.bonus", points=bonus.points)
        url = game.chosen.url(anchor("bonus", code))
        cells[words.t(f"bonus.{code}")] = ComparedCell(text, url, cited_words(bonus.cited, words))
    return cells


def _penalty_cells(game: _Game) -> dict[str, ComparedCell]:
    """The penalties of one of the games, by name."""
    words = game.words
    cells = {}
    for penalty in irregularities(game.chosen.rules):
        text = penalty_text(penalty, words)
        url = game.chosen.url(anchor("penalty", penalty.code))
        name = words.t(f"penalty.{penalty.code}")
        cells[name] = ComparedCell(text, url, cited_words(penalty.cited, words))
    return cells


def _rows_by_name(
    first: dict[str, ComparedCell], second: dict[str, ComparedCell], words: Words
) -> list[DifferenceRow]:
    missing = ComparedCell(words.t("rulebook.compare.not-here"))
    rows = []
    for name in dict.fromkeys([*first, *second]):
        cells = [first.get(name, missing), second.get(name, missing)]
        rows.append(DifferenceRow(name, cells))
    return rows

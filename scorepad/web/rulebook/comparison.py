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
    version_option = variant.options.get(_VERSION_OPTION)
    if version_option is None:
        return choices
    for version in version_option.values:
        if version.value != version_option.default:
            version_id = str(version.value)
            choices[version_id] = ChosenRules(variant, None, {_VERSION_OPTION: version_id})
    return choices


def preset_of(chosen: ChosenRules) -> str:
    """The id of the chosen preset or version; empty for the game without choices."""
    if chosen.preset:
        return chosen.preset
    return str(chosen.options.get(_VERSION_OPTION, ""))


def preset_name(preset: str, variant: Variant, words: Words) -> str:
    """The name of a preset or a version of a game."""
    if preset in variant.presets:
        return words.t(f"preset.{preset}")
    return words.t(f"rulebook.version.{preset}")


def compared_name(chosen: ChosenRules, words: Words) -> str:
    """The name of a game, with that of its preset or version if one is chosen."""
    game = variant_name(chosen.variant, words)
    preset = preset_of(chosen)
    if not preset:
        return game
    name_of_preset = preset_name(preset, chosen.variant, words)
    return words.t("rulebook.codified", game=game, preset=name_of_preset)


def find_game(game_text: str, preset_text: str) -> ChosenRules | None:
    """The game that a URL names: `classica`, or with its preset `classica/getty`.

    The preset may also be in a text of its own, which is ignored if it belongs to another game.
    None if there is no such game or preset.
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
    """A rule in one of the two games.

    `url` is its place in the rulebook, `why` are its sources in words, and `more` are further
    statements that only this game has.
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
        """Whether there is any difference to show."""
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
        """What the source of the preset states about a rule, unless the other game's does too."""
        unshared = _statements_without(self.preset_statements, other.preset_statements)
        return [statement for statement in unshared if statement.after == rule]

    def unshared_statements_on_rule(self, rule: str, other: _Game) -> list[Statement]:
        """The statements about a rule that the other game lacks."""
        unshared = _statements_without(self.statements, other.statements)
        return [statement for statement in unshared if statement.after == rule]

    def unshared_statements_at_head(self, section: str, other: _Game) -> list[Statement]:
        """The statements at the head of a chapter, about no single rule, that the other game lacks."""
        at_head = []
        for statement in _statements_without(self.statements, other.statements):
            is_about_rule = statement.after is not None
            if statement.section == section and not is_about_rule:
                at_head.append(statement)
        return at_head


def _statements_without(statements: list[Statement], others: list[Statement]) -> list[Statement]:
    """The statements that are not among the others."""
    other_ids = {statement.id for statement in others}
    return [statement for statement in statements if statement.id not in other_ids]


def differing_chapters(
    first: ChosenRules, second: ChosenRules, words: Words
) -> Iterator[ChapterDifferences]:
    """The chapters of the rulebook in which two games differ, each with the rules that differ."""
    first_game = _compared_game(first)
    second_game = _compared_game(second)
    for section, keys in CHAPTERS.items():
        rows = [_row_of_head(section, first_game, second_game, words)]
        rows += _rows_of_rules(keys, first_game, second_game, words)
        if section == "count":
            rows += _rows_by_name(_bonus_cells(first_game), _bonus_cells(second_game), words)
        if section == PENALTIES:
            rows += _rows_by_name(_penalty_cells(first_game), _penalty_cells(second_game), words)
        shown = [row for row in rows if row.is_shown]
        if shown:
            yield ChapterDifferences(section, shown)


def _compared_game(chosen: ChosenRules) -> _Game:
    """A game for the comparison, with the statements that are in force in it.

    A statement is a sentence of a source that the rulebook shows beside the rules. Some statements
    differ: their source contradicts a rule or another statement. They are in force only under a
    preset, which is the game as one source has it, and then stand in place of what they contradict.
    """
    preset_source = None
    if chosen.preset:
        preset_source = chosen.variant.presets[chosen.preset].source
    preset_statements = []
    for statement in chosen.statements:
        if statement.differs and _cites(statement, preset_source):
            preset_statements.append(statement)

    ids_of_replaced = {statement.instead for statement in preset_statements}
    statements = []
    for statement in chosen.statements:
        is_replaced = statement.id in ids_of_replaced
        if not statement.differs and not is_replaced:
            statements.append(statement)
    return _Game(chosen, page_words(chosen.variant), preset_source, preset_statements, statements)


def _cites(statement: Statement, source: str | None) -> bool:
    """Whether a statement cites a source; never without one."""
    return any(citation.source == source for citation in statement.cited.citations)


def _row_of_head(section: str, first: _Game, second: _Game, words: Words) -> DifferenceRow:
    """The row for what stands at the head of a chapter, before its rules."""
    cells = [_head_cell(section, first, second), _head_cell(section, second, first)]
    return DifferenceRow(words.t(f"rulebook.section.{section}"), cells)


def _rows_of_rules(
    keys: Sequence[str], first: _Game, second: _Game, words: Words
) -> list[DifferenceRow]:
    """A row for each rule of a chapter that the rulebook shows in one of the games or in both.

    `keys` are the settings of the chapter.
    """
    rows: dict[str, DifferenceRow] = {}
    for key in keys:
        is_in_first = in_book(key, first.chosen.current_variant, words)
        is_in_second = in_book(key, second.chosen.current_variant, words)
        if not is_in_first and not is_in_second:
            continue
        name = rule_name(key, words)
        cells = [_rule_cell(key, first, second), _rule_cell(key, second, first)]
        if name in rows:  # two settings with one name, each used in one of the games
            cells = _cells_with_rule(rows[name].cells, cells)
        rows[name] = DifferenceRow(name, cells)
    return list(rows.values())


def _head_cell(section: str, game: _Game, other: _Game) -> ComparedCell:
    """The cell for the head of a chapter: the statements there that the other game lacks.

    There is no rule at the head of a chapter, so that the cell has no text of its own.
    """
    statements = game.unshared_statements_at_head(section, other)
    return ComparedCell(
        text="",
        url=game.chosen.url(anchor("section", section)),
        more=sourced_statements(statements, game.words),
    )


def _cells_with_rule(earlier: list[ComparedCell], later: list[ComparedCell]) -> list[ComparedCell]:
    """For each game the earlier cell if its rule is in the rulebook, else the later one."""
    cells = []
    for earlier_cell, later_cell in zip(earlier, later, strict=True):
        cells.append(earlier_cell if earlier_cell.url else later_cell)
    return cells


def _rule_cell(key: str, game: _Game, other: _Game) -> ComparedCell:
    """The cell of a rule for one of two games; `key` is the setting that decides the rule.

    Its text is the rule, followed by what the sources of this game state in place of it, and by the
    parts of it that they leave out. Where the games agree the cells of both have an empty text.
    """
    statements = _statements_on_rule(key, game, other)
    omissions = _omissions(key, game)
    rule = _compared_rule(key, game)
    rule_of_other = _compared_rule(key, other)
    is_different = rule.sentence != rule_of_other.sentence
    is_incomplete_in_one = bool(omissions or _omissions(key, other))

    texts = []
    # Even an equal rule is shown beside what stands in its place, or beside what leaves a part out.
    if is_different or statements.is_rule_replaced_by_other or is_incomplete_in_one:
        texts.append(_shortest_text(rule, rule_of_other))
    texts += sourced_statements(statements.compared, game.words)
    texts += omissions
    url = ""
    if in_book(key, game.chosen.current_variant, game.words):
        url = game.chosen.url(anchor("rule", key))
    return ComparedCell(
        text=_join_sentences([text.text for text in texts]),
        url=url,
        why=_join_sources(texts),
        more=sourced_statements(statements.further, game.words),
    )


class _StatementsOnRule(NamedTuple):
    """What the sources of one game state about a rule, and those of the other do not.

    `compared` are the statements that belong beside what the other game has in their place,
    `further` all others. `is_rule_replaced_by_other`: the other game has a statement in place of
    the rule itself, and this one has the rule.
    """

    compared: list[Statement]
    further: list[Statement]
    is_rule_replaced_by_other: bool


def _statements_on_rule(key: str, game: _Game, other: _Game) -> _StatementsOnRule:
    """The statements about a rule that one game has and the other lacks.

    A statement of a preset may stand in place of another statement, or in place of the rule itself.
    """
    of_preset = game.unshared_preset_statements(key, other)
    of_other_preset = other.unshared_preset_statements(key, game)
    is_rule_replaced_by_other = _replace_rule(of_other_preset) and not _replace_rule(of_preset)

    ids_replaced_in_other = {statement.instead for statement in of_other_preset}
    compared = []
    further = []
    for statement in game.unshared_statements_on_rule(key, other):
        if statement.id in ids_replaced_in_other:
            compared.append(statement)
        else:
            further.append(statement)
    compared += of_preset
    return _StatementsOnRule(compared, further, is_rule_replaced_by_other)


def _replace_rule(preset_statements: list[Statement]) -> bool:
    """Whether one of these statements stands in place of a rule, not of another statement."""
    return any(statement.instead is None for statement in preset_statements)


class _RuleInWords(NamedTuple):
    """A rule as a sentence, its value alone in short, and its source."""

    sentence: str
    short: str
    source: str


def _compared_rule(key: str, game: _Game) -> _RuleInWords:
    """The rule that a setting decides in one of the games, in words.

    In a game in which the setting means nothing, the words are that there is no such rule.
    """
    variant = game.chosen.current_variant
    words = game.words
    if not applies(key, variant):
        no_such_rule = words.t("rulebook.compare.not-here")
        return _RuleInWords(sentence=no_such_rule, short=no_such_rule, source="")

    values_by_players = each_by_players(key, variant, words)
    if values_by_players:
        short = "; ".join(values_by_players)
    else:  # the value is the same for any number of players
        short = setting_words(key, variant, words)
    return _RuleInWords(
        sentence=rule_text(key, variant, words),
        short=short,
        source=cited_words(variant.settings[key].cited, words),
    )


def _shortest_text(rule: _RuleInWords, other: _RuleInWords) -> SourcedText:
    """The value of a rule if that tells it from the other one, else the rule as a sentence."""
    is_told_by_value = rule.sentence != other.sentence and rule.short != other.short
    text = rule.short if is_told_by_value else rule.sentence
    return SourcedText(text, rule.source)


def _join_sentences(texts: list[str]) -> str:
    """The texts one after the other; each of several ends with a full stop."""
    if len(texts) == 1:
        return texts[0]
    sentences = []
    for text in texts:
        sentences.append(text if text.endswith(".") else f"{text}.")
    return " ".join(sentences)


def _join_sources(texts: list[SourcedText]) -> str:
    """The sources of some texts in their order, each once."""
    sources: list[str] = []
    for text in texts:
        if text.source and text.source not in sources:
            sources.append(text.source)
    return " ".join(sources)


def _omissions(key: str, game: _Game) -> list[SourcedText]:
    """The parts of a rule that the source of the preset leaves out, in words; they cite no source."""
    texts = []
    for fault in faults_of(game.chosen.rules, key):
        # A citation is `SOURCE:HEADING`.
        fault_sources = [citation.partition(":")[0] for citation in fault.sources]
        if fault.code in _OMISSIONS and game.preset_source in fault_sources:
            text = game.words.t(f"ruling.{fault.code}")
            texts.append(SourcedText(text, source=""))
    return texts


def _bonus_cells(game: _Game) -> dict[str, ComparedCell]:
    """The bonuses of one of the games, by name."""
    words = game.words
    cells = {}
    for code, bonus in game.chosen.variant.bonuses.items():
        name = words.t(f"bonus.{code}")
        text = words.t("rulebook.bonus", points=bonus.points)
        url = game.chosen.url(anchor("bonus", code))
        cells[name] = ComparedCell(text, url, why=cited_words(bonus.cited, words))
    return cells


def _penalty_cells(game: _Game) -> dict[str, ComparedCell]:
    """The penalties of one of the games, by name."""
    words = game.words
    cells = {}
    for penalty in irregularities(game.chosen.rules):
        name = words.t(f"penalty.{penalty.code}")
        text = penalty_text(penalty, words)
        url = game.chosen.url(anchor("penalty", penalty.code))
        cells[name] = ComparedCell(text, url, why=cited_words(penalty.cited, words))
    return cells


def _rows_by_name(
    first: dict[str, ComparedCell], second: dict[str, ComparedCell], words: Words
) -> list[DifferenceRow]:
    """A row for each name that one of the games has a cell for, or both.

    The game that has none shows that it has no such thing.
    """
    missing = ComparedCell(words.t("rulebook.compare.not-here"))
    names_of_second_only = [name for name in second if name not in first]
    rows = []
    for name in (*first, *names_of_second_only):
        cells = [first.get(name, missing), second.get(name, missing)]
        rows.append(DifferenceRow(name, cells))
    return rows

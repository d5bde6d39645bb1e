"""Two games compared rule by rule, or two presets of one game: only the rules that differ.

The values of the option `code`, each a version of the game, count as presets too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import (
    CHAPTERS,
    PENALTIES,
    list_values_by_players,
    name_rule,
    write_rule,
)
from scorepad.i18n.settings_in_words import describe_setting, variant_name
from scorepad.referee.penalties import irregularities
from scorepad.referee.reasons import find_mistakes_about_setting
from scorepad.rules.definitions import ChoiceValue, Statement, Variant
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.schemas.variant_json import has_effect
from scorepad.web.base import page_words
from scorepad.web.citations import cited_words
from scorepad.web.rule_choices import ChosenRules, in_book
from scorepad.web.rulebook.content import SourcedText, penalty_text, sourced_statements
from scorepad.web.rulebook_links import anchor

_VERSION_OPTION = "code"
_MISTAKES_LEAVING_OUT_A_PART = ("fault-without-fifteen", "fault-only-fifty")
"""Codes of known mistakes of sources: those that leave out a part of a rule."""


# ---------------------------------------------------------------- the games to choose from


def preset_choices(variant: Variant) -> dict[str, ChosenRules]:
    """List the versions of a game that the comparison offers, by id.

    - its presets, which are named sets of options: `getty`
    - the values of its option `code`, each a version of the game

    The default of that option is left out: it is the game without any choice.
    """
    choices = {}
    for preset in variant.presets:
        choices[preset] = ChosenRules(variant, preset=preset)

    version_option = variant.options.get(_VERSION_OPTION)
    if version_option is None:  # most games have one version only
        return choices
    for version in version_option.values:
        if version.value == version_option.default:
            continue
        version_id = str(version.value)
        options: dict[str, ChoiceValue] = {_VERSION_OPTION: version_id}
        choices[version_id] = ChosenRules(variant, preset=None, options=options)
    return choices


def preset_of(chosen: ChosenRules) -> str:
    """Return the id of the chosen preset or version of a game; empty if none is chosen."""
    if chosen.preset:
        return chosen.preset
    return str(chosen.options.get(_VERSION_OPTION, ""))


def preset_name(preset: str, variant: Variant, words: Words) -> str:
    """Return the name of a preset (a named set of options) or of a version of a game."""
    if preset in variant.presets:
        return words.t(f"preset.{preset}")
    return words.t(f"rulebook.version.{preset}")


def compared_name(chosen: ChosenRules, words: Words) -> str:
    """Return the name of a game, and with it that of its preset or version if one is chosen."""
    game = variant_name(chosen.variant, words)
    preset = preset_of(chosen)
    if not preset:
        return game
    name_of_preset = preset_name(preset, chosen.variant, words)
    return words.t("rulebook.codified", game=game, preset=name_of_preset)  # "{game}, {preset}"


def find_game(game_text: str, preset_text: str) -> ChosenRules | None:
    """Find the game that the texts of two URL parameters name; None if there is no such game.

    - `classica` and an empty text → the classic game
    - `classica/getty`, or `classica` and `getty` → its preset (a named set of options) `getty`
    - `samba` and `getty` → samba: another game's preset is ignored in the second text
    - `samba/getty` → None
    """
    game, _, preset = game_text.partition("/")
    if game not in variant_ids():
        return None
    variant = get_variant(game)
    choices = preset_choices(variant)
    if preset:
        return choices.get(preset)
    if preset_text in choices:
        return choices[preset_text]
    return ChosenRules(variant)


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
    """A rule with a cell for the first and one for the second game."""

    name: str
    cells: tuple[ComparedCell, ComparedCell]

    @property
    def differs(self) -> bool:
        """Tell whether the cells of the two games say something different about the rule."""
        first, second = self.cells
        return first.text != second.text

    @property
    def is_shown(self) -> bool:
        """Tell whether there is any difference to show."""
        return self.differs or any(cell.more for cell in self.cells)


class ChapterDifferences(NamedTuple):
    """The differences in one chapter of the rulebook."""

    section: str
    rows: list[DifferenceRow]

    @property
    def differing_rows(self) -> list[DifferenceRow]:
        """List the rules about which the two games say something different."""
        return [row for row in self.rows if row.differs]

    @property
    def rows_with_more(self) -> list[DifferenceRow]:
        """List the rules that are alike, but on which one game has further statements."""
        return [row for row in self.rows if not row.differs]


class _Game(NamedTuple):
    """One of the two games, with the sentences of rule books that only this game has.

    `source_of_preset` is the rule book from which the chosen preset (a named set of options) is
    taken; None without a preset. It may contradict a rule, or a sentence of another rule book:
    `contradictions` are its sentences that do. `statements` are all other sentences.
    """

    chosen: ChosenRules
    words: Words
    source_of_preset: str | None
    contradictions: list[Statement]
    statements: list[Statement]

    def without_those_of(self, other: _Game) -> _Game:
        """Return this game without the sentences that the other game has too."""
        return self._replace(
            contradictions=_leave_out_statements(self.contradictions, other.contradictions),
            statements=_leave_out_statements(self.statements, other.statements),
        )

    def statements_at_head(self, section: str) -> list[Statement]:
        """List the sentences at the head of a chapter: those that are about no single rule."""
        at_head = []
        for statement in self.statements:
            is_about_rule = statement.after is not None
            if statement.section == section and not is_about_rule:
                at_head.append(statement)
        return at_head


def _leave_out_statements(statements: list[Statement], others: list[Statement]) -> list[Statement]:
    """Return the statements that are not among the others."""
    other_ids = {statement.id for statement in others}
    return [statement for statement in statements if statement.id not in other_ids]


def _select_statements_about(rule: str, statements: list[Statement]) -> list[Statement]:
    """Select the statements about the rule that a setting decides; `rule` is the setting."""
    # A statement stands on the page after the rule that it is about.
    return [statement for statement in statements if statement.after == rule]


def differing_chapters(
    first: ChosenRules, second: ChosenRules, words: Words
) -> Iterator[ChapterDifferences]:
    """List the chapters in which two games differ, each with a row for every rule that differs."""
    whole_first = _prepare_game(first)
    whole_second = _prepare_game(second)
    # A sentence of a rule book that both games have is no difference.
    first_game = whole_first.without_those_of(whole_second)
    second_game = whole_second.without_those_of(whole_first)
    for section in CHAPTERS:
        rows = _make_rows_of_chapter(section, first_game, second_game, words)
        shown = [row for row in rows if row.is_shown]
        if shown:
            yield ChapterDifferences(section, shown)


def _make_rows_of_chapter(
    section: str, first: _Game, second: _Game, words: Words
) -> list[DifferenceRow]:
    """Make the rows of one chapter, also those in which the two games do not differ.

    A row is a rule with a cell for each game. `section` is the id of the chapter.
    """
    rows = [_make_row_of_head(section, first, second, words)]
    rows += _make_rows_of_rules(CHAPTERS[section], first, second, words)
    # Bonuses and penalties are no settings, so the rules of these chapters do not have them.
    if section == "count":
        rows += _pair_cells(_list_bonuses_of_game(first), _list_bonuses_of_game(second), words)
    if section == PENALTIES:
        rows += _pair_cells(_list_penalties_of_game(first), _list_penalties_of_game(second), words)
    return rows


def _prepare_game(chosen: ChosenRules) -> _Game:
    """Prepare a game for the comparison: find what rule books say beside its settings."""
    source_of_preset = None
    contradictions: list[Statement] = []
    if chosen.preset:
        source_of_preset = chosen.variant.presets[chosen.preset].source
        contradictions = _find_contradictions_in_source(chosen, source_of_preset)
    return _Game(
        chosen=chosen,
        words=page_words(chosen.variant),
        source_of_preset=source_of_preset,
        contradictions=contradictions,
        statements=_find_statements_in_force(chosen, contradictions),
    )


def _find_contradictions_in_source(chosen: ChosenRules, source: str) -> list[Statement]:
    """Find the sentences by which one rule book contradicts a rule of a game, or another sentence."""
    statements = []
    for statement in chosen.statements:
        contradicts = statement.differs
        cited_sources = [citation.source for citation in statement.cited.citations]
        if contradicts and source in cited_sources:
            statements.append(statement)
    return statements


def _find_statements_in_force(
    chosen: ChosenRules, contradictions: list[Statement]
) -> list[Statement]:
    """Find the sentences of rule books about a game that contradict nothing.

    Those that are contradicted themselves, by one of these `contradictions`, are left out too.
    """
    contradicted_ids = {statement.instead for statement in contradictions}
    statements = []
    for statement in chosen.statements:
        contradicts = statement.differs
        is_contradicted = statement.id in contradicted_ids
        if not contradicts and not is_contradicted:
            statements.append(statement)
    return statements


def _make_row_of_head(section: str, first: _Game, second: _Game, words: Words) -> DifferenceRow:
    """Make the row for the sentences of rule books at the head of a chapter, before its rules."""
    cells = (_make_head_cell(section, first), _make_head_cell(section, second))
    return DifferenceRow(words.t(f"rulebook.section.{section}"), cells)


def _make_rows_of_rules(
    keys: Sequence[str], first: _Game, second: _Game, words: Words
) -> list[DifferenceRow]:
    """Make a row for each rule of a chapter that the rulebook shows in one of the games or in both.

    `keys` are the settings of the chapter; each decides a rule.
    """
    row_by_name: dict[str, DifferenceRow] = {}
    for key in keys:
        is_in_either = _is_in_rulebook(key, first) or _is_in_rulebook(key, second)
        if not is_in_either:
            continue
        name = name_rule(key, words)
        cells = _make_cells_of_rule(key, first, second)
        if name in row_by_name:  # two settings with one name, each used in one of the games
            cells = _choose_cells_with_rule(row_by_name[name].cells, cells)
        row_by_name[name] = DifferenceRow(name, cells)
    return list(row_by_name.values())


def _make_cells_of_rule(key: str, first: _Game, second: _Game) -> tuple[ComparedCell, ComparedCell]:
    """Make the two cells of the rule that a setting (`key`) decides: first game, then second.

    Each says the rule of its game as far as it differs from that of the other.
    """
    rule_of_first = _prepare_rule(key, first, second)
    rule_of_second = _prepare_rule(key, second, first)
    return (
        _make_rule_cell(rule_of_first, other=rule_of_second),
        _make_rule_cell(rule_of_second, other=rule_of_first),
    )


def _make_head_cell(section: str, game: _Game) -> ComparedCell:
    """Make the cell of a game for the head of a chapter: the sentences that only this game has."""
    no_rule = ""  # there are only sentences of rule books at the head of a chapter
    url = game.chosen.url(anchor("section", section))
    sentences = sourced_statements(game.statements_at_head(section), game.words)
    return ComparedCell(no_rule, url, more=sentences)


def _choose_cells_with_rule(
    earlier: tuple[ComparedCell, ComparedCell], later: tuple[ComparedCell, ComparedCell]
) -> tuple[ComparedCell, ComparedCell]:
    """Choose for each of two games the earlier cell if its rule is in the rulebook, else the later.

    The two pairs are about settings of one name, of which each game uses one.
    """
    first_earlier, second_earlier = earlier
    first_later, second_later = later
    # A cell has a URL if the rulebook shows its rule.
    first = first_earlier if first_earlier.url else first_later
    second = second_earlier if second_earlier.url else second_later
    return first, second


class _RuleInGame(NamedTuple):
    """A rule in one of the two games, with the sentences of rule books that only this game has.

    - `url`: its place in the rulebook; empty if that does not show it
    - `parts_left_out`: about parts of the rule that the rule book of the preset leaves out
    - `contradictions`: of the rule book of the preset, against the rule or another sentence
    - `contradicted`: those that the preset of the other game contradicts
    - `further`: all others
    - `is_contradicted`: whether one of the contradictions is against the rule itself
    """

    in_words: _RuleInWords
    url: str
    parts_left_out: list[SourcedText]
    contradictions: list[SourcedText]
    contradicted: list[SourcedText]
    further: list[SourcedText]
    is_contradicted: bool


def _is_in_rulebook(key: str, game: _Game) -> bool:
    """Tell whether the rulebook shows the rule that a setting decides, on the page of a game."""
    return in_book(key, game.chosen.current_variant, game.words)


def _prepare_rule(key: str, game: _Game, other: _Game) -> _RuleInGame:
    """Collect what one of two games says about a rule, to compare it with the other game.

    `key` is the setting that decides the rule.
    """
    url = ""
    if _is_in_rulebook(key, game):
        url = game.chosen.url(anchor("rule", key))

    contradictions = _select_statements_about(key, game.contradictions)
    contradictions_of_other = _select_statements_about(key, other.contradictions)
    statements = _select_statements_about(key, game.statements)
    contradicted = _select_contradicted(statements, contradictions_of_other)
    further = _leave_out_statements(statements, contradicted)
    return _RuleInGame(
        in_words=_say_rule(key, game),
        url=url,
        parts_left_out=_list_parts_left_out(key, game),
        contradictions=sourced_statements(contradictions, game.words),
        contradicted=sourced_statements(contradicted, game.words),
        further=sourced_statements(further, game.words),
        # A contradiction that names no other sentence is against the rule.
        is_contradicted=any(statement.instead is None for statement in contradictions),
    )


def _select_contradicted(
    statements: list[Statement], contradictions: list[Statement]
) -> list[Statement]:
    """Select the statements that one of these contradictions names as the one that it is against."""
    contradicted_ids = [contradiction.instead for contradiction in contradictions]
    return [statement for statement in statements if statement.id in contradicted_ids]


def _make_rule_cell(rule: _RuleInGame, other: _RuleInGame) -> ComparedCell:
    """Make the cell of a rule for one of two games; `other` is the same rule in the other game.

    Its text is what differs, such as "5,000"; empty if the games agree. Below it stand further
    sentences of rule books that only this game has.
    """
    texts: list[SourcedText] = []
    if _is_rule_shown(rule, other):
        texts.append(_choose_text_of_rule(rule.in_words, other.in_words))
    texts += rule.contradicted
    texts += rule.contradictions
    texts += rule.parts_left_out
    return ComparedCell(
        text=_join_sentences([text.text for text in texts]),
        url=rule.url,
        why=_join_sources(texts),
        more=rule.further,
    )


def _is_rule_shown(rule: _RuleInGame, other: _RuleInGame) -> bool:
    """Tell whether the cell of a game shows the rule itself, beside the cell of the other game.

    It does if the rule differs, or if a rule book of either game leaves out a part of it.
    """
    if rule.in_words.sentence != other.in_words.sentence:
        return True
    if rule.parts_left_out or other.parts_left_out:
        return True
    # The other cell has only a sentence against the rule: this one shows what it is against.
    return other.is_contradicted and not rule.is_contradicted


class _RuleInWords(NamedTuple):
    """A rule as a sentence, its value alone in short, and its source."""

    sentence: str
    short: str
    source: str


def _say_rule(key: str, game: _Game) -> _RuleInWords:
    """Say the rule that a setting decides in one of the games: as a sentence, and in short.

    The target of the classic game: "Whoever first reaches 5,000 wins." and "5,000". If the setting
    means nothing in this game, the words say that there is no such rule.
    """
    variant = game.chosen.current_variant
    words = game.words
    if not has_effect(key, variant):
        no_such_rule = words.t("rulebook.compare.not-here")  # "none here"
        return _RuleInWords(sentence=no_such_rule, short=no_such_rule, source="")

    values_by_players = list_values_by_players(key, variant, words)
    if values_by_players:
        short = "; ".join(values_by_players)
    else:  # the value is the same for any number of players
        short = describe_setting(key, variant, words)
    return _RuleInWords(
        sentence=write_rule(key, variant, words),
        short=short,
        source=cited_words(variant.settings[key].cited, words),
    )


def _choose_text_of_rule(rule: _RuleInWords, other: _RuleInWords) -> SourcedText:
    """Choose the text of a rule beside that of the other game: its value, or the whole sentence.

    The value alone, such as "5,000", is enough if the other game has another value.
    """
    do_sentences_differ = rule.sentence != other.sentence
    do_values_differ = rule.short != other.short
    if do_sentences_differ and do_values_differ:
        return SourcedText(rule.short, rule.source)
    return SourcedText(rule.sentence, rule.source)


def _join_sentences(texts: list[str]) -> str:
    """Join some texts into one: `["a", "b."]` → `a. b.`; a single text stays as it is."""
    if len(texts) == 1:
        return texts[0]
    sentences = []
    for text in texts:
        sentences.append(text if text.endswith(".") else f"{text}.")
    return " ".join(sentences)


def _join_sources(texts: list[SourcedText]) -> str:
    """Join the sources of some texts, which are in words, into one text: each source once."""
    sources: list[str] = []
    for text in texts:
        if text.source and text.source not in sources:
            sources.append(text.source)
    return " ".join(sources)


def _list_parts_left_out(key: str, game: _Game) -> list[SourcedText]:
    """List the sentences that tell which parts of a rule the rule book of the preset leaves out.

    A preset is a named set of options, taken from one rule book. `key` is the setting that decides
    the rule.
    """
    sentences = []
    for mistake in find_mistakes_about_setting(game.chosen.rules, key):  # of all rule books
        leaves_out_part = mistake.code in _MISTAKES_LEAVING_OUT_A_PART
        is_of_preset = game.source_of_preset in _list_ids_of_sources(mistake.sources)
        if leaves_out_part and is_of_preset:
            sentence = game.words.t(f"ruling.{mistake.code}")
            sentences.append(SourcedText(sentence, source=""))  # the sentence names its source
    return sentences


def _list_ids_of_sources(citations: Iterable[str]) -> list[str]:
    """List the ids of the sources in citations: `["getty:Scoring"]` → `["getty"]`."""
    ids = []
    for citation in citations:
        source_id, _, _heading = citation.partition(":")
        ids.append(source_id)
    return ids


def _list_bonuses_of_game(game: _Game) -> dict[str, ComparedCell]:
    """List the bonuses of one of the two games: a cell of the table for each, by its name."""
    words = game.words
    cells = {}
    for code, bonus in game.chosen.variant.bonuses.items():
        name = words.t(f"bonus.{code}")
        text = words.t("rulebook.bonus", points=bonus.points)
        url = game.chosen.url(anchor("bonus", code))
        cells[name] = ComparedCell(text, url, why=cited_words(bonus.cited, words))
    return cells


def _list_penalties_of_game(game: _Game) -> dict[str, ComparedCell]:
    """List the penalties of one of the two games: a cell of the table for each, by its name."""
    words = game.words
    cells = {}
    for penalty in irregularities(game.chosen.rules):
        name = words.t(f"penalty.{penalty.code}")
        text = penalty_text(penalty, words)
        url = game.chosen.url(anchor("penalty", penalty.code))
        cells[name] = ComparedCell(text, url, why=cited_words(penalty.cited, words))
    return cells


def _pair_cells(
    first: dict[str, ComparedCell], second: dict[str, ComparedCell], words: Words
) -> list[DifferenceRow]:
    """Put the cells of two games side by side: a row for each name that one of them has.

    If a game has no cell of that name, its cell says that it has no such thing.
    """
    no_such_thing = ComparedCell(words.t("rulebook.compare.not-here"))  # "none here"
    rows = []
    for name in {**first, **second}:  # each name once
        cells = (first.get(name, no_such_thing), second.get(name, no_such_thing))
        rows.append(DifferenceRow(name, cells))
    return rows

"""The content of a game's page: chapters with rules, penalties, score lines and the warnings of the
pad.

Everything comes from the data: a rule from a setting, its alternatives from the options that set
it, the comparison with the classic game from the classic game.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import (
    CHAPTERS,
    name_heading_of_statement,
    name_rule,
    write_sentence,
)
from scorepad.i18n.settings_in_words import group_cards_by_points, name_score_item
from scorepad.referee.in_force import has_partner
from scorepad.referee.penalties import (
    PENALTIES_WITH_PARTNER,
    Irregularity,
    irregularities,
)
from scorepad.referee.reasons import find_mistakes_about_setting
from scorepad.rules.definitions import (
    ChoiceValue,
    Option,
    Ruleset,
    Source,
    SourceId,
    Standing,
    Statement,
    Variant,
)
from scorepad.rules.definitions import Rule as RuleData
from scorepad.rules.hand import NOT_EXPOSED
from scorepad.rules.loader import data_folder
from scorepad.rules.score_lines import sort_by_item
from scorepad.rules.settings import Settings
from scorepad.rules.solver import has_solver
from scorepad.rules.turn_checks import BOUNDS_NOT_CHECKED
from scorepad.rules.variants import settle, sources
from scorepad.schemas.variant_json import CLASSIC, Difference, find_differing_rules
from scorepad.web.citations import cited_words
from scorepad.web.rule_choices import ChosenRules, in_book
from scorepad.web.rule_words import list_score_ranges, say_option
from scorepad.web.rulebook_links import anchor


def cited_sources(chosen: ChosenRules) -> tuple[Source, ...]:
    """List the sources (rule books and the like) that the page of a game cites, each once.

    They support the rules, the penalties, further statements and the options of the game, but for
    options of few tables that are not chosen. The order is that in which the data list all sources.
    """
    variant = chosen.current_variant
    everything_cited = [value.cited for value in variant.settings.values()]
    everything_cited += [penalty.cited for penalty in irregularities(chosen.rules)]
    everything_cited += [statement.cited for statement in chosen.statements]
    for option in variant.options.values():
        if not option.is_rare or option.id in chosen.options:
            everything_cited += [value.cited for value in option.values]

    cited_ids: set[SourceId] = set()
    for cited in everything_cited:
        for citation in cited.citations:
            cited_ids.add(citation.source)
    all_sources = sources().values()
    return tuple(source for source in all_sources if source.id in cited_ids)


# ---------------------------------------------------------------- the chapters

OPENING_STEPS = "opening-steps"
"""The setting with the opening minimums by score."""
_FIRST_WORDS = 5
_MENTIONED_MISTAKES = ("fault-not-replaced",)
"""Known mistakes of sources that a statement mentions."""


def statement_text(statement: Statement, words: Words) -> str:
    """Say in a sentence what a source states about a game, beside the settings of the game."""
    return words.t(f"rulebook.statement.{statement.id}")


class SourcedText(NamedTuple):
    """A text of the rulebook, and where it comes from, in words."""

    text: str
    source: str


def sourced_statements(statements: Iterable[Statement], words: Words) -> list[SourcedText]:
    """Write what sources (rule books) state about a game as sentences, each with its source."""
    texts = []
    for statement in statements:
        text = statement_text(statement, words)
        source = cited_words(statement.cited, words)
        texts.append(SourcedText(text, source))
    return texts


class Chapter(NamedTuple):
    """A chapter of a game: the statements at its head, and the settings of its rules."""

    section: str
    head: list[Statement]
    rules: list[str]


def chapters(chosen: ChosenRules, words: Words) -> Iterator[Chapter]:
    """List the chapters on the page of a game; those without any content are left out.

    Each has the rules that are about its subject, by the settings that decide them, and above them
    the statements (sentences of rule books) that are about no single rule.
    """
    for section, keys in CHAPTERS.items():
        statements_at_head = []
        for statement in chosen.statements:
            is_about_rule = statement.after is not None
            if statement.section == section and not is_about_rule:
                statements_at_head.append(statement)
        rules = [key for key in keys if in_book(key, chosen.current_variant, words)]
        if statements_at_head or rules:
            yield Chapter(section, statements_at_head, rules)


def alternative_choices(key: str, chosen: ChosenRules) -> Iterator[ChosenRules]:
    """Find the options that players can change to get another rule than the one on the page.

    `key` is the setting that decides the rule, and `chosen` are the options chosen now. Each result
    has the same ones, but for one option. For `opening-steps` in the classic game there is one
    result: the option `opening-steps` with the value `fifty`. Options of few tables are left out.
    """
    value_now = chosen.current_variant.settings[key].value
    for option in chosen.variant.options.values():
        if option.is_rare or not _decides_setting(option, key):
            continue
        for option_value in chosen.variant.values_of(option):
            other_choices = chosen.with_option(option.id, option_value.value)
            value_then = other_choices.current_variant.settings[key].value
            if value_then != value_now:
                yield other_choices


def _decides_setting(option: Option, key: str) -> bool:
    """Tell whether an option has a value that changes a setting; `key` names the setting."""
    return any(key in choice.sets for choice in option.values)


class QuotedSource(NamedTuple):
    """A source in words, and the first words of each statement that cites it."""

    quotes: list[str]
    source: str


def quoted_sources(
    source_of_rule: str, statements: list[Statement], words: Words
) -> Iterator[QuotedSource]:
    """List the sources (rule books) of a rule and of the sentences below it, each source once.

    `source_of_rule` is empty where there is no rule, and `statements` are the sentences. The first
    words of a sentence, "If nobody can take the…", tell which source it has.
    """
    if source_of_rule:
        yield QuotedSource([], source_of_rule)

    is_single_sentence = not source_of_rule and len(statements) == 1
    for source, first_words in _collect_quotes_by_source(statements, words).items():
        if source == source_of_rule:
            continue  # it is listed already
        # A single sentence needs no words to tell which is meant.
        quotes = [] if is_single_sentence else first_words
        yield QuotedSource(quotes, source)


def _collect_quotes_by_source(statements: list[Statement], words: Words) -> dict[str, list[str]]:
    """Collect the first words of each statement, by the source that it cites.

    `{"Source: Encyclopedia: “Canasta”": ["Those who draw the highest…"], …}`.
    """
    quotes: defaultdict[str, list[str]] = defaultdict(list)
    for statement in sourced_statements(statements, words):
        quotes[statement.source].append(_cut_after_five_words(statement.text))
    return dict(quotes)


def _cut_after_five_words(text: str) -> str:
    """Cut a text after five words: "one two three four five…"."""
    words = text.split()
    if len(words) <= _FIRST_WORDS:
        return " ".join(words)
    return " ".join(words[:_FIRST_WORDS]) + "…"


class FigureTable(NamedTuple):
    """The numbers of a rule as a table: what its first column lists, and the rows."""

    column: str
    rows: list[tuple[str, int]]

    @property
    def column_of_numbers(self) -> str:
        """What the numbers are, as the end of a message key: opening minimums, or points."""
        if self.column in ("score", "deal"):
            return "minimum"
        return "points"


def figure_table(key: str, variant: Variant, words: Words) -> FigureTable | None:
    """Make the table of a rule that consists of several numbers; None for any other rule.

    `key` is the setting that decides the rule. For `card-points`, the first column lists cards, and
    the rows are "joker" 50, "two and ace" 20 and so on.
    """
    value = variant.settings[key].value
    if key == OPENING_STEPS:
        return FigureTable("score", _make_rows_of_opening_steps(value, variant, words))
    if key == "opening-deals":  # the minimum in each hand (round) of the match
        rows = [(words.figure(deal), minimum) for deal, minimum in enumerate(value, 1)]
        return FigureTable("deal", rows)
    if key == "card-points":
        return FigureTable("card", _make_rows_of_card_points(value, words))
    if key == "canastas":
        return _make_canasta_table(value, variant, words)
    return None


def _make_rows_of_opening_steps(
    steps: Sequence[tuple[int, int]], variant: Variant, words: Words
) -> list[tuple[str, int]]:
    """Make the rows with the points that a side must lay first in a round, by its match score.

    `steps` has each score from which on another minimum holds: `[(0, 50), (1500, 90)]` → the rows
    "below zero" 15, "0 to 1,495" 50, "1,500 and more" 90.
    """
    minimum_below_zero = variant.settings["opening-below-zero"].value
    rows = [(words.t("rulebook.opening.below"), minimum_below_zero)]
    minimum_from_score = dict(steps)
    for score_range in list_score_ranges(steps, words):
        minimum = minimum_from_score[score_range.lowest]  # each range begins at a step
        rows.append((score_range.text, minimum))
    return rows


def _make_rows_of_card_points(
    points_of_cards: Mapping[str, int], words: Words
) -> list[tuple[str, int]]:
    """Make the rows with the points of the cards: one row for all cards of one value.

    `{"JK": 50, "2": 20, "A": 20}` → the rows "joker" 50 and "two and ace" 20.
    """
    rows = []
    for points, cards in group_cards_by_points(points_of_cards).items():
        names = [words.plural(f"card.{card}", 1) for card in cards]
        rows.append((words.listing(names), points))
    return rows


def _make_canasta_table(
    kinds: Sequence[Mapping[str, Any]], variant: Variant, words: Words
) -> FigureTable | None:
    """Make the table with the points of each kind of canasta (a set of seven cards or more).

    `[{"item": "natural-canasta", "points": 500, …}, …]` → a row "Natural canastas" 500, and others.
    None if canastas of wild cards (jokers and twos) count as natural or mixed: that needs a
    sentence.
    """
    if any(_counts_as_other_family(kind) for kind in kinds):
        return None
    rows = []
    for kind in kinds:
        name = name_score_item(variant.id, kind["item"], words)
        rows.append((name, kind["points"]))
    return FigureTable("canasta", rows)


def _counts_as_other_family(kind: Mapping[str, Any]) -> bool:
    """Tell whether a kind of canasta (a set of seven cards or more) counts as of another family.

    It has jokers and twos only, but counts as a natural or mixed canasta.
    """
    has_wild_cards_only: bool = kind["shape"] == "wilds"
    return has_wild_cards_only and kind["family"] != "wild"


def changed_rules(chosen: ChosenRules, words: Words) -> list[Difference]:
    """List how a game differs from the classic game, for the top of its page.

    The list is empty for the classic game itself.
    """
    if chosen.variant.id == CLASSIC:
        return []
    differences = find_differing_rules(chosen.current_variant, words)
    return [each for each in differences if _is_listed_difference(each, chosen, words)]


def _is_listed_difference(difference: Difference, chosen: ChosenRules, words: Words) -> bool:
    """Tell whether the page of a game lists one of its differences from the classic game.

    - a rule that players agreed on, and no source states → False, unless these are house rules
    - a rule that reads the same in both games → False
    - a setting that the rulebook does not show → False
    - otherwise → True
    """
    was_agreed_by_players = difference.cited.standing is Standing.AGREED
    if was_agreed_by_players and not chosen.variant.is_own:
        return False
    reads_alike = difference.here == difference.there
    if reads_alike:
        return False
    is_setting = "/" not in difference.key  # others are such as `bonuses/CODE`
    if is_setting:
        return in_book(difference.key, chosen.current_variant, words)
    return True


# ---------------------------------------------------------------- the penalties


def penalty_text(penalty: Irregularity, words: Words) -> str:
    """Say what a penalty costs, and what has to be done after the mistake.

    "100 points off for whoever made the mistake." and after it the remedy, if there is one.
    """
    cost = words.t(f"rulebook.penalty.{penalty.costs}", points=penalty.points)
    if not penalty.remedy:
        return cost
    remedy = words.t(f"remedy.{penalty.remedy}")
    return f"{cost} {remedy}"


def remark_on_penalty(penalty: Irregularity, rules: Ruleset, words: Words) -> str:
    """Return the remark that the rulebook adds to a penalty; empty for most penalties."""
    if penalty.code in PENALTIES_WITH_PARTNER and not has_partner(rules.settings):
        # It says: "But here everybody plays alone: without a partner this does not happen."
        return words.t("ruling.penalty-without-partner")
    if penalty.code == NOT_EXPOSED:
        # It says that the score form has a line for it too: only one of the two is scored.
        return words.t("rulebook.penalty.once")
    return ""


def known_mistakes_about_rule(rules: Ruleset, key: str) -> list[str]:
    """List the known mistakes that sources (rule books) make about a rule, by their codes.

    `key` is the setting that decides the rule: `red-three-values` → `["fault-threes-swapped"]`. A
    mistake is left out if a sentence of the rulebook mentions it anyway.
    """
    codes = [mistake.code for mistake in find_mistakes_about_setting(rules, key)]
    return [code for code in codes if code not in _MENTIONED_MISTAKES]


def known_mistakes_about_penalty(rules: Ruleset, penalty: str) -> list[str]:
    """List the known mistakes that sources (rule books) make about a penalty, by their codes.

    There are none if these rules lack the penalty.
    """
    if penalty not in rules.penalties:
        return []
    return known_mistakes_about_rule(rules, f"penalties/{penalty}")


# ---------------------------------------------------------------- score lines and warnings


class RuleBehind(NamedTuple):
    """A rule of the book on which a score line or a check depends.

    `text` is empty where the line says it already.
    """

    anchor: str
    name: str
    text: str


class Item(NamedTuple):
    """Something that a hand may score (an item) or a check of the pad, and the rules behind it.

    `code` is the id of the item, such as `natural-canasta`, or of the check.
    """

    anchor: str
    code: str
    name: str
    explanation: str
    rules: tuple[RuleBehind, ...]


def _map_items_to_score_lines(rules: Ruleset) -> dict[str, str]:
    """Map each thing that a hand (a round) may be scored with to the line of the score for it.

    `{"natural-canasta": "canastas", "mixed-canasta": "canastas", "red-threes": "red-threes", …}`,
    in the order of the sheet. Both kinds of canasta are counted in one line.
    """
    line_by_item: dict[str, str] = {}
    for line in rules.lines:
        for item in _list_items_of_line(line.id, rules.settings):
            line_by_item[item] = line.id
    items_in_order = sorted(line_by_item, key=sort_by_item)
    return {item: line_by_item[item] for item in items_in_order}


def _list_items_of_line(line: str, settings: Settings) -> list[str]:
    """List what one line of the score counts.

    - `canastas` → each kind of canasta: `["natural-canasta", "mixed-canasta"]`
    - `red-threes` → itself, as most lines: `["red-threes"]`
    - a line that scores nothing in this game → `[]`
    """
    if line == "canastas":
        return [kind.item for kind in settings.canastas]
    if line == "incomplete":
        return [kind.item for kind in settings.incomplete if kind.item]
    if line == "held-together":
        return [kind.item for kind in settings.held_together]
    if line == "concealed-canasta" and not settings.concealed_canasta:
        return []  # it has no bonus in this game
    return [line]


def score_line_items(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """List what a hand (a round) may score under these choices, each item with its rules.

    - a kind of canasta (a set of seven cards or more) says its points, and names its rules
    - any other item has the sentences of its rules
    """
    points_by_canasta = {kind.item: kind.points for kind in chosen.rules.settings.canastas}
    for item, line in _map_items_to_score_lines(chosen.rules).items():
        is_canasta = item in points_by_canasta
        explanation = ""
        if is_canasta:
            # It says: "Each is worth {points}."
            explanation = words.t("rulebook.lines.worth", points=points_by_canasta[item])
        line_data = chosen.variant.lines[line]  # it names the rules on which the line depends
        rules = _list_rules_behind(line_data, chosen, words, with_text=not is_canasta)
        yield _make_score_item(item, chosen, words, explanation=explanation, rules=rules)


def score_line_items_of_other_options(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """List what a hand (a round) could score besides, if players changed one option of the game.

    Each item says with which option: "only with …". In the classic game it is the bonus for a
    concealed canasta (a set of seven cards laid down whole).
    """
    for optional in _find_optional_items(chosen):
        option_with_value = say_option(optional.option, optional.value, words)
        explanation = words.t("rulebook.lines.only-with", choice=option_with_value)
        line_data = chosen.variant.lines[optional.line]
        # The rules are named without their sentences: these say that there is no such bonus.
        rules = _list_rules_behind(line_data, chosen, words, with_text=False)
        yield _make_score_item(optional.item, chosen, words, explanation=explanation, rules=rules)


class _OptionalItem(NamedTuple):
    """An item that a hand can score only if an option has this value, and the id of its score line."""

    item: str
    line: str
    option: str
    value: ChoiceValue


def _find_optional_items(chosen: ChosenRules) -> Iterator[_OptionalItem]:
    """Find what a hand (a round) cannot score now, but could with another value of an option.

    In the classic game that is the item `concealed-canasta`, by the option `concealed-canasta` with
    the value 100. If several values bring in an item, it is returned with the first of them.
    """
    known_items = set(_map_items_to_score_lines(chosen.rules))
    for candidate in _list_items_of_each_choice(chosen.variant):
        if candidate.item not in known_items:
            known_items.add(candidate.item)
            yield candidate


def _list_items_of_each_choice(variant: Variant) -> Iterator[_OptionalItem]:
    """Try each value of each option, and list everything that a hand may score with it.

    Each value is tried by itself: all other options have their defaults. Items that the game has
    anyway are listed too, and one item may come many times.
    """
    for option in variant.options.values():
        for choice in variant.values_of(option):
            rules_with_choice = settle(variant.id, None, {option.id: choice.value})
            for item, line in _map_items_to_score_lines(rules_with_choice).items():
                yield _OptionalItem(item, line, option.id, choice.value)


def _make_score_item(
    item: str,
    chosen: ChosenRules,
    words: Words,
    *,
    explanation: str,
    rules: tuple[RuleBehind, ...],
) -> Item:
    """Make the entry for something that a hand may score, as the page of a game lists it."""
    return Item(
        anchor=anchor("item", item),
        code=item,
        name=name_score_item(chosen.variant.id, item, words),
        explanation=explanation,
        rules=rules,
    )


def check_items(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """List the errors, and after them the warnings, that the form of a round may report."""
    checks = chosen.variant.checks.values()
    errors = [check for check in checks if check.severity == "error"]
    warnings = [check for check in checks if check.severity == "warning"]
    for check in errors + warnings:
        if check.id == BOUNDS_NOT_CHECKED and has_solver():
            continue  # it cannot be reported on this machine
        explanation = ""
        if check.severity == "warning":
            # It says: "Only a warning: the hand still counts."
            explanation = words.t("rulebook.problem.is-warning")
        yield Item(
            anchor=anchor("check", check.id),
            code=check.id,
            name=words.t(f"rulebook.problem.{check.id}"),
            explanation=explanation,
            rules=_list_rules_behind(check, chosen, words, with_text=True),
        )


def _list_rules_behind(
    line_or_check: RuleData, chosen: ChosenRules, words: Words, *, with_text: bool
) -> tuple[RuleBehind, ...]:
    """List the rules on which a line of the score or a check of the form depends.

    It names them by settings, each of which decides a rule, and by statements (sentences of rule
    books). Rules that the page of the game does not show are left out. `with_text`: with their
    sentences.
    """
    variant = chosen.current_variant
    rules = []
    for key in line_or_check.settings:
        if in_book(key, variant, words):
            rules.append(_make_link_to_rule(key, variant, words, with_text=with_text))
    for statement in chosen.statements:
        if statement.id in line_or_check.statements:
            rules.append(_make_link_to_statement(statement, words, with_text=with_text))
    return tuple(rules)


def _make_link_to_rule(key: str, variant: Variant, words: Words, *, with_text: bool) -> RuleBehind:
    """Make the link to the rule that a setting decides; `with_text`: with its sentence."""
    text = ""
    if with_text:
        text = write_sentence(key, variant, words)
    return RuleBehind(anchor("rule", key), name_rule(key, words), text)


def _make_link_to_statement(statement: Statement, words: Words, *, with_text: bool) -> RuleBehind:
    """Make the link to a sentence of a rule book on the page; `with_text`: with the sentence."""
    text = ""
    if with_text:
        text = statement_text(statement, words)
    name = name_heading_of_statement(statement, words)
    return RuleBehind(anchor("statement", statement.id), name, text)


# ---------------------------------------------------------------- the glossary


@cache
def glossary() -> Mapping[str, Mapping[str, str]]:
    """Read the words of canasta that the glossary explains, by name.

    `{"meld": {"chapter": "melds", "rule": "meld-shortest"}, …}`: `rule` is the setting with the
    number that belongs to a word, if there is one.
    """
    file = data_folder() / "book" / "glossary.toml"
    return tomllib.loads(file.read_text("utf-8"))


def other_names(word: str, words: Words) -> str:
    """Return the other names of a word of the glossary, separated by commas; empty for none."""
    names = words.t(f"rulebook.word.{word}.also")
    if names == "-":  # a message cannot be empty
        return ""
    return names

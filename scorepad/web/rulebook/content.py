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
    Costs,
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
from scorepad.rules.variants import settle, sources
from scorepad.schemas.variant_json import CLASSIC, Difference, find_differing_rules
from scorepad.web.citations import cited_words
from scorepad.web.rule_choices import ChosenRules, in_book
from scorepad.web.rule_words import list_score_ranges, say_option
from scorepad.web.rulebook_links import anchor


def cited_sources(chosen: ChosenRules) -> tuple[Source, ...]:
    """The sources that the page of a game cites, in the order of the data."""
    variant = chosen.current_variant
    everything_cited = [value.cited for value in variant.settings.values()]
    everything_cited += [penalty.cited for penalty in irregularities(chosen.rules)]
    everything_cited += [statement.cited for statement in chosen.statements]
    for option in variant.options.values():
        everything_cited += [value.cited for value in option.values]

    source_ids: set[SourceId] = set()
    for cited in everything_cited:
        source_ids.update(citation.source for citation in cited.citations)
    return tuple(source for source in sources().values() if source.id in source_ids)


# ---------------------------------------------------------------- the chapters

OPENING_STEPS = "opening-steps"
"""The setting with the opening minimums by score."""
_FIRST_WORDS = 5
_STATED_SLIPS = ("fault-not-replaced",)
"""Known mistakes of sources that a statement mentions."""


def statement_text(statement: Statement, words: Words) -> str:
    """What a source states beside the rules of a game, in the language of the page."""
    return words.t(f"rulebook.statement.{statement.id}")


class SourcedText(NamedTuple):
    """A text of the rulebook, and where it comes from, in words."""

    text: str
    source: str


def sourced_statements(statements: Iterable[Statement], words: Words) -> list[SourcedText]:
    """Statements as texts, each with where it comes from."""
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
    """The chapters of the rulebook that have something about a game."""
    for section, keys in CHAPTERS.items():
        head = []
        for statement in chosen.statements:
            if statement.section == section and statement.after is None:
                head.append(statement)
        rules = [key for key in keys if in_book(key, chosen.current_variant, words)]
        if head or rules:
            yield Chapter(section, head, rules)


def alternative_choices(key: str, chosen: ChosenRules) -> Iterator[ChosenRules]:
    """The choices with which a rule is another than now, each with one other value of an option.

    `key` is the setting that decides the rule, `chosen` are the choices now.
    """
    current_value = chosen.current_variant.settings[key].value
    for option in chosen.variant.options.values():
        if not _decides_setting(option, key):
            continue
        for choice in chosen.variant.values_of(option):
            other_choices = chosen.with_option(option.id, choice.value)
            other_value = other_choices.current_variant.settings[key].value
            if other_value != current_value:
                yield other_choices


def _decides_setting(option: Option, key: str) -> bool:
    """Whether one of the values of an option gives a setting its value; `key` names the setting."""
    return any(key in choice.sets for choice in option.values)


class QuotedSource(NamedTuple):
    """A source in words, and the first words of each statement that cites it."""

    quotes: list[str]
    source: str


def quoted_sources(
    rule_source: str, statements: list[Statement], words: Words
) -> Iterator[QuotedSource]:
    """List the source (rule book) of a rule, then those of the statements beside it, each once.

    `rule_source` is empty if there is no rule. Every other source comes with the first words of its
    statements, so that the reader knows which one it supports. A single statement without a rule
    needs none.
    """
    if rule_source:
        yield QuotedSource([], rule_source)
    is_single_statement = not rule_source and len(statements) == 1
    for source, quotes in _quotes_by_source(statements, words).items():
        if source == rule_source:
            continue
        if is_single_statement:
            yield QuotedSource([], source)
        else:
            yield QuotedSource(quotes, source)


def _quotes_by_source(statements: list[Statement], words: Words) -> dict[str, list[str]]:
    """Collect the first words of each statement, by the source that it cites."""
    quotes: defaultdict[str, list[str]] = defaultdict(list)
    for statement in sourced_statements(statements, words):
        quotes[statement.source].append(_first_words(statement.text))
    return dict(quotes)


def _first_words(text: str) -> str:
    """Return the beginning of a text, with an ellipsis if it goes on."""
    words = text.split()
    if len(words) <= _FIRST_WORDS:
        return " ".join(words)
    return " ".join(words[:_FIRST_WORDS]) + "…"


class FigureTable(NamedTuple):
    """The numbers of a rule as a table: what its first column lists, and the rows."""

    column: str
    rows: list[tuple[str, int]]


def figure_table(key: str, variant: Variant, words: Words) -> FigureTable | None:
    """Make the table of a rule that consists of several numbers; None for other rules.

    `key` is the setting that decides the rule, such as `card-points`: "K, Q, J, 10" 10.
    """
    value = variant.settings[key].value
    if key == "opening-steps":
        return FigureTable("score", _rows_of_opening_steps(value, variant, words))
    if key == "opening-deals":
        rows = [(words.figure(deal), minimum) for deal, minimum in enumerate(value, 1)]
        return FigureTable("deal", rows)
    if key == "card-points":
        return FigureTable("card", _rows_of_card_points(value, words))
    if key == "canastas":
        return _canasta_table(value, variant, words)
    return None


def _rows_of_opening_steps(
    steps: Sequence[tuple[int, int]], variant: Variant, words: Words
) -> list[tuple[str, int]]:
    """Make the rows with the points that a side must lay first in a hand, by ranges of its score.

    `steps` are pairs of a score and the minimum from there on: `[(0, 50), (1500, 90)]`. The rows
    are "below zero" 15, "from 0 to 1,495" 50, "from 1,500" 90.
    """
    minimum_below_zero = variant.settings["opening-below-zero"].value
    rows = [(words.t("rulebook.opening.below"), minimum_below_zero)]
    minimum_from_score = dict(steps)
    for score_range in list_score_ranges(steps, words):
        minimum = minimum_from_score[score_range.lowest]  # each range begins at a step
        rows.append((score_range.text, minimum))
    return rows


def _rows_of_card_points(points_of_cards: Mapping[str, int], words: Words) -> list[tuple[str, int]]:
    """What the cards count, with a row for all cards of one value."""
    rows = []
    for points, cards in group_cards_by_points(points_of_cards).items():
        names = [words.plural(f"card.{card}", 1) for card in cards]
        rows.append((words.listing(names), points))
    return rows


def _canasta_table(
    kinds: Sequence[Mapping[str, Any]], variant: Variant, words: Words
) -> FigureTable | None:
    """The points of each kind of canasta (a set of seven cards or more).

    `kinds` is the value of the setting: `[{"item": "natural-canasta", "points": 500, …}, …]`. None
    if canastas of wild cards count as those of another family: that needs a sentence.
    """
    if any(_counts_as_other_family(kind) for kind in kinds):
        return None
    rows = []
    for kind in kinds:
        name = name_score_item(variant.id, kind["item"], words)
        rows.append((name, kind["points"]))
    return FigureTable("canasta", rows)


def _counts_as_other_family(kind: Mapping[str, Any]) -> bool:
    """Whether a kind of canasta has wild cards alone, but counts as natural or mixed ones."""
    has_wilds_alone: bool = kind["shape"] == "wilds"
    return has_wilds_alone and kind["family"] != "wild"


def changed_rules(chosen: ChosenRules, words: Words) -> list[Difference]:
    """The differences of a game from the classic one, as a list to read first.

    The list is empty for the classic game.
    """
    if chosen.variant.id == CLASSIC:
        return []
    differences = find_differing_rules(chosen.current_variant, words)
    return [each for each in differences if _is_listed_difference(each, chosen, words)]


def _is_listed_difference(difference: Difference, chosen: ChosenRules, words: Words) -> bool:
    """Tell whether the page of a game lists one of its differences from the classic game.

    Left out is what the players agreed on (unless these are saved house rules), what reads the same
    in both games, and what the rulebook does not show.
    """
    is_choice_of_table = difference.cited.standing is Standing.AGREED
    if is_choice_of_table and not chosen.variant.is_own:
        return False  # it is a difference of the saved house rules only
    reads_alike = difference.here == difference.there
    if reads_alike:
        return False
    is_setting = "/" not in difference.key  # others are such as `bonuses/CODE`
    if is_setting:
        return in_book(difference.key, chosen.current_variant, words)
    return True


# ---------------------------------------------------------------- the penalties


def penalty_text(penalty: Irregularity, words: Words) -> str:
    """The cost and consequences of a penalty."""
    message = f"rulebook.penalty.{penalty.costs}"
    if penalty.costs is Costs.POINTS:
        cost = words.t(message, points=penalty.points)
    else:
        cost = words.t(message)
    if not penalty.remedy:
        return cost
    consequence = words.t(f"remedy.{penalty.remedy}")
    return f"{cost} {consequence}"


def penalty_explanation(penalty: Irregularity, rules: Ruleset, words: Words) -> str:
    """What the book adds about a penalty; empty if there is nothing."""
    if penalty.code in PENALTIES_WITH_PARTNER and not has_partner(rules.settings):
        return words.t("ruling.penalty-without-partner")
    if penalty.code == NOT_EXPOSED:
        return words.t("rulebook.penalty.once")
    return ""


def slips_of(rules: Ruleset, about: str) -> list[str]:
    """List the codes of known mistakes in the sources (rule books) about a setting or a penalty.

    `about` is the key of a setting, or `penalties/CODE`. The list is empty for a penalty that these
    rules do not have. A mistake that a sentence of the rulebook mentions is left out.
    """
    table, _, penalty_code = about.partition("/")
    if table == "penalties" and penalty_code not in rules.penalties:
        return []
    codes = []
    for mistake in find_mistakes_about_setting(rules, about):
        if mistake.code not in _STATED_SLIPS:
            codes.append(mistake.code)
    return codes


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


def score_items(rules: Ruleset) -> Mapping[str, str]:
    """List what a hand may be scored with, in order, each item with its score line.

    `{"natural-canasta": "canastas", "mixed-canasta": "canastas", …}`: the line `canastas` has an
    item for each kind of canasta (a group of seven cards or more).
    """
    line_by_item: dict[str, str] = {}
    for line in rules.lines:
        for item in _items_of_line(line.id, rules.settings):
            line_by_item[item] = line.id
    items_in_order = sorted(line_by_item, key=sort_by_item)
    return {item: line_by_item[item] for item in items_in_order}


def _items_of_line(line: str, settings: Settings) -> list[str]:
    """List the items that a score line counts: one for each kind of canasta, for example.

    Most lines have a single item with the id of the line.
    """
    match line:
        case "canastas":
            return [kind.item for kind in settings.canastas]
        case "incomplete":
            return [kind.item for kind in settings.incomplete if kind.item]
        case "held-together":
            return [kind.item for kind in settings.held_together]
        case "concealed-canasta" if not settings.concealed_canasta:
            return []  # it has no bonus in this game
        case _:
            return [line]


def score_line_items(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """List what a hand may score under these choices, each item with the rules behind it.

    A kind of canasta (a group of seven cards or more) is explained by its points, any other item by
    the texts of its rules.
    """
    points_by_canasta = {kind.item: kind.points for kind in chosen.rules.settings.canastas}
    for item, line in score_items(chosen.rules).items():
        line_data = chosen.variant.lines[line]
        if item in points_by_canasta:
            explanation = words.t("rulebook.lines.worth", points=points_by_canasta[item])
            rules = _rules_behind(line_data, chosen, words, with_text=False)
        else:
            explanation = ""
            rules = _rules_behind(line_data, chosen, words, with_text=True)
        yield _score_line(item, chosen, words, explanation=explanation, rules=rules)


def optional_score_lines(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """List what a hand cannot score under these choices, but could if one option were changed.

    Each item is explained by the first value of an option that brings it in: "only with …".
    """
    for optional in _optional_items(chosen):
        option_with_value = say_option(optional.option, optional.value, words)
        explanation = words.t("rulebook.lines.only-with", choice=option_with_value)
        line_data = chosen.variant.lines[optional.line]
        rules = _rules_behind(line_data, chosen, words, with_text=False)
        yield _score_line(optional.item, chosen, words, explanation=explanation, rules=rules)


class _OptionalItem(NamedTuple):
    """An item that a hand can score only if an option has this value, and the id of its score line."""

    item: str
    line: str
    option: str
    value: ChoiceValue


def _optional_items(chosen: ChosenRules) -> Iterator[_OptionalItem]:
    """Find the score items that only other choices bring in, each with the first such choice."""
    found_items = set(score_items(chosen.rules))
    for candidate in _items_of_each_choice(chosen.variant):
        if candidate.item not in found_items:
            found_items.add(candidate.item)
            yield candidate


def _items_of_each_choice(variant: Variant) -> Iterator[_OptionalItem]:
    """List the score items of each value of each option, the usual ones included.

    Each value is tried by itself: all other options have their defaults.
    """
    for option in variant.options.values():
        for choice in variant.values_of(option):
            rules = settle(variant.id, None, {option.id: choice.value})
            for item, line in score_items(rules).items():
                yield _OptionalItem(item, line, option.id, choice.value)


def _score_line(
    item: str,
    chosen: ChosenRules,
    words: Words,
    *,
    explanation: str,
    rules: tuple[RuleBehind, ...],
) -> Item:
    """An item of the score as the page of a game lists it."""
    return Item(
        anchor=anchor("item", item),
        code=item,
        name=name_score_item(chosen.variant.id, item, words),
        explanation=explanation,
        rules=rules,
    )


def check_items(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """List what the score form may report about a hand: first errors, then warnings."""
    checks = chosen.variant.checks.values()
    errors = [check for check in checks if check.severity == "error"]
    warnings = [check for check in checks if check.severity != "error"]
    for check in errors + warnings:
        explanation = ""
        if check.severity != "error":
            explanation = words.t("rulebook.problem.is-warning")
        yield Item(
            anchor=anchor("check", check.id),
            code=check.id,
            name=words.t(f"rulebook.problem.{check.id}"),
            explanation=explanation,
            rules=_rules_behind(check, chosen, words, with_text=True),
        )


def _rules_behind(
    data: RuleData, chosen: ChosenRules, words: Words, *, with_text: bool
) -> tuple[RuleBehind, ...]:
    """List the rules of the rulebook on which a score line or a check of the form depends.

    `data` is the line or check in the data of the game: it names settings, each of which decides a
    rule, and statements of the sources. With `with_text` the rules have their sentences too.
    """
    rules = []
    for key in data.settings:
        if in_book(key, chosen.current_variant, words):
            rules.append(_rule_of_setting(key, chosen.current_variant, words, with_text=with_text))
    for statement in chosen.statements:
        if statement.id in data.statements:
            rules.append(_rule_of_statement(statement, words, with_text=with_text))
    return tuple(rules)


def _rule_of_setting(key: str, variant: Variant, words: Words, *, with_text: bool) -> RuleBehind:
    """The rule that a setting decides; with its sentence if that is wanted."""
    text = ""
    if with_text:
        text = write_sentence(key, variant, words)
    return RuleBehind(anchor("rule", key), name_rule(key, words), text)


def _rule_of_statement(statement: Statement, words: Words, *, with_text: bool) -> RuleBehind:
    """A statement of the sources as a rule; with its sentence if that is wanted."""
    text = ""
    if with_text:
        text = statement_text(statement, words)
    return RuleBehind(
        anchor("statement", statement.id), name_heading_of_statement(statement, words), text
    )


# ---------------------------------------------------------------- the glossary


@cache
def glossary() -> Mapping[str, Mapping[str, str]]:
    """The words of canasta, by name: `{"meld": {"chapter": "melds", "rule": "meld-shortest"}}`.

    `rule` is the setting with the figure of a word, if it has one.
    """
    file = data_folder() / "book" / "glossary.toml"
    return tomllib.loads(file.read_text("utf-8"))


def other_names(word: str, words: Words) -> str:
    """The other names of a word of the glossary, separated by commas; empty if it has none."""
    names = words.t(f"rulebook.word.{word}.also")
    if names == "-":  # a message cannot be empty
        return ""
    return names

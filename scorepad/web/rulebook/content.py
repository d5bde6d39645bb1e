"""The content of a game's page: chapters with rules, penalties, score lines and the warnings of the
pad.

Everything comes from the data: a rule from a setting, its alternatives from the options that set
it, the comparison with the classic game from the classic game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import CHAPTERS, rule_name, sentence, statement_name
from scorepad.i18n.settings_in_words import cards_by_points, item_word
from scorepad.referee.in_force import has_partner
from scorepad.referee.penalties import (
    PENALTIES_WITH_PARTNER,
    Costs,
    Irregularity,
    irregularities,
)
from scorepad.referee.reasons import faults_of
from scorepad.rules.definitions import Rule as RuleData
from scorepad.rules.definitions import Ruleset, Source, SourceId, Standing, Statement, Variant
from scorepad.rules.hand import NOT_EXPOSED
from scorepad.rules.loader import data_folder
from scorepad.rules.score_lines import item_order
from scorepad.rules.variants import settle, sources
from scorepad.schemas.variant_json import CLASSIC, Difference, differing_rules
from scorepad.web.citations import cited_words
from scorepad.web.rule_choices import ChosenRules, in_book
from scorepad.web.rule_words import option_words, score_ranges
from scorepad.web.rulebook_links import anchor


def cited_sources(chosen: ChosenRules) -> tuple[Source, ...]:
    """The sources that the page of a game cites, in the order of the data."""
    variant = chosen.current_variant
    cited = [value.cited for value in variant.settings.values()]
    cited += [penalty.cited for penalty in irregularities(chosen.rules)]
    cited += [statement.cited for statement in chosen.statements]
    for option in variant.options.values():
        cited += [value.cited for value in option.values]
    named: set[SourceId] = set()
    for each in cited:
        named.update(citation.source for citation in each.citations)
    return tuple(source for source in sources().values() if source.id in named)


# ---------------------------------------------------------------- the chapters

OPENING_STEPS = "opening-steps"
"""The setting with the opening minimums by score."""
_FIRST_WORDS = 5
_STATED_SLIPS = ("fault-not-replaced",)
"""Known mistakes of sources that a statement mentions."""


def statement_text(statement: Statement, words: Words) -> str:
    return words.t(f"rulebook.statement.{statement.id}")


class SourcedText(NamedTuple):
    """A text of the rulebook, and where it comes from, in words."""

    text: str
    source: str


def sourced_statements(statements: Iterable[Statement], words: Words) -> list[SourcedText]:
    texts = []
    for statement in statements:
        source = cited_words(statement.cited, words)
        texts.append(SourcedText(statement_text(statement, words), source))
    return texts


class Chapter(NamedTuple):
    """A chapter of a game: the statements at its head, and the settings of its rules."""

    section: str
    head: list[Statement]
    rules: list[str]


def chapters(chosen: ChosenRules, words: Words) -> Iterator[Chapter]:
    """The chapters of a game that are not empty."""
    for name, keys in CHAPTERS.items():
        head = [each for each in chosen.statements if each.section == name and each.after is None]
        rules = [key for key in keys if in_book(key, chosen.current_variant, words)]
        if head or rules:
            yield Chapter(name, head, rules)


def alternative_choices(key: str, chosen: ChosenRules) -> Iterator[ChosenRules]:
    """The choices that differ in one option and thereby change a rule."""
    current_value = chosen.current_variant.settings[key].value
    for option in chosen.variant.options.values():
        if not any(key in value.sets for value in option.values):
            continue
        for value in chosen.variant.values_of(option):
            choice = chosen.with_option(option.id, value.value)
            if choice.current_variant.settings[key].value != current_value:
                yield choice


class QuotedSource(NamedTuple):
    """A source in words, and the first words of each statement that cites it."""

    quotes: list[str]
    source: str


def quoted_sources(
    rule_source: str, statements: list[Statement], words: Words
) -> Iterator[QuotedSource]:
    """The source of a rule (empty if there is no rule) and those of the statements with it, each
    once.

    Quotes tell the statements apart: a single statement without a rule needs none.
    """
    if rule_source:
        yield QuotedSource([], rule_source)
    needs_quotes = bool(rule_source) or len(statements) > 1
    quotes_of_source: dict[str, list[str]] = {}
    for text, source in sourced_statements(statements, words):
        if source == rule_source:
            continue
        quotes = quotes_of_source.setdefault(source, [])
        if needs_quotes:
            quotes.append(_first_words(text))
    for source, quotes in quotes_of_source.items():
        yield QuotedSource(quotes, source)


def _first_words(text: str) -> str:
    words = text.split()
    start = " ".join(words[:_FIRST_WORDS])
    return f"{start}…" if len(words) > _FIRST_WORDS else start


class FigureTable(NamedTuple):
    """The numbers of a rule as a table: what its first column lists, and the rows."""

    column: str
    rows: list[tuple[str, int]]


def figure_table(key: str, variant: Variant, words: Words) -> FigureTable | None:
    """The table of a rule with several numbers; None for other rules."""
    value = variant.settings[key].value
    match key:
        case "opening-steps":
            below_zero = variant.settings["opening-below-zero"].value
            rows = [(words.t("rulebook.opening.below"), below_zero)]
            for (_, label), (_, minimum) in zip(score_ranges(value, words), value, strict=True):
                rows.append((label, minimum))
            return FigureTable("score", rows)
        case "opening-deals":
            deals = enumerate(value, 1)
            return FigureTable("deal", [(words.figure(deal), minimum) for deal, minimum in deals])
        case "card-points":
            return FigureTable("card", _rows_of_card_points(value, words))
        case "canastas":
            return _canasta_table(value, variant, words)
    return None


def _rows_of_card_points(points_of_cards: Mapping[str, int], words: Words) -> list[tuple[str, int]]:
    rows = []
    for points, cards in cards_by_points(points_of_cards).items():
        names = words.listing(words.plural(f"card.{card}", 1) for card in cards)
        rows.append((names, points))
    return rows


def _canasta_table(
    kinds: Sequence[Mapping[str, Any]], variant: Variant, words: Words
) -> FigureTable | None:
    """The points of each kind of canasta; None if one of wild cards counts as one of another family."""
    rows = []
    for kind in kinds:
        if kind["shape"] == "wilds" and kind["family"] != "wild":
            return None
        rows.append((item_word(variant.id, kind["item"], words), kind["points"]))
    return FigureTable("canasta", rows)


def changed_rules(chosen: ChosenRules, words: Words) -> list[Difference]:
    """The differences of a game from the classic one, as a list to read first."""
    if chosen.variant.id == CLASSIC:
        return []
    changed = []
    for difference in differing_rules(chosen.current_variant, words):
        is_house_rule = difference.cited.standing is Standing.HOUSE
        if is_house_rule and not chosen.variant.is_own:
            continue
        if difference.here == difference.classic:
            continue
        is_setting = "/" not in difference.key
        if is_setting and not in_book(difference.key, chosen.current_variant, words):
            continue
        changed.append(difference)
    return changed


# ---------------------------------------------------------------- the penalties


def penalty_text(penalty: Irregularity, words: Words) -> str:
    """The cost and consequences of a penalty."""
    points = {"points": penalty.points} if penalty.costs is Costs.POINTS else {}
    cost = words.t(f"rulebook.penalty.{penalty.costs}", **points)
    if not penalty.remedy:
        return cost
    return f"{cost} {words.t(f'remedy.{penalty.remedy}')}"


def penalty_explanation(penalty: Irregularity, rules: Ruleset, words: Words) -> str:
    """What the book adds about a penalty; empty if there is nothing."""
    if penalty.code in PENALTIES_WITH_PARTNER and not has_partner(rules.settings):
        return words.t("ruling.penalty-without-partner")
    return words.t("rulebook.penalty.once") if penalty.code == NOT_EXPOSED else ""


def slips_of(rules: Ruleset, about: str) -> list[str]:
    """The codes of known mistakes of the sources about a setting or a penalty (`penalties/CODE`),
    except those that a statement mentions.
    """
    kind, _, code = about.partition("/")
    if kind == "penalties" and code not in rules.penalties:
        return []
    return [fault.code for fault in faults_of(rules, about) if fault.code not in _STATED_SLIPS]


# ---------------------------------------------------------------- score lines and warnings


class RuleBehind(NamedTuple):
    """A rule of the book on which a score line or a check depends; without a text where the line
    says it already.
    """

    anchor: str
    name: str
    text: str


class Item(NamedTuple):
    """A score line (by its item) or a check of the pad (by its code), and the rules behind it."""

    anchor: str
    code: str
    name: str
    explanation: str
    rules: tuple[RuleBehind, ...]


def score_items(rules: Ruleset) -> Mapping[str, str]:
    """The items that a hand may be scored with, in order, each with its line of the data."""
    settings = rules.settings
    items_of_lines = {
        "canastas": [kind.item for kind in settings.canastas],
        "incomplete": [kind.item for kind in settings.incomplete if kind.item],
        "concealed-canasta": ["concealed-canasta"] if settings.concealed_canasta else [],
        "held-together": [kind.item for kind in settings.held_together],
    }
    line_of_items = {}
    for line in rules.lines:
        for item in items_of_lines.get(line.id, [line.id]):
            line_of_items[item] = line.id
    return {item: line_of_items[item] for item in sorted(line_of_items, key=item_order)}


def score_line_items(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """The score lines under these choices."""
    points = {kind.item: kind.points for kind in chosen.rules.settings.canastas}
    for item, line in score_items(chosen.rules).items():
        is_canasta = item in points
        explanation = ""
        if is_canasta:
            explanation = words.t("rulebook.lines.worth", points=points[item])
        yield _score_line(chosen, item, line, explanation, words, with_text=not is_canasta)


def optional_score_lines(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """The score lines that exist only under another choice, with the first such choice."""
    variant = chosen.variant
    known_items = set(score_items(chosen.rules))
    for option in variant.options.values():
        for value in variant.values_of(option):
            choice = option_words(option.id, value.value, words)
            rules = settle(variant.id, None, {option.id: value.value})
            for item, line in score_items(rules).items():
                if item in known_items:
                    continue
                known_items.add(item)
                explanation = words.t("rulebook.lines.only-with", choice=choice)
                yield _score_line(chosen, item, line, explanation, words, with_text=False)


def _score_line(
    chosen: ChosenRules, item: str, line: str, explanation: str, words: Words, *, with_text: bool
) -> Item:
    return Item(
        anchor=anchor("item", item),
        code=item,
        name=item_word(chosen.variant.id, item, words),
        explanation=explanation,
        rules=_rules_behind(chosen.variant.lines[line], chosen, words, with_text=with_text),
    )


def check_items(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """What the pad may report on a hand: first errors, then warnings."""
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
    """The rules of a score line or a check; `with_text`: with their texts."""
    variant = chosen.current_variant
    rules = []
    for key in data.settings:
        if in_book(key, variant, words):
            text = sentence(key, variant, words) if with_text else ""
            rules.append(RuleBehind(anchor("rule", key), rule_name(key, words), text))
    for statement in chosen.statements:
        if statement.id in data.statements:
            name = statement_name(statement, words)
            text = statement_text(statement, words) if with_text else ""
            rules.append(RuleBehind(anchor("statement", statement.id), name, text))
    return tuple(rules)


# ---------------------------------------------------------------- the glossary


@cache
def glossary() -> Mapping[str, Mapping[str, str]]:
    """The words of canasta, each with its `chapter` and, if there is one, the `rule` that has its
    figure.
    """
    return tomllib.loads((data_folder() / "book" / "glossary.toml").read_text("utf-8"))


def other_names(word: str, words: Words) -> str:
    """The other names of a word of the glossary; empty if it has one name (`-` in the catalogue)."""
    names = words.t(f"rulebook.word.{word}.also")
    return "" if names == "-" else names

"""The content of a game's page: chapters with rules, penalties, score lines and the warnings of the
pad.

Everything comes from the data: a rule from a setting, its alternatives from the options that set
it, the comparison with the classic game from the classic game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import CHAPTERS, rule_name, sentence, statement_name
from scorepad.i18n.settings_in_words import item_word
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
_STATED_SLIPS = ("fault-not-replaced",)  # mistakes of sources that a statement mentions


def statement_text(statement: Statement, words: Words) -> str:
    return words.t(f"rulebook.statement.{statement.id}")


def sourced_statements(statements: Iterable[Statement], words: Words) -> list[tuple[str, str]]:
    """Texts of statements, each with its source in words."""
    return [(statement_text(each, words), cited_words(each.cited, words)) for each in statements]


def chapters(chosen: ChosenRules, words: Words) -> Iterator[tuple[str, list[Statement], list[str]]]:
    """The chapters of a game that are not empty: id, statements at the head, rules by their
    settings.
    """
    for name, keys in CHAPTERS.items():
        head = [each for each in chosen.statements if each.section == name and each.after is None]
        rules = [key for key in keys if in_book(key, chosen.current_variant, words)]
        if head or rules:
            yield name, head, rules


def alternative_choices(key: str, chosen: ChosenRules) -> Iterator[ChosenRules]:
    """The choices of one other option value that change a rule."""
    now = chosen.current_variant.settings[key].value
    for option in chosen.variant.options.values():
        if any(key in value.sets for value in option.values):
            for value in chosen.variant.values_of(option):
                choice = chosen.with_option(option.id, value.value)
                if choice.current_variant.settings[key].value != now:
                    yield choice


def quoted_sources(
    rule: str, statements: list[Statement], words: Words
) -> Iterator[tuple[list[str], str]]:
    """The sources of a rule (in words, or empty) and of the statements with it, each source once.

    Each with the first words of the statements that cite it; none for the rule itself, or a single
    statement.
    """
    if rule:
        yield [], rule
    sourced = sourced_statements(statements, words)
    is_quoted = bool(rule) or len(statements) > 1
    for source in dict.fromkeys(source for _, source in sourced if source != rule):
        texts = [text.split() for text, other in sourced if other == source and is_quoted]
        yield (
            [" ".join(text[:_FIRST_WORDS]) + "…" * (len(text) > _FIRST_WORDS) for text in texts],
            source,
        )


def figure_table(
    key: str, variant: Variant, words: Words
) -> tuple[str, list[tuple[str, int]]] | None:
    """The heading of the first column of a rule with a table of figures, and its rows; None for
    other rules.
    """
    value = variant.settings[key].value
    match key:
        case "opening-steps":
            below = (
                words.t("rulebook.opening.below"),
                variant.settings["opening-below-zero"].value,
            )
            ranges = zip(score_ranges(value, words), value, strict=True)
            return "score", [below, *((label, minimum) for (_, label), (_, minimum) in ranges)]
        case "opening-deals":
            return "deal", [(words.figure(deal), minimum) for deal, minimum in enumerate(value, 1)]
        case "card-points":
            cards: dict[int, list[str]] = {}
            for kind, points in value.items():
                cards.setdefault(points, []).append(words.plural(f"card.{kind}", 1))
            return "card", [
                (words.listing(cards[points]), points) for points in sorted(cards, reverse=True)
            ]
        case "canastas" if all(
            kind["shape"] != "wilds" or kind["family"] == "wild" for kind in value
        ):
            return "canasta", [
                (item_word(variant.id, kind["item"], words), kind["points"]) for kind in value
            ]
    return None


def changed_rules(chosen: ChosenRules, words: Words) -> list[Difference]:
    """The differences of a game from the classic one, as a list to read first."""
    if chosen.variant.id == CLASSIC:
        return []
    found = differing_rules(chosen.current_variant, words)
    return [
        each for each in found
        if (chosen.variant.is_own or each.cited.standing is not Standing.HOUSE)
        and each.here != each.classic and ("/" in each.key or in_book(each.key, chosen.current_variant, words))
    ]  # fmt: skip


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


def slips_of(rules: Ruleset, ground: str) -> list[str]:
    """The codes of known mistakes of the sources about a rule or a penalty, except those in a
    statement.
    """
    kind, _, code = ground.partition("/")
    if kind == "penalties" and code not in rules.penalties:
        return []
    return [fault.code for fault in faults_of(rules, ground) if fault.code not in _STATED_SLIPS]


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
    found = dict[str, str]()
    several = {
        "canastas": [kind.item for kind in settings.canastas],
        "incomplete": [kind.item for kind in settings.incomplete if kind.item],
        "concealed-canasta": ["concealed-canasta"] if settings.concealed_canasta else [],
        "held-together": [kind.item for kind in settings.held_together],
    }
    for line in rules.lines:
        found.update(dict.fromkeys(several.get(line.id, [line.id]), line.id))
    return {item: found[item] for item in sorted(found, key=item_order)}


def score_line_items(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """The score lines under these choices."""
    points = {kind.item: kind.points for kind in chosen.rules.settings.canastas}
    for item, line in score_items(chosen.rules).items():
        explanation = words.t("rulebook.lines.worth", points=points[item]) if item in points else ""
        yield _score_line(chosen, item, line, explanation, words, with_text=item not in points)


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
    rules = _rules_behind(chosen.variant.lines[line], chosen, words, with_text=with_text)
    return Item(
        anchor("item", item), item, item_word(chosen.variant.id, item, words), explanation, rules
    )


def check_items(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """What the pad may report on a hand: first errors, then warnings."""
    for check in sorted(
        chosen.variant.checks.values(), key=lambda check: check.severity != "error"
    ):
        explanation = "" if check.severity == "error" else words.t("rulebook.problem.is-warning")
        rules = _rules_behind(check, chosen, words, with_text=True)
        yield Item(
            anchor("check", check.id),
            check.id,
            words.t(f"rulebook.problem.{check.id}"),
            explanation,
            rules,
        )


def _rules_behind(
    data: RuleData, chosen: ChosenRules, words: Words, *, with_text: bool
) -> tuple[RuleBehind, ...]:
    found = []
    for key in data.settings:
        if in_book(key, chosen.current_variant, words):
            text = sentence(key, chosen.current_variant, words)
            found.append(RuleBehind(anchor("rule", key), rule_name(key, words), text))
    for statement in chosen.statements:
        if statement.id in data.statements:
            name = statement_name(statement, words)
            text = statement_text(statement, words)
            found.append(RuleBehind(anchor("statement", statement.id), name, text))
    if not with_text:
        found = [each._replace(text="") for each in found]
    return tuple(found)


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

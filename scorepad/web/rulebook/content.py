"""What a game's page says: its chapters with the rules, the penalties, the score lines and the warnings of the pad.

Everything comes from the data: a rule from a setting, its alternatives from the options that set it, the comparison
with the classic game from the classic game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from scorepad.i18n import Words
from scorepad.i18n.settings import CHAPTERS, item_word, sentence
from scorepad.referee.case import faults_of, has_partner
from scorepad.referee.irregularities import OF_PARTNERS, Costs, Irregularity, irregularities
from scorepad.rules.definitions import Rule as RuleData
from scorepad.rules.definitions import Source, Standing, Statement
from scorepad.rules.score import item_order
from scorepad.rules.table import NOT_EXPOSED
from scorepad.rules.variants import Ruleset, Variant, settle, sources
from scorepad.schemas.variants import CLASSIC, Difference, differences
from scorepad.web.presenters import anchor, cited_words, option_words
from scorepad.web.rule_choices import ChosenRules, in_book


def cited_sources(chosen: ChosenRules) -> tuple[Source, ...]:
    """The sources that the page of a game cites, in the order of the data."""
    variant = chosen.played
    cited = [value.cited for value in variant.settings.values()]
    cited += [penalty.cited for penalty in irregularities(chosen.rules)]
    cited += [value.cited for option in variant.options.values() for value in option.values]
    cited += [each.cited for each in chosen.statements]
    named = {place.source for each in cited for place in each.citations}
    return tuple(source for source in sources().values() if source.id in named)


# ---------------------------------------------------------------- the chapters


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a chapter, by its setting.

    `beside` and `others`: what the sources say beside it, and what other sources say instead. `slips`: the codes of
    known mistakes of the sources.
    """

    key: str
    beside: tuple[Statement, ...]
    others: tuple[Statement, ...]
    alternatives: tuple[ChosenRules, ...]
    slips: tuple[str, ...]


OPENING_STEPS = "opening-steps"
"""The setting with the opening minimums by score."""
_FIRST_WORDS = 5
_STATED_SLIPS = ("fault-not-replaced",)
"""Mistakes of sources that a statement tells already."""


def statement_text(statement: Statement, words: Words) -> str:
    """What a statement says."""
    return words.text(f"rulebook.statement.{statement.id}")


def sourced_statements(statements: Iterable[Statement], words: Words) -> list[tuple[str, str]]:
    """What statements say, each with its source in words."""
    return [(statement_text(each, words), cited_words(each.cited, words)) for each in statements]


def chapters(chosen: ChosenRules, words: Words) -> Iterator[tuple[str, tuple[Statement, ...], tuple[Rule, ...]]]:
    """The chapters of a game that are not empty: id, statements at the head, rules."""
    for name, keys in CHAPTERS.items():
        head = tuple(each for each in chosen.statements if each.section == name and each.after is None)
        rules = tuple(_rule(key, chosen) for key in keys if in_book(key, chosen.played, words))
        if head or rules:
            yield name, head, rules


def _rule(key: str, chosen: ChosenRules) -> Rule:
    following = [each for each in chosen.statements if each.after == key]
    return Rule(
        key=key,
        beside=tuple(each for each in following if not each.differs),
        others=tuple(each for each in following if each.differs),
        alternatives=tuple(alternatives(key, chosen)),
        slips=tuple(slip.code for slip in faults_of(chosen.rules, key) if slip.code not in _STATED_SLIPS),
    )


def alternatives(key: str, chosen: ChosenRules) -> Iterator[ChosenRules]:
    """The choices of one other value of an option under which a rule is different."""
    now = chosen.played.settings[key].value
    for option in chosen.variant.options.values():
        if any(key in value.sets for value in option.values):
            for value in chosen.variant.values_of(option):
                choice = chosen.with_option(option.id, value.value)
                if choice.played.settings[key].value != now:
                    yield choice


def alternative_text(key: str, other: ChosenRules, chosen: ChosenRules, words: Words) -> str:
    """A rule under another choice, with the statements that come with it."""
    here = {each.id for each in chosen.statements}
    added = (each for each in other.statements if each.after == key and not each.differs and each.id not in here)
    return " ".join((sentence(key, other.played, words), *(statement_text(each, words) for each in added)))


def quoted_sources(rule: str, statements: tuple[Statement, ...], words: Words) -> Iterator[tuple[tuple[str, ...], str]]:
    """The sources of a rule (in words, or empty) and of the statements with it, each source once.

    With each the first words of the statements that it is given for; none for the rule itself, or a single statement.
    """
    if rule:
        yield (), rule
    sourced = sourced_statements(statements, words)
    is_quoted = bool(rule) or len(statements) > 1
    for source in dict.fromkeys(source for _, source in sourced if source != rule):
        yield tuple(_beginning(text) for text, other in sourced if other == source and is_quoted), source


def _beginning(text: str) -> str:
    first = text.split()
    return text if len(first) <= _FIRST_WORDS else f"{' '.join(first[:_FIRST_WORDS])}…"


def figure_table(key: str, variant: Variant, words: Words) -> tuple[str, list[tuple[str, int]]] | None:
    """The rows of a rule that is a table of figures, and what its first column is; None for any other rule."""
    value = variant.settings[key].value
    match key:
        case "opening-steps":
            below = (words.text("rulebook.opening.below"), variant.settings["opening-below-zero"].value)
            ranges = (
                (words.text("rulebook.opening.from-to", least=least, most=following - 1), minimum)
                for (least, minimum), (following, _) in pairwise(value)
            )
            last = (words.text("rulebook.opening.from", least=value[-1][0]), value[-1][1])
            return "score", [below, *ranges, last]
        case "opening-deals":
            return "deal", [(words.figure(deal), minimum) for deal, minimum in enumerate(value, 1)]
        case "card-points":
            rows = [
                (
                    words.listing(words.plural(f"card.{kind}", 1) for kind, each in value.items() if each == points),
                    points,
                )
                for points in sorted(set(value.values()), reverse=True)
            ]
            return "card", rows
        case "canastas" if all(kind["shape"] != "wilds" or kind["family"] == "wild" for kind in value):
            return "canasta", [(item_word(variant.id, kind["item"], words), kind["points"]) for kind in value]
    return None


def changed_rules(chosen: ChosenRules, words: Words) -> list[Difference]:
    """What a game has otherwise than the classic one, as a list to read first."""
    if chosen.variant.id == CLASSIC:
        return []
    found = (each for each in differences(chosen.played, words) if each.cited.standing is not Standing.HOUSE)
    return [each for each in found if each.here != each.classic and in_book(each.key, chosen.played, words)]


# ---------------------------------------------------------------- the penalties


def penalty_text(penalty: Irregularity, words: Words) -> str:
    """What a penalty costs, and what else follows."""
    points = {"points": penalty.points} if penalty.costs is Costs.POINTS else {}
    cost = words.text(f"rulebook.penalty.{penalty.costs}", **points)
    return f"{cost} {words.text(f'remedy.{penalty.remedy}')}" if penalty.remedy else cost


def penalty_notes(penalty: Irregularity, rules: Ruleset, words: Words) -> tuple[str, str]:
    """A note of the book on a penalty, and the mistake of a source about it; empty where there is none."""
    ground = f"penalties/{penalty.code}"
    faults = faults_of(rules, ground) if penalty.code in rules.penalties else ()
    note, slip = "", next((fault.code for fault in faults), "")
    if penalty.code in OF_PARTNERS and not has_partner(rules.settings):
        note = words.text("ruling.penalty-without-partner")
    elif penalty.code == NOT_EXPOSED:
        note = words.text("rulebook.penalty.once")
    return note, words.text(f"ruling.{slip}") if slip else ""


# ---------------------------------------------------------------- score lines and warnings


@dataclass(frozen=True, slots=True)
class Item:
    """A score line (by its item) or a check of the pad (by its code), and the rules behind it: (key, sentence)."""

    anchor: str
    code: str
    name: str
    note: str
    rules: tuple[tuple[str, str], ...]


_ITEMS_OF_LINE: Mapping[str, Callable[[Ruleset], set[str]]] = {
    "canastas": lambda rules: {kind.item for kind in rules.settings.canastas},
    "incomplete": lambda rules: {kind.item for kind in rules.settings.incomplete if kind.item},
    "concealed-canasta": lambda rules: {"concealed-canasta"} & set(rules.items),
    "held-together": lambda rules: {kind.item for kind in rules.settings.held_together},
}
"""The lines of the data with several items, or with one only at some tables; any other line is its own item."""


def score_items(rules: Ruleset) -> Mapping[str, str]:
    """The items that a hand may be scored with, in order, each with its line of the data."""
    found = {}
    for line in rules.lines:
        items = _ITEMS_OF_LINE[line.id](rules) if line.id in _ITEMS_OF_LINE else {line.id}
        found.update(dict.fromkeys(items, line.id))
    return {item: found[item] for item in sorted(found, key=item_order)}


def score_lines(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """The score lines under these choices."""
    points = {kind.item: kind.points for kind in chosen.rules.settings.canastas}
    for item, line in score_items(chosen.rules).items():
        note = words.text("rulebook.lines.worth", points=points[item]) if item in points else ""
        yield _score_line(chosen, item, line, note, words, with_text=item not in points)


def optional_score_lines(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """The score lines that exist under another choice only, with the first such choice."""
    seen = set(score_items(chosen.rules))
    for option in chosen.variant.options.values():
        for value in chosen.variant.values_of(option):
            for item, line in score_items(settle(chosen.variant.id, None, {option.id: value.value})).items():
                if item not in seen:
                    seen.add(item)
                    choice = option_words(option.id, value.value, words)
                    note = words.text("rulebook.lines.only-with", choice=choice)
                    yield _score_line(chosen, item, line, note, words, with_text=False)


def _score_line(chosen: ChosenRules, item: str, line: str, note: str, words: Words, *, with_text: bool) -> Item:
    rules = _rules_behind(chosen.variant.lines[line], chosen.played, words, with_text=with_text)
    return Item(anchor("item", item), item, item_word(chosen.variant.id, item, words), note, rules)


def checks(chosen: ChosenRules, words: Words) -> Iterator[Item]:
    """What the pad may say of a hand: first what it refuses, then its warnings."""
    for check in sorted(chosen.variant.checks.values(), key=lambda check: check.severity != "error"):
        note = "" if check.severity == "error" else words.text("rulebook.problem.is-warning")
        rules = _rules_behind(check, chosen.played, words, with_text=True)
        yield Item(anchor("check", check.id), check.id, words.text(f"rulebook.problem.{check.id}"), note, rules)


def _rules_behind(data: RuleData, played: Variant, words: Words, *, with_text: bool) -> tuple[tuple[str, str], ...]:
    keys = (key for key in data.rests if in_book(key, played, words))
    return tuple((key, sentence(key, played, words) if with_text else "") for key in keys)


# ---------------------------------------------------------------- the glossary

GLOSSARY: Mapping[str, tuple[str, str | None]] = {
    "match": ("winning", "target"), "hand": ("count", None), "side": ("preparing", None),
    "dealer": ("preparing", "first-dealer"), "stock": ("turn", "drawn"), "pile": ("pile", "pile"),
    "upcard": ("preparing", "upcard"), "meld": ("melds", "meld-shortest"), "meld-verb": ("melds", None),
    "lay-off": ("melds", "meld-lay-off"), "opening": ("opening", "opening-steps"),
    "opening-minimum": ("opening", "opening-steps"), "wild-card": ("cards", "wild-limit"),
    "joker": ("cards", "card-points"), "two": ("cards", "card-points"), "natural-card": ("cards", "card-points"),
    "special-card": ("cards", None), "red-three": ("red-threes", "red-three-values"),
    "black-three": ("black-threes", "black-three-discarded"), "canasta": ("canastas", "canasta-length"),
    "natural-canasta": ("canastas", "canastas"), "mixed-canasta": ("canastas", "canastas"),
    "concealed-canasta": ("canastas", "concealed-canasta"), "samba": ("melds", "sequences"),
    "freeze": ("pile", "freezing"), "stop": ("black-threes", "black-three-discarded"),
    "go-out": ("out", "canastas-needed"), "concealed-out": ("out", "concealed-out-bonus"),
    "penalty": ("penalties", "penalties-known"), "penalty-cards": ("penalties", None), "target": ("winning", "target"),
    "score-pad": ("count", None),
}  # fmt: skip
"""The words of canasta, each with its chapter and, if there is one, the rule that has its figure."""


def other_names(word: str, words: Words) -> str:
    """What else a word of the glossary is called; empty where it has one name (`-` in the catalogue)."""
    names = words.text(f"rulebook.word.{word}.also")
    return "" if names == "-" else names

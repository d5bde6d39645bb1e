"""What a game's page says: its chapters with the rules, the penalties, the score lines and the warnings of the pad.

Everything comes from the data: a rule from a setting, its alternatives from the options that set it, the comparison
with the classic game from the classic game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from scorepad.contract.applying import applies, is_told
from scorepad.contract.variants import CLASSIC
from scorepad.i18n import Words
from scorepad.i18n.chapters import CHAPTERS
from scorepad.i18n.sentences import goes_without_saying, rule_told, sentence
from scorepad.i18n.settings import item_word, setting_words
from scorepad.rules.citations import Cited, Source, Standing
from scorepad.rules.loader import RuleData
from scorepad.rules.rulings.casing import has_partner
from scorepad.rules.rulings.catalogue import NOT_EXPOSED, Costs, Irregularity, catalogue
from scorepad.rules.rulings.faults import OF_PENALTIES, slips_of
from scorepad.rules.rulings.penalties import OF_PARTNERS
from scorepad.rules.score import ITEMS
from scorepad.rules.statements import Statement, statements_of
from scorepad.rules.variants import Ruleset, Variant, get_variant, settle, sources
from scorepad.web.citing import places
from scorepad.web.rulebook.choices import ChosenRules, option_words
from scorepad.web.rulebook.links import anchor

# ---------------------------------------------------------------- a game in a few words


def players_words(variant: Variant, words: Words) -> str:
    """How many play: `4 giocatori`; where that may be chosen `2, 3 o 4 giocatori`."""
    *few, last = map(words.figure, sorted(variant.players.value))
    count = words.text("web.either", some=", ".join(few), last=last) if few else last
    return words.text("players", count=count)


def length_words(variant: Variant, words: Words) -> str:
    """How long a match goes: up to a target, or so many hands."""
    hands = variant.settings["match-deals"].value
    if isinstance(hands, int):
        return words.plural("web.length.hands", hands)
    return words.text("web.length.target", target=int(variant.settings["target"].value))


# ---------------------------------------------------------------- where something is said


def cited_words(cited: Cited, words: Words) -> str:
    """Where something is said and how firmly: stated by a source, inferred, or agreed at the table."""
    named = places(map(str, cited.citations), words) if cited.citations else ""
    if named and cited.notes:
        named = f"{named} ({words.text('rulebook.why.manuals', names='; '.join(cited.notes))})"
    key = {Standing.STATED: "stated", Standing.READ: "read", Standing.HOUSE: "house"}[cited.standing]
    if named and cited.standing is not Standing.STATED:
        key = f"{key}-from"
    argument = words.text(f"read.{cited.read}") if cited.standing is Standing.READ else ""
    return words.text(f"rulebook.why.{key}", places=named, argument=argument)


def basis_words(cited: Cited, words: Words) -> str:
    """The same in short, for a list of choices: the source, and that it was inferred or agreed at the table."""
    named = [places(map(str, cited.citations), words)] if cited.citations else []
    if cited.read:
        named.append(words.text("web.new.read", why=words.text(f"read.{cited.read}")))
    elif cited.standing is not Standing.STATED:
        named.append(words.text(f"standing.{cited.standing}"))
    return ". ".join(named)


def cited_sources(chosen: ChosenRules) -> tuple[Source, ...]:
    """The sources that the page of a game cites, in the order of the data."""
    variant = chosen.played
    cited = [value.cited for value in variant.settings.values()]
    cited += [penalty.cited for penalty in catalogue(chosen.rules)]
    cited += [value.cited for option in variant.options.values() for value in option.values]
    cited += [each.cited for each in statements_of(variant)]
    named = {place.source for each in cited for place in each.citations}
    return tuple(source for source in sources().values() if source.id in named)


# ---------------------------------------------------------------- the chapters


@dataclass(frozen=True, slots=True)
class Alternative:
    """A rule under another choice: the sentence, its citation, and the page that shows the game so."""

    text: str
    cited: Cited
    url: str


Quoted = tuple[tuple[str, ...], str]
"""The first words of the sentences that a source is given for, empty for the rule itself; and the source in words."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as the page shows it.

    `classic`: the same in the classic game, empty where there is no difference. `beside` and `others`: what the sources
    say beside it, and what other sources say instead. `slips`: the known mistakes of the sources.
    """

    key: str
    text: str
    steps: tuple[tuple[str, str], ...]
    classic: str
    beside: tuple[Statement, ...]
    sources: tuple[Quoted, ...]
    others: tuple[Statement, ...]
    alternatives: tuple[Alternative, ...]
    slips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter: the statements at its head with their sources, and its rules."""

    id: str
    head: tuple[Statement, ...]
    sources: tuple[Quoted, ...]
    rules: tuple[Rule, ...]


OPENING_STEPS, OPENING_DEALS = "opening-steps", "opening-deals"
"""The settings with the minimums by score and by hand."""
_FIRST_WORDS = 5
_STATED_SLIPS = ("fault-not-replaced",)
"""Mistakes of sources that a statement tells already."""


def in_book(key: str, variant: Variant, words: Words) -> bool:
    """Whether a setting is a rule of the book: it decides something, or an option may make it do so."""
    if not applies(key, variant):
        return False
    may_be_chosen = any(key in value.sets for option in variant.options.values() for value in option.values)
    return may_be_chosen or is_told(key, variant) or goes_without_saying(key, variant, words)


def statement_text(statement: Statement, words: Words) -> str:
    """What a statement says."""
    return words.text(f"rulebook.statement.{statement.id}")


def sections(chosen: ChosenRules, words: Words) -> Iterator[Section]:
    """The chapters of a game that are not empty."""
    played = chosen.played
    statements = tuple(statements_of(played))
    for name, keys in CHAPTERS.items():
        head = tuple(each for each in statements if each.section == name and each.after is None)
        rules = tuple(_rule(key, chosen, played, statements, words) for key in keys if in_book(key, played, words))
        if head or rules:
            yield Section(name, head, tuple(_quoted("", head, words)), rules)


def _rule(key: str, chosen: ChosenRules, played: Variant, statements: tuple[Statement, ...], words: Words) -> Rule:
    following = [each for each in statements if each.after == key]
    beside = tuple(each for each in following if not each.differs)
    slips = (slip.code for slip in slips_of(chosen.rules, key) if slip.code not in _STATED_SLIPS)
    return Rule(
        key=key,
        text=rule_told(key, played, words),
        steps=tuple(_opening_minimums(key, played, words)),
        classic=_in_classic(key, played, words),
        beside=beside,
        sources=tuple(_quoted(cited_words(played.settings[key].cited, words), beside, words)),
        others=tuple(each for each in following if each.differs),
        alternatives=tuple(_alternatives(key, chosen, played, words)),
        slips=tuple(words.text(f"ruling.{code}") for code in slips),
    )


def _quoted(rule: str, statements: tuple[Statement, ...], words: Words) -> Iterator[Quoted]:
    """The sources of a rule and of the statements with it, each source once."""
    if rule:
        yield (), rule
    sourced = [(statement_text(each, words), cited_words(each.cited, words)) for each in statements]
    is_quoted = bool(rule) or len(statements) > 1
    for source in dict.fromkeys(source for _, source in sourced if source != rule):
        yield tuple(_beginning(text) for text, other in sourced if other == source and is_quoted), source


def _beginning(text: str) -> str:
    first = text.split()
    return text if len(first) <= _FIRST_WORDS else f"{' '.join(first[:_FIRST_WORDS])}…"


def _opening_minimums(key: str, variant: Variant, words: Words) -> Iterator[tuple[str, str]]:
    """The rows of the table of opening minimums, by score or by hand; none for any other rule."""
    if key == OPENING_DEALS:
        for deal, minimum in enumerate(variant.settings[key].value, 1):
            yield words.figure(deal), words.figure(minimum)
    if key == OPENING_STEPS:
        yield words.text("rulebook.opening.below"), words.figure(variant.settings["opening-below-zero"].value)
        steps = variant.settings[key].value
        for (least, minimum), (following, _) in pairwise(steps):
            yield words.text("rulebook.opening.from-to", least=least, most=following - 1), words.figure(minimum)
        least, minimum = steps[-1]
        yield words.text("rulebook.opening.from", least=least), words.figure(minimum)


def _in_classic(key: str, played: Variant, words: Words) -> str:
    classic, here = get_variant(CLASSIC), played.settings[key]
    if played.id == classic.id or here.value == classic.settings[key].value or here.cited.standing is Standing.HOUSE:
        return ""
    if not applies(key, classic):
        return words.text("rulebook.classic.none")
    value = setting_words(key, classic, words)
    return "" if value == setting_words(key, played, words) else words.text("rulebook.classic", value=value)


def _alternatives(key: str, chosen: ChosenRules, played: Variant, words: Words) -> Iterator[Alternative]:
    """The rule under every other value of the options that set it, with the statements that then come with it."""
    for option in chosen.variant.options.values():
        if not any(key in value.sets for value in option.values):
            continue
        for value in chosen.variant.values_of(option):
            choice = chosen.with_option(option.id, value.value)
            other = choice.played
            if other.settings[key].value != played.settings[key].value:
                texts = (sentence(key, other, words), *_added_statements(key, other, played, words))
                yield Alternative(" ".join(texts), other.settings[key].cited, choice.url(anchor("rule", key)))


def _added_statements(key: str, other: Variant, played: Variant, words: Words) -> Iterator[str]:
    here = {each.id for each in statements_of(played)}
    for each in statements_of(other):
        if each.after == key and not each.differs and each.id not in here:
            yield statement_text(each, words)


# ---------------------------------------------------------------- the penalties


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty: what it costs and what else follows, a note of the book, and the mistake of a source about it."""

    code: str
    text: str
    note: str
    cited: Cited
    slip: str


def penalties(rules: Ruleset, words: Words) -> Iterator[Penalty]:
    """The penalties that the sources know, and that of the house."""
    for each in catalogue(rules):
        points = {"points": each.points} if each.costs is Costs.POINTS else {}
        cost = words.text(f"rulebook.penalty.{each.costs}", **points)
        text = f"{cost} {words.text(f'remedy.{each.remedy}')}" if each.remedy else cost
        slip = OF_PENALTIES.get(each.code)
        yield Penalty(
            each.code, text, _penalty_note(each, rules, words), each.cited, words.text(f"ruling.{slip}") if slip else ""
        )


def _penalty_note(penalty: Irregularity, rules: Ruleset, words: Words) -> str:
    if penalty.code in OF_PARTNERS and not has_partner(rules.settings):
        return words.text("ruling.penalty-without-partner")
    return words.text("rulebook.penalty.once") if penalty.code == NOT_EXPOSED else ""


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
    return {item: found[item] for item in ITEMS if item in found}


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

GLOSSARY: Mapping[str, str] = {
    "match": "winning", "hand": "count", "side": "preparing", "dealer": "preparing", "stock": "turn", "pile": "pile",
    "upcard": "preparing", "meld": "melds", "meld-verb": "melds", "lay-off": "melds", "opening": "opening",
    "opening-minimum": "opening", "wild-card": "cards", "joker": "cards", "two": "cards", "natural-card": "cards",
    "special-card": "cards", "red-three": "red-threes", "black-three": "black-threes", "canasta": "canastas",
    "natural-canasta": "canastas", "mixed-canasta": "canastas", "concealed-canasta": "canastas", "samba": "melds",
    "freeze": "pile", "stop": "black-threes", "go-out": "out", "concealed-out": "out", "penalty": "penalties",
    "penalty-cards": "penalties", "target": "winning", "score-pad": "count",
}  # fmt: skip
"""The words of canasta, each with its chapter."""

RULES_OF_WORDS: Mapping[str, str] = {
    "match": "target", "dealer": "first-dealer", "stock": "drawn", "pile": "pile", "upcard": "upcard",
    "meld": "meld-shortest", "lay-off": "meld-lay-off", "opening": "opening-steps", "opening-minimum": "opening-steps",
    "wild-card": "wild-limit", "joker": "card-points", "two": "card-points", "natural-card": "card-points",
    "red-three": "red-three-values", "black-three": "black-three-discarded", "canasta": "canasta-length",
    "natural-canasta": "canastas", "mixed-canasta": "canastas", "concealed-canasta": "concealed-canasta",
    "samba": "sequences", "freeze": "freezing", "stop": "black-three-discarded", "go-out": "canastas-needed",
    "concealed-out": "concealed-out-bonus", "penalty": "penalties-known", "target": "target",
}  # fmt: skip
"""The rule with the figure of a word, where there is one."""


def other_names(word: str, words: Words) -> str:
    """What else a word of the glossary is called; empty where it has one name (`-` in the catalogue)."""
    names = words.text(f"rulebook.word.{word}.also")
    return "" if names == "-" else names

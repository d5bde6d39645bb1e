"""The facts of a case and its answer in words: cards and melds, reasons with their rules, other
rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words
from scorepad.i18n.rule_sentences import rule_name, statement_name
from scorepad.i18n.settings_in_words import item_word
from scorepad.i18n.verdicts import verdict_word
from scorepad.matches.rulings import question_key
from scorepad.referee.elsewhere import other_values
from scorepad.referee.in_force import special_top
from scorepad.referee.pile import best_use, melds_after
from scorepad.referee.questions import PileQuestion
from scorepad.referee.ruling import (
    Alternative,
    Detail,
    Reason,
    Ruling,
    Verdict,
)
from scorepad.referee.situation import is_legal_meld, kind_of, table_with, violations
from scorepad.rules.cards import KINDS, read_cards, write_cards
from scorepad.rules.definitions import GROUND_STATEMENTS, Choices, Ruleset, Standing, Variant
from scorepad.rules.table import read_meld
from scorepad.rules.variants import get_variant, settle, statements_of, variant_with_choices
from scorepad.schemas import Unusable
from scorepad.schemas.ruling_json import read_question_of_match
from scorepad.web.base import page_words, plural, t
from scorepad.web.card_lines import (
    cards_in_notation,
    letter_warnings,
    meld_in_words,
    meld_kind_in_words,
    split_into_melds,
)
from scorepad.web.citations import citation_in_short, citations_in_words
from scorepad.web.referee.cases import Case, doubt_in_words
from scorepad.web.referee.decision import open_facts_that_matter
from scorepad.web.referee.facts import Fact, InputKind
from scorepad.web.referee.inputs import choice_label, item_of
from scorepad.web.rule_choices import in_book
from scorepad.web.rule_words import choices_words
from scorepad.web.rulebook_links import RulebookLink, anchor, rules_url, url_with_anchor


class FactInWords(NamedTuple):
    """A fact of a case in words: its name, and its lines."""

    name: str
    lines: list[str]


_ONLY_LEADS_ON = ("way", "laid_as", "uses_top")
"""Choices that are no facts: the next cards state them."""
_RED_THREE = "red-three-in-the-pile"


# ---------------------------------------------------------------- the facts


def echo_of(fact: Fact, case: Case) -> list[str]:
    """How typed cards were read, or both readings of an ambiguous card; nothing while unreadable."""
    text = case.answer(fact.name)
    ambiguous = doubt_in_words(text)
    if ambiguous:
        return [ambiguous]
    if not text or case.errors_of(fact):
        return []
    return [*lines_of_cards(fact, case), *letter_warnings(text, page_words())]


def facts_of(case: Case) -> Iterator[FactInWords]:
    """All answers in the order of the question."""
    for fact in case.facts:
        if not (case.is_answered(fact) or fact.needed or fact.blank):
            continue
        lines = list(_lines(fact, case))
        if lines:
            name = t(question_key(case.question.kind, fact.name, page_words()))
            yield FactInWords(name, lines)
    if case.as_json().get("with"):
        yield from _melds_of_turn(case)


def _lines(fact: Fact, case: Case) -> Iterator[str]:
    """The answer to a fact, in lines."""
    match fact.input:
        case InputKind.SIDE:
            if case.match and case.side is not None:
                yield case.match.sides[case.side].name
        case InputKind.CHOICE:
            if fact.name not in _ONLY_LEADS_ON:
                yield choice_label(fact, case.answer_or_default(fact), case)
        case InputKind.COUNTS:
            for name in case.parameters_of(fact):
                if case.answer(name):
                    yield t("referee.text.count", what=item_of(name, case), count=case.answer(name))
        case InputKind.FIGURE:
            yield case.answer(fact.name) or fact.blank
        case InputKind.SCORE:
            points = case.number_answered(fact)
            figure = page_words().figure(abs(points))
            yield t("referee.text.below", figure=figure) if points < 0 else figure
        case InputKind.MELDS if fact.name == "laid":
            melds = split_into_melds(case.answer(fact.name), case.settings)
            yield from (cards_text(meld) for meld in melds)
            if not melds:
                yield t("referee.laid.none")
        case _:
            yield from lines_of_cards(fact, case)


def lines_of_cards(fact: Fact, case: Case) -> Iterator[str]:
    """Cards as read, in words; melds one by one, with kind and points."""
    text = cards_in_notation(case.answer(fact.name))
    if fact.name == "laid":
        for name, lines in _melds_of_turn(case):
            yield t("referee.text.count", what=name, count="; ".join(lines))
    elif fact.input is InputKind.MELDS:
        yield from _numbered_melds(split_into_melds(case.answer(fact.name), case.settings), case)
    elif not text:
        return
    elif fact.input is InputKind.TURNED:
        yield ", ".join(cards_text(card) for card in text.split())
    elif fact.name == "hand":
        yield t("referee.text.hand", count=read_cards(text).cards.size, cards=cards_text(text))
    elif fact.input is InputKind.CARDS:
        yield _meld(text, case)
    else:
        yield _card_in_words(text)


def _numbered_melds(melds: list[str], case: Case) -> Iterator[str]:
    for number, meld in enumerate(melds, 1):
        line = _meld(meld, case)
        if len(melds) > 1:
            line = t("referee.text.meld", number=number, said=line)
        yield line


def _melds_of_turn(case: Case) -> Iterator[FactInWords]:
    """The melds of the turn after the pile was taken; empty if there are none, or another answer is
    wrong.
    """
    try:
        question = read_question_of_match(case.as_json(), case.rules).question
    except Unusable:
        return
    if not isinstance(question, PileQuestion) or question.hand or question.top.unknown:
        return
    if kind_of(question.top).is_natural:
        melds = _melds_with_natural_top(case, question)
    else:
        melds = _melds_with_special_top(case, question)
    if melds.lines:
        name = t("referee.with-top" if melds.use_top else "referee.without-top")
        yield FactInWords(name, melds.lines)


class _MeldsOfTurn(NamedTuple):
    """The melds of a turn in words, and whether the top card of the pile is in one of them."""

    lines: list[str]
    use_top: bool


def _melds_with_natural_top(case: Case, question: PileQuestion) -> _MeldsOfTurn:
    """The melds with a natural top card, or those laid if it cannot be used."""
    use = None
    table = table_with(case.rules, *question.table, *question.laid)
    if not violations(table, {"deck-exceeded"}):
        use = best_use(case.rules, question)
    melds = question.laid if use is None else melds_after(question, use)
    lines = [_meld(write_cards(meld.cards), case) for meld in melds]
    return _MeldsOfTurn(lines, use_top=use is not None)


def _melds_with_special_top(case: Case, question: PileQuestion) -> _MeldsOfTurn:
    """The melds of a turn with a special top card, which is laid with others of its kind.

    Special cards discarded with the top card at the end of the turn are no meld.
    """
    kind = kind_of(question.top)
    top = special_top(case.settings, kind)
    is_discarded = top is not None and top.used == "discarded"
    lines = []
    use_top = False
    for meld in question.laid:
        text = write_cards(meld.cards)
        has_top = meld.cards.of(kind) > 0
        if has_top:
            use_top = True
        lines.append(cards_text(text) if has_top and is_discarded else _meld(text, case))
    return _MeldsOfTurn(lines, use_top)


def _meld(text: str, case: Case) -> str:
    """A meld as it was read: `Combinazione, 30 punti: 3 donne`."""
    words = case.words
    reading = read_cards(text)
    meld = read_meld(reading.cards)
    is_wrong = not is_legal_meld(case.rules, reading)
    cards = meld_in_words(meld, case.settings, words) or text
    kind = meld_kind_in_words(meld, case.rules, words, is_wrong=is_wrong)
    return t("referee.text.cards", said=kind, cards=cards)


def cards_text(text: str) -> str:
    """Cards by kind; as typed if there are none."""
    return cards_in_words(read_cards(text).cards.counts, page_words()) or text


def canasta_name(item: str, rules: Ruleset) -> str:
    """A kind of canasta, in words."""
    return item_word(rules.variant, item, page_words(rules))


def _card_in_words(text: str) -> str:
    """One card by its name, with its suit."""
    cards = read_cards(text).cards
    if cards.size != 1:
        return text
    name = plural(f"card.{KINDS[cards.counts.index(1)]}", 1)
    suits = [t(f"suit.{suit}") for _, suit, _ in cards.suited]
    return t("referee.text.suited", card=name, suit=suits[0]) if suits else name


# ---------------------------------------------------------------- reasons and their rules


class ShownReason(NamedTuple):
    """A reason: its code, its sentence, its sources and their standing, and its link into the
    rulebook.
    """

    code: str
    text: str
    source: str
    link: RulebookLink | None = None


def reasons_shown(
    texts: Iterable[str], reasons: Iterable[Reason], rules: Ruleset
) -> Iterator[ShownReason]:
    """The reasons in order. If several have the same rule, only the first links to it."""
    linked: set[RulebookLink | None] = set()
    for text, reason in zip(texts, reasons, strict=True):
        source = _sources_in_words(reason, rules)
        link = _link_to_rule(reason, rules)
        shown_link = None if link in linked else link
        yield ShownReason(reason.code, text, source, shown_link)
        linked.add(link)


def _sources_in_words(reason: Reason, rules: Ruleset) -> str:
    """The sources of a reason, and why the first rule holds that none of them states."""
    words = page_words(rules)
    parts = [citations_in_words(reason.sources, words)]
    for rule in reason.grounds:
        cited = rules.cited_at(rule)
        if cited.standing is not Standing.STATED:
            parts.append(citation_in_short(replace(cited, citations=()), words))
            break
    return ". ".join(part for part in parts if part)


def _link_to_rule(reason: Reason, rules: Ruleset) -> RulebookLink | None:
    """The link from a reason into the rulebook: to its first rule there, else to its irregularity or
    its check.
    """
    variant = _current_variant(rules)
    if variant is None:
        return None
    words = page_words(rules)
    statements = {each.id: each for each in statements_of(variant)}
    for name in reason.rules:
        if name in GROUND_STATEMENTS:
            title = statement_name(statements[name], words)
            return _rulebook_link(title, rules, anchor("statement", name))
        if in_book(name, variant, words):
            return _rulebook_link(rule_name(name, words), rules, anchor("rule", name))
    mistake = reason.arguments.get("penalty")
    if isinstance(mistake, str) and words.has(f"penalty.{mistake}"):
        return _rulebook_link(words.t(f"penalty.{mistake}"), rules, anchor("penalty", mistake))
    if reason.code in variant.checks:
        name = t(f"rulebook.problem.{reason.code}")
        return _rulebook_link(name, rules, anchor("check", reason.code))
    return None


def _rulebook_link(name: str, rules: Ruleset, anchor_name: str) -> RulebookLink:
    return RulebookLink(name, url_with_anchor(rules_url(rules), anchor_name))


def red_three_in_the_pile(rules: Ruleset) -> RulebookLink | None:
    """The link into the rulebook about a red three in a taken pile; None if there is none."""
    variant = _current_variant(rules)
    if variant is None or all(each.id != _RED_THREE for each in statements_of(variant)):
        return None
    return _rulebook_link(t("referee.pile.red-three"), rules, anchor("statement", _RED_THREE))


def _current_variant(rules: Ruleset) -> Variant | None:
    """The variant with the rules of the table; None if a match has rules that are no longer
    available.
    """
    try:
        return variant_with_choices(rules.variant, rules.preset, rules.options)
    except ChoiceError:
        return None


def mistake_name(code: str, words: Words) -> str:
    """The name of an irregularity; the referee's own if there is one."""
    return words.t(words.first_known(f"referee.fault.{code}", f"penalty.{code}"))


# ---------------------------------------------------------------- other rules

_DETAILS_IN_ANSWER = {
    "discard": ("effect",),
    "end-of-stock": ("hand_ends", "must_take"),
    "opening": ("minimum",),
    "penalty": ("points", "held"),
    "red-threes": ("points",),
    "upcard": ("frozen", "redeal"),
}
"""Details that the answer in words gives already, by kind of question."""


class OtherAnswer(NamedTuple):
    """The answer under other rules, in words, and the details in which it differs."""

    alternative: Alternative
    word: str
    details: dict[str, Detail]


def others_shown(
    kind: str, ruling: Ruling, alternatives: Iterable[Alternative]
) -> Iterator[OtherAnswer]:
    """The other rules with another answer than this ruling."""
    words = page_words()
    word = verdict_word(kind, ruling.verdict.value, ruling.details, words)
    for other in alternatives:
        other_details = other.ruling.details
        other_word = verdict_word(kind, other.ruling.verdict.value, other_details, words)
        names = _differing_details(ruling.details, other_details)
        if other_word != word and other.ruling.verdict is Verdict.VALUE:
            in_answer = _DETAILS_IN_ANSWER.get(kind, ())
            names = [name for name in names if name not in in_answer]
        elif other_word != word:  # a yes or no, of which only figures say more
            names = [name for name in names if _is_figure(other_details.get(name))]
        details = {name: other_details.get(name) for name in names}
        yield OtherAnswer(other, other_word, details)


def _differing_details(details: Mapping[str, Detail], others: Mapping[str, Detail]) -> list[str]:
    """The names of the details that are not the same, or that only one of both has."""
    missing = object()
    names = {**details, **others}
    return [name for name in names if details.get(name, missing) != others.get(name, missing)]


def _is_figure(detail: Detail) -> bool:
    """Whether a detail is a number other than zero; true and false are none."""
    return type(detail) is int and detail != 0


def rules_name(rules: Ruleset, preset: str | None, changed: Choices) -> str:
    """Other rules by their differences: a preset, or options."""
    other_preset = preset if preset != rules.preset else None
    return choices_words(other_preset, changed, page_words(rules))


def dependencies(case: Case) -> Iterator[str]:
    """The facts on which the answer under other rules depends, and that were not asked under these."""
    facts_under_these = open_facts_that_matter(case, case.rules)
    rules_by_facts: dict[str, list[str]] = {}
    for other in _other_rules(case.rules):
        labels = []
        for fact in open_facts_that_matter(case, other.rules):
            if fact not in facts_under_these:
                labels.append(t(question_key(case.question.kind, fact, page_words())))
        if labels:
            names = rules_by_facts.setdefault(", ".join(labels), [])
            names.append(rules_name(case.rules, other.preset, other.changed))
    for facts, names in rules_by_facts.items():
        yield t("referee.elsewhere.depends", rules="; ".join(names), facts=facts)


class _OtherRules(NamedTuple):
    """Other rules of a variant, with the preset or the option in which they differ."""

    preset: str | None
    changed: Choices
    rules: Ruleset


def _other_rules(rules: Ruleset) -> Iterator[_OtherRules]:
    """The other rules of the variant: its presets, and each option by itself."""
    try:
        variant = get_variant(rules.variant)
        for preset in variant.presets:
            if preset != rules.preset:
                yield _OtherRules(preset, {}, settle(variant.id, preset))
        for option, value in other_values(variant, rules):
            changed = {option.id: value.value}
            yield _OtherRules(None, changed, settle(variant.id, rules.preset, changed))
    except ChoiceError:
        return  # a match has rules that can no longer be chosen

"""The facts of a case and its answer in words: cards and melds, reasons with their rules, other
rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
from scorepad.web.citations import citations_in_words, why_unstated_in_short
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


def cards_as_read(fact: Fact, case: Case) -> list[str]:
    """The lines below an input of cards that tell how the text typed there was read.

    If a card can be read in two ways, the line asks which one is meant. There are no lines for an
    empty input, or for a text with an error, which the page explains elsewhere.
    """
    text = case.answer(fact.name)
    which_is_meant = doubt_in_words(text)
    if which_is_meant:
        return [which_is_meant]
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
        melds_of_turn = _melds_of_turn(case)
        if melds_of_turn is not None:
            yield melds_of_turn


def _lines(fact: Fact, case: Case) -> Iterator[str]:
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


def lines_of_cards(fact: Fact, case: Case) -> list[str]:
    """The cards with which a fact is answered, in words: a line for each meld, else a single line.

    A meld is a set of cards laid on the table; its line has its kind and points too. There are no
    lines if no cards are given.
    """
    cards = cards_in_notation(case.answer(fact.name))
    if fact.input is InputKind.MELDS:
        return _lines_of_melds(fact, case)
    if not cards:
        return []
    if fact.input is InputKind.TURNED:  # one by one, as their order matters
        return [", ".join(cards_text(card) for card in cards.split())]
    if fact.input is InputKind.CARD:
        return [_card_in_words(cards)]
    if fact.name == "hand":
        count = read_cards(cards).cards.size
        return [t("referee.text.hand", count=count, cards=cards_text(cards))]
    return [_meld(cards, case)]


def _lines_of_melds(fact: Fact, case: Case) -> list[str]:
    """A line for each meld with which a fact is answered.

    Melds laid to take the pile are in one line, which says whether they use its top card.
    """
    if fact.name != "laid":
        melds = split_into_melds(case.answer(fact.name), case.settings)
        return list(_numbered_melds(melds, case))
    melds_of_turn = _melds_of_turn(case)
    if melds_of_turn is None:
        return []
    melds_text = "; ".join(melds_of_turn.lines)
    return [t("referee.text.count", what=melds_of_turn.name, count=melds_text)]


def _numbered_melds(melds: list[str], case: Case) -> Iterator[str]:
    """A line for each meld, with its number if there are several."""
    for number, meld in enumerate(melds, 1):
        line = _meld(meld, case)
        if len(melds) > 1:
            line = t("referee.text.meld", number=number, said=line)
        yield line


def _melds_of_turn(case: Case) -> FactInWords | None:
    """The melds on the table after a player took the pile, in words, with or without its top card.

    None if the player lays no melds, or if the question is another one or cannot be read.
    """
    question = _readable_pile_question(case)
    if question is None:
        return None
    if kind_of(question.top).is_natural:
        melds = _melds_with_natural_top(case, question)
    else:
        melds = _melds_with_special_top(case, question)
    if not melds.lines:
        return None
    name = t("referee.with-top" if melds.use_top else "referee.without-top")
    return FactInWords(name, melds.lines)


def _readable_pile_question(case: Case) -> PileQuestion | None:
    """The question whether these melds allow a player to take the pile, as the referee reads it.

    None if the case asks something else, if one of its answers is wrong, or if the player gave all
    cards of the hand: the referee then finds the melds.
    """
    try:
        question = read_question_of_match(case.as_json(), case.rules).question
    except Unusable:  # its message stands beside the wrong answer
        return None
    if not isinstance(question, PileQuestion) or question.hand is not None:
        return None
    is_top_card_known = not question.top.unknown
    return question if is_top_card_known else None


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
    """The melds of a player who takes the pile with a special top card, such as a joker.

    By some rules the special cards of the hand are laid with the top card, by others all of them
    are discarded at the end of the turn. Then they are no meld, and are shown without its points.
    """
    kind = kind_of(question.top)
    special_card = special_top(case.settings, kind)
    is_discarded = special_card is not None and special_card.used == "discarded"
    lines = []
    use_top = False
    for meld in question.laid:
        cards = write_cards(meld.cards)
        has_top_card = meld.cards.of(kind) > 0
        if has_top_card:
            use_top = True
        if has_top_card and is_discarded:
            lines.append(cards_text(cards))
        else:
            lines.append(_meld(cards, case))
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
    """The sources that state a reason, then why it holds as far as no source states it."""
    words = page_words(rules)
    texts = [citations_in_words(reason.sources, words), _why_not_stated(reason, rules, words)]
    return ". ".join(text for text in texts if text)


def _why_not_stated(reason: Reason, rules: Ruleset, words: Words) -> str:
    """Why the first rule behind a reason holds that no source states; empty if all are stated."""
    for rule in reason.grounds:
        cited = rules.cited_at(rule)
        if cited.standing is not Standing.STATED:
            return why_unstated_in_short(cited, words)
    return ""


def _link_to_rule(reason: Reason, rules: Ruleset) -> RulebookLink | None:
    """The link from a reason to the entry of the rulebook that explains it best.

    That is the first of its rules that the rulebook shows; without one the penalty that the reason
    names, or the check of the pad that has the code of the reason. None if there is no entry.
    """
    variant = _current_variant(rules)
    if variant is None:  # the page of these rules no longer exists
        return None
    link = _link_to_first_rule(reason, variant, rules)
    if link is None:
        link = _link_to_penalty(reason, rules)
    if link is None:
        link = _link_to_check(reason, variant, rules)
    return link


def _link_to_first_rule(reason: Reason, variant: Variant, rules: Ruleset) -> RulebookLink | None:
    """The link to the first rule behind a reason that the rulebook shows; None if there is none.

    A rule is a setting of the variant, or a statement that holds in every game.
    """
    words = page_words(rules)
    statements = {statement.id: statement for statement in statements_of(variant)}
    for name in reason.rules:
        if name in GROUND_STATEMENTS:
            title = statement_name(statements[name], words)
            return _rulebook_link(title, rules, anchor("statement", name))
        if in_book(name, variant, words):
            return _rulebook_link(rule_name(name, words), rules, anchor("rule", name))
    return None


def _link_to_penalty(reason: Reason, rules: Ruleset) -> RulebookLink | None:
    """The link to the penalty that a reason names; None if it names none."""
    code = reason.arguments.get("penalty")
    words = page_words(rules)
    if not isinstance(code, str) or not words.has(f"penalty.{code}"):
        return None
    return _rulebook_link(words.t(f"penalty.{code}"), rules, anchor("penalty", code))


def _link_to_check(reason: Reason, variant: Variant, rules: Ruleset) -> RulebookLink | None:
    """The link to the check of the pad that has the code of a reason; None if there is none."""
    if reason.code not in variant.checks:
        return None
    name = t(f"rulebook.problem.{reason.code}")
    return _rulebook_link(name, rules, anchor("check", reason.code))


def _rulebook_link(name: str, rules: Ruleset, anchor_name: str) -> RulebookLink:
    """A link with this name to an anchor on the page of the rules."""
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
    """The rules that give another answer than a ruling, each with that answer in words.

    Beside the words stand the details that differ, such as points, unless the words tell them.
    `kind` is the kind of the question.
    """
    words = page_words()
    word = verdict_word(kind, ruling.verdict.value, ruling.details, words)
    for alternative in alternatives:
        other = alternative.ruling
        other_word = verdict_word(kind, other.verdict.value, other.details, words)
        names = _differing_details(ruling.details, other.details)
        if other_word != word:
            names = _details_not_in_word(names, kind, other)
        details = {name: other.details.get(name) for name in names}
        yield OtherAnswer(alternative, other_word, details)


def _details_not_in_word(names: list[str], kind: str, ruling: Ruling) -> list[str]:
    """Those of these details of a ruling that say more than its answer in words does.

    An answer with a value tells some of its details itself. A "yes" or "no" tells none, but only
    figures are of interest beside it.
    """
    if ruling.verdict is Verdict.VALUE:
        details_in_answer = _DETAILS_IN_ANSWER.get(kind, ())
        return [name for name in names if name not in details_in_answer]
    return [name for name in names if _is_figure(ruling.details.get(name))]


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

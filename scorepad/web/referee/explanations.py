"""The facts of a case and its answer in words: cards and melds, reasons with their rules, other
rules.
"""

from __future__ import annotations

from collections import defaultdict
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
from scorepad.referee.pile import TopCardUse, best_use, melds_after
from scorepad.referee.questions import PileQuestion
from scorepad.referee.ruling import (
    Alternative,
    Detail,
    Reason,
    Ruling,
    Verdict,
)
from scorepad.referee.situation import is_legal_meld, kind_of, table_with, violations
from scorepad.rules.cards import KINDS, Kind, read_cards, write_cards
from scorepad.rules.definitions import GROUND_STATEMENTS, Choices, Ruleset, Standing, Variant
from scorepad.rules.settings import Settings
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
from scorepad.web.referee.cases import Case, ask_about_doubt
from scorepad.web.referee.decision import find_open_facts_that_matter
from scorepad.web.referee.facts import Fact, FactName, InputKind
from scorepad.web.referee.inputs import choice_label, item_of
from scorepad.web.rule_choices import in_book
from scorepad.web.rule_words import choices_words
from scorepad.web.rulebook_links import RulebookLink, anchor, rules_url, url_with_anchor


class FactInWords(NamedTuple):
    """A fact of a case in words: its name, and its lines."""

    name: str
    lines: list[str]


_DECIDES_ONLY_PAGES = (FactName.WAY, FactName.LAID_AS, FactName.USES_TOP)
"""Choices that only decide what the pages ask next; the cards given then say which was chosen."""
_RED_THREE = "red-three-in-the-pile"


# ---------------------------------------------------------------- the facts


def cards_as_read(fact: Fact, case: Case) -> list[str]:
    """The lines below an input of cards that tell how the text typed there was read.

    If a card can be read in two ways, the line asks which one is meant. There are no lines for an
    empty input, or for a text with an error, which the page explains elsewhere.
    """
    text = case.answer(fact.name)
    which_is_meant = ask_about_doubt(text)
    if which_is_meant:
        return [which_is_meant]
    if not text or case.errors_of(fact):
        return []
    return [*lines_of_cards(fact, case), *letter_warnings(text, page_words())]


def facts_of(case: Case) -> list[FactInWords]:
    """What the referee was told, in words, in the order of the question.

    If the player lays melds (sets of cards) to take the pile, the melds after that come last.
    """
    facts = []
    for fact in case.facts:
        if not _has_answer(fact, case):
            continue
        lines = _lines_of_fact(fact, case)
        if lines:
            name = t(question_key(case.question.kind, fact.name, page_words()))
            facts.append(FactInWords(name, lines))

    lays_melds_to_take_pile = bool(case.as_json().get("with"))
    if lays_melds_to_take_pile:
        melds_of_turn = _melds_of_turn(case)
        if melds_of_turn is not None:
            facts.append(melds_of_turn)
    return facts


def _has_answer(fact: Fact, case: Case) -> bool:
    """Whether a fact was answered, must be, or counts as some number if it was not."""
    return case.is_answered(fact) or fact.needed or fact.if_empty != ""


def _lines_of_fact(fact: Fact, case: Case) -> list[str]:
    """The answer to a fact in words; several lines for several melds or kinds of canasta.

    There are none if nothing was answered.
    """
    match fact.input:
        case InputKind.SIDE:
            return _lines_of_side(case)
        case InputKind.CHOICE:
            return _lines_of_choice(fact, case)
        case InputKind.COUNTS:
            return _lines_of_counts(fact, case)
        case InputKind.FIGURE:
            return [case.answer(fact.name) or fact.if_empty]
        case InputKind.SCORE:
            return [_score_in_words(case.parse_number_answered(fact))]
        case InputKind.MELDS if fact.name == FactName.LAID:
            return _lines_of_laid_cards(fact, case)
        case _:
            return lines_of_cards(fact, case)


def _lines_of_side(case: Case) -> list[str]:
    """The name of the side that the question is about; no line if no side was chosen."""
    if case.match is None or case.side is None:
        return []
    return [case.match.sides[case.side].name]


def _lines_of_choice(fact: Fact, case: Case) -> list[str]:
    """The chosen answer to a fact; no line for a choice that only decides what the pages ask."""
    if fact.name in _DECIDES_ONLY_PAGES:
        return []
    return [choice_label(fact, case.answer_or_default(fact), case)]


def _lines_of_counts(fact: Fact, case: Case) -> list[str]:
    """A line for each kind of canasta with its number; none for kinds without one."""
    lines = []
    for name in case.parameters_of(fact):
        count = case.answer(name)
        if count:
            lines.append(t("referee.text.count", what=item_of(name, case), count=count))
    return lines


def _score_in_words(points: int) -> str:
    """A score of a side; one below zero is said in words, without a minus sign."""
    figure = page_words().figure(abs(points))
    if points < 0:
        return t("referee.text.below", figure=figure)
    return figure


def _lines_of_laid_cards(fact: Fact, case: Case) -> list[str]:
    """A line for each meld that the player lays from the hand to take the pile; or that none is."""
    melds = split_into_melds(case.answer(fact.name), case.settings)
    if not melds:
        return [t("referee.laid.none")]
    return [cards_text(meld) for meld in melds]


def lines_of_cards(fact: Fact, case: Case) -> list[str]:
    """The cards with which a fact is answered, in words: a line for each meld, else a single line.

    A meld is a set of cards laid on the table; its line has its kind and points too. There are no
    lines if no cards are given.
    """
    if fact.input is InputKind.MELDS:
        return _lines_of_melds(fact, case)
    cards = cards_in_notation(case.answer(fact.name))
    if not cards:
        return []
    if fact.input is InputKind.TURNED:  # one by one, as their order matters
        return [", ".join(cards_text(card) for card in cards.split())]
    if fact.input is InputKind.CARD:
        return [_card_in_words(cards)]
    if fact.name == FactName.HAND:
        count = read_cards(cards).cards.size
        return [t("referee.text.hand", count=count, cards=cards_text(cards))]
    return [_meld_text(cards, case)]


def _lines_of_melds(fact: Fact, case: Case) -> list[str]:
    """A line for each meld (set of cards) with which a fact is answered.

    Melds laid to take the pile are in one line, which says whether they use its top card.
    """
    if fact.name == FactName.LAID:
        return _line_of_melds_of_turn(case)
    melds = split_into_melds(case.answer(fact.name), case.settings)
    return _numbered_melds(melds, case)


def _line_of_melds_of_turn(case: Case) -> list[str]:
    """One line with the melds on the table after a player took the pile; none if there are none."""
    melds_of_turn = _melds_of_turn(case)
    if melds_of_turn is None:
        return []
    melds_text = "; ".join(melds_of_turn.lines)
    return [t("referee.text.count", what=melds_of_turn.name, count=melds_text)]


def _numbered_melds(melds: list[str], case: Case) -> list[str]:
    """A line for each meld, with its number if there are several."""
    lines = []
    for number, meld in enumerate(melds, 1):
        line = _meld_text(meld, case)
        if len(melds) > 1:
            line = t("referee.text.meld", number=number, said=line)
        lines.append(line)
    return lines


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
    """The question whether a player may take the discard pile with the melds that were given.

    None if the case asks something else, if an answer is wrong, if the top card of the pile is
    unknown, or if the whole hand was given: the referee then finds the melds.
    """
    try:
        question = read_question_of_match(case.as_json(), case.rules).question
    except Unusable:  # its message stands beside the wrong answer
        return None
    if not isinstance(question, PileQuestion):
        return None
    if question.top.unknown or question.hand is not None:
        return None
    return question


class _MeldsOfTurn(NamedTuple):
    """The melds of a turn in words, and whether the top card of the pile is in one of them."""

    lines: list[str]
    use_top: bool


def _melds_with_natural_top(case: Case, question: PileQuestion) -> _MeldsOfTurn:
    """The melds (sets of cards) after a player took the pile with a natural top card, in words.

    If the card cannot be used, they are the melds that the player laid.
    """
    use = _use_of_natural_top(case.rules, question)
    if use is None:
        melds = question.laid
    else:
        melds = melds_after(question, use)
    lines = [_meld_text(write_cards(meld.cards), case) for meld in melds]
    return _MeldsOfTurn(lines, use_top=use is not None)


def _use_of_natural_top(rules: Ruleset, question: PileQuestion) -> TopCardUse | None:
    """The meld that the top card of the pile joins best, with what becomes of the others.

    None if it fits no meld, or if there are more cards of a kind than the decks have.
    """
    table = table_with(rules, *question.table, *question.laid)
    has_too_many_cards = bool(violations(table, {"deck-exceeded"}))
    if has_too_many_cards:
        return None
    return best_use(rules, question)


def _melds_with_special_top(case: Case, question: PileQuestion) -> _MeldsOfTurn:
    """The melds (sets of cards) of a player who takes the pile with a special top card, in words.

    A special card is one such as a joker. If it is discarded at the end of the turn, the cards given
    with it are no meld, so that they are shown without kind and points.
    """
    special_kind = kind_of(question.top)
    is_discarded = _is_top_discarded(special_kind, case.settings)
    lines = []
    uses_top = False
    for meld in question.laid:
        cards = write_cards(meld.cards)
        has_special_card = meld.cards.of(special_kind) > 0
        if has_special_card:
            uses_top = True
        if has_special_card and is_discarded:
            lines.append(cards_text(cards))
        else:
            lines.append(_meld_text(cards, case))
    return _MeldsOfTurn(lines, use_top=uses_top)


def _is_top_discarded(top: Kind, settings: Settings) -> bool:
    """Whether a player who takes the discard pile with this special card on top discards it later.

    By some rules it is discarded at the end of the turn, by others it is laid on the table at once.
    """
    special_card = special_top(settings, top)
    return special_card is not None and special_card.used == "discarded"  # the other is "melded"


def _meld_text(text: str, case: Case) -> str:
    """A meld (set of cards) in words, with its kind and points: `3xQ` → "3 queens (meld, 30 points)".

    A text without any card stays as it was typed.
    """
    words = case.words
    reading = read_cards(text)
    meld = read_meld(reading.cards)
    is_wrong = not is_legal_meld(case.rules, reading)
    kind_and_points = meld_kind_in_words(meld, case.rules, words, is_wrong=is_wrong)
    names_of_cards = meld_in_words(meld, case.settings, words)
    if not names_of_cards:
        names_of_cards = text
    return t("referee.text.cards", said=kind_and_points, cards=names_of_cards)


def cards_text(text: str) -> str:
    """Cards by kind; as typed if there are none."""
    return cards_in_words(read_cards(text).cards.counts, page_words()) or text


def canasta_name(item: str, rules: Ruleset) -> str:
    """A kind of canasta, in words."""
    return item_word(rules.variant, item, page_words(rules))


def _card_in_words(text: str) -> str:
    """One card by its name, with its suit if that was given: `Qh` → "queen of hearts".

    A text that is not one card stays as it is.
    """
    cards = read_cards(text).cards
    if cards.size != 1:
        return text
    index_of_kind = cards.counts.index(1)
    name = plural(f"card.{KINDS[index_of_kind]}", 1)
    if not cards.suited:
        return name
    _, suit, _ = cards.suited[0]
    return t("referee.text.suited", card=name, suit=t(f"suit.{suit}"))


# ---------------------------------------------------------------- reasons and their rules


class ShownReason(NamedTuple):
    """A reason as a page shows it: its sentence, its sources, and its link into the rulebook."""

    reason: Reason
    text: str
    source: str
    link: RulebookLink | None = None

    @property
    def code(self) -> str:
        """The code of the reason, such as `pile-always-frozen`."""
        return self.reason.code


def reasons_shown(
    texts: Iterable[str], reasons: Iterable[Reason], rules: Ruleset
) -> Iterator[ShownReason]:
    """The reasons in their order, each with its text. If several have one rule, the first links to it.

    `texts` are the sentences of the reasons, in the same order.
    """
    linked: set[RulebookLink | None] = set()
    for text, reason in zip(texts, reasons, strict=True):
        link = _link_to_rule(reason, rules)
        shown_link = None if link in linked else link
        linked.add(link)
        yield ShownReason(reason, text, _sources_in_words(reason, rules), shown_link)


def _sources_in_words(reason: Reason, rules: Ruleset) -> str:
    """The sources that state a reason, as a text. If they do not state all of it, that is said too."""
    words = page_words(rules)
    texts = []
    if reason.sources:
        texts.append(citations_in_words(reason.sources, words))
    note = _note_on_unstated_rule(reason, rules, words)
    if note:
        texts.append(note)
    return ". ".join(texts)


def _note_on_unstated_rule(reason: Reason, rules: Ruleset, words: Words) -> str:
    """Why a rule behind a reason holds although no source states it: "agreed at the table".

    If there are several such rules, it is about the first. Empty if sources state all of them.
    """
    for rule in reason.cited_settings:
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
    """The link to the first rule behind a reason that the rulebook shows; None if there is none."""
    for rule in reason.rules:
        if rule in GROUND_STATEMENTS:
            return _link_to_statement(rule, variant, rules)
        if in_book(rule, variant, page_words(rules)):
            name = rule_name(rule, page_words(rules))
            return _rulebook_link(name, rules, anchor("rule", rule))
    return None


def _link_to_statement(statement_id: str, variant: Variant, rules: Ruleset) -> RulebookLink:
    """The link to a statement of the sources about a rule that holds in every game."""
    statements = {statement.id: statement for statement in statements_of(variant)}
    name = statement_name(statements[statement_id], page_words(rules))
    return _rulebook_link(name, rules, anchor("statement", statement_id))


def _link_to_penalty(reason: Reason, rules: Ruleset) -> RulebookLink | None:
    """The link to the penalty that a reason names; None if it names none.

    The penalty is among the figures of the reason: `{"penalty": "draw-out-of-turn"}`.
    """
    code = reason.arguments.get("penalty")
    message_key = f"penalty.{code}"
    words = page_words(rules)
    if code is None or not words.has(message_key):
        return None
    return _rulebook_link(words.t(message_key), rules, anchor("penalty", str(code)))


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
    if variant is None:
        return None
    ids_of_statements = [statement.id for statement in statements_of(variant)]
    if _RED_THREE not in ids_of_statements:
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
) -> list[OtherAnswer]:
    """The answers under other rules, in words, each with the details that the words do not tell.

    `kind` is the kind of the question, `ruling` the answer under the rules of the table.
    """
    others = []
    for alternative in alternatives:
        other_ruling = alternative.ruling
        word = _ruling_in_words(kind, other_ruling)
        details = _details_to_show(kind, ruling, other_ruling)
        others.append(OtherAnswer(alternative, word, details))
    return others


def _ruling_in_words(kind: str, ruling: Ruling) -> str:
    """The answer of a ruling in a word or two: "yes", "90 points"; `kind` is the kind of question."""
    return verdict_word(kind, ruling.verdict.value, ruling.details, page_words())


def _details_to_show(kind: str, ruling: Ruling, other: Ruling) -> dict[str, Detail]:
    """The details to show beside the answer under other rules: `{"points": 50}`.

    They are those of the ruling under the other rules that differ from those of this ruling. One
    that the other ruling lacks is None, and left out if there are no words for that. `kind` is the
    kind of the question.
    """
    names = _differing_details(ruling.details, other.details)
    do_answers_differ = _ruling_in_words(kind, other) != _ruling_in_words(kind, ruling)
    if do_answers_differ:  # the answer itself tells some of the differences
        names = [name for name in names if _adds_to_answer(name, kind, other)]
    details = {}
    for name in names:
        value = other.details.get(name)
        if value is not None or page_words().has(f"referee.detail.{name}.none"):
            details[name] = value
    return details


def _adds_to_answer(name: str, kind: str, ruling: Ruling) -> bool:
    """Whether a detail of a ruling is to be shown beside its answer in words.

    The detail `minimum` adds nothing to the answer "90 points". Beside a "yes" or "no" only figures
    are shown. `name` is the name of the detail, `kind` the kind of the question.
    """
    if ruling.verdict is Verdict.VALUE:
        details_in_answer = _DETAILS_IN_ANSWER.get(kind, ())
        return name not in details_in_answer
    return _is_figure(ruling.details.get(name))


def _differing_details(details: Mapping[str, Detail], others: Mapping[str, Detail]) -> list[str]:
    """The names of the details that are not the same, or that only one of both has."""
    missing = object()
    names = {**details, **others}
    return [name for name in names if details.get(name, missing) != others.get(name, missing)]


def _is_figure(detail: Detail) -> bool:
    """Whether a detail is a number other than zero; true and false are none."""
    return type(detail) is int and detail != 0


def rules_name(rules: Ruleset, preset: str | None, changed: Choices) -> str:
    """The name of other rules, which tells how they differ from those of the table.

    `preset` is the preset of the other rules, `changed` has their values of options that differ. The
    name lists the preset, unless it is that of the table, and these values.
    """
    other_preset = preset if preset != rules.preset else None
    return choices_words(other_preset, changed, page_words(rules))


def dependency_sentences(case: Case) -> list[str]:
    """Sentences about facts that matter under other rules, but not under those of the case.

    Such as "Under other rules the answer also depends on something not asked here (whether the pile
    is frozen): samba". Rules under which the same facts matter are named in one sentence.
    """
    facts_under_own_rules = find_open_facts_that_matter(case, case.rules)
    names_of_rules_by_facts: defaultdict[str, list[str]] = defaultdict(list)
    for other in _other_rules(case.rules):
        facts = find_open_facts_that_matter(case, other.rules)
        new_facts = [fact for fact in facts if fact not in facts_under_own_rules]
        if new_facts:
            name = rules_name(case.rules, other.preset, other.changed)
            names_of_rules_by_facts[_facts_in_words(new_facts, case)].append(name)

    sentences = []
    for facts_in_words, names_of_rules in names_of_rules_by_facts.items():
        rules = "; ".join(names_of_rules)
        sentences.append(t("referee.elsewhere.depends", rules=rules, facts=facts_in_words))
    return sentences


def _facts_in_words(fact_names: list[str], case: Case) -> str:
    """Some facts of a case by their labels, separated by commas."""
    words = page_words()
    return ", ".join(t(question_key(case.question.kind, name, words)) for name in fact_names)


class _OtherRules(NamedTuple):
    """Other rules of a variant, with the preset or the option in which they differ."""

    preset: str | None
    changed: Choices
    rules: Ruleset


def _other_rules(rules: Ruleset) -> Iterator[_OtherRules]:
    """The other rules of the variant: its presets, and each option by itself.

    There are none if a match has house rules that no longer exist.
    """
    try:
        variant = get_variant(rules.variant)
    except ChoiceError:
        return
    for preset in variant.presets:
        if preset != rules.preset:
            yield _OtherRules(preset, {}, settle(variant.id, preset))
    yield from _rules_with_one_option_changed(rules, variant)


def _rules_with_one_option_changed(rules: Ruleset, variant: Variant) -> Iterator[_OtherRules]:
    """The rules of a variant with another value of one option, for each such value.

    There are none if a match has a preset that the variant no longer has.
    """
    for option, value in other_values(variant, rules):
        changed = {option.id: value.value}
        try:
            rules_with_change = settle(variant.id, rules.preset, changed)
        except ChoiceError:
            return
        yield _OtherRules(None, changed, rules_with_change)

"""The facts of a case and its answer in words: cards and melds, reasons with their rules, other
rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.i18n.findings import list_cards_in_words
from scorepad.i18n.rule_sentences import name_heading_of_statement, name_rule
from scorepad.i18n.settings_in_words import name_score_item
from scorepad.i18n.verdicts import describe_verdict
from scorepad.matches.rulings import question_key
from scorepad.referee.elsewhere import list_other_values
from scorepad.referee.in_force import find_rule_for_special_top
from scorepad.referee.pile import TopCardUse, best_use, melds_after
from scorepad.referee.questions import AnyQuestion, PileQuestion
from scorepad.referee.ruling import (
    Alternative,
    Detail,
    Reason,
    Ruling,
    Verdict,
)
from scorepad.referee.situation import build_table_with_melds, is_legal_meld, kind_of, run_checks
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
from scorepad.web.citations import citations_in_words, explain_unstated_value
from scorepad.web.referee.cases import Case, ask_about_doubt
from scorepad.web.referee.decision import find_open_facts_that_matter
from scorepad.web.referee.facts import Fact, FactName, InputKind
from scorepad.web.referee.inputs import choice_label, name_what_is_counted
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


def explain_how_cards_were_read(fact: Fact, case: Case) -> list[str]:
    """Say how the text in an input field of cards was read, for the lines below the field.

    If a card can be read in two ways, the line asks which one is meant. There are no lines for an
    empty field, or for a text with an error, which the page explains elsewhere.
    """
    text = case.answer(fact.name)
    which_is_meant = ask_about_doubt(text)
    if which_is_meant:
        return [which_is_meant]
    if not text or case.errors_of(fact):
        return []
    return [*say_cards_of_fact(fact, case), *letter_warnings(text, page_words())]


def list_facts_in_words(case: Case) -> list[FactInWords]:
    """List what the referee was told, in words: "Top card: king", "Frozen: no" and so on.

    The facts (what the referee has to know) are in the order of the question. If the player lays
    melds (groups of cards) to take the discard pile, the melds after that come last.
    """
    facts = []
    for fact in case.facts:
        is_blank_a_number = fact.if_empty != ""
        was_told = case.is_answered(fact) or fact.needed or is_blank_a_number
        if not was_told:
            continue
        lines = _say_fact(fact, case)
        if lines:
            name = t(question_key(case.question.kind, fact.name, page_words()))
            facts.append(FactInWords(name, lines))

    melds_laid_to_take_pile = case.as_json().get("with")  # other questions have no such field
    if melds_laid_to_take_pile:
        melds_of_turn = _find_melds_of_turn(case)
        if melds_of_turn is not None:
            facts.append(melds_of_turn)
    return facts


def _say_fact(fact: Fact, case: Case) -> list[str]:
    """Say the answer to a fact in words: `["king of hearts"]`, or a line for each group of cards.

    There are no lines if nothing was answered.
    """
    match fact.input:
        case InputKind.SIDE:
            return _say_side(case)
        case InputKind.CHOICE:
            return _say_choice(fact, case)
        case InputKind.COUNTS:
            return _say_counts(fact, case)
        case InputKind.FIGURE:
            return [case.answer(fact.name) or fact.if_empty]
        case InputKind.SCORE:
            return [_say_score(case.parse_number_answered(fact))]
        case InputKind.MELDS if fact.name == FactName.LAID:
            return _say_laid_cards(fact, case)
        case _:
            return say_cards_of_fact(fact, case)


def _say_side(case: Case) -> list[str]:
    """Say which side the question is about, by its name; no line if no side was chosen."""
    if case.match is None or case.side is None:
        return []
    return [case.match.sides[case.side].name]


def _say_choice(fact: Fact, case: Case) -> list[str]:
    """Say the chosen answer to a fact, such as "Yes".

    There is no line for a choice that only decides which pages come next.
    """
    if fact.name in _DECIDES_ONLY_PAGES:
        return []
    return [choice_label(fact, case.answer_or_default(fact), case)]


def _say_counts(fact: Fact, case: Case) -> list[str]:
    """Say how many canastas (groups of seven cards or more) of each kind there are, one a line.

    `["Natural canastas: 2"]`. Kinds for which nothing was typed have no line.
    """
    lines = []
    for name in case.parameters_of(fact):
        count = case.answer(name)
        if count:
            lines.append(
                t("referee.text.count", what=name_what_is_counted(name, case), count=count)
            )
    return lines


def _say_score(points: int) -> str:
    """Say the score of a side: `1,500`. One below zero has no minus sign: `100 below zero`."""
    figure = page_words().figure(abs(points))
    if points < 0:
        return t("referee.text.below", figure=figure)
    return figure


def _say_laid_cards(fact: Fact, case: Case) -> list[str]:
    """Say the groups of cards that the player lays from the hand to take the pile, one a line.

    If there are none, the only line is "Nothing".
    """
    melds = split_into_melds(case.answer(fact.name), case.settings)
    if not melds:
        return [t("referee.laid.none")]
    return [say_cards(meld) for meld in melds]


def say_cards_of_fact(fact: Fact, case: Case) -> list[str]:
    """Say the cards with which a fact is answered, in words; no line if no cards are given.

    - melds (groups of cards laid on the table) → a line for each: `3 queens (meld, 30 points)`
    - cards that were turned up one after the other → `king, 4, joker`, in their order
    - one card → `queen of hearts`
    - a whole hand → `11 cards: 3 queens, …`
    - the cards of one meld → its cards, with its kind and points
    """
    if fact.input is InputKind.MELDS:
        return _say_melds(fact, case)
    cards = cards_in_notation(case.answer(fact.name))
    if not cards:
        return []
    if fact.input is InputKind.TURNED:
        return [", ".join(say_cards(card) for card in cards.split())]
    if fact.input is InputKind.CARD:
        return [_say_card(cards)]
    if fact.name == FactName.HAND:
        count = read_cards(cards).cards.size
        return [t("referee.text.hand", count=count, cards=say_cards(cards))]
    return [_say_meld(cards, case)]


def _say_melds(fact: Fact, case: Case) -> list[str]:
    """Say the melds (groups of cards) with which a fact is answered, each in a line.

    Melds laid to take the discard pile are in one line, which says whether they use its top card.
    """
    if fact.name == FactName.LAID:
        return _say_melds_of_turn_in_one_line(case)
    melds = split_into_melds(case.answer(fact.name), case.settings)
    return _say_numbered_melds(melds, case)


def _say_melds_of_turn_in_one_line(case: Case) -> list[str]:
    """Say the melds on the table after a player took the discard pile, in one line.

    `["With the top card: 3 kings (meld, 30 points)"]`. There is no line if there are no melds.
    """
    melds_of_turn = _find_melds_of_turn(case)
    if melds_of_turn is None:
        return []
    melds_text = "; ".join(melds_of_turn.lines)
    # The message is "%(what)s: %(count)s", and serves for melds as well as for numbers.
    return [t("referee.text.count", what=melds_of_turn.name, count=melds_text)]


def _say_numbered_melds(melds: list[str], case: Case) -> list[str]:
    """Say each meld (group of cards) in a line, with its number if there are several."""
    lines = []
    for number, meld in enumerate(melds, 1):
        line = _say_meld(meld, case)
        if len(melds) > 1:
            line = t("referee.text.meld", number=number, said=line)
        lines.append(line)
    return lines


def _find_melds_of_turn(case: Case) -> FactInWords | None:
    """Find the melds (groups of cards) on the table after a player took the discard pile.

    They are in words, under "With the top card" or "Without the top card". None if the player lays
    no melds, if they are not known, or if the question is another one.
    """
    question = _read_question(case)
    if not isinstance(question, PileQuestion) or question.top.unknown:
        return None
    gives_whole_hand = question.hand is not None  # then the referee finds the melds
    if gives_whole_hand:
        return None

    is_natural_card = kind_of(question.top).is_natural  # not a joker, a two or a three
    if is_natural_card:
        melds_of_turn = _say_melds_with_natural_top(case, question)
    else:
        melds_of_turn = _say_melds_with_special_top(case, question)
    return melds_of_turn if melds_of_turn.lines else None


def _read_question(case: Case) -> AnyQuestion | None:
    """Read the question of a case as the referee gets it; None if one of the answers is wrong."""
    try:
        return read_question_of_match(case.as_json(), case.rules).question
    except Unusable:  # its message stands beside the wrong answer
        return None


def _name_melds_of_turn(*, use_top: bool) -> str:
    """Name the melds of a turn by whether the top card of the discard pile is in one of them."""
    return t("referee.with-top" if use_top else "referee.without-top")


def _say_melds_with_natural_top(case: Case, question: PileQuestion) -> FactInWords:
    """Say the melds (groups of cards) of a player who takes the pile with an ordinary card on top.

    - two kings laid, and a king on top → `3 kings (meld, 30 points)`, as the top card joins them
    - two queens laid, and a king on top → the queens alone, as the top card fits nowhere
    """
    best_place_of_top = _find_use_of_natural_top(case.rules, question)
    melds = question.laid
    if best_place_of_top is not None:
        melds = melds_after(question, best_place_of_top)
    lines = [_say_meld(write_cards(meld.cards), case) for meld in melds]
    return FactInWords(_name_melds_of_turn(use_top=best_place_of_top is not None), lines)


def _find_use_of_natural_top(rules: Ruleset, question: PileQuestion) -> TopCardUse | None:
    """Find the best way to use the top card of the discard pile in one of the player's melds.

    None if it fits no meld (group of cards), or if more cards of a kind were entered than the decks
    have: then no way is worth showing.
    """
    table = build_table_with_melds(rules, *question.table, *question.laid)
    too_many_cards = run_checks(table, {"deck-exceeded"})
    if too_many_cards:
        return None
    return best_use(rules, question)


def _say_melds_with_special_top(case: Case, question: PileQuestion) -> FactInWords:
    """Say the melds (groups of cards) of a player who takes the pile with a joker, two or three on top.

    In some games such a card is only discarded at the end of the turn. The cards laid with it are
    then no meld, and have neither a kind nor points.
    """
    kind_of_top = kind_of(question.top)
    is_top_no_meld = _is_top_discarded(kind_of_top, case.settings)
    lines = []
    use_top = False
    for meld in question.laid:
        cards = write_cards(meld.cards)
        has_top = meld.cards.of(kind_of_top) > 0
        if has_top:
            use_top = True
        if has_top and is_top_no_meld:
            lines.append(say_cards(cards))
        else:
            lines.append(_say_meld(cards, case))
    return FactInWords(_name_melds_of_turn(use_top=use_top), lines)


def _is_top_discarded(top: Kind, settings: Settings) -> bool:
    """Tell whether a player who takes the pile with this special card on top discards it later.

    Some rules say so. By others the card is laid on the table at once, or the pile with a joker on
    top, for example, cannot be taken → False.
    """
    rule_of_top_card = find_rule_for_special_top(settings, top)
    if rule_of_top_card is None:
        return False
    return rule_of_top_card.used == "discarded"  # the other is "melded"


def _say_meld(typed_cards: str, case: Case) -> str:
    """Say a meld (group of cards) in words: `3xQ` → `3 queens (meld, 30 points)`.

    A text without any card stays as it was typed.
    """
    reading = read_cards(typed_cards)
    meld = read_meld(reading.cards)
    is_wrong = not is_legal_meld(case.rules, reading)
    kind_and_points = meld_kind_in_words(meld, case.rules, case.words, is_wrong=is_wrong)
    names_of_cards = meld_in_words(meld, case.settings, case.words)
    if not names_of_cards:
        names_of_cards = typed_cards
    return t("referee.text.cards", said=kind_and_points, cards=names_of_cards)


def say_cards(text: str) -> str:
    """Say cards by kind: `3xQ JK` → `3 queens and a joker`; a text without cards stays as typed."""
    cards_in_words = list_cards_in_words(read_cards(text).cards.counts, page_words())
    if not cards_in_words:
        return text
    return cards_in_words


def canasta_name(item: str, rules: Ruleset) -> str:
    """Return the name of a kind of canasta (a group of seven cards or more) under these rules.

    `natural-canasta` → `Natural canastas`; a variant of the game may have another word for it.
    """
    return name_score_item(rules.variant, item, page_words(rules))


def _say_card(text: str) -> str:
    """Say one card by its name, with its suit if that was given: `Qh` → `queen of hearts`.

    A text that is not exactly one card stays as it is.
    """
    cards = read_cards(text).cards
    if cards.size != 1:
        return text
    index_of_kind = cards.counts.index(1)  # the only kind of which there is a card
    name = plural(f"card.{KINDS[index_of_kind]}", 1)
    if not cards.suited:
        return name
    suit = cards.suited[0].suit
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


def prepare_reasons(
    texts: Iterable[str], reasons: Iterable[Reason], rules: Ruleset
) -> Iterator[ShownReason]:
    """Prepare the reasons of a ruling for the page: each with its text, sources and link.

    `texts` are the sentences of the reasons, in the same order. A link leads to the rule in the
    rulebook; if several reasons have the same link, only the first one shows it.
    """
    links_shown: set[RulebookLink | None] = set()
    for text, reason in zip(texts, reasons, strict=True):
        sources = _name_sources(reason, rules)
        link = _link_to_rule(reason, rules)
        link_to_show = None if link in links_shown else link
        links_shown.add(link)
        yield ShownReason(reason, text, sources, link_to_show)


def _name_sources(reason: Reason, rules: Ruleset) -> str:
    """Name the sources (rule books) that state a reason, in one text.

    If they do not state all of it, that is said too.
    """
    words = page_words(rules)
    texts = []
    if reason.sources:
        texts.append(citations_in_words(reason.sources, words))
    note = _explain_unstated_rule(reason, rules, words)
    if note:
        texts.append(note)
    return ". ".join(texts)


def _explain_unstated_rule(reason: Reason, rules: Ruleset, words: Words) -> str:
    """Say why a rule behind a reason holds although no source (rule book) states it.

    For a rule that the players chose it is "agreed at the table". If there are several such rules,
    the text is about the first one; it is empty if sources state all of them.
    """
    for setting in reason.cited_settings:
        cited = rules.find_citations(setting)
        if cited.standing is not Standing.STATED:
            return explain_unstated_value(cited, words)
    return ""


def _link_to_rule(reason: Reason, rules: Ruleset) -> RulebookLink | None:
    """Link a reason of the referee to the entry of the rulebook that explains it best.

    That is the first of its rules that the rulebook shows; without one, the penalty that it names;
    without one, the check of the score form that has the same code. None if there is no entry.
    """
    variant = _find_current_variant(rules)
    if variant is None:  # the page of these rules no longer exists
        return None
    link = _link_to_first_rule(reason, variant, rules)
    if link is None:
        link = _link_to_penalty(reason, rules)
    if link is None:
        link = _link_to_check(reason, variant, rules)
    return link


def _link_to_first_rule(reason: Reason, variant: Variant, rules: Ruleset) -> RulebookLink | None:
    """Link to the first rule behind a reason that the rulebook shows; None if it shows none."""
    for rule in reason.rules:
        if rule in GROUND_STATEMENTS:
            return _link_to_statement(rule, variant, rules)
        if in_book(rule, variant, page_words(rules)):
            name = name_rule(rule, page_words(rules))
            return _rulebook_link(name, rules, anchor("rule", rule))
    return None


def _link_to_statement(statement_id: str, variant: Variant, rules: Ruleset) -> RulebookLink:
    """Link to a statement in the rulebook: a sentence of a rule book that holds in every game."""
    statements_by_id = {statement.id: statement for statement in statements_of(variant)}
    name = name_heading_of_statement(statements_by_id[statement_id], page_words(rules))
    return _rulebook_link(name, rules, anchor("statement", statement_id))


def _link_to_penalty(reason: Reason, rules: Ruleset) -> RulebookLink | None:
    """Link to the penalty that a reason names: `{"penalty": "draw-out-of-turn"}` in its arguments.

    None if it names none, or one that has no name in the messages.
    """
    code = reason.arguments.get("penalty")
    message_key = f"penalty.{code}"
    words = page_words(rules)
    if code is None or not words.has(message_key):
        return None
    return _rulebook_link(words.t(message_key), rules, anchor("penalty", str(code)))


def _link_to_check(reason: Reason, variant: Variant, rules: Ruleset) -> RulebookLink | None:
    """Link to a check of the score form that is explained in the rulebook; None if there is none.

    Some reasons of the referee, such as `deck-exceeded`, have the code of the check that reports
    the same thing when a hand is entered on the score form.
    """
    if reason.code not in variant.checks:
        return None
    name = t(f"rulebook.problem.{reason.code}")
    return _rulebook_link(name, rules, anchor("check", reason.code))


def _rulebook_link(name: str, rules: Ruleset, anchor_name: str) -> RulebookLink:
    """Make a link with this name to a place on the page of these rules."""
    return RulebookLink(name, url_with_anchor(rules_url(rules), anchor_name))


def link_to_red_three_in_pile(rules: Ruleset) -> RulebookLink | None:
    """Link to what the rulebook says about a red three (a bonus card) in a taken discard pile.

    None if the rulebook says nothing about it for these rules.
    """
    variant = _find_current_variant(rules)
    if variant is None:
        return None
    ids_of_statements = [statement.id for statement in statements_of(variant)]
    if _RED_THREE not in ids_of_statements:
        return None
    return _rulebook_link(t("referee.pile.red-three"), rules, anchor("statement", _RED_THREE))


def _find_current_variant(rules: Ruleset) -> Variant | None:
    """Find the variant that has these rules, to link to its page in the rulebook.

    None if a match has rules that are no longer available, such as deleted house rules.
    """
    try:
        return variant_with_choices(rules.variant, rules.preset, rules.options)
    except ChoiceError:
        return None


def mistake_name(code: str, words: Words) -> str:
    """Return the name of a mistake in play by its code.

    The referee's pages have a name of their own for some mistakes; otherwise it is the name of the
    penalty.
    """
    return words.t(words.find_known_key(f"referee.fault.{code}", f"penalty.{code}"))


# ---------------------------------------------------------------- other rules

_DETAILS_SAID_BY_FIGURE = {
    "discard": ("effect",),
    "end-of-stock": ("hand_ends", "must_take"),
    "opening": ("minimum",),
    "penalty": ("points", "held"),
    "red-threes": ("points",),
    "upcard": ("frozen", "redeal"),
}
"""Details that an answer such as "90 points" says already, by kind of question."""


class OtherAnswer(NamedTuple):
    """The answer under other rules, in words, and the details in which it differs."""

    alternative: Alternative
    word: str
    details: dict[str, Detail]


def prepare_other_answers(
    kind: str, ruling: Ruling, alternatives: Iterable[Alternative]
) -> list[OtherAnswer]:
    """Prepare the answers under other rules for the page, each in words and with further details.

    `kind` is the kind of question, `ruling` the answer under the rules of the table. The details
    are those that the words do not tell already.
    """
    others = []
    for alternative in alternatives:
        other_ruling = alternative.ruling
        word = _say_ruling(kind, other_ruling)
        details = _choose_details_to_show(kind, ruling, other_ruling)
        others.append(OtherAnswer(alternative, word, details))
    return others


def _say_ruling(kind: str, ruling: Ruling) -> str:
    """Say the answer of a ruling in a word or two: `yes`, `90 points`."""
    return describe_verdict(kind, ruling.verdict.value, ruling.details, page_words())


def _choose_details_to_show(kind: str, ruling: Ruling, other: Ruling) -> dict[str, Detail]:
    """Choose the details to show beside the answer under other rules: `{"points": 50}`.

    `ruling` is the answer under the rules of the table, and `other` the one under other rules.
    Shown are the details that differ, unless the answer in words says them already. A detail that
    is missing under the other rules is shown as None, if the page has words for that.
    """
    differs_in_words = _say_ruling(kind, other) != _say_ruling(kind, ruling)
    details = {}
    for name in _list_differing_details(ruling.details, other.details):
        # "60 points" in place of "50 points" tells the difference already.
        if differs_in_words and not _says_more_than_answer(name, kind, other):
            continue
        value = other.details.get(name)
        has_words_for_missing = page_words().has(f"referee.detail.{name}.none")
        if value is not None or has_words_for_missing:
            details[name] = value
    return details


def _says_more_than_answer(detail: str, kind_of_question: str, ruling: Ruling) -> bool:
    """Tell whether a detail of a ruling says more than the answer in words beside it.

    - beside a figure, such as "90 points" → True, unless it is that figure
    - beside "yes" or "no" → True if it is a number
    """
    is_answer_figure = ruling.verdict is Verdict.VALUE
    if is_answer_figure:
        return detail not in _DETAILS_SAID_BY_FIGURE.get(kind_of_question, ())
    return _is_figure(ruling.details.get(detail))


def _list_differing_details(
    details: Mapping[str, Detail], others: Mapping[str, Detail]
) -> list[str]:
    """List the names of the details that differ between two rulings, or that only one has.

    `{"points": 50}` and `{"points": 60, "missing": 10}` → `["points", "missing"]`
    """
    differing: list[str] = []
    for name in {**details, **others}:  # in this order, each once
        is_in_both = name in details and name in others
        if not is_in_both or details[name] != others[name]:
            differing.append(name)
    return differing


def _is_figure(detail: Detail) -> bool:
    """Tell whether a detail of a ruling is a number other than zero.

    True and False are no numbers here, although `bool` is a kind of `int`.
    """
    return type(detail) is int and detail != 0


def say_details(details: Mapping[str, Detail], rules: Ruleset) -> str:
    """Say the details of an answer, for the brackets behind it: "no minimum, on top: queen".

    Empty without details. `rules` are those of the table, which may have names of their own for
    what is counted.
    """
    texts = [_say_detail(name, value, rules) for name, value in details.items()]
    return ", ".join(texts)


def _say_detail(name: str, value: Detail, rules: Ruleset) -> str:
    """Say one detail of an answer.

    - `minimum`, 90 → "minimum: 90"
    - `minimum`, None → "no minimum"
    - `top`, `Q` → "on top: queen"
    - `remedy` → what has to be done, in a sentence
    """
    words = page_words(rules)
    key = f"referee.detail.{name}"
    if value is None:
        return words.t(f"{key}.none")
    if isinstance(value, bool):
        return words.t(f"{key}.yes" if value else f"{key}.no")
    if isinstance(value, int):
        return words.t(key, points=value)
    if name == "canasta":
        return canasta_name(value, rules)
    if name == "top":
        return words.t(key, card=say_cards(value))
    if name == "remedy":
        return words.t(f"remedy.{value}")
    return words.t(f"{key}.{value}")


def name_other_rules(rules: Ruleset, preset: str | None, changed: Choices) -> str:
    """Name other rules by what differs from `rules`, those of the table.

    The name lists the preset (a set of options) of the other rules, if it is another one, and the
    values of the options that differ: `{"target": 3000}`.
    """
    is_same_preset = preset == rules.preset
    preset_to_name = None if is_same_preset else preset
    return choices_words(preset_to_name, changed, page_words(rules))


def say_what_matters_under_other_rules(case: Case) -> list[str]:
    """Say which facts, not asked for here, would change the answer under other rules.

    A fact is something the referee has to know: "Under other rules the answer also depends on
    something not asked here (frozen pile): samba." Rules under which the same facts matter share a
    sentence.
    """
    facts_that_matter_here = find_open_facts_that_matter(case, case.rules)
    names_of_rules_by_facts: defaultdict[str, list[str]] = defaultdict(list)
    for other in _list_other_rules(case.rules):
        facts = find_open_facts_that_matter(case, other.rules)
        only_there = [fact for fact in facts if fact not in facts_that_matter_here]
        if only_there:
            facts_in_words = _name_facts(only_there, case)
            names_of_rules_by_facts[facts_in_words].append(other.name)

    sentences = []
    for facts_in_words, names_of_rules in names_of_rules_by_facts.items():
        rules = "; ".join(names_of_rules)
        sentences.append(t("referee.elsewhere.depends", rules=rules, facts=facts_in_words))
    return sentences


def _name_facts(fact_names: list[str], case: Case) -> str:
    """Name some facts of a case by the labels of their input fields, separated by commas."""
    words = page_words()
    return ", ".join(t(question_key(case.question.kind, name, words)) for name in fact_names)


class _OtherRules(NamedTuple):
    """Other rules of a game, and their name: what differs from the rules of the table."""

    name: str
    rules: Ruleset


def _list_other_rules(rules: Ruleset) -> Iterator[_OtherRules]:
    """List the other rules of the variant: its other presets, and each option changed by itself.

    There are none if a match has house rules that no longer exist.
    """
    try:
        variant = get_variant(rules.variant)
    except ChoiceError:
        return
    for preset in variant.presets:
        if preset != rules.preset:
            name = name_other_rules(rules, preset, changed={})
            yield _OtherRules(name, settle(variant.id, preset))
    yield from _list_rules_with_one_option_changed(rules, variant)


def _list_rules_with_one_option_changed(rules: Ruleset, variant: Variant) -> Iterator[_OtherRules]:
    """List the rules that a variant (game) has if one option gets another value, for each value.

    There are none if a match has a preset (set of options) that the variant no longer has.
    """
    for option, value in list_other_values(variant, rules):
        changed = {option.id: value.value}
        try:
            rules_with_change = settle(variant.id, rules.preset, changed)
        except ChoiceError:  # there is no such preset, whatever the option
            return
        yield _OtherRules(name_other_rules(rules, rules.preset, changed), rules_with_change)

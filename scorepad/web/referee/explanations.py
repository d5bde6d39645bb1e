"""The facts of a case and its answer in words: cards and melds, reasons with their rules, other
rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words, verdict_word
from scorepad.i18n.settings import item_word, rule_name
from scorepad.matches.rulings import question_key
from scorepad.referee.elsewhere import other_values
from scorepad.referee.in_force import special_top
from scorepad.referee.pile import against_use, melds_after, uses_of_top_card
from scorepad.referee.questions import PileQuestion
from scorepad.referee.ruling import (
    Alternative,
    Detail,
    Reason,
    Ruling,
    Verdict,
)
from scorepad.referee.situation import (
    MELD_CHECKS,
    kind_of,
    table_with,
    violations,
)
from scorepad.rules.cards import KINDS, RED_THREE, Kind, in_decks, read_cards, write_cards
from scorepad.rules.checks import CHECKS
from scorepad.rules.definitions import Standing
from scorepad.rules.table import read_meld
from scorepad.rules.variants import (
    Choices,
    Ruleset,
    Variant,
    as_played,
    get_variant,
    settle,
    statements_of,
)
from scorepad.schemas import Unusable
from scorepad.schemas.rulings import read_question_of_match
from scorepad.web.base import page_words, plural, t
from scorepad.web.card_lines import (
    CARD_KEYS,
    cards_of,
    meld_in_words,
    meld_note,
    melds_of,
    notes_on,
)
from scorepad.web.presenters import (
    Place,
    anchor,
    basis_words,
    choices_words,
    place_url,
    places,
    rules_url,
    score_ranges,
)
from scorepad.web.referee.cases import Case, Fact, InputKind, ambiguity
from scorepad.web.referee.decision import open_facts
from scorepad.web.rule_choices import in_book

Told = tuple[str, list[str]]
"""A fact of a case in words: its name, and its lines."""
_ONLY_LEADS_ON = (
    "way",
    "place",
    "uses_top",
)  # choices that are no facts: the next cards state them
_RED_THREE = "red-three-in-the-pile"


# ---------------------------------------------------------------- what is asked


def label_of(fact: Fact, case: Case) -> str:
    """The label of a fact, which may depend on the question and on whether players have a partner."""
    settings, words = case.settings, page_words()
    single = settings.partnership == "single-taker"
    manner = "either" if single else "alone" if max(settings.sides) == 1 else "pair"
    key = question_key(case.question.kind, fact.name, words)
    own = f"referee.{case.question.name}.{fact.name}.ask"
    return t(words.first(own, f"{key}.ask.{manner}", f"{key}.ask", key))


def choices_of(fact: Fact, case: Case) -> list[tuple[str, str]]:
    """The answers that can be tapped, value and label: of a figure the usual ones, of a score the
    opening's steps.
    """
    settings = case.settings
    match fact.input:
        case InputKind.SIDE:
            return (
                [(str(position), side.name) for position, side in enumerate(case.match.sides)]
                if case.match
                else []
            )
        case InputKind.CHOICE:
            return [
                (value, t(choice_key(fact, value, case.question.kind, page_words())))
                for value in fact.values
            ]
        case InputKind.SCORE:
            ranges = [
                (str(least), label)
                for least, label in score_ranges(settings.opening_steps, page_words())
            ]
            return [("-5", t("rulebook.opening.below")), *ranges]
        case InputKind.FIGURE:
            is_deal = fact.name == "deal"
            most = (settings.match_deals or 0) if is_deal else in_decks(settings.decks)[RED_THREE]
            return [(str(number), str(number)) for number in range(int(is_deal), most + 1)]
    return []


def choice_key(fact: Fact, value: str, kind: str, words: Words) -> str:
    """The message key of a choice."""
    key = f"{question_key(kind, fact.name, words)}.{value}"
    return words.first(f"referee.{kind}.{fact.name}.{value}", key, f"referee.choice.{value}")


def keys_of(fact: Fact, case: Case) -> tuple[Kind, ...]:
    """A key for every card; for melds without cards that are never melded."""
    if fact.input in (InputKind.CARD, InputKind.TURNED) or fact.name == "hand":
        return CARD_KEYS
    return CARD_KEYS[:-2] if case.settings.black_threes == "never" else CARD_KEYS[:-1]


def item_of(name: str, case: Case) -> str:
    """What a parameter counts: `canastas-mixed-canasta`."""
    return item_word(case.rules.variant, name.partition("-")[2], page_words())


def echo_of(fact: Fact, case: Case) -> list[str]:
    """How typed cards were read, or both readings of an ambiguous card; nothing while unreadable."""
    text = case.answer(fact.name)
    ambiguous = ambiguity(text)
    if ambiguous or not text or case.errors(fact):
        return [ambiguous] if ambiguous else []
    return [*_lines_of_cards(fact, case), *notes_on(text, page_words())]


# ---------------------------------------------------------------- the facts


def facts_of(case: Case) -> Iterator[Told]:
    """All answers in the order of the question."""
    for fact in case.facts:
        if case.is_answered(fact) or fact.needed or fact.blank:
            lines = list(_lines(fact, case))
            if lines:
                yield t(question_key(case.question.kind, fact.name, page_words())), lines
    if case.as_json().get("with"):
        yield from _lying(case)


def _lines(fact: Fact, case: Case) -> Iterator[str]:
    """The answer to a fact, in lines."""
    text = case.answer(fact.name)
    match fact.input:
        case InputKind.SIDE:
            yield from (
                [case.match.sides[case.side].name] if case.match and case.side is not None else []
            )
        case InputKind.CHOICE:
            if fact.name not in _ONLY_LEADS_ON:
                yield t(choice_key(fact, case.value(fact), case.question.kind, page_words()))
        case InputKind.COUNTS:
            for name in filter(case.answer, case.names(fact)):
                yield t("referee.text.count", what=item_of(name, case), count=case.answer(name))
        case InputKind.FIGURE:
            yield text or fact.blank
        case InputKind.SCORE:
            points = case.figure(fact)
            figure = page_words().figure(abs(points))
            yield t("referee.text.below", figure=figure) if points < 0 else figure
        case InputKind.MELDS if fact.name == "laid":
            melds = melds_of(text, case.settings)
            yield from map(cards_text, melds) if melds else [t("referee.laid.none")]
        case _:
            yield from _lines_of_cards(fact, case)


def _lines_of_cards(fact: Fact, case: Case) -> Iterator[str]:
    """Cards as read, in words; melds one by one, with kind and points."""
    text = cards_of(case.answer(fact.name))
    if fact.name == "laid":
        for name, lines in _lying(case):
            yield t("referee.text.count", what=name, count="; ".join(lines))
    elif fact.input is InputKind.MELDS:
        melds = melds_of(case.answer(fact.name), case.settings)
        for number, meld in enumerate(melds, 1):
            line = _meld(meld, case)
            yield t("referee.text.meld", number=number, said=line) if len(melds) > 1 else line
    elif fact.input is InputKind.TURNED and text:
        yield ", ".join(map(cards_text, text.split()))
    elif fact.name == "hand" and text:
        yield t("referee.text.hand", count=read_cards(text).cards.size, cards=cards_text(text))
    elif text:
        yield _meld(text, case) if fact.input is InputKind.CARDS else _card(text)


def _lying(case: Case) -> Iterator[Told]:
    """The melds of the turn after the pile was taken; empty if there are none, or another answer is
    wrong.
    """
    rules = case.rules
    try:
        asked = read_question_of_match(case.as_json(), rules).asked
    except Unusable:
        return
    if not isinstance(asked, PileQuestion) or asked.hand or asked.top.unknown:
        return
    kind, melds = kind_of(asked.top), asked.laid
    is_used = not kind.is_natural and any(meld.cards.of(kind) for meld in melds)
    table = table_with(rules, *asked.table, *melds)
    if kind.is_natural and not violations(table, {"deck-exceeded"}):
        use = min(
            uses_of_top_card(rules, asked),
            key=lambda each: len(against_use(rules, asked, each)),
            default=None,
        )
        is_used, melds = use is not None, melds if use is None else melds_after(asked, use)
    way = special_top(rules.settings, kind)
    lines = []
    for meld in melds:
        text = write_cards(meld.cards)
        # Special cards discarded with the top card at the end of the turn are no meld.
        is_left = way is not None and way.used == "discarded" and meld.cards.of(kind) > 0
        lines.append(cards_text(text) if is_left else _meld(text, case))
    if lines:
        yield t("referee.with-top" if is_used else "referee.without-top"), lines


def _meld(text: str, case: Case) -> str:
    """A meld as it was read: `Combinazione, 30 punti: 3 donne`."""
    rules, reading, words = case.rules, read_cards(text), page_words()
    meld = read_meld(reading.cards)
    table = table_with(rules, reading)
    is_wrong = any(
        True for each in rules.checks if each.id in MELD_CHECKS for _ in CHECKS[each.id](table)
    )
    cards = meld_in_words(meld, rules.settings, words) or text
    return t(
        "referee.text.cards", said=meld_note(meld, rules, words, is_wrong=is_wrong), cards=cards
    )


def cards_text(text: str) -> str:
    """Cards by kind; as typed if there are none."""
    return cards_in_words(read_cards(text).cards.counts, page_words()) or text


def _card(text: str) -> str:
    """One card by its name, with its suit."""
    cards = read_cards(text).cards
    if cards.size != 1:
        return text
    name = plural(f"card.{KINDS[cards.counts.index(1)]}", 1)
    suits = [t(f"suit.{suit}") for _, suit, _ in cards.suited]
    return t("referee.text.suited", card=name, suit=suits[0]) if suits else name


# ---------------------------------------------------------------- reasons and their rules


class Why(NamedTuple):
    """A reason: its code, its sentence, its sources and their basis, and its place in the rulebook."""

    code: str
    text: str
    source: str
    place: Place | None = None


def reasons_shown(texts: Iterable[str], reasons: Iterable[Reason], rules: Ruleset) -> Iterator[Why]:
    """The reasons in order. If several have the same rule, only the first links to it."""
    linked, words = set[Place | None](), page_words()
    for text, reason in zip(texts, reasons, strict=True):
        cited = map(rules.cited_at, reason.grounds)
        weak = next((each for each in cited if each.standing is not Standing.STATED), None)
        source = [
            places(reason.sources, words),
            basis_words(replace(weak, citations=()), words) if weak else "",
        ]
        place = _place_of(reason, rules)
        yield Why(
            reason.code, text, ". ".join(filter(None, source)), None if place in linked else place
        )
        linked.add(place)


def _place_of(reason: Reason, rules: Ruleset) -> Place | None:
    """The place of a reason in the rulebook: its first setting there, else its irregularity or its
    check.
    """
    played, words = _played(rules), page_words()
    if played is None:
        return None
    mistake = reason.figures.get("penalty")
    found = [
        (rule_name(name, words), anchor("rule", name))
        for name in reason.settings
        if in_book(name, played, words)
    ]
    if isinstance(mistake, str) and words.has(f"penalty.{mistake}"):
        found.append((t(f"penalty.{mistake}"), anchor("penalty", mistake)))
    if reason.code in played.checks:
        found.append((t(f"rulebook.problem.{reason.code}"), anchor("check", reason.code)))
    return Place(found[0][0], place_url(rules_url(rules), found[0][1])) if found else None


def red_three_in_the_pile(rules: Ruleset) -> Place | None:
    """The place in the rulebook about a red three in a taken pile; None if there is none."""
    played = _played(rules)
    if played is None or all(each.id != _RED_THREE for each in statements_of(played)):
        return None
    url = place_url(rules_url(rules), anchor("statement", _RED_THREE))
    return Place(t("referee.pile.red-three"), url)


def _played(rules: Ruleset) -> Variant | None:
    """The variant with the rules of the table; None if a match has rules that are no longer
    available.
    """
    try:
        return as_played(rules.variant, rules.preset, rules.options)
    except ChoiceError:
        return None


def mistake_name(code: str, words: Words) -> str:
    """The name of an irregularity; the referee's own if there is one."""
    return words.text(words.first(f"referee.fault.{code}", f"penalty.{code}"))


# ---------------------------------------------------------------- other rules

_IN_THE_WORD = {
    "discard": ("effect",),
    "end-of-stock": ("hand_ends", "must_take"),
    "opening": ("minimum",),
    "penalty": ("points", "held"),
    "red-threes": ("points",),
    "upcard": ("frozen", "redeal"),
}
"""Details already given by the word of the value, by kind of question."""


def others_shown(
    kind: str, here: Ruling, alternatives: Iterable[Alternative]
) -> Iterator[tuple[Alternative, str, dict[str, Detail]]]:
    """The other rules with another answer than `here`: the answer in a word, and further
    differences.
    """
    words, own, missing = page_words(), here.details, object()
    own_word = verdict_word(kind, here.verdict.value, own, words)
    for other in alternatives:
        there, word = (
            other.ruling.details,
            verdict_word(kind, other.ruling.verdict.value, other.ruling.details, words),
        )
        names = [
            name for name in {**own, **there} if there.get(name, missing) != own.get(name, missing)
        ]
        if word != own_word and other.ruling.verdict is Verdict.VALUE:
            names = [name for name in names if name not in _IN_THE_WORD.get(kind, ())]
        elif word != own_word:  # for yes and no only the figures
            names = [name for name in names if there.get(name) and type(there[name]) is int]
        yield other, word, {name: there.get(name) for name in names}


def rules_name(rules: Ruleset, preset: str | None, changed: Choices) -> str:
    """Other rules by their differences: a preset, or options."""
    return choices_words(None if preset == rules.preset else preset, changed, page_words())


def dependencies(case: Case) -> Iterator[str]:
    """The facts on which the answer under other rules depends, and that were not asked under these."""
    found, here = dict[tuple[str, ...], list[str]](), open_facts(case, case.rules)
    for preset, changed, rules in _other_rules(case.rules):
        more = [fact for fact in open_facts(case, rules) if fact not in here]
        if more:
            facts = tuple(t(question_key(case.question.kind, fact, page_words())) for fact in more)
            found.setdefault(facts, []).append(rules_name(case.rules, preset, changed))
    for facts, names in found.items():
        yield t("referee.elsewhere.depends", rules="; ".join(names), facts=", ".join(facts))


def _other_rules(rules: Ruleset) -> Iterator[tuple[str | None, Mapping[str, Any], Ruleset]]:
    """The other rules of the variant, with what differs: its presets, and each option by itself."""
    try:
        variant = get_variant(rules.variant)
        for preset in variant.presets:
            if preset != rules.preset:
                yield preset, {}, settle(variant.id, preset)
        for option, value in other_values(variant, rules):
            changed = {option.id: value.value}
            yield None, changed, settle(variant.id, rules.preset, changed)
    except ChoiceError:
        return  # a match has rules that can no longer be chosen

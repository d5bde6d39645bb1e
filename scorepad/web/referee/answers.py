"""The facts of a case and its answer in words: cards and melds, reasons with their rules, mistakes, other rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words, verdict_word
from scorepad.i18n.settings import item_word, rule_name, value_word
from scorepad.matches.rulings import question_key
from scorepad.referee.case import MELD_CHECKS, SettingsMemo, lay_case, other_values
from scorepad.referee.questions import Alternative, Detail, PileQuestion, Play, Reason, Ruling, Verdict
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind, Suit, in_decks, read_cards, write_cards
from scorepad.rules.checks import CHECKS
from scorepad.rules.definitions import Standing
from scorepad.rules.settings import BlackThrees, Partnership, Sequences
from scorepad.rules.table import read_meld
from scorepad.rules.variants import Choices, Ruleset, Variant, as_played, get_variant, settle, statements_of
from scorepad.schemas import Unusable
from scorepad.schemas.rulings import read_question_of_match
from scorepad.web.base import FieldError, t
from scorepad.web.cards import NO_SIGN, NO_SUIT, SIGNS, Choice, SuitKey, card_buttons, meld_in_words, meld_note
from scorepad.web.presenters import Place, anchor, place_url, places, rules_url
from scorepad.web.referee.cards import as_they_lie, cards_of, is_discarded, melds_of, notes_on
from scorepad.web.referee.decision import open_facts
from scorepad.web.referee.questions import Case, Fact, Input, ambiguity, errors_of, names_of, question_of, signed
from scorepad.web.rule_choices import in_book

Told = tuple[str, tuple[str, ...]]
"""A fact of a case in words: its name, and its lines."""
_ONLY_LEADS_ON = ("way", "place", "uses_top")
"""Choices that are no facts: the cards that follow say them."""
_RED_THREE = "red-three-in-the-pile"


@dataclass(frozen=True, slots=True)
class Why:
    """A reason: its code, the sentence, its sources, how firmly it stands, and its place in the rulebook."""

    code: str
    text: str
    source: str = ""
    standing: str = ""
    place: Place | None = None


# ---------------------------------------------------------------- what is asked


def label_of(fact: Fact, case: Case) -> str:
    """How a fact is asked for, which may depend on the question and on whether players have a partner."""
    settings, words = case.situation.settings, case.situation.words
    single = settings.partnership is Partnership.SINGLE_TAKER
    manner = "either" if single else "alone" if max(settings.sides) == 1 else "pair"
    key = question_key(case.question.kind, fact.name, words)
    keys = (f"referee.{case.question.name}.{fact.name}.ask", f"{key}.ask.{manner}", f"{key}.ask")
    return words.text(next((each for each in keys if words.has(each)), key))


def choice_key(fact: Fact, value: str, kind: str, words: Words) -> str:
    """The message key of a choice."""
    keys = (f"referee.{kind}.{fact.name}.{value}", f"{question_key(kind, fact.name, words)}.{value}")
    return next((key for key in keys if words.has(key)), f"referee.choice.{value}")


def facts_of(case: Case) -> Iterator[Told]:
    """All answers, and what the match knows, in the order of the question."""
    situation, words = case.situation, case.situation.words
    for fact in case.facts:
        lines = tuple(_lines(fact, case)) if case.is_answered(fact) or fact.needed or fact.blank else ()
        if lines:
            yield words.text(question_key(case.question.kind, fact.name, words)), lines
    raw = question_of(case)
    yield from _lying(case) if raw.get("with") else ()
    if situation.match is not None:
        for name in ("score", "deal"):
            if name in raw:
                yield words.text(f"referee.{name}"), (words.figure(raw[name]),)
        side = situation.side_state
        if "score" in raw and side is not None and side.minimum is not None:
            yield words.text("referee.minimum"), (words.text("referee.points", points=side.minimum),)


def _lines(fact: Fact, case: Case) -> Iterator[str]:
    """The answer to a fact, in lines."""
    situation, words = case.situation, case.situation.words
    match fact.input:
        case Input.SIDE:
            yield from [situation.side_state.name] if situation.side_state else []
        case Input.CHOICE:
            if fact.name not in _ONLY_LEADS_ON:
                yield words.text(choice_key(fact, fact.of(situation), case.question.kind, words))
        case Input.COUNTS:
            for name, kind in zip(names_of(fact, situation), situation.settings.canastas, strict=True):
                if situation.answer(name):
                    what = item_word(situation.rules.variant, kind.item, words)
                    yield words.text("referee.told.count", what=what, count=situation.answer(name))
        case Input.FIGURE:
            yield situation.answer(fact.name) or fact.blank
        case Input.SCORE:
            points = signed(fact, situation)
            figure = words.figure(abs(points))
            yield words.text("referee.told.below", figure=figure) if points < 0 else figure
        case Input.MELDS if fact.name == "laid":
            melds = melds_of(situation.answer("laid"), situation.settings)
            yield from (_cards(meld, words) for meld in melds) if melds else [words.text("referee.laid.none")]
        case _:
            yield from cards_lines(fact, case)


def cards_lines(fact: Fact, case: Case) -> Iterator[str]:
    """Cards as they were read, in words; melds one by one, with their kind and points."""
    situation, words = case.situation, case.situation.words
    text = cards_of(situation.answer(fact.name))
    if fact.name == "laid":
        for name, lines in _lying(case):
            yield words.text("referee.told.count", what=name, count="; ".join(lines))
    elif fact.input is Input.MELDS:
        melds = melds_of(situation.answer(fact.name), situation.settings)
        for number, meld in enumerate(melds, 1):
            line = meld_line(meld, situation.rules, words)
            yield words.text("referee.told.meld", number=number, said=line) if len(melds) > 1 else line
    elif not text:
        return
    elif fact.input is Input.TURNED:
        yield ", ".join(_cards(token, words) for token in text.split())
    elif fact.name == "hand":
        cards = read_cards(text).cards
        yield words.text("referee.told.hand", count=cards.size, cards=cards_in_words(cards.counts, words) or text)
    else:
        yield meld_line(text, situation.rules, words) if fact.input is Input.CARDS else _card(text, words)


def _lying(case: Case) -> Iterator[Told]:
    """The melds of the turn after the pile was taken; nothing if there are none, or another answer is wrong."""
    rules, words = case.situation.rules, case.situation.words
    try:
        asked = read_question_of_match(question_of(case), rules).asked
    except Unusable:
        return
    if isinstance(asked, PileQuestion) and not asked.top.unknown:
        melds, is_used = as_they_lie(rules, asked)
        texts = [(write_cards(meld.cards), is_discarded(rules, asked, meld)) for meld in melds]
        lines = tuple(_cards(text, words) if is_left else meld_line(text, rules, words) for text, is_left in texts)
        if lines:
            yield words.text("referee.with-top" if is_used else "referee.without-top"), lines


def meld_line(text: str, rules: Ruleset, words: Words) -> str:
    """A meld as it was read: `Combinazione, 30 punti: 3 donne`."""
    reading = read_cards(text)
    meld = read_meld(reading.cards)
    table = lay_case(rules, reading)
    is_wrong = any(True for each in rules.checks if each.id in MELD_CHECKS for _ in CHECKS[each.id](table))
    cards = meld_in_words(meld, rules.settings, words) or text
    return words.text("referee.told.cards", said=meld_note(meld, rules, words, is_wrong=is_wrong), cards=cards)


def _cards(text: str, words: Words) -> str:
    return cards_in_words(read_cards(text).cards.counts, words) or text


def _card(text: str, words: Words) -> str:
    """One card by its name, with its suit."""
    cards = read_cards(text).cards
    if cards.size != 1:
        return text
    name = words.plural(f"card.{KINDS[cards.counts.index(1)]}", 1)
    for _, suit, _ in cards.suited:
        return words.text("referee.told.suited", card=name, suit=words.text(f"suit.{suit}"))
    return name


# ---------------------------------------------------------------- the page of a fact


def field_of(fact: Fact, case: Case, errors: tuple[FieldError, ...]) -> dict[str, Any]:
    """What the page of a fact shows."""
    situation, takes_cards = case.situation, fact.input.takes_cards
    return {
        "id": fact.name,
        "input": fact.input.value,
        "is_needed": fact.needed,
        "is_counted": False,
        "is_answered": case.is_answered(fact),
        "label": label_of(fact, case),
        "hint": _hint(fact, case),
        "value": situation.answer(fact.name),
        "errors": [error.text for error in errors if error.field == fact.name],
        "is_below": bool(situation.answer(f"{fact.name}-below")),
        "choices": _choices(fact, case),
        "told": _told(fact, case) if takes_cards and not errors else (),
        "buttons": card_buttons(_kinds(fact, case), situation.words) if takes_cards else (),
        "suits": list(_suits(fact, case)) if takes_cards else [],
        "counts": list(_counts(fact, case, errors)) if fact.input is Input.COUNTS else [],
    }


def _hint(fact: Fact, case: Case) -> str:
    situation = case.situation
    key = f"{question_key(case.question.kind, fact.name, situation.words)}.hint"
    if situation.words.has(key):
        return t(key, full=situation.settings.canasta_length)
    if fact.input is Input.MELDS:
        return t("referee.hint.melds")
    if fact.input in (Input.TURNED, Input.CARDS):
        has_suits = situation.settings.sequences is not Sequences.NONE
        return t("referee.hint.suits" if has_suits else "referee.hint.cards")
    return ""


def _told(fact: Fact, case: Case) -> Iterator[str]:
    """How the typed cards were read, or the two readings of an ambiguous one; nothing while they cannot be read."""
    text, words = case.situation.answer(fact.name), case.situation.words
    ambiguous = ambiguity(text, words)
    if ambiguous:
        yield ambiguous
    elif text and not errors_of(fact, case.situation):
        yield from (*cards_lines(fact, case), *notes_on(text, words))


def _choices(fact: Fact, case: Case) -> tuple[Choice, ...]:
    """The answers that can be tapped: of a figure the usual ones, of a score the steps of the opening."""
    situation, settings = case.situation, case.situation.settings
    chosen = fact.of(situation) if fact.input is Input.CHOICE else situation.answer(fact.name)
    offered: Iterable[tuple[str, str]] = ()
    match fact.input:
        case Input.SIDE if situation.match is not None:
            offered = ((str(position), side.name) for position, side in enumerate(situation.match.sides))
        case Input.CHOICE:
            offered = (
                (value, t(choice_key(fact, value, case.question.kind, situation.words))) for value in fact.values
            )
        case Input.SCORE:
            offered = _ranges(settings.opening_steps)
        case Input.FIGURE:
            red_threes = in_decks(settings.decks)[KINDS.index(Kind.RED_THREE)]
            numbers = range(1, (settings.match_deals or 0) + 1) if fact.name == "deal" else range(red_threes + 1)
            offered = ((str(number), str(number)) for number in numbers)
    return tuple(
        Choice(f"{fact.name}-{value}" if number else fact.name, fact.name, value, label, chosen == value)
        for number, (value, label) in enumerate(offered)
    )


def _ranges(steps: tuple[tuple[int, int], ...]) -> Iterator[tuple[str, str]]:
    """The scores between the steps of the opening, each by a score that lies in it."""
    yield "-5", t("rulebook.opening.below")
    for (least, _), (above, _) in pairwise(steps):
        yield str(least), t("rulebook.opening.from-to", least=least, most=above - 1)
    yield str(steps[-1][0]), t("rulebook.opening.from", least=steps[-1][0])


def _kinds(fact: Fact, case: Case) -> tuple[Kind, ...]:
    """A key for every card; for melds without those that are never melded."""
    kinds: tuple[Kind, ...] = (*(KINDS[index] for index in NATURAL_INDICES), Kind.TWO, Kind.JOKER)
    if fact.input in (Input.CARD, Input.TURNED) or fact.name == "hand":
        return (*kinds, Kind.BLACK_THREE, Kind.RED_THREE)
    return kinds if case.situation.settings.black_threes is BlackThrees.NEVER else (*kinds, Kind.BLACK_THREE)


def _suits(fact: Fact, case: Case) -> Iterator[SuitKey]:
    if case.situation.settings.sequences is Sequences.NONE or fact.input is Input.TURNED:
        return
    name = f"{fact.name}-suit"
    chosen = case.situation.typed.get(name, NO_SUIT)
    keys = [
        (NO_SUIT, "count.suit.none", NO_SIGN),
        *((suit.value, f"suit.{suit}", sign) for suit, sign in SIGNS.items()),
    ]
    for value, label, sign in keys:
        is_chosen = value == (chosen if chosen in tuple(Suit) else NO_SUIT)
        yield SuitKey(Choice(f"{name}-{value}", name, value, t(label), is_chosen), sign)


def _counts(fact: Fact, case: Case, errors: tuple[FieldError, ...]) -> Iterator[dict[str, Any]]:
    situation = case.situation
    for name, kind in zip(names_of(fact, situation), situation.settings.canastas, strict=True):
        messages = [error.text for error in errors if error.field == name]
        label = item_word(situation.rules.variant, kind.item, situation.words)
        field = {"id": name, "label": label, "value": situation.answer(name), "errors": messages}
        yield field | {"hint": "", "told": (), "is_counted": True}


# ---------------------------------------------------------------- reasons and their rules


def reasons_shown(texts: Iterable[str], reasons: Iterable[Reason], rules: Ruleset, words: Words) -> Iterator[Why]:
    """The reasons in order. If several rest on one rule, only the first links to it."""
    linked = set[Place | None]()
    for text, reason in zip(texts, reasons, strict=True):
        cited = [rules.cited_at(ground) for ground in reason.grounds]
        weak = next((each for each in cited if each.standing is not Standing.STATED), None)
        standing, place = "", _place_of(reason, rules, words)
        if weak is not None and weak.read:
            standing = words.text("web.new.read", why=words.text(f"read.{weak.read}"))
        elif weak is not None:
            standing = words.text(f"standing.{weak.standing}")
        yield Why(reason.code, text, places(reason.sources, words), standing, None if place in linked else place)
        linked.add(place)


def _place_of(reason: Reason, rules: Ruleset, words: Words) -> Place | None:
    """The place of a reason in the rulebook: its first setting there, else its irregularity or its check."""
    book, played = rules_url(rules), _played(rules)
    if not book or played is None:
        return None
    for name in reason.settings:
        if in_book(name, played, words):
            return Place(rule_name(name, words), place_url(book, anchor("rule", name)))
    mistake = reason.figures.get("penalty")
    if isinstance(mistake, str) and words.has(f"penalty.{mistake}"):
        return Place(words.text(f"penalty.{mistake}"), place_url(book, anchor("penalty", mistake)))
    if reason.code in played.checks:
        return Place(words.text(f"rulebook.problem.{reason.code}"), place_url(book, anchor("check", reason.code)))
    return None


def red_three_in_the_pile(rules: Ruleset, words: Words) -> Place | None:
    """Where the rulebook says what becomes of a red three in a pile that was taken; None if it does not."""
    book, played = rules_url(rules), _played(rules)
    if not book or played is None or all(each.id != _RED_THREE for each in statements_of(played)):
        return None
    return Place(words.text("referee.pile.red-three"), place_url(book, anchor("statement", _RED_THREE)))


def _played(rules: Ruleset) -> Variant | None:
    """The variant with the rules of the table; None if a match has rules that can no longer be chosen."""
    try:
        return as_played(rules.variant, rules.preset, rules.options)
    except ChoiceError:
        return None


def best_play(play: Play | None, words: Words) -> Iterator[str]:
    """The best legal play of a whole hand: the melds to lay, and the discard."""
    if play is None:
        return
    for laid in play.laid:
        cards = cards_in_words(laid.cards.counts, words)
        if laid.on is None:
            yield words.text("referee.way.new", cards=cards)
        else:
            yield words.text("referee.way.on", cards=cards, number=laid.on + 1)
    if play.discard is not None:
        cards = cards_in_words(play.discard.counts, words)
        yield words.text("referee.way.discard", card=cards) if cards else words.text("referee.way.no-discard")


# ---------------------------------------------------------------- irregularities


def mistake_name(code: str, words: Words) -> str:
    """The name of an irregularity; the referee's own if there is one."""
    own = f"referee.fault.{code}"
    return words.text(own if words.has(own) else f"penalty.{code}")


# ---------------------------------------------------------------- other rules

_IN_THE_WORD = {
    "discard": ("effect",),
    "end-of-stock": ("hand_ends", "must_take"),
    "opening": ("minimum",),
    "penalty": ("points", "held"),
    "red-threes": ("points",),
    "upcard": ("frozen", "redeal"),
}
"""Details that the word of a value says already, by the kind of the question."""


def others_shown(
    rules: Ruleset, kind: str, here: Ruling, alternatives: Iterable[Alternative], words: Words
) -> Iterator[dict[str, str]]:
    """The other rules that answer otherwise than `here`: name, the answer in a word, what else differs, sources."""
    details, own_word, missing = here.details, verdict_word(kind, here.verdict.value, here.details, words), object()
    for other in alternatives:
        verdict, elsewhere = other.ruling.verdict.value, other.ruling.details
        word = verdict_word(kind, verdict, elsewhere, words)
        names = [name for name in (*details, *elsewhere) if elsewhere.get(name, missing) != details.get(name, missing)]
        differ = {name: elsewhere.get(name) for name in names}
        if word != own_word and verdict == Verdict.VALUE:
            differ = {name: value for name, value in differ.items() if name not in _IN_THE_WORD.get(kind, ())}
        elif word != own_word:  # of yes and no only the figures
            differ = {name: value for name, value in differ.items() if value and type(value) is int}
        more = ", ".join(filter(None, (_detail(name, value, rules, words) for name, value in differ.items())))
        name = name_of(rules, other.preset, other.changed, words)
        yield {"name": name, "word": word, "more": more, "source": places(other.sources, words)}


def name_of(rules: Ruleset, preset: str | None, changed: Choices, words: Words) -> str:
    """Other rules by what differs from these: a preset, or options."""
    options = [
        words.text("web.new.chosen", option=words.text(f"option.{name}"), value=value_word(name, value, words))
        for name, value in changed.items()
    ]
    return "; ".join((*([words.text(f"preset.{preset}")] if preset and preset != rules.preset else []), *options))


def _detail(name: str, value: Detail, rules: Ruleset, words: Words) -> str:
    """A detail of an answer in words."""
    key = f"referee.detail.{name}"
    match value:
        case None:
            return words.text(f"{key}.none") if words.has(f"{key}.none") else ""
        case bool():
            return words.text(f"{key}.{'yes' if value else 'no'}")
        case int():
            return words.text(key, points=value)
    if name == "canasta":
        return item_word(rules.variant, value, words)
    if name == "top":
        return words.text("referee.detail.top", card=cards_in_words(read_cards(value).cards.counts, words))
    return words.text(f"remedy.{value}" if name == "remedy" else f"{key}.{value}")


def dependencies(case: Case) -> Iterator[str]:
    """The facts on which the answer under other rules depends, and which were not asked under these."""
    words, found = case.situation.words, dict[tuple[str, ...], list[str]]()
    open_under = SettingsMemo(partial(open_facts, case))
    here = open_under(case.situation.rules)
    for name, rules in _other_rules(case.situation.rules, words):
        more = [fact for fact in open_under(rules) if fact not in here]
        if more:
            facts = tuple(words.text(question_key(case.question.kind, fact, words)) for fact in more)
            found.setdefault(facts, []).append(name)
    for facts, names in found.items():
        yield words.text("referee.elsewhere.depends", rules="; ".join(names), facts=", ".join(facts))


def _other_rules(rules: Ruleset, words: Words) -> Iterator[tuple[str, Ruleset]]:
    """The other rules of the variant: its presets, and each option by itself."""
    try:
        variant = get_variant(rules.variant)
        for preset in variant.presets:
            if preset != rules.preset:
                yield name_of(rules, preset, {}, words), settle(variant.id, preset)
        for option, value in other_values(variant, rules):
            changed = {option.id: value.value}
            yield name_of(rules, None, changed, words), settle(variant.id, rules.preset, changed)
    except ChoiceError:
        return  # a match has rules that can no longer be chosen

"""The facts of a case and its answer in words: cards and melds, reasons with their rules, mistakes, other rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words, verdict_word
from scorepad.i18n.rulebook import rule_name
from scorepad.i18n.settings import item_word, value_word
from scorepad.matches.rulings import question_key
from scorepad.referee.alternatives import Alternative, other_values
from scorepad.referee.answers import Detail, Play, Reason, Ruling, Verdict
from scorepad.referee.case import MELD_CHECKS, laid_down, lay_case
from scorepad.referee.irregularities import Costs, Irregularity
from scorepad.referee.questions import PileQuestion
from scorepad.rules.cards import KINDS, read_cards, write_cards
from scorepad.rules.checks import CHECKS
from scorepad.rules.citations import Standing
from scorepad.rules.entries import SideEntry
from scorepad.rules.melds import read_meld
from scorepad.rules.statements import statements_of
from scorepad.rules.variants import Choices, Ruleset, Variant, as_played, get_variant, settle
from scorepad.schemas import Unusable
from scorepad.schemas.rulings import read_question_of_match
from scorepad.web.cards import meld_in_words, meld_told
from scorepad.web.presenters import Place, anchor, place_url, places, rules_url
from scorepad.web.referee.cards import as_they_lie, cards_of, is_discarded, is_used, melds_of
from scorepad.web.referee.case import Case, is_below_zero, question_of, without_minus
from scorepad.web.referee.questions import PILE, Input, Situation, Slot
from scorepad.web.rule_choices import in_book

Details = Mapping[str, Detail]
_ONLY_LEADS_ON = ("way", "place", "uses_top")
"""Choices that are no facts: the cards that follow say them."""
_RED_THREE = "red-three-in-the-pile"


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a case: its name, and its lines."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Why:
    """A reason: the sentence, its sources, how firmly it stands, and its place in the rulebook."""

    text: str
    source: str = ""
    standing: str = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Other:
    """What other rules answer: what they are, the answer in a word, what else differs, and their sources."""

    name: str
    word: str
    more: str
    source: str


# ---------------------------------------------------------------- the facts of a case


def facts_of(case: Case) -> Iterator[Fact]:
    """All answers, and what the match knows, in the order of the questions."""
    situation, words = case.situation, case.situation.words
    for slot in case.slots:
        lines = tuple(_lines(slot, case))
        if lines:
            yield Fact(words.text(question_key(case.question.kind, slot.name, words)), lines)
    raw = question_of(case)
    lying = _lying(situation) if "with" in raw else None
    if lying:
        yield lying
    if situation.match is not None and "score" in raw:
        yield Fact(words.text("referee.score"), (words.figure(raw["score"]),))
    side = situation.side_state
    if side is not None and side.minimum is not None and "score" in raw:
        yield Fact(words.text("referee.minimum"), (words.text("referee.points", points=side.minimum),))
    if situation.match is not None and "deal" in raw:
        yield Fact(words.text("referee.deal"), (words.figure(raw["deal"]),))


def _lines(slot: Slot, case: Case) -> Iterator[str]:
    """The answer to an input, in lines."""
    situation, words = case.situation, case.situation.words
    match slot.input:
        case Input.SIDE:
            side = situation.side_state
            yield from [] if side is None else [side.name]
        case Input.CHOICE:
            if slot.name not in _ONLY_LEADS_ON:
                yield words.text(choice_key(slot, situation.answer(slot.name), case.question.kind, words))
        case Input.COUNTS:
            for kind in situation.settings.canastas:
                count = situation.answer(f"{slot.name}-{kind.item}")
                if count:
                    what = item_word(situation.rules.variant, kind.item, words)
                    yield words.text("referee.told.count", what=what, count=count)
        case Input.FIGURE | Input.SCORE:
            text = situation.answer(slot.name) or slot.blank
            if text:
                is_below = bool(situation.answer(f"{slot.name}-below")) or is_below_zero(text)
                yield words.text("referee.told.below", figure=without_minus(text)) if is_below else text
        case Input.MELDS if slot.name == "laid":
            melds = melds_of(situation.answer("laid"), situation.settings)
            yield from (_cards(meld, words) for meld in melds) if melds else [words.text("referee.laid.none")]
        case _:
            yield from cards_lines(slot, situation)


def choice_key(slot: Slot, value: str, kind: str, words: Words) -> str:
    """The message key of a choice."""
    keys = (f"referee.{kind}.{slot.name}.{value}", f"{question_key(kind, slot.name, words)}.{value}")
    return next((key for key in keys if words.has(key)), f"referee.choice.{value}")


def cards_lines(slot: Slot, situation: Situation) -> Iterator[str]:
    """Cards as they were read, in words; melds one by one, with their kind and points."""
    text, words = cards_of(situation.answer(slot.name)), situation.words
    if slot.name == "laid":
        yield from _laid_lines(situation)
    elif slot.input is Input.MELDS:
        melds = melds_of(situation.answer(slot.name), situation.settings)
        for number, meld in enumerate(melds, 1):
            line = meld_line(meld, situation.rules, words)
            yield words.text("referee.told.meld", number=number, said=line) if len(melds) > 1 else line
    elif not text:
        return
    elif slot.input is Input.TURNED:
        yield ", ".join(_cards(token, words) for token in text.split())
    elif slot.name == "hand":
        cards = read_cards(text).cards
        yield words.text("referee.told.hand", count=cards.size, cards=cards_in_words(cards.counts, words) or text)
    else:
        yield meld_line(text, situation.rules, words) if slot.input is Input.CARDS else _card(text, words)


def _laid_lines(situation: Situation) -> Iterator[str]:
    """The melds that take the pile, as they lie then, while they are typed."""
    words, lying = situation.words, _lying(situation)
    if not situation.answer("laid"):
        yield words.text("referee.laid.nothing")
    if lying:
        yield words.text("referee.told.count", what=lying.name, count="; ".join(lying.lines))


def _lying(situation: Situation) -> Fact | None:
    """The melds of the turn after the pile was taken; None if there are none, or another answer is wrong."""
    rules, words = situation.rules, situation.words
    try:
        asked = read_question_of_match(question_of(Case(PILE, situation)), rules).asked
    except Unusable:
        return None
    if not isinstance(asked, PileQuestion) or asked.top.unknown:
        return None
    lines = []
    for meld in as_they_lie(rules, asked):
        text = write_cards(meld.cards)
        lines.append(_cards(text, words) if is_discarded(rules, asked, meld) else meld_line(text, rules, words))
    key = "referee.with-top" if is_used(rules, asked) else "referee.without-top"
    return Fact(words.text(key), tuple(lines)) if lines else None


def meld_line(text: str, rules: Ruleset, words: Words) -> str:
    """A meld as it was read: `Combinazione, 30 punti: 3 donne`."""
    reading = read_cards(text)
    meld = read_meld(reading.cards)
    table = lay_case(rules, SideEntry(melds=laid_down(reading)))
    is_wrong = any(True for each in rules.checks if each.id in MELD_CHECKS for _ in CHECKS[each.id](table))
    cards = meld_in_words(meld, rules.settings, words) or text
    return words.text("referee.told.cards", said=meld_told(meld, rules, words, is_wrong=is_wrong), cards=cards)


def _cards(text: str, words: Words) -> str:
    return cards_in_words(read_cards(text).cards.counts, words) or text


def _card(text: str, words: Words) -> str:
    """One card by its name, with its suit."""
    cards = read_cards(text).cards
    kinds = [kind for kind, count in zip(KINDS, cards.counts, strict=True) if count]
    if len(kinds) != 1:
        return text
    name = words.plural(f"card.{kinds[0]}", 1)
    suits = [suit for _, suit, _ in cards.suited]
    return words.text("referee.told.suited", card=name, suit=words.text(f"suit.{suits[0]}")) if suits else name


# ---------------------------------------------------------------- reasons and their rules


def reasons_shown(texts: Iterable[str], reasons: Iterable[Reason], rules: Ruleset, words: Words) -> Iterator[Why]:
    """The reasons in order. If several rest on one rule, only the first links to it."""
    linked = set()
    for text, reason in zip(texts, reasons, strict=True):
        cited = [rules.cited_at(ground) for ground in reason.grounds]
        weak = next((each for each in cited if each.standing is not Standing.STATED), None)
        standing = ""
        if weak is not None and weak.read:
            standing = words.text("web.new.read", why=words.text(f"read.{weak.read}"))
        elif weak is not None:
            standing = words.text(f"standing.{weak.standing}")
        why = Why(text, places(reason.sources, words), standing, _place_of(reason, rules, words))
        yield replace(why, place=None) if why.place in linked else why
        linked.add(why.place)


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


def mistake_name(mistake: Irregularity, words: Words) -> str:
    """The name of an irregularity; the referee's own if there is one."""
    own = f"referee.fault.{mistake.code}"
    return words.text(own if words.has(own) else f"penalty.{mistake.code}")


def remedy_words(mistake: Irregularity, words: Words) -> str:
    """What follows beside the penalty, or that the sources do not say."""
    if mistake.remedy:
        return words.text(f"remedy.{mistake.remedy}")
    own = f"referee.remedy.{mistake.code}"
    return words.text(own if words.has(own) else "referee.remedy.none")


def penalty_words(mistake: Irregularity, words: Words) -> str:
    """What an irregularity costs."""
    if mistake.costs is Costs.POINTS:
        return words.text("referee.penalty.points", points=words.signed(-mistake.points))
    return words.text(f"referee.penalty.{mistake.costs}")


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
) -> Iterator[Other]:
    """The other presets and options that answer differently than `here`."""
    details, own_word = here.details, verdict_word(kind, here.verdict.value, here.details, words)
    for other in alternatives:
        verdict, elsewhere = other.ruling.verdict.value, other.ruling.details
        word = verdict_word(kind, verdict, elsewhere, words)
        differ = {
            name: elsewhere.get(name)
            for name in (*details, *elsewhere)
            if (name in elsewhere, elsewhere.get(name)) != (name in details, details.get(name))
        }
        if word != own_word:
            differ = dict(_beside_the_word(kind, verdict, differ))
        more = ", ".join(filter(None, (_detail(name, value, rules, words) for name, value in differ.items())))
        yield Other(name_of(rules, other.preset, other.changed, words), word, more, places(other.sources, words))


def _beside_the_word(kind: str, verdict: str, differ: Details) -> Iterator[tuple[str, Detail]]:
    """The details that the word does not say: of yes and no only the figures."""
    for name, value in differ.items():
        is_figure = isinstance(value, int) and not isinstance(value, bool) and value != 0
        if name not in _IN_THE_WORD.get(kind, ()) if verdict == Verdict.VALUE else is_figure:
            yield name, value


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
    """The facts on which the answer under other rules depends, and which are not asked under these."""
    words, found = case.situation.words, dict[tuple[str, ...], list[str]]()
    here = {slot.name for slot in case.slots}
    for name, rules in _other_rules(case.situation.rules, words):
        there = replace(case, situation=replace(case.situation, rules=rules))
        more = [slot.name for slot in there.slots if slot.name not in here]
        if more:
            facts = tuple(words.text(question_key(case.question.kind, slot, words)) for slot in more)
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

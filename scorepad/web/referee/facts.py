"""The facts of a case as they were understood: cards in words, melds as they were read, with their points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorepad.contract import Unusable
from scorepad.contract.rulings import read_question_of_match
from scorepad.i18n import Words
from scorepad.i18n.cards import cards_in_words
from scorepad.i18n.settings import item_word
from scorepad.pad.ruling_words import asked_key
from scorepad.rules.cards import KINDS, read_cards
from scorepad.rules.checks import CHECKS
from scorepad.rules.entries import SideEntry
from scorepad.rules.melds import read_meld
from scorepad.rules.rulings.asked import PileAsked
from scorepad.rules.rulings.casing import MELD_CHECKS, laid_down, lay_case
from scorepad.rules.rulings.ways import written
from scorepad.rules.variants import Ruleset
from scorepad.web.cards import meld_in_words, meld_told
from scorepad.web.referee.asking import Asking
from scorepad.web.referee.cards_said import cards_of, melds_of
from scorepad.web.referee.pile_cards import as_they_lie, is_discarded, is_used
from scorepad.web.referee.questions import PILE, Input, Slot
from scorepad.web.referee.reading import question_of
from scorepad.web.referee.situation import Situation, is_below_zero, without_minus


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that was said: what it is, and what was said of it, in one line or several."""

    name: str
    lines: tuple[str, ...]


def facts_of(asking: Asking) -> Iterator[Fact]:
    """All that was said or is known of the match, in the order in which it was asked."""
    situation, words = asking.situation, asking.situation.words
    for slot in asking.slots:
        lines = tuple(_lines(slot, asking))
        if lines:
            yield Fact(words.text(_label(slot, asking)), lines)
    raw = question_of(asking)
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


def _label(slot: Slot, asking: Asking) -> str:
    """The message key of what a slot asks."""
    return asked_key(asking.question.kind, slot.name, asking.situation.words)


def _lines(slot: Slot, asking: Asking) -> Iterator[str]:
    """What was said for a slot, in lines."""
    match slot.input:
        case Input.SIDE:
            side = asking.situation.side_state
            yield from [] if side is None else [side.name]
        case Input.CHOICE:
            yield from _chosen(slot, asking)
        case Input.COUNTS:
            yield from _counted(slot, asking.situation)
        case Input.FIGURE | Input.SCORE:
            yield from _figures(slot, asking.situation)
        case Input.MELDS if slot.name == "laid":
            yield from _from_hand(asking.situation)
        case _:
            yield from told(slot, asking.situation)


def _chosen(slot: Slot, asking: Asking) -> Iterator[str]:
    if slot.name not in _LEADING:
        value = asking.situation.said(slot.name)
        yield asking.situation.words.text(choice_key(slot, value, asking.question.kind, asking.situation.words))


_LEADING = ("way", "place", "uses_top")
"""What only leads on: the cards that follow say it."""


def _counted(slot: Slot, situation: Situation) -> Iterator[str]:
    for kind in situation.rules.settings.canastas:
        count = situation.said(f"{slot.name}-{kind.item}")
        if count:
            what = item_word(situation.rules.variant, kind.item, situation.words)
            yield situation.words.text("referee.told.count", what=what, count=count)


def _figures(slot: Slot, situation: Situation) -> Iterator[str]:
    text = situation.said(slot.name) or slot.blank
    if text:
        below = bool(situation.said(f"{slot.name}-below")) or is_below_zero(text)
        yield situation.words.text("referee.told.below", figure=without_minus(text)) if below else text


def choice_key(slot: Slot, value: str, kind: str, words: Words) -> str:
    """The message key of a choice."""
    keys = (f"referee.{kind}.{slot.name}.{value}", f"{asked_key(kind, slot.name, words)}.{value}")
    return next((key for key in keys if words.has(key)), f"referee.choice.{value}")


def told(slot: Slot, situation: Situation) -> Iterator[str]:
    """Cards as they were read, in words; melds one by one, with what each is and counts."""
    text, words = cards_of(situation.said(slot.name)), situation.words
    if slot.name == "laid":
        yield from _with_top(situation)
    elif slot.input is Input.MELDS:
        yield from _melds(melds_of(situation.said(slot.name), situation.rules.settings), situation)
    elif not text:
        return
    elif slot.input is Input.TURNED:
        yield ", ".join(_one_by_one(token, words) for token in text.split())
    elif slot.name == "hand":
        yield _hand(text, words)
    else:
        yield meld_line(text, situation.rules, words) if slot.input is Input.CARDS else _card(text, words)


def _melds(many: list[str], situation: Situation) -> Iterator[str]:
    for number, each in enumerate(many, 1):
        said = meld_line(each, situation.rules, situation.words)
        yield situation.words.text("referee.told.meld", number=number, said=said) if len(many) > 1 else said


def _from_hand(situation: Situation) -> Iterator[str]:
    """The cards of the hand that take the pile, whatever they are by themselves."""
    words = situation.words
    melds = melds_of(situation.said("laid"), situation.rules.settings)
    yield from (_one_by_one(meld, words) for meld in melds)
    if not melds:
        yield words.text("referee.laid.none")


def _with_top(situation: Situation) -> Iterator[str]:
    """The same while it is asked, with the melds as they then lie."""
    words, lying = situation.words, _lying(situation)
    if not situation.said("laid"):
        yield words.text("referee.laid.nothing")
    if lying:
        yield words.text("referee.told.count", what=lying.name, count="; ".join(lying.lines))


def _lying(situation: Situation) -> Fact | None:
    """The melds of the turn as they lie once the pile is taken; None for none, or while something else is wrong."""
    rules, words = situation.rules, situation.words
    try:
        asked = read_question_of_match(question_of(Asking(PILE, situation)), rules).asked
    except Unusable:
        return None  # the top card, or what lies on the table, is yet to be asked again
    if not isinstance(asked, PileAsked) or asked.top.unknown:
        return None
    lines = []
    for meld in as_they_lie(rules, asked):
        text = written(meld.cards)
        lines.append(_one_by_one(text, words) if is_discarded(rules, asked, meld) else meld_line(text, rules, words))
    key = "referee.with-top" if is_used(rules, asked) else "referee.without-top"
    return Fact(words.text(key), tuple(lines)) if lines else None


def meld_line(text: str, rules: Ruleset, words: Words) -> str:
    """A meld as it was read: `Combinazione, 30 punti: 3 donne`."""
    reading = read_cards(text)
    meld = read_meld(reading.cards)
    cards = meld_in_words(meld, rules.settings, words) or text
    said = meld_told(meld, rules, words, is_wrong=_is_wrong(text, rules))
    return words.text("referee.told.cards", said=said, cards=cards)


def _is_wrong(text: str, rules: Ruleset) -> bool:
    """Whether the checks that judge a hand find anything in these cards as a meld."""
    table = lay_case(rules, SideEntry(melds=laid_down(read_cards(text))))
    return any(True for each in rules.checks if each.id in MELD_CHECKS for _ in CHECKS[each.id](table))


def _hand(text: str, words: Words) -> str:
    cards = read_cards(text).cards
    told_cards = cards_in_words(cards.counts, words) or text
    return words.text("referee.told.hand", count=cards.size, cards=told_cards)


def _one_by_one(token: str, words: Words) -> str:
    return cards_in_words(read_cards(token).cards.counts, words) or token


def _card(text: str, words: Words) -> str:
    """One card by its name, with its suit."""
    cards = read_cards(text).cards
    kinds = [kind for kind, count in zip(KINDS, cards.counts, strict=True) if count]
    if len(kinds) != 1:
        return text
    name = words.plural(f"card.{kinds[0]}", 1)
    suits = [suit for _, suit, _ in cards.suited]
    return words.text("referee.told.suited", card=name, suit=words.text(f"suit.{suits[0]}")) if suits else name

"""One side's part of the form, built from the rules of the match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words
from scorepad.i18n.settings import together
from scorepad.i18n.typed_cards import notated
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.cards import read_cards
from scorepad.rules.settings import CardsLeft
from scorepad.rules.variants import Ruleset
from scorepad.web.count import names
from scorepad.web.count.fields import Field
from scorepad.web.count.laid import Filled, LaidMaker, ValuesMaker
from scorepad.web.count.naming import item_named
from scorepad.web.count.needs import Needs
from scorepad.web.count.occasions import Occasion, Side
from scorepad.web.count.parties import Parties
from scorepad.web.count.rare import RareMaker
from scorepad.web.count.side_values import LeftForm, SideForm, ValuesForm


@dataclass(frozen=True, slots=True)
class SideMaker:
    """Makes the form of one side out of a draft and what is to be said of it."""

    occasion: Occasion
    filled: Filled
    parties: Parties
    side: Side

    @property
    def key(self) -> str:
        """The side's key in field names."""
        return SIDE_KEYS[self.side.position]

    @property
    def rules(self) -> Ruleset:
        """The rules of the match."""
        return self.occasion.rules

    @property
    def needs(self) -> Needs:
        """The fields that these rules need."""
        return Needs(self.rules)

    @property
    def words(self) -> Words:
        """The words of the page."""
        return self.filled.words

    def make(self) -> SideForm:
        """The whole of the side."""
        key, words, position = self.key, self.words, self.side.position
        writes = position in self.parties.writers
        opening = self.filled.field(names.opening(key), words.text("count.opening"), words.text("count.opening.hint"))
        return SideForm(
            key=key,
            name=self.side.name,
            facts=tuple(self._facts()),
            laid=LaidMaker(self.filled, self.needs, key).make() if writes else None,
            shared=self._shared(),
            threes=tuple(self._threes()),
            left=self._left(),
            rare=RareMaker(self.filled, self.needs, key).make(),
            opening=opening if self.needs.opening else None,
            opening_open=bool(opening.value.strip() or opening.notes),
        )

    def _shared(self) -> str:
        """Where it is written what those laid who lay together."""
        position = self.side.position
        if position not in self.parties.writers:
            return self.words.text("count.elsewhere", side=self.occasion.names[self.parties.writer(position)])
        others = [other for other in self.parties.others(position) if other not in self.parties.writers]
        if not others:
            return ""
        return self.words.text("count.here", sides=self.words.listing(self.occasion.names[each] for each in others))

    def _facts(self) -> Iterator[str]:
        others = [self.occasion.names[other] for other in self.parties.others(self.side.position)]
        if others:
            yield self.words.text("count.paired", others=self.words.listing(others))
        elif len(self.parties.groups) < len(self.occasion.sides):
            yield self.words.text("count.alone")
        yield self.words.text("count.before", score=self.side.before)
        if self.side.minimum is not None:
            yield self.words.text("count.minimum", minimum=self.side.minimum)

    # ------------------------------------------------------------------ threes

    def _threes(self) -> Iterator[Field]:
        """Threes on the table, red ones and those black ones that are counted by themselves."""
        if self.needs.red_threes:
            label = item_named("red-threes", self.rules, self.words)
            hint = together(self.rules.settings.red_three_values, self.words)
            yield self._stepper(names.red(self.key), label, hint)
        for field, worths in self.needs.black_threes:
            label = item_named(field.replace("_", "-"), self.rules, self.words)
            hint = together(worths, self.words)
            yield self._stepper(names.counted(self.key, field), label, hint)

    def _stepper(self, name: str, label: str, hint: str) -> Field:
        """A field that is counted up as far as there is something to count."""
        return self.filled.field(name, label, hint, most=self.needs.most(name))

    # ------------------------------------------------------------------ what is in hand

    def _left(self) -> LeftForm:
        key = self.key
        keys = {value: f"count.left.{value}" for value in self.needs.left_ways}
        ways = self.filled.ways(names.left_way(key), keys, self.needs.left_way(self.filled.draft, key))
        points = self.filled.field(names.left(key), self.words.text("count.left"), self._left_hint("count.left.hint"))
        in_points = names.IN_POINTS in self.needs.left_ways
        return LeftForm(
            ways=ways,
            costs=self._costs(),
            points=points if in_points else None,
            held=tuple(self._held()) if in_points else (),
            cards=tuple(self._left_cards()),
            values=self._left_values(),
        )

    def _left_values(self) -> ValuesForm:
        """What is left in hand by the value of its cards."""
        needs, key, hint = self.needs, self.key, self._left_hint("count.left.values.hint")
        maker = ValuesMaker(self.filled, needs, needs.left_values, lambda points: names.left_value(key, points))
        return maker.make(names.left_values(key), "count.left.value", hint)

    def _left_hint(self, hint: str) -> str:
        if self.rules.settings.hands_each > 1:
            return self.words.text(f"{hint}.hands")
        alone = self.needs.hands(self.side.position) == 1
        return self.words.text(f"{hint}.one" if alone else hint)

    def _held(self) -> Iterator[Field]:
        """Players with too many cards of a rank: as many as play for the side at most."""
        for kind in self.needs.held:
            cards = self.words.plural(f"card.{kind.rank}", kind.number)
            label = self.words.text("count.held", number=kind.number, cards=cards)
            hint = self.words.text("count.held.hint", points=self.words.signed(-kind.points))
            yield self._stepper(names.counted(self.key, kind.key), label, hint)

    def _left_cards(self) -> Iterator[Field]:
        apart = self.needs.hands_apart(self.side.position)
        all_hands = names.left_cards(self.key, names.ALL_HANDS)
        hint = self.words.text("count.notation.left" if self.needs.totals else "count.notation.left.tapped")
        if apart is not None and self.filled.draft.get(all_hands, "").strip():
            label = self.words.text("count.left-cards.together")
            yield self.filled.field(all_hands, label, hint, self._cards_told(all_hands))
        for hand in range(apart or 1):
            name = names.left_cards(self.key, hand)
            label = self.words.text("count.left-cards")
            if apart is not None:
                label = self.words.text("count.left-cards.hand", hand=self._player(hand))
            yield self.filled.field(name, label, hint, self._cards_told(name))

    def _costs(self) -> str:
        """What cards in hand cost, where that is not their points."""
        settings = self.rules.settings
        if settings.cards_left is CardsLeft.POINTS:
            return ""
        key = f"count.left.{settings.cards_left}"
        return self.words.text(key, wild=settings.left_wild, group=settings.left_group)

    def _player(self, hand: int) -> str:
        name = self.side.players[hand].name if hand < len(self.side.players) else ""
        return name or self.words.text("count.player", number=hand + 1)

    def _cards_told(self, name: str) -> str:
        reading = read_cards(notated(self.filled.draft.get(name, "")))
        if not reading.cards.size:
            return ""
        what = cards_in_words(reading.cards.counts, self.words)
        if self.rules.settings.unit == "units":
            return what
        return self.words.text("count.told", what=what, points=reading.cards.points(self.rules.settings.left_points))

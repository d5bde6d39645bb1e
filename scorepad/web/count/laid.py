"""What a side laid: the part of its form for totals, for melds card by card, and for what takes the place of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.i18n.typed_cards import notated
from scorepad.rules.cards import Suit, read_cards
from scorepad.rules.melds import read_meld
from scorepad.rules.settings import IncompleteKind, Settings, Shape
from scorepad.web.count import names
from scorepad.web.count.fields import Choice, Field, Tone
from scorepad.web.count.meld_words import meld_in_words, meld_told
from scorepad.web.count.naming import item_named, own_text
from scorepad.web.count.needs import Needs, Values
from scorepad.web.count.side_values import LaidForm, MeldRow, SuitKey, SumForm, ValuesForm
from scorepad.web.count.steps import current_row, suit_in_hand
from scorepad.web.count.telling import Telling
from scorepad.web.figures import read_figure

SIGNS = {Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.SPADES: "♠", Suit.CLUBS: "♣"}
NO_SIGN = "–"


@dataclass(frozen=True, slots=True)
class Filled:
    """A side's fields: made out of a draft, with what is to be said of it."""

    draft: Mapping[str, str]
    telling: Telling
    words: Words

    def field(self, name: str, label: str, hint: str = "", told: str = "", most: int | None = None) -> Field:
        """A field with what was typed in it and the notes beside it."""
        return Field(name, label, self.draft.get(name, ""), hint, self.telling.beside(name), told, most)

    def tick(self, name: str, key: str) -> Choice:
        """A tick, by its message key."""
        return Choice(name, name, names.TICKED, self.words.text(key), name in self.draft)

    def ways(self, name: str, keys: Mapping[str, str], chosen: str) -> tuple[Choice, ...]:
        """Radio buttons, value to message key."""
        return tuple(
            Choice(f"{name}-{value}", name, value, self.words.text(key), value == chosen) for value, key in keys.items()
        )


@dataclass(frozen=True, slots=True)
class ValuesMaker:
    """Makes the form of cards that are counted by value; `field` names the one in which those of a value stand."""

    filled: Filled
    needs: Needs
    values: Values
    field: Callable[[int], str]

    def make(self, place: str, label: str, hint: str) -> ValuesForm:
        """The whole of it; `place` is its id, `label` the message key of a field."""
        return ValuesForm(place, hint, tuple(self._fields(label)), self._told())

    def _fields(self, label: str) -> Iterator[Field]:
        """A stepper for each value, with the cards that are worth so much."""
        words = self.filled.words
        for points, kinds in self.values:
            called = words.listing(words.plural(f"card.{kind}", 2) for kind in kinds)
            name = self.field(points)
            yield self.filled.field(name, words.text(label, points=points), called, most=self.needs.most(name))

    def _told(self) -> str:
        """The sum as it grows: `3 × 50 + 4 × 20 = 230`."""
        words, parts, points = self.filled.words, [], 0
        for each, _ in self.values:
            count = read_figure(self.filled.draft.get(self.field(each), ""), words.language)
            if isinstance(count, int) and count:
                parts.append(words.text("count.values.times", count=count, points=each))
                points += count * each
        return words.text("count.values.told", sum=" + ".join(parts), points=points) if parts else ""


@dataclass(frozen=True, slots=True)
class LaidMaker:
    """Makes the form of what a side laid."""

    filled: Filled
    needs: Needs
    key: str

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.needs.settings

    @property
    def words(self) -> Words:
        """The words of the page."""
        return self.filled.words

    def make(self) -> LaidForm:
        """The whole of it."""
        key, words = self.key, self.words
        way = names.way(key)
        keys = {value: f"count.way.{value}" for value in self.needs.ways}
        hint = own_text("count.cards.hint", self.needs.rules, words)
        cards = self.filled.field(names.cards(key), words.text("count.cards"), hint)
        return LaidForm(
            ways=self.filled.ways(way, keys, self.needs.way(self.filled.draft, key)),
            canastas=tuple(self._canastas()) if self.needs.totals else (),
            incomplete=tuple(map(self._incomplete, self.needs.incomplete)),
            cards=cards if self.needs.totals else None,
            values=self._values(),
            sum=self._sum(),
            melds=tuple(self._melds()),
            melds_notes=self.filled.telling.beside(names.melds(key)),
            special=tuple(self._special()),
            special_notes=self.filled.telling.beside(names.special(key)),
        )

    # ------------------------------------------------------------------ totals

    def _canastas(self) -> Iterator[Field]:
        """A stepper for each kind, those of any rank before those of one, and those of wild cards last."""
        kinds = sorted(self.settings.canastas, key=lambda kind: (kind.shape is Shape.WILDS, kind.rank is not None))
        worth = {kind.item: kind.points for kind in kinds}
        worth |= {"concealed-canasta": self.settings.concealed_canasta} if self.settings.concealed_canasta else {}
        for item in worth:
            label = item_named(item, self.needs.rules, self.words)
            yield self.filled.field(names.canasta(self.key, item), label, self.words.signed(worth[item]))

    def _incomplete(self, kind: IncompleteKind) -> Field:
        label = item_named(f"{kind.name}-incomplete", self.needs.rules, self.words)
        bars = self.words.text("count.incomplete.bars") if kind.bars_out else ""
        hint = ", ".join(part for part in (self.words.signed(-kind.points) if kind.points else "", bars) if part)
        return self.filled.field(names.incomplete(self.key, kind.name), label, hint)

    def _special(self) -> Iterator[Choice]:
        """The hands that may be shown; the first bears the name of the group, for links to lead to."""
        name = names.special(self.key)
        chosen = self.filled.draft.get(name, "")
        for place, (value, points) in enumerate(self.needs.special):
            called = self.words.text(f"value.special.{value}")
            label = self.words.text("count.special.worth", name=called[:1].upper() + called[1:], points=points)
            yield Choice(f"{name}-{value}" if place else name, name, value, label, value == chosen)

    # ------------------------------------------------------------------ by the value of the cards, or as agreed

    def _values(self) -> ValuesForm:
        """What was laid by the value of its cards."""
        maker = ValuesMaker(self.filled, self.needs, self.needs.values, lambda points: names.value(self.key, points))
        return maker.make(names.values(self.key), "count.value", self.words.text("count.values.hint"))

    def _sum(self) -> SumForm:
        """The hand in one figure."""
        label, hint = self.words.text("count.sum"), self.words.text("count.sum.hint")
        points = self.filled.field(names.agreed_sum(self.key), label, hint)
        return SumForm(points, self.filled.tick(names.sum_below(self.key), "count.sum.below"))

    # ------------------------------------------------------------------ card by card

    def _melds(self) -> Iterator[MeldRow]:
        draft, words = self.filled.draft, self.words
        at = current_row(draft, self.key)
        hint = words.text("count.notation.suits" if self.needs.suits else "count.notation")
        for place, row in enumerate(names.meld_rows(draft, self.key) or (0,), 1):
            name = names.meld(self.key, row)
            field = self.filled.field(name, words.text("count.meld", number=place), hint)
            meld = read_meld(read_cards(notated(field.value)).cards)
            wrong = any(note.tone is Tone.ERROR for note in field.notes)
            told = meld_told(meld, self.needs.rules, self.words, is_wrong=wrong) if field.value.strip() else ""
            yield MeldRow(
                field=field,
                row=row,
                is_current=row == at,
                told=told,
                cards=meld_in_words(meld, self.settings, self.words),
                concealed=self._concealed(row),
                suits=tuple(self._suits()) if row == at and self.needs.suits else (),
            )

    def _suits(self) -> Iterator[SuitKey]:
        name = names.suit(self.key)
        chosen = suit_in_hand(self.filled.draft, self.key)
        none = Choice(f"{name}-none", name, names.NO_SUIT, self.words.text("count.suit.none"), not chosen)
        yield SuitKey(none, NO_SIGN)
        for suit, sign in SIGNS.items():
            called = self.words.text(f"suit.{suit}")
            yield SuitKey(Choice(f"{name}-{suit}", name, suit.value, called, suit == chosen), sign)

    def _concealed(self, row: int) -> Choice | None:
        if not self.settings.concealed_canasta:
            return None
        name = names.meld_concealed(self.key, row)
        return Choice(name, name, names.TICKED, self.words.text("count.concealed-meld"), name in self.filled.draft)

"""One side's part of the form, built from the rules of the match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.pad.values import SIDE_KEYS
from scorepad.rules.cards import JOKER, KINDS, TWO, read_cards
from scorepad.rules.melds import canasta_of, read_meld
from scorepad.rules.variants import Ruleset
from scorepad.web.count import names
from scorepad.web.count.occasions import Occasion, Side
from scorepad.web.count.steps import current_row
from scorepad.web.count.telling import Telling
from scorepad.web.count.values import Choice, Field, House, LeftForm, MeldRow, RareForm, SideForm, Tone


@dataclass(frozen=True, slots=True)
class SideMaker:
    """Makes the form of one side out of a draft and what is to be said of it."""

    occasion: Occasion
    draft: Mapping[str, str]
    telling: Telling
    words: Words
    side: Side

    @property
    def key(self) -> str:
        """The side's key in field names."""
        return SIDE_KEYS[self.side.position]

    @property
    def rules(self) -> Ruleset:
        """The rules of the match."""
        return self.occasion.rules

    def make(self) -> SideForm:
        """The whole of the side."""
        key, words = self.key, self.words
        opening = self._field(names.opening(key), words.text("count.opening"), words.text("count.opening.hint"))
        return SideForm(
            key=key,
            name=self.side.name,
            facts=tuple(self._facts()),
            ways=self._ways(names.way(key), {names.BY_TOTALS: "count.way.totals", names.BY_CARDS: "count.way.cards"}),
            canastas=tuple(self._canastas()),
            cards=self._field(names.cards(key), words.text("count.cards"), words.text("count.cards.hint")),
            melds=tuple(self._melds()),
            melds_notes=self.telling.beside(names.melds(key)),
            red=self._red(),
            left=self._left(),
            rare=self._rare(),
            opening=opening,
            opening_open=bool(opening.value.strip() or opening.notes),
        )

    def _facts(self) -> Iterator[str]:
        yield self.words.text("count.before", score=self.side.before)
        if self.side.minimum is not None:
            yield self.words.text("count.minimum", minimum=self.side.minimum)
        yield out_needs(self.rules, self.words)

    def _field(self, name: str, label: str, hint: str = "", told: str = "") -> Field:
        return Field(name, label, self.draft.get(name, ""), hint, self.telling.beside(name), told)

    def _ways(self, name: str, ways: Mapping[str, str]) -> tuple[Choice, ...]:
        """Radio buttons, value to message key; the first holds where nothing else was chosen."""
        typed = self.draft.get(name, "")
        chosen = typed if typed in ways else next(iter(ways))
        return tuple(
            Choice(f"{name}-{value}", name, value, self.words.text(key), value == chosen) for value, key in ways.items()
        )

    def _canastas(self) -> Iterator[Field]:
        worth = {kind.item: kind.points for kind in self.rules.settings.canastas}
        worth["concealed-canasta"] = self.rules.settings.concealed_canasta
        for item in self.rules.items:
            hint = self.words.signed(worth[item])
            yield self._field(names.canasta(self.key, item), self.words.text(f"item.{item}"), hint)

    def _red(self) -> Field:
        worth = self.rules.settings.red_three_values
        hint = self.words.text("count.red.hint", one=worth[0], count=len(worth), all=worth[-1])
        return self._field(names.red(self.key), self.words.text("item.red-threes"), hint)

    def _left(self) -> LeftForm:
        key = self.key
        ways = {names.IN_POINTS: "count.left.points", names.IN_CARDS: "count.left.cards"}
        points = self._field(names.left(key), self.words.text("count.left"), self._left_hint())
        return LeftForm(self._ways(names.left_way(key), ways), points, tuple(self._left_cards()))

    def _left_hint(self) -> str:
        alone = len(self.side.players) == 1
        return self.words.text("count.left.hint.one" if alone else "count.left.hint")

    def _left_cards(self) -> Iterator[Field]:
        apart = names.hands_apart(self.rules, self.side.position)
        for hand in range(apart or 1):
            name = names.left_cards(self.key, hand)
            label = self.words.text("count.left-cards")
            if apart is not None:
                label = self.words.text("count.left-cards.hand", hand=self._player(hand))
            yield self._field(name, label, self.words.text("count.notation.left"), self._cards_told(name))

    def _player(self, hand: int) -> str:
        name = self.side.players[hand].name if hand < len(self.side.players) else ""
        return name or self.words.text("count.player", number=hand + 1)

    def _cards_told(self, name: str) -> str:
        reading = read_cards(self.draft.get(name, ""))
        if not reading.cards.size:
            return ""
        points = reading.cards.points(self.rules.settings.card_points)
        return self.words.text("count.told", what=cards_in_words(reading.cards.counts, self.words), points=points)

    def _rare(self) -> RareForm:
        counts, houses = tuple(self._rare_counts()), tuple(self._houses())
        used = [field for field in counts if field.value.strip() not in ("", "0")]
        used += [house.points for house in houses if house.points.value.strip() or house.reason.value.strip()]
        all_fields = (*counts, *(field for house in houses for field in (house.points, house.reason)))
        told = ", ".join(field.label for field in used)
        return RareForm(counts, houses, told, bool(used) or any(field.notes for field in all_fields))

    def _rare_counts(self) -> Iterator[Field]:
        words, key = self.words, self.key
        worth = words.signed(-self.rules.settings.held_red_three)
        yield self._field(names.red_held(key), words.text("item.red-threes-held"), worth)
        for field in names.EXTRAS:
            if field in self.rules.entry_fields:
                yield self._field(names.counted(key, field), words.text(f"item.{field.replace('_', '-')}"))
        for code, penalty in self.rules.penalties.items():
            if penalty.points is not None:
                hint = words.signed(-penalty.points)
                yield self._field(names.penalty(key, code), words.text(f"penalty.{code}"), hint)

    def _houses(self) -> Iterator[House]:
        if "house" not in self.rules.penalties:
            return
        for row in names.house_rows(self.draft, self.key) or (0,):
            number = row + 1
            points = self.words.text("count.house.points", number=number)
            reason = self.words.text("count.house.reason", number=number)
            yield House(
                row,
                self._field(names.house_points(self.key, row), points, self.words.text("count.house.hint")),
                self._field(names.house_reason(self.key, row), reason),
            )

    def _melds(self) -> Iterator[MeldRow]:
        at = current_row(self.draft, self.key)
        for place, row in enumerate(names.meld_rows(self.draft, self.key) or (0,), 1):
            name = names.meld(self.key, row)
            field = self._field(name, self.words.text("count.meld", number=place), self.words.text("count.notation"))
            reading = read_cards(field.value)
            cards = cards_in_words(reading.cards.counts, self.words)
            told = self._meld_told(name) if reading.cards.size else ""
            yield MeldRow(field, row, row == at, told, cards, self._concealed(row))

    def _meld_told(self, name: str) -> str:
        """What the meld is and its points; only that it is being typed where it may not be."""
        meld = read_meld(read_cards(self.draft.get(name, "")).cards)
        kind = canasta_of(meld, self.rules.settings)
        wrong = any(note.tone is Tone.ERROR for note in self.telling.beside(name))
        key = f"count.kind.{kind.item}" if kind else "count.kind.wrong" if wrong else "count.kind.meld"
        points = meld.cards.points(self.rules.settings.card_points)
        return self.words.text("count.told", what=self.words.text(key), points=points)

    def _concealed(self, row: int) -> Choice | None:
        if not self.rules.settings.concealed_canasta:
            return None
        name = names.meld_concealed(self.key, row)
        return Choice(name, name, names.TICKED, self.words.text("count.concealed-meld"), name in self.draft)


def cards_in_words(counts: tuple[int, ...], words: Words) -> str:
    """Cards as people say them: `4 re, 2 pinelle e 1 jolly`."""
    order = sorted(range(len(KINDS)), key=lambda index: (index in (TWO, JOKER), index == JOKER))
    said = [
        f"{counts[index]} {words.plural(f'card.{KINDS[index]}', counts[index])}" for index in order if counts[index]
    ]
    return words.listing(said) if said else ""


def out_needs(rules: Ruleset, words: Words) -> str:
    """What a side must have to go out."""
    needs = words.plural("count.out-needs", rules.settings.canastas_needed)
    families = rules.settings.canasta_families_needed
    if not families:
        return needs
    told = [words.plural(f"count.family.{family}", count) for family, count in families]
    return words.text("count.out-needs.families", needs=needs, families=words.listing(told))

"""Who took the pile first and who went out: the part of the form that belongs to the whole hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.cards import KINDS, read_cards
from scorepad.rules.settings import Settings
from scorepad.web.count import names
from scorepad.web.count.fields import Choice
from scorepad.web.count.naming import out_needs, own_plural
from scorepad.web.count.needs import Needs
from scorepad.web.count.occasions import Occasion, Side
from scorepad.web.count.telling import Telling
from scorepad.web.count.values import AskForm, DiscardForm, OutForm


@dataclass(frozen=True, slots=True)
class OutMaker:
    """Makes the questions of the whole hand out of a draft and what is to be said of it."""

    occasion: Occasion
    draft: Mapping[str, str]
    telling: Telling
    words: Words

    @property
    def needs(self) -> Needs:
        """The fields that the rules of the match need."""
        return Needs(self.occasion.rules)

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.needs.settings

    def single(self) -> AskForm | None:
        """Who took the pile first, where that decides who lays together; the first answer bears the field's name."""
        if not self.needs.single:
            return None
        chosen = self.draft.get(names.SINGLE, "")
        values = {SIDE_KEYS[side.position]: side.name for side in self.occasion.sides}
        values[names.NOBODY] = self.words.text("count.single.nobody")
        choices = tuple(
            Choice(f"{names.SINGLE}-{value}" if place else names.SINGLE, names.SINGLE, value, label, value == chosen)
            for place, (value, label) in enumerate(values.items())
        )
        return AskForm(choices, self.telling.beside(names.SINGLE))

    def out(self) -> OutForm:
        """Who went out."""
        chosen = self.draft.get(names.OUT, "")
        nobody = Choice(
            "out-nobody", names.OUT, names.NOBODY, self.words.text("count.out.nobody"), chosen == names.NOBODY
        )
        rows = [tuple(self._goers(side, chosen)) for side in self.occasion.sides]
        first = rows[0][0]
        rows[0] = (Choice(names.OUT, first.name, first.value, first.label, first.chosen), *rows[0][1:])
        concealed = self._tick(names.CONCEALED, "count.concealed") if self.needs.concealed else None
        return OutForm(
            facts=tuple(self._facts()),
            rows=(*rows, (nobody,)),
            notes=self.telling.beside(names.OUT),
            shown=self._shown(),
            concealed=concealed,
            concealed_notes=self.telling.beside(names.CONCEALED),
            discard=self._discard(),
        )

    def _shown(self) -> str:
        """That whoever shows a special hand has gone out with it."""
        for side in self.occasion.sides:
            if self.needs.way(self.draft, SIDE_KEYS[side.position]) == names.BY_SPECIAL:
                return self.words.text("count.out.special", side=side.name)
        return ""

    # ------------------------------------------------------------------ what it needs, and what it is worth

    def _facts(self) -> Iterator[str]:
        settings, words = self.settings, self.words
        yield out_needs(self.occasion.rules, words)
        if settings.out_red_threes == "one-for-each-canasta":
            yield words.text("count.out-needs.red-threes")
        bars = [words.text(f"value.incomplete.{kind.name}") for kind in settings.incomplete if kind.bars_out]
        if bars:
            yield words.text("count.out-needs.complete", melds=words.listing(bars))
        if settings.permission == "must-ask":
            yield words.text("count.out-needs.permission")
        if settings.out_bonus:
            yield self._worth()

    def _worth(self) -> str:
        settings, words = self.settings, self.words
        key = "count.out.worth"
        if self.needs.concealed:
            key += ".concealed" if settings.concealed_out_bonus != settings.out_bonus else ".alike"
        told = [words.text(key, points=settings.out_bonus, concealed=settings.concealed_out_bonus)]
        more = "count.out.worth.more" if settings.out_bonus_adds == "sum" else "count.out.worth.canastas"
        for bonus in settings.out_bonus_canastas:
            families = [("natural", bonus.natural), ("mixed", bonus.mixed)]
            listed = words.listing(
                own_plural(f"count.family.{family}", count, self.occasion.rules, words)
                for family, count in families
                if count
            )
            told.append(words.text(more, points=bonus.points, canastas=bonus.canastas, families=listed))
        return f"{'; '.join(told)}."

    # ------------------------------------------------------------------ answers

    def _goers(self, side: Side, chosen: str) -> Iterator[Choice]:
        """Who of a side may have gone out: the side, and each of its players who has a name."""
        key = SIDE_KEYS[side.position]
        values = [(key, side.name)]
        if len(side.players) > 1:
            values += [(f"{key}.{player.hand}", player.name) for player in side.players if player.name]
        elif chosen.startswith(f"{key}."):
            chosen = key
        shown = {value for value, _ in values}
        unnamed = [player.hand for player in side.players if chosen == f"{key}.{player.hand}" and chosen not in shown]
        values += [(chosen, self.words.text("count.player", number=hand + 1)) for hand in unnamed]
        for value, name in values:
            yield Choice(f"out-{value.replace('.', '-')}", names.OUT, value, name, value == chosen)

    def _tick(self, name: str, key: str) -> Choice:
        return Choice(name, name, names.TICKED, self.words.text(key), name in self.draft)

    def _discard(self) -> DiscardForm:
        asked = self.needs.must_discard
        chosen = self.draft.get(names.DISCARD, "")
        none = self._tick(names.DISCARD_NONE, "count.discard.none")
        notes, none_notes = self.telling.beside(names.DISCARD), self.telling.beside(names.DISCARD_NONE)
        used = chosen or none.chosen or notes or none_notes
        must = self.words.text(f"count.discard.must.{self.settings.last_discard_special}") if asked else ""
        return DiscardForm(tuple(self._cards(chosen)), notes, none, none_notes, must, is_open=bool(used))

    def _cards(self, chosen: str) -> Iterator[Choice]:
        """The cards that may have been discarded last, and what was noted otherwise."""
        yield Choice("", names.DISCARD, "", self.words.text("count.discard.unknown"), not chosen)
        kinds = {
            kind.value: self.words.plural(f"card.{kind}", 1) for kind in (*KINDS[2:-2], *KINDS[1::-1], *KINDS[-2:])
        }
        for token, name in kinds.items():
            label = self.words.text("count.discard.card", token=token, name=name)
            yield Choice("", names.DISCARD, token, label, token == chosen)
        if chosen and chosen not in kinds:
            cards = read_cards(chosen).cards
            told = [self.words.plural(f"card.{kind}", 1) for index, kind in enumerate(KINDS) if cards.counts[index]]
            yield Choice("", names.DISCARD, chosen, f"{chosen} {' '.join(told)}".strip(), True)

"""What one side of a draft laid, read: in totals, by the value of its cards, or card by card."""

from __future__ import annotations

from typing import Any

from scorepad.i18n.typed_cards import notated
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.cards import Kind, read_cards
from scorepad.web.count import names
from scorepad.web.count.field_reading import FieldReader
from scorepad.web.count.parties import out_side


class LaidReader(FieldReader):
    """What a side laid, or its pair with it, while it is read into `count`."""

    __slots__ = ()

    def read_laid(self) -> None:
        """Put what was laid into the hand."""
        way = self.needs.way(self.draft, self.key)
        at = self._laid_by()
        for position in {at, *(each for each in self.parties.of(self.position) if self._writes_for(each))}:
            self.note((), self._stands_in(way), position)
        laid = self._melds(at) if way in (names.BY_CARDS, names.NOTHING) else self._totals(at, way)
        self.count.hand["sides"][SIDE_KEYS[at]].update(laid)

    def _stands_in(self, way: str) -> str:
        """The field in which it is told, the first of several."""
        if way == names.BY_VALUES:
            return names.value(self.key, self.needs.values[0][0])
        return names.cards(self.key) if way == names.BY_TOTALS else names.melds(self.key)

    def _writes_for(self, position: int) -> bool:
        return self.parties.writer(position) == self.position

    def _laid_by(self) -> int:
        """The side under which the rules look for it: whoever went out, where that decides what may lie there."""
        out = out_side(self.draft, self.needs.rules)
        if out is None or not self._writes_for(out):
            return self.position
        rows = names.meld_rows(self.draft, self.key)
        melds = [read_cards(notated(self.text(names.meld(self.key, row)))).cards for row in rows]
        by_totals = self.needs.way(self.draft, self.key) in (names.BY_TOTALS, names.BY_VALUES)
        matters = names.CONCEALED in self.draft or by_totals or any(meld.of(Kind.BLACK_THREE) for meld in melds)
        return out if matters else self.position

    def _totals(self, at: int, way: str) -> dict[str, Any]:
        known = len(self.count.troubles)
        canastas = self._canastas(at)
        incomplete = self._incomplete(at)
        points = self._by_values() if way == names.BY_VALUES else self._points()
        if points is None or len(self.count.troubles) > known:
            return {}
        if not points and not canastas and not incomplete:
            return {"melds": []}
        return {"totals": {"canastas": canastas, "cards": points, **incomplete}}

    def _points(self) -> int | None:
        field = names.cards(self.key)
        if self.is_blank(field):
            self.trouble(field, "cards-missing", missing=True)
        return self.figure(field)

    def _by_values(self) -> int:
        """The points of the cards, out of how many there are of each value."""
        fields = {points: names.value(self.key, points) for points, _ in self.needs.values}
        if all(map(self.is_blank, fields.values())):
            self.trouble(next(iter(fields.values())), "values-missing", missing=True)
        return self.by_value(fields)

    def _canastas(self, at: int) -> dict[str, int]:
        canastas = {}
        for item in self.needs.rules.items:
            field = names.canasta(self.key, item)
            self.note(("totals", "canastas", item), field, at)
            if times := self.times(field):
                canastas[item] = times
        return canastas

    def _incomplete(self, at: int) -> dict[str, Any]:
        found = {}
        for kind in self.needs.incomplete:
            field = names.incomplete(self.key, kind.name)
            self.note(("totals", "incomplete", kind.name), field, at)
            if times := self.times(field):
                found[kind.name] = times
        return {"incomplete": found} if found else {}

    def _melds(self, at: int) -> dict[str, Any]:
        if self.needs.way(self.draft, self.key) == names.NOTHING:
            return {"melds": []}
        melds: list[Any] = []
        rows = names.meld_rows(self.draft, self.key)
        for row in rows:
            name = names.meld(self.key, row)
            if text := self.text(name):
                self.note(("melds", len(melds)), name, at)
                told = self.needs.settings.concealed_canasta and names.meld_concealed(self.key, row) in self.draft
                cards = self.notated(name, text)
                melds.append({"cards": cards, "concealed": True} if told else cards)
        if all(self.is_blank(names.meld(self.key, row)) for row in rows):
            reason = "melds-missing" if self.needs.totals else "melds-cards-missing"
            self.trouble(names.meld(self.key, max(rows, default=0)), reason, missing=True)
        return {"melds": melds}

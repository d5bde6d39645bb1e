"""One side of a draft, read: what it laid, holds and owes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorepad.i18n import Language
from scorepad.pad.values import SIDE_KEYS
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.entries import Place
from scorepad.web.count import names
from scorepad.web.count.figures import Misread, read_figure
from scorepad.web.count.needs import Needs
from scorepad.web.count.parties import Parties, out_side
from scorepad.web.count.said import Count, Trouble

MOST_TIMES = 99
"""Nothing is counted in hundreds."""


@dataclass(frozen=True, slots=True)
class SideReader:
    """One side of the draft while it is read into `count`."""

    count: Count
    draft: Mapping[str, str]
    needs: Needs
    parties: Parties
    position: int
    language: Language

    @property
    def key(self) -> str:
        """The side's key, in field names and in the hand."""
        return SIDE_KEYS[self.position]

    # ------------------------------------------------------------------ what stands in a field

    def text(self, name: str) -> str:
        """What was typed in a field; nothing where it is longer than is read, which is then noted."""
        text = self.draft.get(name, "").strip()
        if len(text) <= names.LONGEST_TEXT:
            return text
        if not any(trouble.field == name for trouble in self.count.troubles):
            self.trouble(name, "long")
        return ""

    def is_blank(self, name: str) -> bool:
        """Whether nothing was typed in a field."""
        return not self.draft.get(name, "").strip()

    def figure(self, name: str) -> int | None:
        """The figure in a field; None where there is none to be read, which is then noted."""
        figure = read_figure(self.draft.get(name, ""), self.language)
        if isinstance(figure, Misread):
            self.trouble(name, figure.value)
            return None
        return figure

    def times(self, name: str) -> int:
        """How many times; nothing typed is none."""
        figure = self.figure(name) or 0
        if figure > MOST_TIMES:
            self.trouble(name, "many")
            return 0
        return figure

    def cards(self, name: str) -> str:
        """The cards in a field; `0` says that there are none."""
        text = self.text(name)
        return "" if text == "0" else text

    def trouble(self, name: str, reason: str, *, missing: bool = False) -> None:
        """Note what cannot be read, or is missing: the points of all who lay together wait for it."""
        self.count.troubles.append(Trouble(name, reason, self.position, missing))
        self.count.unfinished.update(self.parties.of(self.position))

    def note(self, place: Place, name: str, position: int | None = None) -> None:
        """Note in which field a place of the side was typed."""
        self.count.fields["sides", self.position if position is None else position, *place] = name

    # ------------------------------------------------------------------ the side

    def read(self) -> None:
        """Put the side into the hand, as far as it can be read."""
        side = self.count.hand["sides"][self.key]
        if self.needs.way(self.draft, self.key) == names.BY_SPECIAL:
            side.update(self._special())
        else:
            if self.position in self.parties.writers:
                self._read_laid()
            side.update(self._threes())
            side.update(self._left())
            if not side.keys().isdisjoint(kind.key for kind in self.needs.held):
                side.setdefault("left", 0)
            if self.needs.opening:
                side.update(self._opening())
        side.update(self._penalties())

    def _special(self) -> dict[str, Any]:
        field = names.special(self.key)
        self.note((), field)
        chosen = self.draft.get(field, "")
        if chosen in dict(self.needs.special):
            return {"special": chosen}
        self.trouble(field, "special-missing", missing=True)
        return {}

    # ------------------------------------------------------------------ what it laid

    def _read_laid(self) -> None:
        """What the side laid, or its pair with it."""
        way = self.needs.way(self.draft, self.key)
        field = names.cards(self.key) if way == names.BY_TOTALS else names.melds(self.key)
        at = self._laid_by()
        for position in {at, *(each for each in self.parties.of(self.position) if self._writes_for(each))}:
            self.note((), field, position)
        laid = self._totals(at) if way == names.BY_TOTALS else self._melds(at)
        self.count.hand["sides"][SIDE_KEYS[at]].update(laid)

    def _writes_for(self, position: int) -> bool:
        return self.parties.writer(position) == self.position

    def _laid_by(self) -> int:
        """The side under which the rules look for it: whoever went out, where that decides what may lie there."""
        out = out_side(self.draft, self.needs.rules)
        if out is None or not self._writes_for(out):
            return self.position
        rows = names.meld_rows(self.draft, self.key)
        melds = [read_cards(self.text(names.meld(self.key, row))).cards for row in rows]
        by_totals = self.needs.way(self.draft, self.key) == names.BY_TOTALS
        matters = names.CONCEALED in self.draft or by_totals or any(meld.of(Kind.BLACK_THREE) for meld in melds)
        return out if matters else self.position

    def _totals(self, at: int) -> dict[str, Any]:
        known = len(self.count.troubles)
        canastas = self._canastas(at)
        incomplete = self._incomplete(at)
        points = self.figure(names.cards(self.key))
        if self.is_blank(names.cards(self.key)):
            self.trouble(names.cards(self.key), "cards-missing", missing=True)
        if points is None or len(self.count.troubles) > known:
            return {}
        if not points and not canastas and not incomplete:
            return {"melds": []}
        return {"totals": {"canastas": canastas, "cards": points, **incomplete}}

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
                melds.append({"cards": text, "concealed": True} if told else text)
        if all(self.is_blank(names.meld(self.key, row)) for row in rows):
            reason = "melds-missing" if self.needs.totals else "melds-cards-missing"
            self.trouble(names.meld(self.key, max(rows, default=0)), reason, missing=True)
        return {"melds": melds}

    # ------------------------------------------------------------------ threes, and what is in hand

    def _threes(self) -> dict[str, Any]:
        """Threes that are counted, and players for what they hold."""
        wanted = {"red_threes": names.red(self.key)} if self.needs.red_threes else {}
        wanted |= {"red_threes_held": names.red_held(self.key)} if self.needs.red_threes_held else {}
        wanted |= {name: names.counted(self.key, name) for name, _ in self.needs.black_threes}
        if self._left_in_points:
            wanted |= {kind.key: names.counted(self.key, kind.key) for kind in self.needs.held}
        found = {}
        for key, name in wanted.items():
            self.note((key,), name)
            if times := self.times(name):
                found[key] = times
        return found

    @property
    def _left_in_points(self) -> bool:
        return self.needs.left_way(self.draft, self.key) == names.IN_POINTS

    def _left(self) -> dict[str, Any]:
        key = self.key
        if self._left_in_points:
            self.note(("left",), names.left(key))
            points = self.figure(names.left(key))
            return {"left": points} if points else {}
        together = names.left_cards(key, names.ALL_HANDS)
        apart = [names.left_cards(key, hand) for hand in range(self.needs.hands_apart(self.position) or 1)]
        if not self.is_blank(together) and len(apart) > 1:
            return self._left_together(together, apart)
        self.note(("left",), apart[0])
        if len(apart) == 1:
            text = self.cards(apart[0])
            return {"left": text} if text else {}
        for hand, name in enumerate(apart):
            self.note(("left", hand), name)
        return {"left": [self.cards(name) for name in apart]}

    def _left_together(self, field: str, apart: list[str]) -> dict[str, Any]:
        """Hands that somebody noted as one."""
        self.note(("left",), field)
        if not all(self.is_blank(name) for name in apart):
            self.trouble(field, "left-twice")
        return {"left": self.cards(field)}

    # ------------------------------------------------------------------ penalties, and the opening

    def _penalties(self) -> dict[str, Any]:
        given: list[Any] = []
        for code, penalty in self.needs.rules.penalties.items():
            if penalty.points is None:
                continue
            for _ in range(self.times(names.penalty(self.key, code))):
                self.note(("penalties", len(given)), names.penalty(self.key, code))
                given.append(code)
        rows = names.house_rows(self.draft, self.key) if "house" in self.needs.rules.penalties else ()
        for row in rows:
            if house := self._house(row):
                self.note(("penalties", len(given)), names.house_points(self.key, row))
                given.append(house)
        return {"penalties": given} if given else {}

    def _house(self, row: int) -> dict[str, Any] | None:
        points_field, reason_field = names.house_points(self.key, row), names.house_reason(self.key, row)
        points, reason = self.figure(points_field), self.text(reason_field)
        if self.is_blank(points_field) and not self.is_blank(reason_field):
            self.trouble(points_field, "house-points", missing=True)
        if self.is_blank(reason_field) and not self.is_blank(points_field):
            self.trouble(reason_field, "house-reason", missing=True)
        return {"code": "house", "points": points, "reason": reason} if points is not None and reason else None

    def _opening(self) -> dict[str, Any]:
        self.note(("opening",), names.opening(self.key))
        melds = names.lines_of(self.text(names.opening(self.key)))
        return {"opening": {"melds": list(melds)}} if melds else {}

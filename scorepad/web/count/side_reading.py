"""One side of a draft, read: what it laid, holds and owes."""

from __future__ import annotations

from typing import Any

from scorepad.rules.entries import HOUSE
from scorepad.web.count import names
from scorepad.web.count.laid_reading import LaidReader


class SideReader(LaidReader):
    """One side of the draft while it is read into `count`."""

    __slots__ = ()

    def read(self) -> None:
        """Put the side into the hand, as far as it can be read."""
        side = self.count.hand["sides"][self.key]
        way = self.needs.way(self.draft, self.key)
        side.update(self._adjustments())
        if way == names.BY_SUM:
            side.update(self._sum())
            self._refuse_penalties()
            return
        if way == names.BY_SPECIAL:
            side.update(self._special())
        else:
            if self.position in self.parties.writers:
                self.read_laid()
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

    def _sum(self) -> dict[str, Any]:
        """The hand as the table agreed it, in points."""
        field = names.agreed_sum(self.key)
        self.note((), field)
        points = self.figure(field)
        if self.is_blank(field):
            self.trouble(field, "sum-missing", missing=True)
        if points is None:
            return {}
        return {"sum": -points if names.sum_below(self.key) in self.draft else points}

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
        if self.needs.left_way(self.draft, key) == names.IN_VALUES:
            return self._left_by_value()
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

    def _left_by_value(self) -> dict[str, Any]:
        """The points of the cards left, out of how many there are of each value."""
        fields = {points: names.left_value(self.key, points) for points, _ in self.needs.left_values}
        self.note(("left",), next(iter(fields.values())))
        points = self.by_value(fields)
        return {"left": points} if points else {}

    def _left_together(self, field: str, apart: list[str]) -> dict[str, Any]:
        """Hands that somebody noted as one."""
        self.note(("left",), field)
        if not all(self.is_blank(name) for name in apart):
            self.trouble(field, "left-twice")
        return {"left": self.cards(field)}

    # ------------------------------------------------------------------ penalties, points agreed, and the opening

    def _penalties(self) -> dict[str, Any]:
        given: list[Any] = []
        for code, penalty in self.needs.rules.penalties.items():
            if penalty.points is None:
                continue
            for _ in range(self.times(names.penalty(self.key, code))):
                self.note(("penalties", len(given)), names.penalty(self.key, code))
                given.append(code)
        rows = names.house_rows(self.draft, self.key) if HOUSE in self.needs.rules.penalties else ()
        for row in rows:
            if house := self._house(row):
                self.note(("penalties", len(given)), names.house_points(self.key, row))
                given.append(house)
        return {"penalties": given} if given else {}

    def _refuse_penalties(self) -> None:
        """Beside a sum no penalty counts; what was noted is told, so that nothing is lost without a word."""
        penalties, key = self.needs.rules.penalties, self.key
        counted = [names.penalty(key, code) for code, penalty in penalties.items() if penalty.points is not None]
        rows = names.house_rows(self.draft, key) if HOUSE in penalties else ()
        houses = [field(key, row) for row in rows for field in (names.house_points, names.house_reason)]
        for name in (*counted, *houses):
            if self.draft.get(name, "").strip() not in ("", "0"):
                self.trouble(name, "sum-penalty")

    def _house(self, row: int) -> dict[str, Any] | None:
        points_field, reason_field = names.house_points(self.key, row), names.house_reason(self.key, row)
        points, reason = self.figure(points_field), self.text(reason_field)
        if self.is_blank(points_field) and not self.is_blank(reason_field):
            self.trouble(points_field, "house-points", missing=True)
        if self.is_blank(reason_field) and not self.is_blank(points_field):
            self.trouble(reason_field, "house-reason", missing=True)
        return {"code": HOUSE, "points": points, "reason": reason} if points is not None and reason else None

    def _adjustments(self) -> dict[str, Any]:
        """Points that the table agreed, each with its reason."""
        given: list[dict[str, Any]] = []
        for row in names.adjust_rows(self.draft, self.key):
            if adjustment := self._adjustment(row):
                self.note(("adjustments", len(given)), names.adjust_points(self.key, row))
                given.append(adjustment)
        return {"adjustments": given} if given else {}

    def _adjustment(self, row: int) -> dict[str, Any] | None:
        points_field, reason_field = names.adjust_points(self.key, row), names.adjust_reason(self.key, row)
        less = names.adjust_less(self.key, row) in self.draft
        points, reason = self.figure(points_field), self.text(reason_field)
        if self.is_blank(points_field) and (less or not self.is_blank(reason_field)):
            self.trouble(points_field, "adjust-points", missing=True)
        if self.is_blank(reason_field) and not self.is_blank(points_field):
            self.trouble(reason_field, "adjust-reason", missing=True)
        if points is None or not reason:
            return None
        return {"points": -points if less else points, "reason": reason}

    def _opening(self) -> dict[str, Any]:
        self.note(("opening",), names.opening(self.key))
        field = names.opening(self.key)
        melds = [self.notated(field, line) for line in names.lines_of(self.text(field))]
        return {"opening": {"melds": melds}} if melds else {}

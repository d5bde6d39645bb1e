"""What few hands have, folded away on the form of a side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorepad.i18n import Words
from scorepad.rules.entries import HOUSE
from scorepad.web.count import names
from scorepad.web.count.fields import Field
from scorepad.web.count.laid import Filled
from scorepad.web.count.naming import item_named
from scorepad.web.count.needs import Needs
from scorepad.web.count.side_values import Adjustment, House, RareForm


@dataclass(frozen=True, slots=True)
class RareMaker:
    """Makes that part of a side's form."""

    filled: Filled
    needs: Needs
    key: str

    @property
    def words(self) -> Words:
        """The words of the page."""
        return self.filled.words

    def make(self) -> RareForm:
        """The whole of it, open where anything of it was typed."""
        held, penalties, houses = tuple(self._held()), tuple(self._penalties()), tuple(self._houses())
        title = _title(held=bool(held), penalties=bool(penalties or houses), words=self.words)
        rare = RareForm(title, held, penalties, houses, tuple(self._adjustments()), "", is_open=False)
        used = [field for field in (*held, *penalties) if field.value.strip() not in ("", "0")]
        used += [each.points for each in houses if each.points.value.strip() or each.reason.value.strip()]
        used += [each.points for each in rare.adjustments if self._is_used(each)]
        told = ", ".join(field.label for field in used)
        return replace(rare, told=told, is_open=bool(used) or any(field.notes for field in rare.fields))

    def _held(self) -> Iterator[Field]:
        words, key = self.words, self.key
        if self.needs.red_threes_held:
            worth = words.signed(-self.needs.rules.settings.held_red_three)
            label, name = item_named("red-threes-held", self.needs.rules, words), names.red_held(key)
            yield self.filled.field(name, label, worth, most=self.needs.most(name))

    def _penalties(self) -> Iterator[Field]:
        for code, penalty in self.needs.rules.penalties.items():
            if penalty.points is not None:
                label, hint = self.words.text(f"penalty.{code}"), self.words.signed(-penalty.points)
                yield self.filled.field(names.penalty(self.key, code), label, hint)

    def _houses(self) -> Iterator[House]:
        if HOUSE not in self.needs.rules.penalties:
            return
        for row in names.house_rows(self.filled.draft, self.key) or (0,):
            number = row + 1
            points = self.words.text("count.house.points", number=number)
            reason = self.words.text("count.house.reason", number=number)
            yield House(
                row,
                self.filled.field(names.house_points(self.key, row), points, self.words.text("count.house.hint")),
                self.filled.field(names.house_reason(self.key, row), reason),
            )

    def _adjustments(self) -> Iterator[Adjustment]:
        for row in names.adjust_rows(self.filled.draft, self.key) or (0,):
            number = row + 1
            points = self.words.text("count.adjust.points", number=number)
            reason = self.words.text("count.adjust.reason", number=number)
            yield Adjustment(
                row,
                self.filled.field(names.adjust_points(self.key, row), points, self.words.text("count.adjust.hint")),
                self.filled.tick(names.adjust_less(self.key, row), "count.adjust.less"),
                self.filled.field(names.adjust_reason(self.key, row), reason),
            )

    @staticmethod
    def _is_used(each: Adjustment) -> bool:
        return bool(each.points.value.strip() or each.reason.value.strip() or each.less.chosen)


def _title(*, held: bool, penalties: bool, words: Words) -> str:
    """What is folded away there, in words."""
    parts = {"held": held, "penalties": penalties, "adjustments": True}
    told = words.listing(words.text(f"count.rare.{part}") for part, has in parts.items() if has)
    return told[:1].upper() + told[1:]

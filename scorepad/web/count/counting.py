"""What of a draft counts. Two counts are the same where this is, whatever else was typed beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorepad.i18n import Language
from scorepad.i18n.typed_cards import notated
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.cards import read_cards
from scorepad.rules.variants import Ruleset
from scorepad.web.count import names
from scorepad.web.count.needs import Needs
from scorepad.web.figures import read_figure

Counted = dict[str, object]
"""What counts, by the field that it stands in; melds, house penalties and points agreed together, in no order."""

_OF_SEVERAL = re.compile(r"([abc]-(?:meld|house|adjust))-[0-9]+(?:-[a-z]+)?")


def what_counts(draft: Mapping[str, str], rules: Ruleset, language: Language) -> Counted:
    """What a draft counts, however it was written: `1.500` is `1500`, `K K` is `2xK`, nothing typed is none."""
    found: Counted = {name: text for name in names.HAND_FIELDS if (text := draft.get(name, "").strip())}
    for key in SIDE_KEYS[: len(rules.settings.sides)]:
        found |= _Side(draft, key, Needs(rules), language).counts()
    return {name: value for name, value in found.items() if value}


def counted_as(field: str) -> str:
    """The key in `what_counts` under which a field's content stands, where it counts."""
    found = _OF_SEVERAL.fullmatch(field)
    return f"{found[1]}s" if found else field


def with_what_stands(
    mine: Mapping[str, str], there: Mapping[str, str], rules: Ruleset, language: Language
) -> dict[str, str]:
    """My draft of a count that is the same as what stands there, with what was typed there and does not count."""
    counts = what_counts(there, rules, language)
    together = dict(mine)
    for field, text in there.items():
        name = counted_as(field)
        if name in counts or names.is_view(field) or name.endswith("-melds"):
            continue
        if not together.get(field, "").strip():
            together[field] = text
    for key in SIDE_KEYS:
        if names.melds(key) not in counts:
            _add_melds(together, there, key)
    return together


def _add_melds(together: dict[str, str], there: Mapping[str, str], key: str) -> None:
    """The melds there that are not among mine, in rows that stand empty."""
    mine = {together[names.meld(key, row)].strip() for row in names.meld_rows(together, key)}
    for row in names.meld_rows(there, key):
        text = there[names.meld(key, row)]
        free = [each for each in range(names.MOST_ROWS) if not together.get(names.meld(key, each), "").strip()]
        if text.strip() and text.strip() not in mine and free:
            together[names.meld(key, free[0])] = text
            if names.meld_concealed(key, row) in there:
                together[names.meld_concealed(key, free[0])] = names.TICKED


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a draft."""

    draft: Mapping[str, str]
    key: str
    needs: Needs
    language: Language

    def counts(self) -> Counted:
        """What of the side counts."""
        key = self.key
        agreed: Counted = {names.adjusts(key): tuple(sorted(self.adjusts()))}
        owed = agreed | {
            names.penalty(key, code): self.times(names.penalty(key, code)) for code in self.needs.rules.penalties
        }
        owed |= {names.houses(key): tuple(sorted(self.houses()))}
        if self.needs.way(self.draft, key) == names.BY_SUM:
            # A penalty is refused beside a sum: two drafts that differ in it are not the same count.
            return {**owed, **self.summed()}
        if self.needs.way(self.draft, key) == names.BY_SPECIAL:
            return {**owed, names.way(key): names.BY_SPECIAL, names.special(key): self.text(names.special(key))}
        times = [names.red(key), names.red_held(key)]
        times += [names.counted(key, extra) for extra, _ in self.needs.black_threes]
        counted = {name: self.times(name) for name in times}
        return {**owed, **self.laid(), **counted, **self.left(), names.opening(key): self.opening()}

    def laid(self) -> Counted:
        """What counts of what was laid: that of the way chosen."""
        way = self.needs.way(self.draft, self.key)
        if way == names.NOTHING:
            return {names.way(self.key): way}
        found = self.by_cards() if way == names.BY_CARDS else {**self.canastas(), **self.points(way)}
        return _with_way(found, names.way(self.key), way)

    def left(self) -> Counted:
        """What counts of what is left in hand: that of the way chosen."""
        way = self.needs.left_way(self.draft, self.key)
        ways = {names.IN_CARDS: self.left_in_cards, names.IN_VALUES: self.left_by_value}
        return _with_way(ways.get(way, self.left_in_points)(), names.left_way(self.key), way)

    def summed(self) -> Counted:
        """What counts of a side of which only the sum is told."""
        key = self.key
        found: Counted = {names.agreed_sum(key): self.figure(names.agreed_sum(key))}
        if found[names.agreed_sum(key)] and names.sum_below(key) in self.draft:
            found[names.sum_below(key)] = names.TICKED
        return _with_way(found, names.way(key), names.BY_SUM)

    def canastas(self) -> Counted:
        counted: Counted = {
            names.canasta(self.key, item): self.times(names.canasta(self.key, item)) for item in self.needs.rules.items
        }
        for kind in self.needs.incomplete:
            counted[names.incomplete(self.key, kind.name)] = self.times(names.incomplete(self.key, kind.name))
        return counted

    def points(self, way: str) -> Counted:
        """What tells the points of the cards: the figure, or how many there are of each value."""
        if way == names.BY_TOTALS:
            return {names.cards(self.key): self.figure(names.cards(self.key))}
        fields = [names.value(self.key, points) for points, _ in self.needs.values]
        return {field: self.figure(field) for field in fields}

    def by_cards(self) -> Counted:
        melds = [
            (self.cards(names.meld(self.key, row)), names.meld_concealed(self.key, row) in self.draft)
            for row in names.meld_rows(self.draft, self.key)
        ]
        return {names.melds(self.key): tuple(sorted(meld for meld in melds if meld[0]))}

    def left_in_points(self) -> Counted:
        held = [names.counted(self.key, kind.key) for kind in self.needs.held]
        return {names.left(self.key): self.figure(names.left(self.key)), **{name: self.times(name) for name in held}}

    def left_by_value(self) -> Counted:
        fields = [names.left_value(self.key, points) for points, _ in self.needs.left_values]
        return {field: self.figure(field) for field in fields}

    def left_in_cards(self) -> Counted:
        fields = [name for name in self.draft if name.startswith(f"{self.key}-left-cards-")]
        return {name: self.cards(name) for name in fields}

    def houses(self) -> Iterator[tuple[str, str]]:
        for row in names.house_rows(self.draft, self.key):
            house = self.figure(names.house_points(self.key, row)), self.text(names.house_reason(self.key, row))
            if any(house):
                yield house

    def adjusts(self) -> Iterator[tuple[str, str, bool]]:
        for row in names.adjust_rows(self.draft, self.key):
            less = names.adjust_less(self.key, row) in self.draft
            points, reason = names.adjust_points(self.key, row), self.text(names.adjust_reason(self.key, row))
            if self.figure(points) or reason:
                yield self.figure(points), reason, less

    def opening(self) -> tuple[str, ...]:
        return tuple(sorted(map(_same_cards, names.lines_of(self.text(names.opening(self.key))))))

    def text(self, name: str) -> str:
        return self.draft.get(name, "").strip()

    def cards(self, name: str) -> str:
        return _same_cards(self.text(name))

    def figure(self, name: str) -> str:
        """A figure in digits; as it was typed where it is none."""
        figure = read_figure(self.draft.get(name, ""), self.language)
        return str(figure) if isinstance(figure, int) else self.text(name)

    def times(self, name: str) -> str:
        """How many times; none at all where it is nothing."""
        figure = self.figure(name)
        return "" if figure == "0" else figure


def _with_way(counted: Counted, field: str, way: str) -> Counted:
    """What counts in a way, and the way itself where anything was typed in it."""
    found = {name: value for name, value in counted.items() if value}
    return {**found, field: way} if found else {}


def _same_cards(text: str) -> str:
    """Cards however they are written; as they were typed where some are no cards."""
    reading = read_cards(notated(text))
    return " ".join(text.split()) if reading.unknown or not text else f"{reading.cards.counts} {reading.cards.suited}"

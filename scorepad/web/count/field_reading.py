"""What stands in the fields of one side of a draft, and what of it cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorepad.i18n import Language
from scorepad.i18n.typed_cards import notated, read_typed
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.entries import Place
from scorepad.web.count import names
from scorepad.web.count.needs import Needs
from scorepad.web.count.parties import Parties
from scorepad.web.count.said import Count, Trouble
from scorepad.web.figures import Misread, read_figure

MOST_TIMES = 99
"""Nothing is counted in hundreds."""


@dataclass(frozen=True, slots=True)
class FieldReader:
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

    def text(self, name: str) -> str:
        """What was typed in a field; nothing where it is longer than is read, which is then noted."""
        text = self.draft.get(name, "").strip()
        if len(text) <= names.LONGEST_TEXT:
            return text
        if not any(trouble.field == name for trouble in self.count.troubles):
            self.trouble(name, "long", limit=names.LONGEST_TEXT)
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

    def by_value(self, fields: Mapping[int, str]) -> int:
        """The points of cards, out of how many there are of each value."""
        return sum(points * self._so_many(field) for points, field in fields.items())

    def _so_many(self, field: str) -> int:
        """The cards of a value; no more than the decks hold of it."""
        count, most = self.figure(field) or 0, self.needs.most(field)
        if most is not None and count > most:
            self.trouble(field, "value-many", limit=most)
        return count

    def cards(self, name: str) -> str:
        """The cards in a field; `0` says that there are none."""
        text = self.text(name)
        return "" if text == "0" else self.notated(name, text)

    def notated(self, name: str, text: str) -> str:
        """The cards typed in a field, or a part of it, in notation; what may be read in two ways is noted."""
        for why, given in read_typed(text).doubts[:1]:
            self.trouble(name, why, missing=True, given=given[: names.LONGEST_ECHO])
        return notated(text)

    def trouble(self, name: str, reason: str, *, missing: bool = False, limit: int = 0, given: str = "") -> None:
        """Note what cannot be read, or is missing: the points of all who lay together wait for it."""
        self.count.troubles.append(Trouble(name, reason, self.position, missing, limit, given))
        self.count.unfinished.update(self.parties.of(self.position))

    def note(self, place: Place, name: str, position: int | None = None) -> None:
        """Note in which field a place of the side was typed."""
        self.count.fields["sides", self.position if position is None else position, *place] = name

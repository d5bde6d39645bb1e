"""From the draft to the hand of the contract: what can be read, and what cannot, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scorepad.i18n import Language
from scorepad.pad.values import SIDE_KEYS
from scorepad.rules.entries import Place
from scorepad.rules.variants import Ruleset
from scorepad.web.count import names
from scorepad.web.count.figures import Misread, read_figure

MOST_TIMES = 99
"""Nothing is counted in hundreds."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that cannot be read, or is missing: the field, and the end of its message key.

    `missing` is what was not typed yet: told while typing as something still to do, and only at the end as an error.
    """

    field: str
    reason: str
    side: int | None = None
    missing: bool = False


@dataclass(slots=True)
class Count:
    """What a draft says. `hand` holds all that could be read, in the contract's JSON.

    `fields` tells which field a place of the hand was typed in; `unfinished` are the sides whose points cannot be told
    yet, left out of `hand` as far as that would make the rules say something untrue.
    """

    hand: dict[str, Any] = field(default_factory=dict)
    fields: dict[Place, str] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    unfinished: set[int] = field(default_factory=set)

    def field_of(self, place: Place) -> str | None:
        """The field in which this place of the hand was typed, or that it stands in."""
        for length in range(len(place), 0, -1):
            if place[:length] in self.fields:
                return self.fields[place[:length]]
        return None


def read_draft(draft: Mapping[str, str], rules: Ruleset, language: Language) -> Count:
    """Read a draft, whatever it holds."""
    count = Count()
    sides = {}
    for position, key in enumerate(SIDE_KEYS[: len(rules.settings.sides)]):
        sides[key] = _Side(count, draft, rules, position, language).read()
    count.hand["sides"] = sides
    _read_out(count, draft, rules)
    _ask_for_hands(count, draft, rules)
    return count


def _ask_for_hands(count: Count, draft: Mapping[str, str], rules: Ruleset) -> None:
    """Nobody but who went out holds no cards: what is left blank there was forgotten, and is not nothing."""
    out = count.hand.get("out")
    for position, key in enumerate(SIDE_KEYS[: len(rules.settings.sides)]):
        alone = rules.settings.sides[position] - rules.settings.resting[position] == 1
        went_out = alone and out is not None and out["side"] == key
        by_cards = draft.get(names.left_way(key)) == names.IN_CARDS
        fields = [names.left(key)]
        if by_cards:
            fields = [names.left_cards(key, hand) for hand in range(names.hands_apart(rules, position) or 1)]
        if not went_out and not any(draft.get(name, "").strip() for name in fields):
            count.troubles.append(Trouble(fields[0], "left-missing", position, missing=True))


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of the draft while it is read."""

    count: Count
    draft: Mapping[str, str]
    rules: Ruleset
    position: int
    language: Language

    @property
    def key(self) -> str:
        return SIDE_KEYS[self.position]

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

    def trouble(self, name: str, reason: str, *, missing: bool = False) -> None:
        self.count.troubles.append(Trouble(name, reason, self.position, missing))
        self.count.unfinished.add(self.position)

    def note(self, place: Place, name: str) -> None:
        self.count.fields["sides", self.position, *place] = name

    def read(self) -> dict[str, Any]:
        """The side in JSON, as far as it can be read."""
        key = self.key
        by_cards = self.draft.get(names.way(key)) == names.BY_CARDS
        self.note((), names.melds(key) if by_cards else names.cards(key))
        laid = self._melds() if by_cards else self._totals()
        side = {**laid, **self._counted(), **self._left(), **self._penalties(), **self._opening()}
        if self.position in self.count.unfinished and not laid:
            # Without its totals the side would seem not to have opened, and its red threes would turn against it.
            side.pop("red_threes", None)
            side.pop("opening", None)
        return side

    def _totals(self) -> dict[str, Any]:
        key = self.key
        canastas = {}
        for item in self.rules.items:
            self.note(("totals", "canastas", item), names.canasta(key, item))
            if times := self.times(names.canasta(key, item)):
                canastas[item] = times
        points = self.figure(names.cards(key))
        if self.is_blank(names.cards(key)):
            self.trouble(names.cards(key), "cards-missing", missing=True)
        if points is None or self.position in self.count.unfinished:
            return {}
        if not points and not canastas:
            return {"melds": []}
        return {"totals": {"canastas": canastas, "cards": points}}

    def _melds(self) -> dict[str, Any]:
        melds: list[Any] = []
        rows = names.meld_rows(self.draft, self.key)
        for row in rows:
            name = names.meld(self.key, row)
            if text := self.text(name):
                self.note(("melds", len(melds)), name)
                concealed = self.rules.settings.concealed_canasta and names.meld_concealed(self.key, row) in self.draft
                melds.append({"cards": text, "concealed": True} if concealed else text)
        if all(self.is_blank(names.meld(self.key, row)) for row in rows):
            self.trouble(names.meld(self.key, max(rows, default=0)), "melds-missing", missing=True)
        return {"melds": melds}

    def _counted(self) -> dict[str, Any]:
        """Red threes, and what only some variants count."""
        wanted = {"red_threes": names.red(self.key), "red_threes_held": names.red_held(self.key)}
        wanted |= {name: names.counted(self.key, name) for name in names.EXTRAS if name in self.rules.entry_fields}
        found = {}
        for key, name in wanted.items():
            self.note((key,), name)
            if times := self.times(name):
                found[key] = times
        return found

    def _left(self) -> dict[str, Any]:
        key = self.key
        if self.draft.get(names.left_way(key)) != names.IN_CARDS:
            self.note(("left",), names.left(key))
            points = self.figure(names.left(key))
            return {"left": points} if points else {}
        apart = names.hands_apart(self.rules, self.position)
        fields = [names.left_cards(key, hand) for hand in range(apart or 1)]
        self.note(("left",), fields[0])
        if apart is None:
            text = self.text(fields[0])
            return {"left": text} if text else {}
        for hand, name in enumerate(fields):
            self.note(("left", hand), name)
        return {"left": [self.text(name) for name in fields]}

    def _penalties(self) -> dict[str, Any]:
        given: list[Any] = []
        for code, penalty in self.rules.penalties.items():
            if penalty.points is None:
                continue
            for _ in range(self.times(names.penalty(self.key, code))):
                self.note(("penalties", len(given)), names.penalty(self.key, code))
                given.append(code)
        for row in names.house_rows(self.draft, self.key):
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


def _read_out(count: Count, draft: Mapping[str, str], rules: Ruleset) -> None:
    """Who went out, if anybody is said to have."""
    count.fields["out",] = names.OUT
    count.fields["out", "discard"] = names.DISCARD
    chosen = draft.get(names.OUT, "")
    side, _, player = chosen.partition(".")
    known = SIDE_KEYS[: len(rules.settings.sides)]
    count.troubles += _at_odds(draft, chosen)
    if side not in known:
        count.hand["out"] = None
        if chosen != names.NOBODY:
            count.troubles.append(Trouble(names.OUT, "out-missing", missing=True))
        return
    if known.index(side) in count.unfinished:
        count.hand["out"] = None
        return
    count.hand["out"] = _out(draft, rules, known.index(side), player)


def _at_odds(draft: Mapping[str, str], chosen: str) -> Iterator[Trouble]:
    """What was said of going out and cannot go together: nobody is to guess which of it holds."""
    discarded = bool(draft.get(names.DISCARD, "").strip())
    if chosen == names.NOBODY:
        if names.CONCEALED in draft:
            yield Trouble(names.CONCEALED, "concealed-nobody")
        if discarded:
            yield Trouble(names.DISCARD, "discard-nobody")
        if names.DISCARD_NONE in draft:
            yield Trouble(names.DISCARD_NONE, "discard-none-nobody")
    elif discarded and names.DISCARD_NONE in draft:
        yield Trouble(names.DISCARD_NONE, "discard-both")


def _out(draft: Mapping[str, str], rules: Ruleset, position: int, player: str) -> dict[str, Any]:
    out: dict[str, Any] = {"side": SIDE_KEYS[position], "concealed": names.CONCEALED in draft}
    hands = rules.settings.sides[position] - rules.settings.resting[position]
    if player in {str(hand) for hand in range(hands)}:
        out["player"] = int(player)
    discard = draft.get(names.DISCARD, "").strip()
    if discard:
        out["discard"] = discard
    elif names.DISCARD_NONE in draft:
        out["discard"] = None
    return out

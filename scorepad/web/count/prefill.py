"""From a hand that was counted back to the draft that says it: what the page for a correction starts with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scorepad.i18n import Language
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.entries import HOUSE
from scorepad.rules.variants import Ruleset
from scorepad.web.count import names
from scorepad.web.count.needs import Needs, Values
from scorepad.web.count.parties import parties_of
from scorepad.web.figures import read_figure

NONE = "0"
"""What says that there are no cards, or no points."""


def draft_from(
    hand: Mapping[str, Any], rules: Ruleset, typed: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """The fields that say this hand.

    `typed` is what it came from: cards that were counted by value are again, as long as they come to its points.
    """
    draft: dict[str, str] = {}
    needs, out = Needs(rules), hand.get("out")
    if "out" in hand or not _is_summed(hand):
        if needs.single:
            draft[names.SINGLE] = hand.get("single") or names.NOBODY
        _fill_out(draft, out, needs)
    for position, key in enumerate(SIDE_KEYS[: len(rules.settings.sides)]):
        _Filler(draft, key, hand, needs, position, typed).fill()
    for position in parties_of(draft, rules).writers:
        _fill_nothing(draft, SIDE_KEYS[position], needs)
    return draft


def _is_summed(hand: Mapping[str, Any]) -> bool:
    """Whether nothing but sums is told of the hand: then nobody has to have said who went out."""
    return all("sum" in side for side in hand["sides"].values())


def _fill_nothing(draft: dict[str, str], key: str, needs: Needs) -> None:
    """That a side laid nothing, where nothing else is said of it."""
    if names.way(key) not in draft:
        draft[names.way(key)] = names.BY_TOTALS if needs.totals else names.NOTHING
        if needs.totals:
            draft[names.cards(key)] = NONE


@dataclass(frozen=True, slots=True)
class _Filler:
    """One side of a hand, put into the draft."""

    draft: dict[str, str]
    key: str
    hand: Mapping[str, Any]
    needs: Needs
    position: int
    typed: Mapping[str, str]

    @property
    def side(self) -> Mapping[str, Any]:
        """What the hand says of the side."""
        told: Mapping[str, Any] = self.hand["sides"].get(self.key, {})
        return told

    def fill(self) -> None:
        """Every field of the side that says something."""
        self._fill_penalties()
        self._fill_adjustments()
        if "sum" in self.side:
            self._fill_signed(self.side["sum"], names.agreed_sum(self.key), names.sum_below(self.key))
            self.draft[names.way(self.key)] = names.BY_SUM
            return
        if special := self.side.get("special"):
            self.draft.update({names.way(self.key): names.BY_SPECIAL, names.special(self.key): special})
            return
        self._fill_totals()
        self._fill_melds()
        fields = {"red_threes": names.red(self.key)} if self.needs.red_threes else {}
        fields |= {"red_threes_held": names.red_held(self.key)} if self.needs.red_threes_held else {}
        fields |= {field: names.counted(self.key, field) for field in self.needs.counted}
        told = {name: str(self.side[field]) for field, name in fields.items() if self.side.get(field)}
        self.draft.update(told)
        self._fill_left(self.side.get("left", ""))
        if self.side.get("opening") and self.needs.opening:
            self.draft[names.opening(self.key)] = "\n".join(self.side["opening"]["melds"])

    def _fill_totals(self) -> None:
        draft, key, totals = self.draft, self.key, self.side.get("totals") or {}
        if by_value := self._laid_by_value():
            draft |= {names.way(key): names.BY_VALUES, **by_value}
        elif totals:
            draft |= {names.way(key): names.BY_TOTALS, names.cards(key): str(totals["cards"])}
        draft |= {names.canasta(key, item): str(count) for item, count in totals.get("canastas", {}).items()}
        draft |= {names.incomplete(key, kind): str(count) for kind, count in totals.get("incomplete", {}).items()}

    def _laid_by_value(self) -> dict[str, str]:
        """What was laid by value: typed in the form of the side, or of one that laid with it."""
        totals, sides = self.side.get("totals"), self.hand["sides"]
        if totals is None and self.side.get("melds") != []:
            return {}
        points = totals["cards"] if totals else 0
        forms = [self.key, *(key for key, side in sides.items() if not {"totals", "melds"} & side.keys())]
        typed = [form for form in forms if self.needs.way(self.typed, form) == names.BY_VALUES]
        found = (self._by_value(names.value, form, self.needs.values, points) for form in typed)
        return next(filter(None, found), {})

    def _by_value(self, field: Callable[[str, int], str], form: str, values: Values, points: int) -> dict[str, str]:
        """How many cards of each value were typed in the form of a side, if they come to these points."""
        # Figures below a thousand are written alike in every language.
        typed = {worth: read_figure(self.typed.get(field(form, worth), ""), Language.ITALIAN) for worth, _ in values}
        counts = {worth: count for worth, count in typed.items() if isinstance(count, int)}
        agree = sum(worth * count for worth, count in counts.items()) == points
        return {field(self.key, worth): str(count) for worth, count in counts.items()} if agree else {}

    def _fill_melds(self) -> None:
        for row, meld in enumerate(self.side.get("melds", ())):
            self.draft[names.way(self.key)] = names.BY_CARDS
            self.draft[names.meld(self.key, row)] = meld if isinstance(meld, str) else meld["cards"]
            told = self.needs.settings.concealed_canasta and not isinstance(meld, str) and meld.get("concealed")
            if told:
                self.draft[names.meld_concealed(self.key, row)] = names.TICKED

    def _fill_left(self, left: str | int | list[str]) -> None:
        draft, key = self.draft, self.key
        if by_value := self._left_by_value(left):
            draft |= {names.left_way(key): names.IN_VALUES, **by_value}
            return
        if isinstance(left, int):
            draft |= {names.left_way(key): names.IN_POINTS, names.left(key): str(left)}
            return
        apart = self.needs.hands_apart(self.position)
        if isinstance(left, list) and apart is None:
            left = " ".join(hand for hand in left if hand.strip())
        if isinstance(left, str) and not left.strip() and self.needs.totals:
            draft[names.left(key)] = NONE
            return
        draft[names.left_way(key)] = names.IN_CARDS
        if apart is None:
            draft[names.left_cards(key, 0)] = str(left).strip() or NONE
        elif isinstance(left, list):
            self._fill_hands(left)
        elif left.strip():
            draft[names.left_cards(key, names.ALL_HANDS)] = left
        else:
            self._fill_hands([""] * apart)

    def _left_by_value(self, left: str | int | list[str]) -> dict[str, str]:
        points = 0 if left == "" else left
        if self.needs.left_way(self.typed, self.key) != names.IN_VALUES or not isinstance(points, int):
            return {}
        return self._by_value(names.left_value, self.key, self.needs.left_values, points)

    def _fill_hands(self, hands: list[str]) -> None:
        """The hands noted one by one; that of whoever went out stays blank."""
        out = self.hand.get("out") or {}
        went_out = out.get("side") == self.key
        empty = [place for place, hand in enumerate(hands) if not hand.strip()]
        gone = out.get("player", empty[0] if empty else None) if went_out else None
        for place, hand in enumerate(hands):
            if place != gone or hand.strip():
                self.draft[names.left_cards(self.key, place)] = hand.strip() or NONE

    def _fill_penalties(self) -> None:
        row = 0
        for given in self.side.get("penalties", ()):
            code = given if isinstance(given, str) else given["code"]
            if code == HOUSE and not isinstance(given, str):
                self.draft[names.house_points(self.key, row)] = str(given["points"])
                self.draft[names.house_reason(self.key, row)] = given["reason"]
                row += 1
            else:
                name = names.penalty(self.key, code)
                self.draft[name] = str(int(self.draft.get(name, NONE)) + 1)

    def _fill_adjustments(self) -> None:
        for row, given in enumerate(self.side.get("adjustments", ())):
            self._fill_signed(given["points"], names.adjust_points(self.key, row), names.adjust_less(self.key, row))
            self.draft[names.adjust_reason(self.key, row)] = given["reason"]

    def _fill_signed(self, points: int, field: str, below: str) -> None:
        """A figure without its sign, which is a tick of its own."""
        self.draft[field] = str(abs(points))
        if points < 0:
            self.draft[below] = names.TICKED


def _fill_out(draft: dict[str, str], out: Mapping[str, Any] | None, needs: Needs) -> None:
    if out is None:
        draft[names.OUT] = names.NOBODY
        return
    player = out.get("player")
    draft[names.OUT] = out["side"] if player is None else f"{out['side']}.{player}"
    if out.get("concealed") and needs.concealed:
        draft[names.CONCEALED] = names.TICKED
    if "discard" in out:
        if out["discard"] is None:
            draft[names.DISCARD_NONE] = names.TICKED
        else:
            draft[names.DISCARD] = out["discard"]

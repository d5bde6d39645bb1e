"""From a draft to the hand of the contract, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scorepad.i18n import Language
from scorepad.i18n.typed_cards import notated, read_typed
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.results import Said
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.entries import HOUSE, Hand, Out, Place, SideEntry
from scorepad.rules.table import who_lays
from scorepad.rules.variants import Ruleset
from scorepad.web.figures import Misread, read_sum
from scorepad.web.forms import LONGEST_NOTE
from scorepad.web.hand_fields import (
    AGREED,
    ALL_HANDS,
    CONCEALED,
    DISCARD,
    DISCARD_NONE,
    LONGEST_TEXT,
    MOST_TIMES,
    NOBODY,
    OUT,
    REMARK,
    SINGLE,
    Field,
    FieldKind,
    counts_totals,
    fields_for,
    hands_apart,
    has_opening,
    held_kinds,
    key,
    lines_of,
    needs_single,
    rows_of,
    special_hands,
)  # fmt: skip

LONGEST_ECHO = 60
"""Characters of a text that a message repeats."""
NONE = "0"
"""What is typed for no cards, or no points."""
HANDS = "/"
"""Between the cards of two hands that stand in one field."""
HIDDEN = "*"
"""Behind a meld: it was laid down whole."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that cannot be read, or is missing: the key of the field, and the end of the message key.

    `missing`: nothing was typed yet, which is an error only when the hand is saved. `limit` and `given` are figures and
    texts of the message.
    """

    key: str
    reason: str
    side: int | None = None
    missing: bool = False
    limit: int = 0
    given: str = ""


@dataclass(slots=True)
class Parsed:
    """What a draft says. `hand` holds all that could be read, in the contract's JSON.

    `keys` gives the draft key behind each place of the hand. The points of the sides in `unfinished` are not known yet;
    `unseated`: it is not known either who lays together. `said` goes with the hand beside its figures.
    """

    hand: dict[str, Any] = field(default_factory=dict)
    keys: dict[Place, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    unfinished: set[int] = field(default_factory=set)
    unseated: bool = False
    said: Said = field(default_factory=Said)

    def key_of(self, place: Place) -> str | None:
        """The key of the field in which this place of the hand was typed, or in which the place around it was."""
        found = (self.keys[place[:length]] for length in range(len(place), 0, -1) if place[:length] in self.keys)
        return next(found, None)


# ----------------------------------------------------------------------------------------------- who lays together


@dataclass(frozen=True, slots=True)
class Parties:
    """The sides, by position, in groups that lay together; `writers` are those under which their cards are typed."""

    groups: tuple[tuple[int, ...], ...]
    writers: frozenset[int]

    def of(self, position: int) -> tuple[int, ...]:
        """The group of a side."""
        return next(group for group in self.groups if position in group)

    def writer(self, position: int) -> int:
        """The side under which it is typed what a side laid."""
        return (
            position if position in self.writers else next(each for each in self.of(position) if each in self.writers)
        )


def parties_of(draft: Mapping[str, str], rules: Ruleset) -> Parties:
    """Who lays together, as far as the draft says it; until then each alone.

    The cards of a pair are typed under whoever of the two has something typed, else under who went out, else under the
    first; under each where one of them is counted by an agreed sum.
    """
    sides = range(len(rules.settings.sides))
    if not needs_single(rules):
        return Parties(tuple((position,) for position in sides), frozenset(sides))
    out, single = _side_in(draft, OUT, rules), _side_in(draft, SINGLE, rules)
    groups: tuple[tuple[int, ...], ...] = tuple((position,) for position in sides)
    if single is not None or draft.get(SINGLE) == NOBODY:
        hand = Hand(
            SIDE_KEYS[: len(sides)], (0,) * len(sides), (SideEntry(),) * len(sides),
            None if out is None else Out(out), single,
        )  # fmt: skip
        groups = tuple(who_lays(rules.settings.partnership, hand))
    writers = (position for group in groups for position in _writers(group, draft, rules, out))
    return Parties(groups, frozenset(writers))


def _side_in(draft: Mapping[str, str], name: str, rules: Ruleset) -> int | None:
    side = draft.get(name, "").partition(".")[0]
    known = SIDE_KEYS[: len(rules.settings.sides)]
    return known.index(side) if side in known else None


def _writers(group: tuple[int, ...], draft: Mapping[str, str], rules: Ruleset, out: int | None) -> Iterator[int]:
    def has(position: int, name: str) -> bool:
        return bool(draft.get(key(SIDE_KEYS[position], name), "").strip())

    laid = [each.name for each in fields_for(rules, group[0]) if each.is_laid]
    begun = [position for position in group if any(has(position, name) for name in laid)]
    if any(has(position, "sum") for position in group):
        yield from group
    elif begun:
        yield from begun
    else:
        yield out if out in group else group[0]


# ------------------------------------------------------------------------------------------------ draft to hand


def read(draft: Mapping[str, str], rules: Ruleset, language: Language) -> Parsed:
    """Read a draft, whatever it holds."""
    parsed, parties = Parsed(), parties_of(draft, rules)
    keys = SIDE_KEYS[: len(rules.settings.sides)]
    parsed.hand["sides"] = {side: {} for side in keys}
    for position in range(len(keys)):
        _SideReader(parsed, draft, rules, parties, position, language).read()
    _leave_out_the_unfinished(parsed, parties)
    if needs_single(rules):
        _read_single(parsed, draft)
    _read_out(parsed, draft, rules)
    _require_left(parsed, draft, rules)
    parsed.said = Said(draft.get(REMARK, "").strip(), draft.get(AGREED, "").strip())
    for name in (REMARK, AGREED):
        if len(draft.get(name, "").strip()) > LONGEST_NOTE:
            parsed.problems.append(Problem(name, "long", limit=LONGEST_NOTE))
    return parsed


@dataclass(frozen=True, slots=True)
class _SideReader:
    """One side of the draft while it is read into `parsed`."""

    parsed: Parsed
    draft: Mapping[str, str]
    rules: Ruleset
    parties: Parties
    position: int
    language: Language

    @property
    def side(self) -> str:
        """The key of the side."""
        return SIDE_KEYS[self.position]

    def key(self, name: str) -> str:
        """The draft key of one of its fields."""
        return key(self.side, name)

    def typed(self, name: str) -> str:
        """What is typed in a field; nothing where it is longer than is read, which is a problem."""
        text = self.draft.get(self.key(name), "").strip()
        if len(text) <= LONGEST_TEXT:
            return text
        self.problem(name, "long", limit=LONGEST_TEXT)
        return ""

    def has(self, name: str) -> bool:
        """Whether anything is typed in a field."""
        return bool(self.draft.get(self.key(name), "").strip())

    def read(self) -> None:
        """Put the side into the hand, as far as it can be read."""
        side = self.parsed.hand["sides"][self.side]
        fields = fields_for(self.rules, self.position, self.draft)
        side.update(self._adjustments())
        if self.has("sum"):
            self.note((), "sum")
            if (points := self.figure("sum", signed=True)) is not None:
                side["sum"] = points
            self._refuse_penalties(fields)
            return
        if self.has("special") and special_hands(self.rules):
            self.note((), "special")
            side["special"] = self.typed("special")
        else:
            if self.position in self.parties.writers:
                self._read_laid(fields)
            for each in fields:
                if each.kind is FieldKind.COUNT and not each.is_laid and each.group != "penalties":
                    self._read_count(each, side)
            self._read_left(side)
            if self.has("opening") and has_opening(self.rules):
                self.note(("opening",), "opening")
                if lines := lines_of(self.typed("opening"), ",;/"):
                    side["opening"] = {"melds": [self.notated("opening", line) for line in lines]}
        if given := list(self._penalties(fields)):
            side["penalties"] = given

    # ------------------------------------------------------------------ what was laid

    def _read_laid(self, fields: tuple[Field, ...]) -> None:
        """What the side laid, or its pair: by its cards where those are typed, else in totals."""
        at, by_cards = self._laid_by(), self.has("melds") or not counts_totals(self.rules.settings)
        group = (position for position in self.parties.of(self.position) if self._writes_for(position))
        for position in {at, *group}:
            self.note((), "melds" if by_cards else "cards", position)
        totals = [each for each in fields if each.is_total and self.has(each.name)]
        if by_cards and totals:
            self.problem(totals[-1].name, "melds-and-totals")
        laid = self._melds(at) if by_cards else self._totals(fields, at)
        self.parsed.hand["sides"][SIDE_KEYS[at]].update(laid)

    def _writes_for(self, position: int) -> bool:
        return self.parties.writer(position) == self.position

    def _laid_by(self) -> int:
        """The side under which the rules expect it: whoever went out, where that decides what may lie there."""
        out = _side_in(self.draft, OUT, self.rules)
        if out is None or not self._writes_for(out):
            return self.position
        melds = [read_cards(notated(line)).cards for line in lines_of(self.typed("melds"))]
        matters = CONCEALED in self.draft or not melds or any(meld.of(Kind.BLACK_THREE) for meld in melds)
        return out if matters else self.position

    def _totals(self, fields: tuple[Field, ...], at: int) -> dict[str, Any]:
        known = len(self.parsed.problems)
        totals: dict[str, dict[str, int]] = {"canastas": {}, "incomplete": {}}
        for each in fields:
            if each.group in totals:
                self.note(each.path, each.name, at)
                if times := self.times(each):
                    totals[each.group][each.item] = times
        self.note(("totals", "cards"), "cards", at)
        if not self.has("cards"):
            self.problem("cards", "cards-missing", missing=True)
        points = self.figure("cards")
        if points is None or len(self.parsed.problems) > known:
            return {}
        if not points and not any(totals.values()):
            return {"melds": []}
        incomplete = {"incomplete": totals["incomplete"]} if totals["incomplete"] else {}
        return {"totals": {"canastas": totals["canastas"], "cards": points, **incomplete}}

    def _melds(self, at: int) -> dict[str, Any]:
        melds: list[Any] = []
        lines = lines_of(self.typed("melds"))
        if not self.has("melds"):
            self.problem("melds", "melds-missing", missing=True)
        for line in () if lines == (NONE,) else lines:
            self.note(("melds", len(melds)), "melds", at)
            cards = self.notated("melds", line.rstrip(HIDDEN).strip())
            hidden = line.endswith(HIDDEN)
            melds.append({"cards": cards, "concealed": True} if hidden else cards)
        return {"melds": melds}

    # ------------------------------------------------------------------ what is counted, and what is in hand

    def _read_count(self, each: Field, side: dict[str, Any]) -> None:
        if each.item in {kind.key for kind in held_kinds(self.rules)} and self._left_in_cards():
            return
        self.note(each.path, each.name)
        if times := self.times(each):
            side[each.item] = times

    def _hand_names(self) -> list[str]:
        """The fields of the hands of cards of the side, one by one."""
        return [f"left.{hand}" for hand in range(hands_apart(self.rules.settings, self.position) or 1)]

    def _left_in_cards(self) -> bool:
        typed = any(self.has(name) for name in (*self._hand_names(), ALL_HANDS))
        return typed or not counts_totals(self.rules.settings)

    def _read_left(self, side: dict[str, Any]) -> None:
        apart = self._hand_names()
        if not self._left_in_cards():
            self.note(("left",), "left")
            held = {kind.key for kind in held_kinds(self.rules)} & side.keys()
            if (points := self.figure("left")) or held:
                side["left"] = points or 0
            return
        if self.has("left"):
            self.problem("left", "left-both")
        if self.has(ALL_HANDS) and len(apart) > 1:
            self.note(("left",), ALL_HANDS)
            if any(self.has(name) for name in apart):
                self.problem(ALL_HANDS, "left-twice")
            side["left"] = self.cards(ALL_HANDS)
            return
        self.note(("left",), apart[0])
        if len(apart) == 1:
            side["left"] = self._hands_in_one(self.typed(apart[0]))
            return
        for hand, name in enumerate(apart):
            self.note(("left", hand), name)
        side["left"] = [self.cards(name) for name in apart]

    def _hands_in_one(self, text: str) -> str | list[str]:
        """The cards of a field that holds all hands of the side: as one, or each for itself (`K 4 / 9`)."""
        hands = [self.notated("left.0", "" if hand.strip() == NONE else hand.strip()) for hand in text.split(HANDS)]
        return hands if len(hands) == self.rules.settings.hands_of(self.position) > 1 else " ".join(filter(None, hands))

    # ------------------------------------------------------------------ penalties and agreed points

    def _penalties(self, fields: tuple[Field, ...]) -> Iterator[Any]:
        number = 0
        for each in fields:
            if each.group == "penalties":
                for _ in range(self.times(each)):
                    self.note(("penalties", number), each.name)
                    number += 1
                    yield each.item
        for row, points, reason in self._rows("house"):
            self.note(("penalties", number), f"house.{row}.points")
            number += 1
            yield {"code": HOUSE, "points": points, "reason": reason}

    def _refuse_penalties(self, fields: tuple[Field, ...]) -> None:
        """Beside a sum no penalty counts: what is noted is reported, so that it is not dropped silently."""
        for each in fields:
            if each.group in ("penalties", "house") and self.typed(each.name) not in ("", NONE):
                self.problem(each.name, "sum-penalty")

    def _adjustments(self) -> dict[str, Any]:
        given: list[dict[str, Any]] = []
        for row, points, reason in self._rows("adjustments"):
            self.note(("adjustments", len(given)), f"adjustments.{row}.points")
            given.append({"points": points, "reason": reason})
        return {"adjustments": given} if given else {}

    def _rows(self, group: str) -> Iterator[tuple[int, int, str]]:
        """(row, points, reason) of the rows that are complete; half of one is a problem."""
        prefix = {"house": "house", "adjustments": "adjust"}[group]
        for row in rows_of(self.draft, self.side, group):
            at, why = (f"{group}.{row}.{part}" for part in ("points", "reason"))
            points, reason = self.figure(at, signed=group == "adjustments"), self.typed(why)
            if not self.has(at):
                self.problem(at, f"{prefix}-points", missing=True)
            if not self.has(why):
                self.problem(why, f"{prefix}-reason", missing=True)
            if points is not None and reason:
                yield row, points, reason

    # ------------------------------------------------------------------ texts

    def figure(self, name: str, *, signed: bool = False) -> int | None:
        """The figure in a field; None where there is none that can be read, which is a problem."""
        figure = read_sum(self.draft.get(self.key(name), ""), self.language, signed=signed)
        if isinstance(figure, Misread):
            self.problem(name, figure.value)
            return None
        return figure

    def times(self, each: Field) -> int:
        """How many times; a blank field is none."""
        figure = (self.figure(each.name) or 0) if self.has(each.name) else 0
        if figure > MOST_TIMES:
            self.problem(each.name, "many")
            return 0
        return figure

    def cards(self, name: str) -> str:
        """The cards in a field; `0` says that there are none."""
        text = self.typed(name)
        return "" if text == NONE else self.notated(name, text)

    def notated(self, name: str, text: str) -> str:
        """Cards in notation; what may be read in two ways is a problem."""
        for why, given in read_typed(text).doubts[:1]:
            self.problem(name, why, missing=True, given=given[:LONGEST_ECHO])
        return notated(text)

    def problem(self, name: str, reason: str, *, missing: bool = False, limit: int = 0, given: str = "") -> None:
        """Report what cannot be read, or is missing: the points of all who lay together wait for it."""
        problem = Problem(self.key(name), reason, self.position, missing, limit, given)
        if problem not in self.parsed.problems:
            self.parsed.problems.append(problem)
        self.parsed.unfinished.update(self.parties.of(self.position))

    def note(self, place: Place, name: str, position: int | None = None) -> None:
        """Note in which field a place of the side was typed."""
        self.parsed.keys["sides", self.position if position is None else position, *place] = self.key(name)


def _leave_out_the_unfinished(parsed: Parsed, parties: Parties) -> None:
    """Without what it laid a side seems not to have opened, and its red threes would count against it."""
    sides = parsed.hand["sides"]
    for group in parties.groups:
        read_sides = [sides[SIDE_KEYS[position]] for position in group]
        if parsed.unfinished.intersection(group) and not any({"totals", "melds"} & side.keys() for side in read_sides):
            for side in read_sides:
                side.pop("red_threes", None)
                side.pop("opening", None)


def _is_without_cards(parsed: Parsed, side: str) -> bool:
    """Whether a side is counted without what it laid and holds: by an agreed sum, or a special hand."""
    return parsed.keys.get(("sides", SIDE_KEYS.index(side))) in (key(side, "sum"), key(side, "special"))


def _all_summed(parsed: Parsed) -> bool:
    return all(parsed.keys.get(("sides", SIDE_KEYS.index(side))) == key(side, "sum") for side in parsed.hand["sides"])


def _read_single(parsed: Parsed, draft: Mapping[str, str]) -> None:
    """Who took the pile first and plays alone for the hand."""
    parsed.keys["single",] = SINGLE
    chosen, known = draft.get(SINGLE, ""), tuple(parsed.hand["sides"])
    parsed.hand["single"] = chosen if chosen in known else None
    if chosen not in (*known, NOBODY) and not _all_summed(parsed):
        parsed.problems.append(Problem(SINGLE, "single-missing", missing=True))
        parsed.unfinished.update(range(len(known)))
        parsed.unseated = True


def _read_out(parsed: Parsed, draft: Mapping[str, str], rules: Ruleset) -> None:
    """Who went out, if anybody did."""
    parsed.keys["out",], parsed.keys["out", "discard"] = OUT, DISCARD
    shown = [side for side in parsed.hand["sides"] if "special" in parsed.hand["sides"][side]]
    if shown:
        _read_special_out(parsed, draft, shown)
        return
    parsed.problems += _contradictions(draft)
    position = _side_in(draft, OUT, rules)
    parsed.hand["out"] = None
    if position is None and not draft.get(OUT) and _all_summed(parsed):
        # Of a hand that is only its sums nobody has to know who went out.
        del parsed.hand["out"]
    elif position is None:
        if draft.get(OUT) != NOBODY:
            parsed.problems.append(Problem(OUT, "out-missing", missing=True))
    elif position not in parsed.unfinished:
        parsed.hand["out"] = _out(draft, rules, position)


def _read_special_out(parsed: Parsed, draft: Mapping[str, str], shown: list[str]) -> None:
    """Who shows a special hand goes out with it, without a discard."""
    sides, chosen = parsed.hand["sides"], draft.get(OUT, "").partition(".")[0]
    positions = [SIDE_KEYS.index(side) for side in shown]
    if len(shown) > 1:
        parsed.problems.append(Problem(key(shown[1], "special"), "special-twice", positions[1]))
        parsed.unfinished.update(positions)
    elif chosen not in ("", shown[0]):
        parsed.problems.append(Problem(OUT, "special-out", positions[0]))
    parsed.hand["out"] = {"side": shown[0], "concealed": False}
    for side in shown[1:]:
        sides[side].pop("special")


def _contradictions(draft: Mapping[str, str]) -> Iterator[Problem]:
    """What is said of going out and cannot be together."""
    discarded = bool(draft.get(DISCARD, "").strip())
    if draft.get(OUT) == NOBODY:
        if CONCEALED in draft:
            yield Problem(CONCEALED, "concealed-nobody")
        if discarded:
            yield Problem(DISCARD, "discard-nobody")
        if DISCARD_NONE in draft:
            yield Problem(DISCARD_NONE, "discard-none-nobody")
    elif discarded and DISCARD_NONE in draft:
        yield Problem(DISCARD_NONE, "discard-both")


def _out(draft: Mapping[str, str], rules: Ruleset, position: int) -> dict[str, Any]:
    out: dict[str, Any] = {"side": SIDE_KEYS[position], "concealed": CONCEALED in draft}
    player = draft.get(OUT, "").partition(".")[2]
    if player in {str(hand) for hand in range(rules.settings.hands_of(position))}:
        out["player"] = int(player)
    if discard := draft.get(DISCARD, "").strip():
        out["discard"] = discard
    elif DISCARD_NONE in draft:
        out["discard"] = None
    return out


def _require_left(parsed: Parsed, draft: Mapping[str, str], rules: Ruleset) -> None:
    """Only who went out holds no cards: where another hand is blank it was forgotten."""
    out = parsed.hand.get("out") or {}
    gone = {"side": draft.get(OUT, "").partition(".")[0], **out}
    for position, side in enumerate(parsed.hand["sides"]):
        if _is_without_cards(parsed, side):
            continue
        names = _left_names(draft, rules, position)
        blank = [name for name in names if not draft.get(key(side, name), "").strip()]
        apart = len(names) > 1 or (names != ["left"] and hands_apart(rules.settings, position) is not None)
        if gone["side"] == side and (apart or rules.settings.hands_of(position) == 1):
            # Whose hand is empty, where several are noted, is known only if it was said who of the side went out.
            empty = f"left.{gone.get('player', -1)}" if apart else ""
            blank = [name for name in blank if name != empty] if empty in blank else blank[1:]
        if blank:
            parsed.problems.append(Problem(key(side, blank[0]), "left-missing", position, missing=True))


def _left_names(draft: Mapping[str, str], rules: Ruleset, position: int) -> list[str]:
    """The fields in which the cards left are told, as this draft tells them."""
    side = SIDE_KEYS[position]
    names = [f"left.{hand}" for hand in range(hands_apart(rules.settings, position) or 1)]
    if draft.get(key(side, ALL_HANDS), "").strip() and len(names) > 1:
        return [ALL_HANDS]
    if counts_totals(rules.settings) and not any(draft.get(key(side, name), "").strip() for name in names):
        return ["left"]
    return names

"""From a draft to the hand of the contract, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from scorepad.i18n import Language
from scorepad.i18n.typed_cards import notated, read_typed
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.hands import HandNotes
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.table import HOUSE, Hand, Out, Place, SideEntry, who_lays
from scorepad.rules.variants import Ruleset
from scorepad.web import hand_fields as fields
from scorepad.web.forms import LONGEST_NOTE, Misread, read_sum
from scorepad.web.hand_fields import (
    ALL_HANDS,
    CONCEALED,
    DISCARD,
    DISCARD_NONE,
    NOBODY,
    NONE,
    OUT,
    SINGLE,
    FieldKind,
    counts_totals,
    fields_for,
    hands_apart,
    key,
    lines_of,
    needs_single,
    rows_of,
)

LONGEST_ECHO = 60
"""Characters of a text that a message repeats."""
MOST_TIMES = 99
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
        return next(each for each in (position, *self.of(position)) if each in self.writers)


@dataclass(slots=True)
class Parsed:
    """What a draft says. `hand` holds all that could be read, in the contract's JSON.

    `keys` gives the draft key behind each place of the hand. The points of the sides in `unfinished` are not known yet;
    `unseated`: it is not known either who lays together. `notes` goes with the hand beside its figures.
    """

    draft: Mapping[str, str]
    rules: Ruleset
    language: Language
    parties: Parties
    hand: dict[str, Any] = field(default_factory=dict)
    keys: dict[Place, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    unfinished: set[int] = field(default_factory=set)
    unseated: bool = False
    notes: HandNotes = field(default_factory=HandNotes)

    def key_of(self, place: Place) -> str | None:
        """The key of the field in which this place of the hand was typed, or in which the place around it was."""
        found = (self.keys[place[:length]] for length in range(len(place), 0, -1) if place[:length] in self.keys)
        return next(found, None)

    def is_without_cards(self, position: int) -> bool:
        """Whether a side is counted without what it laid and holds: by an agreed sum, or a special hand."""
        side = SIDE_KEYS[position]
        return self.keys.get(("sides", position)) in (key(side, "sum"), key(side, "special"))

    @property
    def is_summed(self) -> bool:
        """Whether all sides are counted by an agreed sum."""
        return all(self.keys.get(("sides", place)) == key(side, "sum") for place, side in enumerate(self.hand["sides"]))


# ----------------------------------------------------------------------------------------------- who lays together


def parties_of(draft: Mapping[str, str], rules: Ruleset) -> Parties:
    """Who lays together, as far as the draft says it; until then each alone.

    The cards of a pair are typed under whoever of the two has something typed, else under who went out, else under the
    first; under each where one of them is counted by an agreed sum.
    """
    sides = range(len(rules.settings.sides))
    groups: tuple[tuple[int, ...], ...] = tuple((position,) for position in sides)
    if not needs_single(rules):
        return Parties(groups, frozenset(sides))
    out, single = _side_in(draft, OUT, rules), _side_in(draft, SINGLE, rules)
    if single is not None or draft.get(SINGLE) == NOBODY:
        keys, entries = SIDE_KEYS[: len(sides)], (SideEntry(),) * len(sides)
        hand = Hand(keys, (0,) * len(sides), entries, None if out is None else Out(out), single)
        groups = tuple(who_lays(rules.settings.partnership, hand))
    return Parties(groups, frozenset(writer for group in groups for writer in _writers(group, draft, rules, out)))


def _side_in(draft: Mapping[str, str], name: str, rules: Ruleset) -> int | None:
    side = draft.get(name, "").partition(".")[0]
    known = SIDE_KEYS[: len(rules.settings.sides)]
    return known.index(side) if side in known else None


def _writers(
    group: tuple[int, ...], draft: Mapping[str, str], rules: Ruleset, out: int | None
) -> tuple[int, ...]:  # fmt: skip
    def has(position: int, name: str) -> bool:
        return bool(draft.get(key(SIDE_KEYS[position], name), "").strip())

    if any(has(position, "sum") for position in group):
        return group
    laid = [each.name for each in fields_for(rules, group[0]) if each.group in fields.LAID]
    begun = tuple(position for position in group if any(has(position, name) for name in laid))
    return begun or (out if out is not None and out in group else group[0],)


# ------------------------------------------------------------------------------------------------ draft to hand


def read(draft: Mapping[str, str], rules: Ruleset, language: Language) -> Parsed:
    """Read a draft, whatever it holds."""
    parsed = Parsed(draft, rules, language, parties_of(draft, rules))
    keys = SIDE_KEYS[: len(rules.settings.sides)]
    parsed.hand["sides"] = {side: {} for side in keys}
    readers = [_SideReader(parsed, position) for position in range(len(keys))]
    for reader in readers:
        reader.read()
    for group in parsed.parties.groups:
        # Without what it laid a side seems not to have opened, and its red threes would count against it.
        sides = [parsed.hand["sides"][keys[position]] for position in group]
        if parsed.unfinished.intersection(group) and not any({"totals", "melds"} & side.keys() for side in sides):
            for side in sides:
                side.pop("red_threes", None)
                side.pop("opening", None)
    if needs_single(rules):
        _read_single(parsed)
    _read_out(parsed)
    for reader in readers:
        reader.require_left()
    texts = [draft.get(name, "").strip() for name in (fields.REMARK, fields.AGREED)]
    parsed.notes = HandNotes(*texts)
    for name, text in zip((fields.REMARK, fields.AGREED), texts, strict=True):
        if len(text) > LONGEST_NOTE:
            parsed.problems.append(Problem(name, "long", limit=LONGEST_NOTE))
    return parsed


@dataclass(slots=True)
class _SideReader:
    """One side of the draft while it is read into `parsed`."""

    parsed: Parsed
    position: int
    side: str = field(init=False)
    own: tuple[fields.Field, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.side = SIDE_KEYS[self.position]
        self.own = fields_for(self.parsed.rules, self.position, self.parsed.draft)

    def read(self) -> None:
        """Put the side into the hand, as far as it can be read."""
        side: dict[str, Any] = self.parsed.hand["sides"][self.side]
        rows = list(self._rows("adjustments"))
        for number, (row, _, _) in enumerate(rows):
            self.note(("adjustments", number), f"adjustments.{row}.points")
        if rows:
            side["adjustments"] = [{"points": points, "reason": reason} for _, points, reason in rows]
        if self.has("sum"):
            self.note((), "sum")
            if (points := self.figure("sum", signed=True)) is not None:
                side["sum"] = points
            for each in self.own:
                # Beside a sum nothing else counts: what is noted is reported, so that it is not dropped silently.
                if each.group in ("penalties", "bonuses", "house") and self.typed(each.name) not in ("", NONE):
                    self.problem(each.name, "sum-penalty")
            return
        if self.has("special") and fields.special_hands(self.parsed.rules):
            self.note((), "special")
            side["special"] = self.typed("special")
        else:
            self._read_cards(side)
        if given := list(self._penalties()):
            side["penalties"] = given
        if given := [each.last for each in self.own if each.group == "bonuses" for _ in range(self.times(each.name))]:
            side["bonuses"] = given

    def _read_cards(self, side: dict[str, Any]) -> None:
        """What the side laid, counted, and holds."""
        rules = self.parsed.rules
        if self.position in self.parsed.parties.writers:
            self._read_laid()
        held = {kind.key for kind in fields.held_kinds(rules)}
        for each in self.own:
            if each.kind is not FieldKind.COUNT or each.group in (*fields.LAID, "penalties", "bonuses"):
                continue
            if each.name not in held or not self._left_in_cards():
                self.note(each.path, each.name)
                if times := self.times(each.name):
                    side[each.name] = times
        self._read_left(side, held)
        if self.has("opening") and fields.has_opening(rules):
            self.note(("opening",), "opening")
            if lines := lines_of(self.typed("opening"), ",;/"):
                side["opening"] = {"melds": [self.notated("opening", line) for line in lines]}

    def _read_laid(self) -> None:
        """What the side laid, or its pair: by its cards where those are typed, else in totals."""
        parties, by_cards = self.parsed.parties, self.has("melds") or not counts_totals(self.parsed.rules.settings)
        mine = {position for position in parties.of(self.position) if parties.writer(position) == self.position}
        at, out = self.position, _side_in(self.parsed.draft, OUT, self.parsed.rules)
        if out is not None and out in mine:
            # Whoever went out decides what may lie there.
            melds = [read_cards(notated(line)).cards for line in lines_of(self.typed("melds"))]
            if CONCEALED in self.parsed.draft or not melds or any(meld.of(Kind.BLACK_THREE) for meld in melds):
                at = out
        for position in {at, *mine}:
            self.note((), "melds" if by_cards else "cards", position)
        totals = [each for each in self.own if each.group in fields.TOTALS and self.has(each.name)]
        if by_cards and totals:
            self.problem(totals[-1].name, "melds-and-totals")
        self.parsed.hand["sides"][SIDE_KEYS[at]].update(self._melds(at) if by_cards else self._totals(at))

    def _totals(self, at: int) -> dict[str, Any]:
        known = len(self.parsed.problems)
        totals: dict[str, dict[str, int]] = {"canastas": {}, "incomplete": {}}
        for each in self.own:
            if each.group in totals:
                self.note(each.path, each.name, at)
                if times := self.times(each.name):
                    totals[each.group][each.last] = times
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
            melds.append({"cards": cards, "concealed": True} if line.endswith(HIDDEN) else cards)
        return {"melds": melds}

    # ------------------------------------------------------------------ what is in hand

    def _hands(self) -> list[str]:
        """The fields of the hands of cards of the side, one by one."""
        return [each.name for each in self.own if each.kind is FieldKind.CARDS and each.name != ALL_HANDS]

    def _left_in_cards(self) -> bool:
        typed = any(self.has(name) for name in (*self._hands(), ALL_HANDS))
        return typed or not counts_totals(self.parsed.rules.settings)

    def _read_left(self, side: dict[str, Any], held: set[str]) -> None:
        apart = self._hands()
        if not self._left_in_cards():
            self.note(("left",), "left")
            if (points := self.figure("left")) or held & side.keys():
                side["left"] = points or 0
            return
        if self.has("left"):
            self.problem("left", "left-both")
        if self.has(ALL_HANDS) and len(apart) > 1:
            self.note(("left",), ALL_HANDS)
            if any(self.has(name) for name in apart):
                self.problem(ALL_HANDS, "left-twice")
            side["left"] = self.cards(ALL_HANDS, self.typed(ALL_HANDS))
            return
        self.note(("left",), apart[0])
        if len(apart) > 1:
            for hand, name in enumerate(apart):
                self.note(("left", hand), name)
            side["left"] = [self.cards(name, self.typed(name)) for name in apart]
            return
        # All hands of the side in one field, as one or each for itself: `K 4 / 9`.
        hands = [self.cards(apart[0], hand.strip()) for hand in self.typed(apart[0]).split(HANDS)]
        several = len(hands) == self.parsed.rules.settings.hands_of(self.position) > 1
        side["left"] = hands if several else " ".join(filter(None, hands))

    def require_left(self) -> None:
        """Report a hand left blank: only who went out holds no cards, where another one is blank it was forgotten."""
        if self.parsed.is_without_cards(self.position):
            return
        settings, names = self.parsed.rules.settings, self._hands()
        if self.has(ALL_HANDS) and len(names) > 1:
            names = [ALL_HANDS]
        elif counts_totals(settings) and not any(self.has(name) for name in names):
            names = ["left"]
        apart = names != ["left"] and hands_apart(settings, self.position) is not None
        blank = [name for name in names if not self.has(name)]
        gone = self.parsed.hand.get("out") or {"side": self.parsed.draft.get(OUT, "").partition(".")[0]}
        if gone["side"] == self.side and (apart or settings.hands_of(self.position) == 1):
            # Whose hand is empty, where several are noted, is known only if it was said who of the side went out.
            empty = f"left.{gone.get('player', -1)}" if apart else ""
            blank = [name for name in blank if name != empty] if empty in blank else blank[1:]
        if blank:
            place = key(self.side, blank[0])
            self.parsed.problems.append(Problem(place, "left-missing", self.position, missing=True))

    # ------------------------------------------------------------------ penalties and agreed points

    def _penalties(self) -> Iterator[Any]:
        number = 0
        for each in self.own:
            for _ in range(self.times(each.name) if each.group == "penalties" else 0):
                self.note(("penalties", number), each.name)
                number += 1
                yield each.last
        for row, points, reason in self._rows("house"):
            self.note(("penalties", number), f"house.{row}.points")
            number += 1
            yield {"code": HOUSE, "points": points, "reason": reason}

    def _rows(self, group: str) -> Iterator[tuple[int, int, str]]:
        """(row, points, reason) of the rows that are complete; half of one is a problem."""
        for row in rows_of(self.parsed.draft, self.side, group):
            at, why = (f"{group}.{row}.{part}" for part in ("points", "reason"))
            points, reason = self.figure(at, signed=group == "adjustments"), self.typed(why)
            for name in (at, why):
                if not self.has(name):
                    self.problem(name, f"{group}-{name.rpartition('.')[2]}", missing=True)
            if points is not None and reason:
                yield row, points, reason

    # ------------------------------------------------------------------ texts

    def has(self, name: str) -> bool:
        """Whether anything is typed in a field."""
        return bool(self.parsed.draft.get(key(self.side, name), "").strip())

    def typed(self, name: str) -> str:
        """What is typed in a field; nothing where it is longer than is read, which is a problem."""
        text = self.parsed.draft.get(key(self.side, name), "").strip()
        if len(text) <= fields.LONGEST_TEXT:
            return text
        self.problem(name, "long", limit=fields.LONGEST_TEXT)
        return ""

    def figure(self, name: str, *, signed: bool = False) -> int | None:
        """The figure in a field; None where there is none that can be read, which is a problem."""
        figure = read_sum(self.parsed.draft.get(key(self.side, name), ""), self.parsed.language, signed=signed)
        if isinstance(figure, Misread):
            self.problem(name, figure.value)
            return None
        return figure

    def times(self, name: str) -> int:
        """How many times; a blank field is none."""
        figure = self.figure(name) or 0
        if figure > MOST_TIMES:
            self.problem(name, "many")
            return 0
        return figure

    def cards(self, name: str, text: str) -> str:
        """Cards in notation; `0` says that there are none."""
        return self.notated(name, "" if text == NONE else text)

    def notated(self, name: str, text: str) -> str:
        """Cards in notation; what may be read in two ways is a problem."""
        for why, given in read_typed(text).doubts[:1]:
            self.problem(name, why, missing=True, given=given[:LONGEST_ECHO])
        return notated(text)

    def problem(self, name: str, reason: str, *, missing: bool = False, limit: int = 0, given: str = "") -> None:
        """Report what cannot be read, or is missing: the points of all who lay together wait for it."""
        problem = Problem(key(self.side, name), reason, self.position, missing, limit, given)
        if problem not in self.parsed.problems:
            self.parsed.problems.append(problem)
        self.parsed.unfinished.update(self.parsed.parties.of(self.position))

    def note(self, place: Place, name: str, position: int | None = None) -> None:
        """Note in which field a place of the side was typed."""
        self.parsed.keys["sides", self.position if position is None else position, *place] = key(self.side, name)


def _read_single(parsed: Parsed) -> None:
    """Who took the pile first and plays alone for the hand."""
    parsed.keys["single",] = SINGLE
    chosen, known = parsed.draft.get(SINGLE, ""), tuple(parsed.hand["sides"])
    parsed.hand["single"] = chosen if chosen in known else None
    if chosen not in (*known, NOBODY) and not parsed.is_summed:
        parsed.problems.append(Problem(SINGLE, "single-missing", missing=True))
        parsed.unfinished.update(range(len(known)))
        parsed.unseated = True


def _read_out(parsed: Parsed) -> None:
    """Who went out, if anybody did."""
    draft, rules = parsed.draft, parsed.rules
    parsed.keys["out",], parsed.keys["out", "discard"] = OUT, DISCARD
    shown = [side for side in parsed.hand["sides"] if "special" in parsed.hand["sides"][side]]
    if shown:
        _read_special_out(parsed, shown)
        return
    parsed.problems += _contradictions(draft)
    position = _side_in(draft, OUT, rules)
    parsed.hand["out"] = None
    if position is None and not draft.get(OUT) and parsed.is_summed:
        # Of a hand that is only its sums nobody has to know who went out.
        del parsed.hand["out"]
    elif position is None:
        if draft.get(OUT) != NOBODY:
            parsed.problems.append(Problem(OUT, "out-missing", missing=True))
    elif position not in parsed.unfinished:
        out: dict[str, Any] = {"side": SIDE_KEYS[position], "concealed": CONCEALED in draft}
        player = draft[OUT].partition(".")[2]
        if player in {str(hand) for hand in range(rules.settings.hands_of(position))}:
            out["player"] = int(player)
        if discard := draft.get(DISCARD, "").strip():
            out["discard"] = discard
        elif DISCARD_NONE in draft:
            out["discard"] = None
        parsed.hand["out"] = out


def _read_special_out(parsed: Parsed, shown: list[str]) -> None:
    """Who shows a special hand goes out with it, without a discard."""
    chosen, positions = parsed.draft.get(OUT, "").partition(".")[0], [SIDE_KEYS.index(side) for side in shown]
    if len(shown) > 1:
        parsed.problems.append(Problem(key(shown[1], "special"), "special-twice", positions[1]))
        parsed.unfinished.update(positions)
    elif chosen not in ("", shown[0]):
        parsed.problems.append(Problem(OUT, "special-out", positions[0]))
    parsed.hand["out"] = {"side": shown[0], "concealed": False}
    for side in shown[1:]:
        parsed.hand["sides"][side].pop("special")


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


# ------------------------------------------------------------------------------------------------ hand to draft


def draft_from(
    hand: Mapping[str, Any], rules: Ruleset, typed: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """The fields that say this hand. `typed` is what it came from: its sums stay as long as they come to the same."""
    draft: dict[str, str] = {}
    if "out" in hand or not all("sum" in side for side in hand["sides"].values()):
        if needs_single(rules):
            draft[SINGLE] = hand.get("single") or NOBODY
        draft |= _out_fields(hand.get("out"))
    for position, side in enumerate(SIDE_KEYS[: len(rules.settings.sides)]):
        found = _side_fields(hand["sides"].get(side, {}), hand.get("out") or {}, rules, position)
        draft |= {key(side, name): text for name, text in found.items()}
    for position in parties_of(draft, rules).writers:
        side = SIDE_KEYS[position]
        if not any(key(side, name) in draft for name in ("sum", "special", "cards", "melds")):
            draft[key(side, "cards" if counts_totals(rules.settings) else "melds")] = NONE
    for name, text in draft.items():
        # A sum stays as it was typed. Figures below a thousand are written alike in every language.
        is_figure = fields.side_of(name) is not None and text.lstrip("-").isdigit()
        if is_figure and read_sum(typed.get(name, ""), Language.ITALIAN, signed=True) == int(text):
            draft[name] = typed[name]
    return draft


def _out_fields(out: Mapping[str, Any] | None) -> dict[str, str]:
    if out is None:
        return {OUT: NOBODY}
    player = out.get("player")
    draft = {OUT: out["side"] if player is None else f"{out['side']}.{player}"}
    if out.get("concealed"):
        draft[CONCEALED] = fields.YES
    if "discard" in out:
        draft |= {DISCARD_NONE: fields.YES} if out["discard"] is None else {DISCARD: out["discard"]}
    return draft


def _side_fields(
    side: Mapping[str, Any], out: Mapping[str, Any], rules: Ruleset, position: int
) -> dict[str, str]:  # fmt: skip
    """The fields of a side, by name."""
    house = [each for each in side.get("penalties", ()) if not isinstance(each, str) and each["code"] == HOUSE]
    codes = [each if isinstance(each, str) else each["code"] for each in side.get("penalties", ()) if each not in house]
    draft = {f"penalties.{code}": str(codes.count(code)) for code in codes}
    draft |= {f"bonuses.{code}": str(count) for code, count in Counter(side.get("bonuses", ())).items()}
    for group, rows in {"house": house, "adjustments": side.get("adjustments", ())}.items():
        for row, given in enumerate(rows):
            draft |= {f"{group}.{row}.points": str(given["points"]), f"{group}.{row}.reason": given["reason"]}
    for name in ("sum", "special"):
        if name in side and side[name] not in (None, ""):
            return {**draft, name: str(side[name])}
    for each in fields_for(rules, position):
        if each.kind in (FieldKind.COUNT, FieldKind.POINTS) and each.group not in (
            "penalties",
            "bonuses",
            "house",
            "left",
        ):
            value: Any = side
            for part in each.path:
                value = value.get(part) if isinstance(value, Mapping) else None
            if value or (value == 0 and each.name == "cards"):
                draft[each.name] = str(value)
    if side.get("melds"):
        draft["melds"] = "\n".join(map(_meld_line, side["melds"]))
    draft |= _left_fields(side.get("left", ""), out, rules, position)
    if side.get("opening") and fields.has_opening(rules):
        draft["opening"] = "\n".join(side["opening"]["melds"])
    return draft


def _meld_line(meld: str | Mapping[str, Any]) -> str:
    if isinstance(meld, str):
        return meld
    return f"{meld['cards']} {HIDDEN}" if meld.get("concealed") else str(meld["cards"])


def _left_fields(
    left: str | int | list[str], out: Mapping[str, Any], rules: Ruleset, position: int
) -> dict[str, str]:  # fmt: skip
    apart = hands_apart(rules.settings, position)
    if isinstance(left, int):
        return {"left": str(left)}
    if isinstance(left, list) and apart is None:
        return {"left.0": f" {HANDS} ".join(hand.strip() or NONE for hand in left)}
    if isinstance(left, str) and not left.strip() and counts_totals(rules.settings):
        return {"left": NONE}
    if apart is None:
        return {"left.0": str(left).strip() or NONE}
    if isinstance(left, str) and left.strip():
        return {ALL_HANDS: left}
    # The hands noted one by one; that of whoever went out stays blank.
    hands = left if isinstance(left, list) else [""] * apart
    empty = [place for place, hand in enumerate(hands) if not hand.strip()]
    gone = out.get("player", empty[0] if empty else None) if out.get("side") == SIDE_KEYS[position] else None
    return {f"left.{place}": hand.strip() or NONE for place, hand in enumerate(hands) if place != gone or hand.strip()}

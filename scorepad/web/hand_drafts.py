"""The draft of a hand: read into the hand of the contract, and filled from one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from scorepad.i18n import Language
from scorepad.i18n.typed_cards import notated, read_typed
from scorepad.matches.hands import Draft, HandNotes
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.table import HOUSE, Hand, Out, Pointer, SideEntry, find_parties
from scorepad.schemas.requests import SIDE_KEYS
from scorepad.web import hand_fields
from scorepad.web.card_lines import LONGEST_ECHO, LONGEST_TEXT, TICKED
from scorepad.web.forms import LONGEST_NOTE, Misread, read_sum
from scorepad.web.hand_fields import (
    ALL_HANDS,
    DISCARD,
    HIDDEN,
    NOBODY,
    NONE,
    OUT,
    SINGLE,
    Field,
    FieldKind,
    key,
)

MOST_TIMES = 99
Positions = tuple[int, ...]
"""Sides, by position."""
HANDS = "/"
"""Separates the cards of two hands in one field."""


class DraftProblem(NamedTuple):
    """Something unreadable or missing: the key of the field, and the end of the message key.

    `missing`: nothing was typed yet, which is an error only when the hand is saved. `side`: the
    side concerned, if the key does not name it; `limit` and `given`: a figure and a text of the
    message.
    """

    key: str
    reason: str
    missing: bool = False
    side: int | None = None
    limit: int = 0
    given: str = ""


@dataclass(slots=True)
class Parsed:
    """The content of a draft. `hand` holds everything readable, in the contract's JSON.

    By side: `fields`; `groups`, the sides that lay together; `writers`, the side whose fields hold
    their melds. `keys` maps each place of the hand to its draft key. The points of the sides in
    `unfinished` are not known yet; `unseated`: the groups are not known yet either.
    """

    draft: Draft
    rules: Ruleset
    language: Language
    fields: tuple[tuple[Field, ...], ...]
    groups: tuple[Positions, ...]
    writers: Positions
    hand: dict[str, Any] = field(default_factory=dict)
    keys: dict[Pointer, str] = field(default_factory=dict)
    problems: list[DraftProblem] = field(default_factory=list)
    unfinished: set[int] = field(default_factory=set)
    unseated: bool = False

    def typed_in(self, draft_key: str) -> str:
        """The text of a field."""
        return self.draft.get(draft_key, "").strip()

    def key_of(self, place: Pointer) -> str | None:
        """The key of the field of this place of the hand, or of the place around it."""
        found = (
            self.keys[place[:length]]
            for length in range(len(place), 0, -1)
            if place[:length] in self.keys
        )
        return next(found, None)

    @property
    def notes(self) -> HandNotes:
        """The data beside the figures of the hand."""
        return HandNotes(self.typed_in(hand_fields.REMARK), self.typed_in(hand_fields.AGREED))

    @property
    def is_summed(self) -> bool:
        """Whether all sides are counted by an agreed sum."""
        return all(self.typed_in(key(side, "sum")) for side in self.hand["sides"])


# -------------------------------------------------------------------------------- who lays together


def who_lay(draft: Draft, rules: Ruleset) -> tuple[tuple[Positions, ...], Positions]:
    """By side, the sides that lay together, as far as the draft says it (by default each alone),
    and their writer.

    The cards of a pair are typed under the side that has text, else under the one that went out,
    else under the first; under each if one of them is counted by an agreed sum.
    """
    sides = tuple(range(len(rules.settings.sides)))
    groups: tuple[Positions, ...] = tuple((position,) for position in sides)
    if "single" not in rules.entry_fields:
        return groups, sides
    out, single = _side_in(draft, OUT, rules), _side_in(draft, SINGLE, rules)
    if single is not None or draft.get(SINGLE) == NOBODY:
        entries = (SideEntry(),) * len(sides)
        hand = Hand(
            SIDE_KEYS[: len(sides)],
            (0,) * len(sides),
            entries,
            None if out is None else Out(out),
            single,
        )
        pairs = find_parties(rules.settings.partnership, hand)
        groups = tuple(next(pair for pair in pairs if position in pair) for position in sides)
    typed = {
        (hand_fields.side_of(name), name[2:].partition(".")[0])
        for name, text in draft.items()
        if text.strip()
    }
    writers = []
    for position, group in enumerate(groups):
        chosen = [each for each in group if any((each, name) in typed for name in hand_fields.LAID)]
        chosen = chosen or [out if out in group else group[0]]
        if any((each, "sum") in typed for each in group) or position in chosen:
            chosen = [position]
        writers.append(chosen[0])
    return groups, tuple(writers)


def _side_in(draft: Draft, name: str, rules: Ruleset) -> int | None:
    side = draft.get(name, "").partition(".")[0]
    known = SIDE_KEYS[: len(rules.settings.sides)]
    return known.index(side) if side in known else None


# ------------------------------------------------------------------------------------ draft to hand


def read(draft: Draft, rules: Ruleset, language: Language) -> Parsed:
    """Read a draft with any content."""
    sides = SIDE_KEYS[: len(rules.settings.sides)]
    own = tuple(hand_fields.fields_for(rules, position, draft) for position in range(len(sides)))
    parsed = Parsed(
        draft, rules, language, own, *who_lay(draft, rules), {"sides": {side: {} for side in sides}}
    )
    readers = [_SideReader(parsed, position) for position in range(len(sides))]
    for reader in readers:
        reader.read()
    for group in parsed.groups:
        # A side without melds seems not to have opened, and its red threes would count against it.
        entries = [readers[position].entry for position in group]
        if parsed.unfinished.intersection(group) and not any(
            {"totals", "melds"} & entry.keys() for entry in entries
        ):
            for entry in entries:
                entry.pop("red_threes", None)
                entry.pop("opening", None)
    if "single" in rules.entry_fields:
        _read_single(parsed)
    _read_out(parsed)
    for reader in readers:
        reader.require_left()
    for name in (hand_fields.REMARK, hand_fields.AGREED):
        if len(parsed.typed_in(name)) > LONGEST_NOTE:
            parsed.problems.append(DraftProblem(name, "long", limit=LONGEST_NOTE))
    return parsed


class _SideReader:
    """Reads one side of the draft into `parsed`."""

    def __init__(self, parsed: Parsed, position: int) -> None:
        self.parsed, self.position, self.side = parsed, position, SIDE_KEYS[position]
        self.settings = parsed.rules.settings
        self.own = {each.name: each for each in parsed.fields[position]}
        self.entry: dict[str, Any] = parsed.hand["sides"][self.side]
        self.typed = {
            each.name: text for each in self.own.values() if (text := parsed.typed_in(each.key))
        }
        self.way = next((name for name in ("sum", "special") if name in self.typed), "")
        """`sum` or `special`, if the side is counted without its laid and held cards."""
        self.hands = [name for name, each in self.own.items() if each.kind is FieldKind.CARDS]
        self.left = (
            [ALL_HANDS]
            if ALL_HANDS in self.typed
            else [name for name in self.hands if name != ALL_HANDS]
        )
        """The fields of its held cards: their points, the cards of each hand, or those of all
        hands.
        """
        if "left" in self.own and not self.typed.keys() & self.hands:
            self.left = ["left"]

    def read(self) -> None:
        """Add the side to the hand, as far as it is readable."""
        if not self.way:
            self._read_cards()
        else:
            self.note((), self.way)
            if (value := self.value(self.way)) is not None:
                self.entry[self.way] = value
        owed: dict[str, list[tuple[str, Any]]] = {"penalties": [], "bonuses": [], "adjustments": []}
        for name, each in self.own.items():
            if each.group in hand_fields.OWED and self.way == "sum":
                # Beside a sum nothing else counts: other input is reported, so that it is not
                # dropped silently.
                if self.typed.get(name, NONE) != NONE:
                    self.problem(name, "sum-penalty")
            elif each.group in ("penalties", "bonuses"):
                owed[each.group] += [(name, each.last)] * (self.value(name) or 0)
            elif (
                each.group in ("house", "adjustments")
                and each.last == "points"
                and (row := self._row(each))
            ):
                owed["penalties" if each.group == "house" else each.group].append((name, row))
        # Noted penalties follow those typed here, and are shown together.
        self.note(("penalties",), hand_fields.NOTED)
        for group, given in owed.items():
            for number, (name, _) in enumerate(given):
                self.note((group, number), name)
            if given:
                self.entry[group] = [each for _, each in given]

    def _row(self, points: Field) -> dict[str, Any] | None:
        """A house penalty or agreed points; an incomplete one is a problem."""
        names = {part: f"{points.group}.{points.row}.{part}" for part in ("points", "reason")}
        if not self.typed.keys() & names.values():
            return None
        row = {part: self.value(name) for part, name in names.items()}
        for part, name in names.items():
            if name not in self.typed:
                self.problem(name, f"{points.group}-{part}", missing=True)
        if row["points"] is None or not row["reason"]:
            return None
        return {"code": HOUSE, **row} if points.group == HOUSE else row

    def _read_cards(self) -> None:
        """What the side laid, counted, and holds."""
        if self.parsed.writers[self.position] == self.position:
            self._read_laid()
        held = {kind.key for kind in self.settings.held_together} & self.own.keys()
        for name, each in self.own.items():
            counted = each.kind is FieldKind.COUNT and each.group not in (
                *hand_fields.LAID,
                *hand_fields.OWED,
            )
            if counted and (name not in held or self.left == ["left"]):
                self.note((name,), name)
                if times := self.value(name):
                    self.entry[name] = times
        self._read_left(held)
        if "opening" in self.typed:
            self.note(("opening",), "opening")
            if lines := hand_fields.lines_of(self.value("opening"), ",;/"):
                self.entry["opening"] = {"melds": [self.notated("opening", line) for line in lines]}

    def _read_laid(self) -> None:
        """Read what the side or its pair laid: the cards if typed, else the totals."""
        parsed, by_cards = self.parsed, "melds" in self.typed or "cards" not in self.own
        written = {
            position for position, writer in enumerate(parsed.writers) if writer == self.position
        }
        at, out = self.position, _side_in(parsed.draft, OUT, parsed.rules)
        if out is not None and out in written:
            # The side going out decides what may be laid.
            melds = [
                read_cards(notated(line)).cards
                for line in hand_fields.lines_of(self.typed.get("melds", ""))
            ]
            if (
                hand_fields.CONCEALED in parsed.draft
                or not melds
                or any(meld.of(Kind.BLACK_THREE) for meld in melds)
            ):
                at = out
        main, entry = "melds" if by_cards else "cards", parsed.hand["sides"][SIDE_KEYS[at]]
        for position in {at, *written}:
            self.note((), main, position)
        if main not in self.typed:
            self.problem(main, f"{main}-missing", missing=True)
        totals = [each for each in self.own.values() if each.group in hand_fields.TOTALS]
        if by_cards:
            for each in [each for each in totals if each.name in self.typed][-1:]:
                self.problem(each.name, "melds-and-totals")
            lines = hand_fields.lines_of(self.value("melds"))
            entry["melds"] = [self._meld(line) for line in (() if lines == (NONE,) else lines)]
            return
        known, found = len(parsed.problems), dict[str, dict[str, int]]()
        for each in totals:
            self.note(("totals", *each.name.split(".")), each.name, at)
            times = self.value(each.name)
            if times and each.name != "cards":
                found.setdefault(each.group, {})[each.last] = times
        points = self.value("cards")
        if points is not None and len(parsed.problems) == known:
            if points or found:
                entry["totals"] = {"canastas": {}, **found, "cards": points}
            else:
                entry["melds"] = []

    def _meld(self, line: str) -> str | dict[str, Any]:
        cards = self.notated("melds", line.rstrip(HIDDEN).strip())
        return {"cards": cards, "concealed": True} if line.endswith(HIDDEN) else cards

    # ------------------------------------------------------------------ what is in hand

    def _read_left(self, held: set[str]) -> None:
        name = self.left[0]
        self.note(("left",), name)
        if name == "left":
            points = self.value(name)
            if points or held & self.entry.keys():
                self.entry[name] = points or 0
            return
        if "left" in self.typed:
            self.problem("left", "left-both")
        if name == ALL_HANDS and len(self.typed.keys() & self.hands) > 1:
            self.problem(name, "left-twice")
        texts = [(each, self.value(each)) for each in self.left]
        if self.hands == self.left[:1]:
            # All hands of the side in one field, together or separately: `K 4 / 9`.
            texts = [(name, text.strip()) for text in texts[0][1].split(HANDS)]
        for hand, each in enumerate(self.left):
            self.note(("left", hand), each)
        cards = [self.notated(each, "" if text == NONE else text) for each, text in texts]
        several = len(cards) == self.settings.players_of(self.position) > 1
        self.entry["left"] = cards if several else " ".join(filter(None, cards))

    def require_left(self) -> None:
        """Report a blank hand: only the player who went out holds no cards, another blank was
        forgotten.
        """
        if self.way:
            return
        apart = self.own[self.left[0]].row is not None
        blank = [name for name in self.left if name not in self.typed]
        gone = self.parsed.hand.get("out") or {
            "side": self.parsed.draft.get(OUT, "").partition(".")[0]
        }
        if gone["side"] == self.side and (apart or self.settings.players_of(self.position) == 1):
            # With several hands, which one is empty is known only if the player who went out is
            # given.
            empty = f"left.{gone.get('player', -1)}" if apart else ""
            blank = [name for name in blank if name != empty] if empty in blank else blank[1:]
        if blank:
            self.parsed.problems.append(
                DraftProblem(key(self.side, blank[0]), "left-missing", missing=True)
            )

    # ------------------------------------------------------------------ texts

    def value(self, name: str) -> Any:
        """The figure in a field, or its text; no figure if the field is blank or has a problem."""
        kind, text = self.own[name].kind, self.typed.get(name, "")
        if kind not in hand_fields.FIGURES:
            if len(text) <= LONGEST_TEXT:
                return text
            self.problem(name, "long", limit=LONGEST_TEXT)
            return ""
        figure = (
            read_sum(text, self.parsed.language, signed=kind is FieldKind.SIGNED) if text else None
        )
        if isinstance(figure, Misread):
            self.problem(name, figure.value)
            return None
        if kind is FieldKind.COUNT and (figure or 0) > MOST_TIMES:
            self.problem(name, "many")
            return None
        return figure

    def notated(self, name: str, text: str) -> str:
        """Cards in notation; ambiguous cards are a problem."""
        for why, given in read_typed(text).doubts[:1]:
            self.problem(name, why, missing=True, given=given[:LONGEST_ECHO])
        return notated(text)

    def problem(
        self, name: str, reason: str, *, missing: bool = False, limit: int = 0, given: str = ""
    ) -> None:
        """Report an unreadable or missing value: the points of all who lay together depend on it."""
        problem = DraftProblem(key(self.side, name), reason, missing, None, limit, given)
        if problem not in self.parsed.problems:
            self.parsed.problems.append(problem)
        self.parsed.unfinished.update(self.parsed.groups[self.position])

    def note(self, place: Pointer, name: str, position: int | None = None) -> None:
        """Record the field of a place of the side."""
        self.parsed.keys["sides", self.position if position is None else position, *place] = key(
            self.side, name
        )


def _read_single(parsed: Parsed) -> None:
    """Read who took the pile first and plays alone."""
    parsed.keys["single",] = SINGLE
    chosen, sides = parsed.draft.get(SINGLE, ""), parsed.hand["sides"]
    parsed.hand["single"] = chosen if chosen in sides else None
    if chosen not in (*sides, NOBODY) and not parsed.is_summed:
        parsed.problems.append(DraftProblem(SINGLE, "single-missing", missing=True))
        parsed.unfinished.update(range(len(sides)))
        parsed.unseated = True


def _read_out(parsed: Parsed) -> None:
    """Read who went out, if anyone."""
    draft, hand = parsed.draft, parsed.hand
    parsed.keys["out",], parsed.keys["out", "discard"] = OUT, DISCARD
    side, _, player = draft.get(OUT, "").partition(".")
    if shown := [each for each, entry in hand["sides"].items() if "special" in entry]:
        _read_special_out(parsed, shown, side)
        return
    said = [
        name
        for name in (hand_fields.CONCEALED, DISCARD, hand_fields.DISCARD_NONE)
        if parsed.typed_in(name)
    ]
    if draft.get(OUT) == NOBODY:
        parsed.problems += [DraftProblem(name, f"{name.replace('_', '-')}-nobody") for name in said]
    elif DISCARD in said and hand_fields.DISCARD_NONE in said:
        parsed.problems.append(DraftProblem(hand_fields.DISCARD_NONE, "discard-both"))
    hand["out"] = None
    if side not in hand["sides"]:
        if not side and parsed.is_summed:
            # A hand of agreed sums alone does not need who went out.
            del hand["out"]
        elif draft.get(OUT) != NOBODY:
            parsed.problems.append(DraftProblem(OUT, "out-missing", missing=True))
    elif SIDE_KEYS.index(side) not in parsed.unfinished:
        hand["out"] = {"side": side, "concealed": hand_fields.CONCEALED in draft}
        if player in map(str, range(parsed.rules.settings.players_of(SIDE_KEYS.index(side)))):
            hand["out"]["player"] = int(player)
        if discard := parsed.typed_in(DISCARD):
            hand["out"]["discard"] = discard
        elif hand_fields.DISCARD_NONE in draft:
            hand["out"]["discard"] = None


def _read_special_out(parsed: Parsed, shown: list[str], chosen: str) -> None:
    """Showing a special hand is going out, without a discard."""
    if len(shown) > 1:
        parsed.problems.append(DraftProblem(key(shown[1], "special"), "special-twice"))
        parsed.unfinished.update(map(SIDE_KEYS.index, shown))
    elif chosen not in ("", shown[0]):
        parsed.problems.append(DraftProblem(OUT, "special-out", side=SIDE_KEYS.index(shown[0])))
    parsed.hand["out"] = {"side": shown[0], "concealed": False}
    for side in shown[1:]:
        parsed.hand["sides"][side].pop("special")


# ------------------------------------------------------------------------------------ hand to draft


def draft_from(
    hand: Mapping[str, Any], rules: Ruleset, typed: Draft = MappingProxyType({})
) -> dict[str, str]:
    """The fields of this hand. `typed`: its original draft, whose sums are kept if their values are
    the same.
    """
    draft: dict[str, str] = {}
    out = hand.get("out") or {}
    if "out" in hand or not all("sum" in side for side in hand["sides"].values()):
        if "single" in rules.entry_fields:
            draft[SINGLE] = hand.get("single") or NOBODY
        draft[OUT] = (
            out.get("side", NOBODY)
            if out.get("player") is None
            else f"{out['side']}.{out['player']}"
        )
        if out.get("concealed"):
            draft[hand_fields.CONCEALED] = TICKED
        if "discard" in out:
            draft |= (
                {hand_fields.DISCARD_NONE: TICKED}
                if out["discard"] is None
                else {DISCARD: out["discard"]}
            )
    for position, side in enumerate(SIDE_KEYS[: len(rules.settings.sides)]):
        found = _side_fields(hand["sides"].get(side, {}), out, rules, position)
        draft |= {key(side, name): str(value) for name, value in found.items()}
    for position, writer in enumerate(who_lay(draft, rules)[1]):
        side = SIDE_KEYS[position]
        if writer == position and not any(
            key(side, name) in draft for name in ("sum", "special", "cards", "melds")
        ):
            draft[key(side, "cards" if hand_fields.counts_totals(rules.settings) else "melds")] = (
                NONE
            )
    for name, text in draft.items():
        # A sum is kept as typed. Figures below a thousand are written alike in every language.
        is_figure = hand_fields.side_of(name) is not None and text.lstrip("-").isdigit()
        if is_figure and read_sum(typed.get(name, ""), Language.ITALIAN, signed=True) == int(text):
            draft[name] = typed[name]
    return draft


def _side_fields(
    side: Mapping[str, Any], out: Mapping[str, Any], rules: Ruleset, position: int
) -> dict[str, Any]:
    """The values of the fields of a side, by name."""
    penalties = [
        {"code": each} if isinstance(each, str) else each for each in side.get("penalties", ())
    ]
    rows = {
        HOUSE: [each for each in penalties if each["code"] == HOUSE],
        "adjustments": side.get("adjustments", ()),
    }
    codes = [f"penalties.{each['code']}" for each in penalties if each["code"] != HOUSE]
    found: dict[str, Any] = dict(
        Counter([*codes, *(f"bonuses.{code}" for code in side.get("bonuses", ()))])
    )
    for group, given in rows.items():
        for row, each in enumerate(given):
            found |= {f"{group}.{row}.{part}": each[part] for part in ("points", "reason")}
    for name in ("sum", "special"):
        if side.get(name) not in (None, ""):
            return {**found, name: side[name]}
    for group, given in (side.get("totals") or {}).items():
        if group == "cards":
            found[group] = given
        else:
            found |= {f"{group}.{item}": times for item, times in given.items() if times}
    found |= {name: value for name, value in side.items() if value and isinstance(value, int)}
    if side.get("melds"):
        melds = [{"cards": each} if isinstance(each, str) else each for each in side["melds"]]
        found["melds"] = "\n".join(
            f"{each['cards']} {HIDDEN * bool(each.get('concealed'))}".strip() for each in melds
        )
    if side.get("opening"):
        found["opening"] = "\n".join(side["opening"]["melds"])
    return found | _left_fields(side.get("left", ""), out, rules, position)


def _left_fields(
    left: str | int | list[str], out: Mapping[str, Any], rules: Ruleset, position: int
) -> dict[str, Any]:
    apart = hand_fields.hands_apart(rules.settings, position)
    if isinstance(left, int):
        return {"left": left}
    if isinstance(left, str):
        if left.strip():
            return {ALL_HANDS if apart else "left.0": left.strip()}
        if hand_fields.counts_totals(rules.settings):
            return {"left": NONE}
        left = [""] * (apart or 1)
    hands = [hand.strip() for hand in left]
    if apart is None:
        return {"left.0": f" {HANDS} ".join(hand or NONE for hand in hands)}
    # The hands separately; blank for the player who went out.
    gone = None
    if out.get("side") == SIDE_KEYS[position]:
        gone = out.get("player", hands.index("") if "" in hands else None)
    return {
        f"left.{place}": hand or NONE for place, hand in enumerate(hands) if place != gone or hand
    }

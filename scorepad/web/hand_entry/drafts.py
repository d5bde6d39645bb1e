"""The draft of a hand: read into the hand of the contract, and filled from one."""

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
from scorepad.web.cards import LONGEST_ECHO, LONGEST_TEXT, TICKED
from scorepad.web.forms import LONGEST_NOTE, Misread, read_sum
from scorepad.web.hand_fields import (
    AGREED,
    ALL_HANDS,
    CONCEALED,
    DISCARD,
    DISCARD_NONE,
    FIGURES,
    LAID,
    NOBODY,
    NONE,
    OUT,
    OWED,
    REMARK,
    SINGLE,
    TOTALS,
    Field,
    FieldKind,
    counts_totals,
    fields_for,
    hands_apart,
    key,
    lines_of,
    side_of,
)

MOST_TIMES = 99
HANDS = "/"
"""Between the cards of two hands that stand in one field."""
HIDDEN = "*"
"""Behind a meld: it was laid down whole."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that cannot be read, or is missing: the key of the field, and the end of the message key.

    `missing`: nothing was typed yet, which is an error only when the hand is saved. `side` is whose problem it is where
    the key does not say it; `limit` and `given` are a figure and a text of the message.
    """

    key: str
    reason: str
    missing: bool = False
    side: int | None = None
    limit: int = 0
    given: str = ""


@dataclass(slots=True)
class Parsed:
    """What a draft says. `hand` holds all that could be read, in the contract's JSON.

    By side: `fields`, the `groups` of those who lay together, and `writers`, under whom it is typed what they laid.
    `keys` gives the draft key behind each place of the hand. The points of the sides in `unfinished` are not known yet;
    `unseated`: it is not known either who lays together. `notes` goes with the hand beside its figures.
    """

    draft: Mapping[str, str]
    rules: Ruleset
    language: Language
    fields: tuple[tuple[Field, ...], ...]
    groups: tuple[tuple[int, ...], ...]
    writers: tuple[int, ...]
    hand: dict[str, Any] = field(default_factory=dict)
    keys: dict[Place, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    unfinished: set[int] = field(default_factory=set)
    unseated: bool = False
    notes: HandNotes = field(default_factory=HandNotes)

    def typed_in(self, draft_key: str) -> str:
        """What is typed in a field."""
        return self.draft.get(draft_key, "").strip()

    def key_of(self, place: Place) -> str | None:
        """The key of the field in which this place of the hand was typed, or in which the place around it was."""
        found = (self.keys[place[:length]] for length in range(len(place), 0, -1) if place[:length] in self.keys)
        return next(found, None)

    @property
    def is_summed(self) -> bool:
        """Whether all sides are counted by an agreed sum."""
        return all(self.typed_in(key(side, "sum")) for side in self.hand["sides"])


# ----------------------------------------------------------------------------------------------- who lays together


def who_lay(
    draft: Mapping[str, str], rules: Ruleset
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:  # fmt: skip
    """By side, who lays together, as far as the draft says it (until then each alone), and who of them writes it down.

    The cards of a pair are typed under whoever of the two has something typed, else under who went out, else under the
    first; under each where one of them is counted by an agreed sum.
    """
    sides = tuple(range(len(rules.settings.sides)))
    groups: tuple[tuple[int, ...], ...] = tuple((position,) for position in sides)
    if "single" not in rules.entry_fields:
        return groups, sides
    out, single = _side_in(draft, OUT, rules), _side_in(draft, SINGLE, rules)
    if single is not None or draft.get(SINGLE) == NOBODY:
        entries = (SideEntry(),) * len(sides)
        hand = Hand(SIDE_KEYS[: len(sides)], (0,) * len(sides), entries, None if out is None else Out(out), single)
        pairs = who_lays(rules.settings.partnership, hand)
        groups = tuple(next(pair for pair in pairs if position in pair) for position in sides)
    typed = {(side_of(name), name[2:].partition(".")[0]) for name, text in draft.items() if text.strip()}
    writers = []
    for position, group in enumerate(groups):
        begun = [each for each in group if any((each, name) in typed for name in LAID)]
        chosen = begun or [out if out is not None and out in group else group[0]]
        alone = position in chosen or any((each, "sum") in typed for each in group)
        writers.append(position if alone else chosen[0])
    return groups, tuple(writers)


def _side_in(draft: Mapping[str, str], name: str, rules: Ruleset) -> int | None:
    side = draft.get(name, "").partition(".")[0]
    known = SIDE_KEYS[: len(rules.settings.sides)]
    return known.index(side) if side in known else None


# ------------------------------------------------------------------------------------------------ draft to hand


def read(draft: Mapping[str, str], rules: Ruleset, language: Language) -> Parsed:
    """Read a draft, whatever it holds."""
    sides = SIDE_KEYS[: len(rules.settings.sides)]
    own = tuple(fields_for(rules, position, draft) for position in range(len(sides)))
    parsed = Parsed(draft, rules, language, own, *who_lay(draft, rules), {"sides": {side: {} for side in sides}})
    readers = [_SideReader(parsed, position) for position in range(len(sides))]
    for reader in readers:
        reader.read()
    for group in parsed.groups:
        # Without what it laid a side seems not to have opened, and its red threes would count against it.
        entries = [readers[position].entry for position in group]
        if parsed.unfinished.intersection(group) and not any({"totals", "melds"} & entry.keys() for entry in entries):
            for entry in entries:
                entry.pop("red_threes", None)
                entry.pop("opening", None)
    if "single" in rules.entry_fields:
        _read_single(parsed)
    _read_out(parsed)
    for reader in readers:
        reader.require_left()
    parsed.notes = HandNotes(parsed.typed_in(REMARK), parsed.typed_in(AGREED))
    for name in (REMARK, AGREED):
        if len(parsed.typed_in(name)) > LONGEST_NOTE:
            parsed.problems.append(Problem(name, "long", limit=LONGEST_NOTE))
    return parsed


class _SideReader:
    """One side of the draft while it is read into `parsed`."""

    def __init__(self, parsed: Parsed, position: int) -> None:
        self.parsed, self.position, self.side = parsed, position, SIDE_KEYS[position]
        self.settings = parsed.rules.settings
        self.own = {each.name: each for each in parsed.fields[position]}
        self.entry: dict[str, Any] = parsed.hand["sides"][self.side]
        self.typed = {name for name in self.own if parsed.typed_in(key(self.side, name))}
        self.way = next((name for name in ("sum", "special") if name in self.typed), "")
        """`sum` or `special`, where the side is counted without what it laid and holds."""
        cards = [name for name, each in self.own.items() if each.kind is FieldKind.CARDS]
        self.left = [ALL_HANDS] if ALL_HANDS in self.typed else [name for name in cards if name != ALL_HANDS]
        """The fields of what it holds: its points, the cards of each hand, or those of all together."""
        if "left" in self.own and not self.typed.intersection(cards):
            self.left = ["left"]

    def read(self) -> None:
        """Put the side into the hand, as far as it can be read."""
        if not self.way:
            self._read_cards()
        else:
            self.note((), self.way)
            if (value := self.value(self.way)) is not None:
                self.entry[self.way] = value
        owed: dict[str, list[tuple[str, Any]]] = {"penalties": [], "bonuses": [], "adjustments": []}
        for name, each in self.own.items():
            if each.group in OWED and self.way == "sum":
                # Beside a sum nothing else counts: what is noted is reported, so that it is not dropped silently.
                if self.typed_in(name) not in ("", NONE):
                    self.problem(name, "sum-penalty")
            elif each.group in ("penalties", "bonuses"):
                owed[each.group] += [(name, each.last)] * (self.value(name) or 0)
            elif each.group in ("house", "adjustments") and each.last == "points" and (row := self._row(each)):
                owed["penalties" if each.group == "house" else each.group].append((name, row))
        for group, given in owed.items():
            for number, (name, _) in enumerate(given):
                self.note((group, number), name)
            if given:
                self.entry[group] = [each for _, each in given]

    def _row(self, points: Field) -> dict[str, Any] | None:
        """A house penalty or agreed points, if complete; half of one is a problem."""
        names = {part: f"{points.group}.{points.row}.{part}" for part in ("points", "reason")}
        if not self.typed.intersection(names.values()):
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
            counted = each.kind is FieldKind.COUNT and each.group not in (*LAID, *OWED)
            if counted and (name not in held or self.left == ["left"]):
                self.note((name,), name)
                if times := self.value(name):
                    self.entry[name] = times
        self._read_left(held)
        if "opening" in self.typed:
            self.note(("opening",), "opening")
            if lines := lines_of(self.value("opening"), ",;/"):
                self.entry["opening"] = {"melds": [self.notated("opening", line) for line in lines]}

    def _read_laid(self) -> None:
        """What the side laid, or its pair: by its cards where those are typed, else in totals."""
        parsed, by_cards = self.parsed, "melds" in self.typed or "cards" not in self.own
        written = {position for position, writer in enumerate(parsed.writers) if writer == self.position}
        at, out = self.position, _side_in(parsed.draft, OUT, parsed.rules)
        if out is not None and out in written:
            # Whoever went out decides what may lie there.
            melds = [read_cards(notated(line)).cards for line in lines_of(self.typed_in("melds"))]
            if CONCEALED in parsed.draft or not melds or any(meld.of(Kind.BLACK_THREE) for meld in melds):
                at = out
        for position in {at, *written}:
            self.note((), "melds" if by_cards else "cards", position)
        totals = [name for name in self.own if name in self.typed and self.own[name].group in TOTALS]
        if by_cards and totals:
            self.problem(totals[-1], "melds-and-totals")
        parsed.hand["sides"][SIDE_KEYS[at]].update(self._melds() if by_cards else self._totals(at))

    def _totals(self, at: int) -> dict[str, Any]:
        known, found = len(self.parsed.problems), dict[str, dict[str, int]]()
        for name, each in self.own.items():
            if each.group in ("canastas", "incomplete"):
                self.note(("totals", each.group, each.last), name, at)
                if times := self.value(name):
                    found.setdefault(each.group, {})[each.last] = times
        self.note(("totals", "cards"), "cards", at)
        if "cards" not in self.typed:
            self.problem("cards", "cards-missing", missing=True)
        points = self.value("cards")
        if points is None or len(self.parsed.problems) > known:
            return {}
        return {"totals": {"canastas": {}, **found, "cards": points}} if points or found else {"melds": []}

    def _melds(self) -> dict[str, Any]:
        melds: list[Any] = []
        if "melds" not in self.typed:
            self.problem("melds", "melds-missing", missing=True)
        lines = lines_of(self.value("melds"))
        for line in () if lines == (NONE,) else lines:
            cards = self.notated("melds", line.rstrip(HIDDEN).strip())
            melds.append({"cards": cards, "concealed": True} if line.endswith(HIDDEN) else cards)
        return {"melds": melds}

    # ------------------------------------------------------------------ what is in hand

    def _read_left(self, held: set[str]) -> None:
        name, *more = self.left
        self.note(("left",), name)
        if name == "left":
            points = self.value(name)
            if points or held & self.entry.keys():
                self.entry[name] = points or 0
            return
        if "left" in self.typed:
            self.problem("left", "left-both")
        if name == ALL_HANDS and any(self.own[each].kind is FieldKind.CARDS for each in self.typed - {ALL_HANDS}):
            self.problem(name, "left-twice")
        for hand, each in enumerate(self.left if more else ()):
            self.note(("left", hand), each)
        texts = [(each, self.value(each)) for each in self.left]
        if name == "left.0" and not more:
            # All hands of the side in one field, as one or each for itself: `K 4 / 9`.
            texts = [(name, text.strip()) for text in texts[0][1].split(HANDS)]
        cards = [self.notated(each, "" if text == NONE else text) for each, text in texts]
        several = len(cards) == self.settings.hands_of(self.position) > 1
        self.entry["left"] = cards if several else " ".join(filter(None, cards))

    def require_left(self) -> None:
        """Report a hand left blank: only who went out holds no cards, where another one is blank it was forgotten."""
        if self.way:
            return
        hands, apart = self.settings.hands_of(self.position), hands_apart(self.settings, self.position) is not None
        apart = apart and self.left != ["left"]
        blank = [name for name in self.left if name not in self.typed]
        gone = self.parsed.hand.get("out") or {"side": self.parsed.draft.get(OUT, "").partition(".")[0]}
        if gone["side"] == self.side and (apart or hands == 1):
            # Whose hand is empty, where several are noted, is known only if it was said who of the side went out.
            empty = f"left.{gone.get('player', -1)}" if apart else ""
            blank = [name for name in blank if name != empty] if empty in blank else blank[1:]
        if blank:
            self.parsed.problems.append(Problem(key(self.side, blank[0]), "left-missing", missing=True))

    # ------------------------------------------------------------------ texts

    def typed_in(self, name: str) -> str:
        """What is typed in a field."""
        return self.parsed.typed_in(key(self.side, name))

    def value(self, name: str) -> Any:
        """The figure in a field, or its text; no figure where it is blank, neither where there is a problem with it."""
        kind, text = self.own[name].kind, self.typed_in(name)
        if kind not in FIGURES:
            if len(text) <= LONGEST_TEXT:
                return text
            self.problem(name, "long", limit=LONGEST_TEXT)
            return ""
        figure = read_sum(text, self.parsed.language, signed=kind is FieldKind.SIGNED)
        if isinstance(figure, Misread):
            self.problem(name, figure.value)
            return None
        if kind is FieldKind.COUNT and (figure or 0) > MOST_TIMES:
            self.problem(name, "many")
            return None
        return figure

    def notated(self, name: str, text: str) -> str:
        """Cards in notation; what may be read in two ways is a problem."""
        for why, given in read_typed(text).doubts[:1]:
            self.problem(name, why, missing=True, given=given[:LONGEST_ECHO])
        return notated(text)

    def problem(self, name: str, reason: str, *, missing: bool = False, limit: int = 0, given: str = "") -> None:
        """Report what cannot be read, or is missing: the points of all who lay together wait for it."""
        problem = Problem(key(self.side, name), reason, missing, None, limit, given)
        if problem not in self.parsed.problems:
            self.parsed.problems.append(problem)
        self.parsed.unfinished.update(self.parsed.groups[self.position])

    def note(self, place: Place, name: str, position: int | None = None) -> None:
        """Note in which field a place of the side was typed."""
        self.parsed.keys["sides", self.position if position is None else position, *place] = key(self.side, name)


def _read_single(parsed: Parsed) -> None:
    """Who took the pile first and plays alone for the hand."""
    parsed.keys["single",] = SINGLE
    chosen, sides = parsed.draft.get(SINGLE, ""), parsed.hand["sides"]
    parsed.hand["single"] = chosen if chosen in sides else None
    if chosen not in (*sides, NOBODY) and not parsed.is_summed:
        parsed.problems.append(Problem(SINGLE, "single-missing", missing=True))
        parsed.unfinished.update(range(len(sides)))
        parsed.unseated = True


def _read_out(parsed: Parsed) -> None:
    """Who went out, if anybody did."""
    draft, hand = parsed.draft, parsed.hand
    parsed.keys["out",], parsed.keys["out", "discard"] = OUT, DISCARD
    side, _, player = draft.get(OUT, "").partition(".")
    if shown := [each for each, entry in hand["sides"].items() if "special" in entry]:
        _read_special_out(parsed, shown, side)
        return
    parsed.problems += _contradictions(draft)
    hand["out"] = None
    if side not in hand["sides"]:
        if not side and parsed.is_summed:
            # Of a hand that is only its sums nobody has to know who went out.
            del hand["out"]
        elif draft.get(OUT) != NOBODY:
            parsed.problems.append(Problem(OUT, "out-missing", missing=True))
    elif SIDE_KEYS.index(side) not in parsed.unfinished:
        hand["out"] = {"side": side, "concealed": CONCEALED in draft}
        if player in map(str, range(parsed.rules.settings.hands_of(SIDE_KEYS.index(side)))):
            hand["out"]["player"] = int(player)
        if discard := parsed.typed_in(DISCARD):
            hand["out"]["discard"] = discard
        elif DISCARD_NONE in draft:
            hand["out"]["discard"] = None


def _read_special_out(parsed: Parsed, shown: list[str], chosen: str) -> None:
    """Who shows a special hand goes out with it, without a discard."""
    if len(shown) > 1:
        parsed.problems.append(Problem(key(shown[1], "special"), "special-twice"))
        parsed.unfinished.update(map(SIDE_KEYS.index, shown))
    elif chosen not in ("", shown[0]):
        parsed.problems.append(Problem(OUT, "special-out", side=SIDE_KEYS.index(shown[0])))
    parsed.hand["out"] = {"side": shown[0], "concealed": False}
    for side in shown[1:]:
        parsed.hand["sides"][side].pop("special")


def _contradictions(draft: Mapping[str, str]) -> Iterator[Problem]:
    """What is said of going out and cannot be together."""
    said = [name for name in (CONCEALED, DISCARD, DISCARD_NONE) if draft.get(name, "").strip()]
    if draft.get(OUT) == NOBODY:
        yield from (Problem(name, f"{name.replace('_', '-')}-nobody") for name in said)
    elif DISCARD in said and DISCARD_NONE in said:
        yield Problem(DISCARD_NONE, "discard-both")


# ------------------------------------------------------------------------------------------------ hand to draft


def draft_from(
    hand: Mapping[str, Any], rules: Ruleset, typed: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """The fields that say this hand. `typed` is what it came from: its sums stay as long as they come to the same."""
    draft: dict[str, str] = {}
    if "out" in hand or not all("sum" in side for side in hand["sides"].values()):
        if "single" in rules.entry_fields:
            draft[SINGLE] = hand.get("single") or NOBODY
        draft |= _out_fields(hand.get("out"))
    for position, side in enumerate(SIDE_KEYS[: len(rules.settings.sides)]):
        found = _side_fields(hand["sides"].get(side, {}), hand.get("out") or {}, rules, position)
        draft |= {key(side, name): str(value) for name, value in found.items()}
    for position, writer in enumerate(who_lay(draft, rules)[1]):
        side = SIDE_KEYS[position]
        if writer == position and not any(key(side, name) in draft for name in ("sum", "special", "cards", "melds")):
            draft[key(side, "cards" if counts_totals(rules.settings) else "melds")] = NONE
    for name, text in draft.items():
        # A sum stays as it was typed. Figures below a thousand are written alike in every language.
        is_figure = side_of(name) is not None and text.lstrip("-").isdigit()
        if is_figure and read_sum(typed.get(name, ""), Language.ITALIAN, signed=True) == int(text):
            draft[name] = typed[name]
    return draft


def _out_fields(out: Mapping[str, Any] | None) -> dict[str, str]:
    if out is None:
        return {OUT: NOBODY}
    player = out.get("player")
    draft = {OUT: out["side"] if player is None else f"{out['side']}.{player}"}
    if out.get("concealed"):
        draft[CONCEALED] = TICKED
    if "discard" in out:
        draft |= {DISCARD_NONE: TICKED} if out["discard"] is None else {DISCARD: out["discard"]}
    return draft


def _side_fields(
    side: Mapping[str, Any], out: Mapping[str, Any], rules: Ruleset, position: int
) -> dict[str, Any]:  # fmt: skip
    """The values of the fields of a side, by name."""
    rows: dict[str, list[Mapping[str, Any]]] = {"house": [], "adjustments": side.get("adjustments", [])}
    codes = []
    for penalty in side.get("penalties", ()):
        code = penalty if isinstance(penalty, str) else penalty["code"]
        if code == HOUSE:
            rows[HOUSE].append(penalty)
        else:
            codes.append(f"penalties.{code}")
    codes += [f"bonuses.{code}" for code in side.get("bonuses", ())]
    found: dict[str, Any] = dict(Counter(codes))
    for group, given in rows.items():
        for row, each in enumerate(given):
            found |= {f"{group}.{row}.{part}": each[part] for part in ("points", "reason")}
    for name in ("sum", "special"):
        if side.get(name) not in (None, ""):
            return {**found, name: side[name]}
    totals = side.get("totals") or {}
    for group in ("canastas", "incomplete"):
        found |= {f"{group}.{item}": times for item, times in totals.get(group, {}).items() if times}
    if "cards" in totals:
        found["cards"] = totals["cards"]
    counted = [each.name for each in fields_for(rules, position) if each.kind is FieldKind.COUNT]
    found |= {name: side[name] for name in counted if side.get(name)}
    if side.get("melds"):
        found["melds"] = "\n".join(map(_meld_line, side["melds"]))
    if side.get("opening"):
        found["opening"] = "\n".join(side["opening"]["melds"])
    return found | _left_fields(side.get("left", ""), out, rules, position)


def _meld_line(meld: str | Mapping[str, Any]) -> str:
    if isinstance(meld, str):
        return meld
    return f"{meld['cards']} {HIDDEN}" if meld.get("concealed") else str(meld["cards"])


def _left_fields(
    left: str | int | list[str], out: Mapping[str, Any], rules: Ruleset, position: int
) -> dict[str, Any]:  # fmt: skip
    apart = hands_apart(rules.settings, position)
    if isinstance(left, int):
        return {"left": left}
    if isinstance(left, str):
        if left.strip():
            return {ALL_HANDS if apart else "left.0": left.strip()}
        if counts_totals(rules.settings):
            return {"left": NONE}
        left = [""] * (apart or 1)
    hands = [hand.strip() for hand in left]
    if apart is None:
        return {"left.0": f" {HANDS} ".join(hand or NONE for hand in hands)}
    # The hands noted one by one; that of whoever went out stays blank.
    gone = None
    if out.get("side") == SIDE_KEYS[position]:
        gone = out.get("player", hands.index("") if "" in hands else None)
    return {f"left.{place}": hand or NONE for place, hand in enumerate(hands) if place != gone or hand}

"""The draft of a hand: read into the hand of the contract, and filled from one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from types import MappingProxyType
from typing import Any, NamedTuple

from scorepad.i18n import Language
from scorepad.i18n.typed_cards import notated, read_typed
from scorepad.matches.hands import Draft, HandTexts
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE, Hand, Out, SideEntry
from scorepad.rules.table import Pointer, find_parties
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web import hand_fields
from scorepad.web.card_lines import LONGEST_ECHO, LONGEST_TEXT, TICKED
from scorepad.web.forms import LONGEST_REMARK, Misread, read_sum
from scorepad.web.hand_fields import (
    ALL_HANDS,
    DISCARD,
    DISCARD_NONE,
    HIDDEN,
    NOBODY,
    NONE,
    OUT,
    SINGLE,
    Field,
    FieldKind,
    fields_for,
    key,
)

MOST_TIMES = 99
Positions = tuple[int, ...]
"""Sides, by position."""
HAND_SEPARATOR = "/"
"""Separates the cards of two players in one field."""


class DraftProblem(NamedTuple):
    """Something unreadable or missing: the key of the field, and the end of the message key.

    `missing`: nothing was typed yet, which is an error only when the hand is saved. `side`: the
    side concerned, if the key does not name it; `limit` and `given`: a number and a text of the
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
    their melds. `keys` maps each part of the hand to its draft key. The points of the sides in
    `unfinished` are not known yet; `unseated`: the groups are not known yet either.
    """

    draft: Draft
    rules: Ruleset
    language: Language
    fields: tuple[tuple[Field, ...], ...]
    groups: tuple[Positions, ...]
    writers: Positions
    hand: dict[str, Any] = dataclass_field(default_factory=dict)
    keys: dict[Pointer, str] = dataclass_field(default_factory=dict)
    problems: list[DraftProblem] = dataclass_field(default_factory=list)
    unfinished: set[int] = dataclass_field(default_factory=set)
    unseated: bool = False

    def typed_in(self, draft_key: str) -> str:
        return self.draft.get(draft_key, "").strip()

    def key_of(self, where: Pointer) -> str | None:
        """The key of the field of this part of the hand, or of the part around it."""
        for length in range(len(where), 0, -1):
            if where[:length] in self.keys:
                return self.keys[where[:length]]
        return None

    @property
    def notes(self) -> HandTexts:
        """The remark on the hand, and the reason why the table agreed to it."""
        return HandTexts(self.typed_in(hand_fields.REMARK), self.typed_in(hand_fields.AGREED))

    @property
    def is_summed(self) -> bool:
        """Whether all sides are counted by an agreed sum."""
        return all(self.typed_in(key(side, "sum")) for side in self.hand["sides"])


# -------------------------------------------------------------------------------- who lays together


def melding_groups(draft: Draft, rules: Ruleset) -> tuple[Positions, ...]:
    """By side, the sides that lay together, as far as the draft says it; by default each alone."""
    sides = tuple(range(len(rules.settings.sides)))
    alone = tuple((position,) for position in sides)
    if "single" not in rules.entry_fields:
        return alone
    single = _side_in(draft, SINGLE, rules)
    if single is None and draft.get(SINGLE) != NOBODY:
        return alone
    out = _side_in(draft, OUT, rules)
    hand = Hand(
        SIDE_KEYS[: len(sides)],
        (0,) * len(sides),
        (SideEntry(),) * len(sides),
        None if out is None else Out(out),
        single,
    )
    groups: list[Positions] = list(alone)
    for party in find_parties(rules.settings.partnership, hand):
        for position in party:
            groups[position] = party
    return tuple(groups)


def melding_writers(draft: Draft, rules: Ruleset, groups: tuple[Positions, ...]) -> Positions:
    """By side, the side whose fields hold its melds.

    The cards of a pair are typed under the side that has text, else under the one that went out,
    else under the first; under each if one of them is counted by an agreed sum.
    """
    if "single" not in rules.entry_fields:
        return tuple(range(len(groups)))
    typed = set()
    for name, text in draft.items():
        if text.strip():
            typed.add((hand_fields.side_of(name), name[2:].partition(".")[0]))
    out = _side_in(draft, OUT, rules)
    writers = []
    for position, group in enumerate(groups):
        with_text = [each for each in group if _has_melds(each, typed)]
        if not with_text:
            with_text = [out if out is not None and out in group else group[0]]
        has_sum = any((each, "sum") in typed for each in group)
        writers.append(position if has_sum or position in with_text else with_text[0])
    return tuple(writers)


def _has_melds(position: int, typed: Set[tuple[int | None, str]]) -> bool:
    return any((position, group) in typed for group in hand_fields.MELD_GROUPS)


def _side_in(draft: Draft, name: str, rules: Ruleset) -> int | None:
    side = draft.get(name, "").partition(".")[0]
    known = SIDE_KEYS[: len(rules.settings.sides)]
    return known.index(side) if side in known else None


# ------------------------------------------------------------------------------------ draft to hand


def read(draft: Draft, rules: Ruleset, language: Language) -> Parsed:
    """Read a draft with any content."""
    sides = SIDE_KEYS[: len(rules.settings.sides)]
    groups = melding_groups(draft, rules)
    parsed = Parsed(
        draft,
        rules,
        language,
        fields=tuple(fields_for(rules, position, draft) for position in range(len(sides))),
        groups=groups,
        writers=melding_writers(draft, rules, groups),
        hand={"sides": {side: {} for side in sides}},
    )
    readers = [_SideReader(parsed, position) for position in range(len(sides))]
    for reader in readers:
        reader.read()
    for group in parsed.groups:
        if parsed.unfinished.intersection(group):
            _drop_what_needs_melds([readers[position].entry for position in group])
    if "single" in rules.entry_fields:
        _read_single(parsed)
    _read_out(parsed)
    for reader in readers:
        reader.require_left()
    for name in (hand_fields.REMARK, hand_fields.AGREED):
        if len(parsed.typed_in(name)) > LONGEST_REMARK:
            parsed.problems.append(DraftProblem(name, "long", limit=LONGEST_REMARK))
    return parsed


def _drop_what_needs_melds(entries: list[dict[str, Any]]) -> None:
    """Drop the red threes and the opening of sides without readable melds: they seem not to have
    opened, and their red threes would count against them.
    """
    if any("totals" in entry or "melds" in entry for entry in entries):
        return
    for entry in entries:
        entry.pop("red_threes", None)
        entry.pop("opening", None)


class _SideReader:
    """Reads one side of the draft into `parsed`."""

    def __init__(self, parsed: Parsed, position: int) -> None:
        self.parsed = parsed
        self.position = position
        self.side = SIDE_KEYS[position]
        self.settings = parsed.rules.settings
        self.fields = {field.name: field for field in parsed.fields[position]}
        self.entry: dict[str, Any] = parsed.hand["sides"][self.side]
        self.typed: dict[str, str] = {}
        for field in self.fields.values():
            text = parsed.typed_in(field.key)
            if text:
                self.typed[field.name] = text
        self.counted_by = ""
        """`sum` or `special`, if the side is counted without its laid and held cards."""
        if "sum" in self.typed:
            self.counted_by = "sum"
        elif "special" in self.typed:
            self.counted_by = "special"
        self.card_fields = [
            field.name for field in self.fields.values() if field.kind is FieldKind.CARDS
        ]
        self.held_fields = self._find_held_fields()

    def _find_held_fields(self) -> list[str]:
        """The fields of its held cards that are read: their points, the cards of each player, or those
        of all players.
        """
        if "left" in self.fields and not self.typed.keys() & self.card_fields:
            return ["left"]
        if ALL_HANDS in self.typed:
            return [ALL_HANDS]
        return [name for name in self.card_fields if name != ALL_HANDS]

    def read(self) -> None:
        """Add the side to the hand, as far as it is readable."""
        if self.counted_by:
            self.record_key((), self.counted_by)
            value = self.value(self.counted_by)
            if value is not None:
                self.entry[self.counted_by] = value
        else:
            self._read_cards()
        charges = self._charges()
        # Noted penalties follow those typed here, and are shown together.
        self.record_key(("penalties",), hand_fields.NOTED)
        for group, charged in charges.items():
            for index, (name, _) in enumerate(charged):
                self.record_key((group, index), name)
            if charged:
                self.entry[group] = [value for _, value in charged]

    def _charges(self) -> dict[str, list[tuple[str, Any]]]:
        """Penalties, bonuses and agreed points as in the JSON of the hand, each with its field."""
        if self.counted_by == "sum":
            self._refuse_penalties()
            return {hand_fields.ADJUSTMENTS: self._rows(hand_fields.ADJUSTMENTS)}
        # In the order of the page, in which problems are reported.
        penalties = self._codes("penalties")
        bonuses = self._codes("bonuses")
        house_penalties = self._rows(HOUSE)
        adjustments = self._rows(hand_fields.ADJUSTMENTS)
        return {
            "penalties": [*penalties, *house_penalties],
            "bonuses": bonuses,
            hand_fields.ADJUSTMENTS: adjustments,
        }

    def _refuse_penalties(self) -> None:
        """Beside a sum nothing else counts: other input is reported, so that it is not dropped
        silently.
        """
        for name, field in self.fields.items():
            if field.group in hand_fields.OWED and self.typed.get(name, NONE) != NONE:
                self.problem(name, "sum-penalty")

    def _codes(self, group: str) -> list[tuple[str, Any]]:
        """The penalties or bonuses with a code, each as often as it was typed, with its field."""
        codes: list[tuple[str, Any]] = []
        for name, field in self.fields.items():
            if field.group == group:
                codes += [(name, field.last)] * (self.value(name) or 0)
        return codes

    def _rows(self, group: str) -> list[tuple[str, Any]]:
        """The house penalties or the agreed points, each with the field of its points."""
        rows: list[tuple[str, Any]] = []
        for name, field in self.fields.items():
            if field.group == group and field.last == "points":
                row = self._row(field)
                if row:
                    rows.append((name, row))
        return rows

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
        held_together = {kind.key for kind in self.settings.held_together} & self.fields.keys()
        for name, field in self.fields.items():
            if field.kind is not FieldKind.COUNT:
                continue
            if field.group in hand_fields.MELD_GROUPS or field.group in hand_fields.OWED:
                continue
            if name not in held_together or self.held_fields == ["left"]:
                self.record_key((name,), name)
                count = self.value(name)
                if count:
                    self.entry[name] = count
        self._read_left(held_together)
        if "opening" in self.typed:
            self.record_key(("opening",), "opening")
            lines = hand_fields.meld_lines(self.value("opening"), ",;/")
            if lines:
                self.entry["opening"] = {"melds": [self.notated("opening", line) for line in lines]}

    def _read_laid(self) -> None:
        """Read what the side or its pair laid: the cards if typed, else the totals."""
        parsed = self.parsed
        written = {
            position for position, writer in enumerate(parsed.writers) if writer == self.position
        }
        target = self._side_of_melds(written)
        entry = parsed.hand["sides"][SIDE_KEYS[target]]
        by_cards = "melds" in self.typed or "cards" not in self.fields
        main_field = "melds" if by_cards else "cards"
        for position in {target, *written}:
            self.record_key((), main_field, position)
        if main_field not in self.typed:
            self.problem(main_field, f"{main_field}-missing", missing=True)
        if by_cards:
            self._refuse_totals()
            lines = hand_fields.meld_lines(self.value("melds"))
            melds = () if lines == (NONE,) else lines
            entry["melds"] = [self._meld(line) for line in melds]
        else:
            self._read_totals(entry, target)

    def _side_of_melds(self, written: Set[int]) -> int:
        """The side of the hand to which the melds typed here belong: the side going out decides what
        may be laid.
        """
        out = _side_in(self.parsed.draft, OUT, self.parsed.rules)
        if out is None or out not in written:
            return self.position
        lines = hand_fields.meld_lines(self.typed.get("melds", ""))
        melds = [read_cards(notated(line)).cards for line in lines]
        has_black_threes = any(meld.of(Kind.BLACK_THREE) for meld in melds)
        if hand_fields.CONCEALED in self.parsed.draft or not melds or has_black_threes:
            return out
        return self.position

    def _fields_of_totals(self) -> list[Field]:
        return [field for field in self.fields.values() if field.group in hand_fields.TOTALS]

    def _refuse_totals(self) -> None:
        """Report totals beside cards, at the last of their fields."""
        typed = [field.name for field in self._fields_of_totals() if field.name in self.typed]
        if typed:
            self.problem(typed[-1], "melds-and-totals")

    def _read_totals(self, entry: dict[str, Any], target: int) -> None:
        problems_before = len(self.parsed.problems)
        counts: dict[str, dict[str, int]] = {}
        for field in self._fields_of_totals():
            self.record_key(("totals", *field.name.split(".")), field.name, target)
            count = self.value(field.name)
            if count and field.name != "cards":
                counts.setdefault(field.group, {})[field.last] = count
        points = self.value("cards")
        if points is None or len(self.parsed.problems) != problems_before:
            return
        if points or counts:
            entry["totals"] = {"canastas": {}, **counts, "cards": points}
        else:
            entry["melds"] = []

    def _meld(self, line: str) -> str | dict[str, Any]:
        cards = self.notated("melds", line.rstrip(HIDDEN).strip())
        return {"cards": cards, "concealed": True} if line.endswith(HIDDEN) else cards

    # ------------------------------------------------------------------ what is in hand

    def _read_left(self, held_together: Set[str]) -> None:
        first_field = self.held_fields[0]
        self.record_key(("left",), first_field)
        if first_field == "left":
            points = self.value(first_field)
            if points or held_together & self.entry.keys():
                self.entry["left"] = points or 0
            return
        if "left" in self.typed:
            self.problem("left", "left-both")
        if first_field == ALL_HANDS and len(self.typed.keys() & self.card_fields) > 1:
            self.problem(first_field, "left-twice")
        texts = [(name, self.value(name)) for name in self.held_fields]
        if self.card_fields == self.held_fields[:1]:
            # The cards of all players in one field, together or separately: `K 4 / 9`.
            parts = texts[0][1].split(HAND_SEPARATOR)
            texts = [(first_field, part.strip()) for part in parts]
        for index, name in enumerate(self.held_fields):
            self.record_key(("left", index), name)
        cards = [self.notated(name, "" if text == NONE else text) for name, text in texts]
        is_by_player = len(cards) == self.settings.players_of(self.position) > 1
        self.entry["left"] = cards if is_by_player else " ".join(filter(None, cards))

    def require_left(self) -> None:
        """Report blank held cards: only the player who went out holds none, another blank was
        forgotten.
        """
        if self.counted_by:
            return
        blank = [name for name in self.held_fields if name not in self.typed]
        is_apart = self.fields[self.held_fields[0]].row is not None
        out = self.parsed.hand.get("out")
        side_out = out["side"] if out else self.parsed.draft.get(OUT, "").partition(".")[0]
        player_out = out.get("player") if out else None
        if side_out == self.side and is_apart:
            # Which of several fields is empty is known only if the player who went out is given.
            empty_field = f"left.{player_out}"
            if empty_field in blank:
                blank.remove(empty_field)
            else:
                blank = blank[1:]
        elif side_out == self.side and self.settings.players_of(self.position) == 1:
            blank = blank[1:]
        if blank:
            self.parsed.problems.append(
                DraftProblem(key(self.side, blank[0]), "left-missing", missing=True)
            )

    # ------------------------------------------------------------------ texts

    def value(self, name: str) -> Any:
        """The number in a field, or its text; no number if the field is blank or has a problem."""
        kind = self.fields[name].kind
        text = self.typed.get(name, "")
        if kind not in hand_fields.NUMBERS:
            if len(text) <= LONGEST_TEXT:
                return text
            self.problem(name, "long", limit=LONGEST_TEXT)
            return ""
        if not text:
            return None
        number = read_sum(text, self.parsed.language, signed=kind is FieldKind.SIGNED)
        if isinstance(number, Misread):
            self.problem(name, number.value)
            return None
        if kind is FieldKind.COUNT and (number or 0) > MOST_TIMES:
            self.problem(name, "many")
            return None
        return number

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

    def record_key(self, where: Pointer, name: str, position: int | None = None) -> None:
        """Record the field of a part of the side."""
        side = self.position if position is None else position
        self.parsed.keys["sides", side, *where] = key(self.side, name)


def _read_single(parsed: Parsed) -> None:
    """Read who took the pile first and plays alone."""
    parsed.keys["single",] = SINGLE
    chosen = parsed.draft.get(SINGLE, "")
    sides = parsed.hand["sides"]
    parsed.hand["single"] = chosen if chosen in sides else None
    if chosen not in sides and chosen != NOBODY and not parsed.is_summed:
        parsed.problems.append(DraftProblem(SINGLE, "single-missing", missing=True))
        parsed.unfinished.update(range(len(sides)))
        parsed.unseated = True


def _read_out(parsed: Parsed) -> None:
    """Read who went out, if anyone."""
    draft = parsed.draft
    hand = parsed.hand
    parsed.keys["out",] = OUT
    parsed.keys["out", "discard"] = DISCARD
    side, _, player = draft.get(OUT, "").partition(".")
    special_sides = [each for each, entry in hand["sides"].items() if "special" in entry]
    if special_sides:
        _read_special_out(parsed, special_sides, side)
        return
    _check_out_details(parsed)
    hand["out"] = None
    if side in hand["sides"]:
        if SIDE_KEYS.index(side) not in parsed.unfinished:
            hand["out"] = _out_entry(parsed, side, player)
    elif not side and parsed.is_summed:
        # A hand of agreed sums alone does not need who went out.
        del hand["out"]
    elif draft.get(OUT) != NOBODY:
        parsed.problems.append(DraftProblem(OUT, "out-missing", missing=True))


def _check_out_details(parsed: Parsed) -> None:
    """Report what was typed about going out if nobody did, or if it contradicts itself."""
    typed = []
    for name in (hand_fields.CONCEALED, DISCARD, DISCARD_NONE):
        if parsed.typed_in(name):
            typed.append(name)
    if parsed.draft.get(OUT) == NOBODY:
        for name in typed:
            parsed.problems.append(DraftProblem(name, f"{name.replace('_', '-')}-nobody"))
    elif DISCARD in typed and DISCARD_NONE in typed:
        parsed.problems.append(DraftProblem(DISCARD_NONE, "discard-both"))


def _out_entry(parsed: Parsed, side: str, player: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"side": side, "concealed": hand_fields.CONCEALED in parsed.draft}
    players = parsed.rules.settings.players_of(SIDE_KEYS.index(side))
    if player in map(str, range(players)):
        entry["player"] = int(player)
    discard = parsed.typed_in(DISCARD)
    if discard:
        entry["discard"] = discard
    elif DISCARD_NONE in parsed.draft:
        entry["discard"] = None
    return entry


def _read_special_out(parsed: Parsed, special_sides: list[str], chosen: str) -> None:
    """Showing a special hand is going out, without a discard."""
    first, *others = special_sides
    if others:
        parsed.problems.append(DraftProblem(key(others[0], "special"), "special-twice"))
        parsed.unfinished.update(map(SIDE_KEYS.index, special_sides))
    elif chosen not in ("", first):
        parsed.problems.append(DraftProblem(OUT, "special-out", side=SIDE_KEYS.index(first)))
    parsed.hand["out"] = {"side": first, "concealed": False}
    for side in others:
        parsed.hand["sides"][side].pop("special")


# ------------------------------------------------------------------------------------ hand to draft


def draft_from(
    hand: Mapping[str, Any], rules: Ruleset, typed: Draft = MappingProxyType({})
) -> dict[str, str]:
    """The fields of this hand. `typed`: its original draft, whose sums are kept if their values are
    the same.
    """
    draft = _out_fields(hand, rules)
    out = hand.get("out") or {}
    for position, side in enumerate(SIDE_KEYS[: len(rules.settings.sides)]):
        fields = _side_fields(hand["sides"].get(side, {}), out, rules, position)
        for name, value in fields.items():
            draft[key(side, name)] = str(value)
    _write_empty_melds(draft, rules)
    for name, text in draft.items():
        # A sum is kept as typed. Numbers below a thousand are written alike in every language.
        is_number = hand_fields.side_of(name) is not None and text.lstrip("-").isdigit()
        if is_number and read_sum(typed.get(name, ""), Language.ITALIAN, signed=True) == int(text):
            draft[name] = typed[name]
    return draft


def _out_fields(hand: Mapping[str, Any], rules: Ruleset) -> dict[str, str]:
    """The fields of who plays alone and who went out; none for a hand of agreed sums that does not
    say it.
    """
    draft: dict[str, str] = {}
    if "out" not in hand and all("sum" in side for side in hand["sides"].values()):
        return draft
    if "single" in rules.entry_fields:
        draft[SINGLE] = hand.get("single") or NOBODY
    out = hand.get("out") or {}
    draft[OUT] = out.get("side", NOBODY)
    if out.get("player") is not None:
        draft[OUT] = f"{out['side']}.{out['player']}"
    if out.get("concealed"):
        draft[hand_fields.CONCEALED] = TICKED
    if "discard" in out:
        if out["discard"] is None:
            draft[DISCARD_NONE] = TICKED
        else:
            draft[DISCARD] = out["discard"]
    return draft


def _write_empty_melds(draft: dict[str, str], rules: Ruleset) -> None:
    """Write that a side laid nothing: a blank field would be missing input."""
    main_field = "cards" if hand_fields.counts_totals(rules.settings) else "melds"
    writers = melding_writers(draft, rules, melding_groups(draft, rules))
    for position, writer in enumerate(writers):
        side = SIDE_KEYS[position]
        has_text = any(key(side, name) in draft for name in ("sum", "special", "cards", "melds"))
        if writer == position and not has_text:
            draft[key(side, main_field)] = NONE


def _side_fields(
    side: Mapping[str, Any], out: Mapping[str, Any], rules: Ruleset, position: int
) -> dict[str, Any]:
    """The values of the fields of a side, by name."""
    fields = _charge_fields(side)
    for name in ("sum", "special"):
        if side.get(name) not in (None, ""):
            return {**fields, name: side[name]}
    for group, total in (side.get("totals") or {}).items():
        if group == "cards":
            fields[group] = total
        else:
            fields |= {f"{group}.{item}": count for item, count in total.items() if count}
    for name, value in side.items():
        if value and isinstance(value, int):
            fields[name] = value
    if side.get("melds"):
        fields["melds"] = "\n".join(_meld_line(meld) for meld in side["melds"])
    if side.get("opening"):
        fields["opening"] = "\n".join(side["opening"]["melds"])
    return fields | _left_fields(side.get("left", ""), out, rules, position)


def _charge_fields(side: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of penalties, bonuses and agreed points."""
    counts = Counter[str]()
    house_penalties = []
    for penalty in side.get("penalties", ()):
        code = penalty if isinstance(penalty, str) else penalty["code"]
        if code == HOUSE:
            house_penalties.append(penalty)
        else:
            counts[f"penalties.{code}"] += 1
    for code in side.get("bonuses", ()):
        counts[f"bonuses.{code}"] += 1
    fields: dict[str, Any] = dict(counts)
    rows = {HOUSE: house_penalties, hand_fields.ADJUSTMENTS: side.get("adjustments", ())}
    for group, entries in rows.items():
        for row, entry in enumerate(entries):
            fields[f"{group}.{row}.points"] = entry["points"]
            fields[f"{group}.{row}.reason"] = entry["reason"]
    return fields


def _meld_line(meld: str | Mapping[str, Any]) -> str:
    if isinstance(meld, str):
        return meld.strip()
    hidden = HIDDEN if meld.get("concealed") else ""
    return f"{meld['cards']} {hidden}".strip()


def _left_fields(
    left: str | int | list[str], out: Mapping[str, Any], rules: Ruleset, position: int
) -> dict[str, Any]:
    """The fields of held cards: their points, or the cards of all players or of each."""
    players = hand_fields.players_apart(rules.settings, position)
    if isinstance(left, int):
        return {"left": left}
    if isinstance(left, str):
        if left.strip():
            return {ALL_HANDS if players else "left.0": left.strip()}
        if hand_fields.counts_totals(rules.settings):
            return {"left": NONE}
        left = [""] * (players or 1)
    held = [cards.strip() for cards in left]
    if players is None:
        return {"left.0": f" {HAND_SEPARATOR} ".join(cards or NONE for cards in held)}
    player_out = None
    if out.get("side") == SIDE_KEYS[position]:
        player_out = out.get("player", held.index("") if "" in held else None)
    fields = {}
    for player, cards in enumerate(held):
        # Blank for the player who went out.
        if cards or player != player_out:
            fields[f"left.{player}"] = cards or NONE
    return fields

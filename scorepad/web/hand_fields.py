"""The fields of a hand: one table, which the form, its reading, prefilling, comparing and sums loop over.

A field belongs to a side and is named as in the hand's JSON (`cards`, `canastas.samba`, `left.0`). Its key in a draft
stands after the side's: `a.cards`. The keys of the whole hand stand alone: `out`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum
from typing import Final

from scorepad.i18n import Language, Words
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.actions import Noted
from scorepad.matches.projection import MatchState
from scorepad.rules.cards import KINDS, NATURAL_INDICES, RED_THREE, Kind, in_decks
from scorepad.rules.entries import HOUSE
from scorepad.rules.settings import (
    BlackThrees,
    ConcealedOut,
    HeldKind,
    LastDiscard,
    Partnership,
    Sequences,
    Settings,
    Shape,
)
from scorepad.rules.variants import Ruleset
from scorepad.web.figures import read_sum

OUT: Final = "out"
SINGLE: Final = "single"
NOBODY: Final = "nobody"
CONCEALED: Final = "concealed"
DISCARD: Final = "discard"
DISCARD_NONE: Final = "discard_none"
REMARK: Final = "remark"
AGREED: Final = "agreed"
HAND_KEYS: Final = (SINGLE, OUT, CONCEALED, DISCARD, DISCARD_NONE, REMARK, AGREED)
"""The keys of what belongs to the whole hand, in the order of the page."""
YES: Final = "on"

TOTALS: Final = ("canastas", "incomplete", "cards")
LAID: Final = (*TOTALS, "melds")
"""The groups of fields that say what a side counted at the table, and what it laid."""

LONGEST_TEXT: Final = 1000
"""Characters of a field that is read; what is longer is kept, and reported."""
MOST_TIMES: Final = 99
MOST_ROWS: Final = 60
"""Agreed points or house penalties of one side: far more than a hand has."""
ALL_HANDS: Final = "left.all"
"""The cards of several hands that somebody noted as one."""

_SIDE_KEY = re.compile(r"[abc]\.[a-z][a-z0-9_]*(?:[.-][a-z0-9-]+){0,3}")
_REPEATED = re.compile(r"(house|adjustments)\.([0-9]{1,2})\.(?:points|reason)")


class FieldKind(StrEnum):
    """How the text of a field is read."""

    COUNT = "count"
    """A whole number of things."""
    POINTS = "points"
    """Points, or a sum of them."""
    SIGNED = "signed"
    """Points of either sign, or a sum of them."""
    CARDS = "cards"
    """Cards in notation; `0` for none."""
    MELDS = "melds"
    """Melds, one a line; `0` for none."""
    TEXT = "text"
    CHOICE = "choice"


class Part(StrEnum):
    """Where on the page a field stands."""

    CARD = "card"
    """A row of the card, with a cell for each side."""
    BY_CARDS = "by-cards"
    """The panel in which a side is counted by its cards."""
    MORE = "more"
    """The panel of what few hands have."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a side.

    `path` is where its value stands in the JSON of the side. `worth` are the points of one, two, three of what is
    counted, or of each where there is but one figure; empty where points follow from more than this field. `most` is
    the most that can be counted, None where nothing bounds it.
    """

    name: str
    kind: FieldKind
    path: tuple[str | int, ...]
    part: Part = Part.CARD
    worth: tuple[int, ...] = ()
    most: int | None = None

    group: str = dataclass_field(init=False)
    """The first part of its name: fields of a group have a label in common."""
    item: str = dataclass_field(init=False)
    """The last part of its name."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "group", self.name.partition(".")[0])
        object.__setattr__(self, "item", self.name.rpartition(".")[2])

    @property
    def is_laid(self) -> bool:
        """Whether it says what the side laid: where two lay together it is typed once."""
        return self.group in LAID

    @property
    def is_total(self) -> bool:
        """Whether it holds what the side counted at the table instead of its cards."""
        return self.group in TOTALS


def key(side: str, name: str) -> str:
    """The key of a side's field in a draft: `a.cards`."""
    return f"{side}.{name}"


def side_of(draft_key: str) -> int | None:
    """The position of the side that a key belongs to; None for one of the whole hand."""
    return SIDE_KEYS.index(draft_key[0]) if draft_key[1:2] == "." and draft_key[0] in SIDE_KEYS else None


def html_id(draft_key: str) -> str:
    """The id on the page of the field with this key."""
    return draft_key.replace(".", "-")


def draft_of(sent: Mapping[str, str]) -> dict[str, str]:
    """The fields of a hand among all that a form sent, as typed, without the blank ones."""
    return {name: text for name, text in sent.items() if is_key(name) and text.strip()}


def is_key(name: str) -> bool:
    """Whether a draft may have this key."""
    return name in HAND_KEYS or bool(_SIDE_KEY.fullmatch(name))


def penalty_key(side: str, code: str) -> str:
    """The key of the number of penalties of a kind."""
    return key(side, f"penalties.{code}")


def row_keys(side: str, group: str, row: int) -> tuple[str, str]:
    """The keys of points and reason of a house penalty (`house`), or of agreed points (`adjustments`)."""
    return key(side, f"{group}.{row}.points"), key(side, f"{group}.{row}.reason")


def rows_of(draft: Mapping[str, str], side: str, group: str) -> tuple[int, ...]:
    """The rows of house penalties or agreed points in which something is typed."""
    found = (_REPEATED.fullmatch(name[2:]) for name, text in draft.items() if name[0] == side and text.strip())
    return tuple(
        sorted({int(match[2]) for match in found if match and match[1] == group and int(match[2]) < MOST_ROWS})
    )


def lines_of(text: str, separators: str = ";/") -> tuple[str, ...]:
    """The melds of a text: one a line, or between separators."""
    return tuple(line.strip() for line in re.split(f"[\n{separators}]", text) if line.strip())


# ---------------------------------------------------------------------------------------------- what the rules need


def fields_for(rules: Ruleset, position: int, draft: Mapping[str, str] | None = None) -> tuple[Field, ...]:
    """The fields of a side that these rules score, forbid or ask for; with the rows that a draft has, and one more."""
    return (*_on_card(rules), *_by_cards(rules, position), *_more(rules, position, draft or {}))


def _on_card(rules: Ruleset) -> Iterator[Field]:
    settings = rules.settings
    if counts_totals(settings):
        kinds = sorted(settings.canastas, key=lambda kind: (kind.shape is Shape.WILDS, kind.rank is not None))
        worth = {kind.item: kind.points for kind in kinds}
        worth |= {"concealed-canasta": settings.concealed_canasta} if settings.concealed_canasta else {}
        for item, points in worth.items():
            yield Field(f"canastas.{item}", FieldKind.COUNT, ("totals", "canastas", item), worth=(points,), most=9)
        for kind in settings.incomplete if "incomplete" in rules.entry_fields else ():
            place = ("totals", "incomplete", kind.name)
            yield Field(f"incomplete.{kind.name}", FieldKind.COUNT, place, worth=(-kind.points,), most=9)
        yield Field("cards", FieldKind.POINTS, ("totals", "cards"), worth=(1,))
    if _scores(rules, "red-threes"):
        most = in_decks(settings.decks)[RED_THREE]
        yield Field("red_threes", FieldKind.COUNT, ("red_threes",), worth=settings.red_three_values, most=most)
    black = {"black_threes_aside": settings.black_threes_aside, "black_threes": settings.black_threes_exposed}
    for name, values in black.items():
        if name in rules.entry_fields:
            yield Field(name, FieldKind.COUNT, (name,), worth=values, most=len(values))
    if counts_totals(settings):
        yield Field("left", FieldKind.POINTS, ("left",), worth=(-1,))


def _by_cards(rules: Ruleset, position: int) -> Iterator[Field]:
    yield Field("melds", FieldKind.MELDS, ("melds",), Part.BY_CARDS)
    apart = hands_apart(rules.settings, position)
    for hand in range(apart or 1):
        yield Field(f"left.{hand}", FieldKind.CARDS, ("left", hand) if apart else ("left",), Part.BY_CARDS)
    if apart:
        yield Field(ALL_HANDS, FieldKind.CARDS, ("left",), Part.BY_CARDS)


def _more(rules: Ruleset, position: int, draft: Mapping[str, str]) -> Iterator[Field]:
    settings, side = rules.settings, SIDE_KEYS[position]
    if _scores(rules, "red-threes-held"):
        most, worth = in_decks(settings.decks)[RED_THREE], (-settings.held_red_three,)
        yield Field("red_threes_held", FieldKind.COUNT, ("red_threes_held",), Part.MORE, worth, most)
    for kind in held_kinds(rules):
        most = settings.hands_of(position)
        yield Field(kind.key, FieldKind.COUNT, (kind.key,), Part.MORE, (-kind.points,), most)
    for code, penalty in rules.penalties.items():
        if penalty.points is not None:
            yield Field(f"penalties.{code}", FieldKind.COUNT, ("penalties",), Part.MORE, (-penalty.points,))
    groups = {"house": -1, "adjustments": 1} if HOUSE in rules.penalties else {"adjustments": 1}
    for group, sign in groups.items():
        kind_, rows = FieldKind.POINTS if group == "house" else FieldKind.SIGNED, rows_of(draft, side, group)
        for row in (*rows, min(max(rows, default=-1) + 1, MOST_ROWS - 1)):
            yield Field(f"{group}.{row}.points", kind_, (group, row, "points"), Part.MORE, (sign,))
            yield Field(f"{group}.{row}.reason", FieldKind.TEXT, (group, row, "reason"), Part.MORE)
    yield Field("sum", FieldKind.SIGNED, ("sum",), Part.MORE)
    if special_hands(rules):
        yield Field("special", FieldKind.CHOICE, ("special",), Part.MORE)
    if has_opening(rules):
        yield Field("opening", FieldKind.MELDS, ("opening", "melds"), Part.MORE)


def _scores(rules: Ruleset, line: str) -> bool:
    return any(rule.id == line for rule in rules.lines)


def counts_totals(settings: Settings) -> bool:
    """Whether a side may give what it counted at the table; otherwise it gives its cards."""
    return settings.counted_by != "cards"


def held_kinds(rules: Ruleset) -> tuple[HeldKind, ...]:
    """Cards for which players are counted where hands are given in points."""
    return tuple(kind for kind in rules.settings.held_together if kind.key in rules.entry_fields)


def special_hands(rules: Ruleset) -> tuple[tuple[str, int], ...]:
    """(name, points) of the hands that may be shown instead of melded."""
    return rules.settings.special_hands if "special" in rules.entry_fields else ()


def has_opening(rules: Ruleset) -> bool:
    """Whether an opening may be held against a minimum."""
    return any(rule.id == "opening-below-minimum" for rule in rules.checks)


def hands_apart(settings: Settings, position: int) -> int | None:
    """How many hands of cards of a side are noted one by one; None where there is one, or all go together."""
    apart = bool(settings.held_together) or not counts_totals(settings)
    hands = settings.hands_of(position)
    return hands if apart and hands > 1 else None


def needs_single(rules: Ruleset) -> bool:
    """Whether somebody plays alone for the hand."""
    return "single" in rules.entry_fields


def needs_concealed(rules: Ruleset) -> bool:
    """Whether a concealed going out is scored otherwise, or is allowed or denied something."""
    settings = rules.settings
    if settings.concealed_out_bonus != settings.out_bonus or settings.partnership is not Partnership.FIXED:
        return True
    no_minimum = settings.concealed_out is ConcealedOut.OWN_MELDS_ONLY
    return has_opening(rules) and (no_minimum or settings.black_threes is not BlackThrees.NEVER)


def must_discard(settings: Settings) -> bool:
    """Whether nobody goes out without a last discard."""
    return settings.last_discard is LastDiscard.OBLIGATORY


def needs_suits(settings: Settings) -> bool:
    """Whether melds may need suits."""
    return settings.sequences is not Sequences.NONE


def melded_kinds(settings: Settings) -> tuple[Kind, ...]:
    """The cards that may be melded, in their order on the page."""
    naturals = (*(KINDS[index] for index in NATURAL_INDICES), Kind.TWO, Kind.JOKER)
    return naturals if settings.black_threes is BlackThrees.NEVER else (*naturals, Kind.BLACK_THREE)


# ------------------------------------------------------------------- what other pages read of the open hand, or add


def with_penalty(draft: Mapping[str, str], noted: Noted, language: Language) -> dict[str, str]:
    """The fields of the open hand with one more penalty."""
    side = SIDE_KEYS[noted.side]
    if noted.code == HOUSE:
        taken = rows_of(draft, side, HOUSE)
        row = next((row for row in range(MOST_ROWS) if row not in taken), MOST_ROWS - 1)
        points, reason = row_keys(side, HOUSE, row)
        return {**draft, points: str(noted.points), reason: noted.reason}
    name = penalty_key(side, noted.code)
    times = read_sum(draft.get(name, ""), language)
    return {**draft, name: str(times + 1 if isinstance(times, int) else 1)}


def unread(draft: Mapping[str, str], side: int, code: str, language: Language) -> str:
    """What is typed in the field of this penalty, if it is no figure; else empty."""
    text = draft.get(penalty_key(SIDE_KEYS[side], code), "")
    return "" if isinstance(read_sum(text, language) or 0, int) else text


def waiting_fields(state: MatchState) -> tuple[tuple[str, str], ...]:
    """The fields of the open hand that hold penalties, in order, with their values."""
    draft = state.open_hand.draft if state.open_hand else {}
    found: list[str] = []
    for side in SIDE_KEYS[: len(state.sides)]:
        found += [penalty_key(side, code) for code in state.rules.penalties]
        for row in rows_of(draft, side, HOUSE):
            found += row_keys(side, HOUSE, row)
    return tuple((name, draft[name]) for name in found if draft.get(name, "").strip() not in ("", "0"))


def noted_penalties(state: MatchState, words: Words) -> Iterator[str]:
    """The penalties in the open hand, in words."""
    draft = state.open_hand.draft if state.open_hand else {}
    for side, letter in zip(state.sides, SIDE_KEYS, strict=False):
        for code, penalty in state.rules.penalties.items():
            typed = draft.get(penalty_key(letter, code), "")
            if penalty.points is not None and typed.strip() not in ("", "0"):
                yield _counted(side.name, code, penalty.points, typed, words)
        for row in rows_of(draft, letter, HOUSE):
            points, reason = (draft.get(name, "") for name in row_keys(letter, HOUSE, row))
            if points.strip() or reason.strip():
                yield _house(side.name, points, reason, words)


def noted_sentence(state: MatchState, words: Words) -> str:
    """The penalties in the open hand, in a sentence; empty if there are none, or the match is over."""
    noted = "" if state.standing.finished else "; ".join(noted_penalties(state, words))
    return words.text("course.penalty.so-far", noted=noted) if noted else ""


def _counted(side: str, code: str, points: int, typed: str, words: Words) -> str:
    times, name = read_sum(typed, words.language), words.text(f"penalty.{code}")
    if not isinstance(times, int):
        return words.text("course.penalty.row-unread", side=side, name=name, text=typed)
    return words.text("course.penalty.row", side=side, name=name, points=words.signed(-points * times))


def _house(side: str, typed: str, reason: str, words: Words) -> str:
    points, name = read_sum(typed, words.language), words.text(f"penalty.{HOUSE}")
    if not isinstance(points, int):
        return words.text("course.penalty.row-unread", side=side, name=name, text=typed or reason)
    signed = words.signed(-points)
    return words.text("course.penalty.row-why", side=side, name=name, points=signed, reason=reason)


def add_penalty(noted: Noted, language: Language) -> Callable[[Mapping[str, str]], Mapping[str, str]]:
    """A function that adds a penalty to the fields of the open hand."""
    return lambda draft: with_penalty(draft, noted, language)


def referee_facts(draft: Mapping[str, str], side: str, rules: Ruleset) -> dict[str, str]:
    """What the open hand says of a side, by the names under which the referee asks for it."""

    def typed(name: str) -> str:
        return draft.get(key(side, name), "").strip()

    melds = [line for line in lines_of(typed("melds")) if line != "0"]
    facts = {"table": " / ".join(melds), "count": typed("red_threes"), "red_threes": typed("red_threes")}
    for kind in rules.settings.canastas:
        facts[f"canastas-{kind.item}"] = typed(f"canastas.{kind.item}")
    return {name: text for name, text in facts.items() if text}

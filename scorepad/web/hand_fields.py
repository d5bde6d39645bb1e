"""The fields of a hand: one table for its form, reading, filling, comparing and sums.

A field belongs to a side and is named as in the hand's JSON (`cards`, `canastas.samba`, `left.0`).
Its key in a draft has the side as prefix: `a.cards`. The keys of the whole hand have no prefix:
`out`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from scorepad.i18n import Language, Words
from scorepad.i18n.settings_in_words import item_word
from scorepad.matches.hands import Draft
from scorepad.rules.cards import RED_THREE, in_decks
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import EXTRA_COUNTS, HOUSE, MOST_ROWS, SideEntry
from scorepad.rules.settings import CanastaKind, Settings
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web import entry_parts as parts
from scorepad.web import field_texts as types
from scorepad.web.entry_parts import EntryPart
from scorepad.web.field_texts import FieldText, TypedValue

OUT = "out"
SINGLE = "single"
NOBODY = "nobody"
CONCEALED = "concealed"
DISCARD = "discard"
DISCARD_NONE = "discard_none"
REMARK = "remark"
AGREED = "agreed"
HAND_KEYS = (SINGLE, OUT, CONCEALED, DISCARD, DISCARD_NONE, REMARK, AGREED)
"""The keys of the whole hand, in page order."""
ALL_HANDS = "left.all"
"""The field for the cards that several players hold, entered together."""
TOTALS = ("canastas", "incomplete", "cards")
"""Groups of fields with totals counted at the table instead of the cards."""
MELD_GROUPS = (*TOTALS, "melds")
"""Groups of fields with what a side laid down: if two sides lay together they are typed once."""
NOTED = "noted"
"""Where the penalties noted for a side are shown, which are no field."""
ADJUSTMENTS = "adjustments"
"""The group of fields with agreed points; `HOUSE` is that with house penalties."""
OWED = ("penalties", "bonuses", HOUSE)
"""Groups of fields with penalties and bonuses."""
MOST_CANASTAS = 9
"""Maximum canastas of one kind, and incomplete melds, of one side."""

_MOST_FIELDS = 1_000
"""Fields of a form that are read: three sides, with all rows of agreed points and penalties, have
fewer.
"""
_LONGEST_KEPT = 4_000
"""Characters of a field that are kept. Fewer are read as cards or figures."""
_LONGEST_KEY = 100
_SIDE_KEY = re.compile(r"[abc]\.[a-z][a-z0-9_]*(?:[.-][a-z0-9-]+){0,3}")
_ROW_KEY = re.compile(r"[abc]\.(?:house|adjustments)\.(?P<row>[0-5]?[0-9])\.(?:points|reason)")


class PagePart(StrEnum):
    """The page part that shows a field."""

    GRID = "grid"
    """A row of the grid, with a cell for each side."""
    FROM_CARDS = "from-cards"
    """A row of the grid that follows from the cards of each side and cannot be typed."""
    BY_CARDS = "by-cards"
    """The panel in which a side is counted by its cards."""
    MORE = "more"
    """The panel of rarely used fields."""


class Label(NamedTuple):
    """What a field is called: a scored `item`, or the message `key` with its arguments.

    `number` is an argument of the message. `player` is the index of the player whose name the
    message shows. `cards` is a rank and a number, for a message such as "three aces in hand".
    """

    key: str = ""
    item: str = ""
    number: int = 0
    player: int | None = None
    cards: tuple[str, int] | None = None

    def in_words(self, variant: str, words: Words, player_names: Mapping[int, str]) -> str:
        """The label in words; `player_names` are those of the side, by index of the player."""
        if self.item:
            return item_word(variant, self.item, words)
        if self.player is not None:
            name = player_names.get(self.player) or words.t("hand.player", number=self.number)
            return words.t(self.key, hand=name)
        if self.cards is not None:
            rank, number = self.cards
            cards_in_words = words.plural(f"card.{rank}", number)
            return words.t(self.key, number=number, cards=cards_in_words)
        return words.t(self.key, number=self.number)


@dataclass(slots=True)
class Field:
    """A field of the form for one side: what it is called, which part of the side's entry it holds,
    and how its text is read and written.

    `position` is that of the side. `worth`: the points for one, two, three of what is counted, or
    for each if it has one figure; empty if the points depend on other fields too. `most`: the
    maximum count, None for no limit. `hint`: the key of a hint. `back`: the back of its canastas
    (`red`, `black`). `row`: its row, or the player to whom it belongs.
    """

    position: int
    name: str
    entry_part: EntryPart
    label: Label
    text_type: FieldText = types.COUNT
    part: PagePart = PagePart.GRID
    worth: tuple[int, ...] = ()
    most: int | None = None
    hint: str = ""
    back: str = ""
    row: int | None = None

    key: str = dataclass_field(init=False)
    """Its key in a draft: `a.canastas.samba`."""
    id: str = dataclass_field(init=False)
    """Its id on the page: `a-canastas-samba`."""
    group: str = dataclass_field(init=False)
    """The first part of its name: `canastas`."""

    def __post_init__(self) -> None:
        self.key = field_key(SIDE_KEYS[self.position], self.name)
        self.id = html_id(self.key)
        self.group = group_of_key(self.key)

    @property
    def kind(self) -> str:
        """How its text is typed: `count`, `points`, `signed`, `cards`, `melds`, `text`, `choice`."""
        return self.text_type.name

    @property
    def item(self) -> str:
        """The scored item that it counts; empty if it is none."""
        return self.label.item

    @property
    def is_number(self) -> bool:
        return isinstance(self.text_type, types.NumberText)

    def read_text(self, text: str, language: Language) -> TypedValue:
        """Read what is typed in the field, which is not blank."""
        return self.text_type.read_text(text, language)


def field_key(side: str, name: str) -> str:
    """The key in a draft of a field of a side: `a`, `cards` → `a.cards`."""
    return f"{side}.{name}"


def side_of_key(key: str) -> int | None:
    """The position of the side of a key: `b.cards` → 1; None for a key of the whole hand."""
    side, _, name = key.partition(".")
    if not name or side not in SIDE_KEYS:
        return None
    return SIDE_KEYS.index(side)


def group_of_key(key: str) -> str:
    """The group of a side's field: `a.canastas.samba` → `canastas`."""
    _, _, name = key.partition(".")
    group, _, _ = name.partition(".")
    return group


def html_id(key: str) -> str:
    """The id on the page of the field with this key: `a.left.0` → `a-left-0`."""
    return key.replace(".", "-")


def draft_from_form(submitted: Draft) -> dict[str, str]:
    """The hand fields of a submitted form, as typed, without blank ones.

    Of a longer text only the beginning is kept, with which it is still reported as too long.
    """
    draft: dict[str, str] = {}
    for name, text in islice(submitted.items(), _MOST_FIELDS):
        is_hand_field = name in HAND_KEYS or _is_side_key(name)
        beginning = text[:_LONGEST_KEPT]
        if is_hand_field and beginning.strip():
            draft[name] = beginning
    return draft


def _is_side_key(name: str) -> bool:
    """Whether a name could be the key of a side's field."""
    return len(name) <= _LONGEST_KEY and _SIDE_KEY.fullmatch(name) is not None


def typed_rows(draft: Draft, side: str, group: str) -> tuple[int, ...]:
    """The numbers of the rows of a group in which something is typed, in ascending order.

    The group is `HOUSE`, the penalties defined by the table, or `ADJUSTMENTS`, the agreed points.
    `a.house.3.reason` is in row 3 of the house penalties of side `a`.
    """
    prefix = field_key(side, group)
    rows = set()
    for key, text in draft.items():
        row_key = _ROW_KEY.fullmatch(key)
        if row_key and key.startswith(prefix) and text.strip():
            rows.add(int(row_key["row"]))
    return tuple(sorted(rows))


# ------------------------------------------------------------------------------ what the rules need


def fields_of_side(rules: Ruleset, position: int, draft: Draft) -> tuple[Field, ...]:
    """The fields of a side that these rules score, forbid or require.

    House penalties and agreed points have a row for each that is typed in the draft, and an empty
    one.
    """
    side = SIDE_KEYS[position]
    return _cached_fields(
        rules,
        position,
        house_rows=typed_rows(draft, side, HOUSE),
        adjustment_rows=typed_rows(draft, side, ADJUSTMENTS),
    )


def fields_of_entry(rules: Ruleset, position: int, entry: SideEntry) -> tuple[Field, ...]:
    """The fields of a side, with a row for each house penalty and each agreed correction that its
    entry has, and an empty one.
    """
    house_penalties = [penalty for penalty in entry.penalties if penalty.code == HOUSE]
    return _cached_fields(
        rules,
        position,
        house_rows=tuple(range(len(house_penalties))),
        adjustment_rows=tuple(range(len(entry.adjustments))),
    )


@lru_cache(maxsize=256)
def _cached_fields(
    rules: Ruleset,
    position: int,
    house_rows: tuple[int, ...],
    adjustment_rows: tuple[int, ...],
) -> tuple[Field, ...]:
    """The fields of a side in page order; they are the same for all hands with the same rows."""
    return (
        *_fields_of_totals(rules, position),
        *_fields_of_cards(rules, position),
        *_fields_of_held_penalties(rules, position),
        *_fields_of_charges(rules, position),
        *_fields_of_house_penalties(rules, position, _with_empty_row(house_rows)),
        *_fields_of_adjustments(position, _with_empty_row(adjustment_rows)),
        *_fields_of_whole_side(rules, position),
    )


def canasta_fields(rules: Ruleset, position: int, part: PagePart) -> Iterator[Field]:
    """The fields that count the canastas (melds of seven cards or more) of a side, one for each
    kind, in a part of the page.
    """
    for kind in sorted(rules.settings.canastas, key=_canasta_order):
        has_wilds = kind.shape == "wilds" or kind.wilds[1] > 0
        yield Field(
            position=position,
            name=f"canastas.{kind.item}",
            entry_part=parts.CanastaCount(kind.item),
            label=Label(item=kind.item),
            part=part,
            worth=(kind.points,),
            most=MOST_CANASTAS,
            back="black" if has_wilds else "red",
        )


def _canasta_order(kind: CanastaKind) -> tuple[bool, bool]:
    """Sort key: canastas of wild cards come last, before them those of one particular rank."""
    is_of_wilds = kind.shape == "wilds"
    is_of_one_rank = kind.rank is not None
    return is_of_wilds, is_of_one_rank


def _fields_of_totals(rules: Ruleset, position: int) -> Iterator[Field]:
    """What a side counts at the table, in the order of the grid."""
    if not counts_totals(rules.settings):
        yield from _fields_of_threes(rules, position)
        return
    yield from canasta_fields(rules, position, PagePart.GRID)
    yield from _fields_of_melds(rules, position)
    yield Field(
        position=position,
        name="cards",
        entry_part=parts.CardPoints(),
        label=Label(item="cards"),
        text_type=types.POINTS,
        worth=(1,),
    )
    yield from _fields_of_threes(rules, position)
    yield Field(
        position=position,
        name="left",
        entry_part=parts.PointsHeld(),
        label=Label(item="cards-left"),
        text_type=types.POINTS,
        worth=(-1,),
    )


def _fields_of_melds(rules: Ruleset, position: int) -> Iterator[Field]:
    """Concealed canastas, and melds that are no canasta and cost points."""
    settings = rules.settings
    if settings.concealed_canasta:
        yield Field(
            position=position,
            name="canastas.concealed-canasta",
            entry_part=parts.CanastaCount("concealed-canasta"),
            label=Label(item="concealed-canasta"),
            worth=(settings.concealed_canasta,),
            most=MOST_CANASTAS,
            back="red",
        )
    if "incomplete" not in rules.entry_fields:
        return
    for melds in settings.incomplete:
        yield Field(
            position=position,
            name=f"incomplete.{melds.name}",
            entry_part=parts.IncompleteCount(melds.name),
            label=Label(item=f"{melds.name}-incomplete"),
            worth=(-melds.points,),
            most=MOST_CANASTAS,
            hint="hand.incomplete.bars" if melds.bars_out else "",
        )


def _fields_of_threes(rules: Ruleset, position: int) -> Iterator[Field]:
    """The red threes and the black threes that a side has on the table."""
    settings = rules.settings
    if any(line.id == "red-threes" for line in rules.lines):
        yield Field(
            position=position,
            name="red_threes",
            entry_part=parts.Attribute("red_threes"),
            label=Label(item="red-threes"),
            worth=settings.red_three_values,
            most=in_decks(settings.decks)[RED_THREE],
        )
    for extra in EXTRA_COUNTS:
        if extra.key in rules.entry_fields and extra.has_own_setting:
            yield Field(
                position=position,
                name=extra.key,
                entry_part=parts.Attribute(extra.key),
                label=Label(item=extra.item),
                worth=extra.points_in(settings),
                most=extra.most_in(settings),
            )


def _fields_of_cards(rules: Ruleset, position: int) -> Iterator[Field]:
    """The cards that a side laid down and holds, which may be typed instead of totals."""
    settings = rules.settings
    has_sequences = settings.sequences != "none"
    yield Field(
        position=position,
        name="melds",
        entry_part=parts.LaidMelds(),
        label=Label("hand.melds"),
        text_type=types.MELDS,
        part=PagePart.BY_CARDS,
        hint="hand.melds.hint.suits" if has_sequences else "hand.melds.hint",
    )
    if has_field_for_each_player(settings, position):
        yield from _fields_of_each_player(settings, position)
        return
    players = settings.players_of(position)
    yield Field(
        position=position,
        name="left.0",
        entry_part=parts.CardsHeld(players),
        label=Label("hand.left-cards"),
        text_type=types.CARDS,
        part=PagePart.BY_CARDS,
        hint="hand.left-cards.hint.hands" if players > 1 else "hand.left-cards.hint",
    )


def _fields_of_each_player(settings: Settings, position: int) -> Iterator[Field]:
    """A field for the cards that each player of a side holds, and one for those of all together."""
    players = settings.players_of(position)
    for player in range(players):
        yield Field(
            position=position,
            name=f"left.{player}",
            entry_part=parts.CardsOfPlayer(player, players),
            label=Label("hand.left-cards.hand", number=player + 1, player=player),
            text_type=types.CARDS,
            part=PagePart.BY_CARDS,
            hint="hand.left-cards.hint",
            row=player,
        )
    yield Field(
        position=position,
        name=ALL_HANDS,
        entry_part=parts.CardsHeldTogether(),
        label=Label("hand.left-cards.together"),
        text_type=types.CARDS,
        part=PagePart.BY_CARDS,
        hint="hand.left-cards.hint",
    )


def _fields_of_held_penalties(rules: Ruleset, position: int) -> Iterator[Field]:
    """The counts of cards that cost extra points if a player still holds them when the hand ends: red
    threes, and several cards of a rank in one hand, such as three aces.
    """
    settings = rules.settings
    if any(line.id == "red-threes-held" for line in rules.lines):
        yield Field(
            position=position,
            name="red_threes_held",
            entry_part=parts.Attribute("red_threes_held"),
            label=Label(item="red-threes-held"),
            part=PagePart.MORE,
            worth=(-settings.held_red_three,),
            most=in_decks(settings.decks)[RED_THREE],
        )
    for kind in settings.held_together:
        if kind.key in rules.entry_fields:
            yield Field(
                position=position,
                name=kind.key,
                entry_part=parts.Attribute(kind.key),
                label=Label("hand.held", cards=(kind.rank, kind.number)),
                part=PagePart.MORE,
                worth=(-kind.points,),
                most=settings.players_of(position),
                hint="hand.held.hint",
            )


def _fields_of_charges(rules: Ruleset, position: int) -> Iterator[Field]:
    """How often a side has each penalty and each bonus of the variant."""
    for code, penalty in rules.penalties.items():
        if penalty.points is None:
            continue
        yield Field(
            position=position,
            name=f"penalties.{code}",
            entry_part=parts.PenaltyCount(code),
            label=Label(f"penalty.{code}"),
            part=PagePart.MORE,
            worth=(-penalty.points,),
        )
    for code, bonus in rules.bonuses.items():
        yield Field(
            position=position,
            name=f"bonuses.{code}",
            entry_part=parts.BonusCount(code),
            label=Label(f"bonus.{code}"),
            part=PagePart.MORE,
            worth=(bonus.points,),
        )


def _fields_of_house_penalties(
    rules: Ruleset, position: int, rows: tuple[int, ...]
) -> Iterator[Field]:
    """Penalties that the table defines itself, if the rules allow them: a field for the points and
    one for the reason in each row.
    """
    if HOUSE not in rules.penalties:
        return
    for index, row in enumerate(rows):
        yield Field(
            position=position,
            name=f"{HOUSE}.{row}.points",
            entry_part=parts.HousePenaltyPart(index, "points"),
            label=Label("hand.house.points", number=row + 1),
            text_type=types.POINTS,
            part=PagePart.MORE,
            worth=(-1,),
            hint="hand.house.hint",
            row=row,
        )
        yield Field(
            position=position,
            name=f"{HOUSE}.{row}.reason",
            entry_part=parts.HousePenaltyPart(index, "reason"),
            label=Label("hand.house.reason", number=row + 1),
            text_type=types.TEXT,
            part=PagePart.MORE,
            row=row,
        )


def _fields_of_adjustments(position: int, rows: tuple[int, ...]) -> Iterator[Field]:
    """Points agreed at the table: a field for the points and one for the reason in each row."""
    for index, row in enumerate(rows):
        yield Field(
            position=position,
            name=f"{ADJUSTMENTS}.{row}.points",
            entry_part=parts.AdjustmentPart(index, "points"),
            label=Label("hand.adjustments.points", number=row + 1),
            text_type=types.SIGNED,
            part=PagePart.MORE,
            worth=(1,),
            hint="hand.adjustments.hint",
            row=row,
        )
        yield Field(
            position=position,
            name=f"{ADJUSTMENTS}.{row}.reason",
            entry_part=parts.AdjustmentPart(index, "reason"),
            label=Label("hand.adjustments.reason", number=row + 1),
            text_type=types.TEXT,
            part=PagePart.MORE,
            row=row,
        )


def _with_empty_row(rows: tuple[int, ...]) -> tuple[int, ...]:
    """Append the number of the next row, which is still empty: rows 0 and 3 → 0, 3 and 4."""
    if not rows:
        return (0,)
    next_row = rows[-1] + 1
    if next_row >= MOST_ROWS:
        return rows
    return (*rows, next_row)


def _fields_of_whole_side(rules: Ruleset, position: int) -> Iterator[Field]:
    """An agreed sum or a special hand in place of the cards, and the cards of the opening (what the
    side laid first in the hand).
    """
    yield Field(
        position=position,
        name="sum",
        entry_part=parts.Attribute("sum"),
        label=Label("hand.sum"),
        text_type=types.SIGNED,
        part=PagePart.MORE,
        hint="hand.sum.hint",
    )
    if "special" in rules.entry_fields and rules.settings.special_hands:
        yield Field(
            position=position,
            name="special",
            entry_part=parts.Attribute("special"),
            label=Label(item="special"),
            text_type=types.CHOICE,
            part=PagePart.MORE,
        )
    if _has_opening(rules):
        yield Field(
            position=position,
            name="opening",
            entry_part=parts.OpeningMelds(),
            label=Label("hand.opening"),
            text_type=types.OPENING,
            part=PagePart.MORE,
            hint="hand.opening.hint",
        )


def _has_opening(rules: Ruleset) -> bool:
    """Whether an opening may be checked against a minimum."""
    return any(rule.id == "opening-below-minimum" for rule in rules.checks)


def counts_totals(settings: Settings) -> bool:
    """Whether a side may enter totals counted at the table; otherwise it enters its cards."""
    return settings.counted_by != "cards"


def has_field_for_each_player(settings: Settings, position: int) -> bool:
    """Whether each player of a side has a field for the cards that this player holds; otherwise the
    side has one field for all of them.
    """
    if settings.players_of(position) == 1:
        return False
    has_rule_for_each_player = bool(settings.held_together)
    return has_rule_for_each_player or not counts_totals(settings)


def needs_concealed(rules: Ruleset) -> bool:
    """Whether the form must ask if the side that went out had laid no card before (a concealed
    hand), because that changes the score or what is allowed.
    """
    settings = rules.settings
    if settings.concealed_out_bonus != settings.out_bonus:
        return True
    if settings.partnership != "fixed":
        return True
    if not _has_opening(rules):
        return False
    has_no_minimum = settings.concealed_out == "own-melds-only"
    return has_no_minimum or settings.black_threes != "never"

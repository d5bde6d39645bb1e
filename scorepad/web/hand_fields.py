"""The fields of a hand: one table for its form, reading, filling, comparing and sums.

A field belongs to a side and is named as in the hand's JSON (`cards`, `canastas.samba`, `left.0`).
Its key in a draft has the side as prefix: `a.cards`. The keys of the whole hand have no prefix:
`out`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum
from functools import lru_cache, partial
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from scorepad.i18n import Words
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
from scorepad.web.field_texts import FieldText

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
_ROW_KEY = re.compile(r"[abc]\.(?:house|adjustments)\.[0-5]?[0-9]\.(?:points|reason)")


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
    """What a field is called: the scored `item`, or a message with its arguments.

    `player` is the index of the player whose name it shows, `cards` the rank and number of the
    cards that it names.
    """

    key: str = ""
    item: str = ""
    number: int = 0
    player: int | None = None
    cards: tuple[str, int] | None = None

    def text(self, variant: str, words: Words, players: tuple[tuple[int, str], ...] = ()) -> str:
        """The label in words; `players` are the players of the side, each with index and name."""
        if self.item:  # a scored item, in the terms of the variant
            return item_word(variant, self.item, words)
        if self.player is not None:  # the cards of a player
            name = dict(players).get(self.player)
            return words.t(self.key, hand=name or words.t("hand.player", number=self.number))
        if self.cards is not None:  # several cards of a rank
            rank, number = self.cards
            return words.t(self.key, number=number, cards=words.plural(f"card.{rank}", number))
        return words.t(self.key, number=self.number)


@dataclass(slots=True)
class Field:
    """A field of the side at `position`, which holds a part of the side's entry.

    `worth`: the points for one, two, three of what is counted, or for each if it has one figure;
    empty if the points depend on other fields too. `most`: the maximum count, None for no limit.
    `hint`: the key of a hint. `back`: the back of its canastas (`red`, `black`). `row`: its row, or
    the player to whom it belongs.
    """

    position: int
    name: str
    entry_part: EntryPart
    label: Label
    type: FieldText = types.COUNT
    part: PagePart = PagePart.GRID
    worth: tuple[int, ...] = ()
    most: int | None = None
    hint: str = ""
    back: str = ""
    row: int | None = None

    key: str = dataclass_field(init=False)
    """Its key in a draft."""
    id: str = dataclass_field(init=False)
    """Its id on the page."""
    group: str = dataclass_field(init=False)
    """The first part of its name."""
    last: str = dataclass_field(init=False)
    """The last part of its name."""

    def __post_init__(self) -> None:
        self.key = key(SIDE_KEYS[self.position], self.name)
        self.id = html_id(self.key)
        self.group = self.name.partition(".")[0]
        self.last = self.name.rpartition(".")[2]

    @property
    def kind(self) -> str:
        """How its text is typed: `count`, `points`, `signed`, `cards`, `melds`, `text`, `choice`."""
        return self.type.name

    @property
    def item(self) -> str:
        """The scored item that it counts; empty if it is none."""
        return self.label.item

    @property
    def is_number(self) -> bool:
        return isinstance(self.type, types.WholeNumber)


def key(side: str, name: str) -> str:
    """The key of a side's field in a draft: `a.cards`."""
    return f"{side}.{name}"


def side_of(draft_key: str) -> int | None:
    """The position of the side of a key; None for a key of the whole hand."""
    if draft_key[1:2] != "." or draft_key[0] not in SIDE_KEYS:
        return None
    return SIDE_KEYS.index(draft_key[0])


def group_of(draft_key: str) -> str:
    """The group of a side's field: `canastas` of `a.canastas.samba`."""
    return draft_key[2:].partition(".")[0]


def html_id(draft_key: str) -> str:
    """The id on the page of the field with this key."""
    return draft_key.replace(".", "-")


def draft_of(submitted: Draft) -> dict[str, str]:
    """The hand fields of a submitted form, as typed, without blank ones.

    Of a longer text only the beginning is kept, with which it is still reported as too long.
    """
    draft: dict[str, str] = {}
    for name, text in islice(submitted.items(), _MOST_FIELDS):
        kept = text[:_LONGEST_KEPT]
        if kept.strip() and (name in HAND_KEYS or _is_side_key(name)):
            draft[name] = kept
    return draft


def _is_side_key(name: str) -> bool:
    return len(name) <= _LONGEST_KEY and _SIDE_KEY.fullmatch(name) is not None


def rows_of(draft: Draft, side: str, group: str) -> tuple[int, ...]:
    """The rows of house penalties (`house`) or agreed points (`adjustments`) that are not blank."""
    prefix = key(side, group)
    rows = set()
    for name, text in draft.items():
        if name.startswith(prefix) and text.strip() and _ROW_KEY.fullmatch(name):
            rows.add(int(name.split(".")[2]))
    return tuple(sorted(rows))


# ------------------------------------------------------------------------------ what the rules need


def fields_for(
    rules: Ruleset, position: int, draft: Draft = MappingProxyType({})
) -> tuple[Field, ...]:
    """The fields of a side that these rules score, forbid or require; with the rows of a draft, and
    one more.
    """
    side = SIDE_KEYS[position]
    return _cached_fields(
        rules,
        position,
        house_rows=rows_of(draft, side, HOUSE),
        adjustment_rows=rows_of(draft, side, ADJUSTMENTS),
    )


def fields_of_entry(rules: Ruleset, position: int, entry: SideEntry) -> tuple[Field, ...]:
    """The fields of a side with a row for each house penalty and each agreed correction of an entry."""
    house_penalties = sum(penalty.code == HOUSE for penalty in entry.penalties)
    return _cached_fields(
        rules,
        position,
        house_rows=tuple(range(house_penalties)),
        adjustment_rows=tuple(range(len(entry.adjustments))),
    )


@lru_cache(maxsize=256)
def _cached_fields(
    rules: Ruleset,
    position: int,
    house_rows: tuple[int, ...],
    adjustment_rows: tuple[int, ...],
) -> tuple[Field, ...]:
    return (
        *_fields_of_totals(rules, position),
        *_fields_of_cards(rules, position),
        *_fields_of_held_penalties(rules, position),
        *_fields_of_charges(rules, position),
        *_fields_of_rows(rules, position, house_rows, adjustment_rows),
        *_fields_of_whole_side(rules, position),
    )


def canasta_fields(rules: Ruleset, position: int, part: PagePart) -> Iterator[Field]:
    """The canastas of a side by kind, with the worth of each; those of wild cards and of one rank
    come last.
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
    return kind.shape == "wilds", kind.rank is not None


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
        type=types.POINTS,
        worth=(1,),
    )
    yield from _fields_of_threes(rules, position)
    yield Field(
        position=position,
        name="left",
        entry_part=parts.HeldPoints(),
        label=Label(item="cards-left"),
        type=types.POINTS,
        worth=(-1,),
    )


def _fields_of_melds(rules: Ruleset, position: int) -> Iterator[Field]:
    """Concealed canastas, and melds that are no canasta."""
    settings = rules.settings
    if settings.concealed_canasta:
        item = "concealed-canasta"
        yield Field(
            position=position,
            name=f"canastas.{item}",
            entry_part=parts.CanastaCount(item),
            label=Label(item=item),
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
    yield Field(
        position=position,
        name="melds",
        entry_part=parts.LaidMelds(),
        label=Label("hand.melds"),
        type=types.MELDS,
        part=PagePart.BY_CARDS,
        hint="hand.melds.hint" if settings.sequences == "none" else "hand.melds.hint.suits",
    )
    card_field = partial(Field, position=position, type=types.CARDS, part=PagePart.BY_CARDS)
    players = settings.players_of(position)
    if players_apart(settings, position) is None:
        hint = "hand.left-cards.hint.hands" if players > 1 else "hand.left-cards.hint"
        together = parts.HeldTogether(players)
        yield card_field(
            name="left.0", entry_part=together, label=Label("hand.left-cards"), hint=hint
        )
        return
    hint = "hand.left-cards.hint"
    for player in range(players):
        held = parts.HeldByPlayer(player, players)
        label = Label("hand.left-cards.hand", number=player + 1, player=player)
        yield card_field(name=f"left.{player}", entry_part=held, label=label, hint=hint, row=player)
    yield card_field(
        name=ALL_HANDS,
        entry_part=parts.HeldByAll(),
        label=Label("hand.left-cards.together"),
        hint=hint,
    )


def _fields_of_held_penalties(rules: Ruleset, position: int) -> Iterator[Field]:
    """Penalties for cards that a player still holds."""
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
    """How often a side has each penalty and each bonus."""
    count_field = partial(Field, position=position, part=PagePart.MORE)
    for code, penalty in rules.penalties.items():
        if penalty.points is not None:
            count = parts.PenaltyCount(code)
            label = Label(f"penalty.{code}")
            yield count_field(
                name=f"penalties.{code}", entry_part=count, label=label, worth=(-penalty.points,)
            )
    for code, bonus in rules.bonuses.items():
        times = parts.BonusCount(code)
        label = Label(f"bonus.{code}")
        yield count_field(
            name=f"bonuses.{code}", entry_part=times, label=label, worth=(bonus.points,)
        )


def _fields_of_rows(
    rules: Ruleset,
    position: int,
    house_rows: tuple[int, ...],
    adjustment_rows: tuple[int, ...],
) -> Iterator[Field]:
    """House penalties and agreed points: a points and a reason for each row, and an empty row."""
    row_field = partial(Field, position=position, part=PagePart.MORE)
    if HOUSE in rules.penalties:
        for index, row in enumerate(_with_empty_row(house_rows)):
            yield row_field(
                name=f"{HOUSE}.{row}.points",
                entry_part=parts.HousePenaltyPart(index, "points"),
                label=Label("hand.house.points", number=row + 1),
                type=types.POINTS,
                worth=(-1,),
                hint="hand.house.hint",
                row=row,
            )
            yield row_field(
                name=f"{HOUSE}.{row}.reason",
                entry_part=parts.HousePenaltyPart(index, "reason"),
                label=Label("hand.house.reason", number=row + 1),
                type=types.TEXT,
                row=row,
            )
    for index, row in enumerate(_with_empty_row(adjustment_rows)):
        yield row_field(
            name=f"{ADJUSTMENTS}.{row}.points",
            entry_part=parts.AdjustmentPart(index, "points"),
            label=Label("hand.adjustments.points", number=row + 1),
            type=types.SIGNED,
            worth=(1,),
            hint="hand.adjustments.hint",
            row=row,
        )
        yield row_field(
            name=f"{ADJUSTMENTS}.{row}.reason",
            entry_part=parts.AdjustmentPart(index, "reason"),
            label=Label("hand.adjustments.reason", number=row + 1),
            type=types.TEXT,
            row=row,
        )


def _with_empty_row(typed_rows: tuple[int, ...]) -> tuple[int, ...]:
    next_row = max(typed_rows, default=-1) + 1
    return (*typed_rows, min(next_row, MOST_ROWS - 1))


def _fields_of_whole_side(rules: Ruleset, position: int) -> Iterator[Field]:
    """An agreed sum or a special hand in place of the cards, and the cards of the opening."""
    rare_field = partial(Field, position=position, part=PagePart.MORE)
    yield rare_field(
        name="sum",
        entry_part=parts.Attribute("sum"),
        label=Label("hand.sum"),
        type=types.SIGNED,
        hint="hand.sum.hint",
    )
    if "special" in rules.entry_fields and rules.settings.special_hands:
        yield rare_field(
            name="special",
            entry_part=parts.Attribute("special"),
            label=Label(item="special"),
            type=types.CHOICE,
        )
    if _has_opening(rules):
        yield rare_field(
            name="opening",
            entry_part=parts.OpeningMelds(),
            label=Label("hand.opening"),
            type=types.OPENING,
            hint="hand.opening.hint",
        )


def _has_opening(rules: Ruleset) -> bool:
    """Whether an opening may be checked against a minimum."""
    return any(rule.id == "opening-below-minimum" for rule in rules.checks)


def counts_totals(settings: Settings) -> bool:
    """Whether a side may enter totals counted at the table; otherwise it enters its cards."""
    return settings.counted_by != "cards"


def players_apart(settings: Settings, position: int) -> int | None:
    """How many players of a side have a field each for the cards that they hold; None if the side
    has one player, or a field for all of them.
    """
    is_apart = bool(settings.held_together) or not counts_totals(settings)
    players = settings.players_of(position)
    return players if is_apart and players > 1 else None


def needs_concealed(rules: Ruleset) -> bool:
    """Whether going out concealed changes the score, or what is allowed."""
    settings = rules.settings
    if settings.concealed_out_bonus != settings.out_bonus or settings.partnership != "fixed":
        return True
    no_minimum = settings.concealed_out == "own-melds-only"
    return _has_opening(rules) and (no_minimum or settings.black_threes != "never")

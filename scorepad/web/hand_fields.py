"""The fields of a hand: one table for its form, reading, filling, comparing and sums.

A field belongs to a side and is named as in the hand's JSON (`cards`, `canastas.samba`, `left.0`).
Its key in a draft has the side as prefix: `a.cards`. The keys of the whole hand have no prefix:
`out`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from typing_extensions import override

from scorepad.i18n import Language, Words
from scorepad.i18n.settings_in_words import name_score_item
from scorepad.matches.hands import Draft
from scorepad.rules.cards import RED_THREE, count_cards_in_decks
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import EXTRA_COUNTS, HOUSE, MOST_ROWS, ExtraCount, SideEntry
from scorepad.rules.settings import CanastaKind, HeldKind, Settings
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
HELD_POINTS = "left"
"""The field for the points of the cards that players still hold when the hand ends."""
ALL_HANDS = "left.all"
"""The field for the cards that several players hold, entered together."""
ONLY_HELD_CARDS = "left.0"
"""The field for the cards that the players of a side hold, if it has no field for each of them."""
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
ROW_GROUPS = (HOUSE, ADJUSTMENTS)
"""Groups of fields in rows, each with points and their reason."""
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
"""The key of a field in a row: `a.house.3.reason`."""


class CardsReplacement(StrEnum):
    """What is entered for a side in place of its cards; it is also the name of the field for that."""

    NONE = ""
    """Nothing: the side is counted by its cards."""
    SUM = "sum"
    """Points that the table agreed on."""
    SPECIAL = "special"
    """A special hand, which counts as a whole."""


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


class Label(ABC):
    """What a field is called on the page.

    `item` is the scored item that the field counts; empty if it is none.
    """

    item: str = ""

    @abstractmethod
    def in_words(self, variant: str, words: Words, player_names: Mapping[int, str]) -> str:
        """Return the label in words; `player_names` are those of the side, by index."""


@dataclass(frozen=True)
class ItemLabel(Label):
    """The name of a scored item, which may differ by variant: `cards` is "Cards"."""

    item: str

    @override
    def in_words(self, variant: str, words: Words, player_names: Mapping[int, str]) -> str:
        """Return the name of the item in this variant."""
        return name_score_item(variant, self.item, words)


@dataclass(frozen=True)
class MessageLabel(Label):
    """A message of the catalogue, which may show the number of a row: "Points 2"."""

    key: str
    number: int = 0

    @override
    def in_words(self, variant: str, words: Words, player_names: Mapping[int, str]) -> str:
        """Return the message, with the number of the row if it has a place for it."""
        return words.t(self.key, number=self.number)


@dataclass(frozen=True)
class PlayerLabel(Label):
    """A message that shows the name of a player of the side: "Cards of Anna"."""

    key: str
    player: int

    @override
    def in_words(self, variant: str, words: Words, player_names: Mapping[int, str]) -> str:
        """Return the message with the name of the player, or "player 2" if that is not known."""
        name = player_names.get(self.player)
        if not name:
            name = words.t("hand.player", number=self.player + 1)
        return words.t(self.key, hand=name)


@dataclass(frozen=True)
class SameRankLabel(Label):
    """A message that shows how many cards of a rank count together: "three aces in hand"."""

    key: str
    rank: str
    number: int

    @override
    def in_words(self, variant: str, words: Words, player_names: Mapping[int, str]) -> str:
        """Return the message with the number of cards and the word for them."""
        cards = words.plural(f"card.{self.rank}", self.number)
        return words.t(self.key, number=self.number, cards=cards)


@dataclass(slots=True)
class Field:
    """A field of the form for one side: what it is called, which part of the side's entry it holds,
    and how its text is read and written.

    `position` is that of the side. `points_each`: the points for each of what is counted, if it has
    one figure, else those for one, two, three of it together; empty if the points depend on other
    fields too. `largest_count`: None for no limit. `hint`: the key of a hint. `card_colour`: the
    colour (`red`, `black`) of the card drawn beside the label of canastas. `row`: its row, or the
    player to whom it belongs.
    """

    position: int
    name: str
    entry_part: EntryPart
    label: Label
    text_type: FieldText = types.COUNT
    part: PagePart = PagePart.GRID
    points_each: tuple[int, ...] = ()
    largest_count: int | None = None
    hint: str = ""
    card_colour: str = ""
    row: int | None = None

    key: str = dataclass_field(init=False)
    """Its key in a draft: `a.canastas.samba`."""
    id: str = dataclass_field(init=False)
    """Its id on the page: `a-canastas-samba`."""
    group: str = dataclass_field(init=False)
    """The first part of its name: `canastas`."""
    kind: str = dataclass_field(init=False)
    """How its text is typed: `count`, `points`, `signed`, `cards`, `melds`, `text`, `choice`."""
    is_count_of_cards: bool = dataclass_field(init=False)
    """Whether it counts single cards, such as red threes, and not canastas or penalties."""

    def __post_init__(self) -> None:
        """Set what follows from its side, its name and its type: a save asks for it many times."""
        self.key = field_key(SIDE_KEYS[self.position], self.name)
        self.id = html_id(self.key)
        self.group = group_of_key(self.key)
        self.kind = self.text_type.name
        self.is_count_of_cards = self.kind == "count" and self.group not in (*TOTALS, *OWED)

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
    """Make the key of a side's field in the form: `a`, `cards` → `a.cards`."""
    return f"{side}.{name}"


def held_cards_field(player: int) -> str:
    """Name the field for the cards that a player holds, by index: `left.1` for the second."""
    return f"left.{player}"


def side_of_key(key: str) -> int | None:
    """Find the side to which a field of the form belongs, by the key of the field.

    - `b.cards` → 1, the second side
    - `out`, a field of the whole hand → None
    """
    side, _, name = key.partition(".")
    if not name or side not in SIDE_KEYS:
        return None
    return SIDE_KEYS.index(side)


def group_of_key(key: str) -> str:
    """Find the group of fields to which a side's field belongs: `a.canastas.samba` → `canastas`."""
    _, _, name = key.partition(".")
    group, _, _ = name.partition(".")
    return group


def html_id(key: str) -> str:
    """Make the id on the page of the field with this key: `a.left.0` → `a-left-0`."""
    return key.replace(".", "-")


def draft_from_form(submitted: Draft) -> dict[str, str]:
    """Pick the texts of a submitted form that belong to the hand (a round of the game).

    `{"a.cards": "150", "b.cards": "", "csrf_token": "…"}` → `{"a.cards": "150"}`: blank fields and
    other fields of the page are left out. Of a very long text only the beginning is kept, which is
    still long enough to be reported as too long.
    """
    draft: dict[str, str] = {}
    first_fields = islice(submitted.items(), _MOST_FIELDS)  # no form of ours has more
    for name, text in first_fields:
        is_hand_field = name in HAND_KEYS or _is_side_key(name)
        beginning = text[:_LONGEST_KEPT]
        if is_hand_field and beginning.strip():
            draft[name] = beginning
    return draft


def _is_side_key(name: str) -> bool:
    """Tell whether the name of a form's field looks like one of a side: `a.cards`, `b.left.0`."""
    return len(name) <= _LONGEST_KEY and _SIDE_KEY.fullmatch(name) is not None


def typed_rows(draft: Draft, side: str, group: str) -> tuple[int, ...]:
    """Find the rows of the form in which something is typed for a side, in ascending order.

    Penalties that the players make up themselves (the group `house`), and points that they agree on
    (`adjustments`), are typed in rows, each with points and a reason. With a text in
    `a.house.3.reason` only: side `a`, group `house` → `(3,)`.
    """
    rows = set()
    beginning = f"{field_key(side, group)}."
    for key, text in draft.items():
        if not key.startswith(beginning) or not text.strip():
            continue
        row_key = _ROW_KEY.fullmatch(key)
        if row_key is not None:
            rows.add(int(row_key["row"]))
    return tuple(sorted(rows))


# ------------------------------------------------------------------------------ what the rules need


def fields_of_side(rules: Ruleset, position: int, draft: Draft) -> tuple[Field, ...]:
    """List the fields that the form has for one side under these rules, in page order.

    `position` 0 is the first side. `draft` has the texts typed so far: penalties that the players
    made up, and points that they agreed on, have a row for each that is typed, and an empty one to
    type another.
    """
    side = SIDE_KEYS[position]
    return _make_fields(
        rules,
        position,
        house_rows=typed_rows(draft, side, HOUSE),
        adjustment_rows=typed_rows(draft, side, ADJUSTMENTS),
    )


def fields_of_entry(rules: Ruleset, position: int, entry: SideEntry) -> tuple[Field, ...]:
    """List the fields in which the form shows what was counted for a side, in page order.

    `position` 0 is the first side, `entry` has its data. Each penalty that the players made up has
    a row, numbered from 0, and so has each adjustment that they agreed on. One more row of each is
    empty, to type another.
    """
    house_penalties = [penalty for penalty in entry.penalties if penalty.code == HOUSE]
    return _make_fields(
        rules,
        position,
        house_rows=tuple(range(len(house_penalties))),
        adjustment_rows=tuple(range(len(entry.adjustments))),
    )


@lru_cache(maxsize=256)  # the fields are the same for all hands with these rows
def _make_fields(
    rules: Ruleset,
    position: int,
    house_rows: tuple[int, ...],
    adjustment_rows: tuple[int, ...],
) -> tuple[Field, ...]:
    """Make all fields that the form has for a side, in page order.

    `house_rows` are the numbers of the rows with a penalty that the players made up, and
    `adjustment_rows` of those with points that they agreed on. An empty row is added to each.
    """
    return (
        *_make_total_fields(rules, position),
        *_make_card_fields(rules, position),
        *_make_held_penalty_fields(rules, position),
        *_make_charge_fields(rules, position),
        *_make_house_penalty_fields(rules, position, _add_empty_row(house_rows)),
        *_make_row_fields(_ADJUSTMENT_ROWS, position, _add_empty_row(adjustment_rows)),
        *_make_fields_of_whole_side(rules, position),
    )


def make_canasta_fields(rules: Ruleset, position: int, part: PagePart) -> Iterator[Field]:
    """Make the fields that count the canastas of a side, one for each kind that the rules know.

    A canasta is a set of seven cards or more on the table. The classic game has two kinds, "Natural
    canastas" and "Mixed canastas". `part` is the part of the page that shows the fields.
    """
    for kind in sorted(rules.settings.canastas, key=_sort_key_of_canasta):
        yield Field(
            position=position,
            name=f"canastas.{kind.item}",
            entry_part=parts.CanastaCount(kind.item),
            label=ItemLabel(kind.item),
            part=part,
            points_each=(kind.points,),
            largest_count=MOST_CANASTAS,
            card_colour=_find_top_card_colour(kind),
        )


def _find_top_card_colour(kind: CanastaKind) -> str:
    """Find the colour of the card that lies on top of a canasta (a set of seven cards or more).

    Players show by it what is below: a black card if there may be wild cards (jokers and twos), a
    red card if there are none. The page draws such a card beside the field.
    """
    _, most_wilds = kind.wilds  # the least and the most wild cards beside natural ones
    if kind.shape == "wilds" or most_wilds > 0:
        return "black"
    return "red"


def _sort_key_of_canasta(kind: CanastaKind) -> tuple[bool, bool]:
    """Return a sort key for kinds of canastas (sets of seven cards or more).

    First come those of any cards, then those of one rank, such as sevens, then those of wild cards
    (jokers and twos).
    """
    is_of_wilds = kind.shape == "wilds"
    is_of_one_rank = kind.rank is not None
    return is_of_wilds, is_of_one_rank  # False sorts before True


def _make_total_fields(rules: Ruleset, position: int) -> Iterator[Field]:
    """Make the fields for what a side counts at the table by itself, in page order.

    They are the numbers of its canastas (sets of seven cards or more), the points of its cards, its
    red threes (bonus cards), and the points still in hand. In a game where a side must type its
    cards, the program counts them, and only the threes are left.
    """
    types_totals = counts_totals(rules.settings)
    if types_totals:
        yield from _make_laid_card_fields(rules, position)
    yield from _make_three_fields(rules, position)
    if types_totals:
        yield _make_held_points_field(position)


def _make_laid_card_fields(rules: Ruleset, position: int) -> Iterator[Field]:
    """Make the fields for the totals of what a side laid on the table.

    They are the numbers of its canastas (sets of seven cards or more) and of its unfinished ones,
    and the points of all its cards.
    """
    yield from make_canasta_fields(rules, position, PagePart.GRID)
    extra_points = rules.settings.concealed_canasta
    if extra_points != 0:
        yield _make_concealed_canasta_field(position, extra_points)
    if "incomplete" in rules.entry_fields:  # only some games have a side enter them
        yield from _make_incomplete_meld_fields(rules, position)
    yield _make_card_points_field(position)


def _make_card_points_field(position: int) -> Field:
    """Make the field for the points of all cards that a side laid on the table."""
    return Field(
        position=position,
        name="cards",
        entry_part=parts.CardPoints(),
        label=ItemLabel("cards"),  # "Points melded"
        text_type=types.POINTS,
        points_each=(1,),  # what is typed are points already
    )


def _make_held_points_field(position: int) -> Field:
    """Make the field for the points of the cards that a side still has when the round ends.

    They are taken off its score.
    """
    return Field(
        position=position,
        name=HELD_POINTS,
        entry_part=parts.PointsHeld(),
        label=ItemLabel("cards-left"),  # "Cards in hand"
        text_type=types.POINTS,
        points_each=(-1,),  # each point that is typed is taken off
    )


def _make_concealed_canasta_field(position: int, extra_points: int) -> Field:
    """Make the field in which a side counts its concealed canastas, which earn extra points.

    A canasta is a set of seven cards or more. It is concealed if it came on the table all at once.
    """
    item = "concealed-canasta"  # what is counted, as it is called in entries and messages
    return Field(
        position=position,
        name=f"canastas.{item}",
        entry_part=parts.CanastaCount(item),
        label=ItemLabel(item),  # "Concealed canastas"
        points_each=(extra_points,),
        largest_count=MOST_CANASTAS,
        card_colour="red",
    )


def _make_incomplete_meld_fields(rules: Ruleset, position: int) -> Iterator[Field]:
    """Make the fields in which a side counts its unfinished sets of certain cards, such as sevens.

    In some games such a set costs points if it has not grown to seven cards when the round ends.
    There is a field for each kind, such as "Sevens left unfinished".
    """
    for kind in rules.settings.incomplete:
        hint = ""
        if kind.bars_out:  # a side with such a set may not play its last card
            hint = "hand.incomplete.bars"  # "no going out"
        yield Field(
            position=position,
            name=f"incomplete.{kind.name}",
            entry_part=parts.IncompleteCount(kind.name),
            label=ItemLabel(f"{kind.name}-incomplete"),
            points_each=(-kind.points,),  # each costs these points
            largest_count=MOST_CANASTAS,
            hint=hint,
        )


def _make_three_fields(rules: Ruleset, position: int) -> Iterator[Field]:
    """Make the fields in which a side counts single cards that score, if the rules score them.

    These are red threes (bonus cards) and, in some games, others such as black threes.
    """
    if _has_score_line(rules, "red-threes"):
        yield _make_red_three_field(rules.settings, position)
    for extra in EXTRA_COUNTS:
        if extra.key in rules.entry_fields and extra.has_own_setting:
            yield _make_extra_count_field(extra, rules.settings, position)


def _has_score_line(rules: Ruleset, line_id: str) -> bool:
    """Tell whether the score of a side has this line under the rules, such as `red-threes`."""
    return any(line.id == line_id for line in rules.lines)


def _make_red_three_field(settings: Settings, position: int) -> Field:
    """Make the field that counts the red threes (bonus cards) which a side has on the table."""
    return Field(
        position=position,
        name="red_threes",
        entry_part=parts.Attribute("red_threes"),
        label=ItemLabel("red-threes"),  # "Red threes"
        points_each=settings.red_three_values,  # of one, two, three … of them together
        largest_count=count_cards_in_decks(settings.decks)[RED_THREE],
    )


def _make_extra_count_field(extra: ExtraCount, settings: Settings, position: int) -> Field:
    """Make the field for something that is counted only in some games, such as black threes.

    `extra` says what is counted, and how many points it brings.
    """
    return Field(
        position=position,
        name=extra.key,
        entry_part=parts.Attribute(extra.key),
        label=ItemLabel(extra.item),
        points_each=extra.read_points(settings),
        largest_count=extra.find_largest_number(settings),
    )


def _make_card_fields(rules: Ruleset, position: int) -> Iterator[Field]:
    """Make the fields in which a side can type its cards, instead of counting them by itself.

    They are for the cards that it laid on the table, and those that its players still have when the
    round ends.
    """
    settings = rules.settings
    yield _make_meld_field(settings, position)
    if has_field_for_each_player(settings, position):
        yield from _make_fields_of_each_player(settings, position)
    else:
        yield _make_held_cards_field(settings, position)


def _make_meld_field(settings: Settings, position: int) -> Field:
    """Make the field for the melds (sets of cards) that a side has on the table, one on a line."""
    hint = "hand.melds.hint"  # "One a line, as you say them: 4 kings 2 twos 1 joker …"
    if settings.sequences != "none":
        hint = "hand.melds.hint.suits"  # the same, and: "A sequence needs its suit …"
    return Field(
        position=position,
        name="melds",
        entry_part=parts.LaidMelds(),
        label=MessageLabel("hand.melds"),  # "Melds laid"
        text_type=types.MELDS,
        part=PagePart.BY_CARDS,
        hint=hint,
    )


def _make_held_cards_field(settings: Settings, position: int) -> Field:
    """Make the field for all cards that the players of a side still have when the round ends."""
    players = settings.players_of(position)
    hint = "hand.left-cards.hint"  # "For example 2xK 4 JK; 0 if there are none."
    if players > 1:
        hint = "hand.left-cards.hint.hands"  # also: "a slash between the cards of one player …"
    return Field(
        position=position,
        name=ONLY_HELD_CARDS,
        entry_part=parts.CardsHeld(players),
        label=MessageLabel("hand.left-cards"),  # "Cards in hand"
        text_type=types.CARDS,
        part=PagePart.BY_CARDS,
        hint=hint,
    )


def _make_fields_of_each_player(settings: Settings, position: int) -> Iterator[Field]:
    """Make the fields for the cards that each player of a side still has when the round ends.

    The last field is for the cards of all players together, if nobody remembers who had which.
    """
    players = settings.players_of(position)
    for player in range(players):
        yield Field(
            position=position,
            name=held_cards_field(player),
            entry_part=parts.CardsOfPlayer(player, players),
            label=PlayerLabel("hand.left-cards.hand", player),  # "Cards in hand: Anna"
            text_type=types.CARDS,
            part=PagePart.BY_CARDS,
            hint="hand.left-cards.hint",
            row=player,
        )
    yield Field(
        position=position,
        name=ALL_HANDS,
        entry_part=parts.CardsHeldTogether(),
        label=MessageLabel("hand.left-cards.together"),  # "Cards in hand, all together"
        text_type=types.CARDS,
        part=PagePart.BY_CARDS,
        hint="hand.left-cards.hint",
    )


def _make_held_penalty_fields(rules: Ruleset, position: int) -> Iterator[Field]:
    """Make the fields for cards that cost extra points if a player still has them at the end.

    These are red threes and, in some games, several cards of one rank, such as three aces. Each
    field exists only if the rules charge for the cards.
    """
    if _has_score_line(rules, "red-threes-held"):
        yield _make_held_red_three_field(rules.settings, position)
    for kind in rules.settings.held_together:
        if kind.key in rules.entry_fields:
            yield _make_held_kind_field(kind, rules.settings, position)


def _make_held_red_three_field(settings: Settings, position: int) -> Field:
    """Make the field that counts the red threes which a side still has when the round ends.

    They are bonus cards that should have been laid on the table, so each of them costs points.
    """
    return Field(
        position=position,
        name="red_threes_held",
        entry_part=parts.Attribute("red_threes_held"),
        label=ItemLabel("red-threes-held"),  # "Red threes in hand"
        part=PagePart.MORE,
        points_each=(-settings.held_red_three,),
        largest_count=count_cards_in_decks(settings.decks)[RED_THREE],
    )


def _make_held_kind_field(kind: HeldKind, settings: Settings, position: int) -> Field:
    """Make the field "Players with 3 or more aces in hand", for a rule that makes this cost points.

    Such a rule exists in some games for the end of a round. `kind` says of which rank, how many
    cards, and how many points they cost.
    """
    count_in_entry = parts.Attribute(kind.key)
    cost_for_each_player = -kind.points
    return Field(
        position=position,
        name=kind.key,
        entry_part=count_in_entry,
        label=SameRankLabel("hand.held", kind.rank, kind.number),
        part=PagePart.MORE,
        points_each=(cost_for_each_player,),
        largest_count=settings.players_of(position),  # each player of the side may hold them once
        hint="hand.held.hint",  # "1,500 each"
    )


def _make_charge_fields(rules: Ruleset, position: int) -> Iterator[Field]:
    """Make the fields that count how often a side got each penalty and each bonus of the rules.

    Penalties without a fixed number of points have no such field.
    """
    for code, penalty in rules.penalties.items():
        if penalty.points is None:
            continue
        yield Field(
            position=position,
            name=f"penalties.{code}",
            entry_part=parts.PenaltyCount(code),
            label=MessageLabel(f"penalty.{code}"),
            part=PagePart.MORE,
            points_each=(-penalty.points,),
        )
    for code, bonus in rules.bonuses.items():
        yield Field(
            position=position,
            name=f"bonuses.{code}",
            entry_part=parts.BonusCount(code),
            label=MessageLabel(f"bonus.{code}"),
            part=PagePart.MORE,
            points_each=(bonus.points,),
        )


@dataclass(frozen=True)
class _RowGroup:
    """A group of rows of the form, each with points and the reason for them."""

    name: str
    entry_part: type[parts.HousePenaltyPart | parts.AdjustmentPart]
    points_text: FieldText
    effect_of_a_point: int
    """What a typed point does to the score: 1 if it is added, -1 if it is taken off."""


_HOUSE_ROWS = _RowGroup(HOUSE, parts.HousePenaltyPart, types.POINTS, effect_of_a_point=-1)
"""Penalties that the players at the table make up."""
_ADJUSTMENT_ROWS = _RowGroup(ADJUSTMENTS, parts.AdjustmentPart, types.SIGNED, effect_of_a_point=1)
"""Points that the players at the table agree to add, or with a minus to take off."""


class _Row(NamedTuple):
    """A row of the form. It keeps its number when a row before it is emptied, but the data of the
    side have no gaps: `index_in_data` counts only the rows that are there.
    """

    number: int
    index_in_data: int


def _make_house_penalty_fields(
    rules: Ruleset, position: int, rows: tuple[int, ...]
) -> Iterator[Field]:
    """Make the fields for penalties that the players make up themselves, if the rules allow that.

    `rows` are the numbers of the rows of the form, each of which has one such penalty.
    """
    if HOUSE in rules.penalties:
        yield from _make_row_fields(_HOUSE_ROWS, position, rows)


def _make_row_fields(group: _RowGroup, position: int, numbers: tuple[int, ...]) -> Iterator[Field]:
    """Make the fields of the rows with these numbers: one for points, one for their reason."""
    for index, number in enumerate(numbers):
        row = _Row(number, index_in_data=index)
        yield _make_points_field(group, position, row)
        yield _make_reason_field(group, position, row)


def _make_points_field(group: _RowGroup, position: int, row: _Row) -> Field:
    """Make the field for the points in a row of the form, such as `a.house.3.points`.

    Such a row is a penalty that the players made up, or points that they agreed on.
    """
    number_for_people = row.number + 1  # "House penalty 4: points" is row 3
    return Field(
        position=position,
        name=f"{group.name}.{row.number}.points",
        entry_part=group.entry_part(row.index_in_data, "points"),
        label=MessageLabel(f"hand.{group.name}.points", number=number_for_people),
        text_type=group.points_text,
        part=PagePart.MORE,
        points_each=(group.effect_of_a_point,),
        hint=f"hand.{group.name}.hint",
        row=row.number,
    )


def _make_reason_field(group: _RowGroup, position: int, row: _Row) -> Field:
    """Make the field for the reason in a row of the form, such as `a.house.3.reason`.

    Such a row is a penalty that the players made up, or points that they agreed on.
    """
    number_for_people = row.number + 1  # "House penalty 4: reason" is row 3
    return Field(
        position=position,
        name=f"{group.name}.{row.number}.reason",
        entry_part=group.entry_part(row.index_in_data, "reason"),
        label=MessageLabel(f"hand.{group.name}.reason", number=number_for_people),
        text_type=types.TEXT,
        part=PagePart.MORE,
        row=row.number,
    )


def _add_empty_row(rows: tuple[int, ...]) -> tuple[int, ...]:
    """Add an empty row after some rows of the form, by number: `(0, 3)` → `(0, 3, 4)`.

    No row is added if the form has the greatest number of rows already.
    """
    if not rows:
        return (0,)
    next_row = rows[-1] + 1
    if next_row >= MOST_ROWS:
        return rows
    return (*rows, next_row)


def _make_fields_of_whole_side(rules: Ruleset, position: int) -> Iterator[Field]:
    """Make the fields of a side that concern all its cards.

    - the points that the players agreed on, instead of counting cards
    - a special hand (a set of cards that scores as a whole), if the game has any
    - the opening (what a side lays first in a round), if the rules check its points
    """
    yield _make_sum_field(position)
    has_special_hands = len(rules.settings.special_hands) > 0
    if has_special_hands and "special" in rules.entry_fields:
        yield _make_special_hand_field(position)
    if _has_opening(rules):
        yield _make_opening_field(position)


def _make_sum_field(position: int) -> Field:
    """Make the field for points of a side that the players agreed on, instead of counting cards."""
    return Field(
        position=position,
        name=CardsReplacement.SUM.value,
        entry_part=parts.Attribute("sum"),
        label=MessageLabel("hand.sum"),
        text_type=types.SIGNED,
        part=PagePart.MORE,
        hint="hand.sum.hint",
    )


def _make_special_hand_field(position: int) -> Field:
    """Make the field to choose which special hand a side showed.

    A special hand is a set of cards that scores as a whole, and ends the round at once.
    """
    return Field(
        position=position,
        name=CardsReplacement.SPECIAL.value,
        entry_part=parts.Attribute("special"),
        label=ItemLabel("special"),  # "Special hand"
        text_type=types.CHOICE,
        part=PagePart.MORE,
    )


def _make_opening_field(position: int) -> Field:
    """Make the field for the opening of a side: the melds (sets of cards) that it laid first.

    They must reach a minimum of points, which is checked if they are typed.
    """
    return Field(
        position=position,
        name="opening",
        entry_part=parts.OpeningMelds(),
        label=MessageLabel("hand.opening"),
        text_type=types.OPENING,
        part=PagePart.MORE,
        hint="hand.opening.hint",
    )


def _has_opening(rules: Ruleset) -> bool:
    """Tell whether the rules ask for a minimum of points in what a side lays first, its opening."""
    return any(rule.id == "opening-below-minimum" for rule in rules.checks)


def counts_totals(settings: Settings) -> bool:
    """Tell whether a side may type totals that it counted by itself.

    In other games it must type its cards, and the program counts them.
    """
    return settings.counted_by != "cards"


def has_field_for_each_player(settings: Settings, position: int) -> bool:
    """Tell whether each player of a side has a field for the cards left at the end of the round.

    Otherwise the side has one field for the cards of all its players.
    """
    if settings.players_of(position) == 1:
        return False
    if settings.held_together:
        # The rules charge cards that one player holds together, such as three aces: it matters who
        # holds them.
        return True
    # Where totals can be typed, few sides type their held cards, and one field is enough.
    return not counts_totals(settings)


def is_superseded(group: str, replacement: CardsReplacement) -> bool:
    """Tell whether a group of fields does not count, as something is typed in place of the cards.

    Points that the players agreed on, or a special hand, count in place of all cards of a side,
    such as its `melds`. Only penalties, bonuses and agreed adjustments count beside them.
    """
    if replacement is CardsReplacement.NONE:
        return False
    field_of_replacement = replacement.value
    return group not in (field_of_replacement, *OWED, ADJUSTMENTS)


def needs_concealed(rules: Ruleset) -> bool:
    """Tell whether the form must ask if the player who ended the round did so "concealed".

    That is, with no card on the table before the last turn. It is asked if anything depends on it:

    - it gives other points than usual
    - two sides may lay cards together: then only its own ones allow a side to end the round
    - the rules check what a side lays first, and do so in another way if that is all in one turn
    """
    settings = rules.settings
    gives_other_points = settings.concealed_out_bonus != settings.out_bonus
    if gives_other_points:
        return True
    may_sides_lay_together = settings.partnership != "fixed"
    if may_sides_lay_together:
        return True
    return _has_opening(rules) and _is_concealed_opening_different(settings)


def _is_concealed_opening_different(settings: Settings) -> bool:
    """Tell whether a side that lays all its cards in one turn may begin in another way than usual.

    Usually the first cards that a side lays must reach a minimum of points. And most games allow
    black threes only in the last turn, so that they are not among the first cards.
    """
    need_not_reach_minimum = settings.concealed_out == "own-melds-only"
    may_have_black_threes = settings.black_threes != "never"
    return need_not_reach_minimum or may_have_black_threes

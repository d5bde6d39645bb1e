"""The fields of a hand: one table for its form, reading, filling, comparing and sums.

A field belongs to a side and is named as in the hand's JSON (`cards`, `canastas.samba`, `left.0`).
Its key in a draft has the side as prefix: `a.cards`. The keys of the whole hand have no prefix:
`out`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum
from functools import lru_cache, partial
from itertools import islice, zip_longest
from types import MappingProxyType
from typing import NamedTuple

from scorepad.i18n import Language, Words
from scorepad.i18n.typed_cards import notated
from scorepad.matches.events import HandPenalty
from scorepad.matches.hands import Draft
from scorepad.matches.projection import MatchState
from scorepad.rules.cards import RED_THREE, in_decks, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE
from scorepad.rules.settings import CanastaKind, Settings
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web.forms import Misread, read_sum

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
HIDDEN = "*"
"""After a meld: laid down whole."""
NONE = "0"
"""The text for no cards, or no points."""
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
MOST_ROWS = 60
"""Maximum rows of agreed points or house penalties of one side."""

_MOST_FIELDS = 1_000
"""Fields of a form that are read: three sides, with all rows of agreed points and penalties, have
fewer.
"""
_LONGEST_KEPT = 4_000
"""Characters of a field that are kept. Fewer are read as cards or figures."""
_LONGEST_KEY = 100
_SIDE_KEY = re.compile(r"[abc]\.[a-z][a-z0-9_]*(?:[.-][a-z0-9-]+){0,3}")
_ROW_KEY = re.compile(r"[abc]\.(?:house|adjustments)\.[0-5]?[0-9]\.(?:points|reason)")


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


NUMBERS = (FieldKind.COUNT, FieldKind.POINTS, FieldKind.SIGNED)


class PagePart(StrEnum):
    """The page part that shows a field."""

    CARD = "card"
    """A row of the card, with a cell for each side."""
    FROM_CARDS = "from-cards"
    """A row of the card that follows from the cards of each side and cannot be typed."""
    BY_CARDS = "by-cards"
    """The panel in which a side is counted by its cards."""
    MORE = "more"
    """The panel of rarely used fields."""


@dataclass(slots=True)
class Field:
    """A field of the side at `position`.

    `item`: the scored item that names it; other fields are named in the template. `worth`: the
    points for one, two, three of what is counted, or for each if it has one figure; empty if the
    points depend on other fields too. `most`: the maximum count, None for no limit. `hint`: the key
    of a hint. `back`: the back of its canastas (`red`, `black`). `row`: its row, or the player
    to whom it belongs.
    """

    position: int
    name: str
    kind: FieldKind = FieldKind.COUNT
    part: PagePart = PagePart.CARD
    item: str = ""
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


def key(side: str, name: str) -> str:
    """The key of a side's field in a draft: `a.cards`."""
    return f"{side}.{name}"


def side_of(draft_key: str) -> int | None:
    """The position of the side of a key; None for a key of the whole hand."""
    if draft_key[1:2] != "." or draft_key[0] not in SIDE_KEYS:
        return None
    return SIDE_KEYS.index(draft_key[0])


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


def meld_lines(text: str, separators: str = ";/") -> tuple[str, ...]:
    """The melds of a text: one a line, or between separators."""
    for separator in separators:
        text = text.replace(separator, "\n")
    return tuple(line.strip() for line in text.split("\n") if line.strip())


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
            position,
            f"canastas.{kind.item}",
            part=part,
            item=kind.item,
            worth=(kind.points,),
            most=MOST_CANASTAS,
            back="black" if has_wilds else "red",
        )


def _canasta_order(kind: CanastaKind) -> tuple[bool, bool]:
    return kind.shape == "wilds", kind.rank is not None


def _fields_of_totals(rules: Ruleset, position: int) -> Iterator[Field]:
    """What a side counts at the table, in the order of the card."""
    settings = rules.settings
    if counts_totals(settings):
        yield from canasta_fields(rules, position, PagePart.CARD)
        yield from _fields_of_melds(rules, position)
        yield Field(position, "cards", FieldKind.POINTS, item="cards", worth=(1,))
    yield from _fields_of_threes(rules, position)
    if counts_totals(settings):
        yield Field(position, "left", FieldKind.POINTS, item="cards-left", worth=(-1,))


def _fields_of_melds(rules: Ruleset, position: int) -> Iterator[Field]:
    """Concealed canastas, and melds that are no canasta."""
    settings = rules.settings
    if settings.concealed_canasta:
        item = "concealed-canasta"
        yield Field(
            position,
            f"canastas.{item}",
            item=item,
            worth=(settings.concealed_canasta,),
            most=MOST_CANASTAS,
            back="red",
        )
    if "incomplete" not in rules.entry_fields:
        return
    for melds in settings.incomplete:
        yield Field(
            position,
            f"incomplete.{melds.name}",
            item=f"{melds.name}-incomplete",
            worth=(-melds.points,),
            most=MOST_CANASTAS,
            hint="hand.incomplete.bars" if melds.bars_out else "",
        )


def _fields_of_threes(rules: Ruleset, position: int) -> Iterator[Field]:
    settings = rules.settings
    if any(line.id == "red-threes" for line in rules.lines):
        yield Field(
            position,
            "red_threes",
            item="red-threes",
            worth=settings.red_three_values,
            most=in_decks(settings.decks)[RED_THREE],
        )
    black_threes = {
        "black_threes_aside": settings.black_threes_aside,
        "black_threes": settings.black_threes_exposed,
    }
    for name, values in black_threes.items():
        if name in rules.entry_fields:
            item = name.replace("_", "-")
            yield Field(position, name, item=item, worth=values, most=len(values))


def _fields_of_cards(rules: Ruleset, position: int) -> Iterator[Field]:
    """The cards that a side laid down and holds, which may be typed instead of totals."""
    settings = rules.settings
    card_field = partial(Field, position, part=PagePart.BY_CARDS)
    melds_hint = "hand.melds.hint" if settings.sequences == "none" else "hand.melds.hint.suits"
    yield card_field("melds", FieldKind.MELDS, hint=melds_hint)
    players = players_apart(settings, position)
    if players is None:
        has_several = settings.players_of(position) > 1
        hint = "hand.left-cards.hint.hands" if has_several else "hand.left-cards.hint"
        yield card_field("left.0", FieldKind.CARDS, hint=hint)
        return
    hint = "hand.left-cards.hint"
    for player in range(players):
        yield card_field(f"left.{player}", FieldKind.CARDS, hint=hint, row=player)
    yield card_field(ALL_HANDS, FieldKind.CARDS, hint=hint)


def _fields_of_held_penalties(rules: Ruleset, position: int) -> Iterator[Field]:
    """Penalties for cards that a player still holds."""
    settings = rules.settings
    rare_field = partial(Field, position, part=PagePart.MORE)
    if any(line.id == "red-threes-held" for line in rules.lines):
        yield rare_field(
            "red_threes_held",
            item="red-threes-held",
            worth=(-settings.held_red_three,),
            most=in_decks(settings.decks)[RED_THREE],
        )
    for kind in settings.held_together:
        if kind.key in rules.entry_fields:
            yield rare_field(
                kind.key,
                worth=(-kind.points,),
                most=settings.players_of(position),
                hint="hand.held.hint",
            )


def _fields_of_charges(rules: Ruleset, position: int) -> Iterator[Field]:
    """How often a side has each penalty and each bonus."""
    for code, penalty in rules.penalties.items():
        if penalty.points is not None:
            name = f"penalties.{code}"
            yield Field(position, name, part=PagePart.MORE, worth=(-penalty.points,))
    for code, bonus in rules.bonuses.items():
        yield Field(position, f"bonuses.{code}", part=PagePart.MORE, worth=(bonus.points,))


def _fields_of_rows(
    rules: Ruleset,
    position: int,
    house_rows: tuple[int, ...],
    adjustment_rows: tuple[int, ...],
) -> Iterator[Field]:
    """House penalties and agreed points: the typed rows, and an empty one."""
    if HOUSE in rules.penalties:
        for row in _with_empty_row(house_rows):
            yield from _fields_of_row(position, HOUSE, row, FieldKind.POINTS, -1)
    for row in _with_empty_row(adjustment_rows):
        yield from _fields_of_row(position, ADJUSTMENTS, row, FieldKind.SIGNED, 1)


def _with_empty_row(typed_rows: tuple[int, ...]) -> tuple[int, ...]:
    next_row = max(typed_rows, default=-1) + 1
    return (*typed_rows, min(next_row, MOST_ROWS - 1))


def _fields_of_row(
    position: int, group: str, row: int, kind: FieldKind, sign: int
) -> Iterator[Field]:
    hint = f"hand.{group}.hint"
    row_field = partial(Field, position, part=PagePart.MORE, row=row)
    yield row_field(f"{group}.{row}.points", kind, worth=(sign,), hint=hint)
    yield row_field(f"{group}.{row}.reason", FieldKind.TEXT)


def _fields_of_whole_side(rules: Ruleset, position: int) -> Iterator[Field]:
    """An agreed sum or a special hand in place of the cards, and the cards of the opening."""
    rare_field = partial(Field, position, part=PagePart.MORE)
    yield rare_field("sum", FieldKind.SIGNED, hint="hand.sum.hint")
    if "special" in rules.entry_fields and rules.settings.special_hands:
        yield rare_field("special", FieldKind.CHOICE, item="special")
    if _has_opening(rules):
        yield rare_field("opening", FieldKind.MELDS, hint="hand.opening.hint")


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


# ---------------------------------------------------------------------------- comparing and merging

_NEEDED_NOUGHT = ("cards", "left", "sum", "melds")  # fields in which `0` differs from a blank text


class FieldDifference(NamedTuple):
    """A field that differs in two drafts; one of the whole hand is only a `key`.

    `is_idle`: one of the drafts ignores it.
    """

    key: str
    field: Field | None
    texts: tuple[str, str]
    is_idle: bool


def meanings(draft: Draft, rules: Ruleset, language: Language) -> dict[str, object]:
    """The values of the fields of a draft in normal form, by key: `1.500` is `1500`, `K K` is
    `2xK`.
    """
    found: dict[str, object] = {}
    for name in HAND_KEYS:
        text = draft.get(name, "").strip()
        if text:
            found[name] = text
    for position in range(len(rules.settings.sides)):
        for field in fields_for(rules, position, draft):
            meaning = _meaning(field, draft.get(field.key, "").strip(), language)
            if meaning or (meaning == 0 and field.group in _NEEDED_NOUGHT):
                found[field.key] = meaning
    return found


def _meaning(field: Field, text: str, language: Language) -> object:
    if field.kind in NUMBERS:
        value = read_sum(text, language, signed=True)
        return text if isinstance(value, Misread) else value
    if field.kind in (FieldKind.CARDS, FieldKind.MELDS):
        return 0 if text == NONE else tuple(sorted(map(_same_cards, meld_lines(text))))
    return text


def _same_cards(text: str) -> str:
    """Cards in normal form; as typed if some are not cards."""
    reading = read_cards(notated(text.rstrip(HIDDEN)))
    if reading.unknown:
        return " ".join(text.split())
    hidden = HIDDEN if text.endswith(HIDDEN) else ""
    return f"{reading.cards.counts} {reading.cards.suited}{hidden}"


def is_idle(draft: Draft, name: str) -> bool:
    """Whether a field is ignored, because the side is counted by a sum or a special hand."""
    if name in HAND_KEYS:
        return False
    group = name[2:].partition(".")[0]
    for instead in ("sum", "special"):
        if draft.get(key(name[0], instead), "").strip():
            # A penalty beside a sum is refused, so it counts here.
            return group not in (instead, ADJUSTMENTS, *OWED)
    return False


def count_the_same(one: Draft, other: Draft, rules: Ruleset, language: Language) -> bool:
    return _counting(one, rules, language) == _counting(other, rules, language)


def _counting(draft: Draft, rules: Ruleset, language: Language) -> object:
    """The counted values; agreed points in any order."""
    values: dict[str, object] = {}
    rows: dict[str, dict[str, str]] = {}
    for name, value in meanings(draft, rules, language).items():
        if is_idle(draft, name):
            continue
        if name.endswith((".points", ".reason")):
            row, _, part = name.rpartition(".")
            rows.setdefault(row, {})[part] = str(value)
        else:
            values[name] = value
    sorted_rows = []
    for row, parts in rows.items():
        group = row.rpartition(".")[0]
        sorted_rows.append((group, *sorted(parts.items())))
    return values, sorted(sorted_rows)


def merge_drafts(
    base: Draft | None,
    mine: Draft,
    stored: Draft,
    rules: Ruleset,
    language: Language,
    *,
    mine_wins: bool = False,
) -> dict[str, str] | None:
    """Both drafts merged, if they count the same or change different fields of their common base;
    else None.

    `mine_wins`: a field that both changed is taken from mine.
    """
    if count_the_same(mine, stored, rules, language):
        ignored = {name: text for name, text in stored.items() if is_idle(stored, name)}
        return {**ignored, **mine}
    if base is None:
        return None
    base_values = meanings(base, rules, language)
    my_values = meanings(mine, rules, language)
    stored_values = meanings(stored, rules, language)
    merged = {}
    for name in dict.fromkeys((*stored, *mine)):
        base_value = base_values.get(name)
        my_value = my_values.get(name)
        stored_value = stored_values.get(name)
        if my_value == base_value:
            chosen = stored.get(name)
        elif stored_value in (base_value, my_value):
            chosen = mine.get(name)
        else:
            chosen = _merged_melds(name, base, mine, stored)
            if chosen is None and not mine_wins:
                return None
            if chosen is None:
                chosen = mine.get(name)
        if chosen is not None:
            merged[name] = chosen
    return merged


def _merged_melds(name: str, base: Draft, mine: Draft, stored: Draft) -> str | None:
    """Melds, one on a line, merged if two devices changed different lines; None if both changed the
    same line, or the field has no melds.
    """
    if not name.endswith(".melds"):
        return None
    melds = []
    drafts_by_line = (draft.get(name, "").split("\n") for draft in (base, mine, stored))
    for lines in zip_longest(*drafts_by_line, fillvalue=""):
        base_cards, my_cards, stored_cards = map(_same_cards, lines)
        if my_cards not in (base_cards, stored_cards) and stored_cards != base_cards:
            return None
        _, my_line, stored_line = lines
        melds.append(stored_line if my_cards == base_cards else my_line)
    return "\n".join(filter(str.strip, melds))


def field_differences(
    stored: Draft, mine: Draft, rules: Ruleset, language: Language, *, only_mine: bool = False
) -> list[FieldDifference]:
    """The fields with different values; ignored ones last. `only_mine`: only fields typed in mine."""
    stored_values = meanings(stored, rules, language)
    my_values = meanings(mine, rules, language)
    fields: dict[str, Field | None] = {}
    for position in range(len(rules.settings.sides)):
        for draft in (stored, mine):
            fields |= {field.key: field for field in fields_for(rules, position, draft)}
    found = []
    for name, field in (fields | dict.fromkeys(HAND_KEYS)).items():
        if stored_values.get(name) == my_values.get(name):
            continue
        if only_mine and not my_values.get(name):
            continue
        texts = stored.get(name, "").strip(), mine.get(name, "").strip()
        is_ignored = (texts[0] != "" and is_idle(stored, name)) or (
            texts[1] != "" and is_idle(mine, name)
        )
        found.append(FieldDifference(name, field, texts, is_ignored))
    return sorted(found, key=lambda difference: difference.is_idle)


def with_penalties(
    draft: Draft, penalties: Iterable[HandPenalty], language: Language
) -> dict[str, str]:
    """The fields of an open hand as those of a counted one, which has its noted penalties in them."""
    fields = dict(draft)
    for penalty in penalties:
        side = SIDE_KEYS[penalty.side]
        if penalty.code == HOUSE:
            row = max(rows_of(fields, side, HOUSE), default=-1) + 1
            fields[key(side, f"{HOUSE}.{row}.points")] = str(penalty.points)
            fields[key(side, f"{HOUSE}.{row}.reason")] = penalty.reason
            continue
        name = key(side, f"penalties.{penalty.code}")
        times = read_sum(fields.get(name, ""), language) or 0
        if isinstance(times, int):
            fields[name] = str(times + 1)
    return fields


# ------------------------------------------------------------ what other pages read of the open hand


def noted_penalty_text(penalty: HandPenalty, rules: Ruleset, words: Words) -> str:
    """A noted penalty in words: its name and points, and the reason of a house penalty."""
    name = words.t(f"penalty.{penalty.code}")
    points = words.signed(-penalty.cost(rules))
    if penalty.reason:
        return words.t("match.penalty.what-why", name=name, points=points, reason=penalty.reason)
    return words.t("match.penalty.what", name=name, points=points)


def noted_penalties(state: MatchState, words: Words) -> list[str]:
    """The penalties noted for the hand being played, in words."""
    return [
        words.t(
            "match.penalty.row",
            side=state.sides[penalty.side].name,
            what=noted_penalty_text(penalty, state.rules, words),
        )
        for penalty in state.noted_penalties
    ]


def noted_sentence(state: MatchState, words: Words) -> str:
    """The noted penalties in a sentence; empty if there are none, or the match is over."""
    noted = noted_penalties(state, words)
    if not noted or state.status.finished:
        return ""
    return words.t("match.penalty.so-far", noted="; ".join(noted))


def referee_facts(draft: Draft, side: str, rules: Ruleset) -> dict[str, str]:
    """The facts of a side in the open hand, by the names that the referee uses."""
    melds = [line for line in meld_lines(draft.get(key(side, "melds"), "")) if line != NONE]
    fields_by_fact = {"count": "red_threes", "red_threes": "red_threes"}
    for kind in rules.settings.canastas:
        fields_by_fact[f"canastas-{kind.item}"] = f"canastas.{kind.item}"
    facts = {"table": " / ".join(melds)}
    for fact, name in fields_by_fact.items():
        facts[fact] = draft.get(key(side, name), "").strip()
    return {fact: text for fact, text in facts.items() if text}

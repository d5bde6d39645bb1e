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
from scorepad.matches.events import Penalty
from scorepad.matches.hands import Draft
from scorepad.matches.projection import MatchState
from scorepad.rules.cards import RED_THREE, in_decks, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings
from scorepad.rules.table import HOUSE
from scorepad.schemas.requests import SIDE_KEYS
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
"""The cards of several hands entered as one."""
TOTALS = ("canastas", "incomplete", "cards")
"""Groups of fields with totals counted at the table instead of the cards."""
LAID = (*TOTALS, "melds")
"""Groups of fields with what a side laid: if two lay together they are typed once."""
NOTED = "noted"
"""Where the penalties noted for a side are shown, which are no field."""
OWED = ("penalties", "bonuses", "house")
"""Groups of fields with penalties and bonuses."""
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


FIGURES = (FieldKind.COUNT, FieldKind.POINTS, FieldKind.SIGNED)
_REPEATED = {"house": (FieldKind.POINTS, -1), "adjustments": (FieldKind.SIGNED, 1)}
"""Groups of fields in rows: how their points are read, and the sign."""


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
    of a hint. `back`: the back of its canastas (`red`, `black`). `row`: its row, or the player's
    hand that it belongs to.
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
        self.group, self.last = self.name.partition(".")[0], self.name.rpartition(".")[2]


def key(side: str, name: str) -> str:
    """The key of a side's field in a draft: `a.cards`."""
    return f"{side}.{name}"


def side_of(draft_key: str) -> int | None:
    """The position of the side of a key; None for a key of the whole hand."""
    return (
        SIDE_KEYS.index(draft_key[0])
        if draft_key[1:2] == "." and draft_key[0] in SIDE_KEYS
        else None
    )


def html_id(draft_key: str) -> str:
    """The id on the page of the field with this key."""
    return draft_key.replace(".", "-")


def draft_of(sent: Draft) -> dict[str, str]:
    """The hand fields of a submitted form, as typed, without blank ones.

    Of a longer text only the beginning is kept, with which it is still reported as too long.
    """
    draft: dict[str, str] = {}
    for name, text in islice(sent.items(), _MOST_FIELDS):
        begun = text[:_LONGEST_KEPT]
        if begun.strip() and (name in HAND_KEYS or _is_side_key(name)):
            draft[name] = begun
    return draft


def _is_side_key(name: str) -> bool:
    return len(name) <= _LONGEST_KEY and _SIDE_KEY.fullmatch(name) is not None


def rows_of(draft: Draft, side: str, group: str) -> tuple[int, ...]:
    """The rows of house penalties (`house`) or agreed points (`adjustments`) that are not blank."""
    typed = (
        name for name, text in draft.items() if text.strip() and name.startswith(key(side, group))
    )
    return tuple(sorted({int(name.split(".")[2]) for name in typed if _ROW_KEY.fullmatch(name)}))


def lines_of(text: str, separators: str = ";/") -> tuple[str, ...]:
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
    return _fields(
        rules, position, tuple(rows_of(draft, SIDE_KEYS[position], group) for group in _REPEATED)
    )


@lru_cache(maxsize=256)
def _fields(rules: Ruleset, position: int, rows: tuple[tuple[int, ...], ...]) -> tuple[Field, ...]:
    return (*_counted(rules, position), *_more(rules, position, rows))


def canasta_fields(rules: Ruleset, position: int, part: PagePart) -> Iterator[Field]:
    """The canastas of a side by kind, with the worth of each."""
    for kind in sorted(
        rules.settings.canastas, key=lambda kind: (kind.shape == "wilds", kind.rank is not None)
    ):
        back = "black" if kind.shape == "wilds" or kind.wilds[1] > 0 else "red"
        name, worth = f"canastas.{kind.item}", (kind.points,)
        yield Field(position, name, part=part, item=kind.item, worth=worth, most=9, back=back)


def _counted(rules: Ruleset, position: int) -> Iterator[Field]:
    settings, count = rules.settings, partial(Field, position)
    if counts_totals(settings):
        yield from canasta_fields(rules, position, PagePart.CARD)
        if settings.concealed_canasta:
            item, worth = "concealed-canasta", (settings.concealed_canasta,)
            yield count(f"canastas.{item}", item=item, worth=worth, most=9, back="red")
        for melds in settings.incomplete if "incomplete" in rules.entry_fields else ():
            item, hint = (
                f"{melds.name}-incomplete",
                "hand.incomplete.bars" if melds.bars_out else "",
            )
            yield count(
                f"incomplete.{melds.name}", item=item, worth=(-melds.points,), most=9, hint=hint
            )
        yield Field(position, "cards", FieldKind.POINTS, item="cards", worth=(1,))
    if "red-threes" in (line.id for line in rules.lines):
        most = in_decks(settings.decks)[RED_THREE]
        yield count("red_threes", item="red-threes", worth=settings.red_three_values, most=most)
    black = {
        "black_threes_aside": settings.black_threes_aside,
        "black_threes": settings.black_threes_exposed,
    }
    for name, values in black.items():
        if name in rules.entry_fields:
            yield count(name, item=name.replace("_", "-"), worth=values, most=len(values))
    if counts_totals(settings):
        yield Field(position, "left", FieldKind.POINTS, item="cards-left", worth=(-1,))
    apart = hands_apart(settings, position)
    hint = "hand.melds.hint" + ("" if settings.sequences == "none" else ".suits")
    yield Field(position, "melds", FieldKind.MELDS, PagePart.BY_CARDS, hint=hint)
    hint = "hand.left-cards.hint" + (
        ".hands" if settings.players_of(position) > 1 and apart is None else ""
    )
    left = partial(Field, position, kind=FieldKind.CARDS, part=PagePart.BY_CARDS, hint=hint)
    if apart is None:
        yield left("left.0")
    else:
        yield from (left(f"left.{hand}", row=hand) for hand in range(apart))
        yield left(ALL_HANDS)


def _more(
    rules: Ruleset, position: int, typed_rows: tuple[tuple[int, ...], ...]
) -> Iterator[Field]:
    settings, more = rules.settings, partial(Field, position, part=PagePart.MORE)
    if "red-threes-held" in (line.id for line in rules.lines):
        most, worth = in_decks(settings.decks)[RED_THREE], (-settings.held_red_three,)
        yield more("red_threes_held", item="red-threes-held", worth=worth, most=most)
    for kind in settings.held_together:
        if kind.key in rules.entry_fields:
            yield more(
                kind.key,
                worth=(-kind.points,),
                most=settings.players_of(position),
                hint="hand.held.hint",
            )
    costs = {
        code: penalty.points
        for code, penalty in rules.penalties.items()
        if penalty.points is not None
    }
    yield from (more(f"penalties.{code}", worth=(-points,)) for code, points in costs.items())
    yield from (
        more(f"bonuses.{code}", worth=(bonus.points,)) for code, bonus in rules.bonuses.items()
    )
    for (group, (figures, sign)), rows in zip(_REPEATED.items(), typed_rows, strict=True):
        if group == "house" and HOUSE not in rules.penalties:
            continue
        hint = f"hand.{group}.hint"
        for row in (*rows, min(max(rows, default=-1) + 1, MOST_ROWS - 1)):
            yield more(f"{group}.{row}.points", figures, worth=(sign,), hint=hint, row=row)
            yield more(f"{group}.{row}.reason", FieldKind.TEXT, row=row)
    yield more("sum", FieldKind.SIGNED, hint="hand.sum.hint")
    if "special" in rules.entry_fields and settings.special_hands:
        yield more("special", FieldKind.CHOICE, item="special")
    if _has_opening(rules):
        yield more("opening", FieldKind.MELDS, hint="hand.opening.hint")


def _has_opening(rules: Ruleset) -> bool:
    """Whether an opening may be checked against a minimum."""
    return any(rule.id == "opening-below-minimum" for rule in rules.checks)


def counts_totals(settings: Settings) -> bool:
    """Whether a side may enter totals counted at the table; otherwise it enters its cards."""
    return settings.counted_by != "cards"


def hands_apart(settings: Settings, position: int) -> int | None:
    """How many hands of a side are entered separately; None if it has one, or they are entered
    together.
    """
    apart = bool(settings.held_together) or not counts_totals(settings)
    hands = settings.players_of(position)
    return hands if apart and hands > 1 else None


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
    found: dict[str, object] = {
        name: text for name in HAND_KEYS if (text := draft.get(name, "").strip())
    }
    for position in range(len(rules.settings.sides)):
        for each in fields_for(rules, position, draft):
            text = draft.get(each.key, "").strip()
            meaning: object = text
            if each.kind in FIGURES:
                figure = read_sum(text, language, signed=True)
                meaning = text if isinstance(figure, Misread) else figure
            elif each.kind in (FieldKind.CARDS, FieldKind.MELDS):
                meaning = 0 if text == NONE else tuple(sorted(map(_same_cards, lines_of(text))))
            if meaning or (meaning == 0 and each.group in _NEEDED_NOUGHT):
                found[each.key] = meaning
    return found


def _same_cards(text: str) -> str:
    """Cards in normal form; as typed if some are not cards."""
    reading = read_cards(notated(text.rstrip(HIDDEN)))
    if reading.unknown:
        return " ".join(text.split())
    return f"{reading.cards.counts} {reading.cards.suited}{HIDDEN if text.endswith(HIDDEN) else ''}"


def is_idle(draft: Draft, name: str) -> bool:
    """Whether a field is ignored, because the side is counted by a sum or a special hand."""
    if name in HAND_KEYS:
        return False
    ways = (way for way in ("sum", "special") if draft.get(key(name[0], way), "").strip())
    way = next(ways, "")
    # A penalty beside a sum is refused, so it counts here.
    return bool(way) and name[2:].partition(".")[0] not in (way, "adjustments", *OWED)


def count_the_same(one: Draft, other: Draft, rules: Ruleset, language: Language) -> bool:
    """Whether two drafts count the same."""
    return _counting(one, rules, language) == _counting(other, rules, language)


def _counting(draft: Draft, rules: Ruleset, language: Language) -> object:
    """The counted values; agreed points in any order."""
    counts = {
        name: value
        for name, value in meanings(draft, rules, language).items()
        if not is_idle(draft, name)
    }
    rows: dict[str, dict[str, str]] = {}
    for name in [name for name in counts if name.endswith((".points", ".reason"))]:
        row, _, part = name.rpartition(".")
        rows.setdefault(row, {})[part] = str(counts.pop(name))
    return counts, sorted(
        (row.rpartition(".")[0], *sorted(parts.items())) for row, parts in rows.items()
    )


def merged(
    seen: Draft | None,
    mine: Draft,
    there: Draft,
    rules: Ruleset,
    language: Language,
    *,
    mine_wins: bool = False,
) -> dict[str, str] | None:
    """Both drafts merged, if they count the same or change different fields of their common base;
    else None.

    `mine_wins`: a field that both changed is taken from mine.
    """
    if count_the_same(mine, there, rules, language):
        return {**{name: text for name, text in there.items() if is_idle(there, name)}, **mine}
    if seen is None:
        return None
    here, other, before = (meanings(draft, rules, language) for draft in (mine, there, seen))
    result = {}
    for name in dict.fromkeys((*there, *mine)):
        chosen = there.get(name) if here.get(name) == before.get(name) else mine.get(name)
        if here.get(name) not in (before.get(name), other.get(name)) and other.get(
            name
        ) != before.get(name):
            texts = (draft.get(name, "").split("\n") for draft in (seen, mine, there))
            chosen = _merged_melds(*texts) if name.endswith(".melds") else None
            if chosen is None and not mine_wins:
                return None
            chosen = mine.get(name) if chosen is None else chosen
        if chosen is not None:
            result[name] = chosen
    return result


def _merged_melds(seen: list[str], mine: list[str], there: list[str]) -> str | None:
    """Melds, one on a line, merged if two devices changed different lines; None if both changed the
    same line.
    """
    result = []
    for lines in zip_longest(seen, mine, there, fillvalue=""):
        was, typed, stands = map(_same_cards, lines)
        if typed not in (was, stands) and stands != was:
            return None
        result.append(lines[2] if typed == was else lines[1])
    return "\n".join(filter(str.strip, result))


def differences(
    there: Draft, mine: Draft, rules: Ruleset, language: Language, *, only_mine: bool = False
) -> list[FieldDifference]:
    """The fields with different values; ignored ones last. `only_mine`: only fields typed in mine."""
    left, right = meanings(there, rules, language), meanings(mine, rules, language)
    fields: dict[str, Field | None] = {
        each.key: each
        for position in range(len(rules.settings.sides))
        for draft in (there, mine)
        for each in fields_for(rules, position, draft)
    }
    found = []
    for name, each in (fields | dict.fromkeys(HAND_KEYS)).items():
        if left.get(name) != right.get(name) and (right.get(name) or not only_mine):
            texts = there.get(name, "").strip(), mine.get(name, "").strip()
            idle = any(
                is_idle(draft, name)
                for draft, text in zip((there, mine), texts, strict=True)
                if text
            )
            found.append(FieldDifference(name, each, texts, idle))
    return sorted(found, key=lambda difference: difference.is_idle)


def with_penalties(
    draft: Draft, penalties: Iterable[Penalty], language: Language
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


def penalty_text(penalty: Penalty, rules: Ruleset, words: Words) -> str:
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
            what=penalty_text(penalty, state.rules, words),
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
    melds = " / ".join(line for line in lines_of(draft.get(key(side, "melds"), "")) if line != NONE)
    names = {"count": "red_threes", "red_threes": "red_threes"}
    names |= {f"canastas-{kind.item}": f"canastas.{kind.item}" for kind in rules.settings.canastas}
    facts = {"table": melds} | {
        fact: draft.get(key(side, name), "").strip() for fact, name in names.items()
    }
    return {name: text for name, text in facts.items() if text}

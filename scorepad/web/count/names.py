"""The names of the fields of a count.

A field's name is its id on the page; what was typed in it is a line of the draft. The names of one side begin with its
key (`a-cards`); what belongs to the whole hand stands alone (`out`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

SINGLE: Final = "single"
OUT: Final = "out"
NOBODY: Final = "nobody"
CONCEALED: Final = "concealed"
DISCARD: Final = "discard"
DISCARD_NONE: Final = "discard-none"
BY_TOTALS: Final = "totals"
BY_CARDS: Final = "cards"
BY_VALUES: Final = "values"
BY_SUM: Final = "sum"
BY_SPECIAL: Final = "special"
NOTHING: Final = "nothing"
"""The way of a side that laid nothing, where that cannot be said in points."""
IN_POINTS: Final = "points"
IN_CARDS: Final = "cards"
IN_VALUES: Final = "values"
TICKED: Final = "on"
REMARK: Final = "remark"
"""A note on the hand."""
AGREED: Final = "agreed"
"""Why the table agreed to what the rules refuse."""

LONGEST_TEXT: Final = 1000
"""Characters of a field that is read; what is longer is kept, and told."""
LONGEST_ECHO: Final = 60
"""Characters of what was typed that a message says again."""
LONGEST_NOTE: Final = 300
"""Characters of what is said beside the figures of a hand."""
MOST_ROWS: Final = 60
"""Melds, house penalties, or points agreed, of one side: far more than a hand has."""

NO_SUIT: Final = "none"
ALL_HANDS: Final = "all"
"""In place of the number of a hand: all hands of a side together."""

_SIDE_FIELD = re.compile(r"[abc]-[a-z0-9][a-z0-9-]{0,60}")
SAID_FIELDS: Final = (REMARK, AGREED)
HAND_FIELDS: Final = (SINGLE, OUT, CONCEALED, DISCARD, DISCARD_NONE, *SAID_FIELDS)
_FURTHER_ROW = re.compile(r"[abc]-(?:meld-[1-9][0-9]*|(?:house|adjust)-[1-9][0-9]*-(?:points|reason))")
_CHOSEN_VIEW = re.compile(r"[abc]-(?:way|left-way|current|suit)")
_SAYING = (NOTHING, BY_SPECIAL)
"""Ways that say something of a side by themselves."""
_OF_TAPPING = re.compile(r"[abc]-(?:current|suit)")
_OF_CARDS = re.compile(r"[abc]-(?:meld-[0-9]+|left-cards-(?:[0-9]+|all))")


def draft_of(sent: Mapping[str, str]) -> dict[str, str]:
    """The fields of the count among all that a form sent, exactly as typed.

    Blank fields are left out, but for rows that were added; so a form in which nothing was typed is an empty draft.
    """
    typed = fields_sent(sent)
    says = {name for name, text in typed.items() if not is_view(name) or text in _SAYING}
    return typed if says else {}


def fields_sent(sent: Mapping[str, str]) -> dict[str, str]:
    """The fields of a form that are not blank, those too that only say what is shown."""
    return {
        name: text for name, text in sent.items() if is_field(name) and (text.strip() or _FURTHER_ROW.fullmatch(name))
    }


def is_field(name: str) -> bool:
    """Whether a form of a count may have this field."""
    return name in HAND_FIELDS or bool(_SIDE_FIELD.fullmatch(name))


def is_view(name: str) -> bool:
    """Whether the field only says what is shown of a side, and holds nothing that was counted."""
    return bool(_CHOSEN_VIEW.fullmatch(name))


def is_of_tapping(name: str) -> bool:
    """Whether the field only says where the next tapped card goes, and which suit it gets."""
    return bool(_OF_TAPPING.fullmatch(name))


def is_of_cards(name: str) -> bool:
    """Whether cards are typed in this field, one by one."""
    return name == DISCARD or bool(_OF_CARDS.fullmatch(name))


def way(side: str) -> str:
    """How the side is counted: `totals`, `cards`, `values`, `sum`, or what else the variant has."""
    return f"{side}-way"


def canasta(side: str, item: str) -> str:
    """How many canastas of a kind."""
    return f"{side}-canasta-{item}"


def cards(side: str) -> str:
    """Points of all the cards laid."""
    return f"{side}-cards"


def value(side: str, points: int) -> str:
    """How many cards worth so many points were laid."""
    return f"{side}-value-{points}"


def values(side: str) -> str:
    """Where those counts stand; no field of its own."""
    return f"{side}-values"


def agreed_sum(side: str) -> str:
    """The hand in points as the table agreed it."""
    return f"{side}-sum"


def sum_below(side: str) -> str:
    """The tick that says that this sum is below zero."""
    return f"{side}-sum-below"


def melds(side: str) -> str:
    """Where the melds stand; no field of its own."""
    return f"{side}-melds"


def meld(side: str, row: int) -> str:
    """The cards of a meld."""
    return f"{side}-meld-{row}"


def meld_concealed(side: str, row: int) -> str:
    """The tick of a meld laid down whole."""
    return f"{side}-meld-{row}-concealed"


def current(side: str) -> str:
    """Which row the tapped cards go to."""
    return f"{side}-current"


def suit(side: str) -> str:
    """The suit that tapped cards get: its letter, or `none`."""
    return f"{side}-suit"


def incomplete(side: str, kind: str) -> str:
    """How many melds of a kind are no canasta."""
    return f"{side}-incomplete-{kind}"


def special(side: str) -> str:
    """The hand that is shown instead of melded."""
    return f"{side}-special"


def red(side: str) -> str:
    """Red threes exposed."""
    return f"{side}-red"


def red_held(side: str) -> str:
    """Red threes in hand at the end."""
    return f"{side}-red-held"


def counted(side: str, field: str) -> str:
    """What only some variants count."""
    return f"{side}-extra-{field.replace('_', '-')}"


def left_way(side: str) -> str:
    """How the cards left are given: `points`, `cards` or `values`."""
    return f"{side}-left-way"


def left(side: str) -> str:
    """Points of the cards left."""
    return f"{side}-left"


def left_value(side: str, points: int) -> str:
    """How many cards that cost so many points were left."""
    return f"{side}-left-value-{points}"


def left_values(side: str) -> str:
    """Where those counts stand; no field of its own."""
    return f"{side}-left-values"


def left_cards(side: str, hand: int | str) -> str:
    """The cards left in one hand, or in `ALL_HANDS`."""
    return f"{side}-left-cards-{hand}"


def penalty(side: str, code: str) -> str:
    """How many times a penalty fell."""
    return f"{side}-penalty-{code}"


def house_points(side: str, row: int) -> str:
    """Points of a penalty of the table's own."""
    return f"{side}-house-{row}-points"


def house_reason(side: str, row: int) -> str:
    """Its reason."""
    return f"{side}-house-{row}-reason"


def houses(side: str) -> str:
    """Where the penalties of the table's own stand; no field of its own."""
    return f"{side}-houses"


def adjust_points(side: str, row: int) -> str:
    """Points that the table agreed for a side."""
    return f"{side}-adjust-{row}-points"


def adjust_less(side: str, row: int) -> str:
    """The tick that says that they are taken off."""
    return f"{side}-adjust-{row}-less"


def adjust_reason(side: str, row: int) -> str:
    """Why they were agreed."""
    return f"{side}-adjust-{row}-reason"


def adjusts(side: str) -> str:
    """Where the points that the table agreed stand; no field of its own."""
    return f"{side}-adjusts"


def opening(side: str) -> str:
    """The melds of the opening, one a line."""
    return f"{side}-opening"


def meld_rows(draft: Mapping[str, str], side: str) -> tuple[int, ...]:
    """The rows of melds that the draft has."""
    return _rows(draft, re.compile(rf"{side}-meld-([0-9]{{1,3}})"))


def house_rows(draft: Mapping[str, str], side: str) -> tuple[int, ...]:
    """The rows of house penalties that the draft has."""
    return _rows(draft, re.compile(rf"{side}-house-([0-9]{{1,3}})-(?:points|reason)"))


def adjust_rows(draft: Mapping[str, str], side: str) -> tuple[int, ...]:
    """The rows of points agreed that the draft has."""
    return _rows(draft, re.compile(rf"{side}-adjust-([0-9]{{1,3}})-(?:points|less|reason)"))


def _rows(draft: Mapping[str, str], pattern: re.Pattern[str]) -> tuple[int, ...]:
    found = {int(match[1]) for name in draft if (match := pattern.fullmatch(name))}
    return tuple(sorted(row for row in found if row < MOST_ROWS))


def lines_of(text: str) -> tuple[str, ...]:
    """The melds of an opening: one a line, or set apart by commas."""
    lines = text.replace(",", "\n").replace(";", "\n").splitlines()
    return tuple(line.strip() for line in lines if line.strip())

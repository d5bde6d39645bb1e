"""The names of the fields of a count.

A field's name is its id on the page; what was typed in it is a line of the draft. The names of one side begin with its
key (`a-cards`); what belongs to the whole hand stands alone (`out`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind
from scorepad.rules.variants import Ruleset

OUT: Final = "out"
NOBODY: Final = "nobody"
CONCEALED: Final = "concealed"
DISCARD: Final = "discard"
DISCARD_NONE: Final = "discard-none"
BY_TOTALS: Final = "totals"
BY_CARDS: Final = "cards"
IN_POINTS: Final = "points"
IN_CARDS: Final = "cards"
TICKED: Final = "on"

LONGEST_TEXT: Final = 1000
"""Characters of a field that is read; what is longer is kept, and told."""
MOST_ROWS: Final = 60
"""Melds, or house penalties, of one side: far more than a hand has."""

EXTRAS: Final = ("black_threes_aside", "black_threes", "sevens_held", "aces_held")
"""What only some variants count, as the contract names it."""

TAPPED: Final = (*(KINDS[index] for index in NATURAL_INDICES), Kind.TWO, Kind.JOKER, Kind.BLACK_THREE)
"""The cards that can be tapped, in their order on the page."""

_SIDE_FIELD = re.compile(r"[abc]-[a-z0-9][a-z0-9-]{0,60}")
HAND_FIELDS: Final = (OUT, CONCEALED, DISCARD, DISCARD_NONE)
_FURTHER_ROW = re.compile(r"[abc]-(?:meld-[1-9][0-9]*|house-[1-9][0-9]*-(?:points|reason))")
_CHOSEN_VIEW = re.compile(r"[abc]-(?:way|left-way|current)")
_OF_CARDS = re.compile(r"[abc]-(?:meld|left-cards)-[0-9]+")


def draft_of(sent: Mapping[str, str]) -> dict[str, str]:
    """The fields of the count among all that a form sent, exactly as typed.

    Blank fields are left out, but for rows that were added; so a form in which nothing was typed is an empty draft.
    """
    typed = {
        name: text for name, text in sent.items() if is_field(name) and (text.strip() or _FURTHER_ROW.fullmatch(name))
    }
    return typed if any(not is_view(name) for name in typed) else {}


def is_field(name: str) -> bool:
    """Whether a form of a count may have this field."""
    return name in HAND_FIELDS or bool(_SIDE_FIELD.fullmatch(name))


def is_view(name: str) -> bool:
    """Whether the field only says what is shown of a side, and holds nothing that was counted."""
    return bool(_CHOSEN_VIEW.fullmatch(name))


def is_of_cards(name: str) -> bool:
    """Whether cards are typed in this field, one by one."""
    return name == DISCARD or bool(_OF_CARDS.fullmatch(name))


def way(side: str) -> str:
    """How the side is counted: `totals` or `cards`."""
    return f"{side}-way"


def canasta(side: str, item: str) -> str:
    """How many canastas of a kind."""
    return f"{side}-canasta-{item}"


def cards(side: str) -> str:
    """Points of all the cards laid."""
    return f"{side}-cards"


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
    """How the cards left are given: `points` or `cards`."""
    return f"{side}-left-way"


def left(side: str) -> str:
    """Points of the cards left."""
    return f"{side}-left"


def left_cards(side: str, hand: int) -> str:
    """The cards left in one hand."""
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


def opening(side: str) -> str:
    """The melds of the opening, one a line."""
    return f"{side}-opening"


def meld_rows(draft: Mapping[str, str], side: str) -> tuple[int, ...]:
    """The rows of melds that the draft has."""
    return _rows(draft, re.compile(rf"{side}-meld-([0-9]{{1,3}})"))


def house_rows(draft: Mapping[str, str], side: str) -> tuple[int, ...]:
    """The rows of house penalties that the draft has."""
    return _rows(draft, re.compile(rf"{side}-house-([0-9]{{1,3}})-(?:points|reason)"))


def _rows(draft: Mapping[str, str], pattern: re.Pattern[str]) -> tuple[int, ...]:
    found = {int(match[1]) for name in draft if (match := pattern.fullmatch(name))}
    return tuple(sorted(row for row in found if row < MOST_ROWS))


def hands_apart(rules: Ruleset, position: int) -> int | None:
    """How many hands of cards are noted one by one; None where all of a side are noted together.

    Apart only where a rule goes by the single hand.
    """
    if not {"sevens_held", "aces_held"} & set(rules.entry_fields):
        return None
    settings = rules.settings
    return settings.sides[position] - settings.resting[position]


def lines_of(text: str) -> tuple[str, ...]:
    """The melds of an opening: one a line, or set apart by commas."""
    lines = text.replace(",", "\n").replace(";", "\n").splitlines()
    return tuple(line.strip() for line in lines if line.strip())

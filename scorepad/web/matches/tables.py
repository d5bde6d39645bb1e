"""How many sit at the table: the variant says, or one of its options does.

Where an option decides it, the page asks for it before the names, since they follow from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from scorepad.i18n import Language, Words, words
from scorepad.rules.loader import Option
from scorepad.rules.match import Seat, seating
from scorepad.rules.variants import Choice, Choices, Variant, settle

NAMES_SPOKEN = ("noi", "loro")
SITS = "sides"
"""The setting that an option of the table decides."""


def coded(value: Choice) -> str:
    """An option's value as a form sends it."""
    return value if isinstance(value, str) else json.dumps(value)


def sits_by(variant: Variant) -> tuple[Option, ...]:
    """The options that decide who sits at the table."""
    return tuple(option for option in variant.options.values() if any(SITS in value.sets for value in option.values))


def seated_by(variant: Variant, sent: Mapping[str, str]) -> dict[str, Choice]:
    """What a form chooses of those options; what it does not know it leaves as usual."""
    return {
        option.id: value.value
        for option in sits_by(variant)
        for value in option.values
        if coded(value.value) == sent.get(f"option-{option.id}", "").strip()
    }


def sizes_of(variant: Variant, chosen: Choices) -> tuple[int, ...]:
    """Players in each side."""
    return settle(variant.id, None, chosen).settings.sides


def seats_of(variant: Variant, chosen: Choices) -> tuple[Seat, ...]:
    """The seats of the table, clockwise."""
    return seating(settle(variant.id, None, chosen).settings)


def default_names(side_sizes: Sequence[int], speech: Words) -> tuple[str, ...]:
    """What the sides are called where nobody names them: Noi and Loro where pairs play."""
    if len(side_sizes) == len(NAMES_SPOKEN) and max(side_sizes) > 1:
        return tuple(speech.text(f"web.side.{name}") for name in NAMES_SPOKEN)
    return tuple(speech.text("web.side.player", number=number + 1) for number in range(len(side_sizes)))


def is_default_name(name: str) -> bool:
    """Whether nobody chose this name, in any language: it is empty, or one that the page gave."""
    known = {
        usual for tongue in Language for sizes in ((2, 2), (1, 1, 1)) for usual in default_names(sizes, words(tongue))
    }
    return not name.strip() or name.strip() in known

"""What a table may choose: the options of a variant and their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorepad.rules.citations import Cited, Standing

Choice = str | int | bool
"""The value of an option."""

Choices = Mapping[str, Choice]
"""Options by id, as a table chose them."""


def same(one: object, other: object) -> bool:
    """Whether two values are the same value of the same type: `true` is not 1."""
    return type(one) is type(other) and one == other


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One value that an option may take: what it sets, and the number of sides it is bound to (None: any).

    `reads` are the settings among `sets` that its source does not say outright, each with its argument; `steps` are the
    citations of single steps of those settings.
    """

    value: Choice
    sets: Mapping[str, Any]
    cited: Cited
    only_sides: int | None = None
    reads: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, Mapping[str, Cited]] = field(default_factory=dict)

    def cited_of(self, setting: str) -> Cited:
        """Why a setting is as this value sets it."""
        cited = replace(self.cited, steps=self.steps.get(setting, {}))
        if setting not in self.reads:
            return cited
        return replace(cited, standing=Standing.READ, read=self.reads[setting])


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a table has: its values in order, and the one in force where nothing is chosen.

    An amount (`step` not None) is any positive multiple of `step`, which becomes the setting `sets`; its default is
    what the variant sets there, and its values are other amounts that a source names.
    """

    id: str
    default: Choice | None
    values: tuple[OptionValue, ...]
    step: int | None = None
    sets: str | None = None
    cited: Cited | None = None

    def value_of(self, value: object) -> OptionValue | None:
        """What is said of this value; None where it is none of the option's."""
        return next((each for each in self.values if same(each.value, value)), None)

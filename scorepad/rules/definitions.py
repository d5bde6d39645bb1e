"""What the file of a variant defines: settings with their reasons, options, presets, penalties, bonuses, rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, NewType

from scorepad.rules.citations import Cited, Source, SourceId, Standing
from scorepad.rules.settings import Settings

VariantId = NewType("VariantId", str)

SETTING_KEYS = tuple(item.name.replace("_", "-") for item in fields(Settings))


def same(one: object, other: object) -> bool:
    """Whether two values are the same value of the same type: `true` is not 1."""
    return type(one) is type(other) and one == other


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One value that an option may take: what it sets, and the number of sides it is bound to (None: any).

    `reads` are the settings among `sets` that its source does not say outright, each with its argument; `steps` are the
    citations of single steps of those settings.
    """

    value: str | int | bool
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
    default: str | int | bool | None
    values: tuple[OptionValue, ...]
    step: int | None = None
    sets: str | None = None
    cited: Cited | None = None

    def value_of(self, value: object) -> OptionValue | None:
        """What is said of this value; None where it is none of the option's."""
        return next((each for each in self.values if same(each.value, value)), None)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the data with its reason."""

    value: Any
    cited: Cited


@dataclass(frozen=True, slots=True)
class Preset:
    """The options that make a codification, under the name of its source."""

    id: str
    source: SourceId
    options: Mapping[str, str | int | bool]


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty: its points (None: agreed at the table) and the catalogue key of what else follows."""

    code: str
    points: int | None
    remedy: str | None
    cited: Cited

    def costs(self, agreed: int | None) -> int | None:
        """The points that it costs: its own, or those that the table agreed; None where nobody said."""
        return agreed if self.points is None else self.points


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points that the table notes for a side, by their code."""

    code: str
    points: int
    cited: Cited


@dataclass(frozen=True, slots=True)
class Ends:
    """What ends a match beside its target: a number of hands, or minutes from its beginning; None: not that."""

    hands: int | None = None
    minutes: int | None = None

    @property
    def settings(self) -> dict[str, Value]:
        """The settings that say the same: a number of hands is one."""
        return {} if self.hands is None else {"match-deals": Value(self.hands, Cited((), Standing.HOUSE))}


@dataclass(frozen=True, slots=True)
class Fault:
    """A known fault of a source: the setting (or penalty) whose citation of `known_by` makes it worth telling.

    `cited` is the place that is wrong.
    """

    code: str
    touches: str
    known_by: str
    cited: Cited


@dataclass(frozen=True, slots=True)
class Rule:
    """A check or score line, with the settings that it may rest on."""

    id: str
    severity: str
    rests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant whole: what its file says and what it inherits, before any option is chosen."""

    id: VariantId
    parent: VariantId | None
    players: Value
    settings: Mapping[str, Value]
    options: Mapping[str, Option]
    presets: Mapping[str, Preset]
    penalties: Mapping[str, Penalty]
    checks: Mapping[str, Rule]
    lines: Mapping[str, Rule]
    entry_fields: tuple[str, ...]
    inherits: str | None = None
    """The argument by which the classic game holds where its sources do not speak of this variant."""
    stated_by: tuple[str, ...] = ()
    """The sources that say that all the rest is as in the parent: what they say of the parent is stated here too."""
    bonuses: Mapping[str, Bonus] = field(default_factory=dict)
    ends: Ends = Ends()
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The messages that a variant of the user's own brings, by language and catalogue key."""
    sources: Mapping[SourceId, Source] = field(default_factory=dict)
    """The sources that it brings."""

    def values_of(self, option: Option) -> tuple[OptionValue, ...]:
        """The values of an option that its tables can choose: some are only for so many sides."""
        sides = len(self.settings["sides"].value)
        return tuple(value for value in option.values if value.only_sides in (None, sides))


def inherited(cited: Cited, argument: str, stated_by: Collection[str] = ()) -> Cited:
    """The citations of a value in a variant that takes it from its parent.

    What a source in `stated_by` states stands there too, without the sources that do not speak of the variant; what
    only those state is an inference with this argument.
    """
    if cited.standing is Standing.HOUSE:
        return cited
    steps = {name: inherited(step, argument, stated_by) for name, step in cited.steps.items()}
    if stated_by and cited.standing is Standing.READ:
        return replace(cited, steps=steps)
    own = tuple(place for place in cited.citations if place.source in stated_by)
    if own:
        return replace(cited, citations=own, steps=steps)
    return replace(cited, standing=Standing.READ, read=argument, steps=steps)

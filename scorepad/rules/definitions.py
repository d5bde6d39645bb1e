"""What a variant is made of: figures with their sources, options, penalties; and the ruleset in force at a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, NamedTuple, NewType

from scorepad.rules.settings import Settings

SETTING_KEYS = tuple(item.name.replace("_", "-") for item in fields(Settings))

Choice = str | int | bool
"""The value of an option."""
Choices = Mapping[str, Choice]
"""Options by id, as a table chose them."""


def same(one: object, other: object) -> bool:
    """Whether two values are the same value of the same type: `true` is not 1."""
    return type(one) is type(other) and one == other


# ---------------------------------------------------------------- sources

SourceId = NewType("SourceId", str)
"""The short name of a source: `W`, `G`, `H`, `E`, or an address (`pagat.com`)."""


class Standing(StrEnum):
    """How well the sources support a figure, the best first."""

    STATED = "stated"
    """A source says it."""
    READ = "read"
    """An inference from what the sources say, argued in the data."""
    HOUSE = "house"
    """Agreed at the table; no source gives it."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text that the rules are taken from.

    `title` is its name as printed, `sections` the headings that may be cited, `notes` its footnotes that name a manual.
    """

    id: SourceId
    title: str
    sections: tuple[str, ...]
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a source. Written `W:L'apertura`."""

    source: SourceId
    section: str

    def __str__(self) -> str:
        return f"{self.source}:{self.section}"


@dataclass(frozen=True, slots=True)
class Cited:
    """Why a value is what it is: its citations, its standing, and what goes with them.

    `read` names the argument of an inference in the catalogue (`read.…`), `notes` the manuals behind the citation.
    `steps` are the citations of single steps of the value (`steps_of`) that differ from those of the whole.
    """

    citations: tuple[Citation, ...]
    standing: Standing = Standing.STATED
    read: str | None = None
    notes: tuple[str, ...] = ()
    steps: Mapping[str, Cited] = field(default_factory=dict)

    def of(self, step: str) -> Cited:
        """Why a single step is what it is; of one without citations of its own, as the whole."""
        return self.steps.get(step, self)

    @property
    def everywhere(self) -> frozenset[str]:
        """Every place cited for the whole or for a step of it."""
        return frozenset(places((self, *self.steps.values())))

    def inherited(self, argument: str, stated_by: Collection[str] = ()) -> Cited:
        """Why the value holds in a variant that takes it from its parent.

        What a source in `stated_by` states stands there too, without the sources that do not speak of the variant;
        what only those state is an inference with this argument.
        """
        if self.standing is Standing.HOUSE:
            return self
        cited = replace(self, steps={name: step.inherited(argument, stated_by) for name, step in self.steps.items()})
        if stated_by and self.standing is Standing.READ:
            return cited
        own = tuple(place for place in self.citations if place.source in stated_by)
        return replace(cited, citations=own) if own else replace(cited, standing=Standing.READ, read=argument)


class Basis(NamedTuple):
    """The places that say what was applied, how firmly it stands, and the names of the arguments of a reading.

    `standing` is None where nothing needs a source.
    """

    sources: tuple[str, ...]
    standing: Standing | None
    read: tuple[str, ...] = ()


def places(cited: Iterable[Cited]) -> tuple[str, ...]:
    """The places that are cited, each once, in order."""
    return tuple(dict.fromkeys(str(place) for each in cited for place in each.citations))


_STEPS: Mapping[str, Any] = {
    "opening-steps": (0, 1),  # by the match score that the minimum begins at
    "opening-deals": 1,  # by the hand of the match
    "red-three-values": 1,  # by how many they are
    "red-threes-by-canastas": 0,  # by the canastas of the side
    "cards-by-canastas": 0,
    "black-threes-aside": 1,
    "black-threes-exposed": 1,
    "canastas": ("item", "points"),
    "canasta-families-needed": (0, 1),
    "incomplete": ("name", "points"),
    "held-together": ("key", "points"),
    "special-hands": (0, 1),
    "out-bonus-canastas": ("canastas", "points"),
    "pile-tops": ("card", "more"),
}
"""The first number of steps that are counted, or where the name of a step and its worth stand in an entry."""


def steps_of(setting: str, value: Any) -> dict[str, Any]:
    """The steps of a value as the data has it, each with what it says; none where the value is no table."""
    match setting, _STEPS.get(setting):
        case "card-points", _:
            return dict(value)
        case "red-threes-by-families", _:
            return {entry["having"]: [entry["own"], entry["opponents"]] for entry in value}
        case "upcard-big-piles", _:
            return dict(zip(("JK", "2"), value, strict=False))
        case _, int(first):
            return {str(number): each for number, each in enumerate(value, first)}
        case _, (name, worth):
            return {str(entry[name]): entry[worth] for entry in value}
    return {}


# ---------------------------------------------------------------- what the file of a variant holds

VariantId = NewType("VariantId", str)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the data with its reason."""

    value: Any
    cited: Cited


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


@dataclass(frozen=True, slots=True)
class Preset:
    """The options that make a codification, under the name of its source."""

    id: str
    source: SourceId
    options: Choices


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
class Statement:
    """A sentence of the rulebook beside the figures: its section, the rule it follows, and where it is said.

    It decides nothing, and holds in every variant whose settings have the values `when` and none of `unless`. `after`
    is a setting (None: the head of the section). `differs`: it is what another source says instead; of the statement
    `instead`, where that is named.
    """

    id: str
    section: str
    after: str | None
    when: Mapping[str, Any]
    unless: Mapping[str, Any]
    cited: Cited
    differs: bool = False
    instead: str | None = None


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


# ---------------------------------------------------------------- the rules at a table


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules in force at a table: a variant with its options chosen.

    Whole and frozen: a match keeps it as it was when it started (`freeze`, `thaw`). `options` holds every option that
    the variant takes, with the value in force; `digest` tells two rulesets apart.
    """

    variant: VariantId
    preset: str | None
    options: dict[str, str | int | bool]
    settings: Settings
    cited: dict[str, Cited]
    penalties: dict[str, Penalty]
    checks: tuple[Rule, ...]
    lines: tuple[Rule, ...]
    entry_fields: tuple[str, ...]
    bonuses: dict[str, Bonus] = field(default_factory=dict)
    ends: Ends = field(default_factory=Ends)
    words: dict[str, dict[str, str]] = field(default_factory=dict)
    """The messages that a variant of the user's own brings, by language and catalogue key."""
    digest: str = ""

    @property
    def items(self) -> tuple[str, ...]:
        """The items of `totals.canastas` that this table can count."""
        kinds = tuple(dict.fromkeys(kind.item for kind in self.settings.canastas))
        return (*kinds, "concealed-canasta") if self.settings.concealed_canasta else kinds

    def cited_at(self, ground: str) -> Cited:
        """Why a ground is so: a setting, a step of one (`opening-steps/1500`), `penalties/CODE` or `bonuses/CODE`."""
        setting, _, step = ground.partition("/")
        if setting == "penalties":
            return self.penalties[step].cited
        if setting == "bonuses":
            return self.bonuses[step].cited
        return self.cited[setting].of(step)

    def places(self, *grounds: str) -> tuple[str, ...]:
        """The places that these grounds cite, each once."""
        return places(self.cited_at(ground) for ground in grounds)

    def basis(self, grounds: Iterable[str]) -> Basis:
        """The places and the standing of what was applied: no places where the table decided a part of it.

        Only the grounds that decided the case are to be named: the sources of others may say the opposite.
        """
        cited = [self.cited_at(ground) for ground in grounds]
        found = {each.standing for each in cited}
        standing = next((each for each in reversed(Standing) if each in found), None)
        if standing is Standing.HOUSE:
            return Basis((), standing)
        return Basis(places(cited), standing, tuple(dict.fromkeys(each.read for each in cited if each.read)))

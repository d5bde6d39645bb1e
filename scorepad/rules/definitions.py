"""The parts of a variant: values with their sources, options, penalties; and the ruleset in force
at a table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, Literal, NamedTuple, NewType

from scorepad.rules.hand import EXTRA_COUNTS, ExtraPoints
from scorepad.rules.settings import LARGEST, Settings

SETTING_KEYS = tuple(item.name.replace("_", "-") for item in fields(Settings))

ChoiceValue = str | int | bool
"""The value of an option."""
Choices = Mapping[str, ChoiceValue]
"""Chosen options by id."""


def is_same(one: object, other: object) -> bool:
    """Whether two values are equal and of the same type: `true` is not 1."""
    return type(one) is type(other) and one == other


# ---------------------------------------------------------------- sources

SourceId = NewType("SourceId", str)
"""The short name of a source: `W`, `G`, `H`, `E`, or a domain name (`pagat.com`)."""


class Standing(StrEnum):
    """How well the sources support a value, strongest first."""

    STATED = "stated"
    """A source states it."""
    INFERRED = "read"
    """An inference from the sources, with its argument in the data."""
    AGREED = "house"
    """Agreed at the table; no source gives it."""


class Source(NamedTuple):
    """A text from which the rules are taken.

    `title` is its printed name, `sections` the headings that may be cited, `notes` its footnotes
    that name a manual.
    """

    id: SourceId
    title: str
    sections: tuple[str, ...]
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A section of a source. Written `W:L'apertura`."""

    source: SourceId
    section: str

    def __str__(self) -> str:
        return f"{self.source}:{self.section}"


@dataclass(frozen=True, slots=True)
class Cited:
    """The reason for a value: its citations, its standing, and related notes.

    `read` is the catalogue key of the argument of an inference (`read.…`), `notes` the manuals
    behind the citation. `steps` are the citations of single steps of the value (`steps_of`) that
    differ from those of the whole value.
    """

    citations: tuple[Citation, ...]
    standing: Standing = Standing.STATED
    read: str | None = None
    notes: tuple[str, ...] = ()
    steps: Mapping[str, Cited] = field(default_factory=dict)

    def of(self, step: str) -> Cited:
        """The reason for a single step; that of the whole value if the step has no citations of its
        own.
        """
        return self.steps.get(step, self)

    def inherited(self, argument: str, stated_by: Collection[str] = ()) -> Cited:
        """What supports this value in a variant that takes it over from its parent.

        `stated_by` are the sources that describe the variant as its parent with some changes: what
        they state for the parent, they state for the variant too. Any other value is an inference,
        and `argument` is the name of its argument. A value that `W` and `G` state for the parent is
        stated by `W` in a variant that `W` describes, and inferred in one that no source describes.
        """
        if self.standing is Standing.AGREED:
            return self  # agreed at the table, in the variant as in its parent
        steps: dict[str, Cited] = {}
        for name, step in self.steps.items():
            steps[name] = step.inherited(argument, stated_by)

        if self.standing is Standing.INFERRED and stated_by:
            return replace(self, steps=steps)  # the same inference holds for the variant
        citations = self._citations_of(stated_by)
        if citations:
            return replace(self, steps=steps, citations=citations)
        return replace(self, steps=steps, standing=Standing.INFERRED, read=argument)

    def _citations_of(self, sources: Collection[str]) -> tuple[Citation, ...]:
        """The citations from these sources: of `W:Samba` and `G:Samba`, with `W` the first."""
        return tuple(citation for citation in self.citations if citation.source in sources)


class Support(NamedTuple):
    """What supports a finding, a reason or a score line: its citations, as texts, and how firmly
    they say it.

    `standing` is None if no source is needed; `read` are the names of the arguments of inferences.
    """

    sources: tuple[str, ...]
    standing: Standing | None
    read: tuple[str, ...] = ()


def citation_texts(cited: Iterable[Cited]) -> tuple[str, ...]:
    """All citations as texts (`W:L'apertura`), in order and without duplicates."""
    texts: list[str] = []
    for reason in cited:
        for citation in reason.citations:
            text = str(citation)
            if text not in texts:
                texts.append(text)
    return tuple(texts)


_NUMBER_OF_FIRST_VALUE: Mapping[str, int] = {
    "opening-deals": 1,  # by the number of the hand in the match
    "red-three-values": 1,  # by the number of red threes
    "red-threes-by-canastas": 0,  # by the number of the side's canastas
    "cards-by-canastas": 0,
    # by the number of cards, or of whatever else a side counts
    **{extra.setting: 1 for extra in EXTRA_COUNTS if extra.points is ExtraPoints.TOGETHER},
}
"""The settings that are a list of values, and the number that names the first of them: in
`red-three-values = [100, 200]`, the value 100 is that of 1 red three.
"""


class _PartsOfEntry(NamedTuple):
    """Where an entry of a setting has its name and its value: the keys of a table, or the indices of
    a list.
    """

    name: Any
    value: Any


_SETTINGS_OF_ENTRIES: Mapping[str, _PartsOfEntry] = {
    "opening-steps": _PartsOfEntry(0, 1),  # by the match score from which the minimum applies
    "canastas": _PartsOfEntry("item", "points"),
    "canasta-families-needed": _PartsOfEntry(0, 1),
    "incomplete": _PartsOfEntry("name", "points"),
    "held-together": _PartsOfEntry("key", "points"),
    "special-hands": _PartsOfEntry(0, 1),
    "out-bonus-canastas": _PartsOfEntry("canastas", "points"),
    "pile-tops": _PartsOfEntry("card", "more"),
}
"""The settings that are a list of entries with a name: in `opening-steps = [[0, 50], [1500, 90]]`,
the entry named `1500` has the value 90.
"""


def steps_of(setting: str, value: Any) -> dict[str, Any]:
    """The parts of a setting that is a table or a list, by name; empty for any other setting.

    `value` is in the form of the data. The steps of `red-three-values = [100, 200]` are
    `{"1": 100, "2": 200}`, those of `canastas` the points of each kind by its item.
    """
    if setting == "card-points":
        return dict(value)
    if setting == "red-threes-by-families":
        return _shares_by_families(value)
    if setting == "upcard-big-piles":
        return _cards_by_upcard(value)
    if setting in _NUMBER_OF_FIRST_VALUE:
        return _values_by_number(value, _NUMBER_OF_FIRST_VALUE[setting])
    if setting in _SETTINGS_OF_ENTRIES:
        return _values_by_name(value, _SETTINGS_OF_ENTRIES[setting])
    return {}


def _values_by_number(values: Iterable[Any], first_number: int) -> dict[str, Any]:
    """The values of a list by their numbers: `[100, 200]` → `{"1": 100, "2": 200}`."""
    return {str(number): value for number, value in enumerate(values, first_number)}


def _values_by_name(entries: Iterable[Any], parts: _PartsOfEntry) -> dict[str, Any]:
    """The values of the entries of a list by their names: `[[0, 50], [1500, 90]]`, of which the name
    is at index 0 and the value at 1 → `{"0": 50, "1500": 90}`.
    """
    return {str(entry[parts.name]): entry[parts.value] for entry in entries}


def _shares_by_families(shares: list[dict[str, Any]]) -> dict[str, list[int]]:
    """The shares of a side and of its opponents, by the families of canastas that the side has:
    `{"having": "both", "own": 2, "opponents": 0}` → `{"both": [2, 0]}`.
    """
    return {share["having"]: [share["own"], share["opponents"]] for share in shares}


def _cards_by_upcard(numbers: list[int]) -> dict[str, int]:
    """The cards of the first pile under a joker and under a two: `[50, 20]` → `{"JK": 50, "2": 20}`."""
    # A list that is too short or too long is reported when the settings are built, not here.
    return dict(zip(("JK", "2"), numbers, strict=False))


def value_at(setting: str, value: Any, step: str) -> Any:
    """The part of a setting that `step` names (see `steps_of`); None if there is no such part.

    `value` is in the form of the data: the step `2` of `red-three-values = [100, 200]` is 200. A
    setting that has no parts, such as `decks = 2`, has that value at any step.
    """
    # A minimum holds for all scores up to the next one, and has a value for those between too.
    if setting == "opening-steps" and step.isdecimal():
        return _minimum_at_score(value, int(step))
    steps = steps_of(setting, value)
    if not steps:
        return value
    return steps.get(step)


def _minimum_at_score(opening_steps: Iterable[tuple[int, int]], score: int) -> int | None:
    """The least that a side's first melds must be worth at this match score; None if it is not said.

    Each minimum holds from its score up to the next one: `[[0, 50], [1500, 90]]` at 1000 → 50. The
    scores rise.
    """
    minimum_at_score = None
    for first_score, minimum in opening_steps:
        if first_score <= score:
            minimum_at_score = minimum
    return minimum_at_score


# ---------------------------------------------------------------- what the file of a variant holds

VariantId = NewType("VariantId", str)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the data with its citation."""

    value: Any
    cited: Cited


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One value of an option: what it sets, and the number of sides it requires (None: any).

    `cited_of` are the citations of the settings that it sets.
    """

    value: ChoiceValue
    sets: Mapping[str, Any]
    cited: Cited
    cited_of: Mapping[str, Cited]
    only_sides: int | None = None


class Amount(NamedTuple):
    """What an option sets that is a number of points or hands: a setting, to any positive multiple
    of `step`. `cited` says who leaves the number to the table.
    """

    setting: str
    step: int
    cited: Cited

    def takes(self, value: object) -> bool:
        """Whether a table may choose this value: a positive multiple, no larger than a score."""
        if type(value) is not int:  # `True` is no number here
            return False
        return 0 < value <= LARGEST and value % self.step == 0


@dataclass(frozen=True, slots=True)
class Option:
    """A choice of a table: its values in order, and the default.

    If it is an `amount`, its default is the variant's value of the setting, and its values are other
    amounts that a source names.
    """

    id: str
    default: ChoiceValue | None
    values: tuple[OptionValue, ...]
    amount: Amount | None = None

    @property
    def step(self) -> int | None:
        """The number of which an amount is a multiple; None for an option with a list of values."""
        return self.amount.step if self.amount else None

    @property
    def sets(self) -> str | None:
        """The setting that an amount sets; None for an option with a list of values."""
        return self.amount.setting if self.amount else None

    @property
    def cited(self) -> Cited | None:
        """What an amount cites; None for an option with a list of values, which cite themselves."""
        return self.amount.cited if self.amount else None

    def value_of(self, value: object) -> OptionValue | None:
        """The entry for this value; None if the option does not have it."""
        for option_value in self.values:
            if is_same(option_value.value, value):
                return option_value
        return None


class Preset(NamedTuple):
    """A set of options that follows one source, under its name."""

    id: str
    source: SourceId
    options: Choices


@dataclass(frozen=True, slots=True)
class PenaltyKind:
    """A penalty: its points (None: agreed at the table) and the catalogue key of its other
    consequences.
    """

    code: str
    points: int | None
    remedy: str | None
    cited: Cited

    def costs(self, agreed: int | None) -> int | None:
        """The points that it costs: those of the rules, or else those agreed at the table.

        None if neither says it.
        """
        if self.points is not None:
            return self.points
        return agreed


@dataclass(frozen=True, slots=True)
class FreeIrregularity:
    """An irregularity that costs no points: the catalogue key of its consequences, and the game its
    source is about.
    """

    code: str
    remedy: str | None
    cited: Cited
    game: VariantId


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points that the table records for a side, by code."""

    code: str
    points: int
    cited: Cited


@dataclass(frozen=True, slots=True)
class Ends:
    """What ends a match besides its target: a number of hands, or minutes from its start; None if
    not used.
    """

    hands: int | None = None
    minutes: int | None = None

    @property
    def settings(self) -> dict[str, Value]:
        """The equivalent settings: the number of hands is a setting."""
        if self.hands is None:
            return {}
        return {"match-deals": Value(self.hands, Cited((), Standing.AGREED))}


class Fault(NamedTuple):
    """A known mistake of a source about `subject`, which is a setting or a penalty.

    It is reported under rules that cite the passage `reported_with` for that subject.

    `cited` is the erroneous passage.
    """

    code: str
    subject: str
    reported_with: str
    cited: Cited


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the rulebook that is not a setting: its section, the rule it follows, and its
    citation.

    It decides nothing, and applies to every variant whose settings have the values `when` and none
    of `unless`. `after` is a setting (None: the start of the section). `differs`: another source
    says this instead; it replaces the statement `instead`, if given.
    """

    id: str
    section: str
    after: str | None
    when: Mapping[str, Any]
    unless: Mapping[str, Any]
    cited: Cited
    differs: bool = False
    instead: str | None = None


GROUND_STATEMENTS = ("meld-red-threes", "out-empty-handed", "table-agreement")
"""The statements that findings, score lines and reasons cite: those of rules that hold in every
game. A ruleset keeps their citations beside those of its settings.
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """A check or score line, with the settings that it may depend on, and the statements."""

    id: str
    severity: Literal["error", "warning"]
    settings: tuple[str, ...]
    statements: tuple[str, ...] = ()

    @property
    def cited_settings(self) -> tuple[str, ...]:
        """Everything that it may depend on."""
        return (*self.settings, *self.statements)


@dataclass(frozen=True, slots=True)
class Variant:
    """A complete variant: the contents of its file and what it inherits, before any option is
    chosen.
    """

    id: VariantId
    parent: VariantId | None
    players: Value
    settings: Mapping[str, Value]
    options: Mapping[str, Option]
    presets: Mapping[str, Preset]
    penalties: Mapping[str, PenaltyKind]
    checks: Mapping[str, Rule]
    lines: Mapping[str, Rule]
    entry_fields: tuple[str, ...]
    inherits: str | None = None
    """The argument for applying the classic game if the variant's sources do not mention something.
    """
    stated_by: tuple[str, ...] = ()
    """The sources that say the rest is as in the parent: what they state of the parent is stated
    here too.
    """
    bonuses: Mapping[str, Bonus] = field(default_factory=dict)
    ends: Ends = Ends()
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The messages of a user's own variant, by language and catalogue key."""
    sources: Mapping[SourceId, Source] = field(default_factory=dict)
    """The sources that the variant adds."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """The keys of values that a user's file does not give because they follow from another one, each
    with the key of that one.
    """

    @property
    def is_own(self) -> bool:
        """Whether it is a user's own variant: those name themselves."""
        return any(self.words.values())

    def values_of(self, option: Option) -> tuple[OptionValue, ...]:
        """The values of an option that tables of this variant can choose.

        A value may be only for games with some number of sides.
        """
        sides = len(self.settings["sides"].value)
        return tuple(value for value in option.values if value.only_sides in (None, sides))


# ---------------------------------------------------------------- the rules at a table


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """The rules in force at a table: a variant with its options chosen.

    Complete and frozen: a match stores the ruleset it started with (`freeze`, `thaw`). `options`
    holds every option that the variant takes, with the value in force; `cited` the citations of
    the settings and of `GROUND_STATEMENTS`; `digest` identifies the ruleset.
    """

    variant: VariantId
    preset: str | None
    options: dict[str, str | int | bool]
    settings: Settings
    cited: dict[str, Cited]
    penalties: dict[str, PenaltyKind]
    checks: tuple[Rule, ...]
    lines: tuple[Rule, ...]
    entry_fields: tuple[str, ...]
    bonuses: dict[str, Bonus] = field(default_factory=dict)
    ends: Ends = field(default_factory=Ends)
    words: dict[str, dict[str, str]] = field(default_factory=dict)
    """The messages of a user's own variant, by language and catalogue key."""
    digest: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def items(self) -> tuple[str, ...]:
        """The items of `totals.canastas` that can be counted under these rules."""
        kinds = tuple(dict.fromkeys(kind.item for kind in self.settings.canastas))
        if self.settings.concealed_canasta:
            return (*kinds, "concealed-canasta")
        return kinds

    def cited_at(self, cited_setting: str) -> Cited:
        """The citations for what is cited, by its name.

        That is a setting (`out-bonus`), a step of a setting (`opening-steps/1500`), one of
        `GROUND_STATEMENTS`, a penalty (`penalties/CODE`) or a bonus (`bonuses/CODE`).
        """
        name, _, step_or_code = cited_setting.partition("/")
        if name == "penalties":
            return self.penalties[step_or_code].cited
        if name == "bonuses":
            return self.bonuses[step_or_code].cited
        return self.cited[name].of(step_or_code)

    def cited_setting_of_minimum(self, score: int, deal: int) -> str:
        """The setting, or the step of a setting, whose sources state a side's opening minimum.

        That minimum is what the first melds of the side must be worth. It depends on its `score` in
        the match or, in some games, on the number of the hand (`deal`). With a minimum of 90 from
        1500 points on, the answer for a score of 1600 is `opening-steps/1500`.
        """
        cited_setting = self.settings.minimum_setting(score, deal)
        setting, _, step_of_minimum = cited_setting.partition("/")
        if setting != "opening-steps":
            return cited_setting
        # A minimum can have other sources from some score on, although it stays the same.
        steps_reached = [int(step_of_minimum), *self._cited_minimums_reached(score)]
        return f"opening-steps/{max(steps_reached)}"

    def _cited_minimums_reached(self, score: int) -> list[int]:
        """The scores, up to this one, from which an opening minimum has sources of its own."""
        reached: list[int] = []
        for step in self.cited["opening-steps"].steps:
            first_score = int(step)
            if first_score <= score:
                reached.append(first_score)
        return reached

    def sources_of(self, *cited_settings: str) -> tuple[str, ...]:
        """What is cited for these settings (see `cited_at`), as texts, without duplicates."""
        return citation_texts(self.cited_at(cited_setting) for cited_setting in cited_settings)

    def cite(self, cited_settings: Iterable[str], applied: Iterable[str] = ()) -> Support:
        """The sources that support a finding or the points of a line of the score.

        `cited_settings` name the settings that are the reason for it (see `cited_at`), and only their
        sources are cited: `("out-bonus",)` for the 100 points of going out. `applied` name settings
        that also had a part in it: where the table itself decided one of them, or of those cited, no
        source supports the result.
        """
        # The same few results come again and again, so that their support is kept in a cache.
        return _support_of(self, tuple(cited_settings), tuple(applied))

    def decided_by_table(self, settings: Iterable[str]) -> tuple[str, ...]:
        """Those among the settings that the table decided itself, so that no source states them."""
        decided_here = []
        for setting in settings:
            if self.cited_at(setting).standing is Standing.AGREED:
                decided_here.append(setting)
        return tuple(decided_here)


@lru_cache(maxsize=4096)
def _support_of(
    rules: Ruleset, cited_settings: tuple[str, ...], applied: tuple[str, ...]
) -> Support:
    """The sources that support a result: those of the settings `cited_settings`, which are its reason.

    `applied` name other settings that had a part in it, whose sources are not listed. A result in
    which a rule of the table's own has a part is stated by no source.
    """
    all_settings = (*cited_settings, *applied)
    if rules.decided_by_table(all_settings):
        return Support(sources=(), standing=Standing.AGREED)
    reasons = [rules.cited_at(cited_setting) for cited_setting in cited_settings]
    return Support(
        sources=citation_texts(reasons),
        standing=_weakest_standing(reasons),
        read=_argument_names(reasons),
    )


def _argument_names(reasons: Iterable[Cited]) -> tuple[str, ...]:
    """The names of the arguments by which values are inferred, in order and without duplicates.

    `reasons` say what supports each value. Those that a source states, or that the table agreed,
    have no argument.
    """
    names: list[str] = []
    for reason in reasons:
        argument_name = reason.read
        if argument_name and argument_name not in names:
            names.append(argument_name)
    return tuple(names)


def _weakest_standing(reasons: Iterable[Cited]) -> Standing | None:
    """How firmly the sources support what follows from all these reasons together.

    That is as firmly as they support the weakest: a stated and an inferred reason → inferred. None
    if there are no reasons.
    """
    standings = {reason.standing for reason in reasons}
    for standing in reversed(Standing):  # the weakest first
        if standing in standings:
            return standing
    return None

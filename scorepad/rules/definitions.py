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
    """Tell whether two values are equal and of the same type, so that `True` is not 1."""
    return type(one) is type(other) and one == other


# ---------------------------------------------------------------- sources

SourceId = NewType("SourceId", str)
"""The short name of a source: `W`, `G`, `H`, `E`, or a domain name (`pagat.com`)."""


class Standing(StrEnum):
    """How well the sources support a value, strongest first."""

    STATED = "stated"
    """A source states it."""
    INFERRED = "read"
    """An inference from the sources, with its reasoning in the data."""
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
    """What supports a value of the rules: the passages of rule books, and how well they do.

    If the value is only inferred, `read` names the text that explains it (the message `read.…`).
    `notes` are the printed manuals that the rule books name. `steps` has the citations of single
    parts of the value (`split_into_parts`), where they differ from those of the whole value.
    """

    citations: tuple[Citation, ...]
    standing: Standing = Standing.STATED
    read: str | None = None
    notes: tuple[str, ...] = ()
    steps: Mapping[str, Cited] = field(default_factory=dict)

    def for_step(self, step: str) -> Cited:
        """Return what supports one part ("step") of the value of a setting, by the part's name.

        The part `1500` of `opening-steps = [[0, 50], [1500, 90]]` may cite other passages than the
        whole value. If it does not, those of the whole value are returned.
        """
        return self.steps.get(step, self)

    def in_other_game(self, reasoning: str, books_about_it: Collection[str] = ()) -> Cited:
        """Return what supports this value in another game that takes it over from this one.

        `books_about_it` are the rule books that describe the other game, as this one with some
        changes. What they state here, they state there too. Whatever else is taken over is only
        inferred, and `reasoning` names the text that explains it.
        """
        if self.standing is Standing.AGREED:
            return self  # by the players, and no rule book is needed
        steps: dict[str, Cited] = {}
        for step, cited in self.steps.items():
            steps[step] = cited.in_other_game(reasoning, books_about_it)

        if self.standing is Standing.INFERRED and books_about_it:
            return replace(self, steps=steps)  # inferred in the same way
        passages = tuple(each for each in self.citations if each.source in books_about_it)
        if passages:
            return replace(self, citations=passages, steps=steps)
        return replace(self, standing=Standing.INFERRED, read=reasoning, steps=steps)


AGREED_BY_PLAYERS = Cited(citations=(), standing=Standing.AGREED)
"""What supports a value that no rule book states."""


class Support(NamedTuple):
    """What supports a finding, a reason or a score line: its citations, as texts, and how firmly
    they say it.

    `standing` is None if no source is needed; `read` are the names of the texts that
    explain inferences.
    """

    sources: tuple[str, ...]
    standing: Standing | None
    read: tuple[str, ...] = ()


def citation_texts(cited: Iterable[Cited]) -> tuple[str, ...]:
    """Return all citations as texts, such as `W:L'apertura`, in order and without repeats.

    `cited` is what supports each of several values of the rules.
    """
    texts: list[str] = []
    for support in cited:
        for citation in support.citations:
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
    """Where an entry of a setting has its name and its value: the keys of a table, or the indices
    of a list.
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


def split_into_parts(setting: str, value: Any) -> dict[str, Any]:
    """Split the value of a setting into its parts, and return them by name.

    `setting` is the name of the setting, and `value` has the form of the TOML files:

    - `red-three-values = [100, 200]` → `{"1": 100, "2": 200}`, by the number of red threes
    - `opening-steps = [[0, 50], [1500, 90]]` → `{"0": 50, "1500": 90}`, by the score
    - `decks = 2` → `{}`, it has no parts
    """
    if setting == "card-points":
        return dict(value)  # a table by the code of the card already
    if setting == "red-threes-by-families":
        return _name_shares_by_families(value)
    if setting == "upcard-big-piles":
        return _name_cards_by_upcard(value)
    if setting in _NUMBER_OF_FIRST_VALUE:
        return _name_values_by_number(value, _NUMBER_OF_FIRST_VALUE[setting])
    if setting in _SETTINGS_OF_ENTRIES:
        return _name_values_of_entries(value, _SETTINGS_OF_ENTRIES[setting])
    return {}


def _name_values_by_number(values: Iterable[Any], first_number: int) -> dict[str, Any]:
    """Return the values of a list by number: `[100, 200]`, from 1 → `{"1": 100, "2": 200}`."""
    return {str(number): value for number, value in enumerate(values, first_number)}


def _name_values_of_entries(entries: Iterable[Any], parts: _PartsOfEntry) -> dict[str, Any]:
    """Return the values in a list of entries by their names.

    `parts` says where an entry has its name and its value:

    - `[[0, 50], [1500, 90]]`, name at index 0 and value at index 1 → `{"0": 50, "1500": 90}`
    - `[{"item": "samba", "points": 1500}]`, at these two keys → `{"samba": 1500}`
    """
    return {str(entry[parts.name]): entry[parts.value] for entry in entries}


def _name_shares_by_families(shares: list[dict[str, Any]]) -> dict[str, list[int]]:
    """Return how the points of a side's red threes (bonus cards) count, by the side's canastas.

    A canasta is a group of seven or more cards, `natural` or `mixed`. If the side has both kinds,
    it gets all of the points, which is two halves, and its opponents get none:
    `[{"having": "both", "own": 2, "opponents": 0}]` → `{"both": [2, 0]}`.
    """
    return {share["having"]: [share["own"], share["opponents"]] for share in shares}


def _name_cards_by_upcard(numbers: list[int]) -> dict[str, int]:
    """Return how many cards the first discard pile has, by the special card that lies on top.

    The list has the number for a joker (`JK`) and for a two: `[50, 20]` → `{"JK": 50, "2": 20}`.
    """
    upcards = ("JK", "2")
    # A list of a wrong length is reported later, when the settings are built. So it is no error
    # here: what is missing is left out, and what is too much is ignored.
    return dict(zip(upcards, numbers, strict=False))


def get_value_of_part(setting: str, value: Any, part: str) -> Any:
    """Return the value of one part of a setting, by the part's name; None if there is no such part.

    `value` is that of the whole setting. The part `2` of `red-three-values = [100, 200]` → 200. A
    setting such as `decks` has no parts, and any name stands for the whole.
    """
    if setting == "opening-steps" and part.isdecimal():
        # A step holds for all scores up to the next one, so any score names a part.
        return _find_minimum_at_score(value, score=int(part))
    parts = split_into_parts(setting, value)
    if not parts:
        return value
    return parts.get(part)


def _find_minimum_at_score(opening_steps: Iterable[tuple[int, int]], score: int) -> int | None:
    """Return how many points the first cards that a side lays must be worth, at this match score.

    Each step has a score and the minimum from there on: `[[0, 50], [1500, 90]]` at 1000 → 50.
    None at a score below the first step. The scores of the steps rise.
    """
    minimum_at_score = None
    for first_score, minimum in opening_steps:
        if score >= first_score:
            minimum_at_score = minimum  # a later step may replace it
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

    `cited_by_setting` are the citations of the settings that it sets.
    """

    value: ChoiceValue
    sets: Mapping[str, Any]
    cited: Cited
    cited_by_setting: Mapping[str, Cited]
    only_sides: int | None = None


class Amount(NamedTuple):
    """What an option sets that is a number of points or hands: a setting, to any positive multiple
    of `step`. `cited` says who leaves the number to the table.
    """

    setting: str
    step: int
    cited: Cited

    def is_allowed_number(self, value: object) -> bool:
        """Tell whether players may choose this number for the option.

        It must be a positive multiple of `step`, and no larger than a score can be. With a step of
        500: 7000 → True, 7001 → False.
        """
        if type(value) is not int:  # `True` is no number here
            return False
        return 0 < value <= LARGEST and value % self.step == 0


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that players make before a match: its values in order, and the default.

    With an `amount` they choose a number instead. Then the default is the number that the game
    itself has, and the values are other numbers that a rule book names.
    """

    id: str
    default: ChoiceValue | None
    values: tuple[OptionValue, ...]
    amount: Amount | None = None
    is_rare: bool = False
    """Whether few tables play by it: forms offer it below the other options."""

    @property
    def step(self) -> int | None:
        """The number of which players can choose a multiple; None for an option with a list."""
        return self.amount.step if self.amount else None

    @property
    def sets(self) -> str | None:
        """The setting for which players choose a number; None for an option with a list."""
        return self.amount.setting if self.amount else None

    def value_of(self, value: object) -> OptionValue | None:
        """Find what is known of one value of this option, such as what it sets and cites.

        Returns None if the option does not list the value. `True` is not the same as 1 here.
        """
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
        """Return how many points the penalty costs: those in the rules, or else those `agreed`.

        Some penalties have no points in the rules, so that the players agree on a number. None if
        they did not.
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

    def set_last_hand(self, settings: Mapping[str, Value]) -> dict[str, Value]:
        """Return the settings of a game, with the number of hands after which a match ends.

        If a match ends after 4 hands (rounds), `match-deals` is 4, as agreed by the players. If it
        does not end after some hands, the settings stay as they are.
        """
        if self.hands is None:
            return dict(settings)
        return {**settings, "match-deals": Value(self.hands, AGREED_BY_PLAYERS)}


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
        """The names of all settings and statements on which this check or score line may depend."""
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
    reasoning_for_rest: str | None = None
    """The name of the text that explains why the rest is as in the parent, where the rule books of
    this game do not mention it. None for the classic game, with any number of players.
    """
    books_about_it: tuple[str, ...] = ()
    """The rule books that describe this game as the parent with some changes: what they state of
    the parent is stated here too.
    """
    bonuses: Mapping[str, Bonus] = field(default_factory=dict)
    ends: Ends = Ends()
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The messages of a user's own variant, by language and catalogue key."""
    sources: Mapping[SourceId, Source] = field(default_factory=dict)
    """The sources that the variant adds."""
    is_own: bool = False
    """Whether the game is from a user's file, and not one shipped with scorepad."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """The keys of values that a user's file does not give because they follow from another one,
    each with the key of that one.
    """

    def cite_inherited(self, cited: Cited) -> Cited:
        """Return what supports a value that this game takes over from its parent game.

        `cited` is what supports it in the parent.
        """
        if self.reasoning_for_rest is None:
            return cited  # the same game, by house rules or for another number of players
        return cited.in_other_game(self.reasoning_for_rest, self.books_about_it)

    def values_of(self, option: Option) -> tuple[OptionValue, ...]:
        """Return the values of an option that players of this game can choose.

        A value may be only for games of two sides, for example (`only_sides` is 2 then).
        """
        players_of_each_side = self.settings["sides"].value
        number_of_sides = len(players_of_each_side)
        values: list[OptionValue] = []
        for value in option.values:
            if value.only_sides is None or value.only_sides == number_of_sides:
                values.append(value)
        return tuple(values)


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
        """The kinds of canasta that players can count in this game, by the names of score lines.

        A canasta is a group of seven or more cards: `("natural-canasta", "mixed-canasta")`. In
        some games there is a bonus for one laid complete, and `"concealed-canasta"` comes last.
        """
        names_of_kinds = [kind.item for kind in self.settings.canastas]
        names = list(dict.fromkeys(names_of_kinds))  # each once: several kinds may share a name
        if self.settings.concealed_canasta:
            names.append("concealed-canasta")
        return tuple(names)

    def find_citations(self, cited_setting: str) -> Cited:
        """Find which rule books support a rule, by the name under which it is cited.

        - `out-bonus`: a setting
        - `opening-steps/1500`: a part of a setting
        - `out-empty-handed`: a sentence of the rulebook, one of `GROUND_STATEMENTS`
        - `penalties/draw-out-of-turn`: a penalty, by its code
        - `bonuses/CODE`: a bonus of the players' own rules, by its code
        """
        name, _, part = cited_setting.partition("/")
        if name == "penalties":
            return self.penalties[part].cited
        if name == "bonuses":
            return self.bonuses[part].cited
        return self.cited[name].for_step(part)  # with no part (""), those of the whole setting

    def find_cited_setting_of_minimum(self, score: int, deal: int) -> str:
        """Find which setting to cite for the opening minimum of a side.

        That is how many points the first cards that the side lays must be worth. It depends on the
        side's match score or, in some games, on the number of the hand (`deal`). With a minimum of
        90 from 1500 points on, a score of 1600 → `opening-steps/1500`.
        """
        cited_setting = self.settings.find_setting_of_minimum(score, deal)
        if not cited_setting.startswith("opening-steps/"):
            return cited_setting
        # From some higher score on, other rule books may state the same minimum. Then that score is
        # cited, although the minimum does not change there.
        cited_scores = [int(step) for step in self.cited["opening-steps"].steps]
        cited_scores.append(int(cited_setting.removeprefix("opening-steps/")))
        return f"opening-steps/{max(each for each in cited_scores if each <= score)}"

    def list_passages_of(self, *cited_settings: str) -> tuple[str, ...]:
        """Return the passages that support these settings, such as `("W:Samba",)`, without repeats.

        The names are those that `find_citations` takes.
        """
        return citation_texts(
            self.find_citations(cited_setting) for cited_setting in cited_settings
        )

    def cite(self, cited_settings: Iterable[str], also_applied: Iterable[str] = ()) -> Support:
        """Return the passages of rule books that state a result, such as a line of the score.

        They are the passages for `cited_settings`. Settings that are `also_applied` had a part in
        the result, but are not cited. If the players changed any of all these settings, no rule
        book states the result.
        """
        # The same few results come again and again, so their support is kept in a cache.
        return _find_support(self, tuple(cited_settings), tuple(also_applied))

    def find_settings_chosen_by_players(self, settings: Iterable[str]) -> tuple[str, ...]:
        """Return those of the settings that the players chose themselves, as no rule book has them.

        After the players changed the target to 7000: `["target", "decks"]` → `("target",)`.
        """
        chosen_by_players = []
        for setting in settings:
            cited = self.find_citations(setting)
            if cited.standing is Standing.AGREED:
                chosen_by_players.append(setting)
        return tuple(chosen_by_players)


@lru_cache(maxsize=4096)
def _find_support(
    rules: Ruleset, cited_settings: tuple[str, ...], also_applied: tuple[str, ...]
) -> Support:
    """Return the passages of rule books that state a result, such as a line of the score.

    They are the passages for `cited_settings`. Settings that are `also_applied` had a part in the
    result, but are not cited.
    """
    if rules.find_settings_chosen_by_players((*cited_settings, *also_applied)):
        # A rule of the players' own has a part in the result, so no rule book states it.
        return Support(sources=(), standing=Standing.AGREED)

    citations = [rules.find_citations(cited_setting) for cited_setting in cited_settings]
    return Support(
        sources=citation_texts(citations),
        standing=_find_weakest_standing(citations),
        read=_list_reasoning_names(citations),
    )


def _list_reasoning_names(citations: Iterable[Cited]) -> tuple[str, ...]:
    """List the names of the texts that explain why values are inferred, each name once.

    A value that a rule book states, or that the players agreed on, has none.
    """
    names: list[str] = []
    for cited in citations:
        reasoning_name = cited.read
        if reasoning_name and reasoning_name not in names:
            names.append(reasoning_name)
    return tuple(names)


def _find_weakest_standing(citations: Iterable[Cited]) -> Standing | None:
    """Find how well rule books support what follows from several values together.

    That is as well as the value with the weakest support: stated and inferred → inferred. None if
    there are no values.
    """
    standings = {cited.standing for cited in citations}
    for standing in reversed(Standing):  # the weakest first
        if standing in standings:
            return standing
    return None

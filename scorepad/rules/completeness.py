"""Whether the values of a variant are valid and fit each other, once its file is read.

Of a user's file all mistakes are reported at once: a value that is wrong in itself is reported, and
what depends on it is then not judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from scorepad.errors import VariantError
from scorepad.rules.cards import KINDS, NATURAL_INDICES, RED_THREE, in_decks
from scorepad.rules.checks import NATURES, SMALLEST_POINTS
from scorepad.rules.definitions import (
    SETTING_KEYS,
    Bonus,
    PenaltyKind,
    Preset,
    Variant,
    steps_of,
)
from scorepad.rules.hand import EXTRA_COUNTS, ExtraPoints
from scorepad.rules.score import LINES
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.settings import Settings
from scorepad.rules.toml_reader import TomlValue


class Limits(NamedTuple):
    """What the numbers in a setting may be."""

    least: int
    most: int
    step: int
    """What points have to be a multiple of (in units: 1)."""


_NUMBERS_OF_LIMITS: Mapping[str, tuple[int, int, int]] = {
    "canastas": (0, 5000, 5), "concealed-canasta": (0, 5000, 5), "out-bonus": (0, 5000, 5),
    "concealed-out-bonus": (0, 5000, 5), "red-three-values": (0, 9000, 5), "held-red-three": (0, 5000, 5),
    "opening-steps": (0, 1000, 5), "opening-below-zero": (0, 1000, 5), "opening-deals": (0, 1000, 5),
    "canastas-needed": (0, 7, 1), "canasta-families-needed": (0, 7, 1), "target": (5, 100_000, 5), "decks": (1, 8, 1),
    "dealt": (3, 26, 1), "drawn": (1, 4, 1), "wild-limit": (0, 6, 1), "card-points": (0, 500, 5),
    "left-black-three": (0, 500, 5), "penalties": (0, 5000, 5), "bonuses": (5, 5000, 5), "hands-each": (1, 99, 1),
    "meld-shortest": (1, 99, 1), "canasta-length": (1, 99, 1),
    **{extra.setting: (-5000, 5000, 5) for extra in EXTRA_COUNTS if extra.points is ExtraPoints.EACH},
}  # fmt: skip
"""The `Limits` of the numbers in each setting: the least, the most, and the step."""
LIMITS: Mapping[str, Limits] = {
    setting: Limits(*numbers) for setting, numbers in _NUMBERS_OF_LIMITS.items()
}
"""The limits of the numbers in a setting, by its key; those of all penalties and bonuses too."""
_LONGEST_QUOTE = 40
"""Characters of an invalid value that its message repeats."""
_LARGEST_GROUP = 99
"""The most cards of a group in which cards in hand are counted: the most that `Number` allows."""
MOST_SIDES = 3
MOST_PLAYERS = 4
"""The maximum number of players of a side."""
_RANKS = tuple(KINDS[index].value for index in NATURAL_INDICES)
_OTHER_LINES = ITEMS[ITEMS.index("concealed-canasta") :]
"""Items of a score that a canasta may not use."""
_CAUSES: Mapping[str, tuple[str, ...]] = {
    "resting": ("sides",),
    "left-group": ("cards-left",),
    "canasta-families-needed": ("canastas",),
    "red-threes-by-canastas": ("red-threes-condition", "black-threes-exposed"),
    "opening-deals": ("opening-by",),
    "opening-steps": ("opening-by",),
    "red-three-values": ("decks",),
}
"""The settings by which a setting can become wrong that a file does not give."""


# Built on first use, to keep the start of the program fast.
@cache
def _settings_form() -> TypeAdapter[Settings]:
    return TypeAdapter(Settings)


def build_settings(values: Mapping[str, Any]) -> Settings:
    """Settings from the values of the data, by key. Raises pydantic's ValidationError."""
    fields = {key.replace("-", "_"): value for key, value in values.items()}
    return _settings_form().validate_python(fields)


def check_entries(variant: Variant, root: TomlValue) -> None:
    """Report settings that the variant lacks, and checks, lines and values that do not exist."""
    for key in SETTING_KEYS:
        if key not in variant.settings:
            root.report("missing", f"settings.{key}")
    _check_registered("checks", variant.checks, NATURES, root)
    _check_registered("lines", variant.lines, LINES, root)
    for preset in variant.presets.values():
        _check_preset(preset, variant, root)


def _check_registered(
    table: str, rules: Iterable[str], registered: Collection[str], root: TomlValue
) -> None:
    """Report checks or lines for which no function is registered.

    `table` is where the file names them: `checks` or `lines`.
    """
    for name in rules:
        if name not in registered:
            known = ", ".join(registered)
            root.report("unknown-rule", f"{table}.{name}", name=name, known=known)


def _check_preset(preset: Preset, variant: Variant, root: TomlValue) -> None:
    """Report the first option of a preset that the variant does not have, or not with this value."""
    for name, value in preset.options.items():
        option = variant.options.get(name)
        if option is None or option.value_of(value) is None:
            root.report("no-such-value", f"presets.{preset.id}.{name}")
            return


def check_values(variant: Variant, root: TomlValue, wrong: Collection[str] = ()) -> None:
    """Report values of a variant that are invalid, or do not fit each other.

    `wrong` are the settings that were reported before; what depends on them is not judged.
    """
    reporter = _Reporter(root, wrong)
    values = {key: value.value for key, value in variant.settings.items()}
    if values["unit"] == "points":
        _check_multiples("bonuses", variant.bonuses, root)
        _check_multiples("penalties", variant.penalties, root)
    _check_settings(values, variant, reporter)
    _check_settings_of_options(values, variant, reporter)
    has_no_limit = values["target"] == "unlimited" and values["match-deals"] == "unlimited"
    if has_no_limit and variant.ends.minutes is None:
        reporter.report("endless", "target")


def _check_settings_of_options(
    values: Mapping[str, Any], variant: Variant, reporter: _Reporter
) -> None:
    """Report values of options that set something which does not fit the other settings.

    `values` are the settings of the variant without its options. Nothing is checked once the file
    has an error: it would be found again with every value of every option.
    """
    file = reporter.root.file
    for option in variant.options.values():
        for choice in option.values:
            if file.errors:
                return
            if choice.sets:
                values_with_option = {**values, **choice.sets}
                _check_settings(values_with_option, variant, reporter)


def _check_multiples(
    kind: str, entries: Mapping[str, Bonus | PenaltyKind], root: TomlValue
) -> None:
    """Report bonuses or penalties that are no multiple of 5, as all points of a score are.

    `kind` is the table of the file in which they stand.
    """
    for code, each in entries.items():
        if each.points is not None and each.points % SMALLEST_POINTS:
            root.report("not-multiple", f"{kind}.{code}.points", step=SMALLEST_POINTS)


class _Reporter:
    """Reports what is wrong with a setting, unless that follows from a setting that was refused
    before.
    """

    def __init__(self, root: TomlValue, wrong: Collection[str]) -> None:
        self.root = root
        self.wrong = wrong

    def report(self, problem: str, key: str, **arguments: str | int) -> None:
        """Report that a setting does not fit another one, at the line of the file that is to blame.

        That may be the line of the other setting; the message then names both. Nothing is reported
        that may follow from a setting that was refused before.
        """
        possible_causes = (key, *_CAUSES.get(key, ()))
        if any(cause in self.wrong for cause in possible_causes):
            return
        key_to_blame = self._setting_to_blame(key)
        if key_to_blame == key:
            self.root.report(problem, f"settings.{key}", **arguments)
            return
        # Each message has a second form (`.other`), which names the setting that does not fit too.
        place = f"settings.{key_to_blame}"
        self.root.report(f"{problem}.other", place, other=f"settings.{key}", **arguments)

    def _setting_to_blame(self, key: str) -> str:
        """The setting that is to be changed in the file if the setting `key` does not fit.

        That is `key` itself if the file gives it. A user's file may give only fewer `decks`, for
        which the inherited `red-three-values` are too many: then it is `decks`.
        """
        if not self.root.file.is_from_user:
            return key  # a file of the package is checked as a whole
        if self._is_given(key):
            return key
        for cause in _CAUSES.get(key, ()):  # the settings that can make this one wrong
            if self._is_given(cause):
                return cause
        return key  # reported at the table of the settings

    def _is_given(self, key: str) -> bool:
        """Whether the file gives this setting itself."""
        return f"settings.{key}" in self.root.file.lines


def _check_settings(values: Mapping[str, Any], variant: Variant, reporter: _Reporter) -> None:
    """Report settings that do not fit each other: those of the variant itself, or those that it has
    with a value of an option.
    """
    is_users_file = reporter.root.file.is_from_user
    # The single values of a user's file were judged when it was read.
    if not is_users_file:
        report_wrong_values(values, reporter.root, "settings")
    settings = build_settings(values)
    _check_sides(settings, reporter)
    _check_left_group(settings, reporter)
    _check_families_needed(settings, reporter)
    _check_canastas(settings, reporter)
    _check_lists(settings, reporter)
    _check_opening_steps(settings, reporter)
    if "red-threes" in variant.lines:
        _check_red_three_values(settings, reporter)


def _check_red_three_values(settings: Settings, reporter: _Reporter) -> None:
    """Report too few values of red threes: there has to be one for each number of them, up to all
    those of the decks.
    """
    if _inherits_red_three_values(reporter.root):
        return  # if the file has more decks, that is reported by the link between decks and values
    needed = in_decks(settings.decks)[RED_THREE]
    number_of_values = len(settings.red_three_values)
    if number_of_values < needed:
        reporter.report("too-few", "red-three-values", needed=needed, has=number_of_values)


def _inherits_red_three_values(root: TomlValue) -> bool:
    """Whether a user's file has the values of red threes from its parent."""
    return root.file.is_from_user and "settings.red-three-values" not in root.file.lines


def report_wrong_values(values: Mapping[str, Any], root: TomlValue, path: str) -> set[str]:
    """Report the settings whose values are wrong in themselves, and return their keys.

    `path` is where the settings stand in the file.
    """
    wrong = _report_settings_beyond_limits(values, root, path)
    try:
        build_settings(values)
    except ValidationError as error:
        # Pydantic also refuses other values, such as a word that a setting does not know.
        wrong |= _report_refused_settings(error, root, path, reported_before=wrong)
    return wrong


def _report_settings_beyond_limits(
    values: Mapping[str, Any], root: TomlValue, path: str
) -> set[str]:
    """Report the settings with numbers that are too small or too large, and return their keys.

    `path` is where the settings stand in the file.
    """
    is_in_points = values["unit"] == "points"
    beyond_limits: set[str] = set()
    for key in LIMITS:
        if key not in values:
            continue  # the limits of bonuses and penalties, which are no settings
        setting = TomlValue(root.file, values[key], path).at_path(key)
        for error in _errors_beyond_limits(key, setting, is_in_points=is_in_points):
            root.file.add_error(error)
            beyond_limits.add(key)
    return beyond_limits


def _errors_beyond_limits(
    key: str, setting: TomlValue, *, is_in_points: bool
) -> list[VariantError]:
    """An error for each number of a setting that is beyond its limits.

    Points also have to be multiples of 5, unless the game counts units instead.
    """
    limits = LIMITS[key]
    step = limits.step if is_in_points else 1
    errors: list[VariantError] = []
    for number in _numbers_of_setting(key, setting):
        try:
            number.number_between(limits.least, limits.most, step)
        except VariantError as error:
            errors.append(error)
    return errors


def _numbers_of_setting(key: str, setting: TomlValue) -> list[TomlValue]:
    """The numbers in the value of a setting, each with its path in the file.

    The table `{ JK = 50, 2 = 20 }` of `card-points` has 50 at `settings.card-points.JK`, and 20. Parts
    that are no numbers are left out: a setting that must have numbers is refused by pydantic then.
    """
    parts = _parts_of_setting(key, setting)
    return [part for part in parts if _is_number_in_file(part.value)]


def _is_number_in_file(value: object) -> bool:
    """Whether a value of a file is a whole number. In Python, `true` would be one too."""
    return isinstance(value, int) and not isinstance(value, bool)


def _parts_of_setting(key: str, setting: TomlValue) -> list[TomlValue]:
    """The parts of a setting that is a table or a list, and otherwise the setting itself.

    There are none if the value does not have the form of the setting, such as a number in place of a
    list.
    """
    try:
        steps = steps_of(key, setting.value)
    except (TypeError, ValueError, LookupError, AttributeError):
        return []
    if not steps:
        return [setting]
    return [setting.at_path(name).with_value(part) for name, part in steps.items()]


def _report_refused_settings(
    invalid: ValidationError, root: TomlValue, path: str, reported_before: Collection[str]
) -> set[str]:
    """Report the settings whose values pydantic refused, and return their keys.

    Only the first error of a setting is reported, or of each entry of a setting that is a list.
    Nothing is reported of the settings in `reported_before`. `path` is where the settings stand.
    """
    refused: set[str] = set()
    places_reported: set[_RefusedPlace] = set()
    for error in invalid.errors():
        place = _place_of_error(error)
        if place.key in reported_before or place in places_reported:
            continue
        places_reported.add(place)
        refused.add(place.key)
        problem = f"value.{error['type']}"
        root.report(problem, f"{path}.{place.key}", **_arguments_of_error(error))
    return refused


class _RefusedPlace(NamedTuple):
    """The key of a setting that pydantic refused, and the number of the entry at fault (from 0), if
    the setting is a list.
    """

    key: str
    entry: int | None


def _place_of_error(error: ErrorDetails) -> _RefusedPlace:
    """Where an error of pydantic is: `("opening_steps", 2, 0)` is the key `opening-steps`, and in
    its list the entry with the index 2.
    """
    field_name, *path_inside = error["loc"]
    key = str(field_name).replace("_", "-")
    if path_inside and isinstance(path_inside[0], int):
        return _RefusedPlace(key, path_inside[0])
    return _RefusedPlace(key, None)


def _arguments_of_error(error: ErrorDetails) -> dict[str, str]:
    """The values of the message of an error of pydantic: what was given, where it is inside the
    setting (`2.0`), and the limits that it is beyond, by pydantic's names (`le`).
    """
    _, *path_inside = error["loc"]
    arguments = {
        "given": str(error["input"])[:_LONGEST_QUOTE],
        "inside": ".".join(str(part) for part in path_inside),
    }
    for name_of_limit, limit in error.get("ctx", {}).items():
        arguments[name_of_limit] = str(limit)
    return arguments


def _check_sides(settings: Settings, reporter: _Reporter) -> None:
    """Report too few or too many sides or players, and sides of which everybody sits out."""
    number_of_sides = len(settings.sides)
    has_right_sizes = all(1 <= players <= MOST_PLAYERS for players in settings.sides)
    if not 1 < number_of_sides <= MOST_SIDES or not has_right_sizes:
        reporter.report("sides", "sides", most=MOST_SIDES, players=MOST_PLAYERS)

    is_said_of_each_side = len(settings.resting) == number_of_sides
    if not is_said_of_each_side or not _has_players_on_each_side(settings):
        reporter.report("resting", "resting", sides=number_of_sides)


def _has_players_on_each_side(settings: Settings) -> bool:
    """Whether not all players of a side sit out a hand."""
    return all(settings.players_of(side) >= 1 for side in range(len(settings.sides)))


def _check_left_group(settings: Settings, reporter: _Reporter) -> None:
    """Report groups of no cards, where the cards in hand at the end are counted in groups."""
    is_counted_in_groups = settings.cards_left != "points"
    if is_counted_in_groups and settings.left_group < 1:
        reporter.report("number", "left-group", least=1, most=_LARGEST_GROUP)


def _check_canastas(settings: Settings, reporter: _Reporter) -> None:
    """Report kinds of canasta of an unknown rank, or with the item of another line of the score."""
    for kind in settings.canastas:
        if kind.rank is not None and kind.rank not in _RANKS:
            reporter.report("unknown-rank", "canastas", name=kind.rank, known=", ".join(_RANKS))
        if kind.item in _OTHER_LINES:
            reporter.report("item", "canastas", name=kind.item)


def _check_families_needed(settings: Settings, reporter: _Reporter) -> None:
    """Report families of which going out needs canastas, but which no kind of canasta has."""
    families: list[str] = []
    for kind in settings.canastas:
        if kind.family not in families:
            families.append(kind.family)
    for family, _number_needed in settings.canasta_families_needed:
        if family not in families:
            known = ", ".join(families)
            reporter.report("unknown-family", "canasta-families-needed", name=family, known=known)


def _check_lists(settings: Settings, reporter: _Reporter) -> None:
    """Report lists that are empty although the other settings need them."""
    is_by_canastas = settings.red_threes_condition == "canastas"
    if not settings.cards_by_canastas:
        reporter.report("too-few", "cards-by-canastas", needed=1, has=0)
    needs_signs = is_by_canastas or settings.black_threes_exposed
    if needs_signs and not settings.red_threes_by_canastas:
        reporter.report("too-few", "red-threes-by-canastas", needed=1, has=0)
    if settings.opening_by == "deal" and not settings.opening_deals:
        reporter.report("too-few", "opening-deals", needed=1, has=0)


def _check_opening_steps(settings: Settings, reporter: _Reporter) -> None:
    """Report steps of the opening minimum whose match scores do not rise from 0."""
    scores = [score for score, _ in settings.opening_steps]
    starts_at_zero = scores[:1] == [0]
    if settings.opening_by == "score" and not starts_at_zero:
        reporter.report("first-step", "opening-steps")
    elif scores != sorted(set(scores)):
        reporter.report("not-rising", "opening-steps")

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
from scorepad.rules.cards import KINDS, NATURAL_INDICES, RED_THREE, count_cards_in_decks
from scorepad.rules.checks import NATURES, SMALLEST_POINTS
from scorepad.rules.definitions import (
    SETTING_KEYS,
    Bonus,
    PenaltyKind,
    Preset,
    Variant,
    split_into_parts,
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
    "meld-shortest": (1, 99, 1), "canasta-length": (1, 99, 1), "pile-taken-most": (1, 99, 1),
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
_DEPENDS_ON: Mapping[str, tuple[str, ...]] = {
    "resting": ("sides",),
    "left-group": ("cards-left",),
    "canasta-families-needed": ("canastas",),
    "canastas": ("decks",),
    "red-threes-by-canastas": ("red-threes-condition", "black-threes-exposed"),
    "opening-deals": ("opening-by",),
    "opening-steps": ("opening-by",),
    "red-three-values": ("decks",),
}
"""The settings on which another setting depends: if `opening-by` is `deal`, the list
`opening-deals` may not be empty.
"""


# Built on first use, to keep the start of the program fast.
@cache
def _get_settings_form() -> TypeAdapter[Settings]:
    """Return what pydantic needs to validate the settings of a game."""
    return TypeAdapter(Settings)


def build_settings(values: Mapping[str, Any]) -> Settings:
    """Build the settings of a game from the values in its data, by key: `{"wild-limit": 3, …}`.

    All settings must be there. Raises pydantic's ValidationError if one is missing or wrong.
    """
    fields = {key.replace("-", "_"): value for key, value in values.items()}
    return _get_settings_form().validate_python(fields)


def check_entries(variant: Variant, root: TomlValue) -> None:
    """Record errors for what a game lacks, and for names in it that scorepad does not know.

    `root` is the top-level table of the game's file, in which the errors are reported.
    """
    for key in SETTING_KEYS:
        if key not in variant.settings:
            # "missing. Add the key, or extend a variant that has it."
            root.report("missing", f"settings.{key}")
    _check_registered("checks", variant.checks, NATURES, root)
    _check_registered("lines", variant.lines, LINES, root)
    for preset in variant.presets.values():
        _check_preset(preset, variant, root)


def _check_registered(
    table: str, names: Iterable[str], registered: Collection[str], root: TomlValue
) -> None:
    """Record an error for each name in a table of the file for which scorepad has no function.

    The `table` is `checks` (what may be wrong with a hand) or `lines` (what a score consists of),
    and `names` are those in it. `registered` are the names of the functions.
    """
    for name in names:
        if name not in registered:
            known = ", ".join(registered)
            # "“foo” is no check, score line or penalty." with those that there are
            root.report("unknown-rule", f"{table}.{name}", name=name, known=known)


def _check_preset(preset: Preset, variant: Variant, root: TomlValue) -> None:
    """Record an error if a preset chooses an option, or a value of it, that the game does not have.

    A preset is a set of options. Only the first wrong one is reported.
    """
    for name, value in preset.options.items():
        option = variant.options.get(name)
        if option is None or option.value_of(value) is None:
            # "this variant has no such option, or value of it. Add the option to takes-options …"
            root.report("no-such-value", f"presets.{preset.id}.{name}")
            return


def check_values(variant: Variant, root: TomlValue, wrong_settings: Collection[str] = ()) -> None:
    """Record errors for values of a complete game that are impossible, or do not fit each other.

    `root` is the top-level table of the game's file. `wrong_settings` are those for which an
    error is recorded already: nothing that may follow from them is reported.
    """
    values = {key: setting.value for key, setting in variant.settings.items()}
    if values["unit"] == "points":  # other games count single units
        _check_multiples("bonuses", variant.bonuses, root)
        _check_multiples("penalties", variant.penalties, root)

    reporter = _Reporter(root, wrong_settings)
    _check_settings(values, variant, reporter)
    _check_settings_of_options(values, variant, reporter)
    _check_match_ends(values, variant, reporter)


def _check_match_ends(values: Mapping[str, Any], variant: Variant, reporter: _Reporter) -> None:
    """Record an error if nothing ends a match: no target of points, last hand or time limit.

    `values` are the settings of the game, by key.
    """
    has_target = values["target"] != "unlimited"
    has_last_hand = values["match-deals"] != "unlimited"
    has_time_limit = variant.ends.minutes is not None
    if not (has_target or has_last_hand or has_time_limit):
        # "with the target "unlimited" the match never ends. Write a target, or ends = …"
        reporter.report("endless", "target")


def _check_settings_of_options(
    values: Mapping[str, Any], variant: Variant, reporter: _Reporter
) -> None:
    """Record errors for options that set something which does not fit the other settings.

    An option is a choice that players make before a match, and each value of it sets some settings.
    `values` are the settings of the game without its options, by key.

    The check ends with the first error in the file. Otherwise the same error would be found again
    with every value of every option.
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
    """Record errors for bonuses or penalties whose points are no multiple of 5.

    All points of a score are multiples of 5. `kind` is the table of the file in which they stand,
    `bonuses` or `penalties`. A penalty without points is skipped.
    """
    for code, entry in entries.items():
        if entry.points is not None and entry.points % SMALLEST_POINTS != 0:
            # "a multiple of 5 is expected."
            root.report("not-multiple", f"{kind}.{code}.points", step=SMALLEST_POINTS)


class _Reporter:
    """Records errors about settings that do not fit each other.

    `root` is the top-level table of the file. `wrong_settings` are names of settings for which an
    error is recorded already.
    """

    def __init__(self, root: TomlValue, wrong_settings: Collection[str]) -> None:
        self.root = root
        self.wrong_settings = wrong_settings

    def report(self, problem: str, key: str, **arguments: str | int) -> None:
        """Record that the setting `key` does not fit another one, on which it depends.

        `problem` is the code of the message, such as `"too-few"`, and `arguments` are values to
        insert into it. Nothing is recorded if an error is recorded for one of these settings
        already: the problem may only follow from that mistake.
        """
        settings_involved = (key, *_DEPENDS_ON.get(key, ()))
        if any(setting in self.wrong_settings for setting in settings_involved):
            return

        file = self.root.file
        in_file = [each for each in settings_involved if f"settings.{each}" in file.lines]
        if file.is_from_user and in_file and key not in in_file:
            # The user's file inherits this setting, so the user should change another one: "with
            # this value settings.opening-deals needs at least 1 values, and has 0."
            self.root.report(
                f"{problem}.other",
                f"settings.{in_file[0]}",
                other=f"settings.{key}",
                **arguments,
            )
        else:
            # "at least 1 values are expected, and there are 0."
            self.root.report(problem, f"settings.{key}", **arguments)


def _check_settings(values: Mapping[str, Any], variant: Variant, reporter: _Reporter) -> None:
    """Record errors for settings of a game that do not fit each other.

    `values` are the settings by key: those of the game itself, or with those that a value of an
    option sets.
    """
    is_from_user = reporter.root.file.is_from_user
    if not is_from_user:  # each value of a user's file was checked when the file was read
        report_wrong_values(values, reporter.root, "settings")

    settings = build_settings(values)
    _check_sides(settings, reporter)
    _check_left_group(settings, reporter)
    _check_families_needed(settings, reporter)
    _check_canastas(settings, reporter)
    _check_lists(settings, reporter)
    _check_opening_steps(settings, reporter)
    counts_red_threes = "red-threes" in variant.lines
    if counts_red_threes:
        _check_red_three_values(settings, reporter)


def _check_red_three_values(settings: Settings, reporter: _Reporter) -> None:
    """Record an error if there are too few values of red threes, which are bonus cards.

    The list has the value of one of them, of two, and so on. Two decks have four red threes, so
    four values are needed.
    """
    if _inherits_red_three_values(reporter.root):
        return  # if the file has more decks than its parent, `report_broken_conditions` reports it
    cards_of_each_kind = count_cards_in_decks(settings.decks)
    needed = cards_of_each_kind[RED_THREE]
    number_of_values = len(settings.red_three_values)
    if number_of_values < needed:
        # "at least 6 values are expected, and there are 4."
        reporter.report("too-few", "red-three-values", needed=needed, has=number_of_values)


def _inherits_red_three_values(root: TomlValue) -> bool:
    """Tell whether a user's file has the values of red threes from its parent game."""
    return root.file.is_from_user and "settings.red-three-values" not in root.file.lines


def report_wrong_values(values: Mapping[str, Any], root: TomlValue, path: str) -> set[str]:
    """Record errors for settings whose values are impossible, and return the keys of these.

    `values` are all settings of a game by key, and `path` is where they stand in the file. With
    `decks = 0` in it, the result is `{"decks"}`.
    """
    settings = TomlValue(root.file, values, path)
    errors_by_setting = _find_numbers_beyond_limits(settings)
    try:
        build_settings(values)
    except ValidationError as invalid:
        for key, errors in _make_errors_for_refused_settings(invalid, settings).items():
            errors_by_setting.setdefault(key, errors)  # one kind of error is enough

    for errors in errors_by_setting.values():
        for error in errors:
            root.file.add_error(error)
    return set(errors_by_setting)


def _find_numbers_beyond_limits(settings: TomlValue) -> dict[str, list[VariantError]]:
    """Make an error for each number in the settings that is too small or too large.

    The errors are given by the key of the setting. Points must also be multiples of 5, but games
    that count units instead have no such step.
    """
    is_in_points = settings.value["unit"] == "points"
    errors_by_setting: dict[str, list[VariantError]] = {}
    for key, limits in LIMITS.items():
        if not settings.has(key):
            continue  # `LIMITS` also has those of bonuses and penalties, which are no settings
        step = limits.step if is_in_points else 1
        for number in _list_numbers_in_value(key, settings.get(key)):
            try:
                number.read_number(limits.least, limits.most, step)
            except VariantError as error:
                errors_by_setting.setdefault(key, []).append(error)
    return errors_by_setting


def _list_numbers_in_value(key: str, setting: TomlValue) -> list[TomlValue]:
    """List the numbers in the value of a setting, each with its path in the file.

    - `decks = 2` → 2, at `settings.decks`
    - `card-points = { JK = 50, 2 = 20 }` → 50, at `settings.card-points.JK`, and 20, at
      `settings.card-points.2`

    Anything that is no number is left out here: pydantic refuses it later.
    """
    try:
        value_by_part = split_into_parts(key, setting.value)
    except (TypeError, ValueError, LookupError, AttributeError):
        return []  # no table or list where there must be one
    parts = [setting.at_key(name, value) for name, value in value_by_part.items()]
    if not parts:
        parts = [setting]  # a single value
    return [part for part in parts if _is_integer(part.value)]


def _is_integer(value: object) -> bool:
    """Tell whether a value is a whole number. In Python, `True` would be one too."""
    return isinstance(value, int) and not isinstance(value, bool)


def _make_errors_for_refused_settings(
    invalid: ValidationError, settings: TomlValue
) -> dict[str, list[VariantError]]:
    """Make errors for the settings that pydantic refused, such as a text in place of a number.

    They are given by the key of the setting. If the setting is a list, there is one error for each
    wrong entry of it.
    """
    first_detail_at: dict[_RefusedPlace, ErrorDetails] = {}
    for detail in invalid.errors():
        first_detail_at.setdefault(_find_place_of_error(detail), detail)

    errors_by_setting: dict[str, list[VariantError]] = {}
    for place, detail in first_detail_at.items():
        # `int_type`, a code of pydantic, has the message "a whole number is expected", under the
        # name `value.int_type`.
        problem = f"value.{detail['type']}"
        error = settings.make_error(problem, place.key, **_make_message_arguments(detail))
        errors_by_setting.setdefault(place.key, []).append(error)
    return errors_by_setting


class _RefusedPlace(NamedTuple):
    """The key of a setting that pydantic refused, and the number of the entry at fault (from 0), if
    the setting is a list.
    """

    key: str
    entry: int | None


def _find_place_of_error(error: ErrorDetails) -> _RefusedPlace:
    """Find which setting an error of pydantic is about, and which entry of it.

    Pydantic says where it is as a tuple:

    - `("drawn",)` → the setting `drawn`
    - `("opening_steps", 2, 0)` → the setting `opening-steps`, its entry with the index 2
    """
    field_name, *path_inside = error["loc"]
    key = str(field_name).replace("_", "-")
    if path_inside and isinstance(path_inside[0], int):
        return _RefusedPlace(key, path_inside[0])
    return _RefusedPlace(key, None)


def _make_message_arguments(error: ErrorDetails) -> dict[str, str]:
    """Return the values to insert into the message about an error of pydantic.

    - `decks = "two"` → `{"given": "two", "inside": ""}`
    - a wrong number in a list, at `("opening_steps", 2, 0)` → `inside` is `"2.0"`
    - a number below a limit of 0 → also `"ge": "0"`, as pydantic calls "greater or equal"
    - a word that is not among those allowed → also `"expected"`, with these words
    """
    _, *path_inside = error["loc"]
    arguments = {
        "given": str(error["input"])[:_LONGEST_QUOTE],
        "inside": ".".join(str(part) for part in path_inside),
    }
    what_is_expected = error.get("ctx", {})  # missing if the type of the error says it all
    for name, value in what_is_expected.items():
        arguments[name] = str(value)
    return arguments


def _check_sides(settings: Settings, reporter: _Reporter) -> None:
    """Record errors for a wrong number of sides or players, or of players who sit out a hand.

    `sides = [2, 2]` are two sides of two players. `resting = [0, 1]` says that one player of the
    second side does not play, by turns. Each side needs somebody who plays.
    """
    number_of_sides = len(settings.sides)
    has_right_number = 1 < number_of_sides <= MOST_SIDES
    has_right_sizes = all(1 <= players <= MOST_PLAYERS for players in settings.sides)
    if not has_right_number or not has_right_sizes:
        # "2 to 3 sides are expected, of 1 to 4 players" and an example
        reporter.report("sides", "sides", most=MOST_SIDES, players=MOST_PLAYERS)

    has_number_for_each_side = len(settings.resting) == number_of_sides
    if not has_number_for_each_side or not _has_players_on_each_side(settings):
        # "a number for each of the 2 sides is expected, below that of its players."
        reporter.report("resting", "resting", sides=number_of_sides)


def _has_players_on_each_side(settings: Settings) -> bool:
    """Tell whether at least one player of each side plays, and not all of them sit out."""
    return all(settings.players_of(side) >= 1 for side in range(len(settings.sides)))


def _check_left_group(settings: Settings, reporter: _Reporter) -> None:
    """Record an error if cards left in hand are counted in groups of no cards.

    In some games, each group of `left-group` cards that a side still holds at the end costs a unit.
    """
    is_counted_in_groups = settings.cards_left != "points"
    if is_counted_in_groups and settings.left_group < 1:
        # "a whole number from 1 to 99 is expected here."
        reporter.report("number", "left-group", least=1, most=_LARGEST_GROUP)


def _check_canastas(settings: Settings, reporter: _Reporter) -> None:
    """Record errors for kinds of canasta with an unknown rank, too long, or named as a score line.

    A canasta is a group of seven or more cards. Each kind is counted under its `item`, and cannot
    use a name such as `penalty`, under which something else is counted.
    """
    for kind in settings.canastas:
        if kind.rank is not None and kind.rank not in _RANKS:
            # "“X” is no rank of card." with those that there are
            reporter.report("unknown-rank", "canastas", name=kind.rank, known=", ".join(_RANKS))
        naturals_in_decks = count_cards_in_decks(settings.decks)[NATURAL_INDICES[0]]
        _fewest_wilds, most_wilds = kind.wilds
        most_cards = naturals_in_decks + min(most_wilds, settings.wild_limit)
        if kind.shape == "group" and kind.length > most_cards:
            # On the page: "These decks make no canasta of 12 cards: there are at most 8."
            reporter.report("canasta-too-long", "canastas", length=kind.length, most=most_cards)
        if kind.item in _OTHER_LINES:
            # "“penalty” cannot be a name", because it is that of another line
            reporter.report("item", "canastas", name=kind.item)


def _check_families_needed(settings: Settings, reporter: _Reporter) -> None:
    """Record an error if players need canastas of a family that no kind of canasta has.

    A canasta is a group of seven or more cards, and its family is `natural` or `mixed`, for
    example. `canasta-families-needed` says how many of a family a side needs to end a round.
    """
    families_of_game: list[str] = []
    for kind in settings.canastas:
        if kind.family not in families_of_game:
            families_of_game.append(kind.family)
    known = ", ".join(families_of_game)
    for family, _number_needed in settings.canasta_families_needed:
        if family not in families_of_game:
            # "no canasta is of the family “foo”." with those that there are
            reporter.report("unknown-family", "canasta-families-needed", name=family, known=known)


def _check_lists(settings: Settings, reporter: _Reporter) -> None:
    """Record errors for lists that are empty although the game looks something up in them.

    The message is "at least 1 values are expected, and there are 0."
    """
    # Every game looks up here whether the cards of a side count for it or against it.
    if not settings.cards_by_canastas:
        reporter.report("too-few", "cards-by-canastas", needed=1, has=0)

    # Some games look up the same for red or black threes, which are bonus cards there.
    depends_on_canastas = settings.red_threes_condition == "canastas"
    looks_up_threes = depends_on_canastas or settings.black_threes_exposed
    if looks_up_threes and not settings.red_threes_by_canastas:
        reporter.report("too-few", "red-threes-by-canastas", needed=1, has=0)

    # And some look up how many points the first cards of a side must be worth in each hand (round).
    if settings.opening_by == "deal" and not settings.opening_deals:
        reporter.report("too-few", "opening-deals", needed=1, has=0)


def _check_opening_steps(settings: Settings, reporter: _Reporter) -> None:
    """Record an error if the steps of the opening minimum do not begin at 0 and rise from there.

    The opening minimum is how many points the first cards that a side lays must be worth. It
    depends on the score of the side: `[[0, 50], [1500, 90]]` says 50 from 0 on, 90 from 1500 on.
    """
    scores = [score for score, _minimum in settings.opening_steps]
    begins_at_zero = len(scores) > 0 and scores[0] == 0
    if settings.opening_by == "score" and not begins_at_zero:
        # "the first step begins at 0" and an example
        reporter.report("first-step", "opening-steps")
        return

    rising_scores = sorted(set(scores))  # each score once, too
    if scores != rising_scores:
        # "the steps go in order, from the lowest score to the highest."
        reporter.report("not-rising", "opening-steps")

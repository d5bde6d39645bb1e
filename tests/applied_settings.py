"""The settings that a score line, a problem or a reason may rest on, written down by hand.

Its citations must stand beside the value of one of them. A setting is given with one of its steps,
or with "" for the setting as a whole: `("opening-steps", "1500")`, `("decks", "")`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scorepad.referee.ruling import Reason
from scorepad.rules.definitions import split_into_parts
from scorepad.rules.score_lines import Line
from tests.data import read_data
from tests.recorded import RecordedValue

Rules = Mapping[str, RecordedValue]
"""The settings in force, by name."""
SettingStep = tuple[str, str]
SettingsOfLine = Callable[[Rules, Line], Iterator[SettingStep]]
SettingsOfProblem = Callable[[Rules, Mapping[str, Any]], Iterator[SettingStep]]
"""The second argument has the figures of the problem by name."""


def value_by_step(rules: Rules, setting: str) -> Mapping[str, Any]:
    """The value of a setting by its steps: `{"0": 50, "1500": 90}` of `opening-steps`."""
    return split_into_parts(setting, rules[setting].value)


def value_of(rules: Rules, setting: str, step: str = "") -> Any:
    """The value of a step, or of the whole setting where there is no such step."""
    return value_by_step(rules, setting).get(step, rules[setting].value)


def sign(number: float) -> int:
    if number > 0:
        return 1
    if number < 0:
        return -1
    return 0


# -------------------------------------------------------------------------------------------- lines


def settings_of_line(rules: Rules, line: Line) -> Iterator[SettingStep]:
    settings_of_item = SETTINGS_BY_ITEM.get(line.item, settings_of_canastas)
    return settings_of_item(rules, line)


def is_capped(rules: Rules, line: Line, points_each: int) -> bool:
    """Whether canastas of a side that did not go out count less than they are worth."""
    full_points = abs(points_each * (line.count or 0))
    return rules["canastas-capped"].value != "never" and abs(line.points) < full_points


def settings_of_canastas(rules: Rules, line: Line) -> Iterator[SettingStep]:
    points_each = value_of(rules, "canastas", line.item)
    if is_capped(rules, line, points_each):
        yield "canastas-capped", ""
    elif line.points == 0:
        yield "canastas-count", ""
    elif line.points == points_each * (line.count or 0):
        yield "canastas", line.item


def settings_of_concealed_canastas(rules: Rules, line: Line) -> Iterator[SettingStep]:
    points_each = value_of(rules, "concealed-canasta")
    if is_capped(rules, line, points_each):
        yield "canastas-capped", ""
    elif line.points == points_each * (line.count or 0):
        for kind_of_canasta in value_by_step(rules, "canastas"):
            yield "concealed-canasta", kind_of_canasta


def settings_of_cards(rules: Rules, line: Line) -> Iterator[SettingStep]:
    yield "card-points", ""
    yield "card-points", "3b"
    for step, sign_of_step in value_by_step(rules, "cards-by-canastas").items():
        if line.points == 0 or sign_of_step == sign(line.points):
            yield "cards-by-canastas", step


def settings_of_red_threes(rules: Rules, line: Line) -> Iterator[SettingStep]:
    points = abs(line.points)
    shares = value_by_step(rules, "red-threes-by-families")
    may_go_to_opponents = value_of(rules, "red-threes-otherwise") == "to-opponents"
    for _own_share, opponents_share in shares.values():
        if opponents_share:
            may_go_to_opponents = True

    for number, worth in value_by_step(rules, "red-three-values").items():
        if points in (worth, 2 * worth) or (may_go_to_opponents and points):
            yield "red-three-values", number
    yield from settings_of_red_threes_condition(rules, line)
    yield from settings_of_number_of_canastas(rules, line)
    for families, (own_share, opponents_share) in shares.items():
        if sign(own_share) == sign(line.points) or opponents_share:
            yield "red-threes-by-families", families
    if shares:
        yield "canastas", ""


def settings_of_red_threes_condition(rules: Rules, line: Line) -> Iterator[SettingStep]:
    if line.points > 0:
        yield "red-threes-condition", ""
    may_apply = {
        "negative": line.points < 0,
        "zero": line.points == 0,
        "to-opponents": line.points >= 0,
    }
    if may_apply[value_of(rules, "red-threes-otherwise")]:
        yield "red-threes-otherwise", ""
    if value_of(rules, "red-threes-condition") == "out-needs":
        yield "canasta-families-needed", ""


def settings_of_number_of_canastas(rules: Rules, line: Line) -> Iterator[SettingStep]:
    for step, sign_of_step in value_by_step(rules, "red-threes-by-canastas").items():
        if sign_of_step == sign(line.points):
            yield "red-threes-by-canastas", step


def settings_of_black_threes(rules: Rules, line: Line) -> Iterator[SettingStep]:
    yield "black-threes-exposed", str(line.count)
    yield "black-threes-aside", str(line.count)
    yield from settings_of_number_of_canastas(rules, line)


def settings_of_going_out(rules: Rules, line: Line) -> Iterator[SettingStep]:
    """A bonus for going out, or one that depends on the canastas and may be added to it."""
    bonuses = {
        "out-bonus": value_of(rules, "out-bonus"),
        "concealed-out-bonus": value_of(rules, "concealed-out-bonus"),
    }
    if line.points in bonuses.values():
        for setting, points in bonuses.items():
            if points == line.points:
                yield setting, ""
        return

    yield "out-bonus-adds", ""
    yield "canastas", ""
    is_added = value_of(rules, "out-bonus-adds") == "sum"
    for step, points_by_canastas in value_by_step(rules, "out-bonus-canastas").items():
        rest = line.points - points_by_canastas
        if rest == 0:
            yield "out-bonus-canastas", step
        for setting, points in bonuses.items():
            if is_added and points == rest:
                yield "out-bonus-canastas", step
                yield setting, ""


def settings_of_cards_left(rules: Rules, line: Line) -> Iterator[SettingStep]:
    yield "cards-left", ""
    if line.points <= -value_of(rules, "left-black-three"):
        yield "left-black-three", ""


def settings_of_red_threes_held(rules: Rules, line: Line) -> Iterator[SettingStep]:
    threes_counted = 1
    if value_of(rules, "held-red-three-counts") == "each":
        threes_counted = line.count or 0
    if line.points == -threes_counted * value_of(rules, "held-red-three"):
        yield "held-red-three", ""
        yield "held-red-three-counts", ""


def settings_of_held_together(rules: Rules, line: Line) -> Iterator[SettingStep]:
    return settings_of_entries(rules, line, setting="held-together", key_of_step="key")


def settings_of_incomplete(rules: Rules, line: Line) -> Iterator[SettingStep]:
    return settings_of_entries(rules, line, setting="incomplete", key_of_step="name")


def settings_of_entries(
    rules: Rules, line: Line, *, setting: str, key_of_step: str
) -> Iterator[SettingStep]:
    """A setting that is a list of entries, of which each names the item of its line."""
    for entry in rules[setting].value:
        points = (line.count or 0) * entry["points"]
        points_with_four_jokers = points + entry.get("four_jokers", 0)
        if entry.get("item") == line.item and -line.points in (points, points_with_four_jokers):
            yield setting, entry[key_of_step]
            yield setting, ""


def settings_of_special_hand(rules: Rules, line: Line) -> Iterator[SettingStep]:
    for name, points in value_by_step(rules, "special-hands").items():
        if points == line.points:
            yield "special-hands", name


def settings_of_penalty(rules: Rules, line: Line) -> Iterator[SettingStep]:
    penalty = f"penalties/{line.code}"
    points = rules[penalty].value
    if points is None or line.points == -points * (line.count or 0):
        yield penalty, ""


def settings_of_agreement(_rules: Rules, _line: Line) -> Iterator[SettingStep]:
    yield "table-agreement", ""


SETTINGS_BY_ITEM: dict[str, SettingsOfLine] = {
    "concealed-canasta": settings_of_concealed_canastas,
    "cards": settings_of_cards,
    "red-threes": settings_of_red_threes,
    "black-threes": settings_of_black_threes,
    "black-threes-aside": settings_of_black_threes,
    "out": settings_of_going_out,
    "cards-left": settings_of_cards_left,
    "red-threes-held": settings_of_red_threes_held,
    "sevens-held": settings_of_held_together,
    "aces-held": settings_of_held_together,
    "sevens-incomplete": settings_of_incomplete,
    "aces-incomplete": settings_of_incomplete,
    "wilds-incomplete": settings_of_incomplete,
    "special": settings_of_special_hand,
    "penalty": settings_of_penalty,
    "sum": settings_of_agreement,
    "adjustment": settings_of_agreement,
}
"""By the item of a score line; every other line is one of canastas."""


# ----------------------------------------------------------------------------------------- problems


def settings_of_problem(
    rules: Rules, code: str, figures: Mapping[str, Any]
) -> Iterator[SettingStep]:
    if code in SETTINGS_WHATEVER_THE_FIGURES:
        return any_of(SETTINGS_WHATEVER_THE_FIGURES[code])
    return SETTINGS_BY_PROBLEM[code](rules, figures)


SETTINGS_WHATEVER_THE_FIGURES: dict[str, list[str]] = read_data("problems.toml")["settings"]


def any_of(settings: list[str]) -> Iterator[SettingStep]:
    for setting in settings:
        yield setting, ""


def settings_equal_to(rules: Rules, figure: object, *settings: str) -> Iterator[SettingStep]:
    """Those of the settings whose value is this figure."""
    for setting in settings:
        if rules[setting].value == figure:
            yield setting, ""


def settings_of_opening(rules: Rules, figures: Mapping[str, Any]) -> Iterator[SettingStep]:
    """The step that has this minimum at this score, or what may open at all."""
    minimum = figures["minimum"]
    score = figures.get("score", 0)
    deal = str(figures.get("deal", 1))

    yield "concealed-out", "minimum"
    if rules["concealed-out"].value == "with-lay-offs":
        yield "concealed-out", ""
    if value_of(rules, "opening-naturals-up-to") >= minimum:
        yield "opening-naturals-up-to", ""
    if score < 0 and value_of(rules, "opening-below-zero") == minimum:
        yield "opening-below-zero", ""
    for start, points in value_by_step(rules, "opening-steps").items():
        if points == minimum and 0 <= int(start) <= score:
            yield "opening-steps", start
    # A source may support the minimum only up to some score.
    for start in rules["opening-steps"].steps:
        if 0 <= int(start) <= score:
            yield "opening-steps", start
    if value_by_step(rules, "opening-deals").get(deal) == minimum:
        yield "opening-deals", deal
    yield from settings_of_what_may_open(rules, figures["why"])


def settings_of_what_may_open(rules: Rules, why: str) -> Iterator[SettingStep]:
    if why == "wilds-alone":
        yield from settings_equal_to(rules, "not-alone", "opening-wild-melds")
    elif why == "black-threes":
        yield from settings_equal_to(rules, "going-out", "black-threes")
    else:
        yield from settings_equal_to(rules, "needed", "opening-natural-group")


def settings_of_wilds(rules: Rules, figures: Mapping[str, Any]) -> Iterator[SettingStep]:
    wilds = figures["wilds"]
    naturals = figures["naturals"]
    if rules["wild-limit"].value < wilds:
        yield "wild-limit", ""
    breaks_ratio = {
        "any": False,
        "not-more-than-naturals": wilds > naturals,
        "fewer-than-naturals": wilds >= naturals,
        "half-of-naturals": 2 * wilds > naturals,
    }
    if breaks_ratio[rules["wild-ratio"].value]:
        yield "wild-ratio", ""
    if figures["allowed"] == 0:
        yield "natural-only", ""
    if rules["sequences"].value == "dirty":
        yield "sequences", ""


def settings_of_canastas_needed(rules: Rules, figures: Mapping[str, Any]) -> Iterator[SettingStep]:
    yield "canastas", ""
    if figures["needed"] > figures["has"]:
        yield from settings_equal_to(rules, figures["needed"], "canastas-needed")
    needed_by_family = value_by_step(rules, "canasta-families-needed")
    for family in figures.get("lacking", ()):
        if family.count > family.has and needed_by_family[family.family] == family.count:
            yield "canasta-families-needed", ""


def settings_of_short_meld(rules: Rules, figures: Mapping[str, Any]) -> Iterator[SettingStep]:
    return settings_equal_to(rules, figures["needed"], "meld-shortest", "wild-melds-shortest")


def settings_of_few_naturals(rules: Rules, figures: Mapping[str, Any]) -> Iterator[SettingStep]:
    return settings_equal_to(rules, figures["needed"], "meld-naturals")


def settings_of_long_meld(rules: Rules, figures: Mapping[str, Any]) -> Iterator[SettingStep]:
    yield "sequences", ""
    yield from settings_equal_to(rules, figures["allowed"], "meld-longest", "wild-melds-longest")


def settings_of_points_left(rules: Rules, figures: Mapping[str, Any]) -> Iterator[SettingStep]:
    return settings_equal_to(rules, figures["points"], "left-black-three")


def settings_of_target(rules: Rules, figures: Mapping[str, Any]) -> Iterator[SettingStep]:
    return settings_equal_to(rules, figures["target"], "target")


def settings_of_same_offence(_rules: Rules, _figures: Mapping[str, Any]) -> Iterator[SettingStep]:
    yield "penalties-known", "same-offence"


def no_settings(_rules: Rules, _figures: Mapping[str, Any]) -> Iterator[SettingStep]:
    return iter(())


SETTINGS_BY_PROBLEM: dict[str, SettingsOfProblem] = {
    "meld-too-short": settings_of_short_meld,
    "meld-too-few-naturals": settings_of_few_naturals,
    "meld-too-many-wilds": settings_of_wilds,
    "meld-too-long": settings_of_long_meld,
    "out-canastas-missing": settings_of_canastas_needed,
    "opening-below-minimum": settings_of_opening,
    "opening-impossible": settings_of_opening,
    "opening-unknown": settings_of_opening,
    "red-three-twice": settings_of_same_offence,
    "left-in-points": settings_of_points_left,
    "target-reached": settings_of_target,
    "card-unknown": no_settings,
    "side-unknown": no_settings,
    "not-checked": no_settings,
    "bounds-not-checked": no_settings,
}


# ------------------------------------------------------------------------------------------ rulings

SETTINGS_OF_FIGURE = {
    "minimum": ("opening-steps", "opening-below-zero", "opening-deals"),
    "bonus": ("canastas", "concealed-canasta"),
    "worth": ("red-three-values",),
    "more": ("pile-tops",),
}
"""Figures of reasons that must be the value of the step cited, where it is one of these settings."""


def settings_of_reason(rules: Rules, reason: Reason) -> Iterator[SettingStep]:
    for cited_setting in reason.cited_settings:
        setting, _, step = cited_setting.partition("/")
        if setting == "penalties":
            yield cited_setting, ""
            continue
        figures = figures_from_setting(reason, setting)
        if figures and step in value_by_step(rules, setting):
            assert value_of(rules, setting, step) in figures, reason
        yield setting, step


def figures_from_setting(reason: Reason, setting: str) -> list[Any]:
    """The figures of a reason that must be values of this setting."""
    figures = []
    for name, settings in SETTINGS_OF_FIGURE.items():
        if setting in settings and name in reason.arguments:
            figures.append(reason.arguments[name])
    return figures

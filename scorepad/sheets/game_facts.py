"""What blank pads and rules cards say of a game with a table's choices: settings in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import cards_by_points, item_word, setting_words, value_word
from scorepad.rules.definitions import Choices, Variant
from scorepad.rules.hand import EXTRA_COUNTS
from scorepad.rules.variants import default_of, variant_with_choices
from scorepad.schemas.variant_json import is_listed

_SETTINGS_OF_EXTRAS = tuple(extra.setting for extra in EXTRA_COUNTS if extra.has_own_setting)
BONUSES = (
    "concealed-canasta", "red-three-values", "red-threes-otherwise", "red-threes-by-canastas",
    "red-threes-by-families", *_SETTINGS_OF_EXTRAS, "out-bonus", "concealed-out-bonus",
    "out-bonus-canastas", "special-hands", "canastas-needed", "canasta-families-needed", "out-red-threes",
    "incomplete", "held-red-three", "held-together", "left-black-three", "left-wild", "left-group",
)  # fmt: skip
"""The settings in the table of bonuses, after the canastas: bonuses, then losses."""
NEEDED_TO_GO_OUT = ("canastas-needed", "canasta-families-needed", "out-red-threes")
"""Settings without points, which the smallest pads omit."""
_FOR_THE_SIDE_IN_ANY_CASE = [1]
"""The value of `red-threes-by-canastas` if red threes (bonus cards) count for their side however few
canastas it has, which is what players expect.
"""


class NamedValue(NamedTuple):
    """A setting or figure with its value, both in words."""

    name: str
    value: str


class GameFacts:
    """The facts of a game with a table's choices, in words.

    Attributes: `name`, that of the game; `chosen`, the preset and the table's changes to it.
    """

    def __init__(
        self, name: str, words: Words, preset: str | None, options: Choices | None
    ) -> None:
        self.variant = variant_with_choices(name, preset, options)
        words = words.with_rules(self.variant)
        self.words = words
        self.name = words.t(f"variant.{self.variant.id}.name")
        self.chosen = _choices_in_words(self.variant, preset, options or {}, words)

    def setting(self, key: str) -> Any:
        return self.variant.settings[key].value

    def is_shown(self, key: str) -> bool:
        """Whether a setting says something of this game."""
        return is_listed(key, self.variant)

    def named_setting(self, key: str) -> NamedValue:
        """A setting and its value, in words: `Traguardo`, `5.000`."""
        return NamedValue(self._name_of_setting(key), setting_words(key, self.variant, self.words))

    def _name_of_setting(self, key: str) -> str:
        """The name of a setting: a short one for paper if there is one, else the usual one."""
        message_keys = [f"paper.{key}", f"setting.{key}"]
        if key == "red-threes-otherwise":
            # Its best name says in which case red threes count otherwise than usual.
            condition = self.setting("red-threes-condition")
            message_keys.insert(0, f"paper.{key}.{condition}")
        return self.words.t(self.words.first_known(*message_keys))

    # ---------------------------------------------------------------- opening minimums

    @property
    def openings(self) -> list[NamedValue]:
        """The opening minimums by score or hand; none if there are none."""
        by = self.setting("opening-by")
        if by == "deal":
            return self._openings_by_hand()
        if by == "score":
            return self._openings_by_score()
        return []

    def _openings_by_hand(self) -> list[NamedValue]:
        """The minimum of the opening in each hand: `1ª smazzata`, `50`.

        The opening is what a side lays first in a hand.
        """
        openings = []
        for number, minimum in enumerate(self.setting("opening-deals"), 1):
            name = self.words.t("paper.opening.hand", number=number)
            openings.append(NamedValue(name, self.words.figure(minimum)))
        return openings

    def _openings_by_score(self) -> list[NamedValue]:
        """The minimum of the opening by the score of the side: `below zero`, `15`; `from 0`, `50`.

        The opening is what a side lays first in a hand. If the minimum below zero is that of the
        first step too, both are one: `below 1,500`, `50`; or `at any score`.
        """
        steps = self.setting("opening-steps")  # pairs of a score and the minimum from there on
        first_score, first_minimum = steps[0]
        minimum_below_zero = self.setting("opening-below-zero")
        if minimum_below_zero != first_minimum:
            name = self.words.t("paper.opening.below-zero", score=first_score)
            lowest = NamedValue(name, self.words.figure(minimum_below_zero))
            return [lowest, *self._openings_from(steps)]
        if len(steps) == 1:
            name = self.words.t("paper.opening.always")
            return [NamedValue(name, self.words.figure(first_minimum))]

        next_score, _ = steps[1]
        name = self.words.t("paper.opening.below", score=next_score)
        lowest = NamedValue(name, self.words.figure(first_minimum))
        return [lowest, *self._openings_from(steps[1:])]

    def _openings_from(self, steps: Iterable[tuple[int, int]]) -> list[NamedValue]:
        """The minimum from each of some scores on: `[(1500, 90)]` → `from 1,500`, `90`."""
        openings = []
        for score, minimum in steps:
            name = self.words.t("paper.opening.from", score=score)
            openings.append(NamedValue(name, self.words.figure(minimum)))
        return openings

    # ---------------------------------------------------------------- cards and bonuses

    @property
    def cards(self) -> list[NamedValue]:
        """The values of cards, highest first; none if they are not counted in points."""
        if not self.is_shown("card-points"):
            return []
        facts = []
        for points, cards in cards_by_points(self.setting("card-points")).items():
            names = ", ".join([self._card_name(card) for card in cards])
            facts.append(NamedValue(names, self.words.figure(points)))
        return facts

    def _card_name(self, card: str) -> str:
        """A card as it is printed: `7` in digits, `K` as `re`, `2` as `pinella`.

        A two is a wild card, and players call it by its name rather than by its number.
        """
        is_number = card.isdecimal()
        if is_number and card != "2":
            return card
        return self.words.plural(f"card.{card}", 1)

    def canastas_and_bonuses(self, *, omitted: Collection[str]) -> list[NamedValue]:
        """The bonuses for canastas, then the other bonuses and losses, then those of the table.

        A canasta is a set of seven cards or more. Settings that are `omitted` are left out.
        """
        facts = self._canastas()
        for key in BONUSES:
            if key not in omitted and self._is_worth_printing(key):
                facts.append(self.named_setting(key))
        for code, bonus in self.variant.bonuses.items():
            facts.append(NamedValue(self.words.t(f"bonus.{code}"), self.words.figure(bonus.points)))
        return facts

    def _is_worth_printing(self, key: str) -> bool:
        """Whether a setting has something to say in the table of bonuses.

        It has not if the game has nothing of the kind, such as a bonus for going out concealed, or
        if it only says what players expect anyway: that red threes count for their side.
        """
        is_expected = self.setting(key) == _FOR_THE_SIDE_IN_ANY_CASE
        return self.is_shown(key) and not is_expected

    def _canastas(self) -> list[NamedValue]:
        """The canastas by name, each with its bonus: `Canaste naturali`, `500`.

        If canastas of one name have different bonuses, all are given: `1.000 / 2.000`.
        """
        points_by_item: dict[str, list[str]] = {}
        for kind in self.setting("canastas"):
            item = kind["item"]
            if item not in points_by_item:
                points_by_item[item] = []
            points = self.words.figure(kind["points"])
            if points not in points_by_item[item]:
                points_by_item[item].append(points)

        facts = []
        for item, points_of_item in points_by_item.items():
            name = item_word(self.variant.id, item, self.words)
            facts.append(NamedValue(name, " / ".join(points_of_item)))
        return facts


def _choices_in_words(
    variant: Variant, preset: str | None, options: Choices, words: Words
) -> tuple[str, ...]:
    """What a table chose: the name of the preset (a ready-made set of options), if it took one, and
    each option for which it chose something else: `("Torneo", "Traguardo: 3.000")`.
    """
    chosen = []
    preset_options: Choices = {}
    if preset:
        chosen.append(words.t(f"preset.{preset}"))
        preset_options = variant.presets[preset].options
    for name, value in options.items():
        default = default_of(variant, variant.options[name])
        value_without_choice = preset_options.get(name, default)
        if value != value_without_choice:
            option_in_words = words.t(f"option.{name}")
            value_in_words = value_word(name, value, words)
            chosen.append(words.t("web.new.chosen", option=option_in_words, value=value_in_words))
    return tuple(chosen)

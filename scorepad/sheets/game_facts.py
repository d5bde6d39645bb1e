"""What blank pads and rules cards say of a game with a table's choices: settings in words."""

from __future__ import annotations

from collections.abc import Collection
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
_SAME_FOR_ALL_CANASTAS = [1]
"""The value of a setting by number of canastas that does not depend on that number."""


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

    def fact(self, key: str) -> NamedValue:
        """A setting with its value, in words."""
        condition = self.setting("red-threes-condition")
        name = self.words.first_known(f"paper.{key}.{condition}", f"paper.{key}", f"setting.{key}")
        return NamedValue(self.words.t(name), setting_words(key, self.variant, self.words))

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
        openings = []
        for number, minimum in enumerate(self.setting("opening-deals"), 1):
            name = self.words.t("paper.opening.hand", number=number)
            openings.append(NamedValue(name, self.words.figure(minimum)))
        return openings

    def _openings_by_score(self) -> list[NamedValue]:
        steps = self.setting("opening-steps")
        first_score, first_minimum = steps[0]
        below_zero = self.setting("opening-below-zero")
        if below_zero != first_minimum:
            name = self.words.t("paper.opening.below-zero", score=first_score)
        elif len(steps) > 1:
            steps = steps[1:]
            name = self.words.t("paper.opening.below", score=steps[0][0])
        else:
            steps = []
            name = self.words.t("paper.opening.always", score=0)
        openings = [NamedValue(name, self.words.figure(below_zero))]
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
            names = ", ".join(self._card_name(card) for card in cards)
            facts.append(NamedValue(names, self.words.figure(points)))
        return facts

    def _card_name(self, card: str) -> str:
        if card.isdecimal() and card != "2":
            return card
        return self.words.plural(f"card.{card}", 1)

    def bonuses_without(self, omitted: Collection[str]) -> list[NamedValue]:
        """The canastas, a fact for each item with the values of its kinds; then the other bonuses
        and losses.
        """
        facts = self._canastas()
        for key in BONUSES:
            if key in omitted or not self.is_shown(key):
                continue
            if self.setting(key) != _SAME_FOR_ALL_CANASTAS:
                facts.append(self.fact(key))
        for code, bonus in self.variant.bonuses.items():
            facts.append(NamedValue(self.words.t(f"bonus.{code}"), self.words.figure(bonus.points)))
        return facts

    def _canastas(self) -> list[NamedValue]:
        values: dict[str, list[str]] = {}
        for kind in self.setting("canastas"):
            values.setdefault(kind["item"], []).append(self.words.figure(kind["points"]))
        facts = []
        for item, points in values.items():
            name = item_word(self.variant.id, item, self.words)
            facts.append(NamedValue(name, " / ".join(dict.fromkeys(points))))
        return facts


def _choices_in_words(
    variant: Variant, preset: str | None, options: Choices, words: Words
) -> tuple[str, ...]:
    """The preset, and the options that differ from it."""
    chosen = []
    preset_options: Choices = {}
    if preset:
        chosen.append(words.t(f"preset.{preset}"))
        preset_options = variant.presets[preset].options
    for key, value in options.items():
        usual = preset_options.get(key, default_of(variant, variant.options[key]))
        if value != usual:
            option = words.t(f"option.{key}")
            text = value_word(key, value, words)
            chosen.append(words.t("web.new.chosen", option=option, value=text))
    return tuple(chosen)

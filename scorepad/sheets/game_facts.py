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
_ALWAYS_FOR_THE_SIDE = [1]
"""The value of a setting by number of canastas if cards count for a side with any number of them."""


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
        name = self.words.t(self._key_of_name(key))
        return NamedValue(name, setting_words(key, self.variant, self.words))

    def _key_of_name(self, key: str) -> str:
        """The key of the message that names a setting; a name for paper is shorter than the usual."""
        usual_key = self.words.first_known(f"paper.{key}", f"setting.{key}")
        if key != "red-threes-otherwise":
            return usual_key
        # What red threes count "otherwise" has a name that says on what condition that is.
        condition = self.setting("red-threes-condition")
        return self.words.first_known(f"paper.{key}.{condition}", usual_key)

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
        lowest_minimum = self.setting("opening-below-zero")
        if lowest_minimum != first_minimum:
            name = self.words.t("paper.opening.below-zero", score=first_score)
            steps_after = steps
        elif len(steps) > 1:
            next_score, _ = steps[1]
            name = self.words.t("paper.opening.below", score=next_score)
            steps_after = steps[1:]
        else:
            name = self.words.t("paper.opening.always")
            steps_after = []

        openings = [NamedValue(name, self.words.figure(lowest_minimum))]
        for score, minimum in steps_after:
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
            if key not in omitted and self._is_bonus_shown(key):
                facts.append(self.named_setting(key))
        for code, bonus in self.variant.bonuses.items():
            facts.append(NamedValue(self.words.t(f"bonus.{code}"), self.words.figure(bonus.points)))
        return facts

    def _is_bonus_shown(self, key: str) -> bool:
        """Whether a setting of the table of bonuses says something that players do not expect."""
        is_expected = self.setting(key) == _ALWAYS_FOR_THE_SIDE
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

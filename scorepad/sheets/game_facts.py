"""What blank pads and rules cards say of a game with a table's choices: settings in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import (
    describe_option_value,
    describe_setting,
    group_cards_by_points,
    name_score_item,
)
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
        """Put the facts of a game into words.

        `name` is the id of the game. `preset` (a ready-made set of options) and `options` are what
        the players of a table chose among its rules.
        """
        self.variant = variant_with_choices(name, preset, options)
        self.words = words.with_rules(self.variant)  # house rules bring names of their own
        self.name = self.words.t(f"variant.{self.variant.id}.name")
        self.chosen = _describe_choices(self.variant, preset, options or {}, self.words)

    def setting(self, key: str) -> Any:
        """Return the value of a setting of the game, by its key such as `opening-steps`."""
        return self.variant.settings[key].value

    def is_shown(self, key: str) -> bool:
        """Tell whether a setting has an effect in this game, so that it is worth printing."""
        return is_listed(key, self.variant)

    def describe_named_setting(self, key: str) -> NamedValue:
        """Put a setting and its value into words: `decks` → "Decks", "2"."""
        name = self._choose_name_of_setting(key)
        value = describe_setting(key, self.variant, self.words)
        return NamedValue(name, value)

    def _choose_name_of_setting(self, key: str) -> str:
        """Choose the printed name of a setting: a short one for paper, or else the usual one."""
        short_name = f"paper.{key}"
        usual_name = f"setting.{key}"
        if key == "red-threes-otherwise":
            # Its best name says in which case red threes (bonus cards) count otherwise than usual:
            # "Red threes without an opening".
            case = self.setting("red-threes-condition")
            short_name = self.words.find_known_key(f"{short_name}.{case}", short_name)
        return self.words.t(self.words.find_known_key(short_name, usual_name))

    # ---------------------------------------------------------------- opening minimums

    @property
    def openings(self) -> list[NamedValue]:
        """How many points a side needs to lay its first cards in a hand (round).

        In some games that depends on its score, in others on the number of the hand. Empty for a
        game without such a minimum.
        """
        depends_on = self.setting("opening-by")
        if depends_on == "deal":
            return self._list_minimums_by_hand()
        if depends_on == "score":
            return self._list_minimums_by_score()
        return []

    def _list_minimums_by_hand(self) -> list[NamedValue]:
        """List how many points a side needs to lay its first cards, by the number of the hand.

        "hand 1" 50, "hand 2" 90, and so on.
        """
        openings = []
        for number, minimum in enumerate(self.setting("opening-deals"), 1):
            name = self.words.t("paper.opening.hand", number=number)
            openings.append(NamedValue(name, self.words.figure(minimum)))
        return openings

    def _list_minimums_by_score(self) -> list[NamedValue]:
        """List how many points a side needs to lay its first cards, by its score in the match.

        - usually: "below zero" 15, "from 0" 50, "from 1,500" 90
        - if the first step holds below zero too: "below 1,500" 50, "from 1,500" 90
        - if there is only that step: "at any score" 50
        """
        steps = self.setting("opening-steps")  # [[0, 50], [1500, 90]]: 90 points from 1,500 on
        first_score, first_minimum = steps[0]
        minimum_below_zero = self.setting("opening-below-zero")
        figure_below_zero = self.words.figure(minimum_below_zero)

        if minimum_below_zero != first_minimum:
            name = self.words.t("paper.opening.below-zero", score=first_score)
            return [NamedValue(name, figure_below_zero), *self._list_minimums_from(steps)]

        later_steps = steps[1:]
        if not later_steps:
            return [NamedValue(self.words.t("paper.opening.always"), figure_below_zero)]
        next_score, _minimum = later_steps[0]
        name = self.words.t("paper.opening.below", score=next_score)
        return [NamedValue(name, figure_below_zero), *self._list_minimums_from(later_steps)]

    def _list_minimums_from(self, steps: Iterable[tuple[int, int]]) -> list[NamedValue]:
        """List the minimum from each of some scores on: `[(1500, 90)]` → "from 1,500" 90."""
        openings = []
        for score, minimum in steps:
            name = self.words.t("paper.opening.from", score=score)
            openings.append(NamedValue(name, self.words.figure(minimum)))
        return openings

    # ---------------------------------------------------------------- cards and bonuses

    @property
    def cards(self) -> list[NamedValue]:
        """The points of the cards, highest first: "joker" 50, "two, ace" 20, and so on.

        Empty in a game where single cards count no points.
        """
        if not self.is_shown("card-points"):
            return []
        facts = []
        for points, cards in group_cards_by_points(self.setting("card-points")).items():
            names = ", ".join([self._name_card(card) for card in cards])
            facts.append(NamedValue(names, self.words.figure(points)))
        return facts

    def _name_card(self, card: str) -> str:
        """Return the printed name of a card: `7` → "7", `K` → "king", `2` → "two".

        Numbers are short and clear, but a two is a wild card, and has a name of its own in Italian
        (`pinella`).
        """
        is_number = card.isdecimal()
        if is_number and card != "2":
            return card
        return self.words.plural(f"card.{card}", 1)

    def list_canastas_and_bonuses(self, *, omitted: Collection[str]) -> list[NamedValue]:
        """List what earns or costs points besides the cards themselves.

        First come the bonuses for canastas (groups of seven cards or more), then the bonuses and
        losses of other settings, then bonuses of the players' own. `omitted` are the keys of
        settings to leave out.
        """
        facts = self._list_canastas()
        for key in BONUSES:
            if key not in omitted and self._is_worth_printing(key):
                facts.append(self.describe_named_setting(key))
        for code, bonus in self.variant.bonuses.items():
            facts.append(NamedValue(self.words.t(f"bonus.{code}"), self.words.figure(bonus.points)))
        return facts

    def _is_worth_printing(self, key: str) -> bool:
        """Tell whether the table of bonuses needs a line for a setting.

        - a setting without an effect in this game → False
        - red threes (bonus cards) count for the side that has them → False, everybody expects it
        - anything else → True
        """
        if not self.is_shown(key):
            return False
        return bool(self.setting(key) != _FOR_THE_SIDE_IN_ANY_CASE)

    def _list_canastas(self) -> list[NamedValue]:
        """List the kinds of canasta (a group of seven cards or more) with their bonuses.

        - "Natural canastas" 500, "Mixed canastas" 300
        - two kinds with one name but different bonuses → one line, "Wild canastas" 1,000 / 2,000
        """
        bonuses_by_item: dict[str, list[str]] = defaultdict(list)
        for kind in self.setting("canastas"):
            item = kind["item"]  # `natural-canasta`, which stands for the name
            bonus = self.words.figure(kind["points"])
            if bonus not in bonuses_by_item[item]:
                bonuses_by_item[item].append(bonus)

        facts = []
        for item, bonuses in bonuses_by_item.items():
            name = name_score_item(self.variant.id, item, self.words)
            facts.append(NamedValue(name, " / ".join(bonuses)))
        return facts


def _describe_choices(
    variant: Variant, preset: str | None, options: Choices, words: Words
) -> tuple[str, ...]:
    """Put into words what the players of a table chose among the rules of a game.

    A preset is a ready-made set of options. The result has its name, and each option for which the
    players chose another value than the preset has, or than is usual if the preset does not say:
    "Wild cards in a meld: three at most".
    """
    chosen = []
    options_of_preset: Choices = {}
    if preset:
        chosen.append(words.t(f"preset.{preset}"))
        options_of_preset = variant.presets[preset].options

    for name, value in options.items():
        usual_value = default_of(variant, variant.options[name])
        value_without_choice = options_of_preset.get(name, usual_value)
        if value == value_without_choice:
            continue
        option_in_words = words.t(f"option.{name}")
        value_in_words = describe_option_value(name, value, words)
        chosen.append(words.t("web.new.chosen", option=option_in_words, value=value_in_words))
    return tuple(chosen)

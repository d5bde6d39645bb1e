"""A variant with its options, resolved into the figures that a score needs (written apart from the
program).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .house import CLASSIC, HOUSES, LINKED, House, Ladder
from .options import VARIANTS, Unusable, resolve

FIGURES = tomllib.loads(Path(__file__).with_name("figures.toml").read_text("utf-8"))
LADDERS: dict[str, Ladder] = FIGURES["ladders"]
CLASSIC_LADDER = LADDERS["classica"]
CHOSEN_LADDERS: dict[str, Ladder] = FIGURES["chosen-ladders"]
"""Those of the option `opening-steps`, for the variants that take it."""
BONUS: dict[str, dict[str, int]] = FIGURES["canastas"]
INCOMPLETE: dict[str, dict[str, int]] = FIGURES["incomplete"]
"""What an incomplete meld of a kind costs at the end of the hand."""
DEALS = (50, 90, 120, 150)
"""hand-and-foot: the minimum of each of the four hands."""

VARIANTS_WITH: dict[str, list[str]] = FIGURES["variants-with"]


@dataclass(frozen=True)
class Game:
    """One variant under its options: every figure a hand is judged and scored by."""

    variant: str
    options: Mapping[str, Any]
    house: House = CLASSIC
    bonus: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        bonus = BONUS["classica"] | BONUS.get(self.variant, {}) | dict(self.house.bonus)
        if not self.wild_melds:
            bonus.pop("wild-canasta", None)
        if self.option("dirty-escalera"):
            bonus["dirty-samba"] = 300
        if self.option("concealed-canasta"):
            bonus["concealed-canasta"] = self.option("concealed-canasta")
        object.__setattr__(self, "bonus", bonus)

    def option(self, name: str) -> Any:
        """The value of an option, None where the variant does not take it."""
        return self.options.get(name)

    @property
    def concealed_alone(self) -> bool:
        """Whether who goes out concealed lays nothing on the side's melds."""
        return self.option("concealed-lay-offs") in (None, "forbidden")

    @property
    def decks(self) -> int:
        if self.variant == "hand-and-foot":
            return 5
        return 3 if self.variant in VARIANTS_WITH["three-decks"] else self.house.decks

    @property
    def sides(self) -> tuple[int, ...]:
        """How many sides may play."""
        if self.variant == "mini":
            return (2, 3)
        return (3,) if self.variant in ("tre", "tagliagola") else (2,)

    @property
    def hands(self) -> int:
        """How many hands of cards a side plays; in mini a list in `left` tells pairs from single
        players.
        """
        if self.variant in VARIANTS_WITH["single-players"]:
            return 1
        return 3 if self.variant == "sei" else 2

    @property
    def target(self) -> int | None:
        value: int | None = self.options.get("target")
        return value

    @property
    def has_cards(self) -> bool:
        """Whether cards laid count their points: everywhere but in mini, which counts in units."""
        return self.variant != "mini"

    @property
    def wild_melds(self) -> bool:
        if self.option("books") == "clean-and-dirty":
            return False
        return self.variant in VARIANTS_WITH["wild-melds"] or self.house.wild_melds

    @property
    def sequences(self) -> bool:
        return self.variant in ("samba", "bolivia")

    @property
    def size(self) -> int:
        """Cards of a canasta."""
        return 5 if self.variant == "mini" else 7

    @property
    def longest(self) -> int | None:
        """The longest meld of a rank, None where any length goes."""
        if self.option("any-length"):
            return None
        if self.variant == "mini":
            return 5
        exactly = self.option("canasta-size") == "exactly-seven"
        return 7 if exactly or self.variant in VARIANTS_WITH["at-most-seven-cards"] else None

    @property
    def longest_wild_meld(self) -> int | None:
        """The longest meld of wild cards alone, None where any length goes: in uruguaiana, as any
        other meld.
        """
        if self.variant == "mini":
            return 5
        if self.option("any-length"):
            return None
        return self.longest if self.variant == "uruguaiana" or self.house.wild_melds else 7

    def going_out(self) -> Game:
        """The game in the turn of going out: with the option, a meld of any length goes then."""
        if not self.option("eighth-card"):
            return self
        return replace(self, options={**self.options, "any-length": True})

    @property
    def max_wilds(self) -> int:
        """The most wild cards in a meld that also holds naturals."""
        if self.option("books") == "clean-and-dirty":
            return 3
        if self.variant in ("samba", "bolivia", "mini", "moderna", "hand-and-foot"):
            return 2
        return 2 if self.option("wild-limit") == "two" else self.house.wilds

    def ratio_holds(self, naturals: int, wilds: int) -> bool:
        """Whether the ratio of wilds to naturals in force is kept, the plain number aside."""
        if self.option("books") == "with-wild-books":
            return 2 * wilds <= naturals
        limit = self.option("wild-limit")
        if limit == "fewer-than-naturals":
            return wilds < naturals
        if limit == "not-more-than-naturals" or self.variant == "canastone":
            return wilds <= naturals
        return True

    @property
    def fewest_naturals(self) -> int:
        return 1 if self.variant == "mini" else 2

    @property
    def must_discard_last(self) -> bool:
        """Whether going out takes a last discard."""
        is_option = self.option("out-conditions") == "last-discard"
        return is_option or self.variant in ("canastone", "moderna")

    @property
    def black_melds(self) -> bool:
        """Whether whoever goes out may meld black threes."""
        return self.variant not in VARIANTS_WITH["no-black-melds"]

    @property
    def one_meld_a_rank(self) -> bool:
        """Whether two melds of one rank are worth a warning."""
        return self.variant in VARIANTS_WITH["one-meld-a-rank"]

    @property
    def fewest_blacks(self) -> int:
        return 3 if self.sequences else 2

    @property
    def deals(self) -> Sequence[int]:
        """The opening minimum of each hand of a match, where it goes by them."""
        return DEALS if self.variant == "hand-and-foot" else self.house.openings

    @property
    def last_deal(self) -> int:
        """The last hand of a match without a target."""
        return self.house.hands or len(DEALS)

    def minimum(self, before: int, deal: int) -> int | None:
        """The opening minimum at a match score (hand-and-foot: in a deal), None where there is
        none.
        """
        if self.variant == "mini":
            return None
        if self.deals:
            return self.deals[deal - 1] if deal <= len(self.deals) else None
        usual = self.house.ladder or LADDERS.get(self.variant, CLASSIC_LADDER)
        found = 0
        for score, points in CHOSEN_LADDERS.get(self.option("opening-steps"), usual):
            if before >= score:
                found = points
        return found


def find_game(variant: Any, preset: Any, options: Any) -> Game:
    """The game of a hand; Unusable where variant, preset or options do not exist."""
    if variant in HOUSES or variant in LINKED:
        house = (HOUSES | LINKED)[variant]
        if preset is not None:
            raise Unusable("preset")
        for name in options if isinstance(options, Mapping) else ():
            if name not in house.takes:
                raise Unusable(name)
        return Game("classica", {"target": house.target} | _resolved(options, house), house)
    if variant not in VARIANTS:
        raise Unusable("variant")
    return Game(variant, resolve(variant, preset, options))


def _resolved(options: Any, house: House) -> dict[str, Any]:
    resolved = resolve("classica", None, options)
    return resolved if "target" in options else resolved | {"target": house.target}

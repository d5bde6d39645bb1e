"""Which fields the count of a hand needs: those of what the rules of the match score, forbid or ask for, no others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.cards import INDEX, KINDS, NATURAL_INDICES, RED_THREE, Kind, in_decks
from scorepad.rules.settings import (
    BlackThrees,
    CardsLeft,
    ConcealedOut,
    HeldKind,
    IncompleteKind,
    LastDiscard,
    Partnership,
    Sequences,
    Settings,
)
from scorepad.rules.variants import Ruleset
from scorepad.web.count import names

Values = tuple[tuple[int, tuple[Kind, ...]], ...]
"""Cards by what each is worth, in points, the dearest first."""


@dataclass(frozen=True, slots=True)
class Needs:
    """The fields of a count under one set of rules, told by the rules' own data."""

    rules: Ruleset

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.rules.settings

    def _scores(self, line: str) -> bool:
        return any(rule.id == line for rule in self.rules.lines)

    def _checks(self, check: str) -> bool:
        return any(rule.id == check for rule in self.rules.checks)

    # ------------------------------------------------------------------ what was laid

    @property
    def totals(self) -> bool:
        """Whether a side may give what it counted at the table; otherwise it gives its cards."""
        return self.settings.counted_by != "cards"

    @property
    def ways(self) -> tuple[str, ...]:
        """How a side may be counted; the first holds where nothing else was chosen."""
        totals = (names.BY_TOTALS, names.BY_CARDS, names.BY_VALUES)
        ways = totals if self.totals else (names.BY_CARDS, names.NOTHING)
        return (*ways, *((names.BY_SPECIAL,) if self.special else ()), names.BY_SUM)

    def way(self, draft: Mapping[str, str], key: str) -> str:
        """How a side is counted in a draft."""
        return _chosen(draft.get(names.way(key)), self.ways)

    @property
    def values(self) -> Values:
        """The cards that may be melded by what each is worth."""
        return _by_worth(self.tapped, self.settings.card_points) if self.totals else ()

    def worth(self, points: int) -> int:
        """How many cards worth so many points the decks hold that may be melded."""
        return self._in_decks(dict(self.values)[points])

    def _in_decks(self, kinds: tuple[Kind, ...]) -> int:
        held = in_decks(self.settings.decks)
        return sum(held[INDEX[kind]] for kind in kinds)

    @property
    def special(self) -> tuple[tuple[str, int], ...]:
        """(name, points) of the hands that may be shown instead of melded."""
        return self.settings.special_hands if "special" in self.rules.entry_fields else ()

    @property
    def incomplete(self) -> tuple[IncompleteKind, ...]:
        """What is counted at the table of melds that are no canasta."""
        return self.settings.incomplete if self.totals and "incomplete" in self.rules.entry_fields else ()

    @property
    def suits(self) -> bool:
        """Whether melds may need suits."""
        return self.settings.sequences is not Sequences.NONE

    @property
    def tapped(self) -> tuple[Kind, ...]:
        """The cards that may be melded, in their order on the page."""
        naturals = (*(KINDS[index] for index in NATURAL_INDICES), Kind.TWO, Kind.JOKER)
        return naturals if self.settings.black_threes is BlackThrees.NEVER else (*naturals, Kind.BLACK_THREE)

    @property
    def opening(self) -> bool:
        """Whether there is a minimum that an opening may be held against."""
        return self._checks("opening-below-minimum")

    # ------------------------------------------------------------------ threes and what is in hand

    @property
    def red_threes(self) -> bool:
        """Whether red threes exposed are scored."""
        return self._scores("red-threes")

    @property
    def red_threes_held(self) -> bool:
        """Whether red threes in hand are scored."""
        return self._scores("red-threes-held")

    @property
    def black_threes(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Black threes that lie neither in a meld nor in a hand: the key in JSON, what one, two and so on are worth."""
        worths = {
            "black_threes_aside": self.settings.black_threes_aside,
            "black_threes": self.settings.black_threes_exposed,
        }
        return tuple((key, worth) for key, worth in worths.items() if key in self.rules.entry_fields)

    @property
    def held(self) -> tuple[HeldKind, ...]:
        """What players are counted for where their hands are given in points."""
        return tuple(kind for kind in self.settings.held_together if kind.key in self.rules.entry_fields)

    @property
    def counted(self) -> tuple[str, ...]:
        """The keys in JSON of all that is counted of a side beside canastas and red threes."""
        return (*(key for key, _ in self.black_threes), *(kind.key for kind in self.held))

    def most(self, field: str) -> int | None:
        """The most that a field is counted up to by tapping; None where nothing bounds it."""
        key = field[:1]
        if field in (names.red(key), names.red_held(key)):
            return in_decks(self.settings.decks)[RED_THREE]
        black = {names.counted(key, name): len(worths) for name, worths in self.black_threes}
        black |= {names.value(key, points): self._in_decks(kinds) for points, kinds in self.values}
        black |= {names.left_value(key, points): self._in_decks(kinds) for points, kinds in self.left_values}
        players = self.hands(SIDE_KEYS.index(key)) if key in SIDE_KEYS[: len(self.settings.sides)] else 0
        return {**black, **{names.counted(key, kind.key): players for kind in self.held}}.get(field)

    @property
    def left_ways(self) -> tuple[str, ...]:
        """How the cards left in hand may be given."""
        by_value = (names.IN_VALUES,) if self.left_values else ()
        return (names.IN_POINTS, names.IN_CARDS, *by_value) if self.totals else (names.IN_CARDS,)

    @property
    def left_values(self) -> Values:
        """The cards that cost something in hand by what each costs; none where a rule goes by more than points."""
        by_points = self.totals and self.settings.cards_left is CardsLeft.POINTS and not self.settings.held_together
        kinds = dict.fromkeys((*self.tapped, Kind.BLACK_THREE))
        costs = tuple(kind for kind in kinds if self.settings.left_points[INDEX[kind]])
        return _by_worth(costs, self.settings.left_points) if by_points else ()

    def left_way(self, draft: Mapping[str, str], key: str) -> str:
        """How the cards left in hand are given in a draft."""
        return _chosen(draft.get(names.left_way(key)), self.left_ways)

    def hands(self, position: int) -> int:
        """How many play the hand for a side."""
        return self.settings.sides[position] - self.settings.resting[position]

    def hands_apart(self, position: int) -> int | None:
        """How many hands of cards of a side are noted one by one; None where there is one, or all go together.

        Apart only where a rule goes by the single hand, or where nothing but the cards will do.
        """
        apart = bool(self.settings.held_together) or not self.totals
        return self.hands(position) if apart and self.hands(position) > 1 else None

    # ------------------------------------------------------------------ the hand as a whole

    @property
    def single(self) -> bool:
        """Whether somebody plays alone for the hand."""
        return "single" in self.rules.entry_fields

    @property
    def deals(self) -> int | None:
        """The hands of a match, where their number decides something."""
        return self.settings.match_deals if "deal" in self.rules.entry_fields else None

    @property
    def concealed(self) -> bool:
        """Whether a concealed going out is scored otherwise, or is allowed or denied something."""
        settings = self.settings
        otherwise = settings.concealed_out_bonus != settings.out_bonus
        no_minimum = settings.concealed_out is ConcealedOut.OWN_MELDS_ONLY and self.opening
        threes_open = settings.black_threes is not BlackThrees.NEVER and self.opening
        return otherwise or no_minimum or threes_open or settings.partnership is not Partnership.FIXED

    @property
    def must_discard(self) -> bool:
        """Whether nobody goes out without a last discard."""
        return self.settings.last_discard is LastDiscard.OBLIGATORY


def _by_worth(kinds: tuple[Kind, ...], points: tuple[int, ...]) -> Values:
    each = sorted({points[INDEX[kind]] for kind in kinds}, reverse=True)
    return tuple((worth, tuple(kind for kind in kinds if points[INDEX[kind]] == worth)) for worth in each)


def _chosen(typed: str | None, ways: tuple[str, ...]) -> str:
    return typed if typed in ways else ways[0]

"""Links between values of the rules: what follows when a file of house rules changes one of them,
and what the file has to give then too.

The links are data (`scorepad/variants/links`); each names its rule, a function of `FOLLOWS` or
`RELATIONS`. Values are in the form of the data, by their keys in a file: `settings.NAME`, and
`penalties.CODE` for the points of a penalty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple

from scorepad.rules.cards import RED_THREE, count_cards_in_decks
from scorepad.rules.definitions import Citation, Variant
from scorepad.rules.toml_reader import TomlValue

Values = Mapping[str, Any]
"""Values by their keys in a file."""
SETTINGS_PREFIX = "settings."
"""How the keys of settings begin in a file."""
NO_LIMIT = 99
"""The highest number of wild cards of a kind of canasta that names none."""


class LinkKind(StrEnum):
    """What a link between values demands of a file that changes one of them."""

    MOVES = "moves"
    """The last value follows the first by the rule, unless the file gives it: with one deck in
    place of two there are values for two red threes only.
    """
    ASKS = "asks"
    """If the rule then no longer holds, the file has to give the other values too: with three decks
    in place of two, the values of two more red threes.
    """
    NEEDS = "needs"
    """The rule has to hold, whatever the file gives."""


class Link(NamedTuple):
    """A rule between values of a variant, by their keys in a file."""

    id: str
    kind: LinkKind
    keys: tuple[str, ...]
    rule: str
    """Its name in `FOLLOWS` or in `RELATIONS`."""
    cited: tuple[Citation, ...]
    """The sources that state the link."""

    @property
    def cause(self) -> str:
        """The key of the value that another value depends on, such as `settings.decks`.

        Only for a link of the kind `moves`, by which the other value is computed from this one.
        """
        return self.keys[0]

    @property
    def follower(self) -> str:
        """The key of the value that is computed from another, such as `settings.red-three-values`.

        Only for a link of the kind `moves`.
        """
        return self.keys[-1]


# ---------------------------------------------------------------- what follows


def _keep_equal(other_before: Any, other_now: Any, value: Any) -> Any:
    """Return a value that follows another one, if both were equal before that one changed.

    A canasta needs seven cards, which changes to eight. The most cards of a meld:

    - it was 7 as well → 8
    - it was 12 → 12, it was chosen independently
    """
    if value == other_before:
        return other_now
    return value


def _keep_equal_to_black_three(
    card_points_before: Mapping[str, int], card_points_now: Mapping[str, int], value: int
) -> int:
    """Return what a black three left in hand costs, after the points of cards changed.

    It usually costs what the card is worth on the table. These points (under the code `3b`) change
    from 5 to 10:

    - it cost 5 as well → 10
    - it cost 100 → 100, it was chosen independently
    """
    black_three_before = card_points_before["3b"]
    black_three_now = card_points_now["3b"]
    return int(_keep_equal(black_three_before, black_three_now, value))


def _raise_to_sum(_families_before: object, families_now: list[tuple[str, int]], value: int) -> int:
    """Return how many canastas a side needs to end a round, at least as many as by their families.

    A canasta is a group of seven or more cards. `families_now` says how many of each family are
    needed, and `value` how many in all. With `[("natural", 1), ("mixed", 2)]`:

    - 1 in all → 3
    - 4 in all → 4

    The first argument is not needed here: all rules of `FOLLOWS` take three.
    """
    return max(value, _count_canastas_of_families(families_now))


def _cut_values_of_red_threes(_decks_before: int, decks: int, values: list[int]) -> list[int]:
    """Return the values of red threes (bonus cards), without those for more than the decks have.

    The list has the value of one red three, of two, and so on. A deck has two red threes: with one
    deck, `[100, 200, 300, 800]` → `[100, 200]`.

    The first argument is not needed here: all rules of `FOLLOWS` take three.
    """
    red_threes = _count_red_threes(decks)
    return values[:red_threes]


def _adapt_canastas_to_limit(
    limit_before: int, limit: int, canastas: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the kinds of canasta that are left when fewer or more wild cards are allowed.

    A canasta is a group of seven or more cards. `limit` is the most wild cards (jokers and twos)
    that a group may have. If it falls from 3 to 2:

    - a kind with `"wilds": [1, 3]` → `"wilds": [1, 2]`
    - a kind with `"wilds": [3, 3]` → left out, because nobody can make it any more
    """
    possible_kinds: list[dict[str, Any]] = []
    for kind in canastas:
        if _needs_more_wilds(kind, limit):
            continue
        possible_kinds.append(_adapt_kind_to_limit(kind, limit_before, limit))
    return possible_kinds


def _needs_more_wilds(kind: Mapping[str, Any], limit: int) -> bool:
    """Tell whether a kind of canasta needs more wild cards (jokers and twos) than allowed.

    A canasta is a group of seven or more cards. `limit` is the most wild cards that a group may
    have. With a limit of 2: `"wilds": [3, 3]` → True, `"wilds": [1, 3]` → False.
    """
    if _is_free_of_limit(kind):
        return False
    return _read_wilds_of_kind(kind).fewest > limit


def _adapt_kind_to_limit(kind: dict[str, Any], limit_before: int, limit: int) -> dict[str, Any]:
    """Return a kind of canasta with a new limit of wild cards, if it went up to the limit before.

    A canasta is a group of seven or more cards, and wild cards are jokers and twos. From 3 to 2:

    - `"wilds": [1, 3]` → `"wilds": [1, 2]`
    - `"wilds": [0, 1]` → unchanged
    """
    wilds = _read_wilds_of_kind(kind)
    if _is_free_of_limit(kind) or wilds.most != limit_before:
        return kind
    return {**kind, "wilds": [wilds.fewest, limit]}


def _is_free_of_limit(kind: Mapping[str, Any]) -> bool:
    """Tell whether the limit of wild cards in a group says nothing about this kind of canasta.

    That is so for canastas of wild cards (jokers and twos) alone, and for those that have none.
    """
    if kind["shape"] == "wilds":
        return True
    return _read_wilds_of_kind(kind).most == 0


class _WildsOfKind(NamedTuple):
    """How many wild cards a kind of canasta may have."""

    fewest: int
    most: int


def _read_wilds_of_kind(kind: Mapping[str, Any]) -> _WildsOfKind:
    """Return the fewest and the most wild cards (jokers and twos) that a kind of canasta may have.

    `kind` is its table in a file: `{ item = "mixed-canasta", wilds = [1, 3] }` → 1 and 3. Without
    `wilds` there is no limit → 0 and 99 (`NO_LIMIT`).
    """
    fewest, most = kind.get("wilds", (0, NO_LIMIT))
    return _WildsOfKind(fewest, most)


def _count_canastas_of_families(families: list[tuple[str, int]]) -> int:
    """Count the canastas needed of all families: `[("natural", 1), ("mixed", 2)]` → 3."""
    return sum(number for _, number in families)


def _count_red_threes(decks: int) -> int:
    """Return how many red threes are in so many decks: two decks → 4."""
    return count_cards_in_decks(decks)[RED_THREE]


FOLLOWS: Mapping[str, Callable[[Any, Any, Any], Any]] = {
    "same": _keep_equal,
    "same-as-black-three": _keep_equal_to_black_three,
    "at-least-sum": _raise_to_sum,
    "only-red-threes-there": _cut_values_of_red_threes,
    "most-wilds": _adapt_canastas_to_limit,
}
"""The rules by which a value follows from another one.

Each takes that other value before and after its change, and then its own value before; it returns
its own value now.
"""

# ---------------------------------------------------------------- what has to fit


def _canastas_fit_limit(limit: int, canastas: list[dict[str, Any]]) -> bool:
    """Tell whether the kinds of canasta fit the most wild cards that a group of cards may have.

    A canasta is a group of seven or more cards, and wild cards are jokers and twos. No kind of
    canasta may allow more of them than `limit`. And a group that has as many must still be able to
    become a canasta.
    """
    if _has_canasta_beyond(limit, canastas):
        return False
    return _full_group_can_be_canasta(limit, canastas)


def _has_canasta_beyond(limit: int, canastas: list[dict[str, Any]]) -> bool:
    """Tell whether a kind of canasta allows more wild cards than any meld may have.

    A canasta is a meld (group of cards on the table) of seven cards or more. Jokers and twos are
    wild cards. With a limit of 2, a kind with `"wilds": [1, 3]` → True.
    """
    # Kinds of wild cards alone are left out: the limit does not hold for them.
    most_in_groups = _list_most_wilds(canastas, shape="group")
    most_in_sequences = _list_most_wilds(canastas, shape="sequence")
    for most_wilds in most_in_groups + most_in_sequences:
        has_own_limit = most_wilds < NO_LIMIT  # otherwise the limit of melds holds for it
        if has_own_limit and most_wilds > limit:
            return True
    return False


def _full_group_can_be_canasta(limit: int, canastas: list[dict[str, Any]]) -> bool:
    """Tell whether a group of equal cards with the most wild cards allowed can become a canasta.

    A canasta is a group of seven or more cards. `limit` is the most wild cards (jokers and twos)
    that a group may have, and some kind of canasta must allow as many. With a limit of 3: only
    `"wilds": [1, 2]` → False. A game without canastas of equal cards → True.
    """
    most_in_groups = _list_most_wilds(canastas, shape="group")
    if not most_in_groups:
        return True
    return max(most_in_groups) >= limit


def _list_most_wilds(canastas: list[dict[str, Any]], *, shape: str) -> list[int]:
    """List the most wild cards of each kind of canasta with this shape.

    The shape is `group` (equal cards) or `sequence`. Two groups, one natural and one with
    `"wilds": [1, 3]` → `[0, 3]`.
    """
    numbers: list[int] = []
    for kind in canastas:
        if kind["shape"] == shape:
            numbers.append(_read_wilds_of_kind(kind).most)
    return numbers


def _each_red_three_has_value(decks: int, values: list[int]) -> bool:
    """Tell whether the list has a value for each number of red threes in the decks.

    Three decks have six red threes (bonus cards): four values → False. An empty list → True, red
    threes count nothing then.
    """
    if not values:
        return True
    return len(values) >= _count_red_threes(decks)


def _is_not_less(least: int, value: int) -> bool:
    """Tell whether a value is not below another one: 100 and 200 → True, 200 and 100 → False."""
    return value >= least


def _is_at_most_first_minimum(steps: list[tuple[int, int]], below_zero: int) -> bool:
    """Tell whether the opening minimum below a score of zero is no higher than that from zero on.

    The opening minimum is how many points the first cards that a side lays must be worth. Each step
    is a score and the minimum from there on. With `[(0, 50), (1500, 90)]`: 15 below zero → True,
    60 below zero → False. Without steps there is nothing to compare → True.
    """
    if not steps:
        return True
    _, first_minimum = steps[0]
    return below_zero <= first_minimum


def _minimums_rise(steps: list[tuple[int, int]]) -> bool:
    """Tell whether a higher score never has a lower opening minimum.

    The opening minimum is how many points the first cards that a side lays must be worth. Each step
    is a score and its minimum: `[(0, 50), (1500, 90)]` → True, `[(0, 90), (1500, 50)]` → False.
    """
    minimums = [minimum for _score, minimum in sorted(steps)]
    return _numbers_rise(minimums)


def _numbers_rise(numbers: list[int]) -> bool:
    """Tell whether no number is below the one before it: `[50, 50, 90]` → True."""
    return all(number <= following for number, following in pairwise(numbers))


def _is_enough_for_families(needed: int, families: list[tuple[str, int]]) -> bool:
    """Tell whether a side needs at least as many canastas in all as it needs by their families.

    A canasta is a group of seven or more cards. With `[("natural", 1), ("mixed", 1)]`: 2 needed in
    all → True, 1 → False.
    """
    return needed >= _count_canastas_of_families(families)


def _canasta_length_is_possible(
    shortest_meld: int, canasta_length: int, longest_meld: int | str
) -> bool:
    """Tell whether a meld (group of cards on the table) can have as many cards as a canasta needs.

    A meld has at least `shortest_meld` cards, and at most `longest_meld`, or `"unlimited"`. For a
    canasta of 7: from 3 to 7 → True, from 3 to 5 → False.
    """
    if canasta_length < shortest_meld:
        return False
    if longest_meld == "unlimited":
        return True
    return canasta_length <= int(longest_meld)


def _wild_melds_match_canastas(wild_melds: str, canastas: list[dict[str, Any]]) -> bool:
    """Tell whether a game has both melds and canastas of wild cards alone, or neither of them.

    Wild cards are jokers and twos. A meld is a group of cards on the table, and a canasta is one of
    seven cards or more. `wild_melds` is "never" if there are no such melds.
    """
    has_melds = wild_melds != "never"
    has_canastas = any(kind["shape"] == "wilds" for kind in canastas)
    return has_melds == has_canastas


def _sequences_match_canastas(sequences: str, canastas: list[dict[str, Any]]) -> bool:
    """Tell whether a game has both sequences and canastas in sequence, or neither of them.

    A sequence is a run of one suit, such as 9 8 7 of hearts, and a canasta is one of seven cards or
    more. `sequences` is "none" if the game has no sequences.
    """
    has_melds = sequences != "none"
    has_canastas = any(kind["shape"] == "sequence" for kind in canastas)
    return has_melds == has_canastas


def _cards_are_enough(
    dealt: int, decks: int, hands_each: int, sides: list[int], resting: list[int]
) -> bool:
    """Tell whether the decks have enough cards to deal, with two left to begin the game.

    `sides` and `resting` are the players of each side, and those of them who sit out. One deck of
    54 cards for two sides of two players:

    - 13 cards for each → True: 52 are dealt
    - 14 cards for each → False
    """
    players = sum(sides) - sum(resting)
    cards_to_begin = 2  # the first card of the discard pile, and one to draw
    cards_needed = dealt * hands_each * players + cards_to_begin
    return cards_needed <= sum(count_cards_in_decks(decks))


RELATIONS: Mapping[str, Callable[..., bool]] = {
    "canastas-reach-limit": _canastas_fit_limit,
    "each-red-three-has-value": _each_red_three_has_value,
    "not-less": _is_not_less,
    "below-first-step": _is_at_most_first_minimum,
    "minimums-rise": _minimums_rise,
    "numbers-rise": _numbers_rise,
    "families-within": _is_enough_for_families,
    "in-order": _canasta_length_is_possible,
    "wild-canastas-with-wild-melds": _wild_melds_match_canastas,
    "sequence-canastas-with-sequences": _sequences_match_canastas,
    "cards-are-enough": _cards_are_enough,
}
"""The rules that values keep; each takes the values of a link, in its order."""


# ---------------------------------------------------------------- the links of a file


class AdjustedValue(NamedTuple):
    """A value that has to change because another one changed."""

    cause: str
    """The key of that other value, such as `settings.decks`."""
    new_value: Any


@dataclass(frozen=True, slots=True)
class ChangedValues:
    """The values of a game whose file changes some of its parent's, each by its key in a file."""

    parent: Values
    """The values of the parent."""
    given: Values
    """The values that the file gives in place of those."""
    in_force: Values
    """All values that then hold."""

    def changed_keys(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the keys to which the file gives another value than the parent game.

        The file says `decks = 3` and `dealt = 11`, the parent has 2 and 11 → only
        `("settings.decks",)`.
        """
        changed: list[str] = []
        for key in keys:
            if key in self.given and self.given[key] != self.parent.get(key):
                changed.append(key)
        return tuple(changed)

    def keys_not_given(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the keys that the file does not give: there the parent's values hold."""
        return tuple(key for key in keys if key not in self.given)


class BrokenLink(NamedTuple):
    """A link that a file breaks."""

    link: Link
    changed: tuple[str, ...]
    """The keys of its values that the file changes."""
    not_given: tuple[str, ...]
    """The keys of its values that the file does not give."""


def values_by_key(variant: Variant) -> dict[str, Any]:
    """Return the settings and penalties of a game, by their keys in its file.

    `{"settings.decks": 2, "penalties.draw-out-of-turn": 100, …}`. A penalty for which the players
    agree on the points is left out.
    """
    values: dict[str, Any] = {}
    for key, setting in variant.settings.items():
        values[f"{SETTINGS_PREFIX}{key}"] = setting.value
    for code, penalty in variant.penalties.items():
        if penalty.points is not None:
            values[f"penalties.{code}"] = penalty.points
    return values


def find_adjusted_values(
    links: tuple[Link, ...], parent_values: Values, file_values: Values
) -> dict[str, AdjustedValue]:
    """Find the values that must change because a file of house rules changes others, by key.

    A file lists only what differs from the game that it extends, its parent. With
    `settings.decks = 1` in place of two decks, the result has a new, shorter list for
    `settings.red-three-values`: one deck has only two red threes (bonus cards). A value that the
    file gives itself is never in the result.
    """
    adjusted: dict[str, AdjustedValue] = {}
    for link in links:
        if link.kind is not LinkKind.MOVES:
            continue  # a link of another kind only checks values
        is_inherited = link.follower in parent_values and link.follower not in file_values
        if not is_inherited:
            continue  # the file gives the value itself
        if not _is_cause_changed(link, parent_values, file_values):
            continue
        new_value = _compute_linked_value(link, parent_values, file_values)
        if new_value != parent_values[link.follower]:
            adjusted[link.follower] = AdjustedValue(link.cause, new_value)
    return adjusted


def _compute_linked_value(link: Link, parent_values: Values, file_values: Values) -> Any:
    """Compute the new value that a link gives, after a file changed the value on which it depends.

    By the link from `settings.decks` to `settings.red-three-values`, one deck in place of two turns
    `[100, 200, 300, 800]` into `[100, 200]`.
    """
    apply_rule = FOLLOWS[link.rule]
    cause_before = parent_values[link.cause]
    cause_now = file_values[link.cause]
    return apply_rule(cause_before, cause_now, parent_values[link.follower])


def _is_cause_changed(link: Link, parent_values: Values, file_values: Values) -> bool:
    """Tell whether a file changes the value on which a linked value depends.

    For the link from `settings.decks`: two decks in the parent, one in the file → True; no decks in
    the file, or two as well → False.
    """
    if link.cause not in parent_values or link.cause not in file_values:
        return False
    return bool(file_values[link.cause] != parent_values[link.cause])


def find_broken_links(links: tuple[Link, ...], values: ChangedValues) -> list[BrokenLink]:
    """Find the rules between values that no longer hold because a file changes a value.

    A file with only `settings.decks = 1` breaks the link `cards-are-enough` if one deck has too few
    cards to deal. Links that a file does not touch are not checked.
    """
    broken: list[BrokenLink] = []
    for link in links:
        if link.kind is LinkKind.MOVES:
            continue  # this kind computes a value (`find_adjusted_values`), and checks nothing
        changed_keys = values.changed_keys(link.keys)
        if changed_keys and _is_broken_by_file(link, values):
            broken.append(BrokenLink(link, changed_keys, values.keys_not_given(link.keys)))
    return broken


def _is_broken_by_file(link: Link, values: ChangedValues) -> bool:
    """Tell whether the values of a link do not fit together, and the file must mend that.

    - three decks, and enough cards to deal → False
    - one deck, and too few cards to deal → True
    - three decks, but values for only four of the six red threes → True, unless the file lists
      these values itself
    """
    if not _has_all_values(link, values.in_force):
        return False  # one of the values was reported before, and is not judged again
    if _fulfils_rule(link, values.in_force):
        return False
    if link.kind is LinkKind.NEEDS:
        return True  # these values can never go together
    return _lacks_value_to_give(link, values)


def _lacks_value_to_give(link: Link, values: ChangedValues) -> bool:
    """Tell whether a file changes one value of a link, and forgets another that no longer fits.

    The file has `decks = 3`, but only the parent lists the values of red threes, for two decks →
    True. The caller knows already that the values do not fit now.
    """
    forgotten_keys = values.keys_not_given(link.keys)
    if not forgotten_keys:
        return False  # the file gives all values: its author wants it so
    # If the values did not fit in the parent either, this file is not to blame.
    fitted_before = _fulfils_rule(link, values.parent)
    return fitted_before


def _has_all_values(link: Link, values: Values) -> bool:
    """Tell whether all values that a link connects are there, by their keys."""
    return all(key in values for key in link.keys)


def _fulfils_rule(link: Link, values: Values) -> bool:
    """Tell whether the values that a link connects fit each other, by the rule of the link.

    `values` are all values of a game by key. A link with the keys `settings.decks` and
    `settings.red-three-values` calls its rule with these two values.
    """
    linked_values = [values[key] for key in link.keys]
    check_rule = RELATIONS[link.rule]
    return check_rule(*linked_values)


def report_broken_links(entry: TomlValue, links: tuple[Link, ...], values: ChangedValues) -> None:
    """Record errors for values of a user's file of house rules that do not fit each other.

    `entry` is the part of the file that gives the values: the whole file, or an option in it.
    `links` say which values have to fit, and by which rule.
    """
    for broken in find_broken_links(links, values):
        if broken.link.kind is LinkKind.ASKS:
            # The file must list more values: those for six red threes, if it has three decks.
            _report_values_to_give(entry, broken, values.in_force)
        else:
            # The values can never go together: one deck and 26 cards for each of four players.
            _report_unfit_together(entry, broken, values.in_force)


def _report_values_to_give(entry: TomlValue, broken: BrokenLink, in_force: Values) -> None:
    """Record that a user's file changes a value, and must give another one with it.

    `entry` is the part of the file to which the error points, and `in_force` are all values that
    now hold, by key.
    """
    # "settings.decks = 3, but settings.red-three-values = … is not in this file, the decks hold
    # more red threes than have a value. Give settings.red-three-values too."
    entry.report(
        "linked.asks",
        _find_key_to_report(entry, broken),
        link=broken.link.id,
        changed=_format_values(broken.changed, in_force),
        kept=_format_values(broken.not_given, in_force),
        names=", ".join(broken.not_given),
    )


def _report_unfit_together(entry: TomlValue, broken: BrokenLink, in_force: Values) -> None:
    """Record that values of a user's file can never go together, whatever else it says.

    `entry` is the part of the file to which the error points, and `in_force` are all values that
    now hold, by key.
    """
    # "settings.dealt = 26; settings.decks = 1 …, the cards are too few for all players. Change one
    # of these values."
    entry.report(
        "linked.needs",
        _find_key_to_report(entry, broken),
        link=broken.link.id,
        figures=_format_values(broken.link.keys, in_force),
    )


def _find_key_to_report(entry: TomlValue, broken: BrokenLink) -> str:
    """Return the key at which a message about a broken link points, inside `entry` of a file.

    - `entry` is the whole file → the first value that the file changes, such as `settings.decks`
    - `entry` is an option in the file → `""`, the option as a whole
    """
    is_whole_file = entry.path == ""
    if is_whole_file:
        return broken.changed[0]
    return ""


def _format_values(keys: tuple[str, ...], values: Values) -> str:
    """Write values for a message: `settings.decks = 2; settings.drawn = 1`.

    `keys` say which of the `values`, in this order.
    """
    return "; ".join(f"{key} = {_format_value(values[key])}" for key in keys)


_LONGEST_VALUE = 120
"""Characters of a value that a message repeats."""


def _format_value(value: Any) -> str:
    """Write the value of a setting for a message, shortened if it is long: `[100, 200]`.

    The list of the kinds of canasta has a short form of its own.
    """
    is_list_of_tables = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    text = _format_kinds_of_canasta(value) if is_list_of_tables else str(value)
    return text[:_LONGEST_VALUE]


def _format_kinds_of_canasta(kinds: list[dict[str, Any]]) -> str:
    """Write the kinds of canasta (groups of seven or more cards) of a game for a message.

    Only their numbers of wild cards (jokers and twos) are written, as a link can be about these:
    `natural-canasta: wilds [0, 0]; mixed-canasta: wilds [1, 3]`.
    """
    return "; ".join(f"{kind['item']}: wilds {kind.get('wilds', 'any')}" for kind in kinds)

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

from scorepad.rules.cards import RED_THREE, in_decks
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
    """The last value follows the first by the rule, unless the file gives it: with one deck in place
    of two there are values for two red threes only.
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
        """Of a link that `moves` a value, the key of the value from which that follows."""
        return self.keys[0]

    @property
    def follower(self) -> str:
        """Of a link that `moves` a value, the key of that value."""
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
    """What a black three left in hand counts, if that was what the card counts in a meld.

    The card has the code `3b`: when its points change from 5 to 10, a value of 5 becomes 10, and a
    value of 100 stays.
    """
    black_three_before = card_points_before["3b"]
    black_three_now = card_points_now["3b"]
    return int(_keep_equal(black_three_before, black_three_now, value))


def _at_least_sum(_families_before: object, families_now: list[tuple[str, int]], value: int) -> int:
    """A value that is less than the canastas needed of all families rises to their sum."""
    return max(value, _canastas_of_families(families_now))


def _values_of_red_threes_in(_decks_before: int, decks: int, values: list[int]) -> list[int]:
    """The values of one, two … red threes, without those for more red threes than there are.

    A deck has two red threes: with one deck, `[100, 200, 300, 400]` → `[100, 200]`.
    """
    red_threes = _red_threes_in(decks)
    return values[:red_threes]


def _canastas_under_limit(
    limit_before: int, limit: int, canastas: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the kinds of canasta that are left when fewer or more wild cards are allowed.

    `limit` is the most wild cards (jokers and twos) that a meld may have. If it falls from 3 to 2:

    - a kind with `"wilds": [1, 3]` → `"wilds": [1, 2]`
    - a kind with `"wilds": [3, 3]` → left out, because nobody can make it any more
    """
    possible_kinds: list[dict[str, Any]] = []
    for kind in canastas:
        if not _needs_more_wilds(kind, limit):
            possible_kinds.append(_kind_under_limit(kind, limit_before, limit))
    return possible_kinds


def _needs_more_wilds(kind: Mapping[str, Any], limit: int) -> bool:
    """Whether a kind of canasta needs more wild cards than a meld may have (`limit`)."""
    if _has_own_wilds(kind):
        return False
    return _wilds_of_kind(kind).fewest > limit


def _kind_under_limit(kind: dict[str, Any], limit_before: int, limit: int) -> dict[str, Any]:
    """A kind of canasta, with the new limit of wild cards if it had the one before.

    From 3 to 2: `"wilds": [1, 3]` → `"wilds": [1, 2]`, but `"wilds": [0, 1]` stays.
    """
    wilds = _wilds_of_kind(kind)
    if _has_own_wilds(kind) or wilds.most != limit_before:
        return kind
    return {**kind, "wilds": [wilds.fewest, limit]}


def _has_own_wilds(kind: Mapping[str, Any]) -> bool:
    """Whether a kind of canasta has wild cards alone, or none: no limit of melds changes it."""
    return kind["shape"] == "wilds" or _wilds_of_kind(kind).most == 0


class _WildsOfKind(NamedTuple):
    """How many wild cards a kind of canasta may have."""

    fewest: int
    most: int


def _wilds_of_kind(kind: Mapping[str, Any]) -> _WildsOfKind:
    """The fewest and the most wild cards of a kind of canasta, from its table in a file.

    `{ item = "mixed", wilds = [1, 3] }` → 1 and 3. Without `wilds` there is no limit (`NO_LIMIT`).
    """
    fewest, most = kind.get("wilds", (0, NO_LIMIT))
    return _WildsOfKind(fewest, most)


def _canastas_of_families(families: list[tuple[str, int]]) -> int:
    """The canastas needed of all families together: `[("natural", 1), ("mixed", 2)]` → 3."""
    return sum(number for _, number in families)


def _red_threes_in(decks: int) -> int:
    return in_decks(decks)[RED_THREE]


FOLLOWS: Mapping[str, Callable[[Any, Any, Any], Any]] = {
    "same": _keep_equal,
    "same-as-black-three": _keep_equal_to_black_three,
    "at-least-sum": _at_least_sum,
    "only-red-threes-there": _values_of_red_threes_in,
    "most-wilds": _canastas_under_limit,
}
"""The rules by which a value follows from another one.

Each takes that other value before and after its change, and then its own value before; it returns
its own value now.
"""

# ---------------------------------------------------------------- what has to fit


def _canastas_fit_limit(limit: int, canastas: list[dict[str, Any]]) -> bool:
    """Whether the kinds of canasta fit the `limit`: the most wild cards that a meld may have.

    No canasta may have more, and a meld of one rank that has as many must be able to become a
    canasta.
    """
    if _has_canasta_beyond(limit, canastas):
        return False
    return _full_group_can_be_canasta(limit, canastas)


def _has_canasta_beyond(limit: int, canastas: list[dict[str, Any]]) -> bool:
    """Tell whether a kind of canasta allows more wild cards than any meld may have.

    A canasta is a meld (group of cards on the table) of seven cards or more. Jokers and twos are
    wild cards. With a limit of 2, a kind with `"wilds": [1, 3]` → True.
    """
    most_in_groups = _most_wilds_of_shape(canastas, "group")
    most_in_sequences = _most_wilds_of_shape(canastas, "sequence")
    for most_wilds in (*most_in_groups, *most_in_sequences):
        has_no_own_limit = most_wilds >= NO_LIMIT  # then the limit of melds holds for it
        if has_no_own_limit:
            continue
        if most_wilds > limit:
            return True
    return False


def _full_group_can_be_canasta(limit: int, canastas: list[dict[str, Any]]) -> bool:
    """Whether some canasta of one rank allows as many wild cards as this limit.

    True also for a game that has no canastas of one rank.
    """
    most_in_groups = _most_wilds_of_shape(canastas, "group")
    if not most_in_groups:
        return True
    return max(most_in_groups) >= limit


def _most_wilds_of_shape(canastas: list[dict[str, Any]], shape: str) -> list[int]:
    """The most wild cards of each kind of canasta with this shape: `group` or `sequence`."""
    numbers: list[int] = []
    for kind in canastas:
        if kind["shape"] == shape:
            numbers.append(_wilds_of_kind(kind).most)
    return numbers


def _each_red_three_has_value(decks: int, values: list[int]) -> bool:
    return not values or len(values) >= _red_threes_in(decks)


def _not_less(least: int, value: int) -> bool:
    return value >= least


def _at_most_first_minimum(steps: list[tuple[int, int]], below_zero: int) -> bool:
    """Whether the opening minimum of a side whose score is below zero is at most that of the first
    step.

    The opening minimum is what the first melds of a side must be worth. A step is a score and the
    minimum from there on: `[(0, 50), (1500, 90)]` with 15 below zero → True.
    """
    if not steps:
        return True
    _, first_minimum = steps[0]
    return below_zero <= first_minimum


def _minimums_rise(steps: list[tuple[int, int]]) -> bool:
    """Whether the opening minimums rise with the scores from which they hold."""
    return _numbers_rise([minimum for _, minimum in sorted(steps)])


def _numbers_rise(numbers: list[int]) -> bool:
    return all(number <= following for number, following in pairwise(numbers))


def _families_within(needed: int, families: list[tuple[str, int]]) -> bool:
    return needed >= _canastas_of_families(families)


def _canasta_length_is_possible(
    shortest_meld: int, canasta_length: int, longest_meld: int | str
) -> bool:
    """Whether melds can grow to the number of cards that a canasta needs.

    `longest_meld` is a number of cards, or `"unlimited"`.
    """
    if canasta_length < shortest_meld:
        return False
    if longest_meld == "unlimited":
        return True
    return canasta_length <= int(longest_meld)


def _wild_canastas_with_wild_melds(wild_melds: str, canastas: list[dict[str, Any]]) -> bool:
    """Whether there are canastas of wild cards alone if there are such melds, and only then."""
    has_melds = wild_melds != "never"
    has_canastas = any(kind["shape"] == "wilds" for kind in canastas)
    return has_melds == has_canastas


def _sequence_canastas_with_sequences(sequences: str, canastas: list[dict[str, Any]]) -> bool:
    """Whether there are canastas of sequences if sequences are melds, and only then."""
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
    return cards_needed <= sum(in_decks(decks))


RELATIONS: Mapping[str, Callable[..., bool]] = {
    "canastas-reach-limit": _canastas_fit_limit,
    "each-red-three-has-value": _each_red_three_has_value,
    "not-less": _not_less,
    "below-first-step": _at_most_first_minimum,
    "minimums-rise": _minimums_rise,
    "numbers-rise": _numbers_rise,
    "families-within": _families_within,
    "in-order": _canasta_length_is_possible,
    "wild-canastas-with-wild-melds": _wild_canastas_with_wild_melds,
    "sequence-canastas-with-sequences": _sequence_canastas_with_sequences,
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
    """The values of a variant whose file changes some of its parent's, each by its key in a file."""

    parent: Values
    """The values of the parent."""
    given: Values
    """The values that the file gives in place of those."""
    in_force: Values
    """All values that then hold."""

    def changed_keys(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Those of these keys whose values the file gives, and gives otherwise than the parent."""
        changed: list[str] = []
        for key in keys:
            if key in self.given and self.given[key] != self.parent.get(key):
                changed.append(key)
        return tuple(changed)

    def keys_not_given(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Those of these keys whose values the file does not give."""
        return tuple(key for key in keys if key not in self.given)


class BrokenLink(NamedTuple):
    """A link that a file breaks."""

    link: Link
    changed: tuple[str, ...]
    """The keys of its values that the file changes."""
    not_given: tuple[str, ...]
    """The keys of its values that the file does not give."""


def values_by_key(variant: Variant) -> dict[str, Any]:
    """The values of a variant that links can name, by their keys in a file: its settings
    (`settings.decks`), and the points of its penalties (`penalties.draw-out-of-turn`).
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
        if link.follower not in parent_values or link.follower in file_values:
            continue
        if not _is_cause_changed(link, parent_values, file_values):
            continue
        new_value = _compute_linked_value(link, parent_values, file_values)
        if new_value != parent_values[link.follower]:
            adjusted[link.follower] = AdjustedValue(link.cause, new_value)
    return adjusted


def _compute_linked_value(link: Link, parent_values: Values, file_values: Values) -> Any:
    """Compute the new value that a link gives, after a file changed the value on which it depends.

    By the link from `settings.decks` to `settings.red-three-values`, one deck in place of two turns
    `[100, 200, 300, 400]` into `[100, 200]`.
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
        return True
    return _lacks_value_to_give(link, values)


def _lacks_value_to_give(link: Link, values: ChangedValues) -> bool:
    """Tell whether a file changes one value of a link, and forgets another that no longer fits.

    The file has `decks = 3`, but only the parent lists the values of red threes, for two decks →
    True. The caller knows already that the values do not fit now.
    """
    gives_all_values = not values.keys_not_given(link.keys)
    if gives_all_values:
        return False  # nothing was forgotten: the author wants it so
    # If the values did not fit in the parent either, this file is not to blame.
    fitted_before = _fulfils_rule(link, values.parent)
    return fitted_before


def _has_all_values(link: Link, values: Values) -> bool:
    return all(key in values for key in link.keys)


def _fulfils_rule(link: Link, values: Values) -> bool:
    """Whether the rule of a link holds for the values that it names.

    `values` are all values of a variant by key. The link `["settings.dealt", "settings.decks"]`
    calls its rule with the cards dealt and the number of decks.
    """
    linked_values = [values[key] for key in link.keys]
    return RELATIONS[link.rule](*linked_values)


def report_broken_links(entry: TomlValue, links: tuple[Link, ...], values: ChangedValues) -> None:
    """Report the values of a user's file that do not fit each other.

    `entry` is what gives the values: the whole file, or an option in it.
    """
    for broken in find_broken_links(links, values):
        if broken.link.kind is LinkKind.ASKS:
            # The file must list more values: those for six red threes, if it has three decks.
            _report_values_to_give(entry, broken, values.in_force)
        else:
            # The values can never go together: one deck and 26 cards for each of four players.
            _report_unfit_together(entry, broken, values.in_force)


def _report_values_to_give(entry: TomlValue, broken: BrokenLink, in_force: Values) -> None:
    """Report that a file changes a value, and has to give others with it.

    `in_force` are the values that hold: the message tells those that the file changed, and those
    that it left as they were.
    """
    entry.report(
        "linked.asks",
        _key_to_report(entry, broken),
        link=broken.link.id,
        changed=_values_in_words(broken.changed, in_force),
        kept=_values_in_words(broken.not_given, in_force),
        names=", ".join(broken.not_given),
    )


def _report_unfit_together(entry: TomlValue, broken: BrokenLink, in_force: Values) -> None:
    """Report that values of a file can never go together; the message tells all of them.

    `in_force` are the values that hold.
    """
    entry.report(
        "linked.needs",
        _key_to_report(entry, broken),
        link=broken.link.id,
        figures=_values_in_words(broken.link.keys, in_force),
    )


def _key_to_report(entry: TomlValue, broken: BrokenLink) -> str:
    """Return the key at which a message about a broken link points, inside `entry` of a file.

    - `entry` is the whole file → the first value that the file changes, such as `settings.decks`
    - `entry` is an option in the file → `""`, the option as a whole
    """
    is_whole_file = entry.path == ""
    if is_whole_file:
        return broken.changed[0]
    return ""


def _values_in_words(keys: tuple[str, ...], values: Values) -> str:
    """Values with their keys, as a message repeats them: `settings.decks = 2; settings.drawn = 1`."""
    return "; ".join(f"{key} = {_value_in_message(values[key])}" for key in keys)


_LONGEST_VALUE = 120
"""Characters of a value that a message repeats."""


def _value_in_message(value: Any) -> str:
    """A value as a message repeats it; of kinds of canasta, the wild cards of each."""
    text = str(value)
    is_list_of_kinds = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    if is_list_of_kinds:
        kinds = [f"{kind['item']}: wilds {kind.get('wilds', 'any')}" for kind in value]
        text = "; ".join(kinds)
    return text[:_LONGEST_VALUE]

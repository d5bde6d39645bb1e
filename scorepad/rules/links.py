"""Figures that hang together: what moves when a file of house rules changes one of them, and what
it gives then too.

The links are data (`scorepad/variants/links`); the rule of each is a function registered here under
its id. Values are in the form of the data, by ground: `settings.NAME`, or `penalties.CODE` for its
points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from scorepad.rules.cards import RED_THREE, in_decks
from scorepad.rules.definitions import Citation, Variant
from scorepad.rules.toml_reader import TomlValue

Figures = Mapping[str, Any]
"""Values by ground."""
NO_LIMIT = 99
"""The highest number of wild cards of a kind of canasta that names none."""


class Link(NamedTuple):
    """Figures that hang together.

    `moves`: the last of `between` follows the first by the rule, unless a file gives it. `asks`: a
    file that changes one so that the rule no longer holds has to give the others too. `needs`: the
    rule holds in every file that gives one of them. `cited` is where a source states that they hang
    together.
    """

    id: str
    kind: Literal["moves", "asks", "needs"]
    between: tuple[str, ...]
    rule: str
    cited: tuple[Citation, ...]


Follow = Callable[[Any, Any, Any], Any]
"""The figure that follows, from the other one before and after its change, and its own value
before.
"""
Relation = Callable[..., bool]
"""Whether the figures of a link, in its order, fit each other."""

FOLLOWS: dict[str, Follow] = {}
RELATIONS: dict[str, Relation] = {}


def follows(rule: str) -> Callable[[Follow], Follow]:
    """Register the rule by which a figure follows another."""

    def register(function: Follow) -> Follow:
        FOLLOWS[rule] = function
        return function

    return register


def relation(rule: str) -> Callable[[Relation], Relation]:
    """Register a rule that figures keep."""

    def register(function: Relation) -> Relation:
        RELATIONS[rule] = function
        return function

    return register


# ---------------------------------------------------------------- what follows


@follows("same")
def _same(before: Any, now: Any, value: Any) -> Any:
    """The same figure as the other, if it was the same."""
    return now if value == before else value


@follows("same-as-black-three")
def _same_as_black_three(before: Mapping[str, int], now: Mapping[str, int], value: int) -> int:
    return now["3b"] if value == before["3b"] else value


@follows("at-least-sum")
def _at_least_sum(_: Any, now: list[tuple[str, int]], value: int) -> int:
    return max(value, sum(number for _, number in now))


@follows("only-red-threes-there")
def _only_red_threes_there(_: int, now: int, value: list[int]) -> list[int]:
    """The values of more red threes than there are fall away; those of further ones are asked for."""
    return value[: _red_threes(now)]


@follows("most-wilds")
def _most_wilds(before: int, now: int, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The kinds of canasta that go up to the limit go up to the new one; those that it rules out
    fall away.
    """
    moved = []
    for kind in value:
        least, most = kind.get("wilds", (0, NO_LIMIT))
        if kind["shape"] == "wilds" or most == 0:
            moved.append(kind)
        elif least > now:
            continue
        elif most == before:
            moved.append({**kind, "wilds": [least, now]})
        else:
            moved.append(kind)
    return moved


# ---------------------------------------------------------------- what has to fit


@relation("canastas-reach-limit")
def _canastas_reach_limit(limit: int, canastas: list[dict[str, Any]]) -> bool:
    """No canasta has more wild cards than a meld may have, and melds with that many can become
    canastas.
    """
    most = [kind.get("wilds", (0, NO_LIMIT))[1] for kind in canastas if kind["shape"] == "group"]
    in_sequences = [
        kind.get("wilds", (0, NO_LIMIT))[1] for kind in canastas if kind["shape"] == "sequence"
    ]
    named = [number for number in (*most, *in_sequences) if number != NO_LIMIT]
    is_reached = not most or max(most) >= limit
    return is_reached and all(number <= limit for number in named)


@relation("each-red-three-has-value")
def _each_red_three_has_value(decks: int, values: list[int]) -> bool:
    return not values or len(values) >= _red_threes(decks)


@relation("not-less")
def _not_less(least: int, figure: int) -> bool:
    return figure >= least


@relation("below-first-step")
def _below_first_step(steps: list[tuple[int, int]], below_zero: int) -> bool:
    return not steps or below_zero <= steps[0][1]


@relation("minimums-rise")
def _minimums_rise(steps: list[tuple[int, int]]) -> bool:
    return _numbers_rise([minimum for _, minimum in sorted(steps)])


@relation("numbers-rise")
def _numbers_rise(numbers: list[int]) -> bool:
    return all(number <= following for number, following in pairwise(numbers))


@relation("families-within")
def _families_within(needed: int, families: list[tuple[str, int]]) -> bool:
    return needed >= sum(number for _, number in families)


@relation("in-order")
def _in_order(shortest: int, length: int, longest: int | str) -> bool:
    return shortest <= length and (longest == "unlimited" or length <= int(longest))


@relation("wild-canastas-with-wild-melds")
def _wild_canastas_with_wild_melds(wild_melds: str, canastas: list[dict[str, Any]]) -> bool:
    return (wild_melds != "never") == any(kind["shape"] == "wilds" for kind in canastas)


@relation("sequence-canastas-with-sequences")
def _sequence_canastas_with_sequences(sequences: str, canastas: list[dict[str, Any]]) -> bool:
    return (sequences != "none") == any(kind["shape"] == "sequence" for kind in canastas)


@relation("cards-are-enough")
def _cards_are_enough(
    dealt: int, decks: int, hands_each: int, sides: list[int], resting: list[int]
) -> bool:
    """After the deal a first upcard and a card to draw are left."""
    players = sum(sides) - sum(resting)
    return dealt * hands_each * players + 2 <= sum(in_decks(decks))


def _red_threes(decks: int) -> int:
    return in_decks(decks)[RED_THREE]


# ---------------------------------------------------------------- the links of a file


def figures_of(variant: Variant) -> dict[str, Any]:
    """The values of a variant by ground: its settings, and the points of its penalties."""
    figures = {f"settings.{key}": value.value for key, value in variant.settings.items()}
    for code, penalty in variant.penalties.items():
        if penalty.points is not None:
            figures[f"penalties.{code}"] = penalty.points
    return figures


def moved_figures(
    links: tuple[Link, ...], usual: Figures, given: Figures
) -> dict[str, tuple[str, Any]]:
    """What follows when these figures are given in place of the usual ones: the ground and the new
    value of each.

    Figures that are given stay as they are.
    """
    moved = dict[str, tuple[str, Any]]()
    for link in links:
        ground, then = link.between[0], link.between[-1]
        if link.kind != "moves" or ground not in given or then in given or then not in usual:
            continue
        before, now = usual.get(ground), given[ground]
        if now == before or before is None:
            continue
        value = FOLLOWS[link.rule](before, now, usual[then])
        if value != usual[then]:
            moved[then] = (ground, value)
    return moved


class Unfit(NamedTuple):
    """Figures of a file that do not fit each other: the link, those that the file gives and those
    that it has to.
    """

    link: Link
    given: tuple[str, ...]
    others: tuple[str, ...]


def unfit_figures(
    links: tuple[Link, ...], usual: Figures, given: Figures, now: Figures
) -> list[Unfit]:
    """The links that a file breaks which gives these figures; `now` are all figures, `usual` those
    of its parent.
    """
    found = []
    for link in links:
        if link.kind == "moves" or not all(ground in now for ground in link.between):
            continue
        changed = tuple(
            ground
            for ground in link.between
            if ground in given and given[ground] != usual.get(ground)
        )
        others = tuple(ground for ground in link.between if ground not in given)
        fits = RELATIONS[link.rule]
        if not changed or fits(*(now[ground] for ground in link.between)):
            continue
        # What the parent itself does not keep means nothing in its game.
        is_kept = fits(*(usual[ground] for ground in link.between))
        if link.kind == "asks" and (not others or not is_kept):
            continue
        found.append(Unfit(link, changed, others))
    return found


def report_unfit(
    entry: TomlValue, links: tuple[Link, ...], usual: Figures, given: Figures, now: Figures
) -> None:
    """Report the figures of a user's file that do not fit each other, where the first of them
    stands in the file.

    `entry` is the root of the file, or the option that gives the figures.
    """
    for unfit in unfit_figures(links, usual, given, now):
        ground = unfit.given[0] if not entry.path else ""
        if unfit.link.kind == "needs":
            figures = "; ".join(f"{each} = {_shown(now[each])}" for each in unfit.link.between)
            entry.report("linked.needs", ground, link=unfit.link.id, figures=figures)
        else:
            changed = "; ".join(f"{each} = {_shown(now[each])}" for each in unfit.given)
            kept = "; ".join(f"{each} = {_shown(now[each])}" for each in unfit.others)
            names = ", ".join(unfit.others)
            entry.report(
                "linked.asks", ground, link=unfit.link.id, changed=changed, kept=kept, names=names
            )


_LONGEST_SHOWN = 120
"""Characters of a figure that a message repeats."""


def _shown(value: Any) -> str:
    """A figure as a message repeats it; of kinds of canasta, the wild cards of each."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        value = [f"{kind['item']}: wilds {kind.get('wilds', 'any')}" for kind in value]
        return "; ".join(value)[:_LONGEST_SHOWN]
    return str(value)[:_LONGEST_SHOWN]

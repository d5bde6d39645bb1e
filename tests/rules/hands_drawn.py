"""Hands of every variant for Hypothesis: legal and not, with every option and every field that some
variant takes.

All of them can be used: what is wrong with them is for the rules to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from scorepad.rules.definitions import ChoiceValue, Option, Ruleset
from scorepad.rules.settings import Settings
from scorepad.rules.variants import get_variant, settle, variant_ids

RUN = [*"AKQJ", "10", *"987654"]
RANKS = [*"AKQJ987654", "10"]
TOKENS = [*RANKS, "2", "JK", "3b", "3r", "Qh", "10s", "3", "X"]
NAMES = ("noi", "loro", "altri")

tokens = st.builds(
    lambda count, card: f"{count}x{card}", st.integers(1, 8), st.sampled_from(TOKENS)
)
some_cards = st.lists(tokens, max_size=4).map(" ".join)
few_cards = st.lists(st.sampled_from([*RANKS, "2", "3b", "Qh"]), max_size=3).map(" ".join)
groups = st.builds(
    lambda count, rank: f"{count}x{rank}", st.sampled_from([3, 5, 7, 7, 7]), st.sampled_from(RANKS)
)
mixed = st.builds(
    lambda count, rank, wilds: f"{count}x{rank} {wilds}",
    st.integers(4, 6), st.sampled_from(RANKS[:-5]), st.sampled_from(["2", "JK", "2x2", "2 JK"]),
)  # fmt: skip
wilds_alone = st.sampled_from(["3x2", "5x2", "7x2", "5x2 2xJK", "2x2 2xJK", "4xJK 3x2"])
black_threes = st.sampled_from(["3x3b", "4x3b", "2x3b 2", "6x3b JK"])
rising = st.builds(
    lambda first, size, suit: " ".join(f"{rank}{suit}" for rank in RUN[first : first + size]),
    st.integers(0, 8), st.integers(3, 8), st.sampled_from("hdsc"),
)  # fmt: skip


def legal_melds(settings: Settings) -> st.SearchStrategy[str]:
    """Melds that are mostly legal at this table."""
    kinds = [groups, groups, mixed]
    kinds += [wilds_alone] if settings.wild_melds == "allowed" else []
    kinds += [rising, rising] if settings.sequences != "none" else []
    return st.one_of(*kinds)


def melds(settings: Settings, *, tidy: bool) -> st.SearchStrategy[Any]:
    any_melds = (
        legal_melds(settings)
        if tidy
        else st.one_of(legal_melds(settings), some_cards, black_threes)
    )
    return st.one_of(
        any_melds, st.builds(lambda cards: {"cards": cards, "concealed": True}, any_melds)
    )


def option_values(option: Option, sides: int) -> st.SearchStrategy[ChoiceValue]:
    if option.step is not None:
        return st.integers(1, 40).map(lambda number: number * (option.step or 1))
    return st.sampled_from(
        [value.value for value in option.values if value.only_sides in (None, sides)]
    )


@st.composite
def rulesets(draw: st.DrawFn, names: Iterable[str] = variant_ids()) -> Ruleset:
    """A variant with a preset and options, as many as one likes."""
    variant = get_variant(draw(st.sampled_from(list(names))))
    sides = len(variant.settings["sides"].value)
    options = {
        option.id: draw(option_values(option, sides))
        for option in variant.options.values()
        if draw(st.booleans())
    }
    preset = draw(st.sampled_from([None, *variant.presets]))
    return settle(variant.id, preset, options)


def hands_of(settings: Settings, position: int) -> int:
    return settings.sides[position] - settings.resting[position]


KNOWN_PENALTIES = ["draw-out-of-turn", "red-three-not-exposed", "meld-out-of-turn-partner"]
penalties = st.lists(
    st.one_of(
        st.sampled_from([*KNOWN_PENALTIES, "burping"]),
        st.integers(-1, 30).map(lambda n: {"code": "house", "points": 5 * n, "reason": "parla"}),
    ),
    max_size=2,
)
fair_penalties = st.lists(st.sampled_from(KNOWN_PENALTIES), max_size=1)
adjustments = st.lists(
    st.integers(-20, 20).map(lambda n: {"points": 5 * n, "reason": "patto"}), max_size=2
)


@st.composite
def lefts(draw: st.DrawFn, rules: Ruleset, position: int, *, tidy: bool) -> Any:
    cards = few_cards if tidy else st.one_of(few_cards, some_cards)
    hands = hands_of(rules.settings, position)
    kinds: list[st.SearchStrategy[Any]] = [
        cards,
        st.lists(cards, min_size=hands, max_size=hands),
        st.just(""),
    ]
    if rules.settings.counted_by == "cards-or-totals":
        kinds.append(st.integers(0 if tidy else -1, 30).map(lambda n: 5 * n))
    return draw(st.one_of(kinds))


@st.composite
def totals(draw: st.DrawFn, rules: Ruleset, *, tidy: bool) -> dict[str, Any]:
    settings = rules.settings
    counted = draw(st.lists(st.sampled_from(rules.items), max_size=3 if tidy else 6))
    told: dict[str, Any] = {
        "canastas": {item: counted.count(item) for item in set(counted)},
        "cards": draw(st.integers(20 if tidy else -2, 90 if tidy else 400)) * 5,
    }
    if settings.incomplete and draw(st.booleans()):
        names = [kind.name for kind in settings.incomplete]
        told["incomplete"] = {
            name: draw(st.integers(0, 2)) for name in draw(st.sets(st.sampled_from(names)))
        }
    return told


@st.composite
def laid(draw: st.DrawFn, settings: Settings, *, tidy: bool) -> dict[str, Any]:
    """Melds, and the first of them as the opening noted, or no opening."""
    told = draw(st.lists(melds(settings, tidy=tidy), max_size=3 if tidy else 5))
    if not told or draw(st.booleans()):
        return {"melds": told}
    opened = told[: draw(st.integers(1, len(told)))]
    return {
        "melds": told,
        "opening": {"melds": [m if isinstance(m, str) else m["cards"] for m in opened]},
    }


@st.composite
def counted(draw: st.DrawFn, rules: Ruleset, *, tidy: bool) -> dict[str, Any]:
    told = draw(totals(rules, tidy=tidy))
    return {
        "totals": told,
        **({"opening": {"melds": ["3xA"]}} if told["cards"] >= 60 and draw(st.booleans()) else {}),
    }


@st.composite
def sides(draw: st.DrawFn, rules: Ruleset, position: int, *, tidy: bool) -> dict[str, Any]:
    settings = rules.settings
    ways = ["melds", "melds", "melds", "sum", "nothing"]
    how = draw(
        st.sampled_from([*ways, "totals"] if settings.counted_by == "cards-or-totals" else ways)
    )
    if how == "sum":
        return {"sum": draw(st.integers(-50, 300)) * 5, "adjustments": draw(adjustments)}
    side: dict[str, Any] = {}
    if how != "nothing":
        side = draw(laid(settings, tidy=tidy) if how == "melds" else counted(rules, tidy=tidy))
    side |= {
        "left": draw(lefts(rules, position, tidy=tidy)),
        "penalties": draw(penalties if not tidy else fair_penalties),
    }
    side |= {
        "red_threes": draw(st.integers(0, 2)),
        "red_threes_held": draw(st.sampled_from([0, 0, 1])),
    }
    for key in ("black_threes_aside", "black_threes"):
        if key in rules.entry_fields:
            side[key] = draw(st.integers(0, 2 if tidy else 5))
    if isinstance(side["left"], int):
        side |= {kind.key: draw(st.integers(0, 2)) for kind in settings.held_together}
    return side | {"adjustments": draw(adjustments)}


def _shown(rules: Ruleset, side: dict[str, Any], name: str) -> dict[str, Any]:
    """The side with a special hand in place of what it laid."""
    return {
        key: value
        for key, value in side.items()
        if key not in ("melds", "totals", "sum", "opening")
    } | {"special": name}


@st.composite
def hands(
    draw: st.DrawFn,
    rulesets: st.SearchStrategy[Ruleset] = rulesets(),  # noqa: B008
    tidy: st.SearchStrategy[bool] = st.booleans(),  # noqa: B008
) -> dict[str, Any]:
    """A hand as JSON; one that is `tidy` is mostly legal."""
    rules, is_tidy = draw(rulesets), draw(tidy)
    names = NAMES[: len(rules.settings.sides)]
    hand: dict[str, Any] = {
        "variant": rules.variant,
        "preset": rules.preset,
        "options": dict(rules.options),
    }
    hand["before"] = {name: draw(st.integers(-400, 1200)) * 5 for name in names}
    hand["sides"] = {
        name: draw(sides(rules, position, tidy=is_tidy)) for position, name in enumerate(names)
    }
    out = {"side": st.sampled_from(names), "concealed": st.booleans()}
    beside = {"discard": st.sampled_from([None, "6", "2", "3r", "Z"])}
    hand["out"] = draw(st.one_of(st.none(), st.fixed_dictionaries(out, optional=beside)))
    if hand["out"] and isinstance(hand["sides"][hand["out"]["side"]].get("left"), list):
        players = len(hand["sides"][hand["out"]["side"]]["left"])
        hand["out"]["player"] = draw(st.sampled_from([None, *range(players)]))
    if rules.settings.special_hands and hand["out"] and draw(st.booleans()):
        shown, name = hand["out"]["side"], draw(st.sampled_from(rules.settings.special_hands))[0]
        hand["sides"][shown] = _shown(rules, hand["sides"][shown], name)
        hand["out"] = {"side": shown}
    if "single" in rules.entry_fields:
        hand["single"] = draw(st.sampled_from([None, *names]))
    if "deal" in rules.entry_fields:
        hand["deal"] = draw(st.integers(1, 4))
    return hand

"""Hands of every variant for Hypothesis: legal and not, with every option and every field that some
variant takes.

All of them can be used: what is wrong with them is for the rules to say.
"""

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
    if settings.wild_melds == "allowed":
        kinds.append(wilds_alone)
    if settings.sequences != "none":
        kinds += [rising, rising]
    return st.one_of(*kinds)


def melds(settings: Settings, *, tidy: bool) -> st.SearchStrategy[Any]:
    cards = legal_melds(settings)
    if not tidy:
        cards = st.one_of(cards, some_cards, black_threes)
    concealed = st.fixed_dictionaries({"cards": cards, "concealed": st.just(True)})
    return st.one_of(cards, concealed)


def option_values(option: Option, sides: int) -> st.SearchStrategy[ChoiceValue]:
    if option.step is not None:
        return st.sampled_from(range(option.step, 41 * option.step, option.step))
    values = [value.value for value in option.values if value.only_sides in (None, sides)]
    return st.sampled_from(values)


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
    players = rules.settings.sides[position] - rules.settings.resting[position]
    kinds = [cards, st.lists(cards, min_size=players, max_size=players), st.just("")]
    if rules.settings.counted_by == "cards-or-totals":
        kinds.append(st.sampled_from(range(0 if tidy else -5, 155, 5)))
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
        names = st.sampled_from([kind.name for kind in settings.incomplete])
        told["incomplete"] = draw(st.dictionaries(names, st.integers(0, 2)))
    return told


@st.composite
def laid(draw: st.DrawFn, settings: Settings, *, tidy: bool) -> dict[str, Any]:
    """Melds, and the first of them as the opening noted, or no opening."""
    told = draw(st.lists(melds(settings, tidy=tidy), max_size=3 if tidy else 5))
    if not told or draw(st.booleans()):
        return {"melds": told}
    opening = []
    for meld in told[: draw(st.integers(1, len(told)))]:
        opening.append(meld if isinstance(meld, str) else meld["cards"])
    return {"melds": told, "opening": {"melds": opening}}


@st.composite
def counted(draw: st.DrawFn, rules: Ruleset, *, tidy: bool) -> dict[str, Any]:
    side = {"totals": draw(totals(rules, tidy=tidy))}
    if side["totals"]["cards"] >= 60 and draw(st.booleans()):
        side["opening"] = {"melds": ["3xA"]}
    return side


@st.composite
def sides(draw: st.DrawFn, rules: Ruleset, position: int, *, tidy: bool) -> dict[str, Any]:
    settings = rules.settings
    ways = ["melds", "melds", "melds", "sum", "nothing"]
    if settings.counted_by == "cards-or-totals":
        ways.append("totals")
    how = draw(st.sampled_from(ways))
    side: dict[str, Any] = {}
    if how == "sum":
        return {"sum": draw(st.integers(-50, 300)) * 5, "adjustments": draw(adjustments)}
    if how == "melds":
        side = draw(laid(settings, tidy=tidy))
    elif how == "totals":
        side = draw(counted(rules, tidy=tidy))
    side["left"] = draw(lefts(rules, position, tidy=tidy))
    side["penalties"] = draw(fair_penalties if tidy else penalties)
    side["red_threes"] = draw(st.integers(0, 2))
    side["red_threes_held"] = draw(st.sampled_from([0, 0, 1]))
    for key in ("black_threes_aside", "black_threes"):
        if key in rules.entry_fields:
            side[key] = draw(st.integers(0, 2 if tidy else 5))
    if isinstance(side["left"], int):
        side |= {kind.key: draw(st.integers(0, 2)) for kind in settings.held_together}
    return side | {"adjustments": draw(adjustments)}


@st.composite
def hands(
    draw: st.DrawFn,
    rulesets: st.SearchStrategy[Ruleset] = rulesets(),  # noqa: B008
    tidy: st.SearchStrategy[bool] = st.booleans(),  # noqa: B008
) -> dict[str, Any]:
    """A hand as JSON; one that is `tidy` is mostly legal."""
    rules = draw(rulesets)
    is_tidy = draw(tidy)
    names = NAMES[: len(rules.settings.sides)]
    hand: dict[str, Any] = {
        "variant": rules.variant,
        "preset": rules.preset,
        "options": dict(rules.options),
        "before": {name: draw(st.integers(-400, 1200)) * 5 for name in names},
        "sides": {},
    }
    for position, name in enumerate(names):
        hand["sides"][name] = draw(sides(rules, position, tidy=is_tidy))
    out = {"side": st.sampled_from(names), "concealed": st.booleans()}
    beside = {"discard": st.sampled_from([None, "6", "2", "3r", "Z"])}
    hand["out"] = draw(st.one_of(st.none(), st.fixed_dictionaries(out, optional=beside)))
    if hand["out"]:
        side = hand["sides"][hand["out"]["side"]]
        left = side.get("left")
        if isinstance(left, list):
            hand["out"]["player"] = draw(st.sampled_from([None, *range(len(left))]))
        if rules.settings.special_hands and draw(st.booleans()):
            side["special"] = draw(st.sampled_from(rules.settings.special_hands))[0]
            for key in ("melds", "totals", "sum", "opening"):
                side.pop(key, None)
            hand["out"] = {"side": hand["out"]["side"]}
    if "single" in rules.entry_fields:
        hand["single"] = draw(st.sampled_from([None, *names]))
    if "deal" in rules.entry_fields:
        hand["deal"] = draw(st.integers(1, 4))
    return hand

"""The whole matches of `tests/golden`, worked by hand there, ready to be played through the pad."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.rules.hand import Hand
from scorepad.rules.variants import get_variant, settle
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.data import read_data
from tests.hands_read import hand_of

GOLDEN = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Whole:
    """A match: how it starts, its hands in JSON by the pad's names of the sides, and each side's
    total after every hand.
    """

    new: NewMatch
    hands: tuple[dict[str, Any], ...]
    totals: tuple[tuple[int, ...], ...]
    minimums: tuple[tuple[int | None, ...], ...]
    """The opening minimums after each hand."""
    winner: str

    @property
    def hands_of_pad(self) -> tuple[Hand, ...]:
        """Its hands as the pad takes them."""
        keys = SIDE_KEYS[: len(self.new.labels.names)]
        return tuple(hand_of(hand, keys) for hand in self.hands)


def whole(variant: str) -> Whole:
    """The whole match of a variant; as many sit down as it names sides for."""
    told = read_data(GOLDEN / f"{variant}-whole-match.json")
    names = tuple(told["names"])
    options = {**told["options"], **seated(variant, len(names))}
    sizes = settle(variant, None, options).settings.sides
    new = NewMatch(variant, None, options, Labels(names, tuple(("",) * size for size in sizes)))
    return Whole(
        new,
        tuple(keyed(hand, names) for hand in told["hands"]),
        tuple(tuple(each["total"].values()) for each in told["expected"]),
        tuple(tuple(each["minimum"].values()) for each in told["expected"]),
        told["winner"],
    )


def seated(variant: str, sides: int) -> dict[str, Any]:
    """The option that makes so many sides sit down, where the variant leaves that open."""
    return {
        option.id: value.value
        for option in get_variant(variant).options.values()
        for value in option.values
        if len(value.sets.get("sides", ())) == sides != 2
    }


def keyed(hand: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """A hand in which the sides go by the pad's own names; the pad knows itself which hand of the
    match it is.
    """
    keys = dict(zip(names, SIDE_KEYS, strict=False))
    told = {name: value for name, value in hand.items() if name != "deal"}
    told["sides"] = {keys[name]: side for name, side in hand["sides"].items()}
    if told.get("out"):
        told["out"] = {**told["out"], "side": keys[told["out"]["side"]]}
    if told.get("single"):
        told["single"] = keys[told["single"]]
    return told

"""The forms of questions for the referee, one for each kind, as strict as those of a hand.

`table`, `melds` and `with` are lists of card strings. What may be left out has the value that goes without saying.

`hand`, a card string, is the player's whole hand in place of the melds shown (`melds`, `with`; for `out` it is what the
player would lay on the `table` and discard from). The verdict is then whether any legal way exists, and the details
gain the best one, as it would be played: `way`, a list in which a new meld is a card string and cards laid on a meld of
the question's `table` are `{"on": its index from 0, "cards": a card string}`; the pile's top card, which is not of the
hand, stands among those that it goes down with, and they come first. For `out` also `discard`: a card, or null.

A discard (`card`, `discard`) is one card, or as many threes of one colour as the game lets go at once: `4x3r` in mini.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scorepad.schemas.forms import Count, Form, Points


class HeadForm(Form):
    """What every question says first: its kind, and the rules it is asked under."""

    kind: str
    variant: str
    preset: str | None = None
    options: dict[str, str | int | bool] = Field(default_factory=dict)


class MeldForm(Form):
    """May these cards be laid? `table`: the side's other melds, as far as the answer hangs on them."""

    cards: str
    on: str | None = None
    going_out: bool = False
    table: list[str] = Field(default_factory=list)


class OpeningForm(Form):
    """Do these melds open? With `hand`: can it, and which melds of it lay most points?"""

    score: Points = 0
    melds: list[str] = Field(default_factory=list)
    top_card: str | None = None
    concealed_out: bool = False
    deal: Count = 1
    hand: str | None = None


class PileForm(Form):
    """May the pile be taken?"""

    top: str
    frozen: bool = False
    opened: bool = True
    score: Points = 0
    table: list[str] = Field(default_factory=list)
    laid: list[str] = Field(default_factory=list, alias="with")
    deal: Count = 1
    hand: str | None = None


class OutForm(Form):
    """May the player go out? `discard` left out: nobody said whether there is one.

    `score` and `deal` only with `hand`, for the opening minimum that a hand must reach where the `table` is empty, or
    with `concealed`, for that which the `table` must reach; without them the answer holds only if it does, and says so.
    """

    table: list[str]
    discard: str | None = None
    concealed: bool = False
    red_threes: Count = 0
    permission: Literal["not-asked", "granted", "refused"] = "not-asked"
    hand: str | None = None
    score: Points = 0
    deal: Count = 1


class UpcardForm(Form):
    """What becomes of the first cards turned up?"""

    cards: str


class DiscardForm(Form):
    """May this card be discarded?

    `table`: the side's melds, from which `wild_meld_incomplete` follows. Where neither is given and the answer hangs on
    it, a reason says so.
    """

    card: str
    first_round: bool = False
    last: bool = False
    wild_meld_incomplete: bool = False
    table: list[str] = Field(default_factory=list)


class RedThreesForm(Form):
    """What are so many red threes worth?"""

    count: Count
    opened: bool = True
    canastas: dict[str, Count] = Field(default_factory=dict)


class PenaltyForm(Form):
    """What does this cost?"""

    code: str


class EndOfStockForm(Form):
    """The stock is used up: what now?"""

    last_card: str | None = None
    top: str | None = None
    table: list[str] = Field(default_factory=list)
    pile_has_wild: bool = False
    pile_has_red_three: bool = False


RulingForm = (
    MeldForm
    | OpeningForm
    | PileForm
    | OutForm
    | UpcardForm
    | DiscardForm
    | RedThreesForm
    | PenaltyForm
    | EndOfStockForm
)

FORMS: dict[str, type[RulingForm]] = {
    "meld": MeldForm,
    "opening": OpeningForm,
    "pile": PileForm,
    "out": OutForm,
    "upcard": UpcardForm,
    "discard": DiscardForm,
    "red-threes": RedThreesForm,
    "penalty": PenaltyForm,
    "end-of-stock": EndOfStockForm,
}
"""The kinds of question, each with its form."""


def keys_of(kind: str) -> frozenset[str]:
    """The keys that a question of this kind may have beside those of every question."""
    return frozenset(entry.alias or name for name, entry in FORMS[kind].model_fields.items())


def kinds_with(key: str) -> tuple[str, ...]:
    """The kinds of question that have this key."""
    return tuple(kind for kind in FORMS if key in keys_of(kind))


TAKES = {
    "kind": "kind", "variant": "variant", "preset": "preset", "options": "options", "cards": "cards", "on": "meld",
    "going_out": "flag", "score": "score", "melds": "card-strings", "top_card": "discard", "concealed_out": "flag",
    "top": "card", "frozen": "flag", "opened": "flag", "table": "card-strings", "with": "card-strings",
    "discard": "discard", "concealed": "flag", "red_threes": "count", "permission": "permission", "card": "card",
    "first_round": "flag", "last": "flag", "wild_meld_incomplete": "flag", "count": "count", "canastas": "canastas",
    "code": "text", "last_card": "discard", "pile_has_wild": "flag", "pile_has_red_three": "flag", "deal": "count",
    "hand": "cards",
}  # fmt: skip
"""What each key takes, as the end of a message key."""
INSIDE = {"options": "option", "melds": "cards", "table": "cards", "with": "cards", "canastas": "count"}
"""What stands inside a key that holds several things."""

"""What each field of a question to the referee means, for the OpenAPI document and the
documentation.
"""

from __future__ import annotations

from collections.abc import Mapping

_COMMON: Mapping[str, str] = {
    "score": "The side's match score before this hand, on which the opening minimum depends.",
    "deal": "The number of the hand in the match, where the opening minimum depends on it.",
    "opened": "Whether the side has opened.",
}
_OF_KIND: Mapping[str, Mapping[str, str]] = {
    "meld": {
        "cards": "The cards to be laid.",
        "on": "The meld of the side on which they are laid; null for a new meld.",
        "going_out": "Whether the player goes out with them.",
        "table": "The side's other melds, as far as the answer depends on them; omitted, nothing is known of them.",
    },
    "opening": {
        "melds": "The melds of the opening. Not beside `hand`.",
        "top_card": "The pile's top card, if it is used: one of the melds holds it, and `hand` does not.",
        "concealed_out": "Whether the player goes out in the same turn.",
        "hand": "All the cards that the player holds, in place of `melds`: whether they can open, and how best.",
    },
    "pile": {
        "top": "The pile's top card.",
        "frozen": "Whether the pile is frozen; ignored where it always or never is.",
        "table": "The side's melds on the table.",
        "with": "The melds laid to take the pile; each holds the top card too if it is melded. Not beside `hand`.",
        "hand": "All the cards that the player holds, without the top card, in place of `with`: whether they can take "
        "the pile, and how.",
    },
    "out": {
        "table": "The side's melds at the end; beside `hand`, those before it is laid.",
        "discard": "The last card discarded, null for none. Omitted, it is still to be chosen.",
        "concealed": "Whether the going out is concealed.",
        "red_threes": "The red threes that the side has exposed.",
        "permission": "What the partner answered: `not-asked`, `granted` or `refused`.",
        "score": "The side's match score; only with `concealed` or `hand`.",
        "deal": "The number of the hand in the match; only with `concealed` or `hand`.",
        "hand": "All the cards that the player holds, with the discard: whether they can go out, and how.",
    },
    "upcard": {"cards": "The first cards turned up, in their order."},
    "discard": {
        "card": "The card discarded; as many threes of one colour as may go at once.",
        "first_round": "Whether it is the player's first turn.",
        "last": "Whether it is the player's last card.",
        "wild_meld_incomplete": "Whether the side has an incomplete meld of wild cards; omitted, `table` says.",
        "table": "The side's melds, as far as the answer depends on them; omitted, nothing is known of them.",
    },
    "red-threes": {
        "count": "The number of red threes exposed.",
        "canastas": "The number of the side's canastas of each kind, by item.",
    },
    "penalty": {"code": "The code of the irregularity, as `scorepad variants ID` lists them."},
    "end-of-stock": {
        "last_card": "The card drawn last; null if it is not given.",
        "top": "The pile's top card; null if it is not given.",
        "table": "The melds of the player's side.",
        "pile_has_wild": "Whether there is a wild card in the pile.",
        "pile_has_red_three": "Whether there is a red three in the pile.",
    },
}


def meaning_of(kind: str, name: str) -> str:
    """What a field of this kind of question means, in English."""
    return _OF_KIND[kind].get(name) or _COMMON[name]

"""Questions for the referee for Hypothesis: of every kind, in every variant, sensible and not, all
of them usable.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from scorepad.rules.definitions import Ruleset
from tests.rules.hands_drawn import black_threes, few_cards, legal_melds, rulesets, some_cards

CARDS = ["A", "K", "8", "7", "4", "2", "JK", "3b", "3r", "Qh", "10s", "3", "X"]
card = st.sampled_from(CARDS)
card_or_none = st.one_of(st.none(), card)
scores = st.sampled_from([-5, 0, 1495, 1500, 3000, 7000, 9999])
flags = st.booleans()


def melds(rules: Ruleset) -> st.SearchStrategy[str]:
    """Melds that are mostly legal, and some that are not."""
    return st.one_of(
        legal_melds(rules.settings),
        legal_melds(rules.settings),
        black_threes,
        some_cards,
        few_cards,
    )


def table(rules: Ruleset) -> st.SearchStrategy[list[str]]:
    return st.lists(melds(rules), max_size=5)


def deal(rules: Ruleset) -> dict[str, st.SearchStrategy[Any]]:
    return {"deal": st.integers(1, 4)} if "deal" in rules.entry_fields else {}


def laid(rules: Ruleset, top: str) -> st.SearchStrategy[list[str]]:
    """Melds laid for a pile with this card on top: often some of its rank."""
    of_rank = st.sampled_from([f"2x{top}", f"3x{top}", f"2x{top} 2", f"4x{top}", f"5x{top}"])
    return st.lists(st.one_of(of_rank, of_rank, melds(rules)), max_size=3)


def meld_asked(rules: Ruleset) -> st.SearchStrategy[dict[str, Any]]:
    on = {
        "on": st.one_of(st.none(), melds(rules)),
        "going_out": flags,
        "opponents": table(rules),
    }
    return st.fixed_dictionaries({"cards": st.one_of(melds(rules), few_cards, card)}, optional=on)


def whole_hand(rules: Ruleset) -> st.SearchStrategy[str]:
    """A hand of cards, no melds shown."""
    return st.lists(melds(rules), min_size=1, max_size=3).map(" ".join)


def opening_asked(rules: Ruleset) -> st.SearchStrategy[dict[str, Any]]:
    keys = {
        "score": scores,
        "top_card": card_or_none,
        "concealed_out": flags,
        "opponents": table(rules),
        **deal(rules),
    }
    shown = st.fixed_dictionaries({}, optional={**keys, "melds": table(rules)})
    return st.one_of(
        shown, shown, st.fixed_dictionaries({"hand": whole_hand(rules)}, optional=keys)
    )


def pile_asked(rules: Ruleset) -> st.SearchStrategy[dict[str, Any]]:
    keys = {
        "frozen": flags,
        "opened": flags,
        "score": scores,
        "table": table(rules),
        "opponents": table(rules),
        **deal(rules),
    }
    shown = card.flatmap(
        lambda top: st.fixed_dictionaries(
            {"top": st.just(top), "with": laid(rules, top)}, optional=keys
        )
    )
    return st.one_of(
        shown, shown, st.fixed_dictionaries({"top": card, "hand": whole_hand(rules)}, optional=keys)
    )


def out_asked(rules: Ruleset) -> st.SearchStrategy[dict[str, Any]]:
    said = st.sampled_from(["not-asked", "granted", "refused"])
    keys = {
        "discard": card_or_none,
        "concealed": flags,
        "red_threes": st.integers(0, 7),
        "permission": said,
        "foot": flags,
        "partner_foot": flags,
        "opponents": table(rules),
    }
    lying = st.lists(melds(rules), max_size=7)
    shown = st.fixed_dictionaries({"table": lying}, optional=keys)
    hand = {"table": lying, "hand": whole_hand(rules)}
    return st.one_of(
        shown, shown, st.fixed_dictionaries(hand, optional={**keys, "score": scores, **deal(rules)})
    )


def upcard_asked(rules: Ruleset) -> st.SearchStrategy[dict[str, Any]]:
    turned = st.lists(
        st.one_of(card, st.sampled_from(["2x2", "3xJK", "2x3r"])), min_size=1, max_size=5
    )
    return st.fixed_dictionaries({"cards": turned.map(" ".join)})


def discard_asked(rules: Ruleset) -> st.SearchStrategy[dict[str, Any]]:
    keys = {
        "first_round": flags,
        "last": flags,
        "wild_meld_incomplete": flags,
        "pile_empty": flags,
        "only_wilds": flags,
        "foot": flags,
        "opponents": table(rules),
    }
    return st.fixed_dictionaries({"card": card}, optional=keys)


def red_threes_asked(rules: Ruleset) -> st.SearchStrategy[dict[str, Any]]:
    items = st.sampled_from(rules.items)
    canastas = st.dictionaries(items, st.integers(0, 3), max_size=3)
    keys = {"opened": flags, "canastas": canastas}
    return st.fixed_dictionaries({"count": st.integers(0, 12)}, optional=keys)


def penalty_asked(rules: Ruleset) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"code": st.sampled_from([*rules.penalties, "misdeal", "%s", "x" * 60])}
    )


def end_of_stock_asked(rules: Ruleset) -> st.SearchStrategy[dict[str, Any]]:
    keys = {"last_card": card_or_none, "top": card_or_none, "table": table(rules)}
    return st.fixed_dictionaries(
        {}, optional={**keys, "pile_has_wild": flags, "pile_has_red_three": flags}
    )


KINDS: dict[str, Callable[[Ruleset], st.SearchStrategy[dict[str, Any]]]] = {
    "meld": meld_asked,
    "opening": opening_asked,
    "pile": pile_asked,
    "out": out_asked,
    "upcard": upcard_asked,
    "discard": discard_asked,
    "red-threes": red_threes_asked,
    "penalty": penalty_asked,
    "end-of-stock": end_of_stock_asked,
}


@st.composite
def questions(draw: st.DrawFn, kind: str | None = None) -> dict[str, Any]:
    """A question as JSON."""
    rules = draw(rulesets())
    name = kind or draw(st.sampled_from(list(KINDS)))
    head = {
        "kind": name,
        "variant": rules.variant,
        "preset": rules.preset,
        "options": dict(rules.options),
    }
    return {**head, **draw(KINDS[name](rules))}

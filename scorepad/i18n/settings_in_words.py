"""The settings of a variant, and what its players call things, in words.

Values are in the form of the data files. A value that is a word has the message
`value.SETTING.WORD`, or `value.WORD` if several settings share it; either followed by `.OTHER` if
its meaning depends on that value of another setting (`DEPENDS_ON`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scorepad.i18n.catalogue import Words
from scorepad.rules.definitions import Variant

NOTHING = "none"
"""The word for an empty value."""
DEPENDS_ON: Mapping[str, str] = {
    "pile": "freezing",
    "upcard": "freezing",
    "upcard-wild": "freezing",
    "upcard-red-three": "freezing",
    "upcard-black-three": "freezing",
    "freezing": "pile",
    "wild-limit": "wild-melds",
    "meld-naturals": "wild-melds",
    "dealt": "hands-each",
}
"""Settings whose meaning depends on certain values of another setting, each with that setting."""


# ---------------------------------------------------------------- what players call things


def variant_name(variant: Variant, words: Words) -> str:
    """The name of a variant; one of the table's own names itself."""
    return words.with_rules(variant).t(f"variant.{variant.id}.name")


def variant_special(variant: Variant, words: Words) -> str:
    """What is special in a variant, in a sentence."""
    return words.with_rules(variant).t(f"variant.{variant.id}.special")


def item_word(variant: str, item: str, words: Words) -> str:
    """The name of a score line's item, as the players of a variant call it."""
    return words.t(words.first(f"item.{variant}.{item}", f"item.{item}"))


def family_word(variant: str, family: str, count: int, words: Words) -> str:
    """The number of canastas of a family: `2 canaste naturali`, in hand and foot `2 libri puliti`."""
    return words.plural(words.first(f"family.{variant}.{family}", f"family.{family}"), count)


def families_words(families: Iterable[tuple[str, int]], variant: str, words: Words) -> str:
    """The numbers of canastas of some families: `1 canasta naturale e 1 canasta mista`."""
    return words.listing(family_word(variant, family, count, words) for family, count in families)


def value_word(option: str, value: str | int | bool, words: Words) -> str:
    """The name of a value of an option; an amount without its own message is formatted as a figure."""
    code = str(value).lower() if isinstance(value, bool) else value
    key = f"option.{option}.{code}"
    if words.has(key) or isinstance(value, str):
        return words.t(key)
    return words.figure(value)


# ---------------------------------------------------------------- a setting


def setting_words(key: str, variant: Variant, words: Words) -> str:
    """The value that a variant gives to a setting, in words."""
    value = variant.settings[key].value
    if is_nothing(value):
        return word(key, NOTHING, words)
    if isinstance(value, str):
        return word(key, value, words, value_beside(key, variant))
    if isinstance(value, bool):
        return words.t("value.yes" if value else "value.no")
    if key in _WITH_NAMES_OF_VARIANT:
        return _WITH_NAMES_OF_VARIANT[key](value, variant.id, words)
    if key in _IN_WORDS:
        return _IN_WORDS[key](value, words)
    if isinstance(value, int):
        return words.figure(value)
    return _list(words.figure(number) for number in value)


def is_nothing(value: Any) -> bool:
    """Whether a value is an empty list or zero."""
    return value == [] or (value == 0 and not isinstance(value, bool))


def value_beside(key: str, variant: Variant) -> str:
    """The value of the other setting on which the meaning of this one depends; empty if none."""
    if key not in DEPENDS_ON:
        return ""
    return str(variant.settings[DEPENDS_ON[key]].value)


def word(key: str, value: str, words: Words, beside: str = "") -> str:
    """The message for a value that is a word; `beside` is the value of the setting on which its
    meaning depends.
    """
    of_value = f"value.{value}"
    of_setting = f"value.{key}.{value}"
    message = words.first(f"{of_setting}.{beside}", f"{of_value}.{beside}", of_setting, of_value)
    return words.t(message)


def _list(parts: Iterable[str]) -> str:
    """The parts joined, with the names of things in lower case."""
    return ", ".join(part[:1].lower() + part[1:] for part in parts)


# ---------------------------------------------------------------- table and cards


def _sides(sizes: Sequence[int], words: Words) -> str:
    if len(sizes) > 2:  # noqa: PLR2004 - more than two sides
        return words.t("value.sides.each", count=len(sizes))
    return words.t("value.sides.two", one=sizes[0], other=sizes[1])


def _resting_in_words(resting: Sequence[int], words: Words) -> str:
    """Who sits out; a third side is ignored, since its player is alone."""
    named = []
    for key, count in zip(("value.resting.first", "value.resting.second"), resting, strict=False):
        if count:
            named.append(words.t(key, count=count))
    return _list(named) or word("resting", NOTHING, words)


def cards_by_points(points_of_cards: Mapping[str, int]) -> dict[int, list[str]]:
    """The cards of each value together, highest value first."""
    groups: dict[int, list[str]] = {}
    for card, points in points_of_cards.items():
        groups.setdefault(points, []).append(card)
    return dict(sorted(groups.items(), reverse=True))


def _card_points(points_of_cards: Mapping[str, int], words: Words) -> str:
    texts = []
    for points, cards in cards_by_points(points_of_cards).items():
        names = [words.plural(f"card.{card}", 1) for card in cards]
        texts.append(f"{', '.join(names)} {words.figure(points)}")
    return "; ".join(texts)


def _ranks(ranks: Sequence[str], words: Words) -> str:
    return words.listing(words.plural(f"card.{rank}", 2) for rank in ranks)


def _special_hands(hands: Sequence[tuple[str, int]], words: Words) -> str:
    named = []
    for name, points in hands:
        named.append(f"{words.t(f'value.special.{name}')} {words.figure(points)}")
    return ", ".join(named)


# ---------------------------------------------------------------- canastas


def _canastas(kinds: Sequence[Mapping[str, Any]], variant: str, words: Words) -> str:
    return _list(_canasta_in_words(kind, variant, words) for kind in kinds)


def _canasta_in_words(kind: Mapping[str, Any], variant: str, words: Words) -> str:
    """A canasta with its bonus; one of wild cards alone also with the family as which it counts, if
    another.
    """
    name = item_word(variant, kind["item"], words)
    points = words.figure(kind["points"])
    if kind["shape"] == "wilds" and kind["family"] != "wild":
        common = f"value.canastas.counts-as.{kind['family']}"
        return words.t(words.first(f"{common}.{variant}", common), name=name, points=points)
    return f"{name} {points}"


def canasta_wilds(kinds: Sequence[Mapping[str, Any]], variant: str, words: Words) -> str:
    """The most wild cards of each kind of canasta that takes some and has others too."""
    named = []
    for kind in kinds:
        _, most = kind.get("wilds", (0, 0))
        if most and kind["shape"] != "wilds":
            name = item_word(variant, kind["item"], words)
            named.append(words.plural("value.canastas.wilds", most, name=name))
    return _list(named)


def _out_bonuses(bonuses: Sequence[Mapping[str, int]], variant: str, words: Words) -> str:
    """The bonuses of going out with some canastas."""
    texts = []
    for bonus in bonuses:
        families = [(name, bonus[name]) for name in ("natural", "mixed") if bonus[name]]
        text = words.t(
            "value.out-bonus-canastas.each",
            points=bonus["points"],
            canastas=bonus["canastas"],
            families=families_words(families, variant, words),
        )
        texts.append(text)
    return "; ".join(texts)


def _incomplete(kinds: Sequence[Mapping[str, Any]], words: Words) -> str:
    """The canastas that must not stay incomplete, with what they cost and whether they bar going
    out.
    """
    texts = []
    for kind in kinds:
        effect = "bars"
        if kind["points"]:
            effect = "both" if kind["bars_out"] else "costs"
        name = words.t(f"value.incomplete.{kind['name']}")
        texts.append(words.t(f"value.incomplete.{effect}", name=name, points=-kind["points"]))
    return "; ".join(texts)


# ---------------------------------------------------------------- opening and pile


def opening_steps(steps: Iterable[tuple[int, int]], words: Words) -> str:
    """The opening minimums, each with the match score from which it applies."""
    texts = []
    for score, minimum in steps:
        key = "value.opening-below" if score < 0 else "value.opening-step"
        texts.append(words.t(key, score=score, minimum=minimum))
    return ", ".join(texts)


def opening_deals(minimums: Iterable[tuple[int, int]], words: Words) -> str:
    """The opening minimums, each with the number of the hand."""
    return ", ".join(
        words.t("value.opening-deal", deal=deal, minimum=minimum) for deal, minimum in minimums
    )


def _opening_deals(minimums: Sequence[int], words: Words) -> str:
    return opening_deals(enumerate(minimums, 1), words)


def _pile_tops(tops: Sequence[Mapping[str, Any]], words: Words) -> str:
    """The top cards with which the pile is taken in another way."""
    texts = []
    for top in tops:
        card = words.plural(f"card.{top['card']}", 1)
        texts.append(words.t(f"value.pile-tops.{top['used']}", card=card, more=top["more"]))
    return "; ".join(texts)


def _upcard_big_piles(sizes: Sequence[int], words: Words) -> str:
    joker, two = sizes
    return words.t("value.upcard-big-piles.each", joker=joker, two=two)


# ---------------------------------------------------------------- threes, and what the count adds


def group_values_in_words(worths: Sequence[int], words: Words) -> str:
    """The points of one, two, three … together, in the shortest form: `100 each`, `100 each, all
    four 800`, `100 each, from the third on 300 each`, or one by one.
    """
    each = worths[0]
    count = len(worths)
    is_each = [points == each * number for number, points in enumerate(worths, 1)]
    if all(is_each):
        return words.t("value.together.each", each=each)
    if all(is_each[:-1]):
        return words.t("value.together.all", each=each, count=count, all=worths[-1])

    first_other = is_each.index(False) + 1
    more = worths[first_other - 1] // first_other
    others_by_number = [more * number for number in range(first_other, count + 1)]
    if list(worths[first_other - 1 :]) == others_by_number:
        return words.t("value.together.from", each=each, count=first_other, more=more)
    texts = []
    for number, points in enumerate(worths, 1):
        texts.append(words.t("value.together.some", number=number, points=points))
    return ", ".join(texts)


def _by_canastas(value: Sequence[int], words: Words) -> str:
    """Signs with no canasta, one, two …; the last applies to more."""
    signs = [words.t(f"value.sign.{sign}") for sign in value]
    if len(signs) == 1:
        return words.t("value.by-canastas.always", sign=signs[0])
    parts = [words.t("value.by-canastas.without", sign=signs[0])]
    last = len(signs) - 1
    for number in range(1, last):
        parts.append(words.plural("value.by-canastas.with", number, sign=signs[number]))
    parts.append(words.plural("value.by-canastas.from", last, sign=signs[last]))
    return "; ".join(parts)


def _by_families(shares: Sequence[Mapping[str, Any]], words: Words) -> str:
    """What red threes count with canastas of some families."""
    texts = []
    for share in shares:
        effect = words.t(f"value.share.{share['own']}.{share['opponents']}")
        texts.append(words.t(f"value.having.{share['having']}", share=effect))
    return "; ".join(texts)


def _loss(points: int, words: Words) -> str:
    return words.figure(-points)


def _left_group(count: int, words: Words) -> str:
    return words.t("value.left-group.each", count=count)


def _held_together(kinds: Sequence[Mapping[str, Any]], words: Words) -> str:
    """What some cards of one rank cost together in the hand."""
    texts = []
    for kind in kinds:
        number = kind["number"]
        cards = words.plural(f"card.{kind['rank']}", number)
        text = words.t(
            "value.held-together.each", number=number, cards=cards, points=-kind["points"]
        )
        texts.append(text)
    return "; ".join(texts)


# ---------------------------------------------------------------- by setting

_WITH_NAMES_OF_VARIANT: Mapping[str, Callable[[Any, str, Words], str]] = {
    "canastas": _canastas,
    "canasta-families-needed": families_words,
    "out-bonus-canastas": _out_bonuses,
}
"""Settings about canastas, for which the players of a variant use their own names."""
_IN_WORDS: Mapping[str, Callable[[Any, Words], str]] = {
    "sides": _sides,
    "resting": _resting_in_words,
    "card-points": _card_points,
    "natural-only": _ranks,
    "natural-after-opening": _ranks,
    "stop-ranks": _ranks,
    "incomplete": _incomplete,
    "opening-steps": opening_steps,
    "opening-deals": _opening_deals,
    "red-three-values": group_values_in_words,
    "black-threes-aside": group_values_in_words,
    "black-threes-exposed": group_values_in_words,
    "red-threes-by-canastas": _by_canastas,
    "red-threes-by-families": _by_families,
    "cards-by-canastas": _by_canastas,
    "held-red-three": _loss,
    "left-black-three": _loss,
    "left-wild": _loss,
    "left-group": _left_group,
    "held-together": _held_together,
    "special-hands": _special_hands,
    "pile-tops": _pile_tops,
    "upcard-big-piles": _upcard_big_piles,
}
"""The settings whose values are not just a figure or a word."""

"""The settings of a variant, and what its players call things, in words.

Values are in the form of the data files. A value that is a word has the message
`value.SETTING.WORD`, or `value.WORD` if several settings share it; either followed by `.OTHER` if
its meaning depends on that value of another setting (`RELATED_SETTINGS`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scorepad.i18n.catalogue import Words
from scorepad.rules.definitions import Variant
from scorepad.rules.hand import EXTRA_COUNTS, ExtraPoints

NOTHING = "none"
"""The word for an empty value."""
RELATED_SETTINGS: Mapping[str, str] = {
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
    """The name of a variant; house rules bring theirs in their file."""
    return words.with_rules(variant).t(f"variant.{variant.id}.name")


def variant_special(variant: Variant, words: Words) -> str:
    """What is special in a variant, in a sentence; house rules bring theirs in their file."""
    return words.with_rules(variant).t(f"variant.{variant.id}.special")


def item_word(variant: str, item: str, words: Words) -> str:
    """The name of an item of the score, such as `canaste naturali`, in the words of a variant."""
    key = words.first_known(f"item.{variant}.{item}", f"item.{item}")
    return words.t(key)


def family_word(variant: str, family: str, count: int, words: Words) -> str:
    """A number of canastas of one family (natural, mixed …): `2 canaste naturali`.

    A canasta is a set of seven cards or more; some variants call it otherwise: `2 libri puliti`.
    """
    key = words.first_known(f"family.{variant}.{family}", f"family.{family}")
    return words.plural(key, count)


def families_words(families: Iterable[tuple[str, int]], variant: str, words: Words) -> str:
    """How many canastas of which families: `1 canasta naturale e 1 canasta mista`."""
    texts = [family_word(variant, family, count, words) for family, count in families]
    return words.listing(texts)


def value_word(option: str, value: str | int | bool, words: Words) -> str:
    """A value of an option in words; an amount such as 5000 has no message and stays a figure."""
    if isinstance(value, bool):
        key = f"option.{option}.{str(value).lower()}"  # `true` or `false`, as in the data
    else:
        key = f"option.{option}.{value}"
    if words.has(key) or isinstance(value, str):
        return words.t(key)
    return words.figure(value)


# ---------------------------------------------------------------- a setting


def setting_words(key: str, variant: Variant, words: Words) -> str:
    """The value that a variant gives to a setting, in words.

    A value is one of several words, yes or no, a number, a list of numbers, or a table for which
    there is a function of its own.
    """
    value = variant.settings[key].value
    if is_nothing(value):
        return choice_in_words(key, NOTHING, words)
    if isinstance(value, str):
        related_value = value_of_related_setting(key, variant)
        return choice_in_words(key, value, words, related_value=related_value)
    if isinstance(value, bool):  # before the numbers, since a bool is an int too
        return words.t("value.yes" if value else "value.no")
    if key in _FORMATTERS_WITH_VARIANT:
        format_with_variant = _FORMATTERS_WITH_VARIANT[key]
        return format_with_variant(value, variant.id, words)
    if key in _FORMATTERS:
        format_value = _FORMATTERS[key]
        return format_value(value, words)
    if isinstance(value, int):
        return words.figure(value)
    return _figures(value, words)


def _figures(numbers: Iterable[int], words: Words) -> str:
    """Some numbers, separated by commas."""
    return ", ".join([words.figure(number) for number in numbers])


def is_nothing(value: Any) -> bool:
    """Whether the value of a setting is an empty list or zero; `false` is neither."""
    if isinstance(value, bool):
        return False
    return value in ([], 0)


def value_of_related_setting(key: str, variant: Variant) -> str:
    """The value of the setting on which the meaning of another one depends; empty if there is none.

    What `pile` means, for instance, depends on the setting `freezing`.
    """
    related_key = RELATED_SETTINGS.get(key)
    if related_key is None:
        return ""
    return str(variant.settings[related_key].value)


def choice_in_words(key: str, choice: str, words: Words, *, related_value: str = "") -> str:
    """The value of a setting that is one of several words, such as `never`, as people say it.

    `related_value` is the value of the setting on which its meaning depends, if there is one. The
    most specific message is taken.
    """
    message = words.first_known(
        f"value.{key}.{choice}.{related_value}",
        f"value.{choice}.{related_value}",
        f"value.{key}.{choice}",
        f"value.{choice}",
    )
    return words.t(message)


def _join_uncapitalized(parts: Iterable[str]) -> str:
    """The parts joined by commas, each beginning with a small letter."""
    return ", ".join([uncapitalized(part) for part in parts])


def uncapitalized(text: str) -> str:
    """A text that begins with a small letter."""
    return text[:1].lower() + text[1:]


# ---------------------------------------------------------------- table and cards


def _sides(sizes: Sequence[int], words: Words) -> str:
    """Who plays: two sides of some players each, or more sides of one player each."""
    if len(sizes) > 2:  # noqa: PLR2004 - more than two sides
        return words.t("value.sides.each", count=len(sizes))
    first, second = sizes
    return words.t("value.sides.two", one=first, other=second)


def _resting_in_words(resting: Sequence[int], words: Words) -> str:
    """How many players of each side sit out in a hand: `[0, 1]` → one of the second side."""
    of_first_side, of_second_side = resting[:2]  # a third side is one player, who never sits out
    texts = []
    if of_first_side:
        texts.append(words.t("value.resting.first", count=of_first_side))
    if of_second_side:
        texts.append(words.t("value.resting.second", count=of_second_side))
    if not texts:
        return choice_in_words("resting", NOTHING, words)
    return _join_uncapitalized(texts)


def cards_by_points(points_of_cards: Mapping[str, int]) -> dict[int, list[str]]:
    """The cards of each value, highest value first: `{50: ["JK"], 20: ["2", "A"]}`."""
    cards_of_points: dict[int, list[str]] = {}
    for points in sorted(points_of_cards.values(), reverse=True):
        cards_of_points[points] = []
    for card, points in points_of_cards.items():
        cards_of_points[points].append(card)
    return cards_of_points


def _card_points(points_of_cards: Mapping[str, int], words: Words) -> str:
    """What the cards count: `jolly 50; asso, pinella 20`."""
    texts = []
    for points, cards in cards_by_points(points_of_cards).items():
        names = [words.plural(f"card.{card}", 1) for card in cards]
        texts.append(f"{', '.join(names)} {words.figure(points)}")
    return "; ".join(texts)


def _ranks(ranks: Sequence[str], words: Words) -> str:
    """Some ranks of cards: `re e donne`."""
    return words.listing([words.plural(f"card.{rank}", 2) for rank in ranks])


def _special_hands(hands: Sequence[tuple[str, int]], words: Words) -> str:
    """The special hands, each by its name and with its points."""
    texts = []
    for name, points in hands:
        texts.append(f"{words.t(f'value.special.{name}')} {words.figure(points)}")
    return ", ".join(texts)


# ---------------------------------------------------------------- canastas


def _canastas(kinds: Sequence[Mapping[str, Any]], variant: str, words: Words) -> str:
    """The kinds of canasta (a set of seven cards or more), each with its bonus."""
    return _join_uncapitalized([_canasta_in_words(kind, variant, words) for kind in kinds])


def _canasta_in_words(kind: Mapping[str, Any], variant: str, words: Words) -> str:
    """A kind of canasta with its bonus: `canasta naturale 500`.

    One made of wild cards alone may count as a canasta of another family; then that is said too.
    """
    name = item_word(variant, kind["item"], words)
    points = words.figure(kind["points"])
    counts_as_other_family = kind["shape"] == "wilds" and kind["family"] != "wild"
    if not counts_as_other_family:
        return f"{name} {points}"
    usual_key = f"value.canastas.counts-as.{kind['family']}"
    key = words.first_known(f"{usual_key}.{variant}", usual_key)
    return words.t(key, name=name, points=points)


def canasta_wilds(kinds: Sequence[Mapping[str, Any]], variant: str, words: Words) -> str:
    """How many wild cards each kind of canasta may have at most.

    Kinds without wild cards, and those made of nothing else, are left out.
    """
    texts = []
    for kind in kinds:
        _least, most = kind.get("wilds", (0, 0))
        if most == 0 or kind["shape"] == "wilds":
            continue
        name = item_word(variant, kind["item"], words)
        texts.append(words.plural("value.canastas.wilds", most, name=name))
    return _join_uncapitalized(texts)


def _out_bonuses(bonuses: Sequence[Mapping[str, int]], variant: str, words: Words) -> str:
    """The bonuses for going out (playing one's last card) with a number of canastas.

    A bonus such as `{"points": 500, "canastas": 4, "natural": 2, "mixed": 0}` is for at least four
    canastas, of which at least two are natural.
    """
    texts = []
    for bonus in bonuses:
        families = [(family, bonus[family]) for family in ("natural", "mixed") if bonus[family]]
        text = words.t(
            "value.out-bonus-canastas.each",
            points=bonus["points"],
            canastas=bonus["canastas"],
            families=families_words(families, variant, words),
        )
        texts.append(text)
    return "; ".join(texts)


def _incomplete(kinds: Sequence[Mapping[str, Any]], words: Words) -> str:
    """The canastas that must not stay incomplete, each with what happens if one does.

    It costs points, bars the side from going out (playing its last card), or both.
    """
    texts = []
    for kind in kinds:
        if not kind["points"]:
            effect = "bars"
        elif kind["bars_out"]:
            effect = "both"
        else:
            effect = "costs"
        name = words.t(f"value.incomplete.{kind['name']}")
        texts.append(words.t(f"value.incomplete.{effect}", name=name, points=-kind["points"]))
    return "; ".join(texts)


# ---------------------------------------------------------------- opening and pile


def opening_steps(steps: Iterable[tuple[int, int]], words: Words) -> str:
    """The points that a side's first melds must reach, by the match score from which they apply.

    A step such as (1500, 90) asks for 90 points from a score of 1,500 on.
    """
    texts = []
    for score, minimum in steps:
        key = "value.opening-below" if score < 0 else "value.opening-step"
        texts.append(words.t(key, score=score, minimum=minimum))
    return ", ".join(texts)


def opening_deals(minimums: Iterable[tuple[int, int]], words: Words) -> str:
    """The points that a side's first melds must reach, by the number of the hand."""
    texts = []
    for deal, minimum in minimums:
        texts.append(words.t("value.opening-deal", deal=deal, minimum=minimum))
    return ", ".join(texts)


def _opening_of_each_deal(minimums: Sequence[int], words: Words) -> str:
    """The points that a side's first melds must reach in the first hand, the second, and so on."""
    return opening_deals(enumerate(minimums, 1), words)


def _pile_tops(tops: Sequence[Mapping[str, Any]], words: Words) -> str:
    """The cards with which the discard pile is taken in another way when they lie on top of it.

    `{"card": "2", "more": 4, "used": "melded"}` is about a two, which is taken by a player who melds
    it at once with four more from their hand.
    """
    texts = []
    for top in tops:
        card = words.plural(f"card.{top['card']}", 1)
        texts.append(words.t(f"value.pile-tops.{top['used']}", card=card, more=top["more"]))
    return "; ".join(texts)


def _upcard_big_piles(sizes: Sequence[int], words: Words) -> str:
    """How many cards begin the discard pile if its first card is a joker, and if it is a two."""
    size_with_joker, size_with_two = sizes
    return words.t("value.upcard-big-piles.each", joker=size_with_joker, two=size_with_two)


# ---------------------------------------------------------------- threes, and what the count adds


def group_values_in_words(totals: Sequence[int], words: Words) -> str:
    """What several cards of one kind count together, as briefly as possible.

    `totals` are the points of one card, of two together, of three together, and so on:

    - 100, 200, 300, 400: 100 each
    - 100, 200, 300, 800: 100 each, all four 800
    - 100, 200, 900, 1200: 100 each, from the third on 300 each
    - any others: the total for each number of cards
    """
    totals_by_number = dict(enumerate(totals, 1))
    most_cards = len(totals)
    points_of_one = totals_by_number[1]
    exceptions = _numbers_with_other_points(totals_by_number, points_of_one)
    if not exceptions:
        return words.t("value.together.each", each=points_of_one)

    first_exception = exceptions[0]
    if first_exception == most_cards:
        return words.t(
            "value.together.all",
            each=points_of_one,
            count=most_cards,
            all=totals_by_number[most_cards],
        )

    points_from_there = _points_of_each_from(first_exception, totals_by_number)
    if points_from_there is None:
        return _total_of_each_number(totals_by_number, words)
    return words.t(
        "value.together.from",
        each=points_of_one,
        count=first_exception,
        more=points_from_there,
    )


def _points_of_each_from(first_number: int, totals_by_number: Mapping[int, int]) -> int | None:
    """What each card counts if there are at least so many; None if that is not always the same.

    From 3 on: `{1: 100, 2: 200, 3: 900, 4: 1200}` → 300.
    """
    points_of_each = totals_by_number[first_number] // first_number
    for number in _numbers_with_other_points(totals_by_number, points_of_each):
        if number >= first_number:
            return None
    return points_of_each


def _numbers_with_other_points(
    totals_by_number: Mapping[int, int], points_of_each: int
) -> list[int]:
    """The numbers of cards that do not count so many points for each card.

    At 100 each: `{1: 100, 2: 200, 3: 300, 4: 800}` → `[4]`.
    """
    numbers = []
    for number, total in totals_by_number.items():
        if total != number * points_of_each:
            numbers.append(number)
    return numbers


def _total_of_each_number(totals_by_number: Mapping[int, int], words: Words) -> str:
    """The points of one card, of two together, and so on, one after the other."""
    texts = []
    for number, points in totals_by_number.items():
        texts.append(words.t("value.together.some", number=number, points=points))
    return ", ".join(texts)


def _by_canastas(signs: Sequence[int], words: Words) -> str:
    """Whether cards count for or against a side, by the number of its canastas.

    A sign is 1 if they count for the side, -1 against it, and 0 if they do not count. The first one
    is for a side without canastas, the second for one canasta, and so on; the last one is for more,
    too. `[-1, 0, 1]` → against the side without canastas; not counted with one; for it from two on.
    """
    signs_in_words = [words.t(f"value.sign.{sign}") for sign in signs]
    without_canastas, *with_canastas = signs_in_words
    if not with_canastas:
        return words.t("value.by-canastas.always", sign=without_canastas)

    texts = [words.t("value.by-canastas.without", sign=without_canastas)]
    most_canastas = len(with_canastas)
    for number, sign in enumerate(with_canastas, 1):
        key = "value.by-canastas.from" if number == most_canastas else "value.by-canastas.with"
        texts.append(words.plural(key, number, sign=sign))
    return "; ".join(texts)


def _by_families(shares: Sequence[Mapping[str, Any]], words: Words) -> str:
    """What red threes count for a side and for its opponents, by the families of its canastas.

    `{"having": "natural", "own": 2, "opponents": 0}` is about a side with natural canastas only.
    The numbers are halves of the value of the red threes: 2 is their full value for the side, -4
    twice their value against it; 1 and 1 is half for each of both.
    """
    texts = []
    for share in shares:
        halves_for_side = share["own"]
        halves_for_opponents = share["opponents"]
        effect = words.t(f"value.share.{halves_for_side}.{halves_for_opponents}")
        texts.append(words.t(f"value.having.{share['having']}", share=effect))
    return "; ".join(texts)


def _loss(points: int, words: Words) -> str:
    """Points that are lost, as a negative figure."""
    return words.figure(-points)


def _left_group(count: int, words: Words) -> str:
    """How many of the cards left in the hand make up a group, if groups are what costs points."""
    return words.t("value.left-group.each", count=count)


def _held_together(kinds: Sequence[Mapping[str, Any]], words: Words) -> str:
    """What some cards of one rank cost if a player still holds them at the end of a hand."""
    texts = []
    for kind in kinds:
        count = kind["number"]
        cards = words.plural(f"card.{kind['rank']}", count)
        points = -kind["points"]
        texts.append(words.t("value.held-together.each", number=count, cards=cards, points=points))
    return "; ".join(texts)


# ---------------------------------------------------------------- by setting

_FORMATTERS_WITH_VARIANT: Mapping[str, Callable[[Any, str, Words], str]] = {
    "canastas": _canastas,
    "canasta-families-needed": families_words,
    "out-bonus-canastas": _out_bonuses,
}
"""Functions that put a setting into words with the names that the players of a variant use."""
_FORMATTERS: Mapping[str, Callable[[Any, Words], str]] = {
    "sides": _sides,
    "resting": _resting_in_words,
    "card-points": _card_points,
    "natural-only": _ranks,
    "natural-after-opening": _ranks,
    "stop-ranks": _ranks,
    "incomplete": _incomplete,
    "opening-steps": opening_steps,
    "opening-deals": _opening_of_each_deal,
    "red-three-values": group_values_in_words,
    **{
        extra.setting: group_values_in_words
        for extra in EXTRA_COUNTS
        if extra.points is ExtraPoints.TOGETHER
    },
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
"""Functions that put other settings into words whose values are not just a figure or a word."""

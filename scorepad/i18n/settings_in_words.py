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
from scorepad.rules.settings import DEAD_CARDS

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
    """Return the name of a game, such as "Classic canasta", for a page or a sheet.

    The names of the games in the package are messages. A game of a user's own has its name in its
    file.
    """
    return words.with_rules(variant).t(f"variant.{variant.id}.name")


def describe_variant_briefly(variant: Variant, words: Words) -> str:
    """Say in a sentence what is special about a game.

    "Four in two partnerships, two decks, to 5,000." A game of a user's own has this sentence in its
    file.
    """
    return words.with_rules(variant).t(f"variant.{variant.id}.special")


def name_score_item(variant: str, item: str, words: Words) -> str:
    """Return the name of something that the score counts, as the players of a game call it.

    - `classica`, `natural-canasta` → "Natural canastas"
    - `hand-and-foot`, `natural-canasta` → "Clean books": this game has a message of its own
    """
    key = words.find_known_key(f"item.{variant}.{item}", f"item.{item}")
    return words.t(key)


def name_canastas_of_family(variant: str, family: str, count: int, words: Words) -> str:
    """Say how many canastas there are of one family, as the players of a game call them.

    A canasta is a group of seven cards or more; `natural` and `mixed` are families of canastas.

    - `classica`, `natural`, 2 → "2 natural canastas"
    - `hand-and-foot`, `natural`, 2 → "2 clean books": this game has a message of its own
    """
    key = words.find_known_key(f"family.{variant}.{family}", f"family.{family}")
    return words.plural(key, count)


def list_canastas_of_families(
    families: Iterable[tuple[str, int]], variant: str, words: Words
) -> str:
    """Say how many canastas (groups of seven cards or more) there are of each family.

    `[("natural", 1), ("mixed", 1)]` → "1 natural canasta and 1 mixed canasta".
    """
    texts = [name_canastas_of_family(variant, family, count, words) for family, count in families]
    return words.listing(texts)


def describe_option_value(option: str, value: str | int | bool, words: Words) -> str:
    """Put a value of an option into words, as the page on which the rules are chosen shows it.

    - `concealed-canasta`, 100 → "100 points more", from a message
    - `target`, 5000 → "5,000": amounts without a message stay numbers
    """
    value_in_key = str(value)
    if isinstance(value, bool):
        value_in_key = value_in_key.lower()  # `true` or `false`, as in the data files
    key = f"option.{option}.{value_in_key}"

    if isinstance(value, str) or words.has(key):  # every value that is a text has a message
        return words.t(key)
    return words.figure(value)


# ---------------------------------------------------------------- a setting


def describe_setting(key: str, variant: Variant, words: Words) -> str:
    """Put the value of a setting in a game's rules into words.

    - `resting`, `[0, 0]` → "nobody"
    - `freezing`, `"never"` → "never frozen: a wild card discarded stops only the next player"
    - `target`, 5000 → "5,000"
    - `canastas`, a table → "natural canastas 500, mixed canastas 300"
    """
    value = variant.settings[key].value
    if is_empty_or_zero(value):
        return describe_choice(key, NOTHING, words)
    if isinstance(value, str):  # a word of the data files, such as `never`
        related_value = find_related_value(key, variant)
        return describe_choice(key, value, words, related_value=related_value)
    if isinstance(value, bool):  # before the numbers, since True and False are of type int too
        return words.t("value.yes") if value else words.t("value.no")

    # Tables, and lists with a special meaning, have a function each.
    if key in _FORMATTERS_WITH_VARIANT:
        format_with_variant = _FORMATTERS_WITH_VARIANT[key]
        return format_with_variant(value, variant.id, words)
    if key in _FORMATTERS:
        format_value = _FORMATTERS[key]
        return format_value(value, words)

    if isinstance(value, int):
        return words.figure(value)
    return _join_numbers(value, words)


def _join_numbers(numbers: Iterable[int], words: Words) -> str:
    """Join numbers with commas, formatted for the language: `[5, 1500]` → `5, 1,500`."""
    return ", ".join([words.figure(number) for number in numbers])


def is_empty_or_zero(value: Any) -> bool:
    """Tell whether the value of a setting is an empty list or the number zero.

    Such a value has the message of "none". It is not so for `false`, the answer of a yes-or-no
    setting, although `False == 0` in Python.
    """
    if isinstance(value, bool):
        return False
    return value in ([], 0)


def find_related_value(key: str, variant: Variant) -> str:
    """Find the value of the other setting on which the meaning of this one depends, if any.

    - `pile` (how a player takes the pile of discards) means something else if the pile is frozen:
      the answer is the value of `freezing`, such as `always`
    - `target`, which depends on no other setting → empty
    """
    related_key = RELATED_SETTINGS.get(key)
    if related_key is None:
        return ""
    return str(variant.settings[related_key].value)


def describe_choice(key: str, choice: str, words: Words, *, related_value: str = "") -> str:
    """Put a setting whose value is a word of the data files, such as `never`, into a phrase.

    `freezing`, `never` → "never frozen: a wild card discarded stops only the next player". What a
    word means may depend on another setting: that one's value is `related_value`.
    """
    message = words.find_known_key(  # from the most specific message to the most general one
        f"value.{key}.{choice}.{related_value}",
        f"value.{choice}.{related_value}",
        f"value.{key}.{choice}",
        f"value.{choice}",
    )
    return words.t(message)


def _join_uncapitalized(parts: Iterable[str]) -> str:
    """Join parts with commas, each with a small first letter: "natural canastas, sambas"."""
    return ", ".join([uncapitalize(part) for part in parts])


def uncapitalize(text: str) -> str:
    """Return a text with a small first letter, so that it can stand inside a sentence."""
    return text[:1].lower() + text[1:]


# ---------------------------------------------------------------- table and cards


def _describe_sides(sizes: Sequence[int], words: Words) -> str:
    """Say who plays against whom. `sizes` has the number of players of each side.

    - `[2, 2]` → "2 against 2"
    - `[1, 1, 1]` → "3 players, each alone"
    """
    if len(sizes) > 2:  # noqa: PLR2004 - more than two sides
        return words.t("value.sides.each", count=len(sizes))
    first_side, second_side = sizes
    return words.t("value.sides.two", one=first_side, other=second_side)


def _describe_resting_players(resting: Sequence[int], words: Words) -> str:
    """Say how many players of each side sit out while a hand (a round) is played.

    - `[0, 1]` → "1 player of the second side, in turn"
    - `[0, 0]` → "nobody"
    """
    # Only a side of several players can do without one. In games with more than two sides everyone
    # plays alone, so that all numbers are zero there.
    resting_of_first_side, resting_of_second_side = resting[:2]
    texts = []
    if resting_of_first_side > 0:
        texts.append(words.t("value.resting.first", count=resting_of_first_side))
    if resting_of_second_side > 0:
        texts.append(words.t("value.resting.second", count=resting_of_second_side))
    if not texts:
        return describe_choice("resting", NOTHING, words)
    return _join_uncapitalized(texts)


def group_cards_by_points(points_of_cards: Mapping[str, int]) -> dict[int, list[str]]:
    """Group cards that are worth equally many points, the most valuable cards first.

    `{"JK": 50, "2": 20, "A": 20}` (`JK` is a joker) → `{50: ["JK"], 20: ["2", "A"]}`.
    """
    cards_of_points: dict[int, list[str]] = {}
    for points in sorted(points_of_cards.values(), reverse=True):
        cards_of_points[points] = []  # the keys come first, since a dict keeps their order
    for card, points in points_of_cards.items():
        cards_of_points[points].append(card)
    return cards_of_points


def _describe_card_points(points_of_cards: Mapping[str, int], words: Words) -> str:
    """Say how many points each card counts, the most valuable cards first.

    `{"JK": 50, "2": 20, "A": 20}` → "joker 50; two, ace 20".
    """
    texts = []
    for points, cards in group_cards_by_points(points_of_cards).items():
        names = [words.plural(f"card.{card}", 1) for card in cards]
        texts.append(f"{', '.join(names)} {words.figure(points)}")
    return "; ".join(texts)


def _name_ranks(ranks: Sequence[str], words: Words) -> str:
    """Name ranks of cards in the plural, for a sentence: `["K", "Q"]` → "kings and queens"."""
    return words.listing([words.plural(f"card.{rank}", 2) for rank in ranks])


def _name_barred_cards(cards: Sequence[str], words: Words) -> str:
    """Name cards that are not discarded onto an empty pile: `["7", "dead"]` → "sevens and dead cards".

    Cards are dead if a side has a canasta (seven cards or more) of their rank.
    """
    names = []
    for name in cards:
        if name == DEAD_CARDS:
            names.append(words.t("value.empty-pile-bars.dead"))
        else:
            names.append(words.plural(f"card.{name}", 2))
    return words.listing(names)


def _describe_special_hands(hands: Sequence[tuple[str, int]], words: Words) -> str:
    """Name the special hands (sets of cards that win a round at once), each with its points.

    `[("pairs", 2500), ("straight", 3000)]` → "pairs 2,500, straight 3,000".
    """
    texts = []
    for name, points in hands:
        texts.append(f"{words.t(f'value.special.{name}')} {words.figure(points)}")
    return ", ".join(texts)


# ---------------------------------------------------------------- canastas


def _describe_canastas(kinds: Sequence[Mapping[str, Any]], variant: str, words: Words) -> str:
    """Name the kinds of canasta (a group of seven cards or more), each with its bonus.

    In the game `classica`: "natural canastas 500, mixed canastas 300".
    """
    return _join_uncapitalized([_describe_canasta(kind, variant, words) for kind in kinds])


def _describe_canasta(kind: Mapping[str, Any], variant: str, words: Words) -> str:
    """Name a kind of canasta (a group of seven cards or more) with its bonus.

    - `{"item": "natural-canasta", "points": 500, "shape": "group", "family": "natural"}` →
      "Natural canastas 500"
    - the same with `"length": 12` → "Natural canastas 500 (from 12 cards on)"
    - `{"item": "twos-canasta", "points": 3000, "shape": "wilds", "family": "natural"}` → "Canastas
      of twos 3,000 (count as natural)". It is made of wild cards (jokers and twos) only, so that
      nobody would expect it to count among the natural ones.
    """
    name = name_score_item(variant, kind["item"], words)
    points = words.figure(kind["points"])

    is_of_wild_cards_only = kind["shape"] == "wilds"
    family = kind["family"]  # what it counts as: `natural`, `mixed`, `sequence` or `wild`
    counts_as_expected = not is_of_wild_cards_only or family == "wild"
    if kind.get("length"):
        return words.t("value.canastas.long", name=name, points=points, cards=kind["length"])
    if counts_as_expected:
        return f"{name} {points}"
    usual_key = f"value.canastas.counts-as.{family}"
    key = words.find_known_key(f"{usual_key}.{variant}", usual_key)
    return words.t(key, name=name, points=points)


def describe_wild_limits_of_canastas(
    kinds: Sequence[Mapping[str, Any]], variant: str, words: Words
) -> str:
    """Say how many wild cards (jokers and twos) each kind of canasta may have at most.

    A canasta is a group of seven cards or more. In the game `classica`: "mixed canastas with 3 wild
    cards at most". Kinds without wild cards, and those made of nothing else, have no such limit and
    are left out.
    """
    texts = []
    for kind in kinds:
        _least_wilds, most_wilds = kind.get("wilds", (0, 0))  # (1, 3) of a mixed canasta
        is_of_wild_cards_only = kind["shape"] == "wilds"
        if most_wilds > 0 and not is_of_wild_cards_only:
            name = name_score_item(variant, kind["item"], words)
            texts.append(words.plural("value.canastas.wilds", most_wilds, name=name))
    return _join_uncapitalized(texts)


def _describe_bonuses_for_canastas(
    bonuses: Sequence[Mapping[str, int]], variant: str, words: Words
) -> str:
    """Name the bonuses that a side gets if it ends the round with a number of canastas.

    A canasta is a group of seven cards or more. `{"points": 1000, "canastas": 5, "natural": 1,
    "mixed": 0}` → "1,000 with at least 5 canastas, of them at least 1 natural canasta".
    """
    texts = []
    for bonus in bonuses:
        needed_families = []
        for family in ("natural", "mixed"):
            if bonus[family] > 0:
                needed_families.append((family, bonus[family]))
        text = words.t(
            "value.out-bonus-canastas.each",
            points=bonus["points"],
            canastas=bonus["canastas"],
            families=list_canastas_of_families(needed_families, variant, words),
        )
        texts.append(text)
    return "; ".join(texts)


def _describe_incomplete_canastas(kinds: Sequence[Mapping[str, Any]], words: Words) -> str:
    """Say what happens to a side that began a canasta (seven cards or more) and did not finish it.

    Only some kinds of canasta have such a rule:

    - `{"name": "sevens", "points": 1500, "bars_out": False}`, which costs points → "sevens −1,500"
    - `{"name": "wilds", "points": 0, "bars_out": True}`, which keeps the side from ending the round
      → "nobody goes out before a meld of only wild cards is complete"
    - `{"name": "sevens", "points": 2500, "bars_out": True}`, both → "sevens −2,500, and you cannot
      go out"
    """
    texts = []
    for kind in kinds:
        cost = kind["points"]
        keeps_from_ending = kind["bars_out"]
        if cost > 0 and keeps_from_ending:
            message = "value.incomplete.both"
        elif cost > 0:
            message = "value.incomplete.costs"
        else:
            message = "value.incomplete.bars"
        name = words.t(f"value.incomplete.{kind['name']}")
        text = words.t(message, name=name, points=-cost)
        more_with_jokers = kind.get("four_jokers", 0)
        if more_with_jokers > 0:
            cost_with_jokers = cost + more_with_jokers
            text = words.t("value.incomplete.four-jokers", text=text, points=-cost_with_jokers)
        texts.append(text)
    return "; ".join(texts)


# ---------------------------------------------------------------- opening and pile


def describe_minimums_by_score(steps: Iterable[tuple[int, int]], words: Words) -> str:
    """Say how many points a side needs to lay its first cards in a round, by its score.

    - `[(0, 50), (1500, 90)]` → "from 0: 50, from 1,500: 90"
    - a step with a score below zero: "below zero: 15"
    """
    texts = []
    for score, minimum in steps:
        key = "value.opening-below" if score < 0 else "value.opening-step"
        texts.append(words.t(key, score=score, minimum=minimum))
    return ", ".join(texts)


def describe_minimums_by_hand(minimums: Iterable[tuple[int, int]], words: Words) -> str:
    """Say how many points a side needs to lay its first cards, by the number of the hand (round).

    `[(1, 50), (2, 90)]` → "50 in hand 1, 90 in hand 2".
    """
    texts = []
    for hand_number, minimum in minimums:
        texts.append(words.t("value.opening-deal", deal=hand_number, minimum=minimum))
    return ", ".join(texts)


def _describe_minimum_of_each_hand(minimums: Sequence[int], words: Words) -> str:
    """Say how many points a side needs to lay its first cards in each hand (round).

    `[50, 90]` → "50 in hand 1, 90 in hand 2".
    """
    numbered_minimums = enumerate(minimums, 1)
    return describe_minimums_by_hand(numbered_minimums, words)


def _describe_tops_with_own_rule(tops: Sequence[Mapping[str, Any]], words: Words) -> str:
    """Name the top cards of the discard pile for which taking the pile has a rule of its own.

    A player takes the pile with cards equal to its top card. Each rule says how many `more` such
    cards are needed, and what is done with them (`used`):

    - `{"card": "2", "more": 4, "used": "melded"}` → "two: with 4 more, laid at once"
    - `{"card": "3r", "more": 3, "used": "discarded"}` → "red three: with 3 more, discarded
      together"
    """
    texts = []
    for top in tops:
        card = words.plural(f"card.{top['card']}", 1)
        texts.append(words.t(f"value.pile-tops.{top['used']}", card=card, more=top["more"]))
    return "; ".join(texts)


def _describe_sizes_of_first_pile(sizes: Sequence[int], words: Words) -> str:
    """Say how many cards begin the discard pile if the first one is a joker or a two.

    `[50, 20]` → "50 cards with a joker, 20 with a two".
    """
    size_with_joker, size_with_two = sizes
    return words.t("value.upcard-big-piles.each", joker=size_with_joker, two=size_with_two)


def _describe_talon(cards: Sequence[int], words: Words) -> str:
    """Say how many cards a player draws for opening, for the first side that does and the second.

    `[4, 3]` → "4 for the first side that opens, 3 for the second". An empty list → "none".
    """
    if not cards:
        return words.t("value.none")
    first, second = cards
    return words.t("value.talon", first=first, second=second)


# ---------------------------------------------------------------- threes, and what the count adds


def describe_points_of_equal_cards(totals: Sequence[int], words: Words) -> str:
    """Say how many points several equal cards count together, as briefly as possible.

    `totals` are the points of one card, of two together, of three together, and so on:

    - `[100, 200, 300, 400]` → "100 each"
    - `[100, 200, 300, 800]` → "100 each, all 4 together 800"
    - `[100, 200, 900, 1200]` → "100 each, 300 each from 3 on"
    - `[100, 300, 500, 1000]` → "100 for 1, 300 for 2, 500 for 3, 1,000 for 4"
    """
    totals_by_number = dict(enumerate(totals, 1))  # {1: 100, 2: 200, 3: 300, 4: 800}
    most_cards = len(totals)
    points_of_one = totals_by_number[1]
    exceptions = _find_numbers_with_other_points(totals_by_number, points_of_one)  # [4]
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

    points_from_there = _find_points_of_each_from(first_exception, totals_by_number)
    if points_from_there is None:
        return _describe_total_of_each_number(totals_by_number, words)
    return words.t(
        "value.together.from",
        each=points_of_one,
        count=first_exception,
        more=points_from_there,
    )


def _find_points_of_each_from(first_number: int, totals_by_number: Mapping[int, int]) -> int | None:
    """Find how many points each card counts if there are `first_number` equal cards or more.

    `totals_by_number` has the points of one card, of two together, and so on. From 3 cards on:

    - `{1: 100, 2: 200, 3: 900, 4: 1200}` → 300, since 3 × 300 = 900 and 4 × 300 = 1200
    - `{1: 100, 2: 300, 3: 500, 4: 1000}` → None: no number of points fits both 3 and 4 cards
    """
    points_of_each = totals_by_number[first_number] // first_number
    for number in _find_numbers_with_other_points(totals_by_number, points_of_each):
        if number >= first_number:
            return None
    return points_of_each


def _find_numbers_with_other_points(
    totals_by_number: Mapping[int, int], points_of_each: int
) -> list[int]:
    """Find for which numbers of equal cards the total is not simply number × points of each.

    At 100 points each: `{1: 100, 2: 200, 3: 300, 4: 800}` → `[4]`.
    """
    numbers = []
    for number, total in totals_by_number.items():
        if total != number * points_of_each:
            numbers.append(number)
    return numbers


def _describe_total_of_each_number(totals_by_number: Mapping[int, int], words: Words) -> str:
    """Say how many points one card, two equal cards, and so on count together.

    `{1: 100, 2: 300}` → "100 for 1, 300 for 2".
    """
    texts = []
    for number, points in totals_by_number.items():
        texts.append(words.t("value.together.some", number=number, points=points))
    return ", ".join(texts)


def _describe_signs_by_canastas(signs: Sequence[int], words: Words) -> str:
    """Say whether cards count for or against a side, depending on how many canastas it has.

    A canasta is a group of seven cards or more. The first sign is for a side without canastas, the
    second for one canasta, and so on; the last sign holds for more canastas, too. A sign is 1 for
    the side, -1 against it, and 0 if the cards do not count.

    - `[-1, 0, 1]` → "without canastas against the side; with 1 canasta not counted; from 2 canastas
      on for the side"
    - `[1]` → "always for the side"
    """
    effects = [words.t(f"value.sign.{sign}") for sign in signs]  # "against the side", …
    effect_without_canastas = effects[0]
    if len(effects) == 1:
        return words.t("value.by-canastas.always", sign=effect_without_canastas)

    texts = [words.t("value.by-canastas.without", sign=effect_without_canastas)]
    last_number = len(effects) - 1  # of canastas
    for number in range(1, last_number):
        texts.append(words.plural("value.by-canastas.with", number, sign=effects[number]))
    texts.append(words.plural("value.by-canastas.from", last_number, sign=effects[last_number]))
    return "; ".join(texts)


def _describe_shares_by_families(shares: Sequence[Mapping[str, Any]], words: Words) -> str:
    """Say for whom red threes (bonus cards) count, depending on the canastas that a side has.

    A canasta is a group of seven cards or more: natural, or mixed if wild cards are in it. `having`
    says of which kinds the side has canastas. `own` is what the side gets, and `opponents` what its
    opponents get, in halves of the value of the cards: 2 is the full value, -4 twice the value
    against the side.

    - `{"having": "natural", "own": 0, "opponents": 0}` → "with natural ones only not counted"
    - `{"having": "mixed", "own": -2, "opponents": 0}` → "with mixed ones only against the side"
    - `{"having": "none", "own": -4, "opponents": 0}` → "without canastas against the side, doubled"
    """
    texts = []
    for share in shares:
        canastas_of_side = share["having"]
        halves_for_side = share["own"]
        halves_for_opponents = share["opponents"]
        # `value.share.-4.0` → "against the side, doubled"
        effect = words.t(f"value.share.{halves_for_side}.{halves_for_opponents}")
        texts.append(words.t(f"value.having.{canastas_of_side}", share=effect))
    return "; ".join(texts)


def _format_loss(points: int, words: Words) -> str:
    """Format points that are lost as a negative number: 500 → "−500"."""
    return words.figure(-points)


def _describe_group_of_cards_left(count: int, words: Words) -> str:
    """Say what cards cost that are left in hand when the round ends, if they cost by groups.

    3 → "−1 for each group of 1 to 3 cards; threes cost nothing".
    """
    return words.t("value.left-group.each", count=count)


def _describe_cost_of_holding_together(kinds: Sequence[Mapping[str, Any]], words: Words) -> str:
    """Say what it costs a player to have several equal cards in hand when the round ends.

    `[{"rank": "7", "number": 3, "points": 500}]` → "3 or more sevens in a player's hand −500".
    """
    texts = []
    for kind in kinds:
        count = kind["number"]
        cards = words.plural(f"card.{kind['rank']}", count)
        points = -kind["points"]
        texts.append(words.t("value.held-together.each", number=count, cards=cards, points=points))
    return "; ".join(texts)


# ---------------------------------------------------------------- by setting

_FORMATTERS_WITH_VARIANT: Mapping[str, Callable[[Any, str, Words], str]] = {
    "canastas": _describe_canastas,
    "canasta-families-needed": list_canastas_of_families,
    "out-bonus-canastas": _describe_bonuses_for_canastas,
}
"""Functions that put a setting into words with the names that the players of a variant use."""
_FORMATTERS: Mapping[str, Callable[[Any, Words], str]] = {
    "sides": _describe_sides,
    "resting": _describe_resting_players,
    "card-points": _describe_card_points,
    "natural-only": _name_ranks,
    "natural-after-opening": _name_ranks,
    "stop-ranks": _name_ranks,
    "empty-pile-bars": _name_barred_cards,
    "incomplete": _describe_incomplete_canastas,
    "opening-steps": describe_minimums_by_score,
    "opening-deals": _describe_minimum_of_each_hand,
    "red-three-values": describe_points_of_equal_cards,
    **{
        extra.setting: describe_points_of_equal_cards
        for extra in EXTRA_COUNTS
        if extra.points is ExtraPoints.TOGETHER
    },
    "red-threes-by-canastas": _describe_signs_by_canastas,
    "red-threes-by-families": _describe_shares_by_families,
    "cards-by-canastas": _describe_signs_by_canastas,
    "held-red-three": _format_loss,
    "left-black-three": _format_loss,
    "left-wild": _format_loss,
    "left-group": _describe_group_of_cards_left,
    "held-together": _describe_cost_of_holding_together,
    "special-hands": _describe_special_hands,
    "pile-tops": _describe_tops_with_own_rule,
    "upcard-big-piles": _describe_sizes_of_first_pile,
    "talon": _describe_talon,
}
"""Functions that put other settings into words whose values are not just a figure or a word."""

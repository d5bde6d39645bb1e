"""The settings of a variant as values in words and as sentences of the rulebook, by chapter.

Values are in the form of the data files. A value that is a word has the message
`value.SETTING.WORD`, or `value.WORD` if several settings share it; either followed by `.OTHER` if
its meaning depends on that value of another setting (`DEPENDS_ON`).

As a sentence of the rulebook a setting has the message `rulebook.say.SETTING.WORD` for a value that
is a word or yes or no, `rulebook.say.SETTING` for one that is a figure or a list,
`rulebook.say.SETTING.none` for an empty value, if every game mentions it, and
`rulebook.say.SETTING.not-here` if only games that offer other values do;
`rulebook.say.SETTING.exact` if the minimum equals the maximum, `rulebook.say.SETTING.by-players` if
it depends on the number of players. Any of them is followed by `.OTHER` as above. Without a message
the value in words is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scorepad.i18n.counted import canastas_required, counted_canastas
from scorepad.i18n.words import Words
from scorepad.rules.cards import KINDS, Kind, in_decks
from scorepad.rules.definitions import Statement, Variant

NOTHING = "none"
"""The word for an empty value."""

_UPCARD = ("upcard", "upcard-wild", "upcard-red-three", "upcard-black-three")
DEPENDS_ON: Mapping[str, str] = {
    "pile": "freezing", **dict.fromkeys(_UPCARD, "freezing"), "freezing": "pile", "wild-limit": "wild-melds",
    "meld-naturals": "wild-melds", "dealt": "hands-each",
}  # fmt: skip
"""Settings whose meaning depends on certain values of another setting, each with that setting."""


def setting_words(key: str, variant: Variant, words: Words) -> str:
    """The value that a variant gives to a setting, in words."""
    value = variant.settings[key].value
    if value in ([], 0) and value is not False:
        return word(key, NOTHING, words)
    if isinstance(value, str):
        return word(
            key, value, words, variant.settings[DEPENDS_ON[key]].value if key in DEPENDS_ON else ""
        )
    if key in _BY_GAME:
        return _BY_GAME[key](value, variant.id, words)
    if key in _IN_WORDS:
        return _IN_WORDS[key](value, words)
    if isinstance(value, bool):
        return words.text("value.yes" if value else "value.no")
    return words.figure(value) if isinstance(value, int) else _list(map(words.figure, value))


def item_word(variant: str, item: str, words: Words) -> str:
    """The name of a score line's item, as the players of a variant call it."""
    return words.text(words.first(f"item.{variant}.{item}", f"item.{item}"))


def family_word(variant: str, family: str, count: int, words: Words) -> str:
    """The number of canastas of a family: `2 canaste naturali`, in hand and foot `2 libri puliti`."""
    return words.plural(words.first(f"family.{variant}.{family}", f"family.{family}"), count)


def word(key: str, value: str, words: Words, beside: str = "") -> str:
    """The message for a value that is a word, for this setting, beside that value of the setting it
    depends on.
    """
    common, own = f"value.{value}", f"value.{key}.{value}"
    return words.text(words.first(f"{own}.{beside}", f"{common}.{beside}", own, common))


def value_word(option: str, value: str | int | bool, words: Words) -> str:
    """The name of a value of an option; an amount without its own message is formatted as a figure."""
    key = f"option.{option}.{str(value).lower() if isinstance(value, bool) else value}"
    return words.text(key) if words.has(key) or isinstance(value, str) else words.figure(value)


def _list(parts: Iterable[str]) -> str:
    """The parts joined, with the names of things in lower case."""
    return ", ".join(part[:1].lower() + part[1:] for part in parts)


def _sides(value: Sequence[int], words: Words) -> str:
    if len(value) > 2:  # noqa: PLR2004 - more than two sides
        return words.text("value.sides.each", count=len(value))
    return words.text("value.sides.two", one=value[0], other=value[1])


def _resting(value: Sequence[int], words: Words) -> str:
    """Who sits out; a third side is ignored, since its player is alone."""
    sides = zip(("value.resting.first", "value.resting.second"), value, strict=False)
    return _list(words.text(key, count=count) for key, count in sides if count) or word(
        "resting", NOTHING, words
    )


def _card_points(value: Mapping[str, int], words: Words) -> str:
    """The cards of each value together, highest value first."""
    worths = sorted(set(value.values()), reverse=True)
    groups = [[kind for kind, points in value.items() if points == worth] for worth in worths]
    named = [", ".join(words.plural(f"card.{kind}", 1) for kind in kinds) for kinds in groups]
    return "; ".join(
        f"{cards} {words.figure(worth)}" for cards, worth in zip(named, worths, strict=True)
    )


def _ranks(value: Sequence[str], words: Words) -> str:
    return words.listing(words.plural(f"card.{kind}", 2) for kind in value)


def _canastas(value: Sequence[Mapping[str, Any]], variant: str, words: Words) -> str:
    return _list(_canasta(kind, variant, words) for kind in value)


def _canasta(kind: Mapping[str, Any], variant: str, words: Words) -> str:
    """A canasta with its bonus; one of wild cards alone also with the family as which it counts, if
    another.
    """
    name, points = item_word(variant, kind["item"], words), words.figure(kind["points"])
    if kind["shape"] == "wilds" and kind["family"] != "wild":
        common = f"value.canastas.counts-as.{kind['family']}"
        return words.text(words.first(f"{common}.{variant}", common), name=name, points=points)
    return f"{name} {points}"


def canasta_wilds(value: Sequence[Mapping[str, Any]], variant: str, words: Words) -> str:
    """The most wild cards of each kind of canasta that takes some and has others too."""
    kinds = []
    for kind in value:
        _, most = kind.get("wilds", (0, 0))
        if most and kind["shape"] != "wilds":
            name = item_word(variant, kind["item"], words)
            kinds.append(words.plural("value.canastas.wilds", most, name=name))
    return _list(kinds)


def _incomplete(kind: Mapping[str, Any], words: Words) -> str:
    name = words.text(f"value.incomplete.{kind['name']}")
    if not kind["points"]:
        return words.text("value.incomplete.bars", name=name)
    cost = "both" if kind["bars_out"] else "costs"
    return words.text(f"value.incomplete.{cost}", name=name, points=-kind["points"])


def opening_steps(value: Iterable[tuple[int, int]], words: Words) -> str:
    """The opening minimums, each with the match score from which it applies."""
    below, step = "value.opening-below", "value.opening-step"
    return ", ".join(
        words.text(below if at < 0 else step, score=at, minimum=minimum) for at, minimum in value
    )


def opening_deals(value: Iterable[tuple[int, int]], words: Words) -> str:
    """The opening minimums, each with the number of the hand."""
    return ", ".join(
        words.text("value.opening-deal", deal=deal, minimum=minimum) for deal, minimum in value
    )


def together(worths: Sequence[int], words: Words) -> str:
    """The value of one, two, three … together, in the shortest form."""
    each, count = worths[0], len(worths)
    in_step = [points == each * number for number, points in enumerate(worths, 1)]
    if all(in_step):
        return words.text("value.together.each", each=each)
    if all(in_step[:-1]):
        return words.text("value.together.all", each=each, count=count, all=worths[-1])
    step = next(number for number, as_before in enumerate(in_step, 1) if not as_before)
    more = worths[step - 1] // step
    if list(worths[step - 1 :]) == [more * number for number in range(step, count + 1)]:
        return words.text("value.together.from", each=each, count=step, more=more)
    parts = [
        words.text("value.together.some", number=number, points=points)
        for number, points in enumerate(worths, 1)
    ]
    return ", ".join(parts)


def _by_canastas(value: Sequence[int], words: Words) -> str:
    """Signs with no canasta, one, two …; the last applies to more."""
    signs = [words.text(f"value.sign.{sign}") for sign in value]
    if len(signs) == 1:
        return words.text("value.by-canastas.always", sign=signs[0])
    parts = [words.text("value.by-canastas.without", sign=signs[0])]
    parts += [
        words.plural("value.by-canastas.with", number, sign=sign)
        for number, sign in enumerate(signs[:-1])
        if number
    ]
    return "; ".join(
        (*parts, words.plural("value.by-canastas.from", len(signs) - 1, sign=signs[-1]))
    )


def _family_share(share: Mapping[str, Any], words: Words) -> str:
    effect = words.text(f"value.share.{share['own']}.{share['opponents']}")
    return words.text(f"value.having.{share['having']}", share=effect)


def _held(kind: Mapping[str, Any], words: Words) -> str:
    cards = words.plural(f"card.{kind['rank']}", kind["number"])
    return words.text(
        "value.held-together.each", number=kind["number"], cards=cards, points=-kind["points"]
    )


def _special(value: Sequence[tuple[str, int]], words: Words) -> str:
    return ", ".join(
        f"{words.text(f'value.special.{name}')} {words.figure(points)}" for name, points in value
    )


def _families(value: Sequence[tuple[str, int]], variant: str, words: Words) -> str:
    return words.listing(family_word(variant, family, count, words) for family, count in value)


def _out_bonuses(value: Sequence[Mapping[str, int]], variant: str, words: Words) -> str:
    return "; ".join(
        words.text(
            "value.out-bonus-canastas.each",
            points=bonus["points"],
            canastas=bonus["canastas"],
            families=_families(
                [(name, bonus[name]) for name in ("natural", "mixed") if bonus[name]],
                variant,
                words,
            ),
        )
        for bonus in value
    )


def _pile_top(top: Mapping[str, Any], words: Words) -> str:
    return words.text(
        f"value.pile-tops.{top['used']}",
        card=words.plural(f"card.{top['card']}", 1),
        more=top["more"],
    )


_BY_GAME: Mapping[str, Callable[[Any, str, Words], str]] = {
    "canastas": _canastas,
    "canasta-families-needed": _families,
    "out-bonus-canastas": _out_bonuses,
}
"""Settings about canastas, for which the players of a variant use their own names."""


def _each(entry: Callable[[Any, Words], str]) -> Callable[[Any, Words], str]:
    """The words for a list, from those for one of its entries."""
    return lambda value, words: "; ".join(entry(each, words) for each in value)


_IN_WORDS: dict[str, Callable[[Any, Words], str]] = {
    "sides": _sides,
    "resting": _resting,
    "card-points": _card_points,
    "natural-only": _ranks,
    "natural-after-opening": _ranks,
    "stop-ranks": _ranks,
    "incomplete": _each(_incomplete),
    "opening-steps": opening_steps,
    "opening-deals": lambda value, words: opening_deals(enumerate(value, 1), words),
    "red-three-values": together,
    "black-threes-aside": together,
    "black-threes-exposed": together,
    "red-threes-by-canastas": _by_canastas,
    "red-threes-by-families": _each(_family_share),
    "cards-by-canastas": _by_canastas,
    "held-red-three": lambda value, words: words.figure(-value),
    "left-black-three": lambda value, words: words.figure(-value),
    "left-wild": lambda value, words: words.figure(-value),
    "left-group": lambda value, words: words.text("value.left-group.each", count=value),
    "held-together": _each(_held),
    "special-hands": _special,
    "pile-tops": _each(_pile_top),
    "upcard-big-piles": lambda value, words: words.text(
        "value.upcard-big-piles.each", joker=value[0], two=value[1]
    ),
}
"""The settings whose values are not just a figure or a word."""


# ---------------------------------------------------------------- the rulebook

PENALTIES = "penalties"
"""The chapter that lists the penalties."""

CHAPTERS: Mapping[str, tuple[str, ...]] = {
    "turn": ("drawn", "thirteen", "discard-fitting", "threes-together"),
    "preparing": (
        "sides", "partnership", "resting", "decks", "dealt", "hands-each", "first-exchange", "upcard", "upcard-wild",
        "upcard-red-three", "upcard-black-three", "upcard-freezes", "upcard-pile", "upcard-big-piles",
        "upcard-wilds-redeal",
    ),
    "cards": ("card-points", "unit"),
    "melds": (
        "meld-one-rank", "sequences", "meld-shortest", "meld-longest", "meld-naturals", "wild-limit", "wild-ratio",
        "natural-only", "natural-after-opening", "meld-wilds-stay", "wild-melds", "wild-melds-shortest",
        "wild-melds-longest", "wild-meld-naturals", "wilds-blocked", "incomplete", "repeated-rank",
    ),
    "canastas": ("canasta-length", "canastas", "canastas-count", "wild-on-canasta", "concealed-canasta"),
    "opening": (
        "opening-by", "opening-steps", "opening-below-zero", "opening-deals", "opening-naturals-up-to",
        "opening-wild-melds", "opening-natural-group", "opening-pile",
    ),
    "pile": (
        "pile", "pile-naturals", "pile-top-laid-off", "pile-layoff", "pile-drawn", "pile-tops", "freezing",
        "pile-naturals-frozen",
    ),
    "red-threes": (
        "red-threes-kept", "red-three-values", "red-threes-condition", "red-threes-otherwise",
        "red-threes-by-canastas", "red-threes-by-families", "held-red-three", "held-red-three-counts",
    ),
    "black-threes": (
        "black-three-discarded", "stop-ranks", "first-round-black-threes", "black-threes", "black-threes-fewest",
        "black-threes-longest", "black-threes-wilds", "black-threes-aside", "black-threes-exposed",
    ),
    "out": (
        "canastas-needed", "canasta-families-needed", "out-red-threes", "permission", "last-discard",
        "last-discard-special", "concealed-out", "end-of-stock",
    ),
    "count": (
        "counted-by", "cards-by-canastas", "out-bonus", "concealed-out-bonus", "out-bonus-canastas", "out-bonus-adds",
        "cards-left", "left-black-three", "left-wild", "left-group", "held-together", "special-hands",
    ),
    "winning": ("target", "match-deals"),
    PENALTIES: ("penalties-known",),
}  # fmt: skip
"""The chapters in page order, each with its settings in order; every setting is in one of them."""


def rule_name(key: str, words: Words) -> str:
    """The name of a setting's rule: as in lists of settings, or its own heading for a sentence."""
    return words.text(words.first(f"rulebook.name.{key}", f"setting.{key}"))


def statement_name(statement: Statement, words: Words) -> str:
    """The heading under which a statement stands: that of its rule, or of its chapter."""
    if statement.after is None:
        return words.text(f"rulebook.section.{statement.section}")
    return rule_name(statement.after, words)


def sentence(key: str, variant: Variant, words: Words) -> str:
    """The sentence for the variant's value of a setting."""
    value, own = variant.settings[key].value, _message(key, variant)
    beside = variant.settings[DEPENDS_ON[key]].value if key in DEPENDS_ON else ""
    message = words.first(f"{own}.{beside}", own, f"rulebook.say.{key}.not-here", "")
    if (
        key == "opening-steps"
        and len(value) == 1
        and variant.settings["opening-below-zero"].value == value[0][1]
    ):
        return words.text(f"{message}.always", value=value[0][1])
    if key == "incomplete" and not any(kind["points"] for kind in value):
        names = [words.text(f"value.incomplete.{kind['name']}") for kind in value]
        if names:
            return words.text("rulebook.say.incomplete.bars", name=words.listing(names))
        message = ""  # the words for nothing are a sentence already
    if not message:
        text = setting_words(key, variant, words)
        return f"{text[:1].upper()}{text[1:]}."
    canastas = _canastas_of(key, variant, words)
    if canastas:
        return words.text(message, value=canastas)
    if isinstance(value, int) and value > 0 and not isinstance(value, bool):
        held = dict(zip(KINDS, in_decks(value), strict=True)) if key == "decks" else {}
        cards, jokers = sum(held.values()), held.get(Kind.JOKER, 0)
        return words.plural(message, value, cards=cards, jokers=jokers, number=words.spelled(value))
    text = setting_words(key, variant, words)
    return words.text(message, value=text[:1].lower() + text[1:])


def _canastas_of(key: str, variant: Variant, words: Words) -> str:
    """The canastas that a setting asks for, in words; empty if it is about something else."""
    value = variant.settings[key].value
    if key == "canastas-needed":
        return counted_canastas(variant.id, "any", value, words)
    if key == "canasta-families-needed":
        return canastas_required(variant.id, value, words)
    return out_canastas(variant, words) if key == "concealed-out" else ""


def out_canastas(variant: Variant, words: Words) -> str:
    """What going out requires, in words: `una canasta`, `1 canasta naturale e 1 canasta mista`."""
    needed = variant.settings["canastas-needed"].value
    families = variant.settings["canasta-families-needed"].value
    own_name = f"family.{variant.id}.any"
    if families:
        canastas = _families(families, variant.id, words)
    elif words.has(own_name):
        canastas = words.plural(own_name, needed)
    else:
        canastas = words.plural("value.out-canastas", needed)
    named = sum(count for _, count in families)
    if families and named < needed:
        every = family_word(variant.id, "any", needed, words)
        canastas = words.text("value.out-canastas.among", canastas=every, families=canastas)
    if variant.settings["out-red-threes"].value == "one-for-each-canasta":
        canastas = words.text("value.out-canastas.red-threes", canastas=canastas)
    return canastas


def is_left_out_of_lists(key: str, variant: Variant, words: Words) -> bool:
    """Whether lists omit the setting's value, a word or nothing, although there is a sentence for
    it.
    """
    value = variant.settings[key].value
    may_be_left_out = isinstance(value, str) or (value in ([], 0) and not isinstance(value, bool))
    return may_be_left_out and words.has(_message(key, variant))


def rule_text(key: str, variant: Variant, words: Words) -> str:
    """The sentence of a rule, including the effect of the number of players if an option decides
    both.
    """
    said, numbers = sentence(key, variant, words), ", ".join(each_by_players(key, variant, words))
    return (
        f"{said} {words.text(f'rulebook.say.{key}.by-players', value=numbers)}" if numbers else said
    )


def each_by_players(key: str, variant: Variant, words: Words) -> list[str]:
    """The rule for each number of players, if an option decides both; otherwise empty."""
    if not words.has(f"rulebook.say.{key}.by-players"):
        return []
    return [
        words.text(
            f"rulebook.say.{key}.each", players=sum(value.sets["sides"]), count=value.sets[key]
        )
        for option in variant.options.values()
        for value in option.values
        if {"sides", key} <= set(value.sets)
    ]


def _message(key: str, variant: Variant) -> str:
    value = variant.settings[key].value
    if key in _MOST and value == variant.settings[_MOST[key]].value:
        return f"rulebook.say.{key}.exact"
    if isinstance(value, (str, bool)):
        return f"rulebook.say.{key}.{str(value).lower()}"
    return f"rulebook.say.{key}.{NOTHING}" if value in ([], 0) else f"rulebook.say.{key}"


_MOST = {"canasta-length": "meld-longest", "wild-melds-shortest": "wild-melds-longest"}
"""Settings of a minimum number of cards, each with the maximum."""

"""Hands to score, decoded from JSON and checked against the rules that they are counted by.

One type of hand covers all variants: keys that a variant does not have are refused here, by name.
Unusable input is reported by its key. Sides are identified by name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, NamedTuple

from pydantic import Field, TypeAdapter

from scorepad.errors import ChoiceError
from scorepad.rules.cards import NOTHING, Reading, gather
from scorepad.rules.checks import MessageArgument
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import EXTRA_COUNTS, EXTRAS, MOST_NAMED_SIDES, Hand, Out, SideEntry, Totals
from scorepad.rules.json_types import JsonContext, Word
from scorepad.rules.judging import Finding, Judgement, find_broken_rules, judge, sort_by_place
from scorepad.rules.settings import Points
from scorepad.rules.table import (
    LaidSide,
    Pointer,
    SideName,
    Table,
    build_side,
    build_table,
    build_table_of_sides,
    find_parties,
)
from scorepad.rules.variants import get_variant, settle
from scorepad.schemas.fields import (
    Options,
    Unusable,
    decode,
    parse_checked_json,
    quote,
    refuse_unknown_items,
)

SIDE_KEYS = ("a", "b", "c")
"""The keys of the sides in stored hands; names are labels that may change."""
DEFAULT_BEFORE = {"noi": 0, "loro": 0}
PLAYERS = "players"
"""The option for the number of players of a variant."""

FOREIGN_KEYS = sorted({"single", "deal", *EXTRAS, "special", "incomplete"})
"""The keys of a hand's JSON that only some variants have: those name them in `entry-fields`."""
_WAYS_TO_COUNT = ("melds", "totals", "sum")
"""The keys of the ways to count a side, of which one is given: its cards, totals of their points, or
one sum for the whole hand.
"""
_BESIDE_SUM = ("sum", "adjustments")
_NOT_BESIDE_SUM = tuple(field.name for field in fields(SideEntry) if field.name not in _BESIDE_SUM)
"""The keys that a side of which only the sum is given cannot have."""
_TWO_SIDES = 2


@dataclass(frozen=True, kw_only=True)
class HandToScore(Hand):
    """A hand to score: with its rules, and the match scores before it by name."""

    variant: Word
    preset: Word | None = None
    options: Options = field(default_factory=dict)
    before: Annotated[dict[Word, Points], Field(max_length=MOST_NAMED_SIDES)] = field(
        default_factory=lambda: dict(DEFAULT_BEFORE)
    )

    def rules_with(self, **options: int) -> Ruleset:
        """The chosen rules, also with these options. Raises Unusable if there are no such rules."""
        return read_chosen_rules(self.variant, self.preset, {**self.options, **options})


_HAND_TO_SCORE = TypeAdapter(HandToScore)


def read_chosen_rules(
    variant: str, preset: str | None, options: Mapping[str, str | int | bool]
) -> Ruleset:
    """The rules of the game that somebody chose: a variant of it, perhaps a ready-made set of its
    options (preset), and single options, such as `{"wild-limit": "three"}`.

    Raises Unusable if there is no such variant, preset or option.
    """
    try:
        return settle(variant, preset, options)
    except ChoiceError as error:
        raise _unusable_choice(error) from None  # its cause would tell nothing more


def _unusable_choice(error: ChoiceError) -> Unusable:
    """The error shown for a choice of rules that there is not: its message names the wrong key and
    what was chosen, and lists what can be chosen.
    """
    return Unusable(
        f"choice.{error.reason}",
        quote(error.key),
        given=quote(error.given),
        known=", ".join(error.known),
    )


# ------------------------------------------------------------------------------------- the request


class GivenKeys(NamedTuple):
    """The keys that the JSON of a hand has: a decoded hand does not tell whether a value was given,
    or is the default.

    `of_sides` and `of_totals` are the keys of each side, and of the totals of that side, by the name
    of the side; a side without totals has no keys of totals.
    """

    of_hand: Collection[str]
    of_sides: Mapping[str, Collection[str]]
    of_totals: Mapping[str, Collection[str]]


def read_given_keys(source: str | bytes) -> GivenKeys:
    """Read the keys that the JSON of a hand has. The hand must have been decoded before, so that it
    has the right form.
    """
    return _list_given_keys(parse_checked_json(source))


def _list_given_keys(parsed: Any) -> GivenKeys:
    """List the keys in the parsed JSON of a hand, which must have the right form."""
    of_sides = {}
    of_totals = {}
    for name, side in parsed["sides"].items():
        of_sides[name] = side.keys()
        of_totals[name] = side.get("totals", {}).keys()
    return GivenKeys(parsed.keys(), of_sides, of_totals)


class UnknownSide(NamedTuple):
    """What a hand gives for a side under a name that no side of the match has.

    `is_out`: the hand says that this side went out (played its last card, which ends the hand).
    """

    name: str
    entry: SideEntry
    is_out: bool


class UnknownName(NamedTuple):
    """A name that no side of the match has, and where it stands: `("out", "side")`."""

    name: str
    where: Pointer


class HandRequest(NamedTuple):
    """A hand to judge, with its rules, the names of the sides, and the match scores before it.

    `unknown_sides` are the entries under names that no side of the match has, `unknown_names` all
    such names with the places where they stand. `absent` are the positions of the sides of the
    match that have no entry.
    """

    rules: Ruleset
    hand: Hand
    side_names: tuple[str, ...]
    before: tuple[int, ...]
    unknown_sides: tuple[UnknownSide, ...] = ()
    unknown_names: tuple[UnknownName, ...] = ()
    absent: frozenset[int] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The names by position: the sides of the match, then the unknown sides."""
        return (*self.side_names, *(side.name for side in self.unknown_sides))

    def judge(self, *, by_agreement: bool = False) -> Judgement:
        """Check the hand by the rules, and score it if it may count.

        A hand that names a side which the match does not have gets no score; its other mistakes are
        reported all the same. `by_agreement`: the players count the hand although it breaks rules.
        """
        if not self.unknown_names:
            return judge(self.rules, self.hand, self.before, by_agreement=by_agreement)
        findings = self._findings_for_unknown_names()
        findings += find_broken_rules(self._table_with_unknown_sides())
        return Judgement(sort_by_place(findings), None, None)

    def _findings_for_unknown_names(self) -> list[Finding]:
        """An error for each name that no side of the match has; its message also lists the names
        that the sides have.
        """
        known_sides = tuple(SideName(position) for position in range(len(self.side_names)))
        findings = []
        for unknown in self.unknown_names:
            arguments: dict[str, MessageArgument] = {"name": unknown.name, "sides": known_sides}
            finding = Finding(
                code="side-unknown",
                severity="error",
                where=unknown.where,
                arguments=arguments,
                sources=(),
            )
            findings.append(finding)
        return findings

    def _table_with_unknown_sides(self) -> Table:
        """The hand as it is checked, in which every name that no side of the match has counts as one
        more side, which plays alone.
        """
        sides = self._sides_of_match()
        # The positions of the sides that play together: `[(0,), (1,)]`.
        parties = find_parties(self.rules.settings.partnership, self.hand)
        for unknown in self.unknown_sides:
            next_position = len(sides)
            sides.append(self._side_of_unknown(unknown, next_position))
            parties.append((next_position,))
        return build_table_of_sides(
            self.rules, self.hand, before=self.before, sides=sides, groups=parties
        )

    def _sides_of_match(self) -> list[LaidSide]:
        """The sides of the match as they are checked, if the hand also names a side that is not one.

        A hand for `Noi` and `Lora`, in a match of `Noi` and `Loro`, has no entry for `Loro`: its
        cards may be those of `Lora`. They count as not known (`unreadable`), so that only what is
        wrong in any case is reported of that side.
        """
        sides: list[LaidSide] = []
        table = build_table(self.rules, self.hand, self.before)
        for side in table.sides:
            if side.position in self.absent:
                sides.append(side._replace(unreadable=True))
            else:
                sides.append(side)
        return sides

    def _side_of_unknown(self, unknown: UnknownSide, position: int) -> LaidSide:
        """What is given under a name that no side of the match has, as a side at this position.

        The number of its players and its opening minimum are not known.
        """
        return build_side(
            self.rules.settings,
            unknown.entry,
            position,
            players=0,
            minimum=None,
            out=self.hand.out if unknown.is_out else None,
        )


def read_hand_request(source: str | bytes) -> HandRequest:
    """Read a hand to score from its JSON, with the rules and the totals before it. Raises Unusable.

    The key `before` names the sides: `{"noi": 120, "loro": 85}` are two sides and their totals.
    """
    parsed = parse_checked_json(source)
    context = JsonContext(_names_in_before(parsed))
    hand = decode(_HAND_TO_SCORE, source, context=context, is_checked=True)
    keys = _list_given_keys(parsed)
    rules = _rules_for_players(hand)
    _check_number_of_sides(context.names, rules, keys)
    scores = tuple(hand.before.values())  # in the order of the names
    return make_hand_request(hand, keys, context, rules=rules, before=scores)


def _names_in_before(parsed: Any) -> tuple[str, ...]:
    """Return the names of the sides in the parsed JSON of a hand to score.

    They are the keys of its object `before`, which has the total of each side before this hand:
    `{"before": {"Anna": 120, "Bea": 85}, …}` → `("Anna", "Bea")`. JSON of another form has no names;
    it is refused when the hand is decoded.
    """
    if not isinstance(parsed, dict):
        return ()
    before = parsed.get("before", DEFAULT_BEFORE)
    if not isinstance(before, dict):
        return ()
    return tuple(before)


def _check_number_of_sides(names: tuple[str, ...], rules: Ruleset, keys: GivenKeys) -> None:
    """Refuse a hand whose sides, with these names, are more or fewer than play by the rules.

    Without the key `before` a hand has two sides, so that a game of three sides needs that key.
    Raises Unusable.
    """
    sides = len(rules.settings.sides)
    if len(names) == sides:
        return
    if "before" not in keys.of_hand:
        raise Unusable("unusable.before-needed", "before")
    raise Unusable("unusable.sides-number", "before", count=sides, given=len(names))


def _rules_for_players(hand: HandToScore) -> Ruleset:
    """Return the chosen rules of the game, for as many players as the hand shows if it does not say
    how many there are.
    """
    rules = hand.rules_with()
    has_choice = PLAYERS in rules.options
    is_chosen = PLAYERS in hand.options
    if is_chosen or not has_choice:
        return rules

    players = _number_of_players_shown(hand)
    option = get_variant(rules.variant).options[PLAYERS]
    if option.value_of(players) is None:  # the variant is not played by so many
        return rules
    return hand.rules_with(**{PLAYERS: players})


def _number_of_players_shown(hand: HandToScore) -> int:
    """Tell how many players a hand shows: every side counts as one player.

    But two sides are two pairs if one of them lists the cards that each of its players has left:
    `"left": ["K K 4", "9"]`.
    """
    sides = len(hand.before)
    lists_cards_of_players = any(side.left.is_by_player for side in hand.sides)
    if sides == _TWO_SIDES and lists_cards_of_players:
        return 2 * sides
    return sides


def make_hand_request(
    hand: Hand,
    keys: GivenKeys,
    context: JsonContext,
    *,
    rules: Ruleset,
    before: tuple[int, ...],
) -> HandRequest:
    """Make a decoded hand ready to be checked and scored by these rules. Raises Unusable if they
    cannot be applied to it.

    `keys` are those that its JSON has. `context` is the one with which it was decoded: it knows the
    names of the sides of the match, and the names in the hand that no side has. `before` are the
    totals of the sides before the hand.
    """
    _check_given_keys(keys, hand, rules)
    names = context.names
    absent = [position for position, name in enumerate(names) if name not in keys.of_sides]
    request = HandRequest(
        rules=rules,
        hand=_hand_of_sides_of_match(hand, context),
        side_names=names,
        before=before,
        unknown_sides=_find_unknown_sides(hand, context),
        unknown_names=_find_unknown_names(hand, context),
        absent=frozenset(absent),
    )
    check_usable(request.hand, rules, names, request.unknown_sides)
    return request


def _hand_of_sides_of_match(hand: Hand, context: JsonContext) -> Hand:
    """Return the hand as far as it is about the sides of the match, which stand first in it.

    It is a plain `Hand`, without the rules and totals that a hand to score has too. If it says that
    a side went out, or played alone, which the match does not have, it is not known which side that
    was (None).
    """
    out = hand.out
    if out is not None and context.find_unknown_name(out.side) is not None:
        out = replace(out, side=None)
    single = hand.single
    if context.find_unknown_name(single) is not None:
        single = None
    return Hand(hand.sides[: len(context.names)], out, single, hand.deal)


def _find_unknown_sides(hand: Hand, context: JsonContext) -> tuple[UnknownSide, ...]:
    """Find what a hand has for sides under names that no side of the match has."""
    unknown_sides = []
    for position, entry in enumerate(hand.sides):
        name = context.find_unknown_name(position)
        if name is None:
            continue
        # Which side went out: played its last card, which ended the hand.
        is_out = hand.out is not None and hand.out.side == position
        unknown_sides.append(UnknownSide(name, entry, is_out))
    return tuple(unknown_sides)


def _find_unknown_names(hand: Hand, context: JsonContext) -> tuple[UnknownName, ...]:
    """Find every name in a hand that no side of the match has, and where it stands.

    The hand names sides in `sides`, in `single` (the side that plays alone) and in `out` (the side
    that went out).
    """
    unknown_names = []
    for position in range(len(hand.sides)):
        name = context.find_unknown_name(position)
        if name is not None:
            unknown_names.append(UnknownName(name, ("sides", position)))

    name = context.find_unknown_name(hand.single)
    if name is not None:
        unknown_names.append(UnknownName(name, ("single",)))

    if hand.out is not None:
        name = context.find_unknown_name(hand.out.side)
        if name is not None:
            unknown_names.append(UnknownName(name, ("out", "side")))
    return tuple(unknown_names)


# ----------------------------------------------------------------------------------- unusable input


def _check_given_keys(keys: GivenKeys, hand: Hand, rules: Ruleset) -> None:
    """Refuse a hand whose JSON has keys that these rules do not have, or that exclude each other, or
    misses one that they need. Raises Unusable for the first mistake found.
    """
    # Keys that exclude each other are wrong in any variant, and are looked for first.
    for name, keys_of_side in keys.of_sides.items():
        path = f"sides/{quote(name)}"
        _refuse_several_ways_to_count(keys_of_side, path)
        _refuse_keys_beside_sum(keys_of_side, path)

    _refuse_foreign_keys(keys.of_hand, "", rules)
    if "deal" in keys.of_hand:
        refuse_deal(hand.deal, rules)
    _require_single(keys.of_hand, rules)
    takes_totals = rules.settings.counted_by != "cards"
    for name, keys_of_side in keys.of_sides.items():
        path = f"sides/{quote(name)}"
        _refuse_foreign_keys(keys_of_side, f"{path}/", rules)
        if takes_totals:
            _refuse_foreign_keys(keys.of_totals[name], f"{path}/totals/", rules)


def _require_single(keys_of_hand: Collection[str], rules: Ruleset) -> None:
    """Refuse a hand whose JSON does not name the side that played alone against the others (`single`),
    if these rules need it. Raises Unusable.
    """
    needs_single = "single" in rules.entry_fields
    if needs_single and "single" not in keys_of_hand:
        raise Unusable("unusable.missing", "single", takes="single")


def _refuse_several_ways_to_count(keys_of_side: Collection[str], path: str) -> None:
    """Refuse a side whose JSON counts it in two ways: by its melds (sets of cards), by totals of
    their points, or by one sum for the whole hand.

    `path` leads to the side: `sides/Noi`. Raises Unusable.
    """
    ways_given = [way for way in _WAYS_TO_COUNT if way in keys_of_side]
    if len(ways_given) > 1:
        raise Unusable("unusable.one-way", path)


def _refuse_keys_beside_sum(keys_of_side: Collection[str], path: str) -> None:
    """Refuse a side whose JSON has more than one sum for the whole hand (`sum`), and points on which
    the players agreed (`adjustments`).

    `path` leads to the side: `sides/Noi`. Raises Unusable.
    """
    if "sum" not in keys_of_side:
        return
    for name in _NOT_BESIDE_SUM:
        if name in keys_of_side:
            raise Unusable("unusable.sum-alone", f"{path}/{name}")


def _refuse_foreign_keys(given_keys: Collection[str], path: str, rules: Ruleset) -> None:
    """Refuse keys of a JSON object that only other variants of the game have. Raises Unusable.

    `path` leads to the object, and ends with a slash: `sides/Noi/`; empty for the whole hand.
    """
    for key in FOREIGN_KEYS:
        if key in given_keys and key not in rules.entry_fields:
            raise Unusable("unusable.other-variant", f"{path}{key}", variant=rules.variant)


def refuse_deal(deal: int | None, rules: Ruleset) -> None:
    """Refuse the number of a hand (`deal`) if it is not within the match: 12 in a match of 11 hands.

    Variants in which that number does not matter refuse any. Raises Unusable.
    """
    if "deal" not in rules.entry_fields:
        raise Unusable("unusable.other-variant", "deal", variant=rules.variant)
    most = rules.settings.match_deals
    if most is None:  # a match has any number of hands
        return
    is_within_match = deal is not None and 1 <= deal <= most
    if not is_within_match:
        raise Unusable("unusable.wrong", "deal", takes="deal", most=most)


def check_usable(
    hand: Hand, rules: Ruleset, names: Sequence[str], unknown_sides: Sequence[UnknownSide] = ()
) -> None:
    """Refuse a hand to which these rules cannot be applied, so that it cannot even be checked.

    `names` are those of its sides; `unknown_sides` are given under names that no side of the match
    has. Raises Unusable, with the path of the wrong value: `sides/Noi/left`.
    """
    for position, (name, side) in enumerate(zip(names, hand.sides, strict=True)):
        _check_side(side, f"sides/{quote(name)}", rules, position=position, out=hand.out)
    for unknown in unknown_sides:
        key = f"sides/{quote(unknown.name)}"
        _check_side(unknown.entry, key, rules, position=None, out=hand.out)
    if hand.out is not None:
        _check_last_discard(hand.out)
        _check_player_out(hand.out, rules)
    _check_openings(hand, rules, names)
    _check_openings_of_unknown_sides(unknown_sides, rules)


def _check_side(
    side: SideEntry, key: str, rules: Ruleset, *, position: int | None, out: Out | None
) -> None:
    """Refuse what a side is given that these rules do not have, or that its players cannot have.

    `key` is the path of the side, `sides/Noi`, and `position` its number in the match, None for a
    name that no side of the match has. `out` is how the hand ended. Raises Unusable.
    """
    players = None if position is None else rules.settings.players_of(position)
    _check_forms_of_cards(side, key, rules)
    _check_kinds_in_totals(side.totals, f"{key}/totals", rules)
    refuse_unknown_items(side.bonuses, rules.bonuses, f"{key}/bonuses")
    _check_extra_counts(side, key)
    _check_held_together(side, key, rules, players)
    _check_hands_held(side, key, players)
    _check_special(side, key, rules)
    if side.special is not None:
        _check_out_with_special(out, position)


def _check_forms_of_cards(side: SideEntry, key: str, rules: Ruleset) -> None:
    """Refuse points in place of a side's cards, if these rules have every side counted by its cards.

    `key` is the path of the side: `sides/Noi`. Raises Unusable.
    """
    may_give_points = rules.settings.counted_by != "cards"
    if may_give_points:
        return
    if side.totals:  # only other variants have this key
        raise Unusable("unusable.other-variant", f"{key}/totals", variant=rules.variant)
    # The cards left in hand are given in every variant, but here not as points.
    if side.left.is_in_points:
        raise Unusable("unusable.wrong", f"{key}/left", takes="left-cards")


def _check_kinds_in_totals(totals: Totals | None, key: str, rules: Ruleset) -> None:
    """Refuse totals of a side with kinds of melds that these rules do not have. Raises Unusable.

    `key` is the path of the totals: `sides/Noi/totals`.
    """
    if totals is None:
        return
    incomplete = [kind.name for kind in rules.settings.incomplete]
    refuse_unknown_items(totals.incomplete, incomplete, f"{key}/incomplete")
    refuse_unknown_items(totals.canastas, rules.items, f"{key}/canastas")


def _check_extra_counts(side: SideEntry, key: str) -> None:
    """Refuse a number that only some variants count, such as the black threes laid aside, if it is
    above its limit. `key` is the path of the side: `sides/Noi`. Raises Unusable.
    """
    for extra in EXTRA_COUNTS:
        if extra.most is not None and getattr(side, extra.key) > extra.most:
            raise Unusable("unusable.above-most", f"{key}/{extra.key}", most=extra.most)


def _check_held_together(side: SideEntry, key: str, rules: Ruleset, players: int | None) -> None:
    """Refuse a wrong number of players who still hold three sevens or the like, which some variants
    charge: `"sevens_held": 2`.

    The number is given only where the cards themselves are not, and is at most that of the `players`
    of the side in this hand (None: not known). `key` is the path of the side: `sides/Noi`. Raises
    Unusable.
    """
    are_cards_given = len(side.held) > 0  # from which the players can be counted
    for kind in rules.settings.held_together:
        key_of_number = f"{key}/{kind.key}"  # `sides/Noi/sevens_held`
        number_of_players: int = getattr(side, kind.key)
        if number_of_players > 0 and are_cards_given:
            raise Unusable("unusable.held-in-points", key_of_number)
        if players is not None and number_of_players > players:
            raise Unusable("unusable.wrong", key_of_number, takes="held", most=players)


def _check_hands_held(side: SideEntry, key: str, players: int | None) -> None:
    """Refuse a list of the cards that each player still holds, if it is not one entry for each of the
    `players` of the side in this hand (None: not known).

    `key` is the path of the side: `sides/Noi`. Raises Unusable.
    """
    if players is None or not side.left.is_by_player:
        return
    hands_given = len(side.held)
    if hands_given != players:
        raise Unusable("unusable.left-hands", f"{key}/left", count=players, given=hands_given)


def _check_special(side: SideEntry, key: str, rules: Ruleset) -> None:
    """Refuse a special hand that these rules do not have, or that a side has beside laid cards.

    A special hand is a combination of cards that a player shows all at once to end the hand, so
    that the side lays nothing else. `key` is the path of the side: `sides/Noi`. Raises Unusable.
    """
    if side.special is None:
        return
    known = [name for name, _points in rules.settings.special_hands]
    if side.special not in known:
        raise Unusable(
            "unusable.special",
            f"{key}/special",
            given=quote(side.special),
            known=", ".join(known),
        )
    what_was_laid = {
        "melds": side.melds,
        "opening": side.opening,
        "sum": side.sum,
        "totals": side.totals,
    }
    for name, value in what_was_laid.items():
        if value:
            raise Unusable("unusable.special-alone", f"{key}/{name}")


def _check_out_with_special(out: Out | None, position: int | None) -> None:
    """Refuse how a hand ended (`out`), if a side showed a special hand but did not end it that way.

    A special hand is a combination of cards that a player shows all at once, without a discard: that
    ends the hand. `position` is that of the side, None for a name that no side of the match has.
    Raises Unusable.
    """
    if out is None:  # the hand ended without anybody playing the last card
        raise Unusable("unusable.special-out", "out")

    may_be_without_discard = out.discard is None or out.discard == NOTHING
    # `out.side` is None if a side was named that the match has not: it may be this one.
    may_be_this_side = out.side is None or out.side == position
    if not may_be_without_discard or not may_be_this_side:
        raise Unusable("unusable.special-out", "out")


def _check_last_discard(out: Out) -> None:
    """Refuse the last discard of a hand if it is of several cards. Raises Unusable.

    It may be not known (None), or none at all (`NOTHING`).
    """
    if out.discard is None or out.discard == NOTHING:
        return
    if out.discard.size != 1:
        raise Unusable("unusable.one-card", "out/discard")


def _check_player_out(out: Out, rules: Ruleset) -> None:
    """Refuse the player who ended a hand with the last card, if the side has no such player.

    Raises Unusable.
    """
    if out.side is None or out.player is None:
        return  # which player it was is not known
    last_player = rules.settings.players_of(out.side) - 1
    if out.player > last_player:
        raise Unusable("unusable.wrong", "out/player", takes="player", most=last_player)


def _check_openings(hand: Hand, rules: Ruleset, names: Sequence[str]) -> None:
    """Refuse an opening (what a side laid in its first turn) with cards that nobody laid.

    They must be among the cards that the side laid in the whole hand, or the sides that lay melds
    together with it. Raises Unusable.
    """
    for positions in find_parties(rules.settings.partnership, hand):
        sides_together = [hand.sides[position] for position in positions]
        for position in positions:
            opening = hand.sides[position].opening
            if opening is not None and not _may_have_laid(sides_together, opening, rules):
                raise _opening_not_laid(names[position])


def _check_openings_of_unknown_sides(sides: Sequence[UnknownSide], rules: Ruleset) -> None:
    """Refuse an opening (the cards laid first) with cards that were not laid, of sides under names
    that no side of the match has. Raises Unusable.
    """
    for side in sides:
        opening = side.entry.opening
        if opening is not None and not _may_have_laid([side.entry], opening, rules):
            raise _opening_not_laid(side.name)


def _opening_not_laid(side_name: str) -> Unusable:
    """The error for the opening of a side (the cards laid first), with cards that nobody laid."""
    return Unusable("unusable.opening-cards", f"sides/{quote(side_name)}/opening")


def _may_have_laid(sides: Sequence[SideEntry], opening: Sequence[Reading], rules: Ruleset) -> bool:
    """Whether the cards that a side laid first (its `opening`) can be among all the cards that these
    sides, which lay cards together, have laid when the hand ends.

    What cannot be told is taken as possible. `K K K` can be first of `4xK 2`, but not of `4xQ 2`.
    """
    if any(side.sum is not None for side in sides):
        return True  # such a side gives only the points of the whole hand: its cards are not known
    melds_laid: list[Reading] = []
    for side in sides:
        melds_laid += [meld.reading for meld in side.melds]
    if any(meld.unknown for meld in (*opening, *melds_laid)):
        return True  # some text could not be read as cards

    opening_cards = gather(meld.cards for meld in opening)
    laid_cards = gather(meld.cards for meld in melds_laid)
    points_of_unknown_cards = [side.totals.cards for side in sides if side.totals is not None]
    if not points_of_unknown_cards:
        return opening_cards.is_among(laid_cards)
    # Of some cards only the points are known, so that only points can be compared.
    card_points = rules.settings.card_points
    points_laid = laid_cards.points(card_points) + sum(points_of_unknown_cards)
    return opening_cards.points(card_points) <= points_laid

"""Hands to score, decoded from JSON and checked against the rules that they are counted by.

One type of hand covers all variants: keys that a variant does not have are refused here, by name.
Unusable input is reported by its key. Sides are identified by name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple

from pydantic import Field, TypeAdapter

from scorepad.errors import ChoiceError
from scorepad.rules.cards import NOTHING, Reading, gather
from scorepad.rules.checks import MessageArgument
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import EXTRA_COUNTS, EXTRAS, MOST_NAMED_SIDES, Hand, Out, SideEntry
from scorepad.rules.json_types import JsonContext, Word
from scorepad.rules.judging import Finding, Judgement, find_broken, in_reading_order, judge
from scorepad.rules.settings import Points
from scorepad.rules.table import (
    Pointer,
    SideName,
    Table,
    build_side,
    build_table,
    find_parties,
    table_of_sides,
)
from scorepad.rules.variants import get_variant, settle
from scorepad.schemas.fields import (
    Options,
    Unusable,
    decode,
    parse_checked_json,
    quote,
    refuse_unknown,
)

SIDE_KEYS = ("a", "b", "c")
"""The keys of the sides in stored hands; names are labels that may change."""
DEFAULT_BEFORE = {"noi": 0, "loro": 0}
PLAYERS = "players"
"""The option for the number of players of a variant."""

FOREIGN_KEYS = {"single", "deal", *EXTRAS, "special", "incomplete"}
"""The keys of a hand's JSON that only some variants have: those name them in `entry-fields`."""
_COUNTED_BY = ("melds", "totals", "sum")
"""The ways to count a side, of which one is given."""
_BESIDE_SUM = ("sum", "adjustments")


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
_SIDE = TypeAdapter(SideEntry)


def read_chosen_rules(
    variant: str, preset: str | None, options: Mapping[str, str | int | bool]
) -> Ruleset:
    """The rules of the game that somebody chose: a variant of it, perhaps a ready-made set of its
    options (preset), and single options, such as `{"wild-limit": "three"}`.

    Raises Unusable if there is no such variant, preset or option; its message names the wrong one,
    and lists those that there are.
    """
    try:
        return settle(variant, preset, options)
    except ChoiceError as error:
        message_key = f"choice.{error.reason}"
        raise Unusable(
            message_key,
            quote(error.key),
            given=quote(error.given),
            known=", ".join(error.known),
        ) from None


# ------------------------------------------------------------------------------------- the request


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


@dataclass(frozen=True, slots=True)
class HandRequest:
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
        findings += find_broken(self._table_with_unknown_sides())
        return Judgement(in_reading_order(findings), None, None)

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

        The cards under such a name may belong to a side of the match that the hand leaves out
        (`absent`). What that side laid is therefore not known (`unreadable`), and only what is
        wrong in any case is reported of it.
        """
        rules = self.rules
        sides = []
        for side in build_table(rules, self.hand, self.before).sides:
            is_unreadable = side.unreadable or side.position in self.absent
            sides.append(replace(side, unreadable=is_unreadable))

        groups = find_parties(rules.settings.partnership, self.hand)
        for unknown in self.unknown_sides:
            position = len(sides)
            out = self.hand.out if unknown.is_out else None
            side = build_side(
                rules.settings,
                unknown.entry,
                position,
                players=0,
                minimum=None,
                out=out,
            )
            sides.append(side)
            groups.append((position,))
        return table_of_sides(rules, self.hand, before=self.before, sides=sides, groups=groups)


def read_hand_request(source: str | bytes) -> HandRequest:
    """Read a hand to score from its JSON, with the rules and the totals before it. Raises Unusable.

    The key `before` names the sides: `{"noi": 120, "loro": 85}` are two sides and their totals.
    """
    given = given_keys(source)
    before = given.get("before", DEFAULT_BEFORE)
    names: tuple[str, ...] = ()
    if isinstance(before, dict):  # anything else is refused as the hand is decoded
        names = tuple(before)
    hand = decode(_HAND_TO_SCORE, source, context=JsonContext(names), is_checked=True)

    rules = _rules_for_players(hand, given)
    sides = len(rules.settings.sides)
    if len(names) != sides:
        if "before" not in given:
            raise Unusable("unusable.before-needed", "before")
        raise Unusable("unusable.sides-number", "before", count=sides, given=len(names))
    scores = tuple(hand.before.values())
    return hand_request(hand, given, rules=rules, names=names, before=scores)


def given_keys(source: str | bytes) -> Mapping[str, Any]:
    """The JSON object in a text, as it was sent; empty if the text is not JSON or not an object.

    Raises Unusable for a text with too many values, or with a key twice in one object.
    """
    given = parse_checked_json(source)
    if not isinstance(given, dict):
        return {}
    return given


def _rules_for_players(hand: HandToScore, given: Mapping[str, Any]) -> Ruleset:
    """The chosen rules of the game, for as many players as the hand shows if it does not say it.

    Every side counts as one player; but two sides are two pairs if one of them lists the cards that
    each of its players has left: `"left": ["K K 4", "9"]`.
    """
    rules = hand.rules_with()
    if PLAYERS not in rules.options:  # there is no choice
        return rules
    if PLAYERS in hand.options:  # it was chosen
        return rules

    sides = len(hand.before)
    has_two_sides = sides == len(DEFAULT_BEFORE)
    lists_each_player = any(isinstance(side.get("left"), list) for side in given["sides"].values())
    are_pairs = has_two_sides and lists_each_player
    players = 2 * sides if are_pairs else sides

    option = get_variant(rules.variant).options[PLAYERS]
    possible_numbers = [value.value for value in option.values]
    if players not in possible_numbers:
        return rules
    return hand.rules_with(**{PLAYERS: players})


def hand_request(
    hand: Hand,
    given: Mapping[str, Any],
    *,
    rules: Ruleset,
    names: tuple[str, ...],
    before: tuple[int, ...],
) -> HandRequest:
    """Make a decoded hand ready to be checked and scored by these rules. Raises Unusable if they
    cannot be applied to it.

    `given` is the JSON of the hand, from which names that no side has are read. `names` are the
    names of the sides of the match, and `before` their totals before the hand.
    """
    _check_given_keys(given, rules)
    absent = [position for position, name in enumerate(names) if name not in given["sides"]]
    only_hand = Hand(hand.sides, hand.out, hand.single, hand.deal)  # without a request's other keys
    request = HandRequest(
        rules=rules,
        hand=only_hand,
        side_names=names,
        before=before,
        unknown_sides=_find_unknown_sides(given, names),
        unknown_names=_find_unknown_names(given, names),
        absent=frozenset(absent),
    )
    check_usable(request.hand, rules, names, request.unknown_sides)
    return request


def _find_unknown_sides(
    given: Mapping[str, Any], names: Collection[str]
) -> tuple[UnknownSide, ...]:
    """What a hand's JSON (`given`) has for sides under names that no side of the match has."""
    out = given.get("out")  # which side went out: played its last card, which ended the hand
    unknown_sides = []
    for name, side in given["sides"].items():
        if name in names:
            continue
        entry = _SIDE.validate_python(side)
        is_out = out is not None and out["side"] == name
        unknown_sides.append(UnknownSide(name, entry, is_out))
    return tuple(unknown_sides)


def _find_unknown_names(
    given: Mapping[str, Any], names: Collection[str]
) -> tuple[UnknownName, ...]:
    """Every name in a hand's JSON that no side of the match has, and where it stands.

    The hand names sides in `sides`, in `single` (the side that plays alone) and in `out` (the side
    that went out). An unknown entry of `sides` has a position after those of the match.
    """
    unknown_names = []
    position = len(names)
    for name in given["sides"]:
        if name not in names:
            unknown_names.append(UnknownName(name, ("sides", position)))
            position += 1

    single = given.get("single")
    if single is not None and single not in names:
        unknown_names.append(UnknownName(single, ("single",)))

    out = given.get("out")
    if out is not None and out["side"] not in names:
        unknown_names.append(UnknownName(out["side"], ("out", "side")))
    return tuple(unknown_names)


# ----------------------------------------------------------------------------------- unusable input


def _check_given_keys(given: Mapping[str, Any], rules: Ruleset) -> None:
    """Refuse the JSON of a hand (`given`) with keys that these rules do not have, or that exclude
    each other, or without one that they need. Raises Unusable for the first mistake found.
    """
    for name, side in given["sides"].items():
        _check_counted_in_one_way(side, f"sides/{quote(name)}")

    _refuse_foreign_keys(given, "", rules)
    if "deal" in given:
        refuse_deal(given["deal"], rules)
    needs_single = "single" in rules.entry_fields  # which side played alone against the others
    if needs_single and "single" not in given:
        raise Unusable("unusable.missing", "single", takes="single")

    takes_totals = rules.settings.counted_by != "cards"
    for name, side in given["sides"].items():
        key = f"sides/{quote(name)}/"
        _refuse_foreign_keys(side, key, rules)
        if takes_totals and "totals" in side:
            _refuse_foreign_keys(side["totals"], f"{key}totals/", rules)


def _check_counted_in_one_way(side: Mapping[str, Any], key: str) -> None:
    """Refuse the JSON of a side that is counted in two ways: by its melds (sets of cards), by totals
    of their points, or by one sum for the whole hand.

    Beside a sum it may only have points on which the players agreed (`adjustments`). `key` is the
    path of the side: `sides/Noi`. Raises Unusable.
    """
    ways_given = [way for way in _COUNTED_BY if way in side]
    if len(ways_given) > 1:
        raise Unusable("unusable.one-way", key)
    if "sum" not in side:
        return
    for name in SideEntry.__dataclass_fields__:
        if name in side and name not in _BESIDE_SUM:
            raise Unusable("unusable.sum-alone", f"{key}/{name}")


def _refuse_foreign_keys(given: Mapping[str, Any], path: str, rules: Ruleset) -> None:
    """Refuse the keys of a JSON object that only other variants of the game have. Raises Unusable.

    `path` leads to the object, and ends with a slash: `sides/Noi/`; empty for the whole hand.
    """
    for key in sorted(FOREIGN_KEYS):
        if key in given and key not in rules.entry_fields:
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
        key = f"sides/{quote(name)}"
        _check_side(side, key, rules)
        _check_held_cards(side, key, rules, rules.settings.players_of(position))
        _check_special(side, key, rules)
        _check_out_with_special(side, hand.out, position)
    for unknown in unknown_sides:
        key = f"sides/{quote(unknown.name)}"
        _check_side(unknown.entry, key, rules)
        _check_held_cards(unknown.entry, key, rules, players=None)
        _check_special(unknown.entry, key, rules)
        _check_out_with_special(unknown.entry, hand.out, None)
    if hand.out is not None:
        _check_out(hand.out, rules)
    _check_openings(hand, rules, names)
    _check_openings_of_unknown_sides(unknown_sides, rules)


def _check_side(side: SideEntry, key: str, rules: Ruleset) -> None:
    """Refuse what a side is given that these rules do not have: totals in place of its cards, kinds
    of canastas (sets of seven cards), bonuses, and numbers above their limits.

    `key` is the path of the side: `sides/Noi`. Raises Unusable.
    """
    if rules.settings.counted_by == "cards":
        if side.totals:
            raise Unusable("unusable.other-variant", f"{key}/totals", variant=rules.variant)
        if side.left.is_in_points:
            raise Unusable("unusable.wrong", f"{key}/left", takes="left-cards")
    if side.totals:
        incomplete = tuple(kind.name for kind in rules.settings.incomplete)
        refuse_unknown(side.totals.incomplete, incomplete, f"{key}/totals/incomplete")
        refuse_unknown(side.totals.canastas, rules.items, f"{key}/totals/canastas")
    if side.bonuses:
        refuse_unknown(side.bonuses, rules.bonuses, f"{key}/bonuses")
    for extra in EXTRA_COUNTS:
        if extra.most is not None and getattr(side, extra.key) > extra.most:
            raise Unusable("unusable.above-most", f"{key}/{extra.key}", most=extra.most)


def _check_held_cards(side: SideEntry, key: str, rules: Ruleset, players: int | None) -> None:
    """Refuse the cards that players still hold if they do not fit the side. Raises Unusable.

    `players` is how many of its players play in this hand, None if that is not known. `key` is the
    path of the side: `sides/Noi`.
    """
    # Where players are charged for certain cards held together, the side says how many players hold
    # them, unless it lists the cards themselves.
    for kind in rules.settings.held_together:
        players_with_these = getattr(side, kind.key)
        if players_with_these and side.held:
            raise Unusable("unusable.held-in-points", f"{key}/{kind.key}")
        if players is not None and players_with_these > players:
            raise Unusable("unusable.wrong", f"{key}/{kind.key}", takes="held", most=players)

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
    known = dict(rules.settings.special_hands)
    refuse_unknown([side.special], known, f"{key}/special", "unusable.special")
    for beside in ("melds", "opening", "sum", "totals"):
        if getattr(side, beside):
            raise Unusable("unusable.special-alone", f"{key}/{beside}")


def _check_out_with_special(side: SideEntry, out: Out | None, position: int | None) -> None:
    """Refuse a special hand (a combination of cards shown all at once) if its side did not end the
    hand with it (`out`), without a discard. Raises Unusable.

    `position` is that of the side, None for a name that no side of the match has.
    """
    if side.special is None:
        return
    if out is None:
        raise Unusable("unusable.special-out", "out")
    has_discarded = out.discard not in (None, NOTHING)
    may_be_this_side = out.side is None or out.side == position
    if has_discarded or not may_be_this_side:
        raise Unusable("unusable.special-out", "out")


def _check_out(out: Out, rules: Ruleset) -> None:
    """Refuse what a hand says of going out (how a player ended it with the last card), if the last
    discard is of several cards or the side has no such player. Raises Unusable.
    """
    if out.discard not in (None, NOTHING) and out.discard.size != 1:
        raise Unusable("unusable.one-card", "out/discard")
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
        party = [hand.sides[position] for position in positions]
        for position in positions:
            opening = hand.sides[position].opening
            if opening is not None and not _may_have_laid(party, opening, rules):
                name = quote(names[position])
                raise Unusable("unusable.opening-cards", f"sides/{name}/opening")


def _check_openings_of_unknown_sides(sides: Sequence[UnknownSide], rules: Ruleset) -> None:
    """Refuse an opening (the cards laid first) with cards that were not laid, of sides under names
    that no side of the match has. Raises Unusable.
    """
    for side in sides:
        opening = side.entry.opening
        if opening is not None and not _may_have_laid([side.entry], opening, rules):
            raise Unusable("unusable.opening-cards", f"sides/{quote(side.name)}/opening")


def _may_have_laid(sides: Sequence[SideEntry], opening: Sequence[Reading], rules: Ruleset) -> bool:
    """Whether the cards that a side laid first (its `opening`) can be among all the cards that these
    sides, which lay cards together, have laid when the hand ends.

    A side may give the points of its cards in place of the cards (`totals`): then the opening may
    not have more points than all cards laid. What cannot be told is taken as possible.
    """
    if any(side.sum is not None for side in sides):
        return True  # of a side with only the sum of its hand no cards are known
    laid: list[Reading] = []
    for side in sides:
        laid += [meld.reading for meld in side.melds]
    if any(reading.unknown for reading in (*opening, *laid)):
        return True  # some text could not be read as cards

    opening_cards = gather(reading.cards for reading in opening)
    laid_cards = gather(reading.cards for reading in laid)
    totals = [side.totals for side in sides if side.totals is not None]
    if not totals:  # all cards are known: compare the cards
        return opening_cards.is_among(laid_cards)

    card_points = rules.settings.card_points
    points_laid = laid_cards.points(card_points)
    for total in totals:
        points_laid += total.cards
    return opening_cards.points(card_points) <= points_laid

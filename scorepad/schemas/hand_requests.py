"""Hands to score, decoded from JSON and checked against the rules that they are counted by.

One type of hand covers all variants: keys that a variant does not have are refused here, by name.
Unusable input is reported by its key. Sides are identified by name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple

from pydantic import Field, TypeAdapter
from pydantic_core import from_json

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
    quote,
    refuse_many_values,
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
        return settle_chosen(self.variant, self.preset, {**self.options, **options})


_HAND_TO_SCORE = TypeAdapter(HandToScore)
_SIDE = TypeAdapter(SideEntry)


def settle_chosen(
    variant: str, preset: str | None, options: Mapping[str, str | int | bool]
) -> Ruleset:
    """The rules that somebody chose. Raises Unusable if there are no such rules."""
    try:
        return settle(variant, preset, options)
    except ChoiceError as error:
        known = ", ".join(error.known)
        reason = f"choice.{error.reason}"
        raise Unusable(reason, quote(error.key), given=quote(error.given), known=known) from None


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
        """Check the hand, and score it if it may count.

        A hand with an unknown name has no score; its other mistakes are reported all the same.
        """
        if not self.unknown_names:
            return judge(self.rules, self.hand, self.before, by_agreement=by_agreement)
        findings = self._findings_for_unknown_names()
        findings += find_broken(self._table_with_unknown_sides())
        return Judgement(in_reading_order(findings), None, None)

    def _findings_for_unknown_names(self) -> list[Finding]:
        """An error for each unknown name, whose message also lists the names that are known."""
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
        """The hand as it is checked, with every unknown side as one more side that plays alone.

        The cards under an unknown name may belong to a side without an entry. What such a side laid
        is therefore not known, and only what is wrong in any case is reported of it.
        """
        rules = self.rules
        sides = []
        for side in build_table(rules, self.hand, self.before).sides:
            is_unreadable = side.unreadable or side.position in self.absent
            sides.append(replace(side, unreadable=is_unreadable))

        groups = find_parties(rules.settings.partnership, self.hand)
        for unknown in self.unknown_sides:
            position = len(sides)
            side = build_side(
                rules.settings,
                unknown.entry,
                position,
                players=0,
                minimum=None,
                out=self.hand.out if unknown.is_out else None,
            )
            sides.append(side)
            groups.append((position,))
        return table_of_sides(rules, self.hand, before=self.before, sides=sides, groups=groups)


def read_hand_request(source: str | bytes) -> HandRequest:
    """Read a hand to score from its JSON. Raises Unusable."""
    given = given_keys(source)
    before = given.get("before", DEFAULT_BEFORE)
    names = tuple(before) if isinstance(before, dict) else ()
    hand = decode(_HAND_TO_SCORE, source, context=JsonContext(names))

    rules = _rules_for_players(hand, given)
    sides = len(rules.settings.sides)
    if len(names) != sides:
        if "before" not in given:
            raise Unusable("unusable.before-needed", "before")
        raise Unusable("unusable.sides-number", "before", count=sides, given=len(names))
    scores = tuple(hand.before.values())
    return hand_request(hand, given, rules=rules, names=names, before=scores)


def given_keys(source: str | bytes) -> Mapping[str, Any]:
    """The keys of a JSON object with their values, undecoded; none if the text is no object.

    Raises Unusable for a text with too many values.
    """
    refuse_many_values(source)
    try:
        given = from_json(source)
    except ValueError:
        return {}
    return given if isinstance(given, dict) else {}


def _rules_for_players(hand: HandToScore, given: Mapping[str, Any]) -> Ruleset:
    """The chosen rules, for as many players as the hand shows if the request does not say it.

    Two sides of which one lists the cards left of each player are two pairs; otherwise every side
    is one player.
    """
    rules = hand.rules_with()
    is_choice = PLAYERS in rules.options
    if not is_choice or PLAYERS in hand.options:
        return rules

    players = len(hand.before)
    lists_players = any(isinstance(side.get("left"), list) for side in given["sides"].values())
    if lists_players and players == len(DEFAULT_BEFORE):
        players *= 2

    option = get_variant(rules.variant).options[PLAYERS]
    if players not in [value.value for value in option.values]:
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
    """A decoded hand as one to judge by these rules. Raises Unusable.

    `given` are the keys of its JSON, `names` those of the sides, `before` their match scores.
    """
    _check_given_keys(given, rules)
    absent = [position for position, name in enumerate(names) if name not in given["sides"]]
    request = HandRequest(
        rules=rules,
        hand=Hand(hand.sides, hand.out, hand.single, hand.deal),
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
    """The entries of a hand's JSON under names that no side of the match has."""
    out = given.get("out")
    unknown_sides = []
    for name, side in given["sides"].items():
        if name not in names:
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
    """Refuse a hand's JSON with keys that these rules do not have, or that exclude each other.

    Raises Unusable.
    """
    for name, side in given["sides"].items():
        _check_counted_in_one_way(side, f"sides/{quote(name)}")

    _refuse_foreign_keys(given, "", rules)
    if "deal" in given:
        refuse_deal(given["deal"], rules)
    if "single" in rules.entry_fields and "single" not in given:
        raise Unusable("unusable.missing", "single", takes="single")

    takes_totals = rules.settings.counted_by != "cards"
    for name, side in given["sides"].items():
        key = f"sides/{quote(name)}/"
        _refuse_foreign_keys(side, key, rules)
        if takes_totals and "totals" in side:
            _refuse_foreign_keys(side["totals"], f"{key}totals/", rules)


def _check_counted_in_one_way(side: Mapping[str, Any], key: str) -> None:
    """Refuse a side that is counted in two ways, or with anything but adjustments beside a sum.

    `key` is the path of the side. Raises Unusable.
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
    """Refuse the keys that only other variants have.

    `path` leads to the object that has these keys, with a slash at the end. Raises Unusable.
    """
    for key in sorted(FOREIGN_KEYS):
        if key in given and key not in rules.entry_fields:
            raise Unusable("unusable.other-variant", f"{path}{key}", variant=rules.variant)


def refuse_deal(deal: int | None, rules: Ruleset) -> None:
    """Refuse the number of a hand if it is outside the match, or if hands have no number. Raises
    Unusable.
    """
    if "deal" not in rules.entry_fields:
        raise Unusable("unusable.other-variant", "deal", variant=rules.variant)
    most = rules.settings.match_deals
    if most is None:
        return
    if deal is None or not 1 <= deal <= most:
        raise Unusable("unusable.wrong", "deal", takes="deal", most=most)


def check_usable(
    hand: Hand, rules: Ruleset, names: Sequence[str], unknown_sides: Sequence[UnknownSide] = ()
) -> None:
    """Refuse a hand that these rules cannot be applied to; `names` are those of its sides.

    Raises Unusable, with the path of the wrong value: `sides/Noi/left`.
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
    """Refuse totals, canastas, bonuses and numbers of a side that these rules do not have.

    `key` is the path of the side. Raises Unusable.
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
    """Refuse cards left in hand that do not fit the players of a side. Raises Unusable.

    `players` is how many of them hold cards in this hand, None if that is not known. `key` is the
    path of the side.
    """
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
    """Refuse a special hand that these rules do not have, or beside melds, totals or a sum.

    A special hand is shown instead of melded, so its side lays nothing. `key` is the path of the
    side. Raises Unusable.
    """
    if side.special is None:
        return
    known = dict(rules.settings.special_hands)
    refuse_unknown([side.special], known, f"{key}/special", "unusable.special")
    for beside in ("melds", "opening", "sum", "totals"):
        if getattr(side, beside):
            raise Unusable("unusable.special-alone", f"{key}/{beside}")


def _check_out_with_special(side: SideEntry, out: Out | None, position: int | None) -> None:
    """Refuse a special hand whose side did not go out with it, without a discard. Raises Unusable.

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
    """Refuse a last discard of several cards, and a player that the side does not have.

    Raises Unusable.
    """
    if out.discard not in (None, NOTHING) and out.discard.size != 1:
        raise Unusable("unusable.one-card", "out/discard")
    if out.side is None or out.player is None:
        return
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
    """Refuse an opening of an unknown side with cards that it did not lay. Raises Unusable."""
    for side in sides:
        opening = side.entry.opening
        if opening is not None and not _may_have_laid([side.entry], opening, rules):
            raise Unusable("unusable.opening-cards", f"sides/{quote(side.name)}/opening")


def _may_have_laid(sides: Sequence[SideEntry], opening: Sequence[Reading], rules: Ruleset) -> bool:
    """Whether the cards of an opening can be among those that these sides laid together.

    If a side gives totals in place of its cards, only the points of the cards are compared. True if
    that cannot be told: some card is unreadable, or a side gives only the sum of its hand.
    """
    if any(side.sum is not None for side in sides):
        return True
    laid: list[Reading] = []
    for side in sides:
        laid += [meld.reading for meld in side.melds]
    if any(reading.unknown for reading in (*opening, *laid)):
        return True

    opening_cards = gather(reading.cards for reading in opening)
    laid_cards = gather(reading.cards for reading in laid)
    totals = [side.totals for side in sides if side.totals is not None]
    if not totals:
        return opening_cards.is_among(laid_cards)
    card_points = rules.settings.card_points
    points_laid = laid_cards.points(card_points)
    for total in totals:
        points_laid += total.cards
    return opening_cards.points(card_points) <= points_laid

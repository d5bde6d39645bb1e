"""Hands to score, decoded from JSON and checked against the rules that they are counted by.

One type of hand covers all variants: keys that a variant does not have are refused here, by name.
Unusable input is reported by its key. Sides are identified by name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
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

_FOREIGN = {"single", "deal", *EXTRAS, "special", "incomplete"}
"""Keys that only some variants have, listed among their entry fields."""
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


class Stranger(NamedTuple):
    """An entry under a name that no side of the match has; `is_out`: it went out by that name."""

    name: str
    entry: SideEntry
    is_out: bool


@dataclass(frozen=True, slots=True)
class HandRequest:
    """A hand to judge, with its rules, the names of the sides, and the match scores before it.

    `strangers` are entries under names that no side of the match has. `unknown` are all such names
    and where they stand, the strangers after the sides of the match. `absent` are the sides without
    an entry.
    """

    rules: Ruleset
    hand: Hand
    side_names: tuple[str, ...]
    before: tuple[int, ...]
    strangers: tuple[Stranger, ...] = ()
    unknown: tuple[tuple[Pointer, str], ...] = ()
    absent: frozenset[int] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the positions of the findings: the sides of the match, then the strangers."""
        return (*self.side_names, *(each.name for each in self.strangers))

    def judge(self, *, by_agreement: bool = False) -> Judgement:
        """Check and score the hand. A name that no side has is an error beside all others."""
        if not self.unknown:
            return judge(self.rules, self.hand, self.before, by_agreement=by_agreement)
        findings = [*self._unknown_names(), *find_broken(self._table())]
        return Judgement(in_reading_order(findings), None, None)

    def _unknown_names(self) -> Iterator[Finding]:
        """An error for each name that no side of the match has; its message lists the known sides."""
        known_sides = tuple(SideName(position) for position in range(len(self.side_names)))
        for where, name in self.unknown:
            arguments: dict[str, MessageArgument] = {"name": name, "sides": known_sides}
            yield Finding(
                code="side-unknown",
                severity="error",
                where=where,
                arguments=arguments,
                sources=(),
            )

    def _table(self) -> Table:
        """The table with the strangers, each by itself.

        The cards of an absent side may be those under an unknown name, so they are not known.
        """
        rules = self.rules
        hand = self.hand
        sides = []
        for side in build_table(rules, hand, self.before).sides:
            unreadable = side.unreadable or side.position in self.absent
            sides.append(replace(side, unreadable=unreadable))
        groups = find_parties(rules.settings.partnership, hand)
        for position, stranger in enumerate(self.strangers, len(sides)):
            is_concealed = stranger.is_out and hand.out is not None and hand.out.concealed
            side = build_side(
                rules.settings,
                stranger.entry,
                position,
                players=0,
                minimum=None,
                is_out=stranger.is_out,
                is_concealed=is_concealed,
            )
            sides.append(side)
            groups.append((position,))
        return table_of_sides(rules, hand, self.before, sides, groups)


def read_hand_request(source: str | bytes) -> HandRequest:
    """Read a hand to score. Raises Unusable."""
    given = given_keys(source)
    before = given.get("before", DEFAULT_BEFORE)
    names = tuple(before) if isinstance(before, dict) else ()
    asked = decode(_HAND_TO_SCORE, source, context=JsonContext(names))

    rules = _rules_for_players(asked, given)
    sides = len(rules.settings.sides)
    if len(names) != sides:
        if "before" not in given:
            raise Unusable("unusable.before-needed", "before")
        raise Unusable("unusable.sides-number", "before", count=sides, given=len(names))
    return hand_request(asked, given, rules, names, tuple(asked.before.values()))


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


def _rules_for_players(asked: HandToScore, given: Mapping[str, Any]) -> Ruleset:
    """The rules for the number of players present, if the variant has several.

    A list in `left` has the cards of two partners; without one everyone plays alone.
    """
    rules = asked.rules_with()
    if PLAYERS not in rules.options or PLAYERS in asked.options:
        return rules
    sides = len(asked.before)
    has_partners = any(isinstance(side.get("left"), list) for side in given["sides"].values())
    players = sides * 2 if has_partners and sides == len(DEFAULT_BEFORE) else sides
    choices = [value.value for value in get_variant(rules.variant).options[PLAYERS].values]
    if players not in choices:
        return rules
    return asked.rules_with(**{PLAYERS: players})


def hand_request(
    hand: Hand,
    given: Mapping[str, Any],
    rules: Ruleset,
    names: tuple[str, ...],
    before: tuple[int, ...],
) -> HandRequest:
    """A decoded hand as one to judge by these rules. Raises Unusable.

    `given` are the keys of its JSON, `names` those of the sides, `before` their match scores.
    """
    _check_given_keys(given, rules)
    strangers = _strangers(given, names)
    asked = HandRequest(
        rules=rules,
        hand=Hand(hand.sides, hand.out, hand.single, hand.deal),
        side_names=names,
        before=before,
        strangers=strangers,
        unknown=_unknown_names(given, names),
        absent=frozenset(
            position for position, name in enumerate(names) if name not in given["sides"]
        ),
    )
    check_usable(asked.hand, rules, names, strangers)
    return asked


def _strangers(given: Mapping[str, Any], names: Collection[str]) -> tuple[Stranger, ...]:
    """The entries under names that no side of the match has."""
    out = given.get("out")
    strangers = []
    for name, side in given["sides"].items():
        if name not in names:
            entry = _SIDE.validate_python(side)
            is_out = out is not None and out["side"] == name
            strangers.append(Stranger(name, entry, is_out))
    return tuple(strangers)


def _unknown_names(
    given: Mapping[str, Any], names: Sequence[str]
) -> tuple[tuple[Pointer, str], ...]:
    """The names that no side of the match has, and where they stand."""
    unknown: list[tuple[Pointer, str]] = []
    strangers = [name for name in given["sides"] if name not in names]
    for position, name in enumerate(strangers, len(names)):
        unknown.append((("sides", position), name))
    single = given.get("single")
    if single is not None and single not in names:
        unknown.append((("single",), single))
    out = given.get("out")
    if out is not None and out["side"] not in names:
        unknown.append((("out", "side"), out["side"]))
    return tuple(unknown)


# ----------------------------------------------------------------------------------- unusable input


def _check_given_keys(given: Mapping[str, Any], rules: Ruleset) -> None:
    """Refuse keys of other variants, a missing `single`, and a side counted in two ways."""
    for name, side in given["sides"].items():
        _check_counted_in_one_way(side, f"sides/{quote(name)}")
    _refuse_foreign(given, "", rules)
    if "deal" in given:
        refuse_deal(given["deal"], rules)
    if "single" in rules.entry_fields and "single" not in given:
        raise Unusable("unusable.missing", "single", takes="single")
    for name, side in given["sides"].items():
        key = f"sides/{quote(name)}/"
        _refuse_foreign(side, key, rules)
        if "totals" in side and rules.settings.counted_by != "cards":
            _refuse_foreign(side["totals"], f"{key}totals/", rules)


def _check_counted_in_one_way(side: Mapping[str, Any], key: str) -> None:
    """A side is counted by melds, totals or sum; with a sum only adjustments are allowed."""
    if len(side.keys() & set(_COUNTED_BY)) > 1:
        raise Unusable("unusable.one-way", key)
    if "sum" not in side:
        return
    for name in SideEntry.__dataclass_fields__:
        if name in side and name not in _BESIDE_SUM:
            raise Unusable("unusable.sum-alone", f"{key}/{name}")


def _refuse_foreign(given: Mapping[str, Any], key: str, rules: Ruleset) -> None:
    """Refuse keys of other variants; `key` is the path of the object, with a trailing slash."""
    foreign = (given.keys() & _FOREIGN).difference(rules.entry_fields)
    if foreign:
        raise Unusable("unusable.other-variant", f"{key}{min(foreign)}", variant=rules.variant)


def refuse_deal(deal: int | None, rules: Ruleset) -> None:
    """Refuse the number of a hand if it is outside the match, or if hands have no number. Raises
    Unusable.
    """
    if "deal" not in rules.entry_fields:
        raise Unusable("unusable.other-variant", "deal", variant=rules.variant)
    most = rules.settings.match_deals
    if most is not None and (deal is None or not 1 <= deal <= most):
        raise Unusable("unusable.wrong", "deal", takes="deal", most=most)


def check_usable(
    hand: Hand, rules: Ruleset, names: Sequence[str], strangers: Sequence[Stranger] = ()
) -> None:
    """Refuse a hand that these rules cannot be applied to. Raises Unusable, with the side's name."""
    for position, (name, side) in enumerate(zip(names, hand.sides, strict=True)):
        key = f"sides/{quote(name)}"
        _check_side(side, key, rules, rules.settings.players_of(position))
        _check_special(side, hand, key, rules, position)
    for stranger in strangers:
        key = f"sides/{quote(stranger.name)}"
        _check_side(stranger.entry, key, rules, players=None)
        _check_special(stranger.entry, hand, key, rules, position=None)
    if hand.out is not None:
        _check_out(hand.out, rules)
    _check_openings(rules, hand, names, strangers)


def _check_out(out: Out, rules: Ruleset) -> None:
    """The last discard is one card, and the player is one of the side."""
    if out.discard not in (None, NOTHING) and out.discard.size != 1:
        raise Unusable("unusable.one-card", "out/discard")
    if out.side is not None and out.player is not None:
        most = rules.settings.players_of(out.side) - 1
        if out.player > most:
            raise Unusable("unusable.wrong", "out/player", takes="player", most=most)


def _check_side(side: SideEntry, key: str, rules: Ruleset, players: int | None) -> None:
    """Refuse values of a side that the variant does not have; `players` hold cards in it, None if
    that is unknown.
    """
    if rules.settings.counted_by == "cards":
        if side.totals:
            raise Unusable("unusable.other-variant", f"{key}/totals", variant=rules.variant)
        if isinstance(side.left, int):
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
    for kind in rules.settings.held_together:
        held = getattr(side, kind.key)
        if held and side.held:
            raise Unusable("unusable.held-in-points", f"{key}/{kind.key}")
        if players is not None and held > players:
            raise Unusable("unusable.wrong", f"{key}/{kind.key}", takes="held", most=players)
    if isinstance(side.left, tuple) and players not in (None, len(side.left)):
        given = len(side.left)
        raise Unusable("unusable.left-hands", f"{key}/left", count=players or 0, given=given)


def _check_special(
    side: SideEntry, hand: Hand, key: str, rules: Ruleset, position: int | None
) -> None:
    """A hand shown instead of melded: its side lays nothing, and goes out with it without a
    discard.
    """
    if side.special is None:
        return
    known = dict(rules.settings.special_hands)
    refuse_unknown([side.special], known, f"{key}/special", "unusable.special")
    for beside in ("melds", "opening", "sum", "totals"):
        if getattr(side, beside):
            raise Unusable("unusable.special-alone", f"{key}/{beside}")
    out = hand.out
    if out is None or out.discard not in (None, NOTHING) or out.side not in (None, position):
        raise Unusable("unusable.special-out", "out")


def _check_openings(
    rules: Ruleset, hand: Hand, names: Sequence[str], strangers: Sequence[Stranger]
) -> None:
    """An opening is the melds of a side's first turn: its cards must be among those that the side,
    or the sides that lay melds together with it, have laid in the whole hand.
    """
    card_points = rules.settings.card_points
    for party in find_parties(rules.settings.partnership, hand):
        entries = [hand.sides[position] for position in party]
        for position in party:
            opening = hand.sides[position].opening
            if opening is not None and _is_refuted(opening, entries, card_points):
                name = quote(names[position])
                raise Unusable("unusable.opening-cards", f"sides/{name}/opening")
    for stranger in strangers:
        opening = stranger.entry.opening
        if opening is not None and _is_refuted(opening, [stranger.entry], card_points):
            name = quote(stranger.name)
            raise Unusable("unusable.opening-cards", f"sides/{name}/opening")


def _is_refuted(
    opening: tuple[Reading, ...], entries: list[SideEntry], card_points: tuple[int, ...]
) -> bool:
    """Whether these cards cannot be among those that these sides have laid.

    Where totals were counted, only the points of the cards are compared. Nothing is refuted if a
    card is unreadable, or if a side is counted by a sum.
    """
    laid: list[Reading] = []
    points_of_totals = []
    for entry in entries:
        laid += [meld.reading for meld in entry.melds]
        if entry.totals is not None:
            points_of_totals.append(entry.totals.cards)
        if entry.sum is not None:
            return False
    if any(reading.unknown for reading in (*opening, *laid)):
        return False

    opening_cards = gather(reading.cards for reading in opening)
    laid_cards = gather(reading.cards for reading in laid)
    if points_of_totals:
        points_laid = sum(points_of_totals) + laid_cards.points(card_points)
        return opening_cards.points(card_points) > points_laid
    return not opening_cards.is_among(laid_cards)

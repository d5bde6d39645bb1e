"""Hands to score, decoded from JSON and checked against the rules that they are counted by.

One type of hand covers all variants: keys that a variant does not have are refused here, by name.
Unusable input is reported by its key. Sides are identified by name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from scorepad.errors import ChoiceError
from scorepad.rules.cards import (
    JOKER,
    NOTHING,
    TWO,
    Cards,
    Reading,
    build_cards,
    gather,
    subtract_cards,
)
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
    is_natural_canasta,
)
from scorepad.rules.variants import get_variant, settle
from scorepad.schemas.fields import (
    Options,
    Unusable,
    decode_json,
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
"""The keys of the ways to count a side, of which one is given: its cards, what the players counted
themselves, or one sum for the whole hand.
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
        """Find the rules of the game that the hand names, with these options beside its own.

        `hand.rules_with(players=2)` → the rules for two players. Raises Unusable if there are none.
        """
        return read_chosen_rules(self.variant, self.preset, {**self.options, **options})


_HAND_TO_SCORE = TypeAdapter(HandToScore)


def read_chosen_rules(
    variant: str, preset: str | None, options: Mapping[str, str | int | bool]
) -> Ruleset:
    """Find the rules of the game that somebody chose in JSON.

    `variant` is a version of the game, such as `samba`, and `preset` the name of a ready-made set
    of its options, or None. `options` are chosen one by one: `{"target": 7000}`. Raises Unusable if
    there is no such variant, preset or option.
    """
    try:
        return settle(variant, preset, options)
    except ChoiceError as error:
        raise _explain_wrong_choice(error) from None  # its cause would tell nothing more


def _explain_wrong_choice(error: ChoiceError) -> Unusable:
    """Turn the error for a choice of rules that there is not into the one that is shown.

    Its message names the wrong key and what was chosen, and lists what can be chosen.
    """
    # Shown as: "“variant”: there is no variant poker; choose one of classica, …"
    return Unusable(
        f"choice.{error.reason}",
        quote(error.key),
        given=quote(error.given),
        known=", ".join(error.known),
    )


# ------------------------------------------------------------------------------------- the request


class GivenKeys(NamedTuple):
    """The keys that the JSON of a hand has.

    A decoded hand does not tell whether a value was given, or is the default.
    """

    of_hand: Collection[str]
    """The keys of the whole: `sides`, `out`, …"""
    of_sides: Mapping[str, Collection[str]]
    """The keys of each side, by its name: `{"Noi": {"melds", "left"}}`."""
    of_totals: Mapping[str, Collection[str]]
    """The keys in the `totals` of each side that has totals, by the name of the side."""


def read_given_keys(source: str | bytes) -> GivenKeys:
    """Read which keys the JSON text of a hand (a round of the game) has.

    Call it only with a text that has been decoded as a hand, so that it has the right form.
    """
    return _list_given_keys(parse_checked_json(source))


class _ObjectWithKeys(BaseModel):
    """A JSON object of which only the keys are read: those given are in `model_fields_set`."""

    model_config = ConfigDict(extra="allow", defer_build=True)


class _SideWithKeys(_ObjectWithKeys):
    """The JSON of a side of a hand."""

    totals: _ObjectWithKeys | None = None


class _HandWithKeys(_ObjectWithKeys):
    """The JSON of a hand (a round)."""

    sides: dict[str, _SideWithKeys]


def _list_given_keys(parsed: Any) -> GivenKeys:
    """List the keys in the parsed JSON of a hand (a round), which must have the right form.

    `{"sides": {"Noi": {"totals": {"cards": 50}}}}` → `sides` as the key of the hand, `totals` as
    that of the side `Noi`, and `cards` as that of its totals.
    """
    hand = _HandWithKeys.model_validate(parsed)
    of_sides = {}
    of_totals = {}
    for name, side in hand.sides.items():
        of_sides[name] = side.model_fields_set
        if side.totals is not None:
            of_totals[name] = side.totals.model_fields_set
    return GivenKeys(hand.model_fields_set, of_sides, of_totals)


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
    """A hand to judge, with its rules, the names of the sides, and the match scores before it."""

    rules: Ruleset
    hand: Hand
    side_names: tuple[str, ...]
    before: tuple[int, ...]
    """The match scores of the sides before the hand."""
    unknown_sides: tuple[UnknownSide, ...] = ()
    """The entries of the hand under names that no side of the match has."""
    unknown_names: tuple[UnknownName, ...] = ()
    """All such names, with the places where they stand."""
    absent: frozenset[int] = frozenset()
    """The positions of the sides of the match for which the hand has no entry."""

    @property
    def names(self) -> tuple[str, ...]:
        """List the names by position: those of the match, then the others that the hand names."""
        unknown_names = [side.name for side in self.unknown_sides]
        return (*self.side_names, *unknown_names)

    def judge(self, *, by_agreement: bool = False) -> Judgement:
        """Check the hand (a round of the game) by the rules, and score it if it may count.

        `by_agreement`: the players count it although it breaks rules. But a hand that names a side
        which the match does not have gets no score in any case, only its mistakes are reported.
        """
        if not self.unknown_names:
            return judge(self.rules, self.hand, self.before, by_agreement=by_agreement)
        findings = self._report_unknown_names()
        findings += find_broken_rules(self._build_table_with_unknown_sides())
        return Judgement(findings=sort_by_place(findings), sides=None, status=None)

    def _report_unknown_names(self) -> list[Finding]:
        """Report each name in the hand that no side (team) of the match has, as an error.

        In a match of `Noi` and `Loro`: "“Lora” does not play in this match. Use one of the
        match's names: Noi and Loro."
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

    def _build_table_with_unknown_sides(self) -> Table:
        """Prepare the hand (a round) for the checks if it names sides that the match does not have.

        So its other mistakes are found too. Every such name counts as one more side (team), which
        plays alone.
        """
        sides = self._build_sides_of_match()
        # The positions of the sides that play together: `[(0,), (1,)]`.
        groups = find_parties(self.rules.settings.partnership, self.hand)
        for unknown in self.unknown_sides:
            next_position = len(sides)
            sides.append(self._build_unknown_side(unknown, next_position))
            groups.append((next_position,))
        return build_table_of_sides(
            self.rules, self.hand, before=self.before, sides=sides, groups=groups
        )

    def _build_sides_of_match(self) -> list[LaidSide]:
        """Prepare the sides (teams) of the match for the checks, if the hand names others too.

        The cards of a side for which the hand has no entry count as not known: perhaps they stand
        under the wrong name.
        """
        sides: list[LaidSide] = []
        table = build_table(self.rules, self.hand, self.before)
        for side in table.sides:
            are_cards_known = side.position not in self.absent
            if are_cards_known:
                sides.append(side)
            else:
                sides.append(side._replace(unreadable=True))
        return sides

    def _build_unknown_side(self, unknown: UnknownSide, position: int) -> LaidSide:
        """Prepare what the hand has under a name that no side of the match has, for the checks.

        It becomes a side (team) at this position, after those of the match.
        """
        return build_side(
            self.rules.settings,
            unknown.entry,
            position,
            players=0,  # not known
            minimum=None,  # not known either: how much its first cards must be worth
            out=self.hand.out if unknown.is_out else None,
        )


def read_hand_request(source: str | bytes) -> HandRequest:
    """Read a hand (a round) to score from its JSON text, which also names the rules of the game.

    Its key `before` names the sides (teams) and has their match scores before the hand:
    `{"noi": 120, "loro": 85}`. Raises Unusable for JSON that is no hand, or not one of this game.
    """
    parsed = parse_checked_json(source)
    # The names must be known before the hand is decoded, which has its sides by position.
    context = JsonContext(_find_names_of_sides(parsed))
    hand = decode_json(_HAND_TO_SCORE, source, context=context)
    keys = _list_given_keys(parsed)
    rules = _find_rules_for_players_shown(hand)
    _refuse_wrong_number_of_sides(context.names, rules, keys)
    scores = tuple(hand.before.values())  # in the order of the names
    return make_hand_request(hand, keys, context, rules=rules, before=scores)


def _find_names_of_sides(parsed: Any) -> tuple[str, ...]:
    """Find the names of the sides (teams) in the parsed JSON of a hand to score.

    They are the keys of its object `before`, which has the match scores before the hand:
    `{"before": {"Anna": 120, "Bea": 85}, …}` → `("Anna", "Bea")`. The result is empty for JSON of
    another form, which is refused later, when the hand is decoded.
    """
    if not isinstance(parsed, dict):
        return ()
    before = parsed.get("before", DEFAULT_BEFORE)
    if not isinstance(before, dict):
        return ()
    return tuple(before)


def _refuse_wrong_number_of_sides(names: tuple[str, ...], rules: Ruleset, keys: GivenKeys) -> None:
    """Raise Unusable if a hand names more or fewer sides (teams) than play by these rules.

    Without the key `before`, which names them, a hand has two sides. So a game of three sides needs
    that key.
    """
    sides = len(rules.settings.sides)
    if len(names) == sides:
        return
    if "before" not in keys.of_hand:
        # Shown as: "“before” is missing: where three play, the names … are needed."
        raise Unusable("unusable.before-needed", "before")
    # Shown as: "“before”: this variant takes 2 sides, and here are 3."
    raise Unusable("unusable.sides-number", "before", count=sides, given=len(names))


def _find_rules_for_players_shown(hand: HandToScore) -> Ruleset:
    """Find the rules that a hand names, for as many players as it shows if it does not say that.

    In one game, `mini`, the number of players is an option: three sides (teams) in the hand → its
    rules for three players.
    """
    rules = hand.rules_with()
    is_option_of_game = PLAYERS in rules.options
    is_chosen = PLAYERS in hand.options
    if is_chosen or not is_option_of_game:
        return rules

    players = _count_players_shown(hand)
    option = get_variant(rules.variant).options[PLAYERS]
    if option.value_of(players) is None:  # the game is not played by so many
        return rules
    return hand.rules_with(**{PLAYERS: players})


def _count_players_shown(hand: HandToScore) -> int:
    """Count the players that a hand shows: two for each of two pairs, else one for each side.

    Sides are pairs if one of them lists what each of its players has left: `["K K 4", "9"]`.
    """
    number_of_sides = len(hand.before)  # which has the match score of each side
    lists_cards_of_players = any(side.left.is_by_player for side in hand.sides)
    are_pairs = number_of_sides == _TWO_SIDES and lists_cards_of_players
    players_of_side = 2 if are_pairs else 1
    return number_of_sides * players_of_side


def make_hand_request(
    hand: Hand,
    keys: GivenKeys,
    context: JsonContext,
    *,
    rules: Ruleset,
    before: tuple[int, ...],
) -> HandRequest:
    """Make a decoded hand (a round of the game) ready to be checked and scored by these rules.

    `keys` are those that its JSON has. `context` is the one with which it was decoded: it has the
    names of the sides of the match, and the names in the hand that no side has. `before` are the
    match scores of the sides before the hand. Raises Unusable if the rules cannot be applied to it.
    """
    _refuse_keys_that_exclude_each_other(keys)
    _refuse_wrong_keys_of_hand(keys.of_hand, hand, rules)
    _refuse_side_keys_of_other_games(keys, rules)
    names = context.names
    hand_of_match = _keep_sides_of_match(hand, context)
    unknown_sides = _find_unknown_sides(hand, context)
    check_usable(hand_of_match, rules, names, unknown_sides)
    absent = [position for position, name in enumerate(names) if name not in keys.of_sides]
    return HandRequest(
        rules=rules,
        hand=hand_of_match,
        side_names=names,
        before=before,
        unknown_sides=unknown_sides,
        unknown_names=_find_unknown_names(hand, context),
        absent=frozenset(absent),
    )


def _keep_sides_of_match(hand: Hand, context: JsonContext) -> Hand:
    """Return a hand (a round) without the sides (teams) in it that the match does not have.

    A side that went out (played its last card) or that played alone becomes None, for not known, if
    the match does not have it. The result is a plain `Hand`, without the rules and match scores
    that a hand to score has too.
    """
    if not context.unknown_names:
        return Hand(hand.sides, hand.out, hand.single, hand.deal)
    out = hand.out
    if out is not None and context.name_if_unknown(out.side) is not None:
        out = replace(out, side=None)
    single = hand.single  # the side that played alone
    if context.name_if_unknown(single) is not None:
        single = None
    sides_of_match = hand.sides[: len(context.names)]  # the others come after them
    return Hand(sides_of_match, out, single, hand.deal)


def _find_unknown_sides(hand: Hand, context: JsonContext) -> tuple[UnknownSide, ...]:
    """Find the sides (teams) of a hand that the match does not have, and what the hand gives them.

    `context` has the names of the match's sides, and the names in the hand that are none of them.
    """
    if not context.unknown_names:
        return ()
    name_of_out = None  # the unknown side that went out (played the last card), if it was one
    if hand.out is not None:
        name_of_out = context.name_if_unknown(hand.out.side)
    # In a hand they come after the sides of the match. A name need not have an entry.
    entries = hand.sides[len(context.names) :]
    unknown_sides = []
    for name, entry in zip(context.unknown_names, entries, strict=False):
        unknown_sides.append(UnknownSide(name, entry, is_out=name == name_of_out))
    return tuple(unknown_sides)


def _find_unknown_names(hand: Hand, context: JsonContext) -> tuple[UnknownName, ...]:
    """Find every name in a hand that no side (team) of the match has, and where it stands.

    A hand names sides in `sides`, in `single` (the side that played alone) and in `out` (the side
    that played its last card). `Lora` in `out` → `UnknownName("Lora", ("out", "side"))`.
    """
    if not context.unknown_names:
        return ()
    unknown_names = []
    for position in range(len(hand.sides)):
        name = context.name_if_unknown(position)
        if name is not None:
            unknown_names.append(UnknownName(name, ("sides", position)))

    name = context.name_if_unknown(hand.single)
    if name is not None:
        unknown_names.append(UnknownName(name, ("single",)))

    if hand.out is not None:
        name = context.name_if_unknown(hand.out.side)
        if name is not None:
            unknown_names.append(UnknownName(name, ("out", "side")))
    return tuple(unknown_names)


# ----------------------------------------------------------------------------------- unusable input


def _refuse_keys_that_exclude_each_other(keys: GivenKeys) -> None:
    """Raise Unusable if the JSON of a hand has keys of a side (team) that exclude each other.

    A side is counted in one way: by its cards on the table (`melds`), by what the players counted
    themselves (`totals`), or by one `sum` for the whole hand. Beside a `sum` hardly any key may
    stand.
    """
    for name, keys_of_side in keys.of_sides.items():
        ways_given = [way for way in _WAYS_TO_COUNT if way in keys_of_side]
        if len(ways_given) > 1:
            # Shown as: "“sides/Noi”: a side is counted in one way only, by melds, totals or sum."
            raise Unusable("unusable.one-way", f"sides/{quote(name)}")
        if "sum" not in keys_of_side:
            continue
        for key in _NOT_BESIDE_SUM:
            if key in keys_of_side:
                # Shown as: "“sides/Noi/left” cannot stand beside sum: …"
                raise Unusable("unusable.sum-alone", f"sides/{quote(name)}/{key}")


def _refuse_wrong_keys_of_hand(keys_of_hand: Collection[str], hand: Hand, rules: Ruleset) -> None:
    """Raise Unusable if a key of a hand as a whole is not of this game, is wrong, or is missing.

    `keys_of_hand` are those that its JSON has, such as `sides` and `out`.
    """
    _refuse_keys_of_other_games(keys_of_hand, "", rules)
    if "deal" in keys_of_hand:  # the number of the hand in the match
        refuse_deal(hand.deal, rules)
    # In some games one side plays alone against the others: `single` names it.
    needs_single = "single" in rules.entry_fields
    if needs_single and "single" not in keys_of_hand:
        raise Unusable("unusable.missing", "single", takes="single")


def _refuse_side_keys_of_other_games(keys: GivenKeys, rules: Ruleset) -> None:
    """Raise Unusable for the first key of a side (team) that only other games than this one have.

    Its `totals`, what the players counted themselves, have such keys too.
    """
    may_have_totals = rules.settings.counted_by != "cards"
    for name, keys_of_side in keys.of_sides.items():
        path = f"sides/{quote(name)}"
        _refuse_keys_of_other_games(keys_of_side, f"{path}/", rules)
        if may_have_totals and name in keys.of_totals:
            _refuse_keys_of_other_games(keys.of_totals[name], f"{path}/totals/", rules)


def _refuse_keys_of_other_games(given_keys: Collection[str], path: str, rules: Ruleset) -> None:
    """Raise Unusable for the first key of a JSON object that only other games than this one have.

    `path` leads to the object and ends with a slash, such as `sides/Noi/`. It is empty for the
    whole hand.
    """
    for key in FOREIGN_KEYS:
        if key in given_keys and key not in rules.entry_fields:
            # Shown as: "“sides/Noi/special” does not belong to the variant classica."
            raise Unusable("unusable.other-variant", f"{path}{key}", variant=rules.variant)


def refuse_deal(deal: int | None, rules: Ruleset) -> None:
    """Raise Unusable for the number of a hand in its match (`deal`) that is not within the match.

    In a match of 4 hands, 5 is refused. A game in which that number does not matter refuses any.
    """
    if "deal" not in rules.entry_fields:
        raise Unusable("unusable.other-variant", "deal", variant=rules.variant)
    number_of_hands = rules.settings.match_deals
    if number_of_hands is None:  # a match may have any number
        return
    is_within_match = deal is not None and 1 <= deal <= number_of_hands
    if not is_within_match:
        raise Unusable("unusable.wrong", "deal", takes="deal", most=number_of_hands)


def check_usable(
    hand: Hand, rules: Ruleset, names: Sequence[str], unknown_sides: Sequence[UnknownSide] = ()
) -> None:
    """Raise Unusable if these rules cannot be applied to a hand, so that it cannot be checked.

    `names` are those of its sides (teams). `unknown_sides` are entries of the hand under names that
    no side of the match has. The error names the path of the wrong value: `sides/Noi/left`.
    """
    for position, (name, side) in enumerate(zip(names, hand.sides, strict=True)):
        path = f"sides/{quote(name)}"
        _refuse_unusable_side(side, path, rules, rules.settings.players_of(position))
        if side.special is not None:
            _require_end_by_special_hand(hand.out, position)
    for unknown in unknown_sides:
        path = f"sides/{quote(unknown.name)}"
        _refuse_unusable_side(unknown.entry, path, rules, players=None)
        if unknown.entry.special is not None:
            _require_end_by_special_hand(hand.out, position=None)
    if hand.out is not None:
        _refuse_several_last_discards(hand.out)
        _refuse_player_that_side_lacks(hand.out, rules)
    _refuse_impossible_openings(hand, rules, names)
    _refuse_impossible_openings_of_unknown_sides(unknown_sides, rules)


def _refuse_unusable_side(side: SideEntry, path: str, rules: Ruleset, players: int | None) -> None:
    """Raise Unusable if these rules cannot be applied to what a hand gives for a side (team).

    `path` leads to the side, for the message: `sides/Noi`. `players` is the number of its players,
    None if it is not known.
    """
    _refuse_points_in_place_of_cards(side, path, rules)
    _refuse_unknown_kinds_in_totals(side.totals, f"{path}/totals", rules)
    refuse_unknown_items(side.bonuses, rules.bonuses, f"{path}/bonuses")
    _refuse_numbers_above_limit(side, path)
    _refuse_wrong_number_of_paying_players(side, path, rules, players)
    _refuse_wrong_number_of_hands_left(side, path, players)
    _refuse_wrong_special_hand(side, path, rules)


def _refuse_points_in_place_of_cards(side: SideEntry, path: str, rules: Ruleset) -> None:
    """Raise Unusable for points that a hand gives in place of a side's cards, if cards are needed.

    Most games accept both; the game `mini` needs the cards. `path` leads to the side, for the
    message: `sides/Noi`.
    """
    may_give_points = rules.settings.counted_by != "cards"
    if may_give_points:
        return
    if side.totals:  # only other games have this key
        raise Unusable("unusable.other-variant", f"{path}/totals", variant=rules.variant)
    # The cards left in hand are given in every game, but here not as points.
    if side.left.is_in_points:
        raise Unusable("unusable.wrong", f"{path}/left", takes="left-cards")


def _refuse_unknown_kinds_in_totals(totals: Totals | None, path: str, rules: Ruleset) -> None:
    """Raise Unusable for kinds of melds (groups of cards) in totals that the game does not have.

    Totals are what the players counted themselves: `{"canastas": {"samba": 1}}` is refused where
    there is no `samba`. `path` leads to them, for the message: `sides/Noi/totals`.
    """
    if totals is None:
        return
    known_incomplete = [kind.name for kind in rules.settings.incomplete]
    refuse_unknown_items(totals.incomplete, known_incomplete, f"{path}/incomplete")
    refuse_unknown_items(totals.canastas, rules.items, f"{path}/canastas")


def _refuse_numbers_above_limit(side: SideEntry, path: str) -> None:
    """Raise Unusable for a number that only some games count, if it is above its limit.

    Such a number is that of the black threes which a side laid by themselves. `path` leads to the
    side (team), for the message: `sides/Noi`.
    """
    for extra in EXTRA_COUNTS:
        if extra.most is not None and getattr(side, extra.key) > extra.most:
            raise Unusable("unusable.above-most", f"{path}/{extra.key}", most=extra.most)


def _refuse_wrong_number_of_paying_players(
    side: SideEntry, path: str, rules: Ruleset, players: int | None
) -> None:
    """Raise Unusable for a wrong number of players who pay for too many cards of a rank in hand.

    In some games a player who still holds three sevens pays for them: `"sevens_held": 2` says that
    two players of the side do. `players` is how many it has, None if that is not known. `path`
    leads to the side, for the message: `sides/Noi`.
    """
    for kind in rules.settings.held_together:
        path_of_number = f"{path}/{kind.key}"  # `sides/Noi/sevens_held`
        number_who_pay: int = getattr(side, kind.key)
        is_counted_from_cards = len(side.held) > 0  # the hand gives the cards in hand themselves
        if number_who_pay > 0 and is_counted_from_cards:
            raise Unusable("unusable.held-in-points", path_of_number)
        if players is not None and number_who_pay > players:
            raise Unusable("unusable.wrong", path_of_number, takes="held", most=players)


def _refuse_wrong_number_of_hands_left(side: SideEntry, path: str, players: int | None) -> None:
    """Raise Unusable if a side lists the cards left of more or fewer players than it has.

    `"left": ["K K 4", "9"]` needs 2 players. `players` is how many the side has, None if that is
    not known. `path` leads to the side, for the message: `sides/Noi`.
    """
    if players is None or not side.left.is_by_player:
        return
    hands_given = len(side.held)
    if hands_given != players:
        raise Unusable("unusable.left-hands", f"{path}/left", count=players, given=hands_given)


def _refuse_wrong_special_hand(side: SideEntry, path: str, rules: Ruleset) -> None:
    """Raise Unusable for a special hand that the game does not have, or beside cards on the table.

    A special hand, such as one of pairs, is shown all at once and ends the round, so that the side
    has laid nothing. `path` leads to the side, for the message: `sides/Noi`.
    """
    if side.special is None:
        return
    known = [name for name, _points in rules.settings.special_hands]
    if side.special not in known:
        # Shown as: "“sides/Noi/special”: there is no special hand x here; choose one of pairs, …"
        raise Unusable(
            "unusable.special",
            f"{path}/special",
            given=quote(side.special),
            known=", ".join(known),
        )
    what_was_laid = {
        "melds": side.melds,
        "opening": side.opening,
        "sum": side.sum,
        "totals": side.totals,
    }
    for key, value in what_was_laid.items():
        if value:
            # Shown as: "“sides/Noi/melds” cannot stand beside special: …"
            raise Unusable("unusable.special-alone", f"{path}/{key}")


def _require_end_by_special_hand(out: Out | None, position: int | None) -> None:
    """Raise Unusable if a side showed a special hand, but the round did not end with that.

    A special hand is shown all at once, and ends the round without a discard. `out` says how the
    round ended. `position` is that of the side, None for a name that no side of the match has.
    """
    if out is None:  # nobody ended the round by playing the last card
        raise Unusable("unusable.special-out", "out")

    was_card_discarded = out.discard is not None and out.discard != NOTHING
    # Without a side in `out` it was one with an unknown name, perhaps this one.
    did_other_side_end_it = out.side is not None and out.side != position
    if was_card_discarded or did_other_side_end_it:
        raise Unusable("unusable.special-out", "out")


def _refuse_several_last_discards(out: Out) -> None:
    """Raise Unusable if a player ended the hand (round) by discarding several cards at once.

    The discard may also be not known (None), or there was none (`NOTHING`).
    """
    if out.discard is None or out.discard == NOTHING:
        return
    if out.discard.size != 1:
        raise Unusable("unusable.one-card", "out/discard")


def _refuse_player_that_side_lacks(out: Out, rules: Ruleset) -> None:
    """Raise Unusable if the side that played the last card does not have the player who did.

    Players are counted from 0: a side of two has the players 0 and 1.
    """
    if out.side is None or out.player is None:
        return  # which player it was is not known
    last_player = rules.settings.players_of(out.side) - 1
    if out.player > last_player:
        raise Unusable("unusable.wrong", "out/player", takes="player", most=last_player)


def _refuse_impossible_openings(hand: Hand, rules: Ruleset, names: Sequence[str]) -> None:
    """Raise Unusable if a side cannot have laid the cards that it is said to have laid first.

    The cards laid first (the opening) must be among all that the side has on the table in the end,
    or the sides that lay their cards together with it. `names` are those of the sides.
    """
    for positions in find_parties(rules.settings.partnership, hand):
        sides_together = [hand.sides[position] for position in positions]
        for position in positions:
            opening = hand.sides[position].opening
            if opening is not None and not _may_opening_be_laid(opening, sides_together, rules):
                raise _make_error_for_opening(names[position])


def _refuse_impossible_openings_of_unknown_sides(
    sides: Sequence[UnknownSide], rules: Ruleset
) -> None:
    """Raise Unusable if a side cannot have laid the cards that it is said to have laid first.

    `sides` are those of a hand under names that no side of the match has. Each is checked by
    itself.
    """
    for side in sides:
        opening = side.entry.opening
        if opening is not None and not _may_opening_be_laid(opening, [side.entry], rules):
            raise _make_error_for_opening(side.name)


def _make_error_for_opening(side_name: str) -> Unusable:
    """Make the error for a side whose first cards (opening) are not among those that it laid."""
    # Shown as: "“sides/Noi/opening”: the cards of the opening must be among those laid."
    return Unusable("unusable.opening-cards", f"sides/{quote(side_name)}/opening")


def _list_cards_that_stay(
    opening: Sequence[Reading], melds_laid: Sequence[Reading], rules: Ruleset
) -> list[Cards]:
    """List the cards of each meld of an opening that must be on the table at the end too.

    At some tables a canasta (seven cards or more) gives its jokers and twos back to the hand: of
    `K K JK` only the kings stay, if there is `7xK` in the end.
    """
    settings = rules.settings
    ranks_of_natural_canastas: list[tuple[int, ...]] = []
    if settings.meld_wilds_stay == "until-natural":
        for meld in melds_laid:
            if is_natural_canasta(meld.cards, settings):
                ranks_of_natural_canastas.append(meld.cards.ranks)

    cards_that_stay: list[Cards] = []
    for meld in opening:
        cards = meld.cards
        if cards.ranks in ranks_of_natural_canastas:
            wilds = {kind: cards.counts[kind] for kind in (JOKER, TWO)}
            cards = subtract_cards(cards, build_cards(wilds))
        cards_that_stay.append(cards)
    return cards_that_stay


def _may_opening_be_laid(
    opening: Sequence[Reading], sides: Sequence[SideEntry], rules: Ruleset
) -> bool:
    """Tell whether the cards that a side laid first can be among all those on the table in the end.

    `sides` lay their cards together: it is the side itself, with its partners if it has any.

    - `K K K` first, and `4xK 2` in the end → True
    - `K K K` first, and `4xQ 2` in the end → False
    - it cannot be told, because some cards are not known → True
    """
    if any(side.sum is not None for side in sides):
        return True  # such a side gives only the points of the whole hand: its cards are not known
    melds_laid: list[Reading] = []
    for side in sides:
        melds_laid += [meld.reading for meld in side.melds]
    if any(meld.unknown for meld in (*opening, *melds_laid)):
        return True  # some text could not be read as cards

    opening_cards = gather(_list_cards_that_stay(opening, melds_laid, rules))
    laid_cards = gather(meld.cards for meld in melds_laid)
    points_of_unknown_cards = [side.totals.cards for side in sides if side.totals is not None]
    if not points_of_unknown_cards:
        return opening_cards.is_among(laid_cards)
    # Of some cards only the points are known, so that only points can be compared.
    card_points = rules.settings.card_points
    points_laid = laid_cards.points(card_points) + sum(points_of_unknown_cards)
    return opening_cards.points(card_points) <= points_laid

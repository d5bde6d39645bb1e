"""Hands to score, and requests of programs that play matches, decoded from JSON.

One model of a hand covers all variants: keys that a variant does not have are refused afterwards,
by name. Unusable input is reported by its key. Sides are identified by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    FailFast,
    Field,
    GetPydanticSchema,
    Tag,
    ValidationInfo,
    model_validator,
)

from scorepad.errors import ChoiceError
from scorepad.rules.cards import NOTHING, Reading, gather, read_cards
from scorepad.rules.checks import MessageArgument
from scorepad.rules.definitions import Ends, Ruleset
from scorepad.rules.json_types import (
    LONGEST_CARDS,
    STORED,
    CardText,
    Count,
    Counts,
    ListOfMelds,
    Text,
    Word,
    entries_at_most,
    unusable_error,
)
from scorepad.rules.judging import Finding, Judgement, find_broken, in_reading_order, judge
from scorepad.rules.loader import MOST_HANDS, MOST_MINUTES
from scorepad.rules.settings import LARGEST, Points
from scorepad.rules.table import (
    HOUSE,
    Adjustment,
    Hand,
    MeldEntry,
    Out,
    PenaltyEntry,
    Pointer,
    SideEntry,
    Table,
    Totals,
    build_side,
    build_table,
    find_parties,
    table_of_sides,
)
from scorepad.rules.variants import default_variant, get_variant, settle
from scorepad.schemas.fields import (
    MOST_CODES,
    MOST_NAMED_SIDES,
    MOST_ROWS,
    TAKES,
    Input,
    Options,
    Unusable,
    decode,
    quote,
    refuse_unknown,
)

SIDE_KEYS = ("a", "b", "c")
"""The keys of the sides in stored hands; names are labels that may change."""


def _in_short(key: str, text: Any, form: type[Input]) -> BeforeValidator:
    """Accepts a text of this type instead of an object with only this key."""
    return BeforeValidator(
        lambda given: {key: given} if isinstance(given, str) else given, text | form
    )


def _one_card(reading: Reading) -> Reading:
    if reading.cards.size + len(reading.unknown) != 1:
        raise unusable_error("one-card")
    return reading


def _not_blank(reason: str) -> str:
    if not reason.strip():
        raise unusable_error("wrong", takes="adjustments")
    return reason


def _read_card_string(text: str, info: ValidationInfo) -> Reading:
    # One function for the length and the cards: a hand has many card strings, and each call takes
    # time.
    if len(text) > LONGEST_CARDS and info.context != STORED:
        raise unusable_error("too-long", most=LONGEST_CARDS)
    return read_cards(text)


_CardText = Annotated[
    str, AfterValidator(_read_card_string), Field(json_schema_extra={"maxLength": LONGEST_CARDS})
]
CardString = Annotated[Reading, GetPydanticSchema(lambda _, handler: handler(_CardText))]
_HandsLeft = Annotated[list[CardString], Field(max_length=6)]
Left = Annotated[
    Annotated[CardString, Tag("str")]
    | Annotated[_HandsLeft, Tag("list")]
    | Annotated[Points, Tag("int")],
    Discriminator(lambda given: type(given).__name__),
]


class MeldInput(Input):
    """A meld; a string is short for its cards alone."""

    cards: CardString
    concealed: bool = False


class TotalsInput(Input):
    """A side counted at the table."""

    canastas: Counts = Field(default_factory=dict)
    cards: Points
    incomplete: Counts = Field(default_factory=dict)


class PenaltyInput(Input):
    """A penalty; only `house`, defined by the table, takes points and a reason. A code alone may be
    a string.
    """

    code: Word
    points: Points | None = None
    reason: Text | None = None

    @model_validator(mode="after")
    def _points_and_reason(self) -> Self:
        if self.code == HOUSE and (self.points is None or not (self.reason or "").strip()):
            raise unusable_error("house-reason")
        if self.code != HOUSE and self.points is not None:
            raise unusable_error("penalty-points", at="points")
        return self

    def entry(self) -> PenaltyEntry:
        return PenaltyEntry(self.code, self.points, self.reason or "")


class AdjustmentInput(Input):
    """Points agreed at the table."""

    points: Points
    reason: Annotated[Text, AfterValidator(_not_blank)]


class OpeningInput(Input):
    """The melds of the side's first turn."""

    melds: ListOfMelds[CardString]


_Meld = Annotated[MeldInput, _in_short("cards", CardText, MeldInput)]
_Penalty = Annotated[PenaltyInput, _in_short("code", Word, PenaltyInput)]
_Penalties = Annotated[
    list[_Penalty],
    FailFast(),
    entries_at_most(MOST_CODES),
    Field(json_schema_extra={"maxItems": MOST_CODES}),
]
_Adjustments = Annotated[
    list[AdjustmentInput],
    FailFast(),
    entries_at_most(MOST_ROWS),
    Field(json_schema_extra={"maxItems": MOST_ROWS}),
]
_Bonuses = Annotated[
    list[Word],
    FailFast(),
    entries_at_most(MOST_CODES),
    Field(json_schema_extra={"maxItems": MOST_CODES}),
]


class SideInput(Input):
    """What a side laid, holds and owes."""

    melds: ListOfMelds[_Meld] = Field(default_factory=list)
    totals: TotalsInput | None = None
    sum: Points | None = None
    adjustments: _Adjustments = Field(default_factory=list)
    left: Left = Field(NOTHING, json_schema_extra={"default": ""})
    red_threes: Count = 0
    red_threes_held: Count = 0
    penalties: _Penalties = Field(default_factory=list)
    bonuses: _Bonuses = Field(default_factory=list)
    opening: OpeningInput | None = None
    black_threes_aside: Count = 0
    black_threes: Count = 0
    sevens_held: Count = 0
    aces_held: Count = 0
    special: Word | None = None

    @model_validator(mode="after")
    def _counted_in_one_way(self) -> Self:
        """A side is counted by melds, totals or sum; with a sum only adjustments are allowed."""
        given = self.model_fields_set
        for name in ("opening", "special", "sum", "totals"):
            if name in given and getattr(self, name) is None:
                raise unusable_error("wrong", at=name, takes=TAKES[name])
        if len(given & {"melds", "totals", "sum"}) > 1:
            raise unusable_error("one-way")
        beside = [name for name in SideInput.model_fields if name in given - {"sum", "adjustments"}]
        if "sum" in given and beside:
            raise unusable_error("sum-alone", at=beside[0])
        return self

    def entry(self) -> SideEntry:
        left = self.left
        if isinstance(left, Reading):
            left = [] if left == NOTHING else [left]
        return SideEntry(
            melds=tuple(MeldEntry(meld.cards, meld.concealed) for meld in self.melds),
            totals=Totals(**dict(self.totals)) if self.totals else None,
            sum=self.sum,
            adjustments=tuple(Adjustment(each.points, each.reason) for each in self.adjustments),
            left=left if isinstance(left, int) else tuple(left),
            left_apart=isinstance(self.left, list),
            red_threes=self.red_threes,
            red_threes_held=self.red_threes_held,
            penalties=tuple(each.entry() for each in self.penalties),
            bonuses=tuple(self.bonuses),
            opening=tuple(self.opening.melds) if self.opening else None,
            extras={name: getattr(self, name) for name in _EXTRAS if name in self.model_fields_set},
            special=self.special,
        )


class OutInput(Input):
    """Who went out, and how."""

    side: Word
    concealed: bool = False
    discard: Annotated[CardString, AfterValidator(_one_card)] | None = None
    player: Count | None = None


class HandInput(Input):
    """A hand as the pad stores it: without the variant and the previous scores."""

    sides: Annotated[dict[Word, SideInput], Field(max_length=MOST_NAMED_SIDES)]
    out: OutInput | None = None
    single: Word | None = None
    deal: Count | None = None


def read_stored(hand: Mapping[str, Any]) -> HandInput:
    """A hand of a match's log or of an exported file: what was stored once is read, however long it
    is.

    Raises ValidationError.
    """
    return HandInput.model_validate(hand, context=STORED)


class RulesInput(Input):
    """The keys that choose rules."""

    variant: Word
    preset: Word | None = None
    options: Options = Field(default_factory=dict)

    def settled(self, **options: int) -> Ruleset:
        """The chosen rules, also with these options. Raises Unusable if there are no such rules."""
        try:
            return settle(self.variant, self.preset, {**self.options, **options})
        except ChoiceError as error:
            known = ", ".join(error.known)
            reason = f"choice.{error.reason}"
            raise Unusable(
                reason, quote(error.key), given=quote(error.given), known=known
            ) from None


class AskedInput(RulesInput, HandInput):
    """A complete hand to score."""

    before: Annotated[dict[Word, Points], Field(max_length=MOST_NAMED_SIDES)] = Field(
        default_factory=dict
    )


DEFAULT_BEFORE = {"noi": 0, "loro": 0}
PLAYERS = "players"
"""The option for the number of players of a variant."""
_EXTRAS = ("black_threes_aside", "black_threes", "sevens_held", "aces_held")
_FOREIGN = {"single", "deal", *_EXTRAS, "special", "incomplete"}
"""Keys that only some variants have, listed among their entry fields."""


class Stranger(NamedTuple):
    """An entry under a name that no side of the match has; `is_out`: it went out by that name."""

    name: str
    entry: SideEntry
    is_out: bool


@dataclass(frozen=True, slots=True)
class HandRequest:
    """A hand to judge, with its rules.

    `strangers` are entries under names that no side of the match has. `unknown` are all such
    names and where they stand, the strangers after the sides of the match. `absent` are the sides without an
    entry.
    """

    rules: Ruleset
    hand: Hand
    strangers: tuple[Stranger, ...] = ()
    unknown: tuple[tuple[Pointer, str], ...] = ()
    absent: frozenset[int] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the positions of the findings: the sides of the match, then the strangers."""
        return (*self.hand.names, *(each.name for each in self.strangers))

    def judge(self, *, by_agreement: bool = False) -> Judgement:
        """Check and score the hand. A name that no side has is an error beside all others."""
        if not self.unknown:
            return judge(self.rules, self.hand, by_agreement=by_agreement)
        findings = [*self._unknown_names(), *find_broken(self._table())]
        return Judgement(in_reading_order(findings), None, None)

    def _unknown_names(self) -> Iterator[Finding]:
        for where, name in self.unknown:
            arguments: dict[str, MessageArgument] = {"name": name, "sides": self.hand.side_names}
            yield Finding("side-unknown", "error", where, arguments, sources=())

    def _table(self) -> Table:
        """The table with the strangers, each by itself.

        The cards of an absent side may be those under an unknown name, so they are not known.
        """
        rules = self.rules
        hand = self.hand
        sides = []
        for side in build_table(rules, hand).sides:
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
        return table_of_sides(rules, hand, sides, groups)


def read_hand_request(source: str | bytes) -> HandRequest:
    """Read a hand to score. Raises Unusable."""
    form = decode(AskedInput, source)
    before = form.before if "before" in form.model_fields_set else DEFAULT_BEFORE
    rules = _seated(form.settled(), form, len(before))
    sides = len(rules.settings.sides)
    if len(before) != sides:
        if "before" not in form.model_fields_set:
            raise Unusable("unusable.before-needed", "before")
        raise Unusable("unusable.sides-number", "before", count=sides, given=len(before))
    return read_hand(form, rules, tuple(before), tuple(before.values()))


def _seated(rules: Ruleset, form: AskedInput, sides: int) -> Ruleset:
    """The rules for the number of players present, if the variant has several.

    A list in `left` has the cards of two partners; without one everyone plays alone.
    """
    if PLAYERS not in rules.options or PLAYERS in form.options:
        return rules
    has_partners = any(isinstance(side.left, list) for side in form.sides.values())
    players = sides * 2 if has_partners and sides == len(DEFAULT_BEFORE) else sides
    choices = [value.value for value in get_variant(rules.variant).options[PLAYERS].values]
    if players not in choices:
        return rules
    return form.settled(**{PLAYERS: players})


def read_hand(
    given: HandInput | Mapping[str, Any],
    rules: Ruleset,
    names: tuple[str, ...],
    before: tuple[int, ...],
    deal: int | None = None,
) -> HandRequest:
    """Read a hand of a match whose rules, side names and scores are known. Raises Unusable.

    `deal` is its number in the match, for rules that depend on it, if it is known.
    """
    form = given if isinstance(given, HandInput) else decode(HandInput, given)
    if deal is not None and "deal" in rules.entry_fields:
        form = form.model_copy(update={"deal": deal})
    _refuse_foreign(form, "", rules)
    if "deal" in form.model_fields_set:
        refuse_deal(form.deal, rules)
    if "single" in rules.entry_fields and "single" not in form.model_fields_set:
        raise Unusable("unusable.missing", "single", takes="single")
    players = {name: rules.settings.players_of(position) for position, name in enumerate(names)}
    for name, side in form.sides.items():
        _check_side(side, f"sides/{quote(name)}", rules, players.get(name))
        if side.special is not None:
            _check_special(form, name, rules)
    entries = {name: side.entry() for name, side in form.sides.items()}
    hand = Hand(
        names=names,
        before=before,
        sides=tuple(entries.get(name, SideEntry()) for name in names),
        out=_who_went_out(form.out, form.sides, names, players) if form.out else None,
        single=names.index(form.single) if form.single in names else None,
        deal=form.deal or 1,
    )
    asked = HandRequest(
        rules=rules,
        hand=hand,
        strangers=_strangers(form, names),
        unknown=_unknown_names(form, names),
        absent=frozenset(position for position, name in enumerate(names) if name not in form.sides),
    )
    _check_openings(asked)
    return asked


def _strangers(form: HandInput, names: tuple[str, ...]) -> tuple[Stranger, ...]:
    """The entries under names that no side of the match has."""
    out = form.out.side if form.out else None
    strangers = []
    for name, side in form.sides.items():
        if name not in names:
            strangers.append(Stranger(name, side.entry(), is_out=name == out))
    return tuple(strangers)


def _unknown_names(form: HandInput, names: tuple[str, ...]) -> tuple[tuple[Pointer, str], ...]:
    """The names that no side of the match has, and where they stand."""
    unknown: list[tuple[Pointer, str]] = []
    strangers = [name for name in form.sides if name not in names]
    for position, name in enumerate(strangers, len(names)):
        unknown.append((("sides", position), name))
    if form.single is not None and form.single not in names:
        unknown.append((("single",), form.single))
    if form.out is not None and form.out.side not in names:
        unknown.append((("out", "side"), form.out.side))
    return tuple(unknown)


def _refuse_foreign(form: Input, key: str, rules: Ruleset) -> None:
    """Refuse keys of other variants; `key` is the path of the form, with a trailing slash."""
    foreign = (form.model_fields_set & _FOREIGN).difference(rules.entry_fields)
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


def _check_side(side: SideInput, key: str, rules: Ruleset, players: int | None) -> None:
    """Refuse keys of a side that the variant does not have; `players` hold cards in it, None if that
    is unknown.
    """
    _refuse_foreign(side, f"{key}/", rules)
    if rules.settings.counted_by == "cards":
        if side.totals:
            raise Unusable("unusable.other-variant", f"{key}/totals", variant=rules.variant)
        if isinstance(side.left, int):
            raise Unusable("unusable.wrong", f"{key}/left", takes="left-cards")
    if side.totals:
        _refuse_foreign(side.totals, f"{key}/totals/", rules)
        incomplete = tuple(kind.name for kind in rules.settings.incomplete)
        refuse_unknown(side.totals.incomplete, incomplete, f"{key}/totals/incomplete")
        refuse_unknown(side.totals.canastas, rules.items, f"{key}/totals/canastas")
    if side.bonuses:
        refuse_unknown(side.bonuses, rules.bonuses, f"{key}/bonuses")
    for kind in rules.settings.held_together:
        held = getattr(side, kind.key)
        if held and side.left not in (NOTHING, []) and not isinstance(side.left, int):
            raise Unusable("unusable.held-in-points", f"{key}/{kind.key}")
        if players is not None and held > players:
            raise Unusable("unusable.wrong", f"{key}/{kind.key}", takes="held", most=players)
    if isinstance(side.left, list) and players not in (None, len(side.left)):
        given = len(side.left)
        raise Unusable("unusable.left-hands", f"{key}/left", count=players or 0, given=given)


def _check_special(form: HandInput, name: str, rules: Ruleset) -> None:
    """A hand shown instead of melded: its side lays nothing, and goes out with it without a
    discard.
    """
    side = form.sides[name]
    out = form.out
    key = f"sides/{quote(name)}"
    known = dict(rules.settings.special_hands)
    refuse_unknown([str(side.special)], known, f"{key}/special", "unusable.special")
    for beside in ("melds", "opening", "sum", "totals"):
        if getattr(side, beside):
            raise Unusable("unusable.special-alone", f"{key}/{beside}")
    if out is None or out.discard is not None or (out.side != name and out.side in form.sides):
        raise Unusable("unusable.special-out", "out")


def _check_openings(asked: HandRequest) -> None:
    """The cards of a recorded opening must be among those that the side, or its pair, laid."""
    entries = [*asked.hand.sides, *(stranger.entry for stranger in asked.strangers)]
    if all(entry.opening is None for entry in entries):
        return
    settings = asked.rules.settings
    parties = find_parties(settings.partnership, asked.hand)
    parties += [(position,) for position in range(len(asked.hand.sides), len(entries))]
    for party in parties:
        laid = [entries[position] for position in party]
        for position in party:
            opening = entries[position].opening
            if opening is not None and not _can_be_laid(opening, laid, settings.card_points):
                name = quote(asked.names[position])
                raise Unusable("unusable.opening-cards", f"sides/{name}/opening")


def _can_be_laid(
    opening: tuple[Reading, ...], laid: list[SideEntry], values: tuple[int, ...]
) -> bool:
    """Whether these cards are among those laid; compared by points if the cards laid are not all
    known.
    """
    melds: list[Reading] = []
    for entry in laid:
        melds += [meld.reading for meld in entry.melds]
    if any(reading.unknown for reading in (*opening, *melds)):
        return True
    if any(entry.sum is not None for entry in laid):
        return True
    cards = gather(reading.cards for reading in opening)
    known = gather(meld.cards for meld in melds)
    totals = [entry.totals.cards for entry in laid if entry.totals]
    if totals:
        return cards.points(values) <= sum(totals) + known.points(values)
    return cards.is_among(known)


def _who_went_out(
    form: OutInput,
    sides: Mapping[str, SideInput],
    names: tuple[str, ...],
    players: Mapping[str, int],
) -> Out:
    """Who went out; the player matters if the cards left were given player by player."""
    most = players.get(form.side, LARGEST) - 1
    if form.player is not None and form.player > most:
        raise Unusable("unusable.wrong", "out/player", takes="player", most=most)
    apart = form.side in sides and isinstance(sides[form.side].left, list)
    return Out(
        side=names.index(form.side) if form.side in names else None,
        concealed=form.concealed,
        discard=form.discard or NOTHING,
        discard_known="discard" in form.model_fields_set,
        player=form.player if apart else None,
    )


Names = Annotated[tuple[Text, ...], Field(max_length=3), FailFast()]
Players = Annotated[tuple[Text, ...], Field(max_length=6), FailFast()]
Index = Annotated[int, Field(ge=0, le=5)]


class EndsInput(Input):
    """What ends a match besides its target: a number of hands, or minutes from its start."""

    hands: Annotated[int, Field(ge=1, le=MOST_HANDS)] | None = None
    minutes: Annotated[int, Field(ge=1, le=MOST_MINUTES)] | None = None


def _ends_of_match(given: EndsInput | None) -> Ends | None:
    return None if given is None or given == EndsInput() else Ends(given.hands, given.minutes)


class NewMatchInput(RulesInput):
    """A match to start. `players` by side; `dealer`: the first dealer's side and seat; `carried`:
    totals from paper.
    """

    variant: Word = default_variant()
    names: Names
    players: Annotated[tuple[Players, ...], Field(max_length=3), FailFast()] = ()
    dealer: Annotated[tuple[Index, ...], Field(min_length=2, max_length=2), FailFast()] = (0, 0)
    place: Text = ""
    carried: Annotated[tuple[Points, ...], Field(max_length=3), FailFast()] = ()
    played: Count = 0
    ends: Annotated[EndsInput | None, AfterValidator(_ends_of_match)] = None

    @model_validator(mode="after")
    def _players_of_each_side(self) -> Self:
        if self.players and len(self.players) != len(self.names):
            raise unusable_error("wrong", at="players", takes="players")
        return self


class NewHandInput(HandInput):
    """A hand of a match. `number` is that of the next hand, so that a repeated request counts only
    once.

    `version` is that of the draft which the hand replaces, 0 for none, so that a newer draft is not
    lost. `agreed` is the reason why the table counts a hand that the rules refuse.
    """

    number: Count
    version: Count = 0
    remark: Text = ""
    agreed: Text = ""


class CorrectionInput(HandInput):
    """A correction of a counted hand. `entry` is the version being corrected, `note` the reason."""

    entry: Count
    note: Text = ""
    remark: Text = ""
    agreed: Text = ""


class UndoInput(Input):
    """Undo the last action, if `sequence` is still the last of the match. `note` is the reason."""

    sequence: Count
    note: Text = ""


_Sent = TypeVar("_Sent", bound=Input)


def read_sent(form: type[_Sent], source: bytes) -> _Sent:
    """The body of a request to a match: a model of this type. Raises Unusable."""
    return decode(form, source, not_object="unusable.not-json-object")

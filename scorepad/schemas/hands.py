"""Hands to score, and matches played by programs, decoded from JSON.

One model of a hand is as wide as all variants together: what a variant does not take is refused afterwards, by name.
What cannot be used at all is reported by its key. Sides go by their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Discriminator, Field, Tag

from scorepad.errors import ChoiceError
from scorepad.rules.cards import NOTHING, Reading, gather, read_cards
from scorepad.rules.loader import MOST_HANDS, MOST_MINUTES
from scorepad.rules.table import (
    HOUSE,
    Adjustment,
    Hand,
    MeldEntry,
    Out,
    PenaltyEntry,
    Place,
    SideEntry,
    Totals,
    who_lays,
)
from scorepad.rules.variants import Ruleset, default_variant, get_variant, settle
from scorepad.schemas.fields import (
    HANDS,
    OBJECT,
    POINTS,
    TAKES,
    TEXT,
    Count,
    Form,
    Points,
    Unusable,
    decode,
    echo,
    refuse_unknown,
)


def _by_type(value: Any) -> str | None:
    """Which form of a key that takes several was given."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return TEXT
    if isinstance(value, int):
        return POINTS
    if isinstance(value, list):
        return HANDS
    return OBJECT if isinstance(value, dict | BaseModel) else None


class MeldForm(Form):
    """A meld with more to say than its cards."""

    cards: str
    concealed: bool = False


class TotalsForm(Form):
    """A side counted at the table."""

    canastas: dict[str, Count] = Field(default_factory=dict)
    cards: Points
    incomplete: dict[str, Count] = Field(default_factory=dict)


class PenaltyForm(Form):
    """A penalty with points and a reason of the table's own."""

    code: str
    points: Points | None = None
    reason: str | None = None


class AdjustmentForm(Form):
    """Points agreed at the table."""

    points: Points
    reason: str


class OpeningForm(Form):
    """The melds of the side's first turn."""

    melds: list[str]


Meld = Annotated[Annotated[str, Tag(TEXT)] | Annotated[MeldForm, Tag(OBJECT)], Discriminator(_by_type)]
Penalty = Annotated[Annotated[str, Tag(TEXT)] | Annotated[PenaltyForm, Tag(OBJECT)], Discriminator(_by_type)]
Left = Annotated[
    Annotated[str, Tag(TEXT)] | Annotated[list[str], Tag(HANDS)] | Annotated[Points, Tag(POINTS)],
    Discriminator(_by_type),
]


class SideForm(Form):
    """What a side laid, holds and owes."""

    melds: list[Meld] = Field(default_factory=list)
    totals: TotalsForm | None = None
    sum: Points | None = None
    adjustments: list[AdjustmentForm] = Field(default_factory=list)
    left: Left = ""
    red_threes: Count = 0
    red_threes_held: Count = 0
    penalties: list[Penalty] = Field(default_factory=list)
    bonuses: list[str] = Field(default_factory=list)
    opening: OpeningForm | None = None
    black_threes_aside: Count = 0
    black_threes: Count = 0
    sevens_held: Count = 0
    aces_held: Count = 0
    special: str | None = None


class OutForm(Form):
    """Who went out, and how."""

    side: str
    concealed: bool = False
    discard: str | None = None
    player: Count | None = None


class HandForm(Form):
    """A hand as the pad keeps it: without the variant and the scores before."""

    sides: dict[str, SideForm]
    out: OutForm | None = None
    single: str | None = None
    deal: Count | None = None


class AskedForm(HandForm):
    """A hand to score, whole."""

    variant: str
    preset: str | None = None
    options: dict[str, str | int | bool] = Field(default_factory=dict)
    before: dict[str, Points] = Field(default_factory=dict)


_OF_HANDS = {"single", "deal"}
_OF_SIDES = {"black_threes_aside", "black_threes", "sevens_held", "aces_held", "special"}
_OF_TOTALS = {"incomplete"}
# Keys that only some variants have: they name them among their entry fields.
_NOT_BESIDE_SPECIAL = {"melds", "totals", "sum", "opening"}


def refuse_foreign(form: HandForm, rules: Ruleset) -> None:
    """Refuse what the variant does not take, and ask for what it needs. Raises Unusable."""
    _refuse_keys(form.model_fields_set & _OF_HANDS, (), rules)
    if "deal" in form.model_fields_set:
        refuse_deal(form.deal, rules)
    if "single" in rules.entry_fields and "single" not in form.model_fields_set:
        raise Unusable("unusable.missing", "single", takes="single")
    for name, side in form.sides.items():
        _refuse_keys(side.model_fields_set & _OF_SIDES, ("sides", name), rules)
        key = f"sides/{echo(name)}"
        _refuse_counting(side, rules, key)
        for kind in rules.settings.held_together:
            # Players counted for what their hands hold, where the cards of those hands are given.
            if getattr(side, kind.key) and side.left and not isinstance(side.left, int):
                raise Unusable("unusable.held-in-points", f"{key}/{kind.key}")
        if side.special is not None:
            _refuse_special(form, name, rules)


def _refuse_keys(given: set[str], place: tuple[str, ...], rules: Ruleset) -> None:
    foreign = given.difference(rules.entry_fields)
    if foreign:
        raise Unusable("unusable.other-variant", echo("/".join((*place, min(foreign)))), variant=rules.variant)


def refuse_deal(deal: int | None, rules: Ruleset) -> None:
    """Refuse the number of a hand that is none of the match's, or where no match has a number. Raises Unusable."""
    _refuse_keys({"deal"}, (), rules)
    most = rules.settings.match_deals
    if most is not None and (deal is None or not 1 <= deal <= most):
        raise Unusable("unusable.wrong", "deal", takes="deal", most=most)


def _refuse_counting(side: SideForm, rules: Ruleset, key: str) -> None:
    """Totals and points in hand where the cards themselves are needed, and incomplete melds that cost nothing here."""
    if rules.settings.counted_by == "cards":
        if side.totals is not None:
            raise Unusable("unusable.other-variant", f"{key}/totals", variant=rules.variant)
        if isinstance(side.left, int):
            raise Unusable("unusable.wrong", f"{key}/left", takes="left-cards")
    if side.totals is None:
        return
    _refuse_keys(side.totals.model_fields_set & _OF_TOTALS, (key, "totals"), rules)
    known = tuple(kind.name for kind in rules.settings.incomplete)
    refuse_unknown(side.totals.incomplete, known, f"{key}/totals/incomplete")


def _refuse_special(form: HandForm, name: str, rules: Ruleset) -> None:
    """A hand that is shown: its side lays nothing, and goes out with it without a discard."""
    side, key = form.sides[name], f"sides/{echo(name)}"
    known = [special for special, _ in rules.settings.special_hands]
    if side.special not in known:
        raise Unusable("unusable.special", f"{key}/special", given=echo(side.special), known=", ".join(known))
    beside = [given for given in sorted(_NOT_BESIDE_SPECIAL & side.model_fields_set) if getattr(side, given)]
    if beside:
        raise Unusable("unusable.special-alone", f"{key}/{beside[0]}")
    elsewhere = form.out is None or (form.out.side != name and form.out.side in form.sides)
    if elsewhere or (form.out is not None and form.out.discard is not None):
        raise Unusable("unusable.special-out", "out")


_NEVER_NULL = {"totals", "sum", "opening", "special"}
_WAYS = {"melds", "totals", "sum"}
DEFAULT_BEFORE = {"noi": 0, "loro": 0}
_EXTRAS = ("black_threes_aside", "black_threes", "sevens_held", "aces_held")


@dataclass(frozen=True, slots=True)
class Asked:
    """A hand to score with the rules it is to be scored by."""

    rules: Ruleset
    hand: Hand


def read_asked(source: str | bytes) -> Asked:
    """Read a hand to score. Raises Unusable."""
    form = decode(AskedForm, source)
    before = form.before if "before" in form.model_fields_set else DEFAULT_BEFORE
    rules = _seated(settled(form.variant, form.preset, form.options), form, len(before))
    sides = len(rules.settings.sides)
    if len(before) != sides:
        if "before" not in form.model_fields_set:
            raise Unusable("unusable.before-needed", "before")
        raise Unusable("unusable.sides-number", "before", count=sides, given=len(before))
    return Asked(rules, _hand(form, rules, tuple(before), tuple(before.values())))


def read_hand(raw: Mapping[str, Any], rules: Ruleset, names: tuple[str, ...], before: tuple[int, ...]) -> Hand:
    """Read a hand of a match whose rules, side names and scores are known. Raises Unusable."""
    return _hand(decode(HandForm, raw), rules, names, before)


def settled(variant: str, preset: str | None, options: Mapping[str, str | int | bool]) -> Ruleset:
    """The rules that somebody asked for. Raises Unusable where there are none such."""
    try:
        return settle(variant, preset, options)
    except ChoiceError as trouble:
        known = ", ".join(trouble.known)
        raise Unusable(f"choice.{trouble.reason}", echo(trouble.key), given=echo(trouble.given), known=known) from None


def _seated(rules: Ruleset, form: AskedForm, sides: int) -> Ruleset:
    """The rules for as many as sit at the table, where the variant is played by several numbers of players.

    A list in `left` is a pair, a hand each; otherwise everybody plays alone.
    """
    if PLAYERS not in rules.options or PLAYERS in form.options:
        return rules
    pairs = any(isinstance(side.left, list) for side in form.sides.values())
    players = sides * 2 if pairs and sides == len(DEFAULT_BEFORE) else sides
    if all(value.value != players for value in get_variant(rules.variant).options[PLAYERS].values):
        return rules
    return settled(form.variant, form.preset, {**form.options, PLAYERS: players})


PLAYERS = "players"
"""The option by which a variant tells how many play."""


def _hand(form: HandForm, rules: Ruleset, names: tuple[str, ...], before: tuple[int, ...]) -> Hand:
    refuse_foreign(form, rules)
    entries = {name: _side(name, side, rules, _hands(rules, names, name)) for name, side in form.sides.items()}
    everybody = (*names, *(name for name in form.sides if name not in names))
    strangers: list[tuple[Place, str]] = [
        (("sides", position), everybody[position]) for position in range(len(names), len(everybody))
    ]
    if form.single is not None and form.single not in names:
        strangers.append((("single",), form.single))
    out = None
    if form.out is not None:
        out = _out(form.out, form.sides, rules, names, everybody)
        if form.out.side not in names:
            strangers.append((("out", "side"), form.out.side))
    single = names.index(form.single) if form.single in names else None
    sides = tuple(entries.get(name, SideEntry()) for name in everybody)
    absent = frozenset(position for position, name in enumerate(names) if name not in entries)
    hand = Hand(everybody, before, sides, out, single, form.deal or 1, tuple(strangers), absent)
    _check_openings(hand, rules)
    return hand


def _hands(rules: Ruleset, names: tuple[str, ...], name: str) -> int | None:
    """How many hands of cards a side plays; None for a stranger."""
    return rules.settings.hands_of(names.index(name)) if name in names else None


def _side(name: str, form: SideForm, rules: Ruleset, hands: int | None) -> SideEntry:
    key = f"sides/{echo(name)}"
    _one_way(form, key)
    for kind in rules.settings.held_together:
        # No more players can be left with too many of a rank than the side has.
        if hands is not None and getattr(form, kind.key) > hands:
            raise Unusable("unusable.wrong", f"{key}/{kind.key}", takes="held", most=hands)
    melds = [MeldForm(cards=meld) if isinstance(meld, str) else meld for meld in form.melds]
    if form.totals:
        refuse_unknown(form.totals.canastas, rules.items, f"{key}/totals/canastas")
    refuse_unknown(form.bonuses, tuple(rules.bonuses), f"{key}/bonuses")
    for number, adjustment in enumerate(form.adjustments):
        if not adjustment.reason.strip():
            raise Unusable("unusable.wrong", f"{key}/adjustments/{number}/reason", takes="adjustments")
    return SideEntry(
        melds=tuple(MeldEntry(read_cards(meld.cards), meld.concealed) for meld in melds),
        totals=None if form.totals is None else Totals(**dict(form.totals)),
        sum=form.sum,
        adjustments=tuple(Adjustment(each.points, each.reason) for each in form.adjustments),
        left=_left(form, key, hands),
        left_apart=isinstance(form.left, list),
        red_threes=form.red_threes,
        red_threes_held=form.red_threes_held,
        penalties=tuple(_penalty(penalty, f"{key}/penalties/{n}") for n, penalty in enumerate(form.penalties)),
        bonuses=tuple(form.bonuses),
        opening=None if form.opening is None else tuple(read_cards(text) for text in form.opening.melds),
        extras={name: getattr(form, name) for name in form.model_fields_set.intersection(_EXTRAS)},
        special=form.special,
    )


def _one_way(form: SideForm, key: str) -> None:
    """A side is counted by melds, totals or sum; beside a sum only adjustments."""
    given = form.model_fields_set
    for name in sorted(given & _NEVER_NULL):
        if getattr(form, name) is None:
            raise Unusable("unusable.wrong", f"{key}/{name}", takes=TAKES[name])
    if len(given & _WAYS) > 1:
        raise Unusable("unusable.one-way", key)
    if "sum" in given:
        beside = [name for name in SideForm.model_fields if name in given and name not in ("sum", "adjustments")]
        if beside:
            raise Unusable("unusable.sum-alone", f"{key}/{beside[0]}")


def _left(form: SideForm, key: str, hands: int | None) -> tuple[Reading, ...] | int:
    if isinstance(form.left, int):
        return form.left
    if isinstance(form.left, str):
        reading = read_cards(form.left)
        return () if reading == NOTHING else (reading,)
    if hands is not None and len(form.left) != hands:
        raise Unusable("unusable.left-hands", f"{key}/left", count=hands, given=len(form.left))
    return tuple(read_cards(text) for text in form.left)


def _penalty(form: str | PenaltyForm, key: str) -> PenaltyEntry:
    if isinstance(form, str):
        form = PenaltyForm(code=form)
    if form.code == HOUSE and (form.points is None or not (form.reason or "").strip()):
        raise Unusable("unusable.house-reason", key)
    if form.code != HOUSE and form.points is not None:
        raise Unusable("unusable.penalty-points", f"{key}/points")
    return PenaltyEntry(form.code, form.points, form.reason or "")


def _check_openings(hand: Hand, rules: Ruleset) -> None:
    """The cards of an opening noted must be among those that the side, or its pair, laid."""
    if all(entry.opening is None for entry in hand.sides):
        return
    for party in who_lays(rules.settings.partnership, hand):
        laid = [hand.sides[position] for position in party]
        for position in party:
            opening = hand.sides[position].opening
            if opening is not None and not _can_be_laid(opening, laid, rules.settings.card_points):
                raise Unusable("unusable.opening-cards", f"sides/{echo(hand.names[position])}/opening")


def _can_be_laid(opening: tuple[Reading, ...], laid: list[SideEntry], values: tuple[int, ...]) -> bool:
    """Whether these cards are among those laid: by their points where not all of those are known card by card."""
    melds = [meld.reading for entry in laid for meld in entry.melds]
    if any(reading.unknown for reading in (*opening, *melds)) or any(entry.sum is not None for entry in laid):
        return True
    cards, known = gather(reading.cards for reading in opening), gather(meld.cards for meld in melds)
    counted = [entry.totals.cards for entry in laid if entry.totals]
    return cards.points(values) <= sum(counted) + known.points(values) if counted else cards.is_among(known)


def _out(
    form: OutForm, sides: Mapping[str, SideForm], rules: Ruleset, names: tuple[str, ...], everybody: tuple[str, ...]
) -> Out:
    discard = NOTHING
    if form.discard is not None:
        discard = read_cards(form.discard)
        if discard.cards.size + len(discard.unknown) != 1:
            raise Unusable("unusable.one-card", "out/discard")
    position = everybody.index(form.side) if form.side in everybody else None
    player, hands = form.player, _hands(rules, names, form.side)
    if player is not None and hands is not None and player >= hands:
        raise Unusable("unusable.wrong", "out/player", takes="player", most=hands - 1)
    side = sides.get(form.side)
    apart = side is not None and isinstance(side.left, list)
    noted = "discard" in form.model_fields_set
    return Out(position, form.concealed, discard, noted, player if apart else None)


Names = Annotated[list[str], Field(max_length=3)]
Note = Annotated[str, Field(max_length=1_000)]
Seat = Annotated[list[Annotated[int, Field(ge=0, le=5)]], Field(min_length=2, max_length=2)]
"""A side's position and a player's in it."""


class EndsForm(Form):
    """What ends a match beside its target: so many hands, or minutes from its beginning."""

    hands: Annotated[int, Field(ge=1, le=MOST_HANDS)] | None = None
    minutes: Annotated[int, Field(ge=1, le=MOST_MINUTES)] | None = None


class NewMatchForm(Form):
    """A match to begin. `players` by side; `dealer` is where the first dealer sits; `carried` and `played` on paper."""

    variant: str = default_variant()
    preset: str | None = None
    options: dict[str, str | int | bool] = Field(default_factory=dict)
    names: Names
    players: Annotated[list[Annotated[list[str], Field(max_length=6)]], Field(max_length=3)] = Field(
        default_factory=list
    )
    dealer: Seat = Field(default_factory=lambda: [0, 0])
    place: str = ""
    carried: Annotated[list[Points], Field(max_length=3)] = Field(default_factory=list)
    played: Count = 0
    ends: EndsForm | None = None


class NewHandForm(HandForm):
    """A hand of a match. `number` is that of the coming hand, so that sent twice it counts once.

    `version` is that of what phones have typed of it, 0 for nothing: whoever sends a hand knows what it takes the place
    of. `agreed` is why the table counts a hand that the rules refuse.
    """

    number: Count
    version: Count = 0
    remark: Note = ""
    agreed: Note = ""


class CorrectionForm(HandForm):
    """A counted hand put right. `entry` is the version of it that was seen, `note` why."""

    entry: Count
    note: Note = ""
    remark: Note = ""
    agreed: Note = ""


class UndoForm(Form):
    """Undo the last thing done, if `sequence` is still the last of the match. `note` says why."""

    sequence: Count
    note: Note = ""


_Sent = TypeVar("_Sent", bound=Form)


def read_sent(form: type[_Sent], source: bytes) -> _Sent:
    """What was sent to a match: a model of this type. Raises Unusable."""
    sent = decode(form, source, not_object="unusable.not-json-object")
    if isinstance(sent, NewMatchForm) and sent.players and len(sent.players) != len(sent.names):
        raise Unusable("unusable.wrong", "players", takes="players")
    return sent

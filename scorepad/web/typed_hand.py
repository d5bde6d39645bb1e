"""A hand read from the fields of the form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scorepad.i18n import Language
from scorepad.matches.hands import Draft, SentHand
from scorepad.matches.names import says_something
from scorepad.rules.cards import NOTHING, Kind, Reading, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand, Out, SideEntry
from scorepad.rules.table import Pointer
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web.forms import LONGEST_REMARK
from scorepad.web.hand_fields import (
    AGREED,
    CONCEALED,
    DISCARD,
    DISCARD_NONE,
    NOBODY,
    OUT,
    REMARK,
    SINGLE,
    field_key,
)
from scorepad.web.shared_melds import (
    Positions,
    find_meld_groups,
    find_meld_writers,
    has_temporary_pairs,
    side_chosen,
)
from scorepad.web.side_column import SideColumn, build_columns
from scorepad.web.side_reader import DraftProblem, TypedSide, read_side


@dataclass(frozen=True, slots=True)
class TypedHand:
    """What a draft (the texts typed in the form) says: the hand as far as it is readable, and what
    is unreadable or missing.

    By side: `typed_sides`; `groups`, the sides that lay their melds together; `writers`, the side
    in whose fields the melds are typed. The points of the sides in `unfinished` are not known yet.
    `is_single_missing`: it is still to be said who plays alone, so the groups are not known either.
    """

    draft: Draft
    rules: Ruleset
    typed_sides: tuple[TypedSide, ...]
    groups: tuple[Positions, ...]
    writers: Positions
    hand: Hand
    problems: tuple[DraftProblem, ...]
    unfinished: frozenset[int]
    is_single_missing: bool

    @property
    def columns(self) -> tuple[SideColumn, ...]:
        """The fields of each side with their texts."""
        return tuple(side.column for side in self.typed_sides)

    def typed_in(self, key: str) -> str:
        """The text of the field with this key; empty if nothing is typed."""
        return self.draft.get(key, "").strip()

    def sent_hand(self, draft: Draft, reason: str = "") -> SentHand:
        """The hand with its texts, as it is sent to be counted; `draft` are the fields to store with
        it, `reason` why a past hand is corrected or contested.
        """
        return SentHand(
            hand=self.hand,
            draft=draft,
            remark=self.typed_in(REMARK),
            agreed=self.typed_in(AGREED),
            reason=reason,
        )

    @property
    def by_agreement(self) -> bool:
        """Whether the table wrote why it counts the hand although the rules refuse it."""
        return says_something(self.typed_in(AGREED))

    def key_at(self, where: Pointer) -> str | None:
        """The key of the field that holds a part of the hand: `("sides", 0, "left")` → `a.left`.

        None for the hand as a whole.
        """
        match where:
            case ("single", *_):
                return SINGLE
            case ("out", "discard", *_):
                return DISCARD
            case ("out", *_):
                return OUT
            case ("sides", int(position), *inside):
                return self._key_in_side(position, tuple(inside))
        return None

    def _key_in_side(self, position: int, inside: Pointer) -> str:
        """The key of the field that holds a part of a side's entry; what has no field of its own is
        shown at the field for the melds of the side.
        """
        # The melds of two sides that lay together are typed in the fields of one of them.
        writer = self.typed_sides[self.writers[position]]
        part = inside[0] if inside else ""
        if part in ("melds", "totals"):
            return writer.key_of_laid(str(part), inside[1:])
        side = self.typed_sides[position]
        name = side.field_name_at(inside)
        if name is None:
            return writer.column.main_key
        return field_key(side.column.side, name)


# ------------------------------------------------------------------------------------ reading a draft


def read_draft(draft: Draft, rules: Ruleset, language: Language) -> TypedHand:
    """Read a draft with any content, typed by somebody who writes numbers as this language does."""
    groups = find_meld_groups(draft, rules)
    writers = find_meld_writers(draft, rules, groups)
    typed_sides = []
    for column in build_columns(draft, rules):
        owner_of_melds = _owner_of_melds(column, draft, rules, language, writers)
        typed_sides.append(read_side(column, rules, language, owner_of_melds))

    unfinished = _sides_with_problems(typed_sides, groups)
    is_single_missing = _is_single_missing(typed_sides, draft, rules)
    if is_single_missing:  # every score depends on who plays together
        unfinished.update(range(len(typed_sides)))
    sides_showing = _sides_showing_special_hands(typed_sides)
    if len(sides_showing) > 1:  # only one side can show a special hand
        unfinished.update(sides_showing)

    out = _read_out(draft, rules)
    if sides_showing:  # showing a special hand is going out
        out = Out(sides_showing[0])
    elif out is not None and out.side in unfinished:
        out = None
    hand = Hand(
        sides=_gather_entries(typed_sides, groups),
        out=out,
        single=side_chosen(draft, SINGLE, rules) if has_temporary_pairs(rules) else None,
    )
    return TypedHand(
        draft=draft,
        rules=rules,
        typed_sides=tuple(typed_sides),
        groups=groups,
        writers=writers,
        hand=hand,
        problems=tuple(_gather_problems(typed_sides, hand, draft, rules)),
        unfinished=frozenset(unfinished),
        is_single_missing=is_single_missing,
    )


def _gather_problems(
    typed_sides: Sequence[TypedSide], hand: Hand, draft: Draft, rules: Ruleset
) -> list[DraftProblem]:
    """Everything that is unreadable or missing in a draft: in the fields of each side, then in those
    of the whole hand.
    """
    problems: list[DraftProblem] = []
    for side in typed_sides:
        problems += side.problems
    if _is_single_missing(typed_sides, draft, rules):
        problems.append(DraftProblem(SINGLE, "single-missing", missing=True))
    sides_showing = _sides_showing_special_hands(typed_sides)
    if sides_showing:
        problems += _problems_of_special_hands(sides_showing, draft)
    else:
        problems += _problems_of_going_out(typed_sides, draft, rules)
    for side in typed_sides:
        problems += _missing_held_cards(side.column, draft, hand.out)
    problems += _problems_of_remarks(draft)
    return problems


def _owner_of_melds(
    column: SideColumn, draft: Draft, rules: Ruleset, language: Language, writers: Positions
) -> int | None:
    """The side to which the melds typed in this column belong; None if the melds of this side are
    typed in another column.

    Of two sides that lay together the melds belong to the one that went out, if what may be laid
    depends on going out: there are black threes, the hand was concealed, or nothing was laid.
    """
    if writers[column.position] != column.position:
        return None
    side_out = side_chosen(draft, OUT, rules)
    if side_out is None or writers[side_out] != column.position:
        return column.position

    melds_text = column.texts.get("melds", "")
    melds = column.fields["melds"].read_text(melds_text, language).value
    has_black_threes = any(meld.reading.cards.of(Kind.BLACK_THREE) for meld in melds)
    if CONCEALED in draft or not melds or has_black_threes:
        return side_out
    return column.position


def _gather_entries(
    typed_sides: Sequence[TypedSide], groups: tuple[Positions, ...]
) -> tuple[SideEntry, ...]:
    """The entries of the sides, each with the laid cards that belong to it."""
    entries = [side.entry for side in typed_sides]
    for side in typed_sides:
        laid = side.laid
        if laid is not None:
            owner = entries[laid.owner]
            entries[laid.owner] = replace(owner, melds=laid.melds, totals=laid.totals)

    for group in groups:
        if _is_laid_unreadable([typed_sides[position] for position in group]):
            # Without its melds a side seems to have laid nothing, and its red threes (bonus cards)
            # would count against it.
            for position in group:
                entries[position] = replace(entries[position], red_threes=0, opening=None)
    for position in _sides_showing_special_hands(typed_sides)[1:]:
        entries[position] = replace(entries[position], special=None)  # only one side can show one
    return tuple(entries)


def _is_laid_unreadable(sides_of_group: Sequence[TypedSide]) -> bool:
    """Whether it is not known what the sides that lay together laid, because of a problem."""
    has_problems = any(side.problems for side in sides_of_group)
    is_known = any(side.laid is not None for side in sides_of_group)
    return has_problems and not is_known


def _sides_with_problems(
    typed_sides: Sequence[TypedSide], groups: tuple[Positions, ...]
) -> set[int]:
    """The sides whose points depend on an unreadable or missing value: all who lay together with a
    side that has one.
    """
    positions: set[int] = set()
    for side in typed_sides:
        if side.problems:
            positions.update(groups[side.column.position])
    return positions


def _sides_showing_special_hands(typed_sides: Sequence[TypedSide]) -> list[int]:
    """The sides that show a special hand (one that is not laid on the table as melds)."""
    return [side.column.position for side in typed_sides if "special" in side.column.texts]


def _are_all_summed(typed_sides: Sequence[TypedSide]) -> bool:
    """Whether all sides are counted by an agreed sum."""
    return all(side.column.replacement == "sum" for side in typed_sides)


# -------------------------------------------------------------------------------- what is missing


def _is_single_missing(typed_sides: Sequence[TypedSide], draft: Draft, rules: Ruleset) -> bool:
    """Whether it is still to be said which side plays alone, the one that took the pile first.

    Agreed sums alone do not need that.
    """
    if not has_temporary_pairs(rules) or _are_all_summed(typed_sides):
        return False
    is_answered = side_chosen(draft, SINGLE, rules) is not None or draft.get(SINGLE) == NOBODY
    return not is_answered


def _problems_of_remarks(draft: Draft) -> Iterator[DraftProblem]:
    """Report a remark, or a reason of the table for agreeing, that is too long."""
    for name in (REMARK, AGREED):
        if len(draft.get(name, "").strip()) > LONGEST_REMARK:
            yield DraftProblem(name, "long", limit=LONGEST_REMARK)


def _missing_held_cards(
    column: SideColumn, draft: Draft, out: Out | None
) -> Iterator[DraftProblem]:
    """Report the first blank field for held cards: a player without cards types 0, except the one
    who went out. `out` is None if that is not known.
    """
    if column.replacement:
        return
    blank_fields = [name for name in column.held_fields if name not in column.texts]
    if out is None:
        went_out = _typed_side_out(draft) == column.side
    else:
        went_out = out.side == column.position
    if went_out:
        player_out = None if out is None else out.player
        blank_fields = _without_field_of_player_out(blank_fields, column, player_out)
    if blank_fields:
        key = field_key(column.side, blank_fields[0])
        yield DraftProblem(key, "left-missing", missing=True)


def _without_field_of_player_out(
    blank_fields: list[str], column: SideColumn, player_out: int | None
) -> list[str]:
    """The blank fields of the side that went out, without that of the player who did.

    If it is not known who did, that is any one of them.
    """
    if not column.is_held_by_player:
        # A field for several players has the cards of the others.
        return [] if column.has_one_player else blank_fields
    field_of_player_out = f"left.{player_out}"
    if field_of_player_out in blank_fields:
        return [name for name in blank_fields if name != field_of_player_out]
    return blank_fields[1:]


# ---------------------------------------------------------------------------------------- going out


def _typed_side_out(draft: Draft) -> str:
    """The side that is typed as going out: `a` for `a`, and for `a.1`, one of its players.

    Empty if nothing is typed; any other text is returned as it was sent.
    """
    side, _, _ = draft.get(OUT, "").partition(".")
    return side


def _problems_of_special_hands(
    sides_showing: Sequence[int], draft: Draft
) -> Iterator[DraftProblem]:
    """Report a second special hand, and one beside another side that went out: the side that shows
    such a hand goes out with it.
    """
    if len(sides_showing) > 1:
        yield DraftProblem(field_key(SIDE_KEYS[sides_showing[1]], "special"), "special-twice")
        return
    position = sides_showing[0]
    if _typed_side_out(draft) not in ("", SIDE_KEYS[position]):
        yield DraftProblem(OUT, "special-out", side=position)


def _problems_of_going_out(
    typed_sides: Sequence[TypedSide], draft: Draft, rules: Ruleset
) -> Iterator[DraftProblem]:
    """Report that nobody was chosen as going out, and details about it that contradict the rest."""
    details = [name for name in (CONCEALED, DISCARD, DISCARD_NONE) if draft.get(name, "").strip()]
    if draft.get(OUT) == NOBODY:
        for name in details:
            yield DraftProblem(name, f"{name.replace('_', '-')}-nobody")
        return
    if DISCARD in details and DISCARD_NONE in details:
        yield DraftProblem(DISCARD_NONE, "discard-both")

    # Agreed sums alone do not need who went out.
    may_be_blank = not _typed_side_out(draft) and _are_all_summed(typed_sides)
    if side_chosen(draft, OUT, rules) is None and not may_be_blank:
        yield DraftProblem(OUT, "out-missing", missing=True)


def _read_out(draft: Draft, rules: Ruleset) -> Out | None:
    """Read who went out and how; None if nobody did, or nobody is chosen."""
    side = side_chosen(draft, OUT, rules)
    if side is None:
        return None
    _, _, player_text = draft.get(OUT, "").partition(".")
    player = None
    for index in range(rules.settings.players_of(side)):
        if player_text == str(index):
            player = index
    return Out(
        side,
        concealed=CONCEALED in draft,
        discard=_read_last_discard(draft),
        player=player,
    )


def _read_last_discard(draft: Draft) -> Reading | None:
    """Read the last card discarded: `NOTHING` for none, None if that is not noted."""
    text = draft.get(DISCARD, "").strip()
    if text:
        return read_cards(text)
    if DISCARD_NONE in draft:
        return NOTHING
    return None

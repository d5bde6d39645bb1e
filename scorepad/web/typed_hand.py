"""A hand read from the fields of the form."""

from __future__ import annotations

from collections.abc import Iterator
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
    CardsReplacement,
    field_key,
    held_cards_field,
)
from scorepad.web.shared_melds import (
    Positions,
    find_meld_columns,
    find_meld_groups,
    has_temporary_pairs,
    is_single_answered,
    side_chosen,
)
from scorepad.web.side_column import SideColumn, build_columns
from scorepad.web.side_reader import (
    DraftProblem,
    LaidOnTable,
    ProblemReason,
    TypedSide,
    read_side,
)

_PROBLEMS_BESIDE_NOBODY = {
    CONCEALED: ProblemReason.CONCEALED_NOBODY,
    DISCARD: ProblemReason.DISCARD_NOBODY,
    DISCARD_NONE: ProblemReason.NO_DISCARD_NOBODY,
}
"""What is wrong with the details of going out if it is typed that nobody did."""


@dataclass(frozen=True, slots=True)
class TypedHand:
    """What a draft (the texts typed in the form) says: the hand as far as it is readable, and what
    is unreadable or missing.

    By side: `typed_sides`; `groups`, the sides that lay their melds together; `meld_columns`, the
    side in whose column of the form the melds are typed. The points of the sides in `unfinished`
    are not known yet. `is_single_missing`: it is still to be said who plays alone, so the groups are
    not known either.
    """

    draft: Draft
    rules: Ruleset
    typed_sides: tuple[TypedSide, ...]
    groups: tuple[Positions, ...]
    meld_columns: Positions
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
        """Put together the hand and the texts typed beside it, as they are sent to be counted.

        `draft` are the texts of the form that are stored with the hand; `reason` says why a past
        hand is corrected or contested, and is empty for a new one.
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
        """The key of the form's field in which a part of the hand is typed; None if it has no field.

        `where` is the path to the part: `("sides", 0, "left")`, what the first side holds, is typed
        in the field `a.left`.
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
        """The key of the form's field in which a part of one side's data is typed.

        `inside` is the path to the part. For the first side, whose fields begin with `a`:

        - `("red_threes",)`, its red threes, is typed in `a.red_threes`;
        - `("melds", 2)`, the third of its melds (sets of cards on the table), in `a.melds`, or in
          `b.melds` if the second side lays together with it and types the melds of both;
        - a part without a field of its own belongs to the field of the melds too.
        """
        side = self.typed_sides[position]
        side_typing_melds = self.typed_sides[self.meld_columns[position]]
        is_laid_on_table = bool(inside) and inside[0] in ("melds", "totals")
        if is_laid_on_table:
            return side_typing_melds.key_of_laid(inside)

        field_name = side.field_name_at(inside)
        if field_name is None:
            return side_typing_melds.column.main_key
        return field_key(side.column.side, field_name)


# ------------------------------------------------------------------------------------ reading a draft


def read_draft(draft: Draft, rules: Ruleset, language: Language) -> TypedHand:
    """Read a draft, the texts typed in the form: the hand that they say, and what is wrong with them.

    The draft may have any content. Numbers are read as people write them in this language. Each side
    has a column of fields in the form; two sides that lay their melds (sets of cards) together type
    these in the column of one of them.
    """
    groups = find_meld_groups(draft, rules)
    meld_columns = find_meld_columns(draft, rules, groups)
    typed_sides = _read_sides(draft, rules, language, meld_columns=meld_columns)
    sides = _SidesOfDraft(draft, rules, typed_sides, groups)
    unfinished = sides.find_unfinished_sides()
    hand = sides.put_hand_together(unfinished)
    return TypedHand(
        draft=draft,
        rules=rules,
        typed_sides=typed_sides,
        groups=groups,
        meld_columns=meld_columns,
        hand=hand,
        problems=tuple(sides.find_problems(hand.out)),
        unfinished=unfinished,
        is_single_missing=sides.is_single_missing,
    )


def _read_sides(
    draft: Draft, rules: Ruleset, language: Language, *, meld_columns: Positions
) -> tuple[TypedSide, ...]:
    """Read the fields of each side, in its column of the form.

    `meld_columns` has for each side the side in whose column its melds (sets of cards) are typed.
    """
    meld_owners = _MeldOwners(
        meld_columns,
        side_out=side_chosen(draft, OUT, rules),
        is_concealed=CONCEALED in draft,
        language=language,
    )
    typed_sides = []
    for column in build_columns(draft, rules):
        owner_of_melds = meld_owners.find_owner(column)
        typed_sides.append(read_side(column, rules, language, owner_of_melds))
    return tuple(typed_sides)


@dataclass(frozen=True, slots=True)
class _MeldOwners:
    """Tells which side laid the melds (sets of cards on the table) typed in a column of the form.

    Each side has a column, but two sides that lay together type all their melds in one of them:
    `meld_columns` has for each side the side in whose column its melds are. `side_out` is the side
    that went out (played its last card), None if that is not known. `is_concealed`: it laid all its
    melds in that turn.
    """

    meld_columns: Positions
    side_out: int | None
    is_concealed: bool
    language: Language

    def find_owner(self, column: SideColumn) -> int | None:
        """The side that laid the melds (sets of cards) in a column; None if they are in another one.

        It is the side of the column, unless its partner laid them as it went out.
        """
        position = column.position
        is_in_column_of_partner = self.meld_columns[position] != position
        if is_in_column_of_partner:
            return None
        partner_out = self._partner_out(position)
        if partner_out is not None and self._are_of_side_out(column):
            return partner_out
        return position

    def _partner_out(self, position: int) -> int | None:
        """The partner of a side, if it went out and its melds are in the column of this side.

        None otherwise.
        """
        if self.side_out is None or self.side_out == position:
            return None
        if self.meld_columns[self.side_out] != position:
            return None
        return self.side_out

    def _are_of_side_out(self, column: SideColumn) -> bool:
        """Whether the melds (sets of cards) in a column are those of the side that went out.

        They are if the rules allow them only to that side, or if no cards are typed, so that
        nothing says who laid what.
        """
        if self.is_concealed:
            return True  # all of them were laid in the turn in which it went out
        melds_text = column.texts.get("melds", "")
        melds = column.fields["melds"].read_text(melds_text, self.language).value
        if not melds:
            return True
        # Black threes are laid only by the side that goes out.
        return any(meld.reading.cards.of(Kind.BLACK_THREE) for meld in melds)


@dataclass(frozen=True, slots=True)
class _SidesOfDraft:
    """The sides of a draft, each of them read by itself; here they are put together to a hand.

    `groups` are, for each side, the sides that lay their melds together with it.
    """

    draft: Draft
    rules: Ruleset
    typed_sides: tuple[TypedSide, ...]
    groups: tuple[Positions, ...]

    @property
    def side_out(self) -> int | None:
        """The side that is typed as going out; None if there is none."""
        return side_chosen(self.draft, OUT, self.rules)

    @property
    def special_sides(self) -> list[int]:
        """The sides that show a special hand: one that counts as a whole, instead of being laid on
        the table in sets of cards.
        """
        positions = []
        for side in self.typed_sides:
            if "special" in side.column.texts:
                positions.append(side.column.position)
        return positions

    @property
    def are_all_summed(self) -> bool:
        """Whether all sides are counted by an agreed sum."""
        return all(side.column.replacement is CardsReplacement.SUM for side in self.typed_sides)

    @property
    def is_single_missing(self) -> bool:
        """Whether the form still lacks the answer which side plays alone against the other two.

        Only some games ask that, and not if the points of all sides were agreed.
        """
        is_question_asked = has_temporary_pairs(self.rules)
        if not is_question_asked or self.are_all_summed:
            return False
        return not is_single_answered(self.draft, self.rules)

    @property
    def is_out_missing(self) -> bool:
        """Whether the form still lacks the answer which side went out (played its last card).

        The answer may be that nobody did. It may stay blank if the points of all sides were agreed.
        """
        is_answered = self.side_out is not None or self.draft.get(OUT) == NOBODY
        if is_answered:
            return False
        is_blank = _typed_side_out(self.draft) == ""
        if is_blank:
            return not self.are_all_summed
        return True  # the text names no side of this match

    def find_unfinished_sides(self) -> frozenset[int]:
        """The sides whose points cannot be counted yet, as something is missing or wrong."""
        if self.is_single_missing:
            # All points depend on who lays together.
            return frozenset(range(len(self.typed_sides)))
        unfinished: set[int] = set()
        for side in self.typed_sides:
            if side.problems:
                # Those who lay together with this side have points for the same melds.
                unfinished.update(self.groups[side.column.position])
        if len(self.special_sides) > 1:
            # Only one of them can have done so, and it is not known which.
            unfinished.update(self.special_sides)
        return frozenset(unfinished)

    def put_hand_together(self, unfinished: frozenset[int]) -> Hand:
        """The hand that the form says, with what can be counted of it.

        `unfinished` are the sides whose points cannot be counted yet.
        """
        side_alone = None
        if has_temporary_pairs(self.rules):
            side_alone = side_chosen(self.draft, SINGLE, self.rules)
        return Hand(
            sides=tuple(self._build_entry(position) for position in range(len(self.typed_sides))),
            out=self._read_who_went_out(unfinished),
            single=side_alone,
        )

    def _read_who_went_out(self, unfinished: frozenset[int]) -> Out | None:
        """Who went out (played the last card, which ends the hand), and how, for counting the points.

        None if nobody did. Also None if the side that did is `unfinished`, which means that its points
        are not known yet: whether it may go out cannot be checked before its cards are known.
        """
        if self.special_sides:
            return Out(self.special_sides[0])  # showing a special hand is going out
        out = _read_out(self.draft, self.rules)
        if out is None or out.side in unfinished:
            return None
        return out

    # ------------------------------------------------------------------------------------- entries

    def _build_entry(self, position: int) -> SideEntry:
        """The data of one side from which its points are counted.

        They are what is typed in its own fields, and the cards that it laid on the table, which may be
        typed in those of its partner. What cannot be counted yet is left out.
        """
        entry = self._entry_with_laid_cards(position)
        if self._are_laid_cards_unknown(position):
            entry = _without_what_needs_laid_cards(entry)
        if position in self.special_sides[1:]:
            # Only one side can show a special hand. A second one is a problem, and not counted.
            entry = replace(entry, special=None)
        return entry

    def _entry_with_laid_cards(self, position: int) -> SideEntry:
        """What is typed in the fields of a side, and the cards that it laid on the table."""
        entry = self.typed_sides[position].entry
        laid_cards = self._find_laid_of(position)
        if laid_cards is None:
            return entry
        return replace(entry, melds=laid_cards.melds, totals=laid_cards.totals)

    def _find_laid_of(self, position: int) -> LaidOnTable | None:
        """The cards on the table that belong to a side, in whichever column of the form they are
        typed; None if none are, or they cannot be read.
        """
        for side in self.typed_sides:
            if side.laid is not None and side.laid.owner == position:
                return side.laid
        return None

    def _are_laid_cards_unknown(self, position: int) -> bool:
        """Whether it is unknown what a side laid on the table, as something is missing or unreadable.

        The sides that lay together are a group, and one of them types what they laid. Where no side of a
        group has laid cards, they are unknown only if something is wrong in its fields. Otherwise the
        group is counted without its cards, by an agreed sum for example.
        """
        sides_of_group = [self.typed_sides[member] for member in self.groups[position]]
        has_laid_cards = any(side.laid is not None for side in sides_of_group)
        has_problems = any(side.problems for side in sides_of_group)
        return has_problems and not has_laid_cards

    # ------------------------------------------------------------------------------------ problems

    def find_problems(self, out: Out | None) -> list[DraftProblem]:
        """Everything that is unreadable or missing in what was typed, in the order of the page.

        `out` is who went out (played the last card of the hand), as far as it is known.
        """
        problems: list[DraftProblem] = []
        for side in self.typed_sides:
            problems += side.problems
        if self.is_single_missing:
            problems.append(DraftProblem(SINGLE, ProblemReason.SINGLE_MISSING, missing=True))
        if self.special_sides:  # a side that shows a special hand goes out with it
            problems += self._problems_of_special_hands()
        else:
            problems += self._problems_of_going_out()
        for side in self.typed_sides:
            problems += self._problems_of_held_cards(side.column, out)
        problems += _problems_of_remarks(self.draft)
        return problems

    def _problems_of_special_hands(self) -> Iterator[DraftProblem]:
        """Report what contradicts that a side showed a special hand, which ends the hand at once.

        At least one side must be typed as showing one. It is a contradiction if a second side shows one
        too, or if another side is typed as having ended the hand.
        """
        first_side, *other_sides = self.special_sides
        if other_sides:
            second_side = SIDE_KEYS[other_sides[0]]
            yield DraftProblem(field_key(second_side, "special"), ProblemReason.SPECIAL_TWICE)
            return
        typed_side_out = _typed_side_out(self.draft)
        if typed_side_out not in ("", SIDE_KEYS[first_side]):
            yield DraftProblem(OUT, ProblemReason.SPECIAL_OUT, side=first_side)

    def _problems_of_going_out(self) -> Iterator[DraftProblem]:
        """Report what is wrong with the answer who went out, that is played the last card of the hand.

        Details of it, such as which card was discarded last, may contradict it or each other.
        """
        if self.draft.get(OUT) == NOBODY:
            for name, reason in _PROBLEMS_BESIDE_NOBODY.items():
                if self._is_filled_in(name):
                    yield DraftProblem(name, reason)
            return
        if self._is_filled_in(DISCARD) and self._is_filled_in(DISCARD_NONE):
            yield DraftProblem(DISCARD_NONE, ProblemReason.DISCARD_BOTH)
        if self.is_out_missing:
            yield DraftProblem(OUT, ProblemReason.OUT_MISSING, missing=True)

    def _is_filled_in(self, key: str) -> bool:
        """Whether something is typed in the field with this key, or it is ticked."""
        return self.draft.get(key, "").strip() != ""

    def _problems_of_held_cards(
        self, column: SideColumn, out: Out | None
    ) -> Iterator[DraftProblem]:
        """Report that it is not typed which cards the players of a side still hold at the end.

        A player who holds none types 0, except the one who went out (played the last card). Only the
        first blank field is reported. `out` is who went out, as far as it is known.
        """
        is_counted_without_cards = column.replacement is not CardsReplacement.NONE
        if is_counted_without_cards:
            return
        blank_fields = [name for name in column.held_fields if name not in column.texts]
        if self._has_gone_out(column.position, out):
            player_out = None if out is None else out.player
            blank_fields = _without_player_out(blank_fields, column, player_out)
        if blank_fields:
            key = field_key(column.side, blank_fields[0])
            yield DraftProblem(key, ProblemReason.HELD_MISSING, missing=True)

    def _has_gone_out(self, position: int, out: Out | None) -> bool:
        """Whether a side went out (played its last card, which ends the hand).

        `out` is who did, None if it is not known yet: then what is typed is taken.
        """
        if out is not None:
            return out.side == position
        return self.side_out == position


def _problems_of_remarks(draft: Draft) -> Iterator[DraftProblem]:
    """Report if the remark is too long, or the reason why the table counts a hand by agreement."""
    for name in (REMARK, AGREED):
        if len(draft.get(name, "").strip()) > LONGEST_REMARK:
            yield DraftProblem(name, ProblemReason.TOO_LONG, limit=LONGEST_REMARK)


def _without_what_needs_laid_cards(entry: SideEntry) -> SideEntry:
    """A copy of a side's data without what would be counted wrongly if it had laid no cards.

    Its red threes would count against it, and its opening (what it laid first) would contradict that
    it laid nothing.
    """
    return replace(entry, red_threes=0, opening=None)


def _without_player_out(
    blank_fields: list[str], column: SideColumn, player_out: int | None
) -> list[str]:
    """The blank fields for cards still held that must be filled in by a side that went out.

    The player who played the last card holds none, so that player's field may stay blank:
    `["left.0", "left.1"]` and player 1 → `["left.0"]`. `player_out` is None if only the side is
    known.
    """
    if column.has_one_player:
        return []
    if not column.is_held_by_player:
        # The only field has the cards of all players: the others may still hold some.
        return blank_fields
    if player_out is not None:
        field_of_player_out = held_cards_field(player_out)
        if field_of_player_out in blank_fields:
            return [name for name in blank_fields if name != field_of_player_out]
    # Any one of them may be the blank field of the player who went out.
    return blank_fields[1:]


# ---------------------------------------------------------------------------------------- going out


def _typed_side_out(draft: Draft) -> str:
    """The side that is typed as having gone out, that is played its last card.

    It is `a` if the form says `a`, or `a.1`, the second player of that side. Empty if nothing is
    typed; another text, such as `nobody`, is returned as it is.
    """
    side, _, _ = draft.get(OUT, "").partition(".")
    return side


def _read_out(draft: Draft, rules: Ruleset) -> Out | None:
    """Read who went out (played the last card of the hand), and how; None if no side is typed."""
    side = side_chosen(draft, OUT, rules)
    if side is None:
        return None
    return Out(
        side,
        concealed=CONCEALED in draft,  # it is a box: the draft has it only if it is ticked
        discard=_read_last_discard(draft),
        player=_read_player_out(draft, number_of_players=rules.settings.players_of(side)),
    )


def _read_player_out(draft: Draft, number_of_players: int) -> int | None:
    """Read which player of a side went out: 1 for the text `a.1`, the second player of side `a`.

    None if only the side is typed, as `a`, or if the side has no such player.
    """
    _, _, player_text = draft.get(OUT, "").partition(".")
    texts_of_players = [str(player) for player in range(number_of_players)]
    if player_text not in texts_of_players:
        return None
    return texts_of_players.index(player_text)


def _read_last_discard(draft: Draft) -> Reading | None:
    """Read the card that was thrown away at the end of the hand.

    `NOTHING`, a reading without cards, if it is ticked that there was none; None if nothing is typed.
    """
    text = draft.get(DISCARD, "").strip()
    if text:
        return read_cards(text)
    if DISCARD_NONE in draft:
        return NOTHING
    return None

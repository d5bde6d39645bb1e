"""A hand read from the fields of the form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorepad.i18n import Language
from scorepad.matches.hands import Draft, SentHand
from scorepad.matches.names import has_visible_text
from scorepad.rules.cards import NOTHING, Kind, Reading, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Hand, MeldEntry, Out, SideEntry
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
    MeldSharing,
    has_temporary_pairs,
    is_single_answered,
    read_meld_sharing,
    side_chosen,
)
from scorepad.web.side_column import SideColumn, build_columns
from scorepad.web.typed_side import (
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

    The points of the sides in `unfinished` are not known yet. `is_single_missing`: it is still to be
    said who plays alone, so it is not known either which sides lay their melds together.
    """

    draft: Draft
    rules: Ruleset
    typed_sides: tuple[TypedSide, ...]
    sharing: MeldSharing
    hand: Hand
    problems: tuple[DraftProblem, ...]
    unfinished: frozenset[int]
    is_single_missing: bool

    @property
    def columns(self) -> tuple[SideColumn, ...]:
        """The fields of each side with their texts."""
        return tuple(side.column for side in self.typed_sides)

    def typed_in(self, key: str) -> str:
        """Return the text of the field with this key; empty if nothing is typed."""
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
        """Tell whether the players count this round although it breaks a rule.

        They say so by typing in the form why they agreed on it.
        """
        return has_visible_text(self.typed_in(AGREED))

    def key_at(self, where: Pointer) -> str | None:
        """Find the field of the form in which a part of the hand is typed, to show an error there.

        A hand is one round of the game. `where` is the path to the part in its data:

        - `("out", "discard")`, the card discarded last → `discard`
        - `("sides", 0, "left")`, what the first side still has → `a.left`
        - `("rules",)`, which has no field → None
        """
        match where:
            case ("single", *_):
                return SINGLE
            case ("out", "discard", *_):
                return DISCARD
            case ("out", *_):
                return OUT
            case ("sides", int(position), *path_in_side):
                return self._find_key_in_side(position, tuple(path_in_side))
        return None

    def _find_key_in_side(self, position: int, path_in_side: Pointer) -> str:
        """Find the field of the form in which a part of one side's data is typed.

        Two sides that play together type their melds (groups of cards laid on the table) in the
        column of one of them. A part without a field of its own is shown there too.
        """
        side = self.typed_sides[position]
        side_with_melds = self.typed_sides[self.sharing.columns[position]]
        main_key = side_with_melds.column.main_key

        if path_in_side[:1] == ("melds",):
            return main_key
        if path_in_side[:1] == ("totals",):
            return side_with_melds.key_of_total(path_in_side[1:])
        field_name = side.field_name_at(path_in_side)
        if field_name is None:
            return main_key
        return field_key(side.column.side, field_name)


# ------------------------------------------------------------------------------------ reading a draft


def read_draft(draft: Draft, rules: Ruleset, language: Language) -> TypedHand:
    """Read the texts typed in the form of a hand (one round): the hand itself, and all errors.

    `draft` has the texts by key, such as `{"a.cards": "150"}`, and may hold any nonsense. Numbers
    are read as people write them in this language.
    """
    sharing = read_meld_sharing(draft, rules)
    typed_sides = _read_sides(draft, rules, language, sharing)

    # The sides were read one by one. Now they make a hand, as far as they are readable.
    sides = _SidesOfDraft(draft, rules, typed_sides, sharing)
    unfinished = sides.find_unfinished_sides()
    hand = sides.put_hand_together(unfinished)
    return TypedHand(
        draft=draft,
        rules=rules,
        typed_sides=typed_sides,
        sharing=sharing,
        hand=hand,
        problems=tuple(sides.find_problems(hand.out)),
        unfinished=unfinished,
        is_single_missing=sides.is_single_missing,
    )


def _read_sides(
    draft: Draft, rules: Ruleset, language: Language, sharing: MeldSharing
) -> tuple[TypedSide, ...]:
    """Read the fields of each side, in its column of the form.

    Two sides that play together type their melds (groups of cards laid on the table) in the column
    of one of them. They belong to that side, unless only the other one can have laid them.
    """
    side_out = side_chosen(draft, OUT, rules)
    is_concealed = CONCEALED in draft  # the box "concealed" is ticked
    typed_sides = []
    for column in build_columns(draft, rules):
        position = column.position
        is_finisher_typed_here = side_out is not None and sharing.are_typed_with(side_out, position)
        owner_of_melds: int | None = position
        if sharing.are_typed_elsewhere(position):
            owner_of_melds = None  # no melds are typed in this column
        elif is_finisher_typed_here and (
            is_concealed or _may_only_finisher_have_laid(column, language)
        ):
            owner_of_melds = side_out  # the partner, which ended the round
        typed_sides.append(read_side(column, rules, language, owner_of_melds))
    return tuple(typed_sides)


def _may_only_finisher_have_laid(column: SideColumn, language: Language) -> bool:
    """Tell whether the melds in a column can only be from the side that ended the round.

    A meld is a group of cards on the table. Black threes may be laid only as the last play of a
    round. Where no melds are typed, nothing says that another side laid any.
    """
    text = column.texts.get("melds", "")
    melds: tuple[MeldEntry, ...] = column.fields["melds"].read_text(text, language).value
    if not melds:
        return True
    return any(meld.reading.cards.of(Kind.BLACK_THREE) > 0 for meld in melds)


@dataclass(frozen=True, slots=True)
class _SidesOfDraft:
    """The sides of a draft, each of them read by itself; here they are put together to a hand."""

    draft: Draft
    rules: Ruleset
    typed_sides: tuple[TypedSide, ...]
    sharing: MeldSharing

    @property
    def side_out(self) -> int | None:
        """Return the side that played its last card, as typed in the form; None if none is typed."""
        return side_chosen(self.draft, OUT, self.rules)

    @property
    def special_sides(self) -> list[int]:
        """List the sides that are typed as having shown a special hand.

        A special hand is a set of cards that scores as a whole and ends the round at once. Nothing
        is laid on the table. Only one side can show one, but the form may say so of more.
        """
        positions = []
        for side in self.typed_sides:
            if "special" in side.column.texts:
                positions.append(side.column.position)
        return positions

    @property
    def are_all_summed(self) -> bool:
        """Tell whether the players agreed on the points of every side, instead of counting cards."""
        return all(side.column.replacement is CardsReplacement.SUM for side in self.typed_sides)

    @property
    def is_single_missing(self) -> bool:
        """Tell whether the form must still say which side plays alone against the other two.

        Only some games for three have such a side. If the players agreed on all points, the answer
        would change nothing and may be left out.
        """
        if not has_temporary_pairs(self.rules):
            return False
        if self.are_all_summed:
            return False
        return not is_single_answered(self.draft, self.rules)

    @property
    def is_out_missing(self) -> bool:
        """Tell whether the form must still say which side played its last card.

        A text that names no side of this match is no answer. If the players agreed on the points
        of all sides, the question may stay blank, since the answer would change no points.
        """
        is_answered = self.side_out is not None or self.draft.get(OUT) == NOBODY
        if is_answered:
            return False
        is_blank = _read_side_text(self.draft) == ""
        may_stay_blank = is_blank and self.are_all_summed
        return not may_stay_blank

    def find_unfinished_sides(self) -> frozenset[int]:
        """Find the sides whose points cannot be counted yet, as something is missing or wrong.

        If side 1 has an error and lays its cards together with side 2 → both, `{1, 2}`.
        """
        if self.is_single_missing:
            # Who plays with whom is not known, and all points depend on it.
            return frozenset(range(len(self.typed_sides)))

        unfinished: set[int] = set()
        for side in self.typed_sides:
            if side.problems:
                # Sides that lay together get points for the same cards.
                unfinished.update(self.sharing.groups[side.column.position])
        if len(self.special_sides) > 1:
            # Only one side can have shown a special hand, and it is not known which.
            unfinished.update(self.special_sides)
        return frozenset(unfinished)

    def put_hand_together(self, unfinished: frozenset[int]) -> Hand:
        """Build the hand (one round of the game) from what is typed for each side.

        It has what can be counted. `unfinished` are the sides whose points cannot be counted yet.
        """
        entries = [self._build_entry(side) for side in self.typed_sides]

        side_alone = None
        if has_temporary_pairs(self.rules):  # one side plays alone against the other two
            side_alone = side_chosen(self.draft, SINGLE, self.rules)

        return Hand(
            sides=tuple(entries),
            out=self._read_who_went_out(unfinished),
            single=side_alone,
        )

    def _read_who_went_out(self, unfinished: frozenset[int]) -> Out | None:
        """Read who ended the round by playing the last card, and how.

        None if nobody did, or if the points of that side cannot be counted yet (it is in
        `unfinished`).
        """
        if self.special_sides:
            # Showing a special hand ends the round too. A second such side is reported elsewhere.
            return Out(self.special_sides[0])

        out = _read_out(self.draft, self.rules)
        if out is None:
            return None
        if out.side in unfinished:
            return None  # its cards are not known, so nobody can check whether it was allowed
        return out

    # ------------------------------------------------------------------------------------- entries

    def _build_entry(self, side: TypedSide) -> SideEntry:
        """Build the data of one side from which its points are counted.

        What cannot be counted yet is left out, so that the page can show the points so far.
        """
        position = side.column.position
        entry = side.entry
        if self._are_laid_cards_unknown(position):
            # Without cards on the table, red threes would cost points, and an opening be an error.
            entry = replace(entry, red_threes=0, opening=None)
        if self._is_second_to_show_special_hand(position):
            entry = replace(entry, special=None)

        laid_cards = self._find_cards_laid_by(position)
        if laid_cards is None:
            return entry
        return replace(entry, melds=laid_cards.melds, totals=laid_cards.totals)

    def _is_second_to_show_special_hand(self, position: int) -> bool:
        """Tell whether a side shows a special hand, and a side before it does too.

        Only one can, since a special hand (a set of cards that scores as a whole) ends the round.
        """
        return position in self.special_sides and position != self.special_sides[0]

    def _find_cards_laid_by(self, position: int) -> LaidOnTable | None:
        """Find the cards that a side laid on the table; None if none are typed, or unreadable.

        They may be typed in the column of the side that it plays with.
        """
        for side in self.typed_sides:
            if side.laid is not None and side.laid.owner == position:
                return side.laid
        return None

    def _are_laid_cards_unknown(self, position: int) -> bool:
        """Tell whether it is unknown so far which cards a side laid on the table.

        - they are typed and readable, here or by the side that it plays with → False
        - they are missing or unreadable, which is reported as an error → True
        - they are not typed and need not be, as the players agreed on the points → False
        """
        sides_playing_together = [
            self.typed_sides[member] for member in self.sharing.groups[position]
        ]
        are_cards_typed = any(side.laid is not None for side in sides_playing_together)
        if are_cards_typed:
            return False
        is_error_reported = any(side.problems for side in sides_playing_together)
        return is_error_reported

    # ------------------------------------------------------------------------------------ problems

    def find_problems(self, out: Out | None) -> list[DraftProblem]:
        """List everything that is unreadable or missing in the form.

        `out` tells who ended the round by playing the last card; None if it is not known.
        """
        problems: list[DraftProblem] = []
        for side in self.typed_sides:
            problems += side.problems  # found when its fields were read

        if self.is_single_missing:
            problems.append(DraftProblem(SINGLE, ProblemReason.SINGLE_MISSING, missing=True))

        # A special hand ends the round by itself, so the usual questions about its end are moot.
        if self.special_sides:
            problems += self._check_special_hands()
        else:
            problems += self._check_who_went_out()

        for side in self.typed_sides:
            problems += self._check_cards_left(side.column, out)
        problems += _check_length_of_remarks(self.draft)
        return problems

    def _check_special_hands(self) -> Iterator[DraftProblem]:
        """Check that only one side showed a special hand, and that no other side ended the round.

        Call it only if at least one side is typed as having shown a special hand. Such a hand
        scores as a whole and ends the round at once.
        """
        first_side = self.special_sides[0]
        if len(self.special_sides) > 1:
            second_side = self.special_sides[1]
            key = field_key(SIDE_KEYS[second_side], "special")
            yield DraftProblem(key, ProblemReason.SPECIAL_TWICE)
            return

        side_that_ended_round = _read_side_text(self.draft)  # "a" for the first side
        if side_that_ended_round == "":
            return  # the answer may be left out: the special hand says it
        if side_that_ended_round != SIDE_KEYS[first_side]:
            yield DraftProblem(OUT, ProblemReason.SPECIAL_OUT, side=first_side)

    def _check_who_went_out(self) -> Iterator[DraftProblem]:
        """Check what is typed about the end of the round: who played the last card, and how.

        - "nobody" beside a last discard, or another field that says how somebody did → an error
        - both a last discard and "no discard" → an error
        - nothing typed → the answer is missing
        """
        if self.draft.get(OUT) == NOBODY:
            for field_of_how, reason in _PROBLEMS_BESIDE_NOBODY.items():
                if self._is_filled_in(field_of_how):
                    yield DraftProblem(field_of_how, reason)
            return

        if self._is_filled_in(DISCARD) and self._is_filled_in(DISCARD_NONE):
            yield DraftProblem(DISCARD_NONE, ProblemReason.DISCARD_BOTH)
        if self.is_out_missing:
            yield DraftProblem(OUT, ProblemReason.OUT_MISSING, missing=True)

    def _is_filled_in(self, key: str) -> bool:
        """Tell whether something is typed in the field with this key, or its box is ticked."""
        return self.draft.get(key, "").strip() != ""

    def _check_cards_left(self, column: SideColumn, out: Out | None) -> Iterator[DraftProblem]:
        """Check that the form says which cards the players of a side still have at the end.

        They cost points, so a player without cards types 0. Only the player who ended the round has
        none in any case, and may leave the field blank. The first other blank field is reported.
        """
        if column.replacement is not CardsReplacement.NONE:
            return  # points were agreed on, or a special hand was shown: no cards are typed

        blank_fields = [name for name in column.held_fields if name not in column.texts]
        has_field_of_finisher = column.has_one_player or column.has_cards_left_by_player
        if blank_fields and has_field_of_finisher and self._has_ended_round(column.position, out):
            player_out = None if out is None else out.player
            blank_fields.remove(_choose_field_of_finisher(blank_fields, player_out))
        if blank_fields:
            key = field_key(column.side, blank_fields[0])
            yield DraftProblem(key, ProblemReason.HELD_MISSING, missing=True)

    def _has_ended_round(self, position: int, out: Out | None) -> bool:
        """Tell whether a side ended the round by playing its last card.

        `out` has the answer, or None as long as the points of that side cannot be counted. Then the
        answer typed in the form is taken.
        """
        if out is not None:
            return out.side == position
        return self.side_out == position


def _check_length_of_remarks(draft: Draft) -> Iterator[DraftProblem]:
    """Check that the texts written by hand are not too long.

    They are the remark on the hand, and the reason to count it although it breaks a rule.
    """
    for name in (REMARK, AGREED):
        if len(draft.get(name, "").strip()) > LONGEST_REMARK:
            yield DraftProblem(name, ProblemReason.TOO_LONG, limit=LONGEST_REMARK)


def _choose_field_of_finisher(blank_fields: list[str], player_out: int | None) -> str:
    """Choose the blank field of the player who ended the round: `left.1` for player 1.

    If that player is not known, or has filled in the field, it may be any of the blank fields, and
    the first is taken.
    """
    if player_out is not None and held_cards_field(player_out) in blank_fields:
        return held_cards_field(player_out)
    return blank_fields[0]


# ---------------------------------------------------------------------------------------- going out


def _read_side_text(draft: Draft) -> str:
    """Read the text that says which side ended the round by playing its last card.

    - `a`, the first side → `a`
    - `a.1`, the second player of the first side → `a`
    - `nobody` → `nobody`
    - nothing typed → an empty text
    """
    side, _, _ = draft.get(OUT, "").partition(".")
    return side


def _read_out(draft: Draft, rules: Ruleset) -> Out | None:
    """Read who ended the round by playing the last card, and how; None if no side is typed.

    `{"out": "a.1", "discard": "4"}` → player 1 of side 0, who discarded a four last.
    """
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
    """Read which player of a side ended the round by playing the last card.

    - `a.1`, the second player of side `a` → 1
    - `a`, only the side → None
    - `a.7`, no such player → None
    """
    _, _, player_text = draft.get(OUT, "").partition(".")
    for player in range(number_of_players):
        if player_text == str(player):
            return player
    return None


def _read_last_discard(draft: Draft) -> Reading | None:
    """Read the card that was discarded last, at the end of the round.

    - the text `4` → a four
    - the box "no discard" is ticked → `NOTHING`, that is no card
    - nothing is typed → None, it is not known
    """
    text = draft.get(DISCARD, "").strip()
    if text:
        return read_cards(text)
    if DISCARD_NONE in draft:
        return NOTHING
    return None

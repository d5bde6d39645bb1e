"""Drafts of a hand compared by what they count, and those of two phones merged.

A draft is the texts typed in the form, by key of the field: `{"a.cards": "3x50", "out": "a"}`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest
from typing import NamedTuple

from scorepad.i18n import Language
from scorepad.matches.hands import Draft
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import MeldEntry
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web import field_texts as types
from scorepad.web.hand_fields import (
    HAND_KEYS,
    ROW_GROUPS,
    CardsReplacement,
    Field,
    counts_with_replacement,
    field_key,
    fields_of_side,
    group_of_key,
    side_of_key,
    typed_rows,
)

_GROUPS_WITH_ZERO = ("cards", "left", "sum", "melds")
"""Groups of fields in which a typed 0 differs from a blank field."""


@dataclass(frozen=True)
class DraftReader:
    """Reads drafts by the same rules and in the same language, so that they can be compared."""

    rules: Ruleset
    language: Language

    def read_values(self, draft: Draft) -> dict[str, object]:
        """Read what the texts typed in the form mean, so that two forms can be compared.

        `{"a.cards": "3x50", "a.left": "", "out": "a"}` → `{"a.cards": 150, "out": "a"}`: blank
        fields are left out. A text that cannot be read is its own value.
        """
        values: dict[str, object] = {}
        # Fields of the whole hand, such as `out`: answers like `nobody`, compared as typed.
        for key in HAND_KEYS:
            text = draft.get(key, "").strip()
            if text:
                values[key] = text

        # Fields of one side, such as `a.cards`: numbers and cards, compared by value.
        for field in self.fields_of(draft):
            text = draft.get(field.key, "").strip()
            if not text:
                continue
            value = self._read_value(field, text)
            if not self._means_blank(field, value):
                values[field.key] = value
        return values

    def _means_blank(self, field: Field, value: object) -> bool:
        """Tell whether a typed value means the same as a blank field.

        - 0 as the number of red threes (bonus cards) → True
        - 0 as the points of the cards → False: a blank field means that they are not counted yet
        """
        is_zero = not value
        return is_zero and field.group not in _GROUPS_WITH_ZERO

    def fields_of(self, draft: Draft) -> list[Field]:
        """List the fields of all sides, with the rows that the texts of this form need."""
        fields: list[Field] = []
        for position in range(len(self.rules.settings.sides)):
            fields += fields_of_side(self.rules, position, draft)
        return fields

    def _read_value(self, field: Field, text: str) -> object:
        """Read the text in a field as a value; texts that mean the same have equal values.

        - `3x50` and `150` → 150
        - melds (groups of cards) on two lines, in either order → equal lists
        - `abc`, which cannot be read as a number → the text itself
        """
        value = field.read_text(text, self.language).value
        is_unreadable = value is None
        if is_unreadable:
            return text
        if isinstance(field.text_type, types.MeldsText):
            return _sort_melds(value)
        return value


def _sort_melds(melds: Iterable[MeldEntry]) -> list[str]:
    """Sort melds (groups of cards) by their text, to compare them in whichever order they stand.

    The objects themselves have no order.
    """
    return sorted(repr(meld) for meld in melds)


def is_ignored(draft: Draft, key: str) -> bool:
    """Tell whether a field of the form does not count, because something else counts instead.

    - `a.melds` (cards of side `a`), with agreed points typed in `a.sum` → True
    - `a.melds`, with nothing in `a.sum` → False
    - `out`, a field that belongs to no side → False
    """
    if side_of_key(key) is None:
        return False
    side, _, _ = key.partition(".")
    replacement = _find_typed_replacement(draft, side)
    return not counts_with_replacement(group_of_key(key), replacement)


def _find_typed_replacement(draft: Draft, side: str) -> CardsReplacement:
    """Find what is typed for a side instead of its cards.

    It is an agreed sum of points, a special hand, or nothing (`NONE`). If both are typed, the
    agreed sum counts.
    """
    for replacement in (CardsReplacement.SUM, CardsReplacement.SPECIAL):
        is_typed = draft.get(field_key(side, replacement), "").strip() != ""
        if is_typed:
            return replacement
    return CardsReplacement.NONE


# ---------------------------------------------------------------------------------------- comparing


def count_the_same(one: Draft, other: Draft, reader: DraftReader) -> bool:
    """Tell whether two forms would give the same score: `3x50` and `150` do."""
    return _read_counted_values(one, reader) == _read_counted_values(other, reader)


class _PointsWithReason(NamedTuple):
    """A row of the form of a side: a penalty defined by the table, or points agreed at the table.

    A value is None if nothing is typed in its field.
    """

    side: str
    group: str
    points: object
    reason: object


class _CountedValues(NamedTuple):
    """What a draft counts: the values of single fields, by key, and how often each row occurs."""

    values: dict[str, object]
    rows: Counter[_PointsWithReason]


def _read_counted_values(draft: Draft, reader: DraftReader) -> _CountedValues:
    """Read the values of a form that count for the score, to compare two forms.

    - a field that does not count is left out: the cards of a side, if its points were agreed on
    - rows, such as a penalty with its reason, are only counted: they may stand in any order
    """
    counted_values = {}
    values_outside_rows = {}
    for key, value in reader.read_values(draft).items():
        if is_ignored(draft, key):
            continue
        counted_values[key] = value
        is_in_row = group_of_key(key) in ROW_GROUPS
        if not is_in_row:
            values_outside_rows[key] = value
    return _CountedValues(values_outside_rows, rows=_count_rows(draft, counted_values))


def _count_rows(draft: Draft, counted_values: Mapping[str, object]) -> Counter[_PointsWithReason]:
    """Count how often each row of the form occurs: points, with the reason for them.

    The fields `a.house.0.points` and `a.house.0.reason` are one row. By their counts, forms can be
    compared in whichever order the rows are typed.
    """
    rows: Counter[_PointsWithReason] = Counter()
    for side in SIDE_KEYS:
        for group in ROW_GROUPS:
            rows.update(_list_counted_rows(draft, counted_values, side=side, group=group))
    return rows


def _list_counted_rows(
    draft: Draft, counted_values: Mapping[str, object], *, side: str, group: str
) -> list[_PointsWithReason]:
    """List the rows of a side's form in a group such as `house`: points, with the reason for them.

    A row is left out if neither its points nor its reason count.
    """
    rows = []
    for number in typed_rows(draft, side, group):
        points = counted_values.get(field_key(side, f"{group}.{number}.points"))
        reason = counted_values.get(field_key(side, f"{group}.{number}.reason"))
        if points is not None or reason is not None:
            rows.append(_PointsWithReason(side, group, points, reason))
    return rows


class FieldDifference(NamedTuple):
    """A field whose value differs between the stored draft and the one typed here.

    `texts` are those of the stored draft and of mine. `field` is None for a field of the whole
    hand. `is_ignored`: one of the drafts has a text there that it does not count.
    """

    key: str
    field: Field | None
    texts: tuple[str, str]
    is_ignored: bool


def find_differences(
    stored: Draft, mine: Draft, reader: DraftReader, *, only_mine: bool = False
) -> list[FieldDifference]:
    """Find the fields in which the stored form and mine, typed on this phone, differ in meaning.

    `150` and `3x50` are no difference. Fields that do not count in one of the two forms, because
    points were agreed on instead, come last. With `only_mine`, fields blank in mine are left out.
    """
    stored_values = reader.read_values(stored)
    my_values = reader.read_values(mine)
    differences = []
    for key, field in _list_fields_to_compare(stored, mine, reader).items():
        my_value = my_values.get(key)
        if my_value == stored_values.get(key):
            continue
        if only_mine and not my_value:
            continue

        difference = FieldDifference(
            key,
            field,
            texts=(stored.get(key, "").strip(), mine.get(key, "").strip()),
            is_ignored=_has_ignored_text(stored, key) or _has_ignored_text(mine, key),
        )
        differences.append(difference)
    # The fields that do not count come last. All others stay in the order of the page.
    return sorted(differences, key=lambda difference: difference.is_ignored)


def _list_fields_to_compare(
    stored: Draft, mine: Draft, reader: DraftReader
) -> dict[str, Field | None]:
    """List all fields that two versions of a form can have, by key, in the order of the page.

    `{"a.cards": Field(…), …, "out": None}`: the fields of the sides come first. Those of the whole
    hand, such as `out`, have only a key.
    """
    fields: dict[str, Field | None] = {}
    for position in range(len(reader.rules.settings.sides)):
        for draft in (stored, mine):
            for field in fields_of_side(reader.rules, position, draft):
                fields[field.key] = field
    for key in HAND_KEYS:
        fields[key] = None
    return fields


def _has_ignored_text(draft: Draft, key: str) -> bool:
    """Tell whether something is typed in a field that does not count, as something else does."""
    is_typed = draft.get(key, "").strip() != ""
    return is_typed and is_ignored(draft, key)


# ------------------------------------------------------------------------------------------ merging


class _MergeOutcome(Enum):
    """What becomes of a value that two phones may have changed."""

    KEEP_MINE = "keep-mine"
    """Mine is kept: only I changed it, or both changed it in the same way."""
    KEEP_THEIRS = "keep-theirs"
    """Theirs is kept: I did not change it."""
    CONFLICT = "conflict"
    """Both changed it differently."""


def _compare_changes(*, base: object, mine: object, theirs: object) -> _MergeOutcome:
    """Decide what becomes of a value that two phones may have changed.

    `base` is the value before both. With the base 1:

    - mine 1, theirs 2 → `KEEP_THEIRS`
    - mine 2, theirs 1 or 2 → `KEEP_MINE`
    - mine 2, theirs 3 → `CONFLICT`
    """
    if mine == base:  # I did not change it
        return _MergeOutcome.KEEP_THEIRS
    if theirs == base:  # only I changed it
        return _MergeOutcome.KEEP_MINE
    if theirs == mine:  # both changed it in the same way
        return _MergeOutcome.KEEP_MINE
    return _MergeOutcome.CONFLICT


def merge_drafts(
    mine: Draft,
    theirs: Draft,
    *,
    base: Draft | None,
    reader: DraftReader,
    mine_wins: bool = False,
) -> dict[str, str] | None:
    """Merge what was typed in the same form on two phones; None if both changed the same field.

    - `base`: the texts from which both began. If they are not known (None), mine and theirs merge
      only if they mean the same.
    - `mine_wins`: a field that both changed is taken from mine, so that the result is never None,
      unless there is no base

    Texts that mean the same, such as `3x50` and `150`, are no change.
    """
    if count_the_same(mine, theirs, reader):
        return _add_ignored_texts(mine, theirs)
    if base is None:
        return None

    drafts = _DraftsToMerge(
        base=_ReadDraft(base, reader.read_values(base)),
        mine=_ReadDraft(mine, reader.read_values(mine)),
        theirs=_ReadDraft(theirs, reader.read_values(theirs)),
    )
    merged = {}
    keys_of_both = {**theirs, **mine}  # each key once
    for key in keys_of_both:
        field = _merge_field(key, drafts, reader.language)
        if field.is_conflict and not mine_wins:
            return None
        if field.text is not None:
            merged[key] = field.text
    return merged


class _ReadDraft(NamedTuple):
    """A draft with what its texts mean, both by key of the field."""

    texts: Draft
    values: Mapping[str, object]


class _DraftsToMerge(NamedTuple):
    """The drafts of two phones, and the one from which both began."""

    base: _ReadDraft
    mine: _ReadDraft
    theirs: _ReadDraft


class _MergedField(NamedTuple):
    """The text of a field after a merge; None for a field that stays blank.

    `is_conflict`: both phones changed it differently, and the text is mine.
    """

    text: str | None
    is_conflict: bool = False


def _merge_field(key: str, drafts: _DraftsToMerge, language: Language) -> _MergedField:
    """Merge one field that two phones may have changed since the base, their common start.

    - only one phone changed it → its text
    - both changed it, to texts with one meaning → my text
    - both changed it differently → my text, marked as a conflict

    In a field of melds (groups of cards, one a line) each line is merged by itself first.
    """
    my_text = drafts.mine.texts.get(key)
    their_text = drafts.theirs.texts.get(key)
    outcome = _compare_changes(
        base=drafts.base.values.get(key),
        mine=drafts.mine.values.get(key),
        theirs=drafts.theirs.values.get(key),
    )
    if outcome is _MergeOutcome.KEEP_THEIRS:
        return _MergedField(their_text)
    if outcome is _MergeOutcome.KEEP_MINE:
        return _MergedField(my_text)

    merged_lines = None
    has_melds_on_lines = key.endswith(".melds")
    if has_melds_on_lines:
        base_text = drafts.base.texts.get(key, "")
        merged_lines = _merge_melds(
            my_text or "", their_text or "", base=base_text, language=language
        )
    if merged_lines is None:  # it is another field, or both changed the same line
        return _MergedField(my_text, is_conflict=True)
    return _MergedField(merged_lines)


def _add_ignored_texts(mine: Draft, theirs: Draft) -> dict[str, str]:
    """Add to my texts those texts of the other phone that do not count at the moment.

    The cards of a side do not count if points were agreed on. They are kept, because they count
    again if the agreed points are removed. Where I have typed something too, mine is kept.
    """
    ignored_texts = {key: text for key, text in theirs.items() if is_ignored(theirs, key)}
    return {**ignored_texts, **mine}


def _merge_melds(mine: str, theirs: str, *, base: str, language: Language) -> str | None:
    """Merge two texts of melds (groups of cards, one a line) that two phones changed.

    `base` is the text from which both began, here `3xK`:

    - mine `4xK`, theirs `3xK` and a second line `3xQ` → `4xK` and `3xQ`
    - mine `4xK`, theirs `5xK` → None: both changed one line differently
    """
    merged = []
    # The first lines belong together, the second lines and so on. A missing line counts as blank.
    lines = zip_longest(mine.split("\n"), theirs.split("\n"), base.split("\n"), fillvalue="")
    for my_line, their_line, base_line in lines:
        outcome = _compare_changes(
            base=types.MELDS.read_text(base_line, language).value,
            mine=types.MELDS.read_text(my_line, language).value,
            theirs=types.MELDS.read_text(their_line, language).value,
        )
        if outcome is _MergeOutcome.CONFLICT:
            return None
        if outcome is _MergeOutcome.KEEP_THEIRS:
            merged.append(their_line)
        else:
            merged.append(my_line)
    return "\n".join(line for line in merged if line.strip())

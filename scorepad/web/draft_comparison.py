"""Drafts of a hand compared by what they count, and those of two phones merged.

A draft is the texts typed in the form, by key of the field: `{"a.cards": "3x50", "out": "a"}`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from scorepad.i18n import Language
from scorepad.matches.hands import Draft
from scorepad.rules.definitions import Ruleset
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web import field_texts as types
from scorepad.web.hand_fields import (
    HAND_KEYS,
    ROW_GROUPS,
    CardsReplacement,
    Field,
    field_key,
    fields_of_side,
    group_of_key,
    is_superseded,
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
        - melds (groups of cards) on two lines, in either order → equal values
        - `abc`, which cannot be read as a number → the text itself
        """
        value = field.read_text(text, self.language).value
        is_unreadable = value is None
        if is_unreadable:
            return text
        if isinstance(field.text_type, types.MeldsText):
            return Counter(value)  # how often each meld is there, in whichever order
        return value


def is_ignored(draft: Draft, key: str) -> bool:
    """Tell whether a field does not count, because something is typed in place of a side's cards.

    With points that the players agreed on in `a.sum`, the cards in `a.melds` do not count.
    """
    position = side_of_key(key)
    if position is None:  # a field of the whole hand, such as `out`
        return False
    replacement = _find_typed_replacement(draft, SIDE_KEYS[position])
    return is_superseded(group_of_key(key), replacement)


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
    return _read_what_counts(one, reader) == _read_what_counts(other, reader)


class _PointsWithReason(NamedTuple):
    """A row of the form of a side: a penalty defined by the table, or points agreed at the table.

    A value is None if nothing is typed in its field.
    """

    side: str
    group: str
    points: object
    reason: object


class _WhatCounts(NamedTuple):
    """What counts of a draft: the values of fields outside rows, by key, and how often each row
    occurs, in whichever order the rows are typed.
    """

    values: dict[str, object]
    rows: Counter[_PointsWithReason]


def _read_what_counts(draft: Draft, reader: DraftReader) -> _WhatCounts:
    """Read all that counts for the score from the texts of a form, to compare two forms."""
    all_values = reader.read_values(draft)
    values = {key: value for key, value in all_values.items() if not is_ignored(draft, key)}
    rows = _count_rows(draft, values)
    values_outside_rows = {
        key: value for key, value in values.items() if group_of_key(key) not in ROW_GROUPS
    }
    return _WhatCounts(values_outside_rows, rows)


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
    """Tell whether a text is typed in a field that does not count: cards beside agreed points."""
    is_typed = draft.get(key, "").strip() != ""
    return is_typed and is_ignored(draft, key)


# ------------------------------------------------------------------------------------------ merging


class _Version(NamedTuple):
    """The text that one phone has in a field, None for a blank field, and what the text means."""

    text: str | None
    value: object


class _BothChangedError(Exception):
    """Both phones changed a text, so that they mean different things now."""


def merge_drafts(
    mine: Draft,
    theirs: Draft,
    *,
    base: Draft | None,
    reader: DraftReader,
    mine_wins: bool = False,
) -> dict[str, str] | None:
    """Merge what was typed in the same form on two phones; None if both changed the same field.

    `base` has the texts from which both began. If it is not known (None), only texts that mean the
    same can be merged, such as `3x50` and `150`. With `mine_wins`, a field that both changed is
    taken from mine.
    """
    if count_the_same(mine, theirs, reader):
        return _add_ignored_texts(mine, theirs)
    if base is None:
        return None

    base_values = reader.read_values(base)
    my_values = reader.read_values(mine)
    their_values = reader.read_values(theirs)
    merged = {}
    for key in {**theirs, **mine}:  # the keys of both, each once
        my_version = _Version(mine.get(key), my_values.get(key))
        their_version = _Version(theirs.get(key), their_values.get(key))
        base_version = _Version(base.get(key), base_values.get(key))
        try:
            text = _merge_field(key, my_version, their_version, base_version, reader.language)
        except _BothChangedError:
            if not mine_wins:
                return None
            text = my_version.text
        if text is not None:  # otherwise the field is blank now
            merged[key] = text
    return merged


def _merge_field(
    key: str, mine: _Version, theirs: _Version, base: _Version, language: Language
) -> str | None:
    """Merge the texts of one field from two phones; None if it is blank now.

    `base` is what both began with. Raises _BothChangedError.
    """
    try:
        return _choose_changed_text(mine, theirs, base)
    except _BothChangedError:
        has_melds_on_lines = key.endswith(".melds")
        if not has_melds_on_lines:
            raise
    # Each phone may have changed another line.
    return _merge_lines_of_melds(
        mine.text or "", theirs.text or "", base=base.text or "", language=language
    )


def _choose_changed_text(mine: _Version, theirs: _Version, base: _Version) -> str | None:
    """Choose between the texts of two phones the one that was changed since `base`.

    My text is chosen if both phones made the same change. Raises _BothChangedError if they made
    different ones.
    """
    if mine.value == base.value:  # I did not change it
        return theirs.text
    if theirs.value in (base.value, mine.value):
        return mine.text
    raise _BothChangedError


def _merge_lines_of_melds(mine: str, theirs: str, *, base: str, language: Language) -> str:
    """Merge two texts of melds (groups of cards, one a line) that two phones changed.

    With the base `3xK`, mine `4xK`, and theirs `3xK` and a second line `3xQ`: `4xK` and `3xQ`.
    Raises _BothChangedError if both changed the same line.
    """
    merged = []
    # The first lines belong together, the second lines and so on. A missing line counts as blank.
    lines = zip_longest(mine.split("\n"), theirs.split("\n"), base.split("\n"), fillvalue="")
    for my_line, their_line, base_line in lines:
        line = _choose_changed_text(
            _read_line_of_melds(my_line, language),
            _read_line_of_melds(their_line, language),
            _read_line_of_melds(base_line, language),
        )
        if line and line.strip():
            merged.append(line)
    return "\n".join(merged)


def _read_line_of_melds(line: str, language: Language) -> _Version:
    """Read one line of a field of melds, so that it can be compared by what it means."""
    return _Version(line, types.MELDS.read_text(line, language).value)


def _add_ignored_texts(mine: Draft, theirs: Draft) -> dict[str, str]:
    """Add to my texts those texts of the other phone that do not count at the moment.

    The cards of a side do not count if points were agreed on. They are kept, because they count
    again if the agreed points are removed. Where I have typed something too, mine is kept.
    """
    ignored_texts = {key: text for key, text in theirs.items() if is_ignored(theirs, key)}
    return {**ignored_texts, **mine}

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
    Field,
    counts_with_replacement,
    field_key,
    fields_of_side,
    group_of_key,
    side_of_key,
    typed_rows,
)
from scorepad.web.side_column import REPLACEMENTS

_GROUPS_WITH_ZERO = ("cards", "left", "sum", "melds")
"""Groups of fields in which a typed 0 differs from a blank field."""


@dataclass(frozen=True)
class DraftReader:
    """Reads drafts by the same rules and in the same language, so that they can be compared."""

    rules: Ruleset
    language: Language

    def read_values(self, draft: Draft) -> dict[str, object]:
        """What the texts of a draft (those typed in the form) mean, by key of the field.

        The text `1.500` means 1500, and `K K` the same as `2xK`. A text that cannot be read stands
        for itself. Fields that are blank, or have a 0 that counts nothing, are left out.
        """
        values: dict[str, object] = {}
        for key in HAND_KEYS:
            text = draft.get(key, "").strip()
            if text:
                values[key] = text
        for field in self.fields_of(draft):
            text = draft.get(field.key, "").strip()
            if not text:
                continue
            value = self._read_value(field, text)
            if value or field.group in _GROUPS_WITH_ZERO:
                values[field.key] = value
        return values

    def fields_of(self, draft: Draft) -> list[Field]:
        """The fields of all sides, with the rows that the draft has."""
        fields: list[Field] = []
        for position in range(len(self.rules.settings.sides)):
            fields += fields_of_side(self.rules, position, draft)
        return fields

    def _read_value(self, field: Field, text: str) -> object:
        """What the text in a field means, as a value that can be compared: 150 for `3x50`.

        Texts that mean the same have equal values. A text that cannot be read stands for itself.
        """
        value = field.read_text(text, self.language).value
        is_unreadable = value is None
        if is_unreadable:
            return text
        if isinstance(field.text_type, types.MeldsText):
            # Melds (sets of cards) may be typed in any order, so they are sorted. They have no order
            # of their own; that of their texts is as good as any.
            meld_texts = [repr(meld) for meld in value]
            return sorted(meld_texts)
        return value


def is_ignored(draft: Draft, key: str) -> bool:
    """Whether a field does not count, because its side is counted without its cards.

    A side is if something is typed in its field for an agreed sum or for a special hand: with
    `a.sum` filled in, `a.melds` is ignored.
    """
    is_field_of_whole_hand = side_of_key(key) is None
    if is_field_of_whole_hand:
        return False
    side, _, _ = key.partition(".")
    for replacement in REPLACEMENTS:
        is_replaced = draft.get(field_key(side, replacement), "").strip() != ""
        if is_replaced:
            return not counts_with_replacement(group_of_key(key), replacement)
    return False


# ---------------------------------------------------------------------------------------- comparing


def count_the_same(one: Draft, other: Draft, reader: DraftReader) -> bool:
    """Whether the texts of two forms say the same of a hand, as `3x50` and `150` do."""
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
    """The values of all fields of a draft that count: with an agreed sum, for example, those of the
    cards do not.
    """
    counted_values = {}
    values_outside_rows = {}
    for key, value in reader.read_values(draft).items():
        if is_ignored(draft, key):
            continue
        counted_values[key] = value
        if group_of_key(key) not in ROW_GROUPS:
            values_outside_rows[key] = value
    return _CountedValues(values_outside_rows, _count_rows(draft, counted_values))


def _count_rows(draft: Draft, counted_values: Mapping[str, object]) -> Counter[_PointsWithReason]:
    """How often each row of the form occurs, a row being points and the reason for them.

    The fields `a.house.0.points` and `a.house.0.reason` are one row. Rows are counted because the
    order in which they are typed makes no difference.
    """
    rows: Counter[_PointsWithReason] = Counter()
    for side in SIDE_KEYS:
        for group in ROW_GROUPS:
            for number in typed_rows(draft, side, group):
                points = counted_values.get(field_key(side, f"{group}.{number}.points"))
                reason = counted_values.get(field_key(side, f"{group}.{number}.reason"))
                if points is not None or reason is not None:
                    rows[_PointsWithReason(side, group, points, reason)] += 1
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
    """The fields in which the stored draft and mine (the texts typed in a form) mean something else.

    Fields that do not count in one of them, because an agreed sum replaces them, come last.
    `only_mine`: only the fields in which something is typed in mine.
    """
    stored_values = reader.read_values(stored)
    my_values = reader.read_values(mine)
    counted = []
    ignored = []
    for key, field in _fields_to_compare(stored, mine, reader).items():
        if stored_values.get(key) == my_values.get(key):
            continue
        if only_mine and not my_values.get(key):
            continue
        texts = stored.get(key, "").strip(), mine.get(key, "").strip()
        if _has_ignored_text(stored, key) or _has_ignored_text(mine, key):
            ignored.append(FieldDifference(key, field, texts, is_ignored=True))
        else:
            counted.append(FieldDifference(key, field, texts, is_ignored=False))
    return counted + ignored


def _fields_to_compare(stored: Draft, mine: Draft, reader: DraftReader) -> dict[str, Field | None]:
    """All fields of the form that two drafts (the texts typed in it) can have, by their keys.

    The fields of the sides come first, `a.cards` for example. Those of the whole hand, such as
    `out`, have only a key: for them the value is None.
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
    """Whether something is typed in a field that does not count."""
    return bool(draft.get(key, "").strip()) and is_ignored(draft, key)


# ------------------------------------------------------------------------------------------ merging


def merge_drafts(
    mine: Draft,
    theirs: Draft,
    *,
    base: Draft | None,
    reader: DraftReader,
    mine_wins: bool = False,
) -> dict[str, str] | None:
    """Merge the texts typed in the same form on two phones; None if both changed the same field.

    `base` are the texts from which both began, None if they are not known: then mine and theirs
    merge only if they mean the same. `mine_wins`: a field that both changed is taken from mine.
    Texts that mean the same, such as `3x50` and `150`, are no change.
    """
    if count_the_same(mine, theirs, reader):
        return _add_ignored_texts(mine, theirs)
    if base is None:
        return None

    base_values = reader.read_values(base)
    my_values = reader.read_values(mine)
    their_values = reader.read_values(theirs)
    all_keys = {**theirs, **mine}.keys()
    merged = {}
    for key in all_keys:
        is_changed_by_me = my_values.get(key) != base_values.get(key)
        is_changed_by_them = their_values.get(key) != base_values.get(key)
        is_alike = my_values.get(key) == their_values.get(key)
        if not is_changed_by_me:  # it is as they left it, changed or not
            text = theirs.get(key)
        elif is_alike or not is_changed_by_them:
            text = mine.get(key)
        else:  # both changed it, to different values
            text = _merge_field_changed_by_both(key, mine, theirs, base=base, reader=reader)
            if text is None:
                if not mine_wins:
                    return None
                text = mine.get(key)
        if text is not None:  # None: the field was emptied, and stays blank
            merged[key] = text
    return merged


def _add_ignored_texts(mine: Draft, theirs: Draft) -> dict[str, str]:
    """Add to my texts those of their fields that do not count now and are blank in mine.

    They may be of use again: if the agreed sum of a side is taken back, its cards count.
    """
    ignored_texts = {key: text for key, text in theirs.items() if is_ignored(theirs, key)}
    return {**ignored_texts, **mine}


def _merge_field_changed_by_both(
    key: str, mine: Draft, theirs: Draft, *, base: Draft, reader: DraftReader
) -> str | None:
    """Merge the text of a form's field that two phones changed; None if that is not possible.

    Only melds (sets of cards) can be merged, as each is on a line of its own. `base` are the texts
    of the form from which both phones began.
    """
    is_field_with_lines = key.endswith(".melds")
    if not is_field_with_lines:
        return None
    return _merge_melds(
        mine.get(key, ""),
        theirs.get(key, ""),
        base=base.get(key, ""),
        language=reader.language,
    )


def _merge_melds(mine: str, theirs: str, *, base: str, language: Language) -> str | None:
    """Merge two texts of melds (sets of cards), one on a line, that two phones changed.

    `base` is the text from which both began. None if both changed the same line differently.
    """
    merged = []
    lines = zip_longest(mine.split("\n"), theirs.split("\n"), base.split("\n"), fillvalue="")
    for my_line, their_line, base_line in lines:
        my_melds = types.MELDS.read_text(my_line, language).value
        their_melds = types.MELDS.read_text(their_line, language).value
        base_melds = types.MELDS.read_text(base_line, language).value
        is_changed_by_me = my_melds != base_melds
        is_changed_by_them = their_melds != base_melds
        if not is_changed_by_me:
            merged.append(their_line)
        elif not is_changed_by_them or their_melds == my_melds:
            merged.append(my_line)
        else:
            return None
    return "\n".join(line for line in merged if line.strip())

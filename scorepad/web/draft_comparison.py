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
        """What the texts of a draft mean, by key: `1.500` is 1500, and `K K` is the same as `2xK`.

        A text that cannot be read is its own value. Fields that are blank, or have a 0 that counts
        nothing, are left out.
        """
        values: dict[str, object] = {}
        for key in HAND_KEYS:
            text = draft.get(key, "").strip()
            if text:
                values[key] = text
        for each in self.fields_of(draft):
            text = draft.get(each.key, "").strip()
            if not text:
                continue
            value = self._read_value(each, text)
            if value or each.group in _GROUPS_WITH_ZERO:
                values[each.key] = value
        return values

    def fields_of(self, draft: Draft) -> list[Field]:
        """The fields of all sides, with the rows that the draft has."""
        fields: list[Field] = []
        for position in range(len(self.rules.settings.sides)):
            fields += fields_of_side(self.rules, position, draft)
        return fields

    def _read_value(self, of_field: Field, text: str) -> object:
        """The value of the text in a field, in a form that is equal if the meaning is."""
        value = of_field.read_text(text, self.language).value
        if value is None:
            return text
        if isinstance(of_field.text_type, types.MeldsText):
            return sorted(repr(meld) for meld in value)  # melds may be typed in any order
        return value


def is_ignored(draft: Draft, key: str) -> bool:
    """Whether a field does not count, because an agreed sum or a special hand replaces the cards of
    its side.
    """
    if side_of_key(key) is None:
        return False
    side, _, _ = key.partition(".")
    for replacement in REPLACEMENTS:
        if draft.get(field_key(side, replacement), "").strip():
            return not counts_with_replacement(group_of_key(key), replacement)
    return False


# ---------------------------------------------------------------------------------------- comparing


def count_the_same(one: Draft, other: Draft, reader: DraftReader) -> bool:
    """Whether two drafts say the same hand, however it is typed."""
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
    values = reader.read_values(draft)
    counted_values = {key: values[key] for key in values if not is_ignored(draft, key)}
    keys_outside_rows = [key for key in counted_values if group_of_key(key) not in ROW_GROUPS]
    values_outside_rows = {key: values[key] for key in keys_outside_rows}
    return _CountedValues(values_outside_rows, _count_rows(draft, counted_values))


def _count_rows(draft: Draft, counted_values: Mapping[str, object]) -> Counter[_PointsWithReason]:
    """How often each row with points and their reason occurs: `a.house.0.points` and
    `a.house.0.reason` are a row. In which order the rows are typed makes no difference.
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
    """The fields with different values in two drafts; those that one of them ignores come last.

    `only_mine`: only the fields in which something is typed in mine.
    """
    stored_values = reader.read_values(stored)
    my_values = reader.read_values(mine)
    counted = []
    ignored = []
    for key, each in _fields_to_compare(stored, mine, reader).items():
        if stored_values.get(key) == my_values.get(key):
            continue
        if only_mine and not my_values.get(key):
            continue
        texts = stored.get(key, "").strip(), mine.get(key, "").strip()
        if _has_ignored_text(stored, key) or _has_ignored_text(mine, key):
            ignored.append(FieldDifference(key, each, texts, is_ignored=True))
        else:
            counted.append(FieldDifference(key, each, texts, is_ignored=False))
    return counted + ignored


def _fields_to_compare(stored: Draft, mine: Draft, reader: DraftReader) -> dict[str, Field | None]:
    """The fields that two drafts can have, by key: those of the sides, then those of the whole hand,
    which are None.
    """
    fields: dict[str, Field | None] = {}
    for position in range(len(reader.rules.settings.sides)):
        for draft in (stored, mine):
            for each in fields_of_side(reader.rules, position, draft):
                fields[each.key] = each
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
    """Merge the drafts of two phones field by field; None if both changed the same field.

    `base` is the draft from which both began, None if that is not known: then they merge only if
    they count the same. `mine_wins`: a field that both changed is taken from mine. Two texts are
    the same if they have the same value, such as `3x50` and `150`.
    """
    if count_the_same(mine, theirs, reader):
        return _add_ignored_texts(mine, theirs)
    if base is None:
        return None

    base_values = reader.read_values(base)
    my_values = reader.read_values(mine)
    their_values = reader.read_values(theirs)
    merged = {}
    for key in {**theirs, **mine}:
        is_changed_by_me = my_values.get(key) != base_values.get(key)
        is_changed_by_them = their_values.get(key) != base_values.get(key)
        is_alike = my_values.get(key) == their_values.get(key)
        if not is_changed_by_me:  # it is as they left it, changed or not
            text = theirs.get(key)
        elif is_alike or not is_changed_by_them:
            text = mine.get(key)
        else:  # both changed it, to different values
            merged_text = _merge_field_changed_by_both(key, mine, theirs, base=base, reader=reader)
            if merged_text is not None:
                text = merged_text
            elif mine_wins:
                text = mine.get(key)
            else:
                return None
        if text is not None:  # None: the field was emptied, and stays blank
            merged[key] = text
    return merged


def _add_ignored_texts(mine: Draft, theirs: Draft) -> dict[str, str]:
    """My draft, with the texts that theirs has in fields that do not count there, and that mine
    lacks: they may be of use again, for example if an agreed sum is taken back.
    """
    ignored_texts = {key: text for key, text in theirs.items() if is_ignored(theirs, key)}
    return {**ignored_texts, **mine}


def _merge_field_changed_by_both(
    key: str, mine: Draft, theirs: Draft, *, base: Draft, reader: DraftReader
) -> str | None:
    """Merge the text of a field that both phones changed; None if that is not possible.

    Only the melds of a side can be merged, which are one on a line.
    """
    if not key.endswith(".melds"):
        return None
    return _merge_melds(
        mine.get(key, ""),
        theirs.get(key, ""),
        base=base.get(key, ""),
        language=reader.language,
    )


def _merge_melds(mine: str, theirs: str, *, base: str, language: Language) -> str | None:
    """Merge melds, one on a line, that two phones changed; None if both changed the same line."""
    merged = []
    lines = zip_longest(mine.split("\n"), theirs.split("\n"), base.split("\n"), fillvalue="")
    for my_line, their_line, base_line in lines:
        my_melds = types.MELDS.read_text(my_line, language).value
        their_melds = types.MELDS.read_text(their_line, language).value
        base_melds = types.MELDS.read_text(base_line, language).value
        if my_melds == base_melds:
            merged.append(their_line)
        elif their_melds in (base_melds, my_melds):
            merged.append(my_line)
        else:
            return None
    return "\n".join(line for line in merged if line.strip())

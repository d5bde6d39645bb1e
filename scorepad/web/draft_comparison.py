"""Drafts of a hand compared by what they count, and those of two phones merged.

A draft is the texts typed in the form, by key of the field: `{"a.cards": "3x50", "out": "a"}`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from scorepad.i18n import Language
from scorepad.matches.hands import Draft
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE
from scorepad.web import field_texts as types
from scorepad.web.hand_fields import (
    ADJUSTMENTS,
    HAND_KEYS,
    OWED,
    Field,
    field_key,
    fields_of_side,
    group_of_key,
    side_of_key,
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
            # Penalties and bonuses count beside a special hand, and beside a sum they are refused.
            return group_of_key(key) not in (replacement, ADJUSTMENTS, *OWED)
    return False


# ---------------------------------------------------------------------------------------- comparing


def count_the_same(one: Draft, other: Draft, reader: DraftReader) -> bool:
    """Whether two drafts say the same hand, however it is typed."""
    return _read_counted_values(one, reader) == _read_counted_values(other, reader)


@dataclass
class _CountedValues:
    """What a draft counts: the values of single fields by key, and the rows of points with a reason.

    A row is its group with the values of its fields, for example
    `("a.house", ("points", 50), ("reason", "late"))`.
    """

    values: dict[str, object] = field(default_factory=dict)
    rows: list[tuple[object, ...]] = field(default_factory=list)


def _read_counted_values(draft: Draft, reader: DraftReader) -> _CountedValues:
    """The values of a draft without those that are ignored. Its rows are sorted, because they may
    stand in any order.
    """
    counted = _CountedValues()
    values_of_rows: dict[str, dict[str, object]] = {}
    for key, value in reader.read_values(draft).items():
        if is_ignored(draft, key):
            continue
        if side_of_key(key) is not None and group_of_key(key) in (HOUSE, ADJUSTMENTS):
            row, _, part = key.rpartition(".")  # `a.house.0` and `points`
            if row not in values_of_rows:
                values_of_rows[row] = {}
            values_of_rows[row][part] = value
        else:
            counted.values[key] = value

    for row, values in values_of_rows.items():
        group, _, _ = row.rpartition(".")
        counted.rows.append((group, *sorted(values.items())))
    counted.rows.sort(key=repr)  # in any order, as long as it is the same for both drafts
    return counted


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
    they count the same. `mine_wins`: a field that both changed is taken from mine.
    """
    if count_the_same(mine, theirs, reader):
        ignored_texts = {key: text for key, text in theirs.items() if is_ignored(theirs, key)}
        return {**ignored_texts, **mine}
    if base is None:
        return None

    base_values = reader.read_values(base)
    my_values = reader.read_values(mine)
    their_values = reader.read_values(theirs)
    merged = {}
    for key in {**theirs, **mine}:
        my_value = my_values.get(key)
        their_value = their_values.get(key)
        base_value = base_values.get(key)
        if my_value == base_value:  # at most they changed it
            text = theirs.get(key)
        elif their_value in (base_value, my_value):  # only I changed it, or both did alike
            text = mine.get(key)
        else:
            text = _merge_field_changed_by_both(key, mine, theirs, base=base, reader=reader)
            if text is None and not mine_wins:
                return None
            if text is None:
                text = mine.get(key)
        if text is not None:
            merged[key] = text
    return merged


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

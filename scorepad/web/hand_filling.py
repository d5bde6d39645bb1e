"""The fields of the form filled from a hand that was counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType

from scorepad.i18n import Language
from scorepad.matches.events import HandPenalty
from scorepad.matches.hands import Draft
from scorepad.rules.cards import NOTHING, Reading, write_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE, Hand, Out, SideEntry
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web.card_lines import TICKED
from scorepad.web.field_texts import NONE
from scorepad.web.forms import Misread, read_sum
from scorepad.web.hand_fields import (
    ADJUSTMENTS,
    CONCEALED,
    DISCARD,
    DISCARD_NONE,
    NOBODY,
    OUT,
    OWED,
    SINGLE,
    Field,
    counts_totals,
    fields_of_entry,
    key,
    players_apart,
    rows_of,
)
from scorepad.web.melding_pairs import melding_groups, melding_writers

_LANGUAGE = Language.ITALIAN
"""The language in which kept sums are read: figures below a thousand are written alike in all."""


def fill_draft(hand: Hand, rules: Ruleset, typed: Draft = MappingProxyType({})) -> dict[str, str]:
    """The texts of the form that say this hand.

    `typed`: the texts with which it was once typed; each is kept where it still means the same.
    """
    draft = _going_out_texts(hand, rules, typed)
    for position, entry in enumerate(hand.sides):
        draft |= _texts_of_side(entry, position, hand.out, rules, typed)
    return draft | _texts_of_sides_without_melds(draft, rules)


def _texts_of_side(
    entry: SideEntry, position: int, out: Out | None, rules: Ruleset, typed: Draft
) -> dict[str, str]:
    """The texts of the fields of a side. Beside a sum, or a hand that was shown, there are only
    those of penalties, bonuses and agreed points.
    """
    fields = fields_of_entry(rules, position, entry)
    texts: dict[str, str] = {}
    replacement = _replacement_of_cards(entry)
    if replacement:
        groups = (replacement, ADJUSTMENTS, *OWED)
        fields = tuple(field for field in fields if field.group in groups)
    else:
        for name in _empty_held_fields(out, rules, position, entry):
            texts[key(SIDE_KEYS[position], name)] = NONE

    for field in fields:
        value = field.entry_part.get(entry)
        # A sum of 0 says something; any other 0 is the same as a blank field.
        if not _is_nothing(value) or (field.name == "sum" and value == 0):
            texts[field.key] = _text(field, value, typed)
    return texts


def _replacement_of_cards(entry: SideEntry) -> str:
    """The field that is typed in place of the cards of a side: `sum`, `special`, or none."""
    if entry.sum is not None:
        return "sum"
    if entry.special is not None:
        return "special"
    return ""


def _is_nothing(value: object) -> bool:
    """Whether the value of a field is no number, no text, or no cards."""
    return value in (None, 0, "", (NOTHING,))


def _going_out_texts(hand: Hand, rules: Ruleset, typed: Draft) -> dict[str, str]:
    """The texts of who plays alone and who went out."""
    out = hand.out
    draft = {}
    if hand.single is not None:
        draft[SINGLE] = SIDE_KEYS[hand.single]
    if out is None and hand.is_summed:  # the hand does not say whether nobody did
        return draft | {name: NOBODY for name in (SINGLE, OUT) if typed.get(name) == NOBODY}
    if "single" in rules.entry_fields and hand.single is None:
        draft[SINGLE] = NOBODY
    if out is None or out.side is None:
        draft[OUT] = NOBODY
        return draft
    draft[OUT] = SIDE_KEYS[out.side]
    if out.player is not None:
        draft[OUT] = f"{SIDE_KEYS[out.side]}.{out.player}"
    if out.concealed:
        draft[CONCEALED] = TICKED
    if out.discard == NOTHING:
        draft[DISCARD_NONE] = TICKED
    elif out.discard is not None:
        draft[DISCARD] = write_cards(out.discard.cards)
    return draft


def _text(field: Field, value: object, typed: Draft) -> str:
    """The text of a field; as it was typed, if that means the same."""
    text = typed.get(field.key, "").strip()
    if text and field.type.read(text, _LANGUAGE).value == value:
        return typed[field.key]
    return field.type.write(value)


def _empty_held_fields(
    out: Out | None, rules: Ruleset, position: int, entry: SideEntry
) -> Iterator[str]:
    """The fields for held cards in which a nought is written because there are none: a blank field
    is missing input, but for that of the player who went out.
    """
    if isinstance(entry.left, int):
        if entry.left == 0:
            yield "left"
        return
    if entry.left == NOTHING and counts_totals(rules.settings):
        yield "left"
        return
    players = players_apart(rules.settings, position)
    if players is None:
        if _is_nothing(entry.held or (NOTHING,)):
            yield "left.0"
        return
    if isinstance(entry.left, Reading) and entry.left != NOTHING:
        return

    held = entry.held or (NOTHING,) * players
    player_out = None
    if out is not None and out.side == position:
        player_out = out.player
        if player_out is None and NOTHING in held:
            player_out = held.index(NOTHING)
    for player, cards in enumerate(held):
        if cards == NOTHING and player != player_out:
            yield f"left.{player}"


def _texts_of_sides_without_melds(draft: Draft, rules: Ruleset) -> dict[str, str]:
    """A nought for each side that laid nothing, because a blank field is missing input."""
    main_field = "cards" if counts_totals(rules.settings) else "melds"
    fields = {}
    writers = melding_writers(draft, rules, melding_groups(draft, rules))
    for position, writer in enumerate(writers):
        side = SIDE_KEYS[position]
        is_filled = any(key(side, name) in draft for name in ("sum", "special", "cards", "melds"))
        if writer == position and not is_filled:
            fields[key(side, main_field)] = NONE
    return fields


def with_penalties(
    draft: Draft, penalties: Iterable[HandPenalty], language: Language
) -> dict[str, str]:
    """The typed fields with these penalties added, as if they had been typed too."""
    fields = dict(draft)
    for penalty in penalties:
        side = SIDE_KEYS[penalty.side]
        if penalty.code == HOUSE:
            typed_rows = rows_of(fields, side, HOUSE)
            next_row = typed_rows[-1] + 1 if typed_rows else 0
            fields[key(side, f"{HOUSE}.{next_row}.points")] = str(penalty.points)
            fields[key(side, f"{HOUSE}.{next_row}.reason")] = penalty.reason
            continue
        count_key = key(side, f"penalties.{penalty.code}")
        count = read_sum(fields.get(count_key, ""), language) or 0
        if isinstance(count, Misread):
            continue  # the typed text is left as it is
        fields[count_key] = str(count + 1)
    return fields

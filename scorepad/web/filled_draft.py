"""The texts of the form filled in from a hand that was counted.

A draft is the texts of the form, by key of the field: `{"a.cards": "150", "out": "a"}`.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from scorepad.i18n import Language
from scorepad.matches.events import HandPenalty
from scorepad.matches.hands import Draft
from scorepad.rules.cards import NOTHING, Reading, write_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE, NOTHING_HELD, Hand, Out, SideEntry
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
    field_key,
    fields_of_entry,
    has_field_for_each_player,
    typed_rows,
)
from scorepad.web.shared_melds import (
    find_meld_groups,
    find_meld_writers,
    has_temporary_pairs,
)

_LANGUAGE = Language.ITALIAN
"""The language in which kept sums are read: figures below a thousand are written alike in all."""


def fill_draft(hand: Hand, rules: Ruleset, typed: Draft = MappingProxyType({})) -> dict[str, str]:
    """The texts of the form for a hand.

    `typed`: the texts with which the hand was once entered. Each of them is kept as it was if it
    means the same, `3x50+4x20` for 230.
    """
    draft: dict[str, str] = {}
    draft.update(_text_of_single(hand, rules, typed))
    draft.update(_texts_of_going_out(hand, typed))
    for position in range(len(hand.sides)):
        draft.update(_texts_of_side(hand, position, rules, typed))
    draft.update(_zeros_of_sides_without_melds(draft, rules))
    return draft


def _text_of_single(hand: Hand, rules: Ruleset, typed: Draft) -> dict[str, str]:
    """The answer to the question which side plays alone, in games with temporary pairs."""
    if hand.single is not None:
        return {SINGLE: SIDE_KEYS[hand.single]}
    if _is_without_going_out(hand):
        # The hand does not say whether nobody played alone, or nothing was answered.
        return {SINGLE: NOBODY} if typed.get(SINGLE) == NOBODY else {}
    if has_temporary_pairs(rules):
        return {SINGLE: NOBODY}
    return {}


def _texts_of_going_out(hand: Hand, typed: Draft) -> dict[str, str]:
    """The answers to the questions who went out (played the last card of a hand), and how."""
    out = hand.out
    if _is_without_going_out(hand):
        # The hand does not say whether nobody went out, or nothing was answered.
        return {OUT: NOBODY} if typed.get(OUT) == NOBODY else {}
    if out is None or out.side is None:
        return {OUT: NOBODY}

    side = SIDE_KEYS[out.side]
    texts = {OUT: side if out.player is None else f"{side}.{out.player}"}
    if out.concealed:
        texts[CONCEALED] = TICKED
    if out.discard == NOTHING:
        texts[DISCARD_NONE] = TICKED
    elif out.discard is not None:
        texts[DISCARD] = write_cards(out.discard.cards)
    return texts


def _is_without_going_out(hand: Hand) -> bool:
    """Whether nobody is known to have gone out because all sides are counted by agreed sums."""
    return hand.out is None and hand.is_summed


def _texts_of_side(hand: Hand, position: int, rules: Ruleset, typed: Draft) -> dict[str, str]:
    """The texts of the fields of a side.

    If an agreed sum or a special hand replaces its cards, only this field, the penalties, the
    bonuses and the agreed points have a text.
    """
    entry = hand.sides[position]
    replacement = _replacement_of_cards(entry)
    texts: dict[str, str] = {}
    if not replacement:
        for name in _held_fields_with_zero(hand, position, rules):
            texts[field_key(SIDE_KEYS[position], name)] = NONE

    for field in fields_of_entry(rules, position, entry):
        if replacement and field.group not in (replacement, ADJUSTMENTS, *OWED):
            continue
        value = field.entry_part.get_value(entry)
        is_agreed_zero = field.name == "sum" and value == 0  # any other 0 is like a blank field
        if is_agreed_zero or not _is_nothing(value):
            texts[field.key] = _text_of_field(field, value, typed)
    return texts


def _replacement_of_cards(entry: SideEntry) -> str:
    """The field that is typed in place of the cards of a side: `sum`, `special`, or empty."""
    if entry.sum is not None:
        return "sum"
    if entry.special is not None:
        return "special"
    return ""


def _is_nothing(value: object) -> bool:
    """Whether the value of a field is missing, 0, an empty text, or no cards."""
    no_cards = (NOTHING,)
    return value in (None, 0, "", no_cards)


def _text_of_field(field: Field, value: object, typed: Draft) -> str:
    """The text for the value of a field: the text with which it was entered, if that means the
    same, else a new one.
    """
    typed_text = typed.get(field.key, "")
    if typed_text.strip() and field.read_text(typed_text.strip(), _LANGUAGE).value == value:
        return typed_text
    return field.text_type.write_text(value)


def _held_fields_with_zero(hand: Hand, position: int, rules: Ruleset) -> list[str]:
    """The fields for held cards of a side in which a 0 is written because its players hold none.

    They may not be blank, because a blank field is taken for one that was forgotten.
    """
    entry = hand.sides[position]
    is_nothing_held = entry.left == NOTHING_HELD
    if entry.left.is_in_points:
        return ["left"] if entry.left.points == 0 else []
    if is_nothing_held and counts_totals(rules.settings):
        return ["left"]
    if not has_field_for_each_player(rules.settings, position):
        has_cards = entry.held not in ((), (NOTHING,))
        return [] if has_cards else ["left.0"]
    if not entry.left.is_by_player and not is_nothing_held:
        return []  # the cards are in the field for all players

    no_cards_of_each = (NOTHING,) * rules.settings.players_of(position)
    cards_of_each = entry.held or no_cards_of_each
    player_out = _player_out(hand.out, position, cards_of_each)
    names = []
    for player, cards in enumerate(cards_of_each):
        if cards == NOTHING and player != player_out:
            names.append(f"left.{player}")
    return names


def _player_out(out: Out | None, position: int, cards_of_each: tuple[Reading, ...]) -> int | None:
    """The index of the player of a side who went out, whose field for held cards stays blank.

    If only the side is known, that is the first player without cards. None if the side did not go
    out, or all of its players hold cards.
    """
    if out is None or out.side != position:
        return None
    if out.player is not None:
        return out.player
    for player, cards in enumerate(cards_of_each):
        if cards == NOTHING:
            return player
    return None


def _zeros_of_sides_without_melds(draft: Draft, rules: Ruleset) -> dict[str, str]:
    """A 0 for each side that laid nothing, because a blank field is taken for one that was
    forgotten.
    """
    main_field = "cards" if counts_totals(rules.settings) else "melds"
    writers = find_meld_writers(draft, rules, find_meld_groups(draft, rules))
    texts = {}
    for position, writer in enumerate(writers):
        side = SIDE_KEYS[position]
        main_keys = [field_key(side, name) for name in ("sum", "special", "cards", "melds")]
        is_filled = any(key in draft for key in main_keys)
        if writer == position and not is_filled:
            texts[field_key(side, main_field)] = NONE
    return texts


def add_penalties(
    draft: Draft, penalties: Iterable[HandPenalty], language: Language
) -> dict[str, str]:
    """A copy of a draft with these penalties added, as if they had been typed in the form too."""
    texts = dict(draft)
    for penalty in penalties:
        if penalty.code == HOUSE:
            texts.update(_texts_of_house_penalty(penalty, texts))
        else:
            texts.update(_count_with_penalty(penalty, texts, language))
    return texts


def _texts_of_house_penalty(penalty: HandPenalty, draft: Draft) -> dict[str, str]:
    """The texts that add a penalty defined by the table to a draft, in a new row."""
    side = SIDE_KEYS[penalty.side]
    rows = typed_rows(draft, side, HOUSE)
    new_row = rows[-1] + 1 if rows else 0
    return {
        field_key(side, f"{HOUSE}.{new_row}.points"): str(penalty.points),
        field_key(side, f"{HOUSE}.{new_row}.reason"): penalty.reason,
    }


def _count_with_penalty(penalty: HandPenalty, draft: Draft, language: Language) -> dict[str, str]:
    """The text of the field that counts a penalty, one higher than in the draft.

    Empty if the field has a text that is no number, which is left as it is.
    """
    key = field_key(SIDE_KEYS[penalty.side], f"penalties.{penalty.code}")
    count = read_sum(draft.get(key, ""), language)
    if isinstance(count, Misread):
        return {}
    return {key: str((count or 0) + 1)}

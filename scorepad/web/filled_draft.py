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
from scorepad.web.field_texts import ZERO
from scorepad.web.forms import Misread, read_sum
from scorepad.web.hand_fields import (
    CONCEALED,
    DISCARD,
    DISCARD_NONE,
    HELD_POINTS,
    NOBODY,
    OUT,
    SINGLE,
    Field,
    counts_totals,
    counts_with_replacement,
    field_key,
    fields_of_entry,
    has_field_for_each_player,
    typed_rows,
)
from scorepad.web.shared_melds import (
    find_meld_columns,
    find_meld_groups,
    has_temporary_pairs,
)

_LANGUAGE = Language.ITALIAN
"""The language in which kept sums are read: figures below a thousand are written alike in all."""


def fill_draft(hand: Hand, rules: Ruleset, typed: Draft = MappingProxyType({})) -> dict[str, str]:
    """The texts of the form for a hand.

    `typed` are the texts with which the hand was once entered. Each of them is kept as it was if it
    means the same: `3x50+4x20` for 230.
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
    if _is_end_left_open(hand):
        return _nobody_if_typed(SINGLE, typed)
    if has_temporary_pairs(rules):
        return {SINGLE: NOBODY}
    return {}


def _texts_of_going_out(hand: Hand, typed: Draft) -> dict[str, str]:
    """The answers to the questions who went out (played the last card of a hand), and how."""
    if _is_end_left_open(hand):
        return _nobody_if_typed(OUT, typed)
    out = hand.out
    if out is None or out.side is None:  # the hand ended without that
        return {OUT: NOBODY}

    answer = SIDE_KEYS[out.side]
    if out.player is not None:
        answer = f"{answer}.{out.player}"
    texts = {OUT: answer}
    if out.concealed:
        texts[CONCEALED] = TICKED
    if out.discard == NOTHING:  # it is known that no card was discarded
        texts[DISCARD_NONE] = TICKED
    elif out.discard is not None:
        texts[DISCARD] = write_cards(out.discard.cards)
    return texts


def _is_end_left_open(hand: Hand) -> bool:
    """Whether it is not told if anybody went out: hands in which each side is counted by an agreed
    sum do not need that.
    """
    return hand.out is None and hand.is_summed


def _nobody_if_typed(question: str, typed: Draft) -> dict[str, str]:
    """The answer "nobody" to a question that may stay blank, if it was typed so.

    The hand itself is the same with that answer and with none.
    """
    if typed.get(question) == NOBODY:
        return {question: NOBODY}
    return {}


def _texts_of_side(hand: Hand, position: int, rules: Ruleset, typed: Draft) -> dict[str, str]:
    """The texts of the fields of a side; those of a field without a value stay blank."""
    entry = hand.sides[position]
    replacement = _replacement_of_cards(entry)
    texts: dict[str, str] = {}
    if not replacement:
        # A blank field for held cards would be taken for one that was forgotten.
        for name in _held_fields_with_zero(hand, position, rules):
            texts[field_key(SIDE_KEYS[position], name)] = ZERO

    for field in fields_of_entry(rules, position, entry):
        if replacement and not counts_with_replacement(field.group, replacement):
            continue
        value = field.entry_part.get_value(entry)
        if _needs_text(field, value):
            texts[field.key] = _text_of_field(field, value, typed)
    return texts


def _replacement_of_cards(entry: SideEntry) -> str:
    """The field that is typed in place of the cards of a side: `sum`, `special`, or empty."""
    if entry.sum is not None:
        return "sum"
    if entry.special is not None:
        return "special"
    return ""


def _needs_text(field: Field, value: object) -> bool:
    """Whether the value of a field must be written, because a blank field means something else.

    A blank field means 0 or no cards, except that a blank sum means that no sum was agreed.
    """
    if field.name == "sum":
        return value is not None
    no_cards = (NOTHING,)
    return value not in (None, 0, "", no_cards)


def _text_of_field(field: Field, value: object, typed: Draft) -> str:
    """The text for the value of a field: the text with which it was entered, if that means the
    same, else a new one.
    """
    typed_text = typed.get(field.key, "")
    if typed_text.strip() and field.read_text(typed_text.strip(), _LANGUAGE).value == value:
        return typed_text
    return field.text_type.write_text(value)


def _held_fields_with_zero(hand: Hand, position: int, rules: Ruleset) -> list[str]:
    """The names of the fields in which 0 is written because a player holds no cards at the end.

    A field left blank would count as missing input.
    """
    held = hand.sides[position].left
    if held.is_in_points:
        return [HELD_POINTS] if held.points == 0 else []
    if held == NOTHING_HELD and counts_totals(rules.settings):
        return [HELD_POINTS]  # no cards are 0 points, typed in one field instead of several
    if has_field_for_each_player(rules.settings, position):
        return _players_fields_with_zero(hand, position, rules)

    # One field is for the cards of all players together.
    has_cards = any(cards != NOTHING for cards in held.readings)
    return [] if has_cards else ["left.0"]


def _players_fields_with_zero(hand: Hand, position: int, rules: Ruleset) -> list[str]:
    """The fields of the players of a side who hold no cards: `left.1` of the second player.

    Nothing is written for the player who went out, who cannot hold any.
    """
    held = hand.sides[position].left
    if not held.readings:
        cards_of_each = (NOTHING,) * rules.settings.players_of(position)
    elif held.is_by_player:
        cards_of_each = held.readings
    else:
        return []  # the cards are in the field for all players together

    player_out = _player_out(hand.out, position, cards_of_each)
    names = []
    for player, cards in enumerate(cards_of_each):
        if cards == NOTHING and player != player_out:
            names.append(f"left.{player}")
    return names


def _player_out(out: Out | None, position: int, cards_of_each: tuple[Reading, ...]) -> int | None:
    """The index of the player of this side who went out; None if another side did, or nobody.

    Often only the side is known. Then it is the first of its players who holds no cards.
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
    """The text 0 for each side that laid no cards on the table, in the field for its melds or for
    their points. A blank field would be taken for one that was forgotten.
    """
    field_with_zero = "cards" if counts_totals(rules.settings) else "melds"
    groups = find_meld_groups(draft, rules)
    texts = {}
    for position, meld_column in enumerate(find_meld_columns(draft, rules, groups)):
        if meld_column != position:
            continue  # its melds are in the fields of the side that laid with it
        side = SIDE_KEYS[position]
        fields_of_laid_cards = ("sum", "special", "cards", "melds")
        is_filled = any(field_key(side, name) in draft for name in fields_of_laid_cards)
        if not is_filled:
            texts[field_key(side, field_with_zero)] = ZERO
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

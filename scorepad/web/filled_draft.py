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
    ONLY_HELD_CARDS,
    OUT,
    SINGLE,
    CardsReplacement,
    Field,
    counts_totals,
    counts_with_replacement,
    field_key,
    fields_of_entry,
    has_field_for_each_player,
    held_cards_field,
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
    """The texts of the form that would enter this hand: `{"a.cards": "150", "out": "a"}`.

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
    """The text that answers which side played alone against the other two: `{"single": "a"}`.

    Empty where the form does not ask that, or where the question may stay blank.
    """
    side_alone = hand.single
    if side_alone is not None:
        return {SINGLE: SIDE_KEYS[side_alone]}
    if _may_questions_stay_blank(hand):
        return _nobody_if_typed(SINGLE, typed)
    is_question_asked = has_temporary_pairs(rules)
    if is_question_asked:
        return {SINGLE: NOBODY}
    return {}


def _texts_of_going_out(hand: Hand, typed: Draft) -> dict[str, str]:
    """The texts that answer who went out (played their last card, which ends the hand), and how.

    If it was player 1 of the first side, and no card was discarded then, they are
    `{"out": "a.1", "discard_none": "on"}`.
    """
    if _may_questions_stay_blank(hand):
        return _nobody_if_typed(OUT, typed)
    out = hand.out
    if out is None or out.side is None:  # the hand ended though nobody played their last card
        return {OUT: NOBODY}

    answer = SIDE_KEYS[out.side]
    if out.player is not None:
        answer = f"{answer}.{out.player}"
    texts = {OUT: answer}
    if out.concealed:
        texts[CONCEALED] = TICKED
    texts.update(_text_of_last_discard(out))
    return texts


def _text_of_last_discard(out: Out) -> dict[str, str]:
    """The text that says which card was discarded by the player who went out: `{"discard": "4"}`.

    `{"discard_none": "on"}` if it is known that there was none; empty if nothing is known.
    """
    if out.discard is None:
        return {}
    if out.discard == NOTHING:
        return {DISCARD_NONE: TICKED}
    return {DISCARD: write_cards(out.discard.cards)}


def _may_questions_stay_blank(hand: Hand) -> bool:
    """Whether the form of this hand may leave open who played alone and how the hand ended.

    It may if the table agreed on the points of each side, as these questions then change no points;
    but not if the hand says who went out (played the last card), which must not be lost.
    """
    is_how_it_ended_known = hand.out is not None
    return hand.is_summed and not is_how_it_ended_known


def _nobody_if_typed(question: str, typed: Draft) -> dict[str, str]:
    """The answer "nobody" to a question that may stay blank, if it was typed: `{"out": "nobody"}`.

    Empty if the question was left blank. The hand is the same in both cases, so only the texts
    `typed` tell which it was.
    """
    if typed.get(question) == NOBODY:
        return {question: NOBODY}
    return {}


def _texts_of_side(hand: Hand, position: int, rules: Ruleset, typed: Draft) -> dict[str, str]:
    """The texts of the form's fields for one side: `{"a.cards": "150", "a.left": "0"}`.

    Fields without a value are left out, so they stay blank.
    """
    entry = hand.sides[position]
    replacement = _replacement_of_cards(entry)
    texts: dict[str, str] = {}
    if replacement is CardsReplacement.NONE:
        texts.update(_zeros_of_held_cards(hand, position, rules))
    for field in fields_of_entry(rules, position, entry):
        if not counts_with_replacement(field.group, replacement):
            continue
        value = field.entry_part.get_value(entry)
        if _needs_text(field, value):
            texts[field.key] = _text_of_field(field, value, typed)
    return texts


def _zeros_of_held_cards(hand: Hand, position: int, rules: Ruleset) -> dict[str, str]:
    """The text 0 for the cards that a side's players hold, as far as there are none.

    `{"a.left.1": "0"}` if its second player holds none. A field left blank would be taken for one
    that was forgotten.
    """
    side = SIDE_KEYS[position]
    texts = {}
    for name in _held_fields_with_zero(hand, position, rules):
        texts[field_key(side, name)] = ZERO
    return texts


def _replacement_of_cards(entry: SideEntry) -> CardsReplacement:
    """What is entered for a side in place of its cards."""
    if entry.sum is not None:
        return CardsReplacement.SUM
    if entry.special is not None:
        return CardsReplacement.SPECIAL
    return CardsReplacement.NONE


def _needs_text(field: Field, value: object) -> bool:
    """Whether the value of a field must be written, because a blank field means something else.

    A blank field means 0 or no cards. But a blank field for an agreed sum means that none was
    agreed, so there a 0 must be written.
    """
    if field.name == "sum":
        return value is not None
    no_cards = (NOTHING,)
    values_of_blank_field = (None, 0, "", no_cards)
    return value not in values_of_blank_field


def _text_of_field(field: Field, value: object, typed: Draft) -> str:
    """The text to show for the value of a field, such as 150.

    If it was once typed in other words that mean the same, as `3x50`, these are kept. `typed` are the
    texts with which the hand was entered.
    """
    typed_text = typed.get(field.key, "")
    if typed_text.strip():
        typed_value = field.read_text(typed_text.strip(), _LANGUAGE).value
        if typed_value == value:
            return typed_text
    return field.text_type.write_text(value)


def _held_fields_with_zero(hand: Hand, position: int, rules: Ruleset) -> list[str]:
    """The names of a side's fields for cards left in hand in which 0 is to be written, if any.

    There is a field for the points of these cards, and there are others for the cards themselves.
    """
    held = hand.sides[position].left
    if held.is_in_points:
        return [HELD_POINTS] if held.points == 0 else []

    is_nothing_held = held == NOTHING_HELD
    if is_nothing_held and counts_totals(rules.settings):
        # One 0 for the points says it, instead of one for the cards of each player.
        return [HELD_POINTS]

    if has_field_for_each_player(rules.settings, position):
        return _players_fields_with_zero(hand, position, rules)
    has_no_cards = all(cards == NOTHING for cards in held.readings)
    return [ONLY_HELD_CARDS] if has_no_cards else []


def _players_fields_with_zero(hand: Hand, position: int, rules: Ruleset) -> list[str]:
    """The names of the fields of those players of a side who hold no cards when the hand ends.

    The field of the second player is `left.1`. That of the player who went out (played the last
    card) is left out: this player cannot hold any, so no 0 is needed.
    """
    held = hand.sides[position].left
    is_nothing_held = not held.readings
    if is_nothing_held:
        cards_of_each = (NOTHING,) * rules.settings.players_of(position)
    elif held.is_by_player:
        cards_of_each = held.readings
    else:
        return []  # the cards are in the field for all players together

    player_out = _player_out(hand.out, position, cards_of_each)
    names = []
    for player, cards in enumerate(cards_of_each):
        if cards == NOTHING and player != player_out:
            names.append(held_cards_field(player))
    return names


def _player_out(out: Out | None, position: int, cards_of_each: tuple[Reading, ...]) -> int | None:
    """The index of the player of this side who went out, that is played the last card of the hand.

    None if another side did, or nobody. Often only the side is known: then it is taken to be its
    first player who holds no cards. `cards_of_each` are the cards that each player holds.
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
    """The text 0 for each side that laid no cards on the table: `{"b.cards": "0"}`.

    A blank field would be taken for one that was forgotten. The field is that for the points of the
    laid cards, or for the melds (sets of cards) where these are typed instead.
    """
    field_name = "cards" if counts_totals(rules.settings) else "melds"
    groups = find_meld_groups(draft, rules)
    texts = {}
    for position, meld_column in enumerate(find_meld_columns(draft, rules, groups)):
        if meld_column != position:
            continue  # its melds are among the fields of its partner, who laid them with it
        side = SIDE_KEYS[position]
        if not _is_what_it_laid_filled_in(draft, side):
            texts[field_key(side, field_name)] = ZERO
    return texts


def _is_what_it_laid_filled_in(draft: Draft, side: str) -> bool:
    """Whether the texts of the form say what a side laid on the table, or what replaces its cards."""
    names = ("cards", "melds", CardsReplacement.SUM, CardsReplacement.SPECIAL)
    return any(field_key(side, name) in draft for name in names)


def add_penalties(
    draft: Draft, penalties: Iterable[HandPenalty], language: Language
) -> dict[str, str]:
    """A copy of a draft (the texts typed in the form) with these penalties added, as if they had
    been typed too.
    """
    texts = dict(draft)
    for penalty in penalties:
        if penalty.code == HOUSE:
            texts.update(_texts_of_house_penalty(penalty, texts))
        else:
            texts.update(_count_with_penalty(penalty, texts, language))
    return texts


def _texts_of_house_penalty(penalty: HandPenalty, draft: Draft) -> dict[str, str]:
    """The texts that add a penalty which the table made up itself to the form, in a new row.

    They are its points and its reason: `{"a.house.2.points": "50", "a.house.2.reason": "late"}`.
    """
    side = SIDE_KEYS[penalty.side]
    rows = typed_rows(draft, side, HOUSE)
    new_row = rows[-1] + 1 if rows else 0
    return {
        field_key(side, f"{HOUSE}.{new_row}.points"): str(penalty.points),
        field_key(side, f"{HOUSE}.{new_row}.reason"): penalty.reason,
    }


def _count_with_penalty(penalty: HandPenalty, draft: Draft, language: Language) -> dict[str, str]:
    """The text of the form's field that counts this penalty, one more than is typed: 1 → 2.

    If what is typed is no number, it is left as it is: nothing is returned.
    """
    key = field_key(SIDE_KEYS[penalty.side], f"penalties.{penalty.code}")
    count = read_sum(draft.get(key, ""), language)
    if isinstance(count, Misread):
        return {}
    if count is None:  # the field is blank
        count = 0
    return {key: str(count + 1)}

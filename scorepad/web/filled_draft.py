"""The texts of the form filled in from a hand that was counted.

A draft is the texts of the form, by key of the field: `{"a.cards": "150", "out": "a"}`.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from scorepad.i18n import Language
from scorepad.matches.events import HandPenalty
from scorepad.matches.hands import Draft
from scorepad.rules.cards import NOTHING, write_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE, NOTHING_HELD, Hand, HeldCards, Out, SideEntry
from scorepad.rules.settings import Settings
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
    field_key,
    fields_of_entry,
    has_field_for_each_player,
    held_cards_field,
    is_superseded,
    typed_rows,
)
from scorepad.web.shared_melds import has_temporary_pairs, read_meld_sharing

_LANGUAGE = Language.ITALIAN
"""The language in which kept sums are read: figures below a thousand are written alike in all."""


def fill_draft(hand: Hand, rules: Ruleset, typed: Draft = MappingProxyType({})) -> dict[str, str]:
    """Fill in the form with a hand (one round) that was counted, so that players can correct it.

    Returns the text of each field: `{"a.cards": "150", "out": "a"}`. `typed` has the texts with
    which the hand was once entered. A text that still means the same is kept: `3x50+4x20` for 230.
    """
    draft: dict[str, str] = {}
    draft.update(_fill_in_single(hand, rules, typed))
    draft.update(_fill_in_going_out(hand, typed))
    for position in range(len(hand.sides)):
        draft.update(_fill_in_side(hand, position, rules, typed))
    draft.update(_fill_in_zeros_of_laid_cards(draft, rules))
    return draft


def _fill_in_single(hand: Hand, rules: Ruleset, typed: Draft) -> dict[str, str]:
    """Fill in which side played alone against the other two, a question in some games for three.

    `{"single": "a"}` for the first side. Empty if the game does not ask it.
    """
    side_alone = hand.single
    if side_alone is not None:
        return {SINGLE: SIDE_KEYS[side_alone]}
    if _are_only_points_known(hand):
        # The answer changes no points: it is "nobody" only if somebody typed that.
        return _keep_typed_nobody(SINGLE, typed)
    if has_temporary_pairs(rules):
        return {SINGLE: NOBODY}
    return {}


def _fill_in_going_out(hand: Hand, typed: Draft) -> dict[str, str]:
    """Fill in who ended the round by playing the last card, and how.

    - player 1 of the first side, without a discard → `{"out": "a.1", "discard_none": "on"}`
    - nobody: the cards ran out, for example → `{"out": "nobody"}`
    - the points were agreed on, and it is not known who did → as it was typed
    """
    if _are_only_points_known(hand):
        return _keep_typed_nobody(OUT, typed)
    out = hand.out
    if out is None or out.side is None:  # the hand ended though nobody played their last card
        return {OUT: NOBODY}

    answer = SIDE_KEYS[out.side]
    if out.player is not None:
        answer = f"{answer}.{out.player}"
    texts = {OUT: answer}
    if out.concealed:
        texts[CONCEALED] = TICKED
    texts.update(_fill_in_last_discard(out))
    return texts


def _fill_in_last_discard(out: Out) -> dict[str, str]:
    """Fill in the card that was discarded last, at the end of the round.

    - a four → `{"discard": "4"}`
    - no card was discarded → `{"discard_none": "on"}`, a ticked box
    - not known → `{}`
    """
    if out.discard is None:
        return {}
    if out.discard == NOTHING:
        return {DISCARD_NONE: TICKED}
    return {DISCARD: write_cards(out.discard.cards)}


def _are_only_points_known(hand: Hand) -> bool:
    """Tell whether players agreed on the points of each side, and did not say how the hand ended."""
    return hand.is_summed and hand.out is None


def _keep_typed_nobody(question: str, typed: Draft) -> dict[str, str]:
    """Keep the answer "nobody" to a question that may stay blank, if a player typed it.

    The hand itself is the same with "nobody" and with a blank, so the typed texts must tell:

    - `typed` has `{"out": "nobody"}`, the question is `out` → `{"out": "nobody"}`
    - nothing was typed → `{}`
    """
    if typed.get(question) == NOBODY:
        return {question: NOBODY}
    return {}


def _fill_in_side(hand: Hand, position: int, rules: Ruleset, typed: Draft) -> dict[str, str]:
    """Fill in the form's fields of one side: `{"a.cards": "150", "a.left": "0"}`.

    Fields without a value are left out, so they stay blank. `typed` has the texts with which the
    hand was once entered: one that still means the same is kept.
    """
    entry = hand.sides[position]
    replacement = _find_replacement_of_cards(entry)  # points agreed on, for example
    texts: dict[str, str] = {}
    if replacement is CardsReplacement.NONE:
        texts.update(_fill_in_zeros_of_held_cards(hand, position, rules))
    for field in fields_of_entry(rules, position, entry):
        if is_superseded(field.group, replacement):
            continue  # a field for cards has no meaning beside agreed points
        value = field.entry_part.find_in(entry)
        if _needs_text(field, value):
            texts[field.key] = _write_field_text(field, value, typed)
    return texts


def _fill_in_zeros_of_held_cards(hand: Hand, position: int, rules: Ruleset) -> dict[str, str]:
    """Fill in a 0 for each player of a side who had no cards left when the round ended.

    The second player had none → `{"a.left.1": "0"}`. A blank field would count as forgotten.
    """
    side = SIDE_KEYS[position]
    texts = {}
    for name in _find_held_fields_with_zero(hand, position, rules):
        texts[field_key(side, name)] = ZERO
    return texts


def _find_replacement_of_cards(entry: SideEntry) -> CardsReplacement:
    """Tell what was entered for a side instead of its cards.

    `SUM` for points that the players agreed on, `SPECIAL` for a special hand that scores as a
    whole, `NONE` if the cards were entered.
    """
    if entry.sum is not None:
        return CardsReplacement.SUM
    if entry.special is not None:
        return CardsReplacement.SPECIAL
    return CardsReplacement.NONE


def _needs_text(field: Field, value: object) -> bool:
    """Tell whether a value must be written into a field, or the field may stay blank.

    - 150 → True
    - 0, an empty text or no cards → False: a blank field means the same
    - 0 in the field `sum`, for agreed points → True: a blank there means that none were agreed
    """
    if value is None:
        return False
    if field.name == CardsReplacement.SUM:
        return True
    no_cards = (NOTHING,)
    return value not in (0, "", no_cards)


def _write_field_text(field: Field, value: object, typed: Draft) -> str:
    """Write the value of a field as text, the way the player typed it if that is known.

    - 150, typed as `3x50` → `3x50`
    - 150, typed as `80`, or not at all → `150`
    """
    typed_text = typed.get(field.key, "")
    if typed_text.strip():
        typed_value = field.read_text(typed_text.strip(), _LANGUAGE).value
        if typed_value == value:
            return typed_text
    return field.text_type.write_text(value)


def _find_held_fields_with_zero(hand: Hand, position: int, rules: Ruleset) -> list[str]:
    """Find a side's fields in which a 0 must say that no cards were left when the round ended.

    `["left"]` is the field for the points of these cards, `["left.1"]` that for the cards of the
    second player.
    """
    held = hand.sides[position].left  # the cards that its players still had, or their points
    if _is_one_zero_enough(held, rules.settings):
        return [HELD_POINTS]
    if held.is_in_points:  # there are points, which are filled in as they are
        return []
    if not has_field_for_each_player(rules.settings, position):
        has_no_cards = all(cards == NOTHING for cards in held.readings)
        return [ONLY_HELD_CARDS] if has_no_cards else []

    players = _list_players_without_cards(held, rules.settings.players_of(position))
    finisher = _find_finisher(hand.out, position, players)  # has none in any case: no 0 is needed
    return [held_cards_field(player) for player in players if player != finisher]


def _is_one_zero_enough(held: HeldCards, settings: Settings) -> bool:
    """Tell whether one 0 for points says that all players of a side had no cards left.

    A form without a field for these points needs a 0 for the cards instead.
    """
    if held.is_in_points:
        return held.points == 0
    has_field_for_points = counts_totals(settings)
    return has_field_for_points and held == NOTHING_HELD


def _list_players_without_cards(held: HeldCards, number_of_players: int) -> list[int]:
    """List the players of a side, by index, who surely had no cards left when the round ended."""
    if not held.readings:  # nobody of the side had any
        return list(range(number_of_players))
    if not held.is_by_player:  # the cards are known only of all players together
        return []
    return [player for player, cards in enumerate(held.readings) if cards == NOTHING]


def _find_finisher(out: Out | None, position: int, players_without_cards: list[int]) -> int | None:
    """Find the player of a side, by index, who ended the round by playing the last card.

    None if another side did, or nobody. If only the side is known, the first of its players without
    cards is taken.
    """
    if out is None or out.side != position:
        return None
    if out.player is not None:
        return out.player
    return players_without_cards[0] if players_without_cards else None


def _fill_in_zeros_of_laid_cards(draft: Draft, rules: Ruleset) -> dict[str, str]:
    """Fill in a 0 for each side that laid no cards on the table: `{"b.cards": "0"}`.

    A blank field would count as forgotten. In games where the players do not count the points of
    these cards themselves, it is the field for the cards: `{"b.melds": "0"}`.
    """
    field_name = "cards" if counts_totals(rules.settings) else "melds"
    sharing = read_meld_sharing(draft, rules)
    texts = {}
    for position in range(len(rules.settings.sides)):
        side = SIDE_KEYS[position]
        if sharing.are_typed_elsewhere(position):  # by the side that it plays with
            continue
        if not _has_laid_cards_or_replacement(draft, side):
            texts[field_key(side, field_name)] = ZERO
    return texts


def _has_laid_cards_or_replacement(draft: Draft, side: str) -> bool:
    """Tell whether the form says what a side laid on the table, or what counts in place of it.

    In place of cards, points that the players agreed on or a special hand may count.
    """
    names = ("cards", "melds", CardsReplacement.SUM, CardsReplacement.SPECIAL)
    return any(field_key(side, name) in draft for name in names)


def add_penalties(
    draft: Draft, penalties: Iterable[HandPenalty], language: Language
) -> dict[str, str]:
    """Return the texts typed in the form with these penalties added, as if they had been typed too.

    Players note penalties while they play. When the hand (the round) is counted, the form has them.
    """
    texts = dict(draft)
    for penalty in penalties:
        if penalty.code == HOUSE:
            texts.update(_write_house_penalty_in_new_row(penalty, texts))
        else:
            texts.update(_count_penalty_once_more(penalty, texts, language))
    return texts


def _write_house_penalty_in_new_row(penalty: HandPenalty, draft: Draft) -> dict[str, str]:
    """Write a penalty that the players made up themselves into a new row of the form.

    After rows 0 and 1: `{"a.house.2.points": "50", "a.house.2.reason": "late"}`.
    """
    side = SIDE_KEYS[penalty.side]
    rows = typed_rows(draft, side, HOUSE)
    new_row = rows[-1] + 1 if rows else 0
    return {
        field_key(side, f"{HOUSE}.{new_row}.points"): str(penalty.points),
        field_key(side, f"{HOUSE}.{new_row}.reason"): penalty.reason,
    }


def _count_penalty_once_more(
    penalty: HandPenalty, draft: Draft, language: Language
) -> dict[str, str]:
    """Raise the number that is typed for a penalty by one.

    - `1` → `{"a.penalties.draw-out-of-turn": "2"}`
    - blank → `{"a.penalties.draw-out-of-turn": "1"}`
    - a text that is no number → `{}`, so that it stays, and is shown as an error
    """
    key = field_key(SIDE_KEYS[penalty.side], f"penalties.{penalty.code}")
    count = read_sum(draft.get(key, ""), language)
    if isinstance(count, Misread):
        return {}
    if count is None:  # the field is blank
        count = 0
    return {key: str(count + 1)}

"""The messages beside the fields of a hand: what is unreadable, missing, or against the rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.card_words import can_become_card_word
from scorepad.i18n.findings import finding_text, finding_without_remedy
from scorepad.i18n.typed_cards import to_notation
from scorepad.rules.cards import FIRST_NATURAL, Kind, read_cards
from scorepad.rules.checks import Excess
from scorepad.rules.judging import Finding
from scorepad.rules.settings import Settings
from scorepad.rules.table import Meld, Pointer, read_meld
from scorepad.schemas import Unusable
from scorepad.web.citations import citations_in_words
from scorepad.web.field_texts import MOST_TIMES, meld_lines
from scorepad.web.forms import read_sum
from scorepad.web.hand_entry.findings_shown import meld_number
from scorepad.web.hand_fields import DISCARD, OUT, Field, group_of_key, side_of_key
from scorepad.web.rulebook_links import anchor, rules_url, url_with_anchor
from scorepad.web.side_reader import DraftProblem
from scorepad.web.typed_hand import TypedHand

_FIELDS_OF_THREES = {Kind.RED_THREE: "red_threes", Kind.BLACK_THREE: "black_threes"}
"""Prefixes of the names of fields that count threes outside melds and hands."""


class Tone(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    PENDING = "pending"
    """For input still being typed: not yet an error."""
    AGREED = "agreed"
    """Against the rules, but counted because the table agreed."""


class FieldMessage(NamedTuple):
    """A message beside a field; `key` is that of the field, None for a message above all fields.

    `leads_to` is the key of the field to which a summary of the errors links. `source` and `url` are
    those of the rule that is broken, in words and in the rulebook.
    """

    key: str | None
    text: str
    leads_to: str | None
    tone: Tone = Tone.ERROR
    source: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class MessageWriter:
    """Writes the messages about a typed hand; `names` are those of the sides.

    `is_final`: the hand is to be saved, so nothing is pending. `is_agreed`: it counts although it
    breaks rules, because the table agreed.
    """

    parsed: TypedHand
    names: tuple[str, ...]
    words: Words
    is_final: bool
    is_agreed: bool

    def problem_message(self, problem: DraftProblem) -> FieldMessage:
        """The message about unreadable or missing input."""
        side = problem.side
        if side is None:
            side = side_of_key(problem.key)
        is_ambiguous = bool(problem.given)  # the cards typed can be read in two ways
        message_group = "typed.doubt" if is_ambiguous else "hand.error"
        text = self.words.t(
            f"{message_group}.{problem.reason}",
            limit=problem.limit,
            given=problem.given,
            side="" if side is None else self.names[side],
        )
        return FieldMessage(problem.key, self._name_side(text, side), leads_to=problem.key)

    def unusable_message(self, error: Unusable, where: Pointer) -> FieldMessage:
        """The message about a value that does not fit the rest of the hand, for example a last
        discard of several cards. `where` is its part of the hand.
        """
        key = self.parsed.key_at(where)
        message_key = f"hand.{error.reason}"
        if self.words.has(message_key):
            text = self.words.t(message_key, **error.arguments)
        else:
            text = error.message(self.words)
        return FieldMessage(key, self._name_side_of_key(text, key), leads_to=key)

    def finding_messages(self, finding: Finding) -> list[FieldMessage]:
        """The messages about a broken rule, one beside each of the fields that it concerns."""
        if finding.where == ("sides",):
            return self._messages_about_all_sides(finding)
        key = self.parsed.key_at(finding.where)
        meld = self._find_typed_meld(finding, key)
        tone = self._choose_tone(finding, key, meld)
        text = self._finding_in_words(finding, tone)
        if meld:
            text = self.words.t("hand.of-meld", meld=meld, text=text)
        return [
            FieldMessage(
                key=key,
                text=self._name_side_of_key(text, key),
                leads_to=key,
                tone=tone,
                source=self._source_in_words(finding),
                url=self._url_of_rule(finding),
            )
        ]

    def _messages_about_all_sides(self, finding: Finding) -> list[FieldMessage]:
        """The messages about cards of which the sides together have more than there are: the same
        one beside a field of each side that has such cards.

        The summary of the errors leads to the last of these fields.
        """
        keys = self._keys_with_excess_cards(finding)
        tone = self._choose_tone(finding, keys[-1] if keys else None, meld="")
        text = self._finding_in_words(finding, tone)
        if len(keys) == 1:
            text = self._name_side_of_key(text, keys[0])
        source = self._source_in_words(finding)
        url = self._url_of_rule(finding)
        if not keys:
            key_of_first_side = self.parsed.key_at(("sides", 0))
            return [FieldMessage(None, text, key_of_first_side, tone, source, url)]
        return [FieldMessage(key, text, keys[-1], tone, source, url) for key in keys]

    def _finding_in_words(self, finding: Finding, tone: Tone) -> str:
        """What is against the rules, and how to correct it unless the table agreed."""
        if tone is Tone.AGREED:
            return finding_without_remedy(finding, self.names, self.words)
        return finding_text(finding, self.names, self.words)

    def _find_typed_meld(self, finding: Finding, key: str | None) -> str:
        """The meld of a finding as typed in the field with this key; empty if it is about no single
        meld.
        """
        number = meld_number(finding.where)
        melds = meld_lines(self.parsed.typed_in(key)) if key else ()
        if number is None or number >= len(melds):
            return ""
        return melds[number]

    def _source_in_words(self, finding: Finding) -> str:
        """The source of the rule that is broken: a page of a book, or the rules of the house."""
        if not finding.sources:
            return self.words.t("standing.house")
        source = citations_in_words(finding.sources[:1], self.words)
        return self.words.t("hand.rule", source=source)

    def _url_of_rule(self, finding: Finding) -> str:
        """The address of the rule that is broken, in the rulebook."""
        return url_with_anchor(rules_url(self.parsed.rules), anchor("check", finding.code))

    def _name_side_of_key(self, text: str, key: str | None) -> str:
        """A message with the name of the side to which the field with this key belongs, if any."""
        side = side_of_key(key) if key else None
        return self._name_side(text, side)

    def _name_side(self, text: str, side: int | None) -> str:
        """A message with the name of its side, because the summary is far from the fields."""
        if side is None or self.names[side] in text:
            return text
        return self.words.t("hand.of-side", side=self.names[side], label=text)

    # ---------------------------------------------------------------- cards that the decks do not have

    def _keys_with_excess_cards(self, finding: Finding) -> list[str]:
        """The keys of the fields in which cards are typed of which there are too many: the last such
        field of each side, and the last discard.
        """
        kinds = _excess_kinds(finding)
        keys = []
        for column in self.parsed.columns:
            keys_of_side = []
            for name, text in column.texts.items():
                if self._has_cards_of(kinds, column.fields[name], text):
                    keys_of_side.append(column.fields[name].key)
            keys += keys_of_side[-1:]
        if _are_cards_of(kinds, self.parsed.typed_in(DISCARD)):
            keys.append(DISCARD)
        return keys

    def _has_cards_of(self, kinds: set[Kind], field: Field, text: str) -> bool:
        """Whether cards of these kinds are typed in a field, or counted in it."""
        if field.name == "melds" or field.kind == "cards":
            return _are_cards_of(kinds, text)
        for kind, name in _FIELDS_OF_THREES.items():
            if kind in kinds and field.name.startswith(name):
                return bool(read_sum(text, self.words.language))
        return False

    # ---------------------------------------------------------------- tones

    def _choose_tone(self, finding: Finding, key: str | None, meld: str) -> Tone:
        """How serious a finding is shown at the field with this key.

        It is pending, not yet an error, if the hand is still being typed and more cards can correct
        the `meld`, or all melds of the field if it is empty.
        """
        if not finding.is_error:
            return Tone.WARNING
        if self.is_agreed:
            return Tone.AGREED
        if self.is_final or key is None or group_of_key(key) != "melds":
            return Tone.ERROR
        is_going_out_untyped = OUT not in self.parsed.draft
        if finding.code == "black-threes-not-out" and is_going_out_untyped:
            return Tone.PENDING
        text = meld or self.parsed.draft.get(key, "")
        if can_grow(finding, text, self.parsed.rules.settings):
            return Tone.PENDING
        return Tone.ERROR


def _are_cards_of(kinds: set[Kind], text: str) -> bool:
    """Whether there are cards of these kinds among those of a text."""
    melds_in_notation = [to_notation(line) for line in meld_lines(text)]
    cards = read_cards(" ".join(melds_in_notation)).cards
    return any(cards.of(kind) for kind in kinds)


def _excess_kinds(finding: Finding) -> set[Kind]:
    """The kinds of cards of which there are too many. A finding that does not name any is about red
    threes.
    """
    kinds = set()
    excess = finding.arguments.get("excess")
    if isinstance(excess, tuple):
        for each in excess:
            if isinstance(each, Excess):
                kinds.add(each.kind)
    return kinds or {Kind.RED_THREE}


def can_grow(finding: Finding, text: str, settings: Settings) -> bool:
    """Whether more cards can correct a finding in the meld typed as `text`, or in all melds of a
    side.

    A meld of two kings is too short but can grow; one with two different ranks cannot be corrected
    by more cards.
    """
    reading = read_cards(to_notation(text))
    if finding.code == "card-unknown":
        return bool(reading.unknown) and _is_begun(text.split(), list(reading.unknown))

    meld = read_meld(reading.cards)
    if finding.code in ("meld-too-short", "opening-impossible"):
        return True
    if finding.code in ("meld-too-few-naturals", "meld-too-many-wilds"):
        rank = meld.ranks[0] if meld.ranks else FIRST_NATURAL
        return meld.wilds <= settings.most_wilds(MOST_TIMES, rank)
    if finding.code == "meld-kind-not-allowed":
        return _can_be_black_threes(meld, settings)
    if finding.code == "meld-sequence-broken":
        return _can_be_sequence(meld, settings)
    return False


def _can_be_black_threes(meld: Meld, settings: Settings) -> bool:
    """Whether a meld can become one of black threes, which some games allow when going out."""
    if settings.black_threes == "never":
        return False
    longest = settings.black_threes_longest
    if longest is not None and meld.size >= longest:
        return False
    may_have_wilds = settings.black_threes_wilds != "pure"
    return may_have_wilds or not meld.wilds


def _can_be_sequence(meld: Meld, settings: Settings) -> bool:
    """Whether a meld can become a sequence (cards of one suit in a row): its natural cards are of
    one suit and none is there twice, and it has wild cards only if sequences may have them.
    """
    suits = set()
    for _, suit, count in meld.cards.suited:
        if count > 1:
            return False
        suits.add(suit)
    if len(suits) != 1 or len(meld.cards.suited) != meld.naturals:
        return False
    return not meld.wilds or settings.sequences == "dirty"


_BEGUN = re.compile(r"[0-9]{1,2}(?:x[13]?)?", re.IGNORECASE | re.ASCII)
"""The beginning of a card: `4x`, `1` of `10`, `3` of `3b`."""


def _is_begun(words: list[str], unknown: list[str]) -> bool:
    """Whether the `unknown` words of a text are only its end, which is the beginning of a card: `4x`,
    or a number and the beginning of a name, `2 reg`.
    """
    is_end_of_text = words[-len(unknown) :] == unknown
    last_word = unknown[-1]
    words_before = unknown[:-1]
    if not is_end_of_text or len(words_before) > 1:
        return False
    if words_before and not words_before[0].isdigit():
        return False
    return _BEGUN.fullmatch(last_word) is not None or can_become_card_word(last_word)

"""The messages beside the fields of a hand: what is unreadable, missing, or against the rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, cast

from scorepad.i18n import Words
from scorepad.i18n.card_words import can_become_card_word
from scorepad.i18n.findings import describe_finding, describe_finding_without_remedy
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
from scorepad.web.hand_entry.findings_shown import find_meld_index
from scorepad.web.hand_fields import DISCARD, OUT, Field, group_of_key, side_of_key
from scorepad.web.rulebook_links import anchor, rules_url, url_with_anchor
from scorepad.web.side_column import SideColumn
from scorepad.web.typed_hand import TypedHand
from scorepad.web.typed_side import DraftProblem


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
    those of the rule that is broken, in words and in the rulebook. `meld` is the single meld that it
    is about, as it was typed; empty if it is about none.
    """

    key: str | None
    text: str
    leads_to: str | None
    tone: Tone = Tone.ERROR
    source: str = ""
    url: str = ""
    meld: str = ""


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

    def describe_problem(self, problem: DraftProblem) -> FieldMessage:
        """Write the message about a form field whose text is missing or cannot be read.

        It names the side to which the field belongs: "We: how many points are left in hand? (0 if
        none)".
        """
        side = problem.side
        if side is None:  # the key of most fields names it: `a.left`
            side = side_of_key(problem.key)
        side_name = ""
        if side is not None:
            side_name = self.names[side]

        text = self.words.t(
            _message_key_of_problem(problem),
            limit=problem.limit,
            given=problem.given,
            side=side_name,
        )
        text = self._put_side_name_before(text, side)
        return FieldMessage(problem.key, text, leads_to=problem.key)

    def describe_unusable_value(self, error: Unusable, where: Pointer) -> FieldMessage:
        """Write the message about a typed value with which the hand (round) cannot be scored.

        An example is a last discard of several cards where it must be one. `where` is the path to
        the part of the hand that has the value, such as `("out", "discard")`.
        """
        message_key = f"hand.{error.reason}"
        if self.words.has(message_key):
            text = self.words.t(message_key, **error.arguments)
        else:  # the page has no words of its own for this error
            text = error.message(self.words)

        key_of_field = self.parsed.key_at(where)
        text = self._put_side_of_field_before(text, key_of_field)
        return FieldMessage(key_of_field, text, leads_to=key_of_field)

    def describe_broken_rule(self, finding: Finding) -> list[FieldMessage]:
        """Write the messages about a rule of the game that the hand (round) breaks (`finding`).

        - two kings as a meld (a group of cards) of the first side → one message, beside the field
          for the melds of that side
        - nine kings in a game that has eight, on both sides together → one message for each side
          that has kings
        """
        is_about_cards_of_all_sides = finding.where == ("sides",)
        if is_about_cards_of_all_sides:
            return self._describe_too_many_cards(finding)
        return [self._describe_at_its_field(finding)]

    def _describe_at_its_field(self, finding: Finding) -> FieldMessage:
        """Write the message about a broken rule (`finding`) for the field where it is broken."""
        field_key = self.parsed.key_at(finding.where)
        meld = self._find_typed_meld(finding.where, field_key)  # empty if it is not about one meld
        tone = self._choose_tone(finding)
        if tone is Tone.ERROR and self._can_typing_on_correct(finding, field_key, meld):
            tone = Tone.PENDING
        text = self._write_broken_rule(finding, tone)
        if meld:
            text = self.words.t("hand.of-meld", meld=meld, text=text)  # "“{meld}”: {text}"
        text = self._put_side_of_field_before(text, field_key)
        return FieldMessage(
            key=field_key,
            text=text,
            leads_to=field_key,  # the line in the summary of the errors links to the same field
            tone=tone,
            source=self._name_source_of_rule(finding),
            url=self._url_of_rule(finding),
            meld=meld,
        )

    def _describe_too_many_cards(self, finding: Finding) -> list[FieldMessage]:
        """Write the messages about cards of which all sides together typed more than exist.

        With nine kings in a game that has eight, the same message stands beside one field of each
        side that has kings. It stands once above all fields if no field has any.
        """
        tone = self._choose_tone(finding)
        text = self._write_broken_rule(finding, tone)
        keys = self._find_fields_with_excess_cards(finding)
        if len(keys) == 1:  # the cards are all on one side, which the message then names
            text = self._put_side_of_field_before(text, keys[0])
        message_above_fields = FieldMessage(
            key=None,
            text=text,
            leads_to=self.parsed.key_at(("sides", 0)),  # the main field of the first side
            tone=tone,
            source=self._name_source_of_rule(finding),
            url=self._url_of_rule(finding),
        )
        if not keys:
            return [message_above_fields]
        # All lead to the same field, so that the summary of the errors has only one line.
        return [message_above_fields._replace(key=key, leads_to=keys[-1]) for key in keys]

    def _write_broken_rule(self, finding: Finding, tone: Tone) -> str:
        """Write the sentence about a broken rule (`finding`), and after it how to correct the hand.

        If the players agreed to count the hand (round) all the same, nothing is to be corrected,
        and only the first part is written.
        """
        if tone is Tone.AGREED:
            return describe_finding_without_remedy(finding, self.names, self.words)
        return describe_finding(finding, self.names, self.words)

    def _find_typed_meld(self, where: Pointer, key: str | None) -> str:
        """Find the text of one meld (a group of cards laid on the table) as it was typed: `4xQ`.

        `where` is the path to a part of the hand (round): `("sides", 0, "melds", 1)` is the second
        meld of the first side. `key` is the form field of its melds, in which each has a line.
        Empty if the part is not one single meld, or if the field has no such line.
        """
        index = find_meld_index(where)
        if index is None or key is None:
            return ""
        typed_melds = meld_lines(self.parsed.typed_in(key))
        if index >= len(typed_melds):
            return ""
        return typed_melds[index]

    def _name_source_of_rule(self, finding: Finding) -> str:
        """Say where the broken rule is written.

        - a rule of a book → "Rule: …" with the book and its page
        - a rule that the players made themselves → "agreed at the table"
        """
        if not finding.sources:
            return self.words.t("standing.house")  # "agreed at the table"
        source = citations_in_words(finding.sources[:1], self.words)
        return self.words.t("hand.rule", source=source)  # "Rule: {source}."

    def _url_of_rule(self, finding: Finding) -> str:
        """Return the address of the broken rule in the online rulebook."""
        return url_with_anchor(rules_url(self.parsed.rules), anchor("check", finding.code))

    def _put_side_of_field_before(self, text: str, key: str | None) -> str:
        """Put the name of the side to which a form field belongs before a text.

        For the field `a.left` → `We: …`. The text stays as it is if the field belongs to no side,
        or if the text has the name already.
        """
        if key is None:
            return text
        return self._put_side_name_before(text, side_of_key(key))

    def _put_side_name_before(self, text: str, side: int | None) -> str:
        """Put the name of a side before a text, `We: …`, unless the name is in the text already.

        In the summary above the form the text stands far from the column of the side, so it must
        name it.
        """
        if side is None:
            return text
        name = self.names[side]
        if name in text:
            return text
        return self.words.t("hand.of-side", side=name, label=text)  # "{side}: {label}"

    # ---------------------------------------------------------------- cards that the decks do not have

    def _find_fields_with_excess_cards(self, finding: Finding) -> list[str]:
        """Find the form fields beside which the message about too many cards is shown.

        For too many kings these are, for each side, the last of its fields in which kings are
        typed, and the field of the last discard if it is a king: `["a.melds", "b.left.0"]`.
        """
        kinds = _list_kinds_in_excess(finding)
        keys = []
        for column in self.parsed.columns:
            keys_of_side = self._find_fields_with_cards(column, kinds)
            if keys_of_side:
                keys.append(keys_of_side[-1])
        if _has_cards_of(kinds, self.parsed.typed_in(DISCARD)):
            keys.append(DISCARD)
        return keys

    def _find_fields_with_cards(self, column: SideColumn, kinds: set[Kind]) -> list[str]:
        """Find the form fields of one side in which cards of these kinds are typed, in page order.

        For kings, `4xK` typed as a meld and `K` as a card left in hand → `["a.melds", "a.left.0"]`.
        """
        keys = []
        for name, text in column.texts.items():
            field = column.fields[name]
            if field.name == "melds" or field.kind == "cards":
                has_cards = _has_cards_of(kinds, text)
            else:
                # A number of red threes, for example; one that is misread counts as some cards.
                is_number_of_them = _kind_counted_in(field) in kinds
                has_cards = is_number_of_them and read_sum(text, self.words.language) != 0
            if has_cards:
                keys.append(field.key)
        return keys

    # ---------------------------------------------------------------- tones

    def _choose_tone(self, finding: Finding) -> Tone:
        """Choose how a broken rule (`finding`) is shown.

        - as a warning, if the rule is no strict one
        - as agreed, if the players agreed to count the hand (round) all the same
        - else as an error
        """
        if not finding.is_error:
            return Tone.WARNING
        if self.is_agreed:
            return Tone.AGREED
        return Tone.ERROR

    def _can_typing_on_correct(self, error: Finding, key: str | None, meld: str) -> bool:
        """Tell whether the players may correct an error by typing on in the field with this key.

        Two kings are no meld (a group of at least three cards) yet, but a third king may follow.
        `meld` is the meld with the error, as typed; empty if all melds of the field have it.
        """
        if self.is_final:  # the players do not type on
            return False
        if key is None or group_of_key(key) != "melds":  # only melds are typed card by card
            return False
        if error.code == _BLACK_THREES_WITHOUT_GOING_OUT and OUT not in self.parsed.draft:
            return True  # it may still be typed that this side went out
        wrong_text = meld or self.parsed.draft.get(key, "")
        return can_more_cards_correct(error, wrong_text, self.parsed.rules.settings)


_BLACK_THREES_WITHOUT_GOING_OUT = "black-threes-not-out"
"""The finding that a side laid black threes on the table, which only a side that goes out may do."""


def _message_key_of_problem(problem: DraftProblem) -> str:
    """Return the key of the message about a text that is missing or cannot be read.

    - a number with a minus sign → `hand.error.minus`
    - `two eight`, which may be two cards or two eights → `typed.doubt.count`
    """
    if problem.given:  # cards that can be read in two ways, which the message quotes
        return f"typed.doubt.{problem.reason}"
    return f"hand.error.{problem.reason}"


# ------------------------------------------------------------------------------------ kinds of cards


def _list_kinds_in_excess(finding: Finding) -> set[Kind]:
    """List the kinds of cards of which all sides together typed more than exist, such as kings.

    `finding` is the broken rule: either the one for red threes, or the one for all other cards,
    which has the kinds in its arguments.
    """
    if finding.code == "red-threes-exceeded":
        return {Kind.RED_THREE}
    # A finding of another rule has arguments of other types. This rule has a tuple of `Excess`.
    cards_in_excess = cast("tuple[Excess, ...]", finding.arguments["excess"])
    return {card.kind for card in cards_in_excess}


def _kind_counted_in(field: Field) -> Kind | None:
    """Return the kind of card whose number is typed in a form field.

    - the field `red_threes` → red three
    - the field `black_threes_aside` → black three
    - the field `cards`, which takes points → None
    """
    if field.name.startswith("red_threes"):
        return Kind.RED_THREE
    if field.name.startswith("black_threes"):
        return Kind.BLACK_THREE
    return None


def _has_cards_of(kinds: set[Kind], text: str) -> bool:
    """Tell whether a text with cards has a card of one of these kinds.

    The text can have several lines: for kings, `4xQ` on one line and `3xK` on the next → True.
    """
    melds_in_notation = [to_notation(line) for line in meld_lines(text)]
    cards = read_cards(" ".join(melds_in_notation)).cards
    return any(cards.of(kind) for kind in kinds)


# ----------------------------------------------------------------------- what more cards can correct


_TOO_FEW_CARDS = ("meld-too-short", "opening-impossible")
"""The findings that a side laid too few cards: in one meld (a set of cards laid on the table), or for
the opening, the first melds of a hand, which must reach a minimum of points.
"""
_TOO_MANY_WILDS = ("meld-too-few-naturals", "meld-too-many-wilds")
"""The findings that a meld has too many wild cards, compared with the others or at all."""


def can_more_cards_correct(finding: Finding, text: str, settings: Settings) -> bool:
    """Tell whether more cards, typed after a text, can correct what is wrong in it (`finding`).

    The text has the cards of one meld (a group of cards laid on the table) or of several. If they
    can, the page does not show an error yet.

    - `K K` is too short for a meld → True, since a third king can follow
    - `K K Q` mixes two ranks → False
    """
    if finding.code in _TOO_FEW_CARDS:
        return True

    reading = read_cards(to_notation(text))
    if finding.code == "card-unknown":
        return _is_last_card_begun(text, reading.unknown)
    meld = read_meld(reading.cards)
    if finding.code in _TOO_MANY_WILDS:
        return _can_wild_cards_become_allowed(meld, settings)
    if finding.code == "meld-kind-not-allowed":  # only a meld of black threes has this fault
        return _can_become_black_threes(meld, settings)
    if finding.code == "meld-sequence-broken":
        return _can_become_sequence(meld, settings)
    return False


def _can_wild_cards_become_allowed(meld: Meld, settings: Settings) -> bool:
    """Tell whether more natural cards can make a meld allowed that has too many wild cards.

    A meld is a group of cards laid on the table. Jokers and twos are wild cards, all others
    natural. If the rules allow as many wild cards as natural ones, but at most three:

    - a king and two twos → True: with another king they are allowed
    - a king and four twos → False: they are too many, whatever is added
    """
    # Without natural cards so far, those of any rank may follow.
    rank = meld.ranks[0] if meld.ranks else FIRST_NATURAL
    # The more natural cards, the more wild ones are allowed: so many are added as can be typed.
    most_wilds = settings.most_wilds(naturals=MOST_TIMES, rank=rank)
    return meld.wilds <= most_wilds


def _can_become_black_threes(meld: Meld, settings: Settings) -> bool:
    """Tell whether the cards typed so far can become an allowed group of black threes.

    They cannot in these cases:

    - the game does not allow such a group at all
    - the group has as many cards as it may have, so that no black three can be added
    - it has wild cards (jokers and twos), and may have none
    """
    if settings.black_threes == "never":
        return False
    most_cards = settings.black_threes_longest  # None for no limit
    if most_cards is not None and meld.size >= most_cards:
        return False
    has_wilds = meld.wilds > 0
    may_have_wilds = settings.black_threes_wilds != "pure"
    return may_have_wilds or not has_wilds


def _can_become_sequence(meld: Meld, settings: Settings) -> bool:
    """Tell whether the cards typed so far can become a sequence, such as 9 8 7 of hearts.

    They can if they are different cards of one suit: cards between them can still follow. Only
    some games allow wild cards (jokers and twos) in sequences.
    """
    suits = {cards.suit for cards in meld.cards.suited}
    if len(suits) != 1:
        return False
    has_card_twice = any(cards.number > 1 for cards in meld.cards.suited)
    if has_card_twice:
        return False
    number_with_suit = sum(cards.number for cards in meld.cards.suited)
    if number_with_suit != meld.naturals:  # `9h 8`: one card was typed without its suit
        return False
    has_wilds = meld.wilds > 0
    may_have_wilds = settings.sequences == "dirty"  # as such a sequence is called
    return may_have_wilds or not has_wilds


def _is_last_card_begun(text: str, unknown_words: tuple[str, ...]) -> bool:
    """Tell whether all that cannot be read in a text is its last card, which is still being typed.

    - `K 4x`, of which `4x` is unknown → True: it can become `4xQ`
    - `K 1 reg`, of which `1` and `reg` are unknown → True: it can become "1 regina", a queen
    - `reg K`, of which `reg` is unknown → False: it is not the last word
    """
    if not unknown_words:
        return False
    are_last_words = text.split()[-len(unknown_words) :] == list(unknown_words)
    if not are_last_words:
        return False
    *words_before, last_word = unknown_words
    # The name of one card has at most a number before it.
    has_only_number_before = len(words_before) == 1 and words_before[0].isdigit()
    is_one_card = not words_before or has_only_number_before
    return is_one_card and _is_beginning_of_card(last_word)


_BEGINNING_OF_CARD = re.compile(r"[0-9]{1,2}(?:x[13]?)?", re.IGNORECASE | re.ASCII)
"""The beginning of a card that is not a word: `4x` of `4xK`, `1` of `10`, `3` of `3b`."""


def _is_beginning_of_card(word: str) -> bool:
    """Tell whether a word can become a card when more of it is typed.

    - `4x` → True, as in `4xK`
    - `que` → True, as in `queen`
    - `foo` → False
    """
    return _BEGINNING_OF_CARD.fullmatch(word) is not None or can_become_card_word(word)

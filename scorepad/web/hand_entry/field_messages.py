"""The messages beside the fields of a hand: what is unreadable, missing, or against the rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, cast

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
from scorepad.web.side_column import SideColumn
from scorepad.web.side_reader import DraftProblem
from scorepad.web.typed_hand import TypedHand


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

    def problem_message(self, problem: DraftProblem) -> FieldMessage:
        """The message about input that cannot be read or is missing, beside its field."""
        side = problem.side
        if side is None:
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
        text = self._name_side(text, side)
        return FieldMessage(problem.key, text, leads_to=problem.key)

    def unusable_message(self, error: Unusable, where: Pointer) -> FieldMessage:
        """The message about a value that does not fit the rest of the hand, for example a last
        discard of several cards. `where` is its part of the hand.
        """
        message_key = f"hand.{error.reason}"
        if self.words.has(message_key):
            text = self.words.t(message_key, **error.arguments)
        else:  # the page has no words of its own for this error
            text = error.message(self.words)

        key_of_field = self.parsed.key_at(where)
        text = self._name_side_of_key(text, key_of_field)
        return FieldMessage(key_of_field, text, leads_to=key_of_field)

    def finding_messages(self, finding: Finding) -> list[FieldMessage]:
        """The messages about a broken rule.

        That is one message, beside the field with what breaks the rule. If all sides together have
        more of a card than there are, each side that has some of them gets the message.
        """
        is_about_cards_of_all_sides = finding.where == ("sides",)
        if is_about_cards_of_all_sides:
            return self._excess_messages(finding)
        return [self._message_at_its_field(finding)]

    def _message_at_its_field(self, finding: Finding) -> FieldMessage:
        """The message about a broken rule, beside the field with the part of the hand that breaks
        it.

        If that part is a single meld, the message begins with the meld as it was typed.
        """
        key = self.parsed.key_at(finding.where)
        meld = self._typed_meld_at(finding.where, key)
        tone = self._choose_tone_at_field(finding, key, meld)

        text = self._finding_in_words(finding, tone)
        if meld:
            text = self.words.t("hand.of-meld", meld=meld, text=text)
        text = self._name_side_of_key(text, key)
        message = self._message_with_source(finding, text, tone, key=key, leads_to=key)
        return message._replace(meld=meld)

    def _excess_messages(self, finding: Finding) -> list[FieldMessage]:
        """The messages about cards of which all sides together have more than there are.

        The same message stands beside a field of each side that has such cards, and the summary of
        the errors leads to the last of these fields. If there is no such field, the message stands
        above all fields.
        """
        tone = self._choose_tone(finding)
        text = self._finding_in_words(finding, tone)
        keys = self._keys_with_excess_cards(finding)
        if not keys:
            first_side_key = self.parsed.key_at(("sides", 0))
            message = self._message_with_source(
                finding, text, tone, key=None, leads_to=first_side_key
            )
            return [message]

        last_key = keys[-1]
        if len(keys) == 1:
            text = self._name_side_of_key(text, last_key)
        messages = []
        for key in keys:
            message = self._message_with_source(finding, text, tone, key=key, leads_to=last_key)
            messages.append(message)
        return messages

    def _message_with_source(
        self, finding: Finding, text: str, tone: Tone, *, key: str | None, leads_to: str | None
    ) -> FieldMessage:
        """The message with this text, and with the source and the address of the broken rule."""
        return FieldMessage(
            key=key,
            text=text,
            leads_to=leads_to,
            tone=tone,
            source=self._source_in_words(finding),
            url=self._url_of_rule(finding),
        )

    def _finding_in_words(self, finding: Finding, tone: Tone) -> str:
        """What is against the rules, and how to correct it unless the table agreed."""
        if tone is Tone.AGREED:
            return finding_without_remedy(finding, self.names, self.words)
        return finding_text(finding, self.names, self.words)

    def _typed_meld_at(self, where: Pointer, key: str | None) -> str:
        """A meld as it was typed, for example `4xQ` for the part `("sides", 0, "melds", 1)` of the
        hand: the second meld in the field with this key.

        Empty if the part is not a single meld, or if the field does not have it.
        """
        index = meld_number(where)
        if index is None or key is None:
            return ""
        typed_melds = meld_lines(self.parsed.typed_in(key))
        if index >= len(typed_melds):
            return ""
        return typed_melds[index]

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
        """The keys of the fields beside which the message about too many cards stands: the last
        field of each side in which such cards are typed, and the last discard if it is one of them.
        """
        kinds = _excess_kinds(finding)
        keys = []
        for column in self.parsed.columns:
            key = self._last_key_with_cards(column, kinds)
            if key is not None:
                keys.append(key)
        if _are_cards_in_text(self.parsed.typed_in(DISCARD), kinds):
            keys.append(DISCARD)
        return keys

    def _last_key_with_cards(self, column: SideColumn, kinds: set[Kind]) -> str | None:
        """The key of the last field of a side with cards of one of these kinds; None if no field has
        any.
        """
        last_key = None
        for name, text in column.texts.items():
            field = column.fields[name]
            if self._are_cards_in_field(field, text, kinds):
                last_key = field.key
        return last_key

    def _are_cards_in_field(self, field: Field, text: str, kinds: set[Kind]) -> bool:
        """Whether the text of a field says that the side has cards of one of these kinds.

        In a field for melds or held cards `3xK` are kings; in the field `red_threes` the text `2`
        says that there are two red threes.
        """
        if field.name == "melds" or field.kind == "cards":
            return _are_cards_in_text(text, kinds)
        if _kind_counted_in(field) not in kinds:
            return False
        number_of_threes = read_sum(text, self.words.language)
        is_none_typed = number_of_threes in (None, 0)  # a text that is no number may be any
        return not is_none_typed

    # ---------------------------------------------------------------- tones

    def _choose_tone(self, finding: Finding) -> Tone:
        """How serious a broken rule is, if nothing typed later can change it."""
        if not finding.is_error:
            return Tone.WARNING
        if self.is_agreed:
            return Tone.AGREED
        return Tone.ERROR

    def _choose_tone_at_field(self, finding: Finding, key: str | None, meld: str) -> Tone:
        """How serious a broken rule is shown at the field with this key: pending, not yet an error,
        if the table may correct it by typing on.

        `meld` is the single meld that breaks the rule, as typed; empty if it is not about one.
        """
        tone = self._choose_tone(finding)
        if tone is not Tone.ERROR or self.is_final or key is None:
            return tone
        if group_of_key(key) != "melds":  # only melds are typed card by card
            return tone
        melds_text = meld
        if not melds_text:
            melds_text = self.parsed.draft.get(key, "")
        if self._may_be_kept_later(finding, melds_text):
            return Tone.PENDING
        return tone

    def _may_be_kept_later(self, finding: Finding, melds_text: str) -> bool:
        """Whether the rule that is broken now may be kept once the rest of the hand is typed: more
        cards of these melds, or who went out.
        """
        is_going_out_untyped = OUT not in self.parsed.draft
        if finding.code == "black-threes-not-out" and is_going_out_untyped:
            return True  # a side may lay black threes if it goes out
        return can_cards_correct(finding, melds_text, self.parsed.rules.settings)


def _message_key_of_problem(problem: DraftProblem) -> str:
    """The key of the message about input that cannot be read or is missing: `hand.error.minus`."""
    if problem.given:  # cards that can be read in two ways, which the message quotes
        return f"typed.doubt.{problem.reason}"
    return f"hand.error.{problem.reason}"


# ------------------------------------------------------------------------------------ kinds of cards


def _excess_kinds(finding: Finding) -> set[Kind]:
    """The kinds of cards of which the sides together have more than the decks hold.

    The rule about red threes names no cards. The rule about all other cards has an argument
    `excess`, with a kind and a number for each card that is there too often.
    """
    if finding.code == "red-threes-exceeded":
        return {Kind.RED_THREE}
    kinds = set()
    for excess in cast("tuple[Excess, ...]", finding.arguments["excess"]):
        kinds.add(excess.kind)
    return kinds


def _kind_counted_in(field: Field) -> Kind | None:
    """The kind of threes that a field counts: `red_threes` counts red threes, and
    `black_threes_aside` black ones. None for a field that counts something else.
    """
    if field.name.startswith("red_threes"):
        return Kind.RED_THREE
    if field.name.startswith("black_threes"):
        return Kind.BLACK_THREE
    return None


def _are_cards_in_text(text: str, kinds: set[Kind]) -> bool:
    """Whether the cards of a text, in one meld or several, include one of these kinds."""
    melds_in_notation = [to_notation(line) for line in meld_lines(text)]
    cards = read_cards(" ".join(melds_in_notation)).cards
    return any(cards.of(kind) for kind in kinds)


# ----------------------------------------------------------------------- what more cards can correct


def can_cards_correct(finding: Finding, text: str, settings: Settings) -> bool:
    """Whether more cards in the melds of a text can correct the rule that they break.

    Two kings are too few cards for a meld, but a third king can follow. A king and a queen are of
    different ranks, whatever follows.
    """
    reading = read_cards(to_notation(text))
    meld = read_meld(reading.cards)
    if finding.code == "card-unknown":
        return _is_last_card_begun(text, reading.unknown)
    if finding.code in ("meld-too-short", "opening-impossible"):
        return True  # there are too few cards
    if finding.code in ("meld-too-few-naturals", "meld-too-many-wilds"):
        return _can_naturals_outweigh_wilds(meld, settings)
    if finding.code == "meld-kind-not-allowed":
        return _can_be_black_threes(meld, settings)
    if finding.code == "meld-sequence-broken":
        return _can_be_sequence(meld, settings)
    return False


def _can_naturals_outweigh_wilds(meld: Meld, settings: Settings) -> bool:
    """Whether the wild cards of a meld are allowed once more natural cards (all but jokers and twos)
    are laid to them.

    Often a meld may not have more wild cards than natural ones, and never more than three: two twos
    beside a king can be mended by another king, four twos cannot.
    """
    rank = FIRST_NATURAL  # a meld of wild cards alone can get natural cards of any rank
    if meld.ranks:
        rank = meld.ranks[0]
    most_naturals = MOST_TIMES  # the most cards that can be typed
    return meld.wilds <= settings.most_wilds(most_naturals, rank)


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


def _is_last_card_begun(text: str, unknown_words: tuple[str, ...]) -> bool:
    """Whether the unknown words of a text are only a card at its end that is still being typed.

    `K 4x` ends in `4x`, from which `4xQ` can come; `1 reg` is a number and the beginning of
    "regina", a queen. In `reg K` the unknown word is not the last one, so it stays unknown.
    """
    words = tuple(text.split())
    match unknown_words:
        case (last_word,):
            is_end_of_text = words[-1:] == unknown_words
            return is_end_of_text and _is_beginning_of_card(last_word)
        case (number, last_word):
            is_end_of_text = words[-2:] == unknown_words
            return is_end_of_text and number.isdigit() and _is_beginning_of_card(last_word)
    return False


_BEGINNING_OF_CARD = re.compile(r"[0-9]{1,2}(?:x[13]?)?", re.IGNORECASE | re.ASCII)
"""The beginning of a card that is not a word: `4x` of `4xK`, `1` of `10`, `3` of `3b`."""


def _is_beginning_of_card(word: str) -> bool:
    """Whether more characters could complete a word to a card: `4x` to `4xK`, `que` to `queen`."""
    return _BEGINNING_OF_CARD.fullmatch(word) is not None or can_become_card_word(word)

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

    def problem_message(self, problem: DraftProblem) -> FieldMessage:
        """The message about a form field whose text is missing or cannot be read, to stand beside it.

        It begins with the name of the side to which the field belongs, if it belongs to one.
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
        text = self._name_side(text, side)
        return FieldMessage(problem.key, text, leads_to=problem.key)

    def unusable_message(self, error: Unusable, where: Pointer) -> FieldMessage:
        """The message about a typed value with which the hand cannot be scored, for example a last
        discard of several cards. `where` is the part of the hand that has the value.
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
        """The messages about a rule that the hand breaks (`finding`).

        That is one message, beside the form field with what breaks the rule. If all sides together
        have more of a card than there are, each side that has some of them gets the message.
        """
        is_about_cards_of_all_sides = finding.where == ("sides",)
        if is_about_cards_of_all_sides:
            return self._excess_messages(finding)
        return [self._message_at_its_field(finding)]

    def _message_at_its_field(self, finding: Finding) -> FieldMessage:
        """The message about a rule that the hand breaks (`finding`), to stand beside the form field
        with the part of the hand that breaks it.
        """
        key = self.parsed.key_at(finding.where)
        meld = self._typed_meld_at(finding.where, key)  # empty if the rule is not about one meld
        tone = self._choose_tone_at_field(finding, key, meld)
        text = self._text_at_field(finding, tone, key=key, meld=meld)
        return FieldMessage(
            key=key,
            text=text,
            leads_to=key,
            tone=tone,
            source=self._source_in_words(finding),
            url=self._url_of_rule(finding),
            meld=meld,
        )

    def _text_at_field(self, finding: Finding, tone: Tone, *, key: str | None, meld: str) -> str:
        """The text of a message about a broken rule, beside the field with this key: `We: “2xK”: …`.

        The name of the side comes first, if the field belongs to one. Then come the cards of the
        meld (a set of cards laid on the table), as typed, unless `meld` is empty.
        """
        text = self._finding_in_words(finding, tone)
        if meld:
            text = self.words.t("hand.of-meld", meld=meld, text=text)
        return self._name_side_of_key(text, key)

    def _excess_messages(self, finding: Finding) -> list[FieldMessage]:
        """The messages about cards of which the sides together typed more than exist, such as nine
        kings where the decks have eight; `finding` says which cards.

        The same message stands beside a field of each side that has such cards. If no field has any,
        it stands once above all fields.
        """
        tone = self._choose_tone(finding)
        text = self._finding_in_words(finding, tone)
        source = self._source_in_words(finding)
        url = self._url_of_rule(finding)
        keys = self._keys_with_excess_cards(finding)
        if not keys:
            main_field_of_first_side = self.parsed.key_at(("sides", 0))
            return [FieldMessage(None, text, main_field_of_first_side, tone, source, url)]

        if len(keys) == 1:
            text = self._name_side_of_key(text, keys[0])
        # All messages lead to the same field, so that the summary of the errors has only one line.
        field_of_summary = keys[-1]
        return [FieldMessage(key, text, field_of_summary, tone, source, url) for key in keys]

    def _finding_in_words(self, finding: Finding, tone: Tone) -> str:
        """A sentence about a rule that the hand breaks (`finding`), and how to correct the hand.

        How to correct it is left out if the players agreed to count the hand all the same.
        """
        if tone is Tone.AGREED:
            return finding_without_remedy(finding, self.names, self.words)
        return finding_text(finding, self.names, self.words)

    def _typed_meld_at(self, where: Pointer, key: str | None) -> str:
        """The text of one meld (a set of cards laid on the table) as it was typed in the form: `4xQ`.

        `where` is the part of the hand, such as `("sides", 0, "melds", 1)` for the second meld of
        the first side, and `key` the form field in which the melds are typed, one on each line.
        Empty if the part is not a single meld, or if the field does not have it.
        """
        index = find_meld_index(where)
        if index is None or key is None:
            return ""
        typed_melds = meld_lines(self.parsed.typed_in(key))
        if index >= len(typed_melds):
            return ""
        return typed_melds[index]

    def _source_in_words(self, finding: Finding) -> str:
        """Where the rule that is broken is written: in a book, with the page, or in the rules that
        the players made themselves.
        """
        if not finding.sources:
            return self.words.t("standing.house")
        source = citations_in_words(finding.sources[:1], self.words)
        return self.words.t("hand.rule", source=source)

    def _url_of_rule(self, finding: Finding) -> str:
        """The address of the rule that is broken, in the rulebook."""
        return url_with_anchor(rules_url(self.parsed.rules), anchor("check", finding.code))

    def _name_side_of_key(self, text: str, key: str | None) -> str:
        """A text with the name of the side to which the field with this key belongs: `We: …`.

        The text stays as it is if the field belongs to no side, or if the text has the name already.
        """
        if key is None:
            return text
        return self._name_side(text, side_of_key(key))

    def _name_side(self, text: str, side: int | None) -> str:
        """A text with the name of a side before it, `We: …`, unless the name is in the text already.

        The summary of the errors needs the name, because it is far from the column of the side.
        """
        if side is None:
            return text
        name = self.names[side]
        if name in text:
            return text
        return self.words.t("hand.of-side", side=name, label=text)

    # ---------------------------------------------------------------- cards that the decks do not have

    def _keys_with_excess_cards(self, finding: Finding) -> list[str]:
        """The keys of the form fields beside which the message about too many cards (`finding`)
        stands: `["a.melds", "b.left.0"]`.

        They are the last field of each side in which such cards are typed, and the field of the
        last discard if it has such a card.
        """
        kinds = _excess_kinds(finding)
        keys = []
        for column in self.parsed.columns:
            keys_of_side = self._keys_with_cards(column, kinds)
            if keys_of_side:
                keys.append(keys_of_side[-1])
        if _has_cards_of(kinds, self.parsed.typed_in(DISCARD)):
            keys.append(DISCARD)
        return keys

    def _keys_with_cards(self, column: SideColumn, kinds: set[Kind]) -> list[str]:
        """The keys of the form fields of a side in which cards of one of these kinds are typed, in
        the order of the page: `["a.melds", "a.left.0"]`.
        """
        keys = []
        for name, text in column.texts.items():
            field = column.fields[name]
            if self._says_cards_of(kinds, field, text):
                keys.append(field.key)
        return keys

    def _says_cards_of(self, kinds: set[Kind], field: Field, text: str) -> bool:
        """Whether the text of a field says that the side has cards of one of these kinds.

        In a field for melds or held cards `3xK` are kings; in the field `red_threes` the text `2`
        says that there are two red threes. A number that cannot be read counts as some cards.
        """
        is_for_cards = field.name == "melds" or field.kind == "cards"
        if is_for_cards:
            return _has_cards_of(kinds, text)
        is_for_number_of_cards = _kind_counted_in(field) in kinds
        if not is_for_number_of_cards:
            return False
        number_of_cards = read_sum(text, self.words.language)
        return number_of_cards is not None and number_of_cards != 0

    # ---------------------------------------------------------------- tones

    def _choose_tone(self, finding: Finding) -> Tone:
        """How serious a rule that the hand breaks (`finding`) is shown: as an error, a warning, or
        agreed to by the players.
        """
        if not finding.is_error:
            return Tone.WARNING
        if self.is_agreed:
            return Tone.AGREED
        return Tone.ERROR

    def _choose_tone_at_field(self, finding: Finding, key: str | None, meld: str) -> Tone:
        """How serious a broken rule is shown beside a form field: an error is only pending as long as
        the players may correct it by typing on.

        `meld` is the one meld (a set of cards laid on the table) that breaks the rule, as typed; it
        is empty if the rule is about all melds of the field.
        """
        tone = self._choose_tone(finding)
        if tone is not Tone.ERROR:
            return tone
        if self.is_final:  # the players do not type on
            return Tone.ERROR
        if key is None or group_of_key(key) != "melds":  # only melds are typed card by card
            return Tone.ERROR

        text_of_melds = meld
        if not text_of_melds:
            text_of_melds = self.parsed.draft.get(key, "")
        if self._may_typing_correct(finding, text_of_melds):
            return Tone.PENDING
        return Tone.ERROR

    def _may_typing_correct(self, finding: Finding, text_of_melds: str) -> bool:
        """Whether a rule that is broken now (`finding`) may be kept once the hand is typed completely.

        Still to be typed may be more cards of the melds in this text, or which side went out (ended
        the hand by playing its last card).
        """
        if finding.code == _ONLY_WHEN_GOING_OUT and OUT not in self.parsed.draft:
            return True  # the side may be the one that went out
        return can_more_cards_correct(finding, text_of_melds, self.parsed.rules.settings)


_ONLY_WHEN_GOING_OUT = "black-threes-not-out"
"""The finding that a side laid black threes on the table, which only a side that goes out may do."""


def _message_key_of_problem(problem: DraftProblem) -> str:
    """The key under which the translations have the message about input that cannot be read or is
    missing: `hand.error.minus` for a number with a minus sign.
    """
    if problem.given:  # cards that can be read in two ways, which the message quotes
        return f"typed.doubt.{problem.reason}"
    return f"hand.error.{problem.reason}"


# ------------------------------------------------------------------------------------ kinds of cards


def _excess_kinds(finding: Finding) -> set[Kind]:
    """The kinds of cards of which the sides together have more than the decks hold, such as kings.

    `finding` says which rule is broken: that about red threes, or that about all other cards, which
    lists the cards that are there too often.
    """
    if finding.code == "red-threes-exceeded":
        return {Kind.RED_THREE}
    # The type of the arguments of a finding is that of all rules: this rule has a list of Excess.
    cards_in_excess = cast("tuple[Excess, ...]", finding.arguments["excess"])
    return {card.kind for card in cards_in_excess}


def _kind_counted_in(field: Field) -> Kind | None:
    """The kind of card whose number is typed in a form field: in `red_threes` red threes, in
    `black_threes_aside` black ones. None for a field in which something else is typed.
    """
    if field.name.startswith("red_threes"):
        return Kind.RED_THREE
    if field.name.startswith("black_threes"):
        return Kind.BLACK_THREE
    return None


def _has_cards_of(kinds: set[Kind], text: str) -> bool:
    """Whether a text with cards, such as `3xK Q` on one line or several, has a card of these kinds."""
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
    """Whether cards typed after a text can correct what is wrong in it (`finding`).

    The text has the cards of one meld (a set of cards laid on the table) or of several. Two kings
    are too few for a meld, but a third king can follow. If a meld mixes kings and queens, no
    further card can correct that.
    """
    if finding.code in _TOO_FEW_CARDS:
        return True

    reading = read_cards(to_notation(text))
    if finding.code == "card-unknown":
        return _is_last_card_begun(text, reading.unknown)
    meld = read_meld(reading.cards)
    if finding.code in _TOO_MANY_WILDS:
        return _may_have_its_wilds(meld, settings)
    if finding.code == "meld-kind-not-allowed":
        return _can_be_black_threes(meld, settings)
    if finding.code == "meld-sequence-broken":
        return _can_be_sequence(meld, settings)
    return False


def _may_have_its_wilds(meld: Meld, settings: Settings) -> bool:
    """Whether a meld (a set of cards) may have as many wild cards (jokers and twos) as it has, once
    enough natural cards (all others) are added.

    In many games there may be as many wild cards as natural ones, but never more than three: a king
    and two twos are allowed with another king, four twos are not with any number of kings.
    """
    rank = FIRST_NATURAL  # to wild cards alone, natural cards of any rank can be added
    if meld.ranks:
        rank = meld.ranks[0]
    many_naturals = MOST_TIMES  # more cannot be typed
    most_wilds = settings.most_wilds(naturals=many_naturals, rank=rank)
    return meld.wilds <= most_wilds


def _can_be_black_threes(meld: Meld, settings: Settings) -> bool:
    """Whether the cards typed so far can become a set of black threes, once these are added.

    Many games do not allow such a set, others only up to a number of cards, or without wild cards
    (jokers and twos).
    """
    if settings.black_threes == "never":
        return False
    most_cards = settings.black_threes_longest  # None for no limit
    if most_cards is not None and meld.size >= most_cards:
        return False  # no black three can be added
    has_wilds = meld.wilds > 0
    if has_wilds and settings.black_threes_wilds == "pure":
        return False
    return True


def _can_be_sequence(meld: Meld, settings: Settings) -> bool:
    """Whether the cards typed so far can become a sequence: cards of one suit in a row, none twice.

    They need not be in a row yet, since further cards can fill the gaps. Wild cards (jokers and twos)
    have no suit, and not all games allow them in sequences.
    """
    cards_with_suit = meld.cards.suited
    suits = {cards.suit for cards in cards_with_suit}
    has_card_twice = any(cards.number > 1 for cards in cards_with_suit)
    if len(suits) != 1 or has_card_twice:
        return False
    has_naturals_without_suit = len(cards_with_suit) != meld.naturals
    if has_naturals_without_suit:
        return False
    has_wilds = meld.wilds > 0
    if has_wilds:
        return settings.sequences == "dirty"  # the setting with wild cards in sequences
    return True


def _is_last_card_begun(text: str, unknown_words: tuple[str, ...]) -> bool:
    """Whether all that cannot be read in a text of cards is its last card, still being typed.

    `K 4x`: the unknown word `4x` can become `4xQ`. `K 1 reg`: the two unknown words `1` and `reg`
    can become "1 regina", a queen. `reg K`: the unknown word is not the last one.
    """
    last_words = text.split()[-len(unknown_words) :]
    if last_words != list(unknown_words):
        return False
    match unknown_words:
        case (word,):
            return _is_beginning_of_card(word)
        case (number, word):
            return number.isdigit() and _is_beginning_of_card(word)
    return False  # more words than a card has


_BEGINNING_OF_CARD = re.compile(r"[0-9]{1,2}(?:x[13]?)?", re.IGNORECASE | re.ASCII)
"""The beginning of a card that is not a word: `4x` of `4xK`, `1` of `10`, `3` of `3b`."""


def _is_beginning_of_card(word: str) -> bool:
    """Whether more characters could complete a word to a card: `4x` to `4xK`, `que` to `queen`."""
    return _BEGINNING_OF_CARD.fullmatch(word) is not None or can_become_card_word(word)

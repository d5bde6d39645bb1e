"""The page of a hand: its grid with a row for each field and a column for each side, and its panels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from flask import url_for

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words
from scorepad.i18n.settings_in_words import family_word
from scorepad.i18n.typed_cards import to_notation
from scorepad.matches.events import HandPenalty, HandState
from scorepad.matches.hands import Draft
from scorepad.matches.projection import MatchState
from scorepad.rules.cards import Cards, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE
from scorepad.rules.judging import Turn
from scorepad.rules.score_lines import Line
from scorepad.rules.settings import OutBonus, Settings
from scorepad.rules.table import Meld, find_kind_of_canasta, find_kind_of_incomplete_meld, read_meld
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.sheets.score_table import LineKey, line_label
from scorepad.storage.rows import OpenHand
from scorepad.web import hand_fields
from scorepad.web.card_lines import CARD_KEYS, meld_in_words, meld_kind_in_words
from scorepad.web.field_texts import (
    CONCEALED_MARK,
    HAND_SEPARATOR,
    ZERO,
    meld_lines,
    without_concealed_mark,
)
from scorepad.web.filled_draft import fill_draft
from scorepad.web.forms import is_sum
from scorepad.web.hand_entry.field_messages import FieldMessage, Tone
from scorepad.web.hand_entry.report import Report
from scorepad.web.hand_fields import Field, PagePart, field_key, side_of_key
from scorepad.web.open_hand import noted_penalty_text
from scorepad.web.presenters import own_side_first
from scorepad.web.rulebook_links import line_anchor, rules_url, url_with_anchor
from scorepad.web.typed_hand import TypedHand

_PENALTY_GROUPS = ("penalties", HOUSE)
"""The groups of form fields in which penalties are typed, of the rules and of the table itself."""
OUT_ITEM = "out"
"""The scored item of going out, whose row of the grid is a question."""


class Side(NamedTuple):
    """A side before the hand: its score in the match, and the minimum of points with which it may
    open (lay its first melds), None for none.

    `players` are the names, which may be empty, of those who play in this hand, by index.
    """

    position: int
    key: str
    name: str
    before: int
    minimum: int | None
    players: dict[int, str]


class NotedLine(NamedTuple):
    """A noted penalty on the page: its entry of the log, its words, its points."""

    entry: int
    text: str
    points: int


class TypedMeld(NamedTuple):
    """A meld as typed in its `line`, and as read.

    `cards_text` is the line without the mark `*` of a concealed meld, one that was laid down whole.
    """

    line: str
    cards_text: str
    meld: Meld
    is_concealed: bool


class Answer(NamedTuple):
    """An answer to a question of the form that can be chosen: its id on the page, the value that is
    sent, and the name on it.
    """

    id: str
    value: str
    label: str
    is_chosen: bool


class WhyUnscored(StrEnum):
    """Why a side of a hand has no score yet; the values are the ends of message keys."""

    ERROR = "mending"
    """An error has to be corrected first."""
    MISSING = "all"
    """Something is not typed yet."""


class MatchHand(NamedTuple):
    """A hand being entered: the open one, or a `past` one being corrected.

    `contests`: the other side counts the past hand separately; the first count is kept.
    """

    state: MatchState
    number: int
    sides: tuple[Side, ...]
    open_hand: OpenHand | None = None
    past: HandState | None = None
    contests: bool = False

    @property
    def url(self) -> str:
        """The address of the page with the form of this hand.

        There are three such pages: to enter the hand that is being played, to correct one that was
        counted, and to contest one, which is to count it again for the other side.
        """
        match_id = self.state.id
        if self.past is None:
            return url_for("hand_entry.page", match=match_id)
        if self.contests:
            return url_for("hand_entry.contest", match=match_id, number=self.number)
        return url_for("hand_entry.correct", match=match_id, number=self.number)

    @property
    def stored_id(self) -> str:
        """The id of the open hand, which is stored as it is typed; empty for a past hand."""
        return self.open_hand.id if self.open_hand else ""

    @property
    def stored_version(self) -> int:
        """The version of the stored fields of the open hand; 0 if none are stored."""
        return self.open_hand.version if self.open_hand else 0

    @property
    def count_entry(self) -> int:
        """The number of the log entry with the last count of a past hand; 0 for the open hand."""
        return self.past.versions[-1].sequence if self.past else 0

    @property
    def last_device(self) -> str:
        """The id of the phone that last stored the fields of a hand being played, or last counted a
        hand that is over; empty if none did.
        """
        if self.past:
            return self.past.versions[-1].device
        if self.open_hand:
            return self.open_hand.device
        return ""

    @property
    def noted_penalties(self) -> tuple[HandPenalty, ...]:
        """The penalties that were recorded while the hand was being played, and count besides those
        typed in the form. A hand that is over has none: all its penalties are in the form.
        """
        if self.past:
            return ()
        return self.state.noted_penalties

    @property
    def noted_entries(self) -> str:
        """The numbers of the log entries of `noted_penalties`: `17 21`."""
        return " ".join(str(penalty.entry) for penalty in self.noted_penalties)

    @property
    def draft(self) -> Draft:
        """The texts with which the fields of the form are filled, by key: `{"a.melds": "4xQ"}`.

        They are those stored while the hand is being played, or those with which a past hand was
        last counted.
        """
        if self.past:
            return _draft_of_past_hand(self.past, self.state.rules)
        if self.open_hand:
            return self.open_hand.draft
        return {}


def match_open_hand(state: MatchState, open_hand: OpenHand) -> MatchHand:
    """The hand that is being played, for the page on which it is entered: its number, the sides with
    their scores before the hand, and the fields stored so far.
    """
    sides = []
    for position, side in enumerate(state.sides):
        side_before_hand = Side(
            position=position,
            key=SIDE_KEYS[position],
            name=side.name,
            before=side.total,
            minimum=side.minimum,
            players=_players_in_turn(state, position, state.next_turn),
        )
        sides.append(side_before_hand)
    return MatchHand(state, len(state.hands) + 1, tuple(sides), open_hand)


def match_past_hand(state: MatchState, past: HandState, *, contests: bool = False) -> MatchHand:
    """A hand that was counted before, for the page on which it is corrected: its number, and the
    sides with their scores before the hand.

    `contests`: the page is that on which the other side counts the hand again for itself.
    """
    sides = []
    for position, side in enumerate(state.sides):
        score = past.sides[position]
        total_before_hand = score.total - score.hand
        side_before_hand = Side(
            position=position,
            key=SIDE_KEYS[position],
            name=side.name,
            before=total_before_hand,
            minimum=score.opening_minimum,
            players=_players_in_turn(state, position, past.turn),
        )
        sides.append(side_before_hand)
    return MatchHand(state, past.number, tuple(sides), past=past, contests=contests)


def _players_in_turn(state: MatchState, position: int, turn: Turn) -> dict[int, str]:
    """The players of a side who play in a hand, each name by its index in the side, without those
    who rest in this turn: `{0: "Ada", 2: "Cleo"}`.
    """
    playing = {}
    for index, name in enumerate(state.sides[position].players):
        is_resting = (position, index) in turn.resting
        if not is_resting:
            playing[index] = name
    return playing


def _draft_of_past_hand(past: HandState, rules: Ruleset) -> dict[str, str]:
    """The texts that fill the form of a hand counted before, by key of the field, so that the hand
    can be corrected: `{"a.melds": "4xQ"}`.

    The form also has fields for a remark, and for why the players counted a hand that breaks rules.
    """
    last_count = past.counted
    draft = fill_draft(last_count.hand, rules, last_count.draft)
    if past.remark:
        draft[hand_fields.REMARK] = past.remark
    if last_count.agreed:
        draft[hand_fields.AGREED] = last_count.agreed
    return draft


@dataclass(frozen=True)
class HandPage:
    """What the templates of a hand's page ask for: the hand, its typed fields and their messages."""

    hand: MatchHand
    parsed: TypedHand
    report: Report
    words: Words

    card_keys = CARD_KEYS

    @property
    def title(self) -> str:
        """The heading of the page: "Hand 3", "Correct hand 3", or "Hand 3 of 4" if the rules say how
        many hands a match has.
        """
        message_key = self._message_key_of_title
        number = self.hand.state.called(self.hand.number)
        hands_in_match = self.parsed.rules.settings.match_deals  # None if the rules do not say
        # Only in some games do the rules of a hand depend on its number, called `deal` there.
        does_number_matter = "deal" in self.parsed.rules.entry_fields
        if hands_in_match is None or not does_number_matter:
            return self.words.t(message_key, number=number)
        return self.words.t(f"{message_key}.of", number=number, count=hands_in_match)

    @property
    def _message_key_of_title(self) -> str:
        """The key of the heading without the number of hands in a match, to which `.of` is added if it
        is known. It says whether a hand is entered, corrected, or contested: counted again by the
        other side.
        """
        if self.hand.contests:
            return "hand.title.contest"
        if self.hand.past:
            return "hand.title.correct"
        return "hand.title"

    def label(self, field: Field) -> str:
        """The label of a form field in the language of the page, for example "Red threes"."""
        players = self.hand.sides[field.position].players
        return field.label.in_words(self.parsed.rules.variant, self.words, players)

    def label_with_side(self, field: Field) -> str:
        """The label of a form field after the name of its side: "We: Red threes"."""
        side = self.hand.sides[field.position]
        return f"{side.name}: {self.label(field)}"

    def row_label(self, field: Field) -> str:
        """The name of a row of the table, which takes at most two lines on a phone: a short one if
        the catalogue has one for these rules or for all, otherwise the label of its fields.
        """
        short_names = (
            f"hand.row.{self.parsed.rules.variant}.{field.item}",
            f"hand.row.{field.item}",
        )
        short_name = self.words.first_known(*short_names)
        if self.words.has(short_name):
            return self.words.t(short_name)
        return self.label(field)

    def hint(self, field: Field) -> str:
        """What each of the things counted in a field is worth, and how it is typed: "500"."""
        parts = []
        if self._shows_worth(field):
            parts.append(self.words.figure(field.points_each[0]))
        if field.hint:
            points = field.points_each[0] if field.points_each else 0
            parts.append(self.words.t(field.hint, points=self.words.signed(points)))
        hint = ", ".join(parts)
        if field.name == "melds" and self.parsed.rules.settings.concealed_canasta:
            hint += " " + self.words.t("hand.melds.hint.concealed")
        return hint

    def _shows_worth(self, field: Field) -> bool:
        """Whether the points for each of what a field counts are shown in its row.

        Those for sevens or aces held together are part of its hint already.
        """
        is_worth_in_hint = field.hint == "hand.held.hint"
        has_worth = field.kind == "count" and field.points_each[0] != 0
        return has_worth and not is_worth_in_hint

    def is_wrong(self, field: Field) -> bool:
        """Whether an error message stands beside a form field."""
        messages = self.report.messages_by_field.get(field.key, ())
        return any(message.tone is Tone.ERROR for message in messages)

    def is_typed_elsewhere(self, field: Field) -> bool:
        """Whether what a field holds is typed in the column of another side, because the two lay their
        cards on the table together.
        """
        is_column_elsewhere = self.parsed.meld_columns[field.position] != field.position
        return is_column_elsewhere and field.group in hand_fields.MELD_GROUPS

    def groups(self, fields: list[Field]) -> Iterator[tuple[str, list[Field]]]:
        """These form fields by groups, each with its heading, such as "Penalties", which most do not
        need: it is empty.
        """
        for group, fields_of_group in groupby(fields, key=attrgetter("group")):
            yield self._heading(group), list(fields_of_group)

    def _heading(self, group: str) -> str:
        """The heading of a group of form fields; empty for none.

        Penalties and bonuses have one if these rules have bonuses too: then the two are told apart.
        """
        if not self.parsed.rules.bonuses:
            return ""
        message_keys = {"penalties": "item.penalty", "bonuses": "own.bonuses"}
        if group not in message_keys:
            return ""
        return self.words.t(message_keys[group])

    def partnership_facts(self, side: Side) -> list[str]:
        """What the page says of a side in a game in which pairs change from hand to hand: with whom it
        plays or that it plays alone, and where the cards that it laid are typed. Usually nothing.
        """
        facts = []
        partners = self._partners(side)
        some_play_together = any(len(group) > 1 for group in self.parsed.groups)
        if partners:
            facts.append(self.words.t("hand.paired", others=self.words.listing(partners)))
        elif some_play_together:
            facts.append(self.words.t("hand.alone"))

        meld_column = self.parsed.meld_columns[side.position]
        if meld_column != side.position:
            side_with_melds = self.hand.sides[meld_column].name
            facts.append(self.words.t("hand.elsewhere", side=side_with_melds))
        return facts

    def _partners(self, side: Side) -> list[str]:
        """The names of the other sides that lay their cards together with this one in the hand."""
        positions = self.parsed.groups[side.position]
        others = [other for other in self.hand.sides if other.position in positions]
        return [other.name for other in others if other.position != side.position]

    @property
    def first_count_label(self) -> str:
        """The label of the link that fills the form with the first count of a contested hand: whose
        count it is, if that is known.
        """
        assert self.hand.past is not None, "only a hand that was counted can be contested"
        counted_by = self.hand.past.counted.by
        if counted_by is None:
            return self.words.t("hand.contest.first")
        return self.words.t("hand.contest.of", side=self.hand.sides[counted_by].name)

    @property
    def save_label(self) -> str:
        """The label of the button that saves the hand: to contest, to correct, or to count it."""
        if self.hand.contests:
            return self.words.t("hand.save.contest")
        if self.hand.past:
            return self.words.t("hand.save.correct")
        return self.words.t("hand.save")

    @property
    def reason_key(self) -> str:
        """The key of the label of the field for why a hand is counted again."""
        if self.hand.past and self.hand.past.confirmed:
            return "hand.reason.confirmed"
        if self.hand.contests:
            return "hand.reason.contest"
        return "hand.reason"

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides in the order in which this device shows them."""
        return tuple(self.hand.sides[position] for position in own_side_first(self.hand.state))

    @property
    def rows(self) -> Iterator[tuple[Field, ...]]:
        """The rows of the table on the page: each has the fields for the same thing, such as red
        threes, one for each side.
        """
        columns = []
        for side in self.sides:
            column = self._canastas_from_cards(side) + self.fields_in(PagePart.GRID, side)
            columns.append(column)
        return zip(*columns, strict=True)

    def _canastas_from_cards(self, side: Side) -> list[Field]:
        """The fields that only show how many canastas (melds of seven cards or more) a side has.

        Only games in which all cards are typed have them, because there the numbers follow from the
        cards. In other games there are none, because the numbers are typed.
        """
        rules = self.parsed.rules
        if hand_fields.counts_totals(rules.settings):
            return []
        return list(hand_fields.canasta_fields(rules, side.position, PagePart.FROM_CARDS))

    def fields_in(self, part: PagePart, side: Side) -> list[Field]:
        """The form fields of a side that are shown in a part of the page.

        Each player has a field for the cards still held. The one for all players of the side
        together is left out, unless something is typed in it.
        """
        fields = []
        for field in self.parsed.columns[side.position].fields.values():
            is_for_all_players = field.name == hand_fields.ALL_HANDS
            is_typed = field.key in self.parsed.draft
            if is_for_all_players and not is_typed:
                continue
            if field.part == part:
                fields.append(field)
        return fields

    def comes_to(self, field: Field) -> str:
        """What is typed in a form field, worked out to be shown beside it: `= 230` for the sum
        `3x50+4x20`, or the cards in words with their points. Empty for a text that needs no such help.
        """
        text = self.parsed.typed_in(field.key)
        if field.is_number and is_sum(text):
            value = field.read_text(text, self.words.language).value
            if value is None:
                return ""
            return self.words.t("hand.comes-to", figure=value)
        if field.kind == "cards" and text != ZERO:
            return self._held_cards_in_words(_read_held_cards(text))
        return ""

    def _held_cards_in_words(self, cards: Cards) -> str:
        """The cards that a player still holds when the hand ends, in words with their points; empty
        if there are none. The points are left out in games in which cards have none.
        """
        if cards.size == 0:
            return ""
        in_words = cards_in_words(cards.counts, self.words)
        if not in_words:
            return ""
        settings = self.parsed.rules.settings
        is_scored_in_units = settings.unit == "units"  # then cards have no points
        if is_scored_in_units:
            return in_words
        points = cards.points(settings.left_points)
        return self.words.t("hand.text", what=in_words, points=points)

    @cached_property
    def numbers_from_cards(self) -> Mapping[str, int]:
        """The numbers worked out from the cards that were typed, by the key of the form field in which
        they could have been typed instead: `{"a.canastas.samba": 1, "a.cards": 230, "a.left": 35}`.

        They are the number of canastas (melds of seven cards or more) of each kind, the points of
        the cards laid on the table, and those of the cards still held in the hand.
        """
        numbers: dict[str, int] = {}
        for side in self.hand.sides:
            for name, number in self._totals_of_melds(side).items():
                numbers[field_key(side.key, name)] = number
            points_held = self._points_of_held_cards(side)
            if points_held is not None:
                numbers[field_key(side.key, "left")] = points_held
        return numbers

    def _totals_of_melds(self, side: Side) -> Counter[str]:
        """What the typed melds (sets of cards laid on the table) of a side add up to, by name of the
        form field: `{"cards": 230, "canastas.samba": 1}`.

        `cards` is the sum of the points of their cards. Each other number says how many melds there
        are of a kind that has a field of its own, such as a canasta (a meld of seven cards or more).
        """
        card_points = self.parsed.rules.settings.card_points
        totals: Counter[str] = Counter()
        for typed in self.typed_melds(side):
            totals["cards"] += typed.meld.cards.points(card_points)
            for name in self._names_of_fields_counting(typed):
                totals[name] += 1
        return totals

    def _points_of_held_cards(self, side: Side) -> int | None:
        """The points of the cards that the players of a side still hold when the hand ends, as typed.

        None if no such cards are typed, or if the rules do not count held cards by their points.
        """
        settings = self.parsed.rules.settings
        if settings.cards_left != "points":
            return None
        texts = []
        for key, text in self.parsed.draft.items():
            if key.startswith(f"{side.key}.left."):  # `a.left.0`: the cards of one player
                texts.append(text)
        if not texts:
            return None
        held_cards = _read_held_cards(" ".join(texts))
        return held_cards.points(settings.left_points)

    def _names_of_fields_counting(self, typed: TypedMeld) -> list[str]:
        """The names of the form fields in whose numbers this meld (a set of cards laid on the table) is
        counted: `["canastas.natural-canasta"]`.

        A canasta has seven cards or more. Shorter melds are counted only in games in which an
        incomplete meld costs points.
        """
        settings = self.parsed.rules.settings
        names = []
        canasta = find_kind_of_canasta(typed.meld, settings)
        if canasta:
            names.append(f"canastas.{canasta.item}")
        if canasta and typed.is_concealed:
            names.append("canastas.concealed-canasta")
        incomplete = find_kind_of_incomplete_meld(typed.meld, settings)
        if incomplete:
            names.append(f"incomplete.{incomplete.name}")
        return names

    def is_card_panel_open(self, side: Side) -> bool:
        """Whether the panel in which the cards of a side are typed one by one is shown open.

        It is if a field in it has a text or a message. If nothing is typed for this side yet, it is
        also open for players who typed cards in the hand before.
        """
        for field in self.fields_in(PagePart.BY_CARDS, side):
            is_typed = field.key in self.parsed.draft
            has_message = field.key in self.report.messages_by_field
            if is_typed or has_message:
                return True
        if self.hand.past or self._is_side_begun(side):  # what is typed stands outside the panel
            return False
        return self._is_used_to_cards(side)

    def _is_used_to_cards(self, side: Side) -> bool:
        """Whether a side will probably type its cards one by one: it did so in the hand before, and
        by the rules could have typed their total instead.
        """
        can_type_totals = hand_fields.counts_totals(self.parsed.rules.settings)
        return can_type_totals and self._was_last_counted_by_cards(side)

    def _is_side_begun(self, side: Side) -> bool:
        """Whether something is typed in any form field of this side."""
        return any(side_of_key(key) == side.position for key in self.parsed.draft)

    def _was_last_counted_by_cards(self, side: Side) -> bool:
        """Whether in the last hand of the match the cards that this side laid on the table were typed
        one by one, and not only their total.
        """
        counted_hands = self.hand.state.hands
        if not counted_hands:
            return False
        last_hand = counted_hands[-1].counted.hand
        return bool(last_hand.sides[side.position].melds)

    def why_unscored(self, side: Side) -> WhyUnscored:
        """Why a side has no score yet: because of an error, or because something is still to be typed.

        An error in the fields of this side is always the reason. An error elsewhere is the reason
        only if everything is typed for this side.
        """
        errors = self._errors_in_typed_texts()
        for error in errors:
            is_of_this_side = error.key is not None and side_of_key(error.key) == side.position
            if is_of_this_side:
                return WhyUnscored.ERROR

        is_all_typed = side.position not in self.parsed.unfinished
        if errors and is_all_typed:
            return WhyUnscored.ERROR
        return WhyUnscored.MISSING

    def _errors_in_typed_texts(self) -> list[FieldMessage]:
        """The errors in what is typed in the form, without those that only say what is missing."""
        errors = []
        for message in self.report.messages:
            is_about_missing = message in self.report.missing
            if message.tone is Tone.ERROR and not is_about_missing:
                errors.append(message)
        return errors

    @property
    def special_hand_shown(self) -> str:
        """The sentence that a side ended the hand by showing a special hand: cards that are shown all
        at once instead of being laid. Empty if none did.
        """
        for side in self.sides:
            if self.parsed.typed_in(field_key(side.key, "special")):
                return self.words.t("hand.out.special", side=side.name)
        return ""

    @property
    def must_discard(self) -> bool:
        """Whether the last card of a hand has to be discarded, so that the page asks which it was."""
        return self.parsed.rules.settings.last_discard == "obligatory"

    @property
    def is_rest_panel_open(self) -> bool:
        """Whether the panel with the last discard and the remark is shown open: if the discard has to
        be given, if "no discard" or a remark is given, or if a message stands beside one of its fields.
        """
        if self.must_discard:
            return True
        keys_that_open_it = (hand_fields.DISCARD_NONE, hand_fields.REMARK)
        is_filled = any(key in self.parsed.draft for key in keys_that_open_it)
        keys_of_panel = (hand_fields.DISCARD, *keys_that_open_it)
        has_message = any(key in self.report.messages_by_field for key in keys_of_panel)
        return is_filled or has_message

    def score_in_words(self, side: Side) -> str:
        """The score of a side as it is read out: its points in the hand, and its new total."""
        score = self.report.scores[side.position]
        assert score is not None, "only a side with a score is read out"
        return self.words.t(
            "hand.live.text",
            side=side.name,
            hand=self.words.signed(score.hand),
            total=self.words.figure(score.total),
        )

    @property
    def concealed_label(self) -> str:
        """The label of the box for going out with a concealed hand (laying down all cards at once),
        with its points if they are other ones than usual.
        """
        settings = self.parsed.rules.settings
        if settings.concealed_out_bonus == settings.out_bonus:
            return self.words.t("hand.concealed.short")
        return self.words.t("hand.concealed.worth", points=settings.concealed_out_bonus)

    @property
    def out_worth(self) -> str:
        """What going out (playing the last card) is worth, as a sentence: the usual points, those with
        a concealed hand, and those with several canastas.
        """
        settings = self.parsed.rules.settings
        usual = self.words.t(
            self._out_worth_key,
            points=settings.out_bonus,
            concealed=settings.concealed_out_bonus,
        )
        key_with_canastas = "hand.out.worth.canastas"
        if settings.out_bonus_adds == "sum":
            key_with_canastas = "hand.out.worth.more"
        parts = [usual]
        for bonus in settings.out_bonus_canastas:
            with_canastas = self.words.t(
                key_with_canastas,
                points=bonus.points,
                canastas=bonus.canastas,
                families=self._families(bonus),
            )
            parts.append(with_canastas)
        return "; ".join(parts) + "."

    @property
    def _out_worth_key(self) -> str:
        """The key of the message with the usual points for going out, which also gives those with a
        concealed hand if the form asks for that.
        """
        settings = self.parsed.rules.settings
        if not hand_fields.needs_concealed(self.parsed.rules):
            return "hand.out.worth"
        if settings.concealed_out_bonus == settings.out_bonus:
            return "hand.out.worth.alike"
        return "hand.out.worth.concealed"

    def answers(self, question: str, side: Side) -> list[Answer]:
        """The answers in the column of a side to a question of the whole hand: who went out (played
        the last card, which ends the hand), or who played alone.

        The first is the side. To the question who went out its players follow, if it has several.
        """
        chosen_value = self.parsed.draft.get(question, "")
        is_player_of_side = chosen_value.startswith(f"{side.key}.")
        has_one_player = len(side.players) == 1
        is_side_chosen = chosen_value == side.key or (has_one_player and is_player_of_side)
        # Messages lead to the first answer of the first side, which has the question's name as its id.
        id_of_side = question if side.position == 0 else f"{question}-{side.key}"
        answers = [Answer(id_of_side, side.key, side.name, is_side_chosen)]
        if question != hand_fields.OUT or has_one_player:
            return answers

        for index, name in side.players.items():
            value = f"{side.key}.{index}"
            is_chosen = value == chosen_value
            if name or is_chosen:  # one without a name is shown if chosen already
                label = name or self.words.t("hand.player", number=index + 1)
                id_of_player = f"{question}-{side.key}-{index}"
                answers.append(Answer(id_of_player, value, label, is_chosen))
        return answers

    def name_of_answer(self, value: str) -> str:
        """The name on the button with which an answer is chosen: that of the first side for `a`, that
        of its second player for `a.1`, or of the side if the player has no name. Empty for an answer
        that names no side.
        """
        key_of_side = value.partition(".")[0]
        for side in self.hand.sides:
            if side.key == key_of_side:
                answers = self.answers(hand_fields.OUT, side)
                names = {answer.value: answer.label for answer in answers}
                return names.get(value, side.name)
        return ""

    def answer_nobody(self, question: str) -> Answer:
        """The answer to a question of the whole hand that it was nobody."""
        is_chosen = self.parsed.draft.get(question) == hand_fields.NOBODY
        return Answer(f"{question}-nobody", hand_fields.NOBODY, "", is_chosen)

    def typed(self, fields: list[Field]) -> list[Field]:
        """Those of these form fields in which something is typed, other than 0."""
        return [field for field in fields if self.parsed.typed_in(field.key) not in ("", ZERO)]

    def is_more_panel_open(self, side: Side, fields: list[Field]) -> bool:
        """Whether the panel of a side with these rarely used form fields is shown open.

        It is if a message belongs beside one of its fields, or if something is typed in one. Typed
        penalties do not open it: the points that they cost are also shown outside the panel.
        """
        keys = [field.key for field in fields]
        # The panel also lists the penalties that were recorded during play, with messages about them.
        keys.append(field_key(side.key, hand_fields.NOTED))
        has_message = any(key in self.report.messages_by_field for key in keys)
        has_text = any(field.group not in _PENALTY_GROUPS for field in self.typed(fields))
        return has_message or has_text

    def noted(self, side: Side) -> list[NotedLine]:
        """The penalties of a side that were recorded while the hand was being played, as lines of the
        page: each with its words, and its points, which are negative.
        """
        rules = self.parsed.rules
        lines = []
        for penalty in self.hand.noted_penalties:
            if penalty.side == side.position:
                text = noted_penalty_text(penalty, rules, self.words)
                points = -penalty.cost(rules)
                lines.append(NotedLine(penalty.entry, text, points))
        return lines

    # ------------------------------------------------------------------ what a column adds up to

    @cached_property
    def _items_with_row(self) -> frozenset[str]:
        """What is scored and has a row of its own in the table on the page, such as `red-threes`."""
        items = {OUT_ITEM}  # the row with the question who went out
        for fields_of_row in self.rows:
            first_field = fields_of_row[0]  # all fields of a row count the same item
            items.add(first_field.item)
        return frozenset(items)

    def _points_for_item(self, side: Side, item: str) -> int | None:
        """The points of a side for one thing that is scored, such as `red-threes`; None as long as the
        score of the side is not known.
        """
        score = self.report.scores[side.position]
        if score is None:
            return None
        return sum(line.points for line in score.lines if line.item == item)

    @cached_property
    def others(self) -> tuple[int, ...]:
        """For each side, in the order of the page, its points for all that has no row in the table."""
        return tuple(self._points_without_row(side) for side in self.sides)

    def _points_without_row(self, side: Side) -> int:
        """The points of a side for all that has no row of its own in the table on the page; 0 as long
        as the score of the side is not known.
        """
        score = self.report.scores[side.position]
        if score is None:
            return 0
        return sum(line.points for line in score.lines if line.item not in self._items_with_row)

    def other_points(self, side: Side) -> str:
        """The points of a side for all that has no row of its own in the table on the page, with a
        sign: `+50`. Empty if there are none.
        """
        points = self._points_without_row(side)
        if points == 0:
            return ""
        return self.words.signed(points)

    def points_of(self, field: Field) -> str:
        """The points for the number in a cell of the table, to be shown beside it: `+570`.

        Empty if the players can work them out: the number 2 in a row that says "500 each" needs no
        `+1000`. Also empty if the points are not known yet, or if the field is not in the table.
        """
        is_in_table = field.part in (PagePart.GRID, PagePart.FROM_CARDS)
        if not is_in_table:
            return ""
        side = self.hand.sides[field.position]
        points = self._points_for_item(side, field.item)
        if points is None:
            return ""
        if points == self._number_times_worth(field):
            return ""
        return self.words.signed(points)

    def _number_times_worth(self, field: Field) -> int:
        """The number in a cell of the table times the worth that its row shows: 2 in a row that says
        "500 each" → 1000. 0 for a row that shows no worth.
        """
        if not field.points_each:
            return 0
        worth_shown = field.points_each[0]
        return self._number_in(field) * worth_shown

    def _number_in(self, field: Field) -> int:
        """The number in a cell of the table: the one typed there, or else the one worked out from the
        cards typed for the side. 0 for a text that is not a number.

        Two sides may lay cards on the table together. These are typed in the column of one of the
        two, and in the column of the other such numbers are 0.
        """
        if self.is_typed_elsewhere(field):
            return 0
        text = self.parsed.typed_in(field.key)
        if not text:
            return self.numbers_from_cards.get(field.key, 0)
        typed_number: int | None = field.read_text(text, self.words.language).value
        if typed_number is None:
            return 0
        return typed_number

    @property
    def _is_concealed_typed(self) -> bool:
        """Whether the form says that a player ended the hand by laying down all cards at once, which
        is called going out with a concealed hand.
        """
        return hand_fields.CONCEALED in self.parsed.draft

    def asks_concealed(self, question: str) -> bool:
        """Whether the page asks beside this question if a player ended the hand by laying down all
        cards at once, which is called going out with a concealed hand. It is asked with who went out.
        """
        if question != hand_fields.OUT:
            return False
        return self._is_concealed_typed or hand_fields.needs_concealed(self.parsed.rules)

    @property
    def _is_concealed_out(self) -> bool:
        """Whether the form says that a player ended the hand by laying down all cards at once (going
        out with a concealed hand), and the rules of this match need to know that.
        """
        return self._is_concealed_typed and hand_fields.needs_concealed(self.parsed.rules)

    def points_of_question(self, question: str, side: Side) -> str:
        """The points to be shown in the column of a side beside a question; only those for going out
        are.
        """
        if question != hand_fields.OUT:
            return ""
        return self._out_points(side)

    def _out_points(self, side: Side) -> str:
        """The points of a side for going out (playing the last card, which ends the hand), to be shown
        in its column: `+300`.

        Empty if they are the expected ones, which the page shows elsewhere, or if the score is not
        known yet.
        """
        points = self._points_for_item(side, OUT_ITEM)
        if points is None or points == self._expected_out_points(side):
            return ""
        return self.words.signed(points)

    def _expected_out_points(self, side: Side) -> int:
        """The points that a side should get for going out (playing the last card, which ends the hand):
        the usual bonus if the form says that it did, else 0.
        """
        who_went_out = self.parsed.typed_in(hand_fields.OUT)  # `a`, or `a.1` for one of its players
        if not who_went_out.startswith(side.key):
            return 0
        settings = self.parsed.rules.settings
        return _usual_out_bonus(settings, is_concealed=self._is_concealed_typed)

    # ------------------------------------------------------------------ melds and lines

    def typed_melds(self, side: Side) -> Iterator[TypedMeld]:
        """The melds (sets of cards laid on the table) typed for a side, one on each line of its field:
        `4xQ`, then `3xK*`, in which the mark `*` says that the meld was concealed.
        """
        text = self.parsed.typed_in(field_key(side.key, "melds"))
        for line in meld_lines(text):
            if line != ZERO:  # a line with 0 says that the side has no melds
                yield _read_typed_meld(line)

    def melds(self, side: Side) -> Iterator[tuple[str, str]]:
        """The melds (sets of cards laid on the table) of a side, each as a pair of two texts: as it was
        typed, `4xQ`, and in words, with its kind and its points.
        """
        rules = self.parsed.rules
        for typed in self.typed_melds(side):
            is_wrong = self._breaks_rule(typed, side)
            kind = meld_kind_in_words(typed.meld, rules, self.words, is_wrong=is_wrong)
            cards = meld_in_words(typed.meld, rules.settings, self.words)
            if not cards:  # no card of it can be read
                cards = typed.cards_text
            in_words = self.words.t("hand.meld.text", cards=cards, kind=kind)
            yield typed.cards_text, in_words

    def _breaks_rule(self, typed: TypedMeld, side: Side) -> bool:
        """Whether this meld (a set of cards) of a side breaks a rule by itself: whether an error
        message beside the field of the melds is about this one.
        """
        messages = self.report.messages_by_field.get(field_key(side.key, "melds"), ())
        for message in messages:
            # The message repeats the meld as it was typed, with or without the mark of a concealed one.
            is_about_meld = message.meld in (typed.line, typed.cards_text)
            if is_about_meld and message.tone is Tone.ERROR:
                return True
        return False

    def lines(self, side: Side) -> Iterator[tuple[str, int, str]]:
        """The lines of a side's score, each with its label, its points, and the URL of the rule: "Red
        threes", 200, `/rules#…`. There are none as long as the score is not known.
        """
        score = self.report.scores[side.position]
        if score is None:
            return
        rulebook = rules_url(self.parsed.rules)
        for line in score.lines:
            url = url_with_anchor(rulebook, line_anchor(line.item, line.code))
            yield self._line_label(line), line.points, url

    def _line_label(self, line: Line) -> str:
        """The label of a line of the score: "Red threes (2)". The number of what the line counts is
        left out if it is one, or not known.
        """
        if line.item == OUT_ITEM:
            return self._label_of_going_out(line)
        name = self._line_name(line)
        if line.count is None or line.count <= 1:
            return name
        return self.words.t("hand.line", name=name, count=line.count)

    def _label_of_going_out(self, line: Line) -> str:
        """The label of the line with the points for going out (playing the last card, which ends the
        hand).

        Some rules give more than the usual points to a side with several canastas (melds of seven
        cards or more). Then the label says with how many.
        """
        settings = self.parsed.rules.settings
        usual_bonus = _usual_out_bonus(settings, is_concealed=self._is_concealed_out)
        canastas = _canastas_of_bonus(settings, line.points, usual_bonus)
        if canastas is None:
            return self._line_name(line)
        return self.words.t("hand.line.out.canastas", canastas=canastas)

    def _line_name(self, line: Line) -> str:
        """The name of a line of the score without any number, for example "Red threes"."""
        return line_label(
            LineKey(line.item, line.code, line.reason),
            self.words,
            concealed=self._is_concealed_out,
            variant=self.parsed.rules.variant,
        )

    def _families(self, bonus: OutBonus) -> str:
        """The canastas (melds of seven cards or more) that a side needs for a bonus, in words: "two
        natural and one mixed". A mixed canasta has wild cards, a natural one has none.
        """
        counts = {"natural": bonus.natural, "mixed": bonus.mixed}
        names = []
        for family, count in counts.items():
            if count:
                names.append(family_word(self.parsed.rules.variant, family, count, self.words))
        return self.words.listing(names)


def _usual_out_bonus(settings: Settings, *, is_concealed: bool) -> int:
    """The points for going out: playing the last card, which ends the hand.

    `is_concealed`: all cards were laid down at once, which usually gives more points.
    """
    if is_concealed:
        return settings.concealed_out_bonus
    return settings.out_bonus


def _canastas_of_bonus(settings: Settings, points: int, usual_bonus: int) -> int | None:
    """The number of canastas (melds of seven cards or more) for which a side got these points when it
    went out (ended the hand). None if it got only the usual bonus.

    The score does not say the number, so it is looked up among the bonuses of the rules.
    """
    if points <= usual_bonus:
        return None
    for bonus in settings.out_bonus_canastas:
        points_with_bonus = bonus.points
        if settings.out_bonus_adds == "sum":  # otherwise it replaces the usual bonus
            points_with_bonus += usual_bonus
        if points == points_with_bonus:
            return bonus.canastas
    return None


def _read_typed_meld(line: str) -> TypedMeld:
    """Read a meld (a set of cards laid on the table) from a line of text: `4xQ`, or `3xK*` for one
    that was concealed. Of a text that cannot be read completely, the cards that can be are taken.
    """
    cards_text = without_concealed_mark(line)
    reading = read_cards(to_notation(cards_text))  # `4 donne` is `4xQ` in the notation of the rules
    return TypedMeld(
        line=line,
        cards_text=cards_text,
        meld=read_meld(reading.cards),
        is_concealed=line.endswith(CONCEALED_MARK),
    )


def _read_held_cards(text: str) -> Cards:
    """The cards in a text, without what cannot be read: `K 4 / 9` is a king, a four and a nine.

    The slash separates the cards of one player from those of the next.
    """
    return read_cards(to_notation(text.replace(HAND_SEPARATOR, " "))).cards

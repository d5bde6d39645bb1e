"""The page of a hand: its grid with a row for each field and a column for each side, and its panels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from flask import url_for

from scorepad.i18n import Words
from scorepad.i18n.findings import list_cards_in_words
from scorepad.i18n.typed_cards import to_notation
from scorepad.matches.events import HandPenalty, HandState
from scorepad.matches.hands import Draft
from scorepad.matches.projection import MatchState
from scorepad.rules.cards import Cards, Kind, read_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE
from scorepad.rules.judging import Turn
from scorepad.rules.settings import Settings
from scorepad.rules.table import Meld, find_kind_of_canasta, find_kind_of_incomplete_meld, read_meld
from scorepad.schemas.hand_requests import SIDE_KEYS
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
from scorepad.web.hand_fields import Field, PagePart, field_key, html_id, side_of_key
from scorepad.web.open_hand import describe_noted_penalty
from scorepad.web.presenters import own_side_first
from scorepad.web.typed_hand import TypedHand

_PENALTY_GROUPS = ("penalties", HOUSE)
"""The groups of form fields in which penalties are typed, of the rules and of the table itself."""
_UNTYPED_NUMBER = "…"
"""What an empty field shows for a number that is not 0 as long as nothing is typed."""
_CARDS_WITHOUT_SUIT = (Kind.TWO, Kind.JOKER, Kind.BLACK_THREE, Kind.RED_THREE)
"""Wild cards, and the threes, whose colour is part of the card."""
_WIDEST_USUAL_SUM = 5
"""Characters of a sum at the foot of a column, such as `+1005`."""
FROM_FIRST_COUNT = "dal-primo"
"""URL parameter of a contest: start from the first count."""
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


class DescribedMeld(NamedTuple):
    """A meld (a group of cards laid on the table) on the page: as it was typed, and in words."""

    typed: str
    in_words: str


class TypedMeld(NamedTuple):
    """A meld as typed in its `line`, and as read.

    `cards_text` is the line without the mark `*` of a concealed meld, one that was laid down whole.
    """

    line: str
    cards_text: str
    meld: Meld
    is_concealed: bool


class OfferedAnswer(NamedTuple):
    """An answer to a question of the form that can be chosen: its id on the page, the value that is
    sent, and the name on it.
    """

    id: str
    value: str
    label: str
    is_chosen: bool


class FieldGroup(NamedTuple):
    """Fields of the form that belong together; `heading` is empty for most groups."""

    heading: str
    fields: list[Field]


class GridRow(NamedTuple):
    """A row of the table on the page: what it is about, and its field for each side."""

    id: str
    label: str
    hint: str
    card_colour: str
    """The colour of the card drawn beside the label, for canastas; empty for none."""
    fields: tuple[Field, ...]


class MeldButton(NamedTuple):
    """The button of a meld (a group of cards) that takes it for one with which the side opened."""

    value: str
    typed: str
    in_words: str
    is_pressed: bool


class MorePanel(NamedTuple):
    """The panel with rarely used fields of a side, and the penalties recorded while it played."""

    side: Side
    groups: list[FieldGroup]
    noted_penalties: list[NotedLine]
    summary: str
    """What is typed or recorded in it, in words."""
    is_open: bool

    @property
    def points_of_noted_penalties(self) -> int:
        return sum(penalty.points for penalty in self.noted_penalties)


class NumberInput(NamedTuple):
    """An input field for a number, and what the page shows in it and beside it."""

    name: str
    """The name under which it is sent; empty for a number that follows from the typed cards."""
    value: str
    placeholder: str
    """What is shown in grey as long as nothing is typed: the number that follows from the cards."""
    is_read_only: bool
    points: str
    """The points that the number counts for, where the row does not tell: `+570`."""
    result: str
    """What a typed sum comes to: "= 230"."""


class SelectOption(NamedTuple):
    """An option of a list of which one can be chosen."""

    value: str
    label: str
    is_chosen: bool


class CardKey(NamedTuple):
    """A key with which a card is typed."""

    card: str
    """The card as it is typed: `Q`."""
    name: str
    """Its name, which is read aloud: "queen"."""
    can_have_suit: bool
    is_joker: bool


class ColumnSum(NamedTuple):
    """A sum at the foot of a side's column."""

    text: str

    @property
    def is_wide(self) -> bool:
        """Tell whether it is so long that it is written in a smaller font."""
        return len(self.text) > _WIDEST_USUAL_SUM


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
        """Return the address of the page with the form of this hand (round of the game).

        There are three such pages: to enter the hand that is being played, to correct one that was
        counted before, and to contest one, that is, to count it a second time for the other side.
        """
        match_id = self.state.id
        if self.past is None:
            return url_for("hand_entry.page", match=match_id)
        if self.contests:
            return url_for("hand_entry.contest", match=match_id, number=self.number)
        return url_for("hand_entry.correct", match=match_id, number=self.number)

    @property
    def url_of_match(self) -> str:
        return url_for("matches.page", match=self.state.id)

    @property
    def stored_id(self) -> str:
        """Return the id under which the texts of the hand (round) being played are stored.

        It is empty for a past hand, whose texts are stored only when it is counted again.
        """
        return self.open_hand.id if self.open_hand else ""

    @property
    def stored_version(self) -> int:
        """Return the version of the stored texts of the hand being played; 0 if none are stored."""
        return self.open_hand.version if self.open_hand else 0

    @property
    def count_entry(self) -> int:
        """Return the number of the log entry with the last count of a past hand (round).

        It is 0 for the hand being played, which has no count yet.
        """
        return self.past.versions[-1].sequence if self.past else 0

    @property
    def counting_side(self) -> Side | None:
        """Return the side that counted a past hand (round); None if that is not known.

        None also for the hand being played, which nobody has counted yet.
        """
        if self.past is None or self.past.counted.by is None:
            return None
        return self.sides[self.past.counted.by]

    @property
    def last_device(self) -> str:
        """Return the id of the phone that changed this hand (round) last; empty if none did.

        A hand being played is changed by storing its texts, a past hand by counting it.
        """
        if self.past:
            return self.past.versions[-1].device
        if self.open_hand:
            return self.open_hand.device
        return ""

    @property
    def noted_penalties(self) -> tuple[HandPenalty, ...]:
        """Return the penalties that were recorded while the hand (round) was being played.

        They count besides those typed in the form. A past hand has none: all its penalties are in
        the form.
        """
        if self.past:
            return ()
        return self.state.noted_penalties

    @property
    def noted_entries(self) -> str:
        """Write the numbers of the log entries of `noted_penalties` for a hidden field: `17 21`."""
        return " ".join(str(penalty.entry) for penalty in self.noted_penalties)

    @property
    def draft(self) -> Draft:
        """Return the texts with which the form is filled, by key of the field.

        `{"a.melds": "4xQ"}` are four queens of side `a`. For the hand (round) being played these
        are the texts stored so far, for a past hand those of its last count.
        """
        if self.past:
            return _fill_form_of_past_hand(self.past, self.state.rules)
        if self.open_hand:
            return self.open_hand.draft
        return {}


def describe_open_hand(state: MatchState, open_hand: OpenHand) -> MatchHand:
    """Describe the hand that is being played, for the page on which it is entered.

    A hand is a round of the game. The result has its number, the sides with their scores before the
    hand, and the texts stored so far.
    """
    sides = []
    for position, side in enumerate(state.sides):
        side_before_hand = Side(
            position=position,
            key=SIDE_KEYS[position],
            name=side.name,
            before=side.total,
            minimum=side.minimum,
            players=_find_playing_players(state, position, state.next_turn),
        )
        sides.append(side_before_hand)
    return MatchHand(state, len(state.hands) + 1, tuple(sides), open_hand)


def describe_past_hand(state: MatchState, past: HandState, *, contests: bool = False) -> MatchHand:
    """Describe a hand (round) that was counted before, for the page on which it is corrected.

    The result has its number, and the sides with their scores before the hand. `contests` is True
    for the page on which the other side counts the hand a second time.
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
            players=_find_playing_players(state, position, past.turn),
        )
        sides.append(side_before_hand)
    return MatchHand(state, past.number, tuple(sides), past=past, contests=contests)


def _find_playing_players(state: MatchState, position: int, turn: Turn) -> dict[int, str]:
    """Find the players of a side who play in a hand (round): name by index in the side.

    In some games players rest in turn. If the second of three rests → `{0: "Ada", 2: "Cleo"}`.
    """
    playing = {}
    for index, name in enumerate(state.sides[position].players):
        is_resting = (position, index) in turn.resting
        if not is_resting:
            playing[index] = name
    return playing


def _fill_form_of_past_hand(past: HandState, rules: Ruleset) -> dict[str, str]:
    """Write the texts that fill the form of a past hand, by key of the field: `{"a.melds": "4xQ"}`.

    They are made from its last count. The form also has a field for the remark, and one for why the
    players agreed to count the hand (round) although it breaks rules.
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

    @property
    def settings(self) -> Settings:
        """Return what the rules of the match say, such as the points for going out."""
        return self.parsed.rules.settings

    @property
    def title(self) -> str:
        """Return the heading of the page.

        - "Hand 3", "Correct hand 3", or "I count it too: hand 3" for a second count by the other
          side
        - "Hand 3 of 4" in a game with a fixed number of hands (rounds), whose rules change with
          each
        """
        message_key = self._message_key_of_title
        number = self.hand.state.number_for_players(self.hand.number)
        rules = self.parsed.rules
        hands_in_match = rules.settings.match_deals  # None if the rules do not say
        # The entry field `deal` is the number of the hand: only games whose rules depend on it have it.
        does_number_matter = "deal" in rules.entry_fields
        if hands_in_match is None or not does_number_matter:
            return self.words.t(message_key, number=number)
        return self.words.t(f"{message_key}.of", number=number, count=hands_in_match)

    @property
    def _message_key_of_title(self) -> str:
        """Return the message key of the heading; `.of` is added to it for "Hand 3 of 4"."""
        if self.hand.contests:
            return "hand.title.contest"  # "I count it too: hand 3"
        if self.hand.past:
            return "hand.title.correct"  # "Correct hand 3"
        return "hand.title"  # "Hand 3"

    def label(self, field: Field) -> str:
        """Return the label of a form field in the language of the page, such as "Red threes"."""
        players = self.find_side(field).players
        return field.label.in_words(self.parsed.rules.variant, self.words, players)

    def label_with_side(self, field: Field) -> str:
        """Return the label of a form field after the name of its side: "We: Red threes"."""
        return f"{self.find_side(field).name}: {self.label(field)}"

    def find_side(self, field: Field) -> Side:
        """Find the side to which a form field belongs."""
        return self.hand.sides[field.position]

    def _write_row_label(self, field: Field) -> str:
        """Return the label of a row of the table, short enough for two lines on a phone.

        Some fields have a short label in the catalogue of texts, and a few of these differ between
        games: `hand.row.moderna.wild-canasta` is "Wild (1-3 jokers)". All others get their usual
        label.
        """
        key_in_this_game = f"hand.row.{self.parsed.rules.variant}.{field.item}"
        key_in_any_game = f"hand.row.{field.item}"
        for message_key in (key_in_this_game, key_in_any_game):
            if self.words.has(message_key):
                return self.words.t(message_key)
        return self.label(field)

    def write_hint(self, field: Field) -> str:
        """Write the hint at a form field: the points for each thing counted in it, and how to type.

        - the number of natural canastas (groups of seven or more equal cards) → "500"
        - the cards laid on the table → "One a line, as you say them: 4 kings 2 twos 1 joker …"
        """
        points_each = field.points_each[0] if field.points_each else 0
        parts = []
        hint_says_points = field.hint == "hand.held.hint"  # "{points} each"
        if field.kind == "count" and points_each != 0 and not hint_says_points:
            parts.append(self.words.figure(points_each))
        if field.hint:
            parts.append(self.words.t(field.hint, points=self.words.signed(points_each)))
        hint = ", ".join(parts)
        if field.name == "melds" and self.settings.concealed_canasta:
            # It says: "A * at the end of a line: laid down whole from the hand."
            hint += " " + self.words.t("hand.melds.hint.concealed")
        return hint

    def list_messages(self, key: str | None) -> Sequence[FieldMessage]:
        """List the messages beside the field with this key, or those above all fields (None)."""
        return self.report.messages_by_key.get(key, ())

    def is_wrong(self, field: Field) -> bool:
        """Tell whether an error message stands beside a form field. Warnings do not count."""
        return any(message.tone is Tone.ERROR for message in self.list_messages(field.key))

    def get_typed(self, key: str) -> str:
        """Return the text of the field with this key exactly as it was typed; empty if it is blank."""
        return self.parsed.draft.get(key, "")

    def is_ticked(self, key: str) -> bool:
        """Tell whether the box with this key is ticked."""
        return key in self.parsed.draft  # it has only boxes that are ticked

    def is_typed_elsewhere(self, field: Field) -> bool:
        """Tell whether the cards that a field is about are typed in the column of another side.

        Two sides that play a hand (round) together lay their cards on the table together. These are
        typed only once, in one of the two columns.
        """
        is_about_cards_on_table = field.group in hand_fields.MELD_GROUPS
        return is_about_cards_on_table and self.parsed.sharing.are_typed_elsewhere(field.position)

    def _group_fields(self, fields: list[Field]) -> list[FieldGroup]:
        """Divide form fields into groups, each with its heading.

        A group is for example "Bonuses of the table" with its fields. The heading of most groups is
        empty.
        """
        fields_by_group: dict[str, list[Field]] = {}
        for field in fields:
            if field.group not in fields_by_group:
                fields_by_group[field.group] = []
            fields_by_group[field.group].append(field)
        groups = []
        for group, fields_of_group in fields_by_group.items():
            groups.append(FieldGroup(self._find_group_heading(group), fields_of_group))
        return groups

    def _find_group_heading(self, group: str) -> str:
        """Return the heading of a group of form fields; empty if it needs none.

        Penalties and bonuses need one only in a match whose rules have bonuses: without these,
        nothing is to be told apart.
        """
        has_bonuses = bool(self.parsed.rules.bonuses)
        if not has_bonuses:
            return ""
        if group == "penalties":
            return self.words.t("item.penalty")  # "Penalty"
        if group == "bonuses":
            return self.words.t("own.bonuses")  # "Bonuses of the table"
        return ""

    @property
    def asks_who_played_alone(self) -> bool:
        """Tell whether the form asks which side played alone against the others."""
        return hand_fields.SINGLE in self.parsed.rules.entry_fields

    @property
    def usual_out_points(self) -> str:
        """Write the points for going out (ending the round) in its row; empty if there are none."""
        bonus = self.settings.out_bonus
        if bonus == 0:
            return ""
        return self.words.figure(bonus)

    @property
    def sign_of_red_threes_without_melds(self) -> int:
        """Return the sign of red threes (bonus cards) for a side that laid no other cards.

        - they count against it → -1
        - they count nothing → 0

        The script of the page adds up the points with it.
        """
        if self.settings.red_threes_otherwise == "negative":
            return -1
        return 0

    def describe_partnership(self, side: Side) -> list[str]:
        """Say with whom a side plays, in a game in which pairs change from hand (round) to hand.

        - "Paired with Bea", or "Plays alone, against the pair"
        - "The pair's melds are written once: they stand under Bea." if its cards are typed in her
          column

        In most games there is nothing to say, and the list is empty.
        """
        facts = [self._say_with_whom_side_plays(side), self._say_where_cards_are_typed(side)]
        return [fact for fact in facts if fact != ""]

    def _say_with_whom_side_plays(self, side: Side) -> str:
        """Say with which other sides a side plays, or that it plays alone against a pair.

        "Paired with Bea". Empty in a hand (round) without pairs.
        """
        partners = self._list_partners(side)
        if partners:
            # It says: "Paired with {others}"
            return self.words.t("hand.paired", others=self.words.listing(partners))
        some_play_together = any(len(group) > 1 for group in self.parsed.sharing.groups)
        if some_play_together:
            return self.words.t("hand.alone")  # "Plays alone, against the pair"
        return ""

    def _say_where_cards_are_typed(self, side: Side) -> str:
        """Say that the cards a side laid on the table are typed in the column of its partner.

        Empty if they are typed in the column of the side itself.
        """
        if not self.parsed.sharing.are_typed_elsewhere(side.position):
            return ""
        column_with_cards = self.parsed.sharing.columns[side.position]
        # It says: "The pair's melds are written once: they stand under {side}."
        return self.words.t("hand.elsewhere", side=self.hand.sides[column_with_cards].name)

    def _list_partners(self, side: Side) -> list[str]:
        """List the names of the other sides that lay their cards together with this side."""
        positions = self.parsed.sharing.groups[side.position]
        others = [other for other in self.hand.sides if other.position in positions]
        return [other.name for other in others if other.position != side.position]

    @property
    def first_count_label(self) -> str:
        """Return the label of the link that fills the form of a second count with the first one.

        "Start from the other count (We)", or "Start from the first count" if it is not known whose
        it is.
        """
        side = self.hand.counting_side
        if side is None:
            return self.words.t("hand.contest.first")  # "Start from the first count"
        # It says: "Start from the other count ({side})"
        return self.words.t("hand.contest.of", side=side.name)

    @property
    def message_if_counted_meanwhile(self) -> str:
        """Say that another phone has counted this hand (round); shown if it happens."""
        if self.hand.past:
            return self.words.t("live.corrected")
        return self.words.t("live.counted")

    @property
    def first_count_url(self) -> str:
        """Return the address of the form of a second count, filled with the first one."""
        return f"{self.hand.url}?{FROM_FIRST_COUNT}=1"

    @property
    def start_again_label(self) -> str:
        """Return the label of the link that drops what was typed to count a past hand again.

        "Start again from the saved one", or "Begin afresh" if the other side counts it too.
        """
        if self.hand.contests:
            return self.words.t("hand.contest.afresh")  # "Begin afresh"
        return self.words.t("hand.correct.afresh")  # "Start again from the saved one"

    @property
    def save_label(self) -> str:
        """Return the label of the button that saves the hand (round).

        "Save the hand", "Save the correction", or "Save my count" if the other side counts it too.
        """
        if self.hand.contests:
            return self.words.t("hand.save.contest")  # "Save my count"
        if self.hand.past:
            return self.words.t("hand.save.correct")  # "Save the correction"
        return self.words.t("hand.save")  # "Save the hand"

    @property
    def reason_key(self) -> str:
        """Return the message key of the label at the field for why a round is counted again."""
        if self.hand.past and self.hand.past.confirmed:
            return "hand.reason.confirmed"  # "Why does it change?"
        if self.hand.contests:
            return "hand.reason.contest"  # "What is not right? (optional)"
        return "hand.reason"  # "Why do you correct it? (optional)"

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """Return the sides in the order in which this phone shows them: its own side is first."""
        return tuple(self.hand.sides[position] for position in own_side_first(self.hand.state))

    @cached_property
    def rows(self) -> list[GridRow]:
        """List the rows of the table on the page.

        A row has the fields for one thing, such as red threes: one field for each side.
        """
        rows = []
        for fields_of_row in self._divide_fields_into_rows():
            first_field = fields_of_row[0]  # all fields of a row count the same thing
            rows.append(
                GridRow(
                    id=f"row-{html_id(first_field.name)}",
                    label=self._write_row_label(first_field),
                    hint=self.write_hint(first_field),
                    card_colour=first_field.card_colour,
                    fields=fields_of_row,
                )
            )
        return rows

    def _divide_fields_into_rows(self) -> Iterator[tuple[Field, ...]]:
        """Divide the fields of the table into rows, each with one field for each side."""
        columns = []
        for side in self.sides:
            shown_canastas = self._list_canasta_fields_to_show(side)
            typed_fields = self.list_fields_in(PagePart.GRID, side)
            columns.append(shown_canastas + typed_fields)
        # The columns [a1, a2] and [b1, b2] become the rows (a1, b1) and (a2, b2).
        return zip(*columns, strict=True)

    def _list_canasta_fields_to_show(self, side: Side) -> list[Field]:
        """List the fields of a side that only show its number of canastas and are not typed in.

        A canasta is a group of seven or more cards. In some games all cards are typed, and the
        numbers follow from them. In all other games the numbers are typed, and the list is empty.
        """
        rules = self.parsed.rules
        if hand_fields.counts_totals(rules.settings):
            return []
        return list(hand_fields.make_canasta_fields(rules, side.position, PagePart.FROM_CARDS))

    def list_fields_in(self, part: PagePart, side: Side) -> list[Field]:
        """List the form fields of a side that stand in a part of the page.

        The cards that players still hold at the end are typed for each player. The one field for
        the cards of all players together is left out as long as it is blank.
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

    def show_number(self, field: Field) -> NumberInput:
        """Return what the input field for a number shows.

        - `3x50` is typed → `3x50`, and beside it "= 150"
        - it is blank, but by the cards typed elsewhere it would be 230 → 230 in grey, and nothing can
          be typed in it
        - it is blank, and nothing is known → 0 in grey for a count, … for points
        """
        only_follows_from_cards = field.part == PagePart.FROM_CARDS
        typed = "" if only_follows_from_cards else self.get_typed(field.key)
        number_from_cards = None
        if not typed.strip():
            number_from_cards = self.numbers_from_cards.get(field.key)
            if number_from_cards is None and only_follows_from_cards:
                number_from_cards = 0

        if number_from_cards is not None:
            placeholder = str(number_from_cards)
        elif field.kind == "count":
            placeholder = ZERO
        else:
            placeholder = _UNTYPED_NUMBER
        return NumberInput(
            name="" if only_follows_from_cards else field.key,
            value=typed,
            placeholder=placeholder,
            is_read_only=number_from_cards is not None,
            points=self.write_points_of_cell(field),
            result=self.work_out_text(field) if typed else "",
        )

    def work_out_text(self, field: Field) -> str:
        """Work out what is typed in a form field, to be shown beside it.

        - `3x50+4x20` in a field for points → "= 230"
        - cards left in hand → the cards in words, with their points
        - a plain number, or no text → nothing, since no help is needed
        """
        text = self.parsed.typed_in(field.key)
        if field.is_number and is_sum(text):
            value = field.read_text(text, self.words.language).value
            if value is None:
                return ""
            return self.words.t("hand.comes-to", figure=value)  # "= {figure}"
        if field.kind == "cards" and text != ZERO:
            return self._write_cards_in_hand(_read_cards_left_in_hand(text))
        return ""

    def _write_cards_in_hand(self, cards: Cards) -> str:
        """Write the cards left in a player's hand in words, with their points.

        The points are left out in a game in which cards have none. Empty if there are no cards.
        """
        if cards.size == 0:
            return ""
        in_words = list_cards_in_words(cards.counts, self.words)
        if not in_words:
            return ""
        settings = self.settings
        # In the game `mini` cards have no points: scores are a small number of units.
        is_scored_in_units = settings.unit == "units"
        if is_scored_in_units:
            return in_words
        points = cards.points(settings.left_points)
        return self.words.t("hand.text", what=in_words, points=points)  # "{what} · {points} points"

    @cached_property
    def numbers_from_cards(self) -> Mapping[str, int]:
        """Work out the numbers that follow from the cards typed one by one, by key of the field.

        They are the points of the cards on the table, the number of canastas (groups of seven or
        more cards) of each kind, and the points of the cards left in hand: `{"a.cards": 230,
        "a.canastas.samba": 1, "a.left": 35}`. In these fields they could have been typed instead.
        """
        numbers: dict[str, int] = {}
        for side in self.hand.sides:
            for name, number in self._add_up_melds(side).items():
                numbers[field_key(side.key, name)] = number
            points_held = self._count_points_left_in_hand(side)
            if points_held is not None:
                numbers[field_key(side.key, "left")] = points_held
        return numbers

    def _add_up_melds(self, side: Side) -> Counter[str]:
        """Add up the melds (groups of cards laid on the table) that are typed for a side.

        The result is by name of the form field. `{"cards": 230, "canastas.samba": 1}` are the
        points of all their cards, and the number of canastas (melds of seven or more cards) of a
        kind.
        """
        card_points = self.settings.card_points
        totals: Counter[str] = Counter()
        for typed in self.read_typed_melds(side):
            totals["cards"] += typed.meld.cards.points(card_points)
            for name in self._find_fields_counting_meld(typed):
                totals[name] += 1
        return totals

    def _count_points_left_in_hand(self, side: Side) -> int | None:
        """Count the points of the cards typed as left in the hands of a side's players.

        None if no such cards are typed, or if these rules do not count them by their points.
        """
        settings = self.settings
        are_cards_counted_by_points = settings.cards_left == "points"
        if not are_cards_counted_by_points:
            return None
        fields_for_cards = field_key(side.key, "left.")  # `a.left.0`, `a.left.1` and `a.left.all`
        texts = []
        for key, text in self.parsed.draft.items():
            if key.startswith(fields_for_cards):
                texts.append(text)
        if not texts:
            return None
        cards_of_all_players = _read_cards_left_in_hand(" ".join(texts))
        return cards_of_all_players.points(settings.left_points)

    def _find_fields_counting_meld(self, typed: TypedMeld) -> list[str]:
        """Find the form fields whose number goes up by one for this meld.

        A meld is a group of cards laid on the table, and a canasta is a meld of seven or more
        cards.

        - a canasta without jokers and twos → `["canastas.natural-canasta"]`
        - a shorter meld → none, except in games in which incomplete melds of its kind cost points
        """
        settings = self.settings
        names = []
        canasta = find_kind_of_canasta(typed.meld, settings)
        if canasta:
            names.append(f"canastas.{canasta.item}")
            if typed.is_concealed:  # laid down complete in one go, which is counted as well
                names.append("canastas.concealed-canasta")
        incomplete = find_kind_of_incomplete_meld(typed.meld, settings)
        if incomplete:
            names.append(f"incomplete.{incomplete.name}")
        return names

    def is_card_panel_open(self, side: Side) -> bool:
        """Tell whether the panel in which a side's cards are typed one by one is shown open.

        - a field in it has a text or a message → True
        - nothing is typed for the side yet, and it typed its cards in the last hand too → True
        - anything else → False
        """
        for field in self.list_fields_in(PagePart.BY_CARDS, side):
            is_typed = field.key in self.parsed.draft
            has_message = field.key in self.report.messages_by_key
            if is_typed or has_message:
                return True

        # What is typed for a side so far stands outside the panel: then it is not needed.
        if self.hand.past or self._has_typed_anything(side):
            return False
        return self._is_expected_to_type_cards(side)

    def _is_expected_to_type_cards(self, side: Side) -> bool:
        """Tell whether a side will probably type its cards one by one, as it did in the last round.

        Where the rules leave no choice between the cards and their total → False.
        """
        can_type_totals = hand_fields.counts_totals(self.settings)
        return can_type_totals and self._was_last_counted_by_cards(side)

    def _has_typed_anything(self, side: Side) -> bool:
        """Tell whether something is typed in any form field of this side."""
        return any(side_of_key(key) == side.position for key in self.parsed.draft)

    def _was_last_counted_by_cards(self, side: Side) -> bool:
        """Tell whether this side's cards were typed one by one in the last round of the match.

        If not, only their total was typed.
        """
        counted_hands = self.hand.state.hands
        if not counted_hands:
            return False
        last_hand = counted_hands[-1].counted.hand
        return bool(last_hand.sides[side.position].melds)

    @property
    def special_hand_shown(self) -> str:
        """Return the sentence that a side has ended the round by showing a special hand.

        "We went out, with the special hand." A special hand is a set of cards that is shown all at
        once instead of being laid out bit by bit. Empty if nobody showed one.
        """
        for side in self.sides:
            if self.parsed.typed_in(field_key(side.key, "special")):
                # It says: "{side} went out, with the special hand."
                return self.words.t("hand.out.special", side=side.name)
        return ""

    @property
    def must_discard(self) -> bool:
        """Tell whether the rules require that the last card of a hand (round) is discarded.

        If they do, the page asks which card it was.
        """
        return self.settings.last_discard == "obligatory"

    @property
    def discard_rule(self) -> str:
        """Say that the last card must be discarded, and what it counts; empty if it need not be."""
        if not self.must_discard:
            return ""
        return self.words.t(f"hand.discard.must.{self.settings.last_discard_special}")

    @property
    def discard_options(self) -> list[SelectOption]:
        """List the cards of which one can be chosen as the last discard: "Q – queen".

        The first option is that it is not known. If another text was sent, it is the last option.
        """
        chosen = self.get_typed(hand_fields.DISCARD)
        options = [SelectOption("", self.words.t("hand.discard.unknown"), is_chosen=not chosen)]
        for key in self.card_keys:
            # It says: "{token} – {name}"
            label = self.words.t("hand.discard.card", token=key.card, name=key.name)
            options.append(SelectOption(key.card, label, is_chosen=key.card == chosen))
        if chosen and chosen not in CARD_KEYS:
            options.append(SelectOption(chosen, chosen, is_chosen=True))
        return options

    @property
    def is_rest_panel_open(self) -> bool:
        """Tell whether the panel with the last discard and the remark is shown open.

        - the rules require a last discard → True
        - the box "without a discard" is ticked, or a remark is typed → True
        - a message stands beside one of its fields → True
        """
        if self.must_discard:
            return True

        keys_that_open_it = (hand_fields.DISCARD_NONE, hand_fields.REMARK)
        is_filled = any(key in self.parsed.draft for key in keys_that_open_it)
        keys_of_panel = (hand_fields.DISCARD, *keys_that_open_it)
        has_message = any(key in self.report.messages_by_key for key in keys_of_panel)
        return is_filled or has_message

    @property
    def concealed_label(self) -> str:
        """Return the label of the box for going out concealed.

        That is to end the hand (round) with all cards laid down at once. "Concealed", or
        "Concealed, 200" if it gives other points than usual.
        """
        settings = self.settings
        if settings.concealed_out_bonus == settings.out_bonus:
            return self.words.t("hand.concealed.short")  # "Concealed"
        # It says: "Concealed, {points}"
        return self.words.t("hand.concealed.worth", points=settings.concealed_out_bonus)

    def list_answers(self, question: str, side: Side) -> list[OfferedAnswer]:
        """List the answers to a question about the whole hand that stand in the column of a side.

        - who played alone → the side, with the value `a`
        - who went out (ended the round by playing the last card) → the side, `a`, and if it has
          several players, each of them: `a.0` and `a.1`
        """
        answers = [self._make_answer_of_side(question, side)]
        if question == hand_fields.OUT and len(side.players) > 1:
            answers += self._list_answers_of_players(side)
        return answers

    def _make_answer_of_side(self, question: str, side: Side) -> OfferedAnswer:
        """Make the answer to a question that names a whole side, such as who ended the round.

        It is chosen if `a` is typed. If the side has only one player, `a.0` says the same.
        """
        chosen_value = self.parsed.draft.get(question, "")
        is_chosen = chosen_value == side.key
        has_one_player = len(side.players) == 1
        if has_one_player and chosen_value.startswith(f"{side.key}."):
            is_chosen = True

        id_on_page = f"{question}-{side.key}"
        if side.position == 0:
            id_on_page = question  # the links of error messages lead to the answer with this id
        return OfferedAnswer(id_on_page, side.key, side.name, is_chosen)

    def _list_answers_of_players(self, side: Side) -> list[OfferedAnswer]:
        """List the players of a side as answers to the question who ended the round.

        A player without a name is left out, unless that answer is chosen already.
        """
        question = hand_fields.OUT
        chosen_value = self.parsed.draft.get(question, "")
        answers = []
        for index, name in side.players.items():
            value = f"{side.key}.{index}"
            is_chosen = value == chosen_value
            if not name and not is_chosen:
                continue
            label = name or self.words.t("hand.player", number=index + 1)  # "player 2"
            answers.append(OfferedAnswer(f"{question}-{side.key}-{index}", value, label, is_chosen))
        return answers

    def list_special_hands(self, field: Field) -> list[SelectOption]:
        """List the special hands of which a side can choose the one that it showed: "Pairs: 1,500".

        A special hand is a set of cards that scores as a whole. The first option is none.
        """
        chosen = self.get_typed(field.key)
        options = [SelectOption("", self.words.t("hand.special.none"), is_chosen=not chosen)]
        for value, points in self.settings.special_hands:
            name = self.words.t(f"value.special.{value}")
            label = self.words.t(
                "hand.special.worth", name=name[:1].upper() + name[1:], points=points
            )
            options.append(SelectOption(value, label, is_chosen=value == chosen))
        return options

    @property
    def card_keys(self) -> list[CardKey]:
        """List the keys with which cards are typed, in the order in which they stand on the page."""
        keys = []
        for kind in CARD_KEYS:
            keys.append(
                CardKey(
                    card=kind.value,
                    name=self.words.plural(f"card.{kind}", 1),
                    can_have_suit=kind not in _CARDS_WITHOUT_SUIT,
                    is_joker=kind is Kind.JOKER,
                )
            )
        return keys

    @property
    def has_suit_keys(self) -> bool:
        """Tell whether suits can be typed, because there are sequences (cards in a row) to lay."""
        return self.settings.sequences != "none"

    def find_name_of_answer(self, value: str) -> str:
        """Return the name of the side or player that was chosen as the answer to a question.

        - `a` → the name of the first side
        - `a.1` → the name of its second player, or of the side if the player has no name
        - `nobody` → empty, since it names no side
        """
        for side in self.hand.sides:
            for answer in self.list_answers(hand_fields.OUT, side):
                if answer.value == value:
                    return answer.label
        # A player without a name is not offered as an answer.
        key_of_side, _, _ = value.partition(".")
        names_of_sides = {side.key: side.name for side in self.hand.sides}
        return names_of_sides.get(key_of_side, "")

    def answer_nobody(self, question: str) -> OfferedAnswer:
        """Make the answer "nobody" to a question about the whole round, such as who ended it."""
        is_chosen = self.parsed.draft.get(question) == hand_fields.NOBODY
        return OfferedAnswer(f"{question}-nobody", hand_fields.NOBODY, "", is_chosen)

    @property
    def more_panels(self) -> list[MorePanel]:
        """List the panels with rarely used fields, one for each side."""
        return [self._make_more_panel(side) for side in self.sides]

    def _make_more_panel(self, side: Side) -> MorePanel:
        fields = self.list_fields_in(PagePart.MORE, side)
        noted_penalties = self._list_noted_penalties(side)
        return MorePanel(
            side=side,
            groups=self._group_fields(fields),
            noted_penalties=noted_penalties,
            summary=self._summarize_more_panel(fields, noted_penalties),
            is_open=self._is_more_panel_open(side, fields),
        )

    def _summarize_more_panel(self, fields: list[Field], noted_penalties: list[NotedLine]) -> str:
        """Name the fields in which something is typed, then the recorded penalties.

        "Special hand, Points 1, Drawing out of turn: −100; …"
        """
        parts = [self.label(field) for field in self._select_filled(fields)]
        if noted_penalties:
            parts.append("; ".join(penalty.text for penalty in noted_penalties))
        return ", ".join(parts)

    def _select_filled(self, fields: list[Field]) -> list[Field]:
        """Select the form fields in which something is typed, other than 0."""
        return [field for field in fields if self.parsed.typed_in(field.key) not in ("", ZERO)]

    def _is_more_panel_open(self, side: Side, fields: list[Field]) -> bool:
        """Tell whether the panel of a side with these rarely used form fields is shown open.

        - a message stands beside one of them → True
        - something other than a penalty is typed in one → True
        - only penalties are typed → False: the points that they cost are shown outside the panel
          too
        """
        # The panel also lists the penalties that were recorded during play.
        key_of_recorded_penalties = field_key(side.key, hand_fields.NOTED)
        keys_in_panel = [key_of_recorded_penalties, *(field.key for field in fields)]
        if any(key in self.report.messages_by_key for key in keys_in_panel):
            return True
        return any(field.group not in _PENALTY_GROUPS for field in self._select_filled(fields))

    def _list_noted_penalties(self, side: Side) -> list[NotedLine]:
        """List the penalties of a side that were recorded while the hand (round) was being played.

        Each is a line with the words for it and its points, which are negative.
        """
        rules = self.parsed.rules
        lines = []
        for penalty in self.hand.noted_penalties:
            if penalty.side == side.position:
                text = describe_noted_penalty(penalty, rules, self.words)
                points = -penalty.cost(rules)
                lines.append(NotedLine(penalty.entry, text, points))
        return lines

    # ------------------------------------------------------------------ what a column adds up to

    @cached_property
    def _items_with_row(self) -> frozenset[str]:
        """Return what is scored in a row of its own in the table, such as `red-threes`."""
        items = {OUT_ITEM}  # the row with the question who went out
        for row in self.rows:
            first_field = row.fields[0]  # all fields of a row count the same item
            items.add(first_field.item)
        return frozenset(items)

    def _sum_points_for_item(self, side: Side, item: str) -> int | None:
        """Add up the points of a side for one thing that is scored, such as `red-threes`.

        None as long as the score of the side is not known.
        """
        score = self.report.scores[side.position]
        if score is None:
            return None
        return sum(line.points for line in score.lines if line.item == item)

    def _sum_points_without_row(self, side: Side) -> int:
        """Add up the points of a side for all that is scored without a row of its own in the table.

        0 as long as the score of the side is not known.
        """
        score = self.report.scores[side.position]
        if score is None:
            return 0
        return sum(line.points for line in score.lines if line.item not in self._items_with_row)

    @property
    def has_points_without_row(self) -> bool:
        """Tell whether a side has points for something that has no row in the table."""
        return any(self._sum_points_without_row(side) for side in self.sides)

    def write_points_without_row(self, side: Side) -> ColumnSum:
        """Write the points of a side for all that has no row in the table: `+50`.

        Empty if there are none.
        """
        points = self._sum_points_without_row(side)
        if points == 0:
            return ColumnSum("")
        return ColumnSum(self.words.signed(points))

    def write_points_of_hand(self, side: Side) -> ColumnSum:
        """Write the points of a side in this hand (round): `+570`, or – if they are not known."""
        score = self.report.scores[side.position]
        if score is None:
            return ColumnSum("–")
        return ColumnSum(self.words.signed(score.hand))

    def write_total(self, side: Side) -> ColumnSum:
        """Write the total of a side in the match after this hand (round): `1205`.

        As long as its score in the hand is not known, it is the total before.
        """
        score = self.report.scores[side.position]
        if score is None:
            return ColumnSum(self.words.figure(side.before))
        return ColumnSum(self.words.figure(score.total))

    def write_points_of_cell(self, field: Field) -> str:
        """Write the points for the number in a cell of the table, to be shown beside it: `+570`.

        They are left out (the text is empty) where they say nothing new:

        - 2 canastas (groups of seven or more cards) in a row that says "500" each → no `+1,000`
        - the score is not known yet, or the field is not in the table
        """
        is_in_table = field.part in (PagePart.GRID, PagePart.FROM_CARDS)
        if not is_in_table:
            return ""
        side = self.find_side(field)
        points = self._sum_points_for_item(side, field.item)
        if points is None:
            return ""
        if points == self._multiply_by_worth(field):
            return ""
        return self.words.signed(points)

    def _multiply_by_worth(self, field: Field) -> int:
        """Multiply the number in a cell of the table by the worth that its row shows.

        2 in a row that says "500" each → 1000. In a row that shows no worth → 0.
        """
        if not field.points_each:
            return 0
        worth_shown = field.points_each[0]
        return self._find_number_in_cell(field) * worth_shown

    def _find_number_in_cell(self, field: Field) -> int:
        """Find the number that a cell of the table stands for.

        - `2` is typed in it → 2
        - it is blank, but by the cards typed elsewhere it would be 1 → 1
        - the text is no number, or nothing is known → 0
        - two sides type their cards together, in the column of the other one → 0
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
    def is_concealed_ticked(self) -> bool:
        """Tell whether the box "Concealed" is ticked, for how the round ended."""
        return self.is_ticked(hand_fields.CONCEALED)

    def asks_concealed(self, question: str) -> bool:
        """Tell whether the page asks beside this question if a player went out concealed.

        That is, if a player ended the hand (round) by laying down all cards at once. It is asked
        only beside the question who went out, and only if the rules need to know it or the box is
        ticked already.
        """
        if question != hand_fields.OUT:
            return False
        return self.is_concealed_ticked or hand_fields.needs_concealed(self.parsed.rules)

    def write_points_of_question(self, question: str, side: Side) -> str:
        """Write the points that stand in the column of a side beside a question: `+300`.

        - the question who went out (ended the round) → the points of the side for that
        - they are the usual points, which the page shows elsewhere, or not known yet → empty
        - any other question → empty
        """
        if question != hand_fields.OUT:
            return ""
        points = self._sum_points_for_item(side, OUT_ITEM)
        if points is None or points == self._find_usual_out_points(side):
            return ""
        return self.words.signed(points)

    def _find_usual_out_points(self, side: Side) -> int:
        """Return the points that a side usually gets for going out (ending the round).

        0 if it did not go out.
        """
        who_went_out = self.parsed.typed_in(hand_fields.OUT)  # `a`, or `a.1` for one of its players
        if not who_went_out.startswith(side.key):
            return 0
        settings = self.settings
        return choose_usual_out_bonus(settings, is_concealed=self.is_concealed_ticked)

    # ------------------------------------------------------------------ melds and lines

    def read_typed_melds(self, side: Side) -> Iterator[TypedMeld]:
        """Read the melds (groups of cards laid on the table) typed for a side, one on each line.

        `4xQ` on the first line and `3xK*` on the second are two melds. The mark `*` says that the
        meld was concealed, that is, laid down complete in one go.
        """
        text = self.parsed.typed_in(field_key(side.key, "melds"))
        for line in meld_lines(text):
            if line != ZERO:  # a line with 0 says that the side has no melds
                yield _read_typed_meld(line)

    def describe_melds(self, side: Side) -> list[DescribedMeld]:
        """Describe the melds (groups of cards laid on the table) that are typed for a side.

        Each is given as it was typed, `4xQ`, and in words: its cards, its kind and its points.
        """
        rules = self.parsed.rules
        described = []
        for typed in self.read_typed_melds(side):
            is_wrong = self._has_error_message(typed, side)
            kind = meld_kind_in_words(typed.meld, rules, self.words, is_wrong=is_wrong)
            cards = meld_in_words(typed.meld, rules.settings, self.words)
            if not cards:  # no card of it can be read
                cards = typed.cards_text
            in_words = self.words.t("hand.meld.text", cards=cards, kind=kind)  # "{cards}: {kind}"
            described.append(DescribedMeld(typed.cards_text, in_words))
        return described

    def list_meld_buttons(self, field: Field) -> list[MeldButton]:
        """List the buttons at the field for a side's opening, one for each meld typed for the side.

        A meld is a group of cards on the table, and the opening is those that a side laid first. A
        button is pressed if its meld is in the field.
        """
        side = self.find_side(field)
        opening = [line.strip() for line in self.get_typed(field.key).splitlines()]
        buttons = []
        for index, meld in enumerate(self.describe_melds(side)):
            buttons.append(
                MeldButton(
                    value=f"opening.{side.key}.{index}",
                    typed=meld.typed,
                    in_words=meld.in_words,
                    is_pressed=meld.typed in opening,
                )
            )
        return buttons

    def _has_error_message(self, typed: TypedMeld, side: Side) -> bool:
        """Tell whether an error message beside the melds of a side is about this one.

        A meld is a group of cards on the table. Such a message repeats the meld as it was typed.
        """
        messages = self.report.messages_by_key.get(field_key(side.key, "melds"), ())
        for message in messages:
            # The text of a concealed meld is repeated with or without its mark.
            is_about_meld = message.meld in (typed.line, typed.cards_text)
            if is_about_meld and message.tone is Tone.ERROR:
                return True
        return False


def choose_usual_out_bonus(settings: Settings, *, is_concealed: bool) -> int:
    """Choose the usual points for going out, that is, for ending the hand by playing the last card.

    `is_concealed` is True if all cards were laid down at once, which usually gives more points.
    """
    if is_concealed:
        return settings.concealed_out_bonus
    return settings.out_bonus


def _read_typed_meld(line: str) -> TypedMeld:
    """Read a meld (a group of cards laid on the table) from a line of text.

    - `4xQ` → four queens
    - `3xK*` → three kings that were concealed, that is, laid down complete in one go
    - `3xK foo` → three kings: what cannot be read is left out here, and reported elsewhere
    """
    cards_text = without_concealed_mark(line)
    reading = read_cards(to_notation(cards_text))  # `4 donne` is `4xQ` in the notation of the rules
    return TypedMeld(
        line=line,
        cards_text=cards_text,
        meld=read_meld(reading.cards),
        is_concealed=line.endswith(CONCEALED_MARK),
    )


def _read_cards_left_in_hand(text: str) -> Cards:
    """Read the cards in a text, without what cannot be read.

    `K 4 / 9` → a king, a four and a nine. The slash separates the cards of one player from those of
    the next.
    """
    return read_cards(to_notation(text.replace(HAND_SEPARATOR, " "))).cards

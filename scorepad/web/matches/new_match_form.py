"""The form of a new match: names, dealer, rules, and what is taken over from a paper sheet.

Fields are named after what they hold: `name-0`, `player-0-1`, `option-target`, `carried-1`.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from flask import request
from wtforms import BooleanField, Field, HiddenField, StringField, ValidationError

from scorepad.matches.events import MATCH_TEXTS
from scorepad.matches.projection import NewMatch
from scorepad.rules.definitions import Choices, Ends, Variant
from scorepad.rules.judging import Seat, seat_players
from scorepad.rules.loader import MOST_HANDS, MOST_MINUTES
from scorepad.rules.variants import settle
from scorepad.web import forms
from scorepad.web.base import language, page_words, t
from scorepad.web.forms import (
    NUMERIC,
    Choice,
    ChoiceField,
    Misread,
    figure_of,
    lazy,
    whole_number,
)
from scorepad.web.matches.setup_form import (
    SetupForm,
    add_fields,
    make_label_fields,
    make_rule_fields,
)
from scorepad.web.presenters import default_names, is_default_name


class FormButton(StrEnum):
    """The buttons that change the form of a new match and show it again, by the names under which
    they are sent. A form without any of them is sent to start the match.
    """

    SWITCH = "switch"
    """Play another variant; the value is its id."""
    SIT = "sit"
    """Play with another number of players: the value `players=3` sets the option `players`."""
    PLAYER = "player"
    """Seat a known player; the value is the name."""
    PAIR = "pair"
    """Seat the players of a known side; the value is that of `EarlierSide.button_value`."""
    DRAW = "draw"
    """Draw the seats and the first dealer."""
    SHOW = "show"
    """Show what follows from the typed values; only browsers without scripts need it."""


class CarriedTotal(NamedTuple):
    """The field of a side's earlier total, and the checkbox for one below zero."""

    total: Field
    below: Field


class EarlierSide(NamedTuple):
    """A side of an earlier match. `name` is empty for a usual name, such as "Noi"; a player without
    a name is an empty text.
    """

    name: str
    players: tuple[str, ...]

    @property
    def named_players(self) -> list[str]:
        """List the names of the players, without those who have none.

        - two players → their names
        - one player, who is the side alone → the name of the side
        """
        is_single_player = len(self.players) == 1
        if is_single_player:
            return [self.name] if self.name else []
        return [player for player in self.players if player]

    @property
    def button_value(self) -> str:
        """Return the value of the button that seats this side in a new match.

        It is the name of the side and those of its players, separated by tabs.
        """
        return "\t".join([self.name, *self.players])

    @classmethod
    def from_button(cls, value: str) -> EarlierSide:
        """Read a side from the value of the button that seats it (see `button_value`)."""
        name, *players = value.split("\t")
        return cls(name, tuple(players))


class NewMatchForm(SetupForm):
    """A new match of one variant: names, dealer, free texts, rules, and carried totals.
    `make_new_match_form_class` adds the fields that depend on the game.
    """

    seats: tuple[Seat, ...]
    """Who may deal first, clockwise."""
    variant = HiddenField()
    dealer = ChoiceField(default="0-0")
    hands = StringField(
        lazy("own.ends.hands"), [whole_number(1, MOST_HANDS)], default="", render_kw=NUMERIC
    )
    minutes = StringField(
        lazy("own.ends.minutes"), [whole_number(1, MOST_MINUTES)], default="", render_kw=NUMERIC
    )

    @property
    def pressed_buttons(self) -> list[FormButton]:
        """List the buttons that sent the form: one that changes it, or none."""
        return [button for button in FormButton if button in request.form]

    def offer_choices(self) -> None:
        """Set the choices and the labels of fields that depend on what is typed in other fields."""
        self.offer_rule_choices()
        self._offer_dealers()
        self._label_carried_totals()

    def _offer_dealers(self) -> None:
        """Offer each player as the first dealer, by the names that are typed: "Ada (We)".

        If the match goes on from a paper sheet, the question is "Who deals the next hand" instead
        of "Who deals first".
        """
        choices = []
        for side, index in self.seats:
            name = self._name_player_on_seat(side, index)
            choices.append(Choice(value=f"{side}-{index}", label=name))
        self.dealer.choices = tuple(choices)
        if self.has_carried:  # the first hand here is not the first one of the match
            self.dealer.label.text = t("match.earlier.dealer")  # "Who deals the next hand"
        else:
            self.dealer.label.text = t("web.new.dealer")  # "Who deals first"

    def _label_carried_totals(self) -> None:
        """Label the fields for the totals from a paper sheet with the typed names of the sides."""
        for name, carried in zip(self.side_names, self.carried_totals, strict=True):
            carried.total.label.text = t("match.earlier.total", side=name)  # "Total: {side}"
            carried.below.label.text = t("match.earlier.below", side=name)  # "{side}: below zero"

    @property
    def has_own_rules(self) -> bool:
        """Tell whether other rules than the usual ones are chosen, or some of them are wrong."""
        if self.is_touched("preset", "hands", "minutes"):
            return True
        for line in self.rule_lines:  # the options of the game
            if line.differs or line.field.errors:
                return True
        return False

    def is_touched(self, *prefixes: str) -> bool:
        """Tell whether a field with one of these prefixes was changed, or has an error.

        `is_touched("name-")` looks at the fields `name-0` and `name-1`.
        """
        for field in self:
            if not field.name.startswith(prefixes):
                continue
            is_changed = (field.data or "") != (field.default or "")
            if is_changed or field.errors:
                return True
        return False

    @property
    def has_touched_labels(self) -> bool:
        """Tell whether a name, a free text or the first dealer was changed, or has an error."""
        texts = [text.name for text in MATCH_TEXTS]
        return self.is_touched("name-", "player-", "dealer", *texts)

    # names and seats

    def _name_player_on_seat(self, side: int, index: int) -> str:
        """Name a player by the names that are typed.

        - "Ada (We)"
        - "We, player 1" if no name is typed for the player
        - "Ada" if the player is a side alone, which then has the name of the player
        """
        side_name = self.side_names[side]
        if self.side_sizes[side] == 1:
            return side_name
        player = self.players[side][index].strip()
        if not player:
            return t("web.seat.unnamed", side=side_name, seat=index + 1)  # "{side}, player {seat}"
        return t("web.seat.named", player=player, side=side_name)  # "{player} ({side})"

    @property
    def seat_fields(self) -> list[Field]:
        """Return the field for the name of each player, side after side."""
        fields = []
        for side in self.sides:
            fields += side.seats
        return fields

    @property
    def seated_players(self) -> list[str]:
        """Return the name typed for each player, side after side: `["Ada", "", "Cleo", ""]`.

        It is empty for a player without a name. A usual name such as "Player 1" counts as none.
        """
        players = []
        for field in self.seat_fields:
            name = field.data.strip()
            if is_default_name(name):
                name = ""
            players.append(name)
        return players

    def seat_or_remove_player(self, name: str) -> None:
        """Put a player on the first free seat, or take the player away if seated already.

        - the seats `["Ada", ""]` and "Bea" → `["Ada", "Bea"]`
        - the seats `["Ada", "Bea"]` and "Bea" → `["Ada", ""]`
        - the seats `["Ada", "Bea"]` and "Cleo" → as before, no seat is free
        """
        seated = self.seated_players
        if name and name in seated:
            field = self.seat_fields[seated.index(name)]
            field.data = field.default
        elif "" in seated:
            free_seat = seated.index("")
            self.seat_fields[free_seat].data = name

    def seat_known_side(self, known: EarlierSide) -> None:
        """Put the players of a side of an earlier match together on a side of the table.

        It is the first one that has as many places and no players yet. If there is none, nothing
        happens. The name of the earlier side is taken over too, unless another side has it.
        """
        for side in self.sides:
            has_as_many_places = len(side.players) == len(known.players)
            has_players = any(field.data.strip() for field in side.players)
            if not has_as_many_places or has_players:
                continue
            if known.name and known.name not in self.names:
                side.name.data = known.name
            for field, player in zip(side.players, known.players, strict=True):
                field.data = player
            return

    def draw_seats(self) -> None:
        """Put the players whose names are typed on random seats, and draw the first dealer."""
        names = self.seated_players  # an empty text for each free seat
        secrets.SystemRandom().shuffle(names)
        for field, name in zip(self.seat_fields, names, strict=True):
            has_player = name != ""
            field.data = name if has_player else field.default
        dealer_side, dealer_index = secrets.choice(self.seats)
        self.dealer.data = f"{dealer_side}-{dealer_index}"

    def reset_for_variant(self, variant_before: Variant) -> None:
        """Reset the fields that do not fit this game (variant).

        The form was filled in for another game before, `variant_before`.
        """
        self._reset_usual_names()
        self._empty_amounts_of_other_kind(variant_before)
        self.reset_unknown_choices()

    def _reset_usual_names(self) -> None:
        """Replace the usual names of another game by those of this one.

        "We" is the usual name of a side of two, "Player 1" that of a player who is a side alone.
        """
        for side in self.sides:
            if is_default_name(side.name.data):
                side.name.data = side.name.default

    def _empty_amounts_of_other_kind(self, variant_before: Variant) -> None:
        """Empty the fields for amounts that were of another kind in the game before.

        A target of 5000 points means nothing in a game whose target is 12 units.
        """
        for option in self.game.options.values():
            if option.amount is None:
                continue
            option_before = variant_before.options.get(option.id)
            # Points are multiples of 500, say, and units multiples of 1: that tells them apart.
            is_of_same_kind = option_before is not None and option_before.step == option.step
            if not is_of_same_kind:
                self[f"option-{option.id}"].data = ""

    def reset_unknown_choices(self) -> None:
        """Reset the fields in which something is chosen that they do not offer."""
        for field in self:
            if not isinstance(field, ChoiceField):
                continue
            offered_values = [choice.value for choice in field.choices]
            if field.data not in offered_values:
                field.data = field.default

    # the totals of an earlier paper sheet

    @property
    def carried_totals(self) -> list[CarriedTotal]:
        """Return the fields for the total of each side that is taken over from a paper sheet."""
        totals = []
        for side in range(len(self.side_sizes)):
            name = f"carried-{side}"
            totals.append(CarriedTotal(self[name], self[f"{name}-below"]))
        return totals

    @property
    def has_carried(self) -> bool:
        """Tell whether something is typed in the fields for a match that was begun on paper."""
        fields = [field for field in self if field.name.startswith(("carried-", "played"))]
        return any(str(field.data or "").strip() for field in fields)

    def new_match(self) -> NewMatch:
        """Return the match that this form starts. Call it only if the form is valid."""
        hands_on_paper = None
        if "played" in self:
            hands_on_paper = figure_of(self["played"].data)
        return NewMatch(
            variant=self.game.id,
            preset=self.preset.data or None,
            options=self.options,
            labels=replace(self.labels, names=self.side_names),
            dealer=self._read_dealer(),
            carried=self._read_totals_from_paper(),
            played=hands_on_paper or 0,
            ends=self._read_chosen_ends(),
        )

    def _read_dealer(self) -> Seat:
        """Return the seat of the first dealer: `0-1` is the second player of the first side."""
        side, index = self.dealer.data.split("-")
        return int(side), int(index)

    def _read_totals_from_paper(self) -> tuple[int, ...]:
        """Return the total of each side that is taken over from a paper sheet: `(1200, -35)`.

        It is empty if nothing is taken over, so that the match starts at zero.
        """
        if not self.has_carried:
            return ()
        totals = []
        for field in self.carried_totals:
            points = figure_of(field.total.data) or 0
            is_below_zero = field.below.data  # a box to tick, since phones have no key for a minus
            totals.append(-points if is_below_zero else points)
        return tuple(totals)

    def _read_chosen_ends(self) -> Ends | None:
        """Return after how many hands (rounds) or minutes the match ends.

        None if it ends as the rules of the game say: nothing is typed, or just what they say.
        """
        typed = Ends(hands=figure_of(self.hands.data), minutes=figure_of(self.minutes.data))
        is_nothing_typed = typed == Ends()
        if is_nothing_typed or typed == self.game.ends:
            return None
        return typed


def make_new_match_form_class(game: Variant, options_of_seats: Choices) -> type[NewMatchForm]:
    """Make the class for the form of a new match that plays this game.

    Its fields depend on the game, and on the options that decide how many players sit at the table.
    WTForms takes the fields of a form from its class.
    """

    class NewMatchFormOfGame(NewMatchForm):
        """The form for this game and so many players."""

    settings = settle(game.id, None, options_of_seats).settings
    NewMatchFormOfGame.game = game
    NewMatchFormOfGame.options_of_seats = options_of_seats
    NewMatchFormOfGame.side_sizes = settings.sides
    NewMatchFormOfGame.seats = seat_players(settings)

    usual_names = default_names(settings.sides, page_words())
    known_players = {"list": "known-players"}  # the browser suggests the players of earlier matches
    add_fields(NewMatchFormOfGame, make_label_fields(settings.sides, usual_names, known_players))
    add_fields(NewMatchFormOfGame, _make_fields_for_paper_sheet(game, len(settings.sides)))
    add_fields(NewMatchFormOfGame, make_rule_fields(game, game.options.values()))
    return NewMatchFormOfGame


def _make_fields_for_paper_sheet(variant: Variant, number_of_sides: int) -> dict[str, Field]:
    """Make the fields for a match that was begun on paper and goes on here.

    For each side they are its total, `carried-0`, and a box to tick if that is below zero,
    `carried-0-below`. In a game with a fixed number of hands (rounds) one more field, `played`,
    asks how many of them were played on paper.
    """
    fields: dict[str, Field] = {}
    for side in range(number_of_sides):
        fields[f"carried-{side}"] = StringField(
            validators=[_check_carried_total], default="", render_kw=NUMERIC
        )
        fields[f"carried-{side}-below"] = BooleanField()

    # The setting is a number, such as 4, or "unlimited".
    has_fixed_number_of_hands = isinstance(variant.settings["match-deals"].value, int)
    if has_fixed_number_of_hands:
        fields["played"] = StringField(
            lazy("match.earlier.played"),
            [whole_number(0, MOST_HANDS)],
            default="",
            description=lazy("match.earlier.played.hint"),
            render_kw=NUMERIC,
        )
    return fields


def _check_carried_total(form: NewMatchForm, field: Field) -> None:
    """Check a total that is taken over from a paper sheet.

    - a number → accepted
    - no number → refused
    - blank → refused only if something else from the paper sheet is typed
    """
    total = forms.read_figure(field.data, language())
    if isinstance(total, int):
        return
    is_blank = total is None
    takes_nothing_over = not form.has_carried
    if is_blank and takes_nothing_over:
        return

    if is_blank:
        # It says: "The total is missing. If there are no points, write 0."
        message = t("match.carried-missing")
    elif total is Misread.MINUS:
        # It says: "Enter the total without a minus sign: tick “below zero” instead."
        message = t("match.carried-minus")
    else:
        # It says: "The total is written in figures, seven at most, for example 1500."
        message = t("match.carried-figure")
    raise ValidationError(form.put_subject_before(field, message))

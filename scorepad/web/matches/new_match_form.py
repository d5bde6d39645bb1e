"""The form of a new match: names, dealer, rules, and what is taken over from a paper sheet.

Fields are named after what they hold: `name-0`, `player-0-1`, `option-target`, `carried-1`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from werkzeug.datastructures import MultiDict
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
from scorepad.web.matches.setup_form import SetupForm, label_fields, rule_fields
from scorepad.web.presenters import default_names, is_default_name


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
        """The names of its players, without those who have none. A side of one player is named after
        the player.
        """
        names = self.players
        if len(names) == 1:
            names = (self.name,)
        return [name for name in names if name]

    @property
    def button_value(self) -> str:
        """The value of the button that seats the side: its name and those of its players, separated
        by tabs.
        """
        return "\t".join([self.name, *self.players])

    @classmethod
    def from_button(cls, value: str) -> EarlierSide:
        """The side that a button with this value (see `button_value`) seats."""
        name, *players = value.split("\t")
        return cls(name, tuple(players))


class NewMatchForm(SetupForm):
    """A new match of one variant: names, dealer, free texts, rules, and carried totals. Made by
    `new_match_form`.
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

    def offer_choices(self) -> None:
        """Set the choices of all fields, and the labels that depend on what is typed in others."""
        self.offer_rules()
        self._offer_dealers()
        self._label_carried_totals()

    def _offer_dealers(self) -> None:
        """Offer each player as the first dealer, in words by the names that are typed: `Ada (Noi)`."""
        choices = []
        for side, index in self.seats:
            choices.append(Choice(value=f"{side}-{index}", label=self._seat_in_words(side, index)))
        self.dealer.choices = tuple(choices)
        if self.has_carried:  # the first hand here is not the first one of the match
            self.dealer.label.text = t("match.earlier.dealer")
        else:
            self.dealer.label.text = t("web.new.dealer")

    def _label_carried_totals(self) -> None:
        """Label the fields for the totals from paper with the names of the sides that are typed."""
        for name, carried in zip(self.side_names, self.carried_totals, strict=True):
            carried.total.label.text = t("match.earlier.total", side=name)
            carried.below.label.text = t("match.earlier.below", side=name)

    @property
    def has_own_rules(self) -> bool:
        """Whether other rules than the usual ones were chosen, or something in them is wrong."""
        if self.is_touched("preset", "hands", "minutes"):
            return True
        return any(line.differs or line.field.errors for line in self.lines)

    def is_touched(self, *prefixes: str) -> bool:
        """Whether a field with one of these prefixes has an error, or a changed value."""
        for field in self:
            if not field.name.startswith(prefixes):
                continue
            if field.errors or (field.data or "") != (field.default or ""):
                return True
        return False

    @property
    def has_touched_labels(self) -> bool:
        """Whether a name, a free text or the dealer has an error, or was changed."""
        texts = [text.name for text in MATCH_TEXTS]
        return self.is_touched("name-", "player-", "dealer", *texts)

    # names and seats

    def _seat_in_words(self, side: int, index: int) -> str:
        """A player by the names that are typed: `Ada (Noi)`; `Noi, giocatore 1` without a name.

        A player who is a side alone has the name of the side.
        """
        side_name = self.side_names[side]
        if self.side_sizes[side] == 1:
            return side_name
        player = self.players[side][index].strip()
        if not player:
            return t("web.seat.unnamed", side=side_name, seat=index + 1)
        return t("web.seat.named", player=player, side=side_name)

    @property
    def seat_fields(self) -> list[Field]:
        """The field for each player's name, side by side."""
        fields = []
        for side in self.sides:
            fields += side.seats
        return fields

    @property
    def seated_players(self) -> list[str]:
        """The name typed for each player, side by side: `["Ada", "", "Cleo", ""]`.

        It is empty for a player without a name, also if a usual name such as `Giocatore 1` stands
        in the field.
        """
        players = []
        for field in self.seat_fields:
            name = field.data.strip()
            players.append("" if is_default_name(name) else name)
        return players

    def seat_player(self, name: str) -> None:
        """Put a player on the first free seat; a seated player leaves."""
        seated = self.seated_players
        if name and name in seated:
            field = self.seat_fields[seated.index(name)]
            field.data = field.default
        elif "" in seated:
            self.seat_fields[seated.index("")].data = name

    def seat_known_side(self, known: EarlierSide) -> None:
        """Put the players of a known side, under its name if it has one, on the first side of the
        table that has as many places and no players yet.
        """
        for side in self.sides:
            has_as_many_places = len(side.players) == len(known.players)
            has_players = any(field.data.strip() for field in side.players)
            if has_players or not has_as_many_places:
                continue
            if known.name and known.name not in self.names:
                side.name.data = known.name
            for field, player in zip(side.players, known.players, strict=True):
                field.data = player
            return

    def draw_seats(self) -> None:
        """Seat the players whose names are typed at random, and draw the first dealer."""
        names = self.seated_players
        secrets.SystemRandom().shuffle(names)
        for field, name in zip(self.seat_fields, names, strict=True):
            field.data = name or field.default
        dealer_side, dealer_index = secrets.choice(self.seats)
        self.dealer.data = f"{dealer_side}-{dealer_index}"

    def reset_for_variant(self, variant_before: Variant) -> None:
        """Reset the fields that the form got from the form of another variant, and that do not fit
        this one.
        """
        self._reset_usual_names()
        self._reset_amounts(variant_before)
        self.reset_unknown_choices()

    def _reset_usual_names(self) -> None:
        """Give sides with a usual name, such as `Noi`, the usual name of this variant: `Giocatore 1`
        if each plays alone.
        """
        for side in self.sides:
            if is_default_name(side.name.data):
                side.name.data = side.name.default

    def _reset_amounts(self, variant_before: Variant) -> None:
        """Empty the fields of amounts that the variant before did not have, or had in another unit.

        A target of 5000 points means nothing in a variant whose targets are some hands.
        """
        for option in self.plays.options.values():
            is_amount = option.step is not None
            if not is_amount:
                continue
            option_before = variant_before.options.get(option.id)
            if option_before is None or option_before.step != option.step:
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
        """The fields for the total of each side that is taken over from paper."""
        totals = []
        for side in range(len(self.side_sizes)):
            name = f"carried-{side}"
            totals.append(CarriedTotal(self[name], self[f"{name}-below"]))
        return totals

    @property
    def has_carried(self) -> bool:
        """Whether a carried total, or a number of hands played before, was typed."""
        fields = [field for field in self if field.name.startswith(("carried-", "played"))]
        return any(str(field.data or "").strip() for field in fields)

    def new_match(self) -> NewMatch:
        """The match that a valid form starts."""
        hands_on_paper = None
        if "played" in self:
            hands_on_paper = figure_of(self["played"].data)
        return NewMatch(
            variant=self.plays.id,
            preset=self.preset.data or None,
            options=self.options,
            labels=replace(self.labels, names=self.side_names),
            dealer=self._chosen_dealer(),
            carried=self._typed_totals(),
            played=hands_on_paper or 0,
            ends=self._chosen_ends(),
        )

    def _chosen_dealer(self) -> Seat:
        """The seat of the first dealer: the choice `0-1` is the second player of the first side."""
        side, index = self.dealer.data.split("-")
        return int(side), int(index)

    def _typed_totals(self) -> tuple[int, ...]:
        """The totals that are taken over from paper; none for a match that starts at zero."""
        if not self.has_carried:
            return ()
        totals = []
        for field in self.carried_totals:
            points = figure_of(field.total.data) or 0
            is_below_zero = field.below.data  # a box to tick, since phones have no key for a minus
            totals.append(-points if is_below_zero else points)
        return tuple(totals)

    def _chosen_ends(self) -> Ends | None:
        """After how many hands or minutes the match ends; None if it ends as the variant says."""
        ends = Ends(figure_of(self.hands.data), figure_of(self.minutes.data))
        nothing_typed = Ends()
        if ends in (nothing_typed, self.plays.ends):
            return None
        return ends


def new_match_form(
    variant: Variant,
    seated: Choices,
    submitted: MultiDict[str, str] | None = None,
    chosen: Mapping[str, str] | None = None,
) -> NewMatchForm:
    """Make the form of a new match of a variant.

    `seated` are the values of the options that decide the number of players. The fields have the
    `submitted` texts, or else those that are `chosen`, by the name of the field.

    WTForms takes the fields of a form from its class, so each form has a class of its own.
    """
    settings = settle(variant.id, None, seated).settings
    usual_names = default_names(settings.sides, page_words())
    known_players = {"list": "known-players"}  # the browser suggests the players of earlier matches
    attributes = {
        "seats": seat_players(settings),
        **label_fields(settings.sides, usual_names, render_kw=known_players),
        **_fields_from_paper(variant, len(settings.sides)),
        **rule_fields(variant, seated, variant.options.values()),
    }
    form_class = type("NewMatchFormOfVariant", (NewMatchForm,), attributes)
    form: NewMatchForm = form_class(formdata=submitted, data=chosen or {})
    form.offer_choices()
    return form


def _fields_from_paper(variant: Variant, number_of_sides: int) -> dict[str, Field]:
    """The fields of what is taken over from a paper sheet, by name: for each side its total
    (`carried-0`) and a box to tick if that is below zero.

    If the rules say how many hands a match has, there is also one for the hands `played` before.
    """
    fields: dict[str, Field] = {}
    for side in range(number_of_sides):
        fields[f"carried-{side}"] = StringField(
            validators=[_check_carried_total], default="", render_kw=NUMERIC
        )
        fields[f"carried-{side}-below"] = BooleanField()
    has_number_of_hands = isinstance(variant.settings["match-deals"].value, int)
    if has_number_of_hands:
        fields["played"] = StringField(
            lazy("match.earlier.played"),
            [whole_number(0, MOST_HANDS)],
            default="",
            description=lazy("match.earlier.played.hint"),
            render_kw=NUMERIC,
        )
    return fields


def _check_carried_total(form: NewMatchForm, field: Field) -> None:
    """Refuse a total from paper that is not a number, or is blank although something else from the
    paper sheet is typed.
    """
    total = forms.read_figure(field.data, language())
    if isinstance(total, int):
        return
    is_blank = total is None
    if is_blank and not form.has_carried:  # nothing is taken over from paper
        return

    if is_blank:
        message = t("match.carried-missing")
    elif total is Misread.MINUS:
        message = t("match.carried-minus")
    else:
        message = t("match.carried-figure")
    raise ValidationError(form.message_about(field, message))

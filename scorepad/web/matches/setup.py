"""The form of names and rules, and the page that starts a match with it.

Fields are named after what they hold: `name-0`, `player-0-1`, `option-target`, `carried-1`.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, NamedTuple

from flask import Blueprint, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response
from wtforms import BooleanField, Field, HiddenField, StringField, ValidationError

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import value_word
from scorepad.matches.events import MATCH_TEXTS, Labels
from scorepad.matches.names import NameProblem, NamesRefused
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import RequestRefused, Saved, SentOtherwise
from scorepad.rules import variants
from scorepad.rules.definitions import Choices, ChoiceValue, Ends, Option, Ruleset, Variant, is_same
from scorepad.rules.judging import Seat, seating
from scorepad.rules.loader import MOST_HANDS, MOST_MINUTES
from scorepad.rules.settings import LARGEST
from scorepad.rules.table import Pointer
from scorepad.rules.variants import default_of, get_variant, settle, variant_ids
from scorepad.schemas.variant_json import Difference, differing_rules
from scorepad.web import forms
from scorepad.web.base import device_id, get_pad, language, page_words, render_page, t, to_new_match
from scorepad.web.citations import citation_in_short, citations_in_words, source_title
from scorepad.web.forms import (
    CONFLICT,
    INVALID,
    NUMERIC,
    Choice,
    ChoiceField,
    Misread,
    figure_of,
    lazy,
    whole_number,
)
from scorepad.web.matches.page import BOTH
from scorepad.web.presenters import default_names, is_default_name
from scorepad.web.request_limits import limit_matches
from scorepad.web.rule_choices import chosen_seats, option_value, seat_options
from scorepad.web.rule_words import coded, options_words
from scorepad.web.rules_of_devices import rules_of_other_guests

blueprint = Blueprint("setup", __name__, url_prefix="/partite")


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


MOST_MATCHES = 30
"""The last matches whose players are offered."""
MOST_PLAYERS = 12
MOST_PAIRS = 4
_TERMS_FOR_SIDES = {1: "player", 2: "side"}
"""The term for a side by its number of players, as the end of message keys."""
_TERM_FOR_LARGE_SIDE = "team"
_FIELD_OF_SUBJECT = {"names": "name", "players": "player", "target": "option-target"}
"""The beginning of the names of form fields, by what the services call their content. Where this has
no entry, the form and the services use the same name.
"""


def _name_of_field_at(place: Pointer) -> str:
    """The name of the form field with the value that the services found wrong at this place.

    `("names", 0)` → `name-0`, `("players", 1, 0)` → `player-1-0`, `("place",)` → `place`.
    """
    subject = str(place[0])
    positions = [str(position) for position in place[1:]]
    beginning = _FIELD_OF_SUBJECT.get(subject, subject)
    return "-".join([beginning, *positions])


def _term_for_side(size: int) -> str:
    """How a side of so many players is called, as the end of a message key: a `player`, a `side` of
    two, or a `team` of more.
    """
    return _TERMS_FOR_SIDES.get(size, _TERM_FOR_LARGE_SIDE)


class RuleLine(NamedTuple):
    """A rule that can be chosen: its field, its value in words, and whether it differs from the
    preset.
    """

    field: Field
    value: str
    differs: bool


class SideFields(NamedTuple):
    """The fields of a side with their heading: its name, then the players of a side of several."""

    heading: str
    fields: list[Field]

    @property
    def name(self) -> Field:
        return self.fields[0]

    @property
    def players(self) -> list[Field]:
        """None for a side of one, which is named after its player."""
        return self.fields[1:]

    @property
    def seats(self) -> list[Field]:
        """The field for the name of each player."""
        return self.players or [self.name]


class CarriedTotal(NamedTuple):
    """The field of a side's earlier total, and the checkbox for one below zero."""

    total: Field
    below: Field


class SetupForm(forms.PadForm):
    """Names of sides and players and the free texts of a match, or preset, options and target of a
    variant.

    Its fields are made by `label_fields` and `rule_fields`.
    """

    side_sizes: tuple[int, ...] = ()
    plays: Variant
    seated: Choices
    """The options that decide who sits at the table."""
    preset: ChoiceField
    seen = HiddenField()
    """The last log entry when the names were shown."""
    shown_rules = HiddenField()
    """The digest of the rules shown."""

    def refuse(self, refused: NamesRefused) -> None:
        """Show why typed names were refused: each problem becomes an error of its field, and the page
        gets the HTTP status of an error.
        """
        if refused.is_overtaken:  # another device changed the same name meanwhile
            self.status = CONFLICT
        else:
            self.status = INVALID
        if refused.labels is not None:  # the typed names, with those that others changed meanwhile
            self.fill_labels(refused.labels, refused.sequence)
            self.renew()  # a request id stands for one content, and this is another one
        for problem in refused.problems:
            self._add_problem(problem)

    def _add_problem(self, problem: NameProblem) -> None:
        """Add a problem with a name or a text as an error to its field.

        If this form has no such field, the error concerns the whole page. That are the errors of
        the hidden field with the request id.
        """
        field = self._fields.get(_name_of_field_at(problem.where), self.request_id)
        message = self.message_about(field, forms.problem_text(problem))
        forms.add_error(field, message)

    def message_about(self, field: Field, message: str) -> str:
        """An error message that begins with what its field is for: `Squadra 1: Il nome manca`.

        The summary of errors needs that, because it is far from the field. Messages about the rules
        stay as they are: they name their field already.
        """
        subject = self._subjects_of_fields().get(field.name)
        if subject is None:
            return message
        return t("web.names.of-side", whose=subject, text=message)

    def _subjects_of_fields(self) -> dict[str, str]:
        """What the fields of names, texts and totals are for, in words, by the name of the field:
        `{"name-0": "Squadra 1", "player-0-1": "Squadra 1, Giocatore 2", "place": "Luogo"}`.
        """
        subjects = {}
        for position, side in enumerate(self.sides):
            subjects[side.name.name] = side.heading
            for player in side.players:
                subjects[player.name] = f"{side.heading}, {player.label.text}"
            subjects[f"carried-{position}"] = self.side_names[position]
        for text in MATCH_TEXTS:
            subjects[text.name] = t(text.label)
        return subjects

    # names

    @property
    def sides(self) -> list[SideFields]:
        """The fields of each side with their heading."""
        sides = []
        for side, size in enumerate(self.side_sizes):
            heading = t(f"web.field.{_term_for_side(size)}", number=side + 1)
            fields = [self[f"name-{side}"]]
            if size > 1:
                fields += [self[f"player-{side}-{index}"] for index in range(size)]
            sides.append(SideFields(heading, fields))
        return sides

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(side.name.data for side in self.sides)

    @property
    def side_names(self) -> tuple[str, ...]:
        """The names of the sides as typed, or the default ones."""
        return tuple(side.name.data.strip() or side.name.default for side in self.sides)

    @property
    def players(self) -> tuple[tuple[str, ...], ...]:
        """The players by side, as typed; a side of one is named after its player."""
        players = []
        for side in self.sides:
            names = tuple(field.data for field in side.players)
            players.append(names or ("",))
        return tuple(players)

    @property
    def text_fields(self) -> list[Field]:
        """The fields of the free texts of a match, such as the place."""
        return [self[text.name] for text in MATCH_TEXTS]

    @property
    def labels(self) -> Labels:
        """The names and free texts as typed."""
        texts = {field.name: field.data for field in self.text_fields}
        return Labels(self.names, self.players, **texts)

    def fill_labels(self, labels: Labels, sequence: int) -> None:
        """Show these names and free texts, which are those after this entry of the log."""
        self.seen.data = str(sequence)
        for field in self.text_fields:
            field.data = labels.texts[field.name]
        for position, side in enumerate(self.sides):
            side.name.data = labels.names[position]
            for index, field in enumerate(side.players):
                field.data = labels.players[position][index]

    # rules

    def offer_rules(self) -> None:
        """Set the choices of the fields of the preset and of the options.

        They depend on the preset that is chosen now, which decides the usual value of each option.
        """
        self.preset.choices = tuple(_preset_choices(self.plays))
        usual_options = self.usual
        for option in self.plays.options.values():
            field = self._fields.get(f"option-{option.id}")
            if isinstance(field, ChoiceField):  # not for an amount, which is typed
                self._offer_values(field, option, usual_options[option.id])

    def _offer_values(self, field: ChoiceField, option: Option, usual: ChoiceValue) -> None:
        """Set the choices in the field of an option. `usual` is the value that it has as long as
        nothing else is chosen.
        """
        chosen_code = field.data
        field.choices = tuple(_option_choices(self.plays, option, usual, chosen_code))
        # A page that was loaded under another preset offered the usual value by its own code.
        codes = [coded(possible.value) for possible in self.plays.values_of(option)]
        field.accepts = ("", *codes)

    @property
    def usual(self) -> Choices:
        """The values that the options have by the preset alone, whatever else is chosen."""
        preset = None
        if self.preset.data in self.plays.presets:
            preset = self.preset.data
        return settle(self.plays.id, preset).options

    @property
    def options(self) -> dict[str, ChoiceValue]:
        """The values of the options that were chosen in the form: `{"target": 3000}`.

        An option is left out if its field was left at the usual value, that of the preset.
        """
        options = {}
        for option in self.plays.options.values():
            value = self._chosen_value(option)
            if value is not None:
                options[option.id] = value
        return options

    def _chosen_value(self, option: Option) -> ChoiceValue | None:
        """The value that was chosen in the field of an option.

        None if the field was left at the usual value, or the form has no field for the option.
        """
        field = self._fields.get(f"option-{option.id}")
        if field is None:
            return None
        value = option_value(
            option, field.data
        )  # None for a blank field, which means the usual value
        is_amount = option.step is not None
        if is_amount and value == default_of(self.plays, option):  # the usual value was typed
            return None
        return value

    @property
    def lines(self) -> list[RuleLine]:
        """The rules that may be chosen beside the preset, the amounts (as the target) first."""
        words = page_words(self.plays)
        chosen = self.options
        usual_options = self.usual
        options = rule_options(self.plays)
        amounts = [option for option in options if option.step is not None]
        others = [option for option in options if option.step is None]
        lines = []
        for option in amounts + others:
            usual = usual_options[option.id]
            value = chosen.get(option.id, usual)
            text = value_word(option.id, value, words)
            differs = not is_same(value, usual)
            lines.append(RuleLine(self[f"option-{option.id}"], text, differs))
        return lines

    def fill_rules(self, rules: Ruleset) -> None:
        """Show these rules in the fields. A field whose option follows the preset is left empty."""
        self.shown_rules.data = rules.digest
        self.preset.data = rules.preset or ""
        self.offer_rules()  # which option follows the preset depends on the preset
        usual_options = self.usual
        for option in rule_options(self.plays):
            usual = usual_options[option.id]
            value = rules.options.get(option.id, usual)
            self[f"option-{option.id}"].data = _text_of_option(option, value, usual)


def _text_of_option(option: Option, value: ChoiceValue, usual: ChoiceValue) -> str:
    """What the field of an option contains for this value: an amount as it is typed, such as
    `5.000`; else the code of the choice, which is empty for the usual value.
    """
    is_amount = option.step is not None
    if is_amount:
        return page_words().figure(int(value))
    if is_same(value, usual):
        return ""
    return coded(value)


def make_setup_form(fields: dict[str, Any]) -> SetupForm:
    """A form with these fields, which are different for each variant.

    WTForms takes the fields of a form from its class, so each form has a class of its own.
    """
    form_class = type("SetupFormOfVariant", (SetupForm,), fields)
    form: SetupForm = form_class()
    return form


def label_fields(
    side_sizes: tuple[int, ...], names: Sequence[str] = (), **player_options: Any
) -> dict[str, Any]:
    """The fields for the names of sides and players, and for the free texts of a match, by name.

    `side_sizes` is the number of players of each side, `names` the usual names of the sides, if they
    are to stand in the fields. `player_options` are further arguments of the fields for players.
    """
    fields: dict[str, Any] = {"side_sizes": side_sizes}
    for position, size in enumerate(side_sizes):
        label = lazy(f"web.field.{_term_for_side(size)}-name")
        usual_name = names[position] if names else ""
        if size == 1:  # the side is named after its player
            name_field = StringField(label, default=usual_name, **player_options)
            fields[f"name-{position}"] = name_field
        else:
            fields[f"name-{position}"] = StringField(label, default=usual_name)
            fields |= _player_fields(position, size, player_options)
    for text in MATCH_TEXTS:
        fields[text.name] = StringField(lazy(text.label), default="")
    return fields


def _player_fields(position: int, size: int, options: Mapping[str, Any]) -> dict[str, StringField]:
    """The fields for the names of the players of a side, by name: `player-0-0`, `player-0-1`.

    `position` is that of the side, `size` the number of its players, and `options` are further
    arguments of the fields.
    """
    fields = {}
    for index in range(size):
        label = lazy("web.field.player", number=index + 1)
        fields[f"player-{position}-{index}"] = StringField(label, default="", **options)
    return fields


def rule_fields(variant: Variant, seated: Choices, options: Iterable[Option]) -> dict[str, Any]:
    """The attributes of a form in which rules are chosen, by name: a field for the preset and one for
    each of these options, and the variant.

    `seated` are the values of the options that decide how many players sit at the table.
    """
    attributes: dict[str, Any] = {"plays": variant, "seated": seated}
    attributes["preset"] = ChoiceField(lazy("web.new.preset"), default=usual_preset(variant))
    for option in options:
        label = page_words(variant).t(f"option.{option.id}")
        if option.step is None:  # its values have names
            field = ChoiceField(label, default="")
        else:  # an amount, such as the target
            field = _amount_field(variant, option, option.step, label)
        attributes[f"option-{option.id}"] = field
    return attributes


def _amount_field(variant: Variant, option: Option, step: int, label: str) -> StringField:
    """The field of an option with an amount, such as the target."""
    usual = int(default_of(variant, option))
    hint = "web.new.target.hint" if step > 1 else "web.new.target.hint-any"
    largest = LARGEST // step * step
    return StringField(
        label,
        [whole_number(step, largest, step)],
        default="",
        description=lazy(hint, usual=usual, step=step),
        render_kw=NUMERIC | {"placeholder": page_words().figure(usual)},
    )


def _preset_choices(variant: Variant) -> Iterator[Choice]:
    words = page_words(variant)
    if not usual_preset(variant):
        yield Choice("", t("web.new.preset.none"))
    for preset in variant.presets.values():
        yield Choice(
            preset.id,
            t(f"preset.{preset.id}"),
            options_words(preset.options, words),
            source_title(preset.source),
        )


def _option_choices(
    variant: Variant, option: Option, usual: ChoiceValue, chosen_code: str | None
) -> list[Choice]:
    """The choices of an option, one for each of its values.

    The choice of the `usual` value (that of the preset, or else the default) is sent as an empty
    text, which means: follow the preset, also when another preset is chosen later.
    """
    words = page_words(variant)
    follows_preset = t("web.new.follow") if variant.presets else t("web.new.usual")
    choices = []
    is_usual_listed = False
    for possible in variant.values_of(option):
        code = coded(possible.value)
        text = value_word(option.id, possible.value, words)
        source = citation_in_short(possible.cited, words)
        choice_of_value = Choice(value=code, label=text, source=source)
        if not is_same(possible.value, usual):
            choices.append(choice_of_value)
            continue
        is_usual_listed = True
        choices.append(Choice(value="", label=text, detail=follows_preset, source=source))
        if chosen_code == code:
            # It was chosen when another preset had another usual value, and stays chosen.
            choices.append(choice_of_value)

    if not is_usual_listed:  # the preset has a value that the option itself does not offer
        text = value_word(option.id, usual, words)
        choices.insert(0, Choice(value="", label=text, detail=follows_preset))
    return choices


def usual_preset(variant: Variant) -> str:
    """The preset that changes nothing in the variant; empty if there is none."""
    for preset in variant.presets.values():
        if not preset.options:
            return preset.id
    return ""


def rule_options(variant: Variant) -> list[Option]:
    """The options other than those of `seat_options`."""
    seats = seat_options(variant)
    return [option for option in variant.options.values() if option not in seats]


# ---------------------------------------------------------------- a new match


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

        It is empty for a player without a name, also if a usual name such as `Giocatore 1` stands in
        the field.
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
        "seats": seating(settings),
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


@blueprint.route("/nuova", methods=BOTH, endpoint="new")
@forms.checks_itself
def new_match_page() -> Response:
    """The page on which a match is set up and started.

    The form is sent by the button that starts the match, or by one that only changes the form, which
    is then shown again with all that was typed.
    """
    if request.method == "GET":
        variant = _variant_or_default(request.args.get("variante", ""))
        return _show_new_match(_linked_form(variant, request.args))

    shown_variant = _variant_or_default(request.form.get("variant", ""))
    variant = shown_variant
    if FormButton.SWITCH in request.form:
        variant = _variant_or_default(request.form[FormButton.SWITCH])
    form = _submitted_form(variant)
    changes_form = any(button in request.form for button in FormButton)
    if not changes_form:
        return _start_match(form)

    form.reset_for_variant(shown_variant)
    _seat_as_asked(form)
    return _show_new_match(form)


def _submitted_form(variant: Variant) -> NewMatchForm:
    """The form of a new match of a variant, with the submitted texts in its fields.

    If a button with the value `players=3` was pressed, the field of the option `players` has the
    value `3`.
    """
    submitted = MultiDict(request.form)
    option_of_button, _, value = request.form.get(FormButton.SIT, "").partition("=")
    ids_of_seat_options = [option.id for option in seat_options(variant)]
    if option_of_button in ids_of_seat_options:
        submitted[f"option-{option_of_button}"] = value
    seated = chosen_seats(variant, submitted)
    return new_match_form(variant, seated, submitted)


def _seat_as_asked(form: NewMatchForm) -> None:
    """Put the players on the seats of the form as the pressed button asks for, if it is one that
    seats a known player or side, or draws the seats.
    """
    if FormButton.PLAYER in request.form:
        form.seat_player(request.form[FormButton.PLAYER])
    if FormButton.PAIR in request.form:
        known_side = EarlierSide.from_button(request.form[FormButton.PAIR])
        form.seat_known_side(known_side)
    if FormButton.DRAW in request.form:
        form.draw_seats()


def _start_match(form: NewMatchForm) -> Response:
    """Start the match of a submitted form, and redirect to it; or show the form with its errors."""
    if not form.validate():
        return _show_new_match(form)
    limit_matches()
    try:
        result = get_pad().actions.start(form.request_name, device_id(), form.new_match())
    except SentOtherwise:
        form.reject(t("serve.started-before"))
    except RequestRefused:
        form.reject(t("serve.sent-before"))
    else:
        if isinstance(result, Saved):
            return to_new_match(result)
        form.refuse(result)
    return _show_new_match(form)


def _variant_or_default(variant_id: str) -> Variant:
    """The variant with this id; for an unknown id, the one that is offered first."""
    if variant_id not in variant_ids():
        variant_id = variants.default_variant()
    return get_variant(variant_id)


def _linked_form(variant: Variant, linked: Mapping[str, str]) -> NewMatchForm:
    """The form of a new match, opened by a link that says with which rules.

    `linked` are the parameters of its URL: `{"preset": "wikipedia", "target": "3000"}`. Choices that
    the variant does not have are left out.
    """
    chosen = {}
    if "preset" in linked:
        chosen["preset"] = linked["preset"]
    for option in variant.options.values():
        text = linked.get(option.id, "").strip()
        is_amount = option.step is not None
        if is_amount and not figure_of(text):  # 0, or not a number
            text = ""
        chosen[f"option-{option.id}"] = text
    seated = chosen_seats(variant, chosen)
    form = new_match_form(variant, seated, chosen=chosen)
    form.reset_unknown_choices()
    return form


def _show_new_match(form: NewMatchForm) -> Response:
    """The page of a new match, with this form.

    It lists the variants to choose from. House rules that other guests of the program made are in a
    list of their own, which is folded.
    """
    form.variant.data = form.plays.id
    form.offer_choices()  # they follow what is typed now
    words = page_words(form.plays)
    earlier_sides = _earlier_sides()
    rules_of_others = rules_of_other_guests() - {form.plays.id}
    listed_variants = [variant for variant in variant_ids() if variant not in rules_of_others]
    return render_page(
        "matches/new.html",
        title=t("web.new.title"),
        has_form=True,
        words=words,
        form=form,
        players=_names_of_players(earlier_sides)[:MOST_PLAYERS],
        known_sides=_sides_for_free_seats(earlier_sides, form)[:MOST_PAIRS],
        variants=[get_variant(variant) for variant in listed_variants],
        variants_of_guests=[get_variant(variant) for variant in sorted(rules_of_others)],
        differences=_differences_from_classic(form.plays, words),
    )


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


def _earlier_sides() -> list[EarlierSide]:
    """The sides of the last matches of this device, those of matches in progress first."""
    summaries = get_pad().summaries(device_id(), MOST_MATCHES, MOST_MATCHES)
    sides = []
    for match in (*summaries.in_progress, *summaries.finished):
        for position, side_name in enumerate(match.names):
            name = "" if is_default_name(side_name) else side_name
            # Without the names of players a side counts as one player.
            players = match.players[position] if match.players else ("",)
            sides.append(EarlierSide(name, players))
    return sides


def _names_of_players(sides: Iterable[EarlierSide]) -> list[str]:
    """The names of all players of these sides, each once."""
    names: list[str] = []
    for side in sides:
        for name in side.named_players:
            if name not in names:
                names.append(name)
    return names


def _sides_for_free_seats(sides: Iterable[EarlierSide], form: NewMatchForm) -> list[EarlierSide]:
    """Those of these sides whose players can be seated together in the form, each side once."""
    fitting: list[EarlierSide] = []
    for side in sides:
        if _fits_free_seats(side, form) and side not in fitting:
            fitting.append(side)
    return fitting


def _fits_free_seats(side: EarlierSide, form: NewMatchForm) -> bool:
    """Whether the players of an earlier side can be seated together in the form of a new match.

    They can if they are several, all have names, none of them sits at the table already, and the
    table has sides of as many players.
    """
    size = len(side.players)
    if size == 1 or size not in form.side_sizes:
        return False
    if not all(side.players):
        return False
    seated = form.seated_players
    return not any(player in seated for player in side.players)


class ShownDifference(NamedTuple):
    """A rule that differs from the classic game, and its source; empty if that is the usual one."""

    difference: Difference
    other_source: str


class DifferencesFromClassic(NamedTuple):
    """The rules of a variant that differ from the classic game, and the source that most of them
    have in common.
    """

    usual_source: str
    differences: list[ShownDifference]


def _differences_from_classic(variant: Variant, words: Words) -> DifferencesFromClassic | None:
    """The rules of a variant that differ from the classic game and matter in it; None if there are
    none.

    The page shows the most frequent source once, and beside a rule only another source.
    """
    differences = [rule for rule in differing_rules(variant, words) if rule.matters]
    if not differences:
        return None
    sources = [_source_of(difference, words) for difference in differences]
    usual_source = _most_frequent(sources)
    shown = []
    for difference, source in zip(differences, sources, strict=True):
        other_source = "" if source == usual_source else source
        shown.append(ShownDifference(difference, other_source))
    return DifferencesFromClassic(usual_source, shown)


def _source_of(difference: Difference, words: Words) -> str:
    """The source in which a differing rule is written, in words."""
    citations = [str(citation) for citation in difference.cited.citations]
    return citations_in_words(citations, words)


def _most_frequent(texts: Iterable[str]) -> str:
    """The text that occurs most often among these."""
    counted = Counter(texts).most_common()
    text, _times = counted[0]
    return text

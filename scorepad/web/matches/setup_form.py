"""The form of the names and the rules of a match, and the functions that make its fields.

Fields are named after what they hold: `name-0`, `player-0-1`, `option-target`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wtforms import Field, HiddenField, StringField

from scorepad.i18n.settings_in_words import value_word
from scorepad.matches.events import MATCH_TEXTS, Labels
from scorepad.matches.names import NameProblem, NamesRefused
from scorepad.rules.definitions import Choices, ChoiceValue, Option, Ruleset, Variant, is_same
from scorepad.rules.settings import LARGEST
from scorepad.rules.table import Pointer
from scorepad.rules.variants import default_of, settle
from scorepad.web import forms
from scorepad.web.base import page_words, t
from scorepad.web.citations import citation_in_short, source_title
from scorepad.web.forms import (
    CONFLICT,
    INVALID,
    NUMERIC,
    Choice,
    ChoiceField,
    lazy,
    whole_number,
)
from scorepad.web.rule_choices import option_value, seat_options
from scorepad.web.rule_words import coded, options_words

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


class SetupForm(forms.PadForm):
    """Names of sides and players and the free texts of a match, or preset, options and target of a
    variant.

    Its fields are made by `label_fields` and `rule_fields`.
    """

    side_sizes: tuple[int, ...] = ()
    """The number of players of each side."""
    plays: Variant
    """The variant whose rules are chosen."""
    seated: Choices
    """The values of the options that decide how many players sit at the table."""
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

        If this form has no such field, the error is added to the hidden field of the request id,
        whose errors are shown as those of the whole page.
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
        value = option_value(option, field.data)  # None for a blank field
        is_amount = option.step is not None
        if is_amount and value == default_of(self.plays, option):  # the usual value was typed
            return None
        return value

    @property
    def rules_name(self) -> str:
        """The name of the chosen preset (a ready-made set of options), or else of the game."""
        words = page_words(self.plays)
        if self.preset.data in self.plays.presets:
            return words.t(f"preset.{self.preset.data}")
        return words.t(f"variant.{self.plays.id}.name")

    @property
    def number_of_differences(self) -> int:
        """How many rules are other than those of the chosen preset."""
        return sum(1 for line in self.lines if line.differs)

    @property
    def lines(self) -> list[RuleLine]:
        """The rules that may be chosen beside the preset, the amounts (as the target) first."""
        words = page_words(self.plays)
        chosen_values = self.options
        usual_values = self.usual
        lines = []
        for option in _amounts_first(rule_options(self.plays)):
            usual = usual_values[option.id]
            value = chosen_values.get(option.id, usual)
            line = RuleLine(
                field=self[f"option-{option.id}"],
                value=value_word(option.id, value, words),
                differs=not is_same(value, usual),
            )
            lines.append(line)
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


def _amounts_first(options: Sequence[Option]) -> list[Option]:
    """These options, those with an amount (such as the target) before those whose values have names."""
    amounts = [option for option in options if option.step is not None]
    others = [option for option in options if option.step is None]
    return amounts + others


def _text_of_option(option: Option, value: ChoiceValue, usual: ChoiceValue) -> str:
    """The text with which the field of an option is filled to show this value.

    For an amount, such as the target, it is the number as people type it: `5.000`. Else it is the
    code of the choice. That is empty for the `usual` value, the one of the preset, since a blank
    field follows the preset.
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

    `side_sizes` is the number of players of each side, `names` the usual names of the sides, if
    they are to stand in the fields. `player_options` are further arguments of the fields for
    players.
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
    """The options of a variant that are chosen among its rules: all but those that decide how many
    players sit at the table.
    """
    options_of_seats = seat_options(variant)
    return [option for option in variant.options.values() if option not in options_of_seats]

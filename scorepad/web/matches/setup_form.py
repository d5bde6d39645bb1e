"""The form of the names and the rules of a match, and the functions that make its fields.

Fields are named after what they hold: `name-0`, `player-0-1`, `option-target`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wtforms import Field, HiddenField, StringField

from scorepad.i18n.settings_in_words import describe_option_value
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
from scorepad.web.rule_words import coded, say_options_of_preset

_TERMS_FOR_SIDES = {1: "player", 2: "side"}
"""The term for a side by its number of players, as the end of message keys."""
_TERM_FOR_LARGE_SIDE = "team"
_FIELD_OF_SUBJECT = {"names": "name", "players": "player", "target": "option-target"}
"""The beginning of the names of form fields, by what the services call their content. Where this has
no entry, the form and the services use the same name.
"""


def _find_field_name(place: Pointer) -> str:
    """Return the name of the form field with a value that was refused, from the path to that value.

    - `("names", 0)`, the name of the first side → `name-0`
    - `("players", 1, 0)`, the first player of the second side → `player-1-0`
    - `("place",)` → `place`
    """
    subject = str(place[0])
    positions = [str(position) for position in place[1:]]
    beginning = _FIELD_OF_SUBJECT.get(subject, subject)
    return "-".join([beginning, *positions])


def _choose_term_for_side(size: int) -> str:
    """Choose what a side with so many players is called: `player` (1), `side` (2) or `team` (more).

    The terms are the ends of message keys: `web.field.team` is "Team 1".
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
        """Return the fields for the names of the players; none for a side of one player."""
        return self.fields[1:]

    @property
    def seats(self) -> list[Field]:
        """Return the one field in which the name of each player is typed.

        For a side of one player it is the field for the name of the side.
        """
        if not self.players:
            return [self.name]
        return self.players


class SetupForm(forms.PadForm):
    """Names of sides and players and the free texts of a match, or preset, options and target of a
    variant.

    Its fields are made by `make_label_fields` and `make_rule_fields`.
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

    def show_refused_names(self, refused: NamesRefused) -> None:
        """Show why typed names were refused: add each problem as an error to its field.

        The page gets the HTTP status of an error too.
        """
        self.status = INVALID
        if refused.is_overtaken:  # another device changed the same name meanwhile
            self.status = CONFLICT
        if refused.labels is not None:  # the typed names, with those that others changed meanwhile
            self.fill_labels(refused.labels, refused.sequence)
            self.renew()  # a request id stands for one content, and this is another one
        for problem in refused.problems:
            self._add_problem(problem)

    def _add_problem(self, problem: NameProblem) -> None:
        """Add the problem with a name or a text as an error to its field.

        A form without that field shows the error above the page: it is added to a hidden field, the
        request id, whose errors stand there.
        """
        field = self._fields.get(_find_field_name(problem.where), self.request_id)
        message = self.put_subject_before(field, forms.problem_text(problem))
        forms.add_error(field, message)

    def put_subject_before(self, field: Field, message: str) -> str:
        """Put before an error message what its field is for: "Side 1: A name is missing …".

        In the summary of errors the message stands far from the field. A message about a rule stays
        as it is, because it names its field already.
        """
        subject = self._name_subjects_of_fields().get(field.name)
        if subject is None:
            return message
        return t("web.names.of-side", whose=subject, text=message)  # "{whose}: {text}"

    def _name_subjects_of_fields(self) -> dict[str, str]:
        """Say in words what the fields of names, texts and totals are for, by name of the field.

        `{"name-0": "Side 1", "player-0-1": "Side 1, Player 2", "place": "Place"}`. The fields of
        totals from a paper sheet go by the name of their side: `{"carried-0": "We"}`.
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
        """Return the fields of each side, with a heading such as "Side 1".

        The fields are `name-0`, and for a side of several players `player-0-0`, `player-0-1` …
        """
        sides = []
        for position, size in enumerate(self.side_sizes):
            term = _choose_term_for_side(size)
            heading = t(f"web.field.{term}", number=position + 1)
            fields = [self[f"name-{position}"]]
            if size > 1:
                fields += [self[f"player-{position}-{index}"] for index in range(size)]
            sides.append(SideFields(heading, fields))
        return sides

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(side.name.data for side in self.sides)

    @property
    def side_names(self) -> tuple[str, ...]:
        """Return the names of the sides as typed, with a usual name such as "We" where none is."""
        names = []
        for side in self.sides:
            typed_name = side.name.data.strip()
            names.append(typed_name or side.name.default)
        return tuple(names)

    @property
    def players(self) -> tuple[tuple[str, ...], ...]:
        """Return the names of the players as typed, for each side.

        Two sides of two: `(("Ada", "Bea"), ("Carlo", ""))`. A side of one player has `("",)`, since
        it is named after its player.
        """
        players = []
        for side in self.sides:
            names = tuple(field.data for field in side.players)
            if not names:
                names = ("",)
            players.append(names)
        return tuple(players)

    @property
    def text_fields(self) -> list[Field]:
        """Return the fields of the free texts of a match, such as the place."""
        return [self[text.name] for text in MATCH_TEXTS]

    @property
    def labels(self) -> Labels:
        """Return the names of sides and players and the free texts, as typed."""
        texts = {field.name: field.data for field in self.text_fields}
        return Labels(self.names, self.players, **texts)

    def fill_labels(self, labels: Labels, sequence: int) -> None:
        """Fill the fields with these names and free texts.

        `sequence` is the last log entry that they include. It is kept in a hidden field: when the
        form is sent, the server can tell which names were changed by others meanwhile.
        """
        self.seen.data = str(sequence)
        for field in self.text_fields:
            field.data = labels.texts[field.name]
        for position, side in enumerate(self.sides):
            side.name.data = labels.names[position]
            for index, field in enumerate(side.players):
                field.data = labels.players[position][index]

    # rules

    def offer_rule_choices(self) -> None:
        """Set the choices that the fields of the preset and of the options offer.

        A preset is a ready-made set of options. The one that is chosen now decides which value of
        each option is offered as the usual one.
        """
        self.preset.choices = tuple(_list_preset_choices(self.plays))
        usual_options = self.usual_options
        for option in self.plays.options.values():
            field = self._fields.get(f"option-{option.id}")
            if isinstance(field, ChoiceField):  # not for an amount, which is typed
                self._offer_values(field, option, usual_options[option.id])

    def _offer_values(self, field: ChoiceField, option: Option, usual: ChoiceValue) -> None:
        """Set the choices that the field of an option offers.

        `usual` is the value of the option by the chosen preset (a ready-made set of options). Its
        choice is sent as an empty text, which means "as in the preset". All others are sent by
        their code, such as `exactly-seven`.
        """
        chosen_code = field.data
        field.choices = tuple(_list_choices_of_option(self.plays, option, usual, chosen_code))
        # A page that was loaded under another preset may have offered the usual value by its code.
        codes_of_all_values = [coded(possible.value) for possible in self.plays.values_of(option)]
        field.accepts = ("", *codes_of_all_values)

    @property
    def usual_options(self) -> Choices:
        """Return the values that the options have by the chosen preset alone.

        A preset is a ready-made set of options. Without one these are the defaults: `{"target":
        5000, …}`.
        """
        preset = None
        if self.preset.data in self.plays.presets:
            preset = self.preset.data
        return settle(self.plays.id, preset).options

    @property
    def options(self) -> dict[str, ChoiceValue]:
        """Return the values of the options that were chosen in the form: `{"target": 3000}`.

        An option is left out if its field was left at the usual value, that of the preset (a
        ready-made set of options).
        """
        options = {}
        for option in self.plays.options.values():
            value = self._read_value_of_field(option)
            if value is not None:
                options[option.id] = value
        return options

    def _read_value_of_field(self, option: Option) -> ChoiceValue | None:
        """Read the value that was chosen in the field of an option.

        - `3000` in the field of the target → 3000
        - a blank field, or the usual target typed → None: the option follows the preset
        - no field for this option in the form → None
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
        """Return the name of the chosen preset (a ready-made set of options).

        Without a preset it is the name of the game.
        """
        words = page_words(self.plays)
        if self.preset.data in self.plays.presets:
            return words.t(f"preset.{self.preset.data}")
        return words.t(f"variant.{self.plays.id}.name")

    @property
    def number_of_differences(self) -> int:
        """Count the rules that are other than those of the chosen preset."""
        differing = [line for line in self.rule_lines if line.differs]
        return len(differing)

    @property
    def rule_lines(self) -> list[RuleLine]:
        """Return the rules that can be chosen besides the preset, each with its field and value.

        The value is in words. Amounts, such as the target, come first.
        """
        words = page_words(self.plays)
        chosen_values = self.options
        usual_values = self.usual_options
        lines = []
        for option in _put_amounts_first(list_rule_options(self.plays)):
            usual = usual_values[option.id]
            value = chosen_values.get(option.id, usual)
            line = RuleLine(
                field=self[f"option-{option.id}"],
                value=describe_option_value(option.id, value, words),
                differs=not is_same(value, usual),
            )
            lines.append(line)
        return lines

    def fill_rules(self, rules: Ruleset) -> None:
        """Fill the fields with these rules.

        The field of an option that follows the preset stays empty.
        """
        self.shown_rules.data = rules.digest
        self.preset.data = rules.preset or ""
        self.offer_rule_choices()  # which option follows the preset depends on the preset
        usual_options = self.usual_options
        for option in list_rule_options(self.plays):
            usual = usual_options[option.id]
            value = rules.options.get(option.id, usual)
            self[f"option-{option.id}"].data = _write_option_value(option, value, usual)


def _put_amounts_first(options: Sequence[Option]) -> list[Option]:
    """Sort options: amounts, such as the target, come before those with named values."""
    amounts = [option for option in options if option.step is not None]
    others = [option for option in options if option.step is None]
    return amounts + others


def _write_option_value(option: Option, value: ChoiceValue, usual: ChoiceValue) -> str:
    """Write the value of an option as the text in its field.

    - the target 5000, an amount → `5,000` as people type it
    - `canasta-size` with the value `exactly-seven` → its code `exactly-seven`
    - the `usual` value, which the chosen preset has → empty: a blank field follows the preset
    """
    is_amount = option.step is not None
    if is_amount:
        return page_words().figure(int(value))
    if is_same(value, usual):
        return ""
    return coded(value)


def make_setup_form(fields: dict[str, Any]) -> SetupForm:
    """Make a form with these fields, which are different for each game (variant).

    WTForms takes the fields of a form from its class, so each form gets a class of its own.
    """
    form_class = type("SetupFormOfVariant", (SetupForm,), fields)
    form: SetupForm = form_class()
    return form


def make_label_fields(
    side_sizes: tuple[int, ...], names: Sequence[str] = (), **player_options: Any
) -> dict[str, Any]:
    """Make the form fields for the names of sides and players, and for the free texts of a match.

    For two sides of two players, the sizes `(2, 2)`, these are `name-0`, `player-0-0`,
    `player-0-1`, `name-1`, … and `place`. `names` are the usual names of the sides, if they are to
    stand in the fields. `player_options` are further arguments of the fields for players.
    """
    fields: dict[str, Any] = {"side_sizes": side_sizes}
    for position, size in enumerate(side_sizes):
        label = lazy(f"web.field.{_choose_term_for_side(size)}-name")
        usual_name = names[position] if names else ""
        is_single_player = size == 1  # then the side is named after its player
        options_of_name = player_options if is_single_player else {}
        fields[f"name-{position}"] = StringField(label, default=usual_name, **options_of_name)
        if not is_single_player:
            fields |= _make_player_fields(position, size, player_options)
    for text in MATCH_TEXTS:
        fields[text.name] = StringField(lazy(text.label), default="")
    return fields


def _make_player_fields(
    position: int, size: int, options: Mapping[str, Any]
) -> dict[str, StringField]:
    """Make the fields for the names of a side's players.

    For the first side they are `player-0-0` and `player-0-1`. `position` is that of the side,
    `size` the number of its players, and `options` are further arguments of the fields.
    """
    fields = {}
    for index in range(size):
        label = lazy("web.field.player", number=index + 1)
        fields[f"player-{position}-{index}"] = StringField(label, default="", **options)
    return fields


def make_rule_fields(
    variant: Variant, seated: Choices, options: Iterable[Option]
) -> dict[str, Any]:
    """Make the attributes of a form class in which the rules of a game (variant) are chosen.

    They are a field for the preset (a ready-made set of options), a field such as `option-target`
    for each of these options, and the variant. `seated` are the values of the options that decide
    how many players sit at the table.
    """
    attributes: dict[str, Any] = {"plays": variant, "seated": seated}
    attributes["preset"] = ChoiceField(lazy("web.new.preset"), default=find_usual_preset(variant))
    words = page_words(variant)
    for option in options:
        label = words.t(f"option.{option.id}")
        if option.step is None:  # its values have names
            field = ChoiceField(label, default="")
        else:  # an amount, such as the target
            field = _make_amount_field(variant, option, option.step, label)
        attributes[f"option-{option.id}"] = field
    return attributes


def _make_amount_field(variant: Variant, option: Option, step: int, label: str) -> StringField:
    """Make the field in which the amount of an option is typed, such as a target of 5000 points.

    An amount must be a multiple of `step`. The hint at the field says so: "A multiple of 500. Left
    empty: 5,000."
    """
    usual = int(default_of(variant, option))
    hint = "web.new.target.hint" if step > 1 else "web.new.target.hint-any"
    largest_multiple = LARGEST // step * step
    return StringField(
        label,
        [whole_number(step, largest_multiple, step)],
        default="",
        description=lazy(hint, usual=usual, step=step),
        render_kw=NUMERIC | {"placeholder": page_words().figure(usual)},
    )


def _list_preset_choices(variant: Variant) -> Iterator[Choice]:
    """List the presets (ready-made sets of options) of a game, as choices with their source.

    If none of them has the usual rules of the game, "the most common rules" come first, without a
    preset.
    """
    words = page_words(variant)
    if not find_usual_preset(variant):
        yield Choice(value="", label=t("web.new.preset.none"))
    for preset in variant.presets.values():
        yield Choice(
            value=preset.id,
            label=t(f"preset.{preset.id}"),
            detail=say_options_of_preset(preset.options, words),
            source=source_title(preset.source),
        )


def _list_choices_of_option(
    variant: Variant, option: Option, usual: ChoiceValue, chosen_code: str | None
) -> list[Choice]:
    """List the choices that the field of an option offers, one for each of its values.

    The `usual` value is the one of the chosen preset (a ready-made set of options). Its choice is
    sent as an empty text, which means: follow the preset, also if another one is chosen later. All
    other values are sent by their code, such as `exactly-seven`. `chosen_code` is the one that is
    chosen now.
    """
    words = page_words(variant)
    follows_preset = t("web.new.follow") if variant.presets else t("web.new.usual")
    choices = []
    is_usual_listed = False
    for possible in variant.values_of(option):
        code = coded(possible.value)
        text = describe_option_value(option.id, possible.value, words)
        source = citation_in_short(possible.cited, words)
        is_usual = is_same(possible.value, usual)
        if is_usual:
            is_usual_listed = True
            choices.append(Choice(value="", label=text, detail=follows_preset, source=source))
        # The usual value has its code if it was chosen under another preset, where it was unusual.
        if not is_usual or code == chosen_code:
            choices.append(Choice(value=code, label=text, source=source))

    if not is_usual_listed:  # the preset has a value that the option itself does not offer
        text = describe_option_value(option.id, usual, words)
        choices.insert(0, Choice(value="", label=text, detail=follows_preset))
    return choices


def find_usual_preset(variant: Variant) -> str:
    """Find the preset (a ready-made set of options) that is the usual rules of a game.

    It is the one that changes no option: `wikipedia` for the game `classica`. Empty if there is
    none.
    """
    for preset in variant.presets.values():
        if not preset.options:
            return preset.id
    return ""


def list_rule_options(variant: Variant) -> list[Option]:
    """List the options of a game that can be chosen among its rules.

    How many players sit at the table is an option too, but it is chosen elsewhere and left out
    here.
    """
    options_of_seats = seat_options(variant)
    return [option for option in variant.options.values() if option not in options_of_seats]

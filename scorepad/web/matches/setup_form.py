"""The form of the names and the rules of a match, and the functions that make its fields.

Fields are named after what they hold: `name-0`, `player-0-1`, `option-target`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from wtforms import Field, HiddenField, StringField

from scorepad.i18n.settings_in_words import describe_option_value
from scorepad.matches.events import MATCH_TEXTS, Labels
from scorepad.matches.names import NamesRefused
from scorepad.rules.definitions import (
    Amount,
    Choices,
    ChoiceValue,
    Option,
    Ruleset,
    Variant,
    is_same,
)
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
from scorepad.web.rule_words import coded, say_length_of_match, say_options_of_preset

_TERMS_FOR_SIDES = {1: "player", 2: "side"}
"""The term for a side by its number of players, as the end of message keys."""
_TERM_FOR_LARGE_SIDE = "team"
_AS_IN_PRESET = ""
"""The choice of an option that is sent for the value which the chosen preset has."""
_FIELD_OF_SUBJECT = {"names": "name", "players": "player", "target": "option-target"}
"""The beginning of the names of form fields, by what the services call their content. Where this has
no entry, the form and the services use the same name.
"""


def _find_field_name(path: Pointer) -> str:
    """Return the name of the form field with a value that was refused, from the path to that value.

    - `("names", 0)`, the name of the first side → `name-0`
    - `("players", 1, 0)`, the first player of the second side → `player-1-0`
    - `("place",)` → `place`
    """
    subject = str(path[0])
    positions = [str(position) for position in path[1:]]
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
    is_rare: bool
    """Whether few tables play by it, so that it stands in a fold of its own."""


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

    Its fields are different for each game: `make_names_form` and `make_rules_form` add them.
    """

    side_sizes: tuple[int, ...] = ()
    """The number of players of each side."""
    game: Variant
    """The variant whose rules are chosen."""
    options_of_seats: Choices
    """The values of the options that decide how many players sit at the table."""
    preset: ChoiceField
    seen = HiddenField()
    """The last log entry when the names were shown."""
    shown_rules = HiddenField()
    """The digest of the rules shown."""

    def show_refused_names(self, refused: NamesRefused) -> None:
        """Show why typed names were refused: add each problem as an error to its field.

        If other devices have changed names meanwhile, their names come into the form too.
        """
        self.status = CONFLICT if refused.is_overtaken else INVALID  # the HTTP status of the page
        if refused.labels is not None:
            self.fill_labels(refused.labels, refused.sequence)
            self.renew()  # a request id stands for one content, and this is another one
        for problem in refused.problems:
            # The error of a field that the form does not have stands above the page, where the
            # errors of this hidden field stand.
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
        """Set the choices of the field for the preset and of the fields for options.

        A preset is a ready-made set of options. With each option, the value that the chosen preset
        has is offered as the usual one.
        """
        self.preset.choices = tuple(_list_preset_choices(self.game))
        usual_values = self.options_of_preset
        for option in self.game.options.values():
            field = self._fields.get(f"option-{option.id}")
            if not isinstance(field, ChoiceField):
                continue  # an amount, which is typed, or no field for this option
            usual = usual_values[option.id]
            field.choices = tuple(_list_choices_of_option(self.game, option, usual, field.data))
            # A page that was loaded under another preset may have offered any value by its code.
            codes = [coded(possible.value) for possible in self.game.values_of(option)]
            field.accepts = (_AS_IN_PRESET, *codes)

    @property
    def options_of_preset(self) -> Choices:
        """Return the values that all options have by the chosen preset alone: `{"target": 5000, …}`.

        A preset is a ready-made set of options. Without one they have their defaults.
        """
        chosen = self.preset.data
        has_chosen_preset = chosen in self.game.presets  # a stranger may send anything
        return settle(self.game.id, chosen if has_chosen_preset else None).options

    @property
    def options(self) -> dict[str, ChoiceValue]:
        """Return the values of the options that were chosen in the form: `{"target": 3000}`.

        An option is left out if its field was left at the usual value, that of the preset (a
        ready-made set of options).
        """
        options = {}
        for option in self.game.options.values():
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
        if is_amount and value == default_of(self.game, option):  # the usual value was typed
            return None
        return value

    @property
    def rules_name(self) -> str:
        """Return the name of the chosen preset (a ready-made set of options).

        Without a preset it is the name of the game.
        """
        words = page_words(self.game)
        if self.preset.data in self.game.presets:
            return words.t(f"preset.{self.preset.data}")
        return words.t(f"variant.{self.game.id}.name")

    @property
    def number_of_differences(self) -> int:
        """Count the rules that are other than those of the chosen preset."""
        differing = [line for line in self.rule_lines if line.differs]
        return len(differing)

    @property
    def rules_title(self) -> str:
        """Write the heading above the rules: how many are other than those of the preset.

        "Rules: Wikipedia" if none is, else "Our rules: 3 different".
        """
        differences = self.number_of_differences
        if differences == 0:
            return self.usual_rules_title
        if differences == 1:
            return t("web.new.rules.one")
        return t("web.new.rules.many", count=differences)

    @property
    def usual_rules_title(self) -> str:
        """Write the heading above the rules if they are those of the preset: "Rules: Wikipedia"."""
        return t("web.new.rules", preset=self.rules_name)

    @property
    def fixed_length(self) -> str:
        """Say how long a match lasts, in a game that has no target which can be chosen.

        Empty if the form has a field for the target, or if the target is a number all the same.
        """
        has_field = "option-target" in self
        is_number = not isinstance(self.game.settings["target"].value, str)
        if has_field or is_number:
            return ""
        length = say_length_of_match(self.game, page_words(self.game))
        return t("web.new.length", length=length)

    @property
    def rule_lines(self) -> list[RuleLine]:
        """Return the rules that can be chosen besides the preset, each with its field and value.

        The value is in words. Amounts, such as the target, come first.
        """
        words = page_words(self.game)
        chosen_values = self.options
        usual_values = self.options_of_preset
        lines = []
        for option in _put_amounts_first(list_rule_options(self.game)):
            usual = usual_values[option.id]
            value = chosen_values.get(option.id, usual)
            line = RuleLine(
                field=self[f"option-{option.id}"],
                value=describe_option_value(option.id, value, words),
                differs=not is_same(value, usual),
                is_rare=option.is_rare,
            )
            lines.append(line)
        return lines

    @property
    def usual_rule_lines(self) -> list[RuleLine]:
        """Return the rules that are offered at once."""
        return [line for line in self.rule_lines if not line.is_rare]

    @property
    def rare_rule_lines(self) -> list[RuleLine]:
        """Return the rules of few tables, which stand in a fold below the others."""
        return [line for line in self.rule_lines if line.is_rare]

    @property
    def has_rare_rule(self) -> bool:
        """Tell whether a rule of few tables is chosen, or wrong, so that their fold is open."""
        return any(line.differs or line.field.errors for line in self.rare_rule_lines)

    def fill_rules(self, rules: Ruleset) -> None:
        """Fill the fields with these rules: the preset, and each option that differs from it."""
        self.shown_rules.data = rules.digest
        self.preset.data = rules.preset or ""
        usual_values = self.options_of_preset
        for option in list_rule_options(self.game):
            usual = usual_values[option.id]
            value = rules.options.get(option.id, usual)
            self[f"option-{option.id}"].data = _write_option_value(option, value, usual)
        self.offer_rule_choices()  # they depend on the preset


def _put_amounts_first(options: Sequence[Option]) -> list[Option]:
    """Sort options: amounts, such as the target, come before those with named values."""
    amounts = [option for option in options if option.step is not None]
    others = [option for option in options if option.step is None]
    return amounts + others


def _write_option_value(option: Option, value: ChoiceValue, usual: ChoiceValue) -> str:
    """Write the value of an option as the text in its field.

    - the target 5000, an amount → `5,000` as people type it
    - `canasta-size` with the value `exactly-seven` → its code `exactly-seven`
    - the `usual` value, which the chosen preset has → empty
    """
    is_amount = option.step is not None
    if is_amount:
        return page_words().figure(int(value))
    if is_same(value, usual):
        return _AS_IN_PRESET
    return coded(value)


def make_names_form(side_sizes: tuple[int, ...]) -> SetupForm:
    """Make the form in which the names of the sides and players of a match are changed.

    `side_sizes` are the numbers of their players: `(2, 2)`.
    """

    class NamesForm(SetupForm):
        """The form for sides of these sizes."""

    NamesForm.side_sizes = side_sizes
    add_fields(NamesForm, make_label_fields(side_sizes))
    return NamesForm()


def make_rules_form(game: Variant, options_of_seats: Choices) -> SetupForm:
    """Make the form in which the rules of a match that plays this game are changed.

    How many players sit at the table does not change: `options_of_seats` decide that.
    """

    class RulesForm(SetupForm):
        """The form for this game."""

    RulesForm.game = game
    RulesForm.options_of_seats = options_of_seats
    add_fields(RulesForm, make_rule_fields(game, list_rule_options(game)))
    form = RulesForm()
    form.offer_rule_choices()
    return form


def add_fields(form_class: type[SetupForm], fields: Mapping[str, Field]) -> None:
    """Add fields to the class of a form, by their names. WTForms makes them for each form then."""
    for name, field in fields.items():
        setattr(form_class, name, field)


def make_label_fields(
    side_sizes: tuple[int, ...],
    usual_names: Sequence[str] | None = None,
    attributes_of_players: Mapping[str, str] | None = None,
) -> dict[str, Field]:
    """Make the fields for the names of sides and players, and for the free texts of a match.

    For two sides of two players they are `name-0`, `player-0-0`, `player-0-1`, `name-1`, … and
    `place`. The names of the sides are the `usual_names` at first, or empty. Fields for players get
    these HTML attributes.
    """
    usual_names = usual_names or [""] * len(side_sizes)
    fields: dict[str, Field] = {}
    for side, size in enumerate(side_sizes):
        is_single_player = size == 1  # then the side has the name of the player
        fields[f"name-{side}"] = StringField(
            lazy(f"web.field.{_choose_term_for_side(size)}-name"),
            default=usual_names[side],
            render_kw=attributes_of_players if is_single_player else None,
        )
        if is_single_player:
            continue
        for player in range(size):
            fields[f"player-{side}-{player}"] = StringField(
                lazy("web.field.player", number=player + 1),
                default="",
                render_kw=attributes_of_players,
            )
    for text in MATCH_TEXTS:
        fields[text.name] = StringField(lazy(text.label), default="")
    return fields


def make_rule_fields(game: Variant, options: Iterable[Option]) -> dict[str, Field]:
    """Make the fields in which the rules of a game are chosen.

    They are `preset`, for a ready-made set of options, and one for each of these options, such as
    `option-target`.
    """
    fields = {"preset": ChoiceField(lazy("web.new.preset"), default=find_usual_preset(game))}
    words = page_words(game)
    for option in options:
        label = words.t(f"option.{option.id}")
        if option.amount is not None:  # a number is typed, such as the target
            field = _make_amount_field(game, option, option.amount, label)
        else:
            field = ChoiceField(label, default=_AS_IN_PRESET)
        fields[f"option-{option.id}"] = field
    return fields


def _make_amount_field(game: Variant, option: Option, amount: Amount, label: str) -> StringField:
    """Make the field in which the number of an option is typed, such as a target of 5000 points.

    It must be a multiple of a number. The hint at the field says so: "A multiple of 500. Left
    empty: 5,000."
    """
    step = amount.step
    usual = int(default_of(game, option))
    largest_multiple = LARGEST - LARGEST % step
    hint = "web.new.target.hint" if step > 1 else "web.new.target.hint-any"
    return StringField(
        label,
        [whole_number(least=step, most=largest_multiple, step=step)],
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

    They are sent by the code of the value, such as `exactly-seven`. Only the `usual` one, which the
    chosen preset (a ready-made set of options) has, is sent as an empty text: it means "as in the
    preset", also if another preset is chosen later. `chosen_code` is what is chosen now.
    """
    words = page_words(variant)
    follows_preset = t("web.new.follow") if variant.presets else t("web.new.usual")
    values = variant.values_of(option)
    choices = []
    if not any(is_same(possible.value, usual) for possible in values):
        text = describe_option_value(option.id, usual, words)
        choices.append(Choice(_AS_IN_PRESET, label=text, detail=follows_preset))

    for possible in values:
        text = describe_option_value(option.id, possible.value, words)
        source = citation_in_short(possible.cited, words)
        choice = Choice(coded(possible.value), label=text, source=source)
        if not is_same(possible.value, usual):
            choices.append(choice)
            continue
        choices.append(choice._replace(value=_AS_IN_PRESET, detail=follows_preset))
        if (
            choice.value == chosen_code
        ):  # by its code, under a preset where it was not the usual one
            choices.append(choice)
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

"""The forms of names and rules: of a new match, and of one that was started.

Fields are named after what they hold: `name-0`, `player-0-1`, `option-target`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel.speaklater import LazyString
from wtforms import Field, HiddenField, StringField, ValidationError

from scorepad.i18n.settings import value_word
from scorepad.matches.events import Labels
from scorepad.matches.names import NameProblem
from scorepad.matches.projection import MatchState
from scorepad.rules.definitions import Option, same
from scorepad.rules.settings import LARGEST
from scorepad.rules.table import Place
from scorepad.rules.variants import Choice as OptionValue
from scorepad.rules.variants import Choices, Ruleset, Variant, default_of, settle
from scorepad.web.base import language, page_words, t
from scorepad.web.forms import NUMERIC, Choice, ChoiceField, PadForm, add_error, lazy, problem_text, read_whole
from scorepad.web.presenters import basis_words, coded, length_words, options_words, source_title_shown
from scorepad.web.rule_choices import seat_options

PLAYED = "played"
_KINDS = {1: "player", 2: "side"}


class SetupForm(PadForm):
    """Puts what the services refuse at the fields of names and rules."""

    side_sizes: tuple[int, ...] = ()

    def refuse(self, problems: tuple[NameProblem, ...]) -> None:
        """Show each problem at its field."""
        for problem in problems:
            field = self._fields.get(_field_of(problem.where), self.request_id)
            add_error(field, self.with_field(problem.where, problem_text(problem)))

    def with_field(self, where: Place, text: str) -> str:
        """The message with whose name it is about: the error summary stands far from the field."""
        match where:
            case ("place",):
                return t("web.names.of-side", whose=t("web.place"), text=text)
            case ("names", int(side)):
                return t("web.names.of-side", whose=side_word(self.side_sizes, side), text=text)
            case ("players", int(side), int(seat)):
                player = t("web.field.player", number=seat + 1)
                return t("web.names.of-player", side=side_word(self.side_sizes, side), player=player, text=text)
        return text


def _field_of(where: Place) -> str:
    """The field of a place in a match: `("players", 0, 1)` is `player-0-1`."""
    match where:
        case ("names" | "players" as kind, *rest):
            return "-".join((kind.removesuffix("s"), *map(str, rest)))
        case ("target",):
            return option_field("target")
    return "-".join(map(str, where))


# ---------------------------------------------------------------- names


class LabelsForm(SetupForm):
    """Names of sides and players, and the place. Its fields are made by `label_fields`."""

    place: StringField

    @property
    def sides(self) -> Iterator[tuple[str, list[Field]]]:
        """Each side's heading and its fields: the name, then the players of a side of several."""
        for side, size in enumerate(self.side_sizes):
            players = [self[f"player-{side}-{index}"] for index in range(size if size > 1 else 0)]
            yield side_word(self.side_sizes, side), [self[f"name-{side}"], *players]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sides as typed."""
        return tuple(name.data for _, (name, *_) in self.sides)

    @property
    def players(self) -> tuple[tuple[str, ...], ...]:
        """The players by side, as typed; a side of one is named after its player."""
        return tuple(tuple(player.data for player in players) or ("",) for _, (_, *players) in self.sides)


class NamesForm(LabelsForm):
    """Other names for a match, and its last log entry when they were typed."""

    seen = HiddenField()

    @property
    def seen_sequence(self) -> int:
        """The log entry; 0 if the form does not say."""
        typed = self.seen.data or ""
        return int(typed) if re.fullmatch("[0-9]{1,9}", typed) else 0

    def fill_from(self, state: MatchState) -> None:
        """Show the names of a match."""
        names, players = tuple(side.name for side in state.sides), tuple(side.players for side in state.sides)
        self.fill(Labels(names, players, state.place))
        self.seen.data = str(state.sequence)

    def fill(self, labels: Labels) -> None:
        """Show these names."""
        self.place.data = labels.place
        for (_, fields), name, players in zip(self.sides, labels.names, labels.players, strict=True):
            for field, label in zip(fields, (name, *players), strict=False):  # a side of one has no field of its player
                field.data = label


def names_form(side_sizes: tuple[int, ...]) -> NamesForm:
    """The form of names for sides of these sizes."""
    form: NamesForm = type("NamesForm", (NamesForm,), label_fields(side_sizes, ("",) * len(side_sizes)))()
    return form


def side_word(side_sizes: Sequence[int], side: int) -> str:
    """A side by its number: one is a player, two are a side, more are a team."""
    return t(f"web.field.{_KINDS.get(side_sizes[side], 'team')}", number=side + 1)


def label_fields(side_sizes: tuple[int, ...], names: Sequence[str], **more: Any) -> dict[str, Any]:
    """The fields of names and place in the order of the page, with the usual names of the sides."""
    fields: dict[str, Any] = {"side_sizes": side_sizes}
    for side, size in enumerate(side_sizes):
        label = lazy(f"web.field.{_KINDS.get(size, 'team')}-name")
        fields[f"name-{side}"] = StringField(label, default=names[side], **(more if size == 1 else {}))
        for index in range(size if size > 1 else 0):
            fields[f"player-{side}-{index}"] = StringField(
                lazy("web.field.player", number=index + 1), default="", **more
            )
    return fields | {"place": StringField(lazy("web.place"), default="")}


# ---------------------------------------------------------------- rules


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule that may be chosen: its field, its value in words, and whether that differs from the preset."""

    field: Field
    value: str
    differs: bool


class RulesForm(SetupForm):
    """Preset, options and target of one variant. Its fields are made by `rule_fields`."""

    plays: Variant
    seated: Choices
    """The options that decide who sits at the table."""
    preset: ChoiceField

    def offer_rules(self) -> None:
        """Set the choices of preset and options."""
        words = page_words()
        none = () if usual_preset(self.plays) else (Choice("", t("web.new.preset.none")),)
        self.preset.choices = none + tuple(
            Choice(
                preset.id,
                t(f"preset.{preset.id}"),
                options_words(preset.options, words),
                source_title_shown(preset.source),
            )
            for preset in self.plays.presets.values()
        )
        usual = self.usual
        for option in self.plays.options.values():
            if option.step is None and option_field(option.id) in self:
                field = self[option_field(option.id)]
                field.choices = tuple(_option_choices(self.plays, option, usual[option.id]))
                field.accepts = ("", *(coded(entry.value) for entry in self.plays.values_of(option)))

    @property
    def usual(self) -> Choices:
        """The options under the preset, where the table chooses nothing."""
        preset = self.preset.data if self.preset.data in self.plays.presets else None
        return settle(self.plays.id, preset).options

    @property
    def length(self) -> str:
        """How long a match goes."""
        return length_words(self.plays, page_words())

    @property
    def options(self) -> dict[str, OptionValue]:
        """The options chosen, without those that follow the preset."""
        chosen = {
            name: self._chosen(option) for name, option in self.plays.options.items() if option_field(name) in self
        }
        return {name: value for name, value in chosen.items() if value is not None}

    def _chosen(self, option: Option) -> OptionValue | None:
        typed = self[option_field(option.id)].data.strip()
        if option.step is None:
            return next((entry.value for entry in option.values if coded(entry.value) == typed), None)
        amount = read_whole(typed, language()) if typed else None
        return None if amount == default_of(self.plays, option) else amount

    @property
    def lines(self) -> list[RuleLine]:
        """The rules that may be chosen beside the preset, the target first."""
        words, chosen, usuals, lines = page_words(), self.options, self.usual, []
        for option in sorted(house_options(self.plays), key=lambda option: option.step is None):
            usual = usuals[option.id]
            value = chosen.get(option.id, usual)
            word = value_word(option.id, value, words)
            lines.append(RuleLine(self[option_field(option.id)], word, differs=not same(value, usual)))
        return lines


class ChangeRulesForm(RulesForm):
    """The rules of a match before its first hand, and the digest of those that the page showed."""

    seen = HiddenField()

    @property
    def wanted(self) -> dict[str, OptionValue]:
        """The options that the match should have."""
        return {**self.options, **self.seated}

    def fill(self, rules: Ruleset) -> None:
        """Show these rules; an option that follows the preset as following it."""
        self.seen.data, self.preset.data = rules.digest, rules.preset or ""
        self.offer_rules()
        for option in house_options(self.plays):
            usual = self.usual[option.id]
            value, field = rules.options.get(option.id, usual), self[option_field(option.id)]
            if option.step is not None:
                field.data = page_words().figure(int(value))
            else:
                field.data = "" if same(value, usual) else coded(value)


def change_rules_form(variant: Variant, state: MatchState) -> ChangeRulesForm:
    """The form for the rules of a match."""
    seated = {option.id: state.rules.options[option.id] for option in seat_options(variant)}
    fields = rule_fields(variant, seated, house_options(variant))
    form: ChangeRulesForm = type("ChangeRulesForm", (ChangeRulesForm,), fields)()
    form.offer_rules()
    return form


def usual_preset(variant: Variant) -> str:
    """The preset that changes nothing in the variant; empty if there is none."""
    return next((preset.id for preset in variant.presets.values() if not preset.options), "")


def house_options(variant: Variant) -> list[Option]:
    """The options that a table may change after it sat down."""
    seats = seat_options(variant)
    return [option for option in variant.options.values() if option not in seats]


def option_field(option: str) -> str:
    """The name of an option's field."""
    return f"option-{option}"


def rule_fields(variant: Variant, seated: Choices, options: Iterable[Option]) -> dict[str, Any]:
    """The fields of the preset and of these options, in the order of the page."""
    preset = ChoiceField(lazy("web.new.preset"), default=usual_preset(variant))
    fields: dict[str, Any] = {"plays": variant, "seated": seated, "preset": preset}
    for option in options:
        is_choice = option.step is None
        field = ChoiceField(lazy(f"option.{option.id}"), default="") if is_choice else _amount_field(variant, option)
        fields[option_field(option.id)] = field
    return fields


def _amount_field(variant: Variant, option: Option) -> StringField:
    """The field of an option with an amount: the target."""
    step, usual = option.step or 1, int(default_of(variant, option))

    def check(_form: PadForm, field: Field) -> None:
        typed = field.data.strip()
        amount = read_whole(typed, language()) if typed else step
        if amount is None:
            raise ValidationError(t("web.error.amount", usual=usual))
        if amount <= 0 or amount % step or amount > LARGEST:
            raise ValidationError(t("web.error.amount-step" if step > 1 else "web.error.amount-any", step=step))

    hint = lazy("web.new.target.hint" if step > 1 else "web.new.target.hint-any", usual=usual, step=step)
    render = NUMERIC | {"placeholder": LazyString(lambda: page_words().figure(usual))}
    return StringField(lazy(f"option.{option.id}"), [check], default="", description=hint, render_kw=render)


def _option_choices(variant: Variant, option: Option, usual: OptionValue) -> Iterator[Choice]:
    """The values of a house rule. With presets it may follow them; else the default is one of its values."""
    words = page_words()
    if variant.presets:
        yield Choice("", t("web.new.follow"), value_word(option.id, usual, words))
    for entry in variant.values_of(option):
        is_usual = not variant.presets and same(entry.value, usual)
        value, note = ("", t("web.new.usual")) if is_usual else (coded(entry.value), "")
        yield Choice(value, value_word(option.id, entry.value, words), note, basis_words(entry.cited, words))

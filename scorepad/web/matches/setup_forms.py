"""The forms of names and rules: of a new match, and of one that was started.

Fields are named after what they hold: `name-0`, `player-0-1`, `option-target`, `carried-1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from wtforms import BooleanField, Field, HiddenField, StringField, ValidationError

from scorepad.i18n.settings import value_word
from scorepad.matches.events import Labels
from scorepad.matches.names import NameProblem
from scorepad.matches.projection import MatchState, NewMatch
from scorepad.rules.entries import Place
from scorepad.rules.loader import Option
from scorepad.rules.match import LARGEST, Seat, seating
from scorepad.rules.variants import Choice as OptionValue
from scorepad.rules.variants import Choices, Ruleset, Variant, default_of, settle
from scorepad.web.base import language, page_words, t
from scorepad.web.forms import (
    NUMERIC,
    Choice,
    ChoiceField,
    Misread,
    PadForm,
    add_error,
    lazy,
    problem_text,
    read_figure,
    read_whole,
)
from scorepad.web.presenters import (
    basis_words,
    coded,
    default_names,
    is_default_name,
    length_words,
    options_words,
    source_title_shown,
)
from scorepad.web.rule_choices import seat_options

PLAYED = "played"
_KINDS = {1: "player", 2: "side"}
_SINGLE_FIELDS = {"place": "place", "dealer": "dealer", "played": PLAYED, "target": "option-target"}


# ---------------------------------------------------------------- names


class LabelsForm(PadForm):
    """Names of sides and players, and the place. Its fields are made by `_label_fields`."""

    side_sizes: tuple[int, ...] = ()
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
        return tuple(self[f"name-{side}"].data or "" for side in range(len(self.side_sizes)))

    @property
    def players(self) -> tuple[tuple[str, ...], ...]:
        """The players by side, as typed; a side of one is named after its player."""
        return tuple(
            tuple(self[f"player-{side}-{index}"].data or "" for index in range(size)) if size > 1 else ("",)
            for side, size in enumerate(self.side_sizes)
        )

    @property
    def place_typed(self) -> str:
        """The place as typed."""
        return self.place.data or ""

    def refuse(self, problems: tuple[NameProblem, ...]) -> None:
        """Show each problem at its field."""
        for problem in problems:
            text = _overtaken_text(problem.stands) if problem.stands is not None else problem_text(problem)
            add_error(self[field_of(problem.where)], self.named_problem(problem.where, text))

    def named_problem(self, where: Place, text: str) -> str:
        """The message with whose name it is about: the error summary stands far from the field."""
        kind, *rest = where
        if kind == "place":
            return t("web.names.of-side", whose=t("web.place"), text=text)
        if kind not in ("names", "players") or not rest:
            return text
        side, *seat = (int(part) for part in rest)
        whose = side_word(self.side_sizes, side)
        if not seat:
            return t("web.names.of-side", whose=whose, text=text)
        return t("web.names.of-player", side=whose, player=t("web.field.player", number=seat[0] + 1), text=text)


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
        for side, size in enumerate(self.side_sizes):
            self[f"name-{side}"].data = labels.names[side]
            for index in range(size if size > 1 else 0):
                self[f"player-{side}-{index}"].data = labels.players[side][index]


def names_form(side_sizes: tuple[int, ...]) -> NamesForm:
    """The form of names for sides of these sizes."""
    form: NamesForm = type("NamesForm", (NamesForm,), _label_fields(side_sizes))()
    return form


def side_word(side_sizes: Sequence[int], side: int) -> str:
    """A side by its number: one is a player, two are a side, more are a team."""
    return t(f"web.field.{_side_kind(side_sizes[side])}", number=side + 1)


def field_of(where: Place) -> str:
    """The field of a place in the names: `("players", 0, 1)` is `player-0-1`."""
    kind, *rest = where
    if kind in ("names", "players") and rest:
        return "-".join((str(kind).removesuffix("s"), *map(str, rest)))
    if kind == "carried":
        return f"carried-{rest[0] if rest else 0}"
    return _SINGLE_FIELDS.get(str(kind), "name-0")


def _side_kind(size: int) -> str:
    return _KINDS.get(size, "team")


def _overtaken_text(stands: str) -> str:
    return t("web.names.name-overtaken", stands=stands) if stands else t("web.names.name-overtaken.away")


def _label_fields(side_sizes: tuple[int, ...]) -> dict[str, Any]:
    """The fields of names and place, in the order of the page."""
    fields: dict[str, Any] = {"side_sizes": side_sizes}
    for side, size in enumerate(side_sizes):
        fields[f"name-{side}"] = StringField(lazy(f"web.field.{_side_kind(size)}-name"))
        for index in range(size if size > 1 else 0):
            fields[f"player-{side}-{index}"] = StringField(lazy("web.field.player", number=index + 1))
    return fields | {"place": StringField(lazy("web.place"))}


# ---------------------------------------------------------------- rules


class RulesForm(PadForm):
    """Preset, options and target of one variant. Its fields are made by `_rule_fields`."""

    plays: Variant
    preset: ChoiceField

    def offer_rules(self) -> None:
        """Set the choices of preset and options."""
        variant, words = self.plays, page_words()
        none = () if usual_preset(variant) else (Choice("", t("web.new.preset.none")),)
        self.preset.choices = none + tuple(
            Choice(
                preset.id,
                t(f"preset.{preset.id}"),
                options_words(preset.options, words),
                source_title_shown(preset.source),
            )
            for preset in variant.presets.values()
        )
        for option in variant.options.values():
            if option.step is None and _option_field(option.id) in self:
                field = self[_option_field(option.id)]
                field.choices = tuple(_option_choices(variant, option))
                field.accepts = known_values(variant, option)

    @property
    def length(self) -> str:
        """How long a match goes."""
        return length_words(self.plays, page_words())

    @property
    def house(self) -> list[ChoiceField]:
        """The fields of the house rules: options with a list of values that are not asked before the names."""
        before = seat_options(self.plays)
        rules = [option for option in self.plays.options.values() if option.step is None and option not in before]
        return [self[_option_field(option.id)] for option in rules]

    @property
    def options(self) -> dict[str, OptionValue]:
        """The options chosen, without those that follow the preset."""
        chosen = {
            name: self._option(option) for name, option in self.plays.options.items() if _option_field(name) in self
        }
        return {name: value for name, value in chosen.items() if value is not None}

    @property
    def has_rules(self) -> bool:
        """Whether a rule differs from the default, or has an error."""
        before = {option.id for option in seat_options(self.plays)}
        chosen = [self[_option_field(name)].data or "" for name in self.plays.options if name not in before]
        changed = self.preset.data != usual_preset(self.plays) or any(map(str.strip, chosen))
        return changed or self.has_errors("option-", "preset")

    def take_rules(self, args: Mapping[str, str]) -> None:
        """Choose the preset and options of a URL; unknown ones are left out."""
        if args.get("preset") in self.plays.presets:
            self.preset.data = args["preset"]
        for option in self.plays.options.values():
            given = args.get(option.id, "").strip()
            amount = option.step is not None and read_whole(given, language())
            if amount or given in known_values(self.plays, option):
                self[_option_field(option.id)].data = given

    def drop_unknown_rules(self, before: Variant) -> None:
        """Remove what was chosen for the variant `before` and does not exist in this one, or means something else."""
        if self.preset.data not in self.plays.presets:
            self.preset.data = usual_preset(self.plays)
        for option in self.plays.options.values():
            field, earlier = self[_option_field(option.id)], before.options.get(option.id)
            if option.step is None:
                is_known = field.data in known_values(self.plays, option)
            else:
                is_known = earlier is not None and earlier.step == option.step
            field.data = field.data if is_known else ""

    def has_errors(self, *starts: str) -> bool:
        """Whether a field whose name starts so has an error."""
        return any(name.startswith(starts) for name in self.errors)

    def _option(self, option: Option) -> OptionValue | None:
        typed = (self[_option_field(option.id)].data or "").strip()
        if not typed:
            return None
        if option.step is not None:
            amount = read_whole(typed, language())
            return None if amount == default_of(self.plays, option) else amount
        return next((entry.value for entry in option.values if coded(entry.value) == typed), None)


class ChangeRulesForm(RulesForm):
    """The rules of a match before its first hand, and the digest of those that the page showed."""

    seated: Choices
    """The options that decide who sits at the table: they stay as they are."""
    seen = HiddenField()

    @property
    def has_house(self) -> bool:
        """Whether a house rule differs from the default, or has an error."""
        return any(field.data for field in self.house) or self.has_errors("option-")

    @property
    def wanted(self) -> dict[str, OptionValue]:
        """The options that the match should have."""
        return {**self.options, **self.seated}

    def fill(self, rules: Ruleset) -> None:
        """Show these rules; an option that follows the preset as following it."""
        usual = settle(rules.variant, rules.preset, self.seated).options
        self.seen.data = rules.digest
        self.preset.data = rules.preset or ""
        for option in _changeable(self.plays):
            value, field = rules.options.get(option.id, usual[option.id]), self[_option_field(option.id)]
            if option.step is not None:
                field.data = page_words().figure(int(value))
            else:
                field.data = "" if value == usual[option.id] else coded(value)

    def refuse(self, problems: tuple[NameProblem, ...]) -> None:
        """Show each problem at its field."""
        for problem in problems:
            name = field_of(problem.where)
            add_error(self._fields.get(name, self.preset), problem_text(problem))


def change_rules_form(variant: Variant, state: MatchState) -> ChangeRulesForm:
    """The form for the rules of a match."""
    seated = {option.id: state.rules.options[option.id] for option in seat_options(variant)}
    fields = {"seated": seated, **_rule_fields(variant, _changeable(variant))}
    form: ChangeRulesForm = type("ChangeRulesForm", (ChangeRulesForm,), fields)()
    form.offer_rules()
    return form


def usual_preset(variant: Variant) -> str:
    """The preset that changes nothing in the variant; empty if there is none."""
    return next((preset.id for preset in variant.presets.values() if not preset.options), "")


def known_values(variant: Variant, option: Option) -> tuple[str, ...]:
    """What a form may send for an option; empty follows the preset or the default."""
    return ("", *(coded(entry.value) for entry in variant.values_of(option)))


def _changeable(variant: Variant) -> tuple[Option, ...]:
    kept = seat_options(variant)
    return tuple(option for option in variant.options.values() if option not in kept)


def _option_field(option: str) -> str:
    return f"option-{option}"


def _rule_fields(variant: Variant, options: Iterable[Option]) -> dict[str, Any]:
    """The fields of the preset and of these options, in the order of the page."""
    fields: dict[str, Any] = {
        "plays": variant,
        "preset": ChoiceField(lazy("web.new.preset"), default=usual_preset(variant)),
    }
    for option in options:
        label = lazy(f"option.{option.id}")
        if option.step is None:
            fields[_option_field(option.id)] = ChoiceField(label, default="")
        else:
            fields[_option_field(option.id)] = _amount_field(variant, option)
    return fields


def _amount_field(variant: Variant, option: Option) -> StringField:
    """The field of an option with an amount: the target."""
    step, usual = option.step or 1, int(default_of(variant, option))

    def check(_form: PadForm, field: Field) -> None:
        typed = (field.data or "").strip()
        amount = read_whole(typed, language()) if typed else step
        if amount is None:
            raise ValidationError(t("web.error.amount", usual=usual))
        if amount <= 0 or amount % step or amount > LARGEST:
            raise ValidationError(t("web.error.amount-step" if step > 1 else "web.error.amount-any", step=step))

    hint = lazy("web.new.target.hint" if step > 1 else "web.new.target.hint-any", usual=usual, step=step)
    label = lazy(f"option.{option.id}")
    return StringField(label, [check], default="", description=hint, render_kw=NUMERIC)


def _option_choices(variant: Variant, option: Option) -> Iterator[Choice]:
    """The values of a house rule. With presets it may follow them; else the default is one of its values."""
    words, usual = page_words(), default_of(variant, option)
    if variant.presets:
        note = t("web.new.follow.note", usual=value_word(option.id, usual, words))
        yield Choice("", t("web.new.follow"), note)
    for entry in variant.values_of(option):
        is_usual = not variant.presets and entry.value == usual
        value, note = ("", t("web.new.usual")) if is_usual else (coded(entry.value), "")
        yield Choice(value, value_word(option.id, entry.value, words), note, basis_words(entry.cited, words))


# ---------------------------------------------------------------- a new match


class NewMatchForm(LabelsForm, RulesForm):
    """A new match of one variant: names, dealer, place, rules, and totals from paper. Made by `new_match_form`."""

    seated: Choices
    """The options that decide who sits at the table."""
    seats: tuple[Seat, ...]
    """Who may deal first, clockwise."""
    variant = HiddenField()
    dealer = ChoiceField(default="0-0")

    def offer(self) -> None:
        """Set the choices, and the labels that depend on what was typed."""
        self.offer_rules()
        self.dealer.label.text = t("course.paper.dealer" if self.has_paper else "web.new.dealer")
        self.dealer.choices = tuple(Choice(f"{side}-{index}", self._seat(side, index)) for side, index in self.seats)
        for side, name in enumerate(self.side_names):
            self[f"carried-{side}"].label.text = t("course.paper.total", side=name)
            self[f"carried-{side}-below"].label.text = t("course.paper.below", side=name)

    def _seat(self, side: int, index: int) -> str:
        name = self.side_names[side]
        if self.side_sizes[side] == 1:
            return name
        typed = self.players[side][index].strip()
        if typed:
            return t("web.seat.named", player=typed, side=name)
        return t("web.seat.unnamed", side=name, place=index + 1)

    @property
    def side_names(self) -> tuple[str, ...]:
        """The names of the sides as typed, or the usual ones."""
        usual = default_names(self.side_sizes, page_words())
        return tuple(typed.strip() or name for typed, name in zip(self.names, usual, strict=True))

    @property
    def has_names(self) -> bool:
        """Whether a name, dealer or place was typed, or has an error."""
        typed = [name for side in self.players for name in side] + [self.place_typed]
        changed = self.dealer.data != "0-0" or not all(map(is_default_name, self.names))
        return changed or any(map(str.strip, typed)) or self.has_errors("name-", "player-", "place", "dealer")

    def name_sides(self) -> None:
        """Give the sides that nobody named the names that are usual at this table."""
        for side, name in enumerate(default_names(self.side_sizes, page_words())):
            field = self[f"name-{side}"]
            field.data = name if is_default_name(field.data or "") else field.data

    def drop_unknown(self, before: Variant) -> None:
        """Remove what was chosen for the variant `before` and does not exist in this one."""
        self.drop_unknown_rules(before)
        if self.dealer.data not in {f"{side}-{index}" for side, index in self.seats}:
            self.dealer.data = "0-0"

    def new_match(self) -> NewMatch:
        """The match that a valid form starts."""
        side, index = self.dealer.data.split("-")
        usual = default_names(self.side_sizes, page_words())
        return NewMatch(
            variant=self.plays.id,
            preset=self.preset.data or None,
            options=self.options,
            names=tuple(typed if typed.strip() else name for typed, name in zip(self.names, usual, strict=True)),
            players=self.players,
            dealer=(int(side), int(index)),
            place=self.place_typed,
            carried=self.carried,
            played=_figure(self[PLAYED]) if self._played_typed.strip() else 0,
        )

    # what was played on paper before

    @property
    def paper_totals(self) -> list[tuple[Field, Field]]:
        """For each side the field of its total, and the checkbox for one below zero."""
        return [(self[f"carried-{side}"], self[f"carried-{side}-below"]) for side in range(len(self.side_sizes))]

    @property
    def has_paper(self) -> bool:
        """Whether a total or a number of hands on paper was typed."""
        typed = [total.data or "" for total, _ in self.paper_totals] + [self._played_typed]
        return any(map(str.strip, typed)) or any(below.data for _, below in self.paper_totals)

    @property
    def carried(self) -> tuple[int, ...]:
        """The totals of the sides in points; empty if nothing was typed."""
        if not self.has_paper:
            return ()
        return tuple(-_figure(total) if below.data else _figure(total) for total, below in self.paper_totals)

    @property
    def _played_typed(self) -> str:
        return str(self[PLAYED].data or "") if PLAYED in self else ""

    def named_problem(self, where: Place, text: str) -> str:
        """The message with whose name or total it is about."""
        kind, *side = where
        if kind != "carried" or not side:
            return super().named_problem(where, text)
        return t("course.carried-of", side=self.side_names[int(side[0])], text=text)


def new_match_form(variant: Variant, seated: Choices, formdata: Any) -> NewMatchForm:
    """The form of a new match of this variant, for so many at the table, with these submitted fields."""
    settings = settle(variant.id, None, seated).settings
    fields = _label_fields(settings.sides) | {"seated": seated, "seats": seating(settings)}
    for side in range(len(settings.sides)):
        fields[f"carried-{side}"] = StringField(validators=[_total_of(side)], render_kw=NUMERIC)
        fields[f"carried-{side}-below"] = BooleanField()
    if isinstance(variant.settings["match-deals"].value, int):
        fields[PLAYED] = StringField(
            lazy("course.paper.played"),
            [_check_played],
            description=lazy("course.paper.played.hint"),
            render_kw=NUMERIC,
        )
    fields |= _rule_fields(variant, variant.options.values())
    form: NewMatchForm = type("NewMatchForm", (NewMatchForm,), fields)(formdata=formdata)
    form.offer()
    return form


def _total_of(side: int) -> Any:
    """A validator for a side's total on paper: every side has one, or none."""

    def check(form: NewMatchForm, field: Field) -> None:
        read = read_figure(field.data or "", language())
        if isinstance(read, int) or (read is None and not form.has_paper):
            return
        why = {None: "missing", Misread.MINUS: "minus"}.get(read, "figure")
        raise ValidationError(t("course.carried-of", side=form.side_names[side], text=t(f"course.carried-{why}")))

    return check


def _check_played(_form: NewMatchForm, field: Field) -> None:
    if isinstance(read_figure(field.data or "", language()), Misread):
        raise ValidationError(t("course.played-figure"))


def _figure(field: Field) -> int:
    read = read_figure(field.data or "", language())
    return read if isinstance(read, int) else 0

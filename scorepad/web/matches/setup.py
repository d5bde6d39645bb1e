"""The form of names and rules, and the page that starts a match with it.

Fields are named after what they hold: `name-0`, `player-0-1`, `option-target`, `carried-1`.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

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
from scorepad.storage.rows import SummaryRecord
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
RESHOWN = {"switch", "sit", "player", "pair", "draw", "show"}
"""Names of the buttons that show the form again: for another variant, another table (`players=3`),
a known player or pair (the names of the side and of its players, separated by tabs), the draw, and
what was typed.
"""
MOST_MATCHES = 30
"""The last matches whose players are offered."""
MOST_PLAYERS = 12
MOST_PAIRS = 4
_KINDS_OF_SIDE = {1: "player", 2: "side"}
"""The term for a side by number of players; with more it is a team."""
_FIELDS = {"names": "name", "players": "player", "target": "option-target"}
"""The fields of names, players and the target, by what the services call them."""


def _field_at(pointer: Pointer) -> str:
    """The name of the field that a problem is about: `("names", 0)` is that of `name-0`, and
    `("place",)` that of `place`.
    """
    subject, *positions = map(str, pointer)
    return "-".join([_FIELDS.get(subject, subject), *positions])


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
        """Show the problems for which the names were refused, each at its field.

        If the names of others were merged into those typed, the form shows the result. It is sent
        as a new request then, since a request id stands for one content.
        """
        self.status = CONFLICT if refused.is_overtaken else INVALID
        if refused.labels is not None:
            self.fill_labels(refused.labels, refused.sequence)
            self.renew()
        for problem in refused.problems:
            field = self._field_of_problem(problem)
            forms.add_error(field, self.message_about(field, forms.problem_text(problem)))

    def _field_of_problem(self, problem: NameProblem) -> Field:
        """The field that a problem is about. If this form does not have it, that of the request id,
        whose errors concern the whole page.
        """
        return self._fields.get(_field_at(problem.where), self.request_id)

    def message_about(self, field: Field, message: str) -> str:
        """A message that begins with what it is about, since the error summary is far from the
        field: `Squadra 1: Il nome manca.` Messages of other fields stay as they are.
        """
        subject = self._subjects().get(field.name)
        if subject is None:
            return message
        return t("web.names.of-side", whose=subject, text=message)

    def _subjects(self) -> dict[str, str]:
        """What the fields of names, free texts and carried totals are about, by field name."""
        subjects = {}
        for side, fields in enumerate(self.sides):
            subjects[fields.name.name] = fields.heading
            for player in fields.players:
                subjects[player.name] = f"{fields.heading}, {player.label.text}"
            subjects[f"carried-{side}"] = self.side_names[side]
        for text in MATCH_TEXTS:
            subjects[text.name] = t(text.label)
        return subjects

    # names

    @property
    def sides(self) -> list[SideFields]:
        """The fields of each side with their heading."""
        sides = []
        for side, size in enumerate(self.side_sizes):
            kind = _KINDS_OF_SIDE.get(size, "team")
            fields = [self[f"name-{side}"]]
            if size > 1:
                fields += [self[f"player-{side}-{index}"] for index in range(size)]
            sides.append(SideFields(t(f"web.field.{kind}", number=side + 1), fields))
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
        """Set the choices of preset and options."""
        usual = self.usual
        variant = self.plays
        self.preset.choices = tuple(_preset_choices(variant))
        for option in variant.options.values():
            field = self._fields.get(f"option-{option.id}")
            if isinstance(field, ChoiceField):
                choices = _option_choices(variant, option, usual[option.id], field.data)
                values = [coded(entry.value) for entry in variant.values_of(option)]
                field.choices = tuple(choices)
                field.accepts = ("", *values)

    @property
    def usual(self) -> Choices:
        """The options under the preset, without choices of the table."""
        preset = self.preset.data if self.preset.data in self.plays.presets else None
        return settle(self.plays.id, preset).options

    @property
    def options(self) -> dict[str, ChoiceValue]:
        """The options chosen, without those that follow the preset."""
        options = {}
        for name, option in self.plays.options.items():
            value = self._chosen(option)
            if value is not None:
                options[name] = value
        return options

    def _chosen(self, option: Option) -> ChoiceValue | None:
        """The value of an option that was chosen; None if it follows the preset, or the form has no
        field for it. An amount that is the default one, such as the usual target, counts as not
        chosen.
        """
        field = self._fields.get(f"option-{option.id}")
        if field is None:
            return None
        value = option_value(option, field.data)
        is_amount = option.step is not None
        if is_amount and value == default_of(self.plays, option):
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
    """The fields of names and free texts in the order of the page, with the usual names of sides.

    `player_options`: further arguments of the fields of players.
    """
    fields: dict[str, Any] = {"side_sizes": side_sizes}
    for side, size in enumerate(side_sizes):
        kind = _KINDS_OF_SIDE.get(size, "team")
        label = lazy(f"web.field.{kind}-name")
        options = player_options if size == 1 else {}
        default = names[side] if names else ""
        fields[f"name-{side}"] = StringField(label, default=default, **options)
        if size == 1:
            continue
        for index in range(size):
            label = lazy("web.field.player", number=index + 1)
            fields[f"player-{side}-{index}"] = StringField(label, default="", **player_options)
    for text in MATCH_TEXTS:
        fields[text.name] = StringField(lazy(text.label), default="")
    return fields


def rule_fields(variant: Variant, seated: Choices, options: Iterable[Option]) -> dict[str, Any]:
    """The fields of the preset and of these options, in the order of the page."""
    preset = ChoiceField(lazy("web.new.preset"), default=usual_preset(variant))
    fields: dict[str, Any] = {"plays": variant, "seated": seated, "preset": preset}
    for option in options:
        label = page_words(variant).t(f"option.{option.id}")
        if option.step is None:
            fields[f"option-{option.id}"] = ChoiceField(label, default="")
        else:
            fields[f"option-{option.id}"] = _amount_field(variant, option, option.step, label)
    return fields


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
    variant: Variant, option: Option, usual: ChoiceValue, chosen: str | None
) -> Iterator[Choice]:
    """The choices of an option, one for each of its values.

    That of the usual value, which is the one of the preset or the default, is the empty text: who
    chooses it follows the preset, also when another preset is chosen. `chosen` is the text that is
    chosen now: if it is the usual value by its own code, that is a choice beside the empty one.
    """
    words = page_words(variant)
    follows_preset = t("web.new.follow" if variant.presets else "web.new.usual")
    entries = list(variant.values_of(option))
    if not any(is_same(entry.value, usual) for entry in entries):
        yield Choice("", value_word(option.id, usual, words), follows_preset)
    for entry in entries:
        code = coded(entry.value)
        text = value_word(option.id, entry.value, words)
        source = citation_in_short(entry.cited, words)
        if not is_same(entry.value, usual):
            yield Choice(code, text, "", source)
            continue
        yield Choice("", text, follows_preset, source)
        if chosen == code:
            yield Choice(code, text, "", source)


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

    def offer(self) -> None:
        """Set the choices, and the labels that depend on typed values."""
        self.offer_rules()
        self.dealer.label.text = t("match.earlier.dealer" if self.has_carried else "web.new.dealer")
        seats = [Choice(f"{side}-{index}", self._seat(side, index)) for side, index in self.seats]
        self.dealer.choices = tuple(seats)
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

    def _seat(self, side: int, index: int) -> str:
        """A seat in words, by the names that are typed: `Ada (Noi)`, or `Noi, giocatore 1` without a name."""
        name = self.side_names[side]
        player = self.players[side][index].strip()
        if self.side_sizes[side] == 1:
            return name
        key = "web.seat.named" if player else "web.seat.unnamed"
        return t(key, side=name, player=player, seat=index + 1)

    @property
    def seat_fields(self) -> list[Field]:
        """The field for each player's name, side by side."""
        fields = []
        for side in self.sides:
            fields += side.seats
        return fields

    @property
    def seated_players(self) -> list[str]:
        """The name typed in each of those fields; empty for none."""
        names = [field.data.strip() for field in self.seat_fields]
        return ["" if is_default_name(name) else name for name in names]

    def seat_player(self, name: str) -> None:
        """Put a player on the first free seat; a seated player leaves."""
        seated = self.seated_players
        if name and name in seated:
            field = self.seat_fields[seated.index(name)]
            field.data = field.default
        elif "" in seated:
            self.seat_fields[seated.index("")].data = name

    def seat_pair(self, name: str, *players: str) -> None:
        """Put the players of a side, under its name if it has one, on the first side without
        players.
        """
        for side in self.sides:
            if len(side.players) != len(players):
                continue
            if any(field.data.strip() for field in side.players):
                continue
            if name and name not in self.names:
                side.name.data = name
            for field, player in zip(side.players, players, strict=True):
                field.data = player
            return

    def draw(self) -> None:
        """Draw seats, partners and the first dealer from the names typed."""
        names = self.seated_players
        secrets.SystemRandom().shuffle(names)
        for field, name in zip(self.seat_fields, names, strict=True):
            field.data = name or field.default
        side, index = secrets.choice(self.seats)
        self.dealer.data = f"{side}-{index}"

    def drop_unknown(self, before: Variant) -> None:
        """Reset choices for the variant `before` that do not exist, or have another meaning, in
        this one.
        """
        for side in self.sides:
            if is_default_name(side.name.data):
                side.name.data = side.name.default
        for option in self.plays.options.values():
            if option.step is None:
                continue
            earlier = before.options.get(option.id)
            if earlier is None or earlier.step != option.step:
                self[f"option-{option.id}"].data = ""
        for field in self:
            if not isinstance(field, ChoiceField):
                continue
            values = [choice.value for choice in field.choices]
            if field.data not in values:
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
    variant: Variant, seated: Choices, formdata: Any, chosen: Mapping[str, str] | None = None
) -> NewMatchForm:
    """The form of a new match of this variant and number of players, with submitted fields or
    choices.
    """
    settings = settle(variant.id, None, seated).settings
    names = default_names(settings.sides, page_words())
    fields = label_fields(settings.sides, names, render_kw={"list": "known-players"})
    fields["seats"] = seating(settings)
    for side in range(len(settings.sides)):
        fields[f"carried-{side}"] = StringField(
            validators=[_check_carried_total], default="", render_kw=NUMERIC
        )
        fields[f"carried-{side}-below"] = BooleanField()
    if isinstance(variant.settings["match-deals"].value, int):
        fields["played"] = StringField(
            lazy("match.earlier.played"),
            [whole_number(0, MOST_HANDS)],
            default="",
            description=lazy("match.earlier.played.hint"),
            render_kw=NUMERIC,
        )
    fields |= rule_fields(variant, seated, variant.options.values())
    form_class = type("NewMatchForm", (NewMatchForm,), fields)
    form: NewMatchForm = form_class(formdata=formdata, data=chosen or {})
    form.offer()
    return form


def _check_carried_total(form: NewMatchForm, field: Field) -> None:
    """Every side has a carried total, or none."""
    total = forms.read_figure(field.data, language())
    if isinstance(total, int):
        return
    if total is None and not form.has_carried:
        return
    message = t("match.carried-figure")
    if total is None:
        message = t("match.carried-missing")
    elif total is Misread.MINUS:
        message = t("match.carried-minus")
    raise ValidationError(form.message_about(field, message))


@blueprint.route("/nuova", methods=BOTH, endpoint="new")
@forms.checks_itself
def new_match_page() -> Response:
    """Start a match; all other buttons change the form and show it again with the typed values."""
    if request.method == "GET":
        variant = _variant_or_default(request.args.get("variante", ""))
        return _show_new_match(_linked_form(variant, request.args))
    submitted = MultiDict(request.form)
    variant_before = _variant_or_default(submitted.get("variant", ""))
    variant = variant_before
    if "switch" in submitted:
        variant = _variant_or_default(submitted["switch"])
    option, _, value = submitted.get("sit", "").partition("=")
    if option in {each.id for each in seat_options(variant)}:
        submitted[f"option-{option}"] = value
    form = new_match_form(variant, chosen_seats(variant, submitted), submitted)
    if RESHOWN.isdisjoint(submitted):
        return _start_match(form)

    form.drop_unknown(variant_before)
    if "player" in submitted:
        form.seat_player(submitted["player"])
    if "pair" in submitted:
        form.seat_pair(*submitted["pair"].split("\t"))
    if "draw" in submitted:
        form.draw()
    return _show_new_match(form)


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


def _linked_form(variant: Variant, args: Mapping[str, str]) -> NewMatchForm:
    """A form with the table and the rules given in the URL; choices that do not exist are left out."""
    chosen = {}
    if "preset" in args:
        chosen["preset"] = args["preset"]
    for option in variant.options.values():
        text = args.get(option.id, "").strip()
        is_wrong_amount = option.step is not None and not figure_of(text)
        chosen[f"option-{option.id}"] = "" if is_wrong_amount else text
    form = new_match_form(variant, chosen_seats(variant, chosen), None, chosen)
    form.drop_unknown(variant)
    return form


def _show_new_match(form: NewMatchForm) -> Response:
    """The page of a new match. House rules of other guests are offered apart."""
    form.variant.data = form.plays.id
    form.offer()
    words = page_words(form.plays)
    known = _known_players(form)
    folded = rules_of_other_guests() - {form.plays.id}
    offered = [variant for variant in variant_ids() if variant not in folded]
    return render_page(
        "matches/new.html",
        title=t("web.new.title"),
        has_form=True,
        words=words,
        form=form,
        players=known.players,
        pairs=known.pairs,
        variants=list(map(get_variant, offered)),
        variants_of_guests=list(map(get_variant, sorted(folded))),
        differences=_differences_from_classic(form.plays, words),
    )


_Found = TypeVar("_Found")


class KnownPlayers(NamedTuple):
    """The players of earlier matches, which a click puts on a seat."""

    players: list[str]
    pairs: list[tuple[str, ...]]
    """Their sides: the name of the side, empty for a usual one, and the names of its players."""


class _EarlierSide(NamedTuple):
    name: str
    """Empty for a usual name, such as "Noi"."""
    players: tuple[str, ...]


def _known_players(form: NewMatchForm) -> KnownPlayers:
    """The players of the last matches of this device, and the sides that fit the free seats."""
    summaries = get_pad().summaries(device_id(), MOST_MATCHES, MOST_MATCHES)
    known_players: list[str] = []
    pairs: list[tuple[str, ...]] = []
    for match in (*summaries.in_progress, *summaries.finished):
        for side in _earlier_sides(match):
            if len(side.players) == 1:  # it is named after its player
                _append_new(known_players, side.name)
                continue
            for player in side.players:
                _append_new(known_players, player)
            if _fits_free_seats(side, form):
                _append_new(pairs, (side.name, *side.players))
    named_players = [player for player in known_players if player]
    return KnownPlayers(named_players[:MOST_PLAYERS], pairs[:MOST_PAIRS])


def _earlier_sides(match: SummaryRecord) -> Iterator[_EarlierSide]:
    """The sides of an earlier match. Without the names of players each counts as one player."""
    for position, side_name in enumerate(match.names):
        name = "" if is_default_name(side_name) else side_name
        players = match.players[position] if match.players else ("",)
        yield _EarlierSide(name, players)


def _fits_free_seats(side: _EarlierSide, form: NewMatchForm) -> bool:
    """Whether the players of a side can be seated together: all have names, none sits already, and
    the table has sides of as many players.
    """
    if len(side.players) not in form.side_sizes:
        return False
    if not all(side.players):
        return False
    return set(form.seated_players).isdisjoint(side.players)


def _append_new(found: list[_Found], value: _Found) -> None:
    """Add a value to a list unless it is in it already."""
    if value not in found:
        found.append(value)


class DifferencesFromClassic(NamedTuple):
    """How a variant differs from the classic game: the most frequent source, and each difference
    with its source if that is another one.
    """

    usual_source: str
    differences: list[tuple[Difference, str]]


def _differences_from_classic(variant: Variant, words: Words) -> DifferencesFromClassic | None:
    """The differences worth knowing before a match; None if there are none."""
    differences = [each for each in differing_rules(variant, words) if each.matters]
    if not differences:
        return None
    sources = []
    for difference in differences:
        sources.append(citations_in_words(map(str, difference.cited.citations), words))
    [(usual_source, _times)] = Counter(sources).most_common(1)
    with_sources = []
    for difference, source in zip(differences, sources, strict=True):
        other_source = "" if source == usual_source else source
        with_sources.append((difference, other_source))
    return DifferencesFromClassic(usual_source, with_sources)

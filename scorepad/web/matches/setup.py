"""The form of names and rules, and the page that starts a match with it.

Fields are named after what they hold: `name-0`, `player-0-1`, `option-target`, `carried-1`.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from flask import Blueprint, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response
from wtforms import BooleanField, Field, HiddenField, StringField, ValidationError

from scorepad.i18n import Words
from scorepad.i18n.settings import value_word
from scorepad.matches.events import Labels
from scorepad.matches.names import NamesRefused
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import RequestRefused, Saved, SentOtherwise
from scorepad.rules import variants
from scorepad.rules.definitions import Choices, ChoiceValue, Ends, Option, Ruleset, Variant, is_same
from scorepad.rules.judging import Seat, seating
from scorepad.rules.loader import MOST_HANDS, MOST_MINUTES
from scorepad.rules.settings import LARGEST
from scorepad.rules.variants import default_of, get_variant, settle, variant_ids
from scorepad.schemas.variant_json import Difference, differing_rules
from scorepad.web import forms
from scorepad.web.base import device_id, get_pad, language, page_words, render_page, t, to_new_match
from scorepad.web.citations import basis_words, places, source_title
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
from scorepad.web.rule_choices import of_other_guests, option_value, seat_options, seated_by
from scorepad.web.rule_words import coded, options_words
from scorepad.web.security import limit_matches

blueprint = Blueprint("setup", __name__, url_prefix="/partite")
RESHOWN = {"switch", "sit", "player", "pair", "draw", "show"}
"""Names of the buttons that show the form again: for another variant, another table (`players=3`),
a known player or pair (the names of the side and of its players, separated by tabs), the draw, and
what was typed.
"""
MOST_MATCHES, MOST_PLAYERS, MOST_PAIRS = 30, 12, 4
"""Limits: last matches whose players are offered, players, and pairs."""
_KINDS = {1: "player", 2: "side"}
_FIELDS = {"names": "name", "players": "player", "target": "option-target"}
"""Fields with other names than in the services."""


class RuleLine(NamedTuple):
    """A rule that can be chosen: its field, its value in words, and whether it differs from the
    preset.
    """

    field: Field
    value: str
    differs: bool


class SetupForm(forms.PadForm):
    """Names of sides and players and the place, or preset, options and target of a variant.

    Its fields are made by `label_fields` and `rule_fields`.
    """

    side_sizes: tuple[int, ...] = ()
    plays: Variant
    seated: Choices
    """The options that decide who sits at the table."""
    preset: ChoiceField
    place: StringField
    seen = HiddenField()
    """What the page showed: the last log entry for names, the digest for rules."""

    def refuse(self, refused: NamesRefused) -> None:
        """Show each problem at its field."""
        self.status = CONFLICT if refused.is_overtaken else INVALID
        if refused.labels is not None:
            self.fill_names(refused.labels, refused.sequence)
            self.renew()
        for problem in refused.problems:
            kind, *where = problem.where
            name = "-".join(map(str, (_FIELDS.get(str(kind), kind), *where)))
            field = self._fields.get(name, self.request_id)
            forms.add_error(field, self.about(field, forms.problem_text(problem)))

    def about(self, field: Field, text: str) -> str:
        """A message with the name of its side or total: the error summary is far from the field."""
        match field.name.split("-"):
            case ["place"]:
                whose = t("web.place")
            case ["name", side]:
                whose = self.sides[int(side)][0]
            case ["player", side, _]:
                whose = f"{self.sides[int(side)][0]}, {field.label.text}"
            case ["carried", side]:
                whose = self.side_names[int(side)]
            case _:
                return text
        return t("web.names.of-side", whose=whose, text=text)

    # names

    @property
    def sides(self) -> list[tuple[str, list[Field]]]:
        """Each side's heading and its fields: the name, then the players of a side of several."""
        return [
            (
                t(f"web.field.{_KINDS.get(size, 'team')}", number=side + 1),
                [
                    self[f"name-{side}"],
                    *(self[f"player-{side}-{index}"] for index in range(size if size > 1 else 0)),
                ],
            )
            for side, size in enumerate(self.side_sizes)
        ]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sides as typed."""
        return tuple(name.data for _, (name, *_) in self.sides)

    @property
    def side_names(self) -> tuple[str, ...]:
        """The names of the sides as typed, or the usual ones."""
        return tuple(name.data.strip() or name.default for _, (name, *_) in self.sides)

    @property
    def players(self) -> tuple[tuple[str, ...], ...]:
        """The players by side, as typed; a side of one is named after its player."""
        return tuple(
            tuple(player.data for player in players) or ("",) for _, (_, *players) in self.sides
        )

    def fill_names(self, labels: Labels, sequence: int) -> None:
        """Show these names, as of this log entry."""
        self.place.data, self.seen.data = labels.place, str(sequence)
        for (_, fields), name, players in zip(
            self.sides, labels.names, labels.players, strict=True
        ):
            for field, label in zip(
                fields, (name, *players), strict=False
            ):  # a side of one has no field of its player
                field.data = label

    # rules

    def offer_rules(self) -> None:
        """Set the choices of preset and options."""
        usual, variant = self.usual, self.plays
        words = page_words(variant)
        none = () if usual_preset(variant) else (Choice("", t("web.new.preset.none")),)
        self.preset.choices = none + tuple(
            Choice(
                each.id,
                t(f"preset.{each.id}"),
                options_words(each.options, words),
                source_title(each.source),
            )
            for each in variant.presets.values()
        )
        for option in variant.options.values():
            field = self._fields.get(f"option-{option.id}")
            if isinstance(field, ChoiceField):
                field.choices = tuple(
                    _option_choices(variant, option, usual[option.id], field.data)
                )
                field.accepts = ("", *(coded(entry.value) for entry in variant.values_of(option)))

    @property
    def usual(self) -> Choices:
        """The options under the preset, without choices of the table."""
        preset = self.preset.data if self.preset.data in self.plays.presets else None
        return settle(self.plays.id, preset).options

    @property
    def options(self) -> dict[str, ChoiceValue]:
        """The options chosen, without those that follow the preset."""
        chosen = {
            name: self._chosen(option)
            for name, option in self.plays.options.items()
            if f"option-{name}" in self
        }
        return {name: value for name, value in chosen.items() if value is not None}

    def _chosen(self, option: Option) -> ChoiceValue | None:
        value = option_value(option, self[f"option-{option.id}"].data)
        return (
            None if option.step is not None and value == default_of(self.plays, option) else value
        )

    @property
    def lines(self) -> list[RuleLine]:
        """The rules that may be chosen beside the preset, the target first."""
        words, chosen, usuals, lines = page_words(self.plays), self.options, self.usual, []
        for option in sorted(house_options(self.plays), key=lambda option: option.step is None):
            usual = usuals[option.id]
            value = chosen.get(option.id, usual)
            word = value_word(option.id, value, words)
            lines.append(
                RuleLine(self[f"option-{option.id}"], word, differs=not is_same(value, usual))
            )
        return lines

    def fill_rules(self, rules: Ruleset) -> None:
        """Show these rules; options that follow the preset are shown as such."""
        self.seen.data, self.preset.data = rules.digest, rules.preset or ""
        self.offer_rules()
        for option in house_options(self.plays):
            usual = self.usual[option.id]
            value, field = rules.options.get(option.id, usual), self[f"option-{option.id}"]
            if option.step is not None:
                field.data = page_words().figure(int(value))
            else:
                field.data = "" if is_same(value, usual) else coded(value)


def label_fields(
    side_sizes: tuple[int, ...], names: Sequence[str] = (), **more: Any
) -> dict[str, Any]:
    """The fields of names and place in the order of the page, with the usual names of the sides."""
    fields: dict[str, Any] = {"side_sizes": side_sizes}
    for side, (size, name) in enumerate(
        zip(side_sizes, names or [""] * len(side_sizes), strict=True)
    ):
        label = lazy(f"web.field.{_KINDS.get(size, 'team')}-name")
        fields[f"name-{side}"] = StringField(label, default=name, **(more if size == 1 else {}))
        for index in range(size if size > 1 else 0):
            label = lazy("web.field.player", number=index + 1)
            fields[f"player-{side}-{index}"] = StringField(label, default="", **more)
    return fields | {"place": StringField(lazy("web.place"), default="")}


def rule_fields(variant: Variant, seated: Choices, options: Iterable[Option]) -> dict[str, Any]:
    """The fields of the preset and of these options, in the order of the page."""
    preset = ChoiceField(lazy("web.new.preset"), default=usual_preset(variant))
    fields: dict[str, Any] = {"plays": variant, "seated": seated, "preset": preset}
    for option in options:
        label = page_words(variant).t(f"option.{option.id}")
        if option.step is None:
            fields[f"option-{option.id}"] = ChoiceField(label, default="")
            continue
        step, usual = option.step, int(default_of(variant, option))
        hint = lazy(
            "web.new.target.hint" if step > 1 else "web.new.target.hint-any", usual=usual, step=step
        )
        render = NUMERIC | {"placeholder": page_words().figure(usual)}
        limits = whole_number(step, LARGEST // step * step, step)
        fields[f"option-{option.id}"] = StringField(
            label, [limits], default="", description=hint, render_kw=render
        )
    return fields


def _option_choices(
    variant: Variant, option: Option, usual: ChoiceValue, chosen: str | None
) -> Iterator[Choice]:
    """The values of a house rule: that of the preset, or the default, is marked, and offered by
    itself if so chosen.
    """
    words = page_words(variant)
    note = t("web.new.follow" if variant.presets else "web.new.usual")
    entries = list(variant.values_of(option))
    if not any(is_same(entry.value, usual) for entry in entries):
        yield Choice("", value_word(option.id, usual, words), note)
    for entry in entries:
        word, basis = value_word(option.id, entry.value, words), basis_words(entry.cited, words)
        is_usual = is_same(entry.value, usual)
        if is_usual:
            yield Choice("", word, note, basis)
        if not is_usual or chosen == coded(entry.value):
            yield Choice(coded(entry.value), word, "", basis)


def usual_preset(variant: Variant) -> str:
    """The preset that changes nothing in the variant; empty if there is none."""
    return next((preset.id for preset in variant.presets.values() if not preset.options), "")


def house_options(variant: Variant) -> list[Option]:
    """The options other than those of `seat_options`."""
    seats = seat_options(variant)
    return [option for option in variant.options.values() if option not in seats]


# ---------------------------------------------------------------- a new match


class NewMatchForm(SetupForm):
    """A new match of one variant: names, dealer, place, rules, and totals from paper. Made by
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
        self.dealer.label.text = t("match.paper.dealer" if self.has_paper else "web.new.dealer")
        self.dealer.choices = tuple(
            Choice(f"{side}-{index}", self._seat(side, index)) for side, index in self.seats
        )
        for name, (total, below) in zip(self.side_names, self.paper_totals, strict=True):
            total.label.text = t("match.paper.total", side=name)
            below.label.text = t("match.paper.below", side=name)

    def is_touched(self, *starts: str) -> bool:
        """Whether a field with this prefix has an error, or a changed value."""
        fields = [field for field in self if field.name.startswith(starts)]
        return any(field.errors or (field.data or "") != (field.default or "") for field in fields)

    # names and seats

    def _seat(self, side: int, index: int) -> str:
        name, player = self.side_names[side], self.players[side][index].strip()
        if self.side_sizes[side] == 1:
            return name
        return t(
            "web.seat.named" if player else "web.seat.unnamed",
            side=name,
            player=player,
            place=index + 1,
        )

    @property
    def seat_fields(self) -> list[Field]:
        """The field of each player's name, side by side."""
        return [field for _, fields in self.sides for field in fields[len(fields) > 1 :]]

    @property
    def seated_players(self) -> list[str]:
        """The name typed in each of those fields; empty for none."""
        typed = (field.data.strip() for field in self.seat_fields)
        return ["" if is_default_name(name) else name for name in typed]

    def seat_player(self, name: str) -> None:
        """Put a player on the first free seat; a seated player leaves."""
        seated = self.seated_players
        place = name if name in seated else ""
        if place in seated:
            field = self.seat_fields[seated.index(place)]
            field.data = field.default if place else name

    def seat_pair(self, name: str, *players: str) -> None:
        """Put the players of a side, under its name if it has one, on the first side without
        players.
        """
        for _, (side, *fields) in self.sides:
            if len(fields) == len(players) and not any(field.data.strip() for field in fields):
                side.data = name if name and name not in self.names else side.data
                for field, player in zip(fields, players, strict=True):
                    field.data = player
                return

    def draw(self) -> None:
        """Draw seats, partners and the first dealer from the names typed."""
        names = self.seated_players
        secrets.SystemRandom().shuffle(names)
        for field, name in zip(self.seat_fields, names, strict=True):
            field.data = name or field.default
        self.dealer.data = "{}-{}".format(*secrets.choice(self.seats))

    def drop_unknown(self, before: Variant) -> None:
        """Reset choices for the variant `before` that do not exist, or have another meaning, in
        this one.
        """
        for _, (field, *_) in self.sides:
            field.data = field.default if is_default_name(field.data) else field.data
        for option in self.plays.options.values():
            earlier = before.options.get(option.id)
            if option.step is not None and (earlier is None or earlier.step != option.step):
                self[f"option-{option.id}"].data = ""
        for field in self:
            if isinstance(field, ChoiceField) and field.data not in [
                choice.value for choice in field.choices
            ]:
                field.data = field.default

    # what was played on paper before

    @property
    def paper_totals(self) -> list[tuple[Field, Field]]:
        """For each side the field of its total, and the checkbox for one below zero."""
        return [
            (self[f"carried-{side}"], self[f"carried-{side}-below"])
            for side in range(len(self.side_sizes))
        ]

    @property
    def has_paper(self) -> bool:
        """Whether a total or a number of hands on paper was typed."""
        fields = [field for field in self if field.name.startswith(("carried-", "played"))]
        return any(str(field.data or "").strip() for field in fields)

    def new_match(self) -> NewMatch:
        """The match that a valid form starts."""
        side, index = self.dealer.data.split("-")
        carried = tuple(
            (figure_of(total.data) or 0) * (-1 if below.data else 1)
            for total, below in self.paper_totals
        )
        ends = Ends(figure_of(self.hands.data), figure_of(self.minutes.data))
        return NewMatch(
            variant=self.plays.id,
            preset=self.preset.data or None,
            options=self.options,
            names=self.side_names,
            players=self.players,
            dealer=(int(side), int(index)),
            place=self.place.data,
            carried=carried if self.has_paper else (),
            played=figure_of(self["played"].data) or 0 if "played" in self else 0,
            ends=None if ends in (Ends(), self.plays.ends) else ends,
        )


def new_match_form(
    variant: Variant, seated: Choices, formdata: Any, chosen: Mapping[str, str] | None = None
) -> NewMatchForm:
    """The form of a new match of this variant and number of players, with submitted fields or
    choices.
    """
    settings = settle(variant.id, None, seated).settings
    names = default_names(settings.sides, page_words())
    fields = label_fields(settings.sides, names, render_kw={"list": "known-players"}) | {
        "seats": seating(settings)
    }
    for side in range(len(settings.sides)):
        fields[f"carried-{side}"] = StringField(
            validators=[_check_total], default="", render_kw=NUMERIC
        )
        fields[f"carried-{side}-below"] = BooleanField()
    if isinstance(variant.settings["match-deals"].value, int):
        label, hint = lazy("match.paper.played"), lazy("match.paper.played.hint")
        fields["played"] = StringField(
            label, [whole_number(0, MOST_HANDS)], default="", description=hint, render_kw=NUMERIC
        )
    fields |= rule_fields(variant, seated, variant.options.values())
    form: NewMatchForm = type("NewMatchForm", (NewMatchForm,), fields)(
        formdata=formdata, data=chosen or {}
    )
    form.offer()
    return form


def _check_total(form: NewMatchForm, field: Field) -> None:
    """Every side has a total on paper, or none."""
    read = forms.read_figure(field.data, language())
    if isinstance(read, int) or (read is None and not form.has_paper):
        return
    why = {None: "missing", Misread.MINUS: "minus"}.get(read, "figure")
    raise ValidationError(form.about(field, t(f"match.carried-{why}")))


@blueprint.route("/nuova", methods=BOTH)
@forms.checks_itself
def new() -> Response:
    """Start a match; all other buttons change the form and show it again with the typed values."""
    if request.method == "GET":
        variant = _variant(request.args.get("variante", ""))
        return _show(_linked_form(variant, request.args))
    sent, before = MultiDict(request.form), _variant(request.form.get("variant", ""))
    variant = _variant(sent["switch"]) if "switch" in sent else before
    option, _, value = sent.get("sit", "").partition("=")
    if option in {each.id for each in seat_options(variant)}:
        sent[f"option-{option}"] = value
    form = new_match_form(variant, seated_by(variant, sent), sent)
    if not RESHOWN & sent.keys():
        return _start(form)
    form.drop_unknown(before)
    if "player" in sent:
        form.seat_player(sent["player"])
    if "pair" in sent:
        form.seat_pair(*sent["pair"].split("\t"))
    if "draw" in sent:
        form.draw()
    return _show(form)


def _start(form: NewMatchForm) -> Response:
    if form.validate():
        limit_matches()
        try:
            result = get_pad().actions.start(form.request_name, device_id(), form.new_match())
            if isinstance(result, Saved):
                return to_new_match(result)
            form.refuse(result)
        except RequestRefused as error:
            form.reject(
                t(
                    "serve.started-before"
                    if isinstance(error, SentOtherwise)
                    else "serve.sent-before"
                )
            )
    return _show(form)


def _variant(name: str) -> Variant:
    return get_variant(name if name in variant_ids() else variants.default_variant())


def _linked_form(variant: Variant, args: Mapping[str, str]) -> NewMatchForm:
    """A form with the table and the rules given in the URL; choices that do not exist are left out."""
    chosen = {"preset": args["preset"]} if "preset" in args else {}
    for option in variant.options.values():
        given = args.get(option.id, "").strip()
        chosen[f"option-{option.id}"] = given if option.step is None or figure_of(given) else ""
    form = new_match_form(variant, seated_by(variant, chosen), None, chosen)
    form.drop_unknown(variant)
    return form


def _show(form: NewMatchForm) -> Response:
    form.variant.data = form.plays.id
    form.offer()
    players, pairs = _known(form)
    folded = of_other_guests() - {form.plays.id}
    offered = [variant for variant in variant_ids() if variant not in folded]
    return render_page(
        "matches/new.html",
        title=t("web.new.title"),
        has_form=True,
        words=page_words(form.plays),
        form=form,
        players=players,
        pairs=pairs,
        variants=list(map(get_variant, offered)),
        variants_of_guests=list(map(get_variant, sorted(folded))),
        differences=_differences(form.plays, page_words(form.plays)),
    )


def _known(form: NewMatchForm) -> tuple[list[str], list[tuple[str, ...]]]:
    """The players of the last matches of this device, and the sides that fit this table: name and
    players.
    """
    summaries = get_pad().summaries(device_id(), MOST_MATCHES, MOST_MATCHES)
    sides = [
        ("" if is_default_name(name) else name, seated)
        for match in (*summaries.in_progress, *summaries.finished)
        for name, seated in zip(
            match.names, match.players or (("",),) * len(match.names), strict=True
        )
    ]
    players = [
        player
        for name, seated in sides
        for player in (seated if len(seated) > 1 else (name,))
        if player
    ]
    here = set(form.seated_players)
    pairs = [
        (name, *seated) for name, seated in sides
        if len(seated) > 1 and len(seated) in form.side_sizes and all(seated) and not here.intersection(seated)
    ]  # fmt: skip
    return list(dict.fromkeys(players))[:MOST_PLAYERS], list(dict.fromkeys(pairs))[:MOST_PAIRS]


def _differences(variant: Variant, words: Words) -> tuple[str, list[tuple[Difference, str]]] | None:
    """How a variant differs from classica: its usual source, and each difference with another
    source, if it has one.
    """
    found = [each for each in differing_rules(variant, words) if each.matters]
    if not found:
        return None
    named = [places(map(str, each.cited.citations), words) for each in found]
    usual = Counter(named).most_common(1)[0][0]
    return usual, [
        (each, "" if source == usual else source) for each, source in zip(found, named, strict=True)
    ]

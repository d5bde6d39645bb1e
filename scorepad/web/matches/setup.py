"""The page that starts a match: the game, who plays, the rules, and totals taken over from paper."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response
from wtforms import BooleanField, Field, HiddenField, StringField, ValidationError

from scorepad.i18n import Words
from scorepad.matches.access import RequestRefused, SentOtherwise
from scorepad.matches.names import NamesRefused
from scorepad.matches.projection import NewMatch
from scorepad.rules.judge import Seat, seating
from scorepad.rules.table import Place
from scorepad.rules.variants import Choices, Variant, default_variant, get_variant, settle, variant_ids
from scorepad.schemas.variants import Difference, differences
from scorepad.web import limits
from scorepad.web.base import device_id, get_pad, language, page_words, render_page, t, to_match
from scorepad.web.forms import (
    CONFLICT,
    INVALID,
    NUMERIC,
    Choice,
    ChoiceField,
    Misread,
    checks_itself,
    form_errors,
    lazy,
    read_figure,
    read_whole,
)
from scorepad.web.matches.setup_forms import PLAYED, LabelsForm, RulesForm, label_fields, option_field, rule_fields
from scorepad.web.presenters import default_names, is_default_name, places, players_words
from scorepad.web.rule_choices import seat_options, seated_by
from scorepad.web.security import set_key_cookies

blueprint = Blueprint("setup", __name__, url_prefix="/partite")
RESHOWN = {"switch", "sit", "player", "pair", "draw", "show"}
"""Names of the buttons that show the form again: for another variant, another table (`players=3`), a known player or
pair (the name of the side and those of its players with tabs between them), the draw, and what was typed."""
MOST_MATCHES, MOST_PLAYERS, MOST_PAIRS = 30, 12, 4
"""The last matches whose players are offered, and how many of them."""


class NewMatchForm(LabelsForm, RulesForm):
    """A new match of one variant: names, dealer, place, rules, and totals from paper. Made by `new_match_form`."""

    seats: tuple[Seat, ...]
    """Who may deal first, clockwise."""
    variant = HiddenField()
    dealer = ChoiceField(default="0-0")

    def offer(self) -> None:
        """Set the choices, and the labels that depend on what was typed."""
        self.offer_rules()
        self.dealer.label.text = t("course.paper.dealer" if self.has_paper else "web.new.dealer")
        self.dealer.choices = tuple(Choice(f"{side}-{index}", self._seat(side, index)) for side, index in self.seats)
        for name, (total, below) in zip(self.side_names, self.paper_totals, strict=True):
            total.label.text = t("course.paper.total", side=name)
            below.label.text = t("course.paper.below", side=name)

    def is_touched(self, *starts: str) -> bool:
        """Whether a field whose name starts so has an error, or holds something else than at first."""
        fields = [field for field in self if field.name.startswith(starts)]
        return any(field.errors or (field.data or "") != (field.default or "") for field in fields)

    # names and seats

    def _seat(self, side: int, index: int) -> str:
        name, size = self.side_names[side], self.side_sizes[side]
        player = self.players[side][index].strip()
        if size == 1:
            return name
        key = "web.seat.named" if player else "web.seat.unnamed"
        return t(key, side=name, **({"player": player} if player else {"place": index + 1}))

    @property
    def side_names(self) -> tuple[str, ...]:
        """The names of the sides as typed, or the usual ones."""
        return tuple(name.data.strip() or name.default for _, (name, *_) in self.sides)

    @property
    def seat_fields(self) -> list[Field]:
        """The field of each player's name, side by side."""
        return [field for _, fields in self.sides for field in fields[len(fields) > 1 :]]

    @property
    def seated_players(self) -> list[str]:
        """The name typed for each of those fields; empty for nobody."""
        typed = (field.data.strip() for field in self.seat_fields)
        return ["" if is_default_name(name) else name for name in typed]

    def seat_player(self, name: str) -> None:
        """Put a player on the first free seat; one who is seated leaves."""
        seated = self.seated_players
        place = name if name in seated else ""
        if place in seated:
            field = self.seat_fields[seated.index(place)]
            field.data = field.default if place else name

    def seat_pair(self, name: str, *players: str) -> None:
        """Put the players of a side, under its name if it has one, on the first side without players."""
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
        """Restore what was chosen for the variant `before` and does not exist in this one, or means something else."""
        for side, name in enumerate(self.names):
            field = self[f"name-{side}"]
            field.data = field.default if is_default_name(name) else name
        for option in self.plays.options.values():
            earlier = before.options.get(option.id)
            if option.step is not None and (earlier is None or earlier.step != option.step):
                self[option_field(option.id)].data = ""
        for field in self:
            if isinstance(field, ChoiceField) and field.data not in [choice.value for choice in field.choices]:
                field.data = field.default

    def new_match(self) -> NewMatch:
        """The match that a valid form starts."""
        side, index = self.dealer.data.split("-")
        return NewMatch(
            variant=self.plays.id,
            preset=self.preset.data or None,
            options=self.options,
            names=self.side_names,
            players=self.players,
            dealer=(int(side), int(index)),
            place=self.place.data,
            carried=self.carried,
            played=_figure(self[PLAYED]) if PLAYED in self else 0,
        )

    # what was played on paper before

    @property
    def paper_totals(self) -> list[tuple[Field, Field]]:
        """For each side the field of its total, and the checkbox for one below zero."""
        return [(self[f"carried-{side}"], self[f"carried-{side}-below"]) for side in range(len(self.side_sizes))]

    @property
    def has_paper(self) -> bool:
        """Whether a total or a number of hands on paper was typed."""
        fields = [field for field in self if field.name.startswith(("carried-", PLAYED))]
        return any(str(field.data or "").strip() for field in fields)

    @property
    def carried(self) -> tuple[int, ...]:
        """The totals of the sides in points; empty if nothing was typed."""
        if not self.has_paper:
            return ()
        return tuple(-_figure(total) if below.data else _figure(total) for total, below in self.paper_totals)

    def with_field(self, where: Place, text: str) -> str:
        """The message with whose name or total it is about."""
        match where:
            case ("carried", int(side)):
                return t("course.carried-of", side=self.side_names[side], text=text)
        return super().with_field(where, text)


def new_match_form(
    variant: Variant, seated: Choices, formdata: Any, chosen: Mapping[str, str] | None = None
) -> NewMatchForm:
    """The form of a new match of this variant, for so many at the table, with these submitted fields or choices."""
    settings = settle(variant.id, None, seated).settings
    names = default_names(settings.sides, page_words())
    fields = label_fields(settings.sides, names, render_kw={"list": "known-players"}) | {"seats": seating(settings)}
    for side in range(len(settings.sides)):
        fields[f"carried-{side}"] = StringField(validators=[_total_of(side)], default="", render_kw=NUMERIC)
        fields[f"carried-{side}-below"] = BooleanField()
    if isinstance(variant.settings["match-deals"].value, int):
        label, hint = lazy("course.paper.played"), lazy("course.paper.played.hint")
        fields[PLAYED] = StringField(label, [_check_played], default="", description=hint, render_kw=NUMERIC)
    fields |= rule_fields(variant, seated, variant.options.values())
    form: NewMatchForm = type("NewMatchForm", (NewMatchForm,), fields)(formdata=formdata, data=chosen or {})
    form.offer()
    return form


def _total_of(side: int) -> Any:
    """A validator for a side's total on paper: every side has one, or none."""

    def check(form: NewMatchForm, field: Field) -> None:
        read = read_figure(field.data, language())
        if isinstance(read, int) or (read is None and not form.has_paper):
            return
        why = {None: "missing", Misread.MINUS: "minus"}.get(read, "figure")
        raise ValidationError(form.with_field(("carried", side), t(f"course.carried-{why}")))

    return check


def _check_played(_form: NewMatchForm, field: Field) -> None:
    if isinstance(read_figure(field.data, language()), Misread):
        raise ValidationError(t("course.played-figure"))


def _figure(field: Field) -> int:
    read = read_figure(field.data, language())
    return read if isinstance(read, int) else 0


# ---------------------------------------------------------------- the page


@blueprint.route("/nuova", methods=["GET", "POST"])
@checks_itself
def new() -> Response:
    """Start a match; all buttons but one change the form and show it again with all that was typed."""
    if request.method == "GET":
        variant = _variant(request.args.get("variante", default_variant()))
        return _show(_linked_form(variant, request.args))
    sent, before = MultiDict(request.form), _variant(request.form.get("variant", default_variant()))
    variant = _variant(sent["switch"]) if "switch" in sent else before
    option, _, value = sent.get("sit", "").partition("=")
    if option in {each.id for each in seat_options(variant)}:
        sent[option_field(option)] = value
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
    if not form.validate():
        return _show(form, INVALID)
    limits.begin()
    try:
        result = get_pad().actions.start(form.request_name, device_id(), form.new_match())
    except RequestRefused as error:
        form.reject(t("serve.started-before" if isinstance(error, SentOtherwise) else "serve.sent-before"))
        return _show(form, CONFLICT)
    if isinstance(result, NamesRefused):
        form.refuse(result.problems)
        return _show(form, INVALID)
    response = to_match(result.match)
    if result.keys is not None:
        set_key_cookies(response, result.match, result.keys)
    return response


def _variant(name: str) -> Variant:
    return get_variant(name if name in variant_ids() else default_variant())


def _linked_form(variant: Variant, args: Mapping[str, str]) -> NewMatchForm:
    """A form for which the URL may choose the table and the rules; choices that do not exist are left out."""
    chosen = {"preset": args["preset"]} if "preset" in args else {}
    for option in variant.options.values():
        given = args.get(option.id, "").strip()
        chosen[option_field(option.id)] = given if option.step is None or read_whole(given, language()) else ""
    form = new_match_form(variant, seated_by(variant, chosen), None, chosen)
    form.drop_unknown(variant)
    return form


def _show(form: NewMatchForm, status: int = 200) -> Response:
    form.variant.data = form.plays.id
    form.offer()
    words = page_words()
    players, pairs = _known(form)
    return render_page(
        "matches/new.html",
        title=t("web.new.title"),
        status=status,
        errors=form_errors(form),
        has_form=True,
        form=form,
        players=players,
        pairs=pairs,
        pressed=request.form.keys(),
        tables=[form[option_field(option.id)] for option in seat_options(form.plays)],
        variants=[(get_variant(name), players_words(get_variant(name), words)) for name in variant_ids()],
        differences=_differences(form.plays, words),
    )


def _known(form: NewMatchForm) -> tuple[list[str], list[tuple[str, ...]]]:
    """The players of the last matches of this device, and the sides that fit this table: a name and the players."""
    summaries = get_pad().summaries(device_id(), MOST_MATCHES, MOST_MATCHES)
    sides = [
        ("" if is_default_name(name) else name, seated)
        for match in (*summaries.in_progress, *summaries.finished)
        for name, seated in zip(match.names, match.players or (("",),) * len(match.names), strict=True)
    ]
    players = [player for name, seated in sides for player in (seated if len(seated) > 1 else (name,)) if player]
    here = set(form.seated_players)
    pairs = [
        (name, *seated) for name, seated in sides
        if len(seated) > 1 and len(seated) in form.side_sizes and all(seated) and not here.intersection(seated)
    ]  # fmt: skip
    return _first(players, MOST_PLAYERS), _first(pairs, MOST_PAIRS)


def _first(items: Iterable[Any], most: int) -> list[Any]:
    """The first so many, each once."""
    return list(dict.fromkeys(items))[:most]


def _differences(variant: Variant, words: Words) -> tuple[str, list[tuple[Difference, str]]] | None:
    """How a variant differs from classica: its usual source, and each difference with another source, if it has one."""
    found = [each for each in differences(variant, words) if each.matters]
    if not found:
        return None
    named = [places(map(str, each.cited.citations), words) for each in found]
    usual = Counter(named).most_common(1)[0][0]
    return usual, [(each, "" if source == usual else source) for each, source in zip(found, named, strict=True)]

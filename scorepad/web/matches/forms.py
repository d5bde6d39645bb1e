"""The forms about a match. Fields are named after what they hold: `name-0`, `player-0-1`."""

from __future__ import annotations

import re
from typing import Any

from wtforms import Field, HiddenField, IntegerField, StringField, ValidationError

from scorepad.i18n import Words
from scorepad.pad.answers import NameProblem
from scorepad.pad.payloads import Labels
from scorepad.rules.entries import Place
from scorepad.web.forms import LONGEST_NOTE, PadForm
from scorepad.web.frame import page_words

_KINDS = {1: "player", 2: "side"}
_ALONE = {"place": "place", "dealer": "dealer", "played": "played", "target": "option-target"}
"""Fields of which a form has one."""
_SEQUENCE = re.compile(r"[0-9]{1,9}")


class UndoForm(PadForm):
    """Undo the last thing done, as long as nothing else has been done since; why, where the other side had agreed."""

    seen = IntegerField()
    note = StringField()

    def validate_seen(self, field: Field) -> None:
        """Refuse what no page of ours gave."""
        if not isinstance(field.data, int):
            field.errors = []  # the library's own, in English
            raise ValidationError(page_words().text("web.error.expired"))

    def validate_note(self, field: Field) -> None:
        """Refuse what is too long to be read beside a hand."""
        if len(field.data or "") > LONGEST_NOTE:
            raise ValidationError(page_words().text("count.error.long", limit=LONGEST_NOTE))


class LabelsForm(PadForm):
    """Names of sides and players, and the place. Made for a table size by `names_form` and others."""

    side_sizes: tuple[int, ...] = ()
    place: StringField

    def fill(self, labels: Labels) -> None:
        """Put these names into the fields."""
        self.place.data = labels.place
        for side, size in enumerate(self.side_sizes):
            self[f"name-{side}"].data = labels.names[side]
            for index in range(size if size > 1 else 0):
                self[f"player-{side}-{index}"].data = labels.players[side][index]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sides as typed."""
        return tuple(self[f"name-{side}"].data or "" for side in range(len(self.side_sizes)))

    @property
    def place_typed(self) -> str:
        """The place as typed."""
        return self.place.data or ""

    @property
    def players(self) -> tuple[tuple[str, ...], ...]:
        """The players by side, as typed; a side of one is named after its player."""
        return tuple(
            tuple(self[f"player-{side}-{index}"].data or "" for index in range(size)) if size > 1 else ("",)
            for side, size in enumerate(self.side_sizes)
        )

    def refuse(self, problems: tuple[NameProblem, ...]) -> None:
        """Put what the pad says against the names beside their fields."""
        speech = page_words()
        for problem in problems:
            field, text = self[field_of(problem.where)], _problem_told(problem, speech)
            field.errors = (*field.errors, self.told_of(problem.where, text, speech))

    def told_of(self, where: Place, text: str, speech: Words) -> str:
        """What is wrong with a name, with whose it is: read in the summary it stands far from its field."""
        kind, *rest = where
        if kind == "place":
            return speech.text("web.names.of-side", whose=speech.text("web.place"), text=text)
        if kind not in ("names", "players") or not rest:
            return text
        side, *seat = (int(part) for part in rest)
        whose = side_word(self.side_sizes, side, speech)
        if not seat:
            return speech.text("web.names.of-side", whose=whose, text=text)
        player = speech.text("web.field.player", number=seat[0] + 1)
        return speech.text("web.names.of-player", side=whose, player=player, text=text)


class NamesForm(LabelsForm):
    """Other names for a match, and the last entry of the match when they were typed. Made by `names_form`."""

    seen = HiddenField()

    @property
    def seen_sequence(self) -> int:
        """The entry; 0 where the form does not say."""
        typed = self.seen.data or ""
        return int(typed) if _SEQUENCE.fullmatch(typed) else 0


def _problem_told(problem: NameProblem, speech: Words) -> str:
    if problem.stands is not None:
        gone = speech.text("web.names.name-overtaken.away")
        return speech.text("web.names.name-overtaken", stands=problem.stands) if problem.stands else gone
    figures = {} if problem.limit is None else {"limit": problem.limit}
    return speech.text(f"web.names.{problem.code}", **figures)


def side_kind(size: int) -> str:
    """What a side of so many is called: one is a player, and more than two are a team."""
    return _KINDS.get(size, "team")


def side_word(side_sizes: tuple[int, ...], side: int, speech: Words) -> str:
    """A side by its number, whatever its name."""
    return speech.text(f"web.field.{side_kind(side_sizes[side])}", number=side + 1)


def field_of(where: Place) -> str:
    """The field of a place in the names: `("players", 0, 1)` is `player-0-1`."""
    kind, *rest = where
    if kind in ("names", "players") and rest:
        return "-".join((str(kind).removesuffix("s"), *map(str, rest)))
    if kind == "carried":
        return f"carried-{rest[0] if rest else 0}"
    return _ALONE.get(str(kind), "name-0")


def label_fields(side_sizes: tuple[int, ...]) -> dict[str, Any]:
    """The fields of names for sides of these sizes, and of the place, in the order of the page."""
    fields: dict[str, Any] = {"side_sizes": side_sizes}
    for side, size in enumerate(side_sizes):
        fields[f"name-{side}"] = StringField()
        if size > 1:
            fields |= {f"player-{side}-{index}": StringField() for index in range(size)}
    return fields | {"place": StringField()}


def names_form(side_sizes: tuple[int, ...]) -> type[NamesForm]:
    """The form of names for sides of these sizes."""
    return type("NamesForm", (NamesForm,), label_fields(side_sizes))

"""The fields for the names of a side and its players, wherever they are typed."""

from __future__ import annotations

from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.web.fields import TextField, text_field
from scorepad.web.matches.forms import LabelsForm, side_kind, side_word


@dataclass(frozen=True, slots=True)
class SideFields:
    """A side: its name and the names of its players (none where it is one player)."""

    legend: str
    name: TextField
    players: tuple[TextField, ...]


def side_fields(form: LabelsForm, words: Words) -> tuple[SideFields, ...]:
    """The fields of every side."""
    return tuple(_side(form, side, size, words) for side, size in enumerate(form.side_sizes))


def _side(form: LabelsForm, side: int, size: int, words: Words) -> SideFields:
    players = tuple(
        text_field(form[f"player-{side}-{index}"], words.text("web.field.player", number=index + 1))
        for index in range(size if size > 1 else 0)
    )
    name = text_field(form[f"name-{side}"], words.text(f"web.field.{side_kind(size)}-name"))
    return SideFields(side_word(form.side_sizes, side, words), name, players)

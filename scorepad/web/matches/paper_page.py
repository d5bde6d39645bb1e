"""The fields of a match that was begun on paper, as the page of a new match shows them."""

from __future__ import annotations

from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.web.fields import TextField, TickField, text_field, tick_field
from scorepad.web.matches.paper_form import PLAYED, PaperForm, below_field, total_field


@dataclass(frozen=True, slots=True)
class PaperSide:
    """What a side had on paper, and whether that is below zero."""

    total: TextField
    below: TickField


@dataclass(frozen=True, slots=True)
class PaperFields:
    """The totals, and how many hands were played where their number ends the match."""

    sides: tuple[PaperSide, ...]
    played: TextField | None
    is_open: bool


def paper_shown(form: PaperForm, words: Words) -> PaperFields:
    """The fields; open where anything was typed in them."""
    return PaperFields(
        sides=tuple(_side(form, side, name, words) for side, name in enumerate(form.side_names)),
        played=_played(form, words) if PLAYED in form else None,
        is_open=form.has_paper,
    )


def _side(form: PaperForm, side: int, name: str, words: Words) -> PaperSide:
    total = text_field(form[total_field(side)], words.text("course.paper.total", side=name), is_number=True)
    return PaperSide(total, tick_field(form[below_field(side)], words.text("course.paper.below", side=name)))


def _played(form: PaperForm, words: Words) -> TextField:
    hint = words.text("course.paper.played.hint")
    return text_field(form[PLAYED], words.text("course.paper.played"), hint, is_number=True)

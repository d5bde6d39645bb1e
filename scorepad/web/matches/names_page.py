"""The page where names are put right, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import url_for

from scorepad.i18n import Words
from scorepad.matches.projection import MatchState
from scorepad.web.fields import TextField, text_field
from scorepad.web.forms import form_errors
from scorepad.web.frame import Page
from scorepad.web.live.moving import NAMES, watch_form
from scorepad.web.matches.forms import NamesForm
from scorepad.web.matches.label_fields import SideFields, side_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class NamesPage(Page):
    """Names of sides and players, and the place."""

    template: ClassVar[str] = "matches/names.html"
    has_form: ClassVar[bool] = True
    form: NamesForm
    back: str
    sides: tuple[SideFields, ...]
    place: TextField


def names_page(state: MatchState, form: NamesForm, words: Words) -> NamesPage:
    """The page with what was typed, or the names as they stand."""
    return NamesPage(
        title=words.text("web.names.title"),
        errors=form_errors(form),
        watch=watch_form(state, "matches.names", NAMES, words),
        form=form,
        back=url_for("matches.page", match=state.id),
        sides=side_fields(form, words),
        place=text_field(form.place, words.text("web.place")),
    )

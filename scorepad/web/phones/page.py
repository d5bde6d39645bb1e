"""The page of the phones as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup

from scorepad.web.forms import PadForm
from scorepad.web.frame import Page


@dataclass(frozen=True, slots=True)
class Button:
    """A button: what is sent with it, its words, and what it does."""

    value: str
    words: str
    told: str


@dataclass(frozen=True, slots=True)
class Code:
    """A code that lets others in. Without `picture` there is `missing`, which says why."""

    access: str
    title: str
    told: str
    picture: Markup | None
    label: str
    address: str
    missing: str
    is_open: bool
    request: str
    """The name of what is sent from here."""
    fold: str
    """What the buttons are folded under; empty where they stand open, or there are none."""
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class PhoneRow:
    """A phone of the match, what is known of it, and what the owner can do with it."""

    anchor: str
    name: str
    mine: str
    """That it is this one; empty for the others."""
    facts: tuple[str, ...]
    mark: str
    request: str
    """The name of what is sent from here."""
    fold: str
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A side that this phone may count for."""

    value: str
    words: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PhonesPage(Page):
    """The codes, the phones, and the side of this one."""

    template: ClassVar[str] = "phones/page.html"
    match: str
    form: PadForm
    unreachable: str
    """Why no other device can come in now; empty where they can."""
    codes: tuple[Code, ...]
    phones: tuple[PhoneRow, ...]
    lookers: tuple[PhoneRow, ...]
    """Those that only look, where there are too many to stand among the others."""
    lookers_fold: str
    seats: tuple[SeatChoice, ...]
    """Empty for a device that may only look."""

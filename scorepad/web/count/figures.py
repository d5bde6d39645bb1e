"""Figures typed into a count, and why something typed is none."""

from __future__ import annotations

import re
from enum import StrEnum

from scorepad.i18n import Language
from scorepad.rules.match import LARGEST
from scorepad.web.figures import read_figure as read_whole

_SPACES = re.compile(r"\s+")
_MINUS = re.compile(r"[-\u2212\u2010-\u2015]\s*[0-9]")


class Misread(StrEnum):
    """Why something typed is no figure."""

    MINUS = "minus"
    """A minus sign: nobody types one, the rules know what is taken off."""
    LARGE = "large"
    """More than a hand can have."""
    FIGURE = "figure"
    """No whole number."""


def read_figure(text: str, language: Language) -> int | Misread | None:
    """The whole number that was typed; None where nothing was."""
    tidy = _SPACES.sub(" ", text).strip()
    if not tidy:
        return None
    if _MINUS.match(tidy):
        return Misread.MINUS
    figure = read_whole(tidy, language)
    if figure is None:
        digits = re.sub(r"[\s.,']", "", tidy)
        return (
            Misread.LARGE
            if digits.isascii() and digits.isdigit() and len(digits) > len(str(LARGEST))
            else Misread.FIGURE
        )
    return figure if figure <= LARGEST else Misread.LARGE

"""Whole numbers as people type them (`1500`, `1.500`, `1 500`, in English `1,500`), and why something typed is none."""

from __future__ import annotations

import re
from enum import StrEnum

from scorepad.i18n import Language
from scorepad.rules.match import LARGEST

_SPACE = "[ \\u00a0\\u2009\\u202f']"
_SEPARATOR = {Language.ITALIAN: rf"(?:\.|{_SPACE})", Language.ENGLISH: rf"(?:\.|,|{_SPACE})"}
_MINUS = re.compile(r"[-\u2212\u2010-\u2015]\s*[0-9]")
_LONGEST = 12


class Misread(StrEnum):
    """Why something typed is no figure."""

    MINUS = "minus"
    """It has a minus sign."""
    LARGE = "large"
    """It is more than a hand can have."""
    FIGURE = "figure"
    """It is no whole number."""


def read_whole(text: str, language: Language) -> int | None:
    """The whole number that was typed, not negative; None if it is none."""
    typed = text.strip()
    pattern = rf"\d+|\d{{1,3}}(?:{_SEPARATOR[language]}\d{{3}})+"
    if len(typed) > _LONGEST or not re.fullmatch(pattern, typed, re.ASCII):
        return None
    return int(re.sub(r"\D", "", typed))


def read_figure(text: str, language: Language) -> int | Misread | None:
    """The whole number that was typed, at most `LARGEST`; None if nothing was."""
    typed = re.sub(r"\s+", " ", text).strip()
    if not typed:
        return None
    if _MINUS.match(typed):
        return Misread.MINUS
    figure = read_whole(typed, language)
    if figure is not None:
        return figure if figure <= LARGEST else Misread.LARGE
    digits = re.sub(r"[\s.,']", "", typed)
    is_long = digits.isascii() and digits.isdigit() and len(digits) > len(str(LARGEST))
    return Misread.LARGE if is_long else Misread.FIGURE

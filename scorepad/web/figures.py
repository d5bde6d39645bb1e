"""Whole numbers as people type them (`1500`, `1.500`, `1 500`, in English `1,500`), and sums of them."""

from __future__ import annotations

import re
from enum import StrEnum

from scorepad.i18n import Language
from scorepad.rules.settings import LARGEST

_SPACE = "[ \\u00a0\\u2009\\u202f']"
_SEPARATOR = {Language.ITALIAN: rf"(?:\.|{_SPACE})", Language.ENGLISH: rf"(?:\.|,|{_SPACE})"}
_MINUS = re.compile(r"[-\u2212\u2010-\u2015]\s*[0-9]")
_SIGN = re.compile(r"[-\u2212\u2010-\u2015]\s*")
_TIMES = re.compile(r"[x\u00d7*]", re.IGNORECASE)
_UNFINISHED = re.compile(r"[\s+x\u00d7*]+$", re.IGNORECASE)
_LONGEST = 12
_LONGEST_SUM = 200


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


def read_sum(text: str, language: Language, *, signed: bool = False) -> int | Misread | None:
    """What a sum of products comes to: `120+85+40`, `3x50+4x20`; None for a blank text.

    An operator at the end is ignored: the sum is still being typed. `signed`: a minus in front makes it negative.
    """
    typed = _UNFINISHED.sub("", text.strip())
    if not typed or len(typed) > _LONGEST_SUM:
        return Misread.FIGURE if text.strip() else None
    minus = _SIGN.match(typed) if signed else None
    total = 0
    for term in typed[minus.end() if minus else 0 :].split("+"):
        product = _product(term, language)
        if isinstance(product, Misread):
            return product
        total += product
    if total > LARGEST:
        return Misread.LARGE
    return -total if minus else total


def is_sum(text: str) -> bool:
    """Whether a text is more than one figure, so that its value is worth showing."""
    return bool(re.search(r"[0-9]\s*[+x\u00d7*]", text, re.IGNORECASE))


def _product(text: str, language: Language) -> int | Misread:
    product = 1
    for factor in _TIMES.split(text):
        figure = read_figure(factor, language)
        if not isinstance(figure, int):
            return figure or Misread.FIGURE
        product = min(product * figure, LARGEST + 1)
    return product

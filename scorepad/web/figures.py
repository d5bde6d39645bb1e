"""Whole numbers as people type them: `1500`, `1.500`, `1 500`, in English `1,500`; and sums of them."""

from __future__ import annotations

import re
from enum import StrEnum

from scorepad.i18n import Language
from scorepad.rules.match import LARGEST

_SPACES = "[ \\u00a0\\u2009\\u202f']"
_MARKS = {Language.ITALIAN: rf"(?:\.|{_SPACES})", Language.ENGLISH: rf"(?:\.|,|{_SPACES})"}
_LONGEST = 12
_LONGEST_SUM = 200
_BLANKS = re.compile(r"\s+")
_MINUS = re.compile(r"[-\u2212\u2010-\u2015]\s*")
_TIMES = re.compile(r"[x\u00d7*]", re.IGNORECASE)
_UNFINISHED = re.compile(r"[\s+x\u00d7*]+$", re.IGNORECASE)


class Misread(StrEnum):
    """Why a text is no figure."""

    MINUS = "minus"
    """A minus sign where the figure is never below zero."""
    LARGE = "large"
    """More than a hand can have."""
    FIGURE = "figure"
    """No whole number."""


def read_whole(text: str, language: Language) -> int | None:
    """The whole number that was typed, never below zero; None where it is none."""
    typed = text.strip()
    if len(typed) > _LONGEST or not re.fullmatch(rf"\d+|\d{{1,3}}(?:{_MARKS[language]}\d{{3}})+", typed, re.ASCII):
        return None
    return int(re.sub(r"\D", "", typed))


def read_figure(text: str, language: Language) -> int | Misread | None:
    """The whole number that was typed; None for a blank text."""
    tidy = _BLANKS.sub(" ", text).strip()
    if not tidy:
        return None
    if re.match(_MINUS.pattern + "[0-9]", tidy):
        return Misread.MINUS
    figure = read_whole(tidy, language)
    if figure is None:
        digits = re.sub(r"[\s.,']", "", tidy)
        is_long = digits.isascii() and digits.isdigit() and len(digits) > len(str(LARGEST))
        return Misread.LARGE if is_long else Misread.FIGURE
    return figure if figure <= LARGEST else Misread.LARGE


def read_sum(text: str, language: Language, *, signed: bool = False) -> int | Misread | None:
    """What a sum of products comes to: `120+85+40`, `3x50+4x20`; None for a blank text.

    An operator at the end is ignored: the sum is still being typed. `signed`: a minus in front makes it negative.
    """
    tidy = _UNFINISHED.sub("", _BLANKS.sub(" ", text).strip())
    if not tidy:
        return Misread.FIGURE if text.strip() else None
    if len(tidy) > _LONGEST_SUM:
        return Misread.FIGURE
    minus = _MINUS.match(tidy) if signed else None
    total = 0
    for term in tidy[minus.end() if minus else 0 :].split("+"):
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
        if figure is None:
            return Misread.FIGURE
        if isinstance(figure, Misread):
            return figure
        product = min(product * figure, LARGEST + 1)
    return product

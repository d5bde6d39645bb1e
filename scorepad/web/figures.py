"""Whole numbers as people type them: `1500`, `1.500`, `1 500`, and in English `1,500`."""

from __future__ import annotations

import re

from scorepad.i18n import Language

_SPACES = "[ \\u00a0\\u2009\\u202f']"
_MARKS = {Language.ITALIAN: rf"(?:\.|{_SPACES})", Language.ENGLISH: rf"(?:\.|,|{_SPACES})"}
_LONGEST = 12


def read_figure(text: str, language: Language) -> int | None:
    """The whole number that was typed, never below zero; None where it is none."""
    typed = text.strip()
    if len(typed) > _LONGEST or not re.fullmatch(rf"\d+|\d{{1,3}}(?:{_MARKS[language]}\d{{3}})+", typed, re.ASCII):
        return None
    return int(re.sub(r"\D", "", typed))

"""Rules in words: values of options, lines of a hand."""

from __future__ import annotations

from scorepad.i18n import Words
from scorepad.rules.score import Line


def value_word(option: str, value: str | int | bool, words: Words) -> str:
    """An option's value in words."""
    key = f"option.{option}.{str(value).lower() if isinstance(value, bool) else value}"
    return words.text(key) if words.has(key) else words.figure(int(value))


def line_word(line: Line, words: Words, *, concealed: bool) -> str:
    """What a line of a hand is for; `concealed`: whoever went out of the hand did so concealed."""
    if line.code:
        return words.text(f"penalty.{line.code}")
    if line.item == "out" and concealed:
        return words.text("item.out-concealed")
    if line.reason:
        return words.text("web.line.agreed", item=words.text(f"item.{line.item}"), reason=line.reason)
    return words.text(f"item.{line.item}")

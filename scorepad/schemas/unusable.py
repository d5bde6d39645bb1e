"""Input that cannot be used: told in one line, by the key that is wrong and what it takes."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from scorepad.errors import ScorepadError
from scorepad.i18n import Words, json_error_text
from scorepad.schemas.fields import FORMS

_LONGEST_ECHO = 60
_NOT_JSON = "unusable.not-json"
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
TAKES = {
    "variant": "variant", "preset": "preset", "options": "options", "before": "before", "sides": "sides",
    "melds": "melds", "totals": "totals", "sum": "points", "adjustments": "adjustments", "left": "left",
    "penalties": "penalties", "opening": "opening", "out": "out", "side": "text", "concealed": "flag",
    "discard": "discard", "single": "text", "special": "text", "canastas": "canastas", "incomplete": "canastas",
    "points": "points", "reason": "text", "code": "text",
}  # fmt: skip


class Unusable(ScorepadError):
    """Input that is no hand at all, or names what the variant does not have.

    Attributes: `reason` (message key after `unusable.` or `choice.`), `key` (path of the key that is wrong), `figures`.
    """

    def __init__(self, reason: str, key: str = "", **figures: str | int) -> None:
        super().__init__(f"{reason}: {key}")
        self.reason = reason
        self.key = key
        self.figures = figures

    def told(self, words: Words) -> str:
        """One line for a person: which key, and what it takes."""
        figures = dict(self.figures)
        if self.reason == _NOT_JSON:
            figures["detail"] = json_error_text(str(figures["detail"]), words)
        takes = figures.pop("takes", None)
        if takes is not None:
            figures["takes"] = words.text(f"takes.{takes}", **figures)
        return " ".join(words.text(self.reason, key=self.key, **figures).split())


Path = tuple[int | str, ...]
"""Where in the input something stands."""


def unusable(trouble: ValidationError, takes: Callable[[Path], str] | None = None) -> Unusable:
    """The first thing that the forms found wrong; `takes` says what the key at a path takes, of a hand if not given."""
    told = takes or hand_takes
    first = trouble.errors(include_url=False, include_context=True)[0]
    path = _path(first["loc"])
    key = echo("/".join(str(part) for part in path))
    match first["type"]:
        case "json_invalid" | "json_type":
            return Unusable(_NOT_JSON, detail=_not_json(first))
        case "extra_forbidden":
            return Unusable("unusable.unknown-key", key)
        case "missing":
            return Unusable("unusable.missing", key, takes=told(path))
        case _:
            return Unusable("unusable.wrong", key, takes=told(path)) if path else Unusable("unusable.not-object")


def _not_json(trouble: ErrorDetails) -> str:
    """What the reader of JSON said; of a mark at the beginning, which other programs leave, it says too little."""
    source = trouble.get("input")
    if isinstance(source, bytes) and source.startswith(_MARKS):
        return "byte order mark at line 1 column 1"
    return str(trouble["ctx"]["error"]) if "ctx" in trouble else "?"


def _path(places: Path) -> Path:
    """Where in the input, without the names of the forms that were tried there."""
    if places[:1] != ("sides",) or len(places) < 3:  # noqa: PLR2004 - sides, name, key
        return places[:2]
    head, tail = places[:3], places[3:]
    return (*head, *(part for part in tail if part not in FORMS))


def hand_takes(path: Path) -> str:
    """What the key at this path takes, as the end of a message key."""
    names = [part for part in path if isinstance(part, str)]
    if path[:1] == ("before",) and len(path) > 1:
        return "score"
    if path[:1] == ("options",) and len(path) > 1:
        return "option"
    if path[:1] == ("sides",) and len(path) <= 2:  # noqa: PLR2004 - sides, name
        return "side" if len(path) == 2 else "sides"  # noqa: PLR2004
    if names[-1] == "cards":
        return "points" if "totals" in names else "cards"
    if "opening" in names or ("left" in names and names[-1] != "left"):
        return "opening" if "opening" in names else "left"
    return TAKES.get(names[-1], "count")


def refuse_unknown(names: Iterable[str], known: tuple[str, ...], place: str) -> None:
    """Refuse a name that is none of those known at this place. Raises Unusable."""
    for name in names:
        if name not in known:
            raise Unusable("unusable.item", f"{place}/{echo(name)}", given=echo(name), known=", ".join(known))


def echo(value: object) -> str:
    """What was given, short and on one line."""
    if isinstance(value, str) and value.isidentifier() and len(value) <= _LONGEST_ECHO:
        return value
    text = str(value).lower() if isinstance(value, bool) else str(value)
    # What a terminal would obey, or what turns text around, is shown and not sent.
    text = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in " ".join(text.split()))
    return text if len(text) <= _LONGEST_ECHO else f"{text[:_LONGEST_ECHO]}…"

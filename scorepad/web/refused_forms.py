"""Forms that were refused before a view read them: what was typed can be sent again."""

from __future__ import annotations

import re
from typing import NamedTuple

from flask import request
from flask_wtf.csrf import validate_csrf
from wtforms import ValidationError

from scorepad.matches.events import MATCH_TEXTS

_NOT_TYPED = {
    "csrf_token",
    "request_id",
    "back",
    "hand",
    "number",
    "version",
    "seen",
    "shown_hands",
    "shown_rules",
    "shown_text",
    "other",
    "refused",
    "do",
    "dealer",
    "seat",
    "asked",
    "rules",
    "seated",
}
"""Fields that the page fills in, and choices whose values are no codes."""
_TEXTS_OF_A_MATCH = {text.name for text in MATCH_TEXTS}
_FREE_TEXT = {"name", "reason", "remark", "text", "agreed"} | _TEXTS_OF_A_MATCH
"""Fields in which a single word is typed text; elsewhere it is the code of a choice."""
_CODE = re.compile(r"[a-z]+(-[a-z]+)*")


class RefusedForm(NamedTuple):
    """The typed texts of a form, and all fields that sending it again needs."""

    typed: list[str]
    fields: list[tuple[str, str]]


def refused_form() -> RefusedForm | None:
    """Read the form of a refused request, so that its error page can offer to send it again.

    None if it may not be sent again: without a valid CSRF token it may come from another site, and
    files cannot be put into a page.
    """
    if request.method != "POST" or request.files:
        return None
    try:
        validate_csrf(request.form.get("csrf_token"))
    except ValidationError:
        return None
    fields = []
    for name, value in request.form.items(multi=True):
        if name != "csrf_token":  # the error page has a token of its own
            fields.append((name, value))
    typed = [value for name, value in fields if is_typed(name, value.strip())]
    return RefusedForm(typed, fields)


def is_typed(name: str, value: str) -> bool:
    """Tell whether a person typed the value of a form field, which must not get lost.

    - `remark`, "good game" → True
    - `points`, "150" → True
    - `version`, "7" → False: the page filled it in
    - `rule`, "wild-cards" → False: it is the code of a choice that was ticked
    """
    if not value:
        return False
    is_filled_in_by_page = name in _NOT_TYPED or name.endswith("-current")
    if is_filled_in_by_page:
        return False
    is_free_text = name in _FREE_TEXT or name.startswith(("name-", "player-"))
    if is_free_text:
        return True  # also if it looks like a code
    is_code_of_choice = _CODE.fullmatch(value) is not None
    return not is_code_of_choice

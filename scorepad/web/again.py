"""What was sent and refused: it is shown again and can be sent again, once this phone may."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flask import request
from flask_wtf.csrf import validate_csrf
from wtforms import ValidationError

_UNSEEN = re.compile(
    r"csrf_token|request_id|back|hand|number|version|seen|other|refused|do|dealer|seat|asked|rules|was-.*|.*-current"
)
"""Fields that no person types."""
_WRITTEN = re.compile(r"(player-|name-).*|name|place|reason|remark|text|note|agreed")
"""Fields in which people write what they like."""
_CODE = re.compile(r"[a-z]+(-[a-z]+)*")
"""What a choice sends, whatever its words are."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A form that was refused: where it went, all that it held, and what of it a person typed, in order."""

    action: str
    fields: tuple[tuple[str, str], ...]
    typed: tuple[str, ...]


def refused_form() -> Refused | None:
    """The form that was sent just now, where a person typed something in it.

    None also where its token is not ours: what another site sends in somebody's name is not offered for sending again.
    """
    if request.method != "POST" or request.files:
        return None
    fields = tuple(request.form.items(multi=True))
    typed = tuple(value for name, value in fields if _is_typed(name, value.strip()))
    try:
        validate_csrf(request.form.get("csrf_token"))
    except ValidationError:
        return None
    kept = tuple((name, value) for name, value in fields if name != "csrf_token")
    return Refused(request.full_path.removesuffix("?"), kept, typed) if typed else None


def _is_typed(name: str, value: str) -> bool:
    if not value or _UNSEEN.fullmatch(name):
        return False
    return bool(_WRITTEN.fullmatch(name)) or not _CODE.fullmatch(value)

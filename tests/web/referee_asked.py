"""Questions of the JSON contract as addresses of the referee's pages say them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from scorepad.web.matches.tables import coded
from scorepad.web.referee.questions import BY_KIND

HEAD = ("kind", "variant", "preset", "options")


def address(raw: Mapping[str, Any]) -> str:
    """Where the answer to a question stands."""
    question = BY_KIND[raw["kind"]]
    rules = {"variante": raw["variant"], **({"preset": raw["preset"]} if raw.get("preset") else {})}
    rules |= {name: coded(value) for name, value in raw.get("options", {}).items() if name != "target"}
    told = {name: text for key, value in raw.items() if key not in HEAD for name, text in said(key, value, raw)}
    return f"/arbitro/{question.name}?{urlencode({**rules, **told, 'passo': 'risposta'})}"


def said(key: str, value: Any, raw: Mapping[str, Any]) -> list[tuple[str, str]]:  # noqa: C901, PLR0911, PLR0912
    """How one key of a question is said."""
    match key:
        case "code":
            return [("caso", value)]
        case "score":
            return [("score", str(abs(value))), *([("score-below", "on")] if value < 0 else [])]
        case "canastas":
            return [(f"canastas-{item}", str(count)) for item, count in value.items()]
        case "last_card":
            return [("last_card", "red-three" if value in ("3r", "3h", "3d") else "other")]
        case "on" if value is not None:
            return [("on", value), ("place", "on")]
        case "top_card" if value is not None:
            return [("top_card", value), ("uses_top", "yes")]
        case "hand":
            return [("hand", value), ("way", "hand")]
        case "melds" if not value:
            return [("way", "minimum")]
        case "discard":
            return [("ends", "none")] if value is None else [("ends", "card"), ("discard", value)]
    if isinstance(value, bool):
        return [(key, "yes" if value else "no")]
    if isinstance(value, list):
        return [(key, " / ".join(value))]
    return [] if value is None else [(key, str(value))]

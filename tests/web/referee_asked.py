"""Questions of the JSON contract as addresses of the referee's pages say them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from scorepad.rules.cards import read_cards
from scorepad.rules.variants import settle
from scorepad.web.card_lines import add_top_card
from scorepad.web.referee.question_pages import QUESTIONS, QuestionPages
from scorepad.web.rule_words import coded
from tests.web.client import Page

HEAD = ("kind", "variant", "preset", "options")


def page_of(raw: Mapping[str, Any]) -> QuestionPages:
    """The page that asks a question."""
    return next(page for page in QUESTIONS if page.kind == raw["kind"])


def facts_as_typed(raw: Mapping[str, Any]) -> dict[str, str]:
    """What a question says, by the fields of its page."""
    typed: dict[str, str] = {}
    for key, value in raw.items():
        if key not in HEAD:
            typed.update(said(key, value, raw))
    if raw["kind"] == "opening" and not {"melds", "hand"} & raw.keys():
        typed["way"] = "minimum"
    return typed


def address(raw: Mapping[str, Any]) -> str:
    """Where the answer to a question stands."""
    query = {"variante": raw["variant"]}
    if raw.get("preset"):
        query["preset"] = raw["preset"]
    for option, value in raw.get("options", {}).items():
        if option != "target":
            query[option] = coded(value)
    query |= facts_as_typed(raw)
    return f"/arbitro/{page_of(raw).name}?{urlencode({**query, 'passo': 'risposta'})}"


def from_hand(raw: Mapping[str, Any]) -> list[str]:
    """The melds of the hand that the page makes those of the question of, where there are such."""
    melds, top = list(raw["with"]), raw["top"]
    rules = settle(raw["variant"], raw.get("preset"), raw.get("options", {}))
    for place, meld in enumerate(melds):
        tokens = meld.split()
        for at, token in enumerate(tokens):
            less = [*tokens[:at], *_one_less(token, top), *tokens[at + 1 :]]
            tried = [*melds[:place], " ".join(less), *melds[place + 1 :]]
            made = add_top_card(tried, top, raw.get("table", []), rules)
            if list(map(read_cards, made)) == list(map(read_cards, melds)):
                return tried
    return melds


def _one_less(token: str, top: str) -> list[str]:
    """A token without the top card; whole where it does not hold it."""
    count, _, card = token.lower().rpartition("x")
    if card != top.lower():
        return [token]
    return [f"{int(count) - 1}x{card}"] if int(count or 1) > 1 else []


def said(key: str, value: Any, raw: Mapping[str, Any]) -> list[tuple[str, str]]:  # noqa: C901, PLR0911
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
            return [("on", value), ("laid_as", "on")]
        case "top_card" if value is not None:
            return [("top_card", value), ("uses_top", "yes")]
        case "with":
            return [("laid", " / ".join((*from_hand(raw), "")))]
        case "hand":
            return [("hand", value), ("way", "hand")]
        case "melds" if not value:
            return [("way", "minimum")]
        case "discard":
            return [("ends", "none")] if value is None else [("ends", "card"), ("discard", value)]
    if isinstance(value, bool):
        return [(key, "yes" if value else "no")]
    if isinstance(value, list):
        # With a slash each text is a meld as it stands, without one cards of several ranks are
        # sorted.
        return [(key, " / ".join((*value, "")).rstrip(" "))]
    return [] if value is None else [(key, str(value))]


def verdict_word(page: Page) -> str:
    """The one word of an answer, such as `Sì`, or the points of a penalty."""
    return page.one(class_="verdict").text


def question_asked(page: Page) -> str:
    """The fact that a page asks for."""
    return page.one("h2", class_="asked").text


def facts_of_case(page: Page) -> dict[str, list[str]]:
    """The facts of the case by their names."""
    found = {}
    for row in page.one(class_="case").all("div"):
        found[row.one("dt").text] = row.texts("dd")
    return found

"""Questions in JSON as addresses and fields of the referee's pages."""

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
    """The fields of the page with the facts of a question typed in."""
    typed: dict[str, str] = {}
    for key, value in raw.items():
        if key not in HEAD:
            typed.update(fields_of_key(key, value, raw))
    if raw["kind"] == "opening" and not {"melds", "hand"} & raw.keys():
        typed["way"] = "minimum"
    return typed


def address(raw: Mapping[str, Any]) -> str:
    """The address of the page with the answer to a question."""
    query = {"variante": raw["variant"]}
    if raw.get("preset"):
        query["preset"] = raw["preset"]
    for option, value in raw.get("options", {}).items():
        if option != "target":
            query[option] = coded(value)
    query |= facts_as_typed(raw)
    return f"/arbitro/{page_of(raw).name}?{urlencode({**query, 'passo': 'risposta'})}"


def from_hand(raw: Mapping[str, Any]) -> list[str]:
    """The cards laid from the hand. In the question the melds have the top card of the pile, while
    the page adds it itself.
    """
    melds = list(raw["with"])
    top_card = raw["top"]
    rules = settle(raw["variant"], raw.get("preset"), raw.get("options", {}))
    for number, meld in enumerate(melds):
        tokens = meld.split()
        for position, token in enumerate(tokens):
            fewer_cards = list(tokens)
            fewer_cards[position : position + 1] = _one_less(token, top_card)
            from_hand_alone = list(melds)
            from_hand_alone[number] = " ".join(fewer_cards)
            with_top_card = add_top_card(from_hand_alone, top_card, raw.get("table", []), rules)
            if list(map(read_cards, with_top_card)) == list(map(read_cards, melds)):
                return from_hand_alone
    return melds


def _one_less(token: str, top: str) -> list[str]:
    """A token such as `3xK` with one top card less, or as it is if it has no such card."""
    count, _, card = token.lower().rpartition("x")
    if card != top.lower():
        return [token]
    if int(count or 1) <= 1:
        return []
    return [f"{int(count) - 1}x{card}"]


def fields_of_key(key: str, value: Any, raw: Mapping[str, Any]) -> dict[str, str]:  # noqa: PLR0911
    """The fields, with their values, that stand for one key of a question."""
    match key:
        case "code":
            return {"caso": value}
        case "score" if value < 0:
            return {"score": str(-value), "score-below": "on"}
        case "canastas":
            return {f"canastas-{item}": str(count) for item, count in value.items()}
        case "last_card":
            is_red_three = value in ("3r", "3h", "3d")
            return {"last_card": "red-three" if is_red_three else "other"}
        case "on" if value is not None:
            return {"on": value, "laid_as": "on"}
        case "top_card" if value is not None:
            return {"top_card": value, "uses_top": "yes"}
        case "with":
            return {"laid": joined_melds(from_hand(raw))}
        case "hand":
            return {"hand": value, "way": "hand"}
        case "melds" if not value:
            return {"way": "minimum"}
        case "discard" if value is None:
            return {"ends": "none"}
        case "discard":
            return {"ends": "card", "discard": value}
    return fields_of_value(key, value)


def fields_of_value(key: str, value: Any) -> dict[str, str]:
    """The field of a key that has the same name on the page; none for an unknown value."""
    if value is None:
        return {}
    if isinstance(value, bool):
        return {key: "yes" if value else "no"}
    if isinstance(value, list):
        return {key: joined_melds(value).rstrip(" ")}
    return {key: str(value)}


def joined_melds(melds: list[str]) -> str:
    """Melds with slashes between them and one at the end: with a slash each text is a meld as it
    stands, while without one cards of several ranks are sorted.
    """
    return " / ".join([*melds, ""])


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

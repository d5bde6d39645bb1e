"""Cards of a question, as they are read from JSON under the rules of a table."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.referee import questions
from scorepad.referee.questions import AnyQuestion
from scorepad.rules.cards import read_cards
from scorepad.schemas import Unusable
from scorepad.schemas.ruling_json import read_question


def asked(kind: str, **keys: Any) -> AnyQuestion:
    return read_question(json.dumps({"kind": kind, "variant": "classica", **keys})).question


@pytest.mark.parametrize(
    ("kind", "keys", "named"),
    [
        ("opening", {"melds": ["3xK"] * 37}, "36"),
        ("opening", {"top_card": "K K"}, "top_card"),
        ("opening", {"top_card": ""}, "top_card"),
        ("pile", {"top": ""}, "top"),
        ("pile", {"top": "2xK"}, "top"),
        ("upcard", {"cards": ""}, "cards"),
        ("upcard", {"cards": "999999999999xK"}, "cards"),
        ("upcard", {"cards": "109xK"}, "108"),
        ("discard", {"card": "K K"}, "card"),
        ("end-of-stock", {"last_card": "K K"}, "last_card"),
        ("end-of-stock", {"top": ""}, "top"),
        ("opening", {"melds": ["3xK"] * 101}, "100"),
        ("pile", {"top": "K", "with": [""] * 37}, "with"),
        ("pile", {"top": "K", "table": ["3xK"] * 37}, "table"),
        ("out", {"table": [], "discard": "4 5"}, "discard"),
        ("meld", {"cards": "K " * 1001}, "2000"),
    ],
)
@pytest.mark.parametrize("language", ["it", "en"])
def test_cards_that_no_deal_or_turn_has_are_refused_in_one_line(
    kind: str, keys: dict[str, Any], named: str, language: str
) -> None:
    with pytest.raises(Unusable) as refusal:
        asked(kind, **keys)
    line = refusal.value.message(words(language))
    assert named in line.replace(".", "").replace(",", "")
    assert "\n" not in line


def test_cards_turned_up_are_taken_one_by_one_in_their_order() -> None:
    turned = asked("upcard", cards="2x2 JK x9 9h")
    assert isinstance(turned, questions.UpcardQuestion)
    assert turned.cards == tuple(read_cards(card) for card in ("2", "2", "JK", "x9", "9h"))
    suited = asked("upcard", cards="2xqH")
    assert isinstance(suited, questions.UpcardQuestion)
    assert suited.cards == (read_cards("Qh"),) * 2

"""Rulings on the match sheet: told as they were asked, and a short match with them on one page."""

from __future__ import annotations

from typing import Any

from scorepad.matches.actions import Asking
from scorepad.matches.transaction import Saved
from tests.matches.conftest import PHONE, counted, hand
from tests.sheets.party import Party
from tests.sheets.reading import pages_of, printed

LONG: tuple[dict[str, Any], ...] = (
    {
        "kind": "pile",
        "top": "K",
        "frozen": True,
        "opened": False,
        "table": [],
        "with": ["K K 2", "3x8"],
    },
    {"kind": "out", "table": ["6xQ", "3xK 2"], "concealed": True, "permission": "granted"},
    {"kind": "penalty", "code": "pile-taken-top-card-unused"},
    {"kind": "opening", "score": -20, "melds": ["3xQ"]},
)


def keep(party: Party, question: dict[str, Any]) -> None:
    hand_id = party.pad.open(party.match, PHONE).id
    asking = Asking(question, party.state.rules.digest, hand_id, None)
    assert isinstance(
        party.pad.actions.keep_ruling(party.request(), party.match, PHONE, asking), Saved
    )


def test_a_short_match_with_rulings_takes_one_page_with_its_result_and_signatures(sit: Any) -> None:
    party = sit()
    for question in LONG:
        keep(party, question)
    party.play(
        hand(
            {**counted(185, natural_canasta=1, mixed_canasta=2), "red_threes": 2},
            counted(95, 40),
            out="a",
        )
    )
    (page,) = pages_of(printed(party.state, details=False))
    assert any(line.startswith("Smazzata 1. ") for line in page)
    assert "Ada Ugo Eva Ivo" in page

"""Exports made before some settings of the rules became statements: they still import, and count
the same.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import KEEPER
from scorepad.referee import rule
from scorepad.schemas.rulings import read_question_of_match
from scorepad.storage import Storage
from tests.exported import export_file
from tests.matches.conftest import Table

EARLIER = Path(__file__).parent / "earlier"
FORMER = {
    "first_dealer", "cut", "first_player", "deal_passes", "meld_red_threes", "meld_lay_off", "opening_counts",
    "out_empty_handed", "table_agreement",
}  # fmt: skip


def imported(storage: Storage, name: str) -> tuple[Table, bytes]:
    pad, file = Pad(storage), (EARLIER / f"{name}.json").read_bytes()
    (match,) = pad.imports.take(file, KEEPER).taken
    return Table(pad, match, KEEPER), file


@pytest.mark.parametrize(("name", "totals"), [("samba", [3380, 3260]), ("tredici", [1600, 285])])
def test_an_earlier_export_imports_with_its_totals(
    storage: Storage, name: str, totals: list[int]
) -> None:
    table, file = imported(storage, name)
    for rules in json.loads(file)["rulesets"].values():
        assert rules["settings"].keys() >= FORMER
    assert table.totals == totals
    assert len(table.state.rulings) == 2
    assert export_file(table.pad, table.match) == file


def test_a_hand_counted_now_has_the_sources_of_the_earlier_rules(storage: Storage) -> None:
    table, _ = imported(storage, "samba")
    before = table.totals
    table.play({"sides": {"a": {"sum": 400}, "b": {"sum": -50}}, "out": None})
    assert table.totals == [before[0] + 400, before[1] - 50]
    rules = table.state.rules
    assert rules.cited_at("table-agreement").standing == "house"
    asked = read_question_of_match({"kind": "meld", "cards": "3h 2xQ"}, rules)
    ruling = rule(rules, asked.asked)
    (why,) = [reason for reason in ruling.reasons if reason.code == "meld-red-three"]
    assert why.sources == ("W:Svolgimento del gioco",)

"""The rules of a match are those it began with: later data or code never changes an old match's
score or sheet.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scorepad.cli.data_file import doctor_command
from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.rules import loader, variants
from scorepad.sheets.match_sheet import make_match_sheet
from scorepad.storage import Storage
from scorepad.storage.rows import as_json
from tests.cli.running import command_line_in
from tests.matches.conftest import PHONE, Clock, Table, counted, hand

CONCEALED = NewMatch(
    "classica",
    None,
    {"concealed-canasta": 100, "red-threes-unopened": "zero"},
    Labels(("Noi", "Loro"), ()),
)
FIRST = hand(counted(150, 20, mixed_canasta=1, red_threes=1), counted(0, 40, red_threes=2), out="a")
"""Noi 300 + 150 + 100 + 100 - 20 = 630. Loro did not open: -40, and its red threes by the rules of
the match.
"""


def reopened(table: Table, storage: Storage) -> Table:
    """The match in a pad that knows nothing of it but what the file holds."""
    return Table(Pad(storage, Clock()), table.match, PHONE)


def test_a_match_goes_on_by_the_rules_that_the_file_holds(
    storage: Storage, start: Callable[..., Table]
) -> None:
    table = reopened(start(CONCEALED), storage)
    assert [(side.total, side.minimum, side.to_target) for side in table.state.sides] == [
        (0, 50, 5000)
    ] * 2
    table.play(FIRST)
    # These rules leave the red threes of a side that did not open out: -40.
    assert table.totals == [630, -40]
    concealed = {"melds": [{"cards": "7xQ", "concealed": True}], "left": ""}
    table.play(hand(concealed, {"melds": [], "left": 50}, out="a"))
    # ... and give 100 for a concealed canasta: 500 + 100 + 70 + 100.
    assert table.totals == [1400, -90]
    assert [side.minimum for side in table.state.sides] == [50, 15]
    assert table.state.house == ("concealed-canasta", "red-threes-unopened")
    table.undo()
    better = counted(170, 20, mixed_canasta=1, red_threes=1)
    table.correct(1, hand(better, counted(0, 40, red_threes=2), out="a"))
    assert table.totals == [650, -40]


def frozen_by_a_later_scorepad(storage: Storage) -> None:
    """Store all frozen rules as version 2, as a later scorepad may write them."""
    with storage.writing() as rows:
        db = rows._db
        guard = db.execute(
            "select sql from sqlite_master where name = 'rulesets_never_change'"
        ).fetchone()[0]
        db.execute("drop trigger rulesets_never_change")
        for digest, text in db.execute("select digest, frozen from rulesets").fetchall():
            changed = as_json({**json.loads(text), "version": 2})
            db.execute(
                "update rulesets set frozen = ? where digest = ?",
                [changed, digest],
            )
        db.execute(guard)


def test_a_match_by_rules_of_a_later_version_is_told_by_the_doctor(
    storage: Storage, start: Callable[..., Table], capsys: pytest.CaptureFixture[str]
) -> None:
    """How its pages tell it is in tests/web/test_file_troubles.py."""
    table = start(CONCEALED)
    frozen_by_a_later_scorepad(storage)
    storage.close()
    assert doctor_command.callback is not None
    with command_line_in("it"):
        assert doctor_command.callback(data=storage.path) == 1
    assert (
        f"qualcosa che questo scorepad non conosce: {table.match}. Aggiorna scorepad."
        in capsys.readouterr().out
    )


# ---------------------------------------------------------------- later data


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Make it so that the data of the variants says other figures from now on."""
    folder = tmp_path / "variants"

    def change() -> None:
        shutil.copytree(
            Path(str(loader.data_folder())), folder, ignore=shutil.ignore_patterns("__pycache__")
        )
        file = folder / "classica.toml"
        text = file.read_text("utf-8")
        for was, now in CHANGES.items():
            assert was in text, was
            text = text.replace(was, now)
        file.write_text(text, "utf-8")
        for module in (loader, variants):
            monkeypatch.setattr(module, "data_folder", lambda: folder)
        forget()

    yield change
    monkeypatch.undo()
    forget()


CHANGES = {
    'item = "natural-canasta", points = 500': 'item = "natural-canasta", points = 700',
    "[[0, 50], [1500, 90], [3000, 120]]": "[[0, 60], [1000, 100]]",
    "steps.0]\nsays = 50": "steps.0]\nsays = 60",
    '[options.wild-limit]\ndefault = "three"': '[options.wild-limit]\ndefault = "fewer-than-naturals"',
}  # fmt: skip


def forget() -> None:
    variants.get_variant.cache_clear()
    variants._settle_cached.cache_clear()
    variants.variant_ids.cache_clear()


def test_a_change_of_the_data_leaves_matches_begun_before_as_they_were(
    storage: Storage, start: Callable[..., Table], later: Callable[[], None]
) -> None:
    new = NewMatch("classica", None, {"held-red-three": "once"}, Labels(("Noi", "Loro"), ()))
    played = hand(counted(400, natural_canasta=2, red_threes=4), counted(60, 10), out="a")
    old = start(new)
    old.play(played)
    # 1000 + 400 + 800 + 100, and 50.
    before, paper = old.state, make_match_sheet(old.state, words("it"))
    later()
    fresh = Pad(storage, Clock())
    after = fresh.state(old.match, PHONE)
    assert after == before
    assert [side.minimum for side in after.sides] == [90, 50]
    assert make_match_sheet(after, words("it")) == paper, (
        "not even a rule of the house is told that was none"
    )
    old.pad = fresh
    old.play(played)
    assert old.totals == [4600, 100]
    anew = Table(fresh, fresh.actions.start(old.request(), PHONE, new).match)  # type: ignore[union-attr]
    anew.play(played)
    # 1400 + 400 + 800 + 100: whoever begins now plays by what is said now.
    assert anew.totals == [2700, 50]
    assert [side.minimum for side in anew.state.sides] == [100, 60]

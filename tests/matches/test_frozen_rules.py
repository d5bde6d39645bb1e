"""The rules of a match are those it began with: later data or code never changes an old match's
score or sheet.
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scorepad.cli.data_file import doctor_command
from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.rules import loader, variants
from scorepad.sheets.match_sheet import make_match_sheet
from scorepad.storage import Storage
from tests.cli.running import command_line_in
from tests.matches.conftest import TWO_AGAINST_TWO, Clock, Table, hand, side_counted


def frozen_by_a_later_scorepad(storage: Storage) -> None:
    """Store all frozen rules as version 2, as a later scorepad may write them."""
    with storage.writing() as rows:
        db = rows._db
        guards = "select sql from sqlite_master where name = 'rulesets_never_change'"
        (guard,) = db.execute(guards).fetchone()
        db.execute("drop trigger rulesets_never_change")
        db.execute("update rulesets set frozen = json_set(frozen, '$.version', 2)")
        db.execute(guard)


def test_a_match_by_rules_of_a_later_version_is_reported_by_the_doctor(
    table: Table, storage: Storage, capsys: pytest.CaptureFixture[str]
) -> None:
    """How its pages tell it is in tests/web/test_file_troubles.py."""
    frozen_by_a_later_scorepad(storage)
    storage.close()
    with command_line_in("it"):
        assert doctor_command.callback(data=storage.path) == 1
    assert (
        f"qualcosa che questo scorepad non conosce: {table.match}. Aggiorna scorepad."
        in capsys.readouterr().out
    )


@pytest.fixture
def change_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """A function that changes the data of the variants, as CHANGES says."""
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
    variants.get_package_variant.cache_clear()
    variants._settle_cached.cache_clear()
    variants.variant_ids.cache_clear()


PLAYED = hand(
    side_counted(cards=400, natural_canasta=2, red_threes=4),
    side_counted(cards=60, left=10),
    out="a",
)


def test_a_change_of_the_data_leaves_matches_begun_before_as_they_were(
    storage: Storage, start: Callable[..., Table], change_data: Callable[[], None]
) -> None:
    table = start(replace(TWO_AGAINST_TWO, options={"held-red-three": "once"}))
    table.play(PLAYED)
    state_before = table.state
    sheet_before = make_match_sheet(state_before, words("it"))

    change_data()
    table.pad = Pad(storage, Clock())  # with an empty cache

    assert table.state == state_before
    assert make_match_sheet(table.state, words("it")) == sheet_before
    table.play(PLAYED)
    # Twice: two canastas of 500, 400 for cards, 800 for red threes, 100 for going out; and 50.
    assert table.totals == [4600, 100]


def test_a_match_begun_after_a_change_of_the_data_plays_by_it(
    start: Callable[..., Table], change_data: Callable[[], None]
) -> None:
    change_data()
    table = start()
    table.play(PLAYED)
    # Two canastas of 700, 400 for cards, 800 for red threes, 100 for going out.
    assert table.totals == [2700, 50]
    assert [side.minimum for side in table.state.sides] == [100, 60]

"""The rules of a match are those it began with: later data or code never changes an old match's
score or sheet.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scorepad.cli.data_file import doctor_command
from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.rules import loader, variants
from scorepad.sheets.match_sheet import make_match_sheet
from scorepad.storage import Storage
from tests.cli.running import command_line_in
from tests.matches.conftest import Clock, Start, Table, hand, side_counted


def store_rules_as_version_2(storage: Storage) -> None:
    """Write version 2 into the stored rules of all matches, as a later scorepad may do.

    This version writes 1, and cannot know what will be in version 2.
    """
    with storage.writing() as rows:
        db = rows._db
        # A trigger forbids to change rules. It is dropped, and created again as it was.
        find_trigger = "select sql from sqlite_master where name = 'rulesets_never_change'"
        (create_trigger,) = db.execute(find_trigger).fetchone()
        db.execute("drop trigger rulesets_never_change")
        db.execute("update rulesets set frozen = json_set(frozen, '$.version', 2)")
        db.execute(create_trigger)


def test_doctor_reports_match_with_rules_of_a_later_version(
    table: Table, storage: Storage, capsys: pytest.CaptureFixture[str]
) -> None:
    store_rules_as_version_2(storage)
    storage.close()

    # `scorepad doctor` examines the data file.
    with command_line_in("it"):
        exit_code = doctor_command.callback(data=storage.path)

    # "… something that this scorepad does not know: ID. Update scorepad." What the pages of such a
    # match say is in tests/web/test_file_troubles.py.
    assert exit_code == 1
    expected = f"qualcosa che questo scorepad non conosce: {table.match}. Aggiorna scorepad."
    assert expected in capsys.readouterr().out


CHANGES_OF_CLASSICA = {
    'item = "natural-canasta", points = 500': 'item = "natural-canasta", points = 700',
    "[[0, 50], [1500, 90], [3000, 120]]": "[[0, 60], [1000, 100]]",
    "steps.0]\nsays = 50": "steps.0]\nsays = 60",
    '[options.wild-limit]\ndefault = "three"': '[options.wild-limit]\ndefault = "fewer-than-naturals"',
}  # fmt: skip
"""Texts in the file of classica, and what stands there in another version: a natural canasta is
worth 700 points, and openings need 60, then 100 from a score of 1000 on.
"""


def copy_changed_data(target: Path) -> None:
    """Copy the data of all variants to a folder, and make the changes in the file of classica."""
    data = Path(str(loader.data_folder()))
    shutil.copytree(data, target, ignore=shutil.ignore_patterns("__pycache__"))
    file = target / "classica.toml"
    text = file.read_text("utf-8")
    for before, after in CHANGES_OF_CLASSICA.items():
        assert before in text, before
        text = text.replace(before, after)
    file.write_text(text, "utf-8")


def clear_cached_variants() -> None:
    """Forget all variants that were read from the data, so that they are read again."""
    variants.get_package_variant.cache_clear()
    variants._settle_cached.cache_clear()
    variants.variant_ids.cache_clear()


@pytest.fixture
def change_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Return a function that gives scorepad the changed data, as an update would."""
    folder = tmp_path / "variants"

    def change() -> None:
        copy_changed_data(folder)
        # The modules look for the data there from now on, and forget what they have read.
        for module in (loader, variants):
            monkeypatch.setattr(module, "data_folder", lambda: folder)
        clear_cached_variants()

    yield change
    monkeypatch.undo()
    clear_cached_variants()


WITH_TWO_NATURAL_CANASTAS = hand(
    side_counted(cards=400, natural_canasta=2, red_threes=4),
    side_counted(cards=60, left=10),
    out="a",
)


def test_changed_data_does_not_change_match_that_began_before(
    storage: Storage, start: Start, change_data: Callable[[], None]
) -> None:
    # A match is begun, and a hand with two natural canastas is played. The sheet is its score, ready
    # to be printed.
    table = start(options={"held-red-three": "once"})
    table.play(WITH_TWO_NATURAL_CANASTAS)
    state_before = table.state
    sheet_before = make_match_sheet(state_before, words("it"))

    # After an update natural canastas are worth 700, not 500. Scorepad starts with an empty cache.
    change_data()
    table.pad = Pad(storage, Clock())

    assert table.state == state_before
    assert make_match_sheet(table.state, words("it")) == sheet_before

    # The same hand again is worth what it was worth before the update. Twice two canastas 1000, cards
    # 400, four red threes 800 and going out 100, which is 2300; and twice 60 - 10.
    table.play(WITH_TWO_NATURAL_CANASTAS)
    assert table.totals == [4600, 100]


def test_changed_data_applies_to_match_that_begins_after(
    start: Start, change_data: Callable[[], None]
) -> None:
    # Scorepad is updated: natural canastas are worth 700 points now, and no longer 500. A match is
    # begun after that, and a hand with two of them is played.
    change_data()
    table = start()
    table.play(WITH_TWO_NATURAL_CANASTAS)

    first_side, second_side = table.state.sides

    # The first side also has cards of 400 points, four red threes of 800, and 100 for going out.
    assert first_side.total == 2 * 700 + 400 + 800 + 100
    # The second side has cards of 60 points, and is left with cards of 10.
    assert second_side.total == 60 - 10

    # The first melds of a side in the next hand need a minimum of points. After the update that is
    # 100 from a score of 1000 on, and 60 below.
    assert first_side.minimum == 100
    assert second_side.minimum == 60

"""Files to take in as no pad writes them: reading them takes as long as they are, and what cannot
be is refused.
"""

import gzip
import json
from pathlib import Path

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access
from scorepad.matches.file_format import encode
from scorepad.matches.file_reader import read_export
from scorepad.schemas.fields import Unusable
from tests.exported import export_file
from tests.matches.conftest import PHONE, TABLET, Table, hand_of_430_and_60, steps
from tests.matches.long_logs import SHAPES, long_file, replaced

EARLIER = Path(__file__).parents[1] / "exports" / "encrypted-view-keys.json.gz"
"""Two matches as they were exported when keys to view were not yet derived from keys to write: with
keys renewed and withdrawn, a correction, an undo, and an open hand.
"""


@pytest.fixture
def exported(table: Table) -> bytes:
    """A match with one hand."""
    table.play(hand_of_430_and_60())
    return export_file(table.pad, table.match)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_file_is_read_in_steps_that_grow_with_its_length(exported: bytes, shape: str) -> None:
    short = long_file(exported, shape, 40)
    long = long_file(exported, shape, 160)
    list(read_export(short))  # what is read once for all files
    steps_for_short = steps(lambda: list(read_export(short)))
    steps_for_long = steps(lambda: list(read_export(long)))
    # Four times as long: the square of the length would be sixteen times as much.
    assert steps_for_long < 6 * steps_for_short


@pytest.mark.parametrize("numbers", [(2, 2), (1, 2)])
def test_players_take_places_in_the_order_of_the_hands(
    exported: bytes, numbers: tuple[int, int]
) -> None:
    (read,) = read_export(with_players_replaced(exported, numbers))
    assert [each.number for each in read.state.replacements] == list(numbers)


@pytest.mark.parametrize("numbers", [(2, 1), (100_000, 1)])
def test_players_who_take_places_in_another_order_are_refused(
    exported: bytes, numbers: tuple[int, int]
) -> None:
    with pytest.raises(Unusable) as error:
        list(read_export(with_players_replaced(exported, numbers)))
    assert error.value.reason == "files.damaged"


def with_players_replaced(exported: bytes, numbers: tuple[int, int]) -> bytes:
    """The file, in which somebody takes the first player's place from each of these hands on."""
    told = json.loads(exported)
    match = told["matches"][0]
    start, hand = match["entries"]
    for number in numbers:
        payload = replaced(start["payload"], number)
        request = f"replace-{len(match['entries'])}"
        match["entries"].append(hand | {"kind": "replace", "request": request, "payload": payload})
    del match["seal"]
    return encode(told["rulesets"], [match])


def test_the_keys_of_a_match_that_was_exported_before_keys_were_derived_let_in(pad: Pad) -> None:
    imported = pad.imports.import_file(gzip.decompress(EARLIER.read_bytes()), PHONE)
    played, _ = imported.taken
    entered = pad.devices.enter(imported.keys[played].write, TABLET)
    assert entered.keys == imported.keys[played]
    assert pad.access(played, TABLET) is Access.WRITE

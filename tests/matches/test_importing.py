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

WITH_ENCRYPTED_VIEW_KEYS = Path(__file__).parents[1] / "exports" / "encrypted-view-keys.json.gz"
"""Two matches as they were exported when view keys were not yet derived from write keys: with keys
renewed and withdrawn, a correction, an undo, and an open hand.
"""


@pytest.fixture
def exported(table: Table) -> bytes:
    """Play a hand; return the file of this match."""
    table.play(hand_of_430_and_60())
    return export_file(table.pad, table.match)


@pytest.mark.parametrize("shape", SHAPES)
def test_steps_to_read_a_file_grow_with_its_length(exported: bytes, shape: str) -> None:
    # A match as no table plays it: its log is full of one thing, such as corrections of one hand.
    short_file = long_file(exported, shape, entries=40)
    four_times_as_long = long_file(exported, shape, entries=160)

    # The first reading fills caches, and is not counted.
    list(read_export(short_file))

    # A step is a line of Python that is run: unlike a time, it is the same on every machine.
    steps_for_short_file = steps(lambda: list(read_export(short_file)))
    steps_for_long_file = steps(lambda: list(read_export(four_times_as_long)))

    # If the steps grew with the square of the length, they would be sixteen times as many.
    assert steps_for_long_file < 6 * steps_for_short_file


@pytest.mark.parametrize("from_hands", [(2, 2), (1, 2)])
def test_file_with_players_replaced_in_order_of_hands_is_read(
    exported: bytes, from_hands: tuple[int, int]
) -> None:
    # A player may be replaced by another from a hand on. In this file of a match that happened
    # twice: (1, 2) is once from hand 1 on, and later from hand 2 on.
    file = with_players_replaced(exported, from_hands)

    (match,) = read_export(file)

    replacements = match.state.replacements
    assert [replacement.number for replacement in replacements] == list(from_hands)


@pytest.mark.parametrize("from_hands", [(2, 1), (100_000, 1)])
def test_file_with_players_replaced_in_other_order_is_refused(
    exported: bytes, from_hands: tuple[int, int]
) -> None:
    # In this file of a match a player is replaced from hand 2 on, or even from one that no match
    # reaches, and later another player from hand 1 on. That cannot be: then hand 1 is over.
    file = with_players_replaced(exported, from_hands)

    with pytest.raises(Unusable) as error:
        list(read_export(file))
    assert error.value.reason == "files.damaged"


def with_players_replaced(exported: bytes, from_hands: tuple[int, int]) -> bytes:
    """Return the file with entries by which the first player is replaced from these hands on.

    The file has a match with two entries: its start, and a hand.
    """
    content = json.loads(exported)
    match = content["matches"][0]
    start, hand = match["entries"]
    for number in from_hands:
        # An entry by the same device at the same time, with a request id of its own. Its payload
        # takes over the names of the start, and says from which hand on the player is replaced.
        entry = dict(hand)
        entry["kind"] = "replace"
        entry["request"] = f"replace-{len(match['entries'])}"
        entry["payload"] = replaced(start["payload"], number)
        match["entries"].append(entry)
    # The seal is a checksum, which would not fit any more.
    del match["seal"]
    return encode(content["rulesets"], [match])


def test_keys_exported_before_view_keys_were_derived_still_let_in(pad: Pad) -> None:
    # A file of an earlier version, with two matches. Their view keys were not yet computed from the
    # write keys.
    file = gzip.decompress(WITH_ENCRYPTED_VIEW_KEYS.read_bytes())
    imported = pad.imports.import_file(file, PHONE)
    match, _ = imported.taken

    # A tablet enters the first match with its write key.
    entered = pad.devices.enter(imported.keys[match].write, TABLET)

    assert entered.keys == imported.keys[match]
    assert pad.access(match, TABLET) is Access.WRITE

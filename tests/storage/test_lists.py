"""The lists of matches: each in its order and with its number after whatever was done, and quick
among thousands.
"""

import random
from dataclasses import dataclass, field, replace

from scorepad.storage import Storage
from scorepad.storage.rows import ANYBODY, MatchList, ReadTransaction, WriteTransaction
from tests.storage.conftest import Rows

DEVICES = ("phone", "tablet", "desk")


@dataclass
class ExpectedLists:
    """The lists as they should be, in plain Python."""

    matches: dict[str, tuple[MatchList, int]] = field(default_factory=dict)
    """The list and the number of each match; the one changed last has the highest number."""
    devices_of_match: dict[str, set[str]] = field(default_factory=dict)
    last_number: int = 0
    matches_started: int = 0

    def of_holder(self, holder: str, kind: MatchList) -> list[str]:
        """The matches of this kind that the holder may see, the one changed last first."""
        found = []
        for match, (kind_of_match, number) in self.matches.items():
            may_see = holder == ANYBODY or holder in self.devices_of_match[match]
            if kind_of_match is kind and may_see:
                found.append((number, match))
        return [match for _, match in sorted(found, reverse=True)]


def start_match(
    rows: Rows, writing: WriteTransaction, expected: ExpectedLists, chance: random.Random
) -> None:
    """A match begins, which some devices see before it is listed and some after that."""
    expected.matches_started += 1
    match = f"m{expected.matches_started}"
    writing.add_match(rows.match(match), {"target": 5000})
    expected.devices_of_match[match] = set()
    for device in chance.sample(DEVICES, chance.randrange(3)):
        grant(rows, writing, expected, match, device, "own")
    change_match(rows, writing, expected, match, chance.choice(list(MatchList)))
    for device in chance.sample(DEVICES, chance.randrange(3)):
        grant(rows, writing, expected, match, device, "view")


def grant(
    rows: Rows,
    writing: WriteTransaction,
    expected: ExpectedLists,
    match: str,
    device: str,
    access: str,
) -> None:
    writing.grant(match, device, access, rows.moment)
    expected.devices_of_match[match].add(device)


def change_match(
    rows: Rows, writing: WriteTransaction, expected: ExpectedLists, match: str, kind: MatchList
) -> None:
    """Something is saved in a match, which moves it to the top of this list."""
    expected.last_number += 1
    is_finished = kind is MatchList.FINISHED
    summary = rows.summary(expected.last_number, match, finished=is_finished)
    writing.put(replace(summary, practice=kind is MatchList.PRACTICE))
    expected.matches[match] = (kind, expected.last_number)


def do_something_at_random(
    rows: Rows, writing: WriteTransaction, expected: ExpectedLists, chance: random.Random
) -> None:
    if len(expected.matches) < 3:
        start_match(rows, writing, expected, chance)
        return
    match = chance.choice(sorted(expected.matches))
    device = chance.choice(DEVICES)
    action = chance.choice(
        ["start", "delete", "grant", "revoke", "forget", "save the same", "save", "save", "save"]
    )
    if action == "start":
        start_match(rows, writing, expected, chance)
    elif action == "delete":
        writing.drop_match(match)
        del expected.matches[match]
        del expected.devices_of_match[match]
    elif action == "grant":
        grant(rows, writing, expected, match, device, "write")
    elif action == "revoke":
        writing.revoke(match, device)
        expected.devices_of_match[match].discard(device)
    elif action == "forget":
        writing.forget(match, device)
        expected.devices_of_match[match].discard(device)
    elif action == "save the same":  # as when a phone comes in; the match keeps its number
        writing.put(writing.summary(match))
    else:
        change_match(rows, writing, expected, match, chance.choice(list(MatchList)))


def assert_lists_are_as_expected(reading: ReadTransaction, expected: ExpectedLists) -> None:
    """Every list that somebody may see has the matches expected, and so has its version."""
    for holder in (*DEVICES, ANYBODY):
        versions = {version.kind: version for version in reading.list_versions(holder)}
        for kind in MatchList:
            expected_matches = expected.of_holder(holder, kind)
            listed_matches = [match for _, match in reading.list_matches(holder, kind)]
            assert listed_matches == expected_matches
            if expected_matches:
                numbers = [expected.matches[match][1] for match in expected_matches]
                assert versions[kind].matches == len(numbers)
                assert versions[kind].row_sum == sum(numbers)
            else:
                assert kind not in versions


def test_lists_are_in_order_after_random_changes(storage: Storage, rows: Rows) -> None:
    chance = random.Random(9)  # noqa: S311
    expected = ExpectedLists()
    for _ in range(400):
        with storage.writing() as writing:
            do_something_at_random(rows, writing, expected, chance)
        with storage.reading() as reading:
            assert_lists_are_as_expected(reading, expected)
    assert expected.matches_started > 30

"""The lists of matches: each in its order and with its number after whatever was done, and quick
among thousands.
"""

import random
from dataclasses import dataclass, field, replace

from scorepad.storage import Storage
from scorepad.storage.rows import ANYBODY, MatchList, ReadTransaction, WriteTransaction
from tests.storage.conftest import Rows

DEVICES = ("phone", "tablet", "desk")
# "save" comes three times: a match is saved more often than anything else.
ACTIONS = ("start", "delete", "grant", "revoke", "forget", "save the same", "save", "save", "save")


@dataclass
class ExpectedLists:
    """The lists as they should be, computed in plain Python."""

    matches: dict[str, tuple[MatchList, int]] = field(default_factory=dict)
    """The list and the number of each match; the one changed last has the highest number."""
    devices_of_match: dict[str, set[str]] = field(default_factory=dict)
    last_number: int = 0
    matches_started: int = 0

    def of_holder(self, holder: str, wanted: MatchList) -> list[str]:
        """Return the matches of a list that a device may see, the one changed last first.

        `holder` is a device, or ANYBODY for an administrator, who may see all matches.
        """
        number_by_match = {}
        for match, (list_of_match, number) in self.matches.items():
            may_see = holder == ANYBODY or holder in self.devices_of_match[match]
            if list_of_match is wanted and may_see:
                number_by_match[match] = number
        return sorted(number_by_match, key=number_by_match.__getitem__, reverse=True)


class RandomChanges:
    """Changes in a data file, each done to the lists expected as well."""

    def __init__(self, rows: Rows, writing: WriteTransaction, expected: ExpectedLists) -> None:
        self.rows = rows
        self.writing = writing
        self.expected = expected

    def do_one(self, chance: random.Random) -> None:
        """Do something at random, to a match and a device chosen at random."""
        # There are always three matches at least, so that the lists have an order.
        if len(self.expected.matches) < 3:
            self.start(chance)
            return
        match = chance.choice(sorted(self.expected.matches))
        device = chance.choice(DEVICES)
        action = chance.choice(ACTIONS)
        if action == "start":
            self.start(chance)
        elif action == "delete":
            self.delete(match)
        elif action == "grant":
            self.grant(match, device, "write")
        elif action == "revoke":
            self.writing.revoke(match, device)
            self.expected.devices_of_match[match].discard(device)
        elif action == "forget":
            self.writing.forget(match, device)
            self.expected.devices_of_match[match].discard(device)
        elif action == "save the same":
            # As when a phone comes in: the match does not move in its list.
            self.writing.put(self.writing.summary(match))
        else:
            self.save(match, chance.choice(list(MatchList)))

    def start(self, chance: random.Random) -> None:
        """Start a match. Some devices may see it before it is in a list, some only after that."""
        self.expected.matches_started += 1
        match = f"m{self.expected.matches_started}"
        self.writing.add_match(self.rows.match(match), {"target": 5000})
        self.expected.devices_of_match[match] = set()
        for device in chance.sample(DEVICES, chance.randrange(3)):
            self.grant(match, device, "own")
        self.save(match, chance.choice(list(MatchList)))
        for device in chance.sample(DEVICES, chance.randrange(3)):
            self.grant(match, device, "view")

    def delete(self, match: str) -> None:
        """Delete a match."""
        self.writing.drop_match(match)
        del self.expected.matches[match]
        del self.expected.devices_of_match[match]

    def grant(self, match: str, device: str, access: str) -> None:
        """Let a device see a match, or more."""
        self.writing.grant(match, device, access, self.rows.moment)
        self.expected.devices_of_match[match].add(device)

    def save(self, match: str, changed_to: MatchList) -> None:
        """Save something in a match, which moves the match to the top of this list."""
        self.expected.last_number += 1
        is_finished = changed_to is MatchList.FINISHED
        summary = self.rows.summary(self.expected.last_number, match, finished=is_finished)
        self.writing.put(replace(summary, practice=changed_to is MatchList.PRACTICE))
        self.expected.matches[match] = (changed_to, self.expected.last_number)


def assert_lists_are_as_expected(reading: ReadTransaction, expected: ExpectedLists) -> None:
    """Assert that the lists of every device, and of an administrator, are as expected."""
    for holder in (*DEVICES, ANYBODY):
        versions = {version.kind: version for version in reading.list_versions(holder)}
        for kind in MatchList:
            expected_matches = expected.of_holder(holder, kind)
            listed_matches = [match for _, match in reading.list_matches(holder, kind)]
            assert listed_matches == expected_matches

            # The version of a list changes with it: how many matches it has, and the sum of their
            # numbers. An empty list has none.
            if expected_matches:
                numbers = [expected.matches[match][1] for match in expected_matches]
                assert versions[kind].matches == len(numbers)
                assert versions[kind].row_sum == sum(numbers)
            else:
                assert kind not in versions


def test_lists_are_in_order_after_each_of_400_random_changes(storage: Storage, rows: Rows) -> None:
    # The seed 9 gives the same changes at every run.
    chance = random.Random(9)  # noqa: S311
    expected = ExpectedLists()

    # Matches are started, saved and deleted, and devices let in and removed. Each change is also
    # made in the lists expected.
    for _ in range(400):
        with storage.writing() as writing:
            RandomChanges(rows, writing, expected).do_one(chance)

        with storage.reading() as reading:
            assert_lists_are_as_expected(reading, expected)

    # So many matches were started that the lists were not short.
    assert expected.matches_started > 30

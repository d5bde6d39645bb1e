"""The lists of matches: each in its order and with its number after whatever was done, and quick
among thousands.
"""

import random
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from scorepad.storage import Storage
from scorepad.storage.rows import ANYBODY, MatchList, ReadTransaction, WriteTransaction
from tests.storage.conftest import Rows

DEVICES = ("phone", "tablet", "desk")
# "save" comes three times: a match is saved more often than anything else.
ACTIONS = ("start", "delete", "grant", "revoke", "forget", "save the same", "save", "save", "save")


class ExpectedMatch(NamedTuple):
    """In which list a match is, and its number: the match changed last has the highest."""

    list: MatchList
    number: int


@dataclass
class ExpectedLists:
    """The lists as they should be, computed in plain Python."""

    matches: dict[str, ExpectedMatch] = field(default_factory=dict)
    devices_of_match: dict[str, set[str]] = field(default_factory=dict)
    last_number: int = 0
    matches_started: int = 0

    def of_holder(self, holder: str, wanted: MatchList) -> list[str]:
        """Return the matches of a list that a device may see, the one changed last first.

        `holder` is a device, or ANYBODY for an administrator, who may see all matches.
        """
        number_by_match = {}
        for match, expected in self.matches.items():
            may_see = holder == ANYBODY or holder in self.devices_of_match[match]
            if expected.list is wanted and may_see:
                number_by_match[match] = expected.number
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
            self.revoke(match, device)
        elif action == "forget":
            self.forget(match, device)
        elif action == "save the same":
            self.save_unchanged(match)
        else:
            self.save(match, chance.choice(list(MatchList)))

    def start(self, chance: random.Random) -> None:
        """Start a match, and put it into a list at random."""
        self.expected.matches_started += 1
        match = f"m{self.expected.matches_started}"
        self.writing.add_match(self.rows.match(match), {"target": 5000})
        self.expected.devices_of_match[match] = set()

        # Up to two devices may see the match before it is in a list, up to two only after that.
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

    def revoke(self, match: str, device: str) -> None:
        """Take the access to a match away from a device."""
        self.writing.revoke(match, device)
        self.expected.devices_of_match[match].discard(device)

    def forget(self, match: str, device: str) -> None:
        """Take away the access, and the row of the device too if it wrote nothing in the match."""
        self.writing.forget(match, device)
        self.expected.devices_of_match[match].discard(device)

    def save_unchanged(self, match: str) -> None:
        """Save the summary of a match as it is, which does not move the match in its list."""
        self.writing.put(self.writing.summary(match))

    def save(self, match: str, changed_to: MatchList) -> None:
        """Save something in a match, which makes it the first match of this list."""
        self.expected.last_number += 1
        number = self.expected.last_number
        self.expected.matches[match] = ExpectedMatch(changed_to, number)

        # In the file, the list follows from what the summary of the match says.
        summary = self.rows.summary(number, match, finished=changed_to is MatchList.FINISHED)
        summary = replace(summary, practice=changed_to is MatchList.PRACTICE)
        self.writing.put(summary)


def assert_lists_are_as_expected(reading: ReadTransaction, expected: ExpectedLists) -> None:
    """Assert that the lists of every device are as expected, and those of an administrator."""
    # ANYBODY stands for an administrator, who may see all matches.
    for holder in (*DEVICES, ANYBODY):
        versions = {version.kind: version for version in reading.list_versions(holder)}
        for kind in MatchList:
            expected_matches = expected.of_holder(holder, kind)
            listed_matches = [match for _, match in reading.list_matches(holder, kind)]
            assert listed_matches == expected_matches

            # An empty list has no version.
            if not expected_matches:
                assert kind not in versions
                continue

            # The version shows whether a list has changed. It has the number of its matches, and the
            # sum of their own numbers, which grow with every save.
            numbers = [expected.matches[match].number for match in expected_matches]
            assert versions[kind].matches == len(numbers)
            assert versions[kind].row_sum == sum(numbers)


def test_lists_are_in_order_after_each_of_400_random_changes(storage: Storage, rows: Rows) -> None:
    chance = random.Random(9)  # noqa: S311 - the same changes at every run
    expected = ExpectedLists()

    for _ in range(400):
        # A match is started, saved or deleted, or a device let in or removed. The same is done to
        # the lists expected.
        with storage.writing() as writing:
            changes = RandomChanges(rows, writing, expected)
            changes.do_one(chance)

        with storage.reading() as reading:
            assert_lists_are_as_expected(reading, expected)

    # So many matches were started that the lists were not short.
    assert expected.matches_started > 30

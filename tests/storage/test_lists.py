"""The lists of matches: each in its order and with its number after whatever was done, and quick
among thousands.
"""

import random
from dataclasses import dataclass, field, replace

from scorepad.storage import Storage
from scorepad.storage.rows import ANYBODY, MatchList, ReadTransaction, WriteTransaction

DEVICES = ("phone", "tablet", "desk")


@dataclass
class Model:
    """What the lists must tell, in plain Python: of every match its kind and place, and who was
    granted something.
    """

    matches: dict[str, tuple[MatchList, int]] = field(default_factory=dict)
    granted: dict[str, set[str]] = field(default_factory=dict)
    last: int = 0
    made: int = 0

    def expected(self, holder: str, kind: MatchList) -> list[str]:
        """The matches of this kind that the holder may see, the one changed last first."""
        found = []
        for match, (kind_of_match, place) in self.matches.items():
            may_see = holder == ANYBODY or holder in self.granted[match]
            if kind_of_match is kind and may_see:
                found.append((place, match))
        return [match for _, match in sorted(found, reverse=True)]


def start(rows, writing: WriteTransaction, model: Model, chance: random.Random) -> None:
    """A match begins, which some devices see before it is listed and some after that."""
    model.made += 1
    match = f"m{model.made}"
    writing.add_match(rows.match(match), {"target": 5000})
    model.granted[match] = set()
    for access in ("own", "view"):
        for device in chance.sample(DEVICES, chance.randrange(3)):
            writing.grant(match, device, access, rows.moment)
            model.granted[match].add(device)
        if access == "own":
            change(rows, writing, model, match, chance.choice(list(MatchList)))


def change(rows, writing: WriteTransaction, model: Model, match: str, kind: MatchList) -> None:
    model.last += 1
    is_practice, is_over = kind is MatchList.PRACTICE, kind is MatchList.FINISHED
    writing.put(replace(rows.summary(model.last, match, finished=is_over), practice=is_practice))
    model.matches[match] = (kind, model.last)


def go_on(rows, writing: WriteTransaction, model: Model, chance: random.Random) -> None:
    """Something is done to a match at random: it begins, goes on, ends, is seen by others, or goes."""
    if len(model.matches) < 3 or chance.random() < 0.15:
        start(rows, writing, model, chance)
        return
    match, device = chance.choice(sorted(model.matches)), chance.choice(DEVICES)
    done = chance.randrange(8)
    if done == 0:
        writing.drop_match(match)
        del model.matches[match], model.granted[match]
    elif done == 1:
        writing.grant(match, device, "write", rows.moment)
        model.granted[match].add(device)
    elif done == 2:
        chance.choice([writing.revoke, writing.forget])(match, device)
        model.granted[match].discard(device)
    elif done == 3:  # a phone comes in: the match is the same, at the same place
        writing.put(writing.summary(match))
    else:
        change(rows, writing, model, match, chance.choice(list(MatchList)))


def assert_lists_are(rows_read: ReadTransaction, model: Model) -> None:
    """Every list that somebody may see is that of the model, and counted."""
    for holder in (*DEVICES, ANYBODY):
        versions = {version.kind: version for version in rows_read.list_versions(holder)}
        for kind in MatchList:
            expected = model.expected(holder, kind)
            listed = [match for _, match in rows_read.list_matches(holder, kind)]
            assert listed == expected
            if not expected:
                assert kind not in versions
                continue
            assert versions[kind].matches == len(expected)
            places = [model.matches[match][1] for match in expected]
            assert versions[kind].row_sum == sum(places)


def test_whatever_is_done_the_lists_are_in_order_and_counted(storage: Storage, rows) -> None:
    chance = random.Random(9)  # noqa: S311
    model = Model()
    for _ in range(400):
        with storage.writing() as writing:
            go_on(rows, writing, model, chance)
        with storage.reading() as reading:
            assert_lists_are(reading, model)
    assert model.made > 30

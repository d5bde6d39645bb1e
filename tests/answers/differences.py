"""What differs between two sets of answers, the same change in many answers told once."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

LONGEST = 160
"""Characters shown of a value."""
MOST = 8
"""Changes shown at one place, unless all are wanted."""
NUMBER = re.compile(r"(?<=/)\d+(?=/|$)")
ABSENT = object()


@dataclass(frozen=True)
class Change:
    """A value that differs: its path, and both values as JSON; empty where there is none."""

    path: str
    old: str
    new: str

    @property
    def place(self) -> str:
        """The path without the numbers of rows."""
        return NUMBER.sub("*", self.path)


@dataclass
class Group:
    """The same change in several answers."""

    change: Change
    names: list[str] = field(default_factory=list)


def report(
    old: Mapping[str, Any], new: Mapping[str, Any], *, show_all: bool = False
) -> tuple[str, int]:
    """What differs, as text, and in how many answers."""
    gone = [name for name in old if name not in new]
    added = [name for name in new if name not in old]
    changed = {
        name: changes(old[name], new[name])
        for name in old
        if name in new and old[name] != new[name]
    }
    lines = []
    for place, groups in _grouped(changed).items():
        lines += _paragraph(place, groups, show_all=show_all)
    lines += _listed("gone", gone, show_all=show_all)
    lines += _listed("new", added, show_all=show_all)
    differing = len(gone) + len(added) + len(changed)
    lines.append(
        f"{len(changed)} of {len(old)} answers differ, {len(gone)} are gone, {len(added)} are new."
    )
    return "\n".join(lines), differing


# ---------------------------------------------------------------- changes of an answer


def changes(old: Any, new: Any, path: str = "") -> list[Change]:
    """Every value that differs."""
    if old == new and type(old) is type(new):
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        return _changes_of_objects(old, new, path)
    if isinstance(old, list) and isinstance(new, list):
        return _changes_of_lists(old, new, path)
    return [Change(path, _as_json(old), _as_json(new))]


def _changes_of_objects(old: dict[str, Any], new: dict[str, Any], path: str) -> list[Change]:
    found = []
    for key in (*old, *(key for key in new if key not in old)):
        found += changes(old.get(key, ABSENT), new.get(key, ABSENT), f"{path}/{key}")
    if not found:
        found.append(Change(f"{path} (order of keys)", ", ".join(old), ", ".join(new)))
    return found


def _changes_of_lists(old: list[Any], new: list[Any], path: str) -> list[Change]:
    """The changes of rows; rows that were put in or left out do not change those after them."""
    found = []
    old_rows = [_as_json(row) for row in old]
    new_rows = [_as_json(row) for row in new]
    matcher = SequenceMatcher(None, old_rows, new_rows, autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        for row in range(max(end - start, new_end - new_start)):
            old_row = old[start + row] if start + row < end else ABSENT
            new_row = new[new_start + row] if new_start + row < new_end else ABSENT
            found += changes(old_row, new_row, f"{path}/{start + row}")
    return found


def _as_json(value: Any) -> str:
    return "" if value is ABSENT else json.dumps(value, ensure_ascii=False)


# ---------------------------------------------------------------- paragraphs


def _grouped(changed: Mapping[str, list[Change]]) -> dict[str, list[Group]]:
    """The same changes together, by their place; what is in most answers comes first."""
    groups: dict[tuple[str, str, str], Group] = {}
    for name, found in changed.items():
        for change in found:
            group = groups.setdefault((change.place, change.old, change.new), Group(change))
            if name not in group.names:
                group.names.append(name)
    places: dict[str, list[Group]] = {}
    for group in sorted(groups.values(), key=lambda group: -len(group.names)):
        places.setdefault(group.change.place, []).append(group)
    return places


def _paragraph(place: str, groups: list[Group], *, show_all: bool) -> Iterator[str]:
    """The changes at one place."""
    names = {name for group in groups for name in group.names}
    yield f"{place or '/'}: {_answers(len(names))}"
    shown = groups if show_all else groups[:MOST]
    for group in shown:
        old, new = _shortened(group.change.old, group.change.new)
        yield f"  - {old or '(nothing)'}"
        yield f"  + {new or '(nothing)'}"
        place_there = group.change.path or "/"
        yield f"    {_answers(len(group.names))}, such as {group.names[0]} at {place_there}"
    rest = groups[len(shown) :]
    if rest:
        yield f"    and {len(rest)} other changes here (--all shows them)"
    yield ""


def _answers(count: int) -> str:
    return "1 answer" if count == 1 else f"{count} answers"


def _shortened(old: str, new: str) -> tuple[str, str]:
    """Two texts from shortly before the first letter in which they differ."""
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    start = max(0, same - LONGEST // 3)
    return _shortened_from(old, start), _shortened_from(new, start)


def _shortened_from(text: str, start: int) -> str:
    if len(text) <= LONGEST:
        return text
    before = "…" if start else ""
    after = "…" if start + LONGEST < len(text) else ""
    return f"{before}{text[start : start + LONGEST]}{after}"


def _listed(what: str, names: list[str], *, show_all: bool) -> Iterator[str]:
    """Names of answers that are only in one of the sets."""
    if not names:
        return
    yield f"{what}: {_answers(len(names))}"
    shown = names if show_all else names[:MOST]
    for name in shown:
        yield f"  {name}"
    if len(shown) < len(names):
        yield f"  and {len(names) - len(shown)} others (--all shows them)"
    yield ""

"""What a file must stand before anything of it is kept: rules that are what their digest says, logs that add up.

What a pad has written passes; whatever somebody else wrote must not hurt the matches that are here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from scorepad.errors import NewerError
from scorepad.i18n import LANGUAGES, words
from scorepad.i18n.findings import message
from scorepad.matches.audit import doers
from scorepad.matches.chronicles import chronicle_of
from scorepad.matches.kinds import EntryKind
from scorepad.matches.log import Log
from scorepad.matches.payloads import Counted
from scorepad.matches.retelling import retell
from scorepad.matches.ruling_words import told_ruling
from scorepad.matches.states import state_of
from scorepad.matches.who import SIDE_KEYS, Access
from scorepad.rules.checks import CHECKS
from scorepad.rules.score import ITEMS, LINES
from scorepad.rules.variants import FROZEN_VERSION, Ruleset, thaw, variant_ids
from scorepad.schemas.unusable import Unusable, echo

_MOST_DECKS = 8
_MOST_PLAYERS = 6
_UNDONE = frozenset(EntryKind) - {
    EntryKind.START,
    EntryKind.UNDO,
    EntryKind.DOOR,
    EntryKind.REMATCH,
    EntryKind.CHECKING,
}
"""What can be undone."""


def trusted(digest: str, frozen: Mapping[str, Any]) -> Ruleset:
    """Frozen rules, once they are what their digest says: other matches may come to be played by the same.

    Raises Unusable.
    """
    version = frozen.get("version")
    if type(version) is int and version > FROZEN_VERSION:
        raise Unusable("files.newer-rules", version=version, known=FROZEN_VERSION)
    text = json.dumps({**frozen, "digest": ""}, sort_keys=True, ensure_ascii=True)
    if frozen.get("digest") != digest or hashlib.sha256(text.encode()).hexdigest() != digest:
        raise Unusable("files.damaged-rules")
    try:
        rules = thaw(frozen)
    except (NewerError, ValidationError, LookupError, TypeError, AttributeError):
        raise Unusable("files.damaged-rules") from None
    if rules.variant not in variant_ids():
        raise Unusable("files.unknown-variant", given=echo(rules.variant))
    if not _is_playable(rules):
        raise Unusable("files.damaged-rules")
    return rules


def _is_playable(rules: Ruleset) -> bool:
    """Whether these rules can be asked: the checks and lines are ours, and there is a table to sit at."""
    sides = rules.settings.sides
    ours = all(rule.id in CHECKS for rule in rules.checks) and all(rule.id in LINES for rule in rules.lines)
    seated = len(sides) in (2, 3) and all(side >= 1 for side in sides) and sum(sides) <= _MOST_PLAYERS
    return ours and seated and 1 <= rules.settings.decks <= _MOST_DECKS


def trial(log: Log, told: Mapping[str, Any], rules_of: Callable[[str], Ruleset]) -> None:
    """Read a log as every page will. Raises ValueError, or whatever reading runs into."""
    _check_order(log)
    _check_seats(log)
    for versions in log.hands:
        for version in versions:
            _check_counted(version.counted, log)
    numbers = {each["device"]: each["number"] for each in told["devices"]}
    if len(numbers) < len(told["devices"]) or len(set(numbers.values())) < len(numbers):
        raise ValueError("devices")
    if told["open_hand"] and not told["open_hand"]["id"].startswith(f"{log.match.id}-"):
        raise ValueError("open hand")
    for kept in log.rulings:
        for language in LANGUAGES:
            told_ruling(kept, log.rules.variant, words(language))
    state_of(log, None, Access.NONE)
    chronicle_of(log)
    retell(log, rules_of, doers(log.entries, numbers, {}, ""))


def _check_order(log: Log) -> None:
    """A match begins once, hands follow one another, and nothing is undone that was not done."""
    kinds = [entry.kind for entry in log.entries]
    if kinds[0] != EntryKind.START or kinds.count(EntryKind.START) != 1:
        raise ValueError("start")
    for number, versions in enumerate(log.hands, 1):
        if any(version.counted.number != number for version in versions):
            raise ValueError("number")
    for entry in log.entries:
        if entry.kind == EntryKind.UNDO:
            undone = log.entries[entry.payload["entry"] - 1]
            fits = undone.sequence < entry.sequence and undone.kind == entry.payload["kind"]
            if not fits or undone.kind not in _UNDONE:
                raise ValueError("undo")


def _check_seats(log: Log) -> None:
    """A name for each side and a place for each player, taken one after the other as the hands went on."""
    sides = log.rules.settings.sides
    if len(log.labels.names) != len(sides) or tuple(map(len, log.labels.players)) != sides:
        raise ValueError("names")
    taken = [each.number for each in log.replacements]
    if taken != sorted(taken):
        raise ValueError("replacements")


def _check_counted(counted: Counted, log: Log) -> None:
    """A hand whose lines and findings can be told."""
    sides = len(log.rules.settings.sides)
    if len(counted.sides) != sides or len(counted.before) != sides:
        raise ValueError("sides")
    if any(line.item not in ITEMS for side in counted.sides for line in side.lines):
        raise ValueError("item")
    if any(finding.code not in CHECKS for finding in counted.findings):
        raise ValueError("finding")
    for finding in counted.findings:
        for language in LANGUAGES:
            message(finding, SIDE_KEYS[:sides], words(language))

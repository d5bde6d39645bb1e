"""The format of a match in a link: its export file, without the rules that every pad has, deflated.

`classica.PDNLVA4C…`: the id of a game, and the file in base32. A QR code holds more of its capital
letters and digits than of the letters of base64: a quarter more of a match.

Three quarters of the file are the rules of the match, which are nearly those of its game. So only
what differs from these is in the link, and a pad whose rules of that game are others refuses it.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

from scorepad.matches.file_format import Json
from scorepad.matches.file_reader import compute_digest_of_rules
from scorepad.rules.variants import freeze, package_ids, settle
from scorepad.schemas.fields import Unusable

PARAMETER = "ricevi"
"""A link ends in `#ricevi=` and the text. No server gets that part: browsers keep it to themselves."""
SEPARATOR = "."
LARGEST = 256 * 2**10
"""Most bytes of what is in a link, inflated: five times what a QR code can hold."""
_MOST_RULES = 20
"""Rules that a match may have had in turn: each becomes 30 kB again."""
_GROUP = 8
"""Base32 has groups of so many characters; the last one is filled up with `=`."""


class NotForLink(Exception):
    """The match is played by house rules, which other pads do not have."""


def pack_match(file: bytes, game: str) -> str:
    """Pack the export file of a match of this game as the text for a link. Raises NotForLink."""
    if game not in package_ids():
        raise NotForLink(game)
    rules_of_game = freeze(settle(game))
    document = json.loads(file)
    differences = {}
    for digest, rules in document["rulesets"].items():
        differences[digest] = _find_differences(rules, rules_of_game)
        if _apply_differences(differences[digest], rules_of_game) != rules:
            raise NotForLink(game)
    document["rulesets"] = differences
    packed = zlib.compress(_encode(document), level=9)
    letters = base64.b32encode(packed).decode("ascii").rstrip("=")
    return f"{game}{SEPARATOR}{letters}"


def unpack_match(link: str) -> bytes:
    """Return the export file in a link, or in its text alone. Spaces and line breaks do not matter.

    Its matches are not verified yet: it may come from anybody. Raises Unusable for a text that is no
    such link or not whole, for one that would become too large, and for rules that differ from those
    of a game in another version.
    """
    joined = "".join(link.split())
    text = joined.rpartition(f"#{PARAMETER}=")[2]
    game, _, letters = text.partition(SEPARATOR)
    if game not in package_ids():
        raise Unusable("files.link.unreadable")
    document = _read_document(_inflate(letters))
    rules_of_game = freeze(settle(game))
    rulesets = {}
    for digest, differences in document["rulesets"].items():
        rules = _apply_differences(differences, rules_of_game)
        if compute_digest_of_rules(rules) != digest:  # the rules of the game are others there
            raise Unusable("files.link.unreadable")
        rulesets[digest] = rules
    return _encode({**document, "rulesets": rulesets})


# ---------------------------------------------------------------------------------- the text


def _encode(document: Json) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode("ascii")


def _inflate(letters: str) -> bytes:
    """Inflate a text of base32, as long as it does not become too large. Raises Unusable."""
    unpacker = zlib.decompressobj()
    lacking = "=" * (-len(letters) % _GROUP)
    try:
        packed = base64.b32decode(letters + lacking, casefold=True)
        content = unpacker.decompress(packed, LARGEST + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise Unusable("files.link.unreadable") from None
    if len(content) > LARGEST:
        raise Unusable("files.link.too-large")
    if not unpacker.eof:
        raise Unusable("files.link.unreadable")
    return content


def _read_document(content: bytes) -> dict[str, Any]:
    """Decode the JSON of a link, and check what it says of the rules. Raises Unusable."""
    try:
        document = json.loads(content)
        _encode(document)  # lists in lists may be too many for that alone
    except (ValueError, RecursionError):
        raise Unusable("files.link.unreadable") from None
    if not isinstance(document, dict) or not isinstance(document.get("rulesets"), dict):
        raise Unusable("files.link.unreadable")
    if len(document["rulesets"]) > _MOST_RULES:
        raise Unusable("files.link.too-large")
    for differences in document["rulesets"].values():
        if not isinstance(differences, dict):
            raise Unusable("files.link.unreadable")
    return document


# ---------------------------------------------------------------------------------- the rules


def _find_differences(rules: Json, rules_of_game: Json) -> dict[str, Any]:
    """Find the parts of frozen rules that differ from those of the game.

    Of a part with values by name, such as the settings, only the values that differ:
    `{"settings": {"target": 3000}, "digest": "4f…"}`.
    """
    differences = {}
    for name, part in rules.items():
        part_of_game = rules_of_game.get(name)
        if part == part_of_game:
            continue
        differences[name] = part
        if isinstance(part, Mapping) and isinstance(part_of_game, Mapping):
            differences[name] = _list_other_values(part, part_of_game)
    return differences


def _list_other_values(values: Json, values_of_game: Json) -> dict[str, Any]:
    return {name: value for name, value in values.items() if values_of_game.get(name) != value}


def _apply_differences(differences: Json, rules_of_game: Json) -> dict[str, Any]:
    """Return the rules of a game with these differences."""
    rules = dict(rules_of_game)
    for name, part in differences.items():
        part_of_game = rules_of_game.get(name)
        rules[name] = part
        if isinstance(part, Mapping) and isinstance(part_of_game, Mapping):
            rules[name] = {**part_of_game, **part}
    return rules

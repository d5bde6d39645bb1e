"""Exports of matches, as the bytes of their file, and what such a file says."""

import io
import json
from typing import Any

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId, MatchId
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.hands_read import stored_hand


def export_file(pad: Pad, match: MatchId | None = None, device: DeviceId = ADMIN) -> bytes:
    """The file of a match, or of all that the device may see."""
    target = io.BytesIO()
    pad.exports.write_export(target, match, device)
    return target.getvalue()


def told_by(file: bytes) -> dict[str, Any]:
    """What a file of matches says, whichever version wrote it.

    Hands are told as they are read: their cards may stand in any order, and defaults may be left
    out. The seal of a match depends on that form, and is left out.
    """
    told: dict[str, Any] = json.loads(file)
    for match in told["matches"]:
        match.pop("seal", None)
        for entry in match["entries"]:
            payload = entry["payload"]
            if "hand" in payload:
                keys = SIDE_KEYS[: len(payload["before"])]
                payload["hand"] = stored_hand(payload["hand"], keys)
    return told

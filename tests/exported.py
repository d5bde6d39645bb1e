"""Exports of matches, as the bytes of their file."""

from __future__ import annotations

import io

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId, MatchId


def export_file(pad: Pad, match: MatchId | None = None, device: DeviceId = ADMIN) -> bytes:
    """The file of a match, or of all that the device may see."""
    target = io.BytesIO()
    pad.exports.write(target, match, device)
    return target.getvalue()

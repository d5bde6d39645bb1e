"""Where Flask's extensions hold what the pages use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app

if TYPE_CHECKING:
    from scorepad.matches import Pad

EXTENSION = "scorepad"
"""Key of `base.AppState` among Flask's extensions."""


def get_pad() -> Pad:
    """Return the matches of the application's data file."""
    pad: Pad = current_app.extensions[EXTENSION].pad
    return pad

"""Whether the pad is alone: it runs in a browser, and serves nobody but that browser.

Its pages may stand in a frame of their own site, do not ask what other devices did, and offer
nothing about other devices and the network. Whoever opens it owns every match. Papers are pages
that the browser prints.
"""

from __future__ import annotations

from flask import current_app

ALONE = "SCOREPAD_ALONE"
"""Configuration key."""


def is_alone() -> bool:
    """Tell whether the pad serves only the browser that it runs in."""
    alone: bool = current_app.config[ALONE]
    return alone

"""How often an open page asks what is new."""

ASKED_EVERY = 2
"""Seconds after which a visible page asks again: `VISIBLE_INTERVAL` of `static/live.js`."""

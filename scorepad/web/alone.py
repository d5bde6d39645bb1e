"""Whether the pad is alone: it runs in a browser, and serves nobody but that browser.

Its pages may stand in a frame of their own site, do not ask what other devices did, and offer
nothing about other devices and the network. Whoever opens it owns every match. Papers are pages
that the browser prints.

A browser may not pass the request for a download to a service worker. So a script, `static/alone.js`,
fetches files and saves them, when a link with the attribute `download` is followed. These are all
files:

- `/partite/ID/file/partita.json` and `/file/partite.json`, matches
- `/partite/ID/file/righe.csv` and `/file/righe.csv`, hands for a spreadsheet
- `/nostre-regole/ID.toml`, house rules

The link to the picture of a result, `/partite/ID/risultato.svg`, has the attribute too, but there
`static/share.js` prevents what the browser would do, and saves a PNG file.
"""

from __future__ import annotations

from flask import current_app

ALONE = "SCOREPAD_ALONE"
"""Configuration key."""


def is_alone() -> bool:
    """Tell whether the pad serves only the browser that it runs in."""
    alone: bool = current_app.config[ALONE]
    return alone


def paper_label(text: str) -> str:
    """Return the text of a link to a paper, which opens as a page to print on a pad that is alone.

    "Foglio della partita (PDF)" → "Foglio della partita"
    """
    return text.replace(" (PDF)", "") if is_alone() else text

"""The address by which whoever watches over the pad learns whether it works: it tells of no match."""

from __future__ import annotations

from flask import Flask, Response, current_app

from scorepad.storage import Storage
from scorepad.storage.errors import StorageError

STORAGE = "scorepad.storage"
"""Key of the `Storage` among Flask's extensions."""
ENDPOINT = "health"
PATH = "/salute"
_NOBODY = "-"
"""The id of no match."""


def register(app: Flask) -> None:
    """Answer there: `ok` where the file of the matches is in its place and can be read, otherwise 503."""

    @app.get(PATH, endpoint=ENDPOINT)
    def health() -> Response:
        well = _answers(current_app.extensions[STORAGE])
        answer = Response("ok\n" if well else "no\n", 200 if well else 503, mimetype="text/plain")
        answer.headers["Cache-Control"] = "no-store"
        return answer


def _answers(storage: Storage) -> bool:
    # A file that was taken away still answers whoever has it open.
    if not storage.path.is_file():
        return False
    try:
        with storage.reading() as rows:
            rows.match(_NOBODY)
    except StorageError:
        return False
    return True

"""The address by which whoever watches over the pad learns whether it works: it tells of no match."""

from __future__ import annotations

from flask import Flask, Response, current_app

from scorepad.storage import Storage

STORAGE = "scorepad.storage"
"""Key of the `Storage` among Flask's extensions."""
ENDPOINT = "health"
PATH = "/salute"
WELL = "ok"


def register(app: Flask) -> None:
    """Answer there with the word of `Storage.health`: 200 for `ok`, 503 for all others."""

    @app.get(PATH, endpoint=ENDPOINT)
    def health() -> Response:
        storage: Storage = current_app.extensions[STORAGE]
        word = storage.health()
        answer = Response(f"{word}\n", 200 if word == WELL else 503, mimetype="text/plain")
        answer.headers["Cache-Control"] = "no-store"
        return answer

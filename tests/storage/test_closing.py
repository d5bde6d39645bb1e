"""Closing the storage while others use it."""

from __future__ import annotations

import threading
from pathlib import Path

from scorepad.storage import Storage


def test_closing_while_others_read_breaks_nothing(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "pad.db")
    inside, closed, told = threading.Barrier(5), threading.Event(), []

    def read() -> None:
        with storage.reading() as rows:
            inside.wait()
            closed.wait()
            told.append(rows.match("nothing"))
        with storage.reading() as rows:
            told.append(rows.match("nothing"))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    inside.wait()
    storage.close()
    closed.set()
    for thread in threads:
        thread.join()
    assert told == [None] * 8
    storage.close()

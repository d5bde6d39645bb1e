"""Papers, pictures and imports: a few at a time, the others refused in words; blank papers are made
once.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorepad import heavy
from tests.web.client import Client, Visit
from tests.web.player import Player
from tests.web.playing import keys_of, start

CARD = "/regole/classica/scheda.pdf"
BLANK = "/regole/classica/segnapunti.pdf"


@pytest.fixture
def busy() -> Iterator[None]:
    """Every place is taken."""
    taken = 0
    while heavy._admitted.acquire(blocking=False):
        taken += 1
    assert taken == heavy.MOST_RUNNING + heavy.MOST_WAITING
    yield
    for _ in range(taken):
        heavy._admitted.release()


def is_told_to_wait(answer: TestResponse) -> None:
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == str(heavy.RETRY_AFTER)


@pytest.mark.parametrize(
    ("language", "title"),
    [("it", "Troppo lavoro in questo momento"), ("en", "Too much work at the moment")],
)
def test_beyond_the_queue_a_paper_is_refused_in_words(
    visit: Visit, busy: None, language: str, title: str
) -> None:
    client = visit(language)
    url = start(client)
    for path in (CARD, BLANK, f"{url}/foglio.pdf", f"{url}/risultato.png"):
        page = client.get(path, status=503)
        is_told_to_wait(page.answer)
        assert page.one("h1").text == title
    assert client.get("/regole").one("h1"), "everything else goes on"


def test_so_is_an_import(client: Client, busy: None) -> None:
    page = client.upload(client.get("/file"), "Carica", b"{}", status=503)
    is_told_to_wait(page.answer)
    assert "Aspetta qualche secondo e prova di nuovo." in page.text


def test_programs_are_told_in_json(player: Player, busy: None) -> None:
    key = keys_of(player.client, player.match).write
    headers = {"Authorization": f"Bearer {key}", "Accept-Language": "en"}

    path = f"/api/v1/matches/{player.match_id}/export"
    answer = player.client.raw.get(path, headers=headers)

    is_told_to_wait(answer)
    assert answer.json["code"] == "overloaded"
    assert answer.json["error"].startswith("The score pad is already")


def test_who_waits_too_long_is_refused_and_the_place_is_free_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heavy, "QUEUE_TIMEOUT", 0.1)
    with heavy.one_heavy_job_at_a_time():
        assert client.raw.get(CARD).status_code == 503
    assert client.raw.get(CARD).status_code == 200


@pytest.mark.long
def test_blank_papers_are_made_once_for_the_same_parameters(
    client: Client, visit: Visit, request: pytest.FixtureRequest
) -> None:
    paths = (CARD, BLANK, f"{BLANK}?per-foglio=4")
    made = [client.raw.get(path).data for path in paths]
    assert len(set(made)) == 3
    english = visit("en")
    assert english.raw.get(CARD).data not in made
    request.getfixturevalue("busy")
    assert [visit().raw.get(path).data for path in paths] == made, "though no place is free"
    assert client.raw.get("/regole/samba/scheda.pdf").status_code == 503, "this one was never made"


def test_eight_who_ask_for_one_paper_at_once_are_not_kept_beyond_the_queue(app: Flask) -> None:
    def ask(_: int) -> int:
        return app.test_client().get(CARD).status_code

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(ask, range(8)))
    assert set(told) <= {200, 503}
    assert told.count(200) >= heavy.MOST_RUNNING + heavy.MOST_WAITING

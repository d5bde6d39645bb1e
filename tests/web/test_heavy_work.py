"""Papers, pictures and imports: a few at a time, the others refused in words; blank papers are made
once.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorepad import heavy
from tests.web.client import Client, Visit
from tests.web.phones_at_once import at_once
from tests.web.player import Player
from tests.web.playing import start

CARD = "/regole/classica/scheda.pdf"
BLANK = "/regole/classica/segnapunti.pdf"


@pytest.fixture
def busy() -> Iterator[None]:
    """Every place is taken: those of jobs that run, and those of jobs that wait."""
    places_taken = 0
    while heavy._admitted.acquire(blocking=False):
        places_taken += 1
    assert places_taken == heavy.MOST_RUNNING + heavy.MOST_WAITING
    yield
    for _ in range(places_taken):
        heavy._admitted.release()


def check_is_told_to_wait(answer: TestResponse) -> None:
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
        refused = client.get(path, status=503)
        check_is_told_to_wait(refused.answer)
        assert refused.heading == title
    client.get("/regole", status=200)  # everything else goes on


def test_beyond_the_queue_an_import_is_refused_in_words(client: Client, busy: None) -> None:
    refused = client.upload(client.get("/file"), "Carica", b"{}", status=503)
    check_is_told_to_wait(refused.answer)
    assert "Aspetta qualche secondo e prova di nuovo." in refused.text


def test_programs_are_told_in_json(player: Player, busy: None) -> None:
    key = player.keys.write
    headers = {"Authorization": f"Bearer {key}", "Accept-Language": "en"}

    path = f"/api/v1/matches/{player.match_id}/export"
    answer = player.client.raw.get(path, headers=headers)

    check_is_told_to_wait(answer)
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
    papers = [client.raw.get(path).data for path in paths]
    assert len(set(papers)) == 3, "all differ"
    assert visit("en").raw.get(CARD).data not in papers

    request.getfixturevalue("busy")

    for path, paper in zip(paths, papers, strict=True):
        assert visit().raw.get(path).data == paper, "though no place is free"
    never_made = client.raw.get("/regole/samba/scheda.pdf")
    assert never_made.status_code == 503


def test_eight_who_ask_for_one_paper_at_once_are_not_kept_beyond_the_queue(app: Flask) -> None:
    def status_of_request(_: int) -> int:
        return app.test_client().get(CARD).status_code

    statuses = at_once(status_of_request, 8)

    for status in statuses:
        assert status in (200, 503)
    assert statuses.count(200) >= heavy.MOST_RUNNING + heavy.MOST_WAITING

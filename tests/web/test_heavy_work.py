"""Papers, pictures and imports: a few at a time, the others refused in words; blank papers are made
once.
"""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorepad import heavy
from tests.web.client import Client, Visit
from tests.web.match_files import upload_matches
from tests.web.phones_at_once import at_once
from tests.web.player import Player
from tests.web.playing import start

RULES_CARD = "/regole/classica/scheda.pdf"
SCORE_SHEET = "/regole/classica/segnapunti.pdf"


@pytest.fixture
def all_places_taken() -> Iterator[None]:
    """Take all places of running and of waiting jobs, so that no heavy job is accepted."""
    places_taken = 0
    while heavy._admitted.acquire(blocking=False):
        places_taken += 1
    assert places_taken == heavy.MOST_RUNNING + heavy.MOST_WAITING
    yield
    for _ in range(places_taken):
        heavy._admitted.release()


def check_answer_is_try_again_later(answer: TestResponse) -> None:
    """Assert that the answer is 503, and tells the client in how many seconds it may ask again."""
    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert answer.headers["Retry-After"] == str(heavy.RETRY_AFTER)


@pytest.mark.parametrize(
    ("language", "title"),
    [("it", "Troppo lavoro in questo momento"), ("en", "Too much work at the moment")],
)
def test_pdf_and_picture_are_refused_if_queue_is_full(
    visit: Visit, all_places_taken: None, language: str, title: str
) -> None:
    client = visit(language)
    url = start(client)

    # Three PDFs and a picture: the card with the rules, the blank score sheet, the score sheet of a
    # match and a picture of its result.
    for path in (RULES_CARD, SCORE_SHEET, f"{url}/foglio.pdf", f"{url}/risultato.png"):
        refused = client.get(path, status=HTTPStatus.SERVICE_UNAVAILABLE)
        check_answer_is_try_again_later(refused.answer)
        assert refused.heading == title

    # Other pages are served.
    client.get("/regole")


def test_upload_is_refused_if_queue_is_full(client: Client, all_places_taken: None) -> None:
    refused = upload_matches(client, b"{}", status=HTTPStatus.SERVICE_UNAVAILABLE)
    check_answer_is_try_again_later(refused.answer)
    # "Wait a few seconds and try again."
    assert "Aspetta qualche secondo e prova di nuovo." in refused.text


def test_api_answers_overloaded_if_queue_is_full(player: Player, all_places_taken: None) -> None:
    path = f"/api/v1/matches/{player.match_id}/export"
    headers = {"Authorization": f"Bearer {player.keys.write}", "Accept-Language": "en"}

    answer = player.client.raw.get(path, headers=headers)

    check_answer_is_try_again_later(answer)
    assert answer.json["code"] == "overloaded"
    assert answer.json["error"].startswith("The score pad is already")


def test_request_that_waits_too_long_is_refused_and_leaves_queue(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A request waits until the job that runs has ended, here at most a tenth of a second.
    monkeypatch.setattr(heavy, "QUEUE_TIMEOUT", 0.1)
    with heavy.one_heavy_job_at_a_time():
        refused = client.raw.get(RULES_CARD)
    assert refused.status_code == HTTPStatus.SERVICE_UNAVAILABLE

    # When the job has ended, the next request is served.
    served = client.raw.get(RULES_CARD)
    assert served.status_code == HTTPStatus.OK


@pytest.mark.long
def test_blank_papers_are_cached_by_parameters(
    client: Client, visit: Visit, request: pytest.FixtureRequest
) -> None:
    # Three papers are made: the card with the rules, the score sheet, and one with four score
    # sheets on a page. They differ from each other, and from the same card in English.
    paths = (RULES_CARD, SCORE_SHEET, f"{SCORE_SHEET}?per-foglio=4")
    papers = {path: client.raw.get(path).data for path in paths}
    assert len(set(papers.values())) == 3
    english_card = visit("en").raw.get(RULES_CARD).data
    assert english_card not in papers.values()

    # From here on no paper can be made any more.
    request.getfixturevalue("all_places_taken")

    # Other devices get the three papers all the same, but not the card of another variant.
    for path, paper in papers.items():
        assert visit().raw.get(path).data == paper
    not_cached = client.raw.get("/regole/samba/scheda.pdf")
    assert not_cached.status_code == HTTPStatus.SERVICE_UNAVAILABLE


def test_eight_requests_at_once_are_served_or_refused(app: Flask) -> None:
    # Each request comes from a device of its own, and asks for the same paper.
    def status_of_request(_: int) -> int:
        return app.test_client().get(RULES_CARD).status_code

    statuses = at_once(status_of_request, 8)

    for status in statuses:
        assert status in (HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE)
    # At least those are served that run at once or wait for their turn.
    assert statuses.count(200) >= heavy.MOST_RUNNING + heavy.MOST_WAITING

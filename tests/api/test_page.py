"""The page that shows programs what they may ask, made of the document."""

from __future__ import annotations

import pytest
from flask import Flask

from scorepad.api import OPERATIONS
from tests.api.conftest import Program
from tests.web.client import Client


@pytest.mark.parametrize(
    ("language", "title"), [("it", "Per chi programma"), ("en", "For programs")]
)
def test_the_page_shows_everything_that_can_be_asked(app: Flask, language: str, title: str) -> None:
    page = Client(app, language).get("/api/")
    assert page.one("h1").text == title
    document = Program(app, language=language).ask("GET", "/openapi.json")
    summaries = [each.text for each in page.all("summary")]
    for operation in OPERATIONS:
        told = document["paths"][operation.path][operation.method]["summary"]
        assert f"{operation.method.upper()} /api/v1{operation.path} {told}" in summaries
    shown = [each["id"].removeprefix("type-") for each in page.all("h3")]
    assert shown == list(document["components"]["schemas"])
    assert not [word for word in page.text.split() if word.startswith(("api.", "files."))]


def test_a_type_tells_its_keys_and_what_they_take(app: Flask) -> None:
    text = Client(app, "en").get("/api/").text
    assert "kind required : “red-threes”" in text
    assert "count required : integer 0…9999999" in text


def test_the_page_is_found_from_where_files_are(app: Flask) -> None:
    client = Client(app)
    there = client.get(client.get("/").links()["Salva o carica partite"])
    assert there.links()["Per chi programma: le stesse risposte in JSON"] == "/api/"
    assert client.get("/api/").links()["openapi.json"] == "/api/v1/openapi.json"

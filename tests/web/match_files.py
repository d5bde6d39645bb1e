"""The file of a match, fetched from its page and given back."""

from __future__ import annotations

from tests.web.client import Client, Page


def download_match(client: Client, url: str) -> bytes:
    """The file of a match, by the links that lead to it."""
    page = client.get(client.get(url).links()["Salva la partita in un file"])
    answer = client.raw.get(page.links()["Scarica la partita"])
    assert answer.status_code == 200
    assert int(answer.headers["Content-Length"]) == len(answer.data)
    return answer.data


def upload_matches(client: Client, match_file: bytes, status: int = 200) -> Page:
    """The page after a file of matches was given back."""
    return client.upload(client.get("/file"), "Carica", match_file, status)

"""What pages weigh on the wire, and what a browser loads with them."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from tests.web.client import Client

KB = 1000
IMPORTED = re.compile(r"""(?:^import|\bfrom)\s+["']([^"']+)["']""", re.MULTILINE)
"""The relative URL of another script that a script imports."""


def packed_size(client: Client, url: str) -> int:
    """Octets of the body as it goes over the wire, to a browser that unpacks gzip."""
    answer = client.raw.get(url, headers={"Accept-Encoding": "gzip, deflate"})
    assert answer.status_code == 200, url
    assert answer.headers.get("Content-Encoding") == "gzip" or len(answer.data) < 500, url
    return len(answer.data)


def loaded_with(client: Client, url: str) -> list[str]:
    """What a browser fetches with a page."""
    page = client.get(url)
    links = [link["href"] for link in page.all("link") if link["rel"] in ("stylesheet", "icon")]
    images = [image["src"] for image in page.all("img")]
    scripts = [script["src"] for script in page.all("script")]
    return links + images + with_imports(client, scripts)


def with_imports(client: Client, scripts: list[str]) -> list[str]:
    """These scripts and all that they import, each once."""
    found = list(scripts)
    for url in found:  # grows while it is read
        for imported in IMPORTED.findall(client.raw.get(url).text):
            if urljoin(url, imported) not in found:
                found.append(urljoin(url, imported))
    return found

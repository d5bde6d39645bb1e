"""Forms of the pages filled with as much as a body may hold, in shapes that are slow to read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from scorepad.app import Config, create_app
from scorepad.i18n import Language
from scorepad.web.forms import Misread, read_sum
from tests.apps import shared_app
from tests.web.client import Client
from tests.web.counting import counting, type_and
from tests.web.playing import start

MOST_SECONDS = 1.0
LARGEST_PAGE = 2_000_000
FULL = 240_000
SHAPES = {
    "x": "x", "blanks": " 1", "digits": "1", "words": "pinnela kwen ", "no words": "abcdefgh ", "runs": "akq",
    "cards": "K 8 2 ", "slashes": "K/", "lines": "K\n", "commas": "K,8,", "marks": "\u0301\u0316", "points": "1.",
}  # fmt: skip


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(shared_app(Config(tmp_path / "scorepad.db", b"k" * 32, limited=False)))


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., float]]:
    """Type into the form of a hand, and let it be checked: the processor seconds of the answer."""
    data = tmp_path_factory.mktemp("typed") / "scorepad.db"
    client = Client(create_app(Config(data, b"k" * 32, limited=False)))
    url = counting(start(client))

    def submit(fields: dict[str, str]) -> float:
        hidden = client.get(url).form("Salva").all("input", type="hidden")
        body = urlencode({each["name"]: each.get("value") for each in hidden} | fields)
        assert len(body) <= 256 * 1024
        kind, begun = "application/x-www-form-urlencoded", time.process_time()
        answer = client.raw.post(f"{url}/controllo", data=body, content_type=kind)
        used = time.process_time() - begun
        assert answer.status_code in (200, 413)
        assert len(answer.data) <= LARGEST_PAGE
        return used

    return submit


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_one_field_as_long_as_a_body_is_read_shortly(
    typed: Callable[..., float], shape: str
) -> None:
    long = shape * (FULL // (len(urlencode({"": shape})) - 1))
    for name in ("a.melds", "a.cards", "a.left.0", "a.opening", "a.sum", "remark"):
        assert typed({name: long}) <= MOST_SECONDS, name


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
@pytest.mark.parametrize("number", [900, 2_000])
def test_many_fields_are_read_or_refused_shortly(
    typed: Callable[..., float], shape: str, number: int
) -> None:
    groups = [f"{side}.{group}.{row}.{part}" for side in "ab" for group in ("house", "adjustments")
              for row in range(60) for part in ("points", "reason")]  # fmt: skip
    names = [*groups, *(f"a.penalties.x{row}" for row in range(number - len(groups)))]
    each = max(1, (FULL // len(names) - 30) // (len(urlencode({"": shape})) - 1))
    assert typed(dict.fromkeys(names, shape * each)) <= MOST_SECONDS


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_the_length_of_a_cell_is_looked_at_before_its_content(shape: str) -> None:
    begun = time.process_time()
    assert isinstance(read_sum(shape * 60_000 + "1", Language.ITALIAN), Misread)
    assert time.process_time() - begun < 0.1


def test_only_the_beginning_of_a_long_field_is_kept(client: Client) -> None:
    url = counting(start(client))
    type_and("check", client, client.get(url), {"a.melds": "K " * 50_000})
    page = client.get(url).text
    assert "K K K" in page
    assert len(page) < 200_000


PART = "--b\r\nContent-Disposition: form-data; {}\r\n\r\n{}\r\n"


@pytest.mark.parametrize("name", ["name=", "name=   ; x=y", "x=y", "filename=a", "name=\n"])
@pytest.mark.parametrize("path", ["", "/controllo"])
def test_a_part_without_a_name_is_refused(client: Client, name: str, path: str) -> None:
    url = counting(start(client))
    page = client.get(url)
    body = PART.format(name, "x")
    for each, value in page.values(page.form("Salva")).items():
        body += PART.format(f'name="{each}"', value)
    kind = "multipart/form-data; boundary=b"
    answer = client.raw.post(url + path, data=f"{body}--b--\r\n", content_type=kind)
    assert answer.status_code == 400

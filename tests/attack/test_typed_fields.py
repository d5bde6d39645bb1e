"""Forms of the pages filled with as much as a body may hold, in shapes that are slow to read."""

import time
from http import HTTPStatus
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from scorepad.app import Config, create_app
from scorepad.i18n import Language
from scorepad.web.forms import Misread, read_sum
from tests.attack.served import HIDDEN, parts_of

MOST_SECONDS = 1.0
LARGEST_PAGE = 2_000_000
LENGTH_OF_BODY = 240_000  # with the hidden fields still less than a request may have: 256 KiB
# Cards, sums and lines of text, and what only looks like them: each is repeated over a whole body.
TEXTS_TO_REPEAT = {
    "x": "x", "blanks": " 1", "digits": "1", "words": "pinnela kwen ", "no words": "abcdefgh ", "runs": "akq",
    "cards": "K 8 2 ", "slashes": "K/", "lines": "K\n", "commas": "K,8,", "marks": "\u0301\u0316", "points": "1.",
}  # fmt: skip


@pytest.fixture(scope="module")
def client_and_hand(tmp_path_factory: pytest.TempPathFactory) -> tuple[FlaskClient, str]:
    """Start a match; return a browser that may write in it, and the path of its form of a hand."""
    app = create_app(
        Config(tmp_path_factory.mktemp("typed") / "scorepad.db", b"k" * 32, limited=False)
    )
    client = app.test_client()
    begun = client.post(
        "/api/v1/matches", json={"variant": "classica", "names": ["Noi", "Loro"]}
    ).get_json()

    # Following the link with the write key gives the browser a cookie that lets it write.
    client.get(f"/e/{begun['keys']['write']}", follow_redirects=True)
    return client, f"/partite/{begun['match']['id']}/smazzata"


def hidden_fields(page: str) -> dict[str, str]:
    return dict(HIDDEN.findall(page))


def check_and_measure(
    client_and_hand: tuple[FlaskClient, str], fields: dict[str, str]
) -> tuple[float, int]:
    """Send the fields as the page's script does while somebody types.

    Returns the processor seconds of the answer, and its length.
    """
    client, path = client_and_hand
    page = client.get(path).text
    body = urlencode(hidden_fields(page) | fields)
    assert len(body) <= 256 * 1024, "no request may be larger"

    started_at = time.process_time()
    answer = client.post(
        f"{path}/controllo", data=body, content_type="application/x-www-form-urlencoded"
    )
    seconds = time.process_time() - started_at

    assert answer.status_code in (HTTPStatus.OK, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return seconds, len(answer.data)


@pytest.mark.long
@pytest.mark.parametrize("shape", TEXTS_TO_REPEAT.values(), ids=TEXTS_TO_REPEAT.keys())
@pytest.mark.parametrize("name", ["a.melds", "a.cards", "a.left.0", "a.opening", "a.sum", "remark"])
def test_one_long_field_is_read_quickly(
    client_and_hand: tuple[FlaskClient, str], name: str, shape: str
) -> None:
    # One field, such as that of the cards laid, holds "K 8 2 K 8 2 …", as long as a body may be.
    encoded_length = len(urlencode({"": shape})) - 1  # without the "=" before it
    text = shape * (LENGTH_OF_BODY // encoded_length)

    seconds, length_of_answer = check_and_measure(client_and_hand, {name: text})

    assert seconds <= MOST_SECONDS
    assert length_of_answer <= LARGEST_PAGE


def field_names(number: int) -> list[str]:
    """Return at least so many names: all rows of agreed points, then unknown penalties."""
    names = []
    for group in ("a.house", "a.adjustments", "b.house", "b.adjustments"):
        for row in range(60):
            names += [f"{group}.{row}.points", f"{group}.{row}.reason"]
    while len(names) < number:
        names.append(f"a.penalties.x{len(names)}")
    return names


@pytest.mark.long
@pytest.mark.parametrize("shape", TEXTS_TO_REPEAT.values(), ids=TEXTS_TO_REPEAT.keys())
@pytest.mark.parametrize("number", [900, 2_000])
def test_many_long_fields_are_read_or_refused_quickly(
    client_and_hand: tuple[FlaskClient, str], shape: str, number: int
) -> None:
    # All fields together fill the body. About 30 characters of each go to its name.
    names = field_names(number)
    length_of_text = LENGTH_OF_BODY // len(names) - 30
    encoded_length = len(urlencode({"": shape})) - 1  # without the "=" before it
    text = shape * max(1, length_of_text // encoded_length)

    seconds, length_of_answer = check_and_measure(client_and_hand, dict.fromkeys(names, text))

    assert seconds <= MOST_SECONDS
    assert length_of_answer <= LARGEST_PAGE


@pytest.mark.parametrize("shape", TEXTS_TO_REPEAT.values(), ids=TEXTS_TO_REPEAT.keys())
def test_long_figure_is_refused_without_parsing(shape: str) -> None:
    # A cell of the form takes a figure or a sum, such as "120+85". No honest one is this long.
    text = shape * 60_000 + "1"

    started_at = time.process_time()
    value = read_sum(text, Language.ITALIAN)
    seconds = time.process_time() - started_at

    assert isinstance(value, Misread)
    assert seconds < 0.1


def test_long_field_is_shortened(client_and_hand: tuple[FlaskClient, str]) -> None:
    # The check stores what is typed, so that the page shows it again when it is loaded anew.
    check_and_measure(client_and_hand, {"a.melds": "K " * 50_000})

    client, path = client_and_hand
    page = client.get(path).text
    assert "K K K" in page
    assert len(page) < 200_000


# A part of a form should begin with `Content-Disposition: form-data; name="a.cards"`.
@pytest.mark.parametrize("name", ["name=", "name=   ; x=y", "x=y", "filename=a", "name=\n"])
@pytest.mark.parametrize("path", ["", "/controllo"], ids=["save", "check while typing"])
def test_part_without_a_name_is_refused(
    client_and_hand: tuple[FlaskClient, str], name: str, path: str
) -> None:
    client, hand_path = client_and_hand
    fields = hidden_fields(client.get(hand_path).text)
    part_without_name = f"--b\r\nContent-Disposition: form-data; {name}\r\n\r\nx\r\n"

    answer = client.post(
        hand_path + path,
        data=part_without_name.encode() + parts_of(fields, b"x"),
        content_type="multipart/form-data; boundary=b",
    )

    assert answer.status_code == HTTPStatus.BAD_REQUEST

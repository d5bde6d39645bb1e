"""Forms of the pages filled with as much as a body may hold, in shapes that are slow to read."""

import time
from http import HTTPStatus
from urllib.parse import quote_plus, urlencode

import pytest
from flask.testing import FlaskClient

from scorepad.app import Config, create_app
from scorepad.i18n import Language
from scorepad.web.forms import Misread, read_sum
from tests.attack.served import HIDDEN, parts_of

MOST_SECONDS = 1.0
LARGEST_PAGE = 2_000_000
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


def repeat_within(length: int, part: str) -> str:
    """Repeat a part until the text has this length in the body of a form, but once at least.

    There a character such as "/" takes three octets, "%2F".
    """
    length_in_body = len(quote_plus(part))
    return part * max(1, length // length_in_body)


# A part is "K 8 2 ", for example, so that the text is "K 8 2 K 8 2 …".
@pytest.mark.long
@pytest.mark.parametrize("part", TEXTS_TO_REPEAT.values(), ids=TEXTS_TO_REPEAT.keys())
@pytest.mark.parametrize("name", ["a.melds", "a.cards", "a.left.0", "a.opening", "a.sum", "remark"])
def test_one_long_field_is_read_quickly(
    client_and_hand: tuple[FlaskClient, str], name: str, part: str
) -> None:
    # One field of the form of a hand, such as that of the cards laid, is so long that it fills the
    # body of a request, which may have 256 KiB.
    text = repeat_within(240_000, part)

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


# A part is "K 8 2 ", for example, so that the text is "K 8 2 K 8 2 …".
@pytest.mark.long
@pytest.mark.parametrize("part", TEXTS_TO_REPEAT.values(), ids=TEXTS_TO_REPEAT.keys())
@pytest.mark.parametrize("number", [900, 2_000])
def test_many_long_fields_are_read_or_refused_quickly(
    client_and_hand: tuple[FlaskClient, str], part: str, number: int
) -> None:
    # So many fields of the form of a hand share 240,000 characters, which a request may just have.
    # About 30 characters of each field are its name.
    names = field_names(number)
    length_of_field = 240_000 // len(names)
    text = repeat_within(length_of_field - 30, part)

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
    # Somebody types 50,000 kings into the field of the cards laid. While they type, the page sends
    # the form to be checked, and the server stores what it holds.
    check_and_measure(client_and_hand, {"a.melds": "K " * 50_000})

    # When the page is loaded anew, it shows the beginning of it, but not all 100,000 characters.
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

    # A form in parts divides them by "--" and its boundary, here "b". The first part has the text
    # "x", and a head that does not name it.
    part_without_name = f"--b\r\nContent-Disposition: form-data; {name}\r\n\r\nx\r\n"

    # The others are as they should be: the hidden fields of the page, and a file that holds "x".
    fields = hidden_fields(client.get(hand_path).text)
    other_parts = parts_of(fields, b"x")

    answer = client.post(
        hand_path + path,
        data=part_without_name.encode() + other_parts,
        content_type="multipart/form-data; boundary=b",
    )

    assert answer.status_code == HTTPStatus.BAD_REQUEST

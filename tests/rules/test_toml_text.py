"""The text of a file of house rules: the lines of its keys, its limits, and how long hostile ones
take.
"""

import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorepad.errors import VariantError
from scorepad.i18n import words
from scorepad.i18n.variant_errors import describe_variant_error, describe_variant_errors
from scorepad.rules.toml_reader import MOST_MISTAKES
from scorepad.rules.toml_text import LARGEST_FILE, MOST_LINES, find_line_numbers
from scorepad.rules.variants import read_variant_file
from tests.data import read_data
from tests.soak.costs.shapes import TOML_LINES, TOML_VALUES

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("scorepad/variants/**/*.toml"), *ROOT.glob("tests/rules/*/*.toml")])
HEAD = 'id = "mia"\nextends = "classica"\n'
NEARLY_FULL = LARGEST_FILE - 200


def paths_of(table: dict[str, Any], above: str = "") -> Iterator[str]:
    """The dotted paths of all keys that tomllib finds."""
    for key, value in table.items():
        path = f"{above}.{key}".strip(".")
        yield path
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                yield from paths_of(each, path)


def test_strings_comments_and_brackets_hide_no_line() -> None:
    text = (
        "a = '''\n[x]\ny = 1'''  # z = 2\n"  # 1 to 3
        'b = """"q\\"""\nw = 1"""""\n'  # 4, 5
        "[c.'d e']\n\"f\" . g = [ # h = 1\n {i = 1}, [\n2, 3],\n]\n"  # 6 to 10
        "[[j]]\nk = { l.m = 1, n = 2 }\n"  # 11, 12
    )
    assert set(find_line_numbers("x.toml", text)) == set(paths_of(tomllib.loads(text)))
    assert dict(find_line_numbers("x.toml", text)) == {
        "a": 1, "b": 4, "c": 6, "c.d e": 6, "c.d e.f": 7, "c.d e.f.g": 7, "c.d e.f.g.i": 8, "j": 11, "j.k": 12,
        "j.k.l": 12, "j.k.l.m": 12, "j.k.n": 12,
    }  # fmt: skip


def test_brackets_and_commas_out_of_place_hide_no_line() -> None:
    assert dict(find_line_numbers("x.toml", "a = 1, 2 ]\nb = 3\n")) == {"a": 1, "b": 2}


LIMITS = read_data("rules/toml-limits.toml")


def text_of(row: dict[str, Any]) -> str:
    """The text of a row of `toml-limits.toml`."""
    parts = [row["repeat"].replace("#", str(number)) for number in range(row["times"])]
    return row.get("begin", "") + "".join(parts) + row.get("end", "")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_key_of_a_real_file_has_its_line(file: Path) -> None:
    text = file.read_text("utf-8")
    lines = text.splitlines()

    line_numbers = find_line_numbers(file.name, text)

    assert set(line_numbers) == set(paths_of(tomllib.loads(text)))
    for path, number in line_numbers.items():
        key = path.rpartition(".")[2]
        assert key in lines[number - 1]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_real_file_is_far_from_the_limits(file: Path) -> None:
    text = file.read_text("utf-8")
    assert len(text.encode()) <= LARGEST_FILE * 0.85
    assert len(text.splitlines()) <= MOST_LINES * 0.75


def refuse(folder: Path, text: str) -> VariantError:
    """The error of a file of house rules with this text, which cannot be read."""
    file = folder / "mia.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(VariantError) as error:
        read_variant_file(file)
    return error.value


@pytest.mark.parametrize(
    "row", LIMITS["limits"], ids=lambda row: f"{row['limit']} {row['repeat']!r}"
)
@pytest.mark.parametrize("language", ["it", "en"])
def test_a_file_beyond_a_limit_is_refused_with_the_line_and_the_limit(
    tmp_path: Path, row: dict[str, Any], language: str
) -> None:
    error = refuse(tmp_path, text_of(row))

    assert error.problem == f"limit-{row['limit']}"
    assert error.line == (row["line"] or None)
    message = describe_variant_error(error, words(language))
    assert words(language).figure(int(error.arguments["most"])) in message
    if error.line:
        assert str(error.line) in message


@pytest.mark.parametrize("key", LIMITS["too-many"])
def test_more_of_a_kind_than_can_be_shown_are_refused(tmp_path: Path, key: str) -> None:
    first = refuse(tmp_path, HEAD + text_of(LIMITS["too-many"][key]))
    (error,) = [each for each in (first, *first.others) if each.key == key]
    assert error.problem == "too-many"
    assert str(error.arguments["most"]) in describe_variant_error(error, words("en"))


def test_names_on_papers_are_shorter_than_sentences(tmp_path: Path) -> None:
    name = "x" * 61
    text = f"[bonuses.b]\npoints = 5\nstanding = 'house'\nwords.it = '{name}'\n"

    error = refuse(tmp_path, HEAD + text)

    assert error.problem == "text"
    assert error.line == 6
    assert error.arguments["most"] == 60


def test_the_first_mistakes_are_reported_in_full_and_the_others_counted(tmp_path: Path) -> None:
    unknown_settings = [f"[settings.delt{number}]\nvalue = 3\n" for number in range(600)]

    error = refuse(tmp_path, HEAD + "".join(unknown_settings))

    assert MOST_MISTAKES == 20
    mistakes = [error, *error.others]
    assert len(mistakes) == 20
    assert [mistake.line for mistake in mistakes[:3]] == [3, 5, 7]
    assert error.more == 580
    messages = describe_variant_errors(error, words("en"))
    assert len(messages) == 21
    assert messages[-1] == "There are 580 more mistakes, which are told when these are corrected."


@pytest.mark.parametrize("shape", TOML_LINES)
def test_no_hostile_line_takes_long_to_refuse(tmp_path: Path, shape: str) -> None:
    assert_refused_shortly(tmp_path, TOML_LINES[shape](NEARLY_FULL))


@pytest.mark.parametrize("shape", TOML_VALUES)
def test_no_hostile_value_takes_long_to_refuse(tmp_path: Path, shape: str) -> None:
    assert_refused_shortly(tmp_path, f"zz = {TOML_VALUES[shape](NEARLY_FULL)}")


def assert_refused_shortly(folder: Path, text: str) -> None:
    """A file with this text is refused in a second, with the head of house rules and without."""
    for head in (HEAD, ""):
        begun = time.process_time()
        refuse(folder, f"{head}{text}\n")
        assert time.process_time() - begun < 1

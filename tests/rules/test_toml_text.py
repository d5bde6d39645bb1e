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
NEARLY_LARGEST_FILE = LARGEST_FILE - 200
LIMITS = read_data("rules/toml-limits.toml")


def paths_of(table: dict[str, Any], above: str = "") -> Iterator[str]:
    """Yield the dotted paths of all keys in a table of TOML: `a`, `a.b`."""
    for key, value in table.items():
        path = f"{above}.{key}" if above else key
        yield path
        values = value if isinstance(value, list) else [value]
        for each in values:
            if isinstance(each, dict):
                yield from paths_of(each, path)


def test_strings_comments_and_brackets_hide_no_line() -> None:
    # The lines of a file, each with the keys that begin in it. What looks like a key within a
    # string or a comment is none.
    lines_with_their_keys = [
        # A string between three quotes goes on for three lines. After it stands a comment.
        ("a = '''", ["a"]),
        ("[x]", []),
        ("y = 1'''  # z = 2", []),
        # So does one between three double quotes, for two lines. More quotes are in it: one at its
        # beginning, an escaped one and two others in the middle, and two at its end.
        ('b = """"q\\"""', ["b"]),
        ('w = 1"""""', []),
        # The name of a table has two parts. One is quoted because of its blank.
        ("[c.'d e']", ["c", "c.d e"]),
        # A key of two parts in this table. Its value is a list of four lines, with a table and a
        # list in it.
        ('"f" . g = [ # h = 1', ["c.d e.f", "c.d e.f.g"]),
        (" {i = 1}, [", ["c.d e.f.g.i"]),
        ("2, 3],", []),
        ("]", []),
        # A list of tables with one member, in which is an inline table.
        ("[[j]]", ["j"]),
        ("k = { l.m = 1, n = 2 }", ["j.k", "j.k.l", "j.k.l.m", "j.k.n"]),
    ]
    text = "\n".join(line for line, _keys in lines_with_their_keys)

    number_by_key = find_line_numbers("x.toml", text)

    # Lines are numbered from 1.
    for number, (_line, keys) in enumerate(lines_with_their_keys, start=1):
        keys_found = [key for key in number_by_key if number_by_key[key] == number]
        assert keys_found == keys


def test_misplaced_brackets_and_commas_hide_no_line() -> None:
    # The first line is no TOML. The keys of both lines are found all the same.
    assert dict(find_line_numbers("x.toml", "a = 1, 2 ]\nb = 3\n")) == {"a": 1, "b": 2}


def build_text(row: dict[str, Any]) -> str:
    """Build the text that a row of `toml-limits.toml` describes.

    It is `begin`, then what is to `repeat`, so many `times` with its number in place of `#`, then
    `end`.
    """
    repeated = [row["repeat"].replace("#", str(number)) for number in range(row["times"])]
    return row.get("begin", "") + "".join(repeated) + row.get("end", "")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_key_of_real_file_has_its_line(file: Path) -> None:
    # The files of the games of the app, and those of house rules for tests.
    text = file.read_text("utf-8")
    lines = text.splitlines()

    line_numbers = find_line_numbers(file.name, text)

    # Python's own reader of TOML finds the same keys, but not their lines.
    assert set(line_numbers) == set(paths_of(tomllib.loads(text)))

    # The last part of each path, `dealt` of `settings.dealt`, stands in its line.
    for path, number in line_numbers.items():
        key = path.rpartition(".")[2]
        assert key in lines[number - 1]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_real_file_is_well_within_the_limits(file: Path) -> None:
    # If a limit has become too tight, raise it.
    text = file.read_text("utf-8")
    assert len(text.encode()) <= 0.85 * LARGEST_FILE
    assert len(text.splitlines()) <= 0.75 * MOST_LINES


def read_error(folder: Path, text: str) -> VariantError:
    """Write a file of house rules with this text, which cannot be used; return the error."""
    file = folder / "mia.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(VariantError) as error:
        read_variant_file(file)
    return error.value


@pytest.mark.parametrize(
    "row", LIMITS["limits"], ids=lambda row: f"{row['limit']} {row['repeat']!r}"
)
@pytest.mark.parametrize("language", ["it", "en"])
def test_file_beyond_a_limit_is_refused_with_line_and_limit(
    tmp_path: Path, row: dict[str, Any], language: str
) -> None:
    # A row describes a file that is beyond a limit. For example a file may have 1,500 lines, which
    # is the limit "lines". One of more is refused, and the first line too many is named: 1501.
    error = read_error(tmp_path, build_text(row))
    assert error.problem == f"limit-{row['limit']}"

    # A file of too many bytes is not read, and no line is named. The row has 0 then.
    line = row["line"]
    assert error.line == (line or None)

    # The message says how much there may be ("1,500" in English), and in which line it is exceeded.
    texts = words(language)
    message = describe_variant_error(error, texts)
    most = int(error.arguments["most"])
    assert texts.figure(most) in message
    if line:
        assert str(line) in message


@pytest.mark.parametrize("key", LIMITS["too-many"])
def test_too_many_entries_of_a_kind_are_refused(tmp_path: Path, key: str) -> None:
    # For example 41 bonuses.
    text = HEAD + build_text(LIMITS["too-many"][key])

    first_error = read_error(tmp_path, text)

    # The error is the first mistake in the file, and has the others. The message of this one says
    # how many entries there may be.
    errors_by_key = {error.key: error for error in (first_error, *first_error.others)}
    error = errors_by_key[key]
    assert error.problem == "too-many"
    assert str(error.arguments["most"]) in describe_variant_error(error, words("en"))


def test_name_of_bonus_has_at_most_60_characters(tmp_path: Path) -> None:
    name = "x" * 61
    text = f"[bonuses.b]\npoints = 5\nstanding = 'house'\nwords.it = '{name}'\n"

    error = read_error(tmp_path, HEAD + text)

    assert error.problem == "text"
    assert error.line == 6  # after two lines of HEAD, the fourth of the bonus
    assert error.arguments["most"] == 60


@pytest.fixture
def error_of_600_mistakes(tmp_path: Path) -> VariantError:
    """Read a file with 600 unknown settings, in the lines 3, 5, 7 and so on; return the error."""
    unknown_settings = [f"[settings.delt{number}]\nvalue = 3\n" for number in range(600)]
    return read_error(tmp_path, HEAD + "".join(unknown_settings))


def test_first_20_mistakes_are_reported_and_the_others_counted(
    error_of_600_mistakes: VariantError,
) -> None:
    assert MOST_MISTAKES == 20

    # The error is the first mistake, and has the next 19. There is one in every second line.
    mistakes = [error_of_600_mistakes, *error_of_600_mistakes.others]
    assert len(mistakes) == 20
    assert [mistake.line for mistake in mistakes[:3]] == [3, 5, 7]

    # It has the number of the rest: 600 − 20.
    assert error_of_600_mistakes.more == 580


def test_messages_end_with_the_number_of_other_mistakes(
    error_of_600_mistakes: VariantError,
) -> None:
    messages = describe_variant_errors(error_of_600_mistakes, words("en"))

    # One for each of the first 20 mistakes, and one about the other 580.
    assert len(messages) == 21
    assert messages[-1] == "There are 580 more mistakes, which are told when these are corrected."


@pytest.mark.parametrize("shape", TOML_LINES)
def test_file_of_one_hostile_line_is_refused_within_a_second(tmp_path: Path, shape: str) -> None:
    # Somebody uploads a file of nearly the largest size: one line, made to keep the reader busy for
    # long, such as lists within lists.
    make_line = TOML_LINES[shape]
    assert_refused_within_a_second(tmp_path, make_line(NEARLY_LARGEST_FILE))


@pytest.mark.parametrize("shape", TOML_VALUES)
def test_file_with_hostile_value_is_refused_within_a_second(tmp_path: Path, shape: str) -> None:
    # Somebody uploads a file of nearly the largest size: one value, made to keep the reader busy
    # for long, such as an opening bracket with blanks after it.
    make_value = TOML_VALUES[shape]
    assert_refused_within_a_second(tmp_path, f"zz = {make_value(NEARLY_LARGEST_FILE)}")


def assert_refused_within_a_second(folder: Path, text: str) -> None:
    """Check that a file of this text is refused, and within a second of the processor's time.

    The same holds for a file in which the text follows the two lines that house rules begin with.
    """
    for beginning in ('id = "mia"\nextends = "classica"\n', ""):
        start = time.process_time()
        read_error(folder, f"{beginning}{text}\n")  # fails if the file is not refused
        seconds = time.process_time() - start
        assert seconds < 1

"""An unchanged tree answers the same; a changed answer is named with its path and both values."""

import re
from pathlib import Path

import pytest

from tests.answers.__main__ import main
from tests.answers.differences import changes, report
from tests.answers.writing import read_answers, write_answers


@pytest.fixture(scope="module")
def answers_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write what the program answers now to a file, and return the file.

    These are the referee's answers to questions about red threes, some forty: enough to try the
    command, and quickly asked.
    """
    file = tmp_path_factory.mktemp("answers") / "answers.gz"
    status = main(["write", str(file), "--only", "rule/*/red-threes *"])
    assert status == 0
    return file


def test_an_unchanged_tree_answers_the_same(
    answers_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The program is asked the questions of the file again.
    assert main(["compare", str(answers_file), "--only", "rule/*/red-threes *"]) == 0

    output = capsys.readouterr().out
    assert re.fullmatch(r"0 of \d{2,} answers differ, 0 are gone, 0 are new\.\n", output)


def test_a_changed_answer_is_named_with_its_path_and_both_values(
    answers_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # In an older file the first answer has another verdict than now.
    answers = read_answers(answers_file)
    name = next(iter(answers))
    new_verdict = answers[name]["verdict"]
    answers[name]["verdict"] = "another"
    old_file = tmp_path / "old.gz"
    write_answers(old_file, answers)

    # The status is 1, because the files differ.
    assert main(["compare", str(old_file), str(answers_file)]) == 1

    # The report says at which path of how many answers a value has changed, then the old value after
    # "-" and the new one after "+".
    output = capsys.readouterr().out
    assert "/verdict: 1 answer\n" in output
    assert '  - "another"\n' in output
    assert f'  + "{new_verdict}"\n' in output

    # Last comes one of the answers that have changed so.
    assert f"    1 answer, such as {name} at /verdict\n" in output


def test_the_same_change_in_many_answers_is_reported_once() -> None:
    old = {f"hand {number}": {"lines": [{"points": 100}]} for number in range(500)}
    new = {f"hand {number}": {"lines": [{"points": 200}]} for number in range(500)}

    text, differing = report(old, new)

    assert differing == 500
    assert text.count("/points: 500 answers") == 1
    assert text.count("500 answers, such as hand 0 at /lines/0/points") == 1


def test_a_row_that_was_put_in_does_not_change_those_after_it() -> None:
    (change,) = changes(["a", "b", "c"], ["a", "new", "b", "c"])

    assert change.path == "/1"
    assert change.old == ""
    assert change.new == '"new"'


def test_answers_that_are_gone_or_new_are_listed_by_name() -> None:
    old_answers = {"first question": 1}
    new_answers = {"second question": 1}

    text, differing = report(old_answers, new_answers)

    assert differing == 2  # one is gone, one is new
    assert "gone: 1 answer\n  first question" in text
    assert "new: 1 answer\n  second question" in text

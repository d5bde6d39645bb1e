"""An unchanged tree answers the same; a changed answer is named with its path and both values."""

import re
from pathlib import Path

import pytest

from tests.answers.__main__ import main
from tests.answers.differences import changes, report
from tests.answers.writing import read_answers, write_answers

ONLY = "rule/*/red-threes *"


@pytest.fixture(scope="module")
def answers_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("answers") / "answers.gz"
    assert main(["write", str(file), "--only", ONLY]) == 0
    return file


def test_an_unchanged_tree_answers_the_same(
    answers_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(answers_file), "--only", ONLY]) == 0
    output = capsys.readouterr().out
    assert re.fullmatch(r"0 of \d{2,} answers differ, 0 are gone, 0 are new\.\n", output)


def test_a_changed_answer_is_named_with_its_path_and_both_values(
    answers_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    changed = read_answers(answers_file)
    name = next(iter(changed))
    verdict = changed[name]["verdict"]
    changed[name]["verdict"] = "another"
    other = tmp_path / "changed.gz"
    write_answers(other, changed)

    assert main(["compare", str(other), str(answers_file)]) == 1

    output = capsys.readouterr().out
    assert "/verdict: 1 answer\n" in output
    assert f'  - "another"\n  + "{verdict}"\n    1 answer, such as {name} at /verdict\n' in output


def test_the_same_change_in_many_answers_is_reported_once() -> None:
    old = {f"hand {number}": {"lines": [{"points": 100}]} for number in range(500)}
    new = {name: {"lines": [{"points": 200}]} for name in old}
    text, differing = report(old, new)
    assert differing == 500
    assert text.count("500 answers, such as hand 0 at /lines/0/points") == 1


def test_a_row_that_was_put_in_does_not_change_those_after_it() -> None:
    (change,) = changes(["a", "b", "c"], ["a", "new", "b", "c"])
    assert (change.path, change.old, change.new) == ("/1", "", '"new"')


def test_answers_that_are_gone_or_new_are_listed() -> None:
    text, differing = report({"old": 1}, {"new": 1})
    assert differing == 2
    assert "gone: 1 answer\n  old" in text
    assert "new: 1 answer\n  new" in text

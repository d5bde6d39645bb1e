"""README tells the truth: its console examples are run and must print what it shows.

A `console` block is one sitting at a shell, in an empty folder: a line beginning with `$ ` is typed, lines
beginning with `> ` go on with it, and what stands below is all that is printed. No other block shows output.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"
# `sh` blocks are the two commands; `.ci/run` takes the second from here.
SETUPS = ("## Set up and run", "## Set up and test")
LANGUAGES = {"sh", "console", "toml", "text"}
MARK = "\x1e"


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the number of its first line, its lines and the heading above it."""

    language: str
    number: int
    lines: tuple[str, ...]
    heading: str


@dataclass(frozen=True)
class Example:
    """What is typed, and the lines that are printed then."""

    typed: str
    printed: tuple[str, ...]


def read_blocks(text: str) -> list[Block]:
    """The fenced blocks of a Markdown text, in order."""
    blocks: list[Block] = []
    heading, opened, inside = "", None, []
    for number, line in enumerate(text.splitlines(), start=1):
        if opened is None and line.startswith("#"):
            heading = line
        if not line.startswith("```"):
            inside.append(line)
        elif opened is None:
            opened, inside = (line.removeprefix("```"), number + 1), []
        else:
            blocks.append(Block(*opened, tuple(inside), heading))
            opened = None
    assert opened is None, "a fenced block is never closed"
    return blocks


def read_examples(block: Block) -> list[Example]:
    """The examples of a `console` block, in order."""
    examples: list[Example] = []
    for line in block.lines:
        if line.startswith("$ "):
            examples.append(Example(line.removeprefix("$ "), ()))
            continue
        assert examples, f"line {block.number}: a console block begins with what is typed"
        last = examples.pop()
        if line.startswith("> ") and not last.printed:
            examples.append(Example(f"{last.typed}\n{line.removeprefix('> ')}", ()))
        else:
            examples.append(Example(last.typed, (*last.printed, line)))
    return examples


def run_examples(examples: list[Example], folder: Path) -> list[tuple[str, ...]]:
    """What a shell in this folder prints for each example, errors included."""
    # The mark parts one answer from the next and hands on the exit status, for `echo $?`.
    script = "".join(f"{example.typed}\nmark $?\n" for example in examples)
    told = subprocess.run(
        ["bash", "-c", f"mark() {{ printf {MARK}; return $1; }}\nexec 2>&1\n{script}"],
        cwd=folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    *answers, rest = told.stdout.split(MARK)
    assert rest == "", f"the shell stopped early: {rest}"
    return [tuple(answer.splitlines()) for answer in answers]


BLOCKS = read_blocks(README.read_text(encoding="utf-8"))
CONSOLES = [block for block in BLOCKS if block.language == "console"]


@pytest.mark.parametrize("block", CONSOLES, ids=lambda block: f"line-{block.number}")
def test_an_example_prints_what_it_shows(block: Block, tmp_path: Path) -> None:
    examples = read_examples(block)
    printed = run_examples(examples, tmp_path)
    assert printed == [example.printed for example in examples]


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    assert {block.language for block in BLOCKS} <= LANGUAGES
    assert [block.heading for block in BLOCKS if block.language == "sh"] == list(SETUPS)


def test_a_wrong_example_is_noticed(tmp_path: Path) -> None:
    text = "```console\n$ echo one\ntwo\n$ false\n$ echo $?\n1\n$ cat <<'E'\n> 3\n> E\n3\n```"
    (block,) = read_blocks(text)
    examples = read_examples(block)
    printed = run_examples(examples, tmp_path)
    assert printed == [("one",), (), ("1",), ("3",)]
    assert [example.printed for example in examples] != printed


def test_both_setups_are_whole_commands() -> None:
    for block in BLOCKS:
        if block.language == "sh":
            command = "\n".join(block.lines)
            checked = subprocess.run(["sh", "-n"], input=command, text=True, check=False, capture_output=True)
            assert (checked.returncode, checked.stderr) == (0, "")
            assert all(line.endswith(("&&", "\\")) for line in block.lines[:-1])


def test_the_readme_leads_nowhere_missing(checkout: Path) -> None:
    text = README.read_text(encoding="utf-8")
    places = re.findall(r"`((?:scorepad|templates|static|tests|\.ci)/[^`*\s<>]*)`", text)
    assert places
    assert [place for place in places if not (checkout / place).exists()] == []

"""README and docs: examples print what they show, the reference of commands is current, the site
builds.

A `console` block is one shell session in an empty folder: a line that begins with `$ ` is typed,
lines that begin with `> ` continue it, and the lines below are all that is printed. The `pycon`
blocks of a page are one Python session. No other block shows output. Run as a program, this module
prints the reference of commands.
"""

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import question_tables, settings_page
from tests.cli.running import serving

CHECKOUT = Path(__file__).resolve().parent.parent
README = CHECKOUT / "README.md"
DOCS = CHECKOUT / "docs"
PAGES = (README, *sorted(DOCS.glob("*.md")))
REFERENCE = DOCS / "commands.md"
SETTINGS = DOCS / "settings.md"
# `sh` blocks are the two commands; `.ci/run` takes the second from README.
SETUPS = ("## Set up and run", "## Set up and test")
LANGUAGES = {"sh", "console", "pycon", "toml", "text"}
LONGEST_README = 110
PORT = "localhost:8765"
"""The pad in the examples over HTTP."""
MARK = "\x1e"


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, language, the number of its first line, its lines and the heading
    above it.
    """

    page: str
    language: str
    number: int
    lines: tuple[str, ...]
    heading: str


@dataclass(frozen=True)
class Example:
    """What is typed, and the lines that are printed then."""

    typed: str
    printed: tuple[str, ...]


def read_blocks(text: str, page: str = "") -> list[Block]:
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
            blocks.append(Block(page, *opened, tuple(inside), heading))
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


def run_examples(examples: list[Example], folder: Path, pad: str = PORT) -> list[tuple[str, ...]]:
    """What a shell in this folder prints for each example, errors included; `pad` is the host of
    the pad.
    """
    # The mark parts one answer from the next and hands on the exit status, for `echo $?`.
    script = "".join(f"{example.typed.replace(PORT, pad)}\nmark $?\n" for example in examples)
    told = subprocess.run(
        ["bash", "-c", f"mark() {{ printf {MARK}; return $1; }}\nexec 2>&1\n{script}"],
        cwd=folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    *answers, rest = told.stdout.split(MARK)
    assert rest == "", f"the shell stopped early: {rest}"
    return [tuple(answer.splitlines()) for answer in answers]


HELP = """
import contextlib, io, json, re, sys
from scorepad.cli import main

def help_of(*command):
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.suppress(SystemExit):
        main([*command, "--help", "--lang", "en"])
    return printed.getvalue()

whole = help_of()
names = re.findall(r"^  ([a-z]+)  ", whole.partition("Commands:")[2], re.MULTILINE)
json.dump({"scorepad": whole, **{f"scorepad {name}": help_of(name) for name in names}}, sys.stdout)
"""


def helps() -> dict[str, str]:
    """The help of every command in English, as a terminal of 80 columns shows it to somebody called
    `you`.
    """
    kept = {name: value for name, value in os.environ.items() if name != "XDG_CONFIG_HOME"}
    printed = subprocess.run(
        [sys.executable, "-c", HELP],
        cwd=CHECKOUT,
        env={**kept, "HOME": "/home/you", "COLUMNS": "80", "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(printed.stdout)
    return found


def reference() -> str:
    """The page of all commands."""
    sections = [f"## {name}\n\n```text\n{text.rstrip()}\n```\n" for name, text in helps().items()]
    about = "# Command reference\n\nThis page is generated from the commands' own help.\n"
    return "\n".join((about, *sections))


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page."""
    return read_blocks(page.read_text(encoding="utf-8"), page.relative_to(CHECKOUT).as_posix())


BLOCKS = [block for page in PAGES for block in blocks_of(page)]
CONSOLES = [block for block in BLOCKS if block.language == "console"]
OFFLINE = [block for block in CONSOLES if not any(PORT in line for line in block.lines)]
COMMANDS = [block for block in BLOCKS if block.language == "sh"]
HTTP = [block for block in CONSOLES if block not in OFFLINE]


def named(block: Block) -> str:
    return f"{block.page}-line-{block.number}"


@pytest.fixture(scope="module")
def pad(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Host and port of a pad that is running."""
    with serving(tmp_path_factory.mktemp("pad")) as served:
        yield f"localhost:{served.port}"


def assert_prints_what_it_shows(block: Block, folder: Path, pad: str = PORT) -> None:
    examples = read_examples(block)
    printed = run_examples(examples, folder, pad)
    assert printed == [example.printed for example in examples]


@pytest.mark.parametrize("block", OFFLINE, ids=named)
def test_an_example_prints_what_it_shows(block: Block, tmp_path: Path) -> None:
    assert_prints_what_it_shows(block, tmp_path)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("block", HTTP, ids=named)
def test_an_example_over_http_prints_what_it_shows(block: Block, pad: str, tmp_path: Path) -> None:
    assert_prints_what_it_shows(block, tmp_path, pad)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_python_session_prints_what_it_shows(page: Path) -> None:
    # Lines without a `>>>` are kept, so that a failure names the line of the page.
    lines = [""] * len(page.read_text(encoding="utf-8").splitlines())
    for block in blocks_of(page):
        if block.language == "pycon":
            lines[block.number - 1 : block.number - 1 + len(block.lines)] = block.lines
    text = "\n".join((*lines, ""))
    session = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(session, out=report.append)
    assert result.failed == 0, "".join(report)


def test_http_and_python_have_examples() -> None:
    pages_with_http = {block.page for block in HTTP}
    assert pages_with_http == {"docs/http.md"}
    pages_with_python = {block.page for block in BLOCKS if block.language == "pycon"}
    assert "docs/python-api.md" in pages_with_python


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    for block in BLOCKS:
        assert block.language in LANGUAGES
    for block in COMMANDS:
        assert block.page == "README.md"
    assert tuple(block.heading for block in COMMANDS) == SETUPS


def test_a_wrong_example_is_noticed(tmp_path: Path) -> None:
    text = "```console\n$ echo one\ntwo\n$ false\n$ echo $?\n1\n$ cat <<'E'\n> 3\n> E\n3\n```"
    (block,) = read_blocks(text)
    examples = read_examples(block)
    printed = run_examples(examples, tmp_path)
    assert printed == [("one",), (), ("1",), ("3",)]
    assert [example.printed for example in examples] != printed


def test_both_setups_are_whole_commands() -> None:
    for block in COMMANDS:
        command = "\n".join(block.lines)
        subprocess.run(["sh", "-n"], input=command, text=True, check=True)
        for line in block.lines[:-1]:
            assert line.endswith(("&&", "\\"))


def test_only_the_setup_for_tests_installs_what_tests_need() -> None:
    setup_to_run, setup_to_test = ("\n".join(block.lines) for block in COMMANDS)
    assert "--require-hashes -r requirements.txt &&" in setup_to_run
    assert "--require-hashes -r requirements.txt -r requirements-test.txt &&" in setup_to_test


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_no_file_that_is_missing(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    paths = re.findall(r"`((?:scorepad|templates|static|tests|docs|\.ci)/[^`*\s<>]*)`", text)
    paths += re.findall(r"\b(tests/[\w/]+\.py)\b", text)
    for path in paths:
        assert (CHECKOUT / path).exists(), path


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= LONGEST_README


def test_the_readme_links_every_page_and_its_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)", README.read_text(encoding="utf-8"))
    for page in DOCS.glob("*.md"):
        if page.name != "index.md":
            assert f"docs/{page.name}" in links
    for link in links:
        assert (CHECKOUT / link).exists(), link


def test_the_reference_of_commands_is_that_of_their_help() -> None:
    assert REFERENCE.read_text(encoding="utf-8") == reference()


def test_the_page_of_settings_is_that_of_the_loader() -> None:
    assert SETTINGS.read_text(encoding="utf-8") == settings_page.page()


def test_the_fields_of_questions_are_those_of_their_schema() -> None:
    assert question_tables.tables() in (DOCS / "command-line.md").read_text(encoding="utf-8")


LOADED = re.compile(r'<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)="([^"]*)"')
"""The address of what a page loads by itself: a script, a style sheet, a picture."""


def test_the_site_builds_without_warnings_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    site = tmp_path / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", ".ci/mkdocs.yml"]
    command += ["--site-dir", str(site)]
    built = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr

    pages = list(site.rglob("*.html"))
    assert len(pages) > len(list(DOCS.glob("*.md")))
    addresses: list[str] = []
    for page in pages:
        addresses += LOADED.findall(page.read_text(encoding="utf-8"))
    assert any(address.endswith("pad-and-sheet.png") for address in addresses)
    for address in addresses:
        assert not re.match(r"(https?:)?//", address), address


if __name__ == "__main__":
    sys.stdout.write(reference())

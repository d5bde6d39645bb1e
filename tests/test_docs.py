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

EXAMPLE_HOST = "localhost:8765"
"""The host and port of the pad in the examples of HTTP."""
END_OF_ANSWER = "\x1e"
"""A character that no command prints, put after what each of them has printed."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    `language` is what stands behind its fence, `number` that of its first line, `heading` the one
    above it.
    """

    page: str
    language: str
    number: int
    lines: tuple[str, ...]
    heading: str


@dataclass
class Example:
    """What is typed, and the lines that are printed then."""

    typed: str
    printed: list[str]


def read_blocks(text: str, page: str = "") -> list[Block]:
    """Read the fenced blocks of a Markdown text, in order."""
    blocks: list[Block] = []
    heading = ""
    language = ""
    first_line = 0
    lines_of_block: list[str] | None = None  # None outside of a block
    for number, line in enumerate(text.splitlines(), start=1):
        if lines_of_block is None:
            if line.startswith("#"):
                heading = line
            if line.startswith("```"):
                language = line.removeprefix("```")
                first_line = number + 1
                lines_of_block = []
        elif line.startswith("```"):
            blocks.append(Block(page, language, first_line, tuple(lines_of_block), heading))
            lines_of_block = None
        else:
            lines_of_block.append(line)
    assert lines_of_block is None, "a fenced block is never closed"
    return blocks


def read_examples(block: Block) -> list[Example]:
    """Read the examples of a `console` block, in order.

    A line that begins with `> ` continues what is typed, unless something was printed before it.
    """
    examples: list[Example] = []
    for line in block.lines:
        if line.startswith("$ "):
            examples.append(Example(typed=line.removeprefix("$ "), printed=[]))
            continue
        assert examples, f"line {block.number}: a console block begins with what is typed"
        last_example = examples[-1]
        is_typed = line.startswith("> ") and not last_example.printed
        if is_typed:
            last_example.typed += "\n" + line.removeprefix("> ")
        else:
            last_example.printed.append(line)
    return examples


def run_examples(
    examples: list[Example], folder: Path, host: str = EXAMPLE_HOST
) -> list[list[str]]:
    """Run the examples in a shell, and return the lines that it prints for each, errors included.

    All examples run in one shell, so that one may use what another made. `host` is that of the pad,
    in place of the one that the pages show.
    """
    script = make_script([example.typed.replace(EXAMPLE_HOST, host) for example in examples])
    folder_of_scorepad = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": f"{folder_of_scorepad}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )

    *answers, printed_after_the_last = done.stdout.split(END_OF_ANSWER)
    assert printed_after_the_last == "", "the shell stopped early"
    return [answer.splitlines() for answer in answers]


def make_script(commands: list[str]) -> str:
    """Make a script of these commands, which prints `END_OF_ANSWER` after each of them."""
    lines = ["exec 2>&1"]  # errors go to the output as well

    # After a command, its exit status is kept and set again by a subshell, so that the next command
    # may be `echo $?`.
    for command in commands:
        lines += [command, "status=$?", f"printf {END_OF_ANSWER}", "(exit $status)"]
    return "\n".join(lines)


# Reads the names of the commands from the help of `scorepad`, and prints the help of each as JSON.
PRINT_EVERY_HELP = """
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


def read_every_help() -> dict[str, str]:
    """Return the English help of every command, by its name.

    It is as a terminal of 80 columns shows it to a user whose home is /home/you.
    """
    environment = dict(os.environ)
    environment.pop("XDG_CONFIG_HOME", None)
    environment |= {"HOME": "/home/you", "COLUMNS": "80", "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(
        [sys.executable, "-c", PRINT_EVERY_HELP],
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    help_by_command: dict[str, str] = json.loads(done.stdout)
    return help_by_command


def make_command_reference() -> str:
    """Make the text of the page `docs/commands.md`: the help of every command."""
    page = "# Command reference\n\nThis page is generated from the commands' own help.\n"
    for command, text in read_every_help().items():
        page += f"\n## {command}\n\n```text\n{text.rstrip()}\n```\n"
    return page


def read_blocks_of_page(page: Path) -> list[Block]:
    """Read the fenced blocks of README.md, or of a page in `docs`."""
    return read_blocks(page.read_text(encoding="utf-8"), page.relative_to(CHECKOUT).as_posix())


BLOCKS = [block for page in PAGES for block in read_blocks_of_page(page)]
CONSOLE_BLOCKS = [block for block in BLOCKS if block.language == "console"]
# Sessions that need no running pad, and those that ask one over HTTP.
OFFLINE_CONSOLES = [
    block for block in CONSOLE_BLOCKS if not any(EXAMPLE_HOST in line for line in block.lines)
]
HTTP_CONSOLES = [block for block in CONSOLE_BLOCKS if block not in OFFLINE_CONSOLES]
SETUP_BLOCKS = [block for block in BLOCKS if block.language == "sh"]


def name_of_block(block: Block) -> str:
    return f"{block.page}-line-{block.number}"


@pytest.fixture(scope="module")
def pad(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a pad, and return its host and port."""
    with serving(tmp_path_factory.mktemp("pad")) as served:
        yield f"localhost:{served.port}"


def assert_prints_what_it_shows(block: Block, folder: Path, host: str = EXAMPLE_HOST) -> None:
    """Run all examples of a block, and assert that each prints the lines that the page shows."""
    examples = read_examples(block)
    printed = run_examples(examples, folder, host)
    assert printed == [example.printed for example in examples]


@pytest.mark.parametrize("block", OFFLINE_CONSOLES, ids=name_of_block)
def test_console_example_prints_what_it_shows(block: Block, tmp_path: Path) -> None:
    assert_prints_what_it_shows(block, tmp_path)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("block", HTTP_CONSOLES, ids=name_of_block)
def test_http_example_prints_what_it_shows(block: Block, pad: str, tmp_path: Path) -> None:
    assert_prints_what_it_shows(block, tmp_path, pad)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_session_prints_what_it_shows(page: Path) -> None:
    # All `pycon` blocks of a page are one session of Python.
    session_lines: list[str] = []
    for block in read_blocks_of_page(page):
        if block.language == "pycon":
            # Empty lines for the text above, so that a failure names the line of the page.
            session_lines += [""] * (block.number - 1 - len(session_lines))
            session_lines += block.lines
    session_text = "\n".join(session_lines) + "\n"
    session = doctest.DocTestParser().get_doctest(session_text, {}, page.name, str(page), 0)

    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(session, out=report.append)

    assert result.failed == 0, "".join(report)


def test_pages_on_http_and_python_have_examples() -> None:
    pages_with_http = {block.page for block in HTTP_CONSOLES}
    assert pages_with_http == {"docs/http.md"}
    pages_with_python = {block.page for block in BLOCKS if block.language == "pycon"}
    assert "docs/python-api.md" in pages_with_python


def test_every_block_is_in_a_checked_language() -> None:
    for block in BLOCKS:
        assert block.language in {"sh", "console", "pycon", "toml", "text"}


def test_sh_blocks_are_the_two_setups_of_the_readme() -> None:
    setup_to_run, setup_to_test = SETUP_BLOCKS
    assert setup_to_run.page == "README.md"
    assert setup_to_run.heading == "## Set up and run"

    # `.ci/run` finds this one by its heading, and runs it.
    assert setup_to_test.page == "README.md"
    assert setup_to_test.heading == "## Set up and test"


def console_block(*lines: str) -> Block:
    """Make a block of these lines, as if it were one of README.md."""
    return Block(page="README.md", language="console", number=1, lines=lines, heading="")


def test_example_that_prints_something_else_is_noticed(tmp_path: Path) -> None:
    block = console_block("$ echo one", "two")
    with pytest.raises(AssertionError):
        assert_prints_what_it_shows(block, tmp_path)


def test_example_may_print_the_exit_status_of_the_one_before(tmp_path: Path) -> None:
    # `false` prints nothing and ends with 1, which `echo $?` prints.
    block = console_block("$ false", "$ echo $?", "1")
    assert_prints_what_it_shows(block, tmp_path)


def test_example_may_have_several_lines_typed(tmp_path: Path) -> None:
    # Three lines are typed, and one is printed.
    block = console_block("$ cat <<END", "> 3", "> END", "3")
    assert_prints_what_it_shows(block, tmp_path)


def test_setup_blocks_are_single_commands() -> None:
    # So a reader can paste a block whole, and a failed step stops it: its lines are joined by `&&`
    # or continued by a backslash. `sh -n` checks the syntax.
    for block in SETUP_BLOCKS:
        command = "\n".join(block.lines)
        subprocess.run(["sh", "-n"], input=command, text=True, check=True)
        for line in block.lines[:-1]:
            assert line.endswith(("&&", "\\"))


def test_only_setup_for_tests_installs_test_requirements() -> None:
    setup_to_run, setup_to_test = SETUP_BLOCKS
    run_command = "\n".join(setup_to_run.lines)
    test_command = "\n".join(setup_to_test.lines)
    assert "--require-hashes -r requirements.txt &&" in run_command
    assert "--require-hashes -r requirements.txt -r requirements-test.txt &&" in test_command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_named_in_a_page_exists(page: Path) -> None:
    # A page names files in backquotes, as `scorepad/cli`, and tests also without them.
    text = page.read_text(encoding="utf-8")
    paths = re.findall(r"`((?:scorepad|templates|static|tests|docs|\.ci)/[^`*\s<>]*)`", text)
    paths += re.findall(r"\b(tests/[\w/]+\.py)\b", text)

    for path in paths:
        assert (CHECKOUT / path).exists(), path


def test_readme_is_short() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 110


def test_readme_links_every_page_and_no_missing_file() -> None:
    links = re.findall(r"\]\(([^)#]+)", README.read_text(encoding="utf-8"))

    # index.md is the home page of the site, which README stands for.
    for page in DOCS.glob("*.md"):
        if page.name != "index.md":
            assert f"docs/{page.name}" in links

    for link in links:
        assert (CHECKOUT / link).exists(), link


def test_command_reference_is_up_to_date() -> None:
    assert REFERENCE.read_text(encoding="utf-8") == make_command_reference()


def test_settings_page_is_up_to_date() -> None:
    assert SETTINGS.read_text(encoding="utf-8") == settings_page.page()


def test_tables_of_questions_are_up_to_date() -> None:
    assert question_tables.tables() in (DOCS / "command-line.md").read_text(encoding="utf-8")


LOADED_ADDRESS = re.compile(r'<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)="([^"]*)"')
"""The address of what a page loads by itself: a script, a style sheet, a picture."""


def test_site_builds_without_warnings_and_loads_only_own_files(tmp_path: Path) -> None:
    site = tmp_path / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", ".ci/mkdocs.yml"]
    command += ["--site-dir", str(site)]

    built = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)

    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr

    # Each page of `docs` is there, and some that mkdocs adds.
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(list(DOCS.glob("*.md")))

    # A reader's browser loads scripts, styles and pictures from the site alone.
    addresses: list[str] = []
    for page in pages:
        addresses += LOADED_ADDRESS.findall(page.read_text(encoding="utf-8"))
    assert any(address.endswith("pad-and-sheet.png") for address in addresses)
    on_another_host = re.compile(r"(https?:)?//")
    for address in addresses:
        assert not on_another_host.match(address), address


if __name__ == "__main__":
    sys.stdout.write(make_command_reference())

"""`scorepad lite`: where the site is written, and what is said of it. Building it is replaced.

The site is that of a pad alone, which runs in the browser, without a server. It is built from
pieces, such as Python for browsers, which are fetched into a folder before.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorepad.cli import lite, main
from scorepad.lite.build import MARKER, BuildError, SiteReport
from scorepad.lite.pieces import Pieces

PROBLEMS = (
    "missing",
    "no-node",
    "no-pip",
    "npm-failed",
    "other-wheels",
    "pip-failed",
    "wrong-digest",
)


class Printed:
    """What a command has printed, and its exit status."""

    def __init__(self, status: int, captured: pytest.CaptureResult[str]) -> None:
        self.status = status
        self.output = captured.out
        self.errors = captured.err


class Terminal:
    """Runs `scorepad lite` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, *arguments: str | Path, language: str = "en") -> Printed:
        """Run the command with these arguments, and return what it printed."""
        command = ["lite", *map(str, arguments), "--lang", language]
        with pytest.raises(SystemExit) as ended:
            main(command)
        assert isinstance(ended.value.code, int)
        return Printed(ended.value.code, self._capsys.readouterr())


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


def build_small_site(pieces: Pieces, target: Path) -> SiteReport:
    """Write a site of one page, with the name of the package in place of Pyodide."""
    page = (pieces.pyodide / "package.json").read_text("utf-8")
    (target / "index.html").write_text(page, "utf-8")
    (target / MARKER).write_text(json.dumps({"files": ["index.html"]}), "utf-8")
    return SiteReport(files=2, size=24_000_000, compressed=14_000_000)


@pytest.fixture(autouse=True)
def _small_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lite, "build_site", build_small_site)


def test_site_is_written_and_described(
    terminal: Terminal, small_pieces: Path, tmp_path: Path
) -> None:
    site = tmp_path / "sites" / "canasta"

    printed = terminal.run(site, "--from", small_pieces)

    assert printed.status == 0
    assert printed.output.splitlines() == [
        f"The site is in {site}: 2 files, 24,000 kB, 14,000 kB compressed by gzip.",
        "To publish it, copy the folder to where an https server sends files: no settings are"
        " needed.",
        f"To try it here: python3 -m http.server --directory {site}, and in the browser"
        " http://localhost:8000/",
    ]
    assert (site / "index.html").read_text("utf-8") == "pyodide"

    # Nothing is left beside it, such as a folder in which it was built.
    assert list(site.parent.iterdir()) == [site]


def test_earlier_site_is_replaced(terminal: Terminal, small_pieces: Path, tmp_path: Path) -> None:
    # The first site is written into a folder that exists, but is empty.
    site = tmp_path / "site"
    site.mkdir()
    assert terminal.run(site, "--from", small_pieces).status == 0
    (site / "index.html").write_text("earlier", "utf-8")

    # The second one replaces it.
    assert terminal.run(site, "--from", small_pieces).status == 0
    assert (site / "index.html").read_text("utf-8") == "pyodide"


def test_earlier_site_stays_if_the_new_one_cannot_be_built(
    terminal: Terminal, small_pieces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A site was written before. Its page is marked.
    site = tmp_path / "site"
    terminal.run(site, "--from", small_pieces)
    (site / "index.html").write_text("earlier", "utf-8")
    before = sorted(tmp_path.iterdir())

    def fail(_pieces: Pieces, target: Path) -> SiteReport:
        """Build half of a site in the folder `target`, and fail."""
        (target / "index.html").write_text("new", "utf-8")
        raise BuildError("SyntaxError in line 3")

    # The command is run again, and building the next site fails.
    monkeypatch.setattr(lite, "build_site", fail)
    printed = terminal.run(site, "--from", small_pieces)

    # The reason is printed, and below it what the user can do.
    assert printed.status == 2
    reason, advice = printed.errors.splitlines()
    assert reason == "SyntaxError in line 3"
    assert advice == (
        "The site could not be built, for the reason written above."
        " Try again with the pieces fetched anew."
    )

    # The earlier site is as before, and nothing else is left.
    assert (site / "index.html").read_text("utf-8") == "earlier"
    assert sorted(tmp_path.iterdir()) == before


# The marker is the file that lists the files of a site. Here it has another content.
@pytest.mark.parametrize("name", ["notes.txt", MARKER], ids=["another file", "unreadable marker"])
def test_folder_that_is_no_site_is_not_touched(
    terminal: Terminal, small_pieces: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / name).write_text("mine", "utf-8")

    printed = terminal.run(tmp_path / "mine", "--from", small_pieces)

    assert printed.status == 2
    assert "is not empty, and is no site written by scorepad" in printed.errors
    assert (tmp_path / "mine" / name).read_text("utf-8") == "mine"


def test_file_of_the_user_in_an_earlier_site_is_not_lost(
    terminal: Terminal, small_pieces: Path, tmp_path: Path
) -> None:
    # The user has put a file CNAME, with the name of a host, among the files of the site.
    site = tmp_path / "site"
    terminal.run(site, "--from", small_pieces)
    (site / "CNAME").write_text("canasta.example", "utf-8")

    # Another site would replace the whole folder: it is not written.
    printed = terminal.run(site, "--from", small_pieces)
    assert printed.status == 2
    assert f"Beside the site in {site} there is CNAME, which would be lost" in printed.errors
    assert (site / "CNAME").read_text("utf-8") == "canasta.example"


def test_site_cannot_be_written_in_place_of_or_below_a_file(
    terminal: Terminal, small_pieces: Path, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch()

    # The name given for the folder is that of a file.
    printed = terminal.run(file, "--from", small_pieces)
    assert "is not empty" in printed.errors

    # The folder would be below a file.
    printed = terminal.run(file / "site", "--from", small_pieces)
    assert printed.status == 2
    assert printed.errors.startswith("Cannot write ")
    assert printed.errors.endswith("Make room, or name a folder that can be written.\n")


@pytest.mark.parametrize(
    "arguments",
    [[], ["--from", "pieces"], ["site", "--download", "pieces"]],
    ids=["nothing", "pieces", "both"],
)
def test_either_a_site_is_written_or_its_pieces_are_fetched(
    terminal: Terminal, arguments: list[str]
) -> None:
    # `lite DIR --from PIECES` writes a site, `lite --download PIECES` fetches its pieces.
    printed = terminal.run(*arguments)

    assert printed.status == 2
    assert printed.errors.startswith("Name the folder of the site, ")


def test_pieces_are_fetched_into_a_folder(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = []
    monkeypatch.setattr(lite, "download", fetched.append)

    printed = terminal.run("--download", tmp_path, language="it")

    assert printed.status == 0
    assert fetched == [tmp_path]
    # "The pieces are in … The site is written with …"
    expected = (
        f"I pezzi sono in {tmp_path}. Il sito si scrive con «scorepad lite DIR --from {tmp_path}»."
    )
    assert printed.output == f"{expected}\n"


def test_missing_piece_is_named(terminal: Terminal, tmp_path: Path) -> None:
    # The folder of the pieces does not exist. The first piece looked for is Pyodide.
    printed = terminal.run(tmp_path / "site", "--from", tmp_path / "nowhere")

    assert printed.status == 2
    assert printed.errors.startswith(f"{tmp_path}/nowhere/pyodide-")
    assert printed.errors.endswith("is missing. Fill the folder of the pieces with --download.\n")
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_output_of_pip_or_npm_is_printed_above_one_sentence(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, problem: str, language: str
) -> None:
    # A problem is named by a word, such as "no-pip". Each has a sentence in both languages, in which
    # the names of a file and of Python, and a version may stand.
    output = "first line\nlast line\n"
    error = lite.PieceError(problem, output, file="F", python="P", version="1")

    def fail(_folder: Path) -> None:
        """Fail to fetch the pieces of a site, after pip or npm has written two lines."""
        raise error

    monkeypatch.setattr(lite, "download", fail)
    printed = terminal.run("--download", tmp_path, language=language)

    # The lines are printed first.
    assert printed.status == 2
    first, last, sentence = printed.errors.splitlines()
    assert first == "first line"
    assert last == "last line"

    # The sentence is a translation, not the key of one that is missing, such as "cli.no-pip".
    assert not sentence.startswith("cli.")
    assert sentence.endswith(".")

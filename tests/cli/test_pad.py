"""`scorepad pad`: blank score pads to print, as PDF."""

from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.cli.running import refused, shell, shell_without_fork


def test_pad_is_written_to_a_file_named_after_the_variant(tmp_path: Path) -> None:
    done = shell("scorepad pad samba", tmp_path)

    assert done.returncode == 0, done.stderr
    assert done.stdout.decode() == "Scritto samba.pdf\n"  # "samba.pdf written"
    # The page has two pads, to be cut apart. Each says that the match ends at 10,000 points.
    (page,) = PdfReader(tmp_path / "samba.pdf").pages
    assert page.extract_text().count("Samba Traguardo: 10.000") == 2


@pytest.mark.long
def test_pad_with_preset_options_and_copies(tmp_path: Path) -> None:
    command = "scorepad pad classica --preset getty --option target=3000 --copies 4 --lang en"
    done = shell(f"{command} -o card.pdf", tmp_path)

    assert done.returncode == 0, done.stderr
    assert done.stdout.decode() == "Wrote card.pdf\n"
    (page,) = PdfReader(tmp_path / "card.pdf").pages
    assert page.extract_text().count("Target: 3,000") == 4


@pytest.mark.long
def test_pad_in_large_print(tmp_path: Path) -> None:
    done = shell("scorepad pad classica --large", tmp_path)

    assert done.returncode == 0, done.stderr
    assert done.stdout.decode() == "Scritto classica.pdf\n"  # "classica.pdf written"
    # The front has one pad, with a column NOI ("we"). The bonuses are on the other side of the
    # sheet: "Canaste naturali" are natural canastas.
    front, overleaf, *_ = PdfReader(tmp_path / "classica.pdf").pages
    assert front.extract_text().count("NOI") == 1
    assert "Canaste naturali" in overleaf.extract_text()


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "it",
            "Qui non si possono fare PDF, manca weasyprint: aggiungi l'extra pdf con pip install",
        ),
        (
            "en",
            "No PDF can be made here, weasyprint is missing: add the extra pdf with pip install",
        ),
    ],
)
def test_message_where_weasyprint_is_missing(tmp_path: Path, language: str, expected: str) -> None:
    # WeasyPrint makes the PDF. In its place Python finds a module that cannot be imported.
    write_weasyprint(tmp_path, 'raise ModuleNotFoundError("No module", name="weasyprint")')
    command = f"scorepad pad samba --lang {language}"

    message = refused(shell_without_fork(command, tmp_path, PYTHONPATH=str(tmp_path)))

    assert message.startswith(expected)
    assert 'pip install "scorepad[pdf]"' in message


def test_doctor_names_the_extra_that_is_missing(tmp_path: Path) -> None:
    # In place of WeasyPrint Python finds a module that cannot be imported.
    write_weasyprint(tmp_path, 'raise ModuleNotFoundError("No module", name="weasyprint")')
    done = shell_without_fork("scorepad doctor", tmp_path, PYTHONPATH=str(tmp_path))
    assert 'pip install "scorepad[pdf]"' in done.stdout.decode()


def write_weasyprint(folder: Path, code: str) -> None:
    """Write a module that Python imports in place of WeasyPrint if the folder is on its path."""
    (folder / "weasyprint.py").write_text(f"{code}\n", "utf-8")


def test_message_where_a_system_library_is_missing(tmp_path: Path) -> None:
    # WeasyPrint is there, but it needs Pango, which pip does not install.
    write_weasyprint(tmp_path, "raise OSError(\"cannot load library 'libpango-1.0-0'\")")

    message = refused(shell_without_fork("scorepad pad samba", tmp_path, PYTHONPATH=str(tmp_path)))

    assert "libpango-1.0-0" in message
    assert "installa Pango" in message  # "install Pango"

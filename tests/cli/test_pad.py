"""`scorepad pad`: blank score pads from the command line."""

from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.cli.running import refused, shell, start


def test_it_is_written_into_a_file_of_the_name_of_the_variant(tmp_path: Path) -> None:
    done = shell("scorepad pad samba", tmp_path)
    assert (done.returncode, done.stdout.decode()) == (0, "Scritto samba.pdf\n"), done.stderr
    (page,) = PdfReader(tmp_path / "samba.pdf").pages
    assert page.extract_text().count("Samba Traguardo: 10.000") == 2


@pytest.mark.long
def test_codification_options_and_copies_can_be_chosen(tmp_path: Path) -> None:
    line = (
        "scorepad pad classica --preset getty --option target=3000 --copies 4 --lang en -o card.pdf"
    )
    done = shell(line, tmp_path)
    assert (done.returncode, done.stdout.decode()) == (0, "Wrote card.pdf\n"), done.stderr
    (page,) = PdfReader(tmp_path / "card.pdf").pages
    assert page.extract_text().count("Target: 3,000") == 4


@pytest.mark.long
def test_one_can_be_printed_in_large_letters(tmp_path: Path) -> None:
    done = shell("scorepad pad classica --large", tmp_path)
    assert (done.returncode, done.stdout.decode()) == (0, "Scritto classica.pdf\n"), done.stderr
    first, *overleaf = PdfReader(tmp_path / "classica.pdf").pages
    assert first.extract_text().count("NOI") == 1
    assert "Canaste naturali" in overleaf[0].extract_text()


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
def test_without_the_extra_for_pdf_a_line_says_what_to_add(
    tmp_path: Path, language: str, expected: str
) -> None:
    missing = 'raise ModuleNotFoundError("No module", name="weasyprint")\n'
    (tmp_path / "weasyprint.py").write_text(missing, "utf-8")
    command = f"scorepad pad samba --lang {language}"
    message = refused(start(command, tmp_path, PYTHONPATH=str(tmp_path)))
    assert message.startswith(expected)
    assert 'pip install "scorepad[pdf]"' in message

    doctor = start(f"scorepad doctor --lang {language}", tmp_path, PYTHONPATH=str(tmp_path))
    assert 'pip install "scorepad[pdf]"' in doctor.stdout.decode()


def test_where_a_library_of_the_system_is_missing_a_line_names_it(tmp_path: Path) -> None:
    missing = "raise OSError(\"cannot load library 'libpango-1.0-0'\")\n"
    (tmp_path / "weasyprint.py").write_text(missing, "utf-8")
    message = refused(start("scorepad pad samba", tmp_path, PYTHONPATH=str(tmp_path)))
    assert "libpango-1.0-0" in message
    assert "installa Pango" in message

"""`scorepad pad`: blank score pads from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.cli.running import refused, shell


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


@pytest.mark.quick(2)
@pytest.mark.parametrize(("line", "says"), [
    ("pad burraco", "la variante burraco non esiste; si può scegliere tra classica, due"),
    ("pad samba --preset giochi", "questa variante non ha codificazioni"),
    ("pad samba --option wild-limit=two", "questa variante non ha l'opzione wild-limit"),
    ("pad classica --option wild-limit=4", "il valore 4 non va bene"),
    ("pad classica --option target=1", "un numero intero da 500 in su"),
    ("pad classica --option target", "serve un'opzione con il suo valore, per esempio wild-limit=three"),
    ("pad classica --copies 3", "--copies"),
    ("pad classica -o ''", "Il nome dato per -o è vuoto"),
    ("pad classica -o .", "è una cartella"),
])  # fmt: skip
def test_what_cannot_be_printed_is_told(tmp_path: Path, line: str, says: str) -> None:
    assert says in refused(shell(f"scorepad {line}", tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_one_can_be_printed_in_large_letters(tmp_path: Path) -> None:
    done = shell("scorepad pad classica --large", tmp_path)
    assert (done.returncode, done.stdout.decode()) == (0, "Scritto classica.pdf\n"), done.stderr
    first, *overleaf = PdfReader(tmp_path / "classica.pdf").pages
    assert first.extract_text().count("NOI") == 1
    assert "Canaste naturali" in overleaf[0].extract_text()

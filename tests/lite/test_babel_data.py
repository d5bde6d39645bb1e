"""With Babel's data cut down, pages show the same dates and numbers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import babel
import pytest

from scorepad.lite.babel_data import cut_babel_data

PRINT_DATE_AND_NUMBER = """
from datetime import date
from scorepad.i18n import words
for language in ("it", "en"):
    texts = words(language)
    print(texts.day(date(2026, 8, 15)), texts.figure(12345))
"""


@pytest.fixture
def libraries(tmp_path: Path) -> Path:
    """Copy Babel, cut down its data of the world's languages, and return the folder."""
    shutil.copytree(Path(babel.__file__).parent, tmp_path / "babel")
    cut_babel_data(tmp_path)
    return tmp_path


@pytest.mark.parametrize("data", ["global.dat", "locale-data/it.dat", "locale-data/en.dat"])
def test_less_than_half_of_the_data_is_left(libraries: Path, data: str) -> None:
    whole_size = (Path(babel.__file__).parent / data).stat().st_size
    cut_size = (libraries / "babel" / data).stat().st_size
    assert cut_size < whole_size / 2


def test_dates_and_numbers_are_the_same(libraries: Path) -> None:
    # A process of its own prints a date and a number in Italian and English, with all of the data.
    command = [sys.executable, "-c", PRINT_DATE_AND_NUMBER]
    with_all = subprocess.run(command, capture_output=True, text=True, check=True)

    # Another one imports the copy of Babel instead.
    environment = os.environ | {"PYTHONPATH": str(libraries)}
    with_cut = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)

    assert with_cut.stdout == with_all.stdout
    assert "15 agosto 2026 12.345" in with_all.stdout

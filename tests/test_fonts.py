"""The fonts of the tests: those that their configurations name are on the machine, and no others
are used.
"""

import os
import subprocess
from pathlib import Path

import pytest

from tests import fonts


@pytest.mark.parametrize(
    ("config", "family"), [(fonts.PHONE, "Roboto"), (fonts.DESKTOP, "DejaVu Sans")]
)
@pytest.mark.parametrize("wanted", ["system\\-ui", "sans\\-serif", "A font that nobody has"])
def test_text_is_set_in_the_font_of_the_device(config: Path, family: str, wanted: str) -> None:
    found = subprocess.run(
        ["fc-match", "--format=%{family}", wanted],
        env={**os.environ, "FONTCONFIG_FILE": str(config)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == family, "the packages that README.md installs for the tests bring it"

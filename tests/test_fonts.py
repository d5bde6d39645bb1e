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
@pytest.mark.parametrize(
    "requested_family", ["system\\-ui", "sans\\-serif", "A font that nobody has"]
)
def test_font_configuration_uses_the_font_of_the_device(
    config: Path, family: str, requested_family: str
) -> None:
    # A phone shows Roboto, a desktop DejaVu Sans, whichever font a page asks for. `fc-match` tells
    # which it is. This needs the packages that README.md installs for the tests.
    fc_match = subprocess.run(
        ["fc-match", "--format=%{family}", requested_family],
        env={**os.environ, "FONTCONFIG_FILE": str(config)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert fc_match.stdout == family

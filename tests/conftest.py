"""What holds for every test: no home folder of the person running them, and searches that can be repeated."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same hands at every run, so that a failure is the change's own; `soak` looks further, with new ones.
settings.register_profile(
    "default", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("soak", settings.get_profile("default"), derandomize=False, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session", autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home folder for this run: no test may find or touch the matches of whoever runs it."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            patch.delenv(name, raising=False)
        for name in [name for name in os.environ if name.startswith(("SCOREPAD_", "FLASK_"))]:
            patch.delenv(name)
        yield home


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder that holds `pyproject.toml`."""
    return Path(__file__).resolve().parent.parent

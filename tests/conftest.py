"""What holds for every test: no home folder of whoever runs them, searches that can be repeated,
one browser.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import fonts
from tests.compiled import share_templates
from tests.examples import ALL, LONG, search, searches_further

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

# Without windows the browser needs a third of the processor's time.
CHROMIUM = (
    shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium"
)
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]

os.environ["FONTCONFIG_FILE"] = str(fonts.DESKTOP)  # for papers, and whatever a test starts

COVERED = ("tests/rules/", "tests/rulings/", "tests/schemas/")
"""Tests whose coverage of the rules is measured."""
MEMORY, ROOM = Path("/dev/shm"), 2 * 2**30  # noqa: S108 - pytest makes a folder of its own there
# Saving waits for the disk each time, and thousands of saves are most of a run: where there is room
# for the files of the tests in memory they stand there. What is to be on a disk asks for it
# (`on_disk`).
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# The command is started hundreds of times, and would be compiled each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same hands at every run, so that a failure is caused by the change. Set
# HYPOTHESIS_PROFILE=soak to search further with new hands at every run.
settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "soak", settings.get_profile("default"), derandomize=False, max_examples=5000
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_configure(config: pytest.Config) -> None:
    """Let `-m long` select none of the tests that are run by hand."""
    if config.option.markexpr == "long":
        config.option.markexpr = "long and not full and not soak and not bench"
        search(LONG)
    if "HYPOTHESIS_PROFILE" in os.environ:
        search(ALL)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test marked `fonts` with the fonts of a phone, and with those of a desktop, whose
    letters are wider.
    """
    if metafunc.definition.get_closest_marker("fonts"):
        sets = {"phone": fonts.PHONE, "desktop": fonts.DESKTOP}
        metafunc.parametrize(
            "browsers", sets.values(), ids=sets.keys(), indirect=True, scope="session"
        )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Divide the tests into the default run and the `long` half.

    A test in Chromium is long unless it is marked `quick`; of a parametrized test marked `quick(n)`
    the first n cases are in the default run. A Hypothesis test is in both halves: with a tenth of
    its examples in the default run, with a quarter of them in the other, and with all of them where
    HYPOTHESIS_PROFILE is set.
    """
    cases: Counter[str] = Counter()
    for item in items:
        function, quick = item.nodeid.partition("[")[0], item.get_closest_marker("quick")
        cases[function] += 1
        if quick is None:
            is_long = "browsers" in getattr(item, "fixturenames", ())
        else:
            is_long = bool(quick.args) and cases[function] > quick.args[0]
        is_search = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        if searches_further():
            is_long = is_long or is_search
            # The worked cases cover the rules. Under the tracer, long searches and browsers take
            # twice as long.
            if is_search or not item.nodeid.startswith(COVERED):
                item.add_marker(pytest.mark.no_cover)
        if is_long:
            item.add_marker(pytest.mark.long)
        if item.nodeid.startswith(COVERED) and not is_search:
            item.add_marker(pytest.mark.rules)


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


share_templates()


@pytest.fixture
def on_disk() -> Iterator[Path]:
    """A folder on a disk, for what is proved or measured of disks."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="scorepad-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder that holds `pyproject.toml`."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright, one for the whole run: it bears only one of itself at a time in a process."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browsers(
    playwright: Playwright, request: pytest.FixtureRequest
) -> Iterator[Callable[[], Browser]]:
    """Debian's Chromium with the fonts of a phone; for tests marked `fonts` also with those of a
    desktop. Each call returns the browser that runs: one that crashed is replaced, so that the
    test at which it happened is the only one that fails.
    """
    font_config = getattr(request, "param", fonts.PHONE)
    with ExitStack() as started:
        running = started.enter_context(chromium(playwright, font_config))

        def get_running_browser() -> Browser:
            nonlocal running
            if not can_open_pages(running):
                running = started.enter_context(chromium(playwright, font_config))
            return running

        yield get_running_browser


@pytest.fixture
def browser(browsers: Callable[[], Browser]) -> Browser:
    """The browser of `browsers` that runs."""
    return browsers()


def can_open_pages(browser: Browser) -> bool:
    """Whether a browser still runs: a context is opened, because one that crashed may not have
    been reported as disconnected yet.
    """
    from playwright.sync_api import Error

    try:
        browser.new_context().close()
    except Error:
        return False
    return True


@contextmanager
def chromium(
    playwright: Playwright, font_config: Path, flags: Sequence[str] = ()
) -> Iterator[Browser]:
    """Chromium with the fonts of this configuration, and with further flags."""
    environment = {**os.environ, "FONTCONFIG_FILE": str(font_config)}
    arguments = [*CHROMIUM_FLAGS, *flags]
    started = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments, env=environment)
    try:
        yield started
    finally:
        started.close()

"""The matches, house rules and devices that the search attacks."""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scorepad.app import STORAGE, Config, create_app, key_path
from scorepad.rules.variants import offer_own_variants
from scorepad.web.cookies import DEVICE_COOKIE, WRITE_COOKIE
from tests.browser.tables import lay
from tests.cookies import KEY, admin_cookie
from tests.data import read_data
from tests.soak.costs.browser import Browser
from tests.soak.costs.measuring import MeasuredServer
from tests.web.conftest import setup_of
from tests.web.playing import match_of

FOLDER = Path(__file__).parent
HOUSE = (FOLDER / "casa.toml").read_text("utf-8")
"""House rules that are there from the start."""
EXAMPLES: dict[str, Any] = read_data(FOLDER / "examples.json")
"""What programs send: `begun` is a match, `hands` are hands, `totals` is a side of one, and `added` are
keys of a side that the worked cases may lack.
"""
GAMES = ("mini", "moderna", "tagliagola", "hand-and-foot", "canastone", "samba", "casa")
"""Games whose hand has other fields."""


@dataclass(frozen=True)
class Match:
    """A match of the prepared file: its id and its key to write."""

    id: str
    key: str


@dataclass
class Table:
    """The prepared folder with its matches, by what they are for."""

    folder: Path
    matches: dict[str, Match]
    urls: dict[str, str] = field(default_factory=dict)
    """Their addresses."""
    home_key: str = "unused"
    """The key of a link that gives every match to the browser that uses it first."""
    cookies: dict[str, dict[str, str]] = field(default_factory=dict)
    """Of the phone of each person, by name."""

    def owner(self, server: MeasuredServer) -> Browser:
        """The browser of the owner of every match, at home."""
        own = {"scorepad_admin": admin_cookie(), **self.cookies.get("owner", {})}
        return Browser(server, own)


def prepare(folder: Path) -> Table:
    """A data file with the matches of `tests/browser/tables.py`, one of each game and house rules, in
    a folder that is copied for each start of a server.
    """
    prepared = folder / "prepared"
    (prepared / "variants").mkdir(parents=True, mode=0o700)
    (prepared / "variants" / "casa.toml").write_text(HOUSE, "utf-8")
    data = prepared / "scorepad.db"
    key_path(data).write_bytes(KEY)
    app = create_app(Config(data, KEY, limited=False))
    offer_own_variants(prepared / "variants")
    try:
        tables = lay(app, setup_of(app).pad)
        for game in GAMES:
            tables.begin(game, game)
    finally:
        offer_own_variants(None)
        app.extensions[STORAGE].close()
    matches = {}
    for name, url in tables.urls.items():
        key = tables.owner.raw.get_cookie(WRITE_COOKIE, path=url)
        if url.startswith("/partite/") and key is not None:
            matches[name] = Match(match_of(url), key.value)
    cookies = {
        who: {DEVICE_COOKIE: phone.cookie(DEVICE_COOKIE)} for who, phone in tables.phones.items()
    }
    return Table(prepared, matches, tables.urls, _make_home_key(data), cookies)


def _make_home_key(data: Path) -> str:
    command = [sys.executable, "-m", "scorepad", "link", "--admin", "--data", str(data)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"/casa/(\w+)", told)
    assert found, told
    return found[1]

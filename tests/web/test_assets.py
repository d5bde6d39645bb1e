"""Static files: how long browsers keep them, that scripts of two versions never meet, and that no
pattern in them runs away.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from urllib.parse import urljoin

import pytest

from scorepad import assets
from scorepad.app import Config, create_app, factory
from tests.web.client import Client
from tests.web.weights import IMPORTED


def serve(folder: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A client of a pad that serves the static files of this folder."""
    monkeypatch.setattr(factory, "static_dir", lambda: folder)
    return Client(create_app(Config(data, b"k" * 32, testing=True)))


def test_a_script_imports_others_by_their_relative_url() -> None:
    scripts = sorted(assets.static_dir().rglob("*.js"))
    assert scripts
    for script in scripts:
        for url in IMPORTED.findall(script.read_text(encoding="utf-8")):
            imported = script.parent / url
            assert url.startswith("./"), script.name
            assert imported.is_file(), script.name


def test_a_changed_script_is_never_mixed_with_one_that_a_browser_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "static"
    shutil.copytree(assets.static_dir(), folder)
    before = serve(folder, tmp_path / "before.db", monkeypatch)
    old_url = before.get("/").all("script")[0]["src"]

    changed_script = "export const isChanged = true;\n"
    (folder / "dom.js").write_text(changed_script, encoding="utf-8")
    after = serve(folder, tmp_path / "after.db", monkeypatch)
    new_url = after.get("/").all("script")[0]["src"]

    assert new_url != old_url
    assert "max-age=34560000" in after.raw.get(new_url).headers["Cache-Control"]
    # The URL of an imported script has the digest of the script that imports it.
    assert after.raw.get(urljoin(new_url, "./dom.js")).text == changed_script
    assert after.raw.get(urljoin(old_url, "./dom.js")).status_code == 404


def test_without_a_digest_browsers_ask_each_time_whether_a_file_is_current(client: Client) -> None:
    first = client.raw.get("/static/dom.js")
    assert first.headers["Cache-Control"] == "no-cache"

    headers = {"If-None-Match": first.headers["ETag"]}
    second = client.raw.get("/static/dom.js", headers=headers)
    assert second.status_code == 304


SCRIPT = """\
// The keys of a hand.
import { find } from "./dom.js";

/**
 * The first card of a meld: `4xK 2` → `K`.
 *
 * // A line within another comment.
 */
export function firstCard(meld) {
  // A meld is a line of text.
  const url = "https://example.org"; // behind code
  /** @type {string[]} */
  const cards = /** @type {string[]} */ (split(meld));
  /** @type {string[]} */ (cards).sort();
  return cards[0];
}
"""
SENT_SCRIPT = """\

import { find } from "./dom.js";






export function firstCard(meld) {

  const url = "https://example.org"; // behind code

  const cards = /** @type {string[]} */ (split(meld));
  /** @type {string[]} */ (cards).sort();
  return cards[0];
}
"""


def test_a_script_is_sent_without_its_comments_and_with_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "keys.js").write_text(SCRIPT, encoding="utf-8")
    client = serve(folder, tmp_path / "matches.db", monkeypatch)

    answer = client.raw.get("/static/keys.js")
    assert answer.text == SENT_SCRIPT
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"

    part = client.raw.get("/static/keys.js", headers={"Range": "bytes=1-6"})
    assert part.status_code == 206
    assert part.text == "import"


@pytest.mark.parametrize(
    "name", ["nothing.js", "vendor", "dom.js/x.js", "%00.js", "x" * 5000 + ".js"]
)
def test_a_script_that_does_not_exist_is_not_found(client: Client, name: str) -> None:
    assert client.raw.get(f"/static/{name}").status_code == 404


REGULAR_EXPRESSION = re.compile(
    r"(?<=[(,=:\[!&|?])\s*/(?![/*])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n\[])+)/[a-z]*"
)
"""A regular expression as JavaScript writes it, where a value may stand."""
PATTERNS = {
    r"^([\s\S]*\s)?(?:([0-9]{1,2})[xX])?(\S+)\s*$": "cards that are typed: the last word, from the last blank on",
    r"^(?:[0-9]{1,2}x)?(10|[AKQJ2-9])(?![0-9hdsc])": "the first card of a meld, anchored",
    r"[0-9]$": "the last character of a figure that is typed",
    r"[0-9]": "a key of the keypad",
    r"[0-9][+x×*][0-9]": "a sum or a product that is typed: three characters",
    r"[\s.,']": "a figure that is typed: one character at a time",
    r"[+x×*]$": "the last character of a figure that is typed",
    r"^[-−]": "its first character",
    r"[x×*]": "a product that is typed: one character at a time",
    r"\s+": "cards that are typed: the blanks between them",
    r"^\d{1,2}x": "how many of a card, anchored",
    r"\{(\w+)\}": "the placeholders of a text of the page: letters between braces, then one brace",
    r"^(name|player)-": "the name of a field, anchored",
    r'filename="?([^";]+)"?': "the header of the pad that names a file: no quote repeats",
    r"^([abc]\.|(out|single)$)": "the name of a field, anchored",
    r"[↑↓]": "the arrow of the bar: one character",
    r"[ /]+$": "cards that are typed: blanks at the end of a line of a thousand characters at most",
}
"""Every regular expression of the scripts, and what it runs on. None repeats what repeats already.
"""


def test_no_regular_expression_of_the_scripts_can_run_away() -> None:
    """One that repeats a group in which something repeats, such as `(a+)*`, may try two to the n
    ways.
    """
    scripts = "\n".join(path.read_text("utf-8") for path in assets.static_dir().glob("*.js"))
    repeats_a_group = re.compile(r"\)[*+{]")
    repeats_what_repeats = re.compile(r"[*+}][*+{]")

    assert "RegExp(" not in scripts
    assert set(REGULAR_EXPRESSION.findall(scripts)) == set(PATTERNS)
    for pattern in PATTERNS:
        assert not repeats_a_group.search(pattern), pattern
        assert not repeats_what_repeats.search(pattern), pattern

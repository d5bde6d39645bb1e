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


def client_of_static_folder(folder: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Create an app that serves the static files of this folder. Returns a client of it."""
    monkeypatch.setattr(factory, "static_dir", lambda: folder)
    return Client(create_app(Config(data, b"k" * 32, testing=True)))


def test_scripts_import_each_other_by_relative_url() -> None:
    scripts = sorted(assets.static_dir().rglob("*.js"))
    assert scripts

    # The address of a script changes with its content. A relative import, such as "./dom.js", is
    # right wherever the script stands.
    for script in scripts:
        for url in IMPORTED.findall(script.read_text(encoding="utf-8")):
            assert url.startswith("./"), script.name
            assert (script.parent / url).is_file(), script.name


def test_changed_script_changes_urls_of_all_scripts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A browser caches the scripts of the version that is installed now.
    folder = tmp_path / "static"
    shutil.copytree(assets.static_dir(), folder)
    old_client = client_of_static_folder(folder, tmp_path / "before.db", monkeypatch)
    old_url = old_client.get("/").all("script")[0]["src"]

    # A new version is installed, in which only dom.js is different.
    changed_script = "export const isChanged = true;\n"
    (folder / "dom.js").write_text(changed_script, encoding="utf-8")
    new_client = client_of_static_folder(folder, tmp_path / "after.db", monkeypatch)
    new_url = new_client.get("/").all("script")[0]["src"]

    # The first script of the page gets a new address too, although it has not changed.
    assert new_url != old_url
    cache_control = new_client.raw.get(new_url).headers["Cache-Control"]
    assert "max-age=34560000" in cache_control  # 400 days

    # The folder in the address is a digest of all static files. So a script that imports "dom.js"
    # never gets the old one from the cache.
    assert new_client.raw.get(urljoin(new_url, "./dom.js")).text == changed_script
    assert new_client.raw.get(urljoin(old_url, "./dom.js")).status_code == 404


def test_static_file_without_digest_is_revalidated_by_etag(client: Client) -> None:
    # The address has no digest, so the browser must ask each time whether the file has changed.
    first = client.raw.get("/static/dom.js")
    assert first.headers["Cache-Control"] == "no-cache"

    headers = {"If-None-Match": first.headers["ETag"]}
    second = client.raw.get("/static/dom.js", headers=headers)
    assert second.status_code == 304  # not modified


SCRIPT_WITH_COMMENTS = """\
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
# Of a comment on lines of its own the line breaks are left. One beside code stays.
SCRIPT_WITHOUT_COMMENTS = """\

import { find } from "./dom.js";






export function firstCard(meld) {

  const url = "https://example.org"; // behind code

  const cards = /** @type {string[]} */ (split(meld));
  /** @type {string[]} */ (cards).sort();
  return cards[0];
}
"""


def test_script_is_sent_without_comments_and_with_same_line_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "keys.js").write_text(SCRIPT_WITH_COMMENTS, encoding="utf-8")
    client = client_of_static_folder(folder, tmp_path / "matches.db", monkeypatch)

    answer = client.raw.get("/static/keys.js")
    assert answer.text == SCRIPT_WITHOUT_COMMENTS
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"

    # A part of the file is counted without the comments too: byte 0 is the empty first line.
    partial = client.raw.get("/static/keys.js", headers={"Range": "bytes=1-6"})
    assert partial.status_code == 206  # partial content
    assert partial.text == "import"


@pytest.mark.parametrize(
    "name",
    ["nothing.js", "vendor", "dom.js/x.js", "%00.js", "x" * 5000 + ".js"],
    ids=["unknown name", "folder", "below a file", "null byte", "very long name"],
)
def test_unknown_script_is_not_found(client: Client, name: str) -> None:
    assert client.raw.get(f"/static/{name}").status_code == 404


REGULAR_EXPRESSION = re.compile(
    r"(?<=[(,=:\[!&|?])\s*/(?![/*])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n\[])+)/[a-z]*"
)
"""A regular expression as JavaScript writes it, where a value may stand."""
KNOWN_PATTERNS = {
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


def test_regular_expressions_of_scripts_take_linear_time() -> None:
    scripts = "\n".join(path.read_text("utf-8") for path in assets.static_dir().glob("*.js"))

    # All patterns are literals, so that they are found here, and all are listed above.
    assert "RegExp(" not in scripts
    assert set(REGULAR_EXPRESSION.findall(scripts)) == set(KNOWN_PATTERNS)

    # A repeated group in which something repeats, such as `(a+)*`, may take exponential time.
    repeated_group = re.compile(r"\)[*+{]")
    repeated_repetition = re.compile(r"[*+}][*+{]")
    for pattern in KNOWN_PATTERNS:
        assert not repeated_group.search(pattern), pattern
        assert not repeated_repetition.search(pattern), pattern

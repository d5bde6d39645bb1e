"""Static files: how long browsers keep them, and that scripts of two versions never meet."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from urllib.parse import urljoin

import pytest

from scorepad import assets
from scorepad.app import Config, create_app, factory
from tests.web.client import Client

IMPORTED = re.compile(r"""(?:^import|\bfrom)\s+["']([^"']+)["']""", re.MULTILINE)


def test_a_script_imports_others_by_their_relative_url() -> None:
    folder = assets.static_dir()
    scripts = sorted(folder.rglob("*.js"))
    assert scripts
    for script in scripts:
        for url in IMPORTED.findall(script.read_text(encoding="utf-8")):
            assert url.startswith("./"), script.name
            assert (script.parent / url).is_file(), (script.name, url)


def test_a_changed_script_is_never_mixed_with_one_that_a_browser_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "static"
    shutil.copytree(assets.static_dir(), folder)
    monkeypatch.setattr(factory, "static_dir", lambda: folder)

    def start_server(name: str) -> Client:
        return Client(create_app(Config(tmp_path / name, b"k" * 32, testing=True)))

    before = start_server("before.db")
    (folder / "dom.js").write_text("export const isChanged = true;\n", encoding="utf-8")
    after = start_server("after.db")
    kept, changed = (client.get("/").all("script")[0]["src"] for client in (before, after))
    assert kept != changed
    assert "max-age=34560000" in after.raw.get(changed).headers["Cache-Control"]
    # The URL of an imported script has the digest of the script that imports it.
    assert after.raw.get(urljoin(changed, "./dom.js")).text == "export const isChanged = true;\n"
    assert after.raw.get(urljoin(kept, "./dom.js")).status_code == 404


def test_without_a_digest_browsers_ask_each_time_whether_a_file_is_current(client: Client) -> None:
    answer = client.raw.get("/static/dom.js")
    assert answer.headers["Cache-Control"] == "no-cache"
    again = client.raw.get("/static/dom.js", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304

"""Builds the static site in which the pad runs alone in a browser.

| path below the site | content |
|---|---|
| `index.html`, `service-worker.js` | the shell, and what serves it without a network |
| `scripts-…/` | the scripts and the style sheet of the shell |
| `archive-….gz` | the application and its libraries as bytecode |
| `pyodide-…/`, `solver-…/` | Python and HiGHS, compiled to WebAssembly |
| `app/static/…/` | the static files of the application |
| `icons-…/`, `app-it-….webmanifest`, `licences.txt` | |

All but the first two have a digest in their path: a file never changes under its name.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from scorepad import __version__
from scorepad.app.factory import Config, create_app
from scorepad.assets import fonts_dir, static_dir, templates_dir
from scorepad.errors import ScorepadError
from scorepad.i18n import LANGUAGES, words
from scorepad.lite.babel_data import cut_babel_data
from scorepad.lite.licences import describe_licences
from scorepad.web import base

if TYPE_CHECKING:
    from flask import Flask

    from scorepad.lite.pieces import Pieces

_HERE = Path(__file__).resolve().parent
_PACKAGE = _HERE.parent
_DIGEST_LENGTH = 10
_GZIP_LEVEL = 9
_MOST_LINES = 20
_LONGEST_LINE = 300
MARKER = "scorepad-site.json"
"""The file by which a site is recognised; it has the version, and the paths of all others."""
_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
"""The policy of the shell: nothing outside the site is asked, and WebAssembly may be compiled."""
SHELL_TEXTS = (
    "again",
    "close",
    "elsewhere",
    "failed",
    "loading",
    "new-version",
    "opening",
    "starting",
    "take-over",
    "unsupported",
    "use-version",
)
"""The messages of the shell, without `lite.` before them."""
_ICONS = ("icon.svg", "icon-192.png", "icon-512.png")
_PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
_STANDARD_LIBRARY = "python_stdlib.zip"
_LOCK = "pyodide-lock.json"
_SOLVER_FILES = ("highs.mjs", "highs.wasm")
_LOCALES_OF_DATES = {"root", "en", "en_001", "en_GB", "it"}
"""The locales of Babel that the pages use."""
_NOT_IN_BROWSER = (
    # Of the libraries: catalogues, and what only other programs import.
    "babel/messages/",
    "annotated_types/test_cases",
    "click/_termui_impl",
    "click/_winconsole",
    "click/shell_completion",
    "dateutil/rrule",
    "dateutil/tz/win",
    "dateutil/zoneinfo/",
    "jinja2/nativetypes",
    "jinja2/sandbox",
    "pydantic/color",
    "pydantic/experimental/",
    "pydantic/mypy",
    "pydantic/networks",
    "pydantic/v1/",
    "pytz/zoneinfo/",
    "segno/cli",
    "segno/helpers",
    "sqlite_utils/cli",
    "werkzeug/_reloader",
    "werkzeug/debug/",
    "werkzeug/middleware/http_proxy",
    "werkzeug/middleware/lint",
    "werkzeug/middleware/profiler",
    "werkzeug/middleware/shared_data",
    "werkzeug/testapp",
    "wtforms/locale/",
    # Of this package: the command line, the server, PDF, and what builds this site.
    "scorepad/cli/",
    "scorepad/lite/babel_data",
    "scorepad/lite/build",
    "scorepad/lite/compiling/",
    "scorepad/lite/licences",
    "scorepad/lite/pieces",
    "scorepad/lite/site/",
    "scorepad/sheets/fonts/",
)
"""Beginnings of paths that are not in the archive."""
_NOT_IN_BROWSER_ENDINGS = (".pyi", ".c", ".h", ".pyx", ".po", ".pot", ".so", ".typed")
_STEMMERS = ("among", "basestemmer", "english_stemmer", "italian_stemmer", "__init__")
"""The modules of snowballstemmer for the languages of the pages."""
_EMPTIED = ("snowballstemmer/__init__.py",)
"""Modules of libraries that would import all others."""
_BROWSER_LIBRARY = "wasm32-emscripten.so"


class BuildError(ScorepadError):
    """Pyodide could not compile the archive; `detail` is what it wrote."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class SiteReport(NamedTuple):
    """How large a site is, in bytes; `compressed` is what a host sends if it uses gzip."""

    files: int
    size: int
    compressed: int


class _Site:
    """The files of a site that is being built, by their path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sizes: dict[str, int] = {}
        self.compressed = 0

    def add(self, path: str, content: bytes) -> None:
        """Write a file of the site."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        self.sizes[path] = len(content)
        compressed = gzip.compress(content, _GZIP_LEVEL)
        self.compressed += min(len(compressed), len(content))

    def add_folder(self, name: str, contents: Mapping[str, bytes]) -> str:
        """Write files into a folder whose name has their digest, and return its path: `name-…/`."""
        digest = hashlib.sha256()
        for file_name, content in sorted(contents.items()):
            digest.update(file_name.encode())
            digest.update(hashlib.sha256(content).digest())
        folder = f"{name}-{digest.hexdigest()[:_DIGEST_LENGTH]}/"
        for file_name, content in contents.items():
            self.add(folder + file_name, content)
        return folder

    def add_with_digest(self, name: str, ending: str, content: bytes) -> str:
        """Write a file whose name has its digest, and return its path: `name-….ending`."""
        path = f"{name}-{_digest(content)}{ending}"
        self.add(path, content)
        return path


def build_site(pieces: Pieces, target: Path) -> SiteReport:
    """Build the site into an empty folder. Raises BuildError, and OSError if it cannot be written."""
    site = _Site(target)
    with TemporaryDirectory(prefix="scorepad-site-") as work:
        compiled = _compile(pieces, Path(work))
    shell: dict[str, Any] = {
        "archive": site.add_with_digest("archive", ".gz", compiled.archive),
        "pyodide": site.add_folder("pyodide", _read_pyodide(pieces.pyodide, compiled)),
        "solver": site.add_folder("solver", _read_files(pieces.highs / "build", _SOLVER_FILES)),
        "scripts": site.add_folder("scripts", _read_scripts()),
    }
    icons = site.add_folder("icons", _read_files(static_dir(), _ICONS))
    shell["manifests"] = _add_manifests(site, icons)
    _add_static_files(site)
    site.add("licences.txt", describe_licences(pieces).encode())

    shell["version"] = _digest(json.dumps([sorted(site.sizes), __version__]).encode())
    shell["texts"] = _collect_texts()
    site.add("index.html", _fill_shell_page(shell, icons).encode())
    site.add("service-worker.js", _write_service_worker(site, shell["version"]).encode())
    marker = {"scorepad": __version__, "site": shell["version"], "files": sorted(site.sizes)}
    site.add(MARKER, json.dumps(marker).encode())
    return SiteReport(len(site.sizes), sum(site.sizes.values()), site.compressed)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGEST_LENGTH]


def _read_files(folder: Path, names: Iterable[str]) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in names}


# ---------------------------------------------------------------- what Pyodide compiles


class _Compiled(NamedTuple):
    """Bytecode of the Python that runs in the browser."""

    archive: bytes
    """The application and its libraries, compressed."""
    standard_library: bytes


def _compile(pieces: Pieces, work: Path) -> _Compiled:
    """Compile the application, its libraries and the standard library inside Pyodide."""
    source = work / "source"
    source.mkdir()
    for wheel in pieces.wheels:
        _unpack_wheel(wheel, source)
    cut_babel_data(source)
    _copy_package(source)
    scripts = _HERE / "compiling"
    command = [
        pieces.node,
        scripts / "compile.mjs",
        pieces.pyodide,
        source,
        work,
        # In this order: the first looks at what Pyodide has imported, both add to the archive.
        scripts / "compile_standard_library.py",
        scripts / "compile_templates.py",
        scripts / "compile_archive.py",
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if result.returncode != 0:
        raise BuildError(_shorten(result.stderr))
    archive = (work / "archive").read_bytes()
    return _Compiled(
        archive=gzip.compress(archive, _GZIP_LEVEL, mtime=0),
        standard_library=(work / _STANDARD_LIBRARY).read_bytes(),
    )


def _shorten(output: str) -> str:
    """Return the last lines that a program has written; a line of Pyodide may have a megabyte."""
    lines = output.strip().splitlines()[-_MOST_LINES:]
    return "\n".join(line[:_LONGEST_LINE] for line in lines)


def _unpack_wheel(wheel: Path, target: Path) -> None:
    """Unpack what the browser needs of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if _is_for_browser(name):
                archive.extract(name, target)
            if name in _EMPTIED:
                (target / name).write_bytes(b"")


def _is_for_browser(name: str) -> bool:
    """Tell whether a file of a library or of this package is needed in the browser."""
    path = Path(name)
    if ".dist-info" in path.parts[0]:
        return False
    if path.parts[0] == "snowballstemmer":
        return path.stem in _STEMMERS
    if name.startswith("babel/locale-data/"):
        return path.stem in _LOCALES_OF_DATES
    if name.endswith(_BROWSER_LIBRARY):
        return True
    if "tests" in path.parts or name.endswith(_NOT_IN_BROWSER_ENDINGS):
        return False
    return not name.startswith(_NOT_IN_BROWSER)


def _copy_package(target: Path) -> None:
    """Copy this package, with its templates and static files, as it stands in a wheel."""
    for path in _PACKAGE.rglob("*"):
        name = path.relative_to(_PACKAGE.parent).as_posix()
        if path.is_file() and path.parent.name != "__pycache__" and _is_for_browser(name):
            _copy_file(path, target / name)
    for folder in (templates_dir(), static_dir()):
        shutil.copytree(folder, target / "scorepad" / folder.name, dirs_exist_ok=True)
    # The solver is imported by the name that it has elsewhere, the importer before the package.
    for name in ("highspy.py", "archive_importer.py"):
        _copy_file(_HERE / "inside" / name, target / name)


def _copy_file(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


# ---------------------------------------------------------------- Python


def _read_pyodide(folder: Path, compiled: _Compiled) -> dict[str, bytes]:
    """Read the files of Pyodide, with the standard library as bytecode.

    Its list of packages is emptied, because none is loaded by it.
    """
    contents = _read_files(folder, _PYODIDE_FILES)
    contents[_STANDARD_LIBRARY] = compiled.standard_library
    lock = json.loads((folder / _LOCK).read_text(encoding="utf-8"))
    lock["packages"] = {}
    contents[_LOCK] = json.dumps(lock).encode()
    return contents


# ---------------------------------------------------------------- the static files


def _add_static_files(site: _Site) -> None:
    """Add the static files of the application, as it would send them."""
    with TemporaryDirectory(prefix="scorepad-site-") as folder:
        key = b"any key of thirty-two characters"  # no cookie is kept
        app = create_app(Config(Path(folder) / "matches.db", key))
        path = app.config[base.ASSET_PATH].lstrip("/")
        for name in _list_static_files():
            content = _request_static_file(app, f"/{path}/{name}")
            site.add(f"app/{path}/{name}", content)


def _list_static_files() -> list[str]:
    """List the names of all static files, as the pages ask for them."""
    names = []
    for path in sorted(static_dir().rglob("*")):
        if path.is_file():
            names.append(path.relative_to(static_dir()).as_posix())
    for path in sorted(fonts_dir().rglob("*.woff2")):
        names.append(f"fonts/{path.relative_to(fonts_dir()).as_posix()}")
    return names


def _request_static_file(app: Flask, url: str) -> bytes:
    with app.test_client().get(url) as response:
        if response.status_code != 200:  # noqa: PLR2004
            raise BuildError(f"{url}: {response.status}")
        content: bytes = response.data
        return content


# ---------------------------------------------------------------- the shell


def _read_scripts() -> dict[str, bytes]:
    """Read the scripts and the style sheet of the shell."""
    names = []
    for path in sorted((_HERE / "site").iterdir()):
        if path.suffix in (".js", ".css") and path.name != "service-worker.js":
            names.append(path.name)
    return _read_files(_HERE / "site", names)


def _collect_texts() -> dict[str, dict[str, str]]:
    """Collect the messages of the shell by language."""
    texts = {}
    for language in LANGUAGES:
        messages = words(language)
        texts[language.value] = {key: messages.t(f"lite.{key}") for key in SHELL_TEXTS}
    return texts


def _add_manifests(site: _Site, icons: str) -> dict[str, str]:
    """Add the manifests by which a phone installs the pad, and return their paths by language."""
    paths = {}
    for language in LANGUAGES:
        messages = words(language)
        manifest = {
            "id": "./",
            "start_url": "./",
            "scope": "./",
            "display": "standalone",
            "name": messages.t("web.home.title"),
            "short_name": messages.t("web.home.short-name"),
            "lang": language.value,
            "background_color": "#14503c",
            "theme_color": "#14503c",
            "icons": [
                {"src": f"{icons}icon.svg", "sizes": "any", "type": "image/svg+xml"},
                {"src": f"{icons}icon-192.png", "sizes": "192x192", "type": "image/png"},
                {"src": f"{icons}icon-512.png", "sizes": "512x512", "type": "image/png"},
                {
                    "src": f"{icons}icon-512.png",
                    "sizes": "512x512",
                    "type": "image/png",
                    "purpose": "maskable",
                },
            ],
        }
        content = json.dumps(manifest, ensure_ascii=False).encode()
        name = f"app-{language.value}"
        paths[language.value] = site.add_with_digest(name, ".webmanifest", content)
    return paths


def _fill_shell_page(shell: Mapping[str, Any], icons: str) -> str:
    """Fill the page of the shell with the paths of this site."""
    page = (_HERE / "site" / "index.html").read_text(encoding="utf-8")
    # `</script>` in a text would end the element that has the JSON.
    site_json = json.dumps(shell, ensure_ascii=False).replace("</", "<\\/")
    values = {
        "policy": _POLICY,
        "icons": icons,
        "manifest": shell["manifests"]["it"],
        "scripts": shell["scripts"],
        "site": site_json,
    }
    for name, value in values.items():
        page = page.replace(f"{{{{ {name} }}}}", value)
    return page


def _write_service_worker(site: _Site, version: str) -> str:
    """Return the script of the service worker, which begins with the list of all files."""
    listed = [{"name": "", "size": site.sizes["index.html"]}]  # the page, as browsers ask for it
    for path, size in site.sizes.items():
        if path != "index.html":
            listed.append({"name": path, "size": size})
    description = {
        "version": version,
        "files": listed,
        "size": sum(site.sizes.values()),
    }
    script = (_HERE / "site" / "service-worker.js").read_text(encoding="utf-8")
    return f"self.SCOREPAD_SITE = {json.dumps(description)};\n{script}"

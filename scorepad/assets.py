"""The folders of data files: templates, static files and the fonts of the sheets.

In the wheel they are inside the package; in a checkout templates and static files are beside it.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


class AssetsMissingError(Exception):
    """A folder of the program is missing: the installation is incomplete.

    Attributes: `name` (the folder's name) and `tried` (the paths searched, in order).
    """

    def __init__(self, name: str, tried: tuple[Path, ...]) -> None:
        """Build the message: "no folder 'fonts': looked for /a/fonts and /b/fonts"."""
        self.name = name
        self.tried = tried
        paths = " and ".join(str(path) for path in tried)
        super().__init__(f"no folder {name!r}: looked for {paths}")


def templates_dir() -> Path:
    """Find the folder of the templates of pages and sheets. Raises `AssetsMissingError`."""
    return _find_first_folder("templates", _PACKAGE / "templates", _PACKAGE.parent / "templates")


def static_dir() -> Path:
    """Find the folder of the static files. Raises `AssetsMissingError`."""
    return _find_first_folder("static", _PACKAGE / "static", _PACKAGE.parent / "static")


def fonts_dir() -> Path:
    """Find the folder of the fonts for printed sheets, with their licences.

    Pages do not use them, only sheets do. Raises `AssetsMissingError`.
    """
    return _find_first_folder("fonts", _PACKAGE / "sheets" / "fonts")


def _find_first_folder(name: str, *paths: Path) -> Path:
    """Return the first of these paths that is a folder. Raises `AssetsMissingError` if none is.

    `name` is the name of the folder for the message of that error.
    """
    for path in paths:
        if path.is_dir():
            return path
    raise AssetsMissingError(name, paths)

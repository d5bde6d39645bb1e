"""Where the files stand that are not code: templates, static files and the fonts of the sheets.

In the wheel they stand inside the package; in a checkout templates and static files stand beside it.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


class AssetsMissingError(Exception):
    """A folder that belongs to the program is not there: it was not installed whole.

    Attributes: `name` (the folder's name) and `tried` (the places where it was looked for, in order).
    """

    def __init__(self, name: str, tried: tuple[Path, ...]) -> None:
        self.name = name
        self.tried = tried
        super().__init__(f"no folder {name!r}: looked for {' and '.join(map(str, tried))}")


def templates_dir() -> Path:
    """The folder of the page and sheet templates. Raises `AssetsMissingError`."""
    return _find("templates", _PACKAGE / "templates", _PACKAGE.parent / "templates")


def static_dir() -> Path:
    """The folder of the files served as they are. Raises `AssetsMissingError`."""
    return _find("static", _PACKAGE / "static", _PACKAGE.parent / "static")


def fonts_dir() -> Path:
    """The folder of the sheets' fonts and their licences; never served. Raises `AssetsMissingError`."""
    return _find("fonts", _PACKAGE / "sheets" / "fonts")


def _find(name: str, *places: Path) -> Path:
    """The first of the places that is a folder. Raises `AssetsMissingError`."""
    for place in places:
        if place.is_dir():
            return place
    raise AssetsMissingError(name, places)

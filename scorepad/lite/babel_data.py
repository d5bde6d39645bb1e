"""Babel's data, cut down to what the pages need: dates and numbers in two languages.

Babel keeps its data in pickled dictionaries. In a browser all of them are loaded at every start, and
names of currencies, countries and units are most of it.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from pathlib import Path

_UNUSED_GLOBALS = (
    "likely_subtags",
    "territory_aliases",
    "territory_currencies",
    "territory_languages",
)
_UNUSED_NAMES = (
    "compact_currency_formats",
    "compact_decimal_formats",
    "compound_unit_patterns",
    "currency_names",
    "currency_names_plural",
    "languages",
    "meta_zones",
    "scripts",
    "territories",
    "time_zones",
    "unit_display_names",
    "unit_patterns",
    "variants",
)


def cut_babel_data(libraries: Path) -> None:
    """Empty what no page needs in the data of Babel, which is in a folder of libraries."""
    _empty(libraries / "babel" / "global.dat", _UNUSED_GLOBALS)
    for path in (libraries / "babel" / "locale-data").glob("*.dat"):
        _empty(path, _UNUSED_NAMES)


def _empty(path: Path, names: Iterable[str]) -> None:
    """Empty the entries of these names in a pickled dictionary."""
    content = pickle.loads(path.read_bytes())  # noqa: S301 - the digest of the wheel is pinned
    for name in names:
        if name in content:
            content[name] = {}
    path.write_bytes(pickle.dumps(content))

"""Which variants and which sources there are."""

from __future__ import annotations

from functools import cache

from scorepad.rules.citations import Source, SourceId
from scorepad.rules.loader import VariantId, data_folder, load_sources


@cache
def sources() -> dict[SourceId, Source]:
    """The sources of the rules, by id."""
    return load_sources()


@cache
def variant_ids() -> tuple[VariantId, ...]:
    """The variants that scorepad knows, in the order in which they are offered."""
    names = {file.name.removesuffix(".toml") for file in data_folder().iterdir() if file.name.endswith(".toml")}
    known = [VariantId(name) for name in ORDER if name in names]
    return (*known, *(VariantId(name) for name in sorted(names - set(ORDER) - {"sources"})))


ORDER = (
    "classica", "due", "tre", "tagliagola", "sei", "cinque", "canastone", "samba", "bolivia", "uruguaiana", "cubana",
    "messicana", "sette", "mini", "moderna", "hand-and-foot",
)  # fmt: skip
USUAL = VariantId(ORDER[0])
"""The variant that holds where nobody chose another: the one offered first."""

"""Places in the sources as people read them: the source's name and the heading there."""

from __future__ import annotations

from collections.abc import Iterable

from scorepad.i18n import Words
from scorepad.rules.citations import SourceId
from scorepad.rules.variants import sources


def places(citations: Iterable[str], words: Words) -> str:
    """Citations (`W:L'apertura`) in words: each source once, with its headings."""
    headings: dict[str, list[str]] = {}
    for citation in citations:
        source, _, heading = citation.partition(":")
        headings.setdefault(source, []).append(words.text("web.heading", heading=heading))
    return "; ".join(f"{source_name(source, words)}: {', '.join(found)}" for source, found in headings.items())


def source_name(source: str, words: Words) -> str:
    """A source in a word or two."""
    key = f"web.source.{source}"
    return words.text(key) if words.has(key) else source


def source_title(source: SourceId) -> str:
    """A source's name as printed."""
    return sources()[source].title

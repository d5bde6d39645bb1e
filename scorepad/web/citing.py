"""Places in the sources as people read them: the source's name and the heading there."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.rules.citations import SourceId
from scorepad.rules.variants import sources


def places(citations: Iterable[str], words: Words) -> str:
    """Citations (`W:L'apertura`) in words: each source once, with its headings."""
    found = _by_source(citations, words)
    return "; ".join(f"{source}: {', '.join(headings)}" for source, headings in found.items())


def with_source(text: str, citations: Iterable[str], words: Words) -> str:
    """A sentence with its places behind it, where it has any."""
    said = places(citations, words)
    return words.text("referee.kept.reason", text=text, source=said) if said else text


def places_shown(citations: Iterable[str], words: Words) -> Markup:
    """The same for a page, which says that the headings are Italian whatever it speaks itself."""
    found = _by_source(citations, words)
    return Markup("; ").join(
        Markup("{}: {}").format(source, Markup(", ").join(map(_italian, headings)))
        for source, headings in found.items()
    )


def _by_source(citations: Iterable[str], words: Words) -> dict[str, list[str]]:
    headings: dict[str, list[str]] = {}
    for citation in citations:
        source, _, heading = citation.partition(":")
        headings.setdefault(source_name(source, words), []).append(words.text("web.heading", heading=heading))
    return headings


def _italian(text: str) -> Markup:
    return Markup('<span lang="it">{}</span>').format(text)


def source_name(source: str, words: Words) -> str:
    """A source in a word or two."""
    key = f"web.source.{source}"
    return words.text(key) if words.has(key) else source


def source_title(source: SourceId) -> str:
    """A source's name as printed."""
    return sources()[source].title


def source_title_shown(source: SourceId) -> Markup:
    """The same for a page: Italian, whatever it speaks itself."""
    return _italian(source_title(source))

"""Places in the sources as people read them: the source's name and the heading there."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.rules.citations import Cited, SourceId, Standing
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


def cited_words(cited: Cited, words: Words) -> str:
    """Where something is said and how firmly: stated by a source, inferred, or agreed at the table."""
    named = places(map(str, cited.citations), words) if cited.citations else ""
    if named and cited.notes:
        named = f"{named} ({words.text('rulebook.why.manuals', names='; '.join(cited.notes))})"
    key = {Standing.STATED: "stated", Standing.READ: "read", Standing.HOUSE: "house"}[cited.standing]
    if named and cited.standing is not Standing.STATED:
        key = f"{key}-from"
    argument = words.text(f"read.{cited.read}") if cited.standing is Standing.READ else ""
    return words.text(f"rulebook.why.{key}", places=named, argument=argument)


def basis_words(cited: Cited, words: Words) -> str:
    """The same in short, for a list of choices: the source, and that it was inferred or agreed at the table."""
    named = [places(map(str, cited.citations), words)] if cited.citations else []
    if cited.read:
        named.append(words.text("web.new.read", why=words.text(f"read.{cited.read}")))
    elif cited.standing is not Standing.STATED:
        named.append(words.text(f"standing.{cited.standing}"))
    return ". ".join(named)

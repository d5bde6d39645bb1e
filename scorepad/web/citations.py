"""Citations and sources in words."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.rules.definitions import Cited, SourceId, Standing
from scorepad.rules.variants import sources

_STANDING_KEYS = {Standing.STATED: "stated", Standing.READ: "read", Standing.HOUSE: "house"}
"""The ends of message keys."""


def citations_in_words(citations: Iterable[str], words: Words) -> str:
    """Citations (`W:L'apertura`) in words: each source once, with its headings."""
    texts = []
    for source, headings in _headings_by_source(citations, words).items():
        listed = ", ".join(headings)
        texts.append(f"{source}: {listed}")
    return "; ".join(texts)


def citations_html(citations: Iterable[str], words: Words) -> Markup:
    """Like `citations_in_words`, as HTML that marks the headings as Italian."""
    texts = []
    for source, headings in _headings_by_source(citations, words).items():
        listed = Markup(", ").join(map(_italian, headings))
        texts.append(Markup("{}: {}").format(source, listed))
    return Markup("; ").join(texts)


def _headings_by_source(citations: Iterable[str], words: Words) -> dict[str, list[str]]:
    headings: dict[str, list[str]] = {}
    for citation in citations:
        source, _, heading = citation.partition(":")
        name = source_name(source, words)
        headings.setdefault(name, []).append(words.t("web.heading", heading=heading))
    return headings


def _italian(text: str) -> Markup:
    return Markup('<span lang="it">{}</span>').format(text)


def source_name(source: str, words: Words) -> str:
    key = f"web.source.{source}"
    return words.t(key) if words.has(key) else source


def source_title(source: SourceId) -> Markup:
    """The printed title of a source, as HTML marked as Italian."""
    return _italian(sources()[source].title)


def cited_words(cited: Cited, words: Words) -> str:
    """The sources of a value and how it is supported: stated by a source, inferred, or a house rule."""
    named = citations_in_words(map(str, cited.citations), words)
    if named and cited.notes:
        manuals = words.t("rulebook.why.manuals", names="; ".join(cited.notes))
        named = f"{named} ({manuals})"
    key = _STANDING_KEYS[cited.standing]
    if named and cited.standing is not Standing.STATED:
        key = f"{key}-from"
    argument = words.t(f"read.{cited.read}") if cited.standing is Standing.READ else ""
    return words.t(f"rulebook.why.{key}", places=named, argument=argument)


def citation_in_short(cited: Cited, words: Words) -> str:
    """`cited_words` in short, for a list of choices."""
    named = [citations_in_words(map(str, cited.citations), words)] if cited.citations else []
    if cited.read:
        named.append(words.t("web.new.read", why=words.t(f"read.{cited.read}")))
    elif cited.standing is not Standing.STATED:
        named.append(words.t(f"standing.{cited.standing}"))
    return ". ".join(named)

"""Citations and sources in words."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.rules.definitions import Cited, SourceId, Standing
from scorepad.rules.variants import sources

_STANDING_KEYS = {Standing.STATED: "stated", Standing.READ: "read", Standing.HOUSE: "house"}
"""The ends of message keys, `rulebook.why.…`."""


def citations_in_words(citations: Iterable[str], words: Words) -> str:
    """Citations such as `W:L'apertura` in words: each source once, with the headings cited."""
    texts = []
    for source, headings in _headings_by_source(citations, words).items():
        listed = ", ".join(headings)
        texts.append(f"{source}: {listed}")
    return "; ".join(texts)


def citations_html(citations: Iterable[str], words: Words) -> Markup:
    """Citations such as `W:L'apertura` as HTML: each source once, with its headings as Italian."""
    texts = []
    for source, headings in _headings_by_source(citations, words).items():
        listed = Markup(", ").join(map(_italian, headings))
        texts.append(Markup("{}: {}").format(source, listed))
    return Markup("; ").join(texts)


def _headings_by_source(citations: Iterable[str], words: Words) -> dict[str, list[str]]:
    """The headings that are cited, by the name of their source; a citation is `SOURCE:HEADING`."""
    headings: dict[str, list[str]] = {}
    for citation in citations:
        source, _, heading = citation.partition(":")
        name = source_name(source, words)
        if name not in headings:
            headings[name] = []
        headings[name].append(words.t("web.heading", heading=heading))
    return headings


def _italian(text: str) -> Markup:
    """A text as HTML marked as Italian; its special characters are escaped."""
    return Markup('<span lang="it">{}</span>').format(text)


def source_name(source: str, words: Words) -> str:
    """The name of a source by its id; a source without a name of its own, a website, is its id."""
    key = f"web.source.{source}"
    return words.t(key) if words.has(key) else source


def source_title(source: SourceId) -> Markup:
    """The printed title of a source, as HTML marked as Italian."""
    return _italian(sources()[source].title)


def cited_words(cited: Cited, words: Words) -> str:
    """Why a value is what it is: the sources, and whether they state it or it is inferred.

    House rules have no sources.
    """
    sources_text = citations_in_words(map(str, cited.citations), words)
    if sources_text and cited.notes:
        manuals = words.t("rulebook.why.manuals", names="; ".join(cited.notes))
        sources_text = f"{sources_text} ({manuals})"
    key = _STANDING_KEYS[cited.standing]
    if sources_text and cited.standing is not Standing.STATED:
        key = f"{key}-from"
    argument = ""
    if cited.standing is Standing.READ:
        argument = words.t(f"read.{cited.read}")
    return words.t(f"rulebook.why.{key}", places=sources_text, argument=argument)


def citation_in_short(cited: Cited, words: Words) -> str:
    """The sources of a value in short, for a list of choices, and why it is not stated by them."""
    texts = []
    if cited.citations:
        texts.append(citations_in_words(map(str, cited.citations), words))
    if cited.read:
        texts.append(words.t("web.new.read", why=words.t(f"read.{cited.read}")))
    elif cited.standing is not Standing.STATED:
        texts.append(words.t(f"standing.{cited.standing}"))
    return ". ".join(texts)

"""Citations and sources in words."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.rules.definitions import Cited, SourceId, Standing
from scorepad.rules.variants import sources


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
    """Say in a sentence where a rule comes from, and whether its sources state it.

    A rule that no source states is either an inference from them, which the sentence explains, or a
    house rule. A house rule may have no sources, or go back to some.
    """
    sources_text = _sources_with_manuals(cited, words)
    if cited.standing is Standing.STATED:
        return words.t("rulebook.why.stated", places=sources_text)
    if cited.standing is Standing.AGREED:
        if not sources_text:
            return words.t("rulebook.why.house")
        return words.t("rulebook.why.house-from", places=sources_text)

    inference = words.t(f"read.{cited.read}")
    if not sources_text:
        return words.t("rulebook.why.read", argument=inference)
    return words.t("rulebook.why.read-from", places=sources_text, argument=inference)


def _sources_with_manuals(cited: Cited, words: Words) -> str:
    """The sources of a rule, and in brackets the manuals that their footnotes name for it.

    Empty for a rule without sources.
    """
    sources_text = citations_in_words(map(str, cited.citations), words)
    manuals = cited.notes
    if not sources_text or not manuals:
        return sources_text
    manuals_text = words.t("rulebook.why.manuals", names="; ".join(manuals))
    return f"{sources_text} ({manuals_text})"


def citation_in_short(cited: Cited, words: Words) -> str:
    """The sources of a value in short, for a list of choices, and why it holds if none states it."""
    texts = []
    if cited.citations:
        texts.append(citations_in_words(map(str, cited.citations), words))
    why_unstated = why_unstated_in_short(cited, words)
    if why_unstated:
        texts.append(why_unstated)
    return ". ".join(texts)


def why_unstated_in_short(cited: Cited, words: Words) -> str:
    """Why a value holds that no source states, in short; empty if a source states it."""
    if cited.read:
        return words.t("web.new.read", why=words.t(f"read.{cited.read}"))
    if cited.standing is not Standing.STATED:
        return words.t(f"standing.{cited.standing}")
    return ""

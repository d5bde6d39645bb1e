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
    match cited.standing:
        case Standing.STATED:
            return words.t("rulebook.why.stated", places=sources_text)
        case Standing.AGREED:
            return _house_rule_words(sources_text, words)
        case _:
            return _inference_words(sources_text, argument_key=f"read.{cited.read}", words=words)


def _house_rule_words(sources_text: str, words: Words) -> str:
    """Say that a rule was agreed at the table, and which sources it starts from, if any do."""
    if not sources_text:
        return words.t("rulebook.why.house")
    return words.t("rulebook.why.house-from", places=sources_text)


def _inference_words(sources_text: str, *, argument_key: str, words: Words) -> str:
    """Say that a rule is inferred, from which sources, if any, and by which argument.

    `argument_key` is the key of the message with the argument.
    """
    argument = words.t(argument_key)
    if not sources_text:
        return words.t("rulebook.why.read", argument=argument)
    return words.t("rulebook.why.read-from", places=sources_text, argument=argument)


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
    """Where the value of a rule comes from, in short, for a list of choices: "Pagat: Scoring".

    If no source states the value, it is also said why it holds: "Pagat: Scoring. Inferred: …".
    """
    texts = []
    if cited.citations:
        texts.append(citations_in_words(map(str, cited.citations), words))
    why_unstated = why_unstated_in_short(cited, words)
    if why_unstated:
        texts.append(why_unstated)
    return ". ".join(texts)


def why_unstated_in_short(cited: Cited, words: Words) -> str:
    """Why a rule has its value although no source states it, in short; empty if a source does.

    "Inferred: …" with the argument, or "agreed at the table".
    """
    argument = cited.read  # the end of a message key; empty if it is no inference with an argument
    if argument:
        return words.t("web.new.read", why=words.t(f"read.{argument}"))
    if cited.standing is Standing.STATED:
        return ""
    return words.t(f"standing.{cited.standing}")

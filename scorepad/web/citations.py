"""Citations and sources in words."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.rules.definitions import Cited, SourceId, Standing
from scorepad.rules.variants import sources


def citations_in_words(citations: Iterable[str], words: Words) -> str:
    """Write citations of sources, each source once, with the headings that are cited.

    `["W:L'apertura", "W:Il pozzo", "G:Scopo"]` → `Wikipedia: “L'apertura”, “Il pozzo”; Giochi di
    carte: “Scopo”`.
    """
    texts = []
    for source, headings in _group_headings_by_source(citations, words).items():
        listed = ", ".join(headings)
        texts.append(f"{source}: {listed}")
    return "; ".join(texts)


def citations_html(citations: Iterable[str], words: Words) -> Markup:
    """Write citations of sources as HTML, each source once, with the headings that are cited.

    The headings are marked as Italian, the language of the sources, also on an English page:
    `["W:Samba"]` → `Wikipedia: <span lang="it">“Samba”</span>`.
    """
    texts = []
    for source, headings in _group_headings_by_source(citations, words).items():
        italian_headings = [_mark_as_italian(heading) for heading in headings]
        listed = Markup(", ").join(italian_headings)
        texts.append(Markup("{}: {}").format(source, listed))
    return Markup("; ").join(texts)


def _group_headings_by_source(citations: Iterable[str], words: Words) -> dict[str, list[str]]:
    """Group the cited headings by the name of their source; a citation is `SOURCE:HEADING`.

    `["W:Samba", "W:Il pozzo"]` → `{"Wikipedia": ["“Samba”", "“Il pozzo”"]}`.
    """
    headings: dict[str, list[str]] = {}
    for citation in citations:
        source, _, heading = citation.partition(":")
        name = source_name(source, words)
        if name not in headings:
            headings[name] = []
        headings[name].append(words.t("web.heading", heading=heading))
    return headings


def _mark_as_italian(text: str) -> Markup:
    """Mark a text as Italian in HTML; `format` of `Markup` escapes its special characters."""
    return Markup('<span lang="it">{}</span>').format(text)


def source_name(source: str, words: Words) -> str:
    """Return the name of a source by its id: `W` → "Wikipedia".

    A website is named by its id, such as `pagat.com`.
    """
    key = f"web.source.{source}"
    return words.t(key) if words.has(key) else source


def source_title(source: SourceId) -> Markup:
    """Return the printed title of a source, as HTML marked as Italian."""
    return _mark_as_italian(sources()[source].title)


def cited_words(cited: Cited, words: Words) -> str:
    """Say in a sentence where a rule comes from, and whether its sources state it.

    - a source states it → "Source: Wikipedia: “Samba”"
    - it is inferred from a source → "Inferred from Wikipedia: “Samba”. The page gives one bonus …"
    - it is a house rule → "Agreed at the table: the sources do not say."
    """
    sources_text = _write_sources_with_manuals(cited, words)
    match cited.standing:
        case Standing.STATED:
            return words.t("rulebook.why.stated", places=sources_text)
        case Standing.AGREED:
            return _say_house_rule(sources_text, words)
        case _:
            return _say_inference(sources_text, argument_key=f"read.{cited.read}", words=words)


def _say_house_rule(sources_text: str, words: Words) -> str:
    """Say that a rule was agreed at the table, and which sources it starts from, if any do."""
    if not sources_text:
        return words.t("rulebook.why.house")
    return words.t("rulebook.why.house-from", places=sources_text)


def _say_inference(sources_text: str, *, argument_key: str, words: Words) -> str:
    """Say that a rule is inferred, from which sources, if any, and by which argument.

    `argument_key` is the key of the message with the argument.
    """
    argument = words.t(argument_key)
    if not sources_text:
        return words.t("rulebook.why.read", argument=argument)
    return words.t("rulebook.why.read-from", places=sources_text, argument=argument)


def _write_sources_with_manuals(cited: Cited, words: Words) -> str:
    """Write the sources of a rule, and in brackets the manuals that their footnotes name for it.

    "Wikipedia: “Samba” (manuals: Crawford 1951, pp. 31-40)"; empty for a rule without sources.
    """
    sources_text = citations_in_words([str(citation) for citation in cited.citations], words)
    manuals = cited.notes
    if not sources_text or not manuals:
        return sources_text
    manuals_text = words.t("rulebook.why.manuals", names="; ".join(manuals))
    return f"{sources_text} ({manuals_text})"


def citation_in_short(cited: Cited, words: Words) -> str:
    """Say in short where the value of a rule comes from, for a list of choices.

    - a source states it → "Wikipedia: “Samba”"
    - it is inferred from a source → "Wikipedia: “Samba”. Inferred: The page gives one bonus …"
    - it has no source → "agreed at the table"
    """
    texts = []
    if cited.citations:
        citations = [str(citation) for citation in cited.citations]
        texts.append(citations_in_words(citations, words))
    why_unstated = explain_unstated_value(cited, words)
    if why_unstated:
        texts.append(why_unstated)
    return ". ".join(texts)


def explain_unstated_value(cited: Cited, words: Words) -> str:
    """Explain in short why a rule has its value although no source states it.

    The result is empty if a source does state it.
    """
    match cited.standing:
        case Standing.STATED:
            return ""
        case Standing.AGREED:
            return words.t("standing.house")  # "agreed at the table"
        case _:
            explanation = words.t(f"read.{cited.read}")  # "The page gives one bonus for …"
            return words.t("web.new.read", why=explanation)  # "Inferred: {why}"

"""Pages and papers as lines that can be compared: what they say, or their elements one a line."""

from collections.abc import Iterator
from html.parser import HTMLParser
from xml.etree.ElementTree import Element, TreeBuilder

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
INLINE = {
    "a", "abbr", "b", "bdi", "cite", "code", "data", "dfn", "em", "i", "kbd", "label", "mark", "output", "q", "s",
    "small", "span", "strong", "sub", "sup", "td", "text", "th", "time", "tspan", "u", "var", "wbr",
}  # fmt: skip
"""Elements that stand within a line."""
UNSEEN = {"head", "script", "style", "template"}
CHANCE_FIELDS = {"csrf_token", "request_id", "mark", "hand"}
"""Fields of forms that hold a random id."""
SAID = ("aria-label", "alt", "title", "placeholder")
"""Attributes that are read aloud or shown."""


class _Reader(HTMLParser):
    """Builds a tree of the elements of a well-formed page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.builder = TreeBuilder()
        self.builder.start("page", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.builder.start(tag, attributes)
        if tag in VOID:
            self.builder.end(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.builder.end(tag)

    def handle_data(self, data: str) -> None:
        self.builder.data(data)


def read_page(html: str) -> Element:
    """The tree of a page."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader.builder.end("page")
    return reader.builder.close()


# ---------------------------------------------------------------- what a page says


def text_lines(html: str) -> list[str]:
    """What a page says, a line for each block; links with their addresses, fields with values.

    How elements are nested, and their classes, do not matter.
    """
    page = read_page(html)
    title = page.find(".//title")
    lines = _Lines()
    if title is not None:
        lines.add(f"title: {title.text}")
    lines.read(page)
    return lines.finished()


class _Lines:
    """The lines of a page, while it is read."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._open = ""

    def finished(self) -> list[str]:
        self._break()
        return self._lines

    def add(self, line: str) -> None:
        """Add a line of its own."""
        self._break()
        self._open = line
        self._break()

    def read(self, element: Element) -> None:
        if element.tag in UNSEEN:
            return
        if element.tag in ("input", "select", "textarea", "button", "form"):
            self._add_control(element)
        if element.tag in ("select", "textarea"):
            return
        if element.tag not in INLINE:
            self._break()
        self._open += _opening(element)
        self._open += element.text or ""
        for child in element:
            self.read(child)
            self._open += child.tail or ""
        self._open += _closing(element)
        if element.tag not in INLINE:
            self._break()

    def _add_control(self, element: Element) -> None:
        self.add(f"<{element.tag}{_control_attributes(element)}>")
        if element.tag == "textarea":
            self.add(f"  {element.text or ''}")
        for option in element.iter("option"):
            chosen = " (chosen)" if "selected" in element.attrib else ""
            self.add(f"  option {option.get('value')}: {''.join(option.itertext())}{chosen}")

    def _break(self) -> None:
        line = " ".join(self._open.split())
        if line:
            self._lines.append(line)
        self._open = ""


def _opening(element: Element) -> str:
    said = [element.attrib[name] for name in SAID if name in element.attrib]
    words = f"{{{'; '.join(said)}}} " if said else ""
    if element.tag == "li":
        return f"- {words}"
    if element.tag in ("h1", "h2", "h3", "h4", "h5"):
        return f"{'#' * int(element.tag[1])} {words}"
    if element.tag == "a":
        return f"{words}["
    return words


def _closing(element: Element) -> str:
    if element.tag == "a":
        return f"]({element.get('href', '')})"
    if element.tag in ("td", "th"):
        return " | "
    return ""


def _control_attributes(element: Element) -> str:
    told = ""
    for name in ("type", "name", "value", "action", "method", "checked", "disabled", "required"):
        if name not in element.attrib:
            continue
        value = element.attrib[name]
        if name == "value" and element.get("name") in CHANCE_FIELDS:
            value = "<random>"
        told += f" {name}={value}" if value else f" {name}"
    return told


# ---------------------------------------------------------------- how a paper is made


def markup_lines(html: str) -> list[str]:
    """The elements and texts of a paper, one a line, whatever the white space between them."""
    return list(_markup(read_page(html)))


def _markup(element: Element) -> Iterator[str]:
    attributes = [f' {name}="{value}"' for name, value in sorted(element.attrib.items())]
    yield f"<{element.tag}{''.join(attributes)}>"
    yield from _text_line(element.text)
    for child in element:
        yield from _markup(child)
        yield from _text_line(child.tail)


def _text_line(text: str | None) -> Iterator[str]:
    line = " ".join((text or "").split())
    if line:
        yield line

"""Hostile texts, hostile JSON and hostile TOML, each made at a given number of bytes.

Every shape was chosen because some parser, pattern or escape is slow, or needs much memory, on one
like it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Made = Callable[[int], str]
KB = 1000
MB = 1000 * KB


def repeat(part: str, begin: str = "", end: str = "") -> Made:
    """The same part again and again, within about so many bytes."""
    room_taken = len((begin + end).encode())
    length = len(part.encode("utf-8", "surrogatepass"))
    return lambda size: begin + part * max(1, (size - room_taken) // length) + end


def numbered(pattern: str, join: str = "", begin: str = "", end: str = "") -> Made:
    """Parts that all differ: the pattern with 0, 1, 2 and so on in place of `#`, within about so
    many bytes.
    """

    def make(size: int) -> str:
        parts = []
        length = len(begin) + len(end)
        while length < size:
            part = pattern.replace("#", str(len(parts)))
            parts.append(part)
            length += len(part.encode()) + len(join)
        return begin + join.join(parts) + end

    return make


def nested(opening: str, closing: str, inside: str = "") -> Made:
    """Brackets in brackets, as deep as the bytes allow."""

    def make(size: int) -> str:
        depth = max(1, size // len(opening + closing))
        return opening * depth + inside + closing * depth

    return make


TEXTS: Mapping[str, Made] = {
    "letters": repeat("a"),
    "capitals": repeat("A"),
    "blanks": repeat(" "),
    "blanks inside": repeat(" ", begin="a", end="a"),
    "lines": repeat("\n"),
    "digits": repeat("9"),
    "zeros": repeat("0", end="1"),
    "grouped digits": repeat(".000", begin="1"),
    "minus": repeat("-"),
    "plus": repeat("+"),
    "x": repeat("x"),
    "x then 1": repeat("x", end="1"),
    "1x1x1": repeat("1x", end="1"),
    "1+1+1": repeat("1+", end="1"),
    "blanks and x": repeat(" x", end="!"),
    "combining marks": repeat("\u0301", begin="e"),
    "accents": repeat("à"),
    "dotted capital i": repeat("İ"),
    "ligatures": repeat("\ufdfa"),
    "emoji": repeat("😀"),
    "right to left": repeat("\u202e"),
    "quotes": repeat('"'),
    "apostrophes": repeat("'"),
    "backslashes": repeat("\\"),
    "less than": repeat("<"),
    "ampersands": repeat("&amp"),
    "percents": repeat("%25"),
    "null characters": repeat("\0"),
    "opening brackets": repeat("["),
    "closing brackets": repeat(")"),
    "braces": repeat("{"),
    "dots": repeat("."),
    "commas": repeat(","),
    "semicolons": repeat(";"),
    "slashes": repeat("/"),
    "hyphens in words": repeat("a-"),
    "words": repeat("parola "),
    "words that differ": numbered("w# "),
    "cards": repeat("K "),
    "counted cards": repeat("99xK "),
    "cards that differ": repeat("A Kh 10s 9 7xQ JK 2 3r "),
    "no cards": repeat("99xZ "),
    "melds": repeat("3xK\n"),
    "melds that differ": repeat("4h 5h 6h 2\n4xK 2\n3xA JK\n"),
    "melds and slashes": repeat("3xK / "),
}
"""Texts for a field, a parameter, a header or a value."""

LONE_SURROGATE = '"' + "\\ud800" * 3 + '"'


def json_text(text: str) -> str:
    """A text as JSON, with only what must be escaped."""
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\0", "\\u0000").replace("\n", "\\n")
    )
    return f'"{escaped}"'


def json_list(part: str) -> Made:
    """A list of the same part."""
    return repeat(f"{part},", begin="[", end=f"{part}]")


VALUES: Mapping[str, Made] = {
    "list of empty texts": json_list('""'),
    "list of objects": json_list("{}"),
    "list of lists": json_list("[]"),
    "list of nulls": json_list("null"),
    "list of numbers": json_list("1"),
    "list of cards": json_list('"K"'),
    "list of melds": json_list('"3xK"'),
    "list of long melds": json_list('"A Kh 10s 9 7xQ JK 2 3r"'),
    "list of texts that differ": numbered('"w#"', ",", "[", "]"),
    "list of objects that differ": numbered('{"k#":#}', ",", "[", "]"),
    "list of surrogates": json_list(LONE_SURROGATE),
    "keys that differ": numbered('"k#":1', ",", "{", "}"),
    "the same key": numbered('"k":#', ",", "{", "}"),
    "keys of objects": numbered('"k#":{}', ",", "{", "}"),
    "nested lists": nested("[", "]"),
    "nested objects": nested('{"a":', "}", "1"),
    "nested cards": nested('{"cards":', "}", '"K"'),
    "long number": repeat("9"),
    "long negative number": repeat("9", begin="-"),
    "long fraction": repeat("9", begin="0."),
    "large exponent": repeat("9", begin="1e"),
    "surrogates": repeat("\\ud800", begin='"', end='"'),
    "escapes": repeat("\\u0041", begin='"', end='"'),
    "unclosed text": repeat("a", begin='"'),
    "unclosed lists": repeat("["),
    "unclosed objects": repeat('{"a":'),
}
"""JSON values in place of any other."""

JSON_TEXTS = (
    "letters", "blanks", "digits", "x then 1", "1x1x1", "combining marks", "emoji", "quotes", "backslashes",
    "null characters", "less than", "words that differ", "cards", "counted cards", "cards that differ", "no cards",
    "melds and slashes",
)  # fmt: skip
"""The texts that stand in place of a JSON value."""


def json_shapes() -> dict[str, Made]:
    """All that may stand in place of a JSON value."""
    shapes = dict(VALUES)
    for name in JSON_TEXTS:
        shapes[name] = _as_json(TEXTS[name])
    return shapes


def _as_json(made: Made) -> Made:
    return lambda size: json_text(made(size))


TOML_VALUES: Mapping[str, Made] = {
    "long text": repeat("a", begin='"', end='"'),
    "emoji": repeat("😀", begin='"', end='"'),
    "combining marks": repeat("\u0301", begin='"', end='"'),
    "less than": repeat("<", begin='"', end='"'),
    "escapes": repeat("\\u0041", begin='"', end='"'),
    "backslashes": repeat("\\\\", begin='"', end='"'),
    "blanks in lines": repeat(" ", begin='"""\n', end='\n"""'),
    "opening bracket and blanks": repeat(" ", begin='"""\n[', end='\n"""'),
    "brackets in lines": repeat("[a]\n", begin='"""\n', end='"""'),
    "keys in lines": repeat("a = 1\n", begin='"""\n', end='"""'),
    "unclosed text": repeat("a", begin='"'),
    "unclosed lines": repeat("a\n", begin='"""'),
    "quotes": repeat('""', begin="'", end="'"),
    "long number": repeat("9"),
    "grouped number": repeat("_9", begin="9"),
    "long fraction": repeat("9", begin="0."),
    "long hexadecimal": repeat("f", begin="0x"),
    "long date": repeat("0", begin="1979-05-27T00:32:00."),
    "list of numbers": json_list("1"),
    "list of texts": json_list('""'),
    "list of texts that differ": numbered('"w#"', ",", "[", "]"),
    "list of tables": json_list("{}"),
    "list of canastas": numbered(
        '{ item = "c#", points = 500, shape = "group", wilds = [0, 0], family = "natural" }',
        ",",
        "[",
        "]",
    ),
    "list of pairs": json_list("[0, 50]"),
    "list of pairs that differ": numbered("[#, 50]", ",", "[", "]"),
    "nested lists": nested("[", "]"),
    "nested tables": nested("{a=", "}", "1"),
    "unclosed lists": repeat("["),
    "table of keys": numbered("k# = 1", ",", "{", "}"),
    "table of dotted keys": repeat("a.", begin="{", end="a = 1}"),
    "blanks": repeat(" ", end="1"),
    "lines in a list": repeat("\n", begin="[", end="]"),
    "comments in a list": repeat("#\n", begin="[\n", end="]"),
}
"""Values of a key of a TOML file."""

TOML_LINES: Mapping[str, Made] = {
    "unknown keys": numbered("k# = 1", "\n"),
    "unknown tables": numbered("[t#]", "\n"),
    "unknown settings": numbered("[settings.s#]\nvalue = 1", "\n"),
    "wrong settings": numbered('[settings.s#]\nvalue = ""\ncite = ["x:y"]\nstanding = "z"', "\n"),
    "lists of tables": repeat("[[t]]\n"),
    "sources": numbered('[sources.S#]\ntitle = "x"\nsections = ["a"]', "\n"),
    "bonuses": numbered(
        '[bonuses.b#]\npoints = 100\nstanding = "house"\nwords.it = "Premio #"\nwords.en = "Bonus #"',
        "\n",
    ),
    "wrong bonuses": numbered("[bonuses.b#]\npoints = -1", "\n"),
    "penalties": numbered(
        '[penalties.p#]\npoints = 100\nstanding = "house"\nwords.it = "Multa #"\nwords.en = "Fine #"',
        "\n",
    ),
    "options": numbered('[options.o#]\ndefault = "a"\nstanding = "house"', "\n"),
    "presets": numbered('[presets.p#]\nstanding = "house"', "\n"),
    "words": numbered('[words.it.w#]\nname = "x"', "\n"),
    "deep table": repeat("a.", begin="[", end="a]\nb = 1"),
    "deep list of tables": repeat("a.", begin="[[", end="a]]\nb = 1"),
    "dotted key": repeat("a.", end="a = 1"),
    "dotted keys": numbered("k#.a.a.a.a.a.a.a.a = 1", "\n"),
    "long key": repeat("a", end=" = 1"),
    "quoted key": repeat(".", begin='"', end='" = 1'),
    "comment": repeat("#"),
    "comments": repeat("#\n"),
    "empty lines": repeat("\n"),
    "blanks": repeat(" ", end="\na = 1"),
    "carriage returns": repeat("\r"),
    "null characters": repeat("\0"),
    "unclosed tables": repeat("["),
    "the same key": repeat("a = 1\n"),
    "the same table": repeat("[a]\n"),
}
"""Lines at the end of a TOML file."""

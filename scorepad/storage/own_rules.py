"""House rules as files: a variant with changed values, written as TOML to the folder of the user's
variants.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tomlkit
from tomlkit.container import Container, OutOfOrderTableProxy
from tomlkit.items import Item, Table

from scorepad.errors import VariantError
from scorepad.rules.definitions import Ends, PenaltyKind, Standing, Variant, VariantId
from scorepad.rules.toml_reader import decode_own, read_own_text
from scorepad.rules.variants import GUESTS, own_variants, read_variant_file, use_own, variant_ids
from scorepad.storage.own_upload import LONGEST_ID, check_upload


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The differences of a table's rules from the variant that they are based on.

    `settings` are those whose values differ, by key; `penalties` and `bonuses` have the name and
    the points of each code, without a name if scorepad has it; `takes` are the options that matches
    can still choose.
    """

    extends: VariantId
    name: str
    special: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    penalties: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    bonuses: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    ends: Ends = field(default_factory=Ends)
    takes: tuple[str, ...] = ()


def compose(
    rules: HouseRules, variant: str, parent: Variant, language: str, before: str = ""
) -> str:
    """The text of a file with these rules; comments, sources and other texts of the file `before`
    are kept.

    `language` is that of the names.
    """
    file = tomlkit.parse(before)
    file["id"] = variant
    file["extends"] = rules.extends
    file["takes-options"] = list(rules.takes)
    ends = {key: value for key, value in asdict(rules.ends).items() if value is not None}
    if file.unwrap().get("ends", {}) != ends:
        file.pop("ends", None)
        if ends:
            file["ends"] = _inline(ends)
    _set_words(_table(file, "words"), rules, language, is_inline=bool(before))
    settings = _table(file, "settings")
    _remove_others(settings, rules.settings)
    for key, value in rules.settings.items():
        _set_value(settings, key, value)
    _set_named(_table(file, "penalties"), rules.penalties, parent.penalties, language)
    _set_named(_table(file, "bonuses"), rules.bonuses, {}, language)
    for name in ("settings", "penalties", "bonuses"):
        if not file[name]:
            file.remove(name)
    return tomlkit.dumps(file)


def _set_words(
    words: Table | Container, rules: HouseRules, language: str, *, is_inline: bool
) -> None:
    """Set the name of the rules and what is special in them, in this language."""
    before = {each: dict(texts) for each, texts in words.unwrap().items()}
    names = {each: texts["name"] for each, texts in before.items() if "name" in texts}
    specials = {each: texts["special"] for each, texts in before.items() if "special" in texts}
    names = _with_text(names, language, rules.name)
    specials = _with_text(specials, language, rules.special)

    for each in dict.fromkeys((language, *before)):
        texts = {}
        if each in names:
            texts["name"] = names[each]
        if each in specials:
            texts["special"] = specials[each]
        if each not in words and texts:
            # A table with a header of its own would take the keys of the file that follow dotted
            # keys.
            words[each] = _inline(texts) if is_inline else texts
        elif texts != before.get(each, {}):
            words[each].update(texts)
            _remove_others(words[each], texts)


def _set_named(
    table: Table | Container,
    entries: Mapping[str, tuple[str, int]],
    known: Mapping[str, PenaltyKind],
    language: str,
) -> None:
    """Set penalties or bonuses, unless the file has them already; `known` are the penalties of the
    parent.
    """
    # A penalty without points is agreed each time, and is no figure of the form.
    without_points = [code for code in table if "points" not in table[code]]
    _remove_others(table, {*entries, *without_points})
    for code, (name, points) in entries.items():
        before = table[code].unwrap() if code in table else {}
        texts_before = before.get("words", {})
        texts = _with_text(texts_before, language, name) if name else texts_before
        if before.get("points") == points and texts == texts_before:
            continue
        entry: dict[str, Any] = {"points": points}
        if code in known and known[code].remedy:
            entry["remedy"] = known[code].remedy
        entry["standing"] = str(Standing.HOUSE)
        if texts:
            entry["words"] = texts
        table[code] = entry


def _with_text(before: Mapping[str, str], language: str, text: str) -> dict[str, str]:
    """The texts of an item by language; one that stands in for that of another language is not
    copied.
    """
    if language not in before and text in before.values():
        return dict(before)
    if text:
        return {**before, language: text}
    return {other: known for other, known in before.items() if other != language}


def _table(file: tomlkit.TOMLDocument, name: str) -> Table | Container:
    """A table of the file, created if missing."""
    if name not in file:
        file[name] = tomlkit.table(is_super_table=True)
    if isinstance(file[name], OutOfOrderTableProxy):
        # Its tables have others between them; they are put together.
        entries = file[name].unwrap()
        file.remove(name)
        file[name] = entries
    table = file[name]
    assert isinstance(table, Table | Container), name
    return table


def _remove_others(table: Table | Container, kept: Collection[str]) -> None:
    for key in [key for key in table if key not in kept]:
        table.remove(key)


def _set_value(settings: Table | Container, key: str, value: Any) -> None:
    """Set a value as a house rule, unless the file has it already; canastas keep their texts."""
    entry = settings.get(key)
    before = entry.unwrap()["value"] if entry is not None else None
    if key == "canastas":
        value = _with_words(value, before or ())
    if before != value:
        settings[key] = {"value": _inline(value), "standing": str(Standing.HOUSE)}


def _with_words(
    kinds: Iterable[Mapping[str, Any]], before: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Kinds of canasta, each with the texts that the file has for its item."""
    texts = {kind["item"]: {"words": kind["words"]} for kind in before if "words" in kind}
    return [{**kind, **texts.get(kind["item"], {})} for kind in kinds]


def _inline(value: Any) -> Item:
    """A value formatted inside its table: lists of tables with one table per line."""
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        table.update({key: _inline(each) for key, each in value.items()})
        return table
    if isinstance(value, list | tuple):
        array = tomlkit.array()
        array.extend(_inline(each) for each in value)
        array.multiline(any(isinstance(each, Mapping) for each in value))
        return array
    item: Item = tomlkit.item(value)
    return item


def free_code(name: str, taken: Collection[str], usual: str) -> str:
    """A code made from a name, of lower-case letters, digits and hyphens, and not among `taken`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    code = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_ID].strip("-") or usual
    if code not in taken:
        return code
    number = 2
    while f"{code}-{number}" in taken:
        number += 1
    return f"{code}-{number}"


def own_folder() -> Path:
    folder = own_variants().folder
    assert isinstance(folder, Path), "every command names one"
    return folder


def own_text(variant: str) -> str:
    """The text of a custom variant's file; empty if there is none."""
    file = _file_of(variant)
    return read_own_text(file) if variant in own_variants().usable and file.is_file() else ""


def _file_of(variant: str, *, is_guest: bool = False) -> Path:
    """The file of a custom variant; `is_guest`: a new one is among those of guests."""
    if variant in own_variants().usable:
        is_guest = variant in own_variants().guests
    folder = own_folder() / GUESTS if is_guest else own_folder()
    return folder / f"{variant}.toml"


def save_own(variant: str, text: str, *, is_guest: bool = False) -> None:
    """Save a variant's file and load it. Raises VariantError if it is invalid, OSError if it cannot
    be written.

    The file is renamed once complete. `is_guest`: whoever makes it has no access to all matches.
    """
    with TemporaryDirectory() as checked:
        draft = Path(checked) / f"{variant}.toml"
        draft.write_text(text, "utf-8")
        read_variant_file(draft)
    file = _file_of(variant, is_guest=is_guest)
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{variant}.new")
    try:
        with draft.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    use_own(own_folder())


def take_own(name: str, content: bytes, *, is_guest: bool = False) -> str:
    """Save an uploaded file and return its id. Raises VariantError, LimitReached and OSError.

    The file is named after the id in it; an id in use by another variant is refused.
    """
    variant = check_upload(name, content)
    text = decode_own(name, content)
    if variant in variant_ids() and text != own_text(variant):
        raise VariantError(f"{variant}.toml", "id", "id-exists", name=variant)
    save_own(variant, text, is_guest=is_guest)
    return variant


def remove_own(variant: str) -> None:
    """Delete a variant's file; started matches keep its rules. Raises OSError."""
    _file_of(variant).unlink(missing_ok=True)
    use_own(own_folder())

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
from scorepad.rules.definitions import Ends, Standing, Variant, VariantId
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
    rules: HouseRules, variant: str, parent: Variant, language: str, text_before: str = ""
) -> str:
    """The TOML text of a file with these house rules.

    `variant` is the id of the rules, `parent` the variant that they change, and `language` that of
    the names in them. `text_before` is the text of the file that is replaced, empty for a new one:
    its comments, its sources and its texts in other languages are kept.
    """
    is_new_file = not text_before
    file = tomlkit.parse(text_before)
    file["id"] = variant
    file["extends"] = rules.extends
    file["takes-options"] = list(rules.takes)  # which matches can still choose
    _set_ends(file, rules.ends)
    _set_words(_open_table(file, "words"), rules, language, is_new_file=is_new_file)
    _set_settings(_open_table(file, "settings"), rules.settings)
    penalties = _open_table(file, "penalties")
    _set_entries(penalties, rules.penalties, language, remedies=_remedies_of(parent))
    _set_entries(_open_table(file, "bonuses"), rules.bonuses, language, remedies={})
    _remove_empty_tables(file)
    return tomlkit.dumps(file)


def _remedies_of(variant: Variant) -> dict[str, str]:
    """What a player must do beside losing points, by the code of the penalty, where the variant says
    it.
    """
    remedies = {}
    for code, penalty in variant.penalties.items():
        if penalty.remedy:
            remedies[code] = penalty.remedy
    return remedies


def _remove_empty_tables(file: tomlkit.TOMLDocument) -> None:
    """Remove the tables of a file of house rules that have no entries."""
    for name in ("settings", "penalties", "bonuses"):
        if not file[name]:
            file.remove(name)


def _set_ends(file: tomlkit.TOMLDocument, ends: Ends) -> None:
    """Set when a match ends, unless the file has it already."""
    values = {key: value for key, value in asdict(ends).items() if value is not None}
    if file.unwrap().get("ends", {}) == values:
        return
    file.pop("ends", None)
    if values:
        file["ends"] = _as_toml(values)


def _set_words(
    words: Table | Container, rules: HouseRules, language: str, *, is_new_file: bool
) -> None:
    """Set the name of the rules and what is special in them, in this language.

    `words` is the table of the file with the texts of each language: the `name` under `it` is the
    Italian name.
    """
    texts_before = {code: dict(texts) for code, texts in words.unwrap().items()}
    for code, texts in _texts_by_language(texts_before, rules, language).items():
        if code in texts_before:
            _set_texts(words[code], texts)
        elif texts and is_new_file:
            words[code] = texts
        elif texts:
            # On one line: the header of a table, put before keys that the file already has, would
            # make them keys of that table.
            words[code] = _as_toml(texts)


def _set_texts(table: Table | Container, texts: Mapping[str, str]) -> None:
    """Set the texts that a file has in one language, unless it has just these already."""
    if table.unwrap() != texts:
        table.update(texts)
        _remove_other_keys(table, texts)


def _texts_by_language(
    texts_before: Mapping[str, Mapping[str, str]], rules: HouseRules, language: str
) -> dict[str, dict[str, str]]:
    """The texts of house rules by language: `{"it": {"name": "Casa", "special": "…"}}`.

    `texts_before` are those that their file has. Those of `language` are replaced by the texts of
    the rules, and come first.
    """
    names = _replace_text(_texts_of(texts_before, "name"), language, rules.name)
    specials = _replace_text(_texts_of(texts_before, "special"), language, rules.special)
    other_languages = [code for code in texts_before if code != language]
    texts_by_language = {}
    for code in [language, *other_languages]:
        texts = {}
        if code in names:
            texts["name"] = names[code]
        if code in specials:
            texts["special"] = specials[code]
        texts_by_language[code] = texts
    return texts_by_language


def _texts_of(words: Mapping[str, Mapping[str, str]], key: str) -> dict[str, str]:
    """The texts of one key by language: `{"it": {"name": "Casa"}}` and `name` → `{"it": "Casa"}`."""
    return {language: texts[key] for language, texts in words.items() if key in texts}


def _replace_text(texts: Mapping[str, str], language: str, text: str) -> dict[str, str]:
    """Texts by language, with this text in this language: `{"it": "Casa"}`, `en` and `Home` →
    `{"it": "Casa", "en": "Home"}`. An empty text is removed.

    Where a language has no text, the form shows that of another one in its field. If `text` is the
    same, nobody typed it, and the texts stay as they are.
    """
    is_text_of_other_language = language not in texts and text in texts.values()
    if is_text_of_other_language:
        return dict(texts)
    changed = dict(texts)
    if text:
        changed[language] = text
    else:
        changed.pop(language, None)
    return changed


def _set_entries(
    table: Table | Container,
    entries: Mapping[str, tuple[str, int]],
    language: str,
    *,
    remedies: Mapping[str, str],
) -> None:
    """Set the penalties or bonuses of a file, each with its name and points, by code.

    What the file has already stays as it is. `remedies` are the texts of the parent variant about
    what a player must do beside losing points, by code.
    """
    _remove_other_entries(table, entries)
    for code, (name, points) in entries.items():
        entry_before = table[code].unwrap() if code in table else {}
        names_before = entry_before.get("words", {})  # by language
        names = names_before
        if name:
            names = _replace_text(names_before, language, name)
        if entry_before.get("points") != points or names != names_before:
            table[code] = _house_entry(points, names, remedy=remedies.get(code, ""))


def _remove_other_entries(table: Table | Container, kept: Collection[str]) -> None:
    """Remove the penalties or bonuses that are not among these codes.

    A penalty without points stays: the players agree on its points each time, so that the form does
    not list it.
    """
    without_points = [code for code in table if "points" not in table[code]]
    _remove_other_keys(table, {*kept, *without_points})


def _house_entry(points: int, names: Mapping[str, str], *, remedy: str) -> dict[str, Any]:
    """A penalty or bonus as it stands in a file of house rules. `names` are its names by language,
    none for one that scorepad has a name for.
    """
    entry: dict[str, Any] = {"points": points}
    if remedy:
        entry["remedy"] = remedy
    entry["standing"] = str(Standing.AGREED)
    if names:
        entry["words"] = names
    return entry


def _open_table(file: tomlkit.TOMLDocument, name: str) -> Table | Container:
    """A table of the file, created if it is missing."""
    if name not in file:
        file[name] = tomlkit.table(is_super_table=True)
    if isinstance(file[name], OutOfOrderTableProxy):
        # Its parts have other tables between them, and cannot be edited; they are put together.
        entries = file[name].unwrap()
        file.remove(name)
        file[name] = entries
    table = file[name]
    assert isinstance(table, Table | Container), name
    return table


def _remove_other_keys(table: Table | Container, kept: Collection[str]) -> None:
    for key in list(table):
        if key not in kept:
            table.remove(key)


def _set_settings(table: Table | Container, settings: Mapping[str, Any]) -> None:
    """Set the settings of a file of house rules to these values, and remove all others.

    A setting that has the value already stays as it is, with its comments and sources.
    """
    _remove_other_keys(table, settings)
    for key, value in settings.items():
        value_before = _value_in_file(table, key)
        new_value = value
        if key == "canastas":  # the form does not have the texts that the file may have for them
            new_value = _keep_words_of_canastas(value, value_before or ())
        if new_value != value_before:
            table[key] = {"value": _as_toml(new_value), "standing": str(Standing.AGREED)}


def _value_in_file(settings: Table | Container, key: str) -> Any:
    """The value that a setting has in the file; None if the file does not have it."""
    if key not in settings:
        return None
    return settings[key].unwrap()["value"]


def _keep_words_of_canastas(
    kinds: Iterable[Mapping[str, Any]], kinds_before: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Kinds of canasta, which are sets of seven cards, with the texts that they had before.

    Each kind is a table with a code, `item`, and the values of the kind: `{"item": "pure", "points":
    500}` gets the `words` of the kind before that had the code `pure`, if that had any.
    """
    words_by_item = {}
    for kind in kinds_before:
        if "words" in kind:
            words_by_item[kind["item"]] = kind["words"]

    kinds_with_words: list[Mapping[str, Any]] = []
    for kind in kinds:
        new_kind = dict(kind)
        if kind["item"] in words_by_item:
            new_kind["words"] = words_by_item[kind["item"]]
        kinds_with_words.append(new_kind)
    return kinds_with_words


def _as_toml(value: Any) -> Item:
    """A value as TOML that stands on one line; only a list of tables has a line for each."""
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        for key, member in value.items():
            table[key] = _as_toml(member)
        return table
    if isinstance(value, list | tuple):
        array = tomlkit.array()
        for member in value:
            array.append(_as_toml(member))
        has_tables = any(isinstance(member, Mapping) for member in value)
        array.multiline(has_tables)
        return array
    item: Item = tomlkit.item(value)
    return item


def free_code(name: str, taken: Collection[str], usual: str) -> str:
    """A code made from a name, and not among `taken`: `Regole di Pia!` → `regole-di-pia`.

    If that is taken, it is `regole-di-pia-2`. `usual` is the code for a name without any letter.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    code = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    code = code[:LONGEST_ID].strip("-")
    if not code:
        code = usual
    if code not in taken:
        return code
    number = 2
    while f"{code}-{number}" in taken:
        number += 1
    return f"{code}-{number}"


def own_folder() -> Path:
    """The folder of the user's variants."""
    folder = own_variants().folder
    assert isinstance(folder, Path), "every command names one"
    return folder


def own_text(variant: str) -> str:
    """The text of a custom variant's file; empty if there is none."""
    file = _file_of(variant)
    if variant not in own_variants().usable or not file.is_file():
        return ""
    return read_own_text(file)


def _file_of(variant: str, *, is_guest: bool = False) -> Path:
    """The file of a custom variant, which may not exist yet.

    `is_guest`: whoever makes a new one has no access to all matches. The files of guests are in a
    folder of their own; an existing one stays where it is.
    """
    variants = own_variants()
    is_in_folder_of_guests = is_guest
    if variant in variants.usable:  # it exists
        is_in_folder_of_guests = variant in variants.guests
    folder = own_folder()
    if is_in_folder_of_guests:
        folder /= GUESTS
    return folder / f"{variant}.toml"


def save_own(variant: str, text: str, *, is_guest: bool = False) -> None:
    """Save a variant's file and load it.

    `is_guest`: whoever makes it has no access to all matches. Raises VariantError if the text is
    invalid, and OSError if the file cannot be written.
    """
    _require_valid_text(variant, text)
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


def _require_valid_text(variant: str, text: str) -> None:
    """Raise VariantError if this text cannot be the file of a variant."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{variant}.toml"
        file.write_text(text, "utf-8")
        read_variant_file(file)


def save_uploaded_variant(name: str, content: bytes, *, is_guest: bool = False) -> str:
    """Save an uploaded file of house rules and return its id. Raises VariantError, LimitReached and
    OSError.

    `name` is the name of the uploaded file. It is saved under the id in it; an id in use by another
    variant is refused, while the same file may be uploaded again.
    """
    variant = check_upload(name, content)
    text = decode_own(name, content)
    is_id_in_use = variant in variant_ids()
    if is_id_in_use and text != own_text(variant):
        raise VariantError(f"{variant}.toml", "id", "id-exists", name=variant)
    save_own(variant, text, is_guest=is_guest)
    return variant


def remove_own(variant: str) -> None:
    """Delete a variant's file; started matches keep its rules. Raises OSError."""
    _file_of(variant).unlink(missing_ok=True)
    use_own(own_folder())

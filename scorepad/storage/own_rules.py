"""House rules as files: a variant with changed values, written as TOML to the folder of the user's
variants.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import tomlkit
from tomlkit.container import Container, OutOfOrderTableProxy
from tomlkit.items import Item, Table

from scorepad.errors import VariantError
from scorepad.rules.definitions import Ends, Standing, Variant, VariantId
from scorepad.rules.toml_reader import decode_own_file, read_own_file
from scorepad.rules.variants import (
    GUESTS,
    offer_own_variants,
    own_variants,
    read_variant_file,
    variant_ids,
)
from scorepad.storage.connection import sync_descriptor
from scorepad.storage.own_upload import LONGEST_ID, verify_uploaded_rules


class NamedPoints(NamedTuple):
    """The name of a penalty or bonus, and its points.

    The name is empty for a penalty that the program has a name for.
    """

    name: str
    points: int


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The differences of a table's rules from the variant that they are based on.

    `settings` are those whose values differ, by key; `penalties` and `bonuses` are there
    by code; `takes` are the options that matches can still choose.
    """

    extends: VariantId
    name: str
    special: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    penalties: Mapping[str, NamedPoints] = field(default_factory=dict)
    bonuses: Mapping[str, NamedPoints] = field(default_factory=dict)
    ends: Ends = field(default_factory=Ends)
    takes: tuple[str, ...] = ()


def compose_house_rules(
    rules: HouseRules, variant: str, parent: Variant, language: str, text_before: str = ""
) -> str:
    """Compose the TOML file of these house rules, and return its text.

    `variant` is the id of the rules, `parent` the game that they change, and `language` that of the
    names in them. `text_before` is the text of the file that is replaced, empty for a new one. Its
    comments, its sources and its names in other languages are kept.
    """
    is_new_file = not text_before
    file = tomlkit.parse(text_before)
    file["id"] = variant
    file["extends"] = rules.extends
    file["takes-options"] = list(rules.takes)  # which matches can still choose
    _set_ends(file, rules.ends)
    _set_words(_get_or_add_table(file, "words"), rules, language, is_new_file=is_new_file)
    _set_settings(_get_or_add_table(file, "settings"), rules.settings)

    penalties = _get_or_add_table(file, "penalties")
    _set_named_points(penalties, rules.penalties, language, remedies=_list_remedies(parent))
    bonuses = _get_or_add_table(file, "bonuses")
    _set_named_points(bonuses, rules.bonuses, language, remedies={})

    _remove_empty_tables(file)
    return tomlkit.dumps(file)


def _list_remedies(variant: Variant) -> dict[str, str]:
    """List what players must do for a penalty beside losing points, by the code of the penalty.

    Penalties that only cost points are left out.
    """
    remedies = {}
    for code, penalty in variant.penalties.items():
        if penalty.remedy:
            remedies[code] = penalty.remedy
    return remedies


def _remove_empty_tables(file: tomlkit.TOMLDocument) -> None:
    """Remove the tables for settings, penalties and bonuses from a file if they are empty."""
    for name in ("settings", "penalties", "bonuses"):
        if not file[name]:
            file.remove(name)


def _set_ends(file: tomlkit.TOMLDocument, ends: Ends) -> None:
    """Set in a file when a match ends: `ends = {hands = 8}`, or nothing if that is not set.

    If the file says the same already, it is left as it is, with its comments.
    """
    values = {key: value for key, value in asdict(ends).items() if value is not None}
    values_before = file.unwrap().get("ends", {})
    if values == values_before:
        return
    file.pop("ends", None)
    if values:
        file["ends"] = _convert_to_toml(values)


def _set_words(
    words: Table | Container, rules: HouseRules, language: str, *, is_new_file: bool
) -> None:
    """Set the name of the rules, and the sentence about what is special in them.

    They are in `language`. `words` is the table of the file with the texts of each language:
    `[words.it]` has the Italian `name` and `special`.
    """
    texts_before = {code: dict(texts) for code, texts in words.unwrap().items()}
    for code, texts in _merge_texts(texts_before, rules, language).items():
        if code in texts_before:
            _set_texts(words[code], texts)
        elif texts and is_new_file:
            words[code] = texts
        elif texts:
            # On one line: the header of a table, put before keys that the file already has, would
            # make them keys of that table.
            words[code] = _convert_to_toml(texts)


def _set_texts(table: Table | Container, texts: Mapping[str, str]) -> None:
    """Set the texts that a file has in one language, and remove all others in that language.

    If the file has just these texts, it is left as it is, with its comments.
    """
    if table.unwrap() == texts:
        return
    table.update(texts)
    _remove_other_keys(table, texts)


def _merge_texts(
    texts_before: Mapping[str, Mapping[str, str]], rules: HouseRules, language: str
) -> dict[str, dict[str, str]]:
    """Merge the texts of house rules into those of their file, and return them by language.

    The texts are `name`, and `special`, what is special in the rules. Those in `language` come
    first. With `{"it": {"name": "Casa"}}` before, and rules with the name `Home` in English:
    `{"en": {"name": "Home"}, "it": {"name": "Casa"}}`.
    """
    names_before = _select_texts(texts_before, "name")
    specials_before = _select_texts(texts_before, "special")
    names = _replace_text(names_before, language, rules.name)
    specials = _replace_text(specials_before, language, rules.special)

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


def _select_texts(words: Mapping[str, Mapping[str, str]], key: str) -> dict[str, str]:
    """Select the texts of one key in each language that has it.

    `name` of `{"it": {"name": "Casa"}, "en": {}}` → `{"it": "Casa"}`.
    """
    return {language: texts[key] for language, texts in words.items() if key in texts}


def _replace_text(texts: Mapping[str, str], language: str, text: str) -> dict[str, str]:
    """Return a copy of texts by language, with the text in one language set, or removed if empty.

    With the texts `{"it": "Casa"}`:

    - `en`, `Home` → `{"it": "Casa", "en": "Home"}`
    - `it`, empty → `{}`
    - `en`, `Casa` → `{"it": "Casa"}`: where a language has no text, the form shows that of another
      one. It comes back unchanged, and nobody has typed it.
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


def _set_named_points(
    table: Table | Container,
    entries: Mapping[str, NamedPoints],
    language: str,
    *,
    remedies: Mapping[str, str],
) -> None:
    """Set the penalties or bonuses in a file to these entries, by code, with names in a language.

    An entry that the file has with the same name and points is left as it is, with its comments.
    `remedies` are the texts, by code, about what players must do beside losing points.
    """
    _remove_other_entries(table, entries)
    for code, entry in entries.items():
        entry_before: dict[str, Any] = table[code].unwrap() if code in table else {}
        names_before = entry_before.get("words", {})  # {"it": "Taglio giusto"}
        names = names_before
        if entry.name:
            names = _replace_text(names_before, language, entry.name)

        is_same_as_before = entry.points == entry_before.get("points") and names == names_before
        if not is_same_as_before:
            table[code] = _make_entry(entry.points, names, remedy=remedies.get(code, ""))


def _remove_other_entries(table: Table | Container, kept: Collection[str]) -> None:
    """Remove the penalties or bonuses from a file whose codes are not among those to keep.

    A penalty without points stays as well: the players agree on its points each time, so the form
    does not list it, and nobody has removed it there.
    """
    without_points = [code for code in table if "points" not in table[code]]
    _remove_other_keys(table, {*kept, *without_points})


def _make_entry(points: int, names: Mapping[str, str], *, remedy: str) -> dict[str, Any]:
    """Make a penalty or bonus as it stands in a file of house rules.

    `names` are its names by language; none if the program has a name for it. `remedy` is the text
    about what players must do beside losing points. For 50 points and `{"it": "Taglio"}`:
    `{"points": 50, "standing": "house", "words": {"it": "Taglio"}}`.
    """
    entry: dict[str, Any] = {"points": points}
    if remedy:
        entry["remedy"] = remedy
    entry["standing"] = str(Standing.AGREED)  # "house": no rule book says it, the players agreed
    if names:
        entry["words"] = names
    return entry


def _get_or_add_table(file: tomlkit.TOMLDocument, name: str) -> Table | Container:
    """Return a table of a TOML file so that it can be edited; add it if it is missing."""
    if name not in file:
        # It has no header of its own, only the tables in it have one: `[settings.decks]`.
        file[name] = tomlkit.table(is_super_table=True)
    has_parts_apart = isinstance(file[name], OutOfOrderTableProxy)  # other tables between them
    if has_parts_apart:
        # tomlkit cannot edit it like that, so its parts are put together.
        entries = file[name].unwrap()
        file.remove(name)
        file[name] = entries
    table = file[name]
    assert isinstance(table, Table | Container), name
    return table


def _remove_other_keys(table: Table | Container, kept: Collection[str]) -> None:
    """Remove all keys of a table but those to keep."""
    for key in list(table):
        if key not in kept:
            table.remove(key)


def _set_settings(table: Table | Container, settings: Mapping[str, Any]) -> None:
    """Set the settings in a file to these values, and remove all others: `{"decks": 1}`.

    A setting that has the value already is left as it is, with its comments and sources.
    """
    _remove_other_keys(table, settings)
    for key, value in settings.items():
        value_before = _read_value_of_setting(table, key)  # None if the file does not have it
        new_value = value
        if key == "canastas" and value_before is not None:
            # Each kind of canasta may have names in the file, which the form does not have.
            new_value = _keep_names_of_canastas(value, value_before)
        if new_value != value_before:
            table[key] = {
                "value": _convert_to_toml(new_value),
                "standing": str(Standing.AGREED),  # no rule book says it, the players agreed
            }


def _read_value_of_setting(settings: Table | Container, key: str) -> Any:
    """Read the value of a setting in a file: `[settings.decks]` with `value = 1` → 1.

    None if the file does not have the setting.
    """
    if key not in settings:
        return None
    return settings[key].unwrap()["value"]


def _keep_names_of_canastas(
    kinds: Iterable[Mapping[str, Any]], kinds_before: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Give kinds of canasta the names that they had in the file before.

    A canasta is a group of seven cards or more. Each kind is a table with a code, `item`. A new
    `{"item": "all-sevens", "points": 1500}` gets the `words`, its names by language, of the kind
    before that had the code `all-sevens`.
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


def _convert_to_toml(value: Any) -> Item:
    """Convert a value into TOML on one line: `{"it": "Casa"}` → `{it = "Casa"}`.

    Only a list of tables has a line for each table.
    """
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        for key, member in value.items():
            table[key] = _convert_to_toml(member)
        return table
    if isinstance(value, list | tuple):
        return _convert_list_to_toml(value)
    item: Item = tomlkit.item(value)
    return item


def _convert_list_to_toml(values: Iterable[Any]) -> Item:
    """Convert a list into TOML: `[1, 2]`. A list of tables has a line for each table."""
    array = tomlkit.array()
    has_tables = False
    for value in values:
        array.append(_convert_to_toml(value))
        if isinstance(value, Mapping):
            has_tables = True
    array.multiline(has_tables)
    return array


def make_free_code(name: str, taken: Collection[str], usual: str) -> str:
    """Make a code from a name, one that is not taken yet: `Regole di Pia!` → `regole-di-pia`.

    - `regole-di-pia` is taken → `regole-di-pia-2`
    - a name without letters, such as `!!` → the `usual` code
    """
    code = _reduce_to_code(name)
    if not code:
        code = usual
    if code not in taken:
        return code

    number = 2
    while f"{code}-{number}" in taken:
        number += 1
    return f"{code}-{number}"


def _reduce_to_code(name: str) -> str:
    """Reduce a name to small letters, digits and hyphens: `Più di Pia!` → `piu-di-pia`.

    Empty if it has no letters and no digits. A long one is cut.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    code = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    return code[:LONGEST_ID].strip("-")


def find_folder_of_house_rules() -> Path:
    """Return the folder in which the files of house rules are."""
    folder = own_variants().folder
    assert isinstance(folder, Path), "every command names one"
    return folder


def read_house_rules_text(variant: str) -> str:
    """Read the file of house rules with this id, and return its text; empty if there is none."""
    file = _choose_file(variant)
    if variant not in own_variants().usable or not file.is_file():
        return ""
    return read_own_file(file)


def _choose_file(variant: str, *, is_guest: bool = False) -> Path:
    """Choose the path of the file of house rules: that of the existing file, or of a new one.

    The files of guests are in a folder of their own. `is_guest` says that a guest makes new house
    rules, that is, somebody without admin access. An existing file stays where it is.
    """
    variants = own_variants()
    exists = variant in variants.usable
    if exists:
        belongs_to_guests = variant in variants.guests
    else:
        belongs_to_guests = is_guest

    folder = find_folder_of_house_rules()
    if belongs_to_guests:
        folder /= GUESTS
    return folder / f"{variant}.toml"


def save_house_rules_file(variant: str, text: str, *, is_guest: bool = False) -> None:
    """Save the file of house rules with this id, and load it, so that matches can be played by it.

    `is_guest` says that somebody without admin access saves it. Raises VariantError if the text is
    invalid, and OSError if the file cannot be written.
    """
    _require_valid_text(variant, text)
    file = _choose_file(variant, is_guest=is_guest)
    file.parent.mkdir(parents=True, exist_ok=True)
    # Written under another name first, so that no half of a file is left if the program is stopped.
    draft = file.with_name(f".{variant}.new")
    try:
        with draft.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            sync_descriptor(stream.fileno())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    offer_own_variants(find_folder_of_house_rules())


def _require_valid_text(variant: str, text: str) -> None:
    """Raise VariantError if this text cannot be the file of house rules with this id."""
    # The loader reads files only, so that the text is put into a temporary one.
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{variant}.toml"
        file.write_text(text, "utf-8")
        read_variant_file(file)


def save_uploaded_house_rules(name: str, content: bytes, *, is_guest: bool = False) -> str:
    """Save an uploaded file of house rules, and return the id of the rules.

    `name` is the name of the uploaded file. It is saved under the id that it has inside. Raises
    VariantError if it is invalid, or if other rules have that id; the same file may be uploaded
    again. Raises LimitReached and OSError.
    """
    variant = verify_uploaded_rules(name, content)
    text = decode_own_file(name, content)
    is_id_in_use = variant in variant_ids()
    if is_id_in_use and text != read_house_rules_text(variant):
        raise VariantError(f"{variant}.toml", "id", "id-exists", name=variant)
    save_house_rules_file(variant, text, is_guest=is_guest)
    return variant


def delete_house_rules_file(variant: str) -> None:
    """Delete the file of house rules with this id. Raises OSError.

    Matches that were started by these rules keep them.
    """
    _choose_file(variant).unlink(missing_ok=True)
    offer_own_variants(find_folder_of_house_rules())  # reads the folder again, without that file

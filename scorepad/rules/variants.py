"""Variants with what they inherit, and the ruleset in force after a table chose its options."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from scorepad.errors import ChoiceError, NewerError, VariantError
from scorepad.rules.completeness import build_settings
from scorepad.rules.definitions import (
    AGREED_BY_PLAYERS,
    GROUND_STATEMENTS,
    Amount,
    Choices,
    ChoiceValue,
    Citation,
    Cited,
    Ends,
    Option,
    Ruleset,
    Source,
    SourceId,
    Standing,
    Statement,
    Value,
    Variant,
    VariantId,
)
from scorepad.rules.loader import (
    data_folder,
    load_order,
    load_sources,
    load_statements,
    load_users_variant,
    load_variant,
)
from scorepad.rules.toml_reader import CODE, parse_own_toml, read_own_file, read_toml_file
from scorepad.rules.toml_text import find_line_numbers

GUESTS = "guests"
"""The folder, in that of a user's variants, of those made by devices without access to all matches.
"""
RESERVED = frozenset({"nuove", "file", "cerca", "confronta", "parole", "check"})
"""Names that pages and commands have as addresses: no variant of a user's may have one as its id.
"""


def sources() -> dict[SourceId, Source]:
    """Return all rule books that rules may cite, by id: scorepad's, then those of users' files."""
    all_sources = dict(load_sources())
    for variant in _on_offer.usable.values():
        all_sources |= variant.sources
    return all_sources


@dataclass(frozen=True, slots=True)
class OwnVariants:
    """The variants in a user's folder: the usable ones, and the errors in the other files."""

    folder: Path | None = None
    usable: Mapping[str, Variant] = field(default_factory=dict)
    broken: tuple[VariantError, ...] = ()
    guests: frozenset[str] = frozenset()
    """The ids of those that devices without access to all matches made: the files of the folder
    `GUESTS`.
    """
    number: int = 0
    """Rises whenever the folder is read again: part of the key of what is cached of variants."""


_on_offer = OwnVariants()
"""The users' own variants on offer in this process."""


def offer_own_variants(folder: Path | None) -> OwnVariants:
    """Offer the games in a user's folder of house rules, besides those shipped with scorepad.

    They replace the users' games that were offered before, in the whole process. With None, only
    scorepad's games are left. Files with mistakes are left out, and listed in the result.
    """
    global _on_offer  # noqa: PLW0603 - the process has one set of variants, which every rule set is made from
    own = OwnVariants() if folder is None else read_own_variants(folder)
    # What other modules cache of all games is found by this number, so it is made again.
    _on_offer = replace(own, number=_on_offer.number + 1)

    variant_ids.cache_clear()
    _settle_cached.cache_clear()
    return _on_offer


def own_variants() -> OwnVariants:
    """Return the users' own games that are on offer, and the files that could not be read."""
    return _on_offer


def read_own_variants(folder: Path) -> OwnVariants:
    """Read the games in a user's folder of house rules, and in its subfolder for guests.

    Each TOML file is a game. The result has the games by id, and the errors of the files that
    cannot be used. If the folder does not exist, the result is empty.
    """
    usable: dict[str, Variant] = {}
    broken: list[VariantError] = []
    guests: set[str] = set()
    files = _list_toml_files(folder)
    files_of_guests = _list_toml_files(folder / GUESTS)
    for file in files + files_of_guests:
        name = file.stem  # "mia.toml" -> "mia"
        if name in usable:
            # "the rules “mia” are there already. Delete them first, or give the file another id."
            broken.append(VariantError(file.name, "id", "id-exists", name=name))
            continue
        try:
            usable[name] = read_variant_file(file, others=usable)
        except VariantError as error:
            broken.append(error)
            continue
        if file in files_of_guests:
            guests.add(name)
    return OwnVariants(folder, usable, tuple(broken), frozenset(guests))


def _list_toml_files(folder: Path) -> list[Path]:
    """List the TOML files in a folder by name; none if there is no such folder."""
    if not folder.is_dir():
        return []
    toml_files = [file for file in folder.iterdir() if file.name.endswith(".toml")]
    return sorted(toml_files)


def read_variant_file(file: Path, others: Mapping[str, Variant] | None = None) -> Variant:
    """Read the game in a user's file of house rules. Raises VariantError if it has a mistake.

    No other game of the users may have the name that it gives to itself. `others` are the games to
    compare with, by id; without them, these are the users' games on offer.
    """
    check_id(file.stem, file.name)
    text = read_own_file(file)
    variant = parse_own_variant(file.name, text)
    if others is None:
        others = _on_offer.usable
    for other in others.values():
        if other.id != variant.id:  # the file may be read again, after it was changed
            _check_names_differ(variant, other, text)
    return variant


def check_id(variant: str, file: str) -> None:
    """Check the id that a user gives to a game, and raise VariantError if it cannot be used.

    `file` is the name of the user's file, for the message. `mia` is a good id, `Mia` is not, and
    `samba` is one of scorepad's own games.
    """
    if not CODE.fullmatch(variant):
        # "“Mia” cannot be a name", only lower-case letters without accents, digits and hyphens
        raise VariantError(file, "id", "id-form", name=variant)
    if variant in package_ids():
        # "“samba” is a variant of scorepad. Give the file another name."
        raise VariantError(file, "id", "id-taken", name=variant)
    if variant in RESERVED:
        # "“check” is the address of a page or the name of a command. Give the file another name."
        raise VariantError(file, "id", "id-reserved", name=variant)


# The folder is read again after each change of one file; what was read of the others is still true.
@lru_cache(maxsize=256)
def parse_own_variant(file: str, text: str) -> Variant:
    """Parse the text of a user's file of house rules into a game, with all that it inherits.

    `file` is the name of the file. Raises VariantError with all mistakes in it.
    """
    root = parse_own_toml(file, text, load_sources())
    return load_users_variant(root, parent_of=get_variant, parents=package_ids())


def _check_names_differ(variant: Variant, other: Variant, text: str) -> None:
    """Check that two games of users have different names in each language.

    "Mine" and "mine" are the same name. Raises VariantError if the names are the same, at the line
    of the name in `text`, which is the text of the file of `variant`.
    """
    for language in variant.words:
        name = _get_own_name(variant, language)
        other_name = _get_own_name(other, language)
        if name.lower() != other_name.lower():
            continue
        file = f"{variant.id}.toml"
        key = f"words.{language}.name"
        line = find_line_numbers(file, text).get(key)
        # "the name “Mine” is already that of other.toml. Choose another one."
        raise VariantError(file, key, "name-taken", line, name=name, other=f"{other.id}.toml")


def _get_own_name(variant: Variant, language: str) -> str:
    """Return the name that the file of a user's game gives to it in a language."""
    messages = variant.words[language]
    return messages[f"variant.{variant.id}.name"]


_FILES_WITHOUT_VARIANT = frozenset({"sources", "order", "faults"})
"""The names of the files in the folder of variants that hold something else."""


@cache
def package_ids() -> tuple[VariantId, ...]:
    """Return the ids of the games shipped with scorepad, in the order in which pages offer them.

    A game whose file exists, but which `order.toml` does not list, comes last.
    """
    names: set[str] = set()
    for file in data_folder().iterdir():
        if file.name.endswith(".toml"):
            names.add(file.name.removesuffix(".toml"))
    names -= _FILES_WITHOUT_VARIANT
    in_order = [name for name in load_order() if name in names]
    not_listed = [VariantId(name) for name in sorted(names.difference(in_order))]
    return (*in_order, *not_listed)


@cache
def variant_ids() -> tuple[VariantId, ...]:
    """Return the ids of all games on offer, in the order of the pages: those of users are last."""
    ids_of_users = [VariantId(name) for name in _on_offer.usable]
    return (*package_ids(), *ids_of_users)


def default_variant() -> VariantId:
    """Return the id of the game that is played if nobody chooses one: the first on offer."""
    return variant_ids()[0]


DEAL = "deal"
"""The entry field for the number of a hand in its match, if the opening depends on it."""
FROZEN_VERSION = 1
"""Version of the serialized form of rulesets; raise it if a change would misread stored ones."""
_FORMER_SETTINGS = (
    "first_dealer", "cut", "first_player", "deal_passes", "meld_red_threes", "meld_lay_off", "opening_counts",
    "out_empty_handed", "table_agreement",
)  # fmt: skip
"""Settings of rulesets stored earlier that had one value each: what it says holds in every game."""

_VALUES_OF_LATER_SETTINGS: Mapping[str, Any] = {
    "wilds_from_naturals": 0, "talon": (), "turn_card": 0, "dead_ranks": "none", "wild_discard": "any",
    "empty_pile_bars": (), "special_hands_courtesy": "none", "pile_taken_most": None, "canastas_capped": "never",
    "out_partner_foot": "not-needed", "opening_canasta": "counts", "meld_longest_out": "as-others",
    "talon_from": "stock", "talon_with_pile": "none",
}  # fmt: skip
"""Settings that rulesets stored earlier lack, with the value that changes nothing in their games."""

_PILES_NOT_KNOWN = ("not-told", "not-refereed")
"""What rulesets stored earlier hold for the setting `pile` of games whose pile was not known."""
_SETTINGS_OF_PILE = (
    "pile", "pile_naturals", "pile_naturals_frozen", "pile_top_laid_off", "pile_tops", "pile_taken_most", "freezing",
    "black_three_discarded", "opening_pile", "upcard", "upcard_wild", "upcard_red_three", "upcard_black_three",
)  # fmt: skip


# Built on first use, to keep the start of the program fast.
@cache
def _get_ruleset_form() -> TypeAdapter[Ruleset]:
    """Return what pydantic needs to turn the rules of a match into JSON and back."""
    return TypeAdapter(Ruleset)


def freeze(rules: Ruleset) -> dict[str, Any]:
    """Turn the rules of a match into plain JSON values, to be stored with the match.

    `thaw` turns them back. `"version"` is that of the form, not of the rules.
    """
    return {"version": FROZEN_VERSION, **_get_ruleset_form().dump_python(rules, mode="json")}


def thaw(frozen: Mapping[str, Any]) -> Ruleset:
    """Turn stored JSON values back into the rules of a match. They were made by `freeze`.

    Raises NewerError if a later version of scorepad stored them in another form, and pydantic's
    ValidationError for values that are no rules.
    """
    version = frozen.get("version")
    if version != FROZEN_VERSION:
        raise NewerError(f"frozen rules of version {version!r}")
    values = {key: value for key, value in frozen.items() if key != "version"}
    settings = values.get("settings")
    if isinstance(settings, Mapping):  # anything else is refused below
        values["settings"] = {**_VALUES_OF_LATER_SETTINGS, **_drop_former_settings(settings)}
        if settings.get("pile") in _PILES_NOT_KNOWN:
            values |= _tell_rules_of_pile(values)
    return _get_ruleset_form().validate_python(values)


def _tell_rules_of_pile(frozen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings and citations of stored rules, with those of the pile that they lack.

    Matches of hand and foot and of moderna were stored before scorepad knew how their pile begins
    and is taken. No score depends on it. Only in hand and foot each player has several hands.
    """
    has_foot = frozen["settings"].get("hands_each", 1) > 1
    today = freeze(settle(VariantId("hand-and-foot" if has_foot else "moderna")))
    settings = {name: today["settings"][name] for name in _SETTINGS_OF_PILE}
    keys = [name.replace("_", "-") for name in _SETTINGS_OF_PILE]
    cited = {key: today["cited"][key] for key in keys}
    return {
        "settings": frozen["settings"] | settings,
        "cited": frozen.get("cited", {}) | cited,
    }


def _drop_former_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored settings of a match, without those that scorepad no longer has.

    Matches begun with an earlier version still have them. They had one value in every game, so
    nothing is lost. `{"decks": 2, "cut": …}` → `{"decks": 2}`.
    """
    return {name: value for name, value in settings.items() if name not in _FORMER_SETTINGS}


def get_variant(name: str) -> Variant:
    """Return the game with this id: one shipped with scorepad, or a user's own.

    Raises ChoiceError if there is none, or if the user's file of it has mistakes. Raises
    VariantError if scorepad's own data is wrong.
    """
    if name in _on_offer.usable:
        return _on_offer.usable[name]
    _refuse_if_broken(name)
    if name not in package_ids():
        raise ChoiceError("variant", "unknown-variant", name, known=tuple(variant_ids()))
    return get_package_variant(name)


@cache
def get_package_variant(name: str) -> Variant:
    """Return a game shipped with scorepad. It is read once, whatever games users offer after that.

    Raises VariantError if scorepad's own data is wrong.
    """
    return build_variant(name, data_folder(), sources())


def _refuse_if_broken(name: str) -> None:
    """Raise ChoiceError if a user's file has this game, but cannot be used because of a mistake.

    The message says where the mistake is, so that the user finds it.
    """
    for error in _on_offer.broken:
        if error.file == f"{name}.toml":
            line = error.line or 1  # a mistake of the whole file has no line
            place_of_mistake = (error.file, str(line), error.key)
            raise ChoiceError("variant", "broken-variant", name, known=place_of_mistake)


def build_variant(name: str, folder: Traversable, known: Mapping[SourceId, Source]) -> Variant:
    """Read the game with this id from a folder of rules, with everything that it inherits.

    If the folder does not have the game that it extends, scorepad's own is taken. `known` are the
    rule books that the files may cite. Raises VariantError for a mistake.
    """

    def find_parent(parent: str) -> Variant:
        if folder == data_folder():
            return get_package_variant(parent)  # many games extend the same one: it is read once
        if (folder / f"{parent}.toml").is_file():
            return build_variant(parent, folder, known)
        return get_variant(parent)

    root = read_toml_file(folder / f"{name}.toml", known)
    return load_variant(root, parent_of=find_parent)


class _ChosenOption(NamedTuple):
    """An option that a table chose, as part of the key of a cache.

    The type of the value has its name here, because a cache takes 1 and true for the same value.
    """

    name: str
    type_name: str
    value: ChoiceValue


def _make_cache_key(options: Choices) -> tuple[_ChosenOption, ...]:
    """Turn chosen options into a tuple, which can be the key of a cache as a dict cannot.

    `{"target": 7000}` → `(("target", "int", 7000),)`. The order in which the options were chosen
    makes no difference: they are sorted by name.
    """
    chosen: list[_ChosenOption] = []
    for name, value in sorted(options.items()):
        chosen.append(_ChosenOption(name, type(value).__name__, value))
    return tuple(chosen)


def settle(
    variant: str,
    preset: str | None = None,
    options: Choices | None = None,
    ends: Ends | None = None,
) -> Ruleset:
    """Return the rules that are in force when players choose a game, a preset and options.

    `settle("classica", options={"target": 7000})` → the classic game, played up to 7000 points.

    A preset is a set of options, which plays the game as one rule book describes it. Chosen options
    override those of the preset, and these override the defaults. `ends` is what ends the match
    besides its target of points (None: what the game itself says).

    Raises ChoiceError with the name of the choice that does not exist, and VariantError if the file
    of the game is wrong.
    """
    chosen = _make_cache_key(options or {})
    return _settle_cached(variant, preset, chosen, ends)


@lru_cache(maxsize=1024)
def _settle_cached(
    variant: str, preset: str | None, chosen: tuple[_ChosenOption, ...], ends: Ends | None
) -> Ruleset:
    """Return the rules for one combination of choices, computed once and then kept in a cache.

    `chosen` are the options in the form that `_make_cache_key` gives to them.
    """
    options = {option.name: option.value for option in chosen}
    return settle_variant(get_variant(variant), preset, options, ends)


def settle_variant(
    variant: Variant, preset: str | None, options: Choices, ends: Ends | None = None
) -> Ruleset:
    """Return the rules that are in force when players choose a preset and options of this game.

    Unlike `settle`, it takes the game itself and not its id, so that rules which a user is still
    writing can be tried. `ends` is what ends the match besides its target of points (None: what
    the game itself says). Raises ChoiceError with the name of the choice that does not exist.
    """
    if ends is not None:
        variant = _replace_ends(variant, ends)
    choices = _apply_choices(variant, preset, options)
    rules = _build_ruleset(variant, preset, choices)
    # The digest is made from all the rest, so it is added last.
    return replace(rules, digest=_compute_digest(rules))


def _build_ruleset(variant: Variant, preset: str | None, chosen: _Chosen) -> Ruleset:
    """Build the rules in force from a game and what the players chose, still without a digest.

    `chosen` has the value of every option, and the settings as these options change them.
    """
    values = {name: setting.value for name, setting in chosen.settings.items()}
    return Ruleset(
        variant=variant.id,
        preset=preset,
        options=chosen.options,
        settings=build_settings(values),
        cited=_collect_citations(variant, chosen.settings),
        penalties=dict(variant.penalties),
        checks=tuple(variant.checks.values()),
        lines=tuple(variant.lines.values()),
        entry_fields=_list_entry_fields(variant, opening_by=values["opening-by"]),
        bonuses=dict(variant.bonuses),
        ends=variant.ends,
        words=_select_words(variant),
    )


def _select_words(variant: Variant) -> dict[str, dict[str, str]]:
    """Return the messages that a user's file defines, by language; only languages with messages.

    For a game shipped with scorepad the result is empty: its words are in the message catalogue.
    """
    words = {}
    for language, texts in variant.words.items():
        if texts:
            words[language] = dict(texts)
    return words


def _collect_citations(variant: Variant, settings: Mapping[str, Value]) -> dict[str, Cited]:
    """Collect what supports the rules of a game: by the name of each setting in force.

    A few sentences of the rulebook are no settings, but results are based on them too, such as that
    a player goes out with no cards left. What supports these is found by their ids.
    """
    cited = {name: setting.cited for name, setting in settings.items()}
    for statement in statements_of(variant):
        if statement.id in GROUND_STATEMENTS:
            cited[statement.id] = statement.cited
    return cited


def _list_entry_fields(variant: Variant, *, opening_by: str) -> tuple[str, ...]:
    """List the fields of the form in which players enter a hand (round) of this game.

    The opening minimum is how many points the first cards that a side lays must be worth. If it
    depends on the number of the hand (`opening_by` is `deal`), the form asks for that number too.
    """
    if opening_by == "deal" and DEAL not in variant.entry_fields:
        return (*variant.entry_fields, DEAL)
    return variant.entry_fields


def _compute_digest(rules: Ruleset) -> str:
    """Compute a hash of everything in a ruleset: two rulesets are equal if their digests are."""
    text = json.dumps(freeze(rules), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _replace_ends(variant: Variant, ends: Ends) -> Variant:
    """Return a copy of the game that ends as the players chose: after some hands or minutes.

    What the game itself says about hands (rounds) no longer counts. If its matches end after 11
    hands, and the players chose 60 minutes, they may play any number of hands in that time.
    """
    settings = dict(variant.settings)
    if variant.ends.hands:
        settings["match-deals"] = Value("unlimited", AGREED_BY_PLAYERS)
    return replace(variant, ends=ends, settings=ends.set_last_hand(settings))


def variant_with_choices(
    name: str, preset: str | None = None, options: Choices | None = None
) -> Variant:
    """Return the game with this id, with the settings that a preset and options give it.

    Each setting has the citations of the rule books that support it. Raises ChoiceError with the
    name of the choice that does not exist, and VariantError if the file of the game is wrong.
    """
    variant = get_variant(name)
    chosen = _apply_choices(variant, preset, options or {})
    return replace(variant, settings=chosen.settings)


class _Chosen(NamedTuple):
    """Every option of a variant with the value in force at a table, and the settings in force."""

    options: dict[str, ChoiceValue]
    settings: dict[str, Value]


def _apply_choices(variant: Variant, preset: str | None, options: Choices) -> _Chosen:
    """Find which value every option of a game has, and which settings follow from that.

    The value of an option is the one in `options`; else the one in the preset, a set of options;
    else the default. Raises ChoiceError with the name of the choice that does not exist.
    """
    # Where an option is in both, the later value wins.
    chosen = {**_get_options_of_preset(variant, preset), **options}
    # The settings of the game itself are those of the defaults, so defaults need not be applied.
    settings = _apply_options(variant, chosen)

    defaults = {name: default_of(variant, option) for name, option in variant.options.items()}
    return _Chosen(options={**defaults, **chosen}, settings=settings)


def _apply_options(variant: Variant, chosen: Choices) -> dict[str, Value]:
    """Return the settings of a game, as the chosen options change them.

    With the option `canasta-size` at `"exactly-seven"`, the setting `meld-longest` is 7. Raises
    ChoiceError for an option that the game does not have, or not with this value.
    """
    for name in chosen:
        if name not in variant.options:
            known = tuple(variant.options)
            raise ChoiceError(f"options/{name}", "unknown-option", given=name, known=known)
    settings = dict(variant.settings)
    # Of two options that decide one setting, the later one of the file wins.
    for name, option in variant.options.items():
        if name in chosen:
            settings |= _find_settings_of_choice(variant, option, chosen[name])
    # No option changes after how many hands (rounds) the match ends, if that is agreed.
    return variant.ends.set_last_hand(settings)


def _get_options_of_preset(variant: Variant, preset: str | None) -> Choices:
    """Return the options that a preset of a game chooses: `giochi` → `{"upcard": "giochi", …}`.

    A preset is a set of options under a name. Without one (None), the result is empty. Raises
    ChoiceError for an unknown preset.
    """
    if preset is None:
        return {}
    if preset in variant.presets:
        return variant.presets[preset].options
    problem = "unknown-preset" if variant.presets else "no-presets"
    raise ChoiceError("preset", problem, preset, tuple(variant.presets))


def default_of(variant: Variant, option: Option) -> ChoiceValue:
    """Return the value that an option of a game has if the players do not choose one.

    - an option with a list of values: the one that its file names, `"seven-or-more"`
    - an option for a number, such as the target: the number that the game itself has, 5000
    """
    if option.amount is not None:
        amount: int = variant.settings[option.amount.setting].value
        return amount
    assert option.default is not None, "an option with a list of values has a default"
    return option.default


def _find_settings_of_choice(
    variant: Variant, option: Option, value: ChoiceValue
) -> dict[str, Value]:
    """Return the settings that change if players choose this value of an option, by name.

    - `"exactly-seven"` of `canasta-size`, which has a list of values → `canasta-length` and others
    - 7000 of `target`, for which any multiple of 500 can be chosen → `target`

    Raises ChoiceError if the option does not have the value.
    """
    if option.amount is None:  # an option with a list of values
        return _find_settings_of_listed_value(variant, option, value)

    if not option.amount.is_allowed_number(value):
        step = str(option.amount.step)
        raise ChoiceError(f"options/{option.id}", "unknown-amount", value, known=(step,))
    if value == default_of(variant, option):
        return {}  # the game has this number anyway
    return {option.amount.setting: Value(value, _cite_number(option, option.amount, value))}


def _cite_number(option: Option, amount: Amount, number: ChoiceValue) -> Cited:
    """Return what supports a number that players choose: a rule book that names this very number.

    If there is none, it is what leaves the number to the players.
    """
    number_in_rule_book = option.value_of(number)
    if number_in_rule_book is not None:
        return number_in_rule_book.cited
    return amount.cited


def _find_settings_of_listed_value(
    variant: Variant, option: Option, value: ChoiceValue
) -> dict[str, Value]:
    """Return the settings that change if players choose this value from the list of an option.

    `"exactly-seven"` of `canasta-size` → `{"canasta-length": 7, "meld-longest": 7, …}`, each with
    what it cites. Raises ChoiceError for a value that is not in the list. Some values are only for
    games of two sides, for example, and raise it in any other.
    """
    values_on_offer = variant.values_of(option)
    listed = option.value_of(value)
    if listed is None or listed not in values_on_offer:
        known = tuple(json.dumps(each.value) for each in values_on_offer)
        raise ChoiceError(f"options/{option.id}", "unknown-value", value, known=known)

    settings = {}
    for name, new_value in listed.sets.items():
        settings[name] = Value(new_value, listed.cited_by_setting[name])
    return settings


# ---------------------------------------------------------------- the rulebook beside the settings


def statements_of(variant: Variant) -> Iterator[Statement]:
    """Find the sentences of the rulebook that apply to a game, with citations that hold for it.

    A statement is a sentence of the rulebook that is no setting, such as how a turn goes. Most are
    about the classic game. Other games take them over, and then the rule books that they cite have
    to be adapted.
    """
    passages_about_game = _collect_own_citations(variant)
    for statement in load_statements().values():
        if not _is_statement_true(statement, variant.settings):
            continue
        cited_passages = set(statement.cited.citations)
        if cited_passages <= passages_about_game:  # all of them are about this very game
            yield statement
            continue
        adapted = _adapt_statement(statement, variant)
        if adapted is not None:
            yield adapted


def _adapt_statement(statement: Statement, variant: Variant) -> Statement | None:
    """Return a sentence of the rulebook about the classic game, as it is cited for another game.

    None if the sentence says nothing about the other game.
    """
    if not statement.differs:
        return replace(statement, cited=variant.cite_inherited(statement.cited))

    # It says what one rule book claims against the others about the classic game. For another game
    # that matters only if a rule book describes it as the classic game with changes.
    is_classic_game = variant.reasoning_for_rest is None
    if is_classic_game or variant.books_about_it:
        return statement
    return None


def _is_statement_true(statement: Statement, settings: Mapping[str, Value]) -> bool:
    """Tell whether a sentence of the rulebook is true of a game with these settings.

    - `when = { discard-fitting = "forbidden" }`: only if the setting has this value
    - `unless = { … }`: only if no setting has the value given there
    """
    for name, needed_value in statement.when.items():
        if settings[name].value != needed_value:
            return False
    for name, excluded_value in statement.unless.items():
        if settings[name].value == excluded_value:
            return False
    return True


def _collect_own_citations(variant: Variant) -> set[Citation]:
    """Collect the passages of rule books that state something about this very game.

    These are the citations for its number of players and its settings. What the game only infers,
    or has from its parent, does not count.
    """
    passages: set[Citation] = set()
    shipped_game = find_shipped_game(variant)
    if _has_own_players(shipped_game):
        passages.update(shipped_game.players.cited.citations)
    for setting in variant.settings.values():
        is_stated = setting.cited.standing is Standing.STATED
        if is_stated:
            passages.update(setting.cited.citations)
    return passages


def _has_own_players(game: Variant) -> bool:
    """Tell whether a game shipped with scorepad is for other numbers of players than its parent.

    A game without a parent always has its own.
    """
    if game.parent is None:
        return True
    parent = get_variant(game.parent)
    return game.players != parent.players


def find_shipped_game(variant: Variant) -> Variant:
    """Find the game shipped with scorepad from which a user's house rules are made.

    House rules that extend samba → samba. A game shipped with scorepad → that game itself.
    """
    game = variant
    while game.is_own and game.parent is not None:
        game = get_variant(game.parent)
    return game

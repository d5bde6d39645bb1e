"""Both languages say everything, with the same figures, and the compiled catalogues are those of
the texts.
"""

import io
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import EnumType
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from scorepad.i18n import words
from scorepad.i18n.catalogue import LOCALES
from scorepad.i18n.findings import REMEDY
from scorepad.i18n.settings_in_words import describe_setting
from scorepad.rules.cards import Kind
from scorepad.rules.checks import NATURES
from scorepad.rules.definitions import SETTING_KEYS, Value, Variant
from scorepad.rules.hand import EXTRA_COUNTS, ExtraPoints
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.settings import Settings
from scorepad.rules.variants import get_variant, settle, variant_ids
from scorepad.schemas.fields import EXPECTED_OF_KEY
from scorepad.schemas.variant_json import find_differing_rules
from tests.rules.choices import values_of_options

ROOT = Path(__file__).parents[1]
FIGURE = re.compile(r"%\((\w+)\)s")
RAW = re.compile(
    r"\b(?:cli|problem|item|setting|value|option|read|variant|needed|family|card|takes|unusable)\.[a-z0-9]"
)
BY_FIGURE = tomllib.loads(ROOT.joinpath("tests/problems.toml").read_text("utf-8"))["texts"]
FAMILIES = ("natural", "mixed", "sequence", "wild", "any")


def read(language: str) -> Catalog:
    with (LOCALES / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def texts(catalogue: Catalog) -> dict[str, tuple[str, ...]]:
    """The texts of each key: two, where it has a plural."""
    found = {}
    for entry in catalogue:
        if isinstance(entry.id, str) and entry.id:
            found[entry.id] = (str(entry.string),)
        elif entry.id:
            found[entry.id[0]] = tuple(entry.string)
    return found


def figures_in(texts_of_key: Iterable[str]) -> set[str]:
    """The names of the placeholders."""
    return set(FIGURE.findall(" ".join(texts_of_key)))


def test_both_languages_have_every_key_with_the_same_figures() -> None:
    italian, english = texts(read("it")), texts(read("en"))
    assert set(italian) == set(english)
    for key, italian_texts in italian.items():
        assert all(italian_texts), key
        assert all(english[key]), key
        assert len(italian_texts) == len(english[key]), key
        assert figures_in(italian_texts) == figures_in(english[key]), key


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_compiled_catalogue_is_that_of_the_texts(language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, read(language))
    compiled.seek(0)
    with (LOCALES / language / "LC_MESSAGES" / "messages.mo").open("rb") as shipped:
        assert texts(read_mo(shipped)) == texts(read_mo(compiled))


@pytest.mark.parametrize("language", ["it", "en"])
def test_no_key_stands_twice(language: str) -> None:
    text = (LOCALES / language / "LC_MESSAGES" / "messages.po").read_text("utf-8")
    keys = re.findall(r'^msgid "(.+)"$', text, re.MULTILINE)
    assert len(keys) > 2000
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("language", ["it", "en"])
def test_everything_that_the_data_names_has_words(language: str) -> None:
    keys = {"needed"}
    keys |= {f"card.{kind}" for kind in Kind}
    keys |= {f"item.{item}" for item in ITEMS}
    keys |= {f"setting.{key}" for key in SETTING_KEYS}
    keys |= {f"family.{family}" for family in FAMILIES}
    for rule in NATURES:
        if rule in BY_FIGURE:
            keys |= {f"problem.{rule}.{why}" for why in BY_FIGURE[rule]}
        else:
            keys.add(f"problem.{rule}")
    for name in variant_ids():
        keys |= keys_of(get_variant(name))

    for key in keys:
        assert words(language).has(key), key


@pytest.mark.parametrize("language", ["it", "en"])
def test_a_problem_says_what_is_wrong_and_then_what_to_do(language: str) -> None:
    """But for two that ask for nothing: a sum that nobody checked, and points that nobody could."""
    for key, italian_texts in texts(read(language)).items():
        if not key.startswith("problem."):
            continue
        for text in italian_texts:
            parts = text.split(REMEDY)
            assert len(parts) == (1 if key.endswith("not-checked") else 2), key
            for part in parts:
                assert part.endswith("."), key
                assert part == part.strip(), key


def keys_of(variant: Variant) -> set[str]:
    """The messages that a variant's data asks for."""
    keys = {f"variant.{variant.id}.name", f"variant.{variant.id}.special"}
    keys |= {f"item.{item}" for item in settle(variant.id).items}
    keys |= {f"preset.{preset}" for preset in variant.presets}
    cited = [value.cited for value in variant.settings.values()]
    for code, penalty in variant.penalties.items():
        keys.add(f"penalty.{code}")
        if penalty.remedy:
            keys.add(f"remedy.{penalty.remedy}")
    for option in variant.options.values():
        keys.add(f"option.{option.id}")
        for value in option.values:
            keys.add(f"option.{option.id}.{str(value.value).lower()}")
            cited.append(value.cited)
        if option.step is not None:
            keys |= {f"option.{option.id}.amount", f"option.{option.id}.any"}
    return keys | {f"read.{each.read}" for each in cited if each.read}


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_word_that_a_setting_may_take_has_a_text(language: str) -> None:
    texts_of_language = words(language)
    types = get_type_hints(Settings)
    for key in SETTING_KEYS:
        for word in words_of_type(types[key.replace("-", "_")]):
            own_key = f"value.{key}.{word}"
            common_key = f"value.{word}"
            assert texts_of_language.has(own_key) or texts_of_language.has(common_key), own_key


def words_of_type(hint: Any) -> list[str]:
    """The words that a setting of this type may be."""
    if get_origin(hint) is Literal:
        return [value for value in get_args(hint) if isinstance(value, str)]
    if isinstance(hint, EnumType):
        return [member.value for member in hint]
    return []


def under_options(variant: Variant) -> Iterator[Variant]:
    """The variant, and the same under each value of each of its options."""
    yield variant
    for option in variant.options.values():
        for value in option.values:
            changed = {key: Value(new, value.cited) for key, new in value.sets.items()}
            yield replace(variant, settings={**variant.settings, **changed})


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", variant_ids())
def test_every_value_of_every_setting_is_described_in_words(name: str, language: str) -> None:
    for variant in under_options(get_variant(name)):
        for key in variant.settings:
            sentence = describe_setting(key, variant, words(language))
            assert sentence
            assert not RAW.search(sentence), key
            assert not re.search(r"[\[\]{}%]|None|True|False", sentence), (key, sentence)


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", variant_ids())
def test_what_a_variant_changes_is_listed_beside_the_classic_game(name: str, language: str) -> None:
    variant = get_variant(name)
    classica = get_variant("classica")
    # Points of what only the parent counts are in its settings too, but are no rule of this variant.
    uncounted = set()
    for extra in EXTRA_COUNTS:
        if extra.points is ExtraPoints.EACH and extra.key not in variant.entry_fields:
            uncounted.add(extra.setting)
    changed_keys = []
    for key, setting in variant.settings.items():
        if setting.value != classica.settings[key].value and key not in uncounted:
            changed_keys.append(key)

    differing = list(find_differing_rules(variant, words(language)))

    assert [rule.key for rule in differing] == changed_keys
    assert (not differing) == (name == "classica")
    for rule in differing:
        assert rule.cited is variant.settings[rule.key].cited
        if rule.matters:
            assert rule.here != rule.there, rule.key


@pytest.mark.parametrize("variant", variant_ids())
def test_a_variant_names_only_items_that_it_scores(variant: str) -> None:
    rules = settle(variant)
    scored = {*rules.items, *(line.id for line in rules.lines)}
    for option, value in values_of_options(variant):
        scored |= set(settle(variant, None, {option.id: value.value}).items)

    for key in texts(read("it")):
        name_of_item = re.match(rf"item\.{variant}\.([^.]+)", key)
        if name_of_item:
            assert name_of_item[1] in scored


def test_every_refusal_of_input_has_its_words() -> None:
    files = (ROOT / "scorepad" / "schemas").glob("*.py")
    code = "\n".join(file.read_text("utf-8") for file in files)

    keys = re.findall(r'Unusable\(\s*"([a-z.-]+)"', code)
    assert len(keys) > 10
    keys += [f"unusable.{name}" for name in re.findall(r'\brefused\("([a-z-]+)"', code)]
    keys += [f"expected.{name}" for name in re.findall(r'takes="([a-z-]+)"', code)]
    keys += [f"expected.{name}" for name in EXPECTED_OF_KEY.values()]
    for key in keys:
        assert words("it").has(key), key


def test_every_key_named_in_the_code_is_in_the_catalogues() -> None:
    known = set(texts(read("it")))
    call = re.compile(r"""(?:\bplural|\bt|\blazy|\bStop)\(\s*["']([a-z0-9.\-]*[a-z0-9])["']""")
    files = [
        *(ROOT / "scorepad").rglob("*.py"),
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "templates").rglob("*.txt"),
    ]
    for file in files:
        assert set(call.findall(file.read_text("utf-8"))) <= known, file.name


@pytest.mark.parametrize(
    ("language", "number", "figure"),
    [
        ("it", 1500, "1.500"),
        ("en", 1500, "1,500"),
        ("it", -12500, "\N{MINUS SIGN}12.500"),
    ],
)
def test_figures_are_grouped_with_a_real_minus_sign(
    language: str, number: int, figure: str
) -> None:
    assert words(language).figure(number) == figure


@pytest.mark.parametrize(("number", "figure"), [(100, "+100"), (-5, "\N{MINUS SIGN}5"), (0, "0")])
def test_a_signed_figure_has_its_sign(number: int, figure: str) -> None:
    assert words("it").signed(number) == figure


def test_a_language_that_scorepad_does_not_speak_is_refused() -> None:
    with pytest.raises(ValueError, match="fr"):
        words("fr")

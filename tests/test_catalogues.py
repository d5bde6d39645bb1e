"""The catalogues of messages: both languages have every text, and the compiled files are current.

A catalogue is a `.po` file, in which each text has a key: `problem.card-unknown`.
"""

import io
import re
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
from scorepad.rules.definitions import SETTING_KEYS, Cited, Option, Value, Variant
from scorepad.rules.hand import EXTRA_COUNTS, ExtraPoints
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.settings import Settings
from scorepad.rules.variants import get_variant, settle, variant_ids
from scorepad.schemas.fields import EXPECTED_OF_KEY
from scorepad.schemas.variant_json import find_differing_rules
from tests.data import read_data
from tests.rules.choices import values_of_options

ROOT = Path(__file__).parents[1]
MESSAGE_KEY = re.compile(
    r"\b(?:cli|problem|item|setting|value|option|read|variant|needed|family|card|takes|unusable)\.[a-z0-9]"
)
REASONS_OF_PROBLEMS = read_data("problems.toml")["texts"]
"""The problems that have several texts, each with the reasons that are told apart in them."""


def read_catalogue(language: str) -> Catalog:
    """Read the texts of a language from their source, the `.po` file."""
    with (LOCALES / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def texts_by_key(catalogue: Catalog) -> dict[str, tuple[str, ...]]:
    """Return the texts of each key: one, or two where it has a plural."""
    texts = {}
    for entry in catalogue:
        if not entry.id:  # the head of the file
            continue
        if isinstance(entry.id, str):
            texts[entry.id] = (str(entry.string),)
        else:
            key, _plural = entry.id
            texts[key] = tuple(entry.string)
    return texts


def list_placeholders(texts_of_key: Iterable[str]) -> set[str]:
    """List the names of the placeholders: of "%(points)s points", it is "points"."""
    return set(re.findall(r"%\((\w+)\)s", " ".join(texts_of_key)))


def test_both_languages_have_every_key_with_the_same_placeholders() -> None:
    italian = texts_by_key(read_catalogue("it"))
    english = texts_by_key(read_catalogue("en"))

    assert italian.keys() == english.keys()
    for key, italian_texts in italian.items():
        # No text is empty, and where one language has a plural, the other has it too.
        assert all(italian_texts), key
        assert all(english[key]), key
        assert len(italian_texts) == len(english[key]), key
        assert list_placeholders(italian_texts) == list_placeholders(english[key]), key


@pytest.mark.parametrize("language", ["it", "en"])
def test_compiled_catalogue_is_up_to_date(language: str) -> None:
    compiled_now = io.BytesIO()
    write_mo(compiled_now, read_catalogue(language))
    compiled_now.seek(0)

    # The program reads the compiled file, which is kept beside its source.
    with (LOCALES / language / "LC_MESSAGES" / "messages.mo").open("rb") as shipped:
        assert texts_by_key(read_mo(shipped)) == texts_by_key(read_mo(compiled_now))


@pytest.mark.parametrize("language", ["it", "en"])
def test_no_key_is_defined_twice(language: str) -> None:
    text = (LOCALES / language / "LC_MESSAGES" / "messages.po").read_text("utf-8")
    keys = re.findall(r'^msgid "(.+)"$', text, re.MULTILINE)
    assert len(keys) > 2000, "the keys were found"
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("language", ["it", "en"])
def test_everything_named_in_the_data_has_a_text(language: str) -> None:
    # Kinds of cards, items of a score, settings, families of canastas, problems of a hand, and
    # what each variant of the game adds.
    keys = ["needed"]
    keys += [f"card.{kind}" for kind in Kind]
    keys += [f"item.{item}" for item in ITEMS]
    keys += [f"setting.{key}" for key in SETTING_KEYS]
    keys += [f"family.{family}" for family in ("natural", "mixed", "sequence", "wild", "any")]
    for problem in NATURES:
        keys += list_keys_of_problem(problem)
    for name in variant_ids():
        keys += list_keys_of_variant(get_variant(name))

    for key in keys:
        assert words(language).has(key), key


def list_keys_of_problem(problem: str) -> list[str]:
    """List the keys of the texts of a problem, one for each reason where it has several."""
    if problem in REASONS_OF_PROBLEMS:
        return [f"problem.{problem}.{reason}" for reason in REASONS_OF_PROBLEMS[problem]]
    return [f"problem.{problem}"]


@pytest.mark.parametrize("language", ["it", "en"])
def test_text_of_a_problem_has_two_sentences(language: str) -> None:
    # The first sentence says what is wrong with a hand, the second what to do about it.
    for key, texts in texts_by_key(read_catalogue(language)).items():
        if not key.startswith("problem."):
            continue
        for text in texts:
            sentences = text.split(REMEDY)

            # The two problems `…not-checked` ask for nothing: they have only the first sentence.
            if key.endswith("not-checked"):
                assert len(sentences) == 1, key
            else:
                assert len(sentences) == 2, key

            for sentence in sentences:
                assert sentence.endswith("."), key
                assert sentence == sentence.strip(), key


def list_keys_of_variant(variant: Variant) -> list[str]:
    """List the keys of the texts that a variant's data needs, such as `variant.samba.name`."""
    keys = [f"variant.{variant.id}.name", f"variant.{variant.id}.special"]

    # The items of a score, and presets, which are sets of options under one name.
    keys += [f"item.{item}" for item in settle(variant.id).items]
    keys += [f"preset.{preset}" for preset in variant.presets]

    # The penalties, some of which say how a mistake is put right.
    for penalty in variant.penalties.values():
        keys.append(f"penalty.{penalty.code}")
        if penalty.remedy:
            keys.append(f"remedy.{penalty.remedy}")

    for option in variant.options.values():
        keys += list_keys_of_option(option)

    # Where the value of a setting is only inferred from the sources, a sentence says how.
    for setting in variant.settings.values():
        keys += list_keys_of_inference(setting.cited)
    return keys


def list_keys_of_option(option: Option) -> list[str]:
    """List the keys of the texts of an option: its name, and each of its values (`true`, `1500`).

    An option with a step, such as the target of a match, takes any other amount as well.
    """
    keys = [f"option.{option.id}"]
    for value in option.values:
        keys.append(f"option.{option.id}.{str(value.value).lower()}")
        keys += list_keys_of_inference(value.cited)
    if option.step is not None:
        keys += [f"option.{option.id}.amount", f"option.{option.id}.any"]
    return keys


def list_keys_of_inference(cited: Cited) -> list[str]:
    """List the key of the sentence that says how a value was inferred from its sources.

    That key is `read.as-classic` if the data file says `read = "as-classic"`, for a rule taken over
    from the classic game. Most values are stated by a source, and have none.
    """
    if cited.read is None:
        return []
    return [f"read.{cited.read}"]


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_value_of_a_setting_has_a_text(language: str) -> None:
    catalogue = words(language)
    types = get_type_hints(Settings)
    for key in SETTING_KEYS:
        for value in list_values_of_type(types[key.replace("-", "_")]):
            # A value such as "never" may have a text for one setting, or one for all.
            own_key = f"value.{key}.{value}"
            common_key = f"value.{value}"
            assert catalogue.has(own_key) or catalogue.has(common_key), own_key


def list_values_of_type(hint: Any) -> list[str]:
    """List the values of a setting that are texts: those of its `Literal` or of its enum."""
    if get_origin(hint) is Literal:
        return [value for value in get_args(hint) if isinstance(value, str)]
    if isinstance(hint, EnumType):
        return [member.value for member in hint]
    return []


def apply_each_option(variant: Variant) -> Iterator[Variant]:
    """Yield the variant as it is, and as each value of each option changes its settings."""
    yield variant
    for option in variant.options.values():
        for option_value in option.values:
            settings = dict(variant.settings)
            # The new value of a setting cites what the value of the option cites.
            for key, new_value in option_value.sets.items():
                settings[key] = Value(new_value, option_value.cited)
            yield replace(variant, settings=settings)


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", variant_ids())
def test_setting_is_described_in_words_under_every_option(name: str, language: str) -> None:
    for variant in apply_each_option(get_variant(name)):
        for key in variant.settings:
            sentence = describe_setting(key, variant, words(language))
            assert sentence

            # It has no key of a text that is missing, and no value as Python prints it.
            assert not MESSAGE_KEY.search(sentence), key
            value_of_python = r"[\[\]{}%]|None|True|False"
            assert not re.search(value_of_python, sentence), (key, sentence)


def list_changed_settings(variant: Variant) -> list[str]:
    """List the settings whose value is not that of the classic game.

    Left out are the points for something that nobody counts in this variant. A variant that extends
    another one has them among its settings, but not as a rule of its own.
    """
    points_not_counted = []
    for extra in EXTRA_COUNTS:
        is_counted = extra.key in variant.entry_fields
        has_points_for_each = extra.points is ExtraPoints.EACH
        if has_points_for_each and not is_counted:
            points_not_counted.append(extra.setting)

    classica = get_variant("classica")
    changed = []
    for key, setting in variant.settings.items():
        differs = setting.value != classica.settings[key].value
        if differs and key not in points_not_counted:
            changed.append(key)
    return changed


def test_every_variant_but_classica_has_differing_rules() -> None:
    # The page of a variant lists the rules that differ from those of the classic game.
    for name in variant_ids():
        has_differing_rules = list(find_differing_rules(get_variant(name), words("it"))) != []
        assert has_differing_rules == (name != "classica")


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", variant_ids())
def test_differing_rules_are_those_that_differ_from_classica(name: str, language: str) -> None:
    variant = get_variant(name)

    differing = list(find_differing_rules(variant, words(language)))

    assert [rule.key for rule in differing] == list_changed_settings(variant)

    # Each has the sources of the setting. Where it matters, the words say something else too.
    for rule in differing:
        assert rule.cited is variant.settings[rule.key].cited
        if rule.matters:
            assert rule.here != rule.there, rule.key


@pytest.mark.parametrize("variant", variant_ids())
def test_item_named_for_a_variant_is_scored_by_it(variant: str) -> None:
    # The items of a score in this variant, by its own rules and with each of its options.
    rules = settle(variant)
    scored_items = set(rules.items)
    scored_items.update(line.id for line in rules.lines)
    for option, value in values_of_options(variant):
        rules_with_option = settle(variant, None, {option.id: value.value})
        scored_items.update(rules_with_option.items)

    # A key such as "item.bolivia.samba" is the name that one variant has for an item of its own.
    for key in texts_by_key(read_catalogue("it")):
        name_of_item = re.match(rf"item\.{variant}\.([^.]+)", key)
        if name_of_item:
            assert name_of_item[1] in scored_items


def test_every_reason_for_unusable_input_has_a_text() -> None:
    files = (ROOT / "scorepad" / "schemas").glob("*.py")
    code = "\n".join(file.read_text("utf-8") for file in files)

    # The code names them so: `Unusable("unusable.missing", "single", takes="single")`.
    keys = re.findall(r'Unusable\(\s*"([a-z.-]+)"', code)
    assert len(keys) > 10, "the reasons were found"
    for reason in re.findall(r'\brefused\("([a-z-]+)"', code):
        keys.append(f"unusable.{reason}")
    for expected in re.findall(r'takes="([a-z-]+)"', code):
        keys.append(f"expected.{expected}")
    for expected in EXPECTED_OF_KEY.values():
        keys.append(f"expected.{expected}")

    for key in keys:
        assert words("it").has(key), key


def test_every_key_named_in_the_code_is_in_the_catalogues() -> None:
    known_keys = set(texts_by_key(read_catalogue("it")))
    # The key is the first argument of these functions: `t("hand.save")`.
    call = re.compile(r"""\b(?:t|plural|lazy|Stop)\(\s*["']([a-z0-9.\-]*[a-z0-9])["']""")
    files = [
        *(ROOT / "scorepad").rglob("*.py"),
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "templates").rglob("*.txt"),
    ]
    for file in files:
        keys_in_file = set(call.findall(file.read_text("utf-8")))
        assert keys_in_file <= known_keys, file.name


@pytest.mark.parametrize(
    ("language", "number", "figure"),
    [
        ("it", 1500, "1.500"),
        ("en", 1500, "1,500"),
        ("it", -12500, "\N{MINUS SIGN}12.500"),
    ],
)
def test_figures_are_grouped_and_have_a_minus_sign(language: str, number: int, figure: str) -> None:
    assert words(language).figure(number) == figure


@pytest.mark.parametrize(("number", "figure"), [(100, "+100"), (-5, "\N{MINUS SIGN}5"), (0, "0")])
def test_signed_figure_has_a_plus_or_minus_sign(number: int, figure: str) -> None:
    assert words("it").signed(number) == figure


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="fr"):
        words("fr")

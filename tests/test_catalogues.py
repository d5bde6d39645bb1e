"""Both languages say everything, with the same figures, and the compiled catalogues are those of the texts."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from scorepad.i18n import words
from scorepad.i18n.words import LOCALES
from scorepad.rules.cards import Kind
from scorepad.rules.checks import CHECKS
from scorepad.rules.variants import default_of, get_variant, settle, variant_ids

DOMAINS = sorted(file.stem for file in (LOCALES / "it" / "LC_MESSAGES").glob("*.po"))
FIGURE = re.compile(r"%\((\w+)\)s")
BY_FIGURE = {
    "totals-impossible": ("no-cards", "multiple", "meld", "less", "more"),
    "out-discard-special": ("wild", "red-three", "black-three"),
    "opening-below-minimum": ("points", "black-threes"),
}


def read(language: str, domain: str) -> Catalog:
    with (LOCALES / language / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        return read_po(file, locale=language)


def texts(catalogue: Catalog) -> dict[str, tuple[str, ...]]:
    found = {}
    for message in catalogue:
        if message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            found[key] = (message.string,) if isinstance(message.string, str) else tuple(message.string)
    return found


def test_there_is_a_domain_for_each_layer_that_speaks() -> None:
    assert {"rules", "cli"} <= set(DOMAINS)


@pytest.mark.parametrize("domain", DOMAINS)
def test_both_languages_have_every_key_with_the_same_figures(domain: str) -> None:
    italian, english = texts(read("it", domain)), texts(read("en", domain))
    assert set(italian) == set(english)
    for key, said in italian.items():
        assert all(said), key
        assert all(english[key]), key
        assert len(said) == len(english[key]), key
        figures = {name for text in said for name in FIGURE.findall(text)}
        assert figures == {name for text in english[key] for name in FIGURE.findall(text)}, key


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_the_compiled_catalogue_is_that_of_the_texts(language: str, domain: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, read(language, domain))
    compiled.seek(0)
    shipped = (LOCALES / language / "LC_MESSAGES" / f"{domain}.mo").open("rb")
    with shipped:
        assert texts(read_mo(shipped)) == texts(read_mo(compiled))


def test_no_key_stands_in_two_domains() -> None:
    seen: dict[str, str] = {}
    for domain in DOMAINS:
        for key in texts(read("it", domain)):
            assert key not in seen, f"{key}: {domain} and {seen[key]}"
            seen[key] = domain


@pytest.mark.parametrize("language", ["it", "en"])
def test_everything_that_the_data_names_has_words(language: str) -> None:
    speech = words(language)
    wanted = {f"card.{kind}" for kind in Kind}
    for rule in CHECKS:
        wanted |= (
            {f"problem.{rule}.{figure}" for figure in BY_FIGURE[rule]} if rule in BY_FIGURE else {f"problem.{rule}"}
        )
    for name in variant_ids():
        variant, rules = get_variant(name), settle(name)
        wanted |= {f"variant.{name}.name", f"variant.{name}.special"}
        wanted |= {f"setting.{key}" for key in variant.settings}
        wanted |= {f"item.{item}" for item in rules.items} | {f"item.{line.id}" for line in rules.lines} - {
            "item.canastas"
        }
        wanted |= {f"preset.{preset}" for preset in variant.presets} | {f"penalty.{code}" for code in variant.penalties}
        wanted |= {f"remedy.{penalty.remedy}" for penalty in variant.penalties.values() if penalty.remedy}
        wanted |= {f"read.{cited.read}" for cited in rules.cited.values() if cited.read}
        for option in variant.options.values():
            wanted.add(f"option.{option.id}")
            values = [value.value for value in option.values] or ["amount"]
            wanted |= {f"option.{option.id}.{str(value).lower()}" for value in values}
            assert default_of(variant, option) is not None
    assert not [key for key in sorted(wanted) if not speech.has(key)]


def test_every_key_named_in_the_code_is_in_the_catalogues() -> None:
    known = {key for domain in DOMAINS for key in texts(read("it", domain))}
    root = Path(__file__).parents[1]
    call = re.compile(r"""\.(?:text|plural)\(\s*["']([a-z0-9.\-]*[a-z0-9])["']""")
    files = [*(root / "scorepad").rglob("*.py"), *(root / "templates").rglob("*.html")]
    missing = {(file.name, key) for file in files for key in call.findall(file.read_text("utf-8")) if key not in known}
    assert not missing


def test_figures_are_grouped_with_a_real_minus_sign() -> None:
    assert words("it").figure(1500) == "1.500"
    assert words("en").figure(1500) == "1,500"
    assert words("it").figure(-12500) == "\N{MINUS SIGN}12.500"
    assert words("it").signed(100) == "+100"
    assert words("it").signed(-5) == "\N{MINUS SIGN}5"
    assert words("it").signed(0) == "0"


def test_a_language_that_scorepad_does_not_speak_is_refused() -> None:
    with pytest.raises(ValueError, match="fr"):
        words("fr")

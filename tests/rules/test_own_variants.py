"""Variants of the user's own: five rule sets of real tables as files, what else stands in their
folder, and files that cannot be used.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorepad.errors import ChoiceError, VariantError
from scorepad.i18n import words
from scorepad.i18n.variant_errors import describe_variant_error, describe_variant_errors
from scorepad.referee.penalties import irregularities
from scorepad.rules.definitions import Ends, SourceId, Standing
from scorepad.rules.judging import judge
from scorepad.rules.loader import load_sources
from scorepad.rules.toml_reader import read_own_file
from scorepad.rules.variants import (
    GUESTS,
    freeze,
    get_variant,
    offer_own_variants,
    own_variants,
    package_ids,
    parse_own_variant,
    read_own_variants,
    read_variant_file,
    settle,
    sources,
    statements_of,
    thaw,
    variant_ids,
)
from tests.rules.hands import hand, side

OWN = Path(__file__).with_name("own")


@pytest.fixture(autouse=True)
def offered() -> Iterator[None]:
    offer_own_variants(OWN)
    yield
    offer_own_variants(None)


def test_the_variants_of_a_folder_are_offered_after_those_of_the_package() -> None:
    assert own_variants().broken == ()
    own = (
        "a-tempo",
        "quattro-canaste",
        "quattromila",
        "rosse-nere",
        "tredici",
        "tutte-dodici",
    )
    assert variant_ids() == package_ids() + own
    assert get_variant("quattromila").is_own
    assert not get_variant("classica").is_own
    offer_own_variants(None)
    assert variant_ids() == package_ids()


def test_house_rules_deal_draw_open_and_end_as_their_file_says() -> None:
    thirteen = settle("tredici", None, {"target": 3000}).settings
    assert (thirteen.dealt, thirteen.drawn, thirteen.target) == (13, 2, 3000)
    timed = settle("a-tempo")
    assert [timed.settings.opening_minimum(0, deal) for deal in (1, 2, 3)] == [125, 155, 180]
    assert timed.settings.match_deals == 3
    assert timed.ends.minutes == 50
    assert timed.entry_fields == ("deal",)
    dirty = words("en").with_rules(settle("quattromila")).t("item.quattromila.mixed-canasta")
    assert dirty == "Dirty"


def test_a_match_keeps_the_rules_and_words_of_its_variant() -> None:
    rules = settle("tredici")
    kept = freeze(rules)
    offer_own_variants(None)
    read = thaw(kept)
    assert read == rules
    assert words("en").with_rules(read).t("variant.tredici.name") == "Club canasta"


HEAD = 'id = "mia"\nextends = "classica"\n'
GOOD = 'id = "buona"\nextends = "classica"\n[settings.dealt]\nvalue = 13\nstanding = "house"\n'
HOUSE = '\nstanding = "house"\n'
MISTAKES = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text("utf-8"))
BROKEN = tomllib.loads(Path(__file__).with_name("broken.toml").read_text("utf-8"))


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_named_with_line_key_and_remedy_and_left_out(
    tmp_path: Path, what: str
) -> None:
    expected = BROKEN[what]
    (tmp_path / "mia.toml").write_text(expected["text"], "utf-8")
    (tmp_path / "buona.toml").write_text(GOOD, "utf-8")
    (broken,) = offer_own_variants(tmp_path).broken
    assert variant_ids()[-1] == "buona"
    assert (broken.file, broken.line) == ("mia.toml", expected["line"])
    assert expected["key"] in broken.key
    italian = describe_variant_error(broken, words("it"))
    assert italian.startswith("mia.toml")
    assert expected["says"] in italian
    assert describe_variant_error(broken, words("en")) != italian


@pytest.mark.parametrize("what", MISTAKES)
def test_every_mistake_of_a_file_is_told_in_the_order_of_its_lines(what: str) -> None:
    with pytest.raises(VariantError) as refused:
        parse_own_variant("casa.toml", MISTAKES[what]["text"])
    assert describe_variant_errors(refused.value, words("en")) == MISTAKES[what]["told"]


def test_a_variant_whose_file_is_broken_is_refused_with_the_place_of_the_mistake(
    tmp_path: Path,
) -> None:
    (tmp_path / "altra.toml").write_text("extends", "utf-8")
    (tmp_path / "mia.toml").write_text(f"{HEAD}[settings.delt]\nvalue = 3{HOUSE}", "utf-8")
    offer_own_variants(tmp_path)
    with pytest.raises(ChoiceError) as refused:
        settle("mia")
    assert refused.value.reason == "broken-variant"
    assert refused.value.known == ("mia.toml", "3", "settings.delt")


def test_the_words_of_a_bonus_are_those_of_the_rules_in_question() -> None:
    of_rules = words("it").with_rules(settle("tredici"))
    assert of_rules.t("bonus.exact-cut") == "Taglio giusto"
    assert not words("it").has("bonus.exact-cut")
    assert not of_rules.with_rules(settle("quattromila")).has("bonus.exact-cut")


def test_two_files_with_one_name_are_both_named(tmp_path: Path) -> None:
    for name in ("mia", "nostra"):
        (tmp_path / f"{name}.toml").write_text(
            f'id = "{name}"\nextends = "due"\n[words.it]\nname = "Casa"\n'
        )
    (broken,) = offer_own_variants(tmp_path).broken
    assert describe_variant_error(broken, words("it")) == (
        "nostra.toml, riga 4, words.it.name: "
        "il nome «Casa» ce l'ha già mia.toml. Scegline un altro."
    )


@pytest.mark.parametrize("name", ["classica", "Mia", "più", "a b", "nuove", "cerca", "check"])
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.toml").write_text(f'id = "{name}"\nextends = "classica"\n', "utf-8")
    (broken,) = read_own_variants(tmp_path).broken
    assert broken.key == "id"


def test_a_file_may_bring_sources_and_argue(tmp_path: Path) -> None:
    (tmp_path / "nostra.toml").write_text(
        'id = "nostra"\nextends = "classica"\n'
        '[sources.CIRCOLO]\ntitle = "Regolamento del circolo"\nsections = ["Carte"]\n'
        '[settings.dealt]\nvalue = 13\ncite = ["CIRCOLO:Carte"]\n'
        '[settings.drawn]\nvalue = 2\nstanding = "read"\nread = "Chi distribuisce tredici carte ne pesca due."\n',
        "utf-8",
    )
    assert offer_own_variants(tmp_path).broken == ()
    rules = settle("nostra")
    assert rules.list_passages_of("dealt") == ("CIRCOLO:Carte",)
    assert sources()[SourceId("CIRCOLO")].title == "Regolamento del circolo"
    drawn = rules.cited["drawn"]
    assert (drawn.standing, drawn.citations) == (Standing.INFERRED, ())
    assert (
        words("en").with_rules(rules).t(f"read.{drawn.read}")
        == "Chi distribuisce tredici carte ne pesca due."
    )
    offer_own_variants(None)
    assert SourceId("CIRCOLO") not in sources()


def test_the_table_may_choose_what_ends_a_match() -> None:
    rules = settle("classica", ends=Ends(2, 50))
    assert (rules.settings.match_deals, rules.ends.minutes, rules.settings.target) == (2, 50, 5000)
    # The hands of the variant no longer end a match whose table chose minutes.
    assert settle("a-tempo", ends=Ends(None, 20)).settings.match_deals is None
    assert settle("a-tempo").settings.match_deals == 3


def test_an_incomplete_meld_that_costs_nothing_has_no_line(tmp_path: Path) -> None:
    kinds = '[{ name = "wilds", points = 0, shape = "wilds", bars_out = true }]'
    text = f"id = 'casa'\nextends = 'moderna'\n[settings.incomplete]\nstanding = 'house'\nvalue = {kinds}\n"
    (tmp_path / "casa.toml").write_text(text)
    assert offer_own_variants(tmp_path).broken == ()
    sides = judge(settle("casa"), hand(side("7xK", "7xQ", "2 2 JK"), side(left="A"))).sides
    assert sides is not None
    assert [line.item for line in sides[0].lines] == ["natural-canasta", "cards"]


# ---------------------------------------------------------------- folders


def rules_file(folder: Path, variant: str, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{variant}.toml"
    file.write_text(f'id = "{variant}"\nextends = "classica"\nwords.it.name = "{name}"\n', "utf-8")
    return file


def test_rules_of_guests_stand_after_the_others_and_cannot_take_an_id_in_use(
    tmp_path: Path,
) -> None:
    file = rules_file(tmp_path, "casa", "Di casa")
    rules_file(tmp_path / GUESTS, "casa", "Di un altro")
    rules_file(tmp_path / GUESTS, "ospite", "Di un ospite")
    offer_own_variants(None)
    found = read_own_variants(tmp_path)
    assert list(found.usable) == ["casa", "ospite"]
    assert found.guests == {"ospite"}
    assert [(each.file, each.problem) for each in found.broken] == [("casa.toml", "id-exists")]
    assert read_variant_file(file, found.usable).id == "casa", "its own name is not taken by itself"


def test_a_file_is_read_among_the_rules_on_offer(tmp_path: Path) -> None:
    assert read_variant_file(rules_file(tmp_path, "casa", "Di casa")).id == "casa"
    taken = get_variant("tredici").words["it"]["variant.tredici.name"]
    with pytest.raises(VariantError):
        read_variant_file(rules_file(tmp_path, "altra", taken))


@pytest.mark.parametrize("what", ["pipe", "folder", "octets"])
def test_what_is_no_file_of_text_is_named_and_not_read(tmp_path: Path, what: str) -> None:
    file = tmp_path / "mia.toml"
    if what == "pipe":
        os.mkfifo(file)
    elif what == "folder":
        file.mkdir()
    else:
        file.write_bytes(b"\xff\xfe")
    (broken,) = read_own_variants(tmp_path).broken
    assert (broken.file, broken.problem) == ("mia.toml", "unreadable")


def test_sources_that_are_missing_or_no_text_are_refused_and_house_rules_are_none(
    tmp_path: Path,
) -> None:
    assert read_own_variants(tmp_path / "none").usable == {}
    for read in (load_sources, read_own_file):
        with pytest.raises(VariantError) as refused:
            read(tmp_path / "none.toml")
        assert refused.value.problem == "no-file"
    (tmp_path / "sources.toml").write_bytes(b"\xff")
    with pytest.raises(VariantError) as refused:
        load_sources(tmp_path)
    assert refused.value.problem == "unreadable"


def test_house_rules_tell_what_the_sources_say_of_the_game_that_they_extend() -> None:
    house, classic = settle("quattromila", None), settle("classica", None)
    standing = {each.code: each.cited.standing for each in irregularities(house)}
    assert standing == {each.code: each.cited.standing for each in irregularities(classic)}
    assert Standing.STATED in standing.values()
    assert list(statements_of(get_variant("quattromila")))

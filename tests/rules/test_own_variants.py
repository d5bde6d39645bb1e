"""Variants of the user's own: five rule sets of real tables as files, what else stands in their
folder, and files that cannot be used.
"""

import os
from collections.abc import Callable, Iterator
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
from tests.data import read_data
from tests.rules.hands import hand, side

OWN = Path(__file__).with_name("own")


@pytest.fixture(autouse=True)
def offered() -> Iterator[None]:
    offer_own_variants(OWN)
    yield
    offer_own_variants(None)


def test_the_variants_of_a_folder_are_offered_after_those_of_the_package() -> None:
    assert own_variants().broken == ()
    assert variant_ids() == (
        *package_ids(),
        "a-tempo",
        "quattro-canaste",
        "quattromila",
        "rosse-nere",
        "tredici",
        "tutte-dodici",
    )
    assert get_variant("quattromila").is_own
    assert not get_variant("classica").is_own


def test_without_a_folder_only_the_variants_of_the_package_are_offered() -> None:
    offer_own_variants(None)
    assert variant_ids() == package_ids()


def test_house_rules_deal_draw_and_end_as_their_file_says() -> None:
    rules = settle("tredici", None, {"target": 3000}).settings
    assert rules.dealt == 13
    assert rules.drawn == 2
    assert rules.target == 3000


def test_house_rules_may_open_by_the_deal_and_end_after_deals_or_minutes() -> None:
    timed = settle("a-tempo")
    minimums = [timed.settings.opening_minimum(0, deal) for deal in (1, 2, 3)]
    assert minimums == [125, 155, 180]
    assert timed.settings.match_deals == 3
    assert timed.ends.minutes == 50
    assert timed.entry_fields == ("deal",)


def test_house_rules_name_their_canastas() -> None:
    texts = words("en").with_rules(settle("quattromila"))
    assert texts.t("item.quattromila.mixed-canasta") == "Dirty"


def test_a_match_keeps_the_rules_and_words_of_its_variant() -> None:
    rules = settle("tredici")
    frozen = freeze(rules)
    offer_own_variants(None)

    thawed = thaw(frozen)

    assert thawed == rules
    assert words("en").with_rules(thawed).t("variant.tredici.name") == "Club canasta"


HEAD = 'id = "mia"\nextends = "classica"\n'
GOOD = 'id = "buona"\nextends = "classica"\n[settings.dealt]\nvalue = 13\nstanding = "house"\n'
HOUSE = '\nstanding = "house"\n'
MISTAKES = read_data("rules/mistakes.toml")
BROKEN = read_data("rules/broken.toml")


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_named_with_line_key_and_remedy_and_left_out(
    tmp_path: Path, case: str
) -> None:
    expected = BROKEN[case]
    (tmp_path / "mia.toml").write_text(expected["text"], "utf-8")
    (tmp_path / "buona.toml").write_text(GOOD, "utf-8")

    (broken,) = offer_own_variants(tmp_path).broken

    assert variant_ids()[-1] == "buona"
    assert broken.file == "mia.toml"
    assert broken.line == expected["line"]
    assert expected["key"] in broken.key
    italian = describe_variant_error(broken, words("it"))
    assert italian.startswith("mia.toml")
    assert expected["says"] in italian
    assert describe_variant_error(broken, words("en")) != italian


@pytest.mark.parametrize("case", MISTAKES)
def test_every_mistake_of_a_file_is_reported_in_the_order_of_its_lines(case: str) -> None:
    with pytest.raises(VariantError) as error:
        parse_own_variant("casa.toml", MISTAKES[case]["text"])
    assert describe_variant_errors(error.value, words("en")) == MISTAKES[case]["told"]


def test_a_variant_whose_file_is_broken_is_refused_with_the_place_of_the_first_mistake(
    tmp_path: Path,
) -> None:
    (tmp_path / "altra.toml").write_text("extends", "utf-8")
    (tmp_path / "mia.toml").write_text(f"{HEAD}[settings.delt]\nvalue = 3{HOUSE}", "utf-8")
    offer_own_variants(tmp_path)

    with pytest.raises(ChoiceError) as error:
        settle("mia")

    assert error.value.reason == "broken-variant"
    assert error.value.known == ("mia.toml", "3", "settings.delt")


def test_the_words_of_a_bonus_are_known_with_its_rules_only() -> None:
    texts = words("it").with_rules(settle("tredici"))
    assert texts.t("bonus.exact-cut") == "Taglio giusto"
    assert not words("it").has("bonus.exact-cut")
    assert not texts.with_rules(settle("quattromila")).has("bonus.exact-cut")


def test_two_files_with_one_name_are_both_named(tmp_path: Path) -> None:
    words_of_both = '[words.it]\nname = "Casa"\n'
    (tmp_path / "mia.toml").write_text(f'id = "mia"\nextends = "due"\n{words_of_both}')
    (tmp_path / "nostra.toml").write_text(f'id = "nostra"\nextends = "due"\n{words_of_both}')

    (broken,) = offer_own_variants(tmp_path).broken

    assert describe_variant_error(broken, words("it")) == (
        "nostra.toml, riga 4, words.it.name: "
        "il nome «Casa» ce l'ha già mia.toml. Scegline un altro."
    )


@pytest.mark.parametrize("name", ["classica", "Mia", "più", "a b", "nuove", "cerca", "check"])
def test_an_id_that_is_taken_or_no_part_of_an_address_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.toml").write_text(f'id = "{name}"\nextends = "classica"\n', "utf-8")
    (broken,) = read_own_variants(tmp_path).broken
    assert broken.key == "id"


WITH_SOURCE = """
id = "nostra"
extends = "classica"

[sources.CIRCOLO]
title = "Regolamento del circolo"
sections = ["Carte"]

[settings.dealt]
value = 13
cite = ["CIRCOLO:Carte"]

[settings.drawn]
value = 2
standing = "read"
read = "Chi distribuisce tredici carte ne pesca due."
"""


def test_a_file_may_bring_a_source(tmp_path: Path) -> None:
    (tmp_path / "nostra.toml").write_text(WITH_SOURCE, "utf-8")
    assert offer_own_variants(tmp_path).broken == ()

    assert settle("nostra").list_passages_of("dealt") == ("CIRCOLO:Carte",)
    assert sources()[SourceId("CIRCOLO")].title == "Regolamento del circolo"

    offer_own_variants(None)
    assert SourceId("CIRCOLO") not in sources()


def test_a_file_may_say_from_what_a_setting_is_inferred(tmp_path: Path) -> None:
    (tmp_path / "nostra.toml").write_text(WITH_SOURCE, "utf-8")
    offer_own_variants(tmp_path)

    rules = settle("nostra")

    drawn = rules.cited["drawn"]
    assert drawn.standing is Standing.INFERRED
    assert drawn.citations == ()
    argument = words("en").with_rules(rules).t(f"read.{drawn.read}")
    assert argument == "Chi distribuisce tredici carte ne pesca due."


def test_the_table_may_choose_what_ends_a_match() -> None:
    rules = settle("classica", ends=Ends(2, 50))
    assert rules.settings.match_deals == 2
    assert rules.ends.minutes == 50
    assert rules.settings.target == 5000


def test_minutes_that_the_table_chose_stand_instead_of_the_deals_of_the_variant() -> None:
    assert settle("a-tempo").settings.match_deals == 3
    assert settle("a-tempo", ends=Ends(None, 20)).settings.match_deals is None


def test_an_incomplete_meld_that_costs_nothing_has_no_line(tmp_path: Path) -> None:
    (tmp_path / "casa.toml").write_text(
        """
        id = "casa"
        extends = "moderna"
        [settings.incomplete]
        standing = "house"
        value = [{ name = "wilds", points = 0, shape = "wilds", bars_out = true }]
        """
    )
    assert offer_own_variants(tmp_path).broken == ()

    judgement = judge(settle("casa"), hand(side("7xK", "7xQ", "2 2 JK"), side(left="A")))

    items = [line.item for line in judgement.sides[0].lines]
    assert items == ["natural-canasta", "cards"]


def rules_file(folder: Path, variant: str, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{variant}.toml"
    file.write_text(f'id = "{variant}"\nextends = "classica"\nwords.it.name = "{name}"\n', "utf-8")
    return file


def test_rules_of_guests_stand_after_the_others_and_cannot_take_an_id_in_use(
    tmp_path: Path,
) -> None:
    rules_file(tmp_path, "casa", "Di casa")
    rules_file(tmp_path / GUESTS, "casa", "Di un altro")
    rules_file(tmp_path / GUESTS, "ospite", "Di un ospite")
    offer_own_variants(None)

    variants = read_own_variants(tmp_path)

    assert list(variants.usable) == ["casa", "ospite"]
    assert variants.guests == {"ospite"}
    (broken,) = variants.broken
    assert broken.file == "casa.toml"
    assert broken.problem == "id-exists"


def test_a_file_may_be_read_again_beside_its_own_rules(tmp_path: Path) -> None:
    file = rules_file(tmp_path, "casa", "Di casa")
    variants = read_own_variants(tmp_path)
    assert read_variant_file(file, variants.usable).id == "casa"


def test_a_file_may_not_take_the_name_of_rules_on_offer(tmp_path: Path) -> None:
    name_taken = get_variant("tredici").words["it"]["variant.tredici.name"]
    with pytest.raises(VariantError):
        read_variant_file(rules_file(tmp_path, "altra", name_taken))


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_folder(path: Path) -> None:
    path.mkdir()


def make_binary_file(path: Path) -> None:
    path.write_bytes(b"\xff\xfe")


@pytest.mark.parametrize("make", [make_pipe, make_folder, make_binary_file])
def test_what_is_no_text_file_is_named_and_not_read(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "mia.toml")
    (broken,) = read_own_variants(tmp_path).broken
    assert broken.file == "mia.toml"
    assert broken.problem == "unreadable"


@pytest.mark.parametrize("read", [load_sources, read_own_file])
def test_a_missing_file_is_refused(tmp_path: Path, read: Callable[[Path], object]) -> None:
    with pytest.raises(VariantError) as error:
        read(tmp_path / "none.toml")
    assert error.value.problem == "no-file"


def test_a_missing_folder_has_no_house_rules(tmp_path: Path) -> None:
    assert read_own_variants(tmp_path / "none").usable == {}


def test_sources_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_bytes(b"\xff")
    with pytest.raises(VariantError) as error:
        load_sources(tmp_path)
    assert error.value.problem == "unreadable"


def test_house_rules_tell_what_the_sources_say_of_the_game_that_they_extend() -> None:
    house_rules = irregularities(settle("quattromila", None))
    classica = irregularities(settle("classica", None))

    standing = {each.code: each.cited.standing for each in house_rules}
    assert standing == {each.code: each.cited.standing for each in classica}
    assert Standing.STATED in standing.values()
    assert list(statements_of(get_variant("quattromila")))

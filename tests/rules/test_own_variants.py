"""Variants of the user's own: five rule sets of real tables as files, what else stands in their
folder, and files that cannot be used.

Players may write a file of house rules, which extends a game of the app. It is offered as a game
beside those of the app ("of the package"): a variant of their own.
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
    settle_variant,
    sources,
    statements_of,
    thaw,
    variant_ids,
)
from tests.data import read_data
from tests.rules.hands import hand, side


@pytest.fixture(autouse=True)
def _own_variants_offered() -> Iterator[None]:
    """Offer the house rules of the folder tests/rules/own while a test runs.

    Among them are `tredici` (thirteen cards are dealt), `quattromila` (the target is 4,000 points)
    and `a-tempo` (three hands in 50 minutes).
    """
    offer_own_variants(Path(__file__).with_name("own"))
    yield
    offer_own_variants(None)


def test_own_variants_are_offered_after_those_of_the_package() -> None:
    assert own_variants().broken == ()
    # The files of tests/rules/own, by name.
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


def test_without_folder_only_variants_of_the_package_are_offered() -> None:
    # Without a folder, files of house rules are not looked for.
    offer_own_variants(None)
    assert variant_ids() == package_ids()


def test_option_chosen_holds_beside_the_settings_of_an_own_variant() -> None:
    # The players choose house rules, and a target of 3,000 points.
    settings = settle("tredici", None, {"target": 3000}).settings

    assert settings.target == 3000

    # By these house rules thirteen cards are dealt, and two drawn in a turn.
    assert settings.dealt == 13
    assert settings.drawn == 2


def test_opening_minimum_of_own_variant_may_depend_on_number_of_hand() -> None:
    # The first melds of a side need a minimum of points. By these house rules it does not rise with
    # the score, but with each of the three hands.
    rules = settle("a-tempo")
    assert rules.settings.opening_minimum(score=0, deal=1) == 125
    assert rules.settings.opening_minimum(score=0, deal=2) == 155
    assert rules.settings.opening_minimum(score=0, deal=3) == 180

    # So whoever enters a hand says which one it is.
    assert rules.entry_fields == ("deal",)


def test_match_by_own_variant_may_end_after_hands_or_minutes() -> None:
    # The house rules "a-tempo" (on time) have a line `ends = { hands = 3, minutes = 50 }`.
    rules = settle("a-tempo")

    # The number of hands is a setting of the game, `match_deals`. The minutes stand beside them.
    assert rules.settings.match_deals == 3
    assert rules.ends.minutes == 50


def test_own_variant_may_name_its_canastas() -> None:
    # These house rules call a mixed canasta, which has wild cards, "Dirty".
    texts = words("en").with_rules(settle("quattromila"))
    assert texts.t("item.quattromila.mixed-canasta") == "Dirty"


def test_frozen_rules_keep_the_words_of_a_variant_that_is_gone() -> None:
    # A match is stored with its rules, "frozen" as JSON.
    rules = settle("tredici")
    frozen = freeze(rules)

    # The file of house rules is deleted. The match can be read all the same.
    offer_own_variants(None)
    thawed = thaw(frozen)

    assert thawed == rules
    assert words("en").with_rules(thawed).t("variant.tredici.name") == "Club canasta"


LISTS_OF_MISTAKES = read_data("rules/mistakes.toml")
BROKEN_FILES = read_data("rules/broken.toml")
"""Files with a mistake: the `text`, the `line` and part of the `key` of the mistake, and part of the
Italian message, with the remedy (`says`).
"""


@pytest.mark.parametrize("case", BROKEN_FILES)
def test_broken_file_is_reported_with_line_key_and_remedy(tmp_path: Path, case: str) -> None:
    # For example a file whose third line has the setting "delt" in place of "dealt".
    expected = BROKEN_FILES[case]
    (tmp_path / "mia.toml").write_text(expected["text"], "utf-8")

    (broken,) = offer_own_variants(tmp_path).broken

    assert broken.file == "mia.toml"
    assert broken.line == expected["line"]
    assert expected["key"] in broken.key

    # The message names the file, and says what to do: here that "dealt" exists.
    italian = describe_variant_error(broken, words("it"))
    assert italian.startswith("mia.toml")
    assert expected["says"] in italian
    english = describe_variant_error(broken, words("en"))
    assert english != italian


def test_variant_is_offered_although_a_file_beside_it_is_broken(tmp_path: Path) -> None:
    # Of two files in the folder one is no TOML.
    write_rules_file(tmp_path, "buona", "Buona")
    (tmp_path / "mia.toml").write_text("extends", "utf-8")

    (broken,) = offer_own_variants(tmp_path).broken

    assert broken.file == "mia.toml"
    assert variant_ids() == (*package_ids(), "buona")


@pytest.mark.parametrize("case", LISTS_OF_MISTAKES)
def test_all_mistakes_of_file_are_reported_in_the_order_of_lines(case: str) -> None:
    # Each case has a file with several mistakes, and a message for each: "casa.toml, line 3,
    # ends.hands: a whole number from 1 to 99 is expected here."
    with pytest.raises(VariantError) as error:
        parse_own_variant("casa.toml", LISTS_OF_MISTAKES[case]["text"])
    assert describe_variant_errors(error.value, words("en")) == LISTS_OF_MISTAKES[case]["told"]


def test_choosing_variant_with_broken_file_names_its_first_mistake(tmp_path: Path) -> None:
    # Two files are broken. That of "mia" has "delt" in place of "dealt" in its third line.
    (tmp_path / "altra.toml").write_text("extends", "utf-8")
    (tmp_path / "mia.toml").write_text(
        'id = "mia"\nextends = "classica"\n[settings.delt]\nvalue = 3\nstanding = "house"\n'
    )
    offer_own_variants(tmp_path)

    # A player chooses "mia" all the same.
    with pytest.raises(ChoiceError) as error:
        settle("mia")

    assert error.value.reason == "broken-variant"
    assert error.value.known == ("mia.toml", "3", "settings.delt")  # file, line, key


def test_words_of_a_bonus_are_known_only_with_its_rules() -> None:
    # These house rules have a bonus for cutting the cards exactly right.
    texts = words("it").with_rules(settle("tredici"))
    assert texts.t("bonus.exact-cut") == "Taglio giusto"  # "Exact cut"

    # Its name is not known without rules, or with other rules.
    assert not words("it").has("bonus.exact-cut")
    assert not texts.with_rules(settle("quattromila")).has("bonus.exact-cut")


def test_name_used_by_another_file_is_refused(tmp_path: Path) -> None:
    # Players would see two games with the name "Casa". The first file, by its own name, keeps it.
    write_rules_file(tmp_path, "mia", name="Casa")
    write_rules_file(tmp_path, "nostra", name="Casa")

    (broken,) = offer_own_variants(tmp_path).broken

    # "mia.toml has the name «Casa» already. Choose another one."
    assert describe_variant_error(broken, words("it")) == (
        "nostra.toml, riga 3, words.it.name: "
        "il nome «Casa» ce l'ha già mia.toml. Scegline un altro."
    )


@pytest.mark.parametrize(
    "variant",
    [
        "classica",  # a variant of the program
        "Mia",  # ids are lower-case letters without accents, digits and hyphens
        "più",
        "a b",
        "nuove",  # the address of a page
        "cerca",
        "check",  # a command
    ],
)
def test_id_that_is_taken_or_cannot_stand_in_an_address_is_refused(
    tmp_path: Path, variant: str
) -> None:
    # The id of house rules is the name of their file, and part of the address of their pages.
    write_rules_file(tmp_path, variant, "Casa")
    (broken,) = read_own_variants(tmp_path).broken
    assert broken.key == "id"


TREDICI_CARTE = """
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
"""House rules whose setting `dealt` cites a source of the file's own, the rules of a club; the setting
`drawn` is inferred, with the argument in the file: "Who deals thirteen cards draws two."
"""


@pytest.fixture
def _tredici_carte_offered(tmp_path: Path) -> None:
    """Offer the house rules of TREDICI_CARTE, whose id is `nostra`."""
    (tmp_path / "nostra.toml").write_text(TREDICI_CARTE, "utf-8")
    assert offer_own_variants(tmp_path).broken == ()


@pytest.mark.usefixtures("_tredici_carte_offered")
def test_own_variant_may_cite_a_source_of_its_own() -> None:
    # The house rules "nostra" come in a file that also describes a source, CIRCOLO: "Regolamento
    # del circolo" (rules of the club), with a section "Carte" (cards).
    assert sources()[SourceId("CIRCOLO")].title == "Regolamento del circolo"

    # The file cites this section for the number of cards that are dealt.
    assert settle("nostra").list_passages_of("dealt") == ("CIRCOLO:Carte",)


@pytest.mark.usefixtures("_tredici_carte_offered")
def test_source_of_own_variant_is_gone_with_it() -> None:
    # House rules are offered, whose file describes a source CIRCOLO, the rules of a club.
    assert SourceId("CIRCOLO") in sources()

    # From now on no folder of house rules is offered.
    offer_own_variants(None)

    assert SourceId("CIRCOLO") not in sources()


@pytest.mark.usefixtures("_tredici_carte_offered")
def test_own_variant_may_say_from_what_a_setting_is_inferred() -> None:
    # By the house rules "nostra" a player draws two cards. No source says so. Their file has an
    # argument in its place, in Italian: "Who deals thirteen cards draws two."
    rules = settle("nostra")
    drawn = rules.cited["drawn"]
    assert drawn.standing is Standing.INFERRED
    assert drawn.citations == ()

    # `read` is the key of this argument. It is shown as it is on English pages too.
    english_texts = words("en").with_rules(rules)
    argument = english_texts.t(f"read.{drawn.read}")
    assert argument == "Chi distribuisce tredici carte ne pesca due."


def test_players_may_choose_after_how_many_hands_and_minutes_a_match_ends() -> None:
    rules = settle("classica", ends=Ends(hands=2, minutes=50))
    assert rules.settings.match_deals == 2
    assert rules.ends.minutes == 50
    assert rules.settings.target == 5000  # the points that win a match, as before


def test_chosen_minutes_replace_the_number_of_hands_of_the_variant() -> None:
    # A match by these house rules has three hands. The players choose 20 minutes in their place.
    assert settle("a-tempo").settings.match_deals == 3
    assert settle("a-tempo", ends=Ends(hands=None, minutes=20)).settings.match_deals is None


def test_incomplete_meld_without_points_has_no_score_line() -> None:
    # In moderna a meld of wild cards has to become a canasta of seven cards. One that has not, is
    # incomplete and costs 2,000 points, on a line of its own. At this table it costs 0 points.
    house_rules = parse_own_variant(
        "casa.toml",
        """
        id = "casa"
        extends = "moderna"
        [settings.incomplete]
        standing = "house"
        value = [{ name = "wilds", points = 0, shape = "wilds", bars_out = true }]
        """,
    )
    rules = settle_variant(house_rules, preset=None, options={})

    # A side has two canastas, of kings and of queens, and two twos with a joker: wild cards.
    played = hand(side("7xK", "7xQ", "2 2 JK"), side(left="A"))
    first_side, _second_side = judge(rules, played).sides

    # There is no line about the wild cards, such as "wilds-incomplete" with 0 points.
    items = [line.item for line in first_side.lines]
    assert items == ["natural-canasta", "cards"]


def write_rules_file(folder: Path, variant: str, name: str) -> Path:
    """Write a file of house rules with this id and Italian name, and return its path.

    The rules are those of classica.
    """
    folder.mkdir(exist_ok=True)
    file = folder / f"{variant}.toml"
    file.write_text(f'id = "{variant}"\nextends = "classica"\nwords.it.name = "{name}"\n', "utf-8")
    return file


def test_variants_of_guests_are_listed_after_the_others(tmp_path: Path) -> None:
    # Guests can upload house rules, which are stored in a folder of their own.
    write_rules_file(tmp_path, "casa", "Di casa")
    write_rules_file(tmp_path / GUESTS, "ospite", "Di un ospite")

    variants = read_own_variants(tmp_path)

    assert list(variants.usable) == ["casa", "ospite"]
    assert variants.guests == {"ospite"}


def test_variant_of_guest_cannot_take_an_id_in_use(tmp_path: Path) -> None:
    # The id of a variant is the name of its file. A guest uploads one with the id of another.
    write_rules_file(tmp_path, "casa", "Di casa")
    write_rules_file(tmp_path / GUESTS, "casa", "Di un ospite")

    variants = read_own_variants(tmp_path)

    # The variant of the house is kept.
    assert list(variants.usable) == ["casa"]
    assert variants.guests == set()

    (broken,) = variants.broken
    assert broken.file == "casa.toml"
    assert broken.problem == "id-exists"


def test_file_read_again_may_keep_the_name_of_its_variant(tmp_path: Path) -> None:
    # A name that is in use is refused, but not to the file that has it already.
    file = write_rules_file(tmp_path, "casa", "Di casa")
    variants = read_own_variants(tmp_path)

    read_again = read_variant_file(file, others=variants.usable)

    assert read_again.id == "casa"


def test_name_of_variant_on_offer_is_refused(tmp_path: Path) -> None:
    # The house rules `tredici` have the name "Canasta del circolo" (club canasta) already.
    file = write_rules_file(tmp_path, "altra", name="Canasta del circolo")

    with pytest.raises(VariantError) as error:
        read_variant_file(file)

    assert error.value.key == "words.it.name"


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
    # Somebody put a pipe, a folder or a binary file where a file of house rules is looked for.
    # Reading a pipe would wait forever.
    make(tmp_path / "mia.toml")

    (broken,) = read_own_variants(tmp_path).broken
    assert broken.file == "mia.toml"
    assert broken.problem == "unreadable"


@pytest.mark.parametrize("read", [load_sources, read_own_file])
def test_missing_file_is_refused(tmp_path: Path, read: Callable[[Path], object]) -> None:
    with pytest.raises(VariantError) as error:
        read(tmp_path / "missing.toml")
    assert error.value.problem == "no-file"


def test_missing_folder_has_no_variants(tmp_path: Path) -> None:
    assert read_own_variants(tmp_path / "missing").usable == {}


def test_binary_file_of_sources_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_bytes(b"\xff")
    with pytest.raises(VariantError) as error:
        load_sources(tmp_path)
    assert error.value.problem == "unreadable"


def test_own_variant_inherits_irregularities_with_their_standing() -> None:
    # What goes wrong at a table costs the same by house rules that do not speak of it, and is
    # cited as in the game that they extend.
    own = {each.code: each.cited.standing for each in irregularities(settle("quattromila"))}
    classica = {each.code: each.cited.standing for each in irregularities(settle("classica"))}
    assert own == classica
    assert Standing.STATED in own.values()


def test_own_variant_inherits_statements_of_the_sources() -> None:
    # These are the sentences of the sources that the rules are from.
    assert list(statements_of(get_variant("quattromila")))

"""Variants of the user's own: five rule sets of real tables as files, and files that cannot be
used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorepad.errors import ChoiceError
from scorepad.i18n import words
from scorepad.i18n.variant_errors import describe_variant_error
from scorepad.rules.definitions import Ends, SourceId, Standing
from scorepad.rules.judging import Judgement, judge
from scorepad.rules.variants import (
    freeze,
    get_variant,
    offer_own_variants,
    own_variants,
    package_ids,
    read_own_variants,
    settle,
    sources,
    thaw,
    variant_ids,
)
from tests.rules.hands import codes, hand, side, went_out

OWN = Path(__file__).with_name("own")


@pytest.fixture(autouse=True)
def offered() -> Iterator[None]:
    offer_own_variants(OWN)
    yield
    offer_own_variants(None)


def lines(judgement: Judgement, position: int = 0) -> dict[str, int]:
    assert judgement.sides is not None, judgement.findings
    return {line.code or line.item: line.points for line in judgement.sides[position].lines}


def test_the_variants_of_a_folder_are_offered_after_those_of_the_package() -> None:
    assert own_variants().broken == ()
    assert variant_ids() == (
        *package_ids(),
        "a-tempo",
        "quattro-canaste",
        "quattromila",
        "rosse-nere",
        "tredici",
    )
    assert [get_variant(name).is_own for name in ("classica", "quattromila")] == [False, True]
    offer_own_variants(None)
    assert variant_ids() == package_ids()


def test_thirteen_cards_two_drawn_and_a_hundred_for_the_exact_cut() -> None:
    rules = settle("tredici", None, {"target": 3000})
    assert (rules.settings.dealt, rules.settings.drawn, rules.settings.target) == (13, 2, 3000)
    played = hand(side("7xK", bonuses=("exact-cut",)), side(left="A"), out=went_out(0))
    found = lines(judge(rules, played))
    assert found == {"natural-canasta": 500, "cards": 70, "out": 100, "exact-cut": 100}
    bonus = judge(rules, played).sides[0].lines[-1]  # type: ignore[index]
    assert (bonus.item, bonus.count, bonus.standing, bonus.sources) == ("bonus", 1, "house", ())
    assert rules.words["it"]["bonus.exact-cut"] == "Taglio giusto"


def test_red_canastas_at_seven_hundred_and_black_ones_at_five_hundred() -> None:
    found = judge(settle("rosse-nere"), hand(side("7xK"), side("5x8 2x2")))
    assert lines(found) == {"natural-canasta": 700, "cards": 70}
    assert lines(found, 1) == {"mixed-canasta": 500, "cards": 5 * 10 + 2 * 20}


def test_an_opening_by_the_number_of_the_hand_in_a_match_of_three() -> None:
    rules = settle("a-tempo")
    assert [rules.settings.opening_minimum(0, deal) for deal in (1, 2, 3)] == [125, 155, 180]
    assert (rules.settings.match_deals, rules.ends.minutes, rules.entry_fields) == (
        3,
        50,
        ("deal",),
    )
    level = judge(rules, hand(side("7xK"), side("7xQ"), deal=3, out=None), before=(100, 100))
    assert "opening-impossible" in codes(level)
    last = judge(rules, hand(side("7xA"), side("7xA"), deal=3), before=(0, 0))
    assert "deck-exceeded" in codes(last)
    ended = judge(rules, hand(side("7xK", "6xA"), side("7xQ", "2xA 5x9 2"), deal=3))
    assert ended.sides is None, "a seventh rank mixed into a meld"
    ended = judge(rules, hand(side("7xK", "6xA"), side("7xQ", "7x10"), deal=3), before=(10, 0))
    assert "opening-impossible" in codes(ended)


def test_a_match_by_hands_may_end_level() -> None:
    ended = judge(
        settle("a-tempo"),
        hand(side("7xK", "7xA"), side("7xQ", "7x8", "4xJ"), deal=3),
        before=(0, 30),
    )
    assert ended.sides is not None
    assert [each.total for each in ended.sides] == [1210, 1210]
    assert ended.status is not None
    assert (ended.status.finished, ended.status.winner) == (True, None)


def test_to_four_thousand_with_clean_and_dirty_canastas() -> None:
    found = judge(
        settle("quattromila"), hand(side("7xK", "7xA"), side("5x8 2x2")), before=(3000, 0)
    )
    assert lines(found, 1)["mixed-canasta"] == 200
    assert found.status is not None
    assert (found.status.finished, found.status.winner) == (True, 0), "3,000 + 2 x 500 + 70 + 140"
    assert (
        words("en").with_rules(settle("quattromila")).t("item.quattromila.mixed-canasta") == "Dirty"
    )


def test_four_kinds_of_canasta_to_go_out_and_sevens_count_as_sevens_only() -> None:
    rules = settle("quattro-canaste")
    melds = ("7x7", "7xK", "5xA 2x2", "4x2 3xJK")
    found = lines(judge(rules, hand(side(*melds), side(), out=went_out(0))))
    assert found == {
        "all-sevens": 1500,
        "wild-canasta": 1000,
        "natural-canasta": 500,
        "mixed-canasta": 300,
        "cards": 35 + 70 + 140 + 230,
        "out": 100,
    }
    for missing in range(4):
        fewer = [meld for number, meld in enumerate(melds) if number != missing]
        assert "out-canastas-missing" in codes(
            judge(rules, hand(side(*fewer), side(), out=went_out(0)))
        )
    # Sevens stand for no other family: with a second canasta of them in place of the kings a
    # natural one is missing.
    sevens = judge(rules, hand(side("7x7", "7xJ", "5xA 2x2", "3x2 4xJK"), side(), out=went_out(0)))
    assert sevens.is_valid
    assert not judge(
        rules, hand(side("7x7", "5xJ 2", "5xA 2x2", "3x2 4xJK"), side(), out=went_out(0))
    ).is_valid


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
NAMED = HOUSE + 'words.it = "Nostro"\n'
BROKEN = tomllib.loads(Path(__file__).with_name("broken.toml").read_text("utf-8"))


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_named_with_line_key_and_remedy_and_left_out(
    tmp_path: Path, what: str
) -> None:
    broken = BROKEN[what]
    (tmp_path / "mia.toml").write_text(broken["text"], "utf-8")
    (tmp_path / "buona.toml").write_text(GOOD, "utf-8")
    (trouble,) = offer_own_variants(tmp_path).broken
    assert variant_ids()[-1] == "buona"
    assert (trouble.file, trouble.line) == ("mia.toml", broken["line"])
    assert broken["key"] in trouble.key
    message = describe_variant_error(trouble, words("it"))
    assert message.startswith("mia.toml")
    assert broken["says"] in message
    assert describe_variant_error(trouble, words("en")) != message


def test_every_mistake_of_a_file_is_told_in_the_order_of_its_lines(tmp_path: Path) -> None:
    (tmp_path / "mia.toml").write_text(
        f'{HEAD}word = "x"\n[settings.delt]\nvalue = 3{HOUSE}[settings.dealt]\nvalu = 13\n[bonuses.cut]\n'
        f'points = "5"{NAMED}[settings.drawn]\nvalue = 2\n',
    )
    (trouble,) = offer_own_variants(tmp_path).broken
    found = [(each.line, each.key, each.problem) for each in (trouble, *trouble.others)]
    assert found == [
        (3, "word", "unknown-key.meant"),
        (4, "settings.delt", "unknown-setting.meant"),
        (8, "settings.dealt.valu", "unknown-key.meant"),
        (10, "bonuses.cut.points", "number"),
        (13, "settings.drawn", "uncited"),
    ]


def test_a_variant_whose_file_is_broken_is_refused_with_the_place_of_the_mistake(
    tmp_path: Path,
) -> None:
    (tmp_path / "altra.toml").write_text("extends", "utf-8")
    (tmp_path / "mia.toml").write_text(f"{HEAD}[settings.delt]\nvalue = 3{HOUSE}", "utf-8")
    offer_own_variants(tmp_path)
    with pytest.raises(ChoiceError) as refused:
        settle("mia")
    assert (refused.value.reason, refused.value.known) == (
        "broken-variant",
        ("mia.toml", "3", "settings.delt"),
    )


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
    (trouble,) = offer_own_variants(tmp_path).broken
    message = describe_variant_error(trouble, words("it"))
    assert (
        message
        == "nostra.toml, riga 4, words.it.name: il nome «Casa» ce l'ha già mia.toml. Scegline un altro."
    )


@pytest.mark.parametrize("name", ["classica", "Mia", "più", "a b", "nuove", "cerca", "check"])
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.toml").write_text(f'id = "{name}"\nextends = "classica"\n', "utf-8")
    (trouble,) = read_own_variants(tmp_path).broken
    assert trouble.key == "id"


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mia.toml").write_bytes(b"\xff\xfe")
    (trouble,) = read_own_variants(tmp_path).broken
    assert trouble.problem == "unreadable"
    assert read_own_variants(tmp_path / "nowhere").usable == {}


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
    found = lines(judge(settle("casa"), hand(side("7xK", "7xQ", "2 2 JK"), side(left="A"))))
    assert found["natural-canasta"] == 1000
    assert not [item for item in found if "incomplete" in item]

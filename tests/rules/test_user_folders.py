"""Folders of house rules: what stands in them beside good files, and what a hand of too many ways
is told.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorepad.errors import TooManyWays, VariantError
from scorepad.referee import best_play
from scorepad.referee.answering import answer_to
from scorepad.referee.penalties import irregularities
from scorepad.rules.definitions import Standing, split_into_parts
from scorepad.rules.loader import data_folder, load_sources
from scorepad.rules.toml_reader import read_own_file
from scorepad.rules.toml_text import find_line_numbers
from scorepad.rules.variants import (
    GUESTS,
    get_variant,
    offer_own_variants,
    read_own_variants,
    read_variant_file,
    settle,
    statements_of,
)
from scorepad.schemas.ruling_json import read_question_of_match

OWN = Path(__file__).with_name("own")


@pytest.fixture
def offered() -> Iterator[None]:
    offer_own_variants(OWN)
    yield
    offer_own_variants(None)


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
    found = read_own_variants(tmp_path)
    assert list(found.usable) == ["casa", "ospite"]
    assert found.guests == {"ospite"}
    assert [(each.file, each.problem) for each in found.broken] == [("casa.toml", "id-exists")]
    assert read_variant_file(file, found.usable).id == "casa", "its own name is not taken by itself"


def test_a_file_is_read_among_the_rules_on_offer(tmp_path: Path, offered: None) -> None:
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


def test_brackets_and_commas_out_of_place_hide_no_line() -> None:
    assert dict(find_line_numbers("x.toml", "a = 1, 2 ]\nb = 3\n")) == {"a": 1, "b": 2}


def test_house_rules_tell_what_the_sources_say_of_the_game_that_they_extend(offered: None) -> None:
    house, classic = settle("quattromila", None), settle("classica", None)
    told = {each.code: each.cited.standing for each in irregularities(house)}
    assert told == {each.code: each.cited.standing for each in irregularities(classic)}
    assert Standing.STATED in told.values()
    assert list(statements_of(get_variant("quattromila")))


def test_the_steps_of_red_threes_and_of_large_piles_are_named() -> None:
    canastone = get_variant("canastone").settings
    families = canastone["red-threes-by-families"].value
    assert list(split_into_parts("red-threes-by-families", families)) == [
        each["having"] for each in families
    ]
    assert split_into_parts("upcard-big-piles", [50, 20]) == {"JK": 50, "2": 20}
    assert data_folder().is_dir()


def question(**more: Any) -> Any:
    rules = settle("bolivia", None)
    return rules, read_question_of_match({"kind": "out", **more}, rules).question


def test_a_hand_that_can_be_laid_in_too_many_ways_is_not_examined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ranks = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4"]
    naturals = [f"{rank}{suit}" for suit in "hdsc" for rank in ranks]
    cards = " ".join([*naturals, "6x2", "2xJK"])
    with pytest.raises(TooManyWays):
        answer_to(*question(hand=cards, table=[]))
    # New melds alone are few enough here, and remembered, but not together with those that join
    # melds of the table.
    asked = question(hand="5xK 4xQ 2", table=["3xK", "3xQ"])
    answer_to(*asked)
    monkeypatch.setattr(best_play, "MOST_WAYS", 1)
    with pytest.raises(TooManyWays):
        answer_to(*asked)

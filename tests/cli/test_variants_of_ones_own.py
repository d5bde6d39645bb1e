"""Variants of canasta that a user has written: `--variants FOLDER` and `scorepad variants check`."""

import json
from pathlib import Path
from typing import NoReturn

import pytest

from scorepad.errors import VariantError
from tests.cli.running import get_error_line, refused, run

# The folder has six files. One is tredici.toml: classic canasta in which 13 cards are dealt, with a
# bonus of 100 points for whoever cuts the deck exactly.
OWN_VARIANTS = Path(__file__).parents[1] / "rules" / "own"
# Noi ("we") lay seven kings, go out, and have the bonus for an exact cut twice. Loro ("they") have
# 15 points left in their hands.
HAND_OF_TREDICI = {
    "variant": "tredici",
    "sides": {
        "noi": {"melds": ["7xK"], "bonuses": ["exact-cut", "exact-cut"]},
        "loro": {"left": 15},
    },
    "out": {"side": "noi"},
}


def test_hand_of_own_variant_is_scored_with_its_bonuses() -> None:
    # A club plays a variant in which whoever cuts the deck exactly has a bonus of 100 points. In this
    # hand Noi ("we") lay seven kings, go out, and have the bonus twice.
    done = run("score", "--variants", str(OWN_VARIANTS), "--lang", "en", given=HAND_OF_TREDICI)
    assert done.returncode == 0, done.stderr
    noi = json.loads(done.stdout)["sides"]["noi"]

    # One of the lines that make up the total has both bonuses.
    (bonus,) = [line for line in noi["lines"] if line["item"] == "bonus"]
    assert bonus["code"] == "exact-cut"
    assert bonus["count"] == 2
    assert bonus["points"] == 200  # 2 × 100
    # It is a rule of the table: no book has it.
    assert bonus["standing"] == "house"

    # 500 for a canasta without wild cards, 7 × 10 for the kings, 100 for going out, 200 of bonuses.
    assert noi["total"] == 500 + 70 + 100 + 200


def test_folder_of_own_variants_from_the_environment() -> None:
    # The folder has the variant of a club, called "tredici" since 13 cards are dealt.
    done = run("variants", "tredici", SCOREPAD_VARIANTS=str(OWN_VARIANTS))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"Canasta del circolo (tredici)")


@pytest.mark.parametrize(
    ("side", "message"),
    [
        # The message lists the bonuses of the variant.
        ({"melds": ["7xK"], "bonuses": ["taglio"]}, "exact-cut"),
        # A sum that the table has agreed on has all bonuses in it.
        ({"sum": 500, "bonuses": ["exact-cut"]}, "bonuses"),
    ],
    ids=["unknown", "beside a sum"],
)
def test_impossible_bonus_is_refused(side: object, message: str) -> None:
    # The variant has one bonus, "exact-cut", for cutting the deck exactly.
    hand = {**HAND_OF_TREDICI, "sides": {"noi": side}}
    done = run("score", "--variants", str(OWN_VARIANTS), "--lang", "en", given=hand)
    assert message in refused(done)


def test_check_reports_each_file_and_mistake_on_a_line(tmp_path: Path) -> None:
    # One file is good, one has two settings that do not exist, and one is missing.
    good = OWN_VARIANTS / "tredici.toml"
    wrong = tmp_path / "mia.toml"
    wrong.write_text('id = "mia"\nextends = "classica"\n[settings.delt]\n[settings.tarjet]\n')
    missing = tmp_path / "tua.toml"

    done = run("variants", "check", str(good), str(wrong), str(missing), "--lang", "en")

    assert done.returncode == 1
    assert done.stdout.decode().splitlines() == [
        f"{good}: good.",
        "mia.toml, line 3, settings.delt: there is no setting “delt”. Did you mean “dealt”?",
        "mia.toml, line 4, settings.tarjet: there is no setting “tarjet”. Did you mean “target”?",
        "tua.toml: there is no such file. Check its name and folder.",
    ]


def test_check_reads_every_file_of_the_folder_of_own_variants() -> None:
    done = run("variants", "check", "--variants", str(OWN_VARIANTS))
    assert done.returncode == 0
    # The folder has six variants. Each gets a line.
    assert len(done.stdout.splitlines()) == 6


@pytest.mark.parametrize("options", [[], ["--jsonl"]])
def test_hand_by_broken_rules_is_refused_with_their_file(
    tmp_path: Path, options: list[str]
) -> None:
    # On line 3 the file has a setting "delt", which does not exist.
    (tmp_path / "mia.toml").write_text('id = "mia"\nextends = "classica"\n[settings.delt]\n')

    hand = {**HAND_OF_TREDICI, "variant": "mia"}
    done = run("score", *options, "--variants", str(tmp_path), "--lang", "en", given=hand)

    assert done.returncode == 2
    # With --jsonl the error is an answer on standard output.
    assert b"mia.toml, 3, settings.delt" in done.stdout + done.stderr


def test_bonuses_of_a_variant_are_listed() -> None:
    done = run("variants", "tredici", "--variants", str(OWN_VARIANTS), "--lang", "en")

    lines = done.stdout.decode().splitlines()
    # Once among the bonuses, and once among what differs from the classic game.
    assert "  exact-cut: Exact cut, +100  [agreed at the table]" in lines
    assert "  Exact cut: +100 (classic: none)  [agreed at the table]" in lines


def test_bonuses_of_a_variant_as_json() -> None:
    done = run("variants", "tredici", "--variants", str(OWN_VARIANTS), "--lang", "en", "--json")
    variant = json.loads(done.stdout)
    assert variant["bonuses"] == {
        "exact-cut": {"name": "Exact cut", "points": 100, "sources": [], "standing": "house"}
    }
    # It is also told as something that differs from the classic game.
    assert variant["differs"]["bonuses/exact-cut"]["here"] == "+100"


def test_mistake_in_a_variant_of_the_package_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The files of the package itself have no mistake, so reading one is made to fail.
    def fail(*_: object) -> NoReturn:
        raise VariantError("classica.toml", "settings.out-bonus", "house-cited", 372)

    monkeypatch.setattr("scorepad.cli.rule_commands.get_variant", fail)

    message = get_error_line(capsys, "variants", "classica", "--lang", "en")

    place = "classica.toml, line 372, settings.out-bonus"
    assert message.startswith(f"{place}: is a rule of the table (house)")

"""`--variants`, and `scorepad variants check`, from outside."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from scorepad.cli import main
from scorepad.errors import VariantError

OWN = Path(__file__).parents[1] / "rules" / "own"
HAND = {
    "variant": "tredici",
    "sides": {
        "noi": {"melds": ["7xK"], "bonuses": ["exact-cut", "exact-cut"]},
        "loro": {"left": 15},
    },
    "out": {"side": "noi"},
}


def run(*arguments: str, given: object = "", **env: str) -> subprocess.CompletedProcess[str]:
    source = given if isinstance(given, str) else json.dumps(given)
    command = [sys.executable, "-m", "scorepad", *arguments]
    return subprocess.run(
        command, input=source, capture_output=True, text=True, check=False, env=env or None
    )


def test_a_hand_of_a_variant_of_ones_own_is_scored_with_its_bonuses() -> None:
    done = run("score", "--variants", str(OWN), "--lang", "en", given=HAND)
    assert done.returncode == 0, done.stderr
    side = json.loads(done.stdout)["sides"]["noi"]
    bonus = next(line for line in side["lines"] if line["item"] == "bonus")
    assert (bonus["code"], bonus["count"], bonus["points"], bonus["standing"]) == (
        "exact-cut",
        2,
        200,
        "house",
    )
    assert side["total"] == 500 + 70 + 100 + 200


@pytest.mark.parametrize(
    ("side", "says"),
    [
        ({"melds": ["7xK"], "bonuses": ["taglio"]}, "exact-cut"),
        ({"sum": 500, "bonuses": ["exact-cut"]}, "bonuses"),
    ],
)
def test_an_unknown_bonus_or_one_beside_a_sum_is_unusable(side: object, says: str) -> None:
    hand = {**HAND, "sides": {"noi": side}}
    done = run("score", "--variants", str(OWN), "--lang", "en", given=hand)
    assert done.returncode == 2
    assert says in done.stderr


def test_the_folder_may_be_named_by_the_environment() -> None:
    done = run("variants", "tredici", SCOREPAD_VARIANTS=str(OWN))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Canasta del circolo (tredici)")


def test_check_says_line_by_line_what_stands_and_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "mia.toml").write_text(
        'id = "mia"\nextends = "classica"\n[settings.delt]\n[settings.tarjet]\n'
    )
    files = (OWN / "tredici.toml", tmp_path / "mia.toml", tmp_path / "tua.toml")
    done = run("variants", "check", *map(str, files), "--lang", "en")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"{OWN / 'tredici.toml'}: good.",
        "mia.toml, line 3, settings.delt: there is no setting “delt”. Did you mean “dealt”?",
        "mia.toml, line 4, settings.tarjet: there is no setting “tarjet”. Did you mean “target”?",
        "tua.toml: there is no such file. Check its name and folder.",
    ]
    done = run("variants", "check", "--variants", str(OWN))
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 5)


@pytest.mark.parametrize("lines", [(), ("--jsonl",)])
def test_a_hand_by_broken_rules_names_their_file(tmp_path: Path, lines: tuple[str, ...]) -> None:
    (tmp_path / "mia.toml").write_text('id = "mia"\nextends = "classica"\n[settings.delt]\n')
    arguments = ("score", *lines, "--variants", str(tmp_path), "--lang", "en")
    done = run(*arguments, given={**HAND, "variant": "mia"})
    assert done.returncode == 2
    assert "mia.toml, 3, settings.delt" in done.stdout + done.stderr


def test_the_bonuses_of_a_variant_are_listed() -> None:
    done = run("variants", "tredici", "--variants", str(OWN), "--lang", "en")
    assert "  exact-cut: Exact cut, +100  [agreed at the table]" in done.stdout.splitlines()
    assert "  Exact cut: +100 (classic: none)  [agreed at the table]" in done.stdout.splitlines()
    whole = json.loads(
        run("variants", "tredici", "--json", "--variants", str(OWN), "--lang", "en").stdout
    )
    assert whole["bonuses"] == {
        "exact-cut": {"name": "Exact cut", "points": 100, "sources": [], "standing": "house"},
    }  # fmt: skip
    assert whole["differs"]["bonuses/exact-cut"]["here"] == "+100"


def test_a_folder_that_is_not_there_is_named() -> None:
    done = run("variants", "--variants", "/nowhere", "--lang", "en")
    assert (done.returncode, done.stderr) == (
        2,
        "There is no folder of variants /nowhere. Check --variants.\n",
    )


def test_a_mistake_in_a_file_of_the_package_is_told_with_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> NoReturn:
        raise VariantError("classica.toml", "settings.out-bonus", "house-cited", 372)

    monkeypatch.setattr("scorepad.cli.rule_commands.get_variant", broken)
    with pytest.raises(SystemExit) as ended:
        main(["variants", "classica", "--lang", "en"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(
        "classica.toml, line 372, settings.out-bonus: is a rule of the table (house)"
    )

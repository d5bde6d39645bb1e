"""`--variants`, and `scorepad variants check`, from outside."""

from __future__ import annotations

import json
import os
import resource
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


def test_an_unknown_bonus_or_one_beside_a_sum_is_unusable() -> None:
    unknown = {**HAND, "sides": {"noi": {"melds": ["7xK"], "bonuses": ["taglio"]}}}
    done = run("score", "--variants", str(OWN), "--lang", "en", given=unknown)
    assert (done.returncode, "exact-cut" in done.stderr) == (2, True), done.stderr
    beside = {**HAND, "sides": {"noi": {"sum": 500, "bonuses": ["exact-cut"]}}}
    done = run("score", "--variants", str(OWN), "--lang", "en", given=beside)
    assert (done.returncode, "bonuses" in done.stderr) == (2, True), done.stderr


def test_the_folder_may_be_named_by_the_environment() -> None:
    done = run("variants", "tredici", SCOREPAD_VARIANTS=str(OWN))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Canasta del circolo (tredici)")


def test_a_referee_answers_by_a_variant_of_ones_own() -> None:
    asked = {"kind": "opening", "variant": "a-tempo", "deal": 2, "melds": ["3xA", "3xK", "3xQ"]}
    done = run("rule", "--variants", str(OWN), "--lang", "en", given=asked)
    assert done.returncode == 1, done.stderr
    assert "155" in json.loads(done.stdout)["reasons"][0]["message"], "60 + 30 + 30 are 120"


def test_check_says_line_by_line_what_stands_and_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "mia.toml").write_text(
        'id = "mia"\nextends = "classica"\n[settings.delt]\nvalue = 13\nstanding = "house"\n'
    )
    done = run(
        "variants", "check", str(OWN / "tredici.toml"), str(tmp_path / "mia.toml"), "--lang", "en"
    )
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"{OWN / 'tredici.toml'}: good.",
        "mia.toml, line 3, settings.delt: there is no setting “delt”. Did you mean “dealt”?",
    ]
    done = run("variants", "check", "--variants", str(OWN))
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 5)


def test_check_of_a_folder_of_hostile_files_ends_soon_and_names_each(tmp_path: Path) -> None:
    head = "extends = 'classica'\n"
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "link.toml").symlink_to("/dev/zero")
    (tmp_path / "spaces.toml").write_text(f'id = "spaces"\n{head}zz = """\n[{" " * 30_000}\n"""\n')
    (tmp_path / "parts.toml").write_text(f"id = 'parts'\n{head}{'.'.join('a' * 15_000)} = 1\n")
    (tmp_path / "many.toml").write_text(
        "id = 'many'\n" + head + "".join(f"k{each}=1\n" for each in range(1400))
    )
    begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = run("variants", "check", "--variants", str(tmp_path), "--lang", "en")
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begun
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "link.toml: the file cannot be read. Save it as UTF-8 text."
    assert lines[1].startswith("many.toml, line 3, k0: ")
    assert lines[21] == "There are 1,380 more mistakes, which are told when these are corrected."
    assert lines[22:24] == [
        "parts.toml, line 3: too many names joined by dots: at most 8.",
        "pipe.toml: the file cannot be read. Save it as UTF-8 text.",
    ]
    assert lines[24].startswith("spaces.toml, line 3, zz: ")
    assert seconds < 3


def test_check_names_a_file_that_is_not_there_and_every_mistake_of_another(tmp_path: Path) -> None:
    (tmp_path / "mia.toml").write_text(
        'id = "mia"\nextends = "classica"\n[settings.delt]\n[settings.tarjet]\n'
    )
    done = run(
        "variants", "check", str(tmp_path / "mia.toml"), str(tmp_path / "tua.toml"), "--lang", "en"
    )
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "mia.toml, line 3, settings.delt: there is no setting “delt”. Did you mean “dealt”?",
        "mia.toml, line 4, settings.tarjet: there is no setting “tarjet”. Did you mean “target”?",
        "tua.toml: there is no such file. Check its name and folder.",
    ]


def test_a_hand_by_broken_rules_names_their_file(tmp_path: Path) -> None:
    (tmp_path / "mia.toml").write_text('id = "mia"\nextends = "classica"\n[settings.delt]\n')
    for lines in ((), ("--jsonl",)):
        done = run(
            "score",
            *lines,
            "--variants",
            str(tmp_path),
            "--lang",
            "en",
            given={**HAND, "variant": "mia"},
        )
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

"""`scorepad export` and `scorepad import`: what they write, what they take, and what they refuse
whole.
"""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, MatchId
from scorepad.matches.events import Labels
from scorepad.matches.file_format import encode
from scorepad.matches.file_reader import read_export
from scorepad.matches.projection import NewMatch
from scorepad.schemas import Unusable
from scorepad.sheets.match_sheet import render_match_sheet
from scorepad.storage import Storage
from tests.cli.running import CLASSIC, begin, refused, shell
from tests.exported import export_file, told_by
from tests.matches.conftest import Table, hand, hand_of_430_and_60

HEAD = b'{"format":"scorepad-matches",'
DAMAGED = json.loads(Path(__file__).with_name("damaged.json").read_text("utf-8"))
"""What another value at a place of the file makes of it."""
EARLIER = Path(__file__).parent / "earlier"
"""An export, and its rows, as the program wrote them before lines had one form in log and answers."""


@pytest.fixture
def told(table: Table, tmp_path: Path) -> dict[str, Any]:
    """The file of this match and a second one, as values."""
    begin(tmp_path, "other")
    return json.loads(export_file(table.pad))


def sealed(told: dict[str, Any]) -> bytes:
    """A file that somebody changed and sealed anew."""
    return encode(told["rulesets"], told["matches"])


def test_the_file_goes_round_on_the_command_line(table: Table, tmp_path: Path) -> None:
    wrote = shell("scorepad export --data x.db -o x.json", tmp_path)
    assert wrote.returncode == 0
    assert wrote.stdout.decode() == "Scritto x.json\n"
    took = shell("scorepad import x.json --data y.db", tmp_path)
    assert took.returncode == 0
    assert took.stdout.decode() == f"Ripresa 1 partita: {table.match}.\n"
    again = shell(f"scorepad export {table.match} --data y.db", tmp_path)
    assert again.stdout == (tmp_path / "x.json").read_bytes()
    piped = shell("scorepad export --data x.db | scorepad import - --data z.db --lang en", tmp_path)
    assert piped.stdout.decode() == f"1 match taken in: {table.match}.\n"
    listed = shell("scorepad matches --data z.db", tmp_path).stdout.decode()
    assert "Noi (Ada e Ugo) 860, Loro (Eva e Ivo) 120" in listed


def test_a_match_that_is_here_already_stays_as_it_is_and_others_come_beside_it(
    table: Table, tmp_path: Path
) -> None:
    other = begin(tmp_path, "other")
    shell("scorepad export --data x.db -o x.json", tmp_path)
    other.pad.actions.delete(other.match, ADMIN)
    table.play(hand_of_430_and_60())
    said = shell("scorepad import x.json --data x.db --lang en", tmp_path).stdout.decode()
    assert said == (
        f"1 match taken in: {other.match}.\n"
        f"1 match was here already, with the same hands at least, and stays as it is: {table.match}.\n"
    )


@pytest.mark.parametrize(
    ("octets", "it", "en"),
    [
        (b"[" * 100_000, "Questo non è un file di partite di scorepad", "This is no file of scorepad matches"),
        (HEAD + b'"version":7}', "(forma 7, qui si arriva a 1)", "(form 7, up to 1 is known here)"),
        (HEAD + b'"version":1,"matches":[{"id":"abc"}],"rulesets":{}}', "partita abc nel file", "match abc in the"),
    ],
)  # fmt: skip
def test_what_is_no_such_file_is_refused_in_a_sentence(
    tmp_path: Path, octets: bytes, it: str, en: str
) -> None:
    """What else is none is in test_files.py."""
    (tmp_path / "f.json").write_bytes(octets)
    for language, says in (("it", it), ("en", en)):
        told = refused(shell(f"scorepad import f.json --data x.db --lang {language}", tmp_path))
        assert says in told
        assert re.search(r"Choose|Scegli|again|di nuovo|copia|copy|update|aggiorna", told)
    assert not (tmp_path / "x.db").exists(), "no empty data file is left behind"


def test_a_file_without_a_match_is_taken(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_bytes(HEAD + b'"version":1,"matches":[],"rulesets":{}}')
    assert shell("scorepad import f.json --data x.db", tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [*DAMAGED, ("matches/0/entries/1/payload/draft", {"line-a": "x" * 20_001}, "damaged")],
)
def test_a_match_that_no_pad_wrote_is_refused_with_all_others_though_its_seal_fits(
    told: dict[str, Any], tmp_path: Path, place: str, value: object, reason: str
) -> None:
    inner: Any = told
    *parents, name = place.split("/")
    for parent in parents:
        inner = inner[int(parent) if parent.isdigit() else parent]
    inner[name] = value
    assert refusal_of(told, tmp_path).reason == f"files.{reason}"


def refusal_of(told: dict[str, Any], folder: Path) -> Unusable:
    """Why a file is not taken; of the matches in it none is there afterwards."""
    with Storage(folder / "y.db") as storage:
        with pytest.raises(Unusable) as refusal:
            Pad(storage).imports.import_file(sealed(told), ADMIN)
        assert Pad(storage).exports.list_visible_matches(ADMIN) == ()
    return refusal.value


def test_rules_that_are_not_what_their_digest_says_are_refused(
    told: dict[str, Any], tmp_path: Path
) -> None:
    (digest,) = told["rulesets"]
    told["rulesets"][digest]["settings"]["target"] = 5
    assert refusal_of(told, tmp_path).reason == "files.damaged-rules"


@pytest.mark.parametrize(
    ("version", "reason"), [(2, "newer-rules"), (0, "damaged-rules"), (None, "damaged-rules")]
)
def test_rules_of_another_version_are_refused_in_a_sentence(
    told: dict[str, Any], tmp_path: Path, version: int | None, reason: str
) -> None:
    (frozen,) = told["rulesets"].values()
    changed = {**frozen, "version": version, "digest": ""}
    digest = sha256(json.dumps(changed, sort_keys=True).encode()).hexdigest()
    told["rulesets"] = {digest: {**changed, "digest": digest}}
    told["matches"][0]["ruleset"] = digest
    refusal = refusal_of(told, tmp_path)
    assert refusal.reason == f"files.{reason}"
    assert ("(2, up to 1 is known here)" in refusal.message(words("en"))) is (version == 2)


def test_a_bit_that_turned_is_found_wherever_it_is(table: Table) -> None:
    octets = export_file(table.pad)
    start = octets.index(b'"matches":[')
    for at in range(start, len(octets) - 4, 97):
        turned = octets[:at] + bytes([octets[at] ^ 1]) + octets[at + 1 :]
        with pytest.raises(Unusable):
            list(read_export(turned))


def test_a_match_that_is_not_there_is_told(table: Table, tmp_path: Path) -> None:
    assert "zzzzzzzzzz" in refused(shell("scorepad export zzzzzzzzzz --data x.db", tmp_path))


def test_a_file_too_large_to_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorepad.matches.file_reader.LARGEST_FILE", 2 * 2**20)
    with pytest.raises(Unusable) as refusal:
        read_export(b" " * (2 * 2**20 + 1))
    assert "più grande di 2 MB" in refusal.value.message(words("it"))


# --------------------------------------------------------------------------------------------- rows


def read_rows(octets: bytes, delimiter: str) -> list[dict[str, str]]:
    text = io.StringIO(octets.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, delimiter=delimiter))


def rows(folder: Path, language: str, delimiter: str) -> list[dict[str, str]]:
    octets = shell(f"scorepad export --csv --data x.db --lang {language}", folder).stdout
    assert octets.count(b"\r\n") == octets.count(b"\n")
    return read_rows(octets, delimiter)


def test_the_rows_of_a_match_are_one_for_each_hand_and_side(tmp_path: Path) -> None:
    # 100 of cards, 40 in hand, 100 for drawing out of turn
    penalised = {"totals": {"cards": 100}, "left": 40, "penalties": ["draw-out-of-turn"]}
    begin(tmp_path).play(hand_of_430_and_60(), hand(penalised, {"sum": -25}))
    first, second, third, fourth = rows(tmp_path, "it", ";")
    assert first["Smazzata"] == "1"
    assert first["Parte"] == "Noi"
    assert first["Giocatori"] == "Ada, Ugo"
    assert first["Punti prima"] == "0"
    assert first["Punteggio di apertura"] == "50"
    assert first["Smazzata in punti"] == "430"
    assert second["Carte calate"] == "100"
    assert second["Canaste miste"] == ""
    assert third["Penalità"] == "-100"
    assert third["Totale"] == "390"
    assert "Penalità (1, " in third["Righe"]
    assert fourth["Somma concordata"] == "-25"
    english = rows(tmp_path, "en", ",")
    assert [row["Total"] for row in english] == ["430", "60", "390", "35"]


def test_no_name_becomes_a_formula(tmp_path: Path) -> None:
    names = ("=1+1", "+39 02", "-Noi", "@Noi", "＝SUM(A1)", " =1", "'=1", '"=1')
    for number, name in enumerate(names):
        labels = Labels((name, "Loro"), ((name, ""), ("", "")))
        table = begin(tmp_path, f"start-{number}", NewMatch("classica", None, {}, labels))
        table.play(hand_of_430_and_60())
    ours = [row for row in rows(tmp_path, "it", ";") if row["Parte"] != "Loro"]
    assert {row["Parte"] for row in ours} == {f"'{name.strip()}" for name in names}
    assert all(row["Parte"] == row["Giocatori"] for row in ours)


def test_rows_cannot_be_taken_back(table: Table, tmp_path: Path) -> None:
    shell("scorepad export --csv --data x.db -o x.csv", tmp_path)
    assert "un file CSV non basta" in refused(shell("scorepad import x.csv --data y.db", tmp_path))


def test_totals_from_paper_stand_before_the_first_hand(tmp_path: Path) -> None:
    begin(tmp_path, new=replace(CLASSIC, carried=(1500, -200), played=3)).play(hand_of_430_and_60())
    first, second = rows(tmp_path, "it", ";")
    assert first["Smazzata"] == "4"
    assert first["Punti prima"] == "1500"
    assert first["Totale"] == "1930"
    below = ("Punti prima", "Punteggio di apertura", "Totale")
    assert [second[head] for head in below] == ["-200", "15", "-140"]


# --------------------------------------------------------------------------- exports written earlier


def test_an_earlier_export_shows_the_same_lines_and_is_exported_with_the_same_hands(
    tmp_path: Path,
) -> None:
    export = EARLIER / "bolivia.json"
    took = shell(f"scorepad import {export} --data x.db", tmp_path)
    assert took.returncode == 0
    again = shell("scorepad export --data x.db", tmp_path)
    assert told_by(again.stdout) == told_by(export.read_bytes())
    expected = read_rows((EARLIER / "bolivia.csv").read_bytes(), ";")
    shown = rows(tmp_path, "it", ";")
    for row in (*expected, *shown):
        del row["Cominciata"], row["Contata"]  # in the time zone of the machine
    assert shown == expected


def test_an_earlier_export_keeps_the_readings_of_its_lines(tmp_path: Path) -> None:
    with Storage(tmp_path / "y.db") as storage:
        pad = Pad(storage)
        (match,) = pad.imports.import_file((EARLIER / "bolivia.json").read_bytes(), ADMIN).taken
        sheet = render_match_sheet(pad.state(MatchId(match), ADMIN), words("it"), details=True)
    penalty, _, after = sheet.partition("Pescata fuori turno <span")[2].partition("</tr>")
    assert "§1" in penalty
    assert "−100" in penalty
    assert "§1 Dedotto: Su questo punto le fonti raccolte" in after

"""`scorepad export` and `scorepad import`: what they write, what they take, and what they refuse
whole.
"""

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
from tests.data import read_data
from tests.exported import export_file, told_by
from tests.matches.conftest import Table, hand, hand_of_430_and_60

HEAD = b'{"format":"scorepad-matches",'
DAMAGED = read_data("cli/damaged.json")
"""What another value at a place of the file makes of it."""
EARLIER = Path(__file__).parent / "earlier"
"""An export, and its rows, as the program wrote them before lines had one form in log and answers."""


def seal(exported: dict[str, Any]) -> bytes:
    """A file that somebody changed, with new seals that fit."""
    return encode(exported["rulesets"], exported["matches"])


@pytest.fixture
def exported(table: Table, tmp_path: Path) -> dict[str, Any]:
    """The file of this match and a second one, as values."""
    begin(tmp_path, "other")
    return json.loads(export_file(table.pad))


def test_the_file_goes_round_on_the_command_line(table: Table, tmp_path: Path) -> None:
    export = shell("scorepad export --data x.db -o x.json", tmp_path)
    assert export.returncode == 0
    assert export.stdout.decode() == "Scritto x.json\n"

    taken_in = shell("scorepad import x.json --data y.db", tmp_path)
    assert taken_in.returncode == 0
    assert taken_in.stdout.decode() == f"Ripresa 1 partita: {table.match}.\n"

    export_again = shell(f"scorepad export {table.match} --data y.db", tmp_path)
    assert export_again.stdout == (tmp_path / "x.json").read_bytes()


def test_the_file_goes_through_a_pipe(table: Table, tmp_path: Path) -> None:
    piped = shell("scorepad export --data x.db | scorepad import - --data z.db --lang en", tmp_path)
    assert piped.stdout.decode() == f"1 match taken in: {table.match}.\n"

    matches = shell("scorepad matches --data z.db", tmp_path).stdout.decode()
    assert "Noi (Ada e Ugo) 860, Loro (Eva e Ivo) 120" in matches


def test_a_match_that_is_here_already_stays_as_it_is_and_others_come_beside_it(
    table: Table, tmp_path: Path
) -> None:
    other = begin(tmp_path, "other")
    shell("scorepad export --data x.db -o x.json", tmp_path)
    other.pad.actions.delete(other.match, ADMIN)
    table.play(hand_of_430_and_60())

    taken_in = shell("scorepad import x.json --data x.db --lang en", tmp_path)

    assert taken_in.stdout.decode() == (
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
    for language, expected in (("it", it), ("en", en)):
        message = refused(shell(f"scorepad import f.json --data x.db --lang {language}", tmp_path))
        assert expected in message
        assert re.search(r"Choose|Scegli|again|di nuovo|copia|copy|update|aggiorna", message)
    assert not (tmp_path / "x.db").exists(), "no empty data file is left behind"


def test_a_file_without_a_match_is_taken(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_bytes(HEAD + b'"version":1,"matches":[],"rulesets":{}}')
    assert shell("scorepad import f.json --data x.db", tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [*DAMAGED, ("matches/0/entries/1/payload/draft", {"line-a": "x" * 20_001}, "damaged")],
)
def test_a_match_that_no_pad_wrote_is_refused_with_all_others_though_its_seal_fits(
    exported: dict[str, Any], tmp_path: Path, path: str, value: object, reason: str
) -> None:
    container: Any = exported
    *parents, name = path.split("/")
    for parent in parents:
        container = container[int(parent) if parent.isdigit() else parent]
    container[name] = value

    assert refuse(exported, tmp_path).reason == f"files.{reason}"


def refuse(exported: dict[str, Any], folder: Path) -> Unusable:
    """Why a file is not taken; of the matches in it none is there afterwards."""
    with Storage(folder / "y.db") as storage:
        pad = Pad(storage)
        with pytest.raises(Unusable) as error:
            pad.imports.import_file(seal(exported), ADMIN)
        assert pad.exports.list_visible_matches(ADMIN) == ()
    return error.value


def test_rules_that_are_not_what_their_digest_says_are_refused(
    exported: dict[str, Any], tmp_path: Path
) -> None:
    (rules,) = exported["rulesets"].values()
    rules["settings"]["target"] = 5
    assert refuse(exported, tmp_path).reason == "files.damaged-rules"


def set_version_of_rules(exported: dict[str, Any], version: int | None) -> None:
    """Give the rules another version, and the digest that fits."""
    (rules,) = exported["rulesets"].values()
    changed = {**rules, "version": version, "digest": ""}
    digest = sha256(json.dumps(changed, sort_keys=True).encode()).hexdigest()
    exported["rulesets"] = {digest: {**changed, "digest": digest}}
    exported["matches"][0]["ruleset"] = digest


@pytest.mark.parametrize("version", [0, None])
def test_rules_of_no_version_that_there_was_are_refused(
    exported: dict[str, Any], tmp_path: Path, version: int | None
) -> None:
    set_version_of_rules(exported, version)
    assert refuse(exported, tmp_path).reason == "files.damaged-rules"


def test_rules_of_a_later_version_are_refused_with_the_versions(
    exported: dict[str, Any], tmp_path: Path
) -> None:
    set_version_of_rules(exported, 2)
    refusal = refuse(exported, tmp_path)
    assert refusal.reason == "files.newer-rules"
    assert "(2, up to 1 is known here)" in refusal.message(words("en"))


def test_a_bit_that_turned_is_found_wherever_it_is(table: Table) -> None:
    octets = export_file(table.pad)
    start = octets.index(b'"matches":[')
    for position in range(start, len(octets) - 4, 97):
        turned = bytearray(octets)
        turned[position] ^= 1
        with pytest.raises(Unusable):
            list(read_export(bytes(turned)))


def test_a_match_that_is_not_there_is_reported(table: Table, tmp_path: Path) -> None:
    assert "zzzzzzzzzz" in refused(shell("scorepad export zzzzzzzzzz --data x.db", tmp_path))


def test_a_file_too_large_to_be_read_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorepad.matches.file_reader.LARGEST_FILE", 2 * 2**20)
    with pytest.raises(Unusable) as refusal:
        read_export(b" " * (2 * 2**20 + 1))
    assert "più grande di 2 MB" in refusal.value.message(words("it"))


def read_rows(octets: bytes, delimiter: str) -> list[dict[str, str]]:
    text = io.StringIO(octets.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, delimiter=delimiter))


def test_the_rows_of_a_match_are_one_for_each_hand_and_side(tmp_path: Path) -> None:
    # 100 of cards, 40 in hand, 100 for drawing out of turn
    penalised = {"totals": {"cards": 100}, "left": 40, "penalties": ["draw-out-of-turn"]}
    begin(tmp_path).play(hand_of_430_and_60(), hand(penalised, {"sum": -25}))

    first_of_noi, first_of_loro, second_of_noi, second_of_loro = export_rows(tmp_path, "it", ";")

    assert first_of_noi["Smazzata"] == "1"
    assert first_of_noi["Parte"] == "Noi"
    assert first_of_noi["Giocatori"] == "Ada, Ugo"
    assert first_of_noi["Punti prima"] == "0"
    assert first_of_noi["Punteggio di apertura"] == "50"
    assert first_of_noi["Smazzata in punti"] == "430"
    assert first_of_loro["Carte calate"] == "100"
    assert first_of_loro["Canaste miste"] == ""
    assert second_of_noi["Penalità"] == "-100"
    assert second_of_noi["Totale"] == "390"
    assert "Penalità (1, " in second_of_noi["Righe"]
    assert second_of_loro["Somma concordata"] == "-25"


def test_the_rows_in_english_have_english_heads_and_commas(tmp_path: Path) -> None:
    begin(tmp_path).play(hand_of_430_and_60())
    assert [row["Total"] for row in export_rows(tmp_path, "en", ",")] == ["430", "60"]


def export_rows(folder: Path, language: str, delimiter: str) -> list[dict[str, str]]:
    octets = shell(f"scorepad export --csv --data x.db --lang {language}", folder).stdout
    assert octets.count(b"\r\n") == octets.count(b"\n")
    return read_rows(octets, delimiter)


def test_no_name_becomes_a_formula(tmp_path: Path) -> None:
    names = ("=1+1", "+39 02", "-Noi", "@Noi", "＝SUM(A1)", " =1", "'=1", '"=1')
    for number, name in enumerate(names):
        labels = Labels((name, "Loro"), ((name, ""), ("", "")))
        table = begin(tmp_path, f"start-{number}", NewMatch("classica", None, {}, labels))
        table.play(hand_of_430_and_60())

    rows_of_names = export_rows(tmp_path, "it", ";")[::2]  # every second one is of Loro

    sides = {row["Parte"] for row in rows_of_names}
    assert sides == {
        "'=1+1",
        "'+39 02",
        "'-Noi",
        "'@Noi",
        "'＝SUM(A1)",
        "'=1",
        "''=1",
        "'\"=1",
    }
    for row in rows_of_names:
        assert row["Giocatori"] == row["Parte"]


def test_rows_cannot_be_taken_back(table: Table, tmp_path: Path) -> None:
    shell("scorepad export --csv --data x.db -o x.csv", tmp_path)
    assert "un file CSV non basta" in refused(shell("scorepad import x.csv --data y.db", tmp_path))


def test_totals_from_paper_stand_before_the_first_hand(tmp_path: Path) -> None:
    begin(tmp_path, new=replace(CLASSIC, carried=(1500, -200), played=3)).play(hand_of_430_and_60())

    row_of_noi, row_of_loro = export_rows(tmp_path, "it", ";")

    assert row_of_noi["Smazzata"] == "4"
    assert row_of_noi["Punti prima"] == "1500"
    assert row_of_noi["Totale"] == "1930"
    assert row_of_loro["Punti prima"] == "-200"
    assert row_of_loro["Punteggio di apertura"] == "15"
    assert row_of_loro["Totale"] == "-140"


def test_an_earlier_export_is_exported_with_the_same_hands(tmp_path: Path) -> None:
    export = EARLIER / "bolivia.json"
    assert shell(f"scorepad import {export} --data x.db", tmp_path).returncode == 0

    export_again = shell("scorepad export --data x.db", tmp_path).stdout

    assert told_by(export_again) == told_by(export.read_bytes())


def test_an_earlier_export_shows_the_same_lines(tmp_path: Path) -> None:
    shell(f"scorepad import {EARLIER / 'bolivia.json'} --data x.db", tmp_path)
    expected = read_rows((EARLIER / "bolivia.csv").read_bytes(), ";")

    rows = export_rows(tmp_path, "it", ";")

    for row in (*expected, *rows):
        del row["Cominciata"], row["Contata"]  # in the time zone of the machine
    assert rows == expected


def test_an_earlier_export_keeps_the_readings_of_its_lines(tmp_path: Path) -> None:
    with Storage(tmp_path / "y.db") as storage:
        pad = Pad(storage)
        (match,) = pad.imports.import_file((EARLIER / "bolivia.json").read_bytes(), ADMIN).taken
        sheet = render_match_sheet(pad.state(MatchId(match), ADMIN), words("it"), details=True)

    _, _, from_penalty_on = sheet.partition("Pescata fuori turno <span")
    row_of_penalty, _, below = from_penalty_on.partition("</tr>")
    assert "§1" in row_of_penalty
    assert "−100" in row_of_penalty
    assert "§1 Dedotto: Su questo punto le fonti raccolte" in below

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
from scorepad.schemas import Unusable
from scorepad.sheets.match_sheet import render_match_sheet
from scorepad.storage import Storage
from tests.cli.running import CLASSIC_MATCH, begin_match, refused, shell
from tests.data import read_data
from tests.exported import export_file, told_by
from tests.matches.conftest import Table, hand, hand_of_430_and_60

START_OF_FILE = b'{"format":"scorepad-matches",'
DAMAGED = read_data("cli/damaged.json")
"""Wrong values in a file of matches: the path of the value, the value, the reason of the refusal."""
EARLIER_EXPORTS = Path(__file__).parent / "earlier"
"""An export, and its rows, as the program wrote them before lines had one form in log and answers."""


def encode_with_new_seals(exported: dict[str, Any]) -> bytes:
    """A file that somebody changed, with new seals that fit."""
    return encode(exported["rulesets"], exported["matches"])


@pytest.fixture
def exported(table: Table, tmp_path: Path) -> dict[str, Any]:
    """The file of this match and a second one, as values."""
    begin_match(tmp_path, "other")
    return json.loads(export_file(table.pad))


def test_exported_file_can_be_imported_and_exported_again(table: Table, tmp_path: Path) -> None:
    export = shell("scorepad export --data x.db -o x.json", tmp_path)
    assert export.returncode == 0
    assert export.stdout.decode() == "Scritto x.json\n"

    taken_in = shell("scorepad import x.json --data y.db", tmp_path)
    assert taken_in.returncode == 0
    assert taken_in.stdout.decode() == f"Ripresa 1 partita: {table.match}.\n"

    export_again = shell(f"scorepad export {table.match} --data y.db", tmp_path)
    assert export_again.stdout == (tmp_path / "x.json").read_bytes()


def test_export_can_be_piped_into_import(table: Table, tmp_path: Path) -> None:
    piped = shell("scorepad export --data x.db | scorepad import - --data z.db --lang en", tmp_path)
    assert piped.stdout.decode() == f"1 match taken in: {table.match}.\n"

    matches = shell("scorepad matches --data z.db", tmp_path).stdout.decode()
    assert "Noi (Ada e Ugo) 860, Loro (Eva e Ivo) 120" in matches


def test_import_leaves_known_match_and_adds_others(table: Table, tmp_path: Path) -> None:
    other = begin_match(tmp_path, "other")
    shell("scorepad export --data x.db -o x.json", tmp_path)
    other.pad.actions.delete(other.match, ADMIN)
    table.play(hand_of_430_and_60())

    taken_in = shell("scorepad import x.json --data x.db --lang en", tmp_path)

    assert taken_in.stdout.decode() == (
        f"1 match taken in: {other.match}.\n"
        f"1 match was here already, with the same hands at least, and stays as it is: {table.match}.\n"
    )


@pytest.mark.parametrize("output", ["", "-o x.json"], ids=["standard output", "file"])
def test_export_without_a_damaged_match_names_it_and_has_status_2(
    table: Table, tmp_path: Path, output: str
) -> None:
    begin_match(tmp_path, "other")
    with Storage(tmp_path / "x.db") as storage:
        overwrite_log(storage, table.match)

    export = shell(f"scorepad export --data x.db {output}", tmp_path)

    exported = (tmp_path / "x.json").read_bytes() if output else export.stdout
    assert len(list(read_export(exported))) == 1, "the other match"
    assert export.returncode == 2
    assert table.match in export.stderr.decode()


def overwrite_log(storage: Storage, match: MatchId) -> None:
    """Overwrite all entries of a match with bytes that are no text, as a damaged disk may do."""
    overwrite = "update entries set payload = cast(x'22ff22' as text) where match_id = ?"
    find_trigger = "select sql from sqlite_master where name = 'entries_never_change'"
    with storage.writing() as rows:
        (trigger,) = rows._db.execute(find_trigger).fetchone()
        rows._db.execute("drop trigger entries_never_change")
        rows._db.execute(overwrite, [match])
        rows._db.execute(trigger)


@pytest.mark.parametrize(
    ("content", "italian", "english"),
    [
        (
            b"[" * 100_000,
            "Questo non è un file di partite di scorepad",
            "This is no file of scorepad matches",
        ),
        (
            START_OF_FILE + b'"version":7}',
            "(forma 7, qui si arriva a 1)",
            "(form 7, up to 1 is known here)",
        ),
        (
            START_OF_FILE + b'"version":1,"matches":[{"id":"abc"}],"rulesets":{}}',
            "partita abc nel file",
            "match abc in the",
        ),
    ],
)
def test_import_refuses_what_is_no_file_of_matches(
    tmp_path: Path, content: bytes, italian: str, english: str
) -> None:
    """More such files are in test_files.py."""
    (tmp_path / "f.json").write_bytes(content)

    message = refused(shell("scorepad import f.json --data x.db --lang it", tmp_path))
    english_message = refused(shell("scorepad import f.json --data x.db --lang en", tmp_path))

    assert italian in message
    assert english in english_message
    assert re.search("Scegli|di nuovo|copia|aggiorna", message), "what to do"
    assert re.search("Choose|again|copy|update", english_message), "what to do"
    assert not (tmp_path / "x.db").exists(), "no empty data file is left behind"


def test_file_without_matches_is_imported(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_bytes(START_OF_FILE + b'"version":1,"matches":[],"rulesets":{}}')
    assert shell("scorepad import f.json --data x.db", tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [*DAMAGED, ("matches/0/entries/1/payload/draft", {"line-a": "x" * 20_001}, "damaged")],
)
def test_damaged_match_with_fitting_seal_is_refused_with_all_others(
    exported: dict[str, Any], tmp_path: Path, path: str, value: object, reason: str
) -> None:
    set_value(exported, path, value)
    assert import_refused(exported, tmp_path).reason == f"files.{reason}"


def set_value(exported: Any, path: str, value: object) -> None:
    """Set the value at a path such as `matches/0/entries/1/payload`."""
    container = exported
    *keys, last_key = path.split("/")
    for key in keys:
        if key.isdigit():
            container = container[int(key)]
        else:
            container = container[key]
    container[last_key] = value


def import_refused(exported: dict[str, Any], folder: Path) -> Unusable:
    """Import a file, which must be refused, without any of its matches; return the refusal."""
    with Storage(folder / "y.db") as storage:
        pad = Pad(storage)
        with pytest.raises(Unusable) as error:
            pad.imports.import_file(encode_with_new_seals(exported), ADMIN)
        assert pad.exports.list_visible_matches(ADMIN) == ()
    return error.value


def test_rules_with_wrong_digest_are_refused(exported: dict[str, Any], tmp_path: Path) -> None:
    (rules,) = exported["rulesets"].values()
    rules["settings"]["target"] = 5
    assert import_refused(exported, tmp_path).reason == "files.damaged-rules"


def set_version_of_rules(exported: dict[str, Any], version: int | None) -> None:
    """Give the rules another version, and the digest that fits."""
    (rules,) = exported["rulesets"].values()
    changed = {**rules, "version": version, "digest": ""}
    digest = sha256(json.dumps(changed, sort_keys=True).encode()).hexdigest()
    exported["rulesets"] = {digest: {**changed, "digest": digest}}
    exported["matches"][0]["ruleset"] = digest


@pytest.mark.parametrize("version", [0, None])
def test_rules_of_unknown_version_are_refused(
    exported: dict[str, Any], tmp_path: Path, version: int | None
) -> None:
    set_version_of_rules(exported, version)
    assert import_refused(exported, tmp_path).reason == "files.damaged-rules"


def test_rules_of_later_version_are_refused_with_the_versions(
    exported: dict[str, Any], tmp_path: Path
) -> None:
    set_version_of_rules(exported, 2)
    refusal = import_refused(exported, tmp_path)
    assert refusal.reason == "files.newer-rules"
    assert "(2, up to 1 is known here)" in refusal.message(words("en"))


def test_changed_bit_is_found_anywhere_in_the_matches(table: Table) -> None:
    file = export_file(table.pad)
    start = file.index(b'"matches":[')
    every_97th_byte = range(start, len(file) - 4, 97)
    for position in every_97th_byte:
        changed = bytearray(file)
        changed[position] ^= 1
        with pytest.raises(Unusable):
            list(read_export(bytes(changed)))


def test_export_of_unknown_match_is_refused(table: Table, tmp_path: Path) -> None:
    assert "zzzzzzzzzz" in refused(shell("scorepad export zzzzzzzzzz --data x.db", tmp_path))


def test_file_larger_than_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_mb = 2 * 2**20
    monkeypatch.setattr("scorepad.matches.file_reader.LARGEST_FILE", two_mb)
    with pytest.raises(Unusable) as refusal:
        read_export(b" " * (two_mb + 1))
    assert "più grande di 2 MB" in refusal.value.message(words("it"))


def read_rows(file: bytes, delimiter: str) -> list[dict[str, str]]:
    text = io.StringIO(file.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, delimiter=delimiter))


def test_csv_has_one_row_for_each_hand_and_side(tmp_path: Path) -> None:
    # 100 of cards, less 40 in hand, less 100 for drawing out of turn: −40
    side_with_penalty = {"totals": {"cards": 100}, "left": 40, "penalties": ["draw-out-of-turn"]}
    side_with_agreed_sum = {"sum": -25}
    table = begin_match(tmp_path)
    table.play(hand_of_430_and_60(), hand(side_with_penalty, side_with_agreed_sum))

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
    assert second_of_noi["Totale"] == "390"  # 430 − 40
    assert "Penalità (1, " in second_of_noi["Righe"]
    assert second_of_loro["Somma concordata"] == "-25"


def test_csv_in_english_has_english_heads_and_commas(tmp_path: Path) -> None:
    begin_match(tmp_path).play(hand_of_430_and_60())

    row_of_noi, row_of_loro = export_rows(tmp_path, "en", ",")

    assert row_of_noi["Total"] == "430"
    assert row_of_loro["Total"] == "60"


def export_rows(folder: Path, language: str, delimiter: str) -> list[dict[str, str]]:
    """The rows of the matches in `x.db`, exported as CSV."""
    file = shell(f"scorepad export --csv --data x.db --lang {language}", folder).stdout
    assert file.count(b"\r\n") == file.count(b"\n")
    return read_rows(file, delimiter)


def test_names_in_csv_are_no_formulas(tmp_path: Path) -> None:
    """Such names get an apostrophe in front."""
    names = ("=1+1", "+39 02", "-Noi", "@Noi", "＝SUM(A1)", " =1", "'=1", '"=1')
    for number, name in enumerate(names):
        labels = Labels(names=(name, "Loro"), players=((name, ""), ("", "")))
        new_match = replace(CLASSIC_MATCH, labels=labels)
        begin_match(tmp_path, f"start-{number}", new_match).play(hand_of_430_and_60())

    rows = export_rows(tmp_path, "it", ";")

    names_of_sides = {row["Parte"] for row in rows}
    assert names_of_sides == {
        "'=1+1",
        "'+39 02",
        "'-Noi",
        "'@Noi",
        "'＝SUM(A1)",
        "'=1",
        "''=1",
        "'\"=1",
        "Loro",
    }
    for row in rows:
        if row["Parte"] != "Loro":
            assert row["Giocatori"] == row["Parte"], "the player, of the same name"


def test_csv_cannot_be_imported(table: Table, tmp_path: Path) -> None:
    shell("scorepad export --csv --data x.db -o x.csv", tmp_path)
    assert "un file CSV non basta" in refused(shell("scorepad import x.csv --data y.db", tmp_path))


def test_csv_starts_with_totals_from_paper(tmp_path: Path) -> None:
    match_from_paper = replace(CLASSIC_MATCH, carried=(1500, -200), played=3)
    begin_match(tmp_path, new=match_from_paper).play(hand_of_430_and_60())

    row_of_noi, row_of_loro = export_rows(tmp_path, "it", ";")

    assert row_of_noi["Smazzata"] == "4"
    assert row_of_noi["Punti prima"] == "1500"
    assert row_of_noi["Totale"] == "1930"
    assert row_of_loro["Punti prima"] == "-200"
    assert row_of_loro["Punteggio di apertura"] == "15"
    assert row_of_loro["Totale"] == "-140"


def test_earlier_export_is_exported_again_with_the_same_hands(tmp_path: Path) -> None:
    export = EARLIER_EXPORTS / "bolivia.json"
    assert shell(f"scorepad import {export} --data x.db", tmp_path).returncode == 0

    export_again = shell("scorepad export --data x.db", tmp_path).stdout

    assert told_by(export_again) == told_by(export.read_bytes())


def test_earlier_export_has_the_same_lines_in_csv(tmp_path: Path) -> None:
    shell(f"scorepad import {EARLIER_EXPORTS / 'bolivia.json'} --data x.db", tmp_path)
    expected = read_rows((EARLIER_EXPORTS / "bolivia.csv").read_bytes(), ";")

    rows = export_rows(tmp_path, "it", ";")

    for row in (*expected, *rows):  # without times, which are in the time zone of the machine
        del row["Cominciata"]
        del row["Contata"]
    assert rows == expected


def test_earlier_export_keeps_the_inferences_of_its_lines(tmp_path: Path) -> None:
    with Storage(tmp_path / "y.db") as storage:
        pad = Pad(storage)
        export = (EARLIER_EXPORTS / "bolivia.json").read_bytes()
        (match,) = pad.imports.import_file(export, ADMIN).taken
        sheet = render_match_sheet(pad.state(MatchId(match), ADMIN), words("it"), details=True)

    _, _, from_penalty_on = sheet.partition("Pescata fuori turno <span")
    row_of_penalty, _, below = from_penalty_on.partition("</tr>")
    assert "§1" in row_of_penalty
    assert "−100" in row_of_penalty
    assert "§1 Dedotto: Su questo punto le fonti raccolte" in below

"""`scorepad export` and `scorepad import`: what they write, what they take in, what they refuse."""

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
# Each row has the path of a value in a file of matches, a wrong value, and the reason why the file
# is refused then: ["matches/0/entries/1/kind", "telepathy", "newer-entry"].
DAMAGED = read_data("cli/damaged.json")
# A match as JSON and as CSV, as an earlier version of the program exported it.
EARLIER_EXPORTS = Path(__file__).parent / "earlier"


def encode_with_new_seals(exported: dict[str, Any]) -> bytes:
    """Return a file with the changed values of an export. `encode` computes the seal of each match.

    The seal is a digest of the match, by which damage is found. With new seals, the file looks as if
    somebody had changed it on purpose.
    """
    return encode(exported["rulesets"], exported["matches"])


@pytest.fixture
def exported(table: Table, tmp_path: Path) -> dict[str, Any]:
    """Return what a file with two matches contains: `exported["matches"][0]` is one of them."""
    # The fixture `table` has begun a match in the data file. Here is a second one.
    begin_match(tmp_path, "other")
    return json.loads(export_file(table.pad))


def test_exported_file_can_be_imported_and_exported_again(table: Table, tmp_path: Path) -> None:
    export = shell("scorepad export --data x.db -o x.json", tmp_path)
    assert export.returncode == 0
    assert export.stdout.decode() == "Scritto x.json\n"  # "x.json written"

    # The message is "1 match taken in: …".
    taken_in = shell("scorepad import x.json --data y.db", tmp_path)
    assert taken_in.returncode == 0
    assert taken_in.stdout.decode() == f"Ripresa 1 partita: {table.match}.\n"

    export_again = shell(f"scorepad export {table.match} --data y.db", tmp_path)
    assert export_again.stdout == (tmp_path / "x.json").read_bytes()


def test_export_can_be_piped_into_import(table: Table, tmp_path: Path) -> None:
    piped = shell("scorepad export --data x.db | scorepad import - --data z.db --lang en", tmp_path)
    assert piped.stdout.decode() == f"1 match taken in: {table.match}.\n"

    # The two hands of 430 and 60 points have come along.
    matches = shell("scorepad matches --data z.db", tmp_path).stdout.decode()
    assert "Noi (Ada e Ugo) 860, Loro (Eva e Ivo) 120" in matches


def test_import_leaves_known_match_and_adds_others(table: Table, tmp_path: Path) -> None:
    # Two matches are exported. Then one is deleted, and in the other a hand is played.
    other = begin_match(tmp_path, "other")
    shell("scorepad export --data x.db -o x.json", tmp_path)
    other.pad.actions.delete(other.match, ADMIN)
    table.play(hand_of_430_and_60())

    taken_in = shell("scorepad import x.json --data x.db --lang en", tmp_path)

    # The deleted match comes back. The other keeps the hand that the file does not have.
    assert taken_in.stdout.decode() == (
        f"1 match taken in: {other.match}.\n"
        f"1 match was here already, with the same hands at least, and stays as it is: {table.match}.\n"
    )


@pytest.mark.parametrize("output", ["", "-o x.json"], ids=["standard output", "file"])
def test_export_without_a_damaged_match_names_it_and_has_status_2(
    table: Table, tmp_path: Path, output: str
) -> None:
    # One of two matches cannot be read.
    begin_match(tmp_path, "other")
    with Storage(tmp_path / "x.db") as storage:
        overwrite_log(storage, table.match)

    export = shell(f"scorepad export --data x.db {output}", tmp_path)

    # The other match is exported all the same.
    exported = (tmp_path / "x.json").read_bytes() if output else export.stdout
    assert len(list(read_export(exported))) == 1
    assert export.returncode == 2
    assert table.match in export.stderr.decode()


def overwrite_log(storage: Storage, match: MatchId) -> None:
    """Overwrite all entries of a match with bytes that are no text, as a damaged disk may do."""
    overwrite = "update entries set payload = cast(x'22ff22' as text) where match_id = ?"
    find_trigger = "select sql from sqlite_master where name = 'entries_never_change'"
    with storage.writing() as rows:
        # A trigger forbids to change an entry. It is taken out and put back.
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
    ids=["deeply nested JSON", "file of a later version", "match without entries"],
)
def test_import_refuses_what_is_no_file_of_matches(
    tmp_path: Path, content: bytes, italian: str, english: str
) -> None:
    # More such files are in test_files.py.
    (tmp_path / "f.json").write_bytes(content)

    message = refused(shell("scorepad import f.json --data x.db --lang it", tmp_path))
    english_message = refused(shell("scorepad import f.json --data x.db --lang en", tmp_path))

    assert italian in message
    assert english in english_message
    # The message also says what to do: choose another file, export again, take a copy, update.
    assert re.search("Scegli|di nuovo|copia|aggiorna", message)
    assert re.search("Choose|again|copy|update", english_message)
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
    # A file has two matches, and in one of them a value is wrong. For example, the value at
    # "matches/0/entries/1/kind" (match 0, entry 1) is "telepathy", a kind of entry that does not
    # exist. In the last case a text that was typed into a form is too long.
    set_value(exported, path, value)

    # Each match gets a seal, a digest that fits its content, so that only the wrong value is left as
    # a reason to refuse the file, such as "newer-entry". None of the two matches is taken in.
    refusal = import_refused(exported, tmp_path)
    assert refusal.reason == f"files.{reason}"


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
    """Import a file that must be refused, check that none of its matches is taken in, and return
    the refusal.
    """
    with Storage(folder / "y.db") as storage:
        pad = Pad(storage)
        with pytest.raises(Unusable) as error:
            pad.imports.import_file(encode_with_new_seals(exported), ADMIN)
        assert pad.exports.list_visible_matches(ADMIN) == ()
    return error.value


def test_rules_with_wrong_digest_are_refused(exported: dict[str, Any], tmp_path: Path) -> None:
    # Both matches share their rules. The points at which a match ends are changed, the digest of
    # the rules is not.
    (rules,) = exported["rulesets"].values()
    rules["settings"]["target"] = 5
    assert import_refused(exported, tmp_path).reason == "files.damaged-rules"


def set_version_of_rules(exported: dict[str, Any], version: int | None) -> None:
    """Give the only rules in the values of a file another version, and the digest that fits."""
    (rules,) = exported["rulesets"].values()
    rules["version"] = version

    # The digest is computed of the rules with an empty text in the place of the digest.
    rules["digest"] = ""
    digest = sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()
    rules["digest"] = digest

    # Rules stand in the file under their digest, and the first match refers to them by it.
    exported["rulesets"] = {digest: rules}
    exported["matches"][0]["ruleset"] = digest


@pytest.mark.parametrize("version", [0, None])
def test_rules_of_unknown_version_are_refused(
    exported: dict[str, Any], tmp_path: Path, version: int | None
) -> None:
    # The form of rules has one version, 1.
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

    # Trying every byte would take long. 97 is prime, so it does not fall into step with anything.
    for position in range(start, len(file) - 4, 97):
        changed = bytearray(file)
        changed[position] ^= 1
        with pytest.raises(Unusable):
            list(read_export(bytes(changed)))


def test_export_of_unknown_match_is_refused(table: Table, tmp_path: Path) -> None:
    message = refused(shell("scorepad export zzzzzzzzzz --data x.db", tmp_path))
    assert "zzzzzzzzzz" in message


def test_file_larger_than_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The limit is 256 MB. Here it is lowered to 2 MB.
    two_mb = 2 * 2**20
    monkeypatch.setattr("scorepad.matches.file_reader.LARGEST_FILE", two_mb)

    with pytest.raises(Unusable) as refusal:
        read_export(b" " * (two_mb + 1))

    # In English: "larger than 2 MB".
    assert "più grande di 2 MB" in refusal.value.message(words("it"))


def read_rows(file: bytes, delimiter: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file, by the heads of their columns."""
    text = io.StringIO(file.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, delimiter=delimiter))


def test_csv_has_one_row_for_each_hand_and_side(tmp_path: Path) -> None:
    # In the first hand Noi ("we") have 430 points and Loro ("they") 60. In the second Noi have 100
    # for cards less 40 left in hand, less 100 for drawing out of turn: −40. For Loro the table
    # agreed on −25.
    table = begin_match(tmp_path)
    side_with_penalty = {"totals": {"cards": 100}, "left": 40, "penalties": ["draw-out-of-turn"]}
    side_with_agreed_sum = {"sum": -25}
    table.play(hand_of_430_and_60(), hand(side_with_penalty, side_with_agreed_sum))

    first_of_noi, first_of_loro, second_of_noi, second_of_loro = export_rows(tmp_path, "it", ";")

    # Where and when: hand, side, players.
    assert first_of_noi["Smazzata"] == "1"
    assert first_of_noi["Parte"] == "Noi"
    assert first_of_noi["Giocatori"] == "Ada, Ugo"
    # The score before the hand, and the points that the first cards laid must be worth.
    assert first_of_noi["Punti prima"] == "0"
    assert first_of_noi["Punteggio di apertura"] == "50"
    # The points of the hand, those of the cards laid, and none for a mixed canasta.
    assert first_of_noi["Smazzata in punti"] == "430"
    assert first_of_loro["Carte calate"] == "100"
    assert first_of_loro["Canaste miste"] == ""
    # A penalty has a column of its own and stands among the lines that make up the points.
    assert second_of_noi["Penalità"] == "-100"
    assert "Penalità (1, " in second_of_noi["Righe"]
    assert second_of_noi["Totale"] == "390"  # 430 − 40
    assert second_of_loro["Somma concordata"] == "-25"  # the agreed sum


def test_csv_in_english_has_english_heads_and_commas(tmp_path: Path) -> None:
    begin_match(tmp_path).play(hand_of_430_and_60())

    row_of_noi, row_of_loro = export_rows(tmp_path, "en", ",")

    assert row_of_noi["Total"] == "430"
    assert row_of_loro["Total"] == "60"


def export_rows(folder: Path, language: str, delimiter: str) -> list[dict[str, str]]:
    """Export the matches of `x.db` as CSV, check its line ends, and return the rows."""
    file = shell(f"scorepad export --csv --data x.db --lang {language}", folder).stdout
    assert file.count(b"\r\n") == file.count(b"\n")
    return read_rows(file, delimiter)


def test_names_in_csv_are_no_formulas(tmp_path: Path) -> None:
    # A spreadsheet would compute "=1+1". With an apostrophe in front it shows it as a text.
    names = ("=1+1", "+39 02", "-Noi", "@Noi", "＝SUM(A1)", " =1", "'=1", '"=1')
    for number, name in enumerate(names):
        # The side and its first player have this name. The other side is called Loro.
        labels = Labels(names=(name, "Loro"), players=((name, ""), ("", "")))
        new_match = replace(CLASSIC_MATCH, labels=labels)
        begin_match(tmp_path, f"start-{number}", new_match).play(hand_of_430_and_60())

    rows = export_rows(tmp_path, "it", ";")

    # The column Parte has the sides. A space in front is left out.
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
    # The column Giocatori has the players.
    for row in rows:
        if row["Parte"] != "Loro":
            assert row["Giocatori"] == row["Parte"]


def test_csv_cannot_be_imported(table: Table, tmp_path: Path) -> None:
    shell("scorepad export --csv --data x.db -o x.csv", tmp_path)

    message = refused(shell("scorepad import x.csv --data y.db", tmp_path))

    assert "un file CSV non basta" in message  # "a CSV file is not enough"


def test_csv_starts_with_totals_from_paper(tmp_path: Path) -> None:
    # A table has played three hands on paper and has 1500 and −200 points. It goes on here with
    # hand 4, in which Noi ("we") make 430 points and Loro ("they") 60.
    match_from_paper = replace(CLASSIC_MATCH, carried=(1500, -200), played=3)
    begin_match(tmp_path, new=match_from_paper).play(hand_of_430_and_60())

    row_of_noi, row_of_loro = export_rows(tmp_path, "it", ";")

    assert row_of_noi["Smazzata"] == "4"
    assert row_of_noi["Punti prima"] == "1500"  # the score before the hand
    assert row_of_noi["Totale"] == "1930"  # 1500 + 430
    assert row_of_loro["Punti prima"] == "-200"
    assert row_of_loro["Totale"] == "-140"  # −200 + 60
    # The first cards laid must be worth 15 points below 0, and 50 from 0 on.
    assert row_of_loro["Punteggio di apertura"] == "15"


def test_earlier_export_is_exported_again_with_the_same_hands(tmp_path: Path) -> None:
    # The file was written by an earlier version of the program.
    export = EARLIER_EXPORTS / "bolivia.json"
    assert shell(f"scorepad import {export} --data x.db", tmp_path).returncode == 0

    export_again = shell("scorepad export --data x.db", tmp_path).stdout

    assert told_by(export_again) == told_by(export.read_bytes())


def test_earlier_export_has_the_same_lines_in_csv(tmp_path: Path) -> None:
    # An earlier version of the program wrote the same match as JSON and as CSV.
    shell(f"scorepad import {EARLIER_EXPORTS / 'bolivia.json'} --data x.db", tmp_path)
    expected = read_rows((EARLIER_EXPORTS / "bolivia.csv").read_bytes(), ";")

    rows = export_rows(tmp_path, "it", ";")

    # When the match began and a hand was counted is in the time zone of the machine.
    for row in (*expected, *rows):
        del row["Cominciata"]
        del row["Contata"]
    assert rows == expected


def test_earlier_export_keeps_the_inferences_of_its_lines(tmp_path: Path) -> None:
    # A match of the variant bolivia, exported by an earlier version of the program, is imported. Its
    # score sheet is a page of HTML.
    export = (EARLIER_EXPORTS / "bolivia.json").read_bytes()
    with Storage(tmp_path / "y.db") as storage:
        pad = Pad(storage)
        imported = pad.imports.import_file(export, ADMIN)
        (match,) = imported.taken
        state = pad.state(MatchId(match), ADMIN)
    sheet = render_match_sheet(state, words("it"), details=True)

    # The table of a hand has a row "drawn out of turn", with −100 points and the mark §1.
    row = re.search(r"<th[^>]*>Pescata fuori turno .*?</tr>", sheet, re.DOTALL)
    assert row
    assert "§1" in row[0]
    assert "−100" in row[0]

    # Note §1 below it says that this figure is inferred: the sources have no rule of bolivia itself.
    below_the_row = sheet[row.end() :]
    assert "§1 Dedotto: Su questo punto le fonti raccolte" in below_the_row

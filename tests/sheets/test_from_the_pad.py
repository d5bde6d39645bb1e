"""From a match played on the pad to its sheet."""

from __future__ import annotations

from pathlib import Path

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.sheets.match_sheet import MatchSheet
from scorepad.storage import Storage
from tests.matches.conftest import PHONE, TWO_AGAINST_TWO, Clock, Table, counted, hand
from tests.sheets.reading import pages_of, printed


def test_a_match_played_and_corrected_on_the_pad_is_printed(tmp_path: Path) -> None:
    with Storage(tmp_path / "scorepad.db") as storage:
        pad = Pad(storage, Clock())
        saved = pad.actions.start("start", PHONE, TWO_AGAINST_TWO)  # type: ignore[arg-type]
        table = Table(pad, saved.match, PHONE)  # type: ignore[union-attr]
        penalty = {"code": "house", "points": 25, "reason": "fretta"}
        table.play(
            hand(
                counted(120, natural_canasta=1),
                {**counted(50, 60), "penalties": ["draw-out-of-turn", penalty]},
                out="a",
            ),
            hand(
                {"sum": 640, "adjustments": [{"points": -20, "reason": "carta vista"}]},
                {"sum": 1210},
            ),
        )
        table.correct(1, hand(counted(130, natural_canasta=1), counted(50, 60), out="a"), "riconta")
        state = table.state
    page = [text for lines in pages_of(printed(state)) for text in lines]
    assert "Smazzata 1 mazziere: Ada · chiude: Ada–Ugo · corretta" in page
    assert "Carte calate 130 50" in page
    assert "Totale della partita 730 −10" in page
    assert "Totale della partita 1.350 1.200" in page
    assert "Ada–Ugo Carte calate 120 130" in page
    assert "Eva–Ivo Pescata fuori turno 1 × −100 niente" in page
    assert "Ada–Ugo: Correzione concordata −20 carta vista" in " ".join(page)
    assert "fretta" not in " ".join(page)
    assert MatchSheet(state, words("it")).footnotes.corrections[0].reason == "riconta"

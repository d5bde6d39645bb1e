"""Names where there is little room: what tells people apart, and never an article alone."""

from __future__ import annotations

import pytest

from scorepad.matches.names import short_name


@pytest.mark.parametrize(
    ("name", "short", "shorter"),
    [
        ("Le Volpi di Bagnacavallo", "Volpi", "Volpi"),
        ("Gli Amici del Bar", "Amici", "Amici"),
        ("L'Aquila nera di Ravenna", "Aquila", "Aquila"),
        ("L\N{RIGHT SINGLE QUOTATION MARK}Onda lunga di Rimini", "Onda", "Onda"),
        ("Lo Squadrone azzurro", "Squadrone", "Squad."),
        ("Il Tris d'assi di Forlì", "Tris", "Tris"),
        ("The Winning Team", "Winning", "Winni."),
        ("Los Locos del Barrio", "Locos", "Locos"),
        ("I Rossi e i Bianchi", "Rossi–Bianc.", "Ro.–Bi."),
        ("Giovanna e Massimiliano", "Giova.–Massi.", "Gi.–Ma."),
        ("Ilaria Bianchetti", "Ilaria", "Ilaria"),
        ("Lola Montez di Baviera", "Lola", "Lola"),
        ("Giocatore 1", "Giocat. 1", "G. 1"),
        ("La", "La", "La"),
        ("Le Tigri", "Le Tigri", "Tigri"),
    ],
)
def test_a_short_name_leaves_out_articles(name: str, short: str, shorter: str) -> None:
    assert short_name(name, 10) == short
    assert short_name(name, 5) == shorter

"""The sheet of a match of any variant: its columns, hands and lines, in the words of its players."""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.matches.events import Labels
from scorepad.matches.projection import MatchState, NewMatch
from scorepad.rules.hand import Hand
from scorepad.rules.variants import variant_ids
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.sheets.match_sheet import MatchSheet
from scorepad.sheets.outcome import say_who_won
from tests.hands_read import hand_of
from tests.matches.conftest import hand
from tests.matches.whole_matches import GOLDEN, whole
from tests.sheets.party import Party
from tests.sheets.reading import pages_of, printed, tags_of, text_of

WHOLE = [name for name in variant_ids() if (GOLDEN / f"{name}-whole-match.json").exists()]


def played(sit: Any, new: NewMatch, *hands: Hand) -> MatchState:
    party: Party = sit(new)
    party.play(*hands)
    return party.state


def golden(sit: Any, variant: str, most: int = 99) -> MatchState:
    match = whole(variant)
    return played(sit, match.new, *match.hands_of_pad[:most])


def figures(numbers: tuple[int, ...]) -> str:
    return " ".join(map(words("it").figure, numbers))


@pytest.mark.quick(1)
@pytest.mark.parametrize("variant", WHOLE)
def test_a_whole_match_of_every_variant_is_printed(sit: Any, variant: str) -> None:
    match, state = whole(variant), golden(sit, variant)
    sheet = printed(state)
    told = [line for page in pages_of(sheet) for line in page]
    totals = [line for line in told if line.startswith("Totale della partita ")]
    assert totals == [f"Totale della partita {figures(total)}" for total in match.totals]
    assert words("it").t(f"variant.{variant}.name") in " ".join(told)
    assert f"{say_who_won(state, state.status.winner or 0, words('it'))}: " in text_of(sheet)
    kinds = [tag["/S"] for tag in tags_of(sheet)]
    assert (kinds.count("/H1"), "/Table" in kinds, "/TH" in kinds) == (1, True, True)
    assert "1 of " in text_of(printed(state, "en", details=False))


def test_hand_and_foot_tells_its_hands_in_place_of_a_target_and_its_books(sit: Any) -> None:
    state = golden(sit, "hand-and-foot")
    text = text_of(printed(state))
    assert "Smazzate 4, vince il totale più alto" in text
    assert "Traguardo" not in text
    assert (
        "Punteggio di apertura 90 90 Libri puliti 1 500 2 1.000 Libri sporchi 2 600 Libri di matte 1 1.500"
        in text
    )
    assert "Abbiamo vinto noi: 11.425 punti." in text
    english = text_of(printed(state, "en"))
    assert "Hands 4, the higher total wins" in english
    assert "Clean books" in english


@pytest.mark.parametrize("variant", ["hand-and-foot", "moderna"])
def test_in_large_print_every_figure_stands_on_one_line(sit: Any, variant: str) -> None:
    state = golden(sit, variant)
    text = text_of(printed(state, details=False, large=True))
    for scored in state.hands:
        assert " ".join(figures((side.hand, side.total)) for side in scored.sides) in text


def test_three_long_names_and_totals_of_five_figures_are_whole_in_large_print(sit: Any) -> None:
    names = ("Massimiliano", "Mariantonietta", "Giovambattista")
    new = NewMatch("tagliagola", None, {}, Labels(names, ((), (), ())))
    sums = {
        side: {"sum": points} for side, points in zip("abc", (-12_345, -1_885, 10_230), strict=True)
    }
    agreed = hand_of({"single": None, "sides": sums, "out": None}, SIDE_KEYS)
    text = text_of(printed(played(sit, new, agreed), details=False, large=True))
    assert (
        "Massimiliano −12.345 Mariantonietta −1.885 Giovambattista 10.230 Vince Giovambattista"
        in text
    )
    assert "−12.345 −12.345 −1.885 −1.885 10.230 10.230" in text


def test_a_match_that_nobody_won_says_so(sit: Any) -> None:
    side = {"totals": {"canastas": {"mixed-canasta": 1}, "cards": 300}, "left": 0}
    hands = [hand(side, side)] * 4
    state = played(sit, whole("hand-and-foot").new, *hands)
    assert "noi 2.400 loro 2.400 Finita pari dopo 4 smazzate: non vince nessuno." in text_of(
        printed(state)
    )
    assert MatchSheet(state, words("it")).match.status.winner is None


def test_mini_is_printed_in_units_without_an_opening(sit: Any) -> None:
    text = text_of(printed(golden(sit, "mini")))
    assert "Traguardo 30 unità" in text
    assert "n. unità n. unità n. unità" in text
    assert (
        "Smazzata 1 mazziere: Anna · chiude: Anna Canaste pure 2 4 1 0 Canaste sporche 1 1 Carte in mano"
        in text
    )
    assert "Vince Bruno: 34 unità." in text
    for word in ("Punteggio di apertura", "punti", "Carte calate"):
        assert word not in text


def test_tagliagola_tells_the_single_one_and_the_pair_of_every_hand(sit: Any) -> None:
    state = golden(sit, "tagliagola", 2)
    text = text_of(printed(state))
    assert (
        "Smazzata 1 mazziere: Anna · gioca da solo: Anna · coppia: Bruno e Carla · chiude: Anna"
        in text
    )
    assert (
        "Smazzata 2 mazziere: Bruno · gioca da solo: Bruno · coppia: Anna e Carla · chiude: Bruno"
        in text
    )
    assert "Anna Bruno Carla" in text
    assert "Carte calate 14 170 7 100 7 100" in text


def test_where_nobody_took_the_pile_and_nobody_went_out_each_was_alone(sit: Any) -> None:
    nobody = {"single": None, "sides": {"a": {"melds": ["4xA"], "left": ""}}, "out": None}
    text = text_of(printed(played(sit, whole("tagliagola").new, hand_of(nobody, SIDE_KEYS))))
    assert "Smazzata 1 mazziere: Anna · ognuno per sé · nessuno ha chiuso" in text


def test_a_special_hand_is_named(sit: Any) -> None:
    shown = hand({"special": "straight"}, {"totals": {"cards": 0}, "left": 40}, out="a")
    names = NewMatch("moderna", None, {}, Labels(("Noi", "Loro"), ()))
    text = text_of(printed(played(sit, names, shown)))
    assert "mazziere: Noi, giocatore 1 · chiude: Noi · mano speciale di Noi: scala" in text
    assert "Mano speciale 1 3.000" in text


def test_the_options_of_a_variant_are_rules_of_the_house(sit: Any) -> None:
    new = NewMatch(
        "samba", None, {"black-three-canasta": True, "target": 5000}, Labels(("Noi", "Loro"), ())
    )
    text = text_of(printed(played(sit, new)))
    assert (
        "Regole della casa Canasta di 3 neri, chiudendo: ammessa, con matte: vale come mista"
        in text
    )
    assert "Traguardo 5.000 punti" in text

"""The page of a hand without JavaScript: what is typed is kept, told, refused with its remedy, and
counted.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.matches import Pad
from tests.web.client import Page, Visit
from tests.web.counting import column_heads, hand_sums, notes_beside, still_missing
from tests.web.player import Begin, Player
from tests.web.playing import hand, side, start
from tests.web.scorer import differences, error_links, hand_form, shown_values
from tests.web.tables import read_tables

CASES = read_tables("hand_page")
FORM_1320_TO_1105 = {
    "a.canastas.natural-canasta": "1",
    "a.canastas.mixed-canasta": "1",
    "a.cards": "335",
    "a.red_threes": "1",
    "a.left": "15",
    "b.canastas.natural-canasta": "1",
    "b.canastas.mixed-canasta": "1",
    "b.cards": "290",
    "b.red_threes": "1",
    "b.left": "85",
    "out": "a",
}
"""The fields of a whole hand, `a.` of Noi and `b.` of Loro: 500 + 300 + 335 + 100 + 100 for going out
− 15 = 1320, and 500 + 300 + 290 + 100 − 85 = 1105.
"""
WITHOUT_CARDS_OF_NOI = {
    name: "" if name.startswith(("a.canastas", "a.cards")) else text
    for name, text in FORM_1320_TO_1105.items()
}
"""The same without what Noi laid."""
TEN_LEFT_EACH = {"a.left": "10", "b.left": "10"}
NOBODY_OUT = {**TEN_LEFT_EACH, "b.cards": "0", "out": "nobody"}
"""What else a hand needs in which only Noi laid something."""


# ---------------------------------------------------------------- before counting


def test_the_page_says_what_holds_before_the_hand(player: Player) -> None:
    # 3 × 500 + 300 + 200 for two red threes + 100 for going out = 2100, so an opening takes 90 from
    # here; 100 − 40 = 60, so 50
    player.play(hand(side(300, natural=3, red_threes=2, left=0), side(100, 40), "a"))

    page = player.open()

    assert page.heading == "Smazzata 2"
    assert column_heads(page) == ["Noi apre con 90", "Loro apre con 50"]
    assert page.one(id="total-a").text == "2.100"
    assert page.one(id="total-b").text == "60"
    going_out, bonus, *_ = page.one(id="live").one("ul").texts("li")
    assert going_out == "Per chiudere: almeno 1 canasta."
    assert bonus == "Premio di chiusura: 100, in mano 200."
    assert "2.100 punti prima di questa smazzata" in page.one(id="live").text


def test_where_concealed_melds_count_the_page_says_how_to_mark_them(begin: Begin) -> None:
    page = begin(preset="getty").open()
    assert page.one("input", name="a.canastas.concealed-canasta")
    assert "calata intera dalla mano" in page.one("details", id="cards-b").text


def test_players_without_names_are_told_apart_in_narrow_columns(begin: Begin) -> None:
    heads = begin("tre").open().all("div", class_="entry-head")
    short_names = [head.one("bdi", class_="short").text for head in heads]
    assert short_names == ["Giocat. 1", "Giocat. 2", "Giocat. 3"]


def test_the_next_hand_is_counted_as_the_last_one_was(player: Player) -> None:
    """Noi counted their cards, Loro the points of theirs."""
    player.play(hand({"melds": ["3xA"], "left": 20}, side(60, 20)))
    page = player.open()
    assert page.is_unfolded("cards-a")
    assert not page.is_unfolded("cards-b")


def test_the_first_button_of_the_form_which_enter_presses_only_checks(player: Player) -> None:
    assert hand_form(player.open()).all("button")[0]["value"] == "check"


# ---------------------------------------------------------------- counting


def test_cards_are_written_as_they_are_called_as_well(player: Player) -> None:
    """Four kings, two twos and a joker: 40 + 40 + 50 = 130; three queens: 30; left a king and two
    fours: 20.
    """
    typed = {
        "a.melds": "4 re, 2 pinelle e 1 jolly\n\ntre donne",
        "a.left": "0",
        "b.cards": "0",
        "b.left.0": "1 re 2 quattro",
        "out": "a",
    }

    page = player.while_typing(typed)
    canasta, meld = page.one(id="a-melds-list").all("li")
    assert canasta.text == "4 re, 2 pinelle e 1 jolly: canasta mista · 130 punti"
    assert meld.text == "3 donne: combinazione · 30 punti"
    assert page.one(id="b-left-0-echo").text == "1 re e 2 quattro · 20 punti"

    player.save(typed)
    # 300 + 130 + 30 + 100 for going out, nothing left = 560; the others laid nothing and hold 20
    assert player.points == [[560, -20]]


def test_figures_are_typed_as_people_write_them_in_their_language(visit: Visit, pad: Pad) -> None:
    english = visit("en")
    player = Player(english, pad, start(english))
    player.save({**FORM_1320_TO_1105, "a.cards": "1,000"})
    points_of_noi = player.points[0][0]
    assert points_of_noi == 1320 - 335 + 1000


def test_who_went_out_is_told_by_name_also_after_somebody_else_takes_the_place(
    begin: Begin,
) -> None:
    player = begin(player_0_0="Ada", player_0_1="Bruno")
    choices = [choice["value"] for choice in player.open().all("input", name="out")]
    assert choices == ["a", "a.0", "a.1", "b", "nobody"]

    counted = player.save({**FORM_1320_TO_1105, "out": "a.1"})
    assert "Chiusura: Bruno (Noi)." in counted.one("li", id="smazzata-1").text

    with_carla = player.replace("0-1", "Carla")
    assert "Chiusura: Bruno (Noi)." in with_carla.one("li", id="smazzata-1").text


def test_where_there_is_no_such_player_the_side_went_out(player: Player) -> None:
    player.save({**FORM_1320_TO_1105, "out": "a.7"})
    out = player.hands[0].counted.hand.out
    assert out.side == 0
    assert out.player is None


def test_melds_are_typed_one_a_line_and_stand_for_the_figures(player: Player) -> None:
    """Three kings and a two; seven queens, a natural canasta: 30 + 20 + 70 = 120 points."""
    page = player.check({"b.melds": "3xK 2\n7xQ"})
    assert page.one("input", id="b-canastas-natural-canasta")["placeholder"] == "1"
    assert page.one("input", id="b-cards")["placeholder"] == "120"
    assert page.one("input", id="b-cards").has("readonly")

    page = player.check({"b.melds": ""}, page)
    assert not page.one("input", id="b-cards").has("readonly")


def test_the_opening_is_chosen_among_the_melds(player: Player) -> None:
    """A button beside each meld says that it was laid in the turn in which the side opened."""
    page = player.check({**NOBODY_OUT, "a.melds": "3xA\n4xK"})

    page = player.press("opening.a.0", {}, page)
    assert shown_values(page)["a.opening"] == "3xA"
    buttons = [button for button in page.all("button") if button.has("data-opening")]
    assert [button["aria-pressed"] for button in buttons] == ["true", "false"]

    page = player.press("opening.a.1", {}, page)
    assert shown_values(page)["a.opening"] == "3xA\n4xK"
    page = player.press("opening.a.0", {}, page)
    assert shown_values(page)["a.opening"] == "4xK"

    # Four kings are 40: the opening takes 50.
    (error,) = player.save({}, page).errors
    assert "almeno 50 punti" in error


def test_a_warning_does_not_stop_the_hand(player: Player) -> None:
    """Two melds of kings would rather be one."""
    page = player.check({**NOBODY_OUT, "a.melds": "3xK\n4xK"})
    assert "Attenzione: " in notes_beside(page, "a.melds")[0]

    saved = player.save({}, page)
    assert saved.url == player.match
    assert [warning.code for warning in player.hands[0].warnings] == ["meld-rank-repeated"]


def test_a_finished_match_has_no_hand_to_count(player: Player) -> None:
    player.end("time")
    assert player.open().url == player.match


# ---------------------------------------------------------------- refused, and nothing lost


def test_a_hand_that_cannot_be_is_refused_with_reason_remedy_and_all_that_was_typed(
    player: Player,
) -> None:
    no_canasta = {"a.canastas.natural-canasta": "0", "a.canastas.mixed-canasta": ""}
    typed = {**FORM_1320_TO_1105, **no_canasta, "b.left": "12"}

    page = player.save(typed)

    out_too_early = (
        "Noi: la chiusura non è possibile, serve almeno una canasta (qui: 0)."
        " Completa il conto o togli la chiusura."
    )
    no_multiple = (
        "Loro: 12 punti non sono possibili: le carte valgono sempre multipli di 5."
        " Controlla la cifra."
    )
    rule = (
        "Regola: Wikipedia: «Chiusura, punteggi e vittoria»."
        " Leggi la regola (si apre in un'altra pagina)"
    )
    assert page.errors == [out_too_early, no_multiple]
    assert error_links(page) == ["#out", "#b-left"]
    assert notes_beside(page, "out") == [f"Errore: {out_too_early} {rule}"]
    assert no_multiple in notes_beside(page, "b.left")[0]
    assert page.one("input", id="b-left")["aria-invalid"] == "true"
    values = shown_values(page)
    for field, text in typed.items():
        assert values.get(field, "") == text
    assert player.hands == []


def test_a_refused_hand_leads_to_a_page_that_can_be_loaded_again(player: Player) -> None:
    refusal_url = f"{player.match}/smazzata?errori=1"
    form = {**shown_values(player.open()), **FORM_1320_TO_1105, "b.left": "12", "do": "save"}

    answer = player.client.raw.post(f"{player.match}/smazzata", data=form)

    assert answer.status_code == 303
    assert answer.location == refusal_url
    assert len(player.client.get(refusal_url).errors) == 1
    assert not player.open().errors, "while typing nothing is wrong yet"


def test_what_others_typed_is_fetched_without_errors_and_with_the_offer_to_agree(
    player: Player,
) -> None:
    player.save({**FORM_1320_TO_1105, "b.left": "12"})
    refusal_url = f"{player.match}/smazzata?errori=1"

    answer = player.client.raw.get(refusal_url, headers={"Scorepad-Live": "1"})

    page = Page(answer, refusal_url)
    assert not page.errors
    assert shown_values(page)["refused"] == "1"


def test_a_blank_hand_is_refused_and_nothing_of_it_kept(player: Player) -> None:
    assert len(player.save({"a.cards": " "}).errors) == 5
    assert player.state.open_hand is None


@pytest.mark.parametrize("case", CASES["refused"])
def test_a_wrong_figure_is_told_beside_its_field_and_all_that_was_typed_stays(
    player: Player, case: dict[str, Any]
) -> None:
    """As `hand_page.toml` tells: what is typed, the field that is wrong, the message beside it."""
    field = case["field"]

    page = player.save({**FORM_1320_TO_1105, **case["typed"]})

    (error,) = page.errors
    assert case["message"] in error
    assert case["message"] in notes_beside(page, field)[0]
    assert error_links(page) == [f"#{field.replace('.', '-')}"]
    assert case["typed"].items() <= shown_values(page).items()


@pytest.mark.parametrize("field", ["a.melds", "a.opening", "b.left.0", "b.house.0.reason"])
def test_a_text_that_is_too_long_is_told_and_stays_whole(player: Player, field: str) -> None:
    typed = {
        **WITHOUT_CARDS_OF_NOI,
        "a.melds": "7xK",
        "b.left": "",
        "b.left.0": "A",
        "b.house.0.points": "25",
        "b.house.0.reason": "fretta",
    }
    long_text = "K " * 501

    page = player.save({**typed, field: long_text})

    (error,) = page.errors
    assert "Questo testo è troppo lungo: al massimo 1.000 caratteri." in error
    assert error in notes_beside(page, field)[0]
    assert player.draft[field] == long_text


def test_what_cannot_be_read_is_told_beside_its_field_and_stays(player: Player) -> None:
    wrong = {"a.cards": "-335", "b.cards": "mille", "b.red_threes": "100"}

    page = player.save({**FORM_1320_TO_1105, **wrong, "out": "c"})

    assert len(page.errors) == 4
    assert "Noi: Qui il meno non serve" in notes_beside(page, "a.cards")[0]
    assert "Loro: Qui serve un numero intero" in notes_beside(page, "b.cards")[0]
    assert "al massimo 99" in notes_beside(page, "b.red_threes")[0]
    who_went_out = notes_beside(page, "out")
    assert who_went_out == ["Errore: Di' chi ha chiuso, o che non ha chiuso nessuno."]
    assert wrong.items() <= shown_values(page).items()


def test_what_could_be_two_things_is_asked_for_and_not_guessed(player: Player) -> None:
    """A wild card is a joker or a two."""
    typed = {"a.melds": "4 re 1 matta"}
    question = "1 matta: jolly o pinella? Scrivi quale dei due."

    page = player.while_typing(typed)
    refused = player.save(typed)

    assert question in still_missing(page)[0], "no error yet"
    assert question in notes_beside(refused, "a.melds")[0]


def test_totals_beside_cards_are_told_and_nothing_of_them_is_lost(player: Player) -> None:
    typed = {**FORM_1320_TO_1105, "a.melds": "7xK", "a.left.0": "A"}
    page = player.save(typed)
    assert page.errors == [
        "Noi: Ci sono sia i totali sia le carte: lascia gli uni o le altre.",
        "Noi: Le carte in mano ci sono sia in punti sia con le carte: lascia un modo solo.",
    ]
    assert error_links(page) == ["#a-cards", "#a-left"]
    assert typed.items() <= shown_values(page).items()


def test_problems_of_the_whole_hand_name_both_sides(player: Player) -> None:
    """Noi have three twos and Loro six."""
    typed = {"a.melds": "4xK 3x2", "b.melds": "4xQ 3x2\n4xJ 3x2", **TEN_LEFT_EACH, "out": "nobody"}

    page = player.save(typed)

    (error,) = page.errors
    assert error.startswith("Noi e Loro insieme hanno 9 pinelle: nel mazzo sono 8.")
    assert error in notes_beside(page, "a.melds")[0]
    assert error in notes_beside(page, "b.melds")[0]
    assert error_links(page) == ["#b-melds"], "the last field that has some, to look at first"


@pytest.mark.parametrize("meld", ["4xK 3r", "K 3r", "3xQ 2 3r", "3r 3r 3r"])
def test_a_red_three_in_a_meld_is_told_once_and_nothing_that_only_follows_from_it(
    player: Player, meld: str
) -> None:
    page = player.save({**NOBODY_OUT, "a.melds": f"{meld}\n3xA"})
    (error,) = page.errors
    assert f"Noi: «{meld}»: Un 3 rosso non si cala mai" in error


def test_an_expired_form_shows_what_was_typed_and_can_be_sent_again(player: Player) -> None:
    page = player.check({"a.cards": "335"})
    assert "Bozza al sicuro" in page.one(id="kept").text

    expired = player.save({**FORM_1320_TO_1105, "csrf_token": "old"}, page, status=400)
    assert FORM_1320_TO_1105.items() <= shown_values(expired).items()
    assert expired.one(id="kept").text == "", "nothing more of it was kept"

    saved = player.save({}, expired)
    assert saved.url == player.match


def test_the_page_is_small_on_the_wire(player: Player) -> None:
    page = f"{player.match}/smazzata"
    answer = player.client.raw.get(page, headers={"Accept-Encoding": "gzip"})
    assert len(answer.data) < 14_000


# ---------------------------------------------------------------- while typing


def test_the_live_check_keeps_the_draft_and_tells_what_it_comes_to(player: Player) -> None:
    page = player.while_typing(FORM_1320_TO_1105)

    assert page.one(id="count-status").text == (
        "Noi: +1.320 in questa smazzata, 1.320 in tutto."
        " Loro: +1.105 in questa smazzata, 1.105 in tutto."
    )
    assert page.one(id="kept").text.startswith("Bozza al sicuro alle ")
    assert FORM_1320_TO_1105.items() <= player.draft.items()
    assert page.value_of("version") == "1"

    player.save()
    assert player.points == [[1320, 1105]]


def test_what_is_still_missing_is_no_error_while_typing(player: Player) -> None:
    page = player.while_typing({"a.cards": "335", "a.red_threes": "1", **TEN_LEFT_EACH})
    assert still_missing(page) == [
        "Quanti punti sono stati calati da Loro? (0 se nessuno)",
        "Di' chi ha chiuso, o che non ha chiuso nessuno.",
    ]
    assert page.one(id="bar-problems").all("li") == []
    assert hand_sums(page) == ["+425", "–"]  # 335 + 100 − 10


@pytest.mark.parametrize("cards", CASES["cards"]["unfinished"])
def test_what_further_cards_can_mend_is_called_unfinished(player: Player, cards: str) -> None:
    """For example a lone king."""
    page = player.while_typing({"a.melds": cards})
    assert notes_beside(page, "a.melds")[0].startswith("Da finire: ")
    assert not page.one("textarea", id="a-melds").has("aria-invalid")


@pytest.mark.parametrize("cards", CASES["cards"]["wrong"])
def test_what_no_further_card_can_mend_is_called_wrong(player: Player, cards: str) -> None:
    """For example a king and a queen."""
    page = player.while_typing({"a.melds": cards})
    assert notes_beside(page, "a.melds")[0].startswith("Errore: ")
    assert page.one("textarea", id="a-melds").has("aria-invalid")


def test_melds_that_do_not_reach_the_opening_yet_are_unfinished_until_they_are_saved(
    player: Player,
) -> None:
    """Three kings are 30 points, and an opening takes 50."""
    typed = {**NOBODY_OUT, "a.melds": "3xK"}

    (note,) = notes_beside(player.while_typing(typed), "a.melds")
    assert note.startswith("Da finire: Noi: in questa smazzata si apre con almeno 50")

    refused = player.save(typed)
    assert error_links(refused) == ["#a-melds"]


@pytest.mark.parametrize(("out", "note_begins"), [("", "Da finire: "), ("nobody", "Errore: ")])
def test_black_threes_wait_for_who_went_out_and_no_longer(
    player: Player, out: str, note_begins: str
) -> None:
    """Only who goes out may lay black threes."""
    page = player.while_typing({**NOBODY_OUT, "a.melds": "7xK\n3x3b", "out": out})
    (note,) = notes_beside(page, "a.melds")
    assert note.startswith(note_begins)


def test_where_red_threes_pass_to_the_others_no_count_is_told_beside_a_mistake(
    begin: Begin,
) -> None:
    player = begin(option_red_threes_unopened="to-opponents")
    page = player.while_typing({**FORM_1320_TO_1105, "a.left": "12"})
    assert hand_sums(page) == ["–", "–"]


def test_a_side_of_which_something_is_missing_is_not_taken_for_one_that_laid_nothing(
    player: Player,
) -> None:
    cards_missing = {"a.red_threes": "2", "a.opening": "3xA", "b.cards": "90", **TEN_LEFT_EACH}
    page = player.while_typing(cards_missing)
    assert hand_sums(page) == ["–", "+80"]
    assert page.one(id="bar-problems").all("li") == []


@pytest.mark.parametrize(("typed", "reasons"), CASES["waits"])
def test_a_side_without_a_count_is_told_what_it_waits_for(
    player: Player, typed: dict[str, str], reasons: list[str]
) -> None:
    """For mistakes to be put right, or for what is missing."""
    page = player.while_typing({**FORM_1320_TO_1105, **typed})
    shown = [line for line in page.one(id="live").texts("p") if "compare" in line]
    assert shown == [f"Il conto compare quando {reason}." for reason in reasons]


def test_a_meld_that_breaks_a_rule_is_called_so(player: Player) -> None:
    """A meld may have three wild cards at most, and this one of queens has four."""
    page = player.check({"a.melds": "5xQ 4x2\n4xK", "a.left.0": "9"})
    queens, kings = page.one("ol", id="a-melds-list").all("li")
    assert "non va" in queens.text
    assert "non va" not in kings.text


# ---------------------------------------------------------------- corrections


def test_a_past_hand_is_shown_as_it_was_counted_and_corrected_with_a_note(leading: Player) -> None:
    page = leading.correct()
    counted = {"a.cards": "150", "a.canastas.mixed-canasta": "1", "a.left": "20", "out": "nobody"}
    assert counted.items() <= shown_values(page).items()

    # It is checked while it is typed, and nothing of it is kept.
    checked = leading.while_typing({"a.cards": "155"}, page)
    assert hand_sums(checked) == ["+435", "+60"]
    assert leading.state.open_hand is None

    leading.save({"a.cards": "250", "reason": "un re di troppo"}, page)
    assert leading.points == [[530, 60]]
    assert leading.hands[0].versions[-1].event.reason == "un re di troppo"


@pytest.mark.parametrize(
    ("typed", "link"),
    [
        ({"a.left": "7", "reason": "perché sì"}, "#a-left"),
        ({"a.cards": "250", "reason": "n" * 301}, "#reason"),
    ],
    ids=["impossible points", "a long note"],
)
def test_a_refused_correction_keeps_note_and_figures(
    leading: Player, typed: dict[str, str], link: str
) -> None:
    page = leading.save(typed, leading.correct(), status=422)

    assert error_links(page) == [link]
    assert page.errors[0] in notes_beside(page, link[1:])[0]
    assert typed.items() <= shown_values(page).items()
    assert len(leading.hands[0].versions) == 1


def test_of_two_corrections_at_once_the_same_is_no_conflict_and_another_shows_both_values(
    leading: Player,
) -> None:
    first_page = leading.correct()
    page_of_the_same = leading.correct()
    page_of_another = leading.correct()
    leading.save({"a.cards": "250"}, first_page)

    saved = leading.save({"a.cards": "250"}, page_of_the_same)
    assert saved.url == leading.match
    assert len(leading.hands[0].versions) == 2

    another = {"a.cards": "255", "reason": "mia"}
    conflict = leading.save(another, page_of_another, status=409)
    # The field, what is stored and what was typed here.
    assert differences(conflict) == [["Noi: Carte calate", "250", "255"]]

    again = leading.submit(conflict, "Correggi con quello che ho scritto io")
    assert shown_values(again)["reason"] == "mia"
    leading.save({}, again)
    assert leading.points == [[535, 60]]

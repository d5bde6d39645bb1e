"""The count through its pages, without JavaScript: what is typed is kept, told, refused with its remedy, counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorepad.matches import Pad
from tests.web.client import Client, Page
from tests.web.counting import CORRECT, SAVE, beside, check, counting, form_of, send, type_and
from tests.web.playing import ALL_GOOD, device, hand, match_of, play, side, start

USUAL = {
    "a-canasta-natural-canasta": "1", "a-canasta-mixed-canasta": "1", "a-cards": "335", "a-red": "1", "a-left": "15",
    "b-canasta-natural-canasta": "1", "b-canasta-mixed-canasta": "1", "b-cards": "290", "b-red": "1", "b-left": "85",
    "out": "a",
}  # fmt: skip
"""Noi 500 + 300 + 335 + 100 + 100 (out) - 15 = 1320; Loro 500 + 300 + 290 + 100 - 85 = 1105."""


@pytest.fixture
def match(client: Client) -> str:
    """The address of a new match of this device."""
    return start(client)


HELD = {"a-left": "10", "b-left": "10"}
"""Ten points in each side's hands."""


# ---------------------------------------------------------------- before counting


def test_the_page_says_what_holds_before_the_hand(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, hand(side(300, natural=3, red_threes=2, left=0), side(100, 40), "a"))
    page = client.get(counting(match))
    assert page.one("h1").text == "Smazzata 2"
    noi, loro = page.all("fieldset", class_="side")
    # 3 x 500 + 300 + 200 + 100 = 2100, so 90 from here; 100 - 40 = 60, so 50
    assert [fact.text for fact in noi.one(class_="before").all("li")] == [
        "2.100 punti prima di questa smazzata", "Apre con almeno 90",
    ]  # fmt: skip
    assert "Apre con almeno 50" in loro.one(class_="before").text
    assert [fact.text for fact in page.one(id="outs").one("ul").all("li")] == [
        "Per chiudere: almeno 1 canasta.", "Premio di chiusura: 100, di mano 200.",
    ]  # fmt: skip


def test_the_fields_follow_the_rules_of_the_match(client: Client) -> None:
    three = client.get(counting(start(client, "tre")))
    assert [found["id"] for found in three.all("fieldset", class_="side")] == ["side-a", "side-b", "side-c"]
    assert not three.all("input", name="a-canasta-concealed-canasta")
    getty = client.get(counting(start(client, preset="getty")))
    assert getty.one("input", name="a-canasta-concealed-canasta")
    assert getty.one("input", name="b-meld-0-concealed")


def test_a_named_player_can_have_gone_out(client: Client) -> None:
    match = start(client, player_0_0="Anna", player_0_1="Bruno")
    page = client.get(counting(match))
    assert [(choice["value"]) for choice in page.all("input", name="out")] == ["a", "a.0", "a.1", "b", "nobody"]


# ---------------------------------------------------------------- counting


def test_a_hand_by_totals_is_counted(client: Client, pad: Pad, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), USUAL)
    assert page.url == match
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert [each.hand for each in counted.sides] == [1320, 1105]
    assert pad.state(match_of(match), device(client)).open_hand is None


def test_a_hand_card_by_card_is_counted(client: Client, pad: Pad, match: str) -> None:
    typed = {
        "a-way": "cards", "a-meld-0": "4xK 2x2 JK", "a-meld-1": "3xQ", "a-left-way": "cards", "a-left-cards-0": "A 4",
        "b-way": "cards", "b-meld-0": "3xA", "b-left": "30", "out": "nobody",
    }  # fmt: skip
    type_and("save", client, client.get(counting(match)), typed)
    (counted,) = pad.state(match_of(match), device(client)).hands
    # 300 + (4x10 + 2x20 + 50) + 3x10 - (20 + 5) = 435; 3x20 - 30 = 30
    assert [each.hand for each in counted.sides] == [435, 30]


def test_cards_are_written_as_they_are_called_as_well(client: Client, pad: Pad, match: str) -> None:
    """Four kings, two twos and a joker: 40 + 40 + 50 = 130; three queens: 30; left a king and two fours: 20."""
    page = client.get(counting(match))
    typed = {
        "a-way": "cards", "a-meld-0": "4 re, 2 pinelle e 1 jolly", "a-meld-1": "tre donne", "a-left": "0",
        "b-cards": "0", "b-left-way": "cards", "b-left-cards-0": "1 re 2 quattro", "out": "a",
    }  # fmt: skip
    told = check(client, page, typed)
    assert told is not None
    assert told.one(id="a-meld-0-told").text == "canasta mista · 130 punti 4 re, 2 pinelle e 1 jolly"
    assert told.one(id="b-left-cards-0-told").text == "1 re e 2 quattro · 20 punti"
    type_and("save", client, page, typed)
    (counted,) = pad.state(match_of(match), device(client)).hands
    # 300 + 130 + 30 + 100 for going out, nothing left = 560; the others laid nothing and hold 20
    assert [each.hand for each in counted.sides] == [560, -20]


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("4 re 1 matta", "1 matta: jolly o pinella? Scrivi quale dei due."),
        ("4 re pinelle", "pinelle: quante carte? Scrivi il numero davanti, per esempio 3 re."),
    ],
)
def test_what_could_be_two_things_is_asked_for_and_not_guessed(
    client: Client, match: str, typed: str, asked: str
) -> None:
    page = client.get(counting(match))
    given = {"a-way": "cards", "a-meld-0": typed}
    told = check(client, page, given)
    assert told is not None
    assert asked in told.one(class_="live-missing").text, "still to be said"
    saved = type_and("save", client, page, given)
    assert saved.one(id="a-meld-0")["value"] == typed
    assert asked in saved.one(id="a-meld-0-notes").text


def test_penalties_fall_as_often_as_they_are_tapped(client: Client, pad: Pad, match: str) -> None:
    page = client.get(counting(match))
    for _ in range(2):
        page = send(client, page, "up:b-penalty-draw-out-of-turn")
    typed = {**USUAL, "b-house-0-points": "25", "b-house-0-reason": "carte guardate", "b-red-held": "1"}
    type_and("save", client, page, typed)
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert counted.sides[1].hand == 1105 - 2 * 100 - 25 - 500
    assert ("penalty", "house", -25) in [(line.item, line.code, line.points) for line in counted.sides[1].lines]


def test_the_same_form_sent_twice_counts_once(client: Client, pad: Pad, match: str) -> None:
    page = client.get(counting(match))
    for _ in range(2):
        assert type_and("save", client, page, USUAL).url == match
    assert len(pad.state(match_of(match), device(client)).hands) == 1


def test_figures_are_typed_as_people_write_them_in_their_language(visit: Callable[..., Client], pad: Pad) -> None:
    client = visit("en")
    match = start_english(client)
    typed = {**USUAL, "a-cards": "1,000", "a-canasta-natural-canasta": "4", "a-canasta-mixed-canasta": "0"}
    form = client.get(counting(match)).form("Save the hand")
    told = client.post(counting(match), {**Page.values(client.get(counting(match)), form), **typed, "do": "save"})
    assert told.url == match
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert counted.sides[0].hand == 4 * 500 + 1000 + 100 + 100 - 15


def start_english(client: Client) -> str:
    page = client.get("/partite/nuova")
    form = next(form for form in page.all("form") if form.all("input", name="request_id"))
    sent = page.values(form)
    pressed = next(button for button in form.all("button") if button.get("name") != "switch")
    if pressed.get("name"):
        sent[pressed["name"]] = pressed["value"]
    return client.post(form.get("action") or page.url, sent).url


# ---------------------------------------------------------------- refused, and nothing lost


def test_a_hand_that_cannot_be_is_refused_with_reason_remedy_and_all_that_was_typed(
    client: Client, pad: Pad, match: str
) -> None:
    typed = {**USUAL, "a-canasta-natural-canasta": "0", "a-canasta-mixed-canasta": "", "b-left": "12"}
    page = type_and("save", client, client.get(counting(match)), typed)
    assert page.title == "Errore: Smazzata 1 – scorepad"
    chiusura = (
        "Noi: la chiusura non è possibile, serve almeno 1 canasta (qui: 0). Completa il conto o togli la chiusura."
    )
    dodici = "Loro: 12 punti non sono possibili: le carte valgono sempre multipli di 5. Controlla la cifra."
    assert page.errors == [dodici, chiusura]
    assert [link["href"] for link in page.one(class_="errors").all("a")] == ["#b-left", "#out"]
    rule = "Regola: Wikipedia: «Chiusura, punteggi e vittoria». Leggi la regola (si apre in un'altra pagina)"
    assert beside(page, "out") == [f"Errore: {chiusura} {rule}"]
    assert dodici in beside(page, "b-left")[0]
    assert page.one("input", id="b-left")["aria-invalid"] == "true"
    shown = form_of(page)
    assert {name: shown.get(name, "") for name in typed} == typed
    assert pad.state(match_of(match), device(client)).hands == []
    again = form_of(client.get(counting(match)))
    assert again["b-left"] == "12"


def test_a_refused_hand_leads_to_a_page_that_can_be_loaded_again(client: Client, pad: Pad, match: str) -> None:
    page = client.get(counting(match))
    sent = {**page.values(page.form(SAVE)), **USUAL, "b-left": "12", "do": "save"}
    answer = client.raw.post(counting(match), data=sent)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{counting(match)}?errori=1")
    assert pad.open(match_of(match), device(client)).draft["b-left"] == "12"
    for _ in range(2):
        again = client.get(answer.headers["Location"])
        assert len(again.errors) == 1
        assert again.title.startswith("Errore: ")
    assert not client.get(counting(match)).errors, "while typing nothing is wrong yet"
    mended = type_and("save", client, again, {"b-left": "85"})
    assert mended.url == match


def test_a_blank_hand_is_refused_without_a_draft(client: Client, pad: Pad, match: str) -> None:
    page = send(client, client.get(counting(match)), "save")
    assert len(page.errors) == 5
    assert pad.open(match_of(match), device(client)).version == 0


@pytest.mark.parametrize(
    ("typed", "field", "told"),
    [
        ({"out": "nobody", "concealed": "on"}, "concealed", "«Di mano» è segnato, ma nessuno ha chiuso"),
        ({"out": "nobody", "discard": "6"}, "discard", "È annotato l'ultimo scarto, ma nessuno ha chiuso"),
        ({"out": "nobody", "discard-none": "on"}, "discard-none", "«Ha chiuso senza scartare» è segnato, ma nessuno"),
        ({"out": "a", "discard": "6", "discard-none": "on"}, "discard-none", "e anche «senza scartare»"),
    ],
)
def test_what_cannot_go_together_is_told_and_nothing_of_it_cleared(
    client: Client, pad: Pad, match: str, typed: dict[str, str], field: str, told: str
) -> None:
    live = check(client, client.get(counting(match)), {**USUAL, **typed})
    assert live is not None
    assert told in beside(live, field)[0]
    page = type_and("save", client, client.get(counting(match)), {**USUAL, **typed})
    assert [told in error for error in page.errors] == [True]
    assert page.one(class_="errors").one("a")["href"] == f"#{field}"
    assert told in beside(page, field)[0]
    assert "concealed" not in typed or page.one("input", id="concealed").has("checked")
    assert "discard-none" not in typed or page.one("input", id="discard-none").has("checked")
    chosen = [option["value"] for option in page.one("select", id="discard").all("option") if option.has("selected")]
    assert chosen == [typed.get("discard", "")]
    assert pad.state(match_of(match), device(client)).hands == []


@pytest.mark.parametrize("field", ["a-meld-0", "a-opening", "b-left-cards-0", "b-house-0-reason"])
def test_a_text_that_is_too_long_is_told_and_stays_whole(client: Client, pad: Pad, match: str, field: str) -> None:
    long = "K " * 501
    typed = {
        **USUAL, "a-way": "cards", "a-meld-0": "7xK", "b-left-way": "cards", "b-left-cards-0": "A",
        "b-house-0-points": "25", "b-house-0-reason": "fretta", field: long,
    }  # fmt: skip
    page = type_and("save", client, client.get(counting(match)), typed)
    side = "Noi" if field.startswith("a") else "Loro"
    told = f"{side}: Questo testo è troppo lungo: al massimo 1.000 caratteri. Accorcialo."
    assert page.errors == [told]
    assert told in beside(page, field)[0]
    assert pad.open(match_of(match), device(client)).draft[field] == long


def test_what_cannot_be_read_is_told_beside_its_field_and_stays(client: Client, match: str) -> None:
    typed = {**USUAL, "a-cards": "-335", "b-cards": "mille", "b-red": "200", "out": ""}
    page = type_and("save", client, client.get(counting(match)), typed)
    assert "Noi: Qui il meno non serve: scrivi solo il numero, lo toglie il segnapunti." in beside(page, "a-cards")[0]
    assert "Loro: Qui serve un numero intero" in beside(page, "b-cards")[0]
    assert "al massimo 99" in beside(page, "b-red")[0]
    assert beside(page, "out") == ["Errore: Di' chi ha chiuso, o che non ha chiuso nessuno."]
    assert len(page.errors) == 4
    assert page.one("input", id="a-cards")["value"] == "-335"
    assert page.one("input", id="b-cards")["value"] == "mille"


def test_problems_of_the_whole_hand_name_both_sides(client: Client, match: str) -> None:
    typed = {
        "a-way": "cards",
        "a-meld-0": "4xK 3x2",
        "b-way": "cards",
        "b-meld-0": "4xQ 3x2",
        "b-meld-1": "4xJ 3x2",
        **HELD,
    }
    page = type_and("save", client, client.get(counting(match)), {**typed, "out": "nobody"})
    told = "Noi e Loro insieme hanno 9 pinelle: nel mazzo sono 8. Controlla le combinazioni e le carte in mano."
    assert page.errors == [told]
    assert beside(page, "hand") == []
    assert [told in beside(page, field)[0] for field in ("a-meld-0", "b-meld-1")] == [True, True]
    assert beside(page, "b-meld-0") == []
    # To the last field that has some of it, the one to look at first.
    assert page.one(class_="errors").one("a")["href"] == "#b-meld-1"
    assert page.one(id="b-meld-1").tag in ("input", "button")


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"a-red": "3", "b-red": "2"}, "b-red"),
        ({"a-red": "3", "b-red-held": "2"}, "b-red-held"),
        ({"a-red": "5"}, "a-red"),
        ({"a-red": "4", "b-left-way": "cards", "b-left-cards-0": "K 3r"}, "b-left-cards-0"),
    ],
)
def test_too_many_red_threes_lead_to_a_field_that_has_some(
    client: Client, match: str, typed: dict[str, str], field: str
) -> None:
    page = type_and("save", client, client.get(counting(match)), {**USUAL, "a-red": "", "b-red": "", **typed})
    assert ["onori: nel mazzo sono 4" in error for error in page.errors] == [True]
    assert page.one(class_="errors").one("a")["href"] == f"#{field}"
    assert page.one(class_="live-problems").one("a")["href"] == f"#{field}"
    assert "onori: nel mazzo sono 4" in beside(page, field)[0]
    assert beside(page, "hand") == []


def test_an_opening_with_cards_that_were_not_laid_is_told_in_words(client: Client, match: str) -> None:
    typed = {"a-way": "cards", "a-meld-0": "5xK", "a-opening": "3xA", "b-cards": "0", "out": "nobody", **HELD}
    page = type_and("save", client, client.get(counting(match)), typed)
    told = "Noi: Le carte dell'apertura devono essere tra quelle calate. Controlla le une e le altre."
    assert page.errors == [told]
    assert page.one(class_="errors").one("a")["href"] == "#a-opening"
    assert page.one("textarea", id="a-opening").text == "3xA"


def test_a_warning_does_not_stop_the_hand(client: Client, pad: Pad, match: str) -> None:
    typed = {"a-way": "cards", "a-meld-0": "3xK", "a-meld-1": "4xK", "b-cards": "0", "out": "nobody", **HELD}
    page = type_and("check", client, client.get(counting(match)), typed)
    assert "Attenzione: " in beside(page, "a-meld-1")[0]
    assert send(client, page, "save").url == match
    assert [found.code for found in pad.state(match_of(match), device(client)).hands[0].warnings] == [
        "meld-rank-repeated"
    ]


def test_an_expired_form_shows_what_was_typed_and_can_be_sent_again(client: Client, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), {**USUAL, "csrf_token": "old"}, 400)
    assert len(page.errors) == 1
    assert {name: form_of(page)[name] for name in USUAL} == USUAL
    assert page.one(id="kept").text == "", "nothing of it was kept"
    assert send(client, page, "save").url == match


def test_it_says_so_too_where_something_was_kept_before(client: Client, match: str) -> None:
    page = type_and("check", client, client.get(counting(match)), {"a-cards": "335"})
    assert "Tutto conservato" in page.one(id="kept").text
    page = type_and("save", client, page, {**USUAL, "csrf_token": "old"}, 400)
    assert page.one(id="kept").text == ""


def test_who_went_out_is_told_by_name_and_stays_so_when_somebody_else_takes_the_place(client: Client) -> None:
    match = start(client, player_0_0="Ada", player_0_1="Bruno")
    page = type_and("save", client, client.get(counting(match)), {**USUAL, "out": "a.1"})
    assert "Chiusura: Bruno (Noi)." in page.one("li", id="smazzata-1").text
    page = client.get(f"{match}/giocatore")
    page = client.submit(page, "Cambia il giocatore", seat="0-1", name="Carla")
    assert "Chiusura: Bruno (Noi)." in page.one("li", id="smazzata-1").text
    page = type_and("save", client, client.get(counting(match)), {**USUAL, "out": "a"})
    assert "Chiusura: Noi." in page.one("li", id="smazzata-2").text


def test_the_page_fetched_again_after_a_refusal_tells_of_no_errors_and_still_offers_an_agreement(
    client: Client, match: str
) -> None:
    page = type_and("save", client, client.get(counting(match)), {"a-cards": "100", **HELD, "out": "a"})
    assert page.errors
    again = client.raw.get(f"{counting(match)}?errori=1", headers={"Scorepad-Live": "1"}).text
    assert 'class="errors"' not in again
    assert 'name="refused" value="1"' in again


# ---------------------------------------------------------------- without JavaScript


def test_steppers_ranks_and_further_melds_are_buttons_that_work(client: Client, match: str) -> None:
    page = client.get(counting(match))
    page = type_and("up:a-canasta-mixed-canasta", client, page, {"a-cards": "200", "b-way": "cards"})
    assert page.one("input", id="a-canasta-mixed-canasta")["value"] == "1"
    for token in ("K", "K", "K", "2"):
        page = send(client, page, f"card:b:{token}")
    assert page.one("input", id="b-meld-0")["value"] == "3xK 2"
    assert page.one(id="b-meld-0-told").text == "combinazione · 50 punti 3 re e 1 pinella"
    page = send(client, page, "meld-new:b")
    page = type_and("check", client, page, {"b-meld-1": "7xQ"})
    assert page.one(id="b-meld-1-told").text == "canasta naturale · 70 punti 7 donne"
    page = send(client, page, "meld-drop:b:0")
    assert page.one("input", name="b-meld-0")["value"] == "7xQ"
    assert page.one("input", id="a-cards")["value"] == "200"


def test_both_ways_of_counting_a_side_keep_what_was_typed(client: Client, match: str) -> None:
    page = type_and("check", client, client.get(counting(match)), {**USUAL, "a-way": "cards", "a-meld-0": "3xK"})
    page = type_and("check", client, page, {"a-way": "totals"})
    shown = form_of(page)
    assert (shown["a-way"], shown["a-cards"], shown["a-meld-0"]) == ("totals", "335", "3xK")


def test_the_first_button_of_the_form_only_checks(client: Client, match: str) -> None:
    form = client.get(counting(match)).form(SAVE)
    assert form.all("button")[0]["value"] == "check"


def test_the_next_hand_is_counted_as_the_last_one_was(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, hand({"melds": ["3xA"], "left": 20}, side(60, 20)))
    shown = form_of(client.get(counting(match)))
    assert (shown["a-way"], shown["b-way"]) == ("cards", "totals")


# ---------------------------------------------------------------- while typing


def test_the_live_check_keeps_the_draft_and_tells_what_it_comes_to(client: Client, pad: Pad, match: str) -> None:
    told = check(client, client.get(counting(match)), USUAL)
    assert told is not None
    assert told.one(id="count-told").text == (
        "Noi: +1.320 in questa smazzata, 1.320 in tutto. Loro: +1.105 in questa smazzata, 1.105 in tutto."
    )
    assert told.one(id="kept").text.startswith("Tutto conservato alle ")
    kept = pad.open(match_of(match), device(client))
    assert {name: kept.draft[name] for name in USUAL} == USUAL
    assert told.one("input", name="version")["value"] == str(kept.version) == "1"


def test_what_is_still_missing_is_no_error_while_typing(client: Client, match: str) -> None:
    told = check(client, client.get(counting(match)), {"a-cards": "335", "a-red": "1", **HELD})
    assert told is not None
    assert [part.text for part in told.one(class_="live-missing").all("li")] == [
        "Loro: Scrivi i punti delle carte calate, 0 se non ha calato.",
        "Di' chi ha chiuso, o che non ha chiuso nessuno.",
    ]
    assert not told.all(class_="live-problems")
    assert told.one(id="bar-told").text == "Noi +425 Loro –"


def test_a_meld_that_still_grows_is_not_called_wrong(client: Client, match: str) -> None:
    typed = {"a-way": "cards", "a-meld-0": "3xQ", "a-meld-1": "2xK", "a-current": "1"}
    told = check(client, client.get(counting(match)), typed)
    assert told is not None
    assert beside(told, "a-meld-1")[0].startswith("Da finire: ")
    typed["a-current"] = "0"
    again = check(client, client.get(counting(match)), typed)
    assert again is not None
    assert beside(again, "a-meld-1")[0].startswith("Errore: ")


@pytest.mark.parametrize(
    ("cards", "tone"),
    [
        ("K", "Da finire: "), ("3 re 1 jol", "Da finire: "), ("2x2 JK", "Da finire: "), ("4x", "Da finire: "),
        ("Z 1", "Errore: "), ("K Q", "Errore: "), ("2xK 4x2", "Errore: "), ("K 3r", "Errore: "), ("4x Z", "Errore: "),
        ("2x3b", "Da finire: "), ("7x3b", "Errore: "),
    ],
)  # fmt: skip
def test_what_no_further_card_can_mend_is_not_called_unfinished(
    client: Client, match: str, cards: str, tone: str
) -> None:
    told = check(client, client.get(counting(match)), {"a-way": "cards", "a-meld-0": cards})
    assert told is not None
    notes = beside(told, "a-meld-0")
    assert notes
    assert all(note.startswith(tone) for note in notes)
    assert told.one("input", id="a-meld-0").has("aria-invalid") == (tone == "Errore: ")


def test_melds_that_do_not_reach_the_opening_yet_are_unfinished_until_they_are_saved(
    client: Client, match: str
) -> None:
    typed = {"a-way": "cards", "a-meld-0": "3xK", "b-cards": "0", "out": "nobody", **HELD}
    told = check(client, client.get(counting(match)), typed)
    assert told is not None
    assert [
        note.startswith("Da finire: Noi: in questa smazzata si apre con almeno 50") for note in beside(told, "a-melds")
    ] == [True]
    page = type_and("save", client, client.get(counting(match)), typed)
    assert page.one(class_="errors").one("a")["href"] == "#a-melds"


def test_black_threes_wait_for_who_went_out_and_no_longer(client: Client, match: str) -> None:
    typed = {"a-way": "cards", "a-meld-0": "7xK", "a-meld-1": "3x3b", "a-current": "1", "b-cards": "0", **HELD}
    for out, tone in (("", "Da finire: "), ("nobody", "Errore: ")):
        told = check(client, client.get(counting(match)), {**typed, "out": out})
        assert told is not None
        assert [note.startswith(tone) for note in beside(told, "a-meld-1")] == [True]


def test_beside_a_mistake_of_the_one_stands_the_count_of_the_other(client: Client, match: str) -> None:
    told = check(client, client.get(counting(match)), {**USUAL, "a-left": "12"})
    assert told is not None
    assert told.one(id="bar-told").text == "Noi – Loro +1.105"
    noi, loro = told.all(class_="live-side")
    assert noi.one("p").text == "Il conto compare quando gli errori sono corretti."
    assert "Totale 1.105" in loro.text


def test_where_a_mistake_is_everybodys_no_count_is_told_and_where_something_is_missing_that_is_said(
    client: Client, match: str
) -> None:
    none, mending = "Il conto compare quando c'è tutto.", "Il conto compare quando gli errori sono corretti."
    for typed, waits in (
        ({**USUAL, "a-red": "3", "b-red": "3"}, [mending, mending]),
        ({**USUAL, "a-cards": "mille"}, [mending]),
        ({**USUAL, "a-cards": ""}, [none]),
        ({**USUAL, "a-cards": "", "b-left": "12"}, [none, mending]),
        ({**USUAL, "a-way": "cards", "a-meld-0": "KK"}, [mending]),
        ({**USUAL, "a-way": "cards", "a-meld-0": "2xK", "out": "nobody"}, [none]),
    ):
        told = check(client, client.get(counting(match)), typed)
        assert told is not None
        assert [each.one("p").text for each in told.all(class_="live-side") if each.all("p")] == waits


def test_where_red_threes_pass_to_the_others_no_count_is_told_beside_a_mistake(client: Client) -> None:
    match = start(client, option_red_threes_unopened="to-opponents")
    told = check(client, client.get(counting(match)), {**USUAL, "a-left": "12"})
    assert told is not None
    assert told.one(id="bar-told").text == "Noi – Loro –"


def test_a_concealed_going_out_is_called_so_while_it_is_counted(client: Client, match: str) -> None:
    for typed, name in (({}, "Chiusura"), ({"concealed": "on"}, "Chiusura in mano")):
        told = check(client, client.get(counting(match)), {**USUAL, **typed})
        assert told is not None
        assert name in [term.text for term in told.all("dt")]


def test_a_correction_is_checked_and_not_kept(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, ALL_GOOD)
    told = check(client, client.get(f"{match}/smazzate/1/correggi"), {"a-cards": "155"})
    assert told is not None
    assert told.one(id="bar-told").text == "Noi +435 Loro +60"  # 300 + 155 - 20; 100 - 40
    assert pad.state(match_of(match), device(client)).open_hand is None


def test_the_check_refuses_a_form_without_token(client: Client, match: str) -> None:
    assert check(client, client.get(counting(match)), {"csrf_token": ""}) is None


# ---------------------------------------------------------------- somebody else was quicker


def test_two_pages_on_one_hand_show_both_values_and_one_is_chosen(client: Client, pad: Pad, match: str) -> None:
    first, second = client.get(counting(match)), client.get(counting(match))
    type_and("check", client, first, {"a-cards": "300"})
    assert check(client, second, {"a-cards": "310"}) is None
    page = type_and("check", client, second, {"a-cards": "310", "out": "b"}, 409)
    rows = [[cell.text for cell in row.all("th", "td")] for row in page.one("tbody").all("tr")]
    assert rows == [["Noi: Punti delle carte calate", "300", "310"], ["Chi ha chiuso?", "niente", "Loro"]]
    assert pad.open(match_of(match), device(client)).draft["a-cards"] == "300"
    assert client.get(page.links()["Tieni quello che c'è"]).one("input", id="a-cards")["value"] == "300"
    mine = client.submit(page, "Tieni quello che ho scritto io")
    assert mine.one("input", id="a-cards")["value"] == "310"


def test_what_does_not_count_is_no_conflict_and_is_kept_from_both(client: Client, pad: Pad, match: str) -> None:
    first, second = client.get(counting(match)), client.get(counting(match))
    type_and("check", client, first, {**USUAL, "a-meld-0": "3xK", "b-left-cards-0": "A", "b-meld-1": "5x7"})
    mine = {**USUAL, "a-cards": " 335 ", "b-red": "01", "a-meld-0": "3xQ", "a-left-cards-0": "K", "a-red-held": "0"}
    told = check(client, second, mine)
    assert told is not None
    kept = pad.open(match_of(match), device(client))
    assert kept.version == 2
    wanted = {
        "a-cards": " 335 ", "a-meld-0": "3xQ", "a-meld-1": "3xK", "b-meld-0": "5x7", "a-left-cards-0": "K",
        "b-left-cards-0": "A",
    }  # fmt: skip
    assert {name: kept.draft[name] for name in wanted} == wanted
    assert told.answer.headers["Scorepad-Joined"] == "1"
    assert told.one("input", name="a-meld-1")["value"] == "3xK"
    page = type_and("save", client, second, mine)
    assert page.url == match
    assert [each.hand for each in pad.state(match_of(match), device(client)).hands[0].sides] == [1320, 1105]


@pytest.mark.parametrize(
    "mine", [{"b-meld-0": "2x2 5xQ"}, {"b-meld-0": "Q Q 2 Q Q 2 Q", "b-meld-1": "", "b-meld-2": "4 4 4"}]
)
def test_the_same_cards_otherwise_written_are_no_conflict(
    client: Client, pad: Pad, match: str, mine: dict[str, str]
) -> None:
    first, second = client.get(counting(match)), client.get(counting(match))
    typed = {**USUAL, "b-way": "cards", "b-meld-0": "4x4", "b-meld-1": "5xQ 2x2"}
    type_and("check", client, first, {**typed, "b-meld-0": "3x4"} if len(mine) > 1 else {**typed, "b-meld-0": ""})
    assert check(client, second, {**typed, "b-meld-1": "", **mine}) is not None


def test_another_way_of_counting_is_a_conflict_that_says_what_does_not_count(
    client: Client, pad: Pad, match: str
) -> None:
    first, second = client.get(counting(match)), client.get(counting(match))
    type_and("check", client, first, {**USUAL, "b-meld-0": "3xA"})
    page = type_and("check", client, second, {**USUAL, "a-way": "cards", "a-meld-0": "7xK"}, 409)
    rows = [[cell.text for cell in row.all("th", "td")] for row in page.one("tbody").all("tr")]
    assert rows == [
        ["Noi: Combinazione 1", "niente", "7xK"],
        ["Noi: Come si conta", "Totali", "Carta per carta"],
        ["Loro: Combinazione 1 (non conta)", "3xA", "niente"],
    ]


def test_the_same_hand_saved_from_two_pages_is_told_and_saved_once(client: Client, pad: Pad, match: str) -> None:
    late = client.get(counting(match))
    type_and("save", client, client.get(counting(match)), {**USUAL, "a-meld-0": "3xK"})
    page = type_and("save", client, late, {**USUAL, "a-cards": "0335", "b-meld-0": "3xA"})
    assert page.url == match
    told = "La smazzata 1 era già stata salvata da un altro telefono o da un'altra pagina, con lo stesso conto."
    assert page.notices == [told]
    assert len(pad.state(match_of(match), device(client)).hands) == 1


def test_a_hand_that_was_saved_meanwhile_can_be_corrected_with_what_was_typed(
    client: Client, pad: Pad, match: str
) -> None:
    late = client.get(counting(match))
    type_and("save", client, client.get(counting(match)), USUAL)
    page = type_and("save", client, late, {**USUAL, "a-cards": "340"}, 409)
    assert page.one("h1").text == "La smazzata 1 è già stata salvata"
    page = client.submit(page, "Correggi con quello che ho scritto io")
    assert page.one("h1").text == "Correggi la smazzata 1"
    assert page.one("input", id="a-cards")["value"] == "340"
    send(client, page, "save")
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert [each.hand for each in counted.sides] == [1325, 1105]
    assert len(counted.versions) == 2


def test_the_same_fields_from_an_older_page_are_no_conflict(client: Client, match: str) -> None:
    page = client.get(counting(match))
    for _ in range(2):
        assert type_and("up:a-red", client, page, {"a-cards": "335"}).one("input", id="a-red")["value"] == "1"


# ---------------------------------------------------------------- corrections


def test_a_past_hand_is_shown_as_it_was_counted_and_corrected_with_a_note(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, ALL_GOOD, ALL_GOOD)
    page = client.get(f"{match}/smazzate/1/correggi")
    shown = form_of(page, CORRECT)
    assert (shown["a-cards"], shown["a-canasta-mixed-canasta"], shown["a-left"], shown["out"]) == (
        "150",
        "1",
        "20",
        "nobody",
    )
    assert type_and("save", client, page, {"a-cards": "250", "note": "un re di troppo"}).url == match
    state = pad.state(match_of(match), device(client))
    assert [hand.sides[0].total for hand in state.hands] == [530, 960]
    assert state.hands[0].versions[-1].note == "un re di troppo"
    assert state.open_hand is None


def test_a_correction_that_cannot_be_is_refused_and_keeps_note_and_figures(
    client: Client, pad: Pad, match: str
) -> None:
    play(pad, client, match, ALL_GOOD)
    page = type_and(
        "save", client, client.get(f"{match}/smazzate/1/correggi"), {"a-left": "7", "note": "perché sì"}, 422
    )
    assert page.title.startswith("Errore: ")
    assert (form_of(page, CORRECT)["a-left"], form_of(page, CORRECT)["note"]) == ("7", "perché sì")


def test_a_note_that_is_too_long_is_told_and_stays_whole(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, ALL_GOOD)
    page = client.get(f"{match}/smazzate/1/correggi")
    page = type_and("save", client, page, {"a-cards": "250", "note": "n" * 301}, 422)
    assert page.errors == ["Questo testo è troppo lungo: al massimo 300 caratteri. Accorcialo."]
    assert page.one(class_="errors").one("a")["href"] == "#note"
    assert page.errors[0] in beside(page, "note")[0]
    assert form_of(page, CORRECT)["note"] == "n" * 301
    assert len(pad.state(match_of(match), device(client)).hands[0].versions) == 1


def test_the_same_correction_twice_is_no_conflict(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, ALL_GOOD)
    first, second = client.get(f"{match}/smazzate/1/correggi"), client.get(f"{match}/smazzate/1/correggi")
    type_and("save", client, first, {"a-cards": "250"})
    assert type_and("save", client, second, {"a-cards": "250"}).url == match
    assert len(pad.state(match_of(match), device(client)).hands[0].versions) == 2


def test_two_corrections_at_once_show_both_values(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, ALL_GOOD)
    first, second = client.get(f"{match}/smazzate/1/correggi"), client.get(f"{match}/smazzate/1/correggi")
    type_and("save", client, first, {"a-cards": "250"})
    page = type_and("save", client, second, {"a-cards": "255", "note": "mia"}, 409)
    assert [cell.text for cell in page.one("tbody").all("td")] == ["250", "255"]
    page = client.submit(page, "Correggi con quello che ho scritto io")
    assert form_of(page, CORRECT)["note"] == "mia"
    send(client, page, "save")
    assert pad.state(match_of(match), device(client)).hands[0].sides[0].hand == 535


def test_a_hand_that_is_not_there_cannot_be_corrected(client: Client, match: str) -> None:
    client.get(f"{match}/smazzate/1/correggi", 404)


def test_an_undone_hand_is_open_again_as_it_was_typed(client: Client, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), {**USUAL, "a-cards": " 335 "})
    client.submit(page, "Annulla")
    assert form_of(client.get(counting(match)))["a-cards"] == " 335 "


def test_a_finished_match_has_no_hand_to_count(client: Client, pad: Pad, match: str) -> None:
    great = hand(side(300, natural=4, red_threes=4), side(0, 40), "a")  # 2000 + 300 + 800 + 100 = 3200
    play(pad, client, match, great, great)
    assert client.get(counting(match)).url == match


def test_another_device_counts_nothing_here(visit: Callable[..., Client], match: str) -> None:
    stranger = visit()
    stranger.get(counting(match), 404)
    stranger.get(f"{match}/smazzate/1/correggi", 404)


def test_names_are_text_and_never_markup(client: Client) -> None:
    match = start(client, name_0="<b>Noi</b>", name_1="Loro & C.")
    page = type_and("save", client, client.get(counting(match)), {"a-cards": "<script>"})
    assert page.one("input", id="a-cards")["value"] == "<script>"
    assert page.all("fieldset", class_="side")[0].one("bdi", class_="side-name").text == "<b>Noi</b>"
    assert not page.all("b", class_="side")


def test_the_page_is_small_on_the_wire(client: Client, match: str) -> None:
    answer = client.raw.get(counting(match), headers={"Accept-Encoding": "gzip"})
    assert len(answer.data) < 14_000

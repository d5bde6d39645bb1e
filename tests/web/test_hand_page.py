"""The count through its pages, without JavaScript: what is typed is kept, told, refused with its
remedy, counted.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorepad.matches import Pad
from tests.web.client import Client, Page
from tests.web.counting import (
    CORRECT,
    SAVE,
    beside,
    check,
    columns,
    counting,
    form_of,
    missing,
    send,
    sums,
    type_and,
)
from tests.web.playing import ALL_GOOD, device, hand, match_of, play, side, start

USUAL = {
    "a.canastas.natural-canasta": "1", "a.canastas.mixed-canasta": "1", "a.cards": "335",
    "a.red_threes": "1", "a.left": "15",
    "b.canastas.natural-canasta": "1", "b.canastas.mixed-canasta": "1", "b.cards": "290",
    "b.red_threes": "1", "b.left": "85",
    "out": "a",
}  # fmt: skip
"""Noi 500 + 300 + 335 + 100 + 100 (out) - 15 = 1320; Loro 500 + 300 + 290 + 100 - 85 = 1105."""


@pytest.fixture
def match(client: Client) -> str:
    """The address of a new match of this device."""
    return start(client)


BY_CARDS = {
    name: "" if name.startswith(("a.canastas", "a.cards")) else text for name, text in USUAL.items()
}
"""The same without what Noi laid."""
HELD = {"a.left": "10", "b.left": "10"}
"""Ten points in each side's hands."""


# ---------------------------------------------------------------- before counting


def test_the_page_says_what_holds_before_the_hand(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, hand(side(300, natural=3, red_threes=2, left=0), side(100, 40), "a"))
    page = client.get(counting(match))
    assert page.one("h1").text == "Smazzata 2"
    # 3 x 500 + 300 + 200 + 100 = 2100, so 90 from here; 100 - 40 = 60, so 50
    assert columns(page) == ["Noi apre con 90", "Loro apre con 50"]
    assert [page.one(id=f"total-{key}").text for key in "ab"] == ["2.100", "60"]
    live = page.one(id="live")
    facts = [fact.text for fact in live.one("ul").all("li")]
    assert facts[:2] == ["Per chiudere: almeno 1 canasta.", "Premio di chiusura: 100, in mano 200."]
    assert "2.100 punti prima di questa smazzata" in live.text


def test_the_fields_follow_the_rules_of_the_match(client: Client) -> None:
    three = client.get(counting(start(client, "tre")))
    assert len(columns(three)) == 3
    assert not three.all("input", name="a.canastas.concealed-canasta")
    getty = client.get(counting(start(client, preset="getty")))
    assert getty.one("input", name="a.canastas.concealed-canasta")
    assert "calata intera dalla mano" in getty.one("details", id="cards-b").text


def test_a_named_player_can_have_gone_out(client: Client) -> None:
    match = start(client, player_0_0="Anna", player_0_1="Bruno")
    page = client.get(counting(match))
    assert [(choice["value"]) for choice in page.all("input", name="out")] == [
        "a",
        "a.0",
        "a.1",
        "b",
        "nobody",
    ]


# ---------------------------------------------------------------- counting


def test_a_hand_by_totals_is_counted(client: Client, pad: Pad, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), USUAL)
    assert page.url == match
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert [each.hand for each in counted.sides] == [1320, 1105]
    assert pad.state(match_of(match), device(client)).open_hand is None


def test_a_hand_card_by_card_is_counted(client: Client, pad: Pad, match: str) -> None:
    typed = {
        "a.melds": "4xK 2x2 JK\n3xQ", "a.left.0": "A 4",
        "b.melds": "3xA", "b.left": "30", "out": "nobody",
    }  # fmt: skip
    type_and("save", client, client.get(counting(match)), typed)
    (counted,) = pad.state(match_of(match), device(client)).hands
    # 300 + (4x10 + 2x20 + 50) + 3x10 - (20 + 5) = 435; 3x20 - 30 = 30
    assert [each.hand for each in counted.sides] == [435, 30]


def test_cards_are_written_as_they_are_called_as_well(client: Client, pad: Pad, match: str) -> None:
    """Four kings, two twos and a joker: 40 + 40 + 50 = 130; three queens: 30; left a king and two
    fours: 20.
    """
    page = client.get(counting(match))
    typed = {
        "a.melds": "4 re, 2 pinelle e 1 jolly\ntre donne", "a.left": "0",
        "b.cards": "0", "b.left.0": "1 re 2 quattro", "out": "a",
    }  # fmt: skip
    told = check(client, page, typed)
    assert told is not None
    assert [meld.text for meld in told.one(id="a-melds-list").all("li")] == [
        "4 re, 2 pinelle e 1 jolly: canasta mista · 130 punti", "3 donne: combinazione · 30 punti",
    ]  # fmt: skip
    assert told.one(id="b-left-0-echo").text == "1 re e 2 quattro · 20 punti"
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
    given = {"a.melds": typed}
    told = check(client, page, given)
    assert told is not None
    assert any(asked in line for line in missing(told)), "still to be said"
    saved = type_and("save", client, page, given)
    assert form_of(saved)["a.melds"] == typed
    assert asked in saved.one(id="a-melds-messages").text


def test_penalties_fall_as_often_as_they_are_noted(client: Client, pad: Pad, match: str) -> None:
    page = client.get(counting(match))
    typed = {
        **USUAL,
        "b.penalties.draw-out-of-turn": "2",
        "b.house.0.points": "25",
        "b.house.0.reason": "carte guardate",
        "b.red_threes_held": "1",
    }
    type_and("save", client, page, typed)
    (counted,) = pad.state(match_of(match), device(client)).hands
    assert counted.sides[1].hand == 1105 - 2 * 100 - 25 - 500
    assert ("penalty", "house", -25) in [
        (line.item, line.code, line.points) for line in counted.sides[1].lines
    ]


def test_the_same_form_sent_twice_counts_once(client: Client, pad: Pad, match: str) -> None:
    page = client.get(counting(match))
    for _ in range(2):
        assert type_and("save", client, page, USUAL).url == match
    assert len(pad.state(match_of(match), device(client)).hands) == 1


def test_figures_are_typed_as_people_write_them_in_their_language(
    visit: Callable[..., Client], pad: Pad
) -> None:
    client = visit("en")
    match = start_english(client)
    typed = {
        **USUAL,
        "a.cards": "1,000",
        "a.canastas.natural-canasta": "4",
        "a.canastas.mixed-canasta": "0",
    }
    form = client.get(counting(match)).form("Save the hand")
    told = client.post(
        counting(match), {**Page.values(client.get(counting(match)), form), **typed, "do": "save"}
    )
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
    typed = {
        **USUAL,
        "a.canastas.natural-canasta": "0",
        "a.canastas.mixed-canasta": "",
        "b.left": "12",
    }
    page = type_and("save", client, client.get(counting(match)), typed)
    assert page.title == "Errore: Smazzata 1 – scorepad"
    chiusura = (
        "Noi: la chiusura non è possibile, serve almeno una canasta (qui: 0)."
        " Completa il conto o togli la chiusura."
    )
    dodici = "Loro: 12 punti non sono possibili: le carte valgono sempre multipli di 5. Controlla la cifra."
    assert page.errors == [chiusura, dodici]
    assert [link["href"] for link in page.one(class_="errors").all("a")] == ["#out", "#b-left"]
    rule = "Regola: Wikipedia: «Chiusura, punteggi e vittoria». Leggi la regola (si apre in un'altra pagina)"
    assert beside(page, "out") == [f"Errore: {chiusura} {rule}"]
    assert dodici in beside(page, "b.left")[0]
    assert page.one("input", id="b-left")["aria-invalid"] == "true"
    shown = form_of(page)
    assert {name: shown.get(name, "") for name in typed} == typed
    assert pad.state(match_of(match), device(client)).hands == []
    again = form_of(client.get(counting(match)))
    assert again["b.left"] == "12"


def test_a_refused_hand_leads_to_a_page_that_can_be_loaded_again(
    client: Client, pad: Pad, match: str
) -> None:
    page = client.get(counting(match))
    sent = {**page.values(page.form(SAVE)), **USUAL, "b.left": "12", "do": "save"}
    answer = client.raw.post(counting(match), data=sent)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{counting(match)}?errori=1")
    assert pad.open(match_of(match), device(client)).draft["b.left"] == "12"
    for _ in range(2):
        again = client.get(answer.headers["Location"])
        assert len(again.errors) == 1
        assert again.title.startswith("Errore: ")
    assert not client.get(counting(match)).errors, "while typing nothing is wrong yet"
    mended = type_and("save", client, again, {"b.left": "85"})
    assert mended.url == match


def test_a_blank_hand_is_refused_without_a_draft(client: Client, pad: Pad, match: str) -> None:
    page = send(client, client.get(counting(match)), "save")
    assert len(page.errors) == 5
    assert pad.open(match_of(match), device(client)).version == 0


@pytest.mark.parametrize(
    ("typed", "field", "told"),
    [
        (
            {"out": "nobody", "concealed": "on"},
            "concealed",
            "«Chiusura in mano» è segnato, ma nessuno ha chiuso",
        ),
        (
            {"out": "nobody", "discard": "6"},
            "discard",
            "È annotato l'ultimo scarto, ma nessuno ha chiuso",
        ),
        (
            {"out": "nobody", "discard_none": "on"},
            "discard_none",
            "«Ha chiuso senza scartare» è segnato, ma nessuno",
        ),
        (
            {"out": "a", "discard": "6", "discard_none": "on"},
            "discard_none",
            "e anche «senza scartare»",
        ),
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
    assert page.one(class_="errors").one("a")["href"] == f"#{field.replace('.', '-')}"
    assert told in beside(page, field)[0]
    assert "concealed" not in typed or page.one("input", id="concealed").has("checked")
    assert "discard_none" not in typed or page.one("input", id="discard_none").has("checked")
    chosen = [
        option["value"]
        for option in page.one("select", id="discard").all("option")
        if option.has("selected")
    ]
    assert chosen == [typed.get("discard", "")]
    assert pad.state(match_of(match), device(client)).hands == []


@pytest.mark.parametrize("field", ["a.melds", "a.opening", "b.left.0", "b.house.0.reason"])
def test_a_text_that_is_too_long_is_told_and_stays_whole(
    client: Client, pad: Pad, match: str, field: str
) -> None:
    long = "K " * 501
    typed = {
        **BY_CARDS, "a.melds": "7xK", "b.left": "", "b.left.0": "A",
        "b.house.0.points": "25", "b.house.0.reason": "fretta", field: long,
    }  # fmt: skip
    page = type_and("save", client, client.get(counting(match)), typed)
    side = "Noi" if field.startswith("a") else "Loro"
    told = f"{side}: Questo testo è troppo lungo: al massimo 1.000 caratteri. Accorcialo."
    assert page.errors == [told]
    assert told in beside(page, field)[0]
    assert pad.open(match_of(match), device(client)).draft[field] == long


def test_what_cannot_be_read_is_told_beside_its_field_and_stays(client: Client, match: str) -> None:
    typed = {**USUAL, "a.cards": "-335", "b.cards": "mille", "b.red_threes": "200", "out": ""}
    page = type_and("save", client, client.get(counting(match)), typed)
    assert (
        "Noi: Qui il meno non serve: scrivi solo il numero, lo toglie il segnapunti."
        in beside(page, "a.cards")[0]
    )
    assert "Loro: Qui serve un numero intero" in beside(page, "b.cards")[0]
    assert "al massimo 99" in beside(page, "b.red_threes")[0]
    assert beside(page, "out") == ["Errore: Di' chi ha chiuso, o che non ha chiuso nessuno."]
    assert len(page.errors) == 4
    assert page.one("input", id="a-cards")["value"] == "-335"
    assert page.one("input", id="b-cards")["value"] == "mille"


def test_problems_of_the_whole_hand_name_both_sides(client: Client, match: str) -> None:
    typed = {"a.melds": "4xK 3x2", "b.melds": "4xQ 3x2\n4xJ 3x2", **HELD}
    page = type_and("save", client, client.get(counting(match)), {**typed, "out": "nobody"})
    told = "Noi e Loro insieme hanno 9 pinelle: nel mazzo sono 8. Controlla le combinazioni e le carte in mano."
    assert page.errors == [told]
    assert beside(page, "hand") == []
    assert [told in beside(page, field)[0] for field in ("a.melds", "b.melds")] == [True, True]
    # To the last field that has some of it, the one to look at first.
    assert page.one(class_="errors").one("a")["href"] == "#b-melds"


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"a.red_threes": "3", "b.red_threes": "2"}, "b.red_threes"),
        ({"a.red_threes": "3", "b.red_threes_held": "2"}, "b.red_threes_held"),
        ({"a.red_threes": "5"}, "a.red_threes"),
        ({"a.red_threes": "4", "b.left": "", "b.left.0": "K 3r"}, "b.left.0"),
    ],
)
def test_too_many_red_threes_lead_to_a_field_that_has_some(
    client: Client, match: str, typed: dict[str, str], field: str
) -> None:
    page = type_and(
        "save",
        client,
        client.get(counting(match)),
        {**USUAL, "a.red_threes": "", "b.red_threes": "", **typed},
    )
    assert ["onori: nel mazzo sono 4" in error for error in page.errors] == [True]
    assert page.one(class_="errors").one("a")["href"] == f"#{field.replace('.', '-')}"
    assert page.one(id="bar-problems").one("a")["href"] == f"#{field.replace('.', '-')}"
    assert "onori: nel mazzo sono 4" in beside(page, field)[0]
    assert beside(page, "hand") == []


def test_the_opening_is_chosen_among_the_melds_without_a_script_too(
    client: Client, pad: Pad, match: str
) -> None:
    typed = {"a.melds": "3xA\n4xK", "a.left": "5", "b.cards": "0", "b.left": "5", "out": "nobody"}
    page = type_and("check", client, client.get(counting(match)), typed)
    page = type_and("opening.a.0", client, page, {})
    assert form_of(page)["a.opening"] == "3xA"
    pressed = {
        each["value"]: each["aria-pressed"]
        for each in page.all("button")
        if each.get("data-opening")
    }
    assert pressed == {"opening.a.0": "true", "opening.a.1": "false"}
    page = type_and("opening.a.1", client, page, {})
    page = type_and("opening.a.0", client, page, {})
    assert form_of(page)["a.opening"] == "4xK"
    # Four kings are 40: the opening takes 50.
    assert any("almeno 50 punti" in error for error in type_and("save", client, page, {}).errors)
    type_and("save", client, client.get(counting(match)), {"a.opening": "3xA"})
    assert len(pad.state(match_of(match), device(client)).hands) == 1


@pytest.mark.parametrize("meld", ["4xK 3r", "K 3r", "3xQ 2 3r", "3r 3r 3r"])
def test_a_red_three_in_a_meld_is_told_once_and_nothing_that_only_follows_from_it(
    client: Client, match: str, meld: str
) -> None:
    typed = {"a.melds": f"{meld}\n3xA", "b.cards": "0", "out": "nobody", **HELD}
    page = type_and("save", client, client.get(counting(match)), typed)
    assert [f"Noi: «{meld}»: Un 3 rosso non si cala mai" in error for error in page.errors] == [
        True
    ]


def test_an_opening_with_cards_that_were_not_laid_is_told_in_words(
    client: Client, match: str
) -> None:
    typed = {"a.melds": "5xK", "a.opening": "3xA", "b.cards": "0", "out": "nobody", **HELD}
    page = type_and("save", client, client.get(counting(match)), typed)
    told = (
        "Noi: Le carte dell'apertura devono essere tra quelle calate. Controlla le une e le altre."
    )
    assert page.errors == [told]
    assert page.one(class_="errors").one("a")["href"] == "#a-opening"
    assert page.one("textarea", id="a-opening").text == "3xA"


def test_a_warning_does_not_stop_the_hand(client: Client, pad: Pad, match: str) -> None:
    typed = {"a.melds": "3xK\n4xK", "b.cards": "0", "out": "nobody", **HELD}
    page = type_and("check", client, client.get(counting(match)), typed)
    assert "Attenzione: " in beside(page, "a.melds")[0]
    assert send(client, page, "save").url == match
    assert [
        found.code for found in pad.state(match_of(match), device(client)).hands[0].warnings
    ] == ["meld-rank-repeated"]


def test_an_expired_form_shows_what_was_typed_and_can_be_sent_again(
    client: Client, match: str
) -> None:
    page = type_and(
        "save", client, client.get(counting(match)), {**USUAL, "csrf_token": "old"}, 400
    )
    assert len(page.errors) == 1
    assert {name: form_of(page)[name] for name in USUAL} == USUAL
    assert page.one(id="kept").text == "", "nothing of it was kept"
    assert send(client, page, "save").url == match


def test_it_says_so_too_where_something_was_kept_before(client: Client, match: str) -> None:
    page = type_and("check", client, client.get(counting(match)), {"a.cards": "335"})
    assert "Bozza al sicuro" in page.one(id="kept").text
    page = type_and("save", client, page, {**USUAL, "csrf_token": "old"}, 400)
    assert page.one(id="kept").text == ""


def test_who_went_out_is_told_by_name_and_stays_so_when_somebody_else_takes_the_place(
    client: Client,
) -> None:
    match = start(client, player_0_0="Ada", player_0_1="Bruno")
    page = type_and("save", client, client.get(counting(match)), {**USUAL, "out": "a.1"})
    assert "Chiusura: Bruno (Noi)." in page.one("li", id="smazzata-1").text
    page = client.get(f"{match}/giocatore")
    page = client.submit(page, "Cambia il giocatore", seat="0-1", name="Carla")
    assert "Chiusura: Bruno (Noi)." in page.one("li", id="smazzata-1").text
    page = type_and("save", client, client.get(counting(match)), {**USUAL, "out": "a"})
    assert "Chiusura: Noi." in page.one("li", id="smazzata-2").text


def test_players_without_names_are_told_apart_in_narrow_columns(client: Client) -> None:
    page = client.get(counting(start(client, "tre")))
    heads = [head.one("bdi", class_="short").text for head in page.all("div", class_="entry-head")]
    assert heads == ["Giocat. 1", "Giocat. 2", "Giocat. 3"]


def test_the_page_fetched_again_after_a_refusal_tells_of_no_errors_and_still_offers_an_agreement(
    client: Client, match: str
) -> None:
    page = type_and(
        "save", client, client.get(counting(match)), {"a.cards": "100", **HELD, "out": "a"}
    )
    assert page.errors
    address = f"{counting(match)}?errori=1"
    again = Page(client.raw.get(address, headers={"Scorepad-Live": "1"}), address)
    assert not again.all(class_="errors")
    assert again.one("input", name="refused")["value"] == "1"


# ---------------------------------------------------------------- without JavaScript


def test_melds_are_typed_one_a_line_and_stand_for_the_figures(client: Client, match: str) -> None:
    page = type_and("check", client, client.get(counting(match)), {"b.melds": "3xK 2\n7xQ"})
    assert [meld.text for meld in page.one(id="b-melds-list").all("li")] == [
        "3 re e 1 pinella: combinazione · 50 punti", "7 donne: canasta naturale · 70 punti",
    ]  # fmt: skip
    derived = {
        name: page.one("input", id=f"b-{name}") for name in ("canastas-natural-canasta", "cards")
    }
    assert {name: field["placeholder"] for name, field in derived.items()} == {
        "canastas-natural-canasta": "1", "cards": "120",
    }  # fmt: skip
    assert all(field.has("readonly") for field in derived.values())
    page = type_and("check", client, page, {"b.melds": ""})
    assert not page.one("input", id="b-cards").has("readonly")


def test_totals_beside_cards_are_told_and_nothing_of_them_is_lost(
    client: Client, pad: Pad, match: str
) -> None:
    page = type_and(
        "save", client, client.get(counting(match)), {**USUAL, "a.melds": "7xK", "a.left.0": "A"}
    )
    assert page.errors == [
        "Noi: Ci sono sia i totali sia le carte: lascia gli uni o le altre.",
        "Noi: Le carte in mano ci sono sia in punti sia con le carte: lascia un modo solo.",
    ]
    shown = form_of(page)
    assert (shown["a.cards"], shown["a.melds"], shown["a.left"], shown["a.left.0"]) == (
        "335",
        "7xK",
        "15",
        "A",
    )
    assert pad.state(match_of(match), device(client)).hands == []


def test_the_first_button_of_the_form_only_checks(client: Client, match: str) -> None:
    form = client.get(counting(match)).form(SAVE)
    assert form.all("button")[0]["value"] == "check"


def test_the_next_hand_is_counted_as_the_last_one_was(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, hand({"melds": ["3xA"], "left": 20}, side(60, 20)))
    page = client.get(counting(match))
    assert [page.one("details", id=f"cards-{key}").has("open") for key in "ab"] == [True, False]


# ---------------------------------------------------------------- while typing


def test_the_live_check_keeps_the_draft_and_tells_what_it_comes_to(
    client: Client, pad: Pad, match: str
) -> None:
    told = check(client, client.get(counting(match)), USUAL)
    assert told is not None
    assert told.one(id="count-status").text == (
        "Noi: +1.320 in questa smazzata, 1.320 in tutto. Loro: +1.105 in questa smazzata, 1.105 in tutto."
    )
    assert told.one(id="kept").text.startswith("Bozza al sicuro alle ")
    kept = pad.open(match_of(match), device(client))
    assert {name: kept.draft[name] for name in USUAL} == USUAL
    assert told.one("input", name="version")["value"] == str(kept.version) == "1"


def test_what_is_still_missing_is_no_error_while_typing(client: Client, match: str) -> None:
    told = check(
        client, client.get(counting(match)), {"a.cards": "335", "a.red_threes": "1", **HELD}
    )
    assert told is not None
    assert missing(told) == [
        "Quanti punti sono stati calati da Loro? (0 se nessuno)",
        "Di' chi ha chiuso, o che non ha chiuso nessuno.",
    ]
    assert not told.one(id="bar-problems").all("li")
    assert sums(told) == ["+425", "–"]


def test_a_meld_that_still_grows_is_not_called_wrong(client: Client, match: str) -> None:
    typed = {
        "a.melds": "3xQ\n2xK",
    }
    told = check(client, client.get(counting(match)), typed)
    assert told is not None
    assert beside(told, "a.melds")[0].startswith("Da finire: Noi: «2xK»: ")
    page = type_and("save", client, client.get(counting(match)), typed)
    assert beside(page, "a.melds")[0].startswith("Errore: ")


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
    told = check(client, client.get(counting(match)), {"a.melds": cards})
    assert told is not None
    notes = [note for note in beside(told, "a.melds") if "apre con" not in note]
    assert notes
    assert all(note.startswith(tone) for note in notes)
    assert told.one("textarea", id="a-melds").has("aria-invalid") == (tone == "Errore: ")


def test_melds_that_do_not_reach_the_opening_yet_are_unfinished_until_they_are_saved(
    client: Client, match: str
) -> None:
    typed = {"a.melds": "3xK", "b.cards": "0", "out": "nobody", **HELD}
    told = check(client, client.get(counting(match)), typed)
    assert told is not None
    assert [
        note.startswith("Da finire: Noi: in questa smazzata si apre con almeno 50")
        for note in beside(told, "a.melds")
    ] == [True]
    page = type_and("save", client, client.get(counting(match)), typed)
    assert page.one(class_="errors").one("a")["href"] == "#a-melds"


def test_black_threes_wait_for_who_went_out_and_no_longer(client: Client, match: str) -> None:
    typed = {"a.melds": "7xK\n3x3b", "b.cards": "0", **HELD}
    for out, tone in (("", "Da finire: "), ("nobody", "Errore: ")):
        told = check(client, client.get(counting(match)), {**typed, "out": out})
        assert told is not None
        assert [note.startswith(tone) for note in beside(told, "a.melds")] == [True]


def test_beside_a_mistake_of_the_one_stands_the_count_of_the_other(
    client: Client, match: str
) -> None:
    told = check(client, client.get(counting(match)), {**USUAL, "a.left": "12"})
    assert told is not None
    assert sums(told) == ["–", "+1.105"]
    noi, loro = told.all(class_="live-side")
    assert noi.all("p")[-1].text == "Il conto compare quando gli errori sono corretti."
    assert "Totale 1.105" in loro.text


def test_where_a_mistake_is_everybodys_no_count_is_told_and_where_something_is_missing_that_is_said(
    client: Client, match: str
) -> None:
    none, mending = (
        "Il conto compare quando c'è tutto.",
        "Il conto compare quando gli errori sono corretti.",
    )
    for typed, waits in (
        ({**USUAL, "a.red_threes": "3", "b.red_threes": "3"}, [mending, mending]),
        ({**USUAL, "a.cards": "mille"}, [mending]),
        ({**USUAL, "a.cards": ""}, [none]),
        ({**USUAL, "a.cards": "", "b.left": "12"}, [none, mending]),
        ({**BY_CARDS, "a.melds": "Z"}, [mending]),
        ({**BY_CARDS, "a.melds": "2xK", "out": "nobody"}, [none]),
    ):
        told = check(client, client.get(counting(match)), typed)
        assert told is not None
        assert [
            each.all("p")[-1].text
            for each in told.all(class_="live-side")
            if len(each.all("p")) > 1
        ] == waits


def test_where_red_threes_pass_to_the_others_no_count_is_told_beside_a_mistake(
    client: Client,
) -> None:
    match = start(client, option_red_threes_unopened="to-opponents")
    told = check(client, client.get(counting(match)), {**USUAL, "a.left": "12"})
    assert told is not None
    assert sums(told) == ["–", "–"]


def test_a_concealed_going_out_is_called_so_while_it_is_counted(client: Client, match: str) -> None:
    for typed, name in (({}, "Chiusura"), ({"concealed": "on"}, "Chiusura in mano")):
        told = check(client, client.get(counting(match)), {**USUAL, **typed})
        assert told is not None
        assert name in [term.text for term in told.all("dt")]


def test_a_correction_is_checked_and_not_kept(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, ALL_GOOD)
    told = check(client, client.get(f"{match}/smazzate/1/correggi"), {"a.cards": "155"})
    assert told is not None
    assert sums(told) == ["+435", "+60"]  # 300 + 155 - 20; 100 - 40
    assert pad.state(match_of(match), device(client)).open_hand is None


def test_the_check_refuses_a_form_without_token(client: Client, match: str) -> None:
    assert check(client, client.get(counting(match)), {"csrf_token": ""}) is None


# ---------------------------------------------------------------- somebody else was quicker


def test_two_pages_on_one_hand_show_both_values_and_one_is_chosen(
    client: Client, pad: Pad, match: str
) -> None:
    first, second = client.get(counting(match)), client.get(counting(match))
    type_and("check", client, first, {"a.cards": "300"})
    assert check(client, second, {"a.cards": "310"}) is None
    page = type_and("check", client, second, {"a.cards": "310", "out": "b"}, 409)
    rows = [[cell.text for cell in row.all("th", "td")] for row in page.one("tbody").all("tr")]
    assert rows == [["Noi: Carte calate", "300", "310"], ["Chi ha chiuso?", "niente", "Loro"]]
    assert pad.open(match_of(match), device(client)).draft["a.cards"] == "300"
    assert (
        client.get(page.links()["Tieni quello che c'è"]).one("input", id="a-cards")["value"]
        == "300"
    )
    mine = client.submit(page, "Tieni quello che ho scritto io")
    assert mine.one("input", id="a-cards")["value"] == "310"


def test_what_does_not_count_is_no_conflict_and_is_kept_from_both(
    client: Client, pad: Pad, match: str
) -> None:
    first, second = client.get(counting(match)), client.get(counting(match))
    agreed = {**USUAL, "b.sum": "1105"}  # beside a sum the rest of the side does not count
    type_and("check", client, first, {**agreed, "b.melds": "5x7"})
    mine = {
        **agreed,
        "a.cards": " 335 ",
        "a.red_threes": "01",
        "b.cards": "",
        "a.red_threes_held": "0",
        "b.sum": "1.105",
    }
    told = check(client, second, mine)
    assert told is not None
    kept = pad.open(match_of(match), device(client))
    assert kept.version == 2
    wanted = {"a.cards": " 335 ", "b.melds": "5x7", "b.cards": "290", "b.sum": "1.105"}
    assert {name: kept.draft[name] for name in wanted} == wanted
    assert told.answer.headers["Scorepad-Joined"] == "1"
    assert told.one("textarea", id="b-melds").text == "5x7"
    page = type_and("save", client, second, mine)
    assert page.url == match
    assert [each.hand for each in pad.state(match_of(match), device(client)).hands[0].sides] == [
        1320,
        1105,
    ]


@pytest.mark.parametrize("mine", ["2x2 5xQ\n4x4", "Q Q 2 Q Q 2 Q / 4 4 4 4"])
def test_the_same_cards_otherwise_written_are_no_conflict(
    client: Client, match: str, mine: str
) -> None:
    first, second = client.get(counting(match)), client.get(counting(match))
    type_and("check", client, first, {"a.cards": "0", "b.melds": "4x4\n5xQ 2x2"})
    assert check(client, second, {"a.cards": "0", "b.melds": mine}) is not None


def test_cards_instead_of_totals_are_a_conflict_that_says_what_does_not_count(
    client: Client, match: str
) -> None:
    first, second = client.get(counting(match)), client.get(counting(match))
    type_and("check", client, first, {"a.cards": "100", "b.sum": "50", "b.melds": "3xA"})
    page = type_and(
        "check",
        client,
        second,
        {"a.cards": "90", "a.melds": "7xK", "b.sum": "50", "b.melds": "3xQ"},
        409,
    )
    rows = [[cell.text for cell in row.all("th", "td")] for row in page.one("tbody").all("tr")]
    assert rows == [
        ["Noi: Carte calate", "100", "90"],
        ["Noi: Combinazioni calate", "niente", "7xK"],
        ["Loro: Combinazioni calate (non conta)", "3xA", "3xQ"],
    ]


def test_the_same_hand_saved_from_two_pages_is_told_and_saved_once(
    client: Client, pad: Pad, match: str
) -> None:
    late = client.get(counting(match))
    type_and("save", client, client.get(counting(match)), USUAL)
    page = type_and("save", client, late, {**USUAL, "a.cards": "0335", "b.red_threes_held": "0"})
    assert page.url == match
    told = "La smazzata 1 era già stata salvata da un altro telefono o da un'altra pagina, con lo stesso conto."
    assert page.notices == [told]
    assert len(pad.state(match_of(match), device(client)).hands) == 1


def test_a_hand_that_was_saved_meanwhile_can_be_corrected_with_what_was_typed(
    client: Client, pad: Pad, match: str
) -> None:
    late = client.get(counting(match))
    type_and("save", client, client.get(counting(match)), USUAL)
    page = type_and("save", client, late, {**USUAL, "a.cards": "340"}, 409)
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
        assert (
            type_and("check", client, page, {"a.cards": "335"}).one("input", id="a-cards")["value"]
            == "335"
        )


# ---------------------------------------------------------------- corrections


def test_a_past_hand_is_shown_as_it_was_counted_and_corrected_with_a_note(
    client: Client, pad: Pad, match: str
) -> None:
    play(pad, client, match, ALL_GOOD, ALL_GOOD)
    page = client.get(f"{match}/smazzate/1/correggi")
    shown = form_of(page, CORRECT)
    assert (shown["a.cards"], shown["a.canastas.mixed-canasta"], shown["a.left"], shown["out"]) == (
        "150",
        "1",
        "20",
        "nobody",
    )
    assert (
        type_and("save", client, page, {"a.cards": "250", "reason": "un re di troppo"}).url == match
    )
    state = pad.state(match_of(match), device(client))
    assert [hand.sides[0].total for hand in state.hands] == [530, 960]
    assert state.hands[0].versions[-1].event.reason == "un re di troppo"
    assert state.open_hand is None


def test_a_correction_that_cannot_be_is_refused_and_keeps_note_and_figures(
    client: Client, pad: Pad, match: str
) -> None:
    play(pad, client, match, ALL_GOOD)
    page = type_and(
        "save",
        client,
        client.get(f"{match}/smazzate/1/correggi"),
        {"a.left": "7", "reason": "perché sì"},
        422,
    )
    assert page.title.startswith("Errore: ")
    assert (form_of(page, CORRECT)["a.left"], form_of(page, CORRECT)["reason"]) == (
        "7",
        "perché sì",
    )


def test_a_note_that_is_too_long_is_told_and_stays_whole(
    client: Client, pad: Pad, match: str
) -> None:
    play(pad, client, match, ALL_GOOD)
    page = client.get(f"{match}/smazzate/1/correggi")
    page = type_and("save", client, page, {"a.cards": "250", "reason": "n" * 301}, 422)
    assert page.errors == ["Questo testo è troppo lungo: al massimo 300 caratteri. Accorcialo."]
    assert page.one(class_="errors").one("a")["href"] == "#reason"
    assert page.errors[0] in beside(page, "reason")[0]
    assert form_of(page, CORRECT)["reason"] == "n" * 301
    assert len(pad.state(match_of(match), device(client)).hands[0].versions) == 1


def test_the_same_correction_twice_is_no_conflict(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, ALL_GOOD)
    first, second = (
        client.get(f"{match}/smazzate/1/correggi"),
        client.get(f"{match}/smazzate/1/correggi"),
    )
    type_and("save", client, first, {"a.cards": "250"})
    assert type_and("save", client, second, {"a.cards": "250"}).url == match
    assert len(pad.state(match_of(match), device(client)).hands[0].versions) == 2


def test_two_corrections_at_once_show_both_values(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, ALL_GOOD)
    first, second = (
        client.get(f"{match}/smazzate/1/correggi"),
        client.get(f"{match}/smazzate/1/correggi"),
    )
    type_and("save", client, first, {"a.cards": "250"})
    page = type_and("save", client, second, {"a.cards": "255", "reason": "mia"}, 409)
    assert [cell.text for cell in page.one("tbody").all("td")] == ["250", "255"]
    page = client.submit(page, "Correggi con quello che ho scritto io")
    assert form_of(page, CORRECT)["reason"] == "mia"
    send(client, page, "save")
    assert pad.state(match_of(match), device(client)).hands[0].sides[0].hand == 535


def test_a_hand_that_is_not_there_cannot_be_corrected(client: Client, match: str) -> None:
    client.get(f"{match}/smazzate/1/correggi", 404)


def test_an_undone_hand_is_open_again_as_it_was_typed(client: Client, match: str) -> None:
    page = type_and("save", client, client.get(counting(match)), {**USUAL, "a.cards": " 335 "})
    client.submit(page, "Annulla")
    assert form_of(client.get(counting(match)))["a.cards"] == " 335 "


def test_a_finished_match_has_no_hand_to_count(client: Client, pad: Pad, match: str) -> None:
    great = hand(
        side(300, natural=4, red_threes=4), side(0, 40), "a"
    )  # 2000 + 300 + 800 + 100 = 3200
    play(pad, client, match, great, great)
    assert client.get(counting(match)).url == match


def test_another_device_counts_nothing_here(visit: Callable[..., Client], match: str) -> None:
    stranger = visit()
    stranger.get(counting(match), 404)
    stranger.get(f"{match}/smazzate/1/correggi", 404)


def test_names_are_text_and_never_markup(client: Client) -> None:
    match = start(client, name_0="<b>Noi</b>", name_1="Loro & C.")
    page = type_and("save", client, client.get(counting(match)), {"a.cards": "<script>"})
    assert page.one("input", id="a-cards")["value"] == "<script>"
    assert columns(page)[0].startswith("<b>Noi</b>")


def test_the_page_is_small_on_the_wire(client: Client, match: str) -> None:
    answer = client.raw.get(counting(match), headers={"Accept-Encoding": "gzip"})
    assert len(answer.data) < 14_000


@pytest.mark.parametrize(
    ("language", "save", "wrong"),
    [("it", SAVE, "non va"), ("en", "Save the hand", "not valid")],
)
def test_a_meld_that_breaks_a_rule_is_called_so_in_either_language(
    visit: Callable[..., Client], language: str, save: str, wrong: str
) -> None:
    """A meld may have three wild cards at most, and this one of queens has four."""
    client = visit(language)
    page = client.get(counting(start(client)))
    form = page.form(save)
    typed = {"a.melds": "5xQ 4x2\n4xK", "a.left.0": "9", "do": "check"}
    told = client.post(form["action"], page.values(form) | typed)
    queens, kings = (meld.text for meld in told.one("ol", id="a-melds-list").all("li"))
    assert wrong in queens
    assert wrong not in kings

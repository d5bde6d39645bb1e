"""What else happens to a match: penalties, notes, ends agreed, players replaced, other rules, a
rematch, no match.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from scorepad.matches import Pad
from scorepad.matches.access import Access
from scorepad.matches.events import EndHow, Ending
from scorepad.matches.keys import NO_KEYS
from scorepad.matches.projection import MatchState
from scorepad.web.cookies import VIEW_COOKIE, WRITE_COOKIE
from tests.web.client import Client, Page
from tests.web.counting import counting, form_of, type_and
from tests.web.playing import ALL_GOOD, device, hand, match_of, play, side, start

PAGES = ("penalita", "fine", "giocatore", "regole", "cancella", "smazzate/1/annotazione")


def state_of(pad: Pad, client: Client, url: str) -> MatchState:
    return pad.state(match_of(url), device(client))


def draft(pad: Pad, client: Client, url: str) -> dict[str, str]:
    there = state_of(pad, client, url).open_hand
    return dict(there.draft) if there else {}


def noted(pad: Pad, client: Client, url: str) -> list[tuple[int, str]]:
    """The penalties noted for the hand being played."""
    return [(each.side, each.code) for each in state_of(pad, client, url).noted_penalties]


def undo(client: Client, url: str, button: str) -> Page:
    return client.submit(client.get(url), button)


def note(client: Client, url: str, side: str, code: str = "draw-out-of-turn", **more: str) -> Page:
    """Note a penalty for the hand being played."""
    page = client.get(f"{url}/penalita")
    return client.submit(page, "Segna la penalità", side=side, code=code, **more)


def end(client: Client, url: str, how: str, **more: str) -> Page:
    return client.submit(client.get(f"{url}/fine"), "Finisce così", how=how, **more)


def guest(visit: Callable[..., Client], pad: Pad, url: str, client: Client, may: Access) -> Client:
    """Another phone, which came into the match by a new key."""
    other = visit()
    key = pad.devices.renew_key(match_of(url), device(client), may, NO_KEYS)
    other.get(f"/e/{key.write or key.view}")
    return other


def choices(page: Page) -> dict[str, str]:
    """What each choice says, by the value that is sent."""
    found = page.all(class_="choice")
    return {each.one("input")["value"]: each.one("label").text for each in found}


# ---------------------------------------------------------------- penalties


def test_a_penalty_waits_in_the_open_hand_until_the_count(client: Client, pad: Pad) -> None:
    url = start(client)
    assert not client.get(url).all("p", class_="noted")
    page = note(client, url, "1")
    assert page.url == url
    assert page.notices == ["Penalità segnata: Loro, −100. Si conta con la smazzata."]
    told = page.one("p", class_="noted").text
    assert told.startswith("Penalità in questa smazzata: Loro: ")
    assert told in client.get(f"{url}/tabellone").one(id="board-facts").text
    assert "Nuova smazzata" in page.links(), "nothing is typed of it"
    hand_page = client.get(counting(url))
    assert hand_page.one(id="b-noted").all("span")[0].text == "Pescata fuori turno, −100"
    assert hand_page.one(id="b-noted")["data-points"] == "-100"
    assert hand_page.one("small", id="more-b-summary").text == "Pescata fuori turno, −100"
    typed = {"out": "nobody", "a.cards": "0", "a.left": "20", "b.cards": "100", "b.left": "40"}
    checked = type_and("check", client, hand_page, typed)
    assert checked.one("output", id="other-b").text == "−100"
    assert type_and("save", client, checked, typed).errors == []
    # 100 − 40 − 100: G, "Calcolo delle penalità"
    assert [made.hand for made in state_of(pad, client, url).hands[0].sides][1] == -40
    for path in (url, f"{url}/tabellone"):
        assert "Penalità in questa smazzata" not in client.get(path).text


def test_penalties_are_listed_with_their_points_and_reasons_as_often_as_they_are_noted(
    client: Client,
) -> None:
    url = start(client)
    for _ in range(2):
        note(client, url, "0", "meld-out-of-turn-partner")
    note(client, url, "0", "house", points="1.000", reason="mazzo caduto")
    told = client.get(f"{url}/penalita").one("section", aria_labelledby="noted")
    assert [row.text for row in told.all("li")] == [
        *["Noi: Calata nel turno del compagno, −200"] * 2,
        "Noi: Penalità della casa, −1.000 (mazzo caduto)",
    ]
    assert told.one("a")["href"] == f"{url}/smazzata"
    assert client.get(counting(url)).one(id="a-noted")["data-points"] == "-1400"


def test_every_penalty_of_the_game_is_told_with_its_points_and_its_source(client: Client) -> None:
    page = client.get(f"{start(client)}/penalita")
    told = choices(page)
    assert told["red-three-not-exposed"] == "3 rosso non esposto: −500"
    shared = "Giochi di carte: «Calcolo delle penalità»"
    assert page.text.count(shared) == 1, "told once for all that it speaks of"
    assert "Giochi di carte: «Permesso di chiusura»" in told["permission-then-no-out"]
    assert "Il pozzo si rimette com'era." in told["pile-taken-without-meld"]
    assert "I punti e il motivo li decidete voi" in told["house"]


def test_what_was_typed_of_the_hand_stays_as_it_is(client: Client, pad: Pad) -> None:
    url = start(client)
    typed = {"a.cards": "150", "a.house.0.points": "30", "a.house.0.reason": "vino"}
    type_and("check", client, client.get(counting(url)), typed)
    note(client, url, "0", "house", points="25", reason="fretta")
    assert draft(pad, client, url) == typed
    whole = {"a.left": "20", "b.cards": "100", "b.left": "40", "out": "nobody"}
    type_and("save", client, client.get(counting(url)), whole)
    # 150 − 20 − 30 − 25; 100 − 40
    assert [side.hand for side in state_of(pad, client, url).hands[0].sides] == [75, 60]
    corrected = client.get(f"{url}/smazzate/1/correggi")
    points = [corrected.one("input", name=f"a.house.{row}.points")["value"] for row in range(2)]
    assert points == ["30", "25"]


def test_a_noted_penalty_is_taken_back_where_the_hand_is_counted(client: Client, pad: Pad) -> None:
    url = start(client)
    for whose in ("0", "1"):
        note(client, url, whose)
    page = client.get(counting(url))
    button = page.one(id="a-noted").one("button")
    assert button.text == "Togli"
    assert page.one(id=button["aria-describedby"]).text == "Pescata fuori turno, −100"
    back = type_and(button["value"], client, page, {"a.cards": "150"})
    assert back.notices == ["Penalità annullata."]
    assert noted(pad, client, url) == [(1, "draw-out-of-turn")]
    assert draft(pad, client, url) == {"a.cards": "150"}
    type_and(button["value"], client, page, {"a.cards": "150"})  # sent twice, it is one
    assert noted(pad, client, url) == [(1, "draw-out-of-turn")]
    assert client.submit(client.get(url), "Rifai").notices == ["Penalità rimessa."]
    assert noted(pad, client, url) == [(0, "draw-out-of-turn"), (1, "draw-out-of-turn")]


def test_a_penalty_noted_beside_a_sum_is_asked_about_at_the_sum(client: Client, pad: Pad) -> None:
    url = start(client)
    note(client, url, "1")
    page = client.get(counting(url))
    page = type_and("save", client, page, {"a.sum": "430", "b.sum": "60"})
    assert page.errors == [
        "La somma è già tutto compreso: togli le penalità segnate di Loro, o la somma."
    ]
    assert state_of(pad, client, url).hands == []
    page = type_and(page.one(id="b-noted").one("button")["value"], client, page, {})
    type_and("save", client, page, {})
    assert [side.total for side in state_of(pad, client, url).sides] == [430, 60]


def test_a_hand_counted_by_cards_before_begins_by_cards_with_its_penalty(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    play(pad, client, url, {"sides": {"a": {"melds": ["7xQ"]}, "b": {"left": "4"}}, "out": None})
    note(client, url, "1")
    assert client.get(counting(url)).one("details", id="cards-a").has("open")


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ({}, {"side": "Scegli di chi è la penalità.", "code": "Scegli quale penalità."}),
        ({"side": "7", "code": "schiaffo"}, {"side": "Scegli di chi è la penalità.", "code": "Scegli quale penalità."}),
        (
            {"side": "0", "code": "house"},
            {
                "points": "Quanti punti toglie la penalità della casa?",
                "reason": "Qual è il motivo della penalità della casa?",
            },
        ),
        (
            {"side": "0", "code": "house", "points": "-50", "reason": "fretta"},
            {"points": "Scrivi i punti senza il segno meno: si tolgono da soli."},
        ),
        *(
            (
                {"side": "0", "code": "house", "points": points, "reason": "fretta"},
                {"points": "I punti della penalità sono un multiplo di 5 in cifre, più grande di zero."},
            )
            for points in ("0", "52", "tanti", "99999999")
        ),
        (
            {"side": "0", "code": "house", "points": "50", "reason": "x" * 301},
            {"reason": "Il testo è troppo lungo: al massimo 300 caratteri."},
        ),
        (
            {"side": "0", "code": "draw-out-of-turn", "points": "", "reason": "Ugo"},
            {
                "points": "Punti e motivo valgono solo per la penalità della casa. "
                "Scegli quella, o cancella quello che c'è scritto."
            },
        ),
    ],
)  # fmt: skip
def test_a_penalty_that_cannot_be_is_refused_beside_its_field(
    client: Client, pad: Pad, typed: dict[str, str], wrong: dict[str, str]
) -> None:
    url = start(client)
    page = client.submit(client.get(f"{url}/penalita"), "Segna la penalità", 422, **typed)
    assert page.errors == list(wrong.values())
    assert {field: page.one("p", id=f"{field}-error").text for field in wrong} == wrong
    for field in ("points", "reason"):
        assert page.one("input", name=field)["value"] == typed.get(field, "")
    assert noted(pad, client, url) == []


def test_the_same_penalty_form_sent_twice_is_one_penalty(client: Client, pad: Pad) -> None:
    url = start(client)
    page = client.get(f"{url}/penalita")
    for _ in range(2):
        assert (
            client.submit(page, "Segna la penalità", side="1", code="draw-out-of-turn").url == url
        )
    assert noted(pad, client, url) == [(1, "draw-out-of-turn")]
    other = client.submit(page, "Segna la penalità", 409, side="0", code="draw-out-of-turn")
    assert "Da questa pagina era già stato mandato altro" in other.errors[0]
    client.submit(other, "Segna la penalità")
    assert noted(pad, client, url) == [(1, "draw-out-of-turn"), (0, "draw-out-of-turn")]


def test_a_penalty_for_a_hand_that_was_counted_meanwhile_is_asked_again(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    page = client.get(f"{url}/penalita")
    play(pad, client, url, ALL_GOOD)
    stale = client.submit(page, "Segna la penalità", 409, side="1", code="draw-out-of-turn")
    assert "Se vale per la smazzata 2, premi di nuovo il pulsante." in stale.errors[0]
    assert noted(pad, client, url) == []
    client.submit(stale, "Segna la penalità")
    assert noted(pad, client, url) == [(1, "draw-out-of-turn")]


def test_in_mini_there_is_no_penalty_to_note(client: Client, pad: Pad) -> None:
    url = start(client, "mini")
    assert "Segna una penalità" not in client.get(url).links()
    page = client.get(f"{url}/penalita")
    assert "In questo gioco non ci sono penalità." in page.text
    assert not page.all("button")
    token = client.get(f"{url}/fine").values(client.get(f"{url}/fine").form("Finisce così"))
    client.post(
        f"{url}/penalita",
        {**token, "side": "0", "code": "house", "points": "5", "reason": "x"},
        422,
    )
    assert noted(pad, client, url) == []


# ---------------------------------------------------------------- notes


def test_a_note_stands_beside_its_hand_and_goes_when_it_is_emptied(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    text = " Ugo ha\r\nchiuso  subito </textarea><b> "
    page = client.get(f"{url}/smazzate/1/annotazione")
    answer = client.raw.post(page.url, data=page.values(page.form("Salva")) | {"text": text})
    assert answer.headers["Location"] == f"{url}#smazzata-1"
    assert client.submit(page, "Salva", text=text).url == url, "sent twice, it is one"
    kept = "Ugo ha chiuso subito </textarea><b>"
    assert f"Annotazione: {kept}" in client.get(url).text
    page = client.get(f"{url}/smazzate/1/annotazione")
    assert page.values(page.form("Salva"))["text"] == kept
    client.submit(page, "Salva", text="")
    assert state_of(pad, client, url).hands[0].remark == ""
    for remark in (kept, ""):
        undo(client, url, "Annulla l'annotazione alla smazzata 1")
        assert state_of(pad, client, url).hands[0].remark == remark
    assert "Annulla la smazzata 1" in client.get(url).text


def test_a_note_of_300_characters_and_no_more(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    page = client.get(f"{url}/smazzate/1/annotazione")
    refused = client.submit(page, "Salva", 422, text="x" * 301)
    assert refused.errors == ["Il testo è troppo lungo: al massimo 300 caratteri."]
    assert refused.values(refused.form("Salva"))["text"] == "x" * 301
    client.submit(refused, "Salva", text="x" * 300)
    assert state_of(pad, client, url).hands[0].remark == "x" * 300


def test_a_note_that_somebody_wrote_meanwhile_is_shown_and_not_written_over_unseen(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    first, second = (client.get(f"{url}/smazzate/1/annotazione") for _ in range(2))
    client.submit(first, "Salva", text="prima")
    stale = client.submit(second, "Salva", 409, text="seconda")
    assert stale.errors == [
        "Intanto qualcuno ha scritto: «prima». Se salvi, al suo posto resta quello che c'è qui sotto."
    ]
    assert state_of(pad, client, url).hands[0].remark == "prima"
    assert stale.values(stale.form("Salva"))["text"] == "seconda"
    client.submit(stale, "Salva")
    assert state_of(pad, client, url).hands[0].remark == "seconda"


def test_a_note_on_a_hand_that_was_undone_meanwhile_says_so(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    page = client.get(f"{url}/smazzate/1/annotazione")
    undo(client, url, "Annulla la smazzata 1")
    shown = client.submit(page, "Salva", text="bella")
    assert shown.notices == [
        "Intanto la smazzata 1 è stata annullata: l'annotazione non è salvata."
    ]
    client.get(f"{url}/smazzate/1/annotazione", 404)


# ---------------------------------------------------------------- ends


def leading(client: Client, pad: Pad) -> str:
    """A match at 430 to 60."""
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    return url


def test_each_end_says_who_wins_by_it_right_now(client: Client, pad: Pad) -> None:
    url = start(client)
    assert "Siete pari, 0 a 0: non vince nessuno." in client.get(f"{url}/fine").text
    play(pad, client, url, ALL_GOOD)
    told = choices(client.get(f"{url}/fine"))
    assert list(told) == ["last-hand", "hands", "time", "given-up:0", "given-up:1", "broken-off"]
    assert (
        "Dopo la smazzata 2 vince chi è avanti. Avanti adesso: Noi, 430 a 60."
        in (told["last-hand"])
    )
    assert told["hands"].endswith("Poi vince chi è avanti. Avanti adesso: Noi, 430 a 60.")
    assert told["time"].endswith("Vince chi è avanti: Noi, 430 a 60.")
    assert told["given-up:0"] == "Si arrende: Noi Vince: Loro."
    assert told["broken-off"].startswith("Interrotta: nessuno vince")


def test_of_three_the_others_go_on_to_be_compared_where_one_gives_up(
    client: Client, pad: Pad
) -> None:
    url = start(client, "tre", name_0="Ada", name_1="Bea", name_2="Cleo")
    none = side(0, 0)
    play(pad, client, url, {"sides": {"a": side(200), "b": side(150), "c": none}, "out": None})
    page = client.get(f"{url}/fine")
    assert "Si arrende: Ada Tra gli altri vince chi è avanti: Bea, 150 a 0." in page.text
    assert "Vince chi è avanti: Ada, 200 a 150 e 0." in page.text
    client.submit(page, "Finisce così", how="given-up:0")
    assert state_of(pad, client, url).status.winner == 1


@pytest.mark.parametrize(
    ("how", "ending", "winner", "told"),
    [
        ("time", Ending(EndHow.TIME), 0, "Tempo scaduto dopo 1 smazzata."),
        ("given-up:0", Ending(EndHow.GIVEN_UP, side=0), 1, "Resa di Noi dopo 1 smazzata."),
        ("given-up:1", Ending(EndHow.GIVEN_UP, side=1), 0, "Resa di Loro dopo 1 smazzata."),
        ("broken-off", Ending(EndHow.BROKEN_OFF), None, "Interrotta dopo 1 smazzata."),
    ],
)
def test_a_match_ends_at_once_and_undo_takes_it_back(
    client: Client, pad: Pad, how: str, ending: Ending, winner: int | None, told: str
) -> None:
    url = leading(client, pad)
    page, replacing = client.get(f"{url}/fine"), client.get(f"{url}/giocatore")
    client.submit(page, "Finisce così", how=how)
    ended = client.submit(page, "Finisce così", how=how)  # sent twice, it is one
    state = state_of(pad, client, url)
    assert (state.status.finished, state.ending, state.status.winner) == (True, ending, winner)
    assert (ended.url, ended.one(class_="ended").all("p")[1].text) == (url, told)
    late = client.submit(replacing, "Cambia il giocatore", seat="0-0", name="Cleo")
    for shown in (client.get(f"{url}/fine"), late):
        assert shown.notices == ["La partita è già finita."]
    undone = undo(client, url, "Annulla la fine della partita")
    assert undone.notices == ["Fine della partita annullata."]
    assert (state_of(pad, client, url).ending, undone.all(class_="ended")) == (None, [])


@pytest.mark.parametrize(
    ("chosen", "hands", "told"),
    [
        ({"how": "last-hand"}, 2, "La prossima smazzata è l'ultima: così avete deciso."),
        ({"how": "hands", "number": "3"}, 3, "la smazzata 3"),
    ],
    ids=["the next one", "the third one"],
)
def test_a_last_hand_is_agreed_and_ends_the_match_when_it_is_counted(
    client: Client, pad: Pad, chosen: dict[str, str], hands: int, told: str
) -> None:
    url = leading(client, pad)
    page = end(client, url, **chosen)
    assert state_of(pad, client, url).ending.hands == hands
    for shown in (page, client.get(f"{url}/fine")):
        assert told in shown.text
    for _ in range(hands - 1):
        assert not state_of(pad, client, url).status.finished
        play(pad, client, url, ALL_GOOD)
    state = state_of(pad, client, url)
    assert (state.status.finished, state.status.winner) == (True, 0)


def test_hands_are_numbered_from_those_on_paper_on(client: Client, pad: Pad) -> None:
    url = start(client, "hand-and-foot", carried_0="100", carried_1="0", played="1")
    page = client.get(f"{url}/fine")
    assert "Smazzate giocate finora: 1." in page.text
    small = client.submit(page, "Finisce così", 422, how="hands", number="1")
    assert small.errors == ["La smazzata 1 è già giocata. Il numero più piccolo è 2."]
    large = client.submit(small, "Finisce così", 422, how="hands", number="4")
    assert large.errors == ["Si finisce comunque con la smazzata 4: scrivi un numero più piccolo."]
    client.submit(large, "Finisce così", how="hands", number="3")
    assert state_of(pad, client, url).ending == Ending(EndHow.HANDS, hands=2)


@pytest.mark.parametrize(
    ("typed", "field", "error"),
    [
        ({}, "how", "Scegli come finisce la partita."),
        ({"how": "given-up:2"}, "how", "Scegli come finisce la partita."),
        ({"how": "hands"}, "number", "Fino a quale smazzata si gioca?"),
        ({"how": "hands", "number": "tre"}, "number", "Il numero della smazzata si scrive in cifre, per esempio 3."),
        ({"how": "hands", "number": "-3"}, "number", "Il numero della smazzata si scrive in cifre, per esempio 3."),
        ({"how": "hands", "number": "1"}, "number", "La smazzata 1 è già giocata. Il numero più piccolo è 2."),
        ({"how": "hands", "number": "1.000"}, "number",
         "Più di 999 smazzate non si giocano: scrivi un numero più piccolo."),
    ],
)  # fmt: skip
def test_an_end_that_cannot_be_is_refused_beside_its_field(
    client: Client, pad: Pad, typed: dict[str, str], field: str, error: str
) -> None:
    url = leading(client, pad)
    page = client.submit(client.get(f"{url}/fine"), "Finisce così", 422, **typed)
    assert page.errors == [error]
    assert page.one("p", id=f"{field}-error").text == error
    assert state_of(pad, client, url).ending is None


def test_an_end_after_another_hand_is_asked_again_with_who_is_ahead_now(
    client: Client, pad: Pad
) -> None:
    url = leading(client, pad)
    page = client.get(f"{url}/fine")
    play(pad, client, url, hand(side(100, 40), side(500, natural=2, mixed=1), "b"))
    stale = client.submit(page, "Finisce così", 409, how="time")
    assert "qui sotto c'è chi è avanti adesso" in stale.errors[0]
    # 430 + 60 against 60 + 500 + 1,000 + 300 + 100
    assert "Vince chi è avanti: Loro, 1.960 a 490." in stale.text
    assert not state_of(pad, client, url).status.finished
    client.submit(stale, "Finisce così")
    assert state_of(pad, client, url).status.winner == 1


def test_where_a_hand_is_being_typed_it_is_said_that_it_stays(client: Client, pad: Pad) -> None:
    url = leading(client, pad)
    said = "Quello che è già scritto della smazzata in corso non si perde"
    assert said not in client.get(f"{url}/fine").text
    type_and("check", client, client.get(counting(url)), {"a.cards": "150"})
    page = client.get(f"{url}/fine")
    assert said in page.text
    client.submit(page, "Finisce così", how="time")
    undo(client, url, "Annulla la fine della partita")
    assert form_of(client.get(counting(url)))["a.cards"] == "150"


# ---------------------------------------------------------------- players


def test_a_player_is_replaced_from_the_coming_hand_on(client: Client, pad: Pad) -> None:
    url = start(client, player_1_0="Ugo")
    play(pad, client, url, ALL_GOOD)
    page = client.get(f"{url}/giocatore")
    assert page.links()["Correggi i nomi"] == f"{url}/nomi"
    shown = client.submit(page, "Cambia il giocatore", seat="1-0", name=" Carla ")
    assert shown.notices == ["Dalla smazzata 2 gioca Carla al posto di Ugo."]
    page = client.get(f"{url}/giocatore")
    shown = client.submit(page, "Cambia il giocatore", seat="1-1", name="Cleo")
    assert shown.notices == ["Dalla smazzata 2 gioca Cleo."], "the seat was without a name"
    assert state_of(pad, client, url).sides[1].players == ("Carla", "Cleo")
    for _ in range(2):
        undo(client, url, "Annulla il cambio di giocatore")
    assert state_of(pad, client, url).sides[1].players == ("Ugo", "")


def test_who_plays_alone_is_replaced_under_the_name_of_the_side(client: Client, pad: Pad) -> None:
    url = start(client, "due", name_0="Ada", name_1="Bea")
    client.submit(client.get(f"{url}/giocatore"), "Cambia il giocatore", seat="0-0", name="Cleo")
    assert [each.name for each in state_of(pad, client, url).sides] == ["Cleo", "Bea"]


def test_a_past_hand_was_dealt_by_who_sat_there_then(client: Client, pad: Pad) -> None:
    url = start(client, player_0_0="Ada")
    play(pad, client, url, ALL_GOOD)
    client.submit(client.get(f"{url}/giocatore"), "Cambia il giocatore", seat="0-0", name="Bea")
    # Noi's first player dealt the first hand and, of four, deals the fifth again.
    page = play(pad, client, url, ALL_GOOD, ALL_GOOD, ALL_GOOD, ALL_GOOD)
    assert "Carte date da Ada (Noi)." in page.one(id="smazzata-1").text
    assert "Carte date da Bea (Noi)." in page.one(id="smazzata-5").text


@pytest.mark.parametrize(
    ("typed", "field", "error"),
    [
        ({"name": "Carla"}, "seat", "Scegli chi lascia il posto."),
        ({"seat": "9-9", "name": "Carla"}, "seat", "Scegli chi lascia il posto."),
        ({"seat": "0-0", "name": "  "}, "name", "Come si chiama chi entra?"),
        ({"seat": "0-0", "name": "Ada "}, "name", "È il nome di chi c'è già. Scrivi quello di chi entra."),
        ({"seat": "0-0", "name": "x" * 61}, "name", "Questo testo è troppo lungo: al massimo 60 caratteri."),
        ({"seat": "0-0", "name": "a\u202eb"}, "name",
         "In questo testo c'è un carattere che non si vede. Riscrivilo."),
    ],
)  # fmt: skip
def test_a_replacement_that_cannot_be_is_refused_beside_its_field(
    client: Client, pad: Pad, typed: dict[str, str], field: str, error: str
) -> None:
    url = start(client, player_0_0="Ada")
    page = client.submit(client.get(f"{url}/giocatore"), "Cambia il giocatore", 422, **typed)
    assert page.errors == [error]
    assert page.one("p", id=f"{field}-error").text == error
    assert page.one("input", name="name")["value"] == typed["name"]
    assert state_of(pad, client, url).replacements == []


def test_a_replacement_of_somebody_who_sits_there_no_more_is_asked_again(
    client: Client, pad: Pad
) -> None:
    url = start(client, player_0_0="Ada")
    first, second = (client.get(f"{url}/giocatore") for _ in range(2))
    for _ in range(2):  # sent twice, it is one
        client.submit(first, "Cambia il giocatore", seat="0-0", name="Cleo")
    stale = client.submit(second, "Cambia il giocatore", 409, seat="0-0", name="Dina")
    assert "qui sotto c'è chi gioca adesso" in stale.errors[0]
    assert "Cleo (Noi)" in stale.text
    assert len(state_of(pad, client, url).replacements) == 1
    client.submit(stale, "Cambia il giocatore")
    assert state_of(pad, client, url).sides[0].players == ("Dina", "")


# ---------------------------------------------------------------- rules


def test_target_options_and_codification_change_before_the_first_hand(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    page = client.get(f"{url}/regole")
    assert page.one("input", name="option-target")["value"] == "5.000"
    shown = client.submit(
        page, "Salva le regole", preset="getty", option_target="3.000", option_concealed_canasta="0"
    )
    assert (shown.url, shown.notices) == (url, ["Regole salvate."])
    state = state_of(pad, client, url)
    assert (state.rules.preset, state.status.target) == ("getty", 3000)
    assert state.rules.options["wild-limit"] == "not-more-than-naturals", "the codification holds"
    assert state.rules.options["concealed-canasta"] == 0, "an option beats the codification"
    again = client.get(f"{url}/regole")
    chosen = again.values(again.form("Salva"))
    assert (chosen["preset"], chosen["option-target"]) == ("getty", "3.000")
    assert (chosen["option-concealed-canasta"], chosen["option-wild-limit"]) == ("0", "")
    undo(client, url, "Annulla il cambio delle regole")
    assert state_of(pad, client, url).status.target == 5000


def test_options_that_decide_who_sits_at_the_table_are_not_offered_and_stay(
    client: Client, pad: Pad
) -> None:
    page = client.get("/partite/nuova?variante=mini&players=3")
    url = client.submit(page, "Comincia: ").url
    page, before = client.get(f"{url}/regole"), state_of(pad, client, url)
    assert not page.all("input", name="option-players")
    client.submit(page, "Salva le regole")
    assert state_of(pad, client, url) == before, "saved as they stand they are no change"
    client.submit(client.get(f"{url}/regole"), "Salva le regole", option_target="21")
    rules = state_of(pad, client, url).rules
    assert (rules.settings.sides, rules.settings.target) == ((1, 1, 1), 21)


def test_after_the_first_hand_the_rules_are_fixed(client: Client, pad: Pad) -> None:
    url = start(client)
    open_page = client.get(f"{url}/regole")
    play(pad, client, url, ALL_GOOD)
    page = client.get(f"{url}/regole")
    assert "Queste regole non si cambiano più dopo la prima smazzata" in page.text
    assert "Traguardo 5.000" in page.text
    assert not page.all("form", method="post", action=f"{url}/regole")
    assert not page.all("input", type="radio")
    late = client.submit(open_page, "Salva le regole", 409, option_target="3.000")
    assert late.errors == [
        "Intanto è stata salvata la prima smazzata: le regole non si cambiano più, e sono rimaste come prima."
    ]
    assert state_of(pad, client, url).status.target == 5000


def test_rules_that_somebody_changed_meanwhile_are_shown(client: Client, pad: Pad) -> None:
    url = start(client)
    first, second = (client.get(f"{url}/regole") for _ in range(2))
    for _ in range(2):  # sent twice, it is one
        client.submit(first, "Salva le regole", option_target="3.000")
    stale = client.submit(second, "Salva le regole", 409, option_target="7.000")
    assert "Intanto qualcuno ha cambiato le regole" in stale.errors[0]
    assert "Traguardo 3.000" in stale.one("section", aria_labelledby="now").text
    assert stale.one("input", name="option-target")["value"] == "7.000"
    assert state_of(pad, client, url).status.target == 3000
    client.submit(stale, "Salva le regole")
    assert state_of(pad, client, url).status.target == 7000


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ({"option_target": "tanto"}, "Traguardo: scrivi un numero da 500 a 9.999.500, multiplo di 500."),
        ({"option_target": "2.000"},
         "Con questi totali la partita è già finita: il traguardo è 2.000. "
         "Correggi i totali, o alza il traguardo."),
        ({"preset": "niente"}, "Questa scelta qui non esiste. Scegline una tra quelle della pagina."),
    ],
)  # fmt: skip
def test_rules_that_cannot_be_are_refused_beside_their_field(
    client: Client, pad: Pad, typed: dict[str, str], error: str
) -> None:
    url = start(client, carried_0="2.500", carried_1="0")
    page = client.submit(client.get(f"{url}/regole"), "Salva le regole", 422, **typed)
    assert page.errors == [error]
    (field,) = typed
    assert page.one("p", id=f"{field.replace('_', '-')}-error").text == error
    assert state_of(pad, client, url).status.target == 5000


# ---------------------------------------------------------------- deleting


def test_a_match_is_deleted_only_with_the_tick_and_is_gone(client: Client, pad: Pad) -> None:
    url = start(client, name_0="Nonni", name_1="Nipoti", place="Rimini")
    play(pad, client, url, ALL_GOOD)
    page = client.get(f"{url}/cancella")
    assert "Nonni contro Nipoti Punti: 430 a 60 Canasta classica · Rimini" in page.text
    refused = client.submit(page, "Cancella per sempre", 422)
    assert refused.errors == ["Per cancellare, metti il segno su «Sì, cancellala per sempre»."]
    assert refused.one("p", id="sure-error").text == refused.errors[0]
    assert client.get(url).status == 200
    for _ in range(2):  # pressed twice, it says the same
        home = client.submit(refused, "Cancella per sempre", sure="on")
        assert (home.url, home.notices) == ("/", ["Partita cancellata: Nonni contro Nipoti."])
    client.get(url, 404)
    assert not any(pad.summaries(device(client)))
    other = page.values(page.form("Cancella per sempre")) | {"sure": "on", "request_id": "x" * 22}
    assert client.post(page.url, other, 404).one("h1").text == "Questa partita non c'è più"


def test_who_does_not_hold_the_match_is_told_who_can_delete_it(
    client: Client, visit: Callable[..., Client], pad: Pad
) -> None:
    url = start(client)
    own = client.get(f"{url}/cancella")
    other = guest(visit, pad, url, client, Access.WRITE)
    told = "Può cancellarla solo il telefono che tiene la partita, cioè il telefono 1"
    page = other.get(f"{url}/cancella")
    assert told in page.text
    assert not page.all("input", type="checkbox")
    token = page.all("input", name="csrf_token")[0]["value"]
    sent = own.values(own.form("Cancella")) | {"sure": "on", "csrf_token": token}
    assert told in other.post(f"{url}/cancella", sent, 403).text
    assert state_of(pad, client, url).access is Access.OWN


def test_nothing_of_a_deleted_match_stays_in_the_file(
    app: Flask, client: Client, pad: Pad, tmp_path: Path
) -> None:
    file = tmp_path / "scorepad.db"
    kept = start(client, name_0="Rimasti", name_1="Altri")
    url = start(
        client,
        name_0="Pappagalli",
        name_1="Tartarughe",
        player_0_0="Adalgisa",
        place="Circolo Nettuno",
    )
    said = [word.encode() for word in (*live_through(client, pad, url), match_of(url))]
    octets = file.read_bytes()
    there = [word for word in said if word in octets]
    assert len(there) > 20
    assert b"Adalgisa" in there
    client.submit(client.get(f"{url}/cancella"), "Cancella per sempre", sure="on")
    octets = file.read_bytes()
    assert [word for word in said if word in octets] == []
    # SQLite overwrites what is deleted, and yet may keep what it had copied about: the file is
    # written anew.
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("pragma freelist_count").fetchone() == (0,)
    assert b"Rimasti" in octets
    assert client.get(kept).one("h1").text == "Rimasti contro Altri"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("scorepad.db")] == [
        "scorepad.db"
    ]


def live_through(client: Client, pad: Pad, url: str) -> tuple[str, ...]:
    """Names, notes and reasons come and go in a match, in rows that grow and shrink; every word
    that was there.
    """
    for number in range(6):
        long = f"ragione{number}" * (1 + 37 * (number % 3))
        page = client.get(counting(url))
        type_and(
            "check",
            client,
            page,
            {"a.cards": "150", "a.house.0.points": "5", "a.house.0.reason": long},
        )
        note(client, url, "1", "house", points="5", reason=f"guardone{number}")
        play(pad, client, url, ALL_GOOD)
        client.submit(
            client.get(f"{url}/smazzate/1/annotazione"), "Salva", text=f"bisbiglio{number}" * 20
        )
        names = client.get(f"{url}/nomi")
        client.submit(
            names, "Salva i nomi", name_0=f"Pappagalli{number}" * 5, place=f"Bar{number}Sport"
        )
    client.submit(
        client.get(f"{url}/giocatore"), "Cambia il giocatore", seat="0-0", name="Ermenegilda"
    )
    type_and("check", client, client.get(counting(url)), {"remark": "Calopsitte" * 20})
    changing = [f"{word}{number}" for word in ("ragione", "guardone", "bisbiglio", "Pappagalli", "Bar")
                for number in range(6)]  # fmt: skip
    return ("Tartarughe", "Adalgisa", "Ermenegilda", "Circolo Nettuno", "Calopsitte", *changing)


# ---------------------------------------------------------------- rematch


def test_a_rematch_has_the_same_names_the_next_dealer_and_its_keys(
    client: Client, pad: Pad
) -> None:
    url = start(client, name_0="Nonni", name_1="Nipoti")
    play(pad, client, url, ALL_GOOD)
    finished = end(client, url, "time")
    page = client.submit(finished, "Rivincita")
    state = state_of(pad, client, page.url)
    assert ([each.name for each in state.sides], [each.total for each in state.sides]) == (
        ["Nonni", "Nipoti"],
        [0, 0],
    )
    assert state.begins.dealer == (1, 0)
    for name in (WRITE_COOKIE, VIEW_COOKIE):
        assert client.raw.get_cookie(name, path=page.url) is not None
    assert client.submit(finished, "Rivincita").url == page.url, "sent twice, it is one"
    assert len(pad.summaries(device(client)).in_progress) == 1


def test_a_form_that_another_action_used_or_that_is_too_old_begins_no_rematch(
    client: Client, pad: Pad
) -> None:
    url = leading(client, pad)
    sent = client.get(f"{url}/fine")
    finished = client.submit(sent, "Finisce così", how="time")
    values = finished.values(finished.form("Rivincita"))
    used = sent.values(sent.form("Finisce così"))["request_id"]
    client.post(f"{url}/rivincita", values | {"request_id": used}, 400)
    client.post(f"{url}/rivincita", values | {"csrf_token": "x"}, 400)
    undo(client, url, "Annulla la fine della partita")
    page = client.submit(finished, "Rivincita")
    assert (page.url, page.notices) == (
        url,
        ["La partita va ancora avanti: la rivincita si comincia quando è finita."],
    )
    assert len(pad.summaries(device(client)).in_progress) == 1


# ---------------------------------------------------------------- who may


@pytest.mark.parametrize("path", PAGES)
def test_who_may_only_look_is_shown_no_form(
    client: Client, visit: Callable[..., Client], pad: Pad, path: str
) -> None:
    url = leading(client, pad)
    looker = guest(visit, pad, url, client, Access.VIEW)
    assert looker.get(f"{url}/{path}", 403).one("h1").text == "Da qui si può solo guardare"


@pytest.mark.parametrize("path", PAGES)
def test_a_match_of_another_phone_is_not_told_from_one_that_does_not_exist(
    client: Client, visit: Callable[..., Client], pad: Pad, path: str
) -> None:
    url, stranger = leading(client, pad), visit()
    other, none = (
        stranger.get(f"{there}/{path}", 404).text for there in (url, "/partite/zzzzzzzzzz")
    )
    assert other == none


@pytest.mark.parametrize("path", PAGES)
def test_an_old_page_is_shown_again_with_what_was_typed(
    client: Client, pad: Pad, path: str
) -> None:
    url = start(client) if path == "regole" else leading(client, pad)
    page = client.get(f"{url}/{path}")
    (form,) = (form for form in page.all("form") if form.all("input", name="request_id"))
    before = state_of(pad, client, url)
    typed = {"csrf_token": "old", "name": "Cleo", "text": "bella"}
    again = client.post(f"{url}/{path}", page.values(form) | typed, 422)
    assert "La pagina era aperta da molto tempo" in again.errors[-1]
    kept = {"giocatore": "Cleo", "smazzate/1/annotazione": "bella"}
    assert kept.get(path, "") in again.answer.text
    assert state_of(pad, client, url) == before


@pytest.mark.parametrize("path", PAGES)
def test_every_page_leads_back_to_its_match_in_both_languages(
    client: Client, pad: Pad, path: str
) -> None:
    url = leading(client, pad)
    assert client.get(f"{url}/{path}").links()["Torna alla partita"] == url
    client.raw.set_cookie("scorepad_language", "en")
    client.language = "en"
    assert client.get(f"{url}/{path}").links()["Back to the match"] == url

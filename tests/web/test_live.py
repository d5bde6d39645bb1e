"""What an open page asks every two seconds, and the match in large figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from werkzeug.test import TestResponse

from scorepad.pad import Pad
from scorepad.storage.digests import known_as
from tests.web.client import Client, Page
from tests.web.playing import ALL_GOOD, correct, device, hand, match_of, play, side, start

RICH = hand(side(400, 0, natural=1, mixed=2, red_threes=1), side(100, 40), out="a")
"""500 + 600 + 400 + 100 + 100 = 1700, and 60."""
POOR = hand(side(0, 220), side(100, 20))
"""−220, and 80."""


def ask(client: Client, url: str, tag: str | None = None) -> TestResponse:
    """How far the match has come, to one who knows this tag."""
    headers = {"Accept-Encoding": "gzip", **({"If-None-Match": f'"{tag}"'} if tag else {})}
    return client.raw.get(f"{url}/stato", headers=headers)


def tag_of(client: Client, url: str) -> str:
    answer = ask(client, url)
    assert answer.status_code == 200
    tag, weak = answer.get_etag()
    assert tag
    assert not weak
    assert answer.json == {"tag": tag}
    return tag


def let_look(pad: Pad, client: Client, url: str, access: str = "view") -> None:
    """Let this device do that in the match."""
    client.get("/")
    with pad._office.storage.writing() as rows:
        rows.grant(match_of(url), known_as(device(client)), access, datetime.now(UTC))


# ------------------------------------------------------------------------------------------------ how far it has come


def test_whoever_knows_is_told_that_nothing_is_new_and_nothing_more(client: Client, pad: Pad) -> None:
    url = start(client)
    tag = tag_of(client, url)
    answer = ask(client, url, tag)
    assert (answer.status_code, answer.data) == (304, b"")
    assert answer.get_etag() == (tag, False)
    assert re.fullmatch(r"[0-2]\d:[0-5]\d", answer.headers["Scorepad-Clock"])
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert sum(len(name) + len(value) for name, value in answer.headers.items()) < 700
    play(pad, client, url, RICH)
    answer = ask(client, url, tag)
    assert answer.status_code == 200
    assert len(answer.data) < 40


def test_whatever_is_done_to_the_match_changes_the_tag(client: Client, pad: Pad) -> None:
    url = start(client)
    seen = [tag_of(client, url)]
    for done in (
        lambda: play(pad, client, url, RICH),
        lambda: pad.keep(
            match_of(url), device(client), pad.open(match_of(url), device(client)).id, 0, {"a-cards": "5"}
        ),
        lambda: correct(pad, client, url, 1, ALL_GOOD),
        lambda: client.submit(client.get(f"{url}/nomi"), "Salva", name_0="Rossi"),
        lambda: client.submit(client.get(url), "Annulla"),
    ):
        done()
        seen.append(tag_of(client, url))
    assert len(set(seen)) == 6


def test_strangers_and_those_sent_away_are_told_of_no_match(
    client: Client, visit: Callable[[], Client], pad: Pad
) -> None:
    url, other = start(client), visit()
    assert ask(other, url).status_code == 404
    let_look(pad, other, url)
    tag = tag_of(other, url)
    assert tag != tag_of(client, url)
    assert ask(other, url, tag).status_code == 304
    with pad._office.storage.writing() as rows:
        rows.revoke(match_of(url), known_as(device(other)))
    assert ask(other, url, tag).status_code == 404
    assert ask(client, "/partite/xxxxxxxxxx").status_code == 404


def test_a_device_that_may_do_more_than_before_sees_another_tag(
    client: Client, visit: Callable[[], Client], pad: Pad
) -> None:
    url, other = start(client), visit()
    let_look(pad, other, url)
    looking = tag_of(other, url)
    let_look(pad, other, url, "write")
    assert ask(other, url, looking).status_code == 200


# ------------------------------------------------------------------------------------------------ pages that follow


@pytest.mark.parametrize("page", ["", "/tabellone", "/smazzata", "/smazzate/1/correggi"])
def test_a_page_of_the_match_follows_it_from_where_it_stands(client: Client, pad: Pad, page: str) -> None:
    url = start(client)
    play(pad, client, url, RICH)
    shown = client.get(url + page)
    main = shown.one("main")
    assert main["data-live-tag"] == tag_of(client, url)
    assert main["data-live-state"] == f"{url}/stato"
    assert main["data-live-page"] == url + page
    assert main["data-live-told"] == "Dopo 1 smazzata: Noi 1.700 e Loro 60."
    assert "Quello che vedi è delle {clock}." in main["data-live-away"]
    assert len([script for script in shown.all("script") if "/live.js" in script["src"]]) == 1
    assert shown.one(id="live-status").text == ""


@pytest.mark.parametrize("page", ["/", "/partite/nuova", "/giochi"])
def test_a_page_of_no_match_asks_nothing(client: Client, page: str) -> None:
    shown = client.get(page)
    assert not shown.one("main").has("data-live-state")
    assert not [script for script in shown.all("script") if "/live.js" in script["src"]]


def test_a_page_that_is_the_answer_to_a_form_is_fetched_again_where_it_belongs(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, RICH)
    page = client.get(url)
    play(pad, client, url, POOR)
    stale = client.submit(page, "Annulla", 409)
    assert stale.one("main")["data-live-page"] == url


def test_looking_again_takes_no_word_from_the_page_that_it_is_for(client: Client, pad: Pad) -> None:
    url = start(client)
    page = play(pad, client, url, RICH)
    form = page.form("Annulla")
    assert client.raw.post(form["action"], data=page.values(form)).status_code == 303
    looked = client.raw.get(url, headers={"Scorepad-Live": "1"})
    assert "notice" not in looked.text
    assert client.get(url).notices == ["Smazzata 1 annullata. Quello che c'era scritto torna nella smazzata in corso."]


def test_parts_that_may_change_are_found_by_their_ids(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, RICH)
    for page in (url, f"{url}/tabellone"):
        parts = [part for part in client.get(page).all() if part.has("data-live-part")]
        assert parts
        assert all(part.get("id") for part in parts)


def test_a_count_has_the_words_for_a_hand_that_another_phone_was_quicker_with(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, RICH)
    coming, past = (
        client.get(f"{url}/smazzata").one(id="count"),
        client.get(f"{url}/smazzate/1/correggi").one(id="count"),
    )
    assert coming["data-overtaken"].startswith("Questa smazzata è già stata contata")
    assert past["data-overtaken"].startswith("Questa smazzata è appena cambiata")
    assert {coming["data-overtaken-match"], past["data-overtaken-match"]} == {url}


# ------------------------------------------------------------------------------------------------ the board


def board(client: Client, url: str) -> Page:
    return client.get(f"{url}/tabellone")


def shown(page: Page) -> list[str]:
    return [side.text for side in page.all("section", class_="board-side")]


def facts(page: Page) -> list[str]:
    return [fact.text for fact in page.one(id="board-facts").all("p")]


def test_the_board_shows_totals_openings_the_hand_the_dealer_and_who_leads(client: Client, pad: Pad) -> None:
    url = start(client, player_0_0="Ada", player_1_0="Eva")
    assert shown(board(client, url)) == ["Noi 0 Apre con 50", "Loro 0 Apre con 50"]
    assert facts(board(client, url)) == ["Smazzata 1", "Dà le carte Ada (Noi)"]
    play(pad, client, url, RICH, POOR)
    page = board(client, url)
    assert page.one("h1").text == "Tabellone: Noi contro Loro"
    assert shown(page) == ["Noi 1.480 Apre con 50", "Loro 140 Apre con 50"]
    assert facts(page) == ["Smazzata 3", "Dà le carte Noi, giocatore 2", "Noi avanti di 1.340"]
    assert page.links()["Torna alla partita"] == url


def test_the_board_of_equals_says_so(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, hand(side(100, 40), side(100, 40)))
    assert facts(board(client, url))[-1] == "Alla pari: Noi e Loro"


def test_the_board_of_a_finished_match_says_who_won_and_how(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, RICH, RICH, RICH)
    page = board(client, url)
    assert shown(page) == ["Noi 5.100 ha vinto", "Loro 180"]
    assert facts(page) == ["Partita vinta da Noi: 5.100 a 180", "Traguardo 5.000 raggiunto in 3 smazzate."]


def test_the_board_of_three_names_who_is_behind_the_first(client: Client, pad: Pad) -> None:
    url = start(client, "tre", name_0="Ada", name_1="Bea", name_2="Cleo")
    played = {"sides": {"a": side(100, 0), "b": side(0, 250), "c": side(200, 0, mixed=1)}, "out": {"side": "c"}}
    page = play(pad, client, url, played, played)
    page = board(client, url)
    assert [each.split(" Apre")[0] for each in shown(page)] == ["Ada 200", "Bea −500", "Cleo 1.200"]
    assert facts(page)[-1] == "Cleo avanti di 1.000 su Ada"


def test_the_board_is_there_for_whoever_may_look_in_their_language(
    client: Client, visit: Callable[..., Client], pad: Pad
) -> None:
    url, other = start(client), visit("en")
    other.get(f"{url}/tabellone", 404)
    let_look(pad, other, url)
    play(pad, client, url, RICH)
    page = board(other, url)
    assert page.one("h1").text == "Scoreboard: Noi vs. Loro"
    assert facts(page) == ["Hand 2", "Loro, player 1 deals", "Noi ahead by 1,640"]

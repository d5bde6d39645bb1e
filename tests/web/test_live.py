"""What an open page asks again and again, and the match in large figures."""

from __future__ import annotations

import re

import pytest
from werkzeug.test import TestResponse

from scorepad.matches import Pad
from scorepad.matches.access import Access, RequestId
from scorepad.matches.actions import NewPenalty
from scorepad.matches.hands import ShownDraft
from scorepad.matches.keys import Keys
from scorepad.storage.rows import hash_device_id
from scorepad.web.cookies import VIEW_COOKIE
from tests.web.client import Client, Page, Visit
from tests.web.player import Begin, Player
from tests.web.playing import ALL_GOOD, correct, device, hand, match_of, play, side, start
from tests.web.scorer import let_in

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


def parts(page: Page) -> list[str]:
    """The ids of the parts of a page that change while it is open."""
    return [part.get("id") for part in page.all() if part.has("data-live-part")]


def moved(client: Client, page: Page) -> str:
    """What an open page says when it looks again."""
    return client.get(page.one("main")["data-live-page"]).one(id="live-moved").text


def undo(client: Client, url: str) -> None:
    client.submit(client.get(url), "Annulla")


def rename(client: Client, url: str) -> None:
    client.submit(client.get(f"{url}/nomi"), "Salva", name_0="Rossi")


# ------------------------------------------------------------------------------ how far it has come


def test_whoever_knows_is_told_that_nothing_is_new_and_nothing_more(
    client: Client, pad: Pad
) -> None:
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
    assert (answer.status_code, len(answer.data) < 40) == (200, True)


def test_that_a_hand_or_a_penalty_is_noted_is_news_and_what_is_typed_further_is_not(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    match, who = match_of(url), device(client)
    seen = [tag_of(client, url)]
    for version, typed in enumerate(({"a.cards": "5"}, {"b.penalties.draw-out-of-turn": "1"})):
        pad.store_draft(match, who, ShownDraft(pad.open(match, who).id, version), typed)
        seen.append(tag_of(client, url))
    assert seen[0] != seen[1] == seen[2]
    coming = pad.open(match, who).id
    noted = NewPenalty(1, "draw-out-of-turn")
    pad.actions.add_penalty(RequestId("penalty"), match, who, coming, noted)
    assert tag_of(client, url) != seen[2]
    page = client.get(url)
    assert "Loro: Pescata fuori turno, −100" in page.text
    assert page.one("main")["data-live-tag"] == tag_of(client, url)
    answer = client.raw.get(f"{url}/stato")
    assert answer.headers["Scorepad-Typed"] == "2:2"  # the version of the fields, and the entry


@pytest.mark.parametrize(
    ("page", "status"),
    [
        ("/arbitro", 200),
        ("/arbitro/apertura", 200),
        ("/arbitro/penalita", 200),
        ("/arbitro/penalita?caso=draw-out-of-turn", 200),
        ("/arbitro/calata?cards=3xK&passo=risposta", 200),
        pytest.param("/arbitro/calata?cards=gatti&do=next", 422, id="a question that is wrong"),
        pytest.param(
            "/arbitro/calata?state=x&words=x&endpoint=x&_scheme=javascript&_anchor=x"
            "&cards=3xK&passo=risposta",
            200,
            id="an address with more than the question holds",
        ),
    ],
)
def test_the_referee_in_a_match_says_that_its_scores_changed_meanwhile(
    player: Player, page: str, status: int
) -> None:
    shown = player.client.get(player.match + page, status)
    assert shown.one(id="live-moved").text == ""
    assert shown.one("main")["data-live-page"].startswith("/partite/")
    player.play(RICH)
    assert "Noi 1.700" in moved(player.client, shown)


def test_the_rulings_kept_with_a_match_are_a_part_that_follows_it(client: Client) -> None:
    main = client.get(f"{start(client)}/arbitro/decisioni").one("main")
    assert main["data-live-page"].endswith("/arbitro/decisioni")
    assert main.one("div", id="rulings").has("data-live-part")


def test_strangers_and_those_sent_away_are_told_of_no_match(
    client: Client, guest: Client, pad: Pad
) -> None:
    url = start(client)
    assert ask(guest, url).status_code == ask(client, "/partite/xxxxxxxxxx").status_code == 404
    let_in(client, url, guest, VIEW_COOKIE)
    tag = tag_of(guest, url)
    assert tag != tag_of(client, url)
    assert ask(guest, url, tag).status_code == 304
    let_in(client, url, guest)
    assert ask(guest, url, tag).status_code == 200, "it may do more than before"
    with pad.context.storage.writing() as rows:
        rows.revoke(match_of(url), hash_device_id(device(guest)))
    assert ask(guest, url, tag).status_code == 404


# -------------------------------------------------------------------------------- pages that follow


@pytest.mark.parametrize(
    "page",
    ["", "/tabellone", "/smazzata", "/smazzate/1/correggi", "/smazzate/1/controlla", "/controllo"],
)
def test_a_page_of_the_match_follows_it_from_where_it_stands(
    client: Client, pad: Pad, page: str
) -> None:
    url = start(client)
    play(pad, client, url, RICH)
    shown = client.get(url + page)
    main = shown.one("main")
    assert main["data-live-tag"] == tag_of(client, url)
    assert main["data-live-state"] == f"{url}/stato"
    assert main["data-live-page"] == url + page
    assert main["data-live-announcement"] == "Dopo 1 smazzata: Noi 1.700 e Loro 60."
    assert "Quello che vedi è delle {clock}." in main["data-live-away"]
    assert len([script for script in shown.all("script") if "/live.js" in script["src"]]) == 1
    assert shown.one(id="live-status").text == ""
    ids = parts(shown)
    assert all(ids)
    assert ids or page in ("/smazzata", "/smazzate/1/correggi"), "a count changes by its own script"


@pytest.mark.parametrize("page", ["/partite/nuova", "/regole"])
def test_a_page_of_no_match_asks_nothing(client: Client, page: str) -> None:
    shown = client.get(page)
    assert not shown.one("main").has("data-live-state")
    assert not [script for script in shown.all("script") if "/live.js" in script["src"]]


def test_a_page_that_is_the_answer_to_a_form_is_fetched_again_where_it_belongs(
    player: Player,
) -> None:
    page = player.play(RICH)
    player.play(POOR)
    stale = player.client.submit(page, "Annulla", 409)
    assert stale.one("main")["data-live-page"] == player.match


def test_looking_again_takes_no_word_from_the_page_that_it_is_for(player: Player) -> None:
    page = player.play(RICH)
    form = page.form("Annulla")
    assert player.client.raw.post(form["action"], data=page.values(form)).status_code == 303
    assert "notice" not in player.client.raw.get(player.match, headers={"Scorepad-Live": "1"}).text
    assert len(player.page().notices) == 1


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("smazzata", "Questa smazzata è già stata contata"),
        ("smazzate/1/correggi", "Questa smazzata è appena cambiata"),
    ],
)
def test_a_count_has_the_words_for_a_hand_that_another_phone_was_quicker_with(
    player: Player, path: str, words: str
) -> None:
    player.play(RICH)
    form = player.page(f"{path}").one(id="count")
    assert form["data-overtaken"].startswith(words)
    assert form["data-overtaken-match"] == player.match


# ------------------------------------------------------------------------------ the list of matches


LISTS = [
    "/",
    "/?cerca=rossi",
    "/in-corso",
    "/giocatori",
    "/giocatori/Ada",
    "/giocatori/Ada?tutte=1",
]


def test_whatever_is_done_to_a_match_changes_its_tag_and_that_of_the_lists(
    client: Client, pad: Pad
) -> None:
    client.get("/")
    lists = [tag_of(client, "")]
    url = start(client)
    lists.append(tag_of(client, ""))
    start(client)
    lists.append(tag_of(client, ""))
    tags = [tag_of(client, url)]
    for done in (
        lambda: play(pad, client, url, RICH),
        lambda: correct(pad, client, url, 1, ALL_GOOD),
        lambda: rename(client, url),
        lambda: undo(client, url),
    ):
        done()
        for page, seen in ((url, tags), ("", lists)):
            seen.append(tag_of(client, page))
            answer = ask(client, page, seen[-1])
            assert (answer.status_code, answer.data) == (304, b"")
            assert "Set-Cookie" not in answer.headers
    for done in (lambda: pad.actions.delete(match_of(url), device(client)), lambda: start(client)):
        done()
        lists.append(tag_of(client, ""))
    assert len(set(tags)) == len(tags)
    assert len(set(lists)) == len(lists)


def test_what_others_play_does_not_show_in_the_tag_of_a_device_that_is_not_let_in(
    client: Client, guest: Client, pad: Pad
) -> None:
    url = start(client)
    guest.get("/")
    tag = tag_of(guest, "")
    play(pad, client, url, RICH)
    assert ask(guest, "", tag).status_code == 304
    let_in(client, url, guest, VIEW_COOKIE)
    assert ask(guest, "", tag).status_code == 200


def test_who_comes_in_is_no_news_for_the_list_of_matches(
    client: Client, guest: Client, pad: Pad
) -> None:
    url = start(client)
    tag = tag_of(client, "")
    let_in(client, url, guest, VIEW_COOKIE)
    pad.devices.renew_key(
        match_of(url), device(client), Access.VIEW, Keys("", ""), RequestId("new-code")
    )
    assert ask(client, "", tag).status_code == 304


@pytest.mark.parametrize("path", LISTS)
def test_every_list_of_matches_follows_them(client: Client, pad: Pad, path: str) -> None:
    play(pad, client, start(client, name_0="Rossi", player_0_0="Ada"), RICH, RICH, RICH)
    play(pad, client, start(client, player_0_0="Ada"), RICH)
    page = client.get(path)
    main = page.one("main")
    assert main["data-live-state"] == "/stato"
    assert main["data-live-tag"] == tag_of(client, "")
    assert client.get(main["data-live-page"]).one("h1").text == page.one("h1").text
    assert parts(page)
    assert all(parts(page))


def test_at_home_the_totals_of_the_match_that_changed_last_are_told(
    client: Client, pad: Pad
) -> None:
    assert client.get("/").one("main")["data-live-announcement"] == ""
    other, url = start(client), start(client)
    play(pad, client, other, POOR)
    play(pad, client, url, RICH)
    assert client.get("/").one("main")["data-live-announcement"] == "Noi 1.700 e Loro 60"


# --------------------------------------------------------------------------------- phones, checking


def test_the_page_of_the_phones_follows_who_comes_goes_and_sits_down(
    client: Client, visit: Visit, pad: Pad
) -> None:
    url, other, another = start(client), visit(), visit()
    match, mine, phones = match_of(url), device(client), f"{url}/telefoni"
    seen = [tag_of(client, phones)]
    main = client.get(phones).one("main")
    assert main["data-live-state"] == f"{phones}/stato"
    assert (main["data-live-page"], main["data-live-tag"]) == (phones, seen[0])
    for done in (
        lambda: let_in(client, url, other, VIEW_COOKIE),
        lambda: let_in(client, url, other),
        lambda: pad.devices.set_side_and_holder(match, device(other), 1),
        lambda: let_in(client, url, another, VIEW_COOKIE),
        lambda: pad.devices.renew_key(match, mine, Access.VIEW, Keys("", ""), RequestId("renewed")),
        lambda: pad.devices.remove_device(
            match, mine, hash_device_id(device(other)), RequestId("removed")
        ),
        lambda: play(pad, client, url, RICH),
    ):
        done()
        seen.append(tag_of(client, phones))
        assert ask(client, phones, seen[-1]).status_code == 304
    assert len(set(seen)) == len(seen)
    assert ask(other, phones).status_code == 404, "it was sent out"
    assert client.get(phones).one("main")["data-live-tag"] == seen[-1]


def test_the_codes_are_parts_of_their_own_for_writers_and_lookers_alike(
    client: Client, guest: Client, pad: Pad
) -> None:
    url = start(client)
    let_in(client, url, guest, VIEW_COOKIE)
    of_codes = {f"{part}-{access}" for part in ("code", "change") for access in ("view", "write")}
    others = {"leave", "network-open", "of-match", "reach", "seats"}
    for phone in (client, guest):
        assert of_codes | others <= set(parts(phone.get(f"{url}/telefoni")))
    rows = client.get(f"{url}/telefoni").one("ol", class_="phones").all("li")
    assert [row["id"] for row in rows if row.has("id")] == ["phone-1", "phone-2"]


# -------------------------------------------------------------------------------------------- forms


KEPT = "Quello che hai scritto è ancora qui."
RENAMED = f"Intanto i nomi sono cambiati: ora giocano Rossi contro Loro. {KEPT}"
COUNTED = f"Intanto i conti sono cambiati. Dopo 1 smazzata: Noi 1.700 e Loro 60. {KEPT}"
UNDONE = "Intanto i conti sono cambiati. Dopo 0 smazzate"
NOTED = "Intanto è cambiata un'annotazione."


@pytest.mark.parametrize("form", ["nomi", "giocatore", "regole", "fine", "penalita"])
def test_a_form_says_what_happened_meanwhile_that_matters_to_it_and_nothing_else(
    client: Client, pad: Pad, form: str
) -> None:
    url = start(client)
    page = client.get(f"{url}/{form}")
    assert page.one("main")["data-live-state"] == f"{url}/stato"
    assert parts(page) == ["live-moved"], "nothing that is typed in changes"
    assert page.one(id="live-moved").text == moved(client, page) == ""
    is_about_names = form in ("nomi", "giocatore")
    play(pad, client, url, RICH)
    assert moved(client, page) == ("" if is_about_names else COUNTED)
    page = client.get(f"{url}/{form}")
    assert moved(client, page) == "", "whoever opens it now sees it as it is"
    rename(client, url)
    assert moved(client, page) == (RENAMED if is_about_names else "")
    if not is_about_names:
        undo(client, url)
        undo(client, url)
        assert moved(client, page).startswith(UNDONE)


@pytest.mark.parametrize("path", ["annulla", "smazzate/1/annotazione"])
def test_the_page_of_a_reason_or_a_note_says_that_a_note_or_the_hand_changed_meanwhile(
    client: Client, pad: Pad, path: str
) -> None:
    url = start(client)
    play(pad, client, url, RICH)
    page = client.get(f"{url}/{path}")
    assert (page.one("main")["data-live-state"], moved(client, page)) == (f"{url}/stato", "")
    client.submit(client.get(f"{url}/smazzate/1/annotazione"), "Salva", text="che mano")
    assert moved(client, page) == f"{NOTED} {KEPT}"
    undo(client, url)
    undo(client, url)
    assert moved(client, page).startswith(UNDONE), "though the hand is there no more"
    client.get(f"{url}/smazzate/1/annotazione", 404)


def test_the_page_that_asks_whether_to_delete_shows_the_match_as_it_is_now(player: Player) -> None:
    main = player.page("cancella").one("main")
    player.play(RICH)
    now = player.client.get(main["data-live-page"])
    assert main["data-live-tag"] != now.one("main")["data-live-tag"]
    part = now.one("div", id="deleting")
    assert part.has("data-live-part")
    assert "Punti: 1.700 a 60" in part.text


@pytest.mark.parametrize("form", ["fine", "penalita"])
def test_a_form_that_is_open_when_the_match_ends_stays_and_says_so(
    player: Player, form: str
) -> None:
    page = player.page(f"{form}")
    player.play(RICH, RICH, RICH)
    assert moved(player.client, page).startswith("Intanto la partita è finita. Dopo 3 smazzate:")
    assert player.client.get("/").notices == []


@pytest.mark.parametrize("seen", ["0", "-3", "x", "999999999999999999999", ""])
def test_an_address_made_up_of_what_was_seen_does_no_harm(player: Player, seen: str) -> None:
    odd = player.page(f"fine?visto={seen}")
    assert odd.one("h1").text == player.page("fine").one("h1").text


# ---------------------------------------------------------------------------------------- the board


def board(client: Client, url: str) -> Page:
    return client.get(f"{url}/tabellone")


def shown(page: Page) -> list[str]:
    return [side.text for side in page.all("section", class_="board-side")]


def facts(page: Page) -> list[str]:
    return [fact.text for fact in page.one(id="board-facts").all("p")]


def test_the_board_shows_totals_openings_the_hand_the_dealer_and_who_leads(
    client: Client, pad: Pad
) -> None:
    url = start(client, player_0_0="Ada", player_1_0="Eva")
    page = board(client, url)
    assert shown(page) == ["Noi 0 Apre con 50", "Loro 0 Apre con 50"]
    assert facts(page) == ["Smazzata 1", "Dà le carte Ada (Noi)"]
    play(pad, client, url, hand(side(100, 40), side(100, 40)))
    assert facts(board(client, url))[-1] == "Alla pari: Noi e Loro"
    play(pad, client, url, RICH)
    page = board(client, url)
    assert page.one("h1").text == "Tabellone: Noi contro Loro"
    assert shown(page) == ["Noi 1.760 Apre con 90", "Loro 120 Apre con 50"]
    assert facts(page) == ["Smazzata 3", "Dà le carte Noi, giocatore 2", "Noi avanti di 1.640"]
    assert page.links()["Torna alla partita"] == url


def test_the_board_of_a_finished_match_says_who_won_and_leads_to_the_rematch(
    client: Client, guest: Client, pad: Pad
) -> None:
    url = start(client)
    let_in(client, url, guest, VIEW_COOKIE)
    finished = play(pad, client, url, RICH, RICH, RICH)
    page = board(client, url)
    assert shown(page) == ["Noi 5.100 vittoria", "Loro 180"]
    won, how = facts(page)
    assert won == "Abbiamo vinto noi: 5.100 a 180"
    assert how.startswith("Traguardo 5.000 raggiunto")
    assert "rivincita" not in page.text
    again = client.submit(finished, "Rivincita").url
    for phone in (client, guest):
        page = board(phone, url)
        assert page.links()["Aprila"] == f"{again}/tabellone"
        assert board(phone, again).one("h1").text == "Tabellone: Noi contro Loro"
    pad.actions.delete(match_of(again), device(client))
    assert "rivincita" not in board(client, url).text, "it leads nowhere any more"


def test_the_board_of_three_names_who_is_behind_the_first(begin: Begin) -> None:
    player = begin("tre", name_0="Ada", name_1="Bea", name_2="Cleo")
    sides = {"a": side(100, 0), "b": side(0, 250), "c": side(200, 0, mixed=1)}
    player.play(*[{"sides": sides, "out": {"side": "c"}}] * 2)
    page = board(player.client, player.match)
    assert [each.split(" Apre")[0] for each in shown(page)] == ["Ada 200", "Bea −500", "Cleo 1.200"]
    assert facts(page)[-1] == "Cleo avanti di 1.000 su Ada"
